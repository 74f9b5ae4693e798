"""The invitation: its page, sitting down by its form, and that the form texts nobody who has not asked for it."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import unquote

import pytest
from sqlalchemy import update

from service import forms, tables
from service.numbers import read_number
from service.stored import FORM, OUTBOUND, PLAYER, SEAT
from service.text import asking
from service.text.gsm7 import is_gsm7, segments
from service.web import visitors
from tests.pages import at, caught
from tests.people import gathered

FORMS = int(os.environ.get("QUEENLINE_FORMS", "100"))  # of somebody who means no good
NEW = "+12125550177"  # a number that has never texted us


@pytest.fixture
def people(database_url, tmp_path):
    with gathered(database_url, tmp_path, operator_name="Ann's Card Club") as people:
        yield people


def fill_in(browser, code, phone=NEW, name="Dot", agree="yes", address="198.51.100.7", **more):
    """The form of a table's page, as a browser sends it."""
    page = browser.get(f"/join/{code}", environ_overrides={"REMOTE_ADDR": address})
    field = re.search(r'name="form" value="([^"]+)"', page.text)
    given = {"form": field[1] if field else "", "name": name, "phone": phone} | more
    if agree:
        given["agree"] = agree
    return browser.post(f"/join/{code}", data=given, environ_overrides={"REMOTE_ADDR": address})


def asked(people):
    """The texts that forms have brought about: to whom, and what."""
    return [(row.recipient, row.body) for row in people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")]


# The page


def test_the_page_says_who_sits_there_and_what_is_free(people, browser):
    code = people.opened("Bea", words="new damn target=500")
    page = browser.get(f"/join/{code.lower()}")
    assert page.status_code == 200
    assert "Ann invites you to Damn the Queens" in page.text
    for words in (
        "<strong>Ann</strong>",
        "<strong>Bea</strong>",
        "2 of 4 seats are to be had",
        "the score that ends the game",
    ):
        assert words in page.text


def test_the_button_and_the_picture_open_a_text_that_only_has_to_be_sent(people, browser):
    code = people.opened()
    page = browser.get(f"/join/{code}").text
    assert f'href="sms:+12125550199?&amp;body=JOIN%20{code}"' in page
    assert "<svg" in page.partition('class="qr"')[2]
    words = unquote(caught(rf'href="sms:\+12125550199\?&amp;body=(JOIN%20{code}%20\d)"', page))
    assert people("Bea", words) is not None
    assert people.table(code).sitters[1].number == int(words[-1]) - 1


def test_names_are_shown_and_never_run(people, browser):
    code = people.opened()
    with people.services.db.begin() as conn:  # no name gets that far; the page must not count on it
        conn.execute(update(SEAT).values(name="<b>A"))
    page = browser.get(f"/join/{code}")
    assert "<b>A" not in page.text
    assert "&lt;b&gt;A" in page.text
    answer = fill_in(browser, code, phone='"><script>', name="<script>alert(1)</script>")
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("code", ["ZZ9", "nothing-here", "'; --", "%3Cb%3E"])
def test_a_code_that_is_no_tables(people, browser, code):
    page = browser.get(f"/join/{code}")
    assert page.status_code == 404
    assert "There is no table" in page.text
    assert "<b>" not in page.text


def test_codes_cannot_be_tried_out(people, browser):
    code = people.opened()
    for _ in range(visitors.MISSES_A_DAY):
        assert browser.get("/join/ZZ9").status_code == 404
    assert browser.get(f"/join/{code}").status_code == 429
    elsewhere = browser.get(f"/join/{code}", environ_overrides={"REMOTE_ADDR": "198.51.100.8"})
    assert elsewhere.status_code == 200
    people.stage.clock.now += timedelta(days=1)
    assert browser.get(f"/join/{code}").status_code == 200


def test_a_full_table_and_one_that_is_over_say_so(people, browser):
    full = people.opened("Bea", "Cy", "Dot")
    assert "Every seat of this table is taken" in browser.get(f"/join/{full}").text
    people("Ann", f"{full} deal")
    page = browser.get(f"/join/{full}").text
    assert "This table has begun" in page
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
    assert fill_in(browser, full).status_code == 409
    assert asked(people) == []


# Sitting down by the form


def test_a_form_is_one_text_and_its_answer_takes_the_seat_and_the_name(people, browser):
    code = people.opened("Bea")
    answer = fill_in(browser, code, phone="(212) 555-0177", name="dot", seat="3")
    assert answer.status_code == 303
    page = browser.get(answer.location)
    assert "Now look at your phone" in page.text
    people.stage.settle()
    [(to, body)] = asked(people)
    assert (to, body) == (NEW, asking.to_join(code, "Damn the Queens"))
    assert "dot" not in body.lower()  # nothing that was typed goes to a number that may be anybody's
    assert people.table(code).free == 2  # nobody sits before the answer

    phone = people.stage.phone("Eve", number="+12125550178")  # another number is not asked
    assert people.told("Eve") == []
    texted = people.stage.carrier.deliver(NEW, "+12125550199", f"Join {code.lower()}")
    assert texted.texts[0].startswith(f"Queenline {code}: hello Dot!")
    sitter = next(s for s in people.table(code).sitters if s.name == "Dot")
    assert (sitter.number, sitter.address) == (3, NEW)
    assert phone.inbox == []


def test_the_words_that_were_agreed_to_are_kept(people, browser):
    code = people.opened()
    fill_in(browser, code)
    [form] = people.rows(FORM)
    page = browser.get(f"/join/{code}").text
    assert form.consent.replace("'", "&#39;") in page
    assert "STOP" in form.consent
    assert "Message and data rates may apply" in form.consent
    assert (form.kind, form.address, form.done_at) == ("join", NEW, None)
    assert 'type="checkbox" value="yes" required' in page  # not ticked


def test_join_alone_is_enough_where_a_form_waits(people, browser):
    code = people.opened()
    fill_in(browser, code)
    answer = people.stage.carrier.deliver(NEW, "+12125550199", "JOIN").texts[0]
    assert f"Queenline {code}: hello Dot" in answer


def test_a_seat_that_is_taken_meanwhile(people, browser):
    code = people.opened()
    fill_in(browser, code, seat="2")
    people("Bea", f"join {code} 3")
    answer = people.stage.carrier.deliver(NEW, "+12125550199", f"JOIN {code}").texts[0]
    assert answer.startswith("That seat is taken, so you have seat 2.")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": ""}, "Please give a name"),
        ({"name": "stop"}, "That can&#39;t be a name here."),
        ({"name": "Bartholomew-James"}, "That name is long; 12 letters at most"),
        ({"name": "ערן"}, "12 Latin letters (A to Z)"),
        ({"name": "👩‍👩‍👧"}, "12 Latin letters (A to Z)"),
        ({"phone": "hello"}, "That is no phone number"),
        ({"phone": "212 555"}, "There is no such number"),
        ({"phone": "+18765550123"}, "We can only text numbers of the United States and Canada"),  # +1 is Jamaica, too
        ({"phone": "+1 900 555 0123"}, "can&#39;t get texts from us"),  # premium rates
        ({"phone": "+44 7911 123456"}, "We can only text numbers of the United States and Canada"),
        ({"agree": ""}, "only if you agree"),
        ({"seat": "0"}, "That seat has been taken"),
        ({"seat": "x"}, "That seat has been taken"),
    ],
)
def test_what_is_wrong_stands_beside_the_field_and_nothing_is_sent(people, browser, given, says):
    code = people.opened()
    answer = fill_in(browser, code, **given)
    assert answer.status_code == 422
    assert says in answer.text
    assert asked(people) == []
    assert people.rows(FORM) == []


