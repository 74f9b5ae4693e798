"""What is said about a text that reached us so late that it was not acted on."""

from service.text.gsm7 import fold
from service.text.render import BRAND, fit

ECHOED = 30  # characters of their own words


def came_late(words: str, when: str) -> str:
    """To a player whose text was lost on the way and found; `when` they wrote it, as their clock shows it."""
    said = " ".join(fold(words).split())
    said = said if len(said) <= ECHOED else said[: ECHOED - 3] + "..."
    return fit(
        f'{BRAND}: your text "{said}" of {when} has only now reached us, so I did nothing. HAND shows where you are.'
    )
