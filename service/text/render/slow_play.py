"""Slow play: reminders, clocks that have run out, seats that are lent or taken."""

from collections.abc import Sequence

from engine.game import Event
from service.text.render.fitting import BRAND, TWO, fit, join
from service.text.render.scene import Scene, with_hand
from service.text.words import listed

_LATE = {
    "wait": "The table waits; NUDGE {name} reminds them.",
    "bot": "If nothing comes by {then}, a bot plays the hand for now.",
    "invite": "If nothing comes by {then}, a friend can take the seat.",
}


def yours_again(codes: Sequence[str]) -> str:
    """A bot has given the seat back."""
    return f"The bot at {listed(list(codes))} has given you your seat back."


def reminder(scene: Scene, news: Sequence[Event]) -> str:
    """It is still this seat's turn: all that the turn's own text said, as it is now."""
    return with_hand(scene, f"{scene.code}: still your turn.", news)


def reminders(waiting: Sequence[tuple[str, str]]) -> str:
    """Several tables wait for one player: code, and since when."""
    listed_all = ", ".join(f"{code} since {since}" for code, since in waiting)
    return fit(
        f"{len(waiting)} tables wait for you: {listed_all}. Text {waiting[0][0]} HAND to see your cards there.",
        f"{len(waiting)} tables wait for you: {', '.join(code for code, _ in waiting)}. Text {waiting[0][0]} HAND.",
    )


def turns(codes: Sequence[str]) -> str:
    """It has become somebody's turn at several tables."""
    return fit(f"Your turn at {len(codes)} tables: {', '.join(codes)}. Text {codes[0]} HAND to see your cards there.")


def late(code: str, name: str, when: str, rule: str, then: str, gone: bool = False) -> str:
    """To the others: whose clock has run out, and what will happen. `gone`: twice in a row, so that they count as away."""
    what = _LATE[rule].format(name=name.upper(), then=then)
    if gone and rule == "wait":
        what = f"{name} seems to be away; no clock runs until {name} is back."
    return fit(f"{code}: {name}'s time was up {when}. {what}")


def you_are_late(code: str, rule: str, then: str, gone: bool = False) -> str:
    """To the one who is late, where something will happen, or who counts as away from now on."""
    what = {"bot": "a bot plays your hand until you text", "invite": "a friend of the table may take your seat"}.get(
        rule
    )
    if what is None:
        return fit(
            f"{code}: you missed two turns in a row, so your clocks stand still as if you were away. BACK, or any move, starts them again."
        )
    away = " Two missed: your other clocks stand still. BACK starts them." if gone else ""
    return fit(
        f"{code}: your time is up. If you don't play by {then}, {what}.{away} Any move keeps your seat: HAND shows your cards.",
        f"{code}: your time is up. If you don't play by {then}, {what}.{away} Any move keeps your seat.",
    )


def seems_away(code: str, name: str) -> str:
    """To the others at the tables of somebody who has missed two clocks elsewhere."""
    return fit(f"{code}: {name} seems to be away; no clock runs until {name} is back.")


def lent(code: str) -> str:
    """To the owner of a seat on which a bot sits now."""
    return fit(f"{code}: a bot plays for you now. Any text from you takes your seat back.")


def seat_taken(code: str, name: str, owner: str, own: bool) -> str:
    """A friend has taken a seat by its code: to its owner, and to the others."""
    if own:
        return fit(f"{code}: {name} plays your seat now. Thanks for the cards so far! NEW DAMN opens a table.")
    return fit(f"{code}: {name} takes {owner}'s seat and plays on.")


def took_seat(scene: Scene, name: str, owner: str, title: str) -> str:
    """To the friend: the score, and the hand to play on."""
    head = f"{BRAND} {scene.code}: hello {name}! {title}, in {owner}'s seat."
    scores = scene.speech.game_scores(scene.view, scene.names)
    turn_ = "Your turn." if scene.mine else f"{scene.whose}'s turn."
    ways = scene.speech.can(scene.view, scene.legal) if scene.mine else ""
    until = f"By {scene.until}." if scene.until else ""
    law = "STOP to opt out, HELP for help."
    whole = [scene.speech.now(scene.view), scene.speech.short_hand(scene.view)]
    return fit(
        join(head, scores, turn_, *whole, ways, until, law), join(head, scores, turn_, *whole, law), ordinary=TWO
    )


def seat_open(code: str, name: str, seat_code: str, own: bool) -> str:
    """A late seat may be taken by a friend who has this code."""
    if own:
        return fit(f"{code}: your seat may now be taken by a friend of the table. Any move of yours keeps it.")
    return fit(f"{code}: {name} is very late. A friend can take the seat: have them text JOIN {seat_code}.")


def away(name: str, until: str, code: str, deadline: str = "") -> str:
    """To the others: somebody is away, and the new deadline of their turn where it is theirs."""
    moved = f" Their turn is due by {deadline}." if deadline else " Their clock stands still."
    return fit(f"{code}: {name} is away until {until}.{moved}")
