"""What a player may ask and set, who is answered at all, and which of several tables a text is for."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import update

from service import limits
from service.stored import INBOUND, OUTBOUND, PLAYER, SEAT, TABLE
from tests.people import DEADLINE, gathered

sqlite = pytest.mark.on("sqlite")  # where storage is not the point


# To see


@sqlite
@pytest.mark.parametrize(
    ("name", "asked", "answer"),
    [
        ("Ann", "hand", "KF7: your turn. Top 9H of 3. Hand: 3S 4H 9C 9S QH KD KH W. DRAW or PICKUP 9 9."),
        ("Bea", "hand", "KF7: Hand: 3D 7C 7D AS JK. Top 9H of 3. Ann's turn."),
        ("Bea", "my cards?", "KF7: Hand: 3D 7C 7D AS JK. Top 9H of 3. Ann's turn."),
        (
            "Bea",
            "table",
            (
                "KF7 round 1. Ann+Cy: nothing down. Bea+Dot: nothing down. Top 9H of 3. Stock 6. "
                "Cards: Ann 8, Bea 5, Cy 4, Dot 4. Ann's turn."
            ),
        ),
        ("Ann", "score", "KF7 round 1. Game: Ann+Cy 0, Bea+Dot 0. To 1000. Laid this round: Ann+Cy 0, Bea+Dot 0."),
        ("Ann", "pile", "KF7: Top 9H of 3. Stock 6."),
        ("Ann", "who", "KF7: Ann and Cy against Bea and Dot. Order: Ann, Bea, Cy, Dot. Ann's turn. That's you."),
        ("Bea", "who", "KF7: Ann and Cy against Bea and Dot. Order: Ann, Bea, Cy, Dot. Ann's turn."),
        ("Ann", "games", "Your table: KF7 your turn since Tue noon."),
        ("Bea", "games", "Your table: KF7 Ann's turn since Tue noon."),
        ("Ann", "hint", "KF7: you can DRAW or PICKUP 9 9. I would PICKUP 9 9."),
        ("Bea", "hint", "KF7: it's Ann's turn; nothing for you to do yet."),
        ("Ann", "options", "KF7: Damn the Queens to 1000. House rules: the usual ones. OPTIONS ALL lists them."),
        ("Ann", "why", "KF7: nothing of yours was refused lately. RULES tells the rules."),
    ],
)
def test_asking(at_kf7, name, asked, answer):
    before = at_kf7.whole()
    assert DEADLINE.sub("", at_kf7(name, asked)) == answer
    assert at_kf7.whole() == before


@sqlite
def test_melds_in_whole_cards(at_kf7):
    at_kf7("Ann", "pickup 9c 9s, lay kd kh w")
    assert at_kf7("Bea", "melds") == "KF7: Ann+Cy: 9C 9S 9H, KD KH W (45). Bea+Dot: nothing down."


@sqlite
def test_rules_in_short(at_kf7):
    assert "RULES and one of: TURN, PILE" in at_kf7("Ann", "rules")
    assert at_kf7("Ann", "rules pile").startswith("KF7: PICKUP takes the whole pile")
    assert at_kf7("Ann", "rules scoring").startswith("KF7: QS 100, joker 50, ace 20")
    assert "No rule by the name backgammon" in at_kf7("Ann", "rules backgammon")


@sqlite
def test_why_tells_the_rule_of_the_last_refusal(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "pickup")
    assert at_kf7("Bea", "why").startswith("KF7: PICKUP takes the whole pile")
    at_kf7("Cy", "draw")
    assert at_kf7("Cy", "why").startswith("KF7: Your turn: DRAW, or PICKUP the pile.")
    assert at_kf7("Dot", "why") == "KF7: nothing of yours was refused lately. RULES tells the rules."


@sqlite
def test_before_the_deal_everything_shows_who_is_there(people):
    code = people.opened("Bea")
    for asked in ("hand", "table", "score", "who", "hint"):
        assert people("Bea", asked) == (
            f"{code}: Damn the Queens, not dealt yet. Ann and Bea are here, 2 seats free. Friends text JOIN {code}."
        )
    assert people("Bea", "draw").startswith(f"{code}: Damn the Queens, not dealt yet.")
    assert people("Bea", "gibberish xyz").startswith(
        f'{code}: I don\'t understand "gibberish xyz". Ann and Bea are here'
    )


@sqlite
def test_a_hand_is_only_one_s_own(at_kf7):
    for name, others in (
        ("Ann", "7C AS JK 5C 8D AH QS"),
        ("Bea", "KD KH QH 9C 5C AH QS"),
        ("Dot", "KD 9C 7C AS JK 8D"),
    ):
        seen = " ".join(
            at_kf7(name, asked) or ""
            for asked in ("hand", "table", "score", "who", "melds", "pile", "hint", "games", "why")
        )
        for card in others.split():
            assert card not in re.findall(r"\b\w+\b", seen)


# To talk


def test_talk_goes_to_the_others(at_kf7):
    assert at_kf7("Ann", "say well played, Bea!") == "KF7: sent to Bea, Cy and Dot."
    for name in ("Bea", "Cy", "Dot"):
        assert at_kf7.told(name) == ["Queenline KF7 Ann: well played, Bea!"]
    assert at_kf7.lines("KF7") == []


def test_who_has_muted_hears_nothing(at_kf7):
    assert at_kf7("Bea", "mute") == "You no longer get what others SAY. MUTE OFF brings it back."
    assert at_kf7("Ann", "say hi") == "KF7: sent to Bea, Cy and Dot."
    assert at_kf7.told("Bea") == []
    at_kf7("Bea", "mute off")
    at_kf7("Ann", "say hi again")
    assert at_kf7.told("Bea") == ["Queenline KF7 Ann: hi again"]


@sqlite
def test_talk_is_gsm7_and_two_segments_at_most(at_kf7):
    at_kf7("Ann", "say " + "“naïve” ♥ 🎉 " * 60)
    (text,) = at_kf7.told("Bea")  # judged on the way
    assert text.startswith('KF7 Ann: "naive" "naive"')


@sqlite
def test_talk_to_bots(people):
    code = people.dealt()
    assert (
        people("Ann", "say hi")
        == f"{code}: nobody here would get that: the others are bots, or have stopped all texts."
    )


@sqlite
def test_say_is_never_a_move(at_kf7):
    before = at_kf7.lines("KF7")
    at_kf7("Ann", "say draw")
    at_kf7("Ann", "say stop texting me, Bea")
    assert at_kf7.lines("KF7") == before
    assert at_kf7.rows(PLAYER, PLAYER.c.opted_out_at.is_not(None)) == []


# Own settings


@sqlite
def test_updates(at_kf7):
    assert at_kf7("Ann", "updates all") == "You get a text after every turn of the others."
    assert at_kf7("Ann", "updates") == (
        "You get a text after every turn of the others. UPDATES TURN or UPDATES ALL sets it."
    )
    assert at_kf7("Ann", "updates weekly") == "UPDATES can be TURN or ALL."
    (row,) = at_kf7.rows(PLAYER, PLAYER.c.name == "Ann")
    assert row.prefs["updates"] == "all"


@sqlite
def test_settings_are_kept_beside_each_other(at_kf7):
    for words in ("updates all", "mute", "auto off"):
        at_kf7("Ann", words)
    (row,) = at_kf7.rows(PLAYER, PLAYER.c.name == "Ann")
    assert row.prefs == {"updates": "all", "mute": True, "auto": False}


# Several tables


@pytest.fixture
def at_two(people):
    """Ann's turn at KF7, Bea's at MN3, the same four."""
    people.seated()
    people.seated(
        "game: damn-the-queens\nseats: Ann Bea Cy Dot\nhand Ann: 4C 8C\nhand Bea: 3C 8S\nhand Cy: 6S 7S\nhand Dot: AD KC\n"
        "pile: 5D\nstock: 5H 6H 7H 8H 9D TC\nturn: Bea\n",
        "MN3",
    )
    return people


def test_a_code_in_front_names_the_table(at_two):
    assert at_two("Bea", "mn3 draw").startswith("MN3: you drew 5H.")
    assert at_two("Bea", "KF7: hand").startswith("KF7: Hand: 3D 7C")
    assert at_two("Bea", "hand mn3").startswith("MN3: your turn. Hand: 3C 5H 8S.")


def test_a_move_goes_to_the_table_where_it_can_be_meant(at_two):
    assert at_two("Bea", "draw").startswith("MN3: you drew 5H.")
    assert at_two("Ann", "draw").startswith("KF7: you drew 7S.")
    assert len(at_two.lines("KF7")) == len(at_two.lines("MN3")) == 1


@pytest.fixture
def at_two_turns(at_two):
    """Ann's turn at both."""
    at_two("Bea", "mn3 draw, discard 5h")
    for name, card in (("Cy", "6s"), ("Dot", "ad")):
        at_two(name, f"mn3 draw, discard {card}")
    assert at_two.turn("KF7") == at_two.turn("MN3") == "Ann"
    at_two.forget()
    return at_two


