"""Nobody waits for ever, and nobody is pestered: reminders, nights, many tables, plans, and the sweep behind it all."""

import random
import signal
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

import commands.status
from commands.status import status
from engine import bots
from engine.cards import card_name
from engine.game import read_options, write_move
from engine.record import begin, parse
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from service import late
from service.bell import Bell, queue_on
from service.config import load
from service.hours import DEFAULT, is_waking
from service.services import utc_now
from service.stored import MOVE, NUDGE, OUTBOUND, PLAYER, TABLE
from service.zones import candidates
from tests.people import PICKUP, ring_all
from workers import outbox, process
from workers.listen import Listener, Scheduler
from workers.sweep import next_moments, sweep

NEW_YORK, PHOENIX = ZoneInfo("America/New_York"), ZoneInfo("America/Phoenix")


def at(text, zone=NEW_YORK):
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=zone).astimezone(UTC)


def run(people, **span):
    people.stage.run_to(people.stage.clock.now + timedelta(**span))


def player(people, name):
    return people.rows(PLAYER, PLAYER.c.name == name)[0]


def when_sent(people, name, zone=NEW_YORK, kinds=("turn", "nudge")):
    """The local times of what has been sent to somebody."""
    rows = people.rows(OUTBOUND, OUTBOUND.c.player_id == player(people, name).id, OUTBOUND.c.sent_at.is_not(None))
    return [f"{row.kind} {row.sent_at.astimezone(zone):%m-%d %H:%M}" for row in rows if row.kind in kinds]


# Nights


@pytest.mark.parametrize(
    ("zone", "began", "sent"),
    [
        # The clocks go forward at two on the eighth, a Sunday; the window opens at noon.
        ("America/New_York", "2026-03-08 01:59", ["turn 03-08 12:00", "nudge 03-08 18:00", "nudge 03-09 18:00", "nudge 03-11 12:01"]),
        ("America/Phoenix", "2026-03-08 01:59", ["turn 03-08 12:00", "nudge 03-08 18:00", "nudge 03-09 18:00", "nudge 03-11 12:01"]),
        # They go back at two on the first of November, also a Sunday: half past one comes twice.
        ("America/New_York", "2026-11-01 01:30", ["turn 11-01 12:00", "nudge 11-01 18:00", "nudge 11-02 18:00", "nudge 11-04 12:01"]),
        ("America/Phoenix", "2026-11-01 01:30", ["turn 11-01 12:00", "nudge 11-01 18:00", "nudge 11-02 18:00", "nudge 11-04 12:01"]),
        # And over the night: a day later is a day, whatever the clock says, but not before nine.
        ("America/New_York", "2026-03-07 12:00", ["turn 03-07 12:00", "nudge 03-07 18:00", "nudge 03-08 19:00", "nudge 03-10 13:01"]),
        ("America/New_York", "2026-10-31 12:00", ["turn 10-31 12:00", "nudge 10-31 18:00", "nudge 11-01 17:00", "nudge 11-03 11:01"]),
        ("America/Phoenix", "2026-10-31 12:00", ["turn 10-31 12:00", "nudge 10-31 18:00", "nudge 11-01 18:00", "nudge 11-03 12:01"]),
    ],
)  # fmt: skip
def test_over_the_nights_when_the_clocks_change(people, zone, began, sent):
    clock = ZoneInfo(zone)
    people.stage.zone = zone
    people.stage.clock.now = at(began, clock) - timedelta(hours=2)
    people.seated()
    people.stage.run_to(at(began, clock) - timedelta(minutes=1))
    people("Ann", "draw, discard 4h")
    people.stage.run_to(at(began, clock) + timedelta(days=4, hours=-1))
    assert when_sent(people, "Bea", clock) == sent


