"""A table as the database has it: reading it, writing it back, and playing its record again.

A table is loaded with its row locked (PostgreSQL; SQLite has one writer anyway) and written back naming the version
that was read. `version` counts the lines of the game's record, so that it is also the number of the last `move` row:
the rows replay to the stored state. Nobody outside `service.play`, `service.tables` and this file changes a game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Integer, Row, and_, bindparam, case, insert, null, or_, select, update

from engine.game import Event, Game, Seat, read_move, read_values
from engine.registry import find
from service.models import GameTable, Inbound, Move, Nudge, Outbound, Player, WebRequest, table_of
from service.models import Seat as SeatRow
from service.pipeline import ask, later
from service.rounds import without_undone
from service.text.tricks import TOGETHER
from service.transact import Stale

PLAYER = table_of(Player)
TABLE = table_of(GameTable)
SEAT = table_of(SeatRow)
MOVE = table_of(Move)
INBOUND = table_of(Inbound)
OUTBOUND = table_of(Outbound)
NUDGE = table_of(Nudge)
FORM = table_of(WebRequest)

OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"
BIDDING = "bid"  # a phase in which the next bidder is waited for, and others may act as well

LOOK_BACK = timedelta(days=30)  # so long a finished game still answers SCORE and REMATCH
NEWS_KEPT = 200  # events, should somebody never be told
NEWS_RECENT = 60  # events that stay when all have been told: pages show what happened since the last visit


@dataclass(slots=True)
class Sitter:
    """Who sits on a seat. `player_id` is None for a bot and for a seat nobody has taken."""

    number: Seat
    name: str
    player_id: int | None = None
    bot: bool = False
    told: int = 0
    address: str = ""
    sender: str | None = None
    zone: str | None = None
    prefs: dict[str, Any] = field(default_factory=dict)
    opted_out: bool = False
    last_inbound_at: datetime | None = None
    left: bool = False  # gave the seat up; else a bot on it is only keeping it warm
    bot_hands: int = 0  # rounds in which a bot has played for the owner, and the last of them
    bot_round: int = 0
    plan: str | None = None
    invite: str | None = None  # the code by which a friend may take the seat

    @property
    def person(self) -> bool:
        """Whether somebody with a phone sits here."""
        return self.player_id is not None and not self.bot

    @property
    def lent(self) -> bool:
        """Whether a bot keeps the seat until its owner texts again."""
        return self.player_id is not None and self.bot and not self.left


class Turn(NamedTuple):
    """A turn: which round, where several act at once which phase, how many tricks so far, and who must act. It changes when
    the turn passes.
    """

    round: int
    phase: str
    tricks: int
    due: tuple[Seat, ...]

    def same_stage(self, other: "Turn | None") -> bool:
        """Whether only who must act differs."""
        return other is not None and self[:3] == other[:3]


@dataclass(slots=True)
class Table:
    """One table as it was read, with what happened to it since in this transaction."""

    id: int
    code: str
    game: Game
    options: Any
    seat_count: int
    host_id: int
    status: str
    seed: str
    start: str | None
    state: Any
    version: int
    news: list[Event]
    news_from: int
    turn_since: datetime | None
    rematch_id: int | None
    pace: int | None = None  # seconds
    weekdays: bool = False
    late_rule: str = "wait"
    paused: str | None = None  # why the operator has stopped it
    sitters: list[Sitter] = field(default_factory=list)
    deadlines: dict[Seat, datetime] = field(default_factory=dict)  # of the turns that have begun now
    plans_dropped: list[Seat] = field(default_factory=list)
    turn_read: Turn | None = None  # whose turn it was when the table was read
    read_version: int = 0
    read_over: bool = False  # whether its game was over when it was read
    lines: list[tuple[Seat, str, bool]] = field(default_factory=list)  # seat, text, whether a bot's
    changed: bool = False
    rounds_over: int = 0  # so many have ended since the table was read

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name, by seat; only of a table that is full."""
        return tuple(sitter.name for sitter in self.sitters)

    @property
    def people(self) -> list[Sitter]:
        """Those with a phone."""
        return [sitter for sitter in self.sitters if sitter.person]

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return self.seat_count - len(self.sitters)

    def seat_of(self, player_id: int) -> Sitter | None:
        """The seat of that player."""
        return next((sitter for sitter in self.sitters if sitter.player_id == player_id and not sitter.bot), None)

    def happened(self, events: Iterable[Event]) -> None:
        """Keeps what everybody may know of it, for the texts to those who were not there."""
        self.news += [event.seen_by(None) for event in events]

    @property
    def whose_turn(self) -> Turn | None:
        """None where no game is played."""
        if self.state is None or self.status != PLAYING:
            return None
        phase = self.state.phase if self.together else ""
        return Turn(self.state.round, phase, sum(getattr(self.state, "tricks", ())), self.due)

    @property
    def together(self) -> bool:
        """Whether several act at once, each for themselves, and the game goes on when all have."""
        return self.state is not None and self.state.phase in TOGETHER

    @property
    def due(self) -> tuple[Seat, ...]:
        """Who holds up the game: where several act at once, all who have not yet. Others may act, but need not."""
        waiting = self.game.waiting(self.state)
        return waiting if self.together else tuple(seat for seat in waiting if seat == self.state.turn)

    @property
    def news_end(self) -> int:
        """The number that the next event will have."""
        return self.news_from + len(self.news)

    def news_for(self, sitter: Sitter) -> list[Event]:
        """What this seat has not been told."""
        return self.news[max(0, sitter.told - self.news_from) :]

    def add_line(self, seat: Seat, text: str, bot: bool) -> None:
        """One more line of the record."""
        self.version += 1
        self.lines.append((seat, text, bot))
        self.changed = True


