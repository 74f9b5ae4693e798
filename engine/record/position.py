"""A state as the header of a record: where a round stands before its first move."""

from typing import Any

from engine.cards import rank_name
from engine.game import Game, Position

BEFORE_THE_DEAL = ("cut", "pick")  # phases in which hands are still to come


def position_of(game: Game, state: Any, packet: int | None = None) -> Position | None:
    """The position of a state in which nothing has been laid or played; None where a header cannot say it.

    `packet` is what the next cut lifts, of a game that begins with one. Chance that is still to come (a stock that is
    shuffled again) is not in it: whoever needs that plays the record and looks whether the same comes of it.
    """
    view = game.view(state, None)
    position = Position(dealer=view.dealer, round=view.round, scores=dict(enumerate(view.scores)))
    tricks = hasattr(view, "trick")
    if view.phase in BEFORE_THE_DEAL:
        if view.phase != "cut" or packet is None:
            return None
        position.phase, position.stock = "cut", list(reversed(state.stock))
        position.extra["packet"] = [(None, str(packet))]
        return position
    position.hands = {seat: list(hand) for seat, hand in enumerate(state.hands)}
    if not tricks:
        position.turn, position.phase = view.turn, view.phase
        position.stock, position.pile = list(reversed(state.stock)), list(state.pile)
        wild = getattr(state, "wild", None)
        if wild is not None:
            position.extra["wild"] = [(None, rank_name(wild))]
        return position
    kitty = getattr(state, "kitty", None)
    if kitty:
        position.stock = list(kitty)
    if any(view.bags):
        position.extra["bags"] = [(side, str(bags)) for side, bags in enumerate(view.bags)]
    return position
