"""`queenline serve` with a planted fault: the texts to others are committed by a transaction of their own, before the move is.

And it dies between the two, at every DIES_AT-th turn that it tells: what a machine does at some time by itself. The texts of a move
that was never made are then left. `rig.verdict` must find that; a test sees to it that it does.
"""

import os
import signal

from sqlalchemy import insert

from service.desk import Desk
from service.models import Outbound, table_of

DIES_AT = 15
told = 0


def write_texts(self: Desk) -> bool:
    """What `Desk.write_texts` must never be."""
    global told  # noqa: PLW0603  # a process of its own
    if not self.texts:
        return self.look_again
    with self.services.db.begin() as own:
        own.execute(insert(table_of(Outbound)).values(status="pending", rank=0, attempt=0), self.texts)
    told += any(text["kind"] == "turn" and text["turn_version"] for text in self.texts)
    if told >= DIES_AT:
        os.kill(os.getpid(), signal.SIGKILL)
    return True


if __name__ == "__main__":
    from commands.serve import command

    Desk.write_texts = write_texts  # type: ignore[method-assign]
    command()
