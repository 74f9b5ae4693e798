"""LINK and WATCH: the addresses of a table's pages, by text."""

from collections.abc import Mapping, Sequence

from service.desk import Desk
from service.stored import CLOSED, Table
from service.tables import Problem
from service.text import links as words
from service.text import render
from service.web import links

Args = Mapping[str, str]


def link(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`link`, `link new`: the player's own page of a table."""
    me = table.seat_of(desk.player.id)
    if me is None or table.status == CLOSED:
        raise Problem(render.no_table())
    renew = args.get("new") == "new"
    address = links.of_seat(desk.conn, desk.services.settings, table.id, me.number, desk.player.id, renew)
    return words.own(table.code, address, renew)


def watch(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`watch`, `watch new`: the page of a table for those who only watch."""
    if table.seat_of(desk.player.id) is None or table.status == CLOSED:
        raise Problem(render.no_table())
    renew = args.get("new") == "new"
    return words.watching(table.code, links.of_spectators(desk.conn, desk.services.settings, table.id, renew), renew)


COMMANDS = {"link": link, "watch": watch}
