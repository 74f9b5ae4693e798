"""Fewer round trips to PostgreSQL: what a text asks at its beginning goes there at once, what it writes at its end too.

`ask` sends several questions together (libpq's pipeline mode) and waits once. `later` keeps a statement whose outcome
nobody waits for; those that were kept are sent, in their order, before anything else is executed on the connection, or
together with the COMMIT. So whoever reads after `later` reads what it wrote, and what fails, fails the transaction.

Both go past SQLAlchemy to the driver (it compiles the statements once), because its own path costs more for each
statement than the server does. On SQLite, where there is no way to save, everything is executed at once as usual.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

import psycopg
from psycopg.rows import namedtuple_row
from psycopg.types.json import Json
from sqlalchemy import JSON, Connection, Engine, Executable, event
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]


class Stale(Exception):
    """Somebody else has changed what this transaction has read: begin it again."""


# What changes a version that is no longer the one that was read makes it null, which it cannot be.
VERSION = "version"
_KEPT, _BEGUN, _CURSORS = (
    "queenline_later",
    "queenline_begun",
    "queenline_cursors",
)  # in the `info` of the driver's connection
MOST_KEPT = 500  # statements; those that are built for each call would pile up


class _Compiled(NamedTuple):
    text: str
    constants: dict[str, Any]
    json: tuple[str, ...]  # values that are JSON


_compiled: dict[tuple[Any, tuple[str, ...]], _Compiled] = {}


def ask(conn: Connection, *questions: tuple[Executable, Values]) -> list[Sequence[Any]]:
    """The rows of each question, in one round trip. Each sees what those before it have done.

    Rows have their columns as attributes, and `_asdict()`. Build the statements once, and without IN for lists: the driver takes a list for ANY.
    """
    if conn.dialect.name != "postgresql":
        return [conn.execute(statement, values).all() for statement, values in questions]
    raw = _raw(conn)
    kept = _take(conn)
    cursors: list[Any] = []
    if raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
        raw.autocommit = conn.info[_BEGUN] = True  # the driver waits for the answer to its own BEGIN
        kept.insert(0, ("BEGIN", {}))
    try:
        with _together(raw):
            _send(raw, conn, kept)
            for statement, values in questions:
                text, given = _text(conn, statement, values, answered=True)
                cursor = _cursor(raw, conn, text, cursors)
                cursor.execute(text, given)
                cursors.append(cursor)
        found: list[Sequence[Any]] = [cursor.fetchall() for cursor in cursors]
    except psycopg.Error as error:
        raise _as_usual(conn, error) from error
    return found if raw.info.parameter_status("TimeZone") == "UTC" else [_in_utc(rows) for rows in found]


def later(conn: Connection, statement: Executable, rows: Values | Sequence[Values]) -> None:
    """Executes a statement, with one row of values or several, some time before the transaction's end."""
    if conn.dialect.name != "postgresql":
        conn.execute(statement, rows)
        return
    each = [rows] if isinstance(rows, Mapping) else rows
    kept = conn.info.setdefault(_KEPT, [])
    kept += [_text(conn, statement, values) for values in each]


def set_up(engine: Engine) -> None:
    """Sends what was kept in time. For an engine of PostgreSQL."""
    event.listen(engine, "begin", _begin)
    event.listen(engine, "before_cursor_execute", _before_another)
    event.listen(engine, "commit", _commit)
    event.listen(engine, "rollback", _forget)


def _begin(conn: Connection) -> None:
    if conn.info.pop(_BEGUN, False):  # as the last transaction that began with `ask` has left it
        _raw(conn).autocommit = False


def _before_another(conn: Connection, *_: Any) -> None:
    kept = _take(conn)
    if kept:
        raw = _raw(conn)
        try:
            with _together(raw):
                _send(raw, conn, kept)
        except psycopg.Error as error:
            raise _as_usual(conn, error) from error


