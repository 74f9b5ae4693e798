"""Cards as small integers, and their two-letter codes.

A card is `rank * 4 + suit`: 0..51 for the French pack (2C first, AS last), `JOKER` for a joker and `WILD` for the
unsuited wild of Damn the Queens. `card >> 2` is its rank for all of them. Two cards with the same face are the same
integer: which copy is which never matters in any of our games.
"""

from collections.abc import Iterable, Sequence

Card = int
Rank = int

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER: Card = 52
WILD: Card = 56
JOKER_RANK: Rank = JOKER >> 2
WILD_RANK: Rank = WILD >> 2
QUEEN: Rank = RANKS.index("Q")
QUEEN_OF_SPADES: Card = QUEEN * 4 + SUITS.index("S")

_RANK_NAMES: dict[Rank, str] = dict(enumerate(RANKS)) | {JOKER_RANK: "JK", WILD_RANK: "W"}
_RANKS_BY_NAME: dict[str, Rank] = {name: rank for rank, name in _RANK_NAMES.items()} | {"10": RANKS.index("T")}
_CARD_NAMES: dict[Card, str] = {r * 4 + s: RANKS[r] + SUITS[s] for r in range(13) for s in range(4)} | {
    JOKER: "JK",
    WILD: "W",
}
_CARDS_BY_NAME: dict[str, Card] = {name: card for card, name in _CARD_NAMES.items()}
_CARDS_BY_NAME |= {"10" + suit: _CARDS_BY_NAME["T" + suit] for suit in SUITS}


def card_name(card: Card) -> str:
    """The canonical code: `QS`, `TH`, `JK`, `W`."""
    return _CARD_NAMES[card]


def rank_name(rank: Rank) -> str:
    """The canonical code of a rank: `9`, `T`, `JK`, `W`."""
    return _RANK_NAMES[rank]


def read_card(text: str) -> Card:
    """A card from its code in any letter case, `10H` as well as `TH`. ValueError says what would work."""
    card = _CARDS_BY_NAME.get(text.upper())
    if card is None:
        raise ValueError(f"{text!r} is not a card; write rank then suit as in 9S, TH, QD, or JK or W")
    return card


def read_rank(text: str) -> Rank:
    """A rank from its code in any letter case. ValueError says what would work."""
    rank = _RANKS_BY_NAME.get(text.upper())
    if rank is None:
        raise ValueError(f"{text!r} is not a rank; write one of {' '.join(RANKS)} JK W")
    return rank


def names(cards: Iterable[Card]) -> str:
    """Codes separated by spaces, in the order given."""
    return " ".join(map(card_name, cards))


def read_cards(text: str) -> list[Card]:
    """Cards from codes separated by spaces (or nothing at all)."""
    return [read_card(word) for word in text.split()]


def french_pack(without: Sequence[Card] = ()) -> list[Card]:
    """The 52 cards, less those named."""
    return [card for card in range(52) if card not in without]
