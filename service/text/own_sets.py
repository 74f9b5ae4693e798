"""How Queen of Spades is told by text: sets of their own players, twos wild, the cut, a lone card that is free.

Suits do not count here either, so that most of it is told as in the other game of sets, `service.text.sets`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine.cards import JOKER, QUEEN_OF_SPADES, WILD
from engine.game import Event, Move, Seat
from engine.rummy.queen_of_spades_table import CUT, HAND, TWO, View
from service.text import sets as common
from service.text.sets import MORE_THAN_ENOUGH, counts, game_scores, of_round, side_name, so_far
from service.text.words import a_set as plain_set
from service.text.words import card, cards, listed, rank

ENOUGH, SENTENCES = 110, 3  # letters of news; what is more, and does not fit into one segment, is told in short
TWOS = range(TWO * 4, TWO * 4 + 4)


def a_set(some: Sequence[int]) -> str:
    """A set by its ranks: `KKK`, `KK2`, `3 10s+2`; the queen of spades is named."""
    twos = [c for c in some if c in TWOS]
    naturals = [c for c in some if c not in TWOS]
    if not naturals or not twos:
        return plain_set(some)
    said = plain_set(naturals)
    if said.endswith(("s", "10", "S", "JK")):
        return f"{said}+2" if len(twos) == 1 else f"{said}+{len(twos)} 2s"
    return said + "2" * len(twos)


def deed(event: Event) -> str:
    """What somebody did, without saying who; empty where it says nothing by itself."""
    kind = event.kind
    if kind == "meld":
        return f"laid {a_set(event.cards)}"
    if kind == "add":
        twos = any(c in TWOS for c in event.cards)
        return f"added {a_set(event.cards)}" + (f" to {event.to.replace('T', '10')}s" if twos else "")
    if kind == "pickup":
        *paid, top = event.cards
        pair = plain_set(paid)
        return f"took the pile ({event.count + 1}) with {pair}" if event.count else f"took {card(top)} with {pair}"
    if kind == "take":
        return f"took the lone {card(event.cards[0])}"
    if kind == "cut":
        return f"lifted {event.count} cards"
    if kind == "bonus":
        return f"earned {event.count} by that"
    if kind == "finish":
        return "wants to finish"
    return common.deed(event)


def told(events: Sequence[Event], names: Sequence[str], brief: bool = False) -> list[str]:
    """What happened, a sentence for each stretch of one seat's moves; `brief`: where many laid, only who."""
    said = _sentences(events, names, brief)
    return in_short(events, names, _sentences) if brief and too_much(said) else said


def _sentences(events: Sequence[Event], names: Sequence[str], brief: bool = False) -> list[str]:
    return common.told(events, names, brief, deed, glued)


def too_much(said: Sequence[str]) -> bool:
    """Whether what happened is more than a text of one segment has room for."""
    return len(said) > SENTENCES or len(" ".join(said)) > ENOUGH


def in_short(
    events: Sequence[Event], names: Sequence[str], sentences: Callable[[Sequence[Event], Sequence[str]], list[str]]
) -> list[str]:
    """A day at a full table in few words: who laid cards, and who is down to the last. The pile is told besides."""
    events = common.undone_left_out(events)
    seats = dict.fromkeys(e.seat for e in events if e.kind in ("meld", "add", "pickup", "swap", "rummy"))
    laid = [names[seat] for seat in seats]
    who = [f"{listed(laid) if len(laid) < 4 else f'{len(laid)} players'} laid (MELDS)."] if laid else []
    return who + sentences([event for event in events if event.kind in ("low", "float")], names)


def glued(deeds: Sequence[str]) -> list[str]:
    """Deeds of one kind that follow each other, with the verb once: `laid 777, QQQ`, `added 5 9`."""
    said: list[str] = []
    verb_of_last = ""
    for words in filter(None, deeds):
        verb, _, rest = words.partition(" ")
        if verb == verb_of_last and verb in ("laid", "added"):
            one, other = said[-1].rpartition(" to "), rest.rpartition(" to ")
            if one[2] == other[2] and one[1] and other[1]:  # to the same meld
                said[-1] = f"{one[0]} {other[0]} to {other[2]}"
            elif verb == "added" and not one[1] and not other[1]:
                said[-1] += f" {rest}"
            else:
                said.append(rest)
        else:
            said.append(words)
        verb_of_last = verb
    return said


