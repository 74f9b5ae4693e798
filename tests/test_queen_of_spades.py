"""Queen of Spades: what holds in every position by whichever house rules."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import play_whole_game
from engine.cards import JOKER, card_name, rank_name, read_rank
from engine.game import Move, Refusal, write_move
from engine.rummy.queen_of_spades import QUEEN_OF_SPADES_RUMMY as GAME
from engine.rummy.queen_of_spades_table import Options, decks_of, pack_of
from tests import rummy
from tests.examples import examples

RULES = rummy.house_rules(Options)
POSITIONS = rummy.positions(GAME, RULES, [2, 3, 4, 7])


@pytest.mark.parametrize(("seats", "decks"), [(2, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4)])
def test_a_pack_for_three_players_and_two_at_least(seats, decks):
    assert decks_of(Options(), seats) == decks
    assert len(pack_of(decks)) == 54 * decks
    with pytest.raises(Refusal) as refused:
        GAME.deal(Options(decks=decks - 1), seats, "7")
    assert refused.value.code == "OPTION"


def test_a_joker_of_forty_goes_with_an_ace_of_twenty():
    with pytest.raises(Refusal) as refused:
        Options(joker_value=40)
    assert refused.value.code == "OPTION"


def test_a_cut_by_eye_misses_by_six_at_most_and_evenly():
    lifted: Counter[int] = Counter()
    for seed in range(2600):
        state = GAME.deal(Options(), 4, str(seed))
        lifted[GAME.play(state, state.turn, Move("cut", value="52"))[0].count - 52] += 1
    assert set(lifted) == set(range(-6, 7))
    assert all(140 < count < 260 for count in lifted.values())


# The rules once more, read from the page and not from the engine: may this seat make this move?


def may(state, seat, move):
    rules, hand, mine = state.options, state.hands[seat], state.sets[seat]
    stock = state.stock or (rules.stock_out == "reshuffle" and len(state.pile) > 1 and state.anew <= 8 * state.seats)
    if move.verb == "finish":
        return rules.target == "none" and not state.over and seat not in state.finish
    if seat != state.turn or state.over:
        return False
    if move.verb in ("cut", "deal"):
        return state.phase == "cut" and (move.verb == "deal" or (move.value.isdigit() and 1 <= int(move.value) <= 108))
    if state.phase != ("draw" if move.verb in ("draw", "pass", "take", "pickup") else "meld"):
        return False
    lone = len(state.pile) == 1 and rules.lone_card_free == "on"
    if move.verb == "draw":
        return bool(stock)
    if move.verb == "pass":
        return not stock
    if move.verb == "take":
        return lone and move.cards in ((), tuple(state.pile))
    if not move.cards or Counter(move.cards) - Counter(hand):
        return False
    keeps = rules.must_discard_to_go_out == "off" or len(hand) > len(move.cards)
    if move.verb == "discard":
        only = len(set(hand)) == 1
        back = state.taken is None or rules.throw_back == "on" or move.cards != (state.taken,) or only
        return len(move.cards) == 1 and back
    ranks = {card >> 2 for card in move.cards if card >> 2}
    rank = ranks.pop() if ranks else 0
    if ranks:
        return False
    same = [cards for cards in mine if rank_of(cards) == rank]
    if move.verb == "pickup":
        if not state.pile or lone or state.pile[-1] >> 2 != rank or len(move.cards) < 2:
            return False
        if any(card >> 2 != rank for card in move.cards):
            return False
        if rank == 0 and (rules.pile_two == "block" or rules.set_of_twos == "off"):
            return False
        if move.to == "join" and not same:
            return False
        return keeps or len(state.pile) > 1
    if move.verb == "meld":
        joined = move.to != "join" or any(sound(rules, [*cards, *move.cards]) for cards in same)
        return sound(rules, move.cards) and joined and keeps
    try:
        to = read_rank(move.to)
    except ValueError:
        return False
    same = [cards for cards in mine if rank_of(cards) == to]
    if not same or any(card >> 2 not in (to, 0) for card in move.cards):
        return False
    room = sum(room_of(rules, to) - sum(c >> 2 == 0 for c in cards) for cards in same) if to else 99
    return sum(card >> 2 == 0 for card in move.cards) <= room and keeps


def rank_of(cards):
    return max(card >> 2 for card in cards)


def room_of(rules, rank):
    if rank == JOKER >> 2 and rules.joker_with_wild == "off":
        return 0
    return 99 if rules.wild_per_set == "none" else rules.wild_per_set


def sound(rules, cards):
    """Two naturals of one rank and so many twos, or nothing but twos; three cards or more."""
    naturals = [card for card in cards if card >> 2]
    if not naturals:
        return len(cards) >= 3 and rules.set_of_twos == "on"
    twos = len(cards) - len(naturals)
    one = len({card >> 2 for card in naturals}) == 1
    return len(naturals) >= 2 and one and twos <= room_of(rules, naturals[0] >> 2) and len(cards) >= 3


@st.composite
def attempts(draw, state):
    """A move of somebody: a legal one, one of cards in hand, or nonsense."""
    seat = draw(st.just(state.turn) | st.integers(0, state.seats - 1))
    legal = GAME.legal(state, state.turn)
    if legal and draw(st.booleans()):
        return seat, draw(st.sampled_from(legal))
    hand = state.hands[seat]
    faces = st.sampled_from(rummy.FACES)
    cards = draw(st.lists(faces if not hand else st.sampled_from(hand) | st.sampled_from(hand) | faces, max_size=5))
    if cards and draw(st.booleans()):  # all of one rank, and perhaps some twos
        rank = cards[0] >> 2
        twos = [card for card in hand if card >> 2 == 0]
        cards = [card for card in hand if card >> 2 == rank][: draw(st.integers(1, 8))]
        cards += twos[: draw(st.integers(0, 2))] if rank else []
    ranks = [rank_name(rank_of(cards)) for cards in state.sets[seat]]
    to = draw(st.sampled_from([*ranks, *(rank_name(card >> 2) for card in cards), "", "2", "M1", "join"]))
    verb = draw(st.sampled_from(GAME.verbs))
    return seat, Move(verb, tuple(cards), to, value=draw(st.sampled_from(["26", "0", "x"])) if verb == "cut" else "")


@settings(max_examples=200)
@given(st.data(), POSITIONS)
def test_a_move_is_accepted_if_the_rules_allow_it_and_a_refusal_changes_nothing(data, state):
    rummy.refusals_change_nothing(GAME, state, [data.draw(attempts(state)) for _ in range(8)], may)


@settings(max_examples=examples(100))
@given(POSITIONS)
def test_every_legal_move_is_accepted_as_it_is_written(state):
    rummy.legal_moves_are_accepted_as_they_are_written(GAME, state)


@settings(max_examples=examples(100))
@given(POSITIONS)
def test_json_there_and_back(state):
    rummy.json_there_and_back(GAME, state)


@settings(max_examples=examples(100))
@given(POSITIONS)
def test_a_view_shows_only_what_its_seat_may_see(state):
    laid = {card for sets in state.sets for cards in sets for card in cards}
    rummy.view_shows_only(GAME, state, laid | set(state.pile[-1:]))


@settings(max_examples=examples(100))
@given(POSITIONS, st.integers(0, 10_000))
def test_nothing_that_a_seat_is_told_depends_on_what_is_hidden_from_it(state, seed):
    rummy.nothing_depends_on_what_is_hidden(GAME, state, Random(seed), pile_is_hidden=True)


@settings(max_examples=examples(100))
@given(POSITIONS, st.integers(0, 10_000))
def test_an_event_tells_others_nothing_hidden(state, seed):
    rummy.events_tell_nothing_hidden(GAME, state, Random(seed))


@settings(max_examples=examples(30))
@given(RULES, st.sampled_from([2, 4, 6]), st.integers(0, 10_000))
def test_the_move_lines_replay_from_the_seed_to_the_same_state(rules, players, seed):
    if rules.decks == "auto" or rules.decks >= 2:
        rummy.replays_from_the_seed(GAME, rules, players, seed, 300)


# The score once more


class Recount:
    """The score counted again from the deals and the moves, cards by their codes, without the engine's scoring."""

    def __init__(self, options, seats):
        self.options, self.seats = options, seats
        self.scores = [0] * seats

    def begin(self, state):
        self.laid: list[list[str]] = [[] for _ in range(self.seats)]
        self.bonus = [0] * self.seats

    def value(self, code):
        if code == "QS":
            return 100
        if code == "JK":
            return self.options.joker_value
        if code[0] in "2A":
            return 20 if code[0] == "2" else self.options.ace_value
        return 10 if code[0] in "TJQK" else 5

    def watch(self, before, after, seat, move, events):
        words = write_move(move).split(" to ")[0].split()
        if move.verb in ("meld", "add", "pickup"):
            self.laid[seat] += [word for word in words[1:] if word != "join"]
        if move.verb == "pickup":
            self.laid[seat].append(card_name(before.pile[-1]))
        if move.verb == "cut" and events[0].count - 13 * self.seats in (0, 1):
            self.bonus[seat] += self.options.cut_bonus
        if after.over:
            for player in range(self.seats):
                points = sum(map(self.value, self.laid[player])) + self.bonus[player]
                points -= sum(self.value(card_name(card)) for card in after.hands[player])
                points += self.options.out_bonus if after.out == player else 0
                self.scores[player] += points


