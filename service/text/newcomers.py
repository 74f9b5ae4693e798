"""The questions of newcomers, who sit nowhere yet, and what anybody may ask: what can be played, how to begin, what it costs.

Each is only answered and does nothing; the answers are in `service.text.welcoming`.
"""

import re

from engine import registry
from engine.game import Game
from service.text.house_text import ALL
from service.text.lexicon import words
from service.text.request import Command, Said

COUNTS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip
NUMBER = r"(?:\d{1,2}|" + "|".join(COUNTS) + ")"
BOT = r"(?:(?:ro)?bots?|opponents|computers?|computer (?:players?|opponents?)|machines?|cpus?|ai(?: players?)?)"
RELATIONS = (
    r"(?:sisters?|brothers?|mothers?|fathers?|mom|mum|mama|dad|papa|grandma|grandpa|granny|nana|grandmother|grandfather|aunts?|auntie|uncles?|cousins?|nieces?"
    r"|nephews?|daughters?|sons?|kids?|children|grandsons?|granddaughters?|grandkids|grandchildren|wife|husband|partner|boyfriend|girlfriend|friends?|neighbou?rs?|family"
    r"|folks|roommates?|colleagues?)"
)
KIN = rf"(?:{RELATIONS}|ladies|others?|people|players?|everyone|everybody|somebody|someone|anyone|anybody|person|they|them|he|she|him|her)"
_LACKED = words(
    """
    bridge poker canasta gin euchre pinochle cribbage whist uno solitaire skat rook blackjack chess checkers dominoes mahjong
    tichu pitch wizard go-fish snap war bridge baccarat
    """
)


def number(word: str) -> int:
    """`3` or `three`; 0 where it is no number."""
    return int(word) if word.isascii() and word.isdigit() else COUNTS.get(word, 0)


def game_named(name: str) -> Game | None:
    """The game of that name, whatever small words stand around it."""
    return registry.find(re.sub(r"^(?:a |the )?(?:game of |round of )?|(?: game| cards?)$", "", name.strip()))


def asks(about: str, **more: str) -> Command:
    """What is answered alike at any table."""
    return Command("newcomer", {"about": about, **more})


# What can be asked anywhere

