"""The carrier's own words: STOP and its kin, START, HELP. None of them is ever a word of a game.

By default the carrier answers these itself, so that we note what happened and keep still; with OPT_OUT_MODE=self the
one confirmation is ours.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, update

from service.models import Player, table_of
from service.text import render
from service.text.clean import clean

if TYPE_CHECKING:
    from service.desk import Desk

PLAYER = table_of(Player)
OUT = frozenset(
    ("stop", "stopall", "stop all", "unsubscribe", "cancel", "end", "quit", "revoke", "optout", "opt out", "opt-out")
)
IN = frozenset(("start", "unstop", "yes"))
COMMANDS = {"optout": "out", "optin": "in", "help": "help"}  # as `service.text.understand` calls plain wishes
HELP = frozenset(("help", "info"))


def suppress(conn: Connection, player_id: int, now: datetime) -> None:
    """Notes that somebody wants no more texts; kept from the first time they said so."""
    conn.execute(
        update(PLAYER).where(PLAYER.c.id == player_id, PLAYER.c.opted_out_at.is_(None)).values(opted_out_at=now)
    )


def keyword(body: str) -> str | None:
    """`out`, `in` or `help` where the whole text is one of the carrier's words."""
    words = _words(body)
    if words in OUT:
        return "out"
    if words in IN:
        return "in"
    if words in HELP:
        return "help"
    return None


def _words(body: str) -> str:
    return clean(body[:40]).casefold().strip(" .!?,'\"\n")


def answer(desk: "Desk", word: str) -> str | None:
    """Notes it and says what is ours to say. Plain words ("stop texting me") the carrier does not act on, so we confirm."""
    desk.kind = word
    desk.pending = desk.player.pending
    ours = desk.services.settings.opt_out_mode == "self"
    assert desk.sms is not None, "somebody has texted"
    said = _words(desk.sms.body)
    if word == "out":
        desk.set_player(opted_out_at=desk.now)
        return render.opted_out() if ours or said not in OUT else None
    if word == "in":
        if desk.player.opted_out_at is not None:
            desk.set_player(opted_out_at=None)
            return render.opted_in() if ours else None
        return render.commands() if said == "yes" else None  # somebody answers a question that nobody asked
    return render.help_text() if ours else None
