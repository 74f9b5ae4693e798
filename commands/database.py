"""What commands say about the database that they are to use, when it is not as they need it."""

import sqlite3
import sys
from pathlib import Path

import psycopg
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from service.config import DatabaseSettings
from service.migrate import missing


def told(error: DBAPIError) -> str:
    """One line: what it is, in the driver's own words."""
    said = " ".join(str(error.orig).split())
    away = isinstance(error, OperationalError)
    if isinstance(error.orig, sqlite3.Error):
        away = "unable to open" in said  # the others: it is full, locked, or may not be written to
    elif isinstance(error.orig, psycopg.Error):
        away = away and (error.orig.sqlstate or "08")[:2] in ("08", "57")
    return f"The database of DATABASE_URL cannot be {'reached' if away else 'used'}: {said}"


def there(settings: DatabaseSettings) -> None:
    """Ends the process where the file of SQLite is not there: whoever connects to it would make an empty one."""
    file = Path(make_url(settings.database_url).database or "")
    if settings.on_sqlite and not file.exists():
        sys.exit(f"There is no database at {file}; `queenline serve`, `worker` and `db upgrade` make one.")


def up_to_date(engine: Engine) -> None:
    """Ends the process where the schema is older than this code. UnknownSchema where it is newer."""
    steps = missing(engine)
    if steps:
        sys.exit(f"The database lacks the migrations {', '.join(steps)}: run `queenline db upgrade`, then start again.")
