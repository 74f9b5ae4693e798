"""What is read first of all: the text's claim, who texts, where they sit and their month, in one round trip.

By the sender's address, because nothing else is known yet. The player's row is locked, so that the texts of one
person wait for each other. The tables come next (`service.stored.live`), when their ids are known. On PostgreSQL who that
was the last time this process heard from them, and where they sat, is taken for a guess: what follows from it is asked for
at once, and holds only where the guess is what has been read meanwhile.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from service import spending, stored
from service.config import Settings
from service.pipeline import Stale, ask
from service.stored import INBOUND, PLAYER, SEAT, Table


class Arrived(NamedTuple):
    """What is there. `inbound_id` is None where another delivery of the same text has been claimed; no `player`: a stranger."""

    inbound_id: int | None
    player: Any
    sits: Sequence[int] = ()  # the ids of the tables where the player sits
    used: int | None = None  # segments of this month, where that was guessed
    tables: Sequence[Table] | None = None  # these, where they were guessed


class Known(NamedTuple):
    """What a process remembers of somebody."""

    player_id: int | None = None
    sits: Sequence[int] = ()


MOST_GUESSED = 20_000
_lately: dict[tuple[str, str], Known] = {}  # by channel and address; forgotten when there are too many


def claim(conn: Connection, settings: Settings, row: dict[str, Any], now: datetime) -> Arrived:
    """Inserts the row of a text, which claims it, and reads what is known of its sender."""
    key = row["channel"], row["sender"]
    who = {"channel": row["channel"], "address": row["sender"]}
    since = now - stored.LOOK_BACK
    guess = _lately.get(key, Known()) if conn.dialect.name == "postgresql" else Known()
    # With the player in it from the start, no index has to be touched again when it is closed.
    questions: list[Any] = [
        (_CLAIM[conn.dialect.name], row | {"player_id": guess.player_id}),
        (LOCKED, who),
        (_SEATS, who | {"since": since}),
    ]
    if settings.player_monthly_segments and guess.player_id is not None:
        questions.append(spending.asking_used(guess.player_id, now))
    try:
        found = ask(conn, *questions, *stored.asking_live(guess.sits, since))
    except IntegrityError:
        if guess.player_id is None:
            raise
        _lately.pop(key, None)  # they are nobody any more: begin again without a guess
        raise Stale from None
    claimed, player, seats, *used = found[: len(questions)]
    known = Known(player[0].id if player else None, [seat.table_id for seat in seats])
    if len(_lately) >= MOST_GUESSED:
        _lately.clear()
    _lately[key] = known
    return Arrived(
        claimed[0].id if claimed else None,
        player[0] if player else None,
        known.sits,
        sum(row.total for row in used[0]) if used and known.player_id == guess.player_id else None,
        stored.live_of(player[0].id, found[len(questions) :]) if player and known == guess else None,
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
_SEATS = stored.seats_of(SEAT.c.player_id == select(PLAYER.c.id).where(_SENDER).scalar_subquery())
