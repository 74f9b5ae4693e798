"""FINISH: who must say it, that bots agree, what the record keeps, and that it comes to nothing where a game has an end."""

import pytest

from service.stored import MOVE
from tests.people import gathered

ENDLESS = """\
game: queen-of-spades
options: target=none
seats: Ann Bea Cy
dealer: Cy
score Ann: 310
score Bea: 420
score Cy: 95
hand Ann: 7S 7D 7C 9H
hand Bea: 4C 5D
hand Cy: KD QS
pile: 9H
stock: 6D 3C 8H 7H TD
turn: Ann
"""


@pytest.fixture
def people(database_url, tmp_path):
    with gathered(database_url, tmp_path) as people:
        people.seated(ENDLESS)
        yield people


sqlite = pytest.mark.on("sqlite")  # where storage is not the point


def test_a_wish_is_a_line_of_the_record(people):
    people("Bea", "finish")
    assert people.lines("KF7") == [(1, "finish")]
    assert people.table("KF7").state.finish == [1]
    people.replays("KF7")
    assert "took back FINISH" in people("Bea", "undo")
    assert people.lines("KF7") == [(1, "finish"), (1, "undo")]
    assert people.table("KF7").state.finish == []
    people.replays("KF7")


def test_the_round_of_all_is_the_last(people):
    for name in ("Bea", "Ann", "Cy"):
        people(name, "finish")
    people("Ann", "draw, lay 777, discard 6d")
    people("Bea", "draw, discard 5d")
    people("Cy", "draw, discard 8h")
    assert people.table("KF7").status == "playing"
    assert "Ann wins! REMATCH" in people("Ann", "add 7, discard 9h")
    assert people.table("KF7").status == "over"
    people.replays("KF7")


@sqlite
def test_bots_agree_before_the_wish_of_a_person_so_that_it_may_be_taken_back(people):
    people("Cy", "leave")
    people("Bea", "finish")
    assert people.lines("KF7") == [(2, "finish"), (1, "finish")]
    assert [row.bot for row in people.rows(MOVE)] == [True, False]
    assert "took back FINISH" in people("Bea", "undo")
    people.replays("KF7")


@sqlite
def test_who_leaves_holds_nobody_up(people):
    people("Ann", "finish")
    people("Bea", "finish")
    people("Cy", "leave")
    assert people.table("KF7").state.finish == [0, 1, 2]
    people.replays("KF7")


@sqlite
def test_it_is_told_at_once_and_again_by_score(people):
    people.forget()
    people("Bea", "finish")
    assert people.told("Ann")[-1].endswith(
        "Bea wants the game to be over after this round. FINISH agrees; else play on."
    )
    assert "No target: FINISH ends it." in people("Ann", "score")
    assert "till all say FINISH" in people("Ann", "rules score")


@sqlite
def test_a_game_with_an_end_has_no_other(people):
    people("Dot", "new damn")
    assert "is not dealt yet" in people("Dot", "finish")
    people("Dot", "bots, deal")
    assert "is over at 1000; FINISH is for games without a target" in people("Dot", "finish")
    people("Eve", "new 5000 wilds by the round")
    people("Eve", "bots, deal")
    assert "is over after 13 rounds" in people("Eve", "finish")
