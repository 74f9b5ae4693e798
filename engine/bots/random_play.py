"""A player without a plan, for tests and benchmarks: any legal move, by a seed."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from engine.game import Move


def mover(seed: str) -> Callable[[Any, Sequence[Move]], Move]:
    """A chooser of random legal moves; the same seed and the same questions give the same answers."""
    chance = Random(seed)

    def choose(view: Any, legal: Sequence[Move]) -> Move:  # noqa: ARG001 -- the shape of every chooser
        return chance.choice(legal)

    return choose
