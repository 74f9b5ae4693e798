"""`queenline rules GAME`: the rules of a game as a page, its table of house rules made from the registry."""

import click

from engine.registry import GAMES, find
from service.rulebook import page


@click.command()
@click.argument("name", metavar="[GAME]", required=False)
def command(name: str | None) -> None:
    """Print the rules of GAME, by any of its names, with all its house rules. Without GAME: the games there are."""
    if name is None:
        for game in GAMES:
            click.echo(f"{game.name}: {game.title}")
        return
    found = find(name)
    if found is None:
        raise click.UsageError(f"there is no game {name!r}; there are: {', '.join(game.name for game in GAMES)}")
    try:
        click.echo(page(found).rstrip())
    except OSError as error:
        raise click.ClickException(f"{found.title} has no page: {error.filename}: {error.strerror}") from None
