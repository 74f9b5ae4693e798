"""What `queenline serve` and `worker` leave behind, count and say, as processes: figures, log lines, folders, the end by SIGTERM."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import requests
from sqlalchemy import insert

from commands.ports import free_port
from service.carrier import Carrier
from service.config import Settings
from service.models import Outbound, table_of
from service.services import utc_now
from tests.conftest import ACCOUNT, ANN, OURS, TOKEN

pytestmark = [pytest.mark.slow, pytest.mark.on("sqlite")]


@pytest.fixture
def start(monkeypatch, settings, tmp_path):
    """Starts `queenline WORDS` with its temporary files in tmp_path / "t"; whatever still runs at the end is killed."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    (tmp_path / "t").mkdir()
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **more: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "commands", *words],
            env=os.environ | settings.environment() | {"TMPDIR": str(tmp_path / "t")} | more,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def read_until(process: subprocess.Popen[str], word: str) -> list[str]:
    lines = []
    assert process.stderr is not None
    for line in process.stderr:
        lines.append(line)
        if word in line:
            return lines
    raise AssertionError(f"it ended: {lines}")


def soon(question: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)  # another process: nothing tells when


def get(url: str) -> requests.Response:
    with requests.Session() as session:
        session.trust_env = False
        return session.get(url, timeout=10)


def folders(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "t").glob("queenline-*")]


def test_the_end_of_one_web_process_takes_the_figures_of_the_others_from_nobody(start, tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = start("serve", BIND=f"127.0.0.1:{port}", WEB_CONCURRENCY="2", PUBLIC_URL=url)
    lines = [*read_until(server, "Booting worker"), *read_until(server, "Booting worker")]
    said = [json.loads(line) for line in lines]  # gunicorn's lines are lines of our log
    first = int(said[-2]["event"].rpartition(" ")[2])
    carrier = Carrier(ACCOUNT, TOKEN, url)
    assert carrier.deliver(ANN, OURS, "hello").status == 200
    os.kill(first, signal.SIGTERM)  # as after so many requests, or when it has hung
    read_until(server, "Booting worker")
    for _ in range(4):  # whichever of them answers
        assert carrier.deliver(ANN, OURS, "games").status == 200
        assert "queenline_inbound_texts_total" in get(f"{url}/metrics").text
    server.terminate()
    server.communicate(timeout=30)
    assert server.returncode == 0
    assert folders(tmp_path) == []


def test_a_worker_shows_its_own_figures_where_it_is_told(start, tmp_path, services, players):
    port = free_port()
    now = utc_now()
    with services.db.begin() as conn:
        values = {"player_id": players["Ann"], "recipient": ANN, "body": "Your turn.", "kind": "turn"}
        conn.execute(insert(table_of(Outbound)).values(**values, next_attempt_at=now, created_at=now))
    worker = start("worker", "--sweep-only", WORKER_METRICS=f"127.0.0.1:{port}", TWILIO_API_URL="http://127.0.0.1:1")
    url = f"http://127.0.0.1:{port}/metrics"

    def shown() -> bool:
        with suppress(requests.ConnectionError):
            return "queenline_outbound_texts_total" in get(url).text
        return False

    soon(shown)
    second = start("worker", "--sweep-only", WORKER_METRICS=f"127.0.0.1:{port}")
    _, said = second.communicate(timeout=30)
    assert (second.returncode, said) == (
        1, f"WORKER_METRICS: nothing can listen on 127.0.0.1:{port}: Address already in use.\n",
    )  # fmt: skip
    worker.terminate()
    worker.communicate(timeout=30)
    assert worker.returncode == 0
    assert folders(tmp_path) == []


def test_sigterm_while_it_starts_leaves_nothing_behind(start, tmp_path):
    server = start("serve", BIND=f"127.0.0.1:{free_port()}")
    soon(lambda: folders(tmp_path))
    server.terminate()
    server.communicate(timeout=30)
    assert server.returncode in (0, -signal.SIGTERM)
    assert folders(tmp_path) == []
