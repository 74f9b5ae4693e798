"""Reminders: whether one goes out when its time has come, what it says, and when the next is due."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, or_, select
from sqlalchemy import text as sql

from service import alarms, hours, manners, stored
from service.desk import Desk
from service.models import WAITING
from service.stored import INBOUND, NUDGE, OUTBOUND, PLAYING, Sitter, Table
from service.text import render

SOON = timedelta(hours=1)  # somebody has just been here: look again then


def still_waiting(table: Table, alarm: Any) -> Sitter | None:
    """The sitter whom the alarm is about, if it still is their turn, and the same one."""
    if table.status != PLAYING or alarm.seat not in table.due or alarm.since != table.turn_since:
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
    if unsent(desk.conn, sitter, table) is not None:
        zones = manners.zones_of(sitter.zone, sitter.address)
        return {"nudge_at": manners.next_nudge(now, alarm.sent, now, zones, sitter.prefs), "last_reason": "unsent"}
    others = _near(desk, sitter, alarm)
    if others:
        waiting = [(table.code, alarm.since), *((t.code, a.since) for t, a in others)]
        since = [(code, manners.wall(when, sitter.zone, sitter.address, now)) for code, when in waiting]
        desk.send(table, sitter, "nudges", render.reminders(since))
    else:
        _say(desk, table, sitter, alarm)
    for _, other in others:
        alarms.remind_at(desk.conn, other, _next(sitter, other, now), now)
        alarms.change(desk.conn, other, sent=other.sent + 1)
    return {"nudge_at": _next(sitter, alarm, now), "sent": alarm.sent + 1, "last_reason": None}


def _say(desk: Desk, table: Table, sitter: Sitter, alarm: Any) -> None:
    """The reminder itself, with the deadline where the clock still runs."""
    if alarm.deadline_at is not None and not alarm.late:
        table.deadlines[sitter.number] = alarm.deadline_at
    desk.send(table, sitter, "nudge", render.reminder(desk.scene(table, sitter.number), table.news_for(sitter)))


def _next(sitter: Sitter, alarm: Any, now: datetime) -> datetime | None:
    zones = manners.zones_of(sitter.zone, sitter.address)
    began = hours.opening(alarm.since, zones, manners.window_of(sitter.prefs))
    return manners.next_nudge(began, alarm.sent + 1, now, zones, sitter.prefs)


# What somebody is answered whose nudge went out, or will: by these words it is known again.
NUDGED, NOT_WOKEN = "{} has been nudged", "{} is not to be woken now"
OF_THE_TURN = ("turn", "turns", "round", "dealt")


def unsent(conn: Connection, sitter: Sitter, table: Table, *, reminders: bool = True) -> datetime | None:
    """When a text that tells of this very turn (or reminds of it) goes out, where one still waits to be sent."""
    kinds = (*OF_THE_TURN, "nudge", "nudges") if reminders else OF_THE_TURN
    waiting = select(OUTBOUND.c.next_attempt_at).where(
        OUTBOUND.c.player_id == sitter.player_id,
        OUTBOUND.c.table_id == table.id,
        sql(WAITING),  # as the index has it
        OUTBOUND.c.kind.in_(kinds),
    )
    found: datetime | None = conn.execute(waiting.order_by(OUTBOUND.c.id).limit(1)).scalar()
    return found


def _lately(desk: Desk, table: Table, sitter: Sitter) -> datetime | None:
    """When this turn's last reminder went, if that is not long ago."""
    rows = select(OUTBOUND.c.created_at).where(
        OUTBOUND.c.player_id == sitter.player_id,
        OUTBOUND.c.created_at > max(desk.now - manners.ASKED_AGAIN, table.turn_since or desk.now),
        OUTBOUND.c.status.not_in(("canceled", "failed")),
        or_(and_(OUTBOUND.c.kind == "nudge", OUTBOUND.c.table_id == table.id), OUTBOUND.c.kind == "nudges"),
    )
    found: datetime | None = desk.conn.execute(rows.order_by(OUTBOUND.c.created_at.desc()).limit(1)).scalar()
    return found


