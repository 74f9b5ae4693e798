"""The least that a webhook could be, to measure ours against: a bare Flask route that checks the carrier's signature and
commits one row of 4 KB. `python -m bench.floors sqlmodel|sqlite3|core URL PORT TOKEN [PROCESSES]`

By SQLModel on an engine set up as the service's own, or by the driver alone with the same settings of SQLite. `core` does
what any game must do: it locks one row, inserts one and updates the one it has locked, by SQLAlchemy Core. Served by
gunicorn as `commands/serve.py` does it.
"""

import sqlite3
import sys
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from gunicorn.app.base import BaseApplication
from sqlalchemy import Column, Integer, MetaData, Table, Text, bindparam, insert, select, update
from sqlmodel import Field, Session, SQLModel
from twilio.request_validator import RequestValidator

from service.db import WAIT_SECONDS, make_engine

FOUR_KB = "x" * 4096
ANSWER = '<?xml version="1.0" encoding="UTF-8"?><Response><Message>Thank you for your text.</Message></Response>'
THREADS = 4
ROWS = 4  # as many as tables are played at by `bench.load`

Commit = Callable[[str], None]  # one row, by the text's id


class Row(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    sid: str
    body: str


def by_sqlmodel(url: str) -> Commit:
    """Commits a row as the library's own tutorial does it."""
    engine = make_engine(url, pool_size=THREADS + 1)
    Row.metadata.tables["row"].create(engine)

    def commit(sid: str) -> None:
        with Session(engine) as session:
            session.add(Row(sid=sid, body=FOUR_KB))
            session.commit()

    engine.dispose()  # the fork shall inherit no connection
    return commit


def by_driver(url: str) -> Commit:
    """Commits a row with nothing between us and the driver: a connection for each thread."""
    mine = threading.local()
    file = url.removeprefix("sqlite:///")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    with connect() as first:
        first.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, sid TEXT NOT NULL, body TEXT NOT NULL)")
    first.close()

    def commit(sid: str) -> None:
        if not hasattr(mine, "connection"):
            mine.connection = connect()
        connection: sqlite3.Connection = mine.connection
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO row (sid, body) VALUES (?, ?)", (sid, FOUR_KB))
        connection.execute("COMMIT")

    return commit


def by_core(url: str) -> Commit:
    """Locks a row of 4 KB, inserts a row with the text's id, and updates the first: three statements, built once."""
    engine = make_engine(url, pool_size=THREADS + 1)
    metadata = MetaData()
    game = Table(
        "game", metadata, Column("id", Integer, primary_key=True), Column("version", Integer), Column("state", Text)
    )
    texts = Table("text", metadata, Column("id", Integer, primary_key=True), Column("sid", Text, unique=True))
    metadata.create_all(engine)
    with engine.begin() as first:
        first.execute(insert(game), [{"id": number, "version": 0, "state": FOUR_KB} for number in range(1, ROWS + 1)])
    lock = select(game).where(game.c.id == bindparam("the_row")).with_for_update()
    add = insert(texts)
    change = (
        update(game).where(game.c.id == bindparam("the_row")).values(version=bindparam("to"), state=bindparam("now_so"))
    )

    def commit(sid: str) -> None:
        row = hash(sid) % ROWS + 1
        with engine.begin() as connection:
            found = connection.execute(lock, {"the_row": row}).one()
            connection.execute(add, {"sid": sid})
            connection.execute(change, {"the_row": row, "to": found.version + 1, "now_so": FOUR_KB})

    engine.dispose()  # the fork shall inherit no connection
    return commit


def create_app(commit: Commit, url: str, token: str) -> Flask:
    """The route, at the address that the carrier signs."""
    app = Flask(__name__, static_folder=None)
    validator = RequestValidator(token)

    @app.post("/sms")
    def sms() -> Response:
        if not validator.validate(url, request.form, request.headers.get("X-Twilio-Signature", "")):
            return Response("", 403)
        commit(request.form["MessageSid"])
        return Response(ANSWER, content_type="text/xml; charset=utf-8")

    return app


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn is untyped
    """Gunicorn, with what `queenline serve` tells it."""

    def __init__(self, app: Flask, port: int, processes: int) -> None:
        self._app, self._port, self._processes = app, port, processes
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": f"127.0.0.1:{self._port}",
            "workers": self._processes,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": 30,
            "preload_app": True,
            "accesslog": None,
            "control_socket_disable": True,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return self._app


if __name__ == "__main__":
    kind, address, port, token, *processes = sys.argv[1:]
    row = {"sqlmodel": by_sqlmodel, "sqlite3": by_driver, "core": by_core}[kind](address)
    Server(
        create_app(row, f"http://127.0.0.1:{port}/sms", token), int(port), int(processes[0] if processes else 1)
    ).run()
