"""What our own texts tell players to send is understood: as it is printed, and in small letters."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.bots import choose
from engine.bots.random_play import mover
from engine.cards import QUEEN_OF_SPADES, WILD
from engine.game import write_move
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as DAMN
from service.text import render, sets, speech
from service.text.understand import Context, understand
from tests.examples import SHARE

NAMES = ("Ann", "Bea", "Cy", "Dot")

SEEDS = 4 // SHARE


def positions(seed, game=DAMN):
    """Positions of a game, each with the legal moves of whose turn it is; bots and chance take turns."""
    state = game.deal(game.Options(), 4 if 4 in game.seats else game.seats[0], f"own words {seed}")
    rng, at_random = Random(seed), mover(f"own words {seed}")
    for _ in range(120):
        if state.over:
            if state.ended:
                return
            game.next_round(state)
        seat = game.waiting(state)[0]
        legal = game.legal(state, seat)
        yield Context(game, state, seat, NAMES, "KF7", ("KF7",), "playing"), legal
        view = game.view(state, seat)
        move = at_random(view, legal) if rng.random() < 0.3 else choose(view, legal)
        game.play(state, seat, move)


def alike(move, other):
    """The same to the rules: the same ranks to the same place, the queen of spades and the wild only where named."""
    faces = [
        Counter(card if card in (QUEEN_OF_SPADES, WILD) else card >> 2 for card in each.cards) for each in (move, other)
    ]
    return (move.verb, move.to, faces[0]) == (other.verb, other.to, faces[1])


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("game", speech.offered(), ids=lambda game: game.name)
def test_a_suggested_move_is_understood(game, seed):
    for context, legal in positions(seed, game):
        for move in legal[:50]:
            words = speech.of(game.name).command(move)
            for text in (words, words.lower(), words.capitalize()):
                reading = understand(text, context)
                if reading.sure:  # the queen onto one's own trick: asked once, and played when it is said again
                    assert move.cards == (QUEEN_OF_SPADES,)
                    reading = understand(text, replace(context, pending=reading.choices))
                assert reading.kind == "moves", (text, reading)
                assert len(reading.moves) == 1, (text, reading.moves)
                same = alike(reading.moves[0], move) if "pickup" in game.verbs else reading.moves[0] == move
                assert same, (text, reading.moves)


@pytest.mark.parametrize("seed", range(4, 4 + SEEDS))
def test_each_way_to_go_on_is_understood(seed):
    for context, legal in positions(seed):
        ways = sets.can(DAMN.view(context.state, context.seat), legal).rstrip(".")
        for way in ways.replace(" or ", ", ").split(", "):
            for text in (way, way.lower()):
                reading = understand(text, context)
                if way in ("DISCARD", "DISCARD one"):
                    assert len(reading.choices) > 1 or len(reading.moves) == 1
                elif way == "ADD W" or text.startswith("add a "):  # to more than one set; a nine, or an ace and a nine
                    assert reading.kind in ("ask", "moves"), (text, reading)
                else:
                    assert reading.kind == "moves", (text, reading)


@pytest.mark.parametrize("seed", range(8, 8 + SEEDS))
def test_a_numbered_choice_is_understood_by_its_words(seed):
    for context, legal in positions(seed):
        for move in legal:
            words = render.choice_words(write_move(move))
            for text in (words, words.lower()):
                reading = understand(text, context)
                if len(move.cards) == 1 and text.islower() and reading.kind == "ask":  # add 9s: the spade, or nines
                    assert write_move(move) in reading.choices, (text, reading)
                else:
                    assert [write_move(each) for each in reading.moves] == [write_move(move)], (text, reading)
