"""Seats that are given up, lent to a bot or taken back, and those of somebody who wants no more texts."""

from collections.abc import Sequence

from sqlalchemy import Connection

from engine.game import Event
from service import opting, replies, slow, stored, tables, welcoming
from service.desk import Desk
from service.play.course import Course, run_bots
from service.play.reading import QUOTES, by_machine, recent_texts
from service.play.telling import finish
from service.services import Services
from service.stored import OVER, PLAYING, Sitter, Table
from service.tables import Problem
from service.text import account, render
from service.text.understand import Context, understand
from service.transact import transact


def opt(desk: Desk, word: str, wrong_number: bool = False) -> str | None:
    """STOP, START or HELP, and what comes of it for the seats of who texts."""
    was_out = desk.player.opted_out_at is not None
    said = opting.answer(desk, word)
    is_out = desk.player.opted_out_at is not None
    if word == "in" and said is None and not was_out and desk.sms is not None and not desk.sms.opt_out_type:
        mine = stored.of_player(desk.conn, desk.player.id, desk.now)
        said = welcoming.start(mine) if mine else replies.stranger(desk)
        desk.kind = "command" if mine and said else desk.kind
    if is_out and (wrong_number or not was_out):
        seats_go(desk, desk.player.id, for_good=wrong_number)
    elif was_out and not is_out:
        slow.remind_again(desk)
    return said


def take_seats_back(desk: Desk, mine: Sequence[Table]) -> list[str]:
    """Any text of their owner takes seats back that bots have kept warm; where it has. A machine's answer does not."""
    lent = [t for t in mine if any(s.player_id == desk.player.id and s.lent for s in t.sitters)]
    if not lent or desk.sms is None:
        return []
    seen = Context(codes=tuple(t.code for t in mine), recent=recent_texts(desk) if QUOTES & set(desk.sms.body) else ())
    if by_machine(understand(desk.sms.body, seen)):
        return []
    for table in lent:
        sitter = tables.take_back_lent(desk.conn, table, desk.player.id)
        if sitter is None:
            continue
        table.happened([Event("back", sitter.number)])
        if table.status == PLAYING and sitter.number not in table.game.waiting(table.state):
            _play_on(desk, table)
        stored.save_told(desk.conn, table, [sitter.number])
        stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return [table.code for table in lent]


def _play_on(desk: Desk, table: Table) -> None:
    """Bots that had nobody to play for go on, now that somebody is back."""
    course = Course()
    run_bots(table, course)
    if course.after:
        finish(desk, table, course, None)


def leave(desk: Desk, table: Table, me: Sitter, why: str = "") -> str:
    """Gives up a seat: a bot plays on, at once where it is its turn, and the others are told (in the words of `why`)."""
    if table.status == OVER:
        raise Problem(f"{table.code} is over already; there is nothing to leave. REMATCH plays again.")
    tables.leave(desk.conn, table, me, desk.now)
    course = Course()
    if table.status == PLAYING:
        run_bots(table, course)
    dealt = table.state is not None
    if course.after:
        if why:
            desk.send_all(table, table.people, "notice", why)
        finish(desk, table, course, None, left="" if why else me.name)
    else:
        desk.send_all(table, table.people, "notice", why or render.left(table.code, me.name, dealt))
        stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return render.gone(table.code, dealt, bool(table.people))


def vacate(desk: Desk, table: Table, me: Sitter, called: str) -> None:
    """Gives up the seat of somebody who is to be forgotten: the others are told so without their name."""
    dealt = table.state is not None
    tables.leave(desk.conn, table, me, desk.now)
    me.name = called
    before = table.sitters[me.number - 1].name if dealt else ""
    text = account.taken_out(table.code, called if dealt else "", before, table.free)
    desk.send_all(table, table.people, "notice", text)
    course = Course()
    if table.status == PLAYING:
        run_bots(table, course)
    if course.after:
        finish(desk, table, course, None)
    else:
        stored.save(desk.conn, table, desk.now, desk.inbound_id)


def seats_go(desk: Desk, player_id: int, *, for_good: bool = False) -> None:
    """What becomes of the seats of somebody who wants no more texts: what the table has chosen for one who is late, at once.

    `for_good`: whoever had them is gone, so that a table which would wait gets a bot instead.
    """
    opting.cancel_waiting(desk.conn, player_id)
    for table in stored.of_player(desk.conn, player_id, desk.now):
        me = next((s for s in table.sitters if s.player_id == player_id and not s.left), None)
        if me is None or table.status == OVER:
            continue
        if table.state is None or (for_good and table.late_rule != "invite"):
            gone = opting.gone_words(table, me, for_good=for_good) if table.state is not None else ""
            leave(desk, table, me, gone)
            continue
        code = tables.invite(desk.conn, table, me) if table.late_rule == "invite" else ""
        desk.send_all(
            table, [s for s in table.people if s is not me], "notice", opting.gone_words(table, me, code, for_good)
        )
        if table.late_rule == "bot" and me.person:
            tables.lend(desk.conn, table, me)
            sit_in(desk, table, me)


def opted_out_elsewhere(services: Services, player_id: int) -> None:
    """Somebody of whom the carrier says that they want no more texts: noted, with all that comes of it; once."""

    def work(conn: Connection) -> bool:
        conn.execute(stored.LOCK_PLAYER, {"the_player": player_id})
        return opting.suppress(conn, player_id, services.clock()) and opted_out_now(services, conn, player_id)

    if transact(services, work):
        services.bell.ring()


def opted_out_now(services: Services, conn: Connection, player_id: int) -> bool:
    """What comes of it for their seats, in the transaction that has noted it; whether there is anything to send."""
    desk = Desk.unasked(services, conn)
    seats_go(desk, player_id)
    return desk.write_texts()


def sit_in(desk: Desk, table: Table, sitter: Sitter) -> None:
    """A bot plays for somebody who is late, at once, until it is somebody else's turn; the table is told by that."""
    course = Course()
    table.happened([Event("lent", sitter.number)])
    run_bots(table, course)
    finish(desk, table, course, None)
