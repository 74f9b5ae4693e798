"""`Did you mean JOKERS or ...?` about a word of a text: the answer (`1`, `ok`, the words) is that text with the right word.

Whoever was asked is answered, at a table or not: so it holds for strangers who open their first.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.registry import find

if TYPE_CHECKING:
    from service.desk import Desk

_YES = frozenset(
    (
        "ok", "okay", "yep", "yeah", "yup", "ya", "yea", "sure", "right", "correct", "y", "exactly", "yes please", "ok please",
        "that one", "that's it", "thats it", "that's right", "i did", "i do", "i meant that", "please", "ok thanks", "yes i did", "yes that one",
    )
)  # fmt: skip  # YES alone is the carrier's word
_FIRST = {"one": 1, "first": 1, "two": 2, "second": 2, "three": 3, "third": 3}


def ask(desk: "Desk", wrong: str, meant: Sequence[str], lead: str = "") -> None:
    """Keeps the question open: what the text would be with each of these in place of the wrong words.

    Where they are not in the text as it was written, or none are wrong, it is `lead` and the right ones.
    """
    if desk.sms is None or not meant:
        return
    body = desk.sms.body
    pattern = r"\s+".join(map(re.escape, wrong.split()))
    found = re.search(pattern, body, re.IGNORECASE) if pattern else None
    if found is not None:
        texts = [f"{body[: found.start()]}{word}{body[found.end() :]}" for word in meant]
    elif lead:
        texts = [f"{lead} {word}" for word in meant]
    else:
        return
    desk.pending = {"instead": {"words": list(meant), "texts": texts}}


def open_words(pending: Mapping[str, Any]) -> list[str]:
    """What the open question offers, in its order; none where no such question is open."""
    asked = pending.get("instead")
    return list(asked["words"]) if asked else []


def picked(text: str, pending: Mapping[str, Any]) -> str | None:
    """The whole text that an answer to the question stands for; None where it is no answer to it."""
    asked = pending.get("instead")
    if not asked:
        return None
    words, texts = asked["words"], asked["texts"]
    said = " ".join(text.casefold().strip(" .,!?#").removeprefix("the ").removeprefix("new ").split())
    if said in _YES and len(texts) == 1:
        return str(texts[0])
    number = (
        int(said) if said.isascii() and said.isdigit() and len(said) < 3 else _FIRST.get(said.removesuffix(" one"), 0)
    )
    if 1 <= number <= len(texts):
        return str(texts[number - 1])
    game = find(said)  # by whatever name: `Queen of Spades` where QOS was offered
    return next(
        (
            str(whole)
            for word, whole in zip(words, texts, strict=True)
            if word.casefold() == said or (game is not None and find(word) is game)
        ),
        None,
    )
