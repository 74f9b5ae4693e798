"""A card that is not named but described: `low`, `duck`, `my highest heart`, `under it`, `the black lady`, `anything`.

Only what the player sees decides: the hand, the trick on the table, what may be played. A description that fits several
cards gives several readings, and the player is asked; one that fits none asks, too.

- low, high: the lowest or highest card that may be played (of a suit, where one is said). Off the led suit and with
  trumps, low means no trump while there is another card.
- duck, under: the highest card that does not take the trick so far; the queen of spades is never taken for that while
  another card would do. With nothing led it is low, and off the suit that was led every card ducks.
- over, beat it, take it: the lowest card that takes the trick so far; trump it: the lowest spade that does.
"""

import re
from collections.abc import Sequence

from engine.cards import QUEEN_OF_SPADES, SUITS, Card, read_card
from engine.game import Loose, Move, Spec
from engine.tricks.plays import over, under
from engine.tricks.table import MOST_ASKED, PLAYS, SPADES, TrickView
from service.text.moves import Reading

LOW = "low|smol|lowest|lower|smallest|small|smaller|little|littlest|least|tiny|tiniest"
HIGH = "high|highest|higher|biggest|big|bigger|top|largest|large|tallest"
_DO = (
    r"(?:(?:play|lead|throw|toss|dump|discard|lay|put|give|drop|use|ditch|unload|follow|go|get rid of|return|cash|exit|sluff|slough|fly|hop)\b"
    r"(?: (?:away|down|off|out|with|suit|on|in|under|me))*\s*)?"
)
_HAVE = r"(?: (?:that |which )?(?:i have|i've got|ive got|i got|i hold|in (?:my )?hand|possible|there is|you can|i can|left))?"
_CARD = re.compile(
    rf"{_DO}(?:(?:with|as)\b )?(?:(?:a|an|any|my|the|your|some|one)\b ?)?(?:(?:very|really|absolute)\b ?)?"
    rf"(?:(?P<low>{LOW})|(?P<high>{HIGH})|(?P<only>only|last))?\b ?(?:(?:cards?|ones?|of|in|from|my|the)\b ?)*"
    rf"(?P<suit>spade|heart|diamond|club)?s?(?: cards?)?(?: one)?{_HAVE}"
)
_NTH = re.compile(
    rf"{_DO}(?:(?:my|the|a|with|with my|with the)\b ?)*(?:(?P<second>second|2nd|next)(?:[ -]to)? ?(?:(?P<low>{LOW})|(?P<high>{HIGH}))|(?P<middle>middle|mid))\b"
    rf" ?(?:(?:cards?|ones?|of|in|from|my|the)\b ?)*(?P<suit>spade|heart|diamond|club)?s?(?: cards?)?(?: one)?{_HAVE}"
)
_ANY = re.compile(
    rf"{_DO}(?:any(?:thing| ?card| ?one)?(?: of (?:them|my cards|those|these))?|whatever|whichever|(?:it )?does(?:n't|nt) matter"
    rf"|you (?:choose|pick|decide)|(?:i )?(?:don't|dont|do not) care|surprise me)(?: (?:you like|will do|goes|works|is fine|legal))?{_HAVE}"
)
_UNDER = re.compile(
    r"(?:i )?(?:(?:play|go|stay|keep|throw|get|slip)\b ?)?(?:duck|ducking|under|beneath|below)(?: ?(?:it|that|this|them|him|her|under|the trick|low))*"
    r"|lose (?:it|this|the trick|this one)|let (?:it|this|this one|the trick) go|lowest loser|highest loser"
    r"|let (?:him|her|them) (?:have|take|win|keep) (?:it|this|this one|the trick|that)|(?:don't|dont|do not) take (?:it|this|this one|the trick)|give it (?:up|away)"
)
_OVER = re.compile(
    r"(?:(?:play|go|get)\b ?)?(?:over|above)(?: ?(?:it|that|this|them|him|her|the trick))*"
    r"|(?:beat|cover|top|win|take) (?:it|that|this|the|the trick|this trick|this one|him|her|them)(?: (?:as )?cheap(?:ly|est)?(?: as (?:possible|i can|you can))?)?|cover|over[- ]?ruff(?:ing)?(?: it)?|over[- ]?trump(?:ing)?(?: it)?|cheapest winner|lowest winner"
)
_TRUMP = re.compile(
    rf"(?:i )?(?:trump|ruff|cut)(?:ing|ting)?(?: (?:it|that|this|them|in))?(?: (?:with )?(?:my |a |the )?(?:(?P<low>(?:low|small|little|tini)est)|{LOW}|(?P<high>{HIGH}))(?: (?:one|spade|trump))?)?"
)
_ACE_OF = re.compile(rf"{_DO}a of (?:spade|heart|diamond|club)s?")
_FOLLOW = re.compile(r"(?:i )?(?:just )?follow(?:ing)?(?: suit)?|show out|(?:i'm |i am )?void(?: in \w+)?")
_LADY = rf"{_DO}(?:(?:the|my|that|old|black|wicked|evil)\b ?)*"
_HAND_OF = re.compile(r"\A(?:second|third|fourth) (?:hand|seat|player)(?: plays)? (?=low|high)")
_NAMED = (
    (re.compile(rf"{_LADY}(?:lady|ladies|maria|witch|bitch|calamity jane)"), "QS", ("hearts", "gong-zhu")),
    (re.compile(rf"{_LADY}(?:pig|piggy|hog)"), "QS", ("gong-zhu",)),
    (re.compile(rf"{_LADY}(?:sheep|goat)"), "JD", ("gong-zhu",)),
    (re.compile(rf"{_LADY}(?:transformer|doubler|multiplier)"), "TC", ("gong-zhu",)),
)


