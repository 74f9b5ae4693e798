"""Whom a table is opened for, said as it is opened: `hearts with 3 computers`, `spades against the computer`, `with my sister`."""

import re
from typing import NamedTuple

from service.text.newcomers import BOT, NUMBER, RELATIONS, number

ALL = "all"
_BOTS = re.compile(
    rf"[\s,]*\b(?:(?:and )?(?:then )?(?:fill|add|put|use|have|let)(?: (?:it|the rest|the seats|the table|the others?|up|them|in|all|every|seats?|other|everything))*(?: up)?(?: with)?|with|w/|against|versus|vs\.?|and|plus|\+)\s+(?:(?:the|some|all|my|other|only|just)\s+)*"
    rf"(?:(?P<n>{NUMBER}|a|an|one)\s+)?(?:more |other )?(?P<what>{BOT})\b(?: (?:play(?:ing)?|players|for the rest|on the other seats|in the other seats|as opponents))*"
)
_ALONE = re.compile(r"[\s,]*\b(?:all )?(?:alone|by myself|on my own|solo|just me|only me|by my own)\b")
_KIN = re.compile(
    rf"[\s,]*\b(?:with|and|for)\s+(?:(?:my|some|a|the|our|few|other|all)\s+)+(?:\w+\s+)?{RELATIONS}\b(?:\s+and\s+(?:my\s+)?{RELATIONS}\b)*"
)
_LATER = re.compile(
    r"[\s,]+(?:now|instead|next|then|today|tonight|together|here|by text|with you|for a change|this time)(?=[\s.!?,]*\Z)"
)


class Company(NamedTuple):
    """The words without it, how many bots sit down (`all`, a number or ""), and whether nobody else is to come."""

    words: str
    bots: str
    alone: bool


def of(words: str) -> Company:
    """The company that the words behind the opening of a table name."""
    said, bots, kin = words, "", False
    while (less := _LATER.sub("", said)) != said:
        said = less
    found = _BOTS.search(said)
    if found is not None:
        one = found["n"] in ("a", "an", "one") and "against" not in found[0] and "v" not in found[0][:3]
        bots = "1" if one else str(number(found["n"])) if found["n"] and number(found["n"]) else ALL
        said = f"{said[: found.start()]} {said[found.end() :]}"
        said = re.sub(r"[\s,]*\b(?:just |only )?me\b(?: and)?", " ", said)
    if _KIN.search(said):
        kin = True
        said = _KIN.sub(" ", said)
    if _ALONE.search(said):
        bots, said = bots or ALL, _ALONE.sub(" ", said)
    return Company(said, bots, bool(bots) and not kin)
