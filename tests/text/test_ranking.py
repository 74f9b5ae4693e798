"""Whether an ace is high or low is told as the rules of that game have it, by the house rules of the table."""

import pytest

from engine.cards import read_card
from engine.game import Move, Refusal, read_options
from engine.record import begin, parse_bytes
from engine.registry import named
from engine.rummy import rummy500, rummy5000
from engine.rummy.house import meld_rules
from engine.rummy.melds import readings
from service.text import render
from service.text.gsm7 import segments
from service.text.understand import understand
from tests.text.test_understand_forms import position

ASKED = (
    "is ace high or low", "Are aces high?", "are aces high or low", "is the ace high", "Is an ace high or low in this game", "aces high?",
    "does the ace count high or low", "can an ace be low", "can an ace be used as a 1", "is ace above the king", "does an ace beat a king",
    "is a king higher than an ace?", "is the ace the highest card", "What's the highest card?", "what is the lowest card", "card ranking?",
    "what order do the cards go in", "how do the cards rank", "what is the ranking of the cards",
)  # fmt: skip
LEFT_ALONE = (
    "ace high",
    "aces low",
    "what's the order",
    "I have a high ace",
    "the ace is not high",
    "my ace is high, sorry",
)
PLACES = (
    "draw",
    "hearts-trick",
    "spades-bidding",
    "gong-zhu-exposing",
    "rummy500-taking-deep",
    "rummy5000-wilds-in-words",
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", ASKED)
def test_how_cards_rank_is_asked_in_many_ways(text, place):
    reading = understand(text, position(place))
    assert (reading.kind, str(reading.command), reading.moves) == ("command", "rules ranks", ())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_such_question_is_none(text, place):
    reading = understand(text, position(place))
    assert not reading.moves
    assert str(reading.command) != "rules ranks"


def told(game, words=""):
    options = read_options(named(game).Options, dict(word.split("=", 1) for word in words.split()))
    text = render.rules("KF7", named(game), options, "ranks")
    assert segments(text) == 1, text
    return text


ACE_ON_KING = """\
seats: Ann Bea Cy Dot
dealer: Dot
phase: play
turn: Ann
hand Ann: KC 2D
hand Bea: AC 3D
hand Cy: 2C 4D
hand Dot: QC 5D
"""
BIDS = "bid Ann: 3\nbid Bea: 3\nbid Cy: 3\nbid Dot: 3\n"


@pytest.mark.parametrize(("game", "bids"), [("hearts", ""), ("gong-zhu", ""), ("spades", BIDS)])
def test_at_tricks_the_ace_is_high(game, bids):
    board = begin(parse_bytes(f"game: {game}\n{ACE_ON_KING}{bids}".encode()))
    clubs = ("KC", "AC", "2C", "QC")
    for _ in clubs:
        (seat,) = board.game.waiting(board.state)
        board.game.play(board.state, seat, Move("play", (read_card(clubs[seat]),)))
    assert board.game.waiting(board.state) == (1,)  # the ace has taken the king
    assert "Aces are high: A K Q J" in told(game)


def is_run(rules, cards):
    faces = [read_card(card) for card in cards.split()]
    try:
        return any(reading.low >= 0 for reading in readings(rules, faces, [None] * len(faces)))
    except Refusal:
        return False


@pytest.mark.parametrize(
    ("game", "words", "low", "high"),
    [
        ("rummy500", "", True, True),
        ("rummy5000", "", True, True),
        ("rummy5000", "melds=runs_only", True, True),
        ("rummy5000", "omit_low=2s", False, True),
        ("george", "melds=both", False, True),
        ("george", "melds=both omit_low=none", True, True),
        ("george", "", False, False),
        ("rummy5000", "melds=sets_only", False, False),
    ],
)
def test_in_a_run_the_ace_is_where_the_rules_have_it(game, words, low, high):
    options = read_options(named(game).Options, dict(word.split("=", 1) for word in words.split()))
    house = (rummy500 if game == "rummy500" else rummy5000).house_of(options)
    rules = meld_rules(house, 1, None)
    assert (is_run(rules, "AS 2S 3S"), is_run(rules, "QS KS AS"), is_run(rules, "KS AS 2S")) == (low, high, False)
    text = told(game, words)
    assert ("below the 2" in text, "above the K" in text) == (low, high)
    assert ("neither high nor low" in text) == (not high)


@pytest.mark.parametrize("game", ["damn-the-queens", "queen-of-spades"])
def test_in_games_of_sets_no_rank_is_above_another(game):
    assert "Aces are neither high nor low" in told(game)


def test_the_topic_has_the_names_it_is_asked_by():
    for topic in ("ace", "Aces", "ranks", "ranking", "card order"):
        assert render.rules("KF7", named("hearts"), named("hearts").Options(), topic) == told("hearts")
