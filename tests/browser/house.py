"""A real service for browsers: `queenline serve` as a process of its own, with people whose phones are in this one.

Both work on one SQLite database. The carrier is the stand-in, so what is texted from a form can be read and answered. The
clock of the service stands at noon and its deals come from the seed 7, so that every run sees the same.
"""

import http.client
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import delete

from commands.phones import PhoneBook
from commands.ports import free_port
from commands.stage import OUR_NUMBER, Stage
from engine import bots
from engine.game import write_move
from service import stored
from service.carrier_server import Server
from service.models import Base
from service.web import links
from service.web.links import Link
from tests.people import NOON, People

START_SECONDS = 30.0

SERVE = """
from dataclasses import replace
from datetime import datetime
import sys

import commands.start as start
from commands.serve import run

moment, real = datetime.fromisoformat(sys.argv[1]), start.prepared
start.prepared = lambda: replace(real(), clock=lambda: moment, seeds=lambda: "7")
run()
"""


class House(People):
    """People, and where their browsers go: `url` is the service, `phones` the page of all phones."""

    def __init__(self, stage: Stage, url: str) -> None:
        super().__init__(stage)
        self.url = url
        self.phones = ""

    def fresh(self) -> None:
        """Nobody knows anybody any more."""
        with self.services.db.begin() as conn:
            for table in reversed(Base.metadata.sorted_tables):
                conn.execute(delete(table))
        self.stage.phones.clear()
        self.stage.carrier.texts.clear()
        self.stage.clock.now = NOON

    def link(self, name: str, code: str = "KF7") -> str:
        """The address of somebody's place at a table; of those who watch, for no name."""
        with self.services.db.begin() as conn:
            table = stored.by_code(conn, code)
            assert table is not None
            settings = self.services.settings
            if not name:
                return links.of_spectators(conn, settings, table.id, False)
            seat = next(sitter for sitter in table.sitters if sitter.name == name)
            assert seat.player_id is not None
            return links.of_seat(conn, settings, table.id, seat.number, seat.player_id, False)

    def cookie(self, address: str) -> dict[str, str]:
        """What the tap on the cover leaves in a browser; for tests that are not about the tap."""
        token = address.rpartition("/")[2]
        link = links.read(self.services.settings, token)
        assert isinstance(link, Link)
        return {"name": "hand", "value": links.write_cookie(self.services.settings, link), "url": address}

    def play_on(self, code: str, rounds: int = 1, steps: int = 3000) -> None:
        """The people of the table play as bots do, by text, until so many rounds are over, or for so many moves."""
        end = self.table(code).state.round + rounds
        self.judge = False
        for _ in range(steps):
            table = self.table(code)
            state, game = table.state, table.game
            if table.status != stored.PLAYING or state.round >= end:
                break
            seat = next(s for s in game.waiting(state) if game.legal(state, s) and not table.sitters[s].bot)
            move = bots.choose(game.view(state, seat), game.legal(state, seat))
            self(table.names[seat], f"{code} {write_move(move)}")
        self.judge = True
        self.forget()


@contextmanager
def opened(folder: Path, redis_url: str) -> Iterator[House]:
    """The service, from its start to its end."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    stage = Stage(
        folder, NOON, redis_url=redis_url, public_url=url, bind=f"127.0.0.1:{port}", web_concurrency="1",
        operator_name="Ann's Card Club", operator_contact="ann@example.com", secret_key=secrets.token_hex(32),
    )  # fmt: skip
    stage.seed = "7"
    with (folder / "service.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, NOON.isoformat()],
            env=os.environ | stage.settings.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        wait_until_up(port, process, folder / "service.log")
        house = House(stage, url)
        book = PhoneBook(stage.carrier, stage.services, OUR_NUMBER, "America/New_York")
        with Server(stage.carrier, "127.0.0.1", 0, book) as server:
            house.phones = f"{server.url}/phones/{book.token}/"
            yield house
    finally:
        process.terminate()
        process.wait()
        stage.close()


def wait_until_up(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Returns when the service answers; fails with its last words when it does not."""
    end, pause = time.monotonic() + START_SECONDS, threading.Event()
    while time.monotonic() < end and process.poll() is None:
        with (
            suppress(OSError, http.client.HTTPException),
            closing(http.client.HTTPConnection("127.0.0.1", port, timeout=2)) as connection,
        ):
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        pause.wait(0.05)
    raise AssertionError(json.dumps(log.read_text(errors="replace")[-2000:]))
