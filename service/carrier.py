"""A stand-in for the carrier, on this machine: its REST message resource as the SDK uses it, its webhooks, the phones.

It keeps every text that it accepted, so that `queenline play` and the tests can show each phone what came. Nothing is
sent anywhere. As with the carrier's own test numbers, some numbers always fail (MAGIC_TO, MAGIC_FROM).
"""

import json
import random
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from operator import eq, ge, le
from typing import Any, Protocol
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import requests
from twilio.http import HttpClient
from twilio.request_validator import RequestValidator
from werkzeug.wrappers import Request, Response

from service.carrier_server import Cut, InProcess, Server
from service.text.gsm7 import segments
from service.twilio.fates import FATES, Fate

MAGIC_TO = {
    "+15005550001": 21211,
    "+15005550002": 21612,
    "+15005550003": 21408,
    "+15005550004": 21610,
    "+15005550009": 21614,
}
NOT_YET_SENT = frozenset(("queued", "accepted", "scheduled", "sending"))
_HALF = re.compile("[\ud800-\udfff]")  # half a surrogate pair, which no form can carry: it comes as U+FFFD
MAGIC_FROM = {"+15005550001": 21212, "+15005550007": 21606, "+15005550008": 21611}


@dataclass
class Text:
    """One message that was accepted for sending."""

    sid: str
    sender: str
    to: str
    body: str
    status: str
    callback: str
    created: datetime
    form: Mapping[str, str]
    error_code: int | None = None
    inbound: bool = False


@dataclass(frozen=True)
class Trouble:
    """What the next request to send shall meet. With `accepts` the text is taken although the answer says otherwise.

    `status` 0 is no answer at all: the connection is cut (over a server), or a time-out is raised (in process).
    """

    status: int = 500
    code: int | None = 20500
    retry_after: int | None = None
    accepts: bool = False


@dataclass(frozen=True)
class Manner:
    """How the carrier is today, for all texts. `fails` is the code with which each is reported undelivered; `slow` seconds
    go by before an answer, and before each report; of `timeouts` requests, a share from 0 to 1, every second is accepted
    and none is answered; with `reorder` the reports come in any order, with `early` before the answer to sending.
    """

    fails: int | None = None
    slow: float = 0.0
    timeouts: float = 0.0
    reorder: bool = False
    early: bool = False

    def reports(self) -> list[tuple[str, int | None]]:
        last: tuple[str, int | None] = ("undelivered", self.fails) if self.fails else ("delivered", None)
        reports = [("queued", None), ("sending", None), ("sent", None), last]
        if self.reorder:
            random.shuffle(reports)
        return reports

    def trouble(self) -> "Trouble | None":
        if self.timeouts and random.random() < self.timeouts:
            return Trouble(0, accepts=random.random() < 0.5)
        return None


class Answer(Protocol):
    """What a webhook answered."""

    @property
    def status_code(self) -> int: ...

    @property
    def text(self) -> str: ...


Post = Callable[[str, bytes, dict[str, str]], Answer]


@dataclass(frozen=True)
class Delivered:
    """A text from a phone to us, and what came of it."""

    sid: str
    status: int
    body: str
    texts: list[str] = field(default_factory=list)  # of the answer


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """A request by HTTP, past any proxy of the surroundings; it waits as long as the carrier would."""
    with requests.Session() as session:
        session.trust_env = False
        return session.post(url, data=body, headers=headers, timeout=15)


