"""Tables: opening, joining, names, bots, dealing, leaving, coming back, playing again."""

import random
import re

import pytest
from sqlalchemy import update

from engine.rummy.damn_the_queens import DAMN_THE_QUEENS as DAMN
from service import stored, tables
from service.stored import OUTBOUND, PLAYER, SEAT, TABLE, standing
from service.tables import Problem, clean_name, free_name, new_code, options_from
from service.text.gsm7 import is_gsm7
from service.text.words import cards, grouped


def caught(pattern, text):
    """The group of a pattern that the text begins with."""
    match = re.match(pattern, text)
    assert match, text
    return match[1]


def names(people, code):
    return list(people.table(code).names)


# Opening


def test_opening_a_table(people):
    answer = people("Ann", "new damn 500")
    code = caught(r"Queenline table (\w{3}): Damn the Queens to 500\.", answer)
    assert f"JOIN {code}" in answer
    assert "BOTS" in answer
    assert "DEAL" in answer
    table = people.table(code)
    assert (table.status, table.options.target, table.seat_count, names(people, code)) == ("open", 500, 4, ["Ann"])


def test_house_rules_are_named_in_the_answer(people):
    assert "(50 for going out, no warning)" in people("Ann", "new damn out_bonus=50 warn_one_card=off")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("new poker", 'I know no game "poker".'),
        ("new damn 20", "target can be a number from 500 to 5000, not '20'"),
        ("new damn target=lots", "target can be a number from 500 to 5000"),
        ("new damn stock_out=maybe", "stock_out can be end_round or reshuffle"),
        ("new damn out_bonsu=50", "OUT_BONUS"),
        ("new damn 6 players", "is for 4 players"),
    ],
)
def test_what_cannot_be_opened_says_what_would_work(people, words, says):
    assert says in people("Ann", words)
    if "BONUS" not in says and "DAMN" not in says:  # a slip may be put right
        assert people.rows(TABLE) == []


def test_a_player_sits_at_a_dozen_tables_at_most(people):
    for _ in range(tables.MOST_TABLES):
        assert "table" in people("Ann", "new damn")
    assert people("Ann", "new damn").startswith(f"You sit at {tables.MOST_TABLES} tables already. LEAVE one first")
    assert len(people.rows(TABLE)) == tables.MOST_TABLES


# Joining


def test_joining_by_code(people):
    code = people.opened()
    assert people("Bea", f"Join {code.lower()}") == (
        f"Queenline {code}: hello Bea! Damn the Queens with Ann. 2 free seats. Ann deals. STOP to opt out, HELP for help."
    )
    assert people.told("Ann") == [f"Queenline {code}: Bea joined. 2 seats free. BOTS fills them."]
    people("Cy", f"join {code}")
    assert people.told("Bea") == [f"Queenline {code}: Cy joined. 1 seat free."]
    people("Dot", f"join {code}")
    assert people.told("Ann")[-1] == f"Queenline {code}: Dot joined. All are here: DEAL to start."
    assert names(people, code) == ["Ann", "Bea", "Cy", "Dot"]


def test_joining_twice_is_sitting_once(people):
    code = people.opened("Bea")
    assert people("Bea", f"join {code}").startswith(f"{code}: you sit here already.")
    assert names(people, code) == ["Ann", "Bea"]


@pytest.mark.parametrize("words", ["join ZZ9", "join zzz bea", "join ♠♠♠", "join '; drop table seat"])
def test_an_unknown_code(people, words):
    people.opened()
    answer = people("Bea", words)
    assert answer is not None
    assert re.search(r"no table|JOIN|code", answer)
    assert len(people.rows(SEAT)) == 1


def test_join_alone_asks_for_the_code(people):
    people.opened()
    assert people("Bea", "join").startswith("JOIN and the code of the table")