def test_a_form_that_stood_on_another_page_is_not_taken(people, browser):
    code = people.opened()
    given = {"name": "Dot", "phone": NEW, "agree": "yes"}
    assert browser.post(f"/join/{code}", data=given).status_code == 422  # no field
    page = browser.get(f"/join/{code}").text
    field = caught(r'name="form" value="([^"]+)"', page)
    stranger = people.stage.client.application.test_client()  # another browser, with what ours was given
    assert stranger.post(f"/join/{code}", data=given | {"form": field}).status_code == 422
    assert asked(people) == []


# What a form may not do


def plain(answer):
    """What the sender of a form sees, but for what every page has anew."""
    return answer.status_code, answer.location


def test_the_answer_tells_nothing_about_the_number(people, browser):
    code = people.opened("Bea")
    nobody = plain(fill_in(browser, code))
    people.stage.carrier.deliver("+12125550180", "+12125550199", "hello")  # a stranger who has texted us
    people.stage.phone("Cy")
    with people.services.db.begin() as conn:  # Cy has opted out
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Cy").values(opted_out_at=people.stage.clock()))
    cases = {
        "has had its text": NEW,
        "is known": "+12125550180",
        "sits there": people.stage.phone("Bea").number,
        "has opted out": people.stage.phone("Cy").number,
        "is ours": "+12125550199",
    }
    for case, number in cases.items():
        assert plain(fill_in(browser, code, phone=number)) == nobody, case
    assert [to for to, _ in asked(people)] == [NEW, "+12125550180"]


