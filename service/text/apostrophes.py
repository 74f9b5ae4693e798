"""Apostrophes that a quick hand leaves out: `Id like to draw`, `whos next`, `Cys turn`."""

import re
from collections.abc import Sequence

from service.text.lexicon import WORDS, words

_ALWAYS = {
    word.replace("'", ""): word
    for word in words(
        """
    i've don't can't won't didn't doesn't isn't wasn't aren't haven't hasn't couldn't wouldn't shouldn't who's what's where's
    that's there's here's how's you're you've you'll they're they've they'll we've that'll it'll who'll i'm
    """
    )
}
_SOMETIMES = (  # words of their own elsewhere: `my id`, `I feel ill`, `we were`, `well played`
    (
        r"(?<!\bmy )(?<!\bthe )\bid(?= (?:just |really |also )?(?:like|love|rather|say|better|prefer|take|play|bid|go|have|hate|appreciate|be)\b)",
        "i'd",
    ),
    (r"(?<!\bam )(?<!\bis )(?<!\bwas )(?<!\bfeel )(?<!\bbeen )(?<!ing )(?<!'m )\bill(?= [a-z])", "i'll"),
    (r"\A\W*were(?= (?:going|on|away|out|not|off|playing|ready|done|all|taking|having|waiting|back)\b)", "we're"),
    (
        r"\b(?<!\btwo )(team|partner)s(?= (?:score|total|points|turn|go|hand|cards|sets?|melds?|runs?|[a-z]+s)\b)",
        r"\1's",
    ),
    (r"\bwell(?= (?:try|bid|go for|make|do|be|see|say)\b)", "we'll"),
)
_PLAIN = re.compile(rf"\b(?:{'|'.join(sorted(_ALWAYS, key=len, reverse=True))})\b", re.IGNORECASE)
_UNSURE = [(re.compile(pattern, re.IGNORECASE), word) for pattern, word in _SOMETIMES]
_ANY = re.compile(r"(?i)ve\b|nt\b|s\b|ll\b|re\b|\bid\b|\bim\b|\bwere\b")


def restored(body: str, names: Sequence[str] = ()) -> str:
    """The text with them put back; `names` are those at the table, who have turns and hands."""
    if not _ANY.search(body):
        return body
    body = _PLAIN.sub(lambda found: _ALWAYS[found[0].lower()], body)
    for pattern, word in _UNSURE:
        body = pattern.sub(word, body)
    for name in names:
        if len(name) > 1 and name.casefold() not in WORDS and f"{name.casefold()}s" not in WORDS:
            body = re.sub(rf"\b({re.escape(name)})s(?= [a-z\d])", r"\1's", body, flags=re.IGNORECASE)
    return body
