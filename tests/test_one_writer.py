"""SQLite has one writer at a time: threads of a process take turns, readers never wait, and no way out keeps the lock."""

import threading

import pytest
from sqlalchemy import func, insert, select

from service.db import make_engine, reading
from service.stored import PLAYER
from tests.conftest import START

pytestmark = pytest.mark.on("sqlite")
COUNT = select(func.count()).select_from(PLAYER)


@pytest.fixture
def engine(database_url):
    engine = make_engine(database_url, pool_size=8)
    yield engine
    engine.dispose()


def sit_down(conn, number):
    who = {"channel": "sms", "address": f"+121255501{number:02}", "created_at": START, "unclear_count": 0, "prefs": {}}
    conn.execute(insert(PLAYER), who)


def test_all_of_a_crowd_write(engine):
    failed = []

    def write(number):
        try:
            with engine.begin() as conn:
                sit_down(conn, number)
        except Exception as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with reading(engine) as conn:
        assert conn.execute(COUNT).scalar_one() == 8


def test_one_who_reads_waits_for_nobody(engine):
    with engine.begin() as writer:
        sit_down(writer, 1)
        with reading(engine) as reader:
            assert reader.execute(COUNT).scalar_one() == 0
    with reading(engine) as reader:
        assert reader.execute(COUNT).scalar_one() == 1


def fails(conn):
    raise ZeroDivisionError


def gives_up_its_connection(conn):
    conn.invalidate()


def keeps_it_for_itself(conn):
    conn.detach()


def begins_again(conn):
    conn.rollback()
    sit_down(conn, 2)
    conn.rollback()


@pytest.mark.parametrize("way", [fails, gives_up_its_connection, keeps_it_for_itself, begins_again])
def test_whoever_goes_gives_the_lock_back(engine, way):
    for number in (4, 5):
        try:
            with engine.connect() as conn:
                sit_down(conn, number)
                way(conn)
        except ZeroDivisionError:
            pass
    taken = threading.Event()

    def write():
        with engine.begin() as conn:
            sit_down(conn, 9)
            taken.set()

    thread = threading.Thread(target=write)
    thread.start()
    assert taken.wait(4)  # less than the 5 s after which it would go on without
    thread.join()
