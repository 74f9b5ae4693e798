"""Questions of somebody who learns the game: what a word means, why something is so, what may be done, what has happened.

Each is answered with a rule or with what shows it. Nothing here makes a move, and nothing shows what the asker may not see.
"""

import re

from engine.game import Game
from service.text import speech
from service.text.request import BY_ROUND, Command, Said

# What a word is asked about by -> the topics that may tell of it, the first that the game has.
_TOPICS = (
    (r"(?:a )?melds?|melding|sets?|runs?|sequences?|books?|naturals?|natural cards?|valid (?:set|run|meld)s?", "melds sets"),
    (r"lay(?:ing)? off|layoffs?|lay offs?|adding|add", "add sets"),
    (r"(?:the )?(?:letter |card |cards |a )?w|ws|wilds?|wild cards?|wildcards?|jokers?|jk|jks", "wild"),
    (r"floating|floats?|a floater|floaters?", "out"),
    (r"(?:calling |call )?rummy(?: calls?| calling)?", "rummy"),
    (r"(?:going|go|gone) out|ending (?:the|a) round|(?:the )?end of (?:the|a) round", "out"),
    (r"(?:the )?(?:discard |draw )?pile|(?:taking|picking up|pick(?:ing)?up)(?: the)? pile|pickups?|(?:the )?discards", "pile"),
    (r"discard(?:ing)?|throwing away", "discard"),
    (r"(?:the )?cut(?:ting)?", "cut"),
    (r"tricks?|follow(?:ing)?(?: suit)?|trumps?|a trump|suits?|(?:a |the )?lead|leading|void|ruff(?:ing)?|(?:being|to be) void", "turn"),
    (r"bids?|bidding|contracts?", "bid"),
    (r"(?:double )?nils?|(?:a )?blind(?: nil| bid)?|blind bidding|bid(?:ding)? blind|looking", "nil"),
    (r"bags?|sandbags?|overtricks?", "bags"),
    (r"(?:breaking|broken|break)(?: the)?(?: hearts| spades)?|(?:hearts|spades)(?: being| are| is)? broken", "broken"),
    (r"(?:shooting|shoot|shot)(?: for)? the (?:moon|sun)|(?:the )?moon|(?:the )?sun", "moon"),
    (r"passing(?: cards)?|(?:the )?pass", "pass"),
    (r"(?:the )?(?:pig|sheep|goat|qs|jd)(?: for| about)?", "pig"),
    (r"(?:the )?(?:transformer|doubler|10c|tc)", "score"),
    (r"(?:exposing|exposure|expose|showing|show|exposed cards?|shown cards?)(?: (?:a |the )?(?:cards?|pig|sheep|qs|jd|10c|tc|ah))?", "expose"),
    (r"(?:my |a )?partners?|teams?", "team"),
    (r"(?:the )?(?:2s?|twos?|deuces?)", "wild"),
    (r"scoring|points|target|bonus(?:es)?", "score"),
)  # fmt: skip
_TOPIC = tuple((re.compile(pattern), topics.split()) for pattern, topics in _TOPICS)

_ART = r"(?:(?:a|an|the|my|this|that|these|those|all|letter|word|symbol|term|thing|called|card) )*"
_DEFINED = re.compile(
    r"(?:what(?:'s|s)?|wtf|wth|wats?|wot|tell me(?: again)? what|i (?:don't|dont|do not) (?:know|understand|get)(?: what)?|can you (?:tell me|explain)(?: to me)?(?: what)?|please explain(?: what)?|remind me what|how do you define|define|explain|what exactly)"
    rf" ?(?:(?:is|are|do|does|did|was|s|do you mean by|is meant by|is the meaning of|are the|even) )*{_ART}(?P<what>.+?)"
    r"(?: (?:is|are|means?|stands? for|for|on my cards?|in my hand|in this game|here|exactly|again|about|called|even|anyway|please|do|work|works|look like|have to look like))*"
)
_PLAYED = re.compile(
    r"(?:how (?:do|does|can|should|would) (?:you|i|we|one) play|how to play|how does|teach me(?: how)?(?: to play)?|(?:what are|tell me|explain|remind me of)(?: me)? the rules (?:of|for)|the rules (?:of|for)) (?P<game>.+?)(?: (?:work|works|go|again))*"
)
_MEANING = re.compile(rf"(?:the )?(?:meaning|definition) of {_ART}(?P<what>.+)")
_WHY = re.compile(r"(?:but |so |and )?(?:why|how come|what for)\b(?P<rest>.*)")
# What a why is about -> topics; the first that fits.
_REASONS = tuple(
    (re.compile(pattern), topics.split())
    for pattern, topics in (
        (r"\b(?:pick|pile|take|taking|grab|scoop|top card)\b", "pile"),
        (r"\bpass(?:ing|ed)?\b", "pass"),
        (r"\bwilds?\b|\bw\b", "wild"),
        (r"\bsee (?:my|the) (?:cards|hand)\b|\bblind\b|\blook\b", "nil"),
        (r"\b(?:spades|hearts|heart|spade)\b|\bbroken\b", "broken"),
        (r"\bfollow\b|\bsuit\b|\btrick\b|\bplay\b|\blead\b", "turn"),
        (r"\b(?:bid|bidding)\b", "bid"),
        (r"\bbags?\b", "bags"),
        (r"\b(?:show|expose)\b", "expose"),
        (r"\b(?:discard|throw)\b", "discard"),
        (r"\badd\b|\blay off\b", "add sets"),
        (r"\b(?:lay|meld|put down|sets?|runs?|melds?)\b", "melds sets"),
        (r"\b(?:points?|score|minus|lost|lose)\b", "score"),
        (r"\b(?:go out|going out|out|stock|round)\b", "out"),
    )
)
_WHOSE = re.compile(r"\b(?:my|your|his|her|their|someone's|\w+'s) (?:turn|go|move|lead)\b|\bwaiting\b|\bslow\b")

