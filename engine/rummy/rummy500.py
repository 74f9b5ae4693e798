"""500 Rummy: sets and runs, lay-offs on anybody's meld, what is held counts against one. Rules digest, section E."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.cards import JOKER, Card
from engine.game import Event, Position, rule
from engine.rummy.house import House, low_ace, natural_values
from engine.rummy.run_rummy import RunRummy
from engine.rummy.run_table import State
from engine.rummy.table import DRAW, ON_OFF, fill, shuffled


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of 500 Rummy."""

    target: int = rule(500, "the score that ends the game", low=200, high=2000)
    hand_size: int | str = rule(
        "auto", "cards dealt to each; auto is 13 for two players, 7 for more", "auto", low=6, high=13
    )
    jokers: int = rule(0, "jokers in each pack; they are wild", numbers=(0, 2))
    values: str = rule(
        "pip", "what low cards count: their pips, or five; flat leaves a low ace at 15", "pip", "fives", "flat"
    )
    top_card: str = rule("keep", "whether a single top card may be kept or must be used", "keep", "must_use")
    deep_use: str = rule(
        "meld_or_layoff", "how a card from deep in the pile must be used", "meld_or_layoff", "new_meld_only"
    )
    discard_depth: str = rule("any", "how deep the pile may be taken", "any", "top_only")
    layoff_opponents: str = rule("on", "cards may be laid off on others' melds", *ON_OFF)
    layoff_needs_meld: str = rule("off", "laying off takes a meld of one's own first", *ON_OFF)
    rummy_call: str = rule("off", "whether Rummy may be called on a discard that fits", "off", "discard")
    must_discard_to_go_out: str = rule("off", "only a last discard goes out; who has laid all floats", *ON_OFF)
    out_bonus: int = rule(0, "points for the player who goes out", low=0, high=100)
    identical_in_set: str = rule("off", "a set may hold the same card twice", *ON_OFF)
    tie: str = rule("play_on", "what a tie at the target means", "play_on", "out_player")
    stock_out: str = rule("end_round", "what an empty stock does", "end_round", "reshuffle")


@lru_cache(maxsize=256)
def house_of(options: Options) -> House:
    """The house rules worked out."""
    must_discard = options.must_discard_to_go_out == "on"
    return House(
        target=options.target,
        values=tuple(natural_values(options.values)),
        low_ace=low_ace(options.values),
        wild_value=15,
        wild_ace=15,
        permanent=frozenset({JOKER} if options.jokers else ()),
        identical=options.identical_in_set == "on",
        replace="none",
        layoff_needs_meld=options.layoff_needs_meld == "on",
        layoff_opponents=options.layoff_opponents == "on",
        call=options.rummy_call,
        top_only=options.discard_depth == "top_only",
        use_top=options.top_card == "must_use",
        new_meld_only=options.deep_use == "new_meld_only",
        out_by_meld=not must_discard,
        playable_ban=must_discard,
        subtract=True,
        out_bonus=options.out_bonus,
        out_breaks_tie=options.tie == "out_player",
    )


@lru_cache(maxsize=16)
def pack_of(packs: int, jokers: int) -> tuple[Card, ...]:
    """The cards of so many packs."""
    return tuple(sorted([*range(52), *[JOKER] * jokers] * packs))


class Rummy500(RunRummy):
    """The rules of 500 Rummy; see `engine.game.Game` for what each function promises."""

    name = "rummy500"
    title = "500 Rummy"
    aliases: tuple[str, ...] = ("500", "500 rum", "rummy 500", "five hundred rummy", "pinochle rummy")
    seats: tuple[int, ...] = tuple(range(2, 9))
    Options: type[Any] = Options

    def work_out(self, options: Any) -> House:
        """The house rules worked out."""
        return house_of(options)

    def size_of_hand(self, options: Any, seats: int) -> int:
        """How many cards each is dealt."""
        return (13 if seats == 2 else 7) if options.hand_size == "auto" else int(options.hand_size)

    def packs_for(self, options: Any, seats: int) -> int:
        """One pack for up to four players, two for more; another where those are too short for the hands."""
        packs = 1 if seats <= 4 else 2
        while len(pack_of(packs, options.jokers)) < seats * (self.size_of_hand(options, seats) + 1) + 1:
            packs += 1
        return packs

    def pack(self, options: Any, packs: int) -> Sequence[Card]:
        """The cards of so many packs."""
        return pack_of(packs, options.jokers)

    def give_out(self, state: State) -> list[Event]:
        """Deals the hands and turns up the first card of the pile."""
        state.packs = self.packs_for(state.options, state.seats)
        size = self.size_of_hand(state.options, state.seats)
        cards = shuffled(state.seed, state.shuffles, self.pack(state.options, state.packs))
        state.hands = [cards[seat * size : (seat + 1) * size] for seat in range(state.seats)]
        state.pile = [cards[-1]]
        state.stock = cards[state.seats * size : -1]
        state.turn = (state.dealer + 1) % state.seats
        state.phase = DRAW
        return [Event("deal", state.dealer, (state.pile[0],), state.round, reveals=True)]

    def place_cards(self, state: State, position: Position, on_table: Sequence[Card]) -> None:
        """Hands, stock and pile as given; the rest from the seed."""
        size = self.size_of_hand(state.options, state.seats)
        pack = self.pack(state.options, state.packs)
        state.hands, state.stock, state.pile, state.whole = fill(position, pack, state.seats, size, on_table)


RUMMY_500 = Rummy500()
