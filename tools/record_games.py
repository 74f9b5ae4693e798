"""Writes the whole games of tests/plays: `python -m tools.record_games`

Bots play them, one by the usual rules and one for each house rule, from fixed seeds. The tests replay them, so a change
of the rules that alters an old game is noticed. After a change that is meant, run this again and read the difference.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.bots.whole_game import Played, play_whole_game
from engine.game import Game, Seat, read_options, write_move, write_options
from engine.record import of_game, parse, replay, write
from engine.registry import GAMES

NAMES = ("Ann", "Bea", "Cy", "Dot")
FOLDER = Path(__file__).resolve().parent.parent / "tests" / "plays"
# Which games: the end of the file's name, and the house rules. Seeds are chosen so that the house rule matters.
PLAYS: dict[str, dict[str, tuple[str, str]]] = {
    "damn-the-queens": {
        "": ("1", ""),
        "higher-target": ("2", "target=2000"),
        "team-rank-discards": ("3", "team_rank_discard_ban=off target=500"),
        "team-rank-piles": ("4", "team_rank_pile_ban=off target=500"),
        "one-card-piles": ("5", "one_card_pile_ban=off target=500"),
        "wilds-as-one-likes": ("6", "naturals_first=off target=500"),
        "jokers-without-wilds": ("7", "joker_set_wild=off target=500"),
        "bonus-for-going-out": ("8", "out_bonus=100 target=500"),
        "partner-pays": ("9", "out_team_subtracts_partner=on target=500"),
        "no-warning": ("10", "warn_one_card=off target=500"),
        "reshuffled": ("11", "stock_out=reshuffle target=500"),
    }
}


def text_of(played: Played) -> str:
    """The record: a turn a line, and after each round what it came to."""
    game, state = played.game, played.game.deal(played.options, played.seats, played.seed)
    header = write(of_game(game, played.options, NAMES, (), seed=played.seed))
    said = write_options(played.options) or "the usual rules"
    lines = [f"# A whole game of {game.title} by bots: {said}.", header.rstrip(), ""]
    turn: list[str] = []
    last: Seat | None = None
    for seat, move in played.moves:
        if state.over:
            game.next_round(state)
            lines += ["", f"# Round {state.round}: {NAMES[state.dealer]} deals."]
        if seat != last or move.verb in ("draw", "pickup", "pass"):
            lines += _line(turn)
            turn = [NAMES[seat]]
        turn.append(write_move(move))
        last = seat
        game.play(state, seat, move)
        if state.over:
            lines += [*_line(turn), *_facts(game, played.options, state)]
            turn = []
    return "\n".join(lines) + "\n"


def _line(turn: list[str]) -> list[str]:
    return [f"{turn[0]} {', '.join(turn[1:])}"] if turn else []


def _facts(game: Game, options: Any, state: Any) -> Iterator[str]:
    """What a round has come to."""
    sides = ["+".join(NAMES[seat] for seat in side) for side in game.sides(options, len(NAMES))]
    yield "= over"
    yield f"= out {'none' if state.out is None else NAMES[state.out]}"
    points = game.points(state)
    assert points is not None
    for side, name in enumerate(sides):
        yield f"= laid {name}: {game.laid(state)[side]}"
        yield f"= points {name}: {points[side]}"
        yield f"= score {name}: {state.scores[side]}"
    if state.ended:
        yield "= ended"
        yield from (f"= winner {sides[side]}" for side in state.winners)


def main() -> int:
    """Writes all of them; 1 where one does not replay."""
    wrong = 0
    for game in GAMES:
        for name, (seed, words) in PLAYS[game.name].items():
            options = read_options(game.Options, dict(word.split("=") for word in words.split()))
            text = text_of(play_whole_game(game, options, len(NAMES), seed))
            path = FOLDER / ("-".join(filter(None, (game.name, name))) + ".hand")
            path.write_text(text, encoding="utf-8")
            report = replay(parse(text))
            print(f"{path.name}: {report.checks} checks", *report.failures)
            wrong += bool(report.failures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
