"""After a change of a game: the alarms of the turn, the stored table, and the texts to all who must know."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from engine.game import Event, Seat
from service import alarms, calls, results, stored, tables, terse
from service.desk import Desk
from service.play.course import Course
from service.stored import BIDDING, OVER, PLAYING, Sitter, Table, Turn
from service.text import render


def turn_begins(desk: Desk, table: Table, course: Course) -> None:
    """Where a turn has passed: the alarms of those who must act now. Bots' hands on lent seats are counted, too."""
    tables.count_bot_hands(desk.conn, table, course.bots)
    results.keep(desk.conn, table, desk.now)
    for seat in table.plans_dropped:
        tables.set_seat(desk.conn, table, table.sitters[seat], plan=None)
    table.plans_dropped = []
    before, now = table.turn_read, table.whose_turn
    if before is not None and now is not None and _some_are_done(before, now):
        alarms.pass_on(desk.conn, table, set(before.due) - set(now.due))  # the others' time runs on
    elif now != before or course.after:
        table.turn_since = desk.now
        alarms.begin(desk.conn, table, desk.now)
    table.turn_read = now


def _some_are_done(before: Turn, now: Turn) -> bool:
    """Whether of several who act at once some have, and others have not yet."""
    return before.same_stage(now) and bool(now.due) and set(now.due) < set(before.due)


@dataclass(frozen=True, slots=True)
class _Change:
    """What is told of one change of the game, and decides which text a seat gets."""

    course: Course
    mover: Seat | None
    due: tuple[Seat, ...]  # who must act now
    asked: frozenset[Seat]  # who has had the text that it is their turn
    callers: Collection[Seat]  # who may call Rummy on the discard
    left: str  # the name of who has given the seat up, or ""

    def seats(self, kind: str) -> list[Seat]:
        """Whose events of that kind there were."""
        return [event.seat for event in (*self.course.own, *self.course.after) if event.kind == kind]


def finish(
    desk: Desk, table: Table, course: Course, me: Sitter | None, stop: str = "", lead: str = "", left: str = ""
) -> str:
    """Saves the table, writes the texts to the others, and returns the answer to `me` (empty where nobody asked, or wants one).

    Who must act is told with all they need; a round's end is told to everybody, and so is a hand down to one card.
    Where somebody has `left`, the others are told in the same text.
    """
    before = table.turn_read
    turn_begins(desk, table, course)
    callers = calls.open_window(desk, table, course.shut) if table.turn_read != before or course.after else ()
    mover = None if me is None else me.number
    due = table.due if table.status == PLAYING else ()
    change = _Change(course, mover, due, _asked_before(table, before), callers, left)
    answer, told = "", [] if mover is None else [mover]
    for sitter in table.people:
        if sitter.number != mover:
            text = _text_for(desk, table, sitter, change)
            if text is not None:
                desk.send(table, sitter, *text)
            continue
        scene = desk.scene(table, mover)
        if _goes_without_saying(course, scene):
            told = []
        else:
            stop = render.join(stop, render.may_be_called([table.names[seat] for seat in callers if seat != mover]))
            answer = _answer_mover(desk, table, course, scene, stop, lead)
    if change.asked - {mover}:
        desk.still_so(table, besides=me)
    stored.save_told(desk.conn, table, told)
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return answer


def _goes_without_saying(course: Course, scene: render.Scene) -> bool:
    """Whether the answer would add nothing to what its player has just done, and they want no such answers."""
    if not course.terse or course.ended is not None or scene.seat in course.dropped:
        return False
    return terse.adds_nothing(scene, course.own, course.after)


def _text_for(desk: Desk, table: Table, sitter: Sitter, change: _Change) -> tuple[str, str] | None:
    """The kind and the words of what a seat that has not moved is told; None for nothing."""
    course, seat = change.course, sitter.number
    scene = partial(desk.scene, table, seat)  # made only for those who get a text
    note = render.note_left(change.left) if change.left else ""
    forced = course.forced.get(seat, ())
    if course.ended is not None:
        return "round", round_text(desk, table, course, scene(), _till_end(table.news_for(sitter)), note)
    if seat in change.due and seat not in change.asked and _has_news(table, sitter):
        ahead = course.planned.get(seat, ()), forced, course.dropped.get(seat, "")
        return "turn", render.turn(scene(), table.news_for(sitter), note, *ahead)
    if seat in change.seats("receive") and not terse.asked_for(sitter):
        return "dealt", render.new_hand(scene(), table.news_for(sitter), note, forced)
    turn = table.state.turn
    if seat in change.callers:
        machine = not table.sitters[turn].person or table.sitters[turn].plan
        minutes = desk.services.settings.rummy_window if machine else 0
        return "call", render.may_call(scene(), table.news_for(sitter), note, minutes)
    if sitter.prefs.get("updates") == "all" and turn != change.mover:
        return "update", render.update(scene(), table.news_for(sitter), note)
    low = change.seats("low")
    if low and seat not in low:
        return "low", render.one_card(scene(), low[-1], note)
    return ("notice", render.left(table.code, change.left, dealt=True)) if note else None


def _asked_before(table: Table, before: Turn | None) -> frozenset[Seat]:
    """Who has had the text that it is their turn; `before` is whose turn it was. Of several who act at once some are done.

    Who looks at their hand, or bids blind, before it is their turn does not make it another turn.
    """
    if before is None or not before.same_stage(table.turn_read):
        return frozenset()
    still = table.together or (table.state.phase == BIDDING and before == table.turn_read)
    return frozenset(before.due if still else ())


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
    """The end of a round as that seat is told it: what happened `last`, the scores, and the next hand where there is one."""
    ended = desk.scene(table, scene.seat, course.ended)
    following = None if table.status == OVER else scene
    deeds = render.join(deeds, render.plan_dropped(course.outlived.get(scene.seat, ""), "ended with the hand"))
    return render.round_over(ended, following, last, deeds, course.after, course.forced.get(scene.seat, ()))
