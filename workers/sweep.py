"""Does what is due and what no bell has rung for: the bell was lost, Redis is away, a retry's time has come.

It asks the database only, so it works when nothing else does. Any number of sweeps may run at once.
"""

from collections.abc import Callable

from service.services import Services
from service.twilio.outbound import Sender
from workers.outbox import Drained, drain

SWEEP_SECONDS = 15.0


def sweep(services: Services, sender: Sender, stopping: Callable[[], bool] = lambda: False) -> Drained:
    return drain(services, sender, stopping=stopping)
