"""Rounds of a game that has been played, played again from the lines of its record: what each brought, card by card."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from engine.game import Event, Game, Seat, read_move

UNDO = "undo"  # a line of the record that takes back the one before it
TAKES = ("pickup", "take")  # verbs of games with a discard pile


class Line(NamedTuple):
    """A line of the record: its number (the first is 1), whose it is, and its text."""

    n: int
    seat: Seat
    text: str


class Step(NamedTuple):
    """A move and what came of it; `taken` is how many cards it took from the discard pile."""

    line: Line
    events: tuple[Event, ...]
    taken: int = 0


@dataclass
class Round:
    """A round that is over: how it stood before its first move and after its last. `following` is the next one's start."""

    start: Any
    steps: list[Step] = field(default_factory=list)
    final: Any = None
    following: Any = None

    @property
    def upto(self) -> int:
        """The number of the line that ended it."""
        return self.steps[-1].line.n if self.steps else 0

    @property
    def events(self) -> Iterator[Event]:
        """All that happened in it."""
        return (event for step in self.steps for event in step.events)


T = TypeVar("T")


def without_undone(lines: Iterable[T], text_of: Callable[[T], str]) -> list[T]:
    """The lines that count: an `undo` takes away the one before it, and itself."""
    kept: list[T] = []
    for line in lines:
        if text_of(line) == UNDO:
            kept.pop()
        else:
            kept.append(line)
    return kept


def standing(lines: Iterable[Line]) -> list[Line]:
    """The same of numbered lines."""
    return without_undone(lines, attrgetter("text"))


def over(game: Game, start: Any, lines: Sequence[Line]) -> Iterator[Round]:
    """The rounds that are over, of a game that stood at `start` before these lines."""
    state = game.copy(start)
    playing = Round(game.copy(state))
    for line in lines:
        takes = line.text.split()[0] in TAKES
        lay = game.view(state, None).pile_count if takes else 0
        events = game.play(state, line.seat, game.resolve(state, line.seat, read_move(line.text)))
        playing.steps.append(Step(line, tuple(events), lay - game.view(state, None).pile_count if takes else 0))
        if not state.over:
            continue
        playing.final = game.copy(state)
        if not state.ended:
            game.next_round(state)
            playing.following = game.copy(state)
        yield playing
        playing = Round(game.copy(state))


def positions(game: Game, played: Round) -> Iterator[Any]:
    """The states of a round: before its first move, and after each. Each is the caller's own."""
    state = game.copy(played.start)
    yield game.copy(state)
    for step in played.steps:
        game.play(state, step.line.seat, game.resolve(state, step.line.seat, read_move(step.line.text)))
        yield game.copy(state)
