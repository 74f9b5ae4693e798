"""Suits and jokers in symbols that are not cards but decoration: `🃏 draw`, `discard 4h ❤️`, `my go ♠️♥️♦️♣️`.

A heart (clover, coloured diamond) names a suit where a rank stands before or behind it, or a word that wants a card:
`4❤️`, `❤️ 4`, `lead a ❤️`, `the lowest ❤️`; never while tricks are bid. A joker is one where it stands alone, among cards, or where a verb wants one.
What may be a card stays: whoever is asked back has lost nothing.
"""

import re
import unicodedata

from service.text.lexicon import FUZZY_VERBS, WORDS, near_word, words
from service.text.reading import Context

HEARTS = "♡♥❤🧡💛💚💙💜🤎🤍💗💖💕"
SPADE_HEART = "🖤"  # a black one stands for the black suit of that shape
_SHAPED = HEARTS + SPADE_HEART
_PURE = "♤♠♢♦♧♣♡♥"
_FANCY = "🔶🔷🔸🔹☘🍀"
_JOKERS = "🃏🂿🃟"
_HIDDEN = "\ufe0e\ufe0f\u200d\u20e3"
_ANY = re.compile(f"[{_SHAPED}{_PURE}{_FANCY}{_JOKERS}]")
_RUN = re.compile(
    f"(?:[{_SHAPED}{_PURE}{_FANCY}][{_HIDDEN}]*(?: +(?=[{_SHAPED}{_PURE}{_FANCY}]))?)+|(?:[{_JOKERS}][{_HIDDEN}]* *)+"
)
_TOKEN = re.compile(f"[^\\W_]+(?:'[^\\W_]+)*|[{_SHAPED}{_PURE}{_FANCY}{_JOKERS}]|[^\\w\\s{_HIDDEN}]|\\n")
_RANK = re.compile(
    r"(?:10|1o|[2-9tjqka]|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace|deuce|trey|ate|tree|for|fore)(?:of)?\Z"
)
_CARD = re.compile(r"(?:(?:10|[2-9tjqka])(?:spade|heart|diamond|club|[shdc])?|jk|w)+s?\Z")
_WANTING = words(
    """
    of o the a an my any some another that this your his her last first other low lowest lower small smallest little littlest least
    high highest higher big biggest largest red black best worst bottom good bad onto to in into with suit
    nicest long short void led no not
    """
)
_ASIDE = frozenset(("away", "down", "out", "off", "on"))  # behind a verb; behind a card they want no other
_TAKING = ("discard", "play", "meld", "add", "put")
_HOLDING = ("discard", "play", "meld", "add", "put", "swap", "take", "pick")  # what is done with a joker
_JOINED = frozenset(("and", "&", "+", ",", "n", "plus", "with", "w"))
_ENDS = frozenset((".", "!", "?", ";", ":", "\n", "then"))
_ONTO = frozenset(("to", "on", "onto"))
_SUITS = words("spades spade hearts heart diamonds diamond clubs club")


def only_cards(text: str, context: Context) -> str:
    """The text, as it came, without the symbols that decorate it where this person sits."""
    if not _ANY.search(text):
        return text
    verbs = context.game.verbs if context.game is not None and context.stage == "playing" else ()
    jokers = "draw" in verbs  # no game of tricks has them
    suits = bool(verbs) and getattr(context.state, "phase", "") not in ("bid", "cut", "pick")
    return _RUN.sub(lambda run: _card(run, jokers, suits), text)


