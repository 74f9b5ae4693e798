"""`queenline transcript FILE...`: runs texts between phones and the service, and says which lines do not hold.

The format is `*.texts` of docs/notation.md.
"""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from commands.record_file import read_file
from commands.stage import Phone, Stage, stage
from commands.transcript_checks import Checks, Report
from engine.record import Broken, Record
from service.config import Settings, SettingsError
from service.stored import by_code

OK, FAILED, BROKEN = 0, 1, 2
NOON = "2026-03-03 12:00 America/New_York"
LONG_WORDS = re.compile(r"\b(rules|table|score|melds|options|commands|games|who|hand|why|stats)\b", re.IGNORECASE)

_SPAN = re.compile(r"\+(?:\s*\d+\s*[mhd])+$")
_RAW = re.compile(r"\s*raw\b[^{#]*(?=\{)")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_SLIPS = {
    "body": "Body",
    "from": "From",
    "to": "To",
    "sid": "MessageSid",
    "phone": "From",
    "sender": "From",
    "self": "From",
}


class Run(Checks):
    """One transcript while it runs. `Broken` for a line that cannot be read."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        super().__init__()
        self.path = path
        self.stack = stack
        self.opening = NOON
        self.settings: dict[str, str] = {}
        self.set_at: dict[str, int] = {}  # the line of each
        self.set_up: list[tuple[int, int, Callable[[], None]]] = []  # rank, line and what is to be done at the start
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
                lines = [line for name, line in self.set_at.items() if name.upper() in str(error)]
                raise Broken(lines[0] if lines else self.line, str(error)) from None
            here = self.line
            for _, line, what in sorted(self.set_up, key=itemgetter(0, 1)):
                self.line = line
                what()
            self.line = here
        return self._stage

    def _at_the_start(self, rank: int, what: Callable[[], None]) -> None:
        """Does it now that the service runs, else when it starts: these lines stand in any order before all others."""
        if self._stage is None:
            self.set_up.append((rank, self.line, what))
        else:
            what()

    def run(self, text: str) -> Report:
        """Every line in order."""
        for number, raw in enumerate(text.split("\n"), 1):
            self.line = number
            line = _without_comment(raw.rstrip("\r")).strip()
            if line:
                self._do(line)
                self._judge()
        if self.set_up or self.settings:
            _ = self.stage  # though nothing happens in it, what is wrong with these lines is told
        return self.report

    # Reading lines

    def _do(self, line: str) -> None:
        for pattern, method in _LINES:
            match = pattern.match(line)
            if match:
                method(self, *match.groups())
                return
        raise self._broken(f"{line!r} is no line of a transcript, such as 'Ann> draw', '<Ann drew' or '@ +6h'")

    def _moment(self, text: str) -> tuple[datetime, str]:
        date, _, zone = " ".join(text.split()).rpartition(" ")
        try:
            return datetime.strptime(date, "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone)).astimezone(
                ZoneInfo("UTC")
            ), zone
        except (ValueError, ZoneInfoNotFoundError):
            raise self._broken(f"{text!r} is no time with its zone, such as {NOON}") from None

    def _judge(self) -> None:
        """Every text that has come since: its alphabet and its length."""
        if self._stage is None:
            return
        for phone in self._stage.phones.values():
            seen = self.judged.get(phone.name, 0)
            self._judge_all(phone.inbox[seen:], phone.name)
            self.judged[phone.name] = len(phone.inbox)
        self.asked_long = False

    def _judge_all(self, bodies: Sequence[str], to: str) -> None:
        for body in bodies:
            wrong = self.stage.over_budget(body, 10 if self.asked_long else 2)
            if wrong:
                self._fail("only texts of at most two segments in GSM-7", f"{wrong} to {to}: {body!r}")

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
        if name.lower() not in Settings.model_fields:
            raise self._broken(f"there is no setting {name}; docs/settings.md lists them")
        self.settings[name] = value
        self.set_at[name] = self.line

    def new_phone(self, name: str, number: str | None, zone: str | None) -> None:
        """A phone with its number and zone; what is left out of the two is made up, of numbers one that no line has."""
        if zone:
            try:
                ZoneInfo(zone)
            except (ValueError, ZoneInfoNotFoundError):
                raise self._broken(f"{zone!r} is no time zone, such as America/New_York") from None
        self._at_the_start(0 if number else 1, lambda: self._new_phone(name, number or "", zone or ""))

    def _new_phone(self, name: str, number: str, zone: str) -> None:
        if self.stage.phone(name, number, zone).number != number and number:
            raise self._broken(f"{name} has another number already")

    def seed(self, seed: str) -> None:
        """What deals come from."""

        def sow() -> None:
            self.stage.seed = seed

        self._at_the_start(1, sow)

    def sit(self, file: str, code: str) -> None:
        """A table at the position of a record."""
        try:
            record = read_file(self.path.parent / file)
        except Broken as broken:
            raise self._broken(f"{file}:{broken.line}: {broken.sentence}") from None
        self._at_the_start(2, lambda: self._sit(record, code))

    def _sit(self, record: Record, code: str) -> None:
        with self.stage.services.db.begin() as conn:
            there = by_code(conn, code)
        if there is not None:
            raise self._broken(f"there is a table {there.code} already")
        self.stage.sit(record, code)

    # What happens

    def text(self, name: str, body: str) -> None:
        """A text from a phone."""
        words = self._filled(body).replace("\\n", "\n")
        self.asked_long = bool(LONG_WORDS.search(words))
        self._send(self.stage.phone(name), words)

    def _send(self, phone: Phone, body: str, sid: str | None = None, **fields: str) -> None:
        status = self.stage.text(phone, body, sid, **fields).status
        if status >= 500:
            self._fail("the webhook to answer", f"HTTP {status}")

    def again(self, name: str) -> None:
        """The carrier delivers a phone's last text again."""
        phone = self._known(name)
        if not phone.last_sid:
            raise self._broken(f"{name} has not sent a text yet that could come again")
        self.asked_long = bool(LONG_WORDS.search(phone.last_body))
        before = len(phone.inbox)
        self._send(phone, phone.last_body, phone.last_sid, **phone.last_fields)
        earlier, answers = (
            phone.inbox[:before],
            zip(range(before, len(phone.inbox)), phone.kinds[before:], strict=False),
        )
        self.repeats.setdefault(name.lower(), set()).update(
            at for at, kind in answers if kind == "answer" and phone.inbox[at] in earlier
        )

    def raw(self, name: str | None, fields: str) -> None:
        """A webhook with these fields over the usual ones."""
        try:
            given = {str(key): str(value) for key, value in json.loads(self._filled_json(fields)).items()}
        except (ValueError, AttributeError):
            raise self._broken('a raw line has its fields as JSON, such as {"Body": "", "NumMedia": "1"}') from None
        slip = next((field for field in given if field in _SLIPS), None)
        if slip is not None:
            raise self._broken(f"{slip!r} is no field of a webhook; it is {_SLIPS[slip]!r}")
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
        self.asked_long = bool(LONG_WORDS.search(body))
        self._send(phone, body, sid, **given)
        if phone.name.lower() not in self.stage.phones:  # a number that no line has named
            self._judge_all(phone.inbox, phone.number)

    def _filled_json(self, text: str) -> str:
        for key, value in self.groups.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    def clock(self, when: str) -> None:
        """The clock runs on."""
        span = _SPAN.match(when)
        if span:
            parts = re.findall(r"(\d+)\s*([mhd])", when)
            moment = self.stage.clock.now + sum((timedelta(**{_UNITS[u]: int(n)}) for n, u in parts), timedelta())
        else:
            zone = self.opening.split()[-1]
            moment, _ = self._moment(f"{when} {zone}")
        if moment < self.stage.clock.now:
            raise self._broken("the clock does not run back")
        self.stage.run_to(moment)

    def status(self, name: str, code: str) -> None:
        """The last text to a phone comes back undelivered."""
        phone = self._known(name)
        sent = self.stage.carrier.texts_to(phone.number)
        if sent:
            self.stage.carrier.report(sent[-1].sid, "undelivered", int(code))
        elif phone.inbox:
            self.stage.carrier.report_answer(self.stage.number, phone.number, "undelivered", int(code))
        else:
            raise self._broken(f"no text has been sent to {name} that could come back")
        self.stage.settle()


