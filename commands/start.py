"""What `serve` and `worker` do before anything else: settings, logs, and a database of the right schema."""

import sys

from sqlalchemy.exc import OperationalError

from service import logs
from service.config import SettingsError, load
from service.migrate import UnknownSchema, missing, upgrade
from service.services import Services


def prepared() -> Services:
    """The services of this process. Ends the process with one sentence when it cannot start.

    SQLite is brought up to date here: it has one machine and nobody else to do it. A PostgreSQL that others use too is
    upgraded by `queenline db upgrade`, once, before the new version starts.
    """
    try:
        settings = load()
        if settings.on_sqlite:
            upgrade(settings.database_url)
        services = Services.of(settings)
        steps = missing(services.db)
    except (SettingsError, UnknownSchema) as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database of DATABASE_URL cannot be reached: {str(error.orig).strip()}")
    if steps:
        sys.exit(f"The database lacks the migrations {', '.join(steps)}: run `queenline db upgrade`, then start again.")
    logs.configure()
    return services