# Reading and writing

# Whoever has not come by a text takes its locks in the same order: the player, then the table.
LOCK_PLAYER = select(PLAYER.c.id).where(PLAYER.c.id == bindparam("the_player")).with_for_update(key_share=True)
_TABLE_COLUMNS = [column for column in TABLE.c if column.name not in ("created_at", "updated_at")]
LIVE = or_(
    TABLE.c.status == OPEN,
    TABLE.c.status == PLAYING,
    and_(TABLE.c.status == OVER, TABLE.c.updated_at > bindparam("since")),
)


# A player's tables are asked for one by one, by their ids: always in the same order, so that two who lock the same tables
# cannot lock each other out; and so that a database of several machines knows which of them to ask.
_LIVE = select(*_TABLE_COLUMNS).where(TABLE.c.id == bindparam("table"), LIVE).with_for_update()


def seats_of(whose: Any) -> Any:
    """The question for the ids of the tables where somebody sits, whose games are not over for long."""
    lately = or_(SEAT.c.over_at.is_(None), SEAT.c.over_at > bindparam("since"))
    return select(SEAT.c.table_id).where(whose, SEAT.c.left_at.is_(None), lately).order_by(SEAT.c.table_id)


_SEATS = seats_of(SEAT.c.player_id == bindparam("player"))
_BY_ID_OF_CODE = select(TABLE.c.id).where(TABLE.c.code == bindparam("code"))
_BY_ID = select(*_TABLE_COLUMNS).where(TABLE.c.id == bindparam("id")).with_for_update()
_LOOK = select(*_TABLE_COLUMNS).where(TABLE.c.id == bindparam("id"))


_SITTERS = (
    select(
        SEAT.c.table_id, SEAT.c.number, SEAT.c.name, SEAT.c.player_id, SEAT.c.bot, SEAT.c.told,
        SEAT.c.left_at, SEAT.c.bot_hands, SEAT.c.bot_round, SEAT.c.plan, SEAT.c.invite,
        PLAYER.c.address, PLAYER.c.sender, PLAYER.c.zone, PLAYER.c.prefs, PLAYER.c.opted_out_at,
        PLAYER.c.last_inbound_at,
    )
    .select_from(SEAT.outerjoin(PLAYER, PLAYER.c.id == SEAT.c.player_id))
    .where(SEAT.c.table_id == bindparam("table"))
    .order_by(SEAT.c.number)
)  # fmt: skip


def of_player(conn: Connection, player_id: int, now: datetime) -> list[Table]:
    """The tables where this player sits: those being filled or played, and lately finished ones."""
    since = now - LOOK_BACK
    return live(conn, player_id, conn.execute(_SEATS, {"player": player_id, "since": since}).scalars().all(), since)


