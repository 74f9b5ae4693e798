"""5000 Rummy: hands dealt by the card turned up, a wild rank for each round, floating, calling Rummy. Rules digest, C.

All the numbered variations of the source are house rules: Cards 1-7, Deal 1-7, Play 1-13, End 1-6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from engine.cards import JOKER, RANKS, Card, Rank, card_name, read_card
from engine.game import Event, Move, Position, Refusal, Seat, read_options, rule
from engine.rummy.deal_by_upcard import PICK, Dealing, deal_on, start_deal
from engine.rummy.house import ACE, House, low_ace, natural_values, read_list
from engine.rummy.rummy500 import Options as Options500
from engine.rummy.run_rummy import RunRummy
from engine.rummy.run_table import State
from engine.rummy.table import DRAW, MELD, ON_OFF, fill

TEN: Rank = RANKS.index("T")
ROUNDS = 13  # of a game whose wild rank goes by the round
OMITTED = {"none": 0, "2s": 1, "2s-3s": 2, "2s-5s": 4}  # ranks left out, from the twos up
PERMANENT: dict[str, frozenset[Card]] = {
    "joker": frozenset({JOKER}),
    "2": frozenset(range(4)),
    "10": frozenset(range(TEN * 4, TEN * 4 + 4)),
    "one_eyed_jacks": frozenset({read_card("JS"), read_card("JH")}),
}
_PERMANENT_WORDS = {name: name for name in PERMANENT} | {
    "jokers": "joker", "2s": "2", "twos": "2", "10s": "10", "tens": "10", "t": "10", "jacks": "one_eyed_jacks",
    "one-eyed-jacks": "one_eyed_jacks", "one-eyed_jacks": "one_eyed_jacks", "one-eyed": "one_eyed_jacks",
    "js": "one_eyed_jacks", "jh": "one_eyed_jacks",
}  # fmt: skip
# The house rules of 500 Rummy that 5000 Rummy has not itself.
BORROWED = (
    "hand_size", "values", "top_card", "deep_use", "discard_depth", "layoff_opponents", "must_discard_to_go_out",
    "identical_in_set", "tie",
)  # fmt: skip
GEORGE: dict[str, str | int] = {
    "omit_low": "2s", "melds": "sets_only", "wild_limit": "one", "upcard_counts_as": "total", "face_deal": "ranked14",
    "target": 2500,
}  # fmt: skip


def read_permanent(text: str) -> str:
    """`joker+2+10+one_eyed_jacks`, or some of them."""
    try:
        return "+".join(read_list(text, _PERMANENT_WORDS))
    except ValueError:
        raise ValueError("none, or some of joker, 2, 10 and one_eyed_jacks, as in joker+2") from None


def read_special(text: str) -> str:
    """`QS:45+AH:30`: cards with a value of their own."""
    values: dict[Card, int] = {}
    try:
        for pair in text.strip("{}").replace(",", "+").replace("=", ":").split("+"):
            name, _, number = pair.partition(":")
            if not (number.isascii() and number.isdigit()) or int(number) > 500:
                raise ValueError
            values[read_card(name)] = int(number)
    except ValueError:
        raise ValueError("none, or cards and what they count, up to 500, as in QS:45+AH:30") from None
    return "+".join(f"{card_name(card)}:{values[card]}" for card in sorted(values))


def read_borrowed(text: str) -> str:
    """`values:pip+discard_depth:top_only`: house rules of 500 Rummy."""
    given: dict[str, str] = {}
    for pair in text.replace(",", "+").replace("=", ":").split("+"):
        name, colon, value = pair.partition(":")
        if not colon or name not in BORROWED or name in given:
            raise ValueError(
                f"none, or some of {', '.join(BORROWED)} of 500 Rummy, as in values:pip+discard_depth:top_only"
            )
        given[name] = value
    try:
        options = read_options(Options500, given)
    except Refusal as refusal:
        raise ValueError(refusal.hint) from None
    return "+".join(f"{name}:{getattr(options, name)}" for name in BORROWED if name in given)


def borrowed(options: "Options") -> dict[str, str]:
    """The house rules of 500 Rummy that are added, by name."""
    words = [] if options.r500_options == "none" else options.r500_options.split("+")
    return dict(word.split(":", 1) for word in words)


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of 5000 Rummy."""

    as_preset: ClassVar[bool] = True

    target: int = rule(5000, "the score that ends the game", low=500, high=100000)
    omit_low: str = rule("none", "low cards left out; the ace is then high only", *OMITTED)
    twos_wild: str = rule("off", "twos are always wild", *ON_OFF)
    redeal_small_upcard: str = rule("off", "a 2 or 3 that deals a hand goes back for another card", *ON_OFF)
    jokers: int = rule(0, "jokers in each pack; they are wild", numbers=(0, 2))
    permanent_wilds: str = rule(
        "none", "cards that are wild in every round", "none", special=read_permanent, like="joker+2+10+one_eyed_jacks"
    )
    extra_pack: str = rule("off", "one pack more than usual", *ON_OFF)
    ace_value: int = rule(100, "what an ace counts", numbers=(100, 50))
    wild_value: int = rule(100, "what a wild counts", numbers=(100, 200))
    wild_ace: str = rule("sum", "what a wild ace counts", "sum", "same_as_wild", "ace_never_wild")
    eight_nine_value: int = rule(5, "what eights and nines count", numbers=(5, 10))
    special_values: str = rule(
        "none", "cards with a value of their own", "none", special=read_special, like="cards and values such as QS:45"
    )
    upcard_counts_as: str = rule(
        "additional", "whether the card turned up says the cards to come or all", "additional", "total"
    )
    face_deal: str = rule(
        "flat", "cards dealt for J Q K A: 10 10 10 11, 11 12 13 14, or 11 12 13 15", "flat", "ranked14", "ranked15"
    )
    wild_upcard: int | str = rule(
        15, "cards dealt for a wild turned up; bury turns another, two_or_twelve lets the player choose",
        "bury", "two_or_twelve", numbers=(15, 20, 25),
    )  # fmt: skip
    wild_indicator: str = rule(
        "dealer_first", "which card says what is wild",
        "dealer_first", "dealer_last", "dealer_extra", "apart", "by_round",
    )  # fmt: skip
    perm_wild_indicator: str = rule("bury", "what happens when that card is wild anyway", "bury", "deal_on")
    r500_options: str = rule(
        "none", "house rules of 500 Rummy besides", "none", special=read_borrowed, like="rules such as values:pip"
    )
    wild_limit: str = rule("none", "how many wilds a meld may have", "none", "fewer_than_naturals", "one")
    split_six: str = rule("off", "a meld of six or more counts as two, each with its wild", *ON_OFF)
    wild_as_self: str = rule(
        "counts_natural", "what a wild in its own place in a run is", "counts_natural", "counts_wild"
    )
    all_wild_set: str = rule("off", "three wilds or more are a set", *ON_OFF)
    wild_replace: str = rule("alongside", "what the real card of a laid wild may do", "alongside", "swap", "none")
    deep_needs_pair: str = rule("off", "a card from deep takes two naturals from the hand, in a new meld", *ON_OFF)
    take_must_meld: str = rule("deep_only", "which cards taken from the pile must be used", "deep_only", "always")
    stock_use: str = rule(
        "free", "a card from the stock is melded at once or thrown, or free", "free", "meld_or_discard"
    )
    layoff_needs_meld: str = rule("on", "laying off takes a meld of one's own first", *ON_OFF)
    rummy_call: str = rule(
        "discard", "what may be called: a discard that fits, any card of the pile, nothing", "discard", "off", "pile"
    )
    george: str = rule("off", "George: sets only, and every take needs a pair of the card's rank", *ON_OFF)
    melds: str = rule("both", "what may be melded", "both", "sets_only", "runs_only")
    out_by_meld: str = rule("off", "who has laid all goes out; else they float", *ON_OFF)
    floaters_draw: str = rule("off", "each floater draws a card when somebody goes out", *ON_OFF)
    finish_first_turn: str = rule("off", "those who have had no turn get one when somebody goes out", *ON_OFF)
    unmelded_to: str = rule(
        "winner", "who gets the cards left in hands; subtract: each pays for their own", "winner", "subtract"
    )
    out_bonus: int = rule(0, "points for the player who goes out", low=0, high=500)
    winner_rule: str = rule("highest", "who wins at the target", "highest", "out_first")
    stock_out: str = rule("end_round", "what an empty stock does", "end_round", "reshuffle")

    @staticmethod
    def gather(given: Mapping[str, str]) -> Mapping[str, str]:
        """The written values with those of 500 Rummy's house rules, which may stand by themselves, in `r500_options`.

        `preset=george` is `george=on`.
        """
        if given.get("preset", "").lower() == "george":
            given = {name: value for name, value in given.items() if name != "preset"} | {"george": "on"}
        added = [f"{name}:{value}" for name, value in given.items() if name in BORROWED]
        if not added:
            return given
        if given.get("r500_options", "none") != "none":
            added.insert(0, given["r500_options"])
        return {name: value for name, value in given.items() if name not in BORROWED} | {
            "r500_options": "+".join(added)
        }

    def __post_init__(self) -> None:
        if self.george == "on" and self.as_preset:
            for name, value in GEORGE.items():
                if getattr(self, name) == self.__dataclass_fields__[name].default:
                    object.__setattr__(self, name, value)
        if "joker" in self.permanent_wilds.split("+") and not self.jokers:
            object.__setattr__(self, "jokers", 2)
        if self.melds == "runs_only" and self.all_wild_set == "on":
            raise Refusal("OPTION", "Runs only and a set of wilds don't go together: melds=both, or all_wild_set=off.")
        if self.melds == "runs_only" and self.george == "on":
            raise Refusal("OPTION", "George is played with sets: leave out melds=runs_only.")
        if self.wild_ace == "ace_never_wild" and self.wild_indicator == "by_round":
            raise Refusal(
                "OPTION", "By rounds aces are wild in the first, so wild_ace=ace_never_wild does not go with it."
            )
        if self.omit_low != "none" and (self.twos_wild == "on" or "2" in self.permanent_wilds.split("+")):
            raise Refusal("OPTION", "Twos can't be wild where they are left out of the pack: choose one of the two.")
        added = borrowed(self)
        if "values" in added and (self.ace_value != 100 or self.eight_nine_value != 5):
            raise Refusal(
                "OPTION",
                "The values of 500 Rummy say what every card counts: leave out ace_value and eight_nine_value.",
            )
        if added.get("must_discard_to_go_out") == "on" and self.out_by_meld == "on":
            raise Refusal("OPTION", "out_by_meld=on and must_discard_to_go_out:on say the opposite: leave one out.")
        if added.get("top_card") == "keep" and self.take_must_meld == "always":
            raise Refusal("OPTION", "take_must_meld=always and top_card:keep say the opposite: leave one out.")


