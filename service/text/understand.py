"""From a text to what its sender means: the front end of every game.

`understand` reads a text the way the person who sent it sees the table: reactions and automatic answers first, then a
table's code in front, the answer to a question of ours, and the clauses in order. Moves are tried on a copy of the state
and come back whole and legal; at the first that is refused or not understood the rest waits. Two readings that are both
legal make a question. A text with a doubt in it (a negation, a question, somebody else's name) moves nothing at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.cards import WILD, Card, rank_name
from engine.game import Event, Game, Loose, Move, Refusal, Seat, Spec, read_move, write_move
from service.text.clean import clean, decode, said_lines
from service.text.commands import Command, correct, read_command
from service.text.lex import Clause, read_items, split
from service.text.lexicon import FUZZY_VERBS, Item, near_word, words
from service.text.moves import Parsed, Sight, Unit, parse, readings
from service.text.moves import Reading as Meant
from service.text.reactions import echoes, is_automatic, is_reaction

ALL_VERBS = ("draw", "pickup", "meld", "add", "auto", "discard", "pass")
CARRIER_OUT = words(
    """
    stop stopall unsubscribe cancel end quit revoke optout
    """
)
CARRIER_IN = frozenset(["start", "yes", "unstop"])
CARRIER_HELP = frozenset(["help", "info"])
MOST_CHOICES = 9


@dataclass(frozen=True)
class Context:
    """What is known about the person who texts, and the table from which the text is read.

    `stage` is none (no table), open (seats are filling), playing or over. `codes` are the codes of all tables of this
    person, `recent` our last texts to them (newest first), `pending` the choices of the question we asked last.
    """

    game: Game | None = None
    state: Any = None
    seat: Seat | None = None
    names: tuple[str, ...] = ()
    code: str = ""
    codes: tuple[str, ...] = ()
    stage: str = "none"
    recent: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a text means; nothing has been changed.

    `kind` is that of the step at which reading ended: moves (all was done), command, ask (`choices` in canonical text, a
    choice of several moves joined by ", "), refused (`code`, `hint`), unclear (`hint`: what was not understood), ignored.
    `moves` are legal in this order from the state as it is, whatever the kind; `events` are what they did on a copy.
    `command` follows the moves. `rest` is what of the text was not done, from the step at which reading ended; behind a
    command it is what may be read next. `table` is the code that led the text.
    """

    kind: str
    moves: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    command: Command | None = None
    code: str = ""
    hint: str = ""
    choices: tuple[str, ...] = ()
    rest: str = ""
    table: str = ""


_OPT_OUT = re.compile(
    r"\b(?:stop|quit)\s+(?:texting|messaging|sending|contacting|bothering|spamming|with the texts|these (?:texts|messages)|all (?:texts|messages))\b"
    r"|\bunsubscribe\b|\bremove me\b(?! from (?:the )?(?:game|table))|\btake me off\b|\bopt[ -]?(?:me )?out\b|\bno mas\b|\bno more (?:texts|messages)\b"
    r"|\b(?:do not|don't|dont|never|please stop) (?:text|message|contact|call) me\b|\bleave me alone\b|\blose my number\b"
    r"|\bstop (?:please|now|it|this|all)\s*[.!]*\Z|\Aplease stop\s*[.!]*\Z|\bdelete my number\b|\bstop all\b",
    re.IGNORECASE,
)
_WRONG_NUMBER = re.compile(r"\bwrong (?:number|person)\b|\bwho is this\b|\bwho's this\b", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\w]*([^\W_]+)[^\w]*\Z")
_GREETING = words(
    """
    hi hello hey hiya yo hallo hola heya howdy sup
    """
)
_SOCIAL = re.compile(
    r"(?:(?:thanks?|thank you|thx|ty|thank u|ok|okay|k|kk|okey|cool|nice|great|good|lol|lmao|rofl|haha+|hehe+|ha|yay|wow|gg|wp|glhf|gl|good (?:game|luck|one|job|morning|night|evening)"
    r"|well played|nice (?:one|hand|move|play|game)|sorry|np|no problem|no worries|sure|alright|got it|sounds good|will do|awesome|perfect|brb|omg|oops|hmm+|hm+|ugh|aw+|bye|goodbye|see you|see ya|night|love (?:you|ya)"
    r"|miss you|xo+|congrats|congratulations|happy birthday|merry christmas|bravo|well done|yes|yeah|yep|yup|nope|good|fine|so much|very much|all|everyone|everybody|guys|my bad|damn|dang|darn|yikes|phew|whew|oh|ah|wtf|lucky you)(?![^\W_])[\s,.!;-]*)+\Z",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:sa(?:id|ys|y)|t(?:old|ell|ells)|ask(?:ed|s)?|wrote|text(?:ed|s)?|word|words|means?|meant|call(?:ed|s)?|he|she|they|thinks?|want(?:ed|s)|if|unless|not|don't|never)\b|n't\b|\?",
    re.IGNORECASE,
)


