"""Which texts are due and may go out: candidates, what is dropped, held back or merged, and the claim itself.

A claim is a conditional update with a lease, so any number of drains may run at once. Turns go before reminders. Texts
to one player go out one after the other, in the order in which they were written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import structlog
from prometheus_client import Counter
from sqlalchemy import Connection, and_, bindparam, exists, func, or_, select, update

from service import breaker, manners, spending, tally
from service.config import Settings
from service.db import reading
from service.desk import OF_A_TURN
from service.models import GameTable, Outbound, Player, Seat, Tally, table_of
from service.senders import number_for, rate_of, scope_of
from service.services import Services
from service.text import render
from service.text.gsm7 import segments
from service.transact import transact
from service.twilio.delivery import REMINDERS
from service.twilio.outbound import FINAL
from workers.bucket import HOLDS_LEAST_ALONE, Buckets, buckets_of, holds

OUTBOUND, PLAYER, SEAT, TABLE = table_of(Outbound), table_of(Player), table_of(Seat), table_of(GameTable)
TALLY = table_of(Tally)

# Rows claimed at once. What cannot be asked for well before the lease ends is put back (workers/outbox.py).
BATCH = 64
LEASE_SECONDS = 90
# A reminder that could not be sent for so long is not sent: the next is on its way.
TOO_LATE = timedelta(hours=2)
# After a stop, until the breaker has mended.
MENDING_RATE = 5.0

TEXTS = Counter("queenline_outbound_texts", "Texts taken from the outbox by what became of them", ["outcome"])

log = structlog.get_logger(__name__)


class Claim(NamedTuple):
    """A row that is ours to send until the lease ends."""

    id: int
    recipient: str
    sender: str | None
    body: str
    kind: str
    attempt: int  # this one; the first is 1
    player_id: int
    table_id: int | None
    seat: int | None
    told_upto: int | None
    segments: int


class Batch(NamedTuple):
    """What was claimed. `trial`: the breaker that these, one text, are to find out about. `pause`: nothing may go now
    because of a sender's rate; seconds until it is worth another look.
    """

    claims: list[Claim]
    trial: str = ""
    pause: float = 0.0


@dataclass
class Gate:
    """Which of our numbers may send now, and how much."""

    settings: Settings
    all_closed: bool = False
    trial: str = ""  # the scope of a breaker whose pause is over
    closed: set[str] = field(default_factory=set)  # by a breaker or a day's cap
    empty: set[str] = field(default_factory=set)  # by their rate
    tokens: dict[str | None, int] = field(default_factory=dict)  # segments; a number that is not here has no limit
    rates: dict[str | None, float] = field(default_factory=dict)
    mended: bool = False  # a breaker's row may go

    @property
    def shut(self) -> set[str]:
        """The numbers by which nothing may go now."""
        return self.closed | self.empty

    def admits(self, sender: str | None, size: int) -> bool:
        """Whether a text of so many segments may go; then they are taken."""
        if sender in self.shut:
            return False
        if sender not in self.tokens:
            return True
        size = min(size, HOLDS_LEAST_ALONE)  # a longer one would never have its turn while Redis is away
        if self.tokens[sender] < size:
            if sender is not None:  # the next may be shorter, but it is not its turn
                self.empty.add(sender)
            return False
        self.tokens[sender] -= size
        return True


def claim(services: Services, limit: int = BATCH, buckets: Buckets | None = None) -> list[Claim]:
    """Takes up to `limit` due rows, at most one for each player, and cancels those that are no longer so."""
    return claim_batch(services, buckets or buckets_of(services.settings, services.clock), limit).claims


def claim_batch(services: Services, buckets: Buckets, limit: int = BATCH) -> Batch:
    """The same, and what else the drain must know."""
    now = services.clock()
    with reading(services.db) as db:  # most looks find nothing; they shall not keep the writers waiting
        if not db.execute(ANYTHING, {"now": now}).scalar():
            return Batch([])
        gate = gate_of(db, services.settings, now)
    if gate.all_closed:
        return Batch([])
    fill(gate, buckets, limit)
    going, claims, trial = True, list[Claim](), ""
    try:
        while going and not claims:
            going, claims, trial = transact(services, lambda db: claim_some(db, now, limit, gate))
    finally:
        for sender, left in gate.tokens.items():
            if left:
                buckets.take(sender or "", -left, gate.rates[sender])
    if not claims and gate.rates and (gate.empty or None in gate.tokens):
        waits = DUE if None in gate.tokens else and_(DUE, OUTBOUND.c.sender.in_(gate.empty))
        with reading(services.db) as db:
            if db.execute(select(exists().where(waits)), {"now": now}).scalar():
                fastest = max(gate.rates.values())
                return Batch([], pause=min(1.0, max(0.05, 1 / fastest)))
    return Batch(claims, trial)


def gate_of(db: Connection, settings: Settings, now: datetime) -> Gate:
    """By the breakers, the day's caps and the settings."""
    gate = Gate(settings)
    slow = set()
    for row in breaker.standing(db):
        if not row.failures:
            if row.until > now:
                slow.add(row.scope)
            else:
                gate.mended = True
        elif row.until <= now:
            gate.trial = gate.trial or row.scope  # one after the other; that for ALL comes first
            if row.scope != gate.trial:
                gate.closed.add(row.scope)
        elif row.scope == breaker.ALL:
            gate.all_closed = True
        else:
            gate.closed.add(row.scope)
    senders = senders_of(settings)
    if settings.sender_segments_per_day:
        gate.closed |= capped(db, settings, now)
    for sender in senders:
        rate = rate_of(settings, sender)
        if slow & {breaker.ALL, sender}:
            rate = min(rate or MENDING_RATE, MENDING_RATE)
        if rate and sender not in gate.closed:
            gate.rates[sender] = rate
    return gate


