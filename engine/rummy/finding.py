"""Finds what a hand can lay where there are sets and runs: the moves that are offered, and whether a card has any use.

Rules digest, sections C and E; decisions 15 and 40. What is found is always legal. What is offered is not all there is:
with many wilds a hand has thousands of melds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engine.cards import Card, Rank
from engine.rummy.melds import (
    HIGH_ACE,
    LOW_ACE,
    SET,
    Meld,
    MeldRules,
    Spot,
    face_at,
    lay_on,
    may_have,
    places_of_rank,
    spots,
    swap_in,
    swappable,
    wild_flags,
)

LONGEST_WITH_WILD = 5  # of the runs with a wild that are offered


class Found(NamedTuple):
    """Cards that can be laid as a meld, and what each stands for."""

    cards: tuple[Card, ...]
    stands: tuple[Card, ...]


class Use(NamedTuple):
    """The first step to a use of a card: a new meld, or a card laid off on (or swapped into) a meld by its number."""

    found: Found | None = None
    meld: int = 0
    card: Card = 0
    spot: Spot | None = None
    wild: Card | None = None  # the wild that is swapped out


def melds_in(rules: MeldRules, hand: Sequence[Card]) -> list[Found]:
    """The melds offered: all natural ones of a length or two, those with one wild, and one of wilds only."""
    wilds = sorted({card for card in hand if card in rules.wild}, key=lambda card: (-card >> 2, card))
    naturals = [card for card in hand if card not in rules.wild]
    found: dict[Found, None] = {}
    if rules.sets:
        found |= dict.fromkeys(_sets(rules, naturals, wilds))
        every = [card for card in hand if card in rules.wild]
        if rules.all_wild and len(every) >= 3:
            cards = tuple(sorted(every)[: rules.most])
            found[Found(cards, cards)] = None
    if rules.runs:
        found |= dict.fromkeys(_runs(rules, hand, wilds))
    return list(found)


def _sets(rules: MeldRules, naturals: Sequence[Card], wilds: Sequence[Card]) -> Iterator[Found]:
    by_rank: dict[Rank, list[Card]] = {}
    for card in sorted(set(naturals) if rules.distinct else naturals):
        by_rank.setdefault(card >> 2, []).append(card)
    for cards in by_rank.values():
        if len(cards) < (2 if wilds else 3):
            continue
        if len(cards) >= 3:
            for size in {3, min(len(cards), rules.most)}:
                for some in dict.fromkeys(combinations(cards, size)):
                    yield Found(some, some)
        if len(cards) >= 2 and wilds and may_have(rules, (False, False, True), run=False):
            for pair in dict.fromkeys(combinations(cards, 2)):
                free = next(face for face in range(pair[0] & ~3, (pair[0] & ~3) + 4) if face not in pair)
                for wild in wilds:
                    yield Found((*pair, wild), (*pair, free))


def _runs(rules: MeldRules, hand: Sequence[Card], wilds: Sequence[Card]) -> Iterator[Found]:
    """Every run without a hole, and the short ones with one hole that a wild fills."""
    with_hole = bool(wilds) and may_have(rules, (False, False, True), run=True)
    masks = [0, 0, 0, 0]  # the places held, a bit each
    for card in hand:
        if card < 52:
            masks[card & 3] |= 2 << (card >> 2)
    for suit, mask in enumerate(masks):
        if mask >> HIGH_ACE:
            mask |= 1 << LOW_ACE
        mask = mask >> rules.lowest << rules.lowest
        if not mask & mask >> 1 & mask >> 2 and not (with_hole and mask & (mask >> 1 | mask >> 2)):
            continue
        held = [bool(mask >> place & 1) for place in range(HIGH_ACE + 1)]
        for low in range(rules.lowest, HIGH_ACE - 1):
            cards: list[Card] = []
            hole = -1
            for place in range(low, HIGH_ACE + 1):
                if low == LOW_ACE and place == HIGH_ACE:
                    break
                face = face_at(place, suit)
                if held[place]:
                    cards.append(face)
                elif hole < 0 and with_hole:
                    hole = place - low
                    cards.append(-1)
                else:
                    break
                if len(cards) < 3 or (hole >= 0 and len(cards) > LONGEST_WITH_WILD):
                    continue
                for wild in wilds if hole >= 0 else (-1,):
                    if wild not in cards or hole < 0 or hand.count(wild) > 1:  # else it stands elsewhere in this run
                        yield from _filled(rules, cards, wild, low, suit)


def _filled(rules: MeldRules, cards: Sequence[Card], wild: Card, low: int, suit: int) -> Iterator[Found]:
    """The run with this wild in its hole, where the limits allow it."""
    run = tuple(wild if card < 0 else card for card in cards)
    if any(card in rules.wild for card in run) and not may_have(rules, wild_flags(rules, run, low, suit), run=True):
        return
    yield Found(run, tuple(face_at(low + i, suit) for i in range(len(run))))


@lru_cache(maxsize=16)
def _thirds(lowest: int) -> tuple[tuple[tuple[Card, Card], ...], ...]:
    """Of each card, the pairs of cards that make a run of three with it."""
    found: list[list[tuple[Card, Card]]] = [[] for _ in range(52)]
    for suit in range(4):
        for low in range(lowest, HIGH_ACE - 1):
            three = [face_at(place, suit) for place in range(low, low + 3)]
            for card in three:
                a, b = (other for other in three if other != card)
                found[card].append((a, b))
    return tuple(map(tuple, found))


class _Kinds:
    """The ranks of the sets and the suits of the runs that are open to somebody."""

    __slots__ = ("ranks", "suits")

    def __init__(self, melds: Sequence[Meld]) -> None:
        self.ranks = {meld.kind for meld in melds if meld.low == SET}
        self.suits = {meld.kind for meld in melds if meld.low != SET}

    def take(self, card: Card) -> bool:
        """Whether a natural card could ever go on one of them."""
        return card >> 2 in self.ranks or card & 3 in self.suits


class Finder:
    """Looks for a use of one card: in a new meld, or on the table, where other cards may have to go first."""

    def __init__(
        self, rules: MeldRules, melds: Sequence[Meld], has_meld: bool, lay_off: bool, own: frozenset[int] | None = None
    ) -> None:
        """`has_meld`: whether its player may lay off already; `lay_off`: whether a lay-off counts as a use at all; `own`:
        the numbers of the melds that may be laid off on, None for all.
        """
        self.rules = rules
        self.melds = [meld for meld in melds if own is None or meld.number in own]
        self.has_meld = has_meld
        self.lay_off = lay_off
        self._open = _Kinds(self.melds)

    def use(self, card: Card, hand: Sequence[Card], pair_of: Sequence[Card] | None = None) -> Use | None:
        """The first step to a use of a card of the hand; with `pair_of`, a new meld with two naturals of those cards."""
        rest = list(hand)
        rest.remove(card)
        found = self.new_meld(card, rest, pair_of)
        if found is not None or pair_of is not None:
            return None if found is None else Use(found)
        return self._elsewhere(card, rest)

    def _elsewhere(self, card: Card, rest: Sequence[Card]) -> Use | None:
        """The first step to a use of the card that is no new meld."""
        if not self.lay_off:
            return self._swaps(card, rest)
        if self.has_meld:
            return self._on_table(card, rest) or self._swaps(card, rest)
        for other in melds_in(self.rules, rest):  # a first meld of other cards opens the table
            left = list((Counter(rest) - Counter(other.cards)).elements())
            if self._on_table(card, left) or self._swaps(card, left, with_meld=True):
                return Use(other)
        return None

    def has_use(self, card: Card, have: Mapping[Card, int], wilds: int, hand: Sequence[Card]) -> bool:
        """Whether the card has a use beside the cards that one would `have`, so many `wilds` among them; `hand` is all of
        them and the card. The same as `use`, sooner.
        """
        sure = self._surely_melds(card, have, wilds)
        if sure is not None and not sure:
            rules = self.rules
            if not self.lay_off and rules.replace != "swap":
                return False
            if card not in rules.wild and rules.replace != "swap" and not self._open.take(card):
                return False
            rest = list(hand)
            rest.remove(card)
            return self._elsewhere(card, rest) is not None
        return bool(sure) or self.use(card, hand) is not None

    def _surely_melds(self, card: Card, have: Mapping[Card, int], wilds: int) -> bool | None:
        """Whether the card makes a new meld; None where that takes a longer look."""
        rules = self.rules
        if card in rules.wild:
            return None
        two_wilds = wilds >= 2 and rules.limit == "none"
        near = 0
        if rules.sets:
            base = card & ~3
            for face in (base, base + 1, base + 2, base + 3):
                held = have.get(face, 0)
                if held and face not in rules.wild and not (rules.distinct and face == card):
                    near += 1 if rules.distinct else held
            if near >= 2 or (near and wilds) or two_wilds:
                return True
        if rules.runs and card < 52:
            for a, b in _thirds(rules.lowest)[card]:
                one, other = have.get(a, 0) and a not in rules.wild, have.get(b, 0) and b not in rules.wild
                if (one and other) or ((one or other) and wilds) or two_wilds:
                    return True
        return None if wilds else False

    # New melds

    def new_meld(self, card: Card, rest: Sequence[Card], pair_of: Sequence[Card] | None = None) -> Found | None:
        """A new meld of the card and some of the rest."""
        rules = self.rules
        naturals = [other for other in rest if other not in rules.wild]
        wilds = [other for other in rest if other in rules.wild]
        if pair_of is not None:
            held = Counter(pair_of)
            naturals = [c for c in dict.fromkeys(naturals) for _ in range(min(held[c], naturals.count(c)))]
            wilds = []
        return (self._new_set(card, naturals, wilds) if rules.sets else None) or (
            self._new_run(card, naturals, wilds, pair_of is not None) if rules.runs else None
        )

    def _new_set(self, card: Card, naturals: Sequence[Card], wilds: Sequence[Card]) -> Found | None:
        rules = self.rules
        mine = card in rules.wild
        if mine and rules.all_wild and len(wilds) >= 2:
            cards = (card, *wilds[:2])
            return Found(cards, cards)
        for rank in dict.fromkeys(other >> 2 for other in naturals) if mine else (card >> 2,):
            same = [other for other in naturals if other >> 2 == rank]
            if rules.distinct:
                same = [other for other in dict.fromkeys(same) if other != card]
            for count in range(min(2, len(same)), -1, -1):
                cards = (card, *same[:count], *wilds[: 2 - count])
                flags = [other in rules.wild for other in cards]
                if len(cards) == 3 and may_have(rules, flags, run=False):
                    kept = [c for c, wild in zip(cards, flags, strict=True) if not wild]
                    free = [rank * 4 + suit for suit in range(4) if rank * 4 + suit not in kept]
                    return Found(cards, tuple(free.pop(0) if wild else c for c, wild in zip(cards, flags, strict=True)))
        return None

    def _new_run(
        self, card: Card, naturals: Sequence[Card], wilds: Sequence[Card], only_naturals: bool
    ) -> Found | None:
        rules = self.rules
        mine = card in rules.wild
        suits = dict.fromkeys(other & 3 for other in (*naturals, *wilds) if other < 52) if mine else (card & 3,)
        if card >= 52 and not mine:
            return None
        longest = HIGH_ACE if rules.limit == "fewer_than_naturals" else 3
        for suit in suits:
            faces = {other for other in (*naturals, *wilds) if other < 52 and other & 3 == suit}
            if mine and card < 52 and card & 3 == suit:
                faces.add(card)
            for size in range(3, longest + 1):
                for low in range(rules.lowest, HIGH_ACE - size + 2):
                    if (low, low + size - 1) == (LOW_ACE, HIGH_ACE):
                        continue
                    found = self._window(card, faces, wilds, suit, low, size, only_naturals)
                    if found is not None:
                        return found
        return None

    def _window(
        self, card: Card, faces: set[Card], wilds: Sequence[Card], suit: int, low: int, size: int, only_naturals: bool
    ) -> Found | None:
        """The run of this size from this place up, with the card in it; wilds where a card is missing."""
        rules = self.rules
        wanted = [face_at(place, suit) for place in range(low, low + size)]
        mine = card in rules.wild
        if not mine and card not in wanted:
            return None
        run: list[Card | None] = [face if face == card or face in faces else None for face in wanted]
        spare = list(wilds)
        for face in run:
            if face in spare and face != card:
                spare.remove(face)
        holes = [i for i, face in enumerate(run) if face is None]
        if card not in run:
            if not holes:  # it is full without the card: a wild card takes the place of one
                holes = [next((i for i, face in enumerate(run) if face in rules.wild), 0)]
            run[holes.pop(0)] = card
        if len(holes) > len(spare):
            return None
        for i in holes:
            run[i] = spare.pop(0)
        cards = tuple(face for face in run if face is not None)
        flags = wild_flags(rules, cards, low, suit)
        if only_naturals and sum(c not in rules.wild for c in cards if c != card) < 2:
            return None
        return Found(cards, tuple(wanted)) if may_have(rules, flags, run=True) else None

    # The table

    def _on_table(self, card: Card, rest: Sequence[Card]) -> Use | None:
        """The first lay-off of those that lead to the card's own."""
        for meld in self.melds:
            found = spots(self.rules, meld, card)
            if found:
                return Use(None, meld.number, card, found[0])
        for meld in self.melds:
            step = self._by_steps(meld, card, rest)
            if step is not None:
                return step
        return None

    def _by_steps(self, meld: Meld, card: Card, rest: Sequence[Card]) -> Use | None:
        """What to lay on the meld first so that the card fits after that and perhaps more."""
        rules, run = self.rules, meld.low != SET
        if card not in rules.wild:
            if not run or card & 3 != meld.kind:
                return None
        elif rules.limit == "none":
            return None  # a wild goes there now or never
        several = ((1,), (-1,)) if rules.limit == "none" else ((1,), (-1,), (-1, 1), (1, -1))
        for ways in several if run else ((0,),):
            trial, left = meld.copy(), list(rest)
            first: Use | None = None
            for n, way in enumerate(ways):
                last = n == len(ways) - 1
                while True:
                    if first is not None and spots(self.rules, trial, card):
                        return first
                    step = self._step(trial, left, card, way, with_wilds=last)
                    if step is None:
                        break
                    other, spot = step
                    first = first or Use(None, meld.number, other, spot)
                    left.remove(other)
                    lay_on(trial, spot, other, 0)
        return None

    def _step(
        self, meld: Meld, left: Sequence[Card], card: Card, way: int, with_wilds: bool
    ) -> tuple[Card, Spot] | None:
        """The next card to lay: a natural where there is one, or on the way to a natural card a wild."""
        wilds = []
        for other in dict.fromkeys(left):
            wild = other in self.rules.wild
            for spot in spots(self.rules, meld, other):
                if spot.beside or (way and (spot.place > meld.low) != (way > 0)):
                    continue
                if not wild or spot.stands == other:
                    return other, spot
                wilds.append((other, spot))
        if not (wilds and with_wilds and way) or card in self.rules.wild or card & 3 != meld.kind or card >= 52:
            return None
        places = places_of_rank(card >> 2)
        ahead = any(place > meld.high for place in places) if way > 0 else any(place < meld.low for place in places)
        return wilds[0] if ahead else None

    def _swaps(self, card: Card, rest: Sequence[Card], depth: int = 2, with_meld: bool = False) -> Use | None:
        """Where real cards may be swapped for wilds: a wild on the table that the card, or another, brings to the hand."""
        rules = self.rules
        if rules.replace != "swap" or not (self.has_meld or with_meld) or depth == 0:
            return None
        for at, meld in enumerate(self.melds):
            for other in (card, *dict.fromkeys(rest)):
                for wild in swappable(rules, meld, other):
                    if other == card:
                        if self.lay_off:
                            return Use(None, meld.number, card, None, wild)
                        continue
                    left = list(rest)
                    left.remove(other)
                    left.append(wild)
                    trial = meld.copy()
                    swap_in(trial, other, wild, 0)
                    further = Finder(rules, self.melds, has_meld=True, lay_off=self.lay_off)
                    further.melds = [*self.melds[:at], trial, *self.melds[at + 1 :]]
                    if (
                        further.new_meld(card, left)
                        or (self.lay_off and further._on_table(card, left))
                        or further._swaps(card, left, depth - 1)
                    ):
                        return Use(None, meld.number, other, None, wild)
        return None
