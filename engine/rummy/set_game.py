"""What Damn the Queens and Queen of Spades share: sets named by their rank, a pile that is taken whole, and discards."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.cards import Card, Rank, card_name, rank_name, read_rank
from engine.game import Event, Loose, Move, Refusal, Seat, describe_rank
from engine.rummy.table import (
    DRAW,
    MELD,
    OVER,
    RummyGame,
    can_refill,
    choose_cards,
    demand_held,
    demand_turn,
    one_discard,
)

DRAWS, PASSES = Move("draw"), Move("pass")


class SetGame(RummyGame):
    """The turns of a game of sets: who may act, which move a text means, and the moves that both games have."""

    wild_rank: Rank  # a card of this rank goes with any other

    # What each game says

    def legal(self, state: Any, seat: Seat) -> list[Move]:
        """See `engine.game.Game`."""
        raise NotImplementedError

    def _value(self, options: Any) -> Callable[[Card], int]:
        """What a card counts under these house rules."""
        raise NotImplementedError

    def _check_set(self, options: Any, cards: Sequence[Card]) -> Rank:
        """The rank of a new set, or a Refusal."""
        raise NotImplementedError

    def _resolve_wilds(self, state: Any, seat: Seat, cards: tuple[Card, ...]) -> Move:
        """The set that wilds alone are to be added to."""
        raise NotImplementedError

    def _demand_discard(self, state: Any, seat: Seat, card: Card) -> None:
        """Refuses a card of the hand that may not be discarded now."""
        raise NotImplementedError

    def _count_idle(self, state: Any) -> bool:
        """Counts a turn that ends on an empty stock; whether nothing more can come of the round."""
        raise NotImplementedError

    def _end_round(self, state: Any, out: Seat | None) -> list[Event]:
        """Scores the round, which this player ended by going out."""
        raise NotImplementedError

    # Who may do what

    def waiting(self, state: Any) -> tuple[Seat, ...]:
        """The seat whose turn it is: before a deal that is cut for, the dealer."""
        return () if state.phase == OVER else (state.turn,)

    # Reading

    def _cards_named(self, state: Any, seat: Seat, loose: Loose) -> tuple[Card, ...]:
        return choose_cards(state.hands[seat], loose.specs, loose.whole_rank, self._value(state.options))

    def _resolve_discard(self, state: Any, seat: Seat, loose: Loose) -> Move:
        try:
            return Move("discard", (one_discard(state.hands[seat], loose, self._value(state.options)),))
        except Refusal as refusal:
            if refusal.code != "AMBIG":
                raise
            raise Refusal("AMBIG", refusal.hint, self._legal_with(state, seat, "discard")) from None

    def _legal_with(self, state: Any, seat: Seat, verb: str) -> list[Move]:
        return [move for move in self.legal(state, seat) if move.verb == verb]

    def _which(self, state: Any, seat: Seat, verb: str) -> Refusal:
        """The answer to a lay or an add that names no card."""
        choices = self._legal_with(state, seat, verb)
        if choices:
            return Refusal("AMBIG", "Which cards?", choices)
        word = "lay" if verb == "meld" else "add"
        return Refusal("SMALL" if verb == "meld" else "MIXED", f"Your hand has nothing to {word} now. DISCARD a card.")

    def _resolve_meld(self, state: Any, seat: Seat, loose: Loose) -> Move:
        """A lay. One card is never a set, so a rank alone is all of it."""
        if len(loose.specs) == 1 and loose.specs[0].card is None and not loose.whole_rank:
            loose = loose._replace(specs=(), whole_rank=(loose.specs[0].rank,))
        return Move("meld", self._cards_named(state, seat, loose))

    def _resolve_add(self, state: Any, seat: Seat, loose: Loose) -> Move:
        cards = self._cards_named(state, seat, loose)
        if loose.to:
            try:
                return Move("add", cards, rank_name(read_rank(loose.to)))
            except ValueError:
                hint = f"Sets are named by their rank here, as in ADD 9 TO 9; {loose.to} is none."
                raise Refusal("MIXED", hint) from None
        ranks = {card >> 2 for card in cards if card >> 2 != self.wild_rank}
        if len(ranks) == 1:
            return Move("add", cards, rank_name(ranks.pop()))
        if ranks:
            raise Refusal("MIXED", "One rank at a time: ADD 9 9, then ADD T.")
        return self._resolve_wilds(state, seat, cards)

    # Refusals

    def _set_on_table(self, options: Any, cards: Sequence[Card]) -> Rank:
        """The rank of a set that a position has down; ValueError where it is none."""
        try:
            return self._check_set(options, cards)
        except Refusal as refusal:
            raise ValueError(f"{' '.join(map(card_name, cards))} is not a set: {refusal.hint}") from None

    def _demand_pile(self, state: Any, seat: Seat) -> None:
        if not state.pile:
            raise Refusal("PHASE", "The pile is empty. DRAW instead.")

    def _instead(self, state: Any) -> str:
        """What to do where the pile can't be taken."""
        return "DRAW instead?" if state.stock or can_refill(state) else "PASS ends the round."

    def _demand_fit(self, cards: Sequence[Card], rank: Rank) -> None:
        """Refuses cards that are neither of this rank nor wild."""
        wild = self.wild_rank
        for card in cards:
            if card >> 2 != rank and card >> 2 != wild:
                raise Refusal("MIXED", f"{card_name(card)} does not go on the {describe_rank(rank)}.")

    # Play

    def _pass(self, state: Any, seat: Seat, verb: str) -> list[Event]:
        """Ends a round whose stock is empty; `verb` is the word for taking the pile."""
        demand_turn(state, seat, DRAW)
        if state.stock or can_refill(state):
            raise Refusal("PHASE", f"You can pass only when the stock is empty. DRAW, or {verb} if you can.")
        return [Event("pass", seat), *self._end_round(state, None)]

    def _take_rest(self, state: Any, seat: Seat, laid: Sequence[Card], rank: Rank) -> list[Event]:
        """After the top card of the pile has been laid with a pair: the rest goes to the hand."""
        rest = tuple(state.pile)
        state.hands[seat] += rest
        state.pile = []
        state.phase = MELD
        event = Event("pickup", seat, tuple(laid), len(rest), rank_name(rank), rest, reveals=bool(rest))
        return [event, *self._maybe_out(state, seat)]

    def _begin_add(self, state: Any, seat: Seat, cards: Sequence[Card]) -> None:
        """Refuses an add out of turn, or of cards that are not there."""
        demand_turn(state, seat, MELD)
        demand_held(state.hands[seat], cards)
        if not cards:
            raise Refusal("MIXED", "Name the card to add.")

    def _discard(self, state: Any, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand = state.hands[seat]
        if len(move.cards) != 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        demand_held(hand, move.cards)
        card = move.cards[0]
        self._demand_discard(state, seat, card)
        hand.remove(card)
        state.pile.append(card)
        events = [Event("discard", seat, (card,))]
        if not hand:
            return events + self._end_round(state, seat)
        if len(hand) == 1 and self._warns(state.options):
            events.append(Event("low", seat, count=1))
        state.turn = (seat + 1) % state.seats
        state.phase = DRAW
        if self._count_idle(state):
            events += self._end_round(state, None)
        return events

    def _warns(self, options: Any) -> bool:
        """Whether all are told when a hand is down to one card."""
        return True

    def _maybe_out(self, state: Any, seat: Seat) -> list[Event]:
        return [] if state.hands[seat] else self._end_round(state, seat)
