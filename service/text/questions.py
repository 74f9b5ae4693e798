"""Questions about the game in a player's own words: what is wild, what a card counts, when it is whose turn, who did what.

Each is answered by a command that shows something. None of them changes anything, so what is only nearly such a question
may be answered, too.
"""

import re

from service.text.lex import meaning
from service.text.lexicon import words
from service.text.request import BY_ROUND, Command, Said

_ASKING = words("what whats what's which is are do does how any tell remind show so and are there who whats'")
_FILL = words(
    """
    i what whats what's which is are be was the a an any one ones card cards rank ranks number suit in on of this that round
    most least highest lowest best biggest game hand table deck pack time hour actually now today tonight currently for us we here again there do does have has got get if so tell me
    remind show and or it its it's they count counts as all how many much be at use used play playing called right dear more less extra anything double just only or
    """
)
_WILD = words("wild wilds wildcard wildcards")
_WILD_ALONE = frozenset((*_WILD, "wild card", "wild cards"))
_WORTH = words("worth bonus penalty value values valued count counts counted score scores scored points point much")
_COUNTS = words(
    "trick tricks bag bags nil moon pig sheep goat transformer going out meld melds set sets run runs overtrick overtricks"
)
_NAMES = r"(?:he|she|they|everyone|everybody|everyone else|anyone|anybody|someone|the others?|others|the rest|my partner|my opponents?|partner|{names})"
_MY_TURN = re.compile(
    r"(?:do you know |tell me )?(?:when|when's|whens|how (?:long|soon|many (?:turns|players|people)))(?: (?:is|it's|its|will|would|does|do|are|until|untill|till|til|before|to|left|there|it|i|be|get|come(?: up)?|become|again))*"
    r" (?:my (?:next )?(?:turn|go|move)|(?:i|me|am i) (?:up|on|next|play|go|move)|i(?:'m| am) (?:up|on|next)|me|i (?:get|have) to (?:play|go|move)|i play|i go)"
    r"(?: (?:is|comes?|be|again|next|now|up|around|going to be))*"
)
_PARTNER = re.compile(
    r"(?:who|who's|whos|which one|remind me who|tell me who)(?: (?:is|are|am|did|do|have|has|i|we|my|our|get|got|paired|playing|partnered|teamed|up|with|for|as|a|the|on|in))*"
    r" (?:partners?|team ?mates?|team|side|with|opponents?)(?: (?:again|now|is|are|this time|here))*"
)
_DEEDS = (
    r"(?:do|did|done|doing|play|played|playing|discard|discarded|throw|threw|thrown|toss|tossed|lay|laid|pick up|picked up|take|took|taken|lead|led|pass|passed|bid|bidding"
    r"|draw|drew|drawn|dump|dumped|put|add|added|lead with|led with|start with|go out|get rid of|show|showed|shown|expose|exposed)"
)
_TAIL = r"(?: (?:last|just|now|then|already|yet|down|up|away|out|on|in|the|this|that|his|her|their|turn|time|round|hand|trick|pile|me|to|us|with|it|card|cards|first))*"
_LOST = re.compile(
    r"(?:sorry |ok |hi |help )*(?:(?:i |we )?(?:really |still |just )?(?:do not|don't|dont|can't|cant|cannot|can not) (?:really |quite )?(?:understand|know|remember|recall|get|follow|figure out)|i(?:'ve| have)? ?(?:forgot|forgotten|forget)|not sure about|i'm not sure of|explain to me|teach me)"
    r"(?: (?:the|these|this|how|to|play|rules?|game|it|works?|of|any|all|at|anymore|again|is|played|you|we|do|me|card))+|i(?:'m| am) (?:so |very |a bit |totally )?(?:confused|lost)(?: (?:about|by|with|on) (?:the|these|this) (?:rules|game))?"
)
_TO_WIN = re.compile(
    r"(?:how many|how much|what|what's|whats|to how many|up to what|how high)(?: (?:points?|score|are|do|does|is|the|we|you|i|it|one|need|needs|needed|have|has|total|target|playing|play|get))*"
    r" (?:to win|wins(?: the game| it)?|we play(?:ing)? (?:to|for|until)|play(?:ing)? (?:to|for|until|till)|target(?: score)?|going to|to|winning score)(?: (?:is|now|again|the game|here|points?))*"
    r"|(?:when|how) (?:does|will|do) (?:the|this) game (?:end|finish|be over|stop)|how long is (?:the|this|a) game|what(?:'s|s| is)(?: the)? (?:target|goal|winning score)(?: score)?|when (?:is|does) (?:it|the game|this game) (?:over|end|done|finish|finished)"
)
_SEEING = re.compile(
    r"(?:(?:please )?(?:can|could|may|might|would|will) (?:i|we|you)(?: please)?(?: just)? (?:see|get|have|repeat|resend|re-send|read me|read out|read|say|pull up|bring up|show me|show us|tell me|tell us|send me|send us|look at|check|view|know|remind me of|remind me|give me|give us|list|text me)"
    r"|i(?:'d| would)? (?:want|like|need|wanna) (?:to )?(?:see|know|look at|check|view|get)|i wanna (?:see|know)|i'm trying to see|let me (?:see|look at|check|view)|please (?:show|tell|send|give|list|remind)(?: me| us)?"
    r"|where (?:can|do|could|would|should) (?:i|we) (?:see|find|read|look up|look at|check|get)|where (?:is|are)|where's|(?:i )?need (?:some )?help (?:with|on|understanding)|help(?: me)? with|i need|bring up|pull up|(?:i )?(?:can't|cannot|cant) (?:see|find)|(?:i )?(?:didn't|didnt|never|did not) (?:get|see|receive)|i(?:'ve| have)? (?:lost|deleted)|where did|repeat|resend|read me|read out|remind me(?: of)?|do you know|any idea|tell me|show me|text me|just (?:show|tell|send) me)(?: again)? (?P<what>.+?)(?: (?:right now|so far|again|once more|one more time|at the moment|are|is|go|yet|anymore))*"
)
SEEN = frozenset(
    ("hand", "table", "score", "pile", "melds", "who", "games", "rules", "options", "hint", "why", "commands", "invite")
)
_BOT_PLAYS = re.compile(
    r"(?:(?:please|can|could|may|i want|i'd like|i would like|have|let|make|get|ask|is|it|possible|ok|sorry|hi|you|will|would|for|a way|there|set|put)\b ?)*"
    r"(?:to )?(?:have |let )?(?:the |a |my |your |one of the |some )?(?:bots?|robots?|computers?|machines?|ai|app|system)(?: please)?(?: to| can| could| should| will)?"
    r" (?:play|take|takes?|do|does|fill|sit|cover|handle|finish|stand|go|run)(?: (?:over|it|this|that|my|the|for|me|us|turns?|go|moves?|hands?|cards?|seat|spot|place|round|game|on|in|from here|now|instead|today|please|a|while|out|rest|of|while i'm away|while i am away|while i'm gone))*"
    r"(?: (?:until|till|til|for|while|when|on)\b.{0,30})?"
    r"|(?:can|could|will|would) (?:you|someone|somebody) (?:please )?(?:play|take over|fill in|sit in)(?: (?:my (?:turns?|hands?|seat|cards)|for me))+(?: (?:until|till|til|for|while)\b.{0,30})?"
    r"|(?:please )?(?:play|take) (?:my (?:turns?|hand|seat|go)|for me|over)(?: (?:for me|please|until.{0,20}|till.{0,20}))*|take over (?:my (?:seat|hand|turn)|for me)(?: please)?|(?:put|sit|set) (?:a|the) bot (?:in|on|at) my (?:seat|place|spot|chair)"
)


