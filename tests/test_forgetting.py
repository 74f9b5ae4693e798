"""FORGET ME: what is kept of a player goes, and their games stay."""

from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select, update

from commands import db
from service import retention
from service.audit import audit
from service.desk import Sms
from service.forgetting import opted_out_before
from service.models import Base, OptOut, Preset, WebRequest, table_of
from service.play import receive
from service.stored import INBOUND, OUTBOUND, PLAYER, SEAT, TABLE
from service.text.gsm7 import segments
from tests.people import NOON

sqlite = pytest.mark.on("sqlite")
QUESTION = (
    "This deletes your number, name, texts and settings for good. A bot takes your seat at KF7. Nobody can undo it. "
    "To do it, text FORGET ME NOW."
)


def forget(people, name):
    people(name, "forget me")
    return people(name, "forget me now")


IDS = ("sid", "message_sid")  # the carrier's; made of letters that may spell a name


def everywhere(people, what):
    """Every cell of the database that holds these words, by table and column."""
    found = set()
    for table in Base.metadata.sorted_tables:
        for row in people.rows(table):
            cells = {key: str(value).lower() for key, value in row._mapping.items() if key not in IDS}
            found |= {f"{table.name}.{key}" for key, value in cells.items() if what.lower() in value}
    return found


def test_the_question_says_what_will_happen_and_changes_nothing(at_kf7):
    assert at_kf7("Bea", "Forget me") == QUESTION
    assert segments(QUESTION) == 1
    at_kf7("Bea", "no wait")
    assert at_kf7("Bea", "forget me now") == QUESTION  # the question was over
    assert at_kf7("Bea", "hand").startswith("KF7: Hand:")
    assert "player.address" in everywhere(at_kf7, at_kf7.stage.phone("Bea").number)


@pytest.mark.parametrize("words", ["yes", "y", "ok", "forget", "1", "do it", "now", "stop"])
@sqlite
def test_nothing_else_is_the_answer(at_kf7, words):
    at_kf7("Bea", "forget me")
    at_kf7("Bea", words)
    assert at_kf7.rows(PLAYER, PLAYER.c.forgotten_at.is_not(None)) == []


def test_nothing_of_them_is_left(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "draw, lay 777, discard as")
    at_kf7("Bea", "say my secret is safe")
    at_kf7("Bea", "zone chicago")
    phone = at_kf7.stage.phone("Bea")
    (bea,) = at_kf7.rows(PLAYER, PLAYER.c.name == "Bea")
    with at_kf7.services.db.begin() as conn:
        conn.execute(insert(table_of(Preset)).values(player_id=bea.id, name="cabin", game="hearts", created_at=NOON))
        conn.execute(
            insert(table_of(WebRequest)).values(
                kind="join", address=phone.number, name="Bea", code="QQ2X", created_at=NOON
            )
        )
    said = forget(at_kf7, "Bea")
    assert (
        said
        == "Queenline: your number, name and texts are deleted. Good bye! A text from you would be one from somebody new."
    )
    assert everywhere(at_kf7, phone.number) == set()
    assert everywhere(at_kf7, phone.number.removeprefix("+")) == set()
    assert everywhere(at_kf7, "secret") <= {"outbound.body"}  # what others were told, until it is pruned
    assert everywhere(at_kf7, "Bea") == set()
    assert everywhere(at_kf7, "chicago") == set()
    (gone,) = at_kf7.rows(PLAYER, PLAYER.c.id == bea.id)
    assert gone.address == f"forgotten-{bea.id}"
    assert (gone.name, gone.zone, gone.sender, gone.prefs, gone.last_inbound_at) == (None, None, None, {}, None)
    texts = at_kf7.rows(INBOUND, INBOUND.c.player_id == bea.id)
    assert {(row.body, row.sender) for row in texts} == {("", "")}
    assert [row.answer for row in texts if row.answer] == [said]
    assert {(row.body, row.recipient) for row in at_kf7.rows(OUTBOUND, OUTBOUND.c.player_id == bea.id)} == {("", "")}


