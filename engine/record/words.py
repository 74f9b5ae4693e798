"""The words of a record's lines: moves, values of a fixed list, and what header lines give together."""

import re
from collections.abc import Sequence

from engine.cards import SUITS, card_name, names, rank_name, read_card, read_rank
from engine.game import Game, Loose, Position, read_move
from engine.record.parts import ADDED_UP, HEADER_BY_KEY, PHASES, Line, places_of

_LABEL = re.compile(r"M[1-9][0-9]{0,3}")
_BARE_VERBS = ("draw", "deal", "auto")


def read_move_words(game: Game, words: Sequence[str]) -> Loose:
    """A move of this game from its words, without the name. ValueError says what would work."""
    verb = words[0].lower() if words else ""
    if verb not in game.verbs:
        raise ValueError(f"{verb!r} is no move of {game.name}; its moves are {', '.join(game.verbs)}")
    words = [verb, *words[1:]]
    if verb == "swap" and [word.lower() for word in words[2:3] + words[4:5]] == ["for", "in"]:
        words = [verb, words[1], words[3], "to", *words[5:]]
    move = read_move(" ".join(words))
    if verb in _BARE_VERBS and (move.specs or move.to):
        raise ValueError(f"'{verb}' stands alone, with no cards after it")
    if move.to and move.to != "join" and not _LABEL.fullmatch(move.to):
        move = move._replace(to=rank_name(read_rank(move.to)))
    return move


def read_word(place: str, words: Sequence[str]) -> str:
    """A word of a fixed list, or a list of cards that stand for others, in canonical form."""
    text = " ".join(words)
    lower = text.lower()
    match place:
        case "PHASE":
            return _one_of(lower, PHASES)
        case "YESNO":
            return _one_of(lower, ("yes", "no"))
        case "BID":
            return lower if lower.isascii() and lower.isdigit() else _one_of(lower, ("nil", "blind", "a number"))
        case "SUIT":
            return _one_of(text.upper(), tuple(SUITS))
        case "RANK":
            return rank_name(read_rank(text))
        case "MELD":
            if not _LABEL.fullmatch(text.upper()):
                raise ValueError(f"{text!r} does not number a meld; write M1, M2 and so on")
            return text.upper()
        case "STANDING":
            return " ".join("=".join(card_name(read_card(part)) for part in word.split("=", 1)) for word in words)
    return text


def _one_of(text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise ValueError(f"{text!r} cannot stand here; write {' or '.join(allowed)}")
    return text


def assemble(lines: Sequence[Line]) -> Position:
    """The position that header lines give together."""
    position = Position()
    for line in lines:
        match line.key:
            case "dealer" | "turn":
                setattr(position, line.key, line.seat)
            case "phase" | "seed":
                setattr(position, line.key, line.word)
            case "round":
                position.round = line.number
            case "stock" | "pile":
                setattr(position, line.key, list(line.cards))
            case "hand":
                assert line.seat is not None
                position.hands[line.seat] = list(line.cards)
            case "score":
                assert line.side is not None
                position.scores[line.side] = line.number
            case "down":
                assert line.side is not None
                position.down.append((line.side, list(line.cards)))
            case _:
                found = position.extra.setdefault(line.key, [])
                if line.key in ADDED_UP and line.seat in dict(found):
                    cards = dict(found)[line.seat]
                    found.remove((line.seat, cards))
                    found.append((line.seat, f"{cards} {names(line.cards)}".strip()))
                else:
                    found += _extra(line)
    return position


def _extra(line: Line) -> list[tuple[int | None, str]]:
    """A line that only some games know, as `Position.extra` has it: whose it is, and its text in canonical form."""
    places = places_of(HEADER_BY_KEY[line.key])
    if "SEATS" in places or "TRICK" in places:
        return list(line.many)
    whose = line.side if "SIDE" in places else line.seat
    if "COUNT" in places:
        return [(whose, str(line.number))]
    if "CARDS" in places or "CARD" in places:
        return [(whose, names(line.cards))]
    return [(whose, line.word)]
