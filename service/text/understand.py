"""From a text to what its sender means: the front end of every game.

`understand` reads a text the way the person who sent it sees the table: reactions and automatic answers first, then a
table's code in front, the answer to a question of ours, and the clauses in order. Moves are tried on a copy of the state
and come back whole and legal; at the first that is refused or not understood the rest waits. Two readings that are both
legal make a question. A text with a doubt in it (a negation, a question, somebody else's name) moves nothing at all.
"""

from dataclasses import replace

from service.text import codes, exposing, how_deep, oneself, owners, passing, regrets, signed, slips, suit_letters
from service.text.answers import chosen
from service.text.apostrophes import restored
from service.text.asides import (
    carrier,
    carrier_at_a_table,
    introduced,
    reasoned,
    rejoined,
    split_code,
    table_named,
    unsigned,
    unspaced,
)
from service.text.clean import clean, decode, plain_order, said_lines, unbulleted, unnumbered
from service.text.commands import read_command
from service.text.corrections import corrected, rejected
from service.text.misheard import guessed
from service.text.one_text import Text
from service.text.outright import outright
from service.text.pacing import on_vacation
from service.text.reactions import echoes, is_automatic, is_reaction
from service.text.reading import REPEATED, Context, Reading
from service.text.request import Command
from service.text.rescue import LONGEST, shown
from service.text.rewording import SAYING
from service.text.setting_up import asked_in
from service.text.sitting import code_alone
from service.text.sure import asked
from service.text.symbols import only_cards
from service.text.tongues import in_english
from service.text.trial import canonical
from service.text.trimmings import unasked, unled, unthanked, unwrapped

__all__ = ["Command", "Context", "Reading", "table_named", "understand"]


def understand(text: str, context: Context) -> Reading:
    """What this text means from this person at this table. Never raises on any text; the state is not changed."""
    return outright(text, context) or the_long_way(text, context)


def the_long_way(text: str, context: Context) -> Reading:
    """The same of any text."""
    if is_reaction(text, context.recent):
        return Reading("ignored", hint="reaction")
    said = unwrapped(unbulleted(clean(only_cards(decode(text), context))))
    if not said:
        return Reading("ignored" if text.strip() else "unclear", hint="" if not text.strip() else "no words")
    own = "\n".join(said_lines(said) if "\n" in said or said[0] == ">" else [said])
    if not own:
        return Reading("ignored", hint="quote")
    body, table = _bare(own, context)
    if (is_automatic(said) and not on_vacation(unasked(body))) or echoes(said, context.recent):
        return Reading("ignored", hint="automatic")
    word = carrier(said, own, body) or (carrier_at_a_table(body) if table else None)
    if word is not None:
        return word
    if not body and not table:
        return Reading("ignored", hint="no words")
    if table and context.code and table != context.code:
        return Reading("unclear", hint="another table", table=table, rest=body)
    body = slips.mended(body)
    plain = slips.seen(body, context)
    if plain is not None:
        return _tabled(plain, table or plain.table)
    if context.pending:
        answer = rejected(body, context, lambda part: Text(part, context).read(tabled=False)) or chosen(body, context)
        if answer is not None:
            return _tabled(answer, table)
    reading = (
        exposing.asked(body, context, lambda part: Text(part, context).read(tabled=False))
        or _regret(body, context)
        or _read(body, context, bool(table))
    )
    reading, body = _translated(reading, body, context)
    if reading.kind != "moves" and (less := unasked(body)) != body:
        reading = _without_please(reading, _read(less, context, bool(table)))
    if reading.kind == "unclear":
        plain_body, refused = owners.others(unasked(body), context)
        if refused is not None or plain_body != body:
            reading = refused or _read(plain_body, context, bool(table))
    if not context.codes and context.game is None and (instead := _from_nowhere(reading, body)) is not None:
        return instead
    reading = passing.way_asked(how_deep.asked(_whole(reading, context), body, context), body, context)
    return _tabled(asked(reading, context), table)


def _from_nowhere(reading: Reading, body: str) -> Reading | None:
    """What the words of somebody who sits nowhere mean where they are no command by themselves: a code, a question among others."""
    named = ""
    if reading.kind == "command" and reading.command is not None:
        command = reading.command
        if command.name == "name" and reading.rest:  # I am Dot. How do I play?
            named = command.args.get("name", "")
        elif command.name not in ("invite", "join") or command.args.get("code"):
            return None
    elif reading.kind != "unclear":
        return None
    whole = codes.mended(body)
    found = codes.sent_on(whole) or code_alone(whole)
    if found is None and whole != body:
        found = read_command(whole)
        found = found if found is not None and found.name == "join" and found.args.get("code") else None
    found = found or codes.named(whole)
    if found is None and (reading.kind == "unclear" or named):
        found = asked_in(body)
    if found is not None and found.name == "join" and named and "name" not in found.args:
        found = Command("join", {**found.args, "name": named})
    return None if found is None else Reading("command", command=found)


