"""Whether a card taken from deep has a use: against trying every lay, one after the other, whatever it takes."""

from itertools import combinations
from random import Random

import pytest

from engine.cards import names
from engine.game import Refusal
from engine.rummy.finding import Finder
from engine.rummy.laying_off import lay_on, spots, swap_in, swappable
from engine.rummy.melds import SET, alternatives, new_meld, readings
from engine.rummy.offers import melds_in
from tests.test_melds import every_meld, some_cards, some_rules


def some_table(chance):
    """Rules, melds on the table (of two seats), a small hand and a card of it."""
    rules = some_rules(chance)
    melds: list = []
    while len(melds) < chance.choice([0, 1, 2, 2]):
        cards = some_cards(rules, chance)
        try:
            reading = readings(rules, cards, [None] * len(cards))[0]
        except Refusal:
            continue
        melds.append(new_meld(len(melds) + 1, chance.randrange(2), cards, reading))
    hand = some_cards(rules, chance)[:3]
    near = chance.choice(melds).cards if melds else [chance.randrange(52)]
    hand += [(chance.choice(near) + chance.choice([-8, -4, 4, 8, 1])) % 52 for _ in range(chance.randint(1, 3))]
    return rules, melds, hand[:6], chance.choice(hand[:6])


def can_be_used(rules, melds, hand, card, mine, lay_off, depth=5):
    """Whether some lays, one after the other, use the card; `mine` says whether one may lay off already."""
    for size in range(3, len(hand) + 1):
        for at in combinations(range(len(hand)), size):
            cards = [hand[i] for i in at]
            try:
                found = alternatives(rules, cards, [None] * size)
            except Refusal:
                found = []  # wilds only are a run where it is said what each stands for
                if not (card in cards and rules.wild.issuperset(cards) and every_meld(rules, cards)):
                    continue
            if card in cards:
                return True
            if depth and not mine:
                rest = [other for i, other in enumerate(hand) if i not in at]
                grown = [[*melds, new_meld(9, 0, cards, reading)] for reading in found]
                if any(can_be_used(rules, more, rest, card, True, lay_off, depth - 1) for more in grown):
                    return True
    if not mine or not depth:
        return False
    for i, meld in enumerate(melds):
        for other in dict.fromkeys(hand):
            rest = list(hand)
            rest.remove(other)
            for spot in spots(rules, meld, other):
                if other == card:
                    if lay_off:
                        return True
                    continue
                trial = meld.copy()
                lay_on(trial, spot, other, 0)
                more = [*melds[:i], trial, *melds[i + 1 :]]
                if lay_off and can_be_used(rules, more, rest, card, True, lay_off, depth - 1):
                    return True
            for wild in swappable(rules, meld, other):
                if other == card:
                    if lay_off:
                        return True
                    continue
                trial = meld.copy()
                swap_in(trial, other, wild, 0)
                more = [*melds[:i], trial, *melds[i + 1 :]]
                if can_be_used(rules, more, [*rest, wild], card, True, lay_off, depth - 1):
                    return True
    return False


def compare(number):
    chance = Random(number)
    rules, melds, hand, card = some_table(chance)
    needs_meld, lay_off = chance.random() < 0.5, chance.random() < 0.8
    mine = not needs_meld or any(meld.owner == 0 for meld in melds)
    finder = Finder(rules, melds, mine, lay_off)
    use = finder.use(card, hand)
    rest = list(hand)
    rest.remove(card)
    for held in (len(rest), len(rest) // 2):  # the others in the hand, or half of them above the card in the pile
        found = finder.depths(rest[:held], [card, *rest[held:]], len(rest) - held + 1)
        assert bool(found) == bool(use), number
    truth = can_be_used(rules, melds, hand, card, mine, lay_off)
    table = [f"{names(meld.cards)} from {meld.low}" for meld in melds]
    assert bool(use) == truth, f"{number}: {names([card])} of {names(hand)} on {table}, {mine=} {lay_off=} {rules}"
    return truth


@pytest.mark.parametrize("part", range(4))
def test_a_use_is_found_where_there_is_one(part):
    found = sum(compare(number) for number in range(part * 150, part * 150 + 150))
    assert 20 < found < 130


def test_what_is_offered_is_a_meld():
    for number in range(300):
        chance = Random(number)
        rules = some_rules(chance)
        hand = [*some_cards(rules, chance), *some_cards(rules, chance)]
        for move in melds_in(rules, hand):
            stands = move.stands or move.cards
            read = readings(rules, move.cards, [None if a == b else b for a, b in zip(move.cards, stands, strict=True)])
            assert [reading.stands for reading in read] == [stands] or read[0].low == SET


if __name__ == "__main__":
    import sys

    for number in range(int(sys.argv[1])):
        compare(number)
