"""Commands of slow play as people write them: zone, quiet hours, being away, reminders, plans, a table's clock."""

import re
from collections.abc import Sequence

from engine.cards import card_name, rank_name
from service.text import plans
from service.text.lex import read_items
from service.text.lexicon import words
from service.text.parse import Parsed, Unit, parse
from service.text.request import TAIL, Command, Said

# The clock of a table

NUMBERS = {
    "a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "ten": "10",
    "twelve": "12", "couple": "2", "half": "",
}  # fmt: skip
LATE = {
    "wait": "wait", "waits": "wait", "waiting": "wait", "bot": "bot", "bots": "bot", "robot": "bot", "computer": "bot",
    "invite": "invite", "friend": "invite", "skip": "invite",
}  # fmt: skip
_LEADS = words("pace clock timer late tempo")
_NOTHING = words("none off no never unlimited")
_WEEKDAYS = words("weekdays weekday workdays workday")
_BETWEEN = words(
    """
    only then per turn turns a to if of is and on at each after that play plays in sits the for every max up or someone
    somebody who let move moves it its late limit day-pace = , any time be than more just player players they it's i'm
    """
)
_GLUED = re.compile(r"(\d+(?:\.\d+)?)-?(d|h|w|hrs?|hours?|days?|wks?|weeks?)\Z")
_UNIT = re.compile(r"(?:d|h|w|hrs?|hours?|days?|wks?|weeks?)\Z")
_NUMBER = re.compile(r"\d+(?:\.\d+)?\Z")


def read_clock(said: Sequence[str], led: bool = False) -> tuple[list[str], list[str]]:
    """The words of a clock (`3 days weekdays bot`), plainly, and the words that are none of it; all in lower case.

    `bot` and the like belong to it only next to other words of a clock; `led` says that there is one before the first.
    """
    clock: list[str] = []
    left: list[str] = []
    waiting: list[str] = []  # words between that may belong to it
    i = 0
    flat: list[str] = []
    for word in said:
        name, eq, value = word.partition("=") if "=" in word else word.partition(":")
        flat += [name, *([value] if value else [])] if eq and name in _LEADS else [word]
    near = led
    while i < len(flat):
        word = flat[i].strip(",;.!?")
        following = flat[i + 1].strip(",;.!?") if i + 1 < len(flat) else ""
        found, size = "", 1
        number = NUMBERS.get(word) or (word if _NUMBER.match(word) else "")
        if word in _LEADS or (word == "time" and following in ("limit", "per")):
            near, found, size = True, " ", 1 if word in _LEADS else 2
        elif word in ("no", "without") and following in (
            "clock",
            "pace",
            "timer",
            "limit",
            "limits",
            "deadline",
            "time",
        ):
            found, size = "none", 3 if following == "time" else 2
        elif word in ("no", "not", "skip", "without", "except") and following in ("weekends", "weekend"):
            found, size = "weekdays", 2
        elif _GLUED.match(word):
            found = word
        elif number and _UNIT.match(following):
            found, size = f"{number} {following}", 2
        elif word in _WEEKDAYS:
            found = "weekdays"
        elif word in ("work", "working", "business", "week") and following == "days":
            found, size = "weekdays", 2
        elif near and word in ("everyday", "daily"):
            found = "everyday" if word == "everyday" else "1d"
        elif near and not clock and number and word.isdigit() and int(number) <= 30:
            found = f"{number} days"  # pace 3
        elif near and word in LATE and (word != "skip" or following in ("to", "")):
            found = LATE[word]
            found = " " if found in clock else found
        elif near and word in _NOTHING and not clock:
            found = "none"
        if found:
            clock += [found] if found.strip() else []
            near, waiting = True, []
            i += size
            continue
        if near and word in _BETWEEN:
            waiting.append(flat[i])
        else:
            left += [*(waiting if clock else []), flat[i]]
            near, waiting = False, []
        i += 1
    return list(dict.fromkeys(clock)), left


