"""Where Redis or Valkey is: one address, or the name of a master that sentinels know.

`redis://host:6379/0`, `rediss://` (TLS), `unix:///path`; or `redis+sentinel://host1:26379,host2:26379/mymaster/0`, with
`user:password@` of the master before the hosts and `?sentinel_password=...` (and `sentinel_user`) for the sentinels' own.
`rediss+sentinel://` is TLS to both.
"""

from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from redis import Redis
from redis.exceptions import RedisError
from redis.sentinel import Sentinel

PLAIN = ("redis", "rediss", "unix")
BY_SENTINEL = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26379
PLAIN_EXAMPLE = "redis://localhost:6379/0"
EXAMPLE = "redis+sentinel://host1:26379,host2:26379/mymaster/0"


class Sentinels(NamedTuple):
    """An address by Sentinel, taken apart."""

    hosts: list[tuple[str, int]]
    master: str
    options: dict[str, Any]  # of connections to the master
    own: dict[str, Any]  # of connections to the sentinels


def check(address: str) -> None:
    """ValueError says what is wrong with an address; no part that may be a piece of a password is repeated."""
    try:
        url = urlsplit(address)
        _ = None if url.scheme in BY_SENTINEL else url.port
    except ValueError:
        raise ValueError(
            f"is not an address, as in {PLAIN_EXAMPLE}; / : @ of a password are %2F %3A %40 there"
        ) from None
    if read(address) is not None:
        return
    number = url.path.strip("/")
    if url.scheme == "unix" and not number:
        raise ValueError("names no socket; write unix:///run/valkey.sock")
    if url.scheme != "unix" and number and not (number.isascii() and number.isdigit()):
        raise ValueError(f"has {number!r} where the number of the database stands: {PLAIN_EXAMPLE}")
    try:
        Redis.from_url(address).connection_pool.make_connection()  # nothing is connected
    except (TypeError, ValueError, RedisError):
        raise ValueError(f"has something behind the question mark that means nothing; try {PLAIN_EXAMPLE}") from None


def read(address: str) -> Sentinels | None:
    """The parts of an address by Sentinel; None for any other. ValueError says what is wrong with it."""
    url = urlsplit(address)
    if url.scheme not in (*PLAIN, *BY_SENTINEL):
        raise ValueError(f"must begin with redis://, rediss:// or unix://, as in {PLAIN_EXAMPLE}, or be {EXAMPLE}")
    if url.scheme in PLAIN:
        return None
    who, _, hosts = url.netloc.rpartition("@")
    user, _, password = who.rpartition(":")
    master, _, number = url.path.strip("/").partition("/")
    if not master:
        raise ValueError(f"names no master behind the sentinels; write {EXAMPLE}")
    if (number and not number.isascii()) or (number and not number.isdigit()):
        raise ValueError(f"has {number!r} behind the master's name, where the number of the database stands: {EXAMPLE}")
    given = dict(parse_qsl(url.query, keep_blank_values=True))
    unknown = sorted(set(given) - {"sentinel_password", "sentinel_user"})
    if unknown:
        raise ValueError(f"has {unknown[0]}=, which means nothing; only sentinel_user and sentinel_password do")
    tls = {"ssl": True} if url.scheme == BY_SENTINEL[1] else {}
    options: dict[str, Any] = {"db": int(number or 0)} | tls
    own: dict[str, Any] = dict(tls)
    for into, key, value in (
        (options, "username", unquote(user)),
        (options, "password", unquote(password)),
        (own, "username", given.get("sentinel_user")),
        (own, "password", given.get("sentinel_password")),
    ):
        if value:
            into[key] = value
    return Sentinels([_host(part) for part in hosts.split(",")], master, options, own)


def _host(part: str) -> tuple[str, int]:
    host, colon, port = part.rpartition(":") if not part.endswith("]") else (part, "", "")
    if not colon:
        host, port = part, str(SENTINEL_PORT)
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"has {part!r} where a sentinel's host and port should be; write {EXAMPLE}")
    return host.strip("[]"), int(port)


def client(address: str, **options: Any) -> "Redis":
    """A client. By Sentinel each new connection asks which server is the master now; nothing is connected yet."""
    found = read(address)
    if found is None:
        return Redis.from_url(address, **options)
    # Who cannot be asked within the time of a command costs no more than that.
    own = {key: value for key, value in options.items() if key in ("socket_timeout", "socket_connect_timeout", "retry")}
    own.setdefault("socket_timeout", 1.0)
    sentinel = Sentinel(found.hosts, sentinel_kwargs=found.own | own)  # type: ignore[no-untyped-call]
    master: Redis = sentinel.master_for(found.master, **found.options | options)  # type: ignore[no-untyped-call]
    return master
