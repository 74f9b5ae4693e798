"""What texts have been sent, for the operator: by table, by day, by kind. Counted from the rows themselves.

Rows are numbered in the order in which they came, so the first of a span is found by halving, and only what came after it
is read.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, literal_column, select
from sqlalchemy.schema import Table

from service.models import GameTable, Inbound, Outbound, table_of

INBOUND, OUTBOUND, TABLE = table_of(Inbound), table_of(Outbound), table_of(GameTable)

BY = ("table", "day", "kind")
AROUND = "-"  # texts of no table
OUT_OF_STEP = timedelta(minutes=10)  # two transactions may number their rows the other way round


class Spent(NamedTuple):
    """A table's code and game, a day (UTC) or a kind: texts that came, texts that went, and in how many segments."""

    what: str
    texts_in: int
    texts_out: int
    segments: int


def spent(conn: Connection, by: str, since: datetime) -> list[Spent]:
    """What has been texted since then; of days the oldest first, of others the dearest first."""
    sums: dict[str, list[int]] = {}
    went = OUTBOUND.c.sent_at.is_not(None) | (OUTBOUND.c.status == "unknown")
    out = select(_key(conn, by, OUTBOUND, OUTBOUND.c.created_at), func.count(), func.sum(OUTBOUND.c.segments)).where(
        OUTBOUND.c.id >= _first(conn, OUTBOUND, OUTBOUND.c.created_at, since), OUTBOUND.c.created_at >= since, went
    )
    for key, texts, parts in conn.execute(out.group_by("what")):
        _add(sums, key, (0, texts, parts))
    said = INBOUND.c.segments > 0
    came = select(
        _key(conn, by, INBOUND, INBOUND.c.received_at),
        func.count(),
        func.sum(case((said, 1), else_=0)),
        func.sum(INBOUND.c.segments),
    ).where(
        INBOUND.c.id >= _first(conn, INBOUND, INBOUND.c.received_at, since),
        INBOUND.c.received_at >= since,
        INBOUND.c.message_sid.not_like("WEB%"),  # typed on a page
    )  # fmt: skip
    for key, texts, answers, parts in conn.execute(came.group_by("what")):
        _add(sums, key, (texts, answers, parts))
    found = [Spent(_called(conn, by, key), *map(int, of_key)) for key, of_key in sums.items()]
    return sorted(found) if by == "day" else sorted(found, key=lambda one: (-one.segments, one.what))


def _add(sums: dict[str, list[int]], key: Any, more: tuple[int, int, int]) -> None:
    before = sums.get(str(key), [0, 0, 0])
    sums[str(key)] = [a + (b or 0) for a, b in zip(before, more, strict=True)]


def _key(conn: Connection, by: str, rows: Table, at: Any) -> Any:
    if by == "day":
        moment = func.timezone("UTC", at) if conn.dialect.name == "postgresql" else at
        return func.date(moment).label("what")
    if by == "table":
        return func.coalesce(rows.c.table_id, 0).label("what")
    if rows is INBOUND:
        return literal_column("'answer'").label("what")
    return rows.c.kind.label("what")


def _called(conn: Connection, by: str, key: str) -> str:
    if by != "table":
        return key
    row = conn.execute(select(TABLE.c.code, TABLE.c.game).where(TABLE.c.id == int(key))).first()
    return AROUND if row is None else f"{row.code} {row.game}"


def _first(conn: Connection, rows: Table, at: Any, since: datetime) -> int:
    """A row's number that none of the span is below."""
    low, high = 1, (conn.execute(select(func.max(rows.c.id))).scalar() or 0) + 1
    while low < high:
        middle = (low + high) // 2
        row = conn.execute(select(rows.c.id, at).where(rows.c.id >= middle).order_by(rows.c.id).limit(1)).one()
        if row[1] < since - OUT_OF_STEP:
            low = row[0] + 1
        else:
            high = middle
    return low
