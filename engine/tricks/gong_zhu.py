"""Gong Zhu, "chase the pig": four or five players, alone or partners opposite, anticlockwise. Rules digest, H.

The queen of spades (the pig) loses 100, the jack of diamonds (the sheep) wins 100, hearts lose up to 200 together, and the
ten of clubs doubles what else was taken. Before the first lead each player may show some of four cards, which doubles
them. A card that was shown may not be played to the first trick in its suit while its holder has another of the suit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engine.cards import QUEEN_OF_SPADES, Card, Rank, card_name, french_pack, names, read_card, read_cards
from engine.game import Event, Loose, Move, Position, Refusal, Seat, describe_rank, rule
from engine.rummy.table import demand_held
from engine.tricks.table import (
    CLUBS,
    EXPOSE,
    HEARTS,
    OVER,
    PLAY,
    PLAYS,
    SUIT_NAMES,
    TrickState,
    extremes,
    of_suit,
    suit_pack,
)
from engine.tricks.trick_game import TrickGame

PIG: Card = QUEEN_OF_SPADES
SHEEP: Card = read_card("JD")
TEN: Card = read_card("TC")
ACE_OF_HEARTS: Card = read_card("AH")
EXPOSABLE: tuple[Card, ...] = (TEN, SHEEP, PIG, ACE_OF_HEARTS)
BY_RANK: dict[Rank, Card] = {card >> 2: card for card in EXPOSABLE}
ALL_HEARTS: tuple[Card, ...] = tuple(suit_pack(HEARTS))
SCORING: frozenset[Card] = frozenset([*ALL_HEARTS, PIG, SHEEP, TEN])

#                                2  3    4    5    6    7    8    9    T    J    Q    K    A
STANDARD = dict(zip(ALL_HEARTS, (0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50), strict=True))
PIP = dict(zip(ALL_HEARTS, (-2, -3, -10, -5, -6, -7, -8, -9, -10, -20, -30, -40, -50), strict=True))
HEARTS_TOGETHER = 200
SHEEP_COUNTS = 100
TEN_ALONE = 50
NO_CARDS = Move("expose", value="none")
FIRST_LEADS = ("2s_holder_any", "2s_forced", "2c_forced", "7s_holder_any")
OFF_ON = ("off", "on")


def read_upper_end(text: str) -> str:
    """`+1000` as well as `1000`."""
    if text == "+1000":
        return "1000"
    raise ValueError("off or 1000")


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of Gong Zhu."""

    partners: str = rule("off", "players opposite are partners; for four", *OFF_ON)
    partner_scoring: str = rule("sum", "partners are scored one by one and added, or as one pile", "sum", "pooled")
    exposure: str = rule("on", "cards may be shown before the first lead", "on", "off")
    target: str = rule("-1000", "the score that ends the game", "-500", "-1000", "-2000")
    upper_end: str = rule("off", "a score that high ends the game, too", "off", "1000", special=read_upper_end)
    heart_scale: str = rule("standard", "what the hearts count", "standard", "pip")
    pig_value: int = rule(100, "what the queen of spades loses", numbers=(100, 200))
    pig_flip: str = rule("all_hearts", "what turns the queen of spades to a gain", "all_hearts", "all_16")
    first_lead: str = rule("2s_holder_any", "who leads to the first hand, and what", *FIRST_LEADS)
    direction: str = rule("anticlockwise", "the direction of play", "anticlockwise", "clockwise")


@dataclass(slots=True)
class State(TrickState):
    """A hand of Gong Zhu."""

    exposed: list[tuple[Card, ...] | None] = field(default_factory=list)  # by seat; None has not answered
    led: int = 0  # suits of the tricks that are over, as bits
    pig_taker: Seat | None = None  # who took the queen of spades in the last hand, and leads to this one


@lru_cache
def pack_of(seats: int) -> tuple[Card, ...]:
    """All 52 cards; for five players without the twos of clubs and diamonds."""
    return tuple(french_pack(read_cards("2C 2D") if seats == 5 else ()))