def test_a_bot_makes_room_for_a_friend(people):
    code = people.opened()
    people("Ann", "bots")
    assert "hello Bea" in people("Bea", f"join {code}")
    assert sorted(names(people, code)) == ["Ann", "Bea", "Bot1", "Bot2"]
    assert people.table(code).status == "open"


def test_a_table_full_of_people_is_full(people):
    code = people.opened("Bea", "Cy", "Dot")
    before = people.whole()
    assert people("Eve", f"join {code}") == f"{code} is full: Ann, Bea, Cy and Dot. NEW opens a table of your own."
    assert people.whole() == before


def test_a_table_that_is_dealt_is_closed_to_strangers(people):
    code = people.dealt("Bea")
    before = people.whole()
    assert people("Eve", f"join {code}") == (
        f"{code} has begun already and all its seats are taken. NEW opens a table of your own."
    )
    assert people.whole() == before


def test_a_stranger_joins_with_a_name_in_the_same_text(people):
    """A phone that nobody has told us about."""
    code = people.opened()
    phone = people.stage.phone("P9")
    with people.services.db.begin() as conn:
        conn.execute(PLAYER.delete().where(PLAYER.c.address == phone.number))
    assert "hello Bea!" in people("P9", f"join {code} bea")
    assert names(people, code) == ["Ann", "Bea"]
    (row,) = people.rows(PLAYER, PLAYER.c.address == phone.number)
    assert (row.name, row.sender) == ("Bea", "+12125550199")


def test_somebody_without_a_name_is_asked_for_one(people):
    code = people.opened()
    phone = people.stage.phone("P9")
    with people.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.address == phone.number).values(name=None))
    answer = people("P9", f"join {code}")
    assert "hello Guest2!" in answer
    assert "NAME and your name" in answer
    assert people("P9", "name Bea") == "You are Bea now."
    assert names(people, code) == ["Ann", "Bea"]


# Names


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("bea", "Bea"),
        ("Bea", "Bea"),
        ("O'Neil", "O'Neil"),
        ("O’Neil", "O'Neil"),
        ("Zoë", "Zoe"),
        ("José", "José"),
        ("Mary Ann", "Mary-Ann"),
        ("bea 🎉", "Bea"),
        ("Bea2", "Bea2"),
        ("müller", "Müller"),
        ("abcdefghijkl", "Abcdefghijkl"),
        ("<b>Bea</b>", "BBeab"),
        ("Bea.", "Bea"),
    ],
)
def test_names_as_they_are_kept(said, kept):
    assert clean_name(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "", "   ", "🎉", "...", "abcdefghijklm", "12345", "b12345", "stop", "STOP", "Stop.", "unsubscribe", "help", "yes", "end", "7",
        "李雷", "Ωmega" * 4, "http://x.example/abc", "@", "you", "Q" * 300, "cancel",
    ],
)  # fmt: skip
def test_what_is_no_name(said):
    with pytest.raises(Problem) as problem:
        clean_name(said)
    assert is_gsm7(str(problem.value))
    assert len(str(problem.value)) <= 160


def test_random_names_are_short_and_gsm7():
    rng = random.Random(7)
    alphabet = "abcXYZ019 .:/@-'’\"<>&🎉é李\u200b\n\0[]{}€"
    for _ in range(3000):
        said = "".join(rng.choices(alphabet, k=rng.randrange(30)))
        try:
            name = clean_name(said)
        except Problem:
            continue
        assert 1 <= len(name) <= tables.NAME_LENGTH, said
        assert is_gsm7(name)
        assert not set(name) & set(' .:/@\n"<>&[]{}€')
        assert clean_name(name) == name


def test_a_name_that_is_taken_gets_a_number():
    assert free_name("Bea", ["Ann"]) == "Bea"
    assert free_name("Bea", ["bea"]) == "Bea2"
    assert free_name("Bea", ["Bea", "Bea2"]) == "Bea3"
    assert free_name("Abcdefghijkl", ["abcdefghijkl"]) == "Abcdefghijk2"
    twelve = ["Abcdefghijkl"]
    for _ in range(20):
        twelve.append(free_name("Abcdefghijkl", twelve))
    assert len({name.lower() for name in twelve}) == len(twelve)
    assert max(map(len, twelve)) <= tables.NAME_LENGTH


