"""Tables by the thousand in the middle of a game, written straight into the database, and the texts that come next at each.

And tables by the million, so that the database is full: copies of one of them at which nobody plays.
"""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import Connection, Engine, func, insert, select, text

from engine.cards import card_name
from engine.game import write_move, write_options
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from engine.rummy.damn_the_queens_table import Options
from rig.servers import OURS
from service import alarms, stored
from service.db import reading
from service.models import Player, Seat, table_of
from service.numbers import region
from service.slow import DEFAULT_PACE
from service.stored import PLAYING, TABLE

PLAYER, SEAT = table_of(Player), table_of(Seat)
GAME, OPTIONS = DAMN_THE_QUEENS, Options(target=5000)
NAMES = ("Ann", "Bea", "Cy", "Dot")
# Those at the tables that fill the database have numbers with area codes from here on.
FILL_AREA, FILL_PLAYERS = 400, 60_000
FILL_AT_ONCE = 20_000
# Of the tables that fill it, one in so many is still being played.
IN_PLAY = 10


class Line(NamedTuple):
    """A text from a phone."""

    sender: str
    body: str


def numbers() -> Iterator[str]:
    """Example numbers in area codes of the United States below FILL_AREA; ours is none of them."""
    for area in range(200, FILL_AREA):
        if region(f"+1{area}5550150") == "US":
            yield from (number for last in range(100) if (number := f"+1{area}55501{last:02}") != OURS)


class Crowd:
    """So many tables of Damn the Queens with four phones each, just dealt."""

    def __init__(self, engine: Engine, count: int) -> None:
        self.engine = engine
        free = numbers()
        self.phones = [[next(free) for _ in NAMES] for _ in range(count)]
        self._next = 0  # the table whose text is next
        with engine.begin() as conn:
            self.ids = self._seat(conn, datetime.now(UTC))

    def _seat(self, conn: Connection, now: datetime) -> list[int]:
        rows = [
            {"channel": "sms", "address": number, "name": name, "zone": "America/New_York", "zone_source": "said",
             "sender": OURS, "created_at": now, "greeted_at": now, "last_inbound_at": now, "unclear_count": 0,
             "prefs": {"auto": False}}
            for phones in self.phones for number, name in zip(phones, NAMES, strict=True)
        ]  # fmt: skip
        conn.execute(insert(PLAYER), rows)
        players: dict[str, int] = dict(conn.execute(select(PLAYER.c.address, PLAYER.c.id)).all())
        made = []
        for number, phones in enumerate(self.phones):
            state = GAME.deal(OPTIONS, len(NAMES), f"crowd-{number}")
            table_id = conn.execute(
                insert(TABLE).returning(TABLE.c.id),
                {
                    "code": f"Q{number}", "game": GAME.name, "options": write_options(OPTIONS), "seat_count": len(NAMES),
                    "host_id": players[phones[0]], "status": PLAYING, "seed": f"crowd-{number}",
                    "state": json.dumps(GAME.dump(state)), "version": 0, "news": "[]", "news_from": 0,
                    "created_at": now, "updated_at": now, "turn_since": now, "pace": DEFAULT_PACE,
                },
            ).scalar_one()  # fmt: skip
            conn.execute(
                insert(SEAT),
                [
                    {"table_id": table_id, "number": seat, "player_id": players[phone], "name": name, "bot": False, "told": 0}
                    for seat, (phone, name) in enumerate(zip(phones, NAMES, strict=True))
                ],
            )  # fmt: skip
            table = stored.by_id(conn, table_id)
            assert table is not None, "it has just been made"
            alarms.begin(conn, table, now)
            made.append(table_id)
        return made

    def lines(self, count: int) -> list[Line]:
        """The next texts, one table after the other: each is a legal move if those before it at its table have been made."""
        states: dict[int, Any] = {}
        lines = []
        for _ in range(count):
            table = self._next % len(self.ids)
            self._next += 1
            if table not in states:
                states[table] = self._state(self.ids[table])
            lines.append(self._line(table, states[table]))
        return lines

    def _state(self, table_id: int) -> Any:
        with reading(self.engine) as conn:
            return GAME.load(json.loads(conn.execute(select(TABLE.c.state).where(TABLE.c.id == table_id)).scalar_one()))

    def _line(self, table: int, state: Any) -> Line:
        if state.over:
            GAME.next_round(state)
        seat = state.turn
        legal = GAME.legal(state, seat)
        move = next((move for move in legal if move.verb in ("draw", "discard")), legal[-1])
        GAME.play(state, seat, move)
        body = f"discard {card_name(move.cards[0])}" if move.verb == "discard" else write_move(move)
        return Line(self.phones[table][seat], body)

    def moves(self) -> int:
        """How many have been made at all of these tables."""
        with reading(self.engine) as conn:
            made = select(func.coalesce(func.sum(TABLE.c.version), 0)).where(
                TABLE.c.id.between(self.ids[0], self.ids[-1])
            )
            return int(conn.execute(made).scalar_one())


# The filling. Plain SQL that both databases read: a million tables are written by nothing else in a sensible time.

