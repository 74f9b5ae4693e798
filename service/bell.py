"""The bell: tells a worker, through RQ, that texts are due.

The database holds what is to be done. A ring that is lost costs the wait for the next sweep and nothing else, so
ringing never fails and never waits long. One key says that a ring is on its way and not yet answered: while it is
there, further rings are the same ring. The job that answers takes the key away before it looks at the database
(`answer`), so that a ring after that look is a job of its own. A job carries no argument at all.
"""

import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue

from service import redis_address

QUEUE = "queenline"
# A name, not the function: the service knows no worker.
JOB = "workers.jobs.drain"
SWEEP_JOB = "workers.jobs.sweep"
RINGING = "queenline:ringing"
# The next moment for which RQ has been asked to wake.
WAKING = "queenline:waking"
NEAR_SECONDS = 5
# A ring whose job got lost is forgotten after this.
RINGING_SECONDS = 15
# The job may be queued for as long; later the sweep has done its work.
JOB_TTL_SECONDS = 600
# RQ ends a job after this, whatever it is at. Before a lease ends (workers/claims.py), so that what it held is given up
# after it; and later than a job ends by itself (workers/jobs.py), or texts that have just gone out would be of unknown fate.
JOB_TIMEOUT_SECONDS = 60
FAILURE_TTL_SECONDS = 3600

CONNECT_SECONDS = 0.1
ANSWER_SECONDS = 0.15
# A Redis slower than this is treated as one that is away.
SLOW_SECONDS = 0.3

log = structlog.get_logger(__name__)


def connect(url: str, wait: float | None = None) -> "Redis":
    """A client. With `wait` every step of a command takes that many seconds at most, and nothing is tried twice."""
    if wait is None:
        return redis_address.client(url)
    return redis_address.client(
        url,
        socket_connect_timeout=min(wait, CONNECT_SECONDS),
        socket_timeout=wait,
        retry=Retry(NoBackoff(), 0),
        protocol=2,  # one exchange less on a new connection
    )


def queue_on(redis: "Redis") -> Queue:
    # JSON: with RQ's pickle whoever can write to Redis runs code here.
    return Queue(QUEUE, connection=redis, serializer="json", default_timeout=JOB_TIMEOUT_SECONDS)


class Bell:
    """Rings for a worker. After a failure it keeps still for a while, doubling from `pause` to `longest_pause` seconds,
    so that a Redis that is away costs one text in many its time-out and the others nothing.
    """

    def __init__(
        self, url: str, pause: float = 1.0, longest_pause: float = 30.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._redis = connect(url, ANSWER_SECONDS)
        self._queue = queue_on(self._redis)
        self._first_pause = pause
        self._longest_pause = longest_pause
        self._pause = pause
        self._monotonic = monotonic
        self._quiet_until = 0.0
        self._lock = threading.Lock()

    def ring(self) -> None:
        """Call it after the commit, never inside the transaction."""
        if self._monotonic() < self._quiet_until:
            return
        started = self._monotonic()
        try:
            if self._redis.set(RINGING, "1", nx=True, ex=RINGING_SECONDS):
                self._enqueue()
        except Exception as error:  # noqa: BLE001  # the text is kept and its answer must go out, whatever happens here
            self._failed(type(error).__name__)
        else:
            if self._monotonic() - started > SLOW_SECONDS:
                self._failed("slow")
            else:
                self._pause = self._first_pause

    def wake(self, at: datetime) -> None:
        """Asks RQ to look at the database at that moment, unless it has been asked for one as near already."""
        if self._monotonic() < self._quiet_until:
            return
        moment = int(at.timestamp()) + 1  # RQ looks by whole seconds: not before
        try:
            asked = self._redis.get(WAKING)
            if asked is not None and asked.isdigit() and moment - NEAR_SECONDS <= int(asked) <= moment:
                return
            self._queue.enqueue_at(
                datetime.fromtimestamp(moment, UTC),
                SWEEP_JOB,
                result_ttl=0,
                failure_ttl=FAILURE_TTL_SECONDS,
                description="sweep",
            )
            self._redis.set(WAKING, moment, exat=moment + RINGING_SECONDS)
        except Exception as error:  # noqa: BLE001  # the sweep looks by itself before long
            self._failed(type(error).__name__)

    def _enqueue(self) -> None:
        try:
            self._queue.enqueue_call(
                JOB, result_ttl=0, failure_ttl=FAILURE_TTL_SECONDS, ttl=JOB_TTL_SECONDS, description="drain"
            )
        except Exception:
            self._redis.delete(RINGING)  # better two jobs than none: the next ring shall try again
            raise

    def _failed(self, why: str) -> None:
        with self._lock:
            self._quiet_until = self._monotonic() + self._pause
            log.warning("bell.lost", why=why, quiet_seconds=self._pause)
            self._pause = min(self._pause * 2, self._longest_pause)


class Ringer:
    """Rings a bell from a thread of its own, so that no answer to a text waits for Redis. Rings close together are one;
    one that is lost when the process ends costs the wait for the next sweep.
    """

    def __init__(self, bell: Bell) -> None:
        self._bell = bell
        self._wanted = threading.Event()
        self._pid = 0  # of the process that has the thread: a fork begins without

    def ring(self) -> None:
        self._wanted.set()
        if self._pid != os.getpid():
            self._pid = os.getpid()
            threading.Thread(target=self._rings, name="bell", daemon=True).start()

    def wake(self, at: datetime) -> None:
        self._bell.wake(at)

    def _rings(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            self._bell.ring()


def answer(redis: "Redis") -> None:
    """What a job does first: from here on a ring is a new one."""
    redis.delete(RINGING)
