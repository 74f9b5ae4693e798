"""What is no command to the game: the carrier's words, wishes to be left alone, table codes in front, small talk."""

import re
from collections.abc import Sequence

from service.text.clean import clean
from service.text.lex import read_items
from service.text.lexicon import WORDS, words
from service.text.pacing import no_texts
from service.text.reading import Context, Reading
from service.text.request import Command
from service.text.trimmings import unasked, unthanked

CARRIER_OUT = words(
    """
    stop stopall unsubscribe cancel end quit revoke optout
    """
)
CARRIER_IN = frozenset(["start", "yes", "unstop"])
CARRIER_HELP = frozenset(["help", "info"])
PLAIN_OUT = words(
    "remove arret arrêt arrete arrête stopp"
)  # other carriers' words, and slips; this one takes no notice
CODE_LIKE = re.compile(
    r"[\[\]{}<>\\|^@$%]|\w\(|\)\w|\w=\w*\(|[=*/_]{2}|(?<!\S)\w+_(?!\w)"
)  # no person at a table writes so
_OPT_OUT = re.compile(
    r"\b(?:stop|quit) (?:texting|messaging|contacting|bothering|spamming|sending me(?! (?:(?:the|these|those|any|all|your|so many|more) )*(?:reminders?|nudges?|updates?))|with the texts|these (?:texts|messages)|all (?:texts|messages))\b"
    r"|\A(?:please )?(?:stop|unsubscribe)(?: me)?(?: (?:please|now|this|it|all))*[\s.!]*\Z|\bunsubscribe me\b"
    r"|\A(?:please )?unsubscribe from (?:this|these|your|all)\b|\A(?:please )?opt(?: me)?[ -]?out\b.{0,20}\Z|\A(?:i want|i'd like) to (?:opt out|unsubscribe)\b"
    r"|\b(?:remove|take) me (?:off|from) (?:of )?(?:your|this|the|all) (?:list|texts?|messages?|number|phone)|\A(?:please )?remove me(?: please)?[\s.!]*\Z"
    r"|\bno m[aá]s\b|\A(?:please )?no more (?:texts|messages)\b"
    r"|\b(?:do not|don't|dont|never) (?:text|message|contact) (?:me|this (?:number|phone))(?: (?:again|anymore|any more|ever))*[\s.!]*\Z|\A(?:please )?leave me alone[\s.!]*\Z"
    r"|\bi (?:do not|don't|dont) want (?:to (?:get|receive|have|see) )?(?:(?:any|more|any more|these|your|this|all these|any of these) )?"
    r"(?:texts?|text messages?|messages?)(?: (?:from (?:you|this number)|again|anymore|any more|ever|please))*[\s.!]*\Z"
    r"|\b(?:lose|delete|forget|remove) my (?:phone )?number\b|\A(?:please )?(?:stop[\s.!,]+)+stop[\s.!]*\Z|\bstop sending (?:texts|text messages|messages)\b"
    r"|\A(?:please )?(?:stopall|optout|quit|revoke)[\s.!,]+(?:please|now)[\s.!]*\Z|\A(?:please )?cease(?: and desist)?[\s.!]*\Z"
    r"|\A(?:please )?(?:end|cancel) (?:(?:my|the|these|this|all|your) )*(?:texts?|text messages|messages|subscription)[\s.!]*\Z"
    r"|\brevoke (?:my )?(?:consent|permission)\b|\b(?:do not|don't|dont|never) have (?:my )?(?:permission|consent) to (?:text|message|contact)\b",
    re.IGNORECASE,
)
# STOP in front of more that is plainly about texts, or says that a stranger has got them: no `Stop! It's my turn`.
_STOP_FIRST = re.compile(
    r"(?:please[\s,]+)?stop[\s.!,;:-]+(?:please|pls|plz|now|thanks?(?: you)?|already|at once|immediately|asap|no more|enough"
    r"|sending[\s.!]*\Z|unsubscribe|remove|opt(?: me)? out|take me off|leave me|not interested|wrong|who(?: is|'s)? this|who are you|this is (?:a|an|my|the|not)\b"
    r"|(?:and |or )?(?:do not|don't|dont|never) (?:text|message|contact|send)|i (?:do not|don't|dont|am not|never|no longer))\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SAYS = re.compile(r"\s*(?:[^\W_]{3,5}[\s:,.;-]+)?say\b", re.IGNORECASE)
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
    r"(?:(?:thanks?|thank you|thx|ty|thank u|ok|okay|k(?=[^\w]*\Z|[\s,]+(?:thanks?|thx|ty|lol|cool|great|sounds|will)\b)|okey|cool|nice|great|good|lol|lmao+|rofl|ez|fr|ngl|haha+|hehe+|ha|yay|wow|gg|wp|glhf|gl|good ?(?:game|luck|one|job|morning|night|evening)|sleep well|sweet dreams|nighty night"
    r"|well played|nice (?:one|hand|move|play|game)|sorry|np|no problem|no worries|sure|alright|got it|sounds good|will do|awesome|perfect|brb|omg|oops|hmm+|hm+|ugh|aw+|bye|goodbye|see you|see ya|night|love (?:you|ya)"
    r"|miss you|xo+|congrats|congratulations|happy birthday|merry christmas|bravo|well done|yes|yeah|yep|yup|nope|fine|so much|very much|all|everyone|everybody|guys|my bad|damn|dang|darn|yikes|phew|whew|oh|ah|wtf|lucky you)(?![^\W_])[\s,.!;-]*)+\Z",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:sa(?:id|ys|y)|t(?:old|ell|ells)|ask(?:ed|s)?|wrote|text(?:ed|s)?|word|words|means?|meant|call(?:ed|s)?|he|she|they|thinks?|want(?:ed|s)|if|unless|not|don't|never)\b|n't\b|\?",
    re.IGNORECASE,
)


