"""Open pages hear that their table has changed, by server-sent events.

An event holds a number and nothing else: the page then asks for itself again, with its cookie. Under `queenline serve`
the thread that answered the request hands the connection over to the one `Hub` of its process (`service.web.worker`),
so that an open page costs a socket and no thread. Two times a second the hub asks the database, in one query, how the
tables that are looked at stand. Another server keeps the thread for a while, and the browser asks again.
"""

import errno
import resource
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import structlog
from flask import Response, request
from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError

from service.db import reading
from service.logs import fault
from service.models import GameTable, table_of
from service.models import Seat as SeatRow
from service.services import Services

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.4  # between two looks at the database
BREATH_SECONDS = 20.0  # a line that says nothing, so that neither a proxy nor a dead phone keeps the connection
OWN_THREAD_SECONDS = 20.0  # where the server cannot hand the connection over
AGAIN_MS = 1500  # after which a browser comes back
MOST = 4000  # open pages of one process, where it may have so many files open
OTHER_FILES = 200  # that the process needs besides
MOST_OF_ONE = 12  # of one address

TABLE, SEAT = table_of(GameTable), table_of(SeatRow)
_SEATS = (
    select(SEAT.c.table_id, (func.count() * 1000 + func.coalesce(func.sum(SEAT.c.link_no), 0)).label("seats"))
    .where(SEAT.c.table_id.in_(bindparam("ids", expanding=True)))
    .group_by(SEAT.c.table_id)
    .subquery()
)
_MARKS = (
    select(
        TABLE.c.id,
        TABLE.c.version,
        TABLE.c.status,
        TABLE.c.updated_at,
        TABLE.c.watch_no,
        TABLE.c.paused_at,
        _SEATS.c.seats,
    )
    .select_from(TABLE.outerjoin(_SEATS, _SEATS.c.table_id == TABLE.c.id))
    .where(TABLE.c.id.in_(bindparam("ids", expanding=True)))
)


def marks(conn: Connection, tables: list[int]) -> dict[int, str]:
    """How these tables stand: a mark changes whenever a page of the table would look different."""
    rows = conn.execute(_MARKS, {"ids": tables})
    return {
        row.id: f"{row.version}-{row.status[:2]}-{int(row.updated_at.timestamp() * 1000):x}-{row.seats or 0}-{row.watch_no or 0}"
        + ("" if row.paused_at is None else "-paused")
        for row in rows
    }


def event(mark: str) -> bytes:
    """The event that a table has changed; the number of its last move is all it tells."""
    return f"id: {mark}\nevent: changed\ndata: {mark.partition('-')[0]}\n\n".encode()


@dataclass(eq=False)
class Listener:
    """One open page: its socket, which table, whose address, and the mark of what it shows."""

    socket: socket.socket
    table: int
    whose: str
    mark: str
    heard: float = field(default_factory=time.monotonic)


class HandedOver(OSError):
    """Ends the request in its thread: the connection is somebody else's now. A broken pipe, to the server's eyes."""

    def __init__(self) -> None:
        super().__init__(errno.EPIPE, "handed over")


