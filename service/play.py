"""The one transaction that applies a player's text to a game.

`receive` claims the MessageSid by inserting the inbound row, reads the text against what this player may see, applies
the moves, lets bots play on, and writes the texts to the others and the answer, all in one transaction. The answer is
kept with the inbound row, and the same MessageSid gets it again. The bell is rung after the commit.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Connection, Row, and_, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from engine import bots
from engine.game import Event, Loose, Move, Refusal, Seat, read_move, write_move
from service import alarms, calls, manners, opting, replies, slow, tables
from service.desk import Desk, Sms
from service.logs import fault
from service.services import Services
from service.tables import BIDDING, INBOUND, MOVE, OUTBOUND, OVER, PLAYER, PLAYING, Problem, Sitter, Table
from service.text import render
from service.text.commands import Command
from service.text.gsm7 import fold, segments
from service.text.understand import Context, Reading, understand
from service.transact import transact

log = structlog.get_logger(__name__)

DOUBLE_SEND = timedelta(minutes=10)
MOST_STEPS = 4  # commands in one text
BOT_MOVES = 2000  # in answer to one text; a fuse, never reached by a game whose rounds end
SORRY = "Sorry, something went wrong on our side. Your game is safe; please text that again in a minute."

DRAWS = re.compile(
    r"\s*(?:please\s+)?(?:(?:draw|drew|dr|d)\b(?:\s+(?:a|one|1|the)\b)?|take\s+(?:a|one|1)\b)(?:\s+(?:top\s+)?card\b)?"
    r"[\s.,;!]*(?:(?:and|then)\b\s*)*",
    re.I,
)
TAKES = re.compile(r"\s*(?:please\s+)?(?:i'?ll\s+)?(?:pick|take|grab|scoop)", re.I)
QUOTES = set('"“”„«»「」『』‹›\u200a')  # without one of these a text quotes nothing

_CLAIM = {
    "sqlite": sqlite.insert(INBOUND).on_conflict_do_nothing(index_elements=["message_sid"]).returning(INBOUND.c.id),
    "postgresql": postgresql.insert(INBOUND)
    .on_conflict_do_nothing(index_elements=["message_sid"])
    .returning(INBOUND.c.id),
}
_ADD_PLAYER = {
    "sqlite": sqlite.insert(PLAYER).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(PLAYER).on_conflict_do_nothing(),
}
_KEPT = select(INBOUND.c.answer).where(INBOUND.c.message_sid == bindparam("sid"))
_PLAYER = (
    select(PLAYER)
    .where(PLAYER.c.channel == bindparam("channel"), PLAYER.c.address == bindparam("address"))
    .with_for_update(key_share=True)
)
_CLOSE = (
    update(INBOUND)
    .where(INBOUND.c.id == bindparam("the_row"))
    .values({name: bindparam(name) for name in ("answer", "kind", "table_id", "player_id", "segments")})
)
_SEEN = (
    update(PLAYER)
    .where(PLAYER.c.id == bindparam("the_player"))
    .values(last_inbound_at=bindparam("at"), pending=bindparam("open"))
)


def receive(services: Services, sms: Sms) -> str | None:
    """Answers one text and does what it says; None means that nothing is to be said. The same sid again: the same answer.

    Raises only where not even the text itself could be stored.
    """
    try:
        answer, ring = transact(services, lambda conn: _receive(conn, services, sms))
    except Exception as error:  # noqa: BLE001  # whatever it is, the text is kept and the player gets an answer
        # The text is kept, marked for whoever looks after the service; the game is as it was.
        log.error("text.failed", sid=sms.sid, **fault(error))
        with services.db.begin() as conn:
            claimed = _claim(conn, services, sms)
            if claimed is None:
                kept: str | None = conn.execute(_KEPT, {"sid": sms.sid}).scalar_one()
                return kept
            conn.execute(
                _CLOSE,
                {
                    "the_row": claimed,
                    "answer": SORRY,
                    "kind": "error",
                    "table_id": None,
                    "player_id": None,
                    "segments": 1,
                },
            )
        return SORRY
    if ring:
        services.bell.ring()
    return answer


def rehearse(services: Services, sms: Sms) -> str | None:
    """What the answer would be. Nothing is kept and nobody is told."""
    with services.db.connect() as conn, conn.begin() as transaction:
        answer, _ = _receive(conn, services, sms)
        transaction.rollback()
    return answer


def _claim(conn: Connection, services: Services, sms: Sms) -> int | None:
    """Inserts the inbound row; None where another delivery of the same text has done so."""
    return conn.execute(
        _CLAIM[conn.dialect.name],
        {
            "message_sid": sms.sid, "channel": sms.channel, "sender": sms.sender, "recipient": sms.to,
            "body": sms.body, "kind": "", "segments": 0, "received_at": services.clock(),
        },
    ).scalar_one_or_none()  # fmt: skip


def _receive(conn: Connection, services: Services, sms: Sms) -> tuple[str | None, bool]:
    inbound_id = _claim(conn, services, sms)
    if inbound_id is None:
        return conn.execute(_KEPT, {"sid": sms.sid}).scalar_one(), False
    now = services.clock()
    player = _player(conn, sms, now)
    desk = Desk(services, conn, sms, now, inbound_id, player)
    desk.pending = player.pending
    try:
        answer = _answer(desk)
    except Problem as problem:
        answer = fold(str(problem))
    seen = player.last_inbound_at
    if not desk.by_machine:  # one that answers for somebody does not say that they are here
        seen = now
        _here_again(desk, player.last_inbound_at)
        if answer is not None and desk.table_id is not None and desk.kind in ("command", "moves"):
            answer = slow.guess_told(desk, answer)
    ring = desk.write_texts()
    conn.execute(_SEEN, {"the_player": player.id, "at": seen, "open": desk.pending})
    conn.execute(
        _CLOSE,
        {
            "the_row": inbound_id, "answer": answer, "kind": desk.kind, "table_id": desk.table_id,
            "player_id": player.id, "segments": segments(answer) if answer else 0,
        },
    )  # fmt: skip
    return answer, ring


def _here_again(desk: Desk, before: datetime | None) -> None:
    """Somebody is awake who was not here lately: what was held back for them may come, and reminders begin again."""
    if before is not None and desk.now - before < manners.ACTIVE:
        return
    desk.hurry()
    if before is not None and desk.now - before > manners.IDLE:
        slow.remind_again(desk)


def _player(conn: Connection, sms: Sms, now: Any) -> Row[Any]:
    """The row of whoever texts, locked; made at their first text."""
    who = {"channel": sms.channel, "address": sms.sender}
    player = conn.execute(_PLAYER, who).first()
    if player is None:
        values = who | {"sender": sms.to, "created_at": now, "unclear_count": 0, "prefs": {}}
        conn.execute(_ADD_PLAYER[conn.dialect.name], values)
        player = conn.execute(_PLAYER, who).one()
    return player


def _answer(desk: Desk) -> str | None:
    """What to text back."""
    sms = desk.sms
    assert sms is not None, "somebody has texted"
    if sms.extra_recipients:
        desk.kind = "ignored"
        return None
    word = opting.keyword(sms.body)
    if word is not None:
        was_out = desk.player.opted_out_at is not None
        said = opting.answer(desk, word)
        if was_out and desk.player.opted_out_at is None:
            slow.remind_again(desk)
        return said
    if desk.player.opted_out_at is not None:
        desk.kind = "ignored"
        return None
    if sms.media and not sms.body.strip():
        desk.kind = "media"
        return "Queenline reads words only: please type it, such as HAND or DRAW."
    mine = tables.of_player(desk.conn, desk.player.id, desk.now)
    back = _take_seats_back(desk, mine)
    answer = _let_go(desk, mine, sms.body) or _act(desk, mine, sms.body)
    if back:
        longer = fold(render.join(answer or "", render.yours_again(back)))
        answer = longer if answer is None or segments(longer) <= max(2, segments(answer)) else answer
    return answer


def _take_seats_back(desk: Desk, mine: Sequence[Table]) -> list[str]:
    """Any text of their owner takes seats back that bots have kept warm; where it has. A machine's answer does not."""
    lent = [t for t in mine if any(s.player_id == desk.player.id and s.lent for s in t.sitters)]
    if not lent or desk.sms is None:
        return []
    seen = Context(codes=tuple(t.code for t in mine), recent=_recent(desk) if QUOTES & set(desk.sms.body) else ())
    if _by_machine(understand(desk.sms.body, seen)):
        return []
    for table in lent:
        sitter = tables.take_back_lent(desk.conn, table, desk.player.id)
        if sitter is None:
            continue
        table.happened([Event("back", sitter.number)])
        if table.status == PLAYING and sitter.number not in table.game.waiting(table.state):
            _play_on(desk, table)
        tables.save_told(desk.conn, table, [sitter.number])
        tables.save(desk.conn, table, desk.now, desk.inbound_id)
    return [table.code for table in lent]


