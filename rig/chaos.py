"""A bad night: `make chaos`, which is python -m rig.chaos [--faults 300] [--tables 200] [--seed 1].

Phones play by signed webhooks, with duplicates, while web processes, workers, Valkey and PostgreSQL are killed and started
again and the carrier is slow, refuses, or takes a text and does not say so. In the end everything is started, the outbox
runs dry, and `rig.verdict` looks at what is left. The seed makes the same schedule again; what the schedule meets at each
of its moments is up to the machine.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

import click
from sqlalchemy import Engine, select, update

from rig.servers import Rig
from rig.tables import Town
from rig.verdict import Verdict, verdict, waiting
from service.carrier import Trouble
from service.db import Database, make_engine
from service.services import Services
from service.stored import NUDGE, PLAYER, TABLE
from service.twilio.outbound import TwilioSender
from workers.sweep import sweep
from workers.unknown import due_looks, settle_unknown

# Between two faults, in seconds.
GAPS = (0.4, 1.6)
# So long the workers have for what is due in the end. A breaker that has tripped, or a lost lease, holds it up for longer.
DRAIN_SECONDS = 6.0
# Then time passes, in minutes: past a lease, the second look at what is not to be found, and a breaker's longest pause.
PASSING = (0, 2, 1, 3, 10, 1, 1, 15, 1, 1, 15)
MOST_SAID = 40
AWAY_SECONDS = (0.2, 2.0)


@dataclass(frozen=True, slots=True)
class Fault:
    """One entry of the schedule."""

    after: float  # seconds since the last
    name: str
    number: int  # which of several, and what else the fault needs to be drawn
    away: float  # how long what was killed stays away


def schedule(seed: int, count: int) -> list[Fault]:
    """The same for the same seed."""
    random = Random(f"faults {seed}")
    names = [name for name, (weight, _) in FAULTS.items() for _ in range(weight)]
    return [
        Fault(random.uniform(*GAPS), random.choice(names), random.randrange(1_000_000), random.uniform(*AWAY_SECONDS))
        for _ in range(count)
    ]


class Silent:
    """The bell of a worker that needs none."""

    def ring(self) -> None:
        """It looks by itself."""

    def wake(self, at: datetime) -> None:
        """Its clock is told."""


class Night:
    """A rig, the phones of a town, and the faults as they come."""

    def __init__(self, rig: Rig, town: Town, engine: Engine) -> None:
        self.rig, self.town, self.engine = rig, town, engine
        self.met: Counter[str] = Counter()
        self.over = threading.Event()
        self.pause = 0.0  # of the carrier, before it answers

    def run(self, faults: list[Fault], say: Callable[[str], None]) -> None:
        """Plays until the last fault is over."""
        failures: list[BaseException] = []

        def strike() -> None:
            try:
                for number, fault in enumerate(faults, 1):
                    time.sleep(fault.after)  # the schedule's own pace
                    FAULTS[fault.name][1](self, fault)
                    self.met[fault.name] += 1
                    if number % 25 == 0:
                        say(f"  {number} faults, {len(self.town.said)} texts")
            except BaseException as error:  # noqa: BLE001  # said by the main thread
                failures.append(error)
            finally:
                self.over.set()

        striker = threading.Thread(target=strike, daemon=True)
        striker.start()
        self.town.play(3600.0, going=lambda: not self.over.is_set())
        self.over.wait()
        striker.join()
        if failures:
            raise failures[0]

    def settle(self, say: Callable[[str], None]) -> float:
        """Everything runs again, and sends what is due; then time passes until nothing is left; how long that took.

        What a killed worker had in its hands is found after its lease, and a text of which nobody knows is looked up at
        growing intervals. So the workers stop in order, and one whose clock can be told goes on in their place.
        """
        self.rig.carrier.troubles.clear()
        self.pause = 0.0
        self.rig.heal()
        began = time.monotonic()
        while set(waiting(self.engine)) & {"pending", "retry"} and time.monotonic() - began < DRAIN_SECONDS:
            time.sleep(0.2)  # the workers look into the database at their own pace
        for worker in self.rig.workers:
            worker.ask_to_stop()
        for worker in self.rig.workers:
            worker.stop()
        ahead = timedelta()
        services = Services(
            Database(self.rig.url, pool_size=10), self.rig.settings, Silent(), clock=lambda: datetime.now(UTC) + ahead
        )
        sender = TwilioSender(self.rig.settings, self.rig.carrier.client())
        for minutes in PASSING:
            ahead += timedelta(minutes=minutes)
            sweep(services, sender)  # the alarms too: the last worker's own may have been some seconds off
            while due_looks(services):
                settle_unknown(services, sender)
            sweep(services, sender)
            if not waiting(self.engine, services.clock()):
                break
        else:
            say(f"  left: {waiting(self.engine, services.clock())}")  # the verdict says the rest
        services.database.close()
        return time.monotonic() - began

    def sleepers(self) -> list[str]:
        return [place.code for place in self.town.places if place.sleeps]

    def make_due(self) -> None:
        """The reminders of the tables where nobody plays are due now, and their players have not been here for hours."""
        now = datetime.now(UTC)
        with self.engine.begin() as conn:
            for code in self.sleepers():
                table_id = conn.execute(select(TABLE.c.id).where(TABLE.c.code == code)).scalar_one()
                alarms = select(NUDGE.c.id, NUDGE.c.player_id).where(NUDGE.c.table_id == table_id)
                alarm = conn.execute(alarms.order_by(NUDGE.c.id).limit(1)).one()  # several may be due to choose cards
                conn.execute(update(NUDGE).where(NUDGE.c.id == alarm.id).values(nudge_at=now, due_at=now))
                conn.execute(
                    update(PLAYER)
                    .where(PLAYER.c.id == alarm.player_id)
                    .values(last_inbound_at=now - timedelta(hours=5))
                )

    # What happens

    def kill_web(self, fault: Fault) -> None:
        web = self.rig.webs[fault.number % len(self.rig.webs)]
        web.kill()
        time.sleep(fault.away)
        web.start()  # and the schedule goes on while it gets ready

    def replace_web(self, fault: Fault) -> None:
        web = self.rig.webs[fault.number % len(self.rig.webs)]
        web.stop()
        web.start()

    def kill_worker(self, fault: Fault) -> None:
        worker = self.rig.workers[fault.number % len(self.rig.workers)]
        worker.kill()
        time.sleep(fault.away)
        worker.start()

    def stop_worker(self, fault: Fault) -> None:
        worker = self.rig.workers[fault.number % len(self.rig.workers)]
        worker.stop()
        worker.start()

    def kill_valkey(self, fault: Fault) -> None:
        self.rig.kill_valkey()
        time.sleep(fault.away)
        self.rig.start_valkey()

    def empty_valkey(self, _: Fault) -> None:
        self.rig.valkey.client().flushall()

    def kill_database(self, fault: Fault) -> None:
        if self.rig.postgres is not None:
            self.rig.postgres.kill()
            time.sleep(fault.away)
            self.rig.postgres.start()

    def restart_database(self, _: Fault) -> None:
        if self.rig.postgres is not None:
            self.rig.postgres.restart()

    def carrier_trouble(self, fault: Fault) -> None:
        kinds = (
            Trouble(500, 20500),
            Trouble(500, 20500, accepts=True),
            Trouble(0, None),
            Trouble(0, None, accepts=True),
            Trouble(429, 20429, retry_after=1),
            Trouble(503, None),
        )
        self.rig.carrier.troubles.extend([kinds[fault.number % len(kinds)]] * (1 + fault.number % 4))

    def slow_carrier(self, fault: Fault) -> None:
        self.pause = fault.away
        time.sleep(fault.away)
        self.pause = 0.0


FAULTS: dict[str, tuple[int, Callable[[Night, Fault], None]]] = {
    "a web process killed": (6, Night.kill_web),
    "a web process replaced": (2, Night.replace_web),
    "a worker killed": (6, Night.kill_worker),
    "a worker stopped": (2, Night.stop_worker),
    "Valkey killed, and empty": (2, Night.kill_valkey),
    "Valkey emptied": (2, Night.empty_valkey),
    "PostgreSQL killed": (2, Night.kill_database),
    "PostgreSQL restarted at once": (2, Night.restart_database),
    "the carrier refuses or is silent": (6, Night.carrier_trouble),
    "the carrier is slow": (2, Night.slow_carrier),
}


def night(
    seed: int,
    faults: int,
    tables: int,
    *,
    workers: int = 2,
    planted: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[Verdict, Counter[str]]:
    """A whole night. `planted`: with a service that writes its outbox outside of the transaction, which must be found."""
    pause: list[Night] = []
    serve = ("-m", "rig.planted") if planted else ("-m", "commands", "serve")
    with (
        Rig(
            2, workers, serve=serve, slow=lambda: pause[0].pause if pause else 0.0, sender_segments_per_second="0"
        ) as rig,
        ExitStack() as stack,
    ):
        engine = make_engine(rig.url, pool_size=12)
        stack.callback(engine.dispose)
        town = Town(rig, engine, seed, tables, sleepers=max(1, tables // 10))
        began = time.monotonic()
        town.settle_in()
        say(f"{tables} tables are dealt after {time.monotonic() - began:.0f} s")
        one = Night(rig, town, engine)
        pause.append(one)
        one.make_due()
        one.run(schedule(seed, faults), say)
        say(f"{faults} faults after {time.monotonic() - began:.0f} s; the outbox runs dry")
        say(f"  it took {one.settle(say):.0f} s")
        found = verdict(engine, town.said, rig.carrier.texts, one.sleepers())
        for line in rig.complaints()[-MOST_SAID:] if found.faults else ():
            say(f"  {line}")
        return found, one.met


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--faults", default=300, show_default=True)
@click.option("--tables", default=200, show_default=True)
@click.option("--planted", is_flag=True, help="With a service that has a planted fault, which must be found.")
def main(seed: int, faults: int, tables: int, planted: bool) -> None:
    """A bad night of the whole service on this machine; exit code 1 when anything was lost or doubled."""
    found, met = night(seed, faults, tables, planted=planted, say=click.echo)
    for name, count in sorted(met.items()):
        click.echo(f"{count:5} times {name}")
    click.echo(
        f"{found.texts} texts taken in {found.deliveries} deliveries, {found.moves} lines; {found.outbound} texts written, "
        f"{found.sent} sent, {found.unsettled} unsettled, {found.nudged} reminders"
    )
    for fault in found.faults[:50]:
        click.echo(fault, err=True)
    click.echo(f"{len(found.faults)} faults found" if found.faults else "nothing lost, nothing doubled")
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
