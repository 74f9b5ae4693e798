from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect

from service.db import Database, make_engine
from service.migrate import UnknownSchema, missing, upgrade
from service.models import Base


def test_the_migrations_make_what_the_models_say(database: Database):
    with database.engine.connect() as db:
        context = MigrationContext.configure(db, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_index_and_constraint_is_there_by_name(database: Database):
    there = inspect(database.engine)
    for table in Base.metadata.sorted_tables:
        names = {
            str(found["name"])
            for kind in (there.get_indexes, there.get_unique_constraints, there.get_foreign_keys)
            for found in kind(table.name)
        }
        made: list[Any] = [*table.indexes, *table.constraints]
        wanted = {str(one.name) for one in made if one is not table.primary_key}
        assert wanted <= names, table.name


def test_an_empty_database_misses_all_and_an_upgraded_one_nothing(tmp_path):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    engine = make_engine(url)
    assert missing(engine)[0] == "0001"
    upgrade(url)
    assert missing(engine) == []
    upgrade(url)
    engine.dispose()


@pytest.mark.on("sqlite")
def test_a_database_of_a_newer_version_is_refused(database: Database):
    with database.engine.begin() as db:
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnknownSchema, match="9999"):
        missing(database.engine)


def test_a_failed_migration_leaves_nothing_behind(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'new.db'}"

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr("alembic.op.create_index", fail)
    with pytest.raises(RuntimeError):
        upgrade(url)
    engine = make_engine(url)
    assert inspect(engine).get_table_names() == []
    engine.dispose()
