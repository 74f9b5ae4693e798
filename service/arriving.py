"""What is read first of all: the text's claim, who texts, where they sit and their month, in one round trip.

All by the sender's address, because nothing else is known yet. The player's row is locked, so that the texts of one
person wait for each other. The tables come next (`service.tables.live`), when their ids are known. On PostgreSQL those where
the sender sat the last time this process heard from them are asked for at once: a guess, that holds only where it is what
has been read meanwhile.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, String, and_, bindparam, cast, select
from sqlalchemy.dialects import postgresql, sqlite

from service import spending, tables
from service.config import Settings
from service.pipeline import ask
from service.tables import INBOUND, PLAYER, SEAT, Table


class Arrived(NamedTuple):
    """What is there. `inbound_id` is None where another delivery of the same text has been claimed; no `player`: a stranger."""

    inbound_id: int | None
    player: Any
    sits: Sequence[int] = ()  # the ids of the tables where the player sits
    used: int = 0  # segments of this month
    tables: Sequence[Table] | None = None  # these, where they were guessed


MOST_GUESSED = 20_000
_lately: dict[tuple[str, str], Sequence[int]] = {}  # by channel and address; forgotten when there are too many


def claim(conn: Connection, settings: Settings, row: dict[str, Any], now: datetime) -> Arrived:
    """Inserts the row of a text, which claims it, and reads what is known of its sender."""
    who = {"channel": row["channel"], "address": row["sender"]}
    since = now - tables.LOOK_BACK
    questions: list[Any] = [
        (_CLAIM[conn.dialect.name], row),
        (LOCKED, who),
        (_SEATS, who | {"since": since}),
    ]
    if settings.player_monthly_segments:
        questions.append((_USED, who | {"day": spending.month_of(now), "kind": spending.PLAYER}))
    key = row["channel"], row["sender"]
    guessed = _lately.get(key, ()) if conn.dialect.name == "postgresql" else ()
    found = ask(conn, *questions, *tables.asking_live(guessed, since))
    claimed, player, seats, *used = found[: len(questions)]
    sits = [seat.table_id for seat in seats]
    if len(_lately) >= MOST_GUESSED:
        _lately.clear()
    _lately[key] = sits
    return Arrived(
        claimed[0].id if claimed else None,
        player[0] if player else None,
        sits,
        used[0][0].total if used and used[0] else 0,
        tables.live_of(found[len(questions) :]) if sits == guessed else None,
    )


def claim_only(conn: Connection, row: dict[str, Any]) -> int | None:
    """Inserts the row of a text; None where another delivery of it has been claimed."""
    return conn.execute(_CLAIM[conn.dialect.name], row).scalar_one_or_none()


_INSERT: dict[str, Any] = {"sqlite": sqlite.insert(INBOUND), "postgresql": postgresql.insert(INBOUND)}
_CLAIM = {
    name: insert.on_conflict_do_nothing(index_elements=["message_sid"]).returning(INBOUND.c.id)
    for name, insert in _INSERT.items()
}
_SENDER = and_(PLAYER.c.channel == bindparam("channel"), PLAYER.c.address == bindparam("address"))
LOCKED = select(PLAYER).where(_SENDER).with_for_update(key_share=True)
_SEATS = tables.seats_of(SEAT.c.player_id == select(PLAYER.c.id).where(_SENDER).scalar_subquery())
_USED = spending.used_by_whom(select(cast(PLAYER.c.id, String)).where(_SENDER).scalar_subquery())
