"""Somebody has opted out at the carrier, and who hears of it dies at any moment: their seat goes, and it is told once."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from service.stored import OUTBOUND, PLAYER, TABLE
from tests.deaths import Moments
from workers.claims import LEASE_SECONDS
from workers.outbox import drain
from workers.unknown import due_looks, settle_unknown

OPTED_OUT = 21610


@pytest.fixture
def people(people):
    """Where somebody is gone, a bot sits in. It is Bea's turn, which she has not been told."""
    people.seated()
    with people.services.db.begin() as conn:
        conn.execute(update(TABLE).values(late_rule="bot"))
    people.stage.carrier.clock = people.stage.clock
    people.stage.carrier.deliver(people.stage.phone("Ann").number, "+12125550199", "draw, discard 4h")
    return people


@pytest.fixture
def refused(people, monkeypatch):
    """The carrier takes no text to Bea."""
    fault, bea = people.stage.carrier._fault, people.stage.phone("Bea").number
    monkeypatch.setattr(
        people.stage.carrier, "_fault", lambda form: OPTED_OUT if form.get("To") == bea else fault(form)
    )


def goes_on(people):
    """Another worker, for as long as it takes."""
    for length in (timedelta(), timedelta(seconds=LEASE_SECONDS + 1), *[timedelta(minutes=11)] * 3):
        people.stage.clock.now += length
        drain(people.services, people.stage.sender)
        while due_looks(people.services):
            settle_unknown(people.services, people.stage.sender)
    people.stage.settle()


def check(people):
    """Bea is out, a bot has played for her, and the three others have been told once."""
    (bea,) = people.rows(PLAYER, PLAYER.c.name == "Bea")
    assert bea.opted_out_at is not None
    assert people.turn("KF7") != "Bea"
    for name in ("Ann", "Cy", "Dot"):
        assert sum("Bea gets no more texts" in text for text in people.told(name)) == 1
    assert not people.rows(OUTBOUND, OUTBOUND.c.status.in_(("pending", "retry", "sending", "unknown")))


@pytest.mark.parametrize("deaths", range(12))
def test_the_worker_whose_text_is_refused(people, refused, deaths):
    assert Moments(people.services.db).dies(lambda: drain(people.services, people.stage.sender), deaths)
    goes_on(people)
    check(people)


@pytest.mark.parametrize("deaths", range(3))
def test_the_web_process_that_is_called_back(people, deaths):
    people.stage.settle()
    (sent,) = people.stage.carrier.texts_to(people.stage.phone("Bea").number)
    died = Moments(people.services.db).dies(
        lambda: people.stage.carrier.report(sent.sid, "undelivered", OPTED_OUT), deaths
    )
    assert died is (deaths < 2)
    assert people.stage.carrier.report(sent.sid, "undelivered", OPTED_OUT) == 204
    goes_on(people)
    check(people)


@pytest.mark.parametrize("deaths", range(7))
def test_the_worker_that_looks_up_what_nobody_knows(people, deaths):
    people.stage.settle()
    (sent,) = people.stage.carrier.texts_to(people.stage.phone("Bea").number)
    sent.status, sent.error_code = "undelivered", OPTED_OUT
    with people.services.db.begin() as conn:
        conn.execute(
            update(OUTBOUND)
            .where(OUTBOUND.c.sid == sent.sid)
            .values(status="unknown", rank=0, sid=None, looks=0, next_attempt_at=people.stage.clock.now)
        )
    died = Moments(people.services.db).dies(lambda: settle_unknown(people.services, people.stage.sender), deaths)
    assert died is (deaths < 6)
    goes_on(people)
    check(people)
