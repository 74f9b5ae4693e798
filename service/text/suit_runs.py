"""A run that is named by its suit alone: `lay my run of diamonds`, `the spade run`; and several melds written one behind the other."""

import re
from collections.abc import Sequence

from engine.cards import Card, card_name
from engine.game import Loose, Spec
from service.text.parse import Unit
from service.text.wordings import RANK

_SUITS = {"c": 0, "♣": 0, "d": 1, "♦": 1, "h": 2, "♥": 2, "s": 3, "♠": 3}
_SUIT = r"(?P<suit{0}>spades?|hearts?|diamonds?|clubs?|♠|♥|♦|♣)"
_RUN = r"(?:run|sequence|straight|straight flush|line)"
_ENDS = r"(?! (?:with|plus|from)\b| (?:10|[2-9tjqka])\b)(?=\s*(?:[,.;!&\n]|\Z|\b(?:and|then|n|lay|meld|add|disc(?:ard)?|throw|toss|down|please|pls|thanks|on the table)\b))"
_NAMED = re.compile(
    rf"(?P<verb>\b(?:lay(?:ing)?|meld(?:ing)?|put(?:ting)?|play(?:ing)?|go|going|lay out)(?: down| out)?(?: with)?\s+|\A(?:ok |okay |please )*)(?:(?:the|my|a|that|this|whole|entire|own)\s+)*"
    rf"(?:{_SUIT.format(1)} {_RUN}|{_RUN} (?:of|in) (?:the )?{_SUIT.format(2)}){_ENDS}",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"(?P<verb>\b(?:lay(?:ing)?|meld(?:ing)?|put(?:ting)?)(?: down)?\s+)(?:all )?(?:my|the|all) {_SUIT.format(1)}{_ENDS}",
    re.IGNORECASE,
)


def put_plainly(body: str, hand: Sequence[Card]) -> str:
    """The text with the cards of such a run, where the hand has one run of that suit and no other way to make it."""
    body = _SUIT_FIRST.sub(r"\2 of \1", body)
    body = _NAMED.sub(lambda found: _cards(found, found["suit1"] or found["suit2"], hand, every=False), body)
    return _ALL.sub(lambda found: _cards(found, found["suit1"], hand, every=True), body)


_SUIT_FIRST = re.compile(  # spades 789, spades 7 thru 9
    rf"\b(?:the |a |my )?(spades?|hearts?|diamonds?|clubs?)(?: run)?[\s:,]+([2-9]{{3,8}}|{RANK}\s*(?:-|\.\.+|\b(?:to|thru|through|till|until)\b)\s*{RANK})(?!\w)(?! of\b)",
    re.IGNORECASE,
)
_IN_ONE_WORD = re.compile(r"(?<![^\W_])([2-9tjqka]{3,13})([shdc♠♥♦♣])(?![^\W_])", re.IGNORECASE)
_BEFORE_A_SUIT = re.compile(
    r"(?<![^\W_])([2-9]{3,8}) (?:of )?([shdc])(?:pades?|earts?|iamonds?|lubs?)(?!\w)", re.IGNORECASE
)
_ORDER = "a23456789tjqka"


def written_out(body: str) -> str:
    """`789s` as `7S 8S 9S`."""
    return _IN_ONE_WORD.sub(_one_by_one, _BEFORE_A_SUIT.sub(r"\1\2", body))


def _one_by_one(found: re.Match[str]) -> str:
    ranks, suit = found[1].lower(), "♣♦♥♠".find(found[2])
    if ranks not in _ORDER and ranks[::-1] not in _ORDER:
        return found[0]
    return " ".join(f"{rank.upper()}{'CDHS'[suit] if suit >= 0 else found[2].upper()}" for rank in ranks)


def _cards(found: re.Match[str], suit: str, hand: Sequence[Card], *, every: bool) -> str:
    held = [card for card in hand if card < 52 and card & 3 == _SUITS[suit[0].lower()]]
    runs = longest(held)
    if len(runs) != 1 or (every and len(runs[0]) != len(held)):
        return found[0]
    return f"{found['verb']}{' '.join(map(card_name, runs[0]))}"


def longest(held: Sequence[Card]) -> list[list[Card]]:
    """The runs of three and more that these cards of one suit make, each as long as may be; an ace goes below or above."""
    runs: list[list[Card]] = []
    places = sorted({card >> 2 for card in held} | ({-1} if any(card >> 2 == 12 for card in held) else set()))
    suit = held[0] & 3 if held else 0
    start = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or places[i] != places[i - 1] + 1:
            if i - start >= 3:
                runs.append([(place if place >= 0 else 12) * 4 + suit for place in places[start:i]])
            start = i
    return runs


def melds(units: Sequence[Unit]) -> tuple[Loose, ...]:
    """Several melds in a row, `789s kkk`: one where each is a rank three times or a run of three; else none."""
    parts: list[list[Unit]] = []
    for unit in units:
        if unit.whole or unit.n > 1 or not parts or not _goes_on(parts[-1], unit):
            parts.append([unit])
        else:
            parts[-1].append(unit)
    if len(parts) < 2 or not all(any(u.whole for u in part) or sum(u.n for u in part) > 2 for part in parts):
        return ()
    return tuple(
        Loose("meld", tuple(Spec(u.rank, u.card) for u in part if not u.whole for _ in range(u.n)),
              whole_rank=tuple(u.rank for u in part if u.whole))
        for part in parts
    )  # fmt: skip


def _goes_on(part: Sequence[Unit], unit: Unit) -> bool:
    """Whether this card goes on with the set or the run that was begun."""
    last = part[-1]
    if last.whole or last.n > 1:
        return False
    if len(part) == 1:
        return unit.rank == last.rank or _next(last, unit)
    if part[0].rank == part[1].rank:
        return unit.rank == last.rank
    return _next(last, unit)


def _next(last: Unit, unit: Unit) -> bool:
    if last.card is None or unit.card is None or last.card >= 52 or unit.card >= 52 or last.card & 3 != unit.card & 3:
        return False
    return unit.rank == last.rank + 1 or (last.rank == 12 and unit.rank == 0)
