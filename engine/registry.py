"""The games there are, in the order in which they are offered, and how people call them."""

from collections.abc import Sequence

from engine.game import Game
from engine.rummy.damn_the_queens import DAMN_THE_QUEENS
from engine.rummy.george import GEORGE
from engine.rummy.queen_of_spades import QUEEN_OF_SPADES_RUMMY
from engine.rummy.rummy500 import RUMMY_500
from engine.rummy.rummy5000 import RUMMY_5000
from engine.tricks.gong_zhu import GONG_ZHU
from engine.tricks.hearts import HEARTS_GAME
from engine.tricks.spades import SPADES_GAME

GAMES: Sequence[Game] = (
    DAMN_THE_QUEENS,
    QUEEN_OF_SPADES_RUMMY,
    RUMMY_5000,
    GEORGE,
    RUMMY_500,
    HEARTS_GAME,
    GONG_ZHU,
    SPADES_GAME,
)

_BY_NAME: dict[str, Game] = {}
for _game in GAMES:
    for _name in (_game.name, _game.title, *_game.aliases):
        _key = "".join(filter(str.isalnum, _name.lower()))
        assert _BY_NAME.setdefault(_key, _game) is _game, f"two games answer to {_name!r}"


def find(name: str) -> Game | None:
    """The game of that name, title or alias, spaces, hyphens and letter case aside; None where there is none."""
    return _BY_NAME.get("".join(filter(str.isalnum, name.lower())))


def named(name: str) -> Game:
    """The same for a name that is known to be one; KeyError otherwise."""
    found = find(name)
    if found is None:
        raise KeyError(name)
    return found


def names() -> list[str]:
    """Every name of every game, squeezed to letters and digits: what `find` looks up."""
    return list(_BY_NAME)
