"""What stands around a text and is no part of it: quotation marks, brackets, stars, `ok` in front, thanks and kisses at the end."""

import re
from collections.abc import Sequence

_PAIRS = {'"': '"', "'": "'", "(": ")", "[": "]", "{": "}", "<": ">", "*": "*", "_": "_", "~": "~"}
_AROUND = re.compile(r"""\A\s*(["'(\[{<*_~])(.*)(["')\]}>*_~])[\s.!,]*\Z""", re.DOTALL)
_THANKS = r"(?:many thanks|thanks?(?: you| u)?|thx|thnx|thanx|tks|ty|tysm|cheers|ta|x{1,6}|(?:xo){1,4}x?)"
_THANKED = re.compile(
    rf"(?:[\s,.;!-]+(?:and )?{_THANKS}(?: (?:so much|very much|a lot|a million|kindly|again|all|everyone|in advance|dear|love(?: you)?|partner))*)+[\s.!]*\Z",
    re.IGNORECASE,
)
_PLEASED = re.compile(r"([\s,]+)(please|pls|plz)(?:[\s,.!]+(?:please|pls|plz))+[\s.!]*\Z", re.IGNORECASE)
_LED = re.compile(
    r"[\s,.!]*(?:ok|okay|okey|okie|alright|all right|hi|hello|hey|hiya|yo+|bro|bruh|omg|lol|dude|please|pls|plz|it'?s (?:only |just )?me(?= ?[,.!]))(?: (?:then|now))?(?![^\W_]|')[\s,.!:;-]*",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*[^\W\d_]?\W*\Z")
_GREETED = re.compile(
    r"(?:there|all|every(?:one|body)|guys|folks|ladies|gents|girls|boys|team|gang|fam|family|friends?|dears?|love|google|siri|you|thanks?|thx|ty)\b",
    re.IGNORECASE,
)
_END = 80  # characters
_OWN = re.compile(r"[\s,.!]*(?:say|chat|name|call me)\b", re.IGNORECASE)  # what others read, or a name
# Alone, these are something else: `no thanks` is no refusal, and `k thanks` no king.
_ANSWER = re.compile(
    r"\W*(?:k+|a|an|no+|nope|nah|yes|yep|yeah|yup|ok|okay|oh?|ah|hi|hello|hey|many|and|so|well|but|love|big|huge|great|good|cool|alright|right|fine)\W*\Z",
    re.IGNORECASE,
)


def unwrapped(text: str) -> str:
    """The text without what is set around the whole of it: `"draw"`, `(draw)`, `*draw*.`, one in another, too."""
    while (found := _AROUND.match(text)) and found[3] == _PAIRS[found[1]] and _whole(found[1], found[2]):
        text = found[2].strip()
    return text


def _whole(mark: str, inner: str) -> bool:
    """Whether the outer marks belong together: no `(a) and (b)`, no `"a" and "b"`."""
    if not inner.strip(mark + " "):
        return False
    close = _PAIRS[mark]
    if mark != close:
        depth = 0
        for char in inner:
            depth += (char == mark) - (char == close)
            if depth < 0:
                return False
        return depth == 0
    if mark == "'":
        return re.search(r"(?<!\w)'|'(?!\w)", inner) is None
    if mark not in inner or inner[0] == inner[-1] == mark:
        return True
    return inner.count(mark) % 2 == 0 and re.match(rf"\S*{re.escape(mark)}(?!\w)", inner) is None


def unthanked(body: str) -> str:
    """The text without thanks and kisses at its end, and with one `please` there where there were several."""
    if _OWN.match(body):
        return body
    less = body[:-_END] + _PLEASED.sub(r"\1\2", _THANKED.sub("", body[-_END:]))
    return body if not less.strip() or _ANSWER.match(less) else less


def unled(body: str, names: Sequence[str] = ()) -> str:
    """The text without `ok`, `please` or a greeting in front; a greeting that is for somebody stays."""
    if _OWN.match(body):
        return body
    while (found := _LED.match(body)) is not None:
        rest = body[found.end() :]
        word = re.match(r"[^\W_]+", rest)
        called = word is not None and word[0].casefold() in {name.casefold() for name in names}
        if called or _ALONE.match(rest) or _GREETED.match(rest) or _ANSWER.match(rest):
            break
        body = rest
    return body


def unasked(body: str) -> str:
    """The text without `please` at its end."""
    return body[:-_END] + re.sub(r"[\s,.!]+(?:please|pls|plz)[\s.!]*\Z", "", body[-_END:], flags=re.IGNORECASE)
