"""The least that a webhook could be, to measure ours against: a bare Flask route that checks the carrier's signature and
commits one row of 4 KB. `python -m bench.floors sqlmodel|sqlite3 FILE PORT TOKEN`

By SQLModel on an engine set up as the service's own, or by the driver alone with the same settings of SQLite. Served by
gunicorn as `commands/serve.py` does it, with one process.
"""

import sqlite3
import sys
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from gunicorn.app.base import BaseApplication
from sqlmodel import Field, Session, SQLModel
from twilio.request_validator import RequestValidator

from service.db import WAIT_SECONDS, make_engine

FOUR_KB = "x" * 4096
ANSWER = '<?xml version="1.0" encoding="UTF-8"?><Response><Message>Thank you for your text.</Message></Response>'
THREADS = 4

Commit = Callable[[str], None]  # one row, by the text's id


class Row(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    sid: str
    body: str


def by_sqlmodel(file: str) -> Commit:
    """Commits a row as the library's own tutorial does it."""
    engine = make_engine(f"sqlite:///{file}", pool_size=THREADS + 1)
    Row.metadata.tables["row"].create(engine)

    def commit(sid: str) -> None:
        with Session(engine) as session:
            session.add(Row(sid=sid, body=FOUR_KB))
            session.commit()

    engine.dispose()  # the fork shall inherit no connection
    return commit


def by_driver(file: str) -> Commit:
    """Commits a row with nothing between us and the driver: a connection for each thread."""
    mine = threading.local()

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

    def __init__(self, app: Flask, port: int) -> None:
        self._app, self._port = app, port
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": f"127.0.0.1:{self._port}",
            "workers": 1,
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
    kind, file, port, token = sys.argv[1:]
    row = {"sqlmodel": by_sqlmodel, "sqlite3": by_driver}[kind](file)
    Server(create_app(row, f"http://127.0.0.1:{port}/sms", token), int(port)).run()
