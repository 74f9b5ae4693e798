"""Texts at the same instant, from threads, through the real application with signatures: nothing lost, nothing doubled."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from commands.stage import ACCOUNT, Stage
from service import stored
from service.app import create_app
from service.carrier import Carrier
from service.db import Database
from service.services import Services
from service.stored import INBOUND, MOVE, OUTBOUND, PLAYER, SEAT, TABLE
from tests.people import PICKUP, People

ROUNDS = int(os.environ.get("QUEENLINE_ROUNDS", "40"))
NAMES = ("Ann", "Bea", "Cy", "Dot", "Eve", "P6", "P7", "P8")


def posting(app: Flask, public: str) -> Callable[..., Any]:
    """Posts to the application through a client of its own."""
    client = app.test_client()
    return lambda url, body, headers: client.post(url.removeprefix(public), data=body, headers=headers)


class Crowd(People):
    """People whose texts may come at once: each through a client of its own, and nobody sends in between."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        app = create_app(stage.services)
        public = stage.settings.public_url
        self.carriers = []
        for _ in NAMES:
            self.carriers.append(Carrier(ACCOUNT, stage.settings.twilio_auth_token[0], public, posting(app, public)))

    def at_once(self, *texts: tuple[str, str], sid: str | None = None) -> list[str | None]:
        """All of these texts in the same instant; the answers in their order."""
        ours = self.stage.settings.twilio_numbers[0]
        numbers = [self.stage.phone(name).number for name, _ in texts]
        answers: list[str | None] = [None] * len(texts)
        faults: list[BaseException] = []
        start = threading.Barrier(len(texts))

        def one(i: int) -> None:
            try:
                start.wait(10)
                came = self.carriers[i].deliver(numbers[i], ours, texts[i][1], sid)
                assert came.status == 200, f"{texts[i]}: {came.status}"
                answers[i] = came.texts[0] if came.texts else None
            except BaseException as fault:  # noqa: BLE001
                faults.append(fault)

        threads = [threading.Thread(target=one, args=(i,)) for i in range(len(texts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not faults, faults
        return answers


@pytest.fixture
def people(database_url, tmp_path) -> Iterator[Crowd]:
    stage = Stage(tmp_path, datetime(2026, 3, 3, 17, 0, tzinfo=UTC), url=database_url)
    stage.seed = "7"
    stage.services.database.close()
    wide = Services(
        database=Database(database_url, pool_size=8), settings=stage.settings, bell=stage.services.bell, clock=stage.clock,
        seeds=stage.services.seeds,
    )  # fmt: skip
    stage.services = wide
    stage.client = create_app(wide).test_client()
    yield Crowd(stage)
    wide.database.close()


def no_errors(people):
    assert not [row.body for row in people.rows(INBOUND) if row.kind == "error"]


# The same delivery


def test_the_same_delivery_eight_times_at_once_is_one_move_and_one_answer(people):
    people.seated()
    for n in range(10):
        answers = people.at_once(*[("Ann", "pickup 9c 9s, lay kd kh w")] * 8, sid=f"SM{n:032}")
        assert len(set(answers)) == 1
        if n == 0:
            assert answers[0].startswith("KF7: you took 9H with 9C 9S, got 5S 10D and laid KKW.")
    assert [row.text for row in people.rows(MOVE)] == ["pickup 9C 9S", "meld KD KH W"]
    assert len(people.rows(INBOUND)) == 10
    no_errors(people)


def test_eight_times_at_once_with_texts_to_others(people):
    people.seated()
    answers = people.at_once(*[("Ann", "draw, discard 4h")] * 8, sid="SM" + "9" * 32)
    assert set(answers) == {"KF7: you drew 7S and discarded 4H. 8 cards left. Bea's turn."}
    assert [row.kind for row in people.rows(OUTBOUND)] == ["turn"]


def test_the_first_delivery_of_a_stranger_eight_times_at_once(people):
    phone = people.stage.phone("P8")
    with people.services.db.begin() as conn:
        conn.execute(PLAYER.delete().where(PLAYER.c.address == phone.number))
    answers = people.at_once(*[("P8", "new damn")] * 8, sid="SM" + "8" * 32)
    assert len(set(answers)) == 1
    assert len(people.rows(TABLE)) == 1
    assert len(people.rows(PLAYER, PLAYER.c.address == phone.number)) == 1


def test_eight_first_texts_of_a_stranger_at_once(people):
    """Different texts, each the first of that number."""
    phone = people.stage.phone("P8")
    with people.services.db.begin() as conn:
        conn.execute(PLAYER.delete().where(PLAYER.c.address == phone.number))
    answers = people.at_once(*[("P8", f"hello {n}") for n in range(8)])
    assert [answer for answer in answers if answer] == [next(answer for answer in answers if answer)]  # one greeting
    assert len(people.rows(PLAYER, PLAYER.c.address == phone.number)) == 1
    assert len(people.rows(INBOUND)) == 8


# Two people, 200 rounds in `make prove`


@pytest.mark.slow
def test_two_people_at_the_same_instant(people):
    """Whose turn it is plays while the next already tries; now and then they talk, look, and set things."""
    people.seated(PICKUP.replace("stock: 7S 3C JD 4C 8S QD", stock_of(people)))
    names = people.table("KF7").names
    looks = ("draw", "hand", "say hello", "table", "undo", "name {0}", "updates all", "score")
    played = 0
    for n in range(ROUNDS):
        table = people.table("KF7")
        state = table.state
        mover, following = names[state.turn], names[(state.turn + 1) % 4]
        hand = state.hands[state.turn]
        words = "draw" if state.phase == "draw" else f"discard {card_to_throw(table)}"
        before = table.version
        answers = people.at_once((mover, words), (following, looks[n % len(looks)].format(following)))
        assert all(answers), answers
        after = people.table("KF7")
        assert after.version in (before + 1, before + 2), (words, answers)  # + 2: the next has drawn already
        played += after.version - before
        assert hand
        if n % 20 == 19:
            people.replays("KF7")
    people.replays("KF7")
    no_errors(people)
    lines = people.rows(MOVE)
    assert len(lines) == played
    assert [row.n for row in lines] == list(range(1, played + 1))
    inbound = people.rows(INBOUND)
    assert len({row.message_sid for row in inbound}) == len(inbound)
    assert all(row.answer for row in inbound)
    turns = Counter(row.turn_version for row in people.rows(OUTBOUND) if row.kind == "turn")
    assert max(turns.values(), default=0) <= 1  # nobody is told twice of one turn


def stock_of(people):
    """Enough low cards for a long round; none that makes a set with what is thrown."""
    return "stock: " + " ".join(
        f"{rank}{suit}" for suit in "SHDC" for rank in "37JQK46A5T8" if f"{rank}{suit}" not in PICKUP
    )


def card_to_throw(table):
    from engine.game import write_move

    moves = [move for move in table.game.legal(table.state, table.state.turn) if move.verb == "discard"]
    return write_move(moves[0]).split()[1]


def test_both_of_a_player_s_texts_at_once(people):
    """Two texts sent seconds apart may be posted in parallel, in either order: both are done, or one is refused."""
    people.seated()
    answers = people.at_once(("Ann", "draw"), ("Ann", "discard 4h"))
    texts = [row.text for row in people.rows(MOVE)]
    assert texts in (["draw"], ["draw", "discard 4H"]), answers
    people.replays("KF7")
    no_errors(people)


# Seats, deals, rematches, leaving


def test_two_who_join_the_last_seat(people):
    for _ in range(5):
        code = people.opened("Bea", "Cy")
        answers = people.at_once(("Eve", f"join {code}"), ("P6", f"join {code}"))
        assert sorted("hello" in answer for answer in answers) == [False, True], answers
        assert sorted("is full" in answer for answer in answers) == [False, True]
        table = people.table(code)
        assert len(table.sitters) == 4
        assert [sitter.number for sitter in table.sitters] == [0, 1, 2, 3]
        loser = "Eve" if "is full" in answers[0] else "P6"
        assert loser not in table.names
        for name in ("Ann", "Bea", "Cy", "Eve", "P6"):
            people(name, f"{code} leave")
    no_errors(people)


def test_everybody_joins_at_once(people):
    code = people.opened()
    answers = people.at_once(*[(name, f"join {code}") for name in NAMES[1:]])
    assert sum("hello" in answer for answer in answers) == 3
    assert sum("is full" in answer for answer in answers) == 4
    table = people.table(code)
    assert len({sitter.player_id for sitter in table.sitters}) == 4
    assert len({sitter.name for sitter in table.sitters}) == 4


def test_two_who_deal(people):
    code = people.opened("Bea", "Cy", "Dot")
    answers = people.at_once(("Ann", "deal"), ("Bea", "deal"))
    assert sorted("is dealt." in answer for answer in answers) == [False, True]
    assert sorted("has been dealt already" in answer for answer in answers) == [False, True]
    kinds = Counter(row.player_id for row in people.rows(OUTBOUND) if "is dealt" in row.body)
    assert set(kinds.values()) == {1}
    assert len(kinds) == 3
    people.replays(code)


def test_bots_and_a_friend_at_once(people):
    code = people.opened()
    people.at_once(("Ann", "bots"), ("Bea", f"join {code}"))
    table = people.table(code)
    assert len(table.sitters) == 4
    assert "Bea" in table.names


def test_two_rematches_are_one_table(people):
    people.seated(
        "game: damn-the-queens\nseats: Ann Bea Cy Dot\nhand Ann: KD KH 4H\nhand Bea: 3D\nhand Cy: 5C\nhand Dot: AH\n"
        "pile: 5S\nstock: KS 7S 3C\nscore Ann+Cy: 990\nturn: Ann\n"
    )
    people("Ann", "draw, lay k k k, discard 4h")
    answers = people.at_once(*[(name, "rematch") for name in NAMES[:4]])
    rows = people.rows(TABLE)
    assert len(rows) == 2
    code = rows[1].code
    assert all(code in answer for answer in answers)
    assert sorted(people.table(code).names) == ["Ann", "Bea", "Cy", "Dot"]
    assert len(people.rows(SEAT, SEAT.c.table_id == rows[1].id)) == 4
    no_errors(people)


@pytest.mark.parametrize("leaver", ["Ann", "Bea"])
def test_leaving_and_moving_at_once(people, leaver):
    for n in range(4):
        code = f"KF{n}X"
        people.seated(code=code)
        people.at_once(("Ann", f"{code} draw, discard 4h"), (leaver, f"{code} leave"))
        people.replays(code)
        table = people.table(code)
        assert not next(sitter for sitter in table.sitters if sitter.name == leaver).person
        assert table.sitters[table.state.turn].person  # no bot sits there and waits
        for name in ("Ann", "Bea", "Cy", "Dot"):
            people(name, f"{code} leave")
    no_errors(people)


def test_everybody_leaves_at_once(people):
    people.seated()
    people.at_once(*[(name, "leave") for name in NAMES[:4]])
    assert people.table("KF7").status == "closed"
    people.replays("KF7")
    no_errors(people)


def test_many_tables_of_the_same_people_at_once(people):
    """Everybody's tables are locked in the same order, so that nobody waits for ever."""
    for n in range(3):
        people.seated(code=f"KF{n}X")
    for n in range(6):
        texts = [(name, f"kf{n % 3}x {'hand' if name != 'Ann' else 'draw'}") for name in NAMES[:4]]
        texts += [(name, "games") for name in NAMES[:4]]
        assert all(people.at_once(*texts))
    no_errors(people)
    for n in range(3):
        people.replays(f"KF{n}X")
        assert [text for _, text in people.lines(f"KF{n}X")] == ["draw"]


def test_standing_is_what_is_stored(people):
    people.seated()
    people("Ann", "draw, lay k k w")
    people.at_once(("Ann", "undo"), ("Ann", "undo"))
    assert len(stored.standing(people.lines("KF7"))) == 1
    people.replays("KF7")
