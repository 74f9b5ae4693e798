"""Hearts: what holds in every position by whichever house rules, and its bot."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import choose
from engine.cards import QUEEN_OF_SPADES
from engine.game import Refusal
from engine.record import parse, replay
from engine.tricks.hearts import HEARTS_GAME as GAME
from engine.tricks.hearts import JACK, Options, Stakes, pass_direction, score_hand
from engine.tricks.table import HEARTS
from tests import rummy, tricks
from tests.examples import examples

POSITIONS = tricks.positions(GAME)
USUAL = Options()


def test_more_than_six_need_two_packs():
    for seats in (7, 10):
        with pytest.raises(Refusal) as refused:
            GAME.deal(USUAL, seats, "7")
        assert refused.value.code == "OPTION"
        assert GAME.deal(Options(double_deck="cancel"), seats, "7").hands[0]
    with pytest.raises(ValueError, match="3 to 10"):
        GAME.deal(USUAL, 2, "7")


@pytest.mark.parametrize(
    ("seats", "words", "size", "left"),
    [
        (3, "", 17, 0), (4, "", 13, 0), (5, "", 10, 0), (6, "", 8, 0),
        (3, "removed=pagat", 17, 0), (5, "removed=pagat", 10, 0), (6, "removed=pagat", 8, 0),
        (3, "kitty=first_trick_winner", 17, 1), (4, "kitty=first_trick_winner", 13, 0),
        (5, "kitty=first_trick_winner", 10, 2), (6, "kitty=first_trick_winner", 8, 4),
        (7, "double_deck=cancel", 14, 6), (8, "double_deck=later_wins", 13, 0), (9, "double_deck=cancel", 11, 5),
        (10, "double_deck=cancel", 10, 4),
    ],
)  # fmt: skip
def test_all_cards_are_dealt_evenly(seats, words, size, left):
    state = GAME.deal(tricks.options_of(GAME, words), seats, "7")
    assert set(map(len, state.hands)) == {size}
    assert len(state.kitty) == left
    GAME.check(state)


@pytest.mark.parametrize(
    ("seats", "ways"), [(3, "LRH"), (4, "LRAH"), (5, "LRH"), (6, "LRAH"), (7, "LRH"), (8, "LRAH"), (9, "LRH")]
)
def test_the_passing_goes_round(seats, ways):
    rounds = range(1, 2 * len(ways) + 1)
    assert "".join(pass_direction(USUAL, seats, deal)[0].upper() for deal in rounds) == ways * 2


# The rules once more, read from the page and not from the engine: may this seat make this move?


def may(state, seat, move):
    rules, hand = state.options, state.hands[seat]
    if move.verb == "moon":
        return state.phase == "moon" and seat == state.turn and move.value in ("add", "subtract") and not move.cards
    if Counter(move.cards) - Counter(hand):
        return False
    if move.verb == "pass":
        return state.phase == "pass" and len(move.cards) == rules.pass_count
    if state.phase != "play" or seat != state.turn or len(move.cards) != 1:
        return False
    card = move.cards[0]
    suits = {other & 3 for other in hand}
    counts = [other for other in hand if other & 3 == HEARTS or other == QUEEN_OF_SPADES]
    first = not any(state.tricks) and not state.carried
    if state.trick:
        led = state.trick[0][1] & 3
        if led in suits:
            return card & 3 == led
        ban = first and rules.first_trick_points == "ban_unless_forced"
        return not (ban and card in counts and len(counts) < len(hand))
    if first:
        if rules.double_deck != "off":
            return card not in counts or len(counts) == len(hand)
        lowest = min(other for held in state.hands for other in held if other & 3 == 0)
        return card == lowest
    if card & 3 == HEARTS and suits != {HEARTS} and rules.break_rule != "none":
        gone = [other for pile in state.taken for other in pile] + state.carried
        broken = any(other & 3 == HEARTS for other in gone if other not in kitty_of(state))
        broken |= rules.break_rule == "heart_or_qs" and QUEEN_OF_SPADES in gone
        return None if kitty_of(state) else broken
    return True


def kitty_of(state):
    """Cards that came with the first trick and were never played: who counts what is gone cannot tell them."""
    return [None] if state.options.kitty != "off" or state.options.double_deck != "off" else []


@settings(max_examples=200)
@given(st.data(), POSITIONS)
def test_a_move_is_accepted_if_the_rules_allow_it_and_a_refusal_changes_nothing(data, state):
    if not state.over:
        tries = [data.draw(tricks.attempts(GAME, state)) for _ in range(8)]
        if state.options.auto_play_single == "off":
            tricks.refuses_like(GAME, state, tries, may)


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
    if not state.first or state.phase == "pass":
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


@st.composite
def taken(draw):
    """The scoring cards of one pack among four players, often most of them with one."""
    cards = [card for card in range(52) if GAME.scoring(card)]
    one = draw(st.integers(0, 3))
    share = draw(st.sampled_from([0.25, 0.9, 1.0]))
    chance = Random(draw(st.integers(0, 10_000)))
    piles: list[list[int]] = [[], [], [], []]
    for card in cards:
        piles[one if chance.random() < share else chance.randrange(4)].append(card)
    return piles


def recount(rules, piles):
    """The scores by the page of rules: hearts 1, queen 13, the moon by cards, then the jack."""
    points = [sum({HEARTS: 1}.get(card & 3, 0) + 13 * (card == QUEEN_OF_SPADES) for card in pile) for pile in piles]
    for seat, pile in enumerate(piles):
        jack = rules.jack_needed_for_moon == "off" or JACK in pile
        if sum(card & 3 == HEARTS for card in pile) == 13 and QUEEN_OF_SPADES in pile and jack:
            if rules.moon == "add_26":
                points = [26, 26, 26, 26]
                points[seat] = 0
            elif rules.moon == "subtract_26":
                points = [0, 0, 0, 0]
                points[seat] = -26
    return [
        gain - 10 * (JACK in pile) * (rules.jack_diamonds == "-10") for gain, pile in zip(points, piles, strict=True)
    ]


@settings(max_examples=examples(300))
@given(
    taken(), st.sampled_from(["0", "-10"]), st.sampled_from(["on", "off"]), st.sampled_from(["add_26", "subtract_26"])
)
def test_the_score_is_that_of_the_page(piles, jack, needed, moon):
    rules = Options(jack_diamonds=jack, jack_needed_for_moon=needed, moon=moon)
    assert score_hand(rules, Stakes(13, 1, 1), piles) == recount(rules, piles)


def adds_up(state):
    """The points of a hand, as they must come to together."""
    rules, stakes = state.options, GAME.stakes(state.options, state.seats)
    piles = [card for pile in state.taken for card in pile]
    total = sum(state.earned)
    if rules.jack_diamonds == "-10":
        total += 10 * piles.count(JACK)
    alone = (state.seats - 1) * stakes.points
    assert total in (stakes.points, alone, -stakes.points, 2 * alone), state.earned
    if rules.moon == "add_26" and rules.sun == "off":
        assert total in (stakes.points, alone)


def watch(state, seat, move, events):
    if state.over:
        adds_up(state)


@pytest.mark.parametrize("part", range(tricks.PARTS))
def test_whole_games_with_random_house_rules(part):
    ends: Counter = Counter()
    for played in tricks.whole_games(GAME, tricks.GAMES, GAME.seats, f"hearts {part}", watch=watch):
        state = played.state
        assert state.ended
        assert state.winners
        best = [side for side, score in enumerate(state.scores) if score == min(state.scores)]
        exact = [side for side, score in enumerate(state.scores) if score == state.options.target]
        by_exact = state.options.exact_target == "wins" and exact
        assert list(state.winners) == (exact if by_exact else best)
        ends[state.seats] += 1
    assert ends.total() == tricks.GAMES


# The bot


def test_the_bot_takes_few_points_from_random_players():
    ours, _ = tricks.paired_hands(GAME, USUAL, tricks.HANDS, tricks.at_random("random"))
    assert ours <= 3.0


def test_the_bot_beats_players_of_the_lowest_card():
    ours, theirs = tricks.paired_hands(GAME, USUAL, tricks.HANDS // 2, tricks.lowest)
    assert ours < theirs / 2


BLUNDERS = tricks.blunders(GAME)


def test_there_are_at_least_sixty_positions_to_blunder_in():
    assert len(BLUNDERS) >= 60
    assert len({blunder.what for blunder in BLUNDERS}) == len(BLUNDERS)


@pytest.mark.parametrize("blunder", BLUNDERS, ids=lambda blunder: blunder.what)
def test_the_bot_makes_no_visible_blunder(blunder):
    tricks.makes_none(GAME, blunder)


@pytest.mark.parametrize(("scores", "choice"), [((20, 30, 40, 50), "add"), ((95, 10, 20, 80), "subtract")])
def test_the_bot_lets_the_others_pay_for_the_moon_unless_that_loses_the_game(scores, choice):
    text = f"""\
game: hearts
options: moon=choose
seats: Ann Bea Cy Dot
phase: play
broken: yes
score Ann: {scores[0]}
score Bea: {scores[1]}
score Cy: {scores[2]}
score Dot: {scores[3]}
taken Ann: 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS
turn: Ann
hand Ann: AC
hand Bea: 5D
hand Cy: 6D
hand Dot: AH
Ann play AC, Bea play 5D, Cy play 6D, Dot play AH
"""
    state = replay(parse(text)).board.state
    assert choose(GAME.view(state, 0), GAME.legal(state, 0)).value == choice
