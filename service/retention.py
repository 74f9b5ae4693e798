"""Clearing away what nobody needs any more: the words and numbers of old texts, and strangers who never played.

Rows stay, with the carrier's ids: an old text that comes a second time still changes nothing, and counts stay right.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, delete, exists, func, or_, select, update
from sqlalchemy.schema import Table

from service.config import Settings
from service.db import reading
from service.forgetting import erase
from service.models import Inbound, Outbound, Player, Seat, WebRequest, table_of

INBOUND, OUTBOUND, PLAYER, SEAT = table_of(Inbound), table_of(Outbound), table_of(Player), table_of(Seat)
WEB_REQUEST = table_of(WebRequest)

# Younger texts are still needed: to know a reaction or a text sent twice, and to find out what the carrier did with one.
LEAST = timedelta(days=7)
BATCH = 500  # rows changed in one transaction: players' texts wait for it


class Pruned(NamedTuple):
    """How many rows were cleared, or would be."""

    texts_in: int
    texts_out: int
    forms: int
    strangers: int


def prune(engine: Engine, settings: Settings, before: datetime, now: datetime, dry: bool = False) -> Pruned:
    """Clears what is older. ValueError where that is too young. Others may work meanwhile; what is cleared stays so."""
    if now - before < LEAST:
        raise ValueError(f"Texts of the last {LEAST.days} days are still needed: at least {LEAST.days}d.")
    settled = OUTBOUND.c.status.not_in(("pending", "retry", "sending", "unknown"))
    texts_in = _clear(
        engine, INBOUND, (INBOUND.c.received_at < before,), {"body": "", "sender": "", "answer": None}, dry
    )
    texts_out = _clear(engine, OUTBOUND, (OUTBOUND.c.created_at < before, settled), {"body": "", "recipient": ""}, dry)
    old_forms = WEB_REQUEST.c.created_at < before
    with reading(engine) as conn:
        forms = conn.execute(select(func.count()).select_from(WEB_REQUEST).where(old_forms)).scalar_one()
        strangers = conn.execute(select(func.count()).select_from(PLAYER).where(*_stranger(before))).scalar_one()
    if not dry:
        with engine.begin() as conn:
            conn.execute(delete(WEB_REQUEST).where(old_forms))
        _forget_strangers(engine, settings, before, now)
    return Pruned(texts_in, texts_out, forms, strangers)


def _clear(
    engine: Engine, rows: Table, which: tuple[ColumnElement[bool], ...], empty: dict[str, Any], dry: bool
) -> int:
    """Empties these columns in batches by number; how many rows had something in them."""
    full = or_(
        *(rows.c[name].is_not(None) if value is None else rows.c[name] != value for name, value in empty.items())
    )
    if dry:
        with reading(engine) as conn:
            return int(conn.execute(select(func.count()).select_from(rows).where(*which, full)).scalar_one())
    cleared = last = 0
    while True:
        with engine.begin() as conn:
            ids = list(
                conn.execute(
                    select(rows.c.id).where(rows.c.id > last, *which, full).order_by(rows.c.id).limit(BATCH)
                ).scalars()
            )
            if not ids:
                return cleared
            conn.execute(update(rows).where(rows.c.id.in_(ids)).values(**empty))
        cleared, last = cleared + len(ids), ids[-1]


def _stranger(before: datetime) -> tuple[ColumnElement[bool], ...]:
    """Who has no seat anywhere, and has not texted since."""
    return (
        PLAYER.c.forgotten_at.is_(None),
        PLAYER.c.created_at < before,
        func.coalesce(PLAYER.c.last_inbound_at, PLAYER.c.created_at) < before,
        ~exists().where(SEAT.c.player_id == PLAYER.c.id),
        ~exists().where(
            OUTBOUND.c.player_id == PLAYER.c.id, OUTBOUND.c.status.in_(("pending", "retry", "sending", "unknown"))
        ),
    )


def _forget_strangers(engine: Engine, settings: Settings, before: datetime, now: datetime) -> None:
    """As if each had texted FORGET ME; that they want no texts is remembered."""

    def some(conn: Connection) -> int:
        found = conn.execute(select(PLAYER).where(*_stranger(before)).limit(50).with_for_update()).all()
        for player in found:
            erase(conn, settings, player, now)
        return len(found)

    _until_none(engine, some)


def _until_none(engine: Engine, work: Callable[[Connection], int]) -> None:
    while True:
        with engine.begin() as conn:
            if not work(conn):
                return
