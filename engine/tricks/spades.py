"""Spades: four players, partners opposite, spades are trump, and every side says what it will take. Rules digest, F.

A bid of 0 is nil. A blind nil is bid before one has seen the hand: while it is open to a player, that player's view
shows no cards, and LOOK (or a bid of any other kind) ends it. Who bid nil and the partner may exchange cards before the
play, as the house rules say. A side at the target wins when it alone leads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.cards import Card, card_name, french_pack
from engine.game import Event, Loose, Move, Position, Refusal, Seat, rule
from engine.tricks.table import (
    BID,
    CLUBS,
    EXCHANGE,
    OVER,
    PLAY,
    PLAYS,
    SPADES,
    TrickState,
    choices,
    demand_choice,
    extremes,
)
from engine.tricks.trick_game import TrickGame

SEATS = 4
HAND = 13
SIDES: tuple[tuple[Seat, ...], ...] = ((0, 2), (1, 3))
PACK: tuple[Card, ...] = tuple(french_pack())
NIL, BLIND = 0, -1  # bids beside 1 to 13
LOOK = Move("look")
BLIND_BID = Move("bid", value="blind")
BIDS: tuple[Move, ...] = (Move("bid", value="nil"), *[Move("bid", value=str(number)) for number in range(1, HAND + 1)])
BEHIND = 100  # points behind, for blind_nil=behind_100
ON_OFF = ("on", "off")


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of Spades."""

    target: int = rule(500, "the score that ends the game", low=100, high=1000)
    bid_start: str = rule("dealer", "who bids first", "dealer", "left_of_dealer")
    nil: str = rule("on", "a bid of no tricks", *ON_OFF)
    nil_value: int = rule(100, "what a nil wins or loses; a blind nil is twice that", low=50, high=200)
    blind_nil: str = rule("any_time", "nil before seeing one's hand", "off", "behind_100", "any_time")
    nil_pass: int = rule(0, "cards that a nil bidder and the partner exchange", low=0, high=4)
    blind_nil_pass: int = rule(2, "the same for a blind nil", low=0, high=4)
    double_nil: str = rule("allow", "partners may both bid nil", "allow", "forbid")
    failed_nil_tricks: str = rule(
        "count_for_partner", "the tricks of a failed nil", "count_for_partner", "bags_only", "ignored"
    )
    bags: str = rule("on", "tricks over the bid count 1, and are bags", *ON_OFF)
    bag_limit: int = rule(10, "so many bags cost the penalty", low=5, high=20)
    bag_penalty: int = rule(100, "what full bags cost", low=50, high=200)
    break_spades: str = rule("on", "spades may not be led before one has been played", *ON_OFF)
    first_lead: str = rule("any_legal", "the first lead: anything, or one's lowest club", "any_legal", "low_club")
    min_team_bid: int = rule(0, "the least that partners bid together", low=0, high=4)
    floor_loss: str | int = rule("none", "a side down to this score loses", "none", low=-2000, high=-200)
    hands_limit: str | int = rule("none", "the game is over after so many hands", "none", low=1, high=100)


@dataclass(slots=True)
class State(TrickState):
    """A hand of Spades."""

    bids: list[int | None] = field(default_factory=lambda: [None] * SEATS)  # NIL, BLIND or a number
    bags: list[int] = field(default_factory=lambda: [0, 0])  # by side, carried
    shown: list[bool] = field(default_factory=lambda: [False] * SEATS)  # who has seen their hand
    chosen: list[tuple[Card, ...] | None] = field(default_factory=lambda: [None] * SEATS)  # what is exchanged


class Scored(NamedTuple):
    """A hand of one side: its points, penalties paid, its bags after it, and how often those filled up."""

    points: int
    bags: int
    full: int


def score_side(options: Options, bids: Sequence[int | None], tricks: Sequence[int], bags: int) -> Scored:
    """What a hand scores for one side, from both partners' bids and tricks and its bags before."""
    contract = sum(bid for bid in bids if bid is not None and bid > 0)
    points = counted = extra = 0
    for bid, took in zip(bids, tricks, strict=True):
        if bid is None or bid > 0:
            counted += took
            continue
        value = options.nil_value * (2 if bid == BLIND else 1)
        points += -value if took else value
        if options.failed_nil_tricks == "count_for_partner":
            counted += took
        elif options.failed_nil_tricks == "bags_only":
            extra += took
    if counted >= contract:
        points += 10 * contract
        extra += counted - contract
    else:
        points -= 10 * contract
    if options.bags == "off":
        return Scored(points, 0, 0)
    full, bags = divmod(bags + extra, options.bag_limit)
    return Scored(points + extra - full * options.bag_penalty, bags, full)


