"""`queenline status`: what waits, how long, and why what was not sent was not."""

import json
from datetime import datetime
from typing import Any

import click
from sqlalchemy import ColumnElement, Connection, Table, func, select

from commands.spent import show
from commands.start import prepared
from service.db import reading
from service.sending import sending, unreachable
from service.services import Services
from service.spending import OF_SERVICE, level, used_by_all
from service.spent import BY
from service.stored import NUDGE, OUTBOUND, PLAYING, TABLE


@click.command()
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
    with reading(services.db) as conn:
        return turns(conn, now) | texts(conn, now) | month(conn, services, now)


def turns(conn: Connection, now: datetime) -> dict[str, Any]:
    """Tables, turns that wait, and reminders."""
    oldest = conn.execute(
        select(TABLE.c.turn_since).where(TABLE.c.status == PLAYING).order_by(TABLE.c.turn_since).limit(1)
    ).scalar()
    sent = conn.execute(select(func.coalesce(func.sum(NUDGE.c.sent), 0))).scalar_one()
    return {
        "tables": counted_by(conn, TABLE.c.status),
        "turns_waiting": how_many(conn, NUDGE),
        "oldest_turn_hours": hours_since(oldest, now),
        "turns_late": how_many(conn, NUDGE, NUDGE.c.late.is_(True)),
        "reminders_due": how_many(conn, NUDGE, NUDGE.c.due_at <= now),
        "reminders_sent_for_these_turns": int(sent),
        "reminders_not_sent": counted_by(conn, NUDGE.c.last_reason, NUDGE.c.last_reason.is_not(None)),
    }


def texts(conn: Connection, now: datetime) -> dict[str, Any]:
    """Texts by what became of them, and whether they go out."""
    oldest = conn.execute(
        select(OUTBOUND.c.next_attempt_at)
        .where(OUTBOUND.c.status.in_(("pending", "retry")), OUTBOUND.c.next_attempt_at <= now)
        .order_by(OUTBOUND.c.next_attempt_at)
        .limit(1)
    ).scalar()
    not_sent = OUTBOUND.c.status.in_(("canceled", "failed", "unknown", "undelivered"))
    stopped = sending(conn, now)
    return {
        "texts": counted_by(conn, OUTBOUND.c.status),
        "texts_not_sent": counted_by(conn, OUTBOUND.c.error_code, not_sent),
        "oldest_due_text_hours": hours_since(oldest, now),
        "sending": stopped["sending"],
        "stopped": {
            fact["what"]: f"{fact['why']} since {fact['since']}, tried again {fact['next']}"
            for fact in stopped["stopped"]
            if fact["state"] == "stopped"
        },
        "texts_unknown": stopped["unknown"],
        "players_unreachable": unreachable(conn),
    }


def month(conn: Connection, services: Services, now: datetime) -> dict[str, Any]:
    """What this month has taken, and how much of the cap that is."""
    used, cap = used_by_all(conn, now), services.settings.service_monthly_segments
    return {
        "segments_this_month": used,
        "monthly_cap": cap or None,
        "cap_level": level(used, cap, OF_SERVICE).name.lower(),
    }


def how_many(conn: Connection, table: Table, *where: ColumnElement[bool]) -> int:
    return conn.execute(select(func.count()).select_from(table).where(*where)).scalar_one()


def counted_by(conn: Connection, column: ColumnElement[Any], *where: ColumnElement[bool]) -> dict[str, int]:
    """How many rows there are of each value of a column."""
    rows = conn.execute(select(column, func.count()).where(*where).group_by(column))
    return {str(value or "no-code"): int(count) for value, count in rows}


def hours_since(moment: datetime | None, now: datetime) -> float | None:
    return None if moment is None else round((now - moment).total_seconds() / 3600, 1)
