"""In games of tricks a question whether a card may be played plays none, by whatever words for playing it is asked."""

import pytest

from engine.game import write_move
from service.text.understand import understand
from tests.text.test_understand_forms import position

DEEDS = (
    "play the king", "lay off a king", "throw off a king", "put down the king", "slough the king", "cash the king", "go with the king of clubs",
    "use my king", "lay down the king of clubs", "dump the king", "get rid of KC", "lead the king of clubs", "ruff with the king",
)  # fmt: skip


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("asked", ["can I {}", "could i {}", "may I {}", "so, should I {}", "must I {}?", "Can we {}"])
def test_what_asks_plays_nothing(asked, deed):
    reading = understand(asked.format(deed), position("hearts-trick"))
    assert (reading.moves, reading.choices) == ((), ())


@pytest.mark.parametrize("deed", ["play the king", "cash the king", "lay down the king of clubs", "use my king"])
def test_what_does_not_ask_plays_it(deed):
    (move,) = understand(deed, position("hearts-trick")).moves
    assert write_move(move) == "play KC"
