"""Sends what is due: claims rows of `outbound`, asks the carrier outside of any transaction, keeps what came of it.

    pending, retry --claim--> sending --> sent (then delivered, undelivered by status callbacks)
                                      --> retry     certainly not sent; again at next_attempt_at
                                      --> failed    never; error_code says why
                                      --> unknown   perhaps sent: no answer, or the sender died on the way
    pending, retry --claim--> canceled              what it says is no longer so; error_code says why

A text is asked for once for each claim (workers/claims.py). A lease that runs out means that a sender died between
asking and keeping the answer: the row becomes `unknown`. It is settled by a status callback or by looking it up at the
carrier (workers/unknown.py), and sent again only where it certainly was not sent.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, and_, bindparam, false, func, or_, select, update

from service import breaker, spending, tally
from service.logs import fault
from service.play import opted_out_elsewhere
from service.senders import scope_of
from service.services import Services
from service.transact import transact
from service.twilio.delivery import REMINDERS, befell, number, release
from service.twilio.fates import Fate, again_at
from service.twilio.outbound import FINAL, RANKS, Sender, SendError, Sent, pause
from workers.bucket import buckets_of
from workers.claims import (
    ANYTHING,
    BATCH,
    CANDIDATES,
    DUE,
    LEASE_SECONDS,
    OUTBOUND,
    SEAT,
    TEXTS,
    TIME,
    Batch,
    Claim,
    claim,
    claim_batch,
    no_longer,
)

__all__ = ["ANYTHING", "BATCH", "CANDIDATES", "DUE", "LEASE_SECONDS", "Claim", "Drained", "claim", "drain", "no_longer"]

# Requests to the carrier at once.
SENDERS = 8
# Nothing is asked for when the lease has no more than this left: an answer may take longer.
LAST_SECONDS = 20
# A drain ends after this, also when more is due: a worker has other things to do, too (a job of RQ ends sooner: workers/jobs.py).
DRAIN_SECONDS = 45.0
# After this many attempts a text is given up, about an hour and a half after the first.
ATTEMPTS = 14
# So many requests in a row without an answer, and nothing more is asked for until one text has found out.
MOST_SILENT = 10
# The first look for a text that is `unknown`; the status callback is mostly quicker.
FIRST_LOOK = timedelta(seconds=30)
NO_ROUTE = 21612  # from this number of ours to that number

log = structlog.get_logger(__name__)


class Drained(NamedTuple):
    """How many texts a drain has sent, and whether more are due."""

    sent: int = 0
    other: int = 0  # retry, failed, unknown
    more: bool = False  # stopped before nothing was due


class NotAsked(NamedTuple):
    """The carrier was not asked after all; the row goes back as it was."""


Result = Sent | SendError | NotAsked


@dataclass(frozen=True)
class Going:
    """A text on its way."""

    claim: Claim
    trial: str


def drain(
    services: Services,
    sender: Sender,
    *,
    stopping: Callable[[], bool] = lambda: False,
    nap: Callable[[float], object] = time.sleep,
) -> Drained:
    """Sends until nothing is due, or DRAIN_SECONDS are over, or `stopping` says so. `nap` waits for a sender's rate."""
    end = time.monotonic() + DRAIN_SECONDS
    buckets = buckets_of(services.settings, services.clock)
    sent = other = 0
    waiting: dict[Future[Result], Going] = {}
    batch = Batch([])
    silent = 0  # answers that did not come, one after the other
    pressing = False  # the carrier takes no more right now, or cannot be reached
    with ThreadPoolExecutor(SENDERS, thread_name_prefix="send") as pool:
        while True:
            if stopping() or time.monotonic() > end:
                if waiting:
                    keep(services, call_back(waiting))
                if not waiting:
                    return Drained(sent, other, more=True)
            elif len(waiting) <= SENDERS and not pressing:
                batch = claim_batch(services, buckets)
                began = time.monotonic()
                waiting |= {pool.submit(ask, sender, one, began): Going(one, batch.trial) for one in batch.claims}
            if waiting:
                came = settle_some(services, waiting)
                sent += came.sent
                other += came.other
                pressing = pressing or came.too_much
                silent = 0 if came.sent else silent + came.silent
                if silent >= MOST_SILENT:  # each would be one more of which nobody knows whether it went
                    keep(services, call_back(waiting), trips="no-answer")
            elif pressing:
                return Drained(sent, other)  # the next sweep goes on
            elif batch.pause:
                before = services.clock()
                nap(batch.pause)
                if services.clock() <= before:  # a clock that stands still fills no bucket
                    return Drained(sent, other, more=True)
            else:
                return Drained(sent, other)


