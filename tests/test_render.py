"""Every text there is, with the longest names, hands, codes and scores: GSM-7, and within its budget."""

import random
import re

import pytest

from engine import bots
from engine.cards import WILD, read_card
from engine.game import CODES, Event, Position, Refusal, rules_of
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as DAMN
from service.text import house_text, house_words, render, sets
from service.text.gsm7 import ONE, is_gsm7, segments, septets
from service.text.hidden import HANDS
from service.text.render import TWO, Scene
from service.text.words import a_set, by_rank, card, command, grouped, listed

LONG = ("Mmmmmmmmmmm1", "Wwwwwwwwwww2", "Qqqqqqqqqqq3", "Äöüßñàèìòù&4".replace("&", "x"))
SHORT = ("Ann", "Bea", "Cy", "Dot")
CODE = "KF7MN"
UNTIL = "Wed Mar 25 12:30pm Mountain"
LEAST = {"warn_one_card": "off", "out_bonus": 300, "out_team_subtracts_partner": "on", "stock_out": "reshuffle"}
MOST_OPTIONS = DAMN.Options(
    target=5000, team_rank_discard_ban="off", team_rank_pile_ban="off", one_card_pile_ban="off", naturals_first="off",
    joker_set_wild="off", **LEAST,
)  # fmt: skip


def read(text):
    return [read_card(word) for word in text.split()]


def positions():
    """Positions that make texts long."""
    pack = read(" ".join(f"{rank}{suit}" for rank in "3456789TJQKA" for suit in "SHDC"))
    yield "deal", DAMN.deal(DAMN.Options(), 4, "7")
    forty = sorted(pack[8:])[:40]
    yield "forty cards", DAMN.place(
        DAMN.Options(), 4,
        Position(dealer=3, turn=0, phase="meld", hands={0: forty, 1: read("3S"), 2: read("3H"), 3: read("3D")}, pile=read("TS TD"),
                 stock=read("3C 4S"), scores={0: -4985, 1: 4995}),
    )  # fmt: skip
    mixed = read(
        "3S 3H 4D 4C 5S 5H 6D 6C 7S 7H 8D 8C 9S 9H TD TC JS JH QD QC KS KH AD AC JK JK W W W QS TS TH 9D 9C 8S 8H 7D 7C 6S 6H"
    )
    yield "forty mixed", DAMN.place(
        DAMN.Options(), 4,
        Position(dealer=3, turn=0, hands={0: mixed, 1: read("3S"), 2: read("3H"), 3: read("3D")}, pile=read("TS TD"), stock=read("3C 4S")),
    )  # fmt: skip
    yield "forty mixed to lay", DAMN.place(
        MOST_OPTIONS, 4,
        Position(dealer=3, turn=0, phase="meld", round=12, hands={0: mixed, 1: read("3S"), 2: read("3H"), 3: read("3D")}, pile=read("TS TD"),
                 stock=read("3C 4S"), scores={0: -4985, 1: -4995}),
    )  # fmt: skip
    down = [(0, read(f"{r}S {r}H {r}S {r}H {r}D W")) for r in "3579"] + [
        (0, read(f"{r}S {r}H {r}D {r}C")) for r in "JKA"
    ]
    down += [(1, read(f"{r}S {r}H {r}D {r}C {r}S {r}H W")) for r in "468Q"] + [
        (1, read("JK JK JK JK")),
        (1, read("TS TH TD TC TS TH TD TC")),
    ]
    yield "many sets", DAMN.place(
        DAMN.Options(), 4,
        Position(dealer=3, turn=0, phase="meld", hands={0: read("3C 3C 5C 5D"), 1: read("4D"), 2: read("6C"), 3: read("8C")},
                 down=down, pile=read("KS AS"), stock=read("JS AH")),
    )  # fmt: skip
    for seed in range(12):
        state = DAMN.deal(DAMN.Options(target=5000), 4, f"{seed}")
        rng = random.Random(seed)
        for _ in range(rng.randrange(5, 220)):
            if state.over:
                break
            seat = state.turn
            DAMN.play(state, seat, bots.choose(DAMN.view(state, seat), DAMN.legal(state, seat)))
        yield f"game {seed}", state


