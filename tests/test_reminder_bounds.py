"""Reminders at the exact bounds: sixty days, half an hour, two hours, eight hours; and why none goes where none does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import delete, insert, update

from service import late
from service.reminders import still_waiting
from service.stored import NUDGE, OUTBOUND, OVER, PLAYER

NEW_YORK = ZoneInfo("America/New_York")
SECOND = timedelta(seconds=1)
HAND = "Hand: 3D 7C 7D AS JK. DRAW."


def at(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=NEW_YORK).astimezone(UTC)


def run(people, **span):
    people.stage.run_to(people.stage.clock.now + timedelta(**span))


def seen(people, ago, name="Bea"):
    """Makes it so long since somebody has texted."""
    with people.services.db.begin() as conn:
        moment = None if ago is None else people.stage.clock.now - ago
        conn.execute(update(PLAYER).where(PLAYER.c.name == name).values(last_inbound_at=moment))


def alarm(people, code="KF7"):
    """The alarm of the turn at this table."""
    (row,) = people.rows(NUDGE, NUDGE.c.table_id == people.table(code).id)
    return row


def put(people, code="KF7", **values):
    """Changes that alarm."""
    row = alarm(people, code)
    with people.services.db.begin() as conn:
        conn.execute(update(NUDGE).where(NUDGE.c.id == row.id).values(**values))


def ring(people, code="KF7", **values):
    """A reminder falls due at this moment and is looked at; what is kept of it."""
    now = people.stage.clock.now
    put(people, code, nudge_at=now, due_at=now, **values)
    late.ring(people.services, alarm(people, code).id)
    return alarm(people, code)


def write(people, name, table_id, kind, status="pending"):
    """A text in the outbox, of this moment."""
    (reader,) = people.rows(PLAYER, PLAYER.c.name == name)
    now = people.stage.clock.now
    values = {
        "player_id": reader.id, "table_id": table_id, "body": "Hello.", "kind": kind, "recipient": reader.address, "status": status,
        "rank": 0, "attempt": 0, "segments": 1, "next_attempt_at": now, "created_at": now,
    }  # fmt: skip
    with people.services.db.begin() as conn:
        conn.execute(insert(OUTBOUND).values(**values))


def reminders(people):
    """What the outbox has of reminders, whether sent or not."""
    return [row.body for row in people.rows(OUTBOUND, OUTBOUND.c.kind.in_(("nudge", "nudges")))]


@pytest.fixture
def waiting(at_kf7):
    """It is Bea's turn at KF7 since one past noon, she has been told so, and it is nine minutes past two."""
    at_kf7("Ann", "draw, discard 4h")
    run(at_kf7, hours=2, minutes=8)
    assert at_kf7.told("Bea") == [f"Queenline KF7: your turn. Ann threw 4H. Top 4H of 4. {HAND}"]
    return at_kf7


# Sixty days


@pytest.mark.parametrize(
    ("ago", "goes"), [(None, True), (timedelta(days=60), True), (timedelta(days=60) + SECOND, False)]
)
def test_after_sixty_days_to_the_second_nobody_is_reminded_any_more(waiting, ago, goes):
    seen(waiting, ago)
    row = ring(waiting)
    assert len(reminders(waiting)) == goes
    assert (row.nudge_at is None, row.last_reason, row.sent) == (not goes, None if goes else "idle", int(goes))


@pytest.mark.parametrize(
    ("ago", "answer"),
    [
        (None, "KF7: Bea has been nudged."),
        (timedelta(days=60), "KF7: Bea has been nudged."),
        (timedelta(days=60) + SECOND, "KF7: Bea can't be nudged now."),
    ],
)
def test_nor_nudged(waiting, ago, answer):
    seen(waiting, None if ago is None else ago - timedelta(minutes=1))  # Ann's text comes a minute later
    assert waiting("Ann", "nudge bea") == answer


@pytest.mark.parametrize(("ago", "doubted"), [(timedelta(days=60), False), (timedelta(days=60) + SECOND, True)])
def test_nor_shown_a_hand(waiting, ago, doubted):
    seen(waiting, ago - timedelta(minutes=1))
    answer = waiting("Bea", "hand")
    assert ("3D 7C 7D" in answer) is not doubted


