"""What players of Hearts, Spades and Gong Zhu send: each text is read as it is meant, and what is said of a card plays none."""

from dataclasses import replace

import pytest

from service.text.understand import Context, understand
from tests.text.test_understand import CORPUS, agrees, said
from tests.text.test_understand_forms import forms, position

# Cards that could be played, or what could be bid, at a position of forms/.
CARDS = {
    "passing": ("qs ks ah", "the queen, king of spades and ace of hearts"),
    "leading": ("4s", "the four of spades", "queen"),
    "following": ("4h", "the jack"),
    "no-clubs": ("qs", "the ace"),
    "last-to-play": ("ah", "the 9"),
    "last-to-bid": ("4", "four", "nil"),
    "exchanging": ("as ks",),
    "three-to-show": ("qs", "the pig"),
    "sheep-to-play": ("jd", "the sheep"),
    "to-trump": ("3s", "the king"),
}


def test_texts_of_the_trick_games():
    wrong = [
        f"{place}: {text!r} means {meaning!r}, was read as {said(reading)!r}"
        for place, context, text, meaning in forms(CORPUS / "tricks.tsv")
        if not agrees(meaning, reading := understand(text, context))
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def talk():
    text = (CORPUS / "about-a-card.tsv").read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and line[0] != "#"]


@pytest.mark.parametrize("name", CARDS)
def test_what_is_said_of_a_card_plays_none(name):
    context = position(name)
    wrong = [
        f"{said_so!r} was read as {said(reading)!r}"
        for card in CARDS[name]
        for said_so in (line.replace("{c}", card) for line in talk())
        if (reading := understand(said_so, context)).moves
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def asked(name: str, *pending: str) -> Context:
    """A position of forms/ with a question of ours open."""
    return replace(position(name), pending=pending)


@pytest.mark.parametrize(
    ("name", "pending", "text", "meaning"),
    [
        # a bare no would show nothing for good
        ("three-to-show", "expose JD QS AH", "no", "? expose none"),
        ("three-to-show", "expose JD QS AH", "nope, thanks", "? expose none"),
        ("three-to-show", "expose none", "no", "unclear"),
        ("three-to-show", "expose JD QS AH", "all", "expose JD QS AH"),
        ("three-to-show", "expose JD QS AH", "just qs", "expose QS"),
        ("three-to-show", "expose JD QS AH", "no just qs", "expose QS"),
        ("three-to-show", "expose JD QS AH", "jd qs ah", "expose JD QS AH"),
        ("following", "play JH", "no the 4", "play 4H"),
        ("following", "play JH", "nah 5h", "play 5H"),
        ("following", "play JH", "no jh", "unclear"),
        ("following", "play JH", "no not that", "unclear"),
        ("last-to-bid", "bid 4", "no 5", "bid 5"),
        ("last-to-bid", "bid 4", "no", "unclear"),
        ("passing", "pass JD TC 8S", "pass right jd 10c 8s", "pass JD TC 8S"),
    ],
)
def test_a_no_to_our_question_is_that_and_no_move(name, pending, text, meaning):
    reading = understand(text, asked(name, pending))
    assert agrees(meaning, reading), said(reading)


def test_cards_that_are_to_go_another_way_than_they_do_are_asked_about():
    for text in ("pass right jd 10c 8s", "pass jd 10c 8s across"):
        reading = understand(text, position("passing"))
        assert agrees("? pass JD TC 8S", reading), said(reading)
        assert reading.hint == "This time the cards go to Bea. PASS JD 10C 8S again to do it."
    assert agrees("pass JD TC 8S", understand("pass jd 10c 8s to the left", position("passing")))
