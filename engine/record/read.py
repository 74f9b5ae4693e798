"""Text to a `Record`: strict, and clear about what is wrong where."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from engine.cards import card_name, read_card, read_cards
from engine.game import CODES, Game, Position, Refusal, read_options
from engine.record.facts import CHECKS
from engine.record.parts import (
    FACTS_BY_KEY,
    HEADER_BY_KEY,
    NAME,
    REPEATABLE,
    Attempt,
    Broken,
    Deal,
    Fact,
    Line,
    Record,
    Seated,
    places_of,
)
from engine.record.words import assemble, read_move_words, read_word
from engine.registry import GAMES, find

Finder = Callable[[str], Game | None]

_COMMENT = re.compile(r"(?:^|\s)#.*")
_BRACED = re.compile(r"\{[^}]*\}")  # special_values={QS: 45}
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


def parse_bytes(data: bytes) -> Record:
    """The record in the bytes of a file; `Broken` also for what is not UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Broken(line, "this is not UTF-8 text; save the record as UTF-8") from None
    return parse(text)


def parse(text: str, find: Finder = find) -> Record:
    """The record in a text. Raises `Broken` at the first thing that cannot be read, the header's basics first."""
    statements: list[tuple[int, str]] = []
    comments: list[str] = []
    for number, raw in enumerate(text.split("\n"), 1):
        statement = _COMMENT.sub("", raw.rstrip("\r")).strip()
        if statement:
            statements.append((number, statement))
        elif raw.startswith("#") and not statements:
            comments.append(raw[1:].strip())
    reader = _Reader(find, statements)
    record = reader.record()
    record.title = "\n".join(comments)
    return record


