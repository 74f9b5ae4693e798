"""A card on the table that is to be taken, not the one to play: `beat the jack`, `trump the king with the 3`, `duck the ace`.

What is named behind such a verb is somebody else's card wherever one of that rank lies in the trick: then the words are those of
`beat it`, `trump it` and `duck it`. Behind `with` the card to play is named too, and it alone counts.
"""

import re
from collections.abc import Sequence

from engine.cards import Card, read_rank
from engine.game import Seat
from engine.tricks.table import SUIT_NAMES
from service.text.lexicon import NUMBERS, WORDS
from service.text.wordings import RANK, WILL

_OVER = r"beat|cover|take|win|captur|catch|overtak|top|kill|(?:go(?:ing)?|play|get)? ?over"
_TRUMP = r"(?:over-?)?(?:trump|ruff)|cut|spade"
_UNDER = r"duck(?:(?:ing)? under)?|(?:go(?:ing)?|play|stay|get)? ?under"
_TAKEN = re.compile(
    rf"\A{WILL}(?:(?P<over>{_OVER})|(?P<trump>{_TRUMP})|(?P<under>{_UNDER}))(?:e|ing|ning|ting|ping)?"
    rf" (?:(?:the|that|this|his|her|their|your|[a-z]{{2,12}}'s) )*(?!an? )(?P<rank>{RANK})(?:'s)?"
    r"(?: ?(?:of )?(?P<suit>[shdc♠♥♦♣]|spades?|hearts?|diamonds?|clubs?))?"
    r"(?: (?:with|by (?:playing|using)|using) (?P<by>\S.*?))?(?: (?:please|pls|plz|thanks|then|now))*[\s.!]*\Z",
    re.IGNORECASE,
)
_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


def plainly(body: str, trick: Sequence[tuple[Seat, Card]], trumps: bool) -> str:
    """The text without the card to be taken; as it is where it speaks of none that lies there. `trumps`: whether there are any."""
    match = _TAKEN.match(body) if trick else None
    if match is None or (match["trump"] and not trumps):
        return body
    if match["by"]:
        return f"play {match['by']}"
    suit = _SUITS.get(match["suit"] or "", (match["suit"] or "").lower()[:1])
    rank = _rank(match["rank"].lower())
    if not any(card >> 2 == rank and SUIT_NAMES[card & 3].startswith(suit) for _, card in trick):
        return body
    return "trump it" if match["trump"] else "duck it" if match["under"] else "beat it"


def _rank(word: str) -> int:
    known = WORDS.get(word)
    if known is not None and known[0] == "R":
        return int(known[1][0])
    return read_rank(str(NUMBERS.get(word, NUMBERS.get(word.removesuffix("s"), word))))
