"""The deal of 5000 Rummy: a card turned up says how many a player gets, and one of the dealer's what is wild.

Rules digest, section C, Deal and its variations; decision 12 for a pack that is too short.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cards import RANKS, Card, Rank
from engine.game import Event, Seat
from engine.rummy.run_table import State
from engine.rummy.table import DRAW, lift, shuffled

PICK = "pick"
PACKS = 12  # more than any deal needs
ACE: Rank = RANKS.index("A")
THREE: Rank = RANKS.index("3")

Packs = Callable[[int], Sequence[Card]]


@dataclass(frozen=True, slots=True)
class Dealing:
    """How hands are dealt at a table."""

    counts: tuple[int, ...]  # cards for a card turned up, by its rank
    total: bool  # they count the card itself
    wilds: frozenset[Card]  # wild in every round
    wild_upcard: int | str  # cards for one of those, or bury, or two_or_twelve
    small_goes_back: bool  # a two or three turned up goes under the stock for another card
    indicator: str  # which card says what is wild
    deal_on: bool  # a wild indicator stays, and the dealer gets cards until another shows; else it is buried
    no_wild_aces: bool  # an ace as indicator is buried
    size: int | None = None  # of every hand, whatever is turned up


class TooShort(Exception):
    """The pack cannot give all hands, the first card of the pile and a card for each player."""


def start_deal(
    state: State,
    dealing: Dealing,
    pack: Packs,
    given: Sequence[Card] = (),
    stock: Sequence[Card] | None = None,
    pile: Sequence[Card] | None = None,
) -> list[Event]:
    """Deals a round to hands that are empty (a record may give some, or the deck). Another pack where it is too short."""
    kept = [hand[:] for hand in state.hands] if given else [[] for _ in range(state.seats)]
    while True:
        state.hands = [hand[:] for hand in kept]
        state.dealt = 0
        state.apart = []
        state.pile = list(pile or [])
        upcards = list(state.upcards.values())
        rest = pack(state.packs)
        if given or upcards:
            rest = lift(list(rest), [*given, *upcards])
        if stock is None:
            deck = shuffled(state.seed, state.shuffles, rest)
            state.whole = True
        else:
            deck = list(reversed(stock))
            state.whole = not lift(list(rest), stock)
        state.stock = upcards + deck  # those a record turns up lie under it till then
        try:
            return _go_on(state, dealing, None, has_pile=pile is not None)
        except TooShort:
            if stock is not None or state.packs >= PACKS:
                raise ValueError("the stock is too short for this deal") from None
            state.packs += 1
            state.shuffles += 1


def deal_on(state: State, dealing: Dealing, pack: Packs, size: int) -> list[Event]:
    """Goes on with a deal that waited for a player's choice of a hand of this size."""
    try:
        return _go_on(state, dealing, size, has_pile=False)
    except TooShort:
        state.packs += 1
        state.shuffles += 1
        return start_deal(state, dealing, pack)


def _go_on(state: State, dealing: Dealing, chosen: int | None, has_pile: bool) -> list[Event]:
    events: list[Event] = []
    seats = state.seats
    indicator: Card | None = None
    while state.dealt < seats:
        seat = (state.dealer + 1 + state.dealt) % seats
        hand = state.hands[seat]
        if hand and chosen is None:  # a record gives it
            state.dealt += 1
            continue
        if chosen is None:
            hand.append(_turn_up(state, dealing, seat))
            events.append(Event("upcard", seat, (hand[0],)))
            size = _size(dealing, hand[0])
            if size is None:
                state.phase, state.turn = PICK, seat
                return events
        else:
            size, chosen = chosen, None
        missing = max(size - len(hand), 0)
        if missing > len(state.stock):
            raise TooShort
        hand += state.stock[: -missing - 1 : -1]
        del state.stock[len(state.stock) - missing :]
        if seat == state.dealer:
            indicator = hand[0] if dealing.indicator == "dealer_first" else hand[-1]
        state.dealt += 1
    if state.wild is None or not has_pile:
        events += _indicate(state, dealing, indicator)
    if len(state.stock) < 1 + seats and state.whole:
        raise TooShort
    if not has_pile and state.stock:
        state.pile = [state.stock.pop()]
    state.turn = (state.dealer + 1) % seats
    state.phase = DRAW
    events.append(Event("deal", state.dealer, tuple(state.pile[-1:]), state.round, reveals=True))
    return events


def wild_of_round(number: int) -> Rank:
    """By rounds: aces are wild in the first, then twos, and kings in the thirteenth."""
    return (number - 2) % 13


def _next(state: State) -> Card:
    if not state.stock:
        raise TooShort
    return state.stock.pop()


def _turn_up(state: State, dealing: Dealing, seat: Seat) -> Card:
    """The card that deals this seat's hand; those that may not are buried."""
    first = state.upcards.get(seat)
    says_wild = seat == state.dealer and dealing.indicator == "dealer_first"
    for _ in range(len(state.stock)):
        if first is not None:
            state.stock.remove(first)
            card, first = first, None
        else:
            card = _next(state)
        wild = card in dealing.wilds
        buried = wild and (dealing.wild_upcard == "bury" or (says_wild and not dealing.deal_on))
        buried = buried or (says_wild and dealing.no_wild_aces and card >> 2 == ACE)
        if not wild and dealing.small_goes_back and card >> 2 <= THREE:
            buried = True
        if not buried:
            return card
        state.stock.insert(0, card)
    raise TooShort


def _size(dealing: Dealing, card: Card) -> int | None:
    """How many cards the hand has in all; None where the player chooses."""
    if dealing.size is not None:
        return dealing.size
    if card in dealing.wilds:
        if dealing.wild_upcard == "two_or_twelve":
            return None
        count = int(dealing.wild_upcard) if dealing.wild_upcard != "bury" else 0
    else:
        count = dealing.counts[card >> 2]
    return count if dealing.total else count + 1


def _indicate(state: State, dealing: Dealing, indicator: Card | None) -> list[Event]:
    """Finds the wild rank of the round."""
    dealer = state.hands[state.dealer]
    if dealing.indicator == "by_round":
        state.wild = wild_of_round(state.round)
        return [Event("wild", state.dealer, count=state.wild)]
    extra = dealing.indicator in ("dealer_extra", "apart")
    card = _next(state) if extra else indicator
    if card is None:
        return []  # a record that gives the dealer's hand says what is wild, if anything is
    shown = [card]
    for _ in range(len(state.stock) + 1):
        never = dealing.no_wild_aces and card >> 2 == ACE
        if card not in dealing.wilds and not never:
            break
        if dealing.deal_on and not never:
            if extra:
                dealer.append(card)
        else:
            state.stock.insert(0, card)
            if not extra:
                dealer.remove(card)
        card = _next(state)
        shown.append(card)
        if not extra:
            dealer.append(card)
    else:
        raise TooShort
    if dealing.indicator == "apart":
        state.apart = [card]
    elif extra:
        dealer.append(card)
    state.wild = card >> 2
    return [Event("wild", state.dealer, tuple(shown), count=state.wild)]
