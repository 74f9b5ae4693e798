"""How a rummy table of sets is told by text: what happened, a hand, a table, what may be done, the rules in short.

Pure words from views and events; nothing here knows a phone. The games of sets whose suits do not count share it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine.cards import WILD
from engine.game import Event, Move, Seat
from engine.rummy.table import RummyView
from service.text.words import a_set, by_rank, card, cards, command, grouped, listed, rank, signed

NOT_TOLD = frozenset(("over", "ended", "out", "shuffle", "deal", "round"))
MORE_THAN_ENOUGH = 3  # ways to play that a text lists before it says that there are more


def side_name(view: RummyView, names: Sequence[str], side: int) -> str:
    """A team as its players' names: `Ann+Cy`."""
    return "+".join(names[seat] for seat in view.sides[side])


def deed(event: Event) -> str:
    """What somebody did, without saying who; empty where it says nothing by itself (a draw)."""
    kind = event.kind
    if kind == "discard":
        return f"threw {cards(event.cards)}"
    if kind == "meld":
        return f"laid {a_set(event.cards)}"
    if kind == "add":
        return f"added {a_set(event.cards)}" + (f" to {event.to.replace('T', '10')}s" if WILD in event.cards else "")
    if kind == "pickup":
        return (
            f"took the pile ({event.count + 1}) with {a_set(event.cards[:2])}"
            if event.count
            else f"took {cards(event.cards[2:])} with {a_set(event.cards[:2])}"
        )
    if kind == "pass":
        return "passed"
    if kind == "low":
        return "has 1 card left"
    if kind == "undo":
        return "took back a move"
    if kind == "lent":
        return "is late, a bot plays"
    if kind == "back":
        return "is back"
    return ""


def told(
    events: Sequence[Event],
    names: Sequence[str],
    brief: bool = False,
    say: Callable[[Event], str] = deed,
    together: Callable[[Sequence[str]], list[str]] | None = None,
) -> list[str]:
    """What happened as sentences, one for each stretch of one seat's moves; nothing where nobody did anything.

    `brief` leaves out what no longer matters: draws, and cards thrown that others have covered. `say` is how the game
    says what somebody did, `together` how deeds of one turn are.
    """
    join = together or run_together
    events = undone_left_out(events)
    if brief:
        last = max((i for i, event in enumerate(events) if event.kind == "discard"), default=-1)
        events = [e for i, e in enumerate(events) if e.kind != "draw" and (e.kind != "discard" or i == last)]
    sentences: list[str] = []
    who: Seat | None = None
    deeds: list[str] = []  # one for each event, empty for a draw

    def close() -> None:
        if who is not None and deeds:
            sentences.append(f"{names[who]} {', '.join(join(deeds)) or 'drew'}.")

    for event in events:
        if event.kind in NOT_TOLD:
            continue
        if event.seat != who:
            close()
            who, deeds = event.seat, []
        deeds.append(say(event))
    close()
    return sentences


def run_together(deeds: Sequence[str]) -> list[str]:
    """What was done, with adds that follow each other said once: `added J J 3`."""
    said: list[str] = []
    for words in filter(None, deeds):
        verb, _, card = words.partition(" ")
        if said and verb == "added" and " " not in card and said[-1].startswith("added ") and " to " not in said[-1]:
            said[-1] += f" {card}"
        else:
            said.append(words)
    return said


def undone_left_out(events: Sequence[Event]) -> list[Event]:
    """The events without those that an undo has taken back, and without the undo: they need not be told."""
    kept: list[Event] = []
    for event in events:
        if event.kind == "undo":
            del kept[max(0, len(kept) - event.count) :]
        else:
            kept.append(event)
    return kept


def own(events: Sequence[Event], seat: Seat, say: Callable[[Event], str] = deed) -> list[str]:
    """What this seat did, told to itself, cards drawn included."""
    deeds: list[str] = []
    for event in events:
        if event.seat != seat:
            continue
        if event.kind == "draw":
            deeds.append(f"drew {cards(event.private)}")
        elif event.kind == "pickup":
            deeds.append(f"took {card(event.cards[2])} with {cards(event.cards[:2])}")
            if event.private:
                deeds.append(f"got {cards(sorted(event.private))}")
        elif event.kind == "discard":
            deeds.append(f"discarded {cards(event.cards)}")
        elif event.kind != "low" and say(event):
            deeds.append(say(event))
    return run_together(deeds)


