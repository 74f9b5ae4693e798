"""Texts of which nobody knows whether they were sent: settled by a callback or by a look, never by sending blindly."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from service.carrier import Trouble
from service.models import OutboundEvent, table_of
from service.twilio.fates import Fate
from service.twilio.outbound import LISTED_AT_MOST, SendError
from tests.conftest import ANN, OURS, START
from tests.outbox import Outbox
from workers import outbox as outbox_module
from workers.outbox import claim, drain
from workers.unknown import ABSENT_AFTER, NEXT_LOOK, settle_unknown

EVENT = table_of(OutboundEvent)
ACCEPTED, LOST = Trouble(0, accepts=True), Trouble(0)


@pytest.fixture
def outbox(services, players, clock):
    return Outbox(services, players, clock)


@pytest.fixture
def look(services, sender, clock):
    """Runs the clock on, looking up whatever is due on the way."""

    def look(**length):
        end = clock.now + timedelta(**length)
        while clock.now < end:
            step = max(timedelta(seconds=30), min(clock.now - START, timedelta(hours=8)) / 8)  # as the looks do
            clock.now = min(end, clock.now + step)
            settle_unknown(services, sender)

    return look


def bodies(carrier, number=ANN):
    return [text.body for text in carrier.texts_to(number)]


def test_one_that_was_accepted_is_found(services, sender, carrier, outbox, look):
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    assert outbox.row(row).status == "unknown"
    look(seconds=30)
    assert (outbox.row(row).status, outbox.row(row).sid) == ("sent", carrier.texts[0].sid)
    drain(services, sender)
    assert bodies(carrier) == ["Your turn."]


def test_one_that_was_not_is_sent_again_when_that_is_certain(services, sender, carrier, outbox, look, clock):
    carrier.troubles.append(LOST)
    row = outbox.write()
    drain(services, sender)
    look(seconds=ABSENT_AFTER.total_seconds())
    assert outbox.row(row).status == "unknown"  # not yet certain
    look(minutes=5)
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("retry", "not-there")
    drain(services, sender)
    assert (outbox.row(row).status, outbox.row(row).attempt) == ("sent", 2)
    assert bodies(carrier) == ["Your turn."]


def test_a_second_time_it_is_given_up(services, sender, carrier, outbox, look):
    carrier.troubles += [LOST, LOST]
    row = outbox.write()
    drain(services, sender)
    look(minutes=15)
    drain(services, sender)
    look(minutes=20)
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("failed", "not-there")
    drain(services, sender)
    assert carrier.texts == []


def test_a_reminder_is_not_sent_again(services, sender, carrier, outbox, look):
    carrier.troubles.append(LOST)
    row = outbox.write(kind="nudge")
    drain(services, sender)
    look(minutes=20)
    assert outbox.row(row).status == "failed"


def test_while_the_carrier_does_not_answer_nothing_is_concluded(services, sender, carrier, outbox, look, monkeypatch):
    carrier.troubles.append(LOST)
    row = outbox.write()
    drain(services, sender)

    def no_answer(*_):
        raise SendError(Fate.AMBIGUOUS, "ReadTimeout")

    with monkeypatch.context() as away:
        away.setattr(sender, "sent_to", no_answer)
        look(hours=3)
        assert (outbox.row(row).status, outbox.row(row).looks) == ("unknown", 0)
    look(minutes=30)
    assert outbox.row(row).status == "retry"


@pytest.mark.parametrize("minutes", [-30, 30])
def test_a_text_at_a_doubtful_time_leaves_it_unknown(services, sender, carrier, outbox, look, minutes):
    """The same words, but at a time that does not fit: perhaps this one, perhaps another."""
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    carrier.texts[0].created += timedelta(minutes=minutes)
    look(days=3)
    assert (outbox.row(row).status, outbox.row(row).looks) == ("unknown", len(NEXT_LOOK) + 1)
    assert carrier.requests == 1


def test_clocks_that_are_some_minutes_apart_do_no_harm(services, sender, carrier, outbox, look):
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    carrier.texts[0].created -= timedelta(minutes=4)
    look(seconds=30)
    assert outbox.row(row).status == "sent"


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_the_same_words_twice(services, sender, carrier, outbox, look, kept):
    """Two rows with the same words, and the carrier has as many of them as it accepted: each of these is found, each of
    the others sent again.
    """
    carrier.troubles += [ACCEPTED] * kept + [LOST] * (2 - kept)
    rows = [outbox.write(), outbox.write()]
    drain(services, sender)
    assert outbox.statuses() == ["unknown", "unknown"]
    look(minutes=20)
    drain(services, sender)
    assert outbox.statuses() == ["sent", "sent"]
    assert len({outbox.row(row).sid for row in rows}) == 2
    assert bodies(carrier) == ["Your turn."] * 2


def test_a_text_of_another_row_is_not_taken_for_it(services, sender, carrier, outbox, look):
    carrier.troubles.append(LOST)
    first = outbox.write()
    drain(services, sender)
    second = outbox.write()
    drain(services, sender)
    look(seconds=30)
    assert (outbox.row(first).status, outbox.row(second).status) == ("unknown", "sent")


def test_while_the_same_words_are_on_their_way_nothing_is_concluded(services, sender, carrier, outbox, look):
    carrier.troubles.append(LOST)
    first = outbox.write()
    drain(services, sender)
    outbox.write()
    (second,) = claim(services)
    sent = sender.send(second.id, ANN, OURS, second.body, "notice")  # its sender has not kept the answer yet
    look(seconds=30)
    assert outbox.row(first).sid is None
    with services.db.begin() as db:
        outbox_module.settle(db, services, [(second, sent, "")], START)
    assert (outbox.row(second.id).status, outbox.row(second.id).sid) == ("sent", sent.sid)


def test_a_callback_puts_a_mistake_right(services, sender, carrier, outbox, look):
    """Of two rows with the same words the first was lost and the second accepted: the look gives its id to the first."""
    carrier.troubles += [LOST, ACCEPTED]
    first, second = outbox.write(), outbox.write()
    drain(services, sender)
    look(seconds=30)
    assert (outbox.row(first).status, outbox.row(second).status) == ("sent", "unknown")
    assert carrier.report(carrier.texts[0].sid, "delivered") == 204
    assert (outbox.row(second).status, outbox.row(second).sid) == ("delivered", carrier.texts[0].sid)
    assert (outbox.row(first).status, outbox.row(first).sid) == ("unknown", None)


def test_what_became_of_it_is_taken_over_too(services, sender, carrier, outbox, look):
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    carrier.texts[0].status, carrier.texts[0].error_code = "undelivered", 21610
    look(seconds=30)
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("undelivered", "21610")
    assert outbox.player("Ann").opted_out_at is not None


def test_it_is_found_on_the_fourth_page(services, sender, carrier, outbox, look):
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    for n in range(350):
        carrier._accept({"To": ANN, "From": OURS, "Body": f"{n}"})
    look(seconds=30)
    assert outbox.row(row).status == "sent"


def test_a_list_without_end_proves_nothing(services, sender, carrier, outbox, look):
    carrier.troubles.append(LOST)
    row = outbox.write()
    drain(services, sender)
    for n in range(LISTED_AT_MOST + 1):
        carrier._accept({"To": ANN, "From": OURS, "Body": f"{n}"})
    look(hours=1)
    assert outbox.row(row).status == "unknown"


def test_a_late_callback_stops_what_would_be_sent_again(services, sender, carrier, outbox, look):
    carrier.troubles.append(ACCEPTED)
    row = outbox.write()
    drain(services, sender)
    hidden = carrier.texts.pop()  # the carrier's list does not have it
    look(minutes=15)
    assert outbox.row(row).status == "retry"
    carrier.texts.append(hidden)
    assert carrier.report(hidden.sid, "sent") == 204
    drain(services, sender)
    assert (outbox.row(row).status, outbox.row(row).sid) == ("sent", hidden.sid)
    assert carrier.requests == 1


def test_a_sender_that_died_after_sending(services, sender, carrier, outbox, look, clock):
    row = outbox.write()
    (mine,) = claim(services)
    sender.send(mine.id, mine.recipient, mine.sender, mine.body, mine.kind)  # and then it died
    clock.forward(seconds=outbox_module.LEASE_SECONDS + 1)
    drain(services, sender)
    look(minutes=1)
    assert outbox.row(row).status == "sent"
    assert len(carrier.texts) == 1


def test_a_sender_that_died_before_sending(services, sender, carrier, outbox, look, clock):
    row = outbox.write()
    claim(services)
    clock.forward(seconds=outbox_module.LEASE_SECONDS + 1)
    drain(services, sender)
    look(minutes=20)
    drain(services, sender)
    assert outbox.row(row).status == "sent"
    assert len(carrier.texts) == 1


def test_of_several_workers_one_looks(services, sender, carrier, outbox, clock, monkeypatch):
    carrier.troubles.append(LOST)
    row = outbox.write()
    drain(services, sender)
    clock.forward(seconds=30)
    asked = []

    def sent_to(*args):
        asked.append(args)
        return [], True

    monkeypatch.setattr(sender, "sent_to", sent_to)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(settle_unknown, services, sender) for _ in range(4)]:
            done.result()
    assert len(asked) == 1
    assert outbox.row(row).looks == 1


# What is believed sent


def test_of_a_text_without_a_word_its_state_is_asked_once(services, sender, carrier, outbox, clock):
    row = outbox.write()
    drain(services, sender)
    carrier.texts[0].status = "delivered"
    clock.forward(minutes=59)
    assert settle_unknown(services, sender) == 0
    clock.forward(minutes=2)
    assert settle_unknown(services, sender) == 1
    assert outbox.row(row).status == "delivered"
    assert settle_unknown(services, sender) == 0


def test_what_the_carrier_does_not_know_was_not_sent(services, sender, carrier, outbox, clock):
    row = outbox.write()
    drain(services, sender)
    carrier._by_sid.clear()
    clock.forward(hours=2)
    settle_unknown(services, sender)
    assert (outbox.row(row).status, outbox.row(row).error_code) == ("failed", "not-known")


# Whatever happens


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("troubles", list(itertools.product([None, ACCEPTED, LOST], repeat=2)))
@pytest.mark.parametrize("same", [True, False])
def test_each_row_is_one_text(services, sender, carrier, outbox, look, troubles, same):
    """Whatever happens to two texts to one player, in the end the carrier has each once."""
    carrier.troubles += troubles
    outbox.write(body="one")
    outbox.write(body="one" if same else "two")
    for _ in range(4):
        drain(services, sender)
        look(minutes=15)
    assert outbox.statuses() == ["sent", "sent"]
    assert sorted(bodies(carrier)) == (["one", "one"] if same else ["one", "two"])
