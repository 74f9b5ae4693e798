"""What must hold in a transcript: the lines that look at texts, tables and counts, and what such lines have found so far."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from commands import table_facts
from commands.stage import Phone, Stage
from engine.record import Broken, Failure
from service.stored import MOVE, TABLE, Table, by_code
from service.text.gsm7 import segments


@dataclass
class Report:
    """How a run went."""

    checks: int = 0
    failures: list[Failure] = field(default_factory=list)


class Checks(ABC):
    """A transcript's lines that check something. `Broken` for one that cannot be read."""

    def __init__(self) -> None:
        self.report = Report()
        self.line = 0  # where in the file we are
        self.groups: dict[str, str] = {}
        self.same: dict[str, Any] = {}  # games by code as the last `= same` found them
        self.looked: dict[str, Any] = {}  # and the last `= table` after that
        self.without: dict[str, str] = {}  # by phone, the text that a `<Ann!` line has just looked at
        self.repeats: dict[str, set[int]] = {}  # by phone, which of its texts are answers that came once more

    @property
    @abstractmethod
    def stage(self) -> Stage:
        """The service and the phones."""

    def _broken(self, sentence: str) -> Broken:
        return Broken(self.line, sentence)

    def _filled(self, text: str) -> str:
        """`{code}` replaced by what an earlier line has caught."""

        def value(match: re.Match[str]) -> str:
            if match[1] not in self.groups:
                raise self._broken(f"no line before this has caught {{{match[1]}}}")
            return self.groups[match[1]]

        return re.sub(r"\{([A-Za-z_]\w*)\}", value, text)

    def _fail(self, expected: str, got: str) -> None:
        self.report.failures.append(Failure(self.line, expected, got))

    def _known(self, name: str) -> Phone:
        return self.stage.phone(name)

    def _holds(self, body: str, spec: str) -> bool:
        spec = spec.strip()
        written = re.fullmatch(r"/(.*)/(i?)", spec)
        if written:
            flags = re.IGNORECASE if written[2] else 0
            pattern = self._filled(written[1]) if _has_groups(spec, self.groups) else written[1]
            try:
                found = re.search(pattern, body, flags)
            except re.error as error:
                raise self._broken(f"{spec} is no regular expression: {error}") from None
            if found:
                self.groups |= {key: value for key, value in found.groupdict().items() if value is not None}
            return found is not None
        words = [word.strip() for word in self._filled(spec).split(",")]
        return all(word.casefold() in body.casefold() for word in words if word)

    def next_text(self, name: str, bang: str, spec: str | None) -> None:
        """The next unread text holds this, or with `!` does not.

        Lines after one with `!` may ask about the same text, where the next does not fit them.
        """
        self.report.checks += 1
        phone, spec, key = self._known(name), spec or "", name.lower()
        expected = f"a text to {name} {'without' if bang else 'with'} {spec.strip()!r}"
        looked_at = self.without.pop(key, None)
        self._pass_repeats(phone, None if bang else spec)
        bodies = [*phone.unread[:1], *([] if looked_at is None else [looked_at])]
        body = next((body for body in bodies if self._holds(body, spec) != bool(bang)), None)
        if body is None:
            self._fail(expected, repr(bodies[0]) if bodies else "none")
        if phone.unread and body in (None, phone.unread[0]):
            body = phone.unread[0]
            phone.read += 1
        if bang and body is not None:
            self.without[key] = body

    def _pass_repeats(self, phone: Phone, spec: str | None) -> None:
        """Answers that a `dup` line has brought once more need not be read: the next line may be about them or not."""
        repeats = self.repeats.get(phone.name.lower(), set())
        while phone.read in repeats and phone.read + 1 < len(phone.inbox):
            if spec is not None and self._holds(phone.inbox[phone.read], spec):
                return
            phone.read += 1

    def some_text(self, name: str, spec: str | None) -> None:
        """Some unread text holds this; all up to it are read."""
        self.report.checks += 1
        phone, spec = self._known(name), spec or ""
        for i, body in enumerate(phone.unread):
            if self._holds(body, spec):
                phone.read += i + 1
                self.without.pop(name.lower(), None)
                return
        looked_at = self.without.pop(name.lower(), None)
        if looked_at is not None and self._holds(looked_at, spec):
            return
        self._fail(f"an unread text to {name} with {spec.strip()!r}", repr(phone.unread) if phone.unread else "none")

    def silence(self, name: str) -> None:
        """Nothing unread."""
        self.report.checks += 1
        phone = self._known(name)
        repeats = self.repeats.get(name.lower(), set())
        new = [body for at, body in enumerate(phone.unread, phone.read) if at not in repeats]
        if new:
            self._fail(f"no text to {name}", repr(new[0]))
            phone.read = len(phone.inbox)

    def _table(self, code: str) -> Table:
        code = self._filled(code)
        with self.stage.services.db.begin() as conn:
            table = by_code(conn, code)
        if table is None:
            raise self._broken(f"there is no table {code}")
        return table

    def table(self, code: str, facts: str) -> None:
        """What is so at a table: one fact, or several."""
        table = self._table(code)
        self.looked[table.code] = self._game(table)
        try:
            said = table_facts.read(self._filled(facts))
        except ValueError as error:
            raise self._broken(str(error)) from None
        for name, value in said:
            self.report.checks += 1
            expected, got = table_facts.compare(table, name, value)
            if got.casefold() != expected.casefold():
                self._fail(f"{name} {value}".strip(), got)

    def unchanged(self, code: str) -> None:
        """The game has not changed since the last such line, or a line about the table after that."""
        self.report.checks += 1
        table = self._table(code)
        now = self._game(table)
        before = self.same.setdefault(table.code, now)
        if now not in (before, self.looked.get(table.code)):
            self._fail(f"table {table.code} as it was (version {before[0]})", f"version {now[0]}")
        self.same[table.code] = now
        self.looked.pop(table.code, None)

    def _game(self, table: Table) -> tuple[Any, ...]:
        """What must be as it was where a game has not changed."""
        with self.stage.services.db.begin() as conn:
            moves = conn.execute(select(MOVE.c.n).where(MOVE.c.table_id == table.id)).all()
            row = conn.execute(select(TABLE.c.state, TABLE.c.status).where(TABLE.c.id == table.id)).one()
        return table.version, len(moves), row.state, row.status

    def texts(self, name: str, count: str) -> None:
        """How many texts a phone has got."""
        self._number(f"{count} texts to {name}", name, lambda _: 1, count)

    def segments(self, name: str, count: str) -> None:
        """How many segments a phone has got."""
        self._number(f"{count} segments to {name}", name, segments, count)

    def _number(self, expected: str, name: str, size: Callable[[str], int], count: str) -> None:
        """Answers that came once more are counted or not: a carrier delivers a text again whose answer it has lost."""
        self.report.checks += 1
        repeats = self.repeats.get(name.lower(), set())
        sizes = [size(body) for body in self._known(name).inbox]
        without = sum(each for at, each in enumerate(sizes) if at not in repeats)
        if int(count) not in (sum(sizes), without):
            self._fail(expected, str(without))


def _has_groups(spec: str, groups: dict[str, str]) -> bool:
    return any(f"{{{name}}}" in spec for name in groups)
