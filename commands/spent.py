"""What `queenline status --by` prints."""

import json
from datetime import timedelta

import click

from service.db import reading
from service.services import Services
from service.spent import Spent, spent


def show(services: Services, by: str, days: int, as_json: bool) -> None:
    """What has been texted, one line for each table, day or kind, and the sum; with money where a segment has a price."""
    price = services.settings.price_per_segment
    with reading(services.db) as conn:
        found = spent(conn, by, services.clock() - timedelta(days=days))
    total = Spent(
        "all",
        sum(one.texts_in for one in found),
        sum(one.texts_out for one in found),
        sum(one.segments for one in found),
    )
    rows = [one._asdict() | ({"cost": float(one.segments * price)} if price else {}) for one in (*found, total)]
    if as_json:
        click.echo(json.dumps({"by": by, "days": days, "rows": rows[:-1], "all": rows[-1]}))
        return
    heads = [by, "texts in", "texts out", "segments", *(["cost"] if price else [])]
    lines = [heads] + [
        [f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for what, *figures in lines:
        columns = [what.ljust(widths[0]), *(f"{figure:>{w}}" for figure, w in zip(figures, widths[1:], strict=True))]
        click.echo("  ".join(columns))
