"""`/new`: a table is filled in on the web: its game, target, house rules, pace, bots. It is opened by its host's text.

The form is made of the house rules as the registry describes them. Who gives no number gets the words to text; who does,
one text, and the table is there when it has been answered.
"""

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from engine.game import Game, Refusal, Rule, read_values, rules_of, write_options
from engine.registry import find
from service import forms, tables
from service.forms import Asked
from service.services import Services
from service.slow import DEFAULT_PACE, LATE_RULES
from service.tables import Problem
from service.text.speech import offered
from service.web import operator, visitors
from service.web.invite import Filled, check
from service.web.rules import players, spoken

PACES = {"": "no clock", "12h": "12 hours", "1d": "a day", "2d": "two days", "3d": "three days", "7d": "a week"}
USUAL_PACE = next(word for word in PACES if word.endswith("d") and int(word[:-1]) * 86400 == DEFAULT_PACE)
LATE = {"wait": "the table waits", "bot": "a bot plays for them", "invite": "a friend may take the seat"}
assert set(LATE) == set(LATE_RULES.values()), "every rule for who is late can be chosen"


@dataclass
class Wanted(Filled):
    """The whole form: beside the host, the table that is wanted."""

    rules: dict[str, str] = field(default_factory=dict)  # as they were written
    seats: str = ""
    pace: str = USUAL_PACE
    late: str = "wait"
    weekdays: bool = False
    bots: str = "0"


@dataclass(frozen=True)
class Field:
    """A house rule as a field of the form."""

    name: str
    label: str
    kind: str  # switch | choice | text
    usual: str
    help: str = ""
    values: tuple[tuple[str, str], ...] = ()


def blueprint(services: Services) -> Blueprint:
    """`/new`: the games; `/new/GAME`: the form."""
    opening = Blueprint("opening", __name__)
    settings = services.settings

    @opening.get("/new")
    def games() -> str:
        return render_template("new.html", games=[(game, players(game)) for game in offered()])

    @opening.get("/new/<name>")
    def form(name: str) -> str:
        game = _game(name)
        wanted = Wanted(seats=str(_usual_seats(game)))
        wanted.rules = {rule.name: str(rule.default) for rule in rules_of(game.Options)}
        return page(game, wanted, asked="asked" in request.args)

    @opening.post("/new/<name>")
    def ask(name: str) -> Any:
        game = _game(name)
        wanted = read(game)
        if not visitors.from_our_page(settings):
            wanted.errors["form"] = visitors.NOT_OURS
        what = read_table(game, wanted)
        by_form = request.form.get("way") == "form" and settings.form_texts_a_day > 0
        number = check(services, wanted) if by_form else ""
        if wanted.errors or what is None:
            return page(game, wanted), HTTPStatus.UNPROCESSABLE_ENTITY
        if not by_form:
            return page(game, wanted, command=command(game, what, wanted))
        consent = operator.consent(settings)
        asked = Asked(
            forms.OPEN, number, tables.clean_name(wanted.name), consent, game.title, visitors.origin(), what=what
        )
        if not (visitors.is_robot() or forms.ask(services, asked)):
            return page(game, wanted, enough=True, command=command(game, what, wanted)), HTTPStatus.TOO_MANY_REQUESTS
        return redirect(url_for("opening.form", name=game.name, asked=1) + "#asked", HTTPStatus.SEE_OTHER)

    def page(game: Game, wanted: Wanted, **more: Any) -> str:
        number = next(iter(settings.twilio_numbers), "")
        words = more.get("command", "")
        link = operator.sms(number, words) if number and words else ""
        fields = [_field(rule) for rule in rules_of(game.Options)]
        unusual = any(wanted.rules[f.name] != f.usual or f.name in wanted.errors for f in fields if f.name != "target")
        return render_template(
            "opening.html",
            **{
                "game": game, "filled": wanted, "link": link, "fields": fields, "unusual": unusual, "paces": PACES, "late": LATE,
                "qr": operator.qr(link, "A QR code that opens a text which opens the table") if link else "",
                "field": visitors.form_field(settings), **operator.facts(services), **more,
            },
        )  # fmt: skip

    return opening


def _game(name: str) -> Game:
    found = find(name)
    if found is None or found not in offered():
        abort(404)
    return found


