"""Statements that go to PostgreSQL past the driver's cursors: what is prepared, what becomes of it, and what an interruption leaves."""

import _thread
import signal

import pytest
from sqlalchemy import String, bindparam, column, func, insert, select, table, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from service import db as db_module
from service.models import Player, table_of
from service.pipeline import ask, later
from service.transact import Stale, transact

pytestmark = pytest.mark.on("postgresql")
PLAYER = table_of(Player)
OF = select(PLAYER.c.unclear_count, PLAYER.c.pending).where(PLAYER.c.id == bindparam("who"))
MANY = select(PLAYER.c.id).order_by(PLAYER.c.id)
SLEEP = select(func.pg_sleep(bindparam("seconds")))
COUNT = update(PLAYER).where(PLAYER.c.id == bindparam("who")).values(unclear_count=bindparam("to"))
PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'queenline%'")


def counted(conn, who):
    return ask(conn, (OF, {"who": who}))[0][0].unclear_count


def test_a_statement_is_prepared_once(database, players):
    for _ in range(5):
        with database.engine.begin() as conn:
            assert counted(conn, players["Ann"]) == 0
    with database.engine.begin() as conn:
        assert conn.execute(PREPARED).scalar_one() == 2  # and BEGIN


@pytest.mark.parametrize(
    "drivers_own", [0, 8]
)  # the driver deallocates everybody's where it has prepared something itself
def test_after_a_rollback_it_is_prepared_anew_and_nothing_piles_up(database, players, drivers_own):
    for number in range(6):
        with database.engine.connect() as conn:
            for _ in range(drivers_own):
                conn.execute(MANY)
            later(conn, COUNT, {"who": players["Ann"], "to": number})
            assert counted(conn, players["Ann"]) == number
            conn.rollback()
    with database.engine.begin() as conn:
        assert counted(conn, players["Ann"]) == 0
        assert conn.execute(PREPARED).scalar_one() <= 3


def both_prepare(conn, players):
    for _ in range(8):
        conn.execute(MANY)
    counted(conn, players["Ann"])


def test_after_a_commit_that_failed_too(database, players):
    """Its rollback is the pool's."""
    with database.engine.begin() as conn:
        both_prepare(conn, players)
    with pytest.raises(IntegrityError), database.engine.begin() as conn:
        later(conn, insert(PLAYER), {"id": players["Ann"]})
    with database.engine.begin() as conn:
        assert counted(conn, players["Ann"]) == 0


def test_after_a_savepoint_too(database, players):
    with database.engine.begin() as conn:
        both_prepare(conn, players)
        part = conn.begin_nested()
        with pytest.raises(IntegrityError):
            conn.execute(insert(PLAYER), {"id": players["Ann"]})
        part.rollback()
        assert counted(conn, players["Ann"]) == 0


def test_after_a_long_rest_all_is_still_prepared(database, players, monkeypatch):
    with database.engine.begin() as conn:
        both_prepare(conn, players)
    monkeypatch.setattr(db_module, "IDLE_SECONDS", -1)
    with database.engine.begin() as conn:
        assert counted(conn, players["Ann"]) == 0
        assert conn.execute(PREPARED).scalar_one() == 2


@pytest.mark.parametrize("asking", [lambda conn, said: ask(conn, (said, {}))[0], lambda conn, said: conn.execute(said)])
def test_what_is_of_another_type_by_now_is_read_again(services, asking):
    """As while a new version of the schema is put in place."""
    said = select(column("said", String)).select_from(table("short"))

    def reads(conn):
        return [row.said for row in asking(conn, said)]

    with services.db.begin() as conn:
        conn.execute(text("CREATE TEMP TABLE short AS SELECT '12' AS said"))
    for _ in range(8):
        assert transact(services, reads) == ["12"]
    with services.db.connect() as conn:  # past the driver, which would notice
        conn.connection.driver_connection.pgconn.exec_(b"ALTER TABLE short ALTER said TYPE integer USING said::integer")
    assert transact(services, reads) == [12]


def test_one_that_somebody_has_deallocated_begins_the_work_again(services, players):
    with services.db.begin() as conn:
        counted(conn, players["Ann"])
        conn.execute(text("DEALLOCATE ALL"))
    with pytest.raises(Stale), services.db.begin() as conn:
        counted(conn, players["Ann"])
    with services.db.begin() as conn:
        counted(conn, players["Ann"])
        conn.execute(text("DEALLOCATE ALL"))
    assert transact(services, lambda conn: counted(conn, players["Ann"])) == 0


def test_an_error_is_the_first_one_and_leaves_the_connection_whole(database, players):
    with pytest.raises(DBAPIError, match="division by zero"), database.engine.begin() as conn:
        ask(conn, (OF, {"who": players["Ann"]}), (select(1 / bindparam("none", 0)), {}), (OF, {"who": players["Ann"]}))
    with database.engine.begin() as conn:
        assert counted(conn, players["Ann"]) == 0


def test_more_than_the_socket_holds_goes_there_and_comes_back(database, players):
    """While the server waits for us to read, it reads nothing itself."""
    long = "x" * 3_000_000
    echo = select(func.concat(bindparam("said", type_=String), "!").label("echo"))
    with database.engine.begin() as conn:
        found = ask(conn, *((echo, {"said": f"{number}{long}"}) for number in range(6)))
    assert [rows[0].echo for rows in found] == [f"{number}{long}!" for number in range(6)]


def test_who_is_interrupted_leaves_nothing_for_the_next(database, players):
    """As a job that takes too long: the answer comes when nobody waits for it any more."""

    def interrupt(*_):
        raise TimeoutError

    def too_long():
        with database.engine.begin() as conn:
            later(conn, COUNT, {"who": players["Ann"], "to": 7})
            ask(conn, (SLEEP, {"seconds": 5}))

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            too_long()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with database.engine.begin() as conn:
        assert counted(conn, players["Ann"]) == 0


def test_a_value_that_cannot_be_sent_harms_nothing(database, players):
    with database.engine.begin() as conn:
        with pytest.raises(DBAPIError):
            ask(conn, (OF, {"who": _thread.allocate_lock()}))
        assert counted(conn, players["Ann"]) == 0
