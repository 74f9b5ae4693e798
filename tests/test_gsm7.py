"""What a text may hold and what it costs, against two independent implementations."""

import itertools
import random

import gsm0338
import pytest
import smsutil
from hypothesis import given
from hypothesis import strategies as st

from service.numbers import segment_limits
from service.text.gsm7 import (
    BASIC,
    EXTENSION,
    MANY,
    ONE,
    ORDINARY,
    TOLL_FREE,
    clip,
    fold,
    is_gsm7,
    parts,
    segments,
    septets,
)

ESCAPE = "\x1b"  # both of them take the escape for a character
CODEC = gsm0338.Codec()
ALPHABET = "".join(sorted(BASIC | EXTENSION))
gsm_texts = st.text(ALPHABET, max_size=700)
any_texts = st.text(st.characters(exclude_characters=ESCAPE, exclude_categories=["Cs"]), max_size=200)


def test_the_alphabet_is_the_one_of_the_standard():
    assert set(CODEC.decode(bytes(code for code in range(128) if code != 0x1B))[0]) == BASIC
    assert (len(BASIC), len(EXTENSION)) == (127, 10)
    for char in EXTENSION:
        assert CODEC.encode(char)[0][0] == 0x1B


def test_the_other_one_says_the_same_of_every_character():
    ours = {char for char in map(chr, range(0x110000)) if is_gsm7(char)}
    assert ours == set(smsutil.codecs.GSM_CHARSET) - {ESCAPE}
    assert all(smsutil.is_valid_gsm(char) for char in ours)


def test_an_escape_is_no_character():
    assert not is_gsm7(ESCAPE)
    assert fold(f"a{ESCAPE}b") == "ab"


@given(gsm_texts)
def test_segments_of_gsm_texts(text):
    assert segments(text) == (len(smsutil.split(text).parts) if text else 0)
    assert septets(text) == len(CODEC.encode(text)[0])


@given(any_texts)
def test_segments_of_any_texts(text):
    assert segments(text) == (len(smsutil.split(text).parts) if text else 0)


@given(gsm_texts)
def test_parts_of_gsm_texts_end_where_the_other_one_ends_them(text):
    assert parts(text) == ([part.content for part in smsutil.split(text).parts] if text else [])


@given(any_texts)
def test_parts_of_any_texts_end_where_the_other_one_ends_them(text):
    assert parts(text) == ([part.content for part in smsutil.split(text).parts] if text else [])


UNITS = st.text(st.sampled_from("a€[😀♠é"), min_size=60, max_size=700)


@given(UNITS, st.sampled_from([ORDINARY, TOLL_FREE]))
def test_no_part_ends_in_half_a_character_and_none_is_over(text, limits):
    cut = parts(text, limits)
    assert "".join(cut) == text
    assert segments(text, limits) == len(cut)
    one, many = (limits.one, limits.many) if is_gsm7(text) else (limits.one_ucs2, limits.many_ucs2)
    sizes = [len(CODEC.encode(part)[0]) if is_gsm7(text) else len(part.encode("utf-16-be")) // 2 for part in cut]
    assert max(sizes) <= (one if len(cut) == 1 else many)
    for part, following in itertools.pairwise(cut):  # each is as full as it can be
        first = following[0]
        cost = len(CODEC.encode(first)[0]) if is_gsm7(text) else len(first.encode("utf-16-be")) // 2
        size = len(CODEC.encode(part)[0]) if is_gsm7(text) else len(part.encode("utf-16-be")) // 2
        assert size + cost > many


@given(UNITS)
def test_a_toll_free_text_never_takes_fewer(text):
    assert segments(text, TOLL_FREE) >= segments(text)


@pytest.mark.parametrize(
    ("text", "ordinary", "toll_free"),
    [
        ("a" * 160, 1, 1),
        ("a" * 304, 2, 2),
        ("a" * 305, 2, 3),
        ("a" * 306, 2, 3),
        ("♠" * 70, 1, 1),
        ("♠" * 133, 2, 3),
        ("a" * 151 + "[" + "a" * 151, 2, 3),  # the escape does not fit into the first part of 152
    ],
)
def test_by_the_kind_of_sender(text, ordinary, toll_free):
    assert (segments(text), segments(text, TOLL_FREE)) == (ordinary, toll_free)


@pytest.mark.parametrize(
    ("sender", "limits"),
    [
        ("+12125550100", ORDINARY),
        ("+18005550100", TOLL_FREE),
        ("+18335550100", TOLL_FREE),
        ("+448001111", ORDINARY),  # the shorter parts are those of the United States and Canada
        ("86753", ORDINARY),
        ("", ORDINARY),
        (None, ORDINARY),
    ],
)
def test_which_number_is_toll_free(sender, limits):
    assert segment_limits(sender) == limits


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("", 0),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 306, 2),
        ("a" * 307, 3),
        ("€" * 80, 1),
        ("€" * 81, 2),
        ("a" * 152 + "[" + "a" * 8, 2),  # the escape does not fit into the first part
        ("a" * 152 + "[" + "a" * 152, 3),
        ("♠" * 70, 1),
        ("♠" * 71, 2),
        ("😀" * 35, 1),
        ("😀" * 36, 2),
        ("😀" * 66, 2),
        ("😀" * 67, 3),
    ],
)
def test_where_parts_end(text, many):
    assert segments(text) == many


# Folding


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("It’s “Bea” – 9…", 'It\'s "Bea" - 9...'),
        ("a`b\tc\u00a0d", "a'b c d"),
        ("Q♠ 10♥️", "QS 10H"),
        ("Zoë", "Zoe"),
        ("François Çelik", "Francois Çelik"),
        ("Łukasz", "Lukasz"),
        ("José", "José"),  # é is in the alphabet
        ("Íñigo", "Iñigo"),
        ("Ａｎｎ", "Ann"),
        ("🎉Bea👍🏽", "Bea"),
        ("Σωκράτης", "Σ"),
        ("a\u200bb\u202ec", "abc"),
        ("plain", "plain"),
    ],
)
def test_folding(text, folded):
    assert fold(text) == folded


@given(st.text(max_size=200))
def test_whatever_is_folded_is_gsm7_and_folds_to_itself(text):
    folded = fold(text)
    assert is_gsm7(folded)
    assert fold(folded) == folded


@given(gsm_texts)
def test_what_is_in_the_alphabet_stays(text):
    assert fold(text) == text.replace("\f", "").replace("\r", "")


# Clipping


@given(gsm_texts, st.integers(5, 320))
def test_a_clipped_text_is_never_over_and_never_ends_in_half_a_character(text, most):
    clipped = clip(text, most)
    assert septets(clipped) <= most
    if septets(text) <= most:
        assert clipped == text
    else:
        assert clipped.endswith("..")
        assert text.startswith(clipped[:-2])


def test_a_clipped_text_ends_at_a_word():
    assert clip("well played all of you, that was a good hand", 20) == "well played all of.."
    assert clip("x" * 50, 20) == "x" * 18 + ".."
    assert clip("[" * 50, 21) == "[" * 9 + ".."


def test_many_random_texts_in_a_moment():
    rng = random.Random(7)
    for _ in range(500):
        text = "".join(rng.choices(ALPHABET, k=rng.choice((ONE, ONE + 1, MANY * 2, MANY * 2 + 1, 150))))
        assert segments(text) == len(smsutil.split(text).parts)
