"""Brings a database up to the schema of this code, and tells whether it is."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from service.db import make_engine, reading

FOLDER = Path(__file__).parent / "migrations"
# Any number, as long as nothing else in this database locks by it.
LOCK = 5_190_413


class UnknownSchema(Exception):
    """The database was upgraded by a newer version than this one."""


def upgrade(url: str, pooler: str = "none") -> None:
    """Runs the migrations that are missing, all in one transaction. Two of these at once: the second waits."""
    engine = make_engine(url, 1, pooler)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text("SET LOCAL lock_timeout = '60s'"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            command.upgrade(configuration(connection), "head")
    finally:
        engine.dispose()


def missing(engine: Engine) -> list[str]:
    """The migrations that this database has not had, oldest first. Empty: it is up to date."""
    steps = [step.revision for step in ScriptDirectory(str(FOLDER)).walk_revisions()]  # newest first
    with reading(engine) as connection:
        at = MigrationContext.configure(connection).get_current_revision()
    if at is not None and at not in steps:
        raise UnknownSchema(f"The database is at migration {at}, which this version of Queenline does not know.")
    return steps[: steps.index(at) if at else None][::-1]


def configuration(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
