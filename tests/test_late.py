"""Who is late: told once and never early, a bot or a friend on the seat, and the seat taken back at any moment."""

import random
import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select, update

from commands.stage import Stage
from engine.game import write_move
from service import late
from service.app import create_app
from service.db import Database
from service.services import Services
from service.stored import INBOUND, MOVE, NUDGE, OUTBOUND, PLAYER, SEAT, TABLE
from tests.people import NOON, PICKUP, People, ring_all
from workers.outbox import drain
from workers.sweep import sweep

NEW_YORK = ZoneInfo("America/New_York")


def at(text):
    """A moment in New York."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=NEW_YORK).astimezone(UTC)


def run(people, **span):
    people.stage.run_to(people.stage.clock.now + timedelta(**span))


def clock(people, code="KF7", pace=4 * 3600, rule="bot"):
    with people.services.db.begin() as conn:
        conn.execute(update(TABLE).where(TABLE.c.code == code).values(pace=pace, late_rule=rule))


def late_bea(people, rule="bot", words="draw, discard 4h"):
    """Ann has moved, and Bea lets four hours and the grace pass; it is five in the afternoon."""
    people.seated()
    clock(people, rule=rule)
    people("Ann", words)
    people.stage.run_to(at("2026-03-03 17:02"))


def whose(people, code="KF7"):
    return people.turn(code)


def alarms(people, name="Bea"):
    return [row for row in people.rows(NUDGE) if row.player_id == player(people, name).id]


def player(people, name):
    return people.rows(PLAYER, PLAYER.c.name == name)[0]


# Told


def test_the_table_is_told_once_who_is_late(people):
    people.seated()
    clock(people, rule="wait")
    people("Ann", "draw, discard 4h")
    people.forget()
    run(people, days=10)
    for name in ("Ann", "Cy", "Dot"):
        assert [text for text in people.told(name) if "time was up" in text] == [
            "Queenline KF7: Bea's time was up Tue 4:01pm. The table waits; NUDGE BEA reminds them."
        ]
    assert whose(people) == "Bea"


def test_what_was_announced_at_night_is_not_told_when_it_is_over_by_morning(people):
    people.seated()
    clock(people, rule="wait")
    people("Ann", "draw, discard 4h")
    people.stage.run_to(at("2026-03-03 16:00"))
    with people.services.db.begin() as conn:
        conn.execute(
            update(NUDGE).values(deadline_at=at("2026-03-03 23:00"), due_at=at("2026-03-03 23:00"), nudge_at=None)
        )
    people.stage.run_to(at("2026-03-04 07:00"))
    assert {row.kind for row in people.rows(OUTBOUND) if row.status == "pending"} == {"late"}
    people("Bea", "draw, discard 3d")
    people.forget()
    people.stage.run_to(at("2026-03-04 12:00"))
    assert [people.told(name) for name in ("Ann", "Dot")] == [[], []]


def test_a_clock_runs_only_where_somebody_waits(people):
    code = people.dealt("Bea", words="new damn pace 1h bot")
    assert all(row.deadline_at is not None for row in people.rows(NUDGE))
    waiting = whose(people, code)
    other = next(name for name in ("Ann", "Bea") if name != waiting)
    people(other, "leave")
    people.forget()
    run(people, hours=30)
    assert whose(people, code) == waiting
    assert not [text for text in people.told(waiting) if "time is up" in text or "bot plays for you" in text]
    assert people.rows(NUDGE)[0].deadline_at is None


def test_nothing_resolves_before_it_was_announced(people):
    """No worker from before the deadline until after the grace: late is told then, with a new grace."""
    people.seated()
    clock(people)
    people("Ann", "draw, discard 4h")
    people.stage.clock.now = at("2026-03-03 19:00")
    people.forget()
    people.stage.settle()
    (told,) = people.told("Bea")
    assert told.startswith("Queenline KF7: your time is up. If you don't play by Tue 8pm, a bot plays your hand")
    people.stage.run_to(at("2026-03-03 19:59"))
    assert whose(people) == "Bea"
    people.stage.run_to(at("2026-03-03 20:01"))
    assert whose(people) == "Cy"


def test_who_could_not_be_told_of_the_turn_is_not_late(people):
    """No worker at all since the turn began: the clock begins when the text goes."""
    people.seated()
    clock(people)
    settle, people.stage.settle = people.stage.settle, lambda: None
    people("Ann", "draw, discard 4h")
    people.stage.clock.now = at("2026-03-03 18:00")
    people.stage.settle = settle
    people.stage.settle()
    assert [text.partition(" By ")[2] for text in people.stage.phone("Bea").inbox] == ["Tue 10pm."]
    assert people.told("Cy") == []
    assert people.told("Bea") == ["Queenline KF7: your turn. Ann threw 4H. Top 4H of 4. Hand: 3D 7C 7D AS JK. DRAW."]
    assert not people.rows(NUDGE)[0].late


def test_a_deadline_never_moves_forward(people):
    """Whatever Bea texts and the host sets while it is Bea's turn."""
    people.seated()
    clock(people, pace=24 * 3600, rule="wait")
    people("Ann", "draw, discard 4h")
    texts = (
        "away 2d", "away until friday", "away 1d", "away", "back", "quiet 20-11", "quiet off", "zone phoenix", "zone tokyo",
        "zone new york", "nudge me off", "nudge me on", "hand", "auto off",
    )  # fmt: skip
    chance = random.Random(7)
    (row,) = people.rows(NUDGE)
    ends = [row.deadline_at]
    for _ in range(60):
        if chance.random() < 0.2:
            people("Ann", chance.choice(["pace 1d", "pace 2h bot", "pace none", "pace 3d weekdays"]))
        people("Bea", chance.choice(texts))
        (row,) = people.rows(NUDGE)
        ends.append(row.deadline_at)
        assert row.grace_at >= row.deadline_at
    assert ends == sorted(ends)
    assert ends[-1] > ends[0]


