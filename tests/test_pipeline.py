"""What is kept for later is there in time, in its order, and fails the transaction where it fails."""

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, PendingRollbackError

from service.models import Player, table_of
from service.pipeline import ask, later
from tests.conftest import START

PLAYER = table_of(Player)
COUNT = update(PLAYER).where(PLAYER.c.id == bindparam("who")).values(unclear_count=bindparam("to"))
OPEN = update(PLAYER).where(PLAYER.c.id == bindparam("who")).values(pending=bindparam("pending"))
ADD = insert(PLAYER)
OF = select(PLAYER.c.unclear_count, PLAYER.c.pending, PLAYER.c.created_at).where(PLAYER.c.id == bindparam("who"))
PLAIN = select(PLAYER.c.unclear_count)


def row(address: str) -> dict[str, object]:
    return {"channel": "sms", "address": address, "created_at": START, "unclear_count": 0, "prefs": {"a": [1]}}


def test_who_reads_after_it_reads_it(database, players):
    with database.engine.begin() as conn:
        later(conn, COUNT, {"who": players["Ann"], "to": 1})
        later(conn, COUNT, {"who": players["Ann"], "to": 2})
        assert conn.execute(PLAIN.where(PLAYER.c.id == players["Ann"])).scalar_one() == 2
        later(conn, COUNT, {"who": players["Ann"], "to": 3})
        assert ask(conn, (OF, {"who": players["Ann"]}))[0][0].unclear_count == 3


def test_it_is_there_after_the_commit(database, players):
    with database.engine.begin() as conn:
        later(conn, OPEN, {"who": players["Ann"], "pending": {"choices": ["draw"], "table": "KF7"}})
        later(conn, ADD, [row("+12125550111"), row("+12125550112")])
    with database.engine.begin() as conn:
        found, bea = ask(conn, (OF, {"who": players["Ann"]}), (OF, {"who": players["Bea"]}))
        assert found[0].pending == {"choices": ["draw"], "table": "KF7"}
        assert (bea[0].pending, bea[0].created_at) == (None, START)
        assert bea[0]._asdict()["created_at"].utcoffset() == START.utcoffset()
        kept = conn.execute(select(PLAYER.c.prefs).where(PLAYER.c.address.like("+1212555011%"))).scalars().all()
        assert kept == [{"a": [1]}, {"a": [1]}]


def test_nothing_of_it_is_there_after_a_rollback(database, players):
    def work():
        with database.engine.begin() as conn:
            later(conn, COUNT, {"who": players["Ann"], "to": 7})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    with database.engine.begin() as conn:  # the same connection again
        assert conn.execute(PLAIN.where(PLAYER.c.id == players["Ann"])).scalar_one() == 0


def test_what_fails_at_the_end_fails_all_of_it(database, players):
    def work():
        with database.engine.begin() as conn:
            assert ask(conn, (OF, {"who": players["Ann"]}))[0]
            later(conn, COUNT, {"who": players["Ann"], "to": 7})
            later(conn, ADD, row("+12125550101"))  # Ann's
            later(conn, COUNT, {"who": players["Bea"], "to": 7})

    with pytest.raises(IntegrityError):
        work()
    with database.engine.begin() as conn:
        assert set(conn.execute(PLAIN).scalars()) == {0}


def test_it_is_not_lost_with_a_question_that_cannot_be_asked(database, players):
    with database.engine.begin() as conn:
        later(conn, COUNT, {"who": players["Ann"], "to": 7})
        with pytest.raises(DBAPIError):
            ask(conn, (OF, {"who": object()}))
    with database.engine.begin() as conn:
        assert ask(conn, (OF, {"who": players["Ann"]}))[0][0].unclear_count == 7


def test_what_fails_within_a_savepoint_fails_no_more_than_that(database, players):
    with database.engine.begin() as conn:
        later(conn, COUNT, {"who": players["Ann"], "to": 7})
        part = conn.begin_nested()
        later(conn, COUNT, {"who": players["Bea"], "to": 7})
        with pytest.raises(IntegrityError):
            later(conn, ADD, row("+12125550101"))  # Ann's
        part.rollback()
    with database.engine.begin() as conn:
        found, bea = ask(conn, (OF, {"who": players["Ann"]}), (OF, {"who": players["Bea"]}))
        assert (found[0].unclear_count, bea[0].unclear_count) == (7, 0)


def test_what_no_transaction_ends_is_nobody_else_s(database, players):
    with database.engine.connect() as conn:
        later(conn, COUNT, {"who": players["Ann"], "to": 7})
    with database.engine.begin() as conn:
        assert ask(conn, (OF, {"who": players["Ann"]}))[0][0].unclear_count == 0


@pytest.mark.on("postgresql")
def test_what_has_failed_is_not_said_to_be_committed(database, players):
    """The server answers to COMMIT that it has rolled back, and the driver is content with that."""
    with database.engine.connect() as conn:
        conn.execute(COUNT, {"who": players["Ann"], "to": 7})
        with pytest.raises(DBAPIError):
            ask(conn, (select(1 / bindparam("none", 0)), {}))
        with pytest.raises(PendingRollbackError):
            conn.commit()


def test_a_transaction_that_began_with_a_question_is_one(database, players):
    """The driver is told to begin by a statement of its own; what follows is not committed one by one."""

    def two():
        with database.engine.connect() as conn:
            with conn.begin():
                ask(conn, (OF, {"who": players["Ann"]}))
            with conn.begin():  # without a question now
                conn.execute(COUNT, {"who": players["Ann"], "to": 7})
                raise ZeroDivisionError

    def nested():
        with database.engine.begin() as conn:
            ask(conn, (OF, {"who": players["Ann"]}))
            conn.execute(COUNT, {"who": players["Ann"], "to": 7})
            with conn.begin_nested():
                later(conn, COUNT, {"who": players["Bea"], "to": 7})
            raise ZeroDivisionError

    for work in (two, nested):
        with pytest.raises(ZeroDivisionError):
            work()
    with database.engine.begin() as conn:
        assert set(conn.execute(PLAIN).scalars()) == {0}
