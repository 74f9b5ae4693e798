"""Answers to what was not done: a question, a refusal, words that were not understood."""

from collections.abc import Sequence

from engine.game import Event
from service.text.gsm7 import clip, fold
from service.text.render.fitting import choice_words, fit, join, quoted, tens
from service.text.render.scene import Scene, with_hand
from service.text.words import listed

WHICH = "Which do you mean?"  # as `service.text.understand` asks


def drew_already(scene: Scene, drawn: Sequence[Event], why: str = "") -> str:
    """To somebody who draws, or wants the pile and could not have it (`why`), and for whom was drawn as the turn began."""
    done = f"you {listed(scene.speech.own(drawn, scene.seat))} already."
    return with_hand(scene, join(f"{scene.code}:", why, done[0].upper() + done[1:] if why else done), ())


def question(asked: str, choices: Sequence[str]) -> str:
    """One short question with numbered choices; with a single one, whether that is meant."""
    if len(choices) == 1 and asked == WHICH:
        return f"Do you mean {choice_words(choices[0])}? 1 or OK does it."
    numbered = ", ".join(f"{i} {choice_words(choice)}" for i, choice in enumerate(choices, 1))
    return f"{tens(asked)} {numbered}?" if choices else tens(asked)


def say_sure(choice: str) -> str:
    """To somebody who has answered YES to a question of ours: that word belongs to the phone company."""
    return fit(f"YES is a word of the phone company's, so it does nothing here. Text SURE, or {choice_words(choice)}.")


def stopped(hint: str, rest: str = "") -> str:
    """Why a text was not done to its end, and what of it waits."""
    waits = f" Not done: {clip(fold(rest), 40).rstrip(' .!,;')}." if rest else ""
    return f"But: {tens(hint)}{waits}"


def refused(scene: Scene, code: str, hint: str) -> str:
    """Why a move is not allowed and what would work."""
    if (code == "TURN" or hint == "It is not your turn to bid.") and not scene.view.over:
        hint = f"It's {scene.whose}'s turn{' to bid' if code == 'BID' else ''}. You'll get a text when it's yours."
    return fit(f"{scene.code}: {tens(hint)}")


def ask(code: str, asked: str, choices: Sequence[str]) -> str:
    """One short question with numbered choices."""
    return fit(f"{code}: {question(asked, choices)}")


def already(scene: Scene) -> str:
    """The same words again, a few minutes after they made a move."""
    whose = "" if scene.view.over else "It's your turn." if scene.mine else f"It's {scene.whose}'s turn."
    return fit(join(f"{scene.code}: you did that already.", whose))


def unclear(code: str, what: str, scene: Scene | None) -> str:
    """A text that was not understood: what would work now."""
    head = f"{code}: " if code else ""
    said = not_understood(what) + " "
    if scene is not None and scene.mine:
        return fit(head + said + f"You can {scene.speech.can(scene.view, scene.legal)} COMMANDS lists the words.")
    if scene is not None and not scene.view.over:
        return fit(head + said + f"It's {scene.whose}'s turn. HAND, TABLE and SCORE work any time.")
    return fit(head + said + "COMMANDS lists the words.")


# What `service.text.understand` calls texts that are clear but no command.
CLEAR = {"greeting": "Hello!", "leaving": "To give up your seat, text LEAVE."}


def not_understood(what: str) -> str:
    """The sentence that says so, or what there is to say to a text that is clear all the same."""
    if what in CLEAR:
        return CLEAR[what]
    return f'I don\'t understand "{quoted(what)}".' if what else "I don't understand that."
