"""Whose turn it is hears of it, whatever others may do meanwhile without ending that turn."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from engine.cards import card_name
from rig.verdict import reminded, untold
from service.carrier import Trouble
from service.stored import NUDGE, OUTBOUND, PLAYER, TABLE
from workers.unknown import settle_unknown

ENDLESS = """\
game: queen-of-spades
options: target=none
seats: Ann Bea Cy
dealer: Cy
hand Ann: 7S 7D 7C 9H
hand Bea: 4C 5D
hand Cy: KD QS
pile: 9H
stock: 6D 3C 8H 7H TD
turn: Ann
"""


def asleep(people, name):
    """It is night where somebody is."""
    people.stage.phone(name)
    with people.services.db.begin() as conn:
        conn.execute(update(PLAYER).where(PLAYER.c.name == name).values(zone="Asia/Tokyo", last_inbound_at=None))


def at_nine(people):
    """The next morning there."""
    people.stage.run_to(people.stage.clock.now + timedelta(hours=11))


def faults(people):
    with people.services.db.begin() as conn:
        return list(untold(conn))


def turns(people, name):
    return [text for text in people.told(name) if "Your turn" in text or "your turn" in text or "BID" in text]


@pytest.fixture
def bidding(people):
    """Spades: Bea has bid, and it is Cy's turn to, at night."""
    code = people.dealt("Bea", "Cy", "Dot", words="new spades")
    asleep(people, "Cy")
    people("Bea", "look")
    people("Bea", "bid 3")
    return code


@pytest.mark.parametrize("words", ["look", "bid blind"])
def test_somebody_looks_or_bids_blind_before_their_turn(people, bidding, words):
    people("Dot", words)
    assert faults(people) == []
    at_nine(people)
    assert len(turns(people, "Cy")) == 1
    assert faults(people) == []


def test_a_text_that_did_not_arrive_is_written_again_after_that(people, bidding):
    at_nine(people)
    (text,) = turns(people, "Cy")
    people("Dot", "look")
    sid = people.stage.carrier.texts_to(people.stage.phone("Cy").number)[-1].sid
    people.stage.carrier.report(sid, "undelivered", 30003)
    people.stage.run_to(people.stage.clock.now + timedelta(hours=2))
    assert text in turns(people, "Cy")


@pytest.mark.parametrize("words", [("draw, discard 6d", "finish"), ("draw", "discard 6d, finish")])
def test_somebody_wishes_to_finish_and_takes_it_back(people, words):
    people.seated(ENDLESS)
    asleep(people, "Bea")
    for text in words:
        people("Ann", text)
    assert people.table("KF7").state.finish == [0]
    assert faults(people) == []
    people("Cy", "finish")
    people("Cy", "undo")
    at_nine(people)
    assert len(turns(people, "Bea")) == 1
    assert faults(people) == []


def test_whoever_has_moved_is_not_told_of_that_turn_any_more(people, bidding):
    people("Dot", "look")
    people("Cy", "look")
    people.forget()
    at_nine(people)
    assert turns(people, "Cy") == []
    assert faults(people) == []


def test_what_others_do_is_told_beside_the_turn_and_not_in_its_place(people):
    """Bea sleeps and wants to hear of everything. She is to give her partner cards, and Dot gives hers first."""
    people.dealt("Bea", "Cy", "Dot", words="new spades nil_pass=2")
    people("Bea", "updates all")
    for name, bid in (("Bea", "3"), ("Cy", "3"), ("Dot", "nil")):
        people(name, "look")
        people(name, f"bid {bid}")
    asleep(people, "Bea")
    people.forget()
    people("Ann", "look")
    people("Ann", "bid 3")
    table = people.table(people.rows(TABLE)[0].code)
    assert (table.state.phase, table.due) == ("exchange", (3, 1))
    cards = " ".join(card_name(card) for card in table.state.hands[3][:2])
    assert "you gave your partner" in people("Dot", f"exchange {cards}")
    assert faults(people) == []
    at_nine(people)
    assert any("EXCHANGE" in text for text in people.told("Bea"))


def test_in_a_phase_of_all_who_has_been_told_is_no_fault_and_who_has_not_is_one(people):
    people.dealt("Bea", words="new hearts")
    hand = people.table(people.rows(TABLE)[0].code).state.hands[0]
    people("Ann", "pass " + " ".join(card_name(card) for card in hand[:3]))
    assert faults(people) == []
    with people.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "dealt").values(status="canceled"))
    (fault,) = faults(people)
    assert "Bea holds it up and was never told" in fault


def test_a_text_that_will_not_go_tells_nothing(people):
    people.seated(ENDLESS)
    asleep(people, "Bea")
    people("Ann", "draw, discard 6d")
    assert faults(people) == []
    with people.services.db.begin() as conn:
        conn.execute(update(OUTBOUND).where(OUTBOUND.c.kind == "turn").values(turn_version=1))
    assert len(faults(people)) == 1


@pytest.fixture
def reminding(people):
    """Ann is to be reminded, and nobody knows whether the carrier has taken that."""
    people.seated()
    people.stage.carrier.clock = people.stage.clock
    people.stage.carrier.troubles.append(Trouble(500, 20500))
    people.stage.run_to(people.stage.clock.now + timedelta(hours=23))
    (nudge,) = people.rows(OUTBOUND, OUTBOUND.c.kind == "nudge")
    assert nudge.status == "unknown"
    return people


def reminders(people):
    for _ in range(3):
        people.stage.clock.now += timedelta(minutes=12)
        settle_unknown(people.services, people.stage.sender)
    with people.services.db.begin() as conn:
        return reminded(conn, ["KF7"])


def test_a_reminder_that_never_got_there_is_followed_by_the_next(reminding):
    assert reminders(reminding) == (0, [])
    reminding.stage.run_to(reminding.stage.clock.now + timedelta(days=1))
    assert any("still your turn" in text for text in reminding.told("Ann"))


def test_and_one_that_is_followed_by_none_is_a_fault(reminding):
    with reminding.services.db.begin() as conn:
        conn.execute(update(NUDGE).values(nudge_at=None))
    nudged, missing = reminders(reminding)
    assert (nudged, len(missing)) == (0, 1)
