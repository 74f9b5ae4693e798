"""Opening a table on the web: the form from the registry, the text that opens it, and the host who proves the number."""

import html
import re
from urllib.parse import unquote

import pytest

from engine.game import rules_of
from engine.registry import GAMES, named
from service import forms
from service.stored import FORM, OUTBOUND, TABLE, options_of
from tests.pages import caught

NEW = "+12125550177"


def fill_in(browser, game, way="text", **given):
    """The form, as a browser sends it: what is not given stands as the page has it."""
    page = browser.get(f"/new/{game}").text.partition("<main")[2].partition("</main>")[0]
    values = dict(re.findall(r'<input id="[^"]*" name="(\w+)" type="text" value="([^"]*)"', page))
    values |= dict.fromkeys(re.findall(r'name="(\w+)" type="checkbox" value="on" checked', page), "on")
    for name, options in re.findall(r'<select id="\w+" name="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = caught(r"<option([^>]* selected>[^<]*)", options)
        values[name] = caught(r'value="([^"]*)"', chosen) if "value=" in chosen else chosen.partition(">")[2]
    values["form"] = caught(r'name="form" value="([^"]+)"', page)
    if "seats" not in values:
        values["seats"] = caught(r'type="hidden" name="seats" value="(\d+)"', page)
    values = {name: html.unescape(value) for name, value in values.items()} | {"website": "", "way": way} | given
    return browser.post(f"/new/{game}", data={k: v for k, v in values.items() if v is not None})


def command(answer):
    assert answer.status_code == 200, re.findall(r'class="error"[^>]*>([^<]*)', answer.text)
    return html.unescape(caught(r'<p class="command"><code>([^<]*)', answer.text))


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_every_house_rule_is_a_field_with_its_own_words(people, browser, game):
    page = html.unescape(browser.get(f"/new/{game}").text)
    for rule in rules_of(named(game).Options):
        assert f'name="{rule.name}"' in page
        assert rule.help[1:] in page
    assert browser.get("/new").text.count(f"/new/{game}") >= 1


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_form_that_is_left_as_it_stands_opens_the_usual_table(people, browser, game):
    answer = people("Ann", command(fill_in(browser, game)))
    assert answer.startswith("Queenline table")
    [table] = people.rows(TABLE)
    assert (table.game, table.options) == (game, "")


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("hearts", {"target": "50", "moon": "choose", "seats": "5", "bots": "2", "early_finish": None}),
        ("damn-the-queens", {"target": "500", "team_rank_pile_ban": None, "stock_out": "reshuffle", "bots": "3"}),
        ("gong-zhu", {"target": "-500", "partners": "on", "upper_end": "1000", "bots": "1"}),
        ("rummy5000", {"permanent_wilds": "joker+2", "jokers": "2", "pace": "", "bots": "2"}),
        ("queen-of-spades", {"target": "none", "seats": "6", "pace": "1d", "late": "bot", "weekdays": "yes"}),
        ("spades", {"floor_loss": "-300", "pace": "12h", "late": "invite", "bots": "2"}),
    ],
)
def test_the_text_and_the_form_open_the_same_table(people, browser, game, given):
    """Whoever sends the shown text, and whoever answers the one we send, get the table that was filled in."""
    people("Ann", command(fill_in(browser, game, **given)))
    answer = fill_in(browser, game, way="form", name="Dot", phone=NEW, agree="yes", **given)
    assert answer.status_code == 303
    [text] = people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")
    said = people.stage.carrier.deliver(NEW, "+12125550199", caught(r"(JOIN \w+)", text.body))
    assert said.texts[0].startswith("Queenline table")
    first, second = people.rows(TABLE)
    same = ("game", "options", "seat_count", "pace", "weekdays", "late_rule", "status")
    assert [getattr(first, name) for name in same] == [getattr(second, name) for name in same]
    options = options_of(named(game), second.options)
    for name, value in given.items():
        if hasattr(options, name):
            assert str(getattr(options, name)) == (value or "off")
    bots = [sum(s.bot for s in people.table(row.code).sitters) for row in (first, second)]
    assert bots == [int(given.get("bots", 0))] * 2
    assert people.table(second.code).sitters[0].name == "Dot"


