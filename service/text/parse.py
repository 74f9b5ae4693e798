"""A clause taken apart: its verb, the cards it names, where they go, and what else it says."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import JOKER, JOKER_RANK, WILD, WILD_RANK, Card, Rank
from service.text.lex import Named
from service.text.lexicon import Item, words

FLAGS = frozenset(("NEG", "COND", "QUES", "PAST", "SLASH", "QUOTE"))
_SKIP = frozenset(("NOISE", "MARK", "CHAT", "ONLY", "DOTS", "COLON"))
_ENDING = frozenset(("SEP", "AND", "MARK", "CHAT", "DOTS"))
ACE = 12
_NOTED = words(
    """
    PILE DECK IT UP DOWN OFF EVERY FITS TOP CARD ANOTHER SET WITH TOPILE FROM DISCARDS
    """
)


_POLITE = words("please pls plz thanks thx ty")


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
    number: str = ""  # the number of a meld: M1
    many: bool = False  # whether the target is named as several: `to the 9s`
    an_ace: str = ""  # `add a 9`: a nine, or an ace and a nine; the letter as it was written
    alone: bool = False  # nothing beside the verb but politeness
    led: bool = False  # the verb is the first word, and there are no marks among the words

    @property
    def units(self) -> list[Unit]:
        """All cards named, in order."""
        return [unit for group in self.groups for unit in group]


_COUNTING = frozenset(("meld", "pickup", "add", "take", "pick", "put", "play", ""))


class _Reader:
    """Reads the items of one clause from left to right."""

    def __init__(self, items: Sequence[Item]) -> None:
        said = len(items)
        while len(items) > 1 and items[-1].word in _POLITE:
            items = items[:-1]
        self.polite = len(items) < said
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
                if self.is_noun(self.i - 1):
                    parsed.junk.append(item.word)
                elif not parsed.verb:
                    parsed.verb, parsed.word = item.value, item.word
                else:
                    parsed.junk.append(item.word)
            elif kind in _SKIP or self.is_with():
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
            elif kind == "TO" or (kind == "WITH" and self.joins()):
                self.target(item)
            elif kind in _NOTED:
                self.i += 1
                if kind == "DISCARDS":
                    if not parsed.verb:
                        parsed.junk.append(item.word)
                    kind = "PILE"
                parsed.noted.add(kind)
                if (
                    kind == "CARD"
                    and not parsed.verb
                    and self.i > 1
                    and items[self.i - 2].word in ("my", "this", "that")
                ):
                    parsed.junk.append(item.word)
                if kind == "CARD" and item.value == 2:
                    parsed.noted.add("CARDS")
            elif kind in FLAGS:
                self.i += 1
                parsed.flag = parsed.flag or item.word
            elif kind == "OF":
                self.i += 1
                if not (parsed.noted & {"TOP", "SET"}):
                    parsed.junk.append(item.word)
            elif kind == "JUNK" and parsed.verb == "bid" and item.word in ("nil", "blind", "zero"):
                self.i += 1
                parsed.values.append("nil" if item.word == "zero" else item.word)
            elif kind == "K" and item.word == "table" and not parsed.verb and self.several(self.i + 1):
                self.i += 1
                parsed.verb, parsed.word = "meld", item.word
            else:
                self.i += 1
                parsed.junk.append(item.word)
        if not parsed.groups[-1] and len(parsed.groups) > 1:
            parsed.groups.pop()
        units = parsed.units
        parsed.led = (
            bool(items)
            and items[0].kind == "V"
            and all(item.kind not in ("MARK", "AND", "DOTS", "COLON") for item in items)
        )
        said = [item for item in items if item.word not in ("please", "pls", "plz", "thanks", "ok", "then")]
        parsed.alone = len(said) == 1
        parsed.okay = len(items) == 1 and items[0].word == "kk"
        if praise and (parsed.verb or units or parsed.noted):  # `nice draw` is about somebody else's
            parsed.junk.append(praise)
        if (
            len(units) > 1
            and items[-1].word == "jk"
            and items[-2].word != "jk"
            and items[-2].kind not in ("AND", "WITH", "A")  # kk and jk, kk with a jk
            and any(unit.whole or unit.rank != JOKER_RANK for unit in units[:-1])
        ):
            parsed.flag = parsed.flag or "jk"  # just kidding, more likely than a joker
        return parsed

    def is_noun(self, i: int) -> bool:
        """Whether the verb at `i` is a noun by what stands before it: `a draw`, `the pass`; but `my discard 4h`."""
        verb = self.items[i].value
        if i > 1 and self.items[i - 1].kind == "ANOTHER":  # a new draw
            i -= 1
        word = self.items[i - 1].word if i > 0 else ""
        return word in ("a", "an", "the", "that", "this", "these", "those") or (word == "my" and verb != "discard")

    def is_with(self) -> bool:
        """Whether the letter w at the place reached is short for with: `kings w the wild`."""
        wild = self.after(self.i + 1, "NOISE", "A")
        articled = wild == self.i + 2 and self.items[self.i + 1].word in ("the", "my", "a")
        single = self.kind(wild) == "R" and self.items[wild].value == (WILD_RANK, False)
        return self.items[self.i].word == "w" and articled and single and bool(self.parsed.units)

    def several(self, i: int) -> bool:
        """Whether several cards are named at `i` at once: `kings`, `kkk`."""
        if self.kind(i) == "R":
            return bool(self.items[i].value[1])
        return self.kind(i) == "C" and len(self.items[i].value) > 2

    def put(self, *units: Unit) -> None:
        self.parsed.groups[-1].extend(units)

    def suit_at(self, i: int) -> tuple[int, int] | None:
        """The suit named at `i`, `of` allowed before it, and the place behind it."""
        j = self.after(i, "OF", "NOISE") if self.kind(i) == "OF" else i + (self.kind(i) == "OFF")
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

    def ace_at(self, i: int) -> tuple[Rank, int] | None:
        """The ace of `to a`, where nothing stands behind it."""
        end = self.after(i, "NOISE", "SET", "A")
        said = [item.word for item in self.items[i:end] if item.kind != "NOISE"]
        return (ACE, end) if said[-1:] == ["a"] and (self.kind(end) in _ENDING or end == len(self.items)) else None

    def joins(self) -> bool:
        """Whether `with` names the set that cards go to: `put my 9 with the nines`."""
        verb, units = self.parsed.verb, self.parsed.units
        found = self.rank_at(self.i + 1)
        if found is None or verb not in ("add", "put", "meld", "place") or found[0] == WILD_RANK or not units:
            return False
        if any(item.kind not in _SKIP | {"SET", "DOWN"} for item in self.items[found[1] :]):
            return False
        item = self.items[found[1] - 1]
        many = (item.kind == "R" and item.value[1]) or item.word.endswith("s")
        same = all(unit.rank in (found[0], WILD_RANK) for unit in units)
        return same and (many or verb != "meld")

    def target(self, item: Item) -> None:
        """`to the nines`, `on kings`; or the two that dictation wrote as `to`."""
        parsed = self.parsed
        following = self.after(self.i + 1, "NOISE")
        next_item = self.items[following] if following < len(self.items) else None
        if next_item is not None and next_item.kind in ("PILE", "DISCARDS"):
            parsed.noted.add("TOPILE")
            self.i = following + 1
            return
        if (
            next_item is not None
            and next_item.kind == "JUNK"
            and next_item.word[0] == "m"
            and next_item.word[1:].isdigit()
        ):
            parsed.number = next_item.word.upper()
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
        found = self.rank_at(self.i + 1) or self.ace_at(self.i + 1)
        if found is None or parsed.target is not None or not (parsed.units or parsed.noted & {"EVERY", "IT"}):
            parsed.junk.append(item.word)
            self.i += 1
            return
        parsed.target, self.i = found
        parsed.many = self.items[self.i - 1].word[-1] == "s"
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
                last = parsed.units[-1] if parsed.units else None
                if last is not None and last.card is not None and last.rank < 13:  # king of hearts, clubs and spades
                    self.put(Unit(last.rank, last.rank * 4 + value))
                else:
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
        named = self.items[self.after(self.i + 1, "NOISE", "SET", "A", "OF") :][:1]
        if (
            found is not None
            and named[0].kind == "C"
            and any(card.card is not None and not card.s and card.rank < 13 for card in named[0].value)
        ):
            found = None  # all of a card is none
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
        if n == 0 and self.parsed.verb == "discard":  # all my sevens: more than may be thrown, however many are held
            self.put(Unit(rank, n=2))
        else:
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
        weak = item.word in ("ate", "tree", "tin", "sicks", "sics")
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
        if parsed.verb in ("bid", "cut") and n < 1000:
            parsed.values.append(str(n))
        elif n == 1:
            parsed.one = True
        elif 2 <= n <= 10:
            if following is not None and following.kind == "CARD" and following.value == 2:
                parsed.junk.append(item.word)  # 3 cards
                return
            self.put(Unit(n - 2, weak=weak))
        else:
            parsed.junk.append(item.word)

    def compact(self, item: Item) -> None:
        named: tuple[Named, ...] = item.value
        weak = item.word in ("as", "ah", "ad")
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
        word = self.items[self.i + 1].word if self.kind(self.i + 1) == "S" else ""
        a_suit = len(word) > 1 and word[-1] != "s"  # a heart is no ace of hearts
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
            listed = item.word == "a" and self.compact_ranks(self.i + 1) > 1  # add a q 9
            sentence = self.polite and item.value == "a"  # add a 9 please
            if (
                self.parsed.verb == "add"
                and not self.parsed.units
                and not sentence
                and self.compact_ranks(self.i + 1) == 1
            ):
                self.parsed.an_ace = item.value
            if not pair and not listed and not (letter and following.word != "w" and item.value == "A"):
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

    def compact_ranks(self, i: int) -> int:
        """How many ranks are named from `i` on by a letter or a number alone, where nothing else follows; else 0."""
        rest = self.items[self.after(i) :]
        for item in rest:
            single = item.kind == "C" and len(item.value) == 1 and item.value[0].card in (None, JOKER, WILD)
            if not single and not (item.kind == "N" and item.word.isdigit() and 2 <= item.value <= 10):
                return 0
        return len(rest)

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