def own(events: Sequence[Event], seat: Seat) -> list[str]:
    """What this seat did, told to itself, cards drawn included."""
    deeds: list[str] = []
    for event in events:
        if event.seat != seat:
            continue
        if event.kind == "cut":
            deeds.append(f"cut at {event.to}, lifted {event.count}")
        elif event.kind == "bonus":
            deeds.append(f"earned {event.count}")
        elif event.kind == "deal":
            deeds.append("dealt")
        elif event.kind == "finish":
            deeds.append("want to finish")
        elif event.kind == "pickup":
            *paid, top = event.cards
            deeds.append(f"took {card(top)} with {cards(paid)}")
            if event.private:
                deeds.append(f"got {cards(sorted(event.private))}")
        else:
            deeds += common.own([event], seat, deed)
    return glued(deeds)


def pile(view: View) -> str:
    """The top card and how many lie there."""
    if view.phase == CUT:
        return "Not dealt yet."
    if view.pile_count == 1:
        return f"Lone {card(view.top or 0)}."
    return common.pile(view)


def piles(view: View) -> str:
    """The pile and what is left of the stock."""
    return pile(view) if view.phase == CUT else f"{pile(view)} Stock {view.stock_count}."


def now(view: View) -> str:
    """The top of the pile, as long as it may be taken; before the deal, what a cut is for."""
    if view.phase == CUT:
        return f"You deal: {HAND * view.seats} cards, or 1 more, are just enough." if view.turn == view.seat else ""
    return pile(view) if view.phase == "draw" else ""


def hand(view: View) -> str:
    """The hand in whole cards; nothing before the deal."""
    return "" if view.phase == CUT else common.hand(view)


def short_hand(view: View, bare: bool = False) -> str:
    """The hand with the suits of a rank together; `bare`: without suits, which do not count here."""
    return "" if view.phase == CUT else common.short_hand(view, bare)


def can(view: View, legal: Sequence[Move], few: bool = False) -> str:
    """What this seat may do now, in the words to text back; `few`: only the foremost of it."""
    most = 1 if few else MORE_THAN_ENOUGH
    if view.phase == CUT:
        ways = [command(move) for move in legal]
        return f"{listed(ways, 'or')}." if ways else ""
    if view.phase == "draw":
        ways = [move.verb.upper() for move in legal if move.verb in ("draw", "pass", "take")]
        takes = {move.cards[0] >> 2: command(move) for move in reversed(legal) if move.verb == "pickup"}
        ways += list(takes.values())[:most]
        return f"{listed(ways, 'or')}." if ways else ""
    lays: dict[int, str] = {}  # one for each rank; twos are kept where they can be
    for move in legal:
        if move.verb == "meld":
            lays.setdefault(move.cards[0] >> 2, command(move))
    ways = list(lays.values())
    adds = [rank(move.cards[0] >> 2) for move in legal if move.verb == "add" and move.cards[0] not in TWOS]
    if adds:
        ways.append(f"ADD {' '.join(dict.fromkeys(adds))}")
    ways += dict.fromkeys(command(move) for move in legal if move.verb == "add" and move.cards[0] in TWOS)
    ways = ways[:most]
    if any(move.verb == "discard" for move in legal):
        ways.append("DISCARD")
    return f"{listed(ways, 'or')}." if ways else ""


def command(move: Move) -> str:
    """A move as a player would text it back, in capitals: `PICKUP 9 9`, `LAY KKK`, `LAY KK 2`, `ADD 2 TO 9`, `CUT 52`, `TAKE`."""
    verb = {"meld": "LAY"}.get(move.verb, move.verb.upper())
    if move.verb in ("take", "draw", "deal", "pass"):
        return verb
    if move.verb == "cut":
        return f"{verb} {move.value}"
    if move.verb == "discard":
        return f"{verb} {cards(move.cards)}"
    said = [card(c) if c in (QUEEN_OF_SPADES, JOKER, WILD) else rank(c >> 2) for c in move.cards]
    join = " JOIN" if move.to == "join" else ""
    if move.verb == "add" and any(c in TWOS for c in move.cards):
        return f"{verb} {' '.join(said)} TO {move.to.replace('T', '10')}"
    if move.verb == "meld":  # apart from a two, which makes a number of them, and of two aces no article
        glued = [word for word in said if len(word) == 1 and word != "2"]
        if len(set(glued)) == 1 and len(glued) > 1:
            said = [*(word for word in said if len(word) > 1), "".join(glued), *(w for w in said if w == "2")]
    return f"{verb} {' '.join(said)}{join}"


def sets(view: View, names: Sequence[str], whole: bool = False) -> list[str]:
    """Each player's sets and their worth; of those who have none, only their names."""
    said, none = [], []
    for seat in range(view.seats):
        down = [down.cards for down in view.down if down.side == seat]
        if not down:
            none.append(names[seat])
            continue
        shown = ", ".join(cards(each) if whole else a_set(each) for each in down)
        said.append(f"{names[seat]}: {shown} ({view.laid[seat]}).")
    if none:
        said.append(f"Nothing down: {', '.join(none)}." if said else "Nothing is down.")
    return said


