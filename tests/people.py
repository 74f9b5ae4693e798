"""People with phones around the whole service in this process: what the tests of the service talk through.

people("Ann", "draw")        Ann's text, through the webhook; what she is answered
people.told("Bea")           what else has come to Bea since this was last asked
people.table("KF7")          the table as it is stored
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from commands.stage import Stage
from engine.record import parse
from service import late, stored
from service.desk import Sms
from service.services import Services
from service.stored import INBOUND, MOVE, OUTBOUND, SEAT, TABLE, Table
from service.text.gsm7 import is_gsm7, segments

NOON = datetime(2026, 3, 3, 17, 0, tzinfo=UTC)  # in New York
LONGER = ("rules", "commands", "options")  # asked for, and worth two segments

DEADLINE = re.compile(r" By [A-Z][a-z]{2} [^.]*\.\Z")

# Ann may take the pile with her nines; everybody has something to do.
PICKUP = """\
game: damn-the-queens
seats: Ann Bea Cy Dot
dealer: Dot
hand Ann: 9S 9C KD KH 4H 3S QH W
hand Bea: 3D 7C 7D AS JK
hand Cy: 5C 8D 8H TS
hand Dot: AH QS 6C 6D
pile: 5S TD 9H
stock: 7S 3C JD 4C 8S QD
turn: Ann
"""


class People:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.services = stage.services
        self.judge = True  # whether each text that comes is looked at: GSM-7, at most two segments

    def __call__(self, name: str, body: str, sid: str | None = None, **fields: str) -> Any:
        """A text from somebody's phone, a minute after the last; the answer, None for silence."""
        self.stage.clock.now += timedelta(minutes=1)
        phone = self.stage.phone(name)
        came = self.stage.text(phone, body, sid, **fields)
        assert came.status == 200, f"{name}> {body}: {came.status}"
        assert len(came.texts) <= 1
        if self.judge:
            for phone in self.stage.phones.values():
                for text in phone.unread:
                    assert is_gsm7(text), text
                    assert segments(text) <= 2, text
        return came.texts[0] if came.texts else None

    def told(self, name: str) -> list[str]:
        """What the outbox has sent to somebody since this was last asked, without until when they should play."""
        phone = self.stage.phone(name)
        unread = list(zip(phone.inbox, phone.kinds, strict=True))[phone.read :]
        phone.read = len(phone.inbox)
        return [DEADLINE.sub("", text) for text, kind in unread if kind != "answer"]

    def forget(self) -> None:
        """Everybody has read what has come so far."""
        for phone in self.stage.phones.values():
            phone.read = len(phone.inbox)

    def seated(self, record: str = PICKUP, code: str = "KF7") -> None:
        """A table at the position of a record."""
        self.stage.sit(parse(record), code)

    def opened(self, *joining: str, host: str = "Ann", words: str = "new damn") -> str:
        """A table that `host` opens and the others join; its code."""
        answer = self(host, words)
        assert answer is not None
        code: str = answer.partition("table ")[2].partition(":")[0]
        for name in joining:
            self(name, f"join {code}")
        self.forget()
        return code

    def dealt(self, *joining: str, host: str = "Ann", words: str = "new damn") -> str:
        """The same, filled with bots and dealt."""
        code = self.opened(*joining, host=host, words=words)
        if len(joining) < 3:
            self(host, f"{code} bots")
        self(host, f"{code} deal")
        self.forget()
        return code

    def turn(self, code: str) -> str:
        """Whose turn it is."""
        table = self.table(code)
        return str(table.names[table.state.turn])

    def table(self, code: str) -> Table:
        with self.services.db.begin() as conn:
            found = stored.by_code(conn, code)
        assert found is not None
        return found

    def hand(self, code: str, name: str) -> list[int]:
        table = self.table(code)
        return list(table.state.hands[table.names.index(name)])

    def lines(self, code: str) -> list[tuple[int, str]]:
        """The record of the game, as it is stored."""
        table = self.table(code)
        with self.services.db.begin() as conn:
            return stored.lines_of(conn, table)

    def rows(self, what: Any, *where: Any) -> list[Any]:
        """Rows of a table of the database, oldest first."""
        with self.services.db.begin() as conn:
            return list(conn.execute(select(what).where(*where).order_by(what.c.id)))

    def kinds(self) -> list[str]:
        """What became of every text that reached us."""
        return [row.kind for row in self.rows(INBOUND)]

    def whole(self) -> tuple[Any, ...]:
        """All that a text may change of games, for before and after; not what a text that was held back has told since."""
        with self.services.db.begin() as conn:
            seats = conn.execute(
                select(*(column for column in SEAT.c if column.name != "told")).order_by(SEAT.c.id)
            ).all()
        games = tuple(tuple(map(tuple, self.rows(table))) for table in (TABLE, MOVE))
        return (*games, tuple(map(tuple, seats)), len(self.rows(OUTBOUND)))

    def replays(self, code: str) -> None:
        """The lines of the record lead to the stored state, and every card is there."""
        table = self.table(code)
        state, _ = stored.replay(table, stored.standing(self.lines(code)))
        if stored.game_over(state):
            table.game.next_round(state)
        dump = table.game.dump
        assert json.dumps(dump(state)) == json.dumps(dump(table.state))
        table.game.check(table.state)


@contextmanager
def gathered(database_url: str, folder: Path, now: datetime = NOON, **settings: str) -> Iterator[People]:
    """Nobody knows anybody yet; deals come from the seed 7. The database has today's schema."""
    stage = Stage(folder, now, url=database_url, upgraded=True, **settings)
    stage.seed = "7"
    try:
        yield People(stage)
    finally:
        stage.close()


def sms(body: str, sid: str, sender: str = "+12125550101") -> Sms:
    """A text as the webhook hands it on."""
    return Sms(sid, "sms", sender, "+12125550199", body)


def ring_all(services: Services) -> None:
    """Rings every alarm that is due, as a worker's sweeps do one after the other."""
    while late.ring_some(services):
        pass