def read(said: Said) -> Command | None:
    """The command that answers such a question, or None."""
    key = said.key
    if key.strip(" ?") in _WILD_ALONE and said.game is not None and {"meld", "take"} <= {*said.game.verbs}:
        return _what_is_wild(said)  # where no card is the wild one by itself
    if len(key) > 90 or " " not in key:
        return None
    spoken = key.split()
    return (
        _about_cards(spoken, said)
        or _about_people(key, said)
        or (_how_to(key) if said.game is not None else None)
        or (Command("rules") if _LOST.fullmatch(key) else None)
        or (Command("rules", {"topic": "scoring"}) if said.game is not None and _TO_WIN.fullmatch(key) else None)
        or (Command("standin") if said.stage == "playing" and _BOT_PLAYS.fullmatch(key) else None)
    )


def _about_cards(spoken: list[str], said: Said) -> Command | None:
    """What is wild, what is trump, what a card is worth."""
    wild = any(word in _WILD for word in spoken)
    if spoken[0] not in _ASKING and spoken[-1] != "worth":
        return None
    left = [word for word in spoken if word not in _FILL and word not in _WILD and word not in _WORTH]
    if not all(word in _COUNTS or word in ("trump", "trumps") or _is_card(word) for word in left):
        return None
    worth = any(word in _WORTH for word in spoken)
    cards = wild or ("worth" in spoken and "cards" in spoken) or any(word not in ("trump", "trumps") for word in left)
    if worth and cards and not (wild and not left and "worth" not in spoken and "much" not in spoken):
        return Command("rules", {"topic": "scoring"})
    if wild and len(spoken) > 1:
        return _what_is_wild(said)
    if any(word in ("trump", "trumps") for word in left):
        return Command("rules", {"topic": "trump"})
    return None