def carrier(said: str, own: str, body: str) -> Reading | None:
    """The carrier's words, and plain wishes to be left alone, which count as STOP.

    `own` is the text without a phone's signature, `body` without all that stands around it.
    """
    one = _ONE_WORD.match(said)
    if one:
        word = one[1].casefold()
        if word in CARRIER_OUT:
            return Reading("ignored", hint="carrier", command=Command("optout"))
        if word in CARRIER_IN:
            return Reading("ignored", hint="carrier", command=Command("optin"))
        if word in CARRIER_HELP:
            return Reading("ignored", hint="carrier", command=Command("help"))
        return Reading("command", command=Command("optout")) if word in PLAIN_OUT else None
    said = unthanked(own)
    if _WRONG_NUMBER.match(unasked(body)):
        return Reading("command", command=Command("optout", {"why": "wrong number"}))
    if len(said) < 120 and (_OPT_OUT.search(said) or _stops(said)) and not no_texts(said) and not _SAYS.match(said):
        return Reading("command", command=Command("optout"))
    return None


def carrier_at_a_table(body: str) -> Reading | None:
    """The same words in a text that names a table beside them: the carrier takes no notice of that."""
    one = _ONE_WORD.match(body)
    word = one[1].casefold() if one else ""
    if word in CARRIER_HELP:
        return Reading("command", command=Command("commands"))
    if word in ("quit", "end", "cancel"):
        return Reading("unclear", hint="leaving")
    if word in CARRIER_OUT or (
        not one and (_OPT_OUT.search(body) or _stops(body)) and not no_texts(body) and not _SAYS.match(body)
    ):
        return Reading("command", command=Command("optout"))
    return None


def _stops(said: str) -> bool:
    """Whether STOP is the first word, and what follows says the same and asks for no move."""
    said = said.strip()
    return bool(_STOP_FIRST.fullmatch(said)) and not any(item.kind in ("V", "C", "R") for item in read_items(said[4:]))


