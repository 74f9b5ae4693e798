"""Every statement of a whole game names where its rows are, so that the schema can be distributed (deploy/citus.sql).

PostgreSQL itself writes down what it is sent: nothing that goes past SQLAlchemy is missed. A statement on a distributed
table names its distribution column by a value or by that of another table. What does not is a look, and each is known here:
a worker's, of which there is one for many texts, or one for something rarer than a move.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from commands.stage import OUR_NUMBER
from engine import bots
from engine.game import write_move
from service.db import SILENT, WAIT_SECONDS, Database, connect_args
from service.migrate import upgrade
from service.play import receive
from service.stored import OUTBOUND, OVER, TABLE
from tests.people import NOON, People, gathered, sms
from tests.postgres import PostgresServer
from workers.sweep import sweep

CITUS = Path(__file__).parent.parent / "deploy" / "citus.sql"
WHERE_ROWS_ARE = dict(re.findall(r"create_distributed_table\('(\w+)', '(\w+)'", CITUS.read_text()))

ENTRY = re.compile(r"^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] (\w+):  (.*?)(?=^\d{4}-\d\d-\d\d |\Z)", re.M | re.S)
NAMED = re.compile(r"\b(?:FROM|JOIN|UPDATE|INTO|,)\s+(\w+)(?: AS (\w+))?")

# What a worker asks once for a batch, or once when nothing is due.
LOOKS = {
    "is anything due": r"SELECT EXISTS \(SELECT .*FROM outbound\s+WHERE outbound\.status IN .*next_attempt_at <= .* OR ",
    "given up": r"UPDATE outbound SET status=.* WHERE outbound\.status = .* AND outbound\.lease_until < ",
    "the carrier's id is another's": r"UPDATE outbound SET .* WHERE outbound\.sid IN",
    "which alarms are due": r"SELECT nudge\.id\s+FROM nudge\s+WHERE nudge\.due_at <= .* ORDER BY nudge\.due_at",
    "when the next alarm is due": r"SELECT nudge\.due_at\s+FROM nudge ORDER BY nudge\.due_at LIMIT",
    "when the next is due": r"SELECT (min\(\w+\.\w+\)|\w+\.\w+).*\s+FROM (outbound|nudge)\s+WHERE .*(next_attempt_at|due_at)",
    "which texts are to be looked up": r"SELECT outbound\.id, .* FROM outbound\s+WHERE outbound\.status = .* AND outbound\.\w+ (<=|=|BETWEEN|<)",
}
# What is asked by a number that says not where the row is: once for an alarm that rings, a callback that comes.
RARER = {
    "whose alarm": r"SELECT nudge\.table_id, nudge\.player_id\s+FROM nudge\s+WHERE nudge\.id = ",
    "a player's other alarms": r"SELECT nudge\.id, .* FROM nudge\s+WHERE nudge\.player_id = ",
    "whose text": r"SELECT outbound\.id, outbound\.sid, .*FROM outbound\s+WHERE outbound\.(id|sid) = ",
}
# For texts that are no moves.
OTHER_TEXTS = {
    "a table by its code": r"SELECT game_table\.id\s+FROM game_table\s+WHERE game_table\.code = ",
    "how often was answered": r"SELECT inbound\.kind, inbound\.body, .*FROM inbound\s+WHERE inbound\.player_id = ",
}


# What would not outlive a transaction behind a pooler, or would stay with somebody else's.
OF_A_SESSION = re.compile(
    r"(SET (?!LOCAL|TRANSACTION)|LISTEN|PREPARE|DECLARE|CREATE TEMP|.*pg_(try_)?advisory_lock)", re.I
)
MOST, SLOW = 600, 5  # texts of a game; before which of them nobody moves for hours
GAMES = {"new damn 500": MOST, "new 5000": 40, "new hearts": 40}  # the first to its end


class Sent(NamedTuple):
    """Statements, by what was done when they were sent."""

    moves: list[list[str]]  # of each text with a move
    others: list[str]
    workers: list[str]
    callbacks: list[str]


def unnamed(statement: str) -> list[str]:
    """The distributed tables in a statement of which it does not say where the rows are."""
    found = []
    for table, alias in NAMED.findall(statement):
        column = WHERE_ROWS_ARE.get(table)
        if column is None:
            continue
        if re.match(rf"INSERT INTO {table} \([^)]*\b{column}\b", statement):
            continue
        name = rf"\b{alias or table}\.{column}"
        value = r"(\$\d+|ANY|IN|\w+\.\w+|\()"
        after = statement.partition("WHERE" if statement.startswith("UPDATE") else "FROM")[2]
        if not re.search(rf"{name} (=|IN) ?{value}|= {name}\b", after):
            found.append(table)
    return found


def test_the_judge_itself():
    assert unnamed("SELECT move.n FROM move WHERE move.table_id = $1 AND move.n > $2") == []
    assert unnamed("SELECT move.n FROM move WHERE move.n > $1") == ["move"]
    assert unnamed("UPDATE move SET table_id=$1 WHERE move.n = $2") == ["move"]
    assert unnamed("DELETE FROM nudge WHERE nudge.id = $1") == ["nudge"]
    assert unnamed("INSERT INTO nudge (table_id, seat) VALUES ($1, $2)") == []
    assert unnamed("INSERT INTO inbound (player_id) VALUES ($1)") == ["inbound"]
    assert unnamed("SELECT seat.name FROM seat WHERE seat.id = $1") == []  # it is on every node
    assert (
        unnamed("SELECT m.n FROM game_table JOIN move AS m ON m.table_id = game_table.id WHERE game_table.id = $1")
        == []
    )
    assert unnamed("SELECT m.n FROM move AS m JOIN player ON true") == ["move"]


class Log:
    """What a server has been sent, piece by piece."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = file.stat().st_size
        self.last = ""

    def new(self) -> list[str]:
        """The statements since this was last asked."""
        with self._file.open() as file:
            file.seek(self._read)
            text = self.last = file.read()
            self._read = file.tell()
        statements = []
        for level, said in ENTRY.findall(text):
            kind, _, statement = said.partition(": ")
            if level == "LOG" and kind.split()[0] in ("statement", "execute"):
                statements.append(" ".join(statement.split()))
        return statements


