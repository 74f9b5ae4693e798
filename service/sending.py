"""How sending goes, as /readyz and `queenline status` say it: what is stopped, what is unknown."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from service import breaker
from service.models import Outbound, Player, table_of

OUTBOUND, PLAYER = table_of(Outbound), table_of(Player)


def sending(db: Connection, now: datetime) -> dict[str, Any]:
    """`sending` is ok, slow (after a stop) or stopped; `stopped` says what is, why, since when, and when it is tried
    again; `unknown` counts the texts of which nobody knows whether they were sent.
    """
    facts = breaker.facts(db, now)
    states = {fact["state"] for fact in facts}
    unknown = db.execute(select(func.count()).select_from(OUTBOUND).where(OUTBOUND.c.status == "unknown")).scalar_one()
    return {
        "sending": "stopped" if "stopped" in states else "slow" if states else "ok",
        "stopped": facts,
        "unknown": unknown,
    }


def unreachable(db: Connection) -> int:
    """Players whom nothing reaches until they text us."""
    return int(
        db.execute(
            select(func.count()).where(
                PLAYER.c.unreachable_at.is_not(None),
                (PLAYER.c.last_inbound_at.is_(None)) | (PLAYER.c.last_inbound_at <= PLAYER.c.unreachable_at),
            )
        ).scalar_one()
    )