class Carrier:
    """The carrier of one account. A WSGI application; `serve()` runs it on loopback, `client()` is it in process."""

    def __init__(self, account_sid: str, auth_token: str, public_url: str = "", post: Post = post) -> None:
        self.account_sid = account_sid
        self.auth_token = auth_token
        self.public_url = public_url  # of the service: where phones' texts go
        self.texts: list[Text] = []
        self.received: list[Text] = []  # from phones
        self.requests = 0  # to send, accepted or not
        self.troubles: deque[Trouble | None] = deque()
        self.reports = False  # whether each text is reported sent and delivered by itself
        self.manner = Manner()
        self.clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._by_sid: dict[str, Text] = {}
        self._post = post
        self._changed = threading.Condition()

    # The phones

    def texts_to(self, number: str) -> list[Text]:
        """All texts that the service has sent to this number, oldest first."""
        with self._changed:
            return self._to(number)

    def wait_for(self, number: str, count: int, timeout: float = 10.0) -> list[Text]:
        """Blocks until that many texts have come to a number; then all of them. TimeoutError when they don't come."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._to(number)) >= count, timeout):
                raise TimeoutError(f"{len(self._to(number))} texts of {count} have come")
            return self._to(number)

    def _to(self, number: str) -> list[Text]:
        return [text for text in self.texts if text.to == number]

    def deliver(self, sender: str, to: str, body: str, sid: str | None = None, **more: str) -> Delivered:
        """A phone texts us: the webhook is called, signed. `more` are fields over the usual ones."""
        sid = sid or self.lose(sender, to, body)
        form = {
            "ToCountry": "US", "ToState": "NY", "SmsMessageSid": sid, "NumMedia": "0", "ToCity": "", "FromZip": "",
            "SmsSid": sid, "FromState": "NY", "SmsStatus": "received", "FromCity": "", "Body": body,
            "FromCountry": "US", "To": to, "ToZip": "", "NumSegments": "1", "MessageSid": sid,
            "AccountSid": self.account_sid, "From": sender, "ApiVersion": "2010-04-01",
        } | more  # fmt: skip
        answer = self.call(f"{self.public_url}/sms", form)
        texts = []
        if answer.text.strip():
            texts = [message.text or "" for message in ET.fromstring(answer.text).iter("Message")]  # noqa: S314
        return Delivered(sid, answer.status_code, answer.text, texts)

    def lose(self, sender: str, to: str, body: str, service: str = "") -> str:
        """A phone texts us and the webhook is not called; the sid."""
        sid = new_sid()
        through = {"MessagingServiceSid": service} if service else {}
        text = Text(sid, sender, to, body, "received", "", self.clock(), through, inbound=True)
        with self._changed:
            self.received.append(text)
            self._by_sid[sid] = text
        return sid

    def report(self, sid: str, status: str, error_code: int | None = None) -> int:
        """The status callback of an accepted text; the webhook's HTTP status (0 when it has no callback)."""
        with self._changed:
            text = self._by_sid[sid]
            text.status, text.error_code = status, error_code
        if not text.callback:
            return 0
        form = {
            "SmsSid": sid, "SmsStatus": status, "MessageStatus": status, "To": text.to, "MessageSid": sid,
            "AccountSid": self.account_sid, "From": text.sender, "ApiVersion": "2010-04-01",
        } | ({"ErrorCode": str(error_code)} if error_code else {})  # fmt: skip
        return self.call(text.callback, form).status_code

    def report_answer(self, sender: str, to: str, status: str, error_code: int) -> int:
        """The status callback of an answer to a webhook, of which the service never knew the sid."""
        sid = new_sid()
        form = {
            "SmsSid": sid, "SmsStatus": status, "MessageStatus": status, "To": to, "MessageSid": sid,
            "AccountSid": self.account_sid, "From": sender, "ApiVersion": "2010-04-01", "ErrorCode": str(error_code),
        }  # fmt: skip
        return self.call(f"{self.public_url}/sms/status", form).status_code

    def call(self, url: str, form: Mapping[str, str]) -> Answer:
        """A signed request to the service, as the carrier makes it."""
        form = {key: _HALF.sub("\ufffd", value) for key, value in form.items()}
        headers = {
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
            "X-Twilio-Signature": self.sign(url, form),
            "I-Twilio-Idempotency-Token": secrets.token_hex(16),
        }
        return self._post(url, urlencode(form).encode(), headers)

    def sign(self, url: str, form: Mapping[str, Any]) -> str:
        """The signature of a request with this form."""
        return str(RequestValidator(self.auth_token).compute_signature(url, form))

    # The REST API

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        return self._answer(request)(environ, start_response)

    def _answer(self, request: Request) -> Response:
        folder = f"/2010-04-01/Accounts/{self.account_sid}/Messages"
        auth = request.authorization
        if auth is None or (auth.username, auth.password) != (self.account_sid, self.auth_token):
            return failure(401, 20003, "Authenticate")
        if request.path == f"{folder}.json" and request.method == "POST":
            return self._create(request.form)
        if request.path == f"{folder}.json":
            return self._list(request.args)
        if request.path.startswith(f"{folder}/") and request.method == "GET":
            sid = request.path.removeprefix(f"{folder}/").removesuffix(".json")
            with self._changed:
                found = self._by_sid.get(sid)
            if found is not None:
                return answer(200, self._resource(found))
        return failure(404, 20404, "The requested resource was not found")

    def _create(self, form: Mapping[str, str]) -> Response:
        with self._changed:
            self.requests += 1
            trouble = self.troubles.popleft() if self.troubles else self.manner.trouble()
        if self.manner.slow:
            time.sleep(self.manner.slow)
        if trouble is not None:
            if trouble.accepts:
                self._accept(form)
            if trouble.status == 0:
                raise Cut
            return failure(trouble.status, trouble.code, "Trouble", trouble.retry_after)
        code = self._fault(form)
        if code is not None:
            return failure(429 if FATES.get(code) is Fate.RETRY else 400, code, "Refused")
        return answer(201, self._resource(self._accept(form)))

    def _fault(self, form: Mapping[str, str]) -> int | None:
        to, sender, body = form.get("To", ""), form.get("From", ""), form.get("Body", "")
        if not to:
            return 21604
        if to in MAGIC_TO:
            return MAGIC_TO[to]
        if sender in MAGIC_FROM:
            return MAGIC_FROM[sender]
        if not sender and not form.get("MessagingServiceSid"):
            return 21603
        if to == sender:
            return 21266
        if not body:
            return 21602
        return 21617 if len(body) > 1600 else None

    def _accept(self, form: Mapping[str, str]) -> Text:
        text = Text(
            sid=new_sid(),
            sender=form.get("From", ""),
            to=form["To"],
            body=form["Body"],
            status="queued" if form.get("From") else "accepted",
            callback=form.get("StatusCallback", ""),
            created=self.clock(),
            form=dict(form),
        )
        with self._changed:
            self.texts.append(text)
            self._by_sid[text.sid] = text
            self._changed.notify_all()
        if self.reports:
            reporting = threading.Thread(target=self._report, args=(text.sid,), daemon=True)
            reporting.start()
            if self.manner.early:
                reporting.join()
        return text

    def _report(self, sid: str) -> None:
        for status, code in self.manner.reports():
            if self.manner.slow:
                time.sleep(self.manner.slow)
            try:
                self.report(sid, status, code)
            except (requests.RequestException, OSError):
                return  # the service is going down

    def _list(self, args: Mapping[str, str]) -> Response:
        """One page of the texts in both directions, newest first. As with the carrier, a text that waits to be sent has no
        date that a list could be filtered by.
        """
        size = min(int(args.get("PageSize", 50)), 1000)
        page = int(args.get("Page", 0))
        with self._changed:
            found = sorted(
                (text for text in (*reversed(self.texts), *reversed(self.received)) if fits(text, args)),
                key=lambda text: text.created,
                reverse=True,
            )
        folder = f"/2010-04-01/Accounts/{self.account_sid}/Messages.json"
        more = urlencode({**args, "PageSize": size, "Page": page + 1, "PageToken": f"PA{page + 1}"})
        return answer(
            200,
            {
                "messages": [self._resource(text) for text in found[page * size : (page + 1) * size]],
                "page": page,
                "page_size": size,
                "next_page_uri": f"{folder}?{more}" if len(found) > (page + 1) * size else None,
                "uri": folder,
            },
        )

    def _resource(self, text: Text) -> dict[str, Any]:
        when = format_datetime(text.created)
        return {
            "account_sid": self.account_sid,
            "api_version": "2010-04-01",
            "body": text.body,
            "date_created": when,
            "date_sent": None if text.status in NOT_YET_SENT else when,
            "date_updated": when,
            "direction": "inbound" if text.inbound else "outbound-api",
            "error_code": text.error_code,
            "error_message": None,
            "from": text.sender or None,
            "messaging_service_sid": text.form.get("MessagingServiceSid"),
            "num_media": "0",
            "num_segments": str(segments(text.body)) if text.sender else "0",
            "price": None,
            "price_unit": "USD",
            "sid": text.sid,
            "status": text.status,
            "subresource_uris": {},
            "to": text.to,
            "uri": f"/2010-04-01/Accounts/{self.account_sid}/Messages/{text.sid}.json",
        }

    # Running it

    def serve(self, host: str = "127.0.0.1", port: int = 0) -> "Server":
        """On loopback, in a thread, until the `with` block ends. Port 0: a free one; `url` says which."""
        return Server(self, host, port)

    def client(self) -> HttpClient:
        """For the SDK, in process: no socket, no thread."""
        return InProcess(self)


