"""Cards as HTML: a face drawn by the style sheet, and a name in words for screen readers and text browsers.

Templates have the filters `card` (one face), `cards` (several), `name` (`queen of spades`) and the function `back(n)`.
"""

from collections.abc import Iterable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup, escape

from engine.cards import JOKER, JOKER_RANK, RANKS, WILD, WILD_RANK, Card, Rank, card_name

_RANK_WORDS = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
_SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_COURT = frozenset("JQK")


def spoken(card: Card) -> str:
    """The card's name in words."""
    if card == JOKER:
        return "joker"
    if card == WILD:
        return "wild card"
    code = card_name(card)
    return f"{_RANK_WORDS[code[0]]} of {_SUIT_WORDS[code[1]]}"


def spoken_rank(rank: Rank) -> str:
    """Cards of a rank in words: `nines`, `sixes`, `jokers`."""
    word = "joker" if rank == JOKER_RANK else "wild" if rank == WILD_RANK else _RANK_WORDS[RANKS[rank]]
    return word + ("es" if word == "six" else "s")


def index(card: Card) -> str:
    """What stands in the card's corner: `10`, `Q`, a star for what is wild by itself."""
    if card in (JOKER, WILD):
        return "★"
    rank = card_name(card)[0]
    return "10" if rank == "T" else rank


@lru_cache(maxsize=4096)
def face(card: Card, stands: Card | None = None) -> Markup:
    """The card, face up; `stands` is what a wild on the table stands for."""
    code = card_name(card)
    own = card in (JOKER, WILD)
    suit = "w" if own else code[1].lower()
    middle = "joker" if card == JOKER else "wild" if card == WILD else code[0].lower() if code[0] in _COURT else suit
    said = spoken(card)
    note = Markup("")
    if stands is not None and stands != card:
        said += f" as {spoken(stands)}"
        stood = card_name(stands)
        note = Markup('<span class="stands suit-{}" data-as="{}" aria-hidden="true">{}</span>').format(
            stood[1].lower(), index(stands), pip(stood[1].lower(), "pip")
        )
    small = Markup("") if own else pip(suit, "pip corner")
    return Markup(
        '<span class="card suit-{suit}" data-card="{code}" data-index="{index}"><span class="vh">{said}</span>'
        "{small}{big}{note}</span>"
    ).format(
        suit=suit,
        code=code,
        index=index(card),
        said=said,
        small=small,
        big=pip(middle, "pip big"),
        note=note,
    )


@lru_cache(maxsize=64)
def pip(symbol: str, classes: str) -> Markup:
    """A drawing of `templates/suits.html`, which says nothing to a screen reader."""
    return Markup('<svg class="{}" aria-hidden="true"><use href="#pip-{}"/></svg>').format(classes, symbol)


def faces(cards: Iterable[Card], stands: Iterable[Card] = ()) -> Markup:
    """Several cards as a list, which is what a screen reader calls it."""
    stood = list(stands)
    items = [face(card, stood[i] if i < len(stood) else None) for i, card in enumerate(cards)]
    return Markup('<ul class="cards">{}</ul>').format(
        Markup("\n").join(Markup("<li>{}</li>").format(item) for item in items)
    )


def back(count: int, what: str = "cards") -> Markup:
    """A face-down heap of so many cards; it says how many."""
    said = f"{count} {what if count != 1 else what.removesuffix('s')}"
    return Markup('<span class="card back{}"><span class="vh">{}</span></span>').format(
        "" if count > 1 else " thin" if count else " none", escape(said)
    )


def set_up(app: Flask) -> None:
    """Gives the templates their words for cards."""
    app.jinja_env.filters.update(card=face, cards=faces, name=spoken, rank=spoken_rank, code=card_name)
    app.jinja_env.globals.update(back=back, pip=pip)
