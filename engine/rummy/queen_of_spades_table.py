"""The table of Queen of Spades: its house rules, its cards, what a set is, its state and what a seat may know of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from engine.cards import JOKER, JOKER_RANK, QUEEN_OF_SPADES, RANKS, WILD, Card, Rank
from engine.game import Refusal, Seat, rule
from engine.rummy.table import ON_OFF, RummyState, RummyView, common_dump, common_load, copy_state

HAND = 13
CUT = "cut"
TWO: Rank = RANKS.index("2")
ACE: Rank = RANKS.index("A")
NEVER = 10**9  # the target of a game without one; room for twos without end


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


@dataclass(slots=True)
class State(RummyState):
    """A round of Queen of Spades: `sets[seat]` are the sets of a player, in the order laid."""

    sets: list[list[list[Card]]] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)  # per seat, what the cut has earned this round
    taken: Card | None = None  # the lone card taken this turn
    packet: int | None = None  # what the next cut lifts, where that is settled
    sizes: list[int] | None = None  # before the deal: how many cards each hand is to get, where not 13 each
    finish: list[Seat] = field(default_factory=list)  # who wants a game without a target to be over


@dataclass(frozen=True, slots=True)
class View(RummyView):
    """What a seat may know of a table of Queen of Spades."""

    bonus: tuple[int, ...] = ()
    finish: tuple[Seat, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values, cards by their codes."""
        return RummyView.as_dict(self) | {"bonus": list(self.bonus), "finish": list(self.finish)}


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
    for card in cards:
        if card >> 2 != TWO:
            return card >> 2
    return TWO


def twos_in(cards: Iterable[Card]) -> int:
    """How many of the cards are twos."""
    return sum(card >> 2 == TWO for card in cards)


def room(options: Options, rank: Rank) -> int:
    """How many twos a set of this rank may hold."""
    if rank == JOKER_RANK and options.joker_with_wild == "off":
        return 0
    return NEVER if options.wild_per_set == "none" else int(options.wild_per_set)


def demand_room(options: Options, rank: Rank, twos: int) -> None:
    """Refuses WILDMAX where one set of this rank may not hold so many twos."""
    most = room(options, rank)
    if twos > most:
        if most == 0:
            raise Refusal("WILDMAX", "A set of jokers takes no two here.")
        raise Refusal("WILDMAX", f"A set takes {'one two' if most == 1 else f'{most} twos'} at most.")


def room_left(options: Options, mine: Sequence[Sequence[Card]], rank: Rank) -> int:
    """How many more twos the sets of this rank may hold together."""
    if rank == TWO:
        return NEVER
    most = room(options, rank)
    return sum(most - twos_in(cards) for cards in mine if rank_of_set(cards) == rank)


def check_set(options: Options, cards: Sequence[Card]) -> Rank:
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
        demand_room(options, next(iter(ranks)), twos)
        return ranks.pop()
    if options.wild_per_set != "none" and twos > int(options.wild_per_set):
        demand_room(options, min(ranks), twos)
    raise Refusal("MIXED", "A set is of one rank. Lay one set at a time.")


def copy_table(state: State) -> State:
    """An independent state, equal to this one."""
    return copy_state(
        state,
        sets=[[cards[:] for cards in sets] for sets in state.sets],
        bonus=state.bonus[:],
        sizes=None if state.sizes is None else state.sizes[:],
        finish=state.finish[:],
    )


def dump_table(state: State) -> dict[str, Any]:
    """The state as plain JSON values."""
    return common_dump(state) | {
        "options": {f.name: getattr(state.options, f.name) for f in fields(Options)},
        "sets": [[list(cards) for cards in sets] for sets in state.sets],
        "bonus": list(state.bonus),
        "taken": state.taken,
        "packet": state.packet,
        "sizes": state.sizes and list(state.sizes),
        "finish": list(state.finish),
        "anew": state.anew,
    }


def load_table(data: Mapping[str, Any]) -> State:
    """The state that `dump_table` wrote."""
    return State(
        options=Options(**data["options"]),
        sets=[[list(cards) for cards in sets] for sets in data["sets"]],
        bonus=list(data["bonus"]),
        taken=data["taken"],
        packet=data["packet"],
        sizes=data["sizes"] and list(data["sizes"]),
        finish=list(data.get("finish", ())),
        anew=data.get("anew", 0),  # states kept before there was one have none
        **common_load(data),
    )