# A bot


def test_the_bot_plays_after_a_quarter_of_the_pace(people):
    people.seated()
    clock(people)
    people("Ann", "draw, discard 4h")  # 12:01
    people.stage.run_to(at("2026-03-03 17:00"))
    assert whose(people) == "Bea"
    people.stage.run_to(at("2026-03-03 17:01"))
    assert whose(people) == "Cy"
    assert people.told("Bea")[-1] == "Queenline KF7: a bot plays for you now. Any text from you takes your seat back."
    assert people.told("Cy")[-1].startswith("Queenline KF7: your turn. Ann threw 4H. Bea is late, a bot plays, ")
    people.replays("KF7")


@pytest.mark.parametrize(
    "words", ["hand", "hello there", "qwrtz plmk", "draw", "discard 4h", "games", "kf7 score", "7 of whatever"]
)
@pytest.mark.parametrize("drawn", [False, True])
def test_any_text_takes_the_seat_back(people, words, drawn):
    people.seated()
    clock(people)
    people("Ann", "draw, discard 4h")
    if drawn:  # Bea goes quiet in the middle of the turn
        people("Bea", "draw")
    people.stage.run_to(at("2026-03-03 17:03"))
    assert people.table("KF7").sitters[1].lent
    people("Bea", words)
    sitter = people.table("KF7").sitters[1]
    assert sitter.person
    assert sitter.bot_hands == 1
    for name in ("Cy", "Dot", "Ann"):
        people.stage.clock.now += timedelta(minutes=1)
        table = people.table("KF7")
        assert whose(people) == name
        if table.state.phase == "draw":
            people(name, "draw")
        legal = table.game.legal(people.table("KF7").state, table.state.turn)
        people(name, write_move([move for move in legal if move.verb == "discard"][-1]))
    assert whose(people) == "Bea"  # and no bot has touched a card of hers
    assert people.table("KF7").version == 4 + 6
    people.replays("KF7")


@pytest.mark.parametrize(
    "words", ["I'm driving with Do Not Disturb While Driving turned on.", "Auto reply: away from my phone"]
)
def test_a_machine_does_not_take_it_back(people, words):
    late_bea(people)
    seen = player(people, "Bea").last_inbound_at
    assert people("Bea", words) is None
    assert people.table("KF7").sitters[1].lent
    assert player(people, "Bea").last_inbound_at == seen


