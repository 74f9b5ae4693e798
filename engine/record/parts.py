"""What a record is made of, and the shape of every line that it may hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card, card_name, rank_name
from engine.game import Game, Loose, Move, Position, Seat, Side, Spec

# Header lines. A word in capitals is read by the reader of that name in `engine.record.read`.
HEADER: tuple[str, ...] = (
    "game: WORD",
    "options: TEXT",
    "seats: TEXT",
    "dealer: SEAT",
    "seed: WORD",
    "round: ROUND",
    "turn: SEAT",
    "phase: PHASE",
    "score SIDE: NUMBER",
    "hand SEAT: CARDS",
    "stock: CARDS",
    "pile: CARDS",
    # rummy games
    "down SIDE: CARDS",
    "meld MELD SEAT: STANDING",
    "layoff MELD SEAT: STANDING",
    "wild: RANK",
    "upcard SEAT: CARD",
    "packet: COUNT",
    # trick games
    "trick: TRICK",
    "taken SEAT: CARDS",
    "tricks SEAT: COUNT",
    "exposed SEAT: CARDS",
    "bid SEAT: BID",
    "bags SIDE: COUNT",
    "shown: SEATS",
    "had-turn: SEATS",
    "broken: YESNO",
    "first-of-suit: SUIT YESNO",
)

# What may be asked after `=`.
FACTS: tuple[str, ...] = (
    "turn SEAT",
    "phase PHASE",
    "hand SEAT: CARDS",
    "count SEAT COUNT",
    "pile: CARDS",
    "stock COUNT",
    "legal SEAT: MOVES",
    "can MOVE",
    "cannot MOVE",
    "points SIDE: NUMBER",
    "score SIDE: NUMBER",
    "out SOMEBODY",
    "over",
    "not over",
    "ended",
    "not ended",
    "winner SIDE",
    "loser SIDE",
    "sees SEAT CARD",
    "hidden SEAT CARD",
    # rummy games
    "down SIDE: CARDS",
    "meld MELD: STOOD",
    "laid SIDE: NUMBER",
    "bonus SEAT NUMBER",
    # trick games
    "bags SIDE: NUMBER",
)

PHASES = ("cut", "pass", "expose", "bid", "exchange", "pick", "draw", "meld", "play", "moon", "over")
# Header lines that may come more than once for one player; the cards of those in ADDED_UP count together.
REPEATABLE = ("down", "layoff", "first-of-suit", "taken", "exposed")
ADDED_UP = ("taken", "exposed")

_WORD_OF_SHAPE = re.compile(r"[A-Z]+")
NAME = re.compile(r"[^\W_][\w.'’&-]*")


class Broken(ValueError):
    """Text that cannot be read as a record: the line, counted from 1, and a sentence that says what would work."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(line, sentence)
        self.line = line
        self.sentence = sentence


class Seated:
    """Who sits where: names to seats and sides, and back."""

    def __init__(self, names: Sequence[str], sides: Sequence[Sequence[Seat]]) -> None:
        """ValueError if the names cannot be told apart in a record."""
        self.names = tuple(names)
        self.sides = tuple(tuple(side) for side in sides)
        self._seats = {name.casefold(): seat for seat, name in enumerate(names)}
        for seat, name in enumerate(names):
            if not NAME.fullmatch(name) or name.casefold() == "none":
                raise ValueError(f"{name!r} cannot name a seat: use one word of letters and digits")
            if self._seats[name.casefold()] != seat:
                raise ValueError(f"two seats are called {name}: give every seat a name of its own")

    def find(self, word: str) -> Seat | None:
        """The seat of that name in any letter case."""
        return self._seats.get(word.casefold())

    def seat(self, word: str) -> Seat:
        """The seat of that name. ValueError says who is seated."""
        seat = self.find(word)
        if seat is None:
            raise ValueError(f"nobody called {word!r} is seated; seated are {', '.join(self.names)}")
        return seat

    def side(self, word: str) -> Side:
        """The side written `Ann` or, in either order, `Ann+Cy`. ValueError says what would work."""
        seats = {self.seat(name) for name in word.split("+")}
        for side, of_side in enumerate(self.sides):
            if seats == set(of_side):
                return side
        raise ValueError(
            f"{word!r} is not a side of this game; sides are {', '.join(map(self.of_side, range(len(self.sides))))}"
        )

    def of_side(self, side: Side) -> str:
        """How a side is written: `Ann`, `Ann+Cy`."""
        return "+".join(self.names[seat] for seat in self.sides[side])


