"""500 Rummy, 5000 Rummy and George: who may do what, and which move a text means."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from engine.cards import JOKER, QUEEN_OF_SPADES, WILD, Card, Rank, card_name, rank_name
from engine.game import Loose, Move, Refusal, Seat, Spec, describe_rank, write_move
from engine.rummy.deal_by_upcard import PICK
from engine.rummy.laying_off import Spot, lay_all, means, spots, swappable, takes
from engine.rummy.masks import FIRST_SUIT, Faces, faces_of, of_rank, those_of
from engine.rummy.melds import SET, WILDS, Meld, MeldRules, alternatives, of_owner, readings
from engine.rummy.offers import add_move, layoffs_among, lays_on, meld_move, melds_among, melds_in
from engine.rummy.run_base import DRAWS, MANY, PASSES, RunBase
from engine.rummy.run_table import OnTable, State
from engine.rummy.table import (
    DRAW,
    MELD,
    demand_held,
    demand_turn,
)

PICKS = [Move("pick", value="2"), Move("pick", value="12")]
Order = Callable[[Card], Any]  # the sort key of cards among which one is to be meant
Way = tuple[list[Card], list[Card | None]]  # cards, and what each is to stand for
TAKES, DISCARDS = ([Move(verb, (card,)) for card in range(WILD + 1)] for verb in ("take", "discard"))


class RunReading(RunBase):
    """The moves that are offered, and what is meant by those that are written."""

    # Who may do what

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every draw, take, lay-off of a card, swap, discard and call on the top card. Of new melds the natural ones of
        three cards and the longest, and those with one wild; while a card must be used, those that use it.
        """
        if state.phase == MELD:
            return self._lays_and_discards(state, seat) if seat == state.turn else []
        if state.phase != DRAW:
            return PICKS[:] if state.phase == PICK and seat == state.turn else []
        calls = [] if state.discarder is None else self._calls(state, seat)
        if seat != state.turn:
            return calls
        found = self._takes(state, seat)
        return [DRAWS, *found, *calls] if state.stock or self.can_refill(state) else [*found, PASSES, *calls]

    def _lays_and_discards(self, state: State, seat: Seat) -> list[Move]:
        hand = state.hands[seat]
        held = faces_of(hand)
        moves = self._lays(state, seat, held) if state.due is None or len(hand) < 2 else []
        if state.duty is not None:
            return moves
        if state.drawn is None and len(hand) > 1:  # the usual case of `_may_discard`
            cards = sorted(hand if held.bit_count() == len(hand) else set(hand))
            single = state.single
            if single is not None and len(cards) > 1 and single in cards:
                cards.remove(single)
        else:
            cards = self._may_discard(state, seat)
        moves += [DISCARDS[card] for card in cards]
        return moves

    def _calls(self, state: State, seat: Seat) -> list[Move]:
        """The calls on a discard, while it may be called."""
        if not state.pile:
            return []
        table = state.on_table or self.on_table(state)
        house = table.house
        if house.call != "pile":
            top = state.pile[-1]
            if not (table.takes >> top & 1 and table.owners >> seat & 1) or not self._may_call(state, seat):
                return []
            if house.layoff_opponents:
                known = table.calls.get(top)
                if known is None:
                    known = table.calls[top] = tuple(dict.fromkeys(self._calls_of(state, seat, top)))
                return list(known)
        elif not self._may_call(state, seat):
            return []
        cards = state.pile if house.call == "pile" else state.pile[-1:]
        moves = []
        for card in dict.fromkeys(reversed(cards)):
            moves += self._calls_of(state, seat, card)
        if house.call == "pile":
            held = Counter(state.hands[seat])
            for found in melds_in(self.rules(state), [*state.hands[seat], *dict.fromkeys(state.pile)]):
                if (Counter(found.cards) - held).total() == 1:
                    moves.append(found._replace(verb="rummy"))
        return list(dict.fromkeys(moves))

    def _calls_of(self, state: State, seat: Seat, card: Card) -> list[Move]:
        """The calls of a card of the pile that put it on a meld."""
        rules = self.rules(state)
        if card in rules.wild:
            return [add_move("rummy", meld, [card], [spot]) for meld, spot in self._call_spots(state, seat, card)]
        melds = self._open_to(state, seat) if self.on_table(state).takes >> card & 1 else ()
        return [lays_on("rummy", meld.number)[card] for meld in melds if takes(rules, meld) >> card & 1]

    def _takes(self, state: State, seat: Seat) -> list[Move]:
        """Every card of the pile down to which this seat may take."""
        hand, pile = state.hands[seat], state.pile
        if not pile or not hand:
            return []
        house = (state.on_table or self.on_table(state)).house
        if house.use_top or house.any_pair or house.deep_pair:
            depths = self._depths_by_house(state, seat)
        elif len(pile) == 1 or house.top_only:
            return [TAKES[pile[-1]]]
        else:
            depths = self._finder(state, seat).depths(hand, pile, 2)
            if not depths:
                return [TAKES[pile[-1]]]
            depths.insert(0, 1)
        moves = []
        for depth in depths:
            card = pile[-depth]
            alone = depth == 1 or (state.packs == 1 and card != JOKER)
            copies = 1 if alone else pile[-depth:].count(card)
            moves.append(TAKES[card] if copies == 1 else Move("take", (card,) * copies))
        return moves

    def _depths_by_house(self, state: State, seat: Seat) -> list[int]:
        """How deep this seat may take the pile where not even the top card is free, or a pair is needed."""
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        finder = self._finder(state, seat)
        first = 1 if house.use_top else 2
        if house.deep_pair:
            uses = (finder.use(pile[-depth], [*hand, *pile[-depth:]], hand) for depth in range(first, len(pile) + 1))
            depths = [depth for depth, use in enumerate(uses, first) if use is not None]
        else:
            depths = finder.depths(hand, pile, first)
        if not house.use_top:
            depths = [1, *depths]
        if house.any_pair:
            depths = [depth for depth in depths if self._has_pair(state, hand, pile[-depth])]
        return [depth for depth in depths if depth == 1 or not house.top_only]

    def _may_take(self, state: State, seat: Seat) -> bool:
        """Whether this seat may take anything at all."""
        house = self.house(state.options)
        if state.pile and state.hands[seat] and not house.use_top and not house.any_pair:
            return True
        return bool(self._takes(state, seat))

    def _has_pair(self, state: State, hand: Sequence[Card], card: Card) -> bool:
        wild = self.rules(state).wild
        return card not in wild and sum(c >> 2 == card >> 2 and c not in wild for c in hand) >= 2

    def _may_discard(self, state: State, seat: Seat) -> list[Card]:
        if state.duty is not None:
            return []
        hand = state.hands[seat]
        faces = set(hand)
        if state.drawn is not None:
            faces = {state.drawn}
        if state.single is not None and len(faces) > 1:
            faces.discard(state.single)
        if len(hand) == 1 and self.house(state.options).playable_ban:
            faces = {card for card in faces if not self._fits_table(state, seat, card)}
        return sorted(faces)

    def _lays(self, state: State, seat: Seat, held: Faces) -> list[Move]:
        """What may be laid of a hand of these faces; while a card must be used, only what uses it, or leads to that."""
        hand, table = state.hands[seat], state.on_table or self.on_table(state)
        house, rules, duty = table.house, table.rules, state.duty
        fit = table.takes & (held if duty is None else 1 << duty)
        moves: list[Move] = []
        if (fit or rules.replace == "swap") and (table.owners >> seat & 1 or not house.layoff_needs_meld):
            moves = self._lays_on(state, seat, table, fit)
        if len(hand) > 2 and state.due is None:
            if duty is not None and not rules.wild_faces >> duty & 1:  # only what is in a meld with it
                held &= of_rank(duty >> 2) | FIRST_SUIT << (duty & 3) | rules.wild_faces
                hand = those_of(hand, held)
            moves += melds_among(rules, hand, held)
        return moves if duty is None else self._for_duty(state, seat, duty, moves)

    def _for_duty(self, state: State, seat: Seat, duty: Card, moves: Sequence[Move]) -> list[Move]:
        """Those of these lays that use the card that must be used, or another that leads to it."""
        useful = [move for move in moves if duty in move.cards]
        house = self.house(state.options)
        if state.before is not None or house.new_meld_only or house.replace == "swap":  # else any lay is a use
            useful = [move for move in useful if self._keeps_duty(state, seat, move)]
        return useful or self._first_step(state, seat)

    def _lays_on(self, state: State, seat: Seat, table: OnTable, fit: Faces) -> list[Move]:
        """The lay-offs of the faces of a hand that fit a meld, and the swaps."""
        hand, melds, rules = state.hands[seat], state.melds, table.rules
        mine = not table.house.layoff_opponents
        if mine:
            melds = of_owner(melds, seat)
        if rules.replace == "swap":
            moves: list[Move] = []
            for meld in melds:
                moves += layoffs_among(rules, (meld,), hand, fit)
                moves += self._swaps(rules, meld, hand)
            return moves
        if mine or fit & (fit - 1):
            return layoffs_among(rules, melds, hand, fit)
        card = fit.bit_length() - 1  # the only one, which may go on any meld
        adds = table.adds.get(card)
        if adds is None:
            adds = table.adds[card] = tuple(layoffs_among(rules, melds, (card,), fit))
        return list(adds)

    def _swaps(self, rules: MeldRules, meld: Meld, hand: Sequence[Card]) -> list[Move]:
        """The wilds of the meld whose place a card of the hand may take."""
        label = f"M{meld.number}"
        return [
            Move("swap", (card, wild), label) for card in dict.fromkeys(hand) for wild in swappable(rules, meld, card)
        ]

    def _keeps_duty(self, state: State, seat: Seat, move: Move) -> bool:
        if move.verb != "swap" and state.before is None and not self.house(state.options).new_meld_only:
            return True  # any lay is a use
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
            return [use.found]
        meld = self._meld_called(state, f"M{use.meld}")
        assert meld is not None
        if use.wild is not None:
            return [Move("swap", (use.card, use.wild), f"M{use.meld}")]
        assert use.spot is not None
        return [add_move("add", meld, [use.card], [use.spot])]

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
        if len(faces) > 1:
            allowed = self._may_discard(state, seat)
            faces = [card for card in faces if card in allowed] or faces
        if named and len(faces) > 1 and self._ignores_suits(state):
            faces = sorted(faces, key=self._cheapest(state, state.single))[:1]
        if len(faces) != 1:
            raise Refusal("AMBIG", "Which card do you discard?", [Move("discard", (card,)) for card in faces])
        return Move("discard", (faces[0],))

    def _resolve_meld(self, state: State, loose: Loose, hand: Sequence[Card], verb: str = "meld") -> Move:
        """The one meld these cards are. Cards named by rank alone are all of that rank, or those that make a meld."""
        order = self._cheapest(state) if verb == "meld" and self._ignores_suits(state) else None
        ways = _ways(hand, loose, order)
        pair = order is not None and state.before is not None  # then it matters which of a rank were held before
        if pair:
            ways = sorted(_ways(hand, loose), key=lambda way: sorted(map(self._cheapest(state), way[0])))
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
        if len(several) > 1 and verb == "meld":
            several = self._those_with_duty(state, several)[: 1 if pair else None]
        if len(several) > 1:
            raise Refusal("AMBIG", "Which of these do you mean?", several[:MANY])
        return several[0]

    def _ignores_suits(self, state: State) -> bool:
        """Whether cards of one rank are all the same to the rules, so that a rank alone says enough."""
        rules = self.rules(state)
        return not rules.runs and not rules.distinct

    def _cheapest(self, state: State, last: Card | None = None) -> Order:
        """Which of the cards of a rank is meant first: the one that must be used, then the least valuable.

        `last` is the face that is meant only where there is no other.
        """
        values = self.values(state)
        return lambda card: (card == last, card != state.duty, values[card], card == QUEEN_OF_SPADES, card)

    def _resolve_add(self, state: State, seat: Seat, loose: Loose) -> Move:
        hand = state.hands[seat]
        ways = _ways(hand, loose, self._cheapest(state) if self._ignores_suits(state) else None)
        melds = self._open_to(state, seat)
        self._demand_open(state, seat)
        if loose.to:
            meld = self._meld_called(state, loose.to)
            named = _sets_of(state.melds, loose.to) if meld is None else [meld]
            if not named:
                raise Refusal("MIXED", f"There is no meld {loose.to}. Melds are numbered, as in ADD 9S TO M1.")
            melds = [meld for meld in named if meld in melds]
            if not melds:
                raise self._not_yours()
        return self._one_lay(state, "add", melds, ways)

    def _one_lay(self, state: State, verb: str, melds: Sequence[Meld], ways: Sequence[Way]) -> Move:
        """The one lay-off, or call, that puts cards named so on one of these melds."""
        moves: dict[Move, None] = {}
        rules = self.rules(state)
        for cards, wanted in ways:
            for meld in melds:
                laid = lay_all(rules, meld, cards, wanted)
                if laid is not None:
                    moves[add_move(verb, meld, *laid)] = None
        if not moves:
            raise self._no_fit(state, melds, *ways[0])
        several = list(moves) if len(moves) == 1 or verb != "add" else self._those_with_duty(state, list(moves))
        if len(several) > 1:
            raise Refusal("AMBIG", "Where does it go?", several[:MANY])
        return several[0]

    def _those_with_duty(self, state: State, moves: list[Move]) -> list[Move]:
        """Those of several lays that leave the card that must be used a use; what forbids them where none does."""
        if state.duty is None:
            return moves
        problem: Refusal | None = None
        allowed = []
        for move in moves:
            try:
                self.play(self.copy(state), state.turn, move)
            except Refusal as refusal:
                problem = problem or refusal
            else:
                allowed.append(move)
        if not allowed:
            assert problem is not None
            raise problem
        return allowed

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
        if house.call == "pile" and len(loose.specs) > 1:
            there = [*state.hands[seat], *state.pile]
            if len(loose.specs) > 2 and not loose.to:
                return self._resolve_meld(state, loose, there, "rummy")
            melds = [meld for meld in self._open_to(state, seat) if loose.to in ("", f"M{meld.number}")]
            return self._one_lay(state, "rummy", melds, _ways(there, loose))
        if len(loose.specs) != 1:
            raise Refusal("MIXED", "Call one card of the pile, as in RUMMY 9H TO M1.")
        spec = loose.specs[0]
        cards = state.pile if house.call == "pile" else state.pile[-1:]
        faces = [
            card for card in dict.fromkeys(cards) if card == spec.card or (spec.card is None and card >> 2 == spec.rank)
        ]
        moves = [
            add_move("rummy", meld, [card], [spot if spec.stands is None else spot._replace(stands=spec.stands)])
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


def _sets_of(melds: Sequence[Meld], rank: str) -> list[Meld]:
    """The sets of the rank of that name, for who says `add 9 to 9`."""
    return [meld for meld in melds if meld.low == SET and meld.kind != WILDS and rank_name(meld.kind) == rank]


def _ways(hand: Sequence[Card], loose: Loose, order: Order | None = None) -> list[Way]:
    """The cards that are named, with what they are to stand for; several ways where ranks alone leave it open.

    With an `order` they leave nothing open: the first of that rank are meant.
    """
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
    ways: list[Way] = [(cards, wanted)]
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
        picks = dict.fromkeys(combinations(some, count)) if order is None else [tuple(sorted(some, key=order)[:count])]
        stands = [spec.stands for spec in loose.specs if spec.card is None and spec.rank == rank]
        ways = [([*c, *pick], [*w, *stands]) for c, w in ways for pick in picks]
    return ways
