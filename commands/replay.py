"""`queenline replay FILE...`: plays records and says which of their lines do not hold."""

import json
from pathlib import Path

import click

from commands.record_file import read_file
from engine.record import Board, Broken, Failure, replay

OK, FAILED, BROKEN = 0, 1, 2
TABLE = "KF7"  # the code of the table that a record is


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the last state as JSON.")
@click.option("--view", metavar="NAME", help="Print what that seat sees at the end, as JSON.")
@click.option("--text", metavar="NAME", help="Print the text that seat would get at the end.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], as_json: bool, view: str | None, text: str | None) -> None:
    """Play every record and check all its lines.

    When all hold, prints a count (or what an option asks for) and exits with 0. A line that does not hold is printed
    as FILE:LINE: expected ..., got ... (exit 1); a file that cannot be read as a record, as FILE:LINE: and why (exit 2).
    """
    if as_json + (view is not None) + (text is not None) > 1:
        raise click.UsageError("--json, --view and --text each print one thing: give one of them")
    shows = as_json or view is not None or text is not None
    worst = checks = 0
    for path in files:
        try:
            report = replay(read_file(path))
            shown = _show(report.board, view, text) if shows else ""
        except Broken as broken:
            click.echo(f"{path}:{broken.line}: {broken.sentence}", err=True)
            worst = BROKEN
            continue
        checks += report.checks
        for failure in report.failures:
            click.echo(_line(path, failure), err=shows)
        worst = max(worst, FAILED if report.failures else OK)
        if shows:
            click.echo(shown)
    if worst == OK and not shows:
        click.echo(f"{_many(len(files), 'file')}, {_many(checks, 'check')}, all hold")
    ctx.exit(worst)


def _line(path: Path, failure: Failure) -> str:
    return f"{path}:{failure}"


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _show(board: Board, view: str | None, text: str | None) -> str:
    """The last state, what a seat sees, or the text it would get. Broken for a name that is not seated."""
    name = view if view is not None else text
    if name is None:
        return json.dumps(board.game.dump(board.state))
    try:
        seat = board.seated.seat(name)
    except ValueError as error:
        raise Broken(1, str(error)) from None
    return json.dumps(board.view(seat).as_dict()) if view is not None else turn_text(board, seat)


def turn_text(board: Board, seat: int) -> str:
    """The text that the seat would get now: that of its turn, or what it has while others are at it."""
    from service.text import render

    legal = board.game.legal(board.state, seat) if seat in board.game.waiting(board.state) else []
    scene = render.Scene(TABLE, board.view(seat), board.seated.names, tuple(legal))
    return render.turn(scene, []) if legal else render.hand(scene)