def senders_of(settings: Settings) -> tuple[str | None, ...]:
    """Our numbers; None is the Messaging Service, which chooses one itself."""
    return (*settings.twilio_numbers, *((None,) if settings.twilio_messaging_service_sid else ()))


def capped(db: Connection, settings: Settings, now: datetime) -> set[str]:
    """Our numbers that have sent as much today as they may."""
    scopes = {scope_of(settings, number): number for number in settings.twilio_numbers}
    full = db.execute(
        select(TALLY.c.scope).where(
            TALLY.c.day == tally.day_of(now),
            TALLY.c.kind == "sender",
            TALLY.c.scope.in_(scopes),
            TALLY.c.count >= settings.sender_segments_per_day,
        )
    ).scalars()
    return {scopes[scope] for scope in full}


def fill(gate: Gate, buckets: Buckets, limit: int) -> None:
    """Takes what the buckets have; what is not used goes back."""
    for sender, rate in gate.rates.items():
        got = buckets.take(sender or "", min(2 * limit, holds(rate)), rate)
        gate.tokens[sender] = got
        if not got and sender is not None:
            gate.empty.add(sender)


def claim_some(db: Connection, now: datetime, limit: int, gate: Gate) -> tuple[bool, list[Claim], str]:
    """One transaction of that. False: there is nothing more to be had."""
    give_up_stuck(db, now)
    if gate.mended:
        breaker.forget(db, now)
    if gate.trial and breaker.try_one(db, gate.trial, now):
        going, claims = True, list[Claim]()
        while going and not claims:
            going, claims = claim_these(db, now, 1, gate, "" if gate.trial == breaker.ALL else gate.trial)
        return False, claims, gate.trial
    if gate.trial == breaker.ALL:
        return False, [], ""  # another worker is finding out
    if gate.trial:
        gate.closed.add(gate.trial)
    return *claim_these(db, now, limit, gate), ""


