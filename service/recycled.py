"""Numbers that have been silent so long that they may be somebody else's by now (carriers give them out again).

Nothing of old games, hands or names is shown to them. JOIN with the code of a table of theirs shows that it is still the
same person; NEW, once they have been told so, or a seat at somebody else's table, begins afresh, and what they had is given up.
"""

from collections.abc import Sequence
from typing import Any

from service import limits, manners, stored, tables
from service.desk import Desk
from service.replies import GREET_AGAIN
from service.stored import Table
from service.text import notices
from service.text.understand import Context, understand


def in_doubt(desk: Desk) -> bool:
    """Whether nobody has texted from this number for so long, and there is something that a new owner must not see."""
    player = desk.player
    silent = player.last_inbound_at is not None and desk.now - player.last_inbound_at > manners.IDLE
    return silent and (player.name is not None or bool(stored.of_player(desk.conn, player.id, desk.now)))


def proves(desk: Desk, mine: Sequence[Table]) -> str:
    """What the text says about who sends it: `same`, `afresh`, `wrong-number`, or "" for nothing."""
    assert desk.sms is not None, "somebody has texted"
    command: Any = understand(desk.sms.body, Context()).command
    if command is None:
        return ""
    if command.name == "optout":
        return "wrong-number" if command.args.get("why") else "same"
    told = desk.player.greeted_at is not None and desk.now - desk.player.greeted_at < GREET_AGAIN
    if command.name == "new":
        return "afresh" if told else ""
    if command.name == "join":
        code = command.args.get("code", "").upper()
        if any(table.code == code for table in mine):
            return "same"
        there = code and not limits.guessing(desk) and _leads_somewhere(desk, code)
        return "afresh" if there else ""
    return ""


def _leads_somewhere(desk: Desk, code: str) -> bool:
    return stored.by_code(desk.conn, code) is not None or tables.by_invite(desk.conn, code) is not None


def asked(desk: Desk) -> str | None:
    """The one text a day to a number in doubt. That it has texted is not noted: the doubt stays."""
    desk.by_machine, desk.pending = True, desk.player.pending
    if desk.player.greeted_at is not None and desk.now - desk.player.greeted_at < GREET_AGAIN:
        desk.kind = "stranger"
        return None
    desk.set_player(greeted_at=desk.now)
    desk.kind = "in-doubt"
    return notices.long_silence()


def begin_afresh(desk: Desk) -> None:
    """Forgets what the number's owner before has set."""
    desk.set_player(name=None, zone=None, zone_source=None, prefs={}, pending=None, unclear_count=0)
    desk.pending = None