def test_a_bot_plays_on_and_the_table_is_told_without_the_name(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    assert at_kf7.turn("KF7") == "Bea"
    at_kf7.forget()
    forget(at_kf7, "Bea")
    at_kf7.stage.run_to(at_kf7.services.clock() + timedelta(minutes=1))  # the turn, not in the same breath
    told = " ".join(at_kf7.told("Cy"))
    assert "KF7: somebody asked to be forgotten and left. A bot plays on as Player2, next after Ann." in told
    assert "Bea" not in told
    assert at_kf7.table("KF7").names == ("Ann", "Player2", "Cy", "Dot")
    assert at_kf7.turn("KF7") == "Cy"
    assert "Player2 threw" in told
    who = "KF7: Ann and Cy against Player2 (bot) and Dot. Order: Ann, Player2, Cy, Dot. Cy's turn. That's you."
    assert at_kf7("Cy", "who") == who
    assert at_kf7("Cy", "draw, discard 5c")
    at_kf7.replays("KF7")


def test_a_text_that_waits_has_no_name_in_it_either(at_kf7):
    settle, at_kf7.stage.settle = at_kf7.stage.settle, lambda: None
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "draw, discard 3d")  # Cy's turn text, which waits, tells of Bea
    forget(at_kf7, "Bea")
    at_kf7.stage.settle = settle
    settle()
    assert not any("Bea" in text for text in at_kf7.told("Cy"))


def test_the_same_delivery_again_gets_the_same_answer(at_kf7):
    at_kf7("Bea", "forget me")
    sid = "SM" + "9" * 32
    said = at_kf7("Bea", "forget me now", sid=sid)
    assert at_kf7("Bea", "forget me now", sid=sid) == said
    assert len(at_kf7.rows(PLAYER, PLAYER.c.address == at_kf7.stage.phone("Bea").number)) == 0


def test_the_same_number_is_somebody_new(at_kf7):
    forget(at_kf7, "Bea")
    assert at_kf7("Bea", "hand").startswith("Queenline: card games by text.")
    assert at_kf7("Bea", "join kf7").startswith("KF7 has begun already")
    rows = at_kf7.rows(PLAYER, PLAYER.c.address == at_kf7.stage.phone("Bea").number)
    assert [(row.name, row.forgotten_at) for row in rows] == [(None, None)]


def test_a_finished_game_stays_readable(at_kf7):
    with at_kf7.services.db.begin() as conn:
        conn.execute(TABLE.update().values(status="over"))
    forget(at_kf7, "Bea")
    assert [row.name for row in at_kf7.rows(SEAT)] == ["Ann", "Player2", "Cy", "Dot"]
    assert "Player2" in at_kf7("Ann", "score")
    assert "Ann is here" in at_kf7("Ann", "rematch")
    at_kf7.replays("KF7")


def test_a_table_that_has_not_begun_has_a_free_seat_again(people):
    code = people.opened("Bea")
    forget(people, "Bea")
    assert people.told("Ann") == [f"Queenline {code}: somebody left for good. 3 seats free."]
    assert people.table(code).free == 3
    assert everywhere(people, "Bea") == set()


def test_a_host_hands_the_table_on(at_kf7):
    forget(at_kf7, "Ann")
    (bea,) = at_kf7.rows(PLAYER, PLAYER.c.name == "Bea")
    assert at_kf7.table("KF7").host_id == bea.id