def test_where_it_may_be_meant_twice_one_short_question(at_two_turns):
    before = at_two_turns.whole()
    asked = at_two_turns("Ann", "draw")
    assert asked == "Which table: 1 KF7, 2 MN3? Next time begin with the code: KF7 ..."
    assert at_two_turns.whole() == before
    assert at_two_turns.kinds()[-1] == "ask"


@pytest.mark.parametrize(
    ("answer", "code"), [("1", "KF7"), ("2", "MN3"), ("mn3", "MN3"), ("KF7.", "KF7"), ("#2", "MN3")]
)
def test_the_number_or_the_code_settles_it(at_two_turns, answer, code):
    kf7, mn3 = len(at_two_turns.lines("KF7")), len(at_two_turns.lines("MN3"))
    at_two_turns("Ann", "draw")
    assert at_two_turns("Ann", answer).startswith(f"{code}: you drew ")
    assert len(at_two_turns.lines("KF7")) == kf7 + (code == "KF7")
    assert len(at_two_turns.lines("MN3")) == mn3 + (code == "MN3")
    at_two_turns("Ann", answer)  # the question has been answered: nothing more happens
    assert len(at_two_turns.lines("KF7")) + len(at_two_turns.lines("MN3")) == kf7 + mn3 + 1


def test_something_else_than_an_answer_is_read_as_itself(at_two_turns):
    at_two_turns("Ann", "draw")
    assert at_two_turns("Ann", "mn3 hand").startswith("MN3: your turn.")
    before = at_two_turns.whole()
    at_two_turns("Ann", "2")
    assert at_two_turns.whole() == before


