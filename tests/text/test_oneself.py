"""A player who says their own name does what they say; what they say of another plays nothing."""

import pytest

from engine.game import write_move
from engine.record import begin, parse_bytes
from service.text.understand import Context, understand
from tests.text.test_understand_forms import position

BEA = """\
game: damn-the-queens
seats: Ann Bea Cy Dot
dealer: Ann
hand Ann: 9S 9C KD KH 4H
hand Bea: 3D 7C 7D 7H 9D 9C JK
hand Cy: 5C 8D 8H TS
hand Dot: AH QS 6C 6D
pile: 5S TD 9H
stock: 7S 3C JD 4C 8S QD
turn: Bea
"""


def read(text, names=("Ann", "Bea", "Cy", "Dot")):
    board = begin(parse_bytes(BEA.encode()))
    reading = understand(text, Context(board.game, board.state, 1, names, "KF7", ("KF7",), "playing"))
    return reading, ", ".join(map(write_move, reading.moves))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Bea draws", "draw"),
        ("bea draws a card.", "draw"),
        ("KF7 Bea draws", "draw"),
        ("Bea wants to draw", "draw"),
        ("Bea is drawing", "draw"),
        ("Bea is going to draw", "draw"),
        ("Bea draws and discards 7d", "draw, discard 7D"),
        ("Bea draws, then throws the 7 of diamonds", "draw, discard 7D"),
        ("Bea takes the pile with nines", "pickup 9D 9C"),
        ("Bea picks up with 9 9", "pickup 9D 9C"),
    ],
)
def test_ones_own_name_is_oneself(text, moves):
    assert read(text)[1] == moves


@pytest.mark.parametrize(
    "text",
    [
        "Ann draws", "Ann draws a card", "Cy draws and discards 7d", "Dot takes the pile", "Ann wants to draw", "Cy is drawing", "Ann must draw",
        "Bea draws and Ann discards 7d", "Bea draws. Ann discards 7d.", "Ann says Bea draws", "Bea draws?", "if Bea draws", "Bea never draws",
        "Bea doesn't draw", "Bea is not drawing", "Bea drew a card", "Bea leaves", "Bea draws a conclusion",
    ],
)  # fmt: skip
def test_what_is_told_of_others_or_not_to_be_done_plays_nothing(text):
    reading, moves = read(text)
    assert (moves, reading.choices) == ("", ())
    assert reading.command is None or reading.command.name == "hint"


def test_a_name_that_is_a_word_of_the_table_is_that_word():
    assert read("jack takes the pile", ("Ann", "Jack", "Cy", "Dot"))[1] == ""


@pytest.mark.parametrize(
    ("place", "text", "move"),
    [("trick-king", "Ann plays the queen of spades", "play QS"), ("bidding", "Ann bids 4", "bid 4")],
)
def test_in_games_of_tricks_too(place, text, move):
    context = position(place)
    assert [write_move(made) for made in understand(text, context).moves] == [move]
    assert not understand(text.replace("Ann", "Bea"), context).moves