def test_two_of_one_name_at_a_table(people):
    code = people.opened()
    people("P9", f"join {code} ann")
    assert names(people, code) == ["Ann", "Ann2"]


def test_a_new_name_is_the_name_at_every_table(people):
    one, two = people.opened("Bea"), people.opened("Bea")
    people("Bea", "name Beatrice")
    assert names(people, one) == names(people, two) == ["Ann", "Beatrice"]
    assert people("Bea", "name stop") == "That can't be a name here. Please choose another."
    assert names(people, one) == ["Ann", "Beatrice"]


# Bots and dealing


def test_only_the_host_sends_for_bots(people):
    code = people.opened("Bea")
    assert people("Bea", "bots").startswith(f"{code}: only Ann, who opened the table, can text BOTS.")
    assert names(people, code) == ["Ann", "Bea"]
    assert people("Ann", "bots 1").startswith(f"{code}: 1 bot sits down. Ann, Bea and Bot1 are here, 1 seat free.")
    assert people("Ann", "bots 2") == f"{code} has 1 free seat: BOTS fills them, BOTS 1 sits one down."
    people("Ann", "bots")
    assert names(people, code) == ["Ann", "Bea", "Bot1", "Bot2"]
    assert people("Ann", "bots").startswith(f"{code}: every seat is taken.")
    assert people("Ann", "bots off").startswith(f"{code}: 2 bots sent away. Ann and Bea are here, 2 seats free.")


def test_a_table_with_free_seats_is_not_dealt(people):
    code = people.opened("Bea")
    assert (
        people("Ann", "deal") == f"{code}: 2 seats are free. Friends text JOIN {code}, or BOTS fills them; then DEAL."
    )
    assert people("Bea", "deal") == (
        f"{code}: 2 seats are free. Friends text JOIN {code}, or Ann texts BOTS to fill them."
    )
    assert people.table(code).state is None


def test_anybody_who_sits_may_deal_a_full_table(people):
    code = people.opened("Bea", "Cy", "Dot")
    assert "is dealt" in people("Cy", "deal")
    assert people.table(code).status == "playing"


def test_everybody_gets_their_hand_and_nobody_else_s(people):
    code = people.opened("Bea", "Cy", "Dot")
    answer = people("Ann", "deal")
    texts = {"Ann": answer} | {name: people.told(name)[0] for name in ("Bea", "Cy", "Dot")}
    for name, text in texts.items():
        hand = sorted(people.hand(code, name))
        assert f"Hand: {cards(hand)}." in text or f"Hand: {grouped(hand)}." in text
        assert text.count("Hand:") == 1
        assert len(people.hand(code, name)) == 13
        partner = {"Ann": "Cy", "Cy": "Ann", "Bea": "Dot", "Dot": "Bea"}[name]
        assert f"With {partner}, against " in text
        assert ("Your turn." in text) == (people.turn(code) == name)


def test_a_deal_is_once(people):
    code = people.dealt("Bea")
    before = people.whole()
    assert people("Bea", "deal") == f"{code} has been dealt already. HAND shows your cards."
    assert people.whole() == before


def test_the_same_seed_deals_the_same(people):
    one = people.dealt()
    people.stage._deals = 0
    two = people.dealt()
    a, b = people.table(one), people.table(two)
    assert a.game.dump(stored.fresh(a)) == b.game.dump(stored.fresh(b))


def test_seeds_of_the_service_differ_and_are_long():
    from service.services import new_seed

    assert len({new_seed() for _ in range(1000)}) == 1000
    assert len(new_seed()) == 32


# Leaving and coming back


