"""The process that answers the bell: an RQ worker, started and watched by workers/main.py.

One process and no fork for each job: a drain keeps its connections to the database and to the carrier, and a crash is
mended by starting this process anew.
"""

import os
import signal
import sys
import threading
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError, ResponseError
from rq import Queue
from rq.scheduler import RQScheduler
from rq.worker import SimpleWorker

from service import logs
from service.bell import connect, queue_on
from service.config import SettingsError, load
from service.logs import fault
from service.services import Services
from workers.process import use

log = structlog.get_logger(__name__)


class Listener(SimpleWorker):
    # RQ's own would let a minute pass after Redis is back.
    max_connection_wait_time = 5.0

    stopping: threading.Event

    def handle_warm_shutdown_request(self) -> None:
        self.stopping.set()  # the job under way ends after its batch


class Scheduler(RQScheduler):
    """RQ's scheduler as a thread of the listener, so that it ends with it however that ends."""

    def __init__(self, queues: "list[Queue]", connection: "Redis", **options: Any) -> None:
        super().__init__(queues, connection=connection, **options)
        self._connection: Any = connection  # its own way to another would lose how Sentinel finds the master

    def _install_signal_handlers(self) -> None:
        """Signals are the listener's own."""


def schedule(url: str, stopping: threading.Event) -> None:
    """Moves jobs whose time has come into the queue; begins again when Redis has been away. The sweep needs it not."""
    while not stopping.is_set():
        queue = queue_on(connect(url))
        scheduler = Scheduler([queue], connection=queue.connection, serializer="json", logging_level="WARNING")
        try:
            scheduler.work()  # type: ignore[no-untyped-call]
        except (RedisError, OSError):
            stopping.wait(5.0)


def warn_of_eviction(redis: "Redis") -> None:
    """A Redis that may throw keys away when it is full loses jobs without a word: texts then wait for the sweep."""
    try:
        policy: Any = redis.config_get("maxmemory-policy")
    except ResponseError:  # whoever runs it for us does not let us ask
        return
    if policy.get("maxmemory-policy", "noeviction") != "noeviction":
        log.warning("redis.evicts", policy=policy["maxmemory-policy"], better="noeviction")


def listen(services: Services) -> None:
    """Runs until SIGTERM, or until Redis goes away in the middle of something."""
    process = use(services)
    redis = connect(services.settings.redis_url)
    warn_of_eviction(redis)
    url = services.settings.redis_url
    threading.Thread(target=schedule, args=(url, process.stopping), daemon=True, name="scheduler").start()
    worker = Listener(
        [queue_on(redis)],
        connection=redis,
        serializer="json",
        # How long the worker's key outlives it, and how often an idle one wakes up (15 s before).
        worker_ttl=60,
        maintenance_interval=60,
        log_job_description=False,
    )
    worker.stopping = process.stopping
    worker.work(logging_level="WARNING", with_scheduler=False)


def stop_with_parent() -> None:
    """Nobody is left to start this process anew or to stop it: the parent's end of our standard input is closed."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    logs.configure()
    try:
        settings = load()
    except SettingsError as error:
        sys.exit(str(error))
    stop_with_parent()
    try:
        listen(Services.of(settings))
    except RedisError as error:  # workers/main.py starts us again after a pause; until then the sweep does all
        log.warning("listener.no_redis", **fault(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