def _pace(said: Said) -> Command | None:
    low = said.key
    if re.fullmatch(r"(?:the |our |my |table |turn )*(?:pace|clock|time limit|timer)", low):
        return Command("pace")
    asked = re.fullmatch(r"(?:what|what's|whats|how|show|which)\b.*\b(?:pace|clock|time limit)(?: set to)?", low)
    if asked and len(low) < 50:
        return Command("pace")
    match = re.match(
        r"(?:(?:please |can we |let's |lets |i want to )?(?:set|change|make|switch|put|use|have)(?: a| the| our| my| it)? )?"
        r"(?:the |our |my |table |turn |table's )*(?:pace|clock|time limit|turn timer|timer|tempo)\b",
        low,
    ) or re.match(
        r"(?:no (?:clock|pace|time limit|timer|deadline)s?\b|(?:if |when )?(?:someone is |somebody is )?late\b[:=, ]+(?=\w))",
        low,
    )
    if match is None:
        return None
    spoken = re.split(r"[\s,;]+", said.text.casefold().replace("?", " "))
    clock, left = read_clock(spoken)
    rest = [
        word for word in left
        if word.strip(",.;!") and word not in _BETWEEN and word not in ("set", "change", "make", "switch", "our", "my", "table", "please", "put", "use", "have", "can", "we", "let's", "when")
    ]  # fmt: skip
    if rest:  # the answer says what a pace may be
        value = TAIL.sub("", said.text[match.end() :]).strip(" \t.!,:=") if len(rest) < 4 else ""
        return (
            Command("pace", {"value": value.casefold()})
            if value and low.startswith(("pace", "set", "change"))
            else None
        )
    return Command("pace", {"value": " ".join(clock)} if clock else {})


# Plans

_PLAN = re.compile(r"(?:my |our )?plan(?:ned|s)?(?: is)?(?: to| on| for)?\b[\s:=,-]*", re.IGNORECASE)
_NO_PLAN = re.compile(
    r"(?:plan )?(?:no|cancel|forget|drop|delete|clear|remove|stop|undo|scrap)(?: my| the| that| any)? plans?(?: anymore)?"
    r"|plan (?:off|none|no|cancel|nothing|clear|delete|never mind|nvm)|no plan"
)
_NEXT_TURN = re.compile(
    r"[\s,]*\b(?:(?:when|once|as soon as|if) (?:it's|its|it is|it becomes|it gets to be|i get) my (?:next )?turn(?: again)?"
    r"|when my turn (?:comes|begins|starts)|(?:on|for|at) my (?:next )?turn|(?:on (?:the )?)?next turn|when i'm up|when im up)\b[\s,:]*",
    re.IGNORECASE,
)


def planned(text: str) -> str:
    """A plan as the notation writes it (`draw`, `pickup 9 9`), or the words as they are."""
    parsed = parse(read_items(text))
    plain = " ".join(text.casefold().split()).strip(" .!,")
    if parsed.flag or parsed.junk or parsed.target is not None:
        return plain
    if parsed.verb in ("draw", "pass", "auto") and not parsed.units:
        return parsed.verb
    if parsed.verb in ("take", "pick") and not parsed.units and (parsed.one or parsed.noted & {"CARD", "DECK"}):
        return "draw"
    if parsed.verb in ("pickup", "take", "pick") and (
        parsed.units or parsed.noted & {"PILE", "IT", "UP"} or parsed.verb == "pickup"
    ):
        return " ".join(["pickup", *_named(parsed)])
    return plain


def _named(parsed: Parsed) -> list[str]:
    def names(unit: Unit) -> list[str]:
        if unit.card is not None and unit.s != "s":
            return [card_name(unit.card)] * unit.n
        return [rank_name(unit.rank)] * (2 if unit.whole or (unit.s and len(parsed.units) == 1) else unit.n)

    return [name.lower() if len(name) > 1 else name for unit in parsed.units for name in names(unit)]


