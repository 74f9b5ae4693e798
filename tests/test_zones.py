"""Zones: read from what people write, guessed from numbers, named in texts.

No zone is derived from a 555 number here: those ranges are nobody's, and the guess for them is often wrong.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.hours import DEFAULT, closing, opening
from service.text.gsm7 import is_gsm7
from service.zones import NORTH_AMERICA, candidates, clock_of, friendly, near, read_zone

EASTERN, CENTRAL, MOUNTAIN, PACIFIC = "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"


def same_time(one, other):
    """Whether two zones show the same time all through a year."""
    days = [datetime.fromisoformat("2026-01-01").replace(tzinfo=UTC) + timedelta(days=n) for n in range(0, 365, 5)]
    return all(day.astimezone(clock_of(one)).utcoffset() == day.astimezone(clock_of(other)).utcoffset() for day in days)


# What people write


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        (
            EASTERN,
            "eastern, et, est, edt, EST5EDT, Eastern Time, eastern standard time, US/Eastern, east coast, new york, ny, NYC",
        ),
        (
            EASTERN,
            "new york city, brooklyn, boston, miami, atlanta, washington dc, Washington D.C., florida, georgia, philly",
        ),
        (
            CENTRAL,
            "chicago, central, CST, cdt, central time, America/Chicago, america/chicago, texas, tx, dallas, kansas city",
        ),
        (
            CENTRAL,
            "Chicago time, I'm in Chicago, it's central, st. louis, Saint Louis, ft worth, memphis tn, ok, pensacola",
        ),
        (MOUNTAIN, "mountain, mt, mst, denver, colorado, montana, utah, el paso, El Paso TX, rapid city"),
        (
            PACIFIC,
            "pacific, pt, pst, la, L.A., los angeles, california, seattle, portland, nevada, vegas, wa, vancouver wa",
        ),
        ("America/Phoenix", "arizona, az, phoenix, tucson, US/Arizona"),
        ("America/Anchorage", "alaska, ak, anchorage, fairbanks"),
        ("Pacific/Honolulu", "hawaii, hi, hst, honolulu, maui"),
        ("America/Halifax", "atlantic, ast, halifax, nova scotia, pei"),
        ("America/St_Johns", "newfoundland, nst, st johns, St. John's, nl"),
        ("America/Moncton", "new brunswick, nb, saint john"),
        (
            "America/Toronto",
            "toronto, ontario, quebec, Qu\u00e9bec, Montr\u00e9al, ottawa, london ontario, london canada",
        ),
        ("America/Winnipeg", "manitoba, winnipeg, kenora on"),
        ("America/Regina", "saskatchewan, regina, sk"),
        ("America/Edmonton", "alberta, ab, calgary, edmonton"),
        ("America/Vancouver", "vancouver, bc, victoria, Canada/Pacific"),
        ("America/Boise", "idaho, boise, ontario or"),
        ("America/Indiana/Indianapolis", "indiana, indianapolis, fort wayne"),
        ("America/Kentucky/Louisville", "kentucky, louisville"),
        ("America/Puerto_Rico", "puerto rico, pr, san juan"),
        ("Europe/London", "london, uk, england, bst, manchester uk"),
        ("Europe/Berlin", "berlin, germany, munich, cet, central european time"),
        ("Europe/Paris", "paris, Paris France, Europe/Paris"),
        ("America/Sao_Paulo", "sao paulo, S\u00e3o Paulo, america/sao paulo"),
        ("Asia/Kolkata", "india, kolkata, mumbai"),
        ("Etc/UTC", "utc, UTC, zulu, utc+0"),
        ("Etc/GMT", "gmt, GMT"),
        ("Etc/GMT+5", "utc-5, GMT-5, utc -05:00"),
    ],
)
def test_a_zone_is_read(zone, words):
    assert {word: read_zone(word) for word in words.split(", ")} == dict.fromkeys(words.split(", "), zone)


@pytest.mark.parametrize(
    ("zip_code", "zone"),
    [
        ("60601", CENTRAL), ("10001", EASTERN), ("10001-1234", EASTERN), ("Chicago, IL 60601", CENTRAL), ("94110", PACIFIC),
        ("85004", "America/Phoenix"), ("86045", MOUNTAIN),  # Navajo Nation
        ("96813", "Pacific/Honolulu"), ("99501", "America/Anchorage"), ("99546", "America/Adak"),
        ("00901", "America/Puerto_Rico"), ("96910", "Pacific/Guam"), ("96799", "Pacific/Pago_Pago"),
        ("32301", EASTERN), ("32401", CENTRAL), ("32501", CENTRAL), ("32456", EASTERN),  # Florida
        ("37201", CENTRAL), ("37402", EASTERN), ("37902", EASTERN), ("38103", CENTRAL), ("37398", CENTRAL),  # Tennessee
        ("40202", "America/Kentucky/Louisville"), ("40507", EASTERN), ("42101", CENTRAL), ("42001", CENTRAL), ("42728", CENTRAL),
        ("46204", "America/Indiana/Indianapolis"), ("46402", CENTRAL), ("47708", CENTRAL), ("46534", CENTRAL),
        ("48201", "America/Detroit"), ("49855", "America/Detroit"), ("49801", "America/Menominee"), ("49938", "America/Menominee"),
        ("68102", CENTRAL), ("69101", CENTRAL), ("69153", MOUNTAIN), ("69361", MOUNTAIN),  # Nebraska
        ("67202", CENTRAL), ("67735", MOUNTAIN), ("57104", CENTRAL), ("57701", MOUNTAIN), ("58102", CENTRAL), ("58601", MOUNTAIN),
        ("75201", CENTRAL), ("79901", MOUNTAIN), ("79836", MOUNTAIN), ("79830", CENTRAL), ("88510", MOUNTAIN),  # Texas
        ("97201", PACIFIC), ("97914", "America/Boise"), ("83702", "America/Boise"), ("83814", PACIFIC), ("83501", PACIFIC),
    ],
)  # fmt: skip
def test_zip_codes(zip_code, zone):
    assert read_zone(zip_code) == zone


@pytest.mark.parametrize(
    ("code", "zone"),
    [
        ("M5V 3L9", "America/Toronto"), ("h2y1c6", "America/Toronto"), ("V6B", "America/Vancouver"), ("T2P 1J9", "America/Edmonton"),
        ("S4P 3Y2", "America/Regina"), ("R3C 4A5", "America/Winnipeg"), ("B3J 1S9", "America/Halifax"),
        ("A1C 5M2", "America/St_Johns"), ("A0P 1E0", "America/Goose_Bay"), ("E1C 1E8", "America/Moncton"),
        ("C1A 4P3", "America/Halifax"), ("Y1A 2C6", "America/Whitehorse"), ("X0A 0H0", "America/Iqaluit"),
        ("X1A 2N2", "America/Yellowknife"), ("P9N 3X9", "America/Winnipeg"),
    ],
)  # fmt: skip
def test_postal_codes(code, zone):
    assert read_zone(code) == zone


@pytest.mark.parametrize(
    "words",
    [
        "",
        "?",
        "tell me",
        "hello there",
        "asdf",
        "12",
        "123",
        "123456",
        "09012",
        "34001",
        "time",
        "zone",
        "utc+5:30",
        "gotham",
        "Factory",
    ],
)
def test_what_is_no_zone(words):
    assert read_zone(words) is None
    assert near(words) == []


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("ct", ["Central time", "Eastern time"]),
        ("washington", ["Pacific time", "Eastern time"]),
        ("springfield", ["Central time", "Eastern time"]),
        ("birmingham", ["Central time", "London time"]),
        ("canada", ["Eastern time", "Winnipeg time", "Vancouver time"]),
        ("usa", ["Eastern time", "Central time", "Pacific time"]),
        ("ist", ["Kolkata time", "Dublin time", "Jerusalem time"]),
        ("chicgo", ["Central time"]),
        ("lodnon", ["London time"]),
        ("pheonix", ["Arizona time"]),
    ],
)
def test_what_could_be_several_is_offered_not_guessed(words, offered):
    assert read_zone(words) is None
    assert near(words) == offered
    assert all(read_zone(name) for name in offered)


def test_a_state_settles_which_city():
    assert read_zone("springfield il") == CENTRAL
    assert read_zone("Springfield, MA") == EASTERN
    assert read_zone("Portland, Maine") == read_zone("portland me") == EASTERN
    assert read_zone("knoxville tennessee") == EASTERN
    assert read_zone("paris, texas") == CENTRAL


@given(st.text(max_size=40))
def test_whatever_is_written_is_read_or_not(words):
    zone = read_zone(words)
    assert zone is None or clock_of(zone).key == zone
    assert len(near(words)) <= 3


# What texts say


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        (EASTERN, "Eastern time"),
        ("America/Detroit", "Eastern time"),
        (CENTRAL, "Central time"),
        ("America/Phoenix", "Arizona time"),
        ("America/St_Johns", "Newfoundland time"),
        ("Europe/London", "London time"),
        ("America/Argentina/Buenos_Aires", "Buenos Aires time"),
        ("Etc/GMT+5", "UTC-5"),
        ("Etc/UTC", "UTC"),
    ],
)
def test_names_of_zones(zone, said):
    assert friendly(zone) == said


def test_every_name_is_short_plain_and_understood():
    for zone in sorted(available_timezones()):
        said = friendly(zone)
        assert is_gsm7(said)
        assert len(said) <= 19
        if read_zone(zone) == zone:
            assert same_time(zone, read_zone(said)), zone


# Numbers


def test_a_number_that_could_be_anywhere_in_plus_1_has_waking_hours():
    assert candidates("+18005550101") == candidates("+15005550006") == NORTH_AMERICA
    opens = opening(datetime.fromisoformat("2026-03-04T12:00Z"), NORTH_AMERICA, DEFAULT)
    assert closing(opens, NORTH_AMERICA, DEFAULT) - opens > timedelta(hours=3)


def test_plus_1_is_not_one_country():
    assert candidates("+18765550101") == ("America/Jamaica",)
    assert candidates("+17875550101") == ("America/Puerto_Rico",)


def test_islands_on_london_time_are_no_reason_to_ask():
    assert candidates("+447700900123") == ("Europe/London",)


def test_a_mobile_number_of_a_wide_country_has_several():
    zones = candidates("+61491570156")
    assert {"Australia/Sydney", "Australia/Perth"} <= set(zones)


@pytest.mark.parametrize("number", ["", "nonsense", "+1", "+8821600000", "+999123456789", "86753"])
def test_a_number_of_no_place_is_taken_for_utc(number):
    assert candidates(number) == ("Etc/UTC",)


@given(st.from_regex(r"\+[1-9][0-9]{6,13}", fullmatch=True))
def test_every_number_has_zones_that_we_know(number):
    zones = candidates(number)
    assert zones
    assert [clock_of(zone).key for zone in zones] == list(zones)
