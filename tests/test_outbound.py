"""Asking the carrier to send, and what its errors mean."""

import socket
from datetime import timedelta

import pytest

from service.carrier import MAGIC_FROM, MAGIC_TO, Carrier, Trouble
from service.config import load
from service.twilio.fates import ALL, FATES, Fate, again_at, fate_of, stops
from service.twilio.outbound import LARGEST_PAGE, SendError, TwilioSender, pause
from tests.conftest import ACCOUNT, ANN, OURS, START, TOKEN

pytestmark = pytest.mark.on("sqlite")


@pytest.fixture
def send(sender):
    return lambda to=ANN, sender_=OURS, body="Your turn.", kind="turn": sender.send(17, to, sender_, body, kind)


@pytest.mark.parametrize(
    ("code", "http_status", "fate"),
    [
        (20003, 401, Fate.STOPALL),
        (20429, 429, Fate.RETRY),
        (None, 429, Fate.RETRY),
        (20500, 500, Fate.AMBIGUOUS),
        (None, 503, Fate.AMBIGUOUS),
        (21211, 400, Fate.DEAD),
        (21606, 400, Fate.STOPALL),
        (21265, 400, Fate.DEAD),
        (21266, 400, Fate.BUG),
        (21610, 400, Fate.OPTOUT),
        (21611, 429, Fate.LATER),  # the code says more than the status
        (30003, None, Fate.SOFT),
        (30004, None, Fate.PAUSE),
        (30007, None, Fate.CONTENT),
        (30034, None, Fate.STOPALL),
        (63038, None, Fate.LATER),
        (None, 401, Fate.STOPALL),
        (None, 404, Fate.STOPALL),
        (99999, 400, Fate.SOFT),
        (None, 400, Fate.SOFT),
        (None, None, Fate.SOFT),
    ],
)
def test_what_an_error_means(code, http_status, fate):
    assert fate_of(code, http_status) is fate


def test_no_code_has_two_fates():
    from service.twilio import fates

    assert sum(len(codes) for codes in fates._CODES.values()) == len(FATES)


@pytest.mark.parametrize(
    ("code", "asked", "at"),
    [
        (30001, None, "15:15"),  # a queue that is full
        (21611, 60.0, "15:15"),
        (21611, 1800.0, "15:30"),  # no sooner than the carrier asks
        (14107, None, "15:15"),
        (63038, None, "16:00"),  # the last 24 hours: it may end at any time
        (30610, None, "16:00"),  # not the hour for it there
        (30047, None, "16:00"),
        (30023, None, "08:05"),  # a day's cap: midnight at the Pacific, and a bit
        (30027, None, "08:05"),
    ],
)
def test_when_a_text_at_a_bad_time_is_tried_again(code, asked, at):
    again = again_at(code, START, asked)  # 15:00 UTC, seven in the morning there
    assert START < again <= START + timedelta(days=1)
    assert f"{again:%H:%M}" == at


@pytest.mark.parametrize(
    ("code", "sender", "scope"),
    [
        (20003, OURS, ALL),  # our account
        (30002, OURS, ALL),
        (21606, OURS, OURS),  # one of our numbers
        (30034, OURS, OURS),
        (21611, OURS, OURS),
        (30001, None, ALL),  # of a Messaging Service, nobody said which number
        (63038, OURS, ALL),
        (30023, OURS, ""),  # one carrier's cap: others take our texts
        (30610, OURS, ""),
        (14107, OURS, ""),
        (30007, OURS, ""),
        (21610, OURS, ""),
    ],
)
def test_what_an_error_stops(code, sender, scope):
    assert stops(FATES[code], code, sender) == scope


def test_what_the_carrier_is_asked(send, carrier):
    sent = send()
    (text,) = carrier.texts
    assert (sent.sid, sent.status) == (text.sid, "queued")
    assert dict(text.form) == {
        "To": ANN,
        "From": OURS,
        "Body": "Your turn.",
        "StatusCallback": "https://cards.example.com/sms/status?o=17",
        "ValidityPeriod": "3600",
        "SmartEncoded": "true",
    }


def test_a_notice_may_wait_longer_than_a_turn(send, carrier):
    send(kind="notice")
    assert carrier.texts[0].form["ValidityPeriod"] == "14400"


def test_with_a_messaging_service_a_player_keeps_the_number_they_know(carrier, settings):
    service = "MG" + "3" * 32
    with_service = load(**settings.model_dump() | {"twilio_messaging_service_sid": service})
    sender = TwilioSender(with_service, carrier.client())
    for number in (OURS, None, "+12125550199"):
        sender.send(1, ANN, number, "Your turn.", "turn")
    assert [(t.form.get("From"), t.form["MessagingServiceSid"]) for t in carrier.texts] == [
        (OURS, service),
        (None, service),
        (None, service),  # a number that is ours no more
    ]


def test_without_one_the_first_number_sends(send, carrier):
    send(sender_=None)
    assert carrier.texts[0].form["From"] == OURS


@pytest.mark.parametrize(("to", "code"), MAGIC_TO.items())
def test_magic_numbers(send, carrier, to, code):
    with pytest.raises(SendError) as caught:
        send(to=to)
    assert (caught.value.code, caught.value.fate) == (str(code), FATES[code])
    assert carrier.texts == []


