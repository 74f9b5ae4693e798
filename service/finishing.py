"""FINISH: a game without a target is over with the round in which all who play have said so.

Bots want what the people at the table want. A wish is a line of the game's record, so that UNDO takes it back, and
replaying the lines gives the stored state.
"""

from collections.abc import Callable, Sequence

from engine.game import Event, Refusal
from service import stored
from service.desk import Desk
from service.stored import PLAYING, Sitter, Table
from service.tables import Problem
from service.text import ending

# Tells everybody that a game is over, by the events of the last wish; the answer to whoever had it.
Over = Callable[[Desk, Table, Sequence[Event], Sitter], str]

FINISH = "finish"


def asked(desk: Desk, table: Table, me: Sitter, over: Over) -> str:
    """`finish`: what the others are told, and the answer."""
    if table.state is None or table.status != PLAYING:
        raise Problem(ending.nothing_to_finish(table.code, dealt=table.state is not None))
    if not endless(table):
        raise Problem(ending.has_an_end(table.code, table.options))
    try:
        events = wish(table, me)
    except Refusal as refusal:
        raise Problem(ending.said_already(table.code, waiting_for(table)) or f"{table.code}: {refusal.hint}") from None
    if table.state.over:
        return over(desk, table, events, me)
    waited = waiting_for(table)
    for sitter in table.people:
        if sitter is not me:
            desk.send(table, sitter, "notice", ending.wants(table.code, me.name, waited, sitter.name in waited))
    desk.still_so(table)
    stored.save(desk.conn, table, desk.now, desk.inbound_id)
    return ending.wanted(table.code, waited)


def taken_back(desk: Desk, table: Table, me: Sitter) -> None:
    """The others, who were told of a wish, are told that it is no more."""
    others = [sitter for sitter in table.people if sitter is not me]
    desk.send_all(table, others, "notice", ending.plays_on(table.code, me.name))


def endless(table: Table) -> bool:
    """Whether nothing but a wish of all ends the game."""
    return getattr(table.options, "target", None) == "none" and "finish" in table.game.verbs


def wish(table: Table, me: Sitter) -> list[Event]:
    """The wish of one, after those of bots, so that theirs is the last line and may be undone. Refusal: they have it already."""
    if me.number not in table.state.finish:
        _agree(table)
    return stored.out_of_turn(table, me.number, FINISH, bot=False)


def agreed(table: Table) -> list[Event]:
    """What happens where all people want to finish and a bot does not yet, because somebody has left."""
    if not getattr(table.state, "finish", ()) or not table.people or waiting_for(table):
        return []
    return _agree(table)


def _agree(table: Table) -> list[Event]:
    events: list[Event] = []
    for sitter in table.sitters:
        if not sitter.person and sitter.number not in table.state.finish and not table.state.over:
            events += stored.out_of_turn(table, sitter.number, FINISH, bot=True)
    return events


def waiting_for(table: Table) -> list[str]:
    """The names of those who have not said FINISH."""
    return [sitter.name for sitter in table.people if sitter.number not in table.state.finish]
