"""What players are told when the operator has done something to their table by hand (`queenline admin`)."""

from service.text.gsm7 import clip, fold
from service.text.render import fit, join

MOST_WHY = 60  # characters of the operator's reason


def is_paused(code: str, why: str) -> str:
    """To who moves at a table that stands still."""
    return fit(join(f"{code} is paused by those who run Queenline.", _why(why), "Nothing is lost; you'll get a text."))


def paused(code: str, why: str) -> str:
    """To everybody at a table that stands still from now on."""
    return fit(
        join(f"{code} is paused by those who run Queenline, and no clock runs.", _why(why), "You'll get a text.")
    )


def resumed(code: str, whose: str) -> str:
    """To everybody: it goes on. `whose` is the name of whoever is to play, or empty."""
    return fit(join(f"{code} goes on.", f"It's {whose}'s turn." if whose else ""))


def new_deadline(code: str, when: str) -> str:
    """To who must act: their clock was moved."""
    return fit(f"{code}: you now have until {when} to play.")


def took_back(code: str, name: str, line: str, own: bool) -> str:
    """To everybody: a move that should not have been made is gone. `line` as it stands in a question: `DISCARD 4H`."""
    whose = "your" if own else f"{name}'s"
    return f"{code}: those who run Queenline took back {whose} {line}."


def _why(why: str) -> str:
    text = clip(fold(why).strip(), MOST_WHY).rstrip(".")
    return f"{text}." if text else ""