def claim_these(db: Connection, now: datetime, limit: int, gate: Gate, only: str = "") -> tuple[bool, list[Claim]]:
    """The claims of one look at the candidates, by the number `only` where one is named; False: there is nothing more to be had."""
    rows = candidates(db, now, limit, gate.shut, only)
    dropped = {row.id: reason for row in rows if (reason := no_longer(row, now))}
    capped_, parked = spending.stopped(db, gate.settings, [row for row in rows if row.id not in dropped], now)
    dropped |= capped_
    for reason in sorted(set(dropped.values())):
        cancel(db, [row for row in rows if dropped.get(row.id) == reason], reason)
    rows = [row for row in rows if row.id not in dropped]
    held = {row.id: until for row in rows if (until := held_until(row, now)) > now} | parked
    put_off(db, [row for row in rows if row.id in held], held)
    rows = [row for row in rows if row.id not in held]
    moved = sum(known_number(db, row, gate) for row in rows)
    rows = [row for row in rows if gate.admits(number_for(gate.settings, row.sender, row.player_id), row.segments or 1)]
    for row in rows:
        if row.kind == "turn" and row.other_tables:
            gather(db, row, now)
    claims = take(db, rows, now)
    return bool(dropped or held or moved or claims), claims  # else none is due, or another drain was quicker


def known_number(db: Connection, row: Any, gate: Gate) -> bool:
    """A text whose number is no longer ours, or was never said, gets one that its reader will know from now on."""
    sender = number_for(gate.settings, row.sender, row.player_id)
    if sender == row.sender:
        return False
    db.execute(update(OUTBOUND).where(*_this(row)).values(sender=sender))
    if sender is not None and row.player_sender not in gate.settings.twilio_numbers:
        db.execute(update(PLAYER).where(PLAYER.c.id == row.player_id).values(sender=sender))
    return True


# The statements are built once: building one costs as much as running it.
TIME = OUTBOUND.c.created_at.type
NOW = bindparam("now", type_=TIME)
DUE = and_(OUTBOUND.c.status.in_(("pending", "retry")), OUTBOUND.c.next_attempt_at <= NOW)
STUCK = and_(OUTBOUND.c.status == "sending", OUTBOUND.c.lease_until < NOW)
ANYTHING = select(exists().where(or_(DUE, STUCK)))
GIVE_UP = (
    update(OUTBOUND)
    .where(STUCK)
    .values(status="unknown", error_code="lease", lease_until=None, next_attempt_at=NOW, looks=0)
)
TAKE = (
    update(OUTBOUND)
    .where(
        OUTBOUND.c.id.in_(bindparam("ids", expanding=True)),
        OUTBOUND.c.player_id.in_(bindparam("players", expanding=True)),
        DUE,
    )
    .values(
        status="sending",
        attempt=OUTBOUND.c.attempt + 1,
        lease_until=bindparam("lease", type_=TIME),
        asked_at=NOW,
    )
    .returning(*(OUTBOUND.c[name] for name in Claim._fields))
)

