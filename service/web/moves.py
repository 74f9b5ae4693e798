"""Buttons for what a seat may do: moves that go by one tap, and verbs for the cards that are tapped before.

All of it comes from the seat's view and from `Game.legal`; what a button sends is the text that the player would type.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import QUEEN_OF_SPADES, Card, rank_name, read_rank
from engine.game import Move, Seat, write_move
from service.text.words import number_of
from service.web.cards import spoken, spoken_rank

SHOWN_AT_ONCE = 8  # offers; the others open with a tap


@dataclass(frozen=True)
class Offer:
    """A whole move, by one tap: what it sends, its words, and the cards that it shows."""

    text: str
    words: str
    cards: tuple[Card, ...] = ()
    stands: tuple[Card, ...] = ()
    after: str = ""
    main: bool = False


@dataclass(frozen=True)
class Verb:
    """What can be done with the cards of the hand that are tapped, from `least` to `most` of them."""

    verb: str
    words: str
    least: int
    most: int
    targets: tuple[tuple[str, str], ...] = ()  # where to: what is sent, and its words


@dataclass(frozen=True)
class Choices:
    """All that a seat is offered. `playable`: the cards of the hand that a legal move names, where `legal` is complete."""

    offers: tuple[Offer, ...] = ()
    more: tuple[Offer, ...] = ()
    verbs: tuple[Verb, ...] = ()
    playable: frozenset[Card] | None = None
    number: tuple[str, str, int, int] | None = None  # a number to be typed: verb, words, from, to
    bids: tuple[Offer, ...] = ()


def choices(view: Any, legal: Sequence[Move], names: Sequence[str]) -> Choices:
    """What this seat may do now; nothing where it is to wait."""
    if not legal or view.seat is None:
        return Choices()
    if hasattr(view, "trick"):
        return _of_tricks(view, legal, names)
    return _of_rummy(view, legal, names)


# Rummy


def _of_rummy(view: Any, legal: Sequence[Move], names: Sequence[str]) -> Choices:
    if view.phase == "cut":
        cuts = [int(move.value) for move in legal if move.verb == "cut"]
        deal = "Deal without a cut" if cuts else "Deal"
        whole = tuple(Offer(write_move(move), deal) for move in legal if move.verb == "deal")
        return Choices(whole, number=("cut", "How many cards to lift", min(cuts), max(cuts)) if cuts else None)
    offers = [_offer(view, move) for move in _told_apart(view, legal) if move.verb not in ("discard", "pick")]
    offers += [Offer(write_move(move), f"Choose {move.value}") for move in legal if move.verb == "pick"]
    verbs: list[Verb] = []
    mine = view.turn == view.seat
    if view.phase == "draw" and mine and any(move.verb == "pickup" for move in legal):
        verbs.append(Verb("pickup", "Take the pile with these", 1, 6))
    if view.phase == "meld" and mine:
        verbs.append(Verb("meld", "Lay down", 3, len(view.hand)))
        targets = _targets(view, names)
        if targets:
            verbs.append(Verb("add", "Add", 1, len(view.hand), targets))
        verbs.append(Verb("discard", "Discard", 1, 1))
    return Choices(tuple(offers[:SHOWN_AT_ONCE]), tuple(offers[SHOWN_AT_ONCE:]), tuple(verbs))


def _told_apart(view: Any, legal: Sequence[Move]) -> list[Move]:
    """The moves, one of those that differ in suits only where suits do not count (the queen of spades does)."""
    if hasattr(view, "melds"):
        return list(legal)
    kept: dict[Any, Move] = {}
    for move in legal:
        faces = sorted(card if card == QUEEN_OF_SPADES else card >> 2 for card in move.cards)
        kept.setdefault((move.verb, tuple(faces), move.to, move.value), move)
    return list(kept.values())


def _offer(view: Any, move: Move) -> Offer:
    text, cards = write_move(move), move.cards
    if move.verb == "draw":
        return Offer(text, "Draw a card", main=True)
    if move.verb == "pickup":
        joined = "onto your own set" if move.to == "join" else ""
        return Offer(text, f"Take the pile ({view.pile_count}) with", cards, after=joined, main=True)
    if move.verb == "take":
        above = _above(view, cards[0]) if cards else 0
        words = f"Take the top {number_of(above, 'card')}, down to" if above > 1 else "Take"
        return Offer(text, words, cards, main=not above)
    if move.verb == "meld":
        return Offer(text, "Lay down", cards, move.stands)
    if move.verb == "add":
        return Offer(text, "Add", cards, move.stands, after=_where(move.to))
    if move.verb == "swap":
        return Offer(text, "Swap", cards[:1], after=f"for the wild in {move.to}")
    if move.verb == "rummy":
        return Offer(text, "Call Rummy with", cards, after=_where(move.to), main=True)
    if move.verb == "pass":
        return Offer(text, "Pass")
    if move.verb == "deal":
        return Offer(text, "Deal", main=True)
    return Offer(text, text.capitalize())


def _above(view: Any, card: Card) -> int:
    """How many cards of an open pile come with that one, itself included; 0 where the pile is not open."""
    pile = getattr(view, "pile", ())
    places = [i for i, c in enumerate(pile) if c == card]
    return len(pile) - places[-1] if places else 0


def _where(target: str) -> str:
    if not target:
        return ""
    return f"to {target}" if re.fullmatch(r"M\d+", target) else f"to the {_ranks(target)}"


def _ranks(rank: str) -> str:
    return spoken_rank(read_rank(rank))


def _targets(view: Any, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The sets or melds that a card may be added to."""
    melds = getattr(view, "melds", ())
    if melds:
        return tuple((f"M{m.number}", f"M{m.number}: {spoken_meld(m)}, {names[m.owner]}'s") for m in melds)
    own = next((side for side, seats in enumerate(view.sides) if view.seat in seats), None)
    ranks = dict.fromkeys(down.rank for down in view.down if down.side == own)
    return tuple((rank_name(rank), f"the {spoken_rank(rank)}") for rank in ranks)


