"""What is said around a game in people's own words: before cards are dealt, once a game is over, about the table meanwhile.

Strangers ask what can be played and how to begin (`service.text.newcomers`), hosts who alone may deal want to begin, friends
want to sit down. What is only a question is answered and does nothing; what does something is a phrase that can mean
nothing else at that stage.
"""

import re

from service.text.changing import CHANGE
from service.text.lexicon import words
from service.text.newcomers import (
    BOT,
    EASY,
    KIN,
    NUMBER,
    RELATIONS,
    anywhere,
    asks,
    game_named,
    lone_game,
    nowhere,
    number,
)
from service.text.request import Command, Said

HOST = "host"  # `deal` only if the host says so: a guest who is ready has not been asked to begin for all
LONGEST = 110


def read(said: Said) -> Command | None:
    """The command that such words are, or None."""
    if len(said.key) > LONGEST or not said.key:
        return None
    whole = _all_words(said.text)  # `again` and `here` say something, and are politeness elsewhere
    bare = _POLITE.sub("", whole)
    return _read(said._replace(key=whole)) or (_read(said._replace(key=bare)) if bare and bare != whole else None)


_POLITE = re.compile(
    r"^(?:(?:hi|hello|hey|ok|okay|so|well|please|oh|and|um|hmm|sorry|dear|good (?:morning|evening|afternoon)) )+(?=\w)"
    r"|(?: (?:please|pls|plz|thanks|thank you|thx|ty|ok|dear|everyone|guys|all))+$"
)


def _read(said: Said) -> Command | None:
    if said.stage == "none":
        return nowhere(said)
    if said.stage == "open":
        return _corrected_name(said) or _before_the_deal(said) or anywhere(said)
    if said.stage == "over":
        return _corrected_name(said) or _afterwards(said) or anywhere(said)
    return _corrected_name(said) or _meanwhile(said) or anywhere(said)


def asked_in(text: str) -> Command | None:
    """The question in one of several sentences of somebody who sits nowhere: `I am Dot. How do I play?`"""
    for sentence in re.split(r"(?<=[.!?])\s+|\n", text)[:6]:
        key = " ".join(re.findall(r"[^\W_]+(?:['-][^\W_]+)*", sentence.casefold()))
        found = read(Said(sentence, key, "none", (), None)) if key else None
        if found is not None and found.name == "newcomer":
            return found
    return None


def _of_table(about: str) -> Command:
    return Command("setup", {"about": about})


def in_one(text: str, stage: str) -> bool:
    """Whether a text that names bots may say one thing that only looks like two: `new hearts with 3 bots`, `start with bots`."""
    return stage in ("none", "open", "over") and re.search(rf"\b{BOT}\b", text, re.IGNORECASE) is not None


def is_one(command: Command | None) -> bool:
    """Whether a text that names bots is one command: they sit down, or a table is opened with them."""
    if command is None or command.name != "new":
        return command is not None and command.name == "bots"
    return "bots" in command.args and "unknown" not in command.args


# A table that is open