def test_a_move_that_only_one_table_allows_needs_no_code(at_two_turns):
    assert at_two_turns("Ann", "pickup 9 9").startswith("KF7: you took 9H")


@sqlite
def test_never_two_tables_by_one_text(at_two_turns):
    for words in ("draw, discard 4c", "auto", "leave", "undo", "hand", "lay k k w", "table", "draw draw", "discard"):
        before = at_two_turns.table("KF7").version, at_two_turns.table("MN3").version
        at_two_turns("Ann", words)
        after = at_two_turns.table("KF7").version, at_two_turns.table("MN3").version
        assert (before[0] == after[0]) or (before[1] == after[1]), words


@sqlite
def test_a_table_one_does_not_sit_at(people):
    code = people.opened()
    other = people.opened(host="Bea")
    answer = people("Ann", f"{other} hand")
    assert answer == f"You don't sit at {other}. GAMES lists your tables; JOIN {other} sits down at one."
    assert code != other
    assert "Bea" not in answer
    assert people.table(other).version == 0


@sqlite
def test_games_lists_them(at_two):
    assert at_two("Ann", "games") == (
        "Your tables: KF7 your turn since Tue noon; MN3 Bea's turn since Tue noon. Begin a text with the code to choose one, as in KF7 HAND."
    )


# Strangers, and those who sit nowhere


def stranger(people, name="P9"):
    """A phone nobody has told us about."""
    phone = people.stage.phone(name)
    with people.services.db.begin() as conn:
        conn.execute(PLAYER.delete().where(PLAYER.c.address == phone.number))
    return phone


WELCOME = (
    "Queenline: card games by text. Text NEW DAMN to open a table, or JOIN and the code a friend gave you. "
    "HELP for help, STOP to opt out."
)


def test_a_stranger_gets_one_text_a_day(people):
    stranger(people)
    assert people("P9", "hi") == WELCOME
    for words in ("hello?", "draw", "hand", "is anybody there", "score", "leave"):
        assert people("P9", words) is None
    people.stage.clock.now += timedelta(hours=24)
    assert people("P9", "hi") == WELCOME
    assert people.rows(OUTBOUND) == []


def test_a_stranger_may_open_and_join_all_the_same(people):
    stranger(people)
    people("P9", "hi")
    assert "Queenline table" in people("P9", "new damn")
    stranger(people, "P10")
    people("P10", "hi")
    code = people.rows(TABLE)[0].code
    assert "hello P10!" in people("P10", f"join {code} p10")


def test_the_whole_service_greets_so_many_a_day(people, monkeypatch):
    monkeypatch.setattr(limits, "STRANGERS_A_DAY", 3)
    answers = []
    for n in range(5):
        stranger(people, f"P9{n}")
        answers.append(people(f"P9{n}", "hi"))
    assert [answer is not None for answer in answers] == [True, True, True, False, False]
    people.stage.clock.now += timedelta(hours=25)
    assert people("Zed4", "hi") == WELCOME


@pytest.mark.parametrize("sender", ["86753", "BANKALERT", "whatsapp:+12125550142", "+12125550199", "rcs:agent"])
def test_what_is_no_phone_is_nobody(people, sender):
    phone = people.stage.phone("P9")
    with people.services.db.begin() as conn:
        conn.execute(PLAYER.delete())
    assert people("P9", "new damn", From=sender) is None
    for table in (PLAYER, INBOUND, OUTBOUND, SEAT):
        assert people.rows(table) == []
    assert phone.unread == []


