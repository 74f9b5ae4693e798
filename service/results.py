"""What each round was worth, kept for ever: the rows behind the score sheet.

A row is written in the transaction in which its round ends, and goes when that move is taken back. Tables from before
there were rows get theirs by playing their record again (`complete`). A row also holds how the next round began, so that
a round is played again without those before it.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, select

from engine.game import Game
from service import rounds, stored
from service.models import RoundResult, table_of
from service.rounds import Line, Round
from service.stored import MOVE, Table
from service.upsert import insert_into

RESULT = table_of(RoundResult)


def keep(conn: Connection, table: Table, now: datetime) -> None:
    """Writes the rows of the rounds that have ended in this transaction; its lines are not written yet."""
    if not table.rounds_over:
        return
    table.rounds_over = 0
    _make_up(conn, table, now)


def complete(conn: Connection, table: Table) -> None:
    """Makes up the rows of a table from before there were any. The table is locked by whoever calls."""
    if table.state is not None:
        _make_up(conn, table, None)


def take_back(conn: Connection, table: Table) -> None:
    """The last line that counts is about to be taken back: a round that it ended is not over any more."""
    lines = rounds.standing(line for line, _ in _lines(conn, table, 0))
    if lines:
        conn.execute(delete(RESULT).where(RESULT.c.table_id == table.id, RESULT.c.upto >= lines[-1].n))


def _make_up(conn: Connection, table: Table, now: datetime | None) -> None:
    """Rows of all rounds that are over and have none. `now` is the time of lines that are not written yet."""
    n, start, upto = _after_last(conn, table)
    lines = _lines(conn, table, upto)
    times = {line.n: at or now for line, at in lines}
    played = rounds.over(table.game, start, rounds.standing(line for line, _ in lines))
    _write(conn, table, _worth_something(table.game, played, n), times)


def of_tables(conn: Connection, ids: Sequence[int]) -> dict[int, list[Any]]:
    """The rows of these tables, each table's in order."""
    found: dict[int, list[Any]] = {table_id: [] for table_id in ids}
    columns = [column for column in RESULT.c if column.name != "following"]  # as long as all others together
    for row in conn.execute(select(*columns).where(RESULT.c.table_id.in_(ids)).order_by(RESULT.c.table_id, RESULT.c.n)):
        found[row.table_id].append(row)
    return found


def count(conn: Connection, table_id: int) -> int:
    """How many rows a table has."""
    return conn.execute(select(func.count()).select_from(RESULT).where(RESULT.c.table_id == table_id)).scalar_one()


def of_round(conn: Connection, table: Table, n: int) -> Round | None:
    """A finished round of a table, to be played again; None where there is none of that number."""
    rows = conn.execute(
        select(RESULT.c.n, RESULT.c.upto, RESULT.c.following)
        .where(RESULT.c.table_id == table.id, RESULT.c.n.in_((n - 1, n)))
        .order_by(RESULT.c.n)
    ).all()
    if not rows or rows[-1].n != n:
        return None
    before = rows[0] if rows[0].n == n - 1 else None
    if n > 1 and (before is None or before.following is None):
        return None
    start = stored.fresh(table) if before is None else table.game.load(json.loads(before.following))
    upto = 0 if before is None else before.upto
    lines = [line for line, _ in _lines(conn, table, upto, rows[-1].upto)]
    return next(rounds.over(table.game, start, rounds.standing(lines)), None)


def _after_last(conn: Connection, table: Table) -> tuple[int, Any, int]:
    """The number of the round after the last row, how it began, and the number of the line before it."""
    last = conn.execute(
        select(RESULT.c.n, RESULT.c.upto, RESULT.c.following)
        .where(RESULT.c.table_id == table.id)
        .order_by(RESULT.c.n.desc())
        .limit(1)
    ).first()
    if last is None:
        return 1, None if table.state is None else stored.fresh(table), 0
    start = table.state if last.following is None else table.game.load(json.loads(last.following))
    return last.n + 1, start, last.upto


def _lines(conn: Connection, table: Table, after: int, upto: int | None = None) -> list[tuple[Line, datetime | None]]:
    """The raw lines of the record after that number and when each came; those of this transaction (None) included."""
    where = [MOVE.c.table_id == table.id, MOVE.c.n > after]
    if upto is not None:
        where.append(MOVE.c.n <= upto)
    rows = conn.execute(select(MOVE.c.n, MOVE.c.seat, MOVE.c.text, MOVE.c.at).where(*where).order_by(MOVE.c.n))
    found: list[tuple[Line, datetime | None]] = [(Line(row.n, row.seat, row.text), row.at) for row in rows]
    first = table.version - len(table.lines) + 1
    new = [(Line(first + i, seat, text), None) for i, (seat, text, _) in enumerate(table.lines)]
    return found + [line for line in new if line[0].n > after]


def _worth_something(game: Game, played: Iterable[Round], first: int) -> Iterable[tuple[int, Round]]:
    """Finished rounds with their numbers, without what was ended before it was dealt."""
    return enumerate((one for one in played if game.points(one.final) is not None), first)


def _write(
    conn: Connection, table: Table, played: Iterable[tuple[int, Round]], times: dict[int, datetime | None]
) -> None:
    game = table.game
    for n, one in played:
        side_of = _side_of(game, table)
        points, totals = game.points(one.final) or (), game.view(one.final, None).scores
        following = None if one.following is None else json.dumps(game.dump(one.following), separators=(",", ":"))
        values = {
            "table_id": table.id, "n": n, "upto": one.upto, "at": times[one.upto], "following": following,
            "points": json.dumps([points[side] for side in side_of]),
            "totals": json.dumps([totals[side] for side in side_of]),
            "facts": json.dumps(facts(game, one), separators=(",", ":")),
        }  # fmt: skip
        conn.execute(insert_into(conn, RESULT).values(values).on_conflict_do_nothing(index_elements=["table_id", "n"]))


def _side_of(game: Game, table: Table) -> list[int]:
    """By seat, the number of its side."""
    sides = game.sides(table.options, table.seat_count)
    return [next(i for i, side in enumerate(sides) if seat in side) for seat in range(table.seat_count)]


def facts(game: Game, one: Round) -> dict[str, Any]:
    """What a round is remembered by, as plain JSON values; what a game does not have is left out.

    `out`: the seat that went out; `pile`: a seat and the most cards that were taken at once; `laid`, `tricks`, `bids`: by
    seat; `moon`, `sun`: the seat that took all; `ended`: whether the game did; `winners`: seats.
    """
    view = game.view(one.final, None)
    found: dict[str, Any] = {"dealer": view.dealer}
    if getattr(view, "out", None) is not None:
        found["out"] = view.out
    pile = _biggest_pile(one)
    if pile is not None:
        found["pile"] = pile
    if any(getattr(view, "contributed", ())):
        found["laid"] = list(view.contributed)
    if any(getattr(view, "tricks", ())):
        found["tricks"] = list(view.tricks)
    if any(bid is not None for bid in getattr(view, "bids", ())):
        found["bids"] = list(view.bids)
    for event in one.events:
        if event.kind in ("moon", "sun"):
            found[event.kind] = event.seat
    if view.ended:
        found |= {"ended": True, "winners": sorted(seat for side in view.winners for seat in view.sides[side])}
    return found


def _biggest_pile(one: Round) -> list[int] | None:
    """Who took the most cards from the pile at once, and how many; the first of equals."""
    best = max(one.steps, key=lambda step: step.taken, default=None)
    return None if best is None or not best.taken else [best.line.seat, best.taken]
