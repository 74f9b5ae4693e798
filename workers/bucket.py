"""How many segments a sender may send now: a token bucket for each of our numbers, shared by all workers.

The buckets are in Redis, under names that tell no number. With Redis away each process goes on with a bucket of its own
at a quarter of the rate: `queenline worker` is two processes, so that two workers together still keep below the whole.
"""

import math
import threading
import time
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache

import structlog
from redis.exceptions import RedisError

from service.bell import ANSWER_SECONDS, connect
from service.config import Settings
from service.senders import scope_of

SHARE_ALONE = 0.25
# What a bucket holds: so many seconds of its rate, and never less than a long text.
HOLDS_SECONDS, HOLDS_LEAST, HOLDS_LEAST_ALONE = 2.0, 10, 4
# A Redis that was away is asked again after this.
AWAY_SECONDS = 5.0

# Takes up to ARGV[1] whole tokens (a negative number gives back) at the time ARGV[4]. A clock that is behind another
# worker's fills nothing; one that is far behind shows that the other was wrong.
TAKE = """
local wanted, rate, holds, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(kept[1] or holds), tonumber(kept[2] or now)
if now > at then tokens = tokens + (now - at) * rate; at = now elseif at - now > 10 then at = now end
tokens = math.min(tokens, holds)
local got = math.min(wanted, math.max(0, math.floor(tokens)))
tokens = math.min(tokens - got, holds)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(at))
redis.call('EXPIRE', KEYS[1], 3600)
return {got, tostring(tokens)}
"""

log = structlog.get_logger(__name__)


class Buckets:
    """The buckets of the settings' senders. Thread-safe; never raises for Redis."""

    def __init__(
        self, settings: Settings, clock: Callable[[], datetime], monotonic: Callable[[], float] = time.monotonic
    ):
        self._redis = connect(settings.redis_url, ANSWER_SECONDS)
        self._take = self._redis.register_script(TAKE)
        self._settings = settings
        self._clock = clock
        self._monotonic = monotonic
        self._away_until = 0.0
        self._alone: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, sender: str, wanted: int, rate: float) -> int:
        """Up to so many segments at `rate` a second; what is not sent is given back by a negative number."""
        now = self._clock().timestamp()
        if self._monotonic() >= self._away_until:
            try:
                got, _ = self._take(keys=[self._key(sender)], args=[wanted, rate, holds(rate), now])
                return int(got)
            except (RedisError, OSError) as error:
                self._away_until = self._monotonic() + AWAY_SECONDS
                log.warning("bucket.alone", why=type(error).__name__)
        return self._take_alone(sender, wanted, rate, now)

    def _take_alone(self, sender: str, wanted: int, rate: float, now: float) -> int:
        rate, room = rate * SHARE_ALONE, max(float(HOLDS_LEAST_ALONE), holds(rate) * SHARE_ALONE)
        with self._lock:
            tokens, at = self._alone.get(sender, (room, now))
            tokens = min(tokens + max(0.0, now - at) * rate, room)
            got = min(wanted, max(0, math.floor(tokens)))
            self._alone[sender] = (min(tokens - got, room), max(now, at))
            return got

    def _key(self, sender: str) -> str:
        return f"queenline:bucket:{scope_of(self._settings, sender)}"


@lru_cache(maxsize=8)
def buckets_of(settings: Settings, clock: Callable[[], datetime]) -> Buckets:
    """Those of this process: what each has sent is remembered from one drain to the next."""
    return Buckets(settings, clock)


def holds(rate: float) -> int:
    """How many segments a full bucket of this rate holds."""
    return max(HOLDS_LEAST, math.ceil(rate * HOLDS_SECONDS))
