"""What tests of the sending half share: texts in the outbox, and looks at them."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import insert, select

from service.models import Outbound, Player, table_of
from service.services import Services
from tests.conftest import ANN, BEA, CY, DOT, OURS

OUTBOUND, PLAYER = table_of(Outbound), table_of(Player)
ADDRESS = {"Ann": ANN, "Bea": BEA, "Cy": CY, "Dot": DOT}


class Outbox:
    """Texts to the cast, who are awake."""

    def __init__(self, services: Services, players: dict[str, int], clock: Callable[[], Any]) -> None:
        self.services, self.players, self.clock = services, players, clock

    def write(self, name: str = "Ann", body: str = "Your turn.", **more: Any) -> int:
        """A text that is due; its id."""
        values = {
            "player_id": self.players[name], "recipient": ADDRESS[name], "sender": OURS, "body": body, "kind": "notice",
            "segments": 1, "next_attempt_at": self.clock(), "created_at": self.clock(),
        } | more  # fmt: skip
        with self.services.db.begin() as db:
            return int(db.execute(insert(OUTBOUND).values(values).returning(OUTBOUND.c.id)).scalar_one())

    def row(self, number: int) -> Any:
        with self.services.db.begin() as db:
            return db.execute(select(OUTBOUND).where(OUTBOUND.c.id == number)).one()

    def rows(self) -> list[Any]:
        with self.services.db.begin() as db:
            return list(db.execute(select(OUTBOUND).order_by(OUTBOUND.c.id)).all())

    def statuses(self) -> list[str]:
        return [row.status for row in self.rows()]

    def player(self, name: str) -> Any:
        with self.services.db.begin() as db:
            return db.execute(select(PLAYER).where(PLAYER.c.id == self.players[name])).one()
