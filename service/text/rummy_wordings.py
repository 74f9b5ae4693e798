"""How players of the rummy-like games put a move, in plainer words before it is read: `p/u 9 9`, `no thanks, draw`, `that's a rummy!`.

The short forms of flip phones and what dictation hears come first, then what depends on the step of the turn. As in
`rewording`, a rule never makes up a card.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from engine.cards import Card, card_name
from engine.game import Game
from engine.rummy.queen_of_spades_table import TWO
from service.text import how_deep, suit_runs
from service.text.wordings import CARD, RANK, THE, WILL, card_said, compiled

_PLEASE = r"(?:please|pls|plz|thanks|thank you|thx)"
_ENDS = (
    rf"(?=(?:[\s,]+{_PLEASE})*[\s.!]*(?:\Z|[,;\n]|\b(?:and|then|n|&)\b|\b(?:disc(?:ard)?|throw|toss|lay|meld|add)\b))"
)
_NAMED = r"(?:10|[2-9]|aces?|kings?|queens?|jacks?|tens?|nines?|eights?|sevens?|six|fives?|fours?|threes?|twos?|deuces?|[tjqka](?= of ))"
_SHORT = compiled(
    (r"(?<!\w)p/u(?!\w)|(?<!\w)(?:pkup|pk up|pckp|pkp|p-up)(?!\w)", "pickup"),
    (r"(?<!\w)d/c(?!\w)", "discard"),
    (r"(?<=\w )crds?(?!\w)", "card"),
    (rf"\b({_NAMED})\s*(?:of\s+|o )?(?:spds?|spdes?|spads?|spaids?)(?!\w)", r"\1 of spades"),
    (rf"\b({_NAMED})\s*(?:of\s+|o )?(?:hrts?|hts)(?!\w)", r"\1 of hearts"),
    (rf"\b({_NAMED})\s*(?:of\s+|o )?(?:clbs?|clubbs?|klubs?)(?!\w)", r"\1 of clubs"),
    (rf"\b({_NAMED})\s*(?:of\s+|o )?(?:dmnds?|dmds?|dias?|diams?|diamants?|dimands?)(?!\w)", r"\1 of diamonds"),
    (r"(?<![^\W_])(10|[2-9])sp(?!\w)", r"\1 of spades"),
    (r"(?<![^\W_])(10|[2-9])ht(?!\w)", r"\1 of hearts"),
    (r"(?<![^\W_])(10|[2-9])cl(?!\w)", r"\1 of clubs"),
    (r"(?<![^\W_])(10|[2-9])di(?!\w)", r"\1 of diamonds"),
    (r"\bfree of (?=spades|hearts|clubs|diamonds)", "three of "),
    (r"\b(lay|meld|put down) (\d)x([tjqka])(?!\w)", r"\1 \2 \3s"),
)
_BESIDE = compiled(  # before a move and behind it, where nobody has put a comma
    (
(
        r"\A(?:(?:sorry|so sorry|oh|oops)[\s,]+)*(?:(?:i )?(?:was|fell|have been|'ve been|been) (?:asleep|sleeping|napping|busy|at work|working|driving|cooking|out|away|in bed|eating|on the phone)"
        r"|(?:i )?(?:only |have )?just (?:got|saw|seen|read|noticed) (?:your |the |this |it|ur )?(?:text|message|msg)?|(?:i )?just (?:woke up|got (?:home|back|in|up)|came in)|(?:i )?(?:forgot|didn't know|didnt know|didn't see|didnt see) it was my (?:turn|go))[\s,.!;:-]+"
        r"(?=(?:draw|pick ?up|pickup|discard|disc|throw|toss|lay|meld|add)\b)"),
        "",
    ),
    (r"(?<=\w)[\s,.!;-]+(?:(?:and|n|so)\s+)?(?:that's|thats|that is) (?:me(?: done)?|(?:it|all) (?:from|for) me)[\s.!]*\Z", ""),
    (r"(?<=\w)[\s,.!;(-]+(?:wish me luck|fingers crossed|cross(?:es|ing)? (?:my )?fingers|good luck to me|here'?s hoping|lucky me please)[\s.!)]*\Z", ""),
)  # fmt: skip
_WILD_NAMED = (
    re.compile(rf"\bwild ({CARD})(?!\w)", re.IGNORECASE),
    re.compile(rf"(?<!\w)({CARD}) (?:\(wild\)|wild)(?! card)(?!\w)", re.IGNORECASE),
)
_KEPT = compiled(  # what is not laid, before the discard
    (
        (
            rf"\A{WILL}(?:(?:can't|cannot|cant|can not|won't|wont|will not|not|don't have to|dont have to) (?:(?:lay|meld|add|put|play)(?:ing)?(?: down| off)?)(?: (?:anything|any|nothing|a thing|down))*(?: else| now| yet| today)*"
        rf"|lay(?:ing)? nothing|keep(?:ing)? (?:the |my |all )*(?:rest|runs?|sets?|others?|hand|{RANK})|(?:hold(?:ing)?|hang(?:ing)?|sav(?:e|ing))(?: on to| onto| on)? (?:the |my |all )*(?:rest|runs?|sets?|others?|hand|{RANK}))"
        r"(?:,? (?:and|but|so)\s+|[\s,;.-]+)(?:(?:then|so|and|i|i'll|i will|just|please)\s+)*(?=(?:discard|disc|throw|toss|dump|drop|get rid of)\b)"
        ),
        "",
    ),
    (rf"\A({THE}{CARD}) (?:goes|go|belongs) (?:on|onto|to|in|into) (?:the )?(?:discard )?(?:pile|discards?|stack)(?=[\s.!]*\Z)", r"discard \1"),
)  # fmt: skip
_PASSED = compiled(
    (r"\Apass (?:from me|(?:the|my|this) turn|this one)(?=[\s.!]*\Z)", "pass"),
    (
        r"\A(?:(?:the )?(?:stock|deck) is (?:empty|out|gone|used up|finished))[\s,.;]+(?:(?:so|and|then|i|i'll|i will|i must)\s+)*(?=pass\b)",
        "",
    ),
)
_NO = r"(?:no|nope|nah|naw)"
_NOT_THE_PILE = (  # what is not wanted, in so many words, before what is
    rf"(?:(?:i )?(?:do not|don't|dont) (?:really )?(?:want|need|like|fancy) (?:it|that|this|(?:the|that|this) (?:pile|stack|card|one|discards?|top card|{CARD}))(?: (?:one|card|pile))?"
    rf"|(?:i(?:'ll| will)? )?(?:pass|passing) on (?:it|that|(?:the|that|this) (?:pile|card|{CARD}))"
    rf"|(?:i(?:'ll| will)? )?(?:skip|leave|forget|never mind) (?:it|that|(?:the|that|this) (?:pile|card|discards?|{CARD}))"
    rf"|{_NO} to (?:it|that|(?:the|that|this) (?:pile|card|{CARD}))|not (?:the|that|this) (?:pile|card|{CARD})(?: this time)?)"
)
_GO_ON = r"(?:(?:so|and|but|then|just|please|i'll|i will|ill|i|i'd rather|i am going to|i'm going to|i'll just)[\s,]+)*"
_DRAWING = r"(?=draw(?:ing)?\b(?!\s+(?:no|not|or|if)\b)|(?:take|get|have) (?:a|one|1)(?: card)? (?:from|off) (?:the )?(?:deck|stock|top)\b)"
_DECLINED = compiled(
    (rf"\A(?:{_NO}[\s,.;!-]+)?{_NOT_THE_PILE}[\s,.;!-]+{_GO_ON}{_DRAWING}", ""),
    (rf"\A{_NO}[\s,.;!-]+(?:i'll|i will)\s+(?:just )?{_DRAWING}", ""),
    (r"\b(draw(?:ing)?)(?: a card| one)? (?:blind|unseen|(?:from|off) the blind (?:deck|stock|pile))(?=\W|\Z)", "draw"),
    (r"\b(draw|take|pick|get) (?:one|a card|1) off (?:of )?the (?:top(?: of the (?:deck|stock))?)(?=\W|\Z)|\Aone off (?:of )?the top(?=\W|\Z)", "draw"),
)  # fmt: skip
_CANNOT = re.compile(
    r"\A(?:(?:sorry|well|ok|okay|no|oh|alas)[\s,]+)*(?:i )?(?:can't|cannot|cant|can not|couldn't)(?:(?: (?:play|go|move|draw|do (?:anything|it|a thing)|take (?:it|that|the pile)|lay))+[\s,.;!-]+|[,.;!-]+\s*)"
    r"(?:(?:so|and|then|i|i'll|i will|i must|i have to|just)[\s,]+)*(?=pass(?:ing)?\b)",
    re.IGNORECASE,
)
_WANT = re.compile(  # where nothing but the pile can be meant
    rf"\A(?:(?:ok|okay|yes|oh|ooh|well|so)[\s,]+)*(?:i want|i'd like|i would like|i'll have|i will have|ill have|i'll take|ill take|gimme|give me)"
    rf" (?:it|that|those|them|that (?:one|card)|(?:that|this) (?P<card>{CARD}))(?: and (?:the rest|everything))?(?=[\s,]*{_PLEASE}?[\s.!]*\Z)",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\A(?:(?:oh|ooh|yes|well|great)[\s,]+)*i can use (?:it|that|those|this)(?: (?:one|card|pile|[a-z]{3,5}))?[\s,.;!-]+(?:(?:so|and|i'll|i will)[\s,]+)*(?=pick|take|grab|scoop)",
    re.IGNORECASE,
)
_PAIR_FOR = compiled(
    (rf"\A(?:my |the )?((?:two|2|both|a pair of) {RANK}) for (?:it|the pile)(?=[\s.!]*\Z)", r"pickup \1")
)
_GOES_ON = "and|then|n|disc|discard|discarding|throw|toss|dump|x|lol|please|pls"
_CALLS = re.compile(
    r"\A(?:(?:hey|ha+|haha|yes|yay|ooh+|oh|ok|okay|aha|woo+|hooray|that fits(?: my \w+)?)[\s,.!]+)*"
    r"(?:(?:that's|thats|that is|it's|its|it is|this is|i call|i'll call|i will call|ill call|i'm calling|im calling|calling|call|i say|i yell|i shout)\s+)?(?:a |my )?"
    rf"(?:rum+y+|rummie|rummi|rumi)\b(?:\s+(?:on|for|with|to)\s+(?:(?:that|the|it|this|your|(?P<who>[^\W\d_]{{2,}}?)(?:'s)?)(?!\w)(?:\s+(?:(?P<card>{CARD})|card|one|discard))?|(?P<bare>{CARD}))|\s*,?\s*(?!(?:{_GOES_ON})\b)(?P<called>[^\W\d_]+))?(?=[\s.!]*(?:\Z|[,;]\s*\w|\b(?:{_GOES_ON})\b))",
    re.IGNORECASE,
)
_CALLS_ALONE = re.compile(r"\A(?:romy|roomy|rummmy|rumy|rummie|rummi)[\s!.]*\Z", re.IGNORECASE)
_TENS = {"ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}  # fmt: skip
_ONES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_CUT_IN_WORDS = re.compile(
    rf"\b(cut|lift)((?: at| to| about| off)*) ({'|'.join(_TENS)})(?:[\s-]+({'|'.join(_ONES)}))?(?=\W|\Z)", re.IGNORECASE
)
_NO_CUT = re.compile(r"\A(?:no|don't|dont|do not|without|skip the|never mind the) cut(?:ting)?[\s,.;!-]+(?:just |please )*(?=deal\b)", re.IGNORECASE)  # fmt: skip
_TO_EACH = re.compile(
    rf"((?:\b(?:add|put|play)\b|\A{CARD})[^,;.\n]*? (?:to|on) m\d{{1,2}})\s+(?={CARD} (?:to|on) m\d)", re.IGNORECASE
)
_ALL_OF_RANK = re.compile(
    rf"\b(?P<take>pick(?:ing)? ?(?:it |the pile )?up(?: the pile)?|pickup(?: the pile)?|take (?:it|(?:the )?pile))(?:(?: with| using)? all(?: (?:of )?(?:my|the|three|four|five|3|4|5))*| (?:with|using) (?:my |the )?(?:three|four|five|3|4|5)) (?P<rank>{RANK})(?=\W|\Z)",
    re.IGNORECASE,
)
_THE_CARD = re.compile(r"\b(take|taking|grab|get) the card(?=[\s.!]*(?:\Z|[,;]|and\b|then\b))", re.IGNORECASE)


def put_plainly(body: str, game: Game, view: Any, hand: Sequence[Card], names: Sequence[str]) -> str:
    """The text of somebody at such a table with these words put plainly."""
    body = _by(_by(body, _SHORT), _BESIDE)
    phase = getattr(view, "phase", "")
    if "pickup" not in game.verbs:
        body = suit_runs.put_plainly(_TO_EACH.sub(r"\1, add ", body), hand)
    if "cut" in game.verbs:
        body = _NO_CUT.sub("", _CUT_IN_WORDS.sub(_cut, body))
    if "rummy" in game.verbs:
        body = _CALLS_ALONE.sub("rummy", _CALLS.sub(_call(names, view), body))
    if "wild" in body.lower():
        for named in _WILD_NAMED:
            body = named.sub(_one_wild(game, view), body)
    if phase != "draw":
        return _by(body, _KEPT)
    body = _CANNOT.sub("", _by(_by(_thanked(body, names), _PASSED), _DECLINED))
    if "pickup" not in game.verbs:
        return how_deep.put_plainly(body, getattr(view, "pile", ()))
    body = _USES.sub("", _by(body, _PAIR_FOR))
    pile = getattr(view, "top", None)
    body = _WANT.sub(_wanted(pile), body)
    if "cut" in game.verbs:
        body = _ALL_OF_RANK.sub(_every(hand), body)
        body = _THE_CARD.sub(r"\1 the top card", body)
    return body


def _by(body: str, rules: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for rule, by in rules:
        body = rule.sub(by, body)
    return body


Sub = Callable[[re.Match[str]], str]


def _cut(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]} {_TENS[match[3].lower()] + _ONES.get((match[4] or '').lower(), 0)}"


def _call(names: Sequence[str], view: Any) -> Sub:
    """A call in other words. A name behind it is whose discard it is; anybody else would be told to call."""
    threw = names[(view.turn - 1) % len(names)].casefold() if names else ""

    def call(match: re.Match[str]) -> str:
        who = (match["who"] or match["called"] or "").casefold()
        told = match["called"] is not None and re.search(r"\bcall\s", match[0], re.IGNORECASE)
        if who and (told or who != threw):
            return match[0]
        card = match["card"] or match["bare"]
        return f"rummy {card}" if card else "rummy"

    return call


def _one_wild(game: Game, view: Any) -> Sub:
    """`a wild six`: one card, where sixes are wild."""
    rank = TWO if "cut" in game.verbs else getattr(view, "wild", None)

    def one(match: re.Match[str]) -> str:
        return match[1] if rank is not None and card_said(match[1])[0] == rank else match[0]

    return one


def _thanked(body: str, names: Sequence[str]) -> str:
    """The text without thanks to somebody in front: `thank you Bea I'll take the five`."""
    who = "|".join(map(re.escape, names))
    return re.sub(
        rf"\A(?:thank you|thanks|thx|ty|cheers),? (?:{who})[\s,.!]+(?=(?:i'll|i will|take|draw|pick)\b)",
        "",
        body,
        flags=re.IGNORECASE,
    )


def _wanted(top: Card | None) -> Sub:
    """`I want that nine`: the pile, where no card is named but its top one."""

    def wanted(match: re.Match[str]) -> str:
        if top is None or (match["card"] and card_said(match["card"])[0] != (top >> 2 if top < 52 else None)):
            return match[0]
        return "take it"

    return wanted


def _every(hand: Sequence[Card]) -> Sub:
    """`pick up with all my nines`: as many as are held."""

    def every(match: re.Match[str]) -> str:
        rank, _ = card_said(match["rank"])
        held = [card for card in hand if card >> 2 == rank and card < 52]
        return f"pickup {' '.join(map(card_name, held))}" if len(held) > 2 else match[0]

    return every
