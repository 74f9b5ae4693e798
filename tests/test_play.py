"""The one transaction: what a text does to a game, what everybody is told of it, what happens when it goes wrong."""

import json
import re
from contextlib import contextmanager

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from service import stored
from service.play import acting, reading
from service.play.door import SORRY
from service.stored import INBOUND, MOVE, OUTBOUND, PLAYER, TABLE
from service.transact import Stale
from service.twice import DOUBLE_SEND
from tests.people import DEADLINE, PICKUP


def position(**lines):
    """PICKUP with other lines: position(hand_Ann="4H", stock="")."""
    text = PICKUP
    for key, value in lines.items():
        key = key.replace("_", " ")
        text = re.sub(rf"(?m)^{key}:.*$", f"{key}: {value}", text) if f"{key}:" in text else f"{text}{key}: {value}\n"
    return text


# The answer to the one who moves


def test_a_take_says_what_came_and_what_can_be_done(at_kf7):
    assert at_kf7("Ann", "pickup 9c 9s") == (
        "KF7: you took 9H with 9C 9S and got 5S 10D. Hand: 3S 4H 5S 10D QH KD KH W. LAY KKW, ADD W or DISCARD."
    )


def test_a_draw_says_which_card(at_kf7):
    assert at_kf7("Ann", "draw") == ("KF7: you drew 7S. Hand: 3S 4H 7S 9C 9S QH KD KH W. LAY 99W, LAY KKW or DISCARD.")


def test_a_discard_ends_the_turn_and_says_whose_it_is(at_kf7):
    at_kf7("Ann", "draw")
    assert at_kf7("Ann", "discard 4h") == "KF7: you discarded 4H. 8 cards left. Bea's turn."
    assert at_kf7.turn("KF7") == "Bea"


def test_several_commands_in_one_text(at_kf7):
    answer = at_kf7("Ann", "pickup 9c 9s, lay k k w, discard 4h")
    assert answer == "KF7: you took 9H with 9C 9S, got 5S 10D, laid KKW and discarded 4H. 4 cards left. Bea's turn."
    assert [text for _, text in at_kf7.lines("KF7")] == ["pickup 9C 9S", "meld KD KH W", "discard 4H"]


def test_it_stops_at_the_first_that_is_refused(at_kf7):
    answer = at_kf7("Ann", "draw, lay q q q, discard 4h")
    assert answer is not None
    assert answer.startswith("KF7: you drew 7S.")
    assert "But: " in answer
    assert "Not done: " in answer
    assert [text for _, text in at_kf7.lines("KF7")] == ["draw"]
    assert at_kf7.turn("KF7") == "Ann"


def test_moves_and_then_something_to_see(at_kf7):
    answer = at_kf7("Ann", "draw, discard 4h, score")
    assert answer is not None
    assert "you drew 7S and discarded 4H" in answer
    assert "To 1000" in answer


def test_what_was_done_is_told_also_when_the_command_after_it_cannot_be(at_kf7):
    answer = at_kf7("Ann", "draw, discard 4h, rematch")
    assert answer is not None
    assert answer.startswith("KF7: you drew 7S and discarded 4H.")
    assert "isn't over yet" in answer
    assert at_kf7.turn("KF7") == "Bea"


def test_a_refusal_says_why_and_changes_nothing(at_kf7):
    before = at_kf7.whole()
    assert at_kf7("Ann", "discard 4h") == "KF7: Draw first: DRAW, or PICKUP if you can."
    assert at_kf7("Bea", "draw") == "KF7: It's Ann's turn. You'll get a text when it's yours."
    assert at_kf7.whole() == before
    assert at_kf7.kinds() == ["refused:PHASE", "refused:TURN"]


def test_a_question_is_answered_by_its_number(at_kf7):
    at_kf7("Ann", "draw")
    asked = at_kf7("Ann", "discard k")
    if asked is not None and "?" in asked:
        assert re.search(r"1 DISCARD K. *, *2 DISCARD K.", asked), asked
        at_kf7("Ann", "2")
    assert at_kf7.turn("KF7") == "Bea"


