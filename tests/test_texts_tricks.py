"""The trick games by text: whole games of people who text, with bots and without; every text within its budget."""

import random
import re
from statistics import median
from typing import Any

import pytest

from commands.simulate import NAMES
from commands.simulate_texts import NOON
from commands.stage import stage
from engine import bots
from engine.cards import read_cards
from engine.game import CODES, Event, Position, Refusal, write_move
from engine.record import begin, parse
from engine.registry import named
from service import stored
from service.play import course
from service.text import render
from service.text.gsm7 import is_gsm7, segments
from service.text.render import Scene
from service.text.render.scene import with_hand
from service.text.speech import of
from service.text.tricks import by_suit
from tests.tricks import options_of, random_rules, walk

GAMES = ("hearts", "spades", "gong-zhu")
LONG = tuple(f"Mmmmmmmmmm{n:02}" for n in range(10))


class Table:
    """People with phones, who play what a bot would."""

    def __init__(self, here, game, words, people):
        self.here, self.game = here, named(game)
        here.seed = "a table"
        self.phones = [here.phone(name) for name in NAMES[:people]]
        here.text(self.phones[0], f"new {game} {words}".strip())
        with here.services.db.begin() as conn:
            table = conn.execute(stored.TABLE.select()).one()
        self.code = table.code
        for phone in self.phones[1:]:
            here.text(phone, f"join {self.code}")
        if people < table.seat_count:
            here.text(self.phones[0], "bots")
        here.text(self.phones[0], "deal")
        self.cards = self.texts = 0

    @property
    def state(self):
        with self.here.services.db.begin() as conn:
            table = stored.by_code(conn, self.code)
        assert table is not None
        return table.state

    def play(self, till=lambda state: state.ended):
        """Until the game is over: every text does what it says, by whoever of those that may act."""
        chance = random.Random(7)
        while not till(state := self.state):
            seat = chance.choice([seat for seat in self.game.waiting(state) if seat < len(self.phones)])
            move = bots.choose(self.game.view(state, seat), self.game.legal(state, seat))
            text = write_move(move) if self.texts % 2 else of(self.game.name).command(move).lower()
            answer = self.here.text(self.phones[seat], text).texts
            if answer and "again to do it" in answer[0]:  # the queen onto one's own trick
                answer = self.here.text(self.phones[seat], text).texts
            assert self.game.dump(self.state) != self.game.dump(state), (text, answer)
            assert len(answer) == 1
            self.texts += 1
            self.cards += move.verb == "play"
        return self

    def sizes(self, kind=""):
        """Segments of all that has come to the phones; each text is GSM-7 and two segments at most."""
        found = []
        for phone in self.phones:
            for body, of_kind in zip(phone.inbox, phone.kinds, strict=True):
                assert is_gsm7(body), body
                assert segments(body) <= 2, body
                if kind in ("", of_kind):
                    found.append(segments(body))
        return found


@pytest.mark.parametrize(
    ("game", "words", "people"),
    [
        ("hearts", "target=20", 4),
        ("hearts", "5 players target=30 kitty=first_trick_winner moon=choose", 1),
        ("spades", "hands_limit=1 nil_pass=1", 4),
        ("spades", "target=200", 1),
        ("gong-zhu", "target=-500", 1),
    ],
)
def test_a_whole_game(game, words, people):
    with stage(NOON) as here:
        table = Table(here, game, words, people).play()
        for phone in table.phones:
            assert "REMATCH" in phone.inbox[-1]
        turns = table.sizes("turn")
        assert not turns or median(turns) == 1
        assert "win" in table.phones[0].inbox[-1]
        if people == 1:
            assert sum(table.sizes()) < 1.5 * table.cards + 10
        else:
            assert sum(table.sizes()) < 2.8 * table.cards  # sitting down, LOOK and passing included


def test_a_hand_of_gong_zhu_with_people_alone():
    with stage(NOON) as here:
        table = Table(here, "gong-zhu", "", 4).play(lambda state: state.round == 2)
        assert median(table.sizes("turn")) == 1
        assert table.cards == 48  # the last trick plays itself
        for phone in table.phones:
            assert "Round 2" in phone.inbox[-1]


