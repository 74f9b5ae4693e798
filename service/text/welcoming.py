"""Answers to newcomers: what can be played, how to begin and to join, what it costs, who we are; each one segment."""

from collections.abc import Sequence

from engine.game import Game
from service.text.house_words import short_name
from service.text.render import BRAND, fit
from service.text.speech import offered
from service.text.words import listed

BEGIN = "NEW HEARTS opens a table. Friends text JOIN and its code, BOTS fills the seats that stay free, DEAL starts. GAMES tells what else there is to play."
WHO = f"{BRAND}: card games by text, with friends or bots. No app, no money. You get texts only about tables where you sit. STOP ends all texts."
COST = f"{BRAND} takes no money, and nothing is staked or won. Your phone company may charge for texts, about one for each of your turns."
STOP = "STOP ends all our texts at once, now or at any time. Without it you get texts only about tables where you sit."
APP = "No app, account or internet is needed: any phone that can text will do."
ALONE = "Alone is fine: text NEW HEARTS WITH BOTS, and bots take the other seats. DEAL starts. GAMES tells what else there is to play."
EASY = "Hearts is soon learned: RULES HEARTS tells how. NEW HEARTS WITH BOTS opens a table to try it against bots."
JOIN = "To join friends text JOIN and the code of their table, such as JOIN KF7, then your name. The one who opened the table has the code."
RUMMY = "Of rummy there is 500 Rummy (NEW 500), 5000 Rummy (NEW 5000), George (NEW GEORGE), Damn the Queens (NEW DAMN) and Queen of Spades (NEW QOS)."
TABLES = "You may sit at several tables at once. NEW opens another; then begin a text with the table's code, such as KF7 HAND."
FIXED = {
    "tables": TABLES,
    "begin": BEGIN, "who": WHO, "cost": COST, "stop": STOP, "app": APP, "alone": ALONE, "easy": EASY, "join": JOIN,
    "rummy": RUMMY,
}  # fmt: skip


def _titles(games: Sequence[Game]) -> str:
    return listed([game.title for game in games])


def games() -> str:
    """What can be played."""
    return fit(
        f"There is {_titles(offered())}. NEW HEARTS opens a table, RULES HEARTS tells the rules.",
        f"There is {_titles(offered())}. NEW HEARTS opens a table.",
    )


def which_game(wanted: str) -> str:
    """The question which game to open; `wanted` is what was said and is none of ours."""
    titles = _titles(offered())
    if not wanted:
        return fit(f"Which game? There is {titles}. Text the name of one.", f"Which game? There is {titles}.")
    said = f'I know no game "{wanted}". There is {titles}.'
    return fit(f"{said} NEW DAMN, say.", said, f"I don't know that game. There is {titles}. NEW DAMN, say.")


def seats(game: Game) -> str:
    """`3 to 6`, or `4`."""
    return str(game.seats[0]) if len(game.seats) == 1 else f"{game.seats[0]} to {game.seats[-1]}"


def game(wanted: Game, code: str = "", here: Game | None = None, dealt: bool = False) -> str:
    """A game that was named, to somebody at no table, or at a table of another game."""
    new = f"NEW {short_name(wanted)}"
    if here is None:
        rules = f"RULES {short_name(wanted)} tells how it is played."
        head = f"{wanted.title} is for {seats(wanted)} players, bots among them. {new} opens a table."
        return fit(f"{head} {rules}", head)
    if here is wanted:
        return fit(f"{code} is a table of {here.title}. {new} opens another.")
    gives_up = "" if dealt else f" {code} LEAVE gives this one up."
    return fit(f"{code} is a table of {here.title}. {new} opens one of {wanted.title}.{gives_up}")


def players(count: int) -> str:
    """How many may play; 0 where no number was said."""
    if not count:
        most = max(game.seats[-1] for game in offered())
        return fit(
            f"From 1 to {most} people can play, by the game: bots take seats that stay free. NEW HEARTS opens a table for 4. GAMES lists the games."
        )
    if count == 1:
        return fit(ALONE)
    fitting = [game for game in offered() if count in game.seats]
    if not fitting:
        few = count < min(game.seats[0] for game in offered())
        return (
            players(0)
            if few
            else fit(
                f"{count} are too many for one table: {max(game.seats[-1] for game in offered())} at most. GAMES lists the games."
            )
        )
    best = next((game for game in fitting if game.name == "hearts"), fitting[0])
    one = f"NEW {short_name(best)} {count} PLAYERS"
    bots = " Bots can fill a bigger one." if count == 2 else ""
    return fit(
        f"For {count} there is {_titles(fitting)}. {one} opens a table.{bots}",
        f"For {count} there is {_titles(fitting)}. {one} opens a table.",
    )


def which_rules() -> str:
    """RULES without a game, from somebody at no table."""
    return fit(f"RULES and a game, such as RULES HEARTS. There is {_titles(offered())}.")


def change(code: str, here: Game) -> str:
    """To who would have another game at a table that is open."""
    return fit(
        f"{code} is a table of {here.title}. NEW and a game opens another one: NEW HEARTS, say. {code} LEAVE gives this one up."
    )


def over(code: str) -> str:
    """What can be done at a table whose game is over."""
    return fit(
        f"{code}: the game is over. REMATCH plays it again with the same people, NEW opens another. SCORE tells how it ended."
    )


def anew(code: str) -> str:
    """To who would begin a game from the start again."""
    return fit(
        f"{code} is dealt and goes on; it can't begin again. UNDO takes back your last move, NEW opens another table."
    )


def absent(code: str, rule: str | None, host: str) -> str:
    """To who would have somebody else put out; `host` is who may set the PACE, "" where it is who asks."""
    nudge = f"{code}: nobody is put out by others. NUDGE reminds who is late."
    if rule == "bot":
        return fit(f"{nudge} After the time of PACE a bot plays on for them.")
    if rule == "invite":
        return fit(f"{nudge} After the time of PACE a friend may take the seat.")
    return fit(
        f"{nudge} {host + ' can text' if host else 'You can text'} PACE 1D BOT: then a bot plays for who takes longer than a day."
    )


def start_is_the_carriers(code: str, free: int) -> str:
    """To START from somebody who has not been opted out, at a table that is not dealt."""
    said = "START is the phone company's word, so I can't take it."
    if free:
        return fit(
            f"{said} {code} has {free} free seat{'' if free == 1 else 's'}: JOIN {code} takes one, BOTS fills the rest, then DEAL."
        )
    return fit(f"{said} DEAL deals the cards at {code}.")
