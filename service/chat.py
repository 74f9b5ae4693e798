"""What players say to each other, and whom they don't want to hear: SAY, MUTE, BLOCK.

Talk is a text like any other: it waits for its reader's waking hours, and its sender is told so. It counts in the month of
who says it, not of who gets it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy import text as sql

from service import manners, spending
from service.desk import Desk
from service.models import WAITING
from service.numbers import segment_limits
from service.pipeline import later
from service.stored import OUTBOUND, Sitter, Table
from service.tables import Problem
from service.text import account, render
from service.text.gsm7 import fold, segments

Args = Mapping[str, str]

MOST_WAITING = 3  # texts of talk that wait for somebody's morning, from one table
UNHEARD = "unheard"  # the code of talk that is kept from its reader, who has muted or blocked the speaker
_KEEP_UNHEARD = insert(OUTBOUND).values(body="", kind="say", status="canceled", error_code=UNHEARD, rank=6, attempt=0)
A_DAY = timedelta(days=1)
LINK = re.compile(
    r"://|\bwww\.|\b[\w-]{2,}(?:\.[\w-]+)*\.(?:com|net|org|info|biz|app|dev|link|site|shop|online|club|page|xyz|top|ly|gl|gg|"
    r"io|co|me|tv|us|ca|uk|de|fr|es|it|eu|ru|cn)(?:/|\b(?!\.\w))",
    re.IGNORECASE,
)


def say(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`say well played`: goes to the others at the table who want to hear it; who sleeps gets it in the morning."""
    me = table.seat_of(desk.player.id)
    words = fold(args.get("text", "")).strip()
    if me is None:
        raise Problem(render.no_table())
    if desk.services.settings.chat == "off":
        raise Problem(account.no_talk())
    if not words:
        raise Problem("SAY and your words, such as SAY WELL PLAYED. They go to everybody at the table.")
    if LINK.search(words):
        raise Problem(account.no_links())
    others = [s for s in table.people if s is not me and not s.opted_out]
    if not others:
        raise Problem(account.nobody_hears(table.code))
    if spending.talked_out(desk):
        raise Problem(account.at_cap(spending.next_month(desk.now)))
    opens = {s.number: manners.may_go(desk.now, s.zone, s.address, s.prefs, s.last_inbound_at) for s in others}
    waiting = _waiting(desk, table, others, [s for s in others if opens[s.number] > desk.now])
    told = [s for s in others if waiting.get(s.player_id, 0) < MOST_WAITING]
    if not told:
        raise Problem(account.enough_waits(table.code, [s.name for s in others]))
    # The answer names the others too: nobody learns who has muted or blocked them.
    reached = [s for s in told if hears(s, desk.player.id)]
    body = render.said(table.code, me.name, words)
    desk.send_all(table, reached, "say", body)
    desk.costs += [
        spending.Cost(desk.player.id, None, segments(render.branded(body), segment_limits(desk.sender_of(s))))
        for s in reached
    ]
    _count_unheard(desk, table, [(s, opens[s.number]) for s in told if s not in reached and opens[s.number] > desk.now])
    morning = [(s.name, _when(desk, opens[s.number])) for s in told if opens[s.number] > desk.now]
    now = [s.name for s in told if opens[s.number] <= desk.now]
    return account.sent_on(table.code, now, morning, cut=not body.endswith(words))


def _when(desk: Desk, moment: Any) -> str:
    """By the clock of who has said it."""
    return manners.wall(moment, desk.player.zone, desk.player.address, desk.now)


def _count_unheard(desk: Desk, table: Table, asleep: Sequence[tuple[Sitter, Any]]) -> None:
    """Notes what would wait for the morning of those who don't hear the speaker: who counts could else tell who they are."""
    rows = [
        {
            "player_id": s.player_id, "table_id": table.id, "recipient": s.address, "sender": s.sender, "seat": s.number,
            "next_attempt_at": opens, "created_at": desk.now, "segments": 0,
        }
        for s, opens in asleep
    ]  # fmt: skip
    if rows:
        later(desk.conn, _KEEP_UNHEARD, rows)


