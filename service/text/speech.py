"""How each game is told by text: a module of plain functions for each family of games, and which game uses which.

A new game's words are a module like `service.text.sets`, or an object with the same functions like those of
`service.text.tricks`, named in `SPEECH` below; a game that is not named there is not offered by text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.game import Event, Game, Move, Seat
from engine.registry import GAMES
from service.text import own_sets, runs, sets, tricks


class Speech(Protocol):
    """What `service.text.render` needs of a game. Every text is a sentence or none, in GSM-7, without a line break."""

    @property
    def TOPIC_NAMES(self) -> tuple[str, ...]:  # noqa: N802  # constants of a module
        """The topics of RULES."""
        ...

    @property
    def MOVES(self) -> str:  # noqa: N802
        """The moves there are, as COMMANDS lists them."""
        ...

    @property
    def WHY(self) -> Mapping[str, str]:  # noqa: N802
        """The topic behind each refusal code."""
        ...

    def told(self, events: Sequence[Event], names: Sequence[str], brief: bool = False) -> list[str]:
        """What happened, a sentence for each stretch of one seat's moves; `brief` leaves out what no longer matters."""
        ...

    def own(self, events: Sequence[Event], seat: Seat) -> list[str]:
        """What this seat did, told to itself, hidden cards included: `drew JD`, `laid KKK`."""
        ...

    def of_round(self, view: Any) -> str:
        """What is so in this round alone, such as its wild rank; empty where every round is alike."""
        ...

    def now(self, view: Any) -> str:
        """What lies there that the next move depends on: the top of the pile before a draw, the trick so far."""
        ...

    def pile(self, view: Any) -> str:
        """What lies there at any time."""
        ...

    def piles(self, view: Any) -> str:
        """The same, and what is left to be drawn."""
        ...

    def hand(self, view: Any) -> str:
        """The hand, every card whole."""
        ...

    def short_hand(self, view: Any, bare: bool = False) -> str:
        """The same in fewer letters; `bare`: with nothing that the rules of the game don't care for."""
        ...

    def can(self, view: Any, legal: Sequence[Move], few: bool = False) -> str:
        """What may be done now, in the words to text back; `few`: only the foremost of it."""
        ...

    def command(self, move: Move) -> str:
        """A move as a player would text it back."""
        ...

    def sets(self, view: Any, names: Sequence[str], whole: bool = False) -> list[str]:
        """What is on the table for good: sets and melds, or tricks taken."""
        ...

    def counts(self, view: Any, names: Sequence[str]) -> str:
        """How many cards are where."""
        ...

    def so_far(self, view: Any, names: Sequence[str]) -> str:
        """What this round has brought so far; empty where it brings nothing before its end."""
        ...

    def game_scores(self, view: Any, names: Sequence[str]) -> str:
        """The score of the game."""
        ...

    def round_scores(self, view: Any, names: Sequence[str]) -> str:
        """What the round that is over brought to each side."""
        ...

    def went_out(self, view: Any, names: Sequence[str]) -> str:
        """How the round ended."""
        ...

    def rules(self, options: Any, topic: str) -> str | None:
        """A short text on one topic by these house rules; None where there is no such topic."""
        ...


SPEECH: Mapping[str, Speech] = {
    "damn-the-queens": sets,
    "queen-of-spades": own_sets,
    "rummy500": runs,
    "rummy5000": runs,
    "george": runs,
    "hearts": tricks.HEARTS_WORDS,
    "spades": tricks.SPADES_WORDS,
    "gong-zhu": tricks.GONG_ZHU_WORDS,
}


def offered() -> list[Game]:
    """The games that can be played by text."""
    return [game for game in GAMES if game.name in SPEECH]


def of(game: str) -> Speech:
    """The words of a game, by its registered name."""
    return SPEECH[game]


def goal(options: Any) -> str:
    """What ends the game, as a sentence: `To 500.`, or that only FINISH does."""
    target = getattr(options, "target", None)
    if getattr(options, "wild_indicator", "") == "by_round":
        return "13 rounds."
    return "No target: FINISH ends it." if target == "none" else f"To {target}."


def side_name(view: Any, names: Sequence[str], side: int) -> str:
    """A side as its players' names: `Ann+Cy`."""
    return "+".join(names[seat] for seat in view.sides[side])