_GAMES = re.compile(
    r"(?:what|which)(?: (?:other|card|else))*(?: games?)? (?:can|could|do|should|shall|may) (?:i|we|you|one|people) (?:play|choose(?: from)?|pick(?: from)?|open)"
    r"(?: (?:here|by text|now|with you|on this|on this number|next|instead|together|there))*"
    r"|(?:what|which)(?: (?:other|card|kinds? of|sorts? of|else|all))* games?(?: else)?(?: (?:are|is|do|does|have|can|there|you|we|they|here|available|on offer|offered|offer|got|know|play|possible|all|to choose from))*"
    r"|(?:do you have|have you got|are there)(?: any)? (?:other|more|different|any)(?: card)? games?(?: here)?|(?:the |a )?list of (?:all )?(?:the |your )?games"
)
EASY = re.compile(
    r"(?:(?:which|what)(?:'s|s| is| are| would be)?(?: the| a)?(?: game| games| one| ones)?(?: is| are| would be|'s)?(?: the| a)? )?"
    r"(?:easiest|simplest|easy|simple|best|quickest|shortest|most fun)(?: (?:game|one|games))?(?: (?:is|are))?(?: (?:to (?:learn|play|start with|begin with|try)|for (?:me|us|kids|children|beginners|a beginner|old people|seniors|two|three|four|families|starters)|here|there))*"
)
_APP = re.compile(
    r"(?:do|will|would|must) (?:i|we|you|they|my \w+) (?:(?:need|have) )?(?:to )?(?:have|get|install|download|use)? ?(?:an? |the |any |some)?(?:thing|app|internet|smart ?phone|data(?: plan)?|wifi|wi-fi|account|computer|iphone|website|web site)(?: (?:for (?:this|that|it)|to play))*"
    r"|is there (?:an|a) (?:app|website)(?: for (?:this|it|that))?"
    r"|(?:can|could|may) (?:i|we|you|they|she|he) play (?:this |it )?(?:on|from) (?:my |a |an |the |her |his |any )?(?:\w+ )?(?:ipad|tablet|computer|laptop|phone|iphone|android|landline|kindle|pc)(?: too| also)?"
    r"|(?:does|will) (?:it|this) work (?:on|with) (?:my |a |an |the |any )?(?:\w+ )?(?:ipad|tablet|computer|laptop|phone|iphone|android|landline|kindle|pc)"
)
_SEVERAL = re.compile(
    rf"(?:can|could|may) (?:i|we|you|one) (?:play|sit|be|have)(?: (?:at|on|in))? (?:{NUMBER}|several|more than one|another|many|both) (?:tables?|games?)(?: (?:at once|at the same time|too|at a time|together|open))*"
)
_FREE = re.compile(
    r"(?:is|are) (?:it|this|that|the games?|playing|the texts?|texting)(?: here)?(?: really| all)? (?:free|for free|free of charge)(?: to (?:play|use))?(?: of charge)?"
    r"|(?:does|will|would|do) (?:it|this|that|playing|the games?|the texts?) cost(?: me| us)?(?: (?:anything|something|money|a lot|extra))?"
    r"|(?:do|will|would|must) (?:i|we|you) (?:have to |need to )?(?:pay|be charged)(?: (?:for (?:this|it|that|the texts?)|anything|something|money))*|is there (?:a|any) (?:charge|fee|cost)(?: for (?:this|it))?|do you charge(?: (?:anything|me|for this|money|for it))*"
)
_RULES = re.compile(
    r"(?:(?:please )?(?:how (?:do|does|can|should|would)(?: you| i| we| one)? play|how to play|how does|teach me(?: how)?(?: to play)?|explain|learn|(?:i|we) (?:do not|don't|dont) know how to play"
    r"|(?:what(?:'s| are| is)|tell me|send me|show me|explain|give me|remind me of)?(?: the)? rules? (?:of|for|to)?|rules?)) ?(?:the )?(?:game )?(?:of )?(?P<game>[a-z0-9 ]{3,20}?)(?: (?:work|works|go|goes|played|is played|again))*"
    r"|(?P<first>[a-z0-9 ]{3,20}) rules?"
)
_KNOWN = re.compile(  # what a bare name of a game may stand among
    r"(?:(?:i|we)(?:'d| would)? (?:like|want|love|prefer|choose|pick|take)|now|maybe|perhaps|how about|what about|do you (?:guys |all |people )?(?:have|play|know|offer|do)|have you got|you got|is there|got|a game of|the game of|and)? ?"
    r"(?P<game>[a-z0-9 '-]{3,24}?)(?: (?:game|cards|now|instead|then|next|here|too))*"
)


def anywhere(said: Said) -> Command | None:
    key = said.key
    if _GAMES.fullmatch(key) and not (said.stage == "playing" and "game" not in key):
        return Command("games", {"about": ALL})
    if _APP.fullmatch(key):
        return asks("app")
    if _FREE.fullmatch(key):
        return asks("cost")
    if _SEVERAL.fullmatch(key):
        return asks("tables")
    if re.fullmatch(r"how (?:do|can|could) (?:i|we) (?:change|set|fix) (?:the|my|a|our) names?", key):
        return Command("name")
    if said.stage != "none" and (key in ("who are you", "what are you", "who dis") or _TRUST.fullmatch(key)):
        return Command("howto", {"about": "about"})
    rules = _RULES.fullmatch(key)
    game = game_named(rules["game"] or rules["first"]) if rules else None
    if game is not None and game is not said.game:
        return asks("rules", game=game.name)
    return None


