"""Who wants no answer to a play that was understood (`answers off`): the next text that is theirs anyway says it all.

Refusals and questions are always answered, and so is what has shown its player something: a card drawn, a round that is
over, a turn that is theirs again. Cards that were passed to them come with their first turn, not in a text before it.
"""

from collections.abc import Iterable

from engine.game import Event
from service.stored import Sitter
from service.text.render import Scene

PLAIN = frozenset(("play", "pass", "expose", "exchange", "bid", "meld", "add", "discard"))  # its player knows all of it
AT_THE_TURN = frozenset(("receive",))  # cards passed to somebody: told with the hand, in the next turn text


def asked_for(sitter: Sitter) -> bool:
    """Whether this player has texted `answers off`."""
    return sitter.prefs.get("answers") is False


def looks_at_once(sitter: Sitter) -> bool:
    """Whether this player has texted `blind off`: no question before each hand of Spades, and no blind nil."""
    return sitter.prefs.get("blind") is False


def adds_nothing(scene: Scene, own: Iterable[Event], since: Iterable[Event]) -> bool:
    """Whether an answer would only repeat a play (`own`) and name who is next; `since` is what happened after it at once."""
    if scene.mine or scene.view.over:
        return False
    mine = [event for event in (*own, *since) if event.seat == scene.seat and event.kind != "trick"]
    return bool(mine) and all(event.kind in PLAIN | AT_THE_TURN for event in mine)
