"""Rummy-like games: whatever move a text names, talk about others, conditions and second thoughts around it play nothing."""

from itertools import chain

import pytest

from service.text.understand import understand
from tests.text.test_understand import said
from tests.text.test_understand_forms import position

MOVES = {
    "draw": ("draw", "pickup 9 9", "take the pile", "i want that nine", "p/u"),
    "sets-drawn": ("lay kings", "add nines", "auto", "discard 8c", "lay kk and w", "add the wild to nines", "8c"),
    "queens-pile": ("pickup 9 9 9", "pick up with all my nines"),
    "queens-lone-card": ("take it", "take 8c", "take the lone card"),
    "queens-cut": ("cut 26", "deal", "cut twenty six"),
    "runs-pile": ("take kd", "take the top two", "take all", "take the top card", "dig to the king", "take one off the pile"),
    "runs-drawn": ("lay 789s", "lay 5 thru 8 of diamonds", "lay the diamond run", "add 9h to m1", "add 4h", "kkk 789s"),
    "wild-sixes-drawn": ("lay 7s 8s 6d as 9s", "lay kings with the wild", "add 6d to m2"),
    "wild-sixes-swapped": ("swap 9s for the wild", "trade my 9 for the wild", "replace 6d with 9s", "swap 9s for 6d in m1"),
    "george-pile": ("take the 9", "pickup 9 9"),
    "no-stock": ("pass",),
}  # fmt: skip
BEFORE = (
    "bea wants to", "cy will", "bea should", "tell bea to", "if bea passes", "don't", "should i", "i might", "bea said", "why would i", "i wish i could",
    "they always", "never", "let bea", "can bea", "what if i", "i cant", "i won't", "i already", "next turn i'll", "remember to", "cy:", "i think bea will",
    "before i", "maybe",
)  # fmt: skip
BEHIND = (
    "or not", "if i can", "tomorrow", "like bea did", "no wait", "nvm", "unless bea does", "said bea", "is what bea did", "?", "would be silly", "i wish",
    "but not yet", "... just kidding", "scratch that", "oops no", "right?", "before bea does",
)  # fmt: skip

TWO = {
    "draw": (("draw", "pickup 9 9"), ("pickup", "draw"), ("draw", "take the pile")),
    "sets-drawn": (
        ("lay kings", "queens"), ("lay kings", "lay queens"), ("lay kk w", "lay kings"), ("add 9s", "9c"), ("discard 4h", "3s"),
        ("discard 4h", "discard 3s"), ("4h", "3s"), ("lay kings", "discard 4h"), ("auto", "lay kings"),
    ),
    "queens-pile": (("pickup 9 9", "9 9 9"),),
    "queens-lone-card": (("take 8c", "draw"), ("draw", "take it")),
    "queens-drawn": (("lay queens", "kings"), ("add 7", "add 2c to 7"), ("discard qs", "qh")),
    "queens-cut": (("cut 26", "27"),),
    "runs-pile": (("take 5h", "kd"), ("take kd", "take 5h"), ("take the top two", "draw"), ("draw", "take 5h")),
    "runs-drawn": (("lay 789s", "5678d"), ("lay 789s", "lay kings"), ("add 9h to m1", "m2"), ("add 4h", "9h"), ("discard 3s", "qc")),
    "wild-sixes-drawn": (("lay kings", "with the six"), ("add 6d to m2", "to m1")),
    "wild-sixes-swapped": (("swap 9s for the wild", "add 9s"),),
    "george-pile": (("take 9h", "draw"), ("draw", "take 9h")),
}  # fmt: skip
INSTEAD = (
    " sorry ", " oops ", " no wait ", " actually ", " i mean ", " make that ", " scratch that ", " or ", " or rather ", " er ", ", sorry, ", ", actually, ",
    ". Sorry, ", "\nsorry ", "\nI mean ", " *", " ugh ", " change that to ", " not ", " undo ",
)  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_talk_around_a_move_plays_nothing(name):
    context = position(name)
    texts = chain.from_iterable(
        [*(f"{words} {move}" for words in BEFORE), *(f"{move} {words}" for words in BEHIND)] for move in MOVES[name]
    )
    wrong = [f"{text!r} was read as {said(found)!r}" for text in texts if (found := understand(text, context)).moves]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", TWO)
def test_what_is_taken_back_in_the_same_text_is_not_played(name):
    context = position(name)
    texts = [f"{one}{words}{other}" for one, other in TWO[name] for words in INSTEAD]
    wrong = [f"{text!r} was read as {said(found)!r}" for text in texts if (found := understand(text, context)).moves]
    assert not wrong, "\n" + "\n".join(wrong)
