"""What texts mean: the corpus of tests/texts/understand, each file read at the position of the record of its name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.cards import WILD
from engine.game import Move, read_move, write_move
from engine.record import begin, parse_bytes
from service.text.understand import Context, Reading, understand

CORPUS = Path(__file__).parent.parent / "texts" / "understand"
OURS = "KF7 your turn. DRAW or PICKUP"


def at(position: str, stage: str = "playing", **more: Any) -> Any:
    """What is known of Ann at a position of the corpus."""
    record = parse_bytes((CORPUS / f"{position}.hand").read_bytes())
    board = begin(record)
    return Context(record.game, board.state, 0, tuple(record.names), "KF7", ("KF7",), stage, (OURS,), **more)


def lines(name: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate((CORPUS / f"{name}.tsv").read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            text, _, meaning = line.partition("\t")
            yield number, text.replace("\\n", "\n"), meaning


def sorted_moves(text: str) -> list[tuple[Any, ...]]:
    """Moves in order, the cards of each in none."""
    moves = [read_move(part) for part in text.split(", ")] if text else []
    return [(move.verb, sorted(map(str, move.specs)), move.to) for move in moves]


def said(reading: Reading) -> str:
    moves = ", ".join(map(write_move, reading.moves))
    if reading.kind == "moves":
        return moves
    if reading.kind == "ask":
        return f"{moves} ? {' | '.join(reading.choices)}".strip()
    if reading.kind == "refused":
        return f"{moves} ! {reading.code}".strip()
    if reading.kind == "command":
        return f"{moves} + command {reading.command}" if moves else f"command {reading.command}"
    return f"{moves} + {reading.kind}" if moves else reading.kind


def agrees(meaning: str, reading: Reading) -> bool:
    moves = ", ".join(map(write_move, reading.moves))
    if meaning == "nothing":
        return not reading.moves
    if meaning.startswith("! "):
        return reading.kind == "refused" and reading.code == meaning[2:]
    if meaning.startswith("? "):
        wanted = sorted(map(sorted_moves, meaning[2:].split(" | ")))
        return reading.kind == "ask" and not moves and sorted(map(sorted_moves, reading.choices)) == wanted
    if meaning in ("ignored", "unclear"):
        return reading.kind == meaning and not moves
    done, plus, command = meaning.partition(" + command ")
    if meaning.startswith("command "):
        done, plus, command = "", "+", meaning.removeprefix("command ")
    if plus:
        return (
            reading.kind == "command" and str(reading.command) == command and sorted_moves(done) == sorted_moves(moves)
        )
    return reading.kind == "moves" and sorted_moves(done) == sorted_moves(moves)


def replayed(context: Any, moves: tuple[Move, ...]) -> None:
    """The moves of a reading are legal in their order."""
    state = context.game.copy(context.state)
    for move in moves:
        assert WILD not in move.cards or move.cards[-1] == WILD or move.verb == "pickup"
        context.game.play(state, context.seat, move)
    context.game.check(state)


POSITIONS = sorted(path.stem for path in CORPUS.glob("*.hand"))


@pytest.mark.parametrize("position", POSITIONS)
def test_moves_as_people_write_them(position):
    context = at(position)
    before = context.game.dump(context.state)
    wrong = []
    for number, text, meaning in lines(position):
        reading = understand(text, context)
        replayed(context, reading.moves)
        if not agrees(meaning, reading):
            wrong.append(f"{position}.tsv:{number}: {text!r} means {meaning!r}, was read as {said(reading)!r}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert context.game.dump(context.state) == before


@pytest.mark.parametrize("position", ["draw", "meld"])
def test_what_is_no_move_is_left_alone(position):
    context = at(position)
    wrong = []
    for number, text, _ in lines("left-alone"):
        reading = understand(text, context)
        if reading.moves:
            wrong.append(f"left-alone.tsv:{number}: {text!r} was read as {said(reading)!r}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(("name", "context"), [("commands", at("draw")), ("strangers", Context())])
def test_commands_as_people_write_them(name, context):
    wrong = []
    for number, text, meaning in lines(name):
        reading = understand(text, context)
        if not agrees(meaning, reading):
            wrong.append(f"{name}.tsv:{number}: {text!r} means {meaning!r}, was read as {said(reading)!r}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_what_stands_behind_a_command_is_left_for_later():
    context, wrong = at("draw"), []
    opened = Context(context.game, None, None, context.names, "KF7", ("KF7",), "open")
    for number, text, meaning in lines("followed"):
        command, _, rest = meaning.partition("\t")
        stage = Context(codes=("KF7",)) if text.startswith(("join", "new")) else context
        for where in (stage, opened):
            reading = understand(text, where)
            found = (reading.kind, str(reading.command), reading.rest.replace("\n", "\\n"))
            if found != ("command", command, rest):
                wrong.append(f"followed.tsv:{number}: {text!r} was read as {found}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_pace_is_no_target():
    reading = understand("new damn 500 pace 3 days weekdays bot", Context())
    assert reading.command is not None
    assert reading.command.args == {"game": "damn-the-queens", "options": "target=500", "clock": "3 days weekdays bot"}
