"""What a game is: a table of pure functions over its state, and the values that go in and come out.

A move inside the engine is a `Move`; outside it is text in one canonical form (`write_move`), the same in a record, in
the database and on a phone. What a person writes is a `Loose` move (ranks without suits, no cards at all, no target);
the game's `resolve` turns it into the one `Move` it can mean, or refuses with AMBIG and the choices.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Protocol, TypeVar

from engine.cards import Card, Rank, card_name, rank_name, read_card, read_rank

Seat = int
Side = int
T = TypeVar("T")

CODES: Mapping[str, str] = {
    "TURN": "not this player's turn, or the player is not in this game",
    "PHASE": "right player, wrong step",
    "NOTHELD": "card not in that hand, or named more often than held",
    "AMBIG": "several readings; the choices list them",
    "SMALL": "fewer than 3 cards",
    "MIXED": "not one rank and not a run of one suit, or a card that does not fit the target",
    "NATMIN": "too few naturals",
    "WILDMAX": "too many wilds in that set or meld",
    "WRAP": "run goes through K-A-2, or uses the ace at both ends",
    "OWNER": "adding to a set that belongs to someone else",
    "NOMELD": "lay-off, or Rummy call, before having a meld of one's own",
    "KEEPONE": "lay would leave no card for the compulsory discard",
    "PAIR": "pile take without the needed matching cards in hand",
    "BLOCK": "pile take of a rank one's team already has down",
    "ONECARD": "pile take with a one-card hand",
    "MUSTUSE": "deepest card taken has not been (or cannot be) melded this turn",
    "SAMECARD": "discarding the single card just taken from the pile",
    "PLAYABLE": "going out with a last discard that fits a meld on the table",
    "TEAMRANK": "discarding a rank one's team has down",
    "FLOATING": "floating player trying to draw from anywhere but the stock",
    "SUIT": "holds the led suit, played another",
    "LEADH": "hearts led before broken while another suit is held",
    "LEADS": "spades led before broken while another suit is held",
    "FIRST": "first trick of the hand not opened by the required player or card",
    "POINTS1": "point card on the first trick while a non-point card is held",
    "EXPOSED": "exposed card played to the first trick of its suit while other cards of the suit are held",
    "BID": "bid outside 0-13, bid twice, or bid out of order",
    "SEEN": "blind nil after the hand was shown",
    "COUNT": "wrong number of cards passed or exchanged",
    "OPTION": "option value outside the allowed list, or combination refused at table set-up",
}


class Move(NamedTuple):
    """One move, whole: every card by its face.

    `to` is the rank of a set ("9"), the number of a meld ("M1") or a word ("join"); `stands` says what each card of
    `cards` stands for where the game has wilds with a place (empty when every card is itself); `value` is a bid, a cut.
    """

    verb: str
    cards: tuple[Card, ...] = ()
    to: str = ""
    stands: tuple[Card, ...] = ()
    value: str = ""


class Spec(NamedTuple):
    """A card as somebody may name it: the card, or its rank alone; `stands` is the card a wild is to be."""

    rank: Rank
    card: Card | None = None
    stands: Card | None = None


class Loose(NamedTuple):
    """A move as somebody may write it. `whole_rank` holds ranks of which every fitting card is meant (`lay kings`)."""

    verb: str
    specs: tuple[Spec, ...] = ()
    to: str = ""
    value: str = ""
    whole_rank: tuple[Rank, ...] = ()


class Refusal(Exception):  # the word of the rules
    """A move that the rules do not allow, or (AMBIG) that can mean several. Nothing has changed.

    `code` is one of `CODES`; `hint` says in plain words what to do instead; `choices` are the legal readings of an AMBIG.
    """

    def __init__(self, code: str, hint: str, choices: Sequence[Move] = ()) -> None:
        super().__init__(code, hint)
        self.code = code
        self.hint = hint
        self.choices = tuple(choices)


class Event(NamedTuple):
    """Something that happened, in the order it happened.

    `cards` are public; `private` only `seat` may see. `reveals` marks what cannot be taken back, because somebody has
    now seen a card that was hidden. Kinds: deal draw take pickup meld add discard pass low shuffle out over ended, and
    in some games cut (`count` cards lifted, `to` those asked for) bonus (`count` points for it) pick swap rummy float. Trick games: pass (`private` the
    cards, `to` left, right or across) expose bid (`to` 4, nil or blind) look exchange receive (`private` what came) play
    (`to` auto where nobody chose) trick (`seat` took `cards`; `count` tricks so far) cancel (`cards` nobody took) kitty
    shot (the moon: `seat` is to choose) moon (`to` add or subtract) sun exact (`count` the new score) bags (`seat` is the
    side, `count` penalties).
    """

    kind: str
    seat: Seat
    cards: tuple[Card, ...] = ()
    count: int = 0  # type: ignore[assignment]  # a tuple's own `count` is nobody's need here
    to: str = ""
    private: tuple[Card, ...] = ()
    reveals: bool = False

    def seen_by(self, seat: Seat | None) -> "Event":
        """The same event as that seat may know it (None: a spectator)."""
        return self if seat == self.seat or not self.private else self._replace(private=())


_DASHES = str.maketrans("\u2212\u2013", "--")  # the minus sign and the dash of a printed page


class Choice(NamedTuple):
    """The values of one house rule: a list of words, whole numbers between two bounds or a few of them, or all of these.

    A rule whose value is a list of its own (`permanent_wilds=joker+2`) has `special`, which reads it to its canonical
    text or raises ValueError with what it may be, and `like`, the same for a player to read.
    """

    words: tuple[str, ...] = ()
    low: int = 0
    high: int = -1
    numbers: tuple[int, ...] = ()
    special: Callable[[str], str] | None = None
    like: str = ""

    def read(self, text: str) -> str | int:
        """The value written as `text`. ValueError names what is allowed."""
        word = text.strip().lower().translate(_DASHES)
        if word in self.words:
            return word
        if word.isascii() and word.isdigit() and len(word) < 10 and int(word) in self.numbers:
            return int(word)
        if self.special is not None:
            return self.special(word)
        sign = word[1:] if word[:1] in "+-" else word
        if self.low <= self.high and sign.isascii() and sign.isdigit() and len(sign) < 10:
            number = int(word)
            if self.low <= number <= self.high:
                return number
        raise ValueError(self.describe())

    def describe(self) -> str:
        """The allowed values, as a player would read them: `on or off`, `a number from 500 to 5000`."""
        said = [*map(str, self.numbers), *self.words]
        if self.low <= self.high:
            said.append(f"a number from {self.low} to {self.high}")
        if self.like:
            said.append(self.like)
        return " or ".join(said)


def rule(
    default: str | int,
    help: str,
    *words: str,
    low: int = 0,
    high: int = -1,
    numbers: tuple[int, ...] = (),
    special: Callable[[str], str] | None = None,
    like: str = "",
) -> Any:
    """A field of a game's `Options`: its default, one line of help, and the values it may take; see `Choice`."""
    choice = Choice(words, low, high, numbers, special, like)
    return field(default=default, metadata={"help": help, "choice": choice})


