"""What an error of the carrier means for the text it befell. One function for both sources: the answer to sending, and
a later status callback. What is done about each: workers/outbox.py (`settle`) for the text, service/twilio/delivery.py
(`befell`) for the player and for our numbers.
"""

from datetime import datetime, timedelta
from enum import Enum
from zoneinfo import ZoneInfo


class Fate(Enum):
    """What becomes of a text that the carrier did not take, or could not deliver."""

    RETRY = "retry"  # certainly not sent; again after a short, growing pause
    LATER = "later"  # not sent, and pressing on makes it worse: a queue or a day's cap is full, or it is night there
    AMBIGUOUS = "ambiguous"  # nobody knows whether it was sent; never sent again blindly
    SOFT = "soft"  # not delivered this time (phone off, unknown cause)
    PAUSE = "pause"  # blocked on the way, perhaps by the player; until they text again
    DEAD = "dead"  # this number will never get a text from us
    OPTOUT = "optout"  # the player told the carrier STOP
    CONTENT = "content"  # this text was filtered; the same text will be again
    STOPALL = "stopall"  # our account or our numbers: every other text would fail too
    BUG = "bug"  # we should not have asked for that


_CODES: dict[Fate, tuple[int, ...]] = {
    Fate.RETRY: (20429,),
    Fate.LATER: (14107, 21611, 30001, 30022, 30023, 30025, 30027, 30047, 30610, 63038),
    Fate.AMBIGUOUS: (20500,),
    Fate.SOFT: (30003, 30008, 30410, 30500),
    Fate.PAUSE: (30004,),
    # 21612 is dead for this sender only: another of our numbers may reach them.
    Fate.DEAD: (21211, 21217, 21265, 21408, 21612, 21614, 21635, 30005, 30006, 30450, 30453),
    Fate.OPTOUT: (21610,),
    Fate.CONTENT: (30007, 30110, 30111),
    Fate.STOPALL: (10001, 20003, 20404, 21212, 21601, 21606, 21659, 30002, 30032, 30034),
    # 21608: an account on trial, and a number that it may not text yet. The others it may.
    Fate.BUG: (21266, 21602, 21608, 21617, 21619),
}
FATES: dict[int, Fate] = {code: fate for fate, codes in _CODES.items() for code in codes}

# Of those that stop us, what is wrong with one number of ours; the others may go on.
_ONE_NUMBER = frozenset((21212, 21601, 21606, 21659, 30032, 30034))
# Full is the queue of the number, of the Messaging Service, or the account's cap: every other text would meet the same.
_FULL_NUMBER, _FULL_ALL = frozenset((21611, 30001)), frozenset((63038,))
# A day's cap of a carrier, which begins anew at midnight there; the family of 63038 counts the last 24 hours.
_DAY_CAPS = frozenset((30023, 30025, 30027))
_MIDNIGHT = ZoneInfo("America/Los_Angeles")

ALL = "*"


def fate_of(code: int | None, http_status: int | None = None) -> Fate:
    """The fate by the carrier's error code; without one that is known, by the HTTP status of the answer to sending.

    An unknown code is SOFT: not worth stopping for, not worth repeating either.
    """
    if code in FATES:
        return FATES[code]
    if http_status is None:
        return Fate.SOFT
    if http_status == 429:
        return Fate.RETRY
    if http_status >= 500:
        return Fate.AMBIGUOUS
    if http_status in (401, 403, 404):
        return Fate.STOPALL
    return Fate.SOFT


def stops(fate: Fate, code: int | None, sender: str | None) -> str:
    """What an error stops: one number of ours, ALL of them, or "" where it is one text's trouble."""
    one = code in _ONE_NUMBER or code in _FULL_NUMBER
    if fate is not Fate.STOPALL and not one and code not in _FULL_ALL:
        return ""
    return sender if one and sender is not None else ALL


def again_at(code: int | None, now: datetime, retry_after: float | None = None) -> datetime:
    """When a text that came at a bad time (Fate.LATER) may be tried again."""
    if code in _DAY_CAPS:
        there = now.astimezone(_MIDNIGHT)
        return (there + timedelta(days=1)).replace(hour=0, minute=5, second=0, microsecond=0).astimezone(now.tzinfo)
    if code in _FULL_ALL or code in (30047, 30610):
        return now + timedelta(hours=1)
    return now + timedelta(seconds=max(900.0, retry_after or 0.0))