def lone_game(key: str) -> Command | None:
    """A game that is named, or one that everybody knows and we do not have; nothing is opened by that."""
    found = _KNOWN.fullmatch(key)
    if found is None:
        return None
    name = found["game"].strip()
    game = game_named(name)
    if game is not None:
        return asks("game", game=game.name)
    if name in ("rummy", "rummies", "rummi", "rummikub"):
        return asks("rummy")
    asked = key != name
    lacked = (name.split()[0] in _LACKED and len(name.split()) < 3) or name in (
        "crazy eights",
        "go fish",
        "old maid",
        "phase 10",
    )
    return Command("new", {"game": name}) if lacked and (asked or len(name) > 4) else None


# Who sits nowhere

_PLAY = re.compile(
    r"(?:(?:i|we)(?:'d| would)?(?: all)? (?:want|like|love|wanna|wish)(?: to)?|want to|wanna|let's|lets|let us|(?:can|could|may|shall) (?:i|we|you)|how about we)? ?"
    r"(?:play|start|join in)(?: (?:cards?|a (?:card )?game|games?|some(?: cards?)?|something|with (?:my |some )?(?:family|friends)|a round|too|please|now|today|tonight|here|with you))*"
    r"|(?:a |some )?(?:card )?games?|cards|card games? please|playing cards"
)
_WE_ARE = re.compile(
    rf"(?:(?:hi|hello) )?(?:there (?:are|is)|there's|we(?:'re| are)(?: a (?:group|family|party) of)?|we have|it's|us|a group of)(?: only| just| about| all)? (?P<n>{NUMBER})(?: (?:of us|old|young|people|players?|persons|friends|ladies|girls|boys|guys|women|men|adults|kids|folks|seniors|grannies|sisters|brothers))*"
    r"(?: (?:and|who|that|we|i|all|want|wants|would|like|love|wish|to|play|cards?|a|games?|wanting|looking|for|what|which|can|could|should|together|here|by|text|now|try))*"
)
_HOW_MANY = re.compile(
    r"how many(?: (?:people|players?|persons|friends|of us|others|seats|can))+ ?(?:play(?= [a-z0-9])(?: (?P<played>[a-z0-9 ]{3,20}))?)?(?: (?:do|does|can|could|must|should|are|is|may|we|i|you|it|one|need|needed|have|play|at|once|minimum|least|most|there|be|to|in|a|game|allowed|required|join|necessary))*(?: (?:for|in|at) (?P<game>[a-z0-9 ]{3,20}))?"
    rf"|(?:can|could|may) (?:just |only )?(?P<n>{NUMBER})(?: (?:people|players|persons|of us|friends|kids|ladies))* play(?: (?:this|it|cards|too|together|here))*"
    rf"|(?:is|are) (?:it|there|this)(?: any(?:thing)?| a)?(?: games?)? for (?P<m>{NUMBER})(?: (?:people|players|persons))*"
)
_ALONE = re.compile(
    rf"(?:(?:can|could|may|do|i|we|you|want|wants|would|like|love|i'd|i'll|i'm|am|it's|just|is|possible|it|will|to|let|me|only|a|there)\s+)*(?:play(?: cards| it| this| here)? )?"
    rf"(?:alone|by myself|on my own|solo|just me|only me|all by myself|(?:with|against|vs|versus) (?:the |a |some )?(?:{NUMBER} )?{BOT})(?: (?:too|here|as well|please|at all|play|playing))*|(?:is there )?(?:a )?(?:single|one|1) player(?: (?:mode|game|only))*|(?:can|could|may) i play (?:with|against) (?:strangers|random people|people i (?:do not|don't) know|other people|others)"
)
_HOW = re.compile(
    r"(?:(?:so|but|and|please) )?(?:(?:can you |please )?(?:tell|show|explain|teach)(?: to)? (?:me|us) )?(?:how (?:do|does|can|could|would|should|to|is)(?: (?:i|we|you|it|this|that|one|all|the game))*(?: (?:start|begin|play|work|works|use|go|get started|do|done|played|set (?:it |this )?up|setup|open))+(?: (?:it|this|that|a|the|new|with|for|my|our|game|games|table|family|friends?|group|together|playing|here|by text|by texting|cards|exactly|out|one|a game|my friends|this thing))*|how it works|how this works)"
    r"|what (?:do|should|must|can|shall|would) (?:i|we)(?: need to| have to)? (?:do|text|say|type|write|send|reply)(?: (?:now|next|first|here|to (?:start|begin|play)|then|back))*|what(?:'s| is)? (?:now|next|happens (?:now|next))|(?:now|and now|ok now) what|(?:i need|need|help me|can you|could you|please|some|i)? ?help(?: (?:me|please|us|out|with this))*"
    r"|(?:i )?(?:need|want|send)(?: some| me)? instructions|(?:i )?(?:do not|don't|dont) (?:understand|get it|know (?:how|what to do).*)|(?:what )?are the (?:commands|instructions)|(?:how to )?get started"
    r"|(?:i'm|i am) (?:new|a beginner|new here|new to this|interested)(?: (?:here|in this|in playing|to this))*"
)
_WHO = re.compile(
    r"(?:(?:sorry|hi|hello|excuse me|so|but|and) )?(?:who(?:'s| is| are|s| dis| am i)?|what(?:'s| is|s)?|wat is)(?: (?:this|that|it|you|dis|is|texting|talking|to|with|me|please|number|exactly|the|service|queenline|all|about|thing|here))+|new phone who (?:dis|is this|this)|who dis"
)
_TRUST = re.compile(
    r"(?:is|are) (?:this|it|you|that)(?: (?:really|just|some|actually))*(?: (?:a|an|some kind of))? ?(?:scam|spam|real|legit|legitimate|fraud|fake|trick|joke|virus|safe|bot|robot|real person|person|human|machine|computer|ai|gambling|for real|phishing)(?: (?:or what|person|thing|text|number|message|game|service))*"
    r"|(?:why|how come) (?:are you|do you|did i|am i|did you|do i)(?: (?:text|texting|get|getting|got|receive|send|sending|have|contact))+(?: (?:me|this|these|texts?|messages?|my number))*|how did you get (?:my|this) (?:phone )?number|what do you (?:want|do)(?: from me)?"
)
_COST = re.compile(
    r"how much(?: (?:does|do|is|will|would|are))?(?: (?:this|it|that|the game|a game|games|playing|you|i|we|the texts?|texts?|to play|here))*(?: (?:cost|charge|pay|have to pay|be))?(?: (?:me|us|to play|per|a|text|game|month|for this|for it))*"
    r"|what(?:'s| is| does| do| will| are)(?: (?:it|this|that|the|a|game|texts?|playing))*(?: (?:cost|costs|price|charge|fee))(?: (?:me|us|to play|of (?:this|a text|a game)))*|costs?|price|prices|fees?"
)
_STOP = re.compile(
    r"(?:how|where) (?:do|can|could|would|should|to) ?(?:i|we|you)? ?(?:stop|end|quit|unsubscribe|get out|opt out|cancel|turn off|get off|get rid of|leave)(?: (?:this|it|that|these|the|texts?|messages?|from|all|getting|receiving|texting me|of|off|list|again|your))*"
)
_JOIN = re.compile(
    rf"(?:(?:how|where|can|could|may|i|we|do|does|want|would|like|to|i'd|please|let|wanna|am|was|supposed|trying|try|me|in|need|i'm)\s+)*(?:join|rejoin|get in(?:to)?|play (?:in|at|on|with)|be in|sit down at|enter)"
    rf" ?(?:(?:in|on|to|with|up|my|the|a|an|his|our|their|your|{KIN}|[a-z]+'s?|(?:mom|mum|dad|papa|grandma|grandpa|wife|husband|partner)s|and|games?|table|card game|already|existing|started|please|too|there)\b\s*)*"
    r"|(?:i|we)(?:'ve| have)?(?: got| was given| received)? (?:a|an|the|this|my) (?:code|invitation|invite)(?: (?:what do i do|what now|now what|how do i join|where do i put it|from .{2,15}|here|to join|what do i do with it|and now))*"
    r"|(?:where|how|what)(?: (?:do|does|should|can|must))?(?: i| we)?(?: (?:put|enter|type|text|use|do with|send|write))* (?:the|my|this|a) (?:code|invitation|invite)(?: (?:in|go|to|here|number))*"
    r"|(?:i(?:'ve| have)? )?(?:lost|forgot|forgotten|don't have|dont have|do not have|need|never got|didn't get|deleted)(?: (?:the|my|a|that|our))* (?:code|invitation|invite)|(?:what(?:'s|s| is| was)? )?(?:the|my|our) (?:table )?code(?: (?:for|of|to|at) .{2,25})?(?: again)?|which code"
    rf"|(?:my )?(?:[a-z]+ )?(?:{KIN}|[a-z]+)(?: has| have)? (?:told|asked|invited|said|wants|sent|gave)(?: (?:me|us))?(?: (?:to|a|the|this|your|for|you|that|and|number|code|invite|invitation|i|should|could|can|play|join|text|write|here|cards?|games?|message|it))+"
    r"|(?:i|we)(?: was|'ve been| have been| were| got|'m| am) (?:told|asked|invited|supposed|sent|given)(?: (?:to|this|your|the|a|text|write|join|play|here|number|code|game|by .{2,15}|you|and|it|cards?|message))*"
)


