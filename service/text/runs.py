"""How 500 Rummy, 5000 Rummy and George are told by text: melds with numbers, runs, wilds, the open pile, calling Rummy.

Suits count here. A run is written short (`7-9S`), a set shorter (`KKK`), a wild in either as `w`; MELDS and PILE show
them whole.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engine.cards import JOKER, Card
from engine.game import Event, Move, Seat, write_move
from engine.rummy.run_table import Laid, View
from service.text import run_rules
from service.text.own_sets import glued, in_short, too_much
from service.text.sets import counts, game_scores, side_name, so_far, undone_left_out
from service.text.words import card, cards, grouped, listed, number_of, rank, signed

MANY = 12  # cards in a hand, from which on it is told by suits where room is short
MORE_THAN_ENOUGH = 3  # ways to play that a text lists before it says that there are more
LAST_CARDS = 3  # of the pile, in a turn's text
COVERED = frozenset(("discard", "wild"))  # the pile and what is wild are told besides
LAST = frozenset(("low", "float"))
NOT_TOLD = frozenset(("over", "ended", "out", "shuffle", "deal", "round", "upcard", "draw"))


def shown(some: Sequence[Card], stands: Sequence[Card] = ()) -> str:
    """Cards of a meld in few letters: `7-9S`, `KKK`, `7-wS`; as they lie where they are neither."""
    stands = stands or some
    wild = [c >= JOKER or c != other for c, other in zip(some, stands, strict=True)]
    ranks, suits = [c >> 2 for c in stands], {c & 3 for c in stands}
    if len(set(ranks)) == 1 and stands[0] < JOKER:
        name, count = rank(ranks[0]), wild.count(False)
        plain = name * count if len(name) == 1 and count < 5 else f"{count} {name}s" if count != 1 else name
        return plain + ("+" if len(plain) > 4 and any(wild) else "") + "w" * sum(wild)
    steps = {(b - a) % 13 for a, b in pairwise(ranks)}
    if steps == {1} and len(suits) == 1 and len(some) > 2:
        suit = card(stands[0])[-1]
        return f"{rank(ranks[0])}-{rank(ranks[-1])}{suit}" + (f"({sum(wild)}w)" if any(wild) else "")
    return cards(some)


def meld(laid: Laid) -> str:
    """A meld with its number: `M1 7-9S`."""
    return f"M{laid.number} {shown(laid.cards, laid.stands)}"


def whole_meld(laid: Laid, names: Sequence[str]) -> str:
    """A meld card by card: what a wild stands for, and who laid what its owner has not."""
    said = []
    for c, stands, seat in zip(laid.cards, laid.stands, laid.seats, strict=True):
        word = card(c) if c == stands else f"{card(c)}={card(stands)}"
        said.append(word if seat == laid.owner else f"{word}({names[seat]})")
    return f"M{laid.number} {' '.join(said)}"


def deed(event: Event) -> str:
    """What somebody did, without saying who; empty where it says nothing by itself."""
    kind, some = event.kind, event.cards
    if kind == "discard":
        return f"threw {cards(some)}"
    if kind == "meld":
        return f"laid {event.to} {shown(some)}"
    if kind == "add":
        return f"added {cards(some)} to {event.to}"
    if kind == "swap":
        return f"swapped {card(some[0])} for {card(some[1])} in {event.to}"
    if kind == "take":
        return f"took {cards(some)}" if len(some) < 4 else f"took {len(some)} cards from {card(some[0])} up"
    if kind == "rummy":
        more = f" and took {number_of(event.count, 'card')}" if event.count else ""
        return f"called Rummy: {cards(some) if len(some) == 1 else shown(some)} {'to' if len(some) == 1 else 'in'} {event.to}{more}"
    if kind == "wild":
        return f"turned up {cards(some)}: {rank(event.count)}s are wild" if some else f"{rank(event.count)}s are wild"
    if kind == "pick":
        return f"chose {event.count} cards" if event.count else "chose a hand"
    said = {
        "pass": "passed", "float": "floats, with no cards", "undo": "took back a move", "lent": "is late, a bot plays",
        "back": "is back", "low": "has 1 card left",
    }  # fmt: skip
    return said.get(kind, "")


def told(events: Sequence[Event], names: Sequence[str], brief: bool = False) -> list[str]:
    """What happened, a sentence for each stretch of one seat's moves.

    `brief` leaves out what the pile shows; where many laid, it says who, and MELDS shows what.
    """
    events = undone_left_out(events)
    if not brief:
        return _sentences(events, names)
    last = [event for event in events if event.kind in LAST]
    events = [event for event in events if event.kind not in LAST]
    said = _sentences([event for event in events if event.kind not in COVERED], names)
    return [*(in_short(events, names, _sentences) if too_much(said) else said), *_last_cards(last, names)]


def _last_cards(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Who is down to the last card or to none, as each of them stood last, in a few words."""
    stood = {event.seat: event.kind for event in events}
    said = []
    for kind, one, many in (("float", "floats", "float"), ("low", "has 1 card", "have 1 card")):
        seats = [seat for seat, how in stood.items() if how == kind]
        if seats:
            said.append(f"{names[seats[0]]} {one}" if len(seats) == 1 else f"{len(seats)} {many}")
    return [f"{', '.join(said)}."] if said else []


