"""The one place where a transaction that changes a game begins: lost ones are tried again.

What is done in one must bear to be done again where it is not known whether it was committed (the connection broke in
that moment): a text is claimed by the insert of its row, so that the second time finds the first one's answer.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from service.pipeline import Stale
from service.services import Services

__all__ = ["Stale", "away", "transact"]

TRIES = 5
# Serialization failure, deadlock; and a column's type has been changed: what was prepared goes with the rollback.
AGAIN = ("40001", "40P01", "0A000")
TIMED_OUT = ("55P03", "57014")  # waiting for a lock, a statement; or somebody has canceled it
AWAY_SECONDS = 0.3
# The carrier hears nothing for 15 s and gives up; one that cannot be reached at all takes its time each time.
LONGEST_SECONDS = 5.0
# When what has timed out must have come to its end the second time: an apology may then wait for a lock again, and still be in time.
LATEST_SECONDS = 9.0
LEAST_SECONDS = 1.0
T = TypeVar("T")


def away(error: Exception) -> bool:
    """Whether the database could not be reached, or went away meanwhile: nothing was wrong with what was to be done."""
    if not isinstance(error, DBAPIError):
        return False
    cause = error.orig
    unreachable = isinstance(cause, psycopg.OperationalError) and (cause.sqlstate or "08").startswith(("08", "57P"))
    return error.connection_invalidated or unreachable


def transact(services: Services, work: Callable[[Connection], T]) -> T:
    """Runs `work` in a transaction and commits it. One that lost against another is rolled back and tried again.

    So is one that has timed out, once, where there is time left for it within the carrier's patience.
    """
    began = time.monotonic()
    hurried = False
    for attempt in range(1, TRIES + 1):
        try:
            with services.db.begin() as conn:
                if hurried:
                    left = max(LATEST_SECONDS - (time.monotonic() - began), LEAST_SECONDS)
                    conn.exec_driver_sql(f"SET LOCAL statement_timeout = {int(left * 1000)}")
                return work(conn)
        except Stale:
            if attempt == TRIES:
                raise
        except DBAPIError as error:
            broken = away(error)  # it was started anew: the pool has fresh connections
            state = getattr(error.orig, "sqlstate", None)
            in_time = time.monotonic() - began <= LATEST_SECONDS - LEAST_SECONDS
            timed_out = state in TIMED_OUT and in_time and not hurried
            if attempt == TRIES or not (broken or timed_out or state in AGAIN):
                raise
            hurried = hurried or timed_out
            if broken and time.monotonic() - began > LONGEST_SECONDS:
                raise
            if broken and attempt > 1:
                time.sleep(AWAY_SECONDS)  # it is still away: nothing tells when it is back
    raise AssertionError("unreachable")
