"""A suit by its letter alone, in games of tricks: `low d`, `lead s`; and a lone `d`, which is asked about, not played.

The letter alone may be a slip, or meant for DRAW at another table, so it never plays by itself. `h` is HAND.
"""

import re
from collections.abc import Callable

from service.text.reading import Context, Reading
from service.text.trial import canonical

_SUITS = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}
_SAID = re.compile(
    r"(?<![^\W_])(?P<before>(?:play|lead|throw|toss|dump|discard|ditch|low|lowest|high|highest|my|any|small|big|smallest|biggest)\s+)"
    r"(?P<suit>[shdc])(?=[\s.!]*(?:\Z|[,;]))",
    re.IGNORECASE,
)


def spelled(body: str) -> str:
    """The text with such a letter as the word for its suit."""
    return _SAID.sub(lambda said: said["before"] + _SUITS[said["suit"].casefold()], body)


def asked(body: str, context: Context, read: Callable[[str], Reading]) -> Reading | None:
    """What a lone letter of a suit may mean, as a question or a refusal; None for any other text."""
    game, state = context.game, context.state
    letter = body.strip(" .,!").casefold()
    if letter not in ("s", "d", "c") or game is None or state is None or context.stage != "playing":
        return None
    if "play" not in game.verbs or getattr(state, "phase", "") != "play" or context.seat not in game.waiting(state):
        return None
    reading = read(_SUITS[letter])
    if reading.kind == "moves":
        return Reading("ask", hint="Which do you mean?", choices=(canonical(reading.moves),), rest=body)
    return reading if reading.kind in ("ask", "refused") else None
