"""Around the game: who comes and goes, and what the carriers want to be said."""

from collections.abc import Sequence

from service.text.gsm7 import clip
from service.text.render.fitting import BRAND, TWO, fit, join
from service.text.words import listed


def left(code: str, name: str, dealt: bool) -> str:
    """To the others, when somebody gives up a seat."""
    return fit(f"{code}: {note_left(name)}" if dealt else f"{code}: {name} left. The seat is free again.")


def note_left(name: str) -> str:
    """The same as a sentence of a longer text."""
    return f"{name} left, a bot plays on."


def gone(code: str, dealt: bool, goes_on: bool) -> str:
    """To the one who gave up a seat."""
    if not goes_on:
        return fit(f"You left {code}; nobody else was there, so the table is closed.")
    back = f" A bot plays your cards. JOIN {code} takes them back." if dealt else f" JOIN {code} sits down again."
    return fit(f"You left {code}.{back}")


def welcome() -> str:
    """The one fixed text to somebody we do not know."""
    return (
        f"{BRAND}: card games by text. Text NEW DAMN to open a table, or JOIN and the code a friend gave you. "
        "HELP for help, STOP to opt out."
    )


def no_table() -> str:
    """To a player who sits nowhere."""
    return "You sit at no table now. NEW DAMN opens one; JOIN and a code sits you down at a friend's."


def joined(code: str, title: str, others: Sequence[str], free: int, name: str, host: str, unnamed: bool = False) -> str:
    """To somebody who has just sat down."""
    tell = " NAME and your name tells them who you are." if unnamed else ""
    seats = "All are here." if not free else f"{free} free seat{'' if free == 1 else 's'}."
    return fit(
        f"{BRAND} {code}: hello {name}! {title} with {listed(list(others))}. {seats} {host} deals.{tell} STOP to opt out, HELP for help.",
        f"{BRAND} {code}: hello {name}! {title} with {listed(list(others))}. {seats}{tell} STOP to opt out.",
    )


def arrived(code: str, name: str, free: int, host: bool) -> str:
    """To those who sit already, when somebody joins."""
    if free:
        more = f"{free} seat{'' if free == 1 else 's'} free."
        return fit(f"{code}: {name} joined. {more}" + (f" BOTS fills {'it' if free == 1 else 'them'}." if host else ""))
    return fit(f"{code}: {name} joined. All are here" + (": DEAL to start." if host else "."))


def back(code: str, name: str) -> str:
    """To the others, when somebody takes a seat back from a bot."""
    return fit(f"{code}: {name} is back and plays again.")


def play_again(code: str, name: str, title: str) -> str:
    """To those who played, when one of them wants a rematch."""
    return fit(f"{name} wants to play {title} again. REMATCH, or JOIN {code}, sits you down.")


def said(code: str, name: str, words: str) -> str:
    """What somebody says to the table."""
    return clip(f"{code} {name}: {words}", TWO)


def seats_free(code: str, free: int, host: str | None) -> str:
    """A deal that cannot be yet. `host` is None for the host."""
    seats, them = f"{free} seat{' is' if free == 1 else 's are'} free", "it" if free == 1 else "them"
    if host is None:
        return fit(f"{code}: {seats}. Friends text JOIN {code}, or BOTS fills {them}; then DEAL.")
    return fit(f"{code}: {seats}. Friends text JOIN {code}, or {host} texts BOTS to fill {them}.")


def open_table(code: str, title: str, names: Sequence[str], free: int, host: bool, lead: str = "") -> str:
    """Who sits at a table that has not begun; `lead` says first what has just been done, or can't be."""
    here = f"{listed(list(names))} {'is' if len(names) == 1 else 'are'} here"
    seats = f"{free} seat{'' if free == 1 else 's'} free" if free else "every seat is taken"
    do = "DEAL starts." if not free else f"Friends text JOIN {code}" + (", BOTS fills the rest." if host else ".")
    return fit(join(f"{code}:", lead or f"{title}, not dealt yet.", f"{here}, {seats}.", do))


def opted_out() -> str:
    """The one confirmation of an opt-out."""
    return f"{BRAND}: you are opted out and will get no more texts. Reply START to come back."


def opted_in() -> str:
    """Somebody is back."""
    return (
        f"{BRAND}: welcome back, texts come when it's your turn. GAMES lists your tables. Msg&data rates may apply. "
        "HELP for help, STOP to opt out."
    )


def help_text(url: str = "") -> str:
    """What the carriers want of HELP: who we are, what it is, where to ask (`url`), what it costs, how to stop."""
    where = f" Help: {url.partition('://')[2] or url}." if url else ""
    full = (
        f"{BRAND}: card games by text, texts only when it's your turn.{where} COMMANDS lists the words. "
        "Msg&data rates may apply. STOP to opt out."
    )
    shorter = full.replace(" COMMANDS lists the words.", "")
    return fit(full, shorter, shorter.replace(where, "") if where else shorter)  # an address may be too long for it