def nowhere(said: Said) -> Command | None:
    """The questions of somebody who sits at no table, and the games they name."""
    key = said.key
    if key in ("games", "rules", "rule", "menu", "command", "commands", "help", "join", "cost", "costs"):
        return None  # words of their own, here as anywhere
    if key == "game":
        return Command("new")
    if re.search(r"\d.*[a-z]|[a-z].*\d", key.replace(" ", "")) and re.search(r"\bjoin", key):
        return None  # it has a code, or asks for one by itself
    if (shared := anywhere(said)) is not None:
        return shared
    many = _HOW_MANY.fullmatch(key)
    if many is not None:
        name = many["game"] or many["played"]
        game = game_named(name) if name else None
        if game is not None:
            return asks("game", game=game.name)
        count = many["n"] or many["m"]
        return asks("players", **({"n": str(number(count))} if count else {}))
    we = _WE_ARE.fullmatch(key)
    if we is not None and number(we["n"]) > 1 and (" " in key and not re.fullmatch(r"(?:it's|us) \w+", key)):
        return asks("players", n=str(number(we["n"])))
    for about, pattern in (
        ("easy", EASY), ("who", _WHO), ("who", _TRUST), ("cost", _COST), ("stop", _STOP), ("alone", _ALONE), ("begin", _HOW),
    ):  # fmt: skip
        if pattern.fullmatch(key):
            return Command("cost") if about == "cost" else asks(about)
    if _PLAY.fullmatch(key):
        return Command("new")
    if _JOIN.fullmatch(key) and key not in ("join a game", "join"):
        return asks("join")
    bots = re.fullmatch(
        rf"(?:play )?(?P<game>[a-z0-9 ]{{3,20}}?) (?:with|against|vs|versus) (?:the |a |some )?(?:{NUMBER} )?{BOT}", key
    )
    if bots is not None and (game := game_named(bots["game"])) is not None and not key.startswith("play"):
        return asks("game", game=game.name)
    many_at = re.fullmatch(
        rf"(?P<game>[a-z0-9 ]{{3,20}}?) (?:for|with) {NUMBER}(?: (?:people|players|persons|of us|friends))*", key
    )
    lacked = re.fullmatch(
        r"(?:(?:i|we)(?:'d| would)? (?:want|like|love)(?: to)?|let's|lets|can (?:i|we|you)|could (?:i|we))? ?play (?P<game>[a-z]+)",
        key,
    )
    if lacked is not None and lacked["game"] in _LACKED:
        return Command("new", {"game": lacked["game"]})
    if (
        many_at is not None
        and (game := game_named(many_at["game"])) is not None
        and not key.startswith(("new", "play"))
    ):
        return asks("game", game=game.name)
    return lone_game(key)
