"""A text that waits too long for a lock of PostgreSQL: it is tried once more, if there is time left, before its player hears of it."""

import pytest
from sqlalchemy import Connection, event, select, text
from sqlalchemy.exc import OperationalError

from service import db, transact
from service.play.door import SORRY
from service.stored import INBOUND, TABLE

SOON = "100ms"  # instead of five seconds
HELD = select(TABLE.c.id).where(TABLE.c.code == "KF7").with_for_update()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setitem(db.SESSION, "lock_timeout", SOON)


@pytest.fixture
def failures(people):
    """What is called with each transaction that is rolled back; how many there have been."""
    seen: list[Connection] = []
    event.listen(people.services.db.engine, "rollback", seen.append)
    return seen


@pytest.mark.on("postgresql")
def test_a_lock_that_is_free_by_then(at_kf7, failures):
    """Somebody holds the table until the text has failed once; the player gets the answer to the move, and nothing else."""
    with at_kf7.services.db.connect() as other:
        other.execute(HELD)
        event.listen(
            at_kf7.services.db.engine, "rollback", lambda _conn: other.in_transaction() and other.commit(), once=True
        )
        answer = at_kf7("Ann", "draw")
    assert answer.startswith("KF7: you drew 7S.")
    assert len(failures) == 1
    assert [row.kind for row in at_kf7.rows(INBOUND)] == ["moves"]
    at_kf7.replays("KF7")


@pytest.mark.on("postgresql")
def test_a_lock_that_stays_is_waited_for_twice(at_kf7, failures):
    before = at_kf7.whole()
    with at_kf7.services.db.connect() as other:
        other.execute(HELD)
        assert at_kf7("Ann", "draw") == SORRY
        assert len(failures) == 2
    assert at_kf7.whole() == before
    assert at_kf7("Ann", "draw").startswith("KF7: you drew 7S.")


def canceled(conn):
    """This transaction's statement is canceled, as PostgreSQL does when it takes too long."""
    conn.execute(text("SET LOCAL statement_timeout = '1ms'"))
    conn.execute(text("SELECT pg_sleep(60)"))


@pytest.mark.on("postgresql")
@pytest.mark.parametrize(("passed", "tries"), [(0.0, 2), (8.0, 2), (8.001, 1), (10.0, 1)])
def test_a_statement_too_unless_too_little_time_is_left(services, monkeypatch, passed, tries):
    """The carrier waits 15 seconds: nine for both tries, five for the lock that an apology may wait for."""
    clock, began = [0.0], []
    monkeypatch.setattr(transact, "time", type("Time", (), {"monotonic": staticmethod(lambda: clock[0])}))

    def work(conn):
        began.append(conn.execute(text("SHOW statement_timeout")).scalar())
        if len(began) == 1:
            clock[0] = passed
            canceled(conn)
        return "done"

    if tries == 1:
        with pytest.raises(OperationalError):
            transact.transact(services, work)
        assert began == ["10s"]
    else:
        assert transact.transact(services, work) == "done"
        assert began == ["10s", "9s" if passed == 0.0 else "1s"]
    with services.db.connect() as conn:  # the next to use the connection has the usual time
        assert conn.execute(text("SHOW statement_timeout")).scalar() == "10s"


@pytest.mark.on("postgresql")
def test_only_once(services):
    tries = []

    def work(conn):
        tries.append(conn)
        canceled(conn)

    with pytest.raises(OperationalError):
        transact.transact(services, work)
    assert len(tries) == 2


def test_the_whole_is_in_time_for_the_carrier():
    assert transact.LATEST_SECONDS + db.WAIT_SECONDS < 15
