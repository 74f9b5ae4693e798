"""What words mean at a card table: one table of single words, one of phrases, and how misspelt words are put right.

An item of a text is (kind, value). The kinds:
V verb · C cards written compactly · R rank word · N number · S suit · Q quantity · X "x3" · A "a" · OF · TO (to, on)
· WITH · FROM · AND · PILE · DECK · CARD the noun · IT · UP · DOWN · OFF · EVERY · FITS · TOP · NEG no, not · COND if,
maybe, later · QUES should, what · PAST drew, others · K a word of the commands · NOISE and CHAT said beside the move.
A word that is in none of the tables is JUNK, and a clause with JUNK is never acted on.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA

from engine.cards import JOKER_RANK, WILD_RANK
from service.text import vocabulary


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


class Item(NamedTuple):
    """A word or phrase of a text: what it is, and where it stands."""

    kind: str
    value: Any
    word: str
    start: int
    end: int


Meaning = tuple[str, Any]

_NAMES: dict[int, str] = {
    0: "two deuce",
    1: "three trey",
    2: "four",
    3: "five",
    4: "six",
    5: "seven",
    6: "eight",
    7: "nine",
    8: "ten",
    9: "jack knave",
    10: "queen",
    11: "king",
    12: "ace",
    JOKER_RANK: "joker",
    WILD_RANK: "wild wildcard",
}
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
SUIT_WORDS = {"c": 0, "d": 1, "h": 2, "s": 3, "♣": 0, "♦": 1, "♥": 2, "♠": 3}

# English words one slip away from a word of ours: never corrected.
ENGLISH = words(
    """
    raw drawn drawl draws drawer straw brawl crawl dram drag drab dray craw draft drew drop dew dare dark dart
    darn trap discord discus discards discarded discount discos disco disregard disc disk dashcard wildcard
    postcard hiccup backup checkup mockup hookup lockup pickups cup pick picks picked pickle picky makeup
    meals meal weld held mild mold melds melded mend med yield ment men there thee these threw threes free
    tree trees seen even seven sever event right night weight height fight sight might kind kinds kin kins ring
    rings wing wings sing sings ding link kink ink inks skin sink nice mine mines line lines fine wine vine none
    nines pine dine ninth back pack jock lack rack jacket hack poker jokes joked choker broker smoker queue queer
    quen quiet quite quit quick fore ours furs tour pour hour hours sour your yours fires fire give gives live
    lives dive dives ones once fixes mixes axes taxes sexes exes will mild child wind while wide wile wiled hears
    heats pears cubs blubs passed past pads pad mass bass lass boss loss moss toast tosses tossed hoss cross grass
    glass pays pay says lady lays laid lad lat play played plays clay slay delay relay may day way say lazy ray
    addd added adds and aid odd old ads auto autos rub rules rule ruler ruled ruins tule hands handy land sand
    band bland hard had and handle stand tale tables tablet cable able fable stable score scores scored scare
    store core stories shore snore options option adopt optional pains potions hint hints hunt mint tint lint hit
    hilt deal deals dealt dear dead real meal seal heal teal lead dell ideal deaf bots boys boss boot boots both
    bats bits bets but lots dots pots cots bolts games gates gains dames names james fames leaves leaf lease least
    heave weave leaver sleeve cleave eave leap lead match rematches join joint joins coin loin joins undoes under
    undone undue until unto into nudge judge fudge judges nudges nude update updated updates dates date quilt
    quote melds who how why whom space spaces spare spares sides sizes wiles nones ticks sores pints watt pease plie hadn
    """
)


_KEYS = {
    letter: frozenset(near)
    for letter, near in {
        "a": "qwsz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb",
        "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm", "o": "iklp", "p": "ol", "q": "wa",
        "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb", "w": "qase", "x": "zsdc", "y": "tghu", "z": "asx",
    }.items()
}  # fmt: skip


def _slips(word: str) -> set[str]:
    """What quick fingers make of a word: two letters swapped, one doubled; in a longer word one left out, or its neighbour hit."""
    found = _swapped(word)
    if len(word) >= 5:
        found |= {word[:i] + word[i + 1 :] for i in range(len(word))}
        found |= {word[:i] + key + word[i + 1 :] for i in range(1, len(word)) for key in _KEYS[word[i]]}
    return {slip for slip in found if slip not in ENGLISH and len(slip) > 3}


def _swapped(word: str) -> set[str]:
    found = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    return found | {word[:i] + word[i] + word[i:] for i in range(len(word))}


def _plural(word: str) -> str:
    return {"six": "sixes", "wildcard": "wildcards"}.get(word, word + "s")


SHORT_VERBS = words("d p x m l")
WORDS: dict[str, Meaning] = {}
PHRASES: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}  # by their first word, the longest first


def _blocks(text: str) -> Iterable[tuple[Meaning, str]]:
    """The kinds and values of a vocabulary, each with its words on one line."""
    for block in re.split(r"\n(?=\w)", text.strip()):
        head, _, said = block.partition(":")
        kind, *values = head.split()
        value: Any = values[0] if values else ""
        if value.isdigit():
            value = int(value)
        yield (kind, (value, len(values) > 1) if kind == "R" else value), " ".join(said.split())


def _build() -> None:
    for rank, names in _NAMES.items():
        for name in names.split():
            for many, word in ((False, name), (True, _plural(name))):
                for slip in sorted(_slips(word)):
                    WORDS.setdefault(slip, ("R", (rank, many)))
    for suit, name in enumerate(("club", "diamond", "heart", "spade")):
        for slip in sorted(_slips(name) | _slips(name + "s")):
            WORDS.setdefault(slip, ("S", suit))
        WORDS[name] = WORDS[name + "s"] = ("S", suit)
    for rank, names in _NAMES.items():
        for name in names.split():
            WORDS[name] = ("R", (rank, False))
            WORDS[_plural(name)] = ("R", (rank, True))
    for word, number in NUMBERS.items():
        WORDS[word] = ("N", number)
    for meaning, said in _blocks(vocabulary.SINGLE):
        for word in said.split():
            WORDS[word] = meaning
    for meaning, said in _blocks(vocabulary.PHRASED):
        for phrase in said.split(" | "):
            split = tuple(phrase.split())
            PHRASES.setdefault(split[0], []).append((split, meaning))
    for known in PHRASES.values():
        known.sort(key=lambda entry: -len(entry[0]))


_build()

# Typing slips in everyday words of the table, which a phrase may need whole: `could I draw a crad`

_OFTEN = words(
    """
    draw card cards deck pile stock please table score scores hand hands rules discard pickup pick draw again what whats have
    holding show down with away until take throw play turn turns points partner wild lowest highest first next trick
    tricks like want could would should dump whose many much left sorry thanks thank hello morning everyone tomorrow
    """
)


def _spelt() -> dict[str, str]:
    found: dict[str, str] = {}
    for word in sorted(_OFTEN):
        slips = _swapped(word)
        if len(word) >= 6:
            slips |= {word[:i] + word[i + 1 :] for i in range(1, len(word) - 1)}
        known = WORDS.get(word)
        for slip in slips - ENGLISH - _OFTEN:
            if WORDS.get(slip, known) == known:
                found.setdefault(slip, word)
    short = {
        "cna": "can",
        "teh": "the",
        "hte": "the",
        "yuo": "you",
        "oyu": "you",
        "adn": "and",
        "nda": "and",
        "ahs": "has",
        "waht": "what",
        "wat": "what",
        "cuz": "because",
    }
    return found | short


SPELT = _spelt()  # a slip that is no other word, and the word it is a slip of

# Typing slips in command words
FUZZY_VERBS = {
    "draw": "draw", "discard": "discard", "pickup": "pickup", "meld": "meld", "drawing": "draw", "discarding": "discard",
    "throw": "discard", "passing": "pass",
}  # fmt: skip
FUZZY_COMMANDS = words(
    """
    hand table score scores rules options hint undo deal bots games rematch leave join updates nudge quiet melds
    commands invite update
    """
)


@lru_cache(maxsize=4096)
def near_word(word: str) -> str:
    """The one command word that `word` is a slip of, or "": never for a short word or one that is English."""
    if len(word) < 4 or len(word) > 12 or not word.isalpha() or word in ENGLISH or word in WORDS:
        return ""
    if len(word) > 5 and word.endswith(("ed", "er", "ers", "s")) and word[:-1] not in FUZZY_COMMANDS:
        verbs: Iterable[str] = ()
    else:
        verbs = FUZZY_VERBS
    found: dict[str, int] = {}
    for target in verbs:
        reach = 1 if len(target) < 6 else 2
        distance = OSA.distance(word, target, score_cutoff=reach)
        if distance <= reach and _likely(word, target, distance):
            meant = FUZZY_VERBS[target]
            found[meant] = min(distance, found.get(meant, 9))
    for target in FUZZY_COMMANDS:
        reach = 1 if len(target) < 8 else 2
        distance = OSA.distance(word, target, score_cutoff=reach)
        if distance <= reach and _likely(word, target, distance):
            found[target] = distance
    return next(iter(found)) if len(found) == 1 else ""


def _likely(word: str, target: str, distance: int) -> bool:
    """In a short word only two letters swapped, one doubled, or one hit beside its key; in longer ones the first must stay."""
    if len(target) >= 6:
        if distance == 2 and len(word) < 6:
            return False
        return word[0] == target[0] or word[:2] == target[1] + target[0] or word[1:] == target
    if len(word) == len(target):
        wrong = [i for i in range(len(word)) if word[i] != target[i]]
        if len(wrong) == 2:
            return True  # swapped: the distance is one
        return len(wrong) == 1 and wrong[0] > 0 and word[wrong[0]] in _KEYS.get(target[wrong[0]], ())
    if len(word) == len(target) + 1:
        return any(word[i] == word[i + 1] and word[:i] + word[i + 1 :] == target for i in range(len(word) - 1))
    return len(target) == 5 and word[0] == target[0] and word[-1] == target[-1]
