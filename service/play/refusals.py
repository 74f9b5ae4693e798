"""Answers to a text that was not done, or not to its end: a question, a refusal, a card drawn ahead, words sent twice."""

import re
from collections.abc import Callable, Sequence

from sqlalchemy import select

from engine.game import Event, Loose, Refusal
from service import replies, stored
from service.desk import Desk
from service.stored import INBOUND, MOVE, Sitter, Table
from service.text import render
from service.text.understand import Reading
from service.twice import sent_twice

DRAWS = re.compile(
    r"\s*(?:please\s+)?(?:(?:draw|drew|dr|d)\b(?:\s+(?:a|one|1|the)\b)?|take\s+(?:a|one|1)\b)(?:\s+(?:top\s+)?card\b)?"
    r"[\s.,;!]*(?:(?:and|then)\b\s*)*",
    re.I,
)
TAKES = re.compile(r"\s*(?:please\s+)?(?:i'?ll\s+)?(?:pick|take|grab|scoop)", re.I)


def stopped(desk: Desk, table: Table, reading: Reading) -> str:
    """Why the text was not done to its end, in the answer to what was done of it."""
    if reading.kind == "ask":
        _remember_question(desk, table, reading)
        return render.question(reading.hint, reading.offered)
    if reading.kind == "unclear":
        return render.stopped(render.not_understood(reading.hint or reading.rest))
    return render.stopped(reading.hint, reading.rest)


def _remember_question(desk: Desk, table: Table, reading: Reading) -> None:
    desk.pending = {"table": table.code, "choices": list(reading.choices)}


def not_done(
    desk: Desk, mine: Sequence[Table], table: Table | None, reading: Reading, act: Callable[[str], str | None]
) -> str | None:
    """A text that changes nothing: refused, asked back, or not understood.

    `act` does what stands behind a draw that was made ahead.
    """
    me = None if table is None else table.seat_of(desk.player.id)
    if table is None or table.state is None or me is None:
        return replies.lost(desk, mine, table, reading)
    scene = desk.scene(table, me.number)
    if reading.kind == "ask":
        _remember_question(desk, table, reading)
        return render.ask(table.code, reading.hint, reading.offered)
    if reading.kind != "refused":
        return render.unclear(table.code, reading.hint, scene)
    words = reading.rest or (desk.sms.body if desk.sms is not None else "")
    drawn = _drawn_ahead(desk, table, me) if reading.code == "PHASE" and desk.sms is not None else None
    if drawn and (begins := DRAWS.match(words)):
        desk.kind = "repeated"
        rest = words[begins.end() :]
        return act(f"{table.code} {rest}") if rest.strip(" .!,;") else render.drew_already(scene, drawn)
    if drawn and TAKES.match(words):
        desk.kind, why = _why_no_take(desk, table, me)
        return render.drew_already(scene, drawn, why)
    if reading.code in ("TURN", "PHASE", "NOTHELD") and sent_twice(desk) is not None:
        desk.kind = "repeated"
        return render.already(scene)
    desk.kind = f"refused:{reading.code}"
    return render.refused(scene, reading.code, reading.hint)


def _drawn_ahead(desk: Desk, table: Table, me: Sitter) -> list[Event] | None:
    """What was drawn for somebody as this turn began, by a plan or for want of a choice, if nothing has happened since."""
    last = desk.conn.execute(
        select(MOVE.c.seat, MOVE.c.text, MOVE.c.bot, MOVE.c.inbound_id, INBOUND.c.player_id)
        .select_from(MOVE.outerjoin(INBOUND, INBOUND.c.id == MOVE.c.inbound_id))
        .where(MOVE.c.table_id == table.id, MOVE.c.n == table.version)
    ).first()
    if last is None or (last.seat, last.text, last.bot) != (me.number, "draw", False):
        return None
    if last.player_id == me.player_id:  # their own draw, unless others moved after the text that came before it
        before = desk.conn.execute(
            select(MOVE.c.seat, MOVE.c.inbound_id).where(MOVE.c.table_id == table.id, MOVE.c.n == table.version - 1)
        ).first()
        if before is None or before.seat == me.number or before.inbound_id != last.inbound_id:
            return None
    _, events = stored.replay(table, stored.standing(stored.lines_of(desk.conn, table)))
    return events


def _why_no_take(desk: Desk, table: Table, me: Sitter) -> tuple[str, str]:
    """Why the pile could not be taken before the draw that was made for somebody; the kind of refusal, and its reason."""
    state, _ = stored.replay(table, stored.standing(stored.lines_of(desk.conn, table))[:-1])
    try:
        table.game.resolve(state, me.number, Loose("pickup"))
    except Refusal as refusal:
        return f"refused:{refusal.code}", refusal.hint.removesuffix(" DRAW instead.").removesuffix(" DRAW instead?")
    except ValueError:
        pass  # a game without such a take
    return "refused:PHASE", ""