class Hub:
    """The listeners of one process, and the one thread that writes to them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._new: deque[Listener] = deque()
        self._listeners: set[Listener] = set()
        self._selector = selectors.DefaultSelector()
        self._thread: threading.Thread | None = None
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = MOST if files == resource.RLIM_INFINITY else max(0, min(MOST, files - OTHER_FILES))

    def __len__(self) -> int:
        return len(self._listeners) + len(self._new)

    @property
    def full(self) -> bool:
        return len(self) >= self._most

    def take(self, listener: Listener) -> None:
        """One more; the first starts the thread."""
        listener.socket.setblocking(False)
        self._new.append(listener)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="live", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            began = time.monotonic()
            try:
                self._tell()
            except SQLAlchemyError as error:  # the database is away: pages stay as they are, and hear of it later
                log.warning("live.failed", **fault(error))
            self._hang_up(max(0.05, LOOK_SECONDS - (time.monotonic() - began)))

    def _tell(self) -> None:
        while self._new:
            listener = self._new.popleft()
            self._listeners.add(listener)
            self._selector.register(listener.socket, selectors.EVENT_READ, listener)
            self._one_too_many(listener.whose)
        if not self._listeners:
            return
        ids = sorted({listener.table for listener in self._listeners})
        with reading(self._services.db) as conn:
            now = marks(conn, ids)
        breath = time.monotonic() - BREATH_SECONDS
        for listener in list(self._listeners):
            mark = now.get(listener.table, "0-gone")
            if mark != listener.mark:
                listener.mark = mark
                self._write(listener, event(mark))
            elif listener.heard < breath:
                self._write(listener, b":\n\n")

    def _one_too_many(self, whose: str) -> None:
        """Of one address only so many stay open: the oldest goes."""
        same = [listener for listener in self._listeners if listener.whose == whose]
        if len(same) > MOST_OF_ONE:
            self._drop(min(same, key=lambda listener: listener.heard))

    def _write(self, listener: Listener, data: bytes) -> None:
        """A page that does not read what little it is told is let go; it comes back."""
        try:
            whole = listener.socket.send(data) == len(data)
        except OSError:
            whole = False
        if whole:
            listener.heard = time.monotonic()
        else:
            self._drop(listener)

    def _hang_up(self, seconds: float) -> None:
        """Waits so long; meanwhile closes the connections of pages that have been closed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self._listeners:
                time.sleep(left)
                return
            for key, _ in self._selector.select(left):
                try:
                    gone = not key.data.socket.recv(1024)
                except BlockingIOError:
                    gone = False
                except OSError:
                    gone = True
                if gone:
                    self._drop(key.data)

    def _drop(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        with suppress(KeyError, ValueError):
            self._selector.unregister(listener.socket)
        with suppress(OSError):
            listener.socket.close()


class HandOver:
    """The body of an answer that the hub goes on with: asked for its first piece, it gives the connection away."""

    def __init__(self, hub: Hub, listener: Listener, given_over: set[int], headers: dict[str, str]) -> None:
        self._hub, self._listener, self._given_over, self._headers = hub, listener, given_over, headers

    def __iter__(self) -> "HandOver":
        return self

    def __next__(self) -> bytes:
        connection = self._listener.socket
        head = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        connection.sendall(f"HTTP/1.1 200 OK\r\n{head}\r\nretry: {AGAIN_MS}\n\n".encode())
        self._given_over.add(id(connection))
        self._hub.take(self._listener)
        raise HandedOver


class Live:
    """Answers the requests of pages that want to hear; `hub` is of this process, made on its first one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._hub: Hub | None = None
        self._lock = threading.Lock()

    @property
    def hub(self) -> Hub:
        with self._lock:
            if self._hub is None:
                self._hub = Hub(self._services)
            return self._hub

    def stream(self, table: int, whose: str, mark: str) -> Response:
        """The answer that stays open: an event for each change of that table from `mark` on."""
        headers = {
            "Content-Type": "text/event-stream",
            "Cache-Control": "no-store, no-transform",  # a proxy that compresses would wait for more
            "X-Accel-Buffering": "no",
            "X-Content-Type-Options": "nosniff",
        }
        if self.hub.full:
            return Response("", 503, {"Retry-After": "30"})
        given_over = request.environ.get("queenline.handed_over")
        if given_over is None:
            return Response(self._in_this_thread(table, mark), headers=headers)
        listener = Listener(request.environ["gunicorn.socket"], table, whose, mark)
        return Response(HandOver(self.hub, listener, given_over, headers | {"Connection": "close"}), headers=headers)

    def _in_this_thread(self, table: int, mark: str) -> Iterator[bytes]:
        yield f"retry: {AGAIN_MS}\n\n".encode()
        end = time.monotonic() + OWN_THREAD_SECONDS
        wait = threading.Event()
        while True:
            with reading(self._services.db) as conn:
                now = marks(conn, [table]).get(table, "0-gone")
            if now != mark:
                mark = now
                yield event(mark)
            if time.monotonic() > end:
                return
            wait.wait(LOOK_SECONDS)
