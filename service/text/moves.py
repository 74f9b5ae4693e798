"""From a clause to the moves it may mean: loose moves, for the game to resolve. Nothing is applied here.

A clause gives one reading or several. What it says beside the move must be on the list of noise; a clause with anything
else in it gives none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from engine.cards import JOKER, JOKER_RANK, WILD, WILD_RANK, Card, Rank, rank_name
from engine.game import Loose, Spec
from service.text.lex import Named
from service.text.lexicon import SHORT_VERBS, Item, words

FLAGS = frozenset(("NEG", "COND", "QUES", "PAST", "SLASH", "QUOTE"))
_SKIP = frozenset(("NOISE", "MARK", "CHAT", "ONLY", "DOTS", "COLON"))
_NOTED = words(
    """
    PILE DECK IT UP DOWN OFF EVERY FITS TOP CARD ANOTHER SET WITH TOPILE FROM DISCARDS
    """
)


class Unit(NamedTuple):
    """Cards as one expression names them: `4h`, `3 kings`, `my nines`."""

    rank: Rank
    card: Card | None = None
    n: int = 1
    whole: bool = False
    s: str = ""
    weak: bool = False  # a word that is English, too, or one that dictation may have misheard


@dataclass
class Parsed:
    """A clause taken apart."""

    verb: str = ""
    word: str = ""
    groups: list[list[Unit]] = field(default_factory=lambda: [[]])
    target: Rank | None = None
    noted: set[str] = field(default_factory=set)
    flag: str = ""  # the first word that makes it no command: a negation, a question, somebody else
    junk: list[str] = field(default_factory=list)
    one: bool = False  # `one`, `a card`
    values: list[str] = field(default_factory=list)
    okay: bool = False  # only `kk`
    led: bool = False  # the verb is the first word, and there are no marks among the words

    @property
    def units(self) -> list[Unit]:
        """All cards named, in order."""
        return [unit for group in self.groups for unit in group]


class Reading(NamedTuple):
    """One thing a clause may mean: moves in order. `sure` is False where it may be done only after asking."""

    moves: tuple[Loose, ...]
    sure: bool = True


_COUNTING = frozenset(("meld", "pickup", "add", "take", "pick", "put", "play", ""))


class _Reader:
    """Reads the items of one clause from left to right."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.i = 0
        self.parsed = Parsed()
        self.aces = sum(item.kind == "A" or item.word in ("aa", "aaa", "aw", "aaw") for item in items)

    def peek(self, ahead: int = 0) -> Item | None:
        i = self.i + ahead
        return self.items[i] if i < len(self.items) else None

    def after(self, start: int, *skip: str) -> int:
        """The place of the first item from `start` whose kind is none of `skip`."""
        while start < len(self.items) and self.items[start].kind in skip:
            start += 1
        return start

    def kind(self, i: int) -> str:
        return self.items[i].kind if i < len(self.items) else ""

    def run(self) -> Parsed:
        parsed = self.parsed
        items = self.items
        praise = ""
        while self.i < len(items):
            item = items[self.i]
            kind = item.kind
            if kind == "V":
                self.i += 1
                if not parsed.verb:
                    parsed.verb, parsed.word = item.value, item.word
                else:
                    parsed.junk.append(item.word)
            elif kind in _SKIP:
                self.i += 1
            elif kind == "PRAISE":
                self.i += 1
                praise = item.word
            elif kind in ("C", "R", "N", "Q", "S", "X", "COUNTED", "A", "HOMOPHONE"):
                self.cards(item)
            elif kind in ("SEP", "AND"):
                self.i += 1
                if parsed.groups[-1]:
                    parsed.groups.append([])
            elif kind == "TO":
                self.target(item)
            elif kind in _NOTED:
                self.i += 1
                if kind == "DISCARDS":
                    if not parsed.verb:
                        parsed.junk.append(item.word)
                    kind = "PILE"
                parsed.noted.add(kind)
                if kind == "CARD" and item.value == 2:
                    parsed.noted.add("CARDS")
            elif kind in FLAGS:
                self.i += 1
                parsed.flag = parsed.flag or item.word
            elif kind == "OF":
                self.i += 1
                if not (parsed.noted & {"TOP", "SET"}):
                    parsed.junk.append(item.word)
            elif kind == "K" and item.word == "table" and not parsed.verb and self.several(self.i + 1):
                self.i += 1
                parsed.verb, parsed.word = "meld", item.word
            else:
                self.i += 1
                parsed.junk.append(item.word)
        if not parsed.groups[-1] and len(parsed.groups) > 1:
            parsed.groups.pop()
        units = parsed.units
        parsed.led = items[0].kind == "V" and all(item.kind not in ("MARK", "AND", "DOTS", "COLON") for item in items)
        parsed.okay = len(items) == 1 and items[0].word == "kk"
        if praise and (parsed.verb or units or parsed.noted):  # `nice draw` is about somebody else's
            parsed.junk.append(praise)
        if (
            len(units) > 1
            and items[-1].word == "jk"
            and any(unit.whole or unit.rank != JOKER_RANK for unit in units[:-1])
        ):
            parsed.flag = parsed.flag or "jk"  # just kidding, more likely than a joker
        return parsed

    def several(self, i: int) -> bool:
        """Whether several cards are named at `i` at once: `kings`, `kkk`."""
        if self.kind(i) == "R":
            return bool(self.items[i].value[1])
        return self.kind(i) == "C" and len(self.items[i].value) > 2

    def put(self, *units: Unit) -> None:
        self.parsed.groups[-1].extend(units)

    def suit_at(self, i: int) -> tuple[int, int] | None:
        """The suit named at `i`, `of` allowed before it, and the place behind it."""
        j = self.after(i, "OF", "NOISE") if self.kind(i) == "OF" else i
        item = self.items[j] if j < len(self.items) else None
        if item is None:
            return None
        if item.kind == "S":
            return item.value, j + 1
        return None

    def rank_at(self, i: int) -> tuple[Rank, int] | None:
        """A rank named at `i`, articles before it allowed: for a target or a count."""
        i = self.after(i, "NOISE", "SET", "A", "OF")
        if i >= len(self.items):
            return None
        item = self.items[i]
        if item.kind == "R":
            return item.value[0], i + 1
        if item.kind == "N" and 2 <= item.value <= 10:
            return item.value - 2, i + 1
        if (
            item.kind == "C"
            and len(item.value) == 1
            and (item.value[0].card is None or item.value[0].s or item.value[0].card >= JOKER)
        ):
            return item.value[0].rank, i + 1
        if item.kind == "C" and len({named.rank for named in item.value}) == 1:
            return item.value[0].rank, i + 1
        return None

    def target(self, item: Item) -> None:
        """`to the nines`, `on kings`; or the two that dictation wrote as `to`."""
        parsed = self.parsed
        following = self.after(self.i + 1, "NOISE")
        next_item = self.items[following] if following < len(self.items) else None
        if next_item is not None and next_item.kind in ("PILE", "DISCARDS"):
            parsed.noted.add("TOPILE")
            self.i = following + 1
            return
        if item.word == "to":
            suit = self.suit_at(self.i + 1) if self.kind(self.i + 1) == "OF" else None
            if suit is not None:
                self.put(Unit(0, suit[0], weak=True))
                self.i = suit[1]
                return
            counts = parsed.verb in ("meld", "pickup") and not parsed.units
            if counts and next_item is not None and next_item.kind == "R" and next_item.value[1]:
                self.put(Unit(next_item.value[0], n=2))
                self.i = following + 1
                return
        found = self.rank_at(self.i + 1)
        if found is None or parsed.target is not None or not (parsed.units or parsed.noted & {"EVERY", "IT"}):
            parsed.junk.append(item.word)
            self.i += 1
            return
        parsed.target, self.i = found
        at = self.after(self.i, "NOISE")
        if self.kind(at) in ("SET", "PILE"):  # on the nines pile, to the kings set
            self.i = at + 1

    def cards(self, item: Item) -> None:
        parsed = self.parsed
        kind, value = item.kind, item.value
        if kind == "COUNTED":
            self.put(Unit(value[1], n=value[0]))
            self.i += 1
        elif kind == "Q":
            self.quantity(value, item)
        elif kind == "X":
            found = self.rank_at(self.i + 1)
            if found is None:
                parsed.junk.append(item.word)
                self.i += 1
            else:
                self.put(Unit(found[0], n=value))
                self.i = found[1]
        elif kind == "R":
            self.rank(value[0], value[1], item.word in ("joke", "jokes", "ace's"))
        elif kind == "S":
            following = self.items[self.i + 1] if self.i + 1 < len(self.items) else None
            found = self.rank_at(self.i + 1) if following is not None and following.kind in ("R", "N", "C") else None
            if (
                found is None
                or found[0] > 12
                or (following is not None and following.kind == "C" and following.value[0].card is not None)
            ):
                parsed.junk.append(item.word)
                self.i += 1
            else:
                self.put(Unit(found[0], found[0] * 4 + value))
                self.i = found[1]
        elif kind == "N":
            self.number(item)
        elif kind == "C":
            self.compact(item)
        elif kind == "A":
            self.article(item)
        else:
            self.homophone(item)

    def quantity(self, n: int, item: Item) -> None:
        found = self.rank_at(self.i + 1)
        if found is None:
            self.i += 1
            at = self.after(self.i, "OF", "NOISE")
            if n == 0 and self.kind(at) in ("IT", "PILE", "CARD", "", "AND", "FITS", "WITH", "DISCARDS"):
                self.parsed.noted.add("ALL")
                self.i = at
                return
            if n == 1:
                self.parsed.one = True
                return
            self.parsed.junk.append(item.word)
            return
        rank, i = found
        suit = self.suit_at(i) if n == 0 else None
        if suit is not None:
            self.parsed.junk.append(item.word)
        self.put(Unit(rank, n=n or 1, whole=n == 0))
        self.i = i

    def rank(self, rank: Rank, many: bool, weak: bool = False) -> None:
        if rank < 13:
            suit = self.suit_at(self.i + 1)
            if suit is not None:
                self.put(Unit(rank, rank * 4 + suit[0]))
                self.i = suit[1]
                return
        times = self.peek(1)
        if times is not None and times.kind == "X":
            self.put(Unit(rank, n=times.value))
            self.i += 2
            return
        card = JOKER if rank == JOKER_RANK else WILD if rank == WILD_RANK else None
        self.put(Unit(rank, card if not many else None, whole=many, weak=weak))
        self.i += 1

    def number(self, item: Item) -> None:
        parsed = self.parsed
        n = item.value
        weak = item.word in ("ate", "tree", "tin", "sicks", "sics", "won")
        if 2 <= n <= 10:
            suit = self.suit_at(self.i + 1)
            if suit is not None:
                self.put(Unit(n - 2, (n - 2) * 4 + suit[0]))
                self.i = suit[1]
                return
        following = self.peek(1)
        if following is not None and 1 <= n <= 8:
            before = parsed.units[-1].rank if parsed.units else None
            if following.kind == "OF":
                found = self.rank_at(self.i + 1)
                if found is not None:
                    self.put(Unit(found[0], n=n))
                    self.i = found[1]
                    return
            rank, many = following.value if following.kind == "R" else (0, False)
            counts = parsed.verb in ("meld", "pickup") and before != n - 2 and rank != WILD_RANK
            if following.kind == "R" and (many or n == 1 or counts):
                suit = self.suit_at(self.i + 2)
                if suit is None:
                    self.put(Unit(following.value[0], n=n))
                    self.i += 2
                    return
            if (
                following.kind == "C"
                and len(following.value) == 1
                and before != n - 2
                and parsed.verb in _COUNTING
                and 2 <= n <= 6
            ):
                named = following.value[0]
                again = self.peek(2)
                repeated = again is not None and again.kind == "C" and again.value[0].rank == named.rank
                plural = bool(named.s) and not repeated and not (parsed.verb in ("pickup", "take", "pick") and n != 2)
                letter = named.card is None and parsed.verb in ("meld", "pickup") and not repeated
                if plural or letter:
                    self.put(Unit(named.rank, n=n))
                    self.i += 2
                    return
        if following is not None and following.kind == "X" and 2 <= n <= 10:
            self.put(Unit(n - 2, n=following.value))
            self.i += 2
            return
        self.i += 1
        if n == 1:
            parsed.one = True
        elif 2 <= n <= 10:
            if following is not None and following.kind == "CARD" and following.value == 2:
                parsed.junk.append(item.word)  # 3 cards
                return
            self.put(Unit(n - 2, weak=weak))
        elif parsed.verb in ("bid", "cut"):
            parsed.values.append(str(n))
        else:
            parsed.junk.append(item.word)

    def compact(self, item: Item) -> None:
        named: tuple[Named, ...] = item.value
        weak = item.word in ("as", "ah", "ad", "ac") and item.word != "ac"
        if len(named) == 1 and named[0].card is None:
            self.rank(named[0].rank, False)
            return
        if len(named) == 1 and named[0].s and self.suit_at(self.i + 1) is not None and self.kind(self.i + 1) == "OF":
            self.rank(named[0].rank, False)
            return
        if named[-1].card is None:
            suit = self.suit_at(self.i + 1)
            if suit is not None and self.kind(self.i + 1) == "S" and self.items[self.i + 1].word in "♠♥♦♣":
                named = (*named[:-1], Named(named[-1].rank, named[-1].rank * 4 + suit[0]))
                self.put(*[Unit(each.rank, each.card) for each in named])
                self.i = suit[1]
                return
        self.put(*[Unit(each.rank, each.card, s=each.s, weak=weak) for each in named])
        self.i += 1

    def article(self, item: Item) -> None:
        """`a` is an ace where it cannot be an article."""
        following = self.peek(1)
        suit = self.suit_at(self.i + 1)
        a_suit = self.kind(self.i + 1) == "S" and self.items[self.i + 1].word in ("heart", "spade", "club", "diamond")
        if suit is not None and not a_suit:
            self.put(Unit(12, 48 + suit[0]))
            self.i = suit[1]
            return
        aces = 0 if item.word == "an" else self.aces
        if following is not None and following.kind == "X":
            self.put(Unit(12, n=following.value))
            self.i += 2
            return
        if following is not None and following.kind not in ("A", "AND", "SEP", "TO", "TOPILE", "MARK", "OF", "CHAT"):
            letter = following.kind == "C" and len(following.value) == 1 and following.word.isalpha()
            pair = letter and following.word == "w" and (aces >= 2 or self.parsed.verb in ("pickup", "take"))
            if not pair and not (letter and following.word != "w" and item.value == "A"):
                self.i += 1
                if following.kind == "JUNK":
                    self.parsed.junk.append(item.word)
                return
        if item.word == "an":
            self.i += 1
            self.parsed.junk.append(item.word)
            return
        self.put(Unit(12, weak=aces < 2 and item.value != "A" and not (self.parsed.units or following)))
        self.i += 1

    def homophone(self, item: Item) -> None:
        """`for` may be four and `too` may be two, where a card must follow."""
        suit = self.suit_at(self.i + 1)
        number = item.value
        if suit is not None and (self.kind(self.i + 1) == "OF" or not self.parsed.units):
            self.put(Unit(number - 2, (number - 2) * 4 + suit[0], weak=not self.parsed.verb))
            self.i = suit[1]
            return
        following = self.peek(1)
        if (
            following is not None
            and following.kind == "R"
            and following.value[1]
            and self.parsed.verb in ("meld", "pickup", "add")
        ):
            self.put(Unit(following.value[0], n=number))
            self.i += 2
            return
        self.i += 1
        if item.word != "too":
            self.parsed.junk.append(item.word)


