"""Bodies that nobody thought of, posted to the webhook: `make fuzz`, or `python -m tools.fuzz --count 5000 --seed 7`.

Worlds of a few thousand texts, each with a table of every game and four phones at it: texts that people write, changed
at random, legal moves, junk of every script, reactions, requests with odd, doubled, missing and reordered fields, bodies of
other types, wrong signatures. After each one:

- the status is one that is meant (never 5xx), and the answer is empty or TwiML of one text at most;
- the text is GSM-7 and one segment of 160 septets, or two (306) where several things were asked for or what was asked for is
  long (LONG);
- no table has changed but by lines of its record, and in the end these lines, played anew by the rules, lead to its state.

The first thing that does not hold ends the run: what was posted, and the seed to see it again.
"""

import json
import multiprocessing
import random
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote_plus
from xml.etree import ElementTree as ET

import click
import structlog
from twilio.request_validator import RequestValidator
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Request

from commands.stage import ACCOUNT, OUR_NUMBER, PUBLIC, Phone, Stage
from engine.game import write_move
from engine.registry import GAMES
from service import stored
from service.migrate import upgrade
from service.stored import PLAYING, Table
from service.text.gsm7 import is_gsm7, septets
from service.twilio.inbound import FORM, LARGEST, clean

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "texts" / "understand"
START = datetime(2026, 3, 3, 17, 0, tzinfo=UTC)
ODD_VALUES = ("", "0", "-1", "null", "[]", "NaN", "whatsapp:+12125550101", "86753", "+18765550101")  # of any field
MEMORY = Path("/dev/shm")  # noqa: S108  # where there is one, databases of a few minutes need no disk
WORLD = 2500  # texts, and then everything begins anew
MEANT = {200, 400, 403, 404, 405, 413, 415}
ONE, TWO = 160, 306
# Kinds of inbound rows whose answers may take two segments: the end of a round with the next hand, several moves at once.
LONG = ("moves", "command", "refused", "unclear", "ask", "repeated")

ODD = "\u200b\u200a\u200e\ufeff\ufffc\u00a0\u202e\u0000\u0007\u000b\u001b\u2028👍🏽♠️♥❤️🂡７ＱßığŁ€^{}[]~|\\“”‘’—…½²①٣中Я\n\r\t"
FRAMES = (
    "Liked “{}”", "Loved “{}”", "Reacted 👍 to “{}”", "\u200a\u200b👍\u200b to “{}”\u200a", "Hat mit 👍 auf „{}“ reagiert",
    "> {}\nok", "I’m driving with Driving Focus turned on. {}", "Auto-reply: {}", "{}\n\nSent from my phone", "{}\n--\nBob",
    "no, {}", "please {} thanks", "{} {}", "{}, {}", "{}. {}.", "say {}", "should I {}?", "JOIN {}", "({})", "{}!!!",
)  # fmt: skip
WORDS = (
    "draw", "pickup 9 9", "discard 4h", "hand", "table", "score", "hint", "rules", "rules pile", "commands", "options", "why",
    "undo", "who", "games", "pass", "plan draw", "away until monday", "back", "quiet 22-8", "zone chicago", "auto off", "auto on",
    "updates all", "mute", "unmute", "nudge", "pace 2d bot", "stats", "say hello", "name P9", "new damn", "new hearts 100",
    "new spades nil 5", "join kf7 Dot", "bots", "bots off", "deal", "rematch", "help", "stop", "start", "yes", "play qs",
    "bid 4", "bid nil", "look", "expose qs", "expose none", "pass 2c 3c 4c", "meld kkk", "lay 7s 8s 9s, discard 3c", "add 9s to 9",
    "take 9s", "cut 20", "rummy 9h to m1", "swap 9s for 6d in m1", "pile", "melds", "plan", "plan off", "wrong number",
    "answers off", "1", "2", "no", "y", "?", "", " ", "k", "q q q", "aaa", "10", "all of them", "the wild",
)  # fmt: skip


