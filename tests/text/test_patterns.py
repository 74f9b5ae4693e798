"""No wording takes for ever: where words may be repeated, none of them can be read in two ways.

A group such as `(?:seat|seats?)*` reads `seat` by either branch, so that twenty of them in a text that comes to nothing are
tried in a million ways, and all other players wait.
"""

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import engine
import service

parser: Any = importlib.import_module("re._parser")  # how a pattern was understood; it has no public name
MANY = 40_000  # readings; a group with more is no list of words
REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


def patterns() -> list[Any]:
    found: dict[str, Any] = {}
    for package in (engine, service):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.startswith("service.migrations."):  # they run only inside a migration
                continue
            for name, value in vars(importlib.import_module(info.name)).items():
                if isinstance(value, re.Pattern):
                    found.setdefault(value.pattern, pytest.param(value, id=f"{info.name}.{name}"))
    return list(found.values())


def readings(parsed: Sequence[Any]) -> list[str]:
    """All that a piece of a pattern can stand for, once for each way to read it. What has no end is taken once."""
    found = [""]
    for kind, value in parsed:
        found = [before + here for before in found for here in of_one(str(kind), value)]
        if len(found) > MANY:
            raise OverflowError
    return found


def of_one(kind: str, value: Any) -> list[str]:
    match kind:
        case "LITERAL":
            return [chr(value).lower()]
        case "BRANCH":
            return [one for branch in value[1] for one in readings(branch)]
        case "SUBPATTERN":
            return readings(value[-1])
        case "ATOMIC_GROUP":
            return list(dict.fromkeys(readings(value)))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return ([""] if value[0] == 0 else []) + readings(value[2])
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return [""]
        case _:
            return [f"<{kind} {value}>"]


def repeated(parsed: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """What may come again and again, however deep it stands."""
    for kind, value in parsed:
        if str(kind) in REPEATS and value[1] > 2:
            yield value[2]
        match str(kind):
            case "BRANCH":
                inner = value[1]
            case "SUBPATTERN" | "ASSERT" | "ASSERT_NOT":
                inner = [value[-1]]
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                inner = [value[2]]
            case "ATOMIC_GROUP":
                inner = [value]
            case _:
                inner = []
        for one in inner:
            yield from repeated(one)


def ambiguous(pattern: str, flags: int = 0) -> list[str]:
    """The words of repeated groups that can be read in two ways."""
    found = []
    for group in repeated(parser.parse(pattern, flags)):
        try:
            count = Counter(readings(group))
        except OverflowError:
            continue
        found += [word for word, ways in count.items() if ways > 1 and word.strip()]
    return found


@pytest.mark.parametrize("pattern", patterns())
def test_what_is_repeated_is_read_in_one_way(pattern):
    assert ambiguous(pattern.pattern, pattern.flags) == []


@pytest.mark.parametrize(
    ("pattern", "twice"),
    [
        (r"(?:seat |seats? )*", ["seat "]),
        (r"(?:(?:i|we)?(?:'ll)? ?|i'll )+", ["i'll "]),
        (r"(?:an|be|(?:cy|be))*x", ["be"]),
        (r"(?:seats? |chair )*", []),
        (r"(?:seat|seat)", []),  # once only
    ],
)
def test_two_ways_are_found(pattern, twice):
    assert ambiguous(pattern) == twice
