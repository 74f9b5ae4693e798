"""Status callbacks and the answer to sending, in every order: they end in the same state."""

import itertools

import pytest

from service.twilio.outbound import Sent
from tests.outbox import Outbox
from workers.claims import claim
from workers.outbox import settle

pytestmark = pytest.mark.on("sqlite")


@pytest.fixture
def outbox(services, players, clock):
    return Outbox(services, players, clock)


@pytest.mark.parametrize("answered", range(5))
@pytest.mark.parametrize(("last", "code"), [("delivered", None), ("undelivered", 30007)])
def test_every_order_ends_in_the_same_state(services, sender, carrier, outbox, answered, last, code):
    """All 24 orders of four callbacks, with the answer to sending before the first, after it ... after the last."""
    for order in itertools.permutations(["queued", "sending", "sent", last]):
        row = outbox.write()
        (one,) = claim(services)
        sent = sender.send(one.id, one.recipient, one.sender, one.body, one.kind)

        def answer(one=one, sent=sent):
            with services.db.begin() as db:
                settle(db, services, [(one, sent, "")], services.clock())

        for number, status in enumerate(order):
            if number == answered:
                answer()
            assert carrier.report(sent.sid, status, code if status == last else None) == 204
        if answered == 4:
            answer()
        kept = outbox.row(row)
        assert (kept.status, kept.sid, kept.rank, kept.lease_until) == (last, sent.sid, 6, None), order
        assert kept.error_code == (str(code) if code else None)


@pytest.mark.parametrize("known", [True, False])
def test_a_callback_of_a_first_attempt_after_the_second(services, sender, carrier, outbox, known, logged):
    """A text was sent again after all, and the first comes to light: the second stands, and the log says so."""
    row = outbox.write()
    (one,) = claim(services)
    first = sender.send(one.id, one.recipient, one.sender, one.body, one.kind)
    second = sender.send(one.id, one.recipient, one.sender, one.body, one.kind)
    with services.db.begin() as db:
        settle(db, services, [(one, Sent(second.sid, "queued"), "")], services.clock())
    assert carrier.report((second if known else first).sid, "delivered") == 204
    assert outbox.row(row).sid == second.sid
    assert outbox.row(row).status == ("delivered" if known else "sent")
    assert ("outbound.twice" in logged.getvalue()) is not known
