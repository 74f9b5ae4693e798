"""A phone in a train: the table comes right by itself, what is sent twice is played once, and what is chosen stays."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_an_evening import tap, turn

AWAY = "no connection"


def here(page: Page) -> str:
    return str(page.evaluate("document.getElementById('table').dataset.here"))


def is_table(page: Page):
    """Whether an address is that of the table itself, and not of its events."""
    path = here(page)
    return lambda address: path in address and not address.endswith("score") and "/events" not in address


def down(page: Page, answer) -> list[str]:
    """From now on the table answers so to this page; the methods of what it has asked."""
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.method)
        answer(route)

    page.route(is_table(page), refuse)
    return asked


def lost(route: Route) -> None:
    route.abort()


def of_a_proxy(route: Route) -> None:
    route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")


gone = pytest.mark.parametrize("answer", [lost, of_a_proxy], ids=["lost", "502"])


@gone
def test_a_change_that_could_not_be_fetched_is_shown_once_it_can(people, seat, answer):
    people.seated()
    watching = seat("")
    asked = down(watching, answer)
    people("Ann", "draw")
    expect(watching.locator("#offline")).to_be_visible()
    expect(watching.locator("#announce")).to_contain_text(AWAY)
    expect(turn(watching)).to_contain_text("Ann is to draw")
    assert asked
    assert set(asked) == {"GET"}
    watching.unroute_all()
    expect(turn(watching)).to_contain_text("Ann is to lay down or discard")
    expect(watching.locator("#offline")).to_be_hidden()
    people("Ann", "discard 4h")
    expect(turn(watching)).to_contain_text("Bea is to draw")
    news = watching.locator("#news li:has(strong)").all_inner_texts()
    assert len(news) == len(set(news)), "no line stands twice"


@gone
def test_a_move_that_did_not_go_keeps_what_was_chosen_and_is_sent_again(people, seat, answer):
    people.seated()
    ann = seat("Ann")
    ann.evaluate("window.same = true")
    tap(ann, "9S", "9C")
    down(ann, answer)
    button = ann.get_by_role("button", name="Take the pile with these")
    button.click()
    expect(ann.locator("#note")).to_contain_text(AWAY)
    expect(ann.locator("#note")).to_be_in_viewport()
    expect(ann.locator("[data-preview]")).to_contain_text("9S 9C")
    assert people.lines("KF7") == []
    ann.unroute_all()
    button.click()
    expect(turn(ann)).to_contain_text("lay down, add, or discard")
    assert people.lines("KF7") == [(0, "pickup 9S 9C")]
    assert ann.evaluate("window.same"), "the page was never left"


def test_a_move_whose_answer_was_lost_is_played_once(people, seat):
    people.seated()
    ann = seat("Ann")

    def went(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
        route.abort()

    down(ann, went)
    ann.get_by_role("button", name="Draw a card").click()
    expect(ann.locator("#note")).to_contain_text(AWAY)
    form = ann.locator("#move [name=form]").input_value()
    ann.unroute_all()
    button = ann.get_by_role("button", name="Draw a card")
    if button.count() and ann.locator("#move [name=form]").input_value() == form:
        button.click()
    expect(turn(ann)).to_contain_text("lay down, add, or discard")
    assert people.lines("KF7") == [(0, "draw")]


@pytest.mark.parametrize("listening", [True, False], ids=["while it listens", "before it does"])
def test_a_page_whose_address_has_died_says_so(people, seat, listening):
    people.seated()
    ann = seat("Ann")
    if not listening:
        ann.route("**/events?*", lambda route: (people("Ann", "link new"), route.continue_()))
        ann.reload()
    else:
        people("Ann", "link new")
    expect(ann.get_by_role("heading", level=1)).to_have_text(re.compile("no longer good"))
    assert ann.locator("[data-card]").count() == 0


def test_the_cards_are_put_away_in_another_window(people, window):
    people.seated()
    ann = window()
    ann.goto(people.link("Ann"))
    ann.get_by_role("button", name="Show my cards").click()
    expect(ann.locator("[data-hand]")).to_be_visible()
    other = ann.context.new_page()
    other.goto(ann.url)
    other.get_by_role("button", name="Put my cards away").click()
    expect(other.get_by_role("button", name="Show my cards")).to_be_visible()
    ann.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")  # as the back button does
    expect(ann.get_by_role("button", name="Show my cards")).to_be_visible()
    assert ann.locator("[data-card]").count() == 0
    other.go_back()
    expect(other.get_by_role("alert")).to_have_count(0)
    expect(other.get_by_role("button", name="Show my cards")).to_be_visible()
    assert other.locator("[data-card]").count() == 0
