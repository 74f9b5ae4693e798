"""The alarm of a seat that must act: when to remind, when its clock runs out, when the grace after it does.

One row a seat and turn (`nudge`), written in the transaction that begins the turn and deleted by the one that ends the
game. The row says only when to look: what is done is decided when it rings (`service.late`), from what is so then.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from service import manners
from service.tables import NUDGE, PLAYING, Sitter, Table

_CLEAR = delete(NUDGE).where(NUDGE.c.table_id == bindparam("the_table"))
_SET = insert(NUDGE)
_DEADLINE = select(NUDGE.c.deadline_at).where(
    NUDGE.c.table_id == bindparam("the_table"), NUDGE.c.seat == bindparam("seat")
)

COLUMNS = ("due_at", "nudge_at", "deadline_at", "grace_at")


def begin(conn: Connection, table: Table, now: datetime) -> None:
    """A turn has begun, or the game is over: sets the alarms of those who must act, and drops all others.

    A clock runs only where another person waits for it.
    """
    conn.execute(_CLEAR, {"the_table": table.id})
    table.deadlines = {}
    if table.status != PLAYING:
        return
    rows = []
    for seat in table.game.waiting(table.state):
        sitter = table.sitters[seat]
        if sitter.person:
            rows.append(_row(table, sitter, now))
    if rows:
        conn.execute(_SET, rows)


def _row(table: Table, sitter: Sitter, now: datetime) -> dict[str, Any]:
    zones = manners.zones_of(sitter.zone, sitter.address)
    began = manners.may_go(now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    nudge = manners.next_nudge(began, 0, began, zones, sitter.prefs)
    waits = len(table.people) > 1
    clock = manners.deadline(began, table.pace if waits else None, bool(table.weekdays), zones)
    away = manners.away_until(sitter.prefs, now)
    if away is not None:  # their clock stands still until then
        nudge = None if nudge is None else max(nudge, away)
        if clock is not None:
            clock = (clock[0] + (away - now), clock[1] + (away - now))
    end, grace = clock if clock is not None else (None, None)
    if end is not None:
        table.deadlines[sitter.number] = end
    return {
        "table_id": table.id, "seat": sitter.number, "player_id": sitter.player_id, "turn_version": table.version,
        "due_at": due(nudge, end, grace, now), "sent": 0, "since": table.turn_since, "nudge_at": nudge,
        "deadline_at": end, "grace_at": grace, "late": False,
    }  # fmt: skip


def due(nudge: datetime | None, end: datetime | None, grace: datetime | None, now: datetime) -> datetime:
    """The nearest of them; where there is none, so far away that somebody looks at it one day."""
    return min((moment for moment in (nudge, end, grace) if moment is not None), default=now + manners.IDLE)


def deadline_of(conn: Connection, table: Table, seat: int) -> datetime | None:
    """When the clock of that seat runs out, if one runs."""
    if seat not in table.deadlines:
        found = conn.execute(_DEADLINE, {"the_table": table.id, "seat": seat}).scalar()
        if found is None:
            return None
        table.deadlines[seat] = found
    return table.deadlines[seat]


def of_seat(conn: Connection, table: Table, seat: int) -> Any:
    """The alarm of a seat, or None."""
    return conn.execute(select(NUDGE).where(NUDGE.c.table_id == table.id, NUDGE.c.seat == seat)).first()


def change(conn: Connection, alarm_id: int, **values: Any) -> None:
    """Changes an alarm; `due_at` follows from the rest, so name all of it that matters."""
    conn.execute(update(NUDGE).where(NUDGE.c.id == alarm_id).values(**values))


def drop(conn: Connection, alarm_id: int) -> None:
    """An alarm that has nothing to wait for any more."""
    conn.execute(delete(NUDGE).where(NUDGE.c.id == alarm_id))


def shift(conn: Connection, player_id: int, by: timedelta, now: datetime) -> list[tuple[int, int, datetime]]:
    """Puts the clocks of a player off by so much; table, seat and new deadline of each that has one."""
    moved = []
    for row in conn.execute(select(NUDGE).where(NUDGE.c.player_id == player_id)).all():
        end = None if row.deadline_at is None or row.late else row.deadline_at + by
        grace = None if row.grace_at is None else row.grace_at + by
        nudge = None if row.nudge_at is None else max(row.nudge_at, now + by)
        change(conn, row.id, deadline_at=end, grace_at=grace, nudge_at=nudge, due_at=due(nudge, end, grace, now))
        if end is not None:
            moved.append((row.table_id, row.seat, end))
    return moved
