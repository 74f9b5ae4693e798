"""Every template of a text, with the longest names, hands, codes and times: GSM-7, and within its budget.

Templates are found, not listed: the functions of each module of `service.text` that fits texts to their budget, and what
each game's words are asked for (`Speech`). A new one is drawn from by the names of its parameters; one with a name that
is not known here fails until `VALUES` says what it may be.
"""

import importlib
import inspect
import pkgutil
import random
import types
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.cards import read_card
from engine.game import CODES, Event, Game, Refusal
from service import text as package
from service.text import render
from service.text.gsm7 import TOLL_FREE, fold, is_gsm7, segments
from service.text.render import Scene
from service.text.speech import Speech, offered
from tests.examples import examples
from tests.rummy import some_rules
from tests.test_render import POSITIONS

# Twelve characters each, the most that a name may have; some of them of the alphabet's far end.
LONG = ("Mmmmmmmmmmm1", "Wwwwwwwwwww2", "Qqqqqqqqqqq3", "Äöüßñàèìòùx4", *(f"Nnnnnnnnnn{n}" for n in range(10, 20)))
ANY = read_card("TS")
CODE, MOMENT = "KF7MN", "Wed Mar 25 12:30pm Mountain"
ADDRESS = "https://cards.a-club-with-a-long-name.example.org/table/" + "x" * 24

# Parts of texts: they stand inside of those that are tried.
PARTS = {
    "as_planned", "branded", "call_words", "capital", "choice_words", "deeds", "fit", "got_cards", "join", "goal", "note_left", "not_understood", "only_move",
    "paged", "plan_dropped", "question", "quoted", "say_sure", "stopped", "tens", "titled", "yours_again",
}  # fmt: skip


# What may take two segments: a hand with what happened before it, a round's end, and what players ask for.
LONGER = {
    *(f"render.{one}" for one in (
        "dealt", "did", "drew_already", "hand", "hint", "may_call", "new_hand", "reminder", "round_over", "took_seat", "turn",
        "undone", "update", "melds", "pile", "score", "table", "whereabouts", "passed", "commands", "rules", "why",
        # as long as somebody's own words are, or as the names of a whole table
        "ask", "refused", "said", "unclear", "joined", "open_table", "you_are_late",
    )),
    *(f"house_text.{one}" for one in ("all_options", "of_game", "opened", "options", "presets", "saved", "contrary")),
    "asking.invitation", "asking.seat_gone", "ending.wanted", "ending.wants", "links.own", "links.watching",
    "account.blocks", "account.cost", "account.enough_waits", "account.nobody_called", "account.sent_on",
}  # fmt: skip


class Moment(NamedTuple):
    """A game as it stood once, and what had happened lately."""

    game: Game
    state: Any
    events: tuple[Event, ...]

    def scene(self, seat: int) -> Scene:
        legal = self.game.legal(self.state, seat) if seat in self.game.waiting(self.state) else []
        view = self.game.view(self.state, seat)
        return Scene(CODE, view, LONG[: self.seats], tuple(legal), MOMENT)

    @property
    def seats(self) -> int:
        return len(self.state.hands)


@lru_cache(maxsize=1)
def moments() -> tuple[Moment, ...]:
    """Games of all kinds, with their usual and with odd house rules, played at random; and some extreme positions."""
    found = [Moment(offered()[0], state, ()) for _, state in POSITIONS]
    for game in offered():
        for seed in range(3):
            chance = random.Random(f"{game.name} {seed}")
            seats = game.seats[-1] if seed == 1 else min(game.seats, key=lambda n: abs(n - 4))
            found += played(game, dealt(game, seats, seed, chance), chance)
    return tuple(found)


def dealt(game: Game, seats: int, seed: int, chance: random.Random) -> Any:
    """With the usual house rules, from the seed 2 on with others; not all of them go with every number of players."""
    while True:
        try:
            return game.deal(game.Options() if seed < 2 else some_rules(game.Options, chance), seats, f"{seed}")
        except Refusal:
            seed = 2


