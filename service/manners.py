"""When a text may go to somebody, and how often: waking hours, pauses, reminders. Pure; rows and times come in.

An answer to a text just received is never held. Everything else waits for the waking hours of its reader, in every zone
where their number may be, unless they have texted us within the last half hour.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from service import hours, zones
from service.hours import DEFAULT, Window

ACTIVE = timedelta(minutes=30)  # who has texted us in this time is awake
APART = timedelta(seconds=30)  # between two texts about one table, unless its reader has texted in between
GATHER = timedelta(minutes=10)  # so long a turn text to somebody with several tables waits for the others
FIRST_NUDGE = timedelta(hours=6)  # waking hours
NEXT_NUDGE = timedelta(hours=24)
SPAN, MOST_IN_SPAN = timedelta(hours=72), 3  # texts about one turn, its own included
ASKED_AGAIN = timedelta(hours=8)  # however many players ask
NEAR = timedelta(hours=2)  # reminders due within this time of each other are one text
AWAY = timedelta(days=30)  # of who is away until further notice
IDLE = timedelta(days=60)  # of silence: the number may be somebody else's by now


def zones_of(zone: str | None, address: str) -> tuple[str, ...]:
    """The zone somebody has told us, else all in which their number may be."""
    return (zone,) if zone else zones.candidates(address)


def window_of(prefs: Mapping[str, Any] | None) -> Window:
    """Somebody's waking hours: their own, or the usual ones."""
    own = (prefs or {}).get("quiet")
    return Window(*own) if own else DEFAULT


def may_go(
    now: datetime, zone: str | None, address: str, prefs: Mapping[str, Any] | None, last_inbound_at: datetime | None
) -> datetime:
    """The first moment at which a text may go to somebody: now, or when their day begins."""
    if last_inbound_at is not None and now - last_inbound_at < ACTIVE:
        return now
    return hours.opening(now, zones_of(zone, address), window_of(prefs))


def away_until(prefs: Mapping[str, Any] | None, now: datetime) -> datetime | None:
    """When somebody who is away comes back; None for who is here."""
    until = (prefs or {}).get("away")
    if not until:
        return None
    back = datetime.fromisoformat(until)
    return back if back > now else None


def next_nudge(
    began: datetime, sent: int, last: datetime, zone_names: tuple[str, ...], prefs: Mapping[str, Any] | None
) -> datetime | None:
    """When the next reminder of a turn is due, after `sent` of them and the last text about it at `last`.

    By default after six waking hours, then once a day, and never more than three texts in 72 hours, the turn's own
    included. None for who wants none.
    """
    window = window_of(prefs)
    wish = (prefs or {}).get("nudge")
    if wish == "off":
        return None
    if isinstance(wish, int):
        return hours.add_waking(last, timedelta(hours=wish), zone_names, window)
    if wish == "daily":
        return hours.opening(last + NEXT_NUDGE, zone_names, window)
    if not sent:
        return hours.add_waking(began, FIRST_NUDGE, zone_names, window)
    due = last + NEXT_NUDGE
    if sent == MOST_IN_SPAN - 1:
        due = max(due, began + SPAN + timedelta(minutes=1))
    return hours.opening(due, zone_names, window)


def deadline(
    began: datetime, pace: int | None, weekdays: bool, zone_names: tuple[str, ...]
) -> tuple[datetime, datetime] | None:
    """When a turn's clock runs out, and when the grace after it does: a quarter of the pace. None without a clock."""
    if not pace:
        return None
    length = timedelta(seconds=pace)
    end = hours.add_pace(began, length, weekdays, zone_names[0])
    return end, hours.add_pace(end, length / 4, weekdays, zone_names[0])


def wall(moment: datetime, zone: str | None, address: str, now: datetime) -> str:
    """A moment as its reader's clock shows it; with the zone's name where that is a guess among several."""
    names = zones_of(zone, address)
    said = hours.wall(moment, names[0], now)
    return said if len(names) == 1 else f"{said} {zones.friendly(names[0])}"
