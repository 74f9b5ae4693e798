"""The rules of each game as a page, and the house rules of a table in words."""

import re
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from flask import Blueprint, abort, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

from engine.game import Game, Rule, rules_of
from engine.registry import GAMES, find, named
from service.rulebook import DOCS, page

_OPEN = '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table>'


class HouseRule(NamedTuple):
    """A house rule of a table: what it is about, what holds here, and whether that is what usually holds."""

    name: str
    about: str
    value: str
    usual: bool


def blueprint() -> Blueprint:
    """`/rules`, `/rules/GAME`, and `/texting`: how to say it."""
    rules = Blueprint("rules", __name__)

    @rules.get("/rules")
    def games() -> str:
        return render_template("games.html", games=[(game, first_words(game.name)) for game in GAMES])

    @rules.get("/rules/<name>")
    def game(name: str) -> str:
        found = find(name)
        if found is None:
            abort(404)
        return render_template("rules.html", title=found.title, game=found, text=html(page(found)))

    @rules.get("/texting")
    def texting() -> str:
        text = (DOCS / "texting.md").read_text(encoding="utf-8")
        return render_template("rules.html", title="What to text", game=None, text=html(text))

    return rules


@lru_cache(maxsize=32)
def html(text: str) -> Markup:
    """A page of our own docs as HTML: what stands in it is ours, and raw HTML is not let through all the same."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    made = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    made = re.sub(r'href="([\w-]+)\.md(#[\w-]+)?"', _address, made)
    made = re.sub(r"<h([23])>(.*?)</h\1>", _anchor, made)
    number = count(1)
    made = re.sub("<table>", lambda _: _OPEN.format(next(number)), made)
    return Markup(made.replace("</table>", "</table></div>"))  # noqa: S704  # made of our own files


def _address(link: re.Match[str]) -> str:
    name, anchor = link[1], link[2] or ""
    if name == "texting":
        return f'href="/texting{anchor}"'
    return f'href="/rules/{name}{anchor}"' if find(name) is not None else 'href="/rules"'


def _anchor(heading: re.Match[str]) -> str:
    """A heading that can be linked to, as in the files themselves."""
    words = re.sub(r"<[^>]*>", "", heading[2]).lower()
    name = re.sub(r"[^\w\s-]", "", words).strip().replace(" ", "-")
    return f'<h{heading[1]} id="{name}">{heading[2]}</h{heading[1]}>'


@lru_cache(maxsize=32)
def first_words(name: str) -> str:
    """The first paragraph of a game's page, without its marks; of the game of that name."""
    paragraphs = page(named(name)).split("\n\n")
    return re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", paragraphs[1].replace("\n", " "))


def house_rules(options: Any) -> list[HouseRule]:
    """Every house rule of a table in words, those that are unusual first."""
    rules = [_line(rule, getattr(options, rule.name)) for rule in rules_of(options)]
    return sorted(rules, key=lambda rule: rule.usual)


def _line(rule: Rule, value: str | int) -> HouseRule:
    return HouseRule(rule.name, rule.help, spoken(value), value == rule.default)


def spoken(value: str | int) -> str:
    """A value as one reads it: `ban unless forced`."""
    return str(value).replace("_", " ")


def players(game: Game) -> str:
    """How many it is for."""
    first, last = game.seats[0], game.seats[-1]
    return str(first) if first == last else f"{first} to {last}"
