"""Second thoughts: `lay kings sorry queens` in one text, `sorry I meant 3s` in the text after.

In one text nothing is done that is taken back within it. In the text after, the last discard is taken back by UNDO and the
card that was meant is thrown, as long as nobody has moved; within one's own turn what was meant is asked back, for it may be
said of a move that was refused.
"""

import re
from collections.abc import Sequence

from engine.cards import Card, card_name
from service.text.lex import read_items
from service.text.lexicon import Item, words
from service.text.parse import parse
from service.text.reading import Context, Reading
from service.text.request import Command
from service.text.trial import canonical

_CARDS = frozenset(("C", "R", "N", "COUNTED", "Q", "S", "HOMOPHONE"))
_BETWEEN = frozenset(("NOISE", "A", "ONLY", "MARK", "DOTS"))
_CORRECTS = words("sorry actually er erm ugh argh oh instead mean meant ment") | {
    "make that",
    "oh dear",
    "my bad",
    "i say",
    "sorry all",
}
_THEN_A_PAUSE = words("sorry er erm ugh argh oh") | {"oh dear", "my bad"}  # `lay kings, sorry, queens`
_INSTEAD = frozenset(("V", "WITH", "TO", *_CARDS))


def within(items: Sequence[Item]) -> bool:
    """Whether a card or a move is taken back by another behind it: `lay kings, actually queens`, `draw sorry pickup`."""
    acted = False
    for i, item in enumerate(items):
        if acted and _corrects(items, i):
            return True
        acted = acted or item.kind == "V" or item.kind in _CARDS
    return False


def _corrects(items: Sequence[Item], i: int) -> bool:
    """Whether the word at `i` says that what follows is meant instead."""
    item, before = items[i], items[i - 1]
    if item.word == "*":
        return i + 1 < len(items) and items[i + 1].start == item.end and items[i + 1].kind in _INSTEAD
    if item.word not in _CORRECTS or before.kind in ("AND", "THEN"):
        return False
    pause = item.word in _THEN_A_PAUSE or (item.word == "actually" and before.kind in ("SEP", "END"))
    skipped = (*_BETWEEN, "SEP") if pause else _BETWEEN
    following = next((later for later in items[i + 1 :] if later.kind not in skipped), None)
    return following is not None and (
        following.kind in _INSTEAD or re.fullmatch(r"m\d+|deal", following.word) is not None
    )


