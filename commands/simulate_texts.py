"""`queenline simulate --texts`: the same games, played by people who text.

Phones, the real webhook, a database and the workers' own drain, one stage for each game. The bots choose, but their
moves go as texts: as many at once as a person would send who waits to see a drawn card or a pile taken. Seats without a
phone (`people`) are taken by the bots of the service.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import click
from sqlalchemy import select

from commands.simulate import NAMES, processors
from commands.stage import Phone, Stage, stage
from engine.bots import choose
from engine.bots.whole_game import known_ahead
from engine.game import Game, Move, Seat, read_options, write_move
from engine.registry import find
from engine.tricks.spades import LOOK
from service import stored
from service.text.gsm7 import is_gsm7, segments
from service.text.speech import of

NOON = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)
MOST_SEGMENTS = 2
CALLS_FOR = timedelta(minutes=11)  # longer than bots wait for somebody to call Rummy
MOST_DECISIONS = 20_000  # a game of more does not end


@dataclass(frozen=True)
class People:
    """Who sits there: how many have a phone, and what they have asked for."""

    players: int
    phones: int
    auto: bool  # forced moves are left to the service
    answers: bool = True  # every play is answered
    blind: bool = True  # a hand of Spades is held back until they have looked or bid blind


class Amiss(Exception):
    """A text did not do what it says."""


@dataclass
class Texted:
    """What one game took: decisions are the texts that made moves; segments are of the texts that went out."""

    seed: str
    decisions: int = 0
    questions: int = 0  # that were asked back, and answered by a number
    moves: int = 0
    plays: int = 0  # of these, cards played to tricks
    own_plays: int = 0  # of these, by people
    rounds: int = 1
    segments: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)  # segments of the texts that say: your turn
    wrong: list[str] = field(default_factory=list)


def report(ctx: click.Context, name: str, words: str, people: People, seed: str, games: int, as_json: bool) -> None:
    """Plays the games, prints the figures, and exits with 1 where a text was too long, misread or not GSM-7."""
    began = perf_counter()
    found = list(text_all(name, words, people, seed, games))
    figures = count(found) | {
        "auto": "on" if people.auto else "off",
        "answers": "on" if people.answers else "off",
        "people": people.phones,
        "game": name,
        "options": words,
        "seed": seed,
        "seconds": round(perf_counter() - began, 1),
    }
    wrong = figures["wrong"]
    if as_json:
        click.echo(json.dumps(figures))
    else:
        click.echo(
            f"{figures['games']} games by text, seed {seed}: {figures['rounds']} rounds, {figures['moves']:,} moves in "
            f"{figures['decisions']:,} texts of people\n"
            f"{figures['texts']:,} texts out, {figures['segments']:,} segments: {figures['segments_a_decision']} for each "
            f"text that moves, {figures['texts_a_round']} texts a round\n"
            f"turn texts: {figures['median_turn_segments']:g} segment at the median, {figures['max_turn_segments']} at most; "
            f"all texts {figures['max_segments']} at most"
        )
        if figures["segments_a_card"] is not None:
            click.echo(
                f"for each card that people play {figures['texts_a_card']} texts, {figures['segments_a_card']} segments"
            )
        for line in wrong:
            click.echo(line, err=True)
    ctx.exit(1 if wrong else 0)


def text_all(name: str, words: str, people: People, seed: str, games: int) -> Iterator[Texted]:
    """Every game, in order, on all processors."""
    work = partial(text_one, name, words, people, seed)
    processes = min(processors(), games)
    if processes == 1:
        yield from map(work, range(games))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, range(games))


def count(found: list[Texted]) -> dict[str, Any]:
    """The figures of these games."""
    sizes = [size for game in found for size in game.segments]
    turns = [size for game in found for size in game.turns]
    decisions = sum(game.decisions for game in found)
    plays = sum(game.own_plays for game in found)
    rounds = sum(game.rounds for game in found)
    return {
        "games": len(found),
        "rounds": rounds,
        "moves": sum(game.moves for game in found),
        "decisions": decisions,
        "questions": sum(game.questions for game in found),
        "texts": len(sizes),
        "segments": sum(sizes),
        "max_segments": max(sizes, default=0),
        "median_segments": median(sizes) if sizes else 0,
        "turn_texts": len(turns),
        "median_turn_segments": median(turns) if turns else 0,
        "max_turn_segments": max(turns, default=0),
        "segments_a_decision": round(sum(sizes) / max(decisions, 1), 3),
        "cards": plays,
        "segments_a_card": round(sum(sizes) / plays, 3) if plays else None,
        "texts_a_card": round(len(sizes) / plays, 3) if plays else None,
        "texts_a_round": round(len(sizes) / max(rounds, 1), 1),
        "wrong": [line for game in found for line in game.wrong],
    }


def text_one(name: str, words: str, people: People, seed: str, number: int) -> Texted:
    """One game to its end."""
    game = find(name)
    assert game is not None
    with stage(NOON) as here:
        here.seed = f"{seed}/{number}"
        texted = Texted(here.seed)
        phones = [here.phone(person) for person in NAMES[: people.phones]]
        try:
            play(here, game, words, phones, texted, people)
        except Amiss as amiss:
            texted.wrong.append(f"seed {here.seed}: {amiss}")
        for phone in phones:
            for body, kind in zip(phone.inbox, phone.kinds, strict=True):
                size = segments(body)
                texted.segments.append(size)
                if kind == "turn":
                    texted.turns.append(size)
                if size > MOST_SEGMENTS or not is_gsm7(body):
                    texted.wrong.append(f"seed {here.seed}: {here.over_budget(body, MOST_SEGMENTS)}: {body}")
        with here.services.db.begin() as conn:
            lines = conn.execute(select(stored.MOVE.c.text, stored.MOVE.c.bot)).all()
        plays = [bot for line, bot in lines if line.startswith("play ")]
        texted.moves, texted.plays, texted.own_plays = len(lines), len(plays), plays.count(False)
    return texted


def play(here: Stage, game: Game, words: str, phones: list[Phone], texted: Texted, people: People) -> None:
    """Sits everybody down, deals, and plays to the end. Without `auto` people make their only move themselves, too."""
    code = sit_down(here, game, words, phones, people)
    here.text(phones[0], "deal")
    state = standing(here, code)
    if game.view(state, None).options != read_options(game.Options, dict(w.split("=") for w in words.split())):
        raise Amiss(f"the house rules were not read: {words}: {phones[0].inbox[0]}")
    while not state.ended:
        texted.rounds = state.round
        able = [seat for seat in game.waiting(state) if seat < len(phones) and game.legal(state, seat)]
        if not able:
            state = let_pass(here, game, state, code)
            continue
        seat = able[-1 if texted.decisions % 3 else 0]  # some who may call Rummy do, others are too late
        phone = phones[seat]
        text, moves, expected = next_text(game, state, seat, in_full=texted.decisions % 2 == 1)
        go_on(game, expected, people)
        before = shape(game, state)
        answer = " ".join(here.text(phone, text).texts)
        texted.decisions += 1
        state = standing(here, code)
        if shape(game, state) != shape(game, expected) and not (
            answer_may_vary(game, people) and shape(game, state) != before
        ):
            choice = choice_of(answer, moves)
            if choice is None:
                raise Amiss(f"{phone.name}'s {text!r} was not done as meant: {answer}")
            before = shape(game, state)
            here.text(phone, choice)
            texted.questions += 1
            texted.decisions += 1
            state = standing(here, code)
            if shape(game, state) == before:
                raise Amiss(f"{phone.name}'s {choice!r} answered nothing: {answer}")
        if texted.decisions > MOST_DECISIONS:
            raise Amiss(f"no end after {MOST_DECISIONS} texts")


def sit_down(here: Stage, game: Game, words: str, phones: list[Phone], people: People) -> str:
    """A full table with everybody's own settings; its code."""
    host, *others = phones
    size = f" {people.players} players" if len(game.seats) > 1 else ""
    here.text(host, f"new {game.name}{size} {words}".strip())
    with here.services.db.begin() as conn:
        code: str = conn.execute(stored.TABLE.select()).one().code
    for phone in others:
        here.text(phone, f"join {code}")
    if people.phones < people.players:
        here.text(host, "bots")
    for phone in phones:
        if not people.auto:
            here.text(phone, "auto off")
        if not people.answers:
            here.text(phone, "answers off")
        if not people.blind:
            here.text(phone, "blind off")
    return code


