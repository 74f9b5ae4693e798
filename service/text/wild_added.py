"""What a wild stands for that is added to a meld: `add the joker to M1 as the king of diamonds` is `add JK=KD to M1`."""

import re
from collections.abc import Callable
from typing import Any

from engine.cards import JOKER, Card, card_name

_WORDS = {
    word: rank
    for rank, said in enumerate(
        ("2 two twos deuce", "3 three", "4 four", "5 five", "6 six", "7 seven", "8 eight", "9 nine", "10 t ten", "j jack", "q queen", "k king",
         "a ace")
    )
    for word in said.split()
}  # fmt: skip
_SUITS = {"c": 0, "♣": 0, "d": 1, "♦": 1, "h": 2, "♥": 2, "s": 3, "♠": 3}
_RANK = "|".join(sorted(_WORDS, key=len, reverse=True))
_SUIT = r"(?:spades?|hearts?|diamonds?|clubs?|[shdc♠♥♦♣])"
_WILD = rf"(?:(?:the|my|a|one)\s+)*(?P<wild>wild(?:\s+card)?|joker|jk|w|(?P<rank>{_RANK})(?:\s*(?:of\s+)?(?P<own>{_SUIT}))?)"
_STANDS = (
    r"(?:(?:acting|counting|standing|used|playing)\s+)?(?P<as>as|for|being|in place of|instead of)\s+(?:(?:a|an|the)\s+)?"
    rf"(?P<target>{_RANK})(?:\s*(?:of\s+)?(?P<suit>{_SUIT}))?(?!\w)"
)
_MELD = (
    r"(?:(?:to|on|onto|in|into)\s+)?(?P<meld>(?:meld\s*|m)(?P<number>\d{1,2})(?!\w)"
    rf"|(?<=\s)(?:(?:the|my|[^\W\d_]+'s)\s+)?(?:(?:run|set|meld|sequence|spread)(?:\s+of\s+\w+)?|(?:{_RANK})e?s|spades|hearts|diamonds|clubs)(?!\w))"
)
_VERB = r"(?:(?:\A|(?<=[,;.\n])\s*)(?:(?:and|then)\s+)?|\b(?:add|put|place|stick|attach|lay\s*off|lay|play)\s+)"
_ADDED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_VERB}{_WILD}\s*,?\s*{_MELD}\s*,?\s*{_STANDS}",
        rf"{_VERB}{_WILD}\s*,?\s*{_STANDS}\s*,?\s*{_MELD}",
    )
)


def spoken(body: str, view: Any, held: Callable[[re.Match[str]], Card | None]) -> str:
    """The text with such an addition as a record has it; `held` gives the wild card of the hand that is named."""
    for pattern in _ADDED:
        body = pattern.sub(lambda said: _added(said, view, held(said)), body)
    return body


def _added(said: re.Match[str], view: Any, wild: Card | None) -> str:
    suit = _SUITS[said["suit"][0].casefold()] if said["suit"] else _suit_of(said["number"], view)
    if wild is None or suit is None:
        return said[0]
    stands = card_name(_WORDS[said["target"].casefold()] * 4 + suit)
    return f"add {card_name(wild)}={stands} to {_set_of(said['meld'], view)}"


def _set_of(meld: str, view: Any) -> str:
    """The meld as it is named; the number of a set that is named by its rank."""
    of = re.fullmatch(rf"(?:.*\s)?({_RANK})e?s", meld, re.IGNORECASE)
    rank = None if of is None else _WORDS[of[1].casefold()]
    numbers = [laid.number for laid in view.melds if {card >> 2 for card in _plain(laid, view)} == {rank}]
    return f"M{numbers[0]}" if len(numbers) == 1 else meld


def _suit_of(number: str | None, view: Any) -> int | None:
    """The suit of the run of this number; None where that is no run or none is named."""
    meld = next((meld for meld in view.melds if number is not None and meld.number == int(number)), None)
    plain = [] if meld is None else _plain(meld, view)
    suits = {card & 3 for card in plain}
    return suits.pop() if len(suits) == 1 and len({card >> 2 for card in plain}) > 1 else None


def _plain(meld: Any, view: Any) -> list[Card]:
    """The cards of a meld that are not wild."""
    return [card for card in meld.cards if card < JOKER and card >> 2 != getattr(view, "wild", None)]
