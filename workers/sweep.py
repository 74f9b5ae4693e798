"""Does what is due and what no bell has rung for: alarms of turns, a bell that was lost, Redis away, a retry's time.

It asks the database only, so it works when nothing else does. Any number of sweeps may run at once.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, select

from service.db import reading
from service.late import ring_some
from service.models import Nudge, Outbound, table_of
from service.services import Services
from service.twilio.outbound import Sender
from workers.outbox import Drained, drain

SWEEP_SECONDS = 15.0
OUTBOUND, NUDGE = table_of(Outbound), table_of(Nudge)


def sweep(services: Services, sender: Sender, stopping: Callable[[], bool] = lambda: False) -> Drained:
    """Rings the alarms that are due, sends the texts that are due, and asks RQ to wake for what comes before long."""
    drained = Drained()
    while True:  # a crowd of alarms does not keep the texts waiting
        rung = ring_some(services, stopping)
        some = drain(services, sender, stopping=stopping)
        drained = Drained(drained.sent + some.sent, drained.other + some.other, some.more)
        if not rung or stopping():
            break
    coming = nearest(services)
    if coming is not None and coming - services.clock() < timedelta(seconds=2 * SWEEP_SECONDS):
        services.bell.wake(coming)
    return drained


def nearest(services: Services) -> datetime | None:
    """The next moment at which something will be due: an alarm, or a text that is held back."""
    with reading(services.db) as conn:
        moments = [conn.execute(query).scalar() for query in next_moments()]
    return min((moment for moment in moments if moment is not None), default=None)


def next_moments() -> list[Select[Any]]:
    """The first of each kind, each by its index: what waits besides is not read."""
    texts = [
        select(OUTBOUND.c.next_attempt_at)
        .where(OUTBOUND.c.status == status)
        .order_by(OUTBOUND.c.next_attempt_at)
        .limit(1)
        for status in ("pending", "retry")
    ]
    return [*texts, select(NUDGE.c.due_at).order_by(NUDGE.c.due_at).limit(1)]
