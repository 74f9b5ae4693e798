"""Settles what nobody knows: texts of which we can't say whether they were sent, by looking them up at the carrier.

A text becomes `unknown` when the carrier's answer to sending did not come, or came as a fault of its own, or when the
worker died before it was kept. The status callback, which carries our own id, settles most; these looks settle the rest,
at growing intervals. The carrier does not say our id again, so a text is known by its reader, its words and its time:

- one text of theirs fits, and is no other row's: it was sent;
- none fits, in a whole list, more than ABSENT_AFTER after we asked, and the look before found none either: it was not
  sent. The request itself ends within seconds, ours by its time-out and the carrier's by its own gateway, and what it
  did is in the list some seconds later; ten minutes are many times that. Then it is tried again as any other, once;
  a reminder is not;
- anything else, and it stays unknown: it is never sent again on a guess. `queenline status` counts these.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, exists, insert, or_, select, update

from service import breaker
from service.db import reading
from service.models import Outbound, OutboundEvent, table_of
from service.play import opted_out_now
from service.services import Services
from service.transact import transact
from service.twilio.delivery import KNOWN, REMINDERS, note
from service.twilio.outbound import FINAL, RANKS, Finds, Listed, SendError
from workers.claims import LEASE_SECONDS, TEXTS

OUTBOUND, EVENT = table_of(Outbound), table_of(OutboundEvent)

# After a look that settled nothing, the next; the first is 30 s after the sending. After the last, nobody looks again.
NEXT_LOOK = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 30, 120, 360, 1440))
# No look can be had of the carrier: not counted, and tried again.
NO_ANSWER = timedelta(minutes=5)
ABSENT_AFTER = timedelta(minutes=10)
# How far the carrier's clock and ours may be apart, and how near a text must be for us to be in doubt about it.
SKEW, NEAR = timedelta(minutes=5), timedelta(hours=2)
# What was accepted and of which no callback has said a word: looked up once.
SILENT, SILENT_UNTIL = timedelta(hours=1), timedelta(days=1)
LOOKS_AT_ONCE = 50
NOT_THERE = "not-there"  # as an event of the row

log = structlog.get_logger(__name__)


class Look(NamedTuple):
    """A row to be looked up."""

    id: int
    recipient: str
    body: str
    kind: str
    asked_at: datetime | None
    created_at: datetime
    looks: int | None
    sid: str | None


def settle_unknown(services: Services, carrier: Finds, stopping: Callable[[], bool] = lambda: False) -> int:
    """Looks up what is due for it; how many rows it settled. Where the carrier gives no answer, the rest waits."""
    settled = 0
    for look in due_looks(services):
        if stopping():
            break
        try:
            settled += settle_one(services, carrier, look)
        except SendError as error:
            log.warning("look.failed", outbound=look.id, code=error.code)
            put_off_look(services, look)
            break
    return settled


def due_looks(services: Services) -> list[Look]:
    """The rows whose next look is due. While our account is stopped nothing can be looked up."""
    now = services.clock()
    silent = (
        OUTBOUND.c.status == "sent",
        OUTBOUND.c.rank < RANKS["sent"],
        OUTBOUND.c.sid.is_not(None),
        OUTBOUND.c.looks.is_(None),
        OUTBOUND.c.next_attempt_at.between(now - SILENT_UNTIL, now - SILENT),
        OUTBOUND.c.sent_at <= now - SILENT,
    )
    unknown = (
        OUTBOUND.c.status == "unknown",
        OUTBOUND.c.next_attempt_at <= now,
        or_(OUTBOUND.c.looks.is_(None), OUTBOUND.c.looks <= len(NEXT_LOOK)),
    )
    columns = [OUTBOUND.c[name] for name in Look._fields]
    with reading(services.db) as db:
        if any(row.scope == breaker.ALL and row.failures for row in breaker.standing(db)):
            return []
        return [
            Look(*row)
            for conditions in (unknown, silent)
            for row in db.execute(
                select(*columns).where(*conditions).order_by(OUTBOUND.c.next_attempt_at).limit(LOOKS_AT_ONCE)
            )
        ]


def settle_one(services: Services, carrier: Finds, look: Look) -> bool:
    """Looks one text up, and keeps what that shows; whether it is settled. SendError where the carrier does not let us look."""
    now = services.clock()
    if not take_look(services, look, now):
        return False  # another worker looks, or a callback has settled it
    if look.sid is not None:
        found = carrier.sent_as(look.sid)
        texts, complete = [] if found is None else [found], True
    else:
        since = (look.asked_at or look.created_at) - NEAR
        texts, complete = carrier.sent_to(look.recipient, since)

    def work(db: Connection) -> tuple[bool, bool]:
        if look.sid is None:
            settled, gone = judge(db, look, texts, complete, services.clock())
        elif texts:
            settled, gone = True, note_found(db, look, texts[0], now)
        else:
            note_missing(db, look)
            settled, gone = True, None
        return settled, gone is not None and opted_out_now(services, db, gone)

    settled, ring = transact(services, work)
    if ring:
        services.bell.ring()
    return settled


def take_look(services: Services, look: Look, now: datetime) -> bool:
    """Claims a look by counting it."""
    looks = look.looks or 0
    following = now + NEXT_LOOK[min(looks, len(NEXT_LOOK) - 1)]
    values: dict[str, Any] = {"looks": looks + 1, "looked_at": now}
    if look.sid is None:
        values["next_attempt_at"] = following
    mine = OUTBOUND.c.looks.is_(None) if look.looks is None else OUTBOUND.c.looks == look.looks
    status = "unknown" if look.sid is None else "sent"
    with services.db.begin() as db:
        return bool(
            db.execute(
                update(OUTBOUND).where(OUTBOUND.c.id == look.id, OUTBOUND.c.status == status, mine).values(**values)
            ).rowcount
        )


def put_off_look(services: Services, look: Look) -> None:
    """The look that was taken does not count."""
    values: dict[str, Any] = {"looks": look.looks}
    if look.sid is None:
        values["next_attempt_at"] = services.clock() + NO_ANSWER
    with services.db.begin() as db:
        db.execute(
            update(OUTBOUND).where(OUTBOUND.c.id == look.id, OUTBOUND.c.looks == (look.looks or 0) + 1).values(**values)
        )


def judge(db: Connection, look: Look, texts: list[Listed], complete: bool, now: datetime) -> tuple[bool, int | None]:
    """Whether that settles the row, and the player who has been found to have opted out."""
    row = db.execute(KNOWN.where(OUTBOUND.c.id == look.id, OUTBOUND.c.status == "unknown")).first()
    if row is None:
        return True, None  # a callback was quicker
    if same_words_under_way(db, look):
        return False, None  # what is found may be that
    asked = look.asked_at or look.created_at
    known = set(db.execute(select(OUTBOUND.c.sid).where(OUTBOUND.c.sid.in_([text.sid for text in texts]))).scalars())
    fit = sorted(
        # An account on trial has words of its own put before ours.
        (text for text in texts if text.sid not in known and text.body.endswith(look.body)),
        key=lambda text: text.created,
    )
    latest = asked + timedelta(seconds=LEASE_SECONDS) + SKEW
    sure = [text for text in fit if asked - SKEW <= text.created <= latest]
    if sure:
        return True, note_found(db, look, sure[0], now)
    if fit or not complete or now - asked < ABSENT_AFTER or not look.looks:
        return False, None
    note_absent(db, look, row, now)
    return True, None


def same_words_under_way(db: Connection, look: Look) -> bool:
    """Whether the same words are being sent to the same number right now: that text's id is not yet known either."""
    return bool(
        db.execute(
            select(
                exists().where(
                    OUTBOUND.c.player_id
                    == select(OUTBOUND.c.player_id).where(OUTBOUND.c.id == look.id).scalar_subquery(),
                    OUTBOUND.c.status == "sending",
                    OUTBOUND.c.body == look.body,
                )
            )
        ).scalar()
    )