def _sentences(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    sentences: list[str] = []
    who: Seat | None = None
    deeds: list[str] = []

    def close() -> None:
        if who is not None and deeds:
            sentences.append(f"{names[who]} {', '.join(glued(deeds))}.")

    for event in events:
        said = "" if event.kind in NOT_TOLD else deed(event)
        if event.kind == "wild":
            close()
            who, deeds = None, []
            sentences.append(f"{names[event.seat]} {said}." if event.cards else f"{said}.")
        elif said:
            if event.seat != who:
                close()
                who, deeds = event.seat, []
            deeds.append(said)
    close()
    return sentences


def own(events: Sequence[Event], seat: Seat) -> list[str]:
    """What this seat did, told to itself, cards drawn included."""
    deeds: list[str] = []
    for event in events:
        if event.seat != seat or event.kind == "wild":
            continue
        if event.kind == "draw":
            deeds.append(f"drew {cards(event.private)}")
        elif event.kind == "discard":
            deeds.append(f"discarded {cards(event.cards)}")
        elif event.kind == "take":
            deeds.append(f"took {cards(event.cards)}")
        elif event.kind == "float":
            deeds.append("float: no cards left")
        elif event.kind not in NOT_TOLD and event.kind != "low" and deed(event):
            deeds.append(deed(event))
    return glued(deeds)


def wild(view: View) -> str:
    """What is wild in this round; empty where nothing changes by the round."""
    return f"{rank(view.wild)}s wild." if view.wild is not None else ""


of_round = wild


def pile(view: View) -> str:
    """The top card, how much lies there, and the next few cards."""
    return _pile(view, LAST_CARDS)


def _pile(view: View, most: int) -> str:
    if not view.pile:
        return "The pile is empty."
    under = view.pile[-2 : -most - 1 : -1]
    if len(view.pile) == 1:
        return f"Top {card(view.pile[-1])}."
    return f"Top {card(view.pile[-1])} of {len(view.pile)}, then {cards(under)}."


def piles(view: View) -> str:
    """The whole pile, what is wild, and what is left of the stock."""
    for most in (99, 30, 12, LAST_CARDS):
        said = f"{_pile(view, most)} {wild(view)} Stock {view.stock_count}.".replace("  ", " ")
        if len(said) < 200:
            return said
    return said


def now(view: View) -> str:
    """The pile, as long as it may be taken; a card that must be used; what is wild."""
    if view.phase == "draw":
        return f"{pile(view)} {wild(view)}".strip()
    if view.turn != view.seat:
        return ""
    duty = f"{card(view.duty)} must be used now." if view.duty is not None else ""
    due = "DISCARD ends your call." if view.due is not None else ""
    return " ".join(filter(None, (duty, due)))


def hand(view: View) -> str:
    """The hand in whole cards."""
    return f"Hand: {cards(view.hand)}." if view.hand else "No cards in hand: you float."


def short_hand(view: View, bare: bool = False) -> str:
    """The hand with the suits of a rank together; `bare`: by suits, `C23 10 KA, D7, S89`."""
    if not view.hand:
        return hand(view)
    return f"Hand: {by_suit(view.hand) if bare and len(view.hand) > MANY else grouped(view.hand)}."


def by_suit(some: Sequence[Card]) -> str:
    """Cards by their suits, a ten apart from its neighbours: `C23 10 KA, D7, S89, JK`."""
    said = []
    for suit in range(4):
        ranks = [rank(c >> 2) for c in some if c < JOKER and c & 3 == suit]
        if ranks:
            name = card(suit)[-1]
            said.append(name + "".join(f" {r} " if len(r) > 1 else r for r in ranks).replace("  ", " ").strip())
    jokers = sum(c == JOKER for c in some)
    return ", ".join([*said, *["JK"] * jokers])


def can(view: View, legal: Sequence[Move], few: bool = False) -> str:
    """What this seat may do now, in the words to text back; `few`: only the foremost of it."""
    most = 1 if few else MORE_THAN_ENOUGH
    calls = [command(move) for move in legal if move.verb == "rummy"]
    if view.phase == "draw":
        ways = [move.verb.upper() for move in legal if move.verb in ("draw", "pass")]
        ways += [command(move) for move in legal if move.verb == "take"][:most]
        ways += calls[:1]
        return f"{listed(ways, 'or')}." if ways else ""
    if legal and legal[0].verb == "pick":
        return f"{listed([command(move) for move in legal], 'or')} cards."
    lays = sorted((move for move in legal if move.verb == "meld"), key=lambda m: (len(m.stands) > 0, -len(m.cards)))
    ways = []
    used: set[Card] = set()
    for move in lays:  # one for each group of cards
        if not used & set(move.cards):
            used |= set(move.cards)
            ways.append(command(move))
    ways += [command(move) for move in legal if move.verb in ("add", "swap") and not used & set(move.cards[:1])]
    ways = ways[:most]
    if any(move.verb == "discard" for move in legal):
        ways.append("DISCARD")
    return f"{listed(ways, 'or')}." if ways else ""


def command(move: Move) -> str:
    """A move as a player would text it back, in capitals: `TAKE 9C`, `LAY 7S 8S 9S`, `ADD 10S TO M1`, `RUMMY 9H TO M1`."""
    verb, _, rest = write_move(move).partition(" ")
    words = [_ten(word) for word in rest.upper().split()]
    if move.verb == "take" and not move.cards:
        words = []
    return " ".join([{"meld": "LAY"}.get(verb, verb.upper()), *words])


def _ten(word: str) -> str:
    if word == "TO":
        return word
    parts = ["10" + part[1:] if part[:1] == "T" and len(part) < 3 else part for part in word.split("=")]
    return "=".join(parts)


def sets(view: View, names: Sequence[str], whole: bool = False) -> list[str]:
    """Each player's melds and what the cards they laid are worth; of those who have none, only their names."""
    said, none = [], []
    for seat in range(view.seats):
        mine = [laid for laid in view.melds if laid.owner == seat]
        if not mine and not view.laid[seat]:
            none.append(names[seat])
            continue
        melds = ", ".join(whole_meld(laid, names) if whole else meld(laid) for laid in mine)
        said.append(f"{names[seat]}: {melds or 'lay-offs'} ({view.laid[seat]}).")
    if none:
        said.append(f"Nothing down: {', '.join(none)}." if said else "Nothing is down.")
    return said


def round_scores(view: View, names: Sequence[str]) -> str:
    """The score of a round that is over, with what each player put down."""
    assert view.points is not None, "a round is scored at its end"
    said = [f"{names[seat]} {signed(points)}" for seat, points in enumerate(view.points)]
    put = [f"{names[seat]} {worth}" for seat, worth in enumerate(view.contributed) if worth]
    same = all(points == laid for points, laid in zip(view.points, view.contributed, strict=True))
    return f"Round: {', '.join(said)}" + (f" (laid: {', '.join(put)})." if put and not same else ".")


def went_out(view: View, names: Sequence[str]) -> str:
    """How the round ended."""
    return "The stock ran out, nobody went out." if view.out is None else f"{names[view.out]} went out."


SCALES = {
    "pip": "Aces 15 (1 in a low run), 10 J Q K 10, others their number.",
    "fives": "Aces 15 (5 in a low run), 10 J Q K 10, others 5.",
    "flat": "Aces 15, 10 J Q K 10, others 5.",
}


def _values(options: Any, scale: str | None) -> str:
    """What cards count in 5000 Rummy and George; `scale` is borrowed from 500 Rummy."""
    wild = options.wild_value
    ace = {"sum": options.ace_value + 100 if wild == 100 else 200, "same_as_wild": wild}.get(options.wild_ace, wild)
    own = f"An ace {options.ace_value}, " + (
        "8 to K 10, 2 to 7 5." if options.eight_nine_value == 10 else "10 J Q K 10, 2 to 9 5."
    )
    special = options.special_values.replace(":", " ").replace("+", ", ")
    return (
        (f"A wild {wild}, a wild ace {ace}. " if ace != wild else f"A wild {wild}. ")
        + (own if scale is None else SCALES[scale])
        + (f" {special}." if special != "none" else "")
    )


def rules(options: Any, topic: str) -> str | None:
    """A short text on one topic by this table's house rules; None for a topic there is none for."""
    on = "on".__eq__
    five = hasattr(options, "wild_value")
    added = run_rules.added_rules(options)
    needs = on(options.layoff_needs_meld)
    others = added.get("layoff_opponents", "on") == "on"
    called = {
        "off": "Nobody calls Rummy at this table.",
        "discard": "A discard that fits a meld may be called by who has a meld, until the next player draws.",
        "pile": "Any cards of the pile that fit a meld may be called after a discard, until the next player draws.",
    }[options.rummy_call]
    if five:
        worth = (
            f"{_values(options, added.get('values'))} You score what you laid; "
            + ("what is left in hands counts against you." if options.unmelded_to == "subtract" else "")
            + ("who goes out scores what is left in all hands." if options.unmelded_to == "winner" else "")
        )
    else:
        worth = f"{SCALES[options.values]} You score what you laid less what you hold."
    bonus = f" Going out earns {options.out_bonus}." if options.out_bonus else ""
    topics = {
        "turn": "Your turn: DRAW, or TAKE from the pile. Then LAY melds and ADD to melds as you like. Then DISCARD a card.",
        "pile": run_rules.pile(options) + " PILE shows it all.",
        "melds": f"{run_rules.melds(options)}. Melds have numbers: ADD 10S TO M1. MELDS shows them all, card by card.",
        "add": (
            f"ADD 10S TO M1 lays a card on {'any meld' if others else 'a meld of yours'}; it scores for you."
            + (" First you need a meld of your own." if needs else "")
        ),
        "wild": run_rules.wilds(options),
        "rummy": f"{called} RUMMY 9H TO M1 calls it: first come, first served."
        if options.rummy_call != "off"
        else called,
        "score": f"{worth}{bonus} {run_rules.wins(options)}",
        "discard": run_rules.discard(options),
        "out": run_rules.out(options),
        "hand": "Only cards that are in your own hand can be played. HAND shows them.",
    }
    return topics.get(TOPICS.get(topic, topic))


TOPICS = {
    "take": "pile", "taking": "pile", "pick": "pile", "pickup": "pile", "deep": "pile", "stack": "pile",
    "set": "melds", "sets": "melds", "meld": "melds", "runs": "melds", "run": "melds", "lay": "melds", "laying": "melds",
    "adding": "add", "layoff": "add", "lay off": "add", "layoffs": "add", "lay-off": "add",
    "wilds": "wild", "joker": "wild", "jokers": "wild", "jk": "wild", "swap": "wild", "w": "wild",
    "calling": "rummy", "call": "rummy", "rummy call": "rummy",
    "scores": "score", "scoring": "score", "points": "score", "values": "score", "value": "score", "win": "score",
    "winning": "score", "target": "score", "cards": "score",
    "discarding": "discard", "throw": "discard", "toss": "discard", "discards": "discard",
    "going": "out", "going out": "out", "end": "out", "round": "out", "stock": "out", "pass": "out", "finish": "out",
    "float": "out", "floating": "out", "turns": "turn", "play": "turn", "playing": "turn", "draw": "turn", "basics": "turn",
    "drawing": "turn", "how": "turn",
}  # fmt: skip

MOVES = "DRAW, TAKE, TAKE 9C, LAY 7-9S, LAY KKK, ADD 10S TO M1, RUMMY 9H TO M1, DISCARD 4H"
TOPIC_NAMES = ("turn", "pile", "melds", "add", "wild", "rummy", "score", "discard", "out")

WHY = {
    "TURN": "turn", "PHASE": "turn", "NOTHELD": "hand", "SMALL": "melds", "MIXED": "melds", "NATMIN": "melds", "WRAP": "melds",
    "WILDMAX": "wild", "OWNER": "add", "NOMELD": "add", "PAIR": "pile", "MUSTUSE": "pile", "SAMECARD": "discard",
    "PLAYABLE": "out", "FLOATING": "out", "COUNT": "discard", "AMBIG": "turn", "KEEPONE": "out",
}  # fmt: skip

__all__ = [
    "MOVES", "TOPIC_NAMES", "WHY", "can", "command", "counts", "game_scores", "hand", "now", "of_round", "own", "pile", "piles",
    "round_scores", "rules", "sets", "short_hand", "side_name", "so_far", "told", "went_out",
]  # fmt: skip
