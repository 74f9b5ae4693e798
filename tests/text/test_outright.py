"""The short way for `draw` and `discard 4H` gives what the long way gives, wherever it gives anything."""

from collections import Counter

import pytest

from engine import bots
from engine.cards import card_name
from engine.registry import GAMES
from service.text.outright import outright
from service.text.reading import Context
from service.text.understand import the_long_way
from tests.text.test_understand import POSITIONS, at

NAMES = ("Ann", "Bea", "Cy", "Dot", "Eve", "P6")
TEXTS = [
    "draw",
    "Draw",
    "DRAW",
    *(f"{word} {card_name(card)}" for card in range(52) for word in ("discard", "Discard")),
]
TEXTS += [text.replace(" T", " 10") for text in TEXTS if " T" in text] + [text.lower() for text in TEXTS]


def compared(context: Context) -> Counter[str]:
    """How many texts the short way read, and how many it left to the long one."""
    seen: Counter[str] = Counter()
    for text in TEXTS:
        short = outright(text, context)
        if short is not None:
            assert short == the_long_way(text, context), text
        seen["read" if short else "left"] += 1
    return seen


@pytest.mark.parametrize("name", POSITIONS)
def test_at_the_positions_of_the_corpus(name):
    compared(at(name))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_all_through_a_game(game):
    seats = 4
    state = game.deal(game.Options(), seats, "7")
    seen: Counter[str] = Counter()
    for _ in range(60):
        if state.over:
            if state.ended:
                break
            game.next_round(state)
        seat = game.waiting(state)[0]
        for one in {seat, (seat + 1) % seats}:
            seen += compared(Context(game, state, one, NAMES[:seats], "KF7", ("KF7",), "playing"))
        legal = game.legal(state, seat)
        game.play(state, seat, bots.choose(game.view(state, seat), legal))
    assert bool(seen["read"]) == ("discard" in game.verbs)


def test_the_answer_to_a_question_goes_the_long_way():
    context = at("draw")
    assert outright("draw", context) is not None
    asked = Context(**{**vars(context), "pending": ("draw", "pickup 9S 9C")})
    assert outright("draw", asked) is None
