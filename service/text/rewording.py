"""Ways of putting a move that are put into plainer words before it is read: `hand over 5d 6d 7d` as `pass 5d 6d 7d`.

Each rule is for whole clauses of one kind, and only where the game has such a move; what none of them fits stays as it is.
A rule never makes up a card: it may name one by what is said of it (`the red 4`) only where the hand holds just one such.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.cards import Card, card_name
from engine.game import Game
from service.text import captures, passing, rummy_wordings, standing, suit_letters, swaps
from service.text.trick_wordings import BIDS, EXPOSES, NICKNAMES, PASSES, PLAYS, TRUMPS
from service.text.wordings import CARD, NAMED, RANK, SUIT, THE, WILL, compiled

LONGEST = 300  # characters: no turn takes more, and what looks behind itself need not look far


class Table(NamedTuple):
    """What the rules may look at: the game, the hand, and the view of the one who texts."""

    game: Game
    hand: Sequence[Card]
    view: Any
    names: Sequence[str]
    taken: Card | None = None  # the lone card of the pile that was taken this turn


_MANY = rf"(?:(?:10|[2-9]|[tjqka])'?s|{RANK}|wilds?|jokers?)"
_PILE = r"(?:it|it all|them|the (?:whole |entire )?(?:pile|pack|stack|lot|discards?|discard pile))"
_UP = rf"(?:pick(?:ing)? (?:up )?(?:{_PILE})(?: up)?|pick(?:ing)? up|pickup|take (?:{_PILE})|taking (?:{_PILE})|take|grab(?: {_PILE})?)"
_DOING = r"(?:draw|pick|pickup|take|grab|lay|meld|put|add|discard|throw|toss|get rid|play|lead|bid|pass|expose|have|deal me|hand me|give me|get me)"
_PLEASE = r"(?:please|pls|plz|plez|plse|kindly)"
_SLANG = r"(?:fr|frfr|ngl|tbh|ig|lol|lmao+|bro+|bruh+|fam|rn|no cap|duh|smh|ez|bby|babe|sis|oof|rip|yolo|sksk\w*)"
EVERYWHERE = compiled(
    (r"\b(i|we) should (?:very much |really |quite )?(?:like|love|prefer|wish) to\b", r"\1 would like to"),
    (
        r"\A(?:so |very |oh )*(?:sorry|apologies|my apologies)[\s,]+(?:but |that )?(?:i )?(?:have |'ve )?(?:only |just |now )*(?:saw|seen|got|read|noticed) (?:this|it|that|(?:your|the) (?:text|message))(?: (?:only |just )?now)?[\s.,;!-]+(?=\w)",
        "",
    ),
    (rf"(?<=\w)(?:[\s,]+{_SLANG})+[\s.!]*\Z", ""),
    (r"(?<=\w)[\s,]+(?:would|will|could|can) you(?:,? (?:please|dear|love|kindly))*[\s.!?]*\Z", ""),
    (
        r"\A(?:(?:ok|okay|well|so|right|hmm)[\s,]+)*(?:let's|lets|let me|we'll) see(?: what\b[^,.!?;]{0,30})?[,.!;]+\s*(?=\w)",
        "",
    ),
    (
        r"\b(?:i'll|i will|ill|i shall|we'll|i'm going to|im going to|i am going to|gonna|i'm gonna|i would like to|i'd like to) be (?=[a-z]+ing\b)",
        "i'm ",
    ),
    (
        rf"\b(discard|throw|toss|dump|drop|ditch|chuck|play|lead|add|lay|get rid of)((?: away| out| off)?) (?:that|this|those|these)(?= {CARD}(?:\W|\Z))",
        r"\1\2 the",
    ),
    (
        r"\A(?:(?:ok|okay|well|so|hmm|hm|um|oh)[\s,]+)*i (?:think|guess|believe|suppose|reckon|figure|expect)(?: that)? (?=i(?:'ll| will|'d better| had better| must| have to|'ve got to| need to| shall| am going to|'m going to)\b)",
        "",
    ),
    (  # a wish, not the question whether it is allowed
        rf"\A(?:ok |okay |so |well |then |hi |hello )*(?:can|could|may|might|would|will) (?:i|you|we) (?:just )?{_PLEASE} (?:just )?(?={_DOING}\b)([^?]*)\?*\s*\Z",
        r"\1",
    ),
    (
        rf"\A(?:ok |okay |so |well |then |hi |hello )*(?:can|could|may|might|would|will) (?:i|you|we) (?:just )?(?={_DOING}\b)([^?]*?),? {_PLEASE}[\s.!?]*\Z",
        r"\1",
    ),
    (
        r"\A(?:ok |okay |so |well |then |hi |hello |please )*(?:can|could|would|will) you (?:just )?(?=draw (?:for )?me\b|draw me\b|(?:draw|discard|play|lay|pass|throw|add|bid) [^?]* for me\b)([^?]*)\?*\s*\Z",
        r"\1",
    ),
    (
        r"\A(?:i'm |im |i am |now |all )*(?:ready|set) to (?=(?:draw|pick|take|lay|meld|add|discard|throw|play|lead|pass|bid|expose)\b)",
        "",
    ),
    (r"\A(?:(?:ok|okay|well|so|hmm|hm|um|oh)[\s,]+)*(?:i'd |i had |you'd |we'd )?better (?:just )?(?=\w)", ""),
    (
        r"[\s,.;!]+(?:and )?(?:thanks|thank you|thx|sorry|apologies) (?:for|about) (?:the |my |being |your |that |all |this )*[a-z' ]{3,24}[\s.!]*\Z",
        "",
    ),
    (
        rf"\bi (?:don't|dont|do not) (?:need|want|like) {THE}({CARD}),?\s+so (?:i'll |i will |i )?(?:can )?(\w+) it\b",
        r"\2 \1",
    ),
    (
        rf"\A(?:(?:ok|okay|well|so)[\s,]+)*i (?:don't|dont|do not) (?:really )?(?:need|want|like) ({THE}{CARD})[\s,;.]+(?:(?:so|please|pls|i'll|i will|i|just|can you|let's)[\s,]+)*(?:discard|throw|toss|dump|drop|get rid of|ditch)(?: (?:it|that|him|her))?(?: (?:away|out))?(?: (?:please|pls|thanks))*[\s.!]*\Z",
        r"discard \1",
    ),
    (
        rf"(?<!\bto )(?<!\bmy )\b(discard|throw|toss|play|lead|lay|add|pass|take|pick ?up|expose)(?: ?: ?| - |\n)(?={NAMED[3:]}",
        r"\1 ",
    ),
    (r"[\s,]+(?:please|pls|plz)[\s,]+(?=(?:on|to|onto|in) (?:the )?(?:table|pile|discard)\b|down\b)", " "),
    (rf"\b({CARD}),?\s+(?:i (?:don't|dont|do not) need (?:it|that|him|her))\b(?=[\s.!]*\Z)", r"discard \1"),
)
AFTERWARDS = compiled(
    (r"[\s,.;]+(?:and|then|and then)\s+(?:i'?ll |we'll |let's )?(?:wait|see|we'll see|wait and see|hope(?: for the best)?|pray|cross my fingers|that's it|that is it|that's all|that's me(?: done)?|i'm done|im done|done|back to you)[\s.!]*\Z", ""),
    (rf"\A({THE}{CARD})[\s,:-]+(?:(?:please|pls|plz|i'll|i will|i|let's|then|can you|could you|you can|just|i'd like to|i want to|to)[\s,]+)*(discard|throw|toss|dump|drop|play|lead|add)(?: (?:it|that|away|out|please|pls))*[\s.!]*\Z", r"\2 \1"),
    (r"\A(?:i'd like |i would like |i want |let |make |i think |ok |so )*my (?:final |last |next |first |only |own )?(pass|bid|lead|play|discard|meld|add|draw) (?:is|was|will be|would be|shall be|to be|be|should be|is going to be)?[\s:=-]*(?=\w)", r"\1 "),
    (r"\Amy (pass|bid|lead|play|discard)s?[:=-]+\s*", r"\1 "),
)  # fmt: skip
SETS = compiled(
    (  # one card is kept and another thrown, in so many words
        rf"\A{WILL}(?:keep|keeping|hold on to|holding on to) {THE}{CARD}(?:,? (?:and|but|so)|[,;.]) (?:(?:then|i|i'll|i will|i shall|just|please) )*(?=(?:discard|throw|toss|get rid of|drop|chuck|ditch|dump|part with)(?:ing)?\b)",
        "",
    ),
    (
        (
            rf"\A{WILL}(?:giv(?:e|ing) up|say(?:ing)? (?:bye|farewell|goodbye|so long) to|wav(?:e|ing) goodbye to|sacrific(?:e|ing)|offload(?:ing)?|unload(?:ing)?|scrap(?:ping)?|releas(?:e|ing)|fling(?:ing)?|hurl(?:ing)?"
            rf"|kick(?:ing)? out|send(?:ing)? away|dispos(?:e|ing) of|do(?:ing)? away with|can do without|could do without|surrender(?:ing)?|donat(?:e|ing)|los(?:e|ing)) (?={THE}(?![a-z]+s[\s.!]*\Z){CARD}[\s.!]*\Z)"
        ),
        "discard ",
    ),
    (rf"(?:\A|(?<=[,.;!] )|(?<=\band )|(?<=\bthen )){WILL}(?:away|off|out) with (?={THE}{CARD}[\s.!]*\Z)", "discard "),
    (rf"\A(?:good[- ]?bye|bye(?:[- ]bye)?|farewell|adios|ciao|so long|see ya)[\s,]+(?:to )?(?={THE}(?![a-z]+s[\s.!]*\Z){CARD}[\s.!]*\Z)", "discard "),
    (
        rf"(?:\A|(?<=[,.;!] )){WILL}(?:gimme|give (?:me|us)|get (?:me|us)|hand me|deal (?:me|us)|let me have|let's have|i'll have|have|take|need|want|like) (?:a|an|one|1|another|my|the next|the|one more) (?:(?:new|fresh|single|more|next|different|other|good|nice) )*card(?=\s*(?:[.,!;]|\Z|(?:please|pls|plz|thanks|thank you|thx|and|then|now|for me)\b|(?:from|off) (?:of )?(?:the )?(?:deck|stock|top)))",
        "draw a card",
    ),
    (
        rf"\b(?:end|ending|finish|finishing|close|closing|done|be done)(?: (?:my|the|this|it|turn|off|up|out))* (?:with|by (?:discarding|throwing|dropping|tossing)(?: away)?)(?= {THE}(?![a-z]+s[\s.!]*\Z){CARD}[\s.!]*\Z)",
        "discard",
    ),
    (
        rf"\b((?:add|put|play|lay|stick|pop|place|tack)) ({THE}{CARD}s?|{THE}{_MANY}) (?:down )?(?:to|on|onto|with|in) (?:the|my|our) (?:others|rest|other {_MANY}|other ones?)(?=[\s.!,;]|\Z)",
        r"add \2",
    ),
    (rf"\A{WILL}(?:add |put |play |lay |stick |pop )?({THE}{CARD}s?|{THE}{_MANY})(?: down)? (?:to|on|onto|with|in) (?:ours|our (?:set|ones?|own|pile|meld|stack|group)|(?:the |that )?set|the (?:others|other {_MANY}|other ones?|other|rest|same|matching ones?)|its friends|their friends)(?=[\s.!,;]|\Z)", r"add \1"),
    (r"\b(pick(?:ing)? up|pickup|take|grab) the pack(?= with\b)", r"\1 the pile"),
    (r"\b(?:stock|draw|drawing) ?pile\b|\bface[- ]down (?:pile|deck|cards?)\b", "deck"),
    (r"\A(?:from |off )(?:the )?top(?: (?:card|one))?(?: (?:of|from|off) the (?:deck|stock))?(?=[\s,.!]*(?:please|pls|thanks|thank you)?[\s.!]*\Z)", "draw"),
    (r"\Adr(?= card\b)", "draw"),
    (r"\b(draw|take|pick)((?: a card| one| 1| card)?) (?:fro|form|frm|fom|frim|out of) (?:the )?(?=deck|stock)", r"\1\2 from the "),
    (rf"(?:\A|(?<=[,.;!] )|(?<=\band )|(?<=\bthen )){WILL}(?:(?:that|this|the)\s+)*({THE}{CARD}) (?:away|gone|off|can go|goes away|goes out|must go|has to go|is going|leaves|in the discards?)(?=[\s.!]*\Z)", r"discard \1"),
    (rf"(?:\A|(?<=[,.;!] )|(?<=\band )|(?<=\bthen )){WILL}(?:(?:that|this|the|my)\s+)*({RANK}\s*(?:of\s+)?{SUIT}) (?:out|can leave|may leave|should go|will go|must leave|goes bye|is leaving|is going out|is going away)(?=[\s.!]*\Z)", r"discard \1"),
    (r"\b(draw(?:ing)?(?: (?:me |us )?(?:a card|a|one|1|another|card))?) (?:off|from|of) (?:the |that )?(?:very )?top(?: (?:of|off) (?:the )?(?:deck|stock|pack|stack))?(?=[\s.!,;]|\Z)", r"\1"),
    (r"\A(d|draw|draw a card)([\s,;.]+(?:and |then )?)dis (?=\S)", r"\1\2discard "),
    (rf"\A{WILL}(?:use|using|with) ({THE}{_MANY}(?:(?:,| and| &| with)? {THE}{_MANY})*)[\s,]+(?:and |to |i'?ll |i |for |then )*{_UP}(?=[\s.!,;]*(?:\Z|and\b|then\b|discard|throw))", r"pickup \1"),
    (rf"\A{WILL}({THE}{_MANY}(?:(?:,| and| &| plus| with)? {THE}{_MANY}){{0,3}})(?: (?:from|in|out of) my hand)? (?:to|for) {_UP}(?: the pile)?(?=[\s,]*(?:please|pls|thanks)?[\s.!]*\Z)", r"pickup \1"),
    (rf"\A{WILL}(two {_MANY}|a pair of {_MANY}|pair of {_MANY})[\s,:-]+(?:so |and )?{WILL}{_UP}(?=[\s.!]*\Z)", r"pickup \1"),
    (rf"\b({_MANY}|[a-z]+s) (?:all|both|all (?:three|four|3|4)|all of them|them all) down(?=[\s.!,;]|\Z)", r"\1 down"),
    (r"\A(?:(?:just|only|ok|okay|well|so)\s+)*(?:a|one|1) draw(?: (?:for me|please|pls|this time|from me|here|thanks|then|now))*[\s.!]*\Z", "draw"),
    (rf"\b({_MANY}),? all (two|three|four|five|2|3|4|5)(?: of (?:them|em))?\b", r"\2 \1"),
    (rf"\A{WILL}({THE}{_MANY}) (?:go|goes|belongs?|fits?|can go) (?:with|on|to|onto|in) ({THE}{_MANY})", r"add \1 to \2"),
    (rf"\A{WILL}({THE}{_MANY}) (?:go|goes|belongs?|fits?|can go) (?:with|on|to|onto|in) (?:ours|our (?:set|own|pile|others?)|the set|the others?)(?=[\s.!]*\Z)", r"add \1"),
    (rf"\b(lay|meld|put down|lay down|play) (?:a |the |my )?(?:set|trio|three|group|bunch) of (?={_MANY}\b)", r"\1 "),
    (r"\b(lay|meld|put down|lay down|play) (?:the |a |my |this )?(?:run|sequence|straight|meld|spread|set) (?:of )?(?=\w)", r"\1 "),
    (rf"\b({CARD}) (m\d{{1,2}})\b", r"\1 to \2"),
)  # fmt: skip
LAID = compiled(  # once a card is drawn: before, `9 with nines` takes the pile
    (
        rf"(?:\A|(?<=[,.;!] )){WILL}({THE}{CARD}(?:(?:,| and|,? &| n) {THE}{CARD})+) (?:with|on|to|onto|in with) (?:(?:the|our|my|those|that|his|her|their|[a-z]{{2,12}}'s)\s+)*({RANK})s(?=\s*(?:[,.;!&\n]|\Z|and\b|then\b|please\b|pls\b))",
        r"add \1 to \2s",
    ),
    (
        rf"\A{WILL}((?:(?:the|my)\s+)?{RANK}\s*(?:of\s+)?{SUIT}) (?:it is|it'll be|it shall be|it has to be|it must be|will do|then it is)(?: then)?[\s.!]*\Z",
        r"discard \1",
    ),
    (
        rf"(?:\A|(?<=[,.;!] )|(?<=\band )|(?<=\bthen )){WILL}({THE}{CARD}) (?:with|on|to|onto|in with) (?:(?:the|our|my|those|that|his|her|their|[a-z]{{2,12}}'s)\s+)*(?:(?:other|set of|pile of)\s+)*({RANK})s(?=\s*(?:[,.;!&\n]|\Z|and\b|then\b|please\b|pls\b))",
        r"add \1 to \2s",
    ),
)
WITH_REST = compiled(
    (
        r"\A(?:(?:ok|okay|well|so|yes|yes please|please|then|and)[\s,]+)*(?:i'd like|i would like|i'll have|i will have|i want|i'd love|i fancy|i'll take|gimme|give me|let me have|have)\s+(?:the|that|this)(?: whole| entire)? (?:pile|lot|stack|discards|discard pile)\b",
        "pickup the pile",
    ),
    (
        rf"\b(pick(?:ing)? up|pickup|take|taking|grab|have) {THE}{CARD},? (?:and|plus|with|&) (?:all )?(?:the )?(?:rest|pile|others|whole pile|lot|everything(?: (?:under|below|beneath|else))?)(?: (?:of|under|below|it|them|the|pile))*",
        r"\1 the pile",
    ),
)
TAKES = compiled(
    (
        rf"\A{WILL}(?:(?:use|using|with|have|i've got|got) )?(?:(?:my|a|the)\s+)*(?:pair of|two|2|both|{THE}) ?{_MANY}[\s,]+(?:and |to |so |i'?ll |i |for |then )*(?=(?:take|taking|pick up|grab)\b)",
        "",
    ),
    (
        rf"(\b(?:take|pick up|pickup|grab)\b.*?) with {THE}{_MANY}(?=[\s.!,;]|\Z)(?!\s*(?:of\b|{SUIT}\b|and {THE}{CARD}|[,&+]\s*{CARD}))",
        r"\1",
    ),
)
WANTED = compiled(
    (
        r"\b(take|taking|pick ?up|grab|get|have|want) (?:the|that|her|his|their) (?:last |top )?discard(?:ed card)?(?=[\s.!,;]|\Z)(?! pile)",
        "take the top card",
    ),
    (
        rf"\A{WILL}({THE}{CARD}) and (?:up|above|everything (?:above|over|on top)(?: of it| it)?|the rest|all above(?: it)?|all on top)(?=[\s,]*(?:please|pls|thanks)?[\s.!]*\Z)",
        r"take \1 and up",
    ),
    (rf"\A(?:(?:ok|okay|well|so|hmm)[\s,]+)*(?=(?:the )?{RANK}\s*(?:of\s+)?{SUIT},? {_PLEASE}[\s.!]*\Z)", "take "),
    (
        rf"\A{WILL}(?:gimme|give me|hand me|i'll have|have|want|need|take|pick up|get) (?:just )?(?:the )?top(?: (?:card|one))?(?: (?:of|from|off|on))+ (?:the )?(?:pile|discards?|discard pile|stack)(?=[\s.!,;]|\Z)",
        "take the top card",
    ),
    (
        rf"\A(?:(?:ok|okay|well|so|then|hmm)[\s,]+)*(?:(?:i |i'd |we )?(?:just )?(?:want|fancy|would like|would love|like)|(?:i'll|i will|we'll) (?:just )?have|i'd love) (?:to (?:have|take|grab) )?(?!an? |[a-z]{{3,}}s\b)(?={THE}{CARD}\b)",
        "take ",
    ),
)
RUNS = compiled(
    (r"\bmy own\b", "my"),
    (
        rf"\A{WILL}(?:extend|lengthen|continu|complet|build|enlarg|grow)(?:ing|e)?(?: up)?(?: on| onto| to)? ((?:the|my|that|our|[^\W\d_]{{2,12}}'s) (?:\w+ )?(?:run|set|meld|sequence)|m\d{{1,2}}) (?:with|by) ({THE}{CARD})(?=\W|\Z)",
        r"add \2 to \1",
    ),
    (
        r"\b(spades?|hearts?|diamonds?|clubs?)(?: (?:run|sequence|straight))?[\s:,]+([2-9])([2-9])([2-9])([2-9])?(?=[\s.!,;]|\Z)",
        r"\2 \3 \4 \5 of \1",
    ),
    (
        r"\b(to|on|onto|with|in) (?:the |your |that )?(?:meld|set|run|group) (?:number |no\.? |#)?(one|two|three|four|five|six)(?=[\s.!,;]|\Z)",
        r"\1 m\2",
    ),
    (r"\b(?:goes|go|fits|belongs|can go|should go) (?=(?:to|on|onto|in|with)\b)", ""),
    (r"\bmone\b", "m1"),
    (r"\bmtwo\b", "m2"),
    (r"\bmthree\b", "m3"),
    (r"\bmfour\b", "m4"),
    (r"\bmfive\b", "m5"),
    (r"\bmsix\b", "m6"),
    (r"\b([2-9])([2-9])([2-9]) (?:of )?(spades?|hearts?|diamonds?|clubs?)(?=\W|\Z)", r"\1 \2 \3 of \4"),
    (r"\b([2-9])([2-9])([2-9])([2-9]) (?:of )?(spades?|hearts?|diamonds?|clubs?)(?=\W|\Z)", r"\1 \2 \3 \4 of \5"),
    (
        rf"\b(?:the |a |my )?(spades?|hearts?|diamonds?|clubs?)(?: (?:run|sequence|straight|run of|from))?[\s:,]+({RANK}(?:[\s,-]+(?:and |to )?{RANK})+)(?=[\s.!,;]|\Z)",
        r"\2 of \1",
    ),
    (
        rf"\b(?:the |a |my )?(?:run|sequence|straight) (?:of|in) (spades?|hearts?|diamonds?|clubs?)[\s:,]+(?:the )?({RANK}(?:[\s,-]+(?:and |to )?{RANK})+)(?=[\s.!,;]|\Z)",
        r"\2 of \1",
    ),
)
SAYING = re.compile(r"[\s,.!]*(?:say|chat|name)\b", re.IGNORECASE)
_AS_PRINTED = re.compile(  # most texts: there is nothing to put plainly
    r"(?!\W*(?:10|[2-9tjqkaw])[hdc]?[\s,.:]+(?:discard|play|add)\W*\Z)(?:(?:draw|discard|pickup|lay|add|play|take|bid|auto|hand|table|score|(?:10|[2-9tjqkaw])[hdc]?)(?:[\s,.!]+|\Z))+",
    re.IGNORECASE,
)
_ALL_OF_IT = re.compile(  # down to the card at the bottom, where any part of the pile may be taken
    r"\b(?:take|taking|pick(?:ing)? up|pick ?up|grab|get|have|want|scoop(?: up)?|sweep(?: up)?) (?:it all|(?:absolutely )?everything|(?:all of )?the (?:whole|entire|full|complete) (?:discard )?(?:pile|stack|lot|thing)"
    r"|the lot|all of (?:it|the (?:discard )?pile)|all the discards|all the pile)(?=\s*(?:[.!,;]|\Z|(?:and|then) (?!up\b|above\b)|please\b|pls\b|thanks?\b))",
    re.IGNORECASE,
)
_ONE_TAKEN = r"(?:it|that|that one|the same(?: card| one)?)"
_BACK = re.compile(  # toss it back
    rf"(?:\A|(?<=[,.;!] )|(?<=\band )|(?<=\bthen )){WILL}(?:(?:toss|throw|put|discard|give|drop|chuck|send|lay)(?:ing)? (?:right |straight )?"
    rf"(?:{_ONE_TAKEN} (?:right |straight )?back|back {_ONE_TAKEN})(?: (?:on|onto|to|in) (?:the )?(?:pile|discards?|discard pile))?"
    r"|(?:toss|throw|discard|drop|chuck)(?:ing)?(?: away| out)? the (?:card|one) (?:that )?i(?:'ve)? (?:just )?(?:took|taken|picked up))"
    rf"(?: again| {_PLEASE}| thanks)*(?=[\s.!,]*\Z)",
    re.IGNORECASE,
)
_RED = re.compile(rf"\b(red|black)\s+(?:cards?\s+)?({RANK}|jokers?)(?=\W|\Z)(?!\s*(?:of\b|{SUIT}\b))", re.IGNORECASE)
_OWNED = re.compile(
    r"\b(?:to|on|onto|in|into|with) (?:the |that )?(?:(?P<who>(?!(?:run|set|meld|sequence|spread)\b)[^\W\d_]+?)(?:'s|s'|s)? )?(?P<what>run|set|meld|sequence|spread|spades?|hearts?|diamonds?|clubs?|[^\W_]+)(?: (?:run|set|meld|sequence))?(?: of (?:the )?(?P<of>spades?|hearts?|diamonds?|clubs?))?(?=\W|\Z)",
    re.IGNORECASE,
)
_ONTO = re.compile(
    rf"\b(?:to|on|onto|with|in) (?:(?:the|that|your|our|[a-z]{{2,12}}'s)\s+)?(?P<ranks>(?:{RANK}[\s,-]*(?:(?:to|through|thru|and)\s+)?){{2,6}})(?:(?:of\s+)?(?P<suit>{SUIT}))?(?: run)?(?=[\s.!,;]|\Z)",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?<![^\W_])(10|[2-9tjqka])s(?![^\W_])", re.IGNORECASE)


def reworded(body: str, table: Table) -> str:
    """The text with such ways of putting things put plainly. What somebody SAYs stays theirs."""
    if len(body) > LONGEST or SAYING.match(body):
        return body
    if "discard" in table.game.verbs:
        body = rummy_wordings.put_plainly(body, table.game, table.view, table.hand, table.names)
    if "swap" in table.game.verbs:
        body = standing.spoken(swaps.put_plainly(body, table.view, table.hand), table.view, table.hand)
    if _AS_PRINTED.fullmatch(body):
        return body
    phase = getattr(table.view, "phase", "")
    rules = [*EVERYWHERE, *AFTERWARDS]
    if "discard" in table.game.verbs:
        rules += SETS
        rules += LAID if phase != "draw" else WITH_REST if "pickup" in table.game.verbs else []
        if "take" in table.game.verbs:
            rules += [*TAKES, *(WANTED if phase == "draw" else RUNS)]
    elif phase in ("pass", "exchange"):
        rules += PASSES
        body = passing.plainly(body, table.view, table.names)
    elif phase == "bid":
        rules += BIDS
    elif phase == "expose":
        rules += EXPOSES
    elif phase == "play":
        body = suit_letters.spelled(body)
        body = captures.plainly(body, table.view.trick, table.game.name == "spades")
        rules += [*(TRUMPS if table.game.name == "spades" else []), *PLAYS]
    nicknames = NICKNAMES.get(table.game.name, ())
    for pattern, card in nicknames:
        body = re.sub(rf"\b(?:the |my )?(?:{pattern})\b", card, body, flags=re.IGNORECASE)
    if "play" in table.game.verbs and _MAY_I.match(body):  # `can I cash the king` asks, however a card is played in it
        return body
    for rule, by in rules:
        body = rule.sub(by, body)
    pile = getattr(table.view, "pile", ())
    if phase == "draw" and "take" in table.game.verbs and "pickup" not in table.game.verbs and pile:
        body = _ALL_OF_IT.sub(f"take {card_name(pile[0])}", body)
    if table.taken is not None:
        body = _BACK.sub(f"discard {card_name(table.taken)}", body)
    body = _RED.sub(_the_only(table), body)
    if "swap" in table.game.verbs:
        body = _ONTO.sub(_meld_with(table), body)
        body = _OWNED.sub(_meld_of(table), body)
        body = _PLURAL.sub(_unless_held(table), body)
    return body


_MAY_I = re.compile(
    r"\W*(?:(?:ok|okay|so|and|but|well|hmm+|um)\W+)*(?:can|could|may|might|must|should|shall|do|am) (?:i|we)\b(?!.*\b(?:please|pls|plz)\b)",
    re.IGNORECASE | re.DOTALL,
)
Sub = Callable[[re.Match[str]], str]
_RANKS = {
    "2": 0, "two": 0, "deuce": 0, "3": 1, "three": 1, "4": 2, "four": 2, "5": 3, "five": 3, "6": 4, "six": 4, "7": 5,
    "seven": 5, "8": 6, "eight": 6, "9": 7, "nine": 7, "10": 8, "t": 8, "ten": 8, "j": 9, "jack": 9, "q": 10, "queen": 10,
    "k": 11, "king": 11, "a": 12, "ace": 12,
}  # fmt: skip
_SUITS = {"c": 0, "d": 1, "h": 2, "s": 3}
_PLURALS = (
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
)


def _rank(word: str) -> int | None:
    word = word.casefold()
    return _RANKS.get(word, _RANKS.get(word.removesuffix("s"), _RANKS.get(word.removesuffix("es"))))


def _the_only(table: Table) -> Sub:
    """`the red 4`: the card, where the hand holds one such alone."""

    def card(match: re.Match[str]) -> str:
        rank = _rank(match[2])
        suits = (1, 2) if match[1].casefold() == "red" else (0, 3)
        held = {c for c in table.hand if c >> 2 == rank and c < 52 and c & 3 in suits}
        return card_name(held.pop()) if len(held) == 1 else match[0]

    return card


_SORTS = frozenset(("run", "set", "sequence", "spread", "spades", "hearts", "diamonds", "clubs"))


def _meld_of(table: Table) -> Sub:
    """`on Bea's run`, `to the hearts`: the number of the meld, where only one can be meant."""

    def meld(match: re.Match[str]) -> str:
        names = [name.casefold() for name in table.names]
        who, what = (match["who"] or "").casefold(), match["what"].casefold()
        if match["of"] and what in _SORTS:
            what = match["of"].casefold()
        if re.fullmatch(SUIT, who) and len(who) > 1 and what in _SORTS:
            who, what = "", who
        seats = {i for i, name in enumerate(names) if name in (who, who.removesuffix("s"))}
        if who == "my":
            seats = {table.view.seat}
        elif who in ("", "the", "that"):
            seats = set(range(len(names)))
        if not seats or (not who and what not in _SORTS and f"{what}s" not in _SORTS):
            return match[0]
        fitting = [laid.number for laid in table.view.melds if laid.owner in seats and _is_such(what, laid.cards)]
        return f" to m{fitting[0]}"[1:] if len(fitting) == 1 else match[0]

    return meld


def _meld_with(table: Table) -> Sub:
    """`on the 6 7 8 of hearts`: the number of the run that has these cards."""

    def meld(match: re.Match[str]) -> str:
        named = {_rank(word) for word in re.findall(RANK, match["ranks"], re.IGNORECASE)} - {None}
        suit = match["suit"]
        suits = [_SUITS.get(suit[0].casefold(), "♣♦♥♠".find(suit))] if suit else list(range(4))
        if len(named) < (2 if suit else 3):
            return match[0]
        fitting = {
            laid.number
            for laid in table.view.melds
            for one in suits
            if _is_such("run", laid.cards) and {rank * 4 + one for rank in named if rank is not None} <= set(laid.cards)
        }
        return f"to m{fitting.pop()}" if len(fitting) == 1 else match[0]

    return meld


def _is_such(what: str, cards: Sequence[Card]) -> bool:
    """Whether a meld may be called that: `run`, `set`, `hearts`, `kings`, `meld`."""
    plain = [card for card in cards if card < 52]
    of_one_rank = len({card >> 2 for card in plain}) == 1
    if what in ("run", "sequence", "spread"):
        return not of_one_rank
    if what in ("set", "book"):
        return of_one_rank
    if what == "meld":
        return True
    if what[0] in _SUITS and re.fullmatch(SUIT, what) and len(what) > 1:
        return not of_one_rank and {card & 3 for card in plain} == {_SUITS[what[0]]}
    rank = _rank(what)
    return rank is not None and of_one_rank and plain[0] >> 2 == rank


_NEXT = re.compile(r"\W*(?:(?:and|with|plus|my|the|a|one)\s+)*(\w+)", re.IGNORECASE)


def _unless_held(table: Table) -> Sub:
    """`5s` where no five of spades is held, but several other fives are: the fives; two and a wild are enough for a set."""

    def plural(match: re.Match[str]) -> str:
        rank = _RANKS[match[1].casefold()]
        held = [card >> 2 for card in table.hand]
        spade = rank * 4 + _SUITS["s"]
        near = {*table.hand, *(table.view.pile if table.view.phase == "draw" else ())}
        next_word = _NEXT.match(match.string[match.end() :])
        wild = getattr(table.view, "wild", None)
        beside = next_word is not None and (
            next_word[1].casefold() in ("wild", "w", "joker") or (wild in held and _rank(next_word[1]) == wild)
        )
        return _PLURALS[rank] if spade not in near and held.count(rank) > (1 if beside else 2) else match[0]

    return plural