POSITIONS = list(positions())
BUSY = [
    Event("pickup", 1, tuple(read("QS QD QC")), 44, "Q"), Event("meld", 1, tuple(read("TS TH TD W"))), Event("meld", 1, tuple(read("JK JK W"))),
    Event("add", 1, tuple(read("9S 9H 9D 9C")), to="9"), Event("add", 1, (WILD,), to="T"), Event("discard", 1, tuple(read("TS"))), Event("low", 1, count=1),
    Event("draw", 2), Event("meld", 2, tuple(read("QS QS QD QC QH W"))), Event("discard", 2, tuple(read("TH"))),
    Event("pickup", 3, tuple(read("TC W TH")), 12, "T"), Event("meld", 3, tuple(read("KS KH KD KC KS W"))), Event("add", 3, (WILD,), to="A"),
    Event("discard", 3, tuple(read("JK"))), Event("low", 3, count=1),
]  # fmt: skip
MINE = [
    Event("pickup", 0, tuple(read("QS QD QC")), 14, "Q", tuple(read("TS TH TD TC KS KH KD KC JS JH JD JC AS AH")), True),
    Event("meld", 0, tuple(read("TS TH TD TC W"))), Event("meld", 0, tuple(read("KS KH KD KC W"))), Event("add", 0, (WILD,), to="T"),
    Event("add", 0, tuple(read("QS QH")), to="Q"), Event("discard", 0, tuple(read("TC"))),
]  # fmt: skip


@pytest.fixture(params=[pytest.param(state, id=name) for name, state in POSITIONS])
def scene(request):
    state = request.param
    seat = 0
    legal = DAMN.legal(state, seat) if seat in DAMN.waiting(state) else []
    return Scene(CODE, DAMN.view(state, seat), LONG, tuple(legal), UNTIL)


def ok(text, most=TWO):
    assert text
    assert is_gsm7(text), text
    assert septets(text) <= most, f"{septets(text)}: {text}"
    assert segments(text) <= (1 if most <= ONE else 2)
    assert "  " not in text, text
    assert not re.search(r"\s[.,;:]|\(\)|None|\bTS\b|\bTH\b|\bTD\b|\bTC\b", text), text
    ok_again = render.branded(text)
    assert segments(ok_again) <= 2
    return text


# In the game


def test_turn_texts(scene):
    for news in ([], BUSY, BUSY[:7]):
        for note in ("", render.note_left(LONG[1])):
            text = ok(render.turn(scene, news, note))
            if len(scene.view.hand) <= 20:
                assert grouped(scene.view.hand) in text or "Hand: " in text
                assert UNTIL in text
    ok(render.turn(scene, BUSY, planned=MINE[:1]))


def test_a_turn_text_holds_all_that_is_needed_to_play_on():
    """However much has happened: the hand, the top card, what can be done and until when."""
    for name, state in POSITIONS:
        if state.over:
            continue
        scene = Scene("KF7", DAMN.view(state, state.turn), SHORT, tuple(DAMN.legal(state, state.turn)), "Wed 12:30pm")
        text = ok(render.turn(scene, BUSY))
        hand = scene.view.hand
        assert any(f"Hand: {said}." in text for said in (grouped(hand), " ".join(map(card, hand)), by_rank(hand))), name
        assert text.endswith("By Wed 12:30pm."), name
        if scene.view.phase == "draw":
            assert "DRAW" in text
            assert "Top " in text


def test_answers_to_moves(scene):
    for own in ([], MINE, MINE[:1]):
        for after in ([], BUSY):
            for stop in (
                "",
                render.stopped("You need two natural queens to take the pile; you hold one. DRAW instead?", "x" * 200),
            ):
                ok(render.did(scene, own, after, stop))


def test_the_end_of_a_round_and_of_a_game(scene):
    ends = [state for _, state in POSITIONS if state.over] or [ended()]
    for state in ends:
        for seat in range(4):
            view = DAMN.view(state, seat)
            for deeds in ("", render.deeds(Scene(CODE, DAMN.view(ended(), 0), LONG), MINE), render.note_left(LONG[2])):
                for last in ([], BUSY):
                    over = Scene(CODE, view, LONG)
                    following = None if view.ended else scene
                    text = ok(render.round_over(over, following, last, deeds, BUSY if last else ()))
                    assert "Game: " in text


def ended(target=500):
    state = DAMN.place(
        DAMN.Options(target=target), 4,
        Position(turn=0, phase="meld", hands={0: read("4S"), 1: read("JK JK JK"), 2: read("3H"), 3: read("3D")}, pile=[], stock=read("3C"),
                 scores={0: 4999, 1: -4995}, down=[(0, read("QS QS QD")), (1, read("KS KH KD"))]),
    )  # fmt: skip
    DAMN.play(state, 0, DAMN.legal(state, 0)[-1])
    assert state.ended
    return state


def test_the_end_of_a_game():
    state = ended()
    for seat in range(4):
        text = ok(
            render.round_over(
                Scene(CODE, DAMN.view(state, seat), LONG),
                None,
                BUSY,
                render.deeds(Scene(CODE, DAMN.view(ended(), 0), LONG), MINE),
            )
        )
        assert "win!" in text
        assert "REMATCH" in text
        assert "Game: " in text


