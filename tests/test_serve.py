"""`queenline serve` and `db upgrade` as processes."""

import os
import signal
import socket
import subprocess
import sys

import pytest
import requests
from click.testing import CliRunner

from commands import db as db_command
from commands import worker as worker_command
from service.carrier import Carrier
from service.config import Settings
from service.db import make_engine
from service.migrate import missing
from tests.conftest import ACCOUNT, ANN, OURS, TOKEN

# create_app without a receiver takes the game's; here a file stands in for it.
PROGRAM = """
import sys, types
play = types.ModuleType("service.play")
play.receive = lambda services, sms: "You said " + sms.body
play.opted_out_now = lambda services, conn, player_id: False
sys.modules["service.play"] = play
from commands.serve import command
command()
"""


@pytest.fixture
def environment(monkeypatch, settings):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return settings.environment()


def run(environment, program=PROGRAM):
    return subprocess.Popen(
        [sys.executable, "-c", program], env=os.environ | environment, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_it_serves_and_stops(environment):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = run(environment | {"BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2", "PUBLIC_URL": url})
    try:
        for line in server.stderr:
            if "Booting worker" in line:
                break
        carrier = Carrier(ACCOUNT, TOKEN, url)
        delivered = carrier.deliver(ANN, OURS, "draw ♠")
        assert (delivered.status, delivered.texts) == (200, ["You said draw ♠"])
        with requests.Session() as session:
            session.trust_env = False
            assert session.get(f"{url}/readyz", timeout=10).json()["database"] == "ok"
            assert 'outcome="answered"} 1.0' in session.get(f"{url}/metrics", timeout=10).text
            refused = session.post(f"{url}/sms?x=%41", data={"Body": "draw"}, timeout=10)
            assert (refused.status_code, refused.text) == (403, "")
            signature = carrier.sign(f"{url}/sms?x=%E2%99%A0+b", form := carrier_form())
            answered = session.post(
                f"{url}/sms?x=%E2%99%A0+b", data=form, headers={"X-Twilio-Signature": signature}, timeout=10
            )
            assert answered.status_code == 200
    finally:
        server.send_signal(signal.SIGTERM)
        _, said = server.communicate(timeout=30)
    assert server.returncode == 0
    assert said.count("Worker exiting") == 2  # by themselves: nobody had to be killed


def carrier_form():
    return {"MessageSid": "SM1", "AccountSid": ACCOUNT, "From": ANN, "To": OURS, "Body": "draw"}


UNFIT = {"SECRET_KEY": "short", "REDIS_URL": ""}


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_a_missing_setting_stops_the_start_with_its_name(environment):
    process = run(environment | UNFIT, "from commands.serve import command; command()")
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert [line.split()[0] for line in said.splitlines()] == ["REDIS_URL", "SECRET_KEY"]


@pytest.mark.on("sqlite")
def test_and_that_of_a_worker(environment):
    ended = CliRunner().invoke(worker_command.command, env=environment | UNFIT)
    assert ended.exit_code == 1
    assert [line.split()[0] for line in ended.output.splitlines()] == ["REDIS_URL", "SECRET_KEY"]


@pytest.mark.slow
@pytest.mark.on("postgresql")
def test_an_old_schema_stops_the_start_on_postgresql(environment, services):
    with services.db.begin() as db:
        newest = db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
        db.exec_driver_sql("DELETE FROM alembic_version")
    try:
        process = run(environment, "from commands.worker import command; command()")
        _, said = process.communicate(timeout=30)
    finally:
        with services.db.begin() as db:
            db.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{newest}')")
    assert process.returncode == 1
    assert said.startswith("The database lacks the migrations 0001")
    assert "run `queenline db upgrade`" in said


@pytest.fixture
def upgrade(monkeypatch):
    def upgrade(url):
        monkeypatch.setenv("DATABASE_URL", url)
        return CliRunner().invoke(db_command.command, ["upgrade"])

    return upgrade


def test_db_upgrade_makes_the_schema_and_then_nothing(upgrade, tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    engine = make_engine(url)
    steps = missing(engine)
    first, second = upgrade(url), upgrade(url)
    assert (first.exit_code, first.output) == (
        0,
        "The database is up to date; migrations run: " + ", ".join(steps) + ".\n",
    )
    assert (second.exit_code, second.output) == (0, "The database is up to date; migrations run: none were missing.\n")
    assert missing(engine) == []
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "DATABASE_URL is not a database's address"),
        ("oracle://x", "DATABASE_URL names oracle"),
        (
            "sqlite:////nowhere/at/all.db",
            "The database of DATABASE_URL cannot be reached: unable to open database file",
        ),
        ("postgresql://127.0.0.1:1/queenline", "The database of DATABASE_URL cannot be reached: connection failed"),
    ],
)
def test_db_upgrade_says_what_is_wrong(upgrade, url, said):
    result = upgrade(url)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert said in str(result.exception.code)
