"""Texts about talk, about what texts cost, and about what is kept of a player."""

from collections.abc import Sequence

from service.text.gsm7 import clip, fold
from service.text.render import BRAND, TWO, fit, join
from service.text.words import listed

# Talk


def sent_on(code: str, names: Sequence[str], later: Sequence[tuple[str, str]] = (), cut: bool = False) -> str:
    """To who has said something: who has it, and who gets it in the morning (a name, and when)."""
    now = f"sent to {listed(list(names))}." if names else ""
    short = "Cut short: it was too long." if cut else ""
    whens = list(dict.fromkeys(when for _, when in later))
    waits = [
        f"{listed([name for name, then in later if then == when])} {'gets' if len(group) == 1 else 'get'} it {when}."
        for when in whens
        for group in [[name for name, then in later if then == when]]
    ]
    first = join(now, *waits, short)
    return fit(f"{code}: {first}", f"{code}: {join(now, f'{len(later)} get it later.' if later else '', short)}")


def nobody_hears(code: str) -> str:
    """Talk that would reach nobody."""
    return fit(f"{code}: nobody here would get that: the others are bots, or have stopped all texts.")


def no_talk() -> str:
    """Where the service passes on no words of players."""
    return f"{BRAND} passes on no messages. Everything of the game is told to all at the table."


def no_links() -> str:
    """Talk with an address in it."""
    return "Links can't be passed on: phone companies stop such texts. Please say it in other words."


def enough_waits(code: str, names: Sequence[str]) -> str:
    """Talk to people who have yet to wake up to what was said before."""
    return fit(f"{code}: {listed(list(names))} can't be woken now, and enough waits for the morning already.")


def muted(name: str, off: bool) -> str:
    """No more talk of one player, or again."""
    if off:
        return fit(f"You get what {name} SAYs again.")
    return fit(f"You no longer get what {name} SAYs. UNMUTE {name} brings it back.")


def blocked(name: str, off: bool) -> str:
    """Nothing at all from one player, or again. They are not told."""
    if off:
        return fit(f"{name} may text you by SAY and NUDGE again.")
    return fit(f"{name} can't reach you by SAY or NUDGE any more, and isn't told so. UNBLOCK {name} undoes it.")


def blocks(names: Sequence[str]) -> str:
    """Whom somebody has blocked."""
    if not names:
        return "You have blocked nobody. BLOCK and a name, and nothing they SAY reaches you, and no NUDGE of theirs."
    return fit(f"You have blocked {listed(list(names))}. UNBLOCK and the name undoes it.", most=TWO)


def nobody_called(name: str, names: Sequence[str]) -> str:
    """A name that nobody at these tables has."""
    with_you = f" With you are {listed(list(names))}." if names else ""
    return fit(f'There is nobody called "{clip(fold(name), 20)}" at your tables.{with_you}')


# Cost


def cost(
    code: str, title: str, texts: int, parts: int, month: int, usual: int | None, price: str = "", total: str = ""
) -> str:
    """What a table has taken so far, and in this month; what such a game usually takes. `price` is of a segment."""
    so_far = f"{texts} text{'' if texts == 1 else 's'}, {parts} segment{'' if parts == 1 else 's'} so far"
    money = f" That is {total}, at {price} each." if price else ""
    such = (
        f" A whole game of {title} takes {usual} on average."
        if usual is not None
        else f" No game of {title} has ended yet."
    )
    return fit(f"{code}: {so_far}, {month} of them this month.{money}{such}", f"{code}: {so_far}.{money}{such}")


def near_cap(used: int, cap: int, until: str) -> str:
    """To a player who has nearly used up the texts of a month."""
    return fit(f"You have had {used} of {cap} texts for this month. After that only what matters comes until {until}.")


def at_cap(until: str) -> str:
    """To one who has used them up."""
    return fit(
        f"Your texts of this month are used up: reminders and updates stop until {until}, your turns still come."
    )


def over_cap(until: str) -> str:
    """To one who is far over: before even turns stop."""
    return fit(
        f"Far over this month's texts: only your turns come until {until}, and soon only answers. HAND shows your game."
    )


def full(until: str) -> str:
    """To somebody who wants to open a table or sit down when the service has used up its month."""
    return fit(f"{BRAND} has used up its texts for this month. New tables and players again from {until}. Games go on.")


# What is kept of a player


def forget(codes: Sequence[str]) -> str:
    """The question before it: what will happen."""
    seats = f" A bot takes your seat at {listed(list(codes))}." if codes else ""
    return fit(
        f"This deletes your number, name, texts and settings for good.{seats} Nobody can undo it. To do it, text FORGET ME NOW.",
        f"This deletes your number, name, texts and settings for good. Bots take your {len(codes)} seats. To do it, text FORGET "
        "ME NOW.",
    )


def only_by_text() -> str:
    """To FORGET ME on a page."""
    return "That works only by text, from your own phone: FORGET ME."


def forgotten() -> str:
    """The last text to somebody."""
    return (
        f"{BRAND}: your number, name and texts are deleted. Good bye! A text from you would be one from somebody new."
    )


def taken_out(code: str, called: str, after: str, free: int) -> str:
    """To the others, without a name: somebody is gone for good, in a game (`called`: the bot) or before the deal."""
    if not called:
        return fit(f"{code}: somebody left for good. {free} seat{'' if free == 1 else 's'} free.")
    return fit(f"{code}: somebody asked to be forgotten and left. A bot plays on as {called}, next after {after}.")
