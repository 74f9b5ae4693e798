"""What the tests of the rummy games share: random house rules and positions, and what must hold in each of them."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from commands.record_file import read_file
from engine.bots import choose
from engine.bots.random_play import mover
from engine.cards import JOKER, card_name
from engine.game import Refusal, read_move, rules_of, write_move
from engine.record import replay
from engine.record.parts import Attempt

CASES = Path(__file__).parent / "cases"
FACES = [*range(52), JOKER]


def cases(game, only=""):
    return sorted((CASES / game.name).glob(f"{only}*.hand"))


# House rules


def values(rule, special=None):
    """Some values of a house rule, as they are kept."""
    choice = rule.choice
    found = [*choice.words, *choice.numbers]
    if choice.low <= choice.high:
        found += [choice.low, choice.high, (choice.low + choice.high) // 2]
    for text in (special or {}).get(rule.name, ()):
        found.append(choice.read(text))
    return found


def some_rules(kind, chance, special=None, share=0.35):
    """House rules of which some differ from the usual ones; never a set that is refused."""
    options = kind()
    for rule in rules_of(kind):
        if chance.random() < share:
            changed = {r.name: getattr(options, r.name) for r in rules_of(kind)}
            changed[rule.name] = chance.choice(values(rule, special))
            with suppress(Refusal):
                options = kind(**changed)
    return options


@st.composite
def house_rules(draw, kind, special=None):
    return some_rules(kind, Random(draw(st.integers(0, 100_000))), special, draw(st.sampled_from([0, 0.15, 0.5])))


@st.composite
def positions(draw, game, rules, seats, most=200, sense=True):
    """Somewhere in a game: so many moves from a seed, by bots or by nobody in particular, over the ends of rounds."""
    options, players = draw(rules), draw(st.sampled_from(seats))
    with suppress(Refusal):
        return walk(game, options, players, draw(st.integers(0, 10_000)), draw(st.integers(0, most)), sense)
    return walk(game, game.Options(), players, 1, 10, sense)


def walk(game, options, players, seed, moves, sense=True):
    state = game.deal(options, players, str(seed))
    chance, anything = Random(seed), mover(str(seed))
    wise = chance.random() if sense else 0
    for _ in range(moves):
        if state.over:
            if state.ended:
                break
            game.next_round(state)
        seat = chance.choice(game.waiting(state))
        legal = game.legal(state, seat)
        if not legal:
            continue
        pick = choose if chance.random() < wise else anything
        game.play(state, seat, pick(game.view(state, seat), legal))
    return state


# What must hold


def legal_moves_are_accepted_as_they_are_written(game, state):
    waiting = game.waiting(state)
    assert (state.turn in waiting) == (not state.over)
    for seat in range(state.seats):
        legal = game.legal(state, seat)
        assert len(set(legal)) == len(legal)
        assert not legal or seat in waiting
        if seat == state.turn and not state.over:
            assert legal
            forced = game.forced(state) if hasattr(game, "forced") else None
            assert forced is None or legal == [forced]
        for move in legal:
            assert game.resolve(state, seat, read_move(write_move(move))) == move
            trial = game.copy(state)
            game.play(trial, seat, move)
            game.check(trial)


def json_there_and_back(game, state):
    written = json.dumps(game.dump(state))
    again = game.load(json.loads(written))
    assert again == state
    assert json.dumps(game.dump(again)) == written
    assert game.copy(state) == state


def refusals_change_nothing(game, state, tries, may):
    """`may(state, seat, move)` is the rules read once more: None where it says nothing."""
    before = game.dump(state)
    for seat, move in tries:
        trial = game.copy(state)
        allowed, refused = may(state, seat, move), None
        try:
            game.play(trial, seat, move)
        except (Refusal, ValueError) as error:
            refused = error
        if refused is not None:
            assert not allowed, f"refused: {seat} {write_move(move)}: {refused}"
            assert game.dump(trial) == before, f"a refusal changed the game: {seat} {move}"
        else:
            assert allowed is not False, f"accepted: {seat} {write_move(move)}"
            game.check(trial)
        assert game.dump(state) == before, "a copy is not independent"


def view_shows_only(game, state, public, named=frozenset()):
    """Each seat sees its hand and what is public, here the faces `public`; `named` may stand there as well."""
    for seat in (None, *range(state.seats)):
        view = game.view(state, seat)
        own = set() if seat is None else set(state.hands[seat])
        assert view.cards() == public | own
        written = json.dumps(view.as_dict())
        for card in set(FACES) - own - public - named:
            assert f'"{card_name(card)}"' not in written


def nothing_depends_on_what_is_hidden(game, state, chance, pile_is_hidden):
    for seat in range(state.seats):
        other = with_other_hidden_cards(game, state, seat, chance, pile_is_hidden)
        game.check(other)
        assert game.view(other, seat) == game.view(state, seat)
        legal = game.legal(state, seat)
        assert game.legal(other, seat) == legal
        if legal:
            assert choose(game.view(other, seat), legal) == choose(game.view(state, seat), legal)


def with_other_hidden_cards(game, state, seat, chance, pile_is_hidden):
    """The same position with all that this seat cannot see dealt again."""
    other = game.copy(state)
    places = [hand for number, hand in enumerate(other.hands) if number != seat] + [other.stock]
    under = other.pile[:-1] if pile_is_hidden else []
    hidden = [card for place in places for card in place] + under
    chance.shuffle(hidden)
    for place in places:
        place[:] = [hidden.pop() for _ in place]
    if pile_is_hidden:
        other.pile[:-1] = hidden
    return other


TURNED_UP = ("upcard", "wild")  # before everybody's eyes, and then picked up: no view shows it any more


def events_tell_nothing_hidden(game, state, chance):
    seats = [seat for seat in game.waiting(state) if game.legal(state, seat)]
    if not seats:
        return
    seat = chance.choice(seats)
    held = [set(hand) for hand in state.hands]
    public = game.view(state, None).cards()
    events = game.play(state, seat, chance.choice(game.legal(state, seat)))
    for other in set(range(state.seats)) - {seat}:
        shown = public | held[other] | game.view(state, other).cards()
        for event in events:
            seen = event.seen_by(other)
            assert not seen.private or event.seat == other
            if event.kind not in TURNED_UP:
                assert set(seen.cards) <= shown


def replays_from_the_seed(game, options, players, seed, moves):
    """Plays so many moves with anybody who may act, and again from the lines that were written."""
    state = game.deal(options, players, str(seed))
    chance = Random(seed)
    lines = []
    for _ in range(moves):
        if state.over:
            if state.ended:
                break
            game.next_round(state)
        seat = chance.choice([seat for seat in game.waiting(state) if game.legal(state, seat)])
        move = chance.choice(game.legal(state, seat))
        lines.append((seat, write_move(move)))
        game.play(state, seat, move)
    again = game.deal(options, players, str(seed))
    for seat, line in lines:
        if again.over:
            game.next_round(again)
        game.play(again, seat, game.resolve(again, seat, read_move(line)))
    assert game.dump(again) == game.dump(state)


# Records


def holds(record):
    return not replay(record).failures


def option_case_fails_at_other_values(path, special=None):
    """A case `option-NAME-VALUE...` names its value, and at every other value of a list, or at some number, it fails."""
    record = read_file(path)
    name = path.stem.split("-")[1]
    rule = next(r for r in rules_of(record.game.Options) if r.name == name)
    now = getattr(record.options, name)
    assert f"{name}={now}" in path.read_text(), "the case names its value, though it be the default"
    fails: list[object] = []
    holds_too: list[object] = []
    for value in dict.fromkeys([*values(rule, special), rule.default]):
        try:
            changed = replace(record, options=replace(record.options, **{name: value}))
            (holds_too if holds(changed) else fails).append(value)
        except (Refusal, ValueError):
            continue  # it does not go with the rest
    assert holds(record)
    assert fails, f"{path.name} holds with every other {name}"
    listed = [*rule.choice.words, *rule.choice.numbers]
    assert rule.choice.low <= rule.choice.high or not set(listed) & set(holds_too) - {now}, (
        f"it holds with {holds_too} too"
    )


def codes_of(paths):
    return {s.code for path in paths for s in read_file(path).body if isinstance(s, Attempt)}