_FAREWELL = re.compile(
    r"(?:(?<=[.!?\n,])|\A)\s*(?:(?:lots of|all my|much|with|big|with much)\s+)*"
    r"(?:love|hugs(?: (?:and|&) kisses)?|kisses|cheers|regards|best(?: regards| wishes)?|kind regards|yours(?: truly)?|sincerely|xo+(?:xo)*)[,!]?"
    r"\s+(?:from\s+)?(?P<who>[^\W\d_]+(?:\s+[^\W\d_]+)?)[\s.!~-]*(?:x[xo]*)?[\s.!]*\Z",
    re.IGNORECASE,
)
_RANKS = r"(?:(?:nine|eight|seven|four|five|three|ten|jack|queen|king|ace|joker|wild)s|sixes|(?:10|[3-9]|[jqka])'?s|(?:10|[2-9]|[jqka])(?:[ ,]+(?:and )?(?:10|[2-9]|[jqka]))+)"
_HOLDING = re.compile(
    rf"(?<!do )(?<!if )(?<!did )(?<!when )(?<!that )(?:\b(?:well|because|since|cuz|bc|cause|as|and)[\s,]+)?\bi(?:'ve)? (?:have|got|have got)"
    rf" (?:(?:a|the|my|two|three|2|3|pair|of|some|both) )*{_RANKS}\b(?!'|\s+(?:and|or|in|of|but|left|to)\b)(?:[\s,]*\bso\b)?",
    re.IGNORECASE,
)


_NAMING = frozenset(("C", "R", "N", "COUNTED", "Q", "A"))


_LACKING = re.compile(
    r"(?:\A|(?<=[,.;!] ))(?:(?:well|sorry|ok|okay|no|hmm|oh|alas|i think|looks like)[\s,]+)*(?:(?:i(?:'ve)?|i have|i've got|there's|there is) ?(?:have |got |have got |see |still have )?)?"
    r"(?:nothing|none|no (?:sets?|melds?|pairs?|runs?|matches|match))(?: (?:else|more|here|good|new))*(?: (?:to|i can|that i can) (?:lay(?: down)?|meld|add|play|put down|go down with|take|pick up|do))?(?: (?:now|this turn|yet|this time|today))*"
    r"(?:[,.;!\n-]+\s*|\s+(?=so\b|just\b|then\b|i'll\b))(?=(?:so |and |then |i'll |i will |i |just |i must |i have to |let me )*(?:draw|discard|throw|toss|dump|pass|take|pick|get rid|ditch)\w*\b)"
    r"|\A(?:(?:well|sorry|ok|okay|hmm+|oh|um)[\s,]+)*(?:i'?m )?(?:not (?:really |too |very )?sure(?: what to do)?|i don't know(?: what to do)?|i dont know|idk|dunno|no idea|i can't decide|can't decide|hard to say)"
    r"[,.;!-]+\s*(?=(?:but |so |and |then )*(?:i'll |i will |let me |let's |i guess i'll |just )+(?:just )?(?:draw|discard|throw|toss|dump|pass|take|pick|play|lead|bid|lay)\w*\b)"
    r"|\A(?:(?:well|sorry|ok|okay|hmm|oh|alas)[\s,]+)*(?:i )?(?:can't|cannot|cant|can not) (?:lay(?: down)?|meld|add|take|pick|use|do|go down with|put down)(?: (?!not\b)[a-z']{1,9}){0,4}?"
    r"(?:[,.;!-]+\s*|\s+(?=so\b))(?=(?:so |and |then |i'll |i will |i |just |i must |i have to |let me )*(?:draw|discard|throw|toss|dump|pass|ditch|get rid)\w*\b)",
    re.IGNORECASE,
)


def reasoned(body: str) -> str:
    """The text without the reason that is given: `I have two nines so I will take the pile`, `nothing to lay, discard 4`."""
    if "?" not in body:
        body = _LACKING.sub("", body)
    found = _HOLDING.search(body) if "?" not in body else None
    if found is None:
        return body
    before, after = body[: found.start()].strip(" ;,.!"), unasked(body[found.end() :]).strip(" ;,.!")
    said = [item.kind for item in read_items(after or before)]
    acts = said.index("V") if "V" in said else len(said)
    if acts == len(said) or (after and _NAMING & set(said[:acts])):
        return body  # more cards of a list, or nothing that is to be done
    return "; ".join(filter(None, (before, after)))


