"""What the operator may do to a table by hand. Every act is kept (`AdminAct`), and those who sit there are told.

Each function is one transaction. `who` is whoever does it, as the record shall name them; a table is named by its code.
Raises Problem, whose text says what would work.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, func, insert, select, update

from service import alarms, manners, play, stored, tables
from service.db import reading
from service.desk import Desk
from service.models import AdminAct, table_of
from service.services import Services
from service.stored import INBOUND, MOVE, NUDGE, OUTBOUND, PLAYING, TABLE, Table
from service.tables import Problem
from service.text import by_hand
from service.transact import transact

ACT = table_of(AdminAct)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table's log."""

    n: int
    at: datetime
    name: str
    text: str
    bot: bool
    inbound_id: int | None


def facts(services: Services, code: str) -> dict[str, Any]:
    """A table as the operator sees it: no hand, no number and no text is in it."""
    with reading(services.db) as conn:
        table = _look(conn, code)
        row = conn.execute(select(TABLE).where(TABLE.c.id == table.id)).one()
        waits = conn.execute(select(NUDGE).where(NUDGE.c.table_id == table.id).order_by(NUDGE.c.seat)).all()
        texts = conn.execute(
            select(OUTBOUND.c.status, func.count(), func.sum(OUTBOUND.c.segments))
            .where(OUTBOUND.c.table_id == table.id)
            .group_by(OUTBOUND.c.status)
        ).all()
        answers = conn.execute(
            select(func.count(), func.coalesce(func.sum(INBOUND.c.segments), 0)).where(INBOUND.c.table_id == table.id)
        ).one()
        acts = conn.execute(select(ACT).where(ACT.c.table_id == table.id).order_by(ACT.c.id)).all()
    names = {sitter.number: sitter.name for sitter in table.sitters}
    return {
        "code": table.code, "id": table.id, "game": table.game.name, "status": table.status, "opened": row.created_at,
        "last_change": row.updated_at, "lines": table.version,
        "paused": None if row.paused_at is None else {"since": row.paused_at, "why": row.paused_why},
        "seats": [
            {
                "seat": s.number + 1, "name": s.name, "bot": s.bot, "left": s.left, "opted_out": s.opted_out,
                "host": s.player_id == table.host_id, "last_text": s.last_inbound_at, "told": table.news_end - s.told,
            }
            for s in table.sitters
        ],
        "waits_for": [
            {
                "name": names.get(w.seat, ""), "since": w.since, "deadline": w.deadline_at, "late": bool(w.late),
                "next_look": None if w.due_at == alarms.NEVER else w.due_at, "reminders": w.sent,
                "not_reminded": w.last_reason,
            }
            for w in waits
        ],
        "texts": {status: {"texts": int(count), "segments": int(parts or 0)} for status, count, parts in texts},
        "answers": {"texts": int(answers[0]), "segments": int(answers[1])},
        "acts": [{"at": a.at, "who": a.who, "act": a.act, "detail": a.detail} for a in acts],
    }  # fmt: skip


def log(services: Services, code: str, last: int | None = None) -> list[Line]:
    """A table's lines, oldest first; only the `last` so many where that is given."""
    with reading(services.db) as conn:
        table = _look(conn, code)
        query = select(MOVE).where(MOVE.c.table_id == table.id).order_by(MOVE.c.n.desc())
        rows = conn.execute(query if last is None else query.limit(last)).all()
    names = {sitter.number: sitter.name for sitter in table.sitters}
    return [
        Line(row.n, row.at, names.get(row.seat, f"seat {row.seat + 1}"), row.text, row.bot, row.inbound_id)
        for row in reversed(rows)
    ]


def pause(services: Services, who: str, code: str, why: str) -> None:
    """Stops a table: no move is taken and no clock runs until it is resumed."""

    def work(desk: Desk, table: Table) -> None:
        if table.paused is not None:
            raise Problem(f"{table.code} is paused already.")
        if table.status not in (stored.OPEN, PLAYING):
            raise Problem(f"{table.code} is {table.status}; there is nothing to pause.")
        desk.conn.execute(update(TABLE).where(TABLE.c.id == table.id).values(paused_at=desk.now, paused_why=why))
        alarms.stop(desk.conn, table.id)
        desk.send_all(table, table.people, "notice", by_hand.paused(table.code, why))

    _act(services, who, code, "pause", why, work)