def note_found(db: Connection, look: Look, text: Listed, now: datetime) -> int | None:
    """It was sent: kept as if the status callback had come. The player who has been found to have opted out."""
    row = db.execute(KNOWN.where(OUTBOUND.c.id == look.id)).one()
    word = text.status if text.status in RANKS else "accepted"
    noted = note(db, row, text.sid, word, text.code, now)
    log.info("outbound.found", outbound=look.id, status=word)
    return row.player_id if noted.opted_out else None


def note_absent(db: Connection, look: Look, row: Any, now: datetime) -> None:
    """It was not sent: once more as an ordinary attempt, if its reader would miss it."""
    before = db.execute(select(exists().where(EVENT.c.outbound_id == look.id, EVENT.c.status == NOT_THERE))).scalar()
    again = not before and row.kind not in REMINDERS
    values: dict[str, Any] = {"status": "failed", "rank": FINAL}
    if again:
        db.execute(
            insert(EVENT).values(outbound_id=look.id, player_id=row.player_id, status=NOT_THERE, error_code="", at=now)
        )
        values = {"status": "retry", "next_attempt_at": now, "looks": None}
    db.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.id == look.id, OUTBOUND.c.status == "unknown")
        .values(**values, error_code=NOT_THERE)
    )
    log.warning("outbound.not_there", outbound=look.id, again=again)
    TEXTS.labels("retry" if again else "failed").inc()


def note_missing(db: Connection, look: Look) -> None:
    """We have an id of the carrier's, and it knows none such: another account's, or one that was cleared away."""
    db.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.id == look.id, OUTBOUND.c.status == "sent")
        .values(status="failed", rank=FINAL, error_code="not-known")
    )
    log.error("outbound.not_known", outbound=look.id)
    TEXTS.labels("failed").inc()
