"""Who fills in a form on the web: the one text that asks them for their JOIN, its limits, and what their JOIN then does.

A number that was typed into a form may be anybody's, so one text goes to it, and no other until its owner has texted us.
What is limited besides, in a day: forms sent from one address of the network, forms for one table, texts to numbers
that differ only in their last four digits, texts to a known player, texts in all (`FORM_TEXTS_A_DAY`).

What a form is answered tells nothing about the number: whether we know it, whether it has opted out, whether it sits at
the table, whether it has had its one text.
"""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, exists, insert, select, update

from service import forgetting, spending, tables, tally
from service.db import reading
from service.services import Services
from service.spending import Level
from service.stored import FORM, OUTBOUND, PLAYER, SEAT
from service.text import asking
from service.text.gsm7 import segments
from service.transact import transact
from service.upsert import insert_into

PLACE_A_DAY = 10  # forms from one address of the network
TABLE_A_DAY = 20  # forms for one table
PREFIX_A_DAY = 5  # texts to numbers that are alike but for their last four digits
NUMBER_A_DAY = 3  # texts to a player who has texted us since the last
EVER = "ever"  # in place of a day
OPEN_FOR = timedelta(hours=24)  # so long a table that was filled in on the web waits for its host's text

JOIN, OPEN = "join", "open"


@dataclass(frozen=True)
class Asked:
    """A form that was filled in as it should be. `consent` is what its sender has agreed to, word for word."""

    kind: str  # JOIN | OPEN
    address: str  # E.164
    name: str
    consent: str
    title: str  # of the game
    origin: str  # the address of the network it came from
    code: str = ""  # of the table to sit down at
    table_id: int | None = None
    seat: int | None = None
    what: dict[str, Any] = field(default_factory=dict)  # the table to be opened, as arguments of NEW, and `bots`


def ask(services: Services, asked: Asked) -> bool:
    """Sends the one text, if it may go. False: too many forms from there, or for that table, or in all, today."""
    if not within(services, asked.origin):
        return False
    sent, fits = transact(services, lambda conn: _ask(conn, services, asked))
    if sent:
        services.bell.ring()
    return fits


def within(services: Services, origin: str) -> bool:
    """Whether somebody at that address of the network may still send a form today. Takes no lock, whoever floods us."""
    settings, day = services.settings, tally.day_of(services.clock())
    with reading(services.db) as conn:
        here = tally.so_far(conn, day, "form-place", tally.origin(settings.secret_key, origin))
        return here < PLACE_A_DAY and not _no_more(conn, services, day)


def _ask(conn: Connection, services: Services, asked: Asked) -> tuple[bool, bool]:
    """Whether a text goes out, and whether the form is within the limits that are told."""
    settings, day = services.settings, tally.day_of(services.clock())
    if tally.count(conn, day, "form-place", tally.origin(settings.secret_key, asked.origin)) > PLACE_A_DAY:
        return False, False
    if asked.table_id is not None and tally.count(conn, day, "form-table", str(asked.table_id)) > TABLE_A_DAY:
        return False, False
    if _no_more(conn, services, day):
        return False, False
    if not _may_text(conn, services, asked, day):
        return False, True
    code = asked.code or tables.unused_code(conn)
    _keep(conn, services, asked, code)
    return True, True


def _no_more(conn: Connection, services: Services, day: str) -> bool:
    """Whether no form sends a text any more today, whoever's: by its own limit, or by the cap of the month."""
    settings = services.settings
    if tally.so_far(conn, day, "form-text") >= settings.form_texts_a_day:
        return True
    return spending.service_level(conn, settings, services.clock()) >= Level.FULL


