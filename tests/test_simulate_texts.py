"""`queenline simulate --texts`: whole games by people who text, and what they cost."""

import json

import pytest
from click.testing import CliRunner

from commands import simulate
from commands.simulate_texts import choice_of, next_text
from engine.cards import read_cards
from engine.game import Move, Position
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as GAME
from engine.rummy.damn_the_queens_table import Options


def run(*words):
    return CliRunner().invoke(simulate.command, ["--game", "damn-the-queens", "--seed", "1", "--texts", *words])


@pytest.fixture(scope="module")
def figures():
    result = run("--games", "2", "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_every_text_does_what_it_says(figures):
    assert figures["games"] == 2
    assert figures["wrong"] == []


def test_texts_keep_to_their_budget(figures):
    assert figures["median_turn_segments"] == 1
    assert figures["max_segments"] <= 2
    assert figures["segments_a_decision"] <= 2.0


def test_figures_belong_together(figures):
    assert figures["moves"] > figures["decisions"] > figures["turn_texts"] > figures["rounds"] > 2
    assert figures["decisions"] < figures["texts"] <= figures["segments"]
    assert figures["segments_a_decision"] == round(figures["segments"] / figures["decisions"], 3)


def test_the_same_games_as_without_texts(figures):
    outcomes = [simulate.play_one(simulate.read_job("damn-the-queens", None, "1", ""), number) for number in range(2)]
    assert figures["rounds"] == sum(outcome.rounds for outcome in outcomes)


def test_by_other_house_rules():
    result = run("--games", "1", "--options", "target=500 joker_set_wild=off stock_out=reshuffle")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("1 games by text, seed 1: ")


def ann(phase, hand):
    position = Position(
        turn=0, phase=phase, hands={0: read_cards(hand), 1: read_cards("3C 3D")},
        pile=read_cards("5S 9H"), stock=read_cards("6D 6H 7D"),
    )  # fmt: skip
    return GAME.place(Options(), 4, position)


def test_a_text_ends_where_a_card_is_seen():
    text, moves, after = next_text(GAME, ann("draw", "4H 8C KD"), 0, in_full=False)
    assert (text, len(moves), after.phase) == ("draw", 1, "meld")
    assert next_text(GAME, ann("draw", "9C 9S KD"), 0, in_full=True)[0] == "PICKUP 9C 9S"


def test_a_text_is_the_rest_of_the_turn():
    state = ann("meld", "KC KD KS 4H 8C 9C")
    assert next_text(GAME, state, 0, in_full=False)[0].startswith("lay kkk, discard ")
    assert next_text(GAME, state, 0, in_full=True)[0].startswith("MELD KC KD KS, DISCARD ")


def test_a_question_is_answered_by_the_number_of_what_was_meant():
    moves = [Move("add", tuple(read_cards("QS")), "Q")]
    assert choice_of("KF7: Do you mean ADD QS TO Q? 1 or OK does it.", moves) == "1"
    assert choice_of("KF7: Which do you mean? 1 ADD QD QS TO Q, 2 ADD QS TO Q?", moves) == "2"
    assert choice_of("KF7: I don't understand that.", moves) is None
