import multiprocessing
import os
import threading
from datetime import UTC, datetime
from unittest.mock import Mock

import psycopg
import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from service import db as db_module
from service.db import Database, reading
from service.models import GameTable, Player, table_of
from service.services import Services
from tests import made_once

PLAYER, TABLE = table_of(Player), table_of(GameTable)
NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


def test_many_at_once_lose_no_update(database: Database, players):
    """Each thread reads a number and writes one more, as two texts to one table do; the row is locked by who writes."""
    engine = database.engine

    def count():
        for _ in range(20):
            with engine.begin() as db:
                row = db.execute(select(PLAYER.c.unclear_count).where(PLAYER.c.id == players["Ann"]).with_for_update())
                db.execute(
                    update(PLAYER).where(PLAYER.c.id == players["Ann"]).values(unclear_count=row.scalar_one() + 1)
                )

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading(engine) as db:
        assert db.execute(select(PLAYER.c.unclear_count).where(PLAYER.c.id == players["Ann"])).scalar_one() == 80


def test_a_reader_does_not_wait_for_a_writer(database: Database, players):
    with database.engine.begin() as writing:
        writing.execute(update(PLAYER).values(unclear_count=9))
        with reading(database.engine) as db:
            assert set(db.execute(select(PLAYER.c.unclear_count)).scalars()) == {0}


def test_a_row_must_have_what_it_refers_to(database: Database):
    with pytest.raises(IntegrityError), database.engine.begin() as db:
        db.execute(
            insert(TABLE).values(
                code="KF7",
                game="damn",
                seat_count=4,
                host_id=99,
                status="open",
                seed="7",
                created_at=NOW,
                updated_at=NOW,
            )
        )


def test_an_error_does_not_tell_the_texts(database: Database):
    with pytest.raises(SQLAlchemyError) as caught, database.engine.begin() as db:
        db.execute(text("SELECT nothing FROM nowhere WHERE x = :body"), {"body": "my secret hand"})
    assert "my secret hand" not in str(caught.value)


def test_times_are_aware_and_utc(database: Database, players):
    from zoneinfo import ZoneInfo

    local = NOW.astimezone(ZoneInfo("America/New_York"))
    with database.engine.begin() as db:
        db.execute(update(PLAYER).values(greeted_at=local))
        got = db.execute(select(PLAYER.c.greeted_at)).scalars().first()
    assert got == NOW
    assert got is not None
    assert got.utcoffset() == NOW.utcoffset()


@pytest.mark.on("sqlite")
def test_sqlite_is_set_up(database: Database, monkeypatch):
    monkeypatch.setattr(db_module, "_set_up_sqlite", made_once.set_up_sqlite)
    with reading(database.engine) as db:
        answers = {
            name: db.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert answers == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


@pytest.mark.on("postgresql")
def test_postgresql_gives_up_in_time(database: Database):
    with reading(database.engine) as db:
        assert db.exec_driver_sql("SHOW statement_timeout").scalar() == "10s"
        assert db.exec_driver_sql("SHOW lock_timeout").scalar() == "5s"


@pytest.mark.on("postgresql")
def test_a_connection_is_asked_whether_it_lives_only_when_it_was_left(database: Database, monkeypatch):
    """The pool looks at two in a row, and gives up with an error that nobody would try again."""
    looks = Mock(wraps=psycopg.Connection.execute)
    monkeypatch.setattr(db_module, "IDLE_SECONDS", -1)
    monkeypatch.setattr(psycopg.Connection, "execute", lambda *asked: looks(*asked))
    for number in range(3):
        with reading(database.engine):
            assert looks.call_count == number


@pytest.mark.on("postgresql")
def test_a_machine_that_is_gone_without_a_word_is_not_waited_for(database: Database):
    with reading(database.engine) as db:
        driver = db.connection.driver_connection
        assert driver is not None
        given = driver.info.get_parameters()
    assert {name: int(given[name]) for name in db_module.SILENT} == db_module.SILENT


def child(database: Database, name: str, answers) -> None:
    with database.engine.begin() as db:
        db.execute(insert(PLAYER).values(channel="sms", address=name, created_at=NOW, prefs={}))
    answers.put(os.getpid())


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.on("postgresql")
def test_what_is_read_often_stays_prepared(database: Database, players):
    """The driver forgets all that it has prepared where a transaction is rolled back, and each plan is made anew."""
    often = select(PLAYER.c.name).where(PLAYER.c.id == players["Ann"])
    for _ in range(10):
        with reading(database.engine) as db:
            db.execute(often)
    with reading(database.engine) as db:
        prepared = db.execute(text("SELECT statement FROM pg_prepared_statements")).scalars().all()
    assert any("FROM player" in statement for statement in prepared)


def test_a_fork_connects_anew_and_leaves_the_parent_alone(services: Services):
    database = services.database
    mine = database.engine
    with mine.begin() as db:  # the children inherit an open connection
        db.execute(insert(PLAYER).values(channel="sms", address="parent", created_at=NOW, prefs={}))
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    children = [context.Process(target=child, args=(database, f"child {n}", answers)) for n in range(3)]
    for process in children:
        process.start()
    for process in children:
        process.join(20)
    assert [process.exitcode for process in children] == [0, 0, 0]
    assert database.engine is mine
    with reading(database.engine) as db:
        assert len(db.execute(select(PLAYER.c.id)).all()) == 4
