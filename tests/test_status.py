"""POST /sms/status: what the carrier says became of a text, in whatever order it says so."""

import itertools

import pytest
from sqlalchemy import insert, select

from service.models import Outbound, OutboundEvent, table_of
from tests.conftest import ACCOUNT, ANN, OURS

OUTBOUND, EVENT = table_of(Outbound), table_of(OutboundEvent)
SID = "SM" + "b" * 32


@pytest.fixture
def row(services, players, clock):
    """A text that is being sent: claimed, and the answer of the carrier not yet there."""
    with services.db.begin() as db:
        return db.execute(
            insert(OUTBOUND)
            .values(
                player_id=players["Ann"], recipient=ANN, body="Your turn.", kind="turn", status="sending", attempt=1,
                next_attempt_at=clock(), created_at=clock(),
            )
            .returning(OUTBOUND.c.id)
        ).scalar_one()  # fmt: skip


@pytest.fixture
def report(client, sign):
    def post(status, code="", own="", sid=SID):
        form = {
            "MessageSid": sid,
            "SmsSid": sid,
            "MessageStatus": status,
            "AccountSid": ACCOUNT,
            "From": OURS,
            "To": ANN,
        }
        if code:
            form["ErrorCode"] = code
        path = f"/sms/status?o={own}" if own != "" else "/sms/status"
        response = client.post(path, data=form, headers={"X-Twilio-Signature": sign(path, form)})
        assert (response.status_code, response.text) == (204, "")

    return post


@pytest.fixture
def now_is(services, row):
    def look():
        with services.db.begin() as db:
            return db.execute(select(OUTBOUND).where(OUTBOUND.c.id == row)).one()

    return look


@pytest.mark.parametrize("order", list(itertools.permutations(["queued", "sent", "delivered"])))
def test_any_order_ends_in_delivered(report, row, now_is, order):
    for status in order:
        report(status, own=row)
    assert (now_is().status, now_is().sid, now_is().rank) == ("delivered", SID, 6)


def test_delivered_is_not_taken_back(report, row, now_is):
    report("delivered", own=row)
    report("undelivered", "30003", own=row)
    assert (now_is().status, now_is().error_code) == ("delivered", None)


def test_sent_may_be_the_last_word(report, row, now_is):
    report("sent", own=row)
    assert now_is().status == "sent"
    assert now_is().sent_at is not None


def test_a_failure_keeps_its_code(report, row, now_is):
    report("undelivered", "30003", own=row)
    assert (now_is().status, now_is().error_code) == ("undelivered", "30003")


def test_it_may_come_before_we_know_the_carriers_id(report, row, now_is):
    report("sent", own=row)
    assert now_is().sid == SID


def test_the_carriers_id_finds_the_row_too(report, row, now_is):
    report("queued", own=row)
    report("delivered")
    assert now_is().status == "delivered"


def test_every_callback_is_kept_once(report, row, services):
    for status in ("sent", "sent", "delivered", "undelivered", "sent"):
        report(status, own=row)
    report("undelivered", "30003", own=row)
    report("undelivered", "30003", own=row)
    with services.db.begin() as db:
        kept = db.execute(select(EVENT.c.status, EVENT.c.error_code).order_by(EVENT.c.id)).all()
    assert [tuple(event) for event in kept] == [
        ("sent", ""),
        ("delivered", ""),
        ("undelivered", ""),
        ("undelivered", "30003"),
    ]


@pytest.mark.parametrize("status", ["partially_delivered", "teleported", "receiving", ""])
def test_a_status_that_we_do_not_know_changes_nothing(report, row, now_is, status):
    report(status, own=row)
    assert now_is().status == "sending"


def test_read_is_more_than_delivered(report, row, now_is):
    report("read", own=row)
    report("delivered", own=row)
    assert (now_is().status, now_is().rank) == ("delivered", 7)


@pytest.mark.parametrize("own", ["", "0", "99999", "-1", "x", "9" * 40, "%EF%BC%91"])
def test_a_text_of_nobody_is_no_error(report, row, now_is, own):
    report("delivered", own=own)
    assert now_is().status == "sending"


def test_a_callback_for_another_attempt_is_not_for_this_one(report, row, now_is):
    report("sent", own=row)
    report("failed", "30008", own=row, sid="SM" + "c" * 32)
    assert (now_is().status, now_is().sid) == ("sent", SID)


def test_an_unsigned_one_is_refused(client, row, now_is):
    form = {"MessageSid": SID, "MessageStatus": "delivered", "AccountSid": ACCOUNT}
    response = client.post(f"/sms/status?o={row}", data=form, headers={"X-Twilio-Signature": "bad"})
    assert (response.status_code, response.text) == (403, "")
    assert now_is().status == "sending"


def test_its_query_is_signed(client, sign, row, now_is):
    form = {"MessageSid": SID, "MessageStatus": "delivered", "AccountSid": ACCOUNT}
    headers = {"X-Twilio-Signature": sign("/sms/status?o=99", form)}
    assert client.post(f"/sms/status?o={row}", data=form, headers=headers).status_code == 403
    assert now_is().status == "sending"
