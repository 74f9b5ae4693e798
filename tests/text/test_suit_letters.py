"""A suit by its letter, in games of tricks: with a word beside it it is played, alone it is asked about."""

import pytest

from engine.game import write_move
from service.text.understand import understand
from tests.text.test_understand_forms import position


def read(place, text):
    reading = understand(text, position(place))
    return reading, ", ".join(map(write_move, reading.moves))


@pytest.mark.parametrize(
    ("place", "text", "moves"),
    [
        ("trick-lead", "play d", "play 9D"),
        ("trick-lead", "lead d.", "play 9D"),
        ("trick-lead", "low d", "play 9D"),
        ("trick-king", "high s", "play QS"),
        ("trick-king", "lowest s", "play 3S"),
        ("trick-void", "low h", "play 5H"),
        ("trick-void", "my c", "play 2C"),
    ],
)
def test_beside_another_word(place, text, moves):
    assert read(place, text)[1] == moves


@pytest.mark.parametrize(
    ("place", "text", "choices"),
    [
        ("trick-lead", "d", ("play 9D",)),
        ("trick-lead", "D.", ("play 9D",)),
        ("trick-lead", "c", ("play 3C", "play 6C")),
        ("trick-king", "s", ("play 3S", "play 9S", "play QS")),
        ("trick-void", "c", ("play 2C",)),
    ],
)
def test_alone_it_plays_nothing_and_is_asked_about(place, text, choices):
    reading, moves = read(place, text)
    assert (moves, reading.kind, reading.choices) == ("", "ask", choices)


def test_a_suit_that_may_not_be_played_is_refused():
    reading, _ = read("trick-king", "c")
    assert (reading.kind, reading.code) == ("refused", "SUIT")


@pytest.mark.parametrize(("place", "text"), [("trick-waiting", "d"), ("hearts-passing", "d"), ("bidding", "d"), ("trick-king", "d")])  # fmt: skip
def test_where_no_such_card_can_be_meant_it_is_not_understood(place, text):
    assert read(place, text)[0].kind == "unclear"


@pytest.mark.parametrize(
    ("place", "text", "moves"),
    [("draw", "d", "draw"), ("rummy500-taking-deep", "d", "draw"), ("trick-lead", "play a d", "")],
)
def test_the_other_meanings_of_these_letters_stay(place, text, moves):
    assert read(place, text)[1] == moves
    assert str(understand("h", position("trick-lead")).command) == "hand"