def permanent_of(options: Options) -> frozenset[Card]:
    """The cards that are wild in every round."""
    cards = PERMANENT["joker"] if options.jokers else frozenset()
    if options.twos_wild == "on":
        cards |= PERMANENT["2"]
    if options.permanent_wilds != "none":
        for name in options.permanent_wilds.split("+"):
            cards |= PERMANENT[name]
    return cards


def values_of(options: Options) -> list[int]:
    """What each natural card counts, by its number."""
    scale = borrowed(options).get("values")
    if scale is not None:
        values = natural_values(scale)
    else:
        values = natural_values("fives", options.ace_value)
        for card in range(6 * 4, 8 * 4):  # eights and nines
            values[card] = options.eight_nine_value
    if options.special_values != "none":
        for word in options.special_values.split("+"):
            name, _, number = word.partition(":")
            values[read_card(name)] = int(number)
    return values


@lru_cache(maxsize=512)
def house_of(options: Options) -> House:
    """The house rules worked out."""
    added = borrowed(options)
    omitted = OMITTED[options.omit_low]
    wild_ace = options.ace_value + 100 if options.wild_value == 100 else 200
    scale = added.get("values")
    return House(
        target=options.target,
        values=tuple(values_of(options)),
        low_ace=None if scale is None else low_ace(scale),
        wild_value=options.wild_value,
        wild_ace=options.wild_value if options.wild_ace == "same_as_wild" else wild_ace,
        permanent=permanent_of(options),
        sets=options.melds != "runs_only",
        runs=options.melds != "sets_only",
        lowest=omitted + 1 if omitted else 0,
        identical=added.get("identical_in_set") != "off",
        wild_limit=options.wild_limit,
        split_six=options.split_six == "on",
        own_place=options.wild_as_self == "counts_natural",
        all_wild=options.all_wild_set == "on",
        replace=options.wild_replace,
        layoff_needs_meld=options.layoff_needs_meld == "on",
        layoff_opponents=added.get("layoff_opponents") != "off",
        call=options.rummy_call,
        top_only=added.get("discard_depth") == "top_only",
        use_top=options.take_must_meld == "always" or added.get("top_card") == "must_use",
        new_meld_only=added.get("deep_use") == "new_meld_only",
        deep_pair=options.deep_needs_pair == "on",
        any_pair=options.george == "on",
        use_stock=options.stock_use == "meld_or_discard",
        out_by_meld=options.out_by_meld == "on" or added.get("must_discard_to_go_out") == "off",
        floaters_draw=options.floaters_draw == "on",
        finish_first_turn=options.finish_first_turn == "on",
        subtract=options.unmelded_to == "subtract",
        out_bonus=options.out_bonus,
        out_first=options.winner_rule == "out_first",
        out_breaks_tie=added.get("tie") == "out_player",
        rounds=ROUNDS if options.wild_indicator == "by_round" else 0,
    )


