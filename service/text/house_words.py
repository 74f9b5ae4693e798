"""House rules in people's own words: `jokers, target 2500, wilds one per meld` to names and values, and back.

A rule is named by its own name (`wild_limit=one`, `wild limit one`, `no jokers`) or by one of the phrases of
`service.text.house_phrases`. Reading goes from left to right, the longest that is known at a place; words of no weight are
left out first, of the phrases as of the text. What is not understood is handed back, never guessed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rapidfuzz import fuzz, process

from engine.cards import card_name, read_card
from engine.game import Game, Rule, rules_of
from service.text.house_book import (
    ADDS,
    BORROWS,
    HYPHENS,
    LITTLE,
    NUMBER,
    SPECIAL,
    Book,
    book_of,
    fits,
    key_of,
    keys_of,
    plain,
)
from service.text.house_spelling import respelled
from service.text.lexicon import words
from service.text.words import listed

BREAK = ","
# What may stand between house rules and says nothing by itself.
_NOISE = LITTLE | words(
    "new to on up set target target= target: points play playing called round plus also but add adding use using option options rule rules house"
)
_YES, _NO = ("on", "yes", "true", "allow"), ("off", "no", "false")


class Given(NamedTuple):
    """One house rule as it was said."""

    name: str
    value: str
    said: str


@dataclass
class House:
    """What was read: house rules in their order, what was not understood, and what there is to say to some of it."""

    given: list[Given] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    aside: str = ""

    @property
    def options(self) -> dict[str, str]:
        """The values, by name; the first of a rule that was given twice, and all of a list together."""
        found: dict[str, str] = {}
        for name, value, _ in self.given:
            if name in ADDS and name in found and "none" not in (found[name], value):
                found[name] = "+".join(dict.fromkeys([*found[name].split("+"), *value.split("+")]))
            else:
                found.setdefault(name, value)
        return found

    @property
    def clash(self) -> str:
        """Two wishes for one rule that differ, as they were said; empty where there are none."""
        first: dict[str, Given] = {}
        for each in self.given:
            other = first.setdefault(each.name, each)
            if other.value != each.value and (each.name not in ADDS or "none" in (other.value, each.value)):
                return f'"{other.said}" and "{each.said}"'
        return ""


class _Word(NamedTuple):
    key: str
    said: str
    raw: str = ""  # the value of a `name=value`


# Reading


def read(text: str, game: Game) -> House:
    """The house rules of this game that the words of a text say, a slip in a word put right where only one can be meant."""
    house = _read(text, game)
    if not house.unknown:
        return house
    ways = [_read(said, game) for said in respelled(text, house.unknown, game.name)]
    one = bool(ways) and not any(way.unknown or way.options != ways[0].options for way in ways)
    return ways[0] if one else house


def _read(text: str, game: Game) -> House:
    book = book_of(game.name)
    house = House()
    said = _words(text, book)
    unknown: list[str] = []
    i = 0

    def close() -> None:
        kept = unknown[:]
        while kept and kept[0].strip(".,;!?") in _NOISE:
            kept.pop(0)
        while kept and kept[-1].strip(".,;!?") in _NOISE:
            kept.pop()
        if kept:
            house.unknown.append(" ".join(kept).strip(" .,;!?"))
        unknown.clear()

    while i < len(said):
        word = said[i]
        if word.key == BREAK:
            close()
            i += 1
            continue
        found = _named_value(said, i, book) or _longest(said, i, book)
        if found is None:
            if not word.key or word.key in _NOISE or word.said.strip(".,;!?") in _NOISE:
                unknown += [word.said] if unknown else []
            else:
                unknown.append(word.said)
            i += 1
            continue
        close()
        meant, size, aside = found
        quoted = " ".join(w.said for w in said[i : i + size]).strip(" .,;!?")
        house.given += [Given(name, value, quoted) for name, value in meant]
        house.aside = house.aside or aside
        i += size
    close()
    return house


def _words(text: str, book: Book) -> list[_Word]:
    """The words of a text, a comma by itself; `name = value` is one, and so is `name: value` of a known name."""
    text = re.sub(r"\s*(?<!=)=(?!=)\s*", "=", plain(text))
    found: list[_Word] = []
    for part in re.sub(r"([,;])(?=\s|$)|[,;](?=\D)", r" , ", text).split():
        name, eq, value = part.partition("=")
        known = book.rules.get(name.replace("-", "_"))
        if not eq and ":" in part:
            name, _, value = part.partition(":")
            known = book.rules.get(name.replace("-", "_"))
            eq = ":" if known is not None else ""
        value = value.strip(",;.!")
        if part == ",":
            found.append(_Word(BREAK, part))
        elif eq and (known is None or (value and (fits(known, value) or (eq == "=" and _no_such(value, book))))):
            found.append(_Word("=", name, value))
        else:
            split = HYPHENS.sub(" ", part.replace(eq, " ") if eq else part).split()
            found += [_Word(key_of(piece.strip(",;")), piece) for piece in split]
    return found


def _no_such(value: str, book: Book) -> bool:
    """Whether what is given as the value of a rule says nothing in this game: the answer says what it can be."""
    keys = keys_of(HYPHENS.sub(" ", value))
    values = [keys_of(word) or (word,) for rule in book.rules.values() for word in rule.choice.words]
    known = {key for phrase in (*book.phrases, *book.names, *values, _YES, _NO) for key in phrase}
    return not any(key in known or NUMBER.fullmatch(key) for key in keys)


Found = tuple[tuple[tuple[str, str], ...], int, str]


def _named_value(said: Sequence[_Word], i: int, book: Book) -> Found | None:
    """`name=value`, of a name that may be several words, and a value that may stand apart."""
    for size in range(5):
        at = i + size
        if at >= len(said) or said[at].key == BREAK:
            return None
        if said[at].key != "=":
            continue
        name = "_".join([word.said for word in said[i:at]] + [said[at].said]).replace("-", "_")
        if size and name not in book.rules:
            return None
        value, used = said[at].raw, size + 1
        if not value and at + 1 < len(said) and said[at + 1].key != BREAK:
            value, used = said[at + 1].said.strip(",;."), used + 1
        return ((name, _yes_no(value)),), used, ""
    return None


def _yes_no(value: str) -> str:
    return {"yes": "on", "true": "on", "no": "off", "false": "off"}.get(value, value)


def _longest(said: Sequence[_Word], i: int, book: Book) -> Found | None:
    """The longest phrase, or name with its value, that begins at a word; a number alone is the target."""
    if not said[i].key:
        return None
    run: list[tuple[str, int]] = []  # the words of weight from here on, and where each ends
    for at in range(i, len(said)):
        if said[at].key in (BREAK, "=") or len(run) > book.longest + 4:
            break
        if said[at].key:
            run.append((said[at].key, at + 1 - i))
    keys = tuple(key for key, _ in run)
    meant, size, aside = _at(keys, book)
    first = not i or said[i - 1].key == BREAK
    if "target" in book.rules and NUMBER.fullmatch(keys[0]):
        target = keys[0] if keys[0][0] == "-" else _fitting(book, "target", keys[0])
        fitting = fits(book.rules["target"], target)
        if (not size and (first or fitting)) or (fitting and 1 + _at(keys[1:], book)[1] > size):
            meant, size, aside = (("target", target),), 1, ""  # 500 with an out bonus of 100
    if size:
        return meant, run[size - 1][1], aside
    found = _bad_value(said, i, keys, run, book)
    return found if found is None or first or found[0][0][1] else None


def _at(keys: tuple[str, ...], book: Book) -> Found:
    """What the first of these words say, how many of them, and what there is to say to it; none of them: ((), 0, "")."""
    best: Found = (), 0, ""
    for size in range(min(len(keys), book.longest), 0, -1):
        found = _phrase(keys[:size], book)
        if found is not None:
            best = found[0], size, found[1]
            break
    for meant, size in (_by_name(keys, book), _special(keys, book)):
        if meant and size > best[1]:
            best = meant, size, ""
    return best


def _phrase(keys: tuple[str, ...], book: Book) -> tuple[tuple[tuple[str, str], ...], str] | None:
    for at in (None, *(i for i, key in enumerate(keys) if NUMBER.fullmatch(key))):
        number = "" if at is None else keys[at]
        tried = keys if at is None else (*keys[:at], "#", *keys[at + 1 :])
        if tried in book.asides:
            return (), book.asides[tried]
        if tried in book.phrases:
            meant = book.phrases[tried]
            return tuple((n, _fitting(book, n, v.replace("#", number)) if "#" in v else v) for n, v in meant), ""
    return None


def _fitting(book: Book, name: str, value: str) -> str:
    """The number as the rule has it: `1000` as `-1000` where only losses are."""
    if ":" in value:
        return value
    other = value[1:] if value.startswith("-") else f"-{value}"
    return other if not fits(book.rules[name], value) and fits(book.rules[name], other) else value


def _by_name(keys: tuple[str, ...], book: Book) -> tuple[tuple[tuple[str, str], ...], int]:
    """`wild limit one`, `no out bonus`, `100 out bonus`, and of a rule that is on or off its name alone."""
    for lead in (0, 1):
        for size in range(min(len(keys) - lead, book.longest), 0, -1):
            name = book.names.get(keys[lead : lead + size])
            if name is None:
                continue
            rule = book.rules[name]
            if lead:
                value = _negated(rule) if keys[0] == "no" else _fitting(book, name, keys[0])
                if value and (keys[0] == "no" or (NUMBER.fullmatch(keys[0]) and fits(rule, value))):
                    return ((name, value),), size + 1
                continue
            skip = size + (keys[size : size + 1] == ("to",) or keys[size : size + 1] == ("equal",))
            for value in sorted(rule.choice.words, key=len, reverse=True):
                spoken = keys_of(value) or (value,)
                if keys[skip : skip + len(spoken)] == spoken:
                    return ((name, value),), skip + len(spoken)
            if skip < len(keys) and NUMBER.fullmatch(keys[skip]):
                number = _fitting(book, name, keys[skip])
                if fits(rule, number) or (skip == size and _numeric(rule)):  # `jokers to 2500` are two wishes
                    return ((name, number),), skip + 1
            if set(rule.choice.words) >= {"on", "off"}:
                after = keys[skip : skip + 1]
                if after and after[0] in (*_YES, *_NO):
                    return ((name, "on" if after[0] in _YES else "off"),), skip + 1
                return ((name, "on"),), size
    return (), 0


def _numeric(rule: Rule) -> bool:
    return (
        bool(rule.choice.numbers)
        or rule.choice.low <= rule.choice.high
        or any(map(NUMBER.fullmatch, rule.choice.words))
    )


def _negated(rule: Rule) -> str:
    return next((value for value in ("off", "none", "0") if fits(rule, value)), "")


def _bad_value(
    said: Sequence[_Word], i: int, keys: tuple[str, ...], run: Sequence[tuple[str, int]], book: Book
) -> Found | None:
    """The name of a rule with a value that is none: the answer will say what it can be."""
    for size in range(min(len(keys), book.longest), 0, -1):
        name = book.names.get(keys[:size])
        if name is None:
            continue
        skip = size + (keys[size : size + 1] in (("to",), ("equal",)))
        value = said[i + run[skip][1] - 1].said.strip(" .,;!?") if skip < len(keys) else ""
        return ((name, value),), run[min(skip, len(keys) - 1)][1], ""
    return None


_SUITS = {"spad": "S", "spade": "S", "heart": "H", "diamond": "D", "club": "C"}
_RANKS = {"queen": "Q", "king": "K", "jack": "J", "ac": "A", "ace": "A", "10": "T"}


def _special(keys: tuple[str, ...], book: Book) -> tuple[tuple[tuple[str, str], ...], int]:
    """`queen of spades 45`, `QS:45`: a card with a value of its own."""
    if SPECIAL not in book.rules:
        return (), 0
    if not keys:
        return (), 0
    card, size = "", 1
    first, colon, number = keys[0].partition(":")
    if len(keys) > 1 and keys[1] in _SUITS:
        card, size = _RANKS.get(keys[0], keys[0]) + _SUITS[keys[1]], 2
    else:
        card = first
    if not re.fullmatch(r"(?:[2-9tjqka]|10)[shdc]", card, re.IGNORECASE):
        return (), 0
    if not colon:
        size += keys[size : size + 1] in (("worth",), ("count",), ("valu",))
        number = keys[size] if size < len(keys) else ""
        size += 1
    if not number.isdigit():
        return (), 0
    return ((SPECIAL, f"{card_name(read_card(card.upper()))}:{number}"),), size


# Answers


def unknown(game: Game, what: str) -> str:
    """The answer to words that are no house rule: the nearest that are."""
    found = near(game, what)
    known = f"Did you mean {listed([word.upper() for word in found], 'or')}?" if found else ""
    return f'{game.title} has no house rule "{what[:30]}". {known or f"OPTIONS {short_name(game)} lists them."}'


def near(game: Game, what: str) -> list[str]:
    """Up to three ways to say a house rule, each of another, that are most like these words."""
    book = book_of(game.name)
    heard = " ".join(plain(what).replace("_", " ").split())
    found = process.extract(heard, list(book.vocabulary), scorer=fuzz.WRatio, score_cutoff=75, limit=12)
    best = found[0][1] if found else 0
    each: dict[str, str] = {}
    for wording, score, _ in sorted(found, key=lambda hit: (-hit[1], abs(len(hit[0]) - len(heard)))):
        if score >= best - 8:
            each.setdefault(book.vocabulary[wording], wording)
    return list(each.values())[:3]


def short_name(game: Game) -> str:
    """What to write behind NEW: a plain name as it is, else the shortest way people call the game."""
    return (game.name if game.name.isalpha() or not game.aliases else game.aliases[0]).upper()


def say(game: Game, name: str, value: Any) -> str:
    """One house rule in the words one might open a table with."""
    book = book_of(game.name)
    text = str(value)
    if name in ADDS and text != "none":
        return ", ".join(_say_one(book, name, part) for part in text.split("+"))
    return _say_one(book, name, text)


def _say_one(book: Book, name: str, text: str) -> str:
    wording = book.said.get((name, text)) or book.said.get((name, "#"))
    if wording is not None and ("#" not in wording or NUMBER.fullmatch(text)):
        return wording.replace("#", text)
    if name == SPECIAL:
        return text.replace(":", " ")
    if name == BORROWS and ":" in text:
        rule, _, kept = text.partition(":")
        number = book.said.get((BORROWS, f"{rule}:#"))
        return number.replace("#", kept) if number and kept.isdigit() else text
    return f"{name.replace('_', ' ')} {text.replace('_', ' ')}"


_ROUND = (2500, 1500, 1000, 200, 100, 50, 20, 10, 8, 4, 3, 2, 1, -500)  # numbers that one might choose


def example(game: Game, rule: Rule) -> str:
    """Up to three values of a house rule but the usual one, in words."""
    choice = rule.choice
    values = [*choice.words, *map(str, choice.numbers)]
    usual = int(rule.default) if NUMBER.fullmatch(str(rule.default)) else 0
    values += [
        str(n) for n in _ROUND if choice.low <= n <= choice.high and n != usual and (n <= 2 * usual or not usual)
    ][:1]
    if choice.special is not None:
        values += {
            "permanent_wilds": ("10", "one_eyed_jacks"),
            SPECIAL: ("QS:45",),
            BORROWS: ("discard_depth:top_only", "values:pip"),
        }.get(rule.name, ())
    return ", ".join(
        f"`{say(game, rule.name, value)}`" for value in values if value != str(rule.default) and fits(rule, value)
    )


def odd(game: Game, options: Any) -> list[str]:
    """The house rules that are not as usual, in words, the target first."""
    changed = [rule for rule in rules_of(options) if getattr(options, rule.name) != rule.default]
    changed.sort(key=lambda rule: rule.name != "target")
    return [say(game, rule.name, getattr(options, rule.name)) for rule in changed]


def usual(game: Game, options: Any) -> list[str]:
    """The house rules that are as usual, in words."""
    same = [rule for rule in rules_of(options) if getattr(options, rule.name) == rule.default]
    return [say(game, rule.name, getattr(options, rule.name)) for rule in same]