_GO = (
    r"(?: (?:now|then|already|us|it|the game|a game|with the game|playing|dealing|the cards|cards|out|up|so|this|off))*"
)
_DEAL = re.compile(
    rf"(?:(?:let's|lets|let us|ok|okay|and|now|just|so|well|alright|yes|yep|yeah|sure|come on|come|good to|all set|set)\s+)*(?:go|go ahead|play|kick off|shuffle and deal|shuffle the cards and deal|get playing|kick it off|get going|get this going|get it going){_GO}|(?:let us|now|so|then|well) (?:start|begin|deal){_GO}"
    r"|(?:(?:please|can you|could you|just)\s+)*(?:give|hand|pass|send)(?: (?:us|me|out|everyone|everybody|all|them))* (?:the|our|my|some) cards(?: out| now)*"
    rf"|(?:can|could|may|shall|should|do) (?:we|i|you)(?: all)? (?:start|begin|play|deal|go){_GO}|(?:we|i|you|they)(?: all)? (?:can|could|want to|would like to|'d like to|may|should|will) (?:start|begin|play|deal|go){_GO}|(?:we|i)(?:'d| would) like to (?:start|begin|play|deal){_GO}"
)
_READY = re.compile(
    r"(?:(?:i|we|all|everyone|everybody|they|we all)(?:'m|'re|'s| am| are| is)?(?: all| both)? )?(?:all )?(?:ready|set|complete)(?: (?:to|for))?(?: (?:play|start|go|begin|deal|it|the game|cards))*(?: (?:now|then))*"
    r"|(?:everyone|everybody|we)(?:'s|s| is| are| have| has|'ve)(?: all)? (?:joined|arrived|come|everyone|everybody)(?: (?:now|already|here))*|everybodys (?:here|in|ready)(?: now)?|(?:everyone|everybody)(?:'s| is)(?: all)? (?:ready|set)(?: (?:to|now|play|start|go))*|(?:we(?:'re| are)(?: all)?|all(?: are)?|everyone(?:'s| is)|everybody(?:'s| is)|that's)(?: (?:of us|here|present|in|everyone|everybody|all of us|there|together|both|us|all))+(?: (?:now|then))*"
)
_FILLS = re.compile(
    rf"(?:(?:can|could|may|will|would|please|i|we|you|want|wanna|to|i'd|like|i'll|let's|lets|let|just|have|get|need|use|add|put|bring|sit|give|fill|up|in|it|the|a|an|some|rest|others?|remaining|empty|free|open|missing|seats?|chairs?|places?|spots?|players?|of|for"
    rf"|with|against|vs|versus|play|playing|plays|me|us|instead|and|then|more|another|start|begin|deal|game|as|table|my|{NUMBER})\s+)*?(?P<n>(?:{NUMBER}|a|an|another)(?: more| other)?\s+)?(?P<what>{BOT})"
    r"(?: (?:in|please|then|now|instead|for|the|rest|everyone|everybody|else|all|others?|remaining|seats?|play|plays|playing|with|against|me|us|to|join|can|take|takes|fill|fills|sit|sits|down|up|empty|free|places?|spots?|them|it|my|opponents?))*"
)
_ONE = re.compile(
    r"(?:(?:please|can you|could you|i want|we need)\s+)*(?:add|put|seat|bring|use|one|another|a|an|need|want)\b"
)
_BY_ONESELF = re.compile(
    r"(?:(?:it's|its|it is|i'm|i am|i'll|i will|i|i'd|want|would|like|to|can|could|let|me|just|will|rather|am|prefer|for|now|be|but|so)\s+)*(?:play |playing )?(?:it |this |here )?(?:all )?(?:alone|by myself|on my own|solo|just me|only me|me only|me alone|myself|me myself and i)(?: (?:today|now|tonight|then|here|playing|please|this time|for now))*"
    r"|(?:there is |there's )?(?:nobody|no one|noone)(?: (?:else|is|will|wants|to|can|has|'s|coming|come|comes|joining|join|joined|joins|play|playing|here|answering|answers|yet))*"
    r"|(?:i )?(?:have|'ve got|don't have|dont have|do not have|have got|got|haven't got)(?: no| any| a| so many| that many| \d| two| three)?(?: one)? ?(?:friends?|anybody|anyone|nobody|no one|people)(?: (?:to play with|who (?:plays?|wants to play)|here|else|for this|to play))*"
)
_START_HOW = re.compile(
    r"(?:so |and |but )?(?:how|when|what)(?: (?:do|does|can|could|will|would|should|is|are|must|did))?(?: (?:i|we|you|it|this|the|a|game|round|one|all|that|deal|cards?|our|my|be))*(?: (?:start|starts|begin|begins|deal|deals|dealt|go|get started|started|starting|get|start playing|begin playing|kick off|going to start))"
    r"(?: (?:it|this|the|game|playing|now|then|new|table|one|cards|with|it off|my|our|off))*|how to (?:start|begin|deal)(?: (?:it|the game|this|playing))*"
    r"|(?:where are|i have no|i've no|i haven't any|no|we have no|i can't see|i can't see any|where's|i (?:didn't|did not|haven't|never)(?: get| got| gotten| receive| received| see)) ?(?:any|my|the|our)? ?cards(?: yet)?|when (?:do|will) (?:i|we) get (?:my|the|our) cards"
)
_INVITING = re.compile(
    rf"(?:(?:please|ok|so|and|but)\s+)*(?:how|can|could|may|will|would|what|where|i want|i'd like|we want|please|invite|add|is it possible|let|i need|text|ask|tell|send|replace|take|bring|also)\b(?=.*\b(?:{KIN}|{{names}})\b|invite)"
    r"(?=.*\b(?:join|joins|joining|invite|invited|get in|get .{2,20} in|come in|come too|play too|play also|also play|play with us|text|texts|sit down|take part|be in|need to do|type|write|add|with my|wants to play|still play|get (?:on|here)|seat|come)\b).*"
    rf"|(?:and |but |ok )?my (?:\w+ )?{RELATIONS} (?:also )?(?:wants?|would like|is going|can't|cannot|tries|is trying) to (?:play|join|come|be in|get in)(?: (?:too|also|in|with us|with me|now|here))*"
    r"|(?:(?:please|can you|could you|i want to|i'd like to|i would like to|can i|how do i|how can i|we want to)\s+)*invite .{2,40}|(?:(?:please|can you|could you|can i|i want to)\s+)*(?:add|call|text) (?:my )?(?:little |big )?"
    + KIN
    + r"(?: (?:at|on|too|please|her|his|number|is))*(?: [\d ()+-]{7,20})?(?: please)?|(?:can you |could you |please )?(?:re)?(?:send|text|tell|give|show)(?: (?:me|us|it))? (?:the|our|that|my|an|a) (?:code|invitation|invite|invite link|invitation link)(?: again| once more)*|(?:i )?(?:forgot|lost|forget) (?:the|our|my) code|(?:which|what) code\b.{0,40}|what (?:do|should|shall|must|can) (?:i|we) (?:tell|text|send|say to|write)\b.{2,40}|(?:can you |could you |please |will you )?(?:text|tell|ask|message|call|invite) (?:my|her|his|them|him)\b.{0,30}for me|how (?:do|can|could) (?:i|we) (?:add|invite|get in|bring in) .{2,30}"
)
_STANDING = re.compile(
    rf"(?:did|has|have|is|are|was|were|will)(?: not|n't)? (?:anybody|anyone|someone|somebody|everybody|everyone|all|it|they|he|she|we|my \w+|{{names}}|[a-z]+)(?: else)?(?: (?:all|already|still|really))* (?:join|joined|come|coming|arrive|arrived|here|there|in|answer|answered|sit|sat|sitting|complete|full|enough|work|worked|playing|missing|ready)(?: (?:yet|already|now|in|down|here|there|the game|at the table))*"
    rf"|how many(?: (?:people|players?|seats?|of us|friends|more|others|free|open|places|spots|persons))*(?: (?:are|is|do|does|did|can|have|has|we|i|you|it|need|needed|there|here|in|left|free|open|missing|must|joined|still|more|to|play|start|be|so far|now|already))+|who(?:'s| is|s)? (?:still )?missing"
    rf"|(?:we(?:'re| are)?(?: are)?|there are|i am|i'm|it's)(?: still| only| just)* (?:waiting|{NUMBER})(?: (?:for .{{2,30}}|of us|people|players|now|so far|here|playing|today))*|(?:please )?(?:can you |could you )?wait(?: (?:for|till|until) .{{2,30}})|(?:and )?what happens (?:now|next|then)|next|continue|go on|and then"
    rf"|(?:{{names}}|my \w+|[a-z]{{2,12}})(?: (?:is|are|can|ca|will|wo|does|do|has))?(?: ?not|n't| won't| can't|'t)(?: (?:coming|come|play|playing|want|to|join|joining|answer|answering|here|be|able|after all|today|tonight|make it|going))+|start without .{{2,30}}|(?:can we )?(?:start|play|begin) without .{{2,20}}"
    r"|(?:am i|are we)(?: (?:in|at|on|part of|seated|registered|signed up|there|the|this|game|table|now|already|ok|playing))+|do (?:i|we) have a (?:seat|place|spot)|did it work|did that work|(?:i(?:'ve| have)? )?already (?:joined|in|here)|i(?:'ve| have)? already (?:joined|sat down|did)|count me in|i'm in|im in"
    r"|(?:kick|throw|boot|remove|take|get rid of)(?: (?:out|off|away))? (?:{names})(?: (?:out|off|away|from the (?:game|table)|please))*|sort (?:my|the) (?:cards|hand)|when|what are we waiting for|(?:can|could|will|would) (?:someone|somebody|anyone|anybody|{names}) (?:please )?(?:start|begin|deal)(?: (?:it|the game|this|now|please|us))*|do we have enough (?:people|players|of us)(?: (?:yet|now|to start|to play))*|(?:(?:is|are) )?(?:everyone|everybody|all|we|you|everyone else)(?: all)? (?:ready|here|set)(?: (?:now|yet|to start|to play))*|how long (?:do|must|should|will|does) (?:we|i|it|this) (?:wait|take|last)(?: (?:to start|now|for .{2,20}))*|(?:i |we )?want (?:real|other|human) (?:people|players|humans)"
)
_NOT_THIS = re.compile(
    r"(?:(?:oops|sorry|no|oh|i|we|have|just|'ve)\s+)*(?:picked|chose|opened|took|selected|wanted|have|it's|its|this is|that's|want|i want|i want to play|let's play|lets play|can we play)? ?(?:the |a )?(?:wrong|other|another|different) game|(?:(?:let's|lets|can we|could we|i want to|i'd like to|we want to|i'd rather|rather|we'd rather)\s+)*play something else(?: (?:instead|please|now))*|(?:can (?:i|we|you) |please |how do i |i want to |could (?:i|we) )?(?:change|switch|swap)(?: (?:the|to|a|another|different|our|this))* (?:game|table)"
)
_RATHER = re.compile(
    r"\s*(?:(?:no|actually|sorry|oops|wait|but|ok|hmm|please)\s+)*(?:(?:i|we)(?:'d| would)?(?: all)?(?: rather| prefer| want| like| love| wanted| meant)?(?: to)?|let's|lets|can (?:we|i|you)|could (?:we|i|you)|change|switch|swap|make|how about|what about|maybe)?(?: (?:change|switch|make|swap|play|the|it|this|that|table|game|to|into|a|of|rather|playing|have|prefer|for))*"
    r" ?(?P<game>[a-z0-9 ]{4,20}?)(?: (?:instead|now|then|please|rather|game|better|next))*"
)
_SIZE = re.compile(
    rf"(?:(?:can|could|please|let's|lets|i|we|you|want|to|would|like|make|it|change|have|be|for|need|table|the|this|more|with|us|play|a)\s+)*(?P<n>{NUMBER})(?: (?:players?|people|persons|seats|of us|instead|handed|player game))*|(?:play|make it|go|let's play|can we play)(?: (?:up to|until|to|till|for))? \d{{2,5}}(?: points)?(?: (?:instead|only|please|not \d+|this time|now))*"
)
_DISMISS = re.compile(
    r"(?:please |can you )?(?:take|throw|get|kick|send|put)(?: (?:all|the|those|these|out|away|home|rid of))* bots(?: (?:out|away|off|home|please))*"
)


