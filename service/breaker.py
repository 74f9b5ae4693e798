"""What has stopped sending, and when it is tried again. In the database, so that all workers stop as one.

A breaker stands for one of our numbers, or for all of them (ALL). While it is open nothing is sent that way, and the
texts wait as they are: no attempt is burnt. When its pause is over, one worker sends one text to find out (`try_one`).
Where that goes, texts go out slowly for a while (`mend`), and then as ever; where not, the pause doubles (`trip`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import structlog
from prometheus_client import Counter
from sqlalchemy import Connection, Row, delete, select, update

from service.models import Breaker, table_of
from service.upsert import insert_into

BREAKER = table_of(Breaker)
ALL = "*"

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(minutes=30)
# How long the one text that finds out may take before another may.
TRIAL = timedelta(minutes=2)
# After a stop everybody's texts wait. Sent at once they would fill the carrier's queue, or find its next limit.
MENDING = timedelta(minutes=10)

TRIPS = Counter(
    "queenline_breaker_trips", "How often the carrier has refused our account or a number of ours", ["code"]
)

log = structlog.get_logger(__name__)


def standing(db: Connection) -> list[Row[Any]]:
    """All breakers, open or mending; hardly ever there is one. `failures` 0: mending, until `until`."""
    return list(db.execute(select(BREAKER).order_by(BREAKER.c.scope)).all())


def trip(
    db: Connection, scope: str, code: str, now: datetime, until: datetime | None = None, trial: bool = False
) -> None:
    """Opens it, or after a failed `trial` keeps it open. Without `until` the pause begins with a minute and doubles up to
    half an hour. Of several texts that fail at the same time the first counts.
    """
    before = db.execute(select(BREAKER).where(BREAKER.c.scope == scope)).first()
    if before is not None and before.failures and before.until > now and not trial:
        return
    failures = before.failures + 1 if before is not None else 1
    pause = min(FIRST_PAUSE * (1 << min(failures - 1, 10)), LONGEST_PAUSE)
    since = before.since if before is not None and before.failures else now
    until = until or now + pause
    values = {"code": code, "since": since, "until": until, "failures": failures}
    row = insert_into(db, BREAKER).values(scope=scope, **values)
    db.execute(row.on_conflict_do_update(index_elements=[BREAKER.c.scope], set_=values))
    TRIPS.labels(code).inc()
    log.error("sending.stopped", all=scope == ALL, code=code, failures=failures, until=until.isoformat())


def try_one(db: Connection, scope: str, now: datetime) -> bool:
    """Whether the caller is the one who may send a text to find out; nobody else may for the next two minutes."""
    return bool(
        db.execute(
            update(BREAKER)
            .where(BREAKER.c.scope == scope, BREAKER.c.until <= now, BREAKER.c.failures > 0)
            .values(until=now + TRIAL)
        ).rowcount
    )


def mend(db: Connection, scopes: Iterable[str], now: datetime) -> None:
    """A text has gone through: texts go out again, slowly at first."""
    mended = db.execute(
        update(BREAKER)
        .where(BREAKER.c.scope.in_(list(scopes)), BREAKER.c.failures > 0)
        .values(failures=0, until=now + MENDING)
    ).rowcount
    if mended:
        log.warning("sending.again", slowly_until=(now + MENDING).isoformat())


def forget(db: Connection, now: datetime) -> None:
    """Takes those away that have mended."""
    db.execute(delete(BREAKER).where(BREAKER.c.failures == 0, BREAKER.c.until <= now))


def facts(db: Connection, now: datetime) -> list[dict[str, Any]]:
    """What /readyz and `queenline status` say about it: what is stopped, why, since when, and when it is tried again."""
    return [
        {
            "what": "all" if row.scope == ALL else row.scope,
            "why": row.code,
            "state": "stopped" if row.failures else "slow",
            "since": row.since.isoformat(),
            "next": row.until.isoformat(),
            "failures": row.failures,
        }
        for row in standing(db)
        if row.failures or row.until > now
    ]