def _by_machine(reading: Reading) -> bool:
    """Whether a phone has answered by itself, or a robot has sent our own text back."""
    return reading.kind == "ignored" and reading.hint in ("automatic", "quote")


def _play_on(desk: Desk, table: Table) -> None:
    """Bots that had nobody to play for go on, now that somebody is back."""
    course = Course()
    run_bots(table, course)
    if course.after:
        finish(desk, table, course, None)


def _act(desk: Desk, mine: Sequence[Table], words: str, steps: int = MOST_STEPS) -> str | None:
    """Reads words and does what they say; after a command, what stands behind it too (`bots, deal`)."""
    text, table, reading = _read(desk, mine, words)
    if reading is None:
        return text  # a question which table is meant
    if table is not None:
        desk.table_id = table.id
    desk.kind = reading.kind
    command = reading.command
    if command is not None and command.name in opting.COMMANDS:
        return opting.answer(desk, opting.COMMANDS[command.name])
    if reading.kind == "ignored":
        desk.by_machine = _by_machine(reading)
        return None
    desk.pending = None
    if reading.moves:
        assert table is not None, "moves are read at a table"
        return _moves(desk, mine, table, reading)
    if reading.kind == "command" and command is not None:
        answer = _command(desk, mine, table, command)
        if not reading.rest.strip() or answer is None or steps <= 1:
            return answer
        return _and_then(desk, answer, reading.rest, steps - 1)
    return _not_done(desk, mine, table, reading)


