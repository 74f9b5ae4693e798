"""A web process that is stopped answers what it has begun and takes nothing more; connections that say nothing cost nothing."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import SimpleNamespace

import pytest

from service.carrier import Carrier, Delivered
from service.config import Settings
from service.web.worker import LINGER_SECONDS, Worker
from tests.conftest import ACCOUNT, ANN, OURS, TOKEN

# In the game's place: a text is answered when the file that it names is gone.
PROGRAM = """
import pathlib, sys, time, types
play = types.ModuleType("service.play")
play.opted_out_now = lambda services, conn, player_id: False

def receive(services, sms):
    while pathlib.Path(sms.body).exists():
        time.sleep(0.02)
    return "answered"

play.receive = receive
sys.modules["service.play"] = play
from commands.serve import command
command()
"""
THREADS = 4

pytestmark = [pytest.mark.slow, pytest.mark.on("sqlite")]


class Server:
    """`queenline serve` with THREADS threads."""

    def __init__(self, environment: dict[str, str], port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        more = {"BIND": f"127.0.0.1:{port}", "WEB_THREADS": str(THREADS), "PUBLIC_URL": self.url}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=os.environ | environment | more, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        assert any("Booting worker" in line for line in self.process.stderr), "it has started"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 5)

    def text(self, body: str) -> Delivered:
        return Carrier(ACCOUNT, TOKEN, self.url).deliver(ANN, OURS, body)

    def refuses(self) -> bool:
        try:
            self.connect().close()
        except ConnectionRefusedError:
            return True
        return False


@pytest.fixture
def server(monkeypatch, settings):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = Server(settings.environment(), port)
    yield server
    with suppress(ProcessLookupError):
        server.process.kill()
    server.process.communicate()


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_connections_that_say_nothing_take_no_thread(server, tmp_path):
    with ExitStack() as stack:
        silent = [stack.enter_context(server.connect()) for _ in range(3 * THREADS)]
        came = server.text(str(tmp_path / "none"))  # gunicorn's own worker would wait 5 s for each of them
        assert (came.status, came.texts) == (200, ["answered"])
        for connection in silent:
            connection.setblocking(False)
            with pytest.raises(BlockingIOError):  # it is still open, and may be used
                connection.recv(1)


def test_a_text_under_way_is_answered_while_new_ones_are_refused(server, tmp_path):
    file = tmp_path / "wait"
    file.touch()
    came: list[Delivered] = []
    phone = threading.Thread(target=lambda: came.append(server.text(str(file))))
    phone.start()
    silent = server.connect()
    until(lambda: server.text(str(tmp_path / "none")).status == 200)
    server.process.send_signal(signal.SIGTERM)
    until(server.refuses)
    assert came == []
    file.unlink()
    phone.join(10)
    assert [(one.status, one.texts) for one in came] == [(200, ["answered"])]
    server.process.communicate(timeout=20)
    assert server.process.returncode == 0
    silent.close()


def ask(connection: socket.socket) -> None:
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: cards.example.com\r\n\r\n")


def test_what_was_asked_on_a_kept_connection_is_answered_and_the_others_are_closed(server):
    with server.connect() as busy, server.connect() as idle:
        for connection in (busy, idle):
            ask(connection)
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
        while not busy.recv(4096).endswith(b"ok\n"):
            pass
        ask(busy)
        server.process.send_signal(signal.SIGTERM)
        assert busy.recv(15) == b"HTTP/1.1 200 OK"
        server.process.communicate(timeout=20)
        assert server.process.returncode == 0
        while idle.recv(4096):
            pass


def test_a_connection_on_which_nothing_is_asked_holds_up_the_end_for_a_moment_only():
    worker = Worker.__new__(Worker)
    kept = SimpleNamespace(timeout=time.monotonic() + 30)
    worker.keepalived_conns = deque([kept])
    worker._cap_keepalive(time.monotonic() + 2)
    assert kept.timeout <= time.monotonic() + LINGER_SECONDS
