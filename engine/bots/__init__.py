"""Players that are no people. Each chooses from what its seat can see, never from the state of the table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.bots import damn_the_queens, gong_zhu, hearts, queen_of_spades, run_rummy, spades
from engine.game import Move

Chooser = Callable[[Any, Sequence[Move]], Move]
BOTS: Mapping[str, Chooser] = {
    "damn-the-queens": damn_the_queens.choose,
    "queen-of-spades": queen_of_spades.choose,
    "rummy5000": run_rummy.choose,
    "george": run_rummy.choose,
    "rummy500": run_rummy.choose,
    "hearts": hearts.choose,
    "gong-zhu": gong_zhu.choose,
    "spades": spades.choose,
}


def choose(view: Any, legal: Sequence[Move]) -> Move:
    """The move of the bot of this view's game: one of `legal`, the legal moves of the view's seat. Same view, same move."""
    return BOTS[view.game](view, legal)
