"""`queenline bench`: what a move and a text cost, beside what others cost in the same run."""

import subprocess
import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
# Each is `python -m bench.NAME`, a process of its own so that none slows another; exit code 1 says too slow.
PARTS = {
    "engine": "plies a second, beside RLCard and OpenSpiel",
    "tricks": "plies a second of Hearts and Spades, beside OpenSpiel's",
    "webhook": "one text with its move, beside a bare route that commits a row",
    "postgres": "the same on PostgreSQL, beside a row locked, added and changed; with 1,000 and 1,000,000 tables",
    "live": "what 500 open pages cost, in memory and in the time of a text",
    "load": "p50 and p99 of texts under load, beside a bare route, on SQLite and PostgreSQL",
    "alarms": "a sweep where 10,000 turns wait and where 1,000,000 do",
    "drain": "10,000 texts that wait, sent by one worker",
    "sizes": "rows, bytes and processor time of whole games on PostgreSQL",
}


@click.command(epilog="\b\n" + "\n".join(f"{part:10}{what}" for part, what in PARTS.items()))
@click.argument("parts", nargs=-1, metavar="[PART]...", type=click.Choice(list(PARTS)))
@click.pass_context
def command(ctx: click.Context, parts: tuple[str, ...]) -> None:
    """Measure each PART, or all of them. Exit code 1 where one is slower than it should be."""
    worst = 0
    for number, part in enumerate(parts or PARTS):
        if number:
            click.echo()
        done = subprocess.run([sys.executable, "-m", f"bench.{part}"], cwd=ROOT, check=False)
        worst = max(worst, abs(done.returncode))
    ctx.exit(worst)
