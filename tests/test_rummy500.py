"""500 Rummy: what holds in every position by whichever house rules, and the scores."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.whole_game import play_whole_game
from engine.rummy.rummy500 import RUMMY_500 as GAME
from engine.rummy.rummy500 import Options
from tests import rummy, run_rummy
from tests.examples import examples

RULES = rummy.house_rules(Options)
POSITIONS = rummy.positions(GAME, RULES, [2, 3, 5], most=120)


@pytest.mark.parametrize(
    ("seats", "size", "packs"), [(2, "auto", 1), (4, "auto", 1), (5, "auto", 2), (8, "auto", 2), (4, 13, 2), (8, 13, 3)]
)
def test_packs_that_are_long_enough(seats, size, packs):
    options = Options(hand_size=size)
    assert GAME.packs_for(options, seats) == packs
    state = GAME.deal(options, seats, "7")
    assert len(state.stock) >= seats
    GAME.check(state)


@settings(max_examples=examples(60))
@given(POSITIONS)
def test_every_legal_move_is_accepted_as_it_is_written(state):
    rummy.legal_moves_are_accepted_as_they_are_written(GAME, state)


@settings(max_examples=120)
@given(st.data(), POSITIONS)
def test_a_move_is_accepted_only_where_the_rules_allow_it_and_a_refusal_changes_nothing(data, state):
    run_rummy.tries_are_answered_by_the_rules(GAME, state, Random(data.draw(st.integers(0, 10_000))), tries=10)


@settings(max_examples=examples(60))
@given(POSITIONS)
def test_json_there_and_back(state):
    rummy.json_there_and_back(GAME, state)


@settings(max_examples=examples(60))
@given(POSITIONS)
def test_a_view_shows_only_what_its_seat_may_see(state):
    run_rummy.views_hide_hands(GAME, state)


@settings(max_examples=examples(50))
@given(POSITIONS, st.integers(0, 10_000))
def test_nothing_that_a_seat_is_told_depends_on_what_is_hidden_from_it(state, seed):
    rummy.nothing_depends_on_what_is_hidden(GAME, state, Random(seed), pile_is_hidden=False)


@settings(max_examples=examples(60))
@given(POSITIONS, st.integers(0, 10_000))
def test_an_event_tells_others_nothing_hidden(state, seed):
    rummy.events_tell_nothing_hidden(GAME, state, Random(seed))


@settings(max_examples=examples(20))
@given(RULES, st.sampled_from([2, 4]), st.integers(0, 10_000))
def test_the_move_lines_replay_from_the_seed_to_the_same_state(rules, players, seed):
    rummy.replays_from_the_seed(GAME, rules, players, seed, 200)


@pytest.mark.parametrize("number", range(12))
def test_scores_are_those_of_an_independent_count(number):
    chance = Random(number)
    options = rummy.some_rules(Options, chance, share=0.3 if number else 0)
    run_rummy.counted_again(GAME, options, chance.choice([2, 3, 5]), number, run_rummy.Count500, moves=400)


@pytest.mark.parametrize("seats", [2, 5])
def test_bots_play_to_the_end(seats):
    assert play_whole_game(GAME, Options(), seats, "bots").state.ended
