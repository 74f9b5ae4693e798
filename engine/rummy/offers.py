"""The moves that are offered where there are sets and runs: new melds of a hand, and what of it goes on a meld.

Rules digest, sections C and E. What is offered is always legal, and not all there is: with many wilds a hand has
thousands of melds.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from engine.cards import WILD, Card, Rank
from engine.game import Move
from engine.rummy.laying_off import Spot, known_of, spots, takes
from engine.rummy.masks import (
    ACES,
    PLACES,
    TWO_SUITS,
    Faces,
    by_place,
    faces_of,
    those_of,
    threes_in_a_row,
    threes_of_a_rank,
    twos_of_a_rank,
)
from engine.rummy.melds import HIGH_ACE, LOW_ACE, SUITS, Meld, MeldRules, Place, may_have

LONGEST_WITH_WILD = 5  # of the runs with a wild that are offered
# Of each rank, the cards whose suits are the bits of a number.
SUITS_HELD = tuple(
    tuple(tuple(rank * 4 + suit for suit in range(4) if some >> suit & 1) for some in range(16)) for rank in range(13)
)


def meld_move(verb: str, cards: Sequence[Card], stands: Sequence[Card]) -> Move:
    """A new meld, whose cards stand for these."""
    return Move(verb, tuple(cards), stands=() if tuple(stands) == tuple(cards) else tuple(stands))


def add_move(verb: str, meld: Meld, cards: Sequence[Card], at: Sequence[Spot]) -> Move:
    """A lay-off of cards on a meld, where they go on it."""
    cards, stands = tuple(cards), tuple([spot.stands for spot in at])
    return Move(verb, cards, f"M{meld.number}", () if stands == cards else stands)


def layoffs_among(rules: MeldRules, melds: Sequence[Meld], hand: Sequence[Card], fit: Faces) -> list[Move]:
    """The lay-offs on these melds of the faces of the hand that fit one or another: on each of them the naturals as they
    lie in the hand, then the wilds.
    """
    cards = those_of(hand, fit)
    if fit.bit_count() < len(cards):
        cards = list(dict.fromkeys(cards))
    if fit & rules.wild_faces:
        cards.sort(key=rules.wild.__contains__)
    moves: list[Move] = []
    for meld in melds:
        known = meld.known
        fits = fit & (known.takes if known is not None and known.rules is rules else takes(rules, meld))
        if not fits:
            continue
        adds = lays_on("add", meld.number)
        for card in cards if fits & (fits - 1) else (fits.bit_length() - 1,):
            if card in rules.wild:
                moves += _layoffs_of_wild(rules, meld, card)
            elif fits >> card & 1:
                moves.append(adds[card])
    return moves


def _layoffs_of_wild(rules: MeldRules, meld: Meld, wild: Card) -> tuple[Move, ...]:
    """The lay-offs of a wild on the meld; kept with it till it changes."""
    adds = known_of(rules, meld).adds
    found = adds.get(wild)
    if found is None:
        found = adds[wild] = tuple([add_move("add", meld, (wild,), (spot,)) for spot in spots(rules, meld, wild)])
    return found


@lru_cache(maxsize=256)
def lays_on(verb: str, number: int) -> tuple[Move, ...]:
    """Of every card, as itself, the lay-off (or the call, by the verb) on the meld of this number."""
    return tuple(Move(verb, (card,), f"M{number}") for card in range(WILD + 1))


def melds_in(rules: MeldRules, hand: Sequence[Card]) -> list[Move]:
    """The melds offered: all natural ones of a length or two, those with one wild, and one of wilds only."""
    return melds_among(rules, hand, faces_of(hand))


def melds_among(rules: MeldRules, hand: Sequence[Card], faces: Faces) -> list[Move]:
    """The same where the faces are known."""
    if faces & rules.wild_faces:
        return _melds_with_wilds(rules, hand, faces)
    found: list[Move] = []
    if rules.sets:
        if faces.bit_count() < len(hand) and not rules.distinct:  # a card twice may make a set
            for cards in _by_rank(hand):
                if len(cards) > 2:
                    found += _natural_sets(cards, min(len(cards), rules.most))
        elif faces & faces >> 1 & TWO_SUITS:
            for cards in _of_ranks(faces, threes_of_a_rank(faces)):
                found += _natural_sets(cards, min(len(cards), rules.most))
    if rules.runs and faces & faces >> 4 & (faces >> 8 | faces >> ACES * 4):  # three in a row, the ace at either end
        places = by_place(faces, rules.lowest)
        begin = threes_in_a_row(places)
        if begin:
            for suit in range(4):
                low = begin >> suit & PLACES
                if low:
                    found += _natural_runs(suit, low | low << 4 | low << 8, rules.lowest)
    return found


def _melds_with_wilds(rules: MeldRules, hand: Sequence[Card], faces: Faces) -> list[Move]:
    some = faces & rules.wild_faces
    naturals = faces ^ some
    wilds = _in_order(some)
    every: Sequence[Card] = wilds
    twice = 0  # the wilds that are held more than once
    alike = False  # whether a natural card is, where that may make a set
    if faces.bit_count() < len(hand):
        every = those_of(hand, some)
        twice = _twice(every) if len(every) > len(wilds) else 0
        alike = not rules.distinct and naturals.bit_count() < len(hand) - len(every)
    found: list[Move] = []
    if rules.sets:
        held = _by_rank(those_of(hand, naturals)) if alike else _of_ranks(naturals, twos_of_a_rank(naturals))
        for cards in held:
            if len(cards) > 2:
                found += _natural_sets(cards, min(len(cards), rules.most))
            for pair in _pairs(cards):
                for wild in wilds:
                    found.append(pair[wild])
        if rules.all_wild and len(every) >= 3:
            found.append(Move("meld", tuple(sorted(every)[: rules.most])))
    if rules.runs:
        places = by_place(faces, rules.lowest)
        near = places & (places << 4 | places << 8 | places >> 4 | places >> 8)  # others are in no run with one wild
        for suit in range(4) if near else ():
            if near >> suit & PLACES:
                runs = _runs(suit, near >> suit & PLACES, rules.lowest, wilds, twice)
                found += runs if rules.one_wild_fits else _allowed(rules, runs)
    return list(dict.fromkeys(found)) if rules.all_wild else found  # a set of wilds may be a run as well


def _twice(cards: Sequence[Card]) -> Faces:
    """The faces that are there more than once."""
    return faces_of([card for card in cards if cards.count(card) > 1])


@lru_cache(maxsize=1024)
def _in_order(wilds: Faces) -> tuple[Card, ...]:
    """The wilds of these faces, in the order in which they are offered."""
    cards = [card for card in range(wilds.bit_length()) if wilds >> card & 1]
    return tuple(sorted(cards, key=lambda card: (-card >> 2, card)))


class WithWild(dict[Card, Move]):
    """A meld of naturals and one wild: the move for each wild, made when it is first asked for."""

    __slots__ = ("after", "before", "faces", "stands")

    def __init__(self, before: tuple[Card, ...], after: tuple[Card, ...], stands: tuple[Card, ...]) -> None:
        """The naturals before the wild and after it, and what all of them stand for."""
        self.before, self.after, self.stands = before, after, stands
        self.faces = faces_of(before + after)

    def __missing__(self, wild: Card) -> Move:
        cards = (*self.before, wild, *self.after)
        move = self[wild] = Move("meld", cards, stands=() if cards == self.stands else self.stands)
        return move


def _by_rank(naturals: Sequence[Card]) -> list[tuple[Card, ...]]:
    """The cards of each rank, where there are two or more."""
    by_rank: dict[Rank, list[Card]] = {}
    for card in sorted(naturals):
        by_rank.setdefault(card >> 2, []).append(card)
    return [tuple(cards) for cards in by_rank.values() if len(cards) > 1]


def _of_ranks(faces: Faces, ranks: Faces) -> list[tuple[Card, ...]]:
    """The cards of the ranks that are given by their first cards."""
    found = []
    while ranks:
        first = (ranks & -ranks).bit_length() - 1
        found.append(SUITS_HELD[first >> 2][faces >> first & 15])
        ranks &= ranks - 1
    return found


@lru_cache(maxsize=4096)
def _natural_sets(cards: tuple[Card, ...], most: int) -> tuple[Move, ...]:
    """The sets of three of these cards, and those of as many as a set may have."""
    return tuple(Move("meld", some) for size in {3, most} for some in dict.fromkeys(combinations(cards, size)))


@lru_cache(maxsize=4096)
def _pairs(cards: tuple[Card, ...]) -> tuple[WithWild, ...]:
    """The sets of two of these cards of a rank and a wild."""
    return tuple(_pair(*two) for two in dict.fromkeys(combinations(cards, 2)))


@lru_cache(maxsize=512)
def _pair(a: Card, b: Card) -> WithWild:
    free = next(face for face in range(a & ~3, (a & ~3) + 4) if face not in (a, b))
    return WithWild((a, b), (), (a, b, free))


def _windows(held: int, lowest: Place, with_hole: bool) -> Iterator[tuple[Place, int, int]]:
    """Every run of the places held: its lowest place, its size and, or -1, which of its places a wild fills.

    Only short ones have such a hole.
    """
    for low in range(lowest, HIGH_ACE - 1):
        hole = -1
        for place in range(low, HIGH_ACE + (low > LOW_ACE)):
            if not held >> place * 4 & 1:
                if hole >= 0 or not with_hole:
                    break
                hole = place - low
            size = place - low + 1
            if size >= 3 and (hole < 0 or size <= LONGEST_WITH_WILD):
                yield low, size, hole


@lru_cache(maxsize=8192)
def _natural_runs(suit: int, held: int, lowest: Place) -> tuple[Move, ...]:
    """The runs of the places of a suit of which three or more in a row are held."""
    return tuple(_run(suit, low, size) for low, size, _ in _windows(held, lowest, False))


def _runs(suit: int, held: int, lowest: Place, wilds: Sequence[Card], twice: Faces) -> list[Move]:
    """Every run without a hole of the places held of a suit, and the short ones with one hole that a wild fills.

    `twice` are the wilds that are held more than once.
    """
    moves: list[Move] = []
    for run in _patterns(suit, held, lowest):
        if isinstance(run, Move):
            moves.append(run)
            continue
        for wild in wilds:  # one that is in it as itself is no other card of it too
            if not run.faces >> wild & 1 or twice >> wild & 1:
                moves.append(run[wild])  # noqa: PERF401 -- without a closure, which costs more
    return moves


@lru_cache(maxsize=8192)
def _patterns(suit: int, held: int, lowest: Place) -> tuple[Move | WithWild, ...]:
    """The runs that a wild may be in: those without a hole, and those with one."""
    return tuple(
        _run(suit, low, size) if hole < 0 else _run_with_hole(suit, low, size, hole)
        for low, size, hole in _windows(held, lowest, True)
    )


@lru_cache(maxsize=1024)
def _run(suit: int, low: Place, size: int) -> Move:
    return Move("meld", SUITS[suit][low : low + size])


@lru_cache(maxsize=2048)
def _run_with_hole(suit: int, low: Place, size: int, hole: int) -> WithWild:
    stands = SUITS[suit][low : low + size]
    return WithWild(stands[:hole], stands[hole + 1 :], stands)


def _allowed(rules: MeldRules, runs: Sequence[Move]) -> list[Move]:
    return [run for run in runs if _is_allowed(rules, run)]


def _is_allowed(rules: MeldRules, run: Move) -> bool:
    """Whether the limits of wilds allow the run."""
    cards, stands = run.cards, run.stands or run.cards
    if rules.wild.isdisjoint(cards):
        return True
    flags = [
        card in rules.wild and not (rules.own_place and card == face) for card, face in zip(cards, stands, strict=True)
    ]
    return may_have(rules, flags, run=True)