def _and_then(desk: Desk, answer: str, rest: str, steps: int) -> str:
    """The answer to a command and to what stands behind it; to the latter alone where both are too long."""
    mine = tables.of_player(desk.conn, desk.player.id, desk.now)
    if not mine:  # nothing came of the first, so there is nothing to go on with
        return answer
    try:
        more = _act(desk, mine, rest, steps) or ""
    except Problem as problem:  # the command before it stays done, and is told
        more = str(problem)
    both = render.join(answer, more)
    return fold(both) if segments(fold(both)) <= 2 else fold(more)


# Which table, and what is meant there


def _read(desk: Desk, mine: Sequence[Table], text: str) -> tuple[str, Table | None, Reading | None]:
    """The table that the text is for, and its reading there. No reading: the question to ask instead."""
    pending = desk.player.pending or {}
    recent = _recent(desk) if QUOTES & set(text) else ()
    live = [table for table in mine if table.status != OVER] or list(mine[-1:])
    codes = tuple(table.code for table in mine)

    def at(table: Table | None, words: str = text) -> Reading:
        if table is None:
            return understand(words, Context(codes=codes, recent=recent))
        me = table.seat_of(desk.player.id)
        stage = "open" if table.state is None else "playing" if table.status == PLAYING else "over"
        choices = pending.get("choices", ()) if pending.get("table") == table.code else ()
        return understand(
            words,
            Context(
                table.game, table.state, me.number if me else None, table.names, table.code, codes, stage, recent,
                tuple(choices),
            ),
        )  # fmt: skip

    route = pending.get("route")
    if route is not None:
        picked = _picked(text, pending["codes"])
        table = next((t for t in mine if t.code == picked), None)
        if table is not None:
            return route, table, at(table, route)
    if len(live) <= 1:
        first = live[0] if live else None
        reading = at(first)
        named = reading.table or _left(reading)
        if named and (first is None or named != first.code):
            return _led(mine, text, named, at)
        finished = _to_play_again(mine, first, reading)
        return (text, first, reading) if finished is None else (text, finished, at(finished))
    readings = {table.code: at(table) for table in live}
    led = next((code for reading in readings.values() if (code := reading.table or _left(reading))), "")
    if led:
        return _led(mine, text, led, at)
    finished = _to_play_again(mine, live[0], readings[live[0].code])
    if finished is not None:
        return text, finished, at(finished)
    ignored = next((reading for reading in readings.values() if reading.kind == "ignored"), None)
    if ignored is not None:
        return text, None, ignored
    by_code = {table.code: table for table in live}
    if pending.get("table") in by_code:  # the answer to a question asked at that table
        there = readings[pending["table"]]
        if there.moves:
            return text, by_code[pending["table"]], there
    can = [code for code, reading in readings.items() if reading.moves]
    if len(can) == 1:
        return text, by_code[can[0]], readings[can[0]]
    if not can:
        commands = [reading.command for reading in readings.values() if reading.command is not None]
        if commands and commands[0].name in replies.WITHOUT_TABLE:
            first_code = next(iter(readings))
            return text, None, readings[first_code]
        if commands:
            fitting = replies.fitting(commands[0].name, live, desk.player.id)
            if len(fitting) == 1:
                return text, fitting[0], readings[fitting[0].code]
            can = [table.code for table in fitting or live]
        else:
            turns = [t for t in live if t.state is not None and _is_waiting(t, desk.player.id)]
            if len(turns) == 1:
                return text, turns[0], readings[turns[0].code]
            can = [table.code for table in turns or live]
            kinds = {reading.kind for reading in readings.values()}
            if kinds == {"unclear"}:
                return text, turns[0] if turns else live[0], readings[(turns or live)[0].code]
    desk.kind = "ask"
    desk.pending = {"route": text, "codes": can}
    listed = ", ".join(f"{i} {code}" for i, code in enumerate(can, 1))
    return fold(f"Which table: {listed}? Next time begin with the code: {can[0]} ..."), None, None


