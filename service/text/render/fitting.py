"""How long a text may be, and the small words that all of them share."""

import re
from collections.abc import Iterable

from service.text.gsm7 import ONE, TOLL_FREE, clip, fold, septets

TWO = 2 * TOLL_FREE.many - 1  # by any sender; one septet of the first segment is lost where an escape would be split
BRAND = "Queenline"


def fit(*said: str, most: int = TWO, ordinary: int = ONE) -> str:
    """The first of these that is `ordinary`; else the first of at most `most` septets; else the last, cut to that."""
    return fitting(said, most, ordinary)


def fitting(said: Iterable[str], most: int = TWO, ordinary: int = ONE) -> str:
    """The same; of what is made one by one no more is made than is looked at."""
    texts = []
    for text in map(fold, said):
        if septets(text) <= ordinary:
            return text
        texts.append(text)
    return next((text for text in texts if septets(text) <= most), None) or clip(texts[-1], most)


def join(*parts: str) -> str:
    """Sentences with one space between them, empty ones left out."""
    return " ".join(part for part in parts if part)


def branded(text: str) -> str:
    """A text that nobody asked for, with our name before it where that costs no further segment."""
    named = f"{BRAND} {text}"
    room = ONE if septets(text) <= ONE else TWO
    return named if septets(named) <= room else text


def choice_words(choice: str) -> str:
    """A canonical move as it stands in a question: `PICKUP KC KD`, `LAY 10S 10H W`."""
    verb, _, cards = choice.partition(" ")
    shown = " ".join("10" + word[1:] if word[:1] == "T" and word != "TO" else word for word in cards.upper().split())
    return join({"meld": "LAY"}.get(verb, verb.upper()), shown)


def quoted(words: str) -> str:
    """Somebody's own words, short enough to repeat."""
    return clip(fold(words), 40)


def tens(hint: str) -> str:
    """The engine's words as phones show them: `10H` and `LAY 10 10 10`, not `TH`."""
    return re.sub(r"\bT(?=[SHDC]?\b)", "10", hint)


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]
