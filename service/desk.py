"""What is at hand while one text is answered: the connection and its transaction, the player, the texts to others."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, insert, update

from engine.game import Seat
from service.services import Services
from service.tables import OUTBOUND, PLAYER, Sitter, Table
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


@dataclass(slots=True)
class Desk:
    """One transaction. `kind` and `table_id` describe the inbound row; `texts` become rows of the outbox at the end."""

    services: Services
    conn: Connection
    sms: Sms
    now: datetime
    inbound_id: int
    player: Row[Any]
    kind: str = "command"
    table_id: int | None = None
    pending: Any = None  # the question that stays open after this text
    texts: list[dict[str, Any]] = field(default_factory=list)

    def scene(self, table: Table, seat: Seat, state: Any = None) -> Scene:
        """The table as that seat sees it now, or as it stood in `state`."""
        state = table.state if state is None else state
        legal = table.game.legal(state, seat) if seat in table.game.waiting(state) else []
        return Scene(table.code, table.game.view(state, seat), table.names, tuple(legal))

    def send(self, table: Table, sitter: Sitter, kind: str, text: str) -> None:
        """A text to somebody at a table who has a phone and wants our texts; goes out after the commit."""
        if not sitter.person or sitter.opted_out:
            return
        body = render.branded(fold(text))
        self.texts.append(
            {
                "player_id": sitter.player_id, "table_id": table.id, "recipient": sitter.address,
                "sender": sitter.sender, "body": body, "kind": kind,
                "turn_version": table.version if kind == "turn" else None,
                "next_attempt_at": self.now, "segments": segments(body), "created_at": self.now,
            }
        )  # fmt: skip

    def send_all(self, table: Table, sitters: Iterable[Sitter], kind: str, text: str) -> None:
        """The same text to several."""
        for sitter in sitters:
            self.send(table, sitter, kind, text)

    def write_texts(self) -> bool:
        """Puts the texts into the outbox; whether there were any."""
        if self.texts:
            self.conn.execute(_ADD_TEXTS, self.texts)
        return bool(self.texts)

    def set_player(self, **values: Any) -> None:
        """Changes columns of the player who texts."""
        self.conn.execute(update(PLAYER).where(PLAYER.c.id == self.player.id).values(**values))


_ADD_TEXTS = insert(OUTBOUND).values(status="pending", rank=0, attempt=0)
