"""A rolling restart under load: python -m rig.rolling [--rate 30] [--rounds 1]. No text goes unanswered.

Phones text at a steady rate while each web process and each worker is replaced, one after the other: SIGTERM, and when it
has ended it is started again. A text that nobody takes is tried again at the next web process, as a proxy or the carrier
does it. A process that is stopped answers what it has begun: nothing may break off.
"""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

import click
import requests

from rig.crowd import Crowd, Line
from rig.servers import OURS, Refused, Rig, Unreachable
from rig.tables import Said
from rig.verdict import heard
from service.audit import audit
from service.carrier import new_sid
from service.db import make_engine, reading

AGAIN_SECONDS = 0.1  # between two attempts
# The carrier gives a text up after so long.
PATIENCE = 15.0
# At most; the texts are made before the first is sent.
LONGEST = 180.0


class Told(NamedTuple):
    """What became of the texts."""

    texts: int
    again: int  # were taken by a later attempt than the first
    refused: int  # attempts at a process that was not there
    broken: int  # attempts that broke off, or were answered with a fault
    unanswered: int
    slowest: float  # seconds from when a text was due to its answer


class Texting:
    """Phones at the tables of a crowd, from the start of the `with` block to its end: `rate` texts a second."""

    def __init__(self, rig: Rig, crowd: Crowd, rate: float) -> None:
        self.rig, self.crowd, self.rate = rig, crowd, rate
        self.said: list[Said] = []
        self.seconds: list[float] = []
        self.refused = self.broken = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._lines = crowd.lines(round(rate * LONGEST))
        self._before = crowd.moves()
        self._pool = ThreadPoolExecutor(32, thread_name_prefix="phone")
        self._pacer = threading.Thread(target=self._pace, daemon=True)

    def __enter__(self) -> "Texting":
        self._pacer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._pacer.join()
        self._pool.shutdown()

    def _pace(self) -> None:
        began = time.monotonic()
        for number, line in enumerate(self._lines):
            due = began + number / self.rate
            if self._over.wait(max(0.0, due - time.monotonic())):
                return
            self._pool.submit(self._text, line, due)

    def _text(self, line: Line, due: float) -> None:
        said = Said(new_sid(), line.sender, line.body)
        with self._lock:
            self.said.append(said)
        while not said.answers and time.monotonic() < due + PATIENCE:
            said.deliveries += 1
            refused = broken = 0
            try:
                came = self.rig.carrier.deliver(said.sender, OURS, said.body, said.sid)
            except Refused:
                refused = 1
            except (Unreachable, requests.RequestException):
                broken = 1
            else:
                broken = came.status != 200
                if not broken:
                    said.answers.append(tuple(came.texts))
            with self._lock:
                self.refused += refused
                self.broken += broken
                if said.answers:
                    self.seconds.append(time.monotonic() - due)
            if not said.answers and said.deliveries > 1:
                time.sleep(AGAIN_SECONDS)  # it has been tried everywhere

    def wait_for(self, more: int) -> None:
        """Until so many more texts have been answered."""
        end = len(self.seconds) + more
        deadline = time.monotonic() + more / self.rate + PATIENCE
        while len(self.seconds) < end:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{end - len(self.seconds)} of {more} texts are not answered")
            time.sleep(0.05)  # they come when they come

    @property
    def told(self) -> Told:
        return Told(
            len(self.said), sum(one.deliveries > 1 for one in self.said), self.refused, self.broken,
            sum(not one.answers for one in self.said), max(self.seconds, default=0.0),
        )  # fmt: skip

    def faults(self) -> list[str]:
        """After the block: what is not right with what was answered and kept."""
        found = [f"text {one.sid} was not answered" for one in self.said if not one.answers]
        with reading(self.crowd.engine) as conn:
            found += heard(conn, self.said)
        moved = self.crowd.moves() - self._before
        if moved != len(self.said):
            found.append(f"{len(self.said)} texts were {moved} moves")
        return found + [f"{fault.where}: {fault.what}" for fault in audit(self.crowd.engine).faults]


class Rolled(NamedTuple):
    """A whole run."""

    told: Told
    stopping: dict[str, float]  # seconds that each process took to stop, the last time
    faults: list[str]


def roll(rate: float, rounds: int, tables: int = 300, workers: int = 2, database: str = "postgresql") -> Rolled:
    """Replaces every process so many times while phones text."""
    stopping: dict[str, float] = {}
    with Rig(2, workers, database=database, sender_segments_per_second="0") as rig, ExitStack() as stack:
        engine = make_engine(rig.url)
        stack.callback(engine.dispose)
        texting = Texting(rig, Crowd(engine, tables), rate)
        faults = []
        with texting:
            texting.wait_for(round(rate))
            for _ in range(rounds):
                for child in (*rig.webs, *rig.workers):
                    began = time.monotonic()
                    if not child.stop():
                        faults.append(f"{child.name} had to be killed")
                    stopping[child.name] = time.monotonic() - began
                    child.start()
                    if child in rig.webs:
                        rig.webs[rig.webs.index(child)].wait()
                    texting.wait_for(round(rate / 2))
        return Rolled(texting.told, stopping, faults + texting.faults())


@click.command()
@click.option("--rate", type=click.FloatRange(1), default=30.0, show_default=True, help="Texts a second.")
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="How often each is replaced.")
@click.option("--kind", type=click.Choice(["postgresql", "sqlite"]), default="postgresql", show_default=True)
def main(rate: float, rounds: int, kind: str) -> None:
    """Replace two web processes and two workers while phones text; exit code 1 when a text was not answered."""
    done = roll(rate, rounds, database=kind)
    told = done.told
    click.echo(
        f"{told.texts} texts at {rate:g} a second: {told.again} needed a further attempt, {told.unanswered} are unanswered; "
        f"{told.refused} attempts were refused, {told.broken} broke off; the slowest took {told.slowest:.1f} s"
    )
    for name, seconds in done.stopping.items():
        click.echo(f"  {name} took {seconds:.1f} s to stop")
    for fault in done.faults[:50]:
        click.echo(fault, err=True)
    sys.exit(bool(done.faults or told.broken))


if __name__ == "__main__":
    main()
