"""How much of the pile a text takes: `take one off the pile`, `dig to the king`, `all four`, `third from the top`, `only the nine`.

Where a card or a number says plainly how deep, it is put as records have it. Where a take brings more, or less, than its
words say (`just the nine`, `the pile` where not all of it can be had), or a bare number may be a rank, its sender is asked.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.cards import Card, card_name
from engine.game import Loose, Move, Spec, write_move
from service.text.moves import Reading as Meant
from service.text.reading import Context, Reading
from service.text.trial import Trial
from service.text.wordings import CARD, RANK, THE, card_said, compiled
from service.text.words import card

_TAKE = r"(?P<take>\b(?:take|taking|pick(?:ing)? ?up|pickup|grab|get|gimme|give me|i want|i'll have|scoop(?: up)?))"
_PILE = r"(?:pile|discards?|discard pile|stack|heap)"
_OFF = rf"(?: (?:from|off|of|out of|off of)(?: the)? {_PILE})"
_ENDS = r"(?=[\s.!]*(?:\Z|[,;\n]|\b(?:and|then|n|lay|meld|add|disc(?:ard)?|throw|toss|please|pls|thanks)\b))"
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_PLACES = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5, "sixth": 6, "6th": 6}  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_COUNTS)})"
_TOP = re.compile(rf"{_TAKE} (?:just |only )?(?:one|1|a|the)(?: top)?(?: card)?{_OFF}{_ENDS}", re.IGNORECASE)
_WANTS_TOP = re.compile(
    r"\A(?:(?:ok|okay|yes|hi|hello|good \w+)[\s,.!]+)*(?:(?:(?:i would like|i'd like|i should like|i'll have|i will have|i want|gimme|give me)(?: to have)? (?:the|that) top (?:card|one|discard)|the top one)(?: please)?"
    r"|(?:may|can|could) i (?:please )?have the top (?:card|one|discard),? please)(?=[\s.!]*\Z)",
    re.IGNORECASE,
)
_WHOLE_ALONE = re.compile(
    r"\A(?:the )?(?:whole|entire) (?:pile|lot|stack|thing)(?=(?: please| pls)?[\s.!]*\Z)", re.IGNORECASE
)
_SOME_OFF = re.compile(rf"{_TAKE} {_COUNT}{_OFF}{_ENDS}", re.IGNORECASE)
_WITH_A_PAIR = re.compile(rf"({_TAKE} (?:the |that )?{CARD}) (?:with|using) (?:my |a |the )*(?:pair of|two|2|both|both my) {RANK}(?!\w)(?! of)", re.IGNORECASE)  # fmt: skip
_ALL = re.compile(
    rf"{_TAKE} (?:all (?:of )?(?:them|it|the cards|{_COUNT}(?: cards)?)|them all|'?em all|all|(?:the )?(?:whole|entire|full) (?:thing|pile|lot|stack|discard pile)|the lot)(?:{_OFF})?{_ENDS}",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"{_TAKE} (?:the )?(?:(?:top |last |first ){_COUNT}(?: (?:discards?|cards?|ones?))?|(?P<cards>\d{{1,2}}|{'|'.join(_COUNTS)}) cards?){_OFF}?{_ENDS}",
    re.IGNORECASE,
)
_FROM_TOP = re.compile(
    rf"{_TAKE} (?:the )?(?:card )?(?P<place>{'|'.join(_PLACES)})(?: card| one)?(?: down)? (?:from|off|of)(?: the)? top{_ENDS}", re.IGNORECASE
)  # fmt: skip
_BOTTOM = re.compile(rf"{_TAKE} (?:the )?(?:bottom|lowest|deepest)(?: card| one)?{_OFF}?{_ENDS}", re.IGNORECASE)
_THREW = compiled(  # the card Bea threw
    (rf"{_TAKE} (?:the (?:card|one|discard)|what(?:ever)?)(?: that)? [^\W\d_]+ (?:just |has |have |'s )*(?:threw|thrown|discarded|tossed|dumped|dropped|put down|laid down)(?: (?:away|out|down))?{_ENDS}", r"take the top card"),
    (rf"{_TAKE} (?:the |that )?({CARD})(?: that)? [^\W\d_]+ (?:just |has |have |'s )*(?:threw|thrown|discarded|tossed|dumped|dropped)(?: (?:away|out|down))?{_ENDS}", r"take \2"),
)  # fmt: skip
_DOWN = compiled(
    (rf"\b(?:dig|digging|go|going|reach)(?: down)? (?:to|for|into)(?: the pile (?:to|for))? (?={THE}{CARD}(?:\W|\Z))", "take "),
    (rf"\b(take|pick ?up|grab|get) (?:all |everything |the (?:pile|cards) )?(?:from|starting (?:at|from|with))(?: the)? ({CARD})(?: (?:on|up|upwards?|and up|on up|on down))?{_ENDS}", r"\1 \2"),
)  # fmt: skip
_BOTH = re.compile(rf"\b(take|pick ?up|grab|get) (?:both )?(?:the )?({CARD})(?: (?:and|n|&|\+) | plus |, )(?:the )?({CARD})(?: both)?{_ENDS}", re.IGNORECASE)  # fmt: skip
_PAIR_TO_TAKE = re.compile(rf"\b(take|pick ?up) (?:the )?({CARD}) (?:with|using) (?:my )?({CARD})(?:[\s,]+(?:and )?)({CARD}){_ENDS}", re.IGNORECASE)  # fmt: skip
_ONLY = re.compile(
    rf"\b(?:only|just)(?: (?:take|pick ?up|grab|get|want|have|need))?(?: up)? (?:the |that )?(?P<card>{CARD})(?:\W|\Z)|\b(?:the |that )?(?P<alone>{CARD}) (?:only|alone|by itself|on its own|and (?:nothing|no more)|and that's it)\b",
    re.IGNORECASE,
)
_SIMPLY = re.compile(r"\bjust (?:take|pick ?up|grab|get|draw)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:take|taking|pick(?:ing)? ?up|pickup|grab|get|scoop|have|want)\b[^,;.\n]*?\b(?:all|everything|(?<!from )(?<!off )(?<!of )(?:the|whole) (?:pile|stack|lot|heap|discards|thing))\b(?! (?:above|from|over|up|on top|down|until|to|through|as far|back))", re.IGNORECASE)  # fmt: skip
_NUMBER = re.compile(rf"\b(?:take|pick ?up|grab|get) {_COUNT}{_ENDS}", re.IGNORECASE)
_ORDINAL = re.compile(rf"\b(?:take|pick ?up|grab|get) (?:the )?(?P<place>{'|'.join(_PLACES)})(?: card| one)?{_ENDS}", re.IGNORECASE)  # fmt: skip


def put_plainly(body: str, pile: Sequence[Card]) -> str:
    """The text with how deep it takes as records have it, where any part of the pile may be taken."""
    if not pile:
        return body
    for rule, by in _THREW:
        body = rule.sub(by, body)
    body = _TOP.sub("take the top card", body)
    body = _WANTS_TOP.sub("take the top card", body)
    body = _WHOLE_ALONE.sub(f"take {card_name(pile[0])}", body)
    body = _SOME_OFF.sub(lambda found: _so_many(found, pile), _WITH_A_PAIR.sub(r"\1", body))
    body = _ALL.sub(lambda found: _whole(found, pile), body)
    body = _LAST.sub(lambda found: _deep(found, _number(found["count"] or found["cards"]), pile), body)
    body = _FROM_TOP.sub(lambda found: _deep(found, _PLACES[found["place"].lower()], pile), body)
    body = _BOTTOM.sub(f"take {card_name(pile[0])}", body)
    for rule, by in _DOWN:
        body = rule.sub(by, body)
    return _PAIR_TO_TAKE.sub(_paired, _BOTH.sub(lambda found: _deeper(found, pile), body))


def asked(reading: Reading, body: str, context: Context) -> Reading:
    """The reading as it is; or a question in place of its take, where that brings other cards than its words say."""
    game, state = context.game, context.state
    first = reading.moves[0] if reading.moves else None
    pile = getattr(state, "pile", None)
    if game is None or not pile or len(pile) < 2 or "draw" not in game.verbs:
        return reading
    if first is not None and first.verb in ("take", "pickup"):
        return _question(reading, first, body, pile) if _otherwise(first, body, pile) else reading
    if reading.moves or "pickup" in game.verbs or reading.kind not in ("refused", "unclear"):
        return reading
    count = _counted(body, pile)
    return _offered(count, reading, body, context) if count else reading


def _offered(count: int, reading: Reading, body: str, context: Context) -> Reading:
    """The question whether so many cards are meant, where they can be had; else why not."""
    card = context.state.pile[-count]
    outcome = Trial(context).attempt(Meant((Loose("take", (Spec(card >> 2, card),)),)))
    if outcome.refusal is None:
        return Reading("ask", hint="Which do you mean?", choices=(write_move(outcome.moves[0]),), rest=body)
    if outcome.refusal.code in ("TURN", "PHASE"):
        return reading
    return Reading("refused", code=outcome.refusal.code, hint=outcome.refusal.hint, rest=body)


def _question(reading: Reading, move: Move, body: str, pile: Sequence[Card]) -> Reading:
    if move.verb == "pickup":
        hint = f"All {len(pile)} cards of the pile come with it. OK takes them."
    else:
        count = len(pile) - pile.index(move.cards[0])
        hint = f"{card(move.cards[0])} comes with all above it, {count} cards. OK takes them." if count > 1 else "Which do you mean?"  # fmt: skip
    return replace(
        reading, kind="ask", moves=(), events=(), command=None, code="", hint=hint, choices=(write_move(move),), rest=body,
        sure=hint.endswith("them."),
    )  # fmt: skip


def _otherwise(move: Move, body: str, pile: Sequence[Card]) -> bool:
    """Whether the words of this take are of fewer cards than it brings, or of all where it does not bring all."""
    everything = move.verb == "pickup" or (bool(move.cards) and move.cards[0] == pile[0])
    if _WHOLE.search(body) and not everything:
        return True
    only = _ONLY.search(body)
    if only is None or (_SIMPLY.search(only[0]) and not only["alone"]):
        return False
    taken = pile[-1] if move.verb == "pickup" else move.cards[0]
    if card_said(only["card"] or only["alone"])[0] != taken >> 2:
        return False  # it is said of another card, such as the discard
    return move.verb == "pickup" or (bool(move.cards) and move.cards[0] != pile[-1])


def _counted(body: str, pile: Sequence[Card]) -> int:
    """How many cards a bare number may mean that takes no card of its rank, or the place of a card; else 0."""
    found = _NUMBER.search(body) or _SOME_OFF.search(body)
    place = _ORDINAL.search(body) if found is None else None
    count = _number(found["count"]) if found is not None else _PLACES[place["place"].lower()] if place else 0
    return count if 0 < count <= len(pile) else 0


def _number(word: str) -> int:
    return _COUNTS.get(word.lower()) or int(word)


def _deep(found: re.Match[str], count: int, pile: Sequence[Card]) -> str:
    return f"take {card_name(pile[-count])}" if 0 < count <= len(pile) else found[0]


def _so_many(found: re.Match[str], pile: Sequence[Card]) -> str:
    """`take 3 from the pile`: so many cards, where no card of that rank lies there."""
    count = _number(found["count"])
    return found[0] if any(card >> 2 == count - 2 for card in pile) else _deep(found, count, pile)


def _whole(found: re.Match[str], pile: Sequence[Card]) -> str:
    """All of it; with a number only where there are so many."""
    said = found["count"]
    return f"take {card_name(pile[0])}" if not said or _number(said) == len(pile) else found[0]


def _deeper(found: re.Match[str], pile: Sequence[Card]) -> str:
    """Two cards of the pile by name: the deeper one, with all above it."""
    first, second = _place(found[2], pile), _place(found[3], pile)
    return (
        found[0]
        if first is None or second is None or first == second
        else f"take {card_name(pile[min(first, second)])}"
    )


def _paired(found: re.Match[str]) -> str:
    """`take 9 with 9 9`: the pair is in the hand, and taking is all that is done with it now."""
    ranks = {card_said(found[i])[0] for i in (2, 3, 4)}
    return f"{found[1]} {found[2]}" if len(ranks) == 1 else found[0]


def _place(words: str, pile: Sequence[Card]) -> int | None:
    """Where in the pile the one card lies that these words name."""
    rank, suit = card_said(words)
    near = [i for i, card in enumerate(pile) if card < 52 and card >> 2 == rank and suit in (None, card & 3)]
    return near[0] if len(near) == 1 else None
