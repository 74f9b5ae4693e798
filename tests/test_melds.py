"""Sets and runs with wilds, against a checker that tries every card in every place.

The tests try some thousand sets of cards; `python -m tests.test_melds 200000` tries more.
"""

import sys
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest

from engine.cards import JOKER, names, read_card, read_cards
from engine.game import Refusal
from engine.rummy.laying_off import lay_on, spots, swap_in, swappable, takes
from engine.rummy.melds import SET, WILDS, Meld, MeldRules, alternatives, as_said, face_at, is_sound, new_meld, readings

HOW_MANY = 4000
FACES = [*range(52), JOKER]


def some_rules(chance):
    wild = {JOKER}
    for _ in range(chance.choice([0, 1, 1, 2])):
        rank = chance.choice([12, chance.randrange(13)])
        wild |= {rank * 4 + suit for suit in range(4)}
    if chance.random() < 0.2:
        wild |= {read_card("JS"), read_card("JH")}
    kinds = chance.choice([(True, True), (True, True), (True, False), (False, True)])
    distinct = chance.random() < 0.3
    return MeldRules(
        frozenset(wild),
        sets=kinds[0],
        runs=kinds[1],
        lowest=chance.choice([0, 0, 2, 5]),
        most=4 if distinct else chance.choice([4, 8]),
        distinct=distinct,
        limit=chance.choice(["none", "none", "fewer_than_naturals", "one"]),
        split_six=chance.random() < 0.3,
        own_place=chance.random() < 0.7,
        all_wild=chance.random() < 0.3,
        replace=chance.choice(["alongside", "swap", "none"]),
    )


def some_cards(rules, chance):
    """A few cards that look like a meld more often than not, from two packs, up to four of them wild."""
    size = chance.choice([2, 3, 3, 3, 4, 4, 5, 6, 7, 8])
    if chance.random() < 0.45:
        low, suit = chance.randrange(0, 12), chance.randrange(4)
        cards = [face_at(place % 14, suit) for place in range(low, low + size)]
    elif chance.random() < 0.8:
        rank = chance.randrange(13)
        cards = [rank * 4 + chance.randrange(4) for _ in range(size)]
    else:
        cards = [chance.choice(FACES) for _ in range(size)]
    wild = sorted(rules.wild)
    for i in range(len(cards)):
        if wild and chance.random() < 0.25 and sum(card in rules.wild for card in cards) < 4:
            cards[i] = chance.choice(wild)
        elif chance.random() < 0.04:
            cards[i] = chance.choice(FACES)
    wilds = [card for card in cards if card in rules.wild]
    for card in wilds[4:]:
        cards.remove(card)
    chance.shuffle(cards)
    return cards


# The rules once more: every card in every place


def limits_hold(rules, flags, run):
    wilds, naturals = sum(flags), len(flags) - sum(flags)
    if not naturals:
        return False
    if rules.limit == "none":
        return True
    if rules.limit == "fewer_than_naturals":
        return wilds < naturals
    if wilds <= 1:
        return True
    if not rules.split_six or len(flags) < 6:
        return False
    if run:
        return any(sum(flags[:i]) <= 1 and sum(flags[i:]) <= 1 for i in range(3, len(flags) - 2))
    return wilds == 2


def is_run(rules, cards, suit, low):
    """Whether the cards, in this order from this place up, are a run."""
    high = low + len(cards) - 1
    if not rules.runs or len(cards) < 3 or low < rules.lowest or high > 13 or (low == 0 and high == 13):
        return False
    flags = []
    for i, card in enumerate(cards):
        own = card == face_at(low + i, suit)
        if not own and card not in rules.wild:
            return False
        flags.append(card in rules.wild and not (own and rules.own_place))
    return limits_hold(rules, flags, run=True)


def is_set(rules, cards, rank):
    naturals = [card for card in cards if card not in rules.wild]
    if not rules.sets or not 3 <= len(cards) <= rules.most or any(card >> 2 != rank for card in naturals):
        return False
    if rules.distinct and len(set(naturals)) < len(naturals):
        return False
    return limits_hold(rules, [card in rules.wild for card in cards], run=False)


def every_meld(rules, cards):
    """Every way the cards are a meld: ("set", rank), ("wilds",) or ("run", suit, low, what each card stands for)."""
    found: set[tuple] = {("set", rank) for rank in range(13) if is_set(rules, cards, rank)}
    if rules.sets and rules.all_wild and 3 <= len(cards) <= rules.most and all(card in rules.wild for card in cards):
        found.add(("wilds",))
    suits = {card & 3 for card in cards if card not in rules.wild}  # of which two are no run
    for suit in suits or range(4) if len(suits) < 2 else ():
        for low in range(14):
            for order in orders(rules, cards, suit, low):
                if is_run(rules, [cards[i] for i in order], suit, low):
                    stands = {i: face_at(low + n, suit) for n, i in enumerate(order)}
                    found.add(("run", suit, low, tuple(stands[i] for i in range(len(cards)))))
    return found