def test_a_turn_at_ten_past_two_and_a_move_at_eight(people):
    people.stage.clock.now = at("2026-03-04 02:09")
    people.seated()
    people("Ann", "draw, discard 4h")
    people.stage.run_to(at("2026-03-04 07:59"))
    people("Bea", "draw, discard 3d")
    run(people, days=2)
    assert when_sent(people, "Bea") == []
    assert {row.error_code for row in people.rows(OUTBOUND) if row.player_id == player(people, "Bea").id} == {
        "moved-on"
    }


def test_who_has_looked_at_their_hand_is_not_told_of_the_turn_as_well(people):
    people.stage.run_to(at("2026-03-04 02:10"))
    people.seated()
    people("Ann", "draw, discard 4h")
    assert "your turn. Ann threw 4H." in people("Bea", "hand")
    people.stage.run_to(at("2026-03-04 12:00"))
    assert when_sent(people, "Bea") == []
    (held,) = people.rows(OUTBOUND, OUTBOUND.c.player_id == player(people, "Bea").id)
    assert (held.kind, held.status, held.error_code) == ("turn", "canceled", "told-again")


def test_the_worker_was_down_all_night(people):
    """In the morning everybody gets what still matters, once, and nothing that was news is lost."""
    people.seated()
    settle, people.stage.settle = people.stage.settle, lambda: None
    for name in ("Bea", "Cy", "Dot", "Ann"):
        people(name, "updates all") if name in ("Dot", "Ann") else people(name, "hand")
    people("Ann", "draw, discard 4h")
    people("Bea", "draw, discard 3d")
    people("Cy", "draw, discard ts")
    people("Cy", "say see you tomorrow")
    people.stage.clock.now = at("2026-03-04 08:30")
    people.forget()
    people.stage.settle = settle
    people.stage.settle()
    people.stage.run_to(at("2026-03-04 10:00"))
    assert people.told("Dot") == [
        "Queenline KF7: your turn. Ann threw 4H. Bea threw 3D. Cy threw 10S. Top 10S of 6. Hand: 6C 6D QS AH. DRAW.",
        "Queenline KF7 Cy: see you tomorrow",
    ]
    assert people.told("Bea") == people.told("Ann")[1:] == ["Queenline KF7 Cy: see you tomorrow"]
    assert people.told("Cy") == []


# The ladder


def test_three_days_of_silence_are_three_texts(people):
    people.seated()
    people("Ann", "draw, discard 4h")
    run(people, hours=72)
    assert when_sent(people, "Bea") == ["turn 03-03 12:01", "nudge 03-03 18:01", "nudge 03-04 18:01"]
    run(people, days=30)
    times = [row.sent_at for row in people.rows(OUTBOUND, OUTBOUND.c.player_id == player(people, "Bea").id)]
    for first in times:
        assert sum(first <= time < first + timedelta(hours=72) for time in times) <= 3


def test_twenty_nudges_are_one(people):
    people.seated()
    people("Ann", "draw, discard 4h")
    run(people, hours=1)
    people.forget()
    answers = [people(name, "nudge bea") for _ in range(7) for name in ("Ann", "Cy", "Dot")][:20]
    assert answers[0] == "KF7: Bea has been nudged."
    assert set(answers[1:]) == {"KF7: Bea was nudged Tue 1:02pm. One nudge in 8 hours is enough."}
    assert len(people.told("Bea")) == 1


def test_a_reminder_that_has_just_gone_counts_as_the_nudge(people):
    people.seated()
    people("Ann", "draw, discard 4h")
    run(people, hours=6, minutes=10)
    people.forget()
    assert people("Ann", "nudge bea") == "KF7: Bea was nudged Tue 6:01pm. One nudge in 8 hours is enough."
    assert people.told("Bea") == []


@pytest.mark.parametrize(("wish", "count"), [("off", 0), ("daily", 3), ("every 6h", 5), ("on", 2)])
def test_everybody_s_own_wish(people, wish, count):
    people.seated()
    people("Bea", f"nudge me {wish}")
    people("Ann", "draw, discard 4h")
    run(people, hours=72)
    assert len(when_sent(people, "Bea", kinds=("nudge",))) == count