@pytest.mark.parametrize("title", ["Damn the Queens", "Queen of Spades"])
def test_deals(scene, title):
    for events in ([], BUSY):
        ok(render.dealt(scene, title, events))


def test_what_players_ask_for(scene):
    for show in (render.hand, render.table, render.melds, render.pile, render.score):
        ok(show(scene))
    for move in (*scene.legal[:3], *scene.legal[-3:], None):
        ok(render.hint(scene, move))
    ok(render.already(scene))
    assert segments(ok(render.whereabouts(scene, HANDS))) == 1  # another's cards
    ok(render.undone(scene, "meld TS TH TD TC W"))
    ok(render.one_card(scene, 2, render.note_left(LONG[1])))
    ok(render.update(scene, BUSY, render.note_left(LONG[1])))
    ok(render.unclear(CODE, "“what” ♠ " * 30, scene))
    ok(render.unclear(CODE, "", scene))


def test_refusals(scene):
    for code in CODES:
        ok(render.refused(scene, code, "You need two natural queens to take the pile; you hold one. DRAW instead?"))
    for verb in DAMN.verbs:
        for some in ((), tuple(read("QS")), tuple(read("QS QD")), tuple(read("TS TH W"))):
            from engine.game import Move

            try:
                DAMN.play(DAMN.copy(dict(POSITIONS)["many sets"]), 0, Move(verb, some, "T" if verb == "add" else ""))
            except Refusal as refusal:
                ok(render.refused(scene, refusal.code, refusal.hint))


def test_questions():
    many = tuple(f"pickup T{a} T{b}" for a in "SHDC" for b in "SHDC")
    for choices in (many[:2], many[:9], ("meld TS TH TD W, discard JK", "meld TS TH TD")):
        ok(render.ask(CODE, "With which cards do you take the pile?", choices))


# Rules and options


@pytest.mark.parametrize("options", [DAMN.Options(), MOST_OPTIONS, DAMN.Options(stock_out="reshuffle")])
def test_rules_by_every_topic_and_word(options):
    for topic in ("", *sets.TOPIC_NAMES, *sets.TOPICS, "x" * 300, "♠♠♠"):
        ok(render.rules(CODE, DAMN, options, topic))
    for code in ("", *CODES):
        ok(render.why(CODE, code, DAMN, options))
    ok(house_text.options(CODE, DAMN, options))


def test_every_topic_is_there():
    for topic in (*sets.TOPIC_NAMES, *sets.TOPICS):
        assert "No rule by the name" not in render.rules(CODE, DAMN, DAMN.Options(), topic)
    for code in sets.WHY:
        assert code in CODES


def test_every_house_rule_is_listed():
    for rule in rules_of(DAMN.Options):
        if rule.name == "target":
            continue
        value = next(
            v for v in ("off", "on", "reshuffle", 300, 5000) if str(v) != str(rule.default) and accepts(rule, v)
        )
        options = DAMN.Options(**{rule.name: value})
        assert house_words.say(DAMN, rule.name, value) in house_text.options(CODE, DAMN, options)


def accepts(rule, value):
    try:
        rule.choice.read(str(value))
    except ValueError:
        return False
    return True


# Around the game


def test_fixed_texts_are_one_segment():
    for text in (
        render.welcome(), render.no_table(), render.opted_out(), render.opted_in(), render.help_text(),
    ):  # fmt: skip
        ok(text, ONE)


def test_help_says_what_it_must():
    for part in ("Queenline", "card games by text", "Msg&data rates may apply", "STOP"):
        assert part in render.help_text()
    for part in ("Queenline", "START"):
        assert part in render.opted_out()
    assert "STOP" in render.welcome()
    assert "HELP" in render.welcome()


@pytest.mark.parametrize("free", [0, 1, 2, 3])
def test_at_a_table_that_fills(free):
    for host in (True, False):
        ok(render.open_table(CODE, "Queen of Spades", LONG[: 4 - free], free, host))
        ok(
            render.open_table(
                CODE,
                "Queen of Spades",
                LONG[: 4 - free],
                free,
                host,
                f"only {LONG[0]}, who opened the table, can text BOTS.",
            )
        )
        ok(render.arrived(CODE, LONG[1], free, host), ONE)
    for unnamed in (True, False):
        ok(render.joined(CODE, "Damn the Queens", LONG[: 3 - min(free, 2)], free, LONG[3], LONG[0], unnamed))
    for who in (None, LONG[0]):
        ok(render.seats_free(CODE, free or 4, who), ONE)