def described(said: str, view: TrickView, plays: Sequence[Move]) -> list[Reading] | None:
    """What a text means that describes a card (lower case, one space between words); None where it does not.

    `plays` are the legal ones, none where it is another's turn: then only what cannot be anything else is read.
    """
    said = _HAND_OF.sub("", said)
    for pattern, name, games in _NAMED:
        if view.game in games and pattern.fullmatch(said):
            return [_play(read_card(name))]
    if _UNDER.fullmatch(said):
        return _readings(_ducks(view, plays))
    if _OVER.fullmatch(said):
        return _readings(over(view, plays)[:1] if view.trick else [])
    trumped = _TRUMP.fullmatch(said) if view.game == "spades" else None
    if trumped is not None:
        trumps = [move for move in over(view, plays) if move.cards[0] & 3 == SPADES] if view.trick else []
        trumps = trumps[-1:] if trumped["high"] else trumps[:1]
        low = [move for move in plays if move.cards[0] & 3 == SPADES] if trumped["low"] and trumps else []
        return _readings([*trumps, *_lowest(view, low, suited=True)] if low else trumps)
    if _FOLLOW.fullmatch(said) and plays:
        return _readings(plays if len(plays) <= MOST_ASKED else [])
    if _ANY.fullmatch(said):
        return _readings([]) if plays else None
    nth = _NTH.fullmatch(said) if plays else None
    if nth is not None:
        return _readings(_nth(nth, plays))
    match = _CARD.fullmatch(said)
    if match is None or not any(match.groupdict().values()) or _ACE_OF.fullmatch(said):
        return None
    if not plays:
        return _readings([]) if match["low"] or match["high"] else None
    fitting = list(plays)
    if match["suit"]:
        fitting = [move for move in plays if move.cards[0] & 3 == SUITS.index(match["suit"][0].upper())]
        if not fitting:  # the refusal says why not
            fitting = [PLAYS[card] for card in view.hand if card & 3 == SUITS.index(match["suit"][0].upper())]
        if not fitting:
            return _readings([]) if match["low"] or match["high"] else None
    if match["low"]:
        fitting = _lowest(view, fitting, suited=bool(match["suit"]))
    elif match["high"]:
        fitting = _of_rank(fitting, max(move.cards[0] >> 2 for move in fitting))
    return _readings(fitting)


def _nth(match: re.Match[str], plays: Sequence[Move]) -> list[Move]:
    """The second lowest or highest, or the middle card, of one suit; none where several suits could be meant or there is no such."""
    fitting = sorted(plays, key=lambda move: move.cards)
    if match["suit"]:
        fitting = [move for move in fitting if move.cards[0] & 3 == SUITS.index(match["suit"][0].upper())]
    if len({move.cards[0] & 3 for move in fitting}) != 1 or len(fitting) < 2:
        return []
    if match["middle"]:
        return (
            [fitting[len(fitting) // 2]] if len(fitting) % 2 else fitting[len(fitting) // 2 - 1 : len(fitting) // 2 + 1]
        )
    return [fitting[1] if match["low"] else fitting[-2]]


def no_taker(said: str, view: TrickView, plays: Sequence[Move]) -> str:
    """What there is to say to `over` where no card goes over the trick; empty where one does, or other words were said."""
    words = " ".join(said.casefold().split()).strip(" .!?")
    if not view.trick or not plays or not _OVER.fullmatch(words) or over(view, plays):
        return ""
    return "None of yours takes it."


def _ducks(view: TrickView, plays: Sequence[Move]) -> list[Move]:
    """The plays that DUCK may mean."""
    if not plays:
        return []
    if not view.trick:
        return _lowest(view, plays)
    ducks = under(view, plays)
    led = view.trick[0][1] & 3
    if not ducks or any(move.cards[0] & 3 != led for move in ducks):
        return ducks if len(ducks) <= MOST_ASKED else []
    others = [move for move in ducks if move.cards[0] != QUEEN_OF_SPADES]
    return [*others[-1:], *[move for move in ducks if move not in others]]


def _lowest(view: TrickView, plays: Sequence[Move], suited: bool = False) -> list[Move]:
    """The lowest cards; of several suits no trump where the led suit cannot be followed."""
    plain = [move for move in plays if move.cards[0] & 3 != SPADES]
    if view.game == "spades" and plain and not suited:
        plays = plain
    return _of_rank(plays, min(move.cards[0] >> 2 for move in plays))


def _of_rank(plays: Sequence[Move], rank: int) -> list[Move]:
    return [move for move in plays if move.cards[0] >> 2 == rank]


def _readings(fitting: Sequence[Move]) -> list[Reading]:
    """These plays; none is the question which card is meant (or the reason why there is none to play)."""
    cards = dict.fromkeys(move.cards[0] for move in fitting)
    return [_play(card) for card in cards][:MOST_ASKED] or [Reading((Loose("play"),))]


def _play(card: Card) -> Reading:
    return Reading((Loose("play", (Spec(card >> 2, card),)),))