def _plan(said: Said) -> Command | None:
    low = said.key
    if _NO_PLAN.fullmatch(low):
        return Command("plan", {"text": "off"})
    if re.fullmatch(
        r"(?:what's|whats|what is|show|show me|see)?(?: is)? ?(?:my|the) plans?|(?:do i have|have i got) a plan|plans?",
        low,
    ):
        return Command("plan")
    match = _PLAN.match(said.text)
    if match is None or len(low) > 60:
        return None
    rest = TAIL.sub("", said.text[match.end() :]).strip(" .!,;")
    rest = _NEXT_TURN.sub(" ", rest).strip()
    if not rest:
        return Command("plan")
    if said.game is not None and "play" in said.game.verbs and plans.read(rest, said.game.name) is not None:
        return Command("plan", {"text": rest})
    if rest[-1] == "?" or re.match(r"(?:a |an |the |b\b|is\b|was\b|for\b|ahead\b)", rest, re.IGNORECASE):
        return None
    return Command("plan", {"text": planned(rest)})


def plan_ahead(text: str) -> Command | None:
    """`draw when it's my turn`: a plan that does not say so."""
    if not _NEXT_TURN.search(text) or len(text) > 80:
        return None
    rest = TAIL.sub("", _NEXT_TURN.sub(" ", text)).strip(" .!,;")
    parsed = parse(read_items(rest))
    if parsed.flag or parsed.junk or parsed.verb not in ("draw", "pass", "pickup"):
        return None
    return Command("plan", {"text": planned(rest)})


# Where and when


_NOWHERE = words(
    """
    bed trouble love line charge court jail traffic class school work town meeting church hospital pain hurry here game
    shower bath car bus train office middle first second third last lead front position luck heaven hell need a an the my
    this that it all with for on too now again deep awe shock then no control
    """
)
_PLACE = re.compile(
    r"(?:hi,? |hello,? |btw,? |fyi,? |now )?(?:(?:(?:i'm|i am|im|we're|we are|we)(?: now| living| currently| located| based| staying)?(?: over| down| up| out)? in"
    r"|(?:i|we)(?: now| both| all| currently)? live (?:in|near|by)|(?:i|we)(?: just|'ve| have)? moved to|i'm from|im from|i am from)"
    r"|my (?:city|town|state|location) is(?: in)?|(?:my )?(?:zip ?code|zip|postal code|post ?code)(?: is| =|:)?) ",
    re.IGNORECASE,
)
_BY_CLOCK = re.compile(
    r"(?:(?:i'm|i am|im|we're|we are|it's|its)(?: on| in)? |use |set |on |my time is |my clock is )?"
    r"((?:us )?(?:eastern|central|mountain|pacific|alaska|hawaii|atlantic|arizona|gmt|utc|est|edt|cst|cdt|mst|mdt|pst|pdt)(?:[+-]\d+)?)"
    r"(?: (?:standard |daylight )?time(?: ?zone)?| zone)\Z"
)


def _zone(said: Said) -> Command | None:
    text, low = TAIL.sub("", said.text).strip(" .!,;"), said.key
    if re.fullmatch(r"\d{5}(?:-\d{4})?", text):
        return Command("zone", {"value": text})
    by_clock = _BY_CLOCK.fullmatch(low)
    if by_clock:
        return Command("zone", {"value": by_clock[1]})
    match = _PLACE.match(text)
    if match is None or "?" in text:
        return None
    place = re.sub(
        r"\s+(?:now|today|currently|these days|right now|btw|time|this week|for now)\Z",
        "",
        text[match.end() :],
        flags=re.IGNORECASE,
    )
    place = place.removeprefix(": ").strip(" .,!:")
    first, *more = place.casefold().split() or [""]
    if (
        not first
        or len(more) > 4
        or first.strip(",") in _NOWHERE
        or re.search(r"[!?]|\b(?:and|but|so|game|turn|i)\b", place)
    ):
        return None
    return Command("zone", {"value": place})


