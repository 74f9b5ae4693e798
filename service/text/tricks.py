"""How trick games are told by text: the trick so far, what may be played, a hand by suit, bids, what was passed or shown.

Hearts, Spades and Gong Zhu share it; what each says of its rules is in `service.text.trick_rules`. Suits count here, so
no card is ever named without one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Card
from engine.game import Event, Move, Seat
from engine.tricks.gong_zhu import EXPOSABLE, PIG, SHEEP
from engine.tricks.hearts import HEARTS_GAME, shooter
from engine.tricks.spades import NIL, bid_name, score_side
from engine.tricks.table import BID, EXCHANGE, EXPOSE, OVER, PASS, PLAY, SUIT_NAMES, TrickView
from service.text import trick_rules
from service.text.words import card, cards, listed, number_of, rank, signed

TOGETHER = frozenset((PASS, EXPOSE, EXCHANGE))  # phases in which several act at once, each for themselves
HAPPENS = frozenset(("trick", "cancel", "kitty", "shot", "exact"))  # what nobody does: it happens to a seat
FEW = 4  # cards that may not be played, named one by one


@dataclass(frozen=True)
class Tricks:
    """The words of one trick game; `names` are those of the table, for the cards of a trick."""

    TOPIC_NAMES: tuple[str, ...]
    WHY: Mapping[str, str]
    book: trick_rules.Book
    names: tuple[str, ...] = ()

    @property
    def MOVES(self) -> str:  # noqa: N802  # as a module has it
        """The moves there are."""
        return self.book.moves

    def of_round(self, view: Any) -> str:
        """Every round is alike."""
        return ""

    def called(self, names: Sequence[str]) -> "Tricks":
        """The same words for a table where these people sit."""
        return replace(self, names=tuple(names))

    def told(self, events: Sequence[Event], names: Sequence[str], brief: bool = False) -> list[str]:
        """Tricks that are over, and what else cannot be seen from the table as it is now; `brief`: the last, in few words.

        Bids, cards shown and the trick on the table are told by `now`.
        """
        sentences: list[str] = []
        for event in events:
            who = names[event.seat] if event.seat < len(names) else ""
            if event.kind == "trick":
                sentences.append(f"{who} took {'it' if brief else cards(event.cards)}.")
            elif event.kind == "kitty" and sentences:
                sentences[-1] = f"{sentences[-1][:-1]} and the kitty{'' if brief else ' ' + cards(event.cards)}."
            elif event.kind == "cancel":
                sentences.append(f"Nobody took {cards(event.cards)}, the next trick does.")
            elif event.kind == "shot":
                sentences.append(f"{who} shot the moon.")
            elif event.kind == "exact":
                sentences.append(f"{who} hit the target exactly: now {event.count}.")
            elif event.kind == "lent":
                sentences.append(f"{who} is late, a bot plays.")
            elif event.kind == "back":
                sentences.append(f"{who} is back.")
        return sentences[-1:] if brief else sentences

    def own(self, events: Sequence[Event], seat: Seat) -> list[str]:
        """What this seat did, told to itself: `played QS`, `passed QS AH KH left`."""
        said = [_deed(event) for event in events if event.seat == seat]
        return [deed for deed in said if deed]

    def now(self, view: TrickView) -> str:
        """The trick so far; before it bids and cards shown."""
        parts = []
        if view.phase in (BID, EXCHANGE) or (view.first and view.bids):
            parts.append(self._bids(view))
        elif view.bids and view.phase != OVER:
            parts.append(self._contracts(view))
        if view.exposed and (view.phase == EXPOSE or view.first):
            parts.append(self._shown(view))
        if view.phase in (PASS, EXCHANGE) and view.passed and view.pass_to is not None:
            gives = "pass" if view.phase == PASS else "give"
            parts.append(f"You {gives} {cards(view.passed)} to {self._name(view, view.pass_to)}.")
        parts.append(self.trick(view))
        return " ".join(part for part in parts if part)

    def got(self, view: TrickView) -> str:
        """What was passed to this seat, and by whom."""
        if not view.received or view.pass_to is None or view.seat is None:
            return ""
        giver = (2 * view.seat - view.pass_to) % view.seats if view.game == "hearts" else view.pass_to
        return f"You got {cards(sorted(view.received, reverse=True))} from {self._name(view, giver)}."

    def gave(self, view: TrickView) -> str:
        """What this seat has passed, and to whom."""
        if not view.passed or view.pass_to is None:
            return ""
        return f"You {'gave' if view.game == 'spades' else 'passed'} {cards(view.passed)} to {self._name(view, view.pass_to)}."

    def trick(self, view: TrickView) -> str:
        """The cards on the table and who played them."""
        said = f"{', '.join(f'{self._name(view, seat)} {card(played)}' for seat, played in view.trick)}."
        waits = f"{number_of(len(view.carried), 'card')} go to the next winner." if view.carried else ""
        return " ".join(filter(None, [waits, f"Trick: {said}" if view.trick else ""]))

    def left(self, view: TrickView) -> str:
        """Where a seat stands that has done its part: the trick so far; before it has played a card, also its new hand."""
        if view.phase in TOGETHER or view.phase == OVER:
            return ""
        if view.phase == BID:
            return f"{self.now(view)} {self.hand(view)}".strip()
        if not view.first or any(seat == view.seat for seat, _ in view.trick):
            return self.trick(view)
        return f"{self.now(view)} {self.hand(view)}".strip()

    def pile(self, view: TrickView) -> str:
        """The same as `now`: there is no pile."""
        return self.now(view)

    def piles(self, view: TrickView) -> str:
        """The trick so far and the one before it."""
        last = ""
        if view.last is not None:
            winner, trick = view.last
            last = f"Last trick: {self._name(view, winner)} took {cards(c for _, c in trick)}."
        spare = f"{number_of(view.stock_count, 'card')} in the kitty." if view.stock_count else ""
        return " ".join(filter(None, [self.now(view), spare, last, _broken(view)])) or "No card is out."

    def whereabouts(self, view: TrickView, c: Card) -> str:
        """Where a card is, as far as this seat can know."""
        owner = next((seat for seat, taken in enumerate(view.taken) if c in taken), None)
        player = next((seat for seat, played in view.trick if played == c), None)
        shower = next((seat for seat, shown in enumerate(view.exposed) if c in shown), None)
        if c in view.hand:
            return f"You hold {card(c)}."
        if player is not None:
            return f"{self._whose(view, player)} played {card(c)} to this trick."
        if owner is not None:
            return f"{self._whose(view, owner)} took {card(c)}."
        if c in view.gone or c in view.carried:
            return f"{card(c)} has been played."
        held = f": {self._name(view, shower)} showed it" if shower is not None else ""
        return f"{card(c)} has not been played yet{held}."

    def _whose(self, view: TrickView, seat: Seat) -> str:
        name = self._name(view, seat)
        return "You" if name == "you" else name

    def hand(self, view: TrickView) -> str:
        """The hand by suit, high cards first: `Hand: S AKQ H 942 D - C 10 7`."""
        return self._hand(view, closely=False)

    def _hand(self, view: TrickView, *, closely: bool) -> str:
        if view.hand:
            return f"Hand: {by_suit(view.hand, closely=closely)}."
        if view.shown and view.seat is not None and not view.shown[view.seat]:
            return "You have not seen your hand."
        return "Your hand is empty."

    def short_hand(self, view: TrickView, bare: bool = False) -> str:
        """The same without the spaces that set a ten apart."""
        return self._hand(view, closely=True)

    def can(self, view: TrickView, legal: Sequence[Move], few: bool = False) -> str:
        """What may be done now, in the words to text back."""
        verbs = {move.verb for move in legal}
        if "play" in verbs:
            return self._plays(view, [move.cards[0] for move in legal])
        if "pass" in verbs and view.pass_to is not None:
            such = cards(sorted(view.hand, reverse=True)[: view.passes]) if view.round == 1 and not few else ""
            to = f"PASS {number_of(view.passes, 'card')} to {self._name(view, view.pass_to)}"
            return f"{to}, such as PASS {such}." if such else f"{to}."
        if "exchange" in verbs and view.pass_to is not None:
            return f"EXCHANGE {number_of(view.passes, 'card')} with {self._name(view, view.pass_to)}."
        if "expose" in verbs:
            mine = [c for c in view.hand if c in EXPOSABLE]
            several = " (one, some or all)" if len(mine) > 1 else ""
            return (
                f"EXPOSE {cards(mine)}{several} or EXPOSE NONE." if mine else "EXPOSE NONE (you hold none of the four)."
            )
        if "look" in verbs:
            return "LOOK, or BID BLIND (nil unseen)." if "bid" in verbs else "LOOK."
        if "bid" in verbs:
            bids = [move.value for move in legal if move.verb == "bid"]
            numbers = [bid for bid in bids if bid.isdigit()]
            return f"BID {numbers[0]} to {numbers[-1]}{' or NIL' if 'nil' in bids else ''}."
        return f"{listed([self.command(move) for move in legal[:FEW]], 'or')}." if legal else ""

    def _plays(self, view: TrickView, allowed: Sequence[Card]) -> str:
        """`LEAD anything but hearts.`, `PLAY a club.`"""
        verb = "PLAY" if view.trick else "LEAD"
        faces = sorted(set(allowed), reverse=True)
        if len(faces) == 1:
            return f"PLAY {card(faces[0])}."
        barred = sorted(set(view.hand) - set(faces), reverse=True)
        suits = {c & 3 for c in faces}
        if not barred:
            return f"{verb} any card."
        if len(suits) == 1:
            kept = [card(c) for c in barred if c & 3 in suits]
            return f"{verb} a {SUIT_NAMES[suits.pop()][:-1]}{f', not {listed(kept)}' if kept else ''}."
        no_suits = {c & 3 for c in barred}
        if not no_suits & suits:
            return f"{verb} any card but {listed([SUIT_NAMES[suit] for suit in sorted(no_suits)], 'or')}."
        if len(barred) <= FEW:
            return f"{verb} any card but {listed([card(c) for c in barred], 'or')}."
        return f"{verb} {by_suit(faces, voids=False)}."

    def command(self, move: Move) -> str:
        """A move as a player would text it back: `PLAY QS`, `PASS QS AH KH`, `BID NIL`."""
        return " ".join(filter(None, [move.verb.upper(), cards(move.cards), move.value.upper()]))

    def sets(self, view: TrickView, names: Sequence[str], whole: bool = False) -> list[str]:
        """Tricks and counting cards that everybody has taken; cards shown, bids (not those that `now` says, unless `whole`)."""
        said = []
        here = view.first or view.phase in (BID, EXCHANGE, EXPOSE)
        for seat, name in enumerate(names):
            bid = view.bids[seat] if view.bids else None
            bid = bid if whole or not here else None
            parts = [f"bid {bid_name(bid)}"] if bid is not None else []
            parts += [f"{number_of(view.tricks[seat], 'trick')}"] if view.tricks[seat] or bid is not None else []
            parts += [by_suit(view.taken[seat], voids=False)] if view.taken[seat] else []
            if parts:
                said.append(f"{name}: {', '.join(parts)}.")
        shown = self._shown(view) if view.exposed and (whole or not here) else ""
        return [*filter(None, [shown]), *(said or ["No trick yet."])]

    def counts(self, view: TrickView, names: Sequence[str]) -> str:
        """How many cards everybody holds."""
        if len(set(view.counts)) == 1:
            return f"Everybody holds {view.counts[0]}."
        return "Cards: " + ", ".join(f"{names[seat]} {view.counts[seat]}" for seat in range(view.seats)) + "."

    def so_far(self, view: TrickView, names: Sequence[str]) -> str:
        """What this round has brought so far."""
        if view.bids:
            return self._contracts(view) if None not in view.bids else self._bids(view)
        if view.points is None:
            return ""
        points = ", ".join(f"{self._side(view, side)} {worth}" for side, worth in enumerate(view.points))
        return f"This round: {points}."

    def game_scores(self, view: TrickView, names: Sequence[str]) -> str:
        """The score of the game, with the bags of each side."""
        said = []
        for side in range(len(view.sides)):
            bags = f" ({number_of(view.bags[side], 'bag')})" if view.bags and view.bags[side] else ""
            said.append(f"{_side_name(view, names, side)} {view.scores[side]}{bags}")
        return f"Game: {', '.join(said)}."

    def round_scores(self, view: TrickView, names: Sequence[str]) -> str:
        """What the round that is over brought to each side."""
        assert view.points is not None, "a round is scored at its end"
        said = [f"{_side_name(view, names, side)} {signed(points)}" for side, points in enumerate(view.points)]
        return f"Round: {', '.join(said)}."

    def both_scores(self, view: TrickView, names: Sequence[str]) -> str:
        """The score of the game, and what the round brought to it: `Ann 26 (+13), Bea 4`."""
        said = []
        for side, points in enumerate(view.points or ()):
            bags = f", {number_of(view.bags[side], 'bag')}" if view.bags and view.bags[side] else ""
            gain = f" ({signed(points)}{bags})" if points or bags else ""
            said.append(f"{_side_name(view, names, side)} {view.scores[side]}{gain}")
        return f"{', '.join(said)}."

    def went_out(self, view: TrickView, names: Sequence[str]) -> str:
        """What the round was about: bids and tricks, the moon, who took the queen."""
        if view.bids:
            return " ".join(_result(view, names, side) for side in range(len(view.sides)))
        takers = {c: names[seat] for seat, taken in enumerate(view.taken) for c in taken}
        if view.game == "gong-zhu":
            if PIG in takers and takers.get(SHEEP) == takers[PIG]:
                return f"{takers[PIG]} took the pig and the sheep."
            known = [f"{takers[c]} took {what}" for c, what in ((PIG, "the pig"), (SHEEP, "the sheep")) if c in takers]
            return f"{', '.join(known)}." if known else ""
        options = view.options
        sun = [seat for seat, tricks in enumerate(view.tricks) if tricks]
        if options.sun != "off" and len(sun) == 1 and not any(view.counts):
            return f"{names[sun[0]]} took every trick!"
        shot = shooter(options, HEARTS_GAME.stakes(options, view.seats), view.taken)
        if shot is not None:
            return f"{names[shot]} shot the moon!"
        return "No more points are out." if any(view.counts) else ""

    def rules(self, options: Any, topic: str) -> str | None:
        """A short text on one topic by these house rules; None where there is no such topic."""
        return self.book.said(options).get(self.book.aliases.get(topic, topic))

    def _name(self, view: TrickView, seat: Seat) -> str:
        if seat == view.seat:
            return "you"
        return self.names[seat] if seat < len(self.names) else f"Seat {seat + 1}"

    def _side(self, view: TrickView, side: int) -> str:
        return "+".join(self._name(view, seat) for seat in view.sides[side])

    def _bids(self, view: TrickView) -> str:
        """The bids that are in, in the order they were made."""
        first = view.dealer + int(view.options.bid_start == "left_of_dealer")
        order = [(first + i) % view.seats for i in range(view.seats)]
        said = [(seat, bid) for seat in order if (bid := view.bids[seat]) is not None]
        return f"Bids: {', '.join(f'{self._name(view, seat)} {bid_name(bid)}' for seat, bid in said)}." if said else ""

    def _contracts(self, view: TrickView) -> str:
        """Tricks taken of those bid: `Us 3/7, them 2/5, Bea nil.`"""
        mine = next((side for side, seats in enumerate(view.sides) if view.seat in seats), None)
        said = []
        for side in sorted(range(len(view.sides)), key=lambda side: side != mine):
            seats = view.sides[side]
            bid = sum(max(view.bids[seat] or 0, 0) for seat in seats)
            who = _side_name(view, self.names, side) if mine is None else "us" if side == mine else "them"
            said.append(f"{who} {sum(view.tricks[seat] for seat in seats)}/{bid}")
        for seat, called in enumerate(view.bids):
            if called is not None and called <= NIL:
                said.append(f"{self._name(view, seat)} {'lost ' if view.tricks[seat] else ''}nil")
        return f"{said[0][:1].upper()}{said[0][1:]}, {', '.join(said[1:])}."

    def _shown(self, view: TrickView) -> str:
        """The cards that were shown before play."""
        shown = [f"{self._name(view, seat)} {cards(some)}" for seat, some in enumerate(view.exposed) if some]
        return f"Shown: {', '.join(shown)}." if shown else "Nothing is shown." if view.phase != EXPOSE else ""


def _broken(view: TrickView) -> str:
    """Whether hearts or spades are broken, where they must be before they are led."""
    options = view.options
    suit = "Hearts" if getattr(options, "break_rule", "none") != "none" else ""
    suit = "Spades" if getattr(options, "break_spades", "off") == "on" else suit
    if not suit or view.phase != PLAY or (view.first and not view.trick):
        return ""
    return f"{suit} are{'' if view.broken else ' not'} broken."


def by_suit(some: Sequence[Card], voids: bool = True, closely: bool = False) -> str:
    """Cards suit by suit, high ones first: `S AKQ H A 10 642 D - C 7`.

    A ten stands apart, unless it is said `closely`; `voids`: a suit of which there is none has a dash.
    """
    said = []
    for suit in (3, 2, 1, 0):
        names = [rank(c >> 2) for c in sorted(some, reverse=True) if c & 3 == suit]
        ranks = "".join(f" {name} " if len(name) > 1 and not closely else name for name in names)
        ranks = " ".join(ranks.split())
        if ranks or voids:
            said.append(f"{'CDHS'[suit]} {ranks or '-'}")
    return " ".join(said)


def _deed(event: Event) -> str:
    """What a seat chose to do, to itself."""
    kind = event.kind
    if kind == "play":
        return f"played {cards(event.cards)}"
    if kind == "pass":
        return f"passed {cards(event.private)} {event.to}".replace("  ", " ")
    if kind == "exchange":
        return f"gave your partner {cards(event.private)}".strip()
    if kind == "expose":
        return f"showed {cards(event.cards) or 'nothing'}"
    if kind == "bid":
        return f"bid {event.to}"
    if kind == "look":
        return "looked"
    if kind == "moon":
        return {"add": "gave the others the points", "subtract": "took off your own points"}.get(event.to, "")
    return ""


def _side_name(view: TrickView, names: Sequence[str], side: int) -> str:
    return "+".join(names[seat] for seat in view.sides[side])


def _result(view: TrickView, names: Sequence[str], side: int) -> str:
    """`Ann+Cy bid 7, took 8.` and how nils went."""
    seats = view.sides[side]
    bid = sum(max(view.bids[seat] or 0, 0) for seat in seats)
    said = f"{_side_name(view, names, side)} bid {bid}, took {sum(view.tricks[seat] for seat in seats)}."
    for seat in seats:
        own = view.bids[seat]
        if own is not None and own <= NIL:
            what = "blind nil" if own < NIL else "nil"
            said += f" {names[seat]}'s {what} {'failed' if view.tricks[seat] else 'was made'}."
    without = score_side(view.options, [view.bids[seat] for seat in seats], [view.tricks[seat] for seat in seats], 0)
    if view.points is not None and view.options.bags == "on":
        penalty = view.options.bag_penalty
        # What else a hand scores does not depend on the bags before it.
        full = without.full + (without.points - view.points[side]) // penalty
        said += f" {full * view.options.bag_limit} bags cost {full * penalty}." if full > 0 else ""
    return said


def _words(book: trick_rules.Book) -> Tricks:
    return Tricks(book.topics, book.why, book)


HEARTS_WORDS = _words(trick_rules.HEARTS_BOOK)
SPADES_WORDS = _words(trick_rules.SPADES_BOOK)
GONG_ZHU_WORDS = _words(trick_rules.GONG_ZHU_BOOK)

__all__ = ["GONG_ZHU_WORDS", "HAPPENS", "HEARTS_WORDS", "SPADES_WORDS", "TOGETHER", "Tricks", "by_suit"]
