"""GSM 03.38: what an ordinary text may hold, what it costs, and how to write anything else in it.

An ordinary sender has 160 septets in one segment and 153 in each of several, 70 and 67 UTF-16 units where a character
is outside the alphabet; a toll-free number has one less in each of several. A character of the extension table costs two
septets, one beyond the basic plane two units, and neither is ever split.
"""

import unicodedata
from typing import NamedTuple

BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENSION = frozenset("\f^{}\\[~]|€")
ALPHABET = BASIC | EXTENSION


class Limits(NamedTuple):
    """What one segment holds, and each of several: in septets, and in UTF-16 units."""

    one: int
    many: int
    one_ucs2: int
    many_ucs2: int


ORDINARY = Limits(160, 153, 70, 67)
TOLL_FREE = Limits(160, 152, 70, 66)  # of the United States and Canada
ONE, MANY = ORDINARY.one, ORDINARY.many

_FOLDED = {
    "’": "'", "‘": "'", "‚": "'", "′": "'", "`": "'", "´": "'",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "″": '"',
    "–": "-", "—": "-", "‒": "-", "−": "-", "‐": "-", "‑": "-", "•": "-", "·": "-",
    "…": "...", "×": "x", "\t": " ", "\u2028": "\n", "\u2029": "\n",
    "♠": "S", "♤": "S", "♥": "H", "♡": "H", "❤": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C",
    "ç": "c", "Œ": "OE", "œ": "oe", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "™": "TM", "©": "(c)", "®": "(R)",
}  # fmt: skip


def is_gsm7(text: str) -> bool:
    """Whether every character is in the alphabet or its extension."""
    return ALPHABET.issuperset(text)


def septets(text: str) -> int:
    """What the text costs in septets. ValueError if it is not GSM-7."""
    if not is_gsm7(text):
        raise ValueError("the text is not GSM-7")
    return len(text) + sum(map(text.count, EXTENSION))


def segments(text: str, limits: Limits = ORDINARY) -> int:
    """How many segments the carrier will send and charge for; 0 for an empty text."""
    if len(text) <= limits.one and is_gsm7(text) and septets(text) <= limits.one:
        return 1 if text else 0
    return len(parts(text, limits))


def parts(text: str, limits: Limits = ORDINARY) -> list[str]:
    """The text as the carrier cuts it: no part ends in the middle of an escape or of a surrogate pair."""
    if is_gsm7(text):
        units = [2 if char in EXTENSION else 1 for char in text]
        one, many = limits.one, limits.many
    else:
        units = [2 if ord(char) > 0xFFFF else 1 for char in text]
        one, many = limits.one_ucs2, limits.many_ucs2
    if sum(units) <= one:
        return [text] if text else []
    cut, start, used = list[str](), 0, 0
    for i, cost in enumerate(units):
        if used + cost > many:
            cut.append(text[start:i])
            start, used = i, 0
        used += cost
    return [*cut, text[start:]]


def fold(text: str) -> str:
    """The same text in GSM-7: look-alikes for punctuation, letters without the accents the alphabet lacks, no emoji."""
    if text.isascii() and "`" not in text and text.isprintable():
        return text
    return "".join(_fold_char(char) for char in text)


def _fold_char(char: str) -> str:
    if char in BASIC or char in EXTENSION:
        return "" if char in "\f\r" else char
    if char in _FOLDED:
        return _FOLDED[char]
    kept = [part for part in unicodedata.normalize("NFKD", char) if part in BASIC or part in EXTENSION]
    if kept:
        return "".join(kept)
    return " " if unicodedata.category(char) == "Zs" else ""


def clip(text: str, most: int) -> str:
    """The text cut to that many septets, at a word where one is near, with dots where something was cut."""
    if septets(text) <= most:
        return text
    room, kept = most - 2, ""
    for char in text:
        room -= 2 if char in EXTENSION else 1
        if room < 0:
            break
        kept += char
    head, space, _ = kept.rpartition(" ")
    in_a_word = text[len(kept) : len(kept) + 1].strip() != ""
    return (head if in_a_word and space and len(kept) - len(head) < 15 else kept).rstrip(" ,.;") + ".."