def test_a_turn_is_told_once_to_each_of_several_who_must_act():
    with stage(NOON) as here:
        table = Table(here, "hearts", "", 4)
        table.play(lambda state: state.phase == "play")
        for phone in table.phones:
            passing = [body for body in phone.inbox if "PASS 3 cards" in body]
            assert len(passing) == 1
            new_hands = [body for body in phone.inbox if "You got" in body]
            assert len(new_hands) == 1
            assert "Hand: " in new_hands[0]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("people", [4, 1])
def test_plays_planned_ahead_are_made_and_told(monkeypatch, game, people):
    """Everybody plans at random; each card that a plan plays is told to its player once, and the record replays."""
    made: list[str] = []
    planned_play = course._planned_play

    def counted(table, sitter, going):
        done = planned_play(table, sitter, going)
        if done is not None:
            made.append(sitter.name)
        return done

    monkeypatch.setattr(course, "_planned_play", counted)
    chance = random.Random(f"{game} {people}")
    words = ["follow low", "follow low", "low club", "high diamond", "qs on the first chance", "low spade", "5c", "off"]
    with stage(NOON) as here:
        table = Table(
            here, game, {"spades": "hands_limit=2", "hearts": "target=20", "gong-zhu": "target=-500"}[game], people
        )

        def plan(state):
            if not state.ended and chance.random() < 0.5:
                here.text(chance.choice(table.phones), f"plan {chance.choice(words)}")
            return table.state.ended

        table.play(plan)
        assert len(made) >= 5
        for phone in table.phones:
            told = [text for body in phone.inbox for text in re.findall(r"As planned you played ([^.]*)\.", body)]
            cards = sum(
                int(text.split()[0]) if text.endswith(" cards") else len(re.findall(r"\w+[SHDC]\b", text))
                for text in told
            )
            assert cards == made.count(phone.name)
        table.sizes()
        with here.services.db.begin() as conn:
            kept = stored.by_code(conn, table.code)
            assert kept is not None
            state, _ = stored.replay(kept, stored.standing(stored.lines_of(conn, kept)))
            assert table.game.dump(state) == table.game.dump(kept.state)


def test_house_rules_and_sizes_of_tables():
    with stage(NOON) as here:
        ann = here.phone("Ann")
        for text, says in [
            ("new hearts 5 players", "4 free seats"),
            ("new hearts 8 players double_deck=cancel", "two packs and equal cards cancel"),
            ("new gong zhu 5 players", "4 free seats"),
            ("new spades 5 players", "Spades is for 4 players"),
            ("new spades blind_nil=off", "no blind nil"),
        ]:
            assert says in here.text(ann, text).texts[0]


# Words


@pytest.mark.parametrize(
    ("cards", "said", "closely"),
    [
        ("AS KS QS 9H 4H 2H TC 7C", "S AKQ H 942 D - C 10 7", "S AKQ H 942 D - C 107"),
        ("2C", "S - H - D - C 2", "S - H - D - C 2"),
        ("AH TH 6H 4H 2H", "S - H A 10 642 D - C -", "S - H A10642 D - C -"),
        ("TH TH", "S - H 10 10 D - C -", "S - H 1010 D - C -"),
    ],
)
def test_a_hand_by_suit(cards, said, closely):
    assert by_suit(read_cards(cards)) == said
    assert by_suit(read_cards(cards), closely=True) == closely


def test_a_ten_stands_apart_only_where_that_takes_no_second_segment():
    game = named("hearts")
    board = parse(
        "game: hearts\nseats: Ann Bea Cy Dot\ndealer: Dot\nphase: play\ntrick: Dot 5D\nturn: Ann\n"
        "hand Ann: AS TS 9S 4S TH 9H 8H TD 9D TC 9C 8C 7C\n"
    )
    state = begin(board).state
    scene = Scene("KF7", game.view(state, 0), NAMES[:4], tuple(game.legal(state, 0)))
    short, long = (with_hand(scene, "x" * count, ()) for count in (60, 90))
    assert "Hand: S A 10 94 H 10 98 D 10 9 C 10 987." in short
    assert "Hand: S A1094 H 1098 D 109 C 10987." in long
    assert segments(short) == segments(long) == 1


