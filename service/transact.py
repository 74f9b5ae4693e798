"""The one place where a transaction that changes a game begins: lost ones are tried again."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from service.services import Services

TRIES = 5
AGAIN = ("40001", "40P01")  # serialization failure, deadlock
T = TypeVar("T")


class Stale(Exception):
    """Somebody else has changed what this transaction has read: begin it again."""


def transact(services: Services, work: Callable[[Connection], T]) -> T:
    """Runs `work` in a transaction and commits it. One that lost against another is rolled back and tried again."""
    for attempt in range(1, TRIES + 1):
        try:
            with services.db.begin() as conn:
                return work(conn)
        except Stale:
            if attempt == TRIES:
                raise
        except DBAPIError as error:
            if attempt == TRIES or getattr(error.orig, "sqlstate", None) not in AGAIN:
                raise
    raise AssertionError("unreachable")