def test_who_was_just_here_is_not_reminded_in_the_next_minute(people):
    people.seated()
    people("Ann", "draw, discard 4h")
    people.stage.run_to(at("2026-03-03 17:50"))
    people("Bea", "hand")
    people.stage.run_to(at("2026-03-03 18:30"))
    assert people.rows(NUDGE)[0].last_reason == "just-here"
    people.stage.run_to(at("2026-03-03 19:30"))
    assert when_sent(people, "Bea") == ["turn 03-03 12:01", "nudge 03-03 19:01"]


def test_sixty_days_without_a_word(people):
    people.seated()
    people("Bea", "hand")
    people("Ann", "draw, discard 4h")
    run(people, days=100)
    last = people.rows(OUTBOUND, OUTBOUND.c.player_id == player(people, "Bea").id)[-1]
    assert last.sent_at < at("2026-05-03 12:00")
    assert people.rows(NUDGE)[0].last_reason == "idle"
    people("Ann", "join kf7")  # who shows after so long that it is still her
    assert people("Ann", "nudge bea") == "KF7: Bea can't be nudged now."
    people("Bea", "join kf7")
    count = len(when_sent(people, "Bea"))
    run(people, days=2)
    assert len(when_sent(people, "Bea")) > count


def test_who_has_opted_out_is_not_reminded_until_start(people):
    people.seated()
    people("Bea", "hand")
    people("Ann", "draw, discard 4h")
    people("Bea", "stop")
    run(people, days=2)
    assert when_sent(people, "Bea") == ["turn 03-03 12:02"]
    assert people("Ann", "nudge bea") == "KF7: Bea can't be nudged now."
    assert people.rows(NUDGE)[0].last_reason == "opted-out"
    people("Bea", "start")
    run(people, hours=8)
    assert len(when_sent(people, "Bea")) == 2


def test_a_play_leaves_one_alarm_and_the_end_none(people):
    people.seated()
    for name, words in (
        ("Ann", "draw, discard 4h"),
        ("Bea", "draw"),
        ("Bea", "discard 3d"),
        ("Cy", "draw, discard ts"),
    ):
        people(name, words)
        (row,) = people.rows(NUDGE)
        assert people.table("KF7").names[row.seat] == people.turn("KF7")
    people("Cy", "undo")
    (row,) = people.rows(NUDGE)
    assert people.table("KF7").names[row.seat] == "Cy"
    people("Cy", "discard ts, undo")  # in one text, too
    (row,) = people.rows(NUDGE)
    assert (people.table("KF7").names[row.seat], row.since) == ("Cy", people.table("KF7").turn_since)
    for name in ("Ann", "Bea", "Cy", "Dot"):
        people(name, "leave")
    run(people, days=1)
    assert people.rows(NUDGE) == []


# Zones


def test_an_unknown_zone_is_texted_only_when_it_is_day_in_all_of_them(people):
    bea = people.stage.phone("Bea")
    with people.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "Bea").values(zone=None, address="+18005550102"))
    bea.number = "+18005550102"
    people.stage.clock.now = at("2026-03-03 09:30")
    people.seated()
    people("Ann", "draw, discard 4h")
    people.stage.run_to(at("2026-03-03 20:00"))
    zones = candidates("+18005550102")
    assert len(zones) > 5
    (row,) = people.rows(OUTBOUND, OUTBOUND.c.kind == "turn")
    assert row.sent_at == at("2026-03-03 14:00")  # nine in Honolulu
    assert is_waking(row.sent_at, zones, DEFAULT)
    assert not is_waking(row.sent_at - timedelta(minutes=1), zones, DEFAULT)


def test_the_guess_is_told_once_where_it_costs_nothing(people):
    phone = people.stage.phone("P7")
    with people.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == "P7").values(zone=None, zone_source=None))
    said = [people("P7", words) for words in ("new damn", "bots", "deal", "hand", "score", "who", "table", "hand")]
    told = [text for text in said if "text ZONE" in text]
    assert len(told) == 1, said
    assert "Your clock: " in told[0]
    assert len(told[0]) <= 160
    people("P7", "zone chicago")
    assert player(people, "P7").zone == "America/Chicago"
    assert phone.inbox


