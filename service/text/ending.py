"""Texts about the end of a game that has no target: FINISH."""

from collections.abc import Sequence
from typing import Any

from service.text.render import fit
from service.text.words import listed


def wants(code: str, name: str, waited: Sequence[str], asked: bool) -> str:
    """To the others, when somebody wants to finish. `waited`: who has not said so; `asked`: whether the reader is one."""
    if not waited:
        return fit(f"{code}: {name} wants to finish, too, so this round is the last.")
    do = (
        "FINISH agrees; else play on."
        if asked
        else f"{listed(list(waited))} {'has' if len(waited) == 1 else 'have'} not said so yet."
    )
    return fit(f"{code}: {name} wants the game to be over after this round. {do}")


def wanted(code: str, waited: Sequence[str]) -> str:
    """To who has said FINISH."""
    if not waited:
        return fit(f"{code}: this round is the last. The highest score wins.")
    return fit(
        f"{code}: you want to finish after this round. The game is over with the round when {listed(list(waited))} "
        f"{'says' if len(waited) == 1 else 'say'} FINISH, too. UNDO takes it back."
    )


def plays_on(code: str, name: str) -> str:
    """To the others, when somebody takes a FINISH back."""
    return fit(f"{code}: {name} plays on, after all.")


def said_already(code: str, waited: Sequence[str]) -> str:
    """To who says it again; empty where the reason is another."""
    if not waited:
        return fit(f"{code}: all want to finish, so this round is the last.")
    return fit(f"{code}: you have said so already. {listed(list(waited))} {'has' if len(waited) == 1 else 'have'} not.")


def has_an_end(code: str, options: Any) -> str:
    """FINISH in a game that ends by itself."""
    target = getattr(options, "target", None)
    ends = "after 13 rounds" if getattr(options, "wild_indicator", "") == "by_round" else f"at {target}"
    return fit(f"{code} is over {ends}; FINISH is for games without a target. LEAVE gives up your seat.")


def nothing_to_finish(code: str, dealt: bool) -> str:
    """FINISH before the deal, or after the end."""
    return fit(
        f"{code} is over already. REMATCH plays again."
        if dealt
        else f"{code} is not dealt yet. LEAVE gives up your seat."
    )