@sqlite
def test_the_database_is_right_afterwards(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    forget(at_kf7, "Bea")
    found = audit(at_kf7.services.db, at_kf7.services.clock())
    assert [str(fault) for fault in found.faults] == []


@sqlite
def test_where_a_friend_has_taken_the_seat_over(people):
    people.seated()
    people("Bea", "say hello all")
    people.stage.phone("Eve")
    with people.services.db.begin() as conn:
        eve = conn.execute(select(PLAYER.c.id).where(PLAYER.c.name == "Eve")).scalar_one()
        conn.execute(SEAT.update().where(SEAT.c.number == 1).values(player_id=eve, name="Eve"))
    people("Bea", "forget me")
    people("Bea", "forget me now")
    assert everywhere(people, "Bea") == set()
    assert people.table("KF7").names == ("Ann", "Eve", "Cy", "Dot")


@sqlite
def test_a_name_within_a_word_is_left(people):
    people.stage.phone("An")
    people.seated("game: damn-the-queens\nseats: Ann An Cy Dot\nseed: 7\n")
    people("Ann", "nudge an")
    people("An", "say an apple")
    forget(people, "An")
    bodies = " ".join(row.body for row in people.rows(OUTBOUND))
    assert "Player2: Player2 apple" in bodies  # told apart from the word it may also be, it is not
    assert "Player2n" not in bodies
    assert "Ann" in " ".join(row.answer or "" for row in people.rows(INBOUND))


# Opting out is remembered


def test_who_has_opted_out_gets_no_answer_and_is_forgotten(at_kf7):
    phone = at_kf7.stage.phone("Bea")
    at_kf7("Bea", "stop")
    assert at_kf7("Bea", "forget me") is None
    assert everywhere(at_kf7, phone.number) == set()
    assert at_kf7.table("KF7").sitters[1].name == "Player2"
    assert at_kf7("Bea", "hello") is None  # a new row, which remembers
    (row,) = at_kf7.rows(PLAYER, PLAYER.c.address == phone.number)
    assert row.opted_out_at is not None
    assert at_kf7.rows(table_of(OptOut)) == []
    at_kf7("Bea", "start")
    assert at_kf7("Bea", "hello").startswith("Queenline: card games by text.")


@sqlite
def test_the_mark_is_of_a_number_and_a_key(at_kf7, monkeypatch):
    phone = at_kf7.stage.phone("Bea")
    at_kf7("Bea", "stop")
    at_kf7("Bea", "forget me")
    settings = at_kf7.services.settings
    with at_kf7.services.db.begin() as conn:
        assert opted_out_before(conn, settings, "whatsapp", phone.number) is None
        other = settings.model_copy(update={"secret_key": "f" * 8 + "0123456789" * 3})
        assert opted_out_before(conn, other, "sms", phone.number) is None
        assert opted_out_before(conn, settings, "sms", phone.number) is not None


# Clearing away what is old


def test_old_texts_lose_their_words_and_numbers_and_keep_their_ids(at_kf7):
    at_kf7("Ann", "draw, discard 4h", sid="SM" + "1" * 32)
    at_kf7.stage.clock.now += timedelta(days=100)
    now = at_kf7.services.clock()
    at_kf7("Bea", "hand")
    before = now - timedelta(days=90)
    services = at_kf7.services
    counted = retention.prune(services.db, services.settings, before, now, dry=True)
    assert at_kf7.rows(INBOUND)[0].body == "draw, discard 4h"
    done = retention.prune(services.db, services.settings, before, now)
    assert done == counted
    assert done.texts_in == 1
    assert done.texts_out >= 1
    old, new = at_kf7.rows(INBOUND)
    assert (old.message_sid, old.body, old.sender, old.answer) == ("SM" + "1" * 32, "", "", None)
    assert new.body == "hand"
    assert new.answer
    assert retention.prune(services.db, services.settings, before, now)[:2] == (0, 0)
    version = at_kf7.table("KF7").version
    assert at_kf7("Ann", "draw, discard 4h", sid="SM" + "1" * 32) is None  # the carrier delivers it once more
    assert at_kf7.table("KF7").version == version
    at_kf7.replays("KF7")
    assert [str(fault) for fault in audit(services.db, now).faults] == []


@sqlite
def test_what_waits_is_not_cleared(at_kf7):
    settle, at_kf7.stage.settle = at_kf7.stage.settle, lambda: None
    at_kf7("Ann", "draw, discard 4h")
    at_kf7.stage.clock.now += timedelta(days=100)
    now = at_kf7.services.clock()
    retention.prune(at_kf7.services.db, at_kf7.services.settings, now - timedelta(days=90), now)
    assert all(row.body and row.recipient for row in at_kf7.rows(OUTBOUND))
    assert settle is not None


def test_strangers_who_never_sat_down_are_forgotten(people):
    people.stage.phone("P9")
    people("P9", "hello")
    people("P9", "stop")
    people.opened("Bea")
    people.stage.clock.now += timedelta(days=100)
    now = people.services.clock()
    done = retention.prune(people.services.db, people.services.settings, now - timedelta(days=90), now)
    assert done.strangers == 1
    assert everywhere(people, people.stage.phone("P9").number) == set()
    assert len(people.rows(PLAYER, PLAYER.c.forgotten_at.is_(None))) == 2
    with people.services.db.begin() as conn:
        assert opted_out_before(conn, people.services.settings, "sms", people.stage.phone("P9").number) is not None


@sqlite
def test_young_texts_are_needed(people):
    now = people.services.clock()
    with pytest.raises(ValueError, match="at least 7d"):
        retention.prune(people.services.db, people.services.settings, now - timedelta(days=6), now)


@sqlite
def test_many_are_cleared_in_batches(people, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 7)
    people.stage.phone("Ann")
    with people.services.db.begin() as conn:
        player = conn.execute(select(PLAYER.c.id)).scalar_one()
        rows = [
            {"message_sid": f"SM{n}", "channel": "sms", "sender": "+12125550101", "recipient": "+12125550199", "body": "x",
             "player_id": player, "kind": "command", "received_at": NOON - timedelta(days=200 if n % 2 else 1), "segments": 0}
            for n in range(60)
        ]  # fmt: skip
        conn.execute(insert(INBOUND), rows)
    now = people.services.clock()
    done = retention.prune(people.services.db, people.services.settings, now - timedelta(days=90), now)
    assert done.texts_in == 30
    assert [row.body for row in people.rows(INBOUND)] == ["x", ""] * 30


@sqlite
def test_a_page_is_not_a_phone(at_kf7):
    phone = at_kf7.stage.phone("Bea")
    for n, words in enumerate(("forget me", "forget me now")):
        typed = Sms(f"WEB{n}" + "1" * 27, "sms", phone.number, "+12125550199", words, on_page=True)
        assert receive(at_kf7.services, typed) == "That works only by text, from your own phone: FORGET ME."
    assert at_kf7.rows(PLAYER, PLAYER.c.forgotten_at.is_not(None)) == []


@pytest.fixture
def prune(people, monkeypatch):
    for name, value in people.services.settings.environment().items():
        monkeypatch.setenv(name, value)
    return lambda *more: CliRunner().invoke(db.command, ["prune", *more])


@sqlite
def test_the_command(people, prune):
    people.stage.phone("Ann")
    people("Ann", "new damn")
    with people.services.db.begin() as conn:
        conn.execute(update(INBOUND).values(received_at=datetime(2020, 1, 1, tzinfo=UTC)))
    counted = prune("--older-than", "26w", "--dry-run")
    assert (counted.exit_code, counted.output) == (0, "Would clear 1 texts in, 0 out, 0 web forms, 0 strangers.\n")
    assert prune("--older-than", "26W").output == "Cleared 1 texts in, 0 out, 0 web forms, 0 strangers.\n"
    assert [row.body for row in people.rows(INBOUND)] == [""]


@sqlite
@pytest.mark.parametrize(
    ("age", "said"),
    [
        ("soon", "--older-than soon cannot be read: days or weeks, such as 90d or 26w."),
        ("90", "--older-than 90 cannot be read: days or weeks, such as 90d or 26w."),
        ("6d", "Texts of the last 7 days are still needed: at least 7d."),
        ("0w", "Texts of the last 7 days are still needed: at least 7d."),
    ],
)
def test_an_age_that_cannot_be(prune, age, said):
    done = prune("--older-than", age)
    assert done.exit_code == 2
    assert done.output.endswith(f"Error: {said}\n")
