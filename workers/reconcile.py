"""What the carrier received and we did not: texts whose webhook failed, or came while nobody was there to answer.

The carrier's list of them is read when a worker starts and every fifteen minutes after that. A text that we have not got
goes the way of every other (`play.receive`): its MessageSid is its claim, so that it counts once however often and from
wherever it comes. The answer is a text, since nobody waits for it any more, and is written in the transaction that does
what was asked for: whoever dies on the way has done both or neither. A text that has been overtaken,
because its writer has texted since or a table of theirs has moved on, is not acted on: its writer is told so. Who wants
no more texts always gets their way.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from prometheus_client import Counter
from sqlalchemy import Connection, exists, insert, select

from service import manners, opting
from service.db import reading
from service.desk import Sms
from service.logs import fault
from service.models import GameTable, Inbound, Outbound, Player, Seat, table_of
from service.play import receive
from service.services import Services
from service.text.belated import came_late
from service.text.gsm7 import segments
from service.text.reading import Context
from service.text.understand import understand
from service.twilio.inbound import LONGEST_BODY, clean, is_to_us, nothing_for_us, split
from service.twilio.outbound import Finds, Listed, SendError
from service.upsert import insert_into
from workers.unknown import settle_unknown

INBOUND, OUTBOUND, PLAYER, SEAT, TABLE = (table_of(model) for model in (Inbound, Outbound, Player, Seat, GameTable))

LOOKS_EVERY, LISTS_EVERY = timedelta(minutes=1), timedelta(minutes=15)
# The carrier tries a webhook several times: until then a text is not lost.
ON_ITS_WAY = timedelta(minutes=2)
# Each list reaches back beyond the last one, for texts that come into the carrier's list late.
OVERLAP = timedelta(hours=1)
FIRST_BACK, FURTHEST_BACK = timedelta(days=1), timedelta(days=7)
# Somebody who wrote longer ago than this has long found out.
STILL_TOLD = timedelta(days=1)

FOUND = Counter(
    "queenline_found_texts", "Texts that the carrier had and we had not, by what became of them", ["outcome"]
)

log = structlog.get_logger(__name__)


class Reconciler:
    """Keeps what we know and what the carrier knows the same. One in each worker; any number may run at once."""

    def __init__(self, services: Services, carrier: Finds) -> None:
        self._services = services
        self._carrier = carrier
        self._look_at: datetime | None = None
        self._list_at: datetime | None = None
        self._listed_upto: datetime | None = None

    def run(self, stopping: Callable[[], bool] = lambda: False) -> None:
        """What is due of it."""
        now = self._services.clock()
        if self._look_at is None or now >= self._look_at:
            settle_unknown(self._services, self._carrier, stopping)
            self._look_at = now + LOOKS_EVERY
        if self._list_at is None or now >= self._list_at:
            self._list_at = now + LISTS_EVERY
            try:
                self.fetch()
            except SendError as error:
                log.warning("inbound.not_listed", code=error.code)

    def fetch(self) -> int:
        """Takes in what was received and we have not got; how many texts. One that cannot be taken in keeps no other from
        it, and is listed again.
        """
        services = self._services
        now, since = services.clock(), self._since()
        taken, whole = 0, True
        # A Messaging Service may have numbers that nobody has told us.
        numbers = (None,) if services.settings.twilio_messaging_service_sid else services.settings.twilio_numbers
        for number in numbers:
            for text in unheard(services, self._carrier.received(number, since)):
                try:
                    taken += take_in(services, text)
                except Exception as error:  # noqa: BLE001
                    log.error("inbound.not_taken", sid=text.sid, **fault(error))
                    whole = False
        if whole:
            self._listed_upto = now
        return taken

    def _since(self) -> datetime:
        now = self._services.clock()
        if self._listed_upto is not None:
            return max(self._listed_upto - OVERLAP, now - FURTHEST_BACK)
        with reading(self._services.db) as db:
            last = db.execute(select(INBOUND.c.received_at).order_by(INBOUND.c.id.desc()).limit(1)).scalar()
        return max(min(last or now, now - FIRST_BACK) - OVERLAP, now - FURTHEST_BACK)


def unheard(services: Services, texts: Sequence[Listed]) -> list[Listed]:
    """Those that are for us and that we have not got, oldest first."""
    latest = services.clock() - ON_ITS_WAY
    ours = []
    for text in texts:
        channel, sender = split(text.sender)
        recipient = split(text.recipient)[1]
        if text.created > latest or not is_to_us(services.settings, recipient, text.service):
            continue
        if not nothing_for_us(services.settings, channel, sender, recipient):
            ours.append(text)
    known: set[str] = set()
    with reading(services.db) as db:
        for first in range(0, len(ours), 500):
            sids = [text.sid for text in ours[first : first + 500]]
            known |= set(db.execute(select(INBOUND.c.message_sid).where(INBOUND.c.message_sid.in_(sids))).scalars())
    return [text for text in ours if text.sid not in known]


def take_in(services: Services, text: Listed) -> bool:
    """One of them; False where another has been quicker."""
    channel, sender = split(text.sender)
    sms = Sms(
        sid=clean(text.sid)[:64],
        channel=channel,
        sender=sender,
        to=split(text.recipient)[1],
        body=clean(text.body)[:LONGEST_BODY],
        media=text.media,
        written=text.created,
    )
    now = services.clock()
    with reading(services.db) as db:
        if db.execute(select(exists().where(INBOUND.c.message_sid == sms.sid))).scalar():
            return False
        player = db.execute(select(PLAYER).where(PLAYER.c.channel == channel, PLAYER.c.address == sender)).first()
        overtaken = player is not None and is_overtaken(db, player.id, text.created)
        back_in = player is not None and came_back(db, player.id, text.created)
    if overtaken and (back_in or not wants_out(sms.body)):
        outcome = keep_late(services, sms, player, text.created, now)
    else:
        receive(services, sms)
        outcome = "acted"
    FOUND.labels(outcome).inc()
    log.warning("inbound.found", sid=sms.sid, outcome=outcome, minutes=round((now - text.created).total_seconds() / 60))
    return True


def is_overtaken(db: Connection, player_id: int, written: datetime) -> bool:
    """Whether the writer has texted since, or a table where they sit has moved on."""
    later = exists().where(INBOUND.c.player_id == player_id, INBOUND.c.received_at > written)
    moved = (
        exists()
        .where(SEAT.c.player_id == player_id, SEAT.c.left_at.is_(None))
        .where(TABLE.c.id == SEAT.c.table_id, TABLE.c.status == "playing", TABLE.c.updated_at > written)
    )
    return bool(db.execute(select(later | moved)).scalar())


def came_back(db: Connection, player_id: int, written: datetime) -> bool:
    """Whether they have opted in since."""
    query = exists().where(INBOUND.c.player_id == player_id, INBOUND.c.received_at > written, INBOUND.c.kind == "in")
    return bool(db.execute(select(query)).scalar())


def wants_out(body: str) -> bool:
    """Whether it says, in whatever words, that its writer wants no more texts."""
    if opting.keyword(body) == "out":
        return True
    command = understand(body, Context()).command
    return command is not None and opting.COMMANDS.get(command.name) == "out"


def keep_late(services: Services, sms: Sms, player: Any, written: datetime, now: datetime) -> str:
    """Keeps a text that was overtaken, and tells its writer, unless it was none that anybody waits for an answer to."""
    quiet = (
        player.opted_out_at is not None
        or now - written > STILL_TOLD
        or not sms.body.strip()
        or understand(sms.body, Context()).kind == "ignored"
    )
    said = None if quiet else came_late(sms.body, manners.wall(written, player.zone, player.address, now))
    with services.db.begin() as db:
        kept = db.execute(
            insert_into(db, INBOUND).values(
                message_sid=sms.sid, channel=sms.channel, sender=sms.sender, recipient=sms.to, body=sms.body,
                player_id=player.id, kind="late", answer=None, segments=0, received_at=now,
            ).on_conflict_do_nothing(index_elements=[INBOUND.c.message_sid])
            .returning(INBOUND.c.id)
        ).first()  # fmt: skip
        if kept is not None and said is not None:
            db.execute(
                insert(OUTBOUND).values(
                    player_id=player.id, recipient=sms.sender, sender=sms.to, body=said, kind="answer", status="pending",
                    rank=0, attempt=0, next_attempt_at=now, segments=segments(said), created_at=now,
                )
            )  # fmt: skip
    if kept is not None and said is not None:
        services.bell.ring()
    return "late" if kept is not None else "quicker"
