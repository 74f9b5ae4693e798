"""What became of texts that the carrier was asked to send: told by a status callback, or found by looking one up.

A status only ever gives way to a later one (RANKS), so that news may come in any order, and also before the answer to
sending has told us the carrier's id. What an error means beyond its own text is done here too (`befell`), for texts that
were refused at once as for those that failed on the way.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from prometheus_client import Counter
from sqlalchemy import Connection, func, insert, select, update

from service import breaker
from service.models import Outbound, OutboundEvent, Player, Seat, table_of
from service.opting import suppress
from service.twilio.fates import Fate, again_at, fate_of, stops
from service.twilio.outbound import RANKS, ROW_STATUS
from service.upsert import insert_into

OUTBOUND, EVENT, PLAYER, SEAT = table_of(Outbound), table_of(OutboundEvent), table_of(Player), table_of(Seat)

# What a player would miss: tried once more after a phone that was off. Reminders are not: the next is on its way.
TRIED_AGAIN = frozenset(("turn", "turns", "round", "dealt", "call"))
REMINDERS = frozenset(("nudge", "nudges"))
PHONE_OFF = timedelta(hours=1)
# Not about the text but about our account or number, and told only after a text was accepted: the next is a long time off.
STOPPED_ON_THE_WAY = timedelta(hours=1)
# So many texts in a row that did not arrive, and nothing more is sent until the player texts.
LOST_IN_A_ROW = 3
# Perhaps a mistake of the carrier's list of numbers.
DOUBTFUL = frozenset((30005, 30006))

UNDELIVERED = Counter(
    "queenline_undelivered_texts", "Texts that were refused or did not arrive, by what it means", ["fate"]
)

log = structlog.get_logger(__name__)

KNOWN = select(*(OUTBOUND.c[name] for name in (
    "id", "sid", "status", "sent_at", "player_id", "table_id", "seat", "told_upto", "kind", "sender", "attempt",
)))  # fmt: skip


class Noted(NamedTuple):
    """What came of one status, as a word for the metrics. `opted_out`: the player has just been found to want no more
    texts; `play.opted_out_now` sees to their seats before the commit.
    """

    outcome: str
    opted_out: bool = False


def note(db: Connection, row: Any, sid: str, word: str, code: str, now: datetime) -> Noted:
    """Keeps one status of a text (a row of KNOWN)."""
    if row.sid is not None and row.sid != sid:
        log.error("outbound.twice", outbound=row.id)  # of two attempts the first was sent after all
        return Noted("other-attempt")
    if sid and row.sid is None:
        release(db, [sid], [row.id], now)
    event = {"outbound_id": row.id, "player_id": row.player_id, "status": word, "error_code": code, "at": now}
    db.execute(insert_into(db, EVENT).values(event).on_conflict_do_nothing())  # the same one again
    rank = RANKS.get(word)
    if rank is None:  # a status that is newer than this code
        return Noted("new-status")
    failed = word in ("failed", "undelivered")
    moved = db.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.id == row.id, OUTBOUND.c.player_id == row.player_id, OUTBOUND.c.rank < rank)
        .values(
            status=ROW_STATUS[word],
            rank=rank,
            sid=func.coalesce(OUTBOUND.c.sid, sid or None),
            error_code=code or None if failed else None,
            lease_until=None,
            sent_at=row.sent_at or now,
        )
    ).rowcount
    fate = fate_of(number(code)) if failed else None
    gone = False
    if fate is not None and moved:
        gone = undelivered(db, row, fate, code, now)
    elif fate is Fate.OPTOUT:
        gone = suppress(db, row.player_id, now)
    elif moved and row.status in ("unknown", "retry", "sending"):  # whoever was sending it may be no more
        told(db, row)
    return Noted("noted" if moved else "old", gone)


def answer_lost(db: Connection, address: str, code: str, now: datetime) -> int | None:
    """An answer in our response to a webhook did not arrive: what that means for its reader, of whom only the number is told.
    The player who has just been found to have opted out.
    """
    fate = fate_of(number(code))
    if fate not in (Fate.OPTOUT, Fate.PAUSE, Fate.DEAD) or number(code) in DOUBTFUL:
        return None
    who = db.execute(select(PLAYER.c.id).where(PLAYER.c.channel == "sms", PLAYER.c.address == address)).scalar()
    if who is None:
        return None
    UNDELIVERED.labels(fate.value).inc()
    if fate is Fate.OPTOUT:
        return int(who) if suppress(db, who, now) else None
    unreachable(db, who, now)
    return None


def release(db: Connection, sids: list[str], ours: list[int], now: datetime) -> None:
    """These ids of the carrier belong to these rows. Where one was taken for another's, that one is unknown again."""
    lost = db.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.sid.in_(sids), OUTBOUND.c.id.not_in(ours))
        .values(sid=None, status="unknown", rank=0, error_code="mistaken", looks=0, next_attempt_at=now)
    ).rowcount
    if lost:
        log.warning("outbound.mistaken", count=lost)


