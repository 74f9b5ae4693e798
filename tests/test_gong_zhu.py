"""Gong Zhu: its score, and what holds in every position by whichever house rules."""

import os
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import read_card, read_cards
from engine.game import Refusal
from engine.tricks.gong_zhu import EXPOSABLE, Options, score_pile
from engine.tricks.gong_zhu import GONG_ZHU as GAME
from tests import rummy, tricks
from tests.examples import examples

POSITIONS = tricks.positions(GAME)
USUAL = Options()


def test_partners_are_for_four():
    with pytest.raises(Refusal) as refused:
        GAME.deal(Options(partners="on"), 5, "7")
    assert refused.value.code == "OPTION"


# The score

KINGS, ALL = "KH", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
TABLE = [  # rules digest H: taken, then nothing shown, AH, QS, JD, TC, all four
    (KINGS, -40, -80, -40, -40, -40, -80),
    ("QS", -100, -100, -200, -100, -100, -200),
    ("JD", 100, 100, 100, 200, 100, 200),
    ("QS JD", 0, 0, -100, 100, 0, 0),
    ("TC", 50, 50, 50, 50, 100, 100),
    ("TC 3H", 0, 0, 0, 0, 0, 0),
    ("TC KH", -80, -160, -80, -80, -160, -320),
    ("TC QS", -200, -200, -400, -200, -400, -800),
    ("TC JD", 200, 200, 200, 400, 400, 800),
    ("TC QS JD", 0, 0, -200, 200, 0, 0),
    (ALL, 200, 400, 200, 200, 200, 400),
    (f"{ALL} QS", 300, 500, 400, 300, 300, 600),
    (f"{ALL} JD", 300, 500, 300, 400, 300, 600),
    (f"{ALL} QS JD", 400, 600, 500, 500, 400, 800),
    (f"{ALL} TC", 400, 800, 400, 400, 800, 1600),
    (f"{ALL} QS TC", 600, 1000, 800, 600, 1200, 2400),
    (f"{ALL} QS JD TC", 800, 1200, 1000, 1000, 1600, 3200),
]
SHOWN = ["", "AH", "QS", "JD", "TC", "AH QS JD TC"]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_the_table_of_the_rules(row):
    taken, *points = row
    assert [score_pile(USUAL, read_cards(taken), read_cards(shown)) for shown in SHOWN] == points


SIXTEEN = read_cards(f"{ALL} QS JD TC")
PIPS = {
    "standard": "0 0 0 -10 -10 -10 -10 -10 -10 -20 -30 -40 -50",
    "pip": "-2 -3 -10 -5 -6 -7 -8 -9 -10 -20 -30 -40 -50",
}


class Formula:
    """The score by a formula of its own: bits for cards, numbers for the cards shown, products for what doubles."""

    def __init__(self, rules):
        self.pig, self.all_16 = int(rules.pig_value), rules.pig_flip == "all_16"
        worth = [int(word) for word in PIPS[rules.heart_scale].split()]
        self.hearts = [sum(worth[i] for i in range(13) if pile >> i & 1) for pile in range(1 << 13)]
        self.hearts[-1] = 200

    def score(self, pile, ace, queen, jack, ten):
        every = pile & 0x1FFF == 0x1FFF
        pig, sheep, club = pile >> 13 & 1, pile >> 14 & 1, pile >> 15 & 1
        flips = every and (not self.all_16 or pile == 0xFFFF)
        plain = self.hearts[pile & 0x1FFF] * (1 + ace) + (2 * flips - 1) * pig * self.pig * (1 + queen)
        plain += 100 * sheep * (1 + jack)
        return plain * (1 + club) * (1 + club * ten) if pile != 1 << 15 else 50 * (1 + ten)


# All 65,536 piles by all 16 ways to show cards take half a minute; the ordinary run takes every 29th pile.
STRIDE = 1 if os.environ.get("QUEENLINE_ALL_PILES") else 29


@pytest.mark.parametrize(
    "rules", [USUAL, Options(heart_scale="pip", pig_value=200, pig_flip="all_16")], ids=["usual", "others"]
)
def test_the_score_is_that_of_the_formula(rules):
    formula = Formula(rules)
    shown = [cards for count in range(5) for cards in combinations(EXPOSABLE, count)]
    flags = [[int(read_card(code) in cards) for code in ("AH", "QS", "JD", "TC")] for cards in shown]
    assert len(shown) == 16
    piles = sorted(
        {*range(0, 1 << 16, STRIDE), *(((1 << 13) - 1) | high << 13 for high in range(8)), *(1 << i for i in range(16))}
    )
    for pile in piles:
        cards = [card for i, card in enumerate(SIXTEEN) if pile >> i & 1]
        for exposed, doubled in zip(shown, flags, strict=True):
            assert score_pile(rules, cards, exposed) == formula.score(pile, *doubled)


# The rules once more, read from the page and not from the engine: may this seat make this move?


def may(state, seat, move):
    rules, hand = state.options, state.hands[seat]
    if Counter(move.cards) - Counter(hand):
        return False
    if move.verb == "expose":
        return state.phase == "expose" and state.exposed[seat] is None and set(move.cards) <= set(EXPOSABLE)
    if state.phase != "play" or seat != state.turn or len(move.cards) != 1:
        return False
    card = move.cards[0]
    alone = sum(other & 3 == card & 3 for other in hand) == 1
    shown = card in (state.exposed[seat] or ())
    if state.trick:
        led = state.trick[0][1] & 3
        if card & 3 != led:
            return all(other & 3 != led for other in hand)
    elif not any(state.tricks) and state.round == 1 and rules.first_lead.endswith("forced"):
        first = (
            read_card("2S")
            if rules.first_lead.startswith("2s")
            else min(c for c in GAME.pack(rules, state.seats) if c & 3 == 0)
        )
        if card != first:
            return False
    return not shown or alone or was_led(state, card & 3)


def was_led(state, suit):
    """Whether the suit was led in a trick that is over: each pile holds whole tricks, each trick's first card led it."""
    size = state.seats
    return any(pile[i] & 3 == suit for pile in state.taken for i in range(0, len(pile), size))


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


@pytest.mark.parametrize("part", range(tricks.PARTS))
def test_whole_games_with_random_house_rules(part):
    def watch(state, seat, move, events):
        if state.over:
            assert sum(len(pile) for pile in state.taken) == len(GAME.pack(state.options, state.seats))
            shown = [card for cards in state.exposed for card in cards]
            alone = [score_pile(state.options, pile, shown) for pile in state.taken]
            if state.options.partners == "off" or state.options.partner_scoring == "sum":
                assert sum(state.earned) == sum(alone)

    for played in tricks.whole_games(GAME, tricks.GAMES, GAME.seats, f"gong zhu {part}", watch=watch):
        state = played.state
        assert state.ended
        assert state.winners == tuple(s for s, score in enumerate(state.scores) if score == max(state.scores))
        assert state.losers == tuple(s for s, score in enumerate(state.scores) if score == min(state.scores))


@pytest.mark.parametrize("other", [tricks.lowest, tricks.at_random("random")], ids=["lowest", "random"])
def test_the_bot_beats_players_without_a_plan(other):
    ours, theirs = tricks.paired_hands(GAME, USUAL, 120, other)
    assert ours > theirs + 20


@pytest.mark.parametrize("blunder", tricks.blunders(GAME), ids=lambda blunder: blunder.what)
def test_the_bot_makes_no_visible_blunder(blunder):
    tricks.makes_none(GAME, blunder)
