"""Where somebody sits is guessed, so that a text is read in one round trip fewer; a wrong guess costs nothing else."""

import pytest
from sqlalchemy import update

from service import arriving, stored
from service.stored import INBOUND, SEAT, TABLE

pytestmark = pytest.mark.on("postgresql")


@pytest.fixture(autouse=True)
def nobody_known(monkeypatch):
    monkeypatch.setattr(arriving, "_lately", {})


def sits(people, name):
    """The key of somebody's guess."""
    return "sms", people.stage.phone(name).number


def test_the_second_text_needs_no_second_look_for_the_tables(at_kf7, monkeypatch):
    first = at_kf7("Ann", "hand")
    monkeypatch.setattr(stored, "live", lambda *_: pytest.fail("the tables were asked for by themselves"))
    assert at_kf7("Ann", "hand") == first


@pytest.mark.parametrize("guess", ["none", "gone", "another's", "one too many", "somebody else"])
def test_a_wrong_guess_is_no_more_than_that(at_kf7, guess):
    hand = at_kf7("Ann", "hand")
    code = at_kf7.opened(host="P8")
    ids = {row.code: row.id for row in at_kf7.rows(TABLE)}
    right = arriving._lately[sits(at_kf7, "Ann")]
    arriving._lately[sits(at_kf7, "Ann")] = {
        "none": right._replace(sits=[]), "gone": right._replace(sits=[10**9]), "another's": right._replace(sits=[ids[code]]),
        "one too many": right._replace(sits=sorted(ids.values())), "somebody else": arriving._lately[sits(at_kf7, "P8")],
    }[guess]  # fmt: skip
    assert at_kf7("Ann", "hand") == hand
    assert arriving._lately[sits(at_kf7, "Ann")] == right
    assert [row.player_id for row in at_kf7.rows(INBOUND)][-1] == right.player_id
    assert code not in at_kf7("Ann", "games")


def test_who_was_forgotten_meanwhile_is_somebody_new(at_kf7):
    """By another process: this one remembers a row that is gone."""
    at_kf7("P9", "hello")
    guess = arriving._lately[sits(at_kf7, "P9")]
    arriving._lately[sits(at_kf7, "P9")] = guess._replace(player_id=10**9)
    assert "KF7" in at_kf7("P9", "join kf7 P9")
    assert [row.kind for row in at_kf7.rows(INBOUND)][-1] == "command"


def test_who_has_sat_down_elsewhere_meanwhile_is_asked_which_table_is_meant(at_kf7):
    at_kf7("Ann", "hand")
    before = dict(arriving._lately)
    code = at_kf7.opened(host="Ann")
    arriving._lately.update(before)  # another process has opened it
    assert code in at_kf7("Ann", "games")


def test_who_loses_their_seat_while_a_text_waits_for_the_table_sits_there_no_more(at_kf7, monkeypatch):
    """Somebody else has locked it: where Ann sits is read before, who sits there after."""
    before = stored.live

    def live(*asked):
        with at_kf7.services.db.begin() as other:
            other.execute(update(SEAT).where(SEAT.c.name == "Ann").values(bot=True, left_at=at_kf7.stage.clock()))
        return before(*asked)

    monkeypatch.setattr(stored, "live", live)
    assert at_kf7("Ann", "draw").startswith("You sit at no table now.")


def test_there_are_never_too_many_guesses(at_kf7, monkeypatch):
    monkeypatch.setattr(arriving, "MOST_GUESSED", 2)
    for name in ("Ann", "Bea", "Cy", "Dot"):
        at_kf7(name, "hand")
        assert len(arriving._lately) <= 2