def call_back(waiting: dict[Future[Result], Going]) -> list[tuple[Claim, Result, str]]:
    """Those that nobody has asked the carrier for yet."""
    unasked = [future for future in waiting if future.cancel()]
    return [(going.claim, NotAsked(), going.trial) for going in map(waiting.pop, unasked)]


def ask(sender: Sender, one: Claim, began: float) -> Result:
    """Asks the carrier, unless the lease taken at `began` (monotonic seconds) may end before it answers. Never raises."""
    if time.monotonic() - began > LEASE_SECONDS - LAST_SECONDS:
        return NotAsked()
    try:
        return sender.send(one.id, one.recipient, one.sender, one.body, one.kind)
    except SendError as error:
        return error
    except Exception as error:  # noqa: BLE001  # a fault of ours or of the SDK: it may have happened after the sending
        log.error("outbox.fault", outbound=one.id, **fault(error))
        return SendError(Fate.AMBIGUOUS, type(error).__name__)


class Came(NamedTuple):
    """What answers said. `too_much`: more requests would only be more of the same; `silent`: no answer, or a fault."""

    sent: int
    other: int
    too_much: bool
    silent: int


def settle_some(services: Services, waiting: dict[Future[Result], Going]) -> Came:
    """Waits for the next answers and keeps them, in one transaction."""
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    results: list[tuple[Claim, Result, str]] = []
    for future in done:
        going = waiting.pop(future)
        results.append((going.claim, future.result(), going.trial))
    if any(isinstance(result, SendError) and result.fate is Fate.STOPALL for _, result, _ in results):
        results += call_back(waiting)
    for one, result, _ in results:
        if isinstance(result, SendError) and result.fate is Fate.OPTOUT:
            opt_out(services, one)
    keep(services, results)
    went = sum(isinstance(result, Sent) for _, result, _ in results)
    fates = [result.fate for _, result, _ in results if isinstance(result, SendError)]
    return Came(went, len(results) - went, Fate.RETRY in fates, fates.count(Fate.AMBIGUOUS))


def keep(services: Services, results: list[tuple[Claim, Result, str]], trips: str = "") -> None:
    """Keeps what came of claims, and counts what is to be paid; begun again where the connection was lost meanwhile.

    `trips`: why nothing more is to be sent for a while.
    """
    tries = 0
    paid = [one for one, result, _ in results if isinstance(result, Sent) or perhaps_sent(result)]

    def work(db: Connection) -> None:
        nonlocal tries
        tries += 1
        if tries > 1 and kept_after_all(db, results):
            return
        now = services.clock()
        if trips:
            breaker.trip(db, breaker.ALL, trips, now)
        settle(db, services, results, now)
        spending.count_sent(db, now, paid)

    transact(services, work)


def kept_after_all(db: Connection, results: list[tuple[Claim, Result, str]]) -> bool:
    """Whether none of these is as its claim has left it: the connection was lost behind the COMMIT."""
    each = [
        and_(OUTBOUND.c.id == one.id, OUTBOUND.c.player_id == one.player_id, OUTBOUND.c.attempt == one.attempt)
        for one, _, _ in results
    ]
    there = select(OUTBOUND.c.id).where(or_(false(), *each), OUTBOUND.c.status == "sending")
    return bool(results) and db.execute(there).first() is None