class _Reader:
    """Reads statements one by one; `self.line` is where it is."""

    def __init__(self, find: Finder, statements: Sequence[tuple[int, str]]) -> None:
        self.line = 1
        head = list(statements)
        for i, (_, statement) in enumerate(statements):
            if not _is_header(statement):
                head = head[:i]
                break
        self.head, self.rest = head, statements[len(head) :]
        self.game, self.options, self.seated = self._basics(find)
        self.mover: int | str | None = None

    def broken(self, sentence: str) -> Broken:
        return Broken(self.line, sentence)

    # Header

    def _basics(self, find: Finder) -> tuple[Game, Any, Seated]:
        """The game, its house rules and who is seated: all else is read against them."""
        said: dict[str, tuple[int, str]] = {}
        for number, statement in self.head:
            self.line = number
            left, _, right = statement.partition(":")
            key = left.strip().lower()
            self._key(left)
            if key in ("game", "options", "seats"):
                if key in said:
                    raise self.broken(f"there is a {key!r} line already, line {said[key][0]}")
                said[key] = (self.line, right.strip())
        for key, example in (("game", GAMES[0].name), ("seats", "Ann Bea Cy Dot")):
            if key not in said:
                self.line = (self.head or self.rest or [(1, "")])[0][0]
                raise self.broken(
                    f"a record begins with its header, and there is no {key!r} line, such as '{key}: {example}'"
                )
        self.line, name = said["game"]
        game = find(name)
        if game is None:
            raise self.broken(f"there is no game {name!r}; there are: {', '.join(g.name for g in GAMES)}")
        self.line, text = said.get("options", (self.line, ""))
        options = self._options(game, text)
        self.line, text = said["seats"]
        return game, options, self._seats(game, options, text.split())

    def _options(self, game: Game, text: str) -> Any:
        given: dict[str, str] = {}
        for word in _BRACED.sub(lambda found: found[0].replace(" ", ""), text).split():
            option, equals, value = word.partition("=")
            if not equals or option.lower() in given:
                raise self.broken(f"{word!r}: house rules are written name=value, each once")
            given[option.lower()] = value
        try:
            return read_options(game.Options, given)
        except Refusal as refusal:
            raise self.broken(refusal.hint) from None

    def _seats(self, game: Game, options: Any, players: Sequence[str]) -> Seated:
        if len(players) not in game.seats:
            allowed = " or ".join(map(str, game.seats))
            raise self.broken(f"{game.name} is for {allowed} players, and {len(players)} are seated")
        for player in players:
            if player.lower() in game.verbs:
                raise self.broken(f"a player cannot be called {player!r}, because that is a move")
        try:
            return Seated(players, game.sides(options, len(players)))
        except ValueError as error:
            raise self.broken(str(error)) from None

    def record(self) -> Record:
        """The whole."""
        record = Record(self.game, self.options, self.seated.names, self._position(self.head))
        rest = list(self.rest)
        while rest:
            self.line, statement = rest[0]
            if _is_header(statement):
                block = [rest.pop(0)]
                if not statement.lower().startswith("round"):
                    raise self.broken(f"{statement!r} is a header line; after moves a new deal begins with 'round:'")
                while rest and _is_header(rest[0][1]) and not rest[0][1].lower().startswith("round"):
                    block.append(rest.pop(0))
                at = self.line
                record.body.append(Deal(self._position(block), at))
                continue
            rest.pop(0)
            record.body += self._statement(statement)
        return record

    def _position(self, statements: Sequence[tuple[int, str]]) -> Position:
        lines = []
        seen = set()
        for number, statement in statements:
            self.line = number
            line = self._header_line(statement)
            if line.key in ("game", "options", "seats"):
                if statements is not self.head:
                    raise self.broken(f"{line.key!r} stands at the head of the file and holds for all of it")
                continue
            mark = (
                line.key,
                line.seat,
                line.side,
                line.word.split()[0] if line.key in ("meld", "first-of-suit") else "",
            )
            if mark in seen and line.key not in REPEATABLE:
                raise self.broken(f"there is a {statement.partition(':')[0].strip()!r} line already")
            seen.add(mark)
            lines.append(line)
        position = assemble(lines)
        self._try(lines, position)
        return position

    def _try(self, lines: Sequence[Line], position: Position) -> None:
        """Lets the game look at the position, and finds the line that it does not take."""
        complaint = self._complaint(position)
        if complaint is None:
            return
        at = self.line
        for count in range(len(lines) + 1):  # the first line that calls forth the same complaint
            if self._complaint(assemble(lines[:count])) == complaint:
                at = lines[count - 1].line if count else at
                break
        raise Broken(at, complaint)

    def _complaint(self, position: Position) -> str | None:
        try:
            self.game.place(self.options, len(self.seated.names), position)
        except ValueError as error:
            return str(error)
        return None

    def _key(self, left: str) -> str:
        """The key that a header line begins with."""
        key = (left.split() or [""])[0].lower()
        if key not in HEADER_BY_KEY:
            known = ", ".join(HEADER_BY_KEY)
            raise self.broken(f"{left.strip()!r} is no line of a header; those begin with one of: {known}")
        return key

    def _header_line(self, statement: str) -> Line:
        left, _, right = statement.partition(":")
        key = self._key(left)
        shape = HEADER_BY_KEY[key]
        subject = left.split()[1:]
        if len(subject) != len(places_of(shape.partition(":")[0])):
            raise self.broken(f"this line is written '{shape.lower()}'")
        line: Line = self._fill(shape, key, [*subject, *right.split()], Line)
        return line

    def _fill(self, shape: str, key: str, words: Sequence[str], kind: type[Line]) -> Any:
        """A line of this shape from the words after its key."""
        said: dict[str, Any] = {"key": key, "line": self.line}
        for place in places_of(shape):
            takes_all = place in _LISTS
            if not takes_all and not words:
                raise self.broken(f"something is missing here: write '{shape.lower()}'")
            part = words if takes_all else words[:1]
            words = [] if takes_all else words[1:]
            try:
                for name, got in self._read(place, part).items():
                    said[name] = f"{said[name]} {got}".strip() if name == "word" and "word" in said else got
            except ValueError as error:
                raise self.broken(str(error)) from None
        if words:
            raise self.broken(f"{' '.join(words)!r} is too much here: write '{shape.lower()}'")
        return kind(**said)

    def _read(self, place: str, words: Sequence[str]) -> dict[str, Any]:
        """What stands in one place of a shape. ValueError says what would work."""
        text = " ".join(words)
        match place:
            case "SEAT":
                return {"seat": self.seated.seat(text)}
            case "SOMEBODY":
                return {"seat": None if text.lower() == "none" else self.seated.seat(text)}
            case "SIDE":
                return {"side": self.seated.side(text)}
            case "NUMBER" | "COUNT" | "ROUND":
                least = {"NUMBER": -(10**9), "COUNT": 0, "ROUND": 1}[place]
                if not _NUMBER.fullmatch(text) or int(text) < least:
                    raise ValueError(
                        f"{text!r} is not a {'whole number' if place == 'NUMBER' else f'number from {least} up'}"
                    )
                return {"number": int(text)}
            case "CARDS":
                return {"cards": tuple(read_cards(text))}
            case "CARD":
                return {"cards": (read_card(text),)}
            case "STOOD":
                pairs = [tuple(map(read_card, word.split("=", 1))) for word in words]
                return {"cards": tuple(pair[0] for pair in pairs), "stands": tuple(pair[-1] for pair in pairs)}
            case "MOVES":
                return {"moves": tuple(read_move_words(self.game, move.split()) for move in text.split("|") if text)}
            case "MOVE":
                who, rest = self._mover(words)
                if isinstance(who, str):
                    raise ValueError(f"nobody called {who!r} is seated; seated are {', '.join(self.seated.names)}")
                return {"seat": who, "moves": (read_move_words(self.game, rest),)}
            case "SEATS":
                return {"many": tuple((self.seated.seat(word), "") for word in words)}
            case "TRICK":
                played = [play.split() for play in text.split(",") if text]
                if any(len(play) != 2 for play in played):
                    raise ValueError(f"{text!r} is no trick; write who played what, as in 'Ann 4C, Bea KC'")
                return {"many": tuple((self.seated.seat(name), card_name(read_card(card))) for name, card in played)}
            case _:
                return {"word": read_word(place, words)}

    # Moves and facts

    def _statement(self, statement: str) -> list[Any]:
        mark = statement[0]
        try:
            if mark == "=":
                return [self._fact(statement[1:].split())]
            if mark in "!?":
                text, colon, code = statement[1:].partition(":")
                code = code.strip().upper()
                if colon and (mark == "?" or code not in CODES):
                    raise self.broken(
                        f"{code!r} is no refusal code; write '! NAME MOVE : CODE' with one of {', '.join(CODES)}"
                    )
                who, rest = self._mover(text.split())
                return [Attempt(mark, who, read_move_words(self.game, rest), code, self.line)]
            found = []
            for part in statement.split(","):
                self.mover, rest = self._mover(part.split())
                found.append(Attempt("", self.mover, read_move_words(self.game, rest), "", self.line))
            return found
        except ValueError as error:
            raise error if isinstance(error, Broken) else self.broken(str(error)) from None

    def _fact(self, words: list[str]) -> Fact:
        negated = bool(words) and words[0].lower() == "not"
        key, colon, glued = " ".join(words[: 1 + negated]).lower().partition(":")
        shape = FACTS_BY_KEY.get(key)
        if shape is None:
            raise self.broken(f"'= {key}' is nothing to check; there are: {', '.join(FACTS_BY_KEY)}")
        if key not in CHECKS:
            raise self.broken(f"{self.game.name} has no '= {key}'")
        rest = words[len(key.split()) :]
        text = " ".join([glued, *rest]) if colon else " ".join(rest)
        fact: Fact = self._fill(shape, key, text.replace(":", " ", 1).split(), Fact)
        return fact

    def _mover(self, words: Sequence[str]) -> tuple[int | str, Sequence[str]]:
        """Whose move this is, and its words. A name may be left out after a move of the same player."""
        if not words:
            raise ValueError("a move is missing here: write 'NAME VERB CARDS', as in 'Ann discard 4H'")
        seat = self.seated.find(words[0])
        if seat is not None:
            return seat, words[1:]
        verbs = self.game.verbs
        if words[0].lower() in verbs:
            if self.mover is None:
                raise ValueError(f"{words[0]!r} is by nobody: begin the first move with a name")
            return self.mover, words
        if len(words) > 1 and words[1].lower() in verbs and NAME.fullmatch(words[0]):
            return words[0], words[1:]  # the game will say that nobody of that name plays
        if words[0].lower() in HEADER_BY_KEY:
            raise ValueError(f"a header line has a colon: '{HEADER_BY_KEY[words[0].lower()].lower()}'")
        raise ValueError(
            f"{words[0]!r} is neither seated here ({', '.join(self.seated.names)}) nor a move ({', '.join(verbs)})"
        )


_LISTS = ("TEXT", "CARDS", "MOVES", "MOVE", "SEATS", "TRICK", "STANDING", "STOOD")


def _is_header(statement: str) -> bool:
    return ":" in statement and statement[0] not in "!?="
