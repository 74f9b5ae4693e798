"""What whole games leave behind, and what they take: rows, bytes and processor time. `python -m bench.sizes [GAMES]`

Four phones play Damn the Queens to 1000 on a real PostgreSQL, their moves chosen by bots, through the webhook and the sweep
that sends the texts; the carrier reports each as delivered. Bytes are those of table and indexes together, by row.
Processor time is that of this process (webhook, understanding, sending; the stand-in carrier's is in it) and of the
server's processes that serve it (Linux counts them in /proc). docs/sizing.md is made from these figures.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import click
from sqlalchemy import func, select, text

from commands.stage import OUR_NUMBER, Phone, Stage
from engine import bots
from engine.game import write_move
from service import stored
from service.models import Base
from service.stored import OUTBOUND, OVER
from workers.sweep import sweep

GAMES = 5
SEATS = ("Ann", "Bea", "Cy", "Dot")


T = TypeVar("T")


@dataclass
class Taken:
    """Seconds of processors."""

    here: float = 0.0
    server: float = 0.0


class Played:
    """What games took so far."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.moves = 0  # texts with moves
        self.receiving, self.sending = Taken(), Taken()

    def game(self, number: int) -> None:
        """One whole game of four who have not played before."""
        stage = self.stage
        phones = [stage.phone(f"{name}{number}") for name in SEATS]
        opened = stage.text(phones[0], "new damn").texts[0]
        code = opened.partition("table ")[2].partition(":")[0]
        for phone in phones[1:]:
            stage.text(phone, f"join {code}")
        stage.text(phones[0], f"{code} deal")
        while (table := self._table(code)).status != OVER:
            seat = table.state.turn
            move = bots.choose(table.game.view(table.state, seat), table.game.legal(table.state, seat))
            stage.clock.now += timedelta(minutes=20)
            words = write_move(move)
            came = self._timed(self.receiving, lambda: stage.carrier.deliver(phones[seat].number, OUR_NUMBER, words))  # noqa: B023  # at once
            assert came.status == 200
            self.moves += 1
            self._timed(self.sending, lambda: sweep(stage.services, stage.sender))
            self._report(phones)

    def _timed(self, taken: "Taken", what: Callable[[], T]) -> T:
        with self.stage.services.db.begin() as conn:
            serving = conn.execute(_SERVING).scalars().all()
        ours, theirs = time.process_time(), sum(map(processor, serving))
        done = what()
        taken.here += time.process_time() - ours
        taken.server += sum(map(processor, serving)) - theirs
        return done

    def _table(self, code: str) -> stored.Table:
        with self.stage.services.db.begin() as conn:
            table = stored.by_code(conn, code)
        assert table is not None
        return table

    def _report(self, phones: list[Phone]) -> None:
        for phone in phones:
            sent = self.stage.carrier.texts_to(phone.number)
            for one in sent[phone.fetched :]:
                self.stage.carrier.report(one.sid, "delivered")
            phone.fetched = len(sent)


@click.command()
@click.argument("games", type=click.IntRange(1), default=GAMES)
def main(games: int) -> None:
    """Play so many games and print what they left and took."""
    from tests.postgres import PostgresServer

    with TemporaryDirectory(prefix="queenline-") as folder, PostgresServer() as server:
        server.create("queenline")
        stage = Stage(Path(folder), datetime.fromisoformat("2026-03-03T17:00:00+00:00"), url=server.url("queenline"))
        try:
            report(Played(stage), games)
        finally:
            stage.close()


_SERVING = text(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


def processor(process: int) -> float:
    """The seconds of the processor that a process has had."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def report(played: Played, games: int) -> None:
    """Plays, and prints by game."""
    stage = played.stage
    stage.seed = "sizes"
    for number in range(games):
        played.game(number)
    with stage.services.db.begin() as conn:
        segments = conn.execute(
            select(func.count(), func.sum(OUTBOUND.c.segments)).where(OUTBOUND.c.sent_at.is_not(None))
        ).one()
        answers = conn.execute(text("SELECT count(*), sum(segments) FROM inbound WHERE answer IS NOT NULL")).one()
        click.echo(f"{games} games of Damn the Queens to 1000, four people, PostgreSQL; by game")
        click.echo(f"  texts with moves {played.moves / games:8.0f}")
        click.echo(f"  answers          {answers[0] / games:8.0f}   {answers[1] / games:.0f} segments")
        click.echo(f"  texts to others  {segments[0] / games:8.0f}   {segments[1] / games:.0f} segments")
        click.echo("  rows and bytes, indexes included")
        whole = 0.0
        for table in sorted(Base.metadata.tables):
            rows = conn.execute(select(func.count()).select_from(Base.metadata.tables[table])).scalar_one()
            size = conn.execute(select(func.pg_total_relation_size(table))).scalar_one()
            if rows >= games:
                whole += size
                click.echo(
                    f"    {table:15}{rows / games:8.0f} rows {size / rows:8.0f} bytes a row {size / games / 1024:8.1f} KB"
                )
        click.echo(f"    {'all':15}{'':35}{whole / games / 1024:8.1f} KB")
    click.echo("  processor, ms a text with its move")
    for title, taken in (("to take it in", played.receiving), ("to look and send", played.sending)):
        here, server = (seconds / played.moves * 1000 for seconds in (taken.here, taken.server))
        click.echo(f"    {title:20} {here:5.2f} here, {server:5.2f} of PostgreSQL")


if __name__ == "__main__":
    main()