def parse(items: Sequence[Item]) -> Parsed:
    """Takes a clause apart."""
    return _Reader(items).run()


# From what is named to loose moves


class Sight(NamedTuple):
    """What the reader of a clause may look at: what the texting player can see, fetched when it is needed."""

    hand: Callable[[], Sequence[Card]]
    top: Callable[[], Card | None]
    verbs: frozenset[str]


def _specs(units: Sequence[Unit]) -> tuple[tuple[Spec, ...], tuple[Rank, ...]]:
    specs: list[Spec] = []
    whole: list[Rank] = []
    for unit in units:
        if unit.whole:
            if unit.rank not in whole:
                whole.append(unit.rank)
        else:
            card = WILD if unit.rank == WILD_RANK else JOKER if unit.rank == JOKER_RANK else unit.card
            specs += [Spec(unit.rank, card)] * unit.n
    return tuple(specs), tuple(whole)


def _loose(verb: str, units: Sequence[Unit], to: Rank | None = None) -> Loose:
    specs, whole = _specs(units)
    return Loose(verb, specs, "" if to is None else rank_name(to), "", whole)


def _plain(unit: Unit) -> Unit:
    return unit._replace(card=None, s="")


def _settle(units: Sequence[Unit], sight: Sight) -> list[Unit]:
    """`9s` beside other cards: the nine of spades where it is held; a nine where all are written so and it is not."""
    if not any(unit.s for unit in units):
        return list(units)
    hand = sight.hand()
    written = [unit for unit in units if unit.rank != WILD_RANK]
    named = [unit.card for unit in units if unit.s]
    if all(unit.s == "s" or unit.card is None for unit in written) and any(
        hand.count(card) < named.count(card) for card in named
    ):
        return [_plain(unit) if unit.s else unit for unit in units]
    return list(units)