def _left(reading: Reading) -> str:
    """The table that `leave kf7` names, or ""; nobody leaves another by mistake."""
    command = reading.command
    return command.args.get("code", "").upper() if command is not None and command.name == "leave" else ""


def _to_play_again(mine: Sequence[Table], first: Table | None, reading: Reading) -> Table | None:
    """The finished table that a bare `rematch` means, of a player who sits at others meanwhile."""
    if first is None or first.status == OVER or reading.moves:
        return None
    if reading.command is None or reading.command.name != "rematch":
        return None
    return next((table for table in reversed(mine) if table.status == OVER), None)


def _led(mine: Sequence[Table], text: str, code: str, at: Any) -> tuple[str, Table | None, Reading]:
    """A text that names its table."""
    table = next((table for table in mine if table.code == code), None)
    if table is None:
        raise Problem(f"You don't sit at {code}. GAMES lists your tables; JOIN {code} sits down at one.")
    return text, table, at(table)


def _picked(text: str, codes: Sequence[str]) -> str | None:
    """The code that a bare `2` or `kf7` picks."""
    word = text.strip().strip(".!#:").upper()
    if word.isascii() and word.isdigit() and 1 <= int(word[:3]) <= len(codes):
        return codes[int(word) - 1]
    return word if word in codes else None


def _is_waiting(table: Table, player_id: int) -> bool:
    me = table.seat_of(player_id)
    return me is not None and me.number in table.game.waiting(table.state)


