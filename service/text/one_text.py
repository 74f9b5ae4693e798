"""One text being read, clause by clause: what each means, what takes it all back, and then the moves in their order."""

import re
from collections.abc import Sequence

from engine.game import Loose, Spec
from service.text import games, planned_plays, regrets
from service.text.asides import CODE_LIKE, GREETING, REPORTED, SOCIAL
from service.text.clauses import completes, named_before, plainer, said_again, taking_leave
from service.text.commands import correct, first_of, following_words, read_command
from service.text.doing import Doing, Step
from service.text.lex import Clause, read_items, split
from service.text.lexicon import FUZZY_VERBS, SHORT_VERBS, Item, near_word
from service.text.moves import Reading as Meant
from service.text.moves import Sight, readings
from service.text.pacing import plan_ahead
from service.text.parse import Parsed, Unit, parse
from service.text.reading import REPEATED, Context, Reading
from service.text.request import Command
from service.text.rewording import Table as Words
from service.text.rewording import reworded
from service.text.sitting import join_unmarked, more_rules
from service.text.trial import Trial

_BROKEN_NOT = re.compile(
    r"\b(?:do|wo|ca|is|did|would|should|could|does|are|ai)n?\s*n?\s*['\s]\s*t\b|n\s*'\s+t|n\s+'\s*t", re.IGNORECASE
)  # don 't
_HESITANT = re.compile(r"[\s,.]h+m+[\s.!]*\Z", re.IGNORECASE)  # `qs hmm...`: perhaps not
_STATING = frozenset(("am", "is", "was", "were", "are", "have", "has", "had", "been"))
HARMLESS = ("hand", "table", "score", "pile", "melds", "who", "games", "rules", "options", "hint")
SHOWN = ("hand", "table", "score", "pile", "melds", "who")


