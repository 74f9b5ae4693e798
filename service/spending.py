"""What texts cost, and the caps of a month: counted as texts go out, read where something would have to stop.

Rows of `tally` by month: the segments that went to each player (what somebody SAYs counts for who says it), the texts and
the segments of each table. The service's month is the sum of its players' rows, so that no row is everybody's. An answer
is counted in the transaction that writes it, a text from the outbox in the one that keeps what came of it; a cap can be
passed by what is on its way at that moment.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite

from service.config import Settings
from service.desk import Desk
from service.models import GameTable, Tally, table_of
from service.numbers import segment_limits
from service.pipeline import later
from service.stored import Table
from service.text import account
from service.text.gsm7 import fold, segments
from service.text.render import join
from service.upsert import insert_into

TALLY, TABLE = table_of(Tally), table_of(GameTable)
log = structlog.get_logger(__name__)

PLAYER, TEXTS, PARTS, SERVICE = "segments.player", "texts.table", "segments.table", "cap.service"

SMALL = frozenset(("nudge", "nudges", "update", "low", "say", "arrived"))  # what nobody needs to play on
TURNS = frozenset(("turn", "turns", "call", "dealt", "round"))
AGAIN = timedelta(hours=1)  # what the service's cap holds back is looked at again
USUAL = 50  # finished games from which the usual cost of one is taken
LOOK_BACK = 2000  # tables among which they are looked for


class Level(IntEnum):
    """How far a cap is used up: at 80%, 100%, 125% and 150% of a player's; 80%, 100%, 105% and 110% of the service's."""

    FINE = 0
    NEAR = 1
    FULL = 2  # what is small stops; the service takes no new players
    OVER = 3  # of texts that nobody asked for only turns
    SHUT = 4  # only answers


OF_PLAYER, OF_SERVICE = (80, 100, 125, 150), (80, 100, 105, 110)


class Cost(NamedTuple):
    """One text that has gone out."""

    player_id: int | None  # who pays for it in segments: whom it went to, or who has said it
    table_id: int | None
    segments: int


def month_of(now: datetime) -> str:
    """The month that a moment counts for."""
    there = now.astimezone(UTC)
    return f"{there.year}-{there.month:02}"  # strftime asks the machine for its language


def next_month(now: datetime) -> str:
    """When the next one begins: `Dec 1`."""
    first = (now.astimezone(UTC).replace(day=1) + timedelta(days=32)).replace(day=1)
    return f"{first:%b} {first.day}"


def level(used: int, cap: int, steps: tuple[int, ...]) -> Level:
    """How far a cap is used up; 0 is no cap."""
    return Level(sum(used * 100 >= cap * step for step in steps)) if cap else Level.FINE


# Counting


_UNIQUE = [TALLY.c.day, TALLY.c.kind, TALLY.c.scope]
_ROW = sqlite.insert(TALLY)
_ADD = _ROW.on_conflict_do_update(index_elements=_UNIQUE, set_={"count": TALLY.c.count + _ROW.excluded["count"]})


@cache
def _together(rows: int) -> Any:
    """So many rows by one statement, in their order: the values of each end in its number."""
    names = ("kind", "scope", "count")
    values: list[dict[str, Any]] = [
        {"day": bindparam("day")} | {name: bindparam(f"{name}{i}") for name in names} for i in range(rows)
    ]
    insert = postgresql.insert(TALLY).values(values)
    return insert.on_conflict_do_update(
        index_elements=_UNIQUE, set_={"count": TALLY.c.count + insert.excluded["count"]}
    )


MOST_TOGETHER = 12  # rows; a batch of the outbox has more


def count(conn: Connection, now: datetime, costs: Iterable[Cost]) -> None:
    """Counts texts that have gone out. The last thing of a transaction: others wait for these rows."""
    sums: dict[tuple[str, str], int] = {}
    for one in costs:
        for kind, scope, number in (
            (PLAYER, one.player_id, one.segments),
            (TEXTS, one.table_id, 1),
            (PARTS, one.table_id, one.segments),
        ):
            if scope is not None and number:
                sums[kind, str(scope)] = sums.get((kind, str(scope)), 0) + number
    if sums:
        month = month_of(now)
        rows = [{"day": month, "kind": k, "scope": s, "count": sums[k, s]} for k, s in sorted(sums)]  # no deadlock
        if conn.dialect.name == "postgresql":
            for first in range(0, len(rows), MOST_TOGETHER):
                part = rows[first : first + MOST_TOGETHER]
                each = {f"{name}{i}": row[name] for i, row in enumerate(part) for name in ("kind", "scope", "count")}
                later(conn, _together(len(part)), each | {"day": month})
        else:
            conn.execute(_ADD, rows)


def count_sent(conn: Connection, now: datetime, sent: Iterable[Any]) -> None:
    """Counts rows of the outbox that have been sent: `player_id`, `table_id`, `kind`, `sender`, `body`.

    What somebody has said was counted for them as they said it.
    """
    count(
        conn,
        now,
        [
            Cost(
                None if one.kind == "say" else one.player_id,
                one.table_id,
                segments(one.body, segment_limits(one.sender)),
            )
            for one in sent
        ],
    )


_OF = select(TALLY.c.scope, TALLY.c.count.label("total")).where(
    TALLY.c.day == bindparam("day"),
    TALLY.c.kind == bindparam("kind"),
    TALLY.c.scope.in_(bindparam("scopes", expanding=True)),
)
_ONE = select(TALLY.c.count.label("total")).where(
    TALLY.c.day == bindparam("day"), TALLY.c.kind == PLAYER, TALLY.c.scope == bindparam("scope")
)


def asking_used(player: int, now: datetime) -> tuple[Any, dict[str, Any]]:
    """The question of `used_by_one`, for who has others to ask with it: rows with `total`, one or none."""
    return _ONE, {"day": month_of(now), "scope": str(player)}


_ALL = select(func.coalesce(func.sum(TALLY.c.count), 0)).where(
    TALLY.c.day == bindparam("day"), TALLY.c.kind == bindparam("kind")
)


def used_by(conn: Connection, players: Iterable[int], now: datetime) -> dict[int, int]:
    """The segments of this month, by player."""
    scopes = [str(player) for player in set(players)]
    rows = conn.execute(_OF, {"day": month_of(now), "kind": PLAYER, "scopes": scopes})
    return {int(row.scope): row.total for row in rows}


def used_by_one(conn: Connection, player: int, now: datetime) -> int:
    """The segments of this month, of one player."""
    statement, values = asking_used(player, now)
    return conn.execute(statement, values).scalar() or 0


def used_by_all(conn: Connection, now: datetime) -> int:
    """The segments of this month, of the whole service."""
    return int(conn.execute(_ALL, {"day": month_of(now), "kind": PLAYER}).scalar_one())


# Caps


def service_level(conn: Connection, settings: Settings, now: datetime) -> Level:
    """How far the service has used up its month. The first time each level is seen in a month is logged."""
    cap = settings.service_monthly_segments
    if not cap:
        return Level.FINE
    used = used_by_all(conn, now)
    found = level(used, cap, OF_SERVICE)
    if found:
        once = {"day": month_of(now), "kind": SERVICE, "scope": str(int(found)), "count": 1}
        first = insert_into(conn, TALLY).values(once).on_conflict_do_nothing(index_elements=_UNIQUE)
        if conn.execute(first.returning(TALLY.c.id)).scalar() is not None:
            log.warning("cap.service", used=used, cap=cap, level=found.name.lower())
    return found


def takes_no_more(desk: Desk) -> bool:
    """Whether nobody new is let in: no table is opened, nobody sits down, strangers get no answer."""
    return service_level(desk.conn, desk.services.settings, desk.now) >= Level.FULL


def talked_out(desk: Desk) -> bool:
    """Whether somebody may say no more this month."""
    cap = desk.services.settings.player_monthly_segments
    used = used_by_one(desk.conn, desk.player.id, desk.now) if cap else 0
    return level(used, cap, OF_PLAYER) >= Level.FULL


def stopped(
    conn: Connection, settings: Settings, rows: Sequence[Any], now: datetime
) -> tuple[dict[int, str], dict[int, datetime]]:
    """What the caps say to texts that are due (rows with `id`, `kind`, `player_id`): dropped and why, held until when.

    What the service's cap stops waits, because the operator may raise it; what is small is dropped.
    """
    dropped, held = dict[int, str](), dict[int, datetime]()
    if not rows:
        return dropped, held
    everybody = service_level(conn, settings, now)
    cap = settings.player_monthly_segments
    used = used_by(conn, [row.player_id for row in rows], now) if cap else {}
    for row in rows:
        own = level(used.get(row.player_id, 0), cap, OF_PLAYER)
        if not _may_go(row.kind, own):
            dropped[row.id] = "cap"
        elif not _may_go(row.kind, everybody):
            if row.kind in SMALL:
                dropped[row.id] = "service-cap"
            else:
                held[row.id] = now + AGAIN
    return dropped, held


def _may_go(kind: str, now_at: Level) -> bool:
    if now_at >= Level.OVER:
        return kind in TURNS and now_at < Level.SHUT
    return now_at < Level.FULL or kind not in SMALL


def warned(desk: Desk, answer: str) -> str:
    """The answer, with what its reader must know of their month: once for each level, in the first that has room for it."""
    cap = desk.services.settings.player_monthly_segments
    if not cap or desk.forgotten:
        return answer
    used = desk.used if desk.used is not None else used_by_one(desk.conn, desk.player.id, desk.now)
    used += segments(answer)
    at = level(used, cap, OF_PLAYER)
    prefs = dict(desk.player.prefs or {})
    if at == Level.FINE or prefs.get("cap", ["", 0]) >= [month_of(desk.now), int(at)]:
        return answer
    until = next_month(desk.now)
    said = {
        Level.NEAR: account.near_cap(used, cap, until),
        Level.FULL: account.at_cap(until),
    }.get(at, account.over_cap(until))
    both = fold(join(answer, said))
    # The first warning may wait for an answer that has room, until most of the rest is used up, too.
    most = segments(answer) if at == Level.NEAR and used * 100 < cap * 90 else 2
    if segments(both) > most:
        return answer
    desk.set_player(prefs=prefs | {"cap": [month_of(desk.now), int(at)]})
    log.warning("cap.player", player=desk.player.id, used=used, cap=cap, level=at.name.lower())
    return both


# What things have cost


def of_table(conn: Connection, table_id: int, since: datetime, now: datetime) -> tuple[int, int, int]:
    """Texts and segments of a table since it was opened, and texts of this month."""
    months, moment = [], since.astimezone(UTC).replace(day=1)
    while (month := month_of(moment)) <= month_of(now):
        months.append(month)
        moment = (moment + timedelta(days=32)).replace(day=1)
    rows = conn.execute(
        select(TALLY.c.day, TALLY.c.kind, TALLY.c.count.label("total")).where(
            TALLY.c.day.in_(months), TALLY.c.kind.in_((TEXTS, PARTS)), TALLY.c.scope == str(table_id)
        )
    ).all()
    texts = sum(row.total for row in rows if row.kind == TEXTS)
    parts = sum(row.total for row in rows if row.kind == PARTS)
    return texts, parts, sum(row.total for row in rows if row.kind == TEXTS and row.day == month_of(now))


def so_far(desk: Desk, table: Table) -> tuple[int, int, int]:
    """The same of a table until now, as COST and STATS tell it: answers count, too."""
    opened = desk.conn.execute(select(TABLE.c.created_at).where(TABLE.c.id == table.id)).scalar_one()
    return of_table(desk.conn, table.id, opened, desk.now)


def told(desk: Desk, table: Table) -> str:
    """The answer to COST."""
    texts, parts, month = so_far(desk, table)
    price = desk.services.settings.price_per_segment
    money = (f"{price.normalize():f}", f"{parts * price:.2f}") if price else ("", "")
    such = usual(desk.conn, table.game.name)
    return account.cost(table.code, table.game.title, texts, parts, month, such, *money)


def usual(conn: Connection, game: str) -> int | None:
    """The segments of a game of that kind on average, from the last that were played to their end; None without any."""
    newest = conn.execute(select(func.max(TABLE.c.id))).scalar() or 0
    ended = conn.execute(
        select(TABLE.c.id, TABLE.c.created_at, TABLE.c.updated_at)
        .where(TABLE.c.id > newest - LOOK_BACK, TABLE.c.game == game, TABLE.c.status == "over")
        .order_by(TABLE.c.id.desc())
        .limit(USUAL)
    ).all()
    costs = [of_table(conn, row.id, row.created_at, row.updated_at)[1] for row in ended]
    costs = [parts for parts in costs if parts]
    return round(sum(costs) / len(costs)) if costs else None
