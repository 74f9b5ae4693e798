"""A card whose rank or suit came out as another word: `link of spades` from a phone's nine keys, `jake of hearts`, `4 of apades`, `8 sp`.

Such a text is asked about, never acted on.
"""

import re
from collections.abc import Callable

from rapidfuzz.distance import OSA

from engine.game import write_move
from service.text.lexicon import WORDS
from service.text.reading import Context, Reading

_KEYS = {
    letter: key
    for key, letters in enumerate(("abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"), 2)
    for letter in letters
}
_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_HEARD = {
    "nein": "nine", "mine": "nine", "fife": "five", "hive": "five", "bean": "queen", "clean": "queen", "keen": "queen", "green": "queen", "kween": "queen",
    "jak": "jack", "jake": "jack", "jacque": "jack", "check": "jack", "ice": "ace", "aids": "eight", "hate": "eight", "eighth": "eight", "sick": "six",
    "fifth": "five", "fourth": "four", "third": "three", "sixth": "six", "seventh": "seven", "ninth": "nine", "tenth": "ten", "free": "three", "tree": "three",
    "thing": "king", "kin": "king", "deuces": "two", "duece": "two", "tu": "two", "tens": "ten", "then": "ten", "quin": "queen",
}  # fmt: skip
_SHORT = {
    "sp": "spades", "spd": "spades", "spds": "spades", "spad": "spades", "hrt": "hearts", "hrts": "hearts", "ht": "hearts", "hts": "hearts", "hea": "hearts",
    "dia": "diamonds", "dias": "diamonds", "diam": "diamonds", "dmd": "diamonds", "dmds": "diamonds", "dim": "diamonds", "cl": "clubs", "clb": "clubs",
    "clbs": "clubs", "clu": "clubs", "cls": "clubs",
}  # fmt: skip
_RANK_OF = re.compile(r"\b(?P<rank>[a-z]{2,8}) (?:of )?(?P<suit>spades?|hearts?|diamonds?|clubs?)\b", re.IGNORECASE)
_OF_SUIT = re.compile(
    r"\b(?P<rank>10|[2-9]|[tjqka]|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace|deuce) (?:(?:of|oh|od|if|or|os|0f) )?(?P<suit>[a-z]{4,10})\b",
    re.IGNORECASE,
)
_RANK_SHORT = re.compile(
    rf"\b(?P<rank>10|[2-9]|[tjqka]|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) ?(?:of )?(?P<suit>{'|'.join(sorted(_SHORT, key=len, reverse=True))})\b",
    re.IGNORECASE,
)


def guessed(body: str, context: Context, read: Callable[[str], Reading]) -> Reading | None:
    """The question whether a card is meant that these words nearly name, or None."""
    if context.game is None or "play" not in context.game.verbs or "?" in body:
        return None
    plain = _RANK_SHORT.sub(lambda found: f"{found['rank']} of {_SHORT[found['suit'].lower()]}", body)
    plain = _OF_SUIT.sub(_with_suit, plain)
    plain = _RANK_OF.sub(_with_rank, plain)
    if plain == body:
        return None
    reading = read(plain)
    if reading.kind == "moves" and len(reading.moves) == 1 and not reading.rest:
        return Reading("ask", hint="Which do you mean?", choices=(write_move(reading.moves[0]),), rest=body)
    return reading if reading.kind == "refused" and not reading.moves and reading.code == "TURN" else None


def _with_suit(found: re.Match[str]) -> str:
    word = found["suit"].lower()
    near = (
        ["clubs"]
        if word in ("clover", "clovers")
        else [suit for suit in _SUITS if _like(word, suit) or _like(f"{word}s", suit)]
    )
    return f"{found['rank']} of {near[0]}" if len(near) == 1 else found[0]


def _with_rank(found: re.Match[str]) -> str:
    word = found["rank"].lower()
    if WORDS.get(word, ("", None))[0] in ("R", "N", "V") or word in _RANKS:
        return found[0]
    heard = _HEARD.get(word)
    near = [heard] if heard else [rank for rank in _RANKS if _like(word, rank)]
    return f"{near[0]} of {found['suit']}" if len(near) == 1 else found[0]


def _like(word: str, meant: str) -> bool:
    """Whether a word is the meant one but for a slip, or on the same nine keys."""
    if word == meant:
        return True
    keyed = len(word) == len(meant) and all(_KEYS.get(a) == _KEYS[b] for a, b in zip(word, meant, strict=True))
    return keyed or (len(meant) > 3 and OSA.distance(word, meant) <= (2 if len(meant) > 6 else 1))
