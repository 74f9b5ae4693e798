"""What a process of tests makes once and not for each test: each has a database, an engine and an application of its own.

Without it a third of a run of the service's tests goes into SQLAlchemy compiling the same statements, Werkzeug the same
addresses, and the disk syncing databases that are thrown away. A long-lived service makes all of that once, too.
"""

from collections.abc import Callable, MutableMapping
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import Dialect, Engine, event
from werkzeug.routing import Rule

from service import db

set_up_sqlite = db._set_up_sqlite  # as it is in production
build = Rule._compile_builder

STATEMENTS = 5000  # many more than the tests have: statements that are dropped are compiled again
_statements: dict[str, tuple[Dialect, MutableMapping[Any, Any]]] = {}
_builders: dict[Any, Callable[..., tuple[str, str]]] = {}


def remember(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(db, "create_engine", create_engine)
    patch.setattr(db, "_set_up_sqlite", without_syncs)
    patch.setattr(Rule, "_compile_builder", builder)


def create_engine(url: Any, **options: Any) -> Engine:
    """A new engine with the dialect and the compiled statements of those before it, as they belong together."""
    engine = sqlalchemy.create_engine(url, query_cache_size=STATEMENTS, **options)
    name = engine.dialect.name
    if name in _statements:
        engine.dialect, engine._compiled_cache = _statements[name]
        return engine

    @event.listens_for(engine, "connect")
    def connected(*_: Any) -> None:
        """Its dialect now knows what server it has."""
        if engine._compiled_cache is not None:
            _statements.setdefault(name, (engine.dialect, engine._compiled_cache))

    return engine


def without_syncs(connection: Any, entry: Any) -> None:
    """A test's database need not outlive the machine; processes that a test starts do sync theirs."""
    set_up_sqlite(connection, entry)
    connection.execute("PRAGMA synchronous = OFF")


def builder(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """How the address of a route is put together, which hangs on the route alone."""
    key = rule.rule, tuple(rule._trace), append_unknown
    if rule.defaults:
        return build(rule, append_unknown)
    if key not in _builders:
        _builders[key] = build(rule, append_unknown)
    return _builders[key]