# Redis does not matter


def test_a_reminder_goes_within_a_minute_of_falling_due_with_no_bell_at_all(people):
    """No RQ, no Redis: only the sweep, every fifteen seconds."""
    people.seated()
    people("Ann", "draw, discard 4h")
    (row,) = people.rows(NUDGE)
    people.stage.clock.now = row.nudge_at - timedelta(seconds=47)
    people.forget()
    while people.stage.clock.now < row.nudge_at + timedelta(minutes=3):
        people.stage.clock.now += timedelta(seconds=15)
        people.stage.settle()
    (sent,) = people.rows(OUTBOUND, OUTBOUND.c.kind == "nudge")
    assert timedelta(0) <= sent.sent_at - row.nudge_at <= timedelta(seconds=60)
    assert len(people.told("Bea")) == 1


class Listening:
    """The people's service with a real bell; calling it answers what has been rung, as the worker's process does."""

    def __init__(self, people, url):
        settings = load(**people.stage.settings.model_dump() | {"redis_url": url})
        self.services = replace(people.services, settings=settings, bell=Bell(url), clock=utc_now)
        self.used = process.use(self.services, people.stage.sender)

    def __call__(self):
        worker = Listener(
            [queue_on(self.used.redis)], connection=self.used.redis, serializer="json", log_job_description=False
        )
        worker.stopping = self.used.stopping
        worker.work(burst=True, logging_level="WARNING")


@pytest.fixture
def listening(people, redis, valkey):
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    listening = Listening(people, valkey.connection_url)
    yield listening
    for number, handler in handlers.items():  # RQ takes them and keeps them
        signal.signal(number, handler)
    listening.used.redis.close()


def due_soon(people, seconds):
    """It is Bea's turn, and a reminder falls due in real time."""
    people.seated()
    people("Ann", "draw, discard 4h")
    people.forget()
    due = utc_now() + timedelta(seconds=seconds)
    with people.services.db.begin() as conn:
        conn.execute(
            update(PLAYER).values(prefs={"quiet": [0, 1439, 0]}, last_inbound_at=utc_now() - timedelta(days=1))
        )
        conn.execute(update(NUDGE).values(due_at=due, nudge_at=due))
    return due


@pytest.mark.on("sqlite")
def test_rq_brings_the_sweep_to_the_second(people, listening, redis, valkey):
    due = due_soon(people, 2)
    sweep(listening.services, people.stage.sender)  # finds nothing due, and asks RQ to wake
    assert people.told("Bea") == []
    queue = queue_on(redis)
    scheduler = Scheduler([queue], connection=redis, serializer="json", logging_level="WARNING")
    thread = threading.Thread(target=scheduler.work, daemon=True)
    thread.start()
    try:
        # Waits for the job itself, and gives it back to who is to answer it.
        job = queue.dequeue_any([queue], timeout=10, connection=redis, serializer="json")
        assert job is not None
        queue.enqueue_job(job[0])
    finally:
        scheduler.request_stop()
        thread.join(10)
    listening()
    (row,) = people.rows(OUTBOUND, OUTBOUND.c.kind == "nudge")
    assert timedelta(0) <= row.sent_at - due < timedelta(seconds=4)


@pytest.mark.on("sqlite")
def test_redis_emptied_in_between(people, listening, redis):
    due_soon(people, -1)
    people.services.bell.ring()
    redis.flushall()
    sweep(listening.services, people.stage.sender)
    people.stage.settle()
    sweep(listening.services, people.stage.sender)
    listening()
    assert len(people.rows(OUTBOUND, OUTBOUND.c.kind == "nudge", OUTBOUND.c.status == "sent")) == 1


# Many tables


