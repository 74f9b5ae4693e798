"""Whole games of the further rummy games by text: people, whose moves bots choose, and bots beside them."""

from datetime import UTC, datetime, timedelta
from statistics import median

import pytest

from commands.simulate import NAMES
from commands.simulate_texts import People, next_text, standing, text_one
from commands.stage import stage
from engine.cards import JOKER, read_cards
from engine.game import Event, Move, Position, Refusal, read_options, rules_of, write_options
from engine.registry import named
from service.stored import TABLE
from service.text import house_text, own_sets, render, runs
from service.text.gsm7 import ONE, is_gsm7, segments, septets
from service.text.speech import of

NOON = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)
SHORT = ("Ann", "Bea", "Cy", "Dot")


@pytest.mark.parametrize(
    ("game", "words", "players"),
    [
        ("queen-of-spades", "target=100 decks=3", 3),
        ("rummy500", "target=200 rummy_call=discard jokers=2", 4),
        ("rummy5000", "target=500", 4),
        ("rummy5000", "target=500 wild_replace=swap deep_needs_pair=on unmelded_to=subtract rummy_call=pile", 3),
        ("george", "target=500", 5),
    ],
)
def test_a_whole_game_by_text(game, words, players):
    played = text_one(game, words, People(players, players, auto=True), "whole", 0)
    assert played.wrong == []
    assert played.decisions > 8
    assert median(played.turns) == 1
    assert max(played.segments) <= 2


@pytest.mark.parametrize(
    ("game", "words"), [("queen-of-spades", "target=100"), ("rummy500", "target=200"), ("rummy5000", "target=500")]
)
def test_eight_at_a_table(game, words):
    played = text_one(game, words, People(8, 8, auto=True), "b", 0)
    assert played.wrong == []
    assert median(played.turns) == 1


def test_two_people_and_three_bots():
    """People may call Rummy before bots do, and are waited for."""
    game = named("rummy5000")
    with stage(NOON) as here:
        here.seed = "b"
        people = [here.phone(name) for name in NAMES[:2]]
        here.text(people[0], "new 5000 5 players, target 2000")
        with here.services.db.begin() as conn:
            code = conn.execute(TABLE.select()).one().code
        here.text(people[1], f"join {code}")
        here.text(people[0], "bots")
        here.text(people[0], "deal")
        calls = waits = windows = 0
        for _ in range(400):
            state = standing(here, code)
            if state.ended:
                break
            acting = [seat for seat in game.waiting(state) if seat < len(people)]
            assert acting, "bots play on by themselves, unless somebody may call"
            seat = acting[-1]
            if seat == state.turn:
                words = next_text(game, state, seat, in_full=False)[0]
            elif (windows := windows + 1) % 3 == 2:
                calls += 1
                words = "rummy " + next_text(game, state, seat, in_full=False)[0].partition(" ")[2]
            elif windows % 3 == 0:
                words = "no"
            else:
                waits += 1
                here.run_to(here.clock() + timedelta(minutes=11))
                continue
            answer = here.text(people[seat], words).texts
            assert "understand" not in answer[0], (words, answer)
        assert state.ended
        assert calls
        assert waits
        sent = [body for phone in people for body in phone.inbox]
        assert all(is_gsm7(body) and segments(body) <= 2 for body in sent)


# One hand, one text


def scene(game, view, legal=()):
    return render.Scene("KF7", view, SHORT, tuple(legal), "Wed 12:30pm")


def at(name, words="", **position):
    game = named(name)
    options = read_options(game.Options, dict(word.split("=") for word in words.split()))
    state = game.place(options, 4, Position(**position))
    seat = state.turn
    return scene(game, game.view(state, seat), game.legal(state, seat))


