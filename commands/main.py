"""The `queenline` command. Each command is a file of this folder with a click command called `command`."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

import click

COMMANDS = {
    "play": "a whole service on this machine, and a phone to type on",
    "serve": "the web service",
    "worker": "the jobs that send texts",
    "status": "what is late, and why",
    "carrier": "a stand-in for Twilio, to run the real service against",
    "admin": "what the operator may do to a table by hand",
    "replay": "check records of games (*.hand)",
    "transcript": "check runs of texts (*.texts)",
    "simulate": "bots play whole games",
    "bench": "what a text and a move cost",
    "db": "the database: upgrade, backup, restore, check, prune",
    "rules": "the rules of a game and its house rules",
    "understand": "how a text would be read in a position",
}


class Terminated(BaseException):
    """SIGTERM has come."""


@contextmanager
def until_sigterm() -> Iterator[None]:
    """SIGTERM ends what is under way in order, as Ctrl-C does: what was begun is rolled back, what was made is taken away.

    By itself it would leave both, and the first process of a container would not hear it at all. `serve`, `worker` and
    `play` have handlers of their own from when they have started.
    """

    def stop(_number: int, _frame: Any) -> NoReturn:
        raise Terminated

    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)  # whoever started it shall see what ended it
        sys.exit(128 + signal.SIGTERM)  # the first process of a container
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Lazy(click.Group):
    """Loads a command's file only when it is run, so that each starts with what it needs and nothing else."""

    def invoke(self, ctx: click.Context) -> Any:
        with until_sigterm():
            try:
                return super().invoke(ctx)
            except Exception as error:
                from sqlalchemy.exc import DBAPIError

                from commands.database import told

                if not isinstance(error, DBAPIError):
                    raise
                sys.exit(told(error))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        try:
            command = import_module(f"commands.{cmd_name}").command
        except ModuleNotFoundError as missing:
            if missing.name != f"commands.{cmd_name}":
                raise
            return None
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Slow card games by text message."""
