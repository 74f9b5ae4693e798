"""`/phones` of `queenline play`: every phone of this machine side by side, as conversations with an input."""

import json
from importlib.resources import files
from threading import Lock

from sqlalchemy import select
from werkzeug.wrappers import Response

from service.carrier import Carrier
from service.db import reading
from service.services import Services
from service.stored import PLAYER

TYPES = {"phones.html": "text/html", "phones.css": "text/css", "phones.js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Conversations:
    """What each phone has sent and got, in the order it came by."""

    def __init__(self, carrier: Carrier, services: Services) -> None:
        self._carrier = carrier
        self._services = services
        self._lines: dict[str, list[tuple[bool, str]]] = {}
        self._taken = 0  # of the carrier's texts
        self._lock = Lock()

    def sent(self, number: str, body: str) -> None:
        """A phone texts us."""
        self._keep(number, True, body)

    def answered(self, number: str, texts: list[str]) -> None:
        """What came back in the same breath."""
        for text in texts:
            self._keep(number, False, text)

    def _keep(self, number: str, mine: bool, text: str) -> None:
        with self._lock:
            self._catch_up()
            self._lines.setdefault(number, []).append((mine, text))

    def _catch_up(self) -> None:
        """Takes over what the service has sent of itself meanwhile."""
        for text in self._carrier.texts[self._taken :]:
            self._lines.setdefault(text.to, []).append((False, text.body))
            self._taken += 1

    def page(self, name: str) -> Response:
        """A file of the page; 404 for another."""
        if name not in TYPES:
            return Response("", 404, HEADERS)
        body = files("commands").joinpath("page", name).read_bytes()
        return Response(body, headers=HEADERS, content_type=f"{TYPES[name]}; charset=utf-8")

    def all(self) -> Response:
        """Every phone that has a name, with its conversation, as JSON."""
        with reading(self._services.db) as conn:
            named = select(PLAYER.c.name, PLAYER.c.address).where(PLAYER.c.name.is_not(None), PLAYER.c.channel == "sms")
            people = conn.execute(named.order_by(PLAYER.c.id)).all()
        with self._lock:
            self._catch_up()
            phones = [
                {
                    "name": row.name,
                    "number": row.address,
                    "lines": [{"mine": mine, "text": text} for mine, text in self._lines.get(row.address, ())],
                }
                for row in people
            ]
        return Response(json.dumps(phones), headers=HEADERS, content_type="application/json")
