"""A copy of the database while the service runs, and the way back.

SQLite by its own online copy; PostgreSQL by pg_dump and pg_restore, which must be on the PATH, of the server's version or
newer. Either way the copy is of one moment.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url, update

from service.db import connected
from service.migrate import upgrade
from service.models import Outbound, table_of

RESTORED = "restored"  # why a text that waited at the time of the backup is not sent


class BackupError(Exception):
    """Its text is for whoever makes the backup."""


def backup(url: str, file: Path) -> None:
    """Writes a copy to `file`, readable by its owner alone; a half-written one never stands under that name."""
    part = file.with_name(file.name + ".part")
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent} for the copy.")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.close(descriptor)
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            source = Path(str(parsed.database))
            if not source.exists():
                raise BackupError(f"There is no database at {source}.")
            _copy_sqlite(source, part)
        else:
            _run(url, "pg_dump", "--format=custom", f"--file={part}")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def restore(url: str, file: Path) -> int:
    """Puts a copy into an empty database, brings it up to date, and cancels what waited to be sent when it was made.

    Most of that went out after the copy was made. Returns how many texts were cancelled. Raises BackupError where the
    database is not empty: nothing is ever overwritten.
    """
    if not file.exists():
        raise BackupError(f"There is no file {file}.")
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        target = Path(str(parsed.database))
        if target.exists() and target.stat().st_size:
            raise BackupError(f"{target} is there already; move it away first.")
        if not target.parent.is_dir():
            raise BackupError(f"There is no folder {target.parent} for the database.")
        _put_back(file, target)
    else:
        with connected(url) as engine, engine.connect() as conn:
            there = conn.exec_driver_sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").scalar_one()
        if there:
            raise BackupError("That database is not empty; make a new one for it.")
        _run(url, "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", str(file))
    upgrade(url)
    outbound = table_of(Outbound)
    waiting = outbound.c.status.in_(("pending", "retry", "sending"))
    with connected(url) as engine, engine.begin() as conn:
        return conn.execute(update(outbound).where(waiting).values(status="canceled", error_code=RESTORED)).rowcount


def _put_back(file: Path, target: Path) -> None:
    """A copy that cannot be put back whole leaves nothing behind that would stand in the way of another."""
    target.touch(mode=0o600)
    try:
        _copy_sqlite(file, target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _copy_sqlite(source: Path, target: Path) -> None:
    read_only = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(target)) as into, closing(sqlite3.connect(read_only, uri=True)) as out_of:
        try:
            out_of.backup(into, pages=1000)
            if not into.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                raise BackupError(f"{source} is no database of Queenline.")
            if into.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BackupError(f"{source} is damaged.")
            into.execute("PRAGMA journal_mode = DELETE")  # one file, which can be moved
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
                raise BackupError(f"{source} is no database of Queenline, or a damaged one: {error}.") from None
            raise BackupError(f"{source} could not be copied to {target}: {error}.") from None


def _run(url: str, program: str, *arguments: str) -> None:
    """One of PostgreSQL's own programs on this database. Everybody on the machine sees its arguments, so the password is in none."""
    if shutil.which(program) is None:
        raise BackupError(f"{program} is not on the PATH; it comes with PostgreSQL's client programs.")
    parsed = make_url(url).set(drivername="postgresql")
    plain = parsed._replace(password=None).render_as_string()
    secret = {"PGPASSWORD": str(parsed.password)} if parsed.password else {}
    done = subprocess.run(
        [program, "--dbname", plain, *arguments],
        env=os.environ | secret, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise BackupError(f"{program} failed: {' '.join(done.stderr.split())}")
