"""What the trick games say of their rules, topic by topic and by the house rules of the table; each within two segments."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Topics = Mapping[str, str]


class Book(NamedTuple):
    """The rules of one game: what it says by given house rules, by which words, and the topic behind each refusal."""

    said: Callable[[Any], Topics]
    topics: tuple[str, ...]
    aliases: Mapping[str, str]
    why: Mapping[str, str]
    moves: str  # as COMMANDS lists them


FOLLOW = "Follow the suit that was led if you can; else play any card. The highest card of that suit takes the trick and leads the next."
PLAYING = {
    "play": "turn", "lead": "turn", "suit": "turn", "follow": "turn", "trick": "turn", "tricks": "turn", "how": "turn",
    "playing": "turn", "basics": "turn",
    "scores": "score", "scoring": "score", "points": "score", "values": "score", "win": "score", "target": "score",
    "winning": "score", "queen": "score", "qs": "score", "hearts": "score", "end": "score",
    "first": "first", "first trick": "first", "breaking": "broken", "break": "broken",
    "partner": "team", "partners": "team", "teams": "team",
}  # fmt: skip
WHY = {
    "TURN": "turn", "PHASE": "turn", "NOTHELD": "hand", "SUIT": "turn", "AMBIG": "turn", "FIRST": "first",
    "POINTS1": "first", "LEADH": "broken", "LEADS": "broken",
}  # fmt: skip
WILD = "Nothing is wild in this game: every card is what it says."
HAND = "Only cards that are in your own hand can be played. HAND shows them."


def _hearts(options: Any) -> Topics:
    count = options.pass_count
    cards = _cards(count)
    cycle = options.pass_cycle
    if cycle == "none":
        passing = "No cards are passed at this table."
    elif cycle == "left_only":
        passing = f"Before each deal is played everybody passes {cards} left: PASS and the cards."
    else:
        across = {"lrh": "", "lrah": " then across,"}.get(cycle, " then across (with an even number of players),")
        passing = (
            f"Everybody passes {cards}: PASS and the cards. First deal left, next right,{across} then none, and again."
        )
    packs = options.double_deck != "off"
    every = f"Take all hearts and {'both queens' if packs else 'the queen'} of spades: "
    points = "52" if packs else "26 (25 for six)" if options.removed == "pagat" else "26"  # six play without the 2H
    moon = {
        "add_26": f"{every}you score 0, all others {points}.",
        "subtract_26": f"{every}{points} come off your score, the others score 0.",
        "choose": f"{every}MOON ADD gives all others {points}, MOON SUBTRACT takes {points} off yours.",
    }[options.moon]
    if options.sun != "off":
        moon += " Every trick: twice that for the others."
    if options.jack_needed_for_moon == "on":
        moon += " The jack of diamonds is needed, too."
    first = "The dealer's left leads first" if packs else "The lowest club is led first"
    broken = {
        "heart": "Hearts are led only after one was thrown on another suit, or by who has nothing else.",
        "heart_or_qs": "Hearts are led only after a heart or the queen of spades was played, or by who has nothing else.",
        "none": "Hearts may be led at any time.",
    }[options.break_rule]
    exact = {
        "none": "",
        "reset_to_0": f" Exactly {options.target}: back to 0.",
        "reset_to_half": f" Exactly {options.target}: back to {options.target // 2}.",
        "wins": f" Exactly {options.target} wins.",
    }[options.exact_target]
    return {
        "turn": FOLLOW + " There are no trumps. PLAY and the card.",
        "pass": passing,
        "first": first
        + (
            ", and no points are played on that trick unless you have nothing else."
            if options.first_trick_points == "ban_unless_forced"
            else "; points may be played on that trick."
        ),
        "broken": broken,
        "score": (
            "Each heart counts 1, the queen of spades 13"
            + (", the jack of diamonds -10" if options.jack_diamonds != "0" else "")
            + f". Fewest points win when somebody has {options.target}.{exact}"
        ),
        "moon": moon,
        "hand": HAND,
        "wild": WILD,
    }


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _spades(options: Any) -> Topics:
    nil = (
        f"NIL bids no trick: {options.nil_value} won or lost."
        if options.nil == "on"
        else "There is no nil at this table."
    )
    if options.nil == "on" and options.blind_nil != "off":
        behind = ", for a side 100 behind," if options.blind_nil == "behind_100" else ""
        nil += f" BID BLIND before you LOOK at your hand{behind} counts twice that."
        if options.blind_nil_pass:
            nil += f" Partners then exchange {_cards(options.blind_nil_pass)}."
    if options.nil == "on" and options.nil_pass:
        nil += f" For a nil that is not blind they exchange {_cards(options.nil_pass)}."
    bags = (
        f"Tricks over the bid count 1 and are bags; {options.bag_limit} bags cost {options.bag_penalty}."
        if options.bags == "on"
        else "Tricks over the bid count nothing."
    )
    first = (
        "their lowest club"
        if options.first_lead == "low_club"
        else "any card but a spade"
        if options.break_spades == "on"
        else "any card"
    )
    ends = f" First to {options.target} wins." + (
        f" It is over after {options.hands_limit} hands at the latest." if options.hands_limit != "none" else ""
    )
    if options.floor_loss != "none":
        ends += f" A side down to {options.floor_loss} loses."
    return {
        "turn": FOLLOW.replace("The highest card of that suit", "The highest spade, else the highest of the suit,"),
        "bid": (
            "BID and how many tricks you will take, 1 to 13. Partners' bids count together."
            + (f" At least {options.min_team_bid} together." if options.min_team_bid else "")
        ),
        "nil": nil,
        "bags": bags,
        "first": f"The dealer's left leads first, with {first}.",
        "broken": (
            "Spades are led only after one was played on another suit, or by who has nothing else."
            if options.break_spades == "on"
            else "Spades may be led at any time."
        ),
        "score": f"A bid made counts 10 a trick, one missed loses as much. {bags}{ends}",
        "team": "Partners sit opposite and share bid and score. They may not tell each other their cards.",
        "hand": HAND,
        "wild": WILD,
    }


def _gong_zhu(options: Any) -> Topics:
    hearts = (
        "A 50, K 40, Q 30, J 20, 10 down to 5 10 each"
        if options.heart_scale == "standard"
        else "A 50, K 40, Q 30, J 20, the 4 10, others their number"
    )
    partners = "Everybody plays alone at this table."
    if options.partners == "on":
        pooled = options.partner_scoring == "pooled"
        partners = f"Partners sit opposite and {'count what they take as one pile' if pooled else 'add their scores'}."
    flip = "all hearts" if options.pig_flip == "all_hearts" else "all hearts, JD and 10C"
    end = options.target if options.upper_end == "off" else f"{options.target}, or at {options.upper_end}"
    return {
        "turn": FOLLOW + " There are no trumps. PLAY and the card.",
        "expose": (
            "Before the first lead: EXPOSE QS, JD, 10C or AH doubles what it counts (AH: all hearts), EXPOSE NONE shows "
            "none. A card shown may not be played to the first trick of its suit while you hold another of it."
            if options.exposure == "on"
            else "No cards are shown at this table."
        ),
        "first": {
            "2s_holder_any": "Who holds 2S leads first, with any card.",
            "2s_forced": "2S is led first.",
            "2c_forced": "The lowest club is led first.",
            "7s_holder_any": "Who holds 7S leads first, with any card.",
        }[options.first_lead]
        + " Later who took the pig leads.",
        "pig": f"The pig QS loses {options.pig_value}, and wins that with {flip}. The sheep JD wins 100.",
        "score": (
            f"Hearts lose {hearts}; all 13 win 200. QS -{options.pig_value}, JD +100. 10C doubles your score, alone it "
            f"counts 50. The game ends at {end}."
        ),
        "team": partners,
        "hand": HAND,
        "wild": WILD,
    }


def _aliases(topics: tuple[str, ...], more: Mapping[str, str]) -> dict[str, str]:
    """The words by which these topics are asked for."""
    wild = dict.fromkeys(("wilds", "joker", "jokers", "wildcard", "wildcards"), "wild")
    return {word: topic for word, topic in (PLAYING | dict(more)).items() if topic in topics} | wild


HEARTS_TOPICS = ("turn", "pass", "first", "broken", "score", "moon")
SPADES_TOPICS = ("turn", "bid", "nil", "bags", "first", "broken", "score", "team")
GONG_ZHU_TOPICS = ("turn", "expose", "first", "pig", "score", "team")

HEARTS_BOOK = Book(
    _hearts,
    HEARTS_TOPICS,
    _aliases(
        HEARTS_TOPICS,
        {
            "passing": "pass",
            "shoot": "moon",
            "shooting": "moon",
            "sun": "moon",
            "broken hearts": "broken",
            "trump": "turn",
            "trumps": "turn",
            "2c": "first",
        },
    ),
    WHY | {"COUNT": "pass"},
    "PASS QS AH KH, PLAY QS or just QS, LOW, HIGH",
)
SPADES_BOOK = Book(
    _spades,
    SPADES_TOPICS,
    _aliases(SPADES_TOPICS, {"bids": "bid", "bidding": "bid", "blind": "nil", "look": "nil", "exchange": "nil", "bag": "bags", "spades": "broken",
       "trump": "turn", "trumps": "turn"}),
    WHY | {"BID": "bid", "SEEN": "nil", "COUNT": "nil"},
    "LOOK, BID 4, BID NIL, PLAY QS or just QS, LOW, HIGH",
)  # fmt: skip
GONG_ZHU_BOOK = Book(
    _gong_zhu,
    GONG_ZHU_TOPICS,
    _aliases(GONG_ZHU_TOPICS, {"trump": "turn", "trumps": "turn", "exposing": "expose", "show": "expose", "exposed": "expose", "sheep": "pig", "jd": "pig", "transformer": "score",
       "qs": "pig", "10c": "score"}),
    {code: topic for code, topic in WHY.items() if topic != "broken"} | {"EXPOSED": "expose"},
    "EXPOSE QS, EXPOSE NONE, PLAY QS or just QS, LOW, HIGH",
)  # fmt: skip
