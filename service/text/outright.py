"""The two moves that most texts are, in the very words in which we write them ourselves: `draw`, `discard 4H`."""

import re

from engine.cards import read_card
from engine.game import Loose, Spec
from service.text.moves import Reading as Meant
from service.text.reading import Context, Reading
from service.text.trial import Trial

_DRAW = Loose("draw")
_EITHER = re.compile(r"draw|discard ((?:10|[2-9TJQKA])[SHDC])", re.IGNORECASE | re.ASCII)


def outright(text: str, context: Context) -> Reading | None:
    """The reading of such a text where the move is legal; None for any other, and where a question waits for its answer.

    Whatever it gives is what the long way gives, too: a shorter way to the same reading.
    """
    found = _EITHER.fullmatch(text)
    if found is None or context.pending or context.stage != "playing" or context.game is None or context.seat is None:
        return None
    trial = Trial(context)
    if found[1] is None:
        loose = _DRAW
    else:
        card = read_card(found[1])
        loose = Loose("discard", (Spec(card >> 2, card),))
    if loose.verb not in trial.verbs:
        return None
    outcome = trial.attempt(Meant((loose,)), keep=True)
    return Reading("moves", trial.done, trial.happened) if outcome.refusal is None else None