def _told_so(desk: Desk, table: Table, sitter: Sitter) -> datetime | None:
    """When a nudge that went nowhere would have gone, where who texts has lately been told that it went or will go."""
    rows = select(INBOUND.c.received_at).where(
        INBOUND.c.player_id == desk.player.id,
        INBOUND.c.table_id == table.id,
        INBOUND.c.received_at > max(desk.now - manners.ASKED_AGAIN, table.turn_since or desk.now),
        or_(
            INBOUND.c.answer.contains(NUDGED.format(sitter.name), autoescape=True),
            INBOUND.c.answer.contains(NOT_WOKEN.format(sitter.name), autoescape=True),
        ),
    )
    at: datetime | None = desk.conn.execute(rows.order_by(INBOUND.c.received_at.desc()).limit(1)).scalar()
    if at is None:
        return None
    return manners.may_go(at, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)


def _near(desk: Desk, sitter: Sitter, alarm: Any) -> list[tuple[Table, Any]]:
    """Other tables where a reminder to the same player is due soon: one text tells of them all.

    They are only looked at, not locked: it is this player who must move there, and the player's row is locked.
    """
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
        table = stored.look(desk.conn, row.table_id)
        if table is not None and still_waiting(table, row) is not None:
            found.append((table, row))
    return found


def asked(desk: Desk, table: Table, sitter: Sitter, *, wanted: bool = True) -> tuple[str, datetime]:
    """`nudge Bea`: sends a reminder now, or in Bea's waking hours; not twice in eight hours however many ask.

    Says what comes of it: `sent` (now), `later` (when), `already` (when the last one went or will go), `untold` (when
    the text of the turn itself goes), `away` (until when), `off`. Not `wanted` (who asks is blocked): the same is said, and
    nothing is sent.
    """
    now = desk.now
    alarm = alarms.of_seat(desk.conn, table, sitter.number)
    idle = sitter.last_inbound_at is not None and now - sitter.last_inbound_at > manners.IDLE
    if alarm is None or sitter.opted_out or idle:
        return "off", now
    away = manners.away_until(sitter.prefs, now)
    if away is not None:
        return "away", away
    if alarm.asked_at is not None and now - alarm.asked_at < manners.ASKED_AGAIN:
        return "already", alarm.asked_at
    goes = unsent(desk.conn, sitter, table)
    if goes is not None:
        return "untold", max(goes, now)
    went = _lately(desk, table, sitter)
    if went is not None:
        return "already", went
    when = manners.may_go(now, sitter.zone, sitter.address, sitter.prefs, sitter.last_inbound_at)
    if not wanted:
        before = _told_so(desk, table, sitter)
        return ("already", before) if before is not None else ("later" if when > now else "sent", when)
    if when > now:
        alarms.remind_at(desk.conn, alarm, when, now)
        alarms.change(desk.conn, alarm, asked_at=when)
        return "later", when
    _say(desk, table, sitter, alarm)
    alarms.remind_at(desk.conn, alarm, _next(sitter, alarm, now), now)
    alarms.change(desk.conn, alarm, asked_at=now, sent=alarm.sent + 1)
    return "sent", now


def again(desk: Desk, player_id: int, zone: str | None, address: str, prefs: dict[str, Any]) -> None:
    """Somebody's wishes have changed, or they are back: when their turns are next reminded of."""
    zones = manners.zones_of(zone, address)
    for alarm in alarms.of_player(desk.conn, player_id):
        if alarm.last_reason == "asleep" or (alarm.asked_at is not None and alarm.asked_at > desk.now):
            alarms.remind_at(desk.conn, alarm, desk.now, desk.now)  # looked at at once: their day may have changed
            continue
        began = hours.opening(alarm.since, zones, manners.window_of(prefs))
        alarms.remind_at(
            desk.conn, alarm, manners.next_nudge(max(began, desk.now), alarm.sent, desk.now, zones, prefs), desk.now
        )