_MEANT = re.compile(
    r"\A\W*(?:(?:oops|whoops|oopsie|sorry|so sorry|oh no|oh|no|nope|wait|argh|ugh|damn|dang|darn|shoot|my (?:bad|mistake)|hold on|hang on|wrong (?:card|one)|that was (?:wrong|a mistake)|correction|typo)\b[\s,.!:;-]*)*"
    r"(?:i (?:actually |really )?(?:meant|mean|wanted|intended|meant to say|was going)\b|meant\b|i (?:should have|should've|shoulda) (?:said|thrown|discarded|typed|put)\b)"
    r"(?: to (?:say|type|write|text|put)| to)?[\s,:]+(?P<meant>\S.*?)[\s.!]*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NO_FIRST = re.compile(  # of something else that was offered
    r"\A\W*(?:no|nope|nah|naw)(?:,? (?:thanks|thank you|thx|not this time))?[\s,.;!-]+(?:(?:just|so|then|i'd rather|please)\s+)*(?P<meant>draw(?:ing)?(?: a card| one)?(?: please| pls| then)*)[\s.!]*\Z",
    re.IGNORECASE,
)
_STARRED = re.compile(r"\A\s*(?:\*+\s*(?P<first>[^*?]{2,40}?)|(?P<last>[^*?]{2,40}?)\s*\*+)\s*\Z")
_EXCLAIMED = re.compile(
    r"\A\W*(?:(?:oops|whoops|oopsie|sorry|so sorry|oh no|wait no|no wait|my (?:bad|mistake)|wrong (?:card|one)|correction|typo)\b[\s,.!:;-]*)+"
    r"(?:(?:make (?:that|it)|that's|it's|should be|should have been|it should be)\s+)?(?P<meant>\S.*?)[\s.!]*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NOT_THE_ONE = re.compile(  # 3s not 4h
    r"\A\W*(?:(?P<meant>(?:discard |throw )?(?:the )?[\w♠♥♦♣]+(?: of [a-z]+)?),? (?:and )?not (?:the )?[\w♠♥♦♣]+(?: of [a-z]+)?"
    r"|not (?:the )?[\w♠♥♦♣]+(?: of [a-z]+)?,? (?:but )?(?P<instead>(?:the )?[\w♠♥♦♣]+(?: of [a-z]+)?))[\s.!]*\Z",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(r"[\s,]+(?:and )?not (?:the )?(?:[\w♠♥♦♣]+(?: of [a-z]+)?)[\s.!]*\Z", re.IGNORECASE)
_REGRET = re.compile(
    r"\A\W*(?:(?:oops|whoops|sorry|oh no|oh|no|wait|argh|ugh|damn|my bad|dear)\b[\s,.!:;-]*)*"
    r"(?:i (?:did not|didn't|didnt) mean (?:to )?(?:(?:discard|throw|play|lay|add|do|draw|take|toss|put|pick)\b.{0,30}|that.{0,12}|it)"
    r"|(?:that was |it was |i (?:threw|discarded|played|laid|tossed|picked|took) )?(?:the |a )?wrong (?:one|card|move|set|button)(?: sorry)?"
    r"|i (?:forgot|forget|wanted|meant|was going|should have|should've)(?: to)? (?:lay|laid|add|added|meld|put down|take|taken|pick up|draw)\b.{0,40}"
    r"|i (?:have )?(?:made|did) a (?:mistake|boo ?boo|booboo)|(?:can|could) i (?:have|get|put) (?:it|that|my (?:card|discard)|the (?:card|\w+ of \w+))? ?back"
    r"|(?:take|give me|put) (?:my |the )?(?!(?:it|that|this|them|those|one)\b)(?:[\w♠♥♦♣]+s?|\w+ of \w+) back)(?: please| pls| sorry)?[\s.!]*\Z",
    re.IGNORECASE,
)


def meant(body: str, context: Context) -> str:
    """What somebody says they meant before, where a text says that; else ""."""
    if context.game is None or "discard" not in context.game.verbs or context.stage != "playing" or len(body) > 100:
        return ""
    if "?" in body:
        return ""
    found = _MEANT.match(body) or _NO_FIRST.match(body)
    if found is None and _just_threw(context):  # elsewhere it may be small talk
        found = _STARRED.match(body) or _EXCLAIMED.match(body) or _NOT_THE_ONE.match(body)
        said = parse(read_items(_said(found)))
        if not said.verb and not any(unit.card is not None for unit in said.units):
            return ""
    return _said(found)


def _said(found: re.Match[str] | None) -> str:
    said = next(filter(None, found.groupdict().values())) if found is not None else ""
    return _NOT_THAT.sub("", said)


def answered(said: str, reading: Reading, context: Context) -> Reading | None:
    """What becomes of it, by how these words would be read alone; None where that says nothing of what was meant."""
    if reading.kind == "moves":
        return Reading("ask", hint="Which do you mean?", choices=(canonical(reading.moves),), rest=said)
    if reading.kind == "ask" and not reading.moves:
        return reading
    card = _thrown(said, context) if _just_threw(context) else None
    if card is not None:
        return Reading("command", command=Command("undo"), rest=f"discard {card_name(card)}")
    named = _just_threw(context) and bool(parse(read_items(said)).units)
    return _UNDO if reading.kind == "refused" or named else None


def regretted(body: str, context: Context) -> Reading | None:
    """The answer to a regret that says no more: how a move is taken back."""
    if context.game is None or "discard" not in context.game.verbs or context.stage != "playing":
        return None
    return _UNDO if _REGRET.match(body) else None


_UNDO = Reading("command", command=Command("howto", {"about": "undo"}))


def _just_threw(context: Context) -> bool:
    """Whether the last card of the pile is this player's discard and nobody has drawn since."""
    state, seat = context.state, context.seat
    if state is None or seat is None or getattr(state, "phase", "") != "draw" or not getattr(state, "pile", None):
        return False
    threw = getattr(state, "discarder", None)
    before = (state.turn - 1) % len(state.hands) if threw is None else threw
    return bool(seat == before and seat != state.turn)


def _thrown(said: str, context: Context) -> Card | None:
    """The one card of the hand that is to be thrown."""
    parsed = parse(read_items(said))
    if parsed.verb not in ("", "discard", "put") or parsed.flag or parsed.junk or len(parsed.units) != 1:
        return None
    unit = parsed.units[0]
    hand = context.state.hands[context.seat]
    held = {card for card in hand if (card == unit.card if unit.card is not None else card >> 2 == unit.rank)}
    return held.pop() if len(held) == 1 and unit.n == 1 and not unit.whole else None
