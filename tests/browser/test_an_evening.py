"""A whole evening in the browser, from the invitation to the replay; with JavaScript, and without it."""

import re
import time
from statistics import median

import pytest
from playwright.sync_api import Page, expect

from commands.stage import OUR_NUMBER
from service.carrier import Carrier
from tests.browser.conftest import PHONE
from tests.pages import caught

NEW = "+12125550177", "+12125550178"  # who has never texted us

# Ann may take the pile with her nines, and be out with what then is in her hand.
NEARLY_OUT = """\
game: damn-the-queens
options: target=500
seats: Ann Bea Cy Dot
dealer: Dot
score Ann+Cy: 200
hand Ann: 9S 9C KD KH 4H
hand Bea: 3D 7C
hand Cy: 5C 8D
hand Dot: AH QS
pile: KS 9H
stock: 7S 3C JD 4C 8S QD
turn: Ann
"""

DRAW = "draw a card, or take from the pile"

with_and_without = pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])


def came_to(carrier: Carrier, number: str) -> list[str]:
    return [text.body for text in carrier.texts_to(number)]


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f'label.pick:has([data-card="{card}"])').first.click()


def turn(page: Page):
    return page.locator("#turn")


@with_and_without
def test_from_the_invitation_to_the_first_hand(people, window, seat, script):
    phone = NEW[script]
    code = people.opened(words="new damn 500")
    dot = window(viewport=PHONE, java_script_enabled=script, has_touch=True, is_mobile=True)
    dot.goto(f"/join/{code}")
    expect(dot.get_by_role("heading", level=1)).to_have_text("Ann invites you to Damn the Queens")
    dot.get_by_label("Your name").fill("Dot")
    dot.get_by_label("Your mobile number").fill("555 0177")
    dot.get_by_role("checkbox").check()
    dot.get_by_role("button", name="Text me once").click()
    expect(dot.get_by_label("Your mobile number")).to_have_attribute("aria-invalid", "true")
    people.stage.settle()
    assert people.stage.carrier.texts_to(phone) == []
    dot.get_by_label("Your mobile number").fill(f"(212) 555-{phone[-4:]}")
    dot.get_by_role("button", name="Text me once").click()
    expect(dot.locator("#asked")).to_contain_text("Now look at your phone")
    people.stage.settle()
    [asked] = came_to(people.stage.carrier, phone)
    assert f"JOIN {code}" in asked
    answer = people.stage.carrier.deliver(phone, OUR_NUMBER, f"JOIN {code}")
    assert "hello Dot" in answer.texts[0]
    linked = people.stage.carrier.deliver(phone, OUR_NUMBER, "link").texts[0]

    dot.goto(caught(r"(http://\S+/table/[\w.-]+\w)", linked))
    assert dot.locator("[data-card]").count() == 0, "a preview sees no card"
    dot.get_by_role("button", name="Show my cards").click()
    expect(dot.get_by_role("heading", name="Not dealt yet")).to_be_visible()

    expect(dot.get_by_role("button", name="Fill with bots")).to_have_count(0)

    ann = seat("Ann", code, java_script_enabled=script, has_touch=True, is_mobile=True)
    ann.get_by_role("button", name="Fill with bots").click()
    expect(ann.locator("li.player")).to_contain_text(["Ann", "Dot", "bot", "bot"])
    ann.get_by_role("button", name="Deal", exact=True).click()
    expect(ann.locator("[data-hand] .card")).to_have_count(13)
    if not script:
        dot.reload()
    expect(dot.locator("[data-hand] .card")).to_have_count(13)
    expect(dot.locator("header")).to_contain_text("round 1")


@with_and_without
def test_take_the_pile_finish_the_hand_see_the_score_and_the_replay(people, seat, script):
    people.seated(NEARLY_OUT)
    ann = seat("Ann", java_script_enabled=script, has_touch=True, is_mobile=True)
    expect(turn(ann)).to_contain_text("Your turn")

    tap(ann, "KD", "KH")
    ann.get_by_role("button", name="Take the pile with these").click()
    expect(ann.locator("#said .answer")).to_contain_text("9")
    assert people.lines("KF7") == [], "it was refused"

    if not script:
        expect(ann.locator("[data-hand] input:checked")).to_have_count(0)
    else:
        tap(ann, *(box.get_attribute("value") for box in ann.locator("[data-hand] input:checked").all()))
    tap(ann, "9S", "9C")
    ann.get_by_role("button", name="Take the pile with these").click()
    expect(ann.locator("#felt .heap.own [data-card]")).to_have_count(3)
    assert people.lines("KF7") == [(0, "pickup 9S 9C")]

    tap(ann, "KS", "KD", "KH")
    ann.get_by_role("button", name="Lay down", exact=True).click()
    expect(ann.locator("#felt .heap.own [data-card]")).to_have_count(6)
    tap(ann, "4H")
    ann.get_by_role("button", name="Discard", exact=True).click()
    expect(ann.locator("header")).to_contain_text("round 2")
    assert people.table("KF7").state.round == 2

    ann.get_by_role("link", name="Scores").click()
    expect(ann.get_by_role("heading", name="Scores")).to_be_visible()
    expect(ann.locator("table.rounds strong").first).to_have_text(str(people.table("KF7").state.scores[0]))
    expect(ann.locator("svg.chart[role=img]:visible")).to_have_count(1)
    expect(ann.locator("svg.chart[role=img]:visible polyline")).to_have_count(2)

    ann.get_by_role("link", name="Round 1: look at the hand").click()
    position = ann.locator(".position")
    expect(position).to_contain_text("The deal")
    expect(ann.locator(".open-hand").first.locator(".card")).to_have_count(5)
    for number, words in enumerate(("took", "laid", "discard"), 1):
        ann.get_by_role("link", name="Next move").click()
        expect(position).to_contain_text(f"Move {number} of 3")
        expect(position).to_contain_text(re.compile(f"Ann.*{words}", re.DOTALL))
    expect(ann.locator(".open-hand").first.locator(".card")).to_have_count(0)
    with ann.expect_download() as download:
        ann.get_by_role("link", name="Download this hand").click()
    assert download.value.suggested_filename == "KF7-1.hand"


def test_another_browser_sees_a_move_within_a_second(people, seat):
    people.seated()
    ann, bea, watching = seat("Ann"), seat("Bea"), seat("")
    expect(turn(bea)).to_contain_text("Ann is to draw")
    for page in (bea, watching):
        page.evaluate("window.same = true")
    seconds = []
    for page, card, button, seen in (
        (ann, None, "Draw a card", "Ann is to lay down or discard"), (ann, "4H", "Discard", "Bea is to draw"),
        (bea, None, "Draw a card", "Bea is to lay down or discard"), (bea, "3D", "Discard", "Cy is to draw"),
    ):  # fmt: skip
        if card:
            tap(page, card)
        page.get_by_role("button", name=button, exact=True).click()
        expect(turn(page)).not_to_contain_text(DRAW if button.startswith("Draw") else "Your turn")
        answered = time.monotonic()
        expect(turn(watching)).to_contain_text(seen)
        seconds.append(time.monotonic() - answered)
    assert median(seconds) < 1, seconds
    expect(bea.locator("#announce")).to_contain_text("Cy is to draw")
    for page in (bea, watching):
        assert page.evaluate("window.same"), "nothing was loaded anew"
    assert watching.locator("[data-hand]").count() == 0
