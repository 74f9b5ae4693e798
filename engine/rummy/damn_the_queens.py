"""Damn the Queens: four players, partners opposite, sets that belong to the team. Rules digest, section B.

108 cards: two packs without twos, eight unsuited wilds, four jokers (a plain rank of their own). A set is two naturals
or more of one rank and one wild at most; a team has one set of a rank, and what comes later joins it. The pile is taken
whole, with two cards from the hand that make a set with its top card. A hand that is empty ends the round at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import (
    JOKER,
    JOKER_RANK,
    QUEEN_OF_SPADES,
    WILD,
    WILD_RANK,
    Card,
    Rank,
    card_name,
    rank_name,
    read_rank,
)
from engine.game import Event, Loose, Move, Position, Refusal, Seat, describe_rank, rule
from engine.rummy.table import (
    DRAW,
    MELD,
    OVER,
    Down,
    RummyState,
    RummyView,
    can_refill,
    check_pack,
    choose_cards,
    common_dump,
    common_load,
    demand_held,
    demand_turn,
    draw_card,
    fill,
    finish_game,
    first_dealer,
    one_discard,
    shuffled,
)

SEATS = 4
HAND = 13
SIDES: tuple[tuple[Seat, ...], ...] = ((0, 2), (1, 3))
PACK: tuple[Card, ...] = tuple(sorted([*range(4, 52)] * 2 + [JOKER] * 4 + [WILD] * 8))
VALUES: dict[Card, int] = {card: 5 if card >> 2 <= 7 else 20 if card >> 2 == 12 else 10 for card in range(4, 52)} | {
    QUEEN_OF_SPADES: 100,
    JOKER: 50,
    WILD: 10,
}
ON_OFF = ("on", "off")
DRAWS, PASSES = Move("draw"), Move("pass")
DISCARDS: dict[Card, Move] = {card: Move("discard", (card,)) for card in PACK}
ADDS: dict[Card, Move] = {card: Move("add", (card,), rank_name(card >> 2)) for card in PACK if card != WILD}


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of Damn the Queens."""

    target: int = rule(1000, "the score that ends the game", low=500, high=5000)
    team_rank_discard_ban: str = rule("on", "a rank your team has down may not be discarded", *ON_OFF)
    team_rank_pile_ban: str = rule("on", "the pile may not be taken with a rank your team has down", *ON_OFF)
    one_card_pile_ban: str = rule("on", "a hand of one card may not take the pile", *ON_OFF)
    naturals_first: str = rule("on", "two naturals always go before a wild; off lets the player choose", *ON_OFF)
    joker_set_wild: str = rule("on", "a set of jokers may take its one wild", *ON_OFF)
    out_bonus: int = rule(0, "points for the team that goes out", low=0, high=300)
    out_team_subtracts_partner: str = rule("off", "the team that goes out pays for the partner's hand", *ON_OFF)
    warn_one_card: str = rule("on", "all are told when a hand is down to one card", *ON_OFF)
    stock_out: str = rule("end_round", "what an empty stock does", "end_round", "reshuffle")


HouseRules = Options  # in the class of the game, `Options` is its attribute


@dataclass(slots=True)
class State(RummyState):
    """A round of Damn the Queens: `sets[side][rank]` are the cards of a team's set."""

    sets: tuple[dict[Rank, list[Card]], dict[Rank, list[Card]]] = field(default_factory=lambda: ({}, {}))
    contributed: list[int] = field(default_factory=lambda: [0] * SEATS)  # points of what each seat put down


def value(card: Card) -> int:
    """What a card counts, laid or held."""
    return VALUES[card]


def worth(cards: Iterable[Card]) -> int:
    """What cards count together."""
    return sum(map(VALUES.__getitem__, cards))