def _may_text(conn: Connection, services: Services, asked: Asked, day: str) -> bool:
    """Whether the number may have a text. What is counted here is counted only for a text that goes out."""
    secret = services.settings.secret_key
    prefix, number = tally.hidden(secret, asked.address[:-4]), tally.hidden(secret, asked.address)
    if asked.address in services.settings.twilio_numbers:
        return False
    if tally.so_far(conn, day, "form-prefix", prefix) >= PREFIX_A_DAY:
        return False
    player = _player(conn, services, asked)  # locked: two forms with one number wait for each other here
    if player.opted_out_at is not None or _asked_already(conn, asked, player):
        return False
    if player.last_inbound_at is None and tally.so_far(conn, EVER, "form-number", number):
        return False  # however long ago, and whatever has been cleared away since
    sits = exists().where(SEAT.c.table_id == asked.table_id, SEAT.c.player_id == player.id, SEAT.c.left_at.is_(None))
    if asked.table_id is not None and conn.execute(select(sits)).scalar():
        return False
    if tally.so_far(conn, day, "form-number", number) >= NUMBER_A_DAY:
        return False
    # The others lock what they count for in this order, too. One too many by two at the same moment: neither goes.
    return (
        tally.count(conn, day, "form-number", number) <= NUMBER_A_DAY
        and tally.count(conn, day, "form-prefix", prefix) <= PREFIX_A_DAY
        and tally.count(conn, day, "form-text") <= services.settings.form_texts_a_day
        and tally.count(conn, EVER, "form-number", number) > 0
    )


def _asked_already(conn: Connection, asked: Asked, player: Row[Any]) -> bool:
    """Whether this number has been asked for this table ever, or for anything since it last texted us."""
    forms = conn.execute(
        select(FORM.c.code, FORM.c.created_at).where(FORM.c.channel == "sms", FORM.c.address == asked.address)
    ).all()
    last = player.last_inbound_at
    return any(form.code == asked.code or last is None or form.created_at >= last for form in forms)


def _player(conn: Connection, services: Services, asked: Asked) -> Row[Any]:
    """The row of that number; a new one has no name, which is for its owner to confirm."""
    new: dict[str, Any] = {
        "channel": "sms", "address": asked.address, "sender": next(iter(services.settings.twilio_numbers), None),
        "created_at": services.clock(), "unclear_count": 0, "prefs": {},
        "opted_out_at": forgetting.opted_out_before(conn, services.settings, "sms", asked.address),
    }  # fmt: skip
    conn.execute(insert_into(conn, PLAYER).values(new).on_conflict_do_nothing())
    found = select(PLAYER).where(PLAYER.c.channel == "sms", PLAYER.c.address == asked.address)
    return conn.execute(found.with_for_update(key_share=True)).one()


def _keep(conn: Connection, services: Services, asked: Asked, code: str) -> None:
    """The form, and the text that asks for the JOIN, as a row of the outbox."""
    now = services.clock()
    conn.execute(
        insert(FORM),
        {
            "kind": asked.kind, "channel": "sms", "address": asked.address, "name": asked.name,
            "table_id": asked.table_id, "seat": asked.seat, "what": json.dumps(asked.what), "code": code,
            "consent": asked.consent, "created_at": now,
        },
    )  # fmt: skip
    body = asking.to_join(code, asked.title) if asked.kind == JOIN else asking.to_open(code, asked.title)
    player = conn.execute(
        select(PLAYER.c.id, PLAYER.c.sender).where(PLAYER.c.channel == "sms", PLAYER.c.address == asked.address)
    ).one()
    conn.execute(
        insert(OUTBOUND),
        {
            "player_id": player.id, "recipient": asked.address, "sender": player.sender, "body": body, "kind": "asked",
            "status": "pending", "rank": 0, "attempt": 0, "next_attempt_at": now, "segments": segments(body),
            "created_at": now,
        },
    )  # fmt: skip


# When they text


def waiting_for(conn: Connection, player: Any, now: Any, code: str = "") -> Row[Any] | None:
    """The form that a JOIN of this player answers: with that code, or the last one where they gave no code."""
    where = [FORM.c.channel == player.channel, FORM.c.address == player.address, FORM.c.done_at.is_(None)]
    if code:
        where.append(FORM.c.code == code)
    for form in conn.execute(select(FORM).where(*where).order_by(FORM.c.id.desc())):
        if form.kind == JOIN or now - form.created_at <= OPEN_FOR:
            return form
    return None


def done(conn: Connection, form: Row[Any], now: Any) -> None:
    """Their text has come: the form has done what it was for."""
    conn.execute(update(FORM).where(FORM.c.id == form.id).values(done_at=now))
