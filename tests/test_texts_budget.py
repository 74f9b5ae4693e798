"""Every text of the rummy games keeps to its budget, whoever sits there and whatever they hold, and drops nothing that matters.

The names are as long as names may be; hands grow to thirty cards and more, and eight players or twelve have melds down.
"""

from random import Random
from statistics import median

import pytest

from engine.bots import choose
from engine.bots.random_play import mover
from engine.cards import RANKS
from engine.game import Event, read_options
from engine.registry import named
from service.tables import NAME_LENGTH
from service.text import render
from service.text.gsm7 import ONE, is_gsm7, septets
from service.text.speech import of
from service.text.words import card

LONG = tuple(
    f"{name:W<{NAME_LENGTH}}"
    for name in ["Ann", "Bea", "Cy", "Dot", "Eve", "P6", "P7", "P8", "P9", "P10", "P11", "P12"]
)
UNTIL = "Wed 12:30pm New York"

TABLES = [
    ("damn-the-queens", "", 4),
    ("queen-of-spades", "target=none must_discard_to_go_out=off", 12),
    ("queen-of-spades", "cut_model=exact", 2),
    ("rummy5000", "wild_upcard=25 twos_wild=on wild_replace=swap", 8),
    ("rummy5000", "wild_upcard=two_or_twelve jokers=2 rummy_call=pile extra_pack=on", 8),
    ("rummy5000", "permanent_wilds=joker+2+10+one_eyed_jacks face_deal=ranked15 r500_options=hand_size:13", 3),
    ("george", "", 8),
    ("rummy500", "rummy_call=discard jokers=2 hand_size=13", 8),
]


class Told:
    """A table as its texts go out: what has happened since each seat was last told."""

    def __init__(self, game, options, seats, seed):
        self.game, self.names = game, LONG[:seats]
        self.state = game.deal(options, seats, seed)
        self.news: list[Event] = []
        self.told = [0] * seats

    def scene(self, seat, state=None):
        state = self.state if state is None else state
        legal = self.game.legal(state, seat) if seat in self.game.waiting(state) else []
        return render.Scene("KF7BB", self.game.view(state, seat), self.names, tuple(legal), UNTIL)

    def since(self, seat):
        news = self.news[self.told[seat] :]
        self.told[seat] = len(self.news)
        return news

    def play(self, seat, move):
        events = self.game.play(self.state, seat, move)
        self.news += [event.seen_by(None) for event in events]
        return events


def in_budget(text, most=render.TWO):
    assert is_gsm7(text), text
    assert septets(text) <= most, text
    assert "..." not in text, text
    return text


def turn_is_whole(table, seat, text):
    """Table, top of the pile, what to do, every rank in hand, and the clock."""
    view = table.game.view(table.state, seat)
    assert text.startswith("KF7BB: your turn."), text
    assert text.endswith(f"By {UNTIL}."), text
    if view.phase == "draw":
        top = getattr(view, "pile", None)
        top = view.top if top is None else top[-1] if top else None
        assert top is None or f"{card(top)}" in text, text
        assert "DRAW" in text or "PASS" in text or "TAKE" in text, text
    else:
        foremost = of(table.game.name).can(view, table.game.legal(table.state, seat), few=True)
        assert foremost.strip(".").split(" or ")[0] in text, text
    if view.phase in ("draw", "meld"):
        _, _, held = text.partition("Hand: ")
        for rank in {c >> 2 for c in view.hand if c < 52}:
            assert RANKS[rank].replace("T", "10") in held, (RANKS[rank], text)


@pytest.mark.parametrize(("name", "words", "seats"), TABLES)
@pytest.mark.parametrize("sense", [0.0, 0.6, 1.0])
def test_every_text_of_many_rounds(name, words, seats, sense):
    game = named(name)
    options = read_options(game.Options, dict(word.split("=", 1) for word in words.split()))
    lengths: list[int] = []
    for seed in range(2):
        chance, anything = Random(seed), mover(str(seed))
        table = Told(game, options, seats, f"{name}/{seed}")
        for _ in range(160):
            if table.state.over:
                ended = table.scene(0, game.copy(table.state))
                if table.state.ended:
                    break
                table.news += game.next_round(table.state)
                in_budget(render.round_over(ended, table.scene(0), table.news[-6:]))
            seat = table.state.turn
            at_first = table.scene(seat)
            text = in_budget(render.turn(at_first, table.since(seat)))
            turn_is_whole(table, seat, text)
            lengths.append(septets(text))
            legal = game.legal(table.state, seat)
            move = choose(at_first.view, legal) if chance.random() < sense else anything(at_first.view, legal)
            events = table.play(seat, move)
            if not table.state.over:
                in_budget(render.did(table.scene(seat), events))
                other = chance.randrange(seats)
                for show in (render.hand, render.table, render.melds, render.pile, render.score):
                    in_budget(show(table.scene(other)).replace("...", ""))
                in_budget(render.update(table.scene(other), table.news[-8:]).replace("...", ""))


@pytest.mark.parametrize(
    ("name", "seats"),
    [("queen-of-spades", 12), ("rummy5000", 8), ("george", 8), ("rummy500", 8)],
)
def test_the_median_turn_is_one_segment_even_with_the_longest_names(name, seats):
    game = named(name)
    lengths = []
    for seed in range(2):
        table = Told(game, game.Options(), seats, f"median/{seed}")
        begins = (-1, -1)
        for _ in range(400):
            if table.state.over:
                if table.state.ended:
                    break
                table.news += game.next_round(table.state)
            seat = table.state.turn
            if begins != (table.state.round, seat):
                begins = table.state.round, seat
                lengths.append(septets(render.turn(table.scene(seat), table.since(seat))))
            table.play(seat, choose(game.view(table.state, seat), game.legal(table.state, seat)))
    assert median(lengths) <= ONE, median(lengths)
