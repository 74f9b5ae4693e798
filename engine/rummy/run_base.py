"""The table of 500 Rummy, 5000 Rummy and George: set-up, what a round allows, refusals, and what a seat sees.

Rules digest, sections C, D and E. Each game says by its `House` how it plays, and how it deals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar

from engine.cards import Card, card_name, read_card, read_rank
from engine.game import Event, Move, Position, Refusal, Seat
from engine.rummy.deal_by_upcard import PICK, wild_of_round
from engine.rummy.finding import Finder
from engine.rummy.house import ACE, House, card_values, meld_rules
from engine.rummy.laying_off import Spot, goes_round, lay_all, lay_on, spots, swappable, takes, without_limits
from engine.rummy.melds import (
    Meld,
    MeldRules,
    describe,
    is_sound,
    label_of,
    new_meld,
    of_owner,
    readings,
    stands_of,
)
from engine.rummy.run_table import Laid, OnTable, State, View, copy_table, dump_table, load_table
from engine.rummy.table import (
    DRAW,
    MELD,
    OVER,
    RummyGame,
    begin_round,
    can_refill,
    check_pack,
    first_dealer,
)

DRAWS, PASSES = Move("draw"), Move("pass")
MANY = 8  # readings of a text that are offered as choices, at most


class RunBase(RummyGame):
    """What the games with sets and runs share, but for reading moves and playing them."""

    verbs: tuple[str, ...] = ("draw", "take", "meld", "add", "swap", "rummy", "discard", "pass")
    phases: ClassVar[tuple[str, ...]] = (DRAW, MELD)
    lines: ClassVar[tuple[str, ...]] = ("meld", "layoff", "had-turn")  # of a record, that the game knows

    _known: tuple[Any, House] | None = None  # the options last asked for, and their house rules

    # What each game says

    def work_out(self, options: Any) -> House:
        """The house rules worked out; the same object for the same options."""
        raise NotImplementedError

    def house(self, options: Any) -> House:
        """The same, quickly when asked again for these very options."""
        known = self._known
        if known is not None and known[0] is options:
            return known[1]
        house = self.work_out(options)
        self._known = (options, house)
        return house

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

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        raise NotImplementedError

    # Set-up

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
        begin_round(state)
        state.shuffles += 1
        state.anew = 0
        state.melds, state.had, state.apart = [], [], []
        state.on_table = None
        state.discarder = None
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
            if state.wild > ACE:
                raise ValueError("the wild rank is one from 2 to A")
        elif self.house(options).rounds:
            state.wild = wild_of_round(position.round)
        given = position.hands or position.extra or position.stock is not None or position.pile is not None
        if position.seed is not None and not given and position.turn is None and position.phase is None:
            self.give_out(state)
            return state
        for owner, text in position.extra.get("meld", ()):
            self._place_meld(state, owner or 0, text)
        for seat, text in position.extra.get("layoff", ()):
            self._place_layoff(state, seat or 0, text)
        state.on_table = None
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

    def can_refill(self, state: State) -> bool:
        """Whether an empty stock is made anew."""
        return can_refill(state)

    def _begin_turn(self, state: State) -> None:
        state.phase = DRAW
        state.single = state.duty = state.before = state.drawn = state.due = None

    # The rules of this round

    def rules(self, state: State) -> MeldRules:
        """What a meld may be in this round."""
        table = state.on_table
        return meld_rules(self.house(state.options), state.packs, state.wild) if table is None else table.rules

    def values(self, state: State) -> tuple[int, ...]:
        """What each card counts in this round, by its number."""
        return card_values(self.house(state.options), state.wild)

    def _finder(self, state: State, seat: Seat, melds: Sequence[Meld] | None = None) -> Finder:
        """Looks for uses in a hand of this seat, with these melds on the table."""
        table = (state.on_table or self.on_table(state)) if melds is None else self._sum_up(state, melds)
        house = table.house
        has_meld = not house.layoff_needs_meld or table.owners >> seat & 1 == 1
        which = has_meld if house.layoff_opponents else seat
        found = table.finders.get(which)
        if found is not None:
            return found
        takes, runs = table.takes, table.runs
        melds = state.melds if melds is None else melds
        if not house.layoff_opponents:
            melds = of_owner(melds, seat)
            own = self._sum_up(state, melds)
            takes, runs = own.takes, own.runs
        lay_off = not (house.new_meld_only or house.deep_pair)
        found = table.finders[which] = Finder(table.rules, melds, has_meld, lay_off, takes, runs)
        return found

    def on_table(self, state: State) -> OnTable:
        """What the melds take, and who has any. Whoever changes the melds takes away what was known."""
        known = state.on_table
        if known is None:
            known = state.on_table = self._sum_up(state, state.melds)
        return known

    def _sum_up(self, state: State, melds: Sequence[Meld]) -> OnTable:
        house = self.house(state.options)
        rules = meld_rules(house, state.packs, state.wild)
        table = OnTable(house, rules)
        for meld in melds:
            table.count(meld)
        return table

    def _open_to(self, state: State, seat: Seat) -> list[Meld]:
        """The melds on which this seat may lay off now."""
        table = state.on_table or self.on_table(state)
        house = table.house
        if house.layoff_needs_meld and not table.owners >> seat & 1:
            return []
        return state.melds if house.layoff_opponents else of_owner(state.melds, seat)

    def _is_open(self, state: State, seat: Seat, meld: Meld) -> bool:
        """Whether this seat, which may lay off, may do it on this meld."""
        return meld.owner == seat or self.house(state.options).layoff_opponents

    def _fits_table(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether the seat could lay this card off, or swap it in, now."""
        rules = self.rules(state)
        return any(
            takes(rules, meld) >> card & 1 or swappable(rules, meld, card) for meld in self._open_to(state, seat)
        )

    def _meld_called(self, state: State, label: str) -> Meld | None:
        for meld in state.melds:
            if label_of(meld.number) == label:
                return meld
        return None

    # Who may act now

    def waiting(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is, and those who may call Rummy."""
        if state.phase == OVER:
            return ()
        return (state.turn, *(seat for seat in self.callers(state) if seat != state.turn))

    def forced(self, state: State) -> Move | None:
        """The move of whose turn it is, where everybody knows that there is no other: a floater draws, once nobody can
        call Rummy any more.
        """
        floats = state.phase == DRAW and not state.hands[state.turn]
        return DRAWS if floats and state.stock and not self.callers(state) else None

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
        return seat != state.discarder and not done and bool(self.on_table(state).owners >> seat & 1)

    def _call_spots(self, state: State, seat: Seat, card: Card) -> list[tuple[Meld, Spot]]:
        if not self.on_table(state).takes >> card & 1:
            return []
        rules = self.rules(state)
        open_to = [meld for meld in self._open_to(state, seat) if takes(rules, meld) >> card & 1]
        return [(meld, spot) for meld in open_to for spot in spots(rules, meld, card)]

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

    def _no_fit(
        self, state: State, melds: Sequence[Meld], cards: Sequence[Card], stands: Sequence[Card | None] = ()
    ) -> Refusal:
        """Why these cards, said to stand for those (None: nothing is said), go on none of the melds."""
        rules = self.rules(state)
        where = describe(rules, melds[0]) if len(melds) == 1 else "any meld on the table"
        said = " ".join(map(card_name, cards))
        if not rules.wild.isdisjoint(cards):
            roomy, wanted = without_limits(rules), stands or [None] * len(cards)
            if any(lay_all(roomy, meld, cards, wanted) is not None for meld in melds):
                return Refusal("WILDMAX", f"There is no room for another wild on {where}.")
        faces = [
            want if card in rules.wild and want is not None else card
            for card, want in zip(cards, stands or cards, strict=True)
        ]
        unsaid = any(card in rules.wild and face == card for card, face in zip(cards, faces, strict=True))
        if not unsaid and any(goes_round(rules, meld, faces) for meld in melds):
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
        if not self.on_table(state).owners >> seat & 1:
            raise Refusal("NOMELD", "You call Rummy only after a meld of your own.")
        if state.out is not None and not state.hands[seat]:
            raise Refusal("PHASE", "You are out.")

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

    def view(self, state: State, seat: Seat | None) -> View:
        """A seat sees its own hand, all melds and the whole pile."""
        laid, rules = tuple(self.laid(state)), self.rules(state)
        return self._see(
            View,
            state,
            seat,
            (),
            laid,
            laid,
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
