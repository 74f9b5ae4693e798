"""Every house rule of every rummy game changes a move or a score: a record holds, and fails with the rule at another value."""

from dataclasses import replace

import pytest

from commands.record_file import read_file
from engine.game import Refusal, rules_of
from engine.registry import GAMES, named
from engine.rummy.george import GEORGE
from engine.rummy.rummy5000 import RUMMY_5000
from tests import rummy
from tests.test_rummy5000 import SPECIAL

RUMMY_GAMES = [game for game in GAMES if type(game).__module__.startswith("engine.rummy")]
ONLY_SAID = {("damn-the-queens", "warn_one_card")}  # it tells, and changes no move and no score: test_records.py
ONLY_VALUE = {("george", "george")}  # what George is
RULES = [(game, rule) for game in RUMMY_GAMES for rule in rules_of(game.Options)]
RECORDS = [(path.stem.split("-")[1], read_file(path)) for path in sorted(rummy.CASES.rglob("option-*.hand"))]


def as_george(record):
    """A record of 5000 Rummy with the same house rules at a table of George; None where that is no game of George's."""
    given = {rule.name: getattr(record.options, rule.name) for rule in rules_of(RUMMY_5000.Options)}
    try:
        return replace(record, game=GEORGE, options=GEORGE.Options(**given | {"george": "on"}))
    except Refusal:
        return None


def records_of(game, rule):
    """Its records, those first that are about this rule; for George those of 5000 Rummy, too."""
    found = []
    for name, record in RECORDS:
        own = as_george(record) if game is GEORGE and record.game is RUMMY_5000 else record
        if own is not None and own.game is game:
            found.append((name != rule.name, own))
    return [record for _, record in sorted(found, key=lambda pair: pair[0])]


def outcome(record):
    """Whether it holds; None where it cannot be played at all."""
    try:
        return rummy.holds(record)
    except (Refusal, ValueError):
        return None


def values_that_fail(record, rule):
    now = getattr(record.options, rule.name)
    failing = []
    for value in rummy.values(rule, SPECIAL):
        if value == now:
            continue
        try:
            other = replace(record, options=replace(record.options, **{rule.name: value}))
        except Refusal:
            continue  # it does not go with the rest
        if outcome(other) is False:
            failing.append(value)
    return failing


@pytest.mark.parametrize(("game", "rule"), RULES, ids=[f"{game.name}-{rule.name}" for game, rule in RULES])
def test_a_house_rule_makes_a_difference(game, rule):
    if (game.name, rule.name) in ONLY_SAID | ONLY_VALUE:
        assert len(rummy.values(rule)) == 1 or (game.name, rule.name) in ONLY_SAID
        return
    assert any(outcome(record) and values_that_fail(record, rule) for record in records_of(game, rule)), (
        f"no record of {game.title} fails when {rule.name} is changed"
    )


@pytest.mark.parametrize("name", ["queen-of-spades", "rummy500", "rummy5000"])
def test_every_house_rule_is_in_a_recorded_whole_game(name):
    """At another value than the usual one, so that a change of what it does is noticed. George has those of 5000 Rummy."""
    changed = {
        rule.name
        for path in (rummy.CASES.parent / "plays").glob(f"{name}*.hand")
        for options in [read_file(path).options]
        for rule in rules_of(options)
        if getattr(options, rule.name) != rule.default
    }
    assert {rule.name for rule in rules_of(named(name).Options)} - changed == set()
