"""FORGET ME, COST, BLOCK and MUTE as people write them, and what must not be taken for them."""

import pytest

from engine.record import begin, parse
from service.text.understand import Context, understand
from tests.people import PICKUP

BOARD = begin(parse(PICKUP))


def read(text, stage="playing"):
    names = BOARD.seated.names
    if stage == "none":
        return understand(text, Context())
    state = None if stage == "open" else BOARD.state
    return understand(text, Context(BOARD.game, state, 0, names, "KF7", ("KF7",), stage))


@pytest.mark.parametrize("stage", ["none", "open", "playing", "over"])
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("forget me", "forget"),
        ("Forget me.", "forget"),
        ("Please forget me", "forget"),
        ("FORGET ME!", "forget"),
        ("delete my data", "forget"),
        ("Please delete me", "forget"),
        ("erase me", "forget"),
        ("forget me now", "forget now"),
        ("Forget me now!", "forget now"),
        ("please forget me now", "forget now"),
        ("forget me now please", "forget now"),
        ("cost", "cost"),
        ("Cost?", "cost"),
        ("how much does this cost?", "cost"),
        ("How many texts so far", "cost"),
        ("block bea", "block bea"),
        ("Block Bea please", "block Bea"),
        ("unblock bea", "block bea off"),
        ("block", "block"),
        ("who is blocked?", "block"),
        ("mute bea", "mute bea"),
        ("unmute Bea", "mute Bea off"),
        ("mute", "mute"),
    ],
)
def test_it_is_understood(text, meant, stage):
    command = read(text, stage).command
    assert command is not None, text
    assert str(command) == meant


@pytest.mark.parametrize("stage", ["none", "open", "playing"])
@pytest.mark.parametrize(
    "text",
    [
        "forget it",
        "forget about it",
        "forget that",
        "forget the kings",
        "don't forget me",
        "dont forget me!",
        "did you forget me",
        "forget bea",
        "you forgot me",
        "forget me not",
        "forget me nots are blue",
        "if you forget me now i'll cry",
        "delete",
        "delete that",
        "that cost me a king",
        "costly",
        "at all costs",
        "block the pile",
        "is the pile blocked",
        "blocked",
        "writer's block",
        "she blocked bea",
        "someone should block bea and cy",
    ],
)
def test_it_is_something_else(text, stage):
    command = read(text, stage).command
    assert command is None or command.name not in ("forget", "cost", "block", "mute"), f"{text}: {command}"


@pytest.mark.parametrize("text", ["forget my number", "lose my number", "delete my number"])
def test_who_wants_their_number_gone_wants_no_texts(text):
    command = read(text).command
    assert command is not None
    assert command.name == "optout"
