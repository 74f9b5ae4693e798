"""POST /sms: what is let in, what it is answered."""

import io
import json
from urllib.parse import quote, urlencode
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import func, select
from twilio.twiml.messaging_response import MessagingResponse

from service.app import create_app
from service.config import load
from service.desk import Sms
from service.models import Inbound, Outbound, Player, table_of
from service.services import Services
from service.twilio.inbound import NOTHING, clean, twiml
from tests.conftest import ACCOUNT, ANN, OURS, TOKEN

FORM = {"MessageSid": "SM" + "a" * 32, "AccountSid": ACCOUNT, "From": ANN, "To": OURS, "Body": "draw", "NumMedia": "0"}

# The webhook itself touches no database: one is enough here, but for what is said to be untouched.
pytestmark = pytest.mark.on("sqlite")


@pytest.fixture
def text(client, sign):
    """Posts a signed text; fields over the usual ones, `headers` over the usual ones (None: left out)."""

    def post(path="/sms", headers=None, signed=None, **fields):
        form = {**FORM, **fields}
        sent = {"X-Twilio-Signature": sign(signed or path, form), **(headers or {})}
        sent = {name: value for name, value in sent.items() if value is not None}
        return client.post(path, data=form, headers=sent)

    return post


def check_nothing_is_said(response, status):
    assert response.status_code == status
    assert response.content_type.startswith("text/xml")
    assert response.text in ("", NOTHING)


@given(st.text().filter(clean))
@example('KF7: <b>Tom & Jerry</b> {0} "you"\r\n\tdrew 10♥ 🎉')
def test_the_answer_is_what_the_sdk_would_write(said):
    response = MessagingResponse()
    response.message(clean(said))
    assert twiml(said) == str(response)


def test_a_text_is_answered_as_twiml(text, game):
    response = text()
    assert response.status_code == 200
    assert response.content_type == "text/xml; charset=utf-8"
    assert [message.text for message in ET.fromstring(response.text)] == ["Your turn."]
    (heard,) = game.heard
    assert heard == Sms(FORM["MessageSid"], "sms", ANN, OURS, "draw")


def test_no_answer_is_an_empty_response(text, game):
    game.answer = None
    response = text()
    check_nothing_is_said(response, 200)
    assert list(ET.fromstring(response.text)) == []


def test_an_answer_with_markup_and_control_characters_is_still_xml(text, game):
    game.answer = "Q < K & \x00\x0b\ud800 'A' > 5"
    assert next(iter(ET.fromstring(text().text))).text == "Q < K &  'A' > 5"


# The signature


def test_a_wrong_signature_is_refused(text, game):
    check_nothing_is_said(text(headers={"X-Twilio-Signature": "AAAA"}), 403)
    assert game.heard == []


@pytest.mark.parametrize("header", [None, ""])
def test_no_signature_is_refused(text, header):
    check_nothing_is_said(text(headers={"X-Twilio-Signature": header}), 403)


def test_every_field_is_signed_also_one_that_nobody_knows_and_an_empty_one(text):
    assert text(FromCity="", SomethingNew="in 2027").status_code == 200


def test_a_field_that_is_left_out_breaks_it(client, sign):
    form = {**FORM, "FromCity": ""}
    signature = sign("/sms", form)
    del form["FromCity"]
    check_nothing_is_said(client.post("/sms", data=form, headers={"X-Twilio-Signature": signature}), 403)


def test_a_field_that_comes_twice_is_signed_with_both(client, carrier):
    from werkzeug.datastructures import MultiDict

    form = MultiDict([*FORM.items(), ("Tag", "b"), ("Tag", "a")])
    signature = carrier.sign("https://cards.example.com/sms", form)
    response = client.post(
        "/sms",
        data=urlencode(list(form.items(multi=True))),
        content_type="application/x-www-form-urlencoded",
        headers={"X-Twilio-Signature": signature},
    )
    assert response.status_code == 200


def test_spaces_around_the_text_are_signed(text, game):
    assert text(Body="  draw ").status_code == 200
    assert game.heard[0].body == "  draw "


@pytest.mark.parametrize(
    "path", ["/sms?e=%E2%99%A0", "/sms?b=2&a=1", "/sms?x=a+b", "/sms?x=a%20b", "/sms/", "/s%6Ds?x=%7E", "/sms?x=[1]"]
)
def test_path_and_query_are_taken_as_they_were_sent(text, path):
    assert text(path).status_code == 200


@pytest.mark.parametrize("signed", ["/sms?a=1&b=2", "/sms", "/sms/?b=2&a=1"])
def test_another_address_is_another_signature(text, signed):
    check_nothing_is_said(text("/sms?b=2&a=1", signed=signed), 403)


