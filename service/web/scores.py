"""The score sheet of a table: round by round, and over all games of the same people; and its finished hands.

Scores are public at a table, so they show with its address alone. Cards of a finished hand show as the table does: at a
player's address only to the browser that has opened it there.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple

from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from sqlalchemy import Connection, func, select

from engine.game import Seat
from engine.registry import named
from service import results, stored
from service.db import reading
from service.services import Services
from service.stored import SEAT, TABLE, Table
from service.text.words import listed
from service.transact import transact
from service.web import links
from service.web.chart import Series, chart, style_of
from service.web.headers import private
from service.web.links import Link
from service.web.table import COOKIE

MOST_ROWS = 60  # rounds that are listed unless somebody wants them all
MOST_GAMES = 400  # of the same people, the latest
LOWEST_WINS = frozenset(("hearts",))


class Row(NamedTuple):
    """A round: its number, each side's points and total, and what happened, in words."""

    n: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    said: str


@dataclass
class Sheet:
    """One game. `sides` are the seats of each side, `titles` what they are called; `facts` are those of its rounds."""

    sides: tuple[tuple[Seat, ...], ...]
    titles: tuple[str, ...]
    names: tuple[str, ...]
    lowest_wins: bool = False
    rows: list[Row] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def totals(self) -> tuple[int, ...]:
        """The score of each side now."""
        return self.rows[-1].totals if self.rows else (0,) * len(self.sides)

    @property
    def start(self) -> tuple[int, ...]:
        """The score of each side before the first round that was written down."""
        if not self.rows:
            return self.totals
        first = self.rows[0]
        return tuple(total - points for total, points in zip(first.totals, first.points, strict=True))

    @property
    def winners(self) -> list[str]:
        """The sides that have won; empty while the game goes on."""
        won = set(self.facts[-1].get("winners", ())) if self.facts else set()
        return [title for side, title in zip(self.sides, self.titles, strict=True) if won & set(side)]

    @property
    def leaders(self) -> set[int]:
        """The numbers of the sides that stand best, once a round is over."""
        best = (min if self.lowest_wins else max)(self.totals)
        return {i for i, total in enumerate(self.totals) if self.rows and total == best}


class Standing(NamedTuple):
    """What somebody has to show over the rounds of a game; a bot, too."""

    name: str
    out: int
    pile: int
    laid: int
    tricks: int


class Game(NamedTuple):
    """A game of the same people, as one line of their nights."""

    code: str
    when: datetime
    rounds: int
    scores: tuple[int, ...]  # by player, in the order of `Nights.names`
    running: tuple[int, ...]
    winners: str
    over: bool


class Nights(NamedTuple):
    """All games of one kind that the same people have played, the first first."""

    title: str
    names: tuple[str, ...]
    games: list[Game]
    wins: tuple[int, ...]
    drawn: Markup


def blueprint(services: Services) -> Blueprint:
    """`/table/TOKEN/score`; with `?all` over all games of the same people, with `?every` every round."""
    scores = Blueprint("scores", __name__)

    @scores.get("/table/<token>/score")
    def sheet(token: str) -> Response:
        link = links.read(services.settings, token)
        table = None if link is None else find(services, link)
        if link is None or table is None:
            return private(Response(render_template("gone.html"), 404))
        whole = "all" in request.args
        with reading(services.db) as conn:
            made = sheet_of(table, results.of_tables(conn, [table.id])[table.id])
            others = same_people(conn, table)
            nights = nights_of(conn, table, others) if whole else []
        shown = made.rows if "every" in request.args else made.rows[-MOST_ROWS:]
        return private(
            Response(
                render_template(
                    "score.html", token=token, table=table, sheet=made, rows=shown, standings=standings(made),
                    drawn=drawn(made, table), nights=nights, games=len(others), whole=whole, here=request.full_path.rstrip("?"),
                    plays=link.seat is not None, style_of=style_of,
                )
            )
        )  # fmt: skip

    return scores


# Who may look


def find(services: Services, link: Link) -> Table | None:
    """The table of an address that is good, its rounds all written down; None otherwise."""
    with reading(services.db) as conn:
        if not links.good(conn, link, services.clock()):
            return None
        table = stored.look(conn, link.table)
        done = results.count(conn, link.table)
    if table is not None and done < _over(table):  # one from before there were rows
        transact(services, lambda conn: _make_up(conn, link.table))
    return table


def _over(table: Table) -> int:
    """How many of its rounds are over."""
    if table.state is None:
        return 0
    first = 1 if table.start is None else stored.fresh(table).round
    ended = table.state.over and table.game.points(table.state) is not None
    return int(table.state.round) - int(first) + bool(ended)


def _make_up(conn: Connection, table_id: int) -> None:
    table = stored.by_id(conn, table_id)
    if table is not None:
        results.complete(conn, table)


def opened(services: Services, link: Link) -> bool:
    """Whether this browser may see cards at that address."""
    return link.seat is None or links.cookie_opens(services.settings, request.cookies.get(COOKIE, ""), link)


def cover(token: str) -> Response:
    """To the page with the tap that opens it."""
    response: Response = redirect(url_for("table.show", token=token), 303)  # type: ignore[assignment]
    return private(response)


# One game


def sheet_of(table: Table, rows: Sequence[Any]) -> Sheet:
    """The sheet of a table from its rows."""
    sides = table.game.sides(table.options, table.seat_count)
    seated = {sitter.number: sitter.name for sitter in table.sitters}
    names = tuple(seated.get(seat, f"seat {seat + 1}") for seat in range(table.seat_count))
    titles = tuple("+".join(names[seat] for seat in side) for side in sides)
    sheet = Sheet(sides, titles, names, table.game.name in LOWEST_WINS)
    for row in rows:
        points, totals, facts = json.loads(row.points), json.loads(row.totals), json.loads(row.facts)
        by_side = [tuple(values[side[0]] for side in sides) for values in (points, totals)]
        sheet.rows.append(Row(row.n, by_side[0], by_side[1], happened(facts, names)))
        sheet.facts.append(facts)
    return sheet