def test_a_large_hand_among_many_melds_is_one_segment():
    hand = read_cards("2C 2D 3C 3H 4S 5S 5D 6H 7C 7D 8S 9S 9D TC TD JH QD QS KC KD KH AC AS AD")
    melds = [
        (seat % 4, f"M{n} {cards}")
        for n, (seat, cards) in enumerate(
            [(0, "6S 7S 8S"), (1, "4C 4D 4H"), (2, "JC JD JS"), (3, "QH KH AH"), (1, "3S 3D 3C"), (2, "5C 6C 7C")], 1
        )
    ]
    seen = at(
        "rummy5000", "extra_pack=on", turn=0, hands={0: hand}, pile=read_cards("9H 2H 6D 8C"), stock=read_cards("TS TH"),
        extra={"wild": [(None, "K")], "meld": melds},
    )  # fmt: skip
    news = [Event("meld", 1, tuple(read_cards("3S 3D 3C")), to="M5"), Event("discard", 1, tuple(read_cards("6D")))]
    text = render.turn(seen, news)
    assert septets(text) <= ONE, text
    for word in ("Top 8C of 4", "Ks wild", "Hand: 2CD 3CH", "DRAW", "By Wed"):
        assert word in text, text
    for show in (render.table, render.melds, render.pile, render.hand):
        assert septets(show(seen)) <= render.TWO, show(seen)
    assert "M3 JJJ" in render.table(seen)
    assert "M4 Q-AH" in render.table(seen)


@pytest.mark.parametrize(
    ("cards", "stands", "said"),
    [
        ("7S 8S 9S", "", "7-9S"),
        ("KS KH KD", "", "KKK"),
        ("TS TH TD", "", "3 10s"),
        ("QS KS AS", "", "Q-AS"),
        ("AS 2S 3S", "", "A-3S"),
        ("KS KH 2D", "KS KH KD", "KKw"),
        ("7S 6D 9S", "7S 8S 9S", "7-9S(1w)"),
    ],
)
def test_melds_are_short(cards, stands, said):
    assert runs.shown(read_cards(cards), read_cards(stands)) == said


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("KS KH KD", "KKK"),
        ("KS KH 2D", "KK2"),
        ("TS TH 2D", "2 10s+2"),
        ("2S 2H 2D", "222"),
        ("QS QH 2D", "QS Q2"),
        ("JK JK 2D", "2 JKs+2"),
        ("QS QS 2D", "QS QS+2"),
    ],
)
def test_sets_are_short(cards, said):
    assert own_sets.a_set(read_cards(cards)) == said


def test_a_large_hand_is_told_by_suits_where_room_is_short():
    assert runs.by_suit(read_cards("2C 3C TC KC AC 7D 8S 9S JK")) == "C23 10 KA, D7, S89, JK"


def test_moves_are_said_as_they_are_texted():
    assert own_sets.command(Move("meld", tuple(read_cards("AS AD 2C")))) == "LAY AA 2"
    assert own_sets.command(Move("meld", (JOKER, JOKER, 0))) == "LAY JK JK 2"
    assert own_sets.command(Move("add", tuple(read_cards("2C")), "T")) == "ADD 2 TO 10"
    assert runs.command(Move("meld", tuple(read_cards("TS 6D QS")), stands=tuple(read_cards("TS JS QS")))) == (
        "LAY 10S 6D=JS QS"
    )
    assert runs.command(Move("swap", tuple(read_cards("TS 6D")), "M1")) == "SWAP 10S FOR 6D IN M1"


def test_deeds_of_one_turn_share_their_verb():
    events = [
        Event("meld", 1, tuple(read_cards("7S 8S 9S")), to="M1"),
        Event("meld", 1, tuple(read_cards("KS KH KD")), to="M2"),
        Event("add", 1, tuple(read_cards("TS")), to="M1"),
        Event("add", 1, tuple(read_cards("JS")), to="M1"),
        Event("discard", 1, tuple(read_cards("4C"))),
    ]
    assert runs.told(events, SHORT) == ["Bea laid M1 7-9S, M2 KKK, added 10S JS to M1, threw 4C."]


@pytest.mark.parametrize("name", ["queen-of-spades", "rummy500", "rummy5000", "george"])
def test_rules_fit_two_segments_by_any_house_rule(name):
    game = named(name)
    speech = of(name)
    ways = [game.Options()]
    for rule in rules_of(game.Options):
        for value in (*rule.choice.words, *rule.choice.numbers):
            try:
                ways.append(read_options(game.Options, {rule.name: str(value)}))
            except Refusal:  # one that does not go alone
                continue
    for options in ways:
        for topic in speech.TOPIC_NAMES:
            said = render.rules("KF7", game, options, topic)
            assert said == f"KF7: {speech.rules(options, topic)}", said
            assert is_gsm7(said)
            assert segments(said) <= 2
        assert segments(house_text.options("KF7", game, options)) <= 2, write_options(options)
    for topic in speech.WHY.values():
        assert speech.rules(game.Options(), topic), topic
