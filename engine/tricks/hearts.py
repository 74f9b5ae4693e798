"""Hearts: three to ten players, each alone, who want none of the hearts and not the queen of spades. Rules digest, G.

Each heart counts 1, the queen 13, and who takes them all (the moon) counts nothing while the others count them all.
Cards are passed before the first trick. With two packs (the only way for more than six) of two equal cards in a trick
the later wins, or both cancel: they win nothing, and a trick in which the whole led suit cancels waits on the table for
the next winner, or at the end for its leader.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from engine.cards import QUEEN_OF_SPADES, Card, card_name, french_pack, read_card, read_cards
from engine.game import Event, Loose, Move, Position, Refusal, Seat, rule
from engine.tricks.table import (
    CLUBS,
    HEARTS,
    MOON,
    PASS,
    PLAY,
    PLAYS,
    TrickState,
    choices,
    demand_choice,
    extremes,
    highest,
    suit_pack,
)
from engine.tricks.trick_game import TrickGame

JACK: Card = read_card("JD")
TWO_OF_CLUBS: Card = read_card("2C")
QUEEN_COUNTS = 13
JACK_COUNTS = -10
POINT_CARDS: frozenset[Card] = frozenset([*suit_pack(HEARTS), QUEEN_OF_SPADES])
REMOVED = {3: "3C", 4: "", 5: "3D 3S", 6: "3C 3D 3S 2D"}
PAGAT = {3: "2D", 4: "", 5: "2C 2D", 6: "2C 2D 2H 2S"}
CYCLES = {
    "lrah": ("left", "right", "across", "hold"),
    "lrh": ("left", "right", "hold"),
    "left_only": ("left",),
    "none": ("hold",),
}
ADD, SUBTRACT = Move("moon", value="add"), Move("moon", value="subtract")
OFF_ON = ("off", "on")


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of Hearts."""

    target: int = rule(100, "the score that ends the game", low=20, high=500)
    removed: str = rule("standard", "which cards are left out so that all hands are of one size", "standard", "pagat")
    kitty: str = rule(
        "off", "the whole pack is dealt, and spare cards go with the first trick", "off", "first_trick_winner"
    )
    pass_cycle: str = rule("auto", "to whom cards are passed, deal by deal", "auto", *CYCLES)
    pass_count: int = rule(3, "how many cards are passed", low=1, high=4)
    first_trick_points: str = rule(
        "ban_unless_forced", "hearts and the queen of spades on the first trick", "ban_unless_forced", "allow"
    )
    break_rule: str = rule("heart", "what lets hearts be led", "heart", "heart_or_qs", "none")
    jack_diamonds: str = rule("0", "what the jack of diamonds counts", "0", "-10")
    jack_needed_for_moon: str = rule("off", "the moon takes the jack of diamonds, too", *OFF_ON)
    moon: str = rule("add_26", "what shooting the moon does", "add_26", "subtract_26", "choose")
    sun: str = rule("off", "taking every trick costs the others twice the moon", "off", "add_52")
    exact_target: str = rule("none", "hitting the target exactly", "none", "reset_to_0", "reset_to_half", "wins")
    double_deck: str = rule("off", "two packs, and which of two equal cards wins", "off", "later_wins", "cancel")
    early_finish: str = rule("on", "the hand ends when nothing that counts is left", "on", "off")
    auto_play_single: str = rule("off", "a player's only legal card is played at once", *OFF_ON)

    @staticmethod
    def gather(given: Mapping[str, str]) -> Mapping[str, str]:
        """The written values; `double_deck=on` says that there are two packs, and the later card wins as the first of its ways."""
        two = given.get("double_deck", "").strip().lower() == "on"
        return dict(given) | {"double_deck": "later_wins"} if two else given


@dataclass(slots=True)
class State(TrickState):
    """A hand of Hearts."""

    kitty: list[Card] = field(default_factory=list)  # until the first trick is taken
    carried: list[Card] = field(default_factory=list)  # cancelled tricks, waiting for a winner
    chosen: list[tuple[Card, ...] | None] = field(default_factory=list)  # what each seat passes, or passed
    left: int = 0  # cards that count and nobody has taken