_EARLIER, _NEAR = OUTBOUND.alias("earlier"), OUTBOUND.alias("near")
_OTHER, _ELSEWHERE = SEAT.alias(), TABLE.alias()
_CANDIDATES = (
    select(
        OUTBOUND.c.id,
        OUTBOUND.c.kind,
        OUTBOUND.c.player_id,
        OUTBOUND.c.table_id,
        OUTBOUND.c.turn_version,
        OUTBOUND.c.created_at,
        OUTBOUND.c.next_attempt_at,
        OUTBOUND.c.sender,
        OUTBOUND.c.segments,
        PLAYER.c.address,
        PLAYER.c.zone,
        PLAYER.c.prefs,
        PLAYER.c.last_inbound_at,
        PLAYER.c.unreachable_at,
        PLAYER.c.sender.label("player_sender"),
        select(func.max(_NEAR.c.sent_at))
        .where(
            _NEAR.c.player_id == OUTBOUND.c.player_id,
            _NEAR.c.created_at > bindparam("lately", type_=TIME),
            _NEAR.c.table_id == OUTBOUND.c.table_id,
            _NEAR.c.sent_at > bindparam("apart", type_=TIME),
            _NEAR.c.kind != "arrived",
        )
        .scalar_subquery()
        .label("last_sent"),
        exists()
        .where(
            _OTHER.c.player_id == OUTBOUND.c.player_id,
            _OTHER.c.left_at.is_(None),
            _OTHER.c.table_id != OUTBOUND.c.table_id,
            _ELSEWHERE.c.id == _OTHER.c.table_id,
            _ELSEWHERE.c.status == "playing",
        )
        .label("other_tables"),
        PLAYER.c.opted_out_at,
        TABLE.c.version,
        TABLE.c.status.label("table_status"),
    )
    .join(PLAYER, PLAYER.c.id == OUTBOUND.c.player_id)
    .outerjoin(TABLE, TABLE.c.id == OUTBOUND.c.table_id)
    .where(
        OUTBOUND.c.next_attempt_at <= NOW,
        ~exists().where(
            _EARLIER.c.player_id == OUTBOUND.c.player_id,
            _EARLIER.c.id < OUTBOUND.c.id,
            # A text that is held back for its reader's sake holds up no other.
            or_(
                _EARLIER.c.status.in_(("retry", "sending")),
                and_(_EARLIER.c.status == "pending", _EARLIER.c.next_attempt_at <= NOW),
            ),
        ),
    )
    .order_by(OUTBOUND.c.next_attempt_at, OUTBOUND.c.id)
    .limit(bindparam("most"))
    # Only for speed: several drains then don't wait for each other. SQLite leaves it out.
    .with_for_update(of=OUTBOUND, skip_locked=True)
)
# One for each status, so that the index gives them in order; what is left out of a long queue comes last.
_GROUPS = (
    OUTBOUND.c.status == "retry",
    and_(OUTBOUND.c.status == "pending", OUTBOUND.c.kind.not_in(REMINDERS)),
    and_(OUTBOUND.c.status == "pending", OUTBOUND.c.kind.in_(REMINDERS)),
)
CANDIDATES = tuple(_CANDIDATES.where(group) for group in _GROUPS)
_NOT_SHUT = or_(OUTBOUND.c.sender.is_(None), OUTBOUND.c.sender.not_in(bindparam("shut", expanding=True)))
_BUT_SHUT = tuple(query.where(_NOT_SHUT) for query in CANDIDATES)
_ONLY = tuple(query.where(OUTBOUND.c.sender == bindparam("only")) for query in CANDIDATES)


def candidates(
    db: Connection, now: datetime, limit: int, shut: set[str] | frozenset[str] = frozenset(), only: str = ""
) -> Sequence[Any]:
    """Due rows, oldest first and reminders last, none that stands behind another text to the same player; with what
    `no_longer` reads. None by a number of ours that is `shut`.
    """
    moments: dict[str, Any] = {"now": now, "lately": now - timedelta(days=2), "apart": now - manners.APART}
    queries: Sequence[Any] = CANDIDATES
    if only:
        queries, moments = _ONLY, moments | {"only": only}
    elif shut:
        queries, moments = _BUT_SHUT, moments | {"shut": sorted(shut)}
    found = list(db.execute(queries[0], moments | {"most": limit}).all())
    found += db.execute(queries[1], moments | {"most": limit}).all()
    found.sort(key=lambda row: (row.next_attempt_at, row.id))
    del found[limit:]
    if len(found) < limit:
        found += db.execute(queries[2], moments | {"most": limit - len(found)}).all()
    return found


def no_longer(row: Any, now: datetime) -> str:
    """Why a text must not go out any more, by what is so now; "" when it may. The one place for such reasons."""
    if row.opted_out_at is not None:
        return "opted-out"
    if row.unreachable_at is not None and (row.last_inbound_at is None or row.last_inbound_at <= row.unreachable_at):
        return "unreachable"
    if row.turn_version is not None and row.kind in OF_A_TURN:
        if row.table_status != "playing":
            return "table-over"
        if row.version > row.turn_version:  # the text may be read a moment later than the table
            return "moved-on"
    if row.kind in REMINDERS and now - row.created_at > TOO_LATE:
        return "too-late"
    return ""


