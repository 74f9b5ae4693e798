"""Texts that go with the web: the one that asks somebody who filled in a form whether it was they, and the invitation.

The first may reach somebody who asked for nothing. So it holds no word that was typed into the form, and all that a
reader must know of us: who we are, how often we text, what it costs, HELP and STOP.
"""

from service.text.render import BRAND, fit


def to_join(code: str, title: str) -> str:
    """The one text to a number that was given to sit down at a table."""
    return fit(
        f"{BRAND}: reply JOIN {code} to play {title}, about 1 text a turn. Not you? Ignore this. "
        "Msg&data rates may apply. HELP for help, STOP to opt out."
    )


def to_open(code: str, title: str) -> str:
    """The same to a number that was given to open a table."""
    return fit(
        f"{BRAND}: reply JOIN {code} to open your table of {title}, about 1 text a turn. Not you? Ignore this. "
        "Msg&data rates may apply. HELP for help, STOP to opt out.",
        f"{BRAND}: reply JOIN {code} to open your table, about 1 text a turn. Not you? Ignore this. "
        "Msg&data rates may apply. HELP for help, STOP to opt out.",
    )


def invitation(code: str, title: str, link: str, number: str, free: int) -> str:
    """What a player may send on to friends."""
    seats = f"{free} seat{'' if free == 1 else 's'} free." if free else "Every seat is taken."
    by_text = f"text JOIN {code} to {number}" if number else f"text JOIN {code} to this number"
    return fit(
        f"Play {title} with me by text: {link} or {by_text}. {seats}",
        f"{title} by text: {link} or {by_text}.",
        f"{link} or {by_text}.",
    )


def no_invitation(code: str) -> str:
    """Nobody can sit down at a table that has been dealt."""
    return f"{code} has begun, so nobody else can sit down there now. NEW opens another table."


def opened(code: str, title: str, bots: int, free: int) -> str:
    """A table that was filled in on the web is open, and bots sit at it."""
    sit = f"{bots} bot{'s sit' if bots > 1 else ' sits'} down."
    friends = (
        f"{free} seat{'' if free == 1 else 's'} free: INVITE gives a link for friends, then DEAL."
        if free
        else "DEAL starts."
    )
    return fit(
        f"{BRAND} table {code}: {title}. {sit} {friends} STOP to opt out, HELP for help.",
        f"{BRAND} table {code}: {title}. {sit} {friends}",
    )


def seat_gone(seat: int, answer: str) -> str:
    """Before the answer to a JOIN: the seat that was wanted is another's by now."""
    return fit(f"That seat is taken, so you have seat {seat}. {answer}")
