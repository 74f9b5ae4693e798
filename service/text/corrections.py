"""A text that takes back what it says and says what it means instead: `play 4h no wait 5h`, `not the queen, the jack`, `8s not 4s`.

Nothing is played by such a text: what its sender means is asked about, with the one card or bid that is left. The same goes for a
move that has its reason before it, which tells what is not so: `no clubs, qs`, `cy has it so 8d`.
"""

import re
from collections.abc import Callable, Iterator

from engine.game import write_move
from engine.tricks.table import BID, PLAY, TrickView
from service.text import passing
from service.text.lex import read_items
from service.text.lexicon import words
from service.text.reading import Context, Reading
from service.text.request import Command

_MARK = (
    r"(?:no wait|wait no|no|nope|wait|oops|whoops|woops|sorry|sry|i mean|i meant|i ment|meant|actually|scratch that|strike that|correction|make (?:that|it)"
    r"|change (?:that|it|my (?:pass|bid|card|play|mind)) to|change (?:that|it)|rather|on second thoughts?|hold on|hang on|never ?mind|my (?:bad|mistake)|typo|that should be|should be|should say|cancel|um+|uh+|er+|oh|not that)"
)
_MARKS = rf"(?:{_MARK}(?:[\s,.!;:-]+|\Z))+"
_AGAIN = re.compile(rf"(?P<before>.*\w)[\s,.!;:*-]+{_MARKS}(?P<meant>\S.*)", re.IGNORECASE | re.DOTALL)
_SORRY = re.compile(rf"\W*(?!no \w|cancel|never|scratch|strike){_MARKS}(?P<meant>\S.*)", re.IGNORECASE | re.DOTALL)
_CARD = r"(?:10|[2-9tjqka])[shdc♠♥♦♣](?![^\W_])"
_DOES = r"(?:play|throw|lead|toss|discard|dump|drop|bid|pass|send|give|expose|show|put|use|lay|make it)\b"
_NOT = re.compile(
    r"\W*(?:(?:no|wait|sorry|please)[\s,]+)*(?:(?:i )?(?:don't|dont|do not|won't|wont|can't|cant)(?: want(?: to)?)?|not|never|no|instead of|rather than|keep(?:ing)?|sav(?:e|ing)|hold(?:ing)?(?: on to)?) (?P<before>.*?)"
    rf"(?:[,.;!-]+\s*|\s+(?:but|just|so|and|then)\s+|\s+(?={_DOES})|\s+(?=the\s)|\s+(?={_CARD}))(?:(?:but|just|so|and|then|i'll|i will|i'd rather|rather|instead)\s+)*(?P<meant>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_NOT_THAT = re.compile(
    r"(?P<meant>.*\w)[\s,;.]+(?:(?:and|but)\s+)?(?:not|instead of|rather than) (?P<before>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SO = re.compile(
    r"(?P<before>[^?]*\w)(?:\s*[,.;!]+\s*|\s+)(?:so|therefore)\s+(?:i'?ll |i will |i )?(?P<meant>[^,.;!?]+?)\W*|(?P<reason>[^?]*\w)\s*[,.;!]+\s*(?P<then>[^,.;!?]+?)\W*",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\?|\b(?:if|unless|when|whenever|until|till|after|before|once|maybe|perhaps|might|should|could|would|shall|wish|tomorrow|later|next time|who|what|where|why|how|which|says?|said|tells?|told|asks?|asked|or)\b",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(
    r"\b(?:meant?|ment|should (?:be|say)|change (?:that|it|my \w+)|make (?:that|it)|correction|typo)\b", re.IGNORECASE
)
_CALLED = words("nil blind pig piggy sheep goat transformer doubler lady maria trump trumps trumping wild joker")
_NAMING = frozenset(("C", "R", "N", "S", "COUNTED", "HOMOPHONE"))


def corrected(body: str, context: Context, read: Callable[[str], Reading]) -> Reading | None:
    """The question whether the move is meant that a correction leaves, or None. `read` reads a part of the text by itself."""
    if context.game is None or "play" not in context.game.verbs or context.seat is None:
        return None
    if context.stage != "playing" or "\n" in body or "?" in body or len(body) > 120:
        return None
    view = context.game.view(context.state, context.seat)
    put = passing.exchanged(body, view) if isinstance(view, TrickView) else ""
    for meant in [put] if put else [*_left(body), *_hedged(body, context), *_for_whom(body, context)]:
        reading = read(meant)
        if reading.kind == "refused" and reading.code == "TURN" and not reading.moves:
            return Reading("command", command=Command("howto", {"about": "undo"})) if _SAYS_SO.search(body) else None
        if reading.command is not None:
            continue
        if reading.kind == "moves" and len(reading.moves) == 1 and not reading.rest:
            return Reading("ask", hint="Which do you mean?", choices=(write_move(reading.moves[0]),), rest=body)
        if reading.kind == "ask" and not reading.moves:
            return Reading("ask", hint="Which do you mean?", choices=reading.choices, rest=body)
    return None


