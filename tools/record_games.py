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

NAMES = ("Ann", "Bea", "Cy", "Dot", "Eve", "P6", "P7", "P8", "P9", "P10", "P11", "P12")
FOLDER = Path(__file__).resolve().parent.parent / "tests" / "plays"
# The end of the file's name: the seed, chosen so that the house rule matters, the house rules, and who plays. Bots go
# out long before the stock is empty; players who move at random do not. Where they are not four, how many they are.
PLAYS: dict[str, dict[str, tuple[str, str, str] | tuple[str, str, str, int]]] = {
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
    },
    "queen-of-spades": {
        "four-packs-and-small-bonuses": ("1", "decks=4 out_bonus=50 cut_bonus=50 target=500", "bots"),
        "twos-block-and-are-no-set": ("1", "pile_two=block set_of_twos=off joker_with_wild=off target=500", "bots"),
    },
    "rummy5000": {
        "short-pack": (
            "1",
            "omit_low=2s ace_value=50 wild_ace=same_as_wild wild_as_self=counts_wild out_by_meld=on target=500",
            "bots",
        ),
        "runs-only": ("1", "melds=runs_only target=500", "bots"),
        "by-the-rules-of-george": ("1", "george=on target=500", "bots"),
    },
    "george": {
        "house-rules": ("1", "unmelded_to=subtract out_bonus=200 wild_value=200 jokers=2 target=1000", "bots", 5)
    },
    "rummy500": {
        "top-card-only": ("1", "discard_depth=top_only hand_size=10 layoff_opponents=off target=200", "bots"),
        "top-card-used-and-reshuffled": ("1", "top_card=must_use stock_out=reshuffle target=200", "bots"),
    },
    "hearts": {
        "": ("1", "", "bots"),
        "three-players": ("1", "target=50", "bots", 3),
        "five-players-with-a-kitty": ("1", "kitty=first_trick_winner target=50", "bots", 5),
        "six-players-without-twos": ("1", "removed=pagat target=50", "bots", 6),
        "seven-players-two-packs": ("1", "double_deck=cancel target=100", "bots", 7),
        "later-card-wins": ("1", "double_deck=later_wins target=100", "bots"),
        "passing-one-to-the-left": ("1", "pass_cycle=left_only pass_count=1 target=50", "bots"),
        "no-passing": ("1", "pass_cycle=none first_trick_points=allow break_rule=none target=50", "chance"),
        "jack-of-diamonds": ("1", "jack_diamonds=-10 jack_needed_for_moon=on break_rule=heart_or_qs target=50", "bots"),
        "moon-to-choose": ("1", "moon=choose target=50", "chance"),
        "sun-and-exact-target": ("1", "sun=add_52 exact_target=reset_to_half early_finish=off target=50", "chance"),
        "played-for-you": ("1", "auto_play_single=on target=50", "bots"),
    },
    "gong-zhu": {
        "": ("1", "", "bots"),
        "partners": ("1", "partners=on target=-500", "bots"),
        "partners-as-one-pile": ("1", "partners=on partner_scoring=pooled target=-500", "chance"),
        "five-players": ("1", "target=-500 first_lead=2c_forced", "bots", 5),
        "nothing-shown": ("1", "exposure=off target=-500 first_lead=2s_forced", "bots"),
        "pips-and-a-dear-pig": ("1", "heart_scale=pip pig_value=200 pig_flip=all_16 target=-500", "chance"),
        "both-ends": ("1", "upper_end=1000 target=-2000 direction=clockwise first_lead=7s_holder_any", "bots"),
    },
    "spades": {
        "": ("1", "", "bots"),
        "blind-nils-and-exchanges": ("1", "nil_pass=2 blind_nil_pass=3 hands_limit=4", "chance"),
        "no-nil-no-bags": ("1", "nil=off bags=off target=300", "bots"),
        "five-bags": ("1", "bag_limit=5 bag_penalty=50 bid_start=left_of_dealer target=300", "bots"),
        "failed-nils-are-bags": (
            "1",
            "failed_nil_tricks=bags_only double_nil=forbid floor_loss=-300 target=300",
            "chance",
        ),
        "failed-nils-are-nothing": ("1", "failed_nil_tricks=ignored min_team_bid=4 hands_limit=4", "chance"),
        "blind-nil-for-who-is-behind": ("1", "blind_nil=behind_100 nil_value=50 hands_limit=5", "chance"),
        "low-club-and-free-spades": ("1", "first_lead=low_club break_spades=off hands_limit=3", "bots"),
    },
}


def text_of(played: Played, who: str) -> str:
    """The record, with what each round came to."""
    game, state = played.game, played.game.deal(played.options, played.seats, played.seed)
    title = f"A whole game of {game.title} by {who}: {write_options(played.options) or 'the usual rules'}."
    names = NAMES[: played.seats]
    lines = [write(of_game(game, played.options, names, (), seed=played.seed, dealer=played.dealer, title=title))]
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
    sides = ["+".join(NAMES[seat] for seat in side) for side in game.sides(options, state.seats)]
    rummy = hasattr(state, "out")
    yield "over"
    if rummy:
        yield f"out {'none' if state.out is None else NAMES[state.out]}"
    points = game.points(state)
    assert points is not None
    for side, name in enumerate(sides):
        if rummy:
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
        for name, (seed, words, who, *seats) in PLAYS.get(game.name, {}).items():
            options = read_options(game.Options, dict(word.split("=") for word in words.split()))
            chooser = choose if who == "bots" else mover(seed)
            text = text_of(play_whole_game(game, options, seats[0] if seats else 4, seed, (chooser,)), who)
            path = FOLDER / ("-".join(filter(None, (game.name, name))) + ".hand")
            path.write_text(text, encoding="utf-8")
            report = replay(parse(text))
            print(f"{path.name}: {report.checks} checks", *report.failures)
            wrong += bool(report.failures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
