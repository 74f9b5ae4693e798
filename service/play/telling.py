"""After a change of a game: the alarms of the turn, the stored table, and the texts to all who must know."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.game import Event, Seat
from service import alarms, calls, results, stored, tables, terse
from service.desk import Desk
from service.play.course import Course
from service.stored import BIDDING, OVER, PLAYING, Sitter, Table
from service.text import render


def turn_begins(desk: Desk, table: Table, course: Course) -> None:
    """Where a turn has passed: the alarms of those who must act now. Bots' hands on lent seats are counted, too."""
    tables.count_bot_hands(desk.conn, table, course.bots)
    results.keep(desk.conn, table, desk.now)
    for seat in table.plans_dropped:
        tables.set_seat(desk.conn, table, table.sitters[seat], plan=None)
    table.plans_dropped = []
    before, now = table.turn_read, table.whose_turn
    if (
        before is not None
        and now is not None
        and before[0] == now[0]
        and len(now[1]) > 0
        and set(now[1]) < set(before[1])
    ):
        alarms.pass_on(desk.conn, table, set(before[1]) - set(now[1]))  # several at once: the others' time runs on
    elif now != before or course.after:
        table.turn_since = desk.now
        alarms.begin(desk.conn, table, desk.now)
    table.turn_read = now


def finish(
    desk: Desk, table: Table, course: Course, me: Sitter | None, stop: str = "", lead: str = "", left: str = ""
) -> str:
    """Saves the table, writes the texts to the others, and returns the answer to `me` (empty where nobody asked, or wants one).

    Who must act is told with all they need; a round's end is told to everybody, and so is a hand down to one card.
    Where somebody has `left`, the others are told in the same text.
    """
    note = render.note_left(left) if left else ""
    turn = table.state.turn
    before = table.turn_read
    turn_begins(desk, table, course)
    callers = calls.open_window(desk, table, course.shut) if table.turn_read != before or course.after else ()
    asked = _asked_before(table, before)
    new_hands = {e.seat for e in (*course.own, *course.after) if e.kind == "receive"}
    answer, told = "", [] if me is None else [me.number]
    low = [e.seat for e in (*course.own, *course.after) if e.kind == "low"]
    due = table.due if table.status == PLAYING else ()
    for sitter in table.people:
        seat = sitter.number
        scene = partial(desk.scene, table, seat)  # made only for those who get a text
        if me is not None and seat == me.number:
            own = scene()
            if (
                course.terse
                and course.ended is None
                and seat not in course.dropped
                and terse.adds_nothing(own, course.own, course.after)
            ):
                told = []
            else:
                stop = render.join(stop, render.may_be_called([table.names[s] for s in callers if s != me.number]))
                answer = _answer_mover(desk, table, course, own, stop, lead)
        elif course.ended is not None:
            news = _till_end(table.news_for(sitter))
            desk.send(table, sitter, "round", round_text(desk, table, course, scene(), news, note))
        elif seat in due and seat not in asked and _has_news(table, sitter):
            ahead = course.planned.get(seat, ()), course.forced.get(seat, ()), course.dropped.get(seat, "")
            desk.send(table, sitter, "turn", render.turn(scene(), table.news_for(sitter), note, *ahead))
        elif seat in new_hands and not terse.asked_for(sitter):
            forced = course.forced.get(seat, ())
            desk.send(table, sitter, "dealt", render.new_hand(scene(), table.news_for(sitter), note, forced))
        elif seat in callers:
            machine = not table.sitters[turn].person or table.sitters[turn].plan
            minutes = desk.services.settings.rummy_window if machine else 0
            desk.send(table, sitter, "call", render.may_call(scene(), table.news_for(sitter), note, minutes))
        elif sitter.prefs.get("updates") == "all" and not (me is not None and turn == me.number):
            desk.send(table, sitter, "update", render.update(scene(), table.news_for(sitter), note))
        elif low and seat not in low:
            desk.send(table, sitter, "low", render.one_card(scene(), low[-1], note))
        elif note:
            desk.send(table, sitter, "notice", render.left(table.code, left, dealt=True))
    if asked - {me.number if me is not None else None}:
        desk.still_so(table, besides=me)
    stored.save_told(desk.conn, table, told)
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return answer


def _asked_before(table: Table, before: Any) -> frozenset[Seat]:
    """Who has had the text that it is their turn; `before` is whose turn it was. Of several who act at once some are done.

    Who looks at their hand, or bids blind, before it is their turn does not make it another turn.
    """
    if before is None or before[0] != (table.turn_read or (None,))[0]:
        return frozenset()
    still = table.together or (table.state.phase == BIDDING and before == table.turn_read)
    return frozenset(before[1] if still else ())


def _has_news(table: Table, sitter: Sitter) -> bool:
    """Whether anything has happened that this seat has not been told; else it has had its turn text already."""
    return table.news_end > sitter.told


def _till_end(news: Sequence[Event]) -> list[Event]:
    """The events up to the end of a round, of those that may run on into the next."""
    ends = [i for i, event in enumerate(news) if event.kind == "over"]
    return list(news[: ends[-1]] if ends else news)


def _answer_mover(desk: Desk, table: Table, course: Course, scene: render.Scene, stop: str, lead: str) -> str:
    if course.ended is None:
        stop = render.join(stop, render.plan_dropped(course.dropped.get(scene.seat, "")))
        return render.did(scene, course.own, course.after, stop, lead, course.forced.get(scene.seat, ()))
    deeds = render.deeds(scene, course.own)
    return round_text(desk, table, course, scene, [*course.own, *course.before_end], deeds)


def round_text(
    desk: Desk, table: Table, course: Course, scene: render.Scene, last: Sequence[Event], deeds: str = ""
) -> str:
    ended = desk.scene(table, scene.seat, course.ended)
    following = None if table.status == OVER else scene
    deeds = render.join(deeds, render.plan_dropped(course.outlived.get(scene.seat, ""), "ended with the hand"))
    return render.round_over(ended, following, last, deeds, course.after, course.forced.get(scene.seat, ()))
