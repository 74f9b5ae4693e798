"""What the parts of the service are given to work with, so that tests can give them something else."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from sqlalchemy import Engine

from service.bell import Bell, Ringer
from service.config import Settings
from service.db import Database


class Rings(Protocol):
    """A bell: wakes a worker now (`ring`, after the commit), or at a later moment (`wake`)."""

    def ring(self) -> None: ...

    def wake(self, at: datetime) -> None: ...


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_seed() -> str:
    """What a game is dealt from, where nobody has chosen a seed."""
    return secrets.token_hex(16)


@dataclass(frozen=True)
class Services:
    """The database, the settings, the time and the bell. `clock` returns aware UTC."""

    database: Database
    settings: Settings
    bell: Rings
    clock: Callable[[], datetime] = field(default=utc_now)
    seeds: Callable[[], str] = field(default=new_seed)  # of deals: nobody may guess one

    @property
    def db(self) -> Engine:
        """The engine of this process (a fork gets its own: ask for it each time, don't keep it)."""
        return self.database.engine

    @classmethod
    def of(cls, settings: Settings) -> "Services":
        """Those of a real process."""
        return cls(
            database=Database(settings.database_url, settings.web_threads + 2, settings.database_pooler),
            settings=settings,
            bell=Ringer(Bell(settings.redis_url)),
        )