def _undealt(view: View) -> bool:
    """Whether the game was over before another deal, because all wanted it to be."""
    return view.ended and view.out is None and not any(view.counts)


def went_out(view: View, names: Sequence[str]) -> str:
    """How the round ended."""
    return "All want to finish." if _undealt(view) else common.went_out(view, names)


def round_scores(view: View, names: Sequence[str]) -> str:
    """The score of a round that is over, with what each player put down; none where it was not dealt."""
    return "" if _undealt(view) else common.round_scores(view, names)


def rules(options: Any, topic: str) -> str | None:
    """A short text on one topic of Queen of Spades by this table's house rules; None for a topic there is none for."""
    on = "on".__eq__
    wilds = "any number of twos" if options.wild_per_set == "none" else f"{options.wild_per_set} two at most"
    topics = {
        "turn": (
            "Your turn: DRAW, TAKE a lone card, or PICKUP the pile with a pair. LAY sets and ADD cards as you like, then "
            "DISCARD one card."
        ),
        "pile": (
            "A pile of 2 or more: PICKUP it all with two in hand of its top card's rank; those three go down. "
            + (
                "A pile of one card is free: TAKE it. "
                if on(options.lone_card_free)
                else "That goes for a lone card, too. "
            )
            + ("On a two: a pair of twos." if options.pile_two == "pair_of_twos" else "A two on top blocks it.")
        ),
        "sets": (
            f"A set is 3 cards or more of one rank: 2 naturals at least, {wilds}. Only you add to your sets. A new set of a "
            "rank you have stays apart, or LAY 9 9 9 JOIN. Suits don't matter."
        ),
        "wild": (
            f"Twos are wild: {wilds} in a set. "
            + ("Three twos are a set of their own. " if on(options.set_of_twos) else "")
            + (
                "Jokers are a rank of their own and may take a two."
                if on(options.joker_with_wild)
                else "Jokers are a rank of their own and take no two."
            )
        ),
        "score": (
            f"QS 100, joker {options.joker_value}, two 20, ace {options.ace_value}, 10 J K and other queens 10, 3 to 9 5. You "
            "score your sets less your hand"
            + (f", and {options.out_bonus} for going out" if options.out_bonus else "")
            + (
                ". The game goes on till all say FINISH."
                if options.target == "none"
                else f". First to {options.target} wins."
            )
        ),
        "discard": (
            "End your turn with DISCARD and one card. "
            + (
                "A lone card just taken may go back."
                if on(options.throw_back)
                else "A lone card just taken may not go back."
            )
        ),
        "cut": (
            "The dealer texts CUT and a number, or DEAL for no cut. "
            + ("A cut is by eye: up to 6 off. " if options.cut_model == "noisy" else "")
            + f"Lifting just enough for all hands of {HAND}, or 1 more, earns {options.cut_bonus}."
        ),
        "out": (
            ("Only a last discard goes out: keep a card for it. " if on(options.must_discard_to_go_out) else "")
            + "The round ends when a hand is empty. With the stock empty: "
            + (
                "the pile is shuffled again."
                if options.stock_out == "reshuffle"
                else "take from the pile if you can, or the round ends."
            )
        ),
        "hand": "Only cards that are in your own hand can be played. HAND shows them.",
    }
    return topics.get(TOPICS.get(topic, topic))


TOPICS = {word: "sets" if topic == "team" else topic for word, topic in common.TOPICS.items()} | {
    "two": "wild", "twos": "wild", "2": "wild", "2s": "wild", "lone": "pile", "lone card": "pile", "free": "pile",
    "cutting": "cut", "deal": "cut", "dealing": "cut", "join": "sets",
}  # fmt: skip
TOPIC_NAMES = ("turn", "pile", "sets", "wild", "score", "discard", "cut", "out")
MOVES = "CUT 52, DEAL, DRAW, TAKE (a lone card), PICKUP 9 9, LAY KKK, LAY KK 2, ADD 9, DISCARD 4H"
WHY = dict(common.WHY) | {"SAMECARD": "discard", "KEEPONE": "out"}

__all__ = [
    "MOVES", "TOPIC_NAMES", "WHY", "can", "command", "counts", "game_scores", "hand", "now", "of_round", "own", "pile", "piles", "round_scores", "rules",
    "sets", "short_hand", "side_name", "so_far", "told", "went_out",
]  # fmt: skip
