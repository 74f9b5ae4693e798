"""How often we answer, so that two robots stop writing to each other, codes are not guessed and strangers cost little.

A move is always answered, and so is STOP: no robot plays. What counts is what somebody has texted since their last move:

- "I don't understand" comes at most once in ten minutes and three times a day. Any text that is understood begins the count
  anew. The same words again within a day, when they meant nothing the first time, get silence.
- Answers that changed nothing (not understood, refused, asked back, the same command again) are at most twelve in five
  minutes and sixty a day; different commands count too, from the fortieth in five minutes and the three hundredth a day
  on. The last of them says so; then there is silence for ten minutes, or until tomorrow. Moves are read all the while, and
  the first that is played ends the silence.
- A code that leads nowhere is answered six times a day. After that not even a right code is looked at.
- What is answered on a player's page is no text: it is always given, and not counted.
- Strangers together are answered so many times a day and no more (`STRANGERS_A_DAY`); the questions of one so many
  times, besides the one fixed text (`service.welcoming`).
"""

from collections import Counter as Times
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from prometheus_client import Counter
from sqlalchemy import bindparam, select

from service import manners, tally
from service.models import Inbound, table_of
from service.text import notices

if TYPE_CHECKING:
    from service.desk import Desk

INBOUND = table_of(Inbound)

DAY = timedelta(hours=24)
UNCLEAR_APART, UNCLEAR_A_DAY = timedelta(minutes=10), 3
SPAN = timedelta(minutes=5)
IDLE_IN_SPAN, IDLE_A_DAY = 12, 60  # answers that changed nothing
ANY_IN_SPAN, ANY_A_DAY = 40, 300  # answers of any kind but to moves
REST = timedelta(minutes=10)
WRONG_CODES_A_DAY = 6
STRANGERS_A_DAY = 500  # texts to people who sit nowhere, by the whole service

ALWAYS = frozenset(("out", "in"))
PICTURES = frozenset(("media", "silenced"))
UNDERSTOOD = ("command", "ask", "help", "repeated", "refused")

SILENCED = Counter("queenline_silenced", "Answers that were not given, by the limit that was reached", ["why"])
log = structlog.get_logger(__name__)

_BEFORE = (
    select(INBOUND.c.kind, INBOUND.c.body, INBOUND.c.answer.is_not(None).label("answered"), INBOUND.c.received_at)
    .where(
        INBOUND.c.player_id == bindparam("player"),
        INBOUND.c.received_at > bindparam("since"),
        INBOUND.c.id != bindparam("this"),
        INBOUND.c.message_sid.not_like("WEB%"),  # what was answered on a page was no text (`service.web.links`)
    )
    .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
    .limit(ANY_A_DAY * 2)
)


def allowed(desk: "Desk", answer: str | None) -> str | None:
    """The answer, or what is said in its place, or None where a limit is reached. Changes `desk.kind` to `silenced` then."""
    kind, player = desk.kind, desk.player
    if kind.startswith("moves"):
        if player.silenced_until is not None or player.unclear_count:
            desk.set_player(silenced_until=None, unclear_count=0)
        return answer
    if answer is None or kind in ALWAYS or (desk.sms is not None and desk.sms.on_page):
        return answer
    if player.silenced_until is not None and player.silenced_until > desk.now:
        return _silence(desk, "resting")
    before = desk.conn.execute(
        _BEFORE, {"player": player.id, "since": desk.now - DAY, "this": desk.inbound_id or 0}
    ).all()
    if kind == "media" and before and before[0].kind in PICTURES and desk.now - before[0].received_at < UNCLEAR_APART:
        return _silence(desk, "pictures")
    if kind == "unclear":
        answer = _puzzled(desk, answer, before)
        if answer is None:
            return _silence(desk, "unclear")
    elif player.unclear_count and kind.startswith(UNDERSTOOD):
        desk.set_player(unclear_count=0)
    return _counted(desk, answer, before)


