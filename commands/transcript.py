"""`queenline transcript FILE...`: runs texts between phones and the service, and says which lines do not hold.

The format is `*.texts` of docs/notation.md.
"""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from sqlalchemy import select

from commands.record_file import read_file
from commands.stage import Phone, Stage, stage
from engine.record import Broken, Failure
from service.config import SettingsError
from service.tables import MOVE, TABLE, Table, by_code
from service.text.gsm7 import segments

OK, FAILED, BROKEN = 0, 1, 2
NOON = "2026-03-03 12:00 America/New_York"
LONG_WORDS = re.compile(r"\b(rules|table|score|melds|options|commands|games|who|hand|why|stats)\b", re.IGNORECASE)

_SPAN = re.compile(r"\+(\d+)([mhd])((?:\d+[mhd])*)$")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass
class Report:
    """How a run went."""

    checks: int = 0
    failures: list[Failure] = field(default_factory=list)


class Run:
    """One transcript while it runs. `Broken` for a line that cannot be read."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self.path = path
        self.stack = stack
        self.report = Report()
        self.line = 0
        self.opening = NOON
        self.settings: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.same: dict[str, Any] = {}
        self._stage: Stage | None = None
        self.judged: dict[str, int] = {}  # texts of a phone whose length has been looked at
        self.asked_long = False

    @property
    def stage(self) -> Stage:
        """The service, which starts at the first line that needs it."""
        if self._stage is None:
            now, zone = self._moment(self.opening)
            try:
                self._stage = self.stack.enter_context(stage(now, zone, **self.settings))
            except SettingsError as error:
                raise Broken(self.line, str(error)) from None
        return self._stage

    def run(self, text: str) -> Report:
        """Every line in order."""
        for number, raw in enumerate(text.split("\n"), 1):
            self.line = number
            line = _without_comment(raw.rstrip("\r")).strip()
            if line:
                self._do(line)
                self._judge()
        return self.report

    # Reading lines

    def _do(self, line: str) -> None:
        for pattern, method in _LINES:
            match = pattern.match(line)
            if match:
                method(self, *match.groups())
                return
        raise self._broken(f"{line!r} is no line of a transcript, such as 'Ann> draw', '<Ann drew' or '@ +6h'")

    def _broken(self, sentence: str) -> Broken:
        return Broken(self.line, sentence)

    def _moment(self, text: str) -> tuple[datetime, str]:
        date, _, zone = text.strip().rpartition(" ")
        try:
            return datetime.strptime(date, "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone)).astimezone(
                ZoneInfo("UTC")
            ), zone
        except (ValueError, ZoneInfoNotFoundError):
            raise self._broken(f"{text!r} is no time with its zone, such as {NOON}") from None

    def _filled(self, text: str) -> str:
        """`{code}` replaced by what an earlier line has caught."""

        def value(match: re.Match[str]) -> str:
            if match[1] not in self.groups:
                raise self._broken(f"no line before this has caught {{{match[1]}}}")
            return self.groups[match[1]]

        return re.sub(r"\{([A-Za-z_]\w*)\}", value, text)

    def _fail(self, expected: str, got: str) -> None:
        self.report.failures.append(Failure(self.line, expected, got))

    def _judge(self) -> None:
        """Every text that has come since: its alphabet and its length."""
        if self._stage is None:
            return
        for phone in self._stage.phones.values():
            seen = self.judged.get(phone.name, 0)
            for body in phone.inbox[seen:]:
                wrong = self._stage.over_budget(body, 10 if self.asked_long else 2)
                if wrong:
                    self._fail("only texts of at most two segments in GSM-7", f"{wrong} to {phone.name}: {body!r}")
            self.judged[phone.name] = len(phone.inbox)
        self.asked_long = False

    # Setting up

    def at(self, when: str) -> None:
        """Where the clock starts."""
        if self._stage is not None:
            raise self._broken("the 'at' line stands before everything that happens; '@ +6h' runs the clock on")
        self._moment(when)
        self.opening = when

    def set(self, name: str, value: str) -> None:
        """A setting of the service."""
        if self._stage is not None:
            raise self._broken("a 'set' line stands before everything that happens")
        self.settings[name] = value

    def new_phone(self, name: str, number: str, zone: str | None) -> None:
        """A phone with its number and zone."""
        if zone:
            try:
                ZoneInfo(zone)
            except (ValueError, ZoneInfoNotFoundError):
                raise self._broken(f"{zone!r} is no time zone, such as America/New_York") from None
        self.stage.phone(name, number, zone or "")

    def seed(self, seed: str) -> None:
        """What deals come from."""
        self.stage.seed = seed

    def sit(self, file: str, code: str) -> None:
        """A table at the position of a record."""
        try:
            record = read_file(self.path.parent / file)
        except Broken as broken:
            raise self._broken(f"{file}:{broken.line}: {broken.sentence}") from None
        self.stage.sit(record, code)

    # What happens

    def text(self, name: str, body: str) -> None:
        """A text from a phone."""
        words = self._filled(body).replace("\\n", "\n")
        self.asked_long = bool(LONG_WORDS.search(words))
        self.stage.text(self.stage.phone(name), words)

    def again(self, name: str) -> None:
        """The carrier delivers a phone's last text again."""
        phone = self._known(name)
        if not phone.last_sid:
            raise self._broken(f"{name} has not sent a text yet that could come again")
        self.stage.text(phone, phone.last_body, phone.last_sid, **phone.last_fields)

    def raw(self, name: str | None, fields: str) -> None:
        """A webhook with these fields over the usual ones."""
        try:
            given = {str(key): str(value) for key, value in json.loads(self._filled_json(fields)).items()}
        except (ValueError, AttributeError):
            raise self._broken('a raw line has its fields as JSON, such as {"Body": "", "NumMedia": "1"}') from None
        number = given.get("From", "")
        phone = (
            self.stage.phone(name)
            if name
            else next(
                (p for p in self.stage.phones.values() if p.number == number),
                Phone("raw", number or "+12125550150", self.stage.zone),
            )
        )
        sid = given.pop("MessageSid", None)
        body = given.pop("Body", "")
        given.pop("From", None) if given.get("From") == phone.number else None
        self.stage.text(phone, body, sid, **given)

    def _filled_json(self, text: str) -> str:
        for key, value in self.groups.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    def clock(self, when: str) -> None:
        """The clock runs on."""
        span = _SPAN.match(when)
        if span:
            parts = re.findall(r"(\d+)([mhd])", when)
            moment = self.stage.clock.now + sum((timedelta(**{_UNITS[u]: int(n)}) for n, u in parts), timedelta())
        else:
            zone = self.opening.rpartition(" ")[2]
            moment, _ = self._moment(f"{when} {zone}")
        if moment < self.stage.clock.now:
            raise self._broken("the clock does not run back")
        self.stage.run_to(moment)

    def status(self, name: str, code: str) -> None:
        """The last text to a phone comes back undelivered."""
        phone = self._known(name)
        sent = self.stage.carrier.texts_to(phone.number)
        if not sent:
            raise self._broken(f"no text has been sent to {name} that could come back; answers are not reported")
        self.stage.carrier.report(sent[-1].sid, "undelivered", int(code))
        self.stage.settle()

    # What must hold

    def _known(self, name: str) -> Phone:
        return self.stage.phone(name)

    def _holds(self, body: str, spec: str) -> bool:
        spec = spec.strip()
        if len(spec) > 1 and spec[0] == "/" and spec[-1] == "/":
            try:
                found = re.search(self._filled(spec[1:-1]) if _has_groups(spec, self.groups) else spec[1:-1], body)
            except re.error as error:
                raise self._broken(f"{spec} is no regular expression: {error}") from None
            if found:
                self.groups |= {key: value for key, value in found.groupdict().items() if value is not None}
            return found is not None
        words = [word.strip() for word in self._filled(spec).split(",")]
        return all(word.casefold() in body.casefold() for word in words if word)

    def next_text(self, name: str, bang: str, spec: str) -> None:
        """The next unread text holds this, or with `!` does not."""
        self.report.checks += 1
        phone = self._known(name)
        if not phone.unread:
            self._fail(f"a text to {name} {'without' if bang else 'with'} {spec.strip()!r}", "none")
            return
        body = phone.unread[0]
        phone.read += 1
        if self._holds(body, spec) == bool(bang):
            self._fail(f"a text to {name} {'without' if bang else 'with'} {spec.strip()!r}", repr(body))

    def some_text(self, name: str, spec: str) -> None:
        """Some unread text holds this; all up to it are read."""
        self.report.checks += 1
        phone = self._known(name)
        for i, body in enumerate(phone.unread):
            if self._holds(body, spec):
                phone.read += i + 1
                return
        self._fail(f"an unread text to {name} with {spec.strip()!r}", repr(phone.unread) if phone.unread else "none")

    def silence(self, name: str) -> None:
        """Nothing unread."""
        self.report.checks += 1
        phone = self._known(name)
        if phone.unread:
            self._fail(f"no text to {name}", repr(phone.unread[0]))
            phone.read = len(phone.inbox)

    def _table(self, code: str) -> Table:
        code = self._filled(code)
        with self.stage.services.db.begin() as conn:
            table = by_code(conn, code)
        if table is None:
            raise self._broken(f"there is no table {code}")
        return table

    def table(self, code: str, fact: str, value: str | None) -> None:
        """One fact about a table."""
        self.report.checks += 1
        table = self._table(code)
        value = self._filled(value or "").strip()
        state = table.state
        if fact == "players":
            got = str(len(table.sitters))
        elif fact == "version":
            got = str(table.version)
        elif fact == "over":
            got, value = (
                ("over", "over")
                if table.status == "over" or (state is not None and state.over)
                else ("not over", "over")
            )
        elif state is None:
            got = "not dealt"
        elif fact == "turn":
            waiting = [table.names[seat] for seat in table.game.waiting(state)]
            got = value if value.casefold() in [name.casefold() for name in waiting] else ", ".join(waiting) or "nobody"
        else:
            got = str(state.phase)
        if got.casefold() != value.casefold():
            self._fail(fact if fact == value else f"{fact} {value}", got)

    def unchanged(self, code: str) -> None:
        """The game has not changed since the last such line."""
        self.report.checks += 1
        table = self._table(code)
        with self.stage.services.db.begin() as conn:
            moves = conn.execute(select(MOVE.c.n).where(MOVE.c.table_id == table.id)).all()
            row = conn.execute(select(TABLE.c.state, TABLE.c.status).where(TABLE.c.id == table.id)).one()
        now = (table.version, len(moves), row.state, row.status)
        before = self.same.setdefault(table.code, now)
        if before != now:
            self._fail(f"table {table.code} as it was (version {before[0]})", f"version {now[0]}")
        self.same[table.code] = now

    def texts(self, name: str, count: str) -> None:
        """How many texts a phone has got."""
        self._number(f"{count} texts to {name}", len(self._known(name).inbox), count)

    def segments(self, name: str, count: str) -> None:
        """How many segments a phone has got."""
        self._number(f"{count} segments to {name}", sum(map(segments, self._known(name).inbox)), count)

    def _number(self, expected: str, got: int, count: str) -> None:
        self.report.checks += 1
        if got != int(count):
            self._fail(expected, str(got))


