"""What the operator may do to a table by hand: everything is kept, everybody is told, and the log replays."""

from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import admin as commands
from commands.start import prepared
from service import admin
from service.audit import audit
from service.bell import connect, queue_on
from service.models import AdminAct, table_of
from service.stored import NUDGE
from service.tables import Problem
from tests.people import gathered


@pytest.fixture
def people(people):
    people.seated()
    return people


def acts(people):
    return [(row.who, row.act, row.detail) for row in people.rows(table_of(AdminAct))]


def settle(people):
    """A moment later: texts to the same phone keep half a minute between them."""
    people.stage.run_to(people.stage.clock.now + timedelta(minutes=1))


# Pausing


def test_a_paused_table_takes_no_move_and_says_why(people):
    admin.pause(people.services, "Dot", "kf7", "we look into a fault")
    settle(people)
    before = people.whole()
    for words in ("draw", "pickup 9 9", "undo", "leave"):
        answer = people("Ann", words)
        assert "paused" in answer
        assert "we look into a fault" in answer
    assert people.whole()[1:3] == before[1:3]
    assert "KF7 is paused" in people.told("Bea")[0]
    assert acts(people) == [("Dot", "pause", "we look into a fault")]


def test_what_can_be_looked_at_can_still_be_looked_at(people):
    admin.pause(people.services, "Dot", "KF7", "")
    assert "9S" in people("Ann", "hand")


def test_no_clock_runs_while_it_is_paused_and_what_was_left_is_left(people):
    people("Ann", "pickup 9 9, discard 4h")
    [before] = people.rows(NUDGE)
    admin.pause(people.services, "Dot", "KF7", "")
    since = people.stage.clock.now
    settle(people)
    people.forget()
    people.stage.run_to(since + timedelta(days=9))
    assert people.told("Bea") == []
    admin.resume(people.services, "Dot", "KF7")
    [after] = people.rows(NUDGE)
    assert after.deadline_at - before.deadline_at == timedelta(days=9)
    assert after.due_at > people.stage.clock.now
    settle(people)
    [told] = people.told("Bea")
    assert "KF7 goes on" in told
    assert "3D" in told
    assert "Bea's turn" in people.told("Ann")[-1]


def test_bots_that_were_to_move_do_when_it_goes_on(people):
    people("Bea", "leave")
    admin.pause(people.services, "Dot", "KF7", "")
    admin.resume(people.services, "Dot", "KF7")
    people("Ann", "pickup 9 9, discard 4h")
    assert people.turn("KF7") == "Cy"
    people.replays("KF7")


def test_pausing_twice_or_resuming_what_runs_is_refused(people):
    with pytest.raises(Problem, match="not paused"):
        admin.resume(people.services, "Dot", "KF7")
    admin.pause(people.services, "Dot", "KF7", "")
    with pytest.raises(Problem, match="paused already"):
        admin.pause(people.services, "Dot", "KF7", "")
    assert len(acts(people)) == 1


# Deadlines


@pytest.mark.parametrize("hours", [24, -5])
def test_a_clock_is_moved_and_who_must_act_is_told(people, hours):
    people("Ann", "pickup 9 9, discard 4h")
    [before] = people.rows(NUDGE)
    people.forget()
    [(name, end)] = admin.move_deadline(people.services, "Dot", "KF7", timedelta(hours=hours))
    settle(people)
    [after] = people.rows(NUDGE)
    assert (name, end) == ("Bea", before.deadline_at + timedelta(hours=hours))
    assert after.deadline_at == end
    assert "you now have until" in people.told("Bea")[0]
    assert people.told("Cy") == []


def test_a_clock_is_never_moved_to_before_now(people):
    people("Ann", "pickup 9 9, discard 4h")
    [(_, end)] = admin.move_deadline(people.services, "Dot", "KF7", timedelta(days=-30))
    assert end == people.stage.clock.now


# Taking back


def test_a_move_is_taken_back_whatever_it_has_shown(people):
    people("Ann", "pickup 9 9, discard 4h")
    people("Bea", "draw")
    people.forget()
    assert admin.take_back(people.services, "Dot", "KF7") == "Bea draw"
    settle(people)
    people.replays("KF7")
    assert people.turn("KF7") == "Bea"
    assert "took back your DRAW" in people.told("Bea")[0]
    assert "took back Bea's DRAW" in people.told("Ann")[0]
    assert acts(people) == [("Dot", "take-back", "Bea draw")]
    assert people("Bea", "draw") is not None


def test_what_bots_played_since_is_taken_back_with_it(people):
    people("Bea", "leave")
    people("Ann", "pickup 9 9")
    people("Ann", "discard 4h")
    assert people.turn("KF7") == "Cy"
    assert admin.take_back(people.services, "Dot", "KF7") == "Ann discard 4H"
    assert people.turn("KF7") == "Ann"
    people.replays("KF7")
    assert audit(people.services.db).faults == []


