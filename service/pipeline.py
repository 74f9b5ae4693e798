"""Fewer round trips to PostgreSQL: what a text asks at its beginning goes there at once, what it writes at its end too.

`ask` sends several questions together (libpq's pipeline mode) and waits once. `later` keeps a statement whose outcome
nobody waits for; those that were kept are sent, in their order, before anything else is executed on the connection, or
together with the COMMIT. So whoever reads after `later` reads what it wrote, and what fails, fails the transaction.

Both go past SQLAlchemy to the driver (it compiles the statements once), because its own path costs more for each
statement than the server does. On SQLite, where there is no way to save, everything is executed at once as usual.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, NamedTuple, cast

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.types.json import Json
from sqlalchemy import JSON, Connection, Dialect, Engine, Executable, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import DBAPIError, PendingRollbackError

from service.wire import Forgotten, Wire

Values = Mapping[str, Any]
Kept = tuple[bytes, Sequence[Any]]  # a statement as the server takes it, and its values


class Stale(Exception):
    """Somebody else has changed what this transaction has read: begin it again."""


# What changes a version that is no longer the one that was read makes it null, which it cannot be.
VERSION = "version"
_KEPT, _WIRE = "queenline_later", "queenline_wire"  # in the `info` of the driver's connection
MOST_KEPT = 500  # statements; those that are built for each call would pile up
BEGIN: Kept = (b"BEGIN", ())
COMMIT: Kept = (b"COMMIT", ())
_WRITTEN: Dialect = cast("Any", PGDialect_psycopg)(paramstyle="numeric_dollar")


class _Compiled(NamedTuple):
    text: bytes
    pick: Callable[[Values], Sequence[Any]]  # the values in the statement's order
    constants: dict[str, Any]  # those that are not given
    json: tuple[int, ...]  # the places of values that are JSON


_compiled: dict[tuple[Any, tuple[str, ...]], _Compiled] = {}


def ask(conn: Connection, *questions: tuple[Executable, Values]) -> Sequence[Sequence[Any]]:
    """The rows of each question, in one round trip. Each sees what those before it have done.

    Rows have their columns as attributes, and `_asdict()`. Build the statements once, and without IN for lists: the driver takes a list for ANY.
    """
    if conn.dialect.name != "postgresql":
        return [conn.execute(statement, values).all() for statement, values in questions]
    asked = [_text(statement, values, answered=True) for statement, values in questions]
    found = _run(conn, asked)
    return found if _wire(conn).in_utc else [_in_utc(rows) for rows in found]


def later(conn: Connection, statement: Executable, rows: Values | Sequence[Values]) -> None:
    """Executes a statement, with one row of values or several, some time before the transaction's end."""
    if conn.dialect.name != "postgresql":
        conn.execute(statement, rows)
        return
    each = [rows] if isinstance(rows, Mapping) else rows
    texts = [_text(statement, values) for values in each]
    if conn.in_nested_transaction():  # what fails here must fail before the savepoint is released
        _run(conn, texts)
        return
    conn.info.setdefault(_KEPT, []).extend(texts)


def set_up(engine: Engine) -> None:
    """Sends what was kept in time. For an engine of PostgreSQL."""
    event.listen(engine, "before_cursor_execute", _before_another)
    event.listen(engine, "commit", _commit)
    event.listen(engine, "rollback", _forget)
    event.listen(engine, "rollback_savepoint", _forget)


def _before_another(conn: Connection, *_: Any) -> None:
    if conn.info.get(_KEPT):
        _run(conn, [])


def _commit(conn: Connection) -> None:
    if conn.info.get(_KEPT):
        # Where one of them fails, the server skips what stands behind it. SQLAlchemy's own finds nothing to do.
        _run(conn, [COMMIT])
    elif _raw(conn).pgconn.transaction_status == TransactionStatus.INERROR:
        # The server would answer to COMMIT that it has rolled back, and the driver would be content.
        raise PendingRollbackError("A statement of this transaction has failed: there is nothing to commit.")


