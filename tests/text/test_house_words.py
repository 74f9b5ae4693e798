"""House rules in people's own words: every rule of every game, alone and together, and back from its value to words."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Refusal, read_options, rules_of, write_options
from engine.registry import GAMES, named
from engine.rummy.rummy5000 import BORROWED
from service.text import house_book, house_phrases, house_words
from service.text.house_book import entries
from service.text.house_words import near, odd, read, say
from service.text.understand import Context, understand
from tests.examples import examples

DOCS = Path(__file__).resolve().parents[2] / "docs"
BY_NAME = {game.name: game for game in GAMES}


def options_said(game, words):
    """The house rules that a text says, read whole."""
    house = read(words, game)
    assert not house.unknown, house.unknown
    assert not house.clash
    return read_options(game.Options, house.options)


# What people may say for each numbered variation of 5000 Rummy, and what they mean by it.
VARIATIONS = {
    "Cards 1": {"omit_low=2s": ["no twos", "leave out the deuces", "48 cards"],
                "omit_low=2s-3s": ["no twos and threes", "44 cards"],
                "omit_low=2s-5s": ["no twos to fives", "sixes and up"]},
    "Cards 2": {"twos_wild=on": ["twos wild", "deuces are always wild", "wild deuces"]},
    "Cards 3": {"redeal_small_upcard=on": ["small upcards go back", "redeal a small upcard", "a 2 or a 3 goes back"]},
    "Cards 4": {"jokers=2": ["jokers", "with jokers", "two jokers in each deck"],
                "permanent_wilds=10": ["tens wild", "tens are always wild"],
                "permanent_wilds=one_eyed_jacks": ["one-eyed jacks are wild", "one eyed jacks always wild"],
                "permanent_wilds=10+one_eyed_jacks": ["tens wild, one-eyed jacks wild", "wild one-eyed jacks and wild tens"]},
    "Cards 5": {"extra_pack=on": ["extra pack", "one more deck", "an extra deck"]},
    "Cards 6": {"ace_value=50": ["aces 50", "aces are worth 50", "fifty for aces"],
                "wild_value=200": ["wilds worth 200", "200 for wild cards", "wilds count 200"],
                "wild_ace=same_as_wild": ["wild aces same as wilds", "a wild ace counts like any wild"],
                "wild_ace=ace_never_wild": ["aces are never wild", "no wild aces"]},
    "Cards 7": {"eight_nine_value=10": ["eights and nines ten", "8s and 9s count 10"],
                "special_values=QS:45": ["queen of spades 45", "QS worth 45", "qs 45"]},
    "Deal 1": {"upcard_counts_as=total": ["the upcard is the total", "upcard is the hand size", "the upcard is the whole hand"]},
    "Deal 2": {"face_deal=ranked14": ["ranked faces", "jacks deal 11", "aces deal 14"],
               "face_deal=ranked15": ["aces deal 15", "ranked 15"]},
    "Deal 3": {"wild_upcard=20": ["a wild upcard deals 20", "20 cards for a wild upcard"],
               "wild_upcard=25": ["wild upcard 25", "wild upcards deal 25"],
               "wild_upcard=bury": ["bury wild upcards", "wild upcards are buried"],
               "wild_upcard=two_or_twelve": ["two or twelve", "choose 2 or 12"]},
    "Deal 4": {"wild_indicator=dealer_last": ["the dealer's last card is wild", "last card dealt is wild"],
               "wild_indicator=dealer_extra": ["extra card for the dealer is wild", "dealer's extra card is wild"]},
    "Deal 5": {"perm_wild_indicator=deal_on": ["deal on past wilds", "keep dealing", "dealer keeps drawing"]},
    "Deal 6": {"wild_indicator=apart": ["the wild card lies apart", "indicator under the stock"]},
    "Deal 7": {"wild_indicator=by_round": ["wilds by the round", "wild rank by round", "13 rounds"]},
    "Play 1": {"r500_options=values:pip": ["count pips", "pip values"],
               "r500_options=discard_depth:top_only": ["only the top card", "no deep takes"],
               "r500_options=identical_in_set:off": ["no card twice in a set", "different suits in a set"],
               "r500_options=hand_size:10": ["10 cards each", "hands of 10"],
               "r500_options=tie:out_player": ["who goes out wins ties", "ties to the out player"],
               "r500_options=deep_use:new_meld_only": ["deep card in a new meld", "new meld only"],
               "r500_options=layoff_opponents:off": ["own melds only", "no laying off on others"],
               "r500_options=values:fives+discard_depth:top_only": ["low cards count five, top card only"]},
    "Play 2": {"wild_limit=one": ["wilds one per meld", "one wild per set", "only one wild per meld"],
               "wild_limit=fewer_than_naturals": ["fewer wilds than naturals", "more naturals than wilds"],
               "split_six=on": ["melds of six count as two", "split six"],
               "wild_as_self=counts_wild": ["a wild in its own place is wild", "wilds always count as wild"]},
    "Play 3": {"all_wild_set=on": ["sets of wilds", "all wild sets", "wild sets allowed"]},
    "Play 4": {"wild_replace=swap": ["swap wilds", "wilds may be swapped", "take back wilds"]},
    "Play 5": {"wild_replace=none": ["laid wilds stay", "no swapping"]},
    "Play 6": {"deep_needs_pair=on": ["a deep card needs a pair", "pair to take deep"]},
    "Play 7": {"take_must_meld=always": ["must meld the top card", "must use what you take"]},
    "Play 8": {"stock_use=meld_or_discard": ["meld or discard", "stock card melded or thrown", "use it or lose it"]},
    "Play 9": {"layoff_needs_meld=off": ["lay off any time", "lay off before melding", "no meld needed to lay off"]},
    "Play 10": {"rummy_call=off": ["no calling", "no rummy calls", "nobody calls rummy"]},
    "Play 11": {"rummy_call=pile": ["call rummy on the pile", "call any card of the pile"]},
    "Play 12": {"george=on": ["george rules", "pairs to take"]},
    "Play 13": {"melds=sets_only": ["sets only", "no runs"], "melds=runs_only": ["runs only", "no sets"]},
    "End 1": {"out_by_meld=on": ["no floating", "go out by melding", "no discard needed"]},
    "End 2": {"floaters_draw=on": ["floaters draw", "floaters take a card"]},
    "End 3": {"finish_first_turn=on": ["everyone gets a turn", "finish the first turn"]},
    "End 4": {"unmelded_to=subtract": ["subtract hands", "leftovers count against you", "pay for your own hand"],
              "out_bonus=200": ["200 for going out", "bonus of 200", "going out bonus 200"],
              "unmelded_to=subtract out_bonus=200": ["subtract leftovers, 200 bonus"]},
    "End 5": {"target=2500": ["target 2500", "to 2500", "first to 2500", "2,500 points", "2500"],
              "target=10000": ["10k", "up to 10000"]},
    "End 6": {"winner_rule=out_first": ["who goes out wins", "the out player wins"]},
}  # fmt: skip


def test_there_are_33_variations():
    assert [sum(name.startswith(kind) for name in VARIATIONS) for kind in ("Cards", "Deal", "Play", "End")] == [
        7,
        7,
        13,
        6,
    ]


@pytest.mark.parametrize("variation", VARIATIONS)
def test_every_variation_of_5000_rummy_has_two_ways_to_say_it(variation):
    game = named("rummy5000")
    assert all(VARIATIONS[variation].values())
    assert sum(map(len, VARIATIONS[variation].values())) >= 2
    for meant, phrases in VARIATIONS[variation].items():
        expected = read_options(game.Options, dict(word.split("=", 1) for word in meant.split()))
        for phrase in phrases:
            assert options_said(game, phrase) == expected, phrase


@pytest.mark.parametrize("variation", VARIATIONS)
def test_the_same_through_a_text_that_opens_a_table(variation):
    for meant, phrases in VARIATIONS[variation].items():
        for phrase in phrases:
            reading = understand(f"New 5000 rummy with {phrase}, bots, deal", Context())
            assert reading.command is not None, phrase
            assert reading.command.name == "new"
            assert reading.rest == "bots, deal", phrase
            said = dict(word.split("=", 1) for word in reading.command.args["options"].split())
            game = named("rummy5000")
            assert read_options(game.Options, said) == read_options(
                game.Options, dict(word.split("=", 1) for word in meant.split())
            )


# By hand, for the other games: one way at least for each house rule, at a value that is not the usual one.
SAID = {
    "damn-the-queens": {
        "target=750": "to 750", "team_rank_discard_ban=off": "discard anything", "team_rank_pile_ban=off": "take own ranks",
        "one_card_pile_ban=off": "one card may take the pile", "naturals_first=off": "choose your wilds", "joker_set_wild=off": "jokers take no wild",
        "out_bonus=100": "100 for going out", "out_team_subtracts_partner=on": "partner pays", "warn_one_card=off": "no warning",
        "stock_out=reshuffle": "reshuffle",
    },
    "queen-of-spades": {
        "target=none": "no target", "decks=3": "three decks", "cut_bonus=50": "50 for the cut", "cut_model=exact": "exact cut",
        "throw_back=off": "no throwing back", "out_bonus=0": "without bonus", "lone_card_free=off": "lone card needs a pair",
        "pile_two=block": "twos block the pile", "wild_per_set=2": "two wilds per set", "wild_per_set=none": "unlimited wilds",
        "set_of_twos=off": "no sets of twos", "joker_with_wild=off": "jokers take no two", "must_discard_to_go_out=off": "no discard to go out",
        "ace_value=20": "aces 20", "ace_value=20 joker_value=40": "aces 20, jokers 40", "stock_out=reshuffle": "shuffle the discards again",
        "cut_bonus=0 out_bonus=0": "no bonuses",
    },
    "george": {
        "target=2000": "to 2000", "melds=both": "sets and runs", "face_deal=ranked15": "aces deal 15", "wild_limit=none": "no wild limit",
        "omit_low=none": "with twos", "upcard_counts_as=additional": "upcard is extra", "extra_pack=on": "another pack",
    },
    "rummy500": {
        "target=1000": "1000 points", "hand_size=10": "10 cards each", "jokers=2": "with jokers", "values=fives": "low cards count five",
        "values=flat": "flat values", "top_card=must_use": "must use the top card", "deep_use=new_meld_only": "new meld only",
        "discard_depth=top_only": "top card only", "layoff_opponents=off": "lay off on own melds only", "layoff_needs_meld=on": "meld before laying off",
        "rummy_call=discard": "calling rummy", "must_discard_to_go_out=on": "must discard to go out", "out_bonus=25": "bonus 25",
        "identical_in_set=on": "same card twice in a set", "tie=out_player": "who goes out wins ties", "stock_out=reshuffle": "reshuffle the pile",
    },
    "hearts": {
        "target=50": "to 50", "removed=pagat": "leave out the twos", "kitty=first_trick_winner": "with a kitty", "pass_cycle=none": "no passing",
        "pass_cycle=left_only": "always pass left", "pass_cycle=lrh": "left right hold", "pass_count=2": "pass two cards",
        "first_trick_points=allow": "points on the first trick", "break_rule=heart_or_qs": "queen of spades breaks hearts",
        "break_rule=none": "hearts may be led any time", "jack_diamonds=-10": "jack of diamonds minus 10", "jack_needed_for_moon=on": "the moon needs the jack",
        "moon=subtract_26": "moon subtracts", "moon=choose": "shooter chooses", "sun=add_52": "shooting the sun", "exact_target=reset_to_0": "exactly 100 resets",
        "exact_target=wins": "exact target wins", "double_deck=later_wins": "two decks", "double_deck=cancel": "equal cards cancel",
        "early_finish=off": "play it out", "auto_play_single=on": "play single cards",
    },
    "gong-zhu": {
        "partners=on": "with partners", "partner_scoring=pooled": "pooled scoring", "exposure=off": "no showing", "target=-500": "to 500",
        "upper_end=1000": "also ends at +1000", "heart_scale=pip": "hearts at face value", "pig_value=200": "the pig costs 200",
        "pig_flip=all_16": "pig flips with all 16", "first_lead=2s_forced": "lead the two of spades", "first_lead=7s_holder_any": "seven of spades leads",
        "direction=clockwise": "clockwise",
    },
    "spades": {
        "target=300": "to 300", "bid_start=left_of_dealer": "left of the dealer bids first", "nil=off": "no nils", "nil_value=50": "nil 50",
        "blind_nil=off": "no blind nil", "blind_nil=behind_100": "blind nil only when behind", "nil_pass=2": "exchange 2 for nil",
        "blind_nil_pass=3": "3 cards for blind nil", "double_nil=forbid": "one nil per team", "failed_nil_tricks=bags_only": "failed nils are bags",
        "failed_nil_tricks=ignored": "failed nil tricks don't count", "bags=off": "no bags", "bag_limit=5": "penalty at 5 bags", "bag_penalty=50": "bags cost 50",
        "break_spades=off": "spades any time", "first_lead=low_club": "lowest club leads", "min_team_bid=4": "minimum bid four",
        "floor_loss=-500": "lose at -500", "hands_limit=8": "8 hands",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "meant", "phrase"),
    [(game, meant, phrase) for game, said in SAID.items() for meant, phrase in said.items()],
)
def test_house_rules_of_the_other_games(game, meant, phrase):
    kind = BY_NAME[game].Options
    assert options_said(BY_NAME[game], phrase) == read_options(kind, dict(word.split("=", 1) for word in meant.split()))


@pytest.mark.parametrize("game", BY_NAME)
def test_every_house_rule_can_be_said_in_plain_words(game):
    """Fails for a house rule, and for a value of one, that is registered and has no phrase."""
    by_hand = SAID.get(game) or {meant: "" for said in VARIATIONS.values() for meant in said}
    tried = {word.split("=")[0] for meant in by_hand for word in meant.split()}
    book = house_book.book_of(game)
    for rule in rules_of(BY_NAME[game].Options):
        assert rule.name in tried or game in ("rummy5000", "george"), rule.name
        said = {value for name, value in book.said if name == rule.name}
        wanted = {*rule.choice.words, *map(str, rule.choice.numbers)} - {str(rule.default)}
        if rule.choice.special is None and "#" not in said:
            assert wanted <= said | ({"off", "on"} if said & {"off", "on"} else set()), (rule.name, wanted - said)
        elif rule.choice.special is None and rule.choice.low <= rule.choice.high:
            assert "#" in said, rule.name
    if game in ("rummy5000", "george"):
        lent = {value.split(":")[0] for name, value in book.said if name == "r500_options"}
        assert lent == set(BORROWED)


def phrases_of(game):
    """Each phrase of a game with what it stands for, numbers filled in."""
    rules = {rule.name: rule for rule in rules_of(BY_NAME[game].Options)}
    own, *others = house_phrases.OF_GAME[game]
    for block in (own, *others, house_phrases.ANY):
        for head, wordings in entries(block):
            for wording in wordings:
                if all(word.partition("=")[0].strip("+") in rules for word in head.split()):
                    yield head, wording, rules


@pytest.mark.parametrize("game", BY_NAME)
def test_each_phrase_means_what_it_stands_under(game):
    """No phrase is taken for another, whatever small words and endings are left out."""
    wrong = []
    own = [house_phrases.OF_GAME[game][0]]
    firsts = {tuple(wording.split()) for head, wordings in entries(own[0]) for wording in wordings}
    for head, wording, rules in phrases_of(game):
        if "#" in wording or "#" in head:
            name = head.partition("=")[0]
            choice = rules[name].choice
            number = next(
                (n for n in (2, 7, 15, 20, 25, 40, 50, 100, 200, 300, 500, 1000) if accepted(choice, n)), None
            )
            if number is None:
                continue
            said = wording.replace("#", str(number))
            expected = {name: {str(number), f"-{number}"}} if "#" in head else {name: {head.partition("=")[2]}}
        else:
            said = wording
            expected = {word.partition("=")[0].strip("+"): {word.partition("=")[2]} for word in head.split()}
        house = read(said, BY_NAME[game])
        found = {name: {value} for name, value in house.options.items()}
        same = set(found) == set(expected) and all(found[name] <= expected[name] for name in found)
        if not same and tuple(wording.split()) not in firsts:
            continue  # the game has that phrase for a rule of its own
        if not same or house.unknown:
            wrong.append(f"{said!r} under {head} was read as {house.options} {house.unknown}")
    assert not wrong, "\n" + "\n".join(wrong)


def accepted(choice, number):
    for written in (number, -number):
        try:
            choice.read(str(written))
        except ValueError:
            continue
        return True
    return False


def random_options(game):
    """House rules of a game, each at a value of its list or between its bounds; none that is refused."""

    def value(rule):
        choice = rule.choice
        values = [*choice.words, *map(str, choice.numbers)]
        if choice.low <= choice.high:
            values += [str(choice.low), str(choice.high), str((choice.low + choice.high) // 2)]
        special = {
            "permanent_wilds": "2+10",
            "special_values": "QS:45+AH:30",
            "r500_options": "values:pip+hand_size:9",
            "upper_end": "2000",
        }
        if choice.special is not None:
            values.append(special[rule.name])
        return st.sampled_from(values)

    rules = rules_of(game.Options)
    chosen = st.sets(st.integers(0, len(rules) - 1), max_size=6)

    def given_values(at):
        return st.fixed_dictionaries({rules[i].name: value(rules[i]) for i in sorted(at)})

    def fitting(given):
        try:
            return read_options(game.Options, given)
        except Refusal:
            return None

    return chosen.flatmap(given_values).map(fitting).filter(lambda options: options is not None)


@pytest.mark.parametrize("game", BY_NAME)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_what_is_said_of_a_table_opens_one_like_it(game, data):
    options = data.draw(random_options(BY_NAME[game]))
    words = ", ".join(odd(BY_NAME[game], options))
    house = read(words, BY_NAME[game])
    assert not house.unknown, (words, house.unknown)
    assert not house.clash, words
    again = read_options(BY_NAME[game].Options, house.options)
    assert write_options(again) == write_options(options), words


@pytest.mark.parametrize("game", BY_NAME)
def test_a_rule_by_its_own_name_as_ever(game):
    for rule in rules_of(BY_NAME[game].Options):
        for value in [*rule.choice.words, *rule.choice.numbers]:
            for said in (
                f"{rule.name}={value}",
                f"{rule.name} {value}",
                f"{rule.name.replace('_', ' ')} {value}",
                f"{rule.name}: {value}",
            ):
                house = read(said, BY_NAME[game])
                assert house.options == {rule.name: str(value)}, said
                assert not house.unknown


@pytest.mark.parametrize(
    ("game", "words", "unknown", "suggested"),
    [
        ("rummy5000", "jkrs", "jkrs", "jokers"),
        ("rummy5000", "jokers, blorp", "blorp", ""),
        ("rummy5000", "jokers, only fewer sets of twoes", "only fewer sets of twoes", ""),
        ("rummy500", "handsize 10", "handsize 10", "hand size"),
        ("hearts", "passing nothing", "passing nothing", "no passing"),
        ("damn-the-queens", "no wanin", "no wanin", "no warning"),
        ("spades", "no passing", "no passing", ""),
    ],
)
def test_what_is_none_is_handed_back_with_the_nearest(game, words, unknown, suggested):
    house = read(words, BY_NAME[game])
    assert house.unknown == [unknown]
    if suggested:
        assert suggested in near(BY_NAME[game], unknown)


@pytest.mark.parametrize(
    ("words", "clash"),
    [
        ("jokers, no jokers", '"jokers" and "no jokers"'),
        ("sets only and runs only", '"sets only" and "runs only"'),
        ("to 2500, first to 1500", '"to 2500" and "first to 1500"'),
        ("2500, target 2500", ""),
        ("jokers, with jokers", ""),
        ("tens wild, one-eyed jacks wild", ""),
    ],
)
def test_two_wishes_for_one_rule(words, clash):
    assert read(words, named("rummy5000")).clash == clash


@pytest.mark.parametrize("game", BY_NAME)
@given(text=st.text(max_size=60))
@settings(max_examples=examples(60))
def test_any_text_is_read_without_an_error(game, text):
    house = read(text, BY_NAME[game])
    for word in house.unknown:
        assert house_words.unknown(BY_NAME[game], word)


def test_a_number_in_front_is_the_target():
    assert read("500 with an out bonus of 100", named("damn")).options == {"target": "500", "out_bonus": "100"}
    assert read("100 out bonus", named("damn")).options == {"out_bonus": "100"}


def test_what_options_shows_begins_with_the_target():
    game = named("rummy5000")
    assert odd(game, game.Options(jokers=2, target=2500)) == ["to 2500", "jokers"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_parts_house_rules_is_in_none_of_them(game):
    for rule in rules_of(game.Options):
        for value in (rule.default, *rule.choice.words, *rule.choice.numbers):
            assert "," not in say(game, rule.name, value)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_the_rules_page_says_to_say_is_understood(game):
    for rule in rules_of(game.Options):
        shown = house_words.example(game, rule)
        assert shown or len(rule.choice.words) == 1, rule.name  # George is always on in George
        for words in filter(None, (each.strip("` ") for each in shown.split("`, `"))):
            assert set(read(words, game).options) == {rule.name}, words


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_page_opens_tables_by_house_rules(game):
    text = (DOCS / f"{game.name}.md").read_text(encoding="utf-8")
    shown = " ".join(text.partition("Say them as you open a table")[2].partition("\n\n")[0].split())
    examples = re.findall(r"`(new [^`]*)`", shown)
    assert len(examples) == 2
    for example in examples:
        command = understand(example, Context()).command
        assert command is not None, example
        assert set(command.args) == {"game", "options"}, example
        options = read_options(game.Options, dict(word.split("=", 1) for word in command.args["options"].split()))
        assert options != game.Options(), example


@pytest.mark.parametrize(
    ("game", "text", "options"),
    [
        ("hearts", "to fifty, jack of dimonds", {"target": "50", "jack_diamonds": "-10"}),
        ("hearts", "jack of diamnods", {"jack_diamonds": "-10"}),
        ("rummy5000", "jokrs, 2500", {"jokers": "2", "target": "2500"}),
    ],
)
def test_a_slip_in_a_word_is_put_right(game, text, options):
    assert house_words.read(text, named(game)).options == options


@pytest.mark.parametrize("text", ["jak of diamonds", "dimonds", "jack of dimonds frobnicate"])
def test_a_slip_that_leaves_a_doubt_is_none(text):
    assert house_words.read(text, named("hearts")).unknown
