"""A connection to PostgreSQL that breaks in the middle of a transaction, wherever that is: the work is begun again."""

import pytest
from sqlalchemy import func, insert, select, text

from service.pipeline import ask, later
from service.stored import PLAYER
from service.transact import transact
from tests.conftest import ANN, START

COUNT = select(func.count().label("count")).select_from(PLAYER)
ANN_SITS_DOWN = insert(PLAYER)
HER = {"channel": "sms", "address": ANN, "created_at": START, "unclear_count": 0, "prefs": {}}


def asks(conn):
    ask(conn, (COUNT, {}))


def executes(conn):
    conn.execute(COUNT)


def commits(_conn):
    """Nothing more: what was kept goes with the COMMIT."""


@pytest.mark.on("postgresql")
@pytest.mark.parametrize("after", [asks, executes, commits])
@pytest.mark.parametrize("kept", [True, False])
def test_it_is_begun_again(services, after, kept):
    tries = []

    def work(conn):
        if kept:
            later(conn, ANN_SITS_DOWN, HER)
        else:
            conn.execute(ANN_SITS_DOWN, HER)
        tries.append(conn)
        if len(tries) == 1:
            with services.db.connect() as other:
                other.execute(
                    text("SELECT pg_terminate_backend(:pid)"),
                    {"pid": conn.connection.driver_connection.info.backend_pid},
                )
        after(conn)
        return "done"

    assert transact(services, work) == "done"
    assert len(tries) == 2
    with services.db.connect() as conn:
        assert conn.execute(COUNT).scalar_one() == 1