def _waiting(desk: Desk, table: Table, hearers: Sequence[Sitter], asleep: Sequence[Sitter]) -> Counter[int | None]:
    """How much talk of this table is held back for each of them, or would be if they heard who said it."""
    unheard = (
        OUTBOUND.c.created_at > desk.now - A_DAY,
        OUTBOUND.c.error_code == UNHEARD,
        OUTBOUND.c.next_attempt_at > desk.now,
    )
    waiting: Counter[int | None] = Counter()
    for some, which in ((hearers, (sql(WAITING),)), (asleep, unheard)):  # WAITING as the index has it
        rows = (
            select(OUTBOUND.c.player_id, func.count().label("texts"))
            .where(
                *which,
                OUTBOUND.c.player_id.in_([s.player_id for s in some]),
                OUTBOUND.c.table_id == table.id,
                OUTBOUND.c.kind == "say",
            )
            .group_by(OUTBOUND.c.player_id)
        )
        waiting.update({row.player_id: row.texts for row in desk.conn.execute(rows)} if some else {})
    return waiting


def hears(sitter: Sitter, speaker: int) -> bool:
    """Whether somebody wants to hear what that player says."""
    prefs = sitter.prefs
    return not (prefs.get("mute") or speaker in prefs.get("muted", ()) or speaker in prefs.get("blocked", ()))


def nudges_wanted(sitter: Sitter, sender: int) -> bool:
    """Whether that player may have somebody reminded."""
    return sender not in sitter.prefs.get("blocked", ())


def mute(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`mute`, `mute off`: no talk of others; `mute bea`, `unmute bea`: none of hers."""
    off = args.get("off") == "off"
    name = args.get("name", "")
    if name:
        return account.muted(_listed(desk, mine, table, "muted", name, off), off)
    _keep(desk, mute=not off)
    return "You get what others SAY again." if off else "You no longer get what others SAY. MUTE OFF brings it back."


def block(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`block bea`, `unblock bea`: nothing she says or has nudged; `block`: whom."""
    off = args.get("off") == "off"
    name = args.get("name", "")
    if name:
        return account.blocked(_listed(desk, mine, table, "blocked", name, off), off)
    kept = (desk.player.prefs or {}).get("blocked", [])
    return account.blocks(_names(mine, kept))


def _names(mine: Sequence[Table], ids: Sequence[int]) -> list[str]:
    """What these players are called at these tables; those who are no longer there are not named."""
    called = {s.player_id: s.name for t in mine for s in t.sitters if s.player_id is not None}
    found = [called[i] for i in ids if i in called]
    gone = len(ids) - len(found)
    return [*found, *([f"{gone} other{'' if gone == 1 else 's'}"] if gone else [])]


def _listed(desk: Desk, mine: Sequence[Table], table: Table | None, which: str, name: str, off: bool) -> str:
    """Puts a player on one of these lists, or takes them off; their name as it is written."""
    others = [s for t in ([table] if table else []) + list(mine) for s in t.sitters if s.player_id != desk.player.id]
    found = next((s for s in others if s.name.casefold() == name.strip(" .!,").casefold()), None)
    if found is None:
        raise Problem(account.nobody_called(name, list(dict.fromkeys(s.name for s in others if s.player_id))))
    if found.player_id is None:
        raise Problem(f"{found.name} is a bot. It says nothing.")
    before = [i for i in (desk.player.prefs or {}).get(which, []) if i != found.player_id]
    _keep(desk, **{which: before if off else [*before, found.player_id]})
    return found.name


def _keep(desk: Desk, **values: Any) -> None:
    desk.set_player(prefs={k: v for k, v in (dict(desk.player.prefs or {}) | values).items() if v != []})


COMMANDS = {"say": say, "mute": mute, "block": block}
