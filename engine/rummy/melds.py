"""Sets and runs with wilds, for the games that have both: what a meld may be, what its wilds stand for.

In a run every card has a place: 0 is an ace below the two, 1 a two and so on to 12, a king, and 13, an ace above it. A
run never has both aces. Rules digest, sections C and E; decisions 13, 14, 16, 41 and 42.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from engine.cards import Card, Rank, card_name, names, rank_name
from engine.game import Move, Refusal, Seat, describe_rank
from engine.rummy.masks import FIRST_SUIT, Faces, completing, faces_of, kin, melding, nearby, those_of

Place = int
LOW_ACE, HIGH_ACE = 0, 13
SET = -1  # the place of every card of a set
WILDS: Rank = -1  # the rank of a set of wilds only
UNSAID: Card = -1  # what a wild stands for where that was not said


@dataclass(frozen=True, slots=True, eq=False)  # one is made for each round's rules, so it is known by its identity
class MeldRules:
    """What a meld may be in this round."""

    wild: frozenset[Card] = frozenset()
    sets: bool = True
    runs: bool = True
    lowest: Place = LOW_ACE  # of a run: above 0 the ace is high only
    most: int = 4  # cards of a set, wilds included
    distinct: bool = False  # the suits of a set must differ
    limit: str = "none"  # of wilds in a meld: none | fewer_than_naturals | one
    split_six: bool = False  # a meld of six or more may be counted as two, each with its wilds
    own_place: bool = True  # a wild in its own place in a run counts as a natural
    all_wild: bool = False  # three wilds or more are a set
    replace: str = "alongside"  # what the real card of a laid wild may do: alongside | swap | none
    wild_faces: Faces = field(init=False, repr=False)  # those that are wild, as bits
    completing: Sequence[frozenset[Faces]] = field(init=False, repr=False)  # of each card; see `masks.completing`
    nearby: Sequence[Faces] = field(init=False, repr=False)  # of each card, those it may be in a run of three with
    kin: Sequence[Faces] = field(init=False, repr=False)  # of each card, those it may be in a meld of three with
    melding: Sequence[frozenset[Faces]] = field(init=False, repr=False)  # of each card; see `masks.melding`
    one_wild_fits: bool = field(init=False, repr=False)  # whether a run with one wild for another card always may be

    def __post_init__(self) -> None:
        object.__setattr__(self, "wild_faces", faces_of(self.wild))
        object.__setattr__(self, "completing", completing(self.lowest))
        object.__setattr__(self, "nearby", nearby(self.lowest))
        object.__setattr__(self, "kin", kin(self.sets, self.runs, self.lowest))
        object.__setattr__(self, "melding", melding(self.sets, self.runs, self.lowest))
        few = all((self.wild_faces & FIRST_SUIT << suit).bit_count() < 2 for suit in range(4))
        object.__setattr__(self, "one_wild_fits", self.limit == "none" and few)


@dataclass(slots=True, eq=False)
class Known:
    """What was worked out of a meld by these rules, and holds till it changes."""

    rules: MeldRules
    takes: Faces  # the faces that may be laid off on it
    adds: dict[Card, tuple[Move, ...]]  # the lay-offs of a wild, once they were asked for


@dataclass(slots=True)
class Meld:
    """A meld on the table, and who laid each of its cards."""

    number: int
    owner: Seat  # who laid it down
    cards: list[Card]  # of a run by place, of a set as they came
    seats: list[Seat]
    kind: int  # the suit of a run, the rank of a set (or WILDS)
    low: Place = SET  # the lowest place of a run
    beside: list[tuple[Place, Card, Seat]] = field(default_factory=list)  # real cards laid beside a wild of a run
    known: Known | None = field(default=None, compare=False, repr=False)

    @property
    def run(self) -> bool:
        """Whether it is a run."""
        return self.low != SET

    @property
    def high(self) -> Place:
        """The highest place of a run."""
        return self.low + len(self.cards) - 1

    def copy(self) -> "Meld":
        """An independent one, equal to this."""
        return Meld(
            self.number, self.owner, self.cards[:], self.seats[:], self.kind, self.low, self.beside[:], self.known
        )

    def everything(self) -> list[tuple[Card, Seat]]:
        """Every card of it with who laid it, those beside wilds last."""
        return [*zip(self.cards, self.seats, strict=True), *((card, seat) for _, card, seat in self.beside)]


@lru_cache(maxsize=256)
def label_of(number: int) -> str:
    """What a meld of this number is called."""
    return f"M{number}"


def of_owner(melds: Iterable[Meld], seat: Seat) -> list[Meld]:
    """The melds that this seat laid down."""
    return [meld for meld in melds if meld.owner == seat]


class Reading(NamedTuple):
    """What cards laid together are: a set (`low` is SET) or a run, and what each card, as given, stands for."""

    kind: int
    low: Place
    stands: tuple[Card, ...]
    places: tuple[Place, ...]  # of a run: of each card as given


def face_at(place: Place, suit: int) -> Card:
    """The card that belongs at a place of a run of this suit."""
    return (place - 1) % 13 * 4 + suit


SUITS = tuple(tuple(face_at(place, suit) for place in range(HIGH_ACE + 1)) for suit in range(4))  # by place in a run


def places_of_rank(rank: Rank) -> tuple[Place, ...]:
    """Where in a run a card of this rank may be."""
    return (HIGH_ACE, LOW_ACE) if rank == 12 else (rank + 1,)


def may_have(rules: MeldRules, wild: Sequence[bool], run: bool) -> bool:
    """Whether the limits of wilds allow a meld whose cards, by place in a run, are wild or not."""
    wilds = sum(wild)
    if wilds == len(wild):
        return False
    if rules.limit == "one":
        if wilds > 1 and rules.split_six and wilds == 2 and len(wild) >= 6:
            return not run or any(sum(wild[:i]) == 1 for i in range(3, len(wild) - 2))
        return wilds <= 1
    return rules.limit == "none" or wilds * 2 < len(wild)


def wild_flags(rules: MeldRules, cards: Sequence[Card], low: Place, suit: int) -> list[bool]:
    """Which cards of a run, by place, count as wilds."""
    return [
        card in rules.wild and not (rules.own_place and card == face_at(low + i, suit)) for i, card in enumerate(cards)
    ]


# New melds


def readings(rules: MeldRules, cards: Sequence[Card], wanted: Sequence[Card | None]) -> list[Reading]:
    """All that these cards laid together can be; `wanted` says of each what it must stand for, where that was said.

    A wild that fits a run as itself is itself (where all do, it is that run); others fill gaps, then go to the high end, then to the low end. A
    Refusal where they are nothing: SMALL, NATMIN, WILDMAX, WRAP or MIXED.
    """
    if len(cards) < 3:
        raise Refusal("SMALL", "A meld has three cards or more.")
    for card, stands in zip(cards, wanted, strict=True) if wanted is not cards else ():
        if stands not in (None, card) and card not in rules.wild:
            raise Refusal("MIXED", f"{card_name(card)} is not wild: it can stand only for itself.")
    plain = _plain(rules, cards, wanted)
    if plain is not None:
        return [plain]
    found: list[Reading] = []
    problems: list[Refusal] = []
    kinds = [_as_set] if rules.sets else []
    kinds += [_as_runs] if rules.runs else []
    for read in kinds:
        try:
            found += read(rules, cards, wanted)
        except Refusal as refusal:
            problems.append(refusal)
    itself = [reading for reading in found if reading.low != SET and reading.stands == tuple(cards)]
    if itself:
        return itself[:1]  # no wild is needed as one
    if found:
        return found
    order = ("WILDMAX", "NATMIN", "WRAP", "MIXED")
    raise min(problems, key=lambda problem: order.index(problem.code))


def as_said(rules: MeldRules, cards: tuple[Card, ...], stands: tuple[Card, ...]) -> Reading | None:
    """The one thing cards of a move can be that are said to stand for these, as they mostly are; None where `readings`
    have to tell.
    """
    if stands:
        return _with_wilds(rules, cards, stands)
    found = _of_naturals(cards)
    if found is None or not rules.wild.isdisjoint(cards):
        return None
    if found.low == SET:
        differ = not rules.distinct or len(set(cards)) == len(cards)
        return found if rules.sets and differ and len(cards) <= rules.most else None
    return found if rules.runs and found.low >= rules.lowest else None


@lru_cache(maxsize=4096)
def _of_naturals(cards: tuple[Card, ...]) -> Reading | None:
    """What these are without wilds, if cards may be in a set twice: a set, or a run in order."""
    return _plain(MeldRules(most=len(cards)), cards, cards) if len(cards) > 2 else None


def _with_wilds(rules: MeldRules, cards: tuple[Card, ...], stands: tuple[Card, ...]) -> Reading | None:
    """What cards are of which some are wilds and stand for others."""
    found = _of_naturals(stands)
    if found is None or len(stands) != len(cards):
        return None
    flags = []
    for card, face in zip(cards, stands, strict=True):
        wild = card in rules.wild
        if (card == face) == wild:  # a natural is itself; a wild that is said to be may be another too
            return None
        flags.append(wild)
    if not may_have(rules, flags, run=found.low != SET):
        return None
    if found.low != SET:
        return found if rules.runs and found.low >= rules.lowest else None
    naturals = those_of(cards, ~rules.wild_faces) if rules.distinct else ()
    differ = len(set(naturals)) == len(naturals)
    return found if rules.sets and differ and len(cards) <= rules.most else None


def _plain(rules: MeldRules, cards: Sequence[Card], wanted: Sequence[Card | None]) -> Reading | None:
    """The set, or the run in order, that cards are of which is known what each stands for, as most melds are laid; None
    where that takes a longer look.
    """
    there, natural = tuple(cards), rules.wild.isdisjoint(cards)
    if not natural:
        there = tuple(
            card if card not in rules.wild else UNSAID if want is None else want
            for card, want in zip(cards, wanted, strict=True)
        )
        if UNSAID in there:
            return None
    rank, suit = there[0] >> 2, there[0] & 3
    if rank == there[1] >> 2:
        for card in there:
            if card >> 2 != rank:
                return None
        naturals = cards if natural else [card for card in cards if card not in rules.wild]
        if not rules.sets or len(cards) > rules.most or (rules.distinct and len(set(naturals)) < len(naturals)):
            return None
        places = (SET,) * len(cards)
        if natural:
            return Reading(rank, SET, there, places)
        if not may_have(rules, [card in rules.wild for card in cards], run=False):
            return None
        return Reading(rank, SET, there, places)
    low = LOW_ACE if rank == 12 else rank + 1
    above = low + len(cards)
    if there != SUITS[suit][low:above] or not rules.runs or low < rules.lowest or len(cards) > HIGH_ACE:
        return None
    if not (natural or may_have(rules, wild_flags(rules, cards, low, suit), run=True)):
        return None
    return Reading(suit, low, there, tuple(range(low, above)))


def alternatives(rules: MeldRules, cards: Sequence[Card], wanted: Sequence[Card | None]) -> list[Reading]:
    """The same, with every place that a run could have."""
    found = [reading for reading in readings(rules, cards, wanted) if reading.low == SET]
    if rules.runs:
        with suppress(Refusal):
            found += _as_runs(rules, cards, wanted, every=True)
    return found


def _as_set(rules: MeldRules, cards: Sequence[Card], wanted: Sequence[Card | None]) -> list[Reading]:
    naturals = [card for card in cards if card not in rules.wild]
    places = (SET,) * len(cards)
    if not naturals:
        if rules.all_wild and all(stands in (None, card) for card, stands in zip(cards, wanted, strict=True)):
            if len(cards) > rules.most:
                raise Refusal("WILDMAX", f"A set has {rules.most} cards at most.")
            return [Reading(WILDS, SET, tuple(cards), places)]
        raise Refusal("NATMIN", "A meld needs a natural card, not wilds alone.")
    ranks = {card >> 2 for card in naturals}
    rank = min(ranks)
    if len(ranks) > 1 or any(stands is not None and stands >> 2 != rank for stands in wanted):
        raise Refusal("MIXED", "These are not of one rank, and no run of one suit.")
    if rules.distinct and len(set(naturals)) < len(naturals):
        raise Refusal("MIXED", "The suits of a set must all differ.")
    wild = [card in rules.wild for card in cards]
    if not may_have(rules, wild, run=False) or len(cards) > rules.most:
        raise Refusal("WILDMAX" if any(wild) else "MIXED", _too_many(rules, sum(wild)))
    return [Reading(rank, SET, set_stands(rules, cards, wanted, rank), places)]


def _too_many(rules: MeldRules, wilds: int) -> str:
    if rules.limit == "one" and wilds > 1:
        return "A meld takes one wild at most."
    if rules.limit == "fewer_than_naturals":
        return "A meld needs more naturals than wilds."
    return f"A set has {rules.most} cards at most."


def set_stands(rules: MeldRules, cards: Iterable[Card], wanted: Iterable[Card | None], rank: Rank) -> tuple[Card, ...]:
    """What the cards of a set stand for: wilds for the suits that are missing, which only matters to how it is written."""
    return _filled_set(
        rank,
        tuple(
            [
                card if card not in rules.wild else UNSAID if want is None else want
                for card, want in zip(cards, wanted, strict=True)
            ]
        ),
    )


@lru_cache(maxsize=4096)
def _filled_set(rank: Rank, there: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same where the places of wilds of which nothing is said are open."""
    used = [card for card in there if card != UNSAID]
    free = sorted((rank * 4 + suit for suit in range(4)), key=used.count)
    stands = []
    for card in there:
        if card != UNSAID:
            stands.append(card)
            continue
        stands.append(free[0])
        used.append(free[0])
        free.sort(key=used.count)
    return tuple(stands)


