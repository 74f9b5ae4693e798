"""Alembic's entry. service/migrate.py calls it with a connection that is already in a transaction."""

from typing import Any

from alembic import context

from service.models import Base


def include(_object: Any, name: str | None, kind: str, reflected: bool, _compared: Any) -> bool:
    return not (kind == "table" and reflected and name == "alembic_version")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    transactional_ddl=True,  # on SQLite too: the connection is in BEGIN IMMEDIATE
    include_object=include,
)
context.run_migrations()
