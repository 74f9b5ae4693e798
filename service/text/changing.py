"""What people ask for and no text can do: other house rules for a table that is open, a seat for another number."""

import re

from engine.game import Game, rules_of
from service.text.house_words import short_name
from service.text.render import fit
from service.text.request import Command, Said

CHANGE = "change"  # `options` about this
_ASKING = r"(?:(?:please|can|could|may|i|we|you|how|do|to|is|it|possible|let's|lets|want|need|would|like|i'd|should|shall|just|actually|the|host)\s+)*"
_NEW_PHONE = re.compile(
    rf"{_ASKING}(?:this is \w+ |it's \w+ )?(?:i|we|he|she|they|\w+)(?:'ve|'s)? ?(?:just )?(?:have|has|had|got|gets|lost|changed|broke|switched|am on|is on|using)?"
    r" ?(?:a|my|her|his|their|the|to a|to)? ?(?:new|other|another|different) (?:phone )?(?:number|phone|cell|mobile|sim)\b.{0,40}"
    rf"|{_ASKING}(?:i|\w+)(?:'ve|'s| have| has)? (?:just )?(?:lost|broke|changed) (?:my|her|his|their) (?:phone|number|cell|mobile|sim)\b.{{0,40}}"
)


def read(said: Said) -> Command | None:
    """`change the target to 700`, `target 1000`, `I have a new number`."""
    if said.game is None or said.stage not in ("open", "playing") or len(said.key) > 80:
        return None
    if (
        said.stage == "playing"
        and re.search(r"\b(?:phone|number|cell|mobile|sim)\b", said.key)
        and _NEW_PHONE.fullmatch(said.key)
    ):
        return Command("newphone")
    if not re.search(r"rule|option|setting|target|\d|\b(?:on|off|none)\Z", said.key):
        return None
    names = _names(said.game)
    rule = rf"(?:rules?|options?|settings?|{names})"
    change = (
        rf"{_ASKING}(?:change|set|switch|adjust|edit|alter|modify|raise|lower|update)(?: (?:the|our|my|a|house|table|game))* {rule}(?: .+)?"
        rf"|(?:options?|house rules?) (?:{names}) .+|target (?:to |is |at |of )?(?:\d+|none)"
    )
    if said.stage == "open":
        change += rf"|(?:{names}) (?:to |is |at )?(?:\d+|on|off|none)|{_ASKING}(?:play|make it|go)(?: (?:it|this|this one))*(?: (?:to|until|up to))? \d{{2,5}}(?: points)?"
    return Command("options", {"about": CHANGE}) if re.fullmatch(change, said.key) else None


def _names(game: Game) -> str:
    return "|".join(re.escape(rule.name.replace("_", " ")) for rule in rules_of(game.Options))


def rules_stay(code: str, game: Game, host: str, *, dealt: bool) -> str:
    """House rules are chosen as a table is opened; `host` is who chose them, "" where it is who asks."""
    new, usual = short_name(game), next((rule.default for rule in rules_of(game.Options) if rule.name == "target"), "")
    other = f"NEW {new} and your rules opens another table, as in NEW {new} {usual}".rstrip()
    if dealt:
        return fit(f"{code}: house rules stay as they are for the whole game. {other}.")
    if host:
        return fit(f"{code}: house rules are chosen with NEW, here by {host}, and stay. OPTIONS shows them. {other}.")
    return fit(f"{code}: house rules are chosen with NEW and stay. {other}; {code} LEAVE gives this one up.")


def new_number(code: str, url: str) -> str:
    """Who has another phone: only the operator can give a seat to another number."""
    said = f"{code}: whoever runs this service can give a seat to a new number: {url}/contact."
    return fit(f"{said} Until then it stays, and so do its cards.", said)


def plays_elsewhere(code: str, name: str, url: str) -> str:
    """To who would JOIN a game that goes on under the name of somebody who sits there."""
    said = f"{code} has begun, and {name} plays there from another number. Is that you?"
    how = f"Whoever runs this service can give you the seat: {url}/contact."
    return fit(
        f"{said} {how}", f"{said} {url}/contact helps.", f"{name} plays at {code} by another number. You? {url}/contact"
    )
