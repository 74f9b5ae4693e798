"""What is at hand while one text is answered: the connection and its transaction, the player, the texts to others."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, bindparam, insert, update
from sqlalchemy import text as sql

from engine.game import Seat
from service import manners
from service.models import WAITING
from service.numbers import segment_limits
from service.pipeline import later
from service.services import Services
from service.stored import OUTBOUND, PLAYER, Sitter, Table
from service.text import render
from service.text.gsm7 import fold, segments
from service.text.render import Scene


class Sms(NamedTuple):
    """One text as the carrier delivered it: signature checked, body cleaned of what no database or XML can hold."""

    sid: str
    channel: str
    sender: str  # E.164
    to: str
    body: str
    media: int = 0  # how many pictures and the like came with it
    extra_recipients: bool = False  # a group text: read as one to us alone, and never as a command
    opt_out_type: str = ""  # what the carrier has taken it for: STOP, START, HELP, or nothing
    on_page: bool = False  # typed on the player's own page: no text came, and the answer is none
    written: datetime | None = None  # of one found later: nobody waits for the answer, which is a text of its own


@dataclass(slots=True)
class Desk:
    """One transaction. `kind` and `table_id` describe the inbound row; `texts` become rows of the outbox at the end."""

    services: Services
    conn: Connection
    sms: Sms | None  # None: nobody has texted (`unasked`)
    now: datetime
    inbound_id: int | None
    player: Any  # the row of who texts; None likewise
    kind: str = "command"
    table_id: int | None = None
    pending: Any = None  # the question that stays open after this text
    texts: list[dict[str, Any]] = field(default_factory=list)
    look_again: bool = False  # something that was held back may be due now
    by_machine: bool = False  # a phone has answered for its owner
    forgotten: bool = False  # the player is nobody any more
    used: int | None = None  # segments of this month, by the player who texts, where they have been read
    costs: list[Any] = field(default_factory=list)  # `service.spending.Cost`, counted at the end

    @classmethod
    def unasked(cls, services: Services, conn: Connection) -> Self:
        """The same where nobody has texted: a clock has run out, the carrier says something, the operator acts."""
        return cls(services, conn, None, services.clock(), None, None)

    def scene(self, table: Table, seat: Seat, state: Any = None) -> Scene:
        """The table as that seat sees it now, or as it stood in `state`."""
        state = table.state if state is None else state
        legal = table.game.legal(state, seat) if seat in table.game.waiting(state) else []
        return Scene(table.code, table.game.view(state, seat), table.names, tuple(legal), self.until(table, seat))

    def until(self, table: Table, seat: Seat) -> str:
        """When the clock of that seat's turn runs out, as its own clock shows it; empty where none runs."""
        end = table.deadlines.get(seat)
        if end is None:
            return ""
        sitter = table.sitters[seat]
        return manners.wall(end, sitter.zone, sitter.address, self.now)

    def send(self, table: Table, sitter: Sitter, kind: str, text: str) -> None:
        """A text to somebody at a table who has a phone and wants our texts; goes out after the commit."""
        if sitter.player_id is None or sitter.left or sitter.opted_out:
            return
        body = render.branded(fold(text))
        self.texts.append(
            {
                "player_id": sitter.player_id, "table_id": table.id, "recipient": sitter.address,
                "sender": sitter.sender, "body": body, "kind": kind,
                # Where several act at once, what one of them does is no reason not to tell the others.
                "turn_version": table.version if kind in OF_A_TURN and not table.together else None,
                "next_attempt_at": self.now, "segments": segments(body, segment_limits(self.sender_of(sitter))), "created_at": self.now,
                "seat": sitter.number, "told_upto": table.news_end if kind in TELLING else None,
            }
        )  # fmt: skip

    def sender_of(self, sitter: Sitter) -> str | None:
        """The number of ours that texts to them come from."""
        return sitter.sender or next(iter(self.services.settings.twilio_numbers), None)

    def answer_by_text(self, answer: str) -> None:
        """The answer to a text that nobody waits for any more, as a row of the outbox like all others."""
        assert self.sms is not None, "somebody has texted"
        self.texts.append(
            {
                "player_id": self.player.id, "table_id": self.table_id, "recipient": self.sms.sender,
                "sender": self.sms.to, "body": answer, "kind": "answer", "turn_version": None,
                "next_attempt_at": self.now, "segments": segments(answer, segment_limits(self.sms.to)),
                "created_at": self.now, "seat": None, "told_upto": None,
            }
        )  # fmt: skip

    def send_all(self, table: Table, sitters: Iterable[Sitter], kind: str, text: str) -> None:
        """The same text to several."""
        for sitter in sitters:
            self.send(table, sitter, kind, text)

    def write_texts(self) -> bool:
        """Puts the texts into the outbox; whether there is anything to send."""
        if not self.texts:
            return self.look_again
        for (table_id, kind), players in self._told_again().items():
            self._supersede(table_id, players, TOLD_AGAIN_BY[kind])
        later(self.conn, _ADD_TEXTS, self.texts)
        return True

    def _supersede(self, table_id: int, players: list[int], kinds: frozenset[str]) -> None:
        for player in players:
            later(self.conn, _SUPERSEDE[kinds], {"the_table": table_id, "player": player})

    def told_now(self, table: Table) -> None:
        """The answer to the player who texts tells all that texts about their turn would tell which still wait."""
        self._supersede(table.id, [self.player.id], TOLD_BY_HAND)

    def _told_again(self) -> dict[tuple[int, str], list[int]]:
        """By table and kind, the players who now get a text that tells all that some unsent ones would have told."""
        players: dict[tuple[int, str], list[int]] = {}
        for text in self.texts:
            if text["told_upto"] is not None:
                players.setdefault((text["table_id"], text["kind"]), []).append(text["player_id"])
        return players

    def still_so(self, table: Table, besides: Sitter | None = None) -> None:
        """What was said of a turn holds after lines that leave it the same turn, but for who made them and is answered.

        To be called before the lines are saved. What went out is meant, too: it may have to be written again.
        """
        if table.together or table.version == table.read_version:
            return
        for text in self.texts:
            if text["table_id"] == table.id and text["turn_version"] == table.read_version:
                text["turn_version"] = table.version
        self.conn.execute(
            update(OUTBOUND)
            .where(
                OUTBOUND.c.player_id.in_([s.player_id for s in table.people if s is not besides]),
                OUTBOUND.c.created_at >= (table.turn_since or self.now - LONGEST_TURN),
                OUTBOUND.c.table_id == table.id,
                OUTBOUND.c.kind.in_(OF_A_TURN),
                OUTBOUND.c.turn_version == table.read_version,
            )
            .values(turn_version=table.version)
        )

    def set_player(self, **values: Any) -> None:
        """Changes columns of the player who texts; `player` has the new values from here on."""
        self.conn.execute(update(PLAYER).where(PLAYER.c.id == self.player.id).values(**values))
        before = vars(self.player) if isinstance(self.player, SimpleNamespace) else self.player._asdict()
        self.player = SimpleNamespace(**before | values)

    def hurry(self) -> None:
        """What is held back for the player who texts is looked at again at once."""
        held = (
            update(OUTBOUND)
            .where(
                OUTBOUND.c.player_id == self.player.id,
                sql(WAITING),  # as the index has it
                OUTBOUND.c.status == "pending",
                OUTBOUND.c.next_attempt_at > self.now,
            )
            .values(next_attempt_at=self.now)
        )
        if self.conn.execute(held).rowcount:
            self.look_again = True


