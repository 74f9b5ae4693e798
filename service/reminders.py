"""Reminders: whether one goes out when its time has come, what it says, and when the next is due."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from service import alarms, hours, manners, tables
from service.desk import Desk
from service.tables import NUDGE, OUTBOUND, PLAYING, Sitter, Table
from service.text import render

SOON = timedelta(hours=1)  # somebody has just been here: look again then


def still_waiting(table: Table, alarm: Any) -> Sitter | None:
    """The sitter whom the alarm is about, if it still is their turn, and the same one."""
    if table.status != PLAYING or alarm.seat not in table.game.waiting(table.state) or alarm.since != table.turn_since:
        return None
    sitter = table.sitters[alarm.seat]
    return sitter if sitter.person and sitter.player_id == alarm.player_id else None


def remind(desk: Desk, table: Table, sitter: Sitter, alarm: Any) -> dict[str, Any]:
    """Sends a reminder or keeps why not; what changes in the alarm."""
    now = desk.now
    away = manners.away_until(sitter.prefs, now)
    if sitter.opted_out:
        return {"nudge_at": None, "last_reason": "opted-out"}
    if sitter.prefs.get("nudge") == "off" and alarm.asked_at is None:
        return {"nudge_at": None, "last_reason": "wants-none"}
    if sitter.last_inbound_at is not None and now - sitter.last_inbound_at > manners.IDLE:
        return {"nudge_at": None, "last_reason": "idle"}
    if away is not None:
        return {"nudge_at": away, "last_reason": "away"}
    if sitter.last_inbound_at is not None and now - sitter.last_inbound_at < manners.ACTIVE:
        return {"nudge_at": now + SOON, "last_reason": "just-here"}
    opens = manners.may_go(now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    if opens > now:
        return {"nudge_at": opens, "last_reason": "asleep"}
    if _unsent(desk.conn, sitter, table):
        return {"nudge_at": now + SOON, "last_reason": "unsent"}
    others = _near(desk, sitter, alarm)
    alarm_ids = [alarm.id]
    scene = desk.scene(table, sitter.number)
    if others:
        waiting = [(table.code, alarm.since), *((t.code, a.since) for t, a in others)]
        since = [(code, manners.wall(when, sitter.zone, sitter.address, now)) for code, when in waiting]
        desk.send(table, sitter, "nudges", render.reminders(since))
        alarm_ids += [a.id for _, a in others]
    else:
        desk.send(table, sitter, "nudge", render.reminder(scene, table.news_for(sitter)))
    for other_table, other in others:
        seat = other_table.sitters[other.seat]
        again = _next(seat, other, now)
        end = None if other.late else other.deadline_at
        due = alarms.due(again, end, other.grace_at, now)
        alarms.change(desk.conn, other.id, nudge_at=again, sent=other.sent + 1, due_at=due, last_reason=None)
    return {"nudge_at": _next(sitter, alarm, now), "sent": alarm.sent + 1, "last_reason": None}


def _next(sitter: Sitter, alarm: Any, now: datetime) -> datetime | None:
    zones = manners.zones_of(sitter.zone, sitter.address)
    began = hours.opening(alarm.since, zones, manners.window_of(sitter.prefs))
    return manners.next_nudge(began, alarm.sent + 1, now, zones, sitter.prefs)


def _unsent(conn: Connection, sitter: Sitter, table: Table) -> bool:
    """Whether a text about this very turn still waits to be sent."""
    waiting = select(OUTBOUND.c.id).where(
        OUTBOUND.c.player_id == sitter.player_id,
        OUTBOUND.c.table_id == table.id,
        OUTBOUND.c.status.in_(("pending", "retry", "sending")),
        OUTBOUND.c.kind.in_(("turn", "round", "dealt", "nudge")),
    )
    return conn.execute(waiting.limit(1)).first() is not None


def _near(desk: Desk, sitter: Sitter, alarm: Any) -> list[tuple[Table, Any]]:
    """Other tables where a reminder to the same player is due soon: one text tells of them all."""
    rows = desk.conn.execute(
        select(NUDGE)
        .where(
            NUDGE.c.player_id == sitter.player_id,
            NUDGE.c.id != alarm.id,
            NUDGE.c.nudge_at <= desk.now + manners.NEAR,
        )
        .order_by(NUDGE.c.table_id)
    ).all()
    found = []
    for row in rows:
        table = tables.by_id(desk.conn, row.table_id)
        if table is not None and still_waiting(table, row) is not None:
            found.append((table, row))
    return found


def asked(desk: Desk, table: Table, sitter: Sitter) -> tuple[str, datetime]:
    """`nudge Bea`: sends a reminder now, or in Bea's waking hours; not twice in eight hours however many ask.

    Says what comes of it: `sent` (now), `later` (when), `already` (when the last one went or will go), `off`.
    """
    alarm = alarms.of_seat(desk.conn, table, sitter.number)
    if alarm is None or sitter.opted_out:
        return "off", desk.now
    if alarm.asked_at is not None and desk.now - alarm.asked_at < manners.ASKED_AGAIN:
        return "already", alarm.asked_at
    away = manners.away_until(sitter.prefs, desk.now)
    when = away or manners.may_go(desk.now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    end = None if alarm.late else alarm.deadline_at
    if when > desk.now:
        due = alarms.due(when, end, alarm.grace_at, desk.now)
        alarms.change(desk.conn, alarm.id, nudge_at=when, asked_at=when, due_at=due)
        return "later", when
    desk.send(table, sitter, "nudge", render.reminder(desk.scene(table, sitter.number), table.news_for(sitter)))
    again = _next(sitter, alarm, desk.now)
    due = alarms.due(again, end, alarm.grace_at, desk.now)
    alarms.change(desk.conn, alarm.id, nudge_at=again, asked_at=desk.now, sent=alarm.sent + 1, due_at=due)
    return "sent", desk.now
