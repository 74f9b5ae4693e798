"""Plays planned ahead in a game of tricks: `plan low club`, `plan qs on the first chance`, `plan follow low`, `plan 7c`.

A plan is kept as the words that a player may text. When its moment comes it becomes a move, from what its player sees and
nothing else; until then it waits, and it never answers for its player: what does not fit is left to them, and so is the
queen of spades onto their own trick.

- LOW CLUB (HIGH CLUB): once, when clubs are led by another: the lowest (highest) club. It does not lead.
- QS ON THE FIRST CHANCE (any card): once, when it can be played without taking the trick so far: thrown off on another
  suit, or under a higher card.
- FOLLOW LOW: whenever there is a card of the led suit, the lowest; till the hand is over or the plan taken back.
- PLAY 7C: the next turn, whatever that brings, and only that one.
"""

import re
from collections.abc import Sequence

from engine.cards import QUEEN_OF_SPADES, SUITS, Card, read_card
from engine.game import Move
from engine.tricks.plays import QUEEN_GAMES, own_queen, takes
from engine.tricks.table import PLAY, TrickView
from service.text.described import HIGH, LOW
from service.text.lex import read_items
from service.text.parse import parse
from service.text.words import card

EXAMPLES = "PLAN LOW CLUB, PLAN QS ON THE FIRST CHANCE, PLAN FOLLOW LOW, or a card for your next turn: PLAN 7C"
FOLLOW_LOW = "follow low"
FIRST_CHANCE = " on the first chance"
_SUIT = "spade|heart|diamond|club"
_MY = r"(?:(?:to|play|use|with|my|the|a|an|always|just|put|follow)\b ?)*"
_LED = (
    rf"(?: (?:on|in|if|when|once|whenever|as soon as|next time)(?: (?:they|it|that|those|suit|(?:{_SUIT})s?|is|are|get|gets|got|come|comes"
    r"|led|lead|leads|played|called|asked|someone|somebody|anyone|up|around|my|turn|it's|its|next|time|again|can)\b)+)?"
)
_LOW_OF = re.compile(
    rf"{_MY}(?:(?P<low>{LOW})|(?P<high>{HIGH}))(?: (?:card|one))?(?: (?:of|in|on))?(?: my)? (?P<suit>{_SUIT})s?{_LED}"
)
_IF_LED = re.compile(
    rf"{_MY}(?:(?P<low>{LOW})|(?P<high>{HIGH})) (?:if|when|once|on) (?P<suit>{_SUIT})s?(?: (?:is|are|get|gets|led|come|comes|played))*"
)
_FOLLOW = re.compile(
    rf"(?:(?:to|always|just|keep|please|play|go|put|and)\b ?)*(?:follow|following)(?: ?(?:suit|with|my|the|always|on))* (?:{LOW})(?: (?:card|one)s?)?(?: (?:always|every time|each time|till the end|all hand))?"
    rf"|(?:always|keep|keep on|just keep)(?: (?:playing|play|going|go|following))? (?:{LOW})(?: (?:card|one)s?)?"
    rf"|(?:play |go )?(?:{LOW})(?: (?:card|one)s?)? (?:always|every time|each time|whenever i can)"
)
_CHANCE = re.compile(
    r"(?P<card>.+?) (?:at |on |with |as |when |once |the |a |my )*(?:first|earliest|soon|next|safe|possible|asap|whenever|able)\b[a-z' ]*|(?P<thrown>.+?) (?:as soon as|when|once|whenever|if) (?:i|it|you|she|that)\b[a-z' ]*"
)
_VERBS = re.compile(
    r"(?:(?:to|play|throw|dump|discard|drop|lose|ditch|unload|slough|get rid of|off|away|out|put|lay)\b ?)+"
)
_LADY = re.compile(r"(?:(?:the|my|black|old)\b ?)*(?:queen|lady|black maria|maria|pig)")


