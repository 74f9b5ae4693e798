"""What happens when an alarm rings: a reminder, word to the table that somebody is late, a bot on the seat.

Everything is read again at that moment: moved meanwhile, game over, opted out, away, asleep, just here. Then there is no
text, and the reason is kept with the alarm. Nothing resolves before the time that was announced for it.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from service import alarms, manners, play, tables
from service.desk import Desk
from service.reminders import remind, still_waiting
from service.services import Services
from service.tables import NUDGE, PLAYER, Sitter, Table
from service.text import render
from service.transact import transact

AT_ONCE = 100  # alarms looked up at a time
MISSED_CLOCKS = 2  # in a row, and somebody counts as away


def ring_all(services: Services) -> int:
    """Rings every alarm that is due, each in a transaction of its own; how many there were. Two at once do no harm."""
    count = 0
    while True:
        with services.db.begin() as conn:
            due = conn.execute(
                select(NUDGE.c.id).where(NUDGE.c.due_at <= services.clock()).order_by(NUDGE.c.due_at).limit(AT_ONCE)
            ).all()
        if not due:
            return count
        for row in due:
            ring(services, row.id)
        count += len(due)


def ring(services: Services, alarm_id: int) -> None:
    """Looks at one alarm, and does what is due."""

    def work(conn: Connection) -> bool:
        desk = Desk(services, conn, None, services.clock(), None, None)
        _ring(desk, alarm_id)
        return desk.write_texts()

    if transact(services, work):
        services.bell.ring()


def _ring(desk: Desk, alarm_id: int) -> None:
    seen = desk.conn.execute(select(NUDGE.c.table_id).where(NUDGE.c.id == alarm_id)).first()
    table = None if seen is None else tables.by_id(desk.conn, seen.table_id)
    # The table's lock comes first, as everywhere; what the alarm says is read under it.
    alarm = desk.conn.execute(select(NUDGE).where(NUDGE.c.id == alarm_id, NUDGE.c.due_at <= desk.now)).first()
    if alarm is None or table is None:
        return
    sitter = still_waiting(table, alarm)
    if sitter is None:
        alarms.drop(desk.conn, alarm.id)
        return
    if alarm.grace_at is not None and alarm.late and alarm.grace_at <= desk.now and _resolve(desk, table, sitter):
        return
    values: dict[str, Any] = {
        "nudge_at": alarm.nudge_at, "deadline_at": alarm.deadline_at, "grace_at": alarm.grace_at, "late": alarm.late
    }  # fmt: skip
    if alarm.grace_at is not None and alarm.late and alarm.grace_at <= desk.now:
        values["grace_at"] = None
    if alarm.deadline_at is not None and not alarm.late and alarm.deadline_at <= desk.now:
        _tell_late(desk, table, sitter, alarm)
        values |= {"late": True}
    if alarm.nudge_at is not None and alarm.nudge_at <= desk.now:
        values |= remind(desk, table, sitter, alarm)
    end = None if values["late"] else values["deadline_at"]
    values["due_at"] = alarms.due(values["nudge_at"], end, values["grace_at"], desk.now)
    alarms.change(desk.conn, alarm.id, **values)


# Late


def _tell_late(desk: Desk, table: Table, sitter: Sitter, alarm: Any) -> None:
    """The table is told once who is late; who is late hears what will happen, where something will."""
    for other in table.people:
        if other is not sitter:
            when = _wall(desk, other, alarm.deadline_at)
            then = _wall(desk, other, alarm.grace_at) if alarm.grace_at else ""
            desk.send(table, other, "late", render.late(table.code, sitter.name, when, table.late_rule, then))
    if table.late_rule != "wait" and alarm.grace_at is not None:
        then = _wall(desk, sitter, alarm.grace_at)
        desk.send(table, sitter, "late", render.you_are_late(table.code, table.late_rule, then))
    missed = int(sitter.prefs.get("missed", 0)) + 1
    prefs = dict(sitter.prefs) | {"missed": missed}
    if missed >= MISSED_CLOCKS and manners.away_until(prefs, desk.now) is None:
        prefs |= {"away": (desk.now + manners.AWAY).isoformat(), "missed": 0}
        desk.send(table, sitter, "late", render.taken_for_away(table.code))
        desk.send_all(
            table, [s for s in table.people if s is not sitter], "late", render.seems_away(table.code, sitter.name)
        )
    desk.conn.execute(update(PLAYER).where(PLAYER.c.id == sitter.player_id).values(prefs=prefs))
    sitter.prefs = prefs


def _wall(desk: Desk, sitter: Sitter, moment: datetime) -> str:
    return manners.wall(moment, sitter.zone, sitter.address, desk.now)


def _resolve(desk: Desk, table: Table, sitter: Sitter) -> bool:
    """The grace is over: what the host has chosen happens. Whether the alarm is dealt with by it."""
    if table.late_rule == "invite":
        code = tables.invite(desk.conn, table, sitter)
        for other in table.people:
            desk.send(table, other, "late", render.seat_open(table.code, sitter.name, code, other is sitter))
        return False
    if table.late_rule != "bot":
        return False
    tables.lend(desk.conn, table, sitter)
    desk.send(table, sitter, "lent", render.lent(table.code))
    play.sit_in(desk, table, sitter)
    return True