COUNTING = "WITH RECURSIVE n(i) AS (SELECT CAST(:first AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < :last) "
FILL_PLAYER = """
INSERT INTO player (channel, address, name, zone, zone_source, sender, created_at, unclear_count, prefs)
SELECT 'sms', '+' || CAST(10000000000 + (:area + i / 100) * 10000000 + 5550100 + i % 100 AS text), 'Eve',
       p.zone, p.zone_source, p.sender, p.created_at, 0, p.prefs
FROM n, player p WHERE p.id = (SELECT min(id) FROM player)
"""
FILL_TABLE = """
INSERT INTO game_table (code, game, options, seat_count, host_id, status, seed, state, version, news, news_from, created_at,
                        updated_at, turn_since, pace)
SELECT 'Z' || CAST(i AS text), g.game, g.options, g.seat_count, :player + i % :players,
       CASE WHEN i % :in_play = 0 THEN 'playing' ELSE 'over' END, g.seed, g.state, 2, g.news, 0, g.created_at, g.updated_at,
       g.turn_since, g.pace
FROM n, game_table g WHERE g.id = (SELECT min(id) FROM game_table)
"""
# What belongs to the tables that were written last: their ids are above `above`.
FILL_OTHERS = (
    """
INSERT INTO seat (table_id, number, player_id, name, bot, told)
SELECT g.id, s.i, :player + (g.host_id + s.i * 7919) % :players, 'P' || CAST(s.i + 5 AS text), false, 0
FROM game_table g, n s WHERE g.id > :above
""",
    """
INSERT INTO move (table_id, n, seat, text, at, bot)
SELECT g.id, m.i + 1, 1, CASE WHEN m.i = 0 THEN 'draw' ELSE 'discard 4H' END, g.created_at, false
FROM game_table g, n m WHERE g.id > :above AND m.i < 2
""",
    """
INSERT INTO inbound (message_sid, channel, sender, recipient, body, player_id, table_id, kind, answer, segments, received_at)
SELECT 'SMi' || CAST(g.id AS text), 'sms', p.address, p.sender, 'discard 4h', p.id, g.id, 'moves',
       'Z1: You discarded 4H. Bea is next. Your hand: 5S 6S 9C 9D JH QS KD W W', 1, g.created_at
FROM game_table g JOIN player p ON p.id = g.host_id WHERE g.id > :above
""",
    """
INSERT INTO outbound (player_id, table_id, recipient, sender, body, kind, turn_version, status, rank, attempt, next_attempt_at,
                      sid, segments, created_at, sent_at, seat, told_upto)
SELECT p.id, g.id, p.address, p.sender, 'Z1: Ann discarded 4H. Pile 4H (12). Your hand: 5S 6S 9C 9D JH QS KD W W. DRAW or PICKUP?',
       'turn', 2, 'delivered', 9, 1, g.created_at, 'SMo' || CAST(g.id AS text), 1, g.created_at, g.created_at, 1, 2
FROM game_table g JOIN player p ON p.id = g.host_id WHERE g.id > :above
""",
    """
INSERT INTO nudge (table_id, seat, player_id, turn_version, due_at, sent, since, nudge_at, deadline_at, late)
SELECT g.id, 2, g.host_id, 2, d.due_at, 0, d.since, d.nudge_at, d.deadline_at, false
FROM game_table g, nudge d WHERE g.id > :above AND g.status = 'playing' AND d.id = (SELECT min(id) FROM nudge)
""",
)


def fill(engine: Engine, count: int, say: Callable[[int], None] = lambda _: None) -> None:
    """So many more tables with four seats, two lines, a text in and a text out each; nobody plays there.

    A crowd must be there: the first of its tables is the one that is copied. On the way no constraint is checked.
    """
    sqlite = engine.dialect.name == "sqlite"
    with engine.connect() as conn:
        raw: Any = conn.connection.driver_connection  # SQLite takes these outside of a transaction only
        raw.execute("PRAGMA foreign_keys = OFF" if sqlite else "SET statement_timeout = 0")
        raw.execute("PRAGMA synchronous = OFF" if sqlite else "SET session_replication_role = replica")
        raw.commit()
        with conn.begin():
            player = conn.execute(text("SELECT max(id) + 1 FROM player")).scalar_one()
            conn.execute(text(COUNTING + FILL_PLAYER), {"area": FILL_AREA, "first": 0, "last": FILL_PLAYERS - 1})
        for first in range(0, count, FILL_AT_ONCE):
            end = min(first + FILL_AT_ONCE, count)
            with conn.begin():
                _fill_tables(conn, first, end, player)
            say(end)
        conn.invalidate()  # nobody else shall get this connection as it is now
    if sqlite:
        with engine.begin() as conn:
            conn.exec_driver_sql("ANALYZE")
        return
    plain = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as direct:  # its own work would be measured otherwise
        direct.execute("VACUUM ANALYZE")


def _fill_tables(conn: Connection, first: int, end: int, player: int) -> None:
    values = {"player": player, "players": FILL_PLAYERS, "in_play": IN_PLAY}
    above = conn.execute(text("SELECT max(id) FROM game_table")).scalar_one()
    conn.execute(text(COUNTING + FILL_TABLE), values | {"first": first, "last": end - 1})
    for statement in FILL_OTHERS:
        conn.execute(text(COUNTING + statement), values | {"first": 0, "last": len(NAMES) - 1, "above": above})
