"""A command and its arguments, and the clause it is read from."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.game import Game

BY_ROUND = frozenset(("rummy5000", "george"))  # games whose wild rank TABLE shows


@dataclass(frozen=True)
class Command:
    """A command and its arguments, all as text.

    new: game (the registry's name, or what was written), options (`name=value` words), unknown (words not understood);
    join: code, name; bots: n (a number, `off`, or not there: fill all seats); rules: topic; say: text; mute, block, nudge:
    name, off; forget: sure; away: until; quiet, zone: value; name: name; auto, updates: value; table: code; hint: about (a verb);
    hand: about (`passed`); table: about (a card, `hands`); howto: about (`say`, `undo`, `about`);
    games: about (`all`: what can be played); deal: by (`host`: only if they opened the table); newcomer, setup: about, and game or n;
    new also: bots (a number or `all`).
    """

    name: str
    args: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.name, *(value for value in self.args.values() if value)])


class Said(NamedTuple):
    """A clause that may be a command: its words as written, the same folded, and from where it comes."""

    text: str
    key: str
    stage: str
    names: tuple[str, ...]
    game: Game | None


TAIL = re.compile(r"[\s,]+(?:please|pls|plz|thanks|thx|thank you|ty)[\s.!]*\Z", re.IGNORECASE)


def rest_of(text: str, *leads: str) -> str:
    """What of the text follows the first of these leading phrases."""
    for lead in leads:
        match = re.search(rf"\b{lead}\b[\s:,=-]*", text, re.IGNORECASE)
        if match:
            return TAIL.sub("", text[match.end() :]).strip(" \t\n.!,;:")
    return ""
