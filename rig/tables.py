"""Phones and the tables at which they sit, and bots that play for them: what is done is texted, as from any phone."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

import requests
from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import DBAPIError

from engine import bots
from engine.game import write_move
from rig.servers import OURS, Rig, Unreachable
from service import stored
from service.carrier import Delivered, new_sid
from service.db import reading
from service.stored import OVER, PLAYER, PLAYING, TABLE, Table

NAMES = ("Ann", "Bea", "Cy", "Dot")
# Area codes of the allowed regions; the numbers are those kept for examples (555-0100 to 555-0198).
AREAS = (
    212, 213, 303, 305, 312, 404, 415, 503, 512, 602, 612, 617, 702, 713, 801, 816, 901, 202, 206, 214, 216, 314, 317, 412, 502, 504,
)  # fmt: skip
GAMES = ("damn 500", "hearts", "queen of spades", "spades", "500", "gong zhu")
# Zones around the world: in one of them it is now the middle of the day, so that a reminder may go out.
ZONES = (
    "Pacific/Honolulu", "America/Los_Angeles", "America/New_York", "America/Sao_Paulo", "Europe/London", "Europe/Athens", "Asia/Karachi",
    "Asia/Bangkok", "Asia/Tokyo", "Pacific/Auckland",
)  # fmt: skip


@dataclass
class Phone:
    """One number and its owner."""

    number: str
    name: str


@dataclass
class Said:
    """One text from a phone, and every answer that a delivery of it has got."""

    sid: str
    sender: str
    body: str
    answers: list[tuple[str, ...]] = field(default_factory=list)  # of deliveries that were taken
    deliveries: int = 0


@dataclass
class Place:
    """One table."""

    phones: list[Phone]
    game: str
    code: str = ""
    sleeps: bool = False  # nobody plays here: the one whose turn it is waits for a reminder
    over: bool = False


def numbers() -> Iterator[str]:
    """Example numbers of many places."""
    for last in range(1, 99):
        for area in AREAS:
            yield f"+1{area}55501{last:02}"


def noon_zone(now: datetime) -> str:
    """A zone where it is between ten and seven on the clock, nearest to two in the afternoon."""
    return min(ZONES, key=lambda name: abs(now.astimezone(ZoneInfo(name)).hour - 14))


class Town:
    """All phones and tables of a run. Every text is kept with its answers, for the verdict."""

    def __init__(self, rig: Rig, engine: Engine, seed: int, count: int, sleepers: int = 0) -> None:
        self.rig = rig
        self.engine = engine
        self.random = Random(seed)  # a schedule that can be made again
        self.said: list[Said] = []
        self._kept = threading.Lock()
        free = numbers()
        self.places = [
            Place([Phone(next(free), name) for name in NAMES[:2]], GAMES[number % len(GAMES)], sleeps=number < sleepers)
            for number in range(count)
        ]

    def settle_in(self) -> None:
        """Everybody is known with a name and a zone, and sits at a table that has been dealt. Two people and bots at each."""
        zone = noon_zone(datetime.now(UTC))
        now = datetime.now(UTC)
        with self.engine.begin() as conn:
            conn.execute(
                insert(PLAYER),
                [
                    {"channel": "sms", "address": phone.number, "name": phone.name, "zone": zone, "zone_source": "said",
                     "sender": OURS, "created_at": now, "unclear_count": 0, "prefs": {}}
                    for place in self.places for phone in place.phones
                ],
            )  # fmt: skip
        for place in self.places:
            host, friend = place.phones
            opened = self.text(host, f"new {place.game}")
            place.code = opened.texts[0].partition("table ")[2].partition(":")[0] if opened.texts else ""
            if not place.code:
                raise RuntimeError(f"no table was opened: {opened.texts}")
            for phone, words in ((friend, f"join {place.code}"), (host, "bots"), (host, "deal")):
                self.text(phone, words)

    def text(self, phone: Phone, body: str, twice: bool = False) -> Delivered:
        """Delivers a text until it is taken, as the carrier's further attempts do; `twice`: once more after that."""
        said = Said(new_sid(), phone.number, body)
        with self._kept:
            self.said.append(said)
        delivered = self.deliver(said)
        if twice:
            self.deliver(said)
        return delivered

    def deliver(self, said: Said, patience: float = 60.0) -> Delivered:
        end = time.monotonic() + patience
        while True:
            said.deliveries += 1
            try:
                came = self.rig.carrier.deliver(said.sender, OURS, said.body, said.sid)
            except (Unreachable, requests.RequestException):
                came = None
            if came is not None and came.status == 200:
                said.answers.append(tuple(came.texts))
                return came
            if time.monotonic() > end:
                raise TimeoutError(f"nobody has taken a text in {patience:.0f} s")
            time.sleep(0.1)  # the carrier's own pause between its attempts

    def play(self, seconds: float, threads: int = 8, going: Callable[[], bool] = lambda: True) -> None:
        """Bots play for the phones until the time is up or `going` says no."""
        end = time.monotonic() + seconds
        lots = [self.places[number::threads] for number in range(threads)]
        failures: list[BaseException] = []

        def run(lot: Sequence[Place], chance: Random) -> None:
            try:
                while time.monotonic() < end and going() and not failures:
                    awake = [place for place in lot if not place.sleeps and not place.over]
                    if not awake:
                        return
                    for place in awake:
                        if time.monotonic() > end or not going():
                            return
                        self.move(place, chance)
            except BaseException as error:  # noqa: BLE001  # the run ends with it
                failures.append(error)

        workers = [threading.Thread(target=run, args=(lot, Random(self.random.random())), daemon=True) for lot in lots]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if failures:
            raise failures[0]

    def move(self, place: Place, chance: Random) -> None:
        """One text of whoever must act at a table, as a bot would play for them; now and then delivered twice, or something else."""
        table = self.table(place)
        if table is None:
            return
        if table.status == OVER:
            place.over = True
            return
        if table.status != PLAYING:
            return
        by_player = {sitter.address: sitter for sitter in table.people}
        due = [p for p in place.phones if p.number in by_player and by_player[p.number].number in table.due]
        if not due:  # a bot waits for those who may call Rummy
            for phone in place.phones:
                sitter = by_player.get(phone.number)
                if sitter is not None and sitter.number in table.game.waiting(table.state):
                    self.text(phone, f"{place.code} no")
            return
        phone = chance.choice(due)
        seat = by_player[phone.number].number
        legal = table.game.legal(table.state, seat)
        if not legal:
            return
        words = write_move(bots.choose(table.game.view(table.state, seat), legal))
        if chance.random() < 0.03:
            words = chance.choice(("hand", "score", "table", "asdf", "Thanks!"))
        self.text(phone, words, twice=chance.random() < 0.1)

    def table(self, place: Place) -> Table | None:
        """The table as it is stored; None while the database is away."""
        try:
            with reading(self.engine) as conn:
                found = conn.execute(select(TABLE.c.id).where(TABLE.c.code == place.code)).scalar()
                return None if found is None else stored.look(conn, found)
        except DBAPIError:
            time.sleep(0.1)  # it comes back when it comes back
            return None
