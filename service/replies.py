"""Answers to commands that change no game: everything a player may ask to see or set.

One function for each command, in `COMMANDS`; opening a table and sitting down are in `service.sitting`, a command that changes
a game is in `service.play`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import select

from engine import bots
from engine.registry import named
from service import addresses, alarms, chat, inviting, limits, presets, sitting, slow, spending, stored, tables
from service import welcoming as newcomers
from service.desk import Desk
from service.fitting import for_oneself
from service.stored import INBOUND, OPEN, OVER, Table
from service.tables import Problem
from service.text import changing, house_text, learning, render, welcoming
from service.text.commands import Command
from service.text.understand import Reading
from service.text.words import listed

Args = Mapping[str, str]

GREET_AGAIN = timedelta(hours=24)
_KIN = r"(?:grandma|grandpa|granny|nana|aunt|auntie|uncle|mr|mrs|miss|ms|mama|papa|big|old|little|dr|cousin|sister|brother)"
BARE_NAME = re.compile(
    r"(?:(?:hi|hello|hey|it's|its|i'm|i am|this is|ok)[ ,]+)*(?:you can call me |call me )?(?P<name>(?!(?:what|who|why|how|when|where|huh|lol|idk|sorry|wait|nothing|hello|hi|hey|hiya|howdy|hallo|hola|greetings|play|start|go|ready|deal|begin"
    r"|next|back|again|done|test|testing|please|yes|no|okay|help|thanks|later|now|here|same|new|joined|done|continue|me|bots?|cards?|leave|link|code|name|none|nobody|guest|rules|games?|everyone|everybody|all|there|guys|folks|ladies|friends?|family|good|wow|great|cool|nice|sure|yep|yeah|nope|hm+|oh|ah)\b)"
    rf"(?:{_KIN} )?[^\W\d_][^\W_]{{1,11}})(?: here| speaking)?",
    re.IGNORECASE,
)


def answer(desk: Desk, mine: Sequence[Table], table: Table | None, command: Command) -> str | None:
    """The answer to a command; None for silence."""
    if not mine and command.name not in SITS_DOWN:
        told = newcomers.stranger(desk, command, _has_played(desk))
        return stranger(desk) if told is None and desk.kind != "stranger" else told
    handler = COMMANDS.get(command.name)
    if handler is None:
        return render.unclear(table.code if table else "", command.name, None)
    if command.name in WITHOUT_TABLE or for_oneself(command):
        return handler(desk, mine, table, command.args)
    if table is None:
        raise Problem(render.no_table())
    return handler(desk, mine, table, command.args)


def lost(desk: Desk, mine: Sequence[Table], table: Table | None, reading: Reading) -> str | None:
    """A text that is no command, from somebody who is at no table, or whose table has not begun or is over."""
    if not mine:
        return stranger(desk)
    if table is None:
        return render.no_table()
    if table.status == OPEN:
        if reading.kind in ("unclear", "refused", "ask") and (name := told_name(desk, table)):
            desk.kind = "command"
            return answer(desk, mine, table, Command("name", {"name": name}))
        if reading.kind == "unclear":
            return sitting.what_is_open(desk, table, render.not_understood(reading.hint))
        return sitting.what_is_open(desk, table)
    return render.unclear(table.code, reading.hint, None)


def told_name(desk: Desk, table: Table) -> str:
    """The one word that a guest without a name, who has just been asked for it, has answered with; else ""."""
    me = table.seat_of(desk.player.id)
    if desk.player.name is not None or me is None or not me.name.startswith("Guest") or desk.sms is None:
        return ""
    found = BARE_NAME.fullmatch(desk.sms.body.strip(" .!"))
    return found["name"] if found and len(found["name"]) <= tables.NAME_LENGTH else ""


def stranger(desk: Desk) -> str | None:
    """The one fixed text to somebody who sits nowhere: once a day for each, and so many a day for the whole service."""
    player = desk.player
    if _has_played(desk):
        return render.no_table()
    if player.greeted_at is not None and desk.now - player.greeted_at < GREET_AGAIN:
        desk.kind = "stranger"
        return None
    if spending.takes_no_more(desk) or not limits.stranger_may_be_answered(desk):
        desk.kind = "stranger"
        return None
    desk.set_player(greeted_at=desk.now)
    return render.welcome()


def _has_played(desk: Desk) -> bool:
    """Whether the player has ever sat somewhere; the seat may be somebody else's by now."""
    player_id = desk.player.id
    sat = select(stored.SEAT.c.id).where(stored.SEAT.c.player_id == player_id).limit(1)
    texted = select(INBOUND.c.id).where(INBOUND.c.player_id == player_id, INBOUND.c.table_id.is_not(None)).limit(1)
    return desk.conn.execute(sat).first() is not None or desk.conn.execute(texted).first() is not None


# Seeing


