"""The jobs that RQ runs. They carry nothing: what is to be done stands in the database."""

import time
from collections.abc import Callable

from service.bell import answer
from workers.outbox import drain as drain_outbox
from workers.process import Process, current
from workers.sweep import sweep as sweep_all

# After this a job asks the carrier for nothing more, and ends when the last answer is in: well before RQ would end it.
WORK_SECONDS = 30.0


def drain() -> None:
    """The bell's job (service/bell.py)."""
    process = current()
    # Before the look, not after: a text that is written after it rings again.
    answer(process.redis)
    if drain_outbox(process.services, process.sender, stopping=time_is_up(process)).more:
        process.services.bell.ring()


def sweep() -> None:
    """The sweep, for whoever wants it at once; the worker does it by itself."""
    process = current()
    if sweep_all(process.services, process.sender, time_is_up(process)).more:
        process.services.bell.ring()


def time_is_up(process: Process) -> Callable[[], bool]:
    """Whether a job that begins now is to end: it has worked long enough, or the process stops."""
    end = time.monotonic() + WORK_SECONDS
    return lambda: process.stopping.is_set() or time.monotonic() > end
