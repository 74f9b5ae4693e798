"""deploy/citus.sql on a plain PostgreSQL: no Citus is at hand, so its two functions are stubs that keep what they are told.

What can be checked without it is: that every statement runs on our schema, and that what comes of it keeps the rules that
Citus has for keys. The service then still works on it, as test_statements plays it.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.migrate import upgrade
from service.models import Base
from tests.postgres import PostgresServer

CITUS = Path(__file__).parent.parent / "deploy" / "citus.sql"
STUBS = """
CREATE TABLE told (name text PRIMARY KEY, by_column text, beside text);
CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO told VALUES (name) $$;
CREATE FUNCTION create_distributed_table(name text, by_column text, colocate_with text DEFAULT '') RETURNS void LANGUAGE sql
    AS $$ INSERT INTO told VALUES (name, by_column, nullif(colocate_with, '')) $$;
"""
KEYS = """
SELECT conrelid::regclass::text, contype::text, confrelid::regclass::text,
    (SELECT array_agg(attname::text ORDER BY array_position(conkey, attnum)) FROM pg_attribute
     WHERE attrelid = conrelid AND attnum = ANY (conkey)),
    (SELECT array_agg(attname::text ORDER BY array_position(confkey, attnum)) FROM pg_attribute
     WHERE attrelid = confrelid AND attnum = ANY (confkey))
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
"""


def distribute(conn: "psycopg.Connection[Any]") -> None:
    """Runs the file with stubs in the place of Citus."""
    conn.execute(STUBS)
    conn.execute(CITUS.read_text().encode())


@pytest.fixture
def distributed(postgres: PostgresServer) -> Iterator["psycopg.Connection[Any]"]:
    postgres.create("citus")
    try:
        upgrade(postgres.url("citus"))
        with psycopg.connect(postgres.url("citus").replace("+psycopg", "")) as conn:
            distribute(conn)
            yield conn
            conn.rollback()
    finally:
        postgres.drop("citus")


def test_every_table_has_its_place(distributed):
    told = dict(distributed.execute("SELECT name, by_column FROM told").fetchall())
    assert set(told) == {table.name for table in Base.metadata.sorted_tables}
    columns = {table.name: set(table.columns.keys()) for table in Base.metadata.sorted_tables}
    assert all(column is None or column in columns[name] for name, column in told.items())


def test_the_column_of_a_distributed_table_is_never_empty(distributed):
    told = distributed.execute("SELECT name, by_column FROM told WHERE by_column IS NOT NULL").fetchall()
    empty = {
        name
        for name, column in told
        if distributed.execute(
            "SELECT is_nullable = 'YES' FROM information_schema.columns WHERE table_name = %s AND column_name = %s",
            (name, column),
        ).fetchone()
        != (False,)
    }
    assert not empty


def test_every_key_is_one_that_citus_can_hold(distributed):
    """Unique ones hold the distribution column; a foreign one leads to a reference table, or from one such column to the other."""
    told = {name: (column, beside) for name, column, beside in distributed.execute("SELECT * FROM told").fetchall()}
    wrong = []
    for table, kind, other, columns, theirs in distributed.execute(KEYS).fetchall():
        if table not in told:  # the migrations' own, and the one that keeps what was told
            continue
        column, beside = told[table]
        if kind != "f":
            good = column is None or column in columns
        elif told[other][0] is None:
            good = True
        else:  # one that leads to a distributed table
            pairs = list(zip(columns, theirs, strict=True))
            good = column is not None and (column, told[other][0]) in pairs and (beside == other or table == other)
        if not good:
            wrong.append((table, kind, columns))
    assert wrong == []


def test_the_check_of_the_files_sees_a_table_that_is_left_out(tmp_path):
    from tools.deploy import citus

    text = CITUS.read_text()
    assert list(citus()) == []
    (tmp_path / "citus.sql").write_text(re.sub(r"SELECT create_distributed_table\('move'.*", "", text))
    assert list(citus(tmp_path / "citus.sql")) == ["citus.sql: move is neither distributed nor replicated"]
