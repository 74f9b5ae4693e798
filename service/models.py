"""The tables. The code reads and writes most of them through SQLAlchemy Core (`table_of`), not the ORM.

Every instant is a plain `datetime` field: aware going in, aware UTC coming out, on both databases. A JSON column is not
watched for changes: assign a new value. `state`, `news` and the like are JSON written by us and kept as text, because
nothing ever asks the database to look inside them. Constraints on new columns and the order of an upgrade:
`service/migrations/README.md`.
"""

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, Index, Integer, MetaData, Text, UniqueConstraint, text
from sqlalchemy.schema import Table
from sqlmodel import Field, SQLModel

# Rows of moves and texts pass 2**31 sooner than one thinks; SQLite numbers rows itself only in a column named INTEGER.
Id = BigInteger().with_variant(Integer(), "sqlite")

# A text that is still to be sent, or being sent.
WAITING = "status IN ('pending', 'retry', 'sending')"


class Base(SQLModel):
    metadata = MetaData(
        # Alembic can only drop or change what has a name.
        naming_convention={
            "pk": "pk_%(table_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
        }
    )


class Player(Base, table=True):
    """Somebody who texts us. The same number on another channel is somebody else."""

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("channel", "address"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    channel: str
    address: str
    name: str | None = None
    zone: str | None = None  # IANA
    zone_source: str | None = None
    sender: str | None = None  # the number of ours that they know
    created_at: datetime
    last_inbound_at: datetime | None = None
    greeted_at: datetime | None = None  # the last fixed text to a stranger
    unclear_at: datetime | None = None
    unclear_count: int = 0
    opted_out_at: datetime | None = None
    silenced_until: datetime | None = None  # two robots were talking to each other: nothing is answered until then
    forgotten_at: datetime | None = None  # they asked to be forgotten; the address is no longer one
    unreachable_at: datetime | None = None  # nothing gets there any more; a text from there proves the contrary
    pending: Any = Field(default=None, sa_type=JSON(none_as_null=True), nullable=True)  # an open question's choices
    prefs: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class GameTable(Base, table=True):
    """One table of one game. `version` counts up with every change; who changes it names the version that was read."""

    __tablename__ = "game_table"

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    code: str = Field(unique=True)
    game: str
    options: str = ""  # `name=value` words
    seat_count: int
    host_id: int = Field(foreign_key="player.id", sa_type=Id)
    status: str  # open | playing | over | closed
    seed: str
    start: str | None = Field(default=None, sa_type=Text)  # JSON: the first state of a game not dealt from its seed
    state: str | None = Field(default=None, sa_type=Text)  # JSON
    version: int = 0
    news: str = Field(default="[]", sa_type=Text)  # JSON: recent public events
    news_from: int = 0  # the number of the first of them
    created_at: datetime
    updated_at: datetime
    turn_since: datetime | None = None
    rematch_id: int | None = Field(default=None, foreign_key="game_table.id", sa_type=Id)
    pace: int | None = None  # seconds for a turn; None: nobody is ever late
    weekdays: bool | None = None  # Saturdays and Sundays don't count
    late_rule: str | None = None  # what happens to a seat that is late: wait (None) | bot | invite
    watch_no: int | None = None  # which address for spectators is good; None: none was ever asked for
    paused_at: datetime | None = None  # by the operator: no clock runs and no move is taken
    paused_why: str | None = None


class Seat(Base, table=True):
    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    table_id: int = Field(foreign_key="game_table.id", sa_type=Id)
    number: int
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True, sa_type=Id)
    name: str
    bot: bool = False
    told: int = 0  # up to which number of the table's news this seat has been told
    left_at: datetime | None = None
    bot_hands: int | None = None  # rounds that a bot has played for the owner, and the last of them
    bot_round: int | None = None
    plan: str | None = None  # a move to make as soon as it is this seat's turn
    invite: str | None = Field(default=None, index=True)  # the code by which a friend takes a seat that is late
    link_no: int | None = None  # which personal address is good; None: none was ever asked for
    over_at: datetime | None = (
        None  # when the table's game was over, so that who sits where is found without the tables
    )