def _as_runs(
    rules: MeldRules, cards: Sequence[Card], wanted: Sequence[Card | None], every: bool = False
) -> list[Reading]:
    """The runs these cards can be: one for each way that the rules leave open, or `every` one."""
    fixed = [card if card not in rules.wild else want for card, want in zip(cards, wanted, strict=True)]
    suits = {card & 3 for card in fixed if card is not None}
    least = 0  # of the wilds that are themselves
    if not suits:  # wilds only, and nothing said: a run only where each is in its own place
        suits, least = {card & 3 if card < 52 else -1 for card in cards}, len(cards)
        if len(suits) > 1 or -1 in suits:
            raise Refusal("NATMIN", "A meld needs a natural card, not wilds alone.")
    if len(suits) > 1 or any(card >= 52 for card in fixed if card is not None):
        raise Refusal("MIXED", "These are not of one rank, and no run of one suit.")
    suit = suits.pop()
    free = [i for i, card in enumerate(fixed) if card is None]
    known = [i for i, card in enumerate(fixed) if card is not None]
    own = [i for i in free if cards[i] < 52 and cards[i] & 3 == suit]
    found: dict[tuple[Place, tuple[Card, ...]], Reading] = {}
    problem = None
    for at in product(*(places_of_rank((fixed[i] or 0) >> 2) for i in known)):
        if len(set(at)) < len(at) or min(at, default=rules.lowest) < rules.lowest:
            continue
        placed = dict(zip(known, at, strict=True))
        for size in range(len(own), least - 1, -1):
            allowed = False
            for ways in _ways(rules, cards, placed, own, size, free):
                runs, refused = _runs_at(rules, cards, suit, ways, every)
                for key, run in runs.items():
                    found.setdefault(key, run)
                problem = refused or problem
                allowed = allowed or bool(runs)
            if allowed and not every:
                break
    if found:
        return list(found.values())
    if least:
        raise Refusal("NATMIN", "A meld needs a natural card, not wilds alone.")
    raise problem or _no_run(rules, fixed, len(free))


