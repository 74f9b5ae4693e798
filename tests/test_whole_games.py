"""Whole games by text, with whatever people do on the way: the record replays to the stored state, texts keep to their
budget, nobody is forgotten. And thousands of texts that are nobody's move.
"""

import os
import random
import string
from statistics import median

import pytest

from engine import bots
from engine.game import write_move
from service import play, stored
from service.stored import INBOUND, MOVE, OUTBOUND
from service.text.gsm7 import is_gsm7, segments
from service.text.words import command
from tests.people import PICKUP, sms

FOUR = ("Ann", "Bea", "Cy", "Dot")


def turn_of(table, words):
    """The rest of a turn as one text, played as a bot would; `words` writes a move."""
    game, state, seat = table.game, table.game.copy(table.state), table.state.turn
    said = []
    while not state.over and state.turn == seat:
        move = bots.choose(game.view(state, seat), game.legal(state, seat))
        said.append(words(move))
        game.play(state, seat, move)
    return ", ".join(said)


def play_game(people, code, rng, undo=0.0, wander=0.0):
    """To the end of the game; how many texts that took."""
    count = 0
    while (table := people.table(code)).status == "playing":
        name = table.names[table.state.turn]
        seats = {sitter.name: sitter for sitter in table.sitters}
        assert seats[name].person, "a bot has not played on"
        text = turn_of(table, rng.choice((write_move, command)))
        answer = people(name, text)
        count += 1
        assert count < 3000
        assert answer is not None
        assert answer.startswith(f"{code}: "), answer
        if "?" in answer and "1 " in answer:  # a question: suits that matter to nobody
            people(name, "1")
        if rng.random() < undo and people.table(code).status == "playing":
            people(name, "undo")
        if rng.random() < wander:
            people(
                rng.choice(FOUR),
                rng.choice((f"{code} leave", f"join {code}", f"join {code}", "hand", "score", "updates all")),
            )
            if not people.table(code).people:
                break
    return count


def check_game(people, code):
    people.replays(code)
    table = people.table(code)
    rows = people.rows(MOVE, MOVE.c.table_id == table.id)
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    assert table.version == len(rows)
    for row in people.rows(OUTBOUND):
        assert is_gsm7(row.body)
        assert row.segments == segments(row.body) <= 2
        assert row.status in ("sent", "delivered", "canceled"), row.status
    assert not [row.body for row in people.rows(INBOUND) if row.kind == "error"]


@pytest.mark.parametrize("undo", [0.0, 0.3], ids=["straight", "with-undos"])
def test_four_people_to_the_end(people, undo):
    code = people.opened("Bea", "Cy", "Dot", words="new damn 500")
    people("Ann", "deal")
    play_game(people, code, random.Random(3), undo=undo)
    check_game(people, code)
    table = people.table(code)
    assert table.status == "over"
    assert max(table.state.scores) >= 500
    last = {name: people.stage.phone(name).inbox[-1] for name in FOUR}
    for name, text in last.items():
        assert "win!" in text, (name, text)
        assert "REMATCH" in text
    turns = [row.segments for row in people.rows(OUTBOUND) if row.kind == "turn"]
    assert median(turns) == 1
    if undo:
        assert "undo" in [row.text for row in people.rows(MOVE)]


def test_two_people_and_two_bots_coming_and_going(people):
    code = people.dealt("Bea", words="new damn 500")
    rng = random.Random(5)
    play_game(people, code, rng, undo=0.1, wander=0.1)
    check_game(people, code)


@pytest.mark.slow
@pytest.mark.on("sqlite")
@pytest.mark.parametrize("seed", range(10))
def test_many_games(people, seed):
    rng = random.Random(seed)
    people.stage.seed = f"many-{seed}"
    joining = rng.sample(FOUR[1:], rng.randrange(4))
    odd = rng.choice(
        (
            "",
            " stock_out=reshuffle",
            " naturals_first=off one_card_pile_ban=off",
            " team_rank_pile_ban=off team_rank_discard_ban=off",
        )
    )
    code = people.dealt(*joining, words=f"new damn 500{odd}")
    play_game(people, code, rng, undo=rng.choice((0, 0.2)), wander=rng.choice((0, 0.05)))
    check_game(people, code)


# Texts that are nobody's move, or nearly one

