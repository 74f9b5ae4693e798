"""Plies a second of Hearts and Spades beside OpenSpiel's. `python -m bench.tricks`

Both are driven in the same way and in the same run: one process, Python, the legal moves asked for before each ply and
one of them taken at random, a new deal when a hand is over. Each is timed in short turns, so that what else the machine
does falls on all alike; the median turn counts. A ply is a move of a player; OpenSpiel's chance nodes, by which it deals
card after card, are played but not counted, as in bench.engine. The second column is the play alone, with no deals in it.
"""

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click

from engine.tricks import hearts, spades
from engine.tricks.hearts import HEARTS_GAME
from engine.tricks.spades import SPADES_GAME

TURNS, SECONDS, HANDS = 7, 0.6, 150
AT_LEAST = 0.5  # times OpenSpiel's

Driver = Callable[[Random], int]  # plays one hand at random, says how many plies it had


def ours(game: Any, options: Any) -> Driver:
    """A hand of ours."""

    def play(chance: Random) -> int:
        return play_ours(game, game.deal(options, 4, str(chance.random()), dealer=0), chance)

    return play


def play_ours(game: Any, state: Any, chance: Random) -> int:
    """The rest of a hand of ours."""
    plies = 0
    while not state.over:
        game.play(state, state.turn, chance.choice(game.legal(state, state.turn)))
        plies += 1
    return plies


def theirs(name: str) -> Driver:
    """A hand of OpenSpiel's, which is written in C++, by its Python module."""
    import pyspiel

    game: Any = pyspiel.load_game(name)

    def play(chance: Random) -> int:
        return play_theirs(begin_theirs(game), chance)

    return play


def begin_theirs(game: Any) -> Any:
    """A hand of theirs before its deal, without passing."""
    state = game.new_initial_state()
    if game.get_type().short_name == "hearts":
        state.apply_action(0)
    return state


def play_theirs(state: Any, chance: Random) -> int:
    """The rest of a hand of theirs."""
    plies = 0
    while not state.is_terminal():
        plies += not state.is_chance_node()
        state.apply_action(chance.choice(state.legal_actions()))
    return plies


# The usual rules, but for what OpenSpiel does not know: hands are played to their end, and nobody bids blind.
GAMES = {
    "Hearts": (HEARTS_GAME, hearts.Options(early_finish="off", pass_cycle="none"), "hearts"),  # noqa: S106
    "Spades": (SPADES_GAME, spades.Options(blind_nil="off"), "spades"),
}


def measure() -> dict[str, float]:
    """Plies a second of each, by what it is called in the output."""
    drivers: dict[str, Driver] = {}
    for name, (game, options, their_name) in GAMES.items():
        drivers[name] = ours(game, options)
        drivers[f"OpenSpiel's {name}"] = theirs(their_name)
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


def measure_play() -> dict[str, float]:
    """The same without the deals, which OpenSpiel makes card by card."""
    import pyspiel

    found: dict[str, float] = {}
    for name, (game, options, their_name) in GAMES.items():
        their_game: Any = pyspiel.load_game(their_name)
        times: list[tuple[float, float]] = []
        for turn in range(TURNS):
            chance = Random(turn)
            mine = [game.deal(options, 4, str(chance.random()), dealer=0) for _ in range(HANDS)]
            dealt = [begin_theirs(their_game) for _ in range(HANDS)]
            for state in dealt:
                while state.is_chance_node():
                    state.apply_action(chance.choice(state.legal_actions()))
            began = process_time()
            plies = sum(play_ours(game, state, chance) for state in mine)
            middle = process_time()
            their_plies = sum(play_theirs(state, chance) for state in dealt)
            times.append((plies / (middle - began), their_plies / (process_time() - middle)))
        found[name] = median(own for own, _ in times)
        found[f"OpenSpiel's {name}"] = median(other for _, other in times)
    return found


def main() -> int:
    """Prints the figures; 1 where ours is not fast enough."""
    try:
        whole, play = measure(), measure_play()
    except ModuleNotFoundError as missing:
        click.echo(f"{missing.name} is not installed: make bench installs it", err=True)
        return 2
    click.echo("plies a second, random legal moves driven from Python, one process; and without the deals")
    for name in whole:
        click.echo(f"  {name:<22}{whole[name]:>9,.0f}{play[name]:>11,.0f}")
    slow = 0
    for name in GAMES:
        share, alone = (found[name] / found[f"OpenSpiel's {name}"] for found in (whole, play))
        click.echo(f"{name}: {share:.2f} of OpenSpiel's, {alone:.2f} without the deals")
        if share < AT_LEAST:
            click.echo(f"too slow: {name} should be {AT_LEAST} of OpenSpiel's at least")
            slow = 1
    return slow


if __name__ == "__main__":
    sys.exit(main())