def held_until(row: Any, now: datetime) -> datetime:
    """The moment before which a text shall not reach its reader: a decent hour, a pause since the last, other turns."""
    last_inbound: datetime | None = row.last_inbound_at
    until = manners.may_go(now, row.zone, row.address, row.prefs, last_inbound)
    awake = last_inbound is not None and now - last_inbound < manners.ACTIVE
    if row.kind == "turn" and row.other_tables and not awake:
        until = max(until, row.created_at + manners.GATHER)
    if row.last_sent is not None and row.kind != "arrived":  # a table that fills up is good news at once
        last_sent = utc(row.last_sent)
        if last_inbound is None or last_inbound < last_sent:
            until = max(until, last_sent + manners.APART)
    return until


def utc(moment: datetime | str) -> datetime:
    """An aggregate of a time comes from SQLite without its type."""
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _this(row: Any) -> tuple[Any, Any]:
    """Where a row is: by its player, too, so that a database of several machines need not ask all of them."""
    return OUTBOUND.c.id == row.id, OUTBOUND.c.player_id == row.player_id


def put_off(db: Connection, rows: Sequence[Any], held: dict[int, datetime]) -> None:
    """These are due again at the moment that `held` has for their ids."""
    for row in rows:
        db.execute(update(OUTBOUND).where(*_this(row)).values(next_attempt_at=held[row.id], status="pending"))


def gather(db: Connection, row: Any, now: datetime) -> None:
    """Turns at several tables that wait to be told to one player become one text that lists them."""
    turns = db.execute(
        select(OUTBOUND.c.id, OUTBOUND.c.player_id, TABLE.c.code)
        .join(TABLE, TABLE.c.id == OUTBOUND.c.table_id)
        .where(
            OUTBOUND.c.player_id == row.player_id,
            OUTBOUND.c.kind == "turn",
            OUTBOUND.c.status == "pending",
            OUTBOUND.c.next_attempt_at <= now + manners.GATHER,
            OUTBOUND.c.turn_version == TABLE.c.version,
            TABLE.c.status == "playing",
        )
        .order_by(OUTBOUND.c.id)
    ).all()
    if len(turns) < 2:
        return
    body = render.branded(render.turns([turn.code for turn in turns]))
    values = {"body": body, "kind": "turns", "segments": segments(body), "told_upto": None, "turn_version": None}
    db.execute(update(OUTBOUND).where(*_this(row)).values(**values))
    cancel(db, [turn for turn in turns if turn.id != row.id], "gathered")


def take(db: Connection, rows: Sequence[Any], now: datetime) -> list[Claim]:
    """The claim itself: of two who take the same row, one gets it."""
    if not rows:
        return []
    which = {"ids": [row.id for row in rows], "players": [row.player_id for row in rows]}
    lease = now + timedelta(seconds=LEASE_SECONDS)
    return sorted(Claim(*row) for row in db.execute(TAKE, which | {"now": now, "lease": lease}))


def cancel(db: Connection, rows: Sequence[Any], reason: str) -> None:
    """These are not sent at all; `reason` is kept as their code."""
    db.execute(
        update(OUTBOUND)
        .where(
            OUTBOUND.c.id.in_([row.id for row in rows]),
            OUTBOUND.c.player_id.in_({row.player_id for row in rows}),
            OUTBOUND.c.status.in_(("pending", "retry")),
        )
        .values(status="canceled", rank=FINAL, error_code=reason)
    )
    TEXTS.labels("canceled").inc(len(rows))


def give_up_stuck(db: Connection, now: datetime) -> None:
    """Claims whose lease has run out: nobody knows whether they were sent."""
    lost = db.execute(GIVE_UP, {"now": now}).rowcount
    if lost:
        log.warning("outbox.unknown", count=lost, why="lease")
        TEXTS.labels("unknown").inc(lost)