class Stakes(NamedTuple):
    """What a pack holds that counts."""

    hearts: int
    queens: int
    jacks: int

    @property
    def points(self) -> int:
        """What the hearts and queens count together: 26, of two packs 52."""
        return self.hearts + self.queens * QUEEN_COUNTS


@lru_cache
def pack_of(removed: str, kitty: str, double_deck: str, seats: int) -> tuple[Card, ...]:
    """The cards that are played with, sorted; all of two packs, or of one where there is a kitty."""
    if double_deck != "off":
        return tuple(sorted(french_pack() * 2))
    if kitty != "off":
        return tuple(french_pack())
    return tuple(french_pack(read_cards((REMOVED if removed == "standard" else PAGAT)[seats])))


@lru_cache
def stakes_of(pack: tuple[Card, ...]) -> Stakes:
    """What of this pack counts."""
    return count_stakes(pack)


def uses_jack(options: Options) -> bool:
    """Whether it matters who takes the jack of diamonds."""
    return options.jack_diamonds != "0" or options.jack_needed_for_moon == "on"


def count_stakes(cards: Sequence[Card]) -> Stakes:
    """Hearts, queens of spades and jacks of diamonds among the cards."""
    hearts = len([card for card in cards if card & 3 == HEARTS])
    return Stakes(hearts, cards.count(QUEEN_OF_SPADES), cards.count(JACK))


def shooter(options: Options, stakes: Stakes, taken: Sequence[Sequence[Card]]) -> Seat | None:
    """Who has shot the moon: taken every heart and queen of the pack (and jack, where the house rule says so)."""
    for seat, cards in enumerate(taken):
        if len(cards) >= stakes.hearts + stakes.queens:
            mine = count_stakes(cards)
            if mine[:2] == stakes[:2] and (options.jack_needed_for_moon == "off" or mine.jacks == stakes.jacks):
                return seat
    return None


def score_hand(
    options: Options,
    stakes: Stakes,
    taken: Sequence[Sequence[Card]],
    sun: Seat | None = None,
    moon: str | None = None,
) -> list[int]:
    """The points of a hand by seat, from the cards each took; a pure function, true of any part of a hand.

    `sun` is who took every trick, where that counts; `moon` what the shooter chose, "add" or "subtract" (None: not yet).
    """
    seats = range(len(taken))
    counts = [count_stakes(cards) for cards in taken]
    points = [count.points for count in counts]
    shot = shooter(options, stakes, taken)
    if sun is not None and options.sun != "off":
        points = [0 if seat == sun else 2 * stakes.points for seat in seats]
    elif shot is not None:
        how = moon if options.moon == "choose" else options.moon.partition("_")[0]
        if how == "add":
            points = [0 if seat == shot else stakes.points for seat in seats]
        elif how == "subtract":
            points = [-stakes.points if seat == shot else 0 for seat in seats]
    if options.jack_diamonds != "0":  # after the moon, whoever took it
        points = [gain + JACK_COUNTS * count.jacks for gain, count in zip(points, counts, strict=True)]
    return points


def pass_direction(options: Options, seats: int, round: int) -> str:
    """Where this deal's cards are passed: left, right, across or hold."""
    ways = CYCLES.get(options.pass_cycle) or CYCLES["lrh" if seats % 2 else "lrah"]  # auto
    return ways[(round - 1) % len(ways)]


