"""Damn the Queens: four players, partners opposite, sets that belong to the team. Rules digest, section B.

108 cards: two packs without twos, eight unsuited wilds, four jokers (a plain rank of their own). A set is two naturals
or more of one rank and one wild at most; a team has one set of a rank, and what comes later joins it. The pile is taken
whole, with two cards from the hand that make a set with its top card. A hand that is empty ends the round at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import WILD, Card, Rank, card_name, rank_name, read_rank
from engine.game import Event, Move, Position, Refusal, Seat, describe_rank
from engine.rummy.damn_the_queens_reading import DamnTheQueensReading
from engine.rummy.damn_the_queens_table import (
    HAND,
    PACK,
    SEATS,
    Options,
    Sets,
    State,
    check_set,
    copy_table,
    dump_table,
    load_table,
    score_round,
    takes_wild,
    value,
    worth,
)
from engine.rummy.table import (
    DRAW,
    MELD,
    Down,
    RummyView,
    begin_round,
    can_refill,
    check_pack,
    demand_held,
    demand_turn,
    draw_card,
    fill,
    finish_game,
    first_dealer,
    shuffled,
)

SIDES: tuple[tuple[Seat, ...], ...] = ((0, 2), (1, 3))


class DamnTheQueens(DamnTheQueensReading):
    """The rules of Damn the Queens; see `engine.game.Game` for what each function promises."""

    name = "damn-the-queens"
    title = "Damn the Queens"
    aliases: tuple[str, ...] = ("damn", "dtq", "queens", "damnqueens", "damn the queen", "damn queens")
    seats: tuple[int, ...] = (SEATS,)
    Options: type[Any] = Options
    verbs: tuple[str, ...] = ("draw", "pickup", "meld", "add", "auto", "discard", "pass")

    # Set-up

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Partners sit opposite."""
        return SIDES

    def deal(self, options: Any, seats: int, seed: str, dealer: Seat | None = None) -> State:
        """The first round from the seed."""
        self._demand_seats(seats)
        dealer = first_dealer(seed, seats) if dealer is None else dealer
        state = State(options, seats, seed, dealer, 0, [], [], [], [0, 0])
        self._deal(state, 0)
        return state

    def _deal(self, state: State, shuffles: int) -> None:
        cards = shuffled(state.seed, shuffles, PACK)
        state.hands = [cards[seat * HAND : (seat + 1) * HAND] for seat in range(SEATS)]
        state.pile = [cards[-1]]
        state.stock = cards[SEATS * HAND : -1]
        state.shuffles = shuffles
        state.turn = (state.dealer + 1) % SEATS
        state.phase = DRAW

    def next_round(self, state: State) -> list[Event]:
        """The deal moves one seat to the left."""
        begin_round(state)
        state.sets = ({}, {})
        state.contributed = [0] * SEATS
        self._deal(state, state.shuffles + 1)
        return [Event("deal", state.dealer, tuple(state.pile[-1:]), state.round, reveals=True)]

    def place(self, options: Any, seats: int, position: Position) -> State:
        """A state from an explicit position."""
        self._demand_seats(seats)
        if position.extra:
            raise ValueError(f"{self.title} has no {next(iter(position.extra))!r} line")
        phase = position.phase or DRAW
        if phase not in (DRAW, MELD):
            raise ValueError(f"the phases of Damn the Queens are draw and meld, not {phase}")
        sets: tuple[Sets, Sets] = ({}, {})
        for side, cards in position.down:
            rank = self._set_on_table(options, cards)
            if rank in sets[side]:
                raise ValueError(f"a team has one set of {describe_rank(rank)}, not two")
            sets[side][rank] = list(cards)
        on_table = [card for side in sets for cards in side.values() for card in cards]
        hands, stock, pile, whole = fill(position, PACK, seats, HAND, on_table)
        dealer = SEATS - 1 if position.dealer is None else position.dealer
        turn = (dealer + 1) % SEATS if position.turn is None else position.turn
        scores = [position.scores.get(side, 0) for side in (0, 1)]
        seed = position.seed if position.seed is not None else "0"
        return State(
            options, seats, seed, dealer, turn, hands, stock, pile, scores, phase, position.round,
            position.round - 1, whole=whole, sets=sets,
        )  # fmt: skip

    # Play

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        verb = move.verb
        if verb == "draw":
            demand_turn(state, seat, DRAW)
            return draw_card(state, seat)
        if verb == "pickup":
            return self._pickup(state, seat, move)
        if verb == "meld":
            return self._meld(state, seat, move)
        if verb == "add":
            return self._add(state, seat, move.cards, move.to)
        if verb == "discard":
            return self._discard(state, seat, move)
        if verb == "auto":
            return self._auto(state, seat)
        if verb == "pass":
            return self._pass(state, seat, "PICKUP")
        raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")

    def _pickup(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, DRAW)
        self._demand_pile(state, seat)
        hand, options = state.hands[seat], state.options
        demand_held(hand, move.cards)
        top = state.pile[-1]
        cards = list(move.cards)
        ranks = {card >> 2 for card in cards if card != WILD}
        if not ranks or len(cards) != 2 or len(ranks) > 1 or (top != WILD and top >> 2 not in ranks):
            raise self._no_pair(state, seat, top >> 2)
        rank = ranks.pop()
        self._demand_free_rank(state, seat, rank)
        if WILD in cards:
            if top == WILD:
                raise Refusal("WILDMAX", "The top card is a wild already, so take it with two naturals. DRAW instead?")
            naturals = sorted((card for card in hand if card >> 2 == rank), key=lambda c: (value(c), c))
            if options.naturals_first == "on" and len(naturals) > 1:
                kept = cards[0] if cards[1] == WILD else cards[1]  # the player cannot spend a wild while two will do
                naturals.remove(kept)
                cards = [kept, naturals[0]]
        mine = state.sets[seat % 2]
        laid = [*cards, top]
        wilds = laid.count(WILD) + mine.get(rank, []).count(WILD)
        if wilds > 1 or (wilds and not takes_wild(options, rank)):
            hint = "A set takes one wild at most." if takes_wild(options, rank) else "A set of jokers takes no wild."
            raise Refusal("WILDMAX", f"{hint} DRAW instead?")
        state.pile.pop()
        for card in cards:
            hand.remove(card)
        mine.setdefault(rank, []).extend(laid)
        state.contributed[seat] += worth(laid)
        state.idle = 0
        return self._take_rest(state, seat, laid, rank)

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        mine = state.sets[seat % 2]
        ranks = {card >> 2 for card in cards if card != WILD}
        if len(ranks) == 1 and next(iter(ranks)) in mine:  # one set of a rank per team: the rest joins it
            return self._add(state, seat, cards, rank_name(ranks.pop()))
        try:
            rank = check_set(state.options, cards)
        except Refusal as refusal:
            raise self._better_hint(state, seat, cards, refusal) from None
        for card in cards:
            hand.remove(card)
        mine[rank] = list(cards)
        state.contributed[seat] += worth(cards)
        state.idle = 0
        return [Event("meld", seat, cards, to=rank_name(rank)), *self._maybe_out(state, seat)]

    def _add(self, state: State, seat: Seat, cards: Sequence[Card], to: str) -> list[Event]:
        self._begin_add(state, seat, cards)
        hand = state.hands[seat]
        rank = read_rank(to)
        side = seat % 2
        own = state.sets[side].get(rank)
        many = describe_rank(rank)
        if own is None:
            if rank in state.sets[1 - side]:
                raise Refusal("OWNER", f"The {many} are the other team's set; you can add only to your own.")
            raise Refusal("MIXED", f"Your team has no set of {many} down.")
        self._demand_fit(cards, rank)
        wilds = cards.count(WILD)
        if wilds and (wilds + own.count(WILD) > 1 or not takes_wild(state.options, rank)):
            raise Refusal("WILDMAX", f"The {many} take no wild, or have theirs already.")
        for card in cards:
            hand.remove(card)
        own += cards
        state.contributed[seat] += worth(cards)
        state.idle = 0
        return [Event("add", seat, tuple(cards), to=to), *self._maybe_out(state, seat)]

    def _auto(self, state: State, seat: Seat) -> list[Event]:
        """Adds every natural that fits a set of the team; never spends a wild."""
        demand_turn(state, seat, MELD)
        mine = state.sets[seat % 2]
        fits: dict[Rank, list[Card]] = {}
        for card in sorted(state.hands[seat]):
            if card >> 2 in mine:
                fits.setdefault(card >> 2, []).append(card)
        if not fits:
            raise Refusal("MIXED", "Nothing in your hand fits your team's sets.")
        events: list[Event] = []
        for rank, cards in fits.items():
            events += self._add(state, seat, cards, rank_name(rank))
        return events

    def _demand_discard(self, state: State, seat: Seat, card: Card) -> None:
        rank = card >> 2
        if state.options.team_rank_discard_ban == "on" and rank in state.sets[seat % 2]:
            hint = f"Your team has {describe_rank(rank)} down, so {card_name(card)} can't be discarded. "
            name = rank_name(rank)
            raise Refusal("TEAMRANK", hint + f"ADD {name} TO {name} instead, or discard another card.")

    def _warns(self, options: Any) -> bool:
        return bool(options.warn_one_card == "on")

    def _count_idle(self, state: State) -> bool:
        if state.stock:
            return False
        # Two circuits on an empty stock without a card laid end the round; with `reshuffle` nothing else might.
        state.idle += 1
        stuck = not can_refill(state) and not self._pickups(state, state.turn)
        return stuck or state.idle >= 2 * SEATS

    def _end_round(self, state: State, out: Seat | None) -> list[Event]:
        state.out = out
        held = [worth(hand) for hand in state.hands]
        points = score_round(state.options, self.laid(state), held, out)
        events = [] if out is None else [Event("out", out)]
        return events + finish_game(state, points, state.options.target)

    # What is there

    def laid(self, state: State) -> list[int]:
        """Per team, the value of its sets."""
        return [sum(map(worth, sets.values())) for sets in state.sets]

    def view(self, state: State, seat: Seat | None) -> RummyView:
        """A seat sees its own hand, the sets, the top card and how many cards are where."""
        down = tuple(
            [Down(side, rank, tuple(cards)) for side in (0, 1) for rank, cards in sorted(state.sets[side].items())]
        )
        return self._see(RummyView, state, seat, down, tuple(self.laid(state)), tuple(state.contributed))

    def copy(self, state: State) -> State:
        """An independent state, equal to this one."""
        return copy_table(state)

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON values."""
        return dump_table(state)

    def load(self, data: Mapping[str, Any]) -> State:
        """The state that `dump` wrote."""
        return load_table(data)

    def check(self, state: State) -> None:
        """AssertionError unless every card is somewhere exactly once and every set is a set."""
        cards = [card for hand in state.hands for card in hand] + state.stock + state.pile
        for side in state.sets:
            for rank, laid in side.items():
                assert check_set(state.options, laid) == rank, f"the set of {rank_name(rank)} is none"
                cards += laid
        check_pack(PACK, cards, state.whole)


DAMN_THE_QUEENS = DamnTheQueens()