# Asked about a turn, in words that the lists of commands do not have.
_WHO = re.compile(
    r"(?:so |but )?(?:is|it's|its|it is)(?: it)? (?:my|our) (?:turn|go|move|lead)(?: (?:now|yet|again|already))?(?: to (?:play|go|bid|lead|move|draw|pass|act|show|expose|say))?(?: (?:now|yet|again))?,?(?: (?:is it not|isn't it|isnt it|is it|right|no|yes|correct))?"
    r"|my (?:turn|go|move)(?: (?:again|already|now|yet))+|(?:is|it's|its|was) (?:it )?(?:still )?(?:{names})(?:'s)?(?: (?:turn|go|move))?(?: (?:still|now|again))?|(?:{names})(?:'s|s) (?:turn|go|move)(?: (?:now|yet|still))?"
    r"|who(?:'s| is)? (?:leads?|leading|to lead|opens?|begins?|has the lead)(?: (?:now|next|first|off|this))*|whose lead(?: is it)?(?: now)?"
    r"|(?:didn't|didnt|did not|have|haven't|did) i (?:not )?(?:just |already |yet )*(?:go|gone|play|played|move|moved|had my turn|have my turn|taken my turn)(?: (?:already|yet|just now|this round))*"
    r"|(?:did|have) you (?:get|got|gotten|received?|seen?|see) my (?:text|message|move|card|play|reply|answer)s?|did (?:it|that|my (?:move|text|play)) (?:work|go through|count|go|arrive)|(?:has|did) (?:everybody|everyone|{names}) (?:pass|passed|play|played|bid|answer|answered|go|gone|show|shown|had (?:his|her|their) (?:turn|go))(?: (?:already|yet|now|so far))*"
)
_TABLE = re.compile(
    r"(?:how many|what|which|who|whose|where|is|are|has|have|had|did|does|do|was|were|show me|can i see|may i see|let me see)\b.*?"
    r"(?:\b(?:last|previous|that|the|this|first) (?:trick|move|play)\b|\btricks?\b|\bbroken\b|\b(?:been|already|yet) (?:played|out|gone|led|thrown|broken|taken)\b|\bcards? (?:was|were|is|are) (?:shown|exposed)\b|\b(?:out|gone|fallen|played|broken|taken|been played)(?: (?:yet|already|now|so far|before))*\Z"
    r"|\b(?:played|threw|led|holds?|has|had|took|take|taken|dropped|discarded|won|win)\b.*\b(?:the|a|an|any|hearts?|queen|king|ace|jack|pig|sheep|goat|points?|it|that)\b"
    r"|\bcontract\b|\b(?:hearts|spades|clubs|diamonds|trumps?|points) (?:are |is |have |has )?(?:left|out|remaining|gone)\b)"
    r".*|how many (?:have|has|did) (?:we|i|they|you) (?:made|make|got|get|taken|take|won|win)\b.*|did i win\b.*|(?:which|what) suit\b.*"
)
_HANDS = re.compile(
    r"(?:how many|how much|what(?:'s|s)?|who(?:'s|s)?|which|may i see|can i see|show me|let me see|tell me)\b.*?\b(?:{who})(?:'s)?(?: |\Z)(?:cards? ?|hands? ?|got ?|have ?|has ?|hold(?:s|ing)? ?|left ?|still ?|in hand ?|in (?:his|her|their) hands? ?|now ?)*"
    r"|(?:has|have|does|do) (?:{who}) (?:got |have |hold )?(?:\w+ ){0,2}cards?\b.*|how many(?: cards?)?(?: (?:has|have|does|do|did|is|are))? (?:{who})(?:'s)?(?: (?:got|have|has|hold|holds|holding|left|still|cards?|now|in hand|in (?:his|her|their) hands?))*|who(?:'s|s)? (?:has |have |got |holds )*(?:the )?(?:most|fewest|least|more|less) cards?(?: left)?"
)
_LAST_CARD = re.compile(r"what(?:'s|s)?(?: was| is| were)?(?: the)? (?:last|latest|previous) (?:card|discard)(?: (?:played|discarded|thrown|that was (?:played|discarded|thrown)|put down|laid))?|what (?:card )?was (?:just )?(?:thrown|discarded)")  # fmt: skip
_MELD = re.compile(r"(?:what(?:'s|s)?|which|show(?: me)?|see)(?: cards?)?(?: is| are| does| in)*(?: (?:in|on|the|meld|set))* m\d{1,2}(?: (?:have|hold|again|made of))*")  # fmt: skip
_MAY = re.compile(
    r"(?:but |so |and |then )?(?:can|could|may|might|should|shall|must|am i allowed to|are we allowed to|is it (?:ok|okay|allowed|legal)(?: for me)? to|do i (?:have|need|get|want) to|have i to|would it be (?:ok|okay) to|ought) ?(?:i|we)?\b.*"
    r"\b(?:lay|play|lead|add|pick|take|draw|discard|throw|pass|show|expose|bid|meld|use|put|swap|call|trump|ruff|duck|keep|say|go)\b.*"
)
_WHAT_NOW = re.compile(
    r"(?:what|(?:so |and |ok |but )*(?:now what|what now|and now|what then|what happens now|what comes next|what's possible)|(?:i(?:'m| am)? )?(?:idk|don't know|dont know|do not know|not sure|unsure|no idea|no clue|dunno|am not sure|have no idea|wonder)(?: of| about)? (?:what|which|how)\b.*"
    r"|what (?:must|am|are|do|should|shall|can|could|would|may) (?:i|we)\b.*\b(?:do|supposed|play|say|text|lay|show|lay off|add|bid|pass|meant|expected|expose|throw|lead)(?:ing)?(?: (?:to|do|now|next|here|off|please|then))*"
    r"|how many (?:should|shall|do|can|must) i (?:say|bid|call|take|want)|which (?:cards?|ones?) (?:should|shall|do|can|must|may|would) i\b.*|i (?:don't|dont|do not|can't|cannot) (?:understand|follow|get it|get this)|help me(?: please)?|(?:i am|i'm|im) (?:so |very |a bit )?(?:lost|confused|stuck|puzzled))"
)
_END_TURN = re.compile(r"(?:how|what)\b.*\b(?:end|finish|close|complete)\b.*\b(?:turn|go|move)\b.*")
_IF = re.compile(r"(?:what|wat|wut)(?: will| would)? (?:if|happens? (?:if|when)|do i do (?:if|when))\b(?P<rest>.+)")
_IF_SO = tuple(
    (re.compile(pattern), topics.split())
    for pattern, topics in (
        (r"\bstock\b|\bdeck\b|\bcards? (?:run|are all|is all)\b|\brun out\b|\bout of cards\b", "out"),
        (r"\bbids?\b|\bmake it\b|\bcontract\b|\bset\b", "score"),
        (r"\bsuit\b|\bfollow\b|\bvoid\b", "turn"),
        (r"\bpile\b|\btake\b|\bpick\b", "pile"),
        (r"\bgo(?:es)? out\b|\bno (?:more )?cards\b|\bempty\b|\blast card\b", "out"),
        (r"\bmoon\b|\ball (?:the )?hearts\b", "moon"),
        (r"\bshow\b|\bexpose\b", "expose"),
        (r"\btie\b|\bpoints?\b|\bwins?\b", "score"),
    )
)
_FOLLOW = re.compile(r"(?:do|must|have|should|can)\b.*\bfollow\b.*|i (?:can't|cannot|cant|can not) follow(?: suit)?|what beats (?:what|which|it|that|(?:the |a )?\w+)|which card (?:wins|is (?:highest|higher|best)|beats).*|who wins (?:the |a )?trick")  # fmt: skip
_SOUGHT = re.compile(
    r"(?:do you know |so |but |and )?(?:(?:where|who|which (?:one|player|person))(?:'s|s)?|(?:has|have|is|was|did|when was)\b(?=.*\b(?:out|gone|go|played|play|plays|with|taken|taking|take|took|fallen|fall|yet|already|got|get|still|held|caught|come)\b))\b"
    r"(?: \w+){0,4}? (?:the |my )?(?:(?:(?:black |old )?(?:queen|lady|maria)(?: of spades)?(?! of\b)|qs|pig)|(?P<jack>jack of diamonds|jd|sheep|goat))\b(?: \w+){0,5}"
)
_HELD = re.compile(
    r"(?:have|do|did|has) i (?:still |already |not )*(?:got|have|hold|get)\b.*|am i holding\b.*|(?:what|which) cards? (?:i am|i'm|am i) (?:holding|having)"
)
_BAD = re.compile(
    r"(?:which|what)(?: cards?)?(?: are| is)? (?:the )?(?:bad|good|dangerous|worth|best|worst|valuable)\b.*|how (?:many|much)\b.*\bgoing out\b.*"
)
_PASSED = re.compile(
    r"(?:what|which)(?: cards?)? (?:did|have|had|was|were|do|are)(?: it)? (?:i|we|{names}|you|they) (?:just )?(?:pass|passed|give|given|gave|exchange|exchanged)(?: (?:to )?(?:me|you|us|on|left|right|across|away|{names})| to)?|what (?:was|were) (?:i |the cards? )?(?:passed|given)(?: to me)?|(?:what|which)(?: cards?)? (?:did|have) i (?:get|got|receive|received)(?: (?:from (?:{names}|the pass|my partner|them)|passed|in the pass))*"
)
# Whom to text how: the answer says it, and nothing is done.
_HOW_TO = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("say", r"how (?:do|can|could|would|may|should) (?:i|we|you) (?:say|talk|chat|speak|write|send|text|tell|message|type)\b(?!.*\b(?:card|meld|move|bid)\b).*|(?:please )?(?:can you |could you |would you )?(?:tell|let) (?:everybody|everyone|all|them|the others?|{names})\b.*"),
        ("leave", (r"how (?:do|can|could|would|may) (?:i|we|you) (?:leave|quit|stop|get out|drop out|exit|resign|give up)\b.*|(?:can|could|may|might|would|will|please)?\b ?(?:can |could |would |will )?(?:somebody|someone|anybody|anyone|you|my \w+)(?: else)? (?:please )?(?:play|take over|fill in|sit in|stand in|take my (?:turn|place|seat))\b.*(?:for me|my (?:turn|place|seat)|today|tonight|over|in)\b.*"
         r"|i (?:want|need|have|would like|'d like)(?: to)? (?:to )?(?:stop|pause|take a break|a break|go|rest|quit|finish)(?: (?:here|now|for (?:tonight|today|now|a while|the (?:night|day|moment))|tonight|today|playing|soon))*"
         r"|(?:i|we)(?:'ll| will|'m|'re| am| are| shall)(?: be)?(?: going to be| going)? (?:away|out|gone|busy|travel+ing|abroad|at the|at my|at a|in the|in hospital|in surgery|on (?:a |the |my )?(?:trip|vacation|holiday|holidays|plane|cruise|road|train))\b.*\b(?:until|till|for|this|next|tomorrow|tonight|all|over|on|from)\b.*")),
        ("undo", r"(?:how (?:do|can|could) i|(?:can|could|may) i|is it possible to|i (?:want|need|would like|wish) to|let me) (?:please )?(?:change|undo|redo|correct|fix|take back|take (?:it|that|this|my \w+) back|reverse|retract)\b.*|(?:oops |no |sorry |wait )*(?:i )?(?:made a mistake|(?:hit|pressed|sent|texted) the wrong (?:one|card|thing|button)|wrong card)"),
        ("about", r"who (?:is|are) (?:this|you|that)(?: please)?|who am i (?:talking|texting|speaking) (?:to|with)|is this (?:a )?(?!.*\b(?:turn|card|right|ok|my)\b)(?:\w+|a real person|real)|are you (?:a |an )?(?:real|human|person|robot|bot|machine|computer|people|ai)(?: person)?|what is this(?: number)?"),
    )
)  # fmt: skip
_ASKS = re.compile(
    r"(?:do you know |but |so |and )?(?:has|have|is|was|did|where|who|when|what|why|how come|which|wtf|wth|wat|wot|tell|i|can|please|remind|define|explain|how|the|meaning|definition)"
)


