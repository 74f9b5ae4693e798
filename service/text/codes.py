"""A table's code as people write it: `z m 4`, `JOINZM4`, `Dot ZM4`, a whole invitation that was sent on, `2M4` for `ZM4`.

Read so only from somebody who sits nowhere: at a table the same letters may be cards or words to others.
"""

import re

from service.text.lexicon import WORDS, words
from service.text.request import Command

LETTER, DIGIT = "BCDFGHJKMNPRSTVXYZ", "2345679"
CODE = rf"(?![TJQKA][SHDC])[{LETTER}]{{2}}[{DIGIT}][A-Z2-9]{{0,2}}"
_APART = re.compile(
    rf"(?<![^\W_])([{LETTER}])[ .-]{{1,2}}([{LETTER}])[ .-]{{1,2}}([{DIGIT}])(?:[ .-]([A-Z2-9])(?![^\W_]))?(?![^\W_])",
    re.IGNORECASE,
)
_TWO_AND_ONE = re.compile(
    rf"(?<![^\W_])((?:join|table|code)\W+(?:table |code |is )*[{LETTER}]{{2}})[ .-]([{DIGIT}])(?![^\W_])", re.IGNORECASE
)
_GLUED = re.compile(rf"\bjoin(?={CODE}\b)", re.IGNORECASE)
_TWICE = re.compile(rf"\W*({CODE})\W+\1\W*", re.IGNORECASE)
_SLIP = re.compile(
    rf"\A\W*(?:jon|jion|joon|joim|jpin|joun|jin|joint|joining|join in|join up)(?=\s+{CODE}\b)", re.IGNORECASE
)
# What stands where a name would, and is none: the words of the invitation, or how many share one phone.
NO_NAME = re.compile(
    r"(?:and |with |plus |then )?(?:(?:their|your|my|the|his|her|a|first|full) )*names?(?: (?:here|to (?:this|the|our) number|to \+?[\d ()-]{7,}))*[\s.!]*"
    r"|to (?:this|the|our|that|your) (?:phone )?number\b.*|to \+?[\d ()-]{7,}.*|(?:on|from|with) (?:this|my|one|the same) (?:phone|number)\b.*|(?:the )?(?:two|both|three|2|3) of us\b.*|here|now|today|too",
    re.IGNORECASE | re.DOTALL,
)
_INVITED = re.compile(
    rf"\b(?:text|reply|send|by text)\b[^\n]{{0,60}}?\bjoin\s+(?P<code>{CODE})\b(?=.*(?:\bnumber\b|\bname\b|\+?\d{{7,}}|queenline))",
    re.IGNORECASE | re.DOTALL,
)
# Somebody asks about an invitation, or says no to it.
DOUBTED = re.compile(
    r"\b(?:scam|spam|real|legit|safe|who|why|what|is this|should|shall|don't|dont|not|can't|cannot|if|sent me|got a|he|she|they)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"\W*(?:(?:hi|hello|hey)\W+)?(?:(?:this is|it's|its|i'm|i am|my name is)\s+)?(?:(?P<name>[^\W\d_]{{2,12}})(?: here)?\W+)?(?:and )?(?:(?:i )?(?:wants?|would like|'d like|want|am|is|are)?\s*(?:to )?(?:joins?|joined|joining|be in|play(?: at| in)?)|for|at|in(?:to)?|on|(?:please )?(?:let|put|sign|count|add|get|deal) (?:me|us) (?:up )?(?:in|into|to|for|on|at)(?: to)?)?"
    rf"\s*(?:table |game |the table |the game )?(?P<code>{CODE})\W*(?:please|thanks|thank you)?\W*",
    re.IGNORECASE,
)
_NO_NAMES = words(
    "join joined joins joining table game code the a my and please text text: is to for with from at room number new ok yes no me what where who"
)


def mended(text: str) -> str:
    """The text with its code in one piece, and apart from JOIN."""
    text = _APART.sub(lambda found: "".join(part or "" for part in found.groups()), text)
    text = _SLIP.sub("join", _TWICE.sub(r"\1", text))
    return _TWO_AND_ONE.sub(r"\1\2", _GLUED.sub("join ", text))


def sent_on(text: str) -> Command | None:
    """An invitation that was sent on to us instead of its one line: the code in it, unless it is asked about."""
    found = _INVITED.search(text)
    if found is None or DOUBTED.search(text):
        return None
    return Command("join", {"code": found["code"].upper()})


def named(text: str) -> Command | None:
    """A code among few words: `Dot ZM4`, `sign me up for zm4`."""
    found = _NAMED.fullmatch(text.strip())
    if found is None or DOUBTED.search(text):
        return None
    name = found["name"] or ""
    if name.casefold() in _NO_NAMES or name.casefold() in WORDS:
        name = ""
    return Command("join", {"code": found["code"].upper()} | ({"name": name} if name else {}))


_AS_LETTER, _AS_DIGIT = str.maketrans("8562", "BSGZ"), str.maketrans("SZGBT", "52687")


def misread(code: str) -> str:
    """The code that may be meant by one that is none: letters and digits that look alike, each where only the other can stand."""
    if len(code) < 3:
        return code
    return code[:2].translate(_AS_LETTER) + code[2].translate(_AS_DIGIT) + code[3:]
