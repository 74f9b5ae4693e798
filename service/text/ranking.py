"""Which card is above which: whether an ace is high or low, and how the ranks follow each other; asked, and answered by the game's rules."""

import re
from typing import Any

from engine.game import Game
from service.text.request import Command, Said

TOPIC = "ranks"
_WORDS = frozenset(("ranks", "rank", "ranking", "ace", "aces", "order", "card order", "cards rank", "high", "low"))

_CARD = r"(?:(?:a|an|the|my|your) )*(?:aces?|kings?|queens?|jacks?|tens?|twos?|threes?|deuces?|10s?|[2-9]s?|[akqjt])(?: of (?:spades|hearts|diamonds|clubs))?"
_LEVEL = r"(?:high|low|highest|lowest|top|bottom|a ?(?:1|one)|one|1|both)"
_HERE = r"(?: (?:cards?|rank|one|in|a|the|this|these|our|game|here|run|runs|sequence|sequences|now|or|high|low|only|both|always|too|as well|just|allowed|of|all))*"
_ACE_IS = re.compile(
    rf"(?:(?:is|are|does|do|can|could|would|will|may|should) )?(?P<card>{_CARD})"
    rf"(?P<verb>(?: (?:be|is|are|counts?|counted|ranks?|go|goes|used|played|treated|considered|only|always|also|both|either|as|the|it))*) (?P<level>{_LEVEL}){_HERE}"
)
_ASKED = re.compile(r"(?:is|are|does|do|can|could|would|will|may|should)\b")
_ABOVE = re.compile(
    rf"(?:is|are|does|do|will|would) {_CARD} (?:(?:rank|ranks|come|comes|count|counts|higher|lower|bigger|smaller|above|below|over|under|beats?|outranks?|than|in|value|card) ?)+ {_CARD}{_HERE}"
)
_WHICH = re.compile(
    r"(?:what|which|what's|whats)(?: (?:is|are|card|cards|rank|one))* (?:the )?(?:(?:highest|lowest|biggest) (?:cards?|ranks?|value)|(?:highest|lowest))(?: (?:card|rank|in|of|the|this|game|deck|pack|a|suit|here|each|every|all))*"
)
_ORDER = re.compile(
    r"(?:(?:what|what's|whats|which|how|tell me|explain|remind me|in what|in which)(?: (?:is|are|do|does|of))* )?(?:the )?"
    r"(?:(?:order|ranking|ranks|rank order|hierarchy|sequence)(?: (?:of|do|are|is|for))*(?: (?:the|all|card))* (?:cards?|ranks?|suits?)(?: (?:go|come|rank|run|in|are|is|from|high|low|to|ranked|ordered))*"
    r"|(?:cards?|ranks?) (?:order|ranking|rankings|hierarchy|rank|ranked|ordered)(?: (?:in|this|game|here))*|rank order|ranking|rankings)"
)
_CORNER = re.compile(
    r"(?:can|could|may|do|does|is|are)\b.*\b(?:(?:a?round|turn) (?:the )?corner|wrap(?:s|ped|ping)?(?: a?round)?)\b.*"
    r"|(?:can|could|may|do|does|is|are|would)\b.*\b(?:k|kings?)(?: to| and)? (?:the |an? )*(?:a|aces?)(?: to| and)? (?:the |a )*(?:2|twos?)(?: (?:a|the|valid|allowed|ok|legal|good|run|sequence|count|work|be|in))*"
)


def asked(said: Said) -> Command | None:
    """`is ace high or low`, `which card is highest`, `can a run go round the corner`."""
    key = said.key
    if said.game is None or (" " not in key and key != "ranking") or len(key) > 90:
        return None
    ace = _ACE_IS.fullmatch(key)
    if ace is not None:
        of_the_end = re.search(r"\b(?:aces?|a|kings?|k)\Z", ace["card"]) is not None
        question = _ASKED.match(key) is not None or said.text.rstrip().endswith("?") or " or " in key
        if question and (of_the_end or ace["level"] in ("highest", "lowest", "top", "bottom") or "high or low" in key):
            return Command("rules", {"topic": TOPIC})
        return None
    in_runs = "swap" in said.game.verbs and _CORNER.fullmatch(key) is not None
    if in_runs or any(pattern.fullmatch(key) for pattern in (_ABOVE, _WHICH, _ORDER)):
        return Command("rules", {"topic": TOPIC})
    return None


def rule(game: Game, options: Any, topic: str) -> str:
    """How the cards rank in this game by these house rules; "" where the topic is another."""
    if topic not in _WORDS:
        return ""
    if "play" in game.verbs:
        wins = (
            "highest spade, else the highest of the suit led," if game.name == "spades" else "highest of the suit led"
        )
        return f"Aces are high: A K Q J 10 9 and so on down. The {wins} takes the trick."
    if "swap" in game.verbs and getattr(options, "melds", "both") != "sets_only":
        if getattr(options, "omit_low", "none") != "none":
            return "In a run the ace is high only, above the K: Q K A. A run does not go round the corner."
        return "In a run the ace is below the 2 or above the K, not both: A 2 3 or Q K A, never K A 2. In a set that makes no difference."
    return "Aces are neither high nor low: cards of one rank make a set, and no rank is above another."