def _ways(
    rules: MeldRules,
    cards: Sequence[Card],
    placed: dict[int, Place],
    own: Sequence[int],
    size: int,
    free: Sequence[int],
) -> Iterator[list[tuple[Place, ...]]]:
    """The places of all cards where so many (`size`) of the wilds `own` stand for themselves, for each choice of these."""
    for selves in combinations(own, size):
        for here in product(*(places_of_rank(cards[i] >> 2) for i in selves)):
            yield _filled(rules, placed | dict(zip(selves, here, strict=True)), [i for i in free if i not in selves])


def _runs_at(
    rules: MeldRules, cards: Sequence[Card], suit: int, ways: Sequence[tuple[Place, ...]], every: bool
) -> tuple[dict[tuple[Place, tuple[Card, ...]], Reading], Refusal | None]:
    """The first of these ways that the rules allow, or `every` one, by what tells runs apart; and why one is not allowed."""
    found: dict[tuple[Place, tuple[Card, ...]], Reading] = {}
    problem = None
    for places in ways:  # the one that is meant first
        low = min(places)
        order = sorted(range(len(cards)), key=places.__getitem__)
        flags = wild_flags(rules, [cards[i] for i in order], low, suit)
        if not may_have(rules, flags, run=True):
            none = Refusal("NATMIN", "A meld needs a natural card, not wilds alone.")
            problem = none if all(flags) else Refusal("WILDMAX", _too_many(rules, sum(flags)))
            continue
        stands = tuple(face_at(place, suit) for place in places)
        slots = tuple(stands[i] for i in order if stands[i] != cards[i])
        found.setdefault((low, slots), Reading(suit, low, stands, places))
        if not every:
            break
    return found, problem


