"""Every page there is, in the states that people meet it in: for the checker of accessibility, and for the screenshots.

Each is a name and how a browser gets there. Tables are made once by `hang`; personal pages are open in the window.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from playwright.sync_api import Page

from engine.registry import GAMES
from service import stored, tables
from tests.browser.house import House

LONG = "Wilhelmina"  # a name as long as it may be
EIGHT = (LONG, "Ann", "Bea", "Cy", "Dot", "Eve", "P7", "P8")


class Picture(NamedTuple):
    name: str
    visit: Callable[[Page], object]


MANY_CARDS = """\
game: damn-the-queens
seats: Ann Bea Cy Dot
dealer: Dot
score Ann+Cy: 1985
score Bea+Dot: -140
hand Ann: AS AH KS KH KD QS QH JC JD TS TH 9S 9C 8H 8D 7S 7C 6D 5H 5C 4H 3S W W
hand Bea: 3D 7C 7D AS JK
hand Cy: 5C 8D 8H TS
hand Dot: AH QS 6C 6D
pile: 5S TD 4D 4S 3H JS JH 9H
stock: 7S 3C JD 4C 8S QD
turn: Ann
"""


LAST_CARD = """\
game: damn-the-queens
options: target=500
seats: Ann Bea Cy Dot
score Ann+Cy: 505
score Bea+Dot: 310
turn: Ann
phase: meld
hand Ann: 4H
hand Bea: 3D 7C
hand Cy: 5C 8D
hand Dot: AH QS
pile: KS
stock: 7S 3C JD
"""

A_QUESTION = """\
game: hearts
seats: Ann Bea Cy Dot
phase: play
broken: yes
turn: Ann
hand Ann: KC KD 2H
hand Bea: 5D 6D 7D
hand Cy: 6C 8D 9D
hand Dot: 4H 5H 6H
"""


def hang(people: House) -> Iterator[Picture]:
    """Each with the tables that it needs; the people get up again between the parts, as one sits at so many tables only."""
    yield from standing()
    yield from forms()
    for part in (invitations, tables_of_every_game, hard_tables, sheets, phones):
        people.fresh()
        yield from part(people)


def at(name: str, path: str) -> Picture:
    return Picture(name, lambda page: page.goto(path))


def standing() -> Iterator[Picture]:
    for name, path in {"home": "/", "privacy": "/privacy", "terms": "/terms", "contact": "/contact", "opt-in": "/opt-in",
        "games": "/rules", "new": "/new", "no-such-page": "/nothing", "no-such-table": "/join/ZZZ", "dead-address": "/table/x",
    }.items():  # fmt: skip
        yield at(name, path)
    for game in GAMES:
        yield at(f"rules-{game.name}", f"/rules/{game.name}")
        yield at(f"new-{game.name}", f"/new/{game.name}")


def invitations(people: House) -> Iterator[Picture]:
    code = people.opened(LONG, words="new damn 500")
    people("Ann", "bots 1")
    yield at("join", f"/join/{code}")

    def wrong(page: Page) -> None:
        page.goto(f"/join/{code}")
        page.get_by_label("Your name").fill("B")
        page.get_by_label("Your mobile number").fill("555")
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Text me once").click()
        page.locator("[aria-invalid=true]").first.wait_for()

    yield Picture("join-wrong", wrong)
    yield at("join-asked", f"/join/{code}?asked=1")
    yield Picture("not-dealt-host", lambda page: sit(people, page, "Ann", code))
    yield Picture("not-dealt", lambda page: sit(people, page, LONG, code))

    def cover(page: Page) -> None:
        page.context.clear_cookies()
        page.goto(people.link(LONG, code))

    yield Picture("cover", cover)
    full = people.opened("Bea", "Cy", "Dot", words="new spades")
    yield at("join-full", f"/join/{full}")
    people("Ann", f"{full} deal")
    with people.services.db.begin() as conn:
        table = stored.by_code(conn, full)
        assert table is not None
        late = tables.invite(conn, table, table.sitters[1])
    yield at("take-over", f"/join/{late}")


def forms() -> Iterator[Picture]:
    def wrong(page: Page) -> None:
        page.goto("/new/damn-the-queens")
        page.locator("form details").first.evaluate("each => each.open = true")
        page.locator("[name=target]").fill("many")
        page.get_by_role("button", name=re.compile("words|text", re.I)).first.click()
        page.locator("[aria-invalid=true]").first.wait_for()

    def ready(page: Page) -> None:
        page.goto("/new/damn-the-queens")
        page.get_by_role("button", name=re.compile("words|text", re.I)).first.click()
        page.locator("p.command").wait_for()

    yield Picture("new-wrong", wrong)
    yield Picture("new-ready", ready)


def tables_of_every_game(people: House) -> Iterator[Picture]:
    """At each: the first thing that Ann has to do, the next, somebody else's turn, and what those see who watch."""
    for number, game in enumerate(GAMES):
        seats = 4 if 4 in game.seats else game.seats[0]
        code = people.opened("Bea", words=f"new {game.name} {seats} players")
        people("Ann", f"{code} bots")
        people("Ann", f"{code} deal")
        people.play_on(code, steps=9 if number % 2 else 12)
        people("Bea", f"{code} say good luck, everybody!")
        yield Picture(f"table-{game.name}", lambda page, code=code: sit(people, page, whose_turn(people, code), code))  # type: ignore[misc]
        if game.name not in ("damn-the-queens", "hearts"):
            continue
        yield Picture(f"waiting-{game.name}", lambda page, code=code: sit(people, page, who_waits(people, code), code))  # type: ignore[misc]
        yield Picture(f"watching-{game.name}", lambda page, code=code: sit(people, page, "", code))  # type: ignore[misc]
    for name, record in FIRST_STEPS.items():
        code = f"F{len(name)}{name[0].upper()}"
        people.seated(record, code)
        yield Picture(f"first-{name}", lambda page, code=code: sit(people, page, "Ann", code))  # type: ignore[misc]


