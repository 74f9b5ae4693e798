"""What a text means does not depend on what it is dressed in: an emoji, quotation marks, capitals, `thanks`, a table's code.

Each way to dress a text is tried on the texts of the corpus: the reading must be of the same kind, with the same moves and
the same command, so that nothing it is dressed in adds, changes or drops a card. The ordinary run takes a sample; with
QUEENLINE_DECORATED=1 (`make prove`) every text is dressed in every way.
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

from service.text.understand import Context, Reading, understand
from tests.text.test_understand import said
from tests.text.test_understand_forms import everything

EVERY = bool(os.environ.get("QUEENLINE_DECORATED"))
SAMPLE, SHARE = 8, 10  # the ordinary run takes one text in so many, and each way to dress them one in so many of those
RANKS = dict(zip(("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a"),
                 ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
                 strict=True))  # fmt: skip
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
SYMBOLS = {"h": "♥", "d": "♦", "c": "♣"}
IN_LETTERS = re.compile(r"\b(10|[2-9jqka])([hdc])\b", re.IGNORECASE)
IN_WORDS = re.compile(rf"\b({'|'.join(RANKS.values())}|10|[2-9]) of (hearts|diamonds|clubs)\b", re.IGNORECASE)
BETWEEN = re.compile(r",? (?:and|then) (?=(?:discard|lay|add|throw|toss)\b)")
ITS_CARDS = re.compile(
    r"\b(discard|throw|toss|play|lead|lay|add|pickup|pass) (?=\d|[jqka]{1,4}\b|[jqka][shdc]\b)", re.IGNORECASE
)
LED = re.compile(r"\A(?=(?:draw|discard|lay|throw|toss|play|pass|pick up)\b)", re.IGNORECASE)


BARE_RANK = rf"{'|'.join((*RANKS, *RANKS.values()))}|t|deuce|for|fore"


class Plain(NamedTuple):
    """A text of the corpus and how it is read as it stands."""

    place: str
    context: Context
    text: str
    reading: Reading


def behind(what: str) -> Callable[[str], str]:
    return lambda text: text + what


def before(what: str) -> Callable[[str], str]:
    return lambda text: what + text


def around(first: str, last: str) -> Callable[[str], str]:
    return lambda text: f"{first}{text}{last}"


def wide(text: str) -> str:
    """In the full-width letters of an East Asian keyboard."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def slipped(how: Callable[[str], str], words: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf"\b(?:{words})\b", lambda word: how(word[0]), text, flags=re.IGNORECASE)


def in_words(text: str) -> str:
    return IN_LETTERS.sub(lambda card: f"{RANKS[card[1].lower()]} of {SUITS[card[2].lower()]}", text)


def in_symbols(mark: str = "") -> Callable[[str], str]:
    return lambda text: IN_LETTERS.sub(lambda card: card[1] + SYMBOLS[card[2].lower()] + mark, text)


def in_letters(text: str) -> str:
    letter = {name: rank for rank, name in RANKS.items()}
    return IN_WORDS.sub(lambda card: letter.get(card[1].lower(), card[1]) + card[2][0].lower(), text)


