"""Wishes to see another player's cards, however they are put: they are answered with what everybody may know."""

import re

from service.text.lex import meaning
from service.text.lexicon import words
from service.text.request import Command, Said

HANDS = "hands"  # TABLE about them

_THEM = (
    r"(?:{names}|he|she|they|(?:everyone|everybody|anyone|anybody|someone|somebody)(?: else)?"
    r"|(?:(?:all|my|the|our|any|of) )*(?:other (?:teams?|sides?|pair)|(?:(?:other|next) )?(?:players?|opponents?|partner|team ?mates?|others|rest|enem(?:y|ies)|bots?|computers?|robots?)))"
)
_THEIRS = (
    rf"(?:(?:{_THEM}(?:'s|s'|s)?|his|her|their|each other's) (?:(?:whole|entire|full|secret|hidden|private|current|actual) )*(?:hands?|cards?)"
    rf"|(?:(?:all|the|all the|all of the|every|each|other|the other) )?hands|every hand|(?:the )?(?:hands?|cards?) (?:of|that belongs? to) {_THEM})"
)
_SEE = (
    r"(?:(?:ignore|disregard|forget|override|bypass)\b.{0,60}? (?:and|then|just|now) )?(?:(?:system|admin|sudo|debug|developer|operator|mode|cheat|just|please|now|so|but) )*"
    r"(?:(?:can|could|may|might|would|will) (?:i|we|you) (?:(?:please|just|maybe|kindly) )*|(?:i|we)(?:'d| would| really)? (?:want|like|need|wish|love|have)(?: to)? |let (?:me|us) |(?:i )?wanna |help me )?"
    r"(?:(?:have|take|get|sneak) a (?:look|peek|glance) (?:at|in|into) |(?:show|see|know|tell|give|send|text|reveal|display|print|list|dump|leak|expose|open|peek(?: (?:at|in|into))?|peep at|look (?:at|in|into)|check|view|read(?: out)?|share|uncover|spy on|describe|name|flash) )?"
    r"(?:(?:me|us|out|to me) )?"
)
_NOW = r"(?: (?:left|still|now|again|today|exactly|really|right now|at the moment|to me|in (?:his|her|their|the|the other)? ?hands?|for cards|for me))*"
_SHOW = re.compile(
    rf"{_SEE}(?:(?:what(?:'s|s| is| are)?|which (?:cards? )?(?:is|are)) )?(?:(?:in|inside|at) )?{_THEIRS}{_NOW}|hand {{names}}"
)
_HOLDS = re.compile(
    rf"{_SEE}(?:do you know )?(?:what|which)(?:'s|s| all)?(?: (?:else|cards?|kind of cards?|hand|is|are|do|does|has|have|might|could|would|must))* "
    rf"{_THEM}(?:'s|'ve| is| are| still)* (?:have got|have|has got|has|got|holding|holds|hold|having|keeping|keeps|kept)(?: (?:all|got))*{_NOW}"
)
_HAS_ONE = re.compile(
    rf"(?:do you know (?:if|whether) )?(?:(?:does|do|has|have|is|are) )?{_THEM} (?:(?:still|already|also|even|perhaps) )*(?:have got|have|has|got|holding|holds|hold)"
    rf"(?: (?:any|an?|the|some|more|another|both|all|of|black|red|high|low))* (?P<what>\S+(?: of \S+)?){_NOW}"
)
_CARDS = words("pair pairs trump trumps wild wilds joker jokers w qs jd")
_COUNTS = re.compile(r"what(?:'s|s| has| have) (?:everyone|everybody) got")  # how much, more likely than what


def asked(said: Said) -> Command | None:
    """The command that answers a wish to see a hand that is not the asker's; None where the text is no such wish."""
    key = said.key
    if said.stage != "playing" or said.game is None or " " not in key or len(key) > 120 or _COUNTS.fullmatch(key):
        return None
    names = "|".join(re.sub(r"(?=\d+\Z)", " ?", re.escape(name.casefold()), count=1) for name in said.names) or "nobody"

    def fits(pattern: re.Pattern[str]) -> re.Match[str] | None:
        return re.fullmatch(pattern.pattern.replace("{names}", f"(?:{names})"), key)

    if fits(_SHOW) or fits(_HOLDS):
        return Command("table", {"about": HANDS})
    one = fits(_HAS_ONE)
    if one is None or not re.match(r"(?:do you know|does|do|has|have|is|are)\b", key):
        return None
    named = [word for word in one["what"].split() if word != "of"]
    return Command("table", {"about": HANDS}) if all(map(_is_card, named)) else None


def _is_card(word: str) -> bool:
    return word in _CARDS or meaning(word, word)[0] in ("R", "N", "S", "C")
