"""Whether what is kept is right: every log replays to the stored state, and every text has had its effect once.

It only reads. `queenline db check` runs it over the whole database, and so does whoever has restored a backup or given the
service a bad night (`make chaos`).
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, Engine, exists, func, select

from engine.game import Refusal
from service import stored
from service.db import reading
from service.models import Outbound, table_of
from service.stored import INBOUND, MOVE, OVER, PLAYING, TABLE

OUTBOUND = table_of(Outbound)
# What has been due, or with somebody who sends it, for longer than this is stuck.
STUCK = timedelta(minutes=10)
BATCH = 200


class Fault(NamedTuple):
    """One thing that is not as it must be; `where` is `table 12 (KF7)`, `inbound 5`, `outbound 7`."""

    where: str
    what: str


class Audit(NamedTuple):
    """How much was looked at, and what was wrong with it."""

    tables: int
    moves: int
    inbound: int
    outbound: int
    faults: list[Fault]


def audit(engine: Engine, now: datetime | None = None) -> Audit:
    """Looks at everything. With `now`, texts that should have gone out long before it are faults, too."""
    faults: list[Fault] = []
    with reading(engine) as conn:
        ids = list(conn.execute(select(TABLE.c.id).order_by(TABLE.c.id)).scalars())
    moves = 0
    for first in range(0, len(ids), BATCH):  # short transactions: the service goes on meanwhile
        with reading(engine) as conn:
            for table_id in ids[first : first + BATCH]:
                count, found = _table(conn, table_id)
                moves += count
                faults += found
    with reading(engine) as conn:
        faults += _texts(conn, now)
        inbound = conn.execute(select(func.count()).select_from(INBOUND)).scalar_one()
        outbound = conn.execute(select(func.count()).select_from(OUTBOUND)).scalar_one()
    return Audit(len(ids), moves, inbound, outbound, faults)


def _table(conn: Connection, table_id: int) -> tuple[int, list[Fault]]:
    """How many lines a table's log has, and what is wrong with it."""
    table = stored.look(conn, table_id)
    if table is None:
        return 0, []
    where = f"table {table_id} ({table.code})"
    rows = conn.execute(
        select(MOVE.c.n, MOVE.c.seat, MOVE.c.text).where(MOVE.c.table_id == table_id).order_by(MOVE.c.n)
    )
    lines = [(row.n, row.seat, row.text) for row in rows]
    faults = []
    if [n for n, _, _ in lines] != list(range(1, table.version + 1)):
        faults.append(Fault(where, f"{len(lines)} lines in the log, where the table says {table.version}"))
    if table.state is None:
        return len(lines), faults
    try:
        state, _ = stored.replay(table, stored.standing([(seat, text) for _, seat, text in lines]))
        while stored.game_over(state) and not stored.game_over(table.state):
            table.game.next_round(state)
    except (Refusal, ValueError, IndexError) as error:
        return len(lines), [*faults, Fault(where, f"its log does not replay: {error}")]
    if _json(table.game.dump(state)) != _json(table.game.dump(table.state)):
        faults.append(Fault(where, "its log replays to another state than the stored one"))
    if (table.status == OVER) != bool(table.state.ended) and table.status in (OVER, PLAYING):
        faults.append(
            Fault(where, f"it is {table.status}, but its game {'has' if table.state.ended else 'has not'} ended")
        )
    return len(lines), faults


def _json(dump: object) -> str:
    return json.dumps(dump, sort_keys=True)


def _texts(conn: Connection, now: datetime | None) -> Iterator[Fault]:
    """Texts without the effect that they are said to have had, and texts that nobody sends."""
    moved = exists().where(MOVE.c.inbound_id == INBOUND.c.id)
    for row in conn.execute(select(INBOUND.c.id).where(INBOUND.c.kind == "moves", ~moved)):
        yield Fault(f"inbound {row.id}", "it made moves, it says, and no line of a log is from it")
    for row in conn.execute(select(INBOUND.c.id).where(INBOUND.c.kind == "")):
        yield Fault(f"inbound {row.id}", "it was claimed, and nothing came of it")
    for row in conn.execute(select(INBOUND.c.id).where(INBOUND.c.kind == "error")):
        yield Fault(f"inbound {row.id}", "it failed by a fault of ours")
    if now is None:
        return
    late = now - STUCK
    due = OUTBOUND.c.status.in_(("pending", "retry")) & (OUTBOUND.c.next_attempt_at < late)
    held = (OUTBOUND.c.status == "sending") & (OUTBOUND.c.lease_until < late)
    for row in conn.execute(select(OUTBOUND.c.id, OUTBOUND.c.status).where(due | held)):
        yield Fault(f"outbound {row.id}", f"it should have gone out long ago and is still {row.status}")