def test_a_port_that_goes_without_saying_may_be_signed_or_not(client, carrier):
    for url in ("https://cards.example.com/sms", "https://cards.example.com:443/sms"):
        signature = carrier.sign(url, FORM)
        assert client.post("/sms", data=FORM, headers={"X-Twilio-Signature": signature}).status_code == 200


def test_no_header_of_the_request_changes_what_is_signed(text):
    headers = {"Host": "evil.example.com", "X-Forwarded-Host": "evil.example.com", "X-Forwarded-Proto": "http"}
    assert text(headers=headers).status_code == 200


def test_without_a_raw_address_the_path_is_quoted_again(app, carrier):
    form = {**FORM, "Body": "♠"}
    url = "/sms?e=%E2%99%A0"
    signature = carrier.sign("https://cards.example.com" + url, form)
    with app.test_request_context(url, method="POST", data=form, headers={"X-Twilio-Signature": signature}) as context:
        for name in ("RAW_URI", "REQUEST_URI"):
            context.request.environ.pop(name, None)
        assert app.full_dispatch_request().status_code == 200


def test_a_whole_address_in_the_request_line_is_understood(client, sign):
    headers = {"X-Twilio-Signature": sign("/sms?a=1", FORM)}
    overrides = {"RAW_URI": "http://10.0.0.7:8000/sms?a=1", "REQUEST_URI": "http://10.0.0.7:8000/sms?a=1"}
    assert client.post("/sms?a=1", data=FORM, headers=headers, environ_overrides=overrides).status_code == 200


def test_while_a_token_is_rotated_both_pass(services, settings, game, sign):
    rotating = load(**settings.model_dump() | {"twilio_auth_token": f"the-next-token,{TOKEN}"})
    app = create_app(Services(services.database, rotating, services.bell, services.clock), game)
    headers = {"X-Twilio-Signature": sign("/sms", FORM)}
    assert app.test_client().post("/sms", data=FORM, headers=headers).status_code == 200


def test_the_other_signing_scheme_is_refused_even_with_a_good_signature(text):
    header = {"X-Twilio-Webhooks-Signature-Settings": "key=webhooks_sharedkey_1,algorithm=HMAC_SHA256"}
    check_nothing_is_said(text(headers=header), 403)


# What else is refused


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", ""])
def test_only_a_form_is_read(client, sign, game, kind):
    response = client.post(
        "/sms", data=json.dumps(FORM), content_type=kind, headers={"X-Twilio-Signature": sign("/sms", {})}
    )
    check_nothing_is_said(response, 415)
    assert game.heard == []


def test_too_large_is_refused_before_it_is_read(text, game):
    check_nothing_is_said(text(Body="x" * 70_000), 413)
    assert game.heard == []


def test_too_large_without_a_length_is_refused_while_it_is_read(client, sign):
    form = {**FORM, "Body": "x" * 70_000}
    response = client.post(
        "/sms",
        input_stream=io.BytesIO(urlencode(form).encode()),
        content_type="application/x-www-form-urlencoded",
        headers={"X-Twilio-Signature": sign("/sms", form)},
        environ_overrides={"wsgi.input_terminated": True},
    )
    check_nothing_is_said(response, 413)


@pytest.mark.parametrize(
    "fields", [{"AccountSid": "AC" + "2" * 32}, {"AccountSid": ""}, {"To": "+12125550199"}, {"To": "whatsapp:+1"}]
)
def test_another_account_or_number_is_refused(text, game, fields):
    check_nothing_is_said(text(**fields), 403)
    assert game.heard == []


def test_a_number_of_our_messaging_service_is_ours(services, settings, game, sign):
    service = "MG" + "3" * 32
    with_service = load(**settings.model_dump() | {"twilio_messaging_service_sid": service})
    client = create_app(Services(services.database, with_service, services.bell, services.clock), game).test_client()
    for sid, status in ((service, 200), ("MG" + "4" * 32, 403)):
        form = {**FORM, "To": "+12125550199", "MessagingServiceSid": sid}
        response = client.post("/sms", data=form, headers={"X-Twilio-Signature": sign("/sms", form)})
        assert response.status_code == status


@pytest.mark.parametrize("name", ["MessageSid", "From", "To"])
def test_what_a_text_cannot_be_without(text, name):
    response = text(**{name: ""})
    assert response.status_code in (400, 403)
    assert response.text == ""


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_only_posts_are_answered(client, method):
    check_nothing_is_said(client.open("/sms", method=method), 405)
    check_nothing_is_said(client.open("/sms/status", method=method), 405)