class Rule(NamedTuple):
    """One house rule as the text command, the web form, the rules page and a refusal describe it."""

    name: str
    default: str | int
    help: str
    choice: Choice


def rules_of(options: Any) -> list[Rule]:
    """Every house rule of an `Options` class or value, in the order it is declared."""
    return [Rule(f.name, f.default, f.metadata["help"], f.metadata["choice"]) for f in fields(options)]  # type: ignore[arg-type]


def read_options(kind: type[T], given: Mapping[str, str]) -> T:
    """House rules from written values. Refusal OPTION says which name or value is wrong and what would work."""
    return kind(**read_values(kind, given))


def read_values(kind: type, given: Mapping[str, str]) -> dict[str, str | int]:
    """The checked values of the house rules that are given; see `read_options`."""
    known = {r.name: r for r in rules_of(kind)}
    gather = getattr(kind, "gather", None)  # for rules that are kept as parts of another
    given = gather(given) if gather else given
    values: dict[str, str | int] = {}
    for name, text in given.items():
        found = known.get(name)
        if found is None:
            raise Refusal("OPTION", f"there is no house rule {name!r}; there are: {', '.join(known)}")
        try:
            values[name] = found.choice.read(text)
        except ValueError as error:
            raise Refusal("OPTION", f"{name} can be {error}, not {text!r}") from None
    return values


def write_options(options: Any) -> str:
    """The house rules that differ from the default, as `name=value` words."""
    return " ".join(
        f"{r.name}={getattr(options, r.name)}" for r in rules_of(options) if getattr(options, r.name) != r.default
    )


@dataclass
class Position:
    """Where a round stands, as a record's header gives it. What is None was not given.

    Hands, scores and everything else by seat or side are keyed by their number. A game refuses (ValueError) what it has
    no use for.
    """

    dealer: Seat | None = None
    turn: Seat | None = None
    phase: str | None = None
    round: int = 1
    seed: str | None = None
    scores: dict[Side, int] = field(default_factory=dict)
    hands: dict[Seat, list[Card]] = field(default_factory=dict)
    stock: list[Card] | None = None  # next card to be drawn first
    pile: list[Card] | None = None  # top card last
    down: list[tuple[Side, list[Card]]] = field(default_factory=list)
    extra: dict[str, list[tuple[Seat | Side | None, str]]] = field(default_factory=dict)  # other lines, by their key