def test_it_is_told_that_the_seat_is_back(people):
    late_bea(people)
    people.forget()
    assert people("Bea", "score").endswith(
        "Bots have played 1 hand for Bea. The bot at KF7 has given you your seat back."
    )
    people("Cy", "draw, discard ts")
    assert "Bea is late, a bot plays, threw JK, is back. Cy threw 10S." in people.told("Dot")[-1]


def test_the_word_that_a_bot_plays_is_not_sent_after_it(people):
    people.seated()
    clock(people, pace=12 * 3600)
    people("Ann", "draw, discard 4h")
    with people.services.db.begin() as conn:
        conn.execute(
            update(NUDGE).values(
                late=True,
                deadline_at=at("2026-03-03 21:00"),
                grace_at=at("2026-03-04 03:00"),
                due_at=at("2026-03-04 03:00"),
            )
        )
    people.stage.run_to(at("2026-03-04 08:00"))
    assert people.table("KF7").sitters[1].lent
    people.forget()
    people("Bea", "hand")
    people.stage.run_to(at("2026-03-04 12:00"))
    assert [text for text in people.told("Bea") if "a bot plays for you" in text] == []


def test_bots_go_on_when_the_last_of_the_others_has_gone(people):
    """Bea's seat is lent, Ann leaves: nobody is there, the game waits for Bea, and goes on when she is back."""
    code = people.dealt("Bea", words="new damn pace 1h bot")
    while whose(people, code) != "Bea":
        legal = people.table(code).game.legal(people.table(code).state, people.table(code).state.turn)
        people("Ann", write_move(legal[0] if legal[0].verb == "draw" else legal[-1]))
    run(people, hours=2)
    assert people.table(code).sitters[1].lent
    people("Ann", "leave")
    assert people.table(code).status == "playing"
    people("Bea", "hand")
    assert whose(people, code) == "Bea"
    assert people.table(code).host_id == player(people, "Bea").id
    people.replays(code)


def test_hands_are_counted_by_the_round_in_which_the_bot_played(people):
    late_bea(people)
    for _ in range(200):
        table = people.table("KF7")
        if table.state.round == 3 or table.status != "playing":
            break
        seat = table.state.turn
        legal = table.game.legal(table.state, seat)
        people(
            table.names[seat],
            write_move(next((m for m in legal if m.verb in ("draw", "pass", "meld", "add")), legal[-1])),
        )
    table = people.table("KF7")
    by_bots = {row.n for row in people.rows(MOVE) if row.bot}
    assert by_bots
    assert table.sitters[1].bot_hands == table.state.round - (table.sitters[1].bot_round != table.state.round)
    people.replays("KF7")


# A friend


def invited(people):
    late_bea(people, rule="invite")
    return people.rows(SEAT, SEAT.c.invite.is_not(None))[0].invite


def test_a_friend_takes_the_seat(people):
    code = invited(people)
    answer = people("Eve", f"join {code.lower()} eve")
    assert answer.startswith("Queenline KF7: hello Eve! Damn the Queens, in Bea's seat.")
    assert "Hand: 3D 7CD AS JK." in answer
    assert "HELP for help" in answer
    table = people.table("KF7")
    assert (table.names[1], table.sitters[1].player_id) == ("Eve", player(people, "Eve").id)
    assert table.sitters[1].invite is None
    assert [(row.player_id, row.since) for row in people.rows(NUDGE)] == [(player(people, "Eve").id, table.turn_since)]
    assert people("Eve", "draw, discard 3d").startswith("KF7: you drew 3C and discarded 3D.")
    assert "Eve plays your seat now" in people.told("Bea")[-1]
    people.replays("KF7")


def test_the_host_s_seat_may_be_taken_too(people):
    people.seated(PICKUP.replace("turn: Ann", "turn: Dot"))
    clock(people, rule="invite")
    people("Dot", "draw, discard 6d")
    people.stage.run_to(at("2026-03-03 17:02"))
    code = people.rows(SEAT, SEAT.c.invite.is_not(None))[0].invite
    people("Eve", f"join {code} eve")
    assert people.table("KF7").host_id == player(people, "Bea").id


