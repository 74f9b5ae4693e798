"""What is remembered of the melds on the table keeps up with every move: it is what working it out anew finds."""

import json
from random import Random

import pytest

from engine.game import Refusal
from engine.rummy.george import GEORGE
from engine.rummy.offers import layoffs_among
from engine.rummy.rummy500 import RUMMY_500
from engine.rummy.rummy5000 import RUMMY_5000
from tests import rummy, run_rummy
from tests.test_rummy5000 import SPECIAL

MOVES = 150


def knowing_nothing(game, state):
    return game.load(json.loads(json.dumps(game.dump(state))))


def of_finder(finder):
    return finder.has_meld, finder.lay_off, finder.fit, finder.open, finder.runs, finder.further, list(finder.melds)


def remembers_what_is_there(game, state):
    """Compares all that is remembered; how many things that were."""
    anew, known = knowing_nothing(game, state), state.on_table
    asked = 0
    if known is not None:
        fresh = game.on_table(anew)
        assert (known.house, known.rules) == (fresh.house, fresh.rules)
        assert (known.takes, known.runs, known.owners) == (fresh.takes, fresh.runs, fresh.owners)
        asked = len(known.adds) + len(known.calls) + len(known.finders)
        for card, moves in known.adds.items():
            assert moves == tuple(layoffs_among(fresh.rules, anew.melds, (card,), fresh.takes & 1 << card))
        owner = next((meld.owner for meld in anew.melds), None)
        for card, moves in known.calls.items():
            assert moves == tuple(dict.fromkeys(game._calls_of(anew, owner, card)))
        for which, finder in known.finders.items():
            owners = [seat for seat in range(state.seats) if bool(fresh.owners >> seat & 1) is which]
            others = [game._finder(anew, seat) for seat in (owners if isinstance(which, bool) else [which])]
            assert all(of_finder(finder) == of_finder(other) for other in others)
    for seat in range(state.seats):
        assert game.legal(state, seat) == game.legal(anew, seat)
    return asked


def plays_on(game, state, chance):
    """A round or two by anybody who may act; in between moves that are refused, which must change nothing."""
    asked = 0
    for _ in range(MOVES):
        if state.over:
            if state.ended:
                break
            game.next_round(state)
        offered = {seat: game.legal(state, seat) for seat in game.waiting(state)}
        seat = chance.choice([seat for seat, moves in offered.items() if moves])
        for other, move in run_rummy.some_tries(game, state, chance, tries=2):
            try:
                game.play(game.copy(state), other, move)
            except (Refusal, ValueError):
                with pytest.raises((Refusal, ValueError)):
                    game.play(state, other, move)
        asked += remembers_what_is_there(game, state)
        game.play(state, seat, chance.choice(offered[seat]))
        asked += remembers_what_is_there(game, state)
    return asked


@pytest.mark.parametrize("number", range(16))
@pytest.mark.parametrize("game", [RUMMY_500, RUMMY_5000, GEORGE], ids=lambda game: game.name)
def test_what_is_remembered_of_the_table_is_what_is_found_anew(game, number):
    chance = Random(f"{game.name}/{number}")
    share = (0, 0.15, 0.5)[number % 3]
    options = rummy.some_rules(game.Options, chance, None if game is RUMMY_500 else SPECIAL, share)
    state = game.deal(options, chance.choice(game.seats), str(number))
    asked = plays_on(game, state, chance)
    assert asked or share