# What really may mean something else, by the way it is dressed: see `left_out`.
TALK = {"thanks", "thank you", "please", "please, thanks", "ok", "Ok", "hi", "hello", "please in front", "kisses", "code", "code:", "signed"}  # fmt: skip
AT_THE_END = {"heart", "hearts", "clover"}
WISHES = {"I'll", "Id like to", "im gonna"}
WAYS: dict[str, Callable[[str], str]] = {
    # emoji
    "thumb": behind(" 👍"),
    "thumb in front": before("👍 "),
    "smile": behind("😀😀"),
    "smile in front": before("😂"),
    "smiley": behind(" :)"),
    "heart": behind(" ❤️"),
    "hearts": behind(" 💕💕"),
    "heart in front": before("❤️ "),
    "clover": behind(" 🍀"),
    "joker in front": before("🃏 "),
    # signs
    "quoted": around("“", "”"),
    "in single quotes": around("‘", "’"),
    "in brackets": around("(", ")"),
    "in square brackets": around("[", "]"),
    "in stars": around("*", "*"),
    "underlined": around("_", "_"),
    "full stop": behind("."),
    "exclamation": behind("!"),
    "exclamations": behind("!!!"),
    "dots": behind("..."),
    # spaces and letters
    "new lines": around("\n", "\n\n"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "double spaces": lambda text: text.replace(" ", "  "),
    "curly apostrophes": lambda text: text.replace("'", "’"),
    "no apostrophes": lambda text: re.sub(r"(?<=[a-z])'(?=[a-z])", "", text, flags=re.IGNORECASE),
    "wide": wide,
    "capital": lambda text: text[:1].upper() + text[1:],
    "capitals after a stop": lambda text: re.sub(r"[.!?] [a-z]", lambda found: found[0].upper(), text),
    "upper case": str.upper,
    "lower case": str.lower,
    # politeness
    "thanks": behind(" thanks"),
    "thank you": behind(", thank you!"),
    "please": behind(" please"),
    "please, thanks": behind(" please thanks"),
    "kisses": behind(" xx"),
    "ok": before("ok, "),
    "Ok": before("Ok "),
    "hi": before("hi, "),
    "hello": before("Hello! "),
    "please in front": before("please "),
    # whose it is
    "code": before("KF7 "),
    "code:": before("kf7: "),
    "signed": behind("\n- Ann"),
    "phone": behind("\n\nSent from my iPhone"),
    # cards and what stands between moves
    "cards in words": in_words,
    "cards in symbols": in_symbols(),
    "cards in emoji": in_symbols("\ufe0f"),
    "cards in letters": in_letters,
    "cards without of": lambda text: IN_WORDS.sub(r"\1 \2", text),
    "cards in one word": lambda text: IN_LETTERS.sub(lambda card: card[1] + SUITS[card[2].lower()], text),
    "the card": lambda text: re.sub(rf"\b(discard|throw|toss|lead) (?={IN_LETTERS.pattern})", r"\1 the ", text),
    "colon": lambda text: ITS_CARDS.sub(r"\1: ", text),
    "dash": lambda text: ITS_CARDS.sub(r"\1 - ", text),
    "line of their own": lambda text: ITS_CARDS.sub(r"\1\n", text),
    "ampersand": lambda text: re.sub(r"\band\b", "&", text),
    "then": lambda text: BETWEEN.sub(" then ", text),
    "semicolon": lambda text: BETWEEN.sub("; ", text),
    "sentences": lambda text: BETWEEN.sub(". ", text),
    "lines": lambda text: BETWEEN.sub("\n", text),
    "plus": lambda text: BETWEEN.sub(" + ", text),
    "slash": lambda text: BETWEEN.sub(" / ", text),
    "nothing between": lambda text: re.sub(r",? (?:and|then) (?=(?:discard|throw|toss)\b)", " ", text),
    "bullets": lambda text: "- " + BETWEEN.sub("\n- ", text),
    # sentences
    "I'll": lambda text: LED.sub("I'll ", text),
    "Id like to": lambda text: LED.sub("Id like to ", text),
    "im gonna": lambda text: LED.sub("im gonna ", text),
    # slips
    "swapped": slipped(lambda word: word[:3] + word[4] + word[3] + word[5:], "discard|pickup|please"),
    "doubled": slipped(lambda word: word[:3] + word[2:], "discard|pickup|throw|please"),
    "left out": slipped(lambda word: word[:3] + word[4:], "discard|please"),
}  # fmt: skip


@lru_cache(maxsize=1)
def plain_texts() -> list[Plain]:
    found = []
    for i, (place, context, text, _) in enumerate(everything()):
        if not EVERY and i % SAMPLE:
            continue
        reading = understand(text, context)
        machine = reading.hint in ("reaction", "automatic", "carrier", "quote")  # what no person wrote has one form
        if not machine and re.search(r"\w\W*\w\W*\w", text):
            found.append(Plain(place, context, text, reading))
    return found


def meant(reading: Reading, way: str) -> Any:
    """What must stay: the kind, the moves with the cards of each in any order, and the command."""
    command = reading.command
    if command is None:
        return reading.kind, moves(reading), None
    args = {name: re.sub(r"[\W_]+", " ", value.casefold()).strip() for name, value in command.args.items()}
    free = command.name == "say" or way.startswith("cards")  # others read what is said; a topic may be a card
    return reading.kind, moves(reading), command.name, {} if free else args


def moves(reading: Reading) -> list[tuple[Any, ...]]:
    return [(move.verb, sorted(move.cards), move.to, move.stands, move.value) for move in reading.moves]


def left_out(way: str, plain: Plain, text: str) -> bool:
    """What may mean something else when it is dressed so."""
    words = plain.text.casefold()
    if text == plain.text or words in ("the", "* draw"):
        return True
    if way in TALK and (plain.reading.hint in ("greeting", "chat", "no words") or plain.context.stage == "none"):
        return True  # `hello` and `hi, hello`; whoever sits nowhere has no table's code
    if way in TALK and re.search(r"sent from|\blove,? \w+ ?x*\Z|\bcall me\b|\Astop\b|\A[*\"“]", words):
        return True  # nothing stands behind a signature; a name is a name
    if way.startswith("code") and ("kf7" in words or plain.reading.hint == "no words" or words == "wrong number"):
        return True  # two codes; a stranger has none
    if way.startswith("please") and re.match(r"(?:\W|please )*(?:can|could|may|would) (?:i|you|we)\b|add a 9", words):
        return True  # a question, and with `please` a wish; in a sentence `a` is no ace
    if way in AT_THE_END and re.search(rf"(?:\b(?:{BARE_RANK})|♥|❤️)\W*\Z", words):
        return True  # `discard the 4 ❤️` names its suit
    if way in AT_THE_END and re.search(
        r"\b(?:low|high|small|play|lead|throw|dump|duck|lay|discard|any|away)(?:er|est)?\W*\Z", words
    ):
        return True  # `play the lowest ❤️`: of hearts, or with love
    if way == "heart in front" and re.match(rf"\W*(?:{BARE_RANK})\b", words):
        return True  # `❤️ 4`
    if way == "joker in front" and not re.match(r"\W*(?:draw|discard|lay|pick|take|add|play|throw)\b", words):
        return True  # among cards it may be one
    if way in ("upper case", "lower case") and re.search(r"\b\d+s\b|\ba\b", words):
        return True  # `9S` is the nine of spades, `9s` may be nines; `A` an ace
    if way in WISHES and plain.reading.kind != "moves":
        return True  # nobody says `I'll play again please` of a game
    if way in WISHES and plain.text.isupper() and re.search(r"\d+S\b", plain.text):
        return True  # in a text in capitals throughout `9S` may be nines
    if way == "line of their own" and ">" in plain.text:
        return True  # the first line alone is a quoted one
    if way == "bullets" and re.search(r"\bann\b|[\"“/]", words):
        return True
    return (way == "in brackets" and "1)" in words) or (way in ("swapped", "doubled") and "=" in words)


def wrong(way: str) -> Iterator[str]:
    dress = WAYS[way]
    number = list(WAYS).index(way)
    for i, plain in enumerate(plain_texts()):
        text = dress(plain.text)
        if (not EVERY and (i - number) % SHARE) or left_out(way, plain, text):
            continue
        reading = understand(text, plain.context)
        if meant(reading, way) != meant(plain.reading, way):
            yield f"{plain.place}: {plain.text!r} is {said(plain.reading)!r}, and {text!r} {said(reading)!r}"


@pytest.mark.parametrize("way", WAYS)
def test_dressed_texts_mean_what_the_plain_ones_do(way):
    found = list(wrong(way))
    assert not found, "\n" + "\n".join(found)
