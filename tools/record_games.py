"""Writes the whole games of tests/plays: `python -m tools.record_games`

Bots play them (or chance does), one by the usual rules and one for each house rule, from fixed seeds. The tests replay them, so a change
of the rules that alters an old game is noticed. After a change that is meant, run this again and read the difference.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import Played, play_whole_game
from engine.game import Game, read_options, write_move, write_options
from engine.record import of_game, parse, replay, write
from engine.registry import GAMES

NAMES = ("Ann", "Bea", "Cy", "Dot")
FOLDER = Path(__file__).resolve().parent.parent / "tests" / "plays"
# The end of the file's name: the seed, chosen so that the house rule matters, the house rules, and who plays. Bots go
# out long before the stock is empty; players who move at random do not.
PLAYS: dict[str, dict[str, tuple[str, str, str]]] = {
    "damn-the-queens": {
        "": ("1", "", "bots"),
        "higher-target": ("2", "target=2000", "bots"),
        "team-rank-discards": ("2", "team_rank_discard_ban=off target=500", "bots"),
        "team-rank-piles": ("1", "team_rank_pile_ban=off target=500", "bots"),
        "one-card-piles": ("5", "one_card_pile_ban=off target=500", "bots"),
        "wilds-as-one-likes": ("1", "naturals_first=off target=500", "chance"),
        "jokers-without-wilds": ("7", "joker_set_wild=off target=500", "bots"),
        "bonus-for-going-out": ("1", "out_bonus=100 target=500", "bots"),
        "partner-pays": ("1", "out_team_subtracts_partner=on target=500", "bots"),
        "no-warning": ("10", "warn_one_card=off target=500", "bots"),
        "stock-runs-out": ("1", "target=500", "chance"),
        "reshuffled": ("1", "stock_out=reshuffle target=500", "chance"),
    }
}


def text_of(played: Played, who: str) -> str:
    """The record, with what each round came to."""
    game, state = played.game, played.game.deal(played.options, played.seats, played.seed)
    title = f"A whole game of {game.title} by {who}: {write_options(played.options) or 'the usual rules'}."
    lines = [write(of_game(game, played.options, NAMES, (), seed=played.seed, dealer=played.dealer, title=title))]
    for seat, move in played.moves:
        if state.over:
            game.next_round(state)
        lines.append(f"{NAMES[seat]} {write_move(move)}\n")
        game.play(state, seat, move)
        if state.over:
            lines += [f"= {fact}\n" for fact in _facts(game, played.options, state)]
    return write(parse("".join(lines)))


def _facts(game: Game, options: Any, state: Any) -> Iterator[str]:
    """What a round has come to."""
    sides = ["+".join(NAMES[seat] for seat in side) for side in game.sides(options, len(NAMES))]
    yield "over"
    yield f"out {'none' if state.out is None else NAMES[state.out]}"
    points = game.points(state)
    assert points is not None
    for side, name in enumerate(sides):
        yield f"laid {name}: {game.laid(state)[side]}"
        yield f"points {name}: {points[side]}"
        yield f"score {name}: {state.scores[side]}"
    if state.ended:
        yield "ended"
        yield from (f"winner {sides[side]}" for side in state.winners)


def main() -> int:
    """Writes all of them; 1 where one does not replay."""
    wrong = 0
    for game in GAMES:
        for name, (seed, words, who) in PLAYS.get(game.name, {}).items():
            options = read_options(game.Options, dict(word.split("=") for word in words.split()))
            chooser = choose if who == "bots" else mover(seed)
            text = text_of(play_whole_game(game, options, len(NAMES), seed, (chooser,)), who)
            path = FOLDER / ("-".join(filter(None, (game.name, name))) + ".hand")
            path.write_text(text, encoding="utf-8")
            report = replay(parse(text))
            print(f"{path.name}: {report.checks} checks", *report.failures)
            wrong += bool(report.failures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
