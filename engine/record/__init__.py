"""Records of games: `*.hand` files that are tests, bug reports and documentation at once (docs/notation.md).

`parse(text)` makes a `Record`, or raises `Broken` with the line and one sentence that says what
would work. `replay(record)` plays it and collects what does not hold. `write(record)` gives the canonical text, and
`of_game(...)` makes the record of a game that was played elsewhere.
"""

from engine.record.facts import Board
from engine.record.parts import Attempt, Broken, Deal, Fact, Record, Seated
from engine.record.read import parse, parse_bytes
from engine.record.replay import Failure, Report, begin, replay
from engine.record.write import of_game, outcome, write

__all__ = [
    "Attempt",
    "Board",
    "Broken",
    "Deal",
    "Fact",
    "Failure",
    "Record",
    "Report",
    "Seated",
    "begin",
    "of_game",
    "outcome",
    "parse",
    "parse_bytes",
    "replay",
    "write",
]
