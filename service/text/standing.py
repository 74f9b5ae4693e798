"""Words of the run games that need the table: what a wild stands for (`the six as the nine of spades`), how deep a take goes (`the top three
cards`, `pick up with my nines`).
"""

import re
from collections.abc import Sequence
from typing import Any

from engine.cards import JOKER, RANKS, Card, card_name
from service.text import wild_added

_RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_LETTERS = "23456789tjqka"
_RANK = r"(?:10|[2-9]|[tjqka]|aces?|kings?|queens?|jacks?|tens?|nines?|eights?|sevens?|six(?:es)?|fives?|fours?|threes?|twos?|deuces?)"
_SUIT = r"(?:[shdc♠♥♦♣]|spades?|hearts?|diamonds?|clubs?)"
_AS = re.compile(
    rf"(?<!\w)(?:(?:the|my|a|one)\s+)*(?P<wild>wild(?:\s+card)?|joker|jk|w|(?P<rank>{_RANK})(?:\s*(?:of\s+)?(?P<own>{_SUIT}))?)"
    rf"\s+(?:(?:acting|counting|standing|going|used|playing)\s+)?(?P<as>as|for|being|in place of|instead of)\s+(?:(?:a|an|the|my)\s+)*"
    rf"(?P<target>{_RANK})(?:\s*(?:of\s+)?(?P<suit>{_SUIT}))?(?!\w)",
    re.IGNORECASE,
)
_TAKES = r"\b(?:take|taking|pick(?:ing)?\s*up|grab|get|scoop(?:\s+up)?)\s+(?:up\s+)?"
_NUMBERS = {
    word: n for n, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
}
_SOME = re.compile(
    _TAKES + rf"(?:the\s+)?(?:(?P<top>(?:top|last|upper)\s+)(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})(?:\s+cards?)?|(?P<m>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+cards?)"
    r"(?:\s+(?:from|off|of)\s+(?:the\s+)?(?:top|pile|discards?|discard pile|top of the pile))*(?=[\s.!]*(?:\Z|[,;\n]|\b(?:and|then)\b))",
    re.IGNORECASE,
)  # fmt: skip


_WITH = re.compile(
    _TAKES + r"(?:(?:it|them|the (?:pile|pack|stack|discards?|discard pile))\s+)?(?:with|using)\s+"
    rf"(?:(?:my|the|both|a|own)\s+)*(?:(?:two|three|2|3|pair of)\s+(?P<pair>{_RANK})(?:'?s)?|(?P<rank>{_RANK})(?:(?<=s)|'?s))(?!\w)",
    re.IGNORECASE,
)
_TWICE = re.compile(
    _TAKES + rf"(?:with\s+)?(?:(?P<rank>{_RANK})[\s,]+(?:and\s+)?(?P=rank)|(?P<both>[2-9tjqk])(?P=both))(?!\w)",
    re.IGNORECASE,
)
_LAID = re.compile(
    r"\b(?:lay|meld|play|put|go)(?:\s+down)?\b(?P<cards>[^;.\n]*?)(?=[;.\n]|,?\s*\b(?:(?:and|then)\s+)*(?:discard|throw|toss|dump|add|draw)\b|\Z)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[\s,&+]+|\b(?:the|my|a|an|and|with|w|plus|of|n|down|run|cards?|both)\b", re.IGNORECASE)
_NATURAL = re.compile(rf"(?<!\w)({_RANK})(?:\s*(?:of\s+)?({_SUIT}))?(?!\w)", re.IGNORECASE)


def spoken(body: str, view: Any, hand: Sequence[Card]) -> str:
    """The text with both put as the reader of moves has them: `lay 7S 8S 6D=9S`, `take 4D`."""
    pile = getattr(view, "pile", None)
    if view.phase == "draw" and pile:
        body = _SOME.sub(lambda match: _deep(match, pile), body)
        body = _WITH.sub(lambda match: _by_rank(match["pair"] or match["rank"]), body)
        body = _TWICE.sub(lambda match: _by_rank(match["rank"] or match["both"]), body)
    body = wild_added.spoken(body, view, lambda said: _wild(said, view, hand))
    return _LAID.sub(lambda match: _laid(match, view, hand), body) if _AS.search(body) else body


def _deep(match: re.Match[str], pile: Sequence[Card]) -> str:
    said = (match["n"] or match["m"]).lower()
    count = _NUMBERS.get(said) or int(said)
    return f"take {card_name(pile[-count])}" if 0 < count <= len(pile) else match[0]


def _by_rank(word: str) -> str:
    """`take 9` for `pick up with my nines` and for `pickup 9 9`."""
    return f"take {RANKS[_rank(word)]}"


def _laid(match: re.Match[str], view: Any, hand: Sequence[Card]) -> str:
    """A run with its wild as a record has it; in a set the wild can only be of its rank, so that need not be said."""
    said = _AS.search(match["cards"])
    wild = None if said is None else _wild(said, view, hand)
    if said is None or wild is None:
        return match[0]
    rest = f"{match['cards'][: said.start()]} , {match['cards'][said.end() :]}"
    naturals = [(_rank(rank), suit and _suit(suit)) for rank, suit in _NATURAL.findall(rest)]
    suits = {suit for _, suit in naturals if suit != ""} | ({_suit(said["suit"])} if said["suit"] else set())
    target = _rank(said["target"])
    if len(suits) != 1 or len(naturals) < 2 or any(rank == target for rank, _ in naturals):
        before = match.start("cards") - match.start()
        head = match[0][: before + said.start()]
        joint = "" if re.search(r"(?:and|with|plus|[&+])\s*\Z", head, re.IGNORECASE) else "and "
        return f"{head} {joint}{card_name(wild)}{match[0][before + said.end() :]}"
    suit = suits.pop()
    laid = sorted([(rank, f"{card_name(rank * 4 + suit)}") for rank, _ in naturals])
    beside = _LISTED.sub(" ", _NATURAL.sub(" ", rest)).split()  # `nvm` stays to be read
    return " ".join(["lay", *(name for _, name in laid), f"{card_name(wild)}={card_name(target * 4 + suit)}", *beside])


def _wild(said: re.Match[str], view: Any, hand: Sequence[Card]) -> Card | None:
    """The wild card of the hand that the words name; None where they name none, or the ace of spades between two cards."""
    wilds = [card for card in hand if card == JOKER or card >> 2 == getattr(view, "wild", None)]
    ace_of_spades = 12 * 4 + 3
    if (
        said["as"].casefold() == "as"
        and ace_of_spades in hand
        and not re.search(r"\bas\s+(?:a|an|the)\b", said[0], re.IGNORECASE)
    ):
        return None
    if said["rank"]:
        rank = _rank(said["rank"])
        wilds = [c for c in wilds if c >> 2 == rank and (not said["own"] or c & 3 == _suit(said["own"]))]
    elif said["wild"].casefold() in ("joker", "jk"):
        wilds = [card for card in wilds if card == JOKER]
    return wilds[0] if wilds else None


def _rank(word: str) -> int:
    word = word.casefold()
    if word in ("10", *_LETTERS):
        return 8 if word == "10" else _LETTERS.index(word)
    if word.startswith("deuce"):
        return 0
    return next(rank for rank, name in enumerate(_RANKS) if word.startswith(name))


def _suit(word: str) -> int:
    return {"c": 0, "♣": 0, "d": 1, "♦": 1, "h": 2, "♥": 2, "s": 3, "♠": 3}[word[0].casefold()]