def _before_the_deal(said: Said) -> Command | None:
    """What is said at a table whose seats are filling; a question of it shows the table and who is missing."""
    key, names = said.key, _called(said)
    asked = said.text.rstrip().endswith("?")
    if _DEAL.fullmatch(key) or (_READY.fullmatch(key) and not asked):
        return Command("deal", {"by": HOST})
    fills = _FILLS.fullmatch(key)
    if fills is not None:
        return Command("bots", _how_many_bots(key, fills))
    if _DISMISS.fullmatch(key):
        return Command("bots", {"n": "off"})
    if _BY_ONESELF.fullmatch(key) and not (asked and key.startswith("no")):
        return Command("bots")
    if _START_HOW.fullmatch(key):
        return _of_table("start")
    if (
        (size := _SIZE.fullmatch(key)) is not None
        and " " in key
        and (size["n"] is None or not key.startswith(("we ", "it")))
    ):
        return Command("options", {"about": CHANGE})
    if (
        len(key.split()) <= 12
        and not re.search(r"\b(?:not|n't|don't|rules?|how do (?:i|we|you) play)\b", key)
        and _with(_INVITING, names).fullmatch(key)
    ):
        return Command("invite")
    if re.fullmatch(
        r"(?:i|we)(?:'ve| have)? never (?:ever )?played(?: (?:this|it|cards|before|that|the|game|these))*|(?:i'm|i am|we are|we're) (?:a beginner|beginners|new to this|new at this)",
        key,
    ):
        return Command("rules")
    call_me = re.fullmatch(
        r"\W*(?:you can |they can |please )+call me (?P<name>[^\W\d_]{2,12})[\s.!]*", said.text, re.IGNORECASE
    )
    if call_me is not None:
        return Command("name", {"name": call_me["name"]})
    if re.fullmatch(r"(?:(?:can|could) you )?(?:please )?send (?:me )?(?:the|my) link(?: again)?", key):
        return Command("link")
    if _with(_STANDING, names).fullmatch(key):
        return Command("who")
    if _NOT_THIS.fullmatch(key):
        return _of_table("change")
    if EASY.fullmatch(key):
        return asks("easy")
    rather = _RATHER.fullmatch(f" {key}")
    name = re.sub(r"^(?:play(?:ing)? |to |it )*", "", rather["game"].strip()) if rather else ""
    game = game_named(name) if name and not name.isdigit() else None
    if game is not None:
        return asks("game", game=game.name)
    return Command("newphone") if _HER_PHONE.fullmatch(key) else None


