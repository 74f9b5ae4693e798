"""Whole games of the rummy games by bots: none stalls, no legal move is refused, every card stays in its place after every
move, and the scores are added up once more.

The tests play a few; `python -m tests.test_rummy_whole_games 500 300` plays so many of each game with the usual house
rules, and so many of 5000 Rummy with house rules at random.
"""

import sys
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Any

import pytest

from engine.bots.whole_game import play_whole_game
from engine.cards import card_name
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from engine.rummy.george import GEORGE
from engine.rummy.queen_of_spades import QUEEN_OF_SPADES_RUMMY
from engine.rummy.rummy500 import RUMMY_500
from engine.rummy.rummy5000 import RUMMY_5000
from tests import recount, rummy, run_rummy, test_queen_of_spades
from tests.test_rummy5000 import SPECIAL

SEATS: dict[Any, tuple[int, ...]] = {
    RUMMY_500: (4, 2, 5),
    RUMMY_5000: (4, 3, 6),
    GEORGE: (4, 3, 6),
    QUEEN_OF_SPADES_RUMMY: (4, 2, 7),
}
HIGHEST_TARGET = 5000  # of house rules at random: higher ones only make more rounds of the same


class OfRuns:
    """The scores of a game with sets and runs: what was laid by the moves, what it is worth by the page of rules."""

    def __init__(self, game, options, seats):
        self.count = (run_rummy.Count500 if game is RUMMY_500 else run_rummy.Count5000)(options)
        self.game, self.seats, self.scores = game, seats, [0] * seats
        self.laid = run_rummy.no_cards(seats)

    def watch(self, state, seat, move, events):
        if move.verb in ("meld", "add", "rummy"):
            self.laid[seat].update(map(card_name, move.cards))
        melds = self.game.view(state, None).melds if state.over or move.verb == "swap" else ()
        if move.verb == "swap":
            self.swapped(seat, melds, *map(card_name, move.cards))
        if state.over:
            self.close(state, melds)

    def swapped(self, seat, melds, card, wild):
        self.laid[seat][card] += 1
        there = run_rummy.no_cards(self.seats)
        for meld in melds:
            for other, who in zip(meld.cards, meld.seats, strict=True):
                there[who][card_name(other)] += 1
        gave = next(who for who in range(self.seats) if there[who][wild] < self.laid[who][wild])
        self.laid[gave][wild] -= 1

    def close(self, state, melds):
        count, worth, shown = self.count, [0] * self.seats, run_rummy.no_cards(self.seats)
        for meld in melds:
            low = meld.run and meld.stands[0] >> 2 == 12
            for card, who, stands in zip(meld.cards, meld.seats, meld.stands, strict=True):
                code, low_ace = card_name(card), count.low_ace(state)
                shown[who][code] += 1
                at_low_end = low and stands >> 2 == 12 and not count.wild(code, state) and low_ace is not None
                worth[who] += low_ace if at_low_end else count.value(code, state)
        assert shown == [+own for own in self.laid], "a card is with somebody who did not lay it"
        held = [sum(count.value(card_name(card), state) for card in hand) for hand in state.hands]
        self.scores = [a + b for a, b in zip(self.scores, count.points(worth, held, state.out), strict=True)]
        assert state.scores == self.scores, f"{state.scores} and not {self.scores}"
        self.laid = run_rummy.no_cards(self.seats)


class OfSets(test_queen_of_spades.Recount):
    """The same for Queen of Spades."""

    def __init__(self, game, options, seats):
        super().__init__(options, seats)
        self.game, self.before = game, None
        self.begin(None)

    def watch_after(self, state, seat, move, events):
        self.watch(self.before, state, seat, move, events)
        if state.over:
            assert state.scores == self.scores, f"{state.scores} and not {self.scores}"
            self.begin(state)
        self.before = self.game.copy(state)


def plays_to_the_end(game, options, seats, seed, rounds=1000):
    """How many moves and rounds it had."""
    if game is DAMN_THE_QUEENS:
        played = play_whole_game(game, options, 4, seed)
        assert recount.Recount.of(played).scores == played.state.scores
    elif game is QUEEN_OF_SPADES_RUMMY:
        sets = OfSets(game, options, seats)
        played = play_whole_game(game, options, seats, seed, watch=sets.watch_after, rounds=rounds)
    else:
        runs = OfRuns(game, options, seats)
        played = play_whole_game(game, options, seats, seed, watch=runs.watch, rounds=rounds)
    assert played.state.ended or played.rounds == rounds
    return len(played.moves), played.rounds


def rules_at_random(number):
    """House rules of 5000 Rummy of which some or many are not the usual ones, and players."""
    chance = Random(f"rules/{number}")
    options = rummy.some_rules(RUMMY_5000.Options, chance, SPECIAL, share=chance.choice([0.1, 0.3, 0.6]))
    if options.target > HIGHEST_TARGET:
        options = replace(options, target=HIGHEST_TARGET)
    return options, chance.choice(RUMMY_5000.seats)


@pytest.mark.parametrize("game", SEATS, ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(3))
def test_a_game_by_the_usual_rules_comes_to_its_end(game, number):
    plays_to_the_end(game, game.Options(), SEATS[game][number], f"whole/{number}", rounds=12)


@pytest.mark.parametrize("number", range(24))
def test_a_game_by_house_rules_at_random_comes_to_its_end(number):
    options, seats = rules_at_random(number)
    plays_to_the_end(RUMMY_5000, options, seats, f"random/{number}", rounds=4)


def many(name, games):
    """Plays them all and prints how many moves and rounds there were."""
    began, moves, rounds = perf_counter(), 0, 0
    for game, options, seats, seed in games:
        more, further = plays_to_the_end(game, options, seats, seed)
        moves, rounds = moves + more, rounds + further
    print(f"{name}: {len(games)} games, {rounds:,} rounds, {moves:,} moves, {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    usual, at_random = map(int, sys.argv[1:3])
    some = [game for game in (*SEATS, DAMN_THE_QUEENS) if len(sys.argv) < 4 or game.name in sys.argv[3:]]
    if at_random:
        rules = [rules_at_random(number) for number in range(at_random)]
        many("5000 Rummy, house rules at random", [(RUMMY_5000, *rule, f"random/{n}") for n, rule in enumerate(rules)])
    for game in some if usual else ():
        seats = SEATS.get(game, (4,))
        many(game.title, [(game, game.Options(), seats[n % len(seats)], f"whole/{n}") for n in range(usual)])
