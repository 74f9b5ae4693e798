"""A bounded run of `make fuzz`; and that what it watches for would be seen."""

import os
import random
from collections import Counter

import pytest

from tools import fuzz

BODIES = int(os.environ.get("QUEENLINE_BODIES", "800"))


@pytest.mark.slow
def test_whatever_is_posted_nothing_breaks():
    total: Counter[str] = Counter()
    for outcomes in fuzz.fuzz(BODIES, "of the tests"):
        total += outcomes
    assert total["200 moves"] > BODIES / 40  # games went on
    assert total["403"] > BODIES / 200
    assert total["415"] > BODIES / 400
    assert sum(total.values()) - total["two segments"] == BODIES


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [("x" * 161, "161 septets"), ("Queen ♠", "no GSM-7"), ("x" * 400, "400 septets")],
)
def test_an_answer_that_is_too_long_or_no_gsm7_is_seen(answer, complaint):
    with pytest.raises(fuzz.Broken, match=complaint):
        fuzz.World._fits(object.__new__(fuzz.World), answer, "help")


def test_a_state_that_changes_without_a_line_of_the_record_is_seen(monkeypatch):
    def meddle(world):
        with world.stage.services.db.begin() as conn:
            conn.exec_driver_sql(
                "UPDATE game_table SET state = replace(state, '\"turn\"', '\"turn\" ') WHERE state IS NOT NULL"
            )

    before = fuzz.World.post

    def post(world):
        done = before(world)
        meddle(world)
        return done

    monkeypatch.setattr(fuzz.World, "post", post)
    with pytest.raises(fuzz.Broken, match=r"without a line of its record|does not lead to its state"):
        for _ in fuzz.fuzz(300, "meddled"):
            pass


def test_bodies_are_the_same_for_the_same_seed():
    def bodies():
        made = object.__new__(fuzz.World)
        made.rng, made.texts, made.said, made.codes = random.Random("7"), fuzz.corpus(), [], {}
        return [made.body() for _ in range(50)]

    assert bodies() == bodies()
