"""What the log says of errors and of the web server: enough to act on, and nothing that was texted."""

import json
import logging

import pytest
from gunicorn.config import Config
from sqlalchemy.exc import DBAPIError

from service.logs import fault
from service.web.server_log import ServerLog

SECRET = "/table/a-token-of-a-table"


def test_an_error_of_the_database_is_told_by_its_code(services):
    with pytest.raises(DBAPIError) as caught, services.db.begin() as conn:
        conn.exec_driver_sql("INSERT INTO player (address) VALUES ('+12125550101')")
    said = fault(caught.value)
    assert said["code"] == ("SQLITE_CONSTRAINT_NOTNULL" if services.settings.on_sqlite else "23502")
    assert "555" not in str(said)


def test_another_error_has_none():
    assert fault(ValueError("KF7")) == {"error": "ValueError", "at": ""}


@pytest.fixture
def server_log():
    log = ServerLog(Config())
    yield log
    logging.getLogger("gunicorn.error").handlers[:] = []


def test_what_gunicorn_says_is_a_line_like_the_others(server_log, logged):
    server_log.info("Booting worker with pid: %s", 7)
    said = json.loads(logged.getvalue())
    assert (said["event"], said["level"], said["logger"]) == ("Booting worker with pid: 7", "info", "gunicorn.error")


def test_and_holds_no_address_that_was_asked_for(server_log, logged):
    server_log.warning(f"Invalid request from ip=192.0.2.1: {SECRET}")
    try:
        raise OSError(SECRET)
    except OSError:
        server_log.exception("Error handling request %s", SECRET)
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["Invalid request", "Error handling request %s"]
    assert lines[1]["error"] == "OSError"
    assert SECRET not in logged.getvalue()
    assert "192.0.2.1" not in logged.getvalue()