def _sets(groups: Sequence[Sequence[Unit]]) -> tuple[list[list[Unit]], list[Unit], bool]:
    """Cards by rank in the order named; the wilds that stand by themselves; whether the ranks were kept apart in writing."""
    sets: list[list[Unit]] = []
    floating: list[Unit] = []
    apart = True
    for group in groups:
        waiting: list[Unit] = []
        count = len(sets)
        for unit in group:
            if unit.rank == WILD_RANK:
                if len(sets) > count:
                    sets[-1].append(unit)
                else:
                    waiting.append(unit)
                continue
            same = next((known for known in sets if known[0].rank == unit.rank), None)
            if same is not None and (same is sets[-1] or len(sets) > count):
                same.append(unit)
                if same is not sets[-1]:
                    sets.remove(same)
                    sets.append(same)
                count = min(count, len(sets) - 1)
            else:
                if len(sets) > count:
                    apart = False
                sets.append([unit])
            if waiting:
                sets[-1] += waiting
                waiting = []
        floating += waiting
    return sets, floating, apart


def _big(units: Sequence[Unit]) -> bool:
    return any(unit.whole for unit in units) or sum(unit.n for unit in units) >= 2


def _melds(parsed: Parsed, sight: Sight, verb: str) -> Iterator[Reading]:
    units = parsed.units
    if not units:
        yield Reading((Loose(verb),))
        return
    sets, floating, _apart = _sets(parsed.groups)
    sets = [_whole_if_alone(cards, sight) for cards in sets]
    if len(sets) > 1 and not any(_big(cards) for cards in sets):
        explicit = all(unit.card is not None for unit in units)
        if explicit or len(parsed.groups) == 1:
            yield Reading((_loose(verb, units),))
            return
    if len(sets) > 1 and len(parsed.groups) == 1 and not all(_big(cards) for cards in sets):
        yield Reading((_loose(verb, units),))
        return
    if not sets:
        yield Reading((_loose(verb, units),))
        return
    if len(sets) == 1 or not floating:
        yield Reading(tuple(_loose(verb, cards + (floating if len(sets) == 1 else [])) for cards in sets))
        return
    if len(floating) > 3 or len(sets) > 5:
        return
    wilds = [wild._replace(n=1) for wild in floating for _ in range(wild.n)][:3]
    for homes in product(range(len(sets)), repeat=len(wilds)):
        if list(homes) != sorted(homes):
            continue
        yield Reading(
            tuple(
                _loose(verb, cards + [wild for wild, home in zip(wilds, homes, strict=True) if home == i])
                for i, cards in enumerate(sets)
            )
        )


