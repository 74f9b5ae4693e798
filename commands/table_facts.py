"""What a line `= table CODE ...` of a transcript says of a table, and what is so."""

import re

from service.stored import Table

NAMES = ("turn", "over", "phase", "players", "version")

_NAME = rf"(?:not\s+over|{'|'.join(NAMES)})\b"
_FACT = re.compile(rf"[\s,]*({_NAME})(?:[\s:=]+(?!{_NAME})([^\s,]+))?", re.IGNORECASE)
_YES, _NO = ("yes", "true"), ("no", "false")


def read(text: str) -> list[tuple[str, str]]:
    """The facts of a line with their values, `over` and `not over` with none. ValueError says what it should be."""
    facts: list[tuple[str, str]] = []
    text, at = text.strip(), 0
    while at < len(text):
        found = _FACT.match(text, at)
        name = " ".join(found[1].casefold().split()) if found else ""
        if found is None or (not found[2] and not name.endswith("over")):
            raise ValueError(
                f"a line about a table says one of {', '.join(NAMES)}, such as '= table {{code}} turn Ann'"
            )
        facts.append(_over(name, found[2] or "") if name.endswith("over") else (name, found[2]))
        at = found.end()
    return facts


def _over(name: str, value: str) -> tuple[str, str]:
    if value and value.casefold() not in (*_YES, *_NO):
        raise ValueError(f"{value!r}: a round is 'over' or 'not over'")
    no = (name == "not over") != (value.casefold() in _NO)
    return ("not over" if no else "over"), ""


def compare(table: Table, name: str, value: str) -> tuple[str, str]:
    """What is expected and what is so, alike in any letter case where the fact holds."""
    state = table.state
    if name.endswith("over"):
        over = table.status == "over" or (state is not None and state.over)
        return name, "over" if over else "not over"
    if name == "players":
        return value, str(len(table.sitters))
    if name == "version":
        return value, str(table.version)
    if state is None:
        return value, "not dealt"
    if name == "phase":
        return value, str(state.phase)
    waiting = [table.names[seat] for seat in table.game.waiting(state)]
    is_one = value.casefold() in [name.casefold() for name in waiting]
    return value, value if is_one else ", ".join(waiting) or "nobody"
