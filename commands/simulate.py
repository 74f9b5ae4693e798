"""`queenline simulate`: bots play whole games, and every card is counted after every move."""

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from time import perf_counter
from typing import Any

import click

from engine.bots import BOTS
from engine.bots.whole_game import Played, WentWrong, play_whole_game
from engine.game import Game, Refusal, read_options, write_move, write_options
from engine.record import of_game, write
from engine.registry import GAMES, find

WORTH_A_PROCESS = 40  # games; fewer are played sooner than a process starts
NAMES = ("Ann", "Bea", "Cy", "Dot", "Eve", "P6", "P7", "P8", "P9", "P10", "P11", "P12")


@dataclass(frozen=True)
class Job:
    """What to play: the game, its house rules and who sits there. Processes get it by name and words."""

    game: str
    options: str
    players: int
    seed: str


@dataclass(frozen=True)
class Outcome:
    """One game: what came of it, or what went wrong and its record up to there."""

    seed: str
    rounds: int
    moves: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    wrong: str = ""
    record: str = ""


@click.command()
@click.option("--game", "name", required=True, metavar="G", help=f"The game: {', '.join(BOTS)}.")
@click.option("--players", type=int, metavar="N", help="How many play; left out: the game's usual number.")
@click.option("--seed", default="1", show_default=True, metavar="S", help="The decks: game K is dealt from S/K.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, metavar="K", help="How many games.")
@click.option("--options", "words", default="", metavar="'NAME=VALUE ...'", help="House rules, as in a record.")
@click.option("--texts", is_flag=True, help="Through the texts that people would send and get, which are counted.")
@click.option(
    "--auto", is_flag=True, help="With --texts: forced moves are left to the service, as they are by default."
)
@click.option("--people", type=click.IntRange(1), metavar="N", help="With --texts: so many have phones, bots the rest.")
@click.option(
    "--answers", type=click.Choice(["on", "off"]), default="on", show_default=True,
    help="With --texts: whether people want an answer to every play.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    players: int | None,
    seed: str,
    games: int,
    words: str,
    texts: bool,
    auto: bool,
    people: int | None,
    answers: str,
    as_json: bool,
) -> None:
    """Play whole games to their target, bots on all seats, and print how they went.

    Where a move is refused, a card is missing or a game does not end, its seed and its record are printed; exit code 1.
    """
    job = read_job(name, players, seed, words)
    if texts:
        from commands.simulate_texts import People, report  # a whole service, which the games alone do without

        phones = job.players if people is None else people
        if phones > job.players:
            raise click.UsageError(f"--people {phones} are more than the {job.players} who play")
        report(ctx, job.game, job.options, People(job.players, phones, auto, answers == "on"), job.seed, games, as_json)
        return
    began = perf_counter()
    outcomes = list(play_all(job, games))
    seconds = perf_counter() - began
    figures = count(job, outcomes) | {"seconds": round(seconds, 2)}
    figures["moves_per_second"] = round(figures["moves"] / seconds)
    wrong = [outcome for outcome in outcomes if outcome.wrong]
    if as_json:
        figures["wrong"] = [{"seed": o.seed, "wrong": o.wrong, "record": o.record} for o in wrong]
        click.echo(json.dumps(figures))
    else:
        click.echo(describe(job, figures))
        for outcome in wrong:
            click.echo(f"\nseed {outcome.seed}: {outcome.wrong}\n{outcome.record}")
    ctx.exit(1 if wrong else 0)


def read_job(name: str, players: int | None, seed: str, words: str) -> Job:
    """What the options ask for. UsageError says in one sentence what would work."""
    game = find(name)
    if game is None:
        raise click.UsageError(f"there is no game {name!r}; there are: {', '.join(g.name for g in GAMES)}")
    if game.name not in BOTS:
        raise click.UsageError(f"no bot plays {game.title} yet; bots play {', '.join(BOTS)}")
    players = game.seats[0] if players is None else players
    if players not in game.seats:
        raise click.UsageError(f"{game.title} is for {_either(map(str, game.seats))} players, not {players}")
    given = {}
    for word in words.split():
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"--options takes words such as target=500, not {word!r}")
        given[key] = value
    try:
        options = read_options(game.Options, given)
    except Refusal as refusal:
        raise click.UsageError(refusal.hint) from None
    if not seed or seed.split() != [seed] or "#" in seed:
        raise click.UsageError("--seed is one word, such as 1")
    return Job(game.name, write_options(options), players, seed)


