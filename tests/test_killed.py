"""SIGKILL of a worker at the worst moments: real processes, the carrier's stand-in as a server. For one row never two
texts, and never none.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from service.carrier import Carrier
from service.config import load
from service.services import Services, utc_now
from service.twilio.outbound import TwilioSender
from tests.conftest import ACCOUNT, OURS, TOKEN, Clock
from tests.outbox import OUTBOUND, PLAYER
from workers.claims import LEASE_SECONDS
from workers.outbox import drain
from workers.unknown import due_looks, settle_unknown

pytestmark = pytest.mark.slow

# Drains once. At the moment that is named it says so, and waits for somebody who never comes.
PROGRAM = """
import sys
from commands.start import prepared
from service.twilio.outbound import TwilioSender
from workers.outbox import drain

def stop_here():
    print("here", flush=True)
    sys.stdin.read()

class Stops(TwilioSender):
    def send(self, *args):
        if moment == "claimed":
            stop_here()
        sent = super().send(*args)
        if moment == "sent":
            stop_here()
        return sent

moment = sys.argv[1]
services = prepared()
drain(services, Stops(services.settings))
"""


class Scene:
    """A database, a carrier, and workers that die."""

    def __init__(self, services: Services, carrier: Carrier) -> None:
        self.carrier = carrier
        self.clock = Clock(utc_now())
        self.services = replace(services, clock=self.clock)

    def write(self, count: int) -> None:
        now = utc_now()
        with self.services.db.begin() as db:
            for n in range(count):
                number = f"+1646555{n:04}"
                player = db.execute(
                    insert(PLAYER)
                    .values(channel="sms", address=number, created_at=now, prefs={}, last_inbound_at=now)
                    .returning(PLAYER.c.id)
                ).scalar_one()
                values = {"player_id": player, "recipient": number, "sender": OURS, "body": f"{n}", "kind": "notice"}
                db.execute(insert(OUTBOUND).values(**values, segments=1, next_attempt_at=now, created_at=now))

    def worker(self, moment: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, moment],
            env=os.environ | self.services.settings.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def statuses(self) -> list[str]:
        with self.services.db.begin() as db:
            return list(db.execute(select(OUTBOUND.c.status).order_by(OUTBOUND.c.id)).scalars())

    def recover(self) -> None:
        """Another worker goes on, for as long as it takes."""
        sender = TwilioSender(self.services.settings)
        self.clock.now = utc_now() + timedelta(seconds=LEASE_SECONDS + 1)
        for minutes in (1, 1, 2, 10, 10, 10):
            drain(self.services, sender)
            self.clock.forward(minutes=minutes)
            while due_looks(self.services):
                settle_unknown(self.services, sender)
        drain(self.services, sender)


@pytest.fixture
def scene(services, settings) -> Iterator[Scene]:
    carrier = Carrier(ACCOUNT, TOKEN)
    with carrier.serve() as api:
        own = load(**settings.model_dump() | {"twilio_api_url": api.url})
        yield Scene(replace(services, settings=own), carrier)


def kill(worker: "subprocess.Popen[bytes]") -> None:
    os.kill(worker.pid, signal.SIGKILL)
    worker.communicate(timeout=20)
    assert worker.returncode == -signal.SIGKILL


@pytest.mark.parametrize(("moment", "accepted"), [("claimed", 0), ("sent", 1)])
def test_between_claim_and_send_and_between_send_and_commit(scene, moment, accepted):
    scene.write(1)
    worker = scene.worker(moment)
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"here\n"
    kill(worker)
    assert scene.statuses() == ["sending"]
    assert len(scene.carrier.texts) == accepted
    scene.recover()
    assert scene.statuses() == ["sent"]
    assert [text.body for text in scene.carrier.texts] == ["0"]


@pytest.mark.on("postgresql")  # the row is as above; what differs is what the carrier has done
@pytest.mark.parametrize("accepts", [True, False])
def test_while_the_carrier_is_at_it(scene, accepts):
    asked, dead = threading.Event(), threading.Event()
    create = scene.carrier._create

    def slowly(form):
        asked.set()
        assert dead.wait(20)
        if accepts:
            scene.carrier._accept(form)
        raise ConnectionAbortedError

    scene.carrier._create = slowly
    scene.write(1)
    worker = scene.worker("never")
    assert asked.wait(20)
    kill(worker)
    dead.set()
    scene.carrier._create = create
    if accepts:
        scene.carrier.wait_for("+16465550000", 1)
    scene.recover()
    assert scene.statuses() == ["sent"]
    assert [text.body for text in scene.carrier.texts] == ["0"]


@pytest.mark.on("sqlite")
def test_again_and_again_in_the_middle_of_many(scene):
    """Workers die after the 10th and the 35th text; in the end each of 200 texts has come once."""
    deaths = [10, 35]
    accept = scene.carrier._accept
    workers: list[subprocess.Popen[bytes]] = []
    one_at_a_time = threading.Lock()

    def accept_and_kill(form):
        text = accept(form)
        with one_at_a_time:
            if deaths and len(scene.carrier.texts) >= deaths[0]:
                del deaths[0]
                os.kill(workers[-1].pid, signal.SIGKILL)
        return text

    scene.carrier._accept = accept_and_kill
    scene.write(200)
    while deaths:
        workers.append(scene.worker("never"))
        workers[-1].communicate(timeout=60)
        assert workers[-1].returncode == -signal.SIGKILL
    scene.carrier._accept = accept
    scene.recover()
    assert set(scene.statuses()) == {"sent"}
    assert sorted(int(text.body) for text in scene.carrier.texts) == list(range(200))
