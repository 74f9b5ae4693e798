"""No page depends on a card that its reader may not see.

Two hidden cards change places, in the hands of others and in the stock; nothing else does. Whatever the page of a seat,
of those who watch, or the score sheet then shows must be the same, letter for letter: so no card leaks, by whatever way.
"""

import json
import random
import re

import pytest

from engine import bots
from engine.game import write_move
from engine.registry import GAMES, named
from service.stored import TABLE
from tests.people import gathered
from tests.test_web_scores import own, watching

pytestmark = pytest.mark.on("sqlite")
SIGNED = re.compile(r'name="form" value="[^"]+"')
ANN = 0


@pytest.fixture
def people(database_url, tmp_path):
    with gathered(database_url, tmp_path) as people:
        people.judge = False
        yield people


def move_on(people, code, most):
    """Those who sit there play as bots do, by text."""
    for _ in range(most):
        table = people.table(code)
        state, game = table.state, table.game
        seat = next(seat for seat in game.waiting(state) if game.legal(state, seat))
        people(table.names[seat], f"{code} {write_move(bots.choose(game.view(state, seat), game.legal(state, seat)))}")


def exchanged(game, state, chance):
    """The same position with two cards in each other's place, neither of which is in Ann's hand."""
    other = game.load(game.dump(state))
    places = [cards for cards in (*other.hands[1:], getattr(other, "stock", None) or []) if cards]
    if len(places) < 2:  # nothing is dealt
        return None
    one, two = chance.sample(places, 2)
    here, there = chance.randrange(len(one)), chance.randrange(len(two))
    one[here], two[there] = two[there], one[here]
    return other if game.dump(other) != game.dump(state) else None


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_page_is_the_same_whatever_the_others_hold(people, game):
    code = people.opened("Bea", "Cy", "Dot", words=f"new {game} 4 players")
    for name in ("Ann", "Bea", "Cy", "Dot"):
        people(name, f"{code} auto off")
    people("Ann", f"{code} deal")
    paths = [own(people, code), watching(people, code)]
    client = people.stage.client
    form = re.findall(SIGNED, client.get(paths[0]).text)[0].partition('value="')[2].rstrip('"')
    assert client.post(f"{paths[0]}/open", data={"form": form}).status_code == 303
    chance, compared = random.Random(7), 0
    for moves in (0, 4, 13, 40):  # tricks: into the second round
        move_on(people, code, moves)
        table = people.table(code)
        before = look(client, paths)
        for _ in range(6):
            other = exchanged(named(game), table.state, chance)
            if other is None or any(hides(table, other, seat) for seat in (ANN, None)):
                continue
            keep(people, table, other)
            assert look(client, paths) == before
            compared += 1
        keep(people, table, table.state)
    assert "data-card" in before[0]
    assert compared >= 8


def look(client, paths):
    """What the pages hold, but for the fields that are signed anew each time."""
    return [SIGNED.sub("", client.get(path + more).text) for path in paths for more in ("", "/score")]


def hides(table, other, seat):
    """Whether the exchange is of a card that the seat has seen go where it is, as one who has passed it has."""
    return table.game.view(table.state, seat) != table.game.view(other, seat)


def keep(people, table, state):
    """Puts that position in the place of the table's own; its version stays."""
    stored = json.dumps(table.game.dump(state))
    with people.services.db.begin() as conn:
        conn.execute(TABLE.update().where(TABLE.c.id == table.id).values(state=stored))
