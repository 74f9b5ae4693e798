"""Commands that are no moves: `new damn 500`, `who's turn is it`, `join kf7 as bea`.

What shows something is understood from a topic word among words that say nothing; what changes something only from
phrases that are listed, or from its own word in front.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine import registry
from engine.game import Game, rules_of
from service.text.lexicon import near_word, words
from service.text.phrases import WHOLE


@dataclass(frozen=True)
class Command:
    """A command and its arguments, all as text.

    new: game (the registry's name, or what was written), options (`name=value` words), unknown (words not understood);
    join: code, name; bots: n (a number, `off`, or not there: fill all seats); rules: topic; say: text; mute, nudge: name,
    off; away: until; quiet, zone: value; name: name; auto, updates: value; table: code; hint: about (a verb).
    """

    name: str
    args: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.name, *(value for value in self.args.values() if value)])


class Said(NamedTuple):
    """A clause that may be a command: its words as written, the same folded, and from where it comes."""

    text: str
    key: str
    stage: str
    names: tuple[str, ...]
    game: Game | None


_WORD = re.compile(r"[^\W_]+(?:['_.-][^\W_]+)*|[?]")
_POLITE = words(
    """
    please pls plz plse thanks thx ty thank you u ok okay then now just so hey hi hello well um uh hmm lol also
    and again guys everyone all everybody
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
def _key(text: str) -> str:
    """The words of a clause, lower case, without politeness before and after and without marks."""
    words = _WORD.findall(text.casefold())
    if "?" in words and len(words) > 1:
        words = [word for word in words if word != "?"]
    while len(words) > 1 and words[0] in _POLITE and words[0] not in ("again",):
        words = words[1:]
    while (
        len(words) > 1
        and (words[-1] in _POLITE or words[-1] in ("tho", "though", "for", "me"))
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
    key = _key(text)
    found = _EXACT.get(key)
    if found is not None:
        if key == "again" and stage == "playing":
            return None
        return Command(found[0], dict(found[1]))
    said = Said(text, key, stage, names, game)
    reader = _LED.get(key.split(" ", 1)[0])
    if reader is not None:
        command = reader(said)
        if command is not None:
            return command
    return _patterns(said)


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
    key = _key(text)
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

# Commands with arguments

_TAIL = re.compile(r"[\s,]+(?:please|pls|plz|thanks|thx|thank you|ty)[\s.!]*\Z", re.IGNORECASE)


def _rest(text: str, *leads: str) -> str:
    """What of the text follows the first of these leading phrases."""
    for lead in leads:
        match = re.search(rf"\b{lead}\b[\s:,=-]*", text, re.IGNORECASE)
        if match:
            return _TAIL.sub("", text[match.end() :]).strip(" \t\n.!,;:")
    return ""


_NOT_CODES = words(
    """
    the a an game table my me us in us please as code with now at up here you bot bots new team
    """
)
_JOIN = re.compile(
    r"(?:\b(?:join(?:ing)?|sit(?: down)?(?: at)?|enter|let me in(?:to)?|add me to|put me in(?:to)?|deal me in(?:to)?|get me in(?:to)?)\b)"
    r"(?:[\s:,#-]+(?:the|a|game|table|code|number|no|in|to|at|please|is)\b)*[\s:,#.\"'-]*(?P<code>[a-z0-9]{3,5}\b)?(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_NOT_JOINING = re.compile(
    r"\b(?:not|don't|dont|did|didn't|can't|cannot|if|when|should|will|who|how|why|has|have|he|she|they|we)\b",
    re.IGNORECASE,
)
_AS = re.compile(
    r"[\s,.;:\"'-]*(?:(?:please|game|table|and)[\s,]+)*(?:as|name(?:'s)? is|name|my name(?:'s| is)|i'm|im|i am|this is|it's|its|it is|me|called|call me|under|for|with(?: the)? name)?"
    r"(?:[\s:,]+(?:as|my name is|name|i'm|im|called))?[\s:,\"'-]+",
    re.IGNORECASE,
)


def _name(text: str) -> str:
    text = _TAIL.sub("", " " + text).strip()
    text = re.sub(r"^(?:please|thanks|pls)\b[\s,]*", "", text, flags=re.IGNORECASE)
    return text.strip(" \t\n.!,;:\"'()")[:40]


def _join(said: Said) -> Command | None:
    match = _JOIN.search(said.text)
    if match is None or _NOT_JOINING.search(said.text[: match.start()]):
        return None
    code, rest = match["code"] or "", match["rest"] or ""
    if code.casefold() in _NOT_CODES:
        return Command("join") if len(said.key) < 30 else None
    if not code:
        word = rest.strip(" .,!?;:#-\"'")
        if not word:
            return Command("join")
        if word.isalnum() and len(word) <= 12 and any(map(str.isdigit, word)):
            return Command("join", {"code": word.upper()})  # too long or too short for a code: the answer says so
        return None
    name = _name(_AS.sub("", " " + rest, count=1) if _AS.match(" " + rest) else rest) if rest else ""
    if len(name.split()) > 3:
        return None
    return Command("join", {"code": code.upper()} | ({"name": name} if name else {}))


_NEW_NOISE = words(
    """
    a an the game table of new round please pls for us me my with and to play at called on in up set target=
    target: points
    """
)


def _game_in(words: list[str]) -> tuple[str, list[str], list[str]]:
    """The game that some of the words name, the words before it and those behind it."""
    for start in range(min(len(words), 8)):
        for size in range(min(5, len(words) - start), 0, -1):
            found = registry.find("".join(words[start : start + size]))
            if found is not None:
                return found.name, words[:start], words[start + size :]
    names = registry.names()
    for start in range(min(len(words), 8)):
        for size in range(min(4, len(words) - start), 0, -1):
            squeezed = "".join(filter(str.isalnum, "".join(words[start : start + size])))
            if len(squeezed) < 4 or squeezed in _NEW_NOISE or "=" in "".join(words[start : start + size]):
                continue
            best = process.extractOne(squeezed, names, scorer=OSA.distance, score_cutoff=1 if len(squeezed) < 8 else 2)
            if best is not None:
                found = registry.find(str(best[0]))
                if found is not None:
                    return found.name, words[:start], words[start + size :]
    return "", words, []


def read_options(words: list[str], game: Game | None) -> tuple[dict[str, str], list[str]]:
    """House rules as people write them: `500`, `target=500`, `target 500`, `stock out reshuffle`; and what is none."""
    known = [rule.name for rule in rules_of(game.Options)] if game is not None else []
    options: dict[str, str] = {}
    unknown: list[str] = []
    i = 0
    while i < len(words):
        word = words[i].strip(",;.")
        i += 1
        if not word or word == "=":
            continue
        name, eq, value = word.partition("=") if "=" in word else word.partition(":")
        if eq:
            if not value and i < len(words):
                value, i = words[i].strip(",;."), i + 1
            options[name.replace("-", "_")] = value
            continue
        if i < len(words) and words[i].startswith("=") and words[i] not in ("==",):
            value = words[i][1:].strip(",;.")
            i += 1
            if not value and i < len(words):
                value, i = words[i].strip(",;."), i + 1
            options[word.replace("-", "_")] = value
            continue
        if re.fullmatch(r"[+-]?\d{1,7}", word):
            options.setdefault("target", word)
            continue
        for size in range(5, 0, -1):
            said = "_".join(part.strip(",;.") for part in words[i - 1 : i - 1 + size]).replace("-", "_")
            if said in known:
                i += size - 1
                while i < len(words) and words[i] in ("is", "to", "of", "at", "be", "=", ":"):
                    i += 1
                value = words[i].strip(",;.") if i < len(words) else ""
                if value == "end" and i + 1 < len(words) and words[i + 1].startswith("round"):
                    value, i = "end_round", i + 1
                i += 1
                options[said] = {"yes": "on", "true": "on", "no": "off", "false": "off"}.get(value, value)
                break
        else:
            if word not in _NEW_NOISE:
                unknown.append(word)
    return options, unknown


_NEW = re.compile(
    r"^(?:(?:i(?: would|'d)? ?(?:want to|wanna|like to|will|'ll)|let's|lets|let us|can (?:we|i|you)|could (?:we|i|you)|please|wanna|want to|we want to|i'll)\s+)*"
    r"(?:new\b|(?:start|create|open|make|begin|host|set up|setup|launch)\s+(?:me\s+)?(?:a |an |the |another )?(?:new )?(?:game|table|round)?\b|play\b)",
    re.IGNORECASE,
)


def _new(said: Said) -> Command | None:
    match = _NEW.match(said.text.strip())
    if match is None:
        return None
    low = said.text.casefold().strip(" .!?")
    words = [word.strip(",;.!?") if "=" not in word else word for word in re.split(r"[\s,;]+", low[match.end() :])]
    words = [word for word in words if word]
    said_new = bool(re.search(r"\bnew\b", match[0], re.IGNORECASE))
    name, before, after = _game_in(words)
    if not said_new:
        noun = re.search(r"\b(?:game|table)\b", match[0], re.IGNORECASE)
        if not name and not noun:
            return None
        if match[0].casefold().split()[-1] == "play" and said.stage not in ("none", "over"):
            return None
        if any(word not in _NEW_NOISE for word in before) and name:
            return None
    if not name:
        # perhaps only options, perhaps a game that we do not have
        given = [word for word in words if word not in _NEW_NOISE]
        lead = []
        while given and "=" not in given[0] and not re.fullmatch(r"[+-]?\d+", given[0]):
            lead.append(given.pop(0))
        if said_new and lead and (_unlikely(lead) or len(lead) > 3 or not all(word.isalnum() for word in lead)):
            return None
        options, unknown = read_options(given, None)
        name, spoken = " ".join(lead), ""
    else:
        found = registry.find(name)
        options, unknown = read_options([*before, *after], found)
        spoken = name
        if len(unknown) > 6 or _unlikely(unknown):
            return None
    args = {"game": spoken or name} if (spoken or name) else {}
    if options:
        args["options"] = " ".join(f"{rule}={value}" for rule, value in options.items())
    if unknown:
        args["unknown"] = " ".join(unknown)
    return Command("new", args)


def _unlikely(words: list[str]) -> bool:
    """Words that make a sentence of it rather than the name of a game."""
    return any(
        word
        in (
            "is",
            "was",
            "are",
            "year",
            "phone",
            "number",
            "i",
            "you",
            "he",
            "she",
            "not",
            "don't",
            "if",
            "have",
            "has",
            "card",
            "cards",
            "hand",
        )
        for word in words
    )


def _bots(said: Said) -> Command | None:
    match = re.fullmatch(
        r"(?:add|fill|fill up|with|need|use|i want|want|give me|give us|bring in|put in|play with|play against|get)?\s*(?:with\s+)?(?:bots?\s+(?P<b>\w+)|(?P<a>\w+)\s+(?:more\s+)?(?:ro)?bots?)(?:\s+in)?",
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
    if len(topic.split()) > 6 or re.search(r"\b(?:said|says|hate|stupid|not|don't|dont|broke|against|bea)\b", topic):
        return None
    return Command("rules", {"topic": topic} if topic else {})


def _valued(name: str, arg: str, *leads: str, most: int = 60) -> Callable[[Said], Command | None]:
    def read(said: Said) -> Command | None:
        value = _rest(said.text, *leads)
        if len(value) > most:
            return None
        return Command(name, {arg: value} if value else {})

    return read


def _away(said: Said) -> Command | None:
    until = re.sub(r"^(?:until|till|til|'til|for)\s+", "", _rest(said.text, *_GONE), flags=re.IGNORECASE)
    return Command("away", {"until": until} if until else {}) if len(until) <= 40 else None


def _options(said: Said) -> Command | None:
    return (
        Command("options", {"about": _rest(said.text, "options", "option", "settings")}) if len(said.key) < 40 else None
    )


def _nudge(said: Said) -> Command | None:
    who = _rest(said.text, "nudge", "poke", "remind")
    if not who or len(who) > 20 or len(who.split()) > 2 or who.casefold() in ("me",):
        return None
    return Command("nudge", {"name": who})


def _mute(said: Said) -> Command | None:
    who = _rest(said.text, "unmute", "mute")
    if len(who.split()) > 2:
        return None
    args = {"name": who} if who else {}
    return Command("mute", args | ({"off": "off"} if said.key.startswith("unmute") else {}))


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


def _name_is(said: Said) -> Command | None:
    name = _rest(
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
    name = re.sub(r"^(?:to|as|is)\s+", "", name)
    if not name or len(name.split()) > 3:
        return None
    return Command("name", {"name": _name(name)})


_GONE = ("away", "gone", "out of town", "vacation", "holiday")
_LED: dict[str, Callable[[Said], Command | None]] = {
    "new": _new, "start": _new, "create": _new, "open": _new, "make": _new, "begin": _new, "host": _new, "play": _new, "launch": _new, "setup": _new, "let's": _new, "lets": _new,
    "join": _join, "joining": _join, "sit": _join, "enter": _join,
    "bots": _bots, "bot": _bots, "add": _bots, "fill": _bots, "with": _bots,
    "rules": _rules, "rule": _rules,
    "away": _away,
    "zone": _valued("zone", "value", "zone"), "timezone": _valued("zone", "value", "timezone"), "tz": _valued("zone", "value", "tz"),
    "quiet": _valued("quiet", "value", "quiet hours", "quiet time", "quiet"),
    "updates": _valued("updates", "value", "updates", most=20), "update": _valued("updates", "value", "update", most=20),
    "options": _options, "option": _options, "settings": _options,
    "nudge": _nudge, "poke": _nudge, "remind": _nudge,
    "mute": _mute, "unmute": _mute, "leave": _leave, "name": _name_is,
}  # fmt: skip

_SHOW_FILL = words(
    """
    what what's whats which is are do does did i i've my me the in on of a at show see tell give can could you we
    us now right have has got current currently get let want to look check how many much please so far our their
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
    if re.search(r"\bjoin(?:ing)?\b|\blet me in\b|\badd me to\b|\bput me in\b", low) and len(low) < 90:
        command = _join(said)
        if command is not None and (
            command.args.get("code")
            or low.startswith(("i want to join", "i'd like to join", "can i join", "i would like to join"))
        ):
            return command
    if re.search(r"\bnew\b.*\b(?:game|table)\b|\b(?:start|create|open|host|play)\b", low) and len(low) < 100:
        command = _new(said)
        if command is not None:
            return command
    if re.fullmatch(r"(?:please )?(?:turn |set |switch )?(?:my )?auto(?:-?play)? (?:to )?(on|off)", low):
        return Command("auto", {"value": low.rsplit(" ", 1)[1]})
    if re.match(r"(?:my name is|my name's|call me|change my name|set my name|change name|rename me|set name)\b", low):
        return _name_is(said)
    if stage in ("none", "open"):
        named = re.fullmatch(r"(?:i'm|i am|im|this is|it's) ([a-z]{2,12})", low)
        if named and named[1] not in (
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
        ):
            return Command("name", {"name": _name(_rest(text, "i'm", "i am", "im", "this is", "it's"))})
    away = re.match(
        r"(?:i'm|i am|im|i'll be|i will be|i am going|going|i'll go|set me|mark me|be) (?:going )?(?:away|gone|out of town|on vacation|on holiday)\b",
        low,
    )
    if away:
        return _away(said)
    if re.match(r"(?:set |change )?(?:my )?(?:time ?zone|zone)\b", low):
        return Command("zone", {"value": re.sub(r"^(?:to|is|as)\s+", "", _rest(text, "time ?zone", "zone"))})
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
            r"(?:how (?:much|many points) (?:is|are|does|do)|what(?:'s| is| are)) (?:a |an |the )?(.+?) (?:worth|count|score)s?(?: for)?",
            low,
        )
        if worth and len(worth[1].split()) <= 4:
            return Command("rules", {"topic": "scoring"})
    if re.fullmatch(r"(?:[a-z]+ ){1,2}rules", low):
        return _rules(said)
    if re.search(r"\bbots?\b", low):
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
                word in low_names or word in ("their", "everyone's", "player", "players") for word in words
            )
            for shown in _FIRST:
                if shown in topics:
                    return Command("table" if shown == "hand" and about_others else shown, {})
    return None