def test_leaving_before_the_deal_frees_the_seat(people):
    code = people.opened("Bea", "Cy")
    assert people("Bea", "leave") == f"You left {code}. JOIN {code} sits down again."
    assert people.told("Ann") == [f"Queenline {code}: Bea left. The seat is free again."]
    assert names(people, code) == ["Ann", "Cy"]
    people("Dot", f"join {code}")
    assert names(people, code) == ["Ann", "Dot", "Cy"]


def test_the_next_becomes_the_host(people):
    code = people.opened("Bea")
    people("Ann", "leave")
    assert people("Bea", "bots").startswith(f"{code}: 3 bots sit down.")


def test_leaving_a_game_hands_the_cards_to_a_bot(people):
    code = people.dealt("Bea", "Cy", "Dot")
    turn = people.turn(code)
    quiet = next(name for name in ("Ann", "Bea", "Cy", "Dot") if name != turn)
    before = people.lines(code)
    assert people(quiet, "leave") == f"You left {code}. A bot plays your cards. JOIN {code} takes them back."
    assert people.lines(code) == before
    for name in {"Ann", "Bea", "Cy", "Dot"} - {quiet}:
        assert people.told(name) == [f"Queenline {code}: {quiet} left, a bot plays on."]


def test_whose_turn_it_is_may_leave_and_a_bot_plays_on_at_once(people):
    people.seated()
    people("Ann", "leave")
    assert people.turn("KF7") == "Bea"
    (turn,) = people.told("Bea")
    assert re.match(r"Queenline KF7: Ann left, a bot plays on\. Your turn\. Ann .*\. Top ", turn)
    assert people.told("Cy") == ["Queenline KF7: Ann left, a bot plays on."]
    assert {text.split()[0] for _, text in people.lines("KF7")} >= {"discard"}
    people.replays("KF7")


def test_in_the_middle_of_a_turn_a_bot_ends_it(people):
    people.seated()
    people("Ann", "draw, lay k k w")
    people("Ann", "leave")
    assert people.turn("KF7") == "Bea"
    people.replays("KF7")


def test_coming_back_takes_the_cards_from_the_bot(people):
    people.seated()
    people("Cy", "leave")
    people.forget()
    answer = people("Cy", "join kf7")
    assert answer.startswith("Welcome back.")
    assert "Hand: 5C 8D 8H 10S." in answer
    assert people.told("Bea") == ["Queenline KF7: Cy is back and plays again."]
    people("Ann", "draw, discard 4h")
    people("Bea", "draw, discard 3d")
    assert people.turn("KF7") == "Cy"  # no bot any more
    assert "you drew" in people("Cy", "draw")


def test_nobody_takes_the_seat_of_somebody_who_has_left(people):
    people.seated()
    people("Cy", "leave")
    assert "has begun already" in people("Eve", "join kf7")


def test_the_last_person_who_leaves_closes_the_table(people):
    people.seated()
    for name in ("Ann", "Bea", "Cy"):
        people(name, "leave")
    assert people("Dot", "leave") == "You left KF7; nobody else was there, so the table is closed."
    assert people.table("KF7").status == "closed"
    assert people("Dot", "join kf7").startswith("There is no table KF7.")
    assert people("Dot", "draw").startswith("You sit at no table now.")
    people.replays("KF7")


def test_leaving_twice(people):
    people.dealt("Bea")
    people("Bea", "leave")
    assert people("Bea", "leave").startswith("You sit at no table now.")


def test_a_pending_turn_text_of_who_has_left_is_not_sent(people):
    people.seated()
    settle, people.stage.settle = people.stage.settle, lambda: None
    people("Ann", "draw, discard 4h")
    people("Bea", "leave")
    settle()
    assert people.told("Bea") == []
    assert people.turn("KF7") == "Cy"
    statuses = [
        (row.kind, row.status) for row in people.rows(OUTBOUND) if row.recipient == people.stage.phone("Bea").number
    ]
    assert [status for kind, status in statuses if kind == "turn"] == ["canceled"]


# Again