def read(words: str, game: str) -> str | None:
    """A plan as it is kept and shown, from a player's words after PLAN; None where they are no plan of plays."""
    said = " ".join(words.casefold().replace(",", " ").split()).strip(" .!")
    if _FOLLOW.fullmatch(said):
        return FOLLOW_LOW
    for pattern in (_LOW_OF, _IF_LED):
        match = pattern.fullmatch(said)
        if match is not None:
            return f"{'low' if match['low'] else 'high'} {match['suit']}"
    match = _CHANCE.fullmatch(said)
    if match is not None:
        named = _card(match["card"] or match["thrown"], game)
        return None if named is None else f"{card(named).lower()}{FIRST_CHANCE}"
    named = _card(said, game)
    return None if named is None else f"play {card(named).lower()}"


def waits(plan: str) -> bool:
    """Whether a plan waits for its moment; else it is for the next turn."""
    return plan == FOLLOW_LOW or plan.endswith(FIRST_CHANCE) or plan.startswith(("low ", "high "))


def lasts(plan: str) -> bool:
    """Whether a plan goes on after it has been carried out."""
    return plan == FOLLOW_LOW


def due(plan: str, view: TrickView, legal: Sequence[Move]) -> Move | None:
    """The move that a waiting plan makes now, one of the legal ones; None where its moment has not come."""
    plays = [move for move in legal if move.verb == "play"]
    if view.phase != PLAY or view.turn != view.seat or not view.trick or not plays:
        return None
    led = view.trick[0][1] & 3
    suited = sorted((move for move in plays if move.cards[0] & 3 == led), key=lambda move: move.cards)
    move: Move | None = None
    if plan.endswith(FIRST_CHANCE):
        wanted = read_card(plan.removesuffix(FIRST_CHANCE))
        if not takes(view, wanted):
            move = next((play for play in plays if play.cards[0] == wanted), None)
    elif suited and plan == FOLLOW_LOW:
        move = suited[0]
    elif suited and led == _suit(plan):
        move = suited[0 if plan.startswith("low ") else -1]
    if move is None or own_queen(view, move.cards[0], plays) is not None:
        return None
    return move


def now(plan: str, view: TrickView, legal: Sequence[Move]) -> Move | None:
    """The card that was planned for this very turn, where it may be played and can be meant."""
    wanted = read_card(plan.split()[1])
    move = next((move for move in legal if move.verb == "play" and move.cards[0] == wanted), None)
    return None if move is None or own_queen(view, wanted, legal) is not None else move


def past(plan: str, view: TrickView) -> bool:
    """Whether the moment of a waiting plan cannot come any more in this hand: the card or the suit is gone."""
    if plan == FOLLOW_LOW or view.phase != PLAY:
        return False
    if plan.startswith("play "):
        return read_card(plan.split()[1]) not in view.hand
    if plan.endswith(FIRST_CHANCE):
        return read_card(plan.removesuffix(FIRST_CHANCE)) not in view.hand
    return all(held & 3 != _suit(plan) for held in view.hand)


def explained(plan: str) -> str:
    """What a plan will do, as the end of a sentence."""
    if plan == FOLLOW_LOW:
        return "your lowest of the suit whenever you can follow, till the hand is over"
    if plan.endswith(FIRST_CHANCE):
        return f"{plan.removesuffix(FIRST_CHANCE).upper()} as soon as it can be played without taking the trick"
    if waits(plan):
        how, suit = plan.split()
        return f"your {how}est {suit} when {suit}s are led"
    return f"{plan.split()[1].upper()} at your next turn, if it can be played then"


def _suit(plan: str) -> int:
    return SUITS.index(plan.split()[1][0].upper())


def _card(words: str | None, game: str) -> Card | None:
    """The one card that is named, by its face or, where there is such a lady, as the queen."""
    bare = _VERBS.sub("", words or "", count=1).strip()
    if game in QUEEN_GAMES and _LADY.fullmatch(bare):
        return QUEEN_OF_SPADES
    parsed = parse(read_items(bare))
    if parsed.flag or parsed.junk or parsed.verb or parsed.target is not None or len(parsed.units) != 1:
        return None
    unit = parsed.units[0]
    return unit.card if unit.n == 1 and not unit.whole else None