def test_until_the_host_has_answered_there_is_no_table(people, browser):
    fill_in(browser, "hearts", way="form", name="Dot", phone=NEW, agree="yes")
    assert people.rows(TABLE) == []
    [form] = people.rows(FORM)
    assert people("Bea", f"join {form.code}").startswith(f"There is no table {form.code}")  # it is for one number only
    assert people.rows(TABLE) == []


def test_a_table_waits_a_day_for_its_host(people, browser):
    fill_in(browser, "hearts", way="form", name="Dot", phone=NEW, agree="yes")
    [form] = people.rows(FORM)
    people.stage.clock.now += forms.OPEN_FOR * 1.1
    said = people.stage.carrier.deliver(NEW, "+12125550199", f"join {form.code}")
    assert "no table" in said.texts[0]
    assert people.rows(TABLE) == []


def test_the_answer_opens_one_table(people, browser):
    fill_in(browser, "hearts", way="form", name="Dot", phone=NEW, agree="yes")
    [form] = people.rows(FORM)
    for _ in range(2):
        people.stage.carrier.deliver(NEW, "+12125550199", f"join {form.code}")
    assert len(people.rows(TABLE)) == 1


@pytest.mark.parametrize(
    ("game", "given", "beside", "says"),
    [
        ("hearts", {"target": "5"}, "target", "This can be a number from 20 to 500."),
        ("hearts", {"moon": "maybe"}, "moon", "This can be add 26"),
        ("hearts", {"seats": "8"}, "seats", "8 players need two packs"),
        ("hearts", {"seats": "8"}, "double_deck", "8 players need two packs"),
        ("hearts", {"seats": "99"}, "seats", "Hearts is for 3 to 10 players"),
        ("hearts", {"bots": "4"}, "bots", "you sit there yourself"),
        ("hearts", {"bots": "x"}, "bots", "you sit there yourself"),
        ("hearts", {"pace": "1s"}, "pace", "choose one"),
        ("hearts", {"late": "shoot"}, "late", "choose one"),
        ("rummy5000", {"george": "on", "melds": "runs_only"}, "melds", "george"),
        ("rummy5000", {"permanent_wilds": "<b>"}, "permanent_wilds", "This can be none or"),
        ("damn-the-queens", {"seats": "3"}, "seats", "is for 4 players"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(people, browser, game, given, beside, says):
    answer = fill_in(browser, game, **given)
    assert answer.status_code == 422
    found = re.search(rf'id="{beside}-error">([^<]*)', answer.text)
    assert found, re.findall(r'id="(\w+)-error">([^<]*)', answer.text)
    assert says.lower() in html.unescape(found[1]).lower()
    assert "<b>" not in answer.text
    assert people.rows(FORM) == []


def test_who_gives_a_number_must_agree(people, browser):
    answer = fill_in(browser, "hearts", way="form", name="Dot", phone=NEW)
    assert answer.status_code == 422
    assert "only if you agree" in answer.text
    assert people.rows(OUTBOUND) == []


def test_so_many_forms_from_one_address(people, browser):
    answers = [
        fill_in(browser, "hearts", way="form", name="Dot", phone=f"+1212{555 + n}0123", agree="yes") for n in range(13)
    ]
    assert [answer.status_code for answer in answers] == [303] * forms.PLACE_A_DAY + [429] * 3
    assert "NEW HEARTS" in answers[-1].text  # the way that always works
    assert len(people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")) == forms.PLACE_A_DAY


def test_the_shown_text_can_be_sent_by_a_tap(people, browser):
    answer = fill_in(browser, "hearts", target="50")
    link = caught(r'href="sms:\+12125550199\?&amp;body=([^"]+)"', answer.text)
    assert unquote(link) == command(answer) == "NEW HEARTS target=50"


@pytest.mark.parametrize("name", ["poker", "<b>", "damn-the-queens.md"])
def test_a_game_that_we_do_not_have(browser, name):
    assert browser.get(f"/new/{name}").status_code == 404
    assert browser.post(f"/new/{name}").status_code == 404
    assert browser.get(f"/rules/{name}").status_code == 404


@pytest.mark.parametrize(
    ("words", "says"), [("new hearts 8 players", "two packs"), ("new gong zhu 5 players partners=on", "4 players")]
)
def test_by_text_too_no_table_is_opened_that_could_never_be_dealt(people, words, says):
    assert says in people("Ann", words)
    assert people.rows(TABLE) == []
