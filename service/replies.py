"""Answers to commands that change no game: opening a table, sitting down, and everything a player may ask to see.

One function for each command, in `COMMANDS`; a command that changes a game is in `service.play`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import select

from engine import bots
from engine.game import Game
from engine.registry import find, named
from service import addresses, alarms, chat, forms, instead, inviting, limits, presets, slow, spending, tables
from service.desk import Desk
from service.tables import INBOUND, OPEN, OVER, PLAYING, Problem, Sitter, Table
from service.text import account, house_text, house_words, render
from service.text.commands import Command
from service.text.gsm7 import fold
from service.text.speech import offered
from service.text.understand import Reading
from service.text.words import listed

Args = Mapping[str, str]

GREET_AGAIN = timedelta(hours=24)


def answer(desk: Desk, mine: Sequence[Table], table: Table | None, command: Command) -> str | None:
    """The answer to a command; None for silence."""
    if not mine and command.name not in SITS_DOWN:
        return stranger(desk)
    handler = COMMANDS.get(command.name)
    if handler is None:
        return render.unclear(table.code if table else "", command.name, None)
    if command.name in WITHOUT_TABLE:
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
        if reading.kind == "unclear":
            return _open(desk, table, render.not_understood(reading.hint))
        return _open(desk, table)
    return render.unclear(table.code, reading.hint, None)


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
    sat = select(tables.SEAT.c.id).where(tables.SEAT.c.player_id == player_id).limit(1)
    texted = select(INBOUND.c.id).where(INBOUND.c.player_id == player_id, INBOUND.c.table_id.is_not(None)).limit(1)
    return desk.conn.execute(sat).first() is not None or desk.conn.execute(texted).first() is not None


def fitting(name: str, live: Sequence[Table], player_id: int) -> list[Table]:
    """The tables where a command can be meant, of a player who sits at several."""
    if name == "bots":
        return [table for table in live if table.status == OPEN and table.host_id == player_id]
    if name == "deal":
        return [table for table in live if table.status == OPEN]
    if name in ("hint", "undo"):
        return [t for t in live if t.state is not None]
    if name in ("hand", "pile", "melds", "score", "table"):
        return [table for table in live if table.state is not None] or list(live)
    return list(live)


# Opening and sitting down


def new(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`new damn 500`: a table with the player on its first seat."""
    wanted = args.get("game", "").strip()
    offers = offered()
    game = find(wanted) if wanted else (offers[0] if len(offers) == 1 else None)
    if game is None or game not in offers:
        raise Problem(_which_game(desk, wanted))
    given = dict(word.partition("=")[::2] for word in args.get("options", "").split())
    if args.get("clash"):
        raise Problem(house_text.contrary(game, args["clash"]))
    if args.get("aside"):
        raise Problem(f"{game.title}: {args['aside']} Nothing is opened yet.")
    clock = [*args.get("clock", "").split(), *(given.pop(name) for name in ("pace", "late") if name in given)]
    pace, weekdays, rule = slow.read_clock(clock)
    players = args.get("players") or given.pop("players", "")
    unknown = args.get("unknown", "").split(", ") if args.get("unknown") else []
    if unknown:
        instead.ask(desk, unknown[0], house_words.near(game, unknown[0]))
        raise Problem(house_words.unknown(game, unknown[0]))
    kept = presets.base(desk, game, given.pop(presets.BASE)) if presets.BASE in given else {}
    wrong, near = tables.misnamed(game, given)
    if near:
        instead.ask(desk, wrong, [near])
    options = tables.options_from(game, kept | given)
    seats = _seats(game, players)
    tables.demand_table(game, options, seats)
    _room_this_month(desk)
    if sum(t.status in (OPEN, PLAYING) for t in mine) >= tables.MOST_TABLES:
        raise Problem(f"You sit at {tables.MOST_TABLES} tables already. LEAVE one first, such as {mine[0].code} LEAVE.")
    name = tables.clean_name(args["name"]) if args.get("name") else desk.player.name or "Host"
    if args.get("name"):
        desk.set_player(name=name)
    made = tables.open_table(
        desk.conn, desk.player.id, name, game, options, seats, desk.services.seeds(), desk.now, (pace, weekdays, rule)
    )
    desk.table_id = made.id
    return house_text.opened(made.code, game, options, seats, desk.player.name is None and not args.get("name"))


def _room_this_month(desk: Desk) -> None:
    """Nobody sits down any more once the service has used up its texts of the month."""
    if spending.takes_no_more(desk):
        raise Problem(account.full(spending.next_month(desk.now)))


