"""A decent player of Spades, from what its seat can see.

It counts its hand for the bid, goes nil with a hand that takes nothing, and looks before it bids unless far behind. In the
play every card is weighed by what the trick is worth to the side (one still wanted, one that sets the others, a bag) times
the chance that the side wins it, less what the card could win later; so it leaves a trick to a partner who has it, ducks
when bags are dear, covers a partner's nil and keeps its own. The weights were found by playing.
"""

from collections.abc import Sequence

from engine.bots.trick_sight import TrickSight
from engine.cards import Card
from engine.game import Move, Seat
from engine.tricks.spades import HAND, LOOK, NIL, PACK, SEATS
from engine.tricks.table import BID, EXCHANGE, SPADES, TrickView

ACE, KING, QUEEN, JACK = 12, 11, 10, 9  # ranks
BLIND_BEHIND = 250  # so far behind that a blind nil is worth a try
GOES_OVER = 0.8


def choose(view: TrickView, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1:
        return legal[0]
    if view.phase == BID:
        return bid(view, legal)
    if view.phase == EXCHANGE:
        return Move("exchange", tuple(sorted(exchange(view))))
    sight = Sight(view)
    return max(legal, key=lambda move: (sight.value(move.cards[0]), -(move.cards[0] >> 2), -move.cards[0]))


# The bid


def bid(view: TrickView, legal: Sequence[Move]) -> Move:
    """Looks first; then the bid nearest to what the hand is worth."""
    assert view.seat is not None
    if LOOK in legal:
        side = view.seat % 2
        partner = view.bids[(view.seat + 2) % SEATS]
        behind = view.scores[1 - side] - view.scores[side] >= BLIND_BEHIND
        late = view.scores[1 - side] >= view.options.target - 150
        blind = [move for move in legal if move.value == "blind"]
        return blind[0] if blind and behind and late and (partner is None or partner > NIL) else LOOK
    if legal[0].value == "nil" and is_nil(view):
        return legal[0]
    numbers = [move for move in legal if move.value.isdigit()]
    wanted = max(1, tricks_in(view))
    partner = view.bids[(view.seat + 2) % SEATS]
    if partner is not None and partner > 0:
        wanted = min(wanted, HAND - partner)
    return min(numbers, key=lambda move: abs(int(move.value) - wanted))


def tricks_in(view: TrickView) -> int:
    """The tricks that this hand should take."""
    suits = [[card >> 2 for card in view.hand if card & 3 == suit] for suit in range(4)]
    spades = suits[SPADES]
    count = 0.0
    for i, rank in enumerate(sorted(spades, reverse=True)):
        if rank == ACE or (rank == KING and len(spades) >= 2):
            count += 1.0
        elif rank == QUEEN and len(spades) >= 3:
            count += 0.75
        elif i >= 3:
            count += 0.85
        elif rank == JACK and len(spades) >= 4:
            count += 0.4
    spare = max(0, min(len(spades), 4) - 1)
    for suit in suits[:SPADES]:
        if ACE in suit:
            count += 0.95 if len(suit) <= 5 else 0.7
        if KING in suit and len(suit) >= 2:
            count += 0.7 if len(suit) <= 5 else 0.4
        if QUEEN in suit and 3 <= len(suit) <= 4:
            count += 0.25
        if len(suit) <= 1 and spare:
            count += 0.8 if not suit else 0.45
            spare -= 1
    return int(count + 0.65)


def is_nil(view: TrickView) -> bool:
    """Whether the hand can hope to take nothing."""
    assert view.seat is not None
    partner = view.bids[(view.seat + 2) % SEATS]
    if partner is not None and partner <= NIL:
        return False
    risk = 0.0
    for suit in range(4):
        ranks = sorted(card >> 2 for card in view.hand if card & 3 == suit)
        if suit == SPADES:
            if len(ranks) > 3 or any(rank >= KING for rank in ranks):
                return False
            risk += sum(max(0, rank - 5 - i) for i, rank in enumerate(ranks)) * 0.14
        else:
            for i, rank in enumerate(ranks[:3]):
                risk += max(0, rank - 4 - 2 * i) * (0.1 if len(ranks) > 1 else 0.12)
    return risk < 0.85


def exchange(view: TrickView) -> list[Card]:
    """Who bid nil gives the cards most likely to take a trick; the partner of one gives the least likely."""
    assert view.seat is not None
    mine = view.bids[view.seat]
    away = mine is not None and mine <= NIL

    def might(card: Card) -> tuple[bool, int, int]:
        length = sum(other & 3 == card & 3 for other in view.hand)
        return (card & 3 == SPADES, card >> 2, length)

    return sorted(view.hand, key=might, reverse=away)[: view.passes]


# The play


class Sight(TrickSight):
    """What matters in Spades."""

    def __init__(self, view: TrickView) -> None:
        super().__init__(view, PACK)
        self.partner = (self.seat + 2) % SEATS
        self.after = [(self.seat + i) % SEATS for i in range(1, SEATS - len(view.trick))]
        self.void = {seat: [self.chance_void(seat, suit) for suit in range(4)] for seat in range(SEATS)}
        self.led = view.trick[0][1] & 3 if view.trick else None
        self.winning: Seat | None = None
        self.best: Card | None = None
        for seat, card in view.trick:
            if self.beats(card, self.best):
                self.winning, self.best = seat, card
        self.nil = [bid is not None and bid <= NIL and not view.tricks[seat] for seat, bid in enumerate(view.bids)]
        self.left = len(view.hand)
        self.want = self.worth_of_a_trick()

    def beats(self, card: Card, best: Card | None) -> bool:
        """Whether a card goes over the best one of the trick."""
        if best is None:
            return True
        return card > best if card & 3 == best & 3 else card & 3 == SPADES

    def need(self, seat: Seat) -> int:
        """How many tricks the side of this seat still wants."""
        view, options = self.view, self.view.options
        need = 0
        for other in (seat, (seat + 2) % SEATS):
            bid = view.bids[other]
            if bid is None or bid > 0:
                need += (bid or 0) - view.tricks[other]
            elif options.failed_nil_tricks == "count_for_partner":
                need -= view.tricks[other]
        return need

    def worth_of_a_trick(self) -> float:
        """What it is worth to the side to win this trick: much while it has a contract to make, less than nothing for a bag."""
        ours, theirs = self.need(self.seat), self.need((self.seat + 1) % SEATS)
        if ours > 0:
            return 1.6 if ours >= self.left - 1 else 1.0
        if theirs > 0 and self.left - theirs <= 1:
            return 1.2  # one more for us and they are set
        if self.view.options.bags == "off":
            return 0.1
        side = self.seat % 2
        room = self.view.options.bag_limit - self.view.bags[side] + min(ours, 0)  # bags until the penalty
        return -0.5 if room <= 3 else -0.3

    def over(self, seat: Seat, best: Card) -> float:
        """The chance that this seat goes over that card, if it likes."""
        led = self.led if self.led is not None else best & 3
        void = self.void[seat][led]
        follows = 0.0
        if best & 3 == led:
            higher = sum(other > best for other in self.unseen[led])
            follows = (1.0 - void) * self.has(seat, higher)
        if led == SPADES:
            return follows
        trumps = self.unseen[SPADES]
        spades = sum(other > best for other in trumps) if best & 3 == SPADES else len(trumps)
        ruffs = 0.0 if self.void[seat][SPADES] == 1.0 else self.has(seat, spades)
        return follows + void * ruffs

    def has(self, seat: Seat, count: int) -> float:
        """The chance that this seat has one of so many cards that we cannot see."""
        share = min(1.0, self.view.counts[seat] / self.hidden)
        return float(1.0 - (1.0 - share) ** count)

    def keeps(self, best: Card, seats: Sequence[Seat]) -> float:
        """The chance that none of these seats goes over that card."""
        chance = 1.0
        for seat in seats:
            likes = 0.15 if self.nil[seat] else 0.95
            chance *= 1.0 - likes * self.over(seat, best)
        return chance

    def value(self, card: Card) -> float:
        """What it is worth to play this card now."""
        mine = self.best is None or (card > self.best if card & 3 == self.best & 3 else card & 3 == SPADES)
        best = card if mine else self.best
        assert best is not None
        others = [seat for seat in self.after if seat != self.partner]
        partner_next = self.partner in self.after
        if self.nil[self.seat]:
            return self.own_nil(card, mine)
        if mine or self.winning == self.partner:
            team = self.keeps(best, others)
        else:
            team = self.over(self.partner, best) * GOES_OVER * 0.7 if partner_next else 0.0
        value = self.want * team - self.later(card)
        if self.nil[self.partner]:
            value -= 4.0 * self.partner_takes(card, best, mine, partner_next)
        for seat in (self.seat + 1) % SEATS, (self.seat + 3) % SEATS:
            if self.nil[seat]:
                value += self.set_nil(seat, card, best, mine)
        return value

    def own_nil(self, card: Card, mine: bool) -> float:
        """With a nil of one's own: never win if it can be helped, and throw what might win."""
        chance = self.keeps_for_nil(card) if mine else 0.0
        return -10.0 * chance + self.hazard(card)

    def keeps_for_nil(self, card: Card) -> float:
        """The chance that a card which wins now goes on to win: others may well leave a trick to a nil bidder."""
        chance = 1.0
        led = self.led if self.led is not None else card & 3
        for seat in self.after:
            higher = sum(other > card for other in self.unseen[led])
            lower = len(self.unseen[led]) - higher
            share = higher / (higher + lower) if card & 3 == led and higher + lower else 0.0
            eager = 1.0 if seat == self.partner else 0.6
            chance *= 1.0 - eager * (
                (1.0 - self.void[seat][led]) * share + self.void[seat][led] * 0.4 * (led != SPADES)
            )
        return chance

    def hazard(self, card: Card) -> float:
        """How likely a card is to take a trick for a nil bidder later on."""
        suit = card & 3
        guards = sum(other & 3 == suit and other < card for other in self.hand)
        lower = sum(other < card for other in self.unseen[suit])
        share = lower / len(self.unseen[suit]) if self.unseen[suit] else 0.0
        return (1.5 if suit == SPADES else 1.0) * share / (1 + 0.5 * guards) + 0.01 * (card >> 2)

    def partner_takes(self, card: Card, best: Card, mine: bool, partner_next: bool) -> float:
        """The chance that a partner who bid nil takes this trick."""
        if not partner_next:
            if mine or self.winning != self.partner:
                return 0.0
            return self.keeps(best, self.after)
        led = self.led if self.led is not None else card & 3
        higher = sum(other > best for other in self.unseen[led]) if best & 3 == led else 0
        lower = len(self.unseen[led]) - higher
        return (1.0 - self.void[self.partner][led]) * (higher / (higher + lower)) ** 1.5 if higher else 0.0

    def set_nil(self, seat: Seat, card: Card, best: Card, mine: bool) -> float:
        """What a card does to an opponent's nil: a trick that the nil bidder is winning is left there."""
        if self.winning == seat and seat not in self.after:
            return -1.5 if mine else 0.0
        if seat in self.after:
            led = self.led if self.led is not None else card & 3
            if best & 3 != led or self.void[seat][led] == 1.0:
                return 0.0
            return 0.5 * (1.0 - (best >> 2) / 12)
        return 0.0

    def later(self, card: Card) -> float:
        """What a card is worth if it is kept: its chance to win a trick, counted against us once we want no more."""
        suit, rank = card & 3, card >> 2
        unseen = self.unseen[suit]
        higher = sum(other > card for other in unseen)
        if suit == SPADES:
            chance = 0.95 if not higher else max(0.3, 0.75 - 0.12 * higher)
            chance += 0.01 * rank
        elif not higher:
            chance = 0.75 if len(unseen) >= 4 else 0.5 if unseen else 0.3
        elif higher == 1:
            chance = 0.4
        else:
            chance = max(0.0, 0.25 - 0.05 * higher)
        chance += 0.004 * rank
        return chance if self.want > 0 else -0.5 * chance
