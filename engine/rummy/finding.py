"""Finds whether a card taken from the pile has any use: in a new meld, or on the table. Rules digest, sections C and E;
decisions 15 and 40.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import Card
from engine.game import Move
from engine.rummy.laying_off import Spot, lay_on, spots, swap_in, swappable, takes
from engine.rummy.masks import (
    BITS,
    FIRST_SUIT,
    NATURAL,
    NEIGHBOURS,
    OF_SUITS,
    Faces,
    between,
    by_place,
    faces_of,
    threes_in_a_row,
    threes_of_a_rank,
    twos_near,
    twos_of_a_rank,
)
from engine.rummy.melds import HIGH_ACE, LOW_ACE, SET, Meld, MeldRules, face_at, may_have, places_of_rank, wild_flags
from engine.rummy.offers import meld_move, melds_in


class Use(NamedTuple):
    """The first step to a use of a card: a new meld, or a card laid off on (or swapped into) a meld by its number."""

    found: Move | None = None
    meld: int = 0
    card: Card = 0
    spot: Spot | None = None
    wild: Card | None = None  # the wild that is swapped out


def _above(pile: Sequence[Card], depth: int) -> Sequence[Card]:
    """What lies above the card at this depth of the pile."""
    return pile[len(pile) - depth + 1 :]


def _twice_and_wilds(cards: Sequence[Card], wild_faces: Faces) -> tuple[Faces, int]:
    """The faces that are there more than once, and how many of the cards are wild."""
    twice = faces_of([card for card in cards if cards.count(card) > 1])
    return twice, sum([wild_faces >> card & 1 for card in cards])


class Finder:
    """Looks for a use of one card: in a new meld, or on the table, where other cards may have to go first."""

    __slots__ = ("fit", "further", "has_meld", "lay_off", "melds", "open", "rules", "runs")

    def __init__(
        self, rules: MeldRules, melds: Sequence[Meld], has_meld: bool, lay_off: bool,
        faces: Faces | None = None, runs: int = 15,
    ) -> None:  # fmt: skip
        """`melds`: those that may be laid off on; `has_meld`: whether its player may do that already, or only after a new
        meld; `lay_off`: whether a lay-off counts as a use at all; `faces`: what the melds take, and `runs`: the suits of
        the runs among them, a bit each, where that is known.
        """
        self.rules = rules
        self.melds = melds
        self.has_meld = has_meld
        self.lay_off = lay_off
        if faces is None:
            faces = 0
            for meld in melds:
                faces |= takes(rules, meld)
        faces = faces if lay_off else 0
        self.fit = faces if has_meld else 0
        self.open = NATURAL if rules.replace == "swap" else faces  # what may go there as it is, once that may be done
        self.runs = runs if lay_off else 0
        self.further = self.open | OF_SUITS[self.runs]  # what may go there, if only after others

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
        if self.has_meld:
            return self._on_table(card, rest) or self._swaps(card, rest)
        if not self.lay_off and self.rules.replace != "swap":
            return None
        for other in melds_in(self.rules, rest):  # a first meld of other cards opens the table
            left = list((Counter(rest) - Counter(other.cards)).elements())
            if self._on_table(card, left) or self._swaps(card, left, with_meld=True):
                return Use(other)
        return None

    def depths(self, hand: Sequence[Card], pile: Sequence[Card], first: int) -> list[int]:
        """How deep the pile may be taken, from the `first` card down: where the deepest card has a use beside the hand and
        what lies above it.
        """
        rules, fit, further = self.rules, self.fit, self.further
        wild_faces, kin, melding = rules.wild_faces, rules.kin, rules.melding
        faces = faces_of(hand)
        for card in pile[len(pile) - first + 1 :]:
            faces |= BITS[card]
        twice = wilds = 0
        if faces.bit_count() < len(hand) + first - 1:
            twice, wilds = _twice_and_wilds([*hand, *_above(pile, first)], wild_faces)
        elif faces & wild_faces:
            wilds = (faces & wild_faces).bit_count()
        usual = not (twice or wilds)  # they are natural cards that all differ
        marked = fit | wild_faces
        found = []
        used: int  # whether the card has a use
        for depth, card in enumerate(pile[-first::-1], first):
            face = BITS[card]
            if (faces | marked) & face:
                used = fit & face or self._has_use_beside(card, faces, twice, wilds, hand, pile, depth)
                if (faces | wild_faces) & face:
                    twice |= faces & face
                    wilds += card in rules.wild
                    usual = False
            elif usual:
                used = faces & kin[card] in melding[card]
                if not used and further & face and self._may_follow(card, faces):
                    used = self._has_use_elsewhere(card, faces, 0, 0, hand, pile, depth)
            elif twice:
                used = self._has_use_beside(card, faces, twice, wilds, hand, pile, depth)
            else:  # beside cards that all differ, some of them wild
                used = faces & kin[card] & ~wild_faces
                if not used and (further & face or wilds > 1):
                    used = self._has_use_beside(card, faces, twice, wilds, hand, pile, depth)
            if used:
                found.append(depth)
            faces |= face
        return found

    def _may_follow(self, card: Card, faces: Faces) -> bool:
        """Whether a natural card may go on the table as it is, or on a run after one of its suit that does."""
        open_to = self.open
        return bool(open_to >> card & 1 or (faces & NEIGHBOURS[card] and faces & open_to & FIRST_SUIT << (card & 3)))

    def _has_use_beside(
        self, card: Card, faces: Faces, twice: Faces, wilds: int,
        hand: Sequence[Card], pile: Sequence[Card], depth: int,
    ) -> bool:  # fmt: skip
        """Whether a card that does not fit the table as it is has a use, by the faces of the hand and of what lies above
        this depth of the pile, those of them that are there more than once and how many are wild.
        """
        sure = self._surely_melds(card, faces, twice, wilds)
        if sure is None:
            return self.use(card, [card, *hand, *_above(pile, depth)]) is not None
        return sure or self._has_use_elsewhere(card, faces, twice, wilds, hand, pile, depth)

    def _has_use_elsewhere(
        self, card: Card, faces: Faces, twice: Faces, wilds: int,
        hand: Sequence[Card], pile: Sequence[Card], depth: int,
    ) -> bool:  # fmt: skip
        """The same for a card that makes no new meld."""
        if self.rules.replace != "swap":
            if not (self.has_meld or self._might_meld(faces, twice, wilds)):
                return False
            on_run = self._goes_on_run(card, faces, wilds) if self.runs >> (card & 3) & 1 else False
            if on_run is False and not self.open >> card & 1:
                return False
            if on_run and self.has_meld:
                return True
        return self._elsewhere(card, [*hand, *_above(pile, depth)]) is not None

    def _might_meld(self, faces: Faces, twice: Faces, wilds: int) -> bool:
        """Whether these may hold a first meld; False where they surely do not."""
        rules = self.rules
        return bool(
            wilds
            or (rules.sets and ((twice and not rules.distinct) or threes_of_a_rank(faces)))
            or (rules.runs and threes_in_a_row(by_place(faces, rules.lowest)))
        )

    def _goes_on_run(self, card: Card, faces: Faces, wilds: int) -> bool | None:
        """Whether a natural card goes on a run after others, some of these; None where wilds may be the way to it."""
        suit, sure = card & 3, False
        for meld in self.melds:
            if meld.low == SET or meld.kind != suit:
                continue
            low, high = meld.low, meld.low + len(meld.cards) - 1
            for place in places_of_rank(card >> 2):
                if (
                    place < self.rules.lowest
                    or (place == HIGH_ACE and low == LOW_ACE)
                    or (not place and high == HIGH_ACE)
                ):
                    continue
                gap = between(suit, high + 1, place) if place > high else between(suit, place + 1, low)
                missing = (gap & ~faces).bit_count()
                if missing <= wilds:
                    if wilds:
                        return None
                    sure = sure or not low <= place <= high
        return sure

    def _surely_melds(self, card: Card, faces: Faces, twice: Faces, wilds: int) -> bool | None:
        """Whether the card makes a new meld; None where that takes a longer look."""
        rules = self.rules
        naturals = faces & ~rules.wild_faces if wilds else faces
        if rules.wild_faces >> card & 1:
            pair = rules.sets and (twos_of_a_rank(naturals) or (not rules.distinct and bool(twice & naturals)))
            return True if pair or (rules.runs and twos_near(by_place(naturals, rules.lowest))) else None
        two_wilds = wilds >= 2 and rules.limit == "none"
        if rules.sets:
            rank = card & ~3
            near = naturals >> rank & 15
            if rules.distinct:
                near &= ~(1 << (card & 3))
            if near & (near - 1) or (near and wilds) or two_wilds:
                return True
            if twice and not rules.distinct and (twice & naturals) >> rank & 15:
                return True
        if rules.runs and card < 52:
            if two_wilds:
                return True
            near = naturals & rules.nearby[card]
            if near in rules.completing[card] or (near and wilds):
                return True
        return None if wilds > 1 and rules.limit != "none" else False

    # New melds

    def new_meld(self, card: Card, rest: Sequence[Card], pair_of: Sequence[Card] | None = None) -> Move | None:
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

    def _new_set(self, card: Card, naturals: Sequence[Card], wilds: Sequence[Card]) -> Move | None:
        rules = self.rules
        mine = card in rules.wild
        if mine and rules.all_wild and len(wilds) >= 2:
            cards = (card, *wilds[:2])
            return Move("meld", cards)
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
                    return meld_move(
                        "meld", cards, [free.pop(0) if wild else c for c, wild in zip(cards, flags, strict=True)]
                    )
        return None

    def _new_run(self, card: Card, naturals: Sequence[Card], wilds: Sequence[Card], only_naturals: bool) -> Move | None:
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
    ) -> Move | None:
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
        return meld_move("meld", cards, wanted) if may_have(rules, flags, run=True) else None

    # The table

    def _on_table(self, card: Card, rest: Sequence[Card]) -> Use | None:
        """The first lay-off of those that lead to the card's own."""
        if not self.lay_off:
            return None
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
                    helps = self.lay_off if other == card else self._swap_helps(card, rest, at, other, wild, depth)
                    if helps:
                        return Use(None, meld.number, other, None, wild)
        return None

    def _swap_helps(self, card: Card, rest: Sequence[Card], at: int, other: Card, wild: Card, depth: int) -> bool:
        """Whether the card can be used after another of the rest was swapped for that wild of the meld at this place of the list."""
        left = list(rest)
        left.remove(other)
        left.append(wild)
        trial = self.melds[at].copy()
        swap_in(trial, other, wild, 0)
        melds = [*self.melds[:at], trial, *self.melds[at + 1 :]]
        further = Finder(self.rules, melds, has_meld=True, lay_off=self.lay_off)
        return bool(
            further.new_meld(card, left)
            or (self.lay_off and further._on_table(card, left))
            or further._swaps(card, left, depth - 1)
        )
