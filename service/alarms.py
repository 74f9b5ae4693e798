"""The alarm of a seat that must act: when to remind, when its clock runs out, when the grace after it does.

One row a seat and turn (`nudge`), written in the transaction that begins the turn and deleted by the one that ends the
game. The row says only when to look: what is done is decided when it rings (`service.late`), from what is so then.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from engine.game import Seat
from service import hours, manners
from service.pipeline import later
from service.stored import NUDGE, PLAYING, Sitter, Table

NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # of a table that the operator has stopped

_CLEAR = delete(NUDGE).where(NUDGE.c.table_id == bindparam("the_table"))
_CLEAR_SEATS = delete(NUDGE).where(
    NUDGE.c.table_id == bindparam("the_table"), NUDGE.c.seat.in_(bindparam("seats", expanding=True))
)
_SET = insert(NUDGE)
_DEADLINE = select(NUDGE.c.deadline_at, NUDGE.c.late).where(
    NUDGE.c.table_id == bindparam("the_table"), NUDGE.c.seat == bindparam("seat")
)


def begin(conn: Connection, table: Table, now: datetime) -> None:
    """A turn has begun, or the game is over: sets the alarms of those who must act, and drops all others.

    A clock runs only where another person waits for it.
    """
    later(conn, _CLEAR, {"the_table": table.id})
    table.deadlines = {}
    if table.status != PLAYING:
        return
    rows = []
    for seat in table.due:
        sitter = table.sitters[seat]
        if sitter.person:
            rows.append(_row(table, sitter, now))
    if rows:
        later(conn, _SET, rows)


def pass_on(conn: Connection, table: Table, done: Iterable[Seat]) -> None:
    """Some of several who had to act at once have done so: their alarms go, those of the others stay as they are."""
    conn.execute(_CLEAR_SEATS, {"the_table": table.id, "seats": list(done)})


def clock_of(table: Table, sitter: Sitter, now: datetime) -> tuple[datetime, datetime | None, datetime | None]:
    """When the clock of a turn begins to run, when it runs out, and when the grace after it does.

    It begins when the turn can be told, and for who is away when they are back. It runs only where others wait.
    """
    away = manners.away_until(sitter.prefs, now)
    if away is not None:
        began = hours.opening(away, manners.zones_of(sitter.zone, sitter.address), manners.window_of(sitter.prefs))
    else:
        began = manners.may_go(now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    pace = table.pace if len(table.people) > 1 else None
    zones = manners.zones_of(sitter.zone, sitter.address)
    end, grace = manners.deadline(began, pace, bool(table.weekdays), zones) or (None, None)
    return began, end, grace


def _row(table: Table, sitter: Sitter, now: datetime) -> dict[str, Any]:
    began, end, grace = clock_of(table, sitter, now)
    zones = manners.zones_of(sitter.zone, sitter.address)
    nudge = manners.next_nudge(began, 0, began, zones, sitter.prefs)
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
        found = conn.execute(_DEADLINE, {"the_table": table.id, "seat": seat}).first()
        if found is None or found.deadline_at is None or found.late:
            return None
        table.deadlines[seat] = found.deadline_at
    return table.deadlines[seat]


def of_seat(conn: Connection, table: Table, seat: int) -> Any:
    """The alarm of a seat, or None."""
    return conn.execute(select(NUDGE).where(NUDGE.c.table_id == table.id, NUDGE.c.seat == seat)).first()


def change(conn: Connection, alarm: Any, **values: Any) -> None:
    """Changes an alarm (a row); `due_at` follows from the rest, so name all of it that matters."""
    conn.execute(update(NUDGE).where(NUDGE.c.table_id == alarm.table_id, NUDGE.c.id == alarm.id).values(**values))


def drop(conn: Connection, alarm: Any) -> None:
    """An alarm that has nothing to wait for any more."""
    conn.execute(delete(NUDGE).where(NUDGE.c.table_id == alarm.table_id, NUDGE.c.id == alarm.id))


def shift(
    conn: Connection, player_id: int, by: timedelta, until: datetime, besides: int | None = None
) -> list[tuple[int, int, datetime]]:
    """Puts the clocks of a player off by so much, and reminders to `until`; table, seat and new deadline of each clock.

    What has been told to run out stays: who is late already is, and an alarm `besides` is left alone.
    """
    moved = []
    for row in conn.execute(select(NUDGE).where(NUDGE.c.player_id == player_id).order_by(NUDGE.c.id)).all():
        if row.id == besides:
            continue
        end, grace = row.deadline_at, row.grace_at
        if not row.late and end is not None:
            end += by
            grace = None if grace is None else grace + by
            moved.append((row.table_id, row.seat, end))
        nudge = None if row.nudge_at is None else max(row.nudge_at, until)
        at = due(nudge, None if row.late else end, grace, until)
        change(conn, row, deadline_at=end, grace_at=grace, nudge_at=nudge, due_at=at)
    return moved


def of_player(conn: Connection, player_id: int) -> list[Any]:
    """All alarms of a player."""
    return list(conn.execute(select(NUDGE).where(NUDGE.c.player_id == player_id).order_by(NUDGE.c.id)))


def remind_at(conn: Connection, alarm: Any, nudge: datetime | None, now: datetime) -> None:
    """Another time for the next reminder of an alarm; the rest of it stays."""
    end = None if alarm.late else alarm.deadline_at
    at = due(nudge, end, alarm.grace_at, now)
    change(conn, alarm, nudge_at=nudge, due_at=at, last_reason=None)


def stop(conn: Connection, table_id: int) -> None:
    """No alarm of a table rings until `go_on`."""
    conn.execute(update(NUDGE).where(NUDGE.c.table_id == table_id).values(due_at=NEVER))


def go_on(conn: Connection, table_id: int, stood: timedelta, now: datetime) -> None:
    """The alarms of a table that has stood still for so long: everything is as much later."""
    for row in conn.execute(select(NUDGE).where(NUDGE.c.table_id == table_id).order_by(NUDGE.c.id)).all():
        moments = {name: getattr(row, name) for name in ("nudge_at", "deadline_at", "grace_at")}
        later = {name: None if at is None else at + stood for name, at in moments.items()}
        end = None if row.late else later["deadline_at"]
        change(conn, row, **later, due_at=due(later["nudge_at"], end, later["grace_at"], now))


def put_off(conn: Connection, table_id: int, by: timedelta, now: datetime) -> list[tuple[int, datetime]]:
    """Moves the clocks that run at a table, and the grace after them; seat and new deadline of each that still runs."""
    moved = []
    for row in conn.execute(select(NUDGE).where(NUDGE.c.table_id == table_id).order_by(NUDGE.c.id)).all():
        if row.deadline_at is None:
            continue
        end = max(row.deadline_at + by, now)
        grace = None if row.grace_at is None else row.grace_at + (end - row.deadline_at)
        late = bool(row.late) and end <= now
        at = row.due_at if row.due_at == NEVER else due(row.nudge_at, None if late else end, grace, now)
        change(conn, row, deadline_at=end, grace_at=grace, late=late, due_at=at)
        moved.append((row.seat, end))
    return moved
