"""What texts cost: counted once by player and table, told to the host and the operator, and capped by month."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select, update

from commands import spent as spent_command
from service import spending
from service.db import reading
from service.desk import Sms
from service.models import Tally, table_of
from service.play import receive
from service.spending import OF_PLAYER, OF_SERVICE, Cost, Level
from service.spent import spent
from service.stored import INBOUND, OUTBOUND, PLAYER, TABLE
from service.text.gsm7 import segments
from tests.conftest import START
from tests.people import NOON, gathered

TALLY = table_of(Tally)
sqlite = pytest.mark.on("sqlite")


def tallied(people, kind):
    return {row.scope: row[4] for row in people.rows(TALLY, TALLY.c.kind == kind)}


def use(people, name, count):
    """As if so many segments of this month had gone to somebody already."""
    with people.services.db.begin() as conn:
        player = conn.execute(select(PLAYER.c.id).where(PLAYER.c.name == name)).scalar_one()
        spending.count(conn, people.services.clock(), [Cost(player, None, count)])


# Counting


def test_every_text_is_counted_once_for_its_reader_and_its_table(at_kf7):
    at_kf7("Ann", "draw, discard 4h", sid="SM" + "1" * 32)
    at_kf7("Ann", "draw, discard 4h", sid="SM" + "1" * 32)  # delivered twice by the carrier
    at_kf7("Bea", "hand")
    sent = at_kf7.rows(OUTBOUND, OUTBOUND.c.sent_at.is_not(None))
    answers = at_kf7.rows(INBOUND, INBOUND.c.answer.is_not(None))
    assert sent
    assert len(answers) == 2
    paid: dict[str, int] = {}
    for row in (*sent, *answers):
        paid[str(row.player_id)] = paid.get(str(row.player_id), 0) + row.segments
    assert tallied(at_kf7, spending.PLAYER) == paid
    (table,) = at_kf7.rows(TABLE)
    assert tallied(at_kf7, spending.TEXTS) == {str(table.id): len(sent) + len(answers)}
    assert tallied(at_kf7, spending.PARTS) == {str(table.id): sum(paid.values())}


def test_a_text_that_is_not_sent_costs_nothing(at_kf7):
    at_kf7("Bea", "stop")
    before = tallied(at_kf7, spending.TEXTS)
    at_kf7("Ann", "draw, discard 4h")
    (table,) = at_kf7.rows(TABLE)
    assert tallied(at_kf7, spending.TEXTS)[str(table.id)] == before.get(str(table.id), 0) + 1  # the answer


def test_many_at_once_are_all_counted(database, players):
    def work():
        for _ in range(10):
            with database.engine.begin() as conn:
                spending.count(conn, START, [Cost(players["Ann"], 1, 2), Cost(players["Bea"], 1, 1)])

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading(database.engine) as conn:
        assert spending.used_by(conn, players.values(), START) == {players["Ann"]: 120, players["Bea"]: 60}
        assert spending.used_by_all(conn, START) == 180
        assert spending.of_table(conn, 1, START, START) == (120, 180, 120)


@sqlite
def test_a_month_is_its_own(database, players):
    december = datetime(2026, 12, 1, tzinfo=UTC)
    with database.engine.begin() as conn:
        spending.count(conn, december - timedelta(seconds=1), [Cost(players["Ann"], 7, 5)])
        spending.count(conn, december, [Cost(players["Ann"], 7, 2)])
        assert spending.used_by(conn, [players["Ann"]], december) == {players["Ann"]: 2}
        assert spending.of_table(conn, 7, december - timedelta(days=40), december) == (2, 7, 1)
    assert spending.next_month(december) == "Jan 1"
    assert spending.next_month(datetime(2026, 1, 31, tzinfo=UTC)) == "Feb 1"


# What the host and the operator are told


def test_the_host_is_told_what_the_table_has_cost(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    rows = at_kf7.rows(OUTBOUND, OUTBOUND.c.sent_at.is_not(None))
    texts = len(rows) + 1
    assert at_kf7("Ann", "cost") == (
        f"KF7: {texts} texts, {texts} segments so far, {texts} of them this month. No game of Damn the Queens has ended yet."
    )
    assert at_kf7("Bea", "cost") == "KF7: COST is for Ann. SCORE tells how the game goes."


@sqlite
def test_a_game_of_this_kind_on_average_and_its_price(database_url, tmp_path):
    with gathered(database_url, tmp_path, price_per_segment="0.0079") as people:
        people.seated()
        for n, (parts, game) in enumerate([(100, "damn-the-queens"), (301, "damn-the-queens"), (900, "hearts")]):
            with people.services.db.begin() as conn:
                made = {
                    "code": f"QQ{n}",
                    "game": game,
                    "options": "",
                    "seat_count": 4,
                    "host_id": 1,
                    "status": "over",
                    "seed": "1",
                }
                times = {"created_at": NOON - timedelta(days=50), "updated_at": NOON - timedelta(days=1)}
                table = conn.execute(insert(TABLE).values(**made, **times).returning(TABLE.c.id)).scalar_one()
                spending.count(conn, NOON - timedelta(days=40), [Cost(None, table, parts - 1)])
                spending.count(conn, NOON - timedelta(days=1), [Cost(None, table, 1)])
        said = people("Ann", "how much does this cost?")
        assert said == (
            "KF7: 0 texts, 0 segments so far, 0 of them this month. That is 0.00, at 0.0079 each. "
            "A whole game of Damn the Queens takes 200 on average."
        )


def test_texts_by_table_day_and_kind(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7.stage.clock.now += timedelta(days=2)
    at_kf7("Ann", "say hello")
    since = NOON - timedelta(days=1)
    sent = at_kf7.rows(OUTBOUND, OUTBOUND.c.sent_at.is_not(None))
    with reading(at_kf7.services.db) as conn:
        by_kind = {one.what: one for one in spent(conn, "kind", since)}
        by_table = spent(conn, "table", since)
        by_day = spent(conn, "day", since)
        later = spent(conn, "day", NOON + timedelta(days=1))
    assert by_kind["answer"][1:] == (2, 2, 2)
    assert by_kind["turn"].texts_out == 1
    assert by_kind["say"].texts_out == 3
    assert [(one.what, one.texts_in, one.texts_out) for one in by_table] == [("KF7 damn-the-queens", 2, len(sent) + 2)]
    assert by_table[0].segments == sum(row.segments for row in sent) + 2
    assert [one.what for one in by_day] == ["2026-03-03", "2026-03-05"]
    assert later == by_day[1:]


@sqlite
def test_the_first_row_of_a_span_is_found_whatever_the_numbers(at_kf7):
    now = NOON
    with at_kf7.services.db.begin() as conn:
        for n, days in ((3, 40), (10, 30), (11, 20), (50, 3), (51, 2), (900, 1)):
            conn.execute(
                insert(OUTBOUND).values(
                    id=n, player_id=1, recipient="", body="x", kind="turn", status="sent", next_attempt_at=now,
                    created_at=now - timedelta(days=days), sent_at=now, segments=n,
                )
            )  # fmt: skip
        for back, least in ((50.0, 1014 + 11), (25.0, 1012), (2.5, 951), (0.5, 0)):
            assert sum(one.segments for one in spent(conn, "kind", now - timedelta(days=back))) == least


@sqlite
def test_the_operator_s_table(at_kf7, capsys):
    at_kf7("Ann", "draw, discard 4h")
    spent_command.show(at_kf7.services, "kind", 30, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["kind", "texts", "in", "texts", "out", "segments"]
    assert lines[-1].split()[0] == "all"
    spent_command.show(at_kf7.services, "table", 30, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["rows"][0]["what"] == "KF7 damn-the-queens"
    assert facts["all"]["segments"] == facts["rows"][0]["segments"]
    assert CliRunner().invoke(__import__("commands.status").status.command, ["--by", "phase"]).exit_code == 2


# Caps


@pytest.mark.parametrize(
    ("used", "of_player", "of_service"),
    [
        (0, Level.FINE, Level.FINE),
        (79, Level.FINE, Level.FINE),
        (80, Level.NEAR, Level.NEAR),
        (99, Level.NEAR, Level.NEAR),
        (100, Level.FULL, Level.FULL),
        (105, Level.FULL, Level.OVER),
        (110, Level.FULL, Level.SHUT),
        (125, Level.OVER, Level.SHUT),
        (150, Level.SHUT, Level.SHUT),
    ],
)
def test_levels(used, of_player, of_service):
    assert spending.level(used, 100, OF_PLAYER) == of_player
    assert spending.level(used, 100, OF_SERVICE) == of_service
    assert spending.level(used, 0, OF_PLAYER) == Level.FINE


@pytest.fixture
def capped(database_url, tmp_path):
    with gathered(database_url, tmp_path, player_monthly_segments="100") as people:
        people.seated()
        yield people


def test_who_comes_near_is_told_once_where_there_is_room(capped, logged):
    use(capped, "Ann", 79)
    assert "for this month" not in capped("Ann", "score")  # it would take a second segment
    assert capped("Ann", "auto on") == (
        "Moves that leave no choice are made for you. You have had 81 of 100 texts for this month. After that only what matters "
        "comes until Apr 1."
    )
    assert "for this month" not in capped("Ann", "auto on")
    assert logged.getvalue().count("cap.player") == 1


def test_and_at_ninety_in_any_case(capped):
    use(capped, "Ann", 90)
    assert "for this month" in capped("Ann", "score")


def test_at_the_cap_small_things_stop_and_turns_come(capped):
    capped("Bea", "updates all")
    use(capped, "Bea", 100)
    capped.forget()
    capped("Ann", "draw")
    capped("Ann", "say hello")
    assert capped.told("Bea") == []
    capped("Ann", "discard 4h")
    (turn,) = capped.told("Bea")
    assert "your turn" in turn.lower()
    text = capped("Bea", "score")
    assert "reminders and updates stop until Apr 1" in text
    assert "stop until" not in capped("Bea", "score")
    reasons = {row.error_code for row in capped.rows(OUTBOUND, OUTBOUND.c.status == "canceled")}
    assert "cap" in reasons


def test_far_over_only_answers(capped):
    use(capped, "Bea", 150)
    capped("Ann", "draw, discard 4h")
    assert capped.told("Bea") == []
    assert capped("Bea", "hand").startswith("KF7: your turn.")
    assert capped("Bea", "draw, discard 3d")
    assert capped.turn("KF7") == "Cy"


def test_talk_counts_for_who_says_it(capped):
    capped("Ann", "say hello")
    ids = {row.name: str(row.id) for row in capped.rows(PLAYER)}
    counts = tallied(capped, spending.PLAYER)
    assert counts == {ids["Ann"]: 4}  # three readers, and the answer
    use(capped, "Ann", 100)
    assert capped("Ann", "say hello again").startswith("Your texts of this month are used up")
    assert tallied(capped, spending.TEXTS) == {"1": 5}  # the refusal is an answer, too


@pytest.fixture
def full_service(database_url, tmp_path):
    with gathered(database_url, tmp_path, service_monthly_segments="1000", player_monthly_segments="0") as people:
        people.seated()
        yield people


def test_a_service_that_is_full_takes_no_new_players(full_service, logged):
    people = full_service
    use(people, "Cy", 1000)
    said = "Queenline has used up its texts for this month. New tables and players again from Apr 1. Games go on."
    assert people("Ann", "new damn") == said
    assert people("P9", "hello") is None
    with people.services.db.begin() as conn:
        conn.execute(
            insert(TABLE).values(
                code="QQ2",
                game="damn-the-queens",
                options="",
                seat_count=4,
                host_id=1,
                status="open",
                seed="1",
                created_at=NOON,
                updated_at=NOON,
            )
        )
    assert people("P9", "join qq2 p9") == said
    people.forget()
    people("Ann", "draw, discard 4h")
    assert len(people.told("Bea")) == 1
    assert logged.getvalue().count("cap.service") == 1


def test_a_tenth_above_only_answers_and_what_waits_goes_out_when_the_cap_is_raised(full_service):
    people = full_service
    use(people, "Cy", 1100)
    people("Ann", "draw, discard 4h")
    assert people.told("Bea") == []
    (row,) = people.rows(OUTBOUND, OUTBOUND.c.kind == "turn")
    assert (row.status, row.next_attempt_at) == ("pending", people.services.clock() + spending.AGAIN)
    with people.services.db.begin() as conn:
        conn.execute(update(TALLY).where(TALLY.c.kind == spending.PLAYER).values(count=0))
    people.stage.run_to(people.services.clock() + timedelta(hours=2))
    assert len(people.told("Bea")) == 1


def test_an_answer_with_a_warning_is_within_two_segments(capped):
    for used in (79, 100, 125, 150):
        use(capped, "Ann", used - spending_of(capped, "Ann"))
        for words in ("hand", "table", "draw", "discard 4h", "rules"):
            text = capped("Ann", words)
            assert text is None or segments(text) <= 2


def spending_of(people, name):
    with reading(people.services.db) as conn:
        player = conn.execute(select(PLAYER.c.id).where(PLAYER.c.name == name)).scalar_one()
        return spending.used_by(conn, [player], people.services.clock()).get(player, 0)


def test_what_is_typed_on_a_page_costs_nothing(at_kf7):
    phone = at_kf7.stage.phone("Ann")
    typed = Sms("WEB" + "1" * 28, "sms", phone.number, "+12125550199", "KF7 hand", on_page=True)
    assert str(receive(at_kf7.services, typed)).startswith("KF7: your turn.")
    assert at_kf7.rows(TALLY, TALLY.c.kind == spending.PLAYER) == []
    with reading(at_kf7.services.db) as conn:
        assert spent(conn, "kind", NOON - timedelta(days=1)) == []
