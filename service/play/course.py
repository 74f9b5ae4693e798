"""How a game goes on by itself after a move: bots, plans, moves without a choice, the end of a round and the next deal.

Nothing is stored or told here; `telling` does that with the `Course` that came of it.
"""

from dataclasses import dataclass, field
from typing import Any

from engine import bots
from engine.game import Event, Move, Refusal, Seat, read_move, write_move
from engine.tricks.spades import LOOK
from engine.tricks.table import PLAY
from service import calls, finishing, terse
from service.stored import OVER, PLAYING, Sitter, Table
from service.text import plans, render

BOT_MOVES = 2000  # in answer to one text; a fuse, never reached by a game whose rounds end


@dataclass(slots=True)
class Course:
    """What one text set going at a table: events of the player, of bots after it, and the round that ended meanwhile."""

    own: list[Event] = field(default_factory=list)
    after: list[Event] = field(default_factory=list)
    ended: Any = None  # the state at the end of the round, before the next was dealt
    before_end: list[Event] = field(default_factory=list)
    bots: set[tuple[Seat, int]] = field(default_factory=set)  # which have played, and in which round
    planned: dict[Seat, list[Event]] = field(default_factory=dict)  # what was done as its owner had planned
    dropped: dict[Seat, str] = field(default_factory=dict)  # plans that the rules did not allow when their time came
    outlived: dict[Seat, str] = field(default_factory=dict)  # plans that were waiting when their hand ended
    forced: dict[Seat, list[Event]] = field(default_factory=dict)  # what was done because there was no choice
    shut: Any = None  # the discard that nobody wants to call any more
    dealing: bool = False  # the game's first hands: everybody sees the cards they were dealt before one is drawn
    terse: bool = False  # the player wants no answer that adds nothing


def settle_round(table: Table, course: Course) -> None:
    """After a move: keeps a round that is over for the texts, and deals the next one."""
    state = table.state
    if not state.over:
        return
    course.ended = table.game.copy(state)
    table.rounds_over += 1
    course.before_end = list(course.after)
    course.outlived = dict(course.dropped)
    course.planned, course.forced, course.dropped = {}, {}, {}  # of the round that is over
    _drop_plans(table, course)
    if state.ended:
        table.status = OVER
        return
    events = table.game.next_round(state)
    table.happened(events)
    course.after = list(events)


def run_bots(table: Table, course: Course) -> None:
    """Bots play until a person is to act or the game is over; so do plans, and moves that leave no choice."""
    course.after += finishing.agreed(table) if table.status == PLAYING else []
    if table.state is not None and table.state.over and table.status == PLAYING:
        settle_round(table, course)
    for _ in range(BOT_MOVES):
        if table.status != PLAYING or not table.people or table.paused is not None:
            return
        done = _bot_plays(table, course) or _done_ahead(table, course)
        if done is None:
            return
        seat, move, events = done
        table.add_line(seat, write_move(move), bot=not table.sitters[seat].person)
        table.happened(events)
        course.after += events
        settle_round(table, course)
    raise RuntimeError(f"bots at table {table.id} don't come to an end")


Done = tuple[Seat, Move, list[Event]]


def _bot_plays(table: Table, course: Course) -> Done | None:
    """A bot's next move, played, where the table waits for one."""
    game, state = table.game, table.state
    seats = [s for s in game.waiting(state) if not table.sitters[s].person]
    if not seats or calls.held(table, course.shut):
        return None
    seat, legal = next(((s, legal) for s in seats if (legal := game.legal(state, s))), (seats[0], []))
    if not legal:  # one that might call Rummy, for all that others know
        return None
    course.bots.add((seat, state.round))
    move = bots.choose(game.view(state, seat), legal)
    return seat, move, game.play(state, seat, move)


def _done_ahead(table: Table, course: Course) -> Done | None:
    """What a person has planned for this turn, or what anybody can see that they must do; only as the turn begins."""
    if table.whose_turn == table.turn_read and not course.after and course.shut is None:
        return None
    if calls.held(table, course.shut, besides=table.state.turn):
        return None
    for seat in table.game.waiting(table.state):
        sitter = table.sitters[seat]
        if terse.looks_at_once(sitter) and LOOK in table.game.legal(table.state, seat):
            return seat, LOOK, table.game.play(table.state, seat, LOOK)
        done = _planned(table, sitter, course) if sitter.plan else None
        if done is not None:
            course.planned[seat] = done[2]
            return done
        done = _forced(table, sitter, course)
        if done is not None:
            course.forced[seat] = done[2]
            return done
    return None


def _planned(table: Table, sitter: Sitter, course: Course) -> Done | None:
    """A plan is for one turn, or waits for its moment: it is carried out, or dropped where it cannot be."""
    assert sitter.plan is not None
    if "play" in table.game.verbs:
        return _planned_play(table, sitter, course)
    words = sitter.plan
    _drop_plan(table, sitter)
    try:
        move = table.game.resolve(table.state, sitter.number, read_move(words))
        return sitter.number, move, table.game.play(table.state, sitter.number, move)
    except (Refusal, ValueError):
        course.dropped[sitter.number] = words
        return None


def _planned_play(table: Table, sitter: Sitter, course: Course) -> Done | None:
    """The card that was planned, marked as such: its player is told with their next text."""
    game, state, seat, words = table.game, table.state, sitter.number, sitter.plan
    assert words is not None
    if state.turn != seat or state.phase != PLAY:
        return None
    view, legal = game.view(state, seat), game.legal(state, seat)
    move = plans.due(words, view, legal) if plans.waits(words) else plans.now(words, view, legal)
    lost = move is None and (not plans.waits(words) or plans.past(words, view))
    if lost or (move is not None and not plans.lasts(words)):
        _drop_plan(table, sitter)
    if lost:
        course.dropped[seat] = words
    if move is None:
        return None
    played, *more = game.play(state, seat, move)
    return seat, move, [played._replace(to=render.PLANNED), *more]


def _forced(table: Table, sitter: Sitter, course: Course) -> Done | None:
    """The only move there is, where everybody knows that it is, of somebody who leaves those to us (`auto`)."""
    if table.state.turn != sitter.number or sitter.prefs.get("auto") is False:
        return None
    move = table.game.forced(table.state)
    if move is None or (move.verb == "draw" and course.dealing):
        return None
    return (sitter.number, move, table.game.play(table.state, sitter.number, move))


def _drop_plans(table: Table, course: Course) -> None:
    """Plans are for the hand that was seen when they were made."""
    for sitter in table.sitters:
        if sitter.plan:
            if plans.waits(sitter.plan):
                course.outlived[sitter.number] = sitter.plan
            _drop_plan(table, sitter)


def _drop_plan(table: Table, sitter: Sitter) -> None:
    sitter.plan = None
    table.plans_dropped.append(sitter.number)
