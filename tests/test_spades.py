"""Spades: what holds in every position by whichever house rules, and its bot."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tricks.spades import BLIND, NIL, Options, score_side
from engine.tricks.spades import SPADES_GAME as GAME
from engine.tricks.table import CLUBS, SPADES
from tests import rummy, tricks
from tests.examples import examples

POSITIONS = tricks.positions(GAME)
USUAL = Options()


# The rules once more, read from the page and not from the engine: may this seat make this move?


def may(state, seat, move):
    rules, hand = state.options, state.hands[seat]
    if move.verb == "look":
        return None
    if move.verb == "bid":
        return may_bid(state, seat, move.value)
    if Counter(move.cards) - Counter(hand):
        return False
    partner = (seat + 2) % 4
    if move.verb == "exchange":
        counts = {NIL: rules.nil_pass, BLIND: rules.blind_nil_pass}
        count = max(counts.get(state.bids[seat], 0), counts.get(state.bids[partner], 0))
        return state.phase == "exchange" and count > 0 and len(move.cards) == count
    if state.phase != "play" or seat != state.turn or len(move.cards) != 1:
        return False
    card = move.cards[0]
    suits = {other & 3 for other in hand}
    if state.trick:
        led = state.trick[0][1] & 3
        return led not in suits or card & 3 == led
    if not any(state.tricks) and rules.first_lead == "low_club" and CLUBS in suits:
        return card == min(other for other in hand if other & 3 == CLUBS)
    played = any(other & 3 == SPADES for pile in state.taken for other in pile)
    return card & 3 != SPADES or played or rules.break_spades == "off" or suits == {SPADES}


def may_bid(state, seat, word):
    rules, partner = state.options, state.bids[(seat + 2) % 4]
    if state.phase != "bid" or state.bids[seat] is not None or (seat != state.turn and word != "blind"):
        return False
    if word == "blind":
        behind = state.scores[1 - seat % 2] - state.scores[seat % 2]
        open_to = rules.blind_nil == "any_time" or (rules.blind_nil == "behind_100" and behind >= 100)
        if not open_to or state.shown[seat]:
            return False
    if word in ("blind", "nil", "0"):
        nils = partner is not None and partner in (NIL, BLIND)
        if rules.nil == "off" or (nils and rules.double_nil == "forbid"):
            return False
        tricks_bid = 0
    elif word.isdigit() and int(word) <= 13:
        tricks_bid = int(word)
    else:
        return False
    return partner is None or max(partner, 0) + tricks_bid >= rules.min_team_bid


@settings(max_examples=200)
@given(st.data(), POSITIONS)
def test_a_move_is_accepted_if_the_rules_allow_it_and_a_refusal_changes_nothing(data, state):
    if not state.over:
        tricks.refuses_like(GAME, state, [data.draw(tricks.attempts(GAME, state)) for _ in range(8)], may)


@settings(max_examples=examples(60))
@given(POSITIONS)
def test_every_legal_move_is_accepted_as_it_is_written(state):
    tricks.legal_moves_are_accepted(GAME, state)


@settings(max_examples=examples(100))
@given(POSITIONS)
def test_json_there_and_back(state):
    rummy.json_there_and_back(GAME, state)


@settings(max_examples=examples(100))
@given(POSITIONS)
def test_a_view_shows_only_what_its_seat_may_see(state):
    tricks.view_shows_only(GAME, state)


@settings(max_examples=examples(60))
@given(POSITIONS, st.integers(0, 10_000))
def test_nothing_that_a_seat_is_told_depends_on_what_is_hidden_from_it(state, seed):
    tricks.nothing_depends_on_what_is_hidden(GAME, state, Random(seed))


@settings(max_examples=examples(60))
@given(POSITIONS, st.integers(0, 10_000))
def test_events_tell_nothing_hidden(state, seed):
    if not state.over:
        rummy.events_tell_nothing_hidden(GAME, state, Random(seed))


@settings(max_examples=examples(50))
@given(st.integers(0, 100_000))
def test_a_seed_in_a_record_is_the_deal(seed):
    tricks.a_seed_in_a_record_is_the_deal(GAME, Random(seed))


@settings(max_examples=examples(30))
@given(st.integers(0, 100_000))
def test_a_game_replays_from_its_seed(seed):
    chance = Random(seed)
    seats = chance.choice(GAME.seats)
    rummy.replays_from_the_seed(GAME, tricks.random_rules(GAME, seats, chance), seats, seed, 150)


# Scores


def recount(rules, bids, took, bags):
    """The score of a side by the page of rules."""
    contract = sum(bid for bid in bids if bid > 0)
    points, tricks_for_it, loose = 0, 0, 0
    for bid, tricks_taken in zip(bids, took, strict=True):
        if bid > 0:
            tricks_for_it += tricks_taken
            continue
        points += (1 if tricks_taken == 0 else -1) * rules.nil_value * (2 if bid == BLIND else 1)
        tricks_for_it += tricks_taken * (rules.failed_nil_tricks == "count_for_partner")
        loose += tricks_taken * (rules.failed_nil_tricks == "bags_only")
    points += 10 * contract if tricks_for_it >= contract else -10 * contract
    if rules.bags == "off":
        return points, 0
    for _ in range(loose + max(0, tricks_for_it - contract)):
        points += 1
        bags += 1
        if bags == rules.bag_limit:
            points, bags = points - rules.bag_penalty, 0
    return points, bags


@settings(max_examples=examples(400))
@given(
    st.tuples(st.integers(-1, 13), st.integers(-1, 13)),
    st.tuples(st.integers(0, 13), st.integers(0, 13)),
    st.integers(0, 4),
    st.integers(0, 10_000),
)
def test_the_score_is_that_of_the_page(bids, took, bags, seed):
    rules = tricks.random_rules(GAME, 4, Random(seed))
    assert score_side(rules, bids, took, bags)[:2] == recount(rules, bids, took, bags)


def test_the_published_hands():
    assert score_side(USUAL, (4, 3), (5, 4), 8)[:2] == (-28, 0)
    assert score_side(USUAL, (4, 3), (8, 4), 8)[:2] == (-25, 3)
    assert score_side(USUAL, (5, NIL), (6, 0), 0)[:2] == (151, 1)
    assert score_side(USUAL, (5, BLIND), (5, 2), 0)[:2] == (-148, 2)


def watch(state, seat, move, events):
    if state.over:
        assert sum(state.tricks) == 13
        for side in (0, 1):
            assert 0 <= state.bags[side] < state.options.bag_limit


@pytest.mark.parametrize("part", range(tricks.PARTS))
def test_whole_games_with_random_house_rules(part):
    for played in tricks.whole_games(GAME, tricks.GAMES, 4, f"spades {part}", watch=watch):
        state = played.state
        assert state.ended
        assert state.scores[0] != state.scores[1]
        assert state.winners == (state.scores.index(max(state.scores)),)


# The bot


@pytest.mark.parametrize("other", [tricks.lowest, tricks.at_random("random")], ids=["lowest", "random"])
def test_the_bot_beats_players_without_a_plan(other):
    ours, theirs = tricks.paired_hands(GAME, USUAL, 100, other)
    assert ours > theirs + 30


@pytest.mark.parametrize("blunder", tricks.blunders(GAME), ids=lambda blunder: blunder.what)
def test_the_bot_makes_no_visible_blunder(blunder):
    tricks.makes_none(GAME, blunder)
