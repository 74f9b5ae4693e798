"""The page of a table when things are not as usual: it is paused, a cookie is not kept, somebody asks for too much."""

import re
from html import unescape

import pytest

from service import admin
from service.stored import SEAT
from tests.pages import caught
from tests.test_results import played
from tests.test_web_scores import own, watching
from tests.test_web_table import Browser, address, browser

pytestmark = pytest.mark.on("sqlite")

MOVES = re.compile(r'name="(?:do|text)" value="(?:draw|pickup|bots|deal)')


def mark(page):
    return re.findall(r'data-mark="([^"]+)"', page.html)[0]


# Paused by the operator


def test_a_paused_table_offers_no_move_and_shows_no_clock(people):
    people.seated()
    ann, watching = browser(people, "Ann"), Browser(people, address(people, "Bea", "watch"))
    watching.get()
    assert "By <time" in ann.html
    assert MOVES.search(ann.html)
    before = mark(ann)
    admin.pause(people.services, "root", "KF7", "Two of you <quarrel>.")
    for page in (ann, watching):
        page.get()
        assert "<title>KF7: The table is paused." in page.html
        assert "no clock runs" in page.html
        assert "<time" not in page.html
        assert 'data-turn="others"' in page.html
        assert not MOVES.search(page.html)
        assert mark(page) != before, "open pages hear of it"
    assert "for a while: Two of you &lt;quarrel&gt;. Nothing" in ann.html
    assert "quarrel" not in watching.html, "it was told to those who play"
    assert ann.hand, "the hand may be looked at"
    admin.resume(people.services, "root", "KF7")
    ann.get()
    assert "By <time" in ann.html
    assert MOVES.search(ann.html)
    assert "paused" not in mark(ann)


def test_a_table_that_is_paused_before_the_deal(people):
    code = people.opened("Bea")
    ann = browser(people, "Ann")
    assert MOVES.search(ann.html)
    admin.pause(people.services, "root", code, "")
    ann.get()
    assert "The table is paused." in ann.html
    assert not MOVES.search(ann.html)


# What is said on the page costs no text


def test_what_is_not_understood_is_answered_each_time(people):
    people.seated()
    page = browser(people, "Ann")
    for words in ("xyzzy", "xyzzy", "plugh"):
        page.send(typed=words)
        assert words in page.answer


def test_looking_around_on_the_page_leaves_the_phone_its_answers(people):
    people.seated()
    page = browser(people, "Ann")
    for _ in range(15):
        page.send(do="pickup", card=["KD", "KH"])
        assert "9" in page.answer
    assert "9" in people("Ann", "pickup k k")
    assert "xyzzy" in people("Ann", "xyzzy")


# The browser keeps no cookies


def test_a_tap_that_leaves_no_cookie_says_so(people):
    people.seated()
    page = Browser(people, address(people, "Ann"))
    page.get()
    assert "cookie that opens the hand" not in page.html
    response = page.client.post(f"{page.path}/open", data={"form": page.form})
    kept = page.client.get(response.headers["Location"])
    assert (kept.status_code, kept.headers["Location"]) == (303, page.path), "which the back button finds later"
    page.client.delete_cookie("hand", path=page.path)
    again = page.client.get(response.headers["Location"])
    assert "has not kept the cookie" in again.text
    assert "data-card" not in again.text
    page.open()
    assert page.hand


@pytest.mark.parametrize("path", ["/join/{}", "/new/hearts"])
def test_a_form_without_its_cookie_names_the_other_way(people, path):
    code = people.opened()
    client = people.stage.client
    field = caught(r'name="form" value="([^"]+)"', client.get(path.format(code)).text)
    client.delete_cookie("visitor")
    given = {"form": field, "way": "form", "name": "Dot", "phone": "+12125550177", "agree": "yes"}
    answer = client.post(path.format(code), data=given)
    assert answer.status_code == 422
    assert "keeps no cookies" in answer.text
    assert "the way by text" in answer.text