_NO = re.compile(r"\W*(?:no|nope|nah|naw|n)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


def rejected(body: str, context: Context, read: Callable[[str], Reading]) -> Reading | None:
    """The reading of a no to our question, and of what is meant instead where that is said: `no, the 4`; None of other texts.

    In Gong Zhu a bare no would show nothing for good; after a question it does not.
    """
    match = _NO.fullmatch(body.strip())
    if match is None or context.game is None or "play" not in context.game.verbs or "?" in body:
        return None
    rest = match["rest"].strip(" ,.!;:-\n")
    if re.fullmatch(
        r"(?:(?:no|nope|nah|thanks|thank you|not that|that|sorry|please|wait)[\s,.!]*)*", rest, re.IGNORECASE
    ):
        if not context.pending[0].startswith("expose "):
            return None
        none = ("expose none",)
        return (
            Reading("unclear", hint=body, rest=body)
            if context.pending == none
            else Reading("ask", choices=none, hint="Which do you mean?", rest=body)
        )
    if rest.isdigit() and int(rest) <= len(context.pending):  # the number of a choice
        return None
    reading = read(rest)
    written = tuple(map(write_move, reading.moves))
    if set(written) & set(context.pending):
        return Reading("unclear", hint=body, rest=body)
    return reading if reading.kind == "moves" and len(written) == 1 else None


def _left(body: str) -> Iterator[str]:
    """The parts that may be what is meant, the likeliest first."""
    for pattern in (_NOT_THAT, _AGAIN, _NOT):
        match = pattern.fullmatch(body.strip())
        if match is not None and _names(match["before"]) and not _UNSURE.search(match["before"]):
            yield match["meant"]
    sorry = _SORRY.fullmatch(body.strip())
    if sorry is not None:
        yield sorry["meant"]
    so = _SO.fullmatch(body.strip())
    if so is not None:
        before, meant = so["before"] or so["reason"], so["meant"] or so["then"]
        if not _UNSURE.search(before) and len(before.split()) > 1 and _names(meant):
            yield meant


_NUMBER = r"(?:\d{1,2}|nil|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)"
_HEDGED = re.compile(
    r"\A(?:(?:i|i'd|id|i would|we'd|go|bid|say|think|thinking|guess|maybe|probably|prob|perhaps|possibly|about|around|roughly|like|um|uh|well|so|hmm+|just|could|might|may|be|take|make|get|do|suppose|want|to|at least|at most|it's|its|my|is|of|a|good|for|worth|looks?|feels?|this|that|that's|thats|with|hand|got|should)\b[\s,]*)+"
    rf"(?P<first>{_NUMBER})(?:ish)?(?: tricks?)?(?:[\s,]*\b(?:maybe|probably|perhaps|possibly|i think|or so|at least|at most|ish|hmm+))*\W*\Z"
    rf"|\A(?P<last>{_NUMBER})(?:ish|(?: tricks?)?(?:[\s,]*\b(?:maybe|probably|perhaps|possibly|i think|or so|at least|at most|ish|hmm+))+)\W*\Z",
    re.IGNORECASE,
)


def _hedged(body: str, context: Context) -> Iterator[str]:
    """The bid that somebody is not sure of: `maybe 4`, `I'd bid 4`, `4ish`."""
    match = _HEDGED.match(body.strip()) if getattr(context.state, "phase", "") == BID else None
    if match is not None:
        yield f"bid {match['first'] or match['last']}"


def _for_whom(body: str, context: Context) -> Iterator[str]:
    """The card that is thrown to or at somebody: `give Cy the queen`, `the queen on Cy`."""
    if getattr(context.state, "phase", "") not in (PLAY, BID):
        return
    whom = rf"(?:him|her|them|{'|'.join(re.escape(name) for name in context.names) or 'him'})"
    for pattern in (
        rf"(?:(?:please|i'll|i will|i|let's|let me|ok|so|haha|now|just)[\s,]+)*(?:give|giving|feed|feeding|hand|throw|slip|dump(?: on)?|drop(?: on)?|toss|stick|paint|hit|gift|send|serve) {whom} (?:with )?(?P<meant>\S.*)",
        rf"(?:give|giving|hand|feed|deal|send) (?P<meant>.+) to {whom}[\s.!]*",
        rf"(?P<meant>.*\w) (?:on|to|for|onto|at|under|over) {whom}[\s.!]*",
        rf"(?P<meant>.*\w)[\s,.!]+(?:sorry )?{whom}[\s.!]*",
        rf"(?:so |oh )*(?:sorry|poor|thanks|thank you|happy birthday|merry christmas|happy new year|hi|hey|hello|dear|take that|watch this|look out|watch out|ok) {whom}[\s,.!:-]+(?P<meant>\S.*)",
        rf"{whom},? (?:here is|here's|here comes|take|have|catch) (?P<meant>(?:the|my) \S.*)",
    ):
        match = re.fullmatch(pattern, body.strip(), re.IGNORECASE)
        if match is not None and not _UNSURE.search(match["meant"]):
            yield match["meant"]


def _names(said: str) -> bool:
    """Whether a card, a suit or a bid is named."""
    return any(item.kind in _NAMING or item.word in _CALLED for item in read_items(said))
