"""Which of a player's tables a text is for, and what it means there."""

from collections.abc import Mapping, Sequence
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


def by_machine(reading: Reading) -> bool:
    """Whether a phone has answered by itself, or a robot has sent our own text back."""
    return reading.kind == "ignored" and reading.hint in ("automatic", "quote")


def read(desk: Desk, mine: Sequence[Table], text: str) -> tuple[str, Table | None, Reading | None]:
    """The table that the text is for, and its reading there. No reading: the question to ask instead."""
    pending = desk.player.pending or {}
    text = instead.picked(text, pending) or text
    recent = recent_texts(desk) if QUOTES & set(text) else ()
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
        picked = _picked(text, pending["codes"]) or _called(text, pending["codes"], mine)
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
    wish = next((reading for reading in readings.values() if _of_the_channel(reading)), None)
    if wish is not None:
        return text, None, wish
    led = next((code for reading in readings.values() if (code := reading.table or _left(reading))), "")
    if led:
        return _led(mine, text, led, at)
    finished = _to_play_again(mine, live[0], readings[live[0].code])
    if finished is not None:
        return text, finished, at(finished)
    by_code = {table.code: table for table in live}
    if (
        pending.get("table") in by_code
    ):  # the answer to a question asked at that table, though elsewhere `sure` is small talk
        there = readings[pending["table"]]
        if there.moves:
            return text, by_code[pending["table"]], there
    ignored = next((reading for reading in readings.values() if reading.kind == "ignored"), None)
    if ignored is not None and not any(reading.moves for reading in readings.values()):
        return text, None, ignored
    can = [code for code, reading in readings.items() if reading.moves]
    if len(can) == 1:
        return text, by_code[can[0]], readings[can[0]]
    if not can:
        commands = [reading.command for reading in readings.values() if reading.command is not None]
        if commands and (commands[0].name in replies.WITHOUT_TABLE or for_oneself(commands[0])):
            first_code = next(iter(readings))
            return text, None, readings[first_code]
        if commands:
            meant = fitting(desk, commands[0], live)
            if len(meant) == 1:
                return text, meant[0], readings[meant[0].code]
            can = [table.code for table in meant]
        else:
            turns = [t for t in live if t.state is not None and _is_waiting(t, desk.player.id)]
            if len(turns) == 1:
                return text, turns[0], readings[turns[0].code]
            can = [table.code for table in turns or live]
            kinds = {reading.kind for reading in readings.values()}
            if kinds == {"unclear"}:
                return text, turns[0] if turns else live[0], readings[(turns or live)[0].code]
            if kinds == {"refused"} and (again := sent_twice(desk)) is not None:
                where = next((table for table in live if table.id == again), None)
                if where is not None:
                    return text, where, readings[where.code]
    desk.kind = "ask"
    desk.pending = {"route": text, "codes": can}
    titles = {code: f" ({by_code[code].game.title})" for code in can}
    return _which(can, titles if len(set(titles.values())) > 1 else {}), None, None


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
