"""What a card would do to the trick on the table, from what one seat sees: take it so far, or go under.

Those who play later may still go over; "so far" is about the cards that lie there.
"""

from collections.abc import Sequence

from engine.cards import QUEEN_OF_SPADES, Card
from engine.game import Move
from engine.tricks.table import HEARTS, PLAY, SPADES, TrickView

MOON_THREAT = 5  # hearts with one player alone
QUEEN_GAMES = ("hearts", "gong-zhu")  # in which nobody wants the queen of spades


def takes(view: TrickView, card: Card) -> bool:
    """Whether this card would take the trick so far; a lead always does."""
    trick = [played for _, played in view.trick]
    if not trick:
        return True
    suit = trick[0] & 3
    if view.game == "spades" and (card & 3 == SPADES or any(played & 3 == SPADES for played in trick)):
        suit = SPADES
    if card & 3 != suit:
        return False
    others = [played for played in trick if played & 3 == suit]
    packs = getattr(view.options, "double_deck", "off")
    if packs == "cancel":
        if card in others:
            return False
        others = [played for played in others if others.count(played) == 1]
    best = max(others, default=-1)
    return card > best or (card == best and packs == "later_wins")


def under(view: TrickView, legal: Sequence[Move]) -> list[Move]:
    """The plays that do not take the trick so far, the lowest card first."""
    return sorted((move for move in legal if not takes(view, move.cards[0])), key=lambda move: move.cards)


def over(view: TrickView, legal: Sequence[Move]) -> list[Move]:
    """The plays that take the trick so far, the lowest card first."""
    return sorted((move for move in legal if takes(view, move.cards[0])), key=lambda move: move.cards)


def may_want_queen(view: TrickView) -> bool:
    """Whether this seat has taken all the hearts that anybody has, or may have to stop somebody who has taken many."""
    hearts = [sum(card & 3 == HEARTS for card in cards) for cards in view.taken]
    takers = [seat for seat, count in enumerate(hearts) if count]
    return len(takers) == 1 and (takers[0] == view.seat or max(hearts) >= MOON_THREAT)


def own_queen(view: TrickView, card: Card, legal: Sequence[Move]) -> Move | None:
    """The duck where this card is the queen of spades on one's own trick, which cannot be meant; None anywhere else.

    It may be meant where the rules leave no duck, and for the moon: one's own, or to stop another's.
    """
    if card != QUEEN_OF_SPADES or view.game not in QUEEN_GAMES or view.phase != PLAY or not view.trick:
        return None
    if not takes(view, card) or may_want_queen(view):
        return None
    ducks = under(view, legal)
    return ducks[-1] if ducks else None