class Move(Base, table=True):
    """One line of a game's record, in canonical text. Rows are only ever added."""

    __tablename__ = "move"
    __table_args__ = (UniqueConstraint("table_id", "n"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    table_id: int = Field(foreign_key="game_table.id", sa_type=Id)
    n: int
    seat: int
    text: str
    at: datetime
    inbound_id: int | None = Field(
        default=None, sa_type=Id
    )  # to read by; no constraint, it would cost a look-up a move
    bot: bool = False


class Inbound(Base, table=True):
    """A text that reached us. Inserting the row is the claim; `answer` is what the same MessageSid gets again."""

    __tablename__ = "inbound"
    __table_args__ = (Index(None, "player_id", "received_at"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    message_sid: str = Field(unique=True)
    channel: str
    sender: str
    recipient: str
    body: str = Field(sa_type=Text)
    player_id: int | None = Field(default=None, foreign_key="player.id", sa_type=Id)
    table_id: int | None = Field(default=None, sa_type=Id)
    kind: str = ""  # moves | command | ask | refused | ignored | unclear | error ...
    answer: str | None = Field(default=None, sa_type=Text)
    segments: int = 0  # of the answer
    received_at: datetime


class Outbound(Base, table=True):
    """A text to somebody other than the one who has just texted: what `workers/outbox.py` sends.

    `rank` orders the statuses (`service/twilio/outbound.py`): it never goes down. `error_code` is the carrier's code,
    or our word for why the text was not sent.
    """

    __tablename__ = "outbound"
    __table_args__ = (
        Index(None, "status", "next_attempt_at"),
        Index(None, "player_id", "created_at"),
        # What stands before a text to the same player. Small: a text leaves it when it has been sent.
        Index(
            "ix_outbound_waiting",
            "player_id",
            "id",
            sqlite_where=text(WAITING),
            postgresql_where=text(WAITING),
        ),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    player_id: int = Field(foreign_key="player.id", sa_type=Id)
    table_id: int | None = Field(default=None, sa_type=Id)
    recipient: str
    sender: str | None = None
    body: str = Field(sa_type=Text)
    kind: str  # turn | notice | answer | nudge ...
    turn_version: int | None = None
    status: str = "pending"  # sending | sent | delivered | undelivered | failed | unknown | canceled | retry
    rank: int = 0
    attempt: int = 0
    next_attempt_at: datetime
    lease_until: datetime | None = None
    sid: str | None = Field(default=None, unique=True)
    error_code: str | None = None
    segments: int = 0
    created_at: datetime
    sent_at: datetime | None = None
    seat: int | None = None  # at the table
    told_upto: int | None = None  # the number of the table's news up to which this text tells
    asked_at: datetime | None = None  # when the carrier was last asked to send it
    looked_at: datetime | None = None  # when an `unknown` one was last looked up at the carrier, and how often
    looks: int | None = None


class OutboundEvent(Base, table=True):
    """One status callback. The same one twice is one row; `error_code` is empty when the carrier gave none."""

    __tablename__ = "outbound_event"
    __table_args__ = (UniqueConstraint("outbound_id", "status", "error_code"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    outbound_id: int = Field(foreign_key="outbound.id", sa_type=Id)
    player_id: int | None = Field(default=None, sa_type=Id)  # whom the text went to: the row is kept where the text is
    status: str
    error_code: str = ""
    at: datetime


class Nudge(Base, table=True):
    """The one alarm of a seat that must act: written anew at each of its turns, gone at the end of the game.

    `due_at` is the nearest of the others: when to remind, when the turn's clock runs out, when the grace after it does.
    It counts only while the table's turn began at `since`.
    """

    __tablename__ = "nudge"
    __table_args__ = (UniqueConstraint("table_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    table_id: int = Field(foreign_key="game_table.id", sa_type=Id)
    seat: int
    player_id: int = Field(foreign_key="player.id", index=True, sa_type=Id)
    turn_version: int
    due_at: datetime = Field(index=True)
    sent: int = 0
    last_reason: str | None = None  # why the last reminder was not sent
    since: datetime | None = None
    nudge_at: datetime | None = None
    deadline_at: datetime | None = None
    grace_at: datetime | None = None
    late: bool | None = None  # the table has been told
    asked_at: datetime | None = None  # when somebody's `nudge` last sent one


class Preset(Base, table=True):
    """House rules that a player keeps under a name: `save rules as cabin`, `new cabin`."""

    __tablename__ = "preset"
    __table_args__ = (UniqueConstraint("player_id", "name"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    player_id: int = Field(foreign_key="player.id", sa_type=Id)
    name: str
    game: str
    options: str = ""  # as `GameTable.options`
    created_at: datetime


class Tally(Base, table=True):
    """How often something that is limited or paid for has happened on a day (UTC, `2026-11-30`; `2026-11` for a month)."""

    __tablename__ = "tally"
    __table_args__ = (UniqueConstraint("day", "kind", "scope"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    day: str
    kind: str
    scope: str = ""  # whom it counts for; never a number or an address in the clear
    count: int = 0


class OptOut(Base, table=True):
    """That somebody who has been forgotten wants no texts: their number by a keyed hash, so that it can be known again."""

    __tablename__ = "opt_out"

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    mark: str = Field(unique=True)
    at: datetime


class Breaker(Base, table=True):
    """What has stopped sending, for one sender or for all (`scope` `*`), until when it is not tried again."""

    __tablename__ = "breaker"

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    scope: str = Field(unique=True)
    code: str
    since: datetime
    until: datetime
    failures: int = 0


class WebRequest(Base, table=True):
    """Somebody who filled in a form and has yet to prove their number by a text: to sit down, or to open a table."""

    __tablename__ = "web_request"
    __table_args__ = (UniqueConstraint("channel", "address", "code"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    kind: str  # join | open
    channel: str = "sms"
    address: str
    name: str
    table_id: int | None = Field(default=None, sa_type=Id)
    seat: int | None = None
    what: str = Field(default="{}", sa_type=Text)  # JSON: what a table to be opened shall be
    code: str  # what they are to text behind JOIN: the table's, or one of its own for a table to be opened
    consent: str = Field(default="", sa_type=Text)  # the words they agreed to
    created_at: datetime
    done_at: datetime | None = None


class RoundResult(Base, table=True):
    """What a round was worth, kept for ever; a seat's place in a list is its number."""

    __tablename__ = "round_result"
    __table_args__ = (UniqueConstraint("table_id", "n"),)

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    table_id: int = Field(foreign_key="game_table.id", sa_type=Id)
    n: int  # the first is 1
    points: str = Field(sa_type=Text)  # JSON, by seat
    totals: str = Field(sa_type=Text)  # JSON, by seat: with this round
    facts: str = Field(default="{}", sa_type=Text)  # JSON: who went out, the biggest pile and the like
    upto: int  # the number of the record's line that ended it
    following: str | None = Field(default=None, sa_type=Text)  # JSON: the state the next round began with
    at: datetime


class AdminAct(Base, table=True):
    """What the operator did by `queenline admin`. Rows are only ever added."""

    __tablename__ = "admin_act"

    id: int | None = Field(default=None, primary_key=True, sa_type=Id)
    table_id: int | None = Field(default=None, index=True, sa_type=Id)
    who: str
    act: str
    detail: str = Field(default="", sa_type=Text)
    at: datetime


def table_of(model: type[Base]) -> Table:
    """The Core table of a model, typed."""
    return cast("Table", model.__table__)  # type: ignore[attr-defined]
