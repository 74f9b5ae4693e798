"""Small slips that are seen at a glance: cards in quotes, `wat do i hav`, another table's code, more cards than one."""

import re

from service.text.lexicon import SPELT, WORDS
from service.text.reading import Context, Reading

_IN_QUOTES = re.compile(
    r"\b((?:discard|throw|toss|drop|play|lead|lay|meld|add|put|pick ?up|take|bid|pass)(?: (?:the|my|down|away|out))*)\s+\"([^\"\n]{1,16})\"",
    re.IGNORECASE,
)
_SPELT = (
    (re.compile(r"\b(?:wat|wut|wht|whut|waht)\b(?=['s]* (?:do|is|are|cards?|card|can|should|have|hav)\b)", re.IGNORECASE), "what"),
    (re.compile(r"\b(?:wats|wuts|wots|whats)\b", re.IGNORECASE), "what's"),
    (re.compile(r"(?<=\bdo i )(?:hav|hve|ahve|hvae|haev)\b", re.IGNORECASE), "have"),
)  # fmt: skip
_ELSEWHERE = re.compile(
    r"\s*(?![TJQKA][SHDC])([BCDFGHJKMNPRSTVXYZ]{2}[2345679][A-Z2-9]{0,2})[\s:,.-]+"
    r"(?:please )?(?:draw|discard|pick ?up|take|lay|meld|add|hand|table|score|pile|melds|who|hint|pass|play|bid|leave|deal|bots|options|rules|undo|"
    r"rematch|why|say|rummy|finish|expose|plan|nudge)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?:please |i(?:'ll| will)? |ok |can i |may i )*(?:draw|get|give me) (?:me )?(?:[2-9]|two|three|four|five|six|ten|several|some)(?: (?:more|new))? cards"
    r"(?: (?:please|pls|from the (?:deck|stock)))*[\s.!?]*",
    re.IGNORECASE,
)


# What dictation hears for a suit, behind a rank and `of`: elsewhere each of them is a word of its own.
_SUIT_HEARD = re.compile(
    r"\b(?P<rank>[a-z]{3,6}|10|[2-9tjqka]) of (?:"
    r"(?P<hearts>hurts?|heats?|heads?|hears|harps|hearse|arts?|parts|herds?|hards?|heart's|hats|carts|hertz)|(?P<spades>spaces?|spates?|spares?|spays?|spayed(?:'?s)?|spaydes?|spade's|shades|spies)"
    r"|(?P<clubs>cubs?|clubbs|clothes|club's|claps|clips|clumps|glubs|gloves)|(?P<diamonds>diamond's|demons|dimensions|dimes|die mons|dimands?|dimonds?|diamins?|timings|diamante|lemons))(?![\w'])",
    re.IGNORECASE,
)
_OF_HEARD = re.compile(  # three a clubs
    r"\b(ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two|10|[2-9]) (?:(?:a|uh|o|o') |o')(?=(?:clubs|spades|hearts|diamonds)\b)",
    re.IGNORECASE,
)
_SUIT_ASIDE = re.compile(
    r"\b(10|[2-9]|[tjqka]|[a-z]{3,5}) ?\((spades?|hearts?|diamonds?|clubs?|[shdc♠♥♦♣])\)", re.IGNORECASE
)
_SUIT_AGAIN = re.compile(  # 4 of hearts ♥
    r"((?:hearts?|(?:10|[2-9tjqka])h|♥)(?= ?♥)|(?:spades?|(?:10|[2-9tjqka])s|♠)(?= ?♠)|(?:diamonds?|(?:10|[2-9tjqka])d|♦)(?= ?♦)|(?:clubs?|(?:10|[2-9tjqka])c|♣)(?= ?♣))(?: ?[♠♥♦♣])+",
    re.IGNORECASE,
)
_GLUED_SUIT = re.compile(r"([a-z]{3,})([♠♥♦♣])", re.IGNORECASE)  # four♥
_OWN_WORDS = re.compile(
    r"[\s,.!]*(?:please )?(?:say|chat|name|join|new|save|call me|(?:i'm|im|i am)(?! (?:going to|gonna|just|not|draw|discard|throw|toss|lay|play|add|tak|pick|pass|lead|putt))|my name|change)\b",
    re.IGNORECASE,
)
# An apology in front of what takes the slip back: alone it would say that nothing is meant.
_EXCUSED = re.compile(
    r"\A(?:(?:oops|whoops|ooops|sorry|oh no|oh|no|wait|my (?:bad|mistake|error)|dear|(?:i )?(?:did not|didn't|didnt) mean (?:that|it|to)(?: one| card| do that)?|(?:i )?(?:have |'ve )?changed my mind|that(?: i|')s not what i meant|wrong (?:one|card)|mistake|i made a mistake|i messed up|that was (?:wrong|a mistake|the wrong (?:one|card)))\b[\s,.!-]*)+"
    r"(?=(?:please |can (?:i|you|we) |could (?:i|you|we) |i (?:want|need) to |let me |i'd like to )*(?:undo\b|take (?:it|that|that one) back))",
    re.IGNORECASE,
)
_GROUP = r"(?:there|all|everyone|everybody|guys|folks|ladies|gents|gang|team|family|fam|girls|boys|kids|friends|you all|y'all|you lot|dears?|loves?|darlings?|sweeties?|honey|again|my (?:dears?|loves?|friends?|family)|from \w+)"
_GREETED = re.compile(
    rf"\A\W*(?:(?:good )?(?:morning|afternoon|evening|day)|good day|hi|hello|hey|hiya|howdy|greetings|happy \w+day|merry christmas|happy new year)"
    rf"(?:(?:[\s,]+(?:to )?{_GROUP})+\b[\s,.!:;-]*|[\s]*[,.!:;-]+\s*)(?=\w+\W+\w|(?:draw|pass)\w*\W*\Z)",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"(?<![\w'=])[a-z]{3,12}(?![\w'=])", re.IGNORECASE)


