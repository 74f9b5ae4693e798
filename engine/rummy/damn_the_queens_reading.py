"""Damn the Queens: who may do what, which move a text means, and why the pile can't be taken."""

from collections.abc import Callable, Sequence

from engine.cards import QUEEN_OF_SPADES, WILD, WILD_RANK, Card, Rank, card_name, rank_name
from engine.game import Loose, Move, Refusal, Seat, describe_rank
from engine.rummy.damn_the_queens_table import PACK, Options, State, check_set, takes_wild, value, worth
from engine.rummy.set_game import DRAWS, PASSES, SetGame
from engine.rummy.table import DRAW, MELD, OVER, can_refill, choose_cards, demand_held, demand_turn

DISCARDS: dict[Card, Move] = {card: Move("discard", (card,)) for card in PACK}
ADDS: dict[Card, Move] = {card: Move("add", (card,), rank_name(card >> 2)) for card in PACK if card != WILD}


class DamnTheQueensReading(SetGame):
    """The moves that are offered, and what is meant by those that are written."""

    wild_rank = WILD_RANK

    def _value(self, options: Options) -> Callable[[Card], int]:
        return value

    def _check_set(self, options: Options, cards: Sequence[Card]) -> Rank:
        return check_set(options, cards)

    # Who may do what

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every draw, take and discard; of lays and adds the largest of each rank with and without a wild."""
        if seat != state.turn or state.phase == OVER:
            return []
        if state.phase == DRAW:
            if state.stock or can_refill(state):
                return [DRAWS, *self._pickups(state, seat)]
            return [*self._pickups(state, seat), PASSES]
        hand = sorted(state.hands[seat])
        mine = state.sets[seat % 2]
        wild = hand[-1:] == [WILD]
        held: dict[Rank, int] = {}
        for card in hand:
            held[card >> 2] = held.get(card >> 2, 0) + 1
        moves: list[Move] = []
        end = 0
        for rank, count in held.items():
            end += count
            if count >= 2 and rank not in mine and rank != WILD_RANK:
                cards = tuple(hand[end - count : end])
                if count >= 3:
                    moves.append(Move("meld", cards))
                if wild and takes_wild(state.options, rank):
                    moves.append(Move("meld", (*cards, WILD)))
        faces = dict.fromkeys(hand)
        if not mine:
            return moves + [DISCARDS[card] for card in faces]
        moves += [ADDS[card] for card in faces if card >> 2 in mine]
        if wild:
            moves += [
                Move("add", (WILD,), rank_name(rank))
                for rank, laid in mine.items()
                if WILD not in laid and takes_wild(state.options, rank)
            ]
        banned = mine if state.options.team_rank_discard_ban == "on" else ()
        return moves + [DISCARDS[card] for card in faces if card >> 2 not in banned]

    def forced(self, state: State) -> Move | None:
        """The move of whose turn it is, where everybody at the table knows that there is no other: by what is public."""
        if state.phase != DRAW or not state.stock:
            return None
        options, seat = state.options, state.turn
        top = state.pile[-1] if state.pile else None
        alone = len(state.hands[seat]) < 2 and options.one_card_pile_ban == "on"
        banned = options.team_rank_pile_ban == "on" and top is not None and top >> 2 in state.sets[seat % 2]
        return DRAWS if top is None or alone or banned else None

    def _pickups(self, state: State, seat: Seat) -> list[Move]:
        """Every way this seat may take the pile: each pair of faces, or one natural and a wild where rules allow."""
        hand, mine, options = state.hands[seat], state.sets[seat % 2], state.options
        if not state.pile or (len(hand) < 2 and options.one_card_pile_ban == "on"):
            return []
        top = state.pile[-1]
        ranks = [top >> 2] if top != WILD else sorted({card >> 2 for card in hand if card != WILD})
        moves: list[Move] = []
        for rank in ranks:
            cards = sorted([card for card in hand if card >> 2 == rank])
            if not cards:
                continue
            own = mine.get(rank)
            if own is not None and options.team_rank_pile_ban == "on":
                continue
            spare = takes_wild(options, rank) and (own is None or WILD not in own)
            if top == WILD and not spare:
                continue
            pairs = sorted({(cards[i], cards[j]) for i in range(len(cards)) for j in range(i + 1, len(cards))})
            moves += [Move("pickup", pair) for pair in pairs]
            alone = len(cards) == 1 or options.naturals_first == "off"
            if top != WILD and alone and WILD in hand and spare:
                moves += [Move("pickup", (card, WILD)) for card in dict.fromkeys(cards)]
        return moves

    # Reading

    def resolve(self, state: State, seat: Seat, loose: Loose) -> Move:
        """The one move that is meant; see `engine.game.Game`."""
        verb = loose.verb
        if verb not in self.verbs:
            raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb in ("draw", "auto", "pass"):
            if loose.specs or loose.whole_rank:
                raise ValueError(f"{verb} names no cards")
            return Move(verb)
        demand_turn(state, seat, DRAW if verb == "pickup" else MELD)
        if verb == "pickup":
            return self._resolve_pickup(state, seat, loose)
        if verb == "discard":
            return self._resolve_discard(state, seat, loose)
        if not loose.specs and not loose.whole_rank:
            raise self._which(state, seat, verb)
        return self._resolve_meld(state, seat, loose) if verb == "meld" else self._resolve_add(state, seat, loose)

    def _which(self, state: State, seat: Seat, verb: str) -> Refusal:
        refusal = super()._which(state, seat, verb)
        if len(refusal.choices) == 1:
            return Refusal("AMBIG", f"Which cards do you {'lay' if verb == 'meld' else 'add'}?", refusal.choices)
        return refusal

    def _resolve_pickup(self, state: State, seat: Seat, loose: Loose) -> Move:
        hand = state.hands[seat]
        self._demand_pile(state, seat)
        top = state.pile[-1]
        if not loose.specs and not loose.whole_rank:
            return self._only_pickup(state, seat)
        demand_held(hand, [spec.card for spec in loose.specs if spec.card is not None])
        if top != WILD:  # whatever is named, this rank is what the pile is taken with
            self._demand_free_rank(state, seat, top >> 2)
        ranks = [spec.rank for spec in loose.specs] + list(loose.whole_rank)
        naturals = {rank for rank in ranks if rank != WILD_RANK}
        if len(naturals) == 1:
            rank = naturals.pop()
            if top == WILD:
                self._demand_free_rank(state, seat, rank)
            if len(ranks) == 1:  # a rank alone, or one card of the pair: the other is the cheapest that will do
                moves = [move for move in self._pickups(state, seat) if move.cards[0] >> 2 == rank]
                named = [spec.card for spec in loose.specs if spec.card is not None]
                moves = [move for move in moves if all(card in move.cards for card in named)]
                if moves:
                    return self._as_held(hand, min(moves, key=self._cost))
                raise self._no_pair(state, seat, rank)
        try:
            cards = choose_cards(hand, loose.specs, loose.whole_rank, value)
        except Refusal:
            raise self._no_pair(state, seat, top >> 2 if top != WILD else ranks[0]) from None
        return Move("pickup", cards)

    def _cost(self, move: Move) -> tuple[int, bool, tuple[Card, ...]]:
        return worth(move.cards), QUEEN_OF_SPADES in move.cards, move.cards

    def _only_pickup(self, state: State, seat: Seat) -> Move:
        """The take that a bare `pickup` means: one rank, its cheapest cards; a wild only where nothing else will do."""
        moves = self._pickups(state, seat)
        top = state.pile[-1]
        if not moves:
            hand = state.hands[seat]
            pairs = [rank for rank in state.sets[seat % 2] if sum(card >> 2 == rank for card in hand) > 1]
            for rank in pairs if top == WILD else [top >> 2]:
                self._demand_free_rank(state, seat, rank)
            raise self._no_pair(state, seat, top >> 2)
        best: dict[tuple[Rank, bool], Move] = {}
        for move in moves:
            kind = (move.cards[0] >> 2, WILD in move.cards)
            if kind not in best or self._cost(move) < self._cost(best[kind]):
                best[kind] = move
        if len(best) > 1:
            raise Refusal("AMBIG", "With which cards do you take the pile?", list(best.values()))
        return self._as_held(state.hands[seat], next(iter(best.values())))

    def _as_held(self, hand: Sequence[Card], move: Move) -> Move:
        """The same move with its cards in the order of the hand."""
        return move._replace(cards=tuple(sorted(move.cards, key=hand.index)))

    def _resolve_wilds(self, state: State, seat: Seat, cards: tuple[Card, ...]) -> Move:
        mine = state.sets[seat % 2]
        fits = [rank for rank in mine if WILD not in mine[rank] and takes_wild(state.options, rank)]
        if len(fits) == 1 and len(cards) == 1:
            return Move("add", cards, rank_name(fits[0]))
        if len(fits) > 1 and len(cards) == 1:
            choices = [Move("add", cards, rank_name(rank)) for rank in sorted(fits)]
            raise Refusal("AMBIG", "To which set does the wild go?", choices)
        if not mine:
            raise Refusal("MIXED", "Your team has no set down yet to add to.")
        raise Refusal("WILDMAX", "A set takes one wild, and none of your team's sets has room for another.")

    # Refusals

    def _demand_pile(self, state: State, seat: Seat) -> None:
        super()._demand_pile(state, seat)
        if len(state.hands[seat]) < 2 and state.options.one_card_pile_ban == "on":
            raise Refusal("ONECARD", "With one card in hand you may not take the pile. DRAW instead.")

    def _demand_free_rank(self, state: State, seat: Seat, rank: Rank) -> None:
        if state.options.team_rank_pile_ban == "on" and rank in state.sets[seat % 2]:
            many = describe_rank(rank)
            raise Refusal("BLOCK", f"Your team has {many} down, so the pile can't be taken with {many}. DRAW instead.")

    def _no_pair(self, state: State, seat: Seat, rank: Rank) -> Refusal:
        """Why the hand has not what it takes: the top card's own pair, or one of it and a wild."""
        hand = state.hands[seat]
        instead = self._instead(state)
        if state.pile[-1] == WILD:
            return Refusal("PAIR", f"A wild is on top: you need two naturals of one rank to take the pile. {instead}")
        ways = self._pickups(state, seat)
        if ways:  # it could be taken, only not with the cards named
            how = " or ".join(dict.fromkeys(" ".join(rank_name(card >> 2) for card in way.cards) for way in ways))
            return Refusal("PAIR", f"{card_name(state.pile[-1])} is on top: take the pile with {how}. {instead}")
        many, one = describe_rank(rank), describe_rank(rank, many=False)
        held = sum(card >> 2 == rank for card in hand)
        has = f"one {one}" if held == 1 else f"no {many}" if not held else f"{held} {many}"
        if WILD in hand and held == 1:  # only where the house rule keeps wilds out of jokers
            return Refusal("PAIR", f"A set of {many} takes no wild here: you need two {many}, and hold one. {instead}")
        wild = "" if not takes_wild(state.options, rank) else f", or one {one} and a wild,"
        lack = " and no wild" if held == 1 and wild else ""
        return Refusal("PAIR", f"You need two {many}{wild} to take the pile; you hold {has}{lack}. {instead}")

    def _better_hint(self, state: State, seat: Seat, cards: Sequence[Card], refusal: Refusal) -> Refusal:
        """The same refusal with what this hand could do instead."""
        hand = state.hands[seat]
        ranks = [card >> 2 for card in cards if card != WILD]
        if refusal.code == "SMALL" and len(set(ranks)) == 1:
            rank = ranks[0]
            name = rank_name(rank)
            held = sum(card >> 2 == rank for card in hand)
            if held >= 3:
                hint = f"A set has three cards or more, and you hold {held} {describe_rank(rank)}: LAY {' '.join([name] * held)}."
                return Refusal("SMALL", hint)
            if held == 2 and WILD in hand and takes_wild(state.options, rank):
                return Refusal("SMALL", f"Two {describe_rank(rank)} need your wild to be a set: LAY {name} {name} W.")
            if held < 3:
                has = "one" if held == 1 else "two"
                return Refusal("SMALL", f"A set has three cards or more; you hold {has} of the {describe_rank(rank)}.")
        return refusal
