"""What a hand of a trick game costs in texts: four people with every play answered, four who want no answers, one with bots.

`queenline simulate --texts --game hearts --players 4 --answers off` prints the same figures for any number of games.
"""

import json

import pytest
from click.testing import CliRunner

from commands import simulate
from commands.simulate_texts import People, count, text_one

EVERYBODY = People(players=4, phones=4, auto=True)
TERSE = People(players=4, phones=4, auto=True, answers=False)
ALONE = People(players=4, phones=1, auto=True)


def cost(people, game="hearts", words="target=50", seed="cost"):
    figures = count([text_one(game, words, people, seed, 0)])
    assert figures["wrong"] == []
    assert figures["cards"] >= 12 * figures["rounds"] * people.phones > 0
    assert figures["max_turn_segments"] <= 1
    assert figures["max_segments"] <= 2
    return figures


def test_a_card_of_hearts_costs_two_segments_with_every_play_answered():
    figures = cost(EVERYBODY)
    assert figures["segments_a_card"] <= 2.0  # 1.96
    assert figures["texts_a_round"] < 105  # 102


def test_and_hardly_more_than_one_without_answers():
    figures = cost(TERSE)
    assert figures["segments_a_card"] <= 1.1  # 1.05
    assert figures["texts_a_round"] < 57  # 54


def test_one_person_with_three_bots_gets_one_text_for_each_card():
    figures = cost(ALONE)
    assert figures["texts_a_card"] <= 1.2  # 1.0
    assert figures["turn_texts"] == 0  # the answer to a play has the rest of the trick and the next turn in it


@pytest.mark.parametrize(
    ("game", "words", "most"), [("gong-zhu", "target=-500", 1.2), ("spades", "hands_limit=1", 1.6)]
)
def test_the_other_games_without_answers(game, words, most):
    assert cost(TERSE, game, words)["segments_a_card"] <= most


def test_a_hand_of_spades_costs_four_texts_less_for_those_who_never_bid_blind():
    asked, not_asked = (
        cost(People(4, 4, auto=True, answers=False, blind=blind), "spades", "hands_limit=2") for blind in (True, False)
    )
    assert asked["texts"] - not_asked["texts"] == 2 * 4 - 4  # a LOOK each in two hands, less the answers to BLIND OFF
    assert not_asked["segments"] < asked["segments"]


def test_the_command_prints_them():
    words = ["--game", "hearts", "--players", "4", "--options", "target=20", "--seed", "1", "--texts", "--auto"]
    result = CliRunner().invoke(simulate.command, [*words, "--people", "1", "--answers", "off"])
    assert result.exit_code == 0, result.output
    assert "texts a round" in result.output
    assert "for each card that people play " in result.output
    found = json.loads(CliRunner().invoke(simulate.command, [*words, "--people", "1", "--json"]).output)
    assert (found["people"], found["answers"], found["auto"]) == (1, "on", "on")
    assert found["texts_a_card"] == round(found["texts"] / found["cards"], 3)


def test_more_phones_than_players_is_a_mistake():
    result = CliRunner().invoke(simulate.command, ["--game", "hearts", "--players", "4", "--texts", "--people", "5"])
    assert result.exit_code == 2
    assert "--people 5 are more than the 4 who play" in result.output
