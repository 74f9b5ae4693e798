"""Texts that the carrier received and we did not: found in its list, taken in once, not acted on when overtaken."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from service.models import Inbound, table_of
from service.tables import OUTBOUND, PLAYER
from service.twilio.fates import Fate
from service.twilio.outbound import Finds, SendError
from tests.people import gathered
from workers.outbox import drain
from workers.reconcile import LISTS_EVERY, Reconciler

INBOUND = table_of(Inbound)


@pytest.fixture
def people(database_url, tmp_path):
    with gathered(database_url, tmp_path) as people:
        people.stage.carrier.clock = people.stage.clock
        yield people


@pytest.fixture
def ask(people):
    """Fetches what was lost, a few minutes after it was written; and sends the answers."""

    def ask(minutes=5):
        people.stage.clock.now += timedelta(minutes=minutes)
        taken = Reconciler(people.services, people.stage.sender).fetch()
        drain(people.services, people.stage.sender)
        people.stage.settle()
        return taken

    return ask


def lose(people, name, body):
    """A text whose webhook fails."""
    phone = people.stage.phone(name)
    return people.stage.carrier.lose(phone.number, people.services.settings.twilio_numbers[0], body)


def texts(people, name):
    """All that has come to a phone since everybody had read everything."""
    phone = people.stage.phone(name)
    return phone.inbox[phone.read :]


def kinds(people):
    return [row.kind for row in people.rows(INBOUND)]


def test_a_lost_move_is_played_once_and_answered(people, ask):
    people.seated()
    before = people.table("KF7").version
    people.forget()
    lose(people, "Ann", "draw")
    assert ask() == 1
    assert people.table("KF7").version == before + 1
    (said,) = texts(people, "Ann")
    assert said.startswith("KF7: you drew 7S.")
    assert ask() == 0
    assert people.table("KF7").version == before + 1


def test_the_carrier_s_own_attempts_are_waited_for(people, ask):
    people.seated()
    lose(people, "Ann", "draw")
    assert ask(minutes=1) == 0
    assert ask(minutes=1) == 1


def test_what_has_come_is_not_taken_again(people, ask):
    people.seated()
    people("Ann", "draw")
    version = people.table("KF7").version
    assert ask() == 0
    assert people.table("KF7").version == version


def test_several_workers_find_it_at_once(people):
    people.seated()
    people.forget()
    version = people.table("KF7").version
    lose(people, "Ann", "draw")
    people.stage.clock.now += timedelta(minutes=5)
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(Reconciler(people.services, people.stage.sender).fetch) for _ in range(2)]:
            done.result()
    assert people.table("KF7").version == version + 1
    assert len(people.rows(OUTBOUND, OUTBOUND.c.kind == "answer")) == 1


def test_who_has_texted_since_is_told_and_nothing_is_done(people, ask):
    people.seated()
    lose(people, "Ann", "draw")
    people.stage.clock.now += timedelta(minutes=3)
    people("Ann", "hand")
    version = people.table("KF7").version
    people.forget()
    assert ask() == 1
    assert people.table("KF7").version == version
    (said,) = texts(people, "Ann")
    assert '"draw"' in said
    assert "did nothing" in said
    assert kinds(people)[-1] == "late"


def test_a_table_that_has_moved_on_since_counts_too(people, ask):
    people.seated()
    lose(people, "Bea", "draw")
    people.stage.clock.now += timedelta(minutes=3)
    people("Ann", "draw, discard 4h")
    version = people.table("KF7").version
    ask()
    assert people.table("KF7").version == version
    assert kinds(people)[-1] == "late"


def test_of_an_old_one_nobody_is_told(people, ask):
    people.seated()
    lose(people, "Ann", "draw")
    people.stage.clock.now += timedelta(hours=1)
    people("Ann", "hand")
    people.forget()
    ask(minutes=60 * 23 + 30)
    assert not any("did nothing" in text for text in texts(people, "Ann"))
    assert kinds(people)[-1] == "late"


@pytest.mark.parametrize("words", ["STOP", "please stop texting me"])
def test_a_lost_stop_counts_however_late(people, ask, words):
    people.seated()
    lose(people, "Bea", words)
    people.stage.clock.now += timedelta(minutes=3)
    people("Ann", "draw, discard 4h")
    people("Bea", "hand")
    ask(minutes=60 * 20)
    assert people.rows(PLAYER, PLAYER.c.name == "Bea")[0].opted_out_at is not None


def test_but_not_after_a_start(people, ask):
    people.seated()
    lose(people, "Bea", "STOP")
    people.stage.clock.now += timedelta(minutes=3)
    people("Bea", "STOP")
    people("Bea", "START")
    ask()
    assert people.rows(PLAYER, PLAYER.c.name == "Bea")[0].opted_out_at is None


def test_its_answer_waits_for_the_morning(people, ask):
    people.seated()
    people.stage.clock.now = people.stage.clock.now.replace(hour=23, minute=30) + timedelta(
        days=1
    )  # UTC: in the evening
    lose(people, "Ann", "hand")
    people.forget()
    ask(minutes=60 * 7)
    assert texts(people, "Ann") == []
    people.stage.run_to(people.stage.clock.now + timedelta(hours=14))
    assert texts(people, "Ann") != []


def test_short_codes_and_strange_countries_are_left_alone(people, ask):
    ours = people.services.settings.twilio_numbers[0]
    for sender in ("86753", "+18765550123", ours, "whatsapp:+12125550123"):
        people.stage.carrier.lose(sender, ours, "draw")
    assert ask() == 0
    assert kinds(people) == []


def test_it_lists_every_fifteen_minutes_and_again_after_a_failure(people):
    class Lists:
        def __init__(self):
            self.times, self.fails = [], False

        def sent_to(self, *_):
            return [], True

        def sent_as(self, *_):
            return None

        def received(self, _recipient, since):
            self.times.append((people.stage.clock.now, since))
            if self.fails:
                raise SendError(Fate.AMBIGUOUS, "ReadTimeout")
            return []

    lists = Lists()
    assert isinstance(lists, Finds)
    reconciler = Reconciler(people.services, lists)
    began = people.stage.clock.now
    for _ in range(61):
        reconciler.run()
        people.stage.clock.now += timedelta(minutes=1)
        lists.fails = people.stage.clock.now < began + timedelta(minutes=40)
    assert [when - began for when, _ in lists.times] == [n * LISTS_EVERY for n in range(5)]
    first, *_, last = [since for _, since in lists.times]
    assert first <= began - timedelta(days=1)
    assert last <= began + timedelta(minutes=45) - timedelta(hours=1)
