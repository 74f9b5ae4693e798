"""The jobs that RQ runs. They carry nothing: what is to be done stands in the database."""

from service.bell import answer
from workers.outbox import drain as drain_outbox
from workers.process import current
from workers.sweep import sweep as sweep_all


def drain() -> None:
    """The bell's job (service/bell.py)."""
    process = current()
    # Before the look, not after: a text that is written after it rings again.
    answer(process.redis)
    drained = drain_outbox(process.services, process.sender, stopping=process.stopping.is_set)
    if drained.more:
        process.services.bell.ring()


def sweep() -> None:
    """The sweep, for whoever wants it at once; the worker does it by itself."""
    process = current()
    sweep_all(process.services, process.sender, process.stopping.is_set)
