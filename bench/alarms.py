"""What a sweep costs beside what waits: `python -m bench.alarms [SMALL] [LARGE] [DUE]`

A real PostgreSQL holds so many turns that wait, 1,000 of them with a reminder due at that moment: each of those at a table
of four people, with a hand to show. One sweep finds them by their index, rings them, writes 1,000 texts and hands these
to a carrier that takes everything. The same is done where 10,000 wait and where 1,000,000 do: what waits shall cost
nothing. The waiting turns are whole rows as well (a player, a table, a seat, an alarm each, and a text held for the
morning for one in ten), only their tables have no cards.
"""

import resource
import secrets
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from sqlalchemy import Connection, func, insert, select, text

from commands.stage import Stage
from engine.record import parse
from service.late import due_alarms
from service.services import Services
from service.stored import NUDGE, OUTBOUND, PLAYER, SEAT, TABLE
from service.twilio.outbound import Sent
from workers.sweep import next_moments, sweep

SMALL, LARGE, DUE = 10_000, 1_000_000, 1_000
AT_MOST = 2.0  # times as long where a hundred times as many wait
LOOKS = 20
NOON = datetime(2026, 3, 3, 17, 0, tzinfo=UTC)
RECORD = """\
game: damn-the-queens
seats: Ann Bea Cy Dot
dealer: Dot
turn: Ann
"""


class Figures(NamedTuple):
    """Of one sweep; times in seconds."""

    waiting: int
    loading: float
    finding: float  # the due alarms, the first look
    nothing: float  # a sweep that finds nothing due
    sweeping: float  # all that are due: rung, written, sent
    sent: int
    growth: int  # of the process while it swept, in KB


class Takes:
    """A carrier that takes everything."""

    def send(self, *_: Any) -> Sent:
        return Sent(f"SM{secrets.token_hex(16)}", "queued")


def waiting_turns(conn: Connection, count: int) -> None:
    """Turns that wait for hours yet. Without the checks of foreign keys, which would take longer than all the rest."""
    conn.execute(text("SET LOCAL session_replication_role = replica"))
    conn.execute(text("SET LOCAL statement_timeout = 0"))
    moments = {"now": NOON, "count": count}
    conn.execute(
        text(
            "INSERT INTO player (id, channel, address, name, zone, created_at, unclear_count, prefs)"
            " SELECT 1000000 + n, 'sms', 'waits' || n, 'Wim', 'America/New_York', :now, 0, '{}' FROM generate_series(1, :count) n"
        ),
        moments,
    )
    conn.execute(
        text(
            "INSERT INTO game_table (id, code, game, options, seat_count, host_id, status, seed, version, news, news_from,"
            " created_at, updated_at, turn_since) SELECT 1000000 + n, 'w' || n, 'damn-the-queens', '', 4, 1000000 + n, 'playing',"
            " 's', 1, '[]', 0, :now, :now, :now FROM generate_series(1, :count) n"
        ),
        moments,
    )
    conn.execute(
        text(
            "INSERT INTO seat (table_id, number, player_id, name, bot, told) SELECT 1000000 + n, 0, 1000000 + n, 'Wim', false, 0"
            " FROM generate_series(1, :count) n"
        ),
        moments,
    )
    conn.execute(
        text(
            "INSERT INTO nudge (table_id, seat, player_id, turn_version, due_at, nudge_at, since, sent, late)"
            " SELECT 1000000 + n, 0, 1000000 + n, 1, :later + n % 86400 * interval '1 second',"
            " :later + n % 86400 * interval '1 second', :now, 0, false FROM generate_series(1, :count) n"
        ),
        moments | {"later": NOON + timedelta(hours=6)},
    )
    conn.execute(
        text(
            "INSERT INTO outbound (player_id, table_id, recipient, body, kind, status, rank, attempt, next_attempt_at, segments,"
            " created_at) SELECT 1000000 + n, 1000000 + n, 'waits' || n, 'Your turn.', 'turn', 'pending', 0, 0,"
            " :later + n % 3600 * interval '1 second', 1, :now FROM generate_series(1, :count, 10) n"
        ),
        moments | {"later": NOON + timedelta(hours=6)},
    )


