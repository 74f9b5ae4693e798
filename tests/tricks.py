"""What the tests of the trick games share: random house rules, positions and moves, and what must hold in each of them."""

import json
import os
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import play_whole_game
from engine.cards import card_name
from engine.game import Loose, Move, Position, Refusal, Spec, read_options, write_move
from engine.record import begin, parse
from engine.tricks.table import PASS
from tests import rummy

FACES = range(52)


def options_of(game, words=""):
    return read_options(game.Options, dict(word.split("=") for word in words.split()))


def fits(game, options, seats):
    """Whether these house rules go with so many players."""
    try:
        game.demand_table(options, seats)
    except Refusal:
        return False
    return True


def random_rules(game, seats, chance):
    """House rules of which some differ from the usual ones, for so many players."""
    while True:
        options = rummy.some_rules(game.Options, chance, share=chance.choice([0, 0.15, 0.5]))
        if fits(game, options, seats):
            return options


@st.composite
def positions(draw, game, most=150):
    """Somewhere in a game, by any house rules: so many moves from a seed, by bots or by nobody in particular."""
    chance = Random(draw(st.integers(0, 100_000)))
    seats = chance.choice(game.seats)
    options = random_rules(game, seats, chance)
    return walk(game, options, seats, chance, draw(st.integers(0, most)))


def walk(game, options, seats, chance, moves):
    state = game.deal(options, seats, str(chance.random()))
    anything, wise = mover(str(chance.random())), chance.choice([0.0, 0.5, 1.0])
    for _ in range(moves):
        if state.over:
            if state.ended:
                break
            game.next_round(state)
        seat = chance.choice(game.waiting(state))
        pick = choose if chance.random() < wise else anything
        game.play(state, seat, pick(game.view(state, seat), game.legal(state, seat)))
    return state


@st.composite
def attempts(draw, game, state):
    """A move of somebody: a legal one, one of cards in hand, or nonsense."""
    seat = draw(st.just(state.turn) | st.integers(0, state.seats - 1))
    legal = game.legal(state, state.turn)
    if legal and draw(st.booleans()):
        return seat, draw(st.sampled_from(legal))
    hand = state.hands[seat]
    faces = st.sampled_from(FACES)
    card = faces if not hand else st.sampled_from(hand) | st.sampled_from(hand) | faces
    verb = draw(st.sampled_from(game.verbs))
    cards = tuple(draw(st.lists(card, max_size=5 if verb != "play" else 1)))
    value = ""
    if verb in ("bid", "moon"):
        cards, value = (), draw(st.sampled_from(["nil", "blind", "0", "3", "13", "14", "x", "add", "subtract"]))
    return seat, Move(verb, cards, value=value)


def refuses_like(game, state, tries, may):
    """Plays are refused as `may`, the rules read once more, says; a refusal has changed nothing."""
    rummy.refusals_change_nothing(game, state, tries, may)


def legal_moves_are_accepted(game, state):
    rummy.legal_moves_are_accepted_as_they_are_written(game, state)
    if state.phase == "play":
        plays = [move.cards[0] for move in game.legal(state, state.turn)]
        for card in set(state.hands[state.turn]):
            trial = game.copy(state)
            try:
                game.play(trial, state.turn, Move("play", (card,)))
            except Refusal:
                assert card not in plays, f"{card_name(card)} is listed and refused"
            else:
                assert card in plays, f"{card_name(card)} is accepted and not listed"


def public_cards(state):
    """What lies or has lain open on the table."""
    cards = {card for pile in state.taken for card in pile} | {card for _, card in state.trick}
    shown = {card for cards in getattr(state, "exposed", ()) for card in cards or ()}
    return cards | shown | set(getattr(state, "carried", ()))


def view_shows_only(game, state):
    """A seat sees its hand (when it has been shown), what is public, and what it gave and got itself."""
    public = public_cards(state)
    for seat in (None, *range(state.seats)):
        view = game.view(state, seat)
        own = set()
        if seat is not None:
            shown = getattr(state, "shown", [True] * state.seats)[seat]
            own = set(state.hands[seat]) if shown else set()
            own |= set(view.passed) | set(view.received)
            assert not set(view.passed) - set(getattr(state, "chosen", {seat: ()})[seat] or ())
            if view.received:
                givers = [cards for other, cards in enumerate(state.chosen) if other != seat]
                assert view.received in givers
                assert state.phase not in (PASS, "exchange")
        assert view.cards() == public | own
        plain = view.as_dict()
        written = json.dumps({key: value for key, value in plain.items() if key not in ("game", "phase")})
        for card in set(FACES) - own - public:
            assert f'"{card_name(card)}"' not in written


def nothing_depends_on_what_is_hidden(game, state, chance):
    """With all that a seat cannot see dealt again, it sees and may do the same, and its bot does."""
    for seat in range(state.seats):
        other = game.copy(state)
        known = set(game.view(state, seat).passed) if state.phase == "play" else set()
        known |= {card for shown in getattr(state, "exposed", ()) for card in shown or ()}
        if state.phase in (PASS, "exchange"):
            known |= {card for cards in state.chosen for card in cards or ()}
        places = [hand for number, hand in enumerate(other.hands) if number != seat or not shows(state, seat)]
        places += [other.kitty] if getattr(other, "kitty", None) else []
        hidden = [card for place in places for card in place if card not in known]
        chance.shuffle(hidden)
        for cards in places:
            cards[:] = sorted(card if card in known else hidden.pop() for card in cards)
        game.check(other)
        assert game.view(other, seat) == game.view(state, seat)
        for loose in said(game, chance):
            assert answered(game, other, seat, loose) == answered(game, state, seat, loose)
        if state.phase == "play" and seat != state.turn:
            continue
        legal = game.legal(state, seat)
        assert game.legal(other, seat) == legal
        if legal:
            assert choose(game.view(other, seat), legal) == choose(game.view(state, seat), legal)


