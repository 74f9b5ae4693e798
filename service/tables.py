"""Tables: opening, sitting, dealing, leaving, playing again; their codes, and the names of who sits there.

What a table is, and how it is read and written back, is in `service.stored`.
"""

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, and_, insert, select, true, update
from sqlalchemy import text as sql
from sqlalchemy.exc import IntegrityError

from engine.game import Game, Refusal, Seat, read_values, rules_of, write_options
from service.models import WAITING
from service.stored import CLOSED, FORM, OPEN, OUTBOUND, PLAYER, PLAYING, SEAT, TABLE, Sitter, Table, by_id
from service.text.gsm7 import BASIC, fold
from service.text.house_words import short_name
from service.transact import Stale

MOST_TABLES = 12  # at which one player sits at a time

RESERVED = frozenset(
    [
        "stop",
        "stopall",
        "unsubscribe",
        "cancel",
        "end",
        "quit",
        "revoke",
        "optout",
        "start",
        "yes",
        "unstop",
        "help",
        "info",
        "you",
        "bot",
        "bots",
        "all",
        "queenline",
    ]
)
NAME_LENGTH = 12


class Problem(Exception):
    """What a player asked for cannot be; its text is the answer, one clear sentence with what would work."""


# Names and codes

_LETTERS = "BCDFGHJKMNPRSTVXYZ"
_DIGITS = "2345679"


def new_code(taken: Any) -> str:
    """A code nobody else has: two letters and a digit (`KF7`), longer when those run out. Never a card or a word."""
    for length in (3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5):
        code = secrets.choice(_LETTERS) + secrets.choice(_LETTERS) + secrets.choice(_DIGITS)
        code += "".join(secrets.choice(_LETTERS + _DIGITS) for _ in range(length - 3))
        if code[0] in "TJQKA" and code[1] in "SHDC":
            continue
        if not taken(code):
            return code
    raise Problem("No table is free at this moment. Please try again in a minute.")


_BOTS = re.compile(r"bot['-]*\d+", re.IGNORECASE)


NO_LETTERS = "A name is letters, such as JOIN KF7 BEA."


def clean_name(text: str) -> str:
    """A name as it will stand in everybody's texts. Problem says what would work."""
    name = "-".join("".join(char for char in word if char.isalnum() or char in "'-") for word in fold(text).split())
    name = name.strip("-'")
    bad = "".join(char for char in name if char not in BASIC)
    if not name or bad or not any(char.isalpha() for char in name):
        raise Problem(NO_LETTERS)
    if len(name) > NAME_LENGTH:
        raise Problem(f"That name is long; {NAME_LENGTH} letters at most, such as {name[:NAME_LENGTH].strip('-')}.")
    if _BOTS.fullmatch(name):
        raise Problem(f"{name[0].upper()}{name[1:]} is what bots are called here. Please choose another name.")
    if name.lower() in RESERVED or _digit_run(name) >= 5:
        raise Problem("That can't be a name here. Please choose another.")
    return name[0].upper() + name[1:]


