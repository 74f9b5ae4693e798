"""George, or 2500 Rummy: 5000 Rummy with sets only and a pair for every take. Rules digest, section D."""

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.game import rule
from engine.rummy import rummy5000
from engine.rummy.rummy5000 import OMITTED


@dataclass(frozen=True, slots=True)
class Options(rummy5000.Options):
    """The house rules of George: those of 5000 Rummy, with other defaults."""

    as_preset: ClassVar[bool] = False

    target: int = rule(2500, "the score that ends the game", low=500, high=100000)
    omit_low: str = rule("2s", "low cards left out; the ace is then high only", *OMITTED)
    upcard_counts_as: str = rule(
        "total", "whether the card turned up says the cards to come or all", "additional", "total"
    )
    face_deal: str = rule(
        "ranked14", "cards dealt for J Q K A: 10 10 10 11, 11 12 13 14, or 11 12 13 15", "flat", "ranked14", "ranked15"
    )
    wild_limit: str = rule("one", "how many wilds a meld may have", "none", "fewer_than_naturals", "one")
    george: str = rule("on", "every take needs a pair of the card's rank", "on")
    melds: str = rule("sets_only", "what may be melded", "both", "sets_only", "runs_only")


class George(rummy5000.Rummy5000):
    """The rules of George; see `engine.game.Game` for what each function promises."""

    name = "george"
    title = "George"
    aliases: tuple[str, ...] = ("2500 rummy", "rummy 2500", "2500 rum", "2500")
    Options: type[Any] = Options


GEORGE = George()
