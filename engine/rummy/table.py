"""What every rummy game shares: hands, stock, pile, turns, rounds, scores; and the view of them.

Rules from section 0 of the digest: the deal moves one seat in the direction of play each round; an empty stock ends the
round unless the player to move can take from the pile (`stock_out=end_round`) or is filled again from under the top
discard when somebody draws (`reshuffle`); a tie for first place at the target means another round.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, TypeVar

from engine.cards import QUEEN_OF_SPADES, Card, card_name, names, rank_name
from engine.game import Event, Loose, Position, Refusal, Seat, Side, Spec, describe_rank

DRAW, MELD, OVER = "draw", "meld", "over"
BARREN = 8  # turns each since the stock was made anew without a card being laid; after them it is not again
ON_OFF = ("on", "off")  # the values of a house rule that is one or the other

_new = tuple.__new__  # of an event, much faster than by its name

S = TypeVar("S", bound="RummyState")
V = TypeVar("V", bound="RummyView")


@dataclass(slots=True)
class RummyState:
    """A round of a rummy game and the scores carried into it. Only its game changes it."""

    options: Any
    seats: int
    seed: str
    dealer: Seat
    turn: Seat
    hands: list[list[Card]]
    stock: list[Card]  # the next card to be drawn is the last
    pile: list[Card]  # the top card is the last
    scores: list[int]
    phase: str = DRAW
    round: int = 1
    shuffles: int = 0  # how often the seed has been used: the next shuffle is a function of both
    idle: int = 0  # moves in a row on an empty stock without a card laid
    out: Seat | None = None
    ended: bool = False
    winners: tuple[Side, ...] = ()
    earned: tuple[int, ...] | None = None  # per side, this round's points once it is over
    whole: bool = True  # dealt from a pack, so that all its cards must be there
    anew: int = 0  # turns since the stock was made anew without a card laid, where they are counted; 0 while it was not

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.phase == OVER


class Down(NamedTuple):
    """A set on the table: whose it is, its rank and its cards."""

    side: Side
    rank: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RummyView:
    """All that one seat (None: a spectator) may know of a rummy table."""

    game: str
    seat: Seat | None
    options: Any
    seats: int
    sides: tuple[tuple[Seat, ...], ...]
    round: int
    dealer: Seat
    turn: Seat
    phase: str
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    top: Card | None
    pile_count: int
    stock_count: int
    down: tuple[Down, ...]
    laid: tuple[int, ...]
    contributed: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[int, ...] | None
    out: Seat | None
    over: bool
    ended: bool
    winners: tuple[Side, ...]

    def cards(self) -> set[Card]:
        """Every card whose face this view shows anywhere."""
        seen = set(self.hand)
        if self.top is not None:
            seen.add(self.top)
        for down in self.down:
            seen.update(down.cards)
        return seen

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values, cards by their codes."""
        return {
            "game": self.game,
            "seat": self.seat,
            "round": self.round,
            "dealer": self.dealer,
            "turn": self.turn,
            "phase": self.phase,
            "hand": [card_name(c) for c in self.hand],
            "counts": list(self.counts),
            "top": None if self.top is None else card_name(self.top),
            "pile": self.pile_count,
            "stock": self.stock_count,
            "down": [
                {"side": d.side, "rank": rank_name(d.rank), "cards": [card_name(c) for c in d.cards]} for d in self.down
            ],
            "laid": list(self.laid),
            "contributed": list(self.contributed),
            "scores": list(self.scores),
            "points": None if self.points is None else list(self.points),
            "out": self.out,
            "over": self.over,
            "ended": self.ended,
            "winners": list(self.winners),
        }


