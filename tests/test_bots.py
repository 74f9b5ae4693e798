"""The bots: they play well, by the rules, by what they see, and to the end."""

import json
from dataclasses import replace
from statistics import fmean

import pytest
from click.testing import CliRunner

from commands import simulate
from engine import bots
from engine.bots import choose
from engine.bots.random_play import mover
from engine.bots.whole_game import WentWrong, play_whole_game
from engine.cards import read_cards
from engine.game import Move, Position, read_options, rules_of, write_move
from engine.record import parse, replay
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as GAME
from engine.rummy.damn_the_queens_table import Options, worth
from tests.recount import Recount

# Every value of every house rule on its own, numbers by their ends.
ONE_RULE_EACH = [
    f"{rule.name}={value}"
    for rule in rules_of(Options)
    for value in (rule.choice.words or (rule.choice.low, rule.choice.high))
    if value != rule.default
]
TOGETHER = [
    "team_rank_discard_ban=off team_rank_pile_ban=off one_card_pile_ban=off naturals_first=off",
    "joker_set_wild=off stock_out=reshuffle out_team_subtracts_partner=on out_bonus=100 target=500",
]


def rules(words=""):
    return read_options(Options, dict(word.split("=") for word in words.split()))


def greedy(view, legal):
    """Takes and lays all it can, and throws the highest card."""
    for verb in ("pickup", "meld", "add", "draw"):
        moves = [move for move in legal if move.verb == verb]
        if moves:
            return max(moves, key=lambda move: worth(move.cards))
    return max(legal, key=lambda move: worth(move.cards))


def advantage(ours, theirs, rounds):
    """Points a round by which `ours` beats `theirs`: every deal is played twice, with the seats swapped."""
    gains = []
    for number in range(rounds):
        first = play_whole_game(GAME, Options(), 4, f"match/{number}", (ours, theirs), rounds=1)
        second = play_whole_game(GAME, Options(), 4, f"match/{number}", (theirs, ours), rounds=1)
        gains.append(first.state.scores[0] - first.state.scores[1] + second.state.scores[1] - second.state.scores[0])
    return fmean(gains) / 2


def test_beats_a_player_who_takes_and_lays_all_he_can():
    assert advantage(choose, greedy, rounds=60) > 80  # 167 over many deals


def test_beats_a_player_who_plays_at_random():
    assert advantage(choose, mover("1"), rounds=20) > 250  # 480 over many deals


@pytest.mark.parametrize("words", ["", *ONE_RULE_EACH, *TOGETHER])
def test_plays_by_every_house_rule_to_the_end(words):
    """Every move is one of the legal ones, every card is counted after each, and the scores are added up again here."""
    options = rules(words)

    def legal_one(view, legal):
        move = choose(view, legal)
        assert move in legal
        return move

    for number in range(2):
        played = play_whole_game(GAME, options, 4, f"house/{number}", (legal_one,))
        assert played.state.ended
        assert Recount.of(played).scores == played.state.scores


def seen_by_ann(turn="draw", rules_now="", **given):
    """What Ann sees of a table, and her legal moves: cards as codes, the others' hands (bea=10) as numbers of cards."""
    down = [(side, read_cards(cards)) for side, key in ((0, "down"), (1, "theirs")) for cards in given.get(key, ())]
    position = Position(
        turn=0, phase=turn, hands={0: read_cards(given["hand"])}, down=down, pile=read_cards(given.get("pile", "")),
        stock=read_cards(given.get("stock", "3D 4D 5D 6D 7D 9D TD JD KD AD")), scores=given.get("scores", {}),
    )  # fmt: skip
    state = GAME.place(rules(rules_now), 4, position)
    counts = (len(state.hands[0]), *(given.get(name, 10) for name in ("bea", "cy", "dot")))
    return replace(GAME.view(state, 0), counts=counts), GAME.legal(state, 0)


def ann(turn="draw", **given):
    """What the bot does in Ann's place, as it is written."""
    return write_move(choose(*seen_by_ann(turn, **given)))


def test_takes_a_pile_that_pays():
    assert ann(hand="9S 9C KD 4H 6H", pile="5S 6S JS 9H") == "pickup 9C 9S"


def test_takes_the_queen_of_spades_even_with_a_wild():
    assert ann(hand="QD W KD 4H 6H", pile="QS") == "pickup QD W"


def test_takes_with_the_pair_and_not_with_three_that_are_a_set_anyway():
    assert ann(hand="7S 7C 8S 8C 8D KD", pile="5S W") == "pickup 7C 7S"


def test_spends_a_wild_on_the_queen_of_spades_but_not_on_fours():
    assert ann("meld", hand="QD QS 4H 4S W KD 6C") == "meld QD QS W"
    assert ann("meld", hand="4H 4S W KD 6C 8D").startswith("discard")


def test_spends_the_wild_on_fours_when_the_others_are_about_to_go_out():
    assert ann("meld", hand="4H 4S W KD 6C 8D", bea=1, dot=1) == "meld 4H 4S W"


def test_lays_a_set_and_adds_to_the_teams_sets():
    assert ann("meld", hand="KD KS KH 4H 6C 8D") == "meld KD KH KS"
    assert ann("meld", hand="KD 4H 6C 8D", down=["KS KH KC"]) == "add KD to K"


def test_blocks_with_a_rank_the_others_have_down():
    assert ann("meld", hand="5S 8D 9H TD", pile="3C 3H 4C 4H 5C 5H 6C", theirs=["8S 8H 8C"]) == "discard 8D"