def happened(facts: dict[str, Any], names: Sequence[str]) -> str:
    """A round in words: `Ann went out. Bea took 17 cards at once.`"""
    said = []
    if "out" in facts:
        said.append(f"{names[facts['out']]} went out.")
    if facts.get("pile") and facts["pile"][1] > 1:
        said.append(f"{names[facts['pile'][0]]} took {facts['pile'][1]} cards at once.")
    if "moon" in facts:
        said.append(f"{names[facts['moon']]} shot the moon.")
    if "sun" in facts:
        said.append(f"{names[facts['sun']]} took every trick.")
    return " ".join(said)


def standings(sheet: Sheet) -> list[Standing]:
    """By seat: how often out, the biggest pile, points laid, tricks."""
    found = []
    for seat, name in enumerate(sheet.names):
        piles = [facts["pile"][1] for facts in sheet.facts if facts.get("pile") and facts["pile"][0] == seat]
        found.append(
            Standing(
                name,
                sum(facts.get("out") == seat for facts in sheet.facts),
                max(piles, default=0),
                sum(facts["laid"][seat] for facts in sheet.facts if "laid" in facts),
                sum(facts["tricks"][seat] for facts in sheet.facts if "tricks" in facts),
            )
        )
    return found


def drawn(sheet: Sheet, table: Table) -> Markup:
    """The chart of one game; empty before its first round is over."""
    if not sheet.rows:
        return Markup("")
    series = [
        Series(title, [row.totals[i] for row in sheet.rows], sheet.start[i]) for i, title in enumerate(sheet.titles)
    ]
    target = str(getattr(table.options, "target", ""))
    number = int(target) if target.lstrip("-").isdecimal() else None
    return chart(series, "The scores", "Round", number)


# All games of the same people


def same_people(conn: Connection, table: Table) -> list[int]:
    """The ids of the tables at which just these people have sat, oldest first, this one among them. Bots don't count."""
    people = {sitter.player_id for sitter in table.sitters if sitter.player_id is not None}
    if not people:
        return [table.id]
    all_sit = (
        select(SEAT.c.table_id)
        .where(SEAT.c.player_id.in_(people))
        .group_by(SEAT.c.table_id)
        .having(func.count(SEAT.c.player_id.distinct()) == len(people))
    )
    only_they = (
        select(SEAT.c.table_id)
        .join(TABLE, TABLE.c.id == SEAT.c.table_id)
        .where(SEAT.c.table_id.in_(all_sit), SEAT.c.player_id.is_not(None), TABLE.c.state.is_not(None))
        .group_by(SEAT.c.table_id)
        .having(func.count(SEAT.c.player_id.distinct()) == len(people))
        .order_by(SEAT.c.table_id.desc())
        .limit(MOST_GAMES)
    )
    return sorted(conn.execute(only_they).scalars())


def nights_of(conn: Connection, table: Table, ids: Sequence[int]) -> list[Nights]:
    """The games of these tables by kind: what each person has scored in each, and the sums that run on."""
    people = [(s.player_id, s.name) for s in table.sitters if s.player_id is not None]
    rows = results.of_tables(conn, ids)
    seats: dict[int, list[Any]] = {}
    columns = SEAT.c.table_id, SEAT.c.number, SEAT.c.player_id, SEAT.c.name
    for seat in conn.execute(select(*columns).where(SEAT.c.table_id.in_(ids)).order_by(SEAT.c.number)):
        seats.setdefault(seat.table_id, []).append(seat)
    kinds: dict[str, list[Any]] = {}
    wanted = select(TABLE.c.id, TABLE.c.code, TABLE.c.game, TABLE.c.created_at, TABLE.c.status).where(
        TABLE.c.id.in_(ids)
    )
    for game in conn.execute(wanted.order_by(TABLE.c.id)):
        if rows[game.id]:
            kinds.setdefault(game.game, []).append(game)
    return [_nights(kind, games, people, rows, seats) for kind, games in kinds.items()]


def _nights(
    kind: str, games: Sequence[Any], people: Sequence[tuple[int, str]], rows: dict[int, list[Any]],
    seats: dict[int, list[Any]],
) -> Nights:  # fmt: skip
    names = tuple(name for _, name in people)
    scores, wins, winners = [], [0] * len(people), []
    for game in games:
        totals, facts = json.loads(rows[game.id][-1].totals), json.loads(rows[game.id][-1].facts)
        number = {seat.player_id: seat.number for seat in seats[game.id]}
        mine, won = [number[player] for player, _ in people], facts.get("winners", ())
        scores.append(tuple(totals[seat] for seat in mine))
        wins = [before + (seat in won) for before, seat in zip(wins, mine, strict=True)]
        winners.append(listed([seat.name for seat in seats[game.id] if seat.number in won]) if won else "")
    running = list(accumulate(scores, lambda before, now: tuple(map(sum, zip(before, now, strict=True)))))
    made = [
        Game(
            game.code, game.created_at, len(rows[game.id]), scores[i], running[i], winners[i],
            game.status == stored.OVER,
        )
        for i, game in enumerate(games)
    ]  # fmt: skip
    title = named(kind).title
    lines = [Series(name, [sums[i] for sums in running]) for i, name in enumerate(names)]
    return Nights(title, names, made, tuple(wins), chart(lines, f"{title}: the scores of all games, added up", "Game"))