HANDS = {
    "a club": ("KC 5C QS", "Dot 4C", "PLAY a club."),
    "any": ("KS 5D QH", "Dot 4C", "PLAY any card."),
    "only": ("KS 5C QH", "Dot 4C", "PLAY 5C."),
    "no hearts": ("KS 5C QH", "", "LEAD any card but hearts."),
}


@pytest.mark.parametrize("name", HANDS)
def test_what_may_be_played(name):
    hand, trick, said = HANDS[name]
    game = named("hearts")
    extra: dict[str, list[tuple[int | None, str]]] = {"trick": [(3, trick.split()[1])]} if trick else {}
    taken: dict[str, list[tuple[int | None, str]]] = {"taken": [(1, "2S 3S 4S 6S")]}
    state = game.place(
        game.Options(),
        4,
        Position(turn=0, phase="play", hands={0: read_cards(hand), 1: read_cards("9D"), 2: read_cards("8D")},
                 extra=extra | taken),
    )  # fmt: skip
    scene = Scene("KF7", game.view(state, 0), NAMES[:4], tuple(game.legal(state, 0)))
    text = render.turn(scene, [])
    assert text.endswith(said), text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", range(25))
def test_every_text_of_a_position_with_the_longest_names(name, number):
    chance = random.Random(f"{name} {number}")
    game = named(name)
    seats = chance.choice(game.seats)
    state = walk(game, random_rules(game, seats, chance), seats, chance, chance.randrange(90))
    for seat in range(seats):
        legal = game.legal(state, seat) if seat in game.waiting(state) else []
        scene = Scene("KF7MN", game.view(state, seat), LONG[:seats], tuple(legal), "Wed Mar 25 12:30pm Mountain")
        news = [
            Event("trick", 1, tuple(read_cards("AS KS QS JS")), 1),
            Event("trick", 0, tuple(read_cards("TS 9S 8S 7S")), 1),
        ]
        texts = [show(scene) for show in (render.hand, render.table, render.melds, render.pile)]
        texts += [render.did(scene, [], news), render.already(scene), render.unclear("KF7", "what", scene)]
        texts += [render.turn(scene, news, render.note_left(LONG[1])), render.dealt(scene, game.title, news)]
        texts += [render.update(scene, news), render.new_hand(scene, news), render.refused(scene, "TURN", "")]
        texts += [render.hint(scene, move) for move in legal[:2]]
        if name != "spades" or state.phase != "bid":
            texts.append(render.score(scene))
        if state.over:
            texts.append(render.round_over(scene, None if state.ended else scene, news))
        for text in texts:
            assert is_gsm7(text), text
            assert segments(text) <= 2, text
            assert "None" not in text, text
            assert "  " not in text, text
        if legal:
            hand = render.hand(scene)
            assert not scene.view.hand or by_suit(scene.view.hand) in hand, hand


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_by_every_house_rule(name):
    game = named(name)
    speech: Any = of(name)
    for number in range(40):
        chance = random.Random(number)
        options = random_rules(game, 4, chance) if number else options_of(game)
        for topic in ("", *speech.TOPIC_NAMES, *speech.book.aliases, "hand", "nonsense"):
            text = render.rules("KF7", game, options, topic)
            assert is_gsm7(text), text
            assert segments(text) <= 2
            assert topic in ("", "nonsense") or "No rule by the name" not in text, topic
        for code in CODES:
            assert segments(render.why("KF7", code, game, options)) <= 2
    for topic in speech.WHY.values():
        assert speech.rules(options_of(game), topic), topic
    text = render.commands(name)
    assert "PLAY QS" in text
    assert segments(text) <= 2


def test_what_the_service_plays_for_who_has_no_choice():
    game = named("hearts")
    state = game.deal(game.Options(pass_cycle="none"), 4, "1")
    opening = game.forced(state)
    assert opening is not None
    assert write_move(opening) == "play 2C"
    game.play(state, state.turn, opening)
    assert game.forced(state) is None
    with pytest.raises(Refusal):
        game.play(state, (state.turn + 1) % 4, game.legal(state, state.turn)[0])