def orders(rules, cards, suit, low, chosen=()):
    """Every order of the cards in which each is wild or in its place."""
    if len(chosen) == len(cards):
        yield chosen
        return
    place = low + len(chosen)
    if place > 13:
        return
    for i, card in enumerate(cards):
        if i not in chosen and (card in rules.wild or card == face_at(place, suit)):
            yield from orders(rules, cards, suit, low, (*chosen, i))


def as_found(reading):
    if reading.low != SET:
        return ("run", reading.kind, reading.low, reading.stands)
    return ("wilds",) if reading.kind == WILDS else ("set", reading.kind)


def read(rules, cards, wanted):
    try:
        return {as_found(reading) for reading in readings(rules, cards, wanted)}
    except Refusal:
        return set()


def compare(number):
    chance = Random(number)
    rules = some_rules(chance)
    cards = some_cards(rules, chance)
    truth = every_meld(rules, cards)
    said = read(rules, cards, [None] * len(cards))
    where = f"{number}: {names(cards)} with {rules}"
    assert said <= truth, where
    only_wilds = all(card in rules.wild for card in cards)
    assert bool(said) == bool(truth) or only_wilds, f"{where}: {said} {truth}"
    for found in chance.sample(sorted(truth), min(len(truth), 8)):
        if found[0] == "run":
            stands = found[3]
            wanted = [None if stand == card else stand for stand, card in zip(stands, cards, strict=True)]
            again = read(rules, cards, wanted)
            assert any(other[:1] == ("run",) and other[3] == stands for other in again) or only_wilds, (
                f"{where}: {found}"
            )
            assert len(again) == 1 or wanted.count(None) == len(wanted), f"{where}: {found} is read as {again}"
    if said:
        every = {as_found(reading) for reading in alternatives(rules, cards, [None] * len(cards))}
        assert every <= truth, where
        assert {found[:3] for found in truth if found[0] == "run"} <= {f[:3] for f in every} or only_wilds, where
        compare_spots(rules, cards, chance, where)
    wrong = [chance.choice([None, chance.randrange(52)]) for _ in cards]
    for found in read(rules, cards, wrong):
        assert found in truth, where
        if found[0] == "run":
            assert all(want in (None, stand) for want, stand in zip(wrong, found[3], strict=True)), where


def compare_spots(rules, cards, chance, where):
    """What goes on a meld, against the meld with that card in every place."""
    reading = chance.choice(readings(rules, cards, [None] * len(cards)))
    meld = new_meld(1, 0, cards, reading)
    assert is_sound(rules, meld), where
    for card in {*cards, *(chance.choice(FACES) for _ in range(6)), *list(rules.wild)[:3]}:
        said = set()
        assert bool(takes(rules, meld) >> card & 1) == bool(spots(rules, meld, card)), f"{where} and {names([card])}"
        for spot in spots(rules, meld, card):
            grown = meld.copy()
            lay_on(grown, spot, card, 1)
            assert all(bool(spots(rules, grown, c)) == bool(takes(rules, grown) >> c & 1) for c in FACES), where
            assert is_sound(rules, grown), f"{where} and {names([card])}"
            said.add(
                "beside" if spot.beside else "on" if meld.low == SET else "high" if spot.place > meld.low else "low"
            )
        truth = set()
        if meld.low == SET and meld.kind == WILDS:
            truth = {"on"} if card in rules.wild and len(cards) < rules.most else set()
        elif meld.low == SET:
            if is_set(rules, [*meld.cards, card], meld.kind):
                truth.add("on")
            naturals = sum(other not in rules.wild for other in meld.cards)
            full = len(meld.cards) == rules.most > naturals and card >> 2 == meld.kind and card not in rules.wild
            if full and rules.replace == "alongside" and not (rules.distinct and card in meld.cards):
                truth.add("beside")
        else:
            if is_run(rules, [*meld.cards, card], meld.kind, meld.low):
                truth.add("high")
            if meld.low and is_run(rules, [card, *meld.cards], meld.kind, meld.low - 1):
                truth.add("low")
            there = [
                other
                for i, other in enumerate(meld.cards)
                if face_at(meld.low + i, meld.kind) == card and other in rules.wild and other != card
            ]
            if there and card not in rules.wild and rules.replace == "alongside":
                truth.add("beside")
            assert swappable(rules, meld, card) == (there if card not in rules.wild and rules.replace == "swap" else [])
        assert said == truth, f"{where} and {names([card])}: {said} {truth}"
        for wild in swappable(rules, meld, card):
            grown = meld.copy()
            swap_in(grown, card, wild, 1)
            assert is_sound(rules, grown)


