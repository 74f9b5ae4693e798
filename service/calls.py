"""The window in which Rummy may be called: bots and plans wait, so that nobody is beaten to it by a machine.

Who could call is told in one text. NO from all of them, or RUMMY_WINDOW minutes, and the game goes on; any move at the table
that ends the window ends it here, too. Open windows are rows among the alarms, one for each who may call.
"""

import re
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, insert, select

from engine.game import Seat
from service.desk import Desk
from service.stored import NUDGE, PLAYING, Sitter, Table

NO = re.compile(
    r"\s*(?:([a-z]{2}\d{1,2})[\s:,]+)?(?:no|nope|nah|no (?:thanks|thank you|rummy|call)|let it go|don't call|dont call)[\s.!]*\Z",
    re.IGNORECASE,
)


def people(table: Table) -> list[Sitter]:
    """The people who may call Rummy now, by what everybody knows."""
    callers = getattr(table.game, "callers", None)
    if callers is None or table.state is None or table.status != PLAYING:
        return []
    may = [table.sitters[seat] for seat in callers(table.state) if table.sitters[seat].person]
    return [sitter for sitter in may if table.game.legal(table.state, sitter.number)]


def discard(table: Table) -> Any:
    """Which discard it is that may be called."""
    state = table.state
    return state.round, getattr(state, "discarder", None), len(state.pile), state.turn


def held(table: Table, shut: Any, besides: Seat | None = None) -> bool:
    """Whether a machine must wait: somebody else may call, and that window (`shut`) has not been closed."""
    may = [sitter for sitter in people(table) if sitter.number != besides]
    return bool(may) and discard(table) != shut


def open_window(desk: Desk, table: Table, shut: Any) -> tuple[Seat, ...]:
    """A turn has begun: opens the window for all who may call, but for whose turn it is; who they are."""
    may = [sitter for sitter in people(table) if sitter.number != table.state.turn]
    if not may or discard(table) == shut:
        return ()
    until = desk.now + timedelta(minutes=desk.services.settings.rummy_window)
    desk.conn.execute(
        insert(NUDGE),
        [
            {"table_id": table.id, "seat": sitter.number, "player_id": sitter.player_id, "turn_version": table.version,
             "due_at": until, "sent": 0, "since": table.turn_since, "nudge_at": None, "deadline_at": None,
             "grace_at": until, "late": True}
            for sitter in may
        ],
    )  # fmt: skip
    return tuple(sitter.number for sitter in may)


def is_open(desk: Desk, table: Table) -> bool:
    """Whether somebody at the table is still waited for to call or to let it go."""
    ours = NUDGE.c.table_id == table.id, NUDGE.c.late, NUDGE.c.deadline_at.is_(None)
    return desk.conn.execute(select(NUDGE.c.id).where(*ours).limit(1)).first() is not None


def is_window(table: Table, alarm: Any) -> bool:
    """Whether an alarm is the end of a window, and not somebody's clock."""
    return bool(alarm.late) and alarm.deadline_at is None and alarm.grace_at is not None and alarm.seat not in table.due


def close(desk: Desk, table: Table, seat: Seat) -> bool | None:
    """Closes the window for that seat; whether the others may go on now. None: it was not open."""
    ours = NUDGE.c.table_id == table.id, NUDGE.c.late, NUDGE.c.deadline_at.is_(None)
    gone = desk.conn.execute(delete(NUDGE).where(*ours, NUDGE.c.seat == seat)).rowcount
    if not gone or seat not in [sitter.number for sitter in people(table)]:
        return None
    return not is_open(desk, table)
