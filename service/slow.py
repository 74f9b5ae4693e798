"""Commands of slow play: zone, quiet hours, being away, nudging, planning ahead, the pace of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select, update

from engine.game import read_move
from service import alarms, chat, hours, instead, manners, planning, reminders, spending, stored, tables, zones
from service.desk import Desk
from service.stored import MOVE, NUDGE, TABLE, Sitter, Table
from service.tables import Problem
from service.text import render
from service.text.gsm7 import fold, segments
from service.text.words import listed

Args = Mapping[str, str]

LATE_RULES = {"wait": "wait", "bot": "bot", "bots": "bot", "invite": "invite", "friend": "invite", "skip": "invite"}
DEFAULT_PACE = 3 * 24 * 3600  # seconds
PLANS = frozenset(("draw", "pass", "pickup"))


def _seats(desk: Desk, mine: Sequence[Table]) -> list[tuple[Table, Sitter]]:
    return [(table, seat) for table in mine if (seat := table.seat_of(desk.player.id)) is not None]


def wall(desk: Desk, moment: datetime, sitter: Sitter | None = None) -> str:
    """A moment as the one who texts reads a clock, or somebody else."""
    zone, address = (desk.player.zone, desk.player.address) if sitter is None else (sitter.zone, sitter.address)
    return manners.wall(moment, zone, address, desk.now)


def _set_prefs(desk: Desk, mine: Sequence[Table], **values: Any) -> dict[str, Any]:
    """Keeps settings of the player; None takes one away."""
    prefs = dict(desk.player.prefs or {}) | values
    prefs = {name: value for name, value in prefs.items() if value is not None}
    desk.set_player(prefs=prefs)
    for _, seat in _seats(desk, mine):
        seat.prefs = prefs
    return prefs


def _look_again(desk: Desk) -> None:
    """What was held back for this player is looked at again: their day has changed."""
    desk.hurry()
    remind_again(desk)


def remind_again(desk: Desk) -> None:
    """Their reminders are set anew: their day or their wishes have changed, or they are back."""
    player = desk.player
    reminders.again(desk, player.id, player.zone, player.address, dict(player.prefs or {}))


def zone(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`zone chicago`, `zone 60601`, `zone eastern`: where the player's clock is."""
    words = args.get("value", "").strip()
    if not words:
        names = manners.zones_of(desk.player.zone, desk.player.address)
        guess = "Your" if desk.player.zone else "I guess from your number that your"
        now = hours.wall(desk.now, names[0], desk.now)
        return render.fit(
            f"{guess} clock is {zones.friendly(names[0])} ({now} now). ZONE and your city changes it, as in ZONE CHICAGO."
        )
    found = zones.read_zone(words)
    if found is None:
        near = zones.near(words)
        instead.ask(desk, words, near, "zone")
        meant = (
            f"Did you mean {listed([n.upper() for n in near], 'or')}?"
            if near
            else "Try your city or ZIP code, as in ZONE CHICAGO or ZONE 60601."
        )
        raise Problem(f'I know no place "{fold(words)[:20]}". {meant}')
    desk.set_player(zone=found, zone_source="player")
    _look_again(desk)
    return render.fit(f"Your clock is {zones.friendly(found)} now: {hours.wall(desk.now, found, desk.now)}.")