def told(db: Connection, row: Any) -> None:
    """The seat now knows what the text told."""
    if row.told_upto is not None:
        db.execute(
            update(SEAT)
            .where(SEAT.c.table_id == row.table_id, SEAT.c.number == row.seat, SEAT.c.told < row.told_upto)
            .values(told=row.told_upto)
        )


def undelivered(db: Connection, row: Any, fate: Fate, code: str, now: datetime) -> bool:
    """A text was accepted and then failed: what that means, and whether it is written once more. True: its reader has
    just been found to have opted out.
    """
    befell(db, row, fate, code, now)
    gone = fate is Fate.OPTOUT and suppress(db, row.player_id, now)
    again = None
    if fate is Fate.SOFT and row.kind in TRIED_AGAIN and row.attempt <= 1:
        again = now + PHONE_OFF
    elif fate is Fate.LATER and row.kind not in REMINDERS:
        again = again_at(number(code), now)
    elif fate is Fate.STOPALL and row.kind not in REMINDERS and row.attempt <= 1:
        again = now  # as soon as the breaker lets it
    if again is not None:
        write_again(db, row.id, again)
    level = "error" if fate in (Fate.STOPALL, Fate.BUG, Fate.CONTENT) else "info"
    getattr(log, level)("outbound.undelivered", outbound=row.id, code=code, fate=fate.value, again=again is not None)
    return gone


def write_again(db: Connection, row_id: int, at: datetime) -> None:
    """The same text as a new row, so that a late word about the first is not taken for one about this."""
    names = (
        "player_id", "table_id", "recipient", "sender", "body", "kind", "turn_version", "attempt", "segments", "created_at",
        "seat", "told_upto",
    )  # fmt: skip
    row = db.execute(select(*(OUTBOUND.c[name] for name in names)).where(OUTBOUND.c.id == row_id)).one()
    db.execute(insert(OUTBOUND).values(**row._asdict(), status="pending", rank=0, next_attempt_at=at))


def befell(db: Connection, row: Any, fate: Fate, code: str, now: datetime, trial: bool = False) -> None:
    """What an error means for the player and for our numbers, however it was told; but for an opt-out, which is more.

    `trial`: the text was to find out whether the carrier takes texts from us again.
    """
    UNDELIVERED.labels(fate.value).inc()
    if nobody_there(db, row.player_id, fate, code):
        unreachable(db, row.player_id, now)
    if fate in (Fate.STOPALL, Fate.LATER) and (scope := stops(fate, number(code), row.sender)):
        until = None
        if fate is Fate.LATER:
            until = again_at(number(code), now)
        elif (number(code) or 0) >= 30000:
            until = now + STOPPED_ON_THE_WAY
        breaker.trip(db, scope, code, now, until, trial)


def nobody_there(db: Connection, player_id: int, fate: Fate, code: str) -> bool:
    """Whether nothing will reach a player until they text us."""
    if fate is Fate.SOFT:
        return in_a_row(db, player_id, LOST_IN_A_ROW, fate)
    if fate is Fate.DEAD and number(code) in DOUBTFUL:
        return in_a_row(db, player_id, 2, fate)
    return fate in (Fate.DEAD, Fate.PAUSE)


def unreachable(db: Connection, player_id: int, now: datetime) -> None:
    """Nothing more is sent to a player until they text us."""
    db.execute(update(PLAYER).where(PLAYER.c.id == player_id).values(unreachable_at=now))
    log.info("player.unreachable", player=player_id)


def in_a_row(db: Connection, player_id: int, count: int, fate: Fate) -> bool:
    """Whether the player's last texts, as many as that, all failed in that way."""
    last = db.execute(
        select(OUTBOUND.c.status, OUTBOUND.c.error_code)
        .where(
            OUTBOUND.c.player_id == player_id,
            OUTBOUND.c.status.in_(("delivered", "undelivered", "failed")),
        )
        .order_by(OUTBOUND.c.created_at.desc(), OUTBOUND.c.id.desc())
        .limit(count)
    ).all()
    return len(last) == count and all(
        row.status != "delivered" and fate_of(number(row.error_code or "")) is fate for row in last
    )


def number(code: str) -> int | None:
    """The carrier's code; None for a word of ours."""
    return int(code) if code.isascii() and code.isdigit() else None
