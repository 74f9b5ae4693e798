"""The table of Damn the Queens: its house rules, its cards, what a set is, its state, and what a round scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import JOKER, JOKER_RANK, QUEEN_OF_SPADES, WILD, Card, Rank
from engine.game import Refusal, Seat, rule
from engine.rummy.table import ON_OFF, RummyState, common_dump, common_load, copy_state

SEATS = 4
HAND = 13
PACK: tuple[Card, ...] = tuple(sorted([*range(4, 52)] * 2 + [JOKER] * 4 + [WILD] * 8))
VALUES: dict[Card, int] = {card: 5 if card >> 2 <= 7 else 20 if card >> 2 == 12 else 10 for card in range(4, 52)} | {
    QUEEN_OF_SPADES: 100,
    JOKER: 50,
    WILD: 10,
}

Sets = dict[Rank, list[Card]]  # of a team, by their ranks


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


@dataclass(slots=True)
class State(RummyState):
    """A round of Damn the Queens: `sets[side][rank]` are the cards of a team's set."""

    sets: tuple[Sets, Sets] = field(default_factory=lambda: ({}, {}))
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


def takes_wild(options: Options, rank: Rank) -> bool:
    """Whether a set of this rank may hold a wild."""
    return rank != JOKER_RANK or options.joker_set_wild == "on"


def check_set(options: Options, cards: Sequence[Card]) -> Rank:
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
    if wilds and not takes_wild(options, rank):
        raise Refusal("WILDMAX", "A set of jokers takes no wild here.")
    return rank


def copy_table(state: State) -> State:
    """An independent state, equal to this one."""
    ours, theirs = ({rank: cards[:] for rank, cards in side.items()} for side in state.sets)
    return copy_state(state, sets=(ours, theirs), contributed=state.contributed[:])


def dump_table(state: State) -> dict[str, Any]:
    """The state as plain JSON values."""
    rules = {name: getattr(state.options, name) for name in Options.__slots__}
    sets = [{str(rank): list(cards) for rank, cards in side.items()} for side in state.sets]
    return common_dump(state) | {"options": rules, "sets": sets, "contributed": list(state.contributed)}


def load_table(data: Mapping[str, Any]) -> State:
    """The state that `dump_table` wrote."""
    ours, theirs = ({int(rank): list(cards) for rank, cards in side.items()} for side in data["sets"])
    options = Options(**data["options"])
    return State(options=options, sets=(ours, theirs), contributed=list(data["contributed"]), **common_load(data))
