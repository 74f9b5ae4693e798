"""The carrier's stand-in: its lists, and `queenline carrier` with the real service behind it."""

import os
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
import requests
from click.testing import CliRunner
from twilio.rest import Client

from bench.webhook import process
from commands.carrier import Showing, Switchboard, command
from commands.ports import free_port
from service.carrier import Carrier, Manner
from service.carrier_server import Server
from service.twilio.outbound import Http, TwilioSender
from tests.conftest import ACCOUNT, ANN, BEA, OURS, START, TOKEN

pytestmark = pytest.mark.on("sqlite")


@pytest.fixture
def sdk(carrier):
    return Client(ACCOUNT, TOKEN, http_client=carrier.client())


def test_lists_have_pages_newest_first(sdk, carrier, clock):
    for n in range(7):
        carrier._accept({"To": ANN, "From": OURS, "Body": f"{n}"})
        clock.forward(minutes=1)
    carrier._accept({"To": BEA, "From": OURS, "Body": "hers"})
    assert [message.body for message in sdk.messages.list(to=ANN, page_size=3)] == ["6", "5", "4", "3", "2", "1", "0"]
    assert [message.body for message in sdk.messages.list(to=ANN, limit=2)] == ["6", "5"]


def test_lists_are_filtered_by_the_date_of_sending(sdk, carrier, clock):
    for n in range(4):
        carrier.report(carrier._accept({"To": ANN, "From": OURS, "Body": f"{n}"}).sid, "sent")
        clock.forward(days=1)
    carrier._accept({"To": ANN, "From": OURS, "Body": "waits"})  # no date yet

    def bodies(**dates):
        return [message.body for message in sdk.messages.list(**dates)]

    assert bodies(date_sent_after=START + timedelta(days=2)) == ["3", "2"]
    assert bodies(date_sent_before=START + timedelta(days=1)) == ["1", "0"]
    assert bodies(date_sent=(START + timedelta(days=1)).date()) == ["1"]


def test_both_directions_are_listed(sdk, carrier):
    carrier._accept({"To": ANN, "From": OURS, "Body": "out"})
    sid = carrier.lose(ANN, OURS, "in")
    (message,) = sdk.messages.list(to=OURS)
    assert (message.sid, message.direction, message.status, message.from_) == (sid, "inbound", "received", ANN)
    assert sdk.messages(sid).fetch().body == "in"


def test_segments_are_counted(sdk, carrier):
    assert sdk.messages.create(to=ANN, from_=OURS, body="x" * 161).num_segments == "2"


@pytest.mark.parametrize(
    ("manner", "last"),
    [(Manner(), "delivered"), (Manner(fails=30003), "undelivered"), (Manner(reorder=True, early=True), "delivered")],
)
def test_reports_come_of_themselves(services, settings, client, manner, last):
    """Signed, over HTTP; with `early`, all before the answer to sending."""
    reported, done = [], threading.Event()

    def post(url, body, headers):
        answer = client.post(url.removeprefix(settings.public_url), data=body, headers=headers)
        reported.append(answer.status_code)
        if len(reported) == 4:
            done.set()
        return answer

    carrier = Carrier(ACCOUNT, TOKEN, settings.public_url, post)
    carrier.reports, carrier.manner = True, manner
    TwilioSender(settings, carrier.client()).send(1, ANN, OURS, "Your turn.", "turn")
    if manner.early:
        assert done.is_set()
    assert done.wait(10)
    assert reported == [204] * 4
    assert (last, manner.fails) in manner.reports()


def test_some_requests_are_never_answered(settings):
    carrier = Carrier(ACCOUNT, TOKEN)
    carrier.manner = Manner(timeouts=1.0)
    sdk = Client(ACCOUNT, TOKEN, http_client=carrier.client())
    for _ in range(40):
        with pytest.raises(requests.ReadTimeout):
            sdk.messages.create(to=ANN, from_=OURS, body="?")
    assert 0 < len(carrier.texts) < 40


# queenline carrier


@pytest.fixture
def switchboard():
    said: list[str] = []
    carrier = Showing(ACCOUNT, TOKEN, "http://127.0.0.1:1")
    carrier.show = said.append
    with (
        Server(carrier, "127.0.0.1", 0, Switchboard(carrier, OURS, said.append)) as server,
        requests.Session() as session,
    ):
        session.trust_env = False
        session.auth = (ACCOUNT, TOKEN)
        yield server.url, session, said


def test_phones_need_the_token(switchboard):
    url, session, _ = switchboard
    assert session.get(f"{url}/phones/{ANN}", auth=(ACCOUNT, "wrong")).status_code == 401
    assert session.post(f"{url}/phones", data={"Body": "draw"}).json()["message"].startswith("From is missing")


def test_a_service_that_is_away_is_said(switchboard):
    url, session, _ = switchboard
    answer = session.post(f"{url}/phones", data={"From": ANN, "Body": "draw"})
    assert (answer.status_code, answer.json()["code"]) == (502, 11200)


def test_texts_are_shown_and_counted(switchboard, settings):
    url, session, said = switchboard
    api = Client(ACCOUNT, TOKEN, http_client=Http(url))
    for to in (ANN, ANN, BEA):
        api.messages.create(to=to, from_=OURS, body="Your turn.")
    assert said == [f"{ANN}< Your turn."] * 2 + [f"{BEA}< Your turn."]
    assert session.get(f"{url}/phones/{ANN}").json() == {"texts": ["Your turn."] * 2}
    facts = session.get(f"{url}/carrier/facts").json()
    assert (facts["texts"], facts["numbers"]) == (3, 2)


def test_help_names_the_troubles():
    said = CliRunner().invoke(command, ["--help"]).output
    for option in ("--fail", "--slow", "--timeouts", "--reorder"):
        assert option in said


@pytest.mark.slow
def test_the_real_service_behind_it(tmp_path):
    """The lines that it prints are all that the service needs; a line on its standard input is a phone's text."""
    port, web = free_port(), free_port()
    carrier = subprocess.Popen(
        [sys.executable, "-m", "commands", "carrier", f"--port={port}", f"--service=http://127.0.0.1:{web}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert carrier.stdin is not None
        assert carrier.stdout is not None
        lines = [carrier.stdout.readline().strip() for _ in range(6)]
        given = dict(line.removeprefix("export ").split("=", 1) for line in lines)
        settings = {name: value.strip("'") for name, value in given.items()} | {
            "DATABASE_URL": f"sqlite:///{tmp_path / 'queenline.db'}",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "SECRET_KEY": "0123456789abcdef" * 2,
            "BIND": f"127.0.0.1:{web}",
        }
        with process(web, "commands", "serve", **settings):
            for words in ("name Ann", "new damn 500"):
                carrier.stdin.write(f"+12125550101> {words}\n")
            carrier.stdin.write("+12125550102> hand\n+12125550101> stop\n")
            carrier.stdin.flush()
            said = [carrier.stdout.readline().strip() for _ in range(8)]
        assert said[0] == "+12125550101> name Ann"
        assert said[1].startswith("+12125550101< ")
        assert said[2] == "+12125550101> new damn 500"
        assert "join" in said[3].lower()
        assert said[4] == "+12125550102> hand"
        assert said[6] == "+12125550101> stop"
        assert said[7].startswith("+12125550101< ")
    finally:
        carrier.kill()
        carrier.communicate(timeout=20)
