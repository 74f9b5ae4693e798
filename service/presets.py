"""House rules that a player keeps under a name: `save rules as cabin`, `new cabin`, `presets`, `forget rules cabin`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from engine.game import Game, write_options
from engine.registry import find
from service import tables
from service.desk import Desk
from service.models import Preset, table_of
from service.stored import Table
from service.tables import Problem
from service.text import house_text, render
from service.text.commands import read_command
from service.text.lex import read_items
from service.text.lexicon import words
from service.text.parse import parse
from service.text.words import listed

PRESET = table_of(Preset)
MOST = 20  # that one player keeps
BASE = "preset"  # among the house rules of NEW: those of this name, under the others

_NEW = re.compile(
    r"(\W*(?:please )?(?:(?:new|(?:start|open|create|host)(?: (?:a|an|the|another))?(?: new)?)(?: (?:game|table)(?: of)?)?"
    r"|(?:let's |lets )?play (?:a )?(?:game|table) of)[\s:]+)"
    r"(?:my |the |our )?([^\W\d_][\w'-]{0,14})(?! *=)(.*)",
    re.IGNORECASE | re.DOTALL,
)


def spelled(desk: Desk, body: str) -> str:
    """The text with the game that a saved name stands for: `new cabin 1000` as `new rummy5000 preset=cabin, 1000`."""
    match = _NEW.fullmatch(body)
    if match is None or find(match[2]) is not None:
        return body
    kept = _kept(desk, match[2])
    if kept is None:
        return body
    rest = match[3].strip()
    return f"{match[1]}{kept.game} {BASE}={kept.name}{', ' if rest and rest[0] not in ',;.' else ''}{rest}"


def base(desk: Desk, game: Game, name: str) -> dict[str, str]:
    """The house rules kept under a name, by theirs. Problem where they don't stand any more."""
    kept = _kept(desk, name)
    if kept is None or kept.game != game.name:
        raise Problem(f"You have no rules by the name {name.upper()[:12]}. PRESETS lists yours.")
    given = dict(word.split("=", 1) for word in kept.options.split())
    try:
        tables.options_from(game, given)
    except Problem as problem:
        why = str(problem).split(" House rules: ")[0].split(" OPTIONS ")[0]
        again = f"Save them anew, or FORGET RULES {kept.name.upper()}."
        raise Problem(
            render.fit(f"Your rules {kept.name.upper()} can't be played by any more. {why} {again}")
        ) from None
    return given


def save(desk: Desk, mine: Sequence[Table], table: Table, args: Mapping[str, str]) -> str:
    """`save rules as cabin`: the game and house rules of this table under that name, over what it was before."""
    name = _name(args.get("name", ""))
    kept = _kept(desk, name)
    values = {"game": table.game.name, "options": write_options(table.options), "created_at": desk.now}
    if kept is not None:
        desk.conn.execute(update(PRESET).where(PRESET.c.id == kept.id).values(**values))
    else:
        count = desk.conn.execute(select(func.count()).where(PRESET.c.player_id == desk.player.id)).scalar_one()
        if count >= MOST:
            raise Problem(
                f"You keep {MOST} sets of rules already. FORGET RULES and a name drops one; PRESETS lists them."
            )
        desk.conn.execute(insert(PRESET), values | {"player_id": desk.player.id, "name": name})
    return house_text.saved(name, table.game, table.options, kept is not None)


def presets(desk: Desk, mine: Sequence[Table], table: Table | None, args: Mapping[str, str]) -> str:
    """`presets`, `my rules`: what the player has saved."""
    rows = desk.conn.execute(_OF_PLAYER.where(PRESET.c.player_id == desk.player.id)).all()
    return house_text.presets([(row.name, game.title) for row in rows if (game := find(row.game)) is not None])


def drop(desk: Desk, mine: Sequence[Table], table: Table | None, args: Mapping[str, str]) -> str:
    """`forget rules cabin`: one of them is gone."""
    wanted = args.get("name", "")
    rows = desk.conn.execute(_OF_PLAYER.where(PRESET.c.player_id == desk.player.id)).all()
    if not wanted or (kept := _kept(desk, wanted)) is None:
        named = f"You have no rules by the name {wanted.upper()[:12]}." if wanted else "FORGET RULES and their name."
        yours = f" Yours: {listed([row.name.upper() for row in rows])}." if rows else " You have saved none."
        raise Problem(named + yours)
    desk.conn.execute(delete(PRESET).where(PRESET.c.id == kept.id))
    return house_text.forgotten(kept.name)


_OF_PLAYER = select(PRESET.c.name, PRESET.c.game).order_by(PRESET.c.name)


def _kept(desk: Desk, name: str) -> Any:
    """The row of that name, letter case, spaces and marks aside."""
    key = _squeezed(name)
    rows = desk.conn.execute(select(PRESET).where(PRESET.c.player_id == desk.player.id)).all()
    return next((row for row in rows if _squeezed(row.name) == key), None)


def _squeezed(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _name(text: str) -> str:
    """A name for house rules, in small letters. Problem says what would work."""
    if not text.strip():
        raise Problem("SAVE RULES AS and a name, such as SAVE RULES AS CABIN.")
    name = tables.clean_name(text).lower()
    parsed = parse(read_items(name.replace("-", " ")))
    word = parsed.verb or parsed.units or parsed.noted or read_command(name) is not None or name in _TAKEN
    if word or find(name) is not None:
        raise Problem(f"{name.upper()} means something here already. Please choose another name, such as CABIN.")
    return name


_TAKEN = words(
    """
    game table round new my the a an me us our your rules options house with no bots bot players player points target to up on
    """
)
