"""Logs are JSON lines of ids, counts and kinds. No text, number, name or hand is ever logged: not even in a traceback,
so an error is logged by its type and where it was raised, without its message.
"""

import logging
import sys
import traceback
from pathlib import Path
from typing import Any, TextIO

import structlog

ROOT = Path(__file__).resolve().parent.parent


def configure(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """One JSON line for each event, to `stream` (standard error)."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )
    # What the libraries say: the name of the event only. Their arguments may be texts and numbers.
    handler = _Libraries()
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)


class _Libraries(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        more = fault(record.exc_info[1]) if record.exc_info and record.exc_info[1] else {}
        structlog.get_logger(record.name).log(record.levelno, str(record.msg), logger=record.name, **more)


def fault(error: BaseException) -> dict[str, Any]:
    """An error, for a log line: its type, the database's code for it, and the way to it through our own files."""
    ours = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and ".venv" not in path.parts:
            ours.append(f"{path.relative_to(ROOT)}:{frame.lineno}")
    cause = getattr(error, "orig", None)  # the driver's; full disks and refused passwords are told apart by this alone
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return {"error": type(error).__name__} | ({"code": code} if code else {}) | {"at": " ".join(ours[-5:])}
