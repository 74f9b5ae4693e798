"""The rules that 500 Rummy, 5000 Rummy and George share: turns, melds, lay-offs, the pile, floating, calling Rummy.

Rules digest, sections C, D and E. Each game says by its `House` how it plays, and how it deals. Where a player lays on
a meld, the card stays theirs: they score it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from typing import Any, ClassVar

from engine.cards import Card, Rank, card_name, read_card, read_rank
from engine.game import Event, Loose, Move, Position, Refusal, Seat, Spec, describe_rank, write_move
from engine.rummy.finding import Finder, melds_in
from engine.rummy.house import NEVER, House, card_values, meld_rules
from engine.rummy.melds import (
    SET,
    Meld,
    MeldRules,
    Reading,
    Spot,
    alternatives,
    describe,
    is_sound,
    lay_on,
    new_meld,
    readings,
    spots,
    stands_of,
    swap_in,
    swappable,
)
from engine.rummy.run_table import Laid, State, View, copy_table, dump_table, load_table
from engine.rummy.table import (
    DRAW,
    MELD,
    OVER,
    can_refill,
    check_pack,
    demand_held,
    demand_turn,
    draw_card,
    finish_game,
    first_dealer,
)

PICK = "pick"  # before the first turn: a player chooses the size of a hand
DRAWS, PASSES = Move("draw"), Move("pass")
MANY = 8  # readings of a text that are offered as choices, at most


class RunRummy:
    """The rules of a game with sets and runs; see `engine.game.Game` for what each function promises."""

    name: str
    title: str
    aliases: tuple[str, ...]
    seats: tuple[int, ...]
    Options: type[Any]
    verbs: tuple[str, ...] = ("draw", "take", "meld", "add", "swap", "rummy", "discard", "pass")
    phases: ClassVar[tuple[str, ...]] = (DRAW, MELD)
    lines: ClassVar[tuple[str, ...]] = ("meld", "layoff", "had-turn")  # of a record, that the game knows

    # What each game says

    def house(self, options: Any) -> House:
        """The house rules worked out."""
        raise NotImplementedError

    def packs_for(self, options: Any, seats: int) -> int:
        """How many packs a deal begins with."""
        raise NotImplementedError

    def pack(self, options: Any, packs: int) -> Sequence[Card]:
        """The cards of so many packs."""
        raise NotImplementedError

    def give_out(self, state: State) -> list[Event]:
        """Deals a round from the beginning: shuffles, hands, the wild rank, the first card of the pile."""
        raise NotImplementedError

    def place_cards(self, state: State, position: Position, on_table: Sequence[Card]) -> None:
        """Puts hands, stock and pile of a position in their places."""
        raise NotImplementedError

    # Set-up

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everyone for themselves."""
        return tuple((seat,) for seat in range(seats))

    def _demand_seats(self, seats: int) -> None:
        if seats not in self.seats:
            raise ValueError(f"{self.title} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}")

    def new_state(self, options: Any, seats: int, seed: str, dealer: Seat) -> State:
        """A state before its first deal."""
        hands: list[list[Card]] = [[] for _ in range(seats)]
        return State(options, seats, seed, dealer, (dealer + 1) % seats, hands, [], [], [0] * seats)

    def deal(self, options: Any, seats: int, seed: str, dealer: Seat | None = None) -> State:
        """The first round from the seed."""
        self._demand_seats(seats)
        state = self.new_state(options, seats, seed, first_dealer(seed, seats) if dealer is None else dealer)
        self.give_out(state)
        return state

    def next_round(self, state: State) -> list[Event]:
        """The deal moves one seat to the left."""
        if state.phase != OVER or state.ended:
            raise ValueError("the game is over" if state.ended else "the round is not over")
        state.dealer = (state.dealer + 1) % state.seats
        state.round += 1
        state.shuffles += 1
        state.idle = 0
        state.out = None
        state.earned = None
        state.whole = True
        state.melds, state.had, state.apart = [], [], []
        state.discarder = state.due = None
        self._begin_turn(state)
        return self.give_out(state)

    def place(self, options: Any, seats: int, position: Position) -> State:
        """A state from an explicit position."""
        self._demand_seats(seats)
        unknown = [key for key in position.extra if key not in self.lines]
        if unknown:
            raise ValueError(f"{self.title} has no {unknown[0]!r} line")
        if position.down:
            raise ValueError(f"{self.title} has melds: write 'meld M1 Ann: 7S 8S 9S'")
        if position.phase not in (None, *self.phases):
            raise ValueError(f"the phases of {self.title} are {' and '.join(self.phases)}, not {position.phase}")
        dealer = seats - 1 if position.dealer is None else position.dealer
        state = self.new_state(options, seats, position.seed or "0", dealer)
        state.packs = self.packs_for(options, seats)
        state.round, state.shuffles = position.round, position.round - 1
        state.scores = [position.scores.get(side, 0) for side in range(seats)]
        state.had = [seat for seat, _ in position.extra.get("had-turn", ()) if seat is not None]
        wild = position.extra.get("wild")
        if wild:
            state.wild = read_rank(wild[0][1])
        given = position.hands or position.extra or position.stock is not None or position.pile is not None
        if position.seed is not None and not given and position.turn is None and position.phase is None:
            self.give_out(state)
            return state
        for owner, text in position.extra.get("meld", ()):
            self._place_meld(state, owner or 0, text)
        for seat, text in position.extra.get("layoff", ()):
            self._place_layoff(state, seat or 0, text)
        on_table = [card for meld in state.melds for card, _ in meld.everything()]
        self.place_cards(state, position, on_table)
        if state.phase != PICK:
            state.turn = (dealer + 1) % seats if position.turn is None else position.turn
            state.phase = position.phase or DRAW
        if self.house(options).finish_first_turn and state.turn not in state.had:
            state.had.append(state.turn)
        return state

    def _place_meld(self, state: State, owner: Seat, text: str) -> None:
        label, *words = text.split()
        cards = [read_card(word.partition("=")[0]) for word in words]
        wanted = [read_card(word.partition("=")[2]) if "=" in word else None for word in words]
        try:
            found = readings(self.rules(state), cards, wanted)
        except Refusal as refusal:
            raise ValueError(f"{' '.join(words)} is not a meld: {refusal.hint}") from None
        if len(found) > 1:
            raise ValueError(f"{' '.join(words)} can be several melds: say with = what the wilds stand for")
        if any(meld.number == int(label[1:]) for meld in state.melds):
            raise ValueError(f"there is a meld {label} already")
        state.melds.append(new_meld(int(label[1:]), owner, cards, found[0]))

    def _place_layoff(self, state: State, seat: Seat, text: str) -> None:
        label, *words = text.split()
        meld = self._meld_called(state, label)
        if meld is None:
            raise ValueError(f"there is no meld {label} to lay off on")
        for word in words:
            named, _, stands = word.partition("=")
            card = read_card(named)
            found = [s for s in spots(self.rules(state), meld, card) if not stands or s.stands == read_card(stands)]
            if not found:
                raise ValueError(f"{word} does not go on {label}")
            lay_on(meld, found[0], card, seat)

    # The rules of this round

    def rules(self, state: State) -> MeldRules:
        """What a meld may be in this round."""
        return meld_rules(self.house(state.options), state.packs, state.wild)

    def values(self, state: State) -> tuple[int, ...]:
        """What each card counts in this round, by its number."""
        return card_values(self.house(state.options), state.wild)

    def _finder(self, state: State, seat: Seat, melds: Sequence[Meld] | None = None) -> Finder:
        house = self.house(state.options)
        melds = state.melds if melds is None else melds
        mine = frozenset(meld.number for meld in melds if meld.owner == seat)
        lay_off = not (house.new_meld_only or house.deep_pair)
        own = None if house.layoff_opponents else mine
        return Finder(self.rules(state), melds, bool(mine) or not house.layoff_needs_meld, lay_off, own)

    def _open_to(self, state: State, seat: Seat) -> list[Meld]:
        """The melds on which this seat may lay off now."""
        house = self.house(state.options)
        mine = [meld for meld in state.melds if meld.owner == seat]
        if not mine and house.layoff_needs_meld:
            return []
        return state.melds if house.layoff_opponents else mine

    def _fits_table(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether the seat could lay this card off, or swap it in, now."""
        rules = self.rules(state)
        return any(spots(rules, meld, card) or swappable(rules, meld, card) for meld in self._open_to(state, seat))

    def _meld_called(self, state: State, label: str) -> Meld | None:
        return next((meld for meld in state.melds if f"M{meld.number}" == label), None)

    # Who may do what

    def waiting(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is, and those who may call Rummy."""
        if state.phase == OVER:
            return ()
        return (state.turn, *(seat for seat in self.callers(state) if seat != state.turn))

    def callers(self, state: State) -> list[Seat]:
        """Who might call Rummy now, by what everybody knows."""
        if state.phase != DRAW or state.discarder is None or not state.pile:
            return []
        house = self.house(state.options)
        could = [seat for seat in range(state.seats) if self._may_call(state, seat)]
        if house.call == "pile":
            return could
        return [seat for seat in could if self._call_spots(state, seat, state.pile[-1])]

    def _may_call(self, state: State, seat: Seat) -> bool:
        done = state.out is not None and not state.hands[seat]
        return seat != state.discarder and not done and any(meld.owner == seat for meld in state.melds)

    def _call_spots(self, state: State, seat: Seat, card: Card) -> list[tuple[Meld, Spot]]:
        rules = self.rules(state)
        return [(meld, spot) for meld in self._open_to(state, seat) for spot in spots(rules, meld, card)]

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
            moves += [self._add_move("rummy", meld, [card], [spot]) for meld, spot in self._call_spots(state, seat, card)]
        if house.call == "pile":
            held = Counter(state.hands[seat])
            for found in melds_in(self.rules(state), [*state.hands[seat], *dict.fromkeys(state.pile)]):
                if (Counter(found.cards) - held).total() == 1:
                    moves.append(_meld_move("rummy", found.cards, found.stands))
        return list(dict.fromkeys(moves))

    def _takes(self, state: State, seat: Seat) -> list[Move]:
        """Every card of the pile down to which this seat may take."""
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        if not pile or not hand:
            return []
        moves = []
        finder = None
        for depth in range(1, 2 if house.top_only else len(pile) + 1):
            card = pile[-depth]
            if house.any_pair and not self._has_pair(state, hand, card):
                continue
            if depth > 1 or house.use_top:
                finder = finder or self._finder(state, seat)
                if finder.use(card, [*hand, *pile[-depth:]], hand if house.deep_pair else None) is None:
                    continue
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
        for meld in self._open_to(state, seat):
            for card in dict.fromkeys(hand):
                moves += [self._add_move("add", meld, [card], [spot]) for spot in spots(rules, meld, card)]
                moves += [Move("swap", (card, wild), f"M{meld.number}") for wild in swappable(rules, meld, card)]
        if not calling and len(hand) >= 3:
            moves += [_meld_move("meld", found.cards, found.stands) for found in melds_in(rules, hand)]
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
            return [_meld_move("meld", use.found.cards, use.found.stands)]
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
        if not loose.specs:
            return Move("take", (pile[-1],))
        left = Counter(spec.card for spec in loose.specs if spec.card is not None)
        ranks = Counter(spec.rank for spec in loose.specs if spec.card is None)
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
                move = _meld_move(verb, cards, reading.stands)
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
                fits = [spot for spot in spots(rules, trial, card) if want is None or _means(trial, spot, want)]
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
        if house.call == "pile" and (len(loose.specs) > 1 or loose.to == ""):
            if len(loose.specs) > 2 and not loose.to:
                return self._resolve_meld(state, loose, [*state.hands[seat], *state.pile], "rummy")
        if len(loose.specs) != 1:
            raise Refusal("MIXED", "Call one card of the pile, as in RUMMY 9H TO M1.")
        spec = loose.specs[0]
        cards = state.pile if house.call == "pile" else state.pile[-1:]
        faces = [card for card in dict.fromkeys(cards) if card == spec.card or (spec.card is None and card >> 2 == spec.rank)]
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
        return [s for s in spots(self.rules(state), meld, card) if want is None or _means(meld, s, want)]

    # Refusals

    def _demand_pile(self, state: State, seat: Seat) -> None:
        if not state.hands[seat]:
            raise Refusal("FLOATING", "You are floating: you can only DRAW from the stock.")
        if not state.pile:
            raise Refusal("PHASE", "The pile is empty. DRAW instead.")

    def _demand_open(self, state: State, seat: Seat) -> None:
        if self._open_to(state, seat):
            return
        if self.house(state.options).layoff_needs_meld:
            raise Refusal("NOMELD", "You lay off only after a meld of your own.")
        if state.melds:
            raise self._not_yours()
        raise Refusal("MIXED", "There is no meld on the table yet.")

    def _not_yours(self) -> Refusal:
        return Refusal("OWNER", "You can lay off only on your own melds here.")

    def _no_fit(self, state: State, melds: Sequence[Meld], cards: Sequence[Card]) -> Refusal:
        """Why these cards go on none of the melds."""
        rules = self.rules(state)
        where = describe(rules, melds[0]) if len(melds) == 1 else "any meld on the table"
        said = " ".join(map(card_name, cards))
        wild = [card for card in cards if card in rules.wild]
        if wild and len(melds) == 1 and (rules.limit != "none" or melds[0].low == SET):
            return Refusal("WILDMAX", f"There is no room for another wild on {where}.")
        for meld in melds if len(cards) == 1 else ():
            card = cards[0]
            if meld.low == SET or card >> 2 > 12 or card & 3 != meld.kind or card in rules.wild:
                continue
            ace_next_to = card >> 2 == 12 and (meld.low == 1 or meld.high == 12)
            if ace_next_to or (meld.high == 13 and card >> 2 == 0) or (meld.low == 0 and card >> 2 == 11):
                return Refusal("WRAP", "A run doesn't go round the corner past the ace.")
        for meld in melds:
            if any(swappable(rules, meld, card) for card in cards):
                return Refusal("MIXED", f"A wild is in its place: SWAP {said} for it.")
        return Refusal("MIXED", f"{said} does not go on {where}.")

    def _demand_call(self, state: State, seat: Seat) -> None:
        house = self.house(state.options)
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if house.call == "off":
            raise Refusal("PHASE", "Nobody calls Rummy at this table.")
        if state.phase != DRAW or state.discarder is None or not state.pile:
            raise Refusal("PHASE", "Rummy is called on a discard, until the next player draws.")
        if seat == state.discarder:
            raise Refusal("PHASE", "You can't call your own discard.")
        if not any(meld.owner == seat for meld in state.melds):
            raise Refusal("NOMELD", "You call Rummy only after a meld of your own.")
        if state.out is not None and not state.hands[seat]:
            raise Refusal("PHASE", "You are out.")

    # Play

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        verb = move.verb
        if verb not in self.verbs:
            raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb == "rummy":
            return self._call(state, seat, move)
        if verb == "pick":
            return self._pick(state, seat, move)
        self._demand_turn(state, seat, DRAW if verb in ("draw", "take", "pass") else MELD)
        if verb == "draw":
            return self._draw(state, seat)
        if verb == "take":
            return self._take(state, seat, move)
        if verb == "pass":
            if state.stock or can_refill(state):
                raise Refusal("PHASE", "You can pass only when the stock is empty. DRAW, or TAKE from the pile.")
            return [Event("pass", seat), *self._end_round(state)]
        if verb == "discard":
            return self._discard(state, seat, move)
        self._demand_no_call(state, seat)
        if verb == "meld":
            return self._meld(state, seat, move)
        if verb == "add":
            return self._add(state, seat, move)
        return self._swap(state, seat, move)

    def _pick(self, state: State, seat: Seat, move: Move) -> list[Event]:
        raise Refusal("PHASE", "There is nothing to pick.")

    def _draw(self, state: State, seat: Seat) -> list[Event]:
        events = draw_card(state, seat)
        state.idle = -1
        state.discarder = None
        if self.house(state.options).use_stock:
            state.drawn = state.hands[seat][-1]
        return events

    def _take(self, state: State, seat: Seat, move: Move) -> list[Event]:
        self._demand_pile(state, seat)
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        card = move.cards[0] if move.cards else pile[-1]
        copies = max(len(move.cards), 1)
        found = [i for i, other in enumerate(pile) if other == card]
        if len(found) < copies or set(move.cards) - {card}:
            raise Refusal("NOTHELD", f"{card_name(card)} is not in the pile.")
        at = found[-copies]
        taken = pile[at:]
        if len(taken) > 1 and house.top_only:
            raise Refusal("MUSTUSE", "Only the top card of the pile may be taken here.")
        if house.any_pair and not self._has_pair(state, hand, card):
            many = describe_rank(card >> 2)
            raise Refusal("PAIR", f"You need two natural {many} in your hand to take {card_name(card)}. DRAW instead?")
        duty = len(taken) > 1 or house.use_top
        if duty:
            pair_of = hand if house.deep_pair else None
            if self._finder(state, seat).use(card, [*hand, *taken], pair_of) is None:
                if house.deep_pair:
                    raise Refusal("PAIR", f"You need two naturals in your hand that make a meld with {card_name(card)}.")
                raise Refusal("MUSTUSE", f"You could not use {card_name(card)} this turn, so you can't take it.")
            state.before = hand[:] if house.deep_pair else None
            state.duty = card
        del pile[at:]
        hand += taken
        state.single = card if len(taken) == 1 else None
        state.discarder = None
        state.phase = MELD
        return [Event("take", seat, tuple(taken), len(taken))]

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        meld = new_meld(self._next_number(state), seat, cards, self._read(state, move))
        self._demand_duty(state, seat, cards, [*state.melds, meld], (Counter(hand) - Counter(cards)).elements(), meld)
        for card in cards:
            hand.remove(card)
        state.melds.append(meld)
        return [Event("meld", seat, cards, to=f"M{meld.number}"), *self._laid(state, seat, cards)]

    def _next_number(self, state: State) -> int:
        return max((meld.number for meld in state.melds), default=0) + 1

    def _read(self, state: State, move: Move) -> Reading:
        """What the cards of a move are; a Refusal where they are nothing, or may be several things."""
        cards, rules = move.cards, self.rules(state)
        wanted: list[Card | None] = [
            None if not move.stands or (stands == card and card in rules.wild) else stands
            for card, stands in zip(cards, move.stands or cards, strict=True)
        ]
        found = readings(rules, cards, wanted)
        if len(found) > 1:
            choices = [_meld_move(move.verb, cards, reading.stands) for reading in alternatives(rules, cards, wanted)]
            raise Refusal("AMBIG", "Which of these do you mean?", choices[:MANY])
        return found[0]

    def _add(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        if not cards:
            raise Refusal("MIXED", "Name the card to lay off.")
        meld, at = self._find_spots(state, seat, move)
        trial = meld.copy()
        for card, spot in zip(cards, at, strict=True):
            lay_on(trial, spot, card, seat)
        melds = [trial if other is meld else other for other in state.melds]
        self._demand_duty(state, seat, cards, melds, (Counter(hand) - Counter(cards)).elements())
        for card in cards:
            hand.remove(card)
        state.melds = melds
        return [Event("add", seat, cards, to=move.to), *self._laid(state, seat, cards)]

    def _find_spots(self, state: State, seat: Seat, move: Move) -> tuple[Meld, list[Spot]]:
        """The meld of a lay-off, and where its cards go, one after the other."""
        self._demand_open(state, seat)
        meld = self._meld_called(state, move.to)
        if meld is None:
            raise Refusal("MIXED", f"There is no meld {move.to}. Melds are numbered, as in ADD 9S TO M1.")
        if meld not in self._open_to(state, seat):
            raise self._not_yours()
        trial, at = meld.copy(), []
        for i, card in enumerate(move.cards):
            fits = spots(self.rules(state), trial, card)
            if move.stands:
                fits = [spot for spot in fits if _means(trial, spot, move.stands[i])]
            if not fits:
                raise self._no_fit(state, [meld], move.cards)
            lay_on(trial, fits[0], card, seat)
            at.append(fits[0])
        return meld, at

    def _swap(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand = state.hands[seat]
        if self.house(state.options).replace != "swap":
            raise Refusal("MIXED", "A laid wild stays where it is at this table.")
        if len(move.cards) != 2:
            raise Refusal("MIXED", "Name the card, the wild and the meld, as in SWAP 9S FOR 6D IN M1.")
        card, wild = move.cards
        demand_held(hand, (card,))
        self._demand_open(state, seat)
        meld = self._meld_called(state, move.to)
        if meld is None or wild not in swappable(self.rules(state), meld, card):
            raise Refusal("MIXED", f"{card_name(card)} does not take the place of {card_name(wild)} in {move.to}.")
        if meld not in self._open_to(state, seat):
            raise self._not_yours()
        trial = meld.copy()
        swap_in(trial, card, wild, seat)
        melds = [trial if other is meld else other for other in state.melds]
        left = (Counter(hand) + Counter((wild,)) - Counter((card,))).elements()
        self._demand_duty(state, seat, (card,), melds, left)
        hand.remove(card)
        hand.append(wild)
        state.melds = melds
        return [Event("swap", seat, (card, wild), to=move.to), *self._laid(state, seat, (card,))]

    def _demand_duty(
        self, state: State, seat: Seat, cards: Sequence[Card], melds: Sequence[Meld], left: Iterable[Card],
        new: Meld | None = None,
    ) -> None:  # fmt: skip
        """Refuses a lay that uses the card that must be used in a way that is none, or leaves it without any use."""
        duty, house = state.duty, self.house(state.options)
        if duty is None:
            return
        rest = list(left)
        if duty in cards:
            if new is None and (house.new_meld_only or house.deep_pair):
                if duty not in rest:
                    raise Refusal("MUSTUSE", f"{card_name(duty)} must be in a new meld this turn.")
            elif new is None or state.before is None or self._has_two_of(state, cards, duty):
                return
            elif duty not in rest:
                raise Refusal("PAIR", f"{card_name(duty)} must be melded with two naturals that you held before.")
        if self._finder(state, seat, melds).use(duty, rest, state.before) is None:
            raise Refusal("MUSTUSE", f"That would leave {card_name(duty)} without a use, and you must use it this turn.")

    def _has_two_of(self, state: State, cards: Sequence[Card], duty: Card) -> bool:
        others = list(cards)
        others.remove(duty)
        wild, held = self.rules(state).wild, Counter(state.before or ())
        return (Counter(card for card in others if card not in wild) & held).total() >= 2

    def _laid(self, state: State, seat: Seat, cards: Sequence[Card]) -> list[Event]:
        """After cards were laid: duties met, and the end of the turn or the round where the hand is empty."""
        house = self.house(state.options)
        state.idle = -1
        if state.duty in cards and (state.duty not in state.hands[seat] or self._met(state, cards)):
            state.duty = state.before = None
        if state.drawn in cards:
            state.drawn = None
        if state.hands[seat]:
            return []
        if house.out_by_meld:
            return self._goes_out(state, seat)
        return [Event("float", seat), *self._end_turn(state, seat, discarded=False)]

    def _met(self, state: State, cards: Sequence[Card]) -> bool:
        """Whether these cards, just laid, were what had to be done, though another card of that face is left."""
        house = self.house(state.options)
        last = state.melds[-1]
        as_new = sorted(last.cards) == sorted(cards)
        if state.before is not None:
            return as_new and state.duty is not None and self._has_two_of(state, cards, state.duty)
        return as_new or not house.new_meld_only

    def _discard(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand = state.hands[seat]
        if len(move.cards) != 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        demand_held(hand, move.cards)
        card = move.cards[0]
        name = card_name(card)
        if card not in self._may_discard(state, seat):
            if state.duty is not None:
                raise Refusal("MUSTUSE", f"You took {card_name(state.duty)} from the pile, so you must meld it first.")
            if state.drawn not in (None, card):
                hint = f"You drew {card_name(state.drawn or 0)}: meld it, or throw it and nothing else."
                raise Refusal("MUSTUSE", hint)
            if state.single == card and len(set(hand)) > 1:
                raise Refusal("SAMECARD", f"You have just taken {name}, so it can't go straight back.")
            raise Refusal("PLAYABLE", f"{name} fits a meld on the table, so you can't go out with it: ADD it.")
        hand.remove(card)
        state.pile.append(card)
        events = [Event("discard", seat, (card,))]
        if not hand:
            return events + self._goes_out(state, seat)
        return events + self._end_turn(state, seat, discarded=True)

    def _call(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Lays a card of the pile at once, takes what lies above it, and then discards."""
        self._demand_call(state, seat)
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        if not move.cards:
            raise Refusal("MIXED", "Name the card, as in RUMMY 9H TO M1.")
        from_pile = _from_pile(move.cards, hand, pile if house.call == "pile" else pile[-1:])
        if from_pile is None:
            raise Refusal("MIXED", "Only a card of the pile that fits can be called, and at most one.")
        at = len(pile) - 1 - pile[::-1].index(from_pile)
        others = list(move.cards)
        others.remove(from_pile)
        if move.to:
            meld, spots_at = self._find_spots(state, seat, move)
            if others:
                raise Refusal("MIXED", "Call one card of the pile; lay your own off in your turn.")
            lay_on(meld, spots_at[0], from_pile, seat)
        elif house.call != "pile":
            raise Refusal("MIXED", "Say which meld it goes on, as in RUMMY 9H TO M1.")
        else:
            meld = new_meld(self._next_number(state), seat, move.cards, self._read(state, move))
            state.melds.append(meld)
            for card in others:
                hand.remove(card)
        above = pile[at + 1 :]
        del pile[at:]
        hand += above
        event = Event("rummy", seat, move.cards, len(above), f"M{meld.number}", reveals=True)
        due, state.due = state.turn, state.turn
        state.idle = 0
        if hand:
            state.turn, state.phase = seat, MELD
            state.discarder = None
            return [event]
        state.due = None
        state.turn = due
        if house.call == "discard" or not pile:
            state.discarder = None
        if house.out_by_meld:
            return [event, *self._goes_out(state, seat)]
        return [event, *self._stock_ends(state)]

    # The ends of turns, rounds and games

    def _begin_turn(self, state: State) -> None:
        state.phase = DRAW
        state.single = state.duty = state.before = state.drawn = None

    def _end_turn(self, state: State, seat: Seat, discarded: bool) -> list[Event]:
        """Passes the turn on; ends the round where nobody can go on."""
        house = self.house(state.options)
        called = state.due is not None
        following = state.due if state.due is not None else (seat + 1) % state.seats
        state.due = None
        self._begin_turn(state)
        if house.finish_first_turn:
            if not called and seat not in state.had:
                state.had.append(seat)
            if state.out is not None:
                left = [other for other in (*range(following, state.seats), *range(following)) if other not in state.had]
                if not left:
                    return self._end_round(state)
                following = left[0]
        state.turn = following
        state.discarder = seat if discarded and house.call != "off" else None
        if called:
            state.idle = 0
        elif state.stock or can_refill(state):
            state.idle = 0
        else:
            state.idle += 1
        return self._stock_ends(state)

    def _stock_ends(self, state: State) -> list[Event]:
        """Ends the round where the stock is empty and the player to move can take nothing, or everybody only swaps."""
        if state.stock or can_refill(state):
            return []
        if state.idle >= 2 * state.seats or not self._takes(state, state.turn):
            return self._end_round(state)
        return []

    def _goes_out(self, state: State, seat: Seat) -> list[Event]:
        house = self.house(state.options)
        if state.out is None:
            state.out = seat
        events = [Event("out", seat)] if state.out == seat else []
        if not house.finish_first_turn:
            return events + self._end_round(state)
        if seat not in state.had:
            state.had.append(seat)
        return events + self._end_turn(state, seat, discarded=False)

    def _end_round(self, state: State) -> list[Event]:
        house, values = self.house(state.options), self.values(state)
        state.due = state.discarder = state.duty = state.before = state.drawn = state.single = None
        out = state.out
        events = []
        if house.floaters_draw and out is not None:
            for i in range(1, state.seats):
                seat = (out + i) % state.seats
                if not state.hands[seat] and state.stock:
                    card = state.stock.pop()
                    state.hands[seat].append(card)
                    events.append(Event("draw", seat, private=(card,), count=1, reveals=True))
        held = [sum(map(values.__getitem__, hand)) for hand in state.hands]
        points = self.laid(state)
        if house.subtract:
            points = [laid - own for laid, own in zip(points, held, strict=True)]
        if out is not None:
            points[out] += house.out_bonus
            if not house.subtract:
                points[out] += sum(held) - held[out]
        return events + self._finish(state, points)

    def _finish(self, state: State, points: Sequence[int]) -> list[Event]:
        """The end of the round, and of the game where there is one."""
        house = self.house(state.options)
        totals = [score + gain for score, gain in zip(state.scores, points, strict=True)]
        best = max(totals)
        leaders = tuple(seat for seat, total in enumerate(totals) if total == best)
        winners: tuple[Seat, ...] = ()
        if house.rounds:
            if state.round >= house.rounds:
                winners = leaders
        elif best >= house.target:
            if house.out_first:
                winners = (state.out,) if state.out is not None and totals[state.out] >= house.target else leaders
            elif len(leaders) == 1:
                winners = leaders
            elif house.out_breaks_tie and state.out is not None and state.out in leaders:
                winners = (state.out,)
        events = finish_game(state, points, NEVER)
        if winners:
            state.ended = True
            state.winners = winners
            events.append(Event("ended", state.turn, reveals=True))
        return events

    # What is there

    def laid(self, state: State) -> list[int]:
        """Per player, the value of the cards they laid."""
        values, low_ace = self.values(state), self.house(state.options).low_ace
        rules = self.rules(state)
        worth = [0] * state.seats
        for meld in state.melds:
            for card, seat in zip(meld.cards, meld.seats, strict=True):
                worth[seat] += values[card]
            for place, card, seat in meld.beside:
                worth[seat] += low_ace if place == 0 and low_ace is not None else values[card]
            if meld.low == 0 and low_ace is not None and meld.cards[0] not in rules.wild:
                worth[meld.seats[0]] += low_ace - values[meld.cards[0]]
        return worth

    def points(self, state: State) -> list[int] | None:
        """Per player, the score of the round; None before its end."""
        return None if state.earned is None else list(state.earned)

    def view(self, state: State, seat: Seat | None) -> View:
        """A seat sees its own hand, all melds and the whole pile."""
        laid, rules = tuple(self.laid(state)), self.rules(state)
        return View(
            game=self.name,
            seat=seat,
            options=state.options,
            seats=state.seats,
            sides=self.sides(state.options, state.seats),
            round=state.round,
            dealer=state.dealer,
            turn=state.turn,
            phase=state.phase,
            hand=() if seat is None else tuple(sorted(state.hands[seat])),
            counts=tuple(map(len, state.hands)),
            top=state.pile[-1] if state.pile else None,
            pile_count=len(state.pile),
            stock_count=len(state.stock),
            down=(),
            laid=laid,
            contributed=laid,
            scores=tuple(state.scores),
            points=state.earned,
            out=state.out,
            over=state.phase == OVER,
            ended=state.ended,
            winners=state.winners,
            melds=tuple(_shown(rules, meld) for meld in state.melds),
            pile=tuple(state.pile),
            wild=state.wild,
            wilds=rules.wild,
            packs=state.packs,
            apart=tuple(state.apart),
            duty=state.duty,
            callers=tuple(self.callers(state)),
            due=state.due,
        )

    def copy(self, state: State) -> State:
        """An independent state, equal to this one."""
        return copy_table(state)

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON values."""
        return dump_table(state) | {"options": {f.name: getattr(state.options, f.name) for f in fields(self.Options)}}

    def load(self, data: Mapping[str, Any]) -> State:
        """The state that `dump` wrote."""
        return load_table(self.Options(**data["options"]), data)

    def check(self, state: State) -> None:
        """AssertionError unless every card is somewhere exactly once and every meld is one."""
        cards = [card for hand in state.hands for card in hand] + state.stock + state.pile + state.apart
        for meld in state.melds:
            assert is_sound(self.rules(state), meld), f"M{meld.number} is no meld"
            cards += [card for card, _ in meld.everything()]
        check_pack(self.pack(state.options, state.packs), cards, state.whole)


def _shown(rules: MeldRules, meld: Meld) -> Laid:
    everything = meld.everything()
    return Laid(
        meld.number,
        meld.owner,
        meld.run,
        tuple(card for card, _ in everything),
        tuple(seat for _, seat in everything),
        stands_of(rules, meld),
    )


def _means(meld: Meld, spot: Spot, want: Card) -> bool:
    """Whether the spot is the one that was asked for; in a set only the rank counts."""
    return spot.stands == want if meld.low != SET else spot.stands >> 2 == want >> 2


def _meld_move(verb: str, cards: Sequence[Card], stands: Sequence[Card]) -> Move:
    return Move(verb, tuple(cards), stands=() if tuple(stands) == tuple(cards) else tuple(stands))


def _from_pile(cards: Sequence[Card], hand: Sequence[Card], pile: Sequence[Card]) -> Card | None:
    """Which of the cards of a call is the pile's: the one that the hand lacks, or the last that the pile has."""
    lacking = list((Counter(cards) - Counter(hand)).elements())
    if len(lacking) == 1:
        return lacking[0] if lacking[0] in pile else None
    if lacking:
        return None
    return next((card for card in reversed(cards) if card in pile), None)


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
