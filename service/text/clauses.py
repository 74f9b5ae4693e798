"""Clauses beside each other: one that says again what the one before has said, or has the cards that it wants."""

from collections.abc import Callable
from itertools import pairwise

from engine.cards import WILD_RANK, Card
from service.text.lex import Clause
from service.text.lexicon import ENGLISH, SHORT_VERBS, WORDS
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


def plainer(clause: Clause, parsed: Parsed, named: Callable[[str], bool], tricks: bool) -> tuple[Clause, Parsed]:
    """The clause without a few words that we don't know, where a verb in full has its cards; in a game of tricks a card will do."""
    clause, parsed = _verb_put_right(clause, parsed)
    said = (
        _card_alone(parsed)
        if tricks and not parsed.verb
        else parsed.verb and parsed.word not in SHORT_VERBS and (parsed.units or parsed.verb in ("draw", "pickup"))
    )
    if not said or parsed.flag or not 0 < len(parsed.junk) < 4 or named(" ".join(parsed.junk)):
        return clause, parsed
    known = clause._replace(items=tuple(item for item in clause.items if item.kind != "JUNK"))
    return known, parse(known.items)


def _card_alone(parsed: Parsed) -> bool:
    """Whether it names one card, suit and all."""
    return len(parsed.units) == 1 and parsed.units[0].card is not None and not parsed.units[0].weak


_FIRST_WRONG = ("draw", "discard", "pickup", "throw")


def _verb_put_right(clause: Clause, parsed: Parsed) -> tuple[Clause, Parsed]:
    """The clause with its first word as the verb that it is but for its first letter: `eiscard the four of hearts`, `fraw`."""
    first = clause.items[0]
    meant = next((verb for verb in _FIRST_WRONG if first.word[1:] == verb[1:]), "")
    if first.kind != "JUNK" or not meant or first.word in ENGLISH or parsed.verb:
        return clause, parsed
    verb = WORDS[meant][1]
    fixed = clause._replace(items=(first._replace(kind="V", value=verb, word=meant), *clause.items[1:]))
    return fixed, parse(fixed.items)


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
