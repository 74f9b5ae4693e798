"""Queen of Spades: everyone for themselves, sets only, a lone card is free. Rules digest, section A.

Packs of 54, two jokers each (a plain rank of their own); twos are wild. A set is two naturals or more of one rank and
one two at most, or three twos or more; it belongs to who laid it. A pile of two cards or more is taken whole, with a
pair of its top card; a pile of one card is free. Only a last discard goes out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

from engine.cards import JOKER, JOKER_RANK, QUEEN_OF_SPADES, RANKS, WILD, Card, Rank, card_name, rank_name, read_rank
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

HAND = 13
CUT = "cut"
TWO: Rank = RANKS.index("2")
ACE: Rank = RANKS.index("A")
NEVER = 10**9  # the target of a game without one
MISS = 6  # how far a cut by eye may go wrong
ON_OFF = ("on", "off")
DRAWS, PASSES, DEALS = Move("draw"), Move("pass"), Move("deal")
DISCARDS: dict[Card, Move] = {card: Move("discard", (card,)) for card in [*range(52), JOKER]}


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of Queen of Spades."""

    target: int | str = rule(2000, "the score that ends the game; none goes on for ever", "none", low=100, high=100000)
    decks: int | str = rule("auto", "packs of 54; auto is one for three players, two at least", "auto", low=2, high=6)
    cut_bonus: int = rule(100, "points for a dealer who lifts just enough cards", low=0, high=500)
    cut_model: str = rule(
        "noisy", "whether a cut is by eye (six cards too few to six too many) or exact", "noisy", "exact"
    )
    throw_back: str = rule("on", "the lone card just taken may be discarded again", *ON_OFF)
    out_bonus: int = rule(100, "points for the player who goes out", low=0, high=500)
    lone_card_free: str = rule("on", "a pile of one card may be taken without a pair", *ON_OFF)
    pile_two: str = rule("pair_of_twos", "what takes a pile with a two on top", "pair_of_twos", "block")
    wild_per_set: int | str = rule(1, "how many twos a set may hold; none is no limit", "none", numbers=(1, 2))
    set_of_twos: str = rule("on", "three twos or more are a set", *ON_OFF)
    joker_with_wild: str = rule("on", "a set of jokers may hold a two", *ON_OFF)
    must_discard_to_go_out: str = rule("on", "only a discard goes out, so a lay must leave a card", *ON_OFF)
    ace_value: int = rule(15, "what an ace counts", numbers=(15, 20))
    joker_value: int = rule(50, "what a joker counts", numbers=(40, 50))
    stock_out: str = rule("end_round", "what an empty stock does", "end_round", "reshuffle")

    def __post_init__(self) -> None:
        if (self.ace_value, self.joker_value) == (15, 40):
            raise Refusal("OPTION", "A joker counts 40 only where an ace counts 20: ace_value=20 joker_value=40.")


HouseRules = Options  # in the class of the game, `Options` is its attribute


@dataclass(slots=True)
class State(RummyState):
    """A round of Queen of Spades: `sets[seat]` are the sets of a player, in the order laid."""

    sets: list[list[list[Card]]] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)  # per seat, what the cut has earned this round
    taken: Card | None = None  # the lone card taken this turn
    packet: int | None = None  # what the next cut lifts, where that is settled
    sizes: list[int] | None = None  # before the deal: how many cards each hand is to get, where not 13 each


