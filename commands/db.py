"""`queenline db`: the database's schema, its copies, and whether what it holds is right."""

import sys
from pathlib import Path

import click

from service.config import SettingsError, load_database


@click.group()
def command() -> None:
    """The database: bring its schema up to date, copy it, put a copy back, look whether all is right."""


@command.command()
def upgrade() -> None:
    """Run the migrations that the database at DATABASE_URL has not had. Running it again changes nothing."""
    from sqlalchemy.exc import DBAPIError

    from commands.database import told
    from service.db import connected
    from service.migrate import UnknownSchema, missing
    from service.migrate import upgrade as run

    try:
        settings = load_database()
        with connected(settings.database_url, settings.database_pooler) as engine:
            steps = missing(engine)
        run(settings.database_url, settings.database_pooler)
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except DBAPIError as error:
        sys.exit(told(error))
    click.echo(f"The database is up to date; migrations run: {', '.join(steps) or 'none were missing'}.")


@command.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the database to FILE while the service runs. It holds numbers and texts: keep it as safe as the database."""
    from service.backup import BackupError
    from service.backup import backup as run

    try:
        run(load_database().database_url, file)
    except (SettingsError, BackupError, OSError) as error:
        sys.exit(str(error))
    click.echo(f"Copied to {file} ({file.stat().st_size:,} bytes).")


@command.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(file: Path) -> None:
    """Put the copy in FILE into the empty database at DATABASE_URL. What waited to be sent then is not sent."""
    from sqlalchemy.exc import DBAPIError

    from commands.database import told
    from service.backup import BackupError
    from service.backup import restore as run
    from service.migrate import UnknownSchema

    try:
        canceled = run(load_database().database_url, file)
    except (SettingsError, BackupError, UnknownSchema, OSError) as error:
        sys.exit(str(error))
    except DBAPIError as error:
        sys.exit(told(error))
    click.echo(
        f"Restored; {canceled} texts that waited when the copy was made are not sent. `queenline db check` looks at it."
    )


@command.command(short_help="Replay every game, and look for faults.")
def check() -> None:
    """Replay every game's log against what is stored, and look for texts without an effect. Exit 1 when something is wrong."""
    from datetime import UTC, datetime

    from sqlalchemy.exc import DBAPIError

    from commands.database import there, told, up_to_date
    from service.audit import audit
    from service.db import connected
    from service.migrate import UnknownSchema

    try:
        settings = load_database()
        there(settings)
        with connected(settings.database_url, settings.database_pooler) as engine:
            up_to_date(engine)
            found = audit(engine, datetime.now(UTC))
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except DBAPIError as error:
        sys.exit(told(error))
    for fault in found.faults:
        click.echo(f"{fault.where}: {fault.what}", err=True)
    click.echo(
        f"{found.tables} tables, {found.moves} lines, {found.inbound} texts in, {found.outbound} out: "
        + (f"{len(found.faults)} faults." if found.faults else "all as it must be.")
    )
    if found.faults:
        sys.exit(1)


@command.command(short_help="Clear the words and numbers of old texts.")
@click.option("--older-than", "age", required=True, metavar="AGE", help="Such as 90d or 26w; at least 7d.")
@click.option("--dry-run", is_flag=True, help="Only count.")
def prune(age: str, dry_run: bool) -> None:
    """Clear the words and numbers of old texts, old web forms, and strangers who never sat down. Rows and ids stay."""
    import re
    from datetime import UTC, datetime, timedelta

    from sqlalchemy.exc import DBAPIError

    from commands.database import there, told, up_to_date
    from service.config import load
    from service.db import connected
    from service.migrate import UnknownSchema
    from service.retention import prune as run

    read = re.fullmatch(r"(\d{1,4})([dw])", age.strip().lower())
    if read is None:
        raise click.UsageError(f"--older-than {age} cannot be read: days or weeks, such as 90d or 26w.")
    length = timedelta(days=int(read[1]) * (7 if read[2] == "w" else 1))
    now = datetime.now(UTC)
    try:
        settings = load()
        there(settings)
        with connected(settings.database_url, settings.database_pooler) as engine:
            up_to_date(engine)
            done = run(engine, settings, now - length, now, dry=dry_run)
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except DBAPIError as error:
        sys.exit(told(error))
    click.echo(
        f"{'Would clear' if dry_run else 'Cleared'} {done.texts_in} texts in, {done.texts_out} out, {done.forms} web forms, "
        f"{done.strangers} strangers."
    )