def due_turns(stage: Stage, count: int) -> None:
    """Turns whose reminder is due now, each at a table of its own."""
    stage.sit(parse(RECORD), "KF7")
    with stage.services.db.begin() as conn:
        table = conn.execute(select(TABLE).where(TABLE.c.code == "KF7")).one()._asdict()
        sat = SEAT.c.table_id == table["id"]
        seats = [row._asdict() for row in conn.execute(select(SEAT).where(sat).order_by(SEAT.c.number))]
        alarm = conn.execute(select(NUDGE).where(NUDGE.c.table_id == table["id"])).one()._asdict()
        people = conn.execute(
            select(PLAYER).join(SEAT, SEAT.c.player_id == PLAYER.c.id).where(sat).order_by(SEAT.c.number)
        ).all()
        conn.execute(NUDGE.delete().where(NUDGE.c.table_id == table["id"]))
        rows: dict[str, list[dict[str, Any]]] = {"players": [], "tables": [], "seats": [], "alarms": []}
        for n in range(count):
            ids = [10_000 + 4 * n + seat for seat in range(4)]
            rows["players"] += [
                person._asdict() | {"id": ids[seat], "address": f"+1212555{ids[seat]:05}"}
                for seat, person in enumerate(people)
            ]
            rows["tables"].append(table | {"id": 10_000 + n, "code": f"d{n}", "host_id": ids[0]})
            rows["seats"] += [
                {name: value for name, value in seat.items() if name != "id"}
                | {"table_id": 10_000 + n, "player_id": ids[i]}
                for i, seat in enumerate(seats)
            ]
            moment = NOON - timedelta(seconds=n % 60)
            own = {"table_id": 10_000 + n, "player_id": ids[0], "due_at": moment, "nudge_at": moment}
            rows["alarms"].append({name: value for name, value in alarm.items() if name != "id"} | own)
        for kind, into in (("players", PLAYER), ("tables", TABLE), ("seats", SEAT), ("alarms", NUDGE)):
            conn.execute(insert(into), rows[kind])


def measure(server: Any, waiting: int, due: int) -> Figures:
    """One sweep in a new database."""
    name = f"wait{waiting}"
    server.create(name)
    with TemporaryDirectory(prefix="queenline-") as folder:
        stage = Stage(Path(folder), NOON, url=server.url(name))
        try:
            began = time.perf_counter()
            with stage.services.db.begin() as conn:
                waiting_turns(conn, waiting)
            with stage.services.db.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
                conn.execute(text("SET statement_timeout = 0"))
                for table in ("player", "game_table", "seat", "nudge", "outbound"):
                    conn.execute(text(f"VACUUM ANALYZE {table}"))
                conn.invalidate()
            sweep(stage.services, Takes())  # connections and caches are warm
            nothing = min(timed(lambda: sweep(stage.services, Takes())) for _ in range(LOOKS))
            due_turns(stage, due)
            loading = time.perf_counter() - began
            finding = min(timed(lambda: look(stage.services)) for _ in range(LOOKS))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            sweeping = timed(lambda: sweep(stage.services, Takes()))
            growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            with stage.services.db.begin() as conn:
                went = conn.execute(
                    select(func.count()).where(OUTBOUND.c.kind == "nudge", OUTBOUND.c.status == "sent")
                ).scalar_one()
        finally:
            stage.close()
    return Figures(waiting, loading, finding, nothing, sweeping, went, growth)


def look(services: Services) -> None:
    """What a sweep asks first and last."""
    with services.db.connect() as conn:
        conn.execute(due_alarms(NOON)).all()
        for query in next_moments():
            conn.execute(query).scalar()


def timed(work: Any) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def report(small: Figures, large: Figures, due: int) -> int:
    """Prints both; 1 where what waits costs more than it should, or a text is missing."""
    click.echo(f"a sweep on PostgreSQL, {due:,} reminders due, by how many turns wait (one process)")
    for each in (small, large):
        click.echo(
            f"  {each.waiting:>9,} wait: finds what is due in {each.finding * 1000:5.2f} ms; rings, writes and sends {each.sent:,} in"
            f" {each.sweeping:5.2f} s ({each.sweeping / max(due, 1) * 1000:.2f} ms each); with nothing due {each.nothing * 1000:5.2f} ms;"
            f" grows by {each.growth / 1024:.1f} MB   (loaded in {each.loading:.0f} s)"
        )
    if small.sent != due or large.sent != due:
        click.echo(f"{due:,} texts were due, {small.sent:,} and {large.sent:,} were sent")
        return 1
    ratio = large.sweeping / small.sweeping
    if ratio > AT_MOST:
        click.echo(
            f"too slow: {ratio:.2f} times as long where {large.waiting:,} wait, and it should be {AT_MOST:g} at most"
        )
        return 1
    return 0


@click.command()
@click.argument("small", type=click.IntRange(1), default=SMALL)
@click.argument("large", type=click.IntRange(1), default=LARGE)
@click.argument("due", type=click.IntRange(1), default=DUE)
@click.pass_context
def main(ctx: click.Context, small: int, large: int, due: int) -> None:
    """Measure a sweep where SMALL and where LARGE many turns wait, DUE of them due; exit code 1 where it depends on that."""
    from tests.postgres import PostgresServer

    with PostgresServer() as server:
        ctx.exit(report(measure(server, small, due), measure(server, large, due), due))


if __name__ == "__main__":
    main()
