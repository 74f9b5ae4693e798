"""What `serve` and `worker` do before anything else: settings, logs, and a database of the right schema."""

import sys
from dataclasses import replace

import click
from sqlalchemy.exc import DBAPIError

from commands.database import there, told, up_to_date
from service import logs
from service.bell import Bell
from service.config import SettingsError, load
from service.migrate import UnknownSchema, upgrade
from service.services import Services


def prepared(*, make: bool = True) -> Services:
    """The services of this process. Ends the process with one sentence when it cannot start.

    SQLite is brought up to date here: it has one machine and nobody else to do it. A PostgreSQL that others use too is
    upgraded by `queenline db upgrade`, once, before the new version starts. Not `make`: nor is SQLite's file made or
    changed; that is for what only looks.
    """
    try:
        settings = load()
        if not make:
            there(settings)
        elif settings.on_sqlite:
            upgrade(settings.database_url)
        services = Services.of(settings)
        if (command := click.get_current_context(silent=True)) is not None:
            command.call_on_close(services.database.close)
        if not make:  # a thread that rings would end with the command, before it has
            services = replace(services, bell=Bell(settings.redis_url))
        up_to_date(services.db)
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except DBAPIError as error:
        sys.exit(told(error))
    logs.configure()
    return services