def five(people):
    codes = ["AB2", "CD3", "EF4", "GH5", "JK6"]
    for code in codes:
        people.seated(PICKUP.replace("stock: 7S 3C JD 4C 8S QD", STOCK), code)
    return codes


STOCK = "stock: " + " ".join(
    f"{rank}{suit}" for suit in "SHDC" for rank in "37JQK46A5T8" if f"{rank}{suit}" not in PICKUP
)


def test_five_turns_within_ten_minutes_are_one_text(people):
    codes = five(people)
    for code in codes:
        people("Ann", f"{code} draw, discard 4h")
    people.forget()
    run(people, hours=1)
    assert people.told("Bea") == [
        "Queenline Your turn at 5 tables: AB2, CD3, EF4, GH5, JK6. Text AB2 HAND to see your cards there."
    ]
    run(people, hours=6)
    assert people.told("Bea") == ["Queenline 5 tables wait for you: AB2, CD3, EF4, GH5, JK6. Text AB2 HAND."]
    assert [row.sent for row in people.rows(NUDGE)] == [1] * 5
    assert people("Bea", "ef4 hand").startswith("EF4: your turn. Ann threw 4H. Top 4H of 4.")
    assert people("Bea", "ef4 hand").startswith("EF4: your turn. Top 4H of 4.")


@pytest.mark.on("sqlite")
def test_five_hundred_texts_to_five_tables(people):
    """Ann texts whatever comes to mind. A text acts on one table at most: the one it names, or the one it can be meant for."""
    people.judge = False
    codes = five(people)
    people("Ann", "auto off")
    settle, people.stage.settle = people.stage.settle, lambda: None
    chance = random.Random(11)
    asked: list[str] = []  # the tables of an open question, and what it was about
    about = ""
    moved = questions = 0
    now = {code: people.table(code) for code in codes}
    for _ in range(500):
        before, code = now, chance.choice(codes)
        words, led = some_words(chance, before[code])
        text = f"{code} {words}" if led else words
        can = {code} if led else {c for c in codes if legal_there(before[c], words)}
        answer = people("Ann", text)
        now = {c: people.table(c) for c in codes}
        changed = [c for c in codes if now[c].version != before[c].version]
        assert len(changed) <= 1, (text, answer)
        if changed:
            moved += 1
            picked = pick(text, asked)
            if picked:
                assert changed == [picked], (text, asked, answer)
                assert legal_there(before[picked], about)
            else:
                assert set(changed) == can, (text, can, answer)
            assert answer.startswith(f"{changed[0]}:"), (text, answer)
        asked, about = [], ""
        if answer and answer.startswith("Which table:"):
            questions += 1
            asked = [word for word in answer.partition("?")[0].replace(",", "").split() if word in codes]
            about = text
        for c in codes:  # the others play on by themselves
            table = now[c]
            if table.status == "playing" and table.state.turn != 0 and chance.random() < 0.7:
                seat = table.state.turn
                move = bots.choose(table.game.view(table.state, seat), table.game.legal(table.state, seat))
                people(table.names[seat], f"{c} {write_move(move)}")
                now[c] = people.table(c)
    people.stage.settle = settle
    assert moved > 60
    assert questions > 30
    for code in codes:
        people.replays(code)


def some_words(chance, table):
    """What Ann might text next, and whether she names the table."""
    verb, led = (
        chance.choice(["draw", "draw", "discard", "discard", "hand", "score", "1", "2", "code", "pile"]),
        chance.random() < 0.4,
    )
    if verb == "code":
        return table.code.lower(), False
    if verb != "discard":
        return verb, led and verb not in ("1", "2")
    mine = table.status == "playing" and table.state.turn == 0
    return write_move(DAMN_THE_QUEENS.legal(table.state, 0)[-1]) if mine else "discard 4H", led


def legal_there(table, words):
    """Whether the words are a move that Ann can make there."""
    state = table.state
    if table.status != "playing" or state.turn != 0:
        return False
    return words in [write_move(move) for move in DAMN_THE_QUEENS.legal(state, 0)] + (
        ["draw"] if state.phase == "draw" else []
    )