class RummyGame:
    """What all rummy games have in common; see `engine.game.Game` for what each function promises."""

    name: str
    title: str
    aliases: tuple[str, ...]
    seats: tuple[int, ...]
    Options: type[Any]
    verbs: tuple[str, ...]

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everyone for themselves."""
        return tuple((seat,) for seat in range(seats))

    def points(self, state: Any) -> list[int] | None:
        """Per side, the score of the round; None before its end."""
        return None if state.earned is None else list(state.earned)

    def _demand_seats(self, seats: int) -> None:
        if seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            allowed = f"{least} to {most}" if least < most else str(least)
            raise ValueError(f"{self.title} is for {allowed} players, not {seats}")

    def _see(
        self,
        kind: type[V],
        state: RummyState,
        seat: Seat | None,
        down: tuple[Down, ...],
        laid: tuple[int, ...],
        contributed: tuple[int, ...],
        **more: Any,
    ) -> V:
        """The view of a seat: its own hand, and of the rest how many cards are where."""
        pile, scores = state.pile, tuple(state.scores)
        hand = () if seat is None else tuple(sorted(state.hands[seat]))
        return kind(  # in the order of the fields, which is faster than by their names
            self.name, seat, state.options, state.seats, self.sides(state.options, state.seats), state.round,
            state.dealer, state.turn, state.phase, hand, tuple(map(len, state.hands)), pile[-1] if pile else None,
            len(pile), len(state.stock), down, laid, contributed, scores, state.earned, state.out,
            state.phase == OVER, state.ended, state.winners, **more,
        )  # fmt: skip


def shuffled(seed: str, time: int, cards: Iterable[Card]) -> list[Card]:
    """The cards in an order that depends on the seed and on how many shuffles came before, and on nothing else."""
    order = sorted(cards)
    draw = Random(f"{seed}/{time}").getrandbits
    for last in range(len(order) - 1, 0, -1):  # what `Random.shuffle` does, without a call for each card
        bits = (last + 1).bit_length()
        while (other := draw(bits)) > last:
            pass
        order[last], order[other] = order[other], order[last]
    return order


def first_dealer(seed: str, seats: int) -> Seat:
    """The first dealer is drawn (section 0); by the seed, so that a game can be dealt again."""
    return Random(f"{seed}/dealer").randrange(seats)


def begin_round(state: RummyState) -> None:
    """Clears what a round leaves and moves the deal one seat to the left. ValueError unless the game goes on."""
    if state.phase != OVER or state.ended:
        raise ValueError("the game is over" if state.ended else "the round is not over")
    state.dealer = (state.dealer + 1) % state.seats
    state.round += 1
    state.idle = state.anew = 0
    state.out = None
    state.earned = None
    state.whole = True


def lift(cards: list[Card], wanted: Iterable[Card]) -> list[Card]:
    """What is left of `cards` without `wanted`; ValueError names a card that is not there often enough."""
    left = Counter(cards)
    for card in wanted:
        if not left[card]:
            often = "is there more often than the pack has it" if card in cards else "is not in the pack"
            raise ValueError(f"{card_name(card)} {often}")
        left[card] -= 1
    return list(left.elements())


def fill(
    position: Position, pack: Sequence[Card], seats: int, size: int, on_table: Iterable[Card]
) -> tuple[list[list[Card]], list[Card], list[Card], bool]:
    """Hands, stock and pile of a position: what is not given is dealt from its seed, or empty without one.

    The last value says whether the whole pack is there. ValueError for a card the pack does not have so often.
    """
    given = list(on_table)
    for hand in position.hands.values():
        given += hand
    given += position.stock or []
    given += position.pile or []
    rest = lift(list(pack), given)
    hands = [list(position.hands.get(seat, ())) for seat in range(seats)]
    stock = list(reversed(position.stock or []))
    pile = list(position.pile or [])
    if position.seed is None:
        return hands, stock, pile, not rest
    rest = shuffled(position.seed, position.round - 1, rest)
    for seat in range(seats):
        if seat not in position.hands:
            hands[seat], rest = rest[:size], rest[size:]
    if position.pile is None and rest:
        pile = [rest.pop()]
    if position.stock is None:
        stock, rest = rest, []
    return hands, stock, pile, not rest


def demand_turn(state: RummyState, seat: Seat, phase: str | None = None) -> None:
    """Refuses unless it is this seat's turn and, when given, the right step of it."""
    if state.phase == OVER:
        raise Refusal("PHASE", "The round is over.")
    if seat != state.turn:
        raise Refusal("TURN", "It is not your turn.")
    if phase is None or state.phase == phase:
        return
    if phase == MELD:
        raise Refusal("PHASE", "Draw first: DRAW, or PICKUP if you can.")
    raise Refusal("PHASE", "You have drawn already. Lay or add if you can, then DISCARD a card.")


def demand_held(hand: Sequence[Card], cards: Sequence[Card]) -> None:
    """Refuses cards that are not in the hand as often as they are named."""
    for card in cards:
        held = hand.count(card)
        if held < cards.count(card):
            name = card_name(card)
            raise Refusal("NOTHELD", f"You hold only one {name}." if held else f"You don't hold {name}.")


def choose_cards(
    hand: Sequence[Card], specs: Sequence[Spec], whole: Sequence[int], value: Callable[[Card], int]
) -> tuple[Card, ...]:
    """The cards of the hand that are named: those named whole first, then by rank, the least valuable first.

    The queen of spades goes last even where a house rule makes her cheap. Refuses NOTHELD with how many there are.
    """
    chosen: list[Card] = [spec.card for spec in specs if spec.card is not None]
    demand_held(hand, chosen)
    left = list(hand)
    for card in chosen:
        left.remove(card)
    left.sort(key=lambda card: (value(card), card == QUEEN_OF_SPADES))  # equal ones as they lie in the hand
    for rank in whole:
        found = [card for card in left if card >> 2 == rank]
        if not found:
            raise Refusal("NOTHELD", f"You hold no {describe_rank(rank)}.")
        chosen += found
        left = [card for card in left if card >> 2 != rank]
    for spec in specs:
        if spec.card is not None:
            continue
        for i, card in enumerate(left):
            if card >> 2 == spec.rank:
                chosen.append(left.pop(i))
                break
        else:
            held = sum(card >> 2 == spec.rank for card in hand)
            many = describe_rank(spec.rank)
            raise Refusal("NOTHELD", f"You hold only {held} of the {many}." if held else f"You hold no {many}.")
    return tuple(chosen)


