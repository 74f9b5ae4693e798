"""A player who speaks of themself by name: `Bea draws and discards 7D`, sent by Bea, is `draw and discard 7D`.

Another player's name in front is never taken away: what is told of others plays nothing.
"""

import re

from service.text.lexicon import WORDS, words

_BASE = {
    f"{verb}{'es' if verb[-2:] in ('ss', 'sh', 'ch') else 's'}": verb
    for verb in words(
        """
        draw take pick grab get discard throw toss chuck dump drop ditch lay meld put add place stick play lead
        pass bid expose show cut deal swap call use follow duck give
        """
    )
}
_VERB = "|".join(_BASE)
_WISHES = {
    "wants to": "i want to", "would like to": "i would like to", "has to": "i have to", "needs to": "i need to",
    "must": "i must", "chooses to": "i want to", "decides to": "i want to", "is": "i am",
}  # fmt: skip
_WISH = "|".join(wish for wish in _WISHES if wish != "is")
_THEN = re.compile(rf"((?:[,;.!&\n]|\b(?:and|then))\s*(?:(?:and|then|also)\s+)*)({_VERB})\b", re.IGNORECASE)


def spoken(body: str, name: str) -> str:
    """The text as the player of this name says it of themself; as it is where they are not its subject."""
    low = name.casefold()
    if not name or low in WORDS or "?" in body or low not in body.casefold():
        return body
    found = re.match(
        rf"\W*{re.escape(name)}\s+(?:(?:now|just|also|then)\s+)*"
        rf"(?:(?P<does>{_VERB})\b|(?P<wish>{_WISH})(?=\s+\w)|(?P<being>is)(?=\s+(?:now\s+)?\w+ing\b))",
        body,
        re.IGNORECASE,
    )
    if found is None:
        return body
    rest = body[found.end() :]
    if found["does"]:
        return _BASE[found["does"].casefold()] + _THEN.sub(lambda then: then[1] + _BASE[then[2].casefold()], rest)
    return _WISHES[" ".join((found["wish"] or found["being"]).casefold().split())] + rest
