"""What newcomers, hosts and guests text before cards are dealt, between games and after them: each is read as it is meant, exactly."""

import pytest

from service.text import codes, company
from service.text.request import Said
from service.text.setting_up import read
from service.text.understand import understand
from tests.text.test_understand import CORPUS, agrees, said
from tests.text.test_understand_forms import forms


def test_texts_around_a_game():
    wrong = [
        f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        for place, context, text, meaning in forms(CORPUS / "setting-up.tsv")
        if not agrees(meaning, reading := understand(text, context))
    ]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("written", "meant"), [("8F9", "BF9"), ("5BS", "SB5"), ("6ZZ", "GZ2"), ("KF7", "KF7"), ("K", "K")]
)
def test_letters_and_digits_that_look_alike_are_told_by_their_place(written, meant):
    assert codes.misread(written) == meant


@pytest.mark.parametrize(
    ("words", "left", "bots", "alone"),
    [
        ("hearts with 3 computers", "hearts", "3", True),
        ("hearts with my sister and two bots", "hearts", "2", False),
        ("spades against the computer", "spades", "all", True),
        ("spades with a bot", "spades", "1", True),
        ("hearts by myself", "hearts", "all", True),
        ("hearts to 50", "hearts to 50", "", False),
        ("5000 with the out player wins", "5000 with the out player wins", "", False),
    ],
)
def test_who_is_to_play_is_said_as_a_table_is_opened(words, left, bots, alone):
    found = company.of(words)
    assert (" ".join(found.words.split()), found.bots, found.alone) == (left, bots, alone)


@pytest.mark.parametrize("stage", ["none", "open", "over", "playing"])
def test_a_long_text_is_none_of_these(stage):
    text = "can we play " * 20
    assert read(Said(text, text.strip(), stage, ("Ann",), None)) is None
