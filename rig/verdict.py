"""What must hold after any night: nothing lost, nothing doubled, everybody told. Each fault is one line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import Connection, Engine, exists, func, select

from rig.tables import Said
from service import stored
from service.audit import audit
from service.carrier import Text
from service.db import reading
from service.models import Outbound, table_of
from service.reminders import OF_THE_TURN
from service.stored import INBOUND, MOVE, NUDGE, PLAYER, PLAYING, TABLE
from workers.unknown import NOT_THERE

OUTBOUND = table_of(Outbound)
SENT = ("sent", "delivered", "undelivered")


class Verdict(NamedTuple):
    """The faults, and how much they were looked for in."""

    faults: list[str]
    texts: int  # that somebody sent us and we took
    deliveries: int  # of them, the carrier's further attempts included
    moves: int
    outbound: int
    sent: int
    unsettled: int  # of which nobody knows whether they went, as the service says itself
    nudged: int


def waiting(engine: Engine, now: datetime | None = None) -> dict[str, int]:
    """How many texts are due, being sent or of unknown fate, by status; empty: the outbox is dry."""
    now = now or datetime.now(UTC)
    busy = (OUTBOUND.c.next_attempt_at <= now) | OUTBOUND.c.status.in_(("sending", "unknown"))
    with reading(engine) as conn:
        rows = conn.execute(
            select(OUTBOUND.c.status, func.count())
            .where(OUTBOUND.c.status.in_(("pending", "retry", "sending", "unknown")), busy)
            .group_by(OUTBOUND.c.status)
        )
        return {status: int(count) for status, count in rows}


def verdict(engine: Engine, said: Sequence[Said], carried: Sequence[Text], sleepers: Sequence[str]) -> Verdict:
    """Looks at the database, at what phones have been answered, and at what the carrier has taken."""
    found = audit(engine, datetime.now(UTC))
    faults = [f"{fault.where}: {fault.what}" for fault in found.faults]
    with reading(engine) as conn:
        faults += heard(conn, said)
        faults += gone(conn, carried)
        faults += doubled(conn)
        faults += untold(conn)
        nudged, missing = reminded(conn, sleepers)
        faults += missing
        count: dict[str, int] = dict(
            conn.execute(select(OUTBOUND.c.status, func.count()).group_by(OUTBOUND.c.status)).all()
        )
    return Verdict(
        faults, sum(bool(one.answers) for one in said), sum(one.deliveries for one in said), found.moves,
        sum(count.values()), sum(count.get(name, 0) for name in SENT), count.get("unknown", 0), nudged,
    )  # fmt: skip


def heard(conn: Connection, said: Sequence[Said]) -> Iterator[str]:
    """Every text that was taken is there once, and each delivery of it got the same answer, the one that is kept."""
    kept = {row.message_sid: row for row in conn.execute(select(INBOUND))}
    owners: dict[int, str] = dict(conn.execute(select(PLAYER.c.id, PLAYER.c.address)).all())
    moved = Counter(conn.execute(select(MOVE.c.inbound_id).where(MOVE.c.inbound_id.is_not(None))).scalars())
    for one in said:
        if not one.answers:
            continue
        row = kept.get(one.sid)
        if row is None:
            yield f"text {one.sid} was taken and is not there"
            continue
        answer = () if row.answer is None else (row.answer,)
        for given in set(one.answers):
            if given != answer:
                yield f"inbound {row.id}: a delivery was answered otherwise than is kept"
        if owners.get(row.player_id) != one.sender or row.body != one.body:
            yield f"inbound {row.id}: kept otherwise than it was sent"
        if row.kind == "moves" and not moved[row.id]:
            yield f"inbound {row.id}: made moves, and no line is from it"
        if row.kind.startswith(("refused", "unclear", "ignored", "repeated")) and moved[row.id]:
            yield f"inbound {row.id}: was {row.kind}, and {moved[row.id]} lines are from it"


def gone(conn: Connection, carried: Sequence[Text]) -> Iterator[str]:
    """Every row that counts as sent was taken by the carrier once, every other one never."""
    times: Counter[int] = Counter()
    for text in carried:
        number = row_of(text)
        if number is None:
            yield f"the carrier has a text {text.sid} that names no row"
        else:
            times[number] += 1
    rows = {
        row.id: row for row in conn.execute(select(OUTBOUND.c.id, OUTBOUND.c.status, OUTBOUND.c.sid, OUTBOUND.c.body))
    }
    for lost in sorted(set(times) - set(rows)):
        yield f"outbound {lost}: was sent, and is not there"
    for row in rows.values():
        count = times[row.id]
        if count > 1:
            yield f"outbound {row.id}: was sent {count} times"
        if row.status in SENT and count != 1:
            yield f"outbound {row.id}: is {row.status}, and the carrier has it {count} times"
        if row.status in ("pending", "retry", "canceled") and count:
            yield f"outbound {row.id}: is {row.status}, and the carrier has it"
    bodies = {row.id: row.body for row in rows.values()}
    for text in carried:
        number = row_of(text)
        if number is not None and bodies.get(number, text.body) != text.body:
            yield f"outbound {number}: what went out is not what is kept"


def row_of(text: Text) -> int | None:
    """The row of the outbox that a text at the carrier names in the address of its status callbacks."""
    number = parse_qs(urlsplit(text.callback).query).get("o", [""])[0]
    return int(number) if number.isdigit() else None


def doubled(conn: Connection) -> Iterator[str]:
    """Nobody is told the same turn twice."""
    key = (OUTBOUND.c.table_id, OUTBOUND.c.seat, OUTBOUND.c.turn_version)
    twice = (
        select(*key, func.count())
        .where(OUTBOUND.c.kind == "turn", OUTBOUND.c.turn_version.is_not(None), OUTBOUND.c.status != "canceled")
        .group_by(*key)
        .having(func.count() > 1)
    )
    for table_id, seat, version, count in conn.execute(twice):
        yield f"table {table_id}: seat {seat + 1} was told of turn {version} {count} times"
    ahead = (
        select(OUTBOUND.c.id, OUTBOUND.c.table_id)
        .join(TABLE, TABLE.c.id == OUTBOUND.c.table_id)
        .where(OUTBOUND.c.turn_version > TABLE.c.version)
    )
    for row in conn.execute(ahead):
        yield f"outbound {row.id}: tells of a turn that table {row.table_id} never had"
    # A move and the texts about it are of one transaction, so of one moment.
    made = exists().where(
        MOVE.c.table_id == OUTBOUND.c.table_id, MOVE.c.n <= OUTBOUND.c.turn_version, MOVE.c.at == OUTBOUND.c.created_at
    )
    orphans = select(OUTBOUND.c.id).where(OUTBOUND.c.kind == "turn", OUTBOUND.c.turn_version > 0, ~made)
    for row in conn.execute(orphans):
        yield f"outbound {row.id}: tells of a move that was not made when it was written"


def untold(conn: Connection) -> Iterator[str]:
    """Whoever holds up a game has been told so, by an answer or by a text that went or will go."""
    for table_id in conn.execute(select(TABLE.c.id).where(TABLE.c.status == PLAYING)).scalars().all():
        table = stored.look(conn, table_id)
        if table is None:
            continue
        for seat in table.due:
            sitter = table.sitters[seat]
            if not sitter.person:
                continue
            if not (told_since(conn, table, sitter) or told_with_others(conn, table.id, sitter)):
                yield (
                    f"table {table_id} ({table.code}): {sitter.name} holds it up and was never told: "
                    f"{sitter.told} of {table.news_end}, version {table.version}; {last_texts(conn, table.id, sitter)}"
                )


def told_since(conn: Connection, table: stored.Table, sitter: stored.Sitter) -> bool:
    """Whether a text that went or will go, or an answer, is from this turn. What others do in it needs no other text:
    where several act at once, they pass their cards, say, while somebody still chooses.
    """
    began = table.turn_since or datetime.min.replace(tzinfo=UTC)
    goes = OUTBOUND.c.status.in_(("sending", "unknown", *SENT)) | (
        OUTBOUND.c.status.in_(("pending", "retry"))  # another version is no longer told
        & (OUTBOUND.c.turn_version.is_(None) | (OUTBOUND.c.turn_version == table.version))
    )
    text = exists().where(
        OUTBOUND.c.table_id == table.id, OUTBOUND.c.player_id == sitter.player_id, OUTBOUND.c.created_at >= began,
        OUTBOUND.c.kind.in_(OF_THE_TURN), goes,
    )  # fmt: skip
    answer = exists().where(
        INBOUND.c.table_id == table.id, INBOUND.c.player_id == sitter.player_id, INBOUND.c.received_at >= began,
        INBOUND.c.kind.startswith("moves") | (INBOUND.c.kind == "command"), INBOUND.c.answer.is_not(None),
    )  # fmt: skip
    return bool(conn.execute(select(text | answer)).scalar())


def last_texts(conn: Connection, table_id: int, sitter: stored.Sitter) -> str:
    """What became of the last texts to a player about a table, newest first."""
    columns = (OUTBOUND.c.id, OUTBOUND.c.kind, OUTBOUND.c.status, OUTBOUND.c.error_code, OUTBOUND.c.turn_version)
    rows = conn.execute(
        select(*columns, OUTBOUND.c.told_upto)
        .where(OUTBOUND.c.table_id == table_id, OUTBOUND.c.player_id == sitter.player_id)
        .order_by(OUTBOUND.c.id.desc())
        .limit(4)
    )
    return "; ".join(
        f"{row.id} {row.kind} of {row.turn_version} to {row.told_upto} {row.status} {row.error_code or ''}".strip()
        for row in rows
    )


def told_with_others(conn: Connection, table_id: int, sitter: stored.Sitter) -> bool:
    """Whether several turns were told in one text since this table last wrote to that player."""
    last = select(func.max(OUTBOUND.c.id)).where(
        OUTBOUND.c.table_id == table_id, OUTBOUND.c.player_id == sitter.player_id, OUTBOUND.c.error_code == "gathered"
    )
    return conn.execute(last).scalar() is not None


def reminded(conn: Connection, sleepers: Sequence[str]) -> tuple[int, list[str]]:
    """How many of the tables where nobody plays have had their one reminder, and those that have not.

    One that the carrier certainly does not have is not sent again: the next is to follow.
    """
    nudged, faults = 0, []
    for code in sleepers:
        table_id = conn.execute(select(TABLE.c.id).where(TABLE.c.code == code)).scalar_one()
        written = conn.execute(
            select(OUTBOUND.c.status, OUTBOUND.c.error_code).where(
                OUTBOUND.c.table_id == table_id, OUTBOUND.c.kind.in_(("nudge", "nudges"))
            )
        ).all()
        count = sum(row.status in SENT for row in written)
        nudged += count
        missed = sum(row.status == "failed" and row.error_code == NOT_THERE for row in written)
        follows = exists().where(NUDGE.c.table_id == table_id, NUDGE.c.sent > 0, NUDGE.c.nudge_at.is_not(None))
        if count + missed != 1 or (missed and not conn.execute(select(follows)).scalar()):
            faults.append(f"table {code}: {count} reminders went, where one was due, and {missed} did not get there")
    return nudged, faults
