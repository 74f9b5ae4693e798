"""Opening a table and sitting down: `new damn 500`, `i want to join kf7 as bea`."""

import re

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine import registry
from service.text import codes, company, house_words, pacing
from service.text.lexicon import WORDS, words
from service.text.request import TAIL, Command, Said

_NOT_CODES = words(
    """
    the a an game table my me us in us please as code with now at up here you bot bots new team
    """
)
_JOIN = re.compile(
    r"(?:\b(?:(?:re-?)?join(?:ing)?|sit(?: down)?(?: at)?|enter|let me (?:back )?in(?:to)?|add me to|put me in(?:to)?|deal me in(?:to)?|get me in(?:to)?)\b)"
    r"(?:[\s:,#-]+(?:the|a|game|table|code|number|no|in|to|at|please|is|me|us|up)\b)*[\s:,#.\"'-]*(?P<code>[a-z0-9]{3,5}\b)?(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_BY_CODE = re.compile(
    r"\bjoin(?:ing)?\b[^.!?\n]*?\bcode\b(?: is|[:#])* *(?P<code>(?=[a-z]*\d)[a-z0-9]{3,5})[\s.!]*(?:please|thanks|thank you)?[\s.!]*\Z",
    re.IGNORECASE,
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


def clean_name(text: str) -> str:
    text = TAIL.sub("", " " + text).strip()
    text = re.sub(r"^[\s,.!]*(?:(?:please|thanks|thank you|pls)\b[\s,.!]*)+", "", text, flags=re.IGNORECASE)
    return text.strip(" \t\n.!,;:\"'()")[:40]


def join(said: Said) -> Command | None:
    coded = _BY_CODE.search(said.text)
    if coded is not None and len(said.key) < 80 and not _NOT_JOINING.search(said.text[: coded.start()]):
        return Command("join", {"code": coded["code"].upper()})
    match = _JOIN.search(said.text)
    if match is None or _NOT_JOINING.search(said.text[: match.start()]):
        return None
    if re.search(r"\b(?:scam|spam|sent me|legit)\b", said.text, re.IGNORECASE):
        return None  # somebody asks about an invitation
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
    name = clean_name(_AS.sub("", " " + rest, count=1) if _AS.match(" " + rest) else rest) if rest else ""
    name = re.sub(r" +(?:here|speaking)$", "", name, flags=re.IGNORECASE).replace(" & ", " and ")
    if codes.NO_NAME.fullmatch(rest.strip(" ,.!")) or codes.NO_NAME.fullmatch(name):
        name = ""
    if len(name.split()) > 3:
        return None
    return Command("join", {"code": code.upper()} | ({"name": name} if name else {}))


_CODE_ALONE = re.compile(
    r"\W*(?:(?:hi|hello|hey)\b[\s,.!]*)?(?:[^\n]{0,40}\bcode\b(?: is|'s)?[\s:#]*|(?:table|game)\s+)?"
    r"(?![TJQKA][SHDC])(?P<code>[BCDFGHJKMNPRSTVXYZ]{2}[2345679][A-Z2-9]{0,2})\b(?P<rest>(?:[\s,.:;-]+[^\W\d_][^\n\d]{0,30})?)\Z",
    re.IGNORECASE,
)


_NO_NAMES = words(
    """
    hand table score pile melds who hint deal bots options rules undo rematch why say leave plan nudge games link look
    cut rummy finish expose bid nil blind low high follow status stats commands cards
    """
)


def code_alone(text: str) -> Command | None:
    """`KF7`, `kf7 Bea`, `hi, the code is kf7`: from somebody who sits nowhere it can only be meant as JOIN."""
    match = _CODE_ALONE.match(text.strip(" .!"))
    if match is None or _NOT_JOINING.search(text):
        return None
    rest = match["rest"]
    name = clean_name(_AS.sub("", f" {rest}", count=1)) if rest else ""
    name = re.sub(r" +(?:here|speaking)$", "", name, flags=re.IGNORECASE)
    if len(name.split()) > 1 or name.casefold() in _NO_NAMES or name.casefold() in WORDS:
        return None
    return Command("join", {"code": match["code"].upper()} | ({"name": name} if name else {}))


_MARKED = re.compile(
    r"\W*(?:please )?join(?:\s+(?:table|game))?[\s:#]+([a-z0-9]{3,5})\b(?P<rest>[^\n]*)\W*\Z", re.IGNORECASE
)


def join_unmarked(text: str) -> Command | None:
    """`join kf7 as <b>moe</b>`: a JOIN in what no person writes. The name without its markup, or none where none is left."""
    plain = re.sub(r"</?[a-z][^<>]{0,40}>", " ", text, flags=re.IGNORECASE)
    match = _MARKED.match(plain)
    if match is None or match[1].casefold() in _NOT_CODES:
        return None
    rest = match["rest"]
    said = clean_name(_AS.sub("", f" {rest}", count=1) if _AS.match(f" {rest}") else rest)
    name = "-".join(re.findall(r"[^\W_][\w'-]*", said.replace("_", " ")))
    args = {"name": name} if len(name) <= 12 and re.search(r"[^\W\d_]", name) else {}
    return Command("join", {"code": match[1].upper()} | args)


_NEW_NOISE = words(
    """
    a an the game table of new round please pls for us me my with and to play at called on in up set target=
    target: points
    """
)


def _game_in(said: list[str]) -> tuple[str, list[str], list[str]]:
    """The game that some of the words name, the words before it and those behind it.

    A number names a game only in front: in `new damn 500` it is the target.
    """
    exact = [(start, size) for start in range(min(len(said), 8)) for size in range(min(5, len(said) - start), 0, -1)]
    names = registry.names()
    for start, size in exact:
        if start and said[start].isdigit():
            continue
        if (found := registry.find("".join(said[start : start + size]))) is not None:
            return found.name, said[:start], said[start + size :]
    for start, size in exact:
        squeezed = "".join(filter(str.isalnum, "".join(said[start : start + size])))
        if (
            len(squeezed) < 4
            or squeezed in _NEW_NOISE
            or squeezed.isdigit()
            or "=" in "".join(said[start : start + size])
        ):
            continue
        best = process.extractOne(squeezed, names, scorer=OSA.distance, score_cutoff=1 if len(squeezed) < 8 else 2)
        found = registry.find(str(best[0])) if best is not None else None
        if found is not None:
            return found.name, said[:start], said[start + size :]
    return "", said, []


def _values(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """`name=value` words and a number, where no game is known to say which house rules there are; and what is neither."""
    options: dict[str, str] = {}
    unknown: list[str] = []
    for word in words:
        name, eq, value = word.partition("=")
        if eq:
            options[name.replace("-", "_")] = value
        elif re.fullmatch(r"[+-]?\d{1,7}", word):
            options.setdefault("target", word)
        elif word not in _NEW_NOISE:
            unknown.append(word)
    return options, unknown


_NEW = re.compile(
    r"^(?:(?:(?:i|we|me and (?:my|the) \w+|(?:my|the) \w+ and (?:i|me)|all of us)(?: would|'d)?(?: all)? ?(?:want to|wanna|like to|love to|will|'ll)|let's|lets|let us|can (?:we|i|you)|could (?:we|i|you)|please|wanna|want to|i'll|ok|so)\s+)*+"
    r"(?:new\b|(?:start|create|open|make|begin|host|set up|setup|launch)\s+(?:me\s+)?(?:a |an |the |another )?(?:new )?(?:game|table|round)?\b|play\b)",
    re.IGNORECASE,
)


_COUNTS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12",
}  # fmt: skip


def _players(words: list[str]) -> tuple[list[str], str]:
    """The words without `4 players` (or `for 4`, where nothing more is said of those), and the number."""
    bare = [word.strip(",;.") for word in words]
    for i, word in enumerate(bare):
        before = bare[i - 1] if i else ""
        number = _COUNTS.get(before, before)
        if word in ("players", "player", "people", "persons", "seats", "handed") and re.fullmatch(r"\d{1,2}", number):
            return [*words[: i - 1], *words[i + 1 :]], number
        after = bare[i + 1] if i + 1 < len(bare) else ""
        if word in ("players", "seats") and (number := _COUNTS.get(after, after)) in _COUNTS.values():
            return [*words[:i], *words[i + 2 :]], number
        number, ends = _COUNTS.get(word, word), i + 1 == len(words) or words[i][-1] in ",;."
        if before == "for" and ends and number in _COUNTS.values():
            return [*words[: i - 1], *words[i + 1 :]], number
    return words, ""


def new(said: Said) -> Command | None:
    match = _NEW.match(said.text.strip())
    if match is None:
        return None
    low = said.text.casefold().strip(" .!?")
    others = company.of(low[match.end() :])
    words = re.sub(r"(?<!\d)[,;]|[,;](?!\d{3}\b)", ", ", others.words).split()
    words = [word for word in words if word.strip(",;.!?")]
    clock, words = pacing.read_clock(words)
    words, players = _players(words)
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
        if low.removesuffix("?").split()[-2:] == ["the", "queen"]:  # a card is asked about
            return None
    if not name:
        # perhaps only options, perhaps a game that we do not have
        words = [word if "=" in word else word.strip(",;.") for word in words]
        given = [word for word in words if word not in _NEW_NOISE]
        lead = []
        while given and "=" not in given[0] and not re.fullmatch(r"[+-]?\d+", given[0]):
            lead.append(given.pop(0))
        if said_new and lead and (_unlikely(lead) or len(lead) > 3 or not all(word.isalnum() for word in lead)):
            return None
        options, unknown = _values(given)
        name, spoken = " ".join(lead), ""
        said_too = {}
    else:
        found = registry.find(name)
        assert found is not None, "a name that was found"
        rules = house_words.read(" ".join([*before, ",", *after]), found)
        options, unknown = rules.options, rules.unknown
        spoken = name
        said_unknown = " ".join(unknown).split()
        if len(said_unknown) > 6 or _unlikely(said_unknown):
            return None
        said_too = {"clash": rules.clash, "aside": rules.aside}
    args = {"game": spoken or name} if (spoken or name) else {}
    if options:
        args["options"] = " ".join(f"{rule}={value}" for rule, value in options.items())
    if not players and others.alone and others.bots != company.ALL and name:
        fitting = registry.named(name).seats
        players = str(int(others.bots) + 1) if int(others.bots) + 1 in fitting else ""
    if players:
        args["players"] = players
    if others.bots and name:
        args["bots"] = others.bots
    if clock:
        args["clock"] = " ".join(clock)
    if unknown:
        args["unknown"] = ", ".join(unknown)
    return Command("new", args | {key: value for key, value in said_too.items() if value})


def more_rules(head: str, tail: str) -> bool:
    """Whether words behind the opening of a table are house rules of its game, and nothing else."""
    if _NEW.match(head.strip()) is None:
        return False
    words = re.sub(r"[,;]", " ", head.casefold().strip(" .!?"))
    name = _game_in(words.split()[1:] if words.startswith("new") else words.split())[0]
    game = registry.find(name) if name else None
    if game is None:
        return False
    rules = house_words.read(tail, game)
    return bool(rules.given or rules.aside) and not rules.unknown


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
