"""Brings a database up to the schema of this code, and tells whether it is."""

from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, make_url, text

from service.db import connected, reading

FOLDER = Path(__file__).parent / "migrations"
# Any number, as long as nothing else in this database locks by it.
LOCK = 5_190_413


class UnknownSchema(Exception):
    """The database was upgraded by a newer version than this one."""


def upgrade(url: str, pooler: str = "none") -> None:
    """Runs the migrations that are missing, all in one transaction. Two of these at once: the second waits.

    UnknownSchema where the database is newer than this code. A file of SQLite that is not there is made for its owner alone.
    """
    parsed = make_url(url)
    file = Path(parsed.database or "")
    if parsed.get_backend_name() == "sqlite" and not file.exists():
        with suppress(OSError):  # SQLite will say it
            file.touch(mode=0o600)  # it will hold players' numbers; those beside it get the same mode
    with connected(url, pooler) as engine, engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SET LOCAL lock_timeout = '60s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        _missing(connection)
        command.upgrade(configuration(connection), "head")


def missing(engine: Engine) -> list[str]:
    """The migrations that this database has not had, oldest first. Empty: it is up to date."""
    with reading(engine) as connection:
        return _missing(connection)


def _missing(connection: Connection) -> list[str]:
    steps = [step.revision for step in ScriptDirectory(str(FOLDER)).walk_revisions()]  # newest first
    at = MigrationContext.configure(connection).get_current_revision()
    if at is not None and at not in steps:
        raise UnknownSchema(
            f"The database is at migration {at}, which this version of Queenline does not know: a newer one has upgraded "
            "it. Start that one, or restore a backup from before (docs/running.md)."
        )
    return steps[: steps.index(at) if at else None][::-1]


def configuration(connection: Connection) -> Config:
    """Alembic's configuration for a run of our migrations on this connection."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