def _digit_run(name: str) -> int:
    longest = run = 0
    for char in name:
        run = run + 1 if char.isdigit() else 0
        longest = max(longest, run)
    return longest


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name, or with a number behind it where somebody at the table has it already."""
    used = {name.lower() for name in taken}
    name, number = wanted, 2
    while name.lower() in used:
        name = f"{wanted[: NAME_LENGTH - len(str(number))]}{number}"
        number += 1
    return name


# Opening, sitting, dealing, leaving


def open_table(
    conn: Connection,
    host_id: int,
    name: str,
    game: Game,
    options: Any,
    seats: int,
    seed: str,
    now: datetime,
    clock: tuple[int | None, bool, str],
) -> Table:
    """A new table with its host on the first seat. `clock`: seconds for a turn, whether only weekdays count, what then."""
    pace, weekdays, late_rule = clock
    words = write_options(options)

    code = new_code(partial(_taken, conn))
    try:
        with conn.begin_nested():
            table_id = conn.execute(
                insert(TABLE).returning(TABLE.c.id),
                {
                    "code": code, "game": game.name, "options": words, "seat_count": seats, "host_id": host_id,
                    "status": OPEN, "seed": seed, "version": 0, "news": "[]", "news_from": 0, "created_at": now,
                    "updated_at": now, "pace": pace, "weekdays": weekdays, "late_rule": late_rule,
                },
            ).scalar_one()  # fmt: skip
    except IntegrityError:  # the same code at the same moment
        raise Stale from None
    table = Table(
        table_id, code, game, options, seats, host_id, OPEN, seed, None, None, 0, [], 0, None, None, pace, weekdays,
        late_rule,
    )  # fmt: skip
    sit(conn, table, Sitter(0, name, host_id))
    return table


def sit(conn: Connection, table: Table, sitter: Sitter) -> None:
    """Somebody, or a bot, takes a seat. Stale if it was taken at the same moment."""
    try:
        with conn.begin_nested():
            conn.execute(
                insert(SEAT),
                {
                    "table_id": table.id, "number": sitter.number, "player_id": sitter.player_id, "name": sitter.name,
                    "bot": sitter.bot, "told": table.news_end,
                },
            )  # fmt: skip
    except IntegrityError:
        raise Stale from None
    sitter.told = table.news_end
    table.sitters.append(sitter)
    table.sitters.sort(key=lambda s: s.number)


def next_free(table: Table) -> Seat:
    """The first seat nobody has taken."""
    taken = {sitter.number for sitter in table.sitters}
    return next(number for number in range(table.seat_count) if number not in taken)


def seat_for(conn: Connection, table: Table, player_id: int) -> Seat:
    """The seat for somebody who joins: at a rematch where they sat before, so that partners stay; else the first free."""
    sat = conn.execute(
        select(SEAT.c.number)
        .join(TABLE, TABLE.c.id == SEAT.c.table_id)
        .where(TABLE.c.rematch_id == table.id, SEAT.c.player_id == player_id)
    ).scalar()
    taken = {sitter.number for sitter in table.sitters}
    return next_free(table) if sat is None or sat in taken else sat


def make_room(conn: Connection, table: Table, seat: Seat) -> bool:
    """Whether somebody may have this seat: it is free, or a bot sits there, which moves to another or goes."""
    sitter = next((s for s in table.sitters if s.number == seat), None)
    if sitter is None:
        return True
    if not sitter.bot or sitter.player_id is not None:
        return False
    stand_up(conn, table, sitter)
    if table.free > 1:
        taken = {s.number for s in table.sitters} | {seat}
        sit(conn, table, replace(sitter, number=next(n for n in range(table.seat_count) if n not in taken)))
    return True


def fill_with_bots(conn: Connection, table: Table, how_many: int | None = None) -> int:
    """Bots on free seats, all of them by default; how many sat down."""
    count = table.free if how_many is None else min(how_many, table.free)
    for _ in range(count):
        number = next_free(table)
        bots = sum(sitter.bot for sitter in table.sitters)
        name = free_name(f"Bot{bots + 1}", [sitter.name for sitter in table.sitters])
        sit(conn, table, Sitter(number, name, bot=True))
    return count


def dismiss_bots(conn: Connection, table: Table) -> int:
    """The bots of a table that has not begun get up again; how many there were."""
    bots = [sitter for sitter in table.sitters if sitter.bot]
    conn.execute(SEAT.delete().where(SEAT.c.table_id == table.id, SEAT.c.bot.is_(True)))
    table.sitters = [sitter for sitter in table.sitters if not sitter.bot]
    return len(bots)


def deal(table: Table, now: datetime) -> None:
    """The first hands of a table that is full."""
    assert not table.free, "only a full table is dealt"
    table.state = table.game.deal(table.options, table.seat_count, table.seed)
    table.status = PLAYING
    table.turn_since = now
    table.changed = True


def leave(conn: Connection, table: Table, sitter: Sitter, now: datetime) -> None:
    """Before the deal the seat is free again; after it a bot plays on. The last person who leaves closes the table."""
    where = and_(SEAT.c.table_id == table.id, SEAT.c.number == sitter.number)
    if table.status == OPEN:
        stand_up(conn, table, sitter)
    else:  # the row keeps whose it was, so that JOIN gives the seat back
        conn.execute(update(SEAT).where(where).values(bot=True, left_at=now, plan=None, invite=None))
        sitter.bot = sitter.left = True
        sitter.plan = sitter.invite = None
    people = table.people or [s for s in table.sitters if s.lent]  # whose seat a bot keeps warm may come back
    if not people:
        table.status = CLOSED
    elif table.host_id not in [p.player_id for p in people]:
        table.host_id = people[0].player_id or table.host_id
    table.changed = True


def rename(conn: Connection, player_id: int, sitters: Iterable[tuple[Table, Sitter]], name: str) -> None:
    """A new name for a player, at every table where nobody else has it."""
    conn.execute(update(PLAYER).where(PLAYER.c.id == player_id).values(name=name))
    for table, sitter in sitters:
        sitter.name = free_name(name, [s.name for s in table.sitters if s is not sitter])
        conn.execute(
            update(SEAT).where(SEAT.c.table_id == table.id, SEAT.c.number == sitter.number).values(name=sitter.name)
        )


def rematch(conn: Connection, table: Table, player_id: int, seed: str, now: datetime) -> tuple[Table, bool]:
    """The table where these people play again, and whether this call has made it. Two at once make one table.

    Everybody sits where they sat, bots too; the one who asks first is the host.
    """
    if table.rematch_id is not None:
        again = by_id(conn, table.rematch_id)
        if again is not None:
            return again, False
    me = table.seat_of(player_id)
    assert me is not None, "only those who played may ask for a rematch"
    clock = (table.pace, table.weekdays, table.late_rule)
    again = open_table(conn, player_id, me.name, table.game, table.options, table.seat_count, seed, now, clock)
    if me.number != 0:
        conn.execute(update(SEAT).where(SEAT.c.table_id == again.id).values(number=me.number))
        again.sitters[0].number = me.number
    for sitter in table.sitters:
        if sitter.number != me.number and sitter.bot:
            sit(conn, again, replace(sitter, told=0))
    table.rematch_id = again.id
    table.changed = True
    return again, True


def options_from(game: Game, given: dict[str, str]) -> Any:
    """House rules from what a player wrote. Problem names what is wrong and the nearest that would work."""
    try:
        return game.Options(**read_values(game.Options, given))
    except Refusal as refusal:
        wrong, near = misnamed(game, given)
        if not wrong:
            raise Problem(f"{game.title}: {refusal.hint.removesuffix('.')}.") from None
        known = [r.name for r in rules_of(game.Options)]
        listed = f"House rules: {', '.join(known)}." if len(known) < 12 else f"OPTIONS {short_name(game)} lists them."
        meant = f"Did you mean {near.upper()}?" if near else listed
        raise Problem(f"{game.title} has no house rule {fold(wrong)[:20]!r}. {meant}") from None


def misnamed(game: Game, given: dict[str, str]) -> tuple[str, str | None]:
    """The first of these that is no house rule of the game (or ""), and the one it is most like, where one is near."""
    known = [r.name for r in rules_of(game.Options)]
    wrong = next((name for name in given if name not in known), "")
    return wrong, nearest(wrong, known) if wrong else None


def demand_table(game: Game, options: Any, seats: int) -> None:
    """Problem where these house rules don't go with so many players: such a table could never be dealt."""
    check = getattr(game, "demand_table", None)
    if check is None:
        return
    try:
        check(options, seats)
    except Refusal as refusal:
        raise Problem(f"{game.title}: {refusal.hint}") from None


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that is most like this one, where one is near."""
    from rapidfuzz import fuzz, process  # only somebody's typo needs it

    found = process.extractOne(word.lower().replace(" ", "_"), known, scorer=fuzz.WRatio, score_cutoff=70)
    return None if found is None else str(found[0])


def stand_up(conn: Connection, table: Table, sitter: Sitter) -> None:
    """A seat of a table that has not begun is free again."""
    conn.execute(SEAT.delete().where(SEAT.c.table_id == table.id, SEAT.c.number == sitter.number))
    table.sitters.remove(sitter)


def take_back(conn: Connection, table: Table, sitter: Sitter) -> None:
    """A seat that a bot has held is its owner's again."""
    conn.execute(
        update(SEAT)
        .where(SEAT.c.table_id == table.id, SEAT.c.number == sitter.number)
        .values(bot=False, left_at=None, told=table.news_end)
    )
    sitter.bot = sitter.left = False
    sitter.told = table.news_end