FIRST_STEPS = {
    "hearts": "game: hearts\nseats: Ann Bea Cy Dot\nseed: 7\n",
    "spades": "game: spades\nseats: Ann Bea Cy Dot\nseed: 7\n",
    "gong-zhu": "game: gong-zhu\nseats: Ann Bea Cy Dot\nseed: 7\n",
}


def hard_tables(people: House) -> Iterator[Picture]:
    people.seated(MANY_CARDS, "MNY")
    people("Bea", "MNY say " + "a long word from somebody who likes to talk, and talks " * 2)
    yield Picture("table-24-cards", lambda page: sit(people, page, "Ann", "MNY"))

    def chosen(page: Page) -> None:
        sit(people, page, "Ann", "MNY")
        for card in ("9S", "9C", "W"):
            page.locator(f'label.pick:has([data-card="{card}"])').first.click()

    def refused(page: Page) -> None:
        sit(people, page, "Ann", "MNY")
        for card in ("KS", "KH"):
            page.locator(f'label.pick:has([data-card="{card}"])').first.click()
        page.get_by_role("button", name="Take the pile with these").click()
        page.locator("#said .answer").wait_for()

    def asked(page: Page) -> None:
        sit(people, page, "Ann", "ASK")
        page.get_by_label("Or type it, as by text").fill("play k")
        page.get_by_role("button", name="Send").click()
        page.locator("#said, #asked").first.wait_for()

    yield Picture("table-chosen", chosen)
    people.seated(A_QUESTION, "ASK")
    yield Picture("table-asked", asked)
    people.seated(LAST_CARD, "END")
    people("Ann", "END discard 4h")
    yield Picture("table-over", lambda page: sit(people, page, "Ann", "END"))
    yield Picture("score-over", lambda page: page.goto(people.link("", "END") + "/score"))
    yield Picture("score-nights", lambda page: page.goto(people.link("", "END") + "/score?all=1"))
    yield Picture("table-refused", refused)
    code = people.opened(*EIGHT[1:], host=LONG, words="new rummy5000 8 players")
    people(LONG, f"{code} deal")
    people.play_on(code, steps=40)
    yield Picture("table-eight", lambda page: sit(people, page, whose_turn(people, code), code))


def sheets(people: House) -> Iterator[Picture]:
    empty = people.opened("Bea", words="new hearts")
    yield Picture("score-nothing", lambda page: page.goto(people.link("", empty) + "/score"))
    code = people.opened("Bea", words="new hearts target=60")
    people("Ann", f"{code} bots")
    people("Ann", f"{code} deal")
    people.play_on(code, rounds=4)
    yield Picture("score", lambda page: page.goto(people.link("", code) + "/score"))
    yield Picture("replay-deal", lambda page: page.goto(people.link("", code) + "/hand/1"))
    yield Picture("replay", lambda page: page.goto(people.link("", code) + "/hand/1?move=31"))
    eight = people.opened(*EIGHT[1:], host=LONG, words="new rummy5000 8 players")
    people(LONG, f"{eight} deal")
    people.play_on(eight, rounds=2)
    yield Picture("score-eight", lambda page: page.goto(people.link("", eight) + "/score"))
    yield Picture("replay-eight", lambda page: page.goto(people.link("", eight) + "/hand/1?move=20"))


def phones(people: House) -> Iterator[Picture]:
    def talking(page: Page) -> None:
        page.goto(people.phones)
        ann = page.locator("section.phone").first
        ann.get_by_role("textbox").fill("table")
        ann.get_by_role("button", name="Send").click()
        ann.locator(".talk .them").nth(1).wait_for()

    code = people.opened(words="new damn 500")
    people("Bea", f"join {code}")
    yield Picture("phones", talking)


def sit(people: House, page: Page, name: str, code: str) -> None:
    """That person's page of the table, with the hand on it; the page of those who watch, for no name."""
    address = people.link(name, code)
    if name:
        page.context.add_cookies([people.cookie(address)])  # type: ignore[list-item]
    page.goto(address)


def whose_turn(people: House, code: str) -> str:
    """Who may act now; the first, where several do."""
    table = people.table(code)
    return next(sitter.name for sitter in table.people if sitter.number in table.due)


def who_waits(people: House, code: str) -> str:
    table = people.table(code)
    return next((sitter.name for sitter in table.people if sitter.number not in table.due), "Bea")
