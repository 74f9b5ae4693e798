"""The outbox: each text is asked for once, what came of it is kept, what is no longer so is not sent."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, text, update

from service import spending
from service.carrier import Trouble
from service.config import load
from service.models import GameTable, Outbound, Player, Tally, table_of
from service.transact import transact
from service.twilio.fates import Fate
from service.twilio.outbound import SendError, Sent, TwilioSender
from tests.conftest import ANN, BEA, CY, DOT, OURS, START
from workers import outbox
from workers.outbox import claim, drain

OUTBOUND, TABLE, PLAYER, TALLY = table_of(Outbound), table_of(GameTable), table_of(Player), table_of(Tally)
ADDRESS = {"Ann": ANN, "Bea": BEA, "Cy": CY, "Dot": DOT}


@pytest.fixture
def write(services, players, clock):
    """Writes a text to somebody into the outbox; its id."""

    def write(name="Ann", body="Your turn.", **more):
        values = {
            "player_id": players[name], "recipient": ADDRESS[name], "sender": OURS, "body": body, "kind": "notice",
            "next_attempt_at": clock(), "created_at": clock(),
        } | more  # fmt: skip
        with services.db.begin() as db:
            return db.execute(insert(OUTBOUND).values(values).returning(OUTBOUND.c.id)).scalar_one()

    return write


@pytest.fixture
def look(services):
    def look(row):
        with services.db.begin() as db:
            return db.execute(select(OUTBOUND).where(OUTBOUND.c.id == row)).one()

    return look


@pytest.fixture
def table(services, players):
    values = {
        "code": "KF7", "game": "damn-the-queens", "seat_count": 4, "host_id": players["Ann"], "status": "playing",
        "seed": "7", "version": 5, "created_at": START, "updated_at": START,
    }  # fmt: skip
    with services.db.begin() as db:
        return db.execute(insert(TABLE).values(values).returning(TABLE.c.id)).scalar_one()


def bodies(carrier, number):
    return [text.body for text in carrier.texts_to(number)]


# Sending


def test_what_is_due_is_sent_once(services, sender, carrier, write, look):
    rows = [write(name) for name in ADDRESS]
    assert drain(services, sender) == (4, 0, False)
    assert drain(services, sender) == (0, 0, False)
    assert [len(carrier.texts_to(address)) for address in ADDRESS.values()] == [1, 1, 1, 1]
    for row in map(look, rows):
        assert (row.status, row.attempt, row.lease_until, row.sent_at) == ("sent", 1, None, START)
        assert row.sid in {text.sid for text in carrier.texts}


def test_what_is_not_yet_due_waits(services, sender, carrier, write, clock):
    write(next_attempt_at=START + timedelta(minutes=5))
    drain(services, sender)
    assert carrier.texts == []
    clock.forward(minutes=5)
    drain(services, sender)
    assert len(carrier.texts) == 1


def test_many_to_one_player_keep_their_order(services, sender, carrier, write):
    for n in range(6):
        write(body=f"{n}")
        write("Bea", body=f"{n}")
    drain(services, sender)
    assert bodies(carrier, ANN) == bodies(carrier, BEA) == ["0", "1", "2", "3", "4", "5"]


def test_a_text_waits_for_the_one_before_it(services, sender, carrier, write, clock):
    carrier.troubles.append(Trouble(status=429, code=20429))
    write(body="first")
    write(body="second")
    write("Bea", body="hers")
    drain(services, sender)
    assert (bodies(carrier, ANN), bodies(carrier, BEA)) in [([], ["hers"]), (["first", "second"], [])]
    clock.forward(minutes=1)
    drain(services, sender)
    assert bodies(carrier, ANN) == ["first", "second"]
    assert bodies(carrier, BEA) == ["hers"]


@pytest.fixture
def crowd(services):
    """A text to each of so many people."""

    def crowd(count):
        with services.db.begin() as db:
            for n in range(count):
                player = db.execute(
                    insert(PLAYER)
                    .values(channel="sms", address=f"+1646555{n:04}", created_at=START, prefs={})
                    .returning(PLAYER.c.id)
                ).scalar_one()
                values = {"player_id": player, "recipient": f"+1646555{n:04}", "sender": OURS, "body": "Hi"}
                db.execute(insert(OUTBOUND).values(**values, kind="notice", next_attempt_at=START, created_at=START))

    return crowd


def test_more_than_a_batch(services, sender, carrier, crowd):
    crowd(2 * outbox.BATCH + 1)
    assert drain(services, sender).sent == 2 * outbox.BATCH + 1
    assert len({text.to for text in carrier.texts}) == 2 * outbox.BATCH + 1


def test_four_drains_at_once_send_each_text_once(services, sender, carrier, write):
    for n in range(5):
        for name in ADDRESS:
            write(name, body=f"{n}")
    with ThreadPoolExecutor(4) as pool:
        for drained in [pool.submit(drain, services, sender) for _ in range(4)]:
            drained.result()
    drain(services, sender)
    for address in ADDRESS.values():
        assert bodies(carrier, address) == ["0", "1", "2", "3", "4"]


def test_no_transaction_is_open_while_the_carrier_is_asked(services, write, look):
    row = write()
    seen = []

    class Slow:
        def send(self, outbound_id, *_):
            with services.db.begin() as db:  # on SQLite this would wait for an open writer, and fail
                db.execute(update(PLAYER).values(unclear_count=1))
            seen.append(look(outbound_id).status)
            return Sent("SM1", "queued")

    drain(services, Slow())
    assert seen == ["sending"]
    assert look(row).status == "sent"


def test_it_ends_when_it_is_told_to(services, sender, carrier, write):
    for n in range(3):
        write(body=f"{n}")
    asked = iter([False, False, True])
    drained = drain(services, sender, stopping=lambda: next(asked))
    assert (drained.sent, drained.more) == (2, True)
    assert drain(services, sender) == (1, 0, False)
    assert bodies(carrier, ANN) == ["0", "1", "2"]


def test_what_was_not_yet_asked_for_goes_back(services, crowd, monkeypatch):
    """Told to stop, with twenty texts claimed and some of them on their way: these are kept, the others are as before."""
    crowd(20)
    going = threading.Event()

    class OneIsQuick:
        asked = 0

        def send(self, outbound_id, *_):
            self.asked += 1
            if self.asked > 1:
                assert going.wait(10)
            return Sent(f"SM{outbound_id}", "queued")

    def stopping():
        stops.append(True)
        return len(stops) > 1

    def call_back(waiting):
        unasked = called_back(waiting)
        going.set()  # those on their way come to their end after that
        return unasked

    stops: list[bool] = []
    called_back = outbox.call_back
    monkeypatch.setattr(outbox, "call_back", call_back)
    sender = OneIsQuick()
    drained = drain(services, sender, stopping=stopping)
    assert (drained.sent, drained.more) == (sender.asked, True)
    with services.db.begin() as db:
        rows = db.execute(select(OUTBOUND.c.status, OUTBOUND.c.attempt, OUTBOUND.c.lease_until)).all()
    assert rows.count(("pending", 0, None)) == 20 - sender.asked > 0
    assert rows.count(("sent", 1, None)) == sender.asked


# What is no longer so


def test_a_turn_text_of_a_table_that_has_moved_on_is_dropped(services, sender, carrier, write, look, table):
    stale = write(kind="turn", table_id=table, turn_version=4, body="stale")
    write(kind="turn", table_id=table, turn_version=5, body="now")
    drain(services, sender)
    assert bodies(carrier, ANN) == ["now"]
    assert (look(stale).status, look(stale).error_code, look(stale).attempt) == ("canceled", "moved-on", 0)


def test_a_notice_is_not(services, sender, carrier, write, table):
    write(kind="notice", table_id=table, turn_version=4, body="The round is over.")
    drain(services, sender)
    assert bodies(carrier, ANN) == ["The round is over."]


def test_a_turn_text_of_a_table_that_is_over_is_dropped(services, sender, carrier, write, look, table):
    row = write(kind="turn", table_id=table, turn_version=5)
    with services.db.begin() as db:
        db.execute(update(TABLE).values(status="over"))
    drain(services, sender)
    assert carrier.texts == []
    assert look(row).error_code == "table-over"


def test_nothing_goes_to_whoever_has_opted_out(services, sender, carrier, write, look, players):
    row = write()
    write("Bea")
    with services.db.begin() as db:
        db.execute(update(PLAYER).where(PLAYER.c.id == players["Ann"]).values(opted_out_at=START))
    drain(services, sender)
    assert [text.to for text in carrier.texts] == [BEA]
    assert (look(row).status, look(row).error_code) == ("canceled", "opted-out")


# What came of it


def test_too_many_requests_then_sent(services, sender, carrier, write, look, clock):
    carrier.troubles.append(Trouble(status=429, code=20429, retry_after=30))
    row = write()
    drain(services, sender)
    assert (look(row).status, look(row).error_code) == ("retry", "20429")
    assert look(row).next_attempt_at >= START + timedelta(seconds=30)
    clock.forward(seconds=29)
    drain(services, sender)
    assert carrier.requests == 1
    clock.forward(seconds=1)
    drain(services, sender)
    assert (look(row).status, look(row).attempt, look(row).error_code) == ("sent", 2, None)
    assert len(carrier.texts) == 1


@pytest.mark.parametrize("trouble", [Trouble(500, 20500), Trouble(0), Trouble(0, accepts=True), Trouble(503, None)])
def test_who_knows_whether_it_was_sent_is_not_sent_again(services, sender, carrier, write, look, clock, trouble):
    carrier.troubles.append(trouble)
    row = write()
    drain(services, sender)
    assert look(row).status == "unknown"
    clock.forward(days=2)
    drain(services, sender)
    assert carrier.requests == 1
    assert look(row).status == "unknown"


def test_a_callback_settles_it(services, sender, carrier, write, look):
    carrier.troubles.append(Trouble(0, accepts=True))
    row = write()
    drain(services, sender)
    (text,) = carrier.texts
    assert carrier.report(text.sid, "delivered") == 204
    assert (look(row).status, look(row).sid) == ("delivered", text.sid)


def test_an_unknown_text_does_not_hold_up_the_next(services, sender, carrier, write):
    carrier.troubles.append(Trouble(0))
    write(body="first")
    write(body="second")
    drain(services, sender)
    assert bodies(carrier, ANN) == ["second"]


@pytest.mark.parametrize(
    ("fate", "status"),
    [
        (Fate.DEAD, "failed"),
        (Fate.OPTOUT, "failed"),
        (Fate.CONTENT, "failed"),
        (Fate.BUG, "failed"),
        (Fate.SOFT, "failed"),
        (Fate.PAUSE, "failed"),
        (Fate.AMBIGUOUS, "unknown"),
        (Fate.RETRY, "retry"),
        (Fate.LATER, "retry"),
        (Fate.STOPALL, "retry"),
    ],
)
def test_each_fate(services, write, look, fate, status):
    class Fails:
        def send(self, *_):
            raise SendError(fate, "12345")

    row = write()
    drain(services, Fails())
    assert (look(row).status, look(row).error_code, look(row).lease_until) == (status, "12345", None)


def test_when_the_carrier_refuses_us_no_attempt_is_burnt(services, sender, carrier, write, look, clock):
    rows = [write(name) for name in ADDRESS] + [write(body="later")]
    carrier.troubles.extend([Trouble(401, 20003)] * 4)
    drained = drain(services, sender)
    assert drained.sent == 0
    assert carrier.requests <= 4
    assert {look(row).attempt for row in rows} == {0}
    assert {look(row).status for row in rows} <= {"retry", "pending"}
    clock.forward(seconds=61)
    carrier.troubles.clear()
    drain(services, sender, nap=lambda seconds: clock.forward(seconds=seconds))
    assert {look(row).status for row in rows} == {"sent"}


def test_tried_often_enough_it_is_given_up(services, carrier, sender, write, look):
    carrier.troubles.append(Trouble(429, 20429))
    row = write(attempt=outbox.ATTEMPTS - 1)
    drain(services, sender)
    assert look(row).status == "failed"


def test_too_many_requests_are_not_met_with_more(services, sender, carrier, crowd):
    carrier.troubles += [Trouble(429, 20429)] * 300
    crowd(300)
    drain(services, sender)
    assert carrier.requests <= outbox.BATCH + outbox.SENDERS


def test_a_carrier_that_cannot_be_reached_costs_no_attempt(services, settings, sender, carrier, write, look, clock):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{probe.getsockname()[1]}"
    away = TwilioSender(load(**settings.model_dump() | {"twilio_api_url": nobody}))
    row = write()
    for _ in range(outbox.ATTEMPTS + 1):
        drain(services, away)
        assert (look(row).status, look(row).attempt) == ("retry", 0)
        clock.forward(minutes=10)
    drain(services, sender)
    assert (look(row).status, len(carrier.texts)) == ("sent", 1)


def test_a_fault_of_ours_is_not_sent_twice(services, write, look, logged):
    class Broken:
        def send(self, *_):
            raise ZeroDivisionError("Ann holds QS")

    row = write(body="QS")
    drain(services, Broken())
    assert (look(row).status, look(row).error_code) == ("unknown", "ZeroDivisionError")
    assert "QS" not in logged.getvalue()
    assert ANN not in logged.getvalue()


# Claims and leases


def test_of_many_who_claim_one_gets_it(services, write):
    write()
    barrier = threading.Barrier(4)

    def take():
        barrier.wait()
        return claim(services)

    with ThreadPoolExecutor(4) as pool:
        taken = [future.result() for future in [pool.submit(take) for _ in range(4)]]
    assert sorted(map(len, taken)) == [0, 0, 0, 1]


def test_a_sender_that_died_leaves_unknown_and_nothing_is_sent_twice(services, sender, carrier, write, look, clock):
    row = write(body="first")
    second = write(body="second")
    (claimed,) = claim(services)
    assert claimed.id == row
    drain(services, sender)
    assert carrier.texts == []  # the second waits: the first may still be on its way
    clock.forward(seconds=outbox.LEASE_SECONDS + 1)
    drain(services, sender)
    assert (look(row).status, look(row).error_code) == ("unknown", "lease")
    assert look(second).status == "sent"
    assert bodies(carrier, ANN) == ["second"]


def segments_of(services):
    with services.db.begin() as db:
        return db.execute(select(TALLY.c.count).where(TALLY.c.kind == spending.PLAYER)).scalars().all()


@pytest.mark.on("postgresql")
def test_what_was_sent_is_kept_and_counted_though_the_connection_breaks(
    services, sender, carrier, write, look, monkeypatch
):
    real, tries = outbox.settle, []

    def settle(db, *rest):
        real(db, *rest)
        tries.append(db)
        if len(tries) == 1:
            pid = db.connection.driver_connection.info.backend_pid
            with services.db.connect() as other:
                other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})

    monkeypatch.setattr(outbox, "settle", settle)
    row = write()
    drain(services, sender)
    assert len(tries) == 2
    assert look(row).status == "sent"
    assert bodies(carrier, ANN) == ["Your turn."]
    assert segments_of(services) == [1]


def test_what_was_kept_after_all_is_not_counted_twice(services, sender, write, look, monkeypatch):
    """The connection is lost behind the COMMIT: nobody knows of it, and the work is begun again."""
    monkeypatch.setattr(outbox, "transact", lambda services, work: [transact(services, work) for _ in range(2)])
    row = write()
    drain(services, sender)
    assert look(row).status == "sent"
    assert segments_of(services) == [1]


def test_a_slow_sender_may_still_say_that_it_was_sent(services, write, look, clock):
    row = write()

    class Slow:
        def send(self, *_):
            clock.forward(seconds=outbox.LEASE_SECONDS + 1)
            claim(services)  # another drain comes by, and gives the row up
            assert look(row).status == "unknown"
            return Sent("SM1", "queued")

    drain(services, Slow())
    assert (look(row).status, look(row).sid, look(row).error_code) == ("sent", "SM1", None)


@pytest.mark.parametrize("status", ["queued", "sent", "delivered", "undelivered"])
def test_a_callback_may_be_quicker_than_the_answer(services, sender, carrier, write, look, status):
    row = write()
    accept = carrier._accept

    def accept_and_report(form):
        text = accept(form)
        assert carrier.report(text.sid, status) == 204
        return text

    carrier._accept = accept_and_report
    drain(services, sender)
    assert look(row).status == {"queued": "sent"}.get(status, status)
    assert look(row).sid == carrier.texts[0].sid
    assert look(row).lease_until is None


@pytest.mark.on("postgresql")
def test_finding_what_is_due_uses_its_index(services, players):
    with services.db.begin() as db:
        db.exec_driver_sql(
            "INSERT INTO outbound (player_id, recipient, body, kind, status, rank, attempt, next_attempt_at, segments,"
            f" created_at) SELECT {players['Ann']}, '', '', 'notice', 'delivered', 6, 1, now(), 1, now()"
            " FROM generate_series(1, 20000)"
        )
        db.exec_driver_sql("ANALYZE outbound")
        query = select(OUTBOUND.c.id).where(outbox.DUE).limit(20).params(now=START)
        sql = str(query.compile(db, compile_kwargs={"literal_binds": True}))
        plan = "\n".join(db.exec_driver_sql(f"EXPLAIN {sql}").scalars())
    assert "Index" in plan
    assert "Seq Scan" not in plan
