"""The same text again, because its answer was slow to come."""

from datetime import timedelta

from sqlalchemy import and_, select

from service.desk import Desk
from service.stored import INBOUND

DOUBLE_SEND = timedelta(minutes=10)


def sent_twice(desk: Desk) -> int | None:
    """The table where these very words made a move a few minutes ago: a slow answer makes people send again."""
    last = desk.conn.execute(
        select(INBOUND.c.body, INBOUND.c.table_id)
        .where(
            and_(
                INBOUND.c.player_id == desk.player.id,
                INBOUND.c.id != desk.inbound_id,
                INBOUND.c.received_at >= desk.now - DOUBLE_SEND,
                INBOUND.c.kind == "moves",
            )
        )
        .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
        .limit(1)
    ).first()
    if last is None or desk.sms is None or last.body.strip().lower() != desk.sms.body.strip().lower():
        return None
    return int(last.table_id)
