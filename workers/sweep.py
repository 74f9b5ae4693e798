"""Does what is due and what no bell has rung for: alarms of turns, a bell that was lost, Redis away, a retry's time.

It asks the database only, so it works when nothing else does. Any number of sweeps may run at once.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import select

from service.db import reading
from service.late import ring_all
from service.models import Nudge, Outbound, table_of
from service.services import Services
from service.twilio.outbound import Sender
from workers.outbox import Drained, drain

SWEEP_SECONDS = 15.0
OUTBOUND, NUDGE = table_of(Outbound), table_of(Nudge)


def sweep(services: Services, sender: Sender, stopping: Callable[[], bool] = lambda: False) -> Drained:
    """Rings the alarms that are due, sends the texts that are due, and asks RQ to wake for what comes before long."""
    ring_all(services)
    drained = drain(services, sender, stopping=stopping)
    coming = nearest(services)
    if coming is not None and coming - services.clock() < timedelta(seconds=2 * SWEEP_SECONDS):
        services.bell.wake(coming)
    return drained


def nearest(services: Services) -> datetime | None:
    """The next moment at which something will be due: an alarm, or a text that is held back."""
    with reading(services.db) as conn:
        text = conn.execute(
            select(OUTBOUND.c.next_attempt_at)
            .where(OUTBOUND.c.status.in_(("pending", "retry")))
            .order_by(OUTBOUND.c.next_attempt_at)
            .limit(1)
        ).scalar()
        alarm = conn.execute(select(NUDGE.c.due_at).order_by(NUDGE.c.due_at).limit(1)).scalar()
    return min((moment for moment in (text, alarm) if moment is not None), default=None)