def score_round(options: Options, laid: Sequence[int], held: Sequence[int], out: Seat | None) -> tuple[int, int]:
    """The points of a round per team, from what each team laid (by side), each seat holds, and who went out.

    The team that went out keeps what it laid; the others, and both when nobody went out, pay for both hands.
    """
    points = []
    for side in (0, 1):
        in_hand = held[side] + held[side + 2]
        if out is not None and out % 2 == side:
            subtract = in_hand if options.out_team_subtracts_partner == "on" else 0
            points.append(laid[side] - subtract + options.out_bonus)
        else:
            points.append(laid[side] - in_hand)
    return points[0], points[1]


class DamnTheQueens:
    """The rules of Damn the Queens; see `engine.game.Game` for what each function promises."""

    name = "damn-the-queens"
    title = "Damn the Queens"
    aliases: tuple[str, ...] = ("damn", "dtq", "queens", "damnqueens", "damn the queen", "damn queens")
    seats: tuple[int, ...] = (SEATS,)
    Options: type[Any] = Options
    verbs: tuple[str, ...] = ("draw", "pickup", "meld", "add", "auto", "discard", "pass")

    # Set-up

    def sides(self, options: HouseRules, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Partners sit opposite."""
        return SIDES

    def deal(self, options: HouseRules, seats: int, seed: str, dealer: Seat | None = None) -> State:
        """The first round from the seed."""
        if seats != SEATS:
            raise ValueError(f"Damn the Queens is for {SEATS} players, not {seats}")
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
        if state.phase != OVER or state.ended:
            raise ValueError("the game is over" if state.ended else "the round is not over")
        state.dealer = (state.dealer + 1) % SEATS
        state.round += 1
        state.sets = ({}, {})
        state.contributed = [0] * SEATS
        state.idle = 0
        state.out = None
        state.earned = None
        state.whole = True
        self._deal(state, state.shuffles + 1)
        return [Event("deal", state.dealer, tuple(state.pile[-1:]), state.round, reveals=True)]

    def place(self, options: HouseRules, seats: int, position: Position) -> State:
        """A state from an explicit position."""
        if seats != SEATS:
            raise ValueError(f"Damn the Queens is for {SEATS} players, not {seats}")
        if position.extra:
            raise ValueError(f"Damn the Queens has no {next(iter(position.extra))!r} line")
        phase = position.phase or DRAW
        if phase not in (DRAW, MELD):
            raise ValueError(f"the phases of Damn the Queens are draw and meld, not {phase}")
        sets: tuple[dict[Rank, list[Card]], dict[Rank, list[Card]]] = ({}, {})
        for side, cards in position.down:
            rank = self._rank_of_set(options, cards)
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

    def _rank_of_set(self, options: HouseRules, cards: Sequence[Card]) -> Rank:
        """The rank of a valid set; ValueError otherwise."""
        try:
            return self._check_set(options, cards)
        except Refusal as refusal:
            raise ValueError(f"{' '.join(map(card_name, cards))} is not a set: {refusal.hint}") from None

    # Who may do what

    def waiting(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is."""
        return () if state.phase == OVER else (state.turn,)

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
                if wild and self._takes_wild(state.options, rank):
                    moves.append(Move("meld", (*cards, WILD)))
        faces = dict.fromkeys(hand)
        if not mine:
            return moves + [DISCARDS[card] for card in faces]
        moves += [ADDS[card] for card in faces if card >> 2 in mine]
        if wild:
            moves += [
                Move("add", (WILD,), rank_name(rank))
                for rank, laid in mine.items()
                if WILD not in laid and self._takes_wild(state.options, rank)
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

    def _takes_wild(self, options: HouseRules, rank: Rank) -> bool:
        return rank != JOKER_RANK or options.joker_set_wild == "on"

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
            spare = self._takes_wild(options, rank) and (own is None or WILD not in own)
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
            raise ValueError(f"Damn the Queens has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb in ("draw", "auto", "pass"):
            if loose.specs or loose.whole_rank:
                raise ValueError(f"{verb} names no cards")
            return Move(verb)
        demand_turn(state, seat, DRAW if verb == "pickup" else MELD)
        hand = state.hands[seat]
        if verb == "pickup":
            return self._resolve_pickup(state, seat, loose)
        if verb == "discard":
            try:
                return Move("discard", (one_discard(hand, loose, value),))
            except Refusal as refusal:
                if refusal.code != "AMBIG":
                    raise
                choices = [move for move in self.legal(state, seat) if move.verb == "discard"]
                raise Refusal("AMBIG", refusal.hint, choices) from None
        if not loose.specs and not loose.whole_rank:
            raise self._which(state, seat, verb)
        if verb == "meld":
            specs, whole = loose.specs, loose.whole_rank
            if len(specs) == 1 and specs[0].card is None and not whole:
                whole, specs = (specs[0].rank,), ()  # one card is never a set, so a rank alone is all of it
            return Move("meld", choose_cards(hand, specs, whole, value))
        return self._resolve_add(state, seat, loose)

    def _which(self, state: State, seat: Seat, verb: str) -> Refusal:
        """The answer to a lay or an add that names no card."""
        choices = [move for move in self.legal(state, seat) if move.verb == verb]
        if len(choices) > 1:
            return Refusal("AMBIG", "Which cards?", choices)
        word = "lay" if verb == "meld" else "add"
        if choices:
            return Refusal("AMBIG", f"Which cards do you {word}?", choices)
        return Refusal("SMALL" if verb == "meld" else "MIXED", f"Your hand has nothing to {word} now. DISCARD a card.")

    def _resolve_pickup(self, state: State, seat: Seat, loose: Loose) -> Move:
        hand = state.hands[seat]
        self._demand_pile(state, seat)
        top = state.pile[-1]
        if not loose.specs and not loose.whole_rank:
            return self._only_pickup(state, seat)
        demand_held(hand, [spec.card for spec in loose.specs if spec.card is not None])
        ranks = [spec.rank for spec in loose.specs] + list(loose.whole_rank)
        naturals = {rank for rank in ranks if rank != WILD_RANK}
        if len(naturals) == 1:
            rank = naturals.pop()
            if top == WILD or rank == top >> 2:
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

    def _resolve_add(self, state: State, seat: Seat, loose: Loose) -> Move:
        cards = choose_cards(state.hands[seat], loose.specs, loose.whole_rank, value)
        if loose.to:
            try:
                return Move("add", cards, rank_name(read_rank(loose.to)))
            except ValueError:
                raise Refusal(
                    "MIXED", f"Sets are named by their rank here, as in ADD 9 TO 9; {loose.to} is none."
                ) from None
        ranks = {card >> 2 for card in cards if card != WILD}
        if len(ranks) == 1:
            return Move("add", cards, rank_name(ranks.pop()))
        if ranks:
            raise Refusal("MIXED", "One rank at a time: ADD 9 9, then ADD T.")
        mine = state.sets[seat % 2]
        fits = [rank for rank in mine if WILD not in mine[rank] and self._takes_wild(state.options, rank)]
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
        if not state.pile:
            raise Refusal("PHASE", "The pile is empty. DRAW instead.")
        if len(state.hands[seat]) < 2 and state.options.one_card_pile_ban == "on":
            raise Refusal("ONECARD", "With one card in hand you may not take the pile. DRAW instead.")

    def _demand_free_rank(self, state: State, seat: Seat, rank: Rank) -> None:
        if state.options.team_rank_pile_ban == "on" and rank in state.sets[seat % 2]:
            many = describe_rank(rank)
            raise Refusal("BLOCK", f"Your team has {many} down, so the pile can't be taken with {many}. DRAW instead.")

    def _no_pair(self, state: State, seat: Seat, rank: Rank) -> Refusal:
        """Why the hand has not what it takes: the top card's own pair, or one of it and a wild."""
        hand = state.hands[seat]
        instead = "DRAW instead?" if state.stock or can_refill(state) else "PASS ends the round."
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
        wild = "" if not self._takes_wild(state.options, rank) else f", or one {one} and a wild,"
        lack = " and no wild" if held == 1 and wild else ""
        return Refusal("PAIR", f"You need two {many}{wild} to take the pile; you hold {has}{lack}. {instead}")

    def _check_set(self, options: HouseRules, cards: Sequence[Card]) -> Rank:
        """The rank of a new set, or a Refusal in the order of the rules: SMALL NATMIN WILDMAX MIXED."""
        wilds = cards.count(WILD)
        ranks = {card >> 2 for card in cards if card != WILD}
        if len(cards) < 3:
            raise Refusal("SMALL", "A set has three cards or more.")
        if len(cards) - wilds < 2:
            raise Refusal("NATMIN", "A set needs two naturals of its rank.")
        if wilds > 1:
            raise Refusal("WILDMAX", "A set takes one wild at most.")
        if len(ranks) > 1:
            raise Refusal("MIXED", "A set is of one rank. Lay one set at a time.")
        rank = ranks.pop()
        if wilds and not self._takes_wild(options, rank):
            raise Refusal("WILDMAX", "A set of jokers takes no wild here.")
        return rank

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
            demand_turn(state, seat, DRAW)
            if state.stock or can_refill(state):
                raise Refusal("PHASE", "You can pass only when the stock is empty. DRAW, or PICKUP if you can.")
            return [Event("pass", seat), *self._end_round(state, None)]
        raise ValueError(f"Damn the Queens has no {verb!r}; its moves are {', '.join(self.verbs)}")

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
        if wilds > 1 or (wilds and not self._takes_wild(options, rank)):
            hint = (
                "A set takes one wild at most." if self._takes_wild(options, rank) else "A set of jokers takes no wild."
            )
            raise Refusal("WILDMAX", f"{hint} DRAW instead?")
        state.pile.pop()
        for card in cards:
            hand.remove(card)
        mine.setdefault(rank, []).extend(laid)
        state.contributed[seat] += worth(laid)
        rest = tuple(state.pile)
        hand += rest
        state.pile = []
        state.phase = MELD
        state.idle = 0
        event = Event("pickup", seat, tuple(laid), len(rest), rank_name(rank), rest, reveals=bool(rest))
        return [event, *self._maybe_out(state, seat)]

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        mine = state.sets[seat % 2]
        ranks = {card >> 2 for card in cards if card != WILD}
        if len(ranks) == 1 and next(iter(ranks)) in mine:  # one set of a rank per team: the rest joins it
            return self._add(state, seat, cards, rank_name(ranks.pop()))
        try:
            rank = self._check_set(state.options, cards)
        except Refusal as refusal:
            raise self._better_hint(state, seat, cards, refusal) from None
        for card in cards:
            hand.remove(card)
        mine[rank] = list(cards)
        state.contributed[seat] += worth(cards)
        state.idle = 0
        return [Event("meld", seat, cards, to=rank_name(rank)), *self._maybe_out(state, seat)]

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
            if held == 2 and WILD in hand and self._takes_wild(state.options, rank):
                return Refusal("SMALL", f"Two {describe_rank(rank)} need your wild to be a set: LAY {name} {name} W.")
            if held < 3:
                has = "one" if held == 1 else "two"
                return Refusal("SMALL", f"A set has three cards or more; you hold {has} of the {describe_rank(rank)}.")
        return refusal

    def _add(self, state: State, seat: Seat, cards: Sequence[Card], to: str) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand = state.hands[seat]
        demand_held(hand, cards)
        if not cards:
            raise Refusal("MIXED", "Name the card to add.")
        rank = read_rank(to)
        side = seat % 2
        own = state.sets[side].get(rank)
        many = describe_rank(rank)
        if own is None:
            if rank in state.sets[1 - side]:
                raise Refusal("OWNER", f"The {many} are the other team's set; you can add only to your own.")
            raise Refusal("MIXED", f"Your team has no set of {many} down.")
        wrong = next((card for card in cards if card != WILD and card >> 2 != rank), None)
        if wrong is not None:
            raise Refusal("MIXED", f"{card_name(wrong)} does not go on the {many}.")
        wilds = cards.count(WILD)
        if wilds and (wilds + own.count(WILD) > 1 or not self._takes_wild(state.options, rank)):
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

    def _discard(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand = state.hands[seat]
        if len(move.cards) != 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        demand_held(hand, move.cards)
        card = move.cards[0]
        rank = card >> 2
        if state.options.team_rank_discard_ban == "on" and rank in state.sets[seat % 2]:
            hint = f"Your team has {describe_rank(rank)} down, so {card_name(card)} can't be discarded. "
            name = rank_name(rank)
            raise Refusal("TEAMRANK", hint + f"ADD {name} TO {name} instead, or discard another card.")
        hand.remove(card)
        state.pile.append(card)
        events = [Event("discard", seat, (card,))]
        if not hand:
            return events + self._end_round(state, seat)
        if len(hand) == 1 and state.options.warn_one_card == "on":
            events.append(Event("low", seat, count=1))
        state.turn = (seat + 1) % SEATS
        state.phase = DRAW
        if state.stock:
            return events
        # Two circuits on an empty stock without a card laid end the round; with `reshuffle` nothing else might.
        state.idle += 1
        stuck = not can_refill(state) and not self._pickups(state, state.turn)
        if stuck or state.idle >= 2 * SEATS:
            events += self._end_round(state, None)
        return events

    def _maybe_out(self, state: State, seat: Seat) -> list[Event]:
        return [] if state.hands[seat] else self._end_round(state, seat)

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

    def points(self, state: State) -> list[int] | None:
        """Per team, the score of the round; None before its end."""
        return None if state.earned is None else list(state.earned)

    def view(self, state: State, seat: Seat | None) -> RummyView:
        """A seat sees its own hand, the sets, the top card and how many cards are where."""
        hand = () if seat is None else tuple(sorted(state.hands[seat]))
        return RummyView(
            game=self.name,
            seat=seat,
            options=state.options,
            seats=state.seats,
            sides=SIDES,
            round=state.round,
            dealer=state.dealer,
            turn=state.turn,
            phase=state.phase,
            hand=hand,
            counts=tuple(map(len, state.hands)),
            top=state.pile[-1] if state.pile else None,
            pile_count=len(state.pile),
            stock_count=len(state.stock),
            down=tuple(
                [Down(side, rank, tuple(cards)) for side in (0, 1) for rank, cards in sorted(state.sets[side].items())]
            ),
            laid=tuple(self.laid(state)),
            contributed=tuple(state.contributed),
            scores=tuple(state.scores),
            points=state.earned,
            out=state.out,
            over=state.phase == OVER,
            ended=state.ended,
            winners=state.winners,
        )

    def copy(self, state: State) -> State:
        """An independent state, equal to this one."""
        ours, theirs = ({rank: cards[:] for rank, cards in side.items()} for side in state.sets)
        return replace(
            state,
            hands=[hand[:] for hand in state.hands],
            stock=state.stock[:],
            pile=state.pile[:],
            scores=state.scores[:],
            sets=(ours, theirs),
            contributed=state.contributed[:],
        )

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON values."""
        rules = {name: getattr(state.options, name) for name in Options.__slots__}
        sets = [{str(rank): list(cards) for rank, cards in side.items()} for side in state.sets]
        return common_dump(state) | {"options": rules, "sets": sets, "contributed": list(state.contributed)}

    def load(self, data: Mapping[str, Any]) -> State:
        """The state that `dump` wrote."""
        sets = tuple({int(rank): list(cards) for rank, cards in side.items()} for side in data["sets"])
        options = Options(**data["options"])
        return State(options=options, sets=sets, contributed=list(data["contributed"]), **common_load(data))  # type: ignore[arg-type]

    def check(self, state: State) -> None:
        """AssertionError unless every card is somewhere exactly once and every set is a set."""
        cards = [card for hand in state.hands for card in hand] + state.stock + state.pile
        for side in state.sets:
            for rank, laid in side.items():
                assert self._check_set(state.options, laid) == rank, f"the set of {rank_name(rank)} is none"
                cards += laid
        check_pack(PACK, cards, state.whole)


DAMN_THE_QUEENS = DamnTheQueens()