class Spades(TrickGame):
    """The rules of Spades; see `engine.game.Game` for what each function promises."""

    name = "spades"
    title = "Spades"
    aliases: tuple[str, ...] = ("spade", "partnership spades")
    seats: tuple[int, ...] = (SEATS,)
    Options = Options
    verbs: tuple[str, ...] = ("look", "bid", "exchange", "play")
    phases = (BID, EXCHANGE, PLAY)
    lines = ("trick", "taken", "tricks", "broken", "bid", "bags", "shown")

    # Set-up

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Partners sit opposite."""
        return SIDES

    def pack(self, options: Any, seats: int) -> tuple[Card, ...]:
        """All 52 cards."""
        return PACK

    def _new(self, options: Any, seats: int, seed: str, dealer: Seat, hands: list[list[Card]]) -> State:
        return State(
            options, seats, seed, dealer, dealer, hands, [0, 0], [[] for _ in range(seats)], [0] * seats,
            [0] * seats, [],
        )  # fmt: skip

    def _carry(self, before: State, state: State) -> None:
        state.bags = before.bags

    def carry(self, before: State, state: State, given: Position) -> None:
        """What a hand leaves to the next one of a record besides the scores: the bags."""
        named = {side for side, _ in given.extra.get("bags", ())}
        for side, bags in enumerate(before.bags):
            if side not in named:
                state.bags[side] = bags

    def _start(self, state: State, phase: str | None = None, turn: Seat | None = None) -> None:
        in_bids = phase == BID or (phase is None and None in state.bids)
        if in_bids:
            if None not in state.bids:
                raise ValueError("all four have bid, so the phase is exchange or play")
            state.phase = BID
            state.shown = [shown or not self.may_bid_blind(state, seat) for seat, shown in enumerate(state.shown)]
            state.turn = self._bidder(state)
            return
        state.shown = [True] * SEATS
        if phase == EXCHANGE and not any(map(self._exchanges, [state] * SEATS, range(SEATS))):
            raise ValueError("nobody has cards to exchange here")
        if phase is None or phase == EXCHANGE:
            self._after_bids(state)
        if phase == PLAY or state.phase == PLAY:
            state.phase = PLAY
            state.turn = self._turn_of_trick(state, turn, self._leader(state))

    def _bidder(self, state: State) -> Seat:
        """Whose bid is next."""
        start: Seat = state.dealer + int(state.options.bid_start == "left_of_dealer")
        return next((start + i) % SEATS for i in range(SEATS) if state.bids[(start + i) % SEATS] is None)

    def _after_bids(self, state: State) -> None:
        """The exchange, where somebody has one to make; else the play."""
        state.phase = EXCHANGE
        waiting = self._waiting(state)
        if waiting:
            state.turn = waiting[0]
        else:
            state.phase = PLAY
            state.turn = self._leader(state)

    def _leader(self, state: State) -> Seat:
        """Who leads to the first trick: left of the dealer, or the next who has cards."""
        order = [(state.dealer + 1 + i) % SEATS for i in range(SEATS)]
        return next((seat for seat in order if state.hands[seat]), order[0])

    def _exchanges(self, state: State, seat: Seat) -> int:
        """How many cards this seat exchanges with its partner; where both bid nil, what the greater asks for."""
        nil, blind = int(state.options.nil_pass), int(state.options.blind_nil_pass)
        most = 0
        for bid in (state.bids[seat], state.bids[(seat + 2) % SEATS]):
            if bid == NIL:
                most = max(most, nil)
            elif bid == BLIND:
                most = max(most, blind)
        return most

    def _dealer(self, options: Any, seats: int, position: Position) -> Seat:
        """Where no dealer is named, the one from whom the bids that are in, and whose turn it is to bid, would follow."""
        usual = super()._dealer(options, seats, position)
        bids = dict(position.extra.get("bid", ()))
        if position.dealer is not None or position.phase not in (None, BID) or len(bids) == SEATS:
            return usual
        start = int(options.bid_start == "left_of_dealer")
        for i in range(SEATS):
            dealer = (usual + i) % SEATS
            order = [(dealer + start + after) % SEATS for after in range(SEATS)]
            bidder = next(seat for seat in order if seat not in bids)
            later = order[order.index(bidder) :]
            # only a blind nil is bid out of turn
            if position.turn in (None, bidder) and all(bids.get(seat, "blind") == "blind" for seat in later):
                return dealer
        return usual

    def _place(self, state: State, position: Position) -> None:
        for seat, text in position.extra.get("bid", ()):
            assert seat is not None
            bid = {"nil": NIL, "blind": BLIND}.get(text, int(text) if text.isdigit() else HAND + 1)
            if bid > HAND:
                raise ValueError(f"a bid is a number from 0 to {HAND}, nil or blind, not {text}")
            state.bids[seat] = bid
        for side, text in position.extra.get("bags", ()):
            assert side is not None
            if int(text) >= state.options.bag_limit:
                raise ValueError(
                    f"{text} bags would have cost the penalty already: there are at most {state.options.bag_limit - 1}"
                )
            state.bags[side] = int(text)
        seen = [seat for seat, _ in position.extra.get("shown", ())]
        state.shown = [seat in seen or state.bids[seat] is not None for seat in range(SEATS)]
        state.first = not any(state.tricks)
        led = state.trick[0][1] & 3 if state.trick else CLUBS
        for seat, card in state.trick:
            if card & 3 != led:
                state.voids[seat] |= 1 << led

    def _broken_by(self, state: State, cards: Sequence[Card]) -> bool:
        return any(card & 3 == SPADES for card in cards)

    # Who may do what

    def may_bid_blind(self, state: State, seat: Seat) -> bool:
        """Whether the house rules open a blind nil to this seat, seen hand or not."""
        options, side = state.options, seat % 2
        if options.blind_nil == "off" or options.nil == "off" or state.bids[seat] is not None:
            return False
        if options.blind_nil == "behind_100" and state.scores[side] > state.scores[1 - side] - BEHIND:
            return False
        return self._least_bid(state, seat) == 0 and not self._partner_forbids(state, seat)

    def _partner_forbids(self, state: State, seat: Seat) -> bool:
        partner = state.bids[(seat + 2) % SEATS]
        return bool(state.options.double_nil == "forbid") and partner in (NIL, BLIND)

    def _least_bid(self, state: State, seat: Seat) -> int:
        """What this seat must bid at least, so that the partners have the minimum together. A nil counts nothing to it."""
        partner = state.bids[(seat + 2) % SEATS]
        together = int(state.options.min_team_bid)
        return 0 if partner is None else max(0, together - max(partner, 0))

    def _waiting(self, state: State) -> tuple[Seat, ...]:
        """The bidder, and who may still bid blind; all who have cards to exchange and have not chosen."""
        if state.phase == BID:
            others = [(state.turn + i) % SEATS for i in range(1, SEATS)]
            return (state.turn, *[seat for seat in others if not state.shown[seat]])
        order = [(state.dealer + 1 + i) % SEATS for i in range(SEATS)]
        counts = [self._exchanges(state, seat) for seat in range(SEATS)]
        return tuple([s for s in order if state.chosen[s] is None and len(state.hands[s]) >= counts[s] > 0])

    def legal(self, state: State, seat: Seat) -> list[Move]:
        """Every card that may be played, every bid, every choice of cards to exchange."""
        if state.phase == PLAY and seat == state.turn:
            hand = state.hands[seat]
            if state.trick:
                suit = state.trick[0][1] & 3
                return [PLAYS[card] for card in hand if card & 3 == suit] or [PLAYS[card] for card in hand]
            return self._legal_leads(state, hand)
        if state.phase == BID:
            if not state.shown[seat]:
                return [LOOK, BLIND_BID] if self.may_bid_blind(state, seat) else [LOOK]
            if seat != state.turn:
                return []
            least = self._least_bid(state, seat)
            no_nil = state.options.nil == "off" or self._partner_forbids(state, seat)
            return list(BIDS[max(least, int(no_nil)) :])
        if state.phase == EXCHANGE and self._exchanges(state, seat) and state.chosen[seat] is None:
            return choices("exchange", state.hands[seat], self._exchanges(state, seat))
        return []

    def _legal_leads(self, state: State, hand: Sequence[Card]) -> list[Move]:
        options = state.options
        if state.first and options.first_lead == "low_club":
            for card in hand:
                if card & 3 == CLUBS:
                    return [PLAYS[card]]
        if state.broken or options.break_spades == "off":
            return [PLAYS[card] for card in hand]
        return [PLAYS[card] for card in hand if card & 3 != SPADES] or [PLAYS[card] for card in hand]

    def _demand_lead(self, state: State, seat: Seat, card: Card) -> None:
        hand, options = state.hands[seat], state.options
        if state.first and options.first_lead == "low_club":
            lowest = next((other for other in hand if other & 3 == CLUBS), card)
            if card != lowest:
                raise Refusal("FIRST", f"The first lead is your lowest club: PLAY {card_name(lowest)}.")
        if card & 3 == SPADES and not state.broken:
            if options.break_spades == "on" and any(other & 3 != SPADES for other in hand):
                raise Refusal("LEADS", "Spades are not broken yet, so they may not be led: lead another suit.")
            state.broken = True

    def _demand_throw(self, state: State, seat: Seat, card: Card) -> None:
        if card & 3 == SPADES:
            state.broken = True

    def _winner(self, state: State) -> Seat:
        """The highest spade, else the highest of the led suit."""
        winner, best = state.trick[0]
        for seat, card in state.trick:
            if card & 3 == best & 3:
                if card > best:
                    winner, best = seat, card
            elif card & 3 == SPADES:
                winner, best = seat, card
        return winner

    # Reading

    def _resolve_word(self, state: State, seat: Seat, loose: Loose) -> Move:
        if loose.specs or loose.whole_rank:
            raise ValueError(f"{loose.verb} names no cards")
        if loose.verb == "look":
            return LOOK
        word = loose.value.strip().lower()
        if not word:
            moves = self.legal(state, seat) if seat in self.waiting(state) else []
            bids = [move for move in moves if move.verb == "bid"]
            raise Refusal("AMBIG", "What do you bid? A number from 1 to 13, or NIL.", bids)
        if word.isascii() and word.isdigit():
            word = str(int(word))
        return Move("bid", value="nil" if word == "0" else word)

    # Play

    def _do(self, state: State, seat: Seat, move: Move) -> list[Event]:
        if move.verb == "bid":
            return self._bid(state, seat, move.value)
        if move.verb == "look":
            return self._look(state, seat)
        if move.verb == "exchange":
            return self._exchange(state, seat, move)
        raise ValueError(f"Spades has no {move.verb!r}; its moves are {', '.join(self.verbs)}")

    def _look(self, state: State, seat: Seat) -> list[Event]:
        if state.phase == OVER:
            raise Refusal("PHASE", "The round is over.")
        if state.shown[seat]:
            raise Refusal("PHASE", "You have seen your hand already.")
        state.shown[seat] = True
        return [Event("look", seat, reveals=True, private=tuple(state.hands[seat]))]

    def _bid(self, state: State, seat: Seat, word: str) -> list[Event]:
        if state.phase != BID:
            hint = "The round is over." if state.phase == OVER else "The bids are in: play on."
            self._demand_phase(state, seat, BID, hint)
        bid = {"nil": NIL, "0": NIL, "blind": BLIND}.get(word)
        if bid is None:
            if not (word.isascii() and word.isdigit()) or int(word) > HAND:
                if seat != state.turn:
                    raise Refusal("BID", "It is not your turn to bid.")
                raise Refusal("BID", "A bid is a number from 1 to 13, or NIL.")
            bid = int(word)
        if state.bids[seat] is not None:
            raise Refusal("BID", "You have bid already, and a bid stands.")
        if bid == BLIND:
            self._demand_blind(state, seat)
        elif seat != state.turn:
            raise Refusal("BID", "It is not your turn to bid.")
        if bid <= NIL and state.options.nil == "off":
            raise Refusal("BID", "There is no nil at this table: bid from 1 to 13.")
        if bid <= NIL and self._partner_forbids(state, seat):
            raise Refusal("BID", "Your partner has bid nil, and partners may not both: bid from 1 to 13.")
        least = self._least_bid(state, seat)
        if max(bid, 0) < least:
            together = state.options.min_team_bid
            raise Refusal("BID", f"You and your partner bid at least {together} together: bid {least} or more.")
        state.bids[seat] = bid
        state.shown[seat] = True
        events = [Event("bid", seat, to=bid_name(bid), reveals=True)]
        if None in state.bids:
            state.turn = self._bidder(state)
            for other in range(SEATS):  # a partner's bid may have closed the blind nil
                if not state.shown[other] and not self.may_bid_blind(state, other):
                    state.shown[other] = True
        else:
            self._after_bids(state)
        return events

    def _demand_blind(self, state: State, seat: Seat) -> None:
        options = state.options
        if options.blind_nil == "off" or options.nil == "off":
            raise Refusal("BID", "There is no blind nil at this table: bid a number, or NIL.")
        if state.shown[seat] and self.may_bid_blind(state, seat):
            raise Refusal("SEEN", "You have seen your hand: a blind nil is bid before that. Bid a number, or NIL.")
        if options.blind_nil == "behind_100" and not self.may_bid_blind(state, seat):
            raise Refusal("BID", "A blind nil is for a side 100 points behind: bid a number, or NIL.")

    def _to_choose(self, state: State, seat: Seat) -> int:
        if state.phase == BID:
            raise Refusal("PHASE", "Cards are exchanged after the bids: bid first.")
        self._demand_phase(state, seat, EXCHANGE, "No cards are exchanged now: play a card.")
        count = self._exchanges(state, seat)
        if not count:
            raise Refusal("PHASE", "You and your partner have no cards to exchange. The others are choosing theirs.")
        return count

    def _exchange(self, state: State, seat: Seat, move: Move) -> list[Event]:
        count = self._to_choose(state, seat)
        demand_choice(state.hands[seat], move.cards, count, "exchanged")
        state.chosen[seat] = move.cards
        events = [Event("exchange", seat, count=count, private=move.cards)]
        waiting = self._waiting(state)
        if waiting:
            state.turn = waiting[0]
            return events
        for giver, cards in enumerate(state.chosen):
            for card in cards or ():
                state.hands[giver].remove(card)
        for giver, cards in enumerate(state.chosen):
            if cards:
                partner = (giver + 2) % SEATS
                state.hands[partner] = sorted([*state.hands[partner], *cards])
                events.append(Event("receive", partner, count=count, to="partner", private=cards, reveals=True))
        state.phase = PLAY
        state.turn = self._leader(state)
        return events

    def _end_hand(self, state: State, events: list[Event]) -> None:
        options = state.options
        both = self._score(state)
        points = [side.points for side in both]
        state.bags = [side.bags for side in both]
        events += [Event("bags", side, count=scored.full) for side, scored in enumerate(both) if scored.full]
        state.scores = [score + gain for score, gain in zip(state.scores, points, strict=True)]
        high, low = max(state.scores), min(state.scores)
        ended = high >= options.target
        ended = ended or (isinstance(options.hands_limit, int) and state.round >= options.hands_limit)
        ended = ended or (isinstance(options.floor_loss, int) and low <= options.floor_loss)
        ended = ended and high > low
        winners, losers = extremes(state.scores, high, low)
        if ended:
            state.losers = losers
        self._finish(state, points, ended, winners, events)

    def _score(self, state: State) -> list[Scored]:
        """By side, what the hand scores if it ends now."""
        bids, tricks = state.bids, state.tricks
        return [score_side(state.options, bids[side::2], tricks[side::2], state.bags[side]) for side in (0, 1)]

    # What is there

    def scoring(self, card: Card) -> bool:
        """Tricks count here, not cards."""
        return False

    def points(self, state: State) -> list[int] | None:
        """By side; in the play as if the hand ended now; None before all have bid."""
        if state.earned is not None:
            return list(state.earned)
        return None if state.phase == BID else [side.points for side in self._score(state)]

    def _seen(self, state: State, seat: Seat | None) -> dict[str, Any]:
        seen: dict[str, Any] = {
            "chosen": tuple([cards is not None for cards in state.chosen]),
            "bids": tuple(state.bids),
            "bags": tuple(state.bags),
            "shown": tuple(state.shown),
        }
        if seat is None or not state.shown[seat]:
            return seen | {"hand": ()}
        if state.phase != BID and self._exchanges(state, seat):
            partner = (seat + 2) % SEATS
            seen["passes"] = self._exchanges(state, seat)
            seen["pass_to"] = partner
            seen["passed"] = state.chosen[seat] or ()
            if state.phase != EXCHANGE:
                seen["received"] = state.chosen[partner] or ()
        return seen

    def _to_do(self, state: State, seat: Seat) -> str:
        if state.phase == EXCHANGE:
            count = self._exchanges(state, seat)
            return f"EXCHANGE {count} cards with your partner first." if count else "the others exchange cards."
        return "BID a number, or NIL." if state.shown[seat] else "BID BLIND, or LOOK at your hand and bid."

    def _copied(self, state: State) -> dict[str, Any]:
        return {"bids": state.bids[:], "bags": state.bags[:], "shown": state.shown[:], "chosen": state.chosen[:]}

    def _loaded(self, values: dict[str, Any]) -> State:
        values["options"] = Options(**values["options"])
        for key in ("bids", "bags", "shown"):
            values[key] = list(values[key])
        values["chosen"] = [None if cards is None else tuple(cards) for cards in values["chosen"]]
        return State(**values)


def bid_name(bid: int) -> str:
    """A bid as it is written: `4`, `nil`, `blind`."""
    return {NIL: "nil", BLIND: "blind"}.get(bid) or str(bid)


SPADES_GAME = Spades()
