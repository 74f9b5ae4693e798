"""The rules of the games with sets and runs read once more, for the tests: which moves may be, and what a round scores."""

from collections import Counter

from engine.bots import choose
from engine.bots.random_play import mover
from engine.cards import card_name
from engine.game import Move, Refusal
from engine.rummy.melds import face_at
from tests import rummy
from tests.test_melds import every_meld, is_run, is_set

# Which moves may be


def may(game, state, seat, move):
    """False where the rules forbid the move, True where they allow it, None where this does not say."""
    house, rules = game.house(state.options), game.rules(state)
    hand, pile = state.hands[seat], state.pile
    stock = state.stock or (state.options.stock_out == "reshuffle" and len(pile) > 1 and state.anew <= 8 * state.seats)
    if state.over:
        return False
    if move.verb == "rummy":
        own = any(meld.owner == seat for meld in state.melds)
        called = state.phase == "draw" and state.discarder is not None and pile
        if house.call == "off" or not called or seat == state.discarder or not own:
            return False
        if house.call == "discard":
            return move.cards == (pile[-1],) and fits(game, state, seat, pile[-1], move)
        if Counter(move.cards) - Counter([*hand, *pile]) or not set(move.cards) & set(pile):
            return False
        if move.to:
            return fits(game, state, seat, None, move) if len(move.cards) == 1 else None
        return None if every_meld(rules, list(move.cards)) else False
    if seat != state.turn:
        return False
    if state.phase == "pick" or move.verb == "pick":
        return state.phase == "pick" and move.verb == "pick" and move.value in ("2", "12")
    if state.phase != ("draw" if move.verb in ("draw", "take", "pass") else "meld"):
        return False
    if move.verb == "draw":
        return bool(stock)
    if move.verb == "pass":
        return not stock
    if move.verb == "take":
        card = move.cards[0] if move.cards else (pile or [None])[-1]
        copies = max(len(move.cards), 1)
        if not hand or pile.count(card) < copies or set(move.cards) - {card}:
            return False
        if house.any_pair and sum(c >> 2 == card >> 2 and c not in rules.wild for c in hand) < 2:
            return False
        deep = len(pile) - [i for i, c in enumerate(pile) if c == card][-copies] > 1
        if deep and house.top_only:
            return False
        return None if deep or house.use_top else not (house.any_pair and card in rules.wild)
    if Counter(move.cards) - Counter(hand if move.verb != "swap" else [*hand, *move.cards[1:]]):
        return False
    if state.due is not None and move.verb != "discard" and (len(hand) > 1 or move.verb == "meld"):
        return False
    if move.verb == "discard":
        if len(move.cards) != 1 or state.duty is not None or state.drawn not in (None, move.cards[0]):
            return False
        card = move.cards[0]
        if state.single == card and len(set(hand)) > 1:
            return False
        return not (house.playable_ban and len(hand) == 1 and fits(game, state, seat, card))
    known = state.duty is None
    if move.verb == "meld":
        melds = every_meld(rules, list(move.cards))
        stands = [
            want if card in rules.wild and want != card else None
            for card, want in zip(move.cards, move.stands or move.cards, strict=True)
        ]
        wrong = move.stands and any(
            card not in rules.wild and want != card for card, want in zip(move.cards, move.stands, strict=True)
        )
        read = [meld for meld in melds if stands_as(meld, stands)]
        if wrong or not read:
            return False
        return True if known and move.stands and len(read) == 1 else None
    if move.verb == "add":
        if len(move.cards) != 1:
            return None  # the first may fit only after another
        return fits(game, state, seat, None, move) and (True if known else None)
    return None if house.replace == "swap" else False


def stands_as(meld, stands):
    if meld[0] == "run":
        return all(want in (None, stand) for want, stand in zip(stands, meld[3], strict=True))
    if meld[0] == "wilds":
        return not any(want is not None for want in stands)
    return all(want is None or want >> 2 == meld[1] for want in stands)


def fits(game, state, seat, card, move=None):
    """Whether the card, or the first of a lay-off, fits a meld that is open to this seat."""
    house, rules = game.house(state.options), game.rules(state)
    mine = [meld for meld in state.melds if meld.owner == seat]
    if house.layoff_needs_meld and not mine:
        return False
    for meld in state.melds if house.layoff_opponents else mine:
        if move is not None and move.to != f"M{meld.number}":
            continue
        first = card if card is not None else move.cards[0] if move.cards else None
        if first is None:
            return False
        want = move.stands[0] if move is not None and move.stands else None
        if meld_takes(rules, meld, first, want, swaps=move is None):
            return True
    return False


