"""House rules with a slip in a word: `jack of dimonds`. Put right only where one word is near; never a choice of two."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product

from rapidfuzz import fuzz, process

from service.text.house_book import HYPHENS, LITTLE, book_of, key_of, plain

NEAR = 88  # of 100, by RapidFuzz's ratio: one letter of a word of five
SHORTEST = 5
MOST = 8  # ways to put a text right that are looked at


@lru_cache(maxsize=16)
def _words(game: str) -> tuple[str, ...]:
    """All words of five letters and more that house rules of this game are said with."""
    said = (HYPHENS.sub(" ", plain(wording)).split() for wording in book_of(game).vocabulary)
    return tuple(sorted({word for each in said for word in each if len(word) >= SHORTEST and word.isalpha()}))


def respelled(text: str, unknown: Iterable[str], game: str) -> Iterator[str]:
    """The text with the words that were not understood put right, in each way there is; none where there is no way."""
    known = {key_of(word) for word in _words(game)}
    wrong = [
        word
        for word in dict.fromkeys(" ".join(unknown).split())
        if len(word) >= SHORTEST and word.isalpha() and word not in LITTLE and key_of(word) not in known
    ]
    near = [_near(word, game) for word in wrong]
    if not wrong or not all(near):
        return
    for chosen in islice(product(*near), MOST):
        said = plain(text)
        for word, right in zip(wrong, chosen, strict=True):
            said = re.sub(rf"\b{re.escape(word)}\b", right, said)
        yield said


def _near(word: str, game: str) -> list[str]:
    """The words this may be, one of each stem; `limited` is not `unlimited`."""
    found = process.extract(word, _words(game), scorer=fuzz.ratio, score_cutoff=NEAR, limit=6)
    stems: dict[str, str] = {}
    for right, _, _ in found:
        if not (word.endswith(right) or right.endswith(word)):
            stems.setdefault(key_of(right), right)
    return list(stems.values())
