"""`/phones` of `queenline play`: all phones of this machine side by side."""

import re

import click
import pytest
from sqlalchemy import insert, select
from werkzeug.test import Client

from commands.phones import EXAMPLES, Line, PhoneBook
from service.carrier_server import Server
from service.models import Outbound, Player, table_of
from tests.conftest import ANN, BEA, CY, DOT, OURS

pytestmark = pytest.mark.on("sqlite")

TAKEN = {ANN, BEA, CY, DOT}


@pytest.fixture
def book(carrier, services) -> PhoneBook:
    return PhoneBook(carrier, services, OURS, "America/New_York")


@pytest.fixture
def browser(book) -> Client:
    return Client(book)


def lines(browser, book, name):
    """A phone's conversation: who, and what."""
    phones = browser.get(f"/phones/{book.token}/all.json").json
    phone = next(phone for phone in phones if phone["name"] == name)
    return [("me" if line["mine"] else "us", line["text"]) for line in phone["lines"]]


def test_the_page_asks_nobody_else(browser, book):
    page = browser.get(f"/phones/{book.token}", follow_redirects=True)
    assert page.status_code == 200
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "<code>make play ARGS='--as Bea'</code>" in page.text
    files = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert sorted(files) == ["phones.css", "phones.js"]
    for file in files:
        assert browser.get(f"/phones/{book.token}/{file}").status_code == 200
    assert not re.search(r"<[^>]+\s(?:on\w+|style)=", page.text)


@pytest.mark.parametrize(
    "path", ["/phones", "/phones/", "/phones/{}/x/y", "/phones/é/", "/phones/{}/nothing.js", "/phones/0/"]
)
def test_what_is_not_there(browser, book, path):
    assert browser.get(path.format(book.token)).status_code == 404


def test_a_conversation_is_what_the_phone_would_show(browser, book, game, carrier, services, players, clock):
    game.answer = "KF7: you drew 9H."
    answer = browser.post(f"/phones/{book.token}/Ann", data="draw")
    assert answer.json == {"status": 200, "texts": ["KF7: you drew 9H."]}
    assert lines(browser, book, "Ann") == [("me", "draw"), ("us", "KF7: you drew 9H.")]
    carrier.client().request("POST", f"https://api.twilio.com/2010-04-01/Accounts/{carrier.account_sid}/Messages.json",
        data={"To": "+12125550101", "From": OURS, "Body": "KF7: your turn."}, auth=(carrier.account_sid, carrier.auth_token))  # fmt: skip
    game.answer = None
    browser.post(f"/phones/{book.token}/Ann", data="ok")
    assert lines(browser, book, "Ann")[2:] == [("us", "KF7: your turn."), ("me", "ok")]
    assert lines(browser, book, "Bea") == []


def test_one_more_phone(browser, book):
    assert browser.get(f"/phones/{book.token}/eve?settled=1").json == {"texts": [], "count": 0}
    assert lines(browser, book, "Eve") == []
    refused = browser.post(f"/phones/{book.token}/12345", data="draw")
    assert (refused.status_code, refused.text) == (400, "A name is letters, such as JOIN KF7 BEA.")


def add_player(services, clock, address):
    """As the web page's form does."""
    with services.db.begin() as db:
        row = {"channel": "sms", "address": address, "zone": "America/New_York", "created_at": clock()}
        db.execute(insert(table_of(Player)).values(**row))


def number_of(services, name):
    player = table_of(Player)
    with services.db.begin() as db:
        return db.execute(select(player.c.address).where(player.c.name == name)).scalar_one()


def test_a_number_that_a_form_has_taken_is_passed_over(browser, book, services, players, clock):
    free = [number for number in EXAMPLES if number not in TAKEN]
    for number in (free[0], free[1], free[3], "+16465550147"):
        add_player(services, clock, number)
    for name, number in (("P8", free[2]), ("Eve", free[4])):
        assert browser.get(f"/phones/{book.token}/{name}?settled=1").status_code == 200
        assert number_of(services, name) == number


def test_all_numbers_are_taken(browser, book, services, players, clock):
    for number in set(EXAMPLES) - set(TAKEN):
        add_player(services, clock, number)
    refused = browser.get(f"/phones/{book.token}/P8")
    assert refused.status_code == 400
    assert refused.text == "All 90 example numbers are taken; begin anew with --data and a new folder."
    assert browser.get(f"/phones/{book.token}/Ann?settled=1").status_code == 200


def test_a_phone_without_a_number_is_told_why(carrier, book):
    with Server(carrier, "127.0.0.1", 0, book) as server:
        line = Line(f"{server.url}/phones/{book.token}", "12345")
        for ask in (line.settled, lambda: line.text("draw")):
            with pytest.raises(click.ClickException, match="A name is letters"):
                ask()


def test_texts_that_wait_are_not_shown(browser, book, services, players, clock):
    with services.db.begin() as db:
        row = {"player_id": players["Ann"], "recipient": "+12125550101", "body": "Your turn.", "kind": "turn"}
        db.execute(insert(table_of(Outbound)).values(**row, next_attempt_at=clock(), created_at=clock()))
    assert lines(browser, book, "Ann") == []
