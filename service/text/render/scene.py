"""A table as one seat sees it, and what is said of it in more than one kind of text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import Event, Move, Seat
from service.text.gsm7 import fold, septets
from service.text.render.fitting import TWO, fitting, join
from service.text.speech import Speech, of
from service.text.tricks import HAPPENS, TOGETHER, Tricks
from service.text.words import cards, listed

PLANNED = "plan"  # `to` of a play that was made as its player had planned
MOST_NAMED = 4  # of those


@dataclass(frozen=True)
class Scene:
    """One table as one seat sees it, and what a text about it needs to say."""

    code: str
    view: Any
    names: tuple[str, ...]
    legal: tuple[Move, ...] = ()
    until: str = ""  # when the clock of this turn runs out, as a local time

    @property
    def seat(self) -> Seat:
        """The seat that reads the text."""
        return int(self.view.seat)

    @property
    def speech(self) -> Speech:
        """The words of this game."""
        speech = of(self.view.game)
        return speech.called(self.names) if isinstance(speech, Tricks) else speech

    @property
    def mine(self) -> bool:
        """Whether it is this seat's turn, alone or at the same time as others."""
        if self.view.phase in TOGETHER:
            return self.view.seat in self.view.waiting
        return bool(self.view.turn == self.view.seat and not self.view.over)

    @property
    def whose(self) -> str:
        """Whose turn it is: `Bea`, or `Bea and Cy`."""
        seats = self.view.waiting if self.view.phase in TOGETHER else (self.view.turn,)
        return listed([self.names[seat] for seat in seats])


def as_planned(scene: Scene, events: Sequence[Event]) -> str:
    """The cards that were played for this seat as it had planned, by these events; empty where there were none."""
    played = [cards(event.cards) for event in events if event.seat == scene.seat and event.to == PLANNED]
    if not played:
        return ""
    return f"As planned you played {listed(played) if len(played) <= MOST_NAMED else f'{len(played)} cards'}."


def only_move(scene: Scene, forced: Sequence[Event]) -> str:
    """What was done for this seat because there was no choice; empty where nothing was."""
    return f"You {listed(scene.speech.own(forced, scene.seat))}, the only move." if forced else ""


def with_hand(scene: Scene, head: str, events: Sequence[Event], *more: str) -> str:
    """Head, what others did, `more`, and all that is needed to play on, at the lengths that may fit.

    What somebody laid or took is never left out. Before the text takes a second segment, it says in fewer letters what
    can be said so: cards thrown and covered go, then suits that don't count, then all but the foremost ways to play.
    """
    view = scene.view
    speech = scene.speech
    until = f"By {scene.until}." if scene.until else ""
    others, names = of_others(scene, events), names_for(scene)
    pile = join(got_cards(scene, events), speech.now(view))
    head = join(head, as_planned(scene, events))

    def said(news: Sequence[str], cards: str, how: str) -> str:
        return fold(join(head, *news, *more, pile, cards, how, until))

    def lengths() -> Iterator[str]:
        ways = speech.can(view, scene.legal, few=False) if scene.mine else ""
        yield said(speech.told(others, names, brief=False), whole := speech.hand(view), ways)
        yield said(brief := speech.told(others, names, brief=True), whole, ways)
        yield said(brief, short := speech.short_hand(view), ways)
        few = speech.can(view, scene.legal, few=True) if scene.mine else ""
        yield said(brief, short, few)
        yield (last := said(brief, bare := speech.short_hand(view, bare=True), few))
        while septets(last) > TWO and brief:  # a day of long turns: the hand goes before the oldest news
            brief = brief[1:]
            yield (last := said(brief, bare, few))

    return fitting(lengths())


def of_others(scene: Scene, events: Sequence[Event]) -> list[Event]:
    """What others did, and what happened to anybody without their doing."""
    return [event for event in events if event.seat != scene.seat or event.kind in (*HAPPENS, "receive")]


def got_cards(scene: Scene, events: Sequence[Event]) -> str:
    """Which cards were passed to this seat, where they were among these events."""
    speech = scene.speech
    came = any(event.kind == "receive" and event.seat == scene.seat for event in events)
    return speech.got(scene.view) if came and isinstance(speech, Tricks) else ""


def names_for(scene: Scene) -> list[str]:
    """The names for who reads the text."""
    return ["You" if seat == scene.seat else name for seat, name in enumerate(scene.names)]


def deeds(scene: Scene, events: Sequence[Event]) -> str:
    """What this seat did, as a sentence told to itself; empty if it did nothing."""
    done = scene.speech.own(events, scene.seat)
    return f"you {listed(done)}." if done else ""


def call_words(scene: Scene) -> str:
    """How Rummy is called, for somebody whose turn it is not; empty where it cannot be."""
    call = next((move for move in scene.legal if move.verb == "rummy"), None)
    return f"{scene.speech.command(call)} calls it, NO lets it go." if call is not None and not scene.mine else ""