def let_pass(here: Stage, game: Game, state: Any, code: str) -> Any:
    """The state after a while in which nobody calls Rummy: bots wait that long."""
    before = shape(game, state)
    here.run_to(here.clock() + CALLS_FOR)
    state = standing(here, code)
    if shape(game, state) == before:
        raise Amiss("nobody can do anything, and nothing happens")
    return state


def answer_may_vary(game: Game, people: People) -> bool:
    """Whether bots may wait before they play on, so that the position after a text is not known beforehand."""
    return people.phones < people.players and "rummy" in game.verbs


def go_on(game: Game, state: Any, people: People) -> None:
    """What the service does by itself: bots' moves, moves that all know to be the only ones, and the deal after them."""
    while not state.ended:
        if state.over:
            game.next_round(state)
            continue
        waiting = game.waiting(state)
        bot = next((seat for seat in waiting if seat >= people.phones and game.legal(state, seat)), None)
        if bot is not None:
            game.play(state, bot, choose(game.view(state, bot), game.legal(state, bot)))
            continue
        looks = next((seat for seat in waiting if LOOK in game.legal(state, seat)), None)
        if looks is not None and not people.blind:
            game.play(state, looks, LOOK)
            continue
        only = game.forced(state) if people.auto else None
        if only is None:
            return
        game.play(state, state.turn, only)


