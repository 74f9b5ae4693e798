"""SAY, MUTE and BLOCK: who gets what is said, when, and how its sender is told."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from service.stored import OUTBOUND, PLAYER
from service.text.gsm7 import segments
from tests.people import NOON, gathered

sqlite = pytest.mark.on("sqlite")


def test_who_sleeps_gets_it_in_the_morning_and_the_sender_is_told(at_kf7):
    with at_kf7.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Cy").values(zone="Pacific/Auckland"))
    assert at_kf7("Ann", "say good game") == "KF7: sent to Bea and Dot. Cy gets it Tue 3pm."
    assert at_kf7.told("Bea") == ["Queenline KF7 Ann: good game"]
    assert at_kf7.told("Cy") == []
    at_kf7.stage.run_to(NOON + timedelta(hours=3, minutes=1))
    assert at_kf7.told("Cy") == ["Queenline KF7 Ann: good game"]


@sqlite
def test_at_night_nobody_is_woken_and_not_too_much_waits(at_kf7):
    at_kf7.stage.run_to(NOON + timedelta(hours=11))  # 11pm
    assert at_kf7("Ann", "say anybody awake?") == "KF7: Bea, Cy and Dot get it Wed 9am."
    at_kf7("Ann", "say no")
    at_kf7("Ann", "say well then")
    assert at_kf7("Ann", "say good night") == (
        "KF7: Bea, Cy and Dot can't be woken now, and enough waits for the morning already."
    )
    at_kf7("Bea", "hand")  # who texts is awake
    assert at_kf7.told("Bea")[0] == "Queenline KF7 Ann: anybody awake?"
    assert at_kf7("Ann", "say hello Bea") == "KF7: sent to Bea."


@sqlite
def test_to_those_who_are_awake_several_are_sent(at_kf7):
    for n in range(6):
        assert at_kf7("Ann", f"say number {n}") == "KF7: sent to Bea, Cy and Dot."
        at_kf7("Bea", "hand")
    assert len(at_kf7.told("Bea")) == 6


# Whom somebody does not want to hear


def test_mute_one(at_kf7):
    assert at_kf7("Bea", "mute ann") == "You no longer get what Ann SAYs. UNMUTE Ann brings it back."
    assert at_kf7("Ann", "say hi") == "KF7: sent to Bea, Cy and Dot."  # as ever: nobody is told on
    assert at_kf7("Cy", "say hi") == "KF7: sent to Ann, Bea and Dot."
    assert at_kf7.told("Bea") == ["Queenline KF7 Cy: hi"]
    at_kf7("Ann", "nudge")  # a muted player may still have somebody reminded
    assert at_kf7("Bea", "unmute ANN") == "You get what Ann SAYs again."
    assert at_kf7("Ann", "say hi") == "KF7: sent to Bea, Cy and Dot."


def test_block_is_for_talk_and_nudges(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    assert at_kf7("Bea", "block Cy") == (
        "Cy can't reach you by SAY or NUDGE any more, and isn't told so. UNBLOCK Cy undoes it."
    )
    at_kf7.forget()
    at_kf7.stage.run_to(NOON + timedelta(hours=3))
    assert at_kf7("Cy", "say hurry up") == "KF7: sent to Ann, Bea and Dot."  # as without the block, which isn't told
    assert at_kf7("Cy", "nudge bea") == "KF7: Bea has been nudged."
    assert at_kf7("Cy", "nudge bea") == "KF7: Bea was nudged Tue 3:02pm. One nudge in 8 hours is enough."
    assert at_kf7.told("Bea") == []
    assert at_kf7("Bea", "block") == "You have blocked Cy. UNBLOCK and the name undoes it."
    assert at_kf7("Dot", "nudge bea") == "KF7: Bea has been nudged."
    assert at_kf7("Bea", "unblock cy") == "Cy may text you by SAY and NUDGE again."
    assert at_kf7("Bea", "block").startswith("You have blocked nobody.")
    assert at_kf7("Cy", "say thanks") == "KF7: sent to Ann, Bea and Dot."


@sqlite
@pytest.mark.parametrize("how", ["block ann", "mute ann", "mute"])
def test_who_hears_nothing_is_counted_at_night_like_all_others(at_kf7, how):
    at_kf7("Bea", how)
    at_kf7.stage.run_to(NOON + timedelta(hours=11))  # 11pm
    for words in ("one", "two", "three"):
        assert at_kf7("Ann", f"say {words}") == "KF7: Bea, Cy and Dot get it Wed 9am."
    full = "KF7: Bea, Cy and Dot can't be woken now, and enough waits for the morning already."
    assert at_kf7("Ann", "say four") == full
    at_kf7("Bea", "hand")  # who texts is awake, whatever would have waited
    assert at_kf7("Ann", "say five") == "KF7: sent to Bea."
    at_kf7.stage.run_to(NOON + timedelta(hours=21, minutes=1))
    assert at_kf7.told("Bea") == []
    assert len(at_kf7.told("Cy")) == 3


def test_a_block_is_of_a_person_and_not_of_a_name_or_a_table(at_kf7):
    at_kf7("Bea", "block ann")
    code = at_kf7.opened("Bea", host="Ann", words="new damn")
    at_kf7("Ann", f"{code} name Queenie")
    at_kf7.forget()
    assert at_kf7("Ann", f"{code} say hello") == f"{code}: sent to Bea."
    assert at_kf7.told("Bea") == []
    assert at_kf7("Bea", "block") == "You have blocked Queenie. UNBLOCK and the name undoes it."


@sqlite
@pytest.mark.parametrize("words", ["block zed", "unblock zed", "mute zed"])
def test_a_name_that_nobody_has(at_kf7, words):
    said = at_kf7("Bea", words)
    assert said == f'There is nobody called "{words.split()[1]}" at your tables. With you are Ann, Cy and Dot.'


@sqlite
def test_a_bot_says_nothing(at_kf7):
    code = at_kf7.dealt(host="Ann")
    assert at_kf7("Ann", f"{code} block bot1") == "Bot1 is a bot. It says nothing."


# What may be said


@sqlite
@pytest.mark.parametrize(
    "words",
    [
        "https://example.com/x",
        "see www.example.org",
        "look at bit.ly/abc",
        "Example.COM",
        "ftp://files",
        "go to shop.example.co/7",
    ],
)
def test_no_links(at_kf7, words):
    assert at_kf7("Ann", f"say {words}").startswith("Links can't be passed on")
    assert at_kf7.told("Bea") == []


@sqlite
@pytest.mark.parametrize(
    "words",
    [
        "well played.thanks",
        "that was 5.5 points",
        "ok... so",
        "e.g. this",
        "No.",
        "at 10.30 then",
        "Mr.Bea",
        "me.",
        "3.2.1 go",
    ],
)
def test_dots_are_no_links(at_kf7, words):
    assert at_kf7("Ann", f"say {words}") == "KF7: sent to Bea, Cy and Dot."


@sqlite
@pytest.mark.parametrize("word", ["STOP", "stop texting me", "HELP", "end", "yes", "QUIT"])
def test_the_carrier_s_words_in_talk_are_talk(at_kf7, word):
    assert at_kf7("Ann", f"say {word}") == "KF7: sent to Bea, Cy and Dot."
    assert at_kf7.told("Bea") == [f"Queenline KF7 Ann: {word}"]
    assert at_kf7.rows(PLAYER, PLAYER.c.opted_out_at.is_not(None)) == []


@sqlite
def test_what_is_too_long_is_cut_and_its_sender_told(at_kf7):
    said = at_kf7("Ann", "say " + "very good " * 60)
    assert said == "KF7: sent to Bea, Cy and Dot. Cut short: it was too long."
    (text,) = at_kf7.told("Bea")
    assert segments(text) == 2
    assert text.endswith("..")


@sqlite
def test_where_the_service_passes_on_nothing(database_url, tmp_path):
    with gathered(database_url, tmp_path, chat="off") as people:
        people.seated()
        said = people("Ann", "say hello")
        assert said == "Queenline passes on no messages. Everything of the game is told to all at the table."
        assert people.rows(OUTBOUND, OUTBOUND.c.kind == "say") == []


def test_who_has_opted_out_hears_nothing(at_kf7):
    at_kf7("Bea", "stop")
    assert at_kf7("Ann", "say hello") == "KF7: sent to Cy and Dot."
    with at_kf7.services.db.begin() as conn:
        readers = conn.execute(select(OUTBOUND.c.player_id).where(OUTBOUND.c.kind == "say")).scalars().all()
    assert len(readers) == 2
