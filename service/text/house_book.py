"""The house rules of a game as they may be said: its phrases without endings and little words, and what each means."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.game import Rule, rules_of
from engine.registry import named
from engine.rummy.rummy5000 import BORROWED
from service.text import house_phrases
from service.text.lexicon import words

ADDS = ("permanent_wilds", "special_values", "r500_options")  # rules whose values are lists, joined by `+`
BORROWS, SPECIAL = "r500_options", "special_values"

LITTLE = words(
    """
    the a an of is are be been being may can will would should you your our we us i my his her their them it its for in at by
    and with as that this who whoever when if then have has do does there here so please pls thanks game table
    """
)
_SAME = {
    "without": "no", "w/o": "no", "dont": "no", "cant": "no", "never": "no", "not": "no", "doesnt": "no", "isnt": "no", "arent": "no",
    "shouldnt": "no", "wont": "no", "cannot": "no", "nobody": "no", "deck": "pack", "sequence": "run", "each": "per", "pts": "point",
    "pt": "point", "deuce": "2s", "wildcard": "wild", "everyone": "everybody", "all the": "all", "maximum": "max", "minimum": "min",
    "goes": "go", "does": "do", "used": "use", "using": "use", "allowed": "allow", "anytime": "anytime", "whenever": "anytime",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "twenty": "20",
    "fifty": "50", "twos": "2s", "deuces": "2s", "threes": "3s", "fours": "4s", "fives": "5s", "sixes": "6s", "sevens": "7s",
    "eights": "8s", "nines": "9s", "tens": "10s", "lying": "lie", "lies": "lie", "going": "go", "laying": "lay", "lays": "lay",
}  # fmt: skip
_TOGETHER = (
    (re.compile(r"\blay(?:ing|s)?[ -]?offs?\b"), "layoff"),
    (re.compile(r"\bwild ?cards?\b"), "wild"),
    (re.compile(r"\bany ?time\b|\bat any time\b"), "anytime"),
    (re.compile(r"\bleft ?overs?\b"), "leftover"),
    (re.compile(r"\bshoot(?:ing|s)? the moon\b"), "moon"),
    (re.compile(r"\bminus (?=\d)"), "-"),
    (re.compile(r"\bplus (?=\d)"), "+"),
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"\b(\d+)k\b"), r"\g<1>000"),
    (re.compile(r"\b(\d+) thousand\b"), r"\g<1>000"),
    (re.compile(r"\b(\d+) hundred\b"), r"\g<1>00"),
)
NUMBER = re.compile(r"[+-]?\d{1,7}")
HYPHENS = re.compile(r"(?<=[a-z])-(?=[a-z0-9])|(?<=\ds)-|_")


def plain(text: str) -> str:
    text = text.casefold().replace("’", "'")
    for pattern, other in _TOGETHER:
        text = pattern.sub(other, text)
    return text


@lru_cache(maxsize=4096)
def key_of(word: str) -> str:
    """A word without its endings; empty for one of no weight."""
    word = word.strip('.!?"()').replace("'", "")
    word = _SAME.get(word, word)
    if word in LITTLE or not word:
        return ""
    if NUMBER.fullmatch(word):
        return word.removeprefix("+")
    if word[0].isdigit():
        return word
    for ending, least in (("ing", 6), ("ed", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith(("ss", "eed")):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    if len(word) > 3:
        word = word.removesuffix("e")
    same = _SAME.get(word, word)
    return word if same.isdigit() else same  # `twoes` is no number


def keys_of(text: str) -> tuple[str, ...]:
    parts = plain(text).replace("-#", "#").replace("+#", "#")
    parts = HYPHENS.sub(" ", parts)
    return tuple(filter(None, map(key_of, parts.replace(",", " ").split())))


# The phrases of a game


def ways(phrase: str) -> Iterator[str]:
    """All that a phrase with `[...]` and `(...|...)` stands for, the whole first."""
    found = re.search(r"\[([^\[\]()]*)\]|\(([^\[\]()]*)\)", phrase)
    if found is None:
        yield " ".join(phrase.split())
        return
    choices = (found[1] or found[2]).split("|") + ([""] if found[1] is not None else [])
    for choice in choices:
        yield from ways(phrase[: found.start()] + choice + phrase[found.end() :])


def entries(block: str) -> Iterator[tuple[str, list[str]]]:
    """What each entry of a block means, and its phrases."""
    for entry in re.split(r"\n(?=\S)", block.strip()):
        head, _, phrases = entry.partition(":\n")
        yield head, [way for phrase in " ".join(phrases.split()).split(" | ") for way in ways(phrase)]


class Book(NamedTuple):
    """The house rules of a game as they may be said."""

    rules: Mapping[str, Rule]
    names: Mapping[tuple[str, ...], str]
    phrases: Mapping[tuple[str, ...], tuple[tuple[str, str], ...]]  # to names and values; `#` stands for a number
    said: Mapping[tuple[str, str], str]  # how a value is said
    asides: Mapping[tuple[str, ...], str]
    vocabulary: Mapping[str, str]  # what may be said, and the rule it is about
    longest: int


@lru_cache(maxsize=16)
def book_of(game: str) -> Book:
    rules = {rule.name: rule for rule in rules_of(named(game).Options)}
    phrases: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
    said: dict[tuple[str, str], str] = {}
    vocabulary = {name.replace("_", " "): name for name in rules}
    turned: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
    for block in (*house_phrases.OF_GAME.get(game, ()), house_phrases.ANY):
        for head, wordings in entries(block):
            meant = tuple(map(_assigned, head.split()))
            if not all(name in rules for name, _ in meant):
                meant = tuple(map(_lent, meant)) if BORROWS in rules else ()
            if not meant or not all(name in rules for name, _ in meant):
                continue
            if len(meant) == 1:
                said.setdefault(meant[0], wordings[0])
            for wording in wordings:
                key = keys_of(wording)
                phrases.setdefault(key, meant)
                vocabulary.setdefault(wording.replace("#", "").strip(), meant[0][0])
                if len(meant) == 1 and meant[0][1] == "on":
                    off = ((meant[0][0], "off"),)
                    turned |= {("no", *key): off, (*key, "off"): off, (*key, "on"): meant, (*key, "allow"): meant}
                    turned[*key, "no", "allow"] = off
                    turned |= {("allow", *key): meant, ("no", "allow", *key): off}
                if key[0] == "no":
                    turned[*key, "allow"] = meant
    for key, meant in turned.items():
        phrases.setdefault(key, meant)
    for wording in house_phrases.SO_ALREADY.get(game, ()):
        phrases.setdefault(keys_of(wording), ())
    asides: dict[tuple[str, ...], str] = {}
    for entry in re.split(r"\n(?=\S)", house_phrases.ASIDES.strip()):
        games, _, rest = entry.partition(":\n")
        if game in games.split():
            wordings_, _, answer = " ".join(rest.split()).partition(": ")
            asides |= {keys_of(wording): answer for wording in wordings_.split(" | ")}
    names = {keys_of(name): name for name in rules}
    longest = max(map(len, [*phrases, *names, *asides]))
    return Book(rules, names, phrases, said, asides, vocabulary, longest)


def _assigned(word: str) -> tuple[str, str]:
    name, _, value = word.replace("+=", "=").partition("=")
    return name, value


def _lent(meant: tuple[str, str]) -> tuple[str, str]:
    """A rule of 500 Rummy in a game that may borrow it."""
    return (BORROWS, ":".join(meant)) if meant[0] in BORROWED else ("", "")


def fits(rule: Rule, value: str) -> bool:
    try:
        rule.choice.read(value)
    except ValueError:
        return False
    return True
