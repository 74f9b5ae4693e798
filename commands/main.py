"""The `queenline` command. Each command is a file of this folder with a click command called `command`."""

from importlib import import_module

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
    "db": "the database: upgrade, backup, restore, check",
    "rules": "the rules of a game and its house rules",
    "understand": "how a text would be read in a position",
}


class Lazy(click.Group):
    """Loads a command's file only when it is run, so that each starts with what it needs and nothing else."""

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
