"""The last try at a text that was not understood: a question that stands in it beside other words, or has slips in it.

Only what shows something is found here. Nothing is ever played that was not understood in full.
"""

import re
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from service.text import learning
from service.text.commands import correct, key_of, read_command
from service.text.lex import read_items
from service.text.lexicon import words
from service.text.phrases import WHOLE
from service.text.questions import SEEN
from service.text.reading import Context
from service.text.request import Command, Said

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
    return _asked(body, parts, context)


def _asked(body: str, parts: list[str], context: Context) -> Command | None:
    """The same of a question in other words, with what people say before they ask, and of one that a learner asks."""
    acts = {part for part in parts if any(item.kind == "V" for item in read_items(part))}
    for part in dict.fromkeys([body, *reversed(parts)]):
        if part != body and acts - {part}:  # the answer would pass over what is to be done
            continue
        for said in dict.fromkeys((part, unwound(part))):
            command = read_command(said, context.stage, context.names, context.game) if said != body else None
            if command is None or command.name not in SEEN or said.casefold().strip(" .!?") in _SHORT:
                command = learning.asked(Said(said, key_of(said), context.stage, context.names, context.game))
            if command is not None:
                return command
    return None


# What stands before and behind a question and does not change it.
_BEFORE = re.compile(
    r"\A(?:(?:yo+|omg|wait|hold on|hang on|bruh|bro|dude|man|lol|lmao+|ugh|um+|uh|hmm+|oh|so|and|but|ok|okay|hey|hi|hello|well|now|sorry|excuse me|pardon(?: me)?|forgive me|quick question|question"
    r"|sorry to (?:bother|ask|trouble)(?: you)?(?: again)?|oh dear|pray|(?:dear|hello|hi) \w+|i (?:was |am |'m )?(?:just )?wonder(?:ing|ed)?|may i (?:please )?(?:ask|know)(?: you)?|can i (?:just )?ask(?: you)?|could i (?:please )?ask(?: you)?|might i ask|i (?:would like|'d like|want|need) to (?:know|ask)"
    r"|(?:would|could|can|will) (?:you|someone|somebody|anybody) (?:please |kindly |mind |be so (?:kind|good) as to |be kind enough to |just )*(?:tell(?:ing)?|show(?:ing)?|remind(?:ing)?|let) (?:me|us)(?: know)?|(?:be so kind as to|kindly|please)(?: (?:tell|show|remind) (?:me|us))?|tell me|do you know|does anybody know|any idea|i forgot|i forget|idk|fr|ngl|like)"
    r"(?![^\W_]|')[\s,.!:;-]*)+",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[\s,]+(?:bro|bruh|fam|dude|man|lol|lmao+|rn|tho|though|pls|plz|please|thanks|thx|fr|ig|again|dear|love|darling|sweetie|honey|mate|everybody|everyone|guys|if i may ask|may i ask|please and thank you)[\s.!?]*\Z",
    re.IGNORECASE,
)


def unwound(body: str) -> str:
    """The question in a text, without what leads to it: `May I ask whose turn it is, please?` is `whose turn it is`."""
    less = _BEFORE.sub("", body)
    while (shorter := _BEHIND.sub("", less)) != less:
        less = shorter
    return less.strip() or body


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