def played(game: Game, state: Any, chance: random.Random) -> list[Moment]:
    found, events = [], list[Event]()
    for number in range(150):
        if state.over:
            found.append(Moment(game, game.copy(state), tuple(events[-14:])))
            if state.ended:
                break
            events += game.next_round(state)
        seats = [seat for seat in game.waiting(state) if game.legal(state, seat)]
        if not seats:
            break
        seat = chance.choice(seats)
        moves = game.legal(state, seat)
        least = [move for move in moves if move.verb in ("draw", "pass", "discard", "play")]  # hands that grow
        events += game.play(state, seat, chance.choice(least if least and chance.random() < 0.7 else moves))
        if number % 11 == 0:
            found.append(Moment(game, game.copy(state), tuple(events[-14:])))
    return found


def over(moment: Moment) -> bool:
    return bool(moment.state.over)


name = st.sampled_from(LONG)
names = st.integers(1, 4).map(lambda n: list(LONG[:n]))
codes = st.integers(1, 12).map(lambda n: [f"{CODE[:4]}{i:X}" for i in range(n)])
hints = st.sampled_from(
    ["You need two natural queens to take the pile; you hold one. DRAW instead?", "x" * 300, "“♠” €" * 60]
)
anything = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=400)
words = st.one_of(hints, anything.filter(lambda text: "None" not in text))
titles = st.sampled_from([game.title for game in offered()])
games = st.sampled_from(list(offered()))
title = st.just(max((game.title for game in offered()), key=len))


# By the name of a parameter. What depends on a scene, such as events, is drawn with it in `given_to`.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "code": st.just(CODE), "seat_code": st.just(CODE), "name": name, "owner": name, "called": name, "after": name,
    "whose": st.sampled_from(["", *LONG]), "host": st.booleans(), "names": names, "others": names, "codes": codes,
    "title": titles, "free": st.integers(0, 5), "dealt": st.booleans(), "goes_on": st.booleans(), "own": st.booleans(),
    "gone": st.booleans(), "unnamed": st.booleans(), "off": st.booleans(), "cut": st.booleans(), "renewed": st.booleans(),
    "when": st.just(MOMENT), "then": st.just(MOMENT), "until": st.just(MOMENT), "deadline": st.sampled_from(["", MOMENT]),
    "rule": st.sampled_from(["wait", "bot", "invite"]), "what": words, "words": words, "asked": st.just("With which cards?"),
    "why": words, "hint": words, "text": words, "topic": words, "rest": words, "choices": st.just(["PICKUP KC KD", "PICKUP KC W"]),
    "choice": st.just("pickup KC KD"), "line": st.just("meld TS TH TD TC W"), "sentence": words, "game": st.sampled_from(["", *[g.name for g in offered()]]),
    "refusal": st.sampled_from(["", *CODES]), "texts": st.integers(0, 99999), "parts": st.integers(0, 99999),
    "month": st.integers(0, 9999), "usual": st.one_of(st.none(), st.integers(1, 9999)), "price": st.sampled_from(["", "0.0079"]),
    "total": st.just("12345.67"), "used": st.integers(0, 99999), "cap": st.integers(1, 99999), "address": st.just(ADDRESS),
    "later": st.integers(0, 3).map(lambda n: [(LONG[i], MOMENT) for i in range(n)]), "seats": st.integers(2, 6),
    "waiting": codes.map(lambda all_of: [(one, MOMENT) for one in all_of]), "plan": st.sampled_from(["", "pickup TS TD"]),
    "link": st.just(ADDRESS),
    "url": st.sampled_from(["", "https://cards.example.com", ADDRESS]), "number": st.sampled_from(["", "(212) 555-0100"]), "bots": st.integers(1, 5), "page": st.integers(1, 9),
    "clash": st.just("joker wild and joker set wild"), "kept": st.integers(0, 9).map(lambda n: [(f"cabin{i:07d}", "Queen of Spades") for i in range(n)]),
    "minutes": st.sampled_from([1, 10, 1440]),
    "again": st.booleans(), "waited": st.integers(0, 6).map(lambda n: list(LONG[:n])),
    "lead": st.sampled_from(["", f"only {LONG[0]}, who opened the table, can text BOTS."]),
}  # fmt: skip
# Where one name means different things.
OTHERWISE: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "account.taken_out": {"called": st.sampled_from(["", "Player4"])},
    "account.near_cap": {"until": st.just("Dec 1")},
    "account.at_cap": {"until": st.just("Dec 1")},
    "account.over_cap": {"until": st.just("Dec 1")},
    "account.full": {"until": st.just("Dec 1")},
    "render.joined": {"host": name, "title": titles},
    "render.seats_free": {"host": st.one_of(st.none(), name)},
    "asking.seat_gone": {
        "seat": st.integers(1, 6),
        "answer": st.just(render.joined(CODE, "Damn the Queens", LONG[:3], 0, LONG[3], LONG[0], True)),
    },
    "ending.wants": {"asked": st.booleans()},
    "render.branded": {"text": words.map(fold)},
    "render.how_to": {"about": st.sampled_from(["say", "undo", "about"])},
    "render.whereabouts": {"name": st.sampled_from(["QS", "JD", "TC"])},
    "render.said": {"words": words.map(fold)},
    "notices.answer_by_number": {"words": st.lists(words.map(fold), min_size=1, max_size=8)},
    "render.refused": {"code": st.sampled_from(list(CODES))},
    "welcoming.which_game": {"wanted": st.one_of(st.just(""), words.map(fold))},
    "welcoming.game": {"wanted": games, "here": st.one_of(st.none(), games)},
    "welcoming.change": {"here": games},
    "welcoming.players": {"count": st.integers(0, 99)},
    "welcoming.absent": {"host": st.sampled_from(["", *LONG]), "rule": st.sampled_from([None, "bot", "invite"])},
    "welcoming.seats": {"game": games},
}


