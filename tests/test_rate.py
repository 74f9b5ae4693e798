"""How fast a number of ours sends: counted in segments, shared by all workers, turns before reminders."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert

from service.config import SettingsError, load
from service.senders import number_for, rate_of
from tests.conftest import OURS, START, Clock
from tests.outbox import OUTBOUND, PLAYER, Outbox
from workers.bucket import Buckets, holds
from workers.outbox import drain

TOLL_FREE, OTHER = "+18885550100", "+12125550199"


@pytest.fixture
def limited(services, settings, valkey, redis):
    """Services with a real Valkey and two segments a second."""
    settings = load(**settings.model_dump() | {"redis_url": valkey.connection_url, "sender_segments_per_second": "2"})
    return replace(services, settings=settings)


@pytest.fixture
def outbox(services, players, clock):
    return Outbox(services, players, clock)


@pytest.fixture
def crowd(services, clock):
    """Writes a text to each of so many people, who are awake."""

    def crowd(count, first=0, segments=1, **more):
        with services.db.begin() as db:
            for n in range(first, first + count):
                player = db.execute(
                    insert(PLAYER)
                    .values(
                        channel="sms", address=f"+1212555{n:04}", created_at=START, prefs={}, last_inbound_at=clock.now
                    )
                    .returning(PLAYER.c.id)
                ).scalar_one()
                values = {"recipient": f"+1212555{n:04}", "sender": OURS, "body": "Hi", "kind": "notice"} | more
                times = {"next_attempt_at": clock.now, "created_at": clock.now}
                db.execute(insert(OUTBOUND).values(player_id=player, segments=segments, **values, **times))

    return crowd


@pytest.fixture
def seconds(limited, sender, clock):
    """Drains, and says how long that would have taken."""

    def seconds():
        began = clock.now
        drain(limited, sender, nap=lambda length: clock.forward(seconds=length))
        return (clock.now - began).total_seconds()

    return seconds


@pytest.mark.on("sqlite")
def test_a_sender_keeps_to_its_rate(crowd, seconds, carrier):
    crowd(50)
    assert seconds() == pytest.approx((50 - holds(2)) / 2, abs=1)
    assert len({text.to for text in carrier.texts}) == 50


@pytest.mark.on("sqlite")
def test_segments_count_and_not_texts(crowd, seconds, carrier):
    crowd(25, segments=2)
    assert seconds() == pytest.approx((50 - holds(2)) / 2, abs=1)
    assert len(carrier.texts) == 25


@pytest.mark.on("sqlite")
def test_turns_go_before_reminders(crowd, seconds, carrier):
    crowd(15, kind="nudge", body="Still your turn.")
    crowd(15, first=200, body="Your turn.")
    seconds()
    assert [text.body for text in carrier.texts] == ["Your turn."] * 15 + ["Still your turn."] * 15


@pytest.mark.on("sqlite")
def test_a_long_text_is_not_overtaken_for_ever(crowd, seconds, carrier):
    crowd(10)
    crowd(1, first=50, segments=3, body="long")
    crowd(20, first=200)
    seconds()
    assert [text.body for text in carrier.texts].index("long") == 10


@pytest.mark.on("sqlite")
def test_several_workers_share_it(limited, settings, valkey, redis, clock):
    buckets = [Buckets(limited.settings, clock) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        got = sum(pool.map(lambda bucket: sum(bucket.take(OURS, 1, 5.0) for _ in range(20)), buckets))
    assert got == holds(5.0)
    clock.forward(seconds=1)
    assert sum(bucket.take(OURS, 100, 5.0) for bucket in buckets) == 5


@pytest.mark.on("sqlite")
def test_what_was_not_sent_goes_back(limited, redis, clock):
    bucket = Buckets(limited.settings, clock)
    assert bucket.take(OURS, 8, 2.0) == 8
    bucket.take(OURS, -8, 2.0)
    assert bucket.take(OURS, 100, 2.0) == holds(2.0)
    bucket.take(OURS, -1000, 2.0)
    assert bucket.take(OURS, 100, 2.0) == holds(2.0)


@pytest.mark.on("sqlite")
def test_no_number_is_in_redis(limited, redis, clock):
    Buckets(limited.settings, clock).take(OURS, 1, 2.0)
    (key,) = redis.keys()
    assert OURS[1:].encode() not in key


@pytest.mark.on("sqlite")
def test_a_clock_that_was_wrong_stops_nobody(limited, redis, clock):
    ahead = Buckets(limited.settings, Clock(START + timedelta(hours=1)))
    ahead.take(OURS, 100, 2.0)
    behind = Buckets(limited.settings, clock)
    assert behind.take(OURS, 100, 2.0) == 0
    clock.forward(seconds=3)
    assert behind.take(OURS, 100, 2.0) == 6


@pytest.mark.on("sqlite")
def test_without_redis_a_quarter_of_it(settings, clock):
    alone = Buckets(settings, clock)  # nobody is there
    alone.take(OURS, 1000, 4.0)
    clock.forward(seconds=10)
    assert alone.take(OURS, 1000, 4.0) == 4
    assert alone.take(OTHER, 1000, 400.0) <= holds(400.0) / 4


@pytest.mark.on("sqlite")
def test_without_redis_the_next_drain_remembers_the_last(services, settings, sender, carrier, crowd):
    """The clock stands still: what the first has used up is not there for the second."""
    alone = replace(services, settings=load(**settings.model_dump() | {"sender_segments_per_second": "1"}))
    crowd(20)
    for _ in range(3):
        drain(alone, sender, nap=lambda _: None)
    assert len(carrier.texts) == 4


@given(st.lists(st.tuples(st.integers(0, 30), st.floats(0, 3)), max_size=30), st.sampled_from([0.5, 1.0, 3.0]))
def test_never_more_than_the_rate_in_any_time(takes, rate):
    clock = Clock()
    settings = load(
        database_url="sqlite:///x", redis_url="redis://127.0.0.1:1/0", public_url="https://cards.example.com",
        secret_key="0123456789abcdef" * 2, twilio_account_sid="AC" + "1" * 32, twilio_auth_token="an-auth-token",
        twilio_numbers=OURS,
    )  # fmt: skip
    bucket = Buckets(settings, clock, monotonic=lambda: -1.0)  # always as if Redis had just been away
    bucket._away_until = 0.0
    got = 0
    for wanted, pause in takes:
        got += bucket.take(OURS, wanted, rate * 4)
        clock.forward(seconds=pause)
    assert got <= max(4, holds(4 * rate) / 4) + rate * sum(pause for _, pause in takes) + 1e-6


@pytest.mark.on("sqlite")
def test_a_day_s_cap(services, settings, sender, carrier, crowd, clock):
    settings = load(**settings.model_dump() | {"sender_segments_per_day": 5})
    capped = replace(services, settings=settings)
    crowd(3, segments=2)
    drain(capped, sender)
    assert len(carrier.texts) == 3
    crowd(1, first=10)
    drain(capped, sender)
    assert len(carrier.texts) == 3
    clock.now = START.replace(hour=0) + timedelta(days=1)
    with services.db.begin() as db:
        db.execute(PLAYER.update().values(last_inbound_at=clock.now))
    drain(capped, sender)
    assert len(carrier.texts) == 4


# Settings


@pytest.mark.on("sqlite")
@pytest.mark.parametrize(
    ("said", "number", "rate"),
    [("auto", OURS, 1.0), ("auto", TOLL_FREE, 3.0), ("auto", None, 0.0), ("0", OURS, 0.0), ("2.5", OURS, 2.5)],
)
def test_the_rate_of_a_number(settings, said, number, rate):
    settings = load(**settings.model_dump() | {"sender_segments_per_second": said})
    assert rate_of(settings, number) == rate


@pytest.mark.on("sqlite")
def test_a_rate_that_is_none_is_refused(settings):
    with pytest.raises(SettingsError, match="SENDER_SEGMENTS_PER_SECOND must be auto, or a number"):
        load(**settings.model_dump() | {"sender_segments_per_second": "fast"})


@pytest.mark.on("sqlite")
def test_a_number_stays_whichever_others_come_and_go(settings):
    pool = [f"+1212555019{n}" for n in range(5)]
    every = load(**settings.model_dump() | {"twilio_numbers": ",".join(pool)})
    chosen = {player: number_for(every, None, player) for player in range(200)}
    assert set(chosen.values()) == set(pool)
    less = load(**settings.model_dump() | {"twilio_numbers": ",".join(pool[:4])})
    for player, number in chosen.items():
        if number != pool[4]:
            assert number_for(less, None, player) == number
        assert number_for(less, pool[1], player) == pool[1]
