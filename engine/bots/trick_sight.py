"""What a player of tricks cannot see, and what may be guessed of it."""

from collections import Counter
from collections.abc import Iterable

from engine.cards import Card
from engine.game import Seat
from engine.tricks.table import TrickView


class TrickSight:
    """The view of a seat, counted once for a decision.

    `unseen` has, by suit and the lowest first, every card that the seat cannot see; `hidden` is how many there are, at least 1.
    """

    def __init__(self, view: TrickView, pack: Iterable[Card]) -> None:
        assert view.seat is not None, "spectators play no card"
        self.view, self.hand = view, view.hand
        self.seat: Seat = view.seat
        unseen = Counter(pack)
        unseen.subtract([*view.hand, *view.gone, *view.carried, *[card for _, card in view.trick]])
        self.unseen: list[list[Card]] = [[], [], [], []]
        for card, count in sorted(unseen.items()):
            self.unseen[card & 3] += [card] * count
        self.hidden = max(1, sum(map(len, self.unseen)))

    def chance_void(self, seat: Seat, suit: int) -> float:
        """The chance that this seat has none of the suit."""
        if self.view.voids[seat] >> suit & 1 or not self.unseen[suit]:
            return 1.0
        share = min(1.0, self.view.counts[seat] / self.hidden)
        return float((1.0 - share) ** len(self.unseen[suit]))
