"""`Did you mean JOKERS or ...?` about a word of a text: the answer (`1`, `ok`, the words) is that text with the right word.

Whoever was asked is answered, at a table or not: so it holds for strangers who open their first.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service.desk import Desk

_YES = frozenset(("ok", "okay", "yep", "yeah", "yup", "sure", "right", "correct", "y"))  # YES is the carrier's word
_FIRST = {"one": 1, "first": 1, "two": 2, "second": 2, "three": 3, "third": 3}


def ask(desk: Desk, wrong: str, meant: Sequence[str]) -> None:
    """Keeps the question open: what the text would be with each of these in place of the wrong words."""
    if desk.sms is None:
        return
    pattern = r"\s+".join(map(re.escape, wrong.split()))
    found = re.search(pattern, desk.sms.body, re.IGNORECASE) if pattern else None
    if found is None or not meant:
        return
    body = desk.sms.body
    texts = [f"{body[: found.start()]}{word}{body[found.end() :]}" for word in meant]
    desk.pending = {"instead": {"words": list(meant), "texts": texts}}


def picked(text: str, pending: Mapping[str, Any]) -> str | None:
    """The whole text that an answer to the question stands for; None where it is no answer to it."""
    asked = pending.get("instead")
    if not asked:
        return None
    words, texts = asked["words"], asked["texts"]
    said = " ".join(text.casefold().strip(" .,!?#").removeprefix("the ").split())
    if said in _YES and len(texts) == 1:
        return str(texts[0])
    number = (
        int(said) if said.isascii() and said.isdigit() and len(said) < 3 else _FIRST.get(said.removesuffix(" one"), 0)
    )
    if 1 <= number <= len(texts):
        return str(texts[number - 1])
    return next((str(whole) for word, whole in zip(words, texts, strict=True) if word.casefold() == said), None)