def _card(run: re.Match[str], jokers: bool, suits: bool) -> str:
    """The run where it names cards, or else a space."""
    text = run.string
    before = _tokens(text[max(0, run.start() - 80) : run.start()])
    behind = _tokens(text[run.end() : run.end() + 40])
    if not before and not behind:
        return run[0]
    if run[0][0] in _JOKERS:
        return run[0] if jokers and _is_joker(before, behind) else " "
    if not suits and before[-1:] != ["of"]:
        return " "
    last = text[run.start() - 1 : run.start()]
    glued = last.isalnum() or (last != "" and last in _HIDDEN)
    apart = not text[run.end() : run.end() + 1].isalnum()
    return _suit(re.sub(f"[{_HIDDEN}]", "", run[0]), before, behind, glued, apart) or " "


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _is_joker(before: list[str], behind: list[str]) -> bool:
    first = behind[0] if behind else ""
    joined = bool(before) and before[-1] in _JOINED
    while before and before[-1] in _JOINED:
        before = before[:-1]
    last = before[-1] if before else ""
    if not last or not (last.isalnum() or _names(last)):
        return _names(first) or first in _JOINED
    clause = before[_start(before) :]
    verbs = [i for i, word in enumerate(clause) if _verb(word)]
    verb = _verb(clause[verbs[-1]]) if verbs else ""
    named = any(_names(word) or word in _SUITS for word in clause[verbs[-1] + 1 if verbs else 0 :])
    if verb in ("discard", "play") and named and not joined:
        return False  # it takes one card, and has it
    if named:
        return joined or _names(last) or last in _SUITS
    return last in _WANTING or last in _ASIDE or _verb(last) in _HOLDING


def _start(before: list[str]) -> int:
    """Where the clause that ends here begins; `discard:` and its card are one."""
    marks = [
        i
        for i, token in enumerate(before)
        if token in _ENDS and not (i and token in (":", "\n") and _verb(before[i - 1]))
    ]
    return marks[-1] + 1 if marks else 0


def _suit(run: str, before: list[str], behind: list[str], glued: bool, apart: bool) -> str:
    """The symbols that name a suit, or none; apart from its rank a heart is one heart, however many there are."""
    if glued:
        own, _, more = run.partition(" ")
        return f"{own} {more}" if _pure(more) and not _row(more) else own
    plain = run.replace(" ", "")
    pure = _pure(plain)
    last = before[-1] if before else ""
    if pure and _row(plain) and not _RANK.match(last):
        return ""
    if behind[:1] == ["s"] or (pure and not any(symbol in HEARTS for symbol in plain)):
        return run
    if pure and last and last[-1] in _PURE:
        return run
    if apart and plain[0] in _FANCY:
        return ""
    if _RANK.match(last):
        listed = (
            before[-2:-1] == [last] or (before[-2:-1] and before[-2] in _ONTO) or (last == "k" and len(before) == 1)
        )
        return run if pure else "" if listed else plain[0]
    verb = last in _ASIDE or (len(last) > 1 and _verb(last) in _TAKING)
    wanted = last in _WANTING or (verb and not any(map(_names, before[_start(before) :])))
    return (run if pure else plain[0]) if wanted or _led(behind, apart) else ""


def _led(behind: list[str], apart: bool) -> bool:
    """Whether a rank stands behind the suit: `❤️ queen`, and neither `❤️ two queens` nor `❤️ 4 of clubs`."""
    first, second, third = [*behind, "", "", ""][:3]
    if not _RANK.match(first) or first in ("a", "for", "fore"):
        return False
    if not apart or not second:
        return True
    return second in _ENDS or (second in _JOINED and not _names(third)) or WORDS.get(second, ("",))[0] in ("NOISE", "V")


def _row(symbols: str) -> bool:
    """Whether these are suits in a row, and not that of one card."""
    return len(set(symbols) - {" "}) > 2


def _pure(symbols: str) -> bool:
    """Whether all of them are what stands on a card."""
    return all(symbol in _PURE + " " for symbol in symbols)


def _verb(word: str) -> str:
    kind, value = WORDS.get(word, ("", ""))
    return str(value) if kind == "V" else FUZZY_VERBS.get(near_word(word), "")


def _names(token: str) -> bool:
    """Whether a token names cards by rank, or is a symbol of one."""
    if not token or token in ("a", "an", "for", "fore", "1"):
        return False
    if token[0] in _JOKERS + _PURE or _CARD.match(token) or _RANK.match(token):
        return True
    return WORDS.get(token, ("",))[0] == "R"