def _commit(conn: Connection) -> None:
    kept = _take(conn)
    if kept:
        raw = _raw(conn)
        try:
            with _together(raw):
                # Where one of them fails, the server skips what stands behind it. SQLAlchemy's own finds nothing to do.
                _send(raw, conn, [*kept, ("COMMIT", {})])
        except psycopg.Error as error:
            raise _as_usual(conn, error) from error


def _forget(conn: Connection) -> None:
    if not conn.invalidated:  # what was kept has gone with the connection that broke
        _take(conn)


def _take(conn: Connection) -> list[tuple[str, Values]]:
    return cast("list[tuple[str, Values]]", conn.info.pop(_KEPT, []))


@contextmanager
def _together(raw: "psycopg.Connection[Any]") -> Iterator[None]:
    """The driver's pipeline, but all of it sent at the end, in one piece: otherwise the server is woken for each statement."""
    with raw.pipeline() as pipeline:
        pipeline._communicate_gen = _nothing  # type: ignore[method-assign]  # noqa: SLF001  # harmless where it is gone
        try:
            yield
        finally:
            del pipeline._communicate_gen  # noqa: SLF001
            while pipeline.command_queue:  # into libpq's buffer; the driver would flush it after each
                pipeline.command_queue.popleft()()


def _nothing() -> Generator[Any, Any, None]:
    yield from ()


def _send(raw: "psycopg.Connection[Any]", conn: Connection, kept: Iterable[tuple[str, Values]]) -> None:
    for text, values in kept:
        _cursor(raw, conn, text).execute(text, values)


def _cursor(raw: "psycopg.Connection[Any]", conn: Connection, text: str, busy: Sequence[Any] = ()) -> Any:
    """The connection's own for this statement, which knows its types from the last time; a new one where that is busy."""
    kept = conn.info.setdefault(_CURSORS, {})
    found = kept.get(text)
    if found is None:
        if len(kept) > MOST_KEPT:
            kept.clear()
        found = kept[text] = raw.cursor(row_factory=namedtuple_row)
    return raw.cursor(row_factory=namedtuple_row) if any(found is one for one in busy) else found


def _raw(conn: Connection) -> "psycopg.Connection[Any]":
    return cast("psycopg.Connection[Any]", conn.connection.driver_connection)


def _text(conn: Connection, statement: Any, values: Values, *, answered: bool = False) -> tuple[str, Values]:
    """The statement as the driver takes it, and all of its values."""
    key = statement, tuple(values)  # a statement is equal to itself alone
    found = _compiled.get(key)
    if found is None:
        if len(_compiled) > MOST_KEPT:
            _compiled.clear()
        found = _compiled[key] = _compile(conn, statement, values, answered)
    given = {**found.constants, **values}
    for name in found.json:
        if given[name] is not None:
            given[name] = Json(given[name])
    return found.text, given


def _compile(conn: Connection, statement: Any, values: Values, answered: bool) -> _Compiled:
    if statement.is_insert and not answered:
        statement = statement.inline()  # nobody asks for the new row's id
    compiled = statement.compile(dialect=conn.dialect, column_keys=list(values))
    constants = {name: value for name, value in compiled.construct_params(dict(values)).items() if name not in values}
    json = tuple(name for name, bind in compiled.binds.items() if isinstance(bind.type, JSON))
    return _Compiled(str(compiled), constants, json)


def _in_utc(rows: Sequence[Any]) -> Sequence[Any]:
    return [
        type(row)(*(value.astimezone(UTC) if isinstance(value, datetime) else value for value in row)) for row in rows
    ]


def _as_usual(conn: Connection, error: psycopg.Error) -> BaseException:
    """The error as SQLAlchemy would have raised it; a connection that broke is given up."""
    if isinstance(error, psycopg.errors.NotNullViolation) and error.diag.column_name == VERSION:
        return Stale()
    broken = bool(conn.dialect.is_disconnect(cast("Any", error), cast("Any", _raw(conn)), None))
    if broken:
        conn.invalidate(error)
    return DBAPIError.instance(
        None, None, error, cast("Any", psycopg.Error), hide_parameters=True, connection_invalidated=broken,
        dialect=conn.dialect,
    )  # fmt: skip
