"""What must hold in every position of Damn the Queens, whoever plays and by whichever house rules."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import play_whole_game
from engine.cards import JOKER, JOKER_RANK, WILD, card_name, rank_name, read_rank
from engine.game import Move, Position, Refusal, read_move, rules_of, write_move
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as GAME
from engine.rummy.damn_the_queens_table import PACK, Options
from tests.examples import examples

FACES = sorted(set(PACK))
USUAL = Options()


def values(rule):
    choice = rule.choice
    words = st.sampled_from(choice.words) if choice.words else st.nothing()
    return words | (st.integers(choice.low, choice.high) if choice.low <= choice.high else st.nothing())


house_rules = st.just(USUAL) | st.builds(Options, **{rule.name: values(rule) for rule in rules_of(Options)})


@st.composite
def positions(draw):
    """Somewhere in a game: so many random moves from a seed, over the ends of rounds."""
    state = GAME.deal(draw(house_rules), 4, str(draw(st.integers(0, 10_000))))
    choose_any = mover(str(draw(st.integers(0, 10_000))))
    for _ in range(draw(st.integers(0, 250))):
        if state.over:
            if state.ended:
                break
            GAME.next_round(state)
        GAME.play(state, state.turn, choose_any(None, GAME.legal(state, state.turn)))
    return state


faces = st.sampled_from(FACES)


@st.composite
def attempts(draw, state):
    """A move of somebody: a legal one, one of cards in hand, or nonsense."""
    seat = draw(st.just(state.turn) | st.integers(0, 3))
    legal = GAME.legal(state, state.turn)
    if legal and draw(st.booleans()):
        return seat, draw(st.sampled_from(legal))
    hand = state.hands[seat]
    cards = draw(st.lists(faces if not hand else st.sampled_from(hand) | st.sampled_from(hand) | faces, max_size=5))
    if cards and draw(st.booleans()):  # all of one rank, and perhaps a wild
        rank = cards[0] >> 2
        cards = [card for card in hand if card >> 2 == rank][: draw(st.integers(1, 8))]
        cards += [WILD] * draw(st.integers(0, 2))
    ranks = [rank_name(card >> 2) for card in cards] + [rank_name(rank) for side in state.sets for rank in side]
    to = draw(st.sampled_from([*ranks, "", "W", "2", "M1", "join"]))
    return seat, Move(draw(st.sampled_from(GAME.verbs)), tuple(cards), to)


# The rules once more, read from the page and not from the engine: may this seat make this move?


def may(state, seat, move):
    rules, hand, mine = state.options, state.hands[seat], state.sets[seat % 2]
    stock = state.stock or (rules.stock_out == "reshuffle" and len(state.pile) > 1)
    if seat != state.turn or state.over:
        return False
    if move.verb in ("draw", "pass", "pickup") and state.phase != "draw":
        return False
    if move.verb in ("meld", "add", "auto", "discard") and state.phase != "meld":
        return False
    if move.verb == "draw":
        return bool(stock)
    if move.verb == "pass":
        return not stock
    if move.verb == "auto":
        return any(card >> 2 in mine for card in hand)
    if not move.cards or Counter(move.cards) - Counter(hand):
        return False
    naturals = [card for card in move.cards if card != WILD]
    ranks = {card >> 2 for card in naturals}
    wilds = len(move.cards) - len(naturals)
    if move.verb == "discard":
        return len(move.cards) == 1 and not (rules.team_rank_discard_ban == "on" and move.cards[0] >> 2 in mine)
    if move.verb == "add":
        try:
            rank = read_rank(move.to)
        except ValueError:
            return False
        return rank in mine and ranks <= {rank} and sound(rules, [*mine[rank], *move.cards])
    if len(ranks) != 1:
        return False
    rank = ranks.pop()
    if move.verb == "meld":
        return sound(rules, [*mine.get(rank, []), *move.cards])
    if len(move.cards) != 2 or not state.pile or (len(hand) < 2 and rules.one_card_pile_ban == "on"):
        return False
    top = state.pile[-1]
    if top != WILD and top >> 2 != rank:
        return False
    if rank in mine and rules.team_rank_pile_ban == "on":
        return False
    if top == WILD and wilds:
        return False
    if wilds and rules.naturals_first == "on" and sum(card >> 2 == rank for card in hand) >= 2:
        wilds = 0  # two naturals go, whatever was said
    laid = [rank * 4] * (2 - wilds) + [WILD] * wilds + [top]
    return sound(rules, [*mine.get(rank, []), *laid])


def sound(rules, cards):
    """A set: two naturals or more of one rank, one wild at most, three cards or more."""
    naturals = [card for card in cards if card != WILD]
    wilds = len(cards) - len(naturals)
    room = 0 if naturals and naturals[0] >> 2 == JOKER_RANK and rules.joker_set_wild == "off" else 1
    return len(naturals) >= 2 and len({c >> 2 for c in naturals}) == 1 and wilds <= room and len(cards) >= 3


@settings(max_examples=400)
@given(st.data(), positions())
def test_a_move_is_accepted_if_the_rules_allow_it_and_a_refusal_changes_nothing(data, state):
    before = GAME.dump(state)
    for _ in range(8):
        seat, move = data.draw(attempts(state))
        trial = GAME.copy(state)
        try:
            GAME.play(trial, seat, move)
        except (Refusal, ValueError):
            assert not may(state, seat, move), f"refused: {seat} {move}"
            assert GAME.dump(trial) == before, f"a refusal changed the game: {seat} {move}"
        else:
            assert may(state, seat, move), f"accepted: {seat} {move}"
            GAME.check(trial)
        assert GAME.dump(state) == before, "a copy is not independent"


@settings(max_examples=examples(200))
@given(positions())
def test_every_legal_move_is_accepted_as_it_is_written(state):
    for seat in range(4):
        legal = GAME.legal(state, seat)
        assert bool(legal) == (seat in GAME.waiting(state))
        assert len(set(legal)) == len(legal)
        for move in legal:
            assert may(state, seat, move)
            assert GAME.resolve(state, seat, read_move(write_move(move))) == move
            trial = GAME.copy(state)
            GAME.play(trial, seat, move)
            GAME.check(trial)


@settings(max_examples=examples(200))
@given(positions())
def test_legal_lists_every_draw_take_pass_and_discard(state):
    if state.over:
        return
    seat = state.turn
    hand = [*state.hands[seat]]
    pairs = {tuple(sorted((a, b))) for i, a in enumerate(hand) for b in hand[i + 1 :]}
    tries = [
        Move("draw"),
        Move("pass"),
        *(Move("pickup", pair) for pair in pairs),
        *(Move("discard", (c,)) for c in hand),
    ]
    allowed = {move for move in tries if may(state, seat, move)}
    if state.options.naturals_first == "on":  # a wild named beside a second natural is taken back
        wild = {m for m in allowed if WILD in m.cards and m.verb == "pickup"}
        allowed -= {m for m in wild if sum(card >> 2 == min(m.cards) >> 2 for card in hand) >= 2}
    listed = {move for move in GAME.legal(state, seat) if move.verb in ("draw", "pass", "pickup", "discard")}
    assert {m._replace(cards=tuple(sorted(m.cards))) for m in listed} == allowed


@settings(max_examples=examples(200))
@given(positions())
def test_json_there_and_back(state):
    written = json.dumps(GAME.dump(state))
    again = GAME.load(json.loads(written))
    assert again == state
    assert json.dumps(GAME.dump(again)) == written
    assert GAME.copy(state) == state


@settings(max_examples=examples(200))
@given(positions())
def test_a_view_shows_only_what_its_seat_may_see(state):
    laid = {card for side in state.sets for cards in side.values() for card in cards}
    public = laid | set(state.pile[-1:])
    for seat in (None, 0, 1, 2, 3):
        view = GAME.view(state, seat)
        own = set() if seat is None else set(state.hands[seat])
        assert view.cards() == public | own
        written = json.dumps(view.as_dict())
        for card in set(FACES) - own - public:
            assert f'"{card_name(card)}"' not in written


@settings(max_examples=examples(200))
@given(positions(), st.integers(0, 10_000))
def test_nothing_that_a_seat_is_told_depends_on_what_is_hidden_from_it(state, seed):
    for seat in range(4):
        other = with_other_hidden_cards(state, seat, seed)
        GAME.check(other)
        assert GAME.view(other, seat) == GAME.view(state, seat)
        legal = GAME.legal(state, seat)
        assert GAME.legal(other, seat) == legal
        if legal:
            assert choose(GAME.view(other, seat), legal) == choose(GAME.view(state, seat), legal)


def with_other_hidden_cards(state, seat, seed):
    """The same position with all that this seat cannot see dealt again."""
    other = GAME.copy(state)
    places = [hand for number, hand in enumerate(other.hands) if number != seat] + [other.stock]
    under = other.pile[:-1]
    hidden = [card for place in places for card in place] + under
    Random(seed).shuffle(hidden)
    for place in places:
        place[:] = [hidden.pop() for _ in place]
    other.pile[:-1] = hidden
    return other


@settings(max_examples=examples(200))
@given(st.data(), positions())
def test_an_event_tells_others_nothing_hidden(data, state):
    if state.over:
        return
    seat = state.turn
    events = GAME.play(state, seat, data.draw(st.sampled_from(GAME.legal(state, seat))))
    for other in {0, 1, 2, 3} - {seat}:
        shown = GAME.view(state, other).cards()
        for event in events:
            seen = event.seen_by(other)
            assert not seen.private
            assert set(seen.cards) <= shown


@settings(max_examples=examples(60))
@given(house_rules, st.integers(0, 10_000), st.integers(0, 10_000))
@example(USUAL, 1, 1)
def test_the_move_lines_replay_from_the_seed_to_the_same_state(rules, seed, chance):
    played = play_whole_game(GAME, rules, 4, str(seed), (mover(str(chance)),), rounds=3)
    lines = [(seat, write_move(move)) for seat, move in played.moves]
    again = GAME.deal(rules, 4, str(seed))
    for seat, line in lines:
        if again.over:
            GAME.next_round(again)
        GAME.play(again, seat, GAME.resolve(again, seat, read_move(line)))
    assert GAME.dump(again) == GAME.dump(played.state)


@settings(max_examples=examples(40))
@given(house_rules, st.integers(0, 10_000))
@example(USUAL, 1)
def test_rounds_go_on_to_the_target(rules, seed):
    state = GAME.deal(rules, 4, str(seed))
    dealer, scores = state.dealer, [0, 0]
    for number in range(1, 200):
        assert state.round == number
        assert state.dealer == (dealer + number - 1) % 4
        assert state.turn == (state.dealer + 1) % 4
        assert [len(hand) for hand in state.hands] == [13] * 4
        assert (len(state.stock), len(state.pile)) == (55, 1)
        while not state.over:
            assert GAME.points(state) is None
            GAME.play(state, state.turn, choose(GAME.view(state, state.turn), GAME.legal(state, state.turn)))
        points = GAME.points(state)
        assert points is not None
        scores = [score + gained for score, gained in zip(scores, points, strict=True)]
        assert state.scores == scores
        assert state.ended == (max(scores) >= rules.target and scores[0] != scores[1])
        if state.ended:
            assert state.winners == (scores.index(max(scores)),)
            with pytest.raises(ValueError, match="game is over"):
                GAME.next_round(state)
            return
        assert state.winners == ()
        GAME.next_round(state)
    pytest.fail("no end after 200 rounds")


@settings(max_examples=examples(100))
@given(st.integers(500, 5000), st.integers(-300, 6000), st.integers(-300, 6000))
@example(1000, 990, 1030)  # 1015 each: above the target and level
def test_level_at_the_target_is_no_end(target, ours, theirs):
    """Ann goes out with three fours and a wild; the others have KD and 9S left."""
    hands = {0: GAME_HAND, 1: [FACE["KD"]], 2: [FACE["3C"]], 3: [FACE["9S"]]}
    position = Position(dealer=3, phase="meld", scores={0: ours, 1: theirs}, hands=hands)
    state = GAME.place(Options(target=target), 4, position)
    GAME.play(state, 0, Move("meld", tuple(GAME_HAND)))
    assert GAME.points(state) == [25, -15]
    ours, theirs = ours + 25, theirs - 15
    assert state.ended == (max(ours, theirs) >= target and ours != theirs)
    assert state.winners == (() if not state.ended else (0,) if ours > theirs else (1,))


FACE = {card_name(card): card for card in FACES}
GAME_HAND = [FACE["4S"], FACE["4H"], FACE["4D"], WILD]


@pytest.mark.parametrize("seed", range(20))
def test_the_same_seed_deals_the_same_game_and_another_another(seed):
    assert GAME.deal(USUAL, 4, str(seed)) == GAME.deal(USUAL, 4, str(seed))
    assert GAME.deal(USUAL, 4, str(seed)).hands != GAME.deal(USUAL, 4, str(seed + 1)).hands


def test_the_pack():
    pack = Counter(PACK)
    assert (len(PACK), pack[JOKER], pack[WILD]) == (108, 4, 8)
    assert all(pack[card] == 2 for card in range(4, 52))
    assert not any(pack[card] for card in range(4))


def test_a_round_that_nobody_can_end_is_over_after_two_circuits_on_an_empty_stock():
    """Nobody can lay anything, and one card is shuffled into a new stock each turn."""
    hands = dict(
        enumerate(([FACE["6S"], FACE["9H"]], [FACE["JC"], FACE["4C"]], [FACE["6D"], FACE["5S"]], [FACE["JS"]]))
    )
    position = Position(dealer=3, hands=hands, pile=[FACE["AD"]], stock=[FACE["3S"]])
    state = GAME.place(Options(stock_out="reshuffle"), 4, position)
    turns = 0
    while not state.over:
        GAME.play(state, state.turn, Move("draw"))
        drawn = state.hands[state.turn][-1]
        GAME.play(state, state.turn, Move("discard", (drawn,)))
        turns += 1
    assert turns == 8
    assert state.out is None
