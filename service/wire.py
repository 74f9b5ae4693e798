"""Statements to PostgreSQL by libpq itself (`psycopg.pq`): all in one piece, and all answers read in one go.

The driver's own path through a cursor costs more for each statement than the server does, and wakes the server for each.
Values go out and come in by the driver's adapters, so that what is written and read is what its cursors would give.
"""

import select
from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ConnStatus, ExecStatus, PipelineStatus, TransactionStatus

Rows = list[Any]
Written = tuple[bytes, Sequence[Any]]
# libpq 17, which psycopg[binary] brings. With an older one a rollback leaves what was prepared to the connection's end.
_CLOSES = psycopg.capabilities.has_send_close_prepared()
_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)


class Forgotten(Exception):
    """The server no longer knows a statement that was prepared on this connection. The next time it is prepared anew."""


@cache
def _maker(names: tuple[str, ...]) -> Callable[..., Any]:
    """Makes a row of these columns."""
    return cast("Any", namedtuple)("Row", names)._make  # type: ignore[no-any-return]


class Wire:
    """What belongs to one connection of the driver: the statements that are prepared on it, and how their rows are read.

    With `prepare_threshold` None (a pooler stands between, and the next statement may reach another server process)
    nothing is prepared.
    """

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection
        self._pg = connection.pgconn
        self._prepares = connection.prepare_threshold is not None
        self._writer = Transformer(connection)
        self._names: dict[bytes, bytes] = {}  # by text
        self._made = 0  # a name is never given twice
        self._old: list[bytes] = []  # names that are to be closed, if they are there
        self._readers: dict[bytes, tuple[Any, Callable[..., Any]]] = {}
        self._poll = select.poll()
        self._poll.register(self._pg.socket, select.POLLIN)

    @property
    def idle(self) -> bool:
        """Whether no transaction has begun."""
        return self._pg.transaction_status == TransactionStatus.IDLE

    @property
    def whole(self) -> bool:
        """Whether all that was asked has been answered, so that the connection can be used."""
        return self._pg.pipeline_status == PipelineStatus.OFF

    @property
    def in_utc(self) -> bool:
        """Whether the server gives instants in UTC."""
        return self._pg.parameter_status(b"TimeZone") == b"UTC"

    def forget(self) -> None:
        """A rollback: the driver throws away what it has prepared, and ours with it if it has anything."""
        self._old += self._names.values()
        self._names = {}
        self._readers = {}  # a column may have another type by now

    def written(self, statements: Sequence[tuple[bytes, Sequence[Any]]]) -> list[Written]:
        """Statements (`$1` for the first value) with their values as the server reads them. Nothing is sent."""
        texts = [PyFormat.TEXT]
        return [(text, self._writer.dump_sequence(values, texts * len(values))) for text, values in statements]

    def run(self, given: Sequence[Written]) -> list[Rows]:
        """Executes what was `written`, and gives the rows of each statement, as named tuples.

        Where one fails, those behind it are not executed, and its error is raised: a psycopg.Error, or Forgotten. After
        any other exception the connection is in no known state and must be closed.
        """
        closing, self._old = self._old if _CLOSES else [], []
        fresh: dict[bytes, bytes] = {}
        self._pg.enter_pipeline_mode()
        for name in closing:  # no error where it is gone
            self._pg.send_close_prepared(name)
        asked: list[bytes | None] = [None] * len(closing)  # the text whose answer comes at that place
        for text, values in given:
            if not self._prepares:
                self._pg.send_query_params(text, values)
            else:
                name = self._names.get(text) or fresh.get(text, b"")
                if not name:
                    self._made += 1
                    name = fresh[text] = b"queenline_%d" % self._made
                    self._pg.send_prepare(name, text)
                    asked.append(None)
                self._pg.send_query_prepared(name, values)
            asked.append(text)
        self._pg.pipeline_sync()
        self._flush()
        answers = self._answers()
        self._pg.exit_pipeline_mode()
        self._old += fresh.values()  # until they are known to have worked
        for answer in answers:
            if answer.status in _FAILED:
                raise self._error(answer)
        self._old = []
        self._names |= fresh
        return [self._rows(text, answer) for text, answer in zip(asked, answers, strict=True) if text is not None]

    def _flush(self) -> None:
        while self._pg.flush():  # the server may have to be read before it reads on
            for _fd, event in self._wait(select.POLLIN | select.POLLOUT):
                if event & ~select.POLLOUT:
                    self._pg.consume_input()

    def _wait(self, event: int) -> list[tuple[int, int]]:
        self._poll.modify(self._pg.socket, event)
        return self._poll.poll()

    def _answers(self) -> list[Any]:
        answers: list[Any] = []
        while True:
            try:
                while self._pg.is_busy():
                    self._wait(select.POLLIN)
                    self._pg.consume_input()
                answer = self._pg.get_result()
            except psycopg.OperationalError:
                if any(one.status in _FAILED for one in answers):
                    break
                raise
            if answer is None:  # the end of one statement's
                if self._pg.status == ConnStatus.BAD:
                    break
            elif answer.status == ExecStatus.PIPELINE_SYNC:
                return answers
            else:
                answers.append(answer)
        for one in answers:
            if one.status in _FAILED:
                raise self._error(one)
        raise psycopg.OperationalError(self._pg.get_error_message())

    def _error(self, answer: Any) -> Exception:
        error = psycopg.errors.error_from_result(answer, self._connection.info.encoding)
        if isinstance(error, psycopg.errors.InvalidSqlStatementName):
            self.forget()
            return Forgotten()
        return error

    def _rows(self, text: bytes, answer: Any) -> Rows:
        if answer.status != ExecStatus.TUPLES_OK:
            return []
        reader = self._readers.get(text)
        if reader is None:
            names = tuple(answer.fname(number).decode() for number in range(answer.nfields))
            reader = self._readers[text] = Transformer(self._connection), _maker(names)
            reader[0].set_pgresult(answer)
        transformer, make = reader
        transformer.set_pgresult(answer, set_loaders=False)
        return cast("Rows", transformer.load_rows(0, answer.ntuples, make))