def pick(text, asked):
    """The table that a bare answer picks."""
    word = text.strip().upper()
    if word.isdigit() and 1 <= int(word) <= len(asked):
        return asked[int(word) - 1]
    return word if word in asked else None


def test_after_a_question_the_next_bare_answer_settles_it(people):
    five(people)
    assert people("Ann", "draw").startswith("Which table: 1 AB2, 2 CD3, 3 EF4, 4 GH5, 5 JK6?")
    assert people("Ann", "3").startswith("EF4: you drew JS.")
    assert people("Ann", "draw").startswith("Which table: 1 AB2, 2 CD3, 3 GH5, 4 JK6?")
    assert people("Ann", "score").startswith("Which table:")
    assert people("Ann", "gh5").startswith("GH5 round 1.")
    assert [people.table(code).version for code in ("AB2", "CD3", "EF4", "GH5", "JK6")] == [0, 0, 1, 0, 0]


# Ahead of time


def test_what_everybody_knows_to_be_forced_is_the_only_move_there_is():
    seen = 0
    for n in range(30):
        state = DAMN_THE_QUEENS.deal(read_options(DAMN_THE_QUEENS.Options, {}), 4, f"forced/{n}")
        while not state.ended:
            if state.over:
                DAMN_THE_QUEENS.next_round(state)
            seat = state.turn
            legal = DAMN_THE_QUEENS.legal(state, seat)
            forced = DAMN_THE_QUEENS.forced(state)
            if forced is not None:
                seen += 1
                assert legal == [forced]
                hidden = DAMN_THE_QUEENS.copy(state)  # and it does not follow from what only that seat sees
                others = [card for s in range(4) if s != seat for card in hidden.hands[s]] + hidden.stock
                random.Random(n).shuffle(others)
                count = len(hidden.hands[seat])
                hidden.hands[seat] = others[:count]
                assert DAMN_THE_QUEENS.forced(hidden) == forced
            DAMN_THE_QUEENS.play(state, seat, bots.choose(DAMN_THE_QUEENS.view(state, seat), legal))
            if state.round > 3:
                break
    assert seen > 20


def test_forced_draws_are_told_in_the_answer_of_somebody_who_plays_with_bots(people):
    code = people.dealt()
    for _ in range(150):
        table = people.table(code)
        assert table.game.forced(table.state) is None  # it has been made
        if table.state.turn == 0 and table.state.phase == "draw":
            answer = people("Ann", "draw")
        else:
            answer = people(
                "Ann", write_move(bots.choose(table.game.view(table.state, 0), table.game.legal(table.state, 0)))
            )
        if "the only move." in answer:
            break
    rows = people.rows(MOVE)
    assert [(row.seat, row.text, row.bot) for row in rows[-1:]] == [(0, "draw", False)]
    card = answer.partition("You drew ")[2].partition(",")[0]
    assert people("Ann", "draw").startswith(f"{code}: you drew {card} already.")
    assert people("Ann", "undo").endswith("it has shown you new cards.")
    people.replays(code)


def test_house_rules_decide_what_is_forced():
    position = PICKUP.replace("pile: 5S TD 9H", "pile: 5S TD 9H\ndown Ann+Cy: 9D 9D 9H")
    assert (
        DAMN_THE_QUEENS.forced(begin(parse(position)).state)
        == DAMN_THE_QUEENS.legal(begin(parse(position)).state, 0)[0]
    )
    freer = position.replace("game: damn-the-queens", "game: damn-the-queens\noptions: team_rank_pile_ban=off")
    assert DAMN_THE_QUEENS.forced(begin(parse(freer)).state) is None


