"""The steps of a text done in their order on a copy of the game: to the end, to a command, or to what stops them."""

from typing import Any

from engine.game import Loose, Move, Refusal, read_move, write_move
from engine.tricks.table import TrickView
from service.text.commands import following_words
from service.text.described import no_taker
from service.text.lex import Clause
from service.text.moves import Reading as Meant
from service.text.reading import REPEATED, Reading
from service.text.request import Command
from service.text.trial import Outcome, Trial, canonical

MOST_CHOICES = 9
Step = tuple[Clause, list[Meant] | Command]


class Doing:
    """What a text does at its table; `body` is the text that the clauses are parts of, `said` as it was written."""

    def __init__(self, table: Trial, body: str, said: str) -> None:
        self.table = table
        self.body = body
        self.said = said

    def ended(self, kind: str, start: int = -1, **more: Any) -> Reading:
        """The reading that ends here; what begins at `start` was not done."""
        rest = self.body[start:].strip() if start >= 0 else ""
        return Reading(kind, self.table.done, self.table.happened, rest=rest, **more)

    def run(self, plan: list[Step]) -> Reading:
        table = self.table
        plan = _shown_last(plan)
        for clause, step in plan:
            if isinstance(step, Command):
                rest = "" if clause.start < plan[0][0].start else following_words(self.body[clause.end :])
                return Reading("command", table.done, table.happened, step, rest=rest)
            if not step:
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:REPEATED])
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
            if outcome.refusal is None:
                return None
            if (
                outcome.refusal.code == "AMBIG" and len(outcome.refusal.choices) == 1
            ):  # a verb alone, and one way to do it
                table.attempt(Meant((as_loose(outcome.refusal.choices[0]),)), keep=True)
                return None
            return self.stopped(outcome.refusal, clause)
        outcomes = [table.attempt(each) for each in meant]
        legal: dict[tuple[Move, ...], tuple[Outcome, bool]] = {}
        for each, outcome in zip(meant, outcomes, strict=True):
            if outcome.refusal is None and each.first:
                table.accept(outcome)
                return None
            if outcome.refusal is None:
                key = outcome.moves
                if not any(outcome.state == other.state for other, _ in legal.values()):
                    legal[key] = (outcome, each.sure)
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
            choices = [canonical(outcome.moves) for outcome, _ in legal.values()]
            for refusal in unsettled:
                choices += [write_move(choice) for choice in refusal.choices]
            return self.ended(
                "ask", clause.start, hint="Which do you mean?", choices=tuple(dict.fromkeys(choices))[:MOST_CHOICES]
            )
        best = outcomes[0]
        if all(len(each.moves) == len(meant[0].moves) for each in meant):
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
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:REPEATED])
            try:
                move = table.discarding(spec)
            except Refusal as refusal:
                return self.stopped(refusal, clause)
            if move is None:
                return self.ended("unclear", clause.start, hint=self.body[clause.start : clause.end][:REPEATED])
            return self.ended("ask", clause.start, hint="Which do you mean?", choices=(write_move(move),))
        only = with_it[0]
        if len(with_it) == 1 and meant.sure and only.verb in ("discard", "play"):
            table.attempt(Meant((Loose(only.verb, (spec,)),)), keep=True)
            return None
        return self.ended(
            "ask", clause.start, hint="Which do you mean?", choices=tuple(map(write_move, with_it))[:MOST_CHOICES]
        )

    def stopped(self, refusal: Refusal, clause: Clause) -> Reading:
        if refusal.code == "AMBIG" and self.table.other:
            view = self.table.view()
            none = no_taker(self.said, view, self.table.legal()) if isinstance(view, TrickView) else ""
            refusal = Refusal("AMBIG", f"{none} {refusal.hint}".strip(), refusal.choices)
        if refusal.code == "AMBIG" and refusal.choices:
            choices = tuple(map(write_move, refusal.choices))[:MOST_CHOICES]
            return self.ended("ask", clause.start, code="AMBIG", hint=refusal.hint, choices=choices)
        return self.ended("refused", clause.start, code=refusal.code, hint=self.table.hint(refusal))


def _shown_last(plan: list[Step]) -> list[Step]:
    """`hand and draw`: what is to be shown in front of moves is shown after them. Else a command ends the text."""
    if isinstance(plan[0][1], Command) and len(plan) > 1 and not any(isinstance(step, Command) for _, step in plan[1:]):
        return [*plan[1:], plan[0]]
    return plan


def as_loose(move: Move) -> Loose:
    """A whole move as somebody might write it."""
    return read_move(write_move(move))