def meld_takes(rules, meld, card, want, swaps):
    cards = meld.cards
    natural = card not in rules.wild
    if want is not None and natural and want != card:
        return False
    if meld.low < 0:
        if meld.kind < 0:
            return card in rules.wild and len(cards) < rules.most and want in (None, card)
        if want is not None and want >> 2 != meld.kind:
            return False
        if is_set(rules, [*cards, card], meld.kind):
            return True
        same = natural and card >> 2 == meld.kind
        full = len(cards) >= rules.most > sum(c not in rules.wild for c in cards)
        if same and swaps and rules.replace == "swap" and any(c in rules.wild for c in cards):
            return True
        # With one pack each card of a full set is there once, and the one whose place a wild has may still join it.
        return same and full and rules.replace == "alongside" and not (rules.distinct and card in cards)
    ends = []
    if is_run(rules, [*cards, card], meld.kind, meld.low):
        ends.append(face_at(meld.low + len(cards), meld.kind))
    if meld.low and is_run(rules, [card, *cards], meld.kind, meld.low - 1):
        ends.append(face_at(meld.low - 1, meld.kind))
    if any(want in (None, end) for end in ends):
        return True
    for i, other in enumerate(cards):
        if natural and face_at(meld.low + i, meld.kind) == card and other in rules.wild and other != card:
            if swaps and rules.replace == "swap":
                return True
            if rules.replace == "alongside" and all(place != meld.low + i for place, _, _ in meld.beside):
                return True
    return False


def some_tries(game, state, chance, tries):
    for _ in range(tries):
        seat = chance.choice([state.turn, state.turn, chance.randrange(state.seats)])
        legal = game.legal(state, seat)
        if legal and chance.random() < 0.3:
            yield seat, chance.choice(legal)
            continue
        hand = state.hands[seat]
        cards = [
            chance.choice(hand) if hand else chance.randrange(52) for _ in range(chance.choice([1, 1, 2, 3, 3, 4]))
        ]
        if hand and chance.random() < 0.6:
            like = chance.choice(hand)
            wild = game.rules(state).wild
            same = [card for card in hand if card >> 2 == like >> 2 or card in wild]
            near = [
                card for card in hand if (card & 3 == like & 3 and abs((card >> 2) - (like >> 2)) < 4) or card in wild
            ]
            some = same if chance.random() < 0.5 else near
            cards = chance.sample(some, min(len(some), chance.choice([1, 3, 3, 4])))
        if state.pile and chance.random() < 0.2:
            cards = [chance.choice(state.pile)]
        stands = ()
        if chance.random() < 0.3:
            stands = tuple(chance.randrange(52) if card in game.rules(state).wild else card for card in cards)
        to = f"M{chance.randint(1, len(state.melds) + 1)}"
        verb = chance.choice([*game.verbs, "meld", "meld", "add", "add", "discard", "take"])
        keeps_to = verb in ("add", "swap") or (verb == "rummy" and chance.random() < 0.8)
        value = chance.choice(["2", "12", "3"]) if verb == "pick" else ""
        plain = verb in ("draw", "pass", "pick")
        yield seat, Move(verb, () if plain else tuple(cards), to if keeps_to else "", () if plain else stands, value)


def tries_are_answered_by_the_rules(game, state, chance, tries):
    rummy.refusals_change_nothing(
        game, state, list(some_tries(game, state, chance, tries)), lambda s, seat, move: may(game, s, seat, move)
    )


def views_hide_hands(game, state):
    laid = {card for meld in state.melds for card, _ in meld.everything()}
    duty = set() if state.duty is None else {state.duty}
    stands = {card for meld in game.view(state, None).melds for card in meld.stands}
    rummy.view_shows_only(game, state, laid | {*state.pile, *state.apart} | duty, named=stands)


# What a round scores

LOW = dict(zip("23456789", range(2, 10), strict=True))


class Count500:
    """The points of a round of 500 Rummy, counted from the cards that lie there."""

    def __init__(self, options):
        self.options = options

    def wild(self, code, state):
        return code == "JK"

    def value(self, code, state):
        scale = self.options.values
        if code[0] in LOW:
            return LOW[code[0]] if scale == "pip" else 5
        return 15 if code[0] in "A" or code == "JK" else 10

    def low_ace(self, state):
        return {"pip": 1, "fives": 5, "flat": 15}[self.options.values]

    def points(self, laid, held, out):
        points = [a - b for a, b in zip(laid, held, strict=True)]
        if out is not None:
            points[out] += self.options.out_bonus
        return points


