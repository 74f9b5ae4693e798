"""A whole service in one process, for transcripts, simulations and tests: phones, a clock that is told what time it is.

The webhook, the signature, the database and the jobs are the real ones. Stand-ins are the carrier (`service.carrier`,
in process), the clock, and the bell, which is not needed: `settle` runs the workers' own drain after each text.
"""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, insert, select

from engine.game import write_options
from engine.record import Record, begin
from service import alarms
from service.app import create_app
from service.carrier import Answer, Carrier, Delivered
from service.config import Settings, load
from service.db import Database
from service.desk import Sms
from service.migrate import upgrade
from service.play import rehearse
from service.services import Services
from service.slow import DEFAULT_PACE
from service.stored import NUDGE, OUTBOUND, PLAYER, SEAT, TABLE, by_id
from service.text.gsm7 import is_gsm7, segments
from service.twilio.inbound import LONGEST_BODY, clean
from service.twilio.outbound import TwilioSender
from workers.sweep import sweep

OUR_NUMBER = "+12125550199"
ACCOUNT, SERVICE = "AC" + "0" * 32, "MG" + "0" * 32
PUBLIC = "http://localhost:8000"


@dataclass(eq=False)
class Clock:
    """The time, as it is told."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


class Silence:
    """The bell of a stage: nobody needs to be woken."""

    def ring(self) -> None:
        """Nothing is to be done."""

    def wake(self, at: datetime) -> None:
        """The stage runs its own clock."""


@dataclass
class Phone:
    """One phone: what has come to it, in order, and how much of that has been read."""

    name: str
    number: str
    zone: str
    inbox: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # `answer`, or what the row of the outbox says
    read: int = 0
    last_sid: str = ""
    last_body: str = ""
    last_fields: dict[str, str] = field(default_factory=dict)
    fetched: int = 0  # of the carrier's texts to this number

    @property
    def unread(self) -> list[str]:
        """What has not been read."""
        return self.inbox[self.read :]


class Stage:
    """One service with its phones."""

    def __init__(
        self,
        folder: Path,
        now: datetime,
        zone: str = "America/New_York",
        url: str = "",
        upgraded: bool = False,
        **settings: str,
    ) -> None:
        """On a database of its own in `folder`, or on that of `url`; `upgraded`: that one has today's schema."""
        self.zone = zone
        self.settings = _settings(url or f"sqlite:///{folder / 'stage.db'}", settings)
        if not url:
            (folder / "stage.db").write_bytes(_empty_database())
        elif not upgraded:
            upgrade(url)
        self.number = self.settings.twilio_numbers[0] if self.settings.twilio_numbers else OUR_NUMBER
        self.clock = Clock(now)
        self.seed = ""
        self.services = Services(
            database=Database(self.settings.database_url, pool_size=2),
            settings=self.settings,
            bell=Silence(),
            clock=self.clock,
            seeds=self._next_seed,
        )
        self.carrier = Carrier(
            self.settings.twilio_account_sid, self.settings.twilio_auth_token[0], self.settings.public_url, self._post
        )
        self.sender = TwilioSender(self.settings, self.carrier.client())
        self.client = create_app(self.services).test_client()
        self.phones: dict[str, Phone] = {}
        self._deals = 0

    def close(self) -> None:
        """Lets the database go."""
        self.services.database.close()

    def _next_seed(self) -> str:
        if not self.seed:
            return secrets.token_hex(16)
        self._deals += 1
        return self.seed if self._deals == 1 else f"{self.seed}-{self._deals}"

    def _post(self, url: str, body: bytes, headers: dict[str, str]) -> Answer:
        parts = urlsplit(url)
        below = urlsplit(self.settings.public_url).path.rstrip("/")  # a proxy takes it off
        path = parts.path.removeprefix(below) + (f"?{parts.query}" if parts.query else "")
        return self.client.post(path, data=body, headers=headers)

    # Phones

    def phone(self, name: str, number: str = "", zone: str = "") -> Phone:
        """The phone of that name; a new one has a number made up, and its owner's name and zone are known."""
        found = self.phones.get(name.lower())
        if found is not None:
            return found
        if not number:
            taken = {phone.number for phone in self.phones.values()}
            number = next(made for n in range(101, 199) if (made := f"+1212555{n:04d}") not in taken)
        phone = Phone(name, number, zone or self.zone)
        self.phones[name.lower()] = phone
        with self.services.db.begin() as conn:
            conn.execute(
                insert(PLAYER),
                {
                    "channel": "sms", "address": number, "name": name, "zone": phone.zone, "zone_source": "player",
                    "sender": self.number, "created_at": self.clock(), "unclear_count": 0, "prefs": {},
                },
            )  # fmt: skip
        return phone

    def text(self, phone: Phone, body: str, sid: str | None = None, **fields: str) -> Delivered:
        """A text from a phone, and everything that comes of it at once."""
        came = self.carrier.deliver(phone.number, self.number, body, sid, **fields)
        phone.last_sid, phone.last_body, phone.last_fields = came.sid, body, fields
        phone.inbox += came.texts
        phone.kinds += ["answer"] * len(came.texts)
        self.settle()
        return came

    def rehearse(self, phone: Phone, body: str) -> str | None:
        """What a text from a phone would be answered with; nothing changes."""
        sms = Sms(f"SM{secrets.token_hex(16)}", "sms", phone.number, self.number, clean(body)[:LONGEST_BODY])
        return rehearse(self.services, sms)

    def settle(self) -> None:
        """Sends what is due now, and hands it to the phones."""
        sweep(self.services, self.sender)
        kinds: dict[str, str] | None = None
        for phone in self.phones.values():
            sent = self.carrier.texts_to(phone.number)
            for text in sent[phone.fetched :]:
                if kinds is None:
                    with self.services.db.begin() as conn:
                        kinds = {row.sid: row.kind for row in conn.execute(select(OUTBOUND.c.sid, OUTBOUND.c.kind))}
                phone.inbox.append(text.body)
                phone.kinds.append(kinds.get(text.sid, ""))
            phone.fetched = len(sent)

    # Time

    def run_to(self, moment: datetime) -> None:
        """The clock runs on; whatever falls due on the way happens at its time."""
        while True:
            due = self._next_due()
            if due is None or due > moment:
                break
            if due > self.clock.now:
                self.clock.now = due
            before = self._due_rows()
            self.settle()
            if self._next_due() == due and self._due_rows() == before:
                self.clock.now += timedelta(seconds=15)  # nothing came of it: the next sweep
                if self.clock.now > moment:
                    break
        self.clock.now = max(self.clock.now, moment)
        self.settle()

    def _next_due(self) -> datetime | None:
        with self.services.db.begin() as conn:
            text = conn.execute(
                select(func.min(OUTBOUND.c.next_attempt_at)).where(OUTBOUND.c.status.in_(("pending", "retry")))
            ).scalar()
            nudge = conn.execute(select(func.min(NUDGE.c.due_at))).scalar()
        times = [time for time in (text, nudge) if time is not None]
        return min(times, default=None)

    def _due_rows(self) -> tuple[int, int]:
        with self.services.db.begin() as conn:
            texts = conn.execute(
                select(func.count()).select_from(OUTBOUND).where(OUTBOUND.c.status.in_(("pending", "retry")))
            ).scalar_one()
            nudges = conn.execute(select(func.count()).select_from(NUDGE)).scalar_one()
        return texts, nudges

    # Tables

    def sit(self, record: Record, code: str) -> None:
        """A table at the position of a record; the phones of its names sit there."""
        board = begin(record)
        game, state = record.game, board.state
        phones = [self.phone(name) for name in record.names]
        start = json.dumps(game.dump(state))
        with self.services.db.begin() as conn:
            ids = {row.address: row.id for row in conn.execute(select(PLAYER.c.id, PLAYER.c.address))}
            table_id = conn.execute(
                insert(TABLE).returning(TABLE.c.id),
                {
                    "code": code.upper(), "game": game.name, "options": write_options(record.options),
                    "seat_count": len(phones), "host_id": ids[phones[0].number], "status": "playing",
                    "seed": str(state.seed), "start": start, "state": start, "version": 0, "news": "[]",
                    "news_from": 0, "created_at": self.clock(), "updated_at": self.clock(), "turn_since": self.clock(),
                    "pace": DEFAULT_PACE,
                },
            ).scalar_one()  # fmt: skip
            conn.execute(
                insert(SEAT),
                [
                    {"table_id": table_id, "number": number, "player_id": ids[phone.number], "name": phone.name,
                     "bot": False, "told": 0}
                    for number, phone in enumerate(phones)
                ],
            )  # fmt: skip
            table = by_id(conn, table_id)
            assert table is not None, "it has just been made"
            alarms.begin(conn, table, self.clock())

    def over_budget(self, body: str, most: int = 2) -> str:
        """What is wrong with a text that goes out; empty when nothing is."""
        if not is_gsm7(body):
            return "a text that is not GSM-7"
        return f"a text of {segments(body)} segments" if segments(body) > most else ""


