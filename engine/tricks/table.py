"""The table of a trick game: hands, the trick on the table, what was taken, scores; and the view of it, and its cards.

What happens there is `engine.tricks.trick_game`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, islice
from typing import Any

from engine.cards import RANKS, Card, card_name
from engine.game import Event, Move, Refusal, Seat, Side
from engine.rummy.table import demand_held

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
PASS, EXPOSE, BID, EXCHANGE, PLAY, MOON, OVER = "pass", "expose", "bid", "exchange", "play", "moon", "over"
MOST_SEATS = 10
MOST_ASKED = 9  # cards that a question lists
MOST_CHOICES = 3_000  # ways to choose cards that `legal` lists; a hand of 13 has 286 to pass three

PLAYS: tuple[Move, ...] = tuple(Move("play", (card,)) for card in range(52))
PLAYED: tuple[tuple[Event, ...], ...] = tuple(
    tuple(Event("play", seat, (card,), reveals=True) for card in range(52)) for seat in range(MOST_SEATS)
)


@dataclass(slots=True)
class TrickState:
    """A round of a trick game and the scores carried into it. Only its game changes it."""

    options: Any
    seats: int
    seed: str
    dealer: Seat
    turn: Seat  # where several act at once, the first of them
    hands: list[list[Card]]  # each sorted
    scores: list[int]
    taken: list[list[Card]]  # by seat, every card won, in the order of the tricks
    tricks: list[int]  # by seat
    voids: list[int]  # by seat, the suits it has shown to have none of: bit 0 clubs to bit 3 spades
    trick: list[tuple[Seat, Card]]
    phase: str = PLAY
    round: int = 1
    step: int = 1  # from a seat to the next: 1 clockwise, -1 anticlockwise
    first: bool = True  # the first trick of the hand is not over
    broken: bool = False  # hearts, or spades, may be led
    plays_on: bool = False  # a player's only legal card is played at once
    last: tuple[Seat, tuple[tuple[Seat, Card], ...]] | None = None  # the last trick: who won it, and what was played
    ended: bool = False
    winners: tuple[Side, ...] = ()
    losers: tuple[Side, ...] = ()
    earned: tuple[int, ...] | None = None  # per side, this round's points once it is over
    whole: bool = True  # dealt from a pack, so that all its cards must be there

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.phase == OVER


@dataclass(frozen=True, slots=True)
class TrickView:
    """All that one seat (None: a spectator) may know of a table where tricks are played.

    `chosen` says who has passed, answered the call to expose, or exchanged; what they chose shows only when all have.
    `hand` is empty while a blind bid is still open to this seat of Spades. What a game has not is empty.
    """

    game: str
    seat: Seat | None
    options: Any
    seats: int
    sides: tuple[tuple[Seat, ...], ...]
    step: int
    round: int
    dealer: Seat
    turn: Seat
    phase: str
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    waiting: tuple[Seat, ...]
    trick: tuple[tuple[Seat, Card], ...]
    last: tuple[Seat, tuple[tuple[Seat, Card], ...]] | None
    taken: tuple[tuple[Card, ...], ...]  # by seat, the cards taken that score
    gone: tuple[Card, ...]  # every card of the tricks that are over
    tricks: tuple[int, ...]
    voids: tuple[int, ...]
    first: bool
    broken: bool
    scores: tuple[int, ...]
    points: tuple[int, ...] | None  # by what is taken so far
    over: bool
    ended: bool
    winners: tuple[Side, ...]
    losers: tuple[Side, ...]
    chosen: tuple[bool, ...] = ()
    passes: int = 0  # how many cards this seat passes or exchanges, now or before play
    pass_to: Seat | None = None
    passed: tuple[Card, ...] = ()  # what this seat gave
    received: tuple[Card, ...] = ()
    stock_count: int = 0  # cards of the kitty
    carried: tuple[Card, ...] = ()  # cards of cancelled tricks: the next winner takes them
    exposed: tuple[tuple[Card, ...], ...] = ()
    led: int = 0  # suits that have been led, as bits
    bids: tuple[int | None, ...] = ()  # engine.tricks.spades: NIL and BLIND beside numbers
    bags: tuple[int, ...] = ()
    shown: tuple[bool, ...] = ()  # who has seen their hand

    def cards(self) -> set[Card]:
        """Every card whose face this view shows anywhere."""
        seen = {*self.hand, *self.gone, *self.passed, *self.received, *self.carried}
        seen.update(card for _, card in self.trick)
        for cards in (*self.taken, *self.exposed):
            seen.update(cards)
        return seen

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values, cards by their codes."""
        plain: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _CARDS:
                value = [card_name(card) for card in value]
            elif field.name in ("taken", "exposed"):
                value = [[card_name(card) for card in cards] for cards in value]
            elif field.name == "trick":
                value = _plain_trick(value)
            elif field.name == "last":
                value = None if value is None else {"winner": value[0], "trick": _plain_trick(value[1])}
            elif isinstance(value, tuple):
                value = [list(part) if isinstance(part, tuple) else part for part in value]
            if field.name != "options":
                plain[field.name] = value
        return plain


_CARDS = ("hand", "gone", "passed", "received", "carried")


def _plain_trick(trick: Iterable[tuple[Seat, Card]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": card_name(card)} for seat, card in trick]


def highest(trick: Sequence[tuple[Seat, Card]]) -> Seat:
    """Who played the highest card of the led suit."""
    winner, best = trick[0]
    suit = best & 3
    for seat, card in trick:
        if card > best and card & 3 == suit:
            winner, best = seat, card
    return winner


def choices(verb: str, hand: Sequence[Card], count: int) -> list[Move]:
    """Every way to choose so many cards of a hand; of a huge number of ways the first."""
    ways = dict.fromkeys(islice(combinations(hand, count), MOST_CHOICES))
    return [Move(verb, way) for way in ways]


def demand_choice(hand: Sequence[Card], cards: Sequence[Card], count: int, what: str) -> None:
    """Refuses any number of cards but this one, and cards that are not held."""
    if len(cards) != count:
        number = "Exactly one card is" if count == 1 else f"Exactly {count} cards are"
        raise Refusal("COUNT", f"{number} {what}; you named {len(cards)}.")
    demand_held(hand, cards)


def extremes(scores: Sequence[int], best: int, worst: int) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """The sides with the best and with the worst score; nobody is worst where all are level."""
    winners = tuple(side for side, score in enumerate(scores) if score == best)
    return winners, tuple(side for side, score in enumerate(scores) if score == worst) if best != worst else ()


def of_suit(cards: Iterable[Card], suit: int) -> list[Card]:
    """The cards of a suit."""
    return [card for card in cards if card & 3 == suit]


def suit_pack(suit: int) -> list[Card]:
    """The thirteen cards of a suit, the two first."""
    return [rank * 4 + suit for rank in range(len(RANKS))]
