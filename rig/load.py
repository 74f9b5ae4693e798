"""How many texts a second: `make load`, which is python -m rig.load [--quick] [--tables 1000 --tables 1000000] [--json].

Signed texts come at a fixed rate, each a legal move of Damn the Queens at one of a thousand tables with four phones each,
whether or not those before have been answered (`rig.pace`). The rate is doubled until a second is no longer enough for
99 of 100, and then halved in on; one web process and two take turns, so that both meet the machine as it is. The service is the real one on loopback: gunicorn, Valkey for the bell, PostgreSQL or
SQLite as durable as an operator's. No worker sends the texts that are written, unless there are --workers: what one
machine can answer is looked for, and sending is another's work.

All share this machine's processors, and so does the sending. What each part takes of them stands beside every figure.
"""

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import click

from rig import processor
from rig.crowd import Crowd, Line, fill
from rig.pace import Paced, Timed, send
from rig.servers import ACCOUNT, OURS, PUBLIC, TOKEN, Rig, Web
from service.carrier import Answer, Carrier
from service.db import make_engine

TABLES = 1000  # at which phones play
AT_MOST = 1.0  # seconds, for 99 of 100 texts
FIRST = 20.0  # texts a second
NEAR = 1.04  # the highest rate is known when the lowest that is too high is no more than so many times it
WARM_UP = 3.0
FULL = 0.9  # of the processors: a service that has the rest to itself is short of them
DURABLE = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
    "shared_buffers": "512MB",
}
SHARES = (50.0, 95.0, 99.0, 99.9, 100.0)


class Step(NamedTuple):
    """One rate, for some seconds."""

    rate: float
    texts: int  # that were answered
    latency: dict[str, float]  # milliseconds, by percentile
    errors: int  # answers that were not 200, or none
    wrong: int  # answered with 200, and no move was made
    whole: bool  # False: given up, as the service fell behind
    cpu: dict[str, float]  # milliseconds of a processor for each text, by who took them
    busy: float  # how many processors all of these took, on average
    elsewhere: float  # and everything else on this machine

    @property
    def good(self) -> bool:
        return self.whole and not self.errors and self.latency["p99"] < AT_MOST * 1000


