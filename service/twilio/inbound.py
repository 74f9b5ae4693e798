"""POST /sms and POST /sms/status: what the carrier tells us.

Whatever happens, an answer here is TwiML or has no body: the carrier would text anything else to the player.
"""

import re
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import structlog
from flask import Blueprint, Response, request
from prometheus_client import Counter
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.config import E164, Settings
from service.desk import Sms
from service.logs import fault
from service.numbers import region
from service.play import opted_out_now
from service.services import Services
from service.transact import Stale, transact
from service.twilio.delivery import KNOWN, OUTBOUND, answer_lost, note
from service.twilio.signature import checker

Receive = Callable[[Services, Sms], str | None]

log = structlog.get_logger(__name__)

FORM = "application/x-www-form-urlencoded"
XML = "text/xml"
NOTHING = '<?xml version="1.0" encoding="UTF-8"?><Response />'
MESSAGE = '<?xml version="1.0" encoding="UTF-8"?><Response><Message>{}</Message></Response>'
# What a real request needs, several times over: 1,600 characters of Body take 14 KB at worst.
LARGEST = 64 * 1024
LONGEST_BODY = 1600
TOKEN = re.compile(r"[\w-]{1,64}", re.ASCII)

# C0 and C1 without line feed and carriage return, lone surrogates, and what XML cannot hold. A tab becomes a space.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

TEXTS = Counter("queenline_inbound_texts", "Requests to /sms by what became of them", ["outcome"])
CALLBACKS = Counter("queenline_status_callbacks", "Requests to /sms/status by what became of them", ["outcome"])


def blueprint(services: Services, receive: Receive) -> Blueprint:
    """The two endpoints. `receive` gets each text that is for us, and gives the answer to it."""
    settings = services.settings
    untrusted = checker(settings)
    twilio = Blueprint("twilio", __name__)

    @twilio.post("/sms", strict_slashes=False, provide_automatic_options=False)
    def sms() -> Response:
        refused = refuse()
        if refused is not None:
            return counted(TEXTS, *refused)
        form = request.form
        sid = form.get("MessageSid", "")
        to = form.get("To", "")
        if not (sid and to and form.get("From")):
            return counted(TEXTS, "incomplete", 400)
        channel, sender = split(form["From"])
        _, recipient = split(to)
        if not is_to_us(settings, recipient, form.get("MessagingServiceSid", "")):
            return counted(TEXTS, "not-our-number", 403)
        ignored = nothing_for_us(settings, channel, sender, recipient)
        if ignored:
            log.info("sms.ignored", sid=clean(sid)[:64], why=ignored, token=token())
            return counted(TEXTS, ignored, 200, NOTHING)
        text = Sms(
            sid=clean(sid)[:64],
            channel=channel,
            sender=sender,
            to=recipient,
            body=clean(form.get("Body", ""))[:LONGEST_BODY],
            media=count(form.get("NumMedia", "")),
            extra_recipients=any(name.lower().startswith("recipient") for name in form),
            opt_out_type=clean(form.get("OptOutType", "")).upper()[:10],
        )
        try:
            answer = receive(services, text)
        except Exception as error:  # noqa: BLE001  # nothing was kept: let the carrier deliver the text again
            log.error("sms.failed", sid=text.sid, token=token(), **fault(error))
            return counted(TEXTS, "failed", 503)
        return counted(TEXTS, "answered" if answer else "silent", 200, twiml(answer))

    @twilio.post("/sms/status", strict_slashes=False, provide_automatic_options=False)
    def status() -> Response:
        refused = refuse()
        if refused is not None:
            return counted(CALLBACKS, *refused)
        try:
            outcome = note_status(services, request.args.get("o", ""), request.form)
        except (SQLAlchemyError, Stale) as error:
            log.error("status.failed", sid=clean(request.form.get("MessageSid", ""))[:64], **fault(error))
            return counted(CALLBACKS, "failed", 503)
        return counted(CALLBACKS, outcome, 204)

    def refuse() -> tuple[str, int] | None:
        """The outcome and status of a request that is not looked into."""
        if request.content_length is not None and request.content_length > LARGEST:
            return "too-large", 413
        if request.mimetype != FORM:
            return "not-a-form", 415
        why = untrusted(request)
        if not why and request.form.get("AccountSid") != settings.twilio_account_sid:
            why = "not-our-account"
        if why:
            log.warning("sms.refused", why=why, path=request.path, token=token())
            return why, 403
        return None

    return twilio