def _how_many_bots(key: str, fills: re.Match[str]) -> dict[str, str]:
    count = (fills["n"] or "").split()
    if count and count[0] in ("a", "an", "another"):
        alone = re.search(r"\b(?:against|vs|versus|play|plays)\b", key) is not None
        return {"n": "1"} if not alone and _ONE.match(key) else {}
    return {"n": str(number(count[0]))} if count and number(count[0]) else {}


# A game that is over

_WITH_SAME = r"(?:(?:with )?(?:the |all the )?same (?:people|players|teams?|ones|friends|group|gang|persons|seats|game|table|rules|lot)|with (?:everyone|everybody|them|you all|the others)|please|now|tonight|today|everyone|guys|all|then|right away|shall we|ok)"
_AGAIN = re.compile(
    r"(?:(?:yes|ok|so|and|well|please|sure|(?:i|we)(?:'d| would)?(?: all)? (?:want|like|love|wanna)(?: to)?|can (?:we|i|you)|could (?:we|i)|may (?:we|i)|let's|lets|let us|shall we|how about|want to|wanna|want|would you like to|i'm up for|we're up for|ready for|up for|start|begin|open|have|do)\s+)*"
    r"(?:play(?: it| this| that)?(?: the)? (?:again|once more|another(?: one| game| round| match)?|one more(?: game| round| time)?|some more|same(?: game| again)?)|(?:do|have|try) (?:it|that|this) (?:again|once more)|another (?:one|game|round|match)|once (?:more|again)|one more(?: game| round| time| match)?"
    r"|(?:the )?same(?: (?:people|players|teams?|again|game|table|once more|thing|as before|seats|gang|please))+|(?:a )?(?:new|another|the same|the next|next) (?:game|round|match)(?=.* same )|re[- ]?match|replay|again|a rematch)"
    rf"(?: (?:again|{_WITH_SAME}))*"
)
_ENDED = re.compile(
    r"(?:(?:so|and|but|ok)\s+)*(?:(?:who|which (?:team|side|one|player))(?:'s|s| has| is| was)?(?: the| all| actually)* (?:won|win|wins|winner|winners|lost|loser|came (?:first|last|second)|got (?:the )?most points)(?: (?:the|this|that|our|last|game|match|round|in the end|it))*"
    r"|(?:did|have|has) (?:i|we|they|she|he|{names}|my team|our team|anybody|anyone) (?:win|won|lose|lost)(?: (?:it|the|this|that|game))*|how did (?:it|the game|this|that|we|i|our game|the game)(?: all)? (?:end|finish|go|do|turn out|come out|play)(?: up)?"
    r"|(?:(?:what(?:'s|s| was| were| is| are)?|(?:please )?(?:show|tell|send|give)(?: (?:me|us))?) )?(?:the |our |my )?(?:final|last|end)(?: game)? (?:scores?|results?|points|standings?|tally)|(?:what(?:'s|s| was| is| were) )?(?:the )?(?:results?|outcome)(?: of the game)?|what (?:was|is|were|are) (?:my|our|their|the) (?:scores?|points|result)(?: at the end| in the end)?|(?:am i|are we) the winners?|by how (?:much|many points))"
)
_OVER = re.compile(
    r"(?:so |and |but )?(?:is|was|are|has|did|have)(?: (?:it|the|this|that|our|we|game|i))+ (?:over|done|finished|ended|end|finish|through|complete|all)(?: (?:now|already|yet|then|playing|here|game))*|is that (?:it|all|the end)|and now|(?:what|so what|and what|ok what|now what|and now what)(?:'s)?(?: (?:now|next|then|happens|do|can|should|we|i|comes))*"
    r"|(?:how|what)(?: (?:do|can|could|should|must))?(?: (?:i|we|you))?(?: (?:start|begin|open|do|play|get|have|text|say|set up))*(?: (?:again|to|a|an|the|play|another|new|next|one|more|game|round|start|rematch))+|(?:let's |lets |can we |we want to |i want to )?(?:play|start|begin)(?: (?:over|fresh|again|now|the game))*|restart|re[- ]?deal|start over|reset|go|ready|i'm ready|next|continue|can .{2,12} have (?:her|his|their) seat back"
    rf"|(?:same|again)(?: (?:but|with|to|for|until|only|and|this time|a|different|other|rules|target|players|people|(?>\d+|{NUMBER})|points|game))+"
)


