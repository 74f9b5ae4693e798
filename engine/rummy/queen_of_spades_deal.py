"""Queen of Spades: the deal, which begins with a cut, and when a game without a target is over."""

from random import Random
from typing import Any

from engine.cards import Card
from engine.game import Event, Move, Position, Refusal, Seat
from engine.rummy.queen_of_spades_reading import QueenOfSpadesReading
from engine.rummy.queen_of_spades_table import CUT, HAND, NEVER, State, decks_of, fewest_decks, pack_of
from engine.rummy.table import DRAW, MELD, OVER, begin_round, fill, finish_game, first_dealer, shuffled

MISS = 6  # how far a cut by eye may go wrong


class QueenOfSpadesDeal(QueenOfSpadesReading):
    """Set-up and the cut."""

    # Set-up

    def demand_table(self, options: Any, seats: int) -> None:
        """Refuses OPTION where these house rules do not go with so many players."""
        if decks_of(options, seats) < fewest_decks(seats):
            raise Refusal(
                "OPTION", f"{seats} players need {fewest_decks(seats)} decks or more: decks={fewest_decks(seats)}."
            )

    def deal(self, options: Any, seats: int, seed: str, dealer: Seat | None = None) -> State:
        """The first round from the seed: the dealer is to cut."""
        self._demand_seats(seats)
        self.demand_table(options, seats)
        dealer = first_dealer(seed, seats) if dealer is None else dealer
        state = State(options, seats, seed, dealer, dealer, [], [], [], [0] * seats)
        self._gather(state, 0)
        return state

    def _gather(self, state: State, shuffles: int) -> None:
        """All cards together and shuffled, before the dealer cuts."""
        state.stock = shuffled(state.seed, shuffles, pack_of(decks_of(state.options, state.seats)))
        state.shuffles = shuffles
        state.hands = [[] for _ in range(state.seats)]
        state.sets = [[] for _ in range(state.seats)]
        state.bonus = [0] * state.seats
        state.pile = []
        state.taken = state.packet = state.sizes = None
        state.turn = state.dealer
        state.phase = CUT

    def next_round(self, state: State) -> list[Event]:
        """The deal moves one seat to the left; the new dealer is to cut."""
        begin_round(state)
        self._gather(state, state.shuffles + 1)
        return [Event("round", state.dealer, count=state.round, reveals=True)]

    def place(self, options: Any, seats: int, position: Position) -> State:
        """A state from an explicit position. One with a `packet` line, or with nothing but a seed, is before the cut."""
        self._demand_seats(seats)
        try:
            self.demand_table(options, seats)
        except Refusal as refusal:
            raise ValueError(refusal.hint) from None
        packet = position.extra.get("packet")
        unknown = [key for key in position.extra if key != "packet"]
        if unknown:
            raise ValueError(f"{self.title} has no {unknown[0]!r} line")
        given = position.hands or position.down or position.stock is not None or position.pile is not None
        first = CUT if packet or (position.seed is not None and not given and position.turn is None) else DRAW
        phase = position.phase or first
        if phase not in (CUT, DRAW, MELD):
            raise ValueError(f"the phases of Queen of Spades are cut, draw and meld, not {phase}")
        if packet and phase != CUT:
            raise ValueError("a packet is lifted before the deal: leave out the phase, or write phase: cut")
        sets: list[list[list[Card]]] = [[] for _ in range(seats)]
        for side, cards in position.down:
            self._set_on_table(options, cards)
            sets[side].append(list(cards))
        if phase == CUT and position.down:
            raise ValueError("before the deal nothing is down")
        pack = pack_of(decks_of(options, seats))
        on_table = [card for side in sets for cards in side for card in cards]
        hands, stock, pile, whole = fill(position, pack, seats, HAND, on_table)
        dealer = seats - 1 if position.dealer is None else position.dealer
        first_turn = dealer if phase == CUT else (dealer + 1) % seats
        turn = first_turn if position.turn is None else position.turn
        scores = [position.scores.get(side, 0) for side in range(seats)]
        seed = position.seed if position.seed is not None else "0"
        if phase == CUT and turn != dealer:
            raise ValueError("before the deal it is the dealer's turn")
        state = State(
            options, seats, seed, dealer, turn, hands, stock, pile, scores, phase, position.round,
            position.round - 1, whole=whole, sets=sets, bonus=[0] * seats,
        )  # fmt: skip
        if phase == CUT and not given:
            self._gather(state, position.round - 1)
            state.whole = True
        elif phase == CUT:
            self._undeal(state, position)
        if phase == CUT:
            state.packet = int(packet[0][1]) if packet else None
        return state

    def _undeal(self, state: State, position: Position) -> None:
        """Puts hands and pile back on the deck, so that the deal gives just these."""
        if not any(state.hands) and state.stock:
            return  # a deck is given: the hands are dealt from it
        state.sizes = [len(hand) for hand in state.hands]
        if position.seed is not None and all(size == HAND for size in state.sizes):
            state.sizes = None
        dealt = [card for hand in state.hands for card in hand]
        state.stock = [*state.stock, *state.pile, *reversed(dealt)]
        state.hands = [[] for _ in range(state.seats)]
        state.pile = []

    # The cut

    def _cut(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Lifts a packet and deals from it; cards short come from the deck, and what is over goes back on it."""
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if seat != state.turn:
            raise Refusal("TURN", "The dealer cuts." if state.phase == CUT else "It is not your turn.")
        if state.phase != CUT:
            raise Refusal("PHASE", "The cards are dealt already.")
        events = []
        if move.verb == "cut":
            whole = len(pack_of(decks_of(state.options, state.seats)))
            text = move.value
            if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= whole:
                raise Refusal("COUNT", f"Cut some of the {whole} cards, as in CUT {HAND * state.seats}.")
            packet = state.packet if state.packet is not None else self._lift(state, int(text))
            events = [Event("cut", seat, count=packet, to=text, reveals=True)]
            if packet - HAND * state.seats in (0, 1):
                state.bonus[seat] = state.options.cut_bonus
                events += [Event("bonus", seat, count=state.bonus[seat])] if state.bonus[seat] else []
        sizes = state.sizes or [HAND] * state.seats
        if sum(sizes) > len(state.stock):
            raise ValueError("there are too few cards to deal from")
        for to, size in enumerate(sizes):
            state.hands[to] = [state.stock.pop() for _ in range(size)]
        if state.stock:
            state.pile = [state.stock.pop()]
        state.packet = state.sizes = None
        state.turn = (state.dealer + 1) % state.seats
        state.phase = DRAW
        return [*events, Event("deal", state.dealer, tuple(state.pile), state.round, reveals=True)]

    def _lift(self, state: State, wanted: int) -> int:
        """How many cards a cut lifts: by eye, up to six too few or too many."""
        if state.options.cut_model == "exact":
            return wanted
        miss = Random(f"{state.seed}/{state.shuffles}/cut").randint(-MISS, MISS)
        return min(max(wanted + miss, 0), len(state.stock))

    # The end of a game without a target

    def _wish_to_finish(self, state: State, seat: Seat) -> list[Event]:
        """Anybody, at any time: a game without a target is over with the round in which all have said so.

        Before a deal it is over at once. A tie at the top is played on, as ever.
        """
        if state.options.target != "none":
            raise Refusal(
                "PHASE", f"This game is over at {state.options.target}; only one without a target is finished."
            )
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if seat in state.finish:
            raise Refusal("PHASE", "You have said so already; the others have yet to say FINISH.")
        state.finish.append(seat)
        events = [Event("finish", seat, count=len(state.finish))]
        leads = state.scores.count(max(state.scores)) == 1
        if len(state.finish) == state.seats and state.phase == CUT and leads:
            events += finish_game(state, [0] * state.seats, -NEVER)
        return events
