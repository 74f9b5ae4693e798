"""Texts that no person wrote as a command: reactions to our texts, quotes of them, and automatic answers.

They must be silent: a reaction quotes our own words (`Liked "DRAW or PICKUP"`), and two robots would answer each other
for ever.
"""

import re
from collections.abc import Sequence

_OPEN = '“"„«「『‘‚‹‟'
_CLOSE = '”"“»」』’‘›‟'
_QUOTE = rf"[{_OPEN}].*[{_CLOSE}]?"
_THING = (
    r"(?:an?|your|the|this|\d+)\s+(?:image|movie|video|photo|picture|pic|gif|attachment|audio message|voice message|message|"
    r"voice memo|sticker|link|file|contact|location|memoji|animation|text)s?"
)
_VERB = r"(?:loved|liked|disliked|laughed at|emphasi[sz]ed|questioned|hearted|reacted\b.{0,40}?\bto|removed\b.{1,40}?\bfrom)"
_TAPBACK = re.compile(rf"\s*{_VERB}\s+(?:{_QUOTE}|{_THING}\s*[.!]?)\s*\Z", re.IGNORECASE | re.DOTALL)
_EMOJI_TAPBACK = re.compile(
    r"\s*(?:reacted|removed)\s+(?:with\s+)?(?:a\s+sticker|[^\w\s]\S*)\s+(?:to|from)\s+\S", re.IGNORECASE
)
_GOOGLE = re.compile("\u200a[^\u200a]{0,4}[\u200b\u200c].{0,40}[\u200b\u200c].*\u200a", re.DOTALL)
_GOOGLE_EMOJI = re.compile(
    r"\s*[\u200a\u200b\u200c]{0,4}[^\w\s]{1,12}?[\u200b\u200c]{1,3}\s*(?:to|from|removed)\b", re.IGNORECASE
)
_SPAN = re.compile(rf"[{_OPEN}](.{{3,}}?)(?:[{_CLOSE}](?=[^{_CLOSE}]*\Z)|\Z)", re.DOTALL)
_BLANK = re.compile(r"\W+")


def is_reaction(body: str, recent: Sequence[str] = ()) -> bool:
    """Whether the body as it came is a reaction to a text of ours, or quotes one; `recent` are our last texts."""
    body = body[:4000]
    if body.isascii() and '"' not in body:
        return body[:1] in "LlDdEeQqHhRr \n" and bool(_TAPBACK.match(body))
    if "\u200a" in body and _GOOGLE.search(body):
        return True
    if _TAPBACK.match(body) or _EMOJI_TAPBACK.match(body) or _GOOGLE_EMOJI.match(body):
        return True
    return bool(recent) and _quotes(body, recent)


def _quotes(body: str, recent: Sequence[str]) -> bool:
    """In whatever language: a quoted part is one of our texts, or the beginning of one, and little is said beside it."""
    for start in [i for i, char in enumerate(body) if char in _OPEN][:8]:
        for end in [i for i in range(len(body) - 1, start, -1) if body[i] in _CLOSE][:8] or [len(body)]:
            if start + len(body) - end > 61:
                continue
            span = body[start + 1 : end].strip()
            said = _BLANK.sub("", span.rstrip(".… ")).casefold()
            if (
                len(span) >= 12
                and said
                and any(_BLANK.sub("", ours).casefold().startswith(said) for ours in recent[:20])
            ):
                return True
    return False


def echoes(body: str, recent: Sequence[str]) -> bool:
    """Whether the whole body is one of our own texts come back (a forward, a robot's echo)."""
    if len(body) < 30 or not recent:
        return False
    said = _BLANK.sub("", body).casefold()
    return len(said) >= 20 and any(_BLANK.sub("", ours).casefold() == said for ours in recent[:20])


_AUTOMATIC = re.compile(
    r"(?:^|[^\w])(?:auto[- ]?(?:matic(?:ally)?)?[- ]?(?:repl(?:y|ies)|respon[sd]\w*|generated|message)"
    r"|automated (?:message|reply|response|text)|out of (?:the )?office|ooo (?:until|till|til|today|this week|from)\b|do not disturb"
    r"|driving focus|driving mode|(?:i(?:'m| am)|im|currently) driving|i drive\b|while driving|when i get where i'm going"
    r"|(?:focus|notifications) (?:turned on|silenced)|ha[sv]e? notifications silenced"
    r"|(?:reply|respond|text|say)(?: with)? [\"'(]*urgent\b|if (?:this|it) is urgent\b"
    r"|(?:do not|don't|please do not|not) reply to this|unmonitored|not monitored|no[- ]?reply\b"
    r"|away from (?:my|the) (?:phone|desk|office)|currently (?:unavailable|away|out)|i(?:'m| am) (?:unavailable|in a meeting|busy (?:right )?now)"
    r"|can(?:'?t|not| not) (?:talk|answer|take your call|text|chat|respond) (?:right )?now|sorry,? i missed your (?:call|text|message)"
    r"|call you (?:right )?back|i'll (?:call|text|get back to|reply|respond to|see your message)\b"
    r"|(?:thank you|thanks) for (?:contacting|your message|messaging|texting|reaching out|calling)"
    r"|we(?:'ll| will| have) (?:get back|respond|received your)|our (?:office|business) (?:hours|is closed)|on vacation until"
    r"|(?:message|text) (?:could not be|was not|not|has not been) (?:delivered|sent)|mailbox is full|free msg:|freemsg"
    r"|this (?:number|mailbox) (?:is|does) not|does not accept (?:text|sms)|undeliverable|service alert:|msg&?data rates)",
    re.IGNORECASE,
)


def is_automatic(cleaned: str) -> bool:
    """Whether the cleaned text is an automatic answer or a carrier's notice."""
    return len(cleaned) > 12 and bool(_AUTOMATIC.search(cleaned))