def unsigned(body: str) -> str:
    """The text without who it is from: `Love, Grandma`."""
    found = _FAREWELL.search(body)
    if (
        found is not None
        and found.start()
        and not any(word in WORDS for word in found["who"].casefold().split() if word not in _KIN)
    ):
        body = body[: found.start()].rstrip(" ,")
    return body


def introduced(body: str, name: str) -> str:
    """The text without the sender's own name before or after it: `Ann here. Draw.`, `draw - Ann`."""
    if not name or name.casefold() in WORDS or name.casefold() not in body.casefold():
        return body
    who = re.escape(name)
    rest = re.sub(
        rf"\A(?:(?:hi|hello|hey|ok|okay|please)[\s,]+)?(?:(?:this is|it's|its|it is)(?: (?:only |just )?me,?)? {who}(?: here)?\b|{who} here\b|{who} ?:|{who},)[\s,.!:;-]*|[\s,.!]*[-~]+ *{who}[\s.!]*\Z",
        "", body, flags=re.IGNORECASE,
    )  # fmt: skip
    return rest if rest.strip() else body


_KIN = words("mom mum dad granny grandma grandpa nana x xx xxx xo xoxo to all everyone you")
_SPACED = re.compile(r"(?<![^\W_])(?:[a-z][ .\-]){2,}[a-z](?![^\W_])", re.IGNORECASE)


def unspaced(body: str) -> str:
    """`D R A W` as `DRAW`, where the letters begin with a word of the table; `k k k` stays."""

    def close(match: re.Match[str]) -> str:
        letters = re.sub(r"[^a-z]", "", match[0], flags=re.IGNORECASE)
        for size in range(min(len(letters), 9), 2, -1):
            if WORDS.get(letters[:size].lower(), ("",))[0] in ("V", "K"):
                return " ".join([letters[:size], *letters[size:]])
        return match[0]

    return _SPACED.sub(close, body)


_OPEN_END = re.compile(
    r"(?:\b(?:of|the|my|and|with|to|a|on)|(?:^|(?<=[\s,.;]))(?:discard|toss|throw|throw away|lay|meld|lay down|add|put|play|dump|drop|pickup|pick|take|grab|pick up))\s*\Z",
    re.IGNORECASE,
)
_OPEN_START = re.compile(r"\s*(?:of|up|down|to|on|with|away)\b", re.IGNORECASE)


def rejoined(body: str) -> str:
    """A command that was written over several lines, in one: `discard` and `4h` below it."""
    lines = body.split("\n")
    joined = [lines[0]]
    for line in lines[1:]:
        if _OPEN_END.search(joined[-1]) or _OPEN_START.match(line):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return "\n".join(joined)


# Which table


_CODE = re.compile(
    r"(?:(?:(?:on|at|in|for)\s+)?(?:(?:table|game)\s+)?)#?\s?([^\W_]{3,5})(?=[\s:,.;!-]|\Z)[\s:,.;!-]*", re.IGNORECASE
)
_OF_A_CODE = re.compile(
    r"\b(?:join(?:ing)?|rejoin|leave|enter|let me in(?:to)?|sit)\s*(?:\w+\s*){0,2}[#\s]*\Z|\A\s*(?:say|chat)\b",
    re.IGNORECASE,
)
_LAST_CODE = re.compile(
    r"(?:[\s,;.(]+(?:on|at|in|for|table|game|to))*[\s,;.(#]+([^\W_]{3,5})[\s).!,]*(\b(?:please|pls|plz)\b[\s).!]*)?\Z",
    re.IGNORECASE,
)


_OPEN_NOUN = re.compile(r"\b(?:show|see|view|check|list|the|my|our|a|an|new|of)\s*\Z", re.IGNORECASE)


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
        if code in body[-20:].upper():
            break
    else:
        return body, ""
    match = _LAST_CODE.search(body)
    if match and match[1].upper() in codes and not _OF_A_CODE.search(body[: match.start(1)]):
        head = body[: match.start()]
        if _OPEN_NOUN.search(head):  # show the table KF7
            head = body[: match.start(1)].rstrip(" ,;.(#")
        return f"{head} {match[2] or ''}".strip(), match[1].upper()
    return body, ""