def _regret(body: str, context: Context) -> Reading | None:
    """The reading of second thoughts about the text before."""
    said = regrets.meant(body, context)
    return (regrets.answered(said, _read(said, context, tabled=False), context) if said else None) or regrets.regretted(
        body, context
    )


def _translated(reading: Reading, body: str, context: Context) -> tuple[Reading, str]:
    """The reading and the words of a text that was not understood and is German, French or Spanish in part."""
    if reading.moves or not (reading.kind in ("unclear", "ask") or reading.code == "BID"):
        return reading, body
    english = in_english(body, context.names)
    if english == body:
        return reading, body
    other = _read(unasked(english), context, tabled=False)
    return (reading, body) if other.kind in ("unclear", "ask") else (other, english)


# What changes the game before the words behind it are read.
_CHANGES = frozenset(("undo", "leave", "finish", "deal", "rematch"))


def _whole(reading: Reading, context: Context) -> Reading:
    """The reading; nothing of a text whose last part is not understood changes the game."""
    command, rest = reading.command, signed.left_of(reading, context)
    if command is None or command.name not in _CHANGES or not rest.strip():
        return reading
    behind = _read(rest, context, tabled=False)
    if behind.kind != "unclear" or behind.hint in ("greeting", "leaving"):
        return reading
    return Reading("unclear", hint=behind.hint or rest[:REPEATED], rest=rest)


def _bare(own: str, context: Context) -> tuple[str, str]:
    """The sender's lines without what stands around them and says nothing, and the table's code among them."""
    body = _undressed("\n".join(map(plain_order, slips.spelt(own).split("\n"))), context)
    body, table = split_code(body, context)
    if table:
        body = _undressed(body, context)
    if not SAYING.match(body):
        body = reasoned(unsigned(unspaced(restored(body.removeprefix("/"), context.names))))
        if not table:
            body, table = split_code(body, context)
    return body, table


def _undressed(body: str, context: Context) -> str:
    body = unled(unthanked(body), context.names)
    if context.seat is not None and context.stage == "playing" and context.seat < len(context.names):
        own = context.names[context.seat]
        body = oneself.spoken(introduced(body, own), own)
    return unwrapped(unnumbered(body))


def _read(body: str, context: Context, tabled: bool) -> Reading:
    """One look at a text, and a second where the first has not understood it."""
    if "\n" in body and (joined := rejoined(body)) != body:
        reading = Text(joined, context).read(tabled)
        if reading.kind in ("moves", "command"):
            return reading
        apart = Text(body, context).read(tabled)
        if apart.kind == "moves":
            return apart
        body = joined
    else:
        reading = Text(body, context).read(tabled)
    reading = signed.looked(reading, body, context, lambda less: Text(less, context).read(tabled=False))
    return _rescued(reading, body, context)


def _without_please(reading: Reading, plain: Reading) -> Reading:
    """The better reading of a text and of the same without `please`; a wish may be more than the bare words."""
    if plain.kind == "moves" or (reading.kind in ("unclear", "refused") and plain.kind == "command"):
        return plain
    if plain.command is None or reading.command is None or reading.rest:
        return reading
    return plain if reading.command.name in (plain.command.name, "hint") else reading


def _rescued(reading: Reading, body: str, context: Context) -> Reading:
    """What was not understood, as a question that stands in it; the rest says nothing that we could do."""
    if reading.kind != "unclear" or reading.moves or reading.hint in ("greeting", "leaving"):
        return reading
    command = shown(body, context)
    if command is not None:
        return Reading("command", command=command)
    if context.stage != "playing" or len(body) > LONGEST:
        return reading
    suit = suit_letters.asked(body, context, lambda part: Text(part, context).read(tabled=False))
    if suit is not None:
        return suit

    def read(part: str) -> Reading:
        return Text(part, context).read(tabled=False)

    instead = corrected(body, context, read) or guessed(body, context, read)
    if instead is not None:
        return instead
    nearly = Text(body, context, lenient=True).read(tabled=False)
    if nearly.kind != "moves" or nearly.rest:
        return reading
    return Reading("ask", hint="Which do you mean?", choices=(canonical(nearly.moves),), rest=body)


def _tabled(reading: Reading, table: str) -> Reading:
    return replace(reading, table=table) if table else reading