def live(conn: Connection, player_id: int, ids: Sequence[int], since: datetime) -> list[Table]:
    """Those of a player's tables that are being filled or played, or were until then; locked, in one round trip."""
    asked = asking_live(ids, since)
    return live_of(player_id, ask(conn, *asked) if asked else [])


def asking_live(ids: Sequence[int], since: datetime) -> list[tuple[Any, dict[str, Any]]]:
    """The questions of `live`, for who has others to ask with them; `live_of` reads the answers."""
    asked: list[tuple[Any, dict[str, Any]]] = []
    for table_id in ids:
        asked += [(_LIVE, {"table": table_id, "since": since}), (_SITTERS, {"table": table_id})]
    return asked


def live_of(player_id: int, found: Sequence[Sequence[Any]]) -> list[Table]:
    """The tables in the answers to `asking_live`, of those where the player still sits."""
    tables = [_loaded(rows[0], sitters) for rows, sitters in zip(found[::2], found[1::2], strict=True) if rows]
    # Whoever had a table locked may have taken a seat there away.
    return [table for table in tables if any(s.player_id == player_id and not s.left for s in table.sitters)]


def by_code(conn: Connection, code: str) -> Table | None:
    """The table of that code, whoever sits there."""
    found = conn.execute(_BY_ID_OF_CODE, {"code": code.upper()}).scalar()
    return None if found is None else by_id(conn, found)


def by_id(conn: Connection, table_id: int) -> Table | None:
    """The table of that id."""
    return _load(conn, conn.execute(_BY_ID, {"id": table_id}).first())


def look(conn: Connection, table_id: int) -> Table | None:
    """The same, only to be read: it is not locked, and may not be saved."""
    return _load(conn, conn.execute(_LOOK, {"id": table_id}).first())


def _load(conn: Connection, row: Row[Any] | None) -> Table | None:
    return None if row is None else _loaded(row, conn.execute(_SITTERS, {"table": row.id}).all())


def _loaded(row: Any, sitters: Iterable[Any]) -> Table:
    table = _table(row)
    for sitter in sitters:
        table.sitters.append(
            Sitter(
                sitter.number,
                sitter.name,
                sitter.player_id,
                sitter.bot,
                sitter.told,
                sitter.address or "",
                sitter.sender,
                sitter.zone,
                sitter.prefs or {},
                sitter.opted_out_at is not None,
                sitter.last_inbound_at,
                sitter.left_at is not None,
                sitter.bot_hands or 0,
                sitter.bot_round or 0,
                sitter.plan,
                sitter.invite,
            )
        )
    table.turn_read = table.whose_turn
    return table


def _table(row: Row[Any]) -> Table:
    game = find(row.game)
    assert game is not None, f"table {row.id} is of a game that is no longer registered"
    state = None if row.state is None else game.load(orjson.loads(row.state))
    options = options_of(game, row.options) if state is None else state.options
    return Table(
        row.id, row.code, game, options, row.seat_count, row.host_id, row.status, row.seed, row.start, state,
        row.version, _read_news(row.news), row.news_from, row.turn_since, row.rematch_id, row.pace, bool(row.weekdays),
        row.late_rule or "wait", None if row.paused_at is None else row.paused_why or "", read_version=row.version,
        read_over=row.status in (OVER, CLOSED),
    )  # fmt: skip


def options_of(game: Game, words: str) -> Any:
    """The house rules kept as `name=value` words."""
    return game.Options(**read_values(game.Options, dict(word.split("=", 1) for word in words.split())))


def _read_news(text: str) -> list[Event]:
    return [Event(e[0], e[1], tuple(e[2]), e[3], e[4]) for e in orjson.loads(text)]


def _write_news(news: Sequence[Event]) -> str:
    return orjson.dumps([[e.kind, e.seat, e.cards, e.count, e.to] for e in news]).decode()


