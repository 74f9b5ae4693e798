"""A decent player of Queen of Spades, from what its seat can see.

It lays what it has, for what is down counts and is never lost; twos wait until two naturals need one, or for the end.
It takes a pile whenever it may, unless the round is about to end. It lets go what is least likely to become a set.
"""

from collections import Counter
from collections.abc import Sequence

from engine.cards import JOKER_RANK, QUEEN_OF_SPADES, Card, Rank
from engine.game import Move
from engine.rummy.queen_of_spades_table import CUT, TWO, View, card_values, decks_of
from engine.rummy.table import DRAW

PILE_CARD = 7.0  # what a card of the pile, unseen, is worth to who takes it
PAIR = 10.0  # what a pair is worth over its cards, for the next pile
SPADE_QUEEN = 40.0  # beyond what she counts: nobody gives her away early


def choose(view: View, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1 or view.phase == CUT:
        return legal[0]
    table = Table(view)
    if view.phase == DRAW:
        return max(legal, key=lambda move: take_value(table, move))
    lays = [(lay_value(table, move), move) for move in legal if move.verb in ("meld", "add")]
    if lays:
        value, move = max(lays, key=lambda lay: lay[0])
        if value > 0:
            return move
    discards = [move for move in legal if move.verb == "discard"]
    return min(discards, key=lambda move: discard_cost(table, move.cards[0]))


class Table:
    """A view, counted once for a decision."""

    __slots__ = ("ends", "hand", "held", "mine", "unseen", "values", "view")

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.hand = view.hand
        self.values = card_values(view.options)
        self.held: Counter[Rank] = Counter(card >> 2 for card in view.hand)
        self.mine = {down.rank for down in view.down if down.side == view.seat}
        self.unseen = sum(view.counts) - len(view.hand) + view.stock_count + max(view.pile_count - 1, 0)
        others = [count for seat, count in enumerate(view.counts) if seat != view.seat]
        ends = max(0.02, 0.7 - 0.12 * min(others))  # the chance that the round is over before our next turn
        if view.stock_count < view.seats and view.options.stock_out == "end_round":
            ends = max(ends, 0.6)
        self.ends = ends

    def hidden(self, rank: Rank) -> int:
        """How many of this rank we cannot see."""
        view = self.view
        count = decks_of(view.options, view.seats) * (2 if rank == JOKER_RANK else 4) - self.held[rank]
        count -= sum(card >> 2 == rank for down in view.down for card in down.cards)
        return max(count - (view.top is not None and view.top >> 2 == rank), 0)


def take_value(table: Table, move: Move) -> float:
    """What a draw (0), a take or a pass is worth."""
    view, values = table.view, table.values
    if move.verb == "take":
        card = move.cards[0]
        rank, held = card >> 2, table.held[card >> 2]
        if rank in table.mine or (held >= 2 and len(table.hand) >= 3):
            return values[card] + 5.0
        if min((*table.hand, card), key=lambda other: discard_cost(table, other)) >> 2 == rank:
            return -1.0  # it, or its twin, would go straight back
        return values[card] * 0.5 - 4.0 if held == 1 or rank == TWO else -1.0
    if move.verb == "pickup":
        laid = values[view.top or 0] + sum(values[card] for card in move.cards) * table.ends
        unseen = (view.pile_count - 1) * PILE_CARD * (1 - 2.5 * table.ends)
        return laid + unseen + len(move.cards)
    return 0.0 if move.verb == "draw" else -2.0


def lay_value(table: Table, move: Move) -> float:
    """What laying or adding these cards now is worth; 0 or less where they are better held."""
    values, twos = table.values, sum(card >> 2 == TWO for card in move.cards)
    worth = float(sum(values[card] for card in move.cards))
    if not twos:
        return worth
    if twos == len(move.cards):  # a set of twos, or a two to a set of any other rank
        return worth if move.verb == "meld" and len(move.cards) > 2 else worth * (table.ends - 0.25)
    naturals = len(move.cards) - twos
    if naturals >= 3:
        return worth * (table.ends - 0.5)
    need = 0.45 if twos == 1 else 0.7
    bonus = SPADE_QUEEN if QUEEN_OF_SPADES in move.cards else 0.0
    return worth * (0.6 + 2 * table.ends - need) + bonus - 8.0


def discard_cost(table: Table, card: Card) -> float:
    """What it costs to let this card go: what it might become, and what the next player may make of it."""
    view, value = table.view, float(table.values[card])
    rank, left = card >> 2, 1 - table.ends
    if rank == TWO:
        return 40 * left
    hope = 0.0
    if rank in table.mine:
        hope = 2 * value
    elif table.held[rank] >= 2:
        hope = (PAIR + value) * left
    else:
        hope = value * table.hidden(rank) / max(table.unseen, 1) * 12 * left
    if card == QUEEN_OF_SPADES:
        hope += SPADE_QUEEN * (left - 0.5)
    given = value * 0.5 if view.pile_count == 0 else table.hidden(rank) / max(table.unseen, 1) * view.pile_count * 4
    return hope + given - value * (table.ends * 2 + 0.2)