@dataclass(frozen=True)
class Line:
    """One statement of a header or one fact: its key and what stands in the places of its shape."""

    key: str
    seat: Seat | None = None
    side: Side | None = None
    number: int = 0
    cards: tuple[Card, ...] = ()
    stands: tuple[Card, ...] = ()  # `= meld`: what each of the cards stands for, itself where nothing is said
    moves: tuple[Loose, ...] = ()
    word: str = ""  # everything else, in canonical form
    many: tuple[tuple[Seat, str], ...] = ()  # `trick:` and `shown:`: a seat and what it has there
    line: int = field(default=0, compare=False)


class Fact(Line):
    """`= ...`: something that must hold."""


@dataclass(frozen=True)
class Attempt:
    """`NAME VERB ...`. `mark` is what must come of it: "" it is played, "!" it is refused, "?" it is asked about.

    `who` is a name when nobody of that name is seated.
    """

    mark: str
    who: Seat | str
    move: Loose
    code: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Deal:
    """`round: N` after moves: the next round, its position given as in a header, or dealt from the seed."""

    position: Position
    line: int = field(default=0, compare=False)


Statement = Attempt | Fact | Deal


@dataclass
class Record:
    """A game from some position on, and what must hold on the way. Names and lines are those of its text."""

    game: Game
    options: Any
    names: tuple[str, ...]
    start: Position
    body: list[Statement] = field(default_factory=list)
    title: str = field(default="", compare=False)  # the comment at its head

    @property
    def seated(self) -> Seated:
        """Who sits where, and who plays together."""
        return Seated(self.names, self.game.sides(self.options, len(self.names)))


def key_of(shape: str) -> str:
    """`hand` of `hand SEAT: CARDS`; `not over` of itself."""
    return " ".join(word.rstrip(":") for word in shape.split() if not _WORD_OF_SHAPE.fullmatch(word.rstrip(":")))


def places_of(shape: str) -> tuple[str, ...]:
    """`SEAT CARDS` of `hand SEAT: CARDS`."""
    return tuple(_WORD_OF_SHAPE.findall(shape))


HEADER_BY_KEY = {key_of(shape): shape for shape in HEADER}
FACTS_BY_KEY = {key_of(shape): shape for shape in FACTS}


def standing(cards: Sequence[Card], stands: Sequence[Card]) -> str:
    """Cards with what they stand for, where it is not themselves: `7S 8S 6D=9S`."""
    pairs = zip(cards, stands, strict=True)
    return " ".join(card_name(a) if a == b else f"{card_name(a)}={card_name(b)}" for a, b in pairs)


def write_loose(move: Loose) -> str:
    """A move as a record writes it, whole or not: `pickup 9 9`, `meld 7S 8S 6D=9S`, `swap 9S for 6D in M1`."""
    cards = []
    for spec in move.specs:
        text = rank_name(spec.rank) if spec.card is None else card_name(spec.card)
        cards.append(text if spec.stands is None else f"{text}={card_name(spec.stands)}")
    if move.verb == "swap" and len(cards) == 2:
        return f"swap {cards[0]} for {cards[1]} in {move.to}"
    words = [move.verb, *cards]
    if move.value:
        words.append(move.value)
    if move.to:
        words += [move.to] if move.to == "join" else ["to", move.to]
    return " ".join(words)


def whole(move: Move) -> Loose:
    """A move whose every card is named."""
    stands = move.stands or move.cards
    specs = [
        Spec(card >> 2, card, None if card == other else other) for card, other in zip(move.cards, stands, strict=True)
    ]
    return Loose(move.verb, tuple(specs), move.to, move.value)
