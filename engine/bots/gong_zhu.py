"""A decent player of Gong Zhu, from what its seat can see.

A trick is weighed by what its cards do to the pile that one has already, by the game's own score: the ten of clubs is
dear with hearts in the pile and welcome with the sheep. To that come the cards that others are likely to add, and how much
trouble a card makes when it is kept. It shows the sheep or the pig when its suit is long. The weights were found by playing.
"""

from collections.abc import Sequence

from engine.bots.trick_sight import TrickSight
from engine.cards import Card
from engine.game import Move, Seat
from engine.tricks.gong_zhu import (
    ACE_OF_HEARTS,
    GONG_ZHU,
    PIG,
    PIP,
    SHEEP,
    SHEEP_COUNTS,
    STANDARD,
    TEN,
    score_pile,
)
from engine.tricks.table import CLUBS, DIAMONDS, EXPOSE, HEARTS, SPADES, TrickView, of_suit

GOES_OVER = 0.75
HEART = 14.0  # what a heart that is thrown costs on average
MANY_HEARTS = 6  # in one pile, with all that are gone, before anybody thinks of all thirteen


def choose(view: TrickView, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1:
        return legal[0]
    if view.phase == EXPOSE:
        return max(legal, key=lambda move: (sum(worth_showing(view, card) for card in move.cards), -len(move.cards)))
    sight = Sight(view)
    return min(legal, key=lambda move: (sight.cost(move.cards[0]), move.cards[0]))


def worth_showing(view: TrickView, card: Card) -> float:
    """Above nothing where the suit is long enough to keep the card until it does what we want."""
    suit = [other for other in view.hand if other & 3 == card & 3]
    low = sum(other < card for other in suit)
    if card == SHEEP:
        return len(suit) - 4.5 + 1.5 * sum(other > card for other in suit)
    if card == PIG:
        return low - 4.5
    return -1.0


class Sight(TrickSight):
    """What matters in Gong Zhu."""

    def __init__(self, view: TrickView) -> None:
        super().__init__(view, GONG_ZHU.pack(view.options, view.seats))
        self.exposed = [card for cards in view.exposed for card in cards]
        self.holder = {card: seat for seat, cards in enumerate(view.exposed) for card in cards}
        side = next(side for side in view.sides if self.seat in side)
        self.partner = next((seat for seat in side if seat != self.seat), None)
        pooled = view.options.partner_scoring == "pooled"
        self.pile = [card for seat in (side if pooled else (self.seat,)) for card in view.taken[seat]]
        self.now = score_pile(view.options, self.pile, self.exposed)
        self.on_table = [card for _, card in view.trick]
        self.after = [(self.seat + view.step * i) % view.seats for i in range(1, view.seats - len(view.trick))]
        self.void = {seat: [self.chance_void(seat, suit) for suit in range(4)] for seat in self.after}
        self.winning: Seat | None = None
        self.best: Card | None = None
        if view.trick:
            led = view.trick[0][1] & 3
            self.winning, self.best = max(
                ((seat, card) for seat, card in view.trick if card & 3 == led), key=lambda play: play[1]
            )
        self.scale = STANDARD if view.options.heart_scale == "standard" else PIP
        self.heart = 2.0 if ACE_OF_HEARTS in self.exposed else 1.0
        self.pig = float(view.options.pig_value) * (2 if PIG in self.exposed else 1)
        self.sheep = float(SHEEP_COUNTS) * (2 if SHEEP in self.exposed else 1)
        self.danger = {card: self.trouble(card) for card in view.hand}
        self.runner = self.all_hearts()

    def all_hearts(self) -> Seat | None:
        """Somebody else who has taken every heart so far, and many."""
        takers = [seat for seat, cards in enumerate(self.view.taken) if of_suit(cards, HEARTS)]
        if len(takers) != 1 or takers[0] in (self.seat, self.partner):
            return None
        return takers[0] if len(of_suit(self.view.taken[takers[0]], HEARTS)) >= MANY_HEARTS else None

    def chance_of(self, seat: Seat, card: Card) -> float:
        """The chance that this seat has the card."""
        if card not in self.unseen[card & 3]:
            return 0.0
        if card in self.holder:
            return 1.0 if self.holder[card] == seat else 0.0
        return 0.0 if self.view.voids[seat] >> (card & 3) & 1 else self.view.counts[seat] / self.hidden

    def trouble(self, card: Card) -> float:
        """How much a card costs us, more or less, if it is kept."""
        suit, others = card & 3, self.unseen[card & 3]
        takes = sum(other < card for other in others) / len(others) if others else 0.0
        guards = sum(other & 3 == suit and other < card for other in self.hand)
        if card == PIG:
            return self.pig * 0.6 / (1 + 0.4 * guards)
        if card == SHEEP:
            return -0.3 * self.sheep
        if suit == SPADES and card > PIG and PIG in others:
            return self.pig * 0.35 / (1 + 0.5 * guards)
        if suit == DIAMONDS and card > SHEEP and SHEEP in others:
            return -0.2 * self.sheep
        if card == TEN:
            return 15.0
        if suit == CLUBS and card > TEN and TEN in others:
            return 12.0 / (1 + 0.4 * guards)
        weight = 26.0 * self.heart if suit == HEARTS else 16.0
        return weight * takes**2 / (1 + 0.35 * guards) + 0.2 * (card >> 2)

    def chance_to_win(self, card: Card, led: int) -> float:
        """The chance that nobody after us goes over this card."""
        higher = sum(other > card for other in self.unseen[led])
        lower = len(self.unseen[led]) - higher
        chance = 1.0
        for seat in self.after:
            if higher:
                over = (GOES_OVER if lower else 1.0) * higher / (higher + lower)
                chance *= 1.0 - (1.0 - self.void[seat][led]) * over
        return chance

    def to_come(self, card: Card, led: int) -> float:
        """What the players after us will put on the trick, as a cost."""
        cost = 0.0
        bait = led == SPADES and max(card if card & 3 == led else 0, self.best or 0) > PIG
        for seat in self.after:
            void, pig, ten = self.void[seat][led], self.chance_of(seat, PIG), self.chance_of(seat, TEN)
            loss = self.pig * (-1 if seat == self.partner else 1)
            if led == HEARTS:
                cost += (1.0 - void) * HEART * self.heart
            elif led == SPADES:
                cost += pig * loss * (0.9 if bait else 0.1)
            elif led == CLUBS:
                cost += ten * 8.0
            if led != SPADES:
                cost += void * pig * loss * 0.8
            cost += void * (HEART * self.heart if self.unseen[HEARTS] and seat != self.partner else 0.0)
        return cost

    def cost(self, card: Card) -> float:
        """What it costs to play this card now rather than keep it."""
        led = self.on_table[0] & 3 if self.on_table else card & 3
        pile = [*self.pile, *self.on_table, card]
        loss = self.now - score_pile(self.view.options, pile, self.exposed)
        if self.best is None or (card & 3 == led and card > self.best):
            chance = self.chance_to_win(card, led)
        else:
            chance = 0.0
        cost = chance * (loss + self.to_come(card, led)) - self.danger[card]
        if not chance or card in (PIG, SHEEP):
            cost += (1.0 - chance) * self.given(card)
        if chance and not self.after:
            cost += 3.0
        if self.runner is not None and card & 3 == HEARTS:
            cost -= 150.0 * chance if chance else 0.0
            cost += 60.0 if not chance and self.winning == self.runner else 0.0
        return cost

    def given(self, card: Card) -> float:
        """What it costs to let somebody else take this card; the other way round where that is the partner."""
        to_partner = self.partner is not None and self.winning == self.partner
        if card == SHEEP:
            return -0.6 * self.sheep if to_partner else 0.8 * self.sheep
        if not to_partner:
            return 0.0
        if card == PIG:
            return self.pig
        return -1.0 * self.scale.get(card, 0) * self.heart