@sqlite
def test_who_has_sat_once_is_told_what_to_do(people):
    people.dealt("Bea")
    people("Bea", "leave")
    assert people("Bea", "draw") == (
        "You sit at no table now. NEW DAMN opens one; JOIN and a code sits you down at a friend's."
    )


# STOP, START, HELP


@pytest.mark.parametrize(
    "word", ["STOP", "stop", "Stop.", "STOPALL", "unsubscribe", "Cancel", "END", "quit", "revoke", "optout", "stop all"]
)
def test_the_carrier_s_own_words_are_noted_and_left_to_the_carrier(at_kf7, word):
    assert at_kf7("Bea", word) is None
    assert len(at_kf7.rows(PLAYER, PLAYER.c.opted_out_at.is_not(None))) == 1
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Ann", "say hi")
    assert at_kf7.told("Bea") == []
    assert at_kf7("Bea", "draw") is None
    assert at_kf7.turn("KF7") == "Bea"


@sqlite
@pytest.mark.parametrize(
    "words", ["stop texting me", "please stop", "Remove me", "leave me alone", "STOP PLEASE", "no mas", "wrong number"]
)
def test_plain_wishes_count_as_stop_and_are_confirmed(at_kf7, words):
    assert at_kf7("Bea", words) == "Queenline: you are opted out and will get no more texts. Reply START to come back."
    at_kf7("Ann", "draw, discard 4h")
    assert at_kf7.told("Bea") == []


def test_start_brings_the_texts_back(at_kf7):
    at_kf7("Bea", "stop")
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "start")
    assert at_kf7.rows(PLAYER, PLAYER.c.opted_out_at.is_not(None)) == []
    assert at_kf7("Bea", "hand").startswith("KF7: your turn.")


def test_a_text_that_waits_is_not_sent_to_who_has_opted_out(at_kf7):
    settle, at_kf7.stage.settle = at_kf7.stage.settle, lambda: None
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "stop")
    settle()
    assert at_kf7.told("Bea") == []


@sqlite
def test_help_is_the_carrier_s(at_kf7):
    assert at_kf7("Bea", "HELP") is None
    assert at_kf7("Bea", "info") is None
    assert at_kf7("Bea", "commands").startswith("Play: DRAW, PICKUP 9 9")


def test_with_our_own_confirmations(database_url, tmp_path):
    with gathered(database_url, tmp_path, opt_out_mode="self") as people:
        people.seated()
        assert people("Bea", "stop").startswith("Queenline: you are opted out")
        assert people("Bea", "start").startswith("Queenline: welcome back, ")
        text = people("Bea", "help")
        for part in ("Queenline", "Msg&data rates may apply", "STOP"):
            assert part in text
        assert len(text) <= 160


@sqlite
def test_a_game_word_is_never_one_of_the_carrier_s(at_kf7):
    reserved = {
        "STOP",
        "STOPALL",
        "UNSUBSCRIBE",
        "CANCEL",
        "END",
        "QUIT",
        "REVOKE",
        "OPTOUT",
        "START",
        "YES",
        "UNSTOP",
        "HELP",
        "INFO",
    }
    said = " ".join(
        at_kf7("Ann", asked) or "" for asked in ("commands", "rules", "hint", "games", "who", "zzz", "options")
    )
    assert not set(re.findall(r"\b[A-Z]{3,}\b", said)) & reserved


# A pending question does not outlive what it was about


@sqlite
def test_a_question_is_forgotten_by_the_next_text(at_kf7):
    at_kf7("Ann", "draw")
    at_kf7("Ann", "k")
    at_kf7("Ann", "hand")
    with at_kf7.services.db.begin() as conn:
        conn.execute(update(PLAYER).values(pending=PLAYER.c.pending))
    assert at_kf7.rows(PLAYER, PLAYER.c.name == "Ann")[0].pending is None


def test_leaving_names_its_table_and_never_another(at_two):
    assert at_two("Bea", "leave mn3").startswith("You left MN3.")
    assert at_two("Bea", "leave mn3") == "You don't sit at MN3. GAMES lists your tables; JOIN MN3 sits down at one."
    assert at_two("Bea", "leave xy2") == "You don't sit at XY2. GAMES lists your tables; JOIN XY2 sits down at one."
    assert at_two("Bea", "games") == "Your table: KF7 Ann's turn since Tue noon."
    assert at_two("Bea", "leave").startswith("You left KF7.")