# What is told up to a point moves a seat's `told` when it has been sent, so that a text which is never sent is made up for.
TELLING = frozenset(("turn", "round", "dealt", "update"))
OF_A_TURN = frozenset(("turn", "nudge", "late", "call"))  # said in vain once somebody has moved
TOLD_AGAIN = frozenset(("turn", "update", "low", "nudge", "dealt", "call"))
TOLD_AGAIN_BY = {  # what each kind makes needless while it is unsent
    "turn": TOLD_AGAIN,
    "round": TOLD_AGAIN,
    "dealt": TOLD_AGAIN - {"dealt"},
    "update": frozenset(("update", "low")),  # it asks for no move, as others do
}
TOLD_BY_HAND = TOLD_AGAIN - {"call"}  # HAND, where it is the player's turn
LONGEST_TURN = timedelta(days=60)


def _superseded(kinds: frozenset[str]) -> Any:
    # Word for word as the index has it, or SQLite reads all that the player ever got.
    unsent = sql(f"{WAITING} AND status != 'sending' AND kind IN ({', '.join(repr(kind) for kind in sorted(kinds))})")
    return (
        update(OUTBOUND)
        .where(OUTBOUND.c.table_id == bindparam("the_table"), OUTBOUND.c.player_id == bindparam("player"), unsent)
        .values(status="canceled", error_code="told-again")
    )


_SUPERSEDE = {kinds: _superseded(kinds) for kinds in (*TOLD_AGAIN_BY.values(), TOLD_BY_HAND)}
_ADD_TEXTS = insert(OUTBOUND).values(status="pending", rank=0, attempt=0)
