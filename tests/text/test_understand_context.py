"""What a text means by what surrounds it: an open question, several tables, texts of ours that are quoted."""

import base64

import pytest

from engine.game import write_move
from service.text.understand import Context, table_named, understand
from tests.text.test_understand import at, sorted_moves

CHOICES = ("pickup KC KD", "pickup AH AS")


def moves(reading):
    return [write_move(move) for move in reading.moves]


def alike(reading, *meant):
    """Whether a reading makes these moves, the cards of each in any order."""
    return sorted_moves(", ".join(moves(reading))) == sorted_moves(", ".join(meant))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1", "pickup KC KD"),
        ("2", "pickup AH AS"),
        ("2.", "pickup AH AS"),
        ("#2", "pickup AH AS"),
        ("b", "pickup AH AS"),
        ("B)", "pickup AH AS"),
        ("option 2", "pickup AH AS"),
        ("number 1", "pickup KC KD"),
        ("first", "pickup KC KD"),
        ("the first one", "pickup KC KD"),
        ("second", "pickup AH AS"),
        ("2nd please", "pickup AH AS"),
        ("the last one", "pickup AH AS"),
        ("kings", "pickup KC KD"),
        ("the kings", "pickup KC KD"),
        ("Kings please", "pickup KC KD"),
        ("with the kings", "pickup KC KD"),
        ("k", "pickup KC KD"),
        ("aces", "pickup AH AS"),
        ("my aces", "pickup AH AS"),
        ("AH AS", "pickup AH AS"),
        ("pickup aces", "pickup AH AS"),
        ("pickup kc kd", "pickup KC KD"),
        ("draw", "draw"),
    ],
)
def test_an_answer_settles_an_open_question(text, meant):
    assert alike(understand(text, at("wild-top", pending=CHOICES)), meant)


@pytest.mark.parametrize("text", ["3", "queens", "both", "neither", "?", "no", "9", "what", "hmm", "1 or 2"])
def test_an_answer_that_settles_nothing_moves_nothing(text):
    assert not understand(text, at("wild-top", pending=CHOICES)).moves


def test_the_letter_a_is_not_an_answer_where_aces_are_among_the_choices():
    assert understand("a", at("wild-top", pending=CHOICES)).kind == "ask"


@pytest.mark.parametrize("text", ["1", "y", "ok", "Sure!", "do it", "yep", "discard ace", "ad"])
def test_a_question_with_one_choice_is_answered_by_agreeing(text):
    assert moves(understand(text, at("meld", pending=("discard AD",)))) == ["discard AD"]


@pytest.mark.parametrize("text", ["no", "n", "nope", "not that one", "no thanks"])
def test_or_by_declining(text):
    assert not understand(text, at("meld", pending=("discard AD",))).moves


def test_a_choice_of_several_moves():
    choices = ("meld KC KD KH W, meld QC QD QH", "meld KC KD KH, meld QC QD QH W")
    assert alike(understand("2", at("meld", pending=choices)), "meld KC KD KH", "meld QC QD QH W")


def test_a_choice_that_is_no_longer_legal_is_refused():
    assert understand("1", at("draw", pending=CHOICES)).kind == "refused"


def test_a_number_without_a_question_is_no_move():
    assert not understand("1", at("wild-top")).moves


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("kf7 draw", "KF7"),
        ("KF7: draw", "KF7"),
        ("#abcd draw", "ABCD"),
        ("draw abcd", "ABCD"),
        ("draw", ""),
        ("abc draw", ""),
    ],
)
def test_the_table_a_text_names(text, code):
    assert table_named(text, ("KF7", "ABCD")) == code


def test_a_text_for_another_table_moves_nothing_here():
    context = at("draw")
    both = Context(context.game, context.state, 0, context.names, "KF7", ("KF7", "ABCD"), "playing")
    assert moves(understand("kf7 draw", both)) == ["draw"]
    assert understand("kf7 draw", both).table == "KF7"
    there = understand("abcd draw", both)
    assert (there.table, there.moves) == ("ABCD", ())


def test_a_turn_that_is_not_ones_own_says_whose_it_is():
    reading = understand("draw", at("waiting"))
    assert reading.code == "TURN"
    assert "Bea" in reading.hint


def test_what_follows_a_refusal_waits():
    reading = understand("draw, discard 5c, lay kings", at("draw"))
    assert moves(reading) == ["draw"]
    assert (reading.kind, reading.code, reading.rest) == ("refused", "NOTHELD", "discard 5c, lay kings")


def test_a_doubt_anywhere_moves_nothing():
    for text in ("draw, discard 4h no wait", "draw. don't discard 4h", "draw and discard 4h or 3s?"):
        assert understand(text, at("draw")).moves == ()


def test_a_long_text_that_came_as_base64():
    text = "pickup 9 9, lay two kings and the wild, discard the four of hearts please"
    packed = base64.b64encode(text.encode()).decode()
    assert alike(understand(packed, at("draw")), "pickup 9C 9S", "meld KD KH W", "discard 4H")


OURS = ("Ann threw 4H. Your turn: pile 5 cards, top 9H. Your hand 9SC KDH W.",)


@pytest.mark.parametrize(
    "text",
    [
        f"Liked “{OURS[0]}”",
        f"Hat „{OURS[0]}“ mit einem Herz markiert",
        f"« {OURS[0]} » lol",
        "“Ann threw 4H. Your turn: pile 5…” ha",
        OURS[0],
    ],
)
def test_a_quoted_text_of_ours_is_ignored(text):
    context = at("draw")
    quoted = Context(context.game, context.state, 0, context.names, "KF7", ("KF7",), "playing", OURS)
    assert understand(text, quoted).kind == "ignored"


@pytest.mark.parametrize(("stage", "word"), [("open", "DEAL"), ("over", "REMATCH"), ("none", "NEW")])
def test_a_move_where_no_cards_are_out_says_what_to_do(stage, word):
    reading = understand("draw", Context(stage=stage))
    assert (reading.kind, reading.code) == ("refused", "PHASE")
    assert word in reading.hint


@pytest.mark.parametrize(
    ("position", "text", "meant"),
    [
        ("draw", "pickup 9 9", "pickup 9S 9C"),
        ("draw", "pickup", "pickup 9S 9C"),
        ("draw", "nines", "pickup 9S 9C"),
        ("meld", "lay kings", "meld KD KH KC"),
        ("meld", "lay kkk", "meld KD KH KC"),
        ("meld", "lay kkw", "meld KD KH W"),
        ("meld", "add 9 9", "add 9S 9C to 9"),
        ("jokers", "lay tens", "meld TH TD TS"),
    ],
)
def test_equal_cards_come_in_the_order_of_the_hand(position, text, meant):
    assert moves(understand(text, at(position))) == [meant]