def _forget(conn: Connection, *_: Any) -> None:
    if not conn.invalidated:  # what was kept has gone with the connection that broke
        drop(conn.info)
        if _WIRE in conn.info:
            conn.info[_WIRE].forget()


def drop(info: dict[Any, Any]) -> None:
    """Forgets what was kept and no transaction has ended: the next who uses the connection has no part in it."""
    info.pop(_KEPT, None)


def _run(conn: Connection, asked: Sequence[Kept]) -> Sequence[Sequence[Any]]:
    """Sends what was kept, and these; the rows of these."""
    wire, kept = _wire(conn), conn.info.get(_KEPT, [])
    # The driver would wait for the answer to its own BEGIN; finding ours, it sends none.
    before = [BEGIN, *kept] if wire.idle else [*kept]
    try:
        written = wire.written([*before, *asked])  # where a value is none for the server, what was kept still is
        kept.clear()
        return wire.run(written)[len(before) :]
    except psycopg.Error as error:
        wire.forget()  # it is rolled back: after a COMMIT by the pool, and no event tells of that
        raise _as_usual(conn, error) from error
    except Forgotten:
        raise Stale from None
    except BaseException:  # in the midst of it: nobody knows what the server will say to whom
        conn.invalidate()
        raise


def _wire(conn: Connection) -> Wire:
    wire = conn.info.get(_WIRE)
    if wire is None:
        wire = conn.info[_WIRE] = Wire(_raw(conn))
    return cast("Wire", wire)


def _raw(conn: Connection) -> "psycopg.Connection[Any]":
    return cast("psycopg.Connection[Any]", conn.connection.driver_connection)


def _text(statement: Any, values: Values, *, answered: bool = False) -> Kept:
    """The statement as the server takes it, and all of its values."""
    key = statement, tuple(values)  # a statement is equal to itself alone
    found = _compiled.get(key)
    if found is None:
        if len(_compiled) > MOST_KEPT:
            _compiled.clear()
        found = _compiled[key] = _compile(statement, values, answered)
    given = found.pick({**found.constants, **values} if found.constants else values)
    if found.json:
        given = list(given)
        for place in found.json:
            if given[place] is not None:
                given[place] = Json(given[place])
    return found.text, given


def _compile(statement: Any, values: Values, answered: bool) -> _Compiled:
    if statement.is_insert and not answered:
        statement = statement.inline()  # nobody asks for the new row's id
    compiled = statement.compile(dialect=_WRITTEN, column_keys=list(values))
    names = compiled.positiontup or []
    constants = {name: value for name, value in compiled.construct_params(dict(values)).items() if name not in values}
    json = tuple(place for place, name in enumerate(names) if isinstance(compiled.binds[name].type, JSON))
    return _Compiled(str(compiled).encode(), _picker(names), constants, json)


def _picker(names: Sequence[str]) -> Callable[[Values], Sequence[Any]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda values: [values[name] for name in names]


def _in_utc(rows: Sequence[Any]) -> Sequence[Any]:
    return [
        type(row)(*(value.astimezone(UTC) if isinstance(value, datetime) else value for value in row)) for row in rows
    ]


def _as_usual(conn: Connection, error: psycopg.Error) -> BaseException:
    """The error as SQLAlchemy would have raised it; a connection that broke is given up."""
    if isinstance(error, psycopg.errors.NotNullViolation) and error.diag.column_name == VERSION:
        return Stale()
    broken = (
        bool(conn.dialect.is_disconnect(cast("Any", error), cast("Any", _raw(conn)), None)) or not _wire(conn).whole
    )
    if broken:
        conn.invalidate(error)
    return DBAPIError.instance(
        None, None, error, cast("Any", psycopg.Error), hide_parameters=True, connection_invalidated=broken,
        dialect=conn.dialect,
    )  # fmt: skip