def _without_comment(line: str) -> str:
    """The line without a comment at its start or after a space; what stands in the JSON of a raw line is none."""
    kept = 0
    opening = _RAW.match(line)
    if opening:
        try:
            _, kept = json.JSONDecoder().raw_decode(line, opening.end())
        except ValueError:
            kept = 0
    return line[:kept] + re.sub(r"(?:^|\s)#.*", "", line[kept:])


_NAME = r"([^\W_][\w.'’-]*)"
_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"at\s+(\S.*)$"), Run.at),
    (re.compile(r"set\s+([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$"), Run.set),
    (re.compile(rf"phone\s+{_NAME}(?:\s+(\+\d+))?(?:\s+([A-Za-z]\S*))?$"), Run.new_phone),
    (re.compile(r"seed:?\s+(\S+)$"), Run.seed),
    (re.compile(r"sit\s+(\S+)\s+as\s+([A-Za-z0-9]+)$"), Run.sit),
    (re.compile(rf"dup\s+{_NAME}>$"), Run.again),
    (re.compile(rf"raw\s+(?:{_NAME}>)?\s*(\{{.*)$"), Run.raw),
    (re.compile(rf"status\s+{_NAME}\s+(\d+)$"), Run.status),
    (re.compile(rf"{_NAME}>\s?(.*)$"), Run.text),
    (re.compile(rf"<{_NAME}(?:(!?)\s+(.*))?$"), Run.next_text),
    (re.compile(rf"~{_NAME}(?:\s+(.*))?$"), Run.some_text),
    (re.compile(rf"!<{_NAME}$"), Run.silence),
    (re.compile(r"@\s*(\S.*)$"), Run.clock),
    (re.compile(r"=\s*table\s+(\S+)\s+(\S.*)$"), Run.table),
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


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...]) -> None:
    """Run every transcript and check all its lines.

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
