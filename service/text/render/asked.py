"""What players ask for: the hand, the table, the score, the rules, the words there are."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import read_card
from engine.game import CODES, Event, Game, Move
from service.text import ranking
from service.text.gsm7 import clip, fold
from service.text.hidden import HANDS
from service.text.render.fitting import TWO, fit, join
from service.text.render.scene import Scene, with_hand
from service.text.speech import goal, of
from service.text.tricks import Tricks
from service.text.words import listed


def hand(scene: Scene, plan: str = "", news: Sequence[Event] = ()) -> str:
    """The hand, with the top of the pile and whose turn it is, what is planned, and at one's turn untold news."""
    view = scene.view
    if scene.mine:
        return with_hand(scene, f"{scene.code}: your turn.", news)
    whose = "" if view.over else f"{scene.whose}'s turn."
    planned = f"Your plan: {plan.upper()}." if plan else scene.speech.can(view, scene.legal) if scene.legal else ""
    return fit(
        *[
            join(f"{scene.code}:", said, scene.speech.pile(view), whose, planned)
            for said in (scene.speech.hand(view), scene.speech.short_hand(view))
        ]
    )


def table(scene: Scene) -> str:
    """Everything that is public."""
    view = scene.view
    whose = "The round is over." if view.over else "Your turn." if scene.mine else f"{scene.whose}'s turn."
    tail = join(scene.speech.piles(view), scene.speech.counts(view, scene.names), whose)
    head = f"{scene.code} round {view.round}."
    shown = join(head, *scene.speech.sets(view, scene.names), tail)
    return fit(shown, join(head, tail, "MELDS shows what is down."), ordinary=TWO)


def melds(scene: Scene) -> str:
    """The sets on the table in whole cards."""
    return fit(
        join(f"{scene.code}:", *scene.speech.sets(scene.view, scene.names, whole=True)),
        join(f"{scene.code}:", *scene.speech.sets(scene.view, scene.names)),
    )


def pile(scene: Scene) -> str:
    """The pile as far as the rules show it."""
    return fit(join(f"{scene.code}:", scene.speech.piles(scene.view)))


def score(scene: Scene, bot_hands: Mapping[str, int] | None = None) -> str:
    """The score of the game, what is laid in this round, and the target; how many hands bots have played for whom."""
    view = scene.view
    speech = scene.speech
    now = speech.round_scores(view, scene.names) if view.over else speech.so_far(view, scene.names)
    target = goal(view.options)
    played = [f"{count} hand{'' if count == 1 else 's'} for {name}" for name, count in (bot_hands or {}).items()]
    lent_ = f"Bots have played {listed(played)}." if played else ""
    return fit(join(f"{scene.code} round {view.round}.", speech.game_scores(view, scene.names), target, now, lent_))


def hint(scene: Scene, move: Move | None) -> str:
    """What could be done, and what a careful player might do."""
    if not scene.mine or move is None:
        return fit(f"{scene.code}: it's {scene.whose}'s turn; nothing for you to do yet.")
    return fit(
        join(
            f"{scene.code}: you can {scene.speech.can(scene.view, scene.legal)}",
            f"I would {scene.speech.command(move)}.",
        )
    )


def rules(code: str, game: Game, options: Any, topic: str) -> str:
    """The rules on a topic, or which topics there are."""
    speech = of(game.name)
    topic = topic.lower().strip(" ?.!")
    said = (speech.rules(options, topic) or ranking.rule(game, options, topic)) if topic else None
    head = f"{code}: " if code else ""
    if said:
        return fit(head + said)
    topics = ", ".join(speech.TOPIC_NAMES).upper()
    if topic:
        return fit(f"{head}No rule by the name {clip(fold(topic), 20)}. RULES and one of: {topics}.")
    return fit(head + (speech.rules(options, "turn") or game.title) + f" RULES and one of: {topics}.")


def why(code: str, refusal: str, game: Game, options: Any) -> str:
    """The rule behind the last refusal."""
    speech = of(game.name)
    meaning = CODES.get(refusal)
    if meaning is None:
        return fit(f"{code}: nothing of yours was refused lately. RULES tells the rules.")
    topic = speech.rules(options, speech.WHY.get(refusal, "turn")) or ""
    return fit(f"{code}: {topic}" if topic else f"{code}: {meaning}.")


def stand_in(code: str) -> str:
    """To who would have a bot play for them."""
    return fit(
        f"{code}: LEAVE gives your seat to a bot, JOIN {code} takes it back. Or AWAY UNTIL MONDAY: your clock stands still "
        "and nobody plays for you."
    )


_HOW_TO = {
    "say": "SAY goes to all at your table, with your name before it: SAY WELL PLAYED.",
    "undo": "UNDO takes back your last move, as long as nobody has moved since and it has shown you no card.",
    "about": "I am no person but a card table that works by text: games with friends, for as long as you like. COMMANDS lists my words, WHO tells who plays.",
}


_STANDS = "What everybody has seen stands: a card played, a bid, a card shown."
_PASSED = "Cards to pass may be changed until all have passed: PASS again."


def how_to(code: str, about: str, game: Game) -> str:
    """How one of the commands is used, to somebody who asks in other words."""
    if about == "undo" and "play" in game.verbs:
        return fit(join(f"{code}: {_STANDS}", _PASSED if "pass" in game.verbs else ""))
    return fit(f"{code}: {_HOW_TO[about]}")


def whereabouts(scene: Scene, name: str) -> str:
    """Where a card is that everybody looks out for; of other players' hands, what everybody may know."""
    speech = scene.speech
    if name == HANDS:
        private = f"{scene.code}: hands are private; each player sees only their own."
        counts = speech.counts(scene.view, scene.names) if any(scene.view.counts) else ""
        return fit(join(private, counts, "TABLE shows what lies open."), join(private, "TABLE shows the rest."))
    if not isinstance(speech, Tricks):
        return table(scene)
    return fit(f"{scene.code}: {speech.whereabouts(scene.view, read_card(name))}")


def passed(scene: Scene) -> str:
    """Which cards this seat has passed and been passed in this round, and its hand."""
    view, speech = scene.view, scene.speech
    if not isinstance(speech, Tricks):
        return hand(scene)
    gave = speech.gave(view)
    got = speech.got(view)
    if not gave and not got:
        return fit(join(f"{scene.code}: no cards are passed this time.", speech.hand(view)))
    return fit(join(f"{scene.code}:", gave, got, speech.hand(view)))


def commands(game: str = "") -> str:
    """The words there are, with the moves of that game."""
    speech = of(game or "damn-the-queens")
    table = "Table: NEW, JOIN, BOTS, DEAL, SAY, NAME, LEAVE, REMATCH"
    if isinstance(speech, Tricks):
        see = "See: HAND, TABLE, PILE (the trick), SCORE, WHO, GAMES, RULES, OPTIONS, HINT, WHY, LINK (your cards on a page)"
        return fit(f"Play: {speech.MOVES}. {see}. {table}.")
    see = "See: HAND, TABLE, SCORE, WHO, GAMES, RULES, OPTIONS, HINT, WHY, LINK (your cards on a page)"
    whole = f"Play: {speech.MOVES}, UNDO. {see}. {table}."
    return fit(f"{whole} Several in one text work: DRAW, DISCARD 4H.", whole)