def explained(said: Said) -> Command | None:
    """What a word of the game means, or why something is so: read before anything else that a question could be."""
    key = said.key
    if said.game is None or " " not in key or len(key) > 100 or not _ASKS.match(key):
        return None
    called = {said.game.title.casefold(), said.game.name, *said.game.aliases}
    if (whole := _PLAYED.fullmatch(key)) is not None and whole["game"] in called:
        return Command("rules")
    if (sought := _SOUGHT.fullmatch(key)) is not None and said.game.name in ("hearts", "gong-zhu"):
        return Command("table", {"about": "JD" if sought["jack"] else "QS"})
    if key.startswith("how ") and (told := _how_to(said)) is not None:
        return told
    why = _WHY.fullmatch(key)
    if why is not None and why["rest"].strip():
        if _WHOSE.search(why["rest"]):
            return Command("who")
        return Command("why") if reason(key, said.game) else None
    for asked in (_DEFINED, _MEANING):
        match = asked.fullmatch(key)
        if match is None:
            continue
        what = match["what"]
        if what in called or what.removeprefix("a ") in called:
            return Command("rules")
        for pattern, topics in _TOPIC:
            if pattern.fullmatch(what):
                by_round = what in ("wild", "wilds") and said.game.name in BY_ROUND  # which rank it is now: TABLE
                return None if by_round else _rule(topics, said.game)
    return None


