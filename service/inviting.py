"""Sitting down where one likes, what was filled in on the web, and the invitation to send on."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service import forms, stored, tables
from service.desk import Desk
from service.stored import OPEN, Table
from service.tables import Problem
from service.text import asking

Args = Mapping[str, str]
Command = Callable[[Desk, Sequence[Table], Table | None, Args], str | None]


def seat_and_name(table: Table, words: str) -> tuple[int | None, str]:
    """`2`, `bea 2` or `2 bea` behind a code: the seat that is wanted, counted from 0, and the name."""
    said = words.replace("#", " ").split()
    for place in sorted({0, len(said) - 1}) if said else ():
        word = said[place]
        if word.isascii() and word.isdigit() and len(word) < 3 and 1 <= int(word) <= table.seat_count:
            left = [w for i, w in enumerate(said) if i != place and w.lower() not in ("seat", "at")]
            return int(word) - 1, " ".join(left)
    return None, words


def seat_gone(chosen: int | None, seat: int, answer: str) -> str:
    """The answer to a JOIN, with a word before it where the seat that was wanted is another's by now."""
    return answer if chosen in (None, seat) else asking.seat_gone(seat + 1, answer)


def open_asked(desk: Desk, mine: Sequence[Table], form: Any, new: Command) -> str | None:
    """The table that somebody has filled in on the web, now that the text of its host has come. `new` is that command."""
    what = json.loads(form.what)
    bots = int(what.pop("bots", 0))
    answer = new(desk, mine, None, what | ({} if desk.player.name else {"name": form.name}))
    forms.done(desk.conn, form, desk.now)
    table = None if desk.table_id is None else stored.by_id(desk.conn, desk.table_id)
    if not bots or table is None:
        return answer
    seated = tables.fill_with_bots(desk.conn, table, min(bots, table.free))
    return asking.opened(table.code, table.game.title, seated, table.free)


def invite(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`invite`: the address of the table's page and the words to text, to be sent on to friends."""
    if table.status != OPEN:
        raise Problem(asking.no_invitation(table.code))
    settings = desk.services.settings
    number = desk.player.sender or next(iter(settings.twilio_numbers), "")
    link = f"{settings.public_url}/join/{table.code}"
    return asking.invitation(table.code, table.game.title, link, number, table.free)
