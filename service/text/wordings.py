"""What the rules by which a text is put plainly are written with: cards, and what people say before a move."""

import re

RANK = r"(?:10|[2-9]|[tjqka]|aces?|kings?|queens?|jacks?|tens?|nines?|eights?|sevens?|six(?:es)?|fives?|fours?|threes?|twos?|deuces?)"
SUIT = r"(?:[shdc♠♥♦♣]|spades?|hearts?|diamonds?|clubs?)"
CARD = rf"(?:{RANK}(?:\s*(?:of\s+)?{SUIT})?)"
THE = r"(?:(?:the|my|our|that|those|these|this|a|an|all|both|two|three|2|3)\s+){0,3}"
WILL = r"(?:(?:ok|okay|so|well|and|then|i|i'll|i will|ill|i shall|we shall|i'd like to|i want to|i would like to|i'm going to|im going to|i am going to|i'm|im|i am|i guess|guess|i suppose|i think|i reckon|let me|lemme|we|gonna|going to|want to|please|pls|can i|may i|just|now)[\s,]+){0,6}"
NAMED = rf"(?={THE}(?:{CARD}|{SUIT}\s+{RANK}|low(?:est)?|high(?:est)?|small(?:est)?|big(?:gest)?)(?:\W|\Z))"


def compiled(*pairs: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Patterns of words, in whatever letter case, and by what each of them is put plainly."""
    return [(re.compile(pattern, re.IGNORECASE), by) for pattern, by in pairs]


_LETTERS = "23456789tjqka"
_NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_SUITS = {"c": 0, "♣": 0, "d": 1, "♦": 1, "h": 2, "♥": 2, "s": 3, "♠": 3}
_ONE_CARD = re.compile(rf"({RANK})\s*(?:of\s+)?({SUIT})?(?!\w)", re.IGNORECASE)


def card_said(words: str) -> tuple[int | None, int | None]:
    """The rank and the suit that `9s`, `the nine of spades` or `kings` say; None for what is not said."""
    found = _ONE_CARD.search(words)
    if found is None:
        return None, None
    word = found[1].lower()
    if word == "10":
        rank: int | None = 8
    elif len(word) == 1:
        rank = _LETTERS.index(word)
    else:
        rank = next((rank for rank, name in enumerate(_NAMES) if word.startswith(name)), 0)  # deuce
    return rank, _SUITS[found[2][0].lower()] if found[2] else None