@cache
def _empty_database() -> bytes:
    """An SQLite database with today's schema and nothing in it: the migrations take longer than a table of four."""
    with TemporaryDirectory(prefix="queenline-") as folder:
        upgrade(f"sqlite:///{folder}/empty.db")
        return Path(folder, "empty.db").read_bytes()


def _settings(url: str, given: dict[str, str]) -> Settings:
    values: dict[str, Any] = {
        "database_url": url,
        "redis_url": "redis://localhost:1/0",
        "public_url": PUBLIC,
        "secret_key": secrets.token_hex(32),
        "twilio_account_sid": ACCOUNT,
        "twilio_auth_token": "a-token-of-this-stage",
        "twilio_numbers": OUR_NUMBER,
        "sender_segments_per_second": "0",  # its clock stands still while it sends
    }
    given = {name.lower(): value for name, value in given.items()}
    if given.get("opt_out_mode", "").casefold() == "advanced":  # which is a thing of Messaging Services
        values["twilio_messaging_service_sid"] = SERVICE
    return load(**values | given)


@contextmanager
def stage(now: datetime, zone: str = "America/New_York", **settings: str) -> Iterator[Stage]:
    """A stage on a database of its own, gone afterwards."""
    with TemporaryDirectory(prefix="queenline-") as folder:
        made = Stage(Path(folder), now, zone, "", False, **settings)
        try:
            yield made
        finally:
            made.close()
