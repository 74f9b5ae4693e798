"""An INSERT of a row that may be there already."""

from typing import cast

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(conn: Connection, table: Table) -> postgresql.Insert:
    """An INSERT with `on_conflict_do_nothing` and `on_conflict_do_update`, which both databases have in the same words."""
    if conn.dialect.name == "sqlite":
        return cast("postgresql.Insert", sqlite.insert(table))
    return postgresql.insert(table)