@pytest.mark.parametrize("path", ["/sms/nothing", "/sms//status", "/sms/%73tatu"])
def test_no_page_and_no_redirect_for_the_carrier(client, path):
    check_nothing_is_said(client.post(path), 404)


# Who is not a player


@pytest.mark.parametrize(
    "sender",
    [
        "86753",
        "BANKALERT",
        "+0123456789",
        "+1212555",
        "12125550101",
        "+1212555010１",
        "whatsapp:+12125550101",
        "whatsapp:US.ABC123XYZ",
        "messenger:4711",
        "rcs:+12125550101",
        OURS,
        "+18765550101",  # Jamaica, though it begins with +1
        "+18761110000",  # the same, from an exchange that nobody knows yet
        "+12685550101",  # Antigua
        "+18295550101",  # the Dominican Republic
        "+442071838750",
    ],
)
def test_these_get_nothing_and_are_nobody(text, game, services, sender):
    check_nothing_is_said(text(From=sender), 200)
    assert game.heard == []
    with services.db.begin() as db:
        for model in (Player, Inbound, Outbound):
            assert db.execute(select(func.count()).select_from(table_of(model))).scalar() == 0


# What becomes of the text


@pytest.mark.parametrize(
    ("body", "heard"),
    [
        ("draw\x00", "draw"),
        ("dr\x0baw\x1b\x7f", "draw"),
        ("7S\n\nSent from my phone", "7S\n\nSent from my phone"),
        ("a\tb", "a b"),
        ("\u200a\u200b👍\u200b to “x”\u200a", "\u200a\u200b👍\u200b to “x”\u200a"),  # how reactions are told
        ("x" * 3000, "x" * 1600),
    ],
)
def test_only_what_breaks_things_is_taken_out(text, game, body, heard):
    assert text(Body=body).status_code == 200
    assert game.heard[0].body == heard


def test_broken_utf_8_does_no_harm(client, carrier, game):
    pairs = urlencode({**FORM, "Body": ""}) + "%ff%ed%a0%80draw"
    decoded = {**FORM, "Body": "%FF%ED%A0%80draw"}
    pairs = pairs.replace("Body=", "Body=%FF%ED%A0%80draw").removesuffix("%ff%ed%a0%80draw")
    response = client.post(
        "/sms",
        data=pairs,
        content_type="application/x-www-form-urlencoded",
        headers={"X-Twilio-Signature": carrier.sign("https://cards.example.com/sms", decoded)},
    )
    assert response.status_code == 200
    assert "draw" in game.heard[0].body


def test_what_the_carrier_takes_a_text_for_is_handed_on(text, game):
    text(Body="ARRET", OptOutType="STOP")
    text(OptOutType="nonsense\x00" * 9)
    assert [sms.opt_out_type for sms in game.heard] == ["STOP", "NONSENSENO"]


@pytest.mark.parametrize(("token", "kept"), [("abc-123_X", True), ("a b\x7f", False), ("x" * 65, False)])
def test_the_carriers_token_of_a_request_is_logged_where_it_can_be_one(text, logged, token, kept):
    text(From="86753", headers={"I-Twilio-Idempotency-Token": token})
    assert (f'"token": "{token}"' in logged.getvalue()) is kept
    assert '"why": "not-a-number"' in logged.getvalue()


def test_pictures_are_counted(text, game):
    text(NumMedia="2", Body="")
    text(NumMedia="many", Body="")
    assert [sms.media for sms in game.heard] == [2, 0]


def test_a_group_is_said_to_be_one(text, game):
    text(Recipients=json.dumps([OURS, "+12125550199"]))
    assert game.heard[0].extra_recipients


def test_a_text_that_could_not_be_kept_is_asked_for_again(text, game):
    game.answer = RuntimeError("the database is away, and draw is what Ann said")
    check_nothing_is_said(text(), 503)


def test_no_log_tells_text_number_or_name(text, game, logged, capsys):
    for answer in ("Your hand: QS 4H", None, ValueError("Ann holds QS 4H; she said draw")):
        game.answer = answer
        text(Body="draw QS 4H")
    text(Body="draw QS 4H", headers={"X-Twilio-Signature": "bad"})
    text(Body="draw QS 4H", From="whatsapp:" + ANN)
    text(path="/sms/status?o=7", MessageStatus="delivered")
    said = logged.getvalue() + "".join(capsys.readouterr())
    assert FORM["MessageSid"] in said
    assert '"error": "ValueError"' in said
    for secret in ("QS", "4H", "Ann", ANN, quote(ANN), ANN[2:], OURS, "Your hand"):
        assert secret not in said
