"""The cases of every game that keeps them in a folder of its own; those of Damn the Queens are in test_records."""

from collections import Counter

import pytest

from commands.record_file import read_file
from engine.game import rules_of
from engine.record import replay
from engine.registry import GAMES, named
from tests import rummy
from tests.test_rummy5000 import SPECIAL

CASES = [path for game in GAMES for path in rummy.cases(game)]
OPTION_CASES = [path for game in GAMES for path in rummy.cases(game, "option-")]
FAMILY = {"rummy5000": ("rummy5000", "george")}  # one game by two sets of house rules
REFUSALS = {  # by game, those that it has a rule for
    "queen-of-spades": "TURN PHASE NOTHELD SMALL MIXED NATMIN WILDMAX OWNER KEEPONE PAIR SAMECARD COUNT",
    "rummy500": "TURN PHASE NOTHELD SMALL MIXED WRAP NOMELD OWNER MUSTUSE SAMECARD COUNT",
    "rummy5000": "TURN PHASE NOTHELD SMALL MIXED NATMIN WILDMAX WRAP NOMELD PAIR MUSTUSE SAMECARD PLAYABLE FLOATING COUNT",
    "hearts": "TURN PHASE NOTHELD COUNT SUIT LEADH FIRST POINTS1",
    "spades": "TURN PHASE NOTHELD COUNT SUIT LEADS FIRST BID SEEN",
    "gong-zhu": "TURN PHASE NOTHELD COUNT SUIT FIRST EXPOSED",
}


def name_of(path):
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_case_holds(path):
    record = read_file(path)
    assert record.title
    assert replay(record).failures == []


@pytest.mark.parametrize("path", OPTION_CASES, ids=name_of)
def test_option_case_fails_at_another_value(path):
    rummy.option_case_fails_at_other_values(path, SPECIAL)


@pytest.mark.parametrize("name", REFUSALS)
def test_every_option_has_a_case_at_two_values(name):
    game = named(name)
    seen = Counter(path.stem.split("-")[1] for path in rummy.cases(game, "option-"))
    assert {rule.name for rule in rules_of(game.Options) if seen[rule.name] < 2} == set()


@pytest.mark.parametrize("name", REFUSALS)
def test_every_refusal_of_the_game_has_a_case(name):
    cases = [path for member in FAMILY.get(name, (name,)) for path in rummy.cases(named(member))]
    assert set(REFUSALS[name].split()) <= rummy.codes_of(cases)
