"""The rules of a game as a page of Markdown, its table of house rules made from the registry.

The words are those of `docs/GAME.md`. What stands there between the marks of `filled` is made anew: here for whoever
reads them, and in the file itself by `python -m tools.docs --write`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.game import Game, rules_of
from engine.registry import GAMES
from service.text import house_words

DOCS = Path(__file__).resolve().parent.parent / "docs"


def page(game: Game) -> str:
    """The page of a game, its table of house rules as they are now."""
    return filled((DOCS / f"{game.name}.md").read_text(encoding="utf-8"), "house rules", house_rules(game.Options))


def house_rules(options: type[Any]) -> str:
    """The house rules of a game's `Options` as a table, with ways to say them as a table is opened."""
    game = next(game for game in GAMES if game.Options is options)
    rows = [
        (f"`{rule.name}`", rule.choice.describe(), str(rule.default), rule.help, house_words.example(game, rule))
        for rule in rules_of(options)
    ]
    return table(("House rule", "Values", "Usually", "What it says", "Say, for example"), rows)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def filled(text: str, what: str, made: str) -> str:
    """The text with `made` between `<!-- what: made by tools/docs.py -->` and `<!-- end -->`. ValueError without those."""
    begin = f"<!-- {what}: made by tools/docs.py -->"
    pattern = re.compile(rf"({re.escape(begin)}\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"there is no {begin} followed by <!-- end -->")
    return pattern.sub(lambda found: f"{found[1]}\n{made}\n\n{found[2]}", text, count=1)