def _has_groups(spec: str, groups: dict[str, str]) -> bool:
    return any(f"{{{name}}}" in spec for name in groups)


def _without_comment(line: str) -> str:
    """The line without a comment at its start or after a space; a `#` inside JSON or a pattern has no space before it."""
    return re.sub(r"(?:^|\s)#.*", "", line)


_NAME = r"([A-Za-z][\w'-]*)"
_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"at\s+(\S.*)$"), Run.at),
    (re.compile(r"set\s+([A-Za-z_]+)\s*=\s*(.*)$"), Run.set),
    (re.compile(rf"phone\s+{_NAME}\s+(\+\d+)(?:\s+(\S+))?$"), Run.new_phone),
    (re.compile(r"seed:?\s+(\S+)$"), Run.seed),
    (re.compile(r"sit\s+(\S+)\s+as\s+([A-Za-z0-9]+)$"), Run.sit),
    (re.compile(rf"dup\s+{_NAME}>$"), Run.again),
    (re.compile(rf"raw\s+(?:{_NAME}>)?\s*(\{{.*)$"), Run.raw),
    (re.compile(rf"status\s+{_NAME}\s+(\d+)$"), Run.status),
    (re.compile(rf"{_NAME}>\s?(.*)$"), Run.text),
    (re.compile(rf"<{_NAME}(!?)\s+(.*)$"), Run.next_text),
    (re.compile(rf"~{_NAME}\s+(.*)$"), Run.some_text),
    (re.compile(rf"!<{_NAME}$"), Run.silence),
    (re.compile(r"@\s*(\S.*)$"), Run.clock),
    (re.compile(r"=\s*table\s+(\S+)\s+(turn|over|phase|players|version)(?:\s+(.*))?$"), Run.table),
    (re.compile(r"=\s*same\s+(\S+)$"), Run.unchanged),
    (re.compile(rf"=\s*texts\s+{_NAME}\s+(\d+)$"), Run.texts),
    (re.compile(rf"=\s*segments\s+{_NAME}\s+(\d+)$"), Run.segments),
]


def run_file(path: Path) -> Report:
    """Runs one transcript. `Broken` for a file that cannot be read as one."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Broken(1, f"the file cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Broken(1, "this is not UTF-8 text; save the transcript as UTF-8") from None
    with ExitStack() as stack:
        return Run(path, stack).run(text)


@click.command(short_help="check runs of texts (*.texts)")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...]) -> None:
    """Runs every transcript and checks all its lines.

    When all hold, prints a count and exits with 0. A line that does not hold is printed as FILE:LINE: expected ...,
    got ... (exit 1); a file that cannot be read as a transcript, as FILE:LINE: and why (exit 2).
    """
    from service import logs

    logs.configure()
    worst = checks = 0
    for path in files:
        try:
            report = run_file(path)
        except Broken as broken:
            click.echo(f"{path}:{broken.line}: {broken.sentence}", err=True)
            worst = BROKEN
            continue
        checks += report.checks
        for failure in report.failures:
            click.echo(f"{path}:{failure}")
        worst = max(worst, FAILED if report.failures else OK)
    if worst == OK:
        click.echo(
            f"{len(files)} file{'' if len(files) == 1 else 's'}, {checks} check{'' if checks == 1 else 's'}, all hold"
        )
    ctx.exit(worst)