def test_the_answer_to_new():
    for options in (DAMN.Options(), MOST_OPTIONS):
        for unnamed in (True, False):
            text = ok(house_text.opened(CODE, DAMN, options, 4, unnamed))
            for part in (CODE, "JOIN", "BOTS", "DEAL"):
                assert part in text
    assert septets(house_text.opened("KF7", DAMN, DAMN.Options(), 4)) <= ONE


def test_small_notices_are_one_segment():
    for text in (
        render.wait_again(CODE, LONG[0]), render.nothing_to_call(CODE, LONG[0]), render.left(CODE, LONG[0], True), render.left(CODE, LONG[0], False), render.back(CODE, LONG[0]),
        render.gone(CODE, True, True), render.gone(CODE, False, True), render.gone(CODE, True, False),
        render.play_again(CODE, LONG[0], "Damn the Queens"), render.said(CODE, LONG[0], "hello"),
    ):  # fmt: skip
        ok(render.branded(text), ONE)


@pytest.mark.parametrize("words", ["x" * 1600, "€" * 1600, "well " * 300, "[" * 305 + "x"])
def test_talk_is_cut(words):
    text = render.said(CODE, LONG[0], words)
    assert septets(text) <= TWO
    assert segments(text) <= 2
    assert text.endswith("..")


def test_the_words_there_are():
    ok(render.commands())


# The few letters that cards have


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("9S 9H 9C", "999"),
        ("KS KH W", "KKW"),
        ("TS TH TD", "3 10s"),
        ("TS TH W", "2 10s+W"),
        ("QS QD QC", "QS QQ"),
        ("QS QS QC W", "QS QS QW"),
        ("JK JK JK", "3 JKs"),
        ("5S 5H 5D 5C 5S", "5 5s"),
        ("9S W", "9W"),
        ("W", "W"),
        ("TS", "10"),
        ("QS", "QS"),
    ],
)
def test_sets_in_few_letters(cards, said):
    assert a_set(read(cards)) == said


def test_hands_with_the_suits_of_a_rank_together():
    assert grouped(sorted(read("9C 9S QH KD KH TS W W JK"))) == "9CS 10S QH KDH JK W W"


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("pickup 9S 9C", "PICKUP 9 9"),
        ("meld TS TH W", "LAY 10 10 W"),
        ("add QS to Q", "ADD QS"),
        ("add W to T", "ADD W TO 10"),
        ("discard TH", "DISCARD 10H"),
        ("draw", "DRAW"),
    ],
)
def test_moves_as_a_player_would_text_them(move, said):
    from engine.game import Move, read_move

    loose = read_move(move)
    assert (
        command(Move(loose.verb, tuple(spec.card for spec in loose.specs if spec.card is not None), loose.to)) == said
    )


def test_lists():
    assert [listed(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


# What happened, in sentences


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([Event("draw", 0), Event("discard", 0, tuple(read("4H")))], ["Ann threw 4H."]),
        ([Event("draw", 0)], ["Ann drew."]),
        ([Event("draw", 0), Event("meld", 0, tuple(read("4H 4S 4D"))), Event("undo", 0, count=1)], ["Ann drew."]),
        (
            [Event("draw", 0), Event("meld", 0, tuple(read("4H 4S 4D"))), Event("discard", 0, tuple(read("9H"))), Event("undo", 0, count=1),
             Event("discard", 0, tuple(read("8H")))],
            ["Ann laid 444, threw 8H."],
        ),
        ([Event("undo", 0, count=1), Event("discard", 0, tuple(read("8H")))], ["Ann threw 8H."]),
        ([Event("discard", 0, tuple(read("9H"))), Event("low", 0, count=1), Event("undo", 0, count=2)], []),
        ([Event("discard", 0, tuple(read("9H"))), Event("draw", 1), Event("discard", 1, tuple(read("TH")))], ["Ann threw 9H.", "Bea threw 10H."]),
        (
            [Event("add", 0, tuple(read(c)), to=c[0]) for c in ("9S", "9H", "TH")] + [Event("add", 0, (WILD,), to="9")],
            ["Ann added 9 9 10, added W to 9s."],
        ),
        ([Event("pass", 2), Event("over", 2), Event("deal", 3), Event("shuffle", 3)], ["Cy passed."]),
        ([Event("pickup", 1, tuple(read("9S 9H 9D")), 0)], ["Bea took 9D with 99."]),
        ([Event("pickup", 1, tuple(read("9S W 9D")), 7)], ["Bea took the pile (8) with 9W."]),
        ([], []),
    ],
)  # fmt: skip
def test_what_happened(events, said):
    assert sets.told(events, SHORT) == said
