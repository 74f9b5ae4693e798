"""Counting what is limited: how often something has happened on a day, for somebody or for all.

The counts are rows of the database: they are right over all processes and machines, outlive a restart, and are committed
with what they allow. Redis would forget them when it is emptied, and memory knows only one process.
"""

import hmac
import ipaddress
from datetime import datetime

from sqlalchemy import Connection, select

from service.models import Tally, table_of
from service.upsert import insert_into

TALLY = table_of(Tally)


def day_of(now: datetime) -> str:
    """The day that something counts for (UTC)."""
    return f"{now:%Y-%m-%d}"


def count(conn: Connection, day: str, kind: str, scope: str = "", size: int = 1) -> int:
    """Counts one more, or `size` more; how many there are then. Others who count the same wait for this transaction's end."""
    adding = insert_into(conn, TALLY).values(day=day, kind=kind, scope=scope, count=size)
    counted = adding.on_conflict_do_update(
        index_elements=["day", "kind", "scope"], set_={"count": TALLY.c.count + size}
    ).returning(TALLY.c.count)
    return int(conn.execute(counted).scalar_one())


def so_far(conn: Connection, day: str, kind: str, scope: str = "") -> int:
    """How many there have been."""
    found = select(TALLY.c.count).where(TALLY.c.day == day, TALLY.c.kind == kind, TALLY.c.scope == scope)
    return conn.execute(found).scalar() or 0


def hidden(secret: str, what: str) -> str:
    """A number or an address as a scope that can be counted for and not read."""
    return hmac.new(secret.encode(), what.encode(), "sha256").hexdigest()[:32]


def origin(secret: str, address: str) -> str:
    """An address of the network as a scope: of IPv6 the network, for its addresses are nobody's in particular."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # over a socket of this machine there is none, and all count as one
        return hidden(secret, "place:")
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    network = ipaddress.ip_network((ip, 64), strict=False) if ip.version == 6 else ip
    return hidden(secret, f"place:{network}")