def _recent(desk: Desk) -> tuple[str, ...]:
    """Our last texts to this player, to know them again when they are quoted."""
    sent = desk.conn.execute(
        select(OUTBOUND.c.body, OUTBOUND.c.created_at)
        .where(OUTBOUND.c.player_id == desk.player.id)
        .order_by(OUTBOUND.c.created_at.desc())
        .limit(20)
    ).all()
    answered = desk.conn.execute(
        select(INBOUND.c.answer, INBOUND.c.received_at)
        .where(INBOUND.c.player_id == desk.player.id, INBOUND.c.answer.is_not(None))
        .order_by(INBOUND.c.received_at.desc())
        .limit(20)
    ).all()
    both = sorted([*sent, *answered], key=lambda row: row[1], reverse=True)
    return tuple(row[0] for row in both[:20])


# Moves


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
    forced: dict[Seat, list[Event]] = field(default_factory=dict)  # what was done because there was no choice
    shut: Any = None  # the discard that nobody wants to call any more
    dealing: bool = False  # the game's first hands: everybody sees the cards they were dealt before one is drawn


def _moves(desk: Desk, mine: Sequence[Table], table: Table, reading: Reading) -> str | None:
    """Applies the moves of a text and tells everybody who must know."""
    me = table.seat_of(desk.player.id)
    assert me is not None
    slow.just_played(desk)
    if table.together and me.player_id is not None:
        tables.call_off(desk.conn, table, me.player_id, "moved-on", "turn", "nudge")
    if me.invite:  # a move keeps the seat
        me.invite = None
        tables.set_seat(desk.conn, table, me, invite=None)
    course = Course()
    for move in reading.moves:
        events = table.game.play(table.state, me.number, move)
        table.add_line(me.number, write_move(move), bot=False)
        course.own += events
        table.happened(events)
        _settle_round(table, course)
    run_bots(table, course)
    desk.kind = "moves" if reading.kind == "moves" else f"moves:{reading.kind}"
    stop = ""
    if reading.kind in ("refused", "ask", "unclear"):
        stop = _stopped(desk, table, reading)
    answer = finish(desk, table, course, me, stop)
    if reading.command is not None and reading.command.name != "hand":
        try:
            more = _command(desk, mine, table, reading.command)
        except Problem as problem:  # what was done before it stays done, and is told
            more = str(problem)
        answer = render.fit(render.join(answer, more or ""))
    return answer


def _settle_round(table: Table, course: Course) -> None:
    """After a move: keeps a round that is over for the texts, and deals the next one."""
    state = table.state
    if not state.over:
        return
    course.ended = table.game.copy(state)
    course.before_end = list(course.after)
    course.planned, course.forced = {}, {}  # of the round that is over
    if state.ended:
        table.status = OVER
        return
    events = table.game.next_round(state)
    table.happened(events)
    course.after = list(events)


def run_bots(table: Table, course: Course) -> None:
    """Bots play until a person is to act or the game is over; so do plans, and moves that leave no choice."""
    for _ in range(BOT_MOVES):
        if table.status != PLAYING or not table.people:
            return
        round_ = table.state.round
        done = _bot_plays(table, course) or _done_ahead(table, course)
        if done is None:
            return
        seat, move, events = done
        table.add_line(seat, write_move(move), bot=not table.sitters[seat].person)
        table.happened(events)
        course.after += events
        _settle_round(table, course)
        if table.status != PLAYING or table.state.round != round_:
            _drop_plans(table)
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
    """A plan is for one turn: it is carried out, or dropped where the rules do not allow it."""
    assert sitter.plan is not None
    words, sitter.plan = sitter.plan, None
    table.plans_dropped.append(sitter.number)
    try:
        move = table.game.resolve(table.state, sitter.number, read_move(words))
        return sitter.number, move, table.game.play(table.state, sitter.number, move)
    except (Refusal, ValueError):
        course.dropped[sitter.number] = words
        return None