class View(Protocol):
    """All that one seat may know, and nothing else. Games add what is theirs."""

    game: str
    seat: Seat | None
    turn: Seat
    phase: str
    hand: tuple[Card, ...]

    def cards(self) -> set[Card]:
        """Every card whose face this view shows anywhere."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        ...


class Game(Protocol):
    """The rules of one game. States are the game's own; nobody else looks inside them."""

    name: str
    title: str
    aliases: tuple[str, ...]
    seats: tuple[int, ...]
    Options: type[Any]
    verbs: tuple[str, ...]

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Who plays together: a side for each entry, of the seats in it."""
        ...

    def deal(self, options: Any, seats: int, seed: str, dealer: Seat | None = None) -> Any:
        """The first round, dealt from the seed (dealer drawn by it unless given); the same seed gives the same game."""
        ...

    def place(self, options: Any, seats: int, position: Position) -> Any:
        """A state from an explicit position. ValueError says what in it cannot be."""
        ...

    def next_round(self, state: Any) -> list[Event]:
        """Deals the next round of a game that goes on; ValueError if the round is not over or the game is."""
        ...

    def waiting(self, state: Any) -> tuple[Seat, ...]:
        """The seats that may act now; empty once the round is over."""
        ...

    def legal(self, state: Any, seat: Seat) -> list[Move]:
        """Moves of a waiting seat: enough to drive a bot and a hint, never empty for the seat whose turn it is."""
        ...

    def resolve(self, state: Any, seat: Seat, loose: Loose) -> Move:
        """The one move that `loose` can mean for this seat. Looks at nothing the seat may not see. Refusal otherwise."""
        ...

    def play(self, state: Any, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place and says what happened; a Refusal leaves the state untouched."""
        ...

    def forced(self, state: Any) -> Move | None:
        """The only move of whose turn it is, where whoever sees what is public knows that it is the only one."""
        ...

    def view(self, state: Any, seat: Seat | None) -> Any:
        """What this seat may know; None is a spectator."""
        ...

    def laid(self, state: Any) -> list[int]:
        """Per side, what it has laid is worth now (rummy games)."""
        ...

    def points(self, state: Any) -> list[int] | None:
        """Per side, the score of this round; None where there is none before its end."""
        ...

    def copy(self, state: Any) -> Any:
        """An independent state, equal to this one."""
        ...

    def dump(self, state: Any) -> dict[str, Any]:
        """The state as plain JSON values."""
        ...

    def load(self, data: Mapping[str, Any]) -> Any:
        """The state that `dump` wrote."""
        ...

    def check(self, state: Any) -> None:
        """AssertionError unless every card of the pack is somewhere exactly once."""
        ...


def write_move(move: Move) -> str:
    """The canonical text: `pickup 9S 9C`, `meld KS KH W`, `add 9D to 9`, `discard 4H`, `bid nil`."""
    if move.verb == "swap":
        return f"swap {card_name(move.cards[0])} for {card_name(move.cards[1])} in {move.to}"
    words = [move.verb]
    for i, card in enumerate(move.cards):
        stands = move.stands[i] if move.stands else card
        words.append(card_name(card) if stands == card else f"{card_name(card)}={card_name(stands)}")
    if move.value:
        words.append(move.value)
    if move.to:
        words += [move.to] if move.to == "join" else ["to", move.to]
    return " ".join(words)


def read_move(text: str) -> Loose:
    """A move from its canonical text, ranks alone allowed (`pickup 9 9`). ValueError says what is wrong.

    Strict: this is the notation of records. What people write is understood elsewhere.
    """
    words = text.split()
    if not words:
        raise ValueError("a move needs a verb")
    verb, rest, to, value = words[0].lower(), words[1:], "", ""
    if verb == "swap" and [word.lower() for word in rest[1:2] + rest[3:4]] == ["for", "in"]:
        rest = [rest[0], rest[2], "to", *rest[4:]]
    if rest and rest[-1].lower() == "join":
        to = "join"
        rest = rest[:-1]
    elif len(rest) >= 2 and rest[-2].lower() == "to":
        to = rest[-1].upper()
        to = "T" if to == "10" else to
        rest = rest[:-2]
    if verb in ("bid", "cut", "moon", "pick") or (verb == "expose" and [w.lower() for w in rest] == ["none"]):
        if len(rest) != 1:
            raise ValueError(f"{verb} takes one word")
        value, rest = rest[0].lower(), []
    return Loose(verb, tuple(map(read_spec, rest)), to, value)


def read_spec(word: str) -> Spec:
    """One card of a move: `9S`, `9`, `W`, `6D=9S`. ValueError says what would work."""
    named, _, stands = word.partition("=")
    as_card = read_card(stands) if stands else None
    try:
        card = read_card(named)
    except ValueError:
        try:
            return Spec(read_rank(named), None, as_card)
        except ValueError:
            raise ValueError(f"{word!r} is neither a card such as 9S nor a rank such as 9") from None
    return Spec(card >> 2, card, as_card)


def describe_rank(rank: Rank, many: bool = True) -> str:
    """A rank as a word in a sentence: `9s`, `kings`, `jokers`, `wilds`."""
    words = {8: "ten", 9: "jack", 10: "queen", 11: "king", 12: "ace", 13: "joker", 14: "wild"}
    name = words.get(rank) or rank_name(rank)
    return name + "s" if many else name