def score_pile(options: Options, taken: Sequence[Card], exposed: Sequence[Card]) -> int:
    """What a pile of cards taken counts, for a player or for a side that pools; cards that do not score are allowed."""
    hearts = [card for card in taken if card & 3 == HEARTS]
    pig, sheep, ten = PIG in taken, SHEEP in taken, TEN in taken
    if not hearts and not pig and not sheep:
        return (TEN_ALONE * (2 if TEN in exposed else 1)) if ten else 0
    every_heart = len(hearts) == len(ALL_HEARTS)
    if every_heart:
        points = HEARTS_TOGETHER
    else:
        points = sum(map((STANDARD if options.heart_scale == "standard" else PIP).__getitem__, hearts))
    if ACE_OF_HEARTS in exposed:
        points *= 2
    if pig:
        flips = every_heart and (options.pig_flip == "all_hearts" or (sheep and ten))
        points += (1 if flips else -1) * options.pig_value * (2 if PIG in exposed else 1)
    if sheep:
        points += SHEEP_COUNTS * (2 if SHEEP in exposed else 1)
    if ten:
        points *= 4 if TEN in exposed else 2
    return points


class GongZhu(TrickGame):
    """The rules of Gong Zhu; see `engine.game.Game` for what each function promises."""

    name = "gong-zhu"
    title = "Gong Zhu"
    aliases: tuple[str, ...] = ("gongzhu", "chase the pig", "pig", "chinese hearts")
    seats: tuple[int, ...] = (4, 5)
    Options = Options
    verbs: tuple[str, ...] = ("expose", "play")
    phases = (EXPOSE, PLAY)
    marked = frozenset(EXPOSABLE)
    lines = ("trick", "taken", "tricks", "exposed", "first-of-suit")

    # Set-up

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Each alone, or partners opposite."""
        if options.partners == "on" and seats == 4:
            return (0, 2), (1, 3)
        return tuple((seat,) for seat in range(seats))

    def demand_table(self, options: Any, seats: int) -> None:
        """Partners are for four."""
        if options.partners == "on" and seats != 4:
            raise Refusal("OPTION", f"Partners are for 4 players, not {seats}: partners=off.")

    def pack(self, options: Any, seats: int) -> tuple[Card, ...]:
        """See `pack_of`."""
        return pack_of(seats)

    def _new(self, options: Any, seats: int, seed: str, dealer: Seat, hands: list[list[Card]]) -> State:
        step = 1 if options.direction == "clockwise" else -1
        return State(
            options, seats, seed, dealer, (dealer + step) % seats, hands, [0] * len(self.sides(options, seats)),
            [[] for _ in range(seats)], [0] * seats, [0] * seats, [], step=step, exposed=[None] * seats,
        )  # fmt: skip

    def _carry(self, before: State, state: State) -> None:
        state.pig_taker = next((seat for seat, cards in enumerate(before.taken) if PIG in cards), None)

    def carry(self, before: State, state: State, given: Position) -> None:
        """What a hand leaves to the next one of a record besides the scores: who leads to it."""
        state.pig_taker = before.pig_taker
        if state.phase == PLAY and given.turn is None and state.first and not state.trick:
            self._open(state)

    def _start(self, state: State, phase: str | None = None, turn: Seat | None = None) -> None:
        if state.options.exposure == "off":
            if phase == EXPOSE:
                raise ValueError("no cards are shown at this table (exposure=off)")
            phase = PLAY
        if phase is None:
            phase = EXPOSE
        state.phase = phase
        if phase == PLAY:
            state.exposed = [cards or () for cards in state.exposed]
            self._open(state, turn)
            return
        waiting = self._waiting(state)
        if not waiting:
            raise ValueError("all have answered, so the phase is play")
        state.turn = waiting[0]

    def _open(self, state: State, turn: Seat | None = None) -> None:
        """Who leads to the first trick; after the first hand who took the queen of spades in the last."""
        opener = self._opener(state)
        if not state.trick and turn is not None and turn != opener:
            state.first = False  # a position in the middle of a hand
        state.turn = self._turn_of_trick(state, turn, opener)

    def _opener(self, state: State) -> Seat:
        if state.pig_taker is not None:
            return state.pig_taker
        card = self._opening(state)
        after_dealer = (state.dealer + state.step) % state.seats
        return next((seat for seat, hand in enumerate(state.hands) if card in hand), after_dealer)

    def _opening(self, state: State) -> Card:
        """The card that says who leads: the seven or the two of spades, or the lowest club there is."""
        rule = state.options.first_lead
        if rule.startswith("2c"):
            return of_suit(pack_of(state.seats), CLUBS)[0]
        return read_card(rule[:2])

    def _place(self, state: State, position: Position) -> None:
        for seat, text in position.extra.get("exposed", ()):
            assert seat is not None
            cards = tuple(read_cards(text))
            for card in cards:
                if card not in EXPOSABLE:
                    raise ValueError(f"{card_name(card)} cannot be shown; {names(EXPOSABLE)} can")
                if any(card in hand for other, hand in enumerate(state.hands) if other != seat):
                    raise ValueError(f"{card_name(card)} is in another hand, so this player cannot have shown it")
            if cards and state.options.exposure == "off":
                raise ValueError("no cards are shown at this table (exposure=off)")
            state.exposed[seat] = cards
        for _, text in position.extra.get("first-of-suit", ()):
            suit, word = text.split()
            if word == "no":
                state.led |= 1 << "CDHS".index(suit)
        state.first = not any(state.tricks)
        led = state.trick[0][1] & 3 if state.trick else 0
        for seat, card in state.trick:
            if card & 3 != led:
                state.voids[seat] |= 1 << led

    # Who may do what

    def _waiting(self, state: State) -> tuple[Seat, ...]:
        """Who has not answered yet, in the order of play."""
        order = [(state.dealer + state.step * (i + 1)) % state.seats for i in range(state.seats)]
        return tuple([seat for seat in order if state.exposed[seat] is None])

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every card that may be played; every choice of cards to show."""
        if state.phase == PLAY:
            return self._legal_plays(state, seat) if seat == state.turn else []
        if state.phase != EXPOSE or state.exposed[seat] is not None:
            return []
        ways: list[tuple[Card, ...]] = [()]
        for card in state.hands[seat]:
            if card in EXPOSABLE:
                ways += [(*way, card) for way in ways]
        return [NO_CARDS, *[Move("expose", way) for way in ways[1:]]]

    def _legal_plays(self, state: State, seat: Seat) -> list[Move]:
        hand = state.hands[seat]
        shown: tuple[Card, ...] = state.exposed[seat] or ()
        if state.trick:
            suit = state.trick[0][1] & 3
            cards = [card for card in hand if card & 3 == suit]
            if not cards:
                return [PLAYS[card] for card in hand]
            if shown and len(cards) > 1 and not state.led >> suit & 1:
                return [PLAYS[card] for card in cards if card not in shown]
            return [PLAYS[card] for card in cards]
        if self._forced(state):
            opening = self._opening(state)
            if opening in hand:
                return [PLAYS[opening]]
        if shown:
            return [PLAYS[card] for card in hand if card not in shown or not self._is_held_back(state, seat, card)]
        return [PLAYS[card] for card in hand]

    def _is_held_back(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether a card that was shown may not be played to its suit now."""
        suit = card & 3
        if state.led >> suit & 1 or card not in (state.exposed[seat] or ()):
            return False
        return any(other & 3 == suit and other != card for other in state.hands[seat])

    def _forced(self, state: State) -> bool:
        """Whether the first lead of the game must be a certain card."""
        return state.first and state.round == 1 and state.options.first_lead.endswith("forced")

    def _demand_lead(self, state: State, seat: Seat, card: Card) -> None:
        if self._forced(state):
            opening = self._opening(state)
            if card != opening and opening in state.hands[seat]:
                raise Refusal("FIRST", f"The first lead is {card_name(opening)}: PLAY {card_name(opening)}.")
        self._demand_follow(state, seat, card)

    def _demand_follow(self, state: State, seat: Seat, card: Card) -> None:
        if self._is_held_back(state, seat, card):
            suit = SUIT_NAMES[card & 3]
            others = names([other for other in of_suit(state.hands[seat], card & 3) if other != card])
            hint = f"{card_name(card)} was shown, so not on the first trick of {suit} while you hold another: {others}."
            raise Refusal("EXPOSED", hint)

    # Reading

    def _resolve_word(self, state: State, seat: Seat, loose: Loose) -> Move:
        if loose.value == "none" and not loose.specs:
            return NO_CARDS
        if loose.value:
            raise ValueError("to show cards name them, as in EXPOSE QS, or say EXPOSE NONE")
        cards: list[Card] = []
        for spec in loose.specs:
            card = spec.card if spec.card is not None else BY_RANK.get(spec.rank)
            if card is None:
                raise Refusal(
                    "NOTHELD", f"No {describe_rank(spec.rank, many=False)} can be shown; {names(EXPOSABLE)} can."
                )
            cards.append(card)
        for rank in loose.whole_rank:
            if rank not in BY_RANK:
                raise Refusal("NOTHELD", f"No {describe_rank(rank, many=False)} can be shown; {names(EXPOSABLE)} can.")
            cards.append(BY_RANK[rank])
        if not cards:
            legal = self.legal(state, seat) if seat in self.waiting(state) else []
            if len(legal) == 1:
                return legal[0]
            raise Refusal("AMBIG", "Which cards do you show? EXPOSE NONE shows none.", legal)
        return Move("expose", tuple(cards))

    # Play

    def _do(self, state: State, seat: Seat, move: Move) -> list[Event]:
        if move.verb == "expose":
            return self._expose(state, seat, move.cards)
        raise ValueError(f"Gong Zhu has no {move.verb!r}; its moves are {', '.join(self.verbs)}")

    def _expose(self, state: State, seat: Seat, cards: tuple[Card, ...]) -> list[Event]:
        if state.options.exposure == "off":
            raise Refusal("PHASE", "No cards are shown at this table: play a card.")
        if state.phase != EXPOSE:
            raise Refusal(
                "PHASE", "The round is over." if state.phase == OVER else "Cards are shown before the first lead."
            )
        if state.exposed[seat] is not None:
            raise Refusal("PHASE", "You have answered already, and there is no second chance.")
        demand_held(state.hands[seat], cards)
        for card in cards:
            if card not in EXPOSABLE:
                raise Refusal("NOTHELD", f"{card_name(card)} cannot be shown; {names(EXPOSABLE)} can.")
        state.exposed[seat] = cards
        events = [Event("expose", seat, cards, len(cards), reveals=True)]
        waiting = self._waiting(state)
        if waiting:
            state.turn = waiting[0]
        else:
            state.phase = PLAY
            self._open(state)
        return events

    def _after_trick(self, state: State, winner: Seat, events: list[Event]) -> None:
        state.led |= 1 << (events[-1].cards[0] & 3)

    def _end_hand(self, state: State, events: list[Event]) -> None:
        """Adds the hand to the scores; the game is over when somebody is far enough down (or up)."""
        options = state.options
        points = self._points(state)
        state.scores = [score + gain for score, gain in zip(state.scores, points, strict=True)]
        low, high = min(state.scores), max(state.scores)
        ended = low <= int(options.target) or (options.upper_end != "off" and high >= int(options.upper_end))
        winners, losers = extremes(state.scores, high, low)
        if ended:
            state.losers = losers
        self._finish(state, points, ended, winners, events)

    # What is there

    def scoring(self, card: Card) -> bool:
        """The hearts, the pig, the sheep and the ten of clubs."""
        return card in SCORING

    def points(self, state: State) -> list[int] | None:
        """Per side; before the end by what is taken so far."""
        return list(state.earned) if state.earned is not None else self._points(state)

    def _points(self, state: State) -> list[int]:
        options = state.options
        exposed = [card for cards in state.exposed for card in cards or ()]
        points = []
        for side in self.sides(options, state.seats):
            piles = [state.taken[seat] for seat in side]
            if options.partner_scoring == "pooled":
                piles = [[card for pile in piles for card in pile]]
            points.append(sum(score_pile(options, pile, exposed) for pile in piles))
        return points

    def _seen(self, state: State, seat: Seat | None) -> dict[str, Any]:
        return {
            "chosen": tuple([cards is not None for cards in state.exposed]),
            "exposed": tuple([cards or () for cards in state.exposed]),
            "led": state.led,
        }

    def _to_do(self, state: State, seat: Seat) -> str:
        if state.exposed[seat] is not None:
            return "the others may still show cards."
        return "EXPOSE a card, or EXPOSE NONE."

    def _copied(self, state: State) -> dict[str, Any]:
        return {"exposed": state.exposed[:]}

    def _loaded(self, values: dict[str, Any]) -> State:
        values["options"] = Options(**values["options"])
        values["exposed"] = [None if cards is None else tuple(cards) for cards in values["exposed"]]
        return State(**values)


GONG_ZHU = GongZhu()