def test_a_plan_does_not_outlive_the_round(people):
    last = PICKUP.replace("hand Ann: 9S 9C KD KH 4H 3S QH W", "hand Ann: 4H").replace(
        "hand Cy: 5C 8D 8H TS", "hand Cy: 5C 8D 8H"
    )
    people.seated(last)
    people("Bea", "plan draw")
    people("Ann", "draw")
    hand = people.hand("KF7", "Ann")
    people("Ann", f"discard {card_name(hand[0])}")
    assert people.table("KF7").sitters[1].plan is None
    people("Bea", "hand")
    people.seated(last, "MN3")
    people("Cy", "mn3 plan pickup 9 9")
    assert people.table("MN3").sitters[2].plan == "pickup 9 9"
    with people.services.db.begin() as conn:
        conn.execute(update(TABLE).where(TABLE.c.code == "MN3").values(pace=None))
    people("Cy", "mn3 leave")
    assert people.table("MN3").sitters[2].plan is None


# What the operator sees


def test_status(people, monkeypatch):
    people.seated()
    people("Ann", "draw, discard 4h")
    run(people, hours=7)
    people("Cy", "nudge me off")
    facts = status(people.services)
    assert facts["tables"] == {"playing": 1}
    assert (facts["turns_waiting"], facts["turns_late"], facts["reminders_due"]) == (1, 0, 0)
    assert facts["oldest_turn_hours"] == 7.0
    assert facts["reminders_sent_for_these_turns"] == 1
    assert facts["texts"] == {"sent": 2}
    people.stage.clock.now += timedelta(days=90)
    ring_all(people.services)
    facts = status(people.services)
    assert facts["turns_late"] == 1
    assert facts["texts"]["pending"] == 3
    monkeypatch.setattr(commands.status, "prepared", lambda **_: people.services)
    result = CliRunner().invoke(commands.status.command, [])
    assert result.exit_code == 0
    assert "turns waiting: 1\n" in result.output
    assert CliRunner().invoke(commands.status.command, ["--json"]).output.startswith('{"tables"')


# The sweep and a million that wait


@pytest.mark.on("postgresql")
def test_what_waits_is_not_read(people):
    people.seated()
    bea = player(people, "Bea").id
    with people.services.db.begin() as conn:
        table = conn.execute(select(TABLE.c.id)).scalar_one()
        conn.exec_driver_sql(
            "INSERT INTO player (channel, address, created_at, unclear_count, prefs)"
            " SELECT 'sms', 'x' || n, now(), 0, '{}' FROM generate_series(1, 1000) n"
        )
        conn.exec_driver_sql(
            "INSERT INTO nudge (table_id, seat, player_id, turn_version, due_at, sent)"
            f" SELECT {table}, n, {bea} + mod(n, 1000), 0, now() + n * interval '1 minute', 0 FROM generate_series(10, 20000) n"
        )
        conn.exec_driver_sql(
            "INSERT INTO outbound (player_id, recipient, body, kind, status, rank, attempt, next_attempt_at, segments, created_at)"
            f" SELECT {bea} + mod(n, 1000), '', '', 'turn', 'pending', 0, 0, now() + n * interval '1 minute', 1, now()"
            " FROM generate_series(10, 20000) n"
        )
        conn.exec_driver_sql("ANALYZE nudge")
        conn.exec_driver_sql("ANALYZE outbound")
        conn.exec_driver_sql("ANALYZE player")
        now = utc_now()

        def plan(query):
            sql = str(query.compile(conn, compile_kwargs={"literal_binds": True}))
            return "\n".join(conn.exec_driver_sql(f"EXPLAIN {sql}").scalars())

        for query in (late.due_alarms(now), *next_moments()):
            assert "Index" in plan(query)
            assert "Seq Scan" not in plan(query)
            assert "Sort" not in plan(query)
        moments = {"now": now, "lately": now - timedelta(days=2), "apart": now - timedelta(seconds=30)}
        for query in (outbox.ANYTHING.params(now=now), *(q.limit(20).params(moments) for q in outbox.CANDIDATES)):
            assert "Seq Scan on outbound" not in plan(query), plan(query)
