"""Passing and exchanging: to whom the cards go is known, a suit may stand before its ranks, and one card be taken for another."""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.cards import Card, card_name
from engine.game import write_move
from engine.tricks.table import EXCHANGE, PASS, SUIT_NAMES, TrickView
from service.text.lex import read_items
from service.text.parse import parse
from service.text.reading import Context, Reading
from service.text.wordings import CARD, RANK, THE, WILL
from service.text.words import cards

_GIVE = r"give|giving|send|sending|hand|handing|pass|passing|slide|sliding|ship|shipping|trade|trading|exchange|exchanging|swap|swapping|slip"
_OTHERWISE_PASS = re.compile(rf"\A(?:pads|pars|oass|psas|pss|ps|pas|pazz)(?=\s+{THE}{CARD}(?:\W|\Z))", re.IGNORECASE)
_TRADE = re.compile(
    rf"\A((?:(?:i'll|i will|i|please|let me|let's)\s+)*)(?:trad(?:e|ing)|swap(?:ping)?)(?=\s+{THE}{CARD}(?:\W|\Z))",
    re.IGNORECASE,
)
_SUIT_FIRST = re.compile(
    rf"(?<!of )\b(spades|hearts|diamonds|clubs)(?: the)?[\s:,]+((?:{RANK}[\s,]+(?:and\s+)?)+{RANK})(?![^\W_])(?!\s*of\b)(?=[\s.!]*\Z)",
    re.IGNORECASE,
)
_SUITS_BEFORE = re.compile(
    r"((?:\bpass(?:ing)?\s+)?)((?:[shdc](?:10|[2-9tjqka])[\s,&+]+(?:and\s+)?)+[shdc](?:10|[2-9tjqka]))[\s.!]*\Z",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?P<before>.*?)[\s,.;-]*\b(?:(?:no|wait|sorry|oops|actually|make that|make it|i mean|i meant|put|use|take|give|pass|send|and|but|please)[\s,]+)*"
    r"(?P<new>(?:the )?\S+(?: of \S+)?) (?:instead of|not|rather than|in place of|for) (?P<old>(?:the )?\S+(?: of \S+)?)(?: please)?[\s.!]*\Z",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"(?P<before>.*?)[\s,.;-]*\b(?:change|swap|switch|replace|trade) (?P<old>(?:the )?\S+(?: of \S+)?) (?:to|for|with|by) (?P<new>(?:the )?\S+(?: of \S+)?)(?: please)?[\s.!]*\Z",
    re.IGNORECASE,
)


_LAST = re.compile(
    r"(?P<before>.*?)[\s,.;-]+(?:(?:no|wait|sorry|oops|actually|make that|i mean|i meant|scratch that)[\s,.]+)+(?P<new>(?:the )?\S+(?: of \S+)?)[\s.!]*\Z",
    re.IGNORECASE,
)


def plainly(body: str, view: TrickView, names: Sequence[str]) -> str:
    """The text of one who passes, with the cards alone and each as it is usually written."""
    to = view.pass_to
    if to is not None and to < len(names):
        whom = rf"(?:{re.escape(names[to])}{'|(?:my )?(?:partner|pard|pardner|p)' if view.phase == EXCHANGE else ''}|her|him|them)"
        body = re.sub(rf"\b({_GIVE}) {whom} (?={THE}{CARD}(?:\W|\Z))", r"\1 ", body, flags=re.IGNORECASE)
        body = re.sub(rf"[\s,]+(?:over )?(?:to|with) {whom}[\s.!]*\Z", "", body, flags=re.IGNORECASE)
    if _ON_LINES.fullmatch(body):
        body = ", ".join(line.strip() for line in body.split("\n"))
    body = _OF_SUIT.sub(lambda found: _of_suit(found, view), body)
    body = _OTHERWISE_PASS.sub("pass", body)
    body = _TRADE.sub(r"\1pass", body)
    body = _SUIT_FIRST.sub(_behind, body)
    turned = _SUITS_BEFORE.fullmatch(body.strip())
    if turned is not None:
        body = turned[1] + re.sub(r"\b([shdc])(10|[2-9tjqka])\b", r"\2\1", turned[2], flags=re.IGNORECASE)
    return body


