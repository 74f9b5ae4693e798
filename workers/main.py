"""`queenline worker`: the sweep in a plain loop, and beside it the process that answers the bell.

The loop needs the database and nothing else. The other process needs Redis; when it ends, because Redis is away or for
any other reason, it is started again after a pause that doubles up to PAUSE_MOST seconds.
"""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import structlog

from service.logs import fault
from service.services import Services
from service.twilio.outbound import Finds, Sender
from workers.reconcile import Reconciler
from workers.sweep import SWEEP_SECONDS, sweep

LISTEN = (sys.executable, "-m", "workers.listen")
PAUSE_FIRST = 1.0
PAUSE_MOST = 30.0
# A child that has lived as long as this was well: the next pause is the first again.
WELL_SECONDS = 60.0
# Longer than a drain (workers/outbox.py DRAIN_SECONDS) takes to end.
STOP_SECONDS = 60.0

log = structlog.get_logger(__name__)


class Worker:
    """Runs in the main thread of a process. `stop()` may be called from anywhere, also from a signal's handler."""

    def __init__(
        self,
        services: Services,
        sender: Sender,
        *,
        every: float = SWEEP_SECONDS,
        listen: Sequence[str] | None = LISTEN,
        pause: float = PAUSE_FIRST,
    ) -> None:
        self._services = services
        self._sender = sender
        self._reconciler = Reconciler(services, sender) if isinstance(sender, Finds) else None
        self._every = every
        self._listen = listen
        self._stopping = False
        self._child: subprocess.Popen[bytes] | None = None
        self._child_since = 0.0
        self._start_at = 0.0
        self._first_pause = self._pause = pause
        # A byte in here wakes the loop: a signal, the child's end, or stop().
        self._wakes, self._wake = socket.socketpair()
        self._wakes.setblocking(False)
        self._wake.setblocking(False)

    def run(self) -> None:
        """Until `stop()`, SIGTERM or SIGINT; then what is under way is ended in order."""
        next_sweep = 0.0
        with self._signals(), selectors.DefaultSelector() as selector:
            selector.register(self._wakes, selectors.EVENT_READ)
            try:
                while not self._stopping:
                    now = time.monotonic()
                    self._watch_child(now)
                    if now >= next_sweep:
                        self._sweep()
                        next_sweep = time.monotonic() + self._every
                        continue
                    upcoming = next_sweep if self._child or self._listen is None else min(next_sweep, self._start_at)
                    selector.select(max(0.0, upcoming - now))
                    self._drop_wakes()
            finally:
                self._stop_child()

    def stop(self) -> None:
        """Lets `run` return once what is under way has ended."""
        self._stopping = True
        with suppress(BlockingIOError):  # it is full of reasons to wake up
            self._wake.send(b"!")

    def _sweep(self) -> None:
        try:
            drained = sweep(self._services, self._sender, lambda: self._stopping)
        except Exception as error:  # noqa: BLE001  # the database is away, or worse: the next sweep may succeed
            log.error("sweep.failed", **fault(error))
        else:
            if drained.sent or drained.other:
                log.info("sweep", **drained._asdict())
        try:
            if self._reconciler is not None and not self._stopping:
                self._reconciler.run(lambda: self._stopping)
        except Exception as error:  # noqa: BLE001  # likewise
            log.error("reconciling.failed", **fault(error))

    def _watch_child(self, now: float) -> None:
        if self._listen is None:
            return
        if self._child is not None and self._child.poll() is not None:
            log.warning("listener.ended", code=self._child.returncode)
            self._close_child()
            if now - self._child_since > WELL_SECONDS:
                self._pause = self._first_pause
            self._start_at = now + self._pause
            self._pause = min(self._pause * 2, PAUSE_MOST)
        if self._child is None and now >= self._start_at:
            self._child = subprocess.Popen(
                list(self._listen),
                env=os.environ | self._services.settings.environment(),
                stdin=subprocess.PIPE,  # its end tells the child that we are gone
            )
            self._child_since = now
            log.info("listener.started", pid=self._child.pid)

    def _stop_child(self) -> None:
        if self._child is None:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._close_child()

    def _close_child(self) -> None:
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()
        self._child = None

    def _drop_wakes(self) -> None:
        with suppress(BlockingIOError):
            while self._wakes.recv(1024):
                pass

    @contextmanager
    def _signals(self) -> Iterator[None]:
        def stop(_number: int, _frame: Any) -> None:
            self.stop()

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        # A handler of our own, or the end of a child would not be written to the wake-up socket.
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        wake_before = signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wake_before)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._wakes.close()
            self._wake.close()
