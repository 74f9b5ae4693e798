"""gunicorn's threads, with connections that a request may hand over: those of open pages (`service.web.live`)."""

import math
import selectors
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

# So long a process that stops keeps connections on which nothing is asked, because something may be on its way: from the
# proxy beside it that takes milliseconds. gunicorn's own 2 s are added to each step of a rolling restart.
LINGER_SECONDS = 0.5


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn is untyped
    """A request finds the set `queenline.handed_over` in its environment and puts in what it takes: ids of sockets.

    Such a connection is neither closed nor counted any more. Only plain HTTP/1.1 can be handed over.

    A connection that has said nothing yet takes no thread (gunicorn's own would wait in one for 5 s), and keeps a process
    that stops no longer than one that is kept alive (LINGER_SECONDS). Whoever connects after that is refused at once, and
    goes elsewhere.
    """

    def enqueue_req(self, conn: Any) -> None:
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in (one for one in self.sockets if one.sock is not None):
                listener.setblocking(False)
                waiting = -1
                while waiting < self.nr_conns < self.worker_connections:  # until nobody is there any more
                    waiting = self.nr_conns
                    self.accept(listener)
                listener.close()

    def murder_pending(self) -> None:
        if not self.alive:
            last = time.monotonic() + LINGER_SECONDS
            for conn in self.pending_conns:
                conn.timeout = min(conn.timeout, last)
        super().murder_pending()

    def _cap_keepalive(self, deadline: float) -> None:
        super()._cap_keepalive(min(deadline, time.monotonic() + LINGER_SECONDS))

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.handed_over: set[int] = set()
        app: Any = self.wsgi

        def with_set(environ: dict[str, Any], start_response: Any) -> Any:
            if "HTTP_VERSION" not in environ and not self.cfg.is_ssl:
                environ["queenline.handed_over"] = self.handed_over
            return app(environ, start_response)

        self.wsgi: Any = with_set

    def finish_request(self, conn: Any, fs: Any) -> None:
        if id(conn.sock) in self.handed_over:
            self.handed_over.discard(id(conn.sock))
            self.nr_conns -= 1
            return
        super().finish_request(conn, fs)
        if not self.alive:
            self._cap_keepalive(math.inf)
