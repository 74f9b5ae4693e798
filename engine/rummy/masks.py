"""Faces as bits of a whole number: whether cards make a meld at all, asked of all of them at once.

Bit `card` stands for that face. The four suits of a rank are four bits in a row, and the next card of a suit is four bits
up, so a few shifts find every set and every run of three. How often a face is there these bits do not say.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_

from engine.cards import WILD, Card, Rank

Faces = int

BITS: Sequence[Faces] = tuple(1 << card for card in range(WILD + 1))
NATURAL: Faces = (1 << 52) - 1
FIRST_SUIT: Faces = sum(1 << card for card in range(0, 52, 4))
TWO_SUITS: Faces = FIRST_SUIT * 7  # where a card and the next may be of one rank
# The cards of the suits that are the bits of a number.
OF_SUITS: Sequence[Faces] = tuple(
    sum(FIRST_SUIT << suit for suit in range(4) if some >> suit & 1) for some in range(16)
)
PLACES = sum(1 << 4 * place for place in range(14))
ACES: Rank = 12
HIGH_ACE = 13  # the place of an ace above a king in a run; below a two it is 0


def faces_of(cards: Iterable[Card]) -> Faces:
    """The faces that are among these cards."""
    faces = 0
    for card in cards:
        faces |= BITS[card]
    return faces


def those_of(cards: Iterable[Card], faces: Faces) -> list[Card]:
    """The cards that are of these faces."""
    return [card for card in cards if faces >> card & 1]


def of_rank(rank: Rank) -> Faces:
    """The four cards of a rank."""
    return 15 << rank * 4


def twos_of_a_rank(faces: Faces) -> Faces:
    """The ranks of which two different cards are there, by the first card of each."""
    a = faces & FIRST_SUIT
    b, c, d = faces >> 1 & FIRST_SUIT, faces >> 2 & FIRST_SUIT, faces >> 3 & FIRST_SUIT
    return (a & (b | c | d)) | (b & (c | d)) | (c & d)


def threes_of_a_rank(faces: Faces) -> Faces:
    """The ranks of which three different cards are there, by the first card of each."""
    if not faces & faces >> 1 & TWO_SUITS:
        return 0  # of three suits two are neighbours
    a = faces & FIRST_SUIT
    b, c, d = faces >> 1 & FIRST_SUIT, faces >> 2 & FIRST_SUIT, faces >> 3 & FIRST_SUIT
    return (a & b & (c | d)) | (c & d & (a | b))


def by_place(faces: Faces, lowest: int) -> int:
    """The places of runs that are held, four bits each, from an ace below the two up to an ace above the king."""
    faces &= NATURAL
    places = faces << 4 | faces >> ACES * 4
    return places >> lowest * 4 << lowest * 4 if lowest else places


def threes_in_a_row(places: int) -> int:
    """The places at which three of a suit begin, of places as `by_place` gives them."""
    twos = places & places >> 4
    return twos & twos >> 4


def twos_near(places: int) -> int:
    """The places at which two of a suit follow each other, or would but for one between them."""
    return places & (places >> 4 | places >> 8)


@lru_cache(maxsize=16)
def thirds(lowest: int) -> Sequence[Sequence[Faces]]:
    """Of each card, the pairs of cards that make a run of three with it."""
    found: list[list[Faces]] = [[] for _ in range(52)]
    for suit in range(4):
        for low in range(lowest, HIGH_ACE - 1):
            three = [(place - 1) % 13 * 4 + suit for place in range(low, low + 3)]
            for card in three:
                found[card].append(faces_of(other for other in three if other != card))
    return tuple(map(tuple, found))


@lru_cache(maxsize=16)
def nearby(lowest: int) -> Sequence[Faces]:
    """Of each card, those with which it makes a run of three, or would with one card more."""
    return tuple(reduce(or_, pairs, 0) for pairs in thirds(lowest))


@lru_cache(maxsize=16)
def completing(lowest: int) -> Sequence[frozenset[Faces]]:
    """Of each card, what of its `nearby` cards makes a run of three with it: every choice that has two which do."""
    found = []
    for pairs, near in zip(thirds(lowest), nearby(lowest), strict=True):
        some = [sub for sub in _parts(near) if any(sub & pair == pair for pair in pairs)]
        found.append(frozenset(some))
    return tuple(found)


@lru_cache(maxsize=64)
def kin(sets: bool, runs: bool, lowest: int) -> Sequence[Faces]:
    """Of each card, the others with which it makes a meld of three, or would with one card more."""
    return tuple(
        (sets and of_rank(card >> 2) & ~BITS[card]) | (runs and near) for card, near in enumerate(nearby(lowest))
    )


@lru_cache(maxsize=64)
def melding(sets: bool, runs: bool, lowest: int) -> Sequence[frozenset[Faces]]:
    """Of each card, what of its `kin` makes a meld with it: every choice that has two which do."""
    found = []
    for card, others in enumerate(kin(sets, runs, lowest)):
        rank, near, both = of_rank(card >> 2), nearby(lowest)[card], completing(lowest)[card]
        found.append(
            frozenset(
                some
                for some in _parts(others)
                if (sets and (some & rank).bit_count() > 1) or (runs and some & near in both)
            )
        )
    return tuple(found)


def _parts(faces: Faces) -> list[Faces]:
    """Every choice of some of these faces."""
    found = [0]
    while faces:
        bit = faces & -faces
        found += [part | bit for part in found]
        faces ^= bit
    return found


# Of each card, those of its suit next to it, the ace being so to the two and to the king.
NEIGHBOURS: Sequence[Faces] = tuple(1 << (card + 4) % 52 | 1 << (card - 4) % 52 for card in range(52))


@lru_cache(maxsize=1024)
def between(suit: int, low: int, high: int) -> Faces:
    """The cards of a suit at the places from `low` up to `high`, that one not among them."""
    return faces_of((place - 1) % 13 * 4 + suit for place in range(low, high))