def _afterwards(said: Said) -> Command | None:
    """What is said when a game is over: again, how it ended, what comes next."""
    key = said.key
    asked_how = key.startswith(("how ", "what ", "when "))
    if not asked_how and _AGAIN.fullmatch(key):
        return Command("rematch")
    if _with(_ENDED, _called(said)).fullmatch(key):
        return Command("score")
    if _NOT_THIS.fullmatch(key) and "wrong" not in key and "another" not in key:
        return Command("new")  # which one, is asked
    if key in ("new game", "new", "start a new game", "new table"):
        return None  # which one, is asked
    if _OVER.fullmatch(key):
        return Command("hint")
    if _HER_PHONE.fullmatch(key) or _OWN_PHONE.fullmatch(key):
        return Command("newphone")
    return lone_game(key)


# A game that goes on

_HER_PHONE = re.compile(
    r"my \w+ (?:has|got|'s got|has got|changed|lost|broke)(?: (?:a|her|his|their|the|to))* (?:new |another |different )?(?:phone|number|cell|mobile)(?: number)?"
)
_OWN_PHONE = re.compile(
    r"i(?:'ve| have)? (?:just )?(?:changed|lost|broke|got a new|have a new|got another) ?(?:my )?(?:phone|number|cell|mobile)(?: number)?"
)
_PUT_OUT = re.compile(
    r"(?:(?:can|could|may|please|we|i|you|want|to|how|do|is|it|possible|let's|would|like|should)\s+)*(?:kick|throw|boot|remove|take|get rid of|drop|replace|ban|delete|skip|expel)(?: (?:out|off|away|of))? (?:{names}|a player|another player|someone|somebody|a person|one of the players)(?: (?:out|off|away|from the (?:game|table)|please|with (?:a |the )?(?:bot|computer)|by (?:a |the )?(?:bot|computer)))*"
    r"|(?:{names}|someone|somebody|one (?:of us|player|person))(?: (?:is|are|can|will|does|do|has|did))?(?: ?not|n't|nt)(?: (?:coming|come|play|playing|want|to|answer|answering|respond|responding|reply|replying|here|be|back|any ?more|moved|played|moving|texting|text|today|there))+(?:[, ]+(?:can we |please |let |have |and |so )*(?:a |the )?(?:bot|computer).*)?"
    r"|(?:{names})(?:'s| is| has)?(?: (?:gone|quit|left|disappeared|dead|sick|ill|asleep|never answers|never plays|away|too slow|in hospital|stopped|stopped playing|given up))(?: (?:now what|what now|what do we do|for good|so what|what happens now|us|the game))*"
    r"|(?:can|could|will|may|please)? ?(?:let )?(?:a |the |you )?(?:bot|computer)? ?(?:play|take)(?: over)?(?: for| instead of) (?:{names})(?: please| now)*|(?:can|could|may|please) (?:a |the )(?:bot|computer) (?:take|have|get) (?:{names})(?:'s|s) (?:place|seat|turn|hand|cards)"
)
_ANEW = re.compile(
    r"(?:(?:can|could|may|please|how|do|we|i|you|want|to|let's|lets|should|would|like|just)\s+)*(?:restart|re[- ]?deal|start (?:all )?(?:over|again|anew|from scratch|from the beginning)|begin again|deal (?:again|anew|new cards)|reset|reshuffle)(?: (?:the|this|game|round|hand|cards|please|everything|it))*"
)
_SEAT_BACK = re.compile(
    r"(?:can|could|may|how (?:do|can)|i want|please)(?: (?:i|we|get|have|{names}|he|she|my \w+|take|give|her|him|me))* (?:(?:her|his|their|my|the)) (?:seat|place|spot|cards|hand) back(?: please)?"
)
_MORE_SEATS = re.compile(
    rf"(?:can|could|may|how (?:do|does|can)) (?:my \w+|a friend|someone(?: else)?|somebody(?: else)?|another player|we|one more|others?)(?: still| also| now)* (?:join|play too|play|get in|come in|sit down|be added)(?: (?:in|too|us|now|still|the game))*"
    rf"|(?:make it|can we be|can we make it|change (?:it )?to) {NUMBER}(?: (?:players?|people|of us))*|(?:add|invite) (?:my {RELATIONS}|a player|another player|someone|somebody)(?: (?:to the game|please))*|we(?:'re| are)(?: only| just| now)? {NUMBER}(?: (?:people|players|of us|now))*"
)
_TO_LESS = re.compile(
    r"(?:play|let's play|make it|go|can we play)(?: (?:up to|until|to|till|for)) \d{2,5}(?: points)?(?: (?:instead|only|please|this time|now))*"
)


