"""A decent player of 500 Rummy, 5000 Rummy and George, from what its seat can see.

It takes from the pile what makes more on the table than it leaves in the hand, lays what it can (naturals before wilds),
calls Rummy whenever it may, and lets go what is least likely to become a meld and what nobody can call.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.cards import Card
from engine.game import Move
from engine.rummy import rummy500, rummy5000
from engine.rummy.house import ACE, House, card_values, meld_rules
from engine.rummy.melds import HIGH_ACE, LOW_ACE, MeldRules, places_of_rank
from engine.rummy.offers import melds_in
from engine.rummy.run_table import Laid, View
from engine.rummy.table import DRAW

HOUSES: Mapping[str, Callable[[Any], House]] = {
    "rummy500": rummy500.house_of,
    "rummy5000": rummy5000.house_of,
    "george": rummy5000.house_of,
}
FROM_STOCK = 4.0  # what a card from the stock is worth, unseen
HELD = 0.35  # of what it counts: the risk of a card in the hand


def choose(view: View, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1:
        return legal[0]
    table = Table(view)
    calls = [move for move in legal if move.verb == "rummy"]
    if calls:
        return max(calls, key=table.worth)
    if view.phase == DRAW:
        return max(legal, key=table.take_value)
    if legal[0].verb == "pick":
        return legal[-1]  # the larger hand makes more melds
    lays = [move for move in legal if move.verb in ("meld", "add", "swap")]
    if lays:
        best = max(lays, key=table.lay_value)
        if table.lay_value(best) > 0 or not any(move.verb == "discard" for move in legal):
            return best
    return min((move for move in legal if move.verb == "discard"), key=lambda move: table.discard_cost(move.cards[0]))


class Table:
    """A view, counted once for a decision."""

    __slots__ = ("counts", "ends", "faces", "house", "rules", "values", "view")

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.house = HOUSES[view.game](view.options)
        self.rules: MeldRules = meld_rules(self.house, view.packs, view.wild)
        self.values = card_values(self.house, view.wild)
        self.faces = set(view.hand)
        self.counts = Counter(card >> 2 for card in view.hand if card not in self.rules.wild)
        others = [count for seat, count in enumerate(view.counts) if seat != view.seat]
        ends = max(0.03, 0.6 - 0.1 * min(others))  # the chance that the round is over before our next turn
        if view.stock_count < view.seats:
            ends = max(ends, 0.5)
        self.ends = ends

    def worth(self, move: Move) -> int:
        """What the cards of a move count."""
        return sum(self.values[card] for card in move.cards)

    def made_of(self, hand: Sequence[Card]) -> tuple[float, list[Card]]:
        """What the melds that a hand makes are worth, one after the other the best, and what is left of it."""
        left, total = list(hand), 0.0
        while len(left) >= 3:
            found = melds_in(self.rules, left)
            if not found:
                break
            best = max(
                found, key=lambda meld: (sum(self.values[c] for c in meld.cards) / len(meld.cards), len(meld.cards))
            )
            total += sum(self.values[card] for card in best.cards)
            for card in best.cards:
                left.remove(card)
        return total, left

    def take_value(self, move: Move) -> float:
        """What a draw, a take or a pass is worth."""
        view = self.view
        if move.verb == "draw":
            return FROM_STOCK
        if move.verb == "pass":
            return -5.0 if view.laid[view.seat or 0] == max(view.laid) else -20.0
        depth = _depth(view.pile, move.cards)
        taken = list(view.pile[-depth:])
        before, left = self.made_of(view.hand)
        after, rest = self.made_of([*view.hand, *taken])
        cost = sum(self.values[card] for card in rest) - sum(self.values[card] for card in left)
        fits = depth == 1 and after == before and self.fits_table(taken[0])
        if fits:
            return FROM_STOCK + self.values[taken[0]]
        burden = HELD if not self.house.subtract else 2 * HELD
        return after - before - max(cost, 0) * (burden + self.ends) - (2.0 if depth == 1 else 0.0)

    def fits_table(self, card: Card) -> bool:
        """Whether the card goes on one of our melds or, where we may lay off, on any."""
        view = self.view
        if self.house.layoff_needs_meld and all(meld.owner != view.seat for meld in view.melds):
            return False
        for meld in view.melds:
            if meld.owner != view.seat and not self.house.layoff_opponents:
                continue
            if meld.run:
                if self.grows(meld, card):
                    return True
            elif any(card >> 2 == stands >> 2 for stands in meld.stands) and len(meld.cards) < self.rules.most:
                return True
        return False

    def grows(self, meld: Laid, card: Card) -> bool:
        """Whether a card is the next at an end of the run: never round the corner, and never a second ace."""
        first = meld.stands[0] >> 2
        low = LOW_ACE if first == ACE else first + 1  # a run begins with an ace only below a two
        length = 1
        while length < len(meld.stands) and meld.stands[length] >> 2 == (low + length - 1) % 13:
            length += 1  # the real cards beside wilds come after the run
        high = low + length - 1
        if card >= 52 or card & 3 != meld.stands[0] & 3:
            return False
        for place in places_of_rank(card >> 2):
            both_aces = (place == HIGH_ACE and low == LOW_ACE) or (place == LOW_ACE and high == HIGH_ACE)
            if place in (low - 1, high + 1) and place >= self.rules.lowest and not both_aces:
                return True
        return False

    def lay_value(self, move: Move) -> float:
        """What laying these cards now is worth: naturals before wilds, and more cards before fewer."""
        wilds = [card for card in move.cards if card in self.rules.wild]
        worth = float(self.worth(move)) + len(move.cards)
        if not wilds:
            return worth + 1000
        if move.verb == "meld":
            return worth + 500 - 60 * (len(wilds) - 1)
        return worth if self.ends > 0.15 or len(self.view.hand) < 5 or self.values[wilds[0]] > 50 else 0.0

    def discard_cost(self, card: Card) -> float:
        """What it costs to let this card go: what it might become, and that somebody calls it or takes it."""
        value = float(self.values[card])
        if card in self.rules.wild:
            return 4 * value + 100
        left = 1 - self.ends
        hope = (self.counts[card >> 2] - 1) * 6.0 if self.rules.sets else 0.0
        if self.rules.runs and card < 52:
            for place in places_of_rank(card >> 2):
                for other, near in ((place - 2, 2.0), (place - 1, 4.0), (place + 1, 4.0), (place + 2, 2.0)):
                    if self.rules.lowest <= other <= 13 and (other - 1) % 13 * 4 + (card & 3) in self.faces:
                        hope += near
        cost = hope * left - value * (0.15 + self.ends)
        return cost + (value + 10.0 if self.fits_table(card) else 0.0)


def _depth(pile: Sequence[Card], cards: Sequence[Card]) -> int:
    """How many cards a take of these takes."""
    copies = max(len(cards), 1)
    face = cards[0] if cards else pile[-1]
    for depth in range(1, len(pile) + 1):
        copies -= pile[-depth] == face
        if not copies:
            return depth
    return 1
