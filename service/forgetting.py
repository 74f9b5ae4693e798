"""FORGET ME: what is kept of a player is deleted, and their games stay readable with a number in place of the name.

What goes: number, name, zone, settings, kept house rules, web forms, what they texted and what they were told. Their name
is taken out of what others were told at their tables; others' own words are left. What stays is nobody's: moves, scores,
how many texts there were, and the carrier's ids, so that no old text can come a second time.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, and_, delete, func, or_, select, update

from service import tally
from service.config import Settings
from service.desk import Desk
from service.models import Inbound, Nudge, OptOut, Outbound, Player, Preset, Seat, WebRequest, table_of
from service.stored import CLOSED, OVER, Sitter, Table
from service.tables import Problem, free_name
from service.text import account
from service.text.gsm7 import clip, segments
from service.text.render import TWO

INBOUND, OUTBOUND, PLAYER, SEAT = table_of(Inbound), table_of(Outbound), table_of(Player), table_of(Seat)
NUDGE, OPT_OUT, PRESET, WEB_REQUEST = table_of(Nudge), table_of(OptOut), table_of(Preset), table_of(WebRequest)
WORDS = re.compile(r"\s*(?:please\s+)?forget me(?:\s+now)?[\s.!]*\Z", re.IGNORECASE)  # from who has opted out
SOMEBODY = "Somebody"  # who has had a seat, and gave it up before they were forgotten
Vacate = Callable[[Desk, Table, Sitter, str], None]

log = structlog.get_logger(__name__)


def asked(desk: Desk, mine: Sequence[Table], args: Mapping[str, str], vacate: Vacate) -> str:
    """`forget me`: the question; `forget me now` as the answer to it: done. `vacate` gives up a seat."""
    if desk.sms is not None and desk.sms.on_page:  # whoever has found the address of a page is not yet its owner
        raise Problem(account.only_by_text())
    if not args.get("sure") or not (desk.player.pending or {}).get("forget"):
        desk.pending = {"forget": True}
        return account.forget([t.code for t in mine if t.status != OVER])
    return now(desk, mine, vacate)


def now(desk: Desk, mine: Sequence[Table], vacate: Vacate) -> str:
    """Deletes what is kept of who texts. Their tables are told that somebody has left, without the name."""
    player = desk.player
    called = erase(desk.conn, desk.services.settings, player, desk.now)
    for table in mine:
        me = next((s for s in table.sitters if s.player_id == player.id and not s.left), None)
        if me is not None and table.status not in (OVER, CLOSED):
            vacate(desk, table, me, called[table.id])
    desk.conn.execute(update(INBOUND).where(INBOUND.c.id == desk.inbound_id).values(body="", sender=""))
    desk.kind, desk.table_id, desk.pending, desk.forgotten = "forget", None, None, True
    log.info("player.forgotten", player=player.id)
    return account.forgotten()


def erase(conn: Connection, settings: Settings, player: Any, moment: datetime) -> dict[int, str]:
    """Deletes what is kept of a player (a row of theirs); what they are called from now on, by table.

    Seats that they still play are for the caller to give up.
    """
    if player.opted_out_at is not None:
        conn.execute(
            OPT_OUT.insert().values(mark=_mark(settings, player.channel, player.address), at=player.opted_out_at)
        )
    called = _unname(conn, player)
    theirs = or_(
        INBOUND.c.player_id == player.id, and_(INBOUND.c.player_id.is_(None), INBOUND.c.sender == player.address)
    )
    conn.execute(update(INBOUND).where(theirs).values(body="", sender="", answer=None))
    conn.execute(
        update(OUTBOUND)
        .where(OUTBOUND.c.player_id == player.id, OUTBOUND.c.status.in_(("pending", "retry", "unknown")))
        .values(status="canceled", error_code="forgotten")
    )
    conn.execute(update(OUTBOUND).where(OUTBOUND.c.player_id == player.id).values(body="", recipient=""))
    conn.execute(delete(NUDGE).where(NUDGE.c.player_id == player.id))
    conn.execute(delete(PRESET).where(PRESET.c.player_id == player.id))
    conn.execute(
        delete(WEB_REQUEST).where(WEB_REQUEST.c.channel == player.channel, WEB_REQUEST.c.address == player.address)
    )
    conn.execute(
        update(PLAYER)
        .where(PLAYER.c.id == player.id)
        .values(
            address=f"forgotten-{player.id}", name=None, zone=None, zone_source=None, sender=None, prefs={}, pending=None,
            last_inbound_at=None, greeted_at=None, unclear_at=None, unclear_count=0, silenced_until=None,
            opted_out_at=player.opted_out_at or moment, forgotten_at=moment,
        )
    )  # fmt: skip
    return called


def _unname(conn: Connection, player: Any) -> dict[int, str]:
    """A number in place of the name on every seat they ever had, and in what others there were told; by table."""
    names, player_id = dict[int, str](), player.id
    seats = conn.execute(
        select(SEAT.c.id, SEAT.c.table_id, SEAT.c.number, SEAT.c.name).where(SEAT.c.player_id == player_id)
    ).all()
    for seat in seats:
        there = conn.execute(
            select(SEAT.c.id, SEAT.c.player_id, SEAT.c.name).where(SEAT.c.table_id == seat.table_id)
        ).all()
        called = free_name(f"Player{seat.number + 1}", [s.name for s in there if s.id != seat.id])
        values = {"name": called, "plan": None, "invite": None, "link_no": None}
        conn.execute(update(SEAT).where(SEAT.c.id == seat.id).values(**values))
        others = [s.player_id for s in there if s.player_id not in (None, player_id)]
        _replace(conn, others, seat.table_id, seat.name, called)
        names[seat.table_id] = called
    if player.name is None:
        return names
    texted = select(INBOUND.c.table_id).where(INBOUND.c.player_id == player_id, INBOUND.c.table_id.is_not(None))
    for table_id in set(conn.execute(texted).scalars()) - set(names):  # where somebody else has taken their seat over
        now_there = select(SEAT.c.player_id).where(SEAT.c.table_id == table_id, SEAT.c.player_id.is_not(None))
        _replace(conn, list(conn.execute(now_there).scalars()), table_id, player.name, SOMEBODY)
    return names


def _replace(conn: Connection, readers: Sequence[int], table_id: int, name: str, called: str) -> None:
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    for texts, words in ((OUTBOUND, OUTBOUND.c.body), (INBOUND, INBOUND.c.answer)):
        found = conn.execute(
            select(texts.c.id, words.label("words")).where(
                texts.c.player_id.in_(readers),
                or_(texts.c.table_id == table_id, texts.c.table_id.is_(None)),
                func.lower(words).contains(name.lower(), autoescape=True),
            )
        ).all()
        for row in found:
            said = clip(whole.sub(called, row.words), TWO)
            values = {words.name: said} | ({"segments": segments(said)} if texts is OUTBOUND else {})
            conn.execute(update(texts).where(texts.c.id == row.id).values(**values))


# That somebody wants no texts is remembered without their number


def _mark(settings: Settings, channel: str, address: str) -> str:
    return tally.hidden(settings.secret_key, f"opt-out {channel} {address}")


def opted_out_before(conn: Connection, settings: Settings, channel: str, address: str) -> datetime | None:
    """When somebody who has been forgotten since said STOP, and has not taken it back: asked before a number gets a row.

    From here on that row remembers it.
    """
    mine = OPT_OUT.c.mark == _mark(settings, channel, address)
    at: datetime | None = conn.execute(select(OPT_OUT.c.at).where(mine)).scalar()
    if at is not None:
        conn.execute(delete(OPT_OUT).where(mine))
    return at
