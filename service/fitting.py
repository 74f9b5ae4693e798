"""At which of somebody's tables a bare command can be meant; where that is one, it goes there without a question."""

from collections.abc import Sequence

from sqlalchemy import select

from service import finishing, stored
from service.desk import Desk
from service.stored import INBOUND, OPEN, PLAYING, Table
from service.text.commands import Command

SHOWING = ("hand", "pile", "melds", "score", "table")
FOR_THE_HOST = ("stats", "cost", "pace")


def for_oneself(command: Command) -> bool:
    """Whether a command is about who texts, wherever they sit: `nudge me off`, `forget me`."""
    if command.name == "nudge":
        words = command.args.get("name", "").casefold().split() or [""]
        return words[0] in ("me", "off", "on", "daily", "every")
    return command.name == "forget"


def fitting(desk: Desk, command: Command, live: Sequence[Table]) -> list[Table]:
    """The tables where it can be meant; all of them where it can be meant nowhere, so that it is asked about."""
    return _fitting(desk, command, live) or list(live)


def _fitting(desk: Desk, command: Command, live: Sequence[Table]) -> list[Table]:
    name, player_id = command.name, desk.player.id
    if name == "bots":
        return [table for table in live if table.status == OPEN and table.host_id == player_id]
    if name in ("deal", "invite") or (name == "setup" and command.args["about"] in ("start", "change")):
        return [table for table in live if table.status == OPEN]
    if name in SHOWING:
        return [table for table in live if table.state is not None]
    if name == "setup":
        return [table for table in live if table.status == PLAYING]
    if name in FOR_THE_HOST:
        return [table for table in live if table.host_id == player_id]
    playing = [table for table in live if table.status == PLAYING]
    if name == "hint":
        return [table for table in playing if _me(table, player_id) in table.due] or playing
    if name == "finish":
        return [table for table in playing if finishing.endless(table)]
    if name == "nudge":
        return [table for table in playing if _waits_for(table, player_id, command.args.get("name", "").casefold())]
    if name == "undo":
        return [table for table in playing if _moved_last(desk, table)] or playing
    if name == "why":
        return [table for table in live if table.id == _refused_at(desk)]
    return []


def _me(table: Table, player_id: int) -> int | None:
    me = table.seat_of(player_id)
    return None if me is None else me.number


def _waits_for(table: Table, player_id: int, called: str) -> bool:
    others = [table.sitters[seat] for seat in table.due if table.sitters[seat].player_id != player_id]
    return any(not called or sitter.name.casefold() == called for sitter in others)


def _moved_last(desk: Desk, table: Table) -> bool:
    lines = stored.standing(stored.lines_of(desk.conn, table))
    return bool(lines) and lines[-1][0] == _me(table, desk.player.id)


def _refused_at(desk: Desk) -> int | None:
    """The table of the last refusal."""
    found: int | None = desk.conn.execute(
        select(INBOUND.c.table_id)
        .where(INBOUND.c.player_id == desk.player.id, INBOUND.c.kind.like("%refused:%"))
        .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    return found
