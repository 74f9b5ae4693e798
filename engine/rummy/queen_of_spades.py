"""Queen of Spades: everyone for themselves, sets only, a lone card is free. Rules digest, section A.

Packs of 54, two jokers each (a plain rank of their own); twos are wild. A set is two naturals or more of one rank and
one two at most, or three twos or more; it belongs to who laid it. A pile of two cards or more is taken whole, with a
pair of its top card; a pile of one card is free. Only a last discard goes out.
"""

from collections.abc import Mapping
from typing import Any

from engine.cards import Card, Rank, card_name, rank_name, read_rank
from engine.game import Event, Move, Refusal, Seat, describe_rank
from engine.rummy.queen_of_spades_deal import QueenOfSpadesDeal
from engine.rummy.queen_of_spades_table import (
    CUT,
    NEVER,
    TWO,
    Options,
    State,
    View,
    card_values,
    check_set,
    copy_table,
    decks_of,
    dump_table,
    load_table,
    pack_of,
    rank_of_set,
    room,
    room_left,
    twos_in,
)
from engine.rummy.table import (
    DRAW,
    MELD,
    Down,
    can_refill,
    check_pack,
    demand_held,
    demand_turn,
    draw_card,
    finish_game,
)


class QueenOfSpades(QueenOfSpadesDeal):
    """The rules of Queen of Spades; see `engine.game.Game` for what each function promises."""

    name = "queen-of-spades"
    title = "Queen of Spades"
    aliases: tuple[str, ...] = ("qos", "queen of spade", "spade queen", "queen spades")
    seats: tuple[int, ...] = tuple(range(2, 13))
    Options: type[Any] = Options
    verbs: tuple[str, ...] = ("cut", "deal", "draw", "take", "pickup", "meld", "add", "discard", "pass", "finish")

    # Play

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        verb = move.verb
        if verb in ("cut", "deal"):
            return self._cut(state, seat, move)
        if verb == "finish":
            return self._wish_to_finish(state, seat)
        if state.phase == CUT and seat == state.turn and verb in self.verbs:
            raise Refusal("PHASE", "The cards are not dealt yet: CUT, or DEAL.")
        if verb == "draw":
            demand_turn(state, seat, DRAW)
            anew = state.anew or int(not state.stock)
            events = draw_card(state, seat)
            state.idle, state.anew = -1, anew
            return events
        if verb == "take":
            return self._take(state, seat, move)
        if verb == "pickup":
            return self._pickup(state, seat, move)
        if verb == "meld":
            return self._meld(state, seat, move)
        if verb == "add":
            return self._add(state, seat, move)
        if verb == "discard":
            return self._discard(state, seat, move)
        if verb == "pass":
            return self._pass(state, seat, "TAKE")
        raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")

    def _take(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, DRAW)
        self._demand_pile(state, seat)
        if not self._lone_take(state):
            raise self._no_pair(state, seat)
        if move.cards not in ((), (state.pile[0],)):
            raise Refusal("NOTHELD", f"The pile is {card_name(state.pile[0])} alone. TAKE takes it.")
        card = state.pile.pop()
        state.hands[seat].append(card)
        state.taken = card
        state.phase = MELD
        return [Event("take", seat, (card,), 1)]

    def _pickup(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, DRAW)
        self._demand_pile(state, seat)
        hand = state.hands[seat]
        demand_held(hand, move.cards)
        top = state.pile[-1]
        rank = top >> 2
        if self._lone_take(state):
            name = rank_name(rank)
            raise Refusal(
                "PHASE", f"The pile is one card, which is free: TAKE it, then LAY {name} {name} {name} if you like."
            )
        blocked = self._is_blocked(state.options, rank)
        if blocked or len(move.cards) < 2 or any(card >> 2 != rank for card in move.cards):
            raise self._no_pair(state, seat)
        if len(state.pile) == 1:
            self._demand_keep(state, seat, len(move.cards))
        own = self._set_to_join(state, seat, rank, 0) if move.to == "join" else None
        state.pile.pop()
        for card in move.cards:
            hand.remove(card)
        laid = [*move.cards, top]
        if own is None:
            state.sets[seat].append(laid)
        else:
            own += laid
        state.idle, state.anew = -1, 0
        return self._take_rest(state, seat, laid, rank)

    def _set_to_join(self, state: State, seat: Seat, rank: Rank, twos: int) -> list[Card]:
        """The set of this rank that new cards with so many twos are joined to."""
        own = [cards for cards in state.sets[seat] if rank_of_set(cards) == rank]
        if not own:
            raise Refusal("MIXED", f"You have no set of {describe_rank(rank)} down to join. Leave out JOIN.")
        if rank == TWO:
            return own[0]
        most = room(state.options, rank)
        for cards in own:
            if twos_in(cards) + twos <= most:
                return cards
        raise Refusal(
            "WILDMAX", f"Your set of {describe_rank(rank)} has its twos already, so these stay apart: leave out JOIN."
        )

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        rank = check_set(state.options, cards)
        own = self._set_to_join(state, seat, rank, twos_in(cards)) if move.to == "join" else None
        self._demand_keep(state, seat, len(cards))
        for card in cards:
            hand.remove(card)
        if own is None:
            state.sets[seat].append(list(cards))
        else:
            own += cards
        state.idle, state.anew = -1, 0
        return [Event("meld", seat, cards, to=rank_name(rank)), *self._maybe_out(state, seat)]

    def _add(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        self._begin_add(state, seat, cards)
        rank = read_rank(move.to)
        many = describe_rank(rank)
        own = [laid for laid in state.sets[seat] if rank_of_set(laid) == rank]
        if not own:
            if any(rank_of_set(laid) == rank for sets in state.sets for laid in sets):
                raise Refusal("OWNER", f"The {many} are another player's set; you can add only to your own.")
            raise Refusal("MIXED", f"You have no set of {many} down.")
        self._demand_fit(cards, rank)
        twos = twos_in(cards)
        if twos > room_left(state.options, own, rank):
            raise Refusal("WILDMAX", f"The {many} take no two, or have theirs already.")
        self._demand_keep(state, seat, len(cards))
        most = room(state.options, rank)
        for card in cards:  # which of several sets of a rank makes no difference, but for the room for a two
            hand.remove(card)
            if card >> 2 == TWO and rank != TWO:
                next(laid for laid in own if twos_in(laid) < most).append(card)
            else:
                own[0].append(card)
        state.idle, state.anew = -1, 0
        return [Event("add", seat, cards, to=move.to), *self._maybe_out(state, seat)]

    def _discard(self, state: State, seat: Seat, move: Move) -> list[Event]:
        events = super()._discard(state, seat, move)
        state.taken = None
        return events

    def _demand_discard(self, state: State, seat: Seat, card: Card) -> None:
        if card == state.taken and card not in self._may_discard(state, state.hands[seat]):
            raise Refusal(
                "SAMECARD",
                f"You have just taken {card_name(card)}, so it can't go straight back. DISCARD another card.",
            )

    def _count_idle(self, state: State) -> bool:
        if state.anew:
            state.anew += 1
        if state.stock or can_refill(state):
            state.idle = 0
            return False
        state.idle += 1
        stuck = not self._lone_take(state) and not self._pickups(state, state.turn)
        return stuck or state.idle >= 2 * state.seats

    def _end_round(self, state: State, out: Seat | None) -> list[Event]:
        state.out = out
        values = card_values(state.options)
        points = [
            laid - sum(values[card] for card in hand) + bonus
            for laid, hand, bonus in zip(self.laid(state), state.hands, state.bonus, strict=True)
        ]
        events = []
        if out is not None:
            points[out] += state.options.out_bonus
            events = [Event("out", out)]
        target = state.options.target
        if target == "none":
            return events + finish_game(state, points, -NEVER if len(state.finish) == state.seats else NEVER)
        return events + finish_game(state, points, int(target))

    # What is there

    def laid(self, state: State) -> list[int]:
        """Per player, the value of their sets."""
        values = card_values(state.options)
        return [sum(values[card] for cards in sets for card in cards) for sets in state.sets]

    def view(self, state: State, seat: Seat | None) -> View:
        """A seat sees its own hand, the sets, the top card and how many cards are where."""
        laid = tuple(self.laid(state))
        down = tuple(
            Down(owner, rank_of_set(cards), tuple(cards)) for owner, sets in enumerate(state.sets) for cards in sets
        )
        return self._see(View, state, seat, down, laid, laid, bonus=tuple(state.bonus), finish=tuple(state.finish))

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
        for sets in state.sets:
            for laid in sets:
                assert len({card >> 2 for card in laid} - {TWO}) <= 1, f"{' '.join(map(card_name, laid))} is no set"
                cards += laid
        check_pack(pack_of(decks_of(state.options, state.seats)), cards, state.whole)


QUEEN_OF_SPADES_RUMMY = QueenOfSpades()
