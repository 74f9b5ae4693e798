"""Cards, sets and scores in the few letters a text has room for."""

from collections.abc import Iterable, Sequence

from engine.cards import JOKER, QUEEN_OF_SPADES, WILD, Card, card_name, rank_name
from engine.game import Move, describe_rank

TEN = 8


def card(c: Card) -> str:
    """A card as phones show it: `10H` rather than `TH`."""
    return card_name(c).replace("T", "10")


def rank(r: int) -> str:
    """A rank as phones show it."""
    return rank_name(r).replace("T", "10")


def cards(some: Iterable[Card]) -> str:
    """Whole cards, in the order given."""
    return " ".join(map(card, some))


def grouped(hand: Sequence[Card]) -> str:
    """A sorted hand with the suits of a rank behind it: `9SC QH KDH W W`; a joker or wild as often as it is there."""
    words: list[str] = []
    last = None
    for c in hand:
        if c >= JOKER or c >> 2 != last:
            words.append(card(c))
            last = None if c >= JOKER else c >> 2
        else:
            words[-1] += card_name(c)[1]
    return " ".join(words)


def by_rank(hand: Sequence[Card]) -> str:
    """A sorted hand without suits, for games where they don't count: `33 4 99 QQ QS KK JK W`."""
    words: list[str] = []
    last = ""
    for c in hand:
        name = card(c) if c in (QUEEN_OF_SPADES, JOKER) else rank(c >> 2)
        if name == last and len(name) == 1:
            words[-1] += name
        else:
            words.append(name)
        last = name
    return " ".join(words)


def a_set(some: Sequence[Card]) -> str:
    """A set by its ranks, for games where suits do not count: `KKK`, `3 10s`, `QQW`; the queen of spades is named."""
    naturals = [c for c in some if c != WILD]
    wilds = len(some) - len(naturals)
    if not naturals:
        return "W" * wilds
    name = rank(naturals[0] >> 2)
    if len(name) > 1 or len(naturals) > 4:
        said = f"{len(naturals)} {name}s" if len(naturals) > 1 else name
        return said + ("+W" if wilds == 1 else f"+{wilds}W" if wilds else "")
    queens = naturals.count(QUEEN_OF_SPADES)
    plain = name * (len(naturals) - queens) + "W" * wilds
    return plain if not queens else " ".join(["QS"] * queens + ([plain] if plain else []))


def signed(number: int) -> str:
    """A gain or a loss: `+40`, `-5`, `0`."""
    return f"{number:+d}" if number else "0"


def number_of(count: int, thing: str) -> str:
    """`1 card`, `5 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(things: Sequence[str], last: str = "and") -> str:
    """`Ann`, `Ann and Bea`, `Ann, Bea and Cy`."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} {last} {things[-1]}"


def command(move: Move) -> str:
    """A move as a player would text it back, in capitals: `PICKUP 9 9`, `LAY KKW`, `ADD 9`, `DISCARD 4H`.

    Suits are left out of takes, lays and adds except for the queen of spades, whose value differs.
    """
    verb = {"meld": "LAY"}.get(move.verb, move.verb.upper())
    if move.verb == "discard":
        return f"{verb} {cards(move.cards)}"
    said = " ".join(card(c) if c in (QUEEN_OF_SPADES, JOKER, WILD) else rank(c >> 2) for c in move.cards)
    if move.verb == "add" and any(c == WILD for c in move.cards):
        return f"{verb} {said} TO {move.to.replace('T', '10')}"
    if move.verb == "meld" and all(len(word) == 1 for word in said.split()):
        said = said.replace(" ", "")
    return f"{verb} {said}".rstrip()


__all__ = [
    "a_set",
    "by_rank",
    "card",
    "cards",
    "command",
    "describe_rank",
    "grouped",
    "listed",
    "number_of",
    "rank",
    "signed",
]