def _forced(table: Table, sitter: Sitter, course: Course) -> Done | None:
    """The only move there is, where everybody knows that it is, of somebody who leaves those to us (`auto`)."""
    if table.state.turn != sitter.number or sitter.prefs.get("auto") is False:
        return None
    move = table.game.forced(table.state)
    if move is None or (move.verb == "draw" and course.dealing):
        return None
    return (sitter.number, move, table.game.play(table.state, sitter.number, move))


def _drop_plans(table: Table) -> None:
    """Plans are for the hand that was seen when they were made."""
    for sitter in table.sitters:
        if sitter.plan:
            sitter.plan = None
            table.plans_dropped.append(sitter.number)


def turn_begins(desk: Desk, table: Table, course: Course) -> None:
    """Where a turn has passed: the alarms of those who must act now. Bots' hands on lent seats are counted, too."""
    tables.count_bot_hands(desk.conn, table, course.bots)
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
    """Saves the table, writes the texts to the others, and returns the answer to `me` (empty where nobody asked).

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
    answer = ""
    low = [e.seat for e in (*course.own, *course.after) if e.kind == "low"]
    due = table.due if table.status == PLAYING else ()
    for sitter in table.people:
        seat = sitter.number
        scene = partial(desk.scene, table, seat)  # made only for those who get a text
        if me is not None and seat == me.number:
            answer = _answer_mover(desk, table, course, scene(), stop, lead)
        elif course.ended is not None:
            news = _till_end(table.news_for(sitter))
            desk.send(table, sitter, "round", _round_text(desk, table, course, scene(), news, note))
        elif seat in due and seat not in asked and _has_news(table, sitter):
            ahead = course.planned.get(seat, ()), course.forced.get(seat, ()), course.dropped.get(seat, "")
            desk.send(table, sitter, "turn", render.turn(scene(), table.news_for(sitter), note, *ahead))
        elif seat in new_hands:
            desk.send(table, sitter, "dealt", render.new_hand(scene(), table.news_for(sitter), note))
        elif seat in callers:
            desk.send(table, sitter, "call", render.may_call(scene(), table.news_for(sitter), note))
        elif low and seat not in low:
            desk.send(table, sitter, "low", render.one_card(scene(), low[-1], note))
        elif sitter.prefs.get("updates") == "all" and not (me is not None and turn == me.number):
            desk.send(table, sitter, "update", render.update(scene(), table.news_for(sitter), note))
        elif note:
            desk.send(table, sitter, "notice", render.left(table.code, left, dealt=True))
    tables.save_told(desk.conn, table, [] if me is None else [me.number])
    tables.save(desk.conn, table, desk.now, desk.inbound_id)
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
        return render.did(scene, course.own, course.after, stop, lead, course.forced.get(scene.seat, ()))
    deeds = render.deeds(scene, course.own)
    return _round_text(desk, table, course, scene, [*course.own, *course.before_end], deeds)


def _round_text(
    desk: Desk, table: Table, course: Course, scene: render.Scene, last: Sequence[Event], deeds: str = ""
) -> str:
    ended = desk.scene(table, scene.seat, course.ended)
    following = None if table.status == OVER else scene
    return render.round_over(ended, following, last, deeds, course.after, course.forced.get(scene.seat, ()))


# Commands

CHANGE_THE_GAME = ("deal", "leave", "undo")


def _command(desk: Desk, mine: Sequence[Table], table: Table | None, command: Command) -> str | None:
    """Commands that change a game are done here, all others by `service.replies`."""
    if command.name not in CHANGE_THE_GAME:
        return replies.answer(desk, mine, table, command)
    me = None if table is None else table.seat_of(desk.player.id)
    if not mine:
        return replies.stranger(desk)
    if table is None or me is None:
        raise Problem(render.no_table())
    if command.name == "leave":
        return leave(desk, table, me)
    if command.name == "deal":
        return deal(desk, table, me)
    return undo(desk, table, me)


# What was not done


def _stopped(desk: Desk, table: Table, reading: Reading) -> str:
    """Why the text was not done to its end, in the answer to what was done of it."""
    if reading.kind == "ask":
        _remember_question(desk, table, reading)
        return render.question(reading.hint, reading.choices)
    if reading.kind == "unclear":
        return render.stopped(f'I don\'t understand "{render.quoted(reading.hint or reading.rest)}".')
    return render.stopped(reading.hint, reading.rest)


def _remember_question(desk: Desk, table: Table, reading: Reading) -> None:
    desk.pending = {"table": table.code, "choices": list(reading.choices)}


def _not_done(desk: Desk, mine: Sequence[Table], table: Table | None, reading: Reading) -> str | None:
    """A text that changes nothing: refused, asked back, or not understood."""
    if table is None or table.state is None or table.seat_of(desk.player.id) is None:
        return replies.lost(desk, mine, table, reading)
    me = table.seat_of(desk.player.id)
    assert me is not None
    scene = desk.scene(table, me.number)
    if reading.kind == "ask":
        _remember_question(desk, table, reading)
        return render.ask(table.code, reading.hint, reading.choices)
    if reading.kind == "refused":
        drawn = _drawn_ahead(desk, table, me) if reading.code == "PHASE" and desk.sms is not None else None
        begins = DRAWS.match(reading.rest or desk.sms.body) if drawn and desk.sms is not None else None
        if drawn is not None and TAKES.match(reading.rest or (desk.sms.body if desk.sms else "")) and begins is None:
            desk.kind, why = _why_no_take(desk, table, me)
            return render.drew_already(scene, drawn, why)
        if drawn is not None and begins is not None:
            rest = (reading.rest or (desk.sms.body if desk.sms else ""))[begins.end() :]
            desk.kind = "repeated"
            already = render.drew_already(scene, drawn)
            if not rest.strip(" .!,;"):
                return already
            return _act(desk, mine, f"{table.code} {rest}", 1)
        if reading.code in ("TURN", "PHASE", "NOTHELD") and _sent_twice(desk):
            desk.kind = "repeated"
            return render.already(scene)
        desk.kind = f"refused:{reading.code}"
        return render.refused(scene, reading.code, reading.hint)
    return render.unclear(table.code, reading.hint, scene)


def _drawn_ahead(desk: Desk, table: Table, me: Sitter) -> list[Event] | None:
    """What was drawn for somebody as this turn began, by a plan or for want of a choice, if nothing has happened since."""
    last = desk.conn.execute(
        select(MOVE.c.seat, MOVE.c.text, MOVE.c.bot, MOVE.c.inbound_id, INBOUND.c.player_id)
        .select_from(MOVE.outerjoin(INBOUND, INBOUND.c.id == MOVE.c.inbound_id))
        .where(MOVE.c.table_id == table.id, MOVE.c.n == table.version)
    ).first()
    if last is None or (last.seat, last.text, last.bot) != (me.number, "draw", False):
        return None
    if last.player_id == me.player_id:  # their own draw, unless others moved after the text that came before it
        before = desk.conn.execute(
            select(MOVE.c.seat, MOVE.c.inbound_id).where(MOVE.c.table_id == table.id, MOVE.c.n == table.version - 1)
        ).first()
        if before is None or before.seat == me.number or before.inbound_id != last.inbound_id:
            return None
    _, events = tables.replay(table, tables.standing(tables.lines_of(desk.conn, table)))
    return events


def _why_no_take(desk: Desk, table: Table, me: Sitter) -> tuple[str, str]:
    """Why the pile could not be taken before the draw that was made for somebody; the kind of refusal, and its reason."""
    state, _ = tables.replay(table, tables.standing(tables.lines_of(desk.conn, table))[:-1])
    try:
        table.game.resolve(state, me.number, Loose("pickup"))
    except Refusal as refusal:
        return f"refused:{refusal.code}", refusal.hint.removesuffix(" DRAW instead.").removesuffix(" DRAW instead?")
    except ValueError:
        pass  # a game without such a take
    return "refused:PHASE", ""


def _sent_twice(desk: Desk) -> bool:
    """Whether these very words made a move a few minutes ago: a slow answer makes people send again."""
    last = desk.conn.execute(
        select(INBOUND.c.body, INBOUND.c.received_at, INBOUND.c.kind)
        .where(
            and_(
                INBOUND.c.player_id == desk.player.id,
                INBOUND.c.id != desk.inbound_id,
                INBOUND.c.received_at >= desk.now - DOUBLE_SEND,
                INBOUND.c.kind == "moves",
            )
        )
        .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
        .limit(1)
    ).first()
    return last is not None and desk.sms is not None and last.body.strip().lower() == desk.sms.body.strip().lower()


# Changes of a game that are not moves


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
    tables.save_told(desk.conn, table, [me.number])
    tables.save(desk.conn, table, desk.now, desk.inbound_id)
    return answer


def leave(desk: Desk, table: Table, me: Sitter) -> str:
    """Gives up a seat: a bot plays on, at once where it is its turn, and the others are told."""
    if table.status == OVER:
        raise Problem(f"{table.code} is over already; there is nothing to leave. REMATCH plays again.")
    tables.leave(desk.conn, table, me, desk.now)
    course = Course()
    if table.status == PLAYING:
        run_bots(table, course)
    dealt = table.state is not None
    if course.after:
        finish(desk, table, course, None, left=me.name)
    else:
        desk.send_all(table, table.people, "notice", render.left(table.code, me.name, dealt))
        tables.save(desk.conn, table, desk.now, desk.inbound_id)
    return render.gone(table.code, dealt, bool(table.people))


def _let_go(desk: Desk, mine: Sequence[Table], words: str) -> str | None:
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


def sit_in(desk: Desk, table: Table, sitter: Sitter) -> None:
    """A bot plays for somebody who is late, at once, until it is somebody else's turn; the table is told by that."""
    course = Course()
    table.happened([Event("lent", sitter.number)])
    run_bots(table, course)
    finish(desk, table, course, None)


