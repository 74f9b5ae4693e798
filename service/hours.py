"""Waking hours, the clock of a turn, and how times are read from texts and written into them.

Pure: the present comes in as an aware datetime and every instant goes out as one in UTC. A wall-clock time is kept as
minutes after local midnight and becomes an instant on the day it is needed: one that a change of clocks skips becomes
the first minute after the gap, one that comes twice its first occurrence. Lengths of time are real time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from service.zones import clock_of

DAY = 24 * 60  # minutes
MINUTE = timedelta(minutes=1)
LEAST_WAKING = 120  # minutes a day that quiet hours must leave
LEAST_COMMON = timedelta(hours=4)  # in eight days, so half an hour a day
PACES = (timedelta(hours=1), timedelta(days=30))
LONGEST_AWAY = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Window:
    """When texts that nobody asked for may go out, in minutes after local midnight; the end itself is outside.

    An end at or before the start is on the next day. `sunday_start` is when a span that begins on a Sunday begins; it
    lies in the window.
    """

    start: int
    end: int
    sunday_start: int

    def __post_init__(self) -> None:
        if not all(0 <= minute < DAY for minute in (self.start, self.end, self.sunday_start)) or self.start == self.end:
            raise ValueError("a window lies between two different minutes of a day")
        if (self.sunday_start - self.start) % DAY >= self.length:
            raise ValueError("Sunday starts inside the window")

    @property
    def length(self) -> int:
        """Minutes of an ordinary day."""
        return (self.end - self.start) % DAY

    def __str__(self) -> str:
        """As texts say it: `9am-8pm, Sundays from noon`."""
        said = f"{_clock(self.start)}-{_clock(self.end) if self.end else 'midnight'}"
        return said if self.sunday_start == self.start else f"{said}, Sundays from {_clock(self.sunday_start)}"


DEFAULT = Window(9 * 60, 20 * 60, 12 * 60)


# Waking hours


def is_waking(now: datetime, zones: Sequence[str], window: Window) -> bool:
    """Whether it is inside the window in every zone. Of zones that never are at once, see `opening`."""
    now = _utc(now)
    return all(_span(now, zone, window)[0] <= now for zone in _heeded(now, zones, window))


def opening(now: datetime, zones: Sequence[str], window: Window) -> datetime:
    """`now` if that is waking time, else the first instant after it that is, in every zone.

    Zones that have less than `LEAST_COMMON` waking time in common in eight days (a narrow window, a country of eleven
    zones) would hold a text for ever: then the largest group of them that has it decides, and the others are not asked.
    `is_waking`, `closing` and `add_waking` know the same rule, so what waits for an opening can be sent at it.
    """
    now = _utc(now)
    while True:
        begins = max(_span(now, zone, window)[0] for zone in _heeded(now, zones, window))
        if begins <= now:
            return now
        now = begins if len(zones) == 1 else min(begins, _next_period(now))


def closing(now: datetime, zones: Sequence[str], window: Window) -> datetime:
    """The end of the waking span that `now` is in, or else of the next one. The end itself is not waking time."""
    now = opening(now, zones, window)
    while True:
        ends = min(_span(now, zone, window)[1] for zone in _heeded(now, zones, window))
        if len(zones) > 1:
            ends = min(ends, _next_period(now))
        if not is_waking(ends, zones, window):
            return ends
        now = ends


def add_waking(start: datetime, length: timedelta, zones: Sequence[str], window: Window) -> datetime:
    """When that much waking time has passed since `start`; itself always waking time.

    Outside waking hours nothing is counted. What would end with the window ends as the next one opens.
    """
    if length < timedelta(0):
        raise ValueError("waking time only runs forward")
    now = opening(start, zones, window)
    while True:
        ends = closing(now, zones, window)
        if length < ends - now:
            return now + length
        length -= ends - now
        now = opening(ends, zones, window)


def _span(now: datetime, zone: str, window: Window) -> tuple[datetime, datetime]:
    """The waking span of one zone that `now` is in, or else the next one."""
    day = now.astimezone(clock_of(zone)).toordinal() - 1  # a window may have begun yesterday
    while True:
        begins, ends = _span_of_day(zone, window, day)
        if now < ends and begins < ends:
            return begins, ends
        day += 1


@lru_cache(maxsize=16384)
def _span_of_day(zone: str, window: Window, day: int) -> tuple[datetime, datetime]:
    """The span that begins on that local day (a date's ordinal). Empty where a change of clocks swallows it."""
    first = date.fromordinal(day)
    start = window.sunday_start if first.weekday() == 6 else window.start
    last = first if start < window.end else date.fromordinal(day + 1)
    return _instant(first, start, zone), _instant(last, window.end, zone)


def _instant(day: date, minute: int, zone: str) -> datetime:
    """The instant of a wall-clock time: after a gap its first minute, of two occurrences the first."""
    clock = clock_of(zone)
    wall = datetime.combine(day, time(*divmod(minute, 60)), clock)
    after = wall.astimezone(UTC)
    if after.astimezone(clock).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return after
    # In a gap the two folds lie on either side of the change.
    before = wall.replace(fold=1).astimezone(UTC)
    old = before.astimezone(clock).utcoffset()
    while after - before > MINUTE:
        middle = before + (after - before) // 2 // MINUTE * MINUTE
        if middle.astimezone(clock).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment.astimezone(UTC)


# Which zones decide is settled for eight days at a time, not at each instant, so that all functions agree on it. Eight
# days hold a whole Sunday and whole weekdays, wherever they begin.
_EPOCH = datetime(2020, 1, 6, tzinfo=UTC)
_PERIOD = timedelta(days=8)


def _next_period(now: datetime) -> datetime:
    return _EPOCH + ((now - _EPOCH) // _PERIOD + 1) * _PERIOD


def _heeded(now: datetime, zones: Sequence[str], window: Window) -> Sequence[str]:
    """The zones that decide: all of them, where they have enough waking time in common."""
    if len(zones) == 1:
        return zones
    if not zones:
        raise ValueError("no zone")
    return _agreeing(tuple(zones), window, (now - _EPOCH) // _PERIOD)


@lru_cache(maxsize=1024)
def _agreeing(zones: tuple[str, ...], window: Window, period: int) -> tuple[str, ...]:
    """The largest group of the zones that has `LEAST_COMMON` in the period: nearly always all of them."""
    begin = _EPOCH + period * _PERIOD
    lasting: dict[frozenset[str], timedelta] = {}  # for how long exactly these are awake
    awake: frozenset[str] = frozenset()
    before = begin
    for moment, zone in sorted(change for one in set(zones) for change in _changes(one, window, begin)):
        lasting[awake] = lasting.get(awake, timedelta(0)) + (moment - before)
        awake, before = awake ^ {zone}, moment
    common = {
        group: sum((lasting[more] for more in lasting if group <= more), timedelta(0)) for group in lasting if group
    }
    best = max(common, key=lambda group: (common[group] >= LEAST_COMMON, len(group), common[group]))
    return tuple(zone for zone in zones if zone in best)


def _changes(zone: str, window: Window, begin: datetime) -> Iterator[tuple[datetime, str]]:
    """When the zone opens and closes within the period, in turn."""
    now, end = begin, begin + _PERIOD
    while (span := _span(now, zone, window))[0] < end:
        yield max(span[0], begin), zone
        now = min(span[1], end)
        yield now, zone
        if now == end:
            break


# The clock of a turn


def add_pace(start: datetime, pace: timedelta, weekdays: bool, zone: str) -> datetime:
    """The deadline of a turn that begins at `start`.

    With weekdays only, Saturdays and Sundays of the zone's calendar do not count: from Thursday 5pm, three days end on
    Tuesday 5pm, and what would end with Friday ends as Monday begins.
    """
    now = _utc(start)
    if not weekdays:
        return now + pace
    while True:
        today = now.astimezone(clock_of(zone)).date()
        weekday = today.weekday()
        if weekday >= 5:
            now = _instant(today + timedelta(days=7 - weekday), 0, zone)
            continue
        weekend = _instant(today + timedelta(days=5 - weekday), 0, zone)
        if pace < weekend - now:
            return now + pace
        pace -= weekend - now
        now = weekend


# Times in texts


def wall(moment: datetime, zone: str, now: datetime) -> str:
    """A local time as texts show it, true whenever they are read: never "today" or "tomorrow".

    `Thu 9am` and `Thu 9:15am` from today to six days on, else `Mar 12 9am`, and more than 300 days away
    `Mar 12 2027 9am`; noon is `noon`. Seconds are left out, so nothing happens before a time we have named.
    """
    local = _utc(moment).astimezone(clock_of(zone))
    return f"{_day_name(local, now)} {_clock(local.hour * 60 + local.minute)}"


def back_on(moment: datetime, zone: str, now: datetime) -> str:
    """When somebody is back, as `wall` would say it, but a day alone where that is its first minute: `Mon`, `Mar 12`."""
    local = _utc(moment).astimezone(clock_of(zone))
    starts = _utc(moment) == _instant(local.date(), 0, zone)
    return _day_name(local, now) if starts else wall(moment, zone, now)


def _day_name(local: datetime, now: datetime) -> str:
    away = (local.date() - _utc(now).astimezone(local.tzinfo).date()).days
    if 0 <= away <= 6:
        return f"{local:%a}"
    return f"{local:%b} {local.day}" + (f" {local.year}" if abs(away) > 300 else "")


def _clock(minute: int) -> str:
    if minute == DAY // 2:
        return "noon"
    hour, minutes = divmod(minute, 60)
    return f"{(hour - 1) % 12 + 1}{f':{minutes:02}' if minutes else ''}{'am' if hour < 12 else 'pm'}"


_TIME = r"(\d{1,2})(?:[:.h]?([0-5]\d))? ?(am?|pm?)?"
_TIMES = re.compile(rf"{_TIME} ?(?:-|to|until|till?|and| ) ?{_TIME}")
_ONE_TIME = re.compile(_TIME)
AM_OR_PM = "Say am or pm, like quiet 10pm-8am."
TOO_QUIET = "That leaves less than 2 hours a day for texts. Keep more of the day free, like quiet 10pm-8am."


def read_quiet(words: str) -> Window | None:
    """Waking hours from quiet hours: `22-8`, `10pm-8am`, `22:30 to 7`, `after 10pm`; `off` is `DEFAULT`. None: not understood.

    The window is what the quiet hours leave, on Sundays too. Hours on the 24-hour clock are taken as they stand.
    Without am and pm (`9-5`, `10-8`) the reading that is mostly night is meant: 9pm-5am, 10pm-8am. ValueError, with a
    sentence for the player, where no reading is, or where less than two hours a day are left.
    """
    said = _times_plain(words)
    said = re.sub(r"^(?:(?:my|hours?|time|quiet|from|between|no texts?) )+", "", said)
    if said in ("off", "default", "normal", "reset", "none", "no", "standard", "usual"):
        return DEFAULT
    if found := re.fullmatch(rf"(after|from|before|until|till?) {_TIME}", said):
        side, *parts = found.groups()
        options = _options(*parts)
        if len(options) == 2:  # after 10: in the evening; before 8: in the morning
            options = options[1:] if side in ("after", "from") else options[:1]
        if not options:
            return None
        evening = side in ("after", "from")
        start, end = (options[0], DEFAULT.start) if evening else (DEFAULT.end, options[0])
    elif found := _TIMES.fullmatch(said):
        first, last = found.groups()[:3], found.groups()[3:]
        one, other = _options(*first), _options(*last)
        if not one or not other:
            return None
        marked = bool(first[2] or last[2])
        if not marked and 1 in (len(one), len(other)):  # one is of the 24-hour clock: so is the other
            one, other = [one[first[0] == "12"]], [other[last[0] == "12"]]
        start, end = _nightly([(a, b) for a in one for b in other], marked=marked)
    else:
        return None
    if (start - end) % DAY < LEAST_WAKING:
        raise ValueError(TOO_QUIET)
    return Window(end, start, end)


def _nightly(readings: list[tuple[int, int]], *, marked: bool) -> tuple[int, int]:
    """Of several readings of quiet hours the one that is night for its greatest part, or else for a `marked` one the shortest.

    Night is 10pm to 6am, the greatest part at least half, and nobody means more than 14 hours without saying so.
    """
    if len(readings) == 1:
        return readings[0]
    lengths = {(start, end): (end - start) % DAY for start, end in readings}
    short = [reading for reading, length in lengths.items() if 0 < length <= 14 * 60]

    def night(reading: tuple[int, int]) -> float:
        length = lengths[reading]
        return sum((reading[0] + minute - 22 * 60) % DAY < 8 * 60 for minute in range(length)) / length

    best = max(short, key=night, default=None)
    if best and night(best) >= 0.5:
        return best
    if short and marked:
        return min(short, key=lambda reading: lengths[reading])
    raise ValueError(AM_OR_PM)


def _options(hour: str, minutes: str | None, half: str | None) -> list[int]:
    """The minutes of a day that a written time may mean: none, one, or morning and evening."""
    h, m = int(hour), int(minutes or 0)
    if h == 24 and not m and not half:
        return [0]
    if h > 23 or (half and h == 0):
        return []
    if h > 12 or h == 0 or (len(hour) == 2 and hour[0] == "0" and not half):
        return [] if half and half[0] == "a" else [h * 60 + m]
    morning = h % 12 * 60 + m
    return [morning + DAY // 2 * (half[0] == "p")] if half else [morning, morning + DAY // 2]


def _times_plain(words: str) -> str:
    said = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", words.casefold())
    said = re.sub(r" ?[\u2010-\u2015\u2212-] ?", "-", said)
    said = re.sub(r"\bo['\u2019]?clock\b", "", said)
    said = re.sub(r"(?:\b12 ?)?\bnoon\b", "12pm", re.sub(r"(?:\b12 ?)?\bmidnight\b", "12am", said))
    return re.sub(r"\s+", " ", said).strip(" .!,?")


# Lengths of time

_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "month": 30 * 86400}
_NUMBERS = {
    "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "a few": 3, "few": 3, "half an": 0.5, "half a": 0.5, "a": 1,
    "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fourteen": 14,
}  # fmt: skip
_LENGTH = re.compile(
    rf"(?:(\d+(?:\.\d+)?)|({'|'.join(_NUMBERS)})\b)?[ -]?(m(?:ins?|inutes?)?|h(?:ou)?rs?|h|d(?:ays?)?|w(?:ee)?ks?|w|months?)\b"
)
PACE_BOUNDS = "A pace is 1 hour to 30 days, like 12h or 3d."


def read_pace(words: str) -> timedelta | None:
    """`3d`, `12h`, `36 hours`, `a week`, `1d 12h`; zero for `none`: no clock. None: not understood, a bare number among it.

    ValueError, with a sentence for the player, for less than an hour or more than 30 days.
    """
    said = re.sub(r"^(?:every|each|per|of) ", "", _times_plain(words))
    if said in ("none", "off", "no", "never", "no limit", "no clock", "no pace", "no deadline", "unlimited", "forever"):
        return timedelta(0)
    pace = _length({"daily": "1d", "hourly": "1h", "weekly": "1w"}.get(said, said))
    if pace is not None and not PACES[0] <= pace <= PACES[1]:
        raise ValueError(PACE_BOUNDS)
    return pace


def _length(said: str) -> timedelta | None:
    seconds = 0.0
    for part in re.split(r" ?(?:,|\band\b) ?|(?<=[a-z]) (?=\d)|(?<=[hdw])(?=\d)", said):
        found = _LENGTH.fullmatch(part)
        if not found:
            return None
        number, word, unit = found.groups()
        many = float(number) if number else _NUMBERS[word or "a"]
        seconds += min(many, 10_000) * _UNITS["month" if unit.startswith("mo") else unit[0]]
    return timedelta(seconds=seconds)


# Dates

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_PARTS = {"morning": 8 * 60, "lunch": 12 * 60, "afternoon": 13 * 60, "evening": 18 * 60, "night": 20 * 60}
_FEASTS = {"christmas": (12, 25), "xmas": (12, 25), "new year": (1, 1), "new years": (1, 1), "new year's": (1, 1)}
_THROUGH = re.compile(r"(?:through|thru) ")
_LEAD = re.compile(r"(?:(?:until|untill|till?|'til|up to|back|by|for|on|the next|about|away|i'?m|be|at least|maybe) )+")
UNTIL_WHAT = "Until when? Say it like away until monday, away until 3/12 or away 5d."
UNTIL_PAST = "That time is past. Say it like away until monday, away until 3/12 or away 5d."
UNTIL_FAR = "That is more than 180 days off. Give a nearer date, like away 2 weeks."


def read_until(words: str, now: datetime, zone: str) -> datetime:
    """When somebody is back who is away `until monday`, `5d`, `until 12/24`, `2 weeks`, `friday evening`, `next week`.

    A day begins at its local midnight: until Monday is back on Monday, through Monday back on Tuesday. A weekday is the
    next one after today, `next friday` the one of the week after this (weeks begin on Monday, and so does `next week`).
    A length of time is that long from now, exactly. 12/24 is month and day. ValueError, with a sentence for the player,
    for what is not understood, past, or more than 180 days off.
    """
    now = _utc(now)
    said = _times_plain(words).replace("\u2019", "'")
    through = bool(_THROUGH.match(said))
    said = _THROUGH.sub("", said) if through else _LEAD.sub("", said, count=1)
    length = _length(said.removeprefix("in ").removesuffix(" from now"))
    if length is not None:
        until: datetime | None = now + min(length, 2 * LONGEST_AWAY)
    else:
        until = _date_and_time(said, now, zone, through=through)
    if until is None:
        raise ValueError(UNTIL_WHAT)
    if until <= now:
        raise ValueError(UNTIL_PAST)
    if until - now > LONGEST_AWAY:
        raise ValueError(UNTIL_FAR)
    return until


def _date_and_time(said: str, now: datetime, zone: str, *, through: bool) -> datetime | None:
    today = now.astimezone(clock_of(zone)).date()
    said, minute = _split_time(said)
    if not said:
        if minute is None:
            return None
        at = _instant(today, minute, zone)  # a time alone is the next one
        return at if at > now else _instant(today + timedelta(days=1), minute, zone)
    day = _date(said, today)
    if day is None:
        return None
    if minute is None and through:
        day += timedelta(days=1)
    return _instant(day, minute or 0, zone)


def _split_time(said: str) -> tuple[str, int | None]:
    """A day and a time of it: `friday evening`, `tomorrow at 5pm`, `tonight`."""
    if said in ("tonight", "this evening"):
        return "today", _PARTS["evening" if "evening" in said else "night"]
    head, _, part = said.rpartition(" ")
    if part in _PARTS:
        return head.removesuffix(" in the").removesuffix(" at"), _PARTS[part]
    found = re.fullmatch(rf"(.*?)(?:^| )(at |by |around )?{_TIME}", said)
    if not found:
        return said, None
    head, at, *parts = found.groups()
    if not (at or parts[2] or ":" in said.removeprefix(head)):  # a bare number is a day of a month
        return said, None
    options = _options(*parts)
    if not options:
        return said, None
    if len(options) == 2:  # at 5 is in the afternoon, at 9 in the morning
        return head, options[0] if options[0] >= 8 * 60 else options[1]
    return head, options[0]


def _date(said: str, today: date) -> date | None:
    said = said.strip(" ,").removeprefix("the ")
    monday = today - timedelta(days=today.weekday())
    next_month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    named = {
        "today": today, "tomorrow": today + timedelta(days=1), "tmrw": today + timedelta(days=1),
        "day after tomorrow": today + timedelta(days=2), "next week": monday + timedelta(days=7),
        "weekend": _next_weekday(today, 5), "this weekend": _next_weekday(today, 5), "next weekend": monday + timedelta(days=12),
        "after the weekend": _next_weekday(today, 0), "next month": next_month,
        "end of week": _next_weekday(today, 5), "end of month": next_month,
    }  # fmt: skip
    if found := named.get(said.replace("end of the ", "end of ")):
        return found
    if said in _FEASTS:
        return _coming(today, *_FEASTS[said])
    which, _, name = said.rpartition(" ")
    if which in ("", "next", "this", "coming", "end of"):
        weekday, month = _position(_WEEKDAYS, name), _position(_MONTHS, name)
        if weekday is not None:
            return monday + timedelta(days=7 + weekday) if which == "next" else _next_weekday(today, weekday)
        if month is not None:
            return _coming(today, (month + (which == "end of")) % 12 + 1, 1)
    first, _, rest = said.partition(" ")
    if _position(_WEEKDAYS, first.rstrip(",")) is not None:  # friday march 13: the date says it all
        said = rest.removeprefix("the ")
    return _calendar(said, today)


def _calendar(said: str, today: date) -> date | None:
    """`12/24`, `12/24/2026`, `2026-12-24`, `march 12`, `12 march 2026`, `12th`."""
    if found := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", said):
        return _day(*map(int, found.groups()))
    if found := re.fullmatch(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{2}|\d{4}))?", said):
        month, day = int(found[1]), int(found[2])
        if month > 12:  # 24/12 can only be Christmas Eve
            month, day = day, month
        return _day(int(found[3]) % 100 + 2000, month, day) if found[3] else _coming(today, month, day)
    if found := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", said):
        for later in range(3):
            years, months = divmod(today.month - 1 + later, 12)
            coming = _day(today.year + years, months + 1, int(found[1]))
            if coming and coming > today:
                return coming
        return None
    ordinal = r"(\d{1,2})(?:st|nd|rd|th)?"
    year = r"(?:,? (\d{4}))?"
    shapes = ((rf"([a-z]+)\.? ?{ordinal}{year}", 1, 2), (rf"{ordinal} ?(?:of )?([a-z]+)\.?{year}", 2, 1))
    for shape, name, number in shapes:
        found = re.fullmatch(shape, said)
        found_month = _position(_MONTHS, found[name]) if found else None
        if found and found_month is not None:
            day = int(found[number])
            return _day(int(found[3]), found_month + 1, day) if found[3] else _coming(today, found_month + 1, day)
    return None


def _position(names: Sequence[str], word: str) -> int | None:
    """The name that a word of three letters or more begins: `mon`, `tues`, `sept`."""
    return next((n for n, name in enumerate(names) if len(word) >= 3 and name.startswith(word)), None)


def _next_weekday(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _coming(today: date, month: int, day: int) -> date | None:
    """That day of this year, today among them, or of the next if it is past."""
    this = _day(today.year, month, day)
    return this if this and this >= today else _day(today.year + 1, month, day)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