def said(game, chance):
    """Moves as somebody may write them who does not know the cards: of each verb one by ranks and one by cards."""
    for verb in game.verbs:
        cards = [chance.choice(FACES) for _ in range(1 if verb == "play" else 2)]
        value = chance.choice(["nil", "blind", "3", "add"])
        if verb in ("bid", "look", "moon"):
            yield Loose(verb, value=value)
        else:
            yield Loose(verb, tuple(Spec(card >> 2) for card in cards))
            yield Loose(verb, tuple(Spec(card >> 2, card) for card in cards))


def answered(game, state, seat, loose):
    """How a move is read, or why it is refused."""
    try:
        move = game.resolve(state, seat, loose)
        game.play(game.copy(state), seat, move)
    except Refusal as refused:
        return refused.code, refused.hint, refused.choices
    except ValueError as error:
        return str(error)
    return move


def shows(state, seat):
    return getattr(state, "shown", [True] * state.seats)[seat]


PARTS = 5  # of the whole games by random house rules, each a test
# `QUEENLINE_GAMES=1000 QUEENLINE_BOT_HANDS=2000 pytest tests/test_hearts.py` plays more than the ordinary run does.
GAMES = int(os.environ.get("QUEENLINE_GAMES", "15")) // PARTS
HANDS = int(os.environ.get("QUEENLINE_BOT_HANDS", "200"))


def lowest(view, legal):
    """A player who always plays the lowest card there is, and bids as our bot does."""
    return choose(view, legal) if view.phase == "bid" else min(legal, key=lambda move: move.cards)


def at_random(seed):
    """A player who plays any card, and bids as our bot does."""
    chance = mover(seed)
    return lambda view, legal: choose(view, legal) if view.phase == "bid" else chance(view, legal)


def paired_hands(game, options, hands, other):
    """What a hand brings our bot's side, and each of the other sides on average; each deal once with our bot on every side."""
    sides = game.sides(options, 4)
    ours = theirs = 0
    for number in range(hands):
        mine = number % len(sides)
        state = game.deal(options, 4, f"paired {number // len(sides)}")
        while not state.over:
            seat = game.waiting(state)[0]
            view, legal = game.view(state, seat), game.legal(state, seat)
            game.play(state, seat, (choose if seat in sides[mine] else other)(view, legal))
        ours += state.earned[mine]
        theirs += sum(state.earned) - state.earned[mine]
    return ours / hands, theirs / hands / (len(sides) - 1)


def whole_games(game, count, seats, seed, rules=None, watch=None):
    """So many games to their end, by bots; the cards are counted after each move. Yields each."""
    for number in range(count):
        chance = Random(f"{seed}/{number}")
        players = seats if isinstance(seats, int) else chance.choice(seats)
        options = random_rules(game, players, chance) if rules is None else rules
        yield play_whole_game(game, options, players, f"{seed}/{number}", watch=watch)


def a_seed_in_a_record_is_the_deal(game, chance):
    seats = chance.choice(game.seats)
    options, seed = random_rules(game, seats, chance), str(chance.randrange(1000))
    dealt = game.deal(options, seats, seed)
    assert game.place(options, seats, Position(seed=seed, dealer=dealt.dealer)) == dealt
    for dealer in range(seats):
        assert game.deal(options, seats, seed, dealer).dealer == dealer


# Blunders: positions and what the bot must not do there, as data


class Blunder:
    """A block of a file in tests/blunders: its title, its position, and what is never or only right."""

    def __init__(self, block):
        self.what = block[0].lstrip("# ")
        self.header = [line for line in block[1:] if line.partition(":")[0] not in ("never", "only", "has", "without")]
        said = dict(line.split(":", 1) for line in block[1:] if line not in self.header)
        self.said = {key: [part.strip() for part in value.split("|")] for key, value in said.items()}

    def state(self, game):
        text = [f"game: {game.name}", "seats: Ann Bea Cy Dot", *self.header]
        if not any(line.startswith("phase:") for line in text):
            text.append("phase: play")
        return begin(parse("\n".join(text) + "\n")).state

    def move(self, game):
        """What the bot does here, less its verb."""
        state = self.state(game)
        legal = game.legal(state, state.turn)
        assert len(legal) > 1, "there is nothing to choose"
        return write_move(choose(game.view(state, state.turn), legal)).partition(" ")[2]


def blunders(game):
    text = (Path(__file__).parent / "blunders" / f"{game.name}.txt").read_text()
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return [Blunder(block) for block in blocks[1:] if block]


def makes_none(game, blunder):
    move = blunder.move(game)
    cards = set(move.split())
    assert move not in blunder.said.get("never", ()), move
    assert move in blunder.said.get("only", [move]), move
    assert set(" ".join(blunder.said.get("has", ())).split()) <= cards, move
    assert not set(" ".join(blunder.said.get("without", ())).split()) & cards, move
