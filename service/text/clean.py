"""From the body of a text to plain words: what phones put into it and nobody means is taken out or made plain.

The order is that of `clean`: invisible characters, symbols of cards, compatibility forms, typographic punctuation,
emoticons and emoji. Reactions must be recognised before this, on the body as it came: their frame is invisible.
"""

import base64
import binascii
import re
import unicodedata

from service.text.symbols import HEARTS, SPADE_HEART

LIMIT = 1600  # more than the carrier delivers in one text; what is beyond is not read

_SUITS = {"♠": "♤♠🂠" + SPADE_HEART, "♥": HEARTS, "♦": "♢♦🔶🔷🔸🔹", "♣": "♧♣☘🍀"}
_RANK_OF_BLOCK = {1: "a", 10: "10", 11: "j", 12: "c", 13: "q", 14: "k"} | {n: str(n) for n in range(2, 10)}


def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {}
    for suit, written in _SUITS.items():
        table |= {ord(symbol): suit for symbol in written}
    for row, suit in enumerate("♠♥♦♣"):  # the playing cards block: a row of sixteen for each suit
        for rank, name in _RANK_OF_BLOCK.items():
            table[0x1F0A0 + row * 16 + rank] = f" {name}{suit} "
    for joker in (0x1F0CF, 0x1F0BF, 0x1F0DF):
        table[joker] = " jk "
    table |= dict.fromkeys((0xFE0E, 0xFE0F, 0x20E3, 0xFFFC), None)  # variation selectors, keycaps, iMessage's object
    table |= dict.fromkeys(map(ord, "’‘ʼ‛′`´"), "'")
    table |= dict.fromkeys(map(ord, '“”„‟«»″「」『』"'), '"')
    table |= dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
    table |= {ord("…"): "...", ord("🔟"): "10", ord("×"): " x ", ord("→"): "; ", ord("➡"): "; ", ord("✖"): " not "}
    table |= dict.fromkeys(map(ord, "❌🚫🛑👎"), " not ")
    table |= dict.fromkeys(map(ord, "❓❔"), "?")
    table |= dict.fromkeys(map(ord, "❗❕"), "!")
    table |= dict.fromkeys(map(ord, "，、؛；"), ",")
    table |= {ord("ı"): "i", ord("İ"): "I"}  # patterns take them for an i, and no list of words does
    table |= {ord("\u2028"): "\n", ord("\u2029"): "\n", ord("\r"): "\n", ord("\t"): " ", ord("\v"): " ", ord("\f"): " "}
    return table


_FOLD = _table()
# Never what may be a card, a count or a code of a table: `8D`, `(9 8)`, `x3`, `XD3`.
_EMOTICON = re.compile(
    r"(?:(?<=\s)|^)(?:[:;]'?-?[)(DPpOo3*/|\\]+|='?-?[)(DPp/|\\]+|[8xX]-[)(DPp]+|[xX](?:D+|P+|p+|[oO]+)|<3+|\^_*\^)(?=\s|$|[.,!])"
)
_ARROW = re.compile(r"\s*[-=]+>+\s*|(?<=\S)[^\S\n]+>+\s")  # a line that begins with > is a quoted one
_SPACES = re.compile(r"[^\S\n]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{60,}={0,2}\s*\Z")
_PLAIN = re.compile(r"[A-Za-z0-9 ,.;:'?!&=+#_-]*\Z")


def clean(text: str) -> str:
    """The text in plain characters, letter case kept; "" when nothing of it is words."""
    if _PLAIN.match(text):
        text = text[:LIMIT]
        return " ".join(text.split())
    text = text[: 2 * LIMIT].translate(_FOLD)
    text = unicodedata.normalize("NFKC", text).translate(_FOLD)
    kept = []
    for char in text:
        if char.isascii():
            kept.append(char if char >= " " or char == "\n" else "")
            continue
        kind = unicodedata.category(char)
        if kind[0] == "C" and kind != "Cn":  # format and control characters, surrogates, private use
            continue
        if char in "♠♥♦♣":
            kept.append(char)
        elif char.isdigit():  # of any script, or in a circle
            kept.append(str(unicodedata.digit(char)))
        elif kind[0] == "Z":
            kept.append(" ")
        elif kind in ("So", "Sk", "Mn", "Me", "Cn"):  # emoji and what modifies them say nothing about the move
            kept.append(" " if kind == "So" else "")
        else:
            kept.append(char)
    text = _ARROW.sub("; ", _EMOTICON.sub(" ", "".join(kept)))
    return "\n".join(line for raw in text[:LIMIT].split("\n") if (line := _SPACES.sub(" ", raw).strip()))