_ON_LINES = re.compile(rf"\W*(?:pass(?:ing)?:?\s+)?{THE}{CARD}(?:[,.]?\s*\n\s*{THE}{CARD})+\W*", re.IGNORECASE)
_COUNT = r"(?:two|three|four|[2-4])"
_OF_SUIT = re.compile(
    rf"\A(?P<verb>{WILL}(?:(?:{_GIVE}|get rid of|dump|unload|discard|throw)(?: (?:away|over|him|her|them))* )?)(?:(?:all|both)(?: of)? |(?=my |the |{_COUNT} ))(?:my |the )?(?:(?P<count>{_COUNT}) )?(?:(?P<how>highest|lowest|biggest|smallest|top|bottom|best|high|low|big|small) )?(?:(?P<again>{_COUNT}) )?"
    r"(?P<suit>spades|hearts|diamonds|clubs)(?=(?: (?:please|pls|thanks))*[\s.!]*\Z)",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}


def _of_suit(found: re.Match[str], view: TrickView) -> str:
    """`my three highest clubs`, `all my diamonds`: the cards, where they are just as many as are passed."""
    suit = SUIT_NAMES.index(found["suit"].lower())
    held = sorted(card for card in view.hand if card & 3 == suit)
    said = _COUNTS.get((found["count"] or found["again"] or "").lower(), 0)
    if found["how"] and said == view.passes <= len(held):
        held = held[:said] if found["how"].lower() in ("lowest", "smallest", "bottom", "low", "small") else held[-said:]
    elif found["how"] or said not in (0, len(held)) or len(held) != view.passes:
        return found[0]
    if not found["verb"] and not said and not re.match(r"all|both", found[0], re.IGNORECASE):
        return found[0]  # `my hearts` may be asked
    return f"{found['verb']}{' '.join(map(card_name, held))}"


def _behind(found: re.Match[str]) -> str:
    ranks = re.findall(rf"(?<![^\W_]){RANK}(?![^\W_])", found[2], re.IGNORECASE)
    return ", ".join(f"{rank} of {found[1]}" for rank in ranks)


def exchanged(body: str, view: TrickView) -> str:
    """`pass QS KS KH`, where a text puts one card in the place of another that it, or a text before it, would pass; else empty."""
    if view.phase not in (PASS, EXCHANGE):
        return ""
    for pattern in (_CHANGE, _INSTEAD):
        match = pattern.fullmatch(body.strip())
        if match is None:
            continue
        new, old = _cards(match["new"], view.hand), _cards(match["old"], view.hand)
        chosen = _cards(match["before"], view.hand) or list(view.passed or ())
        if len(new) == len(old) == 1 and old[0] in chosen and new[0] not in chosen and len(chosen) == view.passes:
            kept = [new[0] if card == old[0] else card for card in chosen]
            return f"{view.phase} {' '.join(map(card_name, kept))}"
    again = _LAST.fullmatch(body.strip())  # the last card named, and then another
    chosen, new = (
        (_cards(again["before"], view.hand), _cards(again["new"], view.hand)) if again is not None else ([], [])
    )
    if len(new) == 1 and new[0] not in chosen and len(chosen) == view.passes > 1:
        return f"{view.phase} {' '.join(map(card_name, [*chosen[:-1], *new]))}"
    return ""


def _cards(words: str, hand: Sequence[Card]) -> list[Card]:
    """The cards of the hand that are named, each clearly; none where one is not."""
    found = []
    for unit in parse(read_items(words)).units:
        fitting = [card for card in hand if (card == unit.card if unit.card is not None else card >> 2 == unit.rank)]
        if len(fitting) != 1 or unit.n != 1:
            return []
        found += fitting
    return found


_WAY = re.compile(r"\b(left|right|across|over)\b", re.IGNORECASE)


def way_asked(reading: Reading, body: str, context: Context) -> Reading:
    """The reading; or the question whether cards are to be passed that the text sends another way than they go."""
    game, seat = context.game, context.seat
    move = reading.moves[0] if reading.kind == "moves" and len(reading.moves) == 1 else None
    said = {way.lower() for way in _WAY.findall(body)} - {"over"}
    if (
        move is None
        or move.verb != PASS
        or game is None
        or seat is None
        or len(said) != 1
        or write_move(move) in context.pending
    ):
        return reading
    to, seats = game.view(context.state, seat).pass_to, len(context.names)
    if to is None or to == (seat + {"left": 1, "right": -1, "across": seats // 2}[said.pop()]) % seats:
        return reading
    hint = f"This time the cards go to {context.names[to]}. PASS {cards(move.cards)} again to do it."
    return replace(reading, kind="ask", moves=(), events=(), hint=hint, choices=(write_move(move),), sure=True)
