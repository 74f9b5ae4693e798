"""Clauses beside each other: one that says again what the one before has said, or has the cards that it wants."""

from collections.abc import Callable
from itertools import pairwise

from engine.cards import WILD_RANK, Card
from service.text.lex import Clause
from service.text.lexicon import SHORT_VERBS
from service.text.parse import Parsed, parse


def completes(before: Parsed, parsed: Parsed, top: Card | None) -> bool:
    """Whether these are the cards of the verb before, which dictation has made a sentence of its own: `Discard. Four.`"""
    if before.units or before.noted or before.flag or before.junk or before.word in SHORT_VERBS:
        return False
    if parsed.verb or parsed.flag or parsed.junk or not parsed.units or parsed.target is not None:
        return False
    if before.verb in ("discard", "meld", "add", "play", "expose", "exchange"):
        return not parsed.noted
    if before.verb == "pass":
        return len(parsed.units) > 1 and not parsed.noted
    return (
        before.verb == "pickup"
        and top is not None
        and not parsed.noted
        and all(unit.rank in (top >> 2, WILD_RANK) for unit in parsed.units)
    )


def plainer(clause: Clause, parsed: Parsed, named: Callable[[str], bool]) -> tuple[Clause, Parsed]:
    """The clause without a few words that we don't know, where a verb in full has its cards."""
    said = parsed.verb and parsed.word not in SHORT_VERBS and (parsed.units or parsed.verb in ("draw", "pickup"))
    if not said or parsed.flag or not 0 < len(parsed.junk) < 4 or named(" ".join(parsed.junk)):
        return clause, parsed
    known = clause._replace(items=tuple(item for item in clause.items if item.kind != "JUNK"))
    return known, parse(known.items)


def said_again(before: Parsed, words: str, parsed: Parsed, now: str) -> bool:
    """`draw draw`, `discard, discard 4h`: one move. `add 9 add 9` is two."""
    if not parsed.verb or before.verb != parsed.verb or before.flag or before.junk:
        return False
    alone = not before.units and not before.noted and before.target is None
    if alone and (parsed.units or parsed.noted or not parsed.junk):
        return parsed.verb != "auto" or before.word == parsed.word
    same = words.casefold().strip(" .,!") == now.casefold().strip(" .,!").removeprefix("please ")
    return same and parsed.verb in ("draw", "pickup", "take", "pick", "meld", "discard", "pass")


def named_before(before: Parsed, parsed: Parsed) -> bool:
    """`Queens! Laying three queens`: the cards alone, and then what is done with them."""
    if before.verb or before.flag or before.junk or before.noted or not before.units or before.target is not None:
        return False
    ranks = {unit.rank for unit in parsed.units}
    return (
        parsed.verb in ("meld", "discard", "add", "play")
        and not parsed.flag
        and not parsed.junk
        and bool(ranks)
        and {unit.rank for unit in before.units} == ranks
    )


def taking_leave(clause: Clause) -> bool:
    """Whether small talk that is no excuse stands right before what may be cards."""
    kinds = [(item.kind, item.word) for item in clause.items]
    return any(
        kind == "CHAT" and not word.startswith("sorry") and following in ("R", "C", "N", "COUNTED", "Q")
        for (kind, word), (following, _) in pairwise(kinds)
    )