# Half an hour, an hour


@pytest.mark.parametrize(("ago", "goes"), [(timedelta(minutes=30), True), (timedelta(minutes=30) - SECOND, False)])
def test_who_was_here_within_half_an_hour_is_looked_at_an_hour_later(waiting, ago, goes):
    seen(waiting, ago)
    row = ring(waiting)
    assert len(reminders(waiting)) == goes
    if not goes:
        assert (row.nudge_at, row.last_reason) == (waiting.stage.clock.now + timedelta(hours=1), "just-here")


# Two hours


@pytest.mark.parametrize(
    ("later", "together"),
    [(timedelta(0), True), (timedelta(hours=2), True), (timedelta(hours=2) + SECOND, False)],
)
def test_reminders_within_two_hours_are_one_text(people, later, together):
    for code in ("AB2", "CD3"):
        people.seated(code=code)
        people("Ann", f"{code} draw, discard 4h")
    run(people, hours=2)
    people.forget()
    now = people.stage.clock.now
    put(people, "CD3", nudge_at=now + later)
    row = ring(people, "AB2")
    (text,) = reminders(people)
    assert ("CD3" in text, "Hand:" in text) == (together, not together)
    other = alarm(people, "CD3")
    assert (row.sent, other.sent) == (1, int(together))
    assert other.nudge_at == (row.nudge_at if together else now + later)  # it is not reminded of twice
    if together:
        assert row.nudge_at == now + timedelta(hours=24)
        assert (
            text
            == "Queenline 2 tables wait for you: AB2 since Tue 12:01pm, CD3 since Tue 12:02pm. Text AB2 HAND to see your cards there."
        )


def test_of_a_table_where_it_is_no_longer_their_turn_nothing_is_said(people):
    for code in ("AB2", "CD3"):
        people.seated(code=code)
        people("Ann", f"{code} draw, discard 4h")
    run(people, hours=2)
    now = people.stage.clock.now
    put(people, "CD3", since=now, nudge_at=now)  # an alarm of another turn, that is still to be looked at
    ring(people, "AB2")
    (text,) = reminders(people)
    assert "CD3" not in text


def test_another_player_s_reminder_is_not_gathered(people):
    for code, deeds in (("AB2", ("Ann",)), ("CD3", ("Ann", "Bea"))):
        people.seated(code=code)
        for name, card in zip(deeds, ("4h", "3d"), strict=False):
            people(name, f"{code} draw, discard {card}")
    run(people, hours=2)
    put(people, "CD3", nudge_at=people.stage.clock.now)  # Cy's
    ring(people, "AB2")
    (text,) = reminders(people)
    assert "CD3" not in text


# Eight hours


@pytest.mark.parametrize(("ago", "again"), [(timedelta(hours=8), True), (timedelta(hours=8) - SECOND, False)])
def test_one_nudge_in_eight_hours(waiting, ago, again):
    asked = waiting.stage.clock.now + timedelta(minutes=1) - ago
    put(waiting, asked_at=asked)
    answer = waiting("Ann", "nudge bea")
    assert answer == (
        "KF7: Bea has been nudged." if again else "KF7: Bea was nudged Tue 6:10am. One nudge in 8 hours is enough."
    )
    assert len(reminders(waiting)) == again


@pytest.mark.parametrize(("ago", "again"), [(timedelta(hours=8), True), (timedelta(hours=8) - SECOND, False)])
def test_a_reminder_of_the_last_eight_hours_is_the_nudge(at_kf7, ago, again):
    at_kf7.stage.clock.now = at("2026-03-03 09:00")
    at_kf7("Ann", "draw, discard 4h")
    run(at_kf7, hours=1)
    ring(at_kf7)
    at_kf7.stage.settle()
    now = at_kf7.stage.clock.now = at_kf7.stage.clock.now + ago - timedelta(minutes=1)
    put(at_kf7, nudge_at=now + timedelta(days=1), due_at=now + timedelta(days=1))
    answer = at_kf7("Ann", "nudge bea")
    assert answer == (
        "KF7: Bea has been nudged." if again else "KF7: Bea was nudged Tue 10:01am. One nudge in 8 hours is enough."
    )