@lru_cache(maxsize=64)
def pack_of(packs: int, omit_low: str, jokers: int) -> tuple[Card, ...]:
    """The cards of so many packs."""
    return tuple(sorted([*range(OMITTED[omit_low] * 4, 52), *[JOKER] * jokers] * packs))


class Rummy5000(RunRummy):
    """The rules of 5000 Rummy; see `engine.game.Game` for what each function promises."""

    name = "rummy5000"
    title = "5000 Rummy"
    aliases: tuple[str, ...] = ("5000", "5000 rum", "rummy 5000", "five thousand rummy")
    seats: tuple[int, ...] = tuple(range(3, 9))
    Options: type[Any] = Options
    verbs: tuple[str, ...] = ("pick", *RunRummy.verbs)
    phases: ClassVar[tuple[str, ...]] = (PICK, DRAW, MELD)
    lines: ClassVar[tuple[str, ...]] = (*RunRummy.lines, "wild", "upcard")

    def work_out(self, options: Any) -> House:
        """The house rules worked out."""
        return house_of(options)

    def packs_for(self, options: Any, seats: int) -> int:
        """One pack for up to four players, two for more and for George, and one more by the house rule."""
        usual = 2 if seats > 4 or options.george == "on" else 1
        return usual + 1 if options.extra_pack == "on" else usual

    def pack(self, options: Any, packs: int) -> Sequence[Card]:
        """The cards of so many packs."""
        return pack_of(packs, options.omit_low, options.jokers)

    def give_out(self, state: State) -> list[Event]:
        """Deals the hands by the cards turned up, and says what is wild."""
        state.packs = self.packs_for(state.options, state.seats)
        state.upcards = {}
        state.wild = None
        return start_deal(state, dealing_of(state.options), lambda packs: self.pack(state.options, packs))

    def place_cards(self, state: State, position: Position, on_table: Sequence[Card]) -> None:
        """Hands, stock and pile as given; with cards turned up, or with a seed, the other hands are dealt by the rules."""
        if state.wild == ACE and state.options.wild_ace == "ace_never_wild":
            raise ValueError("aces are never wild here")
        upcards = {seat: read_card(text) for seat, text in position.extra.get("upcard", ()) if seat is not None}
        if any(seat in position.hands for seat in upcards):
            raise ValueError("a hand is given or dealt by the card turned up, not both")
        missing = [seat for seat in range(state.seats) if seat not in position.hands]
        if not upcards and (position.seed is None or not missing):
            pack = self.pack(state.options, state.packs)
            state.hands, state.stock, state.pile, state.whole = fill(position, pack, state.seats, 0, on_table)
            return
        state.upcards = upcards
        wild = state.wild
        for seat, hand in position.hands.items():
            state.hands[seat] = list(hand)
        given = [*on_table, *(card for hand in position.hands.values() for card in hand), *(position.pile or [])]
        start_deal(
            state, dealing_of(state.options), lambda packs: self.pack(state.options, packs),
            given, position.stock, position.pile,
        )  # fmt: skip
        if wild is not None:  # what the record says, whatever the dealer has turned up
            state.wild = wild

    def _pick(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """A wild turned up: the player chooses a hand of two or of twelve."""
        if seat != state.turn:
            raise Refusal("TURN", "It is not your turn.")
        if state.phase != PICK:
            raise Refusal("PHASE", "There is nothing to pick now.")
        if move.value not in ("2", "12"):
            raise Refusal("COUNT", "PICK 2 or PICK 12 cards.")
        event = Event("pick", seat, count=int(move.value))
        return [
            event,
            *deal_on(
                state, dealing_of(state.options), lambda packs: self.pack(state.options, packs), size=int(move.value)
            ),
        ]


@lru_cache(maxsize=512)
def dealing_of(options: Options) -> Dealing:
    """How hands are dealt by these house rules."""
    last = {"flat": (10, 10, 10, 11), "ranked14": (11, 12, 13, 14), "ranked15": (11, 12, 13, 15)}[options.face_deal]
    size = borrowed(options).get("hand_size", "auto")
    return Dealing(
        counts=(*range(2, 11), *last),
        total=options.upcard_counts_as == "total",
        wilds=permanent_of(options),
        wild_upcard=options.wild_upcard,
        small_goes_back=options.redeal_small_upcard == "on",
        indicator=options.wild_indicator,
        deal_on=options.perm_wild_indicator == "deal_on",
        no_wild_aces=options.wild_ace == "ace_never_wild",
        size=None if size == "auto" else int(size),
    )


RUMMY_5000 = Rummy5000()
