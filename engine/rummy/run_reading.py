"""500 Rummy, 5000 Rummy and George: who may do what, and which move a text means."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from engine.cards import Card, Rank, card_name
from engine.game import Loose, Move, Refusal, Seat, Spec, describe_rank, write_move
from engine.rummy.deal_by_upcard import PICK
from engine.rummy.finding import melds_in
from engine.rummy.melds import (
    SET,
    Meld,
    Spot,
    alternatives,
    lay_on,
    readings,
    spots,
    swappable,
)
from engine.rummy.run_base import DRAWS, MANY, PASSES, RunBase, means, meld_move
from engine.rummy.run_table import State
from engine.rummy.table import (
    DRAW,
    MELD,
    OVER,
    can_refill,
    demand_held,
    demand_turn,
)


class RunReading(RunBase):
    """The moves that are offered, and what is meant by those that are written."""

    # Who may do what

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every draw, take, lay-off of a card, swap, discard and call on the top card. Of new melds the natural ones of
        three cards and the longest, and those with one wild; while a card must be used, those that use it.
        """
        if state.phase == OVER:
            return []
        if state.phase == PICK:
            return [Move("pick", value="2"), Move("pick", value="12")] if seat == state.turn else []
        calls = self._calls(state, seat)
        if seat != state.turn:
            return calls
        if state.phase == DRAW:
            takes = self._takes(state, seat)
            return [DRAWS, *takes, *calls] if state.stock or can_refill(state) else [*takes, PASSES, *calls]
        discards = [Move("discard", (card,)) for card in self._may_discard(state, seat)]
        return self._lays(state, seat) + discards

    def _calls(self, state: State, seat: Seat) -> list[Move]:
        if state.phase != DRAW or state.discarder is None or not state.pile or not self._may_call(state, seat):
            return []
        house = self.house(state.options)
        cards = state.pile if house.call == "pile" else state.pile[-1:]
        moves = []
        for card in dict.fromkeys(reversed(cards)):
            moves += [
                self._add_move("rummy", meld, [card], [spot]) for meld, spot in self._call_spots(state, seat, card)
            ]
        if house.call == "pile":
            held = Counter(state.hands[seat])
            for found in melds_in(self.rules(state), [*state.hands[seat], *dict.fromkeys(state.pile)]):
                if (Counter(found.cards) - held).total() == 1:
                    moves.append(meld_move("rummy", found.cards, found.stands))
        return list(dict.fromkeys(moves))

    def _takes(self, state: State, seat: Seat) -> list[Move]:
        """Every card of the pile down to which this seat may take."""
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        if not pile or not hand:
            return []
        moves = []
        finder = self._finder(state, seat)
        have = Counter(hand)
        wilds = sum(card in finder.rules.wild for card in hand)
        for depth in range(1, 2 if house.top_only else len(pile) + 1):
            card = pile[-depth]
            fits = not house.any_pair or self._has_pair(state, hand, card)
            if fits and (depth > 1 or house.use_top):
                hand_then = [*hand, *pile[-depth:]]
                if house.deep_pair:
                    fits = finder.use(card, hand_then, hand) is not None
                else:
                    fits = finder.has_use(card, have, wilds, hand_then)
            have[card] += 1
            wilds += card in finder.rules.wild
            if fits:
                copies = pile[-depth:].count(card)
                moves.append(Move("take", (card,) * copies))
        return moves

    def _has_pair(self, state: State, hand: Sequence[Card], card: Card) -> bool:
        wild = self.rules(state).wild
        return card not in wild and sum(c >> 2 == card >> 2 and c not in wild for c in hand) >= 2

    def _may_discard(self, state: State, seat: Seat) -> list[Card]:
        hand, house = state.hands[seat], self.house(state.options)
        if state.duty is not None:
            return []
        faces = list(dict.fromkeys(sorted(hand)))
        if state.drawn is not None:
            faces = [state.drawn]
        if state.single is not None and len(faces) > 1:
            faces = [card for card in faces if card != state.single]
        if len(hand) == 1 and house.playable_ban:
            faces = [card for card in faces if not self._fits_table(state, seat, card)]
        return faces

    def _lays(self, state: State, seat: Seat) -> list[Move]:
        hand, rules = state.hands[seat], self.rules(state)
        calling = state.due is not None
        if calling and len(hand) > 1:
            return []
        moves = []
        faces = dict.fromkeys(hand)
        wilds = [card for card in faces if card in rules.wild]
        for meld in self._open_to(state, seat):
            run, kind = meld.low != SET, meld.kind
            naturals = [c for c in faces if (c & 3 if run else c >> 2) == kind and c not in rules.wild]
            for card in (*naturals, *wilds):
                moves += [self._add_move("add", meld, [card], [spot]) for spot in spots(rules, meld, card)]
            if rules.replace == "swap":
                for card in naturals:
                    moves += [Move("swap", (card, wild), f"M{meld.number}") for wild in swappable(rules, meld, card)]
        if not calling and len(hand) >= 3:
            moves += [meld_move("meld", found.cards, found.stands) for found in melds_in(rules, hand)]
        moves = list(dict.fromkeys(moves))
        if state.duty is None:
            return moves
        useful = [move for move in moves if state.duty in move.cards and self._keeps_duty(state, seat, move)]
        return list(dict.fromkeys([*useful, *self._first_step(state, seat)]))

    def _keeps_duty(self, state: State, seat: Seat, move: Move) -> bool:
        try:
            self.play(self.copy(state), seat, move)
        except Refusal:
            return False
        return True

    def _first_step(self, state: State, seat: Seat) -> list[Move]:
        """A lay after which the card that must be used is used, or still can be."""
        assert state.duty is not None
        use = self._finder(state, seat).use(state.duty, state.hands[seat], state.before)
        if use is None:
            return []
        if use.found is not None:
            return [meld_move("meld", use.found.cards, use.found.stands)]
        meld = self._meld_called(state, f"M{use.meld}")
        assert meld is not None
        if use.wild is not None:
            return [Move("swap", (use.card, use.wild), f"M{use.meld}")]
        assert use.spot is not None
        return [self._add_move("add", meld, [use.card], [use.spot])]

    def _add_move(self, verb: str, meld: Meld, cards: Sequence[Card], at: Sequence[Spot]) -> Move:
        stands = tuple(spot.stands for spot in at)
        return Move(verb, tuple(cards), f"M{meld.number}", () if stands == tuple(cards) else stands)

    # Reading

    def resolve(self, state: State, seat: Seat, loose: Loose) -> Move:
        """The one move that is meant; see `engine.game.Game`."""
        verb = loose.verb
        if verb not in self.verbs:
            raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb in ("draw", "pass", "pick"):
            if loose.specs or loose.whole_rank:
                raise ValueError(f"{verb} names no cards")
            return Move(verb, value=loose.value)
        if verb == "rummy":
            return self._resolve_rummy(state, seat, loose)
        self._demand_turn(state, seat, DRAW if verb == "take" else MELD)
        if verb == "take":
            return self._resolve_take(state, seat, loose)
        if verb == "discard":
            return self._resolve_discard(state, seat, loose)
        if not loose.specs and not loose.whole_rank:
            choices = [move for move in self.legal(state, seat) if move.verb == verb]
            if choices:
                raise Refusal("AMBIG", "Which cards?", choices[:MANY])
            code = "SMALL" if verb == "meld" else "MIXED"
            raise Refusal(code, "Your hand has nothing for that now. DISCARD a card.")
        self._demand_no_call(state, seat)
        if verb == "meld":
            return self._resolve_meld(state, loose, state.hands[seat])
        if verb == "swap":
            return self._resolve_swap(state, loose)
        return self._resolve_add(state, seat, loose)

    def _demand_turn(self, state: State, seat: Seat, phase: str) -> None:
        if state.phase == PICK and seat == state.turn:
            raise Refusal("PHASE", "Choose your hand first: PICK 2 or PICK 12 cards.")
        demand_turn(state, seat)
        if state.phase == phase:
            return
        if phase == DRAW:
            raise Refusal("PHASE", "You have drawn already. Lay what you can, then DISCARD a card.")
        raise Refusal("PHASE", "Draw first: DRAW, or TAKE from the pile.")

    def _demand_no_call(self, state: State, seat: Seat) -> None:
        """While who called Rummy is to discard, nothing else is laid, but for an only card that fits."""
        if state.due is not None and (len(state.hands[seat]) > 1 or state.turn != seat):
            raise Refusal("PHASE", "After calling Rummy you DISCARD a card, and lay no more.")

    def _resolve_take(self, state: State, seat: Seat, loose: Loose) -> Move:
        pile = state.pile
        self._demand_pile(state, seat)
        named = [*loose.specs, *map(Spec, loose.whole_rank)]
        if not named:
            return Move("take", (pile[-1],))
        left = Counter(spec.card for spec in named if spec.card is not None)
        ranks = Counter(spec.rank for spec in named if spec.card is None)
        for depth, card in enumerate(reversed(pile), 1):
            if left[card]:
                left[card] -= 1
            elif ranks[card >> 2]:
                ranks[card >> 2] -= 1
                faces = {other for other in pile if other >> 2 == card >> 2}
                if len(faces) > 1:
                    raise Refusal("AMBIG", "Which of them?", [Move("take", (face,)) for face in sorted(faces)])
            if not left.total() and not ranks.total():
                return Move("take", (card,) * pile[-depth:].count(card))
        missing = next((card_name(card) for card in left.elements()), "that")
        raise Refusal("NOTHELD", f"{missing} is not in the pile.")

    def _resolve_discard(self, state: State, seat: Seat, loose: Loose) -> Move:
        hand = state.hands[seat]
        named = [*loose.specs, *(Spec(rank) for rank in loose.whole_rank)]
        if len(named) > 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        faces = sorted(set(hand))
        if named:
            spec = named[0]
            faces = [spec.card] if spec.card is not None else [card for card in faces if card >> 2 == spec.rank]
            if not faces:
                raise Refusal("NOTHELD", f"You hold no {describe_rank(spec.rank)}.")
        if len(faces) != 1:
            raise Refusal("AMBIG", "Which card do you discard?", [Move("discard", (card,)) for card in faces])
        return Move("discard", (faces[0],))

    def _resolve_meld(self, state: State, loose: Loose, hand: Sequence[Card], verb: str = "meld") -> Move:
        """The one meld these cards are. Cards named by rank alone are all of that rank, or those that make a meld."""
        ways = _ways(hand, loose)
        found: dict[str, Move] = {}
        problem: Refusal | None = None
        several: list[Move] = []
        rules = self.rules(state)
        for cards, wanted in ways:
            try:
                read = readings(rules, cards, wanted)
            except Refusal as refusal:
                problem = problem or refusal
                continue
            if len(read) > 1:
                read = alternatives(rules, cards, wanted)
            for reading in read:
                move = meld_move(verb, cards, reading.stands)
                found.setdefault(write_move(move), move)
            several = list(found.values())
        if not several:
            assert problem is not None
            raise problem
        if len(several) > 1:
            raise Refusal("AMBIG", "Which of these do you mean?", several[:MANY])
        return several[0]

    def _resolve_add(self, state: State, seat: Seat, loose: Loose) -> Move:
        hand = state.hands[seat]
        ways = _ways(hand, loose)
        melds = self._open_to(state, seat)
        self._demand_open(state, seat)
        if loose.to:
            meld = self._meld_called(state, loose.to)
            if meld is None:
                raise Refusal("MIXED", f"There is no meld {loose.to}. Melds are numbered, as in ADD 9S TO M1.")
            if meld not in melds:
                raise self._not_yours()
            melds = [meld]
        moves: dict[Move, None] = {}
        for cards, wanted in ways:
            for meld in melds:
                laid = self._lay_all(state, meld, cards, wanted)
                if laid is not None:
                    moves[self._add_move("add", meld, *laid)] = None
        if len(moves) > 1:
            raise Refusal("AMBIG", "Where does it go?", list(moves)[:MANY])
        if moves:
            return next(iter(moves))
        cards = ways[0][0]
        raise self._no_fit(state, melds, cards)

    def _lay_all(
        self, state: State, meld: Meld, cards: Sequence[Card], wanted: Sequence[Card | None]
    ) -> tuple[list[Card], list[Spot]] | None:
        """The cards in an order in which each fits the meld, with where they go; None where there is none."""
        rules, trial = self.rules(state), meld.copy()
        left = sorted(zip(cards, wanted, strict=True), key=lambda pair: (pair[0] in rules.wild, pair[1] is None))
        order: list[Card] = []
        at: list[Spot] = []
        while left:
            for pair in left:
                card, want = pair
                fits = [spot for spot in spots(rules, trial, card) if want is None or means(trial, spot, want)]
                if fits:
                    lay_on(trial, fits[0], card, 0)
                    order.append(card)
                    at.append(fits[0] if want is None else fits[0]._replace(stands=want))
                    left.remove(pair)
                    break
            else:
                return None
        return order, at

    def _resolve_swap(self, state: State, loose: Loose) -> Move:
        cards = tuple(spec.card for spec in loose.specs if spec.card is not None)
        if len(cards) != 2 or len(loose.specs) != 2 or not loose.to:
            raise Refusal("MIXED", "Name the card, the wild and the meld, as in SWAP 9S FOR 6D IN M1.")
        return Move("swap", cards, loose.to)

    def _resolve_rummy(self, state: State, seat: Seat, loose: Loose) -> Move:
        self._demand_call(state, seat)
        house = self.house(state.options)
        if not loose.specs:
            calls = self._calls(state, seat)
            if len(calls) > 1:
                raise Refusal("AMBIG", "Which do you call?", calls[:MANY])
            if not calls:
                raise Refusal("MIXED", "Nothing in the pile can be called now.")
            return calls[0]
        if house.call == "pile" and len(loose.specs) > 2 and not loose.to:
            return self._resolve_meld(state, loose, [*state.hands[seat], *state.pile], "rummy")
        if len(loose.specs) != 1:
            raise Refusal("MIXED", "Call one card of the pile, as in RUMMY 9H TO M1.")
        spec = loose.specs[0]
        cards = state.pile if house.call == "pile" else state.pile[-1:]
        faces = [
            card for card in dict.fromkeys(cards) if card == spec.card or (spec.card is None and card >> 2 == spec.rank)
        ]
        moves = [
            self._add_move("rummy", meld, [card], [spot if spec.stands is None else spot._replace(stands=spec.stands)])
            for card in faces
            for meld in self._open_to(state, seat)
            if loose.to in ("", f"M{meld.number}")
            for spot in self._named_spots(state, meld, card, spec.stands)[:1]
        ]
        if len(moves) > 1:
            raise Refusal("AMBIG", "Where does it go?", moves[:MANY])
        if not moves:
            raise Refusal("MIXED", "Only a card just discarded that fits a meld on the table can be called.")
        return moves[0]

    def _named_spots(self, state: State, meld: Meld, card: Card, want: Card | None) -> list[Spot]:
        return [s for s in spots(self.rules(state), meld, card) if want is None or means(meld, s, want)]


