"""A second look at a text that was not understood: without the name and the good wishes at its end, or the lines below its first.

Nothing is taken off a text that is understood as it stands, and what is left must be understood in full.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from service.text.asides import SOCIAL
from service.text.lex import read_items, split
from service.text.lexicon import WORDS
from service.text.parse import parse
from service.text.reading import Context, Reading

SAFE = frozenset(
    ("hand", "table", "score", "pile", "melds", "who", "games", "rules", "options", "hint", "commands", "deal", "bots")
)
LONGEST, LONGEST_END = (
    400,
    80,
)  # characters of a text that ends with its sender's address, and of a name with its wishes
_WISHES = (
    r"(?:lots of |much |all my |with |warm(?:est)? |kind(?:est)? |best )*(?:love|hugs|kisses|cheers|thanks?(?: you)?|thx|ty|regards|wishes|best"
    r"|yours(?: truly)?|sincerely|signed|your (?:friend|partner)|god bless(?: you)?|take care|bless you|have an? (?:\w+ )?day|xo+(?:xo)*|x{2,3})"
)
_KIN = r"(?:(?:grand|god)?(?:ma|pa|mum|mom|mother|father|dad)|granny|gran|nana|aunt(?:ie|y)?|uncle|cousin|mrs|mr|ms|miss)\.?"
_BETWEEN = r"[\s.,!;:()\[\]*/~_\"'&-]"
_CALLED = r"\d{3,}|\bwww\.\S+|\S+@\S+|\S+\.(?:com|org|net|edu)\b"  # telephone numbers and addresses are no cards


def looked(reading: Reading, body: str, context: Context, read: Callable[[str], Reading]) -> Reading:
    """The reading, or that of the text without what was below or behind it; `read` reads a shorter text."""
    if reading.kind == "command" and reading.rest and not left_of(reading, context):
        return replace(reading, rest="")
    if reading.kind != "unclear" or reading.moves or reading.hint in ("greeting", "leaving", "another table"):
        return reading
    playing = context.stage == "playing" and context.game is not None
    if playing and _small_talk(body, context):
        return Reading("ignored", hint="chat")
    for shorter in (*_without_end(body, context), *_first_line(body, context)):
        if not shorter:
            return Reading("ignored", hint="chat") if playing else reading
        again = read(shorter)
        command = again.command
        shows = command is not None and command.name in SAFE and not again.rest
        if again.kind in ("moves", "refused", "ask") or (again.kind == "command" and shows):
            return again
    return reading


def left_of(reading: Reading, context: Context) -> str:
    """What stands behind the command of a reading, where that is more than its sender's name and wishes."""
    return "" if "" in _without_end(reading.rest, context) else reading.rest


def _small_talk(body: str, context: Context) -> bool:
    """Hearts alone, where cards are not played one by one, and thanks or praise to somebody at the table."""
    if context.game is not None and "play" not in context.game.verbs and re.fullmatch(r"[♥\s]+", body):
        return True
    names = "|".join(re.escape(name) for name in context.names if name.casefold() not in WORDS)
    said = re.sub(rf"(?<=\w)[\s,]+(?:{names})\b", "", body, flags=re.IGNORECASE) if names else body
    return len(body) < 80 and said != body and SOCIAL.match(said) is not None


def _without_end(body: str, context: Context) -> Iterator[str]:
    """The text without its sender's own name, at a table not yet dealt anybody's, and what people write before that."""
    here = context.seat is not None and context.seat < len(context.names)
    names = context.names[context.seat : context.seat + 1] if here and context.seat is not None else context.names
    name = "|".join(re.escape(name) for name in names if name.casefold() not in WORDS)
    if name and here:
        before = re.sub(rf"\A(?:from )?(?:{name})\b{_BETWEEN}*", "", body, count=1, flags=re.IGNORECASE)
        if before and before != body:
            yield before
    who = rf"(?:{_KIN}\s+)?(?:{name})(?:\s+[a-z])?|{_KIN}" if name else _KIN
    wishes = rf"(?:{_BETWEEN}+{_WISHES})*"
    end = rf"(?:{wishes}{_BETWEEN}+(?:from )?(?:{who})|{wishes})[\s.,!;:()\[\]*/~_\"'&-]*\Z"
    head, tail = body[:-LONGEST_END], f". {body}" if len(body) <= LONGEST_END else body[-LONGEST_END:]
    found = re.search(end, tail, re.IGNORECASE)
    if found is not None and found[0].strip(" ."):
        yield (head + tail[: found.start()]).removeprefix(". ").strip(" .")


def _first_line(body: str, context: Context) -> Iterator[str]:
    """The first of several lines, where those below say nothing about cards and take nothing back."""
    first, *below = body.split("\n")
    if below and len(body) <= LONGEST and all(map(_says_nothing, below)) and not _named(" ".join(below), context):
        yield first


_TAKES_BACK = re.compile(
    r"\b(?:m\d{1,2}|(?:i )?(?:mean|meant|ment)|actually|instead|rather|(?:sorry|oops|no|wait)[\s,.]+(?:\w+ )?m?\d+)\b",
    re.IGNORECASE,
)


def _says_nothing(line: str) -> bool:
    if _TAKES_BACK.search(line):
        return False
    for clause in split(read_items(re.sub(_CALLED, " ", line))):
        parsed = parse(clause.items)
        if parsed.flag or parsed.verb or parsed.units or any(item.kind == "K" for item in clause.items):
            return False
    return True


def _named(words: str, context: Context) -> bool:
    others = [name for seat, name in enumerate(context.names) if seat != context.seat]
    return any(re.search(rf"\b{re.escape(name)}\b", words, re.IGNORECASE) for name in others)
