"""What happens when an alarm rings: a reminder, word to the table that somebody is late, a bot on the seat.

Everything is read again at that moment: moved meanwhile, game over, opted out, away, asleep, just here. Then there is no
text, and the reason is kept with the alarm. Nothing resolves before the time that was announced for it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Connection, Select, bindparam, select, update

from service import alarms, calls, hours, manners, play, stored, tables
from service.db import reading
from service.desk import Desk
from service.logs import fault
from service.reminders import remind, still_waiting, unsent
from service.services import Services
from service.stored import NUDGE, PLAYER, Sitter, Table
from service.text import render
from service.transact import transact

AT_ONCE = 100  # alarms looked up at a time
AGAIN = timedelta(minutes=10)  # until an alarm is looked at again that could not be
MISSED_CLOCKS = 2  # in a row, and somebody counts as away
ON_TIME = timedelta(minutes=2)  # a sweep, and a bit

log = structlog.get_logger(__name__)

_ALARM = select(NUDGE).where(
    NUDGE.c.table_id == bindparam("the_table"), NUDGE.c.id == bindparam("the_alarm"), NUDGE.c.due_at <= bindparam("now")
)


def ring_some(services: Services, stopping: Callable[[], bool] = lambda: False) -> int:
    """Rings the alarms that have been due longest, each in a transaction of its own; how many. 0: none is due."""
    now = services.clock()
    with reading(services.db) as conn:
        due = conn.execute(due_alarms(now)).scalars().all()
    for count, alarm_id in enumerate(due):
        if stopping():
            return count
        try:
            ring(services, alarm_id)
        except Exception as error:  # noqa: BLE001  # one that cannot be looked at shall not keep the others from ringing
            log.error("alarm.failed", alarm=alarm_id, **fault(error))
            with services.db.begin() as conn:
                conn.execute(update(NUDGE).where(NUDGE.c.id == alarm_id).values(due_at=now + AGAIN))
    return len(due)


def due_alarms(now: datetime) -> Select[Any]:
    """Which alarms ring next."""
    return select(NUDGE.c.id).where(NUDGE.c.due_at <= now).order_by(NUDGE.c.due_at).limit(AT_ONCE)


def ring(services: Services, alarm_id: int) -> None:
    """Looks at one alarm, and does what is due."""

    def work(conn: Connection) -> bool:
        desk = Desk.unasked(services, conn)
        _ring(desk, alarm_id)
        return desk.write_texts()

    if transact(services, work):
        services.bell.ring()


def _ring(desk: Desk, alarm_id: int) -> None:
    seen = desk.conn.execute(select(NUDGE.c.table_id, NUDGE.c.player_id).where(NUDGE.c.id == alarm_id)).first()
    if seen is None:
        return
    # Locks in the order in which a text takes them: the player, the table. What the alarm says is read under both.
    desk.conn.execute(stored.LOCK_PLAYER, {"the_player": seen.player_id})
    table = stored.by_id(desk.conn, seen.table_id)
    alarm = desk.conn.execute(_ALARM, {"the_table": seen.table_id, "the_alarm": alarm_id, "now": desk.now}).first()
    if alarm is None:
        return
    if table is None:
        alarms.drop(desk.conn, alarm)
        return
    if table.paused is not None:  # it stands still; who lets it go on sets its alarms
        alarms.change(desk.conn, alarm, due_at=alarms.NEVER)
        return
    if table.status == stored.PLAYING and calls.is_window(table, alarm):
        if calls.close(desk, table, alarm.seat):
            play.window_ends(desk, table, None)
        return
    sitter = still_waiting(table, alarm)
    if sitter is None:
        alarms.drop(desk.conn, alarm)
        return
    _ring_for(desk, table, sitter, alarm)


def _ring_for(desk: Desk, table: Table, sitter: Sitter, alarm: Any) -> None:
    """Does what is due of the clock and the reminders of somebody who is still waited for; the alarm has its next time."""
    late, end, grace, nudge = bool(alarm.late), alarm.deadline_at, alarm.grace_at, alarm.nudge_at
    others = len(table.people) > 1
    values: dict[str, Any] = {}
    if not others and end is not None and not late:  # nobody waits any more
        end = grace = None
    if grace is not None and late and grace <= desk.now:
        if others and _resolve(desk, table, sitter):
            return
        grace = None
    if end is not None and not late and end <= desk.now:
        if unsent(desk.conn, sitter, table, reminders=False) is not None:
            end, grace = _begin_again(desk, table, sitter)
        else:
            late = True
            grace = _grace(desk, table, sitter, alarm)
            if _tell_late(desk, table, sitter, alarm, grace) and nudge is not None:  # that reminds them, too
                nudge = max(nudge, desk.now + manners.NEXT_NUDGE)
    if nudge is not None and nudge <= desk.now:
        values = remind(desk, table, sitter, alarm)
        nudge = values["nudge_at"]
    due = alarms.due(nudge, None if late else end, grace, desk.now)
    values |= {"nudge_at": nudge, "deadline_at": end, "grace_at": grace, "late": late, "due_at": due}
    alarms.change(desk.conn, alarm, **values)


# Late


def _begin_again(desk: Desk, table: Table, sitter: Sitter) -> tuple[datetime | None, datetime | None]:
    """The text that says whose turn it is has not gone out to this day (no worker, no carrier): the clock begins now."""
    _, end, grace = alarms.clock_of(table, sitter, desk.now)
    if end is not None:
        table.deadlines[sitter.number] = end
    desk.send(table, sitter, "turn", render.turn(desk.scene(table, sitter.number), table.news_for(sitter)))
    return end, grace


def _grace(desk: Desk, table: Table, sitter: Sitter, alarm: Any) -> datetime:
    """When the grace ends: as planned, or as long after now where nobody could be told before (night, no worker)."""
    told = manners.may_go(desk.now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    if told - alarm.deadline_at <= ON_TIME:
        planned: datetime = alarm.grace_at
        return planned
    zone = manners.zones_of(sitter.zone, sitter.address)[0]
    length = timedelta(seconds=table.pace) / 4 if table.pace else alarm.grace_at - alarm.deadline_at
    later: datetime = max(alarm.grace_at, hours.add_pace(told, length, table.weekdays, zone))
    return later


def _tell_late(desk: Desk, table: Table, sitter: Sitter, alarm: Any, grace: datetime) -> bool:
    """The table is told once who is late, and who is late what comes of it; whether the latter has been told anything."""
    rule = table.late_rule
    missed = int(sitter.prefs.get("missed", 0)) + 1
    prefs = dict(sitter.prefs) | {"missed": missed}
    gone = missed >= MISSED_CLOCKS and manners.away_until(prefs, desk.now) is None
    for other in table.people:
        if other is not sitter:
            when, then = _wall(desk, other, alarm.deadline_at), _wall(desk, other, grace)
            desk.send(table, other, "late", render.late(table.code, sitter.name, when, rule, then, gone))
    if rule != "wait" or gone:
        desk.send(table, sitter, "late", render.you_are_late(table.code, rule, _wall(desk, sitter, grace), gone))
    if gone:
        until = desk.now + manners.AWAY
        prefs |= {"away": until.isoformat(), "missed": 0}
        for table_id, seat, _ in alarms.shift(desk.conn, alarm.player_id, manners.AWAY, until, besides=alarm.id):
            _tell_other_table(desk, table_id, seat)
    desk.conn.execute(update(PLAYER).where(PLAYER.c.id == sitter.player_id).values(prefs=prefs))
    sitter.prefs = prefs
    return rule != "wait" or gone


def _tell_other_table(desk: Desk, table_id: int, seat: int) -> None:
    """Where somebody who counts as away from now on is waited for as well. That table is only looked at."""
    table = stored.look(desk.conn, table_id)
    if table is not None and table.status == stored.PLAYING:
        others = [sitter for sitter in table.people if sitter.number != seat]
        desk.send_all(table, others, "notice", render.seems_away(table.code, table.names[seat]))


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
