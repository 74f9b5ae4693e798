"""`queenline understand RECORD --as NAME [TEXT...]`: how texts would be read in a position, without changing anything."""

import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from commands import stage as stages
from commands.record_file import read_file
from commands.replay import BROKEN, TABLE
from engine.game import write_move
from engine.record import Broken, begin
from service import logs
from service.text import render
from service.text.understand import Context, Reading, understand

NOON = datetime(2026, 3, 3, 17, tzinfo=UTC)  # of a Tuesday in New York: nobody is asleep


@click.command()
@click.argument("record", metavar="RECORD", type=click.Path(path_type=Path))
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@click.option("--as", "name", required=True, metavar="NAME", help="Who texts: a name of the record's seats.")
@click.pass_context
def command(ctx: click.Context, record: Path, texts: tuple[str, ...], name: str) -> None:
    r"""Print a JSON line for each TEXT, or for each line of standard input: what it means at the record's position.

    The position is that of the record's header, and its table answers to the code KF7. In a line of standard input \n
    stands for a line break. Exit code 2 for a record that cannot be read or a name that is not seated.
    """
    try:
        read = read_file(record)
        board = begin(read)
        try:
            seat = board.seated.seat(name)
        except ValueError as error:
            raise Broken(1, str(error)) from None
        over = "over" if board.view().ended else "playing"
        legal = board.game.legal(board.state, seat) if seat in board.game.waiting(board.state) else []
        scene = render.Scene(TABLE, board.view(seat), board.seated.names, tuple(legal))
        recent = (render.turn(scene, []) if legal else render.hand(scene), f"{TABLE} your turn. DRAW or PICKUP")
    except Broken as broken:
        click.echo(f"{record}:{broken.line}: {broken.sentence}", err=True)
        ctx.exit(BROKEN)
    context = Context(board.game, board.state, seat, board.seated.names, TABLE, (TABLE,), over, recent)
    logs.configure()
    with stages.stage(NOON) as stage:
        stage.sit(read, TABLE)
        for text in texts or _lines():
            click.echo(json.dumps(_shown(text, understand(text, context), stage, name)))


def _lines() -> Iterable[str]:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        yield line.rstrip("\r\n").replace("\\n", "\n")


def _shown(text: str, reading: Reading, stage: stages.Stage, name: str) -> dict[str, object]:
    return {
        "text": text,
        "kind": reading.kind,
        "moves": [write_move(move) for move in reading.moves],
        "command": None if reading.command is None else str(reading.command),
        "choices": list(reading.choices),
        "code": reading.code,
        "answer": stage.rehearse(stage.phone(name), text) or "",
    }
