"""Moves of a text tried on a copy of the game."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.cards import WILD, Card
from engine.game import Event, Loose, Move, Refusal, Spec, write_move
from service.text import wilds
from service.text.moves import Reading as Meant
from service.text.reading import Context, Reading

ALL_VERBS = ("draw", "pickup", "meld", "add", "auto", "discard", "pass")  # where there is no game yet to ask


_COMMON = frozenset(ALL_VERBS)


class Outcome(NamedTuple):
    """What came of trying a reading: its moves as far as they were legal, and what stopped it."""

    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    state: Any
    refusal: Refusal | None


class Trial:
    """The copy of the state on which the text is tried, and what was done on it so far."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.playing = (
            context.game is not None
            and context.state is not None
            and context.seat is not None
            and context.stage in ("playing", "none")
        )
        self.game: Any = context.game
        self.seat: Any = context.seat
        self.state: Any = None
        self.done: tuple[Move, ...] = ()
        self.happened: tuple[Event, ...] = ()
        self.verbs = frozenset(context.game.verbs if context.game is not None else ALL_VERBS)
        if self.playing:
            game: Any = self.game
            self.state = game.copy(context.state)
        self._view: Any = None

    def view(self) -> Any:
        if self._view is None and self.playing:
            self._view = self.game.view(self.state, self.seat)
        return self._view

    @property
    def other(self) -> bool:
        """Whether the game has moves that the common reader does not know."""
        return not self.verbs <= _COMMON

    def legal(self) -> Sequence[Move]:
        """The moves that are offered now; none where it is somebody else's turn."""
        if self.seat not in self.game.waiting(self.state):
            return ()
        moves: list[Move] = self.game.legal(self.state, self.seat)
        return moves

    def hand(self) -> Sequence[Card]:
        view = self.view()
        return () if view is None else view.hand

    def top(self) -> Card | None:
        return getattr(self.view(), "top", None)

    def taken(self) -> Card | None:
        """The lone card of the pile that this player has taken this turn, where the game keeps that in mind."""
        taken = getattr(self.state, "taken", None)  # in games of tricks those of every seat
        return taken if isinstance(taken, int) and self.state.turn == self.seat else None

    def attempt(self, meant: Meant, keep: bool = False) -> Outcome:
        """Tries a reading; `keep` lets its legal moves stand on our copy."""
        state = self.state if keep else self.game.copy(self.state)
        moves: list[Move] = []
        events: list[Event] = []
        refusal: Refusal | None = None
        for loose in meant.moves:
            try:
                move = _wilds_last(self.game.resolve(state, self.seat, wilds.named(self.game, state, self.seat, loose)))
                happened = self.game.play(state, self.seat, move)
            except Refusal as refused:
                refusal = refused
                break
            except ValueError as error:
                refusal = Refusal("PHASE", str(error))
                break
            moves.append(_as_played(move, happened))
            events += happened
        if keep:
            self._view = None
            self.done += tuple(moves)
            self.happened += tuple(events)
        return Outcome(tuple(moves), tuple(events), state, refusal)

    def discarding(self, spec: Spec) -> Move | None:
        """The discard of this card, or None where the game has no such move. A Refusal says why it cannot be."""
        try:
            move: Move = self.game.resolve(self.state, self.seat, Loose("discard", (spec,)))
            self.game.play(self.game.copy(self.state), self.seat, move)
        except Refusal:
            raise
        except ValueError:
            return None
        return move

    def accept(self, outcome: Outcome) -> None:
        self.state = outcome.state
        self._view = None
        self.done += outcome.moves
        self.happened += outcome.events

    def hint(self, refusal: Refusal) -> str:
        """The engine's hint, with the name of whose turn it is."""
        if refusal.code != "TURN" or not self.playing:
            return refusal.hint
        waiting = [self.context.names[seat] for seat in self.game.waiting(self.state) if seat < len(self.context.names)]
        if not waiting:
            return refusal.hint
        if self.done:
            return f"Your turn is over; it is {' and '.join(waiting)}'s turn now."
        return f"It is {' and '.join(waiting)}'s turn, not yours."

    def nowhere(self, rest: str) -> Reading:
        """The answer to a move where no cards are out."""
        stage = self.context.stage
        if stage == "open":
            hint = "The cards are not dealt yet. DEAL starts the game when all seats are taken."
        elif stage == "over":
            hint = "This game is over. REMATCH plays another."
        else:
            hint = "You are not in a game. Text NEW and a game to open a table, or JOIN and its code."
        return Reading("refused", code="PHASE", hint=hint, rest=rest)


def _wilds_last(move: Move) -> Move:
    if move.stands or WILD not in move.cards or move.cards[-1] == WILD:
        return move
    return move._replace(cards=tuple(sorted(move.cards, key=WILD.__eq__)))


def _as_played(move: Move, events: Sequence[Event]) -> Move:
    """The move by what it did: a take uses naturals before the wild that was named, a lay may be an add."""
    for event in events:
        if event.kind == "pickup" and move.verb == "pickup":
            return move._replace(cards=event.cards[: len(move.cards)])
        if event.kind == "add" and move.verb == "meld":
            return Move("add", move.cards, event.to)
    return move


def canonical(moves: Sequence[Move]) -> str:
    return ", ".join(map(write_move, moves))
