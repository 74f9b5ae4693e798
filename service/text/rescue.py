"""The last try at a text that was not understood: a question that stands in it beside other words, or has slips in it.

Only what shows something is found here. Nothing is ever played that was not understood in full.
"""

import re
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from service.text.commands import correct, read_command
from service.text.lexicon import words
from service.text.phrases import WHOLE
from service.text.questions import SEEN
from service.text.reading import Context
from service.text.request import Command

LONGEST = 160  # characters; in more there is no one question
_PARTS = re.compile(r"[.!?;,\n]+|\s+-+\s+|\s+(?:and|but|so|because|then)\s+", re.IGNORECASE)
_SHORT = words("h t sc top turn me again cards game history log total laid partner seats dealer code link why back")


def shown(body: str, context: Context) -> Command | None:
    """The command that shows what some part of the text asks for, or None."""
    if len(body) > LONGEST:
        return None
    parts = [part.strip() for part in _PARTS.split(body) if part and part.strip()]
    if len(parts) > 1:
        for part in reversed(parts):
            if len(part.split()) < 2 and part.casefold() not in (
                "hand",
                "score",
                "table",
                "hint",
                "rules",
                "melds",
                "options",
            ):
                continue
            command = read_command(part, context.stage, context.names, context.game)
            if command is not None and command.name in SEEN and part.casefold() not in _SHORT:
                return command
    respelled = _respelled(body)
    if respelled != body:
        for read in (read_command, correct):
            command = read(respelled, context.stage, context.names, context.game)
            if command is not None and command.name in SEEN:
                return command
    return None


def _respelled(body: str) -> str:
    return re.sub(r"[a-z]{5,12}", lambda found: _near(found[0].lower()) or found[0], body, flags=re.IGNORECASE)


@lru_cache(maxsize=1)
def _known() -> tuple[str, ...]:
    """The words that commands are asked for with."""
    said = re.findall(r"[a-z]+", " ".join(line.partition(":")[2] or line for line in WHOLE.split("\n")))
    return tuple(sorted({word for word in said if len(word) >= 4}))


@lru_cache(maxsize=1024)
def _near(word: str) -> str:
    """The one such word that this is a slip of, or ""."""
    if word in _known():
        return ""
    found = process.extract(word, _known(), scorer=OSA.distance, score_cutoff=1 if len(word) < 8 else 2, limit=2)
    if not found or (len(found) > 1 and found[0][1] == found[1][1]):
        return ""
    return str(found[0][0])
