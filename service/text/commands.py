"""Commands that are no moves: `new damn 500`, `who's turn is it`, `join kf7 as bea`.

What shows something is understood from a topic word among words that say nothing; what changes something only from
phrases that are listed, or from its own word in front.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine.game import Game
from service.text import changing, hidden, keeping, learning, pacing, questions, ranking, setting_up, trick_questions
from service.text.lex import read_items
from service.text.lexicon import SHORT_VERBS, near_word, words
from service.text.parse import parse
from service.text.phrases import WHOLE
from service.text.request import Command, Said, rest_of
from service.text.sitting import clean_name, join, more_rules, new

__all__ = ["Command", "correct", "first_of", "read_command"]

_WORD = re.compile(r"[^\W_]+(?:['_.-][^\W_]+)*|[?]")
_POLITE = words(
    """
    please pls plz plse thanks thx ty thank you u ok okay then now rn just so hey hi hello well um uh hmm lol also
    and again guys everyone all everybody dear oops whoops oh hiya morning dears folks
    """
)


def _whole() -> dict[str, tuple[str, dict[str, str]]]:
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for block in re.split(r"\n(?=\w)", WHOLE.strip()):
        head, _, phrases = block.partition(":")
        name, *given = head.split()
        args = dict(word.split("=") for word in given)
        found |= dict.fromkeys(" ".join(phrases.split()).split(" | "), (name, args))
    return found


_EXACT = _whole()


@lru_cache(maxsize=2048)
def key_of(text: str) -> str:
    """The words of a clause, lower case, without politeness before and after and without marks."""
    words = _WORD.findall(text.casefold())
    if "?" in words and len(words) > 1:
        words = [word for word in words if word != "?"]
    if len(words) > 2 and words[1] == "r" and words[0] in ("who", "what", "where", "how"):
        words[1] = "are"
    while len(words) > 1 and words[0] in _POLITE and words[0] not in ("again",):
        words = words[1:]
    while (
        len(words) > 1
        and (
            words[-1] in _POLITE
            or words[-1] in ("tho", "though", "for", "me", "here", "right", "sorry", "mate", "honey")
        )
        and " ".join(words) not in _EXACT
    ):
        words = words[:-1]
    return " ".join(words)


def read_command(
    text: str, stage: str = "none", names: tuple[str, ...] = (), game: Game | None = None
) -> Command | None:
    """The command that a clause is, or None. `text` keeps its letter case: names and times are taken from it."""
    text = text.strip(" .,!;:-\n")
    if not text:
        return None
    key = key_of(text)
    if len(key) == 1 and any(suit in text for suit in "♠♥♦♣"):  # T♦ is a ten
        return None
    kept = keeping.read(Said(text, key, stage, names, game))
    if kept is not None:
        return kept
    said = Said(text, key, stage, names, game)
    passed = learning.passed(said)
    if passed is not None:
        return passed
    around = setting_up.read(said)
    if around is not None:
        return around
    found = _EXACT.get(key)
    if found is not None:
        if key == "again" and stage == "playing":
            return None
        return Command(found[0], dict(found[1]))
    doubled = key.split()
    if len(doubled) > 1 and len(set(doubled)) == 1 and doubled[0] in _EXACT:  # deal deal
        return Command(_EXACT[doubled[0]][0], dict(_EXACT[doubled[0]][1]))
    command = (
        trick_questions.asked(said)
        or changing.read(said)
        or learning.explained(said)
        or hidden.asked(said)
        or ranking.asked(said)
        or questions.read(said)
        or pacing.read(said)
        or _to_see(key)
    )
    if command is not None:
        return command
    reader = _LED.get(key.split(" ", 1)[0])
    if reader is not None:
        command = reader(said)
        if command is not None:
            return command
    return _patterns(said)


_WOULD_YOU = re.compile(
    r"\W*(?:please )?(?:can|could|would|will) (?:you|someone|somebody|anyone) (?:(?:please|just|kindly|maybe)\s+)*",
    re.IGNORECASE,
)
_AND_SO = re.compile(
    r"\A(?:(?:so|and|but|quick question|question|just wondering|wondering|actually|sorry(?= \w+ \w)|by the way|btw|also|remind me|excuse me|sorry but)\s+)+"
)
_LATELY = re.compile(
    r"(?: (?:so far|yet|already|at the moment|currently|today|this time|right now|again|at this point|in the game|in this game|at our table|at the table|there|anyway|exactly|looking like|looking|like|standing|everyone|by the way|btw))+\Z"
)


def _to_see(key: str) -> Command | None:
    """`can I please see our house rules`: what shows them."""
    wanted = questions.asked_to_see(key)
    if not wanted:
        wanted = _LATELY.sub("", _AND_SO.sub("", key))
        if wanted == key:
            return None
    for said in (wanted, re.sub(r"\A(?:the|my|our|all|all the|all our) ", "", wanted)):
        found = _EXACT.get(said)
        if found is not None and found[0] in questions.SEEN:
            return Command(found[0], dict(found[1]))
    return None


def correct(text: str, stage: str, names: tuple[str, ...] = (), game: Game | None = None) -> Command | None:
    """The same with one misspelt command word put right; only where nothing else was understood."""
    words = text.split()
    for i, word in enumerate(words[:4]):
        bare = word.strip(".,!?;:").casefold()
        near = near_word(bare)
        if near:
            command = read_command(" ".join([*words[:i], near, *words[i + 1 :]]), stage, names, game)
            if command is not None:
                return command
    key = key_of(text)
    if 8 <= len(key) <= 60:  # a phrase with a slip somewhere in it
        best = process.extractOne(key, _PHRASES, scorer=OSA.distance, score_cutoff=1 if len(key) < 14 else 2)
        if best is not None:
            name, args = _EXACT[best[0]]
            if name in _SHOWS:
                return Command(name, dict(args))
    return None


_PHRASES = [phrase for phrase in _EXACT if len(phrase) >= 8]
_SHOWS = words(
    """
    hand table score who games rules options hint why pile melds commands invite
    """
)

# Several in one text

_SEPARATOR = re.compile(
    r"\s*(?:[,;]|[.!](?=\s))\s*(?:(?:and|then)\s+){0,2}|\s+(?:(?:and|then)\s+){1,2}|\s*&\s*|\s+\+\s+", re.IGNORECASE
)
_BEFORE_BOTS = re.compile(
    r"\s*(?:new|start|create|open|make|host|bots?|\d bots)\b(?!.*\b(?:pace|clock|late)\b)", re.IGNORECASE | re.DOTALL
)
_UNJOINED = re.compile(
    r"(?<![\s,;.&])\s+(?:with\s+)?(?=(?:(?:[1-9]|two|three|some|the)\s+)?bots\b|deal\b)", re.IGNORECASE
)
_FOLLOWING = words(
    "bots deal hand table score who games rules options hint pile melds rematch updates auto mute stats invite commands undo"
)
_NAMES_TOO = words("me h t sc top turn total laid fill cards again another bot seats dealer partner history game")
_LEADING = words("quiet zone timezone plan nudge away updates auto say bots mute unmute name rules")
_ACTS = words("draw pickup discard meld add pass")


def follows(text: str, head: str, stage: str, names: tuple[str, ...], game: Game | None) -> bool:
    """Whether what stands behind a comma is a command or a move by itself, and not more of the command before it."""
    if more_rules(head, text):
        return False
    key = key_of(text)
    first = key.split(" ", 1)[0]
    if key == "start" and re.search(r"\b(?:bots|computers|robots)\b", head, re.IGNORECASE):
        return True
    found = _EXACT.get(key)
    if found is not None:
        clock = first == "bot" and re.search(r"\b(?:pace|clock|late)\b", head, re.IGNORECASE)
        return found[0] in _FOLLOWING and key not in _NAMES_TOO and not clock
    seated = re.match(r"\s*(?:please )?(?:join|sit|name|call)\b", head, re.IGNORECASE)
    if first in _LEADING and not (seated and first == "name"):
        return read_command(text, stage, names, game) is not None
    if first in ("show", "add", "with") or first.isdigit():
        command = read_command(text, stage, names, game)
        return command is not None and command.name in (("bots",) if first.isdigit() else _FOLLOWING)  # not `3 players`
    parsed = parse(read_items(text))
    return parsed.verb in _ACTS and parsed.word not in SHORT_VERBS and not parsed.junk and not parsed.flag


def first_of(text: str, stage: str, names: tuple[str, ...], game: Game | None) -> tuple[Command, str] | None:
    """A command that others stand behind, and the text of those: `new damn 500, bots, deal`."""
    if setting_up.in_one(text, stage) and setting_up.is_one(read_command(text, stage, names, game)):
        return None
    borders = list(_SEPARATOR.finditer(text))[:20]
    if _BEFORE_BOTS.match(text):
        borders = sorted([*borders, *_UNJOINED.finditer(text)], key=re.Match.start)
    ends = [border.start() for border in borders[1:]] + [len(text)]
    for border, end in zip(borders, ends, strict=False):
        tail = text[border.end() : end]
        head = text[: border.start()]
        if not head.strip() or not tail.strip() or not follows(tail, head, stage, names, game):
            continue
        command = read_command(head, stage, names, game)
        left = text[border.end() :].strip()
        if command is not None and command.name in ("bots", "new") and left.casefold().strip(" .!") == "start":
            left = "deal"  # START alone is the carrier's
        if (
            command is not None
            and command.name == "deal"
            and key_of(left) in _EXACT
            and _EXACT[key_of(left)][0] == "deal"
        ):
            return Command("deal"), ""  # everyone is here, deal
        return None if command is None else (command, left)
    return None


def following_words(text: str) -> str:
    """What stands behind a command, without what joins it to that."""
    return re.sub(r"\A(?:[\s,;.!&+-]|(?:and|then|also)\b)+", "", text, flags=re.IGNORECASE).strip()


# Commands with arguments


_FILLING = words(
    """
    fill add put use seat get bring have let in up the empty free open other remaining rest last seats seat spots spot places
    place chairs table game with by of some all please can you we need them to for sit and everything missing left over go ahead
    """
)
_MACHINES = words("bots computers robots machines computer robot players player")


_TO_DEAL = words(
    """
    deal dealing let's lets go ready i'm im i am we're were we are all here everyone everybody is so ok please the cards card
    them em out us in now start begin game round up and can could you good to set yes it new when set, time get going then whenever when you're your like want once
    """
)


def _bots(said: Said) -> Command | None:
    spoken = said.key.split()
    if (
        spoken[0] in ("fill", "put", "seat", "use", "add", "let", "have", "get", "bring")
        and any(word in ("bots", "computers", "robots", "machines") for word in spoken)
        and all(word in _FILLING or word in _MACHINES for word in spoken)
        and said.stage != "playing"
    ):
        return Command("bots", {})
    match = re.fullmatch(
        r"(?:(?:can|could|may) (?:we|i|you) (?:please )?)?(?:have|add|fill|fill up|with|need|use|i want|want|give me|give us|bring in|put in|play with|play against|get)?\s*(?:with\s+)?(?:bots?\s+(?P<b>\w+)|(?P<a>\w+)\s+(?:more\s+)?(?:ro)?bots?)(?:\s+in)?",
        said.key,
    )
    if match is None:
        return None
    count = match["a"] or match["b"]
    numbers = {
        "one": "1",
        "two": "2",
        "three": "3",
        "a": "1",
        "to": "2",
        "too": "2",
        "all": "",
        "some": "",
        "the": "",
        "on": "",
        "another": "1",
        "off": "off",
        "none": "off",
        "no": "off",
        "yes": "",
    }
    value = count if count.isdigit() else numbers.get(count)
    if value is None or len(value) > 3:
        return None
    return Command("bots", {"n": value} if value else {})


_TOPIC_NOISE = re.compile(
    r"\b(?:what|whats|what's|is|are|the|rules?|for|of|about|on|how|do|does|i|you|we|a|an|to|work|works|explain|tell|me|show|please|please|can|game|again|in|with|this|it|use|play|my|know|remind|happens?|when|mean|means|there|any|get|you)\b",
    re.IGNORECASE,
)


def _rules(said: Said) -> Command | None:
    if not re.search(r"\b(?:rules?)\b", said.key):
        return None
    topic = " ".join(_TOPIC_NOISE.sub(" ", said.key.replace("?", " ")).split())
    if len(topic.split()) > 6 or re.search(
        r"\b(?:said|says|hate|stupid|not|don't|dont|broke|break|bend|against|ignor(?:e|ing)|disregard|forget|override|bypass|bea)\b",
        topic,
    ):
        return None
    return Command("rules", {"topic": topic} if topic else {})


def _valued(name: str, arg: str, *leads: str, most: int = 60) -> Callable[[Said], Command | None]:
    def read(said: Said) -> Command | None:
        value = rest_of(said.text, *leads)
        if len(value) > most:
            return None
        return Command(name, {arg: value} if value else {})

    return read


def _options(said: Said) -> Command | None:
    return (
        Command("options", {"about": rest_of(said.text, "options", "option", "settings")})
        if len(said.key) < 40
        else None
    )


def _nudge(said: Said) -> Command | None:
    who = rest_of(said.text, "nudge", "poke", "remind")
    if not who or len(who) > 20 or len(who.split()) > 2 or who.casefold() in ("me",):
        return None
    return Command("nudge", {"name": who})


def _mute(said: Said) -> Command | None:
    who = rest_of(said.text, "unmute", "mute")
    if len(who.split()) > 2:
        return None
    args = {"name": who} if who else {}
    return Command("mute", args | ({"off": "off"} if said.key.startswith("unmute") else {}))


def _block(said: Said) -> Command | None:
    who = rest_of(said.text, "unblock", "block")
    if len(who.split()) > 1:
        return None
    return Command("block", ({"name": who} if who else {}) | ({"off": "off"} if said.key.startswith("unblock") else {}))


def _leave(said: Said) -> Command | None:
    match = re.fullmatch(r"leave\s+(?:the\s+)?(?:game\s+|table\s+)?([a-z0-9]{3,5})", said.key)
    if match is None or match[1] in (
        "me",
        "it",
        "the",
        "alone",
        "him",
        "her",
        "them",
        "that",
        "this",
        "now",
        "home",
        "town",
        "work",
        "early",
    ):
        return None
    return Command("leave", {"code": match[1].upper()}) if re.search(r"\d", match[1]) or len(match[1]) <= 5 else None


_NO_NAMES = words("later back when tomorrow tonight maybe if asap soon after now please a the an at on today")


def _name_is(said: Said) -> Command | None:
    name = rest_of(
        said.text,
        "my name is",
        "my name's",
        "name is",
        "call me",
        "name me",
        "change my name to",
        "change name to",
        "set name to",
        "set my name to",
        "rename me",
        "rename me to",
        "name",
    )
    name = re.sub(r"^(?:to|as|is|and)\s+", "", name)
    if name.casefold() in ("wrong", "misspelled", "misspelt", "spelled wrong", "incorrect", "not right", "not correct"):
        return Command("name", {})
    if not name or len(name.split()) > 3 or name.casefold().split()[0] in _NO_NAMES:
        return None
    return Command("name", {"name": clean_name(name)})


_LED: dict[str, Callable[[Said], Command | None]] = {
    "new": new, "start": new, "create": new, "open": new, "make": new, "begin": new, "host": new, "play": new, "launch": new, "setup": new, "let's": new, "lets": new,
    "join": join, "joining": join, "sit": join, "enter": join,
    "bots": _bots, "bot": _bots, "add": _bots, "fill": _bots, "with": _bots,
    "rules": _rules, "rule": _rules,
    "away": _valued("away", "until", "away until", "away till", "away for", "away", most=40),
    "zone": _valued("zone", "value", "zone"), "timezone": _valued("zone", "value", "timezone"), "tz": _valued("zone", "value", "tz"),
    "quiet": _valued("quiet", "value", "quiet hours", "quiet time", "quiet"),
    "updates": _valued("updates", "value", "updates", most=20), "update": _valued("updates", "value", "update", most=20),
    "options": _options, "option": _options, "settings": _options,
    "nudge": _nudge, "poke": _nudge, "remind": _nudge,
    "mute": _mute, "unmute": _mute, "block": _block, "unblock": _block, "leave": _leave, "name": _name_is,
}  # fmt: skip

_SHOW_FILL = words(
    """
    what what's whats which is are do does did i i've my me the in on of a at show see tell give can could you we
    us u they now right have has got current currently get let want to look check how many much please so far our their
    everyone's there it and left still view list know need remind be would like all new again card any player
    players game for today
    """
)
_TOPICS = {
    "hand": "hand", "cards": "hand", "holding": "hand",
    "table": "table", "board": "table", "deck": "table", "stock": "table", "status": "table",
    "score": "score", "scores": "score", "points": "score", "winning": "score", "ahead": "score", "standings": "score", "leading": "score",
    "turn": "who", "pile": "pile", "discards": "pile", "melds": "melds", "sets": "melds", "down": "melds",
    "games": "games", "options": "options", "hint": "hint", "moves": "hint", "rules": "rules", "commands": "commands", "top": "pile",
}  # fmt: skip
_FIRST = ("commands", "rules", "score", "who", "melds", "pile", "games", "options", "hint", "table", "hand")
_QUESTION = re.compile(
    r"^(?:what|what's|whats|which|who|who's|whos|whose|how|show|see|tell|give|can|could|let|is|are|do|check|view|list|look|our|i|where|where's|when|remind|send)\b"
)


def _patterns(said: Said) -> Command | None:
    """Natural ways to say the rest."""
    text, low, stage, names = said.text, said.key, said.stage, said.names
    if len(low) > 120:
        return None
    if (
        re.search(r"\b(?:re-?)?join(?:ing)?\b|\blet me (?:back )?in\b|\badd me to\b|\bput me in\b", low)
        and len(low) < 90
    ):
        command = join(said)
        if command is not None and (
            command.args.get("code")
            or low.startswith(("i want to join", "i'd like to join", "can i join", "i would like to join"))
        ):
            return command
    if (
        re.search(r"\bnew\b.*\b(?:game|table)\b|\b(?:start|create|open|host|play|set up|setup)\b", low)
        and len(low) < 100
    ):
        command = new(said)
        if command is not None:
            return command
    if re.fullmatch(r"(?:please )?(?:turn |set |switch )?(?:my )?auto(?:-?play)? (?:to )?(on|off)", low):
        return Command("auto", {"value": low.rsplit(" ", 1)[1]})
    if re.match(r"(?:my name is|my name's|call me|change my name|set my name|change name|rename me|set name)\b", low):
        return _name_is(said)
    if stage in ("none", "open"):
        named = re.fullmatch(r"(?:i'm|i am|im|this is|it's|its|it is) ([a-z]{2,12})", low)
        if (
            named
            and named[1]
            not in (
                "in",
                "on",
                "ready",
                "here",
                "back",
                "away",
                "done",
                "out",
                "fine",
                "good",
                "sorry",
                "me",
                "not",
                "new",
                "lost",
                "busy",
                "late",
                "driving",
            )
            and named[1] not in setting_up.NO_ONES
            and not named[1].endswith("ing")
        ):
            return Command(
                "name", {"name": clean_name(rest_of(text, "i'm", "i am", "im", "this is", "it's", "its", "it is"))}
            )
    if re.match(r"(?:set |change )?(?:my )?(?:time ?zone|zone)\b", low):
        return Command("zone", {"value": re.sub(r"^(?:to|is|as)\s+", "", rest_of(text, "time ?zone", "zone"))})
    if re.match(
        r"(?:how (?:do|does|to|can|many|much|is|are|often)|what (?:are|is|do|does|counts?)|what's|whats|when (?:can|do|does|is)|explain|tell me|remind me|can you explain|show)\b",
        low,
    ):
        if re.search(r"\brules?\b", low):
            return _rules(said)
        topic = re.fullmatch(
            r"(?:how (?:do|does|to|can)|explain|when can|when do) (?:i|you|we|the|a|an|it|my)?\s*(.+)", low
        )
        if (
            topic
            and len(topic[1].split()) <= 6
            and not set(topic[1].split()) & {"say", "text", "feel", "know", "you", "think"}
        ):
            about = " ".join(_TOPIC_NOISE.sub(" ", topic[1]).split())
            if about:
                return Command("rules", {"topic": about})
        worth = re.fullmatch(
            r"(?:how (?:much|many points) (?:is|are|does|do)|what(?:'s| is| are)(?!.* score)) (?:a |an |the )?(.+?) (?:worth|count|score)s?(?: for)?",
            low,
        )
        if worth and len(worth[1].split()) <= 4:
            return Command("rules", {"topic": "scoring"})
    if re.fullmatch(r"(?:[a-z]+ ){1,2}rules", low) or re.match(
        r"(?:the |your |some |any |a few )*(?:game |card |table )?rules? (?:(?:please|pls) )?(?:for|about|on|of|when|to)\b",
        low,
    ):
        return _rules(said)
    if stage == "open" and low in (
        "start",
        "start dealing",
        "start the cards",
        "start us off",
    ):  # START alone is the carrier's
        return Command("deal", {})
    asked = _WOULD_YOU.match(text)
    if asked is not None:
        command = read_command(text[asked.end() :], stage, names, said.game)
        if command is not None and command.name in questions.SEEN:
            return command
    if stage == "open" and "deal" in low and all(word in _TO_DEAL for word in low.split()):
        return Command("deal", {})
    if re.search(r"\b(?:bots?|computers|robots)\b", low):
        return _bots(said)
    if re.match(r"why\b", low) and len(low.split()) <= 10:
        return Command("why", {})
    if _QUESTION.match(low):
        words = low.split()
        low_names = {name.casefold() for name in names} | {name.casefold() + "'s" for name in names}
        topics: list[str] = []
        for word in words:
            if word in _TOPICS:
                topics.append(_TOPICS[word])
            elif word not in _SHOW_FILL and word not in low_names:
                return None
        if topics and len(words) <= 10:
            about_others = any(
                word in low_names or word in ("they", "their", "everyone's", "player", "players") for word in words
            )
            for shown in _FIRST:
                if shown in topics:
                    return Command("table" if shown == "hand" and about_others else shown, {})
    return None
