"""Ways of putting a pass, a play, a bid or a card shown into plainer words, for the games of tricks; see `rewording`."""

from service.text.wordings import CARD, NAMED, RANK, SUIT, THE, WILL, compiled

_N = r"(?:\d{1,2}|zero|nil|one|two|to|too|three|four|for|fore|five|six|seven|eight|ate|nine|ten|eleven|twelve|thirteen|blind)"
_SURELY = rf"(?=(?:the |my )+{CARD}(?:\W|\Z)|(?!a\s){RANK}\s*(?:of\s+)?{SUIT}(?:\W|\Z)|(?:the |my )?(?:low|high|small|big)(?:est)? {SUIT})"

PASSES = compiled(
    (rf"\b({RANK}), ({RANK}),? and ({RANK}) of (spades|hearts|diamonds|clubs)\b", r"\1 of \4, \2 of \4 and \3 of \4"),
    (rf"\b({RANK}) and ({RANK}) of (spades|hearts|diamonds|clubs)\b", r"\1 of \3 and \2 of \3"),
    (rf"\A{WILL}past (?={THE}{CARD}(?:\W|\Z))", "pass "),  # as dictation hears it
    (r"\s*;\s*", ", "),
    (
        rf"\A{WILL}(?:here are )?(?:my |the )?(?:three |3 )?(?:cards?|ones|pass|passes)(?: (?:to pass|to go|i pass|i'm passing|for the pass))? (?:are|will be|is|would be) (?={THE}{CARD})",
        "",
    ),
    (
        r"\A(?:here (?:are|is) )?(?:my |the )?(?:three |3 )?(?:cards?|ones|three|pass)(?: (?:to pass|to go|i pass|i'm passing|for the pass))?\s*[:=-]\s*(?=\w)",
        "",
    ),
    (r"\b(?:these|those|the following|my)(?: (?:three|3|cards?|ones|two|please|pls))*\s*[:,-]\s*(?=\w)", ""),
    (
        r"[\s,]+(?:(?:go|goes|going|to go|are going|over|to|on) ?)*(?:the |my )?(?:left|right|across|over|neighbou?r)(?: side)?(?: (?:please|pls|plz|thanks|thank you))*[\s.!]*\Z",
        "",
    ),
    (
        rf"\A{WILL}(?:give|giving|send|sending|hand|handing|pass|passing|offload|offloading|unload|unloading|get rid of|getting rid of|ship|dump|dumping|exchange|toss|slide)(?: (?:away|over|along|off|on|him|her|them|you|ya|left|right|across|out))*(?=\s+{THE}{CARD}(?:\W|\Z))",
        "pass",
    ),
)
_OFF = r"(?:clubs?|diamonds?|hearts?|spades?|that suit|the suit|it)"
PLAYS = compiled(
    (
        rf"\A(?:(?:(?:i'm|im|i am) )?void|(?:i'm|im|i am) out|out(?= of))(?: (?:in|of) {_OFF})?(?:\s*[,.;!-]+\s*| (?=so\b))(?:(?:so|and|then|therefore) )?(?=\w)",
        "",
    ),
    (
        r"\A(?:a |an |the )?(?P<how>(?:small|low|little|high|big) )?(?P<suit>club|diamond|heart|spade)s? lead(?=[\s.!]*\Z)",
        r"lead a \g<how>\g<suit>",
    ),
    (
        rf"\A{WILL}(?:cash|return|finess|signal|unblock|exit|rise|rising|fly|hop|underlead|run|clear|sacrific|squander|surrender|sluff?|slough|discard)(?:ing|e|es)? (?:off |it |back |up |out |away |in |suit |with |by |{THE}{CARD} with )*{NAMED}",
        "play ",
    ),
    (rf"\A{WILL}follow(?:ing)?(?: suit)? (?:with |by )*{NAMED}", "play "),
    (
        rf"\A(?:play |lead |throw )?(?:(?:the|my)\s+)?(?:big|good old|trusty|bare|lone|mighty) (?={CARD}[\s.!]*\Z)(?!{SUIT}\b)",
        "play ",
    ),
    (rf"\A(?:pkay|olay|plsy|ply|plau|plqy|plag|plat|llay|pla|p|pl) (?={THE}{CARD}[\s.!]*\Z)", "play "),
    (rf"\Amy (?:card|move|choice|pick|selection) (?:is|will be|shall be|=|:) {NAMED}", "play "),
    (rf"\A(?:(?:well|ok|okay|so)[\s,]+)*i (?:suppose|guess|reckon|figure)[\s,]+{NAMED}", "play "),
    (
        rf"\A{WILL}break(?:ing)? (?:hearts?|spades?|trumps?|them|it) (?:with|by (?:playing|throwing)|using) {NAMED}",
        "play ",
    ),
    (rf"({CARD}) (?:on|down|out|in|there|next|up)(?=[\s.!]*\Z)", r"\1"),
    (
        rf"((?:the|my)\s+{CARD}|(?!a\s){RANK}\s*(?:of\s+)?{SUIT}) (?:on|onto|to|under|over|at|into) (?:it|that|this|top|him|her|them|there|the trick|this trick|that trick|the table)(?: (?:one|trick|then|please|pls|thanks))*(?=[\s.!]*\Z)",
        r"\1",
    ),
    (
        rf"\A(?:ok |okay |so |well |um )*(?:i'd like|i would like|i want|i wanna|i'll have|i will have|i'd love|i'm going with|i'll go with|let's go with|let's have|i guess|give (?:him|her|them)|make it|it'll be|it's going to be|how about|i'm giving(?: you| him| her)?|here's|here is|have) (?:to (?:play|use|lead) )?{_SURELY}",
        "play ",
    ),
    (rf"\A(?:i |i'll |i will |i'd |let me |we )*(?:choose|pick|select|opt for|choosing|picking) {NAMED}", "play "),
    (
        rf"\A({THE}{CARD}) (?:it is|it'll be|it shall be|for me|coming (?:at you|up|your way|right up)|will do|it has to be|then|goes|wins|takes it|please|if i must)[\s.!]*\Z",
        r"play \1",
    ),
    (rf"\A(?:and |now )?(?:out|here|there|down|in) (?:comes|goes|is|go|come) {NAMED}", "play "),
    (
        rf"\A{WILL}(?:duck|dump|shed|lose|part with|stay|slip|slide|sneak)(?:ing)? (?:it |in |under |low |this |off )*(?:with |by )?{NAMED}",
        "play ",
    ),
    (
        rf"\A{WILL}(?:let's |lets )?(?:start(?:ing)?|open(?:ing)?|begin(?:ning)?|kick off|go(?:ing)?|lead(?:ing)? off|lead(?:ing)? out|follow(?:ing)?|(?:cover|beat|win|take)(?:n?ing)?(?: it| that| this| the trick)? (?:with|by)|slough|sluff?|ditch|lay|put|throw|drop|toss|use) (?:it |that )?(?:with |in |on |out |down |off )*{NAMED}",
        "play ",
    ),
)
BIDS = compiled(
    (rf"(?<=[^\W_])(?:[\s,.!]+(?:haha+|hehe+|lol|lmao+|gl|gg|good luck(?: [a-z]{2,12})?|let'?s (?:go|get (?:them|'em|em)|do (?:this|it))|here goes(?: nothing)?|wish me luck|fingers crossed|partner|dear|love|darling|honey|everyone|everybody|all|baby|all the way|again|tonight|this round|this hand))+[\s.!]*\Z", ""),
    (rf"\A(?:a |my )?bid of ({_N})", r"bid \1"),
    (rf"\A(?:sign|pencil|mark|put|count) (?:me|us) (?:up |in |down )?(?:for |at )({_N})(?: tricks?)?[\s.!]*\Z", r"bid \1"),
    (rf"\A(?:well |ok |okay |so )*(?:i'll |i will |let'?s |let us |we'll )(?:just )?(?:say|do|try|call|have|make it|make) (?=(?:a )?{_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (r"\Aall (?=13|thirteen)", "bid "),
    (rf"\A(?:b|bd|vid|bif|nid|bjd|vbid|bidd|bidf) (?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (rf"\A(?:want to|wanna|i wanna|like to) bid (?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (r"\A(?:i'm |im |i am )?(?:going |go )blind(?: nil)?[\s.!]*\Z|\Ablind (?:zero|0|nill|none)[\s.!]*\Z", "bid blind"),
    (r"\A(?:i'm|im|i am) (?=nil[\s.!]*\Z)", "bid "),
    (rf"\A({_N})(?: tricks?)?,? (?:i'd (?:say|guess|think|bid)|i would say|is what i bid|looks right|seems right)[\s.!]*\Z", r"bid \1"),
    (rf"\A{WILL}(?:we'll |let's )?(?:go|stick|stay|start|settle) (?:with|at|on|for) (?=(?:a )?{_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (rf"\A(?:put|mark|sign|count|write)(?: me| us)? (?:down )?(?:for )?({_N})(?: tricks?)?(?: down)?(?: for me)?[\s.!]*\Z", r"bid \1"),
    (r"\A(?:i bid |bid |i'll bid |i'll take |i take |i want )?(?:no tricks?|none|nothing|nil|zilch|nada|zip|naught|nought|null|nul|not? (?:a|one) trick|nil tricks|nil bid|a nil)(?: (?:at all|for me|please|thanks))*[\s.!]*\Z", "bid nil"),
    (rf"\A(?:i'd |i would |let's |i'll |i will |i |let me |just |i'ma |imma |ima |gonna )*(?:say|call it|call|offer|make mine|make it|give me|gimme|mine is|mine's|plan on|count on)(?: with)?\s+(?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (rf"\A({_N}),? (?:i (?:think|guess|reckon|suppose|say|hope)|for me|from me|here|is my bid|it is|sounds right|for us|should do)(?: (?:please|pls|thanks|thank you|then|now))*[\s.!]*\Z", r"bid \1"),
    (rf"\A(?:i (?:think|reckon|guess|believe|say|bet|figure) )?(?:that )?(?:(?:i |i'll |we'll )(?:can |will |'ll |ll )?|we (?=can |will |bid )(?:can |will )?)?(?:i'll |i can )?(?:take|get|make|win|do|have|want|bid|manage|go for|go|try(?: for)?)\s+(?:for )?(?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (rf"\A(?:i'm |im |i am |i'll |ill |i |let me |let's |lets )*(?:going|go|bidding|trying|shooting|aiming)(?: for)? (?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (rf"\A(?:i'll |i |i'm |sign |put |mark |count )*(?:me )?(?:down |in )?(?:for |at )(?={_N}(?: tricks?)?[\s.!]*\Z)", "bid "),
    (r"\A(bid )?(?:a |an )?(?:blind[- ]?nil|nil[- ]blind)\b", r"bid blind"),
    (rf"\A(?:bid )?({_N}) (?:tricks?|books?)(?: (?:for me|please|pls|i think|i guess|this time|this round|thanks))*[\s.!]*\Z", r"bid \1"),
)  # fmt: skip
TRUMPS = compiled(  # which are the spades
    (rf"\A{WILL}(?:trump|ruff|cut)(?:t?ing)?(?: (?:it|in|up|suit|with|by|using))* {NAMED}", "play "),
    (rf"\b({RANK}) of trumps?\b", r"\1 of spades"),
    (r"\b((?:low|small|little|high|big|top|long)(?:est)?|smallest|biggest|a|any) trumps?\b", r"\1 spade"),
    (
        rf"\A{WILL}(?:lead|play|pull|draw|cash|return|extract)(?:ing)? (?:a |my |the |out )?trumps?(?: with| by| using)? {NAMED}",
        "play ",
    ),
    (
        rf"\A{WILL}(?:lead|play|pull|draw|return|extract)(?:ing)? (?:a |my |the |out )?trumps?(?=[\s.!]*\Z)",
        "lead a spade",
    ),
)
EXPOSES = compiled(
    (r"\A(?:(?:no|nah|nope|ok|sorry)[\s,.!]+)*(?:nah|no(?:,? (?:thanks|thank you))|not this time|not today|not now|not this (?:round|hand)|keep(?:ing)? (?:it |them |mine )?hidden|no expos(?:ure|ing|e)|nada|zilch|zip|nowt|i(?:'ve)? (?:have |got |ain't got )?(?:nothing|nothin'?|none|nowt|zilch)|i (?:don't|dont|do not) have (?:any|any of (?:them|those)))(?: (?:this time|thanks|thank you|please|dear|love|to show|to expose|here))*[\s.!]*\Z", "none"),
    (rf"\A{WILL}(?:reveal|declar|sell|flip|turn|lay|put)(?:e|ing)? (?:over |up )?(?={THE}(?:QS|JD|TC|AH|10C|{CARD})(?:\W|\Z))((?:(?!face|over|up).)*?)(?: (?:face ?up|over|up|out|down))*(?=[\s.!]*\Z)", r"expose \1"),
    (rf"\A(?:exp|expo|expos|expse|expode|ecpose|wxpose|exoose) (?={THE}(?:QS|JD|TC|AH|10C|{CARD})(?:\W|\Z))", "expose "),
    (r"\A(?:i would|i'd|we'd) (?:rather|prefer)(?: to)? not(?: to)? (?:show|expose|reveal|declare)(?: (?:anything|any|cards?|at all|them|it|one))*(?=[\s.!]*\Z)", "none"),
    (rf"\A{WILL}doubl(?:e|ing) (?=(?:the |my )?(?:QS|JD|TC|AH|10C|{CARD})(?:\W|\Z))", "expose "),
    (r"\A(?:i |i'll |i have |i've got |i'm |there's |there is )*(?:no|not|nothing|don't|dont|do not|won't|without|none)\s*(?:want to |wish to |going to |to )*(?:expos(?:e|ing)|show(?:ing)?|reveal(?:ing)?|declar(?:e|ing))(?: (?:anything|any|cards?|nothing|at all|for me|please|thanks))*[\s.!]*\Z", "none"),
    (r"\A(?:(?:no|nope|nah|no thanks|no thank you|sorry|none|ok|well)[\s,.!]+)*(?:i(?:'ve| have)?(?: got)? |there's |there is )?(?:nothing|none|no cards?|not (?:any|a)thing)(?: (?:here|at all|to (?:show|expose|reveal|declare)|from me|for me|this time|thanks|please|to see))*[\s.!]*\Z", "none"),
    (r"\A(?:i |i'll |i will |let me )*(?:keep|hide|hold)(?:ing)? (?:them|everything|it|all|mine)(?: (?:all|hidden|back|secret|to myself|closed|covered|quiet))*[\s.!]*\Z", "none"),
)  # fmt: skip
NICKNAMES = {
    "hearts": ((r"black (?:lady|maria|mary|widow)|(?:old|dirty|calamity) (?:maid|lizzie|jane|lady)|queenie|the lady|slippery anne?", "QS"),),
    "gong-zhu": ((r"pig|sow|piggy|piggie|hog", "QS"), (r"goat|sheep|lamb", "JD"), (r"transformer|doubler|double card|(?<=the )double|multiplier", "TC")),
}  # fmt: skip
