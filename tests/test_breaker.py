"""When the carrier refuses us altogether: everything stops as one, nothing is lost, one text finds out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from commands.status import status
from service import breaker
from service.breaker import FIRST_PAUSE, LONGEST_PAUSE, MENDING
from service.carrier import Trouble
from service.config import load
from service.models import GameTable, table_of
from service.twilio.outbound import TwilioSender
from tests.conftest import ANN, BEA, OURS, START
from tests.outbox import ADDRESS, PLAYER, Outbox
from workers.outbox import BATCH, SENDERS, drain

REFUSED = Trouble(401, 20003)
OTHER = "+12125550199"


@pytest.fixture
def outbox(services, players, clock):
    return Outbox(services, players, clock)


@pytest.fixture
def empty_out(services, sender, clock):
    """A drain for which time goes by as it waits."""
    return lambda with_=sender: drain(services, with_, nap=lambda seconds: clock.forward(seconds=seconds))


def standing(services):
    with services.db.begin() as db:
        return breaker.standing(db)


def test_nothing_is_asked_until_the_pause_is_over(services, sender, carrier, outbox, clock):
    for name in ADDRESS:
        outbox.write(name)
    carrier.troubles += [REFUSED] * 4
    drain(services, sender)
    asked = carrier.requests
    assert asked <= 4
    assert {(row.attempt, row.status in ("pending", "retry")) for row in outbox.rows()} == {(0, True)}
    clock.forward(seconds=FIRST_PAUSE.total_seconds() - 1)
    drain(services, sender)
    assert carrier.requests == asked


def test_one_text_finds_out_and_the_pause_doubles(services, sender, carrier, outbox, clock):
    for name in ADDRESS:
        outbox.write(name)
    carrier.troubles += [REFUSED] * 50
    drain(services, sender)
    carrier.requests = 0
    pauses = []
    for _ in range(8):
        (row,) = standing(services)
        clock.now = row.until
        drain(services, sender)
        pauses.append(standing(services)[0].until - clock.now)
    assert carrier.requests == 8
    minutes = [min(2**n, 30) for n in range(1, 9)]
    assert pauses == [timedelta(minutes=n) for n in minutes]
    assert max(pauses) == LONGEST_PAUSE
    assert {row.attempt for row in outbox.rows()} == {0}


def test_of_several_workers_one_finds_out(services, carrier, outbox, clock, sender):
    for name in ADDRESS:
        outbox.write(name)
    carrier.troubles += [REFUSED] * 50
    drain(services, sender)
    carrier.requests = 0
    clock.forward(minutes=1)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(drain, services, sender) for _ in range(4)]:
            done.result()
    assert carrier.requests == 1


def test_afterwards_texts_go_out_slowly_and_then_as_ever(services, sender, carrier, outbox, clock, empty_out):
    rows = [outbox.write(name, body=f"{n}") for n in range(10) for name in ADDRESS]
    carrier.troubles += [REFUSED] * 8
    drain(services, sender)
    carrier.troubles.clear()
    clock.forward(minutes=1)
    began = clock.now
    empty_out()
    assert {outbox.row(row).status for row in rows} == {"sent"}
    assert clock.now - began > timedelta(seconds=5)
    assert [row.failures for row in standing(services)] == [0]
    clock.forward(seconds=MENDING.total_seconds() + 1)
    for name in ADDRESS:
        for n in range(5):
            outbox.write(name, body=f"{n}")
    began = clock.now
    empty_out()
    assert clock.now == began
    assert standing(services) == []


def test_what_is_stale_by_then_is_not_sent(services, sender, carrier, outbox, clock, players, empty_out):
    table = table_of(GameTable)
    with services.db.begin() as db:
        number = db.execute(
            table.insert()
            .values(
                code="KF7", game="damn-the-queens", seat_count=4, host_id=players["Ann"], status="playing", seed="7",
                version=5, created_at=START, updated_at=START,
            )
            .returning(table.c.id)
        ).scalar_one()  # fmt: skip
        db.execute(update(PLAYER).values(zone="America/New_York"))
    carrier.troubles += [REFUSED] * 200
    turn = outbox.write("Ann", kind="turn", table_id=number, turn_version=5)
    nudge = outbox.write("Bea", kind="nudge", table_id=number, turn_version=5)
    notice = outbox.write("Cy")
    drain(services, sender)
    clock.forward(hours=3)
    with services.db.begin() as db:
        db.execute(update(table).values(version=6))
    carrier.troubles.clear()
    empty_out()
    assert (outbox.row(turn).status, outbox.row(turn).error_code) == ("canceled", "moved-on")
    assert outbox.row(nudge).status == "canceled"
    assert outbox.row(notice).status == "sent"


def test_a_reminder_that_waited_for_too_long_is_not_sent(services, sender, carrier, outbox, clock, empty_out):
    carrier.troubles += [REFUSED] * 200
    row = outbox.write("Bea", kind="nudge")
    drain(services, sender)
    clock.forward(hours=3)
    carrier.troubles.clear()
    empty_out()
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("canceled", "too-late")


def test_a_trial_without_an_answer_leaves_it_stopped(services, sender, carrier, outbox, clock):
    outbox.write("Ann")
    outbox.write("Bea")
    carrier.troubles += [REFUSED, REFUSED]
    drain(services, sender)
    carrier.troubles.clear()
    carrier.troubles.append(Trouble(0))
    clock.forward(minutes=1)
    drain(services, sender)
    assert sorted(outbox.statuses()) in (["pending", "unknown"], ["retry", "unknown"])
    assert standing(services)[0].failures == 1


def test_a_text_refused_for_its_own_sake_shows_that_we_are_not(services, sender, carrier, outbox, clock, empty_out):
    outbox.write("Ann")
    outbox.write("Bea")
    carrier.troubles += [REFUSED, REFUSED]
    drain(services, sender)
    carrier.troubles.clear()
    carrier.troubles.append(Trouble(400, 21610))
    clock.forward(minutes=1)
    empty_out()
    assert sorted(outbox.statuses()) == ["failed", "sent"]


def test_a_carrier_that_does_not_answer_is_not_asked_for_ever(services, sender, carrier, outbox, players):
    """Each text without an answer is one of which nobody knows whether it went: so it is a few, and not all."""
    with services.db.begin() as db:
        for n in range(100):
            number = f"+1646555{n:04}"
            ids = db.execute(
                PLAYER.insert()
                .values(channel="sms", address=number, created_at=START, prefs={}, unclear_count=0)
                .returning(PLAYER.c.id)
            ).scalar_one()
            players[number] = ids
    for number, player in players.items():
        outbox.write("Ann", player_id=player, recipient=ADDRESS.get(number, number))
    carrier.troubles += [Trouble(0)] * 200
    drain(services, sender)
    assert carrier.requests <= BATCH + SENDERS < len(players)
    assert [row.code for row in standing(services)] == ["no-answer"]
    statuses = outbox.statuses()
    assert statuses.count("unknown") == carrier.requests
    assert statuses.count("pending") == len(players) - carrier.requests


# One number of several


@pytest.fixture
def pool(services, settings, carrier):
    """Two numbers of ours."""
    settings = load(**settings.model_dump() | {"twilio_numbers": f"{OURS},{OTHER}"})
    services = replace(services, settings=settings)
    return services, TwilioSender(settings, carrier.client())


def test_one_number_is_stopped_and_the_other_goes_on(pool, carrier, outbox, clock):
    services, sender = pool
    carrier.troubles.append(Trouble(400, 21606))
    first = outbox.write("Ann", sender=OURS)
    drain(services, sender)
    waits = outbox.write("Cy", sender=OURS)
    goes = outbox.write("Bea", sender=OTHER)
    drain(services, sender)
    assert [outbox.row(row).status for row in (first, waits, goes)] == ["retry", "pending", "sent"]
    assert [row.scope for row in standing(services)] == [OURS]
    clock.forward(minutes=1)
    drain(services, sender, nap=lambda seconds: clock.forward(seconds=seconds))
    assert outbox.statuses() == ["sent", "sent", "sent"]


def test_a_number_that_is_no_longer_ours_gives_way_to_one_that_stays(pool, carrier, outbox):
    services, sender = pool
    with services.db.begin() as db:
        db.execute(update(PLAYER).values(sender="+12125550177"))
    for n in range(3):
        outbox.write("Ann", sender="+12125550177", body=f"{n}")
    outbox.write("Bea", sender=None)
    drain(services, sender)
    assert len({text.sender for text in carrier.texts_to(ANN)}) == 1
    assert {text.sender for text in carrier.texts} <= {OURS, OTHER}
    assert outbox.player("Ann").sender == carrier.texts_to(ANN)[0].sender
    assert outbox.player("Bea").sender == carrier.texts_to(BEA)[0].sender


def test_no_way_from_one_number_and_the_other_is_tried_once(pool, carrier, outbox):
    services, sender = pool
    carrier.troubles.append(Trouble(400, 21612))
    row = outbox.write("Ann", sender=OURS)
    drain(services, sender)
    assert (outbox.row(row).status, carrier.texts_to(ANN)[0].sender) == ("sent", OTHER)
    carrier.troubles += [Trouble(400, 21612)] * 2
    row = outbox.write("Bea", sender=OURS)
    drain(services, sender)
    assert outbox.row(row).status == "failed"
    assert outbox.player("Bea").unreachable_at == START


def test_a_full_queue_stops_its_number_for_a_while(services, sender, carrier, outbox, clock, empty_out):
    carrier.troubles.append(Trouble(429, 21611))
    outbox.write("Ann")
    drain(services, sender)
    nudge = outbox.write("Bea", kind="nudge")
    outbox.write("Cy")
    drain(services, sender)
    assert carrier.requests == 1
    clock.forward(minutes=15)
    empty_out()
    assert [row.status for row in outbox.rows()] == ["sent", "sent", "sent"]
    assert outbox.row(nudge).attempt == 1


# What is said


def test_it_is_said_in_readyz_and_status(services, sender, carrier, outbox, client, clock):
    outbox.write()
    carrier.troubles.append(REFUSED)
    drain(services, sender)
    said = client.get("/readyz")
    assert (said.status_code, said.json["sending"]) == (200, "stopped")
    (stop,) = said.json["stopped"]
    assert (stop["what"], stop["why"], stop["failures"]) == ("all", "20003", 1)
    assert stop["next"] == (START + FIRST_PAUSE).isoformat()
    assert "queenline_sending_stopped 1.0" in client.get("/metrics").text
    facts = status(services)
    assert facts["sending"] == "stopped"
    assert "20003" in facts["stopped"]["all"]


# What a status callback means


@pytest.fixture
def told(services, sender, carrier, outbox):
    """A text is sent, and the carrier says later that it failed; the row."""

    def told(code, name="Ann", **more):
        row = outbox.write(name, **more)
        drain(services, sender)
        assert carrier.report(outbox.row(row).sid, "undelivered", code) == 204
        return row

    return told


def test_a_phone_that_is_off_gets_a_turn_once_more_in_an_hour(services, sender, carrier, outbox, told, clock):
    told(30003, kind="turn", body="Your turn.")
    assert [(row.status, row.next_attempt_at) for row in outbox.rows()][1] == ("pending", START + timedelta(hours=1))
    clock.forward(hours=1)
    drain(services, sender)
    assert carrier.report(outbox.rows()[1].sid, "undelivered", 30003) == 204
    assert outbox.statuses() == ["undelivered", "undelivered"]


def test_a_reminder_is_not_written_again(outbox, told):
    told(30003, kind="nudge")
    assert outbox.statuses() == ["undelivered"]


def test_after_three_in_a_row_nothing_goes_until_they_text(services, sender, carrier, outbox, told, clock):
    for _ in range(3):
        told(30003)
    row = outbox.write("Ann")
    drain(services, sender)
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("canceled", "unreachable")
    assert status(services)["players_unreachable"] == 1
    clock.forward(minutes=1)
    with services.db.begin() as db:
        db.execute(update(PLAYER).where(PLAYER.c.address == ANN).values(last_inbound_at=clock.now))
    row = outbox.write("Ann")
    drain(services, sender)
    assert outbox.row(row).status == "sent"
    assert status(services)["players_unreachable"] == 0


@pytest.mark.parametrize(("code", "texts"), [(30004, 1), (30005, 2), (30006, 2), (21614, 1)])
def test_after_how_many_a_number_is_dead(outbox, told, code, texts):
    for n in range(1, texts + 1):
        told(code)
        assert (outbox.player("Ann").unreachable_at is not None) is (n == texts)


def test_who_told_the_carrier_stop_has_opted_out(services, sender, outbox, told):
    told(21610)
    assert outbox.player("Ann").opted_out_at == START
    row = outbox.write("Ann")
    drain(services, sender)
    assert outbox.row(row).error_code == "opted-out"


def test_a_day_s_cap_waits_for_the_next_day_there(outbox, told):
    told(30023)
    again = outbox.rows()[1]
    assert again.status == "pending"
    assert again.next_attempt_at.isoformat() == "2026-03-03T08:05:00+00:00"  # five past midnight in California


def test_a_number_that_is_not_registered_stops(services, sender, carrier, outbox, told):
    told(30034)
    assert [(row.scope, row.code) for row in standing(services)] == [(OURS, "30034")]
    outbox.write("Bea")
    drain(services, sender)
    assert len(carrier.texts) == 1
