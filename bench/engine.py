"""Plies a second of our rummy games beside the gin rummy of RLCard and of OpenSpiel. `python -m bench.engine`

All are driven in the same way and in the same run: one process, Python, the legal moves asked for before each ply and one of
them taken at random, a new deal when a round is over. Each is timed in short turns, so that what else the machine does
falls on all alike; the median turn counts. A ply is a move of a player; OpenSpiel's chance nodes are played but not counted.

RLCard is driven as its documentation does it, by an environment that gives each player's observation with each step. Its
rules alone, and ours with the view of the player to move, are there for comparison. Ours have four players and the usual
house rules; a round counts from the shuffle to the score.

Below stands what a ply of a long game costs at its beginning and at its end: it must not grow with what was played.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click

from engine.bots import choose
from engine.bots.whole_game import play_whole_game
from engine.game import rules_of
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from engine.rummy.rummy500 import RUMMY_500
from engine.rummy.rummy5000 import RUMMY_5000

GAMES: Sequence[Any] = (DAMN_THE_QUEENS, RUMMY_500, RUMMY_5000)
PLAYERS = 4
TURNS, SECONDS = 7, 0.6
AT_LEAST = 5.0  # times RLCard's
RLCARD = "RLCard's gin rummy"
ROUNDS, LONG_GAMES = 200, 3
NO_MORE_THAN = 1.3  # times a ply at the beginning: rounds differ by their cards

Driver = Callable[[Random], int]  # plays one round at random, says how many plies it had


def ours(game: Any, look: bool = False) -> Driver:
    """A round of one of our games, four players at the table; with `look`, the view of the player to move before each ply."""
    options = game.Options()

    def play(chance: Random) -> int:
        return play_on(game, game.deal(options, PLAYERS, str(chance.random())), chance, look)

    return play


def play_on(game: Any, state: Any, chance: Random, look: bool = False) -> int:
    """The rest of a round."""
    plies = 0
    while not state.over:
        seat = state.turn
        if look:
            game.view(state, seat)
        game.play(state, seat, chance.choice(game.legal(state, seat)))
        plies += 1
    return plies


def ours_by_bots(chance: Random) -> int:
    """A round of Damn the Queens by our bots, every card counted after each ply."""
    game = DAMN_THE_QUEENS
    return len(play_whole_game(game, game.Options(), PLAYERS, str(chance.random()), (choose,), rounds=1).moves)


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
    drivers: dict[str, Driver] = {game.title: ours(game) for game in GAMES}
    drivers |= {
        RLCARD: rlcard_environment(),
        "OpenSpiel's gin rummy": openspiel(),
        "RLCard's rules alone": rlcard_rules(),
    }
    drivers |= {f"{game.title} with views": ours(game, look=True) for game in GAMES}
    drivers["Damn the Queens by bots"] = ours_by_bots
    turns: dict[str, list[float]] = {name: [] for name in drivers}
    for turn in range(TURNS):
        for name, play in drivers.items():
            turns[name].append(_plies_a_second(play, Random(turn)))
    return {name: median(found) for name, found in turns.items()}


def long_game(game: Any) -> tuple[float, float]:
    """Microseconds a ply in the first and in the last tenth of a game of ROUNDS rounds: of several games' rounds the median."""
    most = max(rule.choice.high for rule in rules_of(game.Options) if rule.name == "target")
    first: list[float] = []
    last: list[float] = []
    for number in range(LONG_GAMES):
        chance = Random(number)
        state = game.deal(game.Options(target=most), PLAYERS, str(number))
        took: list[float] = []
        for _ in range(ROUNDS):
            began = process_time()
            plies = play_on(game, state, chance)
            took.append((process_time() - began) / plies * 1e6)
            if state.ended:
                break
            game.next_round(state)
        tenth = len(took) // 10
        first += took[:tenth]
        last += took[-tenth:]
    return median(first), median(last)


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
    titles = [game.title for game in GAMES]
    click.echo(
        "plies a second, random legal moves driven from Python, one process; and how many times RLCard's that is"
    )
    for name, speed in found.items():
        click.echo(f"  {name:28}{speed:>9,.0f}{speed / found[RLCARD]:>7.1f}")
    slow = 0
    for title in titles:
        times = found[title] / found[RLCARD]
        if times < AT_LEAST:
            click.echo(f"too slow: {title} is {times:.1f} times RLCard's, and it should be {AT_LEAST:.0f} at least")
            slow = 1
    click.echo(f"microseconds a ply in the first and in the last tenth of {ROUNDS} rounds, {LONG_GAMES} games")
    for game in GAMES:
        first, last = long_game(game)
        click.echo(f"  {game.title:28}{first:>9.1f}{last:>7.1f}")
        if last > first * NO_MORE_THAN:
            click.echo(f"too slow: a ply of {game.title} costs more the longer the game")
            slow = 1
    return slow


if __name__ == "__main__":
    sys.exit(main())