# Why none goes


def test_the_reasons_are_kept_and_nothing_is_sent(waiting):
    now = waiting.stage.clock.now
    with waiting.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Bea").values(opted_out_at=now))
    row = ring(waiting)
    assert (row.nudge_at, row.last_reason) == (None, "opted-out")
    with waiting.services.db.begin() as conn:
        conn.execute(
            update(PLAYER).where(PLAYER.c.name == "Bea").values(opted_out_at=None, prefs={"away": (now + SECOND).isoformat()})
        )  # fmt: skip
    row = ring(waiting)
    assert (row.nudge_at, row.last_reason) == (now + SECOND, "away")
    with waiting.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Bea").values(prefs={"nudge": "off"}))
    row = ring(waiting)
    assert (row.nudge_at, row.last_reason) == (None, "wants-none")
    assert reminders(waiting) == []
    row = ring(waiting, asked_at=now - timedelta(hours=9))  # but somebody has asked for it
    assert (len(reminders(waiting)), row.last_reason) == (1, None)


def test_at_night_it_waits_for_the_morning(waiting):
    waiting.stage.clock.now = at("2026-03-03 23:00")
    row = ring(waiting)
    assert (row.nudge_at, row.last_reason) == (at("2026-03-04 09:00"), "asleep")
    assert reminders(waiting) == []


def test_while_the_turn_s_own_text_waits_there_is_no_reminder(waiting):
    with waiting.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "turn").values(status="pending"))
    row = ring(waiting)
    assert (row.last_reason, row.sent) == ("unsent", 0)
    assert row.nudge_at == at("2026-03-04 09:09")  # six waking hours on: the day ends at eight
    assert reminders(waiting) == []


def test_other_texts_that_wait_hold_no_reminder(waiting):
    """Another player's turn, a turn at another table, and what is no word of a turn."""
    waiting.seated(code="CD3")
    here, elsewhere = waiting.table("KF7").id, waiting.table("CD3").id
    for name, table_id, kind in (("Cy", here, "turn"), ("Bea", elsewhere, "turn"), ("Bea", here, "say")):
        write(waiting, name, table_id, kind)
    row = ring(waiting)
    assert (row.last_reason, row.sent, len(reminders(waiting))) == (None, 1, 1)


def test_the_deadline_is_told_while_the_clock_runs_and_not_after(waiting):
    ring(waiting)
    assert reminders(waiting)[-1].endswith(" By Fri 12:01pm.")
    waiting.stage.settle()
    put(waiting, late=True)
    ring(waiting)
    assert " By " not in reminders(waiting)[-1]


def test_nothing_else_of_the_player_s_is_a_reminder_of_this_turn(waiting):
    """Texts about another table, or such as were called off, do not make a nudge of now one too many."""
    waiting.seated(code="CD3")
    ring(waiting)
    elsewhere = waiting.table("CD3").id
    with waiting.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "nudge").values(table_id=elsewhere))
    assert waiting("Ann", "kf7 nudge bea") == "KF7: Bea has been nudged."
    with waiting.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "nudge").values(status="canceled"))
    put(waiting, asked_at=None)
    assert waiting("Ann", "kf7 nudge bea") == "KF7: Bea has been nudged."


# Who is blocked


def blocked(people, name="Bea", whom="ann"):
    """Bea has blocked Ann, an hour ago."""
    people(name, f"block {whom}")
    run(people, hours=1)
    people.forget()


def test_who_is_blocked_is_told_the_same_and_nothing_is_sent(waiting):
    blocked(waiting)
    assert waiting("Ann", "nudge bea") == "KF7: Bea has been nudged."
    assert waiting("Ann", "nudge bea") == "KF7: Bea was nudged Tue 3:11pm. One nudge in 8 hours is enough."
    assert (reminders(waiting), alarm(waiting).sent, alarm(waiting).asked_at) == ([], 0, None)
    assert waiting("Cy", "nudge bea") == "KF7: Bea has been nudged."  # what Ann was told keeps nobody else from it
    assert len(reminders(waiting)) == 1


