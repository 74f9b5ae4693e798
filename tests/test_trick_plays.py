"""What a card would do to a trick, plays planned ahead, and the queen of spades that is asked about: from what a seat sees."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.record_file import read_file
from engine.cards import QUEEN_OF_SPADES, read_card
from engine.game import rules_of, write_move
from engine.record import begin, parse
from engine.registry import named
from engine.tricks import plays
from service.text import plans
from service.text.understand import Context, understand
from tests import tricks
from tests.examples import examples

PLAYS = Path(__file__).parent / "plays"
GAMES = ("hearts", "spades", "gong-zhu")
WAITING = ("low club", "high heart", "low spade", "qs on the first chance", "10c on the first chance", "follow low")


def at(trick, hand, more="", game="hearts"):
    """Ann's turn, with these cards on the table and in her hand."""
    lines = [
        f"game: {game}",
        "options: direction=clockwise" if game == "gong-zhu" else "",
        "seats: Ann Bea Cy Dot",
        "phase: play",
        f"hand Ann: {hand}",
        "turn: Ann",
        *more.split("; "),
    ]
    return begin(parse("\n".join(filter(None, [*lines, f"trick: {trick}" if trick else ""])) + "\n")).state


def seen(state, game="hearts"):
    return named(game).view(state, 0), named(game).legal(state, 0)


@settings(max_examples=examples(80))
@given(st.sampled_from(GAMES), st.integers(0, 100_000))
def test_a_card_takes_the_trick_where_the_game_says_so(name, seed):
    """Against the game's own word for it: who wins the trick as it lies once the card is played."""
    game: Any = named(name)
    chance = Random(seed)
    seats = chance.choice(game.seats)
    state = tricks.walk(game, tricks.random_rules(game, seats, chance), seats, chance, chance.randrange(120))
    if state.phase != "play" or not state.trick:
        return
    seat = state.turn
    view = game.view(state, seat)
    for move in game.legal(state, seat):
        after = game.copy(state)
        after.trick.append((seat, move.cards[0]))
        assert plays.takes(view, move.cards[0]) == (game._winner(after) == seat), write_move(move)


@pytest.mark.parametrize("name", GAMES)
def test_every_house_rule_is_in_a_recorded_whole_game(name):
    """At another value than the usual one, so that a change of what it does is noticed."""
    changed = {option.name for path in PLAYS.glob(f"{name}*.hand") for option in changes(read_file(path).options)}
    assert {option.name for option in rules_of(named(name).Options)} - changed == set()


def changes(options):
    return [option for option in rules_of(options) if getattr(options, option.name) != option.default]


# Plans


@pytest.mark.parametrize(
    ("plan", "trick", "hand", "played"),
    [
        ("low club", "Dot 5C", "KC 3C 7C 2D", "3C"),
        ("high club", "Dot 5C", "KC 3C 7C 2D", "KC"),
        ("low club", "Dot 5D", "KC 3C 7C 2D", None),
        ("low club", "Dot 5D", "KC 3C 7C", None),  # thrown off, but clubs were not led
        ("low club", "", "KC 3C 7C 2D", None),  # it does not lead
        ("qs on the first chance", "Dot 5D", "QS 3C 7C", "QS"),
        ("qs on the first chance", "Dot 5D", "QS 3C 7D", None),
        ("qs on the first chance", "Cy 5S, Dot KS", "QS 3S 7D", "QS"),
        ("qs on the first chance", "Cy 5S, Dot 6S", "QS 3S 7D", None),
        ("qs on the first chance", "Cy 5S, Dot 6S", "QS 7D", None),  # left to the player, though there is no choice
        ("qs on the first chance", "", "QS 7D", None),
        ("10h on the first chance", "Dot KH", "TH 2H QS", "TH"),
        ("10h on the first chance", "Dot 9H", "TH 2H QS", None),
        ("follow low", "Dot 9H", "TH 2H QS", "2H"),
        ("follow low", "Dot 9C", "TH 2H QS", None),
        ("follow low", "", "TH 2H QS", None),
        ("follow low", "Dot 9S", "QS AS 2H", "QS"),  # no duck there: the lowest is what was planned
    ],
)
def test_a_plan_waits_for_its_moment(plan, trick, hand, played):
    move = plans.due(plan, *seen(at(trick, hand, "taken Bea: 2S")))
    assert (None if move is None else move.cards) == (None if played is None else (read_card(played),))


@pytest.mark.parametrize(
    ("plan", "hand", "past"),
    [
        ("low club", "3C 4D", False), ("low club", "3D 4D", True), ("follow low", "3D", False),
        ("qs on the first chance", "QS 4D", False), ("qs on the first chance", "KS 4D", True),
        ("play 4d", "QS 4D", False), ("play 4d", "QS", True),
    ],
)  # fmt: skip
def test_a_plan_is_over_when_its_card_or_suit_is_gone(plan, hand, past):
    assert plans.past(plan, seen(at("", hand, "taken Bea: 2S"))[0]) == past