def pass_step(options: Options, seats: int, round: int) -> int:
    """From a seat to the one it passes to; 0 on a hold. An odd table's "across" is the nearer of the two opposite."""
    return {"left": 1, "right": seats - 1, "across": seats // 2, "hold": 0}[pass_direction(options, seats, round)]


class Hearts(TrickGame):
    """The rules of Hearts; see `engine.game.Game` for what each function promises."""

    name = "hearts"
    title = "Hearts"
    aliases: tuple[str, ...] = ("heart", "black lady", "black maria", "chase the lady")
    seats: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10)
    Options = Options
    verbs: tuple[str, ...] = ("pass", "play", "moon")
    phases = (PASS, PLAY)
    marked = frozenset([QUEEN_OF_SPADES])
    lines = ("trick", "taken", "tricks", "broken", "stock")

    # Set-up

    def demand_table(self, options: Any, seats: int) -> None:
        """More than six need two packs."""
        if seats > 6 and options.double_deck == "off":
            raise Refusal("OPTION", f"{seats} players need two packs: double_deck=later_wins or cancel.")

    def pack(self, options: Any, seats: int) -> tuple[Card, ...]:
        """See `pack_of`."""
        return pack_of(options.removed, options.kitty, options.double_deck, seats)

    def stakes(self, options: Any, seats: int) -> Stakes:
        """What of these cards counts."""
        return stakes_of(self.pack(options, seats))

    def _new(self, options: Any, seats: int, seed: str, dealer: Seat, hands: list[list[Card]]) -> State:
        stakes = self.stakes(options, seats)
        jacks = uses_jack(options)
        return State(
            options, seats, seed, dealer, (dealer + 1) % seats, hands, [0] * seats, [[] for _ in range(seats)],
            [0] * seats, [0] * seats, [], plays_on=options.auto_play_single == "on",
            chosen=[None] * seats, left=stakes.hearts + stakes.queens + stakes.jacks * jacks,
        )  # fmt: skip

    def _keep_rest(self, state: State, cards: list[Card]) -> None:
        state.kitty = cards

    def _start(self, state: State, phase: str | None = None, turn: Seat | None = None) -> None:
        hold = pass_step(state.options, state.seats, state.round) == 0
        if phase == PASS and hold:
            raise ValueError(f"no cards are passed in deal {state.round}")
        if phase is None:
            phase = PLAY if hold else PASS
        state.phase = phase
        if phase == PASS:
            state.turn = (state.dealer + 1) % state.seats if turn is None else turn
        else:
            self._open(state, turn)

    def _open(self, state: State, turn: Seat | None = None) -> None:
        """Who leads to the first trick. In a position of a record also whether this can be the first."""
        if not state.trick:
            opener = self._opener(state)
            if state.first and (opener is None or (turn is not None and turn != opener)):
                state.first = False
            opener = (state.dealer + 1) % state.seats if opener is None else opener
            state.turn = opener if turn is None else turn
        else:
            state.turn = self._turn_of_trick(state, turn, 0)

    def _opener(self, state: State) -> Seat | None:
        """Who leads to the first trick: the holder of the two of clubs, or of the lowest club where she may be missing."""
        if state.options.double_deck != "off":
            return (state.dealer + 1) % state.seats
        card = self._opening(state)
        return next((seat for seat, hand in enumerate(state.hands) if card in hand), None)

    def _opening(self, state: State) -> Card | None:
        """The card that opens the first trick, with one pack."""
        if state.options.removed == "standard" and state.options.kitty == "off":
            return TWO_OF_CLUBS
        clubs = [card for hand in state.hands for card in hand if card & 3 == CLUBS]
        return min(clubs, default=None)

    def _place(self, state: State, position: Position) -> None:
        taken = [card for cards in state.taken for card in cards]
        jacks = uses_jack(state.options)
        mine = count_stakes(taken)
        state.left -= mine.hearts + mine.queens + mine.jacks * jacks
        led = state.trick[0][1] & 3 if state.trick else CLUBS
        single = state.options.double_deck == "off"
        later = single and (led != CLUBS or (state.broken and not self._breaks_first(state)))
        state.first = not any(state.tricks) and not later
        if state.kitty and state.options.kitty == "off" and single:
            raise ValueError("there is no kitty at this table (kitty=off)")
        if not state.first and state.kitty:
            raise ValueError("the kitty goes with the first trick")
        for seat, card in state.trick:
            if card & 3 != led:
                state.voids[seat] |= 1 << led

    def _breaks_first(self, state: State) -> bool:
        """Whether the trick on the table breaks hearts and is surely the first: every card is there, the kitty, or 2C led."""
        cards = [card for _, card in state.trick]
        surely = state.whole or bool(state.kitty) or TWO_OF_CLUBS in cards[:1]
        return surely and self._broken_by(state, cards)

    def _broken_by(self, state: State, cards: Sequence[Card]) -> bool:
        return any(self._breaks(state.options, card) for card in cards)

    def _breaks(self, options: Any, card: Card) -> bool:
        return card & 3 == HEARTS or (card == QUEEN_OF_SPADES and options.break_rule == "heart_or_qs")

    # Who may do what

    def _waiting(self, state: State) -> tuple[Seat, ...]:
        """Who has not passed yet (and may change it until all have); the shooter who is to choose."""
        if state.phase == MOON:
            return (state.turn,)
        order = [(state.dealer + 1 + i) % state.seats for i in range(state.seats)]
        count = state.options.pass_count
        return tuple([seat for seat in order if state.chosen[seat] is None and len(state.hands[seat]) >= count])

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every card that may be played; every choice of cards to pass."""
        if state.phase == PLAY and seat == state.turn:
            hand, options, trick = state.hands[seat], state.options, state.trick
            if options.double_deck != "off":
                hand = list(dict.fromkeys(hand))
            if not trick:
                return self._legal_leads(state, hand)
            suit = trick[0][1] & 3
            moves = [PLAYS[card] for card in hand if card & 3 == suit]
            if moves:
                return moves
            if state.first and options.first_trick_points != "allow":
                moves = [PLAYS[card] for card in hand if card not in POINT_CARDS]
            return moves or [PLAYS[card] for card in hand]
        if state.phase == PASS and state.chosen[seat] is None:
            return choices("pass", state.hands[seat], state.options.pass_count)
        return [ADD, SUBTRACT] if state.phase == MOON and seat == state.turn else []

    def forced(self, state: State) -> Move | None:
        """The last card of a hand, and the card that opens the first trick: who leads there is who has it."""
        if state.phase == PLAY and state.first and not state.trick and state.options.double_deck == "off":
            legal = self.legal(state, state.turn)
            return legal[0] if len(legal) == 1 else None
        return super().forced(state)

    def _legal_leads(self, state: State, hand: Sequence[Card]) -> list[Move]:
        options = state.options
        if state.first:
            if options.double_deck == "off":
                opening = self._opening(state)
                return [PLAYS[card] for card in hand if card == opening] or [PLAYS[card] for card in hand]
            moves = [PLAYS[card] for card in hand if card not in POINT_CARDS]
            if moves:
                return moves
        if state.broken or options.break_rule == "none":
            return [PLAYS[card] for card in hand]
        return [PLAYS[card] for card in hand if card & 3 != HEARTS] or [PLAYS[card] for card in hand]

    def _demand_lead(self, state: State, seat: Seat, card: Card) -> None:
        hand, options = state.hands[seat], state.options
        if state.first:
            if options.double_deck == "off":
                opening = self._opening(state)
                if card != opening and opening in hand:
                    raise Refusal(
                        "FIRST", f"The first trick is led with {card_name(opening)}: PLAY {card_name(opening)}."
                    )
            elif self._counts(card) and not all(map(self._counts, hand)):
                raise Refusal("FIRST", "The first trick is led with a card that counts nothing: play another.")
        if card & 3 == HEARTS:
            if not state.broken:
                if options.break_rule != "none" and any(other & 3 != HEARTS for other in hand):
                    raise Refusal("LEADH", "Hearts are not broken yet, so they may not be led: lead another suit.")
                state.broken = True
        elif card == QUEEN_OF_SPADES and options.break_rule == "heart_or_qs":
            state.broken = True

    def _counts(self, card: Card) -> bool:
        """A heart or the queen; for the first trick the jack of diamonds is none of them."""
        return card in POINT_CARDS

    def _demand_follow(self, state: State, seat: Seat, card: Card) -> None:
        if state.options.break_rule == "heart_or_qs":
            state.broken = True

    def _demand_throw(self, state: State, seat: Seat, card: Card) -> None:
        if card & 3 == HEARTS or card == QUEEN_OF_SPADES:
            if state.first and state.options.first_trick_points != "allow":
                hand = state.hands[seat]
                if not all(map(self._counts, hand)):
                    what = "hearts" if card & 3 == HEARTS else "the queen of spades"
                    raise Refusal("POINTS1", f"No points on the first trick: keep {what} and throw another card.")
            if card & 3 == HEARTS or state.options.break_rule == "heart_or_qs":
                state.broken = True

    # Reading

    def _resolve_word(self, state: State, seat: Seat, loose: Loose) -> Move:
        if loose.value in ("add", "subtract"):
            return Move("moon", value=loose.value)
        raise ValueError("after shooting the moon choose ADD or SUBTRACT: MOON ADD or MOON SUBTRACT")

    # Play

    def _do(self, state: State, seat: Seat, move: Move) -> list[Event]:
        if move.verb == "pass":
            return self._pass(state, seat, move)
        if move.verb == "moon":
            return self._choose_moon(state, seat, move)
        raise ValueError(f"Hearts has no {move.verb!r}; its moves are {', '.join(self.verbs)}")

    def _to_choose(self, state: State, seat: Seat) -> int:
        if state.phase == PLAY and pass_step(state.options, state.seats, state.round) == 0:
            now = ": play a card" if seat == state.turn else ""
            raise Refusal("PHASE", f"No cards are passed in this deal{now}.")
        now = self._to_do(state, seat) if state.phase == MOON else "play a card."
        self._demand_phase(state, seat, PASS, f"The cards have been passed already: {now}")
        return int(state.options.pass_count)

    def _pass(self, state: State, seat: Seat, move: Move) -> list[Event]:
        count = self._to_choose(state, seat)
        where = pass_direction(state.options, state.seats, state.round)
        demand_choice(state.hands[seat], move.cards, count, f"passed {where}")
        state.chosen[seat] = move.cards
        events = [Event("pass", seat, count=len(move.cards), to=where, private=move.cards)]
        waiting = self._waiting(state)
        if waiting:
            state.turn = waiting[0]
            return events
        step = pass_step(state.options, state.seats, state.round)
        for giver, cards in enumerate(state.chosen):
            for card in cards or ():
                state.hands[giver].remove(card)
        for giver, cards in enumerate(state.chosen):
            getter = (giver + step) % state.seats
            state.hands[getter] = sorted([*state.hands[getter], *(cards or ())])
            if cards:
                events.append(Event("receive", getter, count=len(cards), to=where, private=cards, reveals=True))
        state.phase = PLAY
        self._open(state)
        if state.plays_on:
            self._play_on(state, events)
        return events

    def _winner(self, state: State) -> Seat | None:
        if state.options.double_deck == "off":
            return highest(state.trick)
        suit = state.trick[0][1] & 3
        of_suit = [(card, place) for place, (_, card) in enumerate(state.trick) if card & 3 == suit]
        if state.options.double_deck == "cancel":
            cards = [card for card, _ in of_suit]
            of_suit = [(card, place) for card, place in of_suit if cards.count(card) == 1]
        return state.trick[max(of_suit)[1]][0] if of_suit else None

    def _nobody_wins(self, state: State, events: list[Event]) -> None:
        """A trick that has cancelled itself: its leader leads again, and at the end takes what has no winner."""
        leader = state.trick[0][0]
        cards = tuple([card for _, card in state.trick])
        state.turn = leader
        if any(state.hands):
            state.carried += cards
            state.trick = []
            events.append(Event("cancel", leader, cards))
        else:
            state.taken[leader] += cards
            state.tricks[leader] += 1
            state.last = (leader, tuple(state.trick))
            state.trick = []
            events.append(Event("trick", leader, cards, state.tricks[leader]))
            self._after_trick(state, leader, events)
        state.first = False
        self._go_on(state, events)

    def _after_trick(self, state: State, winner: Seat, events: list[Event]) -> None:
        cards = events[-1].cards
        if state.carried:
            cards += tuple(state.carried)
            state.taken[winner] += state.carried
            state.carried = []
        if state.kitty:
            kitty = tuple(state.kitty)
            cards += kitty
            state.taken[winner] += kitty
            state.kitty = []
            events.append(Event("kitty", winner, kitty, len(kitty), reveals=True))
        left = state.left
        for card in cards:
            if card in POINT_CARDS:
                left -= 1
        if JACK in cards and uses_jack(state.options):
            left -= cards.count(JACK)
        state.left = left

    def _skips_rest(self, state: State) -> bool:
        if state.left > 0 or state.options.early_finish != "on":
            return False
        return state.options.sun == "off" or self._sun(state) is None

    def _sun(self, state: State) -> Seat | None:
        """Who has taken every trick so far."""
        takers = [seat for seat, tricks in enumerate(state.tricks) if tricks]
        return takers[0] if len(takers) == 1 else None

    def _choose_moon(self, state: State, seat: Seat, move: Move) -> list[Event]:
        now = "pass your cards." if state.phase == PASS else "play a card."
        self._demand_phase(state, seat, MOON, f"Nobody has shot the moon: {now}")
        if seat != state.turn:
            raise Refusal("TURN", "The choice is with the player who shot the moon.")
        if move.value not in ("add", "subtract"):
            raise ValueError("after shooting the moon choose ADD or SUBTRACT")
        events = [Event("moon", seat, to=move.value)]
        self._score(state, self._points(state, move.value), events)
        return events

    def _end_hand(self, state: State, events: list[Event]) -> None:
        options = state.options
        sun = self._sun(state) if options.sun != "off" and not any(state.hands) else None
        shot = shooter(options, self.stakes(options, state.seats), state.taken)
        if sun is not None:
            events.append(Event("sun", sun))
        elif shot is not None:
            if options.moon == "choose":
                state.phase = MOON
                state.turn = shot
                events.append(Event("shot", shot))
                return
            events.append(Event("moon", shot, to=options.moon.partition("_")[0]))
        self._score(state, self._points(state, None), events)

    def _score(self, state: State, points: Sequence[int], events: list[Event]) -> None:
        """Adds the hand to the scores; the game is over when somebody is at the target."""
        options = state.options
        scores = [score + gain for score, gain in zip(state.scores, points, strict=True)]
        exact = tuple(seat for seat, score in enumerate(scores) if score == options.target)
        if options.exact_target.startswith("reset"):
            for seat in exact:
                scores[seat] = options.target // 2 if options.exact_target == "reset_to_half" else 0
                events.append(Event("exact", seat, count=scores[seat]))
        state.scores = scores
        ended = max(scores) >= options.target
        winners, losers = extremes(scores, min(scores), max(scores))
        if ended and exact and options.exact_target == "wins":
            winners = exact
            losers = tuple(seat for seat in losers if seat not in exact)
        if ended:
            state.losers = losers
        self._finish(state, points, ended, winners, events)

    # What is there

    def scoring(self, card: Card) -> bool:
        """Hearts, the queen of spades and the jack of diamonds."""
        return card in POINT_CARDS or card == JACK

    def points(self, state: State) -> list[int] | None:
        """By seat; before the end by what is taken so far."""
        if state.earned is not None:
            return list(state.earned)
        return self._points(state, None)

    def _points(self, state: State, moon: str | None) -> list[int]:
        options = state.options
        played = state.phase != PASS and not any(state.hands)
        sun = self._sun(state) if played and options.sun != "off" else None
        return score_hand(options, self.stakes(options, state.seats), state.taken, sun, moon)

    def _seen(self, state: State, seat: Seat | None) -> dict[str, Any]:
        step = pass_step(state.options, state.seats, state.round)
        seen: dict[str, Any] = {
            "chosen": tuple([cards is not None for cards in state.chosen]),
            "passes": state.options.pass_count if step else 0,
            "stock_count": len(state.kitty),
            "carried": tuple(state.carried),
        }
        if seat is None or not step:
            return seen
        seen["pass_to"] = (seat + step) % state.seats
        seen["passed"] = state.chosen[seat] or ()
        if state.phase != PASS:
            seen["received"] = state.chosen[(seat - step) % state.seats] or ()
        return seen

    def _to_do(self, state: State, seat: Seat) -> str:
        if state.phase == MOON:
            return "MOON ADD or MOON SUBTRACT."
        if state.chosen[seat] is not None:
            return "the others are still passing."
        count = state.options.pass_count
        return f"PASS {count} card{'s' if count > 1 else ''} {pass_direction(state.options, state.seats, state.round)} first."

    def _copied(self, state: State) -> dict[str, Any]:
        return {"kitty": state.kitty[:], "carried": state.carried[:], "chosen": state.chosen[:]}

    def _loaded(self, values: dict[str, Any]) -> State:
        values["options"] = Options(**values["options"])
        values["kitty"] = list(values["kitty"])
        values["carried"] = list(values["carried"])
        values["chosen"] = [None if cards is None else tuple(cards) for cards in values["chosen"]]
        return State(**values)

    def _elsewhere(self, state: State) -> list[Card]:
        return [*state.kitty, *state.carried]


HEARTS_GAME = Hearts()
