"""Which hearts and jokers of a text are cards, where one sits, and which are decoration."""

import pytest

from service.text.clean import clean
from service.text.reading import Context
from service.text.symbols import only_cards
from tests.text.test_understand_forms import position


@pytest.mark.parametrize(
    ("where", "text", "left"),
    [
        ("meld", "discard 4h ❤️", "discard 4h"),
        ("meld", "discard 4❤️", "discard 4♥"),
        ("meld", "discard 4 ❤️!", "discard 4 ♥!"),
        ("meld", "discard four of 💕", "discard four of ♥"),
        ("meld", "❤️ discard 4h 💕💕", "discard 4h"),
        ("meld", "discard the ❤️ queen", "discard the ♥ queen"),
        ("meld", "❤️ two queens", "two queens"),
        ("meld", "lay kings ❤️", "lay kings"),
        ("meld", "lay K♠️ K♥️ K♣️", "lay K♠ K♥ K♣"),
        ("meld", "lay k♠ ♥ ♣", "lay k♠ ♥ ♣"),
        ("meld", "discard 3♠️ ❤️", "discard 3♠"),
        ("meld", "4 🍀", "4"),
        ("meld", "4🍀", "4♣"),
        ("meld", "my go ♠️♥️♦️♣️", "my go"),
        ("meld", "add 9 to 9 ❤️", "add 9 to 9"),
        ("meld", "９❤️", "9♥"),
        ("draw", "pickup 9 9 ❤️", "pickup 9 9"),
        ("draw", "draw ❤️", "draw"),
        ("draw", "🃏 draw 🃏", "draw"),
        ("jokers", "discard 🃏", "discard jk"),
        ("jokers", "🃏🃏🃏", "jk jk jk"),
        ("jokers", "lay 🃏 🃏 🃏 and discard 8d 🃏", "lay jk jk jk and discard 8d"),
        ("jokers", "discard 8d and 🃏", "discard 8d and jk"),
        ("jokers", "lay kings 🃏", "lay kings jk"),
        ("hearts-trick", "🃏 king of clubs", "king of clubs"),
        ("hearts-trick", "lead a ❤️", "lead a ♥"),
        ("hearts-trick", "the lowest ❤️", "the lowest ♥"),
        ("bidding", "bid 4 ❤️", "bid 4"),
        ("draw/open", "deal ❤️", "deal"),
    ],
)
def test_symbols(where, text, left):
    assert clean(only_cards(text, position(where))) == left


def test_at_no_table_there_are_no_cards():
    assert clean(only_cards("new hearts 4 ❤️ 🃏", Context())) == "new hearts 4"