def over(people):
    people.seated("""\
game: damn-the-queens
seats: Ann Bea Cy Dot
dealer: Dot
hand Ann: KD KH 4H
hand Bea: 3D
hand Cy: 5C
hand Dot: AH
pile: 5S
stock: KS 7S 3C
score Ann+Cy: 990
turn: Ann
""")
    people("Ann", "draw, lay k k k, discard 4h")
    people.forget()
    assert people.table("KF7").status == "over"


def test_a_rematch_is_one_table_with_the_same_seats(people):
    over(people)
    answer = people("Cy", "rematch")
    code = caught(r"(\w+): Damn the Queens again! Cy is here, 3 seats free\.", answer)
    assert people.told("Bea") == [
        f"Queenline Cy wants to play Damn the Queens again. REMATCH, or JOIN {code}, sits you down."
    ]
    for name in ("Ann", "Bea", "Dot"):
        assert f"{code}" in people(name, "rematch")
    table = people.table(code)
    assert len(people.rows(TABLE)) == 2
    assert sorted(table.names) == ["Ann", "Bea", "Cy", "Dot"]
    assert "is dealt" in people("Bea", f"{code} deal")


def test_everybody_sits_where_they_sat(people):
    over(people)
    code = caught(r"(\w+):", people("Cy", "rematch"))
    for name in ("Dot", "Bea", "Ann"):
        people(name, "rematch")
    assert names(people, code) == ["Ann", "Bea", "Cy", "Dot"]


def test_a_rematch_by_its_code(people):
    over(people)
    code = caught(r"(\w+):", people("Cy", "rematch"))
    assert "hello Bea" in people("Bea", f"join {code}")


def test_no_rematch_before_the_end(people):
    people.seated()
    assert people("Ann", "rematch") == "KF7 isn't over yet. REMATCH works when it is; NEW opens another table."


def test_a_rematch_of_the_game_that_is_over_while_another_runs(people):
    over(people)
    other = people.opened()
    answer = people("Ann", "rematch")
    assert "again!" in answer, answer
    assert other not in answer


def test_leaving_a_game_that_is_over(people):
    over(people)
    assert "over" in people("Ann", "leave")
    assert people.table("KF7").status == "over"


# Codes, options, the record


def test_codes_are_short_no_cards_and_no_words():
    codes = {new_code(lambda code: False) for _ in range(4000)}
    assert all(re.fullmatch(r"[B-DF-HJKMNPR-TVX-Z]{2}[2345679]", code) for code in codes)
    assert len(codes) > 1000
    for code in codes:
        assert not re.match(r"[TJQKA2-9][SHDC]", code)


def test_codes_get_longer_where_short_ones_are_taken():
    assert {len(new_code(lambda code: len(code) < 4)) for _ in range(50)} == {4}
    assert {len(new_code(lambda code: len(code) < 5)) for _ in range(50)} == {5}
    with pytest.raises(Problem):
        new_code(lambda code: True)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"taget": "500"}, "Did you mean TARGET?"),
        ({"xyzzy": "1"}, "House rules: target, "),
        ({"target": "1"}, "target can be a number from 500 to 5000, not '1'"),
        ({"target": ""}, "target can be"),
        ({"target": "٥٠٠"}, "target can be"),
        ({"warn_one_card": "yes"}, "warn_one_card can be on or off"),
    ],
)
def test_a_bad_house_rule_says_what_would_work(given, says):
    with pytest.raises(Problem, match=re.escape(says)):
        options_from(DAMN, given)


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ([], []),
        ([(0, "draw"), (0, "discard 4H")], [(0, "draw"), (0, "discard 4H")]),
        ([(0, "draw"), (0, "meld KS"), (0, "undo")], [(0, "draw")]),
        ([(0, "draw"), (0, "a"), (0, "b"), (0, "undo"), (0, "undo"), (0, "c")], [(0, "draw"), (0, "c")]),
    ],
)
def test_an_undo_takes_away_the_line_before_it(lines, left):
    assert standing(lines) == left