def corpus() -> list[str]:
    """What people write, from the tests' corpus where that is at hand."""
    found = [*WORDS]
    for path in sorted(CORPUS.rglob("*.tsv")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            text = line.partition("\t")[0]
            if text and text[0] not in "#[":
                found.append(text.replace("\\n", "\n"))
    return found


TABLES = """
SELECT id, version, state, (SELECT coalesce(max(n), 0) FROM move WHERE table_id = game_table.id) FROM game_table
"""


class Broken(Exception):
    """Something that must hold does not."""


@dataclass
class World:
    """One service with a table of each game, and what has been seen of it."""

    rng: random.Random
    stage: Stage
    texts: list[str]
    validator: RequestValidator
    client: Any = None
    reader: Any = None
    codes: dict[str, list[Phone]] = field(default_factory=dict)
    kept: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)  # lately by us
    sid: str = ""  # of the text that was posted
    outcomes: Counter[str] = field(default_factory=Counter)

    def open_tables(self) -> None:
        """A table of every game, dealt."""
        for number, game in enumerate(GAMES):
            seats = game.seats[0] if len(game.seats) == 1 else min(game.seats, key=lambda n: abs(n - 4))
            phones = [self.stage.phone(f"P{number}x{seat}") for seat in range(seats)]
            words = "new " + (game.aliases[0] if game.aliases else game.name)
            opened = self._plainly(phones[0], words)
            code = opened.partition("table ")[2].partition(":")[0].partition(" ")[0]
            for phone in phones[1:]:
                self._plainly(phone, f"join {code} {phone.name}")
            self._plainly(phones[0], "deal")
            self.codes[code] = phones
        for name in ("P9", "P10"):
            self.stage.phone(name)

    def _plainly(self, phone: Phone, words: str) -> str:
        came = self.stage.carrier.deliver(phone.number, OUR_NUMBER, words)
        if came.status != 200 or not came.texts:
            raise Broken(f"{words!r} was answered with {came.status} {came.body!r}")
        return came.texts[0]

    # What is posted

    def body(self) -> str:
        """What a text says."""
        rng = self.rng
        kind = rng.random()
        text = rng.choice(self.texts)
        if kind < 0.25:
            return text
        if kind < 0.55:
            return self._changed(text)
        if kind < 0.70:
            quoted = rng.choice(self.said) if self.said and rng.random() < 0.5 else text
            frame = rng.choice(FRAMES)
            return frame.format(*[quoted, rng.choice(self.texts)][: frame.count("{}")])
        if kind < 0.78:
            code = rng.choice([*self.codes, "KF7", "ZZZ"])
            return rng.choice(("{} {}", "{}: {}", "{1} at {0}", "#{}\n{}")).format(code, text)
        if kind < 0.90:
            size = rng.choice((1, 3, 8, 20, 60, 200, 1600, 3000))
            return "".join(rng.choice(ODD) if rng.random() < 0.5 else chr(rng.randrange(32, 127)) for _ in range(size))
        if kind < 0.95:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(40))).decode("latin-1")
        return rng.choice(
            ("", " ", "\n\n", "a" * 1601, "9 " * 900, "discard " * 200, "%00", "\ud800x", "A" * 64 + "==", "({[" * 99)
        )

    def _changed(self, text: str) -> str:
        rng, chars = self.rng, list(text)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(chars) + 1)
            what = rng.randrange(5)
            if what == 0:
                chars.insert(at, rng.choice(ODD))
            elif what == 1 and at < len(chars):
                del chars[at]
            elif what == 2 and at < len(chars):
                chars[at] = chr(rng.randrange(32, 127))
            elif what == 3:
                chars[at:at] = list(rng.choice(self.texts)[:12])
            elif at < len(chars):
                chars[at] = chars[at].swapcase()
        return "".join(chars)

    def fields(self) -> list[tuple[str, str]]:
        """The fields of a request: nearly always those of a text, now and then not quite."""
        rng = self.rng
        phone = rng.choice([phone for phones in self.codes.values() for phone in phones])
        body = self.body()
        if rng.random() < 0.12:
            phone, body = self._legal() or (phone, body)
        if rng.random() < 0.04:
            phone = self.stage.phone(rng.choice(("P9", "P10")))
        sid = f"SM{rng.getrandbits(128):032x}"
        pairs = [
            ("MessageSid", sid), ("SmsSid", sid), ("AccountSid", ACCOUNT), ("From", phone.number), ("To", OUR_NUMBER),
            ("Body", body), ("NumMedia", "0"), ("NumSegments", "1"), ("FromCity", ""), ("ApiVersion", "2010-04-01"),
        ]  # fmt: skip
        odd = rng.random()
        if odd < 0.75:
            return pairs
        if odd < 0.80:
            rng.shuffle(pairs)
        elif odd < 0.85:
            pairs.insert(rng.randrange(len(pairs)), rng.choice(pairs))
            pairs.append(("Body", self.body()))
        elif odd < 0.88:
            del pairs[rng.randrange(len(pairs))]
        elif odd < 0.92:
            name = rng.choice([name for name, _ in pairs])
            value = rng.choice((*ODD_VALUES, OUR_NUMBER, self.body()))
            pairs = [(n, value if n == name else v) for n, v in pairs]
        elif odd < 0.97:
            pairs += [(self._changed("Recipient"), "x"), ("NumMedia", rng.choice(("1", "99", "x", "１")))]
            pairs.append((rng.choice(("OptOutType", "MediaUrl0", "Recipients", "ChannelMetadata", "")), self.body()))
        else:
            pairs = [(self.body()[:20], self.body()) for _ in range(rng.randrange(4))]
        return pairs

    def _legal(self) -> tuple[Phone, str] | None:
        """A move that somebody may make now, so that the games go on."""
        code = self.rng.choice(list(self.codes))
        table = self._table(code)
        if table is None or table.status != PLAYING or not table.game.waiting(table.state):
            return None
        seat = self.rng.choice(list(table.game.waiting(table.state)))
        legal = table.game.legal(table.state, seat)
        if not legal:
            return None
        return self.codes[code][seat], write_move(self.rng.choice(legal))

    def _table(self, code: str) -> Table | None:
        with self.stage.services.db.begin() as conn:
            return stored.by_code(conn, code)

    def post(self) -> tuple[str, Any]:
        """One request; what was posted, to show it, and the response."""
        rng = self.rng
        pairs = self.fields()
        path = (
            rng.choice(("/sms", "/sms?x=1"))
            if rng.random() < 0.98
            else rng.choice(("/sms/", "/sms/status", "/sms/x", "/sms?e=%E2%99%A0"))
        )
        raw = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs).encode()
        kind, odd = FORM, rng.random()
        if odd < 0.01:
            raw = bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
        elif odd < 0.015:
            raw += b"&x=" + b"%41" * (LARGEST // 3)
        elif odd < 0.03:
            kind = rng.choice(("application/json", "text/plain", "multipart/form-data; boundary=x", "", "\u00e9"))
        elif odd < 0.05:
            raw = raw.replace(b"%", b"%%", 1) + rng.choice((b"&", b"&&=&", b"&Body", b"%", b";a=b", b"&%ff=%c3%28"))
        form = _form(raw)
        self.sid = clean(form.get("MessageSid", ""))[:64]
        signature = self.validator.compute_signature(PUBLIC + path, form)
        headers = {"X-Twilio-Signature": signature}
        if rng.random() < 0.02:
            headers = rng.choice(
                (
                    {},
                    {"X-Twilio-Signature": "x"},
                    {"X-Twilio-Signature": ""},
                    headers | {"X-Twilio-Webhooks-Signature-Settings": "key=a"},
                )
            )
        return f"{path} {kind} {raw[:600]!r}", self.client.post(path, data=raw, content_type=kind, headers=headers)

    # What must hold

    def check(self, response: Any) -> None:
        """The answer, and what has become of the tables."""
        text = response.get_data(as_text=True)
        if response.status_code not in MEANT and not (response.status_code == 204 and not text):
            raise Broken(f"status {response.status_code}")
        if not response.content_type.startswith("text/xml"):
            raise Broken(f"content type {response.content_type}")
        said = ""
        if text:
            root = ET.fromstring(text)  # noqa: S314  # our own
            if root.tag != "Response" or len(root) > 1 or any(part.tag != "Message" for part in root):
                raise Broken(f"TwiML {text!r}")
            said = "".join(part.text or "" for part in root)
        kind = self._unchanged_but_by_moves()
        if kind == "error":
            raise Broken("the text was not answered for an error of ours")
        if said:
            self._fits(said, kind)
            self.said = [said, *self.said[:30]]
        self.outcomes[
            f"{response.status_code} {(kind.split(':')[0] or '-') if response.status_code == 200 else ''}".strip()
        ] += 1
        if septets(said) > ONE:
            self.outcomes["two segments"] += 1

    def _fits(self, said: str, kind: str) -> None:
        most = TWO if kind.startswith(LONG) else ONE
        if not is_gsm7(said):
            raise Broken(f"an answer ({kind}) that is no GSM-7: {said!r}")
        if septets(said) > most:
            raise Broken(f"an answer ({kind}) of {septets(said)} septets: {said!r}")

    def _unchanged_but_by_moves(self) -> str:
        """What kind of text this one was, or the one before that had its id; that no state changed without a line of the record."""
        found = {row[0]: row[1:] for row in self.reader.execute(TABLES)}
        kept = self.reader.execute("SELECT kind FROM inbound WHERE message_sid = ?", (self.sid,)).fetchone()
        kind: str = kept[0] if kept else ""
        for table_id, now in found.items():
            before = self.kept.get(table_id)
            if before is not None and before[1] is not None and before[1] != now[1] and now[2] <= before[2]:
                raise Broken(f"a text of the kind {kind!r} has changed table {table_id} without a line of its record")
        self.kept = found
        return kind

    def replay(self) -> None:
        """The lines of each record lead to the stored state."""
        with self.stage.services.db.begin() as conn:
            for code in self.codes:
                table = stored.by_code(conn, code)
                if table is None or table.state is None:
                    continue
                state, _ = stored.replay(table, stored.standing(stored.lines_of(conn, table)))
                if stored.game_over(state):
                    table.game.next_round(state)
                if json.dumps(table.game.dump(state)) != json.dumps(table.game.dump(table.state)):
                    raise Broken(f"the record of {code} ({table.game.name}) does not lead to its state")
                table.game.check(table.state)


def _quoted(text: str) -> str:
    return quote_plus(text.encode("utf-8", "surrogatepass"))


def _form(raw: bytes) -> MultiDict[str, str]:
    """The form as the service will read it: what the carrier would have signed."""
    request = Request.from_values(data=raw, content_type=FORM, method="POST")
    return request.form


def world(seed: str, count: int, folder: Path, template: Path, texts: list[str]) -> Counter[str]:
    """So many requests to a service of its own; what became of them."""
    file = folder / f"world-{seed}.db"
    shutil.copy(template, file)
    rng = random.Random(seed)
    stage = Stage(folder, START, url=f"sqlite:///{file}", OPT_OUT_MODE=rng.choice(("default", "self")))
    stage.seed = seed
    with closing(sqlite3.connect(file)) as reader:
        made = World(rng, stage, texts, RequestValidator(stage.settings.twilio_auth_token[0]), stage.client, reader)
        try:
            made.open_tables()
            for number in range(count):
                stage.clock.now += timedelta(seconds=rng.choice((1, 5, 20, 60, 60, 120, 600)))
                shown = "nothing yet"
                try:
                    shown, response = made.post()
                    made.check(response)
                    if number % 250 == 249:
                        made.replay()
                        stage.settle()
                        _begin_limits_anew(file)
                except Exception as error:
                    raise Broken(f"seed {seed}, request {number}: {type(error).__name__}: {error}\n{shown}") from error
            made.replay()
        finally:
            stage.close()
            for path in folder.glob(f"{file.name}*"):
                path.unlink()
    return made.outcomes


def _begin_limits_anew(file: Path) -> None:
    """Nobody is silent for long, so that answers are seen, and those who have opted out come back."""
    with closing(sqlite3.connect(file, timeout=5)) as conn, conn:
        conn.execute("UPDATE player SET silenced_until = NULL, unclear_count = 0, opted_out_at = NULL")
        conn.execute("UPDATE inbound SET received_at = '2020-01-01 00:00:00' WHERE id % 100")


def _world(work: tuple[str, int, Path, Path, list[str]]) -> Counter[str]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    return world(*work)


def fuzz(count: int, seed: str, jobs: int = 1) -> Iterator[Counter[str]]:
    """World after world, until so many requests have been posted."""
    texts = corpus()
    with TemporaryDirectory(prefix="queenline-fuzz-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        template = folder / "template"
        upgrade(f"sqlite:///{template}")
        work = [
            (f"{seed}-{number}", min(WORLD, count - number * WORLD), folder, template, texts)
            for number in range(-(-count // WORLD))
        ]
        if jobs == 1:
            yield from map(_world, work)
            return
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
        try:
            yield from (done.result() for done in as_completed([pool.submit(_world, each) for each in work]))
        finally:
            pool.shutdown(cancel_futures=True)


@click.command()
@click.option("--count", type=click.IntRange(1), default=1_000_000, show_default=True, help="requests")
@click.option("--seed", default="", help="the same requests again; left out: new ones")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="processes")
@click.option("--minutes", type=float, default=0, help="stop after so long, at the end of a world")
def main(count: int, seed: str, jobs: int, minutes: float) -> None:
    """Post requests at random to the webhook; exit code 1 where something breaks."""
    seed = seed or f"{random.SystemRandom().getrandbits(32):08x}"
    click.echo(f"seed {seed}")
    total: Counter[str] = Counter()
    began = time.monotonic()
    done = 0
    try:
        for outcomes in fuzz(count, seed, jobs):
            total += outcomes
            done = sum(total.values()) - total["two segments"]
            if sys.stderr.isatty():
                click.echo(f"\r{done:,} of {count:,}", nl=False, err=True)
            if minutes and time.monotonic() - began > minutes * 60:
                break
    except Broken as broken:
        raise click.ClickException(f"after {done:,} requests: {broken}") from None
    click.echo(f"{done:,} requests in {time.monotonic() - began:.0f} s, and all that must hold held:")
    for outcome, number in total.most_common():
        click.echo(f"  {outcome:24} {number:>9,}")


if __name__ == "__main__":
    main()
