"""What an error of the carrier means for the text it befell. One function for both sources: the answer to sending, and
a later status callback. What is done about each is in workers/outbox.py (`settle`).
"""

from enum import Enum


class Fate(Enum):
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
    Fate.STOPALL: (10001, 20003, 20404, 21212, 21601, 21606, 21608, 21659, 30002, 30032, 30034),
    Fate.BUG: (21266, 21602, 21617, 21619),
}
FATES: dict[int, Fate] = {code: fate for fate, codes in _CODES.items() for code in codes}


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
