"""What changes a game and is no move: the deal, nobody calling Rummy, an end that all want, a table that goes on."""

from collections.abc import Sequence

from engine.game import Event
from service import calls, stored, tables
from service.desk import Desk
from service.play.course import Course, run_bots, settle_round
from service.play.telling import finish, round_text, turn_begins
from service.stored import OVER, PLAYING, Sitter, Table
from service.tables import Problem
from service.text import by_hand, render


def deal(desk: Desk, table: Table, me: Sitter) -> str:
    """Deals a full table, and tells everybody their hand."""
    if table.state is not None:
        raise Problem(
            f"{table.code} has been dealt already."
            + (" REMATCH plays again." if table.status == OVER else " HAND shows your cards.")
        )
    if table.free:
        host = next((s.name for s in table.people if s.player_id == table.host_id), table.sitters[0].name)
        return render.seats_free(table.code, table.free, None if me.player_id == table.host_id else host)
    tables.deal(table, desk.now)
    course = Course(dealing=True)
    run_bots(table, course)
    return _after_deal(desk, table, course, me)


def _after_deal(desk: Desk, table: Table, course: Course, me: Sitter) -> str:
    turn_begins(desk, table, course)
    answer = ""
    for sitter in table.people:
        scene = desk.scene(table, sitter.number)
        text = render.dealt(scene, table.game.title, table.news_for(sitter), course.forced.get(sitter.number, ()))
        if sitter.number == me.number:
            answer = text
        else:
            desk.send(table, sitter, "dealt", text)
    stored.save_told(desk.conn, table, [me.number])
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return answer


def over_at_once(desk: Desk, table: Table, events: Sequence[Event], me: Sitter) -> str:
    """The game is over by the wish of all, before another deal: everybody is told."""
    course = Course(own=list(events))
    settle_round(table, course)
    return finish(desk, table, course, me)


def let_go(desk: Desk, mine: Sequence[Table], words: str) -> str | None:
    """`no` from somebody who may call Rummy: the game goes on once all have said so."""
    said = calls.NO.match(words)
    if said is None:
        return None
    for table in mine:
        me = table.seat_of(desk.player.id)
        if me is None or table.status != PLAYING or (said[1] or table.code).upper() != table.code:
            continue
        go_on = calls.close(desk, table, me.number)
        if go_on is not None:
            desk.table_id, desk.pending = table.id, None
            lead = f"{table.code}: you let it go."
            return window_ends(desk, table, me, lead) if go_on else render.fit(f"{lead} Others may still call.")
    return None


def window_ends(desk: Desk, table: Table, me: Sitter | None, lead: str = "") -> str:
    """Nobody calls Rummy: bots and plans that have waited for that go on. The answer to who has said so last."""
    course = Course(shut=calls.discard(table))
    run_bots(table, course)
    if me is None and not course.after:
        return ""
    return finish(desk, table, course, me, lead=lead)


def go_on(desk: Desk, table: Table) -> None:
    """A table that the operator had stopped goes on: bots that were to move do, and everybody is told whose turn it is."""
    course = Course()
    run_bots(table, course)
    turn_begins(desk, table, course)
    whose = table.names[table.due[0]] if table.status == PLAYING and table.due else ""
    for sitter in table.people:
        note = by_hand.resumed(table.code, "" if sitter.number in table.due else whose)
        if course.ended is not None:
            desk.send(
                table, sitter, "round", round_text(desk, table, course, desk.scene(table, sitter.number), [], note)
            )
        elif sitter.number in table.due:
            desk.send(
                table, sitter, "turn", render.turn(desk.scene(table, sitter.number), table.news_for(sitter), note)
            )
        else:
            desk.send(table, sitter, "notice", note)
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
