"""What may be asked of a game after `=`: each key with the function that says what was expected and what is so.

A fact holds when both are the same. To add one: its shape in `parts.FACTS`, its function here. Everything is asked of
the game's public functions and of its views, by the names of `RummyView`; a fact that a game knows nothing of fails.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, names
from engine.game import Game, Loose, Move, Refusal, Seat, Side, write_move
from engine.record.parts import Line, Seated, standing, write_loose

# Moves of which `legal` lists only some: whether they can be played is tried on a copy.
_LISTED_WHOLE = ("draw", "pickup", "take", "pass")


@dataclass
class Board:
    """A game as a record sees it: its state, and who sits there."""

    game: Game
    seated: Seated
    state: Any

    def view(self, seat: Seat | None = None) -> Any:
        """What that seat sees (None: a spectator)."""
        return self.game.view(self.state, seat)

    @property
    def over(self) -> bool:
        return not self.game.waiting(self.state)

    def try_move(self, who: Seat | str, loose: Loose) -> "Tried":
        """What would come of a move; the state stays as it is."""
        before = self.game.dump(self.state)
        trial = self.game.copy(self.state)
        move = refusal = None
        try:
            if isinstance(who, str):
                raise Refusal("TURN", f"{who} is not in this game.")
            move = self.game.resolve(trial, who, loose)
            self.game.play(trial, who, move)
        except Refusal as refused:
            refusal = refused
        except ValueError as error:
            refusal = Refusal("", str(error))
        changed = self.game.dump(self.state) != before or (refusal is not None and self.game.dump(trial) != before)
        return Tried(move, refusal, trial, changed)

    def can(self, seat: Seat, loose: Loose) -> bool:
        """Whether the move is legal now."""
        tried = self.try_move(seat, loose)
        if tried.move is None:
            return False
        if tried.move.verb in _LISTED_WHOLE and not (tried.move.verb == "pass" and tried.move.cards):
            listed = self.game.legal(self.state, seat) if seat in self.game.waiting(self.state) else []
            return _written(tried.move) in map(_written, listed)
        return tried.refusal is None


@dataclass(frozen=True)
class Tried:
    """A move tried on a copy: as it was read, why it was refused, and the state after it."""

    move: Move | None
    refusal: Refusal | None
    state: Any
    changed: bool  # a refusal that changed something, which must never be


Said = tuple[str, str]


def sort(cards: Iterable[Card]) -> str:
    """Cards as a multiset: `4H KD KD`, or `no cards`."""
    return names(sorted(cards)) or "no cards"


def _turn(board: Board, fact: Line) -> Said:
    got = "nobody's turn, the round is over" if board.over else f"turn {board.seated.names[board.view().turn]}"
    return f"turn {_name(board, fact)}", got


def _phase(board: Board, fact: Line) -> Said:
    return f"phase {fact.word}", f"phase {board.view().phase}"


def _hand(board: Board, fact: Line) -> Said:
    # As with the pile, all the cards are compared: a hand of Spades is not seen while a blind bid is open to its player.
    assert fact.seat is not None
    got = sort(board.state.hands[fact.seat])
    return f"hand {_name(board, fact)}: {sort(fact.cards)}", f"hand {_name(board, fact)}: {got}"


def _count(board: Board, fact: Line) -> Said:
    assert fact.seat is not None
    got = board.view().counts[fact.seat]
    return f"count {_name(board, fact)} {fact.number}", f"count {_name(board, fact)} {got}"


def _pile(board: Board, fact: Line) -> Said:
    # A record is written by somebody who knows every card, so the whole pile is compared, though players see less.
    got = names(board.state.pile)
    return f"pile: {names(fact.cards) or 'no cards'}", f"pile: {got or 'no cards'}"


def _stock(board: Board, fact: Line) -> Said:
    return f"stock {fact.number}", f"stock {board.view().stock_count}"


def _legal(board: Board, fact: Line) -> Said:
    assert fact.seat is not None
    waiting = fact.seat in board.game.waiting(board.state)
    got = {_written(move) for move in board.game.legal(board.state, fact.seat)} if waiting else set()
    expected = set()
    for loose in fact.moves:
        move = board.try_move(fact.seat, loose).move
        expected.add(write_loose(loose) if move is None else _written(move))
    return f"legal {_name(board, fact)}: {_moves(expected)}", f"legal {_name(board, fact)}: {_moves(got)}"


def _written(move: Move) -> str:
    """The canonical text with the cards in one order: `pickup 9S 9C` and `pickup 9C 9S` are the same move."""
    both = sorted(zip(move.cards, move.stands or move.cards, strict=True))
    cards, stands = tuple(card for card, _ in both), tuple(other for _, other in both)
    return write_move(move._replace(cards=cards, stands=stands if move.stands else ()))


def _moves(moves: set[str]) -> str:
    return " | ".join(sorted(moves)) or "nothing"


def _can(board: Board, fact: Line) -> Said:
    assert fact.seat is not None
    move = f"{_name(board, fact)} {write_loose(fact.moves[0])}"
    if board.can(fact.seat, fact.moves[0]):
        return f"{fact.key} {move}", f"can {move}"
    refusal = board.try_move(fact.seat, fact.moves[0]).refusal
    why = "" if refusal is None or fact.key == "cannot" else f" ({refusal.code}: {refusal.hint})"
    return f"{fact.key} {move}", f"cannot {move}{why}"


def _out(board: Board, fact: Line) -> Said:
    got = getattr(board.view(), "out", None)  # nobody goes out in a trick game
    return f"out {_name(board, fact)}", f"out {'none' if got is None else board.seated.names[got]}"


def _over(board: Board, fact: Line) -> Said:
    return fact.key, "over" if board.over else "not over"


def _ended(board: Board, fact: Line) -> Said:
    return fact.key, "ended" if board.view().ended else "not ended"


def _winner(board: Board, fact: Line) -> Said:
    return _among(board, fact, board.view().winners)


def _loser(board: Board, fact: Line) -> Said:
    return _among(board, fact, board.view().losers)


def _among(board: Board, fact: Line, sides: Iterable[Side]) -> Said:
    expected = f"{fact.key} {_of_side(board, fact)}"
    got = [f"{fact.key} {board.seated.of_side(side)}" for side in sides] or [f"no {fact.key} yet"]
    return expected, expected if expected in got else ", ".join(got)


def _sees(board: Board, fact: Line) -> Said:
    shown = fact.cards[0] in board.view(fact.seat).cards()
    what = f"{_name(board, fact)} {names(fact.cards)}"
    return f"{fact.key} {what}", f"{'sees' if shown else 'hidden'} {what}"


def _by_side(values: Callable[[Board], Any], missing: str) -> Callable[[Board, Line], Said]:
    """A number that every side has."""

    def check(board: Board, fact: Line) -> Said:
        assert fact.side is not None
        got = values(board)
        what = f"{fact.key} {_of_side(board, fact)}"
        return f"{what}: {fact.number}", missing if got is None else f"{what}: {got[fact.side]}"

    return check


def _name(board: Board, fact: Line) -> str:
    return "none" if fact.seat is None else board.seated.names[fact.seat]


def _of_side(board: Board, fact: Line) -> str:
    assert fact.side is not None
    return board.seated.of_side(fact.side)


COMMON: dict[str, Callable[[Board, Line], Said]] = {
    "turn": _turn,
    "phase": _phase,
    "hand": _hand,
    "count": _count,
    "legal": _legal,
    "can": _can,
    "cannot": _can,
    "points": _by_side(lambda board: board.game.points(board.state), "no points before the round is over"),
    "score": _by_side(lambda board: board.view().scores, "no scores"),
    "over": _over,
    "not over": _over,
    "ended": _ended,
    "not ended": _ended,
    "winner": _winner,
    "sees": _sees,
    "hidden": _sees,
}


def _down(board: Board, fact: Line) -> Said:
    what = f"down {_of_side(board, fact)}:"
    got = [sort(down.cards) for down in board.view().down if down.side == fact.side]
    expected = sort(fact.cards)
    return f"{what} {expected}", f"{what} {expected if expected in got else ' and '.join(got) or 'no set'}"


def _meld(board: Board, fact: Line) -> Said:
    what = f"meld {fact.word}:"
    said = [pair for pair in zip(fact.cards, fact.stands, strict=True) if pair[0] != pair[1]]
    expected = _standing(zip(fact.cards, fact.stands, strict=True)) if said else sort(fact.cards)
    for meld in board.view().melds:
        if f"M{meld.number}" == fact.word:
            so = list(zip(meld.cards, meld.stands or meld.cards, strict=True))
            holds = sort(meld.cards) == sort(fact.cards) and not Counter(said) - Counter(so)
            return f"{what} {expected}", f"{what} {expected if holds else _standing(so) if said else sort(meld.cards)}"
    return f"{what} {expected}", f"{what} no such meld"


def _standing(pairs: Iterable[tuple[Card, Card]]) -> str:
    """Cards in one order with what they stand for: `6D=9S 7S 8S`."""
    both = sorted(pairs)
    return standing([card for card, _ in both], [other for _, other in both])


def _bonus(board: Board, fact: Line) -> Said:
    assert fact.seat is not None
    what = f"bonus {_name(board, fact)}"
    return f"{what} {fact.number}", f"{what} {board.view().bonus[fact.seat]}"


RUMMY: dict[str, Callable[[Board, Line], Said]] = {
    "pile": _pile,
    "stock": _stock,
    "down": _down,
    "meld": _meld,
    "bonus": _bonus,
    "laid": _by_side(lambda board: board.game.laid(board.state), "nothing laid"),
    "out": _out,
}

TRICKS: dict[str, Callable[[Board, Line], Said]] = {
    "loser": _loser,
    "bags": _by_side(lambda board: board.view().bags or None, "no bags"),
}

CHECKS = COMMON | RUMMY | TRICKS


def check(board: Board, fact: Line) -> Said:
    """What the fact expects and what is so, in the same words when it holds."""
    try:
        return CHECKS[fact.key](board, fact)
    except AttributeError:
        return f"= {fact.key}", f"nothing of the kind in {board.game.name}"
