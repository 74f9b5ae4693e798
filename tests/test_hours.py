"""Waking hours, paces and dates. All times are written as they stand on a wall clock somewhere."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.hours import (
    DEFAULT,
    LONGEST_AWAY,
    PACES,
    Window,
    add_pace,
    add_waking,
    back_on,
    closing,
    is_waking,
    opening,
    read_pace,
    read_quiet,
    read_until,
    wall,
)
from service.text.gsm7 import is_gsm7
from service.zones import NORTH_AMERICA, clock_of

NEW_YORK, PHOENIX, CHICAGO, LONDON = "America/New_York", "America/Phoenix", "America/Chicago", "Europe/London"
HONOLULU, TOKYO, LORD_HOWE, CAIRO = "Pacific/Honolulu", "Asia/Tokyo", "Australia/Lord_Howe", "Africa/Cairo"
NIGHT_OWL = Window(22 * 60, 8 * 60, 22 * 60)  # quiet 8-22
HOUR = timedelta(hours=1)


def at(written, zone=NEW_YORK, fold=0):
    """An instant from a local time: `at("2026-03-08 12:00")`."""
    return datetime.fromisoformat(written).replace(tzinfo=clock_of(zone), fold=fold).astimezone(UTC)


def utc(written):
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


# Openings


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-03-04 02:10", "2026-03-04 09:00"),
        ("2026-03-04 08:59:59", "2026-03-04 09:00"),
        ("2026-03-04 09:00", "2026-03-04 09:00"),
        ("2026-03-04 19:59:59", "2026-03-04 19:59:59"),
        ("2026-03-04 20:00", "2026-03-05 09:00"),
        ("2026-03-07 20:00", "2026-03-08 12:00"),  # Saturday night, and the clocks go forward
        ("2026-03-08 02:10", "2026-03-08 12:00"),
        ("2026-03-08 11:59", "2026-03-08 12:00"),
        ("2026-03-08 21:00", "2026-03-09 09:00"),
        ("2026-10-31 22:00", "2026-11-01 12:00"),  # and back
        ("2026-12-31 23:00", "2027-01-01 09:00"),
    ],
)
def test_a_text_waits_for_the_window(now, opens):
    assert opening(at(now), [NEW_YORK], DEFAULT) == at(opens)


def test_openings_are_wall_times_on_both_sides_of_the_change_of_clocks():
    assert opening(utc("2026-03-06 05:00"), [NEW_YORK], DEFAULT) == utc("2026-03-06 14:00")
    assert opening(utc("2026-03-08 07:30"), [NEW_YORK], DEFAULT) == utc("2026-03-08 16:00")
    assert opening(utc("2026-11-01 05:30"), [NEW_YORK], DEFAULT) == utc("2026-11-01 17:00")


def test_phoenix_has_no_change_of_clocks():
    for day in ("2026-03-07", "2026-03-09", "2026-10-31", "2026-11-02"):
        assert opening(utc(f"{day} 09:00"), [PHOENIX], DEFAULT) == utc(f"{day} 16:00")
    for sunday in ("2026-03-08", "2026-11-01"):
        assert opening(utc(f"{sunday} 09:00"), [PHOENIX], DEFAULT) == utc(f"{sunday} 19:00")


def test_a_time_in_the_gap_is_the_first_minute_after_it():
    half_past_two = Window(2 * 60 + 30, 22 * 60, 2 * 60 + 30)
    assert (
        opening(at("2026-03-07 23:00"), [NEW_YORK], half_past_two) == utc("2026-03-08 07:00") == at("2026-03-08 03:00")
    )
    assert opening(at("2026-03-08 23:00"), [NEW_YORK], half_past_two) == at("2026-03-09 02:30")


def test_a_time_that_comes_twice_is_its_first_and_only_that():
    half_past_one = Window(60 + 30, 22 * 60, 60 + 30)
    opens = opening(at("2026-10-31 23:00"), [NEW_YORK], half_past_one)
    assert opens == utc("2026-11-01 05:30")
    assert closing(opens, [NEW_YORK], half_past_one) == at("2026-11-01 22:00")  # open through the second 01:10 too
    assert is_waking(at("2026-11-01 01:10", fold=1), [NEW_YORK], half_past_one)

    until_half_past_one = Window(12 * 60, 60 + 30, 12 * 60)
    assert closing(at("2026-10-31 13:00"), [NEW_YORK], until_half_past_one) == utc("2026-11-01 05:30")
    assert not is_waking(at("2026-11-01 01:10", fold=1), [NEW_YORK], until_half_past_one)


@pytest.mark.parametrize(
    ("zone", "day", "minute", "opens"),
    [
        (LORD_HOWE, "2026-10-04", 2 * 60 + 15, "2026-10-03 15:30"),  # a gap of half an hour
        (CAIRO, "2026-04-24", 0, "2026-04-23 22:00"),  # the day begins at 01:00
    ],
)
def test_other_gaps(zone, day, minute, opens):
    window = Window(minute, 20 * 60, minute)
    assert opening(at(f"{day} 00:00", zone) - HOUR, [zone], window) == utc(opens)


def test_a_window_may_pass_midnight():
    assert is_waking(at("2026-03-05 01:00"), [NEW_YORK], NIGHT_OWL)
    assert not is_waking(at("2026-03-05 08:00"), [NEW_YORK], NIGHT_OWL)
    assert opening(at("2026-03-05 08:00"), [NEW_YORK], NIGHT_OWL) == at("2026-03-05 22:00")
    assert closing(at("2026-03-07 23:00"), [NEW_YORK], NIGHT_OWL) == at("2026-03-08 08:00")


def test_an_own_window_holds_on_sundays():
    window = read_quiet("22-8")
    assert window is not None
    assert opening(at("2026-03-08 05:00"), [NEW_YORK], window) == at("2026-03-08 08:00")


def test_an_unknown_zone_waits_for_all_candidates():
    assert opening(at("2026-03-04 09:00"), NORTH_AMERICA, DEFAULT) == at("2026-03-04 09:00", HONOLULU)
    assert closing(at("2026-03-04 16:00"), NORTH_AMERICA, DEFAULT) == at("2026-03-04 20:00", "America/St_Johns")
    assert opening(at("2026-03-07 21:00"), NORTH_AMERICA, DEFAULT) == at("2026-03-08 12:00", HONOLULU)


def test_an_unknown_zone_has_waking_time_every_day_of_the_year():
    now = utc("2026-01-01 12:00")
    for _ in range(366):
        opens = opening(now, NORTH_AMERICA, DEFAULT)
        assert opens - now < timedelta(days=1)
        assert closing(opens, NORTH_AMERICA, DEFAULT) - opens >= timedelta(minutes=30)
        now += timedelta(days=1)


def test_zones_with_no_hour_in_common_do_not_hold_a_text_for_ever():
    zones = [NEW_YORK, CHICAGO, TOKYO]
    morning = Window(9 * 60, 12 * 60, 9 * 60)
    opens = opening(at("2026-03-04 20:00"), zones, morning)
    assert opens == at("2026-03-05 09:00", CHICAGO)  # two of the three
    assert is_waking(opens, zones, morning)
    assert not is_waking(at("2026-03-05 10:00", TOKYO), zones, morning)
    assert closing(opens, zones, morning) == at("2026-03-05 12:00", NEW_YORK)


def test_a_minute_a_day_is_too_little_to_have_in_common():
    zones = [NEW_YORK, "Europe/Berlin"]
    six_hours, a_little_more = Window(9 * 60, 15 * 60 + 1, 9 * 60), Window(9 * 60, 16 * 60, 9 * 60)
    assert opening(at("2026-03-04 20:00"), zones, six_hours) == at("2026-03-05 09:00", "Europe/Berlin")
    assert opening(at("2026-03-04 20:00"), zones, a_little_more) == at("2026-03-05 09:00", NEW_YORK)


def test_without_a_zone_or_with_a_naive_time_nothing_is_guessed():
    with pytest.raises(ValueError, match="no zone"):
        is_waking(utc("2026-03-04 12:00"), [], DEFAULT)
    with pytest.raises(ValueError, match="without a zone"):
        opening(datetime.fromisoformat("2026-03-04 12:00"), [NEW_YORK], DEFAULT)
    with pytest.raises(KeyError):
        opening(utc("2026-03-04 12:00"), ["America/Gotham"], DEFAULT)


# Waking time


@pytest.mark.parametrize(
    ("start", "hours", "ends"),
    [
        ("2026-03-04 10:00", 6, "2026-03-04 16:00"),
        ("2026-03-04 18:00", 6, "2026-03-05 13:00"),
        ("2026-03-04 03:00", 6, "2026-03-04 15:00"),
        ("2026-03-04 14:00", 6, "2026-03-05 09:00"),  # with the window's end: as the next opens
        ("2026-03-07 18:00", 6, "2026-03-08 16:00"),  # 2 hours on Saturday, 4 from noon on Sunday
        ("2026-03-07 18:00", 11, "2026-03-09 10:00"),
        ("2026-03-04 21:00", 0, "2026-03-05 09:00"),
    ],
)
def test_waking_time(start, hours, ends):
    assert add_waking(at(start), hours * HOUR, [NEW_YORK], DEFAULT) == at(ends)


def test_waking_time_is_real_time():
    owl = Window(20 * 60, 9 * 60, 20 * 60)  # 12 hours in the night the clocks go forward, 14 when they go back
    assert add_waking(at("2026-03-07 20:00"), 8 * HOUR, [NEW_YORK], owl) == at("2026-03-08 05:00")
    assert add_waking(at("2026-10-31 20:00"), 8 * HOUR, [NEW_YORK], owl) == at("2026-11-01 03:00")


def test_waking_time_does_not_run_backward():
    with pytest.raises(ValueError, match="forward"):
        add_waking(at("2026-03-04 10:00"), -HOUR, [NEW_YORK], DEFAULT)


# Properties

moments = st.datetimes(
    datetime.fromisoformat("2025-12-01"), datetime.fromisoformat("2027-12-31"), timezones=st.just(UTC)
)
zones_of_one = st.sampled_from((NEW_YORK, PHOENIX, LONDON, LORD_HOWE, CAIRO, TOKYO)).map(lambda zone: (zone,))
some_zones = zones_of_one | st.sampled_from(
    (NORTH_AMERICA, (NEW_YORK, CHICAGO), (LONDON, NEW_YORK), (NEW_YORK, TOKYO), (HONOLULU, LONDON, TOKYO, LORD_HOWE))
)


@st.composite
def windows(draw):
    start, length = draw(st.integers(0, 1439)), draw(st.integers(120, 1439))
    later = draw(st.sampled_from((0, 0, length // 4)))
    return Window(start, (start + length) % 1440, (start + later) % 1440)


some_windows = st.just(DEFAULT) | windows()


@given(moments, some_zones, some_windows)
def test_an_opening_is_never_before_now_always_waking_and_its_own_opening(now, zones, window):
    opens = opening(now, zones, window)
    assert opens >= now
    assert is_waking(opens, zones, window)
    assert opening(opens, zones, window) == opens
    assert opens == now or (opens.second, opens.microsecond) == (0, 0)
    assert (opens == now) == is_waking(now, zones, window)
    assert opens - now <= timedelta(days=16 if len(zones) > 1 else 2)


@given(moments, some_zones, some_windows)
def test_between_an_opening_and_its_closing_it_is_waking_time_and_before_and_after_it_is_not(now, zones, window):
    opens, closes = opening(now, zones, window), closing(now, zones, window)
    assert now <= opens < closes
    assert all(is_waking(opens + (closes - opens) * n / 8, zones, window) for n in range(8))
    assert not is_waking(closes, zones, window)
    assert not any(is_waking(now + (opens - now) * n / 8, zones, window) for n in range(8) if opens > now)


@given(moments, zones_of_one)
def test_waking_is_what_the_clock_on_the_wall_says(now, zones):
    local = now.astimezone(clock_of(zones[0]))
    assert is_waking(now, zones, DEFAULT) == ((12 if local.weekday() == 6 else 9) <= local.hour < 20)


lengths = st.timedeltas(timedelta(0), timedelta(hours=60))


@given(moments, lengths, lengths, some_zones, some_windows)
def test_waking_time_adds_up_and_never_runs_back(start, one, other, zones, window):
    ends = add_waking(start, one, zones, window)
    assert ends >= opening(start, zones, window) + one
    assert is_waking(ends, zones, window)
    assert add_waking(ends, other, zones, window) == add_waking(start, one + other, zones, window) >= ends
    assert add_waking(start + other, one, zones, window) >= ends


# Quiet hours


@pytest.mark.parametrize(
    ("words", "waking"),
    [
        ("22-8", "8am-10pm"),
        ("10pm-8am", "8am-10pm"),
        ("10 pm to 8 am", "8am-10pm"),
        ("10 p.m. \u2013 8 a.m.", "8am-10pm"),
        ("from 10pm until 8am", "8am-10pm"),
        ("22:30-7:00", "7am-10:30pm"),
        ("2230-0700", "7am-10:30pm"),
        ("1030pm - 730am", "7:30am-10:30pm"),
        ("22-24", "12am-10pm"),
        ("midnight to 8", "8am-midnight"),
        ("10pm until noon", "noon-10pm"),
        ("8-22", "10pm-8am"),  # the 24-hour clock is taken at its word: texts by night
        ("22:30-12", "noon-10:30pm"),
        ("9-5", "5am-9pm"),  # without am and pm: by night
        ("10-8", "8am-10pm"),
        ("12-8", "8am-midnight"),
        ("10pm-8", "8am-10pm"),
        ("10-8am", "8am-10pm"),
        ("9am-5", "5pm-9am"),  # no night there: the working day
        ("9am-5pm", "5pm-9am"),
        ("after 10", "9am-10pm"),
        ("before 10am", "10am-8pm"),
        ("off", "9am-8pm, Sundays from noon"),
        ("Default.", "9am-8pm, Sundays from noon"),
    ],
)
def test_quiet_hours(words, waking):
    assert str(read_quiet(words)) == waking


@pytest.mark.parametrize("words", ["", "hello", "25-8", "10", "0pm-8am", "22-8 on weekdays", "monday"])
def test_not_quiet_hours(words):
    assert read_quiet(words) is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("8pm-7pm", "Keep more of the day free"),
        ("10pm-10pm", "Keep more"),
        ("0-22:30", "Keep more"),
        ("5-9", "Say am or pm"),
    ],
)
def test_quiet_hours_that_are_refused(words, says):
    with pytest.raises(ValueError, match=says) as refusal:
        read_quiet(words)
    assert is_gsm7(str(refusal.value))


def test_two_hours_are_enough():
    assert str(read_quiet("8pm-6pm")) == "6pm-8pm"


@given(st.integers(13, 23), st.integers(0, 23))
def test_hours_of_the_24_hour_clock_are_what_they_say(late, other):
    for start, end in ((late, other), (other, late)):
        if (start - end) % 24 >= 2:
            assert read_quiet(f"{start}:00-{end:02}:00") == Window(end * 60, start * 60, end * 60)


@pytest.mark.parametrize(
    "minutes", [(540, 540, 540), (-1, 60, 0), (540, 1440, 540), (540, 1200, 480), (540, 1200, 1200)]
)
def test_windows_that_cannot_be(minutes):
    with pytest.raises(ValueError, match="window"):
        Window(*minutes)


# Paces


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("3d", 72), ("12h", 12), ("1 day", 24), ("2 days", 48), ("36h", 36), ("a week", 168), ("1d 12h", 36), ("1d12h", 36),
        ("1 day and 12 hours", 36), ("90 minutes", 1.5), ("half a day", 12), ("three days", 72), ("daily", 24), ("2wks", 336),
        ("1.5 days", 36), ("1h", 1), ("30 days", 720), ("none", 0), ("off", 0), ("No clock", 0),
    ],
)  # fmt: skip
def test_paces(words, hours):
    assert read_pace(words) == hours * HOUR


@pytest.mark.parametrize("words", ["", "3", "soon", "3 cards", "h3", "-3d"])
def test_not_paces(words):
    assert read_pace(words) is None


@pytest.mark.parametrize("words", ["30 min", "59m", "31d", "0h", "5 weeks", "99999999999999d"])
def test_paces_out_of_bounds(words):
    with pytest.raises(ValueError, match="1 hour to 30 days"):
        read_pace(words)


@pytest.mark.parametrize(
    ("start", "hours", "due"),
    [
        ("2026-03-05 17:00", 72, "2026-03-10 17:00"),  # Thursday to Tuesday
        ("2026-03-06 12:00", 12, "2026-03-09 00:00"),  # all of Friday: as Monday begins
        ("2026-03-07 15:00", 24, "2026-03-10 00:00"),  # from a Saturday: all of Monday
        ("2026-03-02 09:00", 24, "2026-03-03 09:00"),
        ("2026-10-30 18:00", 12, "2026-11-02 06:00"),
        ("2026-03-02 00:00", 24 * 10, "2026-03-16 00:00"),
    ],
)
def test_weekends_do_not_count(start, hours, due):
    assert add_pace(at(start), hours * HOUR, True, NEW_YORK) == at(due)


def test_without_weekdays_a_pace_is_real_time():
    assert add_pace(at("2026-03-07 12:00"), 24 * HOUR, False, NEW_YORK) == at("2026-03-08 13:00")
    assert add_pace(at("2026-10-31 12:00"), 24 * HOUR, False, NEW_YORK) == at("2026-11-01 11:00")


@given(moments, st.timedeltas(*PACES), st.timedeltas(*PACES), zones_of_one)
def test_paces_add_up(start, one, other, zones):
    due = add_pace(start, one, True, zones[0])
    assert due >= start + one
    assert due.astimezone(clock_of(zones[0])).weekday() < 5
    assert add_pace(due, other, True, zones[0]) == add_pace(start, one + other, True, zones[0])


# Times in texts


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-03-04 17:00", "Wed 5pm"),
        ("2026-03-05 09:00", "Thu 9am"),
        ("2026-03-05 09:15:59", "Thu 9:15am"),
        ("2026-03-06 12:00", "Fri noon"),
        ("2026-03-07 00:00", "Sat 12am"),
        ("2026-03-07 00:05", "Sat 12:05am"),
        ("2026-03-10 23:59", "Tue 11:59pm"),
        ("2026-03-11 00:00", "Mar 11 12am"),
        ("2026-03-12 12:30", "Mar 12 12:30pm"),
        ("2026-03-03 09:00", "Mar 3 9am"),
        ("2027-01-02 09:00", "Jan 2 2027 9am"),
    ],
)
def test_a_local_time(moment, said):
    assert wall(at(moment), NEW_YORK, at("2026-03-04 08:00")) == said


def test_a_local_time_is_of_the_zone():
    assert wall(utc("2026-03-05 03:00"), NEW_YORK, utc("2026-03-04 12:00")) == "Wed 10pm"
    assert wall(utc("2026-03-05 03:00"), TOKYO, utc("2026-03-04 12:00")) == "Thu noon"


def test_who_is_back_as_a_day_begins_is_back_that_day():
    now = at("2026-03-04 08:00")
    assert back_on(at("2026-03-09 00:00"), NEW_YORK, now) == "Mon"
    assert back_on(at("2026-03-12 00:00"), NEW_YORK, now) == "Mar 12"
    assert back_on(at("2026-03-06 18:00"), NEW_YORK, now) == "Fri 6pm"
    assert back_on(utc("2026-04-23 22:00"), CAIRO, utc("2026-04-20 12:00")) == "Fri"  # which begins at 01:00


@given(moments, moments, zones_of_one)
def test_a_local_time_is_short_and_plain(moment, now, zones):
    said = wall(moment, zones[0], now)
    assert is_gsm7(said)
    assert len(said) <= 19


# Dates

WEDNESDAY = at("2026-03-04 15:15")


@pytest.mark.parametrize(
    ("words", "back"),
    [
        ("until monday", "2026-03-09 00:00"),
        ("monday", "2026-03-09 00:00"),
        ("'til mon", "2026-03-09 00:00"),
        ("I'm back on Monday.", "2026-03-09 00:00"),
        ("until wednesday", "2026-03-11 00:00"),  # never today
        ("friday", "2026-03-06 00:00"),
        ("this friday", "2026-03-06 00:00"),
        ("next friday", "2026-03-13 00:00"),
        ("next monday", "2026-03-09 00:00"),
        ("through friday", "2026-03-07 00:00"),
        ("friday evening", "2026-03-06 18:00"),
        ("friday 5pm", "2026-03-06 17:00"),
        ("friday at 5", "2026-03-06 17:00"),
        ("friday at 9", "2026-03-06 09:00"),
        ("tonight", "2026-03-04 20:00"),
        ("until 5pm", "2026-03-04 17:00"),
        ("until 3pm", "2026-03-05 15:00"),
        ("tomorrow", "2026-03-05 00:00"),
        ("tomorrow morning", "2026-03-05 08:00"),
        ("the day after tomorrow", "2026-03-06 00:00"),
        ("the weekend", "2026-03-07 00:00"),
        ("after the weekend", "2026-03-09 00:00"),
        ("next week", "2026-03-09 00:00"),
        ("next month", "2026-04-01 00:00"),
        ("the end of the month", "2026-04-01 00:00"),
        ("until march 12", "2026-03-12 00:00"),
        ("march 12th at 5:30pm", "2026-03-12 17:30"),
        ("mar 12", "2026-03-12 00:00"),
        ("12 march 2026", "2026-03-12 00:00"),
        ("the 4th of july", "2026-07-04 00:00"),
        ("the 12th", "2026-03-12 00:00"),
        ("the 2nd", "2026-04-02 00:00"),
        ("the 31st", "2026-03-31 00:00"),
        ("friday march 13", "2026-03-13 00:00"),
        ("friday the 13th", "2026-03-13 00:00"),
        ("3/12", "2026-03-12 00:00"),
        ("3/12/26", "2026-03-12 00:00"),
        ("25/5", "2026-05-25 00:00"),
        ("2026-05-01", "2026-05-01 00:00"),
        ("april", "2026-04-01 00:00"),
        ("3h", "2026-03-04 18:15"),
    ],
)
def test_away_until(words, back):
    assert read_until(words, WEDNESDAY, NEW_YORK) == at(back)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("5d", 5),
        ("for 5 days", 5),
        ("in 5 days", 5),
        ("2 weeks", 14),
        ("a week", 7),
        ("a few days", 3),
        ("180 days", 180),
    ],
)
def test_away_for_exactly_that_long(words, days):
    assert read_until(words, WEDNESDAY, NEW_YORK) == WEDNESDAY + timedelta(days=days)


def test_away_over_the_turn_of_the_year():
    assert read_until("until 12/24", at("2026-12-20 12:00"), NEW_YORK) == at("2026-12-24 00:00")
    assert read_until("new year's", at("2026-12-20 12:00"), NEW_YORK) == at("2027-01-01 00:00")
    assert read_until("jan 7", at("2026-12-20 12:00"), NEW_YORK) == at("2027-01-07 00:00")


def test_a_day_begins_where_the_player_is():
    assert read_until("tomorrow", utc("2026-03-04 16:00"), TOKYO) == at("2026-03-06 00:00", TOKYO)
    assert read_until("friday", utc("2026-04-20 12:00"), CAIRO) == utc("2026-04-23 22:00")  # at 01:00


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "Until when"), ("soon", "Until when"), ("12", "Until when"), ("feb 29", "Until when"), ("march 32", "Until when"),
        ("99/99", "Until when"), ("someday", "Until when"), ("until 2026", "Until when"), ("monday cards", "Until when"),
        ("today", "past"), ("march 4", "past"), ("this morning", "Until when"), ("3/1/2026", "past"), ("2020-01-01", "past"),
        ("0 days", "past"), ("12/24", "180"), ("200 days", "180"), ("900 months", "180"), ("march 1", "180"), ("7 months", "180"),
    ],
)  # fmt: skip
def test_away_until_no_day_we_can_take(words, says):
    with pytest.raises(ValueError, match=says) as refusal:
        read_until(words, WEDNESDAY, NEW_YORK)
    assert is_gsm7(str(refusal.value))


@given(
    st.text(max_size=30)
    | st.from_regex(r"(until )?([a-z]{3,9} )?\d{1,4}([:/.-]\d{1,4}){0,2} ?(am|pm|d|h|th)?", fullmatch=True)
)
def test_whatever_is_written_is_read_or_refused(words):
    for read in (read_quiet, read_pace, lambda said: read_until(said, WEDNESDAY, NEW_YORK)):
        try:
            found = read(words)
        except ValueError:
            continue
        if isinstance(found, datetime):
            assert WEDNESDAY < found <= WEDNESDAY + LONGEST_AWAY
        if isinstance(found, timedelta) and found:
            assert PACES[0] <= found <= PACES[1]