_CLOCK_TIME = r"(?:\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m?\.?)?(?: ?o'?clock)?|noon|midnight)(?: (?:in the (?:morning|evening)|at night))?"
_NO_TEXTS = re.compile(
    r"(?:please |pls |can you |could you )?(?:no(?: more)?|don't|dont|do not|never|stop|quit|not)"
    r"(?: (?:send|sending)(?: me)?)?(?: any| more)?(?: (?:texts?|texting|messages?|messaging|text messages|texts to me|contact|contacting|bother|bothering|wake|waking))"
    r"(?: me)?(?: (?:texts|messages|anything))?(?: up)?(?: on weekdays)? "
    rf"(?P<when>(?:after|before|past|later than|earlier than) {_CLOCK_TIME}|(?:between|from) {_CLOCK_TIME} ?(?:-|and|to|until|till) ?{_CLOCK_TIME}|{_CLOCK_TIME} ?(?:-|to) ?{_CLOCK_TIME}|at night|overnight)"
    r"(?: (?:please|pls|plz|thanks|thank you|ok|okay|anymore|any more))*[\s.!]*\Z",
    re.IGNORECASE,
)


def no_texts(text: str) -> Command | None:
    """`no texts after 10pm`, `please stop texting me before 9`: quiet hours, not a farewell."""
    match = _NO_TEXTS.match(text.strip())
    if match is None:
        return None
    when = re.sub(r"^(?:between|from) ", "", match["when"].casefold().strip(" ."))
    when = re.sub(r"^(?:past|later than)", "after", re.sub(r"^earlier than", "before", when))
    return Command("quiet", {} if "night" in when and not re.search(r"\d", when) else {"value": when})


_QUIET = re.compile(
    r"(?:(?:set|change|make|turn)(?: on)? )?(?:my )?quiet(?: hours?| time)?(?: are| is| on)?(?: from| to|:|=)? ",
    re.IGNORECASE,
)


def _quiet(said: Said) -> Command | None:
    low = said.key
    if re.fullmatch(
        r"(?:turn |switch )?(?:off|no|remove|cancel|stop)(?: off)?(?: my| the)? quiet(?: hours| time)?|(?:my )?quiet (?:hours |time )?(?:off|none)"
        r"|(?:you |can |please )*text me (?:at )?any ?time|any ?time is (?:fine|ok|okay)",
        low,
    ):
        return Command("quiet", {"value": "off"})
    command = no_texts(said.text)
    if command is not None:
        return command
    match = _QUIET.match(said.text)
    if match is None:
        return None
    value = TAIL.sub("", said.text[match.end() :]).strip(" .!,;")
    if not value or len(value) > 30 or "?" in value:
        return None
    return Command("quiet", {"value": value})


