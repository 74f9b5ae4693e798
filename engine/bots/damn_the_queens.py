"""A decent player of Damn the Queens, from what its seat can see.

It lays what it can as soon as it can, for what is down counts, lets the partner add, and is never subtracted; a wild
waits for a pair worth it, or for the end. It takes almost every pile. Its discard weighs what the next player could make
of it (a rank the other team has down is safe), what it is worth in the hand, and how near the end of the round is. The
weights were found by playing it against itself.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from engine.cards import JOKER, JOKER_RANK, QUEEN_OF_SPADES, WILD, WILD_RANK, Card, Rank
from engine.game import Move
from engine.rummy.damn_the_queens_table import PACK, SEATS, VALUES, worth
from engine.rummy.table import DRAW, RummyView

# How likely a hand of so many cards goes out before we play again; longer hands hardly do.
GOES_OUT = (1.0, 0.45, 0.35, 0.25, 0.17, 0.12, 0.09, 0.06, 0.045, 0.03, 0.025, 0.02, 0.015)
RARELY = 0.01

PILE_CARD = 8.0  # what a card in the pile, unseen, is worth to who takes it
WILD_IN_HAND = 12.0  # what a wild is worth before it is laid
PAIR = 12.0  # what a pair is worth over its cards, for the next pile
SINGLE = 6.0
SPADE_QUEEN = 40.0  # beyond what she counts: nobody gives her away early
PACK_WORTH = worth(PACK)
OF_A_RANK, JOKERS, WILDS = 8, PACK.count(JOKER), PACK.count(WILD)


def choose(view: RummyView, legal: Sequence[Move]) -> Move:
    """One of the legal moves; the same view gives the same move."""
    if len(legal) == 1:
        return legal[0]
    table = Table(view)
    if view.phase == DRAW:
        return max(legal, key=lambda move: take_value(table, move))
    if table.can_go_out() and pays_to_go_out(table):
        return go_out(table, legal)
    return lay(table, legal) or discard(table, legal)


class Table:
    """A view, counted once for a decision."""

    __slots__ = (
        "caught", "ends", "hand", "held", "hidden_wilds", "mine", "next", "options", "theirs", "top", "unseen", "view", "wilds"
    )  # fmt: skip

    def __init__(self, view: RummyView) -> None:
        assert view.seat is not None
        self.view = view
        self.options = view.options
        self.hand = view.hand
        self.top = view.top
        self.mine: dict[Rank, tuple[Card, ...]] = {}
        self.theirs: dict[Rank, tuple[Card, ...]] = {}
        for down in view.down:
            (self.mine if down.side == view.seat % 2 else self.theirs)[down.rank] = down.cards
        self.held: dict[Rank, int] = {}
        for card in view.hand:
            self.held[card >> 2] = self.held.get(card >> 2, 0) + 1
        self.wilds = self.held.pop(WILD_RANK, 0)
        laid_wilds = sum(cards.count(WILD) for cards in (*self.mine.values(), *self.theirs.values()))
        self.hidden_wilds = WILDS - self.wilds - laid_wilds - (self.top == WILD)
        self.unseen = sum(view.counts) - len(view.hand) + view.stock_count + max(view.pile_count - 1, 0)
        self.next, partner, last = (view.counts[(view.seat + i) % SEATS] for i in (1, 2, 3))
        goes_on = (1 - chance_out(self.next)) * (1 - chance_out(last)) * (1 - self.chance_stock_ends())
        partner_on = 1 - chance_out(partner)
        self.ends = 1 - goes_on * partner_on  # the chance that the round is over before our next turn
        pays_then = self.options.out_team_subtracts_partner == "on"
        self.caught = self.ends if pays_then else 1 - goes_on  # ... and that what we hold is subtracted

    def chance_stock_ends(self) -> float:
        """The chance that the stock ends the round before our next turn."""
        left = self.view.stock_count
        if left > 8 or self.options.stock_out == "reshuffle":
            return 0.0
        return 0.8 if left < SEATS else 0.5 if left == SEATS else 0.15

    def takes_wild(self, rank: Rank) -> bool:
        """Whether a set of this rank may hold a wild at all."""
        return rank != JOKER_RANK or self.options.joker_set_wild == "on"

    def on_table(self) -> Iterable[Card]:
        """Every card laid by either team."""
        return chain.from_iterable((*self.mine.values(), *self.theirs.values()))

    def hidden(self, rank: Rank) -> int:
        """How many naturals of this rank we cannot see."""
        laid = (*self.mine.get(rank, ()), *self.theirs.get(rank, ()))
        seen = self.held.get(rank, 0) + len(laid) - laid.count(WILD)
        seen += self.top is not None and self.top >> 2 == rank
        return (JOKERS if rank == JOKER_RANK else OF_A_RANK) - seen

    def can_go_out(self) -> bool:
        """Whether everything we hold can go this turn, with or without a last discard."""
        loose = pairs = 0
        room = sum(WILD not in cards and self.takes_wild(rank) for rank, cards in self.mine.items())
        for rank, count in self.held.items():
            if rank in self.mine:
                continue
            if count >= 3:
                room += self.takes_wild(rank)
            elif count == 2 and self.takes_wild(rank):
                pairs += 1
            else:
                loose += count
        return loose + 2 * max(0, pairs - self.wilds) + max(0, self.wilds - pairs - room) <= 1


def chance_out(cards: int) -> float:
    """The chance that a hand of so many cards goes out in its next turn."""
    return GOES_OUT[cards] if cards < len(GOES_OUT) else RARELY


def take_value(table: Table, move: Move) -> float:
    """What a draw (0) or a take of the pile is worth."""
    if move.verb != "pickup" or table.top is None:
        return 0.0
    if len(table.hand) == len(move.cards) and table.view.pile_count == 1:
        return 1000.0 if pays_to_go_out(table) else -1.0
    value = VALUES[table.top] + worth(move.cards) * table.caught + PILE_CARD * (table.view.pile_count - 1)
    if WILD in move.cards:
        value -= WILD_IN_HAND / 2
    elif table.top == WILD and table.held[move.cards[0] >> 2] == 2:
        value += PAIR  # three or more are a set anyway
    return value


def mean_unseen(table: Table) -> float:
    """What a card that we cannot see counts on average."""
    seen = worth(table.hand) + worth(table.on_table()) + (0 if table.top is None else VALUES[table.top])
    return (PACK_WORTH - seen) / max(table.unseen, 1)


def pays_to_go_out(table: Table) -> bool:
    """Almost always: the others pay for their hands. Not where it would hand them the game, or costs us more."""
    view, seat = table.view, table.view.seat
    assert seat is not None
    us, mean = seat % 2, mean_unseen(table)
    counts = view.counts
    partner = counts[(seat + 2) % SEATS] * mean if table.options.out_team_subtracts_partner == "on" else 0.0
    others = (counts[(seat + 1) % SEATS] + counts[(seat + 3) % SEATS]) * mean
    ours = view.scores[us] + view.laid[us] + worth(table.hand) + table.options.out_bonus - partner
    theirs = view.scores[1 - us] + view.laid[1 - us] - others
    if theirs >= table.options.target and theirs > ours:
        return False
    return bool(others + table.options.out_bonus >= partner)


def go_out(table: Table, legal: Sequence[Move]) -> Move:
    """The next step of laying the whole hand: sets without a wild, pairs with one, then all that fits."""
    return max(legal, key=lambda move: go_out_order(table, move))


def go_out_order(table: Table, move: Move) -> tuple[int, int]:
    """How soon a move comes on the way out, the highest first; of equal ones what is worth most."""
    wild = WILD in move.cards
    if move.verb == "meld":
        spare = wild and table.held[move.cards[0] >> 2] >= 3
        return (0 if spare else 4 if wild else 5), worth(move.cards)
    if move.verb == "add":
        return (2 if wild else 3), worth(move.cards)
    return 1, worth(move.cards)


def lay(table: Table, legal: Sequence[Move]) -> Move | None:
    """What to lay or add now; None where the rest is better held. Never the whole hand: see `go_out`."""
    best, most = None, 0.0
    for move in legal:
        if move.verb not in ("meld", "add") or len(table.hand) - len(move.cards) < 2:
            continue
        value = worth(move.cards) * (1 + table.caught)
        if WILD in move.cards:
            if move.verb == "meld" and table.held[move.cards[0] >> 2] >= 3:
                continue
            value = worth(move.cards) * (table.ends + table.caught) - WILD_IN_HAND
            if move.verb == "add":
                value = table.ends - 0.4
            elif QUEEN_OF_SPADES in move.cards:
                value += SPADE_QUEEN / 2
        if value > most:
            best, most = move, value
    return best


def discard(table: Table, legal: Sequence[Move]) -> Move:
    """The discard that costs least; where there is none to make, the smallest add."""
    discards = [move for move in legal if move.verb == "discard"]
    if not discards:
        return min(legal, key=lambda move: (WILD in move.cards, worth(move.cards)))
    return min(discards, key=lambda move: discard_cost(table, move.cards[0]))


def discard_cost(table: Table, card: Card) -> float:
    """What it costs to let this card go: what the next player may make of it, and what it is worth to us."""
    counts, caught = VALUES[card], table.caught
    given = chance_taken(table, card) * (table.view.pile_count * PILE_CARD + 2 * counts)
    if card == WILD:
        return given + 60 * (1 - caught) - counts * caught
    rank = card >> 2
    if table.held[rank] > 1:
        kept = (PAIR + counts) * (1 - table.ends)
    else:
        kept = SINGLE * table.hidden(rank) / 8 * (1 - table.ends)
        if card != QUEEN_OF_SPADES:
            kept += counts * 3 / 4 * (1 - 2 * caught)
    if card == QUEEN_OF_SPADES:
        kept += SPADE_QUEEN * (1 - 2 * caught)
    return given + kept - counts * caught


def chance_taken(table: Table, card: Card) -> float:
    """The chance that the next player can take the pile with this card on top."""
    if table.next < 2:
        return 0.0
    if card == WILD:
        return min(1.0, 0.09 * table.next)
    rank = card >> 2
    if rank in table.theirs and table.options.team_rank_pile_ban == "on":
        return 0.0
    each = min(1.0, table.next / max(table.unseen, 1))
    count = table.hidden(rank)
    none = (1 - each) ** count
    one = count * each * (1 - each) ** (count - 1) if count else 0.0
    with_wild = 1 - (1 - each) ** table.hidden_wilds if table.takes_wild(rank) else 0.0
    return 1 - none - one + one * with_wild
