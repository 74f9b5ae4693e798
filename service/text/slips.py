"""Small slips that are seen at a glance: cards in quotes, `wat do i hav`, another table's code, more cards than one."""

import re

from service.text.reading import Context, Reading

_IN_QUOTES = re.compile(
    r"\b((?:discard|throw|toss|drop|play|lead|lay|meld|add|put|pick ?up|take|bid|pass)(?: (?:the|my|down|away|out))*)\s+\"([^\"\n]{1,16})\"",
    re.IGNORECASE,
)
_SPELT = (
    (re.compile(r"\b(?:wat|wut|wht|whut|waht)\b(?=['s]* (?:do|is|are|cards?|card|can|should|have|hav)\b)", re.IGNORECASE), "what"),
    (re.compile(r"(?<=\bdo i )(?:hav|hve|ahve|hvae|haev)\b", re.IGNORECASE), "have"),
)  # fmt: skip
_ELSEWHERE = re.compile(
    r"\s*(?![TJQKA][SHDC])([BCDFGHJKMNPRSTVXYZ]{2}[2345679][A-Z2-9]{0,2})[\s:,.-]+"
    r"(?:please )?(?:draw|discard|pick ?up|take|lay|meld|add|hand|table|score|pile|melds|who|hint|pass|play|bid|leave|deal|bots|options|rules|undo|"
    r"rematch|why|say|rummy|finish|expose|plan|nudge)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?:please |i(?:'ll| will)? |ok |can i |may i )*(?:draw|get|give me) (?:me )?(?:[2-9]|two|three|four|five|six|ten|several|some)(?: (?:more|new))? cards"
    r"(?: (?:please|pls|from the (?:deck|stock)))*[\s.!?]*",
    re.IGNORECASE,
)


def mended(body: str) -> str:
    """The text with what is plainly a slip put right."""
    body = _IN_QUOTES.sub(r"\1 \2", body)
    for pattern, word in _SPELT:
        body = pattern.sub(word, body)
    return body


def seen(body: str, context: Context) -> Reading | None:
    """The reading of a text that no clause of it would tell: it is for a table of others, or draws several cards."""
    led = _ELSEWHERE.match(body)
    if led is not None and context.codes and led[1].upper() not in context.codes:
        return Reading("unclear", hint="another table", table=led[1].upper(), rest=body)
    game, state = context.game, context.state
    if game is None or state is None or context.seat is None or "draw" not in game.verbs or context.stage != "playing":
        return None
    if _SEVERAL.fullmatch(body.strip()) is None:
        return None
    if context.seat not in game.waiting(state) or state.turn != context.seat:
        return Reading("refused", code="TURN", hint="It is not your turn.", rest=body)
    if any(move.verb == "draw" for move in game.legal(state, context.seat)):
        return Reading("refused", code="COUNT", hint="A turn begins with one card: DRAW takes it.", rest=body)
    if state.phase == "meld":
        return Reading("refused", code="PHASE", hint="You have drawn already: lay, add, or DISCARD.", rest=body)
    return None
