"""What 500 Rummy, 5000 Rummy and George say of melds, wilds, the pile and the end of a round, by the table's house rules."""

from collections.abc import Mapping
from typing import Any

LIMITS = {
    "none": "",
    "one": " A meld takes one wild at most",
    "fewer_than_naturals": " A meld has fewer wilds than naturals",
}


def added_rules(options: Any) -> Mapping[str, str]:
    """The house rules of 500 Rummy, by name: its own, or those that 5000 Rummy or George has borrowed."""
    if not hasattr(options, "wild_value"):
        return {name: str(getattr(options, name)) for name in type(options).__dataclass_fields__}
    return dict(word.split(":", 1) for word in options.r500_options.split("+") if ":" in word)


def melds(options: Any) -> str:
    """What may be melded, without the stop."""
    usual = "on" if hasattr(options, "wild_value") else "off"
    alike = added_rules(options).get("identical_in_set", usual) == "on"
    of_a_rank = "3 or more of one rank" if alike else "3 or 4 of one rank in different suits"
    return {
        "both": f"A meld is {of_a_rank}, or 3 or more in a row of one suit",
        "sets_only": f"A meld is {of_a_rank}; there are no runs",
        "runs_only": "A meld is 3 or more in a row of one suit; there are no sets",
    }[getattr(options, "melds", "both")]


def wilds(options: Any) -> str:
    """What is wild, what it may stand for, how many there may be, and what becomes of one that is laid."""
    if not hasattr(options, "wild_value"):
        return (
            "Jokers are wild: LAY 7S 8S JK=9S says what one stands for."
            if options.jokers
            else "Nothing is wild at this table."
        )
    stands = (
        "A wild may stand for any card of a set: LAY K K 6D."
        if options.melds == "sets_only"
        else "A wild may stand for any card: LAY 7S 8S 6D=9S says which."
    )
    limit = LIMITS[options.wild_limit]
    if limit:
        limit += ", 2 where it has 6 cards." if options.wild_limit == "one" and options.split_six == "on" else "."
    return (
        f"Each round has a wild rank; TABLE shows it. {stands}{limit} "
        + ("3 wilds or more may be a set. " if options.all_wild_set == "on" else "")
        + {
            "swap": "SWAP 9S FOR 6D IN M1 takes a laid wild for the real card.",
            "alongside": "The real card of a laid wild may be added beside it.",
            "none": "A laid wild stays where it is.",
        }[options.wild_replace]
    )


def pile(options: Any) -> str:
    """What may be taken from the pile, and what must be done with it."""
    five, added = hasattr(options, "wild_value"), added_rules(options)
    top_used = added.get("top_card") == "must_use" or (five and options.take_must_meld == "always")
    if five and options.deep_needs_pair == "on":
        use = "melded anew that turn with two naturals from your hand"
    elif added.get("deep_use") == "new_meld_only":
        use = "in a new meld that turn"
    else:
        use = "used that turn"
    if added.get("discard_depth") == "top_only":
        said = "TAKE the top card of the pile; only that." + (f" It must be {use}." if top_used else "")
    else:
        said = f"TAKE takes the top of the pile; TAKE 9C takes everything down to that card, which must be {use}."
        said += " So must the top card alone." if top_used else ""
    return said + (
        " Any take needs a pair of that card's rank in hand." if getattr(options, "george", "off") == "on" else ""
    )


def discard(options: Any) -> str:
    """How a turn ends."""
    return "End your turn with DISCARD and one card; not with the single card just taken from the pile." + (
        " A card from the stock is melded at once, or thrown and no other."
        if getattr(options, "stock_use", "free") == "meld_or_discard"
        else ""
    )


def out(options: Any) -> str:
    """Who goes out, and what happens then."""
    five, added = hasattr(options, "wild_value"), added_rules(options)
    if five:
        by_meld = options.out_by_meld == "on" or added.get("must_discard_to_go_out") == "off"
    else:
        by_meld = options.must_discard_to_go_out == "off"
    said = (
        "Who has no card left goes out, with or without a discard. "
        + ("A last card that fits a meld is not discarded. " if five else "")
        if by_meld
        else "Only a last discard goes out, of a card that fits no meld; who has laid all floats and draws next turn. "
    )
    if five and options.finish_first_turn == "on":
        said += "Who has had no turn yet gets one then. "
    if five and options.floaters_draw == "on":
        said += "Each floater draws a card then. "
    return said + (
        "An empty stock is shuffled again."
        if options.stock_out == "reshuffle"
        else "With the stock empty the round ends when nobody takes."
    )


def wins(options: Any) -> str:
    """Who wins the game."""
    if getattr(options, "wild_indicator", "") == "by_round":
        return "The highest after round 13 wins."
    if getattr(options, "winner_rule", "highest") == "out_first":
        return f"At {options.target} who goes out wins, if there; else the highest."
    return f"First to {options.target} wins."
