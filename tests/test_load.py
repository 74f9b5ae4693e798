"""`make load`: the texts are legal, the pace is kept, and the figures are what they say."""

import os
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sqlalchemy import func, select

from rig import processor
from rig.crowd import Crowd, fill, numbers
from rig.load import NEAR, Found, Step, compared, following, grown, percentiles
from rig.pace import Timed, send
from rig.rolling import LONGEST
from service.audit import audit
from service.models import Inbound, Move, Nudge, Outbound, Player, Seat, table_of
from service.numbers import region
from service.play import receive
from service.services import Services, utc_now
from service.stored import TABLE
from tests.people import sms


@pytest.fixture
def now(services):
    return Services(services.database, services.settings, services.bell, utc_now)


def test_each_text_is_a_move(now):
    crowd = Crowd(now.db, 3)
    sent = 0
    for count in (4, 5, 3):
        for line in crowd.lines(count):
            sent += 1
            answer = receive(now, sms(line.body, f"SM{sent}", sender=line.sender))
            assert answer is not None
            assert crowd.moves() == sent
    assert audit(now.db).faults == []


def test_nobody_has_two_phones():
    every = list(numbers())
    assert len(set(every)) == len(every) > 4 * 1000
    assert {region(number) for number in every} == {"US"}


def count(services, model, *where):
    table = table_of(model)
    with services.db.begin() as conn:
        return conn.execute(select(func.count()).select_from(table).where(*where)).scalar_one()


def test_the_database_is_filled_and_the_game_goes_on(now):
    crowd = Crowd(now.db, 2)
    said: list[int] = []
    fill(now.db, 50, said.append)
    assert said == [50]
    assert count(now, Seat) == 4 * 52
    assert count(now, Move) == 2 * 50
    assert (count(now, Inbound), count(now, Outbound)) == (50, 50)
    with now.db.begin() as conn:
        assert conn.execute(select(func.count()).where(TABLE.c.status == "playing")).scalar_one() == 2 + 5
        people = conn.execute(select(func.count(func.distinct(table_of(Player).c.address)))).scalar_one()
        assert conn.execute(select(func.count()).select_from(table_of(Player))).scalar_one() == people
    assert count(now, Nudge) == 2 + 5
    for number, line in enumerate(crowd.lines(4), 1):
        receive(now, sms(line.body, f"SM{number}", sender=line.sender))
    assert crowd.moves() == 4


class Answers(BaseHTTPRequestHandler):
    """A web server that stands still for STILL seconds at its first request, and answers 503 to the word `fail`."""

    protocol_version = "HTTP/1.1"
    STILL = 0.6
    lock = threading.Lock()
    began = 0.0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.lock:
            Answers.began = Answers.began or time.monotonic()
            time.sleep(max(0.0, Answers.began + self.STILL - time.monotonic()))
        self.send_response(503 if body == b"fail" else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def port():
    Answers.began = 0.0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


def timed(port, after, body=b"text"):
    return Timed(after, port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def test_a_text_counts_from_when_it_was_due(port):
    """Ten texts in half a second meet a service that stands still for 0.6 s: not one slow text, but ten."""
    done = send([timed(port, number / 20) for number in range(10)])
    assert (done.whole, done.statuses) == (True, Counter({200: 10}))
    for number, seconds in enumerate(sorted(done.seconds, reverse=True)):
        assert seconds >= Answers.STILL - (number + 1) / 20 - 0.05
    assert done.last >= Answers.STILL - 0.5
    assert 0 < done.cpu < 5


def test_what_is_not_answered_well_is_counted(port):
    done = send([timed(port, 0.0), timed(port, 0.0, b"fail"), timed(1, 0.0)])
    assert done.statuses == Counter({200: 1, 503: 1, 0: 1})


def test_it_gives_up_on_a_service_that_falls_behind(port):
    done = send([timed(port, number / 20) for number in range(40)], patience=0.2)
    assert not done.whole
    assert 0 < len(done.seconds) < 40


def test_percentiles():
    found = percentiles([second / 1000 for second in range(1, 1001)])
    assert found == {"p50": 500.0, "p95": 950.0, "p99": 990.0, "p99.9": 999.0, "max": 1000.0}
    assert percentiles([0.002])["p99"] == 2.0


def step(rate, *, good=True, p50=5.0, web=4.0, busy=1.0):
    cpu = {"web": web, "database": 1.0, "sending": 0.5}
    return Step(rate, 100, {"p50": p50, "p99": 10.0 if good else 2000.0}, 0, 0, True, cpu, busy, 0.2)


def hunted(good):
    """The steps of a search in a service of which `good` says for each rate, and how often it was tried, what becomes of it."""
    steps: list[Step] = []
    while (rate := following(steps)) is not None:
        steps.append(step(rate, good=good(rate, sum(done.rate == rate for done in steps))))
    return Found("", steps)


@pytest.mark.parametrize("limit", [25.0, 130.0, 511.0])
def test_the_highest_rate_is_found(limit):
    best = hunted(lambda rate, _: rate <= limit).highest
    assert best is not None
    assert limit / NEAR <= best.rate <= limit


def test_a_rate_is_too_high_when_it_was_so_twice():
    best = hunted(lambda rate, before: rate <= 130 and before == 1).highest  # each the second time only
    assert best is not None
    assert 130 / NEAR <= best.rate <= 130


def test_a_service_that_is_never_good_has_no_highest_rate():
    never = hunted(lambda *_: False)
    assert never.highest is None
    assert len(never.steps) == 2


def test_what_two_carry_is_said_with_its_reasons(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    first, second, given, worth, third, fourth = compared(
        Found("", [step(200, web=5.25)]), Found("", [step(340, busy=1.7)])
    )
    assert "1.70 times" in first
    assert "0.17 and 0.10 of 2 processors" in second
    assert "372 and 200 a second, 1.86 times" in given  # one process left half of the machine alone
    assert "200 and 160 texts" in worth
    assert "1.25 times" in worth
    assert "4.00 ms of a web process and 1.00 ms" in third
    assert "250 and 400 a second at most, 1.60 times; with the sending 1.45 times" in fourth


def test_what_more_tables_cost_is_said():
    few, many = (
        Found("X, 1,000 tables", [step(20), step(40), step(80)]),
        Found("X, 5,000 tables", [step(20), step(40, p50=6.0)]),
    )
    assert (
        grown(few, many)
        == "X, 5,000 tables, beside 1,000 tables: 0.50 times the rate; at 40 a second 1.20 times the median"
    )
    assert "nothing to compare" in grown(few, Found("", [step(20, good=False)]))


def test_a_processor_is_seen_at_work():
    before, all_before = processor.seconds([os.getpid()]), processor.busy()
    end = time.process_time() + 0.3
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: [None for _ in iter(lambda: time.process_time() < end, False)]).result()
    assert 0.2 <= processor.seconds([os.getpid()]) - before <= processor.busy() - all_before + 0.1


def test_the_texts_of_a_rolling_restart_are_enough_for_it():
    assert LONGEST >= 60
