"""Sends what is due: claims rows of `outbound`, asks the carrier outside of any transaction, keeps what came of it.

    pending, retry --claim--> sending --> sent (then delivered, undelivered by status callbacks)
                                      --> retry     certainly not sent; again at next_attempt_at
                                      --> failed    never; error_code says why
                                      --> unknown   perhaps sent: no answer, or the sender died on the way
    pending, retry --claim--> canceled              what it says is no longer so; error_code says why

A text is asked for once for each claim. A claim is a conditional update with a lease, so any number of drains may run
at once. A lease that runs out means that a sender died between asking and keeping the answer: the row becomes `unknown`
and is settled by a status callback, never by sending again. Texts to one player go out one after the other, in the
order in which they were written.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import structlog
from prometheus_client import Counter
from sqlalchemy import Connection, and_, bindparam, exists, func, or_, select, update

from service import manners
from service.db import reading
from service.desk import OF_A_TURN
from service.logs import fault
from service.models import GameTable, Outbound, Player, Seat, table_of
from service.opting import suppress
from service.services import Services
from service.text import render
from service.text.gsm7 import segments
from service.transact import transact
from service.twilio.fates import Fate
from service.twilio.outbound import FINAL, RANKS, Sender, SendError, Sent, pause

OUTBOUND, PLAYER, SEAT, TABLE = table_of(Outbound), table_of(Player), table_of(Seat), table_of(GameTable)

# Requests to the carrier at once, and rows claimed at once. A whole batch of time-outs must end before its lease does:
# BATCH / SENDERS * TIMEOUT_SECONDS < LEASE_SECONDS.
SENDERS = 4
BATCH = 20
LEASE_SECONDS = 90
# A drain ends after this, also when more is due: a job has a time limit, and a worker may be asked to stop.
DRAIN_SECONDS = 45.0
# After this many attempts a text is given up, about an hour and a half after the first.
ATTEMPTS = 14
# When the carrier refuses our account or numbers, or a cap is full: nothing is lost, and nothing is gained by pressing.
STOPPED_SECONDS = 60
LATER_SECONDS = 900
# A reminder that could not be sent for so long is not sent: the next is on its way.
REMINDERS = ("nudge", "nudges")
TOO_LATE = timedelta(hours=2)

TEXTS = Counter("queenline_outbound_texts", "Texts taken from the outbox by what became of them", ["outcome"])

log = structlog.get_logger(__name__)


class Claim(NamedTuple):
    """A row that is ours to send until the lease ends."""

    id: int
    recipient: str
    sender: str | None
    body: str
    kind: str
    attempt: int  # this one; the first is 1
    player_id: int
    table_id: int | None
    seat: int | None
    told_upto: int | None


class Drained(NamedTuple):
    sent: int = 0
    other: int = 0  # retry, failed, unknown
    more: bool = False  # stopped before nothing was due


Result = Sent | SendError


def drain(
    services: Services,
    sender: Sender,
    *,
    seconds: float = DRAIN_SECONDS,
    stopping: Callable[[], bool] = lambda: False,
) -> Drained:
    """Sends until nothing is due, or the time is up, or `stopping` says so, or the carrier refuses us altogether."""
    end = time.monotonic() + seconds
    sent = other = 0
    with ThreadPoolExecutor(SENDERS, thread_name_prefix="send") as pool:
        while True:
            if stopping() or time.monotonic() > end:
                return Drained(sent, other, more=True)
            claims = claim(services)
            if not claims:
                return Drained(sent, other)
            went, refused = send(services, sender, claims, pool)
            sent += went
            other += len(claims) - went
            if refused:
                return Drained(sent, other)


def claim(services: Services, limit: int = BATCH) -> list[Claim]:
    """Takes up to `limit` due rows, at most one for each player, and cancels those that are no longer so."""
    now = services.clock()
    with reading(services.db) as db:  # most looks find nothing; they shall not keep the writers waiting
        if not db.execute(ANYTHING, {"now": now}).scalar():
            return []
    going, claims = True, list[Claim]()
    while going and not claims:
        going, claims = transact(services, lambda db: claim_some(db, now, limit))
    return claims


def claim_some(db: Connection, now: datetime, limit: int) -> tuple[bool, list[Claim]]:
    """One transaction of that. False: there is nothing more to be had."""
    give_up_stuck(db, now)
    rows = candidates(db, now, limit)
    dropped = {row.id: reason for row in rows if (reason := no_longer(row, now))}
    for reason in sorted(set(dropped.values())):
        cancel(db, [row_id for row_id, why in dropped.items() if why == reason], reason)
    rows = [row for row in rows if row.id not in dropped]
    held = {row.id: until for row in rows if (until := held_until(row, now)) > now}
    put_off(db, held)
    rows = [row for row in rows if row.id not in held]
    for row in rows:
        if row.kind == "turn" and row.other_tables:
            gather(db, row, now)
    claims = take(db, [row.id for row in rows], now)
    return bool(dropped or held or claims), claims  # else none is due, or another drain was quicker


# The statements are built once: building one costs as much as running it.
TIME = OUTBOUND.c.created_at.type
NOW = bindparam("now", type_=TIME)
DUE = and_(OUTBOUND.c.status.in_(("pending", "retry")), OUTBOUND.c.next_attempt_at <= NOW)
STUCK = and_(OUTBOUND.c.status == "sending", OUTBOUND.c.lease_until < NOW)
ANYTHING = select(exists().where(or_(DUE, STUCK)))
GIVE_UP = update(OUTBOUND).where(STUCK).values(status="unknown", error_code="lease", lease_until=None)
TAKE = (
    update(OUTBOUND)
    .where(OUTBOUND.c.id.in_(bindparam("ids", expanding=True)), DUE)
    .values(status="sending", attempt=OUTBOUND.c.attempt + 1, lease_until=bindparam("lease", type_=TIME))
    .returning(*(OUTBOUND.c[name] for name in Claim._fields))
)

earlier, near, other, elsewhere = (OUTBOUND.alias("earlier"), OUTBOUND.alias("near"), SEAT.alias(), TABLE.alias())
CANDIDATES = (
    select(
        OUTBOUND.c.id,
        OUTBOUND.c.kind,
        OUTBOUND.c.player_id,
        OUTBOUND.c.table_id,
        OUTBOUND.c.turn_version,
        OUTBOUND.c.created_at,
        PLAYER.c.address,
        PLAYER.c.zone,
        PLAYER.c.prefs,
        PLAYER.c.last_inbound_at,
        select(func.max(near.c.sent_at))
        .where(
            near.c.player_id == OUTBOUND.c.player_id,
            near.c.created_at > bindparam("lately", type_=TIME),
            near.c.table_id == OUTBOUND.c.table_id,
            near.c.sent_at > bindparam("apart", type_=TIME),
            near.c.kind != "arrived",
        )
        .scalar_subquery()
        .label("last_sent"),
        exists()
        .where(
            other.c.player_id == OUTBOUND.c.player_id,
            other.c.left_at.is_(None),
            other.c.table_id != OUTBOUND.c.table_id,
            elsewhere.c.id == other.c.table_id,
            elsewhere.c.status == "playing",
        )
        .label("other_tables"),
        PLAYER.c.opted_out_at,
        TABLE.c.version,
        TABLE.c.status.label("table_status"),
    )
    .join(PLAYER, PLAYER.c.id == OUTBOUND.c.player_id)
    .outerjoin(TABLE, TABLE.c.id == OUTBOUND.c.table_id)
    .where(
        DUE,
        ~exists().where(
            earlier.c.player_id == OUTBOUND.c.player_id,
            earlier.c.id < OUTBOUND.c.id,
            # A text that is held back for its reader's sake holds up no other.
            or_(
                earlier.c.status.in_(("retry", "sending")),
                and_(earlier.c.status == "pending", earlier.c.next_attempt_at <= NOW),
            ),
        ),
    )
    .order_by(OUTBOUND.c.next_attempt_at, OUTBOUND.c.id)
    .limit(bindparam("most"))
    # Only for speed: several drains then don't wait for each other. SQLite leaves it out.
    .with_for_update(of=OUTBOUND, skip_locked=True)
)


def candidates(db: Connection, now: datetime, limit: int) -> Sequence[Any]:
    """Due rows, oldest first, none that stands behind another text to the same player; with what `no_longer` reads."""
    moments = {"now": now, "lately": now - timedelta(days=2), "apart": now - manners.APART}
    return db.execute(CANDIDATES, moments | {"most": limit}).all()


def no_longer(row: Any, now: datetime) -> str:
    """Why a text must not go out any more, by what is so now; "" when it may. The one place for such reasons."""
    if row.opted_out_at is not None:
        return "opted-out"
    if row.turn_version is not None and row.kind in OF_A_TURN:
        if row.table_status != "playing":
            return "table-over"
        if row.version != row.turn_version:
            return "moved-on"
    if row.kind in REMINDERS and now - row.created_at > TOO_LATE:
        return "too-late"
    return ""


def held_until(row: Any, now: datetime) -> datetime:
    """The moment before which a text shall not reach its reader: a decent hour, a pause since the last, other turns."""
    last_inbound: datetime | None = row.last_inbound_at
    until = manners.may_go(now, row.zone, row.address, row.prefs, last_inbound)
    awake = last_inbound is not None and now - last_inbound < manners.ACTIVE
    if row.kind == "turn" and row.other_tables and not awake:
        until = max(until, row.created_at + manners.GATHER)
    if row.last_sent is not None and row.kind != "arrived":  # a table that fills up is good news at once
        last_sent = utc(row.last_sent)
        if last_inbound is None or last_inbound < last_sent:
            until = max(until, last_sent + manners.APART)
    return until


def utc(moment: datetime | str) -> datetime:
    """An aggregate of a time comes from SQLite without its type."""
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def put_off(db: Connection, held: dict[int, datetime]) -> None:
    for row_id, until in held.items():
        db.execute(update(OUTBOUND).where(OUTBOUND.c.id == row_id).values(next_attempt_at=until, status="pending"))


def gather(db: Connection, row: Any, now: datetime) -> None:
    """Turns at several tables that wait to be told to one player become one text that lists them."""
    turns = db.execute(
        select(OUTBOUND.c.id, TABLE.c.code)
        .join(TABLE, TABLE.c.id == OUTBOUND.c.table_id)
        .where(
            OUTBOUND.c.player_id == row.player_id,
            OUTBOUND.c.kind == "turn",
            OUTBOUND.c.status == "pending",
            OUTBOUND.c.next_attempt_at <= now + manners.GATHER,
            OUTBOUND.c.turn_version == TABLE.c.version,
            TABLE.c.status == "playing",
        )
        .order_by(OUTBOUND.c.id)
    ).all()
    if len(turns) < 2:
        return
    body = render.branded(render.turns([turn.code for turn in turns]))
    values = {"body": body, "kind": "turns", "segments": segments(body), "told_upto": None, "turn_version": None}
    db.execute(update(OUTBOUND).where(OUTBOUND.c.id == row.id).values(**values))
    cancel(db, [turn.id for turn in turns if turn.id != row.id], "gathered")


def take(db: Connection, ids: list[int], now: datetime) -> list[Claim]:
    """The claim itself: of two who take the same row, one gets it."""
    if not ids:
        return []
    lease = now + timedelta(seconds=LEASE_SECONDS)
    return sorted(Claim(*row) for row in db.execute(TAKE, {"ids": ids, "now": now, "lease": lease}))


def cancel(db: Connection, ids: list[int], reason: str) -> None:
    db.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.id.in_(ids), OUTBOUND.c.status.in_(("pending", "retry")))
        .values(status="canceled", rank=FINAL, error_code=reason)
    )
    TEXTS.labels("canceled").inc(len(ids))


def give_up_stuck(db: Connection, now: datetime) -> None:
    lost = db.execute(GIVE_UP, {"now": now}).rowcount
    if lost:
        log.warning("outbox.unknown", count=lost, why="lease")
        TEXTS.labels("unknown").inc(lost)


def send(services: Services, sender: Sender, claims: list[Claim], pool: ThreadPoolExecutor) -> tuple[int, bool]:
    """Sends a batch; how many went, and whether the carrier refuses us altogether. Then the rest is put back unasked."""
    waiting: dict[Future[Result], Claim] = {pool.submit(ask, sender, one): one for one in claims}
    sent, refused = 0, False
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        results = [(waiting.pop(future), future.result()) for future in done]
        if any(isinstance(result, SendError) and result.fate is Fate.STOPALL for _, result in results) and not refused:
            refused = True
            unasked = [future for future in waiting if future.cancel()]
            results += [(waiting.pop(future), SendError(Fate.STOPALL, "stopped")) for future in unasked]
        with services.db.begin() as db:
            for one, result in results:
                settle(db, one, result, services.clock())
                sent += isinstance(result, Sent)
    return sent, refused


def ask(sender: Sender, one: Claim) -> Result:
    try:
        return sender.send(one.id, one.recipient, one.sender, one.body, one.kind)
    except SendError as error:
        return error
    except Exception as error:  # noqa: BLE001  # a fault of ours or of the SDK: it may have happened after the sending
        log.error("outbox.fault", outbound=one.id, **fault(error))
        return SendError(Fate.AMBIGUOUS, type(error).__name__)


def settle(db: Connection, one: Claim, result: Result, now: datetime) -> None:
    """Keeps what came of one claim. The one place that says what each fate does.

    A status callback may have been here first: what it said stands, and only the carrier's id is added.
    """
    mine = update(OUTBOUND).where(
        OUTBOUND.c.id == one.id, OUTBOUND.c.status.in_(("sending", "unknown")), OUTBOUND.c.attempt == one.attempt
    )
    free: dict[str, Any] = {"lease_until": None}
    if isinstance(result, Sent):
        outcome = "sent"
        kept = db.execute(
            mine.values(
                status="sent", rank=RANKS.get(result.status, 1), sid=result.sid, sent_at=now, error_code=None, **free
            )
        ).rowcount
        if one.told_upto is not None:
            db.execute(
                update(SEAT)
                .where(SEAT.c.table_id == one.table_id, SEAT.c.number == one.seat, SEAT.c.told < one.told_upto)
                .values(told=one.told_upto)
            )
        if not kept:
            db.execute(
                update(OUTBOUND)
                .where(OUTBOUND.c.id == one.id)
                .values(sid=func.coalesce(OUTBOUND.c.sid, result.sid), lease_until=None)
            )
    else:
        outcome = outcome_of(result.fate, one.attempt)
        values: dict[str, Any] = {"status": outcome, "error_code": result.code, **free}
        if outcome == "failed":
            values["rank"] = FINAL
        if outcome == "retry":
            values["next_attempt_at"] = now + timedelta(seconds=wait_of(result, one.attempt))
        if result.fate in (Fate.STOPALL, Fate.LATER):  # not this text's fault: it keeps all its attempts
            values["attempt"] = one.attempt - 1
        db.execute(mine.values(**values))
        if result.fate is Fate.OPTOUT:
            suppress(db, one.player_id, now)
        level = "error" if result.fate in (Fate.STOPALL, Fate.BUG) else "warning"
        getattr(log, level)("outbox.not_sent", outbound=one.id, fate=result.fate.value, code=result.code, then=outcome)
    TEXTS.labels(outcome).inc()


def outcome_of(fate: Fate, attempt: int) -> str:
    """The status of a row after that error."""
    if fate is Fate.AMBIGUOUS:
        return "unknown"
    if fate in (Fate.STOPALL, Fate.LATER):
        return "retry"
    return "retry" if fate is Fate.RETRY and attempt < ATTEMPTS else "failed"


def wait_of(error: SendError, attempt: int) -> float:
    if error.fate is Fate.STOPALL:
        return STOPPED_SECONDS
    if error.fate is Fate.LATER:
        return max(LATER_SECONDS, error.retry_after or 0)
    return pause(attempt, error.retry_after)