def pile(view: RummyView) -> str:
    """The top card and how many lie there."""
    if view.top is None:
        return "The pile is empty."
    more = f" of {view.pile_count}" if view.pile_count > 1 else ""
    return f"Top {card(view.top)}{more}."


def piles(view: RummyView) -> str:
    """The pile and what is left of the stock."""
    return f"{pile(view)} Stock {view.stock_count}."


def of_round(view: RummyView) -> str:  # noqa: ARG001  # as other games have it
    """Nothing changes from round to round."""
    return ""


def now(view: RummyView) -> str:
    """The top of the pile, as long as it may be taken."""
    return pile(view) if view.phase == "draw" else ""


def so_far(view: RummyView, names: Sequence[str]) -> str:
    """What each side has laid in this round."""
    laid = ", ".join(f"{side_name(view, names, side)} {view.laid[side]}" for side in range(len(view.sides)))
    return f"Laid this round: {laid}."


def hand(view: RummyView) -> str:
    """The hand in whole cards."""
    return f"Hand: {cards(view.hand)}." if view.hand else "Your hand is empty."


def short_hand(view: RummyView, bare: bool = False) -> str:
    """The hand with the suits of a rank together; `bare`: without suits, which do not count here."""
    if not view.hand:
        return hand(view)
    return f"Hand: {by_rank(view.hand) if bare else grouped(view.hand)}."


def can(view: RummyView, legal: Sequence[Move], few: bool = False) -> str:
    """What this seat may do now, in the words to text back; `few`: only the foremost of it."""
    if view.phase == "draw":
        ways = [move.verb.upper() for move in legal if move.verb in ("draw", "pass")]
        takes = list(dict.fromkeys(command(move) for move in _cheapest(legal)))
        ways += takes[: 1 if few else MORE_THAN_ENOUGH]
        return f"{listed(ways, 'or')}." if ways else ""
    lays: dict[int, str] = {}  # one for each rank; the wild is kept where it can be
    for move in legal:
        if move.verb == "meld":
            lays.setdefault(move.cards[0] >> 2, command(move))
    ways = list(lays.values())
    adds = [rank(move.cards[0] >> 2) for move in legal if move.verb == "add" and move.cards[0] != WILD]
    if adds:
        ways.append(f"ADD {' '.join(dict.fromkeys(adds))}")
    if any(move.verb == "add" and move.cards[0] == WILD for move in legal):
        ways.append("ADD W")
    ways = ways[: 1 if few else MORE_THAN_ENOUGH]
    if any(move.verb == "discard" for move in legal):
        ways.append("DISCARD")
    return f"{listed(ways, 'or')}." if ways else ""


def _cheapest(legal: Sequence[Move]) -> list[Move]:
    """One take for each rank and kind: which faces go is the same to nearly everybody."""
    found: dict[tuple[int, bool], Move] = {}
    for move in legal:
        if move.verb == "pickup":
            found.setdefault((move.cards[0] >> 2, WILD in move.cards), move)
    return list(found.values())


def sets(view: RummyView, names: Sequence[str], whole: bool = False) -> list[str]:
    """Each team's sets and their worth."""
    said = []
    for side in range(len(view.sides)):
        down = [down for down in view.down if down.side == side]
        shown = ", ".join(cards(d.cards) if whole else a_set(d.cards) for d in down) or "nothing down"
        worth = f" ({view.laid[side]})" if down else ""
        said.append(f"{side_name(view, names, side)}: {shown}{worth}.")
    return said


def counts(view: RummyView, names: Sequence[str]) -> str:
    """How many cards everybody holds."""
    return "Cards: " + ", ".join(f"{names[seat]} {view.counts[seat]}" for seat in range(view.seats)) + "."


def game_scores(view: RummyView, names: Sequence[str]) -> str:
    """The score of the game."""
    said = [f"{side_name(view, names, side)} {view.scores[side]}" for side in range(len(view.sides))]
    return f"Game: {', '.join(said)}."


def round_scores(view: RummyView, names: Sequence[str]) -> str:
    """The score of a round that is over, with what each player put down."""
    assert view.points is not None, "a round is scored at its end"
    said = [f"{side_name(view, names, side)} {signed(points)}" for side, points in enumerate(view.points)]
    put = [f"{names[seat]} {worth}" for seat, worth in enumerate(view.contributed) if worth]
    return f"Round: {', '.join(said)}" + (f" (laid: {', '.join(put)})." if put else ".")


def went_out(view: RummyView, names: Sequence[str]) -> str:
    """How the round ended."""
    return "The stock ran out, nobody went out." if view.out is None else f"{names[view.out]} went out."


