"""The one transaction that applies a player's text to a game.

`receive` claims the MessageSid by inserting the inbound row, reads the text against what this player may see, applies
the moves, lets bots play on, and writes the texts to the others and the answer, all in one transaction. The answer is
kept with the inbound row, and the same MessageSid gets it again. The bell is rung after the commit.

`door` takes the text in, `reading` finds what it means, `acting` does it or has `refusals` say why not. `course` lets the
game go on, `telling` stores it and writes the texts; `changes`, `seats` and `undoing` are what changes a game besides moves.
"""

from service.play.acting import CHANGE_THE_GAME
from service.play.changes import deal, go_on, over_at_once, window_ends
from service.play.course import Course, run_bots
from service.play.door import receive, rehearse
from service.play.seats import leave, opted_out_elsewhere, opted_out_now, seats_go, sit_in, vacate
from service.play.telling import finish, turn_begins
from service.play.undoing import take_back, undo

__all__ = [
    "CHANGE_THE_GAME",
    "Course",
    "deal",
    "finish",
    "go_on",
    "leave",
    "opted_out_elsewhere",
    "opted_out_now",
    "over_at_once",
    "receive",
    "rehearse",
    "run_bots",
    "seats_go",
    "sit_in",
    "take_back",
    "turn_begins",
    "undo",
    "vacate",
    "window_ends",
]