_AMPERSAND = re.compile(r"(?<=[\w♠♥♦♣.,!])\s*&\s*(?=\w)")
# In capitals throughout, `9S` says no more than `9s`; our own way to write a move has none of these words.
_SHOUTED = re.compile(r"\b(?:MY|THE|ON|AND|WITH|PLEASE|I)\b|\bTO (?:\d+|[JQKA])S\b")


def spelt(body: str) -> str:
    """The text with slips in everyday words put right, in a name or what is said to others none but a `plesae`."""
    own = _OWN_WORDS.match(body) is not None
    return _PLAIN_WORD.sub(lambda word: _spelt(word, own), body)


def mended(body: str) -> str:
    """The text with what is plainly a slip put right; names, house rules and what is said to others stay as written."""
    if not _OWN_WORDS.match(body):
        if body.isupper() and _SHOUTED.search(body):
            body = body.lower()
        body = _AMPERSAND.sub(" and ", body)
        body = _EXCUSED.sub("", _GREETED.sub("", body))
        if " of " in body.lower():
            body = _SUIT_HEARD.sub(_heard, body)
        body = _OF_HEARD.sub(r"\1 of ", body)
        if not body.isascii():
            body = _SUIT_AGAIN.sub(r"\1", _GLUED_SUIT.sub(r"\1 \2", body))
        if "(" in body:
            body = _SUIT_ASIDE.sub(r"\1 of \2", body)
    body = _IN_QUOTES.sub(r"\1 \2", body)
    for pattern, word in _SPELT:
        body = pattern.sub(word, body)
    return body


def _heard(found: re.Match[str]) -> str:
    rank = found["rank"].lower()
    card = len(rank) < 3 or WORDS.get(rank, ("", None))[0] in ("R", "N", "HOMOPHONE")
    return f"{found['rank']} of {found.lastgroup}" if card else found[0]


def _spelt(word: re.Match[str], own: bool) -> str:
    meant = SPELT.get(word[0].lower(), word[0])
    if own and meant != "please":
        return word[0]
    return meant.upper() if word[0].isupper() else meant


def seen(body: str, context: Context) -> Reading | None:
    """The reading of a text that no clause of it would tell: it is for a table of others, or draws several cards."""
    led = _ELSEWHERE.match(body)
    if led is not None and context.codes and led[1].upper() not in context.codes:
        return Reading("unclear", hint="another table", table=led[1].upper(), rest=body)
    game, state = context.game, context.state
    if game is None or state is None or context.seat is None or "draw" not in game.verbs or context.stage != "playing":
        return None
    if _SEVERAL.fullmatch(body.strip()) is None:
        return None
    if context.seat not in game.waiting(state) or state.turn != context.seat:
        return Reading("refused", code="TURN", hint="It is not your turn.", rest=body)
    if any(move.verb == "draw" for move in game.legal(state, context.seat)):
        return Reading("refused", code="COUNT", hint="A turn begins with one card: DRAW takes it.", rest=body)
    if state.phase == "meld":
        return Reading("refused", code="PHASE", hint="You have drawn already: lay, add, or DISCARD.", rest=body)
    return None