def lend(conn: Connection, table: Table, sitter: Sitter) -> None:
    """A bot keeps a seat warm until its owner texts again."""
    set_seat(conn, table, sitter, bot=True, plan=None)
    sitter.bot, sitter.plan = True, None


def take_back_lent(conn: Connection, table: Table, player_id: int) -> Sitter | None:
    """Any text of its owner takes a seat back from the bot that kept it warm, before the bot's next card."""
    sitter = next((s for s in table.sitters if s.player_id == player_id and s.lent), None)
    if sitter is not None:
        take_back(conn, table, sitter)
        call_off(conn, table, player_id, "taken-back", "lent")
    return sitter


def hand_over(conn: Connection, table: Table, sitter: Sitter, player_id: int, name: str, now: datetime) -> None:
    """A friend takes over a seat for good; texts to its owner about this table, who might see its hand, are called off."""
    owner = sitter.player_id
    assert owner is not None, "bots invite nobody"
    call_off(conn, table, owner, "seat-taken")
    sitter.player_id, sitter.name, sitter.told = player_id, name, table.news_end
    sitter.bot, sitter.plan, sitter.invite, sitter.bot_hands, sitter.bot_round = False, None, None, 0, 0
    set_seat(
        conn, table, sitter, player_id=player_id, name=name, told=table.news_end, bot=False, plan=None, invite=None,
        bot_hands=None, bot_round=None,
    )  # fmt: skip
    if table.host_id == owner:
        table.host_id = next((s.player_id for s in table.people if s is not sitter and s.player_id), player_id)
    table.turn_since = now