@pytest.mark.parametrize("part", range(10))
def test_cards_are_the_melds_that_trying_every_place_finds(part):
    for number in range(part * HOW_MANY // 10, (part + 1) * HOW_MANY // 10):
        compare(number)


def test_what_a_move_says_its_cards_stand_for_is_read_as_any_reading_of_them():
    read = 0
    for number in range(HOW_MANY):
        chance = Random(f"said/{number}")
        rules = some_rules(chance)
        cards = tuple(some_cards(rules, chance))
        stands = tuple(face if face in rules.wild and chance.random() < 0.5 else chance.choice(FACES) for face in cards)
        with suppress(Refusal):  # where they are none, whatever they are said to be
            stands = chance.choice(alternatives(rules, cards, [None] * len(cards))).stands
        said = as_said(rules, cards, () if stands == cards else stands)
        if said is None:
            continue
        read += 1
        wanted = [
            None if card in rules.wild and face == card else face for card, face in zip(cards, stands, strict=True)
        ]
        assert readings(rules, cards, wanted) == [said], f"{number}: {names(cards)} as {names(stands)}"
    assert read > HOW_MANY // 10


# What people lay, and what is meant

SIXES = MeldRules(frozenset(read_cards("6C 6D 6H 6S")), most=4)


def meant(text, rules=SIXES):
    words = text.split()
    cards = [read_card(word.split("=")[0]) for word in words]
    wanted = [read_card(word.split("=")[1]) if "=" in word else None for word in words]
    found = []
    for reading in readings(rules, cards, wanted):
        order = range(len(cards)) if reading.low == SET else sorted(range(len(cards)), key=reading.places.__getitem__)
        kind = "wilds" if reading.kind == WILDS else "set" if reading.low == SET else "run"
        found.append(f"{kind} {names(reading.stands[i] for i in order)}" if kind == "run" else f"{kind} {names(cards)}")
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7S 8S 9S", ["run 7S 8S 9S"]),
        ("9S 7S 8S", ["run 7S 8S 9S"]),
        ("8S 6D TS", ["run 8S 9S TS"]),
        ("7S 8S 6D", ["run 7S 8S 9S"]),  # a wild goes to the high end
        ("7S 8S 6D=6S", ["run 6S 7S 8S"]),  # unless it is said
        ("KS AS 6D", ["run QS KS AS"]),  # the low end where the run tops at the ace
        ("6S 7S 8S", ["run 6S 7S 8S"]),  # a wild in its own place is itself
        ("6S 7S 9S", ["run 7S 8S 9S"]),
        ("6S 7S 8S 6H", ["run 6S 7S 8S 9S"]),
        ("AS 2S 6D", ["run AS 2S 3S"]),
        ("QS KS AS 6C", ["run JS QS KS AS"]),
        ("9S 9H 6C", ["set 9S 9H 6C"]),
        ("9D 6H 6C", ["set 9D 6H 6C", "run 9D TD JD"]),
        ("9D 6H=9C 6C", ["set 9D 6H 6C"]),
        ("9D 6H=8D 6C", ["run 8D 9D TD"]),
        ("6S 6H=7S 6D=8S", ["run 6S 7S 8S"]),
    ],
)
def test_what_is_meant(text, found):
    assert meant(text) == found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7S 8S", "SMALL"),
        ("7S 8S TS", "MIXED"),
        ("7S 8S 9H", "MIXED"),
        ("KS AS 2S", "WRAP"),
        ("QS KS AS 2S", "WRAP"),
        ("AS 2S KS 6H", "WRAP"),
        ("6S 6H 6D", "NATMIN"),
        ("9S 9H 9D 9C 6S", "WILDMAX"),
        ("7S=8S 8S 9S", "MIXED"),
        ("7S 7S 8S", "MIXED"),
    ],
)
def test_what_is_none(text, code):
    with pytest.raises(Refusal) as refused:
        meant(text)
    assert refused.value.code == code


def test_thirteen_cards_are_a_run_and_fourteen_are_none():
    suit = [face_at(place, 3) for place in range(1, 14)]
    assert len(readings(SIXES, suit, [None] * 13)) == 1
    with pytest.raises(Refusal) as refused:
        readings(SIXES, [*suit, suit[-1]], [None] * 14)
    assert refused.value.code == "WRAP"


def test_a_run_never_has_both_aces():
    meld = Meld(1, 0, [face_at(place, 3) for place in range(12)], [0] * 12, 3, 0)
    assert [spot.place for spot in spots(SIXES, meld, read_card("KS"))] == [12]
    lay_on(meld, spots(SIXES, meld, read_card("KS"))[0], read_card("KS"), 0)
    assert spots(SIXES, meld, read_card("AS")) == []


def test_every_pair_of_a_rank_and_a_wild_is_a_set():
    for rank in range(13):
        for pair in combinations(range(rank * 4, rank * 4 + 4), 2):
            if rank != 4:
                assert [as_found(r) for r in readings(SIXES, [*pair, read_card("6S")], [None] * 3)] == [("set", rank)]


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        compare(number)
    print(f"{int(sys.argv[1]):,} sets of cards")
