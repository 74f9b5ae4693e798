"""Our numbers: which one a player gets texts from, and how fast each may send."""

import hashlib
from functools import lru_cache

import phonenumbers

from service.config import Settings

# Segments a second that a carrier of the United States takes from a number (sms.md 62). With a Messaging Service that
# chooses the number itself, its pool decides.
LONG_CODE, TOLL_FREE, POOL = 1.0, 3.0, 0.0


def number_for(settings: Settings, known: str | None, player_id: int) -> str | None:
    """The number that a player's texts come from: the one they know, as long as it is ours. Else another, the same each
    time and whichever others come and go. None: the Messaging Service chooses.
    """
    ours = settings.twilio_numbers
    if known in ours:
        return known
    if settings.twilio_messaging_service_sid or not ours:
        return None
    return max(ours, key=lambda number: hashlib.blake2b(f"{number} {player_id}".encode(), digest_size=8).digest())


def rate_of(settings: Settings, sender: str | None) -> float:
    """Segments a second; 0 is no limit."""
    given = settings.sender_segments_per_second
    if given != "auto":
        return float(given)
    return POOL if sender is None else _usual(sender)


@lru_cache(maxsize=256)
def _usual(sender: str) -> float:
    try:
        kind = phonenumbers.number_type(phonenumbers.parse(sender))
    except phonenumbers.NumberParseException:
        return LONG_CODE
    return TOLL_FREE if kind == phonenumbers.PhoneNumberType.TOLL_FREE else LONG_CODE


def scope_of(settings: Settings, sender: str | None) -> str:
    """A number of ours, for what shall not show it: names in Redis, and of counts."""
    return hashlib.blake2b((sender or "").encode(), key=settings.secret_key.encode()[:64], digest_size=8).hexdigest()