def _meanwhile(said: Said) -> Command | None:
    """What is said at a table that plays, and is about the table."""
    key, names = said.key, _called(said)
    if _with(_PUT_OUT, names).fullmatch(key):
        return _of_table("absent")
    if _ANEW.fullmatch(key):
        return _of_table("anew")
    if _with(_SEAT_BACK, names).fullmatch(key):
        return Command("standin")
    if _MORE_SEATS.fullmatch(key):
        return Command("invite")
    if _TO_LESS.fullmatch(key):
        return Command("options", {"about": CHANGE})
    if _HER_PHONE.fullmatch(key):
        return Command("newphone")
    if re.fullmatch(
        r"(?:is|has|are|did) (?:it|the game|this game|the round|we) (?:over|ended|finished|end|done|won)(?: (?:now|yet|already))*",
        key,
    ):
        return Command("who")
    return _other_game(said)


def _other_game(said: Said) -> Command | None:
    """`let's play hearts` at a table of something else; where hearts or spades are led, the words are for the trick."""
    found = re.fullmatch(
        rf"(?:(?:i|we)(?:'d| would)? (?:want|like|love)(?: to)?|let's|lets|can we|could we|i want to|we want to)? ?play (?P<game>[a-z0-9 ]{{4,20}}?)(?: (?:with|against) (?:the |some |a )?(?:{NUMBER} )?{BOT}| instead| now)*",
        said.key,
    )
    name = "" if found is None else found["game"].strip()
    game = None if name.isdigit() else game_named(name)
    if game is None or game is said.game or said.game is None or "discard" not in said.game.verbs:
        return None
    return asks("game", game=game.name)


