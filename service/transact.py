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
AWAY_SECONDS = 0.3
# The carrier hears nothing for 15 s and gives up; one that cannot be reached at all takes its time each time.
LONGEST_SECONDS = 5.0
T = TypeVar("T")


def away(error: Exception) -> bool:
    """Whether the database could not be reached, or went away meanwhile: nothing was wrong with what was to be done."""
    if not isinstance(error, DBAPIError):
        return False
    cause = error.orig
    unreachable = isinstance(cause, psycopg.OperationalError) and (cause.sqlstate or "08").startswith(("08", "57P"))
    return error.connection_invalidated or unreachable


def transact(services: Services, work: Callable[[Connection], T]) -> T:
    """Runs `work` in a transaction and commits it. One that lost against another is rolled back and tried again."""
    began = time.monotonic()
    for attempt in range(1, TRIES + 1):
        try:
            with services.db.begin() as conn:
                return work(conn)
        except Stale:
            if attempt == TRIES:
                raise
        except DBAPIError as error:
            broken = away(error)  # it was started anew: the pool has fresh connections
            if attempt == TRIES or not (broken or getattr(error.orig, "sqlstate", None) in AGAIN):
                raise
            if broken and time.monotonic() - began > LONGEST_SECONDS:
                raise
            if broken and attempt > 1:
                time.sleep(AWAY_SECONDS)  # it is still away: nothing tells when it is back
    raise AssertionError("unreachable")
