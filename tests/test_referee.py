"""A second referee: hands of Hearts and of Spades in step with OpenSpiel's own games.

The same legal plays at every step, the same winner of every trick, the same scores. Both deal 52 cards to four players;
house rules are set where both games have them. `QUEENLINE_REFEREE_HANDS=20000 pytest tests/test_referee.py` plays more
than the 500 hands of each that the ordinary run does.

Where OpenSpiel does not do what its own parameters and documents say, the test works around it, and says so here:

- Hearts, `pass_cards=false`: only the legal actions know of it; the chance node still offers all four directions
  (`test_pass_cards_has_no_effect`). The direction is chosen by hand.
- Spades are never broken: its flag `is_spades_broken_` is read and never set (`test_spades_are_never_broken`). Its legal
  leads are compared with ours less the spades, unless there is nothing else; the spade is then played in both.
- `use_mercy_rule=false` has no effect, as nothing reads it: the threshold is set out of reach. It and the winning score are
  held against the score of the hand, not of the game, so that one is out of reach too.
- Bags are counted as the last digit of the score, which in C++ is negative for a negative score
  (`test_bags_of_a_negative_score`). Hands begin at scores from 0 up, with as many bags as the last digit says.
- A bid may not bring partners above 13 together. That is its own rule, not ours: bids are drawn from what it allows.
"""

import os
from collections import Counter
from random import Random

import pytest

from engine.game import Move, Position
from engine.tricks import hearts, spades
from engine.tricks.hearts import HEARTS_GAME
from engine.tricks.spades import SPADES_GAME

pyspiel = pytest.importorskip("pyspiel")

HANDS = int(os.environ.get("QUEENLINE_REFEREE_HANDS", "500"))
PARTS = 10
STYLES = ("any", "low", "high")


def pick(moves: list[Move], style: str, chance: Random) -> Move:
    """A move in the style of a player: they make moons, sets and bags more often than chance alone."""
    if style == "any" or chance.random() < 0.1:
        return chance.choice(moves)
    return min(moves, key=lambda move: move.cards) if style == "low" else max(moves, key=lambda move: move.cards)


