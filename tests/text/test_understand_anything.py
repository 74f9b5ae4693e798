"""Whatever arrives: no text raises, none changes the state, and what is read as moves is legal; it never takes long."""

import os
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.text.understand import Context, table_named, understand
from tests.examples import examples
from tests.text.test_understand import POSITIONS, at, lines, replayed

ALPHABET = "abcdefghijklmnopqrstuvwxyz 0123456789 ,.;!?'\"-/\n♠♥♦♣️❤ 🂡🃏👍é…“”‘’\u200b ﻿￼\x00\x1b\ud800½KQJTAW"
SPLICES = (
    "draw",
    "pickup 9 9",
    "lay kings",
    "discard 4h",
    "and",
    "then",
    "not",
    "?",
    "w",
    "9s",
    "a",
    "to",
    "the",
    "\n",
    ",",
    "kf7",
    "“",
    "all",
)
COUNT = int(os.environ.get("QUEENLINE_TEXTS", "2500"))
KINDS = {"moves", "command", "ask", "refused", "ignored", "unclear"}
CONTEXTS = {name: at(name) for name in POSITIONS}
TEXTS = sorted({text for name in (*POSITIONS, "left-alone", "commands") for _, text, _ in lines(name)})


def mutated(text: str, rng: random.Random) -> str:
    """A text after a few accidents: letters lost, doubled, swapped or struck beside; pieces lost, doubled, joined."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at_ = rng.randrange(len(text) + 1)
        match rng.randrange(9):
            case 0:
                text = text[:at_] + text[at_ + 1 :]
            case 1:
                text = text[:at_] + rng.choice(ALPHABET) + text[at_:]
            case 2:
                text = text[:at_] + text[at_ : at_ + 2][::-1] + text[at_ + 2 :]
            case 3:
                text = text[:at_] + rng.choice(ALPHABET) + text[at_ + 1 :]
            case 4:
                words = text.split(" ")
                rng.shuffle(words)
                text = " ".join(words)
            case 5:
                text = f"{text}{rng.choice((' ', ', ', ' and ', '. ', chr(10)))}{rng.choice(TEXTS)}"
            case 6:
                text = text[:at_] + " " + rng.choice(SPLICES) + " " + text[at_:]
            case 7:
                text = rng.choice((text.upper(), text.title(), text * 2, text[at_:], text[:at_], f"“{text}”"))
            case _:
                text = text.replace(" ", rng.choice(("", "  ", "\u00a0", "\n", "-")))
    return text


def random_texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    noise = ["".join(rng.choices(ALPHABET, k=rng.randrange(40))) for _ in range(count // 5)]
    return noise + [mutated(rng.choice(TEXTS), rng) for _ in range(count - len(noise))]


def check(context: Any, text: str) -> None:
    reading = understand(text, context)
    assert reading.kind in KINDS
    replayed(context, reading.moves)
    if reading.kind == "moves":
        assert reading.moves
        assert not reading.choices
    if reading.kind == "ask":
        assert reading.choices
    if reading.kind == "refused":
        assert reading.code
        assert reading.hint
    if reading.kind == "ignored":
        assert not reading.moves


def test_random_and_mutated_texts():
    before = {name: context.game.dump(context.state) for name, context in CONTEXTS.items()}
    for i, text in enumerate(random_texts(1, COUNT)):
        name = POSITIONS[i % len(POSITIONS)]
        try:
            check(CONTEXTS[name], text)
        except Exception as error:
            raise AssertionError(f"{text!r} at {name}") from error
    assert {name: context.game.dump(context.state) for name, context in CONTEXTS.items()} == before


def test_random_texts_from_people_at_no_table_or_with_a_question_open():
    asked = at("wild-top", pending=("pickup KC KD", "pickup AH AS"))
    for text in random_texts(2, COUNT // 5):
        assert not understand(text, Context()).moves
        assert not understand(text, at_open).moves
        check(asked, text)
        table_named(text, ("KF7", "ABCD"))


at_open = Context(codes=("KF7",), code="KF7", stage="open", names=("Ann", "Bea"))


@settings(max_examples=examples(300))
@given(st.text(max_size=200))
def test_any_unicode(text):
    check(CONTEXTS["meld"], text)


HOSTILE = [
    "draw " * 320, "k " * 800, "a," * 800, "lay " + "k and " * 260, "9s" * 800, "9" * 1600, "(((" * 500, '"' * 1600, "“" * 800 + "draw",
    "what " * 320, "not " * 400, "join " * 320, "new damn " + "x=1 " * 380, "qwertyuiop" * 160, "zz " * 530, "put 9 on " * 170,
    "lay kings queens aces jacks and wilds and wilds," * 30, "1 of " * 320, "." * 1600, "-" * 1600, "to " * 500, "kf7 " * 400,
    "e\u0301" * 800, "\u200b" * 1600, "🂡" * 1600, "q♠" * 800, "drwa " * 320, "discrad 4h\n" * 140, "thanks " * 200 + "q",
    "\u200a" * 800 + "\u200b" * 800, "Liked “" * 200, "i'm " * 400, "> " * 800, "=" * 1600, "QUJD" * 400, "x" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_texts_take_no_time(text):
    ours = ("KF7 your turn. DRAW or PICKUP. " * 4,) * 20
    for name in ("draw", "meld"):
        context = at(name)
        best = 1.0
        for _ in range(3):
            start = time.process_time()
            understand(text, Context(context.game, context.state, 0, context.names, "KF7", ("KF7",), "playing", ours))
            best = min(best, time.process_time() - start)
        assert best < 0.1


def test_a_plain_move_is_read_at_once():
    context = at("meld")
    understand("discard 4h", context)
    start = time.process_time()
    for _ in range(300):
        understand("discard 4h", context)
    assert (time.process_time() - start) / 300 < 0.001


@pytest.mark.parametrize(
    "text", ["ım done", "I dıdnt, draw", "lay the sıx", "six of Hearts İ", "dont draw \u212aing", "nıne of hearts"]
)
@pytest.mark.parametrize("name", CONTEXTS)
def test_letters_that_only_a_pattern_takes_for_others(text, name):
    assert understand(text, CONTEXTS[name]).kind in KINDS
