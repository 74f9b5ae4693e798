"""Whose cards a card is to go to: in the games of sets `add a king to Bea's kings` is never an add to one's own."""

import re
from collections.abc import Sequence

from service.text.reading import Context, Reading

_THEIRS = r"theirs?|(?:the )?(?:other|others|other team|other side|opponents?|enemy)"


def others(body: str, context: Context) -> tuple[str, Reading | None]:
    """The text without whose set is meant, and the refusal where that is no set of one's own.

    The text as it is where it names nobody's set; where cards go on all melds, `to Bea` in the words that are read there.
    """
    game, state, seat = context.game, context.state, context.seat
    if game is None or state is None or seat is None or context.stage != "playing" or "add" not in game.verbs:
        return body, None
    if "pickup" not in game.verbs:
        return _on_a_meld(body, context.names), None
    names = "|".join(map(re.escape, sorted(context.names, key=len, reverse=True)))
    found = re.search(
        rf"\s+(?:to|onto|on to|on|with)\s+(?:the\s+(?P<before>\w+)\s+(?:set\s+)?of\s+(?P<late>{names})"
        rf"|(?P<who>hers?|his|{_THEIRS}|{names})(?:'s?|s'?)?(?:\s+(?:sets?|pile|melds?)(?:\s+of)?)?(?:\s+(?P<rank>\w+))?)[\s.!]*\Z",
        body,
        re.IGNORECASE,
    )
    if found is None or not re.match(
        r"\s*(?:please\s+)?(?:i(?:'ll)?\s+)?(?:add|put|place|stick|lay|play)\b", body, re.IGNORECASE
    ):
        return body, None
    rank = found["before"] or found["rank"]
    plain = body[: found.start()] + (f" to {rank}" if rank else "")
    sides = game.sides(state.options, len(context.names))
    mine = next(side for side in sides if seat in side)
    who = (found["late"] or found["who"]).casefold()
    named = next((i for i, name in enumerate(context.names) if name.casefold() == who), None)
    foreign = named not in mine if named is not None else len(mine) == 1 or not who.startswith(("her", "his"))
    if not foreign or state.turn != seat or state.phase != "meld":
        return plain, None
    owner = "another player's" if len(mine) == 1 else "the other team's"
    hint = f"That set is {owner}; you can add only to your own."
    return plain, Reading("refused", code="OWNER", hint=hint, rest=body)


def _on_a_meld(body: str, names: Sequence[str]) -> str:
    """`jack on bea's` as `jack on bea's meld`, `to the set of fours` as `to the fours`."""
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    body = re.sub(r"\b(to|on|onto) the (?:set|meld) of (?=\w+s\b)", r"\1 the ", body, flags=re.IGNORECASE)
    whose = rf"\b(to|on|onto|with) ({listed})(?:'?s)?(?=[\s.!]*\Z)"
    return re.sub(whose, r"\1 \2's meld", body, flags=re.IGNORECASE)