def _what_is_wild(said: Said) -> Command:
    by_round = said.game is not None and said.game.name in BY_ROUND
    return Command("table") if by_round else Command("rules", {"topic": "wild"})


def _how_to(key: str) -> Command | None:
    """What must be for a take, a lay, going out; whom one passes to."""
    if re.fullmatch(r"(?:who|whom|where|which way|which direction|to who|to whom)(?: (?:do|does|are|should|am|is|will|did|it|the|my|our))* (?:i|we|cards?|pass|they) ?(?:supposed to )?(?:pass|passing|give|go|going|send)?(?: (?:to|cards?|them|it|these|this time|go|going|my))*", key):  # fmt: skip
        return Command("hint")
    match = re.fullmatch(
        r"(?:what|how|how many|which|when|is there|tell me|do)\b.*?\b(?:to|need|needs|have|take|takes|can|must|do|does|should|required|requirements?|rules?)\b.*?\b(?P<what>pile|pick up|pickup|go out|going out|out|lay down|lay|meld|melds|set|sets|run|runs|discard|lay off|layoff|add)(?: (?:the|a|my|it|down|up|cards?|pile|meld|set|run|with|now|on|to|each turn|every turn|at the end))*",
        key,
    )
    if (
        match is None
        or len(key.split()) > 12
        or re.search(r"\b(?:should i|can i|could i|would you|should we|what can|which card|what card)\b", key)
    ):
        return None
    topics = {
        "pick up": "pile",
        "pickup": "pile",
        "go out": "out",
        "going out": "out",
        "lay down": "meld",
        "lay": "meld",
        "layoff": "lay off",
    }
    return Command("rules", {"topic": topics.get(match["what"], match["what"])})


def _is_card(word: str) -> bool:
    kind = meaning(word, word)[0]
    return kind in ("R", "N", "S") or (kind == "C" and len(word) < 4)