def resume(services: Services, who: str, code: str) -> None:
    """Lets a table go on; what was left of each clock is left still."""

    def work(desk: Desk, table: Table) -> None:
        since = desk.conn.execute(select(TABLE.c.paused_at).where(TABLE.c.id == table.id)).scalar_one()
        if since is None:
            raise Problem(f"{table.code} is not paused.")
        desk.conn.execute(update(TABLE).where(TABLE.c.id == table.id).values(paused_at=None, paused_why=None))
        table.paused = None
        alarms.go_on(desk.conn, table.id, desk.now - since, desk.now)
        if table.status != PLAYING:
            desk.send_all(table, table.people, "notice", by_hand.resumed(table.code, ""))
            return
        play.go_on(desk, table)

    _act(services, who, code, "resume", "", work)


def move_deadline(services: Services, who: str, code: str, by: timedelta) -> list[tuple[str, datetime]]:
    """Moves the clocks that run at a table; never to before now. Names and new deadlines."""

    def work(desk: Desk, table: Table) -> list[tuple[str, datetime]]:
        moved = alarms.put_off(desk.conn, table.id, by, desk.now)
        if not moved:
            raise Problem(f"No clock runs at {table.code}.")
        for seat, end in moved:
            sitter = table.sitters[seat]
            when = manners.wall(end, sitter.zone, sitter.address, desk.now)
            desk.send(table, sitter, "notice", by_hand.new_deadline(table.code, when))
        return [(table.names[seat], end) for seat, end in moved]

    return _act(services, who, code, "deadline", f"{by.total_seconds() / 3600:+g} h", work)


def take_back(services: Services, who: str, code: str) -> str:
    """Takes back the last move that a person made, with what bots have played since; the move, for the record."""

    def work(desk: Desk, table: Table) -> str:
        if table.state is None:
            raise Problem(f"{table.code} has not been dealt.")
        sitter, line = play.take_back(desk, table)
        return f"{sitter.name} {line}"

    return _act(services, who, code, "take-back", "", work, detail=lambda done: done)


def give_seat(services: Services, who: str, code: str, name: str) -> str:
    """Opens a seat to a new owner; the code that they text to take it (`JOIN code`). Nobody who has not texted is texted."""

    def work(desk: Desk, table: Table) -> str:
        sitter = next((s for s in table.sitters if s.name.casefold() == name.casefold()), None)
        if sitter is None:
            raise Problem(f"Nobody at {table.code} is called {name}: {', '.join(s.name for s in table.sitters)}.")
        if table.status != PLAYING:
            raise Problem(f"{table.code} is {table.status}; a seat can only be given while a game is played.")
        if sitter.player_id is None:
            raise Problem(f"{sitter.name} is a bot that nobody has sat for.")
        if sitter.left:
            tables.take_back(desk.conn, table, sitter)
            tables.lend(desk.conn, table, sitter)  # the bot plays on until somebody takes the seat
        return tables.invite(desk.conn, table, sitter)

    return _act(services, who, code, "give-seat", name, work)


def acts(services: Services, code: str | None = None, last: int = 50) -> list[Any]:
    """What was done by hand, at one table or everywhere, oldest first: rows with at, who, act, detail, table_id."""
    with reading(services.db) as conn:
        query = select(ACT, TABLE.c.code).outerjoin(TABLE, TABLE.c.id == ACT.c.table_id).order_by(ACT.c.id.desc())
        if code is not None:
            query = query.where(ACT.c.table_id == _look(conn, code).id)
        return list(reversed(conn.execute(query.limit(last)).all()))


def _look(conn: Connection, code: str) -> Table:
    found = conn.execute(select(TABLE.c.id).where(TABLE.c.code == code.strip().upper())).scalar()
    table = None if found is None else stored.look(conn, found)
    if table is None:
        raise Problem(f"There is no table {code.strip().upper()}.")
    return table


def _act(
    services: Services, who: str, code: str, act: str, said: str, work: Callable[[Desk, Table], T],
    detail: Callable[[T], str] | None = None,
) -> T:  # fmt: skip
    """One act in one transaction, with its record; what is to be told goes out after it."""

    def whole(conn: Connection) -> tuple[T, bool]:
        desk = Desk.unasked(services, conn)
        table = stored.by_code(conn, code.strip())
        if table is None:
            raise Problem(f"There is no table {code.strip().upper()}.")
        done = work(desk, table)
        conn.execute(
            insert(ACT).values(
                table_id=table.id, who=who, act=act, detail=said if detail is None else detail(done), at=desk.now
            )
        )
        return done, desk.write_texts()

    done, ring = transact(services, whole)
    if ring:
        services.bell.ring()
    return done
