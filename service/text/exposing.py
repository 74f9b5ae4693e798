"""`show all`, `both`, `pass` in Gong Zhu: what of the four cards that may be shown is meant. A card once shown stays so: it is asked."""

import re
from collections.abc import Callable

from engine.cards import card_name
from engine.tricks.gong_zhu import EXPOSABLE
from engine.tricks.table import EXPOSE
from service.text.reading import Context, Reading

_POLITE = r"\A(?:(?:ok|okay|well|so|yes|yep|yeah|i|i'll|i will|let me|let's|please|just)[\s,]+)*"
_ALL = re.compile(
    rf"{_POLITE}(?:(?:expos|show|reveal|doubl|declar|sell|turn over|flip)(?:e|ing)? )?"
    r"(?:all(?: (?:of )?(?:them|mine|three|3|four|4|that i have|that i can|i have|i've got|i can))?|everything(?: i (?:have|can))?|(?:them|those) all|the (?:whole )?lot|every (?:one|last one)"
    r"|(?P<both>both(?: (?:of )?(?:them|those))?))(?: (?:please|pls|plz|thanks))*[\s.!]*\Z",
    re.IGNORECASE,
)
_PASS = re.compile(
    rf"{_POLITE}(?:pass|skip|decline|no play)(?: (?:on (?:it|this|that)|this time|this one|thanks|thank you|please|for me|now))*[\s.!]*\Z",
    re.IGNORECASE,
)


def asked(body: str, context: Context, read: Callable[[str], Reading]) -> Reading | None:
    """The question whether these cards, or none, are to be shown; None where the text says no such thing. Said again it is the answer."""
    game, seat = context.game, context.seat
    if game is None or seat is None or "expose" not in game.verbs or getattr(context.state, "phase", "") != EXPOSE:
        return None
    if seat not in game.waiting(context.state):
        return None
    hand = game.view(context.state, seat).hand
    mine = [card for card in EXPOSABLE if card in hand]
    both = _ALL.match(body)
    if _PASS.match(body):
        move = "expose none"
    elif both is not None and mine and (len(mine) == 2 or not both["both"]):
        move = f"expose {' '.join(map(card_name, mine))}"
    else:
        return None
    if context.pending == (move,):
        return read(move)
    return Reading("ask", hint="Which do you mean?", choices=(move,), rest=body)