def test_does_not_feed_the_queen_of_spades():
    assert ann("meld", hand="QS 5D 8D TH") != "discard QS"


def test_lets_the_queen_of_spades_go_where_it_would_be_caught_with_her_and_she_blocks():
    assert ann("meld", hand="QS KD KH", bea=1, dot=1, theirs=["QD QH QC"]) == "discard QS"


def test_goes_out_at_once():
    assert ann("meld", hand="KD KS KH 8D 8C W 4H") == "meld KD KH KS"
    assert ann("meld", hand="8D 8C W 4H", down=["KD KS KH"]) == "meld 8C 8D W"
    assert ann("meld", hand="W 4H", down=["KD KS KH"]) == "add W to K"
    assert ann("meld", hand="4H 3H", down=["3D 3S 3H"]) == "add 3H to 3"


def test_takes_the_pile_to_go_out():
    assert ann(hand="9S 9C", pile="9H") == "pickup 9C 9S"


def test_does_not_go_out_where_that_gives_the_game_away():
    """The others have laid 210; at 990 the end of the round is the end of the game, and theirs."""
    given = {"hand": "4H 4S 4D 8C", "bea": 1, "dot": 1, "theirs": ["QS QS QD"]}
    assert ann("meld", **given, scores={0: 100, 1: 500}) == "meld 4D 4H 4S"
    assert ann("meld", **given, scores={0: 100, 1: 990}).startswith("discard")


def test_does_not_go_out_where_the_partners_hand_costs_more():
    given = {"hand": "4H 4S 4D 8C", "bea": 1, "dot": 1, "cy": 14}
    assert ann("meld", **given) == "meld 4D 4H 4S"
    assert ann("meld", **given, rules_now="out_team_subtracts_partner=on").startswith("discard")


def test_plays_on_when_the_stock_is_empty():
    assert ann(hand="9S 9C KD 4H", pile="5S 9H", stock="") == "pickup 9C 9S"
    assert ann(hand="9S TC KD 4H", pile="5S 9H", stock="") == "pass"


def test_the_same_view_gives_the_same_move():
    view, legal = seen_by_ann(hand="9S 9C 9D KD 4H", pile="5S 9H")
    assert len({choose(view, legal) for _ in range(5)}) == 1


# queenline simulate


def run(*words):
    return CliRunner().invoke(simulate.command, words)


def test_simulate_prints_what_came_of_the_games():
    result = run("--game", "damn", "--seed", "7", "--games", "3", "--options", "target=500")
    assert result.exit_code == 0
    assert "3 of 3 games of Damn the Queens to the end, seed 7, target=500" in result.output


def test_simulate_as_json():
    result = run("--game", "damn-the-queens", "--seed", "7", "--games", "3", "--json")
    figures = json.loads(result.output)
    assert (figures["games"], figures["finished"], figures["players"], figures["wrong"]) == (3, 3, 4, [])
    assert sum(figures["wins"]) == len(figures["scores"]) == 3
    for number, scores in enumerate(figures["scores"]):
        assert scores == play_whole_game(GAME, Options(), 4, f"7/{number}").state.scores


def test_simulate_on_all_processors_as_on_one(monkeypatch):
    job = simulate.read_job("damn", None, "1", "target=500")
    one_by_one = [simulate.play_one(job, number) for number in range(3)]
    monkeypatch.setattr(simulate, "WORTH_A_PROCESS", 1)
    assert list(simulate.play_all(job, 3)) == one_by_one


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "whist"], "there is no game 'whist'; there are: "),
        (["--game", "damn", "--players", "3"], "Damn the Queens is for 4 players, not 3"),
        (["--game", "damn", "--options", "target=10"], "target can be a number from 500 to 5000, not '10'"),
        (["--game", "damn", "--options", "target"], "--options takes words such as target=500, not 'target'"),
        (["--game", "damn", "--options", "goal=500"], "there is no house rule 'goal'"),
        (["--game", "damn", "--games", "0"], "0 is not in the range x>=1"),
        (["--game", "damn", "--seed", "a b"], "--seed is one word, such as 1"),
    ],
)
def test_simulate_says_what_would_work(words, said):
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.output


def test_simulate_gives_the_record_of_a_game_that_goes_wrong(monkeypatch):
    well = bots.BOTS["damn-the-queens"]

    def cheat(view, legal):
        return Move("draw") if view.phase == "meld" and view.stock_count < 50 else well(view, legal)

    monkeypatch.setattr(bots, "BOTS", {"damn-the-queens": cheat})
    result = run("--game", "damn", "--seed", "7", "--games", "1", "--json")
    assert result.exit_code == 1
    (wrong,) = json.loads(result.output)["wrong"]
    assert wrong["seed"] == "7/0"
    assert wrong["wrong"].startswith("refused: PHASE")
    failures = replay(parse(wrong["record"])).failures
    assert [failure.expected for failure in failures] == ["accepted"]


def test_a_round_that_never_ends_is_found_out(monkeypatch):
    monkeypatch.setattr("engine.bots.whole_game.MOVES_IN_A_ROUND", 30)
    with pytest.raises(WentWrong, match="goes on after 30 moves"):
        play_whole_game(GAME, Options(), 4, "1")


def test_a_card_that_is_lost_is_found_out():
    def lose(state, seat, move, events):
        state.stock.pop()
        GAME.check(state)

    with pytest.raises(WentWrong, match="not in order: missing") as found:
        play_whole_game(GAME, Options(), 4, "1", watch=lose)
    assert len(found.value.played.moves) == 1
