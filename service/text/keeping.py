"""House rules that a player keeps: `save rules as cabin`, `my rules`, `forget rules cabin`; and `options all`."""

import re

from engine.registry import find
from service.text.request import TAIL, Command, Said

_RULES = r"(?:(?:house )?(?:rules?|options|settings|presets?))"
_OURS = r"(?:(?:these|this|those|the|our|my|that|current|table's|saved)\s+)*"
_SAVE = re.compile(
    rf"(?:please )?(?:save|keep|store|remember)\s+(?:(?:{_OURS}{_RULES}(?: (?:of|at|from) (?:this|the|our) table)?|it|this|them|these)\s+)?"
    r"(?:as|under|named|called|under the name(?: of)?)\s+(.+)",
    re.IGNORECASE,
)
_SAVE_SHORT = re.compile(rf"(?:please )?save\s+{_OURS}{_RULES}(?:\s+(\S+))?", re.IGNORECASE)
_MINE = re.compile(
    rf"(?:(?:show|list|see|what are|which are)\s+(?:me\s+)?)?(?:all\s+)?(?:(?:my|our)\s+(?:saved\s+)?(?:house\s+)?(?:rules|presets)|(?:my\s+)?saved\s+{_RULES}|presets)",
    re.IGNORECASE,
)
_FORGET = re.compile(
    rf"(?:please )?(?:forget|delete|remove|drop|erase)\s+{_OURS}{_RULES}(?:\s+(?:called|named))?(?:\s+(.+))?",
    re.IGNORECASE,
)
_ALL = re.compile(rf"(?:(?:show|list|see)\s+(?:me\s+)?)?all\s+(?:of\s+)?{_OURS}{_RULES}(?:\s+(\d+))?", re.IGNORECASE)
_OPTIONS = re.compile(
    r"(?:(?:show|list|see)\s+(?:me\s+)?)?(?:the\s+)?(?:options|option|settings|house rules?)(?:\s+(?:of|for|in))?(?:\s+(.+?))?(?:\s+(?:page\s+)?(\d{1,2}))?",
    re.IGNORECASE,
)


def read(said: Said) -> Command | None:
    """A command about house rules that are kept, or about which there are; None for anything else."""
    text = TAIL.sub("", said.text).strip(" \t\n.!?,;")
    if len(text) > 60 or not re.search(r"rule|option|setting|preset|save", text, re.IGNORECASE):
        return None
    if match := (_SAVE.fullmatch(text) or _SAVE_SHORT.fullmatch(text)):
        return Command("save", _named(match[1]))
    if _MINE.fullmatch(text):
        return Command("presets")
    if match := _FORGET.fullmatch(text):
        return Command("delete", _named(match[1]))
    if match := _ALL.fullmatch(text):
        return Command("options", {"about": "all"} | _paged(match[1]))
    if match := _OPTIONS.fullmatch(text):
        return _options((match[1] or "").casefold(), match[2])
    return None


def _named(name: str | None) -> dict[str, str]:
    name = (name or "").strip(" \t.!\"'")
    return {"name": name} if name and name.casefold() not in ("as", "under", "named", "called") else {}


def _paged(page: str | None) -> dict[str, str]:
    return {"page": page} if page else {}


def _options(about: str, page: str | None) -> Command | None:
    game = find(f"{about} {page}" if page and find(f"{about} {page}") else about) or (
        find(page) if page and not about else None
    )
    if game is not None:
        return Command("house", {"game": game.name} | (_paged(page) if find(about) is not None else {}))
    if about in ("", "all", "all of them", "everything", "more"):
        return Command("options", ({"about": "all"} if about else {}) | _paged(page))
    return None