def _ways(hand: Sequence[Card], loose: Loose) -> list[tuple[list[Card], list[Card | None]]]:
    """The cards that are named, with what they are to stand for; several ways where ranks alone leave it open."""
    named = [spec for spec in loose.specs if spec.card is not None]
    demand_held(hand, [spec.card for spec in named if spec.card is not None])
    cards = [spec.card for spec in named if spec.card is not None]
    wanted: list[Card | None] = [spec.stands for spec in named]
    left = Counter(hand) - Counter(cards)
    ranks: dict[Rank, int] = {}
    for spec in loose.specs:
        if spec.card is None:
            ranks[spec.rank] = ranks.get(spec.rank, 0) + 1
    whole = list(loose.whole_rank)
    if len(loose.specs) == 1 and ranks and not whole and loose.verb == "meld":
        whole, ranks = list(ranks), {}  # one card is never a meld, so a rank alone is all of it
    ways: list[tuple[list[Card], list[Card | None]]] = [(cards, wanted)]
    for rank in whole:
        some = sorted(card for card in left.elements() if card >> 2 == rank)
        if not some:
            raise Refusal("NOTHELD", f"You hold no {describe_rank(rank)}.")
        ways = [([*c, *some], [*w, *([None] * len(some))]) for c, w in ways]
    for rank, count in ranks.items():
        some = sorted(card for card in left.elements() if card >> 2 == rank)
        if len(some) < count:
            many = describe_rank(rank)
            raise Refusal("NOTHELD", f"You hold only {len(some)} of the {many}." if some else f"You hold no {many}.")
        picks = dict.fromkeys(combinations(some, count))
        stands = [spec.stands for spec in loose.specs if spec.card is None and spec.rank == rank]
        ways = [([*c, *pick], [*w, *stands]) for c, w in ways for pick in picks]
    return ways