def test_moves_are_taken_back_to_the_first_one_and_no_further(people):
    people("Ann", "pickup 9 9")
    admin.take_back(people.services, "Dot", "KF7")
    with pytest.raises(Problem, match="no move of a person"):
        admin.take_back(people.services, "Dot", "KF7")


# Seats


def test_a_seat_is_given_to_who_texts_the_code(people):
    code = admin.give_seat(people.services, "Dot", "KF7", "bea")
    people("Ann", "pickup 9 9, discard 4h")
    answer = people("Eve", f"join {code} Eve")
    assert "3D" in answer
    assert people.table("KF7").names[1] == "Eve"
    assert acts(people) == [("Dot", "give-seat", "bea")]


def test_the_seat_of_somebody_who_left_can_be_given_too(people):
    people("Bea", "leave")
    code = admin.give_seat(people.services, "Dot", "KF7", "Bea")
    assert "3D" in people("Eve", f"join {code} Eve")
    assert people.table("KF7").names[1] == "Eve"


# Looking


def test_what_is_shown_of_a_table_holds_no_hand_and_no_number(people):
    people("Ann", "pickup 9 9, discard 4h")
    facts = str(admin.facts(people.services, "kf7"))
    assert "555" not in facts
    assert "7D" not in facts
    assert "'name': 'Bea'" in facts
    assert "deadline" in facts


def run(people, monkeypatch, *words):
    monkeypatch.setattr(commands, "prepared", lambda **_: people.services)
    return CliRunner().invoke(commands.command, ["--as", "Dot", *words])


def test_the_command_line(people, monkeypatch):
    people("Ann", "pickup 9 9, discard 4h")
    assert "waits for" in run(people, monkeypatch, "table", "kf7").output
    assert "Ann pickup 9S 9C" in run(people, monkeypatch, "log", "kf7").output
    assert "Bea: 2026" in run(people, monkeypatch, "deadline", "kf7", "+24h").output
    assert "Bea: 2026" in run(people, monkeypatch, "deadline", "kf7", "-2h").output
    for wrong in ("soon", "+24", "+366d", "+99999999999d"):
        assert run(people, monkeypatch, "deadline", "kf7", wrong).exit_code == 2
    assert "KF7 is paused" in run(people, monkeypatch, "pause", "kf7", "--why", "a fault").output
    assert "KF7 goes on" in run(people, monkeypatch, "resume", "kf7").output
    assert "Taken back: Ann discard 4H" in run(people, monkeypatch, "take-back", "kf7").output
    assert "JOIN" in run(people, monkeypatch, "give-seat", "kf7", "Cy").output
    done = run(people, monkeypatch, "acts").output.splitlines()
    assert [line.split(": ")[1].split()[0] for line in done] == [
        "deadline",
        "deadline",
        "pause",
        "resume",
        "take-back",
        "give-seat",
    ]
    assert run(people, monkeypatch, "table", "zz9").output.strip() == "There is no table ZZ9."


def test_what_is_to_be_told_is_rung_for_before_the_command_ends(settings, valkey, monkeypatch, logged):
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("REDIS_URL", valkey.connection_url)
    redis = connect(valkey.connection_url)
    redis.flushall()
    services = prepared(make=False)
    services.bell.ring()
    assert queue_on(redis).count == 1
    services.database.close()
    redis.flushall()


def test_a_user_without_a_name_is_known_by_the_number(monkeypatch):
    def nobody():
        raise KeyError("getpwuid(): uid not found: 10001")

    monkeypatch.setattr("commands.admin.getpass.getuser", nobody)
    monkeypatch.setattr("commands.admin.os.getuid", lambda: 10001)
    assert commands.login() == "user 10001"


@pytest.mark.parametrize("says_no", [True, False])
def test_a_call_of_rummy_that_is_taken_back_can_be_made_again_and_let_go(database_url, tmp_path, says_no):
    """Bea's bot had waited for it, and waits again; the game goes on."""
    with gathered(database_url, tmp_path) as people:
        people.seated((Path(__file__).parent / "texts" / "rummy5000-calling.hand").read_text())
        people("Bea", "leave")
        people("Ann", "discard 9h")
        people("Cy", "rummy 9h to m1")
        admin.take_back(people.services, "Dot", "KF7")
        assert people.turn("KF7") == "Bea"
        if says_no:
            assert "let it go" in people("Cy", "no")
        else:
            people.stage.run_to(people.stage.clock.now + timedelta(hours=1))
        assert people.turn("KF7") != "Bea"