def test_a_move_of_the_owner_keeps_the_seat(people):
    code = invited(people)
    assert "own seat" in people("Bea", f"join {code}")
    people("Bea", "draw")
    assert people("Eve", f"join {code} eve").startswith(f"There is no table {code}.")
    assert people.table("KF7").names[1] == "Bea"


def test_only_one_friend_gets_it(people):
    code = invited(people)
    people("Eve", f"join {code} eve")
    assert people("P6", f"join {code} fay").startswith("There is no table")


def test_the_owner_s_texts_are_called_off(people):
    """What is held back for the morning would show the friend's hand."""
    code = invited(people)
    with people.services.db.begin() as conn:
        sent = conn.execute(select(OUTBOUND).where(OUTBOUND.c.kind == "turn")).first()
        values = {k: v for k, v in sent._asdict().items() if k not in ("id", "sid")}
        conn.execute(
            OUTBOUND.insert().values(**values | {"status": "pending", "next_attempt_at": at("2026-03-04 09:00")})
        )
    people("Eve", f"join {code} eve")
    (row,) = people.rows(OUTBOUND, OUTBOUND.c.error_code == "seat-taken")
    assert (row.status, row.player_id) == ("canceled", player(people, "Bea").id)


# Away


def missed_two(people):
    """Bea misses a clock at KF7 and then one at MN3; a third table waits as well."""
    for code, pace in (("KF7", 4), ("MN3", 6), ("PQ4", 8)):
        people.seated(code=code)
        clock(people, code, pace * 3600, "wait")
        people("Ann", f"{code} draw, discard 4h")
    people.forget()


def test_two_missed_clocks_are_being_away(people):
    missed_two(people)
    people.stage.run_to(at("2026-03-03 18:30"))
    assert people.told("Cy") == [
        "Queenline KF7: Bea's time was up Tue 4:01pm. The table waits; NUDGE BEA reminds them.",
        "Queenline MN3: Bea's time was up Tue 6:02pm. Bea seems to be away; no clock runs until Bea is back.",
        "Queenline PQ4: Bea seems to be away; no clock runs until Bea is back.",
    ]
    assert "BACK, or any move, starts them again." in people.told("Bea")[-1]
    third = next(row for row in alarms(people) if row.table_id == people.table("PQ4").id)
    assert third.deadline_at == at("2026-03-03 20:03") + timedelta(days=30)
    run(people, days=3)
    assert not [text for text in people.told("Cy") if "PQ4" in text]


def test_it_can_be_refused(people):
    missed_two(people)
    people.stage.run_to(at("2026-03-03 18:30"))
    assert people("Bea", "back").startswith("Welcome back.")
    prefs = player(people, "Bea").prefs
    assert "away" not in prefs
    assert "missed" not in prefs


def test_a_move_in_between_forgets_the_first(people):
    missed_two(people)
    people.stage.run_to(at("2026-03-03 17:30"))
    people("Bea", "kf7 draw")
    people.stage.run_to(at("2026-03-03 18:30"))
    assert player(people, "Bea").prefs["missed"] == 1


def test_away_stops_the_clock_for_exactly_that_span(people):
    people.seated()
    clock(people, rule="wait")
    people("Ann", "draw, discard 4h")
    (before,) = people.rows(NUDGE)
    people.stage.run_to(at("2026-03-03 13:00"))
    people("Bea", "away 5d")
    (after,) = people.rows(NUDGE)
    assert after.deadline_at - before.deadline_at == timedelta(days=5)
    assert after.grace_at - before.grace_at == timedelta(days=5)
    people("Bea", "away 7d")  # two days more, and a minute
    (longer,) = people.rows(NUDGE)
    assert longer.deadline_at - before.deadline_at == timedelta(days=7, minutes=1)
    people("Bea", "back")
    assert people.rows(NUDGE)[0].deadline_at == longer.deadline_at


def test_a_turn_that_comes_while_away_begins_when_they_are_back(people):
    people.seated()
    clock(people, rule="wait")
    people("Bea", "away until friday")
    people("Ann", "draw, discard 4h")
    (row,) = people.rows(NUDGE)
    assert row.deadline_at == at("2026-03-06 13:00")
    assert row.nudge_at == at("2026-03-06 15:00")
    people.forget()
    people("Bea", "draw")
    assert "away" not in player(people, "Bea").prefs