def _whole_if_alone(cards: Sequence[Unit], sight: Sight) -> list[Unit]:
    naturals = [unit for unit in cards if unit.rank != WILD_RANK]
    if len(naturals) == 1 and naturals[0].s:
        return [_plain(unit)._replace(whole=True) if unit.s else unit for unit in cards]
    if (
        len(naturals) == 1
        and naturals[0].card is None
        and naturals[0].n == 1
        and not naturals[0].whole
        and len(cards) == 1
    ):
        return list(cards)
    return _settle(cards, sight)


def _pickups(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    units = parsed.units
    if (units and "WITH" not in parsed.noted) or len(units) > 1:
        top = sight.top()
        if top is not None:
            for i, unit in enumerate(units):
                if unit.card == top and top not in sight.hand() and not unit.s:
                    units = units[:i] + units[i + 1 :]
                    break
    naturals = [unit for unit in units if unit.rank != WILD_RANK]
    wilds = len(units) - len(naturals)
    if len(naturals) == 1 and (naturals[0].whole or naturals[0].s == "s"):
        if naturals[0].s and wilds:
            units = _settle(units, sight)
        else:
            units = [
                _plain(unit)._replace(whole=False, n=1 if wilds else 2) if unit is naturals[0] else unit
                for unit in units
            ]
    else:
        units = _settle(units, sight)
    yield Reading((_loose("pickup", units),))


def _adds(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    units = parsed.units
    if not units:
        if parsed.noted & {"EVERY", "ALL", "FITS"} and parsed.target is None and "auto" in sight.verbs:
            yield Reading((Loose("auto"),))
        elif parsed.target is None:
            yield Reading((Loose("add"),))
        return
    if parsed.target is not None:
        for chosen in _add_units(units, sight):
            yield Reading((_loose("add", chosen, parsed.target),))
        return
    sets, floating, _apart = _sets(parsed.groups)
    if not sets:
        yield Reading((_loose("add", units),))
        return
    if floating and len(sets) == 1 and len(parsed.groups) == 2:  # `add 9 and a wild`: to the nines, or to another set
        yield Reading((_loose("add", sets[0] + floating),))
        yield Reading((_loose("add", sets[0]), _loose("add", floating)))
        return
    choices = [[_loose("add", chosen) for chosen in _add_units(cards, sight)] for cards in sets]
    tail = (_loose("add", floating),) if floating else ()
    for combination in list(product(*choices))[:4]:
        yield Reading((*combination, *tail))


def _add_units(units: Sequence[Unit], sight: Sight) -> list[list[Unit]]:
    if len(units) == 1 and units[0].s:
        unit, hand = units[0], sight.hand()
        held = [card for card in hand if card >> 2 == unit.rank]
        if unit.s == "S" or held == [unit.card]:
            return [[unit]]
        every = [_plain(unit)._replace(whole=True)]
        return [[unit], every] if unit.card in held else [every]
    return [_settle(units, sight)]


def _discards(parsed: Parsed) -> Iterator[Reading]:
    units = parsed.units
    sure = not (len(units) == 1 and units[0].weak and units[0].rank == 12 and units[0].card is None)
    yield Reading((_loose("discard", units),), sure)


def _takes(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    """`take`, `grab`, `pick`, `pickup` and whether it is the pile or a card of the stock."""
    noted = parsed.noted
    draw = Reading((Loose("draw"),))
    units = parsed.units
    if "DECK" in noted:
        if not units and "PILE" not in noted:
            yield draw
        return
    if units or "WITH" in noted:
        yield from _pickups(parsed, sight)
        return
    pile = "PILE" in noted or ("ALL" in noted and parsed.word != "get")
    if "FROM" in noted and pile:
        yield Reading((Loose("draw"),), False)
        yield Reading((Loose("pickup"),), False)
        return
    if pile or ("IT" in noted and not parsed.one):
        yield Reading((Loose("pickup"),))
        return
    if "TOP" in noted:
        yield Reading((Loose("draw"),), False)
        yield Reading((Loose("pickup"),), False)
        return
    if parsed.one or "CARD" in noted or "ANOTHER" in noted:
        if "CARDS" in noted:
            yield Reading((Loose("pickup"),))
            return
        yield draw if parsed.word not in ("pickup", "pick up") or parsed.one else draw._replace(sure=False)
        if parsed.verb == "pickup" and not parsed.one:
            yield Reading((Loose("pickup"),), False)
        return
    if parsed.verb == "pickup" or "UP" in noted:
        yield Reading((Loose("pickup"),))
        return
    yield Reading((Loose("draw"),), False)
    yield Reading((Loose("pickup"),), False)


_ALLOWED: dict[str, frozenset[str]] = {
    "draw": frozenset(("DECK", "CARD", "FROM", "IT", "UP", "TOP", "ANOTHER")),
    "pass": frozenset(("IT",)),
    "auto": frozenset(("EVERY", "FITS", "CARD", "CARDS", "ALL", "IT")),
    "pickup": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER SET EVERY TOP
    """
    ),
    "take": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER TOP EVERY SET
    """
    ),
    "pick": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER TOP EVERY SET
    """
    ),
    "meld": frozenset(("DOWN", "SET", "EVERY", "ALL", "CARD", "CARDS", "WITH", "IT", "FITS", "UP")),
    "add": frozenset(("SET", "CARD", "CARDS", "EVERY", "FITS", "ALL", "OFF", "DOWN", "IT", "WITH")),
    "discard": frozenset(("CARD", "PILE", "TOPILE", "IT", "OFF", "UP")),
    "put": frozenset(("DOWN", "SET", "CARD", "CARDS", "TOPILE", "WITH", "UP", "ALL")),
    "play": frozenset(("DOWN", "SET", "CARD", "CARDS", "TOPILE", "WITH", "ALL")),
    "": frozenset(("DECK", "DOWN", "SET", "CARD", "CARDS", "WITH", "PILE", "TOPILE")),
}


def _plainly(parsed: Parsed) -> bool:
    """A verb of one letter must stand first and alone, or before cards that make sense of it."""
    if not parsed.led or parsed.noted - {"WITH"} or parsed.target is not None or parsed.one:
        return False
    units = parsed.units
    if parsed.word in ("m", "l"):
        return sum(unit.n for unit in units) > 1 or any(unit.whole for unit in units)
    if parsed.word == "x":
        return len(units) == 1 and units[0].n == 1 and not units[0].whole
    return parsed.word == "p" or len(units) <= 1


def readings(parsed: Parsed, sight: Sight) -> list[Reading] | None:
    """What a clause with a verb (or cards) may mean; None where it is not understood. A bare card is `bare`'s."""
    verb = parsed.verb
    units = parsed.units
    if parsed.flag or parsed.junk or len(units) > 40:
        return None
    if not verb and any(unit.weak for unit in units):
        return None
    if parsed.word in SHORT_VERBS and not _plainly(parsed):
        return None
    if verb == "draw" and units and parsed.word in ("d", "dr"):
        verb = "discard"
    if verb == "auto" and units and parsed.word.startswith(("add", "lay")):  # `add all my nines`
        verb = "add"
        parsed.groups = [
            [_plain(unit)._replace(whole=True) if unit.n == 1 else unit for unit in group] for group in parsed.groups
        ]
    if verb == "play" and "play" in sight.verbs:
        return [Reading((_loose("play", units),))]
    if parsed.noted - _ALLOWED.get(verb, frozenset()) or ("CARDS" in parsed.noted and verb == "draw"):
        if verb == "draw" and parsed.noted <= {"PILE", "FROM", "TOP", "CARD"} and not units:
            return [Reading((Loose("draw"),), False), Reading((Loose("pickup"),), False)]
        return None
    found: Iterator[Reading]
    if verb == "meld" and parsed.target is not None:
        verb = "add"
    if verb in ("put", "play", ""):
        if parsed.target is not None:
            verb = "add"
        elif "TOPILE" in parsed.noted:
            verb = "discard"
        elif (
            verb != "play"
            and "DOWN" in parsed.noted
            and (sum(unit.n for unit in units) > 1 or any(unit.whole for unit in units))
        ) or (not verb and "SET" in parsed.noted and units):
            verb = "meld"
        elif not verb and not units and parsed.noted == {"DECK"}:
            return [Reading((Loose("draw"),))]
        elif not verb and not units and parsed.noted == {"PILE"}:
            return [Reading((Loose("pickup"),))]
        elif not verb and "WITH" in parsed.noted and units:
            verb = "pickup"
        else:
            return bare(parsed, sight, parsed.okay)
    if verb in ("draw", "pass", "auto"):
        if units or parsed.target is not None:
            if verb == "pass" and "exchange" not in sight.verbs and "pass" in sight.verbs and "draw" not in sight.verbs:
                return [Reading((_loose("pass", units),))]
            return None
        if verb != "draw" and parsed.one:
            return None
        found = iter((Reading((Loose(verb),)),))
    elif verb in ("pickup", "take", "pick"):
        if parsed.target is not None:
            return None
        found = _takes(parsed, sight)
    elif verb == "meld":
        if parsed.one:
            return None
        found = _melds(parsed, sight, "meld")
    elif verb == "add":
        if "WITH" in parsed.noted:
            return None
        found = _adds(parsed, sight)
    elif verb == "discard":
        if parsed.target is not None:
            if units and len(units) == 1:  # `throw my 9 on the nines`
                found = (reading._replace(sure=False) for reading in _adds(parsed, sight))
            else:
                return None
        else:
            found = _discards(parsed)
    elif verb in ("bid", "cut", "moon"):
        value = " ".join([*(str(unit.rank + 2) for unit in units), *parsed.values])
        return [Reading((Loose(verb, (), "", value),))] if value else None
    else:
        found = iter((Reading((_loose(verb, units, parsed.target),)),))
    return list(found)[:12]


def bare(parsed: Parsed, sight: Sight, okay: bool = False) -> list[Reading] | None:
    """Cards without a verb: whatever moves they could be; `okay` is the bare `kk`, which is also an okay.

    One card alone is settled by what is legal with it.
    """
    units = parsed.units
    if not units or any(unit.weak for unit in units):
        return None
    if len(units) == 1 and units[0].n == 1 and not units[0].whole:
        return []  # see `understand`: the legal moves with this card decide
    sets, _floating, _apart = _sets(parsed.groups)
    if len(sets) > 1 and not all(
        any(unit.whole for unit in cards) or sum(unit.n for unit in cards) > 2 for cards in sets
    ):
        return None
    found = [
        reading
        for verb in ("pickup", "meld", "add")
        if verb in sight.verbs
        for reading in (
            _pickups(parsed, sight)
            if verb == "pickup"
            else _melds(parsed, sight, "meld")
            if verb == "meld"
            else _adds(parsed, sight)
        )
    ]
    return [reading._replace(sure=reading.sure and parsed.verb != "put" and not okay) for reading in found]
