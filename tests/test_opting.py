"""STOP and its kin in all three modes, START, HELP, plain wishes; what becomes of seats and of texts that wait."""

from contextlib import ExitStack
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from service import opting, play
from service.stored import OUTBOUND, PLAYER, SEAT, TABLE
from service.text import notices, render
from service.text.gsm7 import is_gsm7, septets
from tests.people import NOON, gathered

MODES = ("default", "advanced", "self")


@pytest.fixture
def people(people):
    people.seated()
    return people


@pytest.fixture
def in_mode(database_url, tmp_path):
    """People where somebody else answers STOP: `in_mode("self")`."""
    with ExitStack() as stack:

        def start(mode):
            service = "MG" + "3" * 32 if mode == "advanced" else ""
            settings = {"OPT_OUT_MODE": mode, "TWILIO_MESSAGING_SERVICE_SID": service}
            people = stack.enter_context(gathered(database_url, tmp_path, NOON, **settings))
            people.seated()
            return people

        yield start


def is_out(people, name):
    row = people.rows(PLAYER, PLAYER.c.address == people.stage.phone(name).number)[0]
    return row.opted_out_at is not None


def rule(people, name):
    with people.services.db.begin() as conn:
        conn.execute(update(TABLE).values(late_rule=name))


sqlite = pytest.mark.on("sqlite")
WORDS = (
    "STOP",
    "stop",
    "Stop.",
    "STOPALL",
    "Unsubscribe",
    "cancel",
    "END",
    "quit",
    "REVOKE",
    "OptOut",
    "opt-out",
    "stop all",
)


@sqlite
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("mode", MODES)
def test_each_of_the_carriers_words_opts_out_in_each_mode(in_mode, mode, word):
    people = in_mode(mode)
    answer = people("Bea", word)
    assert answer == (render.opted_out() if mode == "self" else None)
    assert is_out(people, "Bea")


@sqlite
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "words",
    [
        "please stop texting me", "Stop sending me these messages", "remove me from your list", "no mas", "take me off this list",
        "unsubscribe me please", "don't text me anymore", "STOP TEXTING ME!!", "I want to opt out", "lose my number",
        "draw. and please stop texting me", "no more texts please", "leave me alone", "never contact me again",
        "REMOVE", "Arrêt", "ARRET", "No más", "stop it", "Do not text this number", "I don't want these texts any more",
        "I do not want to get these messages", "Stop, please!", "STOP!!! who is this", "stop - not interested", "stop sending",
        "STOP I dont want this", "kf7 stop", "stop KF7", "kf7: unsubscribe",
    ],
)  # fmt: skip
def test_a_plain_wish_counts_as_stop_and_is_confirmed_once(in_mode, mode, words):
    people = in_mode(mode)
    before = people.lines("KF7")
    assert people("Ann", words) == render.opted_out()
    assert is_out(people, "Ann")
    assert people.lines("KF7") == before  # nor is anything else of the text done
    assert people("Ann", "hand") is None
    assert people("Ann", words) is None


@sqlite
@pytest.mark.parametrize("word", ["START", "start", "unstop", "Yes"])
def test_start_brings_the_texts_back(people, word):
    people("Bea", "STOP")
    assert people("Bea", word) is None  # the carrier says so
    assert not is_out(people, "Bea")
    assert people("Bea", "hand") is not None


@sqlite
def test_start_from_somebody_who_gets_texts_tells_what_begins_a_game(in_mode):
    people = in_mode("advanced")
    code = people.opened("Dot", host="Cy")
    before = people.whole()
    assert people("Cy", "START", OptOutType="START") is None  # the carrier has answered
    assert people("Cy", "start") == (
        f"START is the phone company's word, so I can't take it. {code} has 2 free seats: JOIN {code} takes one, BOTS fills the rest, "
        "then DEAL."
    )
    assert people.whole() == before  # it is no word of a game


@sqlite
def test_yes_does_not_open_a_toll_free_number(database_url, tmp_path):
    with gathered(database_url, tmp_path, TWILIO_NUMBERS="+12125550199,+18775550199") as people:
        people.seated()
        people("Bea", "STOP", To="+18775550199")
        people("Bea", "YES", To="+18775550199")
        assert is_out(people, "Bea")
        people("Bea", "UNSTOP", To="+18775550199")
        assert not is_out(people, "Bea")


@sqlite
def test_words_of_advanced_opt_out_count_as_the_carrier_takes_them(in_mode):
    people = in_mode("advanced")
    assert people("Bea", "ARRET", OptOutType="STOP") is None
    assert is_out(people, "Bea")
    assert people("Bea", "BONJOUR", OptOutType="START") is None
    assert not is_out(people, "Bea")
    assert people("Bea", "AIDE", OptOutType="HELP") is None


@sqlite
def test_the_field_alone_is_not_believed_where_the_carrier_does_not_send_it(people):
    assert people("Bea", "hand", OptOutType="STOP") is not None
    assert not is_out(people, "Bea")


def test_a_table_that_waits_is_told_and_waits(people):
    people("Bea", "STOP")
    assert people.told("Ann") == [f"Queenline {notices.no_more_texts('KF7', 'Bea', 'wait')}"]
    assert people.told("Bea") == []
    people("Ann", "draw, discard 4h")
    assert people.turn("KF7") == "Bea"
    assert people.told("Bea") == []


