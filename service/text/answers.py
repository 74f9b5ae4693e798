"""Short answers to a question of ours: `2`, `the kings`, `first one`."""

import re
from collections.abc import Sequence

from engine.cards import rank_name
from engine.game import read_move
from service.text.lex import read_items
from service.text.moves import Reading as Meant
from service.text.parse import Unit, parse
from service.text.reading import Context, Reading
from service.text.trial import Trial

_ANSWER = re.compile(
    r"(?:(?:the|number|option|choice|no|nr|answer|#|i want|i'll take|make it|go with|with)[\s.#:]*)*([^\s].*?)(?:\s+(?:one|please|pls|plz|thanks|thx))*[\s.!)]*\Z"
)
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "one": 1,
    "second": 2,
    "2nd": 2,
    "two": 2,
    "third": 3,
    "3rd": 3,
    "three": 3,
    "fourth": 4,
    "4th": 4,
    "four": 4,
    "fifth": 5,
    "5th": 5,
    "last": -1,
    "former": 1,
    "latter": 2,
}
_AGREED = frozenset(
    "y ok okay sure yep yeah yup correct right exactly do it, that that's it go ahead yes please, affirmative".replace(
        ",", ""
    ).split()
) | {"do it", "go ahead", "yes please", "that's it", "that one", "yes do it"}


def chosen(body: str, context: Context) -> Reading | None:
    """The reading of a short answer to our question, or None where the text is something else."""
    low = body.casefold().strip(" .!,\n")
    if not low or len(low) > 40 or "\n" in low or "?" in low:
        return None
    pending = context.pending
    if len(pending) == 1 and low in _AGREED:
        return _take_choice(pending[0], context)
    match = _ANSWER.match(low)
    if match is None:
        return None
    answer = match[1].strip(" .!#)")
    index = _ORDINALS.get(answer) or (int(answer) if answer.isdigit() and len(answer) < 3 else 0)
    if not index and len(answer) == 1 and "a" <= answer <= "i":
        index = ord(answer) - 96
    items = read_items(answer)
    parsed = parse(items)
    fitting: list[int] = []
    if not parsed.verb and not parsed.flag and not parsed.junk and parsed.units:
        fitting = [i for i, choice in enumerate(pending) if _names(choice, parsed.units)]
    elif parsed.verb and parsed.units and not parsed.flag and not parsed.junk and parsed.target is None:
        same = [i for i, choice in enumerate(pending) if choice.split()[0] == parsed.verb and "," not in choice]
        fitting = [i for i in same if _names(pending[i], parsed.units)]
        if len(fitting) != 1:  # perhaps another move altogether
            return None
    elif parsed.verb and not parsed.units and len(items) == 1:
        fitting = [i for i, choice in enumerate(pending) if choice.split()[0] == parsed.verb]
    by_index = index - 1 if 1 <= index <= len(pending) else len(pending) - 1 if index == -1 else None
    if by_index is not None:
        if fitting and fitting != [by_index] and answer not in ("first", "second"):
            named, numbered = [pending[i] for i in fitting if i != by_index], pending[by_index]
            first = by_index <= len(named)  # so that the same answer again means the card
            either = [numbered, *named] if first else [*named, numbered]
            return Reading("ask", choices=tuple(either), hint="Which one?", rest=body)
        return _take_choice(pending[by_index], context)
    if len(fitting) == 1:
        return _take_choice(pending[fitting[0]], context)
    if len(fitting) > 1 and len(fitting) < len(pending):
        return Reading("ask", choices=tuple(pending[i] for i in fitting), hint="Which one?", rest=body)
    return None


def _names(choice: str, units: Sequence[Unit]) -> bool:
    """Whether a choice has the cards (or goes to the set) that a short answer names."""
    loose = [read_move(part) for part in choice.split(", ")]
    cards = [spec for move in loose for spec in move.specs]
    if loose[0].verb in ("expose", "pass", "exchange") and len(units) < len(cards):  # `just QS` is not all three
        return False
    for unit in units:
        if unit.card is not None and not unit.s:
            if not any(spec.card == unit.card for spec in cards):
                return False
        elif not any(spec.rank == unit.rank for spec in cards) and (
            unit.card is not None or not any(move.to == rank_name(unit.rank) for move in loose)
        ):
            return False
    return True


def _take_choice(choice: str, context: Context) -> Reading:
    table = Trial(context)
    try:
        meant = tuple(read_move(part) for part in choice.split(", "))
    except ValueError:
        return Reading("unclear", hint=choice)
    if not table.playing:
        return table.nowhere(choice)
    outcome = table.attempt(Meant(meant), keep=True)
    if outcome.refusal is not None:
        return Reading(
            "refused",
            table.done,
            table.happened,
            code=outcome.refusal.code,
            hint=table.hint(outcome.refusal),
            rest=choice,
        )
    return Reading("moves", table.done, table.happened)