def _either(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def the_game(job: Job) -> tuple[Game, Any]:
    """The game and its house rules."""
    game = find(job.game)
    assert game is not None
    return game, read_options(game.Options, dict(word.split("=", 1) for word in job.options.split()))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_all(job: Job, games: int) -> Iterator[Outcome]:
    """Every game, in order; on all processors where there are enough of them."""
    processes = min(processors(), games)
    if processes == 1 or games < WORTH_A_PROCESS:
        yield from map(partial(play_one, job), range(games))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(partial(play_one, job), range(games), chunksize=max(1, games // (processes * 8)))


def play_one(job: Job, number: int) -> Outcome:
    """One game to its end."""
    game, options = the_game(job)
    wrong = ""
    try:
        played = play_whole_game(game, options, job.players, f"{job.seed}/{number}")
    except WentWrong as error:
        played, wrong = error.played, error.what
    view = game.view(played.state, None)
    if not wrong and not view.ended:
        wrong = "the game has not ended"
    return Outcome(
        played.seed, played.rounds, len(played.moves), tuple(view.scores), tuple(view.winners), wrong,
        record_of(played, wrong) if wrong else "",
    )  # fmt: skip


def record_of(played: Played, title: str = "") -> str:
    """The game as a record, from its seed."""
    lines = [(seat, write_move(move)) for seat, move in played.moves]
    names = NAMES[: played.seats]
    return write(
        of_game(played.game, played.options, names, lines, seed=played.seed, dealer=played.dealer, title=title)
    )


def count(job: Job, outcomes: list[Outcome]) -> dict[str, Any]:
    """The figures of these games."""
    game, options = the_game(job)
    sides = len(game.sides(options, job.players))
    finished = [outcome for outcome in outcomes if not outcome.wrong]
    rounds, moves = sum(o.rounds for o in outcomes), sum(o.moves for o in outcomes)
    return {
        "game": job.game,
        "players": job.players,
        "options": job.options,
        "seed": job.seed,
        "games": len(outcomes),
        "finished": len(finished),
        "rounds": rounds,
        "rounds_a_game": round(rounds / len(outcomes), 2),
        "moves": moves,
        "moves_a_round": round(moves / rounds, 1),
        "wins": [sum(side in o.winners for o in finished) for side in range(sides)],
        "winning_score": round(fmean(max(o.scores) for o in finished), 1) if finished else None,
        "losing_score": round(fmean(min(o.scores) for o in finished), 1) if finished else None,
        "scores": [o.scores for o in outcomes],
    }


def describe(job: Job, figures: dict[str, Any]) -> str:
    """The figures as a few lines."""
    game, options = the_game(job)
    sides = game.sides(options, job.players)
    names = ["+".join(NAMES[seat] for seat in side) for side in sides]
    won = ", ".join(f"{name} won {wins:,}" for name, wins in zip(names, figures["wins"], strict=True))
    house_rules = f", {job.options}" if job.options else ""
    rounds = f"{figures['rounds']:,} rounds ({figures['rounds_a_game']} a game)"
    moves = f"{figures['moves']:,} moves ({figures['moves_a_round']} a round)"
    lines = [
        f"{figures['finished']:,} of {figures['games']:,} games of {game.title} to the end, seed {job.seed}{house_rules}",
        f"{rounds}, {moves}",
        won,
    ]
    if figures["finished"]:
        lines.append(f"on average the winner has {figures['winning_score']}, the last {figures['losing_score']}")
    lines.append(f"{figures['seconds']} s, {figures['moves_per_second']:,} moves a second, cards counted after each")
    return "\n".join(lines)
