"""Open pages: the hub that tells them of changes, and the web service that hands their connections over."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy.exc import SQLAlchemyError

from service.app import create_app
from service.db import reading
from service.web import links, live
from service.web.links import Link
from tests.people import People

HEARD = 5.0  # seconds at most; a look is made every 0.4
CHANGED = re.compile(rb"id: ([\w-]+)\nevent: changed\ndata: (\d+)\n\n")


@pytest.fixture
def people(people: People) -> People:
    people.seated()
    return people


@pytest.fixture
def hub(people) -> live.Hub:
    return live.Hub(people.services)


def mark(people):
    table = people.table("KF7")
    with reading(people.services.db) as conn:
        return live.marks(conn, [table.id])[table.id]


def opened(people, hub, whose="Ann", known=None):
    """One more open page, which shows the table as it is: its end of the connection."""
    page, ours = socket.socketpair()
    page.settimeout(HEARD)
    hub.take(live.Listener(ours, people.table("KF7").id, whose, mark(people) if known is None else known))
    return page


def test_every_open_page_hears_of_a_change(people, hub):
    pages = [opened(people, hub, whose) for whose in ("Ann", "Ann", "Bea")]
    people("Ann", "draw")
    for page in pages:
        with closing(page):
            told = CHANGED.fullmatch(page.recv(4096))
            assert told is not None
            assert (told[1].decode(), told[2]) == (mark(people), b"1")


@pytest.mark.on("sqlite")
def test_a_page_that_shows_an_older_table_hears_at_once(people, hub):
    with closing(opened(people, hub, known="0-pl-0-0-0")) as page:
        assert CHANGED.fullmatch(page.recv(4096))


@pytest.mark.on("sqlite")
def test_a_page_that_was_closed_is_forgotten(people, hub):
    staying, going = opened(people, hub), opened(people, hub)
    going.close()
    people("Ann", "draw")
    assert staying.recv(4096)
    end = time.monotonic() + HEARD
    while len(hub) > 1:
        assert time.monotonic() < end
        time.sleep(0.01)
    staying.close()


@pytest.mark.on("sqlite")
def test_of_one_address_so_many_stay_open(people, hub):
    pages = [opened(people, hub) for _ in range(live.MOST_OF_ONE + 1)]
    other = opened(people, hub, "Bea")
    people("Ann", "draw")
    assert other.recv(4096)
    said = [page.recv(4096) for page in pages]
    assert said.count(b"") == 1, "one was let go"
    for page in (*pages, other):
        page.close()


@pytest.mark.on("sqlite")
def test_the_database_may_be_away_for_a_while(people, hub, monkeypatch):
    looked = live.marks
    failed = []

    def away(*_):
        monkeypatch.setattr(live, "marks", looked)
        failed.append(True)
        raise SQLAlchemyError("gone")

    known = mark(people)
    monkeypatch.setattr(live, "marks", away)
    with closing(opened(people, hub, known=known)) as page:
        people("Ann", "draw")
        assert CHANGED.fullmatch(page.recv(4096))
    assert failed


@pytest.mark.on("sqlite")
def test_a_page_too_many_is_asked_to_come_back(people, monkeypatch):
    path = people("Ann", "watch").partition("8000")[2].split()[0]
    client = create_app(people.services).test_client()
    monkeypatch.setattr(live, "MOST", 0)
    response = client.get(f"{path}/events")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
    assert client.get(path).status_code == 200


@pytest.mark.slow
@pytest.mark.on("sqlite")
def test_open_pages_take_no_thread_of_the_service(people):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings = people.services.settings
    more = {"BIND": f"127.0.0.1:{port}", "WEB_THREADS": "2", "WEB_CONCURRENCY": "1"}
    server: Any = subprocess.Popen(
        [sys.executable, "-m", "commands", "serve"],
        env=os.environ | settings.environment() | more, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        for line in server.stderr:
            if "Booting worker" in line:
                break
        people("Ann", "link")
        table = people.table("KF7")
        link = Link(table.id, 0, 1, table.sitters[0].player_id)
        path = links.write(settings, link).partition("8000")[2]
        cookie = f"Cookie: hand={links.write_cookie(settings, link)}\r\n"
        pages = [asked(port, f"GET {path}/events?mark={mark(people)}", cookie) for _ in range(8)]
        for page in pages:
            head = page.recv(4096)
            assert head.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
            assert head.endswith(b"\r\n\r\nretry: 1500\n\n")
        with closing(asked(port, "GET /healthz")) as answered:
            assert answered.recv(4096).startswith(b"HTTP/1.1 200 OK")
        with closing(asked(port, f"GET {path}/events")) as refused:
            assert refused.recv(4096).startswith(b"HTTP/1.1 404")
        people("Ann", "draw")
        for page in pages:
            assert CHANGED.fullmatch(page.recv(4096))
    finally:
        server.send_signal(signal.SIGTERM)
        started = time.monotonic()
        server.communicate(timeout=20)
    assert time.monotonic() - started < 10, "open pages don't keep it from stopping"
    assert server.returncode == 0
    for page in pages:
        assert page.recv(4096) == b""
        page.close()


def asked(port, line, head=""):
    connection = socket.create_connection(("127.0.0.1", port), 10)
    connection.sendall(f"{line} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode())
    return connection
