"""What happened at a table, in words and cards: the events that everybody may know, as a page tells them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import Card, read_rank
from engine.game import Event, Seat
from service.text.sets import undone_left_out
from service.text.words import number_of
from service.web.cards import spoken_rank


class Deed(NamedTuple):
    """One thing that somebody did: words, cards, and words after them."""

    words: str
    cards: tuple[Card, ...] = ()
    after: str = ""


@dataclass
class Stretch:
    """What one seat did in a row; `seat` is None for what nobody did. `new`: since this reader last looked."""

    seat: Seat | None
    deeds: list[Deed] = field(default_factory=list)
    new: bool = False


UNTOLD = frozenset(("over", "ended", "out", "round", "receive"))
NOBODYS = frozenset(("shuffle", "deal", "cancel", "sun"))


def told(events: Sequence[Event], first_new: int, most: int = 24) -> list[Stretch]:
    """The last stretches of these events, oldest first; from the event of that place in the list on they are new."""
    numbered = {id(event): number for number, event in enumerate(events)}
    stretches: list[Stretch] = []
    standing = undone_left_out(events)
    last_trick = max((place for place, event in enumerate(standing) if event.kind in ("trick", "cancel")), default=-1)
    for place, event in enumerate(standing):
        if event.kind == "play" and place < last_trick:  # its trick is told whole
            continue
        deeds = [] if event.kind in UNTOLD else _deeds(event)
        if not deeds:
            continue
        seat = None if event.kind in NOBODYS or (event.kind == "wild" and not event.cards) else event.seat
        new = numbered[id(event)] >= first_new
        last = stretches[-1] if stretches else None
        if last is None or last.seat != seat or last.new != new or event.kind in ("trick", "play") or seat is None:
            last = Stretch(seat, new=new)
            stretches.append(last)
        for deed in deeds:
            same = last.deeds[-1] if last.deeds else None
            if same is not None and deed.words == "added" and same._replace(cards=()) == deed._replace(cards=()):
                last.deeds[-1] = same._replace(cards=same.cards + deed.cards)
            else:
                last.deeds.append(deed)
    return stretches[-most:]


def _deeds(event: Event) -> list[Deed]:
    """The things that an event says."""
    if event.kind == "pickup":
        *paid, top = event.cards
        under = f"and {number_of(event.count, 'card')} under it" if event.count else ""
        return [Deed("took", (top,), under), Deed("with", tuple(paid))]
    deed = _deed(event)
    return [] if deed is None else [deed]


def _deed(event: Event) -> Deed | None:
    """What an event says; None where it says nothing by itself."""
    kind, cards, count = event.kind, event.cards, event.count
    if kind in _PLAIN:
        return Deed(_PLAIN[kind])
    if kind in _WITH_CARDS:
        return Deed(_WITH_CARDS[kind], cards)
    if kind == "add":
        return Deed("added", cards, _to(event.to))
    if kind == "meld":
        return Deed("laid", cards, f"as {event.to}" if event.to.startswith("M") else "")
    if kind == "swap":
        return Deed("swapped", cards[:1], f"for the wild in {event.to}")
    if kind == "rummy":
        return Deed("called Rummy:", cards, _to(event.to))
    if kind == "wild":
        word = spoken_rank(count)
        return Deed("turned up", cards, f"so {word} are wild") if cards else Deed(f"{word.capitalize()} are wild")
    if kind == "cut":
        return Deed(f"lifted {number_of(count, 'card')}")
    if kind == "pick":
        return Deed(f"chose {number_of(count, 'card')}" if count else "chose a hand")
    if kind == "pass":  # of cards in trick games, of a turn in others
        return Deed(f"passed cards {event.to}".strip()) if event.to else Deed("passed")
    if kind == "expose":
        return Deed("showed", cards) if cards else Deed("showed nothing")
    if kind == "bid":
        return Deed(f"bid {'blind nil' if event.to == 'blind' else event.to}")
    if kind == "moon":
        return Deed("gave the others the points" if event.to == "add" else "took off the points")
    if kind == "exact":
        return Deed(f"hit the target exactly and is at {count}")
    return None


def _to(target: str) -> str:
    """Where a card was added: a set by its rank, a meld by its number."""
    if not target or target.startswith("M"):
        return f"to {target}" if target else ""
    return f"to the {spoken_rank(read_rank(target))}"


_PLAIN = {
    "draw": "drew a card", "low": "has one card left", "float": "floats with no cards", "lent": "is late: a bot plays",
    "back": "is back", "shuffle": "The pile was shuffled into a new stock", "deal": "New hands were dealt",
    "look": "looked at the hand", "exchange": "exchanged cards", "shot": "shot the moon", "sun": "All of it was taken by one side",
    "bags": "has too many bags",
}  # fmt: skip
_WITH_CARDS = {
    "discard": "threw", "take": "took", "play": "played", "trick": "took the trick", "cancel": "Nobody took",
    "kitty": "got the kitty",
}  # fmt: skip