def rules(options: Any, topic: str) -> str | None:
    """A short text on one topic of Damn the Queens by this table's house rules; None for a topic there is none for."""
    on = "on".__eq__
    topics = {
        "turn": "Your turn: DRAW, or PICKUP the pile. Then LAY sets and ADD cards as you like. Then DISCARD one card.",
        "pile": (
            "PICKUP takes the whole pile: lay its top card with two of that rank from your hand, or with one and a wild "
            "if you hold just one. The rest goes to your hand. "
            + (
                "Not when your team has that rank down"
                if on(options.team_rank_pile_ban)
                else "Also when your team has it down"
            )
            + (", nor with one card in hand. " if on(options.one_card_pile_ban) else ". ")
            + "On a wild: two naturals of one rank."
        ),
        "sets": (
            "A set is 3 cards or more of one rank: 2 naturals at least, 1 wild at most. Sets are your team's: one of each "
            "rank, and either partner adds to it. Suits don't matter."
        ),
        "wild": (
            "W is wild: 8 in the pack, one to a set at most, worth 10. "
            + (
                "With two naturals in hand the pile is taken with those and the wild stays. "
                if on(options.naturals_first)
                else ""
            )
            + (
                "Jokers are a rank of their own and may take a wild."
                if on(options.joker_set_wild)
                else "Jokers are a rank of their own and take no wild."
            )
        ),
        "score": (
            "QS 100, joker 50, ace 20, 10 J K and other queens 10, wild 10, 3 to 9 5. The team that goes out scores its sets"
            + (f" and {options.out_bonus}" if options.out_bonus else "")
            + (", less the partner's hand" if on(options.out_team_subtracts_partner) else "")
            + f". The other team scores sets less both hands. First to {options.target} wins."
        ),
        "discard": (
            "End your turn with DISCARD and one card. "
            + ("Not a rank your team has down: ADD it. " if on(options.team_rank_discard_ban) else "")
            + "A rank the other team has down blocks the pile for the next player. Wilds may go too."
        ),
        "out": (
            "The round ends when a hand is empty, by laying, adding, discarding or taking the pile. With the stock empty: "
            + (
                "the pile is shuffled again."
                if options.stock_out == "reshuffle"
                else "take the pile if you can, or the round ends."
            )
        ),
        "hand": "Only cards that are in your own hand can be played. HAND shows them.",
        "team": "Partners sit opposite and share sets and score. They may not tell each other their cards.",
    }
    return topics.get(TOPICS.get(topic, topic))


TOPICS = {
    "pickup": "pile", "take": "pile", "taking": "pile", "pick": "pile", "block": "pile", "blocked": "pile", "stack": "pile",
    "set": "sets", "meld": "sets", "melds": "sets", "lay": "sets", "laying": "sets", "add": "sets", "adding": "sets",
    "wilds": "wild", "w": "wild", "joker": "wild", "jokers": "wild", "jk": "wild",
    "scores": "score", "scoring": "score", "points": "score", "values": "score", "value": "score", "win": "score", "winning": "score",
    "target": "score", "queen": "score", "queens": "score", "qs": "score", "cards": "score",
    "discarding": "discard", "throw": "discard", "toss": "discard", "discards": "discard",
    "going": "out", "going out": "out", "end": "out", "round": "out", "stock": "out", "pass": "out", "finish": "out",
    "teams": "team", "partner": "team", "partners": "team", "turns": "turn", "play": "turn", "playing": "turn", "draw": "turn",
    "basics": "turn", "drawing": "turn", "how": "turn",
}  # fmt: skip

TOPIC_NAMES = ("turn", "pile", "sets", "wild", "score", "discard", "out", "team")
MOVES = "DRAW, PICKUP 9 9, LAY K K K, ADD 9, AUTO, DISCARD 4H"

WHY = {
    "TURN": "turn", "PHASE": "turn", "NOTHELD": "hand", "SMALL": "sets", "MIXED": "sets", "NATMIN": "sets",
    "WILDMAX": "wild", "OWNER": "sets", "PAIR": "pile", "BLOCK": "pile", "ONECARD": "pile", "TEAMRANK": "discard",
    "COUNT": "discard", "AMBIG": "turn",
}  # fmt: skip

__all__ = [
    "MOVES", "TOPIC_NAMES", "WHY", "can", "command", "counts", "game_scores", "hand", "now", "of_round", "own", "pile", "piles", "round_scores", "rules",
    "sets", "short_hand", "so_far", "told", "went_out",
]  # fmt: skip
