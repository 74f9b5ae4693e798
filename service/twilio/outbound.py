"""The only client of the carrier's REST API."""

import json
import random
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, runtime_checkable
from urllib.parse import urlsplit

from requests import exceptions as http
from twilio.http import HttpClient
from twilio.http.http_client import TwilioHttpClient
from twilio.http.response import Response
from twilio.rest import Client
from urllib3.exceptions import NewConnectionError

from service.config import Settings
from service.twilio.fates import Fate, fate_of

# The SDK has no time-out of its own. To connect, and to wait for data.
TIMEOUTS_SECONDS = (4.0, 10.0)

# How long the carrier may hold a text back before it must drop it: a turn of ten hours ago, told at night, helps nobody,
# and a reminder less. Without one it would be ten hours.
VALIDITY_SECONDS = {
    "turn": 3600, "turns": 3600, "call": 900, "late": 1800, "nudge": 1800, "nudges": 1800, "answer": 1800, "arrived": 1800,
}  # fmt: skip
OTHER_VALIDITY_SECONDS = 4 * 3600

# Of a list of texts to a player no more than this is read: so many went to one within a day or two.
PAGE, LISTED_AT_MOST = 100, 1000
# What we have received is read to its end, however much came while we were away; the most that a page can hold.
LARGEST_PAGE = 1000
# A list is by the time of sending, more or less: one text that is older by so much is its end.
DISORDER = timedelta(days=1)

# The order of statuses. Callbacks come in any order; a status gives way only to a higher one.
RANKS = {
    "accepted": 1,
    "scheduled": 2,
    "queued": 3,
    "sending": 4,
    "sent": 5,
    "delivered": 6,
    "undelivered": 6,
    "failed": 6,
    "canceled": 6,
    "read": 7,
}
FINAL = 6
# The carrier's words, in the words of our rows: until it is delivered or not, it is sent.
ROW_STATUS = {word: word if rank >= FINAL else "sent" for word, rank in RANKS.items()} | {"read": "delivered"}


@dataclass(frozen=True)
class Sent:
    """The carrier has taken a text."""

    sid: str
    status: str  # the carrier's: accepted, queued ...


class SendError(Exception):
    """Not sent, or nobody knows (`fate` AMBIGUOUS). `code` is the carrier's, or a word of ours; `retry_after` seconds."""

    def __init__(self, fate: Fate, code: str, retry_after: float | None = None) -> None:
        super().__init__(f"{fate.value} {code}")
        self.fate = fate
        self.code = code
        self.retry_after = retry_after


class Sender(Protocol):
    """What the outbox sends by."""

    def send(self, outbound_id: int, recipient: str, sender: str | None, body: str, kind: str) -> Sent:
        """Asks the carrier to send, once. Raises SendError and nothing else that is expected."""


@dataclass(frozen=True)
class Listed:
    """A text as the carrier has it."""

    sid: str
    sender: str
    recipient: str
    body: str
    status: str
    code: str  # of the error; "" for none
    created: datetime
    inbound: bool
    media: int = 0
    service: str = ""  # the Messaging Service it went through


@runtime_checkable
class Finds(Protocol):
    """What texts are looked up by. Raises SendError where the carrier gives no answer, or a refusal."""

    def sent_to(self, recipient: str, since: datetime) -> tuple[list[Listed], bool]:
        """The texts from us to a number since then, and whether these are all of them."""

    def sent_as(self, sid: str) -> Listed | None:
        """One text; None where the carrier knows none by this id."""

    def received(self, recipient: str | None, since: datetime) -> list[Listed]:
        """The texts to a number of ours since then, oldest first; None: to all of the account's."""


class Http(TwilioHttpClient):  # type: ignore[misc]  # the SDK is untyped
    """The SDK's client with a time-out, another base address where one is set, and errors with their Retry-After."""

    def __init__(self, api_url: str) -> None:
        super().__init__(max_retries=0)
        self.timeout = TIMEOUTS_SECONDS
        self._base = urlsplit(api_url)
        if self.session is not None and self._base.hostname in ("localhost", "127.0.0.1", "::1"):
            self.session.trust_env = False  # a proxy of the surroundings does not know our stand-in

    def request(self, method: str, url: str, *args: Any, **more: Any) -> Response:
        path = urlsplit(url)
        url = path._replace(
            scheme=self._base.scheme, netloc=self._base.netloc, path=self._base.path + path.path
        ).geturl()
        return checked(super().request(method, url, *args, **more))

    # The SDK's own would log numbers and texts.
    def log_request(self, kwargs: dict[str, Any]) -> None: ...

    def log_response(self, status_code: int, response: Any) -> None: ...


def checked(response: Response) -> Response:
    """The response, or a SendError: the SDK's own exception has lost Retry-After."""
    status = int(response.status_code)
    if status < 400:
        return response
    try:
        code = json.loads(response.text).get("code")
        code = int(code) if code is not None else None
    except (ValueError, TypeError, AttributeError):
        code = None
    raise SendError(
        fate_of(code, status), str(code if code is not None else f"http-{status}"), _seconds(response.headers)
    )


