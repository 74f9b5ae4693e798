"""A `Record` to its canonical text."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.cards import names
from engine.game import Game, Position, Seat, Side, read_move, write_options
from engine.record.facts import Board
from engine.record.parts import (
    FACTS_BY_KEY,
    HEADER_BY_KEY,
    Attempt,
    Deal,
    Fact,
    Record,
    Seated,
    places_of,
    standing,
    write_loose,
)
from engine.record.replay import replay

Moves = Iterable[tuple[Seat, str]]


def of_game(
    game: Game,
    options: Any,
    players: Sequence[str],
    moves: Moves,
    *,
    seed: str | None = None,
    dealer: Seat | None = None,
    position: Position | None = None,
    title: str = "",
) -> Record:
    """The record of a game that was dealt from `seed` (by `dealer`, or whom the seed draws), or began at `position`.

    `moves` are seats and canonical texts, over all rounds. ValueError for a text that is not a move, or for names that
    a record cannot hold.
    """
    if seed is not None and dealer is None:
        dealer = game.view(
            game.deal(options, len(players), seed), None
        ).dealer  # a record's own default is the last seat
    start = Position(dealer=dealer, seed=seed) if position is None else position
    record = Record(game, options, tuple(players), start, title=title)
    Seated(players, game.sides(options, len(players)))
    record.body = [Attempt("", seat, read_move(text)) for seat, text in moves]
    return record


def outcome(board: Board) -> list[Fact]:
    """What holds at the end of a game: who won, and the scores; nothing before it."""
    view = board.view()
    if not view.ended:
        return []
    scores = [Fact("score", side=side, number=score) for side, score in enumerate(view.scores)]
    return [Fact("ended"), *[Fact("winner", side=side) for side in view.winners], *scores]


def write(record: Record) -> str:
    """The text of a record: header in a fixed order, a statement a line, every card named in full.

    Ranks alone are resolved as the record is played, so writing what was read and reading it again changes nothing more.
    """
    seated = record.seated
    lines = [f"# {line}".rstrip() for line in record.title.split("\n") if line]
    lines.append(f"game: {record.game.name}")
    options = write_options(record.options)
    lines += [f"options: {options}"] if options else []
    lines.append(f"seats: {' '.join(record.names)}")
    lines += _position(record.start, seated, first=True)
    for statement in replay(record).body:
        match statement:
            case Attempt(mark=mark, who=who, move=move, code=code):
                name = who if isinstance(who, str) else seated.names[who]
                lines.append(f"{mark} {name} {write_loose(move)}".strip() + (f" : {code}" if code else ""))
            case Fact():
                lines.append(f"= {_fact(statement, seated)}")
            case Deal(position=position):
                lines += _position(position, seated, first=False)
    return "\n".join(lines) + "\n"


def _position(position: Position, seated: Seated, *, first: bool) -> list[str]:
    """Header lines of a position, in the order of the notation; a later block begins with its round."""
    found: dict[str, list[str]] = {
        "dealer": [] if position.dealer is None else [seated.names[position.dealer]],
        "seed": [] if position.seed is None else [position.seed],
        "turn": [] if position.turn is None else [seated.names[position.turn]],
        "phase": [] if position.phase is None else [position.phase],
        "stock": [] if position.stock is None else [names(position.stock)],
        "pile": [] if position.pile is None else [names(position.pile)],
    }
    lines = [f"round: {position.round}"] if not first or position.round != 1 else []
    for key, shape in HEADER_BY_KEY.items():
        lines += [f"{key}: {value}" for value in found.get(key, ())]
        if key == "score":
            lines += [f"score {seated.of_side(side)}: {score}" for side, score in sorted(position.scores.items())]
        elif key == "hand":
            hands = sorted(position.hands.items())
            lines += [f"hand {seated.names[seat]}: {names(cards)}" for seat, cards in hands]
        elif key == "down":
            lines += [f"down {seated.of_side(side)}: {names(cards)}" for side, cards in position.down]
        elif key in position.extra:
            lines += _extra(key, shape, position.extra[key], seated)
    return [line.rstrip() for line in lines]


def _extra(key: str, shape: str, values: Sequence[tuple[Seat | Side | None, str]], seated: Seated) -> list[str]:
    """The lines of a key that only some games know."""
    places = places_of(shape)
    if "SEATS" in places or "TRICK" in places:
        between = ", " if "TRICK" in places else " "
        return [f"{key}: " + between.join(f"{seated.names[seat or 0]} {text}".strip() for seat, text in values)]
    lines = []
    for who, text in values:
        if who is None:
            lines.append(f"{key}: {text}")
        elif "SIDE" in places:
            lines.append(f"{key} {seated.of_side(who)}: {text}")
        elif "MELD" in places:
            label, _, cards = text.partition(" ")
            lines.append(f"{key} {label} {seated.names[who]}: {cards}")
        else:
            lines.append(f"{key} {seated.names[who]}: {text}")
    return lines


def _fact(fact: Fact, seated: Seated) -> str:
    """A fact with what belongs in the places of its shape."""
    text = FACTS_BY_KEY[fact.key]
    name = "none" if fact.seat is None else seated.names[fact.seat]
    moves = " | ".join(map(write_loose, fact.moves))
    said = {
        "SEAT": name,
        "SOMEBODY": name,
        "SIDE": "" if fact.side is None else seated.of_side(fact.side),
        "NUMBER": str(fact.number),
        "COUNT": str(fact.number),
        "CARDS": names(fact.cards),
        "CARD": names(fact.cards),
        "STOOD": standing(fact.cards, fact.stands or fact.cards),
        "MOVES": moves,
        "MOVE": f"{name} {moves}",
        "PHASE": fact.word,
        "MELD": fact.word,
    }
    return " ".join(_place(word, said) for word in text.split()).strip()


def _place(word: str, said: dict[str, str]) -> str:
    """One word of a shape, filled in."""
    bare = word.rstrip(":")
    return said.get(bare, bare) + word[len(bare) :]
