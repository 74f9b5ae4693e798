"""Plies a second of Damn the Queens beside the gin rummy of RLCard and of OpenSpiel. `python -m bench.engine`

All three are driven in the same way and in the same run: one process, Python, the legal moves asked for before each ply and one of
them taken at random, a new deal when a round is over. Each is timed in short turns, so that what else the machine does
falls on all alike; the median turn counts. A ply is a move of a player; OpenSpiel's chance nodes are played but not counted.

RLCard is driven as its documentation does it, by an environment that gives each player's observation with each step. Its
rules alone, and ours with the view of the player to move, are there for comparison.
"""

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click

from engine.bots import choose
from engine.bots.whole_game import play_whole_game
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS, Options

TURNS, SECONDS = 7, 0.6
AT_LEAST = 5.0  # times RLCard's

Driver = Callable[[Random], int]  # plays one round at random, says how many plies it had


def ours(chance: Random, look: bool = False) -> int:
    """A round of Damn the Queens."""
    game = DAMN_THE_QUEENS
    state = game.deal(Options(), 4, str(chance.random()))
    plies = 0
    while not state.over:
        seat = state.turn
        if look:
            game.view(state, seat)
        game.play(state, seat, chance.choice(game.legal(state, seat)))
        plies += 1
    return plies


def ours_with_views(chance: Random) -> int:
    """The same, with the view of the player to move before each ply."""
    return ours(chance, look=True)


def ours_by_bots(chance: Random) -> int:
    """A round by our bots, every card counted after each ply."""
    return len(play_whole_game(DAMN_THE_QUEENS, Options(), 4, str(chance.random()), (choose,), rounds=1).moves)


def rlcard_environment() -> Driver:
    """RLCard's gin rummy as its documentation drives it."""
    import rlcard

    env: Any = rlcard.make("gin-rummy", config={"seed": 1})

    def play(chance: Random) -> int:
        plies = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            plies += 1
        return plies

    return play


def rlcard_rules() -> Driver:
    """RLCard's gin rummy without an environment around it."""
    import numpy
    from rlcard.games.gin_rummy import Game

    game: Any = Game()
    game.np_random = numpy.random.RandomState(1)

    def play(chance: Random) -> int:
        plies = 0
        game.init_game()
        while not game.is_over():
            game.step(chance.choice(game.judge.get_legal_actions()))
            plies += 1
        return plies

    return play


def openspiel() -> Driver:
    """OpenSpiel's gin rummy, which is written in C++, by its Python module."""
    import pyspiel

    game: Any = pyspiel.load_game("gin_rummy")

    def play(chance: Random) -> int:
        plies = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            plies += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
        return plies

    return play


def measure() -> dict[str, float]:
    """Plies a second of each, by what it is called in the output."""
    drivers: dict[str, Driver] = {
        "Damn the Queens": ours,
        "RLCard's gin rummy": rlcard_environment(),
        "OpenSpiel's gin rummy": openspiel(),
        "RLCard's rules alone": rlcard_rules(),
        "Damn the Queens with views": ours_with_views,
        "Damn the Queens by bots": ours_by_bots,
    }
    turns: dict[str, list[float]] = {name: [] for name in drivers}
    for turn in range(TURNS):
        for name, play in drivers.items():
            turns[name].append(_plies_a_second(play, Random(turn)))
    return {name: median(found) for name, found in turns.items()}


def _plies_a_second(play: Driver, chance: Random) -> float:
    plies, began = 0, process_time()
    while (took := process_time() - began) < SECONDS:
        plies += play(chance)
    return plies / took


def main() -> int:
    """Prints the figures; 1 where ours is not fast enough."""
    try:
        found = measure()
    except ModuleNotFoundError as missing:
        click.echo(f"{missing.name} is not installed: make bench installs it", err=True)
        return 2
    ours_now = found["Damn the Queens"]
    click.echo("plies a second, random legal moves driven from Python, one process")
    for name, speed in found.items():
        ratio = "" if name == "Damn the Queens" else f"   Damn the Queens is {ours_now / speed:.1f} times as fast"
        click.echo(f"  {name:28}{speed:>9,.0f}{'' if name.startswith('Damn') else ratio}")
    times = ours_now / found["RLCard's gin rummy"]
    if times < AT_LEAST:
        click.echo(f"too slow: {times:.1f} times RLCard's, and it should be {AT_LEAST:.0f} at least")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
