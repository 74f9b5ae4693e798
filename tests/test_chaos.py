"""A short bad night (`make chaos` is the long one): real processes, killed and started again, and nothing is lost or doubled."""

import pytest

from rig.chaos import FAULTS, night, schedule


def test_the_seed_makes_the_schedule():
    assert schedule(7, 300) == schedule(7, 300)
    assert schedule(7, 300) != schedule(8, 300)
    assert {fault.name for fault in schedule(7, 300)} == set(FAULTS)


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_doubled():
    found, met = night(seed=1, faults=5, tables=6, workers=1)
    assert found.faults == []
    assert sum(met.values()) == 5
    assert found.moves > 50
    assert found.sent > 10
    assert found.nudged == 1


@pytest.mark.slow
def test_texts_that_are_written_outside_of_the_transaction_are_found():
    found, _ = night(seed=1, faults=2, tables=6, workers=1, planted=True)
    assert any("tells of a move that was not made" in fault for fault in found.faults)
