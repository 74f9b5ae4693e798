"""Opening a table, sitting down at it, filling it with bots, taking somebody's seat, and playing again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.game import Game
from engine.registry import find
from service import alarms, forms, instead, inviting, limits, presets, slow, spending, stored, tables
from service.desk import Desk
from service.stored import OPEN, OVER, PLAYING, Sitter, Table
from service.tables import Problem
from service.text import account, asking, changing, codes, house_text, house_words, render, welcoming
from service.text.gsm7 import fold
from service.text.speech import offered
from service.text.words import listed

Args = Mapping[str, str]


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
    _demand_room(desk, mine)
    name = tables.clean_name(args["name"]) if args.get("name") else desk.player.name or "Host"
    if args.get("name"):
        desk.set_player(name=name)
    made = tables.open_table(
        desk.conn, desk.player.id, name, game, options, seats, desk.services.seeds(), desk.now, (pace, weekdays, rule)
    )
    desk.table_id = made.id
    if args.get("bots"):
        return _with_bots(desk, made.id, args["bots"])
    return house_text.opened(made.code, game, options, seats, desk.player.name is None and not args.get("name"))


def _with_bots(desk: Desk, table_id: int, count: str) -> str:
    """Bots sit down at a table as it is opened: so many, or on all seats but the host's."""
    table = stored.by_id(desk.conn, table_id)
    assert table is not None, "it has just been opened"
    seated = tables.fill_with_bots(desk.conn, table, min(int(count), table.free) if count.isdigit() else None)
    return asking.opened(table.code, table.game.title, seated, table.free)


def _room_this_month(desk: Desk) -> None:
    """Nobody sits down any more once the service has used up its texts of the month."""
    if spending.takes_no_more(desk):
        raise Problem(account.full(spending.next_month(desk.now)))


def _demand_room(desk: Desk, mine: Sequence[Table]) -> None:
    """Problem where nobody sits down any more this month, or the player sits at as many tables as one may."""
    _room_this_month(desk)
    if sum(t.status in (OPEN, PLAYING) for t in mine) >= tables.MOST_TABLES:
        raise Problem(f"You sit at {tables.MOST_TABLES} tables already. LEAVE one first, such as {mine[0].code} LEAVE.")


def _which_game(desk: Desk, wanted: str) -> str:
    """The question which game is meant, with the nearest or all there are; it stays open."""
    known = [alias for game in offered() for alias in (game.title.lower(), *game.aliases)]
    near = tables.nearest(wanted, known) if wanted else None
    meant = find(near) if near else None
    said = f'I know no game "{fold(wanted)[:20]}". '
    meanings = [meant] if meant is not None else offered()
    asked = desk.sms is not None and desk.sms.body.casefold().lstrip().startswith(("do ", "have ", "is "))
    instead.ask(desk, "" if asked else wanted, [house_words.short_name(game) for game in meanings], "new")
    if meant is not None:
        return f"{said}Did you mean NEW {house_words.short_name(meant)}?"
    return welcoming.which_game(fold(wanted)[:20])


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
    there = stored.by_code(desk.conn, code) or stored.by_code(desk.conn, codes.misread(code))
    if there is None:
        invited = tables.by_invite(desk.conn, code)
        if invited is not None:
            return take_over(desk, mine, *invited, code, args.get("name", ""))
    if there is None or there.status == stored.CLOSED:
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
        raise Problem(_begun(desk, there, wanted.strip()))
    _demand_room(desk, mine)
    answer = _sit_down(desk, there, chosen, name)
    if wanted or desk.player.name is None:
        desk.set_player(name=name)
    return answer


def _begun(desk: Desk, there: Table, wanted: str) -> str:
    """Why nobody new sits down at a table whose game has begun; `wanted` is the name that was given, or ""."""
    named = (s.name for s in there.people if s.name.casefold() == wanted.casefold())
    own = next(named, "") if there.status == PLAYING else ""
    if own:
        return changing.plays_elsewhere(there.code, own, desk.services.settings.public_url)
    return f"{there.code} has begun already and all its seats are taken. NEW opens a table of your own."


