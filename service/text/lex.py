"""From a cleaned line to items, and from items to clauses."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.cards import JOKER, JOKER_RANK, RANKS, WILD, WILD_RANK, Card, Rank
from service.text.lexicon import PHRASES, SUIT_WORDS, WORDS, Item, Meaning

_TOKEN = re.compile(r"\d+(?:[.:]\d+)+\w*|[^\W_]+(?:['_][^\W_]+)*'?(?:[♠♥♦♣]\w?)*|[♠♥♦♣]|\n|\.\.+|[^\w\s]|_+")
_RANK = r"(?:10|1o|[2-9tjqka])"
_SUIT = "[shdc♠♥♦♣]"
_COMPACT = re.compile(rf"(?:(?:{_RANK}(?:of?)?{_SUIT}+|{_RANK}|jk|w)(?!o))+\Z")
_PART = re.compile(rf"(jk|w)|({_RANK})(?:of?(?={_SUIT}))?({_SUIT}*)")
_TIMES = re.compile(r"(?:x([2-9])|([2-9])x)\Z")
_COUNTED = re.compile(rf"([1-8])x?({_RANK}|jk|w)s\Z|({_RANK}|jk|w)s?x([1-8])\Z")
_SAME = re.compile(r"(10|[2-9])\1*\Z")
_SOME = re.compile(r"([2-4])([jqka])s\Z")  # 3ks: three kings
_LETTERS = re.compile(
    r"(?:[tjqka](?:of?)?[shdc])+\Z|[tjqka][shdc]{2,4}\Z|([tjqkaw])\1*w{0,2}\Z|w{1,2}([tjqka])\2+\Z|([kqja])\3+([kqja])\4+\Z|jk+s?\Z|(?:jk){2,}\Z"
)


class Named(NamedTuple):
    """A card as it is written: the card itself or only its rank; `s` tells `9s` and `9S`, which may be nines."""

    rank: Rank
    card: Card | None = None
    s: str = ""  # "s" or "S" where the last letter may be a plural


def compact(word: str, raw: str) -> tuple[Named, ...] | None:
    """Cards written in one word (`4h`, `10s`, `KKW`, `9s9c`, `9SC`), or None where the word is none of that."""
    if len(word) > 60 or not _COMPACT.match(word):
        return None
    if word.isalpha() and not _LETTERS.match(word):
        return None
    if word.isdigit() and not _SAME.match(word):
        return None
    found: list[Named] = []
    for single, rank_text, suits in _PART.findall(word):
        if single:
            found.append(Named(JOKER_RANK, JOKER) if single == "jk" else Named(WILD_RANK, WILD))
            continue
        rank = RANKS.index("T" if rank_text in ("10", "1o") else rank_text.upper())
        found += [Named(rank, rank * 4 + SUIT_WORDS[suit]) for suit in suits] or [Named(rank)]
    last = found[-1]
    if word[-1] == "s" and last.card is not None and len(found) == 1:
        found[-1] = last._replace(s="S" if raw[-1] == "S" else "s")
    return tuple(found)


@lru_cache(maxsize=8192)
def meaning(word: str, raw: str) -> Meaning:
    """What a word is by itself; JUNK when it is nothing we know."""
    known = WORDS.get(word)
    if known is not None and word != "a":
        return known
    if word == "a":
        return ("A", raw)
    many = _SOME.match(word)
    if many:
        return ("COUNTED", (int(many[1]), RANKS.index(many[2].upper())))
    cards = compact(word, raw)
    if cards is not None:
        if len(cards) == 1 and word.isdigit():
            return ("N", int(word))
        return ("C", cards)
    if word.isdigit():
        return ("N", int(word) if len(word) < 4 else 9999)
    if word in SUIT_WORDS:
        return ("S", SUIT_WORDS[word])
    times = _TIMES.match(word)
    if times:
        return ("X", int(times[1] or times[2]))
    counted = _COUNTED.match(word)
    if counted:
        one = compact(counted[2] or counted[3], raw)
        if one:
            return ("COUNTED", (int(counted[1] or counted[4]), one[0].rank))
    if word[-1] == "'":
        return meaning(word.rstrip("'"), raw[: len(word.rstrip("'"))])
    bare = word
    if bare.endswith("'s"):
        bare = bare[:-2] + "s"
    bare = bare.replace("'", "")
    if bare != word:
        one = compact(bare, bare) if bare else None
        if one and len(one) == 1 and one[0].s:  # 9's: nines, never the nine of spades
            return ("R", (one[0].rank, True))
        found = meaning(bare, bare) if bare else ("JUNK", word)
        if found[0] in ("R", "NOISE", "QUES", "NEG", "PAST", "S"):
            return found
        if word.endswith("n't"):
            return ("NEG", word)
        return ("JUNK", word)
    reversed_card = _REVERSED.match(word)
    if reversed_card:
        return meaning(reversed_card[2] + reversed_card[1], reversed_card[2] + reversed_card[1].upper())
    if _STRETCHED.search(word):  # drawwww
        for short in (_STRETCHED.sub(r"\1", word), _STRETCHED.sub(r"\1\1", word)):
            if len(short) > 1 and short in WORDS:
                return WORDS[short]
    return _joined(word) or ("JUNK", word)


_REVERSED = re.compile(r"([hsc])(10|[2-9])\Z")  # h4; d4 may be a discard
_STRETCHED = re.compile(r"(\w)\1{2,}")
_SHORT = re.compile(rf"[dx](?:10|[2-9]){_SUIT}\Z")  # d4h
_PIECE = re.compile(rf"(?:10|[2-9]){_SUIT}?(?![a-z]*of)|(10|[2-9])\1+w?|([kqjtaw])\2+w?|[kqjta]{_SUIT}")
_IN_PIECES = frozenset(("V", "R", "S", "OF", "PILE", "DECK", "CARD", "FROM", "TO", "WITH", "UP", "DOWN", "A", "Q"))
_SMALL = frozenset(
    ("the", "my", "please", "plz", "pls", "and", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
)
_CARDY = frozenset(("R", "PILE", "DECK", "CARD", "UP"))


@lru_cache(maxsize=2048)
def pieces(word: str) -> tuple[str, ...]:
    """The words of which a long one is run together, a verb first: `discardthe4ofhearts`, `pickup99`; else none."""
    if _SHORT.match(word):
        return word[:1], word[1:]
    if not 4 <= len(word) <= 40 or not any(_is_verb(word[:size]) for size in range(2, 12)):
        return ()
    ends: dict[int, tuple[str, ...] | None] = {}

    def split_at(start: int) -> tuple[str, ...] | None:
        if start == len(word):
            return ()
        if start not in ends:
            ends[start] = None
            for end in range(min(len(word), start + 12), start, -1):
                piece = word[start:end]
                fits = _is_verb(piece) if start == 0 else _is_piece(piece)
                rest = split_at(end) if fits else None
                if rest is not None:
                    ends[start] = (piece, *rest)
                    break
        return ends[start]

    found = split_at(0) or ()
    cards = any(WORDS.get(piece, ("", 0))[0] in _CARDY or _PIECE.fullmatch(piece) for piece in found[1:])
    return found if cards or (len(found) > 1 and found[-1] in ("nine", "ten")) else ()


def _is_verb(piece: str) -> bool:
    return len(piece) > 1 and WORDS.get(piece, ("", 0))[0] == "V"


def _is_piece(piece: str) -> bool:
    if piece == "a" or piece in _SMALL or _PIECE.fullmatch(piece):
        return True
    return len(piece) > 1 and WORDS.get(piece, ("", 0))[0] in _IN_PIECES


_OF = re.compile(
    r"(10|[2-9]|[a-z]{3,5})?of([a-z]{4,8})?\Z|(10|[2-9]|ace|king|queen|jack|[jqkat](?=hearts?|spades?|diamonds?|clubs?))([a-z]{4,8})\Z"
)


def _joined(word: str) -> Meaning | None:
    """`3of`, `ofspades`, `queenofspades`: words run together."""
    match = _OF.match(word)
    if match is None:
        return None
    first, last = match[1] or match[3] or "", match[2] or match[4] or ""
    if not (first or last):
        return None
    rank = WORDS.get(first, ("", None)) if not first.isdigit() else ("N", int(first))
    if len(first) == 1 and first.isalpha():
        rank = ("R", (RANKS.index(first.upper()), False))
    suit = WORDS.get(last, ("", None))
    if last and suit[0] != "S":
        return None
    if not first:
        return suit
    value: Any = rank[1]
    if rank[0] == "R" and value[0] < 13:
        number = value[0]
    elif rank[0] == "N":
        number = value - 2
    else:
        return None
    return ("C", (Named(number, number * 4 + suit[1] if last else None),)) if number >= 0 else None


_ENDS = {
    ".": "END",
    "!": "END",
    "\n": "END",
    ";": "END",
    ",": "SEP",
    ":": "COLON",
    "?": "QUES",
    '"': "QUOTE",
    "&": "AND",
    "+": "AND",
}
_SILENT = frozenset("'*~^`|()[]{}<>#_$@%\\")


def read_items(line: str) -> list[Item]:
    """The items of a line, phrases as one item each."""
    low = line.casefold() if not line.isascii() else line.lower()
    if len(low) != len(line):
        line = low
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(low)]
    items: list[Item] = []
    i, count = 0, len(tokens)
    while i < count:
        word, start, end = tokens[i]
        phrases = PHRASES.get(word)
        if phrases is not None:
            for words, what in phrases:
                size = len(words)
                if i + size <= count and (size == 1 or tuple(token[0] for token in tokens[i : i + size]) == words):
                    items.append(Item(what[0], what[1], " ".join(words), start, tokens[i + size - 1][2]))
                    i += size
                    break
            else:
                phrases = None
            if phrases is not None:
                continue
        i += 1
        if word in _ENDS:
            kind = _ENDS[word]
            if word == "." and end < len(line) and not line[end].isspace():
                kind = "SEP"  # draw.discard 4h, but not the end of a sentence
            items.append(Item(kind, word, word, start, end))
        elif word[0] == "." and len(word) > 1:
            items.append(Item("DOTS", word, word, start, end))
        elif word == "-":
            spaced = start == 0 or line[start - 1] == " " or end == len(line) or line[end] == " "
            if spaced:
                items.append(Item("SEP", word, word, start, end))
        elif word == "/":
            items.append(Item("SLASH", word, word, start, end))
        elif word in _SILENT or word[0] in "_":
            items.append(Item("MARK", word, word, start, end))
        elif word == "=":
            items.append(Item("JUNK", word, word, start, end))
        else:
            if word[-1] == "'" and word not in WORDS:
                word = word.rstrip("'")
                end = start + len(word)
            kind, value = meaning(word, line[start:end])
            parts = (
                pieces(word) if kind == "JUNK" or (kind == "C" and word[:3].isalpha() and not word.isalpha()) else ()
            )
            if not parts:
                items.append(Item(kind, value, word, start, end))
                continue
            for part in parts:
                kind, value = meaning(part, line[start : start + len(part)])
                items.append(Item(kind, value, part, start, start + len(part)))
                start += len(part)
    return _in_place(items)


def _in_place(items: list[Item]) -> list[Item]:
    """What only the neighbours tell: `k, draw` is okay, `k/k/k` a list, the d of `k d` a suit."""
    verb = any(item.kind == "V" for item in items)
    for i, item in enumerate(items):
        before = items[i - 1] if i else None
        following = items[i + 1] if i + 1 < len(items) else None
        last = all(later.kind in ("END", "DOTS", "NOISE", "CHAT") for later in items[i + 1 :])
        if item.word == "x" and item.kind == "V" and last and before is not None:
            items[i] = item._replace(kind="MARK")  # a kiss
        elif item.word in ("k", "kk") and i == 0 and following is not None:
            if following.kind in ("V", "NOISE") or (
                following.kind == "SEP" and len(items) > 2 and items[2].kind == "V"
            ):
                items[i] = item._replace(kind="NOISE")
        elif (
            item.word == "w"
            and before is not None
            and following is not None
            and following.kind == "R"
            and following.value[0] == WILD_RANK
        ):
            items[i] = item._replace(kind="WITH", value="")  # kings w wild
        elif item.kind == "SLASH" and before is not None and before.word == "w" and before.end == item.start:
            items[i - 1] = before._replace(kind="WITH", value="")  # w/ nines
            items[i] = item._replace(kind="MARK")
        elif item.kind == "SLASH" and verb and before is not None and following is not None and _apart(items, i):
            items[i] = item._replace(kind="SEP")  # draw / discard 4h
        elif item.kind == "SLASH" and _listed(items, i):
            items[i] = item._replace(kind="MARK")  # pass qs/kh/ah
        elif item.kind == "SLASH" and verb and before is not None and following is not None:
            goes_on = following.kind == "V" and following.value in ("discard", "meld", "add")
            if goes_on and (before.kind in _CARDS or before.value in ("draw", "pickup", "auto")):
                items[i] = item._replace(kind="SEP")  # draw/discard 4h
            elif before.kind in ("C", "N", "R") and (before.kind, before.value) == (following.kind, following.value):
                items[i] = item._replace(kind="MARK")
        elif item.word == "d" and item.kind == "V" and before is not None and _one_rank(before):
            suited = following is not None and following.kind == "C" and following.value[0].card is not None
            if not suited:
                items[i] = item._replace(kind="S", value=1)
    return items


def _apart(items: Sequence[Item], i: int) -> bool:
    """Whether the slash at `i`, with a space on either side, has a verb of a later step behind it; `draw / pickup` asks."""
    if items[i + 1].kind != "V" or items[i + 1].value not in ("discard", "meld", "add"):
        return False
    return items[i - 1].end < items[i].start and items[i].end < items[i + 1].start


def _listed(items: Sequence[Item], i: int) -> bool:
    """Whether the slash at `i` is in a list of three cards or more; `4h/3s` may be one or the other."""
    first, last = _card_before(items, i), _card_behind(items, i + 1)
    if first is None or last is None:
        return False
    more_before = first > 0 and items[first - 1].word == "/" and _card_before(items, first - 1) is not None
    return more_before or (
        items[last : last + 1] != [] and items[last].word == "/" and _card_behind(items, last + 1) is not None
    )


def _card_before(items: Sequence[Item], end: int) -> int | None:
    """Where the whole card begins that ends before this place: `kc`, or `king of clubs`."""
    if end and _whole_card(items[end - 1]):
        return end - 1
    return next((i for i in (end - 2, end - 3) if i >= 0 and _card_behind(items, i) == end), None)


def _card_behind(items: Sequence[Item], start: int) -> int | None:
    """Where the whole card ends that begins at this place."""
    kinds = [item.kind for item in items[start : start + 3]]
    if kinds and _whole_card(items[start]):
        return start + 1
    if kinds[:1] == ["R"] and "S" in kinds[1:2]:
        return start + 2
    return start + 3 if kinds == ["R", "OF", "S"] else None


def _whole_card(item: Item) -> bool:
    return item.kind == "C" and len(item.value) == 1 and item.value[0].card is not None


def _one_rank(item: Item) -> bool:
    if item.kind == "C":
        return len(item.value) == 1 and item.value[0].card is None
    return item.kind in ("N", "OF") or (item.kind == "R" and not item.value[1])


class Clause(NamedTuple):
    """A stretch of a text that says one thing."""

    items: tuple[Item, ...]
    start: int
    end: int
    strong: bool  # whether a full stop, an exclamation mark or a new line is before it


_BORDER = frozenset(("END", "SEP", "AND", "THEN", "DOTS", "QUES"))
_CARDS = frozenset(("C", "R", "N", "A", "Q", "S", "X", "COUNTED", "HOMOPHONE"))


def split(items: Sequence[Item]) -> list[Clause]:
    """Clauses: at a verb after a verb, and at a comma, `and` or `then` unless a list of cards goes on behind it."""
    clauses: list[Clause] = []
    current: list[Item] = []
    strong = True
    verb = False

    def close(next_strong: bool) -> None:
        nonlocal current, strong, verb
        if current:
            clauses.append(Clause(tuple(current), current[0].start, current[-1].end, strong))
            strong = next_strong
        else:
            strong = strong or next_strong
        current, verb = [], False

    for i, item in enumerate(items):
        kind = item.kind
        if kind == "QUES" and item.word == "?":
            current.append(item)
            close(True)
        elif kind == "END" or (kind == "DOTS"):
            close(True)
        elif kind == "THEN":
            close(False)
        elif kind in ("SEP", "AND", "COLON"):
            if not current:
                continue
            if _list_goes_on(items, i + 1, verb, current):
                current.append(item)
            else:
                close(False)
        elif kind == "V" and not verb and item.value == "discard" and _several(current) and _takes_its_own(items, i):
            close(False)  # kings throw the 4
            current.append(item)
            verb = True
        elif kind == "V" and verb:
            carried: list[Item] = []
            while current and current[-1].kind in ("NOISE", "SEP", "AND"):  # "... please draw": the noise is the verb's
                carried.insert(0, current.pop())
            close(False)
            current = [piece for piece in carried if piece.kind == "NOISE"]
            current.append(item)
            verb = True
        elif kind == "K" and verb and current[-1].kind in ("V", "C", "R") and current[-1].word not in ("put", "take"):
            close(False)
            current.append(item)
        else:
            current.append(item)
            if kind == "V":
                verb = True
    close(False)
    return clauses


def _several(current: Sequence[Item]) -> bool:
    """Whether cards that are laid or added stand without a verb: `kings`, `kkk down`, `9h to m1`."""
    many = any(
        (item.kind == "R" and item.value[1]) or (item.kind == "C" and len(item.value) > 2) or item.kind == "COUNTED"
        for item in current
    )
    return many or (any(item.kind == "TO" for item in current) and any(item.kind in _CARDS for item in current))


def _takes_its_own(items: Sequence[Item], i: int) -> bool:
    """Whether the verb at `i` has cards behind it, so that those in front are not its own."""
    for item in items[i + 1 : i + 8]:
        if item.kind in _BORDER or item.kind == "V":
            return False
        if item.kind in _CARDS and item.kind != "A":
            return True
    return False


def _list_goes_on(items: Sequence[Item], start: int, verb: bool, current: Sequence[Item]) -> bool:
    """Whether what follows a comma or `and`, up to the next one, is more of the list of cards before it."""
    drawn = any(item.kind in ("CARD", "DECK", "ANOTHER") for item in current)
    alone = ("draw", "pass", "auto", *(("take", "pick", "pickup") if drawn else ()))
    passed = any(item.kind == "V" and item.value == "pass" for item in current) and any(
        item.kind in _CARDS for item in current
    )
    if not passed and any(item.kind == "V" and item.value in alone for item in current):
        return False
    cards, wild = False, True
    for i, item in enumerate(items[start : start + 12], start):
        kind = item.kind
        if kind in _BORDER or kind == "COLON":
            if cards or kind not in ("SEP", "AND"):
                break
            continue
        if kind in _CARDS:
            if kind != "A":
                cards = True
            wild = wild and (kind == "A" or (kind == "R" and item.value[0] == WILD_RANK) or item.word == "w")
        elif (
            kind == "V" and cards and (wild or (item.value == "discard" and _takes_its_own(items, i)))
        ):  # lay kings and the wild discard 4h
            break
        elif kind == "WITH":
            return (verb and current[-1].kind != "NOISE") or any(said.kind == "PILE" for said in current)
        elif kind not in ("OF", "NOISE", "SET", "CARD", "TO", "OFF", "DOWN", "EVERY", "MARK", "TOPILE", "CHAT", "ONLY"):
            return False
        elif kind == "CHAT":
            return cards
        elif kind == "TOPILE" and any(said.kind == "DOWN" for said in current):
            return False  # aces down and the four to the pile
    if not cards:
        return False
    return any(item.kind in _CARDS or item.kind in ("V", "WITH") for item in current)
