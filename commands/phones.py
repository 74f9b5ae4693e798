"""Phones on this machine: what stands between a terminal and the stand-in carrier of `queenline play`.

`PhoneBook` is the carrier's side: it gives each name a number, delivers what is typed to the webhook, and hands over what
has come. `Line` is a phone's side, over HTTP on loopback, so that a second terminal can open a phone of its own.
"""

import json
import secrets
import threading
from collections.abc import Iterable
from typing import Any

import click
import requests
from sqlalchemy import Connection, func, insert, select
from werkzeug.utils import redirect
from werkzeug.wrappers import Request, Response

from commands.phones_page import Conversations
from service.carrier import Carrier
from service.services import Services
from service.stored import OUTBOUND, PLAYER
from service.tables import Problem, clean_name

WAIT_SECONDS = 20.0  # of a request for what comes next
SETTLE_SECONDS = 10.0  # a text takes a few milliseconds from the outbox to the carrier, or until the next sweep
# Numbers that are kept for examples: nobody has them. 0199 is the service's own.
EXAMPLES = tuple(f"+1212555{last:04d}" for last in range(101, 191))


class PhoneBook:
    """A WSGI application beside the carrier's own. Addresses hold a token: only who may read our folder has it."""

    def __init__(self, carrier: Carrier, services: Services, our_number: str, zone: str) -> None:
        self.token = secrets.token_hex(8)
        self._carrier = carrier
        self._services = services
        self._ours = our_number
        self._zone = zone
        self._numbers: dict[str, str] = {}
        self._lock = threading.Lock()
        self._talks = Conversations(carrier, services)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        parts = request.path.strip("/").split("/")
        if parts[0] != "phones":
            return self._carrier(environ, start_response)
        if not 2 <= len(parts) <= 3 or not secrets.compare_digest(parts[1].encode(), self.token.encode()):
            return Response("", 404)(environ, start_response)
        if len(parts) == 2 or "." in parts[2]:  # no name has a dot
            return self._page(request, parts)(environ, start_response)
        try:
            number = self._number(parts[2])
        except Problem as problem:
            return Response(str(problem), 400)(environ, start_response)
        if request.method == "POST":
            words = request.get_data(as_text=True)
            self._talks.sent(number, words)
            came = self._carrier.deliver(number, self._ours, words)
            self._talks.answered(number, came.texts)
            answer: dict[str, Any] = {"status": came.status, "texts": came.texts}
        else:
            after = int(request.args.get("after", "0"))
            texts = self._settled(number) if "settled" in request.args else self._next(number, after)
            answer = {"texts": texts[after:], "count": len(texts)}
        return Response(json.dumps(answer), content_type="application/json")(environ, start_response)

    def _page(self, request: Request, parts: list[str]) -> Response:
        """The page with all phones, and what it asks for; its own address ends with a slash."""
        if len(parts) == 3:
            return self._talks.all() if parts[2] == "all.json" else self._talks.page(parts[2])
        if not request.path.endswith("/"):
            return redirect(f"/phones/{self.token}/")
        return self._talks.page("phones.html")

    def _number(self, name: str) -> str:
        """The number of a name; a new one is made known to the service with its name, as a phone's owner would do."""
        with self._lock, self._services.db.begin() as conn:
            known = self._numbers.get(name.lower())
            if known is not None:
                return known
            kept = conn.execute(
                select(PLAYER.c.address).where(func.lower(PLAYER.c.name) == name.lower()).order_by(PLAYER.c.id)
            ).scalar()
            if kept is None:
                called = clean_name(name)
                kept = self._free(conn)
                values = {
                    "channel": "sms", "address": kept, "name": called, "zone": self._zone,
                    "zone_source": "player", "sender": self._ours, "created_at": self._services.clock(),
                    "unclear_count": 0, "prefs": {},
                }  # fmt: skip
                conn.execute(insert(PLAYER), values)
            self._numbers[name.lower()] = kept
            return str(kept)

    def _free(self, conn: Connection) -> str:
        """The first example number that no phone has; players may also come by the web page's form. Problem: none is left."""
        taken = {
            *self._numbers.values(),
            *conn.execute(select(PLAYER.c.address).where(PLAYER.c.address.in_(EXAMPLES))).scalars(),
        }
        free = next((number for number in EXAMPLES if number not in taken), None)
        if free is None:
            raise Problem(f"All {len(EXAMPLES)} example numbers are taken; begin anew with --data and a new folder.")
        return free

    def _next(self, number: str, after: int) -> list[str]:
        """What has come, as soon as there is more than `after`."""
        try:
            texts = self._carrier.wait_for(number, after + 1, WAIT_SECONDS)
        except TimeoutError:
            texts = self._carrier.texts_to(number)
        return [text.body for text in texts]

    def _settled(self, number: str) -> list[str]:
        """What has come, once nothing that is due is still under way to this phone."""
        sent = len(self._carrier.texts_to(number))
        deadline = self._services.clock().timestamp() + SETTLE_SECONDS
        while self._under_way(number) and self._services.clock().timestamp() < deadline:
            try:
                sent = len(self._carrier.wait_for(number, sent + 1, 0.2))
            except TimeoutError:
                continue
        return [text.body for text in self._carrier.texts_to(number)]

    def _under_way(self, number: str) -> bool:
        with self._services.db.begin() as conn:
            due = select(OUTBOUND.c.id).where(
                OUTBOUND.c.recipient == number,
                OUTBOUND.c.status.in_(("pending", "retry", "sending")),
                OUTBOUND.c.next_attempt_at <= self._services.clock(),
            )
            return conn.execute(due.limit(1)).first() is not None


class Line:
    """One phone, by the address of the phone book. ClickException, with its words, when that gives it no number."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.name = name
        self._url = f"{address}/{name}"
        self._session = requests.Session()
        self._session.trust_env = False
        self._count = 0

    def text(self, body: str) -> list[str]:
        """Sends a text; the answers in the same breath. What goes wrong is said in words."""
        got = _read(self._session.post(self._url, data=body.encode(errors="replace"), timeout=WAIT_SECONDS))
        if got["status"] != 200:
            return [f"(no answer: the service said {got['status']})"]
        return list(got["texts"])

    def settled(self) -> list[str]:
        """What else has come, once all is quiet."""
        return self._get(settled="1")

    def next(self) -> list[str]:
        """What else has come; waits for it, and gives up (with nothing) after a while."""
        return self._get()

    def _get(self, **more: str) -> list[str]:
        got = _read(self._session.get(self._url, params={"after": str(self._count)} | more, timeout=2 * WAIT_SECONDS))
        self._count = int(got["count"])
        return list(got["texts"])


def _read(answer: requests.Response) -> Any:
    if answer.status_code == 400:  # a Problem
        raise click.ClickException(answer.text)
    if not answer.ok:
        raise click.ClickException(f"The phone book answered {answer.status_code}; service.log says more.")
    return answer.json()