@pytest.mark.parametrize(("number", "code"), MAGIC_FROM.items())
def test_magic_senders(carrier, settings, number, code):
    sender = TwilioSender(load(**settings.model_dump() | {"twilio_numbers": number}), carrier.client())
    with pytest.raises(SendError) as caught:
        sender.send(1, ANN, None, "Your turn.", "turn")
    assert (caught.value.code, caught.value.fate) == (str(code), FATES[code])


def test_a_wrong_token_stops_all(carrier, settings):
    sender = TwilioSender(load(**settings.model_dump() | {"twilio_auth_token": "something-else"}), carrier.client())
    with pytest.raises(SendError) as caught:
        sender.send(1, ANN, OURS, "Your turn.", "turn")
    assert (caught.value.fate, caught.value.code) == (Fate.STOPALL, "20003")


def test_too_many_requests_says_how_long(send, carrier):
    carrier.troubles.append(Trouble(status=429, code=20429, retry_after=7))
    with pytest.raises(SendError) as caught:
        send()
    assert (caught.value.fate, caught.value.retry_after) == (Fate.RETRY, 7)


def test_an_error_that_is_no_json_is_one_by_its_status(send, carrier):
    carrier.troubles.append(Trouble(status=502, code=None))
    with pytest.raises(SendError) as caught:
        send()
    assert (caught.value.fate, caught.value.code) == (Fate.AMBIGUOUS, "http-502")


@pytest.mark.parametrize("accepts", [True, False])
def test_no_answer_is_ambiguous(send, carrier, accepts):
    carrier.troubles.append(Trouble(status=0, accepts=accepts))
    with pytest.raises(SendError) as caught:
        send()
    assert caught.value.fate is Fate.AMBIGUOUS
    assert len(carrier.texts) == accepts


# Over a socket


@pytest.fixture
def served(settings):
    carrier = Carrier(ACCOUNT, TOKEN)
    with carrier.serve() as server:
        yield carrier, TwilioSender(load(**settings.model_dump() | {"twilio_api_url": server.url}))


def test_another_address_of_the_api(served):
    carrier, sender = served
    sent = sender.send(3, ANN, OURS, "Dein Zug, Ann: Ä", "turn")
    assert [(text.sid, text.body) for text in carrier.wait_for(ANN, 1)] == [(sent.sid, "Dein Zug, Ann: Ä")]


def test_an_answer_that_is_cut_off_is_ambiguous(served):
    carrier, sender = served
    carrier.troubles.append(Trouble(status=0, accepts=True))
    with pytest.raises(SendError) as caught:
        sender.send(3, ANN, OURS, "Your turn.", "turn")
    assert caught.value.fate is Fate.AMBIGUOUS
    assert len(carrier.texts) == 1


def test_an_api_that_is_not_there_was_certainly_not_asked(settings):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    sender = TwilioSender(load(**settings.model_dump() | {"twilio_api_url": f"http://127.0.0.1:{port}"}))
    with pytest.raises(SendError) as caught:
        sender.send(3, ANN, OURS, "Your turn.", "turn")
    assert caught.value.fate is Fate.RETRY


def test_an_api_that_is_silent_is_not_waited_for(settings, monkeypatch):
    monkeypatch.setattr("service.twilio.outbound.TIMEOUTS_SECONDS", (0.2, 0.2))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        sender = TwilioSender(load(**settings.model_dump() | {"twilio_api_url": url}))
        with pytest.raises(SendError) as caught:
            sender.send(3, ANN, OURS, "Your turn.", "turn")
    assert (caught.value.fate, caught.value.code) == (Fate.AMBIGUOUS, "ReadTimeout")


def test_the_sdk_can_fetch_and_list(carrier):
    from twilio.rest import Client

    client = Client(ACCOUNT, TOKEN, http_client=carrier.client())
    first = client.messages.create(to=ANN, from_=OURS, body="one")
    client.messages.create(to=OURS[:-1] + "9", from_=OURS, body="two")
    assert client.messages(first.sid).fetch().body == "one"
    assert [message.body for message in client.messages.list(to=ANN)] == ["one"]
    assert [message.body for message in client.messages.list()] == ["two", "one"]


@pytest.mark.parametrize(("attempt", "least", "most"), [(1, 3.75, 6.25), (2, 7.5, 12.5), (5, 60, 100), (99, 450, 750)])
def test_pauses_grow_to_ten_minutes(attempt, least, most):
    assert all(least <= pause(attempt) <= most for _ in range(50))


def test_never_sooner_than_asked():
    assert pause(1, retry_after=90) == 90


def test_all_that_was_received_is_listed_oldest_first(carrier, settings, clock):
    """However much: after a night without us that is more than a page."""
    sids = []
    for number in range(LARGEST_PAGE + 5):
        clock.forward(seconds=1)
        sids.append(carrier.lose(ANN, OURS, f"text {number}"))
    found = TwilioSender(settings, carrier.client()).received(OURS, START)
    assert [text.sid for text in found] == sids