class Text:
    """One text being read, clause by clause."""

    def __init__(self, body: str, context: Context, *, lenient: bool = False) -> None:
        self.context = context
        self.lenient = lenient  # words we don't know say nothing: what comes of it is asked about, never done
        self.table = Trial(context)
        self.other = self.table.playing and self.table.other  # a game of runs or tricks, or with words of its own
        self.said = body
        if self.table.playing and context.game is not None:
            body = reworded(
                body, Words(context.game, self.table.hand(), self.table.view(), context.names, self.table.taken())
            )
        self.body = games.spelled(body, context.game) if self.other and context.game is not None else body
        wild = games.wild_rank(context.game)
        self.sight = Sight(self.table.hand, self.table.top, self.table.verbs, wild)
        self.doing = Doing(self.table, self.body, self.said)

    # Commands

    def command(self, text: str, loose: bool = False) -> Command | None:
        context = self.context
        read = correct if loose else read_command
        return read(text, context.stage, context.names, context.game)

    def read(self, tabled: bool) -> Reading:
        body, context = self.body, self.context
        if not body.strip():
            return Reading("command", command=Command("table")) if tabled else Reading("unclear")
        first = re.match(r"[\s,.!]*(say|chat)\b(?!(?: that| it)? again\W*\Z)[\s:,]*", body, re.IGNORECASE)
        if first:
            said = body[first.end() :].strip()
            return Reading("command", command=Command("say", {"text": said} if said else {}))
        if CODE_LIKE.search(body):
            joining = join_unmarked(body)
            return self.unclear(body) if joining is None else Reading("command", command=joining)
        if self.other:
            assert context.game is not None
            legal, view = self.table.legal(), self.table.view()
            meant = games.word_moves(self.said, context.game, legal, view)  # `beat it` is all of a text
            if meant is None and body != self.said:  # and `beat it with the king` is not
                meant = games.word_moves(body, context.game, legal, view)
            if meant is not None:
                return self.doing.run([(Clause((), 0, len(body), True), meant)])
            shown = self.word_and_shown()
            if shown is not None:
                return shown
        ahead = plan_ahead(body) if "turn" in body or "TURN" in body or "Turn" in body else None
        if ahead is None and self.other:
            ahead = planned_plays.ahead(self.said, context, bool(self.table.legal()))
        if ahead is not None:
            return Reading("command", command=ahead)
        items = self.vocatives(read_items(body))
        if self.table.playing and regrets.within(items):
            return self.unclear(self.said)
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
                else Reading("unclear", hint=body[:REPEATED])
            )
        return self.clauses(clauses)

    def word_and_shown(self) -> Reading | None:
        """`low, score?`: a move by a word, and behind it what is to be shown."""
        parts = re.fullmatch(
            r"([^,.;!?\n]+)(?:[,.;!\n]+\s*(?:and |then )?|\s+(?:and|then)\s+)([^,.;!\n]+)", self.body.strip()
        )
        context = self.context
        assert context.game is not None
        command = self.command(parts[2]) if parts else None
        if parts is None or command is None or command.name not in SHOWN:
            return None
        meant = games.word_moves(parts[1], context.game, self.table.legal(), self.table.view())
        if meant is None or parse(read_items(parts[1])).verb:  # what has a verb is read as a clause
            return None
        first = Clause((), 0, len(parts[1]), True)
        return self.doing.run([(first, meant), (Clause((), parts.start(2), len(self.body), True), command)])

    def vocatives(self, items: list[Item]) -> list[Item]:
        """A name behind a greeting or small talk is only whom it is for."""
        names = {name.casefold() for name in self.context.names}
        for i, item in enumerate(items):
            if i and item.kind == "JUNK" and item.word in names:
                hello = items[i - 1].word in ("hi", "hello", "hey", "thanks", "ty", "sorry", "thx")
                apart = i + 1 == len(items) or items[i + 1].kind in ("SEP", "END", "DOTS")
                called = i + 1 < len(items) and items[i + 1].kind == "CHAT" and items[i - 1].kind in ("SEP", "END")
                if items[i - 1].kind == "CHAT" or (hello and apart) or called:
                    items[i] = item._replace(kind="CHAT")
        return items

    def whole(self, items: Sequence[Item]) -> Reading | None:
        """A command that is the whole text, or all of its first line: names, options and times may hold anything."""
        body = self.body
        if len(body) > 200:
            return None
        first, _, rest = body.partition("\n")
        while rest and more_rules(first, rest.partition("\n")[0]):  # house rules, a line each
            line, _, rest = rest.partition("\n")
            first = f"{first}, {line}"
        context = self.context
        several = first_of(first, context.stage, context.names, context.game)
        if several is not None:
            return Reading("command", command=several[0], rest="\n".join(filter(None, (several[1], rest.strip()))))
        command = self.command(body if not rest else first)
        if command is None:
            return self.social()
        if command.name == "join" and not command.args.get("name") and re.fullmatch(r"[^\W\d_]{2,12}\W*", rest.strip()):
            named = self.command(f"{first} as {rest}") if self.command(rest) is None else None
            command, rest = (command, rest) if named is None else (named, "")
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
        if len(body) < 80 and SOCIAL.match(body.strip()):
            low = body.casefold().strip(" .!")
            if low in ("k", "kk"):  # kings, or okay
                return None
            return Reading("ignored", hint="chat")
        word = body.casefold().strip(" .!?,")
        if word in GREETING or re.fullmatch(
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
            if self.lenient:
                clause, parsed = plainer(clause, parsed, self.named, "play" in self.table.verbs)
            if (
                not parsed.verb
                and not parsed.units
                and not parsed.junk
                and not parsed.flag
                and not parsed.noted
                and not _has(clause, "K")
            ):
                continue  # noise, greetings, chat
            before = taken[-1] if taken else None
            if before is not None and completes(before[1], parsed, self.sight.top()):
                clause = Clause((*before[0].items, *clause.items), before[0].start, clause.end, before[0].strong)
                taken.pop()
                parsed, words = parse(clause.items), self.body[clause.start : clause.end]
            if before is not None and named_before(before[1], parsed):
                taken.pop()
            if taken and said_again(taken[-1][1], taken[-1][2], parsed, words):
                taken.pop()
            taken.append((clause, parsed, words))
        if not taken:
            return Reading("ignored", hint="chat")
        if _BROKEN_NOT.search(self.body) or (_HESITANT.search(self.body) and not self.lenient):
            return self.unclear(self.body)
        while len(taken) > 1 and taken[1][0].strong and self.is_excuse(taken[0]) and self.commanding(taken[1:]):
            taken.pop(0)
        doubt = self.doubt(taken)
        if doubt is not None:
            return doubt
        plan: list[Step] = []
        for place, (clause, parsed, words) in enumerate(taken):
            step = self.step(clause, parsed, words, len(taken))
            if step is None and plan and isinstance(plan[0][1], Command):
                break
            if step is None:
                following = taken[place + 1][0].strong if place + 1 < len(taken) else False
                if not plan and following and self.is_preamble(parsed, words) and self.commanding(taken):
                    continue
                if plan and place + 1 == len(taken) and self.is_signature(clause, words):
                    continue
                attempted = bool(plan) and self.looks_like_a_move(parsed) and self.commanding(taken)
                if not attempted:
                    return self.unclear(words)
                plan.append((clause, []))
                break
            plan.append((clause, step))
            if isinstance(step, Command) and step.name not in SHOWN:
                break
        if not plan:
            return self.unclear(self.body)
        return self.doing.run(plan)

    def looks_like_a_move(self, parsed: Parsed) -> bool:
        """Whether a clause that was not understood at least tried to be one move, so that what went before it stands."""
        meant = parsed.verb in ("discard", "meld", "add") and parsed.word not in SHORT_VERBS and bool(parsed.units)
        return meant and not parsed.flag and len(parsed.junk) <= 2 and not parsed.target

    def is_preamble(self, parsed: Parsed, said: str) -> bool:
        """Plain words in front of a move, in a sentence of their own: `Sorry, I was at work all day. Draw.`"""
        plain = re.fullmatch(r"[^\W\d_][^\d_!?\"]*", said) is not None and not parsed.verb and not parsed.units
        long = len(said.split()) >= 3 or re.match(r"(?:been|was|had|just) \w", said, re.IGNORECASE) is not None
        return plain and long and not REPORTED.search(said) and not self.named(said)

    def is_excuse(self, said: tuple[Clause, Parsed, str]) -> bool:
        """A statement of the sender's own in a sentence of its own, before the move: `Sorry I am late. I was out. Draw.`"""
        clause, parsed, words = said
        flags = {item.word for item in clause.items if item.kind in ("QUES", "PAST", "NEG", "COND")}
        cards = any(item.kind in ("V", "C", "R", "S", "N", "K", "X", "COUNTED", "HOMOPHONE") for item in clause.items)
        sorry = re.match(r"\W*(?:sorry|apologies|my apologies|so sorry|forgive me)\b", words, re.IGNORECASE)
        if sorry and not any(item.kind in ("NEG", "COND") or item.word == "?" for item in clause.items):
            flags = set()
        return flags <= _STATING and bool(parsed.junk) and not cards and self.is_preamble(parsed, words)

    def is_signature(self, clause: Clause, said: str) -> bool:
        """The sender's name in a line below. What else may follow a move might take it back."""
        above = self.body[: clause.start].rstrip(" -~")
        name = re.fullmatch(
            r"(?:love|cheers|best|regards|hugs|xo+|thanks)?[,\s]*(\w+)", said.strip(" .!-~"), re.IGNORECASE
        )
        return above.endswith("\n") and name is not None and self.named(name[1])

    def commanding(self, taken: Sequence[tuple[Clause, Parsed, str]]) -> bool:
        """Every move of the text has its verb in full."""
        acting = [parsed for _, parsed, _ in taken if parsed.verb or parsed.units or parsed.noted]
        return all(parsed.verb and parsed.word not in SHORT_VERBS for parsed in acting)

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
            if command is not None and (command.name in HARMLESS or place == 0):
                if place == 0:
                    rest = self.body[taken[1][0].start :] if len(taken) > 1 else ""
                    return Reading("command", command=command, rest=following_words(rest))
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
            r"\b(?:quit|end|stop|cancel|exit|abandon|forfeit|resign|concede|close|delete|scrap)\b.{0,12}\b(?:game|table|playing|round)\b|\bi (?:quit|resign|concede|forfeit|give up|want out)\b|\bi (?:don't|dont|do not) want to (?:play|be in this) (?:this |the )?(?:game )?(?:any ?more|any longer)\b|\bi (?:can't|cannot|cant|won't) (?:play|make it|come|join)(?: (?:after all|any ?more|today|tonight|with you|this time))+\Z",
            low,
        ):
            return Reading("unclear", hint="leaving")
        return Reading("unclear", hint=words.strip()[:REPEATED], rest=self.body)

    def step(self, clause: Clause, parsed: Parsed, words: str, count: int) -> list[Meant] | Command | None:
        """What a clause means: readings of a move, a command, or None."""
        asks_for_pile = (
            parsed.noted == {"PILE"} and not parsed.verb and re.search(r"\bpl(?:s|z|ease)\b", words, re.IGNORECASE)
        )
        if (not parsed.verb or parsed.junk or _has(clause, "K")) and not asks_for_pile:
            command = self.command(words)
            if command is not None and not (parsed.verb and not parsed.junk):
                return command
        if not parsed.verb and taking_leave(clause):
            return None  # `bye kings` is no lay
        if self.other and parsed.junk and ("pickup" not in self.table.verbs or "join" in parsed.junk):
            meant = self.moves(clause, parsed)  # lay 7s 8s 6d=9s, swap 9s for 6d in m1
            if meant is not None:
                return meant
        if parsed.verb or parsed.units or (parsed.noted and count == 1 and (parsed.noted != {"PILE"} or asks_for_pile)):
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
        if self.other and "pickup" in self.table.verbs:
            rest = games.without_join(clause, self.body[clause.start : clause.end])
            if rest is not None and verb in ("pickup", "take", "meld", "pick"):
                meant = self.moves(rest, parse(rest.items))
                return games.joined(meant) if meant is not None else None
            exact = games.strict(self.body[clause.start : clause.end], self.context.game) if self.context.game else None
            if exact is not None and len(exact.specs) > 2 and all(spec.card is not None for spec in exact.specs):
                return [Meant((exact,))]  # cards whole, as records have them: 6S 6S 2S are three, not sixes
        if self.other and self.context.game is not None and "pickup" not in self.table.verbs:
            words = self.body[clause.start : clause.end]
            meant = games.readings(parsed, words, self.context.game, self.table.legal())
            if meant is not None:
                return meant
            if "play" in self.table.verbs and verb in ("draw", "take", "pick", "pickup", "add", "meld", "auto"):
                return None  # there is no pile, and nothing is laid
        known = {"take", "pick", "put", "play", ""}
        if verb not in known and verb not in self.table.verbs:
            return None
        meant = readings(parsed, self.sight)
        if meant == [] and len(parsed.units) == 1:
            return self.one_card(parsed, clause)
        return meant or None

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


def _has(clause: Clause, kind: str) -> bool:
    return any(item.kind == kind for item in clause.items)


def _spec(unit: Unit) -> Spec:
    return Spec(unit.rank, unit.card)