def test_a_table_with_bots_plays_on_and_start_gives_the_seat_back(people):
    rule(people, "bot")
    people("Ann", "draw, discard 4h")
    people.forget()
    people("Bea", "STOP")
    assert people.turn("KF7") != "Bea"
    assert any("A bot plays for Bea" in text for text in people.told("Ann"))
    people.replays("KF7")
    people("Bea", "START")
    assert "has given you your seat back" in people("Bea", "hand")


def test_a_table_that_invites_gets_the_code_of_the_seat(people):
    rule(people, "invite")
    people("Bea", "stop texting me")
    (told,) = people.told("Ann")
    code = people.rows(SEAT, SEAT.c.number == 1)[0].invite
    assert f"JOIN {code}" in told
    assert "in Bea's seat" in people("Eve", f"join {code} Eve")


@sqlite
def test_a_seat_that_is_not_dealt_yet_is_free_again(people):
    code = people.opened("Bea")
    people("Bea", "STOP")
    assert any("Bea left. The seat is free again" in text for text in people.told("Ann"))
    assert people.table(code).names != ("Ann", "Bea")


@sqlite
@pytest.mark.parametrize("words", ["wrong number", "Sorry, wrong number.", "you have the wrong number"])
def test_a_wrong_number_is_opted_out_and_its_seat_is_given_up(people, words):
    assert people("Bea", words) == render.opted_out()
    assert is_out(people, "Bea")
    seat = people.rows(SEAT, SEAT.c.number == 1)[0]
    assert seat.left_at is not None
    assert seat.bot
    assert people.told("Ann") == [f"Queenline {notices.wrong_number('KF7', 'Bea')}"]


def test_texts_that_wait_are_called_off_and_none_is_written(people):
    people.stage.clock.now += timedelta(hours=10)  # at night, so that texts wait for the morning
    people("Ann", "draw, discard 4h")
    assert [row.status for row in people.rows(OUTBOUND, OUTBOUND.c.kind == "turn")] == ["pending"]
    people("Bea", "STOP")
    bea = people.rows(PLAYER, PLAYER.c.address == people.stage.phone("Bea").number)[0].id
    assert {row.status for row in people.rows(OUTBOUND, OUTBOUND.c.player_id == bea)} == {"canceled"}
    before = len(people.rows(OUTBOUND, OUTBOUND.c.player_id == bea))
    people("Ann", "say are you there")
    assert len(people.rows(OUTBOUND, OUTBOUND.c.player_id == bea)) == before


def test_what_was_written_before_and_is_due_after_is_not_sent(people):
    bea = people.rows(PLAYER, PLAYER.c.address == people.stage.phone("Bea").number)[0]
    now = people.stage.clock.now
    with people.services.db.begin() as conn:
        conn.execute(
            insert(OUTBOUND),
            {"player_id": bea.id, "recipient": bea.address, "sender": bea.sender, "body": "KF7: hello", "kind": "notice",
             "status": "pending", "rank": 0, "attempt": 0, "next_attempt_at": now, "segments": 1, "created_at": now},
        )  # fmt: skip
        conn.execute(update(PLAYER).where(PLAYER.c.id == bea.id).values(opted_out_at=now))
    people.stage.settle()
    assert people.told("Bea") == []
    row = people.rows(OUTBOUND, OUTBOUND.c.player_id == bea.id)[0]
    assert (row.status, row.error_code) == ("canceled", "opted-out")


def test_who_has_opted_out_at_the_carrier_gives_up_the_seat_likewise(people):
    rule(people, "bot")
    people("Ann", "draw, discard 4h")
    sid = people.stage.carrier.texts_to(people.stage.phone("Bea").number)[-1].sid
    people.forget()
    assert people.stage.carrier.report(sid, "undelivered", 21610) == 204
    assert is_out(people, "Bea")
    assert people.turn("KF7") != "Bea"
    people.stage.settle()
    assert any("A bot plays for Bea" in text for text in people.told("Ann"))


@sqlite
def test_the_carriers_word_counts_once(people):
    bea = people.rows(PLAYER, PLAYER.c.address == people.stage.phone("Bea").number)[0].id
    play.opted_out_elsewhere(people.services, bea)
    with people.services.db.begin() as conn:
        assert not opting.suppress(conn, bea, people.stage.clock.now)
    play.opted_out_elsewhere(people.services, bea)
    people.stage.settle()
    assert len(people.told("Ann")) == 1
    with people.services.db.begin() as conn:
        assert conn.execute(select(TABLE.c.version)).scalar_one() == 0


@sqlite
def test_help_in_our_own_words_has_all_that_it_must_have(in_mode):
    people = in_mode("self")
    for word in ("HELP", "info"):
        answer = people("Bea", word)
        assert answer == render.help_text(people.services.settings.public_url)
    for mode in ("http://localhost:8000", "https://cards.example.com", "https://cards.a-rather-long-name.example.com"):
        text = render.help_text(mode)
        for part in ("Queenline", "Msg&data rates may apply", "STOP", mode.partition("://")[2], "card games"):
            assert part in text
        assert is_gsm7(text)
        assert septets(text) <= 160
    for text in (render.opted_in(), render.opted_out()):
        assert text.startswith("Queenline")
        assert septets(text) <= 160
    for part in ("rates may apply", "HELP", "STOP", "when it's your turn"):
        assert part in render.opted_in()
