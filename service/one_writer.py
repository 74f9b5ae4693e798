"""One writer at a time on SQLite: the threads of a process queue up for it, and take turns as soon as it is free.

SQLite alone lets each of them sleep and look again, for a tenth of a second in the end, with nobody writing meanwhile and
the last to come often the first to go. Measured with four threads under load, that is half of the texts a second, at many
times the wait. Between processes it stays so.
"""

import threading
from typing import Any

from sqlalchemy import Connection, Engine, event

_WRITES = "queenline_writes"  # in the `info` of the driver's connection: it holds the lock


class OneWriter:
    """The lock of one engine: taken before a transaction that writes, given back with its connection."""

    def __init__(self, engine: Engine, wait: float) -> None:
        self._lock = threading.Lock()
        self._wait = wait
        for name in ("checkin", "invalidate", "detach"):
            event.listen(engine, name, self._give_back)

    def take(self, connection: Connection) -> None:
        """Waits for it; where that takes too long, SQLite itself says what is to be said."""
        if not connection.info.get(_WRITES):
            connection.info[_WRITES] = self._lock.acquire(timeout=self._wait)

    def _give_back(self, _connection: Any, entry: Any, *_: Any) -> None:
        if entry.info.pop(_WRITES, False):
            self._lock.release()