def spoken_meld(meld: Any) -> str:
    """A meld in words: `nines`, or `seven to ten of spades`."""
    stands = meld.stands
    if not meld.run:
        return spoken_rank(stands[0] >> 2)
    low, _, suit = spoken(stands[0]).partition(" of ")
    return f"{low} to {spoken(stands[-1]).partition(' of ')[0]} of {suit}"


# Tricks


def _of_tricks(view: Any, legal: Sequence[Move], names: Sequence[str]) -> Choices:
    offers = tuple(_trick_offer(move) for move in legal if move.verb in ("look", "moon") or move.value == "none")
    bids = tuple(_bid(move) for move in legal if move.verb == "bid")
    playable = frozenset(card for move in legal for card in move.cards)
    verbs: tuple[Verb, ...] = ()
    if view.phase == "pass":
        to = "" if view.pass_to is None else f" to {names[view.pass_to]}"
        verbs = (Verb("pass", f"Pass{to}", view.passes, view.passes),)
    elif view.phase == "exchange":
        verbs = (Verb("exchange", "Give to your partner", view.passes, view.passes),)
    elif view.phase == "expose" and playable:
        verbs = (Verb("expose", "Show these to all", 1, len(playable)),)
    elif view.phase == "play":
        verbs = (Verb("play", "Play", 1, 1),)
    return Choices(offers, verbs=verbs, playable=playable if view.phase in ("play", "expose") else None, bids=bids)


def _trick_offer(move: Move) -> Offer:
    if move.verb == "look":
        return Offer(write_move(move), "Look at my cards", main=True)
    if move.verb == "moon":
        words = "Give the others the points" if move.value == "add" else "Take off my own points"
        return Offer(write_move(move), words)
    return Offer(write_move(move), "Show nothing")


def _bid(move: Move) -> Offer:
    words = {"nil": "Nil", "blind": "Blind nil"}.get(move.value, move.value)
    return Offer(write_move(move), words)


# What a form sends


def text_of(verb: str, cards: Sequence[str], to: str, number: str) -> str:
    """The text that a player would type for what was tapped."""
    words = [verb, *cards]
    if number:
        words.append(number)
    if to and verb == "add":
        words += ["to", to]
    return " ".join(words)


def sorted_hand(hand: Sequence[Card], by: str) -> list[Card]:
    """A hand by rank or by suit, high cards first; what has no suit stands at the end."""
    if by == "suit":
        return sorted(hand, key=lambda card: (card >= 52, _SUIT_ORDER[card & 3] if card < 52 else 0, -card))
    return sorted(hand, key=lambda card: (card >= 52, -(card >> 2), _SUIT_ORDER[card & 3]))


_SUIT_ORDER = (2, 3, 1, 0)  # of clubs, diamonds, hearts and spades: so that red and black stand in turn


def seats_in_order(view: Any) -> list[Seat]:
    """All seats as they sit, from the reader's own; a spectator begins at the first."""
    first = view.seat or 0
    step = getattr(view, "step", 1)
    return [(first + step * i) % view.seats for i in range(view.seats)]