def fits(text: Text, args: Mapping[str, str]) -> bool:
    """Whether a text is one that a list with these arguments has."""
    if args.get("To", text.to) != text.to or args.get("From", text.sender) != text.sender:
        return False
    for name, right in (("DateSent", eq), ("DateSent>", ge), ("DateSent<", le)):
        if args.get(name):
            if text.status in NOT_YET_SENT:
                return False
            given = datetime.fromisoformat(args[name])
            if len(args[name]) > 10 and name != "DateSent":
                moment = given if given.tzinfo else given.replace(tzinfo=UTC)
                ok = right(text.created, moment)
            else:
                ok = right(text.created.date(), given.date())
            if not ok:
                return False
    return True


def answer(status: int, resource: Mapping[str, Any]) -> Response:
    """An answer of the REST API."""
    return Response(json.dumps(resource), status, content_type="application/json")


def failure(status: int, code: int | None, message: str, retry_after: int | None = None) -> Response:
    """A refusal of the REST API, with the carrier's own code; `retry_after` in seconds."""
    response = answer(
        status,
        {
            "code": code,
            "message": message,
            "more_info": f"https://www.twilio.com/docs/errors/{code}",
            "status": status,
        },
    )
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def new_sid() -> str:
    return "SM" + secrets.token_hex(16)