def test_what_is_not_understood_says_what_would_work(at_kf7):
    assert at_kf7("Ann", "flurb the wozzle") == (
        'KF7: I don\'t understand "flurb the wozzle". You can DRAW or PICKUP 9 9. COMMANDS lists the words.'
    )


# What the others are told


def test_the_next_player_gets_all_they_need(at_kf7):
    at_kf7("Ann", "pickup 9 9, lay k k w, discard 4h")
    text = "Queenline KF7: your turn. Ann took the pile (3) with 99, laid KKW, threw 4H. Top 4H. "
    assert at_kf7.told("Bea") == [f"{text}Hand: 3D 7C 7D AS JK. DRAW."]
    assert at_kf7.told("Cy") == []
    assert at_kf7.told("Dot") == []


def test_a_turn_text_says_until_when_to_play(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    (text,) = at_kf7.stage.phone("Bea").unread
    if at_kf7.table("KF7").pace:
        assert DEADLINE.search(text)


def test_a_turn_text_tells_what_happened_since_the_last_one(at_kf7):
    for name, text in (("Ann", "draw, discard 4h"), ("Bea", "draw, discard 3d"), ("Cy", "draw, discard 8d")):
        at_kf7(name, text)
    assert at_kf7.told("Dot") == [
        "Queenline KF7: your turn. Ann threw 4H. Bea threw 3D. Cy threw 8D. Top 8D of 6. Hand: 6C 6D QS AH. DRAW."
    ]
    at_kf7("Dot", "draw, discard qs")
    assert at_kf7.told("Ann")[0].startswith("Queenline KF7: your turn. Bea threw 3D. Cy threw 8D. Dot threw QS. Top QS")


def test_all_are_told_when_a_hand_is_down_to_one_card(people):
    people.seated(position(hand_Ann="4H"))
    people("Ann", "draw, discard 7s")
    assert people.told("Cy") == ["Queenline KF7: Ann has 1 card left."]
    assert people.told("Dot") == ["Queenline KF7: Ann has 1 card left."]
    assert len(people.told("Bea")) == 1  # in the text that it is her turn


def test_the_next_player_is_told_of_the_one_card_with_the_turn(people):
    people.seated(position(hand_Ann="4H"))
    people("Ann", "draw, discard 7s")
    (turn,) = people.told("Bea")
    assert "Ann threw 7S, has 1 card left." in turn


def test_updates_all_brings_every_turn(at_kf7):
    at_kf7("Dot", "updates all")
    at_kf7("Ann", "draw")
    assert at_kf7.told("Dot") == []  # nothing has ended yet
    at_kf7("Ann", "discard 4h")
    assert at_kf7.told("Dot") == ["Queenline KF7: Ann threw 4H. Top 4H of 4. Bea's turn."]
    assert at_kf7.told("Cy") == []
    at_kf7("Dot", "updates turn")
    at_kf7("Bea", "draw, discard 3d")
    assert at_kf7.told("Dot") == []


def out_next(people, **more):
    """Ann goes out by one text."""
    people.seated(position(hand_Ann="KD KH 4H", stock="KS 7S 3C JD 4C 8S QD", **more))
    return people("Ann", "draw, lay k k k, discard 4h")


def test_who_went_out_and_the_scores(people):
    answer = out_next(people, **{"score Ann+Cy": "240", "score Bea+Dot": "-15"})
    assert answer is not None
    # Ann+Cy laid three kings, 30. Bea holds 85, Dot 130: -215.
    head, _, rest = answer.partition(" Round 2: ")
    assert head == (
        "KF7: you drew KS, laid KKK and discarded 4H. Ann went out. Round: Ann+Cy +30, Bea+Dot -215 (laid: Ann 30). "
        "Game: Ann+Cy 270, Bea+Dot -230."
    )
    # Dot dealt the first round, so Ann deals and Bea begins.
    assert rest.startswith("Bea starts. Hand: ")
    assert len(rest.split("Hand: ")[1].split()) <= 13


def test_everybody_gets_the_new_hand_with_the_scores(people):
    out_next(people)
    for name in ("Bea", "Cy", "Dot"):
        (text,) = people.told(name)
        assert "Ann went out. Round: Ann+Cy +30, Bea+Dot -215" in text
        assert "Hand: " in text
        assert ("Round 2: your turn. Top " in text) == (name == "Bea")
    people.replays("KF7")


def test_bots_of_the_next_round_are_told_after_the_scores(people):
    people.seated(position(hand_Ann="KD KH 4H", stock="KS 7S 3C JD 4C 8S QD"))
    people("Bea", "leave")
    people("Cy", "leave")
    people.forget()
    people("Ann", "draw, lay k k k, discard 4h")
    (text,) = people.told("Dot")
    before, _, after = text.partition("Round 2: ")
    assert "Bea" not in before.partition("went out")[0]
    assert re.match(r"Bea .*\. Cy .*\. Your turn\. Top ", after), text


def test_the_end_of_the_game_names_the_winners(people):
    answer = out_next(people, **{"score Ann+Cy": "990"})
    assert answer == (
        "KF7: you drew KS, laid KKK and discarded 4H. Ann went out. Round: Ann+Cy +30, Bea+Dot -215 (laid: Ann 30). "
        "Game: Ann+Cy 1020, Bea+Dot -215. Ann+Cy win! REMATCH plays again."
    )
    for name in ("Bea", "Cy", "Dot"):
        text = "KF7: Ann laid KKK, threw 4H. Ann went out. Round: Ann+Cy +30, Bea+Dot -215 (laid: Ann 30). "
        assert people.told(name) == [f"{text}Game: Ann+Cy 1020, Bea+Dot -215. Ann+Cy win! REMATCH plays again."]
    assert people.table("KF7").status == "over"


def test_after_the_game_nothing_moves(people):
    out_next(people, **{"score Ann+Cy": "990"})
    before = people.whole()
    assert people("Bea", "draw") == "KF7: This game is over. REMATCH plays another."
    assert people.whole() == before
    assert "1020" in (people("Bea", "score") or "")


def test_bots_play_on_in_the_same_answer(people):
    people.seated()
    for name in ("Bea", "Cy", "Dot"):
        people(name, "leave")
    people.forget()
    answer = people("Ann", "draw, discard 4h") or ""
    assert re.match(r"KF7: you drew 7S and discarded 4H\. Bea .*\. Cy .*\. Dot .*\. Your turn\. Top ", answer), answer
    assert people.turn("KF7") == "Ann"
    assert people.told("Ann") == []  # the answer has told it all
    assert [row.bot for row in people.rows(MOVE)].count(True) >= 6
    people.replays("KF7")


# Undo


def test_a_lay_is_taken_back(at_kf7):
    at_kf7("Ann", "draw")
    before = at_kf7.hand("KF7", "Ann")
    at_kf7("Ann", "lay k k w")
    assert at_kf7("Ann", "undo") == (
        "KF7: you took back LAY KD KH W. Hand: 3S 4H 7S 9C 9S QH KD KH W. LAY 99W, LAY KKW or DISCARD."
    )
    assert sorted(at_kf7.hand("KF7", "Ann")) == sorted(before)
    at_kf7.replays("KF7")


def test_an_add_is_taken_back(people):
    people.seated(position() + "down Ann+Cy: QC QD QC\n")
    people("Ann", "draw")
    assert "you added Q" in (people("Ann", "add q") or "")
    assert "you took back ADD QH" in (people("Ann", "undo") or "")
    people.replays("KF7")


def test_auto_is_taken_back_whole(people):
    people.seated(position() + "down Ann+Cy: QC QD QC\ndown Ann+Cy: 4S 4D 4C\n")
    people("Ann", "draw")
    people("Ann", "auto")
    assert len(people.hand("KF7", "Ann")) == 7
    people("Ann", "undo")
    assert len(people.hand("KF7", "Ann")) == 9
    people("Ann", "discard 3s")
    (turn,) = people.told("Bea")
    assert "Ann threw 3S." in turn
    assert "added" not in turn
    people.replays("KF7")


def test_a_discard_is_taken_back_before_its_text_has_gone(at_kf7):
    """The worker is slow: Bea never hears of it."""
    at_kf7.stage.settle = lambda: None
    at_kf7("Ann", "draw, lay k k w, discard 4h")
    assert "you took back DISCARD 4H" in (at_kf7("Ann", "undo") or "")
    del at_kf7.stage.settle
    at_kf7.stage.settle()
    assert at_kf7.told("Bea") == []
    assert [row.status for row in at_kf7.rows(OUTBOUND)] == ["canceled"]
    assert at_kf7.turn("KF7") == "Ann"
    at_kf7("Ann", "discard 3s")
    assert at_kf7.told("Bea") == [
        "Queenline KF7: your turn. Ann laid KKW, threw 3S. Top 3S of 4. Hand: 3D 7C 7D AS JK. DRAW."
    ]
    at_kf7.replays("KF7")


def test_a_discard_is_taken_back_after_its_text_has_gone(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7.forget()
    at_kf7("Ann", "undo")
    assert at_kf7.told("Bea") == ["Queenline KF7: Ann took back a move. It's not your turn yet, please wait."]
    at_kf7("Ann", "discard 3s")
    assert at_kf7.told("Bea") == ["Queenline KF7: your turn. Ann threw 3S. Top 3S of 4. Hand: 3D 7C 7D AS JK. DRAW."]


def test_undo_may_be_said_again_and_again(at_kf7):
    at_kf7("Ann", "draw, lay k k w, lay 9 9 w")
    at_kf7("Ann", "discard 3s")
    for verb in ("DISCARD", "LAY"):
        assert f"you took back {verb}" in (at_kf7("Ann", "undo") or "")
    assert at_kf7("Ann", "undo") == "KF7: DRAW can't be taken back: it has shown you new cards."
    assert [text for _, text in at_kf7.lines("KF7")].count("undo") == 2
    at_kf7.replays("KF7")


@pytest.mark.parametrize("moves", ["draw", "pickup 9 9"])
def test_what_has_shown_cards_is_not_taken_back(at_kf7, moves):
    at_kf7("Ann", moves)
    before = at_kf7.whole()
    assert "can't be taken back: it has shown you new cards." in (at_kf7("Ann", "undo") or "")
    assert at_kf7.whole() == before


def test_nothing_is_taken_back_after_the_next_player_has_moved(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7("Bea", "draw")
    before = at_kf7.whole()
    assert "only the very last one can be" in (at_kf7("Ann", "undo") or "")
    assert at_kf7.whole() == before


def test_nobody_takes_back_another_s_move(at_kf7):
    at_kf7("Ann", "draw, lay k k w")
    assert "no move of yours" in (at_kf7("Cy", "undo") or "")


# The same text again


def test_the_same_delivery_twice_is_one_move_and_the_same_answer(at_kf7):
    first = at_kf7("Ann", "draw", sid="SM" + "1" * 32)
    before = at_kf7.whole()
    assert at_kf7("Ann", "draw", sid="SM" + "1" * 32) == first
    assert at_kf7("Ann", "anything else", sid="SM" + "1" * 32) == first
    assert at_kf7.whole() == before
    assert len(at_kf7.lines("KF7")) == 1


def test_silence_is_kept_too(at_kf7):
    assert at_kf7("Ann", "Liked “KF7: your turn”", sid="SM" + "2" * 32) is None
    assert at_kf7("Ann", "draw", sid="SM" + "2" * 32) is None
    assert at_kf7.lines("KF7") == []


def test_the_same_words_again_in_a_few_minutes_are_no_mistake(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    before = at_kf7.lines("KF7")
    assert at_kf7("Ann", "Draw, discard 4h") == "KF7: you did that already. It's Bea's turn."
    assert at_kf7.lines("KF7") == before
    assert at_kf7.kinds()[-1] == "repeated"


def test_the_same_words_much_later_are_a_move_out_of_turn(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    at_kf7.stage.clock.now += DOUBLE_SEND * 1.1
    assert "It's Bea's turn" in (at_kf7("Ann", "draw, discard 4h") or "")
    assert at_kf7.kinds()[-1] == "refused:TURN"


# What is no command


@pytest.mark.parametrize(
    "body",
    [
        "Liked “KF7 your turn. DRAW or PICKUP”",
        "Reacted 👍 to “draw”",
        "\u200a\u200b👍\u200b to \u200adraw\u200a\u200a",
        "I’m driving with Driving Focus turned on. I’ll see your message when I get where I’m going.",
        "thanks!",
        "👍",
    ],
)
def test_reactions_and_thanks_do_nothing_and_get_no_answer(at_kf7, body):
    before = at_kf7.whole()
    assert at_kf7("Ann", body) is None
    assert at_kf7.whole() == before


def test_a_text_that_quotes_ours_is_no_command(at_kf7):
    at_kf7("Ann", "hand")
    before = at_kf7.whole()
    assert at_kf7("Ann", "„KF7: your turn. Top 9H of 3. Hand: 3S 4H 9C“ ein Herz hinzugefügt") is None
    assert at_kf7.whole() == before


def test_a_picture_gets_one_kind_word(at_kf7):
    assert at_kf7("Ann", "", NumMedia="1") == "Text only, please. Queenline reads words only: type HAND or DRAW, say."
    assert at_kf7("Ann", "draw", NumMedia="1").startswith("KF7: you drew")


def test_a_group_text_is_never_a_command(at_kf7):
    before = at_kf7.whole()
    assert at_kf7("Ann", "draw", Recipients='["+12125550101", "+12125550102"]') is None
    assert at_kf7.whole() == before


# When something goes wrong


def boom(*_, **__):
    raise RuntimeError("Ann holds 9S 9C")


@pytest.mark.parametrize(("module", "place"), [(acting, "_moves"), (reading, "understand"), (acting, "finish")])
def test_a_fault_leaves_the_game_as_it_was_and_is_answered_politely(at_kf7, monkeypatch, module, place, logged):
    before = at_kf7.whole()
    with monkeypatch.context() as patch:
        patch.setattr(module, place, boom)
        answer = at_kf7("Ann", "draw", sid="SM" + "3" * 32)
        assert answer == SORRY
        assert at_kf7("Ann", "draw", sid="SM" + "3" * 32) == SORRY
    assert at_kf7.whole() == before
    assert at_kf7.kinds() == ["error"]
    assert [row.body for row in at_kf7.rows(INBOUND)] == ["draw"]
    assert "9S" not in logged.getvalue()
    assert "you drew" in (at_kf7("Ann", "draw") or "")


def test_a_fault_after_the_moves_were_written_takes_them_back(at_kf7, monkeypatch):
    before = at_kf7.whole()
    monkeypatch.setattr(stored, "save_told", boom)
    assert at_kf7("Ann", "draw, discard 4h") == SORRY
    assert at_kf7.whole() == before


def test_what_cannot_be_stored_at_all_is_asked_for_again(at_kf7, monkeypatch):
    @contextmanager
    def away(*_, **__):
        raise OperationalError("insert", {}, Exception("the disk is full"))
        yield

    phone = at_kf7.stage.phone("Ann")
    with monkeypatch.context() as patch:
        patch.setattr(type(at_kf7.services.db), "begin", away)
        patch.setattr(at_kf7.stage, "settle", lambda: None)
        came = at_kf7.stage.text(phone, "draw", "SM" + "4" * 32)
    assert (came.status, came.body) == (503, "")
    assert at_kf7("Ann", "draw", sid="SM" + "4" * 32).startswith("KF7: you drew")


def test_a_table_changed_meanwhile_is_read_again(at_kf7, monkeypatch):
    """Another transaction wins once; the text is done on what it left."""
    real, calls = stored.save, []

    def save(conn, table, now, inbound_id):
        calls.append(1)
        if len(calls) == 1:
            raise Stale
        return real(conn, table, now, inbound_id)

    monkeypatch.setattr(stored, "save", save)
    assert at_kf7("Ann", "draw").startswith("KF7: you drew 7S")
    assert len(calls) == 2
    assert len(at_kf7.lines("KF7")) == 1


def test_a_stale_version_is_noticed(at_kf7):
    table = at_kf7.table("KF7")
    with at_kf7.services.db.begin() as conn:
        conn.execute(update(TABLE).values(version=5))
    table.changed = True
    with pytest.raises(Stale), at_kf7.services.db.begin() as conn:
        stored.save(conn, table, at_kf7.stage.clock(), None)


# What is kept, and what must not leave


def test_the_text_and_its_answer_are_kept(at_kf7):
    answer = at_kf7("Ann", "draw")
    (row,) = at_kf7.rows(INBOUND)
    assert (row.body, row.answer, row.kind, row.segments) == ("draw", answer, "moves", 1)
    assert row.table_id == at_kf7.table("KF7").id
    (move,) = at_kf7.rows(MOVE)
    assert (move.n, move.seat, move.text, move.inbound_id, move.bot) == (1, 0, "draw", row.id, False)


def test_a_turn_text_names_the_version_it_is_about(at_kf7):
    at_kf7("Ann", "draw, discard 4h")
    (row,) = at_kf7.rows(OUTBOUND)
    assert (row.kind, row.turn_version) == ("turn", at_kf7.table("KF7").version)
    assert row.turn_version == 2


def test_the_bell_is_rung_once_for_a_text_that_others_are_told_of(at_kf7):
    rings = []
    object.__setattr__(at_kf7.services, "bell", type("Bell", (), {"ring": lambda self: rings.append(1)})())
    at_kf7("Ann", "hand")
    at_kf7("Ann", "draw")
    assert rings == []
    at_kf7("Ann", "discard 4h", sid="SM" + "5" * 32)
    at_kf7("Ann", "discard 4h", sid="SM" + "5" * 32)
    assert rings == [1]


def test_no_hand_no_number_and_no_words_in_the_log(people, logged):
    code = people.dealt("Bea")
    for name in ("Ann", "Bea"):
        for text in ("hand", "draw", "secret words 4711", "discard qs", "say hello Bea", "leave", f"join {code}"):
            people(name, text)
    said = logged.getvalue()
    for secret in (
        "secret",
        "4711",
        "hello",
        "Ann",
        "Bea",
        "5550",
        "1212",
        code,
        *re.findall(r"\b\d{1,2}[SHDC]\b", said),
    ):
        assert secret not in said


def test_the_state_is_kept_as_json_and_the_news_without_hidden_cards(at_kf7):
    at_kf7("Ann", "draw")
    (row,) = at_kf7.rows(TABLE)
    assert json.loads(row.state)["turn"] == 0
    assert all(not isinstance(event[-1], list) for event in json.loads(row.news))
    assert [event[2] for event in json.loads(row.news)] == [[]]  # the drawn card is Ann's secret


def test_who_texts_is_noted(at_kf7):
    at_kf7("Ann", "hand")
    rows = at_kf7.rows(PLAYER, PLAYER.c.name == "Ann")
    assert rows[0].last_inbound_at == at_kf7.stage.clock()
    with at_kf7.services.db.begin() as conn:
        assert conn.execute(select(func.count()).select_from(INBOUND)).scalar() == 1
