"""The whole corpus together: how many written forms of moves and how many texts to be left alone, and what becomes of them.

No text may be played otherwise than it is meant. Of those that mean a move at most three in a hundred may be asked back or
not be understood. `pytest -s` prints the counts.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import write_move
from engine.record import begin, parse_bytes
from service.text.understand import Context, Reading, understand
from tests.text.test_understand import CORPUS, POSITIONS, agrees, at, lines, said
from tests.text.test_understand_games import POSITIONS as GAMES

FORMS = sorted((CORPUS / "forms").glob("*.tsv"))
TEXTS = CORPUS.parent
LEFT_ALONE = ("nothing", "ignored", "unclear")
MOST_ASKED = 0.03


def position(name: str) -> Context:
    """What is known of the first seat at a position, by its name; `none` is no table, NAME/open and NAME/over its stage."""
    if name == "none":
        return Context()
    name, _, stage = name.partition("/")
    places = [CORPUS / "forms" / f"{name}.hand", CORPUS / f"{name}.hand", TEXTS / f"{name}.hand"]
    data = GAMES[name].encode() if name in GAMES else next(p for p in places if p.exists()).read_bytes()
    record = parse_bytes(data)
    board = begin(record)
    state, seat = (None, None) if stage == "open" else (board.state, 0)
    return Context(record.game, state, seat, tuple(record.names), "KF7", ("KF7",), stage or "playing")


def forms(file: Path) -> Iterator[tuple[str, Context, str, str]]:
    """Every text of a file, with where it stands and what it means."""
    context = Context()
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("["):
            context = position(line[1:-1])
        elif line and not line.startswith("#"):
            text, _, meaning = line.partition("\t")
            yield f"{file.name}:{number}", context, text.replace("\\n", "\n"), meaning


def everything() -> Iterator[tuple[str, Context, str, str]]:
    for file in FORMS:
        yield from forms(file)
    for name in POSITIONS:
        context = at(name)
        for number, text, meaning in lines(name):
            yield f"{name}.tsv:{number}", context, text, meaning
    for name in ("draw", "meld"):
        context = at(name)
        for number, text, _ in lines("left-alone"):
            yield f"left-alone.tsv:{number}", context, text, "nothing"


def right(meaning: str, reading: Reading) -> bool:
    if meaning.startswith("command ") and len(meaning.split()) == 2:  # whatever it asks for
        return reading.command is not None and reading.command.name == meaning.split()[1] and not reading.moves
    return agrees(meaning, reading)


def played_otherwise(meaning: str, reading: Reading) -> bool:
    """Whether moves were made that the text does not mean; less of what it means is no wrong move."""
    if not reading.moves or right(meaning, reading):
        return False
    meant = "" if meaning in LEFT_ALONE or meaning.startswith(("command", "?", "!")) else meaning.partition(" + ")[0]
    made = [sorted(write_move(move).split()) for move in reading.moves]
    wanted = [sorted(move.split()) for move in meant.split(", ")] if meant else []
    return made != wanted[: len(made)]


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_forms_that_were_written_before_the_reader_was_looked_at(file):
    wrong = [
        f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        for place, context, text, meaning in forms(file)
        if played_otherwise(meaning, reading := understand(text, context))
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_no_move_is_made_that_was_not_meant_and_few_are_asked_back():
    counts: Counter[str] = Counter()
    wrong, asked = [], []
    for place, context, text, meaning in everything():
        reading = understand(text, context)
        kind = "left alone" if meaning in LEFT_ALONE else "others" if meaning[:1] in "?!c" else "moves"
        counts[kind] += 1
        line = f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        if played_otherwise(meaning, reading):
            wrong.append(line)
        elif kind == "moves" and not right(meaning, reading):
            asked.append(line)
    print(
        f"\n{counts['moves']} forms of moves, {counts['left alone']} texts to be left alone, {counts['others']} others:"
    )
    print(f"{len(wrong)} played otherwise, {len(asked)} asked back or not understood")
    assert counts["moves"] >= 300
    assert counts["left alone"] >= 150
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(asked) <= MOST_ASKED * counts["moves"], "\n" + "\n".join(asked)
