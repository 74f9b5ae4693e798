"""A wild on the table that is changed for the real card, in a player's own words: `trade my 9 for the wild`, `replace 6d with 9s`.

Which wild can be meant the table tells; where it may be one of several the words stay as they are.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.cards import JOKER, Card, card_name
from service.text.wordings import CARD, THE, WILL, card_said

_WILD = rf"(?:(?:the|a|my|that|your|our|[^\W\d_]{{2,12}}'s)\s+)*(?:wild(?: ?card| one)?|joker|jk|w|{CARD})"
_IN = r"(?:\s+(?:in|on|from|of|at)\s+(?:(?:the|my|that|meld|run|set|number|[^\W\d_]+'s)\s+)*(?:m?(?P<NUMBER>\d{1,2})|run|set|meld)(?!\w))?"
_MELD, _AT = _IN.replace("NUMBER", "meld"), _IN.replace("NUMBER", "at")
_SWAP = r"(?:swap(?:ping)?|swp|trad(?:e|ing)|switch(?:ing)?|exchang(?:e|ing))"
_WILLING = WILL.replace("can i|may i|", "")  # whether it may be done is a question
_START = rf"(?:\A|(?<=[,.;!\n] )|(?<=[,;\n])|(?<=\band )|(?<=\bthen )|(?<=\bn )){_WILLING}"
_END = r"(?=[\s.!]*(?:\Z|[,;\n]|\.\s|\b(?:and|then|n|&|lay|meld|add|disc(?:ard)?|throw|toss|please|pls|thanks)\b))"
_WAYS = tuple(
    re.compile((r"\b" if way.startswith(_SWAP) else _START) + way + _END, re.IGNORECASE)
    for way in (
        rf"{_SWAP}(?: out| in)? (?P<real>{THE}{CARD})(?:,? (?:for|with|and|against|4|into the place of)|\s*[,/])? (?P<wild>{_WILD}){_MELD}",
        rf"{_SWAP}(?: out)? (?P<wild>{_WILD}){_AT},? (?:for|with|against) (?P<real>{THE}{CARD}){_MELD}",
        rf"replac(?:e|ing) (?P<wild>{_WILD}){_AT},? (?:with|by|for|using|w) (?P<real>{THE}{CARD}){_MELD}",
        rf"(?:put(?:ting)?|play(?:ing)?|lay(?:ing)?|add(?:ing)?|stick|place) (?P<real>{THE}{CARD}) (?:in place of|instead of|in for|where|in the place of|in exchange for|as a swap for|for) (?P<wild>{_WILD})(?: (?:is|was|sits|lies))?{_MELD}",
        rf"(?:take|get|steal|grab|buy|pick up|have) (?:back )?(?P<wild>{THE}(?:wild(?: ?card| one)?|joker)|(?:the|that) {CARD})(?: back)?{_AT},? (?:with|for|using|by (?:putting|laying|using)) (?P<real>{THE}{CARD}){_MELD}",
        rf"{_SWAP} (?:out )?(?P<wild>{THE}(?:wild(?: ?card| one)?|joker)|w){_MELD}",
    )
)


class Swap(NamedTuple):
    """A real card of the hand, the wild whose place it may take, and the number of the meld."""

    real: Card
    wild: Card
    meld: int


def put_plainly(body: str, view: Any, hand: Sequence[Card]) -> str:
    """The text with such a swap as records write it: `swap 9S for 6D in M1`."""
    if not any(word in body.lower() for word in ("sw", "trad", "exchang", "replac", "wild", "joker", "place of")):
        return body
    ways: list[Swap] | None = None
    for pattern in _WAYS:
        found = pattern.search(body)
        if found is None:
            continue
        ways = possible(view, hand) if ways is None else ways
        meant = [way for way in ways if _fits(way, found)]
        if len({(way.real, way.wild, way.meld) for way in meant}) == 1:
            way = meant[0]
            said = f"swap {card_name(way.real)} for {card_name(way.wild)} in M{way.meld}"
            return body[: found.start()] + said + body[found.end() :]
    return body


def possible(view: Any, hand: Sequence[Card]) -> list[Swap]:
    """Every swap that the cards allow, whether or not this table has swaps."""
    found = []
    for laid in view.melds:
        for card, stands in zip(laid.cards, laid.stands, strict=True):
            if card not in view.wilds or card == stands:
                continue
            fitting = {
                real
                for real in hand
                if real not in view.wilds and (real == stands if laid.run else real >> 2 == stands >> 2)
            }
            found += [Swap(real, card, laid.number) for real in sorted(fitting)]
    return found


def _fits(way: Swap, found: re.Match[str]) -> bool:
    said = found.groupdict()
    number = said.get("meld") or said.get("at")
    if number and int(number) != way.meld:
        return False
    return _is(said["real"], way.real) and _is(said["wild"], way.wild, wild=True) if said.get("real") else True


def _is(words: str, card: Card, *, wild: bool = False) -> bool:
    """Whether these words may name this card."""
    said = words.lower().split()
    if wild and {"wild", "wildcard", "w"} & set(said):
        return True
    if {"joker", "jk"} & set(said):
        return card == JOKER
    rank, suit = card_said(words)
    return card < 52 and rank == card >> 2 and suit in (None, card & 3)