class Found(NamedTuple):
    """What was found for one kind of service."""

    title: str
    steps: list[Step]

    @property
    def highest(self) -> Step | None:
        return max((step for step in self.steps if step.good), key=lambda step: step.rate, default=None)


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds: the least that so many of a hundred do not exceed."""
    ordered = sorted(seconds) or [float("nan")]
    names = {share: "max" if share == 100 else f"p{share:g}" for share in SHARES}
    return {
        names[share]: 1000 * ordered[min(len(ordered) - 1, max(0, -int(-len(ordered) * share // 100) - 1))]
        for share in SHARES
    }


class Loading:
    """A service with a crowd, and a process that texts for it."""

    def __init__(self, rig: Rig, crowd: Crowd, pool: ProcessPoolExecutor) -> None:
        self.rig, self.crowd, self.pool = rig, crowd, pool
        self._body = b""
        self._signing = Carrier(ACCOUNT, TOKEN, PUBLIC, self._keep)

    def _keep(self, url: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Takes a signed request that is to be sent later."""
        fields = {"Host": "localhost:8000", **headers, "Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self._body = f"POST {url.removeprefix(PUBLIC)} HTTP/1.1\r\n{head}\r\n".encode() + body
        return Kept()

    def _request(self, line: Line) -> bytes:
        self._signing.deliver(line.sender, OURS, line.body)
        return self._body

    def step(self, webs: Sequence[Web], rate: float, seconds: float) -> Step:
        """That rate for so long, to these web processes in turn."""
        lines = self.crowd.lines(max(1, round(rate * seconds)))
        ports = [web.port for web in webs]
        texts = [
            Timed(number / rate, ports[number % len(ports)], self._request(line)) for number, line in enumerate(lines)
        ]
        moves, before, all_before, began = self.crowd.moves(), self._seconds(), processor.busy(), time.monotonic()
        paced: Paced = self.pool.submit(send, texts).result()
        after, all_after, lasted = self._seconds(), processor.busy(), time.monotonic() - began
        moved = self.crowd.moves() - moves
        answered, good = len(paced.seconds), paced.statuses[200]
        cpu = {name: after[name] - before[name] for name in after} | {"sending": paced.cpu}
        ours = sum(cpu.values())
        return Step(
            rate, answered, percentiles(paced.seconds), sum(paced.statuses.values()) - good, good - moved, paced.whole,
            {name: 1000 * taken / max(1, answered) for name, taken in cpu.items()}, ours / lasted,
            max(0.0, all_after - all_before - ours) / lasted,
        )  # fmt: skip

    def _seconds(self) -> dict[str, float]:
        """What each part has taken of the processors until now."""
        parts = {"web": [web.pid for web in self.rig.webs], "valkey": [self.rig.valkey_pid]}
        if self.rig.postgres is not None:
            parts["database"] = [self.rig.postgres.pid]
        if self.rig.workers:
            parts["workers"] = [worker.pid for worker in self.rig.workers]
        return {name: processor.seconds(pids) for name, pids in parts.items()}


class Kept(NamedTuple):
    """The answer to a request that was not sent."""

    status_code: int = 200
    text: str = ""


def following(steps: Sequence[Step], first: float = FIRST, near: float = NEAR) -> float | None:
    """The rate to try after these steps: doubled until one is not good, and then halved in on. None: it is known.

    A rate is too high when it was so twice: now and then this machine has something else to do.
    """
    if not steps:
        return first
    good, tried = {step.rate for step in steps if step.good}, [step.rate for step in steps]
    last = tried[-1]
    if last not in good and tried.count(last) < 2:
        return last
    too_high = [rate for rate in tried if rate not in good]
    if not too_high:
        return last * 2
    low, high = max(good, default=0.0), min(too_high)
    return (low * high) ** 0.5 if high > low * near > 0 else None


@contextmanager
def loading(database: str, webs: int, tables: int, workers: int, say: Callable[[str], None]) -> Iterator[Loading]:
    """A service whose database has so many tables."""
    with ExitStack() as stack:
        # Phones here text more in an hour than any in a month.
        rig = Rig(
            webs,
            workers,
            database=database,
            postgres=DURABLE,
            sender_segments_per_second="0",
            player_monthly_segments="0",
        )
        stack.enter_context(rig)
        engine = make_engine(rig.url)
        stack.callback(engine.dispose)
        crowd = Crowd(engine, min(TABLES, tables))
        if tables > TABLES:
            fill(engine, tables - TABLES, lambda done: say(f"  {done:,} tables are written"))
        pool = stack.enter_context(ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")))
        yield Loading(rig, crowd, pool)


def search(one: Loading, titles: Sequence[str], seconds: float, say: Callable[[str], None]) -> list[Found]:
    """The highest rate of one web process, of two and so on, as many as there are titles; each step as it comes."""
    for webs, title in enumerate(titles, 1):
        say(f"{webs}: {title}")
    say("ms from when a text was due to the end of its answer, and of a processor for each text")
    say("     rate      p50      p95      p99    p99.9      max   errors   wrong   of a processor")
    every = [Found(title, []) for title in titles]
    for webs in range(1, len(every) + 1):
        one.step(one.rig.webs[:webs], FIRST, WARM_UP)
    while True:
        wanted = [(webs, found, following(found.steps)) for webs, found in enumerate(every, 1)]
        for webs, found, rate in wanted:
            if rate is not None:
                found.steps.append(one.step(one.rig.webs[:webs], rate, seconds))
                say(f"{webs} {line_of(found.steps[-1])}")
        if all(rate is None for _, _, rate in wanted):
            break
    for webs, found in enumerate(every, 1):
        best = found.highest
        upto = (
            f"99 of 100 texts are answered within a second up to {best.rate:.0f} a second"
            if best
            else "no rate is good"
        )
        say(f"{webs}: {upto}")
    return every


def line_of(step: Step) -> str:
    figures = "".join(f"{value:9.1f}" for value in step.latency.values())
    cpu = ", ".join(f"{name} {taken:.2f}" for name, taken in step.cpu.items())
    end = "" if step.whole else "; given up: it falls behind"
    return f"{step.rate:7.0f}{figures}{step.errors:9}{step.wrong:8}   {cpu}; {step.busy:.2f} processors, {step.elsewhere:.2f} elsewhere{end}"


def compared(one: Found, two: Found) -> list[str]:
    """What two web processes carry beside what one does: as it was measured, without the sending, by processor time alone.

    A web process runs on one processor at a time. What all parts take for a text is had from all of them.
    """
    if one.highest is None or two.highest is None:
        return []
    least, most = one.highest, two.highest
    cores = len(os.sched_getaffinity(0))
    shares = [step.rate * step.cpu["sending"] / 1000 for step in (least, most)]
    alone = [
        # Only where no processor was left would the service have had a use for what the sending took.
        step.rate * (cores / (cores - share) if step.busy + step.elsewhere > FULL * cores else 1.0)
        for step, share in zip((least, most), shares, strict=True)
    ]
    web, rest = most.cpu["web"], sum(taken for name, taken in most.cpu.items() if name not in ("web", "sending"))
    single, double = 1000 / web, min(2 * 1000 / web, cores * 1000 / (web + rest))
    shared = min(2 * 1000 / web, cores * 1000 / (web + rest + most.cpu["sending"]))
    return [
        f"two web processes carry {most.rate / least.rate:.2f} times what one does: {most.rate:.0f} and {least.rate:.0f} a second",
        f"  the sending took {shares[1]:.2f} and {shares[0]:.2f} of {cores} processors of that; everything else on this machine {most.elsewhere:.2f}",
        f"  with that given to the service where it was short of processors: {alone[1]:.0f} and {alone[0]:.0f} a second, {alone[1] / alone[0]:.2f} times",
        f"  a processor that is busy for a second does {_worth(most):.0f} and {_worth(least):.0f} texts, the sending left out: {_worth(most) / _worth(least):.2f} times",
        f"  by processor time alone ({web:.2f} ms of a web process and {rest:.2f} ms of the others for a text):",
        f"  {single:.0f} and {double:.0f} a second at most, {double / single:.2f} times; with the sending {shared / single:.2f} times",
    ]


def _worth(step: Step) -> float:
    """How many texts a processor does in a second in which it has nothing else to do, the sending left out."""
    return 1000 / sum(taken for name, taken in step.cpu.items() if name != "sending")


def grown(small: Found, big: Found) -> str:
    """What more tables in the database cost the same service."""
    few, many = ({step.rate: step for step in found.steps if step.good} for found in (small, big))
    same = sorted(set(few) & set(many))
    if small.highest is None or big.highest is None or not same:
        return f"{big.title}: nothing to compare"
    quiet = same[min(1, len(same) - 1)]  # the first is the coldest
    median = many[quiet].latency["p50"] / few[quiet].latency["p50"]
    return (
        f"{big.title}, beside {small.title.rpartition(', ')[2]}: {big.highest.rate / small.highest.rate:.2f} times the rate; "
        f"at {quiet:.0f} a second {median:.2f} times the median"
    )


@click.command()
@click.option(
    "--tables", "sizes", type=click.IntRange(1), multiple=True, help="In the database; 1000 and 1000000 if left out."
)
@click.option("--kind", "kinds", type=click.Choice(["sqlite", "postgresql"]), multiple=True, help="Only this database.")
@click.option("--seconds", type=click.FloatRange(1), default=15.0, show_default=True, help="Of each step.")
@click.option("--workers", type=click.IntRange(0), default=0, show_default=True, help="That send what is written, too.")
@click.option("--quick", is_flag=True, help="Steps of 4 seconds; 1000 and 20000 tables.")
@click.option(
    "--json", "as_json", is_flag=True, help="The figures as JSON on standard output, all else on standard error."
)
def main(
    sizes: tuple[int, ...], kinds: tuple[str, ...], seconds: float, workers: int, quick: bool, as_json: bool
) -> None:
    """Finds the highest rate of texts at which 99 of 100 are answered within a second; exit code 1 on a wrong answer."""
    sizes = sizes or ((TABLES, 20 * TABLES) if quick else (TABLES, 1000 * TABLES))
    every: list[Found] = []
    smallest: dict[tuple[str, int], Found] = {}

    def say(line: str) -> None:
        click.echo(line, err=as_json)

    for database in kinds or ("sqlite", "postgresql"):
        for size in sizes:
            with loading(database, 1 if database == "sqlite" else 2, size, workers, say) as one:
                titles = [title(database, webs, size) for webs in range(1, len(one.rig.webs) + 1)]
                found = search(one, titles, 4.0 if quick else seconds, say)
            every += found
            for line in compared(*found) if len(found) > 1 else ():
                say(line)
            for webs, one_found in enumerate(found, 1):
                before = smallest.setdefault((database, webs), one_found)
                if before is not one_found:
                    say(grown(before, one_found))
    if as_json:
        click.echo(json.dumps([{"title": one.title, "steps": [step._asdict() for step in one.steps]} for one in every]))
    sys.exit(
        any(step.errors or step.wrong for one in every for step in one.steps if step.good)
        or not all(one.highest for one in every)
    )


def title(database: str, webs: int, tables: int) -> str:
    name = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[database]
    return f"{name}, {'one web process' if webs == 1 else f'{webs} web processes'}, {tables:,} tables"


if __name__ == "__main__":
    main()