def opt_out(services: Services, one: Claim) -> None:
    """The reader wants no more texts. Before the answer is kept: whoever dies between the two gets the same answer again."""
    try:
        opted_out_elsewhere(services, one.player_id)
    except Exception as error:  # noqa: BLE001  # the other answers must be kept; the next text brings this one again
        log.error("outbox.not_opted_out", player=one.player_id, **fault(error))


def perhaps_sent(result: Result) -> bool:
    """Whether a text that brought no answer may have gone out all the same, and must be paid for."""
    return isinstance(result, SendError) and result.fate is Fate.AMBIGUOUS


MINE = (
    OUTBOUND.c.id == bindparam("the_row"),
    OUTBOUND.c.player_id == bindparam("the_player"),  # where the row is, in a database of several machines
    or_(OUTBOUND.c.status == "sending", OUTBOUND.c.status == "unknown"),  # IN does not go with many rows at once
    OUTBOUND.c.attempt == bindparam("the_attempt"),
)
SENT = (
    update(OUTBOUND)
    .where(*MINE)
    .values(
        status="sent",
        rank=bindparam("the_rank"),
        sid=bindparam("the_sid"),
        sent_at=bindparam("at", type_=TIME),
        error_code=None,
        lease_until=None,
    )
)
# A status callback was here first: what it said stands, and only the carrier's id is added.
ADD_SID = (
    update(OUTBOUND)
    .where(OUTBOUND.c.id == bindparam("the_row"), OUTBOUND.c.player_id == bindparam("the_player"))
    .values(sid=func.coalesce(OUTBOUND.c.sid, bindparam("the_sid")), lease_until=None)
)
TOLD = (
    update(SEAT)
    .where(
        SEAT.c.table_id == bindparam("the_table"),
        SEAT.c.number == bindparam("the_seat"),
        SEAT.c.told < bindparam("upto"),
    )
    .values(told=bindparam("upto"))
)
PUT_BACK = (
    update(OUTBOUND)
    .where(
        OUTBOUND.c.id == bindparam("the_row"),
        OUTBOUND.c.player_id == bindparam("the_player"),
        OUTBOUND.c.status == "sending",
    )
    .values(status=bindparam("the_status"), attempt=bindparam("attempts"), lease_until=None)
)


def settle(db: Connection, services: Services, results: list[tuple[Claim, Result, str]], now: datetime) -> None:
    """Keeps what came of claims, each with the breaker it was to find out about."""
    sent = [(one, result) for one, result, _ in results if isinstance(result, Sent)]
    if sent:
        keep_sent(db, services, sent, now)
    unasked = [one for one, result, _ in results if isinstance(result, NotAsked)]
    if unasked:
        put_back(db, unasked)
    for one, result, trial in results:
        if isinstance(result, SendError):
            settle_error(db, services, one, result, now, trial)
        if trial and proves(result):
            breaker.mend(db, [trial], now)


def proves(result: Result) -> bool:
    """Whether the carrier has taken a text from us, or refused it for its own sake."""
    return isinstance(result, Sent) or (
        isinstance(result, SendError) and result.fate not in (Fate.STOPALL, Fate.AMBIGUOUS, Fate.RETRY, Fate.LATER)
    )


def keep_sent(db: Connection, services: Services, sent: Sequence[tuple[Claim, Sent]], now: datetime) -> None:
    """Texts that the carrier has taken: their ids, what their readers know now, and the day's count of each number."""
    release(db, [result.sid for _, result in sent], [one.id for one, _ in sent], now)
    rows = [
        {"the_row": one.id, "the_player": one.player_id, "the_attempt": one.attempt, "the_rank": RANKS.get(result.status, 1), "the_sid": result.sid,
         "at": now}
        for one, result in sent
    ]  # fmt: skip
    if db.execute(SENT, rows).rowcount != len(rows):
        db.execute(ADD_SID, [{name: row[name] for name in ("the_row", "the_player", "the_sid")} for row in rows])
    told = [
        {"the_table": one.table_id, "the_seat": one.seat, "upto": one.told_upto}
        for one, _ in sent
        if one.told_upto is not None
    ]
    if told:
        db.execute(TOLD, told)
    if services.settings.sender_segments_per_day:
        count_segments(db, services, [one for one, _ in sent], now)
    TEXTS.labels("sent").inc(len(sent))


