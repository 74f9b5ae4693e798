"""What stops robots, guessers and strangers, and leaves people who play alone (`service/limits.py`)."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from engine.game import write_move
from service import limits, manners
from service.stored import INBOUND, PLAYER, SEAT, TABLE


def later(people, **length):
    people.stage.clock.now += timedelta(**length)


def at_once(people, name, body):
    """A text in the same minute as the last."""
    later(people, seconds=-55)
    return people(name, body)


sqlite = pytest.mark.on("sqlite")  # where storage is not the point


# Not understood


@sqlite
def test_of_texts_that_mean_nothing_the_first_in_ten_minutes_is_answered(at_kf7):
    people = at_kf7
    assert "don't understand" in people("Ann", "flurb")
    assert people("Ann", "flarb the garb") is None
    assert people("Ann", "florb") is None
    later(people, minutes=10)
    assert "don't understand" in people("Ann", "flirb")
    assert people.kinds() == ["unclear", "silenced", "silenced", "unclear"]


@sqlite
def test_three_a_day_are_told_that_they_are_not_understood(at_kf7):
    people = at_kf7
    answers = []
    for n in range(8):
        answers.append(people("Ann", f"flurb {'x' * n}q"))
        later(people, minutes=30)
    assert ["don't understand" in (answer or "") for answer in answers] == [True] * 3 + [False] * 5
    assert answers[3:] == [None] * 5
    later(people, hours=24)
    assert "don't understand" in people("Ann", "flurb again")


@sqlite
def test_the_same_words_again_get_silence_for_a_day_if_they_mean_nothing(at_kf7):
    people = at_kf7
    assert "don't understand" in people("Ann", "We are closed today")
    later(people, hours=3)
    assert people("Ann", "we are closed TODAY ") is None
    assert "don't understand" in people("Ann", "flurb")


@sqlite
def test_the_same_command_again_is_answered_again(at_kf7):
    people = at_kf7
    assert people("Ann", "hand") == people("Ann", "hand") is not None
    assert people("Ann", "discard 4h") == people("Ann", "discard 4h") is not None


@sqlite
def test_whoever_is_understood_in_between_is_told_every_time(at_kf7):
    people = at_kf7
    for n in range(6):
        assert "don't understand" in people("Ann", f"flurb {'x' * n}q")
        assert people("Ann", "hand") is not None


@sqlite
def test_pictures_in_a_row_are_answered_once(at_kf7):
    people = at_kf7
    assert "words only" in people("Ann", "", NumMedia="1")
    assert people("Ann", "", NumMedia="1") is None
    assert people("Ann", "", NumMedia="3") is None
    later(people, minutes=15)
    assert "words only" in people("Ann", "", NumMedia="1")


# Two robots


def test_a_robot_that_is_understood_is_answered_twelve_times_and_then_not(at_kf7):
    people = at_kf7
    answers = [at_once(people, "Bea", "score") for _ in range(30)]
    assert sum(answer is not None for answer in answers) == limits.IDLE_IN_SPAN
    assert "a lot of texts" in answers[limits.IDLE_IN_SPAN - 1]
    assert answers[limits.IDLE_IN_SPAN :] == [None] * (30 - limits.IDLE_IN_SPAN)
    later(people, minutes=11)
    assert people("Bea", "hand") is not None


@sqlite
def test_a_robot_that_waits_half_a_minute_each_time_is_stopped_for_the_day(at_kf7):
    people = at_kf7
    answers = [people("Bea", "score") for _ in range(200)]
    assert sum(answer is not None for answer in answers) == limits.IDLE_A_DAY
    later(people, hours=25)
    assert people("Bea", "score") is not None


@sqlite
def test_different_commands_are_no_robot(at_kf7):
    people = at_kf7
    words = [
        "hand",
        "table",
        "score",
        "who",
        "pile",
        "melds",
        "games",
        "rules",
        "options",
        "hint",
        "why",
        "commands",
        "stats",
        "quiet",
        "zone",
        "updates",
        "auto",
        "name",
    ]
    assert all(at_once(people, "Bea", word) is not None for word in words)


@sqlite
def test_a_move_ends_the_silence(at_kf7):
    people = at_kf7
    while at_once(people, "Ann", "score") is not None:
        pass
    assert at_once(people, "Ann", "hint") is None
    assert "drew" in at_once(people, "Ann", "draw")
    assert at_once(people, "Ann", "hint") is not None


@sqlite
def test_somebody_who_plays_fast_is_always_answered(people):
    """A whole game of Hearts with three bots, a card every few seconds, and a look at the hand before each."""
    people("Ann", "new hearts 30")
    people("Ann", "bots")
    at_once(people, "Ann", "deal")
    code = people.rows(TABLE)[0].code
    plays = 0
    for _ in range(120):
        table = people.table(code)
        if table.status != "playing":
            break
        me = table.names.index("Ann")
        legal = table.game.legal(table.state, me)
        assert at_once(people, "Ann", "hand") is not None
        answer = at_once(people, "Ann", write_move(legal[0]))
        assert answer is not None
        assert "a lot of texts" not in answer
        plays += 1
    assert plays > 20


@sqlite
def test_a_silence_is_logged_without_a_number(at_kf7, logged):
    people = at_kf7
    while at_once(people, "Bea", "score") is not None:
        pass
    said = logged.getvalue()
    assert '"event": "player.silenced"' in said
    assert people.stage.phone("Bea").number not in said


# Codes


def test_codes_that_lead_nowhere_are_answered_six_times_a_day(people):
    code = people.opened()
    answers = [people("P9", f"join QX{n}") for n in range(2, 9)]
    assert all("There is no table" in answer for answer in answers[:5])
    assert "too many" in answers[5]
    assert answers[6] is None
    assert people("P9", f"join {code}") is None  # nor is a right one looked at any more
    later(people, hours=25)
    assert f"{code}" in people("P9", f"join {code}")


@sqlite
def test_wrong_codes_of_strangers_count_among_the_texts_to_strangers(people, monkeypatch):
    monkeypatch.setattr(limits, "STRANGERS_A_DAY", 2)
    assert people("P9", "join QX2") is not None
    assert people("P10", "join QX2") is not None
    assert people("P11", "join QX2") is None


# Numbers that may be somebody else's


def silent_for(people, name, days):
    with people.services.db.begin() as conn:
        at = people.stage.clock.now - timedelta(days=days)
        phone = people.stage.phone(name)
        conn.execute(update(PLAYER).where(PLAYER.c.address == phone.number).values(last_inbound_at=at))


def test_after_sixty_days_a_number_sees_no_game_and_no_name(at_kf7):
    people = at_kf7
    silent_for(people, "Ann", 61)
    before = people.whole()
    answer = people("Ann", "hand")
    assert "JOIN and your table's code" in answer
    for secret in ("KF7", "Bea", "9S", "Ann"):
        assert secret not in answer
    assert people("Ann", "draw") is None
    assert people.whole() == before


@pytest.mark.parametrize("days", [59, 61])
@sqlite
def test_join_with_the_tables_code_shows_that_it_is_still_the_same(at_kf7, days):
    people = at_kf7
    silent_for(people, "Ann", days)
    assert "9S" in people("Ann", "join kf7")
    assert "you drew" in people("Ann", "draw")


@sqlite
def test_somebody_new_who_begins_afresh_gives_up_the_old_seat(at_kf7):
    people = at_kf7
    silent_for(people, "Ann", 90)
    people("Ann", "hi")
    answer = people("Ann", "new damn")
    assert "NAME tells them yours" in answer
    assert "Ann" not in answer
    assert any("Ann's number is somebody else's now. A bot plays on." in text for text in people.told("Bea"))
    seat = people.rows(SEAT, SEAT.c.number == 0)[0]
    assert seat.bot
    assert seat.left_at is not None
    assert "KF7" not in people("Ann", "games")


@sqlite
def test_a_wrong_code_is_no_new_start(at_kf7):
    people = at_kf7
    silent_for(people, "Ann", 90)
    assert "JOIN and your table's code" in people("Ann", "join QX9")
    assert people.rows(SEAT, SEAT.c.number == 0)[0].left_at is None


@sqlite
def test_nobody_is_in_doubt_who_has_nothing_to_hide(people):
    people("P9", "hi")
    later(people, days=90)
    with people.services.db.begin() as conn:
        conn.execute(update(PLAYER).values(name=None))
    assert timedelta(days=90) > manners.IDLE
    assert "JOIN and the code a friend gave you" in people("P9", "hello")


@sqlite
def test_a_former_owner_of_a_seat_is_no_stranger(at_kf7):
    people = at_kf7
    people("Bea", "hand")
    with people.services.db.begin() as conn:
        conn.execute(update(SEAT).where(SEAT.c.number == 1).values(player_id=None, bot=True))
    assert people("Bea", "hand").startswith("You sit at no table now")


@sqlite
def test_what_is_silenced_is_kept_all_the_same(at_kf7):
    people = at_kf7
    people("Ann", "flurb")
    people("Ann", "flarb")
    people("Ann", "florb")
    assert [(row.body, row.kind, row.answer is None) for row in people.rows(INBOUND)][-1] == ("florb", "silenced", True)