@pytest.fixture
def watched(postgres: PostgresServer, tmp_path: Path) -> Iterator[tuple[People, Log]]:
    """Four people, and the log of the database they play on."""
    postgres.create("watched")
    try:
        with psycopg.connect(postgres.url("postgres").replace("+psycopg", ""), autocommit=True) as conn:
            conn.execute("ALTER DATABASE watched SET log_statement = 'all'")
        upgrade(postgres.url("watched"))
        with gathered(postgres.url("watched"), tmp_path, NOON) as people:
            yield people, Log(postgres.log)
    finally:
        postgres.drop("watched")


def played(people: People, log: Log, words: str, most: int) -> Sent:
    """A game by texts of four phones, which bots choose; its texts are sent, told of, and somebody is reminded."""
    stage, sent = people.stage, Sent([], [], [], [])
    code = people.opened("Bea", "Cy", "Dot", words=words)
    for name in ("Ann", "Bea", "Cy", "Dot"):
        people(name, "auto off")
    people("Ann", f"{code} deal")
    for number in range(most):
        table = people.table(code)
        if table.status == OVER:
            break
        if number == SLOW:
            for _ in range(4):  # a reminder is for the morning
                stage.clock.now += timedelta(hours=7)
                sent.workers.extend(swept(people, log))
            assert "nudge" in [row.kind for row in people.rows(OUTBOUND)]
        seat = table.due[0]
        move = bots.choose(table.game.view(table.state, seat), table.game.legal(table.state, seat))
        phone = stage.phone(table.names[seat])
        log.new()
        came = stage.carrier.deliver(phone.number, OUR_NUMBER, write_move(move))
        sent.moves.append(log.new())
        assert people.table(code).version > table.version, came.texts
        sent.workers.extend(swept(people, log))
        for text in stage.carrier.texts_to(phone.number)[-1:]:
            stage.carrier.report(text.sid, "delivered")
        sent.callbacks.extend(log.new())
    log.new()
    for name, words in (("Ann", "score"), ("Bea", "who"), ("Dot", "join KF7")):
        stage.carrier.deliver(stage.phone(name).number, OUR_NUMBER, words)
    sent.others.extend(log.new())
    return sent


def swept(people: People, log: Log) -> list[str]:
    log.new()
    sweep(people.services, people.stage.sender)
    return log.new()


def looks(statements: list[str], known: dict[str, str]) -> tuple[Counter[str], list[str]]:
    """How often each look that is known was had, and the statements that nobody knows."""
    had, wrong = Counter[str](), []
    for statement in statements:
        if unnamed(statement):
            name = next((name for name, pattern in known.items() if re.search(pattern, statement)), None)
            if name is None:
                wrong.append(statement)
            else:
                had[name] += 1
    return had, wrong


@pytest.mark.slow
@pytest.mark.parametrize(("words", "most"), GAMES.items())
def test_every_statement_of_a_game_names_where_its_rows_are(watched, words, most):
    people, log = watched
    sent = played(people, log, words, most)
    assert len(sent.moves) > 20
    assert most < MOST or people.rows(TABLE)[0].status == OVER
    assert [one for text in sent.moves for one in text if unnamed(one)] == []  # a text with its move has no look at all
    had, wrong = looks(sent.workers, LOOKS | RARER)
    assert wrong == []
    assert {"is anything due", "which alarms are due", "when the next is due", "whose alarm"} <= set(had)
    assert looks(sent.callbacks, RARER | LOOKS)[1] == []
    assert looks(sent.others, LOOKS | RARER | OTHER_TEXTS)[1] == []
    everything = [*sent.workers, *sent.callbacks, *sent.others, *(one for text in sent.moves for one in text)]
    assert [one for one in everything if OF_A_SESSION.match(one)] == []
    for (
        text
    ) in sent.moves:  # nothing is sent twice for one text, but a row each for several lines, readers, or kinds of text
        repeated = [one for one, times in Counter(text).items() if times > 1]
        assert all(
            one.startswith(("INSERT INTO move", "INSERT INTO nudge", "INSERT INTO outbound", "UPDATE outbound"))
            for one in repeated
        ), repeated


def test_behind_a_pooler_nothing_is_prepared(watched, postgres):
    people, log = watched
    people.seated()
    database = Database(postgres.url("watched"), 2, "transaction")
    services = replace(people.services, database=database)
    log.new()
    try:
        for number in range(8):  # the driver prepares what it has sent five times
            assert receive(services, sms("hand", f"SM{number:032x}", people.stage.phone("Ann").number))
    finally:
        database.close()
    log.new()
    text = log.last
    assert "INSERT INTO inbound" in text
    assert "execute _pg3_" not in text
    assert connect_args("transaction") == SILENT | {
        "connect_timeout": WAIT_SECONDS, "application_name": "queenline", "prepare_threshold": None,
    }  # fmt: skip
