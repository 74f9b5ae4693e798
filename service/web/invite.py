"""`/join/CODE`: an invitation to a table. Who sits there, the house rules, and two ways to sit down: by a text, or a form."""

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import select

from engine.game import Seat
from service import forms, stored, tables
from service.db import reading
from service.forms import Asked
from service.numbers import read_number
from service.services import Services
from service.stored import CLOSED, OPEN, Table
from service.tables import Problem
from service.web import operator, visitors
from service.web.rules import house_rules

CODE = re.compile(r"[A-Z0-9]{3,5}", re.ASCII)


class Place(NamedTuple):
    """A seat as the page shows it; `name` is empty where nobody sits, `partners` are those it plays with."""

    seat: Seat
    name: str
    bot: bool
    partners: tuple[str, ...]
    before: str  # who plays before it, if anybody sits there


@dataclass
class Filled:
    """What somebody has filled in, and what is wrong with it, by field."""

    name: str = ""
    phone: str = ""
    seat: str = ""
    agreed: bool = False
    errors: dict[str, str] = field(default_factory=dict)


def blueprint(services: Services) -> Blueprint:
    """The page and its form."""
    invite = Blueprint("invite", __name__)
    settings = services.settings

    @invite.get("/join/<code>")
    def join(code: str) -> Any:
        if visitors.guesses(services):
            return render_template("message.html", **TOO_MANY), HTTPStatus.TOO_MANY_REQUESTS
        table, seat = _find(services, code)
        if table is None:
            visitors.missed(services)
            return _nothing(code)
        if seat is not None:
            return _page("takeover.html", table, seat=table.sitters[seat].name, code=code.upper())
        return _page("join.html", table, asked="asked" in request.args)

    @invite.post("/join/<code>")
    def ask(code: str) -> Any:
        if visitors.guesses(services):
            return render_template("message.html", **TOO_MANY), HTTPStatus.TOO_MANY_REQUESTS
        table, seat = _find(services, code)
        if table is None:
            visitors.missed(services)
            return _nothing(code)
        if table.status != OPEN or not _free(table) or seat is not None or not settings.form_texts_a_day:
            return _page("join.html", table), HTTPStatus.CONFLICT
        filled = _read()
        if not visitors.from_our_page(settings):
            filled.errors["form"] = visitors.NOT_OURS
        number = check(services, filled)
        if filled.seat and not (filled.seat.isdecimal() and int(filled.seat) in _free(table)):
            filled.errors["seat"] = "That seat has been taken meanwhile. Please choose another."
        if filled.errors:
            return _page("join.html", table, filled=filled), HTTPStatus.UNPROCESSABLE_ENTITY
        within = visitors.is_robot() or forms.ask(
            services,
            Asked(
                forms.JOIN, number, tables.clean_name(filled.name), operator.consent(settings), table.game.title,
                visitors.origin(), table.code, table.id, int(filled.seat) if filled.seat else None,
            ),
        )  # fmt: skip
        if not within:
            return _page("join.html", table, enough=True), HTTPStatus.TOO_MANY_REQUESTS
        return redirect(url_for("invite.join", code=table.code, asked=1) + "#asked", HTTPStatus.SEE_OTHER)

    def _read() -> Filled:
        given = request.form
        return Filled(
            given.get("name", "").strip()[:40], given.get("phone", "").strip()[:40], given.get("seat", "")[:2],
            given.get("agree") == "yes",
        )  # fmt: skip

    def _page(template: str, table: Table, **more: Any) -> str:
        number = next(iter(settings.twilio_numbers), "")
        words = f"JOIN {more.get('code', table.code)}"
        link = operator.sms(number, words) if number else ""
        return render_template(
            template,
            **{
                "table": table, "places": places(table), "free": len(_free(table)), "rules": house_rules(table.options),
                "host": host(table), "link": link, "words": words, "filled": Filled(),
                "qr": operator.qr(link, f"A QR code that opens a text to {number} with the words {words}") if link else "",
                "field": visitors.form_field(settings), **operator.facts(services), **more,
            },
        )  # fmt: skip

    return invite


TOO_MANY = {
    "title": "Too many tries",
    "text": "Too many codes have been tried from your network today. Please come back tomorrow, or text JOIN and your code.",
}


LETTERS = f"Please give a name of up to {tables.NAME_LENGTH} Latin letters (A to Z), as texts to the others can carry no other."


def check(services: Services, filled: Filled) -> str:
    """The number that was filled in, as E.164; what is wrong with it, with the name and the agreement, is noted."""
    number = ""
    try:
        tables.clean_name(filled.name)
    except Problem as problem:
        filled.errors["name"] = LETTERS if str(problem) == tables.NO_LETTERS else str(problem)
    try:
        number = read_number(filled.phone, services.settings.allowed_regions)
    except ValueError as error:
        filled.errors["phone"] = str(error)
    if not filled.agreed:
        filled.errors["agree"] = "We may text you only if you agree to it. Please tick the box, or text us first."
    return number


def _find(services: Services, code: str) -> tuple[Table | None, Seat | None]:
    """The table of a code; and the seat, where it is that of somebody who is late, which a friend may take."""
    if not CODE.fullmatch(code.upper()):
        return None, None
    with reading(services.db) as conn:
        found = conn.execute(select(stored.TABLE.c.id).where(stored.TABLE.c.code == code.upper())).scalar()
        seat = None
        if found is None:
            invited = tables.by_invite(conn, code)
            found, seat = (None, None) if invited is None else invited
        table = None if found is None else stored.look(conn, found)
    if table is None or table.status == CLOSED:
        return None, None
    return table, seat


def _nothing(code: str) -> tuple[str, HTTPStatus]:
    shown = code.upper() if CODE.fullmatch(code.upper()) else "of that code"
    text = "Please check the code with the one who gave it to you. A table that everybody has left is gone."
    return render_template("message.html", title=f"There is no table {shown}", text=text), HTTPStatus.NOT_FOUND


def _free(table: Table) -> list[Seat]:
    """The seats that somebody may have: bots make room."""
    people = {sitter.number for sitter in table.sitters if not sitter.bot or sitter.player_id is not None}
    return [seat for seat in range(table.seat_count) if seat not in people]


def places(table: Table) -> list[Place]:
    """Every seat in the order of play."""
    by_seat = {sitter.number: sitter for sitter in table.sitters}
    sides = table.game.sides(table.options, table.seat_count)
    side_of = {seat: side for side in sides for seat in side}

    def called(seat: Seat) -> str:
        return by_seat[seat].name if seat in by_seat else ""

    made = []
    for seat in range(table.seat_count):
        partners = tuple(called(other) or f"seat {other + 1}" for other in side_of[seat] if other != seat)
        sitter = by_seat.get(seat)
        bot = sitter is not None and sitter.bot and sitter.player_id is None
        made.append(Place(seat, called(seat), bot, partners, called((seat - 1) % table.seat_count)))
    return made


def host(table: Table) -> str:
    """Who has opened the table."""
    return next((s.name for s in table.sitters if s.player_id == table.host_id), "Somebody")
