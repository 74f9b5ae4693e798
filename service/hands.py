"""Finished rounds as records (`*.hand`) that anybody may play again.

While its game goes on, a round's record begins with the cards as they were dealt: the seed would tell the deals to come.
"""

from engine.game import Game
from engine.record import Fact, Record, Seated, parse, replay, write
from engine.record.position import BEFORE_THE_DEAL, position_of
from engine.record.write import of_game
from service import rounds
from service.rounds import Line, Round
from service.stored import Table


def record(table: Table, n: int, one: Round, lines: list[Line]) -> str | None:
    """The record of a finished round, or, once the game is over, of the game up to it; `lines` are all that count so far.

    None where the round's cards were shuffled on the way, so that only the seed, which is not told before the end of the
    game, gives the same again.
    """
    names = _names(table)
    alone = _alone(table, n, one, names)
    if alone is not None or not table.state.ended or table.start is not None:
        return alone
    moves = [(line.seat, line.text) for line in lines if line.n <= one.upto]
    title = f"Table {table.code}, {table.game.title}: the game up to round {n}."
    made = of_game(table.game, table.options, names, moves, seed=table.seed, title=title)
    return _checked(made, table.game, one)


def _alone(table: Table, n: int, one: Round, names: tuple[str, ...]) -> str | None:
    """The round by itself, from the first of its moves at which the hands are dealt (or the pack is cut)."""
    game = table.game
    packet = next((event.count for event in one.events if event.kind == "cut"), None)
    for done, state in enumerate(rounds.positions(game, one)):
        if game.view(state, None).phase in BEFORE_THE_DEAL and packet is None:
            continue
        start = position_of(game, state, packet)
        if start is None:
            continue
        moves = [(step.line.seat, step.line.text) for step in one.steps[done:]]
        title = f"Table {table.code}, {game.title}: round {n}."
        made = of_game(game, table.options, names, moves, position=start, title=title)
        return _checked(made, game, one)
    return None


def _checked(made: Record, game: Game, one: Round) -> str | None:
    """Its text with the scores at the end, if playing it again gives them."""
    made.body = [*made.body, Fact("over"), *_scores(game, one)]
    try:
        text = write(made)
        report = replay(parse(text))
    except ValueError:
        return None
    return None if report.failures else text


def _scores(game: Game, one: Round) -> list[Fact]:
    return [Fact("score", side=side, number=score) for side, score in enumerate(game.view(one.final, None).scores)]


def _names(table: Table) -> tuple[str, ...]:
    """Everybody's name where a record can hold it; else the seats' numbers."""
    names = tuple(sitter.name for sitter in table.sitters)
    try:
        Seated(names, table.game.sides(table.options, table.seat_count))
    except ValueError:
        return tuple(f"P{seat + 1}" for seat in range(table.seat_count))
    return names
