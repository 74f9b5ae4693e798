"""Plies a second of Hearts and Spades beside OpenSpiel's. `python -m bench.tricks`

Both are driven in the same way and in the same run: one process, Python, the legal moves asked for before each ply and
one of them taken at random, a new deal when a hand is over. Each is timed in short turns, so that what else the machine
does falls on all alike; the median turn counts. A ply is a move of a player; OpenSpiel's chance nodes, by which it deals
card after card, are played but not counted. The second column is the play of the cards alone, with no deals in it.
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

TURNS, SECONDS = 7, 0.6
AT_LEAST = 0.5  # times OpenSpiel's

Deal = Callable[[Random], Any]
Play = Callable[[Any, Random], int]  # plays a hand at random, says how many plies it had


def deal_hearts(chance: Random) -> Any:
    """A hand of Hearts without passing, played to its end as OpenSpiel plays it."""
    options = hearts.Options(early_finish="off", pass_cycle="none")  # noqa: S106 -- no password
    return HEARTS_GAME.deal(options, 4, str(chance.random()), dealer=0)


def play_ours(game: Any) -> Play:
    """A hand of ours, at random."""

    def play(state: Any, chance: Random) -> int:
        plies = 0
        while not state.over:
            seat = state.turn
            game.play(state, seat, chance.choice(game.legal(state, seat)))
            plies += 1
        return plies

    return play


def deal_spades(chance: Random) -> Any:
    """A hand of Spades where nobody bids blind, as OpenSpiel knows no such bid."""
    return SPADES_GAME.deal(spades.Options(blind_nil="off"), 4, str(chance.random()), dealer=0)


def deal_theirs(name: str) -> Deal:
    """OpenSpiel's game, its cards dealt."""
    import pyspiel

    game: Any = pyspiel.load_game(name)

    def deal(chance: Random) -> Any:
        state = game.new_initial_state()
        if name == "hearts":
            state.apply_action(0)  # no pass
        while state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        return state

    return deal


def play_theirs(state: Any, chance: Random) -> int:
    """A hand of OpenSpiel's, at random."""
    plies = 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        plies += 1
    return plies


def measure() -> dict[str, tuple[float, float]]:
    """Plies a second of each, by what it is called in the output: deals counted in, and the play alone."""
    drivers: dict[str, tuple[Deal, Play]] = {
        "Hearts": (deal_hearts, play_ours(HEARTS_GAME)),
        "OpenSpiel's Hearts": (deal_theirs("hearts"), play_theirs),
        "Spades": (deal_spades, play_ours(SPADES_GAME)),
        "OpenSpiel's Spades": (deal_theirs("spades"), play_theirs),
    }
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in drivers}
    for turn in range(TURNS):
        for name, (deal, play) in drivers.items():
            turns[name].append(_plies_a_second(deal, play, Random(turn)))
    return {name: (median(w for w, _ in found), median(p for _, p in found)) for name, found in turns.items()}


def _plies_a_second(deal: Deal, play: Play, chance: Random) -> tuple[float, float]:
    plies, playing, began = 0, 0.0, process_time()
    while (took := process_time() - began) < SECONDS:
        states = [deal(chance) for _ in range(20)]
        dealt = process_time()
        for state in states:
            plies += play(state, chance)
        playing += process_time() - dealt
    return plies / took, plies / playing


def main() -> int:
    """Prints the figures; 1 where ours is not fast enough."""
    try:
        found = measure()
    except ModuleNotFoundError as missing:
        click.echo(f"{missing.name} is not installed: make bench installs it", err=True)
        return 2
    click.echo("plies a second, random legal moves driven from Python, one process; and the play of the cards alone")
    for name, (whole, play) in found.items():
        click.echo(f"  {name:<22} {whole:>10,.0f} {play:>10,.0f}")
    slow = 0
    for name in ("Hearts", "Spades"):
        share, alone = (ours / theirs for ours, theirs in zip(found[name], found[f"OpenSpiel's {name}"], strict=True))
        click.echo(f"{name}: {share:.2f} of OpenSpiel's, {alone:.2f} in the play alone")
        if share < AT_LEAST:
            click.echo(f"too slow: {name} should be {AT_LEAST} of OpenSpiel's at least")
            slow = 1
    return slow


if __name__ == "__main__":
    sys.exit(main())