def _silence(desk: "Desk", why: str) -> str | None:
    SILENCED.labels(why).inc()
    desk.kind = "silenced"
    return None


def _puzzled(desk: "Desk", answer: str, before: Any) -> str | None:
    """What to say to a text that means nothing."""
    player, now = desk.player, desk.now
    if desk.sms is not None and before and _same(before[0].body, desk.sms.body):
        return None
    fresh = player.unclear_at is None or now - player.unclear_at >= DAY
    said = 0 if fresh else player.unclear_count
    if said >= UNCLEAR_A_DAY:
        return None
    if said and now - player.unclear_at < UNCLEAR_APART:
        return None
    desk.set_player(unclear_at=now, unclear_count=said + 1)
    return answer


def _counted(desk: "Desk", answer: str, before: Any) -> str:
    """The answer, or the last one before a rest."""
    said = [(desk.kind, "" if desk.sms is None else _words(desk.sms.body), True)]
    for kind, body, answered, at in before:
        if kind.startswith("moves"):
            break
        if answered:
            said.append((kind, _words(body), at > desk.now - SPAN))
    times = Times(words for _, words, _ in said)
    idle = [(not kind.startswith("command") or times[words] > 1, in_span) for kind, words, in_span in said]
    counts = idle[0][0]
    if len(said) >= ANY_A_DAY or (counts and sum(of_no_use for of_no_use, _ in idle) >= IDLE_A_DAY):
        return _rest(desk, DAY, "day")
    lately = sum(in_span for _, _, in_span in said)
    if lately >= ANY_IN_SPAN or (counts and sum(of_no_use and in_span for of_no_use, in_span in idle) >= IDLE_IN_SPAN):
        return _rest(desk, REST, "span")
    return answer


def _rest(desk: "Desk", length: timedelta, why: str) -> str:
    until = desk.now + length
    desk.set_player(silenced_until=until)
    SILENCED.labels(why).inc()
    log.warning("player.silenced", player=desk.player.id, why=why)
    return notices.resting(manners.wall(until, desk.player.zone, desk.player.address, desk.now))


def _same(one: str, other: str) -> bool:
    return _words(one) == _words(other)


def _words(body: str) -> str:
    return body.strip().casefold()


def stranger_may_be_answered(desk: "Desk") -> bool:
    """Whether one more text to somebody who sits nowhere is within today's ceiling; counts it."""
    if tally.count(desk.conn, tally.day_of(desk.now), "stranger") <= STRANGERS_A_DAY:
        return True
    SILENCED.labels("strangers").inc()
    return False


def stranger_may_ask(desk: "Desk", most: int) -> bool:
    """Whether one more question of this stranger is answered: `most` a day, within what all of them are; counts it."""
    if tally.so_far(desk.conn, tally.day_of(desk.now), "newcomer", str(desk.player.id)) >= most:
        SILENCED.labels("newcomer").inc()
        return False
    if not stranger_may_be_answered(desk):
        return False
    tally.count(desk.conn, tally.day_of(desk.now), "newcomer", str(desk.player.id))
    return True


def guessing(desk: "Desk") -> bool:
    """Whether somebody has sent so many wrong codes today that no further one is looked at."""
    if tally.so_far(desk.conn, tally.day_of(desk.now), "wrong-code", str(desk.player.id)) < WRONG_CODES_A_DAY:
        return False
    SILENCED.labels("codes").inc()
    desk.kind = "silenced"
    return True


def wrong_code(desk: "Desk", code: str, sits: bool) -> str | None:
    """Counts a code that leads nowhere; what to say to it. `sits`: whether they sit at some table."""
    desk.kind = "wrong-code"
    if not sits and not stranger_may_be_answered(desk):
        return None
    made = tally.count(desk.conn, tally.day_of(desk.now), "wrong-code", str(desk.player.id))
    return notices.too_many_codes() if made >= WRONG_CODES_A_DAY else notices.no_such_table(code)