def _sit_down(desk: Desk, there: Table, chosen: int | None, name: str | None) -> str:
    """A seat for the player at a table that is being filled, by this name or as a guest; the others are told."""
    if not there.free:
        bot = next((s for s in reversed(there.sitters) if s.bot), None)
        if bot is None:
            full = listed([s.name for s in there.sitters])
            raise Problem(f"{there.code} is full: {full}. NEW opens a table of your own.")
        tables.stand_up(desk.conn, there, bot)  # a friend who comes late is better company
    others = [sitter for sitter in there.sitters if sitter.person]
    seat = tables.seat_for(desk.conn, there, desk.player.id)
    if chosen is not None and tables.make_room(desk.conn, there, chosen):
        seat = chosen
    called = tables.free_name(name or f"Guest{seat + 1}", [sitter.name for sitter in there.sitters])
    me = Sitter(seat, called, desk.player.id, address=desk.player.address)
    tables.sit(desk.conn, there, me)
    for sitter in others:
        host = sitter.player_id == there.host_id
        desk.send(there, sitter, "arrived", render.arrived(there.code, called, there.free, host))
    host_name = next((s.name for s in there.sitters if s.player_id == there.host_id), there.sitters[0].name)
    company = [s.name for s in there.sitters if s is not me]
    answer = render.joined(there.code, there.game.title, company, there.free, called, host_name, name is None)
    return inviting.seat_gone(chosen, seat, answer)


def take_over(desk: Desk, mine: Sequence[Table], table_id: int, seat: int, code: str, wanted: str) -> str:
    """A friend takes the seat of somebody who is late, by the code of the invitation: the hand and the score are theirs."""
    there = stored.by_id(desk.conn, table_id)
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
    stored.save(desk.conn, there, desk.now, desk.inbound_id)
    return render.took_seat(desk.scene(there, seat), called, owner.name, there.game.title)


def _again_here(desk: Desk, table: Table, me: Sitter) -> str:
    if table.status == OPEN:
        return what_is_open(desk, table, "you sit here already.")
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
        return what_is_open(desk, table, f"only {host}, who opened the table, can text BOTS.")
    count = args.get("n", "")
    if count == "off":
        gone = tables.dismiss_bots(desk.conn, table)
        return what_is_open(
            desk, table, f"{gone} bot{'' if gone == 1 else 's'} sent away." if gone else "no bots sit here."
        )
    if not table.free:
        return render.fit(f"{table.code}: every seat is taken. DEAL starts.")
    if count and not (count.isascii() and count.isdigit() and 1 <= int(count[:4]) <= table.free):
        raise Problem(
            f"{table.code} has {table.free} free seat{'' if table.free == 1 else 's'}: BOTS fills them, BOTS 1 sits one down."
        )
    seated = tables.fill_with_bots(desk.conn, table, int(count) if count else None)
    who = f"{seated} bot{'s sit' if seated > 1 else ' sits'} down"
    return what_is_open(desk, table, f"{who}.")


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
        stored.save(desk.conn, table, desk.now, desk.inbound_id)
        for sitter in table.people:
            if sitter is not me:
                desk.send(again, sitter, "notice", render.play_again(again.code, me.name, table.game.title))
    elif again.seat_of(desk.player.id) is None:
        return join(desk, mine, table, {"code": again.code})
    return what_is_open(desk, again, f"{again.game.title} again!")


def what_is_open(desk: Desk, table: Table, lead: str = "") -> str:
    """A table that is being filled: who sits there and what comes next, after `lead`."""
    names = [s.name for s in table.sitters]
    return render.open_table(table.code, table.game.title, names, table.free, table.host_id == desk.player.id, lead)


COMMANDS: dict[str, Callable[..., str | None]] = {"new": new, "join": join, "bots": bots_, "rematch": rematch}