def _usual_seats(game: Game) -> int:
    return min(game.seats, key=lambda n: abs(n - 4))


def _field(rule: Rule) -> Field:
    """How a house rule is asked for: a switch, a list, or a line to write on."""
    choice, label, usual = rule.choice, rule.help[0].upper() + rule.help[1:], str(rule.default)
    values = (*map(str, choice.numbers), *choice.words)
    if set(values) == {"on", "off"} and choice.special is None:
        return Field(rule.name, label, "switch", usual)
    if choice.special is None and choice.low > choice.high:
        return Field(rule.name, label, "choice", usual, values=tuple((value, spoken(value)) for value in values))
    return Field(rule.name, label, "text", usual, spoken(choice.describe()))


def read(game: Game) -> Wanted:
    """What has been filled in; a switch that is off is not sent by browsers."""
    given = request.form
    rules = {}
    for rule in rules_of(game.Options):
        default = "off" if _field(rule).kind == "switch" else str(rule.default)
        rules[rule.name] = given.get(rule.name, default).strip()[:60]
    return Wanted(
        name=given.get("name", "").strip()[:40],
        phone=given.get("phone", "").strip()[:40],
        agreed=given.get("agree") == "yes",
        rules=rules,
        seats=given.get("seats", "")[:3],
        pace=given.get("pace", ""),
        late=given.get("late", "wait"),
        weekdays=given.get("weekdays") == "yes",
        bots=given.get("bots", "0")[:3],
    )


def read_table(game: Game, wanted: Wanted) -> dict[str, Any] | None:
    """The table as arguments of NEW, and `bots`; None where something is wrong, which is noted by field."""
    values: dict[str, str | int] = {}
    for name, text in wanted.rules.items():
        try:
            values |= read_values(game.Options, {name: text})
        except Refusal:
            choice = next(rule.choice for rule in rules_of(game.Options) if rule.name == name)
            wanted.errors[name] = f"This can be {spoken(choice.describe())}."
    if not (wanted.seats.isascii() and wanted.seats.isdigit() and int(wanted.seats) in game.seats):
        wanted.errors["seats"] = f"{game.title} is for {players(game)} players."
    seats = int(wanted.seats) if "seats" not in wanted.errors else 0
    if not (wanted.bots.isascii() and wanted.bots.isdigit() and int(wanted.bots) < (seats or 99)):
        wanted.errors["bots"] = f"Between none and {seats - 1}: you sit there yourself."
    for name, known in (("pace", PACES), ("late", LATE)):
        if getattr(wanted, name) not in known:
            wanted.errors[name] = "Please choose one of these."
    if wanted.errors.keys() - {"form"}:
        return None
    try:
        options = game.Options(**values)
        tables.demand_table(game, options, seats)
    except Refusal as refusal:
        _note(wanted, refusal.hint)
        return None
    except Problem as problem:
        _note(wanted, str(problem), "seats")
        return None
    clock = [wanted.pace or "none", *(["weekdays"] if wanted.weekdays and wanted.pace else []), wanted.late]
    what = {"game": game.name, "options": write_options(options), "players": wanted.seats, "clock": " ".join(clock)}
    return what | {"bots": wanted.bots}


def _note(wanted: Wanted, hint: str, *places: str) -> None:
    """What contradicts each other: the reason stands beside each house rule that it names, and at these places."""
    named = [name for name in wanted.rules if re.search(rf"\b{name}\b", hint)]
    sentence = hint[0].upper() + hint[1:].rstrip(".") + "."
    for name in (*named, *places) or ("form",):
        wanted.errors[name] = sentence


def command(game: Game, what: dict[str, Any], wanted: Wanted) -> str:
    """The text that opens the same table."""
    words = ["NEW", game.title.upper() if game.name.isalpha() or not game.aliases else game.aliases[0].upper()]
    words += what["options"].split()
    if wanted.seats != str(_usual_seats(game)):
        words.append(f"{what['players']} players")
    if what["clock"] != f"{USUAL_PACE} wait":
        words.append(f"pace {what['clock']}")
    text = " ".join(words)
    return f"{text}, bots {wanted.bots}" if int(wanted.bots) else text
