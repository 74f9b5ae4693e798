"""The house rules of the games with sets and runs, worked out: what 500 Rummy, 5000 Rummy and George differ in."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.cards import JOKER, RANKS, WILD, Card, Rank
from engine.rummy.melds import LOW_ACE, MeldRules, Place

ACE: Rank = RANKS.index("A")
NEVER = 10**9  # the target of a game that has none


@dataclass(frozen=True, slots=True, eq=False)  # one is made for each set of options, so it is known by its identity
class House:
    """How a table plays. The defaults are those of 5000 Rummy."""

    target: int
    values: tuple[int, ...]  # what each natural card counts, by its number
    low_ace: int | None = None  # what an ace counts below a two; None: as ever
    wild_value: int = 100
    wild_ace: int = 200
    permanent: frozenset[Card] = frozenset()  # the cards that are always wild
    sets: bool = True
    runs: bool = True
    lowest: Place = LOW_ACE
    identical: bool = True  # whether a set may have a card twice
    wild_limit: str = "none"
    split_six: bool = False
    own_place: bool = True
    all_wild: bool = False
    replace: str = "alongside"
    layoff_needs_meld: bool = True
    layoff_opponents: bool = True
    call: str = "discard"  # off | discard | pile
    top_only: bool = False  # only the top card of the pile may be taken
    use_top: bool = False  # even a single top card must be used
    new_meld_only: bool = False  # a card that must be used must be in a new meld
    deep_pair: bool = False  # ... with two naturals from the hand
    any_pair: bool = False  # George: every take needs two naturals of the rank of its deepest card
    use_stock: bool = False  # a card from the stock is melded or thrown
    out_by_meld: bool = False  # an empty hand goes out, however it was emptied; else it floats
    playable_ban: bool = True  # a last card that fits a meld may not be discarded
    floaters_draw: bool = False
    finish_first_turn: bool = False
    subtract: bool = False  # everybody pays for their own hand; else the winner gets them all
    out_bonus: int = 0
    out_first: bool = False  # who went out wins, if at the target
    out_breaks_tie: bool = False
    rounds: int = 0  # the game ends after so many rounds, whatever the target; 0: it does not


@lru_cache(maxsize=512)
def meld_rules(house: House, packs: int, wild: Rank | None) -> MeldRules:
    """What a meld may be in a round with so many packs and this wild rank."""
    faces = set(house.permanent)
    if wild is not None:
        faces |= {wild * 4 + suit for suit in range(4)}
    return MeldRules(
        frozenset(faces), house.sets, house.runs, house.lowest, 4 * packs if house.identical else 4, not house.identical,
        house.wild_limit, house.split_six, house.own_place, house.all_wild, house.replace,
    )  # fmt: skip


@lru_cache(maxsize=512)
def card_values(house: House, wild: Rank | None) -> tuple[int, ...]:
    """What each card counts in a round with this wild rank, by its number."""
    values = list(house.values)
    for card in meld_rules(house, 1, wild).wild:
        values[card] = house.wild_ace if card >> 2 == ACE else house.wild_value
    return tuple(values)


def natural_values(scale: str, ace: int = 15) -> list[int]:
    """What each natural card counts, by its number: `pip`, `fives` or `flat` (the last two differ in a low ace only)."""
    values = []
    for rank in range(ACE):
        values += [(rank + 2 if scale == "pip" else 5) if rank <= 7 else 10] * 4
    values += [ace] * 4
    return values + [0] * (JOKER - 52) + [15] + [0] * (WILD - JOKER)


def low_ace(scale: str) -> int | None:
    """What an ace counts at the low end of a run; None: no less than elsewhere."""
    return {"pip": 1, "fives": 5}.get(scale)


def read_list(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Words joined by `+` (or a comma) to those they mean, in the order of `known`. ValueError for one that is unknown."""
    words = [word for word in text.strip("{}").replace(",", "+").split("+") if word]
    if not words or any(word not in known for word in words):
        raise ValueError
    meant = {known[word] for word in words}
    return tuple(word for word in dict.fromkeys(known.values()) if word in meant)