def reason(text: str, game: Game) -> str:
    """The topic of the rules that tells why what the text asks about is so; "" where it asks for none."""
    why = _WHY.search(" ".join(text.casefold().replace("\u2019", "'").split()))
    if why is None or len(why["rest"].split()) < 3:
        return ""
    found = _first(_REASONS, why["rest"], game)
    return found.args["topic"] if found is not None else ""


def passed(said: Said) -> Command | None:
    """`what did I pass`, `what did Dot give me`: for games of tricks, before a hand is shown for it."""
    tricks = said.game is not None and "play" in said.game.verbs and said.stage == "playing"
    return Command("hand", {"about": "passed"}) if tricks and _ASKS.match(said.key) and _fits(_PASSED, said) else None


def asked(said: Said) -> Command | None:
    """The answer to a question that was not understood otherwise, or None."""
    key = said.key
    if said.game is None or len(key) > 120:
        return None
    tricks = "play" in said.game.verbs
    if (told := _how_to(said)) is not None:
        return told
    if _fits(_WHO, said):
        return Command("who")
    if _MELD.fullmatch(key) or re.fullmatch(r"which (?:sets|melds|runs) are (?:mine|ours|theirs)", key):
        return Command("melds")
    if _LAST_CARD.fullmatch(key):
        return Command("table" if tricks else "pile")
    if _END_TURN.fullmatch(key):
        return _rule(["turn"] if tricks else ["discard"], said.game)
    supposed = _IF.fullmatch(key)
    if supposed is not None:
        return _first(_IF_SO, supposed["rest"], said.game)
    if tricks and _FOLLOW.fullmatch(key):
        return _rule(["turn"], said.game)
    if _BAD.fullmatch(key):
        return _rule(["score"], said.game)
    if _HELD.fullmatch(key):
        return Command("hand")
    if _fits(_HANDS, said) or (tricks and _TABLE.fullmatch(key)):
        return Command("table")
    if _WHAT_NOW.fullmatch(key) or _MAY.fullmatch(key):
        return Command("hint")
    return explained(said)