def save(conn: Connection, table: Table, now: datetime, inbound_id: int | None) -> None:
    """Writes what happened to a table. Stale if somebody else has changed it since it was read."""
    told = min((sitter.told for sitter in table.people), default=table.news_end)
    drop = max(min(told - table.news_from, len(table.news) - NEWS_RECENT), len(table.news) - NEWS_KEPT, 0)
    news, first = table.news[drop:], table.news_from + drop
    state = None
    if table.state is not None:
        state = orjson.dumps(table.game.dump(table.state)).decode()
    values = {
        "the_table": table.id, "read": table.read_version, "version": table.version, "status": table.status,
        "state": state, "news": _write_news(news), "news_from": first, "updated_at": now, "seed": table.seed,
        "turn_since": table.turn_since, "rematch_id": table.rematch_id, "host_id": table.host_id,
    }  # fmt: skip
    if conn.dialect.name == "postgresql":
        later(conn, _SAVE_LATER, values)
    elif conn.execute(_SAVE, values).rowcount != 1:
        raise Stale
    over = table.status in (OVER, CLOSED)
    if over != table.read_over:
        later(conn, _SET_OVER, {"the_table": table.id, "when": now if over else None})
        table.read_over = over
    if table.lines:
        first_line = table.version - len(table.lines) + 1
        later(
            conn,
            _ADD_MOVES,
            [
                {"table_id": table.id, "n": first_line + i, "seat": seat, "text": text, "at": now,
                 "inbound_id": inbound_id, "bot": bot}
                for i, (seat, text, bot) in enumerate(table.lines)
            ],
        )  # fmt: skip
    table.lines, table.read_version, table.changed = [], table.version, False
    table.news, table.news_from = news, first


_SAVE_ALL = (
    update(TABLE)
    .where(TABLE.c.id == bindparam("the_table"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "version", "status", "state", "news", "news_from", "updated_at", "turn_since", "rematch_id", "seed", "host_id"
            )
        }
    )
)  # fmt: skip
_SAVE = _SAVE_ALL.where(TABLE.c.version == bindparam("read"))
# For when nobody waits to hear how many rows it has changed: Stale for one that was changed by somebody else (its row is
# locked, so that none should be).
_SAVE_LATER = _SAVE_ALL.values(
    version=case((TABLE.c.version == bindparam("read"), bindparam("version", type_=Integer)), else_=null())
)
_SET_OVER = update(SEAT).where(SEAT.c.table_id == bindparam("the_table")).values(over_at=bindparam("when"))
_ADD_MOVES = insert(MOVE)
_TOLD = (
    update(SEAT)
    .where(SEAT.c.table_id == bindparam("the_table"), SEAT.c.number == bindparam("seat"))
    .values(told=bindparam("upto"))
)


def save_told(conn: Connection, table: Table, seats: Iterable[Seat]) -> None:
    """Marks that these seats have been told all that has happened."""
    rows = [{"the_table": table.id, "seat": seat, "upto": table.news_end} for seat in seats]
    for row in rows:
        table.sitters[row["seat"]].told = table.news_end
    if rows:
        later(conn, _TOLD, rows)


# Playing a record again


def fresh(table: Table) -> Any:
    """The state a table's game began with."""
    if table.start is not None:
        return table.game.load(orjson.loads(table.start))
    return table.game.deal(table.options, table.seat_count, table.seed)


def lines_of(conn: Connection, table: Table) -> list[tuple[Seat, str]]:
    """Every line of the record so far, those of this transaction included, as they were written."""
    rows = conn.execute(select(MOVE.c.seat, MOVE.c.text).where(MOVE.c.table_id == table.id).order_by(MOVE.c.n))
    return [(row.seat, row.text) for row in rows] + [(seat, text) for seat, text, _ in table.lines]


def standing(lines: Iterable[tuple[Seat, str]]) -> list[tuple[Seat, str]]:
    """The lines that count: an `undo` takes away the one before it, and itself."""
    return without_undone(lines, itemgetter(1))


def replay(table: Table, lines: Sequence[tuple[Seat, str]]) -> tuple[Any, list[Event]]:
    """The state after these lines from the beginning of the game, and the events of the last of them."""
    game, state = table.game, fresh(table)
    events: list[Event] = []
    for seat, text in lines:
        if game_over(state):
            game.next_round(state)
        events = game.play(state, seat, game.resolve(state, seat, read_move(text)))
    return state, events


def out_of_turn(table: Table, seat: Seat, line: str, *, bot: bool) -> list[Event]:
    """Plays a move that may be made in anybody's turn, such as FINISH. Refusal: nothing has changed."""
    events = table.game.play(table.state, seat, table.game.resolve(table.state, seat, read_move(line)))
    table.add_line(seat, line, bot=bot)
    table.happened(events)
    return events


def game_over(state: Any) -> bool:
    """Whether the round is over and another is to be dealt."""
    return bool(state.over and not state.ended)