@pytest.mark.slow
def test_many_forms_from_one_address_send_a_few_texts(people, browser):
    code = people.opened()
    page = browser.get(f"/join/{code}", environ_overrides={"REMOTE_ADDR": "198.51.100.7"}).text
    field = caught(r'name="form" value="([^"]+)"', page)
    refused = 0
    for n in range(FORMS):
        number = f"+1{(212, 315, 347, 516, 518, 585, 607, 631, 646, 716)[n % 10]}{n % 89 + 555:03}{n:04}"
        given = {"form": field, "name": "Eve", "phone": number, "agree": "yes"}
        answer = browser.post(f"/join/{code}", data=given, environ_overrides={"REMOTE_ADDR": "198.51.100.7"})
        refused += answer.status_code == 429
    assert len(asked(people)) == forms.PLACE_A_DAY
    assert refused == FORMS - forms.PLACE_A_DAY
    assert f"JOIN {code}" in answer.text  # and it says what works instead


@pytest.mark.slow
def test_many_forms_to_one_prefix_send_a_few_texts(people, browser):
    codes = [people.opened() for _ in range(8)]
    ids = [people.table(code).id for code in codes]
    for n in range(FORMS):
        place = f"2001:db8:{n:x}::1"
        number = f"+12125556{n:03}"
        forms.ask(people.services, forms.Asked("join", number, "Eve", "yes", "Hearts", place, codes[n % 8], ids[n % 8]))
    assert len(asked(people)) == forms.PREFIX_A_DAY
    people.stage.clock.now += timedelta(days=1)
    fill_in(browser, codes[0], phone="+12125556999")
    assert len(asked(people)) == forms.PREFIX_A_DAY + 1


@pytest.mark.slow
def test_many_forms_with_one_number_send_one_text(people):
    """Over many tables, addresses and days: nobody who has not answered is texted twice."""
    codes = [people.opened() for _ in range(5)]
    ids = [people.table(code).id for code in codes]
    for n in range(FORMS):
        if n % (FORMS // 10) == 0:
            people.stage.clock.now += timedelta(days=1)
        place = f"203.0.113.{n % 250}"
        forms.ask(people.services, forms.Asked("join", NEW, "Eve", "yes", "Hearts", place, codes[n % 5], ids[n % 5]))
    assert len(asked(people)) == 1


def test_a_table_is_asked_for_so_often_in_a_day(people):
    code = people.opened()
    table = people.table(code).id
    told = [
        forms.ask(
            people.services,
            forms.Asked("join", f"+1212{555 + n}0123", "Eve", "yes", "Hearts", f"203.0.113.{n}", code, table),
        )
        for n in range(forms.TABLE_A_DAY + 5)
    ]
    assert told == [True] * forms.TABLE_A_DAY + [False] * 5
    assert len(asked(people)) == forms.TABLE_A_DAY


def test_the_whole_service_sends_so_many_a_day(database_url, tmp_path):
    with gathered(database_url, tmp_path, form_texts_a_day="3") as people:
        code = people.opened()
        answers = [
            fill_in(people.stage.client, code, phone=f"+1212{555 + n}0123", address=f"203.0.113.{n}") for n in range(5)
        ]
        assert [answer.status_code for answer in answers] == [303, 303, 303, 429, 429]
        assert len(asked(people)) == 3


@pytest.mark.on("sqlite")
def test_without_texts_there_is_no_form(database_url, tmp_path):
    with gathered(database_url, tmp_path, form_texts_a_day="0") as people:
        code = people.opened()
        page = people.stage.client.get(f"/join/{code}").text
        assert 'name="phone"' not in page
        assert f"body=JOIN%20{code}" in page
        assert fill_in(people.stage.client, code).status_code == 409
        assert asked(people) == []


def test_who_has_texted_us_may_be_asked_for_another_table(people, browser):
    first, second = people.opened(), people.opened()
    fill_in(browser, first)
    people.stage.clock.now += timedelta(minutes=1)
    people.stage.carrier.deliver(NEW, "+12125550199", f"join {first}")
    people.stage.clock.now += timedelta(minutes=1)
    fill_in(browser, second)
    fill_in(browser, second)
    assert [body for _, body in asked(people)] == [
        asking.to_join(first, "Damn the Queens"),
        asking.to_join(second, "Damn the Queens"),
    ]


def test_a_robot_that_fills_in_everything_gets_the_same_answer_and_no_text(people, browser):
    code = people.opened()
    people_see = plain(fill_in(browser, code, phone="+12125550179"))
    assert plain(fill_in(browser, code, website="http://example.com")) == people_see
    assert [to for to, _ in asked(people)] == ["+12125550179"]


def test_two_forms_with_one_number_at_the_same_moment_are_one_text(people):
    code = people.opened()
    asks = [
        forms.Asked("join", NEW, "Eve", "yes", "Hearts", f"203.0.113.{n}", code, people.table(code).id)
        for n in range(6)
    ]
    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(lambda form: forms.ask(people.services, form), asks))
    assert len(asked(people)) == 1