def modules() -> list[types.ModuleType]:
    """The modules that fit texts to their budget, those inside of `render` too."""
    found = []
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        if getattr(module, "fit", None) is render.fit:
            found.append(module)
    return found


def templates() -> list[tuple[str, Callable[..., str]]]:
    """Every function of theirs that makes a text, by its name: `render.turn`, whichever module of `render` it is in."""
    return [
        (f"{module.__name__.split('.')[2]}.{name}", function)
        for module in modules()
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and inspect.signature(function).return_annotation is str
    ]


TEMPLATES = templates()
SLOW = settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))


def given_to(data: st.DataObject, called: str, function: Callable[..., str]) -> dict[str, Any]:
    """Arguments for a template."""
    parameters = inspect.signature(function).parameters.values()
    own = OTHERWISE.get(called, {})
    of_scene = at_a_table(data, called) if any(of_the_game(one) for one in parameters) else {}
    values: dict[str, Any] = {}
    for one in parameters:
        if one.name in own:
            values[one.name] = data.draw(own[one.name])
        elif of_the_game(one):
            values[one.name] = of_scene[one.name]
        else:
            assert one.name in VALUES, f"{called}: what may {one.name!r} be? Say so in VALUES or OTHERWISE"
            values[one.name] = data.draw(VALUES[one.name])
    return values


OF_THE_GAME = frozenset(
    [
        "scene",
        "ended",
        "following",
        "news",
        "events",
        "since",
        "last",
        "drawn",
        "planned",
        "forced",
        "move",
        "seat",
        "options",
        "rules_now",
        "note",
        "stopped",
        "deeds",
        "dropped",
        "bot_hands",
        "view",
        "after",
        "game",
    ]
)


def of_the_game(parameter: inspect.Parameter) -> bool:
    """Whether it must fit the others: a scene, events of it, its options. `game` and `after` may also be words."""
    kind = str(parameter.annotation)
    return parameter.name in OF_THE_GAME and (parameter.name not in ("after", "game") or "str" not in kind)


