"""`/table/TOKEN/hand/N`: a finished round played again, card by card, with every hand open; and its record.

A round that is being played is never shown: it has no row of results yet.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, request

from engine.cards import Card
from service import hands, results, rounds, stored
from service.db import reading
from service.rounds import Line, Round, Step
from service.services import Services
from service.stored import PLAYING, Table
from service.text import speech
from service.text.tricks import Tricks
from service.text.words import listed
from service.web import links, moves, scene, scores
from service.web.headers import private

MOST = 99_999


class Hand(NamedTuple):
    """Somebody's open hand; `acts` whether the next move is theirs."""

    name: str
    cards: tuple[Card, ...]
    acts: bool


def blueprint(services: Services) -> Blueprint:
    """The page and the download."""
    history = Blueprint("history", __name__)

    def looked_up(token: str, n: int) -> tuple[Table, Round] | Response:
        link = links.read(services.settings, token)
        table = None if link is None else scores.find(services, link)
        if link is None or table is None:
            return private(Response(render_template("gone.html"), 404))
        if not scores.opened(services, link):
            return scores.cover(token)
        with reading(services.db) as conn:
            one = results.of_round(conn, table, n) if 0 < n <= MOST else None
        if one is None:
            text = "A hand can be looked at when it is over."
            return private(Response(render_template("message.html", title=f"Hand {n} is not there", text=text), 404))
        return table, one

    @history.get("/table/<token>/hand/<int:n>")
    def show(token: str, n: int) -> Response:
        found = looked_up(token, n)
        if isinstance(found, Response):
            return found
        table, one = found
        last = len(one.steps)
        asked = request.args.get("move", "0")
        at = min(int(asked), last) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0
        state = next(state for i, state in enumerate(rounds.positions(table.game, one)) if i == at)
        with reading(services.db) as conn:
            count = results.count(conn, table.id)
        shown = scene.made(replace(table, state=state, status=PLAYING, news=[]), None, "", services.clock(), "", 0)
        shown.pile = tuple(getattr(state, "pile", ()))  # all of it: the hand is over
        return private(
            Response(
                render_template(
                    "history.html", token=token, table=table, n=n, count=count, at=at, last=last, scene=shown,
                    hands=open_hands(table, state, one, at), said=said(table, one.steps[at - 1]) if at else "",
                    steps=[said(table, step) for step in one.steps], here=request.full_path.rstrip("?"),
                )
            )
        )  # fmt: skip

    @history.get("/table/<token>/hand/<int:n>.hand")
    def download(token: str, n: int) -> Response:
        found = looked_up(token, n)
        if isinstance(found, Response):
            return found
        table, one = found
        with reading(services.db) as conn:
            raw = [Line(i, seat, text) for i, (seat, text) in enumerate(stored.lines_of(conn, table), 1)]
        text = hands.record(table, n, one, rounds.standing(raw))
        if text is None:
            why = "Its cards were shuffled again on the way, so its record can be had once the whole game is over."
            page = render_template("message.html", title=f"Hand {n} has no record yet", text=why)
            return private(Response(page, 409))
        response = Response(text, content_type="text/plain; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="{table.code}-{n}.hand"'
        return private(response)

    return history


def open_hands(table: Table, state: Any, one: Round, at: int) -> list[Hand]:
    """Every hand as it stood, in the order in which its owner would hold it."""
    sort = scene.default_sort(table.game.name)
    acts = one.steps[at].line.seat if at < len(one.steps) else None
    return [
        Hand(table.names[seat], tuple(moves.sorted_hand(cards, sort)), seat == acts)
        for seat, cards in enumerate(state.hands)
    ]


def said(table: Table, step: Step) -> str:
    """A move in words, hidden cards and all: `Bea drew JD.`"""
    words = speech.of(table.game.name)
    if isinstance(words, Tricks):
        words = words.called(table.names)
    done = words.own(list(step.events), step.line.seat)
    return f"{table.names[step.line.seat]} {listed(done) if done else step.line.text}."