def quiet(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`quiet 22-8`: no texts at night but answers; `quiet off` goes back to the usual hours."""
    words = args.get("value", "").strip()
    if not words:
        window = manners.window_of(desk.player.prefs)
        return render.fit(
            f"Texts come {window}. QUIET 22-8 changes it: no texts from 10pm to 8am. Answers to yours always come at once."
        )
    try:
        read = hours.read_quiet(words)
    except ValueError as error:
        raise Problem(str(error)) from None
    if read is None:
        raise Problem("QUIET and your night, such as QUIET 22-8 or QUIET 10PM-7AM. QUIET OFF goes back to the usual.")
    own = None if read == hours.DEFAULT else list(astuple(read))
    _set_prefs(desk, mine, quiet=own)
    _look_again(desk)
    return render.fit(f"Texts come {read} now. Answers to yours always come at once.")


def away(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`away until monday`, `away 5d`, `away`: the player's clocks stand still, and the tables are told."""
    words = args.get("until", "").strip()
    zone_name = manners.zones_of(desk.player.zone, desk.player.address)[0]
    try:
        until = hours.read_until(words, desk.now, zone_name) if words else desk.now + manners.AWAY
    except ValueError as error:
        raise Problem(str(error)) from None
    before = manners.away_until(desk.player.prefs, desk.now) or desk.now
    _set_prefs(desk, mine, away=until.isoformat(), missed=None)
    # A deadline that has been told never moves forward: who comes back sooner than said has more time.
    moved = alarms.shift(desk.conn, desk.player.id, max(until - before, timedelta(0)), max(until, before))
    ends = {(table_id, seat): end for table_id, seat, end in moved}
    for t, me in _seats(desk, mine):
        if t.state is None or t.status != stored.PLAYING:
            continue
        end = ends.get((t.id, me.number))
        for other in t.people:
            if other is not me:
                when = _day(desk, until) if words else "further notice"
                due = wall(desk, end, other) if end is not None else ""
                desk.send(t, other, "notice", render.away(me.name, when, t.code, due))
    said = f"until {_day(desk, until)}" if words else "until you are back"
    return render.fit(f"You are away {said}. No reminders, and your clocks stand still. BACK, or any move, ends it.")


def _day(desk: Desk, until: datetime) -> str:
    """The day somebody comes back, by their own clock; with the time where it is not the day's beginning."""
    return hours.back_on(until, manners.zones_of(desk.player.zone, desk.player.address)[0], desk.now)


def back(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`back`: no longer away. Deadlines that were put off stay where they were announced."""
    was = manners.away_until(desk.player.prefs, desk.now) is not None
    _set_prefs(desk, mine, away=None, missed=None)
    if was:
        remind_again(desk)
    turns = [t.code for t, me in _seats(desk, mine) if t.state is not None and me.number in t.due]
    now = f"It's your turn at {listed(turns)}: HAND shows your cards." if turns else "It's not your turn anywhere now."
    return render.fit(f"{'Welcome back.' if was else 'You were not away.'} {now}")


def nudge(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str:
    """`nudge bea` from somebody who waits; `nudge me off|daily|every 6h` for one's own reminders."""
    words = args.get("name", "").strip().lower()
    if words.split()[:1] == ["me"] or words in ("off", "daily", "on") or words.startswith("every"):
        return _own_nudges(desk, mine, words.removeprefix("me").strip())
    if table is None or table.state is None:
        raise Problem(
            render.no_table() if table is None else f"{table.code} is not dealt yet; there is nobody to nudge."
        )
    me = table.seat_of(desk.player.id)
    waiting = [table.sitters[seat] for seat in table.due]
    named = [s for s in waiting if s.name.lower() == words] if words else [s for s in waiting if s is not me]
    if not named:
        whose = listed([s.name for s in waiting]) if waiting else "nobody"
        if me in waiting and not words:
            raise Problem(f"{table.code}: it's your own turn. HAND shows your cards.")
        raise Problem(f"{table.code}: it is {whose}'s turn, so that is whom a nudge can go to.")
    sitter = named[0]
    if sitter is me:
        raise Problem(f"{table.code}: it's your own turn. HAND shows your cards.")
    what, when = reminders.asked(desk, table, sitter, wanted=chat.nudges_wanted(sitter, desk.player.id))
    told = {
        "sent": f"{reminders.NUDGED.format(sitter.name)}.",
        "later": f"{reminders.NOT_WOKEN.format(sitter.name)}; the nudge goes out {wall(desk, when)}.",
        "already": f"{sitter.name} {'was nudged' if when <= desk.now else 'will be nudged'} {wall(desk, when)}. One nudge in 8 hours is enough.",
        "untold": f"{sitter.name} gets the text that says so {'now' if when <= desk.now else wall(desk, when)}; a nudge comes after that.",
        "away": f"{sitter.name} is away until {_day(desk, when)}.",
        "off": f"{sitter.name} can't be nudged now.",
    }
    return render.fit(f"{table.code}: {told[what]}")


def _own_nudges(desk: Desk, mine: Sequence[Table], words: str) -> str:
    digits = "".join(filter(str.isdigit, words))
    if words in ("off", "no", "never"):
        wish: str | int | None = "off"
        said = "No reminders for you any more, only your turns. NUDGE ME ON brings them back."
    elif words in ("on", "default", "usual"):
        wish = None
        said = "Reminders as usual: after six hours of the day, then once a day, three texts in three days at most."
    elif words == "daily":
        wish, said = "daily", "One reminder a day for you."
    elif words.startswith("every") and digits and 1 <= int(digits[:4]) <= 168:
        wish = int(digits[:4])
        said = f"A reminder every {wish} waking hours for you."
    else:
        raise Problem("NUDGE ME can be OFF, ON, DAILY or EVERY 6H. NUDGE and a name reminds somebody you wait for.")
    _set_prefs(desk, mine, nudge=wish)
    remind_again(desk)
    return said


def plan(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`plan draw`: made as soon as it is the player's turn, if the rules allow it then. `plan off` takes it back."""
    me = table.seat_of(desk.player.id)
    words = args.get("text", args.get("value", "")).strip().lower()
    if me is None or table.state is None:
        raise Problem(f"{table.code} is not dealt yet, so there is nothing to plan.")
    tricks = "play" in table.game.verbs
    if not words and tricks:
        return planning.shown(table, me)
    if not words:
        now = (
            f"you plan to {me.plan.upper()} when it's your turn. PLAN OFF takes it back"
            if me.plan
            else "you have no plan. PLAN DRAW draws for you as your turn begins"
        )
        return render.fit(f"{table.code}: {now}.")
    if words in ("off", "none", "cancel", "no"):
        tables.set_seat(desk.conn, table, me, plan=None)
        return render.fit(f"{table.code}: no plan any more.")
    if tricks:
        return planning.make(desk, table, me, words)
    verb = words.split()[0]
    if verb not in PLANS or verb not in table.game.verbs:
        known = sorted(PLANS & set(table.game.verbs))
        raise Problem(f"{table.code}: a plan can be {listed([w.upper() for w in known], 'or')}, such as PLAN DRAW.")
    if me.number in table.game.waiting(table.state):
        raise Problem(f"{table.code}: it's your turn now: just text {verb.upper()}.")
    try:
        read_move(words)
    except ValueError:
        raise Problem(f"{table.code}: I don't understand that plan. PLAN DRAW, or PLAN PICKUP 9 9.") from None
    tables.set_seat(desk.conn, table, me, plan=words)
    return render.fit(
        f"{table.code}: planned: {words.upper()} as soon as it's your turn, if it can be done then. PLAN OFF takes it back."
    )


def pace(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """`pace 1d`, `pace none`, `pace 2d weekdays bot`: the host sets how long a turn may take, and what happens then."""
    words = args.get("value", "").strip()
    if not words:
        return render.fit(f"{table.code}: {said_pace(table.pace, table.weekdays, table.late_rule)}")
    if table.host_id != desk.player.id:
        host = next((s.name for s in table.people if s.player_id == table.host_id), "the host")
        said = said_pace(table.pace, table.weekdays, table.late_rule)
        raise Problem(f"{table.code}: {host} sets the pace. {said[0].upper()}{said[1:]}")
    seconds, weekdays, rule = read_clock(words.split(), table.pace, table.weekdays, table.late_rule)
    desk.conn.execute(
        update(TABLE).where(TABLE.c.id == table.id).values(pace=seconds, weekdays=weekdays, late_rule=rule)
    )
    table.pace, table.weekdays, table.late_rule = seconds, weekdays, rule
    said = said_pace(seconds, weekdays, rule)
    me = table.seat_of(desk.player.id)
    desk.send_all(
        table,
        [s for s in table.people if s is not me],
        "notice",
        render.fit(f"{table.code}: {said} From the next turn on."),
    )
    return render.fit(f"{table.code}: {said} From the next turn on.")


def read_clock(
    words: Sequence[str], seconds: int | None = DEFAULT_PACE, weekdays: bool = False, rule: str = "wait"
) -> tuple[int | None, bool, str]:
    """Pace, whether only weekdays count, and what happens to who is late, from words. Problem says what would work."""
    left = [
        word for word in words if word not in ("pace", "late", "to", "only", "then", "per", "turn", "a", "if", "=", ",")
    ]
    i = 0
    while i < len(left):
        word = left[i].removeprefix("pace=").removeprefix("late=")
        if word in ("weekdays", "weekday", "workdays"):
            weekdays = True
        elif word == "everyday":
            weekdays = False
        elif word in LATE_RULES:
            rule = LATE_RULES[word]
        elif word in ("none", "off", "no"):
            seconds = None
        else:
            both = f"{word} {left[i + 1]}" if i + 1 < len(left) and word.isdigit() else word
            i += both != word
            try:
                length = hours.read_pace(both)
            except ValueError as error:
                raise Problem(str(error)) from None
            if length is None:
                raise Problem(
                    f'I don\'t understand "{fold(both)[:20]}". PACE can be 12H, 1D, 3D or NONE, with WEEKDAYS, and WAIT, BOT or INVITE for who is late.'
                )
            seconds = int(length.total_seconds()) or None
        i += 1
    return seconds, weekdays, rule


def said_pace(seconds: int | None, weekdays: bool, rule: str) -> str:
    """The clock of a table in words."""
    if seconds is None:
        return "no clock: turns may take as long as they take. PACE 3D would set one."
    length = (
        f"{seconds // 86400} day{'' if seconds == 86400 else 's'}"
        if seconds % 86400 == 0
        else f"{seconds // 3600} hours"
    )
    then = {"wait": "the table waits", "bot": "a bot plays on", "invite": "a friend may take the seat"}[rule]
    return f"a turn may take {length}{' (weekdays only)' if weekdays else ''}; after that {then}."


def stats(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str:
    """For the host: how the table goes, whom it waits for, and how many texts it took."""
    if table.state is None:
        raise Problem(f"{table.code} is not dealt yet.")
    if table.host_id != desk.player.id:
        host = next((s.name for s in table.people if s.player_id == table.host_id), "who opened the table")
        raise Problem(f"{table.code}: STATS is for {host}. WHO says whose turn it is.")
    texts, parts, _ = spending.so_far(desk, table)
    moves = desk.conn.execute(select(func.count()).select_from(MOVE).where(MOVE.c.table_id == table.id)).scalar_one()
    nudges = desk.conn.execute(
        select(func.coalesce(func.sum(NUDGE.c.sent), 0)).where(NUDGE.c.table_id == table.id)
    ).scalar_one()
    waiting = [table.names[seat] for seat in table.due] if table.status == stored.PLAYING else []
    whose = f"{listed(waiting)} since {wall(desk, table.turn_since)}" if waiting and table.turn_since else "nobody"
    return render.fit(
        f"{table.code}: waits for {whose}, {nudges} reminder{'' if nudges == 1 else 's'} this turn. {moves} moves, {texts} texts sent ({parts} segments)."
    )


def just_played(desk: Desk) -> None:
    """A play ends being away, and missed clocks are forgotten."""
    prefs = desk.player.prefs or {}
    if "away" in prefs or "missed" in prefs:
        desk.set_player(prefs={name: value for name, value in prefs.items() if name not in ("away", "missed")})
        if "away" in prefs:
            remind_again(desk)


def guess_told(desk: Desk, answer: str) -> str:
    """The answer, with what is guessed of somebody's clock from their number: told once, in the first that has room.

    Nothing is added for who has said where their clock is, or where it would cost another segment.
    """
    prefs = desk.player.prefs or {}
    if desk.player.zone or prefs.get("zone_told"):
        return answer
    names = manners.zones_of(None, desk.player.address)
    if len(names) == 1:
        guess = f"Your clock: {zones.friendly(names[0])}? If not, text ZONE and your city."
    else:
        guess = "ZONE and your city tells me when it's night."
    both = fold(f"{answer} {guess}")
    if segments(both) > segments(answer):
        return answer
    desk.set_player(prefs=prefs | {"zone_told": True})
    return both


COMMANDS = {
    "zone": zone, "quiet": quiet, "away": away, "back": back, "nudge": nudge, "plan": plan, "pace": pace, "stats": stats,
}  # fmt: skip
WITHOUT_TABLE = frozenset(("zone", "quiet", "away", "back"))
