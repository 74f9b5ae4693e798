"""Moves that are taken back: by their player as long as nothing hidden was seen by them, by the operator always."""

from collections.abc import Sequence

from sqlalchemy import update

from engine.game import Event, Seat
from service import calls, finishing, results, rounds, stored
from service.desk import Desk
from service.play.course import Course
from service.play.telling import turn_begins
from service.stored import OUTBOUND, OVER, PLAYING, Sitter, Table
from service.tables import Problem
from service.text import by_hand, render

_OPEN = frozenset(("play", "bid", "expose"))  # what everybody sees at once, and may go by


def undo(desk: Desk, table: Table, me: Sitter) -> str:
    """Takes back the player's last move, as long as nobody has moved since and nothing hidden has been seen by it."""
    lines = stored.standing(stored.lines_of(desk.conn, table))
    if not lines or lines[-1][0] != me.number:
        raise Problem(f"{table.code}: there is no move of yours to take back; only the very last one can be.")
    _, events = stored.replay(table, lines)
    if any(event.reveals for event in events):
        seen = (
            "the others have seen it" if any(event.kind in _OPEN for event in events) else "it has shown you new cards"
        )
        raise Problem(f"{table.code}: {_verb(lines[-1][1])} can't be taken back: {seen}.")
    was_turn = table.state.turn
    callers = [sitter for sitter in calls.people(table) if sitter.number not in (was_turn, me.number)]
    _one_line_back(desk, table, lines, len(events))
    if lines[-1][1] == finishing.FINISH:
        finishing.taken_back(desk, table, me)
    if was_turn != me.number and was_turn not in table.due:
        _call_back(desk, table, table.sitters[was_turn], "turn", render.wait_again(table.code, me.name))
        for sitter in callers:
            _call_back(desk, table, sitter, "call", render.nothing_to_call(table.code, me.name))
    elif was_turn != me.number:
        desk.still_so(table)
    stored.save_told(desk.conn, table, [me.number])
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return render.undone(desk.scene(table, me.number), lines[-1][1])


def take_back(desk: Desk, table: Table) -> tuple[Sitter, str]:
    """The operator's: takes the last move back whatever has been seen by it, and tells everybody; whose it was, and which.

    What bots have played since is taken back with it. Problem where nobody has moved yet.
    """
    lines = stored.standing(stored.lines_of(desk.conn, table))
    people = {sitter.number for sitter in table.people}
    if not any(seat in people for seat, _ in lines):
        raise Problem(f"{table.code}: there is no move of a person to take back.")
    while True:
        seat, line = lines[-1]
        if table.status == OVER:
            table.status = PLAYING
        _one_line_back(desk, table, lines, 1)
        lines.pop()
        if seat in people:
            break
    if not calls.is_open(desk, table):  # a bot that is next waits again for who may call, and not for ever
        calls.open_window(desk, table, None)
    sitter = table.sitters[seat]
    desk.conn.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.table_id == table.id, OUTBOUND.c.kind == "turn", OUTBOUND.c.status.in_(("pending", "retry")))
        .values(status="canceled", error_code="undone")
    )
    for other in table.people:
        due = other.number in table.due
        note = by_hand.took_back(table.code, sitter.name, render.choice_words(line), other is sitter)
        desk.send(
            table,
            other,
            "turn" if due else "notice",
            render.fit(render.join(note, render.hand(desk.scene(table, other.number)))),
        )
    stored.save_told(desk.conn, table, [other.number for other in table.people])
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return sitter, line


def _one_line_back(desk: Desk, table: Table, lines: Sequence[tuple[Seat, str]], events: int) -> None:
    """The table as it stood before its last line, of which `lines` are those that count."""
    seat = lines[-1][0]
    results.take_back(desk.conn, table)
    table.state, _ = stored.replay(table, lines[:-1])
    if table.state.over:
        table.game.next_round(table.state)
    table.add_line(seat, rounds.UNDO, bot=False)
    table.happened([Event("undo", seat, count=events)])
    turn_begins(desk, table, Course())


def _verb(line: str) -> str:
    return render.choice_words(line).split()[0]


def _call_back(desk: Desk, table: Table, sitter: Sitter, kind: str, note: str) -> None:
    """What a seat was told of the discard holds no more: the text that says so is stopped, or followed by this one."""
    if not sitter.person:
        return
    stopped = desk.conn.execute(
        update(OUTBOUND)
        .where(
            OUTBOUND.c.table_id == table.id,
            OUTBOUND.c.player_id == sitter.player_id,
            OUTBOUND.c.kind == kind,
            OUTBOUND.c.status.in_(("pending", "retry")),
        )
        .values(status="canceled", error_code="undone")
    ).rowcount
    if not stopped:
        desk.send(table, sitter, "notice", note)
