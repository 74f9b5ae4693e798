"""A text arrives: it is claimed, answered and closed, once, whatever happens.

The inbound row is the claim; it keeps the answer, which the same MessageSid gets again.
"""

from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, case, select, update

from service import arriving, forgetting, limits, manners, opting, presets, recycled, slow, spending, stored
from service.config import Settings
from service.desk import Desk, Sms
from service.logs import fault
from service.numbers import segment_limits
from service.pipeline import later
from service.play.acting import act
from service.play.changes import let_go
from service.play.seats import opt, seats_go, take_seats_back, vacate
from service.services import Services
from service.stored import INBOUND, PLAYER
from service.tables import Problem
from service.text import render
from service.text.gsm7 import fold, segments
from service.transact import away, transact
from service.upsert import insert_into

log = structlog.get_logger(__name__)
SORRY = "Sorry, something went wrong on our side. Your game is safe; please text that again in a minute."

# Without segments the answer was none to the carrier: it was read on a page, or went out as a text of its own.
_KEPT = select(case((INBOUND.c.segments > 0, INBOUND.c.answer))).where(INBOUND.c.message_sid == bindparam("sid"))
_CLOSE = (
    update(INBOUND)
    .where(INBOUND.c.message_sid == bindparam("sid"))  # by what claims it: unique, and known to every machine
    .values({name: bindparam(name) for name in ("answer", "kind", "table_id", "player_id", "segments")})
)
_SEEN = (
    update(PLAYER)
    .where(PLAYER.c.id == bindparam("the_player"))
    .values(last_inbound_at=bindparam("at"), pending=bindparam("open"))
)


def receive(services: Services, sms: Sms) -> str | None:
    """Answers one text and does what it says; None means that nothing is to be said. The same sid again: the same answer.

    Raises only where not even the text itself could be stored.
    """
    try:
        answer, ring = transact(services, lambda conn: _receive(conn, services, sms))
    except Exception as error:  # whatever it is, the text is kept and the player gets an answer
        log.error("text.failed", sid=sms.sid, **fault(error))
        if away(error):  # it may be back by now: the carrier delivers the text again, and it is done as any other
            raise
        return _keep_failed(services, sms)
    if ring:
        services.bell.ring()
    return answer


def _keep_failed(services: Services, sms: Sms) -> str | None:
    """The answer to a text that could not be done: it is kept, marked for whoever runs the service. The game is as it was."""
    with services.db.begin() as conn:
        now = services.clock()
        claimed = arriving.claim_only(conn, _row(sms, now))
        if claimed is None:
            kept: str | None = conn.execute(_KEPT, {"sid": sms.sid}).scalar_one()
            return kept
        by_twiml = sms.written is None and not sms.on_page
        conn.execute(
            _CLOSE,
            {
                "sid": sms.sid, "answer": SORRY, "kind": "error", "table_id": None, "player_id": None,
                "segments": int(by_twiml),
            },
        )  # fmt: skip
        writer = conn.execute(arriving.LOCKED, {"channel": sms.channel, "address": sms.sender}).first()
        if sms.written is not None and writer is not None and writer.opted_out_at is None:
            desk = Desk(services, conn, sms, now, claimed, writer)
            desk.answer_by_text(SORRY)
            desk.write_texts()
    return SORRY


def rehearse(services: Services, sms: Sms) -> str | None:
    """What the answer would be. Nothing is kept and nobody is told."""

    def work(conn: Connection) -> None:
        answer, _ = _receive(conn, services, sms)
        raise _Rehearsed(answer)  # it is rolled back

    try:
        transact(services, work)
    except _Rehearsed as done:
        return done.answer
    raise AssertionError("unreachable")


class _Rehearsed(Exception):
    def __init__(self, answer: str | None) -> None:
        self.answer = answer


def _row(sms: Sms, now: datetime) -> dict[str, Any]:
    """The row of a text that is being read."""
    return {
        "message_sid": sms.sid, "channel": sms.channel, "sender": sms.sender, "recipient": sms.to, "body": sms.body,
        "kind": "", "segments": 0, "received_at": now,
    }  # fmt: skip


