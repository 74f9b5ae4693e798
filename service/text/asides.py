"""What is no command to the game: the carrier's words, wishes to be left alone, table codes in front, small talk."""

import re
from collections.abc import Sequence

from service.text.clean import clean
from service.text.lexicon import words
from service.text.reading import Context, Reading
from service.text.request import Command

CARRIER_OUT = words(
    """
    stop stopall unsubscribe cancel end quit revoke optout
    """
)
CARRIER_IN = frozenset(["start", "yes", "unstop"])
CARRIER_HELP = frozenset(["help", "info"])
CODE_LIKE = re.compile(
    r"[\[\]{}<>\\|^@$%]|\w\(|\)\w|\w=\w*\(|[=*/_]{2}|(?<!\S)\w+_(?!\w)"
)  # no person at a table writes so
_OPT_OUT = re.compile(
    r"\b(?:stop|quit) (?:texting|messaging|contacting|bothering|spamming|sending me|with the texts|these (?:texts|messages)|all (?:texts|messages))\b"
    r"|\A(?:please )?(?:stop|unsubscribe)(?: me)?(?: (?:please|now|this|all))*[\s.!]*\Z|\bunsubscribe me\b"
    r"|\A(?:please )?unsubscribe from (?:this|these|your|all)\b|\A(?:please )?opt(?: me)?[ -]?out\b.{0,20}\Z|\A(?:i want|i'd like) to (?:opt out|unsubscribe)\b"
    r"|\b(?:remove|take) me (?:off|from) (?:of )?(?:your|this|the|all) (?:list|texts?|messages?|number|phone)|\A(?:please )?remove me[\s.!]*\Z"
    r"|\bno mas\b|\A(?:please )?no more (?:texts|messages)\b"
    r"|\b(?:do not|don't|dont|never) (?:text|message|contact) me(?: (?:again|anymore|any more|ever))*[\s.!]*\Z|\A(?:please )?leave me alone[\s.!]*\Z"
    r"|\b(?:lose|delete|forget) my number\b",
    re.IGNORECASE,
)
_WRONG_NUMBER = re.compile(
    r"(?:sorry,? )?(?:i think )?(?:you(?:'ve| have)?(?: got)? (?:the )?|this is (?:the |a )?|it's (?:the |a )?)?wrong (?:number|person)"
    r"(?:,? sorry)?[\s.!]*\Z",
    re.IGNORECASE,
)
_ONE_WORD = re.compile(r"[^\w]*([^\W_]+)[^\w]*\Z")
GREETING = words(
    """
    hi hello hey hiya yo hallo hola heya howdy sup
    """
)
SOCIAL = re.compile(
    r"(?:(?:thanks?|thank you|thx|ty|thank u|ok|okay|k(?=[^\w]*\Z)|k(?=[\s,]+(?:thanks?|thx|ty|lol|cool|great|sounds|will)\b)|okey|cool|nice|great|good|lol|lmao|rofl|haha+|hehe+|ha|yay|wow|gg|wp|glhf|gl|good (?:game|luck|one|job|morning|night|evening)"
    r"|well played|nice (?:one|hand|move|play|game)|sorry|np|no problem|no worries|sure|alright|got it|sounds good|will do|awesome|perfect|brb|omg|oops|hmm+|hm+|ugh|aw+|bye|goodbye|see you|see ya|night|love (?:you|ya)"
    r"|miss you|xo+|congrats|congratulations|happy birthday|merry christmas|bravo|well done|yes|yeah|yep|yup|nope|good|fine|so much|very much|all|everyone|everybody|guys|my bad|damn|dang|darn|yikes|phew|whew|oh|ah|wtf|lucky you)(?![^\W_])[\s,.!;-]*)+\Z",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:sa(?:id|ys|y)|t(?:old|ell|ells)|ask(?:ed|s)?|wrote|text(?:ed|s)?|word|words|means?|meant|call(?:ed|s)?|he|she|they|thinks?|want(?:ed|s)|if|unless|not|don't|never)\b|n't\b|\?",
    re.IGNORECASE,
)


def carrier(said: str) -> Reading | None:
    """The carrier's words, and plain wishes to be left alone, which count as STOP wherever they stand."""
    one = _ONE_WORD.match(said)
    if one:
        word = one[1].casefold()
        if word in CARRIER_OUT:
            return Reading("ignored", hint="carrier", command=Command("optout"))
        if word in CARRIER_IN:
            return Reading("ignored", hint="carrier", command=Command("optin"))
        if word in CARRIER_HELP:
            return Reading("ignored", hint="carrier", command=Command("help"))
        return None
    if _WRONG_NUMBER.match(said):
        return Reading("command", command=Command("optout", {"why": "wrong number"}))
    if len(said) < 120 and _OPT_OUT.search(said) and not said.casefold().lstrip().startswith("say "):
        return Reading("command", command=Command("optout"))
    return None


# Which table


_CODE = re.compile(r"(?:(?:table|game)\s+)?#?\s?([^\W_]{3,5})(?=[\s:,.;!-]|\Z)[\s:,.;!-]*", re.IGNORECASE)
_OF_A_CODE = re.compile(
    r"\b(?:join(?:ing)?|rejoin|leave|enter|let me in(?:to)?|sit)\s*(?:\w+\s*){0,2}[#\s]*\Z|\A\s*(?:say|chat)\b",
    re.IGNORECASE,
)
_LAST_CODE = re.compile(r"(?:[\s,;.(]+(?:on|at|in|for|table|game|to))*[\s,;.(#]+([^\W_]{3,5})[\s).!]*\Z", re.IGNORECASE)


def table_named(text: str, codes: Sequence[str]) -> str:
    """The code of one of these tables that the text names in front or at its end, or "": whose context to read it in."""
    if not codes:
        return ""
    body = clean(text[:400])
    return split_code(body, Context(codes=tuple(codes)))[1] if body else ""


def split_code(body: str, context: Context) -> tuple[str, str]:
    """The text without the table's code, and the code."""
    codes = {code.upper() for code in context.codes} | ({context.code.upper()} if context.code else set())
    if not codes:
        return body, ""
    match = _CODE.match(body)
    if match and match[1].upper() in codes:
        return body[match.end() :], match[1].upper()
    for code in codes:  # one look before the slower search
        if code in body[-12:].upper():
            break
    else:
        return body, ""
    match = _LAST_CODE.search(body)
    if match and match[1].upper() in codes and not _OF_A_CODE.search(body[: match.start(1)]):
        return body[: match.start()], match[1].upper()
    return body, ""
