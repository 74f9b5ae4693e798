"""The carrier's own words: STOP and its kin, START, HELP. None of them is ever a word of a game.

By default the carrier answers these itself, so that we note what happened and keep still; with OPT_OUT_MODE=self the
one confirmation is ours.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, update
from sqlalchemy import text as sql

from service import instead
from service.models import WAITING, Outbound, Player, table_of
from service.numbers import toll_free
from service.text import notices, render
from service.text.clean import clean

if TYPE_CHECKING:
    from service.desk import Desk
    from service.stored import Sitter, Table

PLAYER, OUTBOUND = table_of(Player), table_of(Outbound)
OUT = frozenset(
    ("stop", "stopall", "stop all", "unsubscribe", "cancel", "end", "quit", "revoke", "optout", "opt out", "opt-out")
)
IN = frozenset(("start", "unstop", "yes"))
COMMANDS = {"optout": "out", "optin": "in", "help": "help"}  # as `service.text.understand` calls plain wishes
HELP = frozenset(("help", "info"))


BY_CARRIER = {"STOP": "out", "START": "in", "HELP": "help"}  # OptOutType, with Advanced Opt-Out only


def suppress(conn: Connection, player_id: int, now: datetime) -> bool:
    """Notes that somebody wants no more texts; kept from the first time they said so. Whether this was it.

    The caller sees to it that their seats go in the same transaction: `play.opted_out_now`.
    """
    first = update(PLAYER).where(PLAYER.c.id == player_id, PLAYER.c.opted_out_at.is_(None)).values(opted_out_at=now)
    return conn.execute(first).rowcount > 0


def cancel_waiting(conn: Connection, player_id: int) -> None:
    """No text that still waits goes out to somebody who wants none."""
    conn.execute(
        update(OUTBOUND)
        .where(
            OUTBOUND.c.player_id == player_id,
            sql(WAITING),  # as the index has it
            OUTBOUND.c.status.in_(("pending", "retry")),
        )
        .values(status="canceled", error_code="opted-out")
    )


def gone_words(table: "Table", sitter: "Sitter", code: str = "", for_good: bool = False) -> str:
    """What the others at a table are told of somebody who wants no more texts; `code` is what a friend takes the seat by."""
    if for_good:
        return notices.wrong_number(table.code, sitter.name, code)
    return notices.no_more_texts(table.code, sitter.name, table.late_rule, code)


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


def by_carrier(desk: "Desk") -> str | None:
    """The same where the carrier says so of a text in words of its own (Advanced Opt-Out can have others than ours)."""
    if desk.sms is None or desk.services.settings.opt_out_mode != "advanced":
        return None
    return BY_CARRIER.get(desk.sms.opt_out_type)


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
        if desk.player.opted_out_at is None:
            desk.set_player(opted_out_at=desk.now)
        return render.opted_out() if ours or not (said in OUT or desk.sms.opt_out_type) else None
    if word == "in":
        # Toll-free numbers are opened again by START and UNSTOP alone: after YES nothing would reach them.
        if desk.player.opted_out_at is not None and not (said == "yes" and not ours and toll_free(desk.sms.to)):
            desk.set_player(opted_out_at=None)
            return render.opted_in() if ours else None
        if said != "yes":
            return None
        choices = (desk.player.pending or {}).get("choices", ())
        if len(choices) == 1:  # YES is the phone company's, and never a move
            return render.say_sure(choices[0])
        words = instead.open_words(desk.player.pending or {})
        if words:
            return notices.answer_by_number(words)
        desk.kind = "unclear"  # somebody answers a question that nobody asked
        return notices.no_question()
    return render.help_text(desk.services.settings.public_url) if ours else None
