"""Settings, from the environment, checked once at the start.

`load()` gives them or raises SettingsError with one sentence for each setting that is missing or cannot be: which one,
why, and what would work. A new setting is a field here, with its description (docs/settings.md is made from these) and,
where it can be wrong, a check.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, TypeVar
from urllib.parse import urlsplit

from phonenumbers import SUPPORTED_REGIONS
from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from service import redis_address

E164 = re.compile(r"\+[1-9]\d{7,14}", re.ASCII)

_POSTGRESQL = "postgresql://user:password@host/queenline"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class SettingsError(Exception):
    """Its text is for whoever starts the service: one line for each setting that stops it."""


def _words(value: Any) -> Any:
    """A comma list, as a tuple."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, Iterable):
        return tuple(word for word in (str(item).strip() for item in value) if word)
    return value


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]


class DatabaseSettings(BaseSettings):
    """What `queenline db` needs."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True, str_strip_whitespace=True)

    database_url: str = Field(
        repr=False,
        description="where games and texts are kept: sqlite:///queenline.db on one machine, or "
        "postgresql://user:password@host/queenline",
    )
    database_pooler: Literal["none", "transaction"] = Field(
        default="none",
        description="what stands before PostgreSQL: none, or transaction for a pooler such as PgBouncer in transaction mode; then "
        "nothing is prepared and no setting sent, and time-outs belong to the role (docs/running.md)",
    )

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: str) -> str:
        try:
            url = make_url(value)
        except (ArgumentError, ValueError):  # the second: a port that is no number
            raise ValueError(f"is not a database's address; try sqlite:///queenline.db, or {_POSTGRESQL}") from None
        if url.drivername in ("postgres", "postgresql"):
            url = url.set(drivername="postgresql+psycopg")
        elif url.drivername == "sqlite":
            if url.database in (None, "", ":memory:"):
                raise ValueError("must name a file, as in sqlite:///queenline.db: web and worker are two processes")
            if url.query:
                raise ValueError("has a question mark, but a file takes no options; it ends with the file's name")
        elif url.drivername not in ("postgresql+psycopg", "sqlite+pysqlite"):
            raise ValueError(f"names {url.drivername}; Queenline runs on sqlite:///FILE or {_POSTGRESQL}")
        if url.drivername == "postgresql+psycopg":
            _check_postgresql(url)
        return url.render_as_string(hide_password=False)

    @model_validator(mode="after")
    def _pooler(self) -> Self:
        if self.database_pooler != "none" and self.on_sqlite:
            raise ValueError("DATABASE_POOLER is for PostgreSQL, and DATABASE_URL names a file of SQLite; leave it out")
        return self

    @property
    def on_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")


class Settings(DatabaseSettings):
    """All settings. The name in the environment is the field's name in capitals."""

    redis_url: str = Field(
        repr=False,
        description="the Redis or Valkey that wakes the workers, such as redis://localhost:6379/0, or by Sentinel "
        "redis+sentinel://host1:26379,host2:26379/mymaster/0; no game is kept there",
    )
    public_url: str = Field(
        description="the address under which the carrier and the players reach this service, such as "
        "https://cards.example.com; every webhook's signature is checked against it"
    )
    secret_key: str = Field(
        repr=False,
        description="what the links to tables are signed with: at least 32 random characters, such as those printed by "
        "`python3 -c 'import secrets; print(secrets.token_hex(32))'`",
    )
    twilio_account_sid: str = Field(description="the account at Twilio: AC and 32 hexadecimal digits, from its console")
    twilio_auth_token: Words = Field(
        repr=False,
        description="the account's auth token; while it is being rotated, the new one, a comma, and the old one",
    )
    twilio_numbers: Words = Field(
        default=(),
        description="our numbers, which players text, in international form with commas between: +12125550100. Needed "
        "unless TWILIO_MESSAGING_SERVICE_SID is set",
    )
    twilio_messaging_service_sid: str = Field(
        default="", description="the Messaging Service that texts are sent by: MG and 32 hexadecimal digits"
    )
    twilio_api_url: str = Field(
        default="https://api.twilio.com", description="another address of Twilio's REST API, for a local stand-in"
    )
    opt_out_mode: Literal["default", "advanced", "self"] = Field(
        default="default",
        description="who answers STOP, START and HELP: default (Twilio), advanced (Twilio's Advanced Opt-Out of the "
        "Messaging Service), or self (we do; Twilio has switched its own handling off for this account)",
    )
    allowed_regions: Words = Field(
        default=("US", "CA"), description="countries whose numbers may play, as two-letter codes with commas between"
    )
    sender_segments_per_second: str = Field(
        default="auto",
        description="how fast each of our numbers may send: auto (1 for a long code, 3 for a toll-free number), a number of "
        "segments, or 0 for as fast as the carrier takes them",
    )
    sender_segments_per_day: int = Field(
        default=0,
        ge=0,
        description="how many segments each of our numbers may send on a day (of UTC), where a carrier has set such a cap; "
        "0: no cap",
    )
    chat: Literal["on", "off"] = Field(
        default="on",
        description="whether SAY passes players' words on to their table: on or off; carriers in the United States may not "
        "take person-to-person words in a registered campaign",
    )
    rummy_window: int = Field(
        default=10,
        ge=1,
        le=1440,
        description="for how many minutes bots and plans wait while a person may call Rummy on a discard; NO from all who may "
        "ends the wait at once",
    )
    player_monthly_segments: int = Field(
        default=2000,
        ge=0,
        description="how many segments a player's texts may take in a month before reminders and updates stop, and well "
        "above that their turns; 0 is no limit",
    )
    service_monthly_segments: int = Field(
        default=0,
        ge=0,
        description="how many segments all texts may take in a month before no new players are let in, and a tenth above "
        "that only answers go out; 0 is no limit",
    )
    price_per_segment: Decimal = Field(
        default=Decimal(0),
        ge=0,
        max_digits=12,
        description="what a segment costs, in your currency, such as 0.0079, so that `queenline status --by` and COST "
        "show money; 0 shows none",
    )
    bind: str = Field(default="127.0.0.1:8000", description="the address and port that `queenline serve` listens on")
    web_concurrency: int = Field(default=1, ge=1, le=64, description="processes of `queenline serve`")
    web_threads: int = Field(default=4, ge=1, le=64, description="threads of each process of `queenline serve`")
    trusted_proxies: int = Field(
        default=0,
        ge=0,
        le=8,
        description="how many proxies of yours stand before `queenline serve`, one behind the other: the visitor's "
        "address is then the one that the outermost of them has written into X-Forwarded-For. 0 believes nobody",
    )
    form_texts_a_day: int = Field(
        default=200,
        ge=0,
        le=100_000,
        description="how many texts a day go to numbers that were typed into a form on the web; 0 takes the forms away, "
        "and people text us first",
    )
    worker_metrics: str = Field(
        default="",
        description="the address and port at which `queenline worker` shows its own figures to Prometheus, such as "
        "127.0.0.1:8001; several workers on one machine need a port each",
    )
    operator_name: str = Field(default="", description="who runs this service, as its pages say it: Ann's Card Club")
    operator_contact: str = Field(
        default="", description="how to reach them: a mail address, a web address, or an address of the post"
    )

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: str) -> str:
        redis_address.check(value)
        return value

    @field_validator("public_url")
    @classmethod
    def _public(cls, value: str) -> str:
        url = _address(value)
        # These never reach us with a request, so that no signature over them could be right.
        if "#" in value:
            raise ValueError(
                f"has a fragment ({value[value.index('#') :]}); leave it out here, also when Twilio has it"
            )
        if "?" in value:
            raise ValueError("has a query; write the address up to the question mark")
        if url.scheme == "http" and url.hostname not in _LOOPBACK:
            raise ValueError("must begin with https://: a text would reach us readable by anybody on the way")
        if url.path.rstrip("/").endswith("/sms"):
            raise ValueError("ends with /sms; leave that out: it is the address up to there")
        return value.rstrip("/")

    @field_validator("secret_key")
    @classmethod
    def _secret(cls, value: str) -> str:
        if len(value) < 32 or len(set(value)) < 10:
            raise ValueError(
                "is too weak: it needs 32 random characters or more, such as those printed by "
                "`python3 -c 'import secrets; print(secrets.token_hex(32))'`"
            )
        return value

    @field_validator("twilio_account_sid")
    @classmethod
    def _account(cls, value: str) -> str:
        if not re.fullmatch(r"AC[0-9a-f]{32}", value):
            raise ValueError("must be AC and 32 hexadecimal digits, as Twilio's console shows it")
        return value

    @field_validator("twilio_auth_token")
    @classmethod
    def _tokens(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("is empty: without it nobody could tell a text from a forgery; Twilio's console shows it")
        if any(len(token) < 8 or not token.isascii() or len(token.split()) != 1 for token in value):
            raise ValueError("must be one token or several with commas between, each of 8 characters or more")
        if any(quote in token for token in value for quote in "'\""):
            raise ValueError("has quotation marks in it, which no token of Twilio's has; leave them out")
        return value

    @field_validator("twilio_numbers")
    @classmethod
    def _numbers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for number in value:
            if not E164.fullmatch(number):
                raise ValueError(f"has {number!r}; write each number with + and its country code, as in +12125550100")
        return tuple(dict.fromkeys(value))

    @field_validator("twilio_messaging_service_sid")
    @classmethod
    def _messaging_service(cls, value: str) -> str:
        if value and not re.fullmatch(r"MG[0-9a-f]{32}", value):
            raise ValueError("must be MG and 32 hexadecimal digits, as Twilio's console shows it, or left out")
        return value

    @field_validator("twilio_api_url")
    @classmethod
    def _api(cls, value: str) -> str:
        url = _address(value)
        if url.scheme == "http" and url.hostname not in _LOOPBACK:
            raise ValueError("must begin with https:// unless it is on this machine: the auth token is sent there")
        if url.query or url.fragment:
            raise ValueError("must be a plain address, as in http://127.0.0.1:8010")
        return value.rstrip("/")

    @field_validator("allowed_regions")
    @classmethod
    def _regions(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        regions = tuple(region.upper() for region in value)
        if not regions:
            raise ValueError("is empty, so that nobody could play; try US,CA")
        for region in regions:
            if region not in SUPPORTED_REGIONS:
                raise ValueError(f"has {region!r}, which is no country's two-letter code; try US,CA")
        return regions

    @field_validator("sender_segments_per_second")
    @classmethod
    def _rate(cls, value: str) -> str:
        if value.lower() != "auto" and not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value, re.ASCII):
            raise ValueError("must be auto, or a number of segments such as 1 or 2.5; 0 sets no limit")
        return value.lower()

    @field_validator("bind")
    @classmethod
    def _bind(cls, value: str) -> str:
        if not value.startswith("unix:/") and not _is_address_and_port(value):
            raise ValueError("must be an address and a port, as in 127.0.0.1:8000, or unix:/path")
        return value

    @field_validator("worker_metrics")
    @classmethod
    def _metrics(cls, value: str) -> str:
        if value and not _is_address_and_port(value):
            raise ValueError("must be an address and a port, as in 127.0.0.1:8001, or left out")
        return value

    @model_validator(mode="after")
    def _together(self) -> "Settings":
        if not self.twilio_numbers and not self.twilio_messaging_service_sid:
            raise ValueError(
                "TWILIO_NUMBERS and TWILIO_MESSAGING_SERVICE_SID are both missing, so that no text could be sent; set "
                "TWILIO_NUMBERS to our numbers, as in +12125550100, or the other to the Messaging Service's SID"
            )
        if self.opt_out_mode == "advanced" and not self.twilio_messaging_service_sid:
            raise ValueError(
                "OPT_OUT_MODE=advanced needs TWILIO_MESSAGING_SERVICE_SID, because Advanced Opt-Out belongs to a "
                "Messaging Service; set it, or OPT_OUT_MODE=default"
            )
        return self

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables, for a child process."""
        values = {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            values[name.upper()] = ",".join(value) if isinstance(value, tuple) else str(value)
        return values


def load(**given: Any) -> Settings:
    """The settings of this process; what is `given` goes before the environment."""
    return _load(Settings, given)


def load_database() -> DatabaseSettings:
    """Only where the database is: enough for its migrations."""
    return _load(DatabaseSettings, {})


S = TypeVar("S", bound=DatabaseSettings)


def _load(kind: type[S], given: dict[str, Any]) -> S:
    try:
        return kind(**given)
    except ValidationError as error:
        raise SettingsError("\n".join(_sentence(fault) for fault in error.errors())) from None


def _sentence(fault: Any) -> str:
    place = fault["loc"]
    if not place:  # several settings that contradict each other: the check says which
        return f"{fault['ctx']['error']}."
    name = str(place[0])
    if fault["type"] == "missing":
        return f"{name.upper()} is missing: {Settings.model_fields[name].description}."
    if fault["type"] == "value_error":
        return f"{name.upper()} {fault['ctx']['error']}."
    if fault["type"] == "literal_error":
        return f"{name.upper()} must be {fault['ctx']['expected'].replace(chr(39), '')}."
    field = Settings.model_fields[name]
    return f"{name.upper()} cannot be read ({fault['msg'].lower()}): {field.description}, such as {field.default}."


def _address(value: str) -> Any:
    try:
        url = urlsplit(value)
        whole = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:  # half of an IPv6 address, or a port that is none
        whole = False
    if not whole:
        raise ValueError("must be a whole address, as in https://cards.example.com")
    if url.username or url.password:
        raise ValueError("must not hold a user name or password")
    if not re.fullmatch(r"[!-~]+", value) or not re.fullmatch(r"[\w.:-]+", url.hostname or "", re.ASCII):
        raise ValueError("must hold no spaces, quotation marks or letters beyond a-z; such a name begins with xn--")
    return url


def _is_address_and_port(value: str) -> bool:
    found = re.fullmatch(r"(?:\[[0-9a-fA-F:]+\]|[\w.-]*):(\d{1,5})", value, re.ASCII)
    return found is not None and 0 < int(found[1]) < 65536


def _check_postgresql(url: URL) -> None:
    """Says what would make the driver fail with words of its own, which may hold a part of the password."""
    if "@" in (url.host or ""):
        raise ValueError("has @ in the user's name or password; there it is written %40")
    if url.port is not None and not 0 < url.port < 65536:
        raise ValueError("has a port that is none: 1 to 65535")
    try:
        make_conninfo(**{name: str(value) for name, value in url.query.items()})
    except ProgrammingError as error:
        raise ValueError(f"has an {str(error).strip()} behind the question mark") from None
