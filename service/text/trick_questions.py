"""What is asked at a table of tricks alone: the trick before, whose lead it is, bids and bags, what one holds of a suit."""

import re

from service.text.request import Command, Said

_SUIT = r"(?:spades?|hearts?|diamonds?|clubs?|trumps?)"
_RANK = r"(?:aces?|kings?|queens?|jacks?|tens?|nines?|eights?|sevens?|six(?:es)?|fives?|fours?|threes?|twos?|10s?|[2-9]s?|[akqj])"
_CARD = rf"(?:(?:the|a|an|any|my|some|no|more|black|red|high|low|big|small) )*(?:{_RANK}(?: of {_SUIT})?|(?:10|[2-9tjqka])[shdc]|{_SUIT}|pig|sheep|goat|lady|points?|honou?rs?)"
_AGAIN = r"(?: (?:again|please|pls|so far|now|left|yet|still|then|here|one|was|is|for me|in my hand))*"
_TABLE = re.compile(
    rf"(?:(?:show|see|view|repeat|what was|what's|whats|what is|who (?:won|took|got)|tell me|let me see|what (?:happened|went) (?:in|on)|what was in)(?: me)? )?(?:the |that |this )?(?:last|previous|prev|prior|final|current) tricks?{_AGAIN}"
    rf"|(?:show (?:me )?)?(?:the |this )?trick(?: so far)?{_AGAIN}"
    rf"|(?:(?:show|what are|what were|see)(?: me)? )?(?:the |all |all the |our |their |everyone's |everybody's )?bids{_AGAIN}|what did (?:i|we|they|everybody|everyone) bid{_AGAIN}|what(?:'s|s| is| was) (?:my|our|their|the) (?:bid|contract){_AGAIN}|my bid"
    rf"|who (?:played|led|threw|dropped|dumped|discarded|put down) {_CARD}{_AGAIN}"
    rf"|(?:are|is|have|has|were|did)(?: the)? (?:hearts?|spades?|trumps?)(?: been)? (?:broken|broke|open|break)(?: yet| now| already)?"
)
_WHO = re.compile(
    rf"(?:(?:whose|whos|who's|is it (?:my|[a-z]+'s)) lead|who (?:has|got|is on|has got|have) (?:the )?lead|who leads(?: (?:next|first|now))?|is it my lead|do i (?:have|got) (?:the )?lead|have i (?:got )?(?:the )?lead|is the lead mine|am i on lead|my lead)(?: is it)?{_AGAIN}"
    r"|what(?: are|'re|re)? (?:we|you|everyone|everybody|they) waiting(?: (?:for|on))?(?: now)?|who (?:am i|are we|is everyone|is everybody) waiting(?: (?:for|on))?(?: now)?|what(?:'s|s| is) (?:the )?hold ?up"
)
_SCORE = re.compile(
    rf"(?:(?:how many|show(?: me)?|what are(?= our| their| my))(?: the| our| their| my)? )?bags(?: (?:have|has|do|does|did|are|so far|we|they|i|us|got|left|to go|there|till|until|before|the|a|penalty|our|side|team))*{_AGAIN}"
    rf"|how many (?:more )?tricks (?:do|have|has|are|did|must|should) (?:i|we|they|us|them)(?: (?:have|got|need|needed|taken|take|won|make|made|to|still|more|left|get|go|so far))*{_AGAIN}"
    r"|how many (?:more )?(?:do|must) (?:we|i|they) (?:still )?need(?: more)?(?: to (?:make|get)(?: it| our bid| my bid)?)?|are (?:we|they) set|(?:have|did) we (?:made?|make) (?:it|our bid)|(?:did|have) (?:i|we) (?:made?|make) (?:my|our) bid(?: yet)?"
)
_HAND = re.compile(
    rf"(?:what|which|show(?: me)?|list)(?: are)?(?: all)?(?: of)? my {_SUIT}{_AGAIN}|(?:what|which|how many) {_SUIT} (?:do|have|am) i (?:have|got|hold|holding|still have){_AGAIN}"
    rf"|(?:do|have|did|am) i (?:(?:still|even|also) )?(?:have|got|hold|holding|get) {_CARD}{_AGAIN}|have i (?:still )?{_CARD}{_AGAIN}|is {_CARD} (?:in my hand|mine){_AGAIN}|how many {_CARD} (?:do|have) i (?:have|got|hold){_AGAIN}"
)
_HINT = re.compile(
    r"(?:what|how (?:many|much)|which) (?:would|should|could) (?:you|i|one) bid(?: (?:here|with this|please|now))*|help(?: me)? (?:to )?bid(?:ding)?|how do i bid this(?: hand)?|what is this hand worth|(?:tell|show) me what (?:to|i should) (?:play|lead|bid|pass|throw|do|discard)"
)
_FAR = re.compile(
    r"(?:how (?:far|high|long)|to what|what|to how (?:many|much))(?: (?:score|points?|number))? are we playing(?: to| till| until| up to)?|what(?:'s| is|s) (?:the )?(?:game|winning) (?:to|score|target)"
)


def asked(said: Said) -> Command | None:
    """The command that answers such a question, or None."""
    if said.game is None or "play" not in said.game.verbs or said.stage != "playing" or len(said.key) > 80:
        return None
    key = said.key.strip(" ?.!")
    for pattern, name, about in (
        (_TABLE, "table", {}),
        (_WHO, "who", {}),
        (_SCORE, "score", {}),
        (_HAND, "hand", {}),
        (_HINT, "hint", {}),
        (_FAR, "rules", {"topic": "scoring"}),
    ):
        if pattern.fullmatch(key):
            return Command(name, dict(about))
    return None
