"""Whole games without people: dealt from a seed, played to the end, every card counted after every move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.bots import Chooser, choose
from engine.game import Event, Game, Move, Refusal, Seat

# Far beyond any game that goes on: of thousands of random ones the longest round had some 300 moves.
MOVES_IN_A_ROUND = 5_000
ROUNDS_IN_A_GAME = 1_000


@dataclass
class Played:
    """A game as it was played: its state now, and its moves in order; the next round is dealt when one is over."""

    game: Game
    options: Any
    seats: int
    seed: str
    dealer: Seat
    state: Any
    moves: list[tuple[Seat, Move]] = field(default_factory=list)
    rounds: int = 1


class WentWrong(Exception):
    """A game that did not come to its end: a move was refused, a card was lost, or it never ended."""

    def __init__(self, what: str, played: Played) -> None:
        super().__init__(what)
        self.what = what
        self.played = played


def play_whole_game(
    game: Game,
    options: Any,
    seats: int,
    seed: str,
    choosers: Sequence[Chooser] = (choose,),
    watch: Callable[[Any, Seat, Move, list[Event]], None] | None = None,
    rounds: int = ROUNDS_IN_A_GAME,
) -> Played:
    """A game to its end, or so many rounds of it. Seats choose by `choosers` in turn (one for all, or one a side, or one
    a seat). `watch` sees the state after each move, and may raise AssertionError. WentWrong where something is amiss.
    """
    state = game.deal(options, seats, seed)
    played = Played(game, options, seats, seed, game.view(state, None).dealer, state)
    try:
        game.check(state)
        while True:
            play_round(played, choosers, watch)
            if state.ended or played.rounds == rounds:
                return played
            if played.rounds == ROUNDS_IN_A_GAME:
                raise WentWrong(f"no end after {played.rounds} rounds", played)
            game.next_round(state)
            game.check(state)
            played.rounds += 1
    except Refusal as refusal:
        raise WentWrong(f"refused: {refusal.code} {refusal.hint}", played) from refusal
    except AssertionError as error:
        raise WentWrong(f"not in order: {error}", played) from error


def play_round(
    played: Played, choosers: Sequence[Chooser], watch: Callable[[Any, Seat, Move, list[Event]], None] | None = None
) -> None:
    """The round to its end."""
    game, state = played.game, played.state
    for _ in range(MOVES_IN_A_ROUND):
        waiting = game.waiting(state)
        if not waiting:
            return
        seat = waiting[0]
        move = choosers[seat % len(choosers)](game.view(state, seat), game.legal(state, seat))
        played.moves.append((seat, move))
        events = game.play(state, seat, move)
        game.check(state)
        if watch is not None:
            watch(state, seat, move, events)
    raise WentWrong(f"round {played.rounds} goes on after {MOVES_IN_A_ROUND} moves", played)


def known_ahead(game: Game, state: Any, seat: Seat) -> tuple[list[Move], Any]:
    """The moves this seat would make before it sees a card that is hidden now, or its turn is over; the state after them.

    `state` stays as it is. When they end the round, the next is dealt in the state that is returned.
    """
    after = game.copy(state)
    moves: list[Move] = []
    while seat in game.waiting(after):
        move = choose(game.view(after, seat), game.legal(after, seat))
        events = game.play(after, seat, move)
        moves.append(move)
        if any(event.reveals for event in events) or game.view(after, seat).turn != seat:
            break
    view = game.view(after, seat)
    if not game.waiting(after) and not view.ended:
        game.next_round(after)
    return moves, after