# Names

_NOT_ONE_BUT = re.compile(
    r"(?:my name(?:'s| is) not|my name isn'?t|i(?:'m| am) not|it(?:'s| is)? ?not|its not|that's not|not) (?P<no>[^\W\d_]{2,12})[\s,.;:-]+(?:(?:but|it's|its|it is|my name is|i'm|i am|call me|actually|just|rather|name)[\s,]+)*(?P<yes>[^\W\d_]{2,12})",
    re.IGNORECASE,
)
_ONE_NOT = re.compile(
    r"(?:it's|its|it is|i'm|i am|my name is|my name's|call me|actually)\s+(?P<yes>[^\W\d_]{2,12})[\s,.]+(?:and |but )?not (?P<no>[^\W\d_]{2,12})",
    re.IGNORECASE,
)


def _corrected_name(said: Said) -> Command | None:
    """`my name is not Anne, it's Ann`: what the others call them stands, or has stood, at the table."""
    text = said.text.strip(" .!")
    found = _NOT_ONE_BUT.fullmatch(text) or _ONE_NOT.fullmatch(text)
    if found is None:
        return None
    here = {name.casefold() for name in said.names}
    if found["no"].casefold() in here or "name" in text.casefold():
        return Command("name", {"name": found["yes"][:1].upper() + found["yes"][1:]})
    return None


def _all_words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.casefold()))


def _called(said: Said) -> str:
    return "|".join(re.escape(name.casefold()) for name in said.names) or "nobody"


_WITH_NAMES: dict[tuple[str, str], re.Pattern[str]] = {}


def _with(pattern: re.Pattern[str], names: str) -> re.Pattern[str]:
    """The pattern with the names of who sits there in it."""
    key = pattern.pattern, names
    found = _WITH_NAMES.get(key)
    if found is None:
        if len(_WITH_NAMES) > 500:
            _WITH_NAMES.clear()
        found = _WITH_NAMES[key] = re.compile(pattern.pattern.replace("{names}", names))
    return found


NO_ONES = words(  # what people say they are, and are not called
    """
    alone bored tired hungry confused happy sad sick ill asleep awake home okay ok great well better best winning losing
    stuck free available certain sure unsure interested excited afraid scared old older young blind deaf slow fast first
    last next done finished over wrong right only just still already all now soon fun funny easy hard nice bad annoyed angry
    mad upset hot cold broke retired single married pregnant dead alive human real serious joking kidding glad
    curious worried nervous online offline outside inside upstairs downstairs early host player guest everyone nobody everybody
    hopeless useless lonely game set complete full down up off cool true false yes no so too very really
    """
)
