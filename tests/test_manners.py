"""The bounds of what is a good time: who counts as awake, when somebody away is back, whose day it is."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from service import manners
from tests.conftest import ANN

HERE = "America/New_York"
NIGHT = datetime(2026, 3, 3, 3, 0, tzinfo=ZoneInfo(HERE))
MORNING = datetime(2026, 3, 3, 9, 0, tzinfo=ZoneInfo(HERE))


@pytest.mark.parametrize(
    ("ago", "goes"),
    [
        (timedelta(0), NIGHT),
        (timedelta(minutes=29, seconds=59), NIGHT),
        (timedelta(minutes=30), MORNING),
        (None, MORNING),
    ],
)
def test_who_has_texted_within_half_an_hour_is_awake(ago, goes):
    last = None if ago is None else NIGHT - ago
    assert manners.may_go(NIGHT, HERE, ANN, {}, last) == goes


def test_one_s_own_day_counts_instead_of_the_usual():
    own = {"quiet": [2 * 60, 20 * 60, 2 * 60]}
    assert manners.may_go(NIGHT, HERE, ANN, own, None) == NIGHT
    assert manners.may_go(NIGHT, HERE, ANN, {}, None) == MORNING


@pytest.mark.parametrize(
    ("until", "away"), [(timedelta(0), False), (timedelta(seconds=1), True), (timedelta(days=-1), False)]
)
def test_who_is_back_at_this_moment_is_not_away(until, away):
    back = NIGHT + until
    assert manners.away_until({"away": back.isoformat()}, NIGHT) == (back if away else None)