_NUMBERED = re.compile(r"(?<!\S)[1-9][.)]\s+(?=[a-z])", re.IGNORECASE)


_BULLET = re.compile(r"^[-*\u2022\u00b7] +(?=\w)", re.MULTILINE)


_LONE_BULLET = re.compile(r"[-*\u2022\u00b7] +(?=[^\n]+\Z)")


def unbulleted(said: str) -> str:
    """A text of one line without the bullet in front of it; the lines of a list: see `unnumbered`."""
    return _LONE_BULLET.sub("", said, count=1) if _LONE_BULLET.match(said) else said


def unnumbered(body: str) -> str:
    """`1. draw 2. discard 4h` without its numbers, and a list of lines without what each begins with."""
    if _BULLET.match(body):
        body = _BULLET.sub("", body)
    return _NUMBERED.sub("; ", body).lstrip("; ") if _NUMBERED.match(body) and body[0] == "1" else body


def decode(text: str) -> str:
    """Some long texts are delivered as base64; anything else comes back as it is."""
    if len(text) < 60 or not _BASE64.match(text):
        return text
    packed = "".join(text.split())
    if " " in text.strip() or len(packed) % 4:
        return text
    try:
        found = base64.b64decode(packed, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return text
    return found if found and all(char.isprintable() or char.isspace() for char in found) else text


_SIGNATURE = re.compile(
    r"(?:sent|get outlook|von meinem|envoyé|enviado|gesendet|inviato)\b.{0,60}"
    r"(?:iphone|ipad|ios|galaxy|android|samsung|phone|mobile|outlook|yahoo|gmail|device|watch|verizon|t-mobile|handy).{0,40}\Z"
    r"|sent (?:from|via|with|using) (?:my )?.{0,40}\Z|--+.{0,40}\Z|__+\Z|(?:xo)+x?\Z|x{2,}\Z",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-_=*~]{2,}\s*\Z")
_QUOTED = re.compile(r">|\|\s|on .{3,60} wrote:\Z|-+ ?(?:original|forwarded) message", re.IGNORECASE)


_SIGNED = re.compile(r"(?<=[\w♠♥♦♣])[.!,;\s-]*\bsent from (?:my|a) [\w ]{2,30}[.!]*\Z", re.IGNORECASE)
# `throw the 4 away` is `throw away the 4`; nothing else may stand between the two.
_AWAY = re.compile(
    r"\b(throw|toss|chuck)(ing)? ((?:(?:the|my|a|that) )?[^\W_]{0,6}[^\W_sS](?:(?: of)? (?:spades?|hearts?|diamonds?|clubs?)| of [^\W_]{4,8})?) (?:away|out)\b",
    re.IGNORECASE,
)


def plain_order(line: str) -> str:
    """A line without a phone's signature behind it, and with its verbs in one piece."""
    if line[:4].casefold() == "say ":  # somebody else's to read
        return line
    return _AWAY.sub(r"\1\2 away \3", _SIGNED.sub("", line))


def said_lines(text: str) -> list[str]:
    """The lines that the sender wrote: no quoted ones, no signature, nothing below a rule or "On ... wrote:"."""
    lines: list[str] = []
    for line in text.split("\n"):
        if _QUOTED.match(line):
            if line[0] == ">":
                continue
            break
        if lines and _RULE.match(line):
            break
        if _SIGNATURE.match(line):
            continue
        if line:
            lines.append(line)
    return lines