def _seen(show: Callable[[render.Scene], str]) -> Callable[[Desk, Sequence[Table], Table, Args], str]:
    """A command that shows a table as the player's seat sees it."""

    def handler(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
        me = table.seat_of(desk.player.id)
        if table.state is None:
            return sitting.what_is_open(desk, table)
        if me is None:
            raise Problem(render.no_table())
        return show(desk.scene(table, me.number))

    return handler


def hand(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The player's hand, until when they should play, and what they have planned."""
    me = table.seat_of(desk.player.id)
    if table.state is None or me is None:
        return _seen(render.hand)(desk, mine, table, args)
    if args.get("about") == "passed":
        return render.passed(desk.scene(table, me.number))
    alarms.deadline_of(desk.conn, table, me.number)
    scene = desk.scene(table, me.number)
    news = table.news_for(me) if scene.mine else []
    answer = render.hand(scene, me.plan or "", news)
    if not news:
        return answer
    if not any(cards in answer for cards in (scene.speech.hand(scene.view), scene.speech.short_hand(scene.view))):
        return render.hand(scene, me.plan or "")  # no room for both: it is the cards that were asked for
    stored.save_told(desk.conn, table, [me.number])  # the text that told of several turns at once did not tell them
    desk.told_now(table)
    return answer


def board(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """Everything that is public, or where one card is that is asked about."""
    about = args.get("about", "")
    return _seen(partial(render.whereabouts, name=about) if about else render.table)(desk, mine, table, args)


def score(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The score, and how many hands bots have played for people."""
    played = {s.name: s.bot_hands for s in table.sitters if s.player_id is not None and s.bot_hands}
    return _seen(partial(render.score, bot_hands=played))(desk, mine, table, args)


def who(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """Who sits where, and whose turn it is."""
    if table.state is None:
        return sitting.what_is_open(desk, table)
    sides = table.game.sides(table.options, table.seat_count)
    bot_seats = {s.number for s in table.sitters if not s.person}
    said = [
        " and ".join(table.names[seat] + (" (bot)" if seat in bot_seats else "") for seat in side) for side in sides
    ]
    waiting = table.due
    me = table.seat_of(desk.player.id)
    yours = ("That's you." if len(waiting) == 1 else "Yours, too.") if me is not None and me.number in waiting else ""
    whose = f"{listed([table.names[seat] for seat in waiting])}'s turn." if waiting else "The game is over."
    turn = f"{whose} {yours}".rstrip()
    if all(len(side) == 1 for side in sides):
        return render.fit(f"{table.code}: {', '.join(said)}, in this order. {turn}")
    order = f"Order: {', '.join(table.names)}."
    return render.fit(f"{table.code}: {' against '.join(said)}. {order} {turn}")


def games(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """The player's tables, with whose turn it is; `what games are there`: what can be played."""
    if args.get("about") == house_text.ALL:
        return welcoming.games()
    said = [f"{t.code} {_how_far(desk, t)}" for t in mine]
    if len(said) == 1:
        return render.fit(f"Your table: {said[0]}.")
    return render.fit(
        f"Your tables: {'; '.join(said)}. Begin a text with the code to choose one, as in {mine[0].code} HAND."
    )


def _how_far(desk: Desk, table: Table) -> str:
    """Where a table stands, in a few words: `Hearts: 2 seats free`, `Bea's turn since 3pm`, `over`."""
    if table.status == OPEN:
        return f"{table.game.title}: {f'{table.free} seats free' if table.free else 'ready to deal'}"
    if table.status == OVER or table.state is None:
        return "over"
    me, turns = table.seat_of(desk.player.id), table.due
    whose = f"{table.names[turns[0]]}'s turn" if turns else "over"
    if me is not None and me.number in turns:
        whose = "your turn"
    return whose if table.turn_since is None else f"{whose} since {slow.wall(desk, table.turn_since)}"


def rules(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`rules`, `rules pile`: the rules of the table, or of the player's last one; all in short, or one topic."""
    if table is None:
        table = mine[-1]
    return render.rules(table.code, table.game, table.options, args.get("topic", ""))


def options(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`options`: the house rules of the table, those that are unusual; `options all`: every one."""
    if args.get("about") == changing.CHANGE:
        host = (
            ""
            if table.host_id == desk.player.id
            else next((s.name for s in table.sitters if s.player_id == table.host_id), "")
        )
        return changing.rules_stay(table.code, table.game, host, dealt=table.state is not None)
    show = house_text.all_options if args.get("about") == house_text.ALL else house_text.options
    return show(table.code, table.game, table.options, int(args.get("page", "1")))


def house(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`options 500`: the house rules that a game has."""
    return house_text.of_game(named(args["game"]), int(args.get("page", "1")))


def hint(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """What can be done now, and what a careful player might do."""
    me = table.seat_of(desk.player.id)
    if table.state is None or me is None:
        return sitting.what_is_open(desk, table)
    if table.status == OVER:
        return welcoming.over(table.code)
    scene = desk.scene(table, me.number)
    return render.hint(scene, bots.choose(scene.view, list(scene.legal)) if scene.legal else None)


def why(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The rule behind the player's last refusal at this table; where nothing was refused just now, behind what they ask about."""
    last = desk.conn.execute(
        select(INBOUND.c.kind)
        .where(INBOUND.c.player_id == desk.player.id, INBOUND.c.table_id == table.id, INBOUND.c.kind.like("%refused:%"))
        .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    if about := learning.reason(desk.sms.body if desk.sms is not None else "", table.game):
        before = select(INBOUND.c.kind).where(INBOUND.c.player_id == desk.player.id, INBOUND.c.id != desk.inbound_id)
        if "refused:" not in (desk.conn.execute(before.order_by(INBOUND.c.id.desc()).limit(1)).scalar() or ""):
            return render.rules(table.code, table.game, table.options, about)
    return render.why(table.code, last.rsplit(":", 1)[1] if last else "", table.game, table.options)


def commands(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """The words there are."""
    return render.commands("" if table is None else table.game.name)


def standin(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`let the bot play`: how a seat goes to a bot and comes back."""
    return render.stand_in(table.code)


def howto(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`how do I say something to the others`: how that command is used."""
    return render.how_to(table.code, args["about"], table.game)


def newphone(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`I have a new number`: who can give a seat to it."""
    return changing.new_number(table.code, desk.services.settings.public_url)


# Talking, and a player's own settings


def cost(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """For the host: how many texts and segments the table has taken, and what such a game takes."""
    if table.host_id != desk.player.id:
        host = next((s.name for s in table.people if s.player_id == table.host_id), "who opened the table")
        raise Problem(f"{table.code}: COST is for {host}. SCORE tells how the game goes.")
    return spending.told(desk, table)


def _preference(name: str, values: Mapping[str, Any], said: Mapping[str, str], default: Any) -> Callable[..., str]:
    """A command that keeps one of the player's own settings, or shows it; `said` is the answer for each value."""

    def handler(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
        value = args.get("value", "").lower()
        prefs = dict(desk.player.prefs or {})
        if not value:
            now = prefs.get(name, default)
            shown = next((word for word, kept in values.items() if kept == now), next(iter(values)))
            return render.fit(f"{said[shown]} {listed([f'{name} {word}'.upper() for word in values], 'or')} sets it.")
        if value not in values:
            raise Problem(f"{name.upper()} can be {listed([word.upper() for word in values], 'or')}.")
        desk.set_player(prefs=prefs | {name: values[value]})
        return said[value]

    return handler


def name(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`name bea`: what others call the player."""
    wanted = args.get("name", "")
    if not wanted:
        return render.fit(f"You are {desk.player.name or 'unnamed'}. NAME and a name changes it, such as NAME BEA.")
    called = tables.clean_name(wanted)
    seats = [(t, s) for t in mine if (s := t.seat_of(desk.player.id)) is not None]
    tables.rename(desk.conn, desk.player.id, seats, called)
    here = sorted({s.name for _, s in seats} - {called})
    return render.fit(f"You are {called} now." + (f" ({listed(here)} where there is another.)" if here else ""))


UPDATES = {
    "turn": "You get a text when it's your turn, at a round's end, and when somebody is down to one card.",
    "all": "You get a text after every turn of the others.",
}
AUTO = {
    "on": "Moves that leave no choice are made for you.",
    "off": "No move is made for you, even where there is no choice.",
}
BLIND = {
    "on": "In Spades you are asked to LOOK or BID BLIND before you see your hand.",
    "off": "In Spades your hand comes at once from the next deal on, and you don't bid blind. BLIND ON asks you again.",
}
ANSWERS = {
    "on": "Every play of yours is answered.",
    "off": "A play that is clear gets no answer: your next turn says how it went. What can't be done is still answered.",
}

COMMANDS: dict[str, Callable[..., str | None]] = {
    **sitting.COMMANDS,
    **newcomers.COMMANDS,
    "hand": hand,
    "table": board,
    "score": score,
    "pile": _seen(render.pile),
    "melds": _seen(render.melds),
    "who": who,
    "games": games,
    "invite": inviting.invite,
    "rules": rules,
    "options": options,
    "house": house,
    "save": presets.save,
    "presets": presets.presets,
    "delete": presets.drop,
    "hint": hint,
    "why": why,
    "commands": commands,
    "standin": standin,
    "howto": howto,
    "newphone": newphone,
    "help": commands,
    **chat.COMMANDS,
    "cost": cost,
    "name": name,
    "updates": _preference("updates", {"turn": "turn", "all": "all"}, UPDATES, "turn"),
    **slow.COMMANDS,
    "auto": _preference("auto", {"on": True, "off": False}, AUTO, True),
    **addresses.COMMANDS,
    "answers": _preference("answers", {"on": True, "off": False}, ANSWERS, True),
    "blind": _preference("blind", {"on": True, "off": False}, BLIND, True),
}
SITS_DOWN = frozenset(("new", "join", "house", "presets", "delete"))
WITHOUT_TABLE = (
    frozenset(
        (
            "new",
            "join",
            "games",
            "rules",
            "commands",
            "help",
            "name",
            "updates",
            "auto",
            "answers",
            "blind",
            "mute",
            "block",
            "newcomer",
        )
    )
    | frozenset(("house", "presets", "delete"))
    | slow.WITHOUT_TABLE
)