@dataclass(frozen=True, slots=True)
class View(RummyView):
    """What a seat may know of a table of Queen of Spades."""

    bonus: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values, cards by their codes."""
        return RummyView.as_dict(self) | {"bonus": list(self.bonus)}


@lru_cache(maxsize=64)
def card_values(options: Options) -> tuple[int, ...]:
    """What each card counts, laid or held, by its number."""
    values = [
        20 if r == TWO else 5 if r <= 7 else options.ace_value if r == ACE else 10 for r in range(13) for _ in "CDHS"
    ]
    values += [0] * (WILD - 52)
    values[QUEEN_OF_SPADES] = 100
    values[JOKER] = options.joker_value
    return tuple(values)


@lru_cache(maxsize=16)
def pack_of(decks: int) -> tuple[Card, ...]:
    """The cards of so many packs."""
    return tuple(sorted([*range(52), JOKER, JOKER] * decks))


def decks_of(options: Options, seats: int) -> int:
    """How many packs are played with: one for three players, two at least, or more by the house rule."""
    return fewest_decks(seats) if options.decks == "auto" else int(options.decks)


def fewest_decks(seats: int) -> int:
    """The packs that so many players need."""
    return max(2, -(-seats // 3))


def rank_of_set(cards: Iterable[Card]) -> Rank:
    """The rank of a set that is one: a set of twos is of rank two."""
    return next((card >> 2 for card in cards if card >> 2 != TWO), TWO)


def twos_in(cards: Iterable[Card]) -> int:
    """How many of the cards are twos."""
    return sum(card >> 2 == TWO for card in cards)


class QueenOfSpades:
    """The rules of Queen of Spades; see `engine.game.Game` for what each function promises."""

    name = "queen-of-spades"
    title = "Queen of Spades"
    aliases: tuple[str, ...] = ("qos", "queen of spade", "spade queen", "queen spades")
    seats: tuple[int, ...] = tuple(range(2, 13))
    Options: type[Any] = Options
    verbs: tuple[str, ...] = ("cut", "deal", "draw", "take", "pickup", "meld", "add", "discard", "pass")

    # Set-up

    def sides(self, options: HouseRules, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everyone for themselves."""
        return tuple((seat,) for seat in range(seats))

    def demand_table(self, options: HouseRules, seats: int) -> None:
        """Refuses OPTION where these house rules do not go with so many players."""
        if decks_of(options, seats) < fewest_decks(seats):
            raise Refusal(
                "OPTION", f"{seats} players need {fewest_decks(seats)} decks or more: decks={fewest_decks(seats)}."
            )

    def deal(self, options: HouseRules, seats: int, seed: str, dealer: Seat | None = None) -> State:
        """The first round from the seed: the dealer is to cut."""
        if seats not in self.seats:
            raise ValueError(f"Queen of Spades is for 2 to 12 players, not {seats}")
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
        if state.phase != OVER or state.ended:
            raise ValueError("the game is over" if state.ended else "the round is not over")
        state.dealer = (state.dealer + 1) % state.seats
        state.round += 1
        state.idle = 0
        state.out = None
        state.earned = None
        state.whole = True
        self._gather(state, state.shuffles + 1)
        return [Event("round", state.dealer, count=state.round, reveals=True)]

    def place(self, options: HouseRules, seats: int, position: Position) -> State:
        """A state from an explicit position. One with a `packet` line, or with nothing but a seed, is before the cut."""
        if seats not in self.seats:
            raise ValueError(f"Queen of Spades is for 2 to 12 players, not {seats}")
        try:
            self.demand_table(options, seats)
        except Refusal as refusal:
            raise ValueError(refusal.hint) from None
        packet = position.extra.get("packet")
        unknown = [key for key in position.extra if key != "packet"]
        if unknown:
            raise ValueError(f"Queen of Spades has no {unknown[0]!r} line")
        given = position.hands or position.down or position.stock is not None or position.pile is not None
        first = CUT if packet or (position.seed is not None and not given and position.turn is None) else DRAW
        phase = position.phase or first
        if phase not in (CUT, DRAW, MELD):
            raise ValueError(f"the phases of Queen of Spades are cut, draw and meld, not {phase}")
        if packet and phase != CUT:
            raise ValueError("a packet is lifted before the deal: leave out the phase, or write phase: cut")
        sets: list[list[list[Card]]] = [[] for _ in range(seats)]
        for side, cards in position.down:
            try:
                self._check_set(options, cards)
            except Refusal as refusal:
                raise ValueError(f"{' '.join(map(card_name, cards))} is not a set: {refusal.hint}") from None
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
        if phase == CUT and not given and position.seed is not None:
            self._gather(state, position.round - 1)
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

    # Who may do what

    def waiting(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is: before the deal, the dealer."""
        return () if state.phase == OVER else (state.turn,)

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every draw, take and discard. Of lays the largest of each rank, with as many twos as it may hold from none up;
        of adds a card each. Of cuts only the one that is aimed best.
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
            for count in range(min(len(twos), self._room(options, rank), most - 2) + 1):
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
                room = [rank for rank in ranks if self._room_left(options, mine, rank) > 0]
                moves += [Move("add", (card,), rank_name(rank)) for rank in room for card in dict.fromkeys(twos)]
        return moves

    def _room(self, options: HouseRules, rank: Rank) -> int:
        """How many twos a set of this rank may hold."""
        if rank == JOKER_RANK and options.joker_with_wild == "off":
            return 0
        return NEVER if options.wild_per_set == "none" else int(options.wild_per_set)

    def _room_left(self, options: HouseRules, mine: Sequence[Sequence[Card]], rank: Rank) -> int:
        """How many more twos the sets of this rank may hold together."""
        if rank == TWO:
            return NEVER
        room = self._room(options, rank)
        return sum(room - twos_in(cards) for cards in mine if rank_of_set(cards) == rank)

    def _lone_take(self, state: State) -> list[Move]:
        """The take of a lone card, where the pile is one."""
        if len(state.pile) == 1 and state.options.lone_card_free == "on":
            return [Move("take", (state.pile[0],))]
        return []

    def _pickups(self, state: State, seat: Seat) -> list[Move]:
        """Every way this seat may take the pile: two or more of its top rank, apart and, where it can be, joined."""
        hand, pile, options = state.hands[seat], state.pile, state.options
        if not pile or (len(pile) == 1 and options.lone_card_free == "on"):
            return []
        rank = pile[-1] >> 2
        if rank == TWO and (options.pile_two == "block" or options.set_of_twos == "off"):
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
            raise ValueError(f"Queen of Spades has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if verb in ("draw", "deal", "pass", "cut"):
            if loose.specs or loose.whole_rank:
                raise ValueError(f"{verb} names no cards")
            return Move(verb, value=loose.value)
        if state.phase == CUT and seat == state.turn:
            raise Refusal("PHASE", "The cards are not dealt yet: CUT, or DEAL.")
        demand_turn(state, seat, DRAW if verb in ("pickup", "take") else MELD)
        if verb in ("pickup", "take"):
            return self._resolve_take(state, seat, loose)
        hand, values = state.hands[seat], card_values(state.options)
        if verb == "discard":
            try:
                return Move("discard", (one_discard(hand, loose, values.__getitem__),))
            except Refusal as refusal:
                if refusal.code != "AMBIG":
                    raise
                choices = [move for move in self.legal(state, seat) if move.verb == "discard"]
                if len(choices) == 1:
                    return choices[0]
                raise Refusal("AMBIG", refusal.hint, choices) from None
        if not loose.specs and not loose.whole_rank:
            raise self._which(state, seat, verb)
        if verb == "meld":
            whole = loose.whole_rank
            alone = len(loose.specs) == 1 and loose.specs[0].card is None and not whole
            if alone:
                whole = (loose.specs[0].rank,)  # one card is never a set, so a rank alone is all of it
            cards = choose_cards(hand, () if alone else loose.specs, whole, values.__getitem__)
            return Move("meld", cards, "join" if loose.to == "join" else "")
        return self._resolve_add(state, seat, loose)

    def _which(self, state: State, seat: Seat, verb: str) -> Refusal:
        """The answer to a lay or an add that names no card."""
        choices = [move for move in self.legal(state, seat) if move.verb == verb]
        if choices:
            return Refusal("AMBIG", "Which cards?", choices)
        word = "lay" if verb == "meld" else "add"
        return Refusal("SMALL" if verb == "meld" else "MIXED", f"Your hand has nothing to {word} now. DISCARD a card.")

    def _resolve_take(self, state: State, seat: Seat, loose: Loose) -> Move:
        """`take` and `pickup` are one word to people: the lone card is taken without cards, a pile with a pair of its top."""
        self._demand_pile(state)
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
        values = card_values(state.options)
        try:
            return choose_cards(state.hands[seat], loose.specs, loose.whole_rank, values.__getitem__)
        except Refusal:
            raise self._no_pair(state, seat) from None

    def _cost(self, state: State, move: Move) -> tuple[int, bool, tuple[Card, ...]]:
        values = card_values(state.options)
        return sum(values[card] for card in move.cards), QUEEN_OF_SPADES in move.cards, move.cards

    def _resolve_add(self, state: State, seat: Seat, loose: Loose) -> Move:
        values = card_values(state.options)
        cards = choose_cards(state.hands[seat], loose.specs, loose.whole_rank, values.__getitem__)
        if loose.to:
            try:
                return Move("add", cards, rank_name(read_rank(loose.to)))
            except ValueError:
                hint = f"Sets are named by their rank here, as in ADD 9 TO 9; {loose.to} is none."
                raise Refusal("MIXED", hint) from None
        ranks = {card >> 2 for card in cards if card >> 2 != TWO}
        if len(ranks) == 1:
            return Move("add", cards, rank_name(ranks.pop()))
        if ranks:
            raise Refusal("MIXED", "One rank at a time: ADD 9 9, then ADD T.")
        mine = state.sets[seat]
        count = len(cards)
        fits = [r for r in dict.fromkeys(map(rank_of_set, mine)) if self._room_left(state.options, mine, r) >= count]
        choices = [Move("add", cards, rank_name(rank)) for rank in sorted(fits)]
        if len(choices) > 1:
            raise Refusal("AMBIG", "To which set?", choices)
        if choices:
            return choices[0]
        if not mine:
            raise Refusal("MIXED", "You have no set down yet to add to.")
        raise Refusal("WILDMAX", "None of your sets has room for another two.")

    # Refusals

    def _demand_pile(self, state: State) -> None:
        if not state.pile:
            raise Refusal("PHASE", "The pile is empty. DRAW instead.")

    def _demand_keep(self, state: State, seat: Seat, count: int) -> None:
        if state.options.must_discard_to_go_out == "on" and len(state.hands[seat]) <= count:
            raise Refusal("KEEPONE", "A turn ends with a discard, so keep a card for it.")

    def _no_pair(self, state: State, seat: Seat) -> Refusal:
        """Why this hand cannot take the pile."""
        instead = "DRAW instead?" if state.stock or can_refill(state) else "PASS ends the round."
        rank = state.pile[-1] >> 2
        if rank == TWO and (state.options.pile_two == "block" or state.options.set_of_twos == "off"):
            return Refusal("PAIR", f"A two is on top, and nothing takes the pile then. {instead}")
        many, held = describe_rank(rank), sum(card >> 2 == rank for card in state.hands[seat])
        has = "none" if not held else "one" if held == 1 else str(held)
        wild = "" if rank == TWO else "; twos and cards on the table don't count"
        return Refusal("PAIR", f"You need two {many} in your hand to take the pile, and hold {has}{wild}. {instead}")

    def _check_set(self, options: HouseRules, cards: Sequence[Card]) -> Rank:
        """The rank of a new set, or a Refusal in the order of the rules: SMALL NATMIN WILDMAX MIXED."""
        if len(cards) < 3:
            raise Refusal("SMALL", "A set has three cards or more.")
        twos = twos_in(cards)
        if twos == len(cards) and options.set_of_twos == "on":
            return TWO
        if len(cards) - twos < 2:
            raise Refusal("NATMIN", "A set needs two naturals of its rank.")
        ranks = {card >> 2 for card in cards if card >> 2 != TWO}
        if len(ranks) == 1:
            self._demand_room(options, next(iter(ranks)), twos)
            return ranks.pop()
        if options.wild_per_set != "none" and twos > int(options.wild_per_set):
            self._demand_room(options, min(ranks), twos)
        raise Refusal("MIXED", "A set is of one rank. Lay one set at a time.")

    def _demand_room(self, options: HouseRules, rank: Rank, twos: int) -> None:
        """Refuses WILDMAX where one set of this rank may not hold so many twos."""
        room = self._room(options, rank)
        if twos > room:
            if room == 0:
                raise Refusal("WILDMAX", "A set of jokers takes no two here.")
            raise Refusal("WILDMAX", f"A set takes {'one two' if room == 1 else f'{room} twos'} at most.")

    # Play

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        verb = move.verb
        if verb in ("cut", "deal"):
            return self._cut(state, seat, move)
        if state.phase == CUT and seat == state.turn and verb in self.verbs:
            raise Refusal("PHASE", "The cards are not dealt yet: CUT, or DEAL.")
        if verb == "draw":
            demand_turn(state, seat, DRAW)
            events = draw_card(state, seat)
            state.idle = -1
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
            demand_turn(state, seat, DRAW)
            if state.stock or can_refill(state):
                raise Refusal("PHASE", "You can pass only when the stock is empty. DRAW, or TAKE if you can.")
            return [Event("pass", seat), *self._end_round(state, None)]
        raise ValueError(f"Queen of Spades has no {verb!r}; its moves are {', '.join(self.verbs)}")

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
            if packet - HAND * state.seats in (0, 1):
                state.bonus[seat] = state.options.cut_bonus
            events = [Event("cut", seat, count=packet, to=text, reveals=True)]
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

    def _take(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, DRAW)
        self._demand_pile(state)
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
        self._demand_pile(state)
        hand, options = state.hands[seat], state.options
        demand_held(hand, move.cards)
        top = state.pile[-1]
        rank = top >> 2
        if self._lone_take(state):
            name = rank_name(rank)
            raise Refusal(
                "PHASE", f"The pile is one card, which is free: TAKE it, then LAY {name} {name} {name} if you like."
            )
        blocked = rank == TWO and (options.pile_two == "block" or options.set_of_twos == "off")
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
        rest = tuple(state.pile)
        hand += rest
        state.pile = []
        state.phase = MELD
        state.idle = -1
        event = Event("pickup", seat, tuple(laid), len(rest), rank_name(rank), rest, reveals=bool(rest))
        return [event, *self._maybe_out(state, seat)]

    def _set_to_join(self, state: State, seat: Seat, rank: Rank, twos: int) -> list[Card]:
        """The set of this rank that new cards with so many twos are joined to."""
        own = [cards for cards in state.sets[seat] if rank_of_set(cards) == rank]
        if not own:
            raise Refusal("MIXED", f"You have no set of {describe_rank(rank)} down to join. Leave out JOIN.")
        if rank == TWO:
            return own[0]
        room = self._room(state.options, rank)
        for cards in own:
            if twos_in(cards) + twos <= room:
                return cards
        raise Refusal(
            "WILDMAX", f"Your set of {describe_rank(rank)} has its twos already, so these stay apart: leave out JOIN."
        )

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        rank = self._check_set(state.options, cards)
        own = self._set_to_join(state, seat, rank, twos_in(cards)) if move.to == "join" else None
        self._demand_keep(state, seat, len(cards))
        for card in cards:
            hand.remove(card)
        if own is None:
            state.sets[seat].append(list(cards))
        else:
            own += cards
        state.idle = -1
        return [Event("meld", seat, cards, to=rank_name(rank)), *self._maybe_out(state, seat)]

    def _add(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand, cards = state.hands[seat], move.cards
        demand_held(hand, cards)
        if not cards:
            raise Refusal("MIXED", "Name the card to add.")
        rank = read_rank(move.to)
        many = describe_rank(rank)
        own = [laid for laid in state.sets[seat] if rank_of_set(laid) == rank]
        if not own:
            if any(rank_of_set(laid) == rank for sets in state.sets for laid in sets):
                raise Refusal("OWNER", f"The {many} are another player's set; you can add only to your own.")
            raise Refusal("MIXED", f"You have no set of {many} down.")
        wrong = next((card for card in cards if card >> 2 not in (rank, TWO)), None)
        if wrong is not None:
            raise Refusal("MIXED", f"{card_name(wrong)} does not go on the {many}.")
        twos = twos_in(cards)
        if twos > self._room_left(state.options, own, rank):
            raise Refusal("WILDMAX", f"The {many} take no two, or have theirs already.")
        self._demand_keep(state, seat, len(cards))
        room = self._room(state.options, rank)
        for card in cards:  # which of several sets of a rank makes no difference, but for the room for a two
            hand.remove(card)
            if card >> 2 == TWO and rank != TWO:
                next(laid for laid in own if twos_in(laid) < room).append(card)
            else:
                own[0].append(card)
        state.idle = -1
        return [Event("add", seat, cards, to=move.to), *self._maybe_out(state, seat)]

    def _discard(self, state: State, seat: Seat, move: Move) -> list[Event]:
        demand_turn(state, seat, MELD)
        hand = state.hands[seat]
        if len(move.cards) != 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        demand_held(hand, move.cards)
        card = move.cards[0]
        if card not in self._may_discard(state, hand):
            raise Refusal(
                "SAMECARD",
                f"You have just taken {card_name(card)}, so it can't go straight back. DISCARD another card.",
            )
        hand.remove(card)
        state.pile.append(card)
        state.taken = None
        events = [Event("discard", seat, (card,))]
        if not hand:
            return events + self._end_round(state, seat)
        if len(hand) == 1:
            events.append(Event("low", seat, count=1))
        state.turn = (seat + 1) % state.seats
        state.phase = DRAW
        if state.stock or can_refill(state):
            state.idle = 0
            return events
        state.idle += 1
        stuck = not self._lone_take(state) and not self._pickups(state, state.turn)
        if stuck or state.idle >= 2 * state.seats:
            events += self._end_round(state, None)
        return events

    def _maybe_out(self, state: State, seat: Seat) -> list[Event]:
        return [] if state.hands[seat] else self._end_round(state, seat)

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
        return events + finish_game(state, points, NEVER if target == "none" else int(target))

    # What is there

    def laid(self, state: State) -> list[int]:
        """Per player, the value of their sets."""
        values = card_values(state.options)
        return [sum(values[card] for cards in sets for card in cards) for sets in state.sets]

    def points(self, state: State) -> list[int] | None:
        """Per player, the score of the round; None before its end."""
        return None if state.earned is None else list(state.earned)

    def view(self, state: State, seat: Seat | None) -> View:
        """A seat sees its own hand, the sets, the top card and how many cards are where."""
        laid = tuple(self.laid(state))
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
            down=tuple(
                Down(owner, rank_of_set(cards), tuple(cards)) for owner, sets in enumerate(state.sets) for cards in sets
            ),
            laid=laid,
            contributed=laid,
            scores=tuple(state.scores),
            points=state.earned,
            out=state.out,
            over=state.phase == OVER,
            ended=state.ended,
            winners=state.winners,
            bonus=tuple(state.bonus),
        )

    def copy(self, state: State) -> State:
        """An independent state, equal to this one."""
        return replace(
            state,
            hands=[hand[:] for hand in state.hands],
            stock=state.stock[:],
            pile=state.pile[:],
            scores=state.scores[:],
            sets=[[cards[:] for cards in sets] for sets in state.sets],
            bonus=state.bonus[:],
            sizes=None if state.sizes is None else state.sizes[:],
        )

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON values."""
        return common_dump(state) | {
            "options": {f.name: getattr(state.options, f.name) for f in fields(Options)},
            "sets": [[list(cards) for cards in sets] for sets in state.sets],
            "bonus": list(state.bonus),
            "taken": state.taken,
            "packet": state.packet,
            "sizes": state.sizes and list(state.sizes),
        }

    def load(self, data: Mapping[str, Any]) -> State:
        """The state that `dump` wrote."""
        return State(
            options=Options(**data["options"]),
            sets=[[list(cards) for cards in sets] for sets in data["sets"]],
            bonus=list(data["bonus"]),
            taken=data["taken"],
            packet=data["packet"],
            sizes=data["sizes"] and list(data["sizes"]),
            **common_load(data),
        )

    def check(self, state: State) -> None:
        """AssertionError unless every card is somewhere exactly once and every set is a set."""
        cards = [card for hand in state.hands for card in hand] + state.stock + state.pile
        for sets in state.sets:
            for laid in sets:
                assert len({card >> 2 for card in laid} - {TWO}) <= 1, f"{' '.join(map(card_name, laid))} is no set"
                cards += laid
        check_pack(pack_of(decks_of(state.options, state.seats)), cards, state.whole)


QUEEN_OF_SPADES_RUMMY = QueenOfSpades()
