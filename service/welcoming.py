"""Answers to questions of newcomers, and of players about what is not a move: `service.text.setting_up` understands them.

A stranger gets the one fixed text of the day for whatever is not understood. What is understood is answered besides, so
many times a day and within what all strangers together are answered: a question must not be the end of it.
"""

from collections.abc import Callable, Mapping, Sequence

from engine.registry import named
from service import limits, sitting, spending
from service.desk import Desk
from service.stored import OPEN, OVER, Table
from service.text import render, welcoming
from service.text.commands import Command

ANSWERS_A_DAY = 8  # to the questions of one stranger
# What a stranger texts who has read what players text, and what tells them where to begin.
_INSTEAD = {
    "commands": "begin",
    "help": "begin",
    "hint": "begin",
    "deal": "begin",
    "bots": "begin",
    "invite": "join",
    "cost": "cost",
}
Args = Mapping[str, str]


def stranger(desk: Desk, command: Command, has_played: bool) -> str | None:
    """The answer to a question of somebody who sits nowhere; None where it is none, or enough has been said today."""
    args: Args = command.args
    words = "" if desk.sms is None else desk.sms.body.casefold()
    if command.name == "games":
        if has_played and "about" not in args:
            return None  # their own tables, and there are none
        args = {"about": "games"}
    elif command.name == "rules":
        args = {"about": "rules" if "rule" in words else "begin"}
    elif command.name == "name" and "name" in words:
        args = {"about": "begin"}
    elif command.name == "howto" and args.get("about") == "about":
        args = {"about": "who"}
    elif command.name in _INSTEAD:
        args = {"about": _INSTEAD[command.name]}
    elif command.name != "newcomer":
        return None
    if has_played:
        return newcomer(desk, (), None, args)
    if spending.takes_no_more(desk) or not limits.stranger_may_ask(desk, ANSWERS_A_DAY):
        desk.kind = "stranger"
        return None
    return newcomer(desk, (), None, args)


def newcomer(desk: Desk, mine: Sequence[Table], table: Table | None, args: Args) -> str | None:
    """The answer to such a question, at a table or at none."""
    about = args["about"]
    if about in welcoming.FIXED:
        return render.fit(welcoming.FIXED[about])
    if about == "games":
        return welcoming.games()
    if about == "game":
        game = named(args["game"])
        if table is None or table.status == OVER:
            return welcoming.game(game)
        return welcoming.game(game, table.code, table.game, table.status != OPEN)
    if about == "players":
        return welcoming.players(int(args.get("n", "0")))
    if about == "rules":
        if "game" not in args:
            return welcoming.which_rules()
        game = named(args["game"])
        return render.rules(game.title, game, game.Options(), "")
    raise AssertionError(f"nothing is asked about {about}")


def setup(desk: Desk, mine: Sequence[Table], table: Table, args: Args) -> str | None:
    """The answer to a question about the table itself: how it begins, how it could be another, who stays away."""
    about = args["about"]
    host = next((s.name for s in table.people if s.player_id == table.host_id and s.player_id != desk.player.id), "")
    if about == "start":
        if not table.free:
            return sitting.what_is_open(desk, table)
        return render.seats_free(table.code, table.free, host or None)
    if about == "absent":
        return welcoming.absent(table.code, table.late_rule, host)
    return welcoming.anew(table.code) if about == "anew" else welcoming.change(table.code, table.game)


def start(mine: Sequence[Table]) -> str | None:
    """To START from somebody whom texts reach anyway: the word is not ours, but what it was meant for can be said."""
    waiting = [table for table in mine if table.status == OPEN]
    if len(waiting) != 1:
        return None
    return welcoming.start_is_the_carriers(waiting[0].code, waiting[0].free)


COMMANDS: dict[str, Callable[..., str | None]] = {"newcomer": newcomer, "setup": setup}
