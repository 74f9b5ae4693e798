"""Signed addresses of tables: a player's own, and one for those who only watch.

An address names its table, its seat and player (none: a spectator), and a number that is counted up when it is renewed,
so that the one before it is dead. Nothing in it is secret but its signature; it opens a page, and the hand on it only
with the cookie that a tap there gives (`service.web.table`).
"""

import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from itsdangerous import BadData, URLSafeSerializer, URLSafeTimedSerializer
from sqlalchemy import Connection, bindparam, select, update

from engine.game import Seat
from service.config import Settings
from service.models import GameTable, table_of
from service.models import Seat as SeatRow

TABLE, SEAT = table_of(GameTable), table_of(SeatRow)
KEPT_AFTER_THE_END = timedelta(days=30)  # so long a finished game can still be looked at
COOKIE_DAYS = 180
FORM_SECONDS = 14 * 86400  # a page may lie open that long


class Link(NamedTuple):
    """What an address names; `no` is which of the addresses that this seat (None: the table) has had."""

    table: int
    seat: Seat | None
    no: int
    player: int | None


class Form(NamedTuple):
    """What the hidden field of a form holds: whom it is for, and the id under which its text is kept."""

    whom: str
    sid: str


def write(settings: Settings, link: Link) -> str:
    """The whole address."""
    return f"{settings.public_url}/table/{_addresses(settings).dumps(list(link))}"


def read(settings: Settings, token: str) -> Link | None:
    """What a token names; None if it was not signed by us."""
    try:
        table, seat, no, player = _addresses(settings).loads(token)
    except (BadData, ValueError, TypeError):
        return None
    return Link(table, seat, no, player)


def write_cookie(settings: Settings, link: Link) -> str:
    """What a browser keeps after the tap; each is another, so that forms made for one are no use to another."""
    return _cookies(settings).dumps([*link, secrets.token_hex(6)])


def cookie_opens(settings: Settings, value: str, link: Link) -> bool:
    """Whether it was given at this very address, and is not too old."""
    try:
        given = _cookies(settings).loads(value, max_age=COOKIE_DAYS * 86400)
    except BadData:
        return False
    return isinstance(given, list) and given[:4] == list(link)


def write_form(settings: Settings, whom: str) -> str:
    """The hidden field of a form that is shown to `whom`."""
    return _forms(settings).dumps([whom, "WEB" + secrets.token_hex(14)])


def read_form(settings: Settings, value: str, whom: str) -> Form | None:
    """What it holds; None if it was not made for `whom`, or is too old."""
    try:
        form = Form(*_forms(settings).loads(value, max_age=FORM_SECONDS))
    except (BadData, TypeError):
        return None
    return form if secrets.compare_digest(form.whom, whom) else None


def _addresses(settings: Settings) -> URLSafeSerializer:
    return URLSafeSerializer(settings.secret_key, salt="table")


def _cookies(settings: Settings) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(settings.secret_key, salt="hand")


def _forms(settings: Settings) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(settings.secret_key, salt="form")


# Which are good


def of_seat(conn: Connection, settings: Settings, table: int, seat: Seat, player: int, renew: bool) -> str:
    """The address of a seat for its player, the same as last time; `renew`: another, and the last one is dead."""
    where = SEAT.c.table_id == table, SEAT.c.number == seat
    no = conn.execute(select(SEAT.c.link_no).where(*where)).scalar_one() or 0
    if renew or not no:
        no += 1
        conn.execute(update(SEAT).where(*where).values(link_no=no))
    return write(settings, Link(table, seat, no, player))


def of_spectators(conn: Connection, settings: Settings, table: int, renew: bool) -> str:
    """The address for those who watch a table; likewise."""
    no = conn.execute(select(TABLE.c.watch_no).where(TABLE.c.id == table)).scalar_one() or 0
    if renew or not no:
        no += 1
        conn.execute(update(TABLE).where(TABLE.c.id == table).values(watch_no=no))
    return write(settings, Link(table, None, no, None))


def good(conn: Connection, link: Link, now: datetime) -> bool:
    """Whether an address has not been renewed, its table has not gone, and its seat is still that player's."""
    table = conn.execute(_TABLE, {"id": link.table}).first()
    if table is None or table.status == "closed":
        return False
    if table.status == "over" and now - table.updated_at > KEPT_AFTER_THE_END:
        return False
    if link.seat is None:
        return bool(table.watch_no == link.no)
    row: Any = conn.execute(
        select(SEAT.c.link_no, SEAT.c.player_id, SEAT.c.left_at).where(
            SEAT.c.table_id == link.table, SEAT.c.number == link.seat
        )
    ).first()
    return row is not None and (row.link_no, row.player_id, row.left_at) == (link.no, link.player, None)


_TABLE = select(TABLE.c.status, TABLE.c.updated_at, TABLE.c.watch_no).where(TABLE.c.id == bindparam("id"))