def is_to_us(settings: Settings, recipient: str, service: str) -> bool:
    """Whether a text went to a number of ours, or through our Messaging Service."""
    ours = settings.twilio_messaging_service_sid
    return recipient in settings.twilio_numbers or bool(ours and service == ours)


def nothing_for_us(settings: Settings, channel: str, sender: str, recipient: str) -> str:
    """Why a text is left alone whatever it says; "" when it is not."""
    if channel != "sms":
        return "channel"
    if not E164.fullmatch(sender):  # a short code or a name: nothing can be answered
        return "not-a-number"
    if sender in settings.twilio_numbers or sender == recipient:
        return "own-number"
    return "region" if region(sender) not in settings.allowed_regions else ""


def token() -> str:
    """What the carrier gives a request and all its repetitions; only to be logged: tests and replays have none."""
    given = request.headers.get("I-Twilio-Idempotency-Token", "")
    return given if TOKEN.fullmatch(given) else ""


def counted(counter: Counter, outcome: str, status: int, body: str = "") -> Response:
    """The response, counted by what became of its request."""
    counter.labels(outcome).inc()
    return Response(body, status, content_type=f"{XML}; charset=utf-8")


def split(address: str) -> tuple[str, str]:
    """Channel and address: `whatsapp:+1...` is not the sms player of the same number."""
    channel, colon, rest = address.strip().partition(":")
    return (channel.lower(), rest) if colon else ("sms", channel)


def clean(text: str) -> str:
    """The text without what breaks a database or an XML document. Once, after the signature and before all else."""
    return _UNWANTED.sub("", text.replace("\t", " "))


def count(number: str) -> int:
    """A number of a form, such as NumMedia; 0 for what is none."""
    return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0


def twiml(answer: str | None) -> str:
    """The response that texts this answer to the sender; None or empty: no text."""
    # What the SDK's MessagingResponse writes (tests/test_webhook.py), without a tree of elements for each text.
    said = clean(answer or "")
    return MESSAGE.format(escape(said)) if said else NOTHING


def note_status(services: Services, own_id: str, form: Any) -> str:
    """Keeps a status callback and what it says about the text; the outcome, for the metrics.

    Callbacks come in any order, and may come before the answer to sending has told us the carrier's id: then ours, in
    the query, finds the row. A status only ever gives way to a later one (RANKS).
    """
    sid = clean(form.get("MessageSid", ""))[:64]
    word = clean(form.get("MessageStatus", "")).lower()[:40]
    code = clean(form.get("ErrorCode", ""))[:10]
    address = clean(form.get("To", ""))[:40]

    def work(db: Connection) -> tuple[str, bool]:
        row = None
        if own_id.isascii() and own_id.isdigit() and len(own_id) < 19:
            row = db.execute(KNOWN.where(OUTBOUND.c.id == int(own_id))).first()
        if row is None and sid:
            row = db.execute(KNOWN.where(OUTBOUND.c.sid == sid)).first()
        if row is None and word in ("failed", "undelivered"):  # an answer, of which we never knew the id
            who = answer_lost(db, address, code, services.clock())
            if who is not None:
                return "answer", opted_out_now(services, db, who)
        if row is None or not word:
            return "unknown", False
        noted = note(db, row, sid, word, code, services.clock())
        return noted.outcome, noted.opted_out and opted_out_now(services, db, row.player_id)

    outcome, ring = transact(services, work)
    if ring:
        services.bell.ring()
    return outcome