# Many at once


@pytest.fixture
def crowd(database_url, tmp_path):
    """Twenty tables, at each of which somebody's reminder has just fallen due."""
    stage = Stage(tmp_path, NOON, url=database_url)
    stage.services.database.close()
    stage.services = Services(
        database=Database(database_url, pool_size=10), settings=stage.settings, bell=stage.services.bell, clock=stage.clock,
        seeds=stage.services.seeds,
    )  # fmt: skip
    stage.client = create_app(stage.services).test_client()
    people = People(stage)
    for n in range(20):
        names = [f"P{n}{seat}" for seat in "abcd"]
        record = PICKUP
        for old, new in zip(("Ann", "Bea", "Cy", "Dot"), names, strict=True):
            record = record.replace(old, new)
        people.seated(record, f"TB{n + 20}")
        people(names[0], "draw, discard 4h")
    people.forget()
    stage.clock.now = at("2026-03-03 19:30")
    yield people
    stage.services.database.close()


def in_threads(*works):
    faults = []
    start = threading.Barrier(len(works))

    def one(work):
        try:
            start.wait(10)
            work()
        except BaseException as fault:  # noqa: BLE001
            faults.append(fault)

    threads = [threading.Thread(target=one, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not faults, faults


def test_two_sweeps_at_once_send_each_reminder_once(crowd):
    stage = crowd.stage
    in_threads(*[lambda: sweep(stage.services, stage.sender)] * 2)
    sweep(stage.services, stage.sender)
    for n in range(20):
        assert (
            len([t for t in stage.carrier.texts_to(stage.phone(f"P{n}b").number) if "still your turn" in t.body]) == 1
        )
    assert {row.sent for row in crowd.rows(NUDGE)} == {1}


def test_texts_and_alarms_at_the_same_moment(crowd):
    """Everybody moves while every alarm rings: no move is lost, and nobody who has moved is reminded after it."""
    stage = crowd.stage
    names = [f"P{n}b" for n in range(20)]
    answers = {}

    def texts(some):
        client = create_app(stage.services).test_client()
        carrier = type(stage.carrier)(
            stage.settings.twilio_account_sid, stage.settings.twilio_auth_token[0], stage.settings.public_url,
            lambda url, body, headers: client.post(url.removeprefix(stage.settings.public_url), data=body, headers=headers),
        )  # fmt: skip
        for name in some:
            answers[name] = carrier.deliver(
                stage.phone(name).number, stage.settings.twilio_numbers[0], "draw, discard 3d"
            ).texts

    in_threads(
        lambda: texts(names[::2]), lambda: texts(names[1::2]), lambda: ring_all(stage.services),
        lambda: ring_all(stage.services), lambda: drain(stage.services, stage.sender),
    )  # fmt: skip
    ring_all(stage.services)
    assert all(answers[name][0].endswith(f"{name[:-1]}c's turn.") for name in names), answers
    assert [row for row in crowd.rows(INBOUND) if row.kind == "error"] == []
    with stage.services.db.begin() as conn:
        rows = conn.execute(select(NUDGE.c.table_id, func.count()).group_by(NUDGE.c.table_id)).all()
    assert sorted(row[1] for row in rows) == [1] * 20
    assert {row.seat for row in crowd.rows(NUDGE)} == {2}
    for n in range(20):
        crowd.replays(f"TB{n + 20}")


def test_one_alarm_that_cannot_be_looked_at_keeps_no_other(crowd):
    with crowd.services.db.begin() as conn:
        conn.execute(update(TABLE).where(TABLE.c.code == "TB20").values(state="no JSON"))
    sweep(crowd.services, crowd.stage.sender)
    assert sorted(row.sent for row in crowd.rows(NUDGE)) == [0] + [1] * 19
    bad = crowd.rows(NUDGE, NUDGE.c.sent == 0)[0]
    assert bad.due_at == crowd.stage.clock.now + late.AGAIN
