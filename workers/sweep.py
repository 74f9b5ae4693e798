"""Does what is due and what no bell has rung for: alarms of turns, a bell that was lost, Redis away, a retry's time.

It asks the database only, so it works when nothing else does. Any number of sweeps may run at once.
"""

from collections.abc import Callable

from service.late import ring_all
from service.services import Services
from service.twilio.outbound import Sender
from workers.outbox import Drained, drain

SWEEP_SECONDS = 15.0


def sweep(services: Services, sender: Sender, stopping: Callable[[], bool] = lambda: False) -> Drained:
    ring_all(services)
    return drain(services, sender, stopping=stopping)