def _which_game(desk: Desk, wanted: str) -> str:
    """The question which game is meant, with the nearest or all there are; it stays open."""
    known = [alias for game in offered() for alias in (game.title.lower(), *game.aliases)]
    near = tables.nearest(wanted, known) if wanted else None
    meant = find(near) if near else None
    said = f'I know no game "{fold(wanted)[:20]}". ' if wanted else "Which game? "
    meanings = [meant] if meant is not None else offered()
    instead.ask(desk, wanted, [house_words.short_name(game) for game in meanings], "new")
    if meant is not None:
        return f"{said}Did you mean NEW {house_words.short_name(meant)}?"
    return f"{said}There is {listed([f'{game.title} (NEW {house_words.short_name(game)})' for game in offered()])}."


def _seats(game: Game, players: str) -> int:
    if not players:
        return game.seats[0] if len(game.seats) == 1 else min(game.seats, key=lambda n: abs(n - 4))
    if players.isascii() and players.isdigit() and int(players[:4]) in game.seats:
        return int(players)
    allowed = str(game.seats[0]) if len(game.seats) == 1 else f"{game.seats[0]} to {game.seats[-1]}"
    raise Problem(f"{game.title} is for {allowed} players.")


def join(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str | None:
    """`join kf7 bea`: the first free seat of that table."""
    code = args.get("code", "").upper()
    form = forms.waiting_for(desk.conn, desk.player, desk.now, code)
    code = code or ("" if form is None else form.code)
    if form is not None and form.kind == forms.OPEN:
        return inviting.open_asked(desk, mine, form, new)
    if not code:
        raise Problem("JOIN and the code of the table, such as JOIN KF7 BEA. The one who opened it has the code.")
    if limits.guessing(desk):
        return None
    there = tables.by_code(desk.conn, code)
    if there is None:
        invited = tables.by_invite(desk.conn, code)
        if invited is not None:
            return take_over(desk, mine, *invited, code, args.get("name", ""))
    if there is None or there.status == tables.CLOSED:
        return limits.wrong_code(desk, fold(code)[:8], bool(mine))
    desk.table_id = there.id
    chosen, wanted = inviting.seat_and_name(there, args.get("name", ""))
    name = tables.clean_name(wanted) if wanted else desk.player.name
    if form is not None:  # what was filled in on the web
        forms.done(desk.conn, form, desk.now)
        chosen = form.seat if chosen is None else chosen
        name = name if wanted else form.name
    me = there.seat_of(desk.player.id)
    if me is not None:
        if wanted and name and name != me.name:
            tables.rename(desk.conn, desk.player.id, [(there, me)], name)
        return _again_here(desk, there, me)
    lent = next((s for s in there.sitters if s.player_id == desk.player.id), None)
    if there.status == PLAYING and lent is not None:
        return _take_back(desk, there, lent)
    if there.status != OPEN:
        raise Problem(f"{code} has begun already and all its seats are taken. NEW opens a table of your own.")
    _room_this_month(desk)
    if sum(t.status in (OPEN, PLAYING) for t in mine) >= tables.MOST_TABLES:
        raise Problem(f"You sit at {tables.MOST_TABLES} tables already. LEAVE one first, such as {mine[0].code} LEAVE.")
    if not there.free:
        bot = next((s for s in reversed(there.sitters) if s.bot), None)
        if bot is None:
            raise Problem(f"{code} is full: {listed([s.name for s in there.sitters])}. NEW opens a table of your own.")
        tables.stand_up(desk.conn, there, bot)  # a friend who comes late is better company
    others = [sitter for sitter in there.sitters if sitter.person]
    unnamed = name is None
    seat = tables.seat_for(desk.conn, there, desk.player.id)
    if chosen is not None and tables.make_room(desk.conn, there, chosen):
        seat = chosen
    called = tables.free_name(name or f"Guest{seat + 1}", [sitter.name for sitter in there.sitters])
    if wanted or desk.player.name is None:
        desk.set_player(name=name)
    me = Sitter(seat, called, desk.player.id, address=desk.player.address)
    tables.sit(desk.conn, there, me)
    for sitter in others:
        host = sitter.player_id == there.host_id
        desk.send(there, sitter, "arrived", render.arrived(there.code, called, there.free, host))
    host_name = next((s.name for s in there.sitters if s.player_id == there.host_id), there.sitters[0].name)
    answer = render.joined(
        there.code,
        there.game.title,
        [s.name for s in there.sitters if s is not me],
        there.free,
        called,
        host_name,
        unnamed,
    )
    return inviting.seat_gone(chosen, seat, answer)


def take_over(desk: Desk, mine: Sequence[Table], table_id: int, seat: int, code: str, wanted: str) -> str:
    """A friend takes the seat of somebody who is late, by the code of the invitation: the hand and the score are theirs."""
    there = tables.by_id(desk.conn, table_id)
    sitter = None if there is None else there.sitters[seat]
    if there is None or sitter is None or there.status != PLAYING or sitter.invite != code or sitter.left:
        raise Problem(f"The seat that {code} was for is not free any more. NEW DAMN opens a table of your own.")
    desk.table_id = there.id
    if sitter.player_id == desk.player.id:
        return render.fit(f"That is your own seat, and any move keeps it. {render.hand(desk.scene(there, seat))}")
    if any(s.player_id == desk.player.id for s in there.sitters):
        raise Problem(f"You have a seat at {there.code} already. Only somebody else can take {sitter.name}'s.")
    if sum(t.status in (OPEN, PLAYING) for t in mine) >= tables.MOST_TABLES:
        raise Problem(f"You sit at {tables.MOST_TABLES} tables already. LEAVE one first, such as {mine[0].code} LEAVE.")
    name = tables.clean_name(wanted) if wanted else desk.player.name
    called = tables.free_name(name or f"Guest{seat + 1}", [s.name for s in there.sitters if s is not sitter])
    if wanted or desk.player.name is None:
        desk.set_player(name=name)
    owner = replace(sitter)
    desk.send(there, owner, "notice", render.seat_taken(there.code, called, owner.name, own=True))
    tables.hand_over(desk.conn, there, sitter, desk.player.id, called, desk.now)
    sitter.address, sitter.zone, sitter.prefs = desk.player.address, desk.player.zone, dict(desk.player.prefs or {})
    sitter.last_inbound_at, sitter.opted_out = desk.now, False
    for other in there.people:
        if other is not sitter:
            desk.send(there, other, "notice", render.seat_taken(there.code, called, owner.name, own=False))
    alarms.begin(desk.conn, there, desk.now)
    tables.save(desk.conn, there, desk.now, desk.inbound_id)
    return render.took_seat(desk.scene(there, seat), called, owner.name, there.game.title)


def _again_here(desk: Desk, table: Table, me: Sitter) -> str:
    if table.status == OPEN:
        return _open(desk, table, "you sit here already.")
    return render.fit(f"You sit at {table.code} already. {render.hand(desk.scene(table, me.number))}")


def _take_back(desk: Desk, table: Table, lent: Sitter) -> str:
    """Somebody who left comes back; the bot has played the seat meanwhile."""
    tables.take_back(desk.conn, table, lent)
    for sitter in table.people:
        if sitter is not lent:
            desk.send(table, sitter, "notice", render.back(table.code, lent.name))
    return render.fit(f"Welcome back. {render.hand(desk.scene(table, lent.number))}")


def bots_(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`bots`, `bots 2`, `bots off`: the host fills the free seats."""
    if table.status != OPEN:
        raise Problem(f"{table.code} is dealt already; a bot takes the seat of whoever leaves.")
    host = next((s.name for s in table.people if s.player_id == table.host_id), "")
    if table.host_id != desk.player.id:
        return _open(desk, table, f"only {host}, who opened the table, can text BOTS.")
    count = args.get("n", "")
    if count == "off":
        gone = tables.dismiss_bots(desk.conn, table)
        return _open(desk, table, f"{gone or 'no'} bot{'' if gone == 1 else 's'} sent away.")
    if not table.free:
        return render.fit(f"{table.code}: every seat is taken. DEAL starts.")
    if count and not (count.isascii() and count.isdigit() and 1 <= int(count[:4]) <= table.free):
        raise Problem(
            f"{table.code} has {table.free} free seat{'' if table.free == 1 else 's'}: BOTS fills them, BOTS 1 sits one down."
        )
    seated = tables.fill_with_bots(desk.conn, table, int(count) if count else None)
    who = f"{seated} bot{'s sit' if seated > 1 else ' sits'} down"
    return _open(desk, table, f"{who}.")


def rematch(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str | None:
    """The same people, seats and house rules again."""
    if table.status != OVER:
        raise Problem(f"{table.code} isn't over yet. REMATCH works when it is; NEW opens another table.")
    me = table.seat_of(desk.player.id)
    if me is None:
        raise Problem(render.no_table())
    if table.rematch_id is None:
        _room_this_month(desk)
    again, made = tables.rematch(desk.conn, table, desk.player.id, desk.services.seeds(), desk.now)
    desk.table_id = again.id
    if made:
        tables.save(desk.conn, table, desk.now, desk.inbound_id)
        for sitter in table.people:
            if sitter is not me:
                desk.send(again, sitter, "notice", render.play_again(again.code, me.name, table.game.title))
    elif again.seat_of(desk.player.id) is None:
        return join(desk, mine, table, {"code": again.code})
    return _open(desk, again, f"{again.game.title} again!")


def _open(desk: Desk, table: Table, lead: str = "") -> str:
    names = [s.name for s in table.sitters]
    return render.open_table(table.code, table.game.title, names, table.free, table.host_id == desk.player.id, lead)


# Seeing


def _seen(show: Callable[[render.Scene], str]) -> Callable[[Desk, Sequence[Table], Table, Args], str]:
    """A command that shows a table as the player's seat sees it."""

    def handler(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
        me = table.seat_of(desk.player.id)
        if table.state is None:
            return _open(desk, table)
        if me is None:
            raise Problem(render.no_table())
        return show(desk.scene(table, me.number))

    return handler


def hand(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The player's hand, until when they should play, and what they have planned."""
    me = table.seat_of(desk.player.id)
    if table.state is None or me is None:
        return _seen(render.hand)(desk, mine, table, args)
    alarms.deadline_of(desk.conn, table, me.number)
    scene = desk.scene(table, me.number)
    news = table.news_for(me) if scene.mine else []
    answer = render.hand(scene, me.plan or "", news)
    if not news:
        return answer
    if not any(cards in answer for cards in (scene.speech.hand(scene.view), scene.speech.short_hand(scene.view))):
        return render.hand(scene, me.plan or "")  # no room for both: it is the cards that were asked for
    tables.save_told(desk.conn, table, [me.number])  # the text that told of several turns at once did not tell them
    return answer


def score(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The score, and how many hands bots have played for people."""
    played = {s.name: s.bot_hands for s in table.sitters if s.player_id is not None and s.bot_hands}
    return _seen(partial(render.score, bot_hands=played))(desk, mine, table, args)


def who(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """Who sits where, and whose turn it is."""
    if table.state is None:
        return _open(desk, table)
    sides = table.game.sides(table.options, table.seat_count)
    bot_seats = {s.number for s in table.sitters if not s.person}
    said = [
        " and ".join(table.names[seat] + (" (bot)" if seat in bot_seats else "") for seat in side) for side in sides
    ]
    waiting = table.due
    turn = f"{listed([table.names[seat] for seat in waiting])}'s turn." if waiting else "The game is over."
    if all(len(side) == 1 for side in sides):
        return render.fit(f"{table.code}: {', '.join(said)}, in this order. {turn}")
    order = f"Order: {', '.join(table.names)}."
    return render.fit(f"{table.code}: {' against '.join(said)}. {order} {turn}")


def games(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """The player's tables, with whose turn it is."""
    said = []
    for t in mine:
        me = t.seat_of(desk.player.id)
        if t.status == OPEN:
            said.append(
                f"{t.code} {t.game.title}: {t.free} seats free" if t.free else f"{t.code} {t.game.title}: ready to deal"
            )
        elif t.status == OVER or t.state is None:
            said.append(f"{t.code} over")
        else:
            turns = t.due
            whose = (
                "your turn"
                if me is not None and me.number in turns
                else f"{t.names[turns[0]]}'s turn"
                if turns
                else "over"
            )
            since = "" if t.turn_since is None else f" since {slow.wall(desk, t.turn_since)}"
            said.append(f"{t.code} {whose}{since}")
    return (
        render.fit(
            f"Your tables: {'; '.join(said)}. Begin a text with the code to choose one, as in {mine[0].code} HAND."
        )
        if len(said) > 1
        else render.fit(f"Your table: {said[0]}.")
    )


def rules(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`rules`, `rules pile`."""
    if table is None:
        table = mine[-1]
    return render.rules(table.code, table.game, table.options, args.get("topic", ""))


def options(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`options`: the house rules of the table, those that are unusual; `options all`: every one."""
    show = house_text.all_options if args.get("about") == house_text.ALL else house_text.options
    return show(table.code, table.game, table.options, int(args.get("page", "1")))


def house(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`options 500`: the house rules that a game has."""
    return house_text.of_game(named(args["game"]), int(args.get("page", "1")))


def hint(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """What can be done now, and what a careful player might do."""
    me = table.seat_of(desk.player.id)
    if table.state is None or me is None:
        return _open(desk, table)
    scene = desk.scene(table, me.number)
    return render.hint(scene, bots.choose(scene.view, list(scene.legal)) if scene.legal else None)


def why(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """The rule behind the player's last refusal at this table."""
    last = desk.conn.execute(
        select(INBOUND.c.kind)
        .where(INBOUND.c.player_id == desk.player.id, INBOUND.c.table_id == table.id, INBOUND.c.kind.like("%refused:%"))
        .order_by(INBOUND.c.received_at.desc(), INBOUND.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    return render.why(table.code, last.rsplit(":", 1)[1] if last else "", table.game, table.options)


def commands(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """The words there are."""
    return render.commands("" if table is None else table.game.name)


def standin(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`let the bot play`: how a seat goes to a bot and comes back."""
    return render.stand_in(table.code)


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
    "new": new,
    "join": join,
    "bots": bots_,
    "rematch": rematch,
    "hand": hand,
    "table": _seen(render.table),
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
        )
    )
    | frozenset(("house", "presets", "delete"))
    | slow.WITHOUT_TABLE
)