def call_off(conn: Connection, table: Table, player_id: int, why: str, *kinds: str) -> None:
    """Unsent texts to somebody about this table are not sent: all, or those of some kinds."""
    conn.execute(
        update(OUTBOUND)
        .where(
            OUTBOUND.c.player_id == player_id,
            OUTBOUND.c.table_id == table.id,
            sql(WAITING),  # as the index has it
            OUTBOUND.c.status.in_(("pending", "retry")),
            OUTBOUND.c.kind.in_(kinds) if kinds else true(),
        )
        .values(status="canceled", error_code=why)
    )


def set_seat(conn: Connection, table: Table, sitter: Sitter, **values: Any) -> None:
    """Changes columns of a seat's row."""
    conn.execute(update(SEAT).where(SEAT.c.table_id == table.id, SEAT.c.number == sitter.number).values(**values))


def count_bot_hands(conn: Connection, table: Table, played: Iterable[tuple[Seat, int]]) -> None:
    """Keeps in which rounds a bot has played for the owners of these seats: seats, each with a round."""
    for seat, number in sorted(played):
        sitter = table.sitters[seat]
        if sitter.player_id is not None and sitter.bot_round < number:
            sitter.bot_hands, sitter.bot_round = sitter.bot_hands + 1, number
            set_seat(conn, table, sitter, bot_hands=sitter.bot_hands, bot_round=sitter.bot_round)


def invite(conn: Connection, table: Table, sitter: Sitter) -> str:
    """A code by which a friend takes over a seat that is late."""
    sitter.invite = new_code(partial(_taken, conn))
    set_seat(conn, table, sitter, invite=sitter.invite)
    return sitter.invite


def unused_code(conn: Connection) -> str:
    """A code that nothing else is called by: for a table that is opened once its host has texted it."""
    return new_code(partial(_taken, conn))


def _taken(conn: Connection, code: str) -> bool:
    """Whether that is the code of a table, of an invitation, or of a table that waits for its host's text."""
    used = conn.execute(select(TABLE.c.id).where(TABLE.c.code == code)).first()
    asked = conn.execute(select(FORM.c.id).where(FORM.c.code == code)).first()
    return used is not None or asked is not None or by_invite(conn, code) is not None


def by_invite(conn: Connection, code: str) -> tuple[int, Seat] | None:
    """The table and seat that a code of an invitation is for."""
    found = conn.execute(select(SEAT.c.table_id, SEAT.c.number).where(SEAT.c.invite == code.upper())).first()
    return None if found is None else (found.table_id, found.number)
