"""The games of `queenline simulate --game damn-the-queens --seed 1 --games 1000`, each added up again."""

import os

import pytest

from commands.simulate import read_job
from engine.bots.whole_game import play_whole_game
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as GAME
from engine.rummy.damn_the_queens_table import Options
from tests.recount import Recount

GAMES = int(os.environ.get("QUEENLINE_GAMES", "80"))


@pytest.mark.parametrize("first", range(0, GAMES, GAMES // 4))
def test_no_game_stalls_no_move_is_refused_no_card_is_lost_and_the_scores_are_right(first):
    job = read_job("damn-the-queens", None, "1", "")
    for number in range(first, first + GAMES // 4):
        # Counts the cards after each move.
        played = play_whole_game(GAME, Options(), job.players, f"{job.seed}/{number}")
        assert played.state.ended
        assert Recount.of(played).scores == played.state.scores
        high, low = max(played.state.scores), min(played.state.scores)
        assert high >= 1000
        assert high > low
        assert played.state.winners == (played.state.scores.index(high),)