def _filled(rules: MeldRules, placed: dict[int, Place], rest: Sequence[int]) -> list[tuple[Place, ...]]:
    """The places of all cards when the `rest` fill the gaps between those placed, then the ends, the high one first."""
    taken = set(placed.values())
    low, high = min(taken), max(taken)
    gaps = [place for place in range(low, high + 1) if place not in taken]
    extra = len(rest) - len(gaps)
    if len(taken) < len(placed) or extra < 0 or low < rules.lowest or (low, high) == (LOW_ACE, HIGH_ACE):
        return []
    found = []
    for up in range(min(extra, HIGH_ACE - high), -1, -1):
        bottom, top = low - (extra - up), high + up
        if bottom < rules.lowest or (bottom, top) == (LOW_ACE, HIGH_ACE) or top - bottom >= HIGH_ACE:
            continue
        order = [*gaps, *range(high + 1, top + 1), *range(low - 1, bottom - 1, -1)]
        places = placed | dict(zip(rest, order, strict=True))
        found.append(tuple(places[i] for i in range(len(places))))
    return found


def _no_run(rules: MeldRules, fixed: Sequence[Card | None], free: int) -> Refusal:
    """Whether the cards go round the corner, or do not go together at all."""
    ranks = [card >> 2 for card in fixed if card is not None]
    if free and 12 not in ranks:  # a wild may be the ace that it goes round by
        ranks.append(12)
        free -= 1
    apart = sorted(set(ranks))
    aces = ranks.count(12)
    if aces and len(ranks) - len(apart) == aces - 1:
        around = [(b - a - 1) % 13 for a, b in zip(apart, apart[1:] + apart[:1], strict=True)]
        if sum(around) - max(around) <= free or len(fixed) > 13:
            high_only = rules.lowest > LOW_ACE
            return Refusal(
                "WRAP", "The ace is high only here." if high_only else "A run doesn't go round the corner past the ace."
            )
    return Refusal("MIXED", "These are not of one rank, and no run of one suit.")


