"""`the wild` in games where it is no card of its own: a two of Queen of Spades, a card of the round's rank in 5000 Rummy, a joker."""

from collections.abc import Sequence
from typing import Any

from engine.cards import WILD_RANK, Card
from engine.game import Loose, Refusal, Seat, Spec
from service.text.games import wild_rank


def named(game: Any, state: Any, seat: Seat, loose: Loose) -> Loose:
    """The move with the wild cards of this hand where it says `wild`. Refusal NOTHELD where the hand has none left."""
    if not any(spec.rank == WILD_RANK for spec in loose.specs) and WILD_RANK not in loose.whole_rank:
        return loose
    wilds = _held(game, state, seat)
    if wilds is None:
        return loose
    free = list(wilds)
    for spec in loose.specs:
        if spec.card in free:
            free.remove(spec.card)
    specs: list[Spec] = []
    for spec in loose.specs:
        if spec.rank != WILD_RANK:
            specs.append(spec)
        elif free:
            specs.append(_spec(free.pop(0)))
        else:
            raise Refusal("NOTHELD", "You don't hold so many wild cards." if wilds else "You hold no wild card.")
    if WILD_RANK in loose.whole_rank:
        if not free:
            raise Refusal("NOTHELD", "You hold no wild card.")
        specs += map(_spec, free)
    whole = tuple(rank for rank in loose.whole_rank if rank != WILD_RANK)
    return loose._replace(specs=tuple(specs), whole_rank=whole)


def _spec(card: Card) -> Spec:
    return Spec(card >> 2, card)


def _held(game: Any, state: Any, seat: Seat) -> Sequence[Card] | None:
    """The wild cards in the hand, lowest first; None in a game that has the unsuited wild, or none."""
    hand = sorted(state.hands[seat])
    twos = wild_rank(game)
    if twos != WILD_RANK:
        return [card for card in hand if card >> 2 == twos]
    rules = getattr(game, "rules", None)
    wild = getattr(rules(state), "wild", None) if callable(rules) else None
    return None if wild is None else [card for card in hand if card in wild]