def understand(text: str, context: Context) -> Reading:
    """What this text means from this person at this table. Never raises on any text; the state is not changed."""
    if is_reaction(text, context.recent):
        return Reading("ignored", hint="reaction")
    said = clean(decode(text))
    if not said:
        return Reading("ignored" if text.strip() else "unclear", hint="" if not text.strip() else "no words")
    if is_automatic(said) or echoes(said, context.recent):
        return Reading("ignored", hint="automatic")
    carrier = _carrier(said)
    if carrier is not None:
        return carrier
    lines = said_lines(said) if "\n" in said or said[0] == ">" else [said]
    if not lines:
        return Reading("ignored", hint="quote")
    body = "\n".join(lines)
    if body[0] == '"' and body[-1] == '"' and body.count('"') == 2:
        body = body[1:-1].strip()
    if not body:
        return Reading("ignored", hint="no words")
    body, table = _table(body, context)
    if table and context.code and table != context.code:
        return Reading("unclear", hint="another table", table=table, rest=body)
    if context.pending:
        chosen = _chosen(body, context)
        if chosen is not None:
            return _tabled(chosen, table)
    return _tabled(_Text(body, context).read(bool(table)), table)


def _tabled(reading: Reading, table: str) -> Reading:
    if not table:
        return reading
    return Reading(**{name: getattr(reading, name) for name in Reading.__dataclass_fields__} | {"table": table})


def _carrier(said: str) -> Reading | None:
    """The carrier's words, and plain wishes to be left alone, which count as STOP wherever they stand."""
    one = _ONE_WORD.match(said)
    if one:
        word = one[1].casefold()
        if word in CARRIER_OUT:
            return Reading("ignored", hint="carrier", command=Command("optout"))
        if word in CARRIER_IN:
            return Reading("ignored", hint="carrier", command=Command("optin"))
        if word in CARRIER_HELP:
            return Reading("ignored", hint="carrier", command=Command("help"))
        return None
    if _WRONG_NUMBER.search(said) and len(said) < 60 and "wrong" in said.casefold():
        return Reading("command", command=Command("optout", {"why": "wrong number"}))
    if _OPT_OUT.search(said) and not said.casefold().lstrip().startswith("say "):
        return Reading("command", command=Command("optout"))
    return None


# Which table


_CODE = re.compile(r"(?:(?:table|game)\s+)?#?\s?([^\W_]{3,5})(?=[\s:,.;!-]|\Z)[\s:,.;!-]*", re.IGNORECASE)
_LAST_CODE = re.compile(r"(?:[\s,;.(]+(?:on|at|in|for|table|game|to))*[\s,;.(#]+([^\W_]{3,5})[\s).!]*\Z", re.IGNORECASE)


def table_named(text: str, codes: Sequence[str]) -> str:
    """The code of one of these tables that the text names in front or at its end, or "": whose context to read it in."""
    if not codes:
        return ""
    body = clean(text[:400])
    return _table(body, Context(codes=tuple(codes)))[1] if body else ""