@pytest.mark.parametrize(("later", "again"), [(timedelta(hours=8), True), (timedelta(hours=8) - SECOND, False)])
def test_who_is_blocked_finds_the_same_eight_hours(at_kf7, later, again):
    at_kf7.stage.clock.now = at("2026-03-03 09:00")
    at_kf7("Ann", "draw, discard 4h")
    run(at_kf7, minutes=10)
    at_kf7("Bea", "nudge me off")
    blocked(at_kf7)
    assert at_kf7("Ann", "nudge bea") == "KF7: Bea has been nudged."
    at_kf7.stage.clock.now += later - timedelta(minutes=1)
    answer = at_kf7("Ann", "nudge bea")
    assert answer == (
        "KF7: Bea has been nudged." if again else "KF7: Bea was nudged Tue 10:14am. One nudge in 8 hours is enough."
    )
    assert reminders(at_kf7) == []


def test_who_is_blocked_hears_of_the_night_too(waiting):
    blocked(waiting)
    waiting.stage.clock.now = at("2026-03-03 22:00")
    asleep = waiting("Ann", "nudge bea")
    assert asleep.startswith("KF7: Bea is not to be woken now")
    assert waiting("Ann", "nudge bea") == "KF7: Bea will be nudged Wed 9am. One nudge in 8 hours is enough."
    waiting.stage.run_to(at("2026-03-04 08:59"))
    assert alarm(waiting).asked_at is None


# Whom an alarm is about


def test_an_alarm_is_about_that_turn_of_that_player_alone(waiting):
    table, bea = waiting.table("KF7"), waiting.table("KF7").sitters[1]

    def row(**other):
        return SimpleNamespace(**dict(alarm(waiting)._mapping) | other)

    assert still_waiting(table, row()) == bea
    assert still_waiting(replace(table, status=OVER), row()) is None
    assert still_waiting(table, row(seat=2)) is None
    assert still_waiting(table, row(seat=2, player_id=table.sitters[2].player_id)) is None  # it is not Cy's turn
    assert still_waiting(table, row(since=row().since + SECOND)) is None
    assert still_waiting(table, row(player_id=bea.player_id + 1)) is None
    table.sitters[1] = replace(bea, bot=True)
    assert still_waiting(table, row()) is None


# What is asked for


def test_who_is_away_is_not_nudged_until_then(waiting):
    back = at("2026-03-05 09:00")
    with waiting.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Bea").values(prefs={"away": back.isoformat()}))
    assert waiting("Ann", "nudge bea") == "KF7: Bea is away until Thu 9am."
    assert (reminders(waiting), alarm(waiting).asked_at) == ([], None)


def test_who_has_not_got_the_turn_s_own_text_gets_that_first(waiting):
    with waiting.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "turn").values(status="pending"))
    assert waiting("Ann", "nudge bea") == "KF7: Bea gets the text that says so now; a nudge comes after that."
    assert (reminders(waiting), alarm(waiting).asked_at) == ([], None)


def test_a_nudge_is_kept_with_the_alarm(waiting):
    assert waiting("Ann", "nudge bea") == "KF7: Bea has been nudged."
    now, row = waiting.stage.clock.now, alarm(waiting)
    assert (row.asked_at, row.sent, row.nudge_at) == (now, 1, now + timedelta(hours=24))


def test_a_nudge_at_night_goes_in_the_morning(waiting):
    waiting.stage.clock.now = at("2026-03-03 22:00")
    put(waiting, nudge_at=at("2026-03-06 12:00"), due_at=at("2026-03-06 12:00"))
    morning = at("2026-03-04 09:00")
    assert waiting("Ann", "nudge bea") == "KF7: Bea is not to be woken now; the nudge goes out Wed 9am."
    row = alarm(waiting)
    assert (row.asked_at, row.nudge_at, row.due_at, row.sent) == (morning, morning, morning, 0)
    waiting.stage.run_to(morning)
    assert len(reminders(waiting)) == 1


