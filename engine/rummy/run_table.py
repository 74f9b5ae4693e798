"""The table of the games with sets and runs: its state and what a seat may know of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card, Rank, card_name, rank_name
from engine.game import Move, Seat
from engine.rummy.finding import Finder
from engine.rummy.house import House
from engine.rummy.laying_off import takes
from engine.rummy.masks import Faces, those_of
from engine.rummy.melds import SET, Meld, MeldRules
from engine.rummy.table import RummyState, RummyView, common_dump, common_load


@dataclass(slots=True, eq=False)
class OnTable:
    """What is on the table, in short, and how this table plays."""

    house: House
    rules: MeldRules
    takes: Faces = 0  # the faces that go on one meld or another
    runs: int = 0  # the suits of the runs, a bit each
    owners: int = 0  # the seats that have a meld of their own, a bit each
    adds: dict[Card, tuple[Move, ...]] = field(default_factory=dict)  # the lay-offs of a card, once asked for
    calls: dict[Card, tuple[Move, ...]] = field(default_factory=dict)  # the calls of it, where it may go on all melds
    finders: dict[int, Finder] = field(default_factory=dict)  # by whether their player has a meld, or by player

    def count(self, meld: Meld) -> None:
        """Counts a meld in."""
        self.takes |= takes(self.rules, meld)
        self.owners |= 1 << meld.owner
        if meld.low != SET:
            self.runs |= 1 << meld.kind

    def gains(self, meld: Meld) -> None:
        """Keeps up with a new meld."""
        self.count(meld)
        self._forget(takes(self.rules, meld))

    def has_grown(self, meld: Meld, was: Meld, melds: Sequence[Meld]) -> None:
        """Keeps up with a lay-off, which made one of the melds of it: whose it is and what it is has not changed."""
        rules, faces = self.rules, 0
        for other in melds:
            known = other.known
            faces |= known.takes if known is not None and known.rules is rules else takes(rules, other)
        self.takes = faces
        before, now = takes(rules, was), takes(rules, meld)
        self._forget(before ^ now | now & rules.wild_faces)  # other cards go on it as they did, wilds as other cards

    def _forget(self, faces: Faces) -> None:
        """Forgets what was asked about these faces."""
        self.finders.clear()
        self.calls.clear()
        for card in those_of(self.adds, faces):
            del self.adds[card]


@dataclass(slots=True)
class State(RummyState):
    """A round of 500 Rummy, 5000 Rummy or George."""

    packs: int = 1
    wild: Rank | None = None
    melds: list[Meld] = field(default_factory=list)
    on_table: OnTable | None = field(default=None, compare=False, repr=False)  # of these melds, once it was asked for
    apart: list[Card] = field(default_factory=list)  # out of play: an indicator that lies under the stock
    single: Card | None = None  # the one card that was taken from the pile this turn
    duty: Card | None = None  # what was taken from deep, while it is not used
    before: list[Card] | None = None  # the hand before that, where the use needs two naturals of it
    drawn: Card | None = None  # from the stock, while it is to be melded or thrown
    discarder: Seat | None = None  # whose discard may be called now
    due: Seat | None = None  # while who called Rummy is to discard: whose turn it is after that
    had: list[Seat] = field(default_factory=list)  # who has had a turn this round
    dealt: int = 0  # before the first turn: how many hands are dealt
    upcards: dict[Seat, Card] = field(default_factory=dict)  # the cards that a record turns up


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld as everybody sees it: its cards in order, who laid each, and what each stands for."""

    number: int
    owner: Seat
    run: bool
    cards: tuple[Card, ...]
    seats: tuple[Seat, ...]
    stands: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class View(RummyView):
    """What a seat may know: every card of the pile, every meld, what is wild."""

    melds: tuple[Laid, ...] = ()
    pile: tuple[Card, ...] = ()  # the top card is the last
    wild: Rank | None = None
    wilds: frozenset[Card] = frozenset()  # every card that is wild, jokers too
    packs: int = 1
    apart: tuple[Card, ...] = ()
    duty: Card | None = None  # the card that must be used this turn
    callers: tuple[Seat, ...] = ()  # who might call Rummy now, by what everybody knows
    due: Seat | None = None  # while who called is to discard: whose turn it is after that

    def cards(self) -> set[Card]:
        """Every card whose face this view shows anywhere."""
        seen = {*self.hand, *self.pile, *self.apart}
        if self.duty is not None:
            seen.add(self.duty)  # all saw it taken
        for meld in self.melds:
            seen.update(meld.cards)
        return seen

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values, cards by their codes."""
        melds = [
            {
                "number": meld.number,
                "owner": meld.owner,
                "run": meld.run,
                "cards": [card_name(card) for card in meld.cards],
                "seats": list(meld.seats),
                "stands": [card_name(card) for card in meld.stands],
            }
            for meld in self.melds
        ]
        return RummyView.as_dict(self) | {
            "pile": [card_name(card) for card in self.pile],
            "melds": melds,
            "wild": None if self.wild is None else rank_name(self.wild),
            "packs": self.packs,
            "apart": [card_name(card) for card in self.apart],
            "duty": None if self.duty is None else card_name(self.duty),
            "callers": list(self.callers),
            "due": self.due,
        }


PLAIN = ("packs", "wild", "single", "duty", "drawn", "discarder", "due", "dealt")


def dump_table(state: State) -> dict[str, Any]:
    """The state, but for its options, as plain JSON values."""
    return common_dump(state) | {key: getattr(state, key) for key in PLAIN} | {
        "melds": [
            {"number": m.number, "owner": m.owner, "cards": m.cards[:], "seats": m.seats[:], "kind": m.kind, "low": m.low}
            | {"beside": [list(card) for card in m.beside]}
            for m in state.melds
        ],
        "apart": state.apart[:],
        "before": None if state.before is None else state.before[:],
        "had": state.had[:],
        "anew": state.anew,
        "upcards": {str(seat): card for seat, card in state.upcards.items()},
    }  # fmt: skip


def load_table(options: Any, data: Mapping[str, Any]) -> State:
    """The state that `dump_table` wrote, with these options."""
    melds = [
        Meld(
            m["number"], m["owner"], list(m["cards"]), list(m["seats"]), m["kind"], m["low"],
            [(place, card, seat) for place, card, seat in m["beside"]],
        )
        for m in data["melds"]
    ]  # fmt: skip
    return State(
        options=options,
        melds=melds,
        apart=list(data["apart"]),
        before=None if data["before"] is None else list(data["before"]),
        had=list(data["had"]),
        upcards={int(seat): card for seat, card in data["upcards"].items()},
        anew=data.get("anew", 0),  # states kept before there was one have none
        **{key: data[key] for key in PLAIN},
        **common_load(data),
    )


def copy_table(state: State) -> State:
    """An independent state, equal to this one."""
    return State(
        options=state.options, seats=state.seats, seed=state.seed, dealer=state.dealer, turn=state.turn,
        hands=[hand[:] for hand in state.hands], stock=state.stock[:], pile=state.pile[:], scores=state.scores[:],
        phase=state.phase, round=state.round, shuffles=state.shuffles, idle=state.idle, out=state.out,
        ended=state.ended, winners=state.winners, earned=state.earned, whole=state.whole, packs=state.packs,
        wild=state.wild, melds=[meld.copy() for meld in state.melds], apart=state.apart[:], single=state.single,
        duty=state.duty, before=None if state.before is None else state.before[:], drawn=state.drawn,
        discarder=state.discarder, due=state.due, anew=state.anew, had=state.had[:], dealt=state.dealt, upcards=dict(state.upcards),
    )  # fmt: skip
