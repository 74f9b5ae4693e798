"""What goes on a meld that lies on the table: where a card may be laid off, and which wild a real card may take out.

Rules digest, sections C and E; decisions 14 and 16. Sets, runs and their places are those of `engine.rummy.melds`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.cards import Card
from engine.game import Seat
from engine.rummy.masks import Faces, faces_of, of_rank
from engine.rummy.melds import (
    HIGH_ACE,
    LOW_ACE,
    SET,
    WILDS,
    Known,
    Meld,
    MeldRules,
    Place,
    face_at,
    may_have,
    places_of_rank,
    set_stands,
    wild_flags,
)

ENDLESS = 1000  # cards, more than there are

Named = tuple[Card, Card | None]  # a card, and what it is to stand for


class Spot(NamedTuple):
    """Where on a meld a card goes: what it stands for there, its place in a run, and whether beside a wild."""

    stands: Card
    place: Place = SET
    beside: bool = False


def spots(rules: MeldRules, meld: Meld, card: Card) -> list[Spot]:
    """Where this card may be laid off on the meld, the first being what is meant when nothing is said."""
    run = meld.low != SET
    if card not in rules.wild and (card & 3 if run else card >> 2) != meld.kind:
        return []
    return _run_spots(rules, meld, card) if run else _set_spots(rules, meld, card)


def takes(rules: MeldRules, meld: Meld) -> Faces:
    """The faces that may be laid off on the meld: those for which there are `spots`."""
    known = meld.known
    return known.takes if known is not None and known.rules is rules else known_of(rules, meld).takes


def known_of(rules: MeldRules, meld: Meld) -> Known:
    """What is known of the meld, worked out where it was not."""
    known = meld.known
    if known is None or known.rules is not rules:
        known = Known(rules, _set_takes(rules, meld) if meld.low == SET else _run_takes(rules, meld), {})
        meld.known = known
    return known


def _set_takes(rules: MeldRules, meld: Meld) -> Faces:
    cards, faces, wild_faces = meld.cards, 0, rules.wild_faces
    room = len(cards) < rules.most
    if meld.kind != WILDS and (room or (rules.replace == "alongside" and not rules.wild.isdisjoint(cards))):
        faces = of_rank(meld.kind) & ~wild_faces
        if rules.distinct:
            faces &= ~faces_of(cards)
        if not room and sum(card not in rules.wild for card in cards) >= rules.most:
            faces = 0
    if room and wild_faces:
        always = meld.kind == WILDS or rules.limit == "none"
        if always or may_have(rules, [*(card in rules.wild for card in cards), True], run=False):
            faces |= wild_faces
    return faces


def _run_takes(rules: MeldRules, meld: Meld) -> Faces:
    suit, low, cards = meld.kind, meld.low, meld.cards
    ends = faces = _end_faces(suit, rules.lowest, low, low + len(cards) - 1)
    if rules.wild_faces:
        if rules.replace == "alongside" and not rules.wild.isdisjoint(cards):
            for place, card in enumerate(cards, low):
                if card in rules.wild and card != face_at(place, suit) and not _has_beside(meld, place):
                    faces |= 1 << face_at(place, suit)
        faces &= ~rules.wild_faces
        if rules.limit == "none":
            faces |= rules.wild_faces if ends else 0
        else:
            faces |= _wilds_taken(rules, meld)
    return faces


def _wilds_taken(rules: MeldRules, run: Meld) -> Faces:
    """The wilds by which the run may grow, where there are limits to them."""
    return faces_of(card for card in rules.wild if _run_spots(rules, run, card))


@lru_cache(maxsize=512)
def _ends(lowest: Place, low: Place, high: Place) -> tuple[Place, ...]:
    """The places by which a run may grow, the high end first."""
    ends = []
    if high < HIGH_ACE and not (high + 1 == HIGH_ACE and low == LOW_ACE):
        ends.append(high + 1)
    if low > lowest and not (low - 1 == LOW_ACE and high == HIGH_ACE):
        ends.append(low - 1)
    return tuple(ends)


def goes_round(rules: MeldRules, meld: Meld, faces: Sequence[Card]) -> bool:
    """Whether cards that do not go on a run would, if it went round the corner past the ace."""
    left, low, high = list(faces), meld.low, meld.high
    while left and meld.low != SET:
        if face_at(high + 1, meld.kind) in left:
            high += 1
            left.remove(face_at(high, meld.kind))
        elif face_at(low - 1, meld.kind) in left and (low > rules.lowest or rules.lowest == LOW_ACE):
            low -= 1
            left.remove(face_at(low, meld.kind))
        else:
            break
    return not left and (low < LOW_ACE or high > HIGH_ACE or (low, high) == (LOW_ACE, HIGH_ACE))


@lru_cache(maxsize=2048)
def _end_faces(suit: int, lowest: Place, low: Place, high: Place) -> Faces:
    """The cards that belong at those places."""
    return faces_of(face_at(place, suit) for place in _ends(lowest, low, high))


def _set_spots(rules: MeldRules, meld: Meld, card: Card) -> list[Spot]:
    cards = meld.cards
    if card in rules.wild:
        if len(cards) >= rules.most:
            return []
        if meld.kind == WILDS:
            return [Spot(card)]
        if rules.limit != "none" and not may_have(rules, [c in rules.wild for c in (*cards, card)], run=False):
            return []
        return [Spot(set_stands(rules, [*cards, card], [None] * (len(cards) + 1), meld.kind)[-1])]
    if card >> 2 != meld.kind or (rules.distinct and card in cards):
        return []
    if len(cards) < rules.most:
        return [Spot(card)]
    full_of_naturals = sum(c not in rules.wild for c in cards) >= rules.most
    return [] if full_of_naturals or rules.replace != "alongside" else [Spot(card, beside=True)]


def _run_spots(rules: MeldRules, meld: Meld, card: Card) -> list[Spot]:
    suit, low, high = meld.kind, meld.low, meld.low + len(meld.cards) - 1
    ends = _ends(rules.lowest, low, high)
    if card in rules.wild:
        if rules.limit != "none":
            ends = _allowed_ends(rules, meld, card, ends)
        if len(ends) > 1 and face_at(ends[1], suit) == card:
            ends = ends[::-1]  # as itself rather than as a wild
        return _ways(suit, ends)
    if card & 3 != suit or card >= 52:
        return []
    found = []
    for place in places_of_rank(card >> 2):
        if place in ends:
            found.append(Spot(card, place))
        elif low <= place <= high and rules.replace == "alongside" and _is_filled_by_wild(rules, meld, place, card):
            found += [] if _has_beside(meld, place) else [Spot(card, place, beside=True)]
    return found


def _ways(suit: int, ends: Sequence[Place]) -> list[Spot]:
    """Where a wild goes on a run that may grow by these places."""
    return [Spot(face_at(place, suit), place) for place in ends]


def _has_beside(run: Meld, place: Place) -> bool:
    """Whether a real card lies beside the wild at this place."""
    return any(place == other for other, _, _ in run.beside)


def _allowed_ends(rules: MeldRules, run: Meld, wild: Card, ends: Sequence[Place]) -> tuple[Place, ...]:
    return tuple([place for place in ends if _may_grow(rules, run, wild, place)])


def _may_grow(rules: MeldRules, run: Meld, wild: Card, place: Place) -> bool:
    """Whether the limits of wilds allow the run with this one at an end of it."""
    cards = [*run.cards, wild] if place > run.high else [wild, *run.cards]
    return may_have(rules, wild_flags(rules, cards, min(run.low, place), run.kind), run=True)


def _is_filled_by_wild(rules: MeldRules, meld: Meld, place: Place, card: Card) -> bool:
    there = meld.cards[place - meld.low]
    return there in rules.wild and there != card


def lay_on(meld: Meld, spot: Spot, card: Card, seat: Seat) -> None:
    """Lays the card where it goes."""
    meld.known = None
    if meld.low != SET and spot.beside:
        meld.beside.append((spot.place, card, seat))
    elif meld.low != SET and spot.place < meld.low:
        meld.cards.insert(0, card)
        meld.seats.insert(0, seat)
        meld.low -= 1
    else:
        meld.cards.append(card)
        meld.seats.append(seat)


def swappable(rules: MeldRules, meld: Meld, card: Card) -> list[Card]:
    """The wilds of the meld that this real card may take the place of."""
    if rules.replace != "swap" or card in rules.wild or card >= 52:
        return []
    if meld.low == SET:
        if meld.kind != card >> 2 or (rules.distinct and card in meld.cards):
            return []
        return list(dict.fromkeys(wild for wild in meld.cards if wild in rules.wild))
    if card & 3 != meld.kind:
        return []
    places = [place for place in places_of_rank(card >> 2) if meld.low <= place <= meld.high]
    return [meld.cards[p - meld.low] for p in places if _is_filled_by_wild(rules, meld, p, card)]


def swap_in(meld: Meld, card: Card, wild: Card, seat: Seat) -> None:
    """Puts the real card in the place of the wild."""
    meld.known = None
    if meld.low == SET:
        at = meld.cards.index(wild)
    else:
        at = next(
            p - meld.low
            for p in places_of_rank(card >> 2)
            if meld.low <= p <= meld.high and meld.cards[p - meld.low] == wild
        )
    meld.cards[at] = card
    meld.seats[at] = seat


# Several cards at once


def means(meld: Meld, spot: Spot, want: Card) -> bool:
    """Whether the spot is the one that was asked for; in a set only the rank counts."""
    return spot.stands == want if meld.low != SET else spot.stands >> 2 == want >> 2


def meaning(meld: Meld, fits: Sequence[Spot], want: Card) -> list[Spot]:
    """Those of the spots that are what was asked for."""
    return [spot for spot in fits if means(meld, spot, want)]


def lay_all(
    rules: MeldRules, meld: Meld, cards: Sequence[Card], wanted: Sequence[Card | None]
) -> tuple[list[Card], list[Spot]] | None:
    """The cards in an order in which each fits the meld, with where they go; None where there is none."""
    left = sorted(zip(cards, wanted, strict=True), key=lambda pair: (pair[0] in rules.wild, pair[1] is None))
    found = _lay_rest(rules, meld, left, set())
    if found is None and meld.low == SET and len(left) > 1:  # a wild that is there first may have real cards beside it
        left.sort(key=lambda pair: pair[0] not in rules.wild)
        found = _lay_rest(rules, meld, left, set())
    return None if found is None else ([card for card, _ in found], [spot for _, spot in found])


def _lay_rest(
    rules: MeldRules, meld: Meld, left: Sequence[Named], tried: set[tuple[int, int, tuple[Named, ...]]]
) -> list[tuple[Card, Spot]] | None:
    """The same of what is left. A natural that fits goes there; a wild may go to either end of a run, and where one
    leads nowhere the other is tried. `tried` holds what has led nowhere.
    """
    state = (meld.low, len(meld.cards), tuple(left))
    if state in tried:
        return None
    for i, (card, want) in enumerate(left):
        fits = [spot for spot in spots(rules, meld, card) if want is None or means(meld, spot, want)]
        for spot in fits:
            rest: list[tuple[Card, Spot]] | None = []
            if len(left) > 1:
                trial = meld.copy()
                lay_on(trial, spot, card, 0)
                rest = _lay_rest(rules, trial, [*left[:i], *left[i + 1 :]], tried)
            if rest is not None:
                return [(card, spot if want is None else spot._replace(stands=want)), *rest]
        if fits and (meld.low == SET or card not in rules.wild):
            break
    tried.add(state)
    return None


@lru_cache(maxsize=512)
def without_limits(rules: MeldRules) -> MeldRules:
    """The same, but that a meld may have any number of wilds, and a set any number of cards."""
    return replace(rules, most=ENDLESS, limit="none")
