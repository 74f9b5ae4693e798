"""What every trick game shares: the deal, positions of records, tricks, rounds, scores, and what each seat sees.

Rules from section 0 of the digest: the led suit is followed if it can be; the highest card of it (or the highest trump)
wins the trick, and its winner leads to the next; the deal moves one seat in the direction of play. A game says what may
be led or thrown off, what a trick does, and what a hand scores.

A position of a record may hold only some of the cards: a seat without cards is passed over, and nothing here counts on
hands of one length.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NoReturn

from engine.cards import Card, card_name, names, read_card, read_cards
from engine.game import Event, Move, Position, Refusal, Seat, Side
from engine.rummy.table import check_pack, first_dealer, lift, shuffled
from engine.tricks.table import BID, MOON, OVER, PLAY, PLAYED, PLAYS, SUIT_NAMES, TrickView, highest
from engine.tricks.trick_reading import TrickReading


class TrickGame(TrickReading):
    """What the trick games have in common; see `engine.game.Game` for what each function promises."""

    name: str
    aliases: tuple[str, ...]
    seats: tuple[int, ...]
    phases: tuple[str, ...]
    lines: tuple[str, ...]  # header lines of a record that this game has a use for
    marked: frozenset[Card] = frozenset()  # cards that `_demand_follow` has to see

    # What a game says

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everybody alone, where a game does not say otherwise."""
        return tuple((seat,) for seat in range(seats))

    def demand_table(self, options: Any, seats: int) -> None:
        """Refuses OPTION where these house rules do not go with so many players."""

    def pack(self, options: Any, seats: int) -> tuple[Card, ...]:
        """The cards that are played with, sorted."""
        raise NotImplementedError

    def _new(self, options: Any, seats: int, seed: str, dealer: Seat, hands: list[list[Card]]) -> Any:
        """A state of this game before its first move."""
        raise NotImplementedError

    def _start(self, state: Any, phase: str | None = None, turn: Seat | None = None) -> None:
        """The first phase that the deal leads to (or the one given), and who acts in it."""
        raise NotImplementedError

    def _demand_lead(self, state: Any, seat: Seat, card: Card) -> None:
        """Refuses a card that may not be led now."""

    def _demand_follow(self, state: Any, seat: Seat, card: Card) -> None:
        """Refuses a marked card of the led suit that may not be played now."""

    def _demand_throw(self, state: Any, seat: Seat, card: Card) -> None:
        """Refuses a card that may not be thrown off; the seat has none of the led suit."""

    def _winner(self, state: Any) -> Seat | None:
        """Who wins the trick: the highest card of the led suit."""
        return highest(state.trick)

    def _after_trick(self, state: Any, winner: Seat, events: list[Event]) -> None:
        """What a trick does besides being taken."""

    def _skips_rest(self, state: Any) -> bool:
        """Whether the rest of the hand is not played because nothing can come of it."""
        return False

    def _end_hand(self, state: Any, events: list[Event]) -> None:
        """Scores the hand."""
        raise NotImplementedError

    def scoring(self, card: Card) -> bool:
        """Whether a card taken can count."""
        return False

    def points(self, state: Any) -> list[int] | None:
        """Per side, the score of the round; before its end by what is taken so far."""
        raise NotImplementedError

    # Set-up

    def deal(self, options: Any, seats: int, seed: str, dealer: Seat | None = None) -> Any:
        """The first round from the seed."""
        self._demand_seats(seats)
        self.demand_table(options, seats)
        dealer = first_dealer(seed, seats) if dealer is None else dealer
        state = self._new(options, seats, seed, dealer, [])
        self._deal(state)
        return state

    def _demand_seats(self, seats: int) -> None:
        if seats not in self.seats:
            raise ValueError(f"{self.title} is for {_either(self.seats)} players, not {seats}")

    def _deal(self, state: Any) -> None:
        """Deals the round from the seed."""
        cards = shuffled(state.seed, state.round - 1, self.pack(state.options, state.seats))
        size = len(cards) // state.seats
        state.hands = [sorted(cards[seat * size : (seat + 1) * size]) for seat in range(state.seats)]
        self._keep_rest(state, cards[size * state.seats :])
        self._start(state)

    def _keep_rest(self, state: Any, cards: list[Card]) -> None:
        """What is left of the pack when all hands are dealt."""

    def next_round(self, state: Any) -> list[Event]:
        """The deal moves one seat in the direction of play."""
        if state.phase != OVER or state.ended:
            raise ValueError("the game is over" if state.ended else "the round is not over")
        dealer = (state.dealer + state.step) % state.seats
        following = self._new(state.options, state.seats, state.seed, dealer, [])
        following.scores = state.scores
        following.round = state.round + 1
        self._carry(state, following)
        self._deal(following)
        for field in fields(state):
            setattr(state, field.name, getattr(following, field.name))
        return [Event("deal", dealer, count=state.round, reveals=True)]

    def _carry(self, before: Any, state: Any) -> None:
        """What a round leaves to the next besides the scores."""

    def place(self, options: Any, seats: int, position: Position) -> Any:
        """A state from an explicit position."""
        self._demand_position(options, seats, position)
        dealer = self._dealer(options, seats, position)
        seed = "0" if position.seed is None else position.seed
        state = self._new(options, seats, seed, dealer, [[] for _ in range(seats)])
        state.round = position.round
        state.scores = [position.scores.get(side, 0) for side in range(len(state.scores))]
        state.trick = [(_seat(seat), read_card(text)) for seat, text in position.extra.get("trick", ())]
        for seat, text in position.extra.get("taken", ()):
            state.taken[_seat(seat)] = read_cards(text)
            state.tricks[_seat(seat)] = self._tricks_in(state, len(state.taken[_seat(seat)]))
        for seat, text in position.extra.get("tricks", ()):
            state.tricks[_seat(seat)] = int(text)
        self._fill(state, position)
        broken = position.extra.get("broken")
        on_table = [card for _, card in state.trick]
        before = [card for cards in state.taken for card in cards]
        state.broken = broken[0][1] == "yes" if broken else self._broken_by(state, [*before, *on_table])
        self._place(state, position)
        state.broken = state.broken or self._broken_by(state, on_table)  # which may be told as not yet broken
        in_play = any((state.trick, *state.taken, *state.tricks))
        phase = position.phase or (PLAY if in_play else None)
        if phase not in (None, PLAY) and in_play:
            raise ValueError(f"cards have been played, so the phase is play, not {phase}")
        self._start(state, phase, position.turn)
        if position.turn is not None and position.turn != state.turn and state.phase in (PLAY, BID):
            raise ValueError("with these cards on the table it is another's turn" if state.trick else "not their turn")
        return state

    def _demand_position(self, options: Any, seats: int, position: Position) -> None:
        """ValueError for so many seats by these house rules, and for lines that are another game's."""
        self._demand_seats(seats)
        try:
            self.demand_table(options, seats)
        except Refusal as refusal:
            raise ValueError(refusal.hint) from None
        for key in position.extra:
            if key not in self.lines:
                raise ValueError(f"{self.title} has no {key!r} line")
        if position.pile is not None or position.down:
            raise ValueError(f"{self.title} has no {'pile' if position.pile is not None else 'sets'}")
        if position.stock is not None and "stock" not in self.lines:
            raise ValueError(f"{self.title} has no stock")
        if position.phase not in (None, *self.phases):
            raise ValueError(f"the phases of {self.title} are {', '.join(self.phases)}, not {position.phase}")

    def _dealer(self, options: Any, seats: int, position: Position) -> Seat:
        """The dealer of a position: the last seat where none is named."""
        return seats - 1 if position.dealer is None else position.dealer

    def _fill(self, state: Any, position: Position) -> None:
        """The hands that are given; the others from the seed, or empty without one."""
        given = [card for hand in position.hands.values() for card in hand]
        given += [card for _, card in state.trick]
        given += [card for cards in state.taken for card in cards]
        given += position.stock or []
        pack = self.pack(state.options, state.seats)
        rest = lift(list(pack), given)
        for seat, cards in position.hands.items():
            state.hands[seat] = sorted(cards)
        if position.seed is not None:
            rest = shuffled(position.seed, position.round - 1, rest)
            played = [seat for seat, _ in state.trick]
            over = max(sum(state.tricks), sum(map(len, state.taken)) // state.seats)  # a cancelled trick is nobody's
            for seat in range(state.seats):
                if seat not in position.hands:
                    size = len(pack) // state.seats - over - (seat in played)
                    state.hands[seat], rest = sorted(rest[:size]), rest[size:]
        if position.stock is not None:
            self._keep_rest(state, list(position.stock))
        elif position.seed is not None and not any(state.tricks):
            spare = len(pack) % state.seats
            self._keep_rest(state, rest[:spare])
            rest = rest[spare:]
        state.whole = not rest

    def _tricks_in(self, state: Any, cards: int) -> int:
        """How many tricks so many cards won are: part of one is one, but spare cards that go with a trick are none."""
        seats: int = state.seats
        spare = len(self.pack(state.options, seats)) % seats
        return max(min(cards, 1), cards // seats) if spare else -(-cards // seats)

    def _broken_by(self, state: Any, cards: Sequence[Card]) -> bool:
        """Whether one of these cards, played before this position, broke the suit that must be broken."""
        return False

    def _place(self, state: Any, position: Position) -> None:
        """What only this game has in a position."""

    def _turn_of_trick(self, state: Any, given: Seat | None, leader: Seat) -> Seat:
        """Whose turn it is to play: after the last card on the table, else as given, else the leader's."""
        if not state.trick:
            return leader if given is None else given
        seats = [seat for seat, _ in state.trick]
        expected = [(seats[0] + state.step * i) % state.seats for i in range(len(seats))]
        if seats != expected or len(seats) >= state.seats:
            raise ValueError("a trick is played in turn around the table, one card each, and this one is not")
        return (seats[-1] + state.step) % state.seats  # type: ignore[no-any-return]

    # Who may do what

    def waiting(self, state: Any) -> tuple[Seat, ...]:
        """The seats that may act now."""
        if state.phase == PLAY:
            return (state.turn,)
        return () if state.phase == OVER else self._waiting(state)

    def _waiting(self, state: Any) -> tuple[Seat, ...]:
        """Who acts before or after the play of the cards."""
        raise NotImplementedError

    def forced(self, state: Any) -> Move | None:
        """The card of whose turn it is, where everybody knows that there is no choice: the last one in the hand."""
        hand: list[Card] = state.hands[state.turn]
        return PLAYS[hand[0]] if state.phase == PLAY and len(hand) == 1 else None

    def legal(self, state: Any, seat: Seat) -> list[Move]:
        """Every move of a waiting seat."""
        raise NotImplementedError

    def play(self, state: Any, seat: Seat, move: Move) -> list[Event]:
        """Applies a move in place, or refuses it and changes nothing."""
        if move.verb != "play":
            return self._do(state, seat, move)
        hands, trick, cards = state.hands, state.trick, move.cards
        if seat != state.turn or state.phase != PLAY:
            self._demand_turn(state, seat)
        if len(cards) != 1:
            raise Refusal("COUNT", "One card is played to a trick.")
        card = cards[0]
        hand = hands[seat]
        try:
            place = hand.index(card)
        except ValueError:
            raise Refusal("NOTHELD", f"You don't hold {card_name(card)}.") from None
        if not trick:
            self._demand_lead(state, seat, card)
        else:
            suit = trick[0][1] & 3
            if card & 3 != suit:
                for other in hand:
                    if other & 3 == suit:
                        self._refuse_suit(state, seat)
                self._demand_throw(state, seat, card)
                state.voids[seat] |= 1 << suit
            elif card in self.marked:
                self._demand_follow(state, seat, card)
        del hand[place]
        trick.append((seat, card))
        events = [PLAYED[seat][card]]
        if len(trick) < state.seats:
            turn = (seat + state.step) % state.seats
            if not hands[turn]:
                turn = self._next_with_cards(state, seat)
            if turn >= 0:
                state.turn = turn
                if state.plays_on:
                    self._play_on(state, events)
                return events
        winner = self._winner(state)
        if winner is None:
            self._nobody_wins(state, events)
        else:
            self._take_trick(state, winner, events)
        if state.plays_on:
            self._play_on(state, events)
        return events

    def _play_on(self, state: Any, events: list[Event]) -> None:
        """Plays the card of who has no choice, and so on round the table."""
        if state.phase == PLAY:
            legal = self.legal(state, state.turn)
            if len(legal) == 1:
                played = self.play(state, state.turn, legal[0])
                events += [played[0]._replace(to="auto"), *played[1:]]

    def _do(self, state: Any, seat: Seat, move: Move) -> list[Event]:
        """A move that plays no card."""
        raise NotImplementedError

    def _next_with_cards(self, state: Any, seat: Seat) -> Seat:
        """The next seat that can still play to this trick; -1 where there is none."""
        played = {other for other, _ in state.trick}
        for i in range(1, state.seats):
            turn = (seat + state.step * i) % state.seats
            if state.hands[turn] and turn not in played:
                return turn  # type: ignore[no-any-return]
        return -1

    def _take_trick(self, state: Any, winner: Seat, events: list[Event]) -> None:
        trick, tricks = state.trick, state.tricks
        cards = tuple([card for _, card in trick])
        state.taken[winner] += cards
        tricks[winner] += 1
        state.last = (winner, tuple(trick))
        state.trick = []
        state.turn = winner
        events.append(Event("trick", winner, cards, tricks[winner]))
        self._after_trick(state, winner, events)
        state.first = False
        self._go_on(state, events)

    def _nobody_wins(self, state: Any, events: list[Event]) -> None:
        """Where two packs can cancel a whole trick."""
        raise NotImplementedError

    def _go_on(self, state: Any, events: list[Event]) -> None:
        """After a trick: the next lead, or the end of the hand."""
        if not state.hands[state.turn]:
            others = [(state.turn + state.step * i) % state.seats for i in range(1, state.seats)]
            leader = next((seat for seat in others if state.hands[seat]), None)
            if leader is None:
                self._end_hand(state, events)
                return
            state.turn = leader
        if self._skips_rest(state):
            self._end_hand(state, events)

    def _finish(
        self, state: Any, points: Sequence[int], ended: bool, winners: tuple[Side, ...], events: list[Event]
    ) -> None:
        """Closes the hand with these points per side; the scores are the game's own to change."""
        state.phase = OVER
        state.earned = tuple(points)
        events.append(Event("over", state.turn, reveals=True))
        if ended:
            state.ended = True
            state.winners = winners
            events.append(Event("ended", state.turn, reveals=True))

    # Refusals

    def _demand_turn(self, state: Any, seat: Seat) -> None:
        """Refuses unless this seat is to play a card."""
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if state.phase == PLAY:
            if seat != state.turn:
                raise Refusal("TURN", "It is not your turn.")
            return
        if state.phase in (BID, MOON) and seat not in self.waiting(state):
            raise Refusal("TURN", "It is not your turn.")
        raise Refusal(
            "PHASE", f"No cards are played {'now' if state.phase == MOON else 'yet'}: {self._to_do(state, seat)}"
        )

    def _to_do(self, state: Any, seat: Seat) -> str:
        """What this seat can do instead of playing a card, as the end of a sentence."""
        raise NotImplementedError

    def _demand_phase(self, state: Any, seat: Seat, phase: str, hint: str) -> None:
        """Refuses a move that is not of this phase."""
        if state.phase == phase:
            return
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if state.phase in (PLAY, MOON) and seat != state.turn:
            raise Refusal("TURN", "It is not your turn.")
        raise Refusal("PHASE", hint)

    def _refuse_suit(self, state: Any, seat: Seat) -> NoReturn:
        suit = state.trick[0][1] & 3
        held = names([other for other in state.hands[seat] if other & 3 == suit])
        raise Refusal("SUIT", f"{SUIT_NAMES[suit].title()} were led and you hold {held}: play one of them.")

    # What is there

    def laid(self, state: Any) -> list[int]:
        """Nothing is laid in a trick game."""
        return [0] * len(state.scores)

    def view(self, state: Any, seat: Seat | None) -> TrickView:
        """A seat sees its own hand, the trick, and all that has been played."""
        points = self.points(state)
        seen: dict[str, Any] = {
            "game": self.name,
            "seat": seat,
            "options": state.options,
            "seats": state.seats,
            "sides": self.sides(state.options, state.seats),
            "step": state.step,
            "round": state.round,
            "dealer": state.dealer,
            "turn": state.turn,
            "phase": state.phase,
            "hand": () if seat is None else tuple(state.hands[seat]),
            "counts": tuple(map(len, state.hands)),
            "waiting": self.waiting(state),
            "trick": tuple(state.trick),
            "last": state.last,
            "taken": tuple([tuple([card for card in cards if self.scoring(card)]) for cards in state.taken]),
            "gone": tuple([card for cards in state.taken for card in cards]),
            "tricks": tuple(state.tricks),
            "voids": tuple(state.voids),
            "first": state.first,
            "broken": state.broken,
            "scores": tuple(state.scores),
            "points": None if points is None else tuple(points),
            "over": state.phase == OVER,
            "ended": state.ended,
            "winners": state.winners,
            "losers": state.losers,
        }
        return TrickView(**(seen | self._seen(state, seat)))

    def _seen(self, state: Any, seat: Seat | None) -> dict[str, Any]:
        """What this game adds to a view."""
        return {}

    def copy(self, state: Any) -> Any:
        """An independent state, equal to this one."""
        return replace(
            state,
            hands=[hand[:] for hand in state.hands],
            scores=state.scores[:],
            taken=[cards[:] for cards in state.taken],
            tricks=state.tricks[:],
            voids=state.voids[:],
            trick=state.trick[:],
            **self._copied(state),
        )

    def _copied(self, state: Any) -> dict[str, Any]:
        """Copies of what this game adds to a state and changes in place."""
        return {}

    def dump(self, state: Any) -> dict[str, Any]:
        """The state as plain JSON values."""
        return {
            field.name: _plain(getattr(state, field.name)) for field in fields(state) if field.name != "options"
        } | {"options": {field.name: getattr(state.options, field.name) for field in fields(state.options)}}

    def load(self, data: Mapping[str, Any]) -> Any:
        """The state that `dump` wrote."""
        values = dict(data)
        for key in ("hands", "taken"):
            values[key] = [list(cards) for cards in data[key]]
        for key in ("scores", "tricks", "voids"):
            values[key] = list(data[key])
        values["trick"] = [(seat, card) for seat, card in data["trick"]]
        if data["last"] is not None:
            values["last"] = (data["last"][0], tuple((seat, card) for seat, card in data["last"][1]))
        for key in ("winners", "losers"):
            values[key] = tuple(data[key])
        values["earned"] = None if data["earned"] is None else tuple(data["earned"])
        return self._loaded(values)

    def _loaded(self, values: dict[str, Any]) -> Any:
        """The state from its values, after this game has seen to what it adds."""
        raise NotImplementedError

    def check(self, state: Any) -> None:
        """AssertionError unless every card is somewhere exactly once."""
        cards = [card for hand in state.hands for card in hand]
        cards += [card for pile in state.taken for card in pile]
        cards += [card for _, card in state.trick]
        check_pack(self.pack(state.options, state.seats), [*cards, *self._elsewhere(state)], state.whole)

    def _elsewhere(self, state: Any) -> list[Card]:
        """Cards that are in no hand, in no trick and taken by nobody."""
        return []


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def _seat(seat: Seat | None) -> Seat:
    assert seat is not None
    return seat


def _either(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))
