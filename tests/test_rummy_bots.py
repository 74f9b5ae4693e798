"""The bots of the rummy games are decent: on the same deals they score more than players who move at random."""

from statistics import fmean

import pytest

from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import play_whole_game
from engine.rummy.george import GEORGE
from engine.rummy.queen_of_spades import QUEEN_OF_SPADES_RUMMY
from engine.rummy.rummy500 import RUMMY_500
from engine.rummy.rummy5000 import RUMMY_5000


def advantage(game, options, deals, seats=4):
    """Points a round and player by which our bots beat players at random: every deal is played twice, seats swapped."""
    gains = []
    for number in range(deals):
        for ours in (0, 1):
            players = [choose, mover(str(number))] if ours == 0 else [mover(str(number)), choose]
            points = play_whole_game(game, options, seats, f"match/{number}", players, rounds=1).state.earned
            gains.append(fmean(points[ours::2]) - fmean(points[1 - ours :: 2]))
    return fmean(gains)


@pytest.mark.parametrize(
    ("game", "least"),
    [(RUMMY_500, 20), (RUMMY_5000, 50), (GEORGE, 50), (QUEEN_OF_SPADES_RUMMY, 50)],
    ids=lambda value: getattr(value, "name", None),
)
def test_beats_players_who_move_at_random(game, least):
    assert advantage(game, game.Options(), deals=15) > least