class Count5000(Count500):
    """The points of a round of 5000 Rummy, counted from the cards that lie there."""

    def added(self):
        words = self.options.r500_options
        return dict(word.split(":") for word in words.split("+")) if words != "none" else {}

    def wild(self, code, state):
        options = self.options
        names = options.permanent_wilds.split("+")
        always = code == "JK" or (code[0] == "2" and (options.twos_wild == "on" or "2" in names))
        always = always or (code[0] == "T" and "10" in names) or (code in ("JS", "JH") and "one_eyed_jacks" in names)
        return always or (state.wild is not None and code != "JK" and code[0] == "23456789TJQKA"[state.wild])

    def value(self, code, state):
        options = self.options
        if self.wild(code, state):
            if code[0] != "A" or options.wild_ace == "same_as_wild":
                return options.wild_value
            return 200 if options.wild_value == 200 else options.ace_value + 100
        special = (
            dict(pair.split(":") for pair in options.special_values.split("+"))
            if options.special_values != "none"
            else {}
        )
        if code in special:
            return int(special[code])
        scale = self.added().get("values")
        if code[0] == "A":
            return 15 if scale else options.ace_value
        if code[0] not in LOW:
            return 10
        if scale:
            return LOW[code[0]] if scale == "pip" else 5
        return options.eight_nine_value if code[0] in "89" else 5

    def low_ace(self, state):
        return {"pip": 1, "fives": 5}.get(self.added().get("values"))

    def points(self, laid, held, out):
        options = self.options
        points = list(laid)
        if options.unmelded_to == "subtract":
            points = [a - b for a, b in zip(laid, held, strict=True)]
        if out is not None:
            points[out] += options.out_bonus
            if options.unmelded_to == "winner":
                points[out] += sum(held) - held[out]
        return points


def no_cards(seats) -> list[Counter[str]]:
    return [Counter() for _ in range(seats)]


def counted_again(game, options, seats, seed, kind, moves):
    """Plays so many moves and counts every round again; checks that every laid card is with who laid it."""
    try:
        state = game.deal(options, seats, str(seed))
    except Refusal:
        return
    count, scores = kind(options), [0] * seats
    anything, laid_by = mover(str(seed)), no_cards(seats)
    for number in range(moves):
        if state.ended:
            break
        if state.over:
            game.next_round(state)
            laid_by = no_cards(seats)
        seat = state.turn
        calls = [other for other in game.waiting(state) if other != seat and game.legal(state, other)]
        if calls and number % 2:
            seat = calls[0]
        pick = anything if number % 7 == 0 else choose
        move = pick(game.view(state, seat), game.legal(state, seat))
        game.play(state, seat, move)
        game.check(state)
        if move.verb in ("meld", "add", "rummy"):
            laid_by[seat].update(map(card_name, move.cards))
        if move.verb == "swap":
            card, wild = map(card_name, move.cards)
            laid_by[seat][card] += 1
            gave = next(
                other
                for other in range(seats)
                if laid_by[other][wild] and theirs(game, state, other, wild) < laid_by[other][wild]
            )
            laid_by[gave][wild] -= 1
        laid = [0] * seats
        shown = no_cards(seats)
        for meld in game.view(state, None).melds:
            low = meld.run and meld.stands[0] >> 2 == 12
            for card, who, stands in zip(meld.cards, meld.seats, meld.stands, strict=True):
                code = card_name(card)
                shown[who][code] += 1
                at_low_end = (
                    low and stands >> 2 == 12 and not count.wild(code, state) and count.low_ace(state) is not None
                )
                laid[who] += count.low_ace(state) if at_low_end else count.value(code, state)
        assert shown == [Counter({code: n for code, n in own.items() if n}) for own in laid_by]
        assert game.laid(state) == laid
        if state.over:
            held = [sum(count.value(card_name(card), state) for card in hand) for hand in state.hands]
            points = count.points(laid, held, state.out)
            assert game.points(state) == points
            scores = [a + b for a, b in zip(scores, points, strict=True)]
            assert state.scores == scores


def theirs(game, state, seat, code):
    melds = game.view(state, None).melds
    return sum(
        who == seat and card_name(card) == code
        for meld in melds
        for card, who in zip(meld.cards, meld.seats, strict=True)
    )