def test_at_night_the_text_waits_for_the_morning(people, browser):
    code = people.opened()
    people.stage.clock.now += timedelta(hours=13)  # one in the morning in New York
    fill_in(browser, code)
    people.stage.settle()
    [row] = people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")
    assert row.status == "pending"
    people.stage.run_to(people.stage.clock.now + timedelta(hours=14))
    [row] = people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")
    assert row.status == "sent"


def test_who_stops_before_the_text_goes_out_gets_none(people, browser):
    code = people.opened()
    people.stage.clock.now += timedelta(hours=13)
    fill_in(browser, code)
    people.stage.carrier.deliver(NEW, "+12125550199", "STOP")
    people.stage.run_to(people.stage.clock.now + timedelta(hours=24))
    assert [row.status for row in people.rows(OUTBOUND, OUTBOUND.c.kind == "asked")] == ["canceled"]


# Where a visitor comes from


@pytest.mark.on("sqlite")
@pytest.mark.parametrize(
    ("proxies", "header", "counted"),
    [
        ("0", "198.51.100.1", "127.0.0.1"),  # what a visitor claims is nothing
        ("1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),  # what our proxy has added, not what it was given
        ("2", "6.6.6.6, 198.51.100.1, 10.0.0.1", "198.51.100.1"),
        ("2", "198.51.100.1", "127.0.0.1"),  # did not come through both
    ],
)
def test_only_our_own_proxies_say_where_a_visitor_is(database_url, tmp_path, proxies, header, counted):
    with gathered(database_url, tmp_path, trusted_proxies=proxies) as people:
        seen = []
        app = people.stage.client.application

        def home() -> str:
            seen.append(visitors.origin())
            return ""

        app.view_functions["pages.home"] = home
        people.stage.client.get("/", headers={"X-Forwarded-For": header})
        assert seen == [counted]


# Texts


@pytest.mark.parametrize("title", ["Damn the Queens", "Queen of Spades", "5000 Rummy", "Hearts"])
def test_the_text_that_asks_is_one_segment_and_says_all_that_it_must(title):
    for text in (asking.to_join("BCD4567", title), asking.to_open("BCD4567", title)):
        assert is_gsm7(text)
        assert segments(text) == 1, text
        for words in (
            "Queenline",
            "reply JOIN BCD4567",
            "about 1 text a turn",
            "Msg&data rates may apply",
            "HELP",
            "STOP",
        ):
            assert words in text


def test_invite_gives_one_link_of_ours_and_the_words_to_text(people):
    code = people.opened("Bea")
    answer = people("Bea", "invite")
    assert answer == (
        f"Play Damn the Queens with me by text: http://localhost:8000/join/{code} or text JOIN {code} to +12125550199. 2 seats free."
    )
    people("Ann", f"{code} bots")
    people("Ann", f"{code} deal")
    assert people("Bea", "invite").startswith(f"{code} has begun, so nobody else can sit down there now.")


def test_an_invitation_to_a_seat_that_is_late(people, browser):
    code = people.dealt("Bea")
    with people.services.db.begin() as conn:
        table = at(conn, code)
        invite = tables.invite(conn, table, table.sitters[1])
    page = browser.get(f"/join/{invite}")
    assert "Take over Bea's seat" in page.text
    assert f"body=JOIN%20{invite}" in page.text
    assert fill_in(browser, invite).status_code == 409


def test_a_seat_may_be_chosen_by_text(people):
    code = people.opened()
    people("Ann", "bots 1")  # on seat 2
    assert "hello Bea" in people("Bea", f"join {code} 2")
    assert [(s.number, s.name) for s in people.table(code).sitters] == [(0, "Ann"), (1, "Bea"), (2, "Bot1")]
    assert "hello Cyrus" in people("Cy", f"join {code} cyrus seat 4")
    assert people("Dot", f"join {code} 1").startswith("That seat is taken, so you have seat 3.")  # the bot's
    assert [s.name for s in people.table(code).sitters] == ["Ann", "Bea", "Dot", "Cyrus"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("212-555-0123", "+12125550123"), ("(416) 555 0123", "+14165550123"), ("+1 212.555.0123", "+12125550123")],
)
def test_numbers_as_people_write_them(text, number):
    assert read_number(text, ("US", "CA")) == number