def _table(body: str, context: Context) -> tuple[str, str]:
    """The text without the table's code, and the code."""
    codes = {code.upper() for code in context.codes} | ({context.code.upper()} if context.code else set())
    if not codes:
        return body, ""
    match = _CODE.match(body)
    if match and match[1].upper() in codes:
        return body[match.end() :], match[1].upper()
    for code in codes:  # one look before the slower search
        if code in body[-12:].upper():
            break
    else:
        return body, ""
    match = _LAST_CODE.search(body)
    if match and match[1].upper() in codes and not re.match(r"\s*(?:join|say|leave|rejoin)\b", body, re.IGNORECASE):
        return body[: match.start()], match[1].upper()
    return body, ""


# The answer to a question of ours

_ANSWER = re.compile(
    r"(?:(?:the|number|option|choice|no|nr|answer|#|i want|i'll take|make it|go with|with)[\s.#:]*)*([^\s].*?)(?:\s+(?:one|please|pls|plz|thanks|thx))*[\s.!)]*\Z"
)
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "one": 1,
    "second": 2,
    "2nd": 2,
    "two": 2,
    "third": 3,
    "3rd": 3,
    "three": 3,
    "fourth": 4,
    "4th": 4,
    "four": 4,
    "fifth": 5,
    "5th": 5,
    "last": -1,
    "former": 1,
    "latter": 2,
}
_AGREED = frozenset(
    "y ok okay sure yep yeah yup correct right exactly do it, that that's it go ahead yes please, affirmative".replace(
        ",", ""
    ).split()
) | {"do it", "go ahead", "yes please", "that's it", "that one", "yes do it"}


def _chosen(body: str, context: Context) -> Reading | None:
    """The reading of a short answer to our question, or None where the text is something else."""
    low = body.casefold().strip(" .!,\n")
    if not low or len(low) > 40 or "\n" in low or "?" in low:
        return None
    pending = context.pending
    if len(pending) == 1 and low in _AGREED:
        return _take_choice(pending[0], context)
    match = _ANSWER.match(low)
    if match is None:
        return None
    answer = match[1].strip(" .!#)")
    index = _ORDINALS.get(answer) or (int(answer) if answer.isdigit() and len(answer) < 3 else 0)
    if not index and len(answer) == 1 and "a" <= answer <= "i":
        index = ord(answer) - 96
    items = read_items(answer)
    parsed = parse(items)
    fitting: list[int] = []
    if not parsed.verb and not parsed.flag and not parsed.junk and parsed.units:
        fitting = [i for i, choice in enumerate(pending) if _names(choice, parsed.units)]
    elif parsed.verb and not parsed.units and len(items) == 1:
        fitting = [i for i, choice in enumerate(pending) if choice.split()[0] == parsed.verb]
    by_index = index - 1 if 1 <= index <= len(pending) else len(pending) - 1 if index == -1 else None
    if by_index is not None:
        if fitting and fitting != [by_index] and answer not in ("first", "second"):
            return Reading("ask", choices=pending, hint="Which one?", rest=body)
        return _take_choice(pending[by_index], context)
    if len(fitting) == 1:
        return _take_choice(pending[fitting[0]], context)
    if len(fitting) > 1 and len(fitting) < len(pending):
        return Reading("ask", choices=tuple(pending[i] for i in fitting), hint="Which one?", rest=body)
    return None


def _names(choice: str, units: Sequence[Unit]) -> bool:
    """Whether a choice has the cards (or goes to the set) that a short answer names."""
    loose = [read_move(part) for part in choice.split(", ")]
    cards = [spec for move in loose for spec in move.specs]
    for unit in units:
        if unit.card is not None and not unit.s:
            if not any(spec.card == unit.card for spec in cards):
                return False
        elif not any(spec.rank == unit.rank for spec in cards) and (
            unit.card is not None or not any(move.to == rank_name(unit.rank) for move in loose)
        ):
            return False
    return True


def _take_choice(choice: str, context: Context) -> Reading:
    table = _Table(context)
    try:
        meant = tuple(read_move(part) for part in choice.split(", "))
    except ValueError:
        return Reading("unclear", hint=choice)
    if not table.playing:
        return table.nowhere(choice)
    outcome = table.attempt(Meant(meant), keep=True)
    if outcome.refusal is not None:
        return Reading(
            "refused",
            table.done,
            table.happened,
            code=outcome.refusal.code,
            hint=table.hint(outcome.refusal),
            rest=choice,
        )
    return Reading("moves", table.done, table.happened)


