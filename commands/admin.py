"""`queenline admin`: what the operator may do to a table by hand. Every act is kept, and the players are told."""

import getpass
import json
import os
import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

import click

from commands.start import prepared
from service import admin
from service.tables import Problem

T = TypeVar("T")
LENGTH = re.compile(r"([+-]?)(\d{1,9})([mhd])", re.ASCII)
MOST = timedelta(days=365)
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def login() -> str:
    """Who runs this; in a container nobody may have given the user a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


@click.group()
@click.option("--as", "who", default=login, show_default="your login", help="Who does it, for the record.")
@click.pass_context
def command(ctx: click.Context, who: str) -> None:
    """Look at a table by its code, read its log, pause it, move its deadline, take a move back, give a seat away."""
    ctx.obj = who


@command.command(short_help="What is known of a table.")
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def table(code: str, as_json: bool) -> None:
    """What is known of the table CODE: seats, whose turn, clocks, texts. No hand and no number is shown."""
    facts = tried(lambda: admin.facts(prepared(make=False), code))
    if as_json:
        click.echo(json.dumps(facts, default=str))
        return
    for name, value in facts.items():
        if isinstance(value, list):
            click.echo(f"{name.replace('_', ' ')}:{'' if value else ' none'}")
            for one in value:
                click.echo("  " + said(one))
        else:
            click.echo(f"{name.replace('_', ' ')}: {said(value) if isinstance(value, dict) else shown(value)}")


@command.command()
@click.argument("code")
@click.option("--last", type=click.IntRange(1), help="How many lines, the newest; left out: all.")
def log(code: str, last: int | None) -> None:
    """The moves of the table CODE, oldest first. It shows cards: don't read it where you play."""
    for line in tried(lambda: admin.log(prepared(make=False), code, last)):
        by = " (bot)" if line.bot else ""
        click.echo(f"{line.n:5} {line.at:%Y-%m-%d %H:%M:%S}Z {line.name}{by} {line.text}")


@command.command()
@click.argument("code")
@click.option("--why", default="", help="A short reason, which the players are told.")
@click.pass_obj
def pause(who: str, code: str, why: str) -> None:
    """Stop the table CODE: no move is taken and no clock runs."""
    tried(lambda: admin.pause(prepared(make=False), who, code, why))
    click.echo(f"{code.upper()} is paused. `queenline admin resume {code.upper()}` lets it go on.")


@command.command(short_help="Let a table go on.")
@click.argument("code")
@click.pass_obj
def resume(who: str, code: str) -> None:
    """Let the table CODE go on; what was left of each clock is left still."""
    tried(lambda: admin.resume(prepared(make=False), who, code))
    click.echo(f"{code.upper()} goes on.")


# In -2h an h is no option.
@command.command(
    short_help="Move the clocks that run.",
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
)
@click.argument("code")
@click.argument("by")
@click.pass_obj
def deadline(who: str, code: str, by: str) -> None:
    """Move the clocks that run at the table CODE by BY: +24h, -2h, +3d, +30m. Never to before now."""
    found = LENGTH.fullmatch(by.strip().lower())
    if found is None:
        raise click.UsageError(f"{by!r} is no length: write it as +24h, -2h, +3d or +30m.")
    length = timedelta(**{UNITS[found[3]]: int(found[2])}) * (-1 if found[1] == "-" else 1)
    if abs(length) > MOST:
        raise click.UsageError(f"{by!r} is more than a year: +{MOST.days}d at most.")
    for name, end in tried(lambda: admin.move_deadline(prepared(make=False), who, code, length)):
        click.echo(f"{name}: {end:%Y-%m-%d %H:%M}Z")


@command.command("take-back", short_help="Take back the last move of a person.")
@click.argument("code")
@click.pass_obj
def take_back(who: str, code: str) -> None:
    """Take back the last move that a person made at the table CODE, with what bots have played since."""
    click.echo(f"Taken back: {tried(lambda: admin.take_back(prepared(make=False), who, code))}.")


@command.command("give-seat", short_help="Open a seat to a new owner.")
@click.argument("code")
@click.argument("name")
@click.pass_obj
def give_seat(who: str, code: str, name: str) -> None:
    """Open the seat of NAME at the table CODE to a new owner, who takes it by a text with the code that is printed."""
    invite = tried(lambda: admin.give_seat(prepared(make=False), who, code, name))
    click.echo(f"Whoever texts JOIN {invite} takes the seat of {name}. Any move of {name}'s own keeps it.")


@command.command()
@click.argument("code", required=False)
@click.option("--last", type=click.IntRange(1), default=50, show_default=True, help="How many, the newest.")
def acts(code: str | None, last: int) -> None:
    """What was done by hand, at the table CODE or everywhere."""
    for act in tried(lambda: admin.acts(prepared(make=False), code, last)):
        click.echo(f"{act.at:%Y-%m-%d %H:%M}Z {act.who}: {act.act} {act.code or ''} {act.detail}".rstrip())


def tried(work: Callable[[], T]) -> T:
    """What it gives, or the end with a sentence that says what would work."""
    try:
        return work()
    except Problem as problem:
        sys.exit(str(problem))


def said(values: dict[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {shown(value)}" for name, value in values.items()) or "none"


def shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}Z"
    return said(value) if isinstance(value, dict) else str(value)