def count_segments(db: Connection, services: Services, claims: Sequence[Claim], now: datetime) -> None:
    """What each of our numbers has sent today, for the day's cap."""
    for sender in {one.sender for one in claims}:
        size = sum(max(1, one.segments) for one in claims if one.sender == sender)
        tally.count(db, tally.day_of(now), "sender", scope_of(services.settings, sender), size)


def put_back(db: Connection, claims: Sequence[Claim]) -> None:
    """Claims of which nothing came: the rows are as before."""
    db.execute(
        PUT_BACK,
        [
            {
                "the_row": one.id,
                "the_player": one.player_id,
                "the_status": "retry" if one.attempt > 1 else "pending",
                "attempts": one.attempt - 1,
            }
            for one in claims
        ],
    )


def settle_error(
    db: Connection, services: Services, one: Claim, error: SendError, now: datetime, trial: str = ""
) -> None:
    """Keeps an error of the carrier, and what it means for the text, for its reader and for our numbers."""
    others = other_numbers(services, one) if number(error.code) == NO_ROUTE and one.attempt == 1 else []
    if others:
        fate = Fate.RETRY
        values: dict[str, Any] = {"status": "retry", "rank": 0, "next_attempt_at": now, "sender": others[0]}
    else:
        fate = error.fate
        values = after_error(error, one, now)
    db.execute(
        update(OUTBOUND).where(*MINE).values(error_code=error.code, lease_until=None, **values),
        {"the_row": one.id, "the_player": one.player_id, "the_attempt": one.attempt},
    )
    level = "error" if fate in (Fate.STOPALL, Fate.BUG) else "warning"
    getattr(log, level)("outbox.not_sent", outbound=one.id, fate=fate.value, code=error.code, then=values["status"])
    TEXTS.labels(values["status"]).inc()
    befell(db, one, fate, error.code, now, trial=bool(trial))


def after_error(error: SendError, one: Claim, now: datetime) -> dict[str, Any]:
    """The one place that says what each fate does to the row of the text: the values of its columns."""
    outcome = outcome_of(error, one)
    values: dict[str, Any] = {"status": outcome}
    if outcome in ("failed", "canceled"):
        values["rank"] = FINAL
    elif outcome == "retry":
        values["next_attempt_at"] = again_after(error, one, now)
    else:
        values |= {"next_attempt_at": now + FIRST_LOOK, "looks": 0}
    if error.fate in (Fate.STOPALL, Fate.LATER) or never_connected(error):
        values["attempt"] = one.attempt - 1  # not this text's fault: it keeps its attempts
    return values


def never_connected(error: SendError) -> bool:
    """Whether the carrier could not even be reached: that is nothing to give a text up for."""
    return error.fate is Fate.RETRY and number(error.code) is None and not error.code.startswith("http-")


def other_numbers(services: Services, one: Claim) -> list[str]:
    """Our numbers that the text has not been sent from."""
    return [number for number in services.settings.twilio_numbers if number != one.sender]


def outcome_of(error: SendError, one: Claim) -> str:
    """The status of a row after that error."""
    if error.fate is Fate.AMBIGUOUS:
        return "unknown"
    if error.fate is Fate.LATER and one.kind in REMINDERS:
        return "canceled"  # by then there is another
    if error.fate in (Fate.STOPALL, Fate.LATER):
        return "retry"
    again = error.fate is Fate.RETRY and (one.attempt < ATTEMPTS or never_connected(error))
    return "retry" if again else "failed"


def again_after(error: SendError, one: Claim, now: datetime) -> datetime:
    """When a text that is to be tried again is due."""
    if error.fate is Fate.STOPALL:
        return now  # the breaker says when
    if error.fate is Fate.LATER:
        return again_at(number(error.code), now, error.retry_after)
    return now + timedelta(seconds=pause(one.attempt, error.retry_after))
