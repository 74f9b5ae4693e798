"""What gunicorn says, as lines of our log (`service.logs`)."""

import logging
from typing import Any

import structlog
from gunicorn import glogging

from service.logs import fault


class ServerLog(glogging.Logger):  # type: ignore[misc]  # gunicorn is untyped
    """In gunicorn's place: its own is plain text, in which the address of a request may stand, and with it a table's token."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers[:] = [_Lines()]


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        said = str(record.msg)
        if said.startswith("Invalid request"):  # who asked, and for what, is behind it
            said = "Invalid request"
        elif error is None:
            said = record.getMessage()  # of processes and sockets
        more = fault(error) if error is not None else {}
        structlog.get_logger(record.name).log(record.levelno, said, logger=record.name, **more)
