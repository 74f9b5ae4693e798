"""Which of a player's tables a text is for, and what it means there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from service import instead, opting, replies
from service.desk import Desk
from service.fitting import fitting, for_oneself
from service.stored import INBOUND, OUTBOUND, OVER, PLAYING, Table
from service.tables import Problem
from service.text import render
from service.text.understand import Context, Reading, understand
from service.twice import sent_twice

QUOTES = set('"“”„«»「」『』‹›\u200a')  # without one of these a text quotes nothing

At = Callable[..., Reading]  # of a table or None, and of the words where they are not the text's own
Found = tuple[str, Table | None, Reading | None]  # the words that were read, the table, the reading


def by_machine(reading: Reading) -> bool:
    """Whether a phone has answered by itself, or a robot has sent our own text back."""
    return reading.kind == "ignored" and reading.hint in ("automatic", "quote")


def read(desk: Desk, mine: Sequence[Table], text: str) -> Found:
    """The table that the text is for, and its reading there. No reading: the question to ask instead."""
    pending = desk.player.pending or {}
    text = instead.picked(text, pending) or text
    at = _reader(desk, mine, text, pending)
    route = pending.get("route")
    if route is not None:
        picked = _picked(text, pending["codes"]) or _called(text, pending["codes"], mine)
        table = next((table for table in mine if table.code == picked), None)
        if table is not None:
            return route, table, at(table, route)
    live = [table for table in mine if table.status != OVER] or list(mine[-1:])
    if len(live) <= 1:
        return _at_one(mine, live[0] if live else None, text, at)
    return _at_several(desk, mine, live, text, at)


def _reader(desk: Desk, mine: Sequence[Table], text: str, pending: Mapping[str, Any]) -> At:
    """How the text, or other words, would be read at a table of the player's, or at none."""
    recent = recent_texts(desk) if QUOTES & set(text) else ()
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

    return at


def _at_one(mine: Sequence[Table], table: Table | None, text: str, at: At) -> Found:
    """Who plays at one table, or at none, means that one, unless the text names another or one that is over."""
    reading = at(table)
    named = reading.table or _left(reading)
    if named and (table is None or named != table.code):
        return _led(mine, text, named, at)
    finished = _to_play_again(mine, table, reading)
    return (text, table, reading) if finished is None else (text, finished, at(finished))


def _at_several(desk: Desk, mine: Sequence[Table], live: Sequence[Table], text: str, at: At) -> Found:
    """Who plays at several tables means the one that the text names, or alone can be for; else it is asked which."""
    readings = {table.code: at(table) for table in live}
    wish = next((reading for reading in readings.values() if _of_the_channel(reading)), None)
    if wish is not None:
        return text, None, wish
    led = next((code for reading in readings.values() if (code := reading.table or _left(reading))), "")
    if led:
        return _led(mine, text, led, at)
    finished = _to_play_again(mine, live[0], readings[live[0].code])
    if finished is not None:
        return text, finished, at(finished)
    asked = (desk.player.pending or {}).get("table")  # its answer, though elsewhere `sure` is small talk
    table = next((table for table in live if table.code == asked and readings[table.code].moves), None)
    if table is not None:
        return text, table, readings[table.code]
    own = _for_no_table(readings.values())
    if own is not None:
        return text, None, own
    meant = _meant(desk, live, readings)
    if len(meant) == 1:
        return text, meant[0], readings[meant[0].code]
    return _ask_which(desk, text, meant), None, None


def _for_no_table(readings: Collection[Reading]) -> Reading | None:
    """The reading of a text that is no move anywhere and for no table: small talk, or a command for oneself."""
    if any(reading.moves for reading in readings):
        return None
    ignored = next((reading for reading in readings if reading.kind == "ignored"), None)
    if ignored is not None:
        return ignored
    first = next((reading for reading in readings if reading.command is not None), None)
    if first is None or first.command is None:
        return None
    return first if first.command.name in replies.WITHOUT_TABLE or for_oneself(first.command) else None


def _meant(desk: Desk, live: Sequence[Table], readings: Mapping[str, Reading]) -> Sequence[Table]:
    """The tables that a text can be for: where it is a move; else where its command fits; else where it is one's turn."""
    can = [table for table in live if readings[table.code].moves]
    if can:
        return can
    command = next((reading.command for reading in readings.values() if reading.command is not None), None)
    if command is not None:
        return fitting(desk, command, live)
    turns = [table for table in live if table.state is not None and _is_waiting(table, desk.player.id)]
    if len(turns) == 1:
        return turns
    kinds = {reading.kind for reading in readings.values()}
    if kinds == {"unclear"}:  # asking where would help nobody
        return (turns or live)[:1]
    if kinds == {"refused"} and (again := sent_twice(desk)) is not None:
        where = [table for table in live if table.id == again]
        if where:
            return where
    return turns or live


def _ask_which(desk: Desk, text: str, meant: Sequence[Table]) -> str:
    """The question for which of these tables the text is; it stays open."""
    codes = [table.code for table in meant]
    desk.kind = "ask"
    desk.pending = {"route": text, "codes": codes}
    titles = {table.code: f" ({table.game.title})" for table in meant}
    return _which(codes, titles if len(set(titles.values())) > 1 else {})


def _which(codes: Sequence[str], titles: Mapping[str, str]) -> str:
    """The question which table is meant, with their games where they differ and there is room."""
    lists = [", ".join(f"{i} {code}{said.get(code, '')}" for i, code in enumerate(codes, 1)) for said in (titles, {})]
    return render.fit(*[f"Which table: {listed}? Next time begin with the code: {codes[0]} ..." for listed in lists])


def _called(text: str, codes: Sequence[str], mine: Sequence[Table]) -> str | None:
    """The code of the one of these tables where the game is played that a bare `hearts` names."""
    word = text.casefold().strip(" .!")
    called = [
        t.code for t in mine if t.code in codes and word in (t.game.title.casefold(), t.game.name, *t.game.aliases)
    ]
    return called[0] if len(called) == 1 else None


def _of_the_channel(reading: Reading) -> bool:
    """Whether it is a wish about our texts themselves, such as to get no more of them: that is for no table."""
    return reading.command is not None and reading.command.name in opting.COMMANDS


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


def _led(mine: Sequence[Table], text: str, code: str, at: At) -> Found:
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


def recent_texts(desk: Desk) -> tuple[str, ...]:
    """Our last texts to this player, to know them again when they are quoted."""
    sent = desk.conn.execute(
        select(OUTBOUND.c.body, OUTBOUND.c.created_at)
        .where(OUTBOUND.c.player_id == desk.player.id, OUTBOUND.c.body != "")
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