# Moves on a copy


class Outcome(NamedTuple):
    """What came of trying a reading: its moves as far as they were legal, and what stopped it."""

    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    state: Any
    refusal: Refusal | None


class _Table:
    """The copy of the state on which the text is tried, and what was done on it so far."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.playing = (
            context.game is not None
            and context.state is not None
            and context.seat is not None
            and context.stage in ("playing", "none")
        )
        self.game: Any = context.game
        self.seat: Any = context.seat
        self.state: Any = None
        self.done: tuple[Move, ...] = ()
        self.happened: tuple[Event, ...] = ()
        self.verbs = frozenset(context.game.verbs if context.game is not None else ALL_VERBS)
        if self.playing:
            self.state = self.game.copy(self.context.state)
        self._view: Any = None

    def view(self) -> Any:
        if self._view is None and self.playing:
            self._view = self.game.view(self.state, self.seat)
        return self._view

    def hand(self) -> Sequence[Card]:
        view = self.view()
        return () if view is None else view.hand

    def top(self) -> Card | None:
        return getattr(self.view(), "top", None)

    def attempt(self, meant: Meant, keep: bool = False) -> Outcome:
        """Tries a reading; `keep` lets its legal moves stand on our copy."""
        state = self.state if keep else self.game.copy(self.state)
        moves: list[Move] = []
        events: list[Event] = []
        refusal: Refusal | None = None
        for loose in meant.moves:
            try:
                move = _wilds_last(self.game.resolve(state, self.seat, loose))
                events += self.game.play(state, self.seat, move)
            except Refusal as refused:
                refusal = refused
                break
            except ValueError as error:
                refusal = Refusal("PHASE", str(error))
                break
            moves.append(move)
        if keep:
            self._view = None
            self.done += tuple(moves)
            self.happened += tuple(events)
        return Outcome(tuple(moves), tuple(events), state, refusal)

    def accept(self, outcome: Outcome) -> None:
        self.state = outcome.state
        self._view = None
        self.done += outcome.moves
        self.happened += outcome.events

    def hint(self, refusal: Refusal) -> str:
        """The engine's hint, with the name of whose turn it is."""
        if refusal.code != "TURN" or not self.playing:
            return refusal.hint
        waiting = [self.context.names[seat] for seat in self.game.waiting(self.state) if seat < len(self.context.names)]
        if not waiting:
            return refusal.hint
        if self.done:
            return f"Your turn is over; it is {' and '.join(waiting)}'s turn now."
        return f"It is {' and '.join(waiting)}'s turn, not yours."

    def nowhere(self, rest: str) -> Reading:
        """The answer to a move where no cards are out."""
        stage = self.context.stage
        if stage == "open":
            hint = "The cards are not dealt yet. DEAL starts the game when all seats are taken."
        elif stage == "over":
            hint = "This game is over. REMATCH plays another."
        else:
            hint = "You are not in a game. Text NEW and a game to open a table, or JOIN and its code."
        return Reading("refused", code="PHASE", hint=hint, rest=rest)


def _wilds_last(move: Move) -> Move:
    if move.stands or WILD not in move.cards or move.cards[-1] == WILD:
        return move
    return move._replace(cards=tuple(sorted(move.cards, key=WILD.__eq__)))


def _canonical(moves: Sequence[Move]) -> str:
    return ", ".join(map(write_move, moves))


