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
