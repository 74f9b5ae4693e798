"""House rules in texts: what a table plays by, what a game has, what a player has saved."""

from collections.abc import Sequence
from typing import Any

from engine.game import Game, Rule, rules_of
from service.text.gsm7 import fold, septets
from service.text.house_words import odd, short_name, usual
from service.text.render import BRAND, TWO, fit
from service.text.words import listed

ALL = "all"


def options(code: str, game: Game, rules_now: Any, page: int = 1) -> str:
    """The house rules of a table, without those that are as usual."""
    told = [rule for rule in odd(game, rules_now) if not rule.startswith("to ") and rule != "no target"]
    head = f"{code}: {titled(game, rules_now)}."
    if not told:
        return fit(f"{head} House rules: the usual ones. OPTIONS ALL lists them.")
    return paged(f"{head} House rules:", told, page, "OPTIONS", "The rest is as usual: OPTIONS ALL.")


def all_options(code: str, game: Game, rules_now: Any, page: int = 1) -> str:
    """Every house rule of a table, the unusual ones first."""
    told = [*odd(game, rules_now), *usual(game, rules_now)]
    return paged(f"{code}: {game.title}:", told, page, "OPTIONS ALL")


def of_game(game: Game, page: int = 1) -> str:
    """The house rules that a game has, with the values of each, the usual one first."""
    name = short_name(game)
    return paged(
        f"{game.title}:",
        list(map(_values, rules_of(game.Options))),
        page,
        f"OPTIONS {name}",
        f"NEW {name} and any of these.",
    )


def _values(rule: Rule) -> str:
    name, choice, default = rule.name.replace("_", " "), rule.choice, str(rule.default)
    if set(choice.words) == {"on", "off"}:
        return f"{name} (now {default})" if not default else f"{name} {default}"
    others = [word for word in [*map(str, choice.numbers), *choice.words] if word != default]
    if choice.low <= choice.high:
        others.append(f"{choice.low}-{choice.high}")
    if choice.special is not None and choice.like:
        others.append(choice.like)
    return f"{name} {' / '.join([default, *others])}".replace("_", " ")


def titled(game: Game, rules_now: Any) -> str:
    """The game and what ends it: `5000 Rummy to 2500`."""
    target = getattr(rules_now, "target", None)
    return (
        game.title
        if target is None
        else f"{game.title}, no target"
        if target == "none"
        else f"{game.title} to {target}"
    )


def paged(head: str, items: Sequence[str], page: int, command: str, tail: str = "") -> str:
    """So many items of a list as two segments hold, and how to see the next; the tail is on the last page."""
    pages: list[list[str]] = [[]]
    for item in items:
        last = [*pages[-1], item]
        if pages[-1] and septets(fold(f"{head} {', '.join(last)}. {command} 10 goes on. {tail}")) > TWO:
            pages.append([item])
        else:
            pages[-1] = last
    page = min(max(page, 1), len(pages))
    more = f"{command} {page + 1} goes on." if page < len(pages) else tail
    return fit(" ".join(filter(None, (f"{head} {', '.join(pages[page - 1])}.", more))))


def opened(code: str, game: Game, rules_now: Any, seats: int, unnamed: bool = False) -> str:
    """A table has been opened: its game and house rules, and what to do next."""
    told = [rule for rule in odd(game, rules_now) if not rule.startswith("to ") and rule != "no target"]
    warned = " Calls on the whole pile are not advised." if getattr(rules_now, "rummy_call", "") == "pile" else ""
    tail = f"{warned} NAME tells them yours." if unnamed else warned
    free = "the other seat" if seats == 2 else f"the {seats - 1} free seats"
    ends = (
        f" Friends text JOIN {code} and their name to this number. BOTS fills {free}, then DEAL.{tail}",
        f" Friends text JOIN {code} and their name. BOTS fills {free}, then DEAL.{tail}",
        f" Friends text JOIN {code} and their name. BOTS fills free seats, then DEAL.{tail}",
        f" Friends text JOIN {code}. BOTS fills free seats, then DEAL.{tail}",
    )
    head = f"{BRAND} table {code}: {titled(game, rules_now)}"
    house = f" ({', '.join(told)})." if told else "."
    number = f" with {len(told)} house rule{'' if len(told) == 1 else 's'} (OPTIONS)."
    return fit(*[head + house + end for end in ends], head + number + ends[-1])


def contrary(game: Game, clash: str) -> str:
    """Two wishes for one house rule."""
    return f"{game.title}: {clash} go against each other. Leave one out; nothing is opened yet."


def saved(name: str, game: Game, rules_now: Any, again: bool) -> str:
    """House rules have been kept under a name."""
    told = [rule for rule in odd(game, rules_now) if not rule.startswith("to ") and rule != "no target"]
    over = " in place of what it was" if again else ""
    house = f" with {', '.join(told)}" if told else ""
    shown = name.upper()
    head = f"{shown} is now {titled(game, rules_now)}"
    return fit(
        f"{head}{house}{over}. NEW {shown} opens a table like that.",
        f"{head} with {len(told)} house rules{over}. NEW {shown} opens a table like that.",
    )


def presets(kept: Sequence[tuple[str, str]]) -> str:
    """What somebody has saved: names and titles."""
    if not kept:
        return "You have saved no rules yet. At a table, SAVE RULES AS CABIN keeps its house rules under that name."
    told = [f"{name.upper()} ({title})" for name, title in kept]
    first = kept[0][0].upper()
    return fit(
        f"Your rules: {listed(told)}. NEW {first} opens a table, NEW {first} 1000 with a change, FORGET RULES {first} drops it.",
        f"Your rules: {listed([name.upper() for name, _ in kept])}. NEW {first} opens a table.",
    )


def forgotten(name: str) -> str:
    """House rules that were saved are gone."""
    return fit(f"{name.upper()} is no longer among your rules. Tables that play by it go on.")