def undo(desk: Desk, table: Table, me: Sitter) -> str:
    """Takes back the player's last move, as long as nobody has moved since and nothing hidden has been seen by it."""
    lines = tables.standing(tables.lines_of(desk.conn, table))
    if not lines or lines[-1][0] != me.number:
        raise Problem(f"{table.code}: there is no move of yours to take back; only the very last one can be.")
    _, events = tables.replay(table, lines)
    if any(event.reveals for event in events):
        raise Problem(f"{table.code}: {_verb(lines[-1][1])} can't be taken back: it has shown you new cards.")
    was_turn = table.state.turn
    table.state, _ = tables.replay(table, lines[:-1])
    if table.state.over:
        table.game.next_round(table.state)
    table.add_line(me.number, tables.UNDO, bot=False)
    table.happened([Event("undo", me.number, count=len(events))])
    turn_begins(desk, table, Course())
    if was_turn != me.number and was_turn not in table.due:
        _call_back_turn(desk, table, table.sitters[was_turn], me)
    tables.save_told(desk.conn, table, [me.number])
    tables.save(desk.conn, table, desk.now, desk.inbound_id)
    return render.undone(desk.scene(table, me.number), lines[-1][1])


def _verb(line: str) -> str:
    return render.choice_words(line).split()[0]


def _call_back_turn(desk: Desk, table: Table, sitter: Sitter, me: Sitter) -> None:
    """The next player's turn is off: the text that says so is stopped, or followed by another that takes it back."""
    if not sitter.person:
        return
    stopped = desk.conn.execute(
        update(OUTBOUND)
        .where(
            OUTBOUND.c.table_id == table.id,
            OUTBOUND.c.player_id == sitter.player_id,
            OUTBOUND.c.kind == "turn",
            OUTBOUND.c.status.in_(("pending", "retry")),
        )
        .values(status="canceled", error_code="undone")
    ).rowcount
    if not stopped:
        desk.send(table, sitter, "notice", render.wait_again(table.code, me.name))
        return
