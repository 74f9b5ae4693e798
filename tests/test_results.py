"""What each round was worth: the rows behind the score sheet."""

import json

import pytest
from sqlalchemy import delete

from engine import bots
from engine.cards import card_name
from engine.game import write_move
from engine.registry import GAMES, named
from service import play, results
from service.desk import Desk
from service.models import RoundResult, table_of
from service.stored import MOVE
from service.text import render
from tests.pages import at, finished

RESULT = table_of(RoundResult)


def rows(people):
    return people.rows(RESULT)


def plain(people):
    """The rows but for when and under which number they were written."""
    return [(r.n, r.upto, r.points, r.totals, r.facts, r.following) for r in rows(people)]


NEARLY_OUT = """\
game: damn-the-queens
options: target=500
seats: Ann Bea Cy Dot
dealer: Dot
score Ann+Cy: 200
hand Ann: 9S 9C KD
hand Bea: 3D 7C
hand Cy: 5C
hand Dot: AH
pile: 5S TD 9H
stock: 7S 3C JD 4C 8S QD
turn: Ann
"""


def test_a_round_that_ends_is_a_row_of_the_same_transaction(people):
    people.seated(NEARLY_OUT)
    people("Ann", "pickup 9 9, discard KD")
    assert rows(people) == []
    while people.table("KF7").state.round == 1:
        name = people.turn("KF7")
        people(name, "draw")
        people(name, f"discard {card_name(people.hand('KF7', name)[0])}")
    [row] = rows(people)
    table = people.table("KF7")
    assert row.n == 1
    assert json.loads(row.totals) == [table.state.scores[seat % 2] for seat in range(4)]
    assert json.loads(row.points)[0] == table.state.scores[0] - 200  # what was carried into it is not of it
    assert json.loads(row.facts)["pile"] == [0, 3]
    assert table.game.dump(table.state) == json.loads(row.following)


@pytest.mark.slow
@pytest.mark.on("sqlite")
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_rows_made_as_rounds_end_are_those_that_playing_the_record_again_makes(people, game):
    rows_are_those_of_the_record(people, game)


@pytest.mark.on("postgresql")
@pytest.mark.parametrize("game", ["damn-the-queens", "spades"])
def test_on_postgresql_as_well(people, game):
    rows_are_those_of_the_record(people, game)


def rows_are_those_of_the_record(people, game):
    code = played(people, game)
    made = plain(people)
    assert made
    with people.services.db.begin() as conn:
        conn.execute(delete(RESULT))
        table = at(conn, code)
        results.complete(conn, table)
        results.complete(conn, table)  # the second time there is nothing to do
    assert plain(people) == made
    assert [r.n for r in rows(people)] == list(range(1, len(made) + 1))
    times = {move.n: move.at for move in people.rows(MOVE)}
    assert [r.at for r in rows(people)] == [times[r.upto] for r in rows(people)]
    final = people.table(code).state
    side_of = results._side_of(named(game), people.table(code))
    assert json.loads(made[-1][3]) == [final.scores[side] for side in side_of]


def test_rows_that_are_missing_are_made_up_when_the_next_round_ends(people):
    code = played(people, "hearts", "new hearts target=60")
    made = plain(people)
    assert len(made) >= 3
    with people.services.db.begin() as conn:
        conn.execute(delete(RESULT).where(RESULT.c.n > 1))
        results.complete(conn, at(conn, code))
    assert plain(people) == made


def test_a_finished_round_is_played_again_by_itself(people):
    code = played(people, "spades")
    table, made = people.table(code), rows(people)
    for row in made:
        with people.services.db.begin() as conn:
            one = finished(conn, table, row.n)
        assert one.upto == row.upto
        points = table.game.points(one.final)
        assert [points[0], points[1]] == json.loads(row.points)[:2]
        assert one.start.round == row.n
    with people.services.db.begin() as conn:
        assert results.of_round(conn, table, len(made) + 1) is None  # never one that is being played
        assert results.of_round(conn, table, 0) is None


def test_a_round_whose_end_the_operator_takes_back_is_no_row_any_more(people):
    code = played(people, "hearts", "new hearts target=500", stop_after=2)
    before = plain(people)
    with people.services.db.begin() as conn:
        table = at(conn, code)
        desk = Desk.unasked(people.services, conn)
        while table.state.round > 2:
            play.take_back(desk, table)
    assert plain(people) == before[:1]
    people.replays(code)
    finish_a_round(people, code)
    again = plain(people)
    assert [row[0] for row in again] == [1, 2]
    assert again[0] == before[0]
    assert again[1][1] > before[1][1]  # further on in the record, which keeps what was taken back
    with people.services.db.begin() as conn:
        table = at(conn, code)
        conn.execute(delete(RESULT))
        results.complete(conn, table)
    assert plain(people) == again


SHORT = {"queen-of-spades": "target=200", "rummy5000": "target=500", "george": "target=500", "rummy500": "target=200", "gong-zhu": "target=-500", "damn-the-queens": "target=500"}  # fmt: skip


def finish_a_round(people, code):
    """Ann plays what a bot would until the round is over."""
    number = people.table(code).state.round
    for _ in range(400):
        table = people.table(code)
        if table.status != "playing" or table.state.round != number:
            return
        one_move(people, code)
    raise AssertionError("the round doesn't end")


def one_move(people, code):
    table = people.table(code)
    seat = table.names.index("Ann")
    legal = table.game.legal(table.state, seat)
    move = bots.choose(table.game.view(table.state, seat), legal)
    people("Ann", f"{code} {render.choice_words(write_move(move))}")


def played(people, game, words="", stop_after=0):
    """A game that Ann plays against bots to its end, or for some rounds."""
    people.judge = False
    words = words or f"new {game} {SHORT.get(game, '')}"
    answer = people("Ann", words)
    code = answer.partition("table ")[2].partition(":")[0].split()[0]
    people("Ann", f"{code} bots")
    people("Ann", f"{code} deal")
    for _ in range(3000):
        table = people.table(code)
        if table.status != "playing" or (stop_after and table.state.round > stop_after):
            return code
        one_move(people, code)
    raise AssertionError("the game doesn't end")
