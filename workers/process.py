"""What a worker's process works with. RQ calls a job by its name, so this has a place of its own and no argument."""

from dataclasses import dataclass, field
from threading import Event

from redis import Redis

from service.bell import connect
from service.services import Services
from service.twilio.outbound import Sender, TwilioSender


@dataclass
class Process:
    """What the jobs of this process use."""

    services: Services
    sender: Sender
    redis: "Redis"
    stopping: Event = field(default_factory=Event)  # a job ends early when it is set


_process: Process | None = None


def use(services: Services, sender: Sender | None = None) -> Process:
    """Says, once at the start, what the jobs of this process use."""
    global _process  # noqa: PLW0603
    settings = services.settings
    _process = Process(services, sender or TwilioSender(settings), connect(settings.redis_url, 1.0))
    return _process


def current() -> Process:
    """What `use` has named. RuntimeError where nothing was."""
    if _process is None:
        raise RuntimeError("workers.process.use() has not been called in this process")
    return _process