@pytest.mark.parametrize("number", range(12))
def test_scores_are_those_of_an_independent_count(number):
    chance = Random(number)
    options, seats = rummy.some_rules(Options, chance), chance.choice([2, 3, 5])
    if options.target == "none":
        options = Options()
    recount = Recount(options, seats)
    state = GAME.deal(options, seats, str(number))
    recount.begin(state)
    anything = mover(str(number))
    for _ in range(4000):
        if state.ended:
            break
        if state.over:
            GAME.next_round(state)
            recount.begin(state)
        before, seat = GAME.copy(state), state.turn
        pick = choose if chance.random() < 0.8 else anything
        move = pick(GAME.view(state, seat), GAME.legal(state, seat))
        recount.watch(before, state, seat, move, GAME.play(state, seat, move))
        assert GAME.laid(state) == [sum(map(recount.value, laid)) for laid in recount.laid]
    assert state.scores == recount.scores


@pytest.mark.parametrize("seats", [2, 5, 12])
def test_bots_play_to_the_end(seats):
    assert play_whole_game(GAME, Options(target=500), seats, "bots").state.ended


def test_a_round_in_which_nobody_lays_ends_though_the_stock_is_shuffled_again():
    state = GAME.deal(Options(stock_out="reshuffle"), 3, "7")
    GAME.play(state, state.turn, Move("deal"))
    turns, since = 0, None
    while not state.over:
        seat, shuffles = state.turn, state.shuffles
        GAME.play(state, seat, Move("draw"))
        since = turns if since is None and state.shuffles > shuffles else since
        GAME.play(state, seat, Move("discard", (state.hands[seat][-1],)))
        turns += 1
    assert since is not None
    assert 8 * 3 <= turns - since < 8 * 3 + len(state.pile)  # what is left of the stock by then is still drawn
    assert state.out is None


def test_a_game_kept_before_such_turns_were_counted_goes_on():
    state = GAME.deal(Options(), 3, "7")
    kept = GAME.dump(state)
    del kept["anew"]
    assert GAME.load(kept) == state
