"""`queenline status`: what waits, how long, and why what was not sent was not."""

import json
from datetime import datetime
from typing import Any

import click
from sqlalchemy import func, select

from commands.spent import show
from commands.start import prepared
from service.db import reading
from service.sending import sending, unreachable
from service.services import Services
from service.spending import OF_SERVICE, level, used_by_all
from service.spent import BY
from service.stored import NUDGE, OUTBOUND, PLAYING, TABLE


@click.command(short_help="what is late, and why")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--by", type=click.Choice(BY), help="Instead: texts and segments by table, day or kind.")
@click.option("--days", type=click.IntRange(1, 3660), default=30, show_default=True, help="How far back --by looks.")
def command(as_json: bool, by: str | None, days: int) -> None:
    """Turns that wait and how old they are, reminders due and sent, texts in the outbox, and why others did not go."""
    if by is not None:
        show(prepared(make=False), by, days, as_json)
        return
    facts = status(prepared(make=False))
    if as_json:
        click.echo(json.dumps(facts))
        return
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {count}" for key, count in sorted(value.items())) or "none"
        click.echo(f"{name.replace('_', ' ')}: {value if value is not None else 'none'}")


def status(services: Services) -> dict[str, Any]:
    """The figures; ages in hours."""
    now = services.clock()

    def hours(since: datetime | None) -> float | None:
        return None if since is None else round((now - since).total_seconds() / 3600, 1)

    with reading(services.db) as conn:
        tables = conn.execute(select(TABLE.c.status, func.count()).group_by(TABLE.c.status)).all()
        oldest = conn.execute(
            select(TABLE.c.turn_since).where(TABLE.c.status == PLAYING).order_by(TABLE.c.turn_since).limit(1)
        ).scalar()
        late = conn.execute(select(func.count()).select_from(NUDGE).where(NUDGE.c.late.is_(True))).scalar_one()
        waiting = conn.execute(select(func.count()).select_from(NUDGE)).scalar_one()
        due = conn.execute(select(func.count()).select_from(NUDGE).where(NUDGE.c.due_at <= now)).scalar_one()
        sent = conn.execute(select(func.coalesce(func.sum(NUDGE.c.sent), 0))).scalar_one()
        reasons = conn.execute(
            select(NUDGE.c.last_reason, func.count())
            .where(NUDGE.c.last_reason.is_not(None))
            .group_by(NUDGE.c.last_reason)
        )
        texts = conn.execute(select(OUTBOUND.c.status, func.count()).group_by(OUTBOUND.c.status))
        dropped = conn.execute(
            select(OUTBOUND.c.error_code, func.count())
            .where(OUTBOUND.c.status.in_(("canceled", "failed", "unknown", "undelivered")))
            .group_by(OUTBOUND.c.error_code)
        )
        oldest_text = conn.execute(
            select(OUTBOUND.c.next_attempt_at)
            .where(OUTBOUND.c.status.in_(("pending", "retry")), OUTBOUND.c.next_attempt_at <= now)
            .order_by(OUTBOUND.c.next_attempt_at)
            .limit(1)
        ).scalar()
        stopped = sending(conn, now)
        return {
            "tables": {str(key): int(count) for key, count in tables},
            "turns_waiting": waiting,
            "oldest_turn_hours": hours(oldest),
            "turns_late": late,
            "reminders_due": due,
            "reminders_sent_for_these_turns": int(sent),
            "reminders_not_sent": {str(reason): int(count) for reason, count in reasons},
            "texts": {str(key): int(count) for key, count in texts},
            "texts_not_sent": {str(code or "no-code"): int(count) for code, count in dropped},
            "oldest_due_text_hours": hours(oldest_text),
            "sending": stopped["sending"],
            "stopped": {
                fact["what"]: f"{fact['why']} since {fact['since']}, tried again {fact['next']}"
                for fact in stopped["stopped"]
                if fact["state"] == "stopped"
            },
            "texts_unknown": stopped["unknown"],
            "players_unreachable": unreachable(conn),
            "segments_this_month": (used := used_by_all(conn, now)),
            "segments_a_month": services.settings.service_monthly_segments or None,
            "month": level(used, services.settings.service_monthly_segments, OF_SERVICE).name.lower(),
        }
