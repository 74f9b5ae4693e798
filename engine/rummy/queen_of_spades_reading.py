"""Queen of Spades: who may do what, which move a text means, and why the pile can't be taken."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

from engine.cards import JOKER, QUEEN_OF_SPADES, Card, Rank, card_name, rank_name
from engine.game import Loose, Move, Refusal, Seat, describe_rank
from engine.rummy.queen_of_spades_table import (
    CUT,
    HAND,
    TWO,
    Options,
    State,
    card_values,
    check_set,
    rank_of_set,
    room,
    room_left,
)
from engine.rummy.set_game import DRAWS, PASSES, SetGame
from engine.rummy.table import DRAW, MELD, OVER, can_refill, demand_held, demand_turn

DEALS = Move("deal")
DISCARDS: dict[Card, Move] = {card: Move("discard", (card,)) for card in [*range(52), JOKER]}


class QueenOfSpadesReading(SetGame):
    """The moves that are offered, and what is meant by those that are written."""

    wild_rank = TWO

    def _value(self, options: Options) -> Callable[[Card], int]:
        return card_values(options).__getitem__

    def _check_set(self, options: Options, cards: Sequence[Card]) -> Rank:
        return check_set(options, cards)

    # Who may do what

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every draw, take and discard. Of lays the largest of each rank, with as many twos as it may hold from none up;
        of adds a card each. Of cuts only the one that is aimed best. That anybody may want to FINISH an endless game is no
        move of a turn, and not among them.
        """
        if seat != state.turn or state.phase == OVER:
            return []
        if state.phase == CUT:
            return [Move("cut", value=str(HAND * state.seats)), DEALS]
        if state.phase == DRAW:
            takes = [*self._lone_take(state), *self._pickups(state, seat)]
            return [DRAWS, *takes] if state.stock or can_refill(state) else [*takes, PASSES]
        hand = sorted(state.hands[seat])
        return self._lays(state, seat, hand) + [DISCARDS[card] for card in self._may_discard(state, hand)]

    def forced(self, state: State) -> Move | None:
        """The move of whose turn it is, where everybody at the table knows that there is no other: by what is public."""
        if state.phase != DRAW or not state.stock:
            return None
        lone = bool(self._lone_take(state))
        few = len(state.hands[state.turn]) < 2 and not lone
        return DRAWS if not state.pile or few else None

    def _may_discard(self, state: State, hand: Sequence[Card]) -> list[Card]:
        faces = list(dict.fromkeys(hand))
        if state.taken is not None and state.options.throw_back == "off" and len(faces) > 1:
            faces = [card for card in faces if card != state.taken]
        return faces

    def _lays(self, state: State, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        options, mine = state.options, state.sets[seat]
        most = len(hand) - (options.must_discard_to_go_out == "on")
        held: dict[Rank, list[Card]] = {}
        for card in hand:
            held.setdefault(card >> 2, []).append(card)
        twos = held.pop(TWO, [])
        moves: list[Move] = []
        for rank, cards in held.items():
            naturals = cards[:most]
            if len(naturals) < 2:
                continue
            for count in range(min(len(twos), room(options, rank), most - 2) + 1):
                used = naturals[: most - count]
                if len(used) + count >= 3:
                    moves.append(Move("meld", (*used, *twos[:count])))
        if options.set_of_twos == "on" and min(len(twos), most) >= 3:
            moves.append(Move("meld", tuple(twos[:most])))
        if mine and most:
            ranks = dict.fromkeys(map(rank_of_set, mine))
            moves += [
                Move("add", (card,), rank_name(rank))
                for rank in ranks
                if rank in held
                for card in dict.fromkeys(held[rank])
            ]
            if twos:
                roomy = [rank for rank in ranks if room_left(options, mine, rank) > 0]
                moves += [Move("add", (card,), rank_name(rank)) for rank in roomy for card in dict.fromkeys(twos)]
        return moves

    def _lone_take(self, state: State) -> list[Move]:
        """The take of a lone card, where the pile is one."""
        if len(state.pile) == 1 and state.options.lone_card_free == "on":
            return [Move("take", (state.pile[0],))]
        return []

    def _is_blocked(self, options: Options, rank: Rank) -> bool:
        """Whether nothing takes a pile with this rank on top: twos, by the house rule or where they are no set."""
        return rank == TWO and (options.pile_two == "block" or options.set_of_twos == "off")

    def _pickups(self, state: State, seat: Seat) -> list[Move]:
        """Every way this seat may take the pile: two or more of its top rank, apart and, where it can be, joined."""
        hand, pile, options = state.hands[seat], state.pile, state.options
        if not pile or (len(pile) == 1 and options.lone_card_free == "on"):
            return []
        rank = pile[-1] >> 2
        if self._is_blocked(options, rank):
            return []
        held = Counter(card for card in hand if card >> 2 == rank)
        most = len(hand) + len(pile) - 1 - (options.must_discard_to_go_out == "on")
        if held.total() < 2 or most < 2:
            return []
        own = any(rank_of_set(cards) == rank for cards in state.sets[seat])
        moves = []
        for counts in product(*(range(held[card] + 1) for card in sorted(held))):
            if 2 <= sum(counts) <= most:
                cards = tuple(card for card, count in zip(sorted(held), counts, strict=True) for _ in range(count))
                moves.append(Move("pickup", cards))
        moves.sort(key=lambda move: len(move.cards))
        return moves + [move._replace(to="join") for move in moves] if own else moves

    # Reading

    def resolve(self, state: State, seat: Seat, loose: Loose) -> Move:
        """The one move that is meant; see `engine.game.Game`."""
        verb = loose.verb
        if verb not in self.verbs:
            raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb in ("draw", "deal", "pass", "cut", "finish"):
            if loose.specs or loose.whole_rank:
                raise ValueError(f"{verb} names no cards")
            return Move(verb, value=loose.value)
        if state.phase == CUT and seat == state.turn:
            raise Refusal("PHASE", "The cards are not dealt yet: CUT, or DEAL.")
        demand_turn(state, seat, DRAW if verb in ("pickup", "take") else MELD)
        if verb in ("pickup", "take"):
            return self._resolve_take(state, seat, loose)
        if verb == "discard":
            return self._resolve_discard(state, seat, loose)
        if not loose.specs and not loose.whole_rank:
            raise self._which(state, seat, verb)
        return self._resolve_meld(state, seat, loose) if verb == "meld" else self._resolve_add(state, seat, loose)

    def _resolve_discard(self, state: State, seat: Seat, loose: Loose) -> Move:
        """The card that is named; or the only one that may go, where none is."""
        if not loose.specs and not loose.whole_rank:
            choices = self._legal_with(state, seat, "discard")
            if len(choices) == 1:
                return choices[0]
        return super()._resolve_discard(state, seat, loose)

    def _resolve_meld(self, state: State, seat: Seat, loose: Loose) -> Move:
        lay = super()._resolve_meld(state, seat, loose)
        return lay._replace(to="join") if loose.to == "join" else lay

    def _resolve_take(self, state: State, seat: Seat, loose: Loose) -> Move:
        """`take` and `pickup` are one word to people: the lone card is taken without cards, a pile with a pair of its top."""
        self._demand_pile(state, seat)
        lone, top = self._lone_take(state), state.pile[-1]
        named = [spec.rank for spec in loose.specs] + list(loose.whole_rank)
        only_top = len(named) <= 1 and all(
            (spec.card is None or spec.card == top) and spec.rank == top >> 2 for spec in loose.specs
        )
        if lone and (loose.verb == "take" or not named):
            if named and not only_top:
                raise Refusal("NOTHELD", f"The pile is {card_name(top)} alone. TAKE takes it.")
            return lone[0]
        if loose.verb == "take" and named and not only_top:
            raise self._no_pair(state, seat)
        if loose.verb == "pickup":
            demand_held(state.hands[seat], [spec.card for spec in loose.specs if spec.card is not None])
        moves = [move for move in self._pickups(state, seat) if move.to == loose.to]
        if not moves:
            if len(named) > 1:
                return Move("pickup", self._named(state, seat, loose), loose.to)  # to be refused with the reason
            raise self._no_pair(state, seat)
        if loose.verb == "take" or len(named) <= 1:
            wanted = [] if loose.verb == "take" else [spec.card for spec in loose.specs if spec.card is not None]
            if any(rank != top >> 2 for rank in named):
                raise self._no_pair(state, seat)
            pairs = [move for move in moves if len(move.cards) == 2 and all(card in move.cards for card in wanted)]
            if loose.whole_rank:
                return max(moves, key=lambda move: len(move.cards))
            return min(pairs, key=lambda move: self._cost(state, move))
        return Move("pickup", self._named(state, seat, loose), loose.to)

    def _named(self, state: State, seat: Seat, loose: Loose) -> tuple[Card, ...]:
        """The cards of the hand that a pickup names; PAIR where it holds fewer of a rank than are named."""
        try:
            return self._cards_named(state, seat, loose)
        except Refusal:
            raise self._no_pair(state, seat) from None

    def _cost(self, state: State, move: Move) -> tuple[int, bool, tuple[Card, ...]]:
        values = card_values(state.options)
        return sum(values[card] for card in move.cards), QUEEN_OF_SPADES in move.cards, move.cards

    def _resolve_wilds(self, state: State, seat: Seat, cards: tuple[Card, ...]) -> Move:
        mine = state.sets[seat]
        count = len(cards)
        fits = [r for r in dict.fromkeys(map(rank_of_set, mine)) if room_left(state.options, mine, r) >= count]
        choices = [Move("add", cards, rank_name(rank)) for rank in sorted(fits)]
        if len(choices) > 1:
            raise Refusal("AMBIG", "To which set?", choices)
        if choices:
            return choices[0]
        if not mine:
            raise Refusal("MIXED", "You have no set down yet to add to.")
        raise Refusal("WILDMAX", "None of your sets has room for another two.")

    # Refusals

    def _demand_keep(self, state: State, seat: Seat, count: int) -> None:
        if state.options.must_discard_to_go_out == "on" and len(state.hands[seat]) <= count:
            raise Refusal("KEEPONE", "A turn ends with a discard, so keep a card for it.")

    def _no_pair(self, state: State, seat: Seat) -> Refusal:
        """Why this hand cannot take the pile."""
        instead = self._instead(state)
        rank = state.pile[-1] >> 2
        if self._is_blocked(state.options, rank):
            return Refusal("PAIR", f"A two is on top, and nothing takes the pile then. {instead}")
        many, held = describe_rank(rank), sum(card >> 2 == rank for card in state.hands[seat])
        has = "none" if not held else "one" if held == 1 else str(held)
        wild = "" if rank == TWO else "; twos and cards on the table don't count"
        return Refusal("PAIR", f"You need two {many} in your hand to take the pile, and hold {has}{wild}. {instead}")
