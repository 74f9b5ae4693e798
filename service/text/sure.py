"""A play that cannot be meant is asked about once: the queen of spades onto one's own trick, with a duck in the hand."""

from dataclasses import replace

from engine.game import write_move
from engine.tricks.plays import own_queen
from service.text.reading import Context, Reading
from service.text.words import card


def asked(reading: Reading, context: Context) -> Reading:
    """The reading as it is; or a question in place of its play, where that cannot be meant and is no answer to the question.

    It is the first move of a text, or none: a second card could only be a lead.
    """
    game, seat = context.game, context.seat
    move = reading.moves[0] if reading.moves else None
    if move is None or move.verb != "play" or game is None or seat is None or write_move(move) in context.pending:
        return reading
    duck = own_queen(game.view(context.state, seat), move.cards[0], game.legal(context.state, seat))
    if duck is None:
        return reading
    hint = (
        f"You would take the queen yourself. PLAY {card(move.cards[0])} again to do it, or {card(duck.cards[0])} ducks."
    )
    return replace(
        reading, kind="ask", moves=(), events=(), command=None, code="", hint=hint, choices=(write_move(move),), rest="",
        sure=True,
    )  # fmt: skip
