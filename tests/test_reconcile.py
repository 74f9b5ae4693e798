"""Texts that the carrier received and we did not: found in its list, taken in once, not acted on when overtaken."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count

import pytest

from engine import bots
from engine.game import write_move
from service import spending
from service.models import Inbound, table_of
from service.play.door import SORRY
from service.stored import OUTBOUND, PLAYER
from service.text.gsm7 import segments
from service.twilio.fates import Fate
from service.twilio.outbound import Finds, SendError
from tests.deaths import Moments
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


def test_where_it_comes_after_all_it_is_not_answered_again(people, ask):
    people.seated()
    sid = lose(people, "Ann", "draw")
    people.forget()
    ask()
    version = people.table("KF7").version
    assert people("Ann", "draw", sid) is None
    people.stage.settle()
    assert len(texts(people, "Ann")) == 1
    assert people.table("KF7").version == version


def test_its_answer_is_paid_for_once(people, ask):
    people.seated()
    lose(people, "Ann", "draw")
    people.forget()
    ask()
    (said,) = texts(people, "Ann")
    (ann,) = people.rows(PLAYER, PLAYER.c.name == "Ann")
    with people.services.db.begin() as conn:
        assert spending.used_by_one(conn, ann.id, people.stage.clock.now) == segments(said)


def test_one_that_a_fault_of_ours_has_met_is_apologized_for(people, ask, monkeypatch):
    people.seated()
    version = people.table("KF7").version
    lose(people, "Ann", "draw")
    people.forget()
    with monkeypatch.context() as broken:
        broken.setattr("service.play.door.act", lambda *_: 1 / 0)
        assert ask() == 1
    assert texts(people, "Ann") == [SORRY]
    assert people.table("KF7").version == version
    assert kinds(people) == ["error"]


def test_who_is_forgotten_by_it_is_written_to_no_more(people, ask):
    people.seated()
    people("Ann", "forget me")
    lose(people, "Ann", "forget me now")
    people.forget()
    number = people.stage.phone("Ann").number
    ask()
    assert texts(people, "Ann") == []
    assert all(row.recipient != number for row in people.rows(OUTBOUND))


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


def test_one_that_cannot_be_taken_in_keeps_no_other_from_it_and_is_tried_again(people, monkeypatch, logged):
    people.seated()
    lose(people, "Bea", "draw")
    people("Ann", "draw, discard 4h")  # it has been overtaken
    people.stage.clock.now += timedelta(minutes=1)
    lose(people, "Dot", "hand")
    people.stage.clock.now += timedelta(minutes=5)
    people.forget()
    reconciler = Reconciler(people.services, people.stage.sender)
    with monkeypatch.context() as broken:
        broken.setattr("workers.reconcile.came_late", lambda *_: 1 / 0)
        reconciler.run()
    assert [row.body for row in people.rows(OUTBOUND, OUTBOUND.c.kind == "answer")] != []
    assert kinds(people) == ["moves", "command"]
    assert "inbound.not_taken" in logged.getvalue()
    for _ in range(5):  # also much later, when the next list would not reach back so far
        people.stage.clock.now += LISTS_EVERY
        with monkeypatch.context() as broken:
            broken.setattr("workers.reconcile.came_late", lambda *_: 1 / 0)
            reconciler.run()
    people.stage.clock.now += LISTS_EVERY
    reconciler.run()
    assert kinds(people) == ["moves", "command", "late"]


def test_through_a_messaging_service_texts_to_all_its_numbers_count(database_url, tmp_path):
    ours, another = "MG" + "3" * 32, "MG" + "4" * 32
    with gathered(database_url, tmp_path, twilio_numbers="", twilio_messaging_service_sid=ours) as people:
        people.stage.carrier.clock = people.stage.clock
        people.seated()
        for body, service in (("hand", another), ("score", ""), ("draw", ours)):
            people.stage.carrier.lose(people.stage.phone("Ann").number, "+12125550177", body, service)
        people.stage.clock.now += timedelta(minutes=5)
        assert Reconciler(people.services, people.stage.sender).fetch() == 1
        assert [line for _, line in people.lines("KF7")] == ["draw"]


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


def test_whoever_takes_it_in_may_die_at_any_moment(people):
    """The next one finds the move played with its answer written, or neither, and does it: one move, one answer."""
    people.seated()
    moments = Moments(people.services.db)
    for deaths in count():
        table = people.table("KF7")
        seat = table.state.turn
        people.forget()
        move = bots.choose(table.game.view(table.state, seat), table.game.legal(table.state, seat))
        lose(people, table.names[seat], write_move(move))
        people.stage.clock.now += timedelta(minutes=5)
        died = moments.dies(Reconciler(people.services, people.stage.sender).fetch, deaths)
        Reconciler(people.services, people.stage.sender).fetch()
        people.stage.settle()
        assert people.table("KF7").version == table.version + 1
        assert len(texts(people, table.names[seat])) == 1
        if not died:
            break
    assert deaths > 4