class TwilioSender:
    """Sends through the account of the settings. Safe to use from several threads: each request has a client, and its open
    connection, for itself.
    """

    def __init__(self, settings: Settings, http_client: HttpClient | None = None) -> None:
        self._settings = settings
        self._given = http_client
        self._idle: deque[Client] = deque()

    def send(self, outbound_id: int, recipient: str, sender: str | None, body: str, kind: str) -> Sent:
        settings = self._settings
        origin: dict[str, str] = {}
        if settings.twilio_messaging_service_sid:
            origin["messaging_service_sid"] = settings.twilio_messaging_service_sid
        # A player keeps the number they know.
        if sender is not None and sender in settings.twilio_numbers:
            origin["from_"] = sender
        elif not origin:
            origin["from_"] = settings.twilio_numbers[0]
        try:
            with self._client() as client:
                message = client.messages.create(
                    to=recipient,
                    body=body,
                    # Our own id: the callback may come before the answer to this request has told us the carrier's.
                    status_callback=f"{settings.public_url}/sms/status?o={outbound_id}",
                    validity_period=VALIDITY_SECONDS.get(kind, OTHER_VALIDITY_SECONDS),
                    smart_encoded=True,
                    **origin,
                )
        except http.RequestException as error:
            raise _unanswered(error) from error
        if not message.sid:
            raise SendError(Fate.AMBIGUOUS, "no-sid")
        return Sent(message.sid, str(message.status))

    def sent_to(self, recipient: str, since: datetime) -> tuple[list[Listed], bool]:
        texts: list[Listed] = []
        with self._asking() as client:
            # By no date: a text that waits at the carrier has not got the date that a list is filtered by.
            for number, message in enumerate(client.messages.stream(to=recipient, page_size=PAGE)):
                text = listed(message)
                if text.created < since - DISORDER:
                    break
                if number >= LISTED_AT_MOST:
                    return texts, False
                if text.created >= since and not text.inbound:
                    texts.append(text)
        return texts, True

    def sent_as(self, sid: str) -> Listed | None:
        try:
            with self._asking() as client:
                return listed(client.messages(sid).fetch())
        except SendError as error:
            if error.code in ("20404", "http-404"):
                return None
            raise

    def received(self, recipient: str | None, since: datetime) -> list[Listed]:
        whose = {} if recipient is None else {"to": recipient}
        with self._asking() as client:
            messages = client.messages.stream(**whose, date_sent_after=since, page_size=LARGEST_PAGE)
            texts = [listed(message) for message in messages]
        return sorted((text for text in texts if text.inbound), key=lambda text: text.created)

    @contextmanager
    def _asking(self) -> Iterator[Client]:
        try:
            with self._client() as client:
                yield client
        except http.RequestException as error:
            raise _unanswered(error) from error

    @contextmanager
    def _client(self) -> Iterator[Client]:
        try:
            client = self._idle.pop()
        except IndexError:
            settings = self._settings
            client = Client(
                settings.twilio_account_sid,
                settings.twilio_auth_token[0],
                http_client=self._given or Http(settings.twilio_api_url),
            )
        try:
            yield client
        finally:
            self._idle.append(client)


def listed(message: Any) -> Listed:
    """A message of the SDK. One without a date is as if made now."""
    created = message.date_created or message.date_sent or datetime.now(UTC)
    return Listed(
        sid=str(message.sid),
        sender=str(message.from_ or ""),
        recipient=str(message.to or ""),
        body=str(message.body or ""),
        status=str(message.status or ""),
        code=str(message.error_code or ""),
        created=created if created.tzinfo else created.replace(tzinfo=UTC),
        inbound=str(message.direction) == "inbound",
        media=int(message.num_media or 0),
        service=str(message.messaging_service_sid or ""),
    )


def _unanswered(error: http.RequestException) -> SendError:
    """No answer: was anything sent? Only where no connection came about it certainly was not."""
    never_connected = isinstance(error, http.ConnectTimeout | http.ProxyError | http.SSLError) or (
        isinstance(error, http.ConnectionError)
        and error.args
        and isinstance(getattr(error.args[0], "reason", None), NewConnectionError)
    )
    return SendError(Fate.RETRY if never_connected else Fate.AMBIGUOUS, type(error).__name__)


def pause(attempt: int, retry_after: float | None = None) -> float:
    """Seconds until the next attempt, after `attempt` of them: 5, 10, 20 ... up to ten minutes, spread by a quarter
    either way so that many texts do not come back as one; never sooner than the carrier asked.
    """
    seconds = min(5.0 * (1 << min(attempt - 1, 7)), 600.0) * random.uniform(0.75, 1.25)
    return max(seconds, retry_after or 0.0)


def _seconds(headers: Any) -> float | None:
    try:
        seconds = float(headers["Retry-After"])
    except (KeyError, TypeError, ValueError):
        return None
    return min(max(seconds, 0.0), 3600.0)