class _Text:
    """One text being read, clause by clause."""

    def __init__(self, body: str, context: Context) -> None:
        self.body = body
        self.context = context
        self.table = _Table(context)
        self.sight = Sight(self.table.hand, self.table.top, self.table.verbs)

    # Commands

    def command(self, text: str, loose: bool = False) -> Command | None:
        context = self.context
        read = correct if loose else read_command
        return read(text, context.stage, context.names, context.game)

    def ended(self, kind: str, start: int = -1, **more: Any) -> Reading:
        rest = self.body[start:].strip() if start >= 0 else ""
        return Reading(kind, self.table.done, self.table.happened, rest=rest, **more)

    def read(self, tabled: bool) -> Reading:
        body = self.body
        if not body.strip():
            return Reading("command", command=Command("table")) if tabled else Reading("unclear")
        first = re.match(r"[\s,.!]*(say|chat)\b[\s:,]*", body, re.IGNORECASE)
        if first:
            said = body[first.end() :].strip()
            return Reading("command", command=Command("say", {"text": said} if said else {}))
        items = read_items(body)
        if not items or items[0].kind != "V" or items[0].value not in FUZZY_VERBS.values() or len(items) > 24:
            whole = self.whole(items)
            if whole is not None:
                return whole
        clauses = split(items)
        if len(clauses) > 40:  # nobody's turn is that long
            return self.unclear(body)
        if not clauses:
            return (
                Reading("ignored", hint="no words")
                if not re.search(r"[^\W_]", body)
                else Reading("unclear", hint=body[:40])
            )
        return self.clauses(clauses)

    def whole(self, items: Sequence[Item]) -> Reading | None:
        """A command that is the whole text, or all of its first line: names, options and times may hold anything."""
        body = self.body
        if len(body) > 200:
            return None
        first, _, rest = body.partition("\n")
        command = self.command(body if not rest else first)
        if command is None:
            return self.social()
        playing = self.table.playing
        if (
            playing
            and items
            and items[0].kind in ("V", "DECK", "PILE", "C", "N", "R")
            and command.name in ("pile", "table", "melds")
            and re.search(r"\b(?:pls|plz|please)\b", body, re.IGNORECASE)
            and items[0].kind == "PILE"
        ):
            return None  # `pile please` asks for the cards, `pile` to see it
        return Reading("command", command=command, rest=rest.strip())

    def social(self) -> Reading | None:
        body = self.body
        if len(body) < 80 and _SOCIAL.match(body.strip()):
            low = body.casefold().strip(" .!")
            if low in ("k", "kk"):  # kings, or okay
                return None
            return Reading("ignored", hint="chat")
        word = body.casefold().strip(" .!?,")
        if word in _GREETING or re.fullmatch(
            r"(?:hi|hello|hey)(?: (?:there|all|everyone|guys|everybody|queenline))?", word
        ):
            return Reading("unclear", hint="greeting")
        return None

    # Clauses

    def clauses(self, clauses: Sequence[Clause]) -> Reading:
        taken: list[tuple[Clause, Parsed, str]] = []
        for clause in clauses:
            words = self.body[clause.start : clause.end]
            parsed = parse(clause.items)
            if (
                not parsed.verb
                and not parsed.units
                and not parsed.junk
                and not parsed.flag
                and not parsed.noted
                and not _has(clause, "K")
            ):
                continue  # noise, greetings, chat
            taken.append((clause, parsed, words))
        if not taken:
            return Reading("ignored", hint="chat")
        doubt = self.doubt(taken)
        if doubt is not None:
            return doubt
        plan: list[tuple[Clause, list[Meant] | Command]] = []
        for place, (clause, parsed, words) in enumerate(taken):
            step = self.step(clause, parsed, words, len(taken))
            if step is None:
                chatter = not parsed.verb and not parsed.units and not _REPORTED.search(words) and not self.named(words)
                strong_after = place + 1 >= len(taken) or taken[place + 1][0].strong
                if (
                    chatter
                    and len(taken) > 1
                    and (clause.strong if plan else strong_after)
                    and (clause.strong or not plan)
                ):
                    continue
                attempted = bool(parsed.verb or parsed.units) and bool(plan) and self.looks_like_a_move(parsed)
                if not attempted:
                    return self.unclear(words)
                plan.append((clause, []))
                break
            plan.append((clause, step))
            if isinstance(step, Command):
                break
        if not plan:
            return self.unclear(self.body)
        return self.run(plan)

    def looks_like_a_move(self, parsed: Parsed) -> bool:
        """Whether a clause that was not understood at least tried to be one move, so that what went before it stands."""
        return not parsed.flag and len(parsed.junk) <= 3

    def named(self, words: str) -> bool:
        low = words.casefold()
        return any(re.search(rf"\b{re.escape(name.casefold())}\b", low) for name in self.context.names)

    def doubt(self, taken: Sequence[tuple[Clause, Parsed, str]]) -> Reading | None:
        """A negation, a question or somebody else anywhere: nothing of the text is done, unless it is a question we answer."""
        for place, (_clause, parsed, words) in enumerate(taken):
            lone_joker = len(taken) > 1 and words.casefold().strip(" .!") in ("jk", "j/k", "k", "kk")
            if not parsed.flag and not lone_joker:
                continue
            command = self.command(words)
            if command is not None and (command.name not in ("undo",) or place == 0):
                if place == 0:
                    rest = self.body[taken[1][0].start :] if len(taken) > 1 else ""
                    return Reading("command", command=command, rest=rest.strip())
                continue
            asked = parsed.flag == "?" or any(item.kind == "QUES" for item in _clause.items)
            negated = any(item.kind == "NEG" for item in _clause.items)
            if (
                asked
                and not negated
                and not parsed.junk
                and (parsed.verb or parsed.units)
                and not any(item.kind == "PAST" for item in _clause.items)
            ):
                about = {"about": parsed.verb} if parsed.verb else {}
                return Reading("command", command=Command("hint", about))
            misread = self.command(self.body, loose=True) if len(taken) == 1 else None
            if misread is not None and misread.name not in ("leave", "rematch", "deal", "undo"):
                return Reading("command", command=misread)
            return self.unclear(self.body if len(self.body) < 60 else words)
        return None

    def unclear(self, words: str) -> Reading:
        low = words.casefold().strip(" .!")
        if re.search(
            r"\b(?:quit|end|stop|cancel|exit|abandon|forfeit|resign|concede)\b.{0,12}\b(?:game|table|playing|round)\b|\bi (?:quit|resign|concede|forfeit|give up)\b",
            low,
        ):
            return Reading("unclear", hint="To go, text LEAVE: a bot takes your seat.")
        return Reading("unclear", hint=words.strip()[:40], rest=self.body)

    def step(self, clause: Clause, parsed: Parsed, words: str, count: int) -> list[Meant] | Command | None:
        """What a clause means: readings of a move, a command, or None."""
        asks_for_pile = (
            parsed.noted == {"PILE"} and not parsed.verb and re.search(r"\bpl(?:s|z|ease)\b", words, re.IGNORECASE)
        )
        if (not parsed.verb or parsed.junk or _has(clause, "K")) and not asks_for_pile:
            command = self.command(words)
            if command is not None and not (parsed.verb and not parsed.junk):
                return command
        if parsed.verb or parsed.units or parsed.noted:
            meant = self.moves(clause, parsed)
            if meant is not None:
                return meant
        command = self.command(words)
        if command is not None:
            return command
        if parsed.junk:
            meant = self.corrected(clause)
            if meant is not None:
                return meant
            command = self.command(words, loose=True)
            if command is not None and (command.name != "leave" or count == 1):
                return command
        return None

    def moves(self, clause: Clause, parsed: Parsed) -> list[Meant] | None:
        verb = parsed.verb
        known = {"take", "pick", "put", "play", ""}
        if verb not in known and verb not in self.table.verbs:
            return None
        meant = readings(parsed, self.sight)
        if meant == []:
            return self.one_card(parsed, clause)
        return meant

    def corrected(self, clause: Clause) -> list[Meant] | None:
        """The clause with one misspelt verb put right."""
        for i, item in enumerate(clause.items):
            if item.kind != "JUNK":
                continue
            near = near_word(item.word)
            if near in FUZZY_VERBS.values() and not any(other.kind == "V" for other in clause.items):
                items = (*clause.items[:i], item._replace(kind="V", value=near, word=near), *clause.items[i + 1 :])
                return self.moves(clause, parse(items))
            return None
        return None

    def one_card(self, parsed: Parsed, clause: Clause) -> list[Meant] | None:
        """One card and no verb: its discard where nothing else is legal with it; otherwise the player is asked."""
        unit = parsed.units[0]
        if not self.table.playing:
            return [Meant((Loose("discard", (_spec(unit),)),))]
        sure = unit.card is not None and parsed.verb in ("", "play") and clause.items[0].word not in ("jk",)
        return [Meant((Loose("bare", (_spec(unit),)),), sure)]

    # Doing

    def run(self, plan: Sequence[tuple[Clause, list[Meant] | Command]]) -> Reading:
        table = self.table
        for clause, step in plan:
            if isinstance(step, Command):
                rest = self.body[clause.end :].strip(" ,.;!\n")
                return Reading("command", table.done, table.happened, step, rest=rest)
            if not step:
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:40])
            if not table.playing:
                return table.nowhere(self.body)
            stopped = self.do(step, clause)
            if stopped is not None:
                return stopped
        return Reading("moves", table.done, table.happened)

    def do(self, meant: list[Meant], clause: Clause) -> Reading | None:
        """Does the one legal reading of a clause, or says why not."""
        table = self.table
        if len(meant) == 1 and meant[0].moves[0].verb == "bare":
            return self.do_bare(meant[0], clause)
        if len(meant) == 1 and meant[0].sure:
            outcome = table.attempt(meant[0], keep=True)
            return None if outcome.refusal is None else self.stopped(outcome.refusal, clause)
        outcomes = [table.attempt(each) for each in meant]
        legal: dict[tuple[Move, ...], tuple[Outcome, bool]] = {}
        for each, outcome in zip(meant, outcomes, strict=True):
            if outcome.refusal is None:
                key = tuple(move._replace(cards=tuple(sorted(move.cards))) for move in outcome.moves)
                legal.setdefault(key, (outcome, each.sure))
        unsettled = [
            outcome.refusal
            for outcome in outcomes
            if outcome.refusal is not None and outcome.refusal.code == "AMBIG" and not outcome.moves
        ]
        if len(legal) == 1 and not unsettled:
            outcome, sure = next(iter(legal.values()))
            if sure:
                table.accept(outcome)
                return None
        if legal or unsettled:
            choices = [_canonical(outcome.moves) for outcome, _ in legal.values()]
            for refusal in unsettled:
                choices += [write_move(choice) for choice in refusal.choices]
            return self.ended(
                "ask", clause.start, hint="Which do you mean?", choices=tuple(dict.fromkeys(choices))[:MOST_CHOICES]
            )
        best = max(outcomes, key=lambda outcome: len(outcome.moves))
        if best.moves:
            table.accept(best)
        assert best.refusal is not None
        return self.stopped(best.refusal, clause)

    def do_bare(self, meant: Meant, clause: Clause) -> Reading | None:
        table = self.table
        spec = meant.moves[0].specs[0]
        waiting = table.seat in table.game.waiting(table.state)
        moves = table.game.legal(table.state, table.seat) if waiting else []
        with_it = [
            move
            for move in moves
            if any((card == spec.card if spec.card is not None else card >> 2 == spec.rank) for card in move.cards)
        ]
        if not with_it:
            if spec.card is None:
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:40])
            try:
                move = table.game.resolve(table.state, table.seat, Loose("discard", (spec,)))
                table.game.play(table.game.copy(table.state), table.seat, move)
            except Refusal as refusal:
                return self.stopped(refusal, clause)
            except ValueError:
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:40])
            return self.ended("ask", clause.start, hint="Which do you mean?", choices=(write_move(move),))
        only = with_it[0]
        if len(with_it) == 1 and meant.sure and only.verb == "discard":
            table.attempt(Meant((Loose("discard", (spec,)),)), keep=True)
            return None
        return self.ended(
            "ask", clause.start, hint="Which do you mean?", choices=tuple(map(write_move, with_it))[:MOST_CHOICES]
        )

    def stopped(self, refusal: Refusal, clause: Clause) -> Reading:
        if refusal.code == "AMBIG" and refusal.choices:
            choices = tuple(map(write_move, refusal.choices))[:MOST_CHOICES]
            return self.ended("ask", clause.start, code="AMBIG", hint=refusal.hint, choices=choices)
        return self.ended("refused", clause.start, code=refusal.code, hint=self.table.hint(refusal))


def _has(clause: Clause, kind: str) -> bool:
    return any(item.kind == kind for item in clause.items)


def _spec(unit: Unit) -> Spec:
    return Spec(unit.rank, unit.card)