WORDS = [
    "\n",
    "",
    "",
    "",
    "draw",
    "pickup",
    "pick",
    "up",
    "take",
    "lay",
    "meld",
    "add",
    "auto",
    "discard",
    "toss",
    "throw",
    "pass",
    "undo",
    "hand",
    "table",
    "score",
    "who",
    "why",
    "hint",
    "rules",
    "games",
    "deal",
    "leave",
    "join\n",
    "",
    "",
    "",
    "rematch",
    "bots",
    "new",
    "damn",
    "say",
    "mute",
    "name",
    "updates",
    "options",
    "nine",
    "nines",
    "9",
    "9s",
    "kings",
    "k",
    "kk",
    "q♠",
    "qs",
    "queen",
    "of",
    "spades",
    "10h",
    "th",
    "ten",
    "tens",
    "wild",
    "w",
    "joker",
    "jk\n",
    "",
    "",
    "",
    "to",
    "with",
    "my",
    "the",
    "and",
    "then",
    ",",
    ".",
    "!",
    "?",
    ":",
    ";",
    "-",
    "♥",
    "👍",
    "“",
    "”",
    "1",
    "2",
    "3",
    "a",
    "b",
    "kf7",
    "mn3",
    "please",
    "not",
    "don't",
    "no",
    "yes",
    "ok",
    "all",
    "everything",
    "them",
    "it",
    "both",
    "three",
    "of",
    "hearts\n",
    "",
    "",
    "",
    "4h",
    "3s",
    "9c",
    "kd",
    "\u200b",
    "\xa0",
    "\n",
    "@",
    "0",
    "-1",
    "99999999999999999999",
    "٣",
    "½",
    "０",
    "ñ",
    "李",
    "�",
    "don’t",
    "can't",
    "undo",
    "'draw'",
    '"draw"',
    "stop",
    "start",
    "help\n",
]
PLAYS = [
    "draw",
    "pickup 9 9",
    "lay k k w",
    "discard 4h",
    "draw, lay 9 9 w, discard 3s",
    "add w",
    "Pick up with my nine’s, lay kings and the wild.",
]


def some_text(rng):
    """Words of the game in any order, moves with slips in them, and rubbish."""
    kind = rng.random()
    if kind < 0.35:
        return " ".join(rng.choices(WORDS, k=rng.randrange(1, 9))).strip()
    if kind < 0.8:
        text = list(rng.choice(PLAYS))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randrange(2)] = rng.choice(
                ("", rng.choice(string.printable), rng.choice("♠♥👍’é\u200b"), rng.choice(WORDS))
            )
        return "".join(text)
    if kind < 0.9:
        return "".join(rng.choices(string.printable, k=rng.randrange(60)))
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x2000, 0x2700), rng.randrange(0x1F000, 0x1FAFF))))
        for _ in range(rng.randrange(1, 200))
    )


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("count", [int(os.environ.get("QUEENLINE_TEXTS", "600"))])
def test_any_text_is_answered_and_only_legal_moves_change_the_game(people, count):
    """Straight into play.receive, from somebody whose turn it is or not, who sits at two tables; every 50 texts anew."""
    rng = random.Random(count)
    moves = 0
    for n in range(count):
        if n % 50 == 0:
            if n:
                moves += check_batch(people)
            begin_anew(people)
        name = rng.choice(("Ann", "Bea", "Ann", "Bea", "Cy", "Dot"))
        body = some_text(rng).encode("utf-8", "ignore").decode()
        answer = play.receive(people.services, sms(body, f"SM{n}", people.stage.phone(name).number))
        if answer is not None:
            assert is_gsm7(answer), (body, answer)
            assert segments(answer) <= 2, (body, answer)
    moves += check_batch(people)
    assert moves > count / 50


def begin_anew(people):
    """Nothing has happened yet: Ann's turn at KF7, Bea's at MN3."""
    with people.services.db.begin() as conn:
        for table in (OUTBOUND, MOVE, INBOUND, stored.NUDGE, stored.SEAT, stored.TABLE):
            conn.execute(table.delete())
        conn.execute(stored.PLAYER.update().values(opted_out_at=None, pending=None, prefs={}))
    people.seated()
    people.seated(PICKUP.replace("turn: Ann", "turn: Bea"), "MN3")


def check_batch(people):
    """The stored states are what the moves lead to; how many moves there were."""
    rows = people.rows(INBOUND)
    assert not [row.body for row in rows if row.kind == "error"]
    moved = {row.inbound_id for row in people.rows(MOVE, MOVE.c.bot.is_(False))}
    for row in rows:  # nothing but moves, leaving and taking back changes a game
        if row.id in moved:
            assert row.kind.partition(":")[0] in ("moves", "command"), (row.kind, row.body)
    for code in ("KF7", "MN3"):
        people.replays(code)
    for row in people.rows(OUTBOUND):
        assert is_gsm7(row.body)
        assert segments(row.body) <= 2
    return len(moved)
