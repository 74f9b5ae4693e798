"""A decent player of Hearts, from what its seat can see.

For every card it may play it weighs the points that the trick is likely to cost (the chance to win it times what will lie
in it) against how much trouble the card makes when it is kept. Against somebody who has taken every point so far it
gives nothing more, and takes a heart where it can. It counts the cards that are gone and who has shown to be out of a
suit. The weights were found by playing.
"""

from collections.abc import Sequence

from engine.bots.trick_sight import TrickSight
from engine.cards import QUEEN_OF_SPADES, Card
from engine.game import Move, Seat
from engine.tricks.hearts import HEARTS_GAME, JACK, QUEEN_COUNTS
from engine.tricks.table import HEARTS, MOON, PASS, SPADES, TrickView

JACK_GAIN = 10
GOES_OVER = 0.75  # how often somebody who could go over or under goes over, for its share of the cards
THROWN_HEART = 1.0
MOON_THREAT = 8  # points in one hand alone before anybody thinks of the moon


def choose(view: TrickView, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1:
        return legal[0]
    if view.phase == PASS:
        return Move("pass", tuple(sorted(pass_cards(view))))
    if view.phase == MOON:
        return moon_choice(view, legal)
    sight = Sight(view)
    return min(legal, key=lambda move: (sight.cost(move.cards[0]), move.cards[0]))


def moon_choice(view: TrickView, legal: Sequence[Move]) -> Move:
    """The others pay, unless that ends a game which we would not win."""
    seat = view.seat
    assert seat is not None
    points = HEARTS_GAME.stakes(view.options, view.seats).points
    added = [score + (0 if other == seat else points) for other, score in enumerate(view.scores)]
    loses = max(added) >= view.options.target and min(added) < added[seat]
    wanted = "subtract" if loses else "add"
    return next(move for move in legal if move.value == wanted)


# The pass


def pass_cards(view: TrickView) -> list[Card]:
    """The cards that are the most trouble; a short suit goes whole."""
    hand = list(view.hand)
    chosen: list[Card] = []
    while len(chosen) < view.passes:
        worst = max(hand, key=lambda card: (pass_worth(view, hand, card), card))
        hand.remove(worst)
        chosen.append(worst)
    return chosen


def pass_worth(view: TrickView, hand: Sequence[Card], card: Card) -> float:
    """How glad we are to be rid of a card."""
    suit, rank = card & 3, card >> 2
    mine = [other for other in hand if other & 3 == suit]
    if suit == SPADES:
        low = sum(other < QUEEN_OF_SPADES for other in mine)
        if card == QUEEN_OF_SPADES:
            return 60.0 if low < 4 else 8.0
        if card > QUEEN_OF_SPADES:
            return 50.0 if low < 3 else 6.0 if low > 4 else 14.0
        return -10.0 if QUEEN_OF_SPADES in mine or len(mine) > 2 else -2.0
    if card == JACK and view.options.jack_diamonds != "0":
        return -20.0
    lower = sum(other < card for other in mine)
    if suit == HEARTS:
        return rank * 2.2 - 3.0 * lower
    return rank * 1.5 + (10.0 - 3.0 * len(mine) if len(mine) <= 3 else 0.0) - 0.8 * lower


# The play


class Sight(TrickSight):
    """What matters in Hearts."""

    def __init__(self, view: TrickView) -> None:
        super().__init__(view, HEARTS_GAME.pack(view.options, view.seats))
        self.jack = view.options.jack_diamonds != "0"
        self.queen = QUEEN_OF_SPADES in self.unseen[SPADES]  # still to come from another hand
        self.queen_at = view.pass_to if self.queen and QUEEN_OF_SPADES in view.passed else None
        self.mine = [[card for card in view.hand if card & 3 == suit] for suit in range(4)]
        self.trick_points = sum(map(self.counts, (card for _, card in view.trick)))
        self.after = [(self.seat + i) % view.seats for i in range(1, view.seats - len(view.trick))]
        self.safe_first = view.first and view.options.first_trick_points != "allow"
        self.void = {seat: [self.chance_void(seat, suit) for suit in range(4)] for seat in self.after}
        self.best = self.winning = None
        if view.trick:
            led = view.trick[0][1] & 3
            self.winning, self.best = max(
                ((seat, card) for seat, card in view.trick if card & 3 == led), key=lambda play: play[1]
            )
        self.left = self.still_to_take()
        self.danger = {card: self.trouble(card) for card in set(view.hand)}
        self.shooter, self.threat = self.moon_threat()

    def counts(self, card: Card) -> int:
        """What a card counts for who takes it."""
        if card & 3 == HEARTS:
            return 1
        if card == QUEEN_OF_SPADES:
            return QUEEN_COUNTS
        return -JACK_GAIN if self.jack and card == JACK else 0

    def chance_queen(self, seat: Seat) -> float:
        """The chance that this seat has the queen of spades."""
        if not self.queen or self.view.voids[seat] >> SPADES & 1:
            return 0.0
        if self.queen_at is not None:
            return 1.0 if self.queen_at == seat else 0.0
        others = [
            other for other in range(self.view.seats) if other != self.seat and not self.view.voids[other] >> SPADES & 1
        ]
        return 1.0 / max(1, len(others))

    def moon_threat(self) -> tuple[Seat | None, float]:
        """Who has taken every point so far, and how likely that becomes a moon."""
        points = [sum(max(0, self.counts(card)) for card in cards) for cards in self.view.taken]
        takers = [seat for seat, count in enumerate(points) if count]
        if len(takers) != 1 or points[takers[0]] < MOON_THREAT:
            return None, 0.0
        whole = HEARTS_GAME.stakes(self.view.options, self.view.seats).points
        return takers[0], (points[takers[0]] - MOON_THREAT + 2) / (whole - MOON_THREAT + 2)

    def still_to_take(self) -> float:
        """How much of what counts nobody has taken yet, from 1 down to a third."""
        taken = sum(max(0, self.counts(card)) for cards in self.view.taken for card in cards)
        whole = HEARTS_GAME.stakes(self.view.options, self.view.seats).points
        return 1.0 - 0.65 * taken / whole

    def trouble(self, card: Card) -> float:
        """How much a card costs us, more or less, if it is kept."""
        suit = card & 3
        others = self.unseen[suit]
        lower = sum(other < card for other in others)
        takes = lower / len(others) if others else 0.0  # how likely it wins a trick that somebody else leads
        middle = others[len(others) // 2] if others else 0
        guards = sum(other < card and other < middle for other in self.mine[suit])
        if card == QUEEN_OF_SPADES:
            return 9.0 / (1 + 0.4 * sum(other < card for other in self.mine[SPADES]))
        if self.jack and card == JACK:
            return -4.0
        if suit == SPADES and card > QUEEN_OF_SPADES and self.queen:
            return 5.0 / (1 + 0.5 * guards)
        weight = 2.6 if suit == HEARTS else 1.8
        return self.left * weight * takes**2 / (1 + 0.35 * guards) + 0.02 * (card >> 2)

    def chance_to_win(self, card: Card, led: int) -> float:
        """The chance that nobody after us goes over this card."""
        higher = sum(other > card for other in self.unseen[led])
        lower = len(self.unseen[led]) - higher
        if not higher:
            return 1.0
        chance = 1.0
        for seat in self.after:
            over = higher / (higher + lower) if not lower else GOES_OVER * higher / (higher + lower)
            chance *= 1.0 - (1.0 - self.void[seat][led]) * over
        return chance

    def to_come(self, card: Card, led: int) -> float:
        """What the players after us will put on the trick, in points."""
        points = 0.0
        bait = led == SPADES and max(card if card & 3 == led else 0, self.best or 0) > QUEEN_OF_SPADES
        hearts = bool(self.unseen[HEARTS])
        for seat in self.after:
            void, queen = self.void[seat][led], self.chance_queen(seat)
            if led == HEARTS:
                points += 1.0 - void
            elif led == SPADES:
                points += queen * QUEEN_COUNTS * (0.9 if bait else 0.12)
            if not self.safe_first:
                points += void * (queen * QUEEN_COUNTS * 0.8 * (led != SPADES) + THROWN_HEART * hearts)
        return points

    def cost(self, card: Card) -> float:
        """What it costs to play this card now rather than keep it."""
        view = self.view
        led = view.trick[0][1] & 3 if view.trick else card & 3
        worth = self.counts(card)
        if card & 3 == led and (self.best is None or card > self.best):
            chance = self.chance_to_win(card, led)
        else:
            chance = 0.0
        points = self.trick_points + worth + (self.to_come(card, led) if chance else 0.0)
        cost = chance * points - self.danger[card]
        if self.jack and card == JACK:
            cost += (1.0 - chance) * JACK_GAIN
        if chance and not self.after:
            cost += self.lead_trouble(card)
        if self.shooter is not None:
            cost += self.stop(card, chance, points, worth)
        return cost

    def lead_trouble(self, card: Card) -> float:
        """A little, for having to lead: the less so the more low cards there are to lead."""
        low = min((self.danger[other] for other in self.hand if other != card), default=0.0)
        return 0.3 + min(low, 3.0)

    def stop(self, card: Card, chance: float, points: float, worth: int) -> float:
        """Against the moon: to take a point is worth much, to give one to the shooter costs as much."""
        if self.shooter == self.seat:
            return 0.0
        stake = self.threat * HEARTS_GAME.stakes(self.view.options, self.view.seats).points
        cost = 0.0
        if points > 0.5:
            cost -= chance * min(stake, stake * points)
            if chance < 1 and worth > 0 and self.winning in (self.shooter, None):
                cost += (1.0 - chance) * stake * 0.8
        if card & 3 == HEARTS and not chance:
            cost += self.threat * (card >> 2) * 0.4  # a high heart may stop it later
        return cost