def new_meld(number: int, seat: Seat, cards: Sequence[Card], reading: Reading) -> Meld:
    """The meld that is laid."""
    if reading.low == SET:
        return Meld(number, seat, list(cards), [seat] * len(cards), reading.kind)
    order: Sequence[int] = range(len(cards))
    if reading.stands != SUITS[reading.kind][reading.low : reading.low + len(cards)]:
        order = sorted(order, key=reading.places.__getitem__)
    return Meld(number, seat, [cards[i] for i in order], [seat] * len(cards), reading.kind, reading.low)


def stands_of(rules: MeldRules, meld: Meld) -> tuple[Card, ...]:
    """What each card stands for, those beside wilds last."""
    if meld.low != SET:
        there = [face_at(meld.low + i, meld.kind) for i in range(len(meld.cards))]
        return (*there, *(card for _, card, _ in meld.beside))
    if meld.kind == WILDS:
        return tuple(meld.cards)
    return set_stands(rules, meld.cards, [None] * len(meld.cards), meld.kind)


def is_sound(rules: MeldRules, meld: Meld) -> bool:
    """Whether a meld on the table is one: for checks, after whatever happened to it."""
    if len(meld.cards) < 3 or len(meld.cards) != len(meld.seats):
        return False
    naturals = [card for card in meld.cards if card not in rules.wild]
    if meld.low == SET:
        if meld.kind == WILDS:
            return not naturals
        return bool(naturals) and all(card >> 2 == meld.kind for card in naturals)
    if meld.low < rules.lowest or meld.high > HIGH_ACE or (meld.low, meld.high) == (LOW_ACE, HIGH_ACE):
        return False
    there = [(card, face_at(meld.low + i, meld.kind)) for i, card in enumerate(meld.cards)]
    return all(card == face or card in rules.wild for card, face in there) and all(
        face_at(place, meld.kind) == card for place, card, _ in meld.beside
    )


def describe(rules: MeldRules, meld: Meld) -> str:
    """A meld in a few words, for a hint: `M1 (7S 8S 9S)`, `M2 (kings)`."""
    if meld.low == SET:
        what = "wilds" if meld.kind == WILDS else describe_rank(meld.kind)
        return f"M{meld.number} ({what})"
    faces = stands_of(rules, meld)[: len(meld.cards)]
    return f"M{meld.number} ({rank_name(faces[0] >> 2)}-{rank_name(faces[-1] >> 2)}{names(faces[:1])[-1]})"
