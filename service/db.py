"""Connections to the database: SQLite for one machine, PostgreSQL for more.

Rows are claimed by conditional updates and versions, never by locks that one of the two would ignore (SQLite leaves
FOR UPDATE out without a word); transactions are short and hold no call to anything outside.
"""

import os
import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import orjson
import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from service import pipeline
from service.one_writer import OneWriter

# How long a statement waits for another writer, or a web request for a free connection, before it gives up.
WAIT_SECONDS = 5
# The carrier stops listening after 15 s; a statement that takes longer than this is of no use to anybody.
STATEMENT_SECONDS = 10
# A connection that nobody has used for so long is asked whether it lives before it is used again.
IDLE_SECONDS = 30
# A machine that is gone without a word: the system would wait for its answer for a quarter of an hour, or two hours.
SILENT = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 20_000}
# What holds for each connection to PostgreSQL. Behind a pooler in transaction mode they are given to the role instead.
SESSION = {
    "statement_timeout": f"{STATEMENT_SECONDS}s",
    "lock_timeout": f"{WAIT_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{3 * STATEMENT_SECONDS}s",
    "timezone": "UTC",
}


def make_engine(url: str, pool_size: int = 5, pooler: str = "none") -> Engine:
    """A new engine, set up as this service needs it. Nothing is connected yet.

    `pool_size` is the number of connections kept, which is also the most of them (one for each thread that serves).
    `pooler`: `transaction` where a pooler stands before PostgreSQL that gives each transaction another connection.
    """
    parsed = make_url(url)
    options: dict[str, Any] = {
        "pool_size": pool_size,
        "max_overflow": 0,
        "pool_timeout": WAIT_SECONDS,
        "hide_parameters": True,  # an error's text ends in a log; the parameters are texts, numbers and hands
        "json_deserializer": orjson.loads,
    }
    if parsed.get_backend_name() == "sqlite":
        engine = create_engine(parsed, connect_args={"timeout": WAIT_SECONDS}, **options)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", partial(_begin_sqlite, OneWriter(engine, WAIT_SECONDS)))
        return engine
    if parsed.get_backend_name() == "postgresql":
        engine = create_engine(parsed, connect_args=connect_args(pooler), pool_recycle=1800, **options)
        pipeline.set_up(engine)
        event.listen(engine, "checkin", _leave)
        event.listen(engine, "checkout", _look_after)
        return engine
    raise ValueError(f"Queenline runs on SQLite and PostgreSQL, not on {parsed.get_backend_name()}")


@contextmanager
def connected(url: str, pooler: str = "none") -> Iterator[Engine]:
    """An engine with one connection, which is closed at the end of the `with` block."""
    engine = make_engine(url, 1, pooler)
    try:
        yield engine
    finally:
        engine.dispose()


def connect_args(pooler: str) -> dict[str, Any]:
    """What each connection to PostgreSQL is opened with: nothing that a pooler in transaction mode would lose or refuse."""
    both: dict[str, Any] = {"connect_timeout": WAIT_SECONDS, "application_name": "queenline"} | SILENT
    if pooler == "transaction":
        return both | {"prepare_threshold": None}
    return both | {"options": " ".join(f"-c {name}={value}" for name, value in SESSION.items())}


def _leave(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.info["left_at"] = time.monotonic()
    pipeline.drop(entry.info)


def _look_after(connection: Any, entry: ConnectionPoolEntry, _proxy: Any) -> None:
    # After a restart of the server nobody should get its corpse. Asking each time would cost a round trip; a connection
    # whose server is gone, as a rule, has something to read: the end of what it said.
    left_at = entry.info.get("left_at")
    if left_at is None:
        return  # it has just been opened: what is wrong with it is found by the first statement, and tried again
    try:
        if connection.closed:
            raise DisconnectionError
        waiting = select.poll()
        waiting.register(connection.fileno(), select.POLLIN)
        if waiting.poll(0) or time.monotonic() - left_at > IDLE_SECONDS:
            connection.execute("")
            connection.commit()  # after a rollback the driver would have everything prepared anew
    except psycopg.Error as error:
        raise DisconnectionError from error


def _set_up_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    # The driver shall not begin transactions by itself: it leaves reads outside of them, so that two texts to one table
    # would each read the same state and one of the two moves would be lost without an error. _begin_sqlite does it.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        # FULL: a text that was answered is kept even when the plug is pulled. NORMAL would save one sync a text and
        # forget the last moves then, with the players holding answers to them.
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(writer: OneWriter, connection: Connection) -> None:
    # IMMEDIATE takes the write lock first, and waits for it. A transaction that begins as a reader and then writes does
    # not wait: it fails at once with "database is locked".
    reading = connection.get_execution_options().get("queenline_reading")
    if not reading:
        writer.take(connection)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads: on SQLite it neither waits for a writer nor keeps one waiting."""
    # Ends with a commit: psycopg forgets all that it has prepared when it sees a rollback.
    with engine.connect().execution_options(queenline_reading=True) as connection, connection.begin():
        yield connection


class Database:
    """The engine of this process.

    A connection that two processes share after a fork breaks for both. So the engine is made on first use, and made
    anew in a process that inherited one; the parent's connections are left alone.
    """

    def __init__(self, url: str, pool_size: int = 5, pooler: str = "none") -> None:
        self.url = url
        self.pool_size = pool_size
        self.pooler = pooler
        self._engine: Engine | None = None
        self._pid = 0
        self._lock = threading.Lock()

    @property
    def engine(self) -> Engine:
        engine = self._engine
        return engine if engine is not None and self._pid == os.getpid() else self._make()

    def _make(self) -> Engine:
        pid = os.getpid()
        if self._pid != pid:
            self._lock = threading.Lock()  # another thread may have held the old one at the moment of the fork
        with self._lock:
            if self._engine is not None:
                if self._pid == pid:
                    return self._engine
                self._engine.dispose(close=False)
            self._engine = make_engine(self.url, self.pool_size, self.pooler)
            self._pid = pid
            return self._engine

    def close(self) -> None:
        if self._engine is not None and self._pid == os.getpid():
            self._engine.dispose()
