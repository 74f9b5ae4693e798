"""RULES tells the rules as this table plays them, and nothing that its house rules have changed."""

import pytest

from engine.game import read_options
from engine.registry import named
from service.text.speech import of


def said(game, words, topic):
    text = of(game).rules(read_options(named(game).Options, dict(word.split("=", 1) for word in words.split())), topic)
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("game", "words", "topic", "part"),
    [
        ("rummy5000", "", "score", "A wild 100, a wild ace 200. An ace 100, 10 J Q K 10, 2 to 9 5."),
        ("rummy5000", "wild_value=200", "score", "A wild 200. An ace 100"),
        ("rummy5000", "ace_value=50 eight_nine_value=10", "score", "a wild ace 150. An ace 50, 8 to K 10, 2 to 7 5."),
        ("rummy5000", "wild_ace=same_as_wild special_values=QS:45", "score", "A wild 100. An ace 100, 10 J Q K 10, 2 to 9 5. QS 45."),
        ("rummy5000", "wild_ace=ace_never_wild", "score", "A wild 100. An ace"),
        ("rummy5000", "r500_options=values:pip", "score", "Aces 15 (1 in a low run), 10 J Q K 10, others their number."),
        ("rummy5000", "wild_indicator=by_round", "score", "The highest after round 13 wins."),
        ("rummy5000", "r500_options=must_discard_to_go_out:off", "out", "with or without a discard"),
        ("rummy5000", "", "out", "floats"),
        ("rummy5000", "out_by_meld=on", "out", "A last card that fits a meld is not discarded."),
        ("rummy5000", "finish_first_turn=on", "out", "Who has had no turn yet gets one then."),
        ("rummy5000", "floaters_draw=on", "out", "Each floater draws a card then."),
        ("rummy5000", "winner_rule=out_first", "score", "At 5000 who goes out wins, if there; else the highest."),
        ("rummy5000", "wild_limit=one split_six=on", "wild", "A meld takes one wild at most, 2 where it has 6 cards."),
        ("rummy5000", "wild_limit=fewer_than_naturals", "wild", "A meld has fewer wilds than naturals."),
        ("rummy5000", "all_wild_set=on", "wild", "3 wilds or more may be a set."),
        ("rummy5000", "deep_needs_pair=on", "pile", "must be melded anew that turn with two naturals from your hand."),
        ("rummy5000", "take_must_meld=always", "pile", "must be used that turn. So must the top card alone."),
        ("rummy5000", "stock_use=meld_or_discard", "discard", "A card from the stock is melded at once, or thrown"),
        ("rummy5000", "r500_options=deep_use:new_meld_only", "pile", "must be in a new meld that turn."),
        ("rummy5000", "r500_options=identical_in_set:off", "melds", "3 or 4 of one rank in different suits"),
        ("george", "", "wild", "any card of a set: LAY K K 6D. A meld takes one wild at most."),
        ("rummy500", "", "melds", "3 or 4 of one rank in different suits, or 3 or more in a row"),
        ("rummy500", "identical_in_set=on", "melds", "3 or more of one rank, or"),
        ("rummy500", "discard_depth=top_only top_card=must_use", "pile", "only that. It must be used that turn."),
        ("hearts", "", "pass", "then across (with an even number of players), then none"),
        ("hearts", "pass_cycle=lrh", "pass", "First deal left, next right, then none"),
        ("hearts", "double_deck=cancel", "moon", "both queens of spades: you score 0, all others 52."),
        ("hearts", "", "moon", "the queen of spades: you score 0, all others 26."),
        ("spades", "", "nil", "Partners then exchange 2 cards."),
        ("spades", "nil_pass=1 blind_nil=off", "nil", "100 won or lost. For a nil that is not blind they exchange 1 card."),
        ("spades", "first_lead=low_club", "first", "with their lowest club"),
        ("spades", "break_spades=off", "first", "leads first, with any card."),
        ("spades", "floor_loss=-300 hands_limit=6", "score", "after 6 hands at the latest. A side down to -300 loses."),
        ("gong-zhu", "", "score", "10 down to 5 10 each"),
        ("gong-zhu", "upper_end=1000", "score", "ends at -1000, or at 1000."),
        ("gong-zhu", "pig_flip=all_16", "pig", "wins that with all hearts, JD and 10C."),
        ("gong-zhu", "partners=on partner_scoring=pooled", "team", "count what they take as one pile"),
    ],
)  # fmt: skip
def test_by_these_house_rules(game, words, topic, part):
    assert part in said(game, words, topic)


def test_no_exchange_is_told_of_where_there_is_no_nil_or_no_blind_one():
    assert "exchange" not in said("spades", "blind_nil=off", "nil")
    assert "exchange" not in said("spades", "nil=off", "nil")
    assert "exchange" not in said("spades", "blind_nil_pass=0", "nil")