def _how_to(said: Said) -> Command | None:
    """How one of the commands is used that somebody needs, and asks for in other words."""
    for name, pattern in _HOW_TO:
        if _fits(pattern, said):
            return Command("standin") if name == "leave" else Command("howto", {"about": name})
    return None


def _fits(pattern: re.Pattern[str], said: Said) -> bool:
    names = "|".join(re.escape(name.casefold()) for name in said.names) or "nobody"
    who = rf"{names}|everyone(?: else)?|everybody(?: else)?|(?:the )?others?|my (?:partner|opponents?)|they|he|she|(?:the )?opponents?|anyone|each(?: player)?"
    return re.fullmatch(pattern.pattern.replace("{names}", names).replace("{who}", who), said.key) is not None


def _first(reasons: tuple[tuple[re.Pattern[str], list[str]], ...], words: str, game: Game) -> Command | None:
    """The rule by the first of these patterns that finds something in the words."""
    for pattern, topics in reasons:
        if pattern.search(words) and (found := _rule(topics, game)) is not None:
            return found
    return None


def _rule(topics: list[str], game: Game) -> Command | None:
    """The first of these topics that the game has rules on."""
    options = game.Options()
    words_of = speech.of(game.name)
    topic = next((topic for topic in topics if words_of.rules(options, topic)), None)
    return None if topic is None else Command("rules", {"topic": topic})