@settings(max_examples=examples(60))
@given(st.sampled_from(GAMES), st.integers(0, 100_000))
def test_a_plan_plays_what_is_legal_and_never_leads_or_takes_the_queen(name, seed):
    game = named(name)
    chance = Random(seed)
    seats = chance.choice(game.seats)
    state = tricks.walk(game, tricks.random_rules(game, seats, chance), seats, chance, chance.randrange(150))
    for seat in game.waiting(state):
        view, legal = game.view(state, seat), game.legal(state, seat)
        for plan in WAITING:
            move = plans.due(plan, view, legal)
            if move is None:
                continue
            assert move in legal
            assert view.trick
            assert plays.own_queen(view, move.cards[0], legal) is None
            if plan.endswith(plans.FIRST_CHANCE):
                assert not plays.takes(view, move.cards[0])
            else:
                assert move.cards[0] & 3 == view.trick[0][1] & 3


@pytest.mark.parametrize(
    ("words", "plan"),
    [
        ("low club", "low club"), ("my lowest club", "low club"), ("low clubs when they are led", "low club"),
        ("low if clubs are led", "low club"), ("play my smallest heart if hearts come", "low heart"),
        ("high spade", "high spade"), ("qs on the first chance", "qs on the first chance"),
        ("QS first chance", "qs on the first chance"), ("the queen as soon as I can", "qs on the first chance"),
        ("dump the black lady asap", "qs on the first chance"), ("throw 10h when I can", "10h on the first chance"),
        ("follow low", "follow low"), ("follow suit with my lowest", "follow low"), ("always low", "follow low"),
        ("7c", "play 7c"), ("the seven of clubs", "play 7c"), ("play ten of hearts", "play 10h"),
        ("low", None), ("draw", None), ("qs kh", None), ("the party", None), ("", None), ("club", None),
    ],
)  # fmt: skip
def test_plans_as_people_write_them(words, plan):
    read = plans.read(words, "hearts")
    assert read == plan
    if read is not None:
        assert plans.read(read.upper(), "hearts") == read  # as it is shown, it may be sent again
        assert plans.explained(read)


def test_where_the_queen_is_an_ordinary_card_she_has_no_other_name():
    assert plans.read("the lady on the first chance", "spades") is None
    assert plans.read("qs on the first chance", "spades") == "qs on the first chance"


# The queen of spades on one's own trick

LAST = "Bea 2S, Cy 4S, Dot TS"
HEARTS_OF_ANN = "taken Ann: 2H 3H 4H"


@pytest.mark.parametrize(
    ("trick", "hand", "more", "duck"),
    [
        (LAST, "QS 9S KS", "", "9S"),
        (LAST, "QS 9S 3S", "", "9S"),
        ("Dot TS", "QS 9S", "", "9S"),  # she has it so far, and those who follow may have none
        (LAST, "QS KS", "", None),  # no duck: either takes it
        (LAST, "QS 4D", "", None),
        ("Cy 2S, Dot KS", "QS 9S", "", None),  # under the king
        ("Dot 5C", "QS 9S", "", None),  # thrown off
        ("", "QS 9S", "", None),  # led
        (LAST, "QS 9S", HEARTS_OF_ANN, None),  # she may mean the moon
        (LAST, "QS 9S", "taken Ann: 2H; taken Cy: 3H", "9S"),
        (LAST, "QS 9S", "taken Cy: 2H 3H 4H 5H", "9S"),
        (LAST, "QS 9S", "taken Cy: 2H 3H 4H 5H 6H", None),  # she may have to stop Cy
    ],
)
@pytest.mark.parametrize("game", ["hearts", "gong-zhu"])
def test_the_queen_onto_ones_own_trick(game, trick, hand, more, duck):
    view, legal = seen(at(trick, hand, more or "taken Bea: 2D 3D", game), game)
    found = plays.own_queen(view, QUEEN_OF_SPADES, legal)
    assert (None if found is None else found.cards[0]) == (None if duck is None else read_card(duck))
    for move in legal:
        if move.cards[0] != QUEEN_OF_SPADES:
            assert plays.own_queen(view, move.cards[0], legal) is None


def test_in_spades_she_may_take_what_she_likes():
    bids = "; ".join(f"bid {name}: 3" for name in ("Ann", "Bea", "Cy", "Dot"))
    view, legal = seen(at(LAST, "QS 9S", bids, "spades"), "spades")
    assert plays.own_queen(view, QUEEN_OF_SPADES, legal) is None


def test_she_is_asked_about_once():
    state = at(LAST, "QS 9S KS", "taken Bea: 2D 3D")
    context = Context(named("hearts"), state, 0, ("Ann", "Bea", "Cy", "Dot"), "KF7", ("KF7",), "playing")
    asked = understand("throw the queen", context)
    assert (asked.kind, asked.sure, asked.choices, asked.moves) == ("ask", True, ("play QS",), ())
    assert asked.hint == "You would take the queen yourself. PLAY QS again to do it, or 9S ducks."
    again = Context(
        named("hearts"), state, 0, ("Ann", "Bea", "Cy", "Dot"), "KF7", ("KF7",), "playing", (), asked.choices
    )
    for answer in ("throw the queen", "qs", "play qs", "queen", "sure", "ok", "y", "1", "do it"):
        assert [write_move(move) for move in understand(answer, again).moves] == ["play QS"], answer
    for instead in ("9s", "duck", "low"):
        assert [write_move(move) for move in understand(instead, again).moves] == ["play 9S"], instead
    for neither in ("no", "yes", "wait", "hand", "why"):
        assert not understand(neither, again).moves, neither