def at_a_table(data: st.DataObject, called: str) -> dict[str, Any]:
    """A scene and what goes with it."""
    found = [one for one in moments() if called != "render.round_over" or over(one)]
    here = found[data.draw(st.integers(0, len(found) - 1))]
    seat = data.draw(st.integers(0, here.seats - 1))
    scene = here.scene(seat)
    length = data.draw(st.integers(0, len(here.events)))
    news = [event.seen_by(seat) for event in here.events[len(here.events) - length :]]
    mine = [event for event in news if event.seat == seat][:4]
    done = [event for event in mine if event.kind in ("draw", "play", "pickup", "discard")][:1]
    following = None
    if called == "render.round_over" and not here.state.ended:
        state = here.game.copy(here.state)
        here.game.next_round(state)
        following = Moment(here.game, state, ()).scene(seat)
    return {
        "scene": scene, "ended": scene, "following": following, "news": news, "events": news, "after": news,
        "since": news[-5:], "last": news, "drawn": done or [Event("draw" if "draw" in here.game.verbs else "play", seat, (ANY,), private=(ANY,))], "planned": done, "forced": done,
        "move": next(iter(scene.legal), None), "seat": data.draw(st.integers(0, here.seats - 1)),
        "options": here.state.options, "rules_now": here.state.options, "game": here.game, "view": scene.view,
        "note": data.draw(st.sampled_from(["", render.note_left(LONG[1])])),
        "stopped": render.stopped("It is not in your hand.", "x" * 60), "deeds": render.deeds(scene, mine),
        "dropped": data.draw(st.sampled_from(["", "pickup TS TD"])), "bot_hands": {LONG[0]: 12, LONG[1]: 1},
    }  # fmt: skip


WORDS_OF_A_GAME = [name for name, one in vars(Speech).items() if inspect.isfunction(one) and not name.startswith("_")]


@pytest.mark.parametrize("called", WORDS_OF_A_GAME)
@SLOW
@given(data=st.data())
def test_the_words_of_a_game(called: str, data: st.DataObject) -> None:
    here = at_a_table(data, "")
    scene: Scene = here["scene"]
    if (called == "command" and not scene.legal) or (called in ("round_scores", "went_out") and not scene.view.over):
        return
    arguments = here | {
        "names": scene.names, "legal": scene.legal, "topic": data.draw(st.sampled_from(["", "x", *scene.speech.TOPIC_NAMES])),
        **{name: data.draw(st.booleans()) for name in ("brief", "bare", "few", "whole")},
    }  # fmt: skip
    function = getattr(scene.speech, called)
    wanted = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    unknown = [one.name for one in wanted if one.name not in arguments]
    assert not unknown, f"{called}: what may {unknown} be?"
    said = function(**{one: arguments[one] for one in inspect.signature(function).parameters if one in arguments})
    for words in said if isinstance(said, list) else [said or ""]:
        is_a_text(words, f"{scene.view.game} {called}")
    assert not isinstance(said, str) or segments(said, TOLL_FREE) <= 2 or called in ("hand", "can"), said


def is_a_text(text: str, what: str) -> None:
    assert is_gsm7(text), f"{what}: {text}"
    assert "\n" not in text, f"{what}: {text}"
    assert "None" not in text, f"{what}: {text}"


def no_more_than(text: str, most: int, what: str) -> None:
    for sent in (text, render.branded(text)):
        for size in (segments(sent), segments(sent, TOLL_FREE)):
            assert size <= most, f"{what}: {size} segments: {sent}"


@pytest.mark.parametrize(("called", "function"), TEMPLATES, ids=[called for called, _ in TEMPLATES])
@SLOW
@given(data=st.data())
def test_a_template(called: str, function: Callable[..., str], data: st.DataObject) -> None:
    short = called.rpartition(".")[2]
    if short in NOT_ONE_TEXT:
        return
    said = function(**given_to(data, called, function))
    assert isinstance(said, str), called
    if short not in PARTS:
        assert said, called
        is_a_text(said, called)
        no_more_than(said, 2 if called in LONGER else 1, called)


NOT_ONE_TEXT = frozenset(("fit", "fitting", "join", "paged", "with_hand"))  # what makes texts of given words; below


@SLOW
@given(st.lists(words, min_size=1, max_size=4))
def test_whatever_is_to_be_said_fits(said: list[str]) -> None:
    text = render.fit(*said)
    assert is_gsm7(text)
    assert segments(text, TOLL_FREE) <= 2


def test_there_are_templates_in_every_module_that_fits_texts() -> None:
    assert {"render", "account", "notices"} <= {called.partition(".")[0] for called, _ in TEMPLATES}
    assert len(TEMPLATES) > 80
