"""House rules that players keep under a name: what may be a name, whose they are, and what becomes of them."""

import re

import pytest
from sqlalchemy import func, select, update

from service.presets import MOST, PRESET
from service.stored import TABLE

sqlite = pytest.mark.on("sqlite")  # where storage is not the point


def kept(people):
    with people.services.db.connect() as conn:
        return conn.execute(select(PRESET.c.name, PRESET.c.game, PRESET.c.options).order_by(PRESET.c.id)).all()


def test_saved_listed_opened_and_dropped(people):
    people("Ann", "new 5000 no runs, to 2500")
    assert people("Ann", "save rules as Cabin").startswith("CABIN is now 5000 Rummy to 2500 with sets only.")
    assert kept(people) == [("cabin", "rummy5000", "target=2500 melds=sets_only")]
    people("Ann", "leave")
    assert "5000 Rummy to 2500 (sets only)" in people("Ann", "new cabin")
    assert people("Ann", "presets").startswith("Your rules: CABIN (5000 Rummy).")
    people("Ann", "forget rules cabin")
    assert kept(people) == []


@sqlite
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hearts", "HEARTS means something here already"),
        ("500", "A name is letters"),
        ("qos", "QOS means something"),
        ("draw", "DRAW means something"),
        ("options", "OPTIONS means something"),
        ("kings", "KINGS means something"),
        ("stop", "That can't be a name here"),
        ("a very long name indeed", "12 letters at most"),
        ("bots", "That can't be a name here"),
        ("house", "HOUSE means something"),
    ],
)
def test_what_may_not_be_a_name(people, name, says):
    people("Ann", "new damn")
    assert says in (people("Ann", f"save rules as {name}") or "")
    assert kept(people) == []


@sqlite
@pytest.mark.parametrize(
    "words",
    ["new cabin", "New Cabin!", "start a game of cabin", "open cabin", "please new my cabin", "NEW CABIN, bots"],
)
def test_ways_to_open_a_table_by_them(people, words):
    people("Ann", "new damn 500 no warning")
    people("Ann", "save these rules as cabin")
    people("Ann", "leave")
    people.forget()
    people("Ann", words)
    assert [(row.game, row.options) for row in people.rows(TABLE)][-1] == (
        "damn-the-queens",
        "target=500 warn_one_card=off",
    )


@sqlite
@pytest.mark.parametrize(
    "words",
    [
        "save rules as cabin",
        "save our house rules as cabin",
        "keep these rules as cabin",
        "save as cabin",
        "save this as cabin",
        "save rules cabin",
        "remember the options of this table as cabin",
    ],
)
def test_ways_to_save_them(people, words):
    people("Ann", "new damn")
    assert people("Ann", words).startswith("CABIN is now Damn the Queens to 1000")


@sqlite
def test_what_is_said_besides_stands_over_what_is_kept(people):
    people("Ann", "new 5000 jokers, to 2500, wilds one per meld")
    people("Ann", "save rules as cabin")
    people("Ann", "new cabin no jokers, 1500, 3 players")
    assert people.rows(TABLE)[-1].options == "target=1500 wild_limit=one"
    assert people.rows(TABLE)[-1].seat_count == 3


@sqlite
def test_house_rules_that_are_no_more_are_named(people):
    people("Ann", "new damn 500")
    people("Ann", "save rules as cabin")
    with people.services.db.begin() as conn:
        conn.execute(update(PRESET).values(options="target=500 moonshine=on"))
    answer = people("Ann", "new cabin")
    assert re.search(r"CABIN can't be played by any more\. .*no house rule 'moonshine'.*FORGET RULES CABIN", answer)
    with people.services.db.begin() as conn:
        conn.execute(update(PRESET).values(options="target=7"))
    assert "target can be a number from 500 to 5000, not '7'" in people("Ann", "new cabin")
    assert len(people.rows(TABLE)) == 1


@sqlite
def test_one_player_keeps_so_many(people):
    people("Ann", "new damn")
    names = [f"cabin-{first}{second}" for first in "xyzuv" for second in "xyzuv"]
    for name in names[:MOST]:
        people("Ann", f"save rules as {name}")
    assert f"You keep {MOST} sets of rules already" in people("Ann", f"save rules as {names[MOST]}")
    assert "in place of what it was" in people("Ann", f"save rules as {names[0]}")
    with people.services.db.connect() as conn:
        assert conn.execute(select(func.count()).select_from(PRESET)).scalar_one() == MOST
    assert people("Ann", "my rules")


@sqlite
def test_another_player_has_their_own(people):
    people("Ann", "new damn 500")
    people("Ann", "save rules as cabin")
    people("Bea", "new damn 700")
    people("Bea", "save rules as cabin")
    assert [row.options for row in kept(people)] == ["target=500", "target=700"]
    people("Bea", "forget rules cabin")
    assert [row.options for row in kept(people)] == ["target=500"]
