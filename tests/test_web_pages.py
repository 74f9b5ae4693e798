"""The pages that a carrier's reviewer reads, and the rules of each game."""

import html
import re

import pytest

from engine.game import rules_of
from engine.registry import GAMES
from service import opting
from service.config import load
from service.text import asking, render
from service.web.operator import consent, contact_link, operator, sms
from service.web.rules import html as as_html
from tests.people import gathered

pytestmark = pytest.mark.on("sqlite")
PAGES = (
    "/",
    "/privacy",
    "/terms",
    "/contact",
    "/opt-in",
    "/rules",
    "/texting",
    "/new",
    *(f"/rules/{game.name}" for game in GAMES),
)


@pytest.fixture
def people(database_url, tmp_path):
    with gathered(
        database_url, tmp_path, operator_name="Ann's Card Club", operator_contact="cards@example.com"
    ) as people:
        yield people


def words(page):
    """What one reads."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page.text)).split())


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_there_and_load_nothing_from_elsewhere(browser, path):
    page = browser.get(path)
    assert page.status_code == 200
    assert page.content_type == "text/html; charset=utf-8"
    assert not re.search(
        r'(?:src|srcset|action)="(?:https?:)?//|<link[^>]*href="(?:https?:)?//|<script>|style="|\son\w+="', page.text
    )
    assert page.text.count("<h1") == 1


@pytest.mark.parametrize("path", PAGES)
def test_every_link_of_a_page_leads_somewhere(browser, path):
    page = browser.get(path)
    for link in set(re.findall(r'href="([^"]+)"', page.text)):
        link = html.unescape(link)
        if link.startswith(("mailto:", "sms:")):
            continue
        where, _, anchor = link.partition("#")
        there = browser.get(where) if where else page
        assert there.status_code == 200, link
        if anchor and there.mimetype == "text/html":
            assert f'id="{anchor}"' in there.text, link


def test_what_a_reviewer_looks_for(browser):
    """sms.md 71 to 74: who, what, how often, what it costs, how to stop, help, carriers, no sharing."""
    terms, privacy = words(browser.get("/terms")), words(browser.get("/privacy"))
    for said in (
        "Ann's Card Club",
        "Message frequency varies",
        "Message and data rates may apply",
        "STOP",
        "HELP",
        "not liable",
        "cards@example.com",
        "the United States and Canada",
    ):
        assert said in terms
    assert (
        "No mobile information is sold or shared with third parties or affiliates for marketing or promotional purposes"
        in privacy
    )
    assert "opt-in data and consent are not shared with any third party" in privacy
    assert "FORGET ME" in privacy


def test_the_page_about_agreeing_shows_the_form_and_the_texts_as_they_are(people, browser):
    page = browser.get("/opt-in")
    shown = words(page)
    assert consent(people.services.settings) in shown
    assert asking.to_join("KF7", "Damn the Queens") in shown
    assert render.joined("KF7", "Damn the Queens", ["Ann"], 2, "Bea", "Ann") in shown
    assert "checked" not in page.text.partition('id="agree"')[2].partition(">")[0]
    for word in ("STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"):
        assert word in shown
        assert opting.keyword(word) == "out"


def test_without_forms_nothing_is_said_of_them(database_url, tmp_path):
    with gathered(database_url, tmp_path, form_texts_a_day="0") as people:
        page = words(people.stage.client.get("/opt-in"))
        assert "By the form" not in page
        assert 'name="phone"' not in people.stage.client.get("/new/hearts").text


def test_without_an_operators_name_the_pages_say_whose_address_it_is(database_url, tmp_path):
    with gathered(database_url, tmp_path) as people:
        for path in ("/terms", "/privacy", "/contact"):
            assert "the operator of localhost" in words(people.stage.client.get(path))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_page_has_every_house_rule_as_the_registry_says_it(browser, game):
    page = words(browser.get(f"/rules/{game.name}"))
    for rule in rules_of(game.Options):
        assert rule.name in page
        assert " ".join(rule.help.split()) in page
    assert "made by tools" not in page


def test_a_game_is_found_by_any_of_its_names(browser):
    assert "Damn the Queens" in browser.get("/rules/damn").text


def test_markup_of_the_docs_lets_no_html_through():
    assert "<script" not in as_html("# A\n\n<script>alert(1)</script>\n\n| a |\n| --- |\n| <b>x |\n")


@pytest.mark.parametrize(
    ("contact", "link"),
    [
        ("cards@example.com", "mailto:cards@example.com"), ("https://example.com/x", "https://example.com/x"),
        ("+12125550100", "tel:+12125550100"), ("12 Card Street, Albany", ""), ("javascript:alert(1)", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_a_tap_on_the_contact_opens(contact, link):
    assert contact_link(contact) == link


def test_an_operator_and_a_number_that_would_break_a_page(database_url, tmp_path):
    with gathered(database_url, tmp_path, operator_name='<b>"x', operator_contact='"><script>') as people:
        for path in ("/", "/terms", "/privacy", "/contact", "/opt-in"):
            page = people.stage.client.get(path).text
            assert "<b>" not in page
            assert "<script>" not in page


def test_the_address_of_a_text_is_read_by_iphones_and_androids():
    assert sms("+12125550100", "JOIN KF7 & more") == "sms:+12125550100?&body=JOIN%20KF7%20%26%20more"


def test_the_operator_is_named_in_the_words_that_are_agreed_to(settings):
    assert operator(settings) == "the operator of cards.example.com"
    named = load(**settings.model_dump() | {"operator_name": "Ann"})
    assert "run by Ann," in consent(named)
