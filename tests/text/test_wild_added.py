"""Jokers in words: what one stands for that is added to a meld, and `kk and jk`, which is no joke."""

import pytest

from engine.game import write_move
from engine.record import begin, parse_bytes
from service.text.understand import Context, understand
from tests.text.test_understand_forms import position

WITH_JOKERS = """\
game: rummy500
options: jokers=2
seats: Ann Bea Cy
dealer: Cy
phase: meld
turn: Ann
hand Ann: 4H JK 9S 9C JH 2C 3H {more}
hand Bea: 3D 7C 7D 7H
hand Cy: 5C 8D 8H TS
meld M1 Ann: TD JD QD
meld M2 Ann: KS KH KD
pile: 5S TC 9D
stock: 7S 3C JC 4C 8S QC
"""


def read(text, more=""):
    board = begin(parse_bytes(WITH_JOKERS.format(more=more).encode()))
    return understand(text, Context(board.game, board.state, 0, ("Ann", "Bea", "Cy"), "KF7", ("KF7",), "playing"))


def moves(reading):
    return ", ".join(map(write_move, reading.moves))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("add joker to m1 as kd", "add JK=KD to M1"),
        ("Add the joker to M1 as the nine of diamonds.", "add JK=9D to M1"),
        ("add jk as 9d to m1", "add JK=9D to M1"),
        ("add jk m1 as kd", "add JK=KD to M1"),
        ("joker to m1 as kd, then discard 4h", "add JK=KD to M1, discard 4H"),
        ("lay off the joker on the run as the 9 of diamonds", "add JK=9D to M1"),
        ("put my joker on the diamonds for the king of diamonds", "add JK=KD to M1"),
        ("add joker to m1 as king", "add JK=KD to M1"),
        ("add the joker to the set of kings as kc", "add JK=KC to M2"),
        ("add joker as the king of clubs to the kings", "add JK=KC to M2"),
        ("lay 9c 9s jk as 9d", "meld 9C 9S JK=9D"),
        ("lay nines and jk", "meld 9C 9S JK=9D"),
        ("lay 99 with a jk", "meld 9C 9S JK=9D"),
        ("lay 99 & JK", "meld 9C 9S JK=9D"),
    ],
)
def test_what_a_joker_stands_for(text, meant):
    assert [sorted(move.split()) for move in moves(read(text)).split(", ")] == [
        sorted(move.split()) for move in meant.split(", ")
    ]


def test_where_it_does_not_fit_it_is_refused_by_what_was_meant():
    reading = read("add joker to m1 as jd")  # that jack lies there already
    assert (moves(reading), reading.kind, reading.code) == ("", "refused", "MIXED")
    assert "JK" in reading.hint


@pytest.mark.parametrize("text", ["lay 99 jk", "lay 99, jk", "discard 4h jk", "add 4h. jk"])
def test_just_kidding_plays_nothing(text):
    assert moves(read(text)) == ""


def test_where_jokers_are_not_wild_two_and_one_are_no_set():
    reading = understand("lay kk and jk", position("jokers"))
    assert (moves(reading), reading.kind) == ("", "refused")
