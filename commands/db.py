"""`queenline db`: the schema of the database."""

import sys

import click

from service.config import SettingsError, load_database


@click.group()
def command() -> None:
    """The database: bring its schema up to date."""


@command.command()
def upgrade() -> None:
    """Run the migrations that the database at DATABASE_URL has not had. Running it again changes nothing."""
    from sqlalchemy.exc import OperationalError

    from service.db import make_engine
    from service.migrate import UnknownSchema, missing
    from service.migrate import upgrade as run

    try:
        url = load_database().database_url
        engine = make_engine(url, pool_size=1)
        steps = missing(engine)
        engine.dispose()
        run(url)
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database cannot be reached: {str(error.orig).strip()}")
    click.echo(f"The database is up to date; migrations run: {', '.join(steps) or 'none were missing'}.")
