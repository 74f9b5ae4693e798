"""Plays planned ahead without the word PLAN: `play my lowest club if clubs are led`, `dump the queen as soon as you can`.

Only what says for which moment it is meant; what may be meant for now is left to be read as a move. Plans themselves: `plans`.
"""

import re

from service.text import plans
from service.text.reading import Context
from service.text.request import Command

_SUIT = r"(?:a |the )?(?P<suit>spade|heart|diamond|club)s?"
_FIRST = re.compile(
    r"\A(?:please )?(?:if|when|whenever|once|as soon as|next time|the next time) (?:"
    rf"{_SUIT} (?:is|are|get|gets|gets? to be|come|comes|come up|comes up)(?: (?:led|played|called|asked(?: for)?|up|around))?"
    rf"|(?:someone|somebody|anyone|anybody|they|any of them)(?: else)? (?:leads?|plays?|opens?(?: with)?|starts?(?: with)?) {_SUIT.replace('suit', 'opened')})"
    r"(?:,| then|, then)? (?P<what>\S.*)",
    re.IGNORECASE,
)
_OF_LED = re.compile(
    r"\b(?:if|when|whenever|once|next time|the next time) (?:someone|somebody|anyone|anybody|they)(?: else)? (?:leads?|plays?|opens?(?: with)?) (?:a |the )?(spade|heart|diamond|club)s?(?=[\s.!]*\Z)",
    re.IGNORECASE,
)
_COMES = re.compile(
    r"\b(?:if|when|whenever|once|next time|the next time) (?:a |the )?(spade|heart|diamond|club)s? (?:comes?|gets?|is|are) (?:up|round|around|back|called|asked for|played|led)(?: (?:again|next))?(?=[\s.!,]|\Z)",
    re.IGNORECASE,
)
_LED = r"(?:spades?|hearts?|diamonds?|clubs?|it|that|suit) (?:is|are|get|gets) (?:led|played|called)"
_WAITS = re.compile(
    rf"\b(?:(?:if|when|whenever|once|as soon as) {_LED}|always|keep (?:on )?(?:playing|following|going)|every ?time|each time|(?:the )?(?:first|earliest|next|soonest)(?: possible| safe| available)? (?:chance|opportunity|occasion|moment)|asap|a\.s\.a\.p|as soon as)\b",
    re.IGNORECASE,
)
_MY_TURN = re.compile(
    r"[\s,]*\b(?:(?:when|once|as soon as|if) (?:it's|its|it is|it becomes|it gets to be|i get) my (?:next )?turn(?: again)?|when my turn (?:comes|begins|starts)"
    r"|(?:on|for|at) my (?:next )?turn|(?:on (?:the )?|for (?:the )?|my )?next turn|when i'?m up|when it(?: i|')s on me)\b[\s,:]*",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\?|\b(?:not|don't|dont|never|won't|wont|no|should|would|might|may)\b|\A(?:can|could|shall|do|does|is)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\A(?:(?:please|pls|i want to|i'd like to|i would like to|i plan to|i'm planning to|i am planning to|i'll|i will|can you|you can|just)[\s,]+)+|[\s,]+(?:please|pls|thanks|for me)[\s.!]*\Z",
    re.IGNORECASE,
)


def ahead(body: str, context: Context, own_turn: bool) -> Command | None:
    """The plan that a text is which does not say so, or None. At one's own turn no plan is for `my turn`."""
    game = context.game
    if game is None or "play" not in game.verbs or context.stage != "playing" or len(body) > 100:
        return None
    said = _WISH.sub("", body.strip(" .!"))
    if _NOT.search(said):
        return None
    said = _COMES.sub(r"when \1s are led", said)
    first = _FIRST.match(said)
    if first is not None:
        said = f"{first['what'].strip(' .!')} when {(first['suit'] or first['opened']).lower()}s are led"
    said = _OF_LED.sub(lambda found: f"when {found[1].lower()}s are led", said)
    turn = _MY_TURN.search(said)
    if turn is not None and not own_turn:
        said = _MY_TURN.sub(" ", said).strip(" .!,")
    elif turn is not None or not _WAITS.search(said):
        return None
    plan = plans.read(said, game.name)
    return Command("plan", {"text": plan}) if plan is not None and plans.waits(plan) == (turn is None) else None