def test_at_the_very_opening_of_the_day_a_nudge_goes_at_once(waiting):
    waiting.stage.clock.now = at("2026-03-04 08:59")
    assert waiting("Ann", "nudge bea") == "KF7: Bea has been nudged."


def test_another_wish_sets_the_next_reminder(waiting):
    put(waiting, asked_at=waiting.stage.clock.now - SECOND)
    waiting("Bea", "nudge me every 2h")
    assert alarm(waiting).nudge_at == waiting.stage.clock.now + timedelta(hours=2)
    waiting("Bea", "nudge me off")
    assert alarm(waiting).nudge_at is None


def test_a_nudge_that_waits_for_the_morning_is_looked_at_when_its_reader_s_day_changes(waiting):
    waiting.stage.clock.now = at("2026-03-03 22:00")
    waiting("Ann", "nudge bea")
    waiting("Bea", "quiet 11pm to 8am")
    waiting.stage.settle()
    row = alarm(waiting)  # she has just texted, so she is up
    assert (row.last_reason, row.nudge_at) == ("just-here", waiting.stage.clock.now + timedelta(hours=1))


def test_what_others_have_been_reminded_of_or_has_failed_keeps_no_nudge(waiting):
    here = waiting.table("KF7").id
    write(waiting, "Cy", here, "nudges", "sent")
    write(waiting, "Bea", here, "nudge", "failed")
    write(waiting, "Bea", here, "notice", "sent")
    assert waiting("Ann", "nudge bea") == "KF7: Bea has been nudged."


def test_one_reminder_of_several_tables_is_the_nudge_at_each(people):
    for code in ("AB2", "CD3"):
        people.seated(code=code)
        people("Ann", f"{code} draw, discard 4h")
    run(people, hours=2)
    put(people, "CD3", nudge_at=people.stage.clock.now)
    ring(people, "AB2")
    people.stage.settle()
    assert people("Ann", "cd3 nudge bea") == "CD3: Bea was nudged Tue 2:02pm. One nudge in 8 hours is enough."


def test_who_is_blocked_finds_only_what_they_were_told_themself_and_at_that_table(waiting):
    waiting.seated(code="CD3")
    waiting("Ann", "cd3 draw, discard 4h")
    run(waiting, hours=1)
    waiting("Bea", "kf7 block ann")
    waiting("Bea", "kf7 block dot")
    run(waiting, hours=1)
    waiting.forget()
    assert waiting("Ann", "kf7 score").startswith("KF7 round 1.")  # no word of a nudge
    for name, code in (("Dot", "kf7"), ("Ann", "cd3"), ("Ann", "kf7")):
        assert waiting(name, f"{code} nudge bea") == f"{code.upper()}: Bea has been nudged."
    assert waiting("Dot", "kf7 nudge bea").startswith("KF7: Bea was nudged Tue")
    assert reminders(waiting) == []


@pytest.mark.parametrize("opted_out", [True, False])
def test_who_wants_no_texts_or_of_whose_turn_nothing_is_kept_cannot_be_nudged(waiting, opted_out):
    with waiting.services.db.begin() as conn:
        if opted_out:
            conn.execute(update(PLAYER).where(PLAYER.c.name == "Bea").values(opted_out_at=waiting.stage.clock.now))
        else:
            conn.execute(delete(NUDGE))
    assert waiting("Ann", "nudge bea") == "KF7: Bea can't be nudged now."
    assert reminders(waiting) == []


def test_a_reminder_that_was_held_for_the_night_is_looked_at_when_its_reader_s_day_changes(waiting):
    waiting.stage.clock.now = at("2026-03-03 22:00")
    assert ring(waiting).last_reason == "asleep"
    waiting("Bea", "quiet 11pm to 8am")
    waiting.stage.settle()
    row = alarm(waiting)
    assert (row.last_reason, row.nudge_at) == ("just-here", waiting.stage.clock.now + timedelta(hours=1))
