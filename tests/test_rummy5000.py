"""5000 Rummy and George: their house rules, what holds in every position by whichever house rules, the scores."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.whole_game import play_whole_game
from engine.cards import read_card
from engine.game import Refusal, read_options, rules_of, write_options
from engine.rummy.george import GEORGE
from engine.rummy.rummy5000 import RUMMY_5000 as GAME
from engine.rummy.rummy5000 import Options
from tests import rummy, run_rummy
from tests.examples import examples

SPECIAL = {
    "permanent_wilds": ("2", "10+joker", "one_eyed_jacks", "joker+2+10+one_eyed_jacks"),
    "special_values": ("QS:45", "AH:0+3D:60"),
    "r500_options": (
        "values:pip", "values:fives", "values:flat", "hand_size:8", "top_card:must_use", "deep_use:new_meld_only",
        "discard_depth:top_only", "layoff_opponents:off", "must_discard_to_go_out:off", "identical_in_set:off",
        "tie:out_player", "values:pip+layoff_opponents:off+identical_in_set:off",
    ),
}  # fmt: skip
RULES = rummy.house_rules(Options, SPECIAL)
POSITIONS = rummy.positions(GAME, RULES, [3, 4, 6], most=120)


# House rules


@pytest.mark.parametrize(
    "words",
    [
        "melds=runs_only all_wild_set=on",
        "melds=runs_only george=on",
        "wild_ace=ace_never_wild wild_indicator=by_round",
        "out_by_meld=on r500_options=must_discard_to_go_out:on",
        "omit_low=2s twos_wild=on",
        "omit_low=2s-5s permanent_wilds=joker+2",
        "r500_options=values:pip ace_value=50",
        "r500_options=values:fives eight_nine_value=10",
        "take_must_meld=always r500_options=top_card:keep",
        "permanent_wilds=7",
        "special_values=QS",
        "special_values=QS:501",
        "r500_options=target:600",
        "r500_options=values:many",
        "jokers=1",
        "target=499",
        "wild_upcard=16",
    ],
)
def test_what_is_refused_at_set_up(words):
    with pytest.raises(Refusal) as refused:
        read_options(Options, dict(word.split("=", 1) for word in words.split()))
    assert refused.value.code == "OPTION"


def test_george_is_not_played_with_runs():
    with pytest.raises(Refusal) as refused:
        GEORGE.Options(melds="runs_only")
    assert refused.value.code == "OPTION"


def test_george_as_a_house_rule_is_george():
    by_rule, by_name = Options(george="on"), GEORGE.Options()
    assert all(getattr(by_rule, rule.name) == getattr(by_name, rule.name) for rule in rules_of(Options))
    assert [GAME.packs_for(by_rule, seats) for seats in (3, 8)] == [2, 2]
    assert Options(george="on", target=3000).target == 3000
    assert GEORGE.Options(target=5000).target == 5000
    assert len(GEORGE.pack(by_name, 2)) == 96


@pytest.mark.parametrize(("text", "kept"), [("jokers,2s", "joker+2"), ("10+joker", "joker+10"), ("none", "none")])
def test_permanent_wilds_are_kept_in_one_form(text, kept):
    options = read_options(Options, {"permanent_wilds": text})
    assert options.permanent_wilds == kept
    assert options.jokers == (2 if "joker" in kept else 0)
    assert read_options(Options, dict(word.split("=", 1) for word in write_options(options).split())) == options


@pytest.mark.parametrize("seed", range(30))
def test_house_rules_are_written_and_read_back(seed):
    options = rummy.some_rules(Options, Random(seed), SPECIAL)
    assert read_options(Options, dict(word.split("=", 1) for word in write_options(options).split())) == options


def test_the_aces_of_the_first_round_are_wild_by_rounds():
    state = GAME.deal(Options(wild_indicator="by_round"), 3, "7")
    assert read_card("AS") in GAME.view(state, None).wilds


# What holds everywhere


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
@given(RULES, st.sampled_from([3, 5]), st.integers(0, 10_000))
def test_the_move_lines_replay_from_the_seed_to_the_same_state(rules, players, seed):
    rummy.replays_from_the_seed(GAME, rules, players, seed, 150)


@pytest.mark.parametrize("number", range(16))
def test_scores_are_those_of_an_independent_count(number):
    chance = Random(number)
    options = rummy.some_rules(Options, chance, SPECIAL, share=0.3 if number else 0)
    run_rummy.counted_again(GAME, options, chance.choice([3, 4, 6]), number, run_rummy.Count5000, moves=400)


@pytest.mark.parametrize("game", [GAME, GEORGE], ids=lambda game: game.name)
def test_bots_play_to_the_end(game):
    assert play_whole_game(game, game.Options(target=1500), 4, "bots").state.ended