def _receive(conn: Connection, services: Services, sms: Sms) -> tuple[str | None, bool]:
    now = services.clock()
    arrived = arriving.claim(conn, services.settings, _row(sms, now), now)
    inbound_id = arrived.inbound_id
    if inbound_id is None:
        return conn.execute(_KEPT, {"sid": sms.sid}).scalar_one(), False
    player = arrived.player or _new_player(conn, services.settings, sms, now)
    desk = Desk(services, conn, sms, now, inbound_id, player, used=arrived.used)
    desk.pending = player.pending
    try:
        answer = _answer(desk, arrived if arrived.player else None)
    except Problem as problem:
        answer = fold(str(problem))
    answer = limits.allowed(desk, answer)
    if not desk.by_machine:  # one that answers for somebody does not say that they are here
        _here_again(desk, player.last_inbound_at)
        if answer is not None and desk.table_id is not None and desk.kind in ("command", "moves"):
            answer = slow.guess_told(desk, answer)
        if answer is not None:
            answer = spending.warned(desk, answer)
    if answer:
        answer = fold(answer)  # names and words of players stand in many of them
    return answer, _close(desk, sms, answer, player.last_inbound_at)


def _close(desk: Desk, sms: Sms, answer: str | None, heard: datetime | None) -> bool:
    """Keeps the answer, its cost, the texts to others and when the player was `heard` of; whether there is anything to send."""
    if not desk.by_machine:
        heard = desk.now if sms.written is None else max(heard or sms.written, sms.written)  # they may be asleep by now
    by_twiml = not sms.on_page and sms.written is None
    parts = segments(answer, segment_limits(sms.to)) if answer and by_twiml else 0
    if answer and sms.written is not None and not desk.forgotten:
        desk.answer_by_text(answer)
    ring = desk.write_texts()
    if not desk.forgotten:
        later(desk.conn, _SEEN, {"the_player": desk.player.id, "at": heard, "open": desk.pending})
    later(
        desk.conn,
        _CLOSE,
        {
            "sid": sms.sid, "answer": answer, "kind": desk.kind, "table_id": desk.table_id,
            "player_id": desk.player.id, "segments": parts,
        },
    )  # fmt: skip
    if parts:
        desk.costs.append(spending.Cost(desk.player.id, desk.table_id, parts))
    spending.count(desk.conn, desk.now, desk.costs)
    return ring


def _here_again(desk: Desk, before: datetime | None) -> None:
    """Somebody is awake who was not here lately: what was held back for them may come, and reminders begin again."""
    if before is not None and desk.now - before < manners.ACTIVE:
        return
    desk.hurry()
    if before is not None and desk.now - before > manners.IDLE:
        slow.remind_again(desk)


def _new_player(conn: Connection, settings: Settings, sms: Sms, now: datetime) -> Any:
    """The row of somebody who texts for the first time, locked."""
    who = {"channel": sms.channel, "address": sms.sender}
    values = who | {"sender": sms.to, "created_at": now, "unclear_count": 0, "prefs": {}}
    values["opted_out_at"] = forgetting.opted_out_before(conn, settings, sms.channel, sms.sender)
    conn.execute(insert_into(conn, PLAYER).values(values).on_conflict_do_nothing())
    return conn.execute(arriving.LOCKED, who).one()


def _answer(desk: Desk, arrived: arriving.Arrived | None) -> str | None:
    """What to text back."""
    sms = desk.sms
    assert sms is not None, "somebody has texted"
    if sms.extra_recipients:
        desk.kind = "ignored"
        return None
    word = opting.keyword(sms.body) or opting.by_carrier(desk)
    if word is not None:
        return opt(desk, word)
    if desk.player.opted_out_at is not None:
        desk.kind = "ignored"
        if forgetting.WORDS.match(sms.body):  # they get no text any more, so there is nothing to ask
            forgetting.now(desk, stored.of_player(desk.conn, desk.player.id, desk.now), vacate)
        return None
    if sms.media and not sms.body.strip():
        desk.kind = "media"
        return "Text only, please. Queenline reads words only: type HAND or DRAW, say."
    if arrived is None:
        mine = stored.of_player(desk.conn, desk.player.id, desk.now)
    elif arrived.tables is not None:
        mine = list(arrived.tables)
    else:
        mine = stored.live(desk.conn, desk.player.id, arrived.sits, desk.now - stored.LOOK_BACK)
    if recycled.in_doubt(desk):
        proof = recycled.proves(desk, mine)
        if not proof:
            return recycled.asked(desk)
        if proof == "afresh":
            seats_go(desk, desk.player.id, for_good=True)
            recycled.begin_afresh(desk)
            mine = []
    back = take_seats_back(desk, mine)
    answer = let_go(desk, mine, sms.body) or act(desk, mine, presets.spelled(desk, sms.body))
    if back:
        longer = fold(render.join(answer or "", render.yours_again(back)))
        answer = longer if answer is None or segments(longer) <= max(2, segments(answer)) else answer
    return answer
