"""The rules that 500 Rummy, 5000 Rummy and George share: turns, melds, lay-offs, the pile, floating, calling Rummy.

Rules digest, sections C, D and E. Each game says by its `House` how it plays, and how it deals. Where a player lays on
a meld, the card stays theirs: they score it.
"""

from collections import Counter
from collections.abc import Sequence

from engine.cards import Card, card_name
from engine.game import Event, Move, Refusal, Seat, describe_rank
from engine.rummy.house import NEVER
from engine.rummy.laying_off import Spot, lay_on, meaning, spots, swap_in, swappable
from engine.rummy.melds import Meld, MeldRules, Reading, alternatives, as_said, label_of, new_meld, readings
from engine.rummy.offers import meld_move
from engine.rummy.run_base import MANY
from engine.rummy.run_reading import RunReading
from engine.rummy.run_table import State
from engine.rummy.table import DRAW, MELD, demand_held, draw_card, finish_game

STEPS = {  # of a turn: the phase of each
    "draw": DRAW, "take": DRAW, "pass": DRAW, "meld": MELD, "add": MELD, "swap": MELD, "discard": MELD,
}  # fmt: skip
_new = tuple.__new__  # of an event, much faster than by its name


class RunRummy(RunReading):
    """The rules of a game with sets and runs; see `engine.game.Game` for what each function promises."""

    # Play

    def play(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        verb = move.verb
        phase = STEPS.get(verb)
        if phase is None:
            return self._other(state, seat, move)
        if seat != state.turn or state.phase != phase:
            self._demand_turn(state, seat, phase)
        if verb == "discard":
            return self._discard(state, seat, move)
        if verb == "take":
            return self._take(state, seat, move)
        if verb == "draw":
            return self._draw(state, seat)
        if verb == "pass":
            if state.stock or self.can_refill(state):
                raise Refusal("PHASE", "You can pass only when the stock is empty. DRAW, or TAKE from the pile.")
            return [Event("pass", seat), *self._end_round(state)]
        if state.due is not None:
            self._demand_no_call(state, seat)
        if verb == "meld":
            return self._meld(state, seat, move)
        if verb == "add":
            return self._add(state, seat, move)
        return self._swap(state, seat, move)

    def _other(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """What is no step of a turn."""
        if move.verb not in self.verbs:
            raise ValueError(f"{self.title} has no {move.verb!r}; its moves are {', '.join(self.verbs)}")
        return self._call(state, seat, move) if move.verb == "rummy" else self._pick(state, seat, move)

    def _pick(self, state: State, seat: Seat, move: Move) -> list[Event]:
        raise Refusal("PHASE", "There is nothing to pick.")

    def _draw(self, state: State, seat: Seat) -> list[Event]:
        if not state.stock:
            if not self.can_refill(state):
                raise Refusal("PHASE", "The stock is empty. TAKE if you can, or PASS to end the round.")
            state.anew = state.anew or 1
        events = draw_card(state, seat)
        state.idle = -1
        state.discarder = None
        table = state.on_table
        if (self.house(state.options) if table is None else table.house).use_stock:
            state.drawn = state.hands[seat][-1]
        return events

    def _take(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, pile, cards, table = state.hands[seat], state.pile, move.cards, state.on_table
        house = self.house(state.options) if table is None else table.house
        if not hand or not pile:
            self._demand_pile(state, seat)
        card = cards[0] if cards else pile[-1]
        at = len(pile) - 1 if pile[-1] == card and len(cards) < 2 else _place_in(pile, card, cards)
        if at is None:
            raise Refusal("NOTHELD", f"{card_name(card)} is not in the pile.")
        taken = pile[at:]
        deep = len(taken) > 1
        if deep and house.top_only:
            raise Refusal("MUSTUSE", "Only the top card of the pile may be taken here.")
        if house.any_pair and not self._has_pair(state, hand, card):
            if card in self.rules(state).wild:
                raise Refusal("PAIR", f"{card_name(card)} is wild, so no pair takes it. DRAW instead?")
            many = describe_rank(card >> 2)
            raise Refusal("PAIR", f"You need two natural {many} in your hand to take {card_name(card)}. DRAW instead?")
        if deep or house.use_top:
            finder = self._finder(state, seat)
            if house.deep_pair and finder.use(card, [*hand, *taken], hand) is None:
                raise Refusal("PAIR", f"You need two naturals in your hand that make a meld with {card_name(card)}.")
            if not house.deep_pair and not finder.depths(hand, taken, len(taken)):
                raise Refusal("MUSTUSE", f"You could not use {card_name(card)} this turn, so you can't take it.")
            state.before = hand[:] if house.deep_pair else None
            state.duty = card
        del pile[at:]
        hand += taken
        state.single = None if deep else card
        state.discarder = None
        state.phase = MELD
        return [_new(Event, ("take", seat, tuple(taken), len(taken), "", (), False))]

    def _meld(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        left = _left(hand, cards)
        meld = new_meld(_next_number(state.melds), seat, cards, self._read(state, move))
        if state.duty is not None:
            self._demand_duty(state, seat, cards, [*state.melds, meld], left, meld)
        hand[:] = left
        state.melds.append(meld)
        if state.on_table is not None:
            state.on_table.gains(meld)
        lie = cards  # with a wild among them the order tells where it stands
        if not self.rules(state).wild.isdisjoint(cards):
            lie = tuple([card for card, _ in meld.everything()])
        event = _new(Event, ("meld", seat, lie, 0, label_of(meld.number), (), False))
        return [event, *self._laid(state, seat, cards)]

    def _read(self, state: State, move: Move) -> Reading:
        """What the cards of a move are; a Refusal where they are nothing, or may be several things."""
        cards, rules = move.cards, self.rules(state)
        return as_said(rules, cards, move.stands) or self._read_anew(rules, move)

    def _read_anew(self, rules: MeldRules, move: Move) -> Reading:
        cards = move.cards
        wanted: Sequence[Card | None] = cards
        if move.stands or not rules.wild.isdisjoint(cards):
            wanted = [
                None if not move.stands or (stands == card and card in rules.wild) else stands
                for card, stands in zip(cards, move.stands or cards, strict=True)
            ]
        found = readings(rules, cards, wanted)
        if len(found) > 1:
            read = alternatives(rules, cards, wanted)
            choices = list(dict.fromkeys(meld_move(move.verb, cards, reading.stands) for reading in read))
            if len(choices) > 1:
                raise Refusal("AMBIG", "Which of these do you mean?", choices[:MANY])
            # a run of all thirteen, written alike with the ace at either end: it is where it was named
            return next((one for one in read if list(one.places) == sorted(one.places)), read[0])
        return found[0]

    def _add(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        left = _left(hand, cards)
        if not cards:
            raise Refusal("MIXED", "Name the card to lay off.")
        meld, trial, _ = self._find_spots(state, seat, move)
        melds = _replaced(state.melds, meld, trial)
        if state.duty is not None:
            self._demand_duty(state, seat, cards, melds, left)
        hand[:] = left
        state.melds = melds
        if state.on_table is not None:
            state.on_table.has_grown(trial, meld, melds)
        return [_new(Event, ("add", seat, cards, 0, move.to, (), False)), *self._laid(state, seat, cards)]

    def _find_spots(self, state: State, seat: Seat, move: Move) -> tuple[Meld, Meld, list[Spot]]:
        """The meld of a lay-off, what it is after that, and where its cards go, one after the other."""
        self._demand_open(state, seat)
        meld = self._meld_called(state, move.to)
        if meld is None:
            raise Refusal("MIXED", f"There is no meld {move.to}. Melds are numbered, as in ADD 9S TO M1.")
        if not self._is_open(state, seat, meld):
            raise self._not_yours()
        trial, at, rules = meld.copy(), [], self.rules(state)
        for i, card in enumerate(move.cards):
            fits = spots(rules, trial, card)
            if move.stands:
                fits = meaning(trial, fits, move.stands[i])
            if not fits:
                raise self._no_fit(state, [meld], move.cards, move.stands)
            lay_on(trial, fits[0], card, seat)
            at.append(fits[0])
        return meld, trial, at

    def _swap(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand = state.hands[seat]
        if self.house(state.options).replace != "swap":
            raise Refusal("MIXED", "A laid wild stays where it is at this table.")
        if len(move.cards) != 2:
            raise Refusal("MIXED", "Name the card, the wild and the meld, as in SWAP 9S FOR 6D IN M1.")
        card, wild = move.cards
        demand_held(hand, (card,))
        self._demand_open(state, seat)
        meld = self._meld_called(state, move.to)
        if meld is None or wild not in swappable(self.rules(state), meld, card):
            raise Refusal("MIXED", f"{card_name(card)} does not take the place of {card_name(wild)} in {move.to}.")
        if not self._is_open(state, seat, meld):
            raise self._not_yours()
        trial = meld.copy()
        swap_in(trial, card, wild, seat)
        melds = _replaced(state.melds, meld, trial)
        if state.duty is not None:
            self._demand_duty(state, seat, (card,), melds, _left([*hand, wild], (card,)))
        hand.remove(card)
        hand.append(wild)
        state.melds, state.on_table = melds, None
        return [Event("swap", seat, (card, wild), to=move.to), *self._laid(state, seat, (card,))]

    def _demand_duty(
        self, state: State, seat: Seat, cards: Sequence[Card], melds: Sequence[Meld], left: Sequence[Card],
        new: Meld | None = None,
    ) -> None:  # fmt: skip
        """Refuses a lay that uses the card that must be used in a way that is none, or leaves it without any use."""
        duty, house = state.duty, self.house(state.options)
        if duty is None:
            return
        if duty in cards:
            if new is None and (house.new_meld_only or house.deep_pair):
                if duty not in left:
                    raise Refusal("MUSTUSE", f"{card_name(duty)} must be in a new meld this turn.")
            elif new is None or state.before is None or self._has_two_of(state, cards, duty):
                return
            elif duty not in left:
                raise Refusal("PAIR", f"{card_name(duty)} must be melded with two naturals that you held before.")
        if self._finder(state, seat, melds).use(duty, left, state.before) is None:
            raise Refusal(
                "MUSTUSE", f"That would leave {card_name(duty)} without a use, and you must use it this turn."
            )

    def _has_two_of(self, state: State, cards: Sequence[Card], duty: Card) -> bool:
        others = list(cards)
        others.remove(duty)
        wild, held = self.rules(state).wild, Counter(state.before or ())
        return (Counter(card for card in others if card not in wild) & held).total() >= 2

    def _laid(self, state: State, seat: Seat, cards: Sequence[Card]) -> list[Event]:
        """After cards were laid: duties met, and the end of the turn or the round where the hand is empty."""
        state.idle, state.anew = -1, 0
        if (
            state.duty is not None
            and state.duty in cards
            and (state.duty not in state.hands[seat] or self._met(state, cards))
        ):
            state.duty = state.before = None
        if state.drawn is not None and state.drawn in cards:
            state.drawn = None
        if state.hands[seat]:
            return []
        if self.house(state.options).out_by_meld:
            return self._goes_out(state, seat)
        return [Event("float", seat), *self._end_turn(state, seat, discarded=False)]

    def _met(self, state: State, cards: Sequence[Card]) -> bool:
        """Whether these cards, just laid, were what had to be done, though another card of that face is left."""
        house = self.house(state.options)
        last = state.melds[-1]
        as_new = sorted(last.cards) == sorted(cards)
        if state.before is not None:
            return as_new and state.duty is not None and self._has_two_of(state, cards, state.duty)
        return as_new or not house.new_meld_only

    def _discard(self, state: State, seat: Seat, move: Move) -> list[Event]:
        hand, cards = state.hands[seat], move.cards
        if len(cards) != 1:
            raise Refusal("COUNT", "One card is discarded, to end your turn.")
        card = cards[0]
        if card not in hand:
            demand_held(hand, cards)
        if len(hand) < 2 or state.single == card or state.duty is not None or state.drawn is not None:
            self._demand_discard(state, seat, card)
        hand.remove(card)
        state.pile.append(card)
        event = _new(Event, ("discard", seat, (card,), 0, "", (), False))
        if not hand:
            return [event, *self._goes_out(state, seat)]
        if len(hand) == 1:  # all are told
            return [
                event,
                _new(Event, ("low", seat, (), 1, "", (), False)),
                *self._end_turn(state, seat, discarded=True),
            ]
        return [event, *self._end_turn(state, seat, discarded=True)]

    def _demand_discard(self, state: State, seat: Seat, card: Card) -> None:
        """Refuses a card of the hand that may not be discarded now."""
        if card in self._may_discard(state, seat):
            return
        name = card_name(card)
        if state.duty is not None:
            raise Refusal("MUSTUSE", f"You took {card_name(state.duty)} from the pile, so you must meld it first.")
        if state.drawn not in (None, card):
            hint = f"You drew {card_name(state.drawn or 0)}: meld it, or throw it and nothing else."
            raise Refusal("MUSTUSE", hint)
        if state.single == card and len(set(state.hands[seat])) > 1:
            raise Refusal("SAMECARD", f"You have just taken {name}, so it can't go straight back.")
        raise Refusal("PLAYABLE", f"{name} fits a meld on the table, so you can't go out with it: ADD it.")

    def _call(self, state: State, seat: Seat, move: Move) -> list[Event]:
        """Lays a card of the pile at once, takes what lies above it, and then discards."""
        self._demand_call(state, seat)
        hand, pile, house = state.hands[seat], state.pile, self.house(state.options)
        if not move.cards:
            raise Refusal("MIXED", "Name the card, as in RUMMY 9H TO M1.")
        places = _from_pile(move.cards, hand, pile, first=0 if house.call == "pile" else len(pile) - 1)
        if not places:
            raise Refusal("MIXED", "Only cards of the pile that fit a meld can be called.")
        others = list(move.cards)
        for at in places:
            others.remove(pile[at])
        if others and move.to and house.call != "pile":
            raise Refusal("MIXED", "Call one card of the pile; lay your own off in your turn.")
        if move.to:
            old, meld, _ = self._find_spots(state, seat, move)
            state.melds = _replaced(state.melds, old, meld)
        elif house.call != "pile":
            raise Refusal("MIXED", "Say which meld it goes on, as in RUMMY 9H TO M1.")
        else:
            meld = new_meld(_next_number(state.melds), seat, move.cards, self._read(state, move))
            state.melds.append(meld)
        for card in others:
            hand.remove(card)
        state.on_table = None
        deepest = min(places)
        above = [pile[at] for at in range(deepest + 1, len(pile)) if at not in places]
        del pile[deepest:]
        hand += above
        state.idle = state.anew = 0
        event = Event("rummy", seat, move.cards, len(above), f"M{meld.number}", reveals=True)
        return [event, *self._after_call(state, seat)]

    def _after_call(self, state: State, seat: Seat) -> list[Event]:
        """Who has called discards next, out of turn; with no card left they are out, or the turn goes on where it was."""
        if state.hands[seat]:
            state.due, state.turn, state.phase = state.turn, seat, MELD
            state.discarder = None
            return []
        house = self.house(state.options)
        state.due = None
        if house.call == "discard" or not state.pile:
            state.discarder = None
        return self._goes_out(state, seat) if house.out_by_meld else self._stock_ends(state)

    # The ends of turns, rounds and games

    def _end_turn(self, state: State, seat: Seat, discarded: bool) -> list[Event]:
        """Passes the turn on; ends the round where nobody can go on."""
        table, due = state.on_table, state.due
        house = self.house(state.options) if table is None else table.house
        called = due is not None
        following = (seat + 1) % state.seats if due is None else due
        self._begin_turn(state)
        if state.anew:
            state.anew += 1
        if house.finish_first_turn:
            if not called and seat not in state.had:
                state.had.append(seat)
            if state.out is not None:
                left = _not_among(state.had, (*range(following, state.seats), *range(following)))
                if not left:
                    return self._end_round(state)
                following = left[0]
        state.turn = following
        state.discarder = seat if discarded and house.call != "off" else None
        if state.stock:
            state.idle = 0
            return []
        state.idle = 0 if called or self.can_refill(state) else state.idle + 1
        return self._stock_ends(state)

    def _stock_ends(self, state: State) -> list[Event]:
        """Ends the round where the stock is empty and the player to move can take nothing, or everybody only swaps."""
        if state.stock or self.can_refill(state):
            return []
        if state.idle >= 2 * state.seats or not self._may_take(state, state.turn):
            return self._end_round(state)
        return []

    def _goes_out(self, state: State, seat: Seat) -> list[Event]:
        house = self.house(state.options)
        if state.out is None:
            state.out = seat
        events = [Event("out", seat)] if state.out == seat else []
        if not house.finish_first_turn:
            return events + self._end_round(state)
        if seat not in state.had:
            state.had.append(seat)
        return events + self._end_turn(state, seat, discarded=False)

    def _end_round(self, state: State) -> list[Event]:
        house, values = self.house(state.options), self.values(state)
        state.due = state.discarder = state.duty = state.before = state.drawn = state.single = None
        out = state.out
        events = []
        if house.floaters_draw and out is not None:
            for i in range(1, state.seats):
                seat = (out + i) % state.seats
                if not state.hands[seat] and state.stock:
                    card = state.stock.pop()
                    state.hands[seat].append(card)
                    events.append(Event("draw", seat, private=(card,), count=1, reveals=True))
        held = [sum(map(values.__getitem__, hand)) for hand in state.hands]
        points = self.laid(state)
        if house.subtract:
            points = [laid - own for laid, own in zip(points, held, strict=True)]
        if out is not None:
            points[out] += house.out_bonus
            if not house.subtract:
                points[out] += sum(held) - held[out]
        return events + self._finish(state, points)

    def _finish(self, state: State, points: Sequence[int]) -> list[Event]:
        """The end of the round, and of the game where there is one."""
        house = self.house(state.options)
        totals = [score + gain for score, gain in zip(state.scores, points, strict=True)]
        best = max(totals)
        leaders = tuple(seat for seat, total in enumerate(totals) if total == best)
        winners: tuple[Seat, ...] = ()
        if house.rounds:
            if state.round >= house.rounds:
                winners = leaders
        elif best >= house.target:
            if house.out_first:
                winners = (state.out,) if state.out is not None and totals[state.out] >= house.target else leaders
            elif len(leaders) == 1:
                winners = leaders
            elif house.out_breaks_tie and state.out is not None and state.out in leaders:
                winners = (state.out,)
        events = finish_game(state, points, NEVER)
        if winners:
            state.ended = True
            state.winners = winners
            events.append(Event("ended", state.turn, reveals=True))
        return events


# What is asked of lists in the course of most moves stands here: a comprehension in a method makes cells of the names that
# it shares with it, which costs at every call of the method.


def _next_number(melds: Sequence[Meld]) -> int:
    return max([meld.number for meld in melds], default=0) + 1


def _place_in(pile: Sequence[Card], card: Card, cards: Sequence[Card]) -> int | None:
    """Where in the pile the card lies that a take goes down to, which names it once for each copy that comes too."""
    found = [i for i, other in enumerate(pile) if other == card]
    copies = max(len(cards), 1)
    return None if len(found) < copies or set(cards) - {card} else found[-copies]


def _not_among(some: Sequence[Seat], seats: Sequence[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat not in some]


def _replaced(melds: Sequence[Meld], old: Meld, new: Meld) -> list[Meld]:
    return [new if meld is old else meld for meld in melds]


def _left(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    """What is left of a hand without these cards. Refuses NOTHELD."""
    left = list(hand)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        demand_held(hand, cards)
    return left


def _from_pile(cards: Sequence[Card], hand: Sequence[Card], pile: Sequence[Card], first: int) -> list[int]:
    """Where in the pile, from the `first` place up, the cards of a call lie that the hand lacks, or else the last of them
    that the pile has, each as near the top as there is one; none where the pile has not all of them.
    """
    lacking = list((Counter(cards) - Counter(hand)).elements())
    lacking = lacking or next(([card] for card in reversed(cards) if card in pile[first:]), [])
    places: list[int] = []
    for card in lacking:
        at = next((i for i in range(len(pile) - 1, first - 1, -1) if pile[i] == card and i not in places), None)
        if at is None:
            return []
        places.append(at)
    return places