_WHO = r"(?:(?:i'm|i am|im|i'll|ill|i will|we're|we are|we'll|i|we)(?: to| be| am| going| go| will| won't| wont| will not| can't| cant| cannot)*)"
_UNTIL = r"(?:until|untill|til|till|'til|'till|through|thru|for|from now until|up to)"
_GONE = re.compile(
    rf"(?:sorry,? |hi,? |hello,? |fyi,? |btw,? |ok,? |set me |mark me |put me |please )*(?:{_WHO} )?(?:(?:be|go|going|am|can't|cant|cannot|won't|wont|will not) )*"
    r"(?:(?P<gone>away|gone|out of town|out of the country|on vacation|on holidays?|on leave|vacation|holiday|travell?ing|camping|unavailable|offline|at camp|at the lake|on a trip|on a cruise|off grid|afk)"
    r"|(?P<play>(?:not )?(?:play|playing|be here|here|available|around|able to play|be able to play|text|move))|(?P<pause>pause|hold))"
    rf"(?: me| my turns?| my games?| my seat| my hand| the games?| this game| our game| everything| it| for me)?(?: again)?(?P<join> {_UNTIL}|,|:)? (?P<until>.+)",
    re.IGNORECASE,
)
_BACK_ON = re.compile(
    rf"(?:{_WHO} )?(?:be |am |come |coming )?back (?P<until>(?:on |by |in |around |after |next |this )?(?:the )?(?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|a (?:week|day|few)|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|two|three|four|five|one|week|month|christmas).*)",
    re.IGNORECASE,
)
_GONE_AND_BACK = re.compile(
    rf"(?:sorry,? |hi,? |hello,? |fyi,? |btw,? |ok,? )*{_WHO} (?:be |going |off |leaving |heading |flying |driving )*(?:to be )?(?:away|gone|out of town|out|on vacation|on holidays?|travell?ing|camping|skiing|sailing|off|to (?:the )?\w+|visiting \w+(?: \w+)?|on a \w+)[\s,.;-]+(?:and |but )?"
    r"(?:i'll be |i will be |we'll be |will be |be |should be |i'm |we're )?(?:back|home) (?P<until>(?:on |by |in |around |after |next |this )?(?:the )?(?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|a (?:week|day|few)|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|two|three|four|five|one|week|month|christmas).*)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"(?>(?:the |this |next |on |a |an |about |around |at least |\d+(?: ?[:/.-] ?\d+)? ?|one |two |three |four |five |six |seven |ten |few |couple (?:of )?|end of |sometime |late |early )*"
    r"(?:d|h|w|days?|hours?|hrs?|weeks?|wks?|months?|mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thur?s?(?:day)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|weekend"
    r"|tomorrow|tonight|noon|morning|evening|christmas|xmas|new year'?s?|easter|thanksgiving|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
    r"|\d{1,2}(?:st|nd|rd|th)?|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d+)?|[ap]m|then|further notice)(?![\w/])[\s,]*)+\Z",
    re.IGNORECASE,
)


def _away(said: Said) -> Command | None:
    text = TAIL.sub("", said.text).strip(" .!,;")
    match = _GONE.fullmatch(text)
    if match is not None and "?" not in text:
        until = re.sub(
            r"\A(?:on|for|the next|next) (?=\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
            "",
            match["until"].strip(),
            flags=re.IGNORECASE,
        )
        until = re.sub(rf"\A{_UNTIL} ", "", until, flags=re.IGNORECASE)
        negated = re.match(r".{0,30}?\b(?:not|can't|cant|cannot|won't|wont)\b", text, re.IGNORECASE)
        fitting = (match["gone"] or match["pause"] or (match["play"] and negated and match["join"])) and _SPAN.match(
            until
        )
        if fitting:
            return Command("away", {"until": until} if until.casefold() != "further notice" else {})
    match = _BACK_ON.fullmatch(text)
    if match is not None and _SPAN.match(re.sub(r"^(?:on|by|in|after) ", "", match["until"])):
        return Command("away", {"until": re.sub(r"^(?:on|by|in) ", "", match["until"])})
    match = _GONE_AND_BACK.fullmatch(text)
    if match is not None and _SPAN.match(re.sub(r"^(?:on|by|in|after) ", "", match["until"])):
        return Command("away", {"until": re.sub(r"^(?:on|by|in) ", "", match["until"])})
    if re.fullmatch(
        r"(?:i'm |i am |im |we're )?(?:home|home again|back (?:home|again|now|in town|from (?:my |our |the |a )?(?:vacation|holidays?|trip|travels?|camping|camp|work))|here again|returned|home from (?:vacation|holidays?))(?: now)?",
        said.key,
    ):
        return Command("back")
    return None


def on_vacation(text: str) -> bool:
    """Whether a text that looks like an automatic answer is all of it a wish to be away: `on vacation until friday`."""
    return (
        len(text) < 50
        and bool(re.fullmatch(r"(?:(?:i'm|i am|im|we're|we are) )?on vacation until .+", text, re.IGNORECASE))
        and (_away(Said(text, text.casefold(), "", (), None)) is not None)
    )


# Reminders


_EVERY = r"(?:off|on|daily|never|every (?:\d+|two|three|four|six|eight|twelve) ?(?:h|hrs?|hours?)|every day|once a day|each day|twice a day)"


def _nudge(said: Said) -> Command | None:
    low, names = said.key, [name.casefold() for name in said.names]
    match = re.fullmatch(
        rf"(?:(?:nudge|remind|poke|remind(?:er)?s?|nudges|my reminders|my nudges)(?: me)?)(?: to)?[: ]*({_EVERY})", low
    )
    if match is not None:
        value = {
            "once a day": "daily",
            "every day": "daily",
            "each day": "daily",
            "never": "off",
            "twice a day": "every 12h",
        }.get(match[1], match[1])
        me = "" if low.startswith(("nudge off", "nudge on", "nudge daily", "nudge every")) else "me "
        return Command("nudge", {"name": f"{me}{value}"})
    if re.fullmatch(
        r"(?:(?:can|could|would|will) you |please )*(?:no(?: more)?|stop|turn off|cancel|don't send(?: me)?|dont send(?: me)?|stop sending(?: me)?)(?: the| my| any| all| sending(?: me)?)* (?:reminders?|nudges?|reminding(?: me)?|nudging(?: me)?)(?: please)?"
        r"|(?:(?:can|could|would|will) you |please )*(?:don't|dont|do not|stop|never|not) (?:remind(?:ing)?|nudg(?:e|ing)|pok(?:e|ing))(?: me)?(?: any ?more)?",
        low,
    ):
        return Command("nudge", {"name": "me off"})
    if re.fullmatch(
        r"(?:(?:can|could|would|will) you |please |someone )*(?:nudge|remind|poke|ping|wake(?: up)?|prod|chase|hurry(?: up)?) (?:up )?(?:who(?:so)?ever\b.{0,30}|the (?:next|slow|other|late|waiting) (?:one|player|person|ones|players)|the others?|everyone|everybody|them all|all of them)(?: up| please)*",
        low,
    ):
        return Command("nudge")
    match = re.fullmatch(
        r"(?:(?:can|could|would|will) you |please |someone )*(?:nudge|remind|poke|ping|wake(?: up)?|prod) (?!me\b)(\w+)(?: up| again| please| to play| to go| to move| for me| it's (?:her|his|their) turn| that it's (?:her|his|their) turn)*"
        r"|(?:(?:can|could|would|will) you |please )*(?:give|send) (\w+) (?:a|another) (?:nudge|reminder|poke|little nudge|kick|text)"
        r"|(?:(?:can|could|would|will) you |please )*tell (\w+) (?:to (?:play|go|hurry(?: up)?|move|take (?:her|his|their) turn)|(?:that )?(?:it's|its|it is) (?:her|his|their) turn)|(?:hurry(?: up)?|wake up) (\w+)|(\w+) hurry(?: up)?",
        low,
    )
    if match is None:
        return None
    who = next(name for name in match.groups() if name)
    if who in ("them", "him", "her", "whoever", "everyone", "all", "someone", "player"):
        return Command("nudge")
    if who not in names and not low.startswith(("nudge", "remind", "poke")):
        return None
    at = said.text.casefold().find(who)
    return Command("nudge", {"name": said.text[at : at + len(who)] if at >= 0 else who})


_ABOUT = re.compile(
    r"\b(?:pace|clock|timer|late|time limit|tempo|plans?|planned|zones?|time|quiet|text|texts|texting|messages?|messaging|away|gone|vacation|holidays?"
    r"|live|moved|in|city|zip|zipcode|postal|est|edt|cst|cdt|mst|mdt|pst|pdt|out|travell?ing|camping|unavailable|offline|trip|cruise|play|playing|here|available|around|pause|hold|till|until"
    r"|back|home|returned|nudges?|remind|reminders?|reminding|nudging|poke|ping|wake|bother|waking|hurry|tell|give|send|location|town|state|from|limit|anytime|deadline|leave|camp|move)\b|\d{5}",
    re.IGNORECASE,
)


def read(said: Said) -> Command | None:
    """A command of slow play, or None."""
    if len(said.key) > 90 or not _ABOUT.search(said.text):
        return None
    for reader in (_plan, _pace, _nudge, _quiet, _away, _zone):
        command = reader(said)
        if command is not None:
            return command
    return None