def part(number: int) -> range:
    """The hands of one of the parts that the run is cut into."""
    return range(number * HANDS // PARTS, (number + 1) * HANDS // PARTS)


# Hearts: their cards are numbered as ours are

DIRECTIONS = {1: 1, 2: 3, 3: 2, 4: 0}  # by our deal number: left, right, across, hold


def play_hearts(number: int, seen: Counter) -> None:
    chance = Random(f"hearts {number}")
    options = hearts.Options(
        break_rule=chance.choice(("heart", "heart_or_qs", "none")),
        first_trick_points=chance.choice(("ban_unless_forced", "allow")),
        jack_diamonds=chance.choice(("0", "-10")),
        early_finish="off",  # theirs plays every hand to the end
    )
    theirs = pyspiel.load_game(
        "hearts",
        {
            "must_break_hearts": options.break_rule != "none",
            "qs_breaks_hearts": options.break_rule == "heart_or_qs",
            "no_pts_on_first_trick": options.first_trick_points != "allow",
            "jd_bonus": options.jack_diamonds == "-10",
        },
    ).new_initial_state()
    deal = chance.randint(1, 4)
    styles = [chance.choice(STYLES) for _ in range(4)]
    hands = {}
    if number % 5 == 0:  # one hand of nearly all aces, kings and queens, so that the moon is shot now and then
        deal, strong = 4, chance.randrange(4)
        hands[strong] = [card for card in range(52) if card >> 2 >= 10] + [chance.randrange(40)]
        styles = ["high" if seat == strong else "low" for seat in range(4)]
    ours = HEARTS_GAME.place(options, 4, Position(seed=str(number), round=deal, hands=hands))
    theirs.apply_action(DIRECTIONS[deal])
    for i in range(52):
        theirs.apply_action(ours.hands[i % 4][i // 4])
    if deal != 4:
        passed = [chance.choice(HEARTS_GAME.legal(ours, seat)).cards for seat in range(4)]
        for seat, cards in enumerate(passed):
            assert theirs.legal_actions() == ours.hands[seat]
            for card in cards:
                theirs.apply_action(card)
        for seat, cards in enumerate(passed):
            HEARTS_GAME.play(ours, seat, Move("pass", cards))
    while not ours.over:
        seat = ours.turn
        assert theirs.current_player() == seat
        legal = HEARTS_GAME.legal(ours, seat)
        assert theirs.legal_actions() == [move.cards[0] for move in legal]
        move = pick(legal, styles[seat], chance)
        HEARTS_GAME.play(ours, seat, move)
        theirs.apply_action(move.cards[0])
    assert theirs.is_terminal()
    assert [26 - score for score in theirs.returns()] == list(ours.earned)
    seen["moon"] += hearts.shooter(options, hearts.Stakes(13, 1, 1), ours.taken) is not None
    seen["negative"] += min(ours.earned) < 0
    seen["hands"] += 1


@pytest.mark.parametrize("number", range(PARTS))
def test_hearts_in_step(number):
    seen: Counter = Counter()
    for hand in part(number):
        play_hearts(hand, seen)
    assert seen["hands"] == len(part(number))
    assert seen["moon"] > 0
    assert seen["negative"] > 0


def test_pass_cards_has_no_effect():
    state = pyspiel.load_game("hearts", {"pass_cards": False}).new_initial_state()
    assert state.legal_actions() == [0]
    assert [action for action, _ in state.chance_outcomes()] == [0, 1, 2, 3]


# Spades: theirs are numbered suit by suit, ours rank by rank

SPADES = 3
BIDS_FROM = 52
NEVER = 100_000  # a score that no hand reaches


def theirs_of(card: int) -> int:
    return (card & 3) * 13 + (card >> 2)


def ours_of(card: int) -> int:
    return card % 13 * 4 + card // 13


def leads_of_theirs(legal: list[int], leads: bool) -> list[int]:
    """Our legal plays as theirs are: no lead of a spade while there is another suit, broken or not."""
    others = [card for card in legal if card & 3 != SPADES]
    return others if leads and others else legal


def their_spades():
    parameters = {"mercy_threshold": -NEVER, "win_threshold": NEVER, "win_or_loss_bonus": 0, "use_mercy_rule": False}
    return pyspiel.load_game("spades", parameters)


def play_spades(number: int, seen: Counter) -> None:
    chance = Random(f"spades {number}")
    options = spades.Options(
        bid_start="left_of_dealer",  # theirs has one player to bid first and to lead first
        break_spades=chance.choice(("on", "off")),
        blind_nil="off",
    )
    scores = [chance.randint(0, 400), chance.randint(0, 400)]
    bags: list = [(side, str(score % 10)) for side, score in enumerate(scores)]
    position = Position(seed=str(number), dealer=3, scores=dict(enumerate(scores)), extra={"bags": bags})
    ours = SPADES_GAME.place(options, 4, position)
    theirs = their_spades().new_initial_state()
    for i in range(52):
        theirs.apply_action(theirs_of(ours.hands[i % 4][i // 4]))
    theirs.set_current_scores(scores)
    for seat in range(4):
        assert theirs.current_player() == ours.turn == seat
        allowed = [action - BIDS_FROM for action in theirs.legal_actions()]
        assert [spades.bid_name(bid) for bid in allowed] == [m.value for m in SPADES_GAME.legal(ours, seat)][
            : len(allowed)
        ]
        bid = chance.choice([bid for bid in allowed if bid < 6] + [0])
        SPADES_GAME.play(ours, seat, Move("bid", value=spades.bid_name(bid)))
        theirs.apply_action(BIDS_FROM + bid)
    styles = ["low" if bid == 0 else chance.choice(STYLES) for bid in ours.bids]
    while not ours.over:
        seat = ours.turn
        assert theirs.current_player() == seat
        moves = SPADES_GAME.legal(ours, seat)
        expected = leads_of_theirs([move.cards[0] for move in moves], leads=not ours.trick)
        assert sorted(map(ours_of, theirs.legal_actions())) == expected
        move = pick(moves, styles[seat], chance)
        SPADES_GAME.play(ours, seat, move)
        theirs.apply_action(theirs_of(move.cards[0]))
    assert theirs.is_terminal()
    assert [theirs.returns()[0], theirs.returns()[1]] == list(ours.earned)
    assert list(theirs.get_current_scores()) == ours.scores
    seen["nil made"] += any(bid == 0 and not took for bid, took in zip(ours.bids, ours.tricks, strict=True))
    seen["nil failed"] += any(bid == 0 and took for bid, took in zip(ours.bids, ours.tricks, strict=True))
    seen["bags full"] += any(new < int(old) for new, (_, old) in zip(ours.bags, bags, strict=True))
    seen["hands"] += 1


@pytest.mark.parametrize("number", range(PARTS))
def test_spades_in_step(number):
    seen: Counter = Counter()
    for hand in part(number):
        play_spades(hand, seen)
    assert seen["hands"] == len(part(number))
    assert seen["nil made"] > 0
    assert seen["nil failed"] > 0
    assert seen["bags full"] > 0


def test_spades_are_never_broken():
    state = their_spades().new_initial_state()
    hands = [[40, 0, 1], [41, 13, 2], [42, 14, 3], [43, 15, 4]]  # each a spade of theirs and two others
    rest = [card for card in range(52) if all(card not in hand for hand in hands)]
    for i in range(52):
        state.apply_action(hands[i % 4][i // 4] if i < 12 else rest[i - 12])
    for _ in range(4):
        state.apply_action(BIDS_FROM + 3)
    for card in (0, 41, 42, 43):  # clubs led, and three spades on them
        state.apply_action(card)
    assert state.current_player() == 3
    assert not any(card >= 39 for card in state.legal_actions())


def test_bags_of_a_negative_score():
    gains = {}
    for score in (9, -1):  # nine bags; and nine bags of a side that has lost ten points besides
        state = their_spades().new_initial_state()
        for card in range(52):
            state.apply_action(card)
        state.set_current_scores([score, 0])
        for _ in range(4):
            state.apply_action(BIDS_FROM + 1)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        gains[score] = state.returns()[0]
    assert gains[9] == gains[-1] - 100