# Caches, colours, errors


@pytest.mark.parametrize("path", ["/join/{}", "/new/hearts"])
def test_no_cache_keeps_what_was_filled_in(people, path):
    code = people.opened()
    client = people.stage.client
    assert client.get(path.format(code)).headers["Cache-Control"] == "private, no-cache"
    answer = client.post(path.format(code), data={"name": "Dot", "phone": "+12125550177", "way": "form"})
    assert "+12125550177" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_each_fault_of_a_form_leads_to_its_field(people):
    code = people.opened()
    client = people.stage.client
    for path, given, fields in (
        (f"/join/{code}", {"name": "", "phone": "5", "seat": "9"}, {"name", "phone", "agree", "seat"}),
        (
            "/new/hearts",
            {"target": "many", "way": "form", "pace": "x"},
            {"name", "phone", "agree", "target", "pace", "seats"},
        ),
    ):
        page = client.post(path, data=given).text
        faults = page.partition('id="faults"')[2].partition("</div>")[0]
        assert set(re.findall(r'href="#([\w-]+)"', faults)) == fields
        for field in fields:
            assert re.search(rf'id="{field}"', page)
            assert page.count(f'id="{field}-error"') == 1
        assert "<title>Error: " in page


def test_colours_are_chosen_without_leaving_the_page(people):
    people.seated()
    client, path = people.stage.client, watching(people, "KF7")
    for where in (f"{path}/score?all=1", path, "/new/hearts"):
        back = caught(r'name="back" value="([^"]+)"', client.get(where).text).removesuffix("?")
        assert client.post("/look", data={"back": back, "theme": "dark"}).headers["Location"] == where
    dead = client.post("/table/x/open")
    back = caught(r'name="back" value="([^"]+)"', dead.text)
    assert client.get(client.post("/look", data={"back": back}).headers["Location"]).status_code == 404, "and not 405"


# Without JavaScript, in two windows, and names of all kinds


def test_without_javascript_the_page_comes_anew_by_itself_only_where_nothing_is_typed(people):
    people.seated()
    ann, bea = browser(people, "Ann"), browser(people, "Bea")
    page = Browser(people, watching(people, "KF7"))
    page.get()
    assert '<meta http-equiv="refresh"' in page.html
    again = caught(r'<noscript><p><a [^>]*href="([^"]+)">Look again', bea.html)
    assert again == bea.path
    for html in (ann.html, bea.html):
        assert "http-equiv" not in html
    assert "Look again" not in ann.html, "it is her turn: nobody can change anything"


def test_a_second_tap_leaves_the_first_windows_forms_good(people):
    people.seated()
    page = Browser(people, address(people, "Ann"))
    page.get()
    cover = page.form
    page.open()
    first = page.form
    assert page.client.post(f"{page.path}/open", data={"form": cover}).status_code == 303
    sent = page.client.post(page.path, data={"form": first, "text": "draw"})
    assert "note=" not in sent.headers["Location"]
    assert people.lines("KF7") == [(0, "draw")]


@pytest.mark.parametrize("name", ["<b>Ann", 'A" onx="1', "Ann&amp;", "ערן", "\u202ennA"])
def test_any_name_is_shown_as_it_is_and_nothing_more(people, name):
    """No such name can be taken; one that came in by another way would do no harm."""
    code = played(people, "hearts", "new hearts target=60")
    with people.services.db.begin() as conn:
        conn.execute(SEAT.update().where(SEAT.c.name == "Ann").values(name=name))
    public, place = watching(people, code), own(people, code, name)
    client = people.stage.client
    for path in (public, place, f"{public}/score", f"{public}/score?all=1", f"{public}/hand/1", f"/join/{code}"):
        html = client.get(path).text
        assert name in unescape(html), path
        assert not re.search(r'<b>Ann|" onx=|Ann&amp;(?!amp;)', html), path
