"""What is held back and what is told again: pauses, nights, several tables, and texts that have lost their reason."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import insert, update

from engine.game import write_move
from service.carrier import Trouble
from service.stored import NUDGE, OUTBOUND, PLAYER, SEAT

NEW_YORK = ZoneInfo("America/New_York")


def at(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=NEW_YORK).astimezone(UTC)


def run(people, **span):
    people.stage.run_to(people.stage.clock.now + timedelta(**span))


def player(people, name):
    return people.rows(PLAYER, PLAYER.c.name == name)[0]


def quick(people, *texts):
    """Texts within seconds of each other."""
    for name, words in texts:
        people.stage.clock.now -= timedelta(seconds=50)  # each comes a minute after the last, else
        people(name, words)


def write(people, name="Bea", kind="notice", body="Hello.", **more):
    """A text in the outbox, about the table KF7."""
    values = {
        "player_id": player(people, name).id, "table_id": people.table("KF7").id, "body": body, "kind": kind,
        "recipient": people.stage.phone(name).number, "status": "pending", "rank": 0, "attempt": 0, "segments": 1,
        "next_attempt_at": people.stage.clock.now, "created_at": people.stage.clock.now,
    }  # fmt: skip
    with people.services.db.begin() as conn:
        conn.execute(insert(OUTBOUND).values(**values | more))


# A pause between two


def test_two_about_one_table_come_half_a_minute_apart(at_kf7):
    for n in range(3):
        write(at_kf7, body=f"{n}")
    at_kf7.stage.settle()
    assert at_kf7.told("Bea") == ["0"]
    run(at_kf7, seconds=29)
    assert at_kf7.told("Bea") == []
    run(at_kf7, seconds=1)
    assert at_kf7.told("Bea") == ["1"]
    run(at_kf7, seconds=30)
    assert at_kf7.told("Bea") == ["2"]


def test_unless_their_reader_has_texted_in_between(at_kf7):
    write(at_kf7, body="0")
    write(at_kf7, body="1")
    at_kf7.stage.settle()
    quick(at_kf7, ("Bea", "hand"))
    assert at_kf7.told("Bea") == ["0", "1"]


def test_other_tables_do_not_count(at_kf7):
    at_kf7.seated(code="MN3")
    write(at_kf7, body="0")
    write(at_kf7, body="1", table_id=at_kf7.table("MN3").id)
    at_kf7.stage.settle()
    assert at_kf7.told("Bea") == ["0", "1"]


def test_quick_players_are_gathered_for_who_wants_all_updates(at_kf7):
    at_kf7("Dot", "updates all")
    run(at_kf7, minutes=1)
    quick(
        at_kf7,
        ("Ann", "draw"),
        ("Ann", "discard 4h"),
        ("Bea", "draw"),
        ("Bea", "discard 3d"),
        ("Cy", "draw, discard ts"),
    )
    run(at_kf7, minutes=5)
    times = [
        row.sent_at
        for row in at_kf7.rows(
            OUTBOUND, OUTBOUND.c.player_id == player(at_kf7, "Dot").id, OUTBOUND.c.sent_at.is_not(None)
        )
    ]
    assert all(b - a >= timedelta(seconds=30) for a, b in pairwise(times))
    told = at_kf7.told("Dot")
    assert len(told) == 2
    assert "your turn. Bea threw 3D. Cy threw 10S." in told[-1].replace("Ann threw 4H. ", "")


# What is told again, and what has lost its reason


def test_news_of_a_text_that_was_never_sent_are_told_by_the_next(at_kf7):
    at_kf7.stage.clock.now = at("2026-03-03 22:00")
    at_kf7("Cy", "updates all")
    run(at_kf7, minutes=40)
    at_kf7("Ann", "draw, discard 4h")
    assert [row.kind for row in at_kf7.rows(OUTBOUND, OUTBOUND.c.status == "pending")] == ["turn", "update"]
    at_kf7("Bea", "draw, discard 3d")
    rows = at_kf7.rows(OUTBOUND, OUTBOUND.c.player_id == player(at_kf7, "Cy").id)
    assert [(row.kind, row.status, row.error_code) for row in rows] == [
        ("update", "canceled", "told-again"),
        ("turn", "pending", None),
    ]
    assert at_kf7.rows(SEAT)[2].told == 0
    at_kf7.stage.run_to(at("2026-03-04 09:00"))
    (text,) = at_kf7.told("Cy")
    assert "Ann threw 4H. Bea threw 3D." in text
    assert at_kf7.rows(SEAT)[2].told == at_kf7.table("KF7").news_end


def test_a_hand_that_was_dealt_at_night_is_told_by_the_turn(people):
    people.stage.clock.now = at("2026-03-03 22:00")
    code = people.opened("Bea", "Cy", "Dot")
    people.stage.clock.now = at("2026-03-03 23:00")
    people("Ann", "deal")
    first = people.turn(code)
    after = people.table(code).names[(people.table(code).state.turn + 1) % 4]
    hand = people.table(code).state.hands[people.table(code).state.turn]
    people(first, "draw")
    table = people.table(code)
    people.forget()
    people(first, write_move(table.game.legal(table.state, table.state.turn)[-1]))
    people.stage.run_to(at("2026-03-04 09:05"))
    if after != "Ann":
        texts = people.told(after)
        assert len(texts) == 1
        assert "your turn." in texts[0]
    assert hand


def test_a_turn_that_is_over_is_not_told(at_kf7):
    at_kf7.stage.clock.now = at("2026-03-03 22:00")
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Ann", "undo")
    at_kf7.stage.run_to(at("2026-03-04 09:05"))
    assert at_kf7.told("Bea") == []


def test_a_reminder_that_could_not_be_sent_in_time_is_not(at_kf7):
    """The carrier is full: the turn is told later, a reminder is not."""
    at_kf7("Ann", "draw, discard 4h")
    at_kf7.forget()
    at_kf7.stage.carrier.troubles += [Trouble(status=429, code=21611)] * 20
    run(at_kf7, hours=10)
    at_kf7.stage.carrier.troubles.clear()
    run(at_kf7, hours=12)
    rows = at_kf7.rows(OUTBOUND, OUTBOUND.c.kind == "nudge")
    assert (rows[0].status, rows[0].error_code) == ("canceled", "21611")


# Nights, and who is awake


@pytest.mark.parametrize(("lately", "held"), [(29, False), (31, True)])
def test_who_has_texted_in_the_last_half_hour_is_awake(at_kf7, lately, held):
    at_kf7.stage.clock.now = at("2026-03-03 23:00")
    at_kf7("Bea", "hand")
    run(at_kf7, minutes=lately - 1)
    at_kf7("Ann", "draw, discard 4h")
    assert (at_kf7.told("Bea") == []) is held
    assert at_kf7("Bea", "hand")  # an answer is never held


@pytest.mark.parametrize("words", ["zone los angeles", "quiet 23-7"])
def test_another_zone_or_other_hours_are_heeded_at_once(at_kf7, words):
    at_kf7.stage.clock.now = at("2026-03-03 21:00")
    at_kf7("Ann", "draw, discard 4h")
    assert at_kf7.told("Bea") == []
    at_kf7("Bea", words)
    assert len(at_kf7.told("Bea")) == 1


def test_a_reminder_held_for_the_night_follows_the_zone(at_kf7):
    at_kf7("Bea", "hand")
    at_kf7("Ann", "draw, discard 4h")
    with at_kf7.services.db.begin() as conn:
        conn.execute(update(NUDGE).values(nudge_at=at("2026-03-03 20:30"), due_at=at("2026-03-03 20:30")))
    at_kf7.stage.run_to(at("2026-03-03 20:40"))
    (row,) = at_kf7.rows(NUDGE)
    assert (row.last_reason, row.nudge_at) == ("asleep", at("2026-03-04 09:00"))
    at_kf7("Bea", "zone los angeles")
    at_kf7.forget()
    at_kf7.stage.run_to(at("2026-03-03 22:00"))
    assert len(at_kf7.told("Bea")) == 1


def test_what_was_held_comes_when_they_are_up(at_kf7):
    """Somebody who texts in the night is awake: what has been held back for them comes with the answer."""
    at_kf7.stage.clock.now = at("2026-03-03 21:00")
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Ann", "say good night")
    at_kf7.stage.run_to(at("2026-03-04 06:00"))
    assert at_kf7.told("Bea") == []
    at_kf7("Bea", "draw, discard 3d")
    run(at_kf7, minutes=2)
    assert at_kf7.told("Bea") == ["Queenline KF7 Ann: good night"]  # the turn has lost its reason


# Several tables


def test_turns_at_several_tables_wait_for_each_other(people):
    for code in ("AB2", "CD3", "EF4"):
        people.seated(code=code)
    people("Ann", "ab2 draw, discard 4h")
    run(people, minutes=8)
    people("Ann", "cd3 draw, discard 4h")
    assert people.told("Bea") == []
    run(people, minutes=1)
    assert people.told("Bea") == ["Queenline Your turn at 2 tables: AB2, CD3. Text AB2 HAND to see your cards there."]
    assert [(row.kind, row.status, row.error_code) for row in people.rows(OUTBOUND)] == [
        ("turns", "sent", None),
        ("turn", "canceled", "gathered"),
    ]
    people("Ann", "ef4 draw, discard 4h")
    run(people, minutes=11)
    assert people.told("Bea") == ["Queenline EF4: your turn. Ann threw 4H. Top 4H of 4. Hand: 3D 7C 7D AS JK. DRAW."]


def test_but_not_for_somebody_who_plays_now(people):
    for code in ("AB2", "CD3"):
        people.seated(code=code)
    people("Bea", "games")
    people("Ann", "ab2 draw, discard 4h")
    people("Ann", "cd3 draw, discard 4h")
    assert len(people.told("Bea")) == 2


def test_nor_where_one_of_them_has_been_played_meanwhile(people):
    for code in ("AB2", "CD3"):
        people.seated(code=code)
    people("Ann", "ab2 draw, discard 4h")
    people("Ann", "cd3 draw, discard 4h")
    people("Bea", "ab2 draw, discard 3d")
    run(people, minutes=11)
    assert people.told("Bea") == ["Queenline CD3: your turn. Ann threw 4H. Top 4H of 4. Hand: 3D 7C 7D AS JK. DRAW."]