def refill(state: RummyState) -> Event | None:
    """With `reshuffle`, makes a new stock of everything under the top discard; None where there is nothing to shuffle."""
    if state.stock or not can_refill(state):
        return None
    top = state.pile.pop()
    state.shuffles += 1
    state.stock = shuffled(state.seed, state.shuffles, state.pile)
    state.pile = [top]
    return Event("shuffle", state.turn, count=len(state.stock), reveals=True)


def can_refill(state: RummyState) -> bool:
    """Whether the house rule and the pile allow a new stock. Not for ever: where nobody lays a card, drawing and discarding
    would never end (decision 35 for a stock that never is empty).
    """
    return state.options.stock_out == "reshuffle" and len(state.pile) > 1 and state.anew <= BARREN * state.seats


def draw_card(state: RummyState, seat: Seat) -> list[Event]:
    """Draws the top of the stock, filling it first where the house rule says so."""
    events = []
    if not state.stock:
        shuffle = refill(state)
        if shuffle is None:
            raise Refusal("PHASE", "The stock is empty. PICKUP if you can, or PASS to end the round.")
        events.append(shuffle)
    card = state.stock.pop()
    state.hands[seat].append(card)
    state.phase = MELD
    events.append(_new(Event, ("draw", seat, (), 1, "", (card,), True)))
    return events


def finish_game(state: RummyState, points: Sequence[int], target: int) -> list[Event]:
    """Ends the round with these points per side; the game too, when one side alone leads at the target."""
    state.phase = OVER
    state.earned = tuple(points)
    state.scores = [score + gain for score, gain in zip(state.scores, points, strict=True)]
    events = [Event("over", state.turn, reveals=True)]
    best = max(state.scores)
    leaders = tuple(side for side, score in enumerate(state.scores) if score == best)
    if best >= target and len(leaders) == 1:
        state.ended = True
        state.winners = leaders
        events.append(Event("ended", state.turn, reveals=True))
    return events


def copy_state(state: S, **more: Any) -> S:
    """An independent state, equal to this one; `more` are the copies of what only this game has."""
    return replace(
        state,
        hands=[hand[:] for hand in state.hands],
        stock=state.stock[:],
        pile=state.pile[:],
        scores=state.scores[:],
        **more,
    )


def common_dump(state: RummyState) -> dict[str, Any]:
    """The shared part of a state as plain JSON values."""
    return {
        "seats": state.seats,
        "seed": state.seed,
        "dealer": state.dealer,
        "turn": state.turn,
        "hands": [list(hand) for hand in state.hands],
        "stock": list(state.stock),
        "pile": list(state.pile),
        "scores": list(state.scores),
        "phase": state.phase,
        "round": state.round,
        "shuffles": state.shuffles,
        "idle": state.idle,
        "out": state.out,
        "ended": state.ended,
        "winners": list(state.winners),
        "earned": None if state.earned is None else list(state.earned),
        "whole": state.whole,
    }


def common_load(data: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of a state from what `common_dump` wrote."""
    values = {key: data[key] for key in ("seats", "seed", "dealer", "turn", "phase", "round", "shuffles", "idle")}
    values |= {key: data[key] for key in ("out", "ended", "whole")}
    values["hands"] = [list(hand) for hand in data["hands"]]
    values |= {key: list(data[key]) for key in ("stock", "pile", "scores")}
    values["winners"] = tuple(data["winners"])
    values["earned"] = None if data["earned"] is None else tuple(data["earned"])
    return values


def check_pack(pack: Sequence[Card], cards: Iterable[Card], whole: bool) -> None:
    """AssertionError unless the cards are the pack (`whole`) or at least no more of any face than it has."""
    cards = sorted(cards)
    if cards == list(pack):  # a sorted pack, nothing missing: the usual case, without counting
        return
    there, all_of_them = Counter(cards), Counter(pack)
    if whole:
        assert there == all_of_them, (
            f"missing {names((all_of_them - there).elements())}, over {names((there - all_of_them).elements())}"
        )
    else:
        assert there <= all_of_them, f"too many of {names((there - all_of_them).elements())}"


def one_discard(hand: Sequence[Card], loose: Loose, value: Callable[[Card], int]) -> Card:
    """The one card a discard names; asks which when it names none and several could go."""
    if not loose.specs and not loose.whole_rank:
        if len(set(hand)) == 1:
            return hand[0]
        raise Refusal("AMBIG", "Which card do you discard?")
    cards = choose_cards(hand, loose.specs, (), value) if loose.specs else ()
    for rank in loose.whole_rank:
        cards += choose_cards(hand, (Spec(rank),), (), value)
    if len(cards) != 1:
        raise Refusal("COUNT", "One card is discarded, to end your turn.")
    return cards[0]