def choice_of(answer: str, moves: list[Move]) -> str | None:
    """What to answer a question with, where one of its choices is among the moves that were meant: its number, or the card."""
    meant = {write_move(move).upper() for move in moves}
    again = re.search(r"(PLAY \w+) again to do it", answer)
    if again is not None and again[1] in meant:
        return again[1].lower()
    only = re.search(r"Do you mean ([A-Z][A-Z0-9 ]*)\?", answer)
    if only is not None:
        return "1" if only[1].replace("10", "T") in meant else None
    choices = re.findall(r"(\d) ([A-Z][A-Z0-9 ]*?)(?=, \d|\?)", answer)
    return next((number for number, choice in choices if choice.replace("10", "T") in meant), None)


def standing(here: Stage, code: str) -> Any:
    """The state of the table as it is kept."""
    with here.services.db.begin() as conn:
        table = stored.by_code(conn, code)
    if table is None or table.state is None:
        raise Amiss(f"table {code} was not dealt")
    return table.state


def next_text(game: Game, state: Any, seat: Seat, in_full: bool) -> tuple[str, list[Move], Any]:
    """What the person on this seat texts now, its moves, and the state they lead to.

    It ends where something comes up that they could not have known, or with the turn. Every other text is in capitals
    and names whole cards; the rest is as our own texts suggest, in small letters.
    """
    moves, after = known_ahead(game, state, seat)
    if in_full:
        return ", ".join(map(write_move, moves)).upper(), moves, after
    return ", ".join(map(of(game.name).command, moves)).lower(), moves, after


def shape(game: Game, state: Any) -> Any:
    """A position without its suits, where texts may leave them out."""
    views = [game.view(state, seat) for seat in range(state.seats)]
    bare = 2 if "pickup" in game.verbs else 0
    hands = [sorted(card >> bare for card in view.hand) for view in views]
    table = views[0]
    lies = [getattr(table, name, None) for name in ("pile_count", "stock_count", "laid", "trick", "bids", "exposed")]
    return hands, table.turn, table.phase, table.round, table.scores, lies
