"""What goes into understanding a text, and what comes out."""

from dataclasses import dataclass
from typing import Any

from engine.game import Event, Game, Move, Seat
from service.text.request import Command

REPEATED = 60  # characters of somebody's words that are kept to be told back; the answer cuts them at a word


@dataclass(frozen=True)
class Context:
    """What is known about the person who texts, and the table from which the text is read.

    `stage` is none (no table), open (seats are filling), playing or over. `codes` are the codes of all tables of this
    person, `recent` our last texts to them (newest first), `pending` the choices of the question we asked last.
    """

    game: Game | None = None
    state: Any = None
    seat: Seat | None = None
    names: tuple[str, ...] = ()
    code: str = ""
    codes: tuple[str, ...] = ()
    stage: str = "none"
    recent: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a text means; nothing has been changed.

    `kind` is that of the step at which reading ended: moves (all was done), command, ask (`choices` in canonical text, a
    choice of several moves joined by ", "), refused (`code`, `hint`), unclear (`hint`: what was not understood, or `greeting` or `leaving`), ignored.
    `moves` are legal in this order from the state as it is, whatever the kind; `events` are what they did on a copy.
    `command` follows the moves. `rest` is what of the text was not done, from the step at which reading ended; behind a
    command it is what may be read next. `table` is the code that led the text. `sure` is a question whether the one choice
    is meant.
    """

    kind: str
    moves: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    command: Command | None = None
    code: str = ""
    hint: str = ""
    choices: tuple[str, ...] = ()
    rest: str = ""
    table: str = ""
    sure: bool = False

    @property
    def offered(self) -> tuple[str, ...]:
        """The choices as they are listed behind the question: none where the question says all."""
        return () if self.sure else self.choices