def _about_people(key: str, said: Said) -> Command | None:
    """Whose turn it is, who plays with whom, what somebody has done."""
    if re.fullmatch(
        r"(?:who|who's|whos|which (?:team|side|player|one|pair)s?|what team)(?: is| are)? (?:winning|ahead|leading|in front|losing|behind|last|first|in the lead|on top|best|worst)(?: (?:now|so far|at the moment|right now|this game|currently))*",
        key,
    ):
        return Command("score")
    if re.fullmatch(
        r"how many(?: cards?)? (?:do|have|am) i (?:have|got|hold|holding|left|still have)(?: (?:left|now|in my hand|in hand|at the moment))*",
        key,
    ):
        return Command("hand")
    if re.fullmatch(r"(?:i(?:'ve| have)? )?(?:just |accidentally )?(?:lost|deleted|forgot|forgotten|can't find|cannot find|can't see|don't have|don't see|didn't get) (?:my |the )(?:cards?|hand)(?: text| message)?|(?:how far|by how (?:much|many)) (?:behind|ahead|down|up) (?:are|am|is) (?:we|i)|(?:am|are) (?:i|we) (?:behind|ahead|losing|winning|last|first|doing (?:well|badly|ok))(?: now| yet| still)?", key):  # fmt: skip
        return Command("hand" if re.search(r"cards?|hand", key) else "score")
    if re.fullmatch(r"(?:what|which)(?: cards?)?(?: did| have|'ve)? i (?:just )?(?:draw|drew|drawn|get|got|given|pick(?:ed)? up|take|taken|receive|received|been dealt|dealt)(?: (?:just now|again|last|this time|from .{2,12}|now))*", key):  # fmt: skip
        return Command("hand")
    if _MY_TURN.fullmatch(key) or _PARTNER.fullmatch(key):
        return Command("who")
    who = _NAMES.format(names="|".join(re.escape(name.casefold()) for name in said.names) or "nobody")
    if not re.search(rf"\b(?:{who}|who|whos|what|it|been|was|partner|team|side|i|we|us|you|anybody)\b", key):
        return None
    if re.fullmatch(
        rf"(?:is|has|have|did|are|was|will|does)(?: it)? {who}(?:'s)?(?: (?:still|already|just|even|ever|yet|now|here|there|finally|all|not|even))*"
        r" (?:turn|go|move|thinking|playing|waiting|up|next|on|done|finished|ready|asleep|away|play(?:ed)?|move|moved|go|gone|went|passed|bid|drawn|discarded|had (?:his|her|their) turn|taken (?:his|her|their) turn|here|there|awake|slow|the dealer|dealing)"
        r"(?: (?:yet|already|now|still|their|his|her|cards?|turn|it))*|(?:is|was) it (?:someone|somebody) else's turn|who(?:'s| is|s)? (?:hasn't|hasnt|has not|still has to|has yet to|still needs to|are we|is everyone|is everybody|holding|is holding|is taking|has to)\b.{0,40}"
        rf"|(?:what's|whats|what is|why is) (?:taking|holding) (?:{who}|so|it|us|this|things|things|the game)(?: (?:so )?long| up)?|(?:are|is) (?:you|we|everyone|everybody|it|they|the game) (?:still |all |just |only )*(?:waiting|stuck|held up|holding) (?:for|on|by) (?:me|us|{who}|somebody|anybody)(?: still| now| again)?|who(?:'s|s| is)? (?:do )?(?:we|everyone|you|everybody)? ?(?:still )?(?:waiting|wait)(?: (?:for|on))?(?: now| still)?",
        key,
    ):
        return Command("who")
    if re.fullmatch(
        rf"(?:what|what's|whats|who|which sets|which melds|show me what|tell me what)(?: (?:has|have|does|do|is|did|all))* ?(?:{who}|we|us|our team|their team|the other team|the other side|our side)?(?:'s| have| has)?"
        r"(?: (?:got|have|has|put|laid|get|already|all|team))* (?:down|on the table|laid down|laid|out on the table|showing|melded)(?: (?:so far|now|already|yet|there))*",
        key,
    ):
        return Command("melds")
    if re.fullmatch(rf"(?:how|how's|hows|how is|how are)(?: is| are)? ?(?:{who}|we|us|i|our team|my team|our side|my side|the team|the other team|the others|things)(?: all)? doing(?: (?:score wise|scorewise|so far|in points|on points|now|overall|with points|points wise))*", key):  # fmt: skip
        return Command("score")
    if re.fullmatch(
        rf"(?:what|what's|whats|which|tell me what|show me what|did)(?: (?:card|cards|suit|did|has|have|had|was|is|were|all|so))* ?(?:{who}|we|you|i)?(?:'s| has| have)?(?: (?:just|already|been|got|get))* {_DEEDS}{_TAIL}"
        rf"|who (?:has |just |all |else )*(?:{_DEEDS}|won|got|has)(?: (?:the|a|an|that|last|trick|pile|card|cards|it|down|up|first|queen|king|ace|jack|heart|hearts|of|spades|pig|sheep|goat|lead|led|out|just now|yet|already|discards?))*",
        key,
    ) and not re.fullmatch(r"(?:what|which)(?: cards?)? (?:did|have|had) i (?:draw|drew|drawn|get|got|pass|passed|bid|take|picked up|pick up).*|did (?:i|you|we)\b.*|did.*\b(?:yet|already)", key):  # fmt: skip
        return Command("table")
    return None


def asked_to_see(key: str) -> str:
    """What somebody politely asks to see: `can I see our house rules` is `our house rules`; "" where it is no such wish."""
    match = _SEEING.fullmatch(key)
    return match["what"] if match else ""
