"""PLAN in a game of tricks: what a player may plan, told back; `service.play` carries it out."""

from engine.tricks.table import PLAY
from service import tables
from service.desk import Desk
from service.stored import Sitter, Table
from service.tables import Problem
from service.text import plans, render
from service.text.speech import of


def shown(table: Table, me: Sitter) -> str:
    """The plan there is."""
    if me.plan is None:
        return render.fit(f"{table.code}: you have no plan. You can text {plans.EXAMPLES}.")
    return render.fit(f"{table.code}: your plan {me.plan.upper()}: {plans.explained(me.plan)}. PLAN OFF takes it back.")


def make(desk: Desk, table: Table, me: Sitter, words: str) -> str:
    """Keeps a plan in the place of the one before. Problem says what would work."""
    plan = plans.read(words, table.game.name)
    if plan is None:
        raise Problem(f"{table.code}: a plan can be {plans.EXAMPLES}.")
    scene = desk.scene(table, me.number)
    if plans.past(plan, scene.view):
        held = f"no {plan.split()[1]}s" if plan.startswith(("low ", "high ")) else "no such card"
        raise Problem(f"{table.code}: you hold {held}, so there is nothing to plan. HAND shows your cards.")
    first = ""
    if scene.mine and scene.view.phase == PLAY:
        now = plans.due(plan, scene.view, scene.legal) if plans.waits(plan) else None
        word = of(table.game.name).command(now) if now is not None else plan.upper()
        if plans.lasts(plan):
            first = " It's your turn now." if now is None else f" It's your turn now: text {word}."
        elif now is not None or not plans.waits(plan):
            raise Problem(f"{table.code}: it's your turn now: just text {word}.")
    tables.set_seat(desk.conn, table, me, plan=plan)
    me.plan = plan
    return render.fit(f"{table.code}: planned: {plan.upper()}: {plans.explained(plan)}. PLAN OFF takes it back.{first}")
