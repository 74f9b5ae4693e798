"""Does what the words of a text say: moves, commands, and what stands behind a command."""

import re
from collections.abc import Sequence
from typing import Any

from engine.game import write_move
from service import finishing, forgetting, opting, replies, sitting, slow, stored, tables, terse
from service.desk import Desk
from service.play.changes import deal, over_at_once
from service.play.course import Course, run_bots, settle_round
from service.play.reading import by_machine, read
from service.play.refusals import not_done, stopped
from service.play.seats import leave, opt, vacate
from service.play.telling import finish
from service.play.undoing import undo
from service.stored import Table
from service.tables import Problem
from service.text import by_hand, render
from service.text.commands import Command
from service.text.gsm7 import fold, segments
from service.text.setting_up import HOST
from service.text.understand import Reading

MOST_STEPS = 4  # commands in one text

_DECLINES = re.compile(r"\W*(?:no|nope|nah|not|never|neither|none|wait|hold|hang|don'?t|oops|forget)\b", re.IGNORECASE)
CHANGE_THE_GAME = ("deal", "leave", "undo", "finish")


def act(desk: Desk, mine: Sequence[Table], words: str, steps: int = MOST_STEPS) -> str | None:
    """Reads words and does what they say; after a command, what stands behind it too (`bots, deal`)."""
    text, table, reading = read(desk, mine, words)
    if reading is None:
        return text  # a question which table is meant
    if table is not None:
        desk.table_id = table.id
    desk.kind = reading.kind
    command = reading.command
    if command is not None and command.name in opting.COMMANDS:
        return opt(desk, opting.COMMANDS[command.name], wrong_number=bool(command.args.get("why")))
    if reading.kind == "ignored":
        desk.by_machine = by_machine(reading)
        return _called_so(desk, mine, table, words)
    asked, desk.pending = desk.pending, None
    if reading.moves:
        assert table is not None, "moves are read at a table"
        return _moves(desk, mine, table, reading)
    if reading.kind == "command" and command is not None:
        answer = _command(desk, mine, table, command)
        if not reading.rest.strip() or answer is None or steps <= 1:
            return answer
        return _and_then(desk, answer, reading.rest, steps - 1, at_new_table=command.name == "new")
    answer = not_done(desk, mine, table, reading, lambda more: act(desk, mine, more, 1))
    if reading.kind == "unclear" and desk.pending is None and _stays_open(asked, words):
        desk.pending = asked
    return answer


_KIN = re.compile(
    r"\W*(?:grandma|grandpa|granny|gran|gramps|nana|nan|mom|mum|mama|dad|papa|pop|auntie|uncle)\W*", re.IGNORECASE
)


def _called_so(desk: Desk, mine: Sequence[Table], table: Table | None, words: str) -> str | None:
    """`Grandma` says nothing, but from a guest who has just been asked for a name; None where it says nothing."""
    if table is None or table.state is not None or _KIN.fullmatch(words) is None:
        return None
    name = replies.told_name(desk, table)
    if not name:
        return None
    desk.kind = "command"
    return replies.answer(desk, mine, table, Command("name", {"name": name}))


def _stays_open(asked: Any, words: str) -> bool:
    """Whether a question of ours is still asked after words that were not understood: not what cannot be undone, nor after a no."""
    return bool(asked) and "forget" not in asked and not _DECLINES.match(words)


def _and_then(desk: Desk, answer: str, rest: str, steps: int, *, at_new_table: bool) -> str:
    """The answer to a command and to what stands behind it; to the latter alone where both are too long."""
    mine = stored.of_player(desk.conn, desk.player.id, desk.now)
    if not mine:  # nothing came of the first, so there is nothing to go on with
        return answer
    if at_new_table and len(mine) > 1:
        made = next((table.code for table in mine if table.id == desk.table_id), "")
        rest = f"{made} {rest}".strip()
    try:
        more = act(desk, mine, rest, steps) or ""
    except Problem as problem:  # the command before it stays done, and is told
        more = str(problem)
    if not desk.kind.startswith(("moves", "command")):
        desk.kind = f"command:{desk.kind}"
    both = render.join(answer, more)
    return fold(both) if segments(fold(both)) <= 2 else fold(more)


def _moves(desk: Desk, mine: Sequence[Table], table: Table, reading: Reading) -> str | None:
    """Applies the moves of a text and tells everybody who must know."""
    _not_paused(desk, table)
    me = table.seat_of(desk.player.id)
    assert me is not None
    slow.just_played(desk)
    if table.together and me.player_id is not None:
        tables.call_off(desk.conn, table, me.player_id, "moved-on", "turn", "nudge")
    if me.invite:  # a move keeps the seat
        me.invite = None
        tables.set_seat(desk.conn, table, me, invite=None)
    course = Course(terse=reading.kind == "moves" and reading.command is None and terse.asked_for(me))
    for move in reading.moves:
        events = table.game.play(table.state, me.number, move)
        table.add_line(me.number, write_move(move), bot=False)
        course.own += events
        table.happened(events)
        settle_round(table, course)
    run_bots(table, course)
    desk.kind = "moves" if reading.kind == "moves" else f"moves:{reading.kind}"
    stop = ""
    if reading.kind in ("refused", "ask", "unclear"):
        stop = stopped(desk, table, reading)
    answer = finish(desk, table, course, me, stop)
    if reading.command is not None and reading.command.name != "hand":
        try:
            more = _command(desk, mine, table, reading.command)
        except Problem as problem:  # what was done before it stays done, and is told
            more = str(problem)
        answer = render.fit(render.join(answer, more or ""))
    return answer or None


def _not_paused(desk: Desk, table: Table) -> None:
    """Problem where the operator has stopped the table for a while."""
    if table.paused is not None:
        desk.kind = "refused:PAUSED"
        raise Problem(by_hand.is_paused(table.code, table.paused))


def _command(desk: Desk, mine: Sequence[Table], table: Table | None, command: Command) -> str | None:
    """Commands that change a game are done here, all others by `service.replies`."""
    if command.name == "forget":
        return forgetting.asked(desk, mine, command.args, vacate)
    if command.name not in CHANGE_THE_GAME:
        return replies.answer(desk, mine, table, command)
    me = None if table is None else table.seat_of(desk.player.id)
    if not mine:
        return replies.answer(desk, mine, None, command)
    if table is None or me is None:
        raise Problem(render.no_table())
    _not_paused(desk, table)
    if command.name == "leave":
        return leave(desk, table, me)
    if command.name == "finish":
        return finishing.asked(desk, table, me, over_at_once)
    if command.name == "deal":
        by_host = command.args.get("by") == HOST and table.host_id != desk.player.id
        return sitting.what_is_open(desk, table) if by_host and table.state is None else deal(desk, table, me)
    return undo(desk, table, me)
