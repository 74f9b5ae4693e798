"""Moves of games with runs or with tricks, as people write them; the games of sets are read in `moves`.

A card is what it says here: `9s` is the nine of spades, and a rank alone is settled by what is legal.
"""

import re
from collections.abc import Sequence
from typing import Any

from engine.cards import WILD_RANK, Rank, read_card, read_rank
from engine.game import Game, Loose, Move, Spec, read_move, write_move
from engine.rummy.queen_of_spades_table import TWO
from engine.tricks.table import PLAY
from service.text import moon, suit_runs
from service.text.described import described
from service.text.lex import Clause, read_items
from service.text.lexicon import NUMBERS, WORDS
from service.text.moves import Reading
from service.text.parse import Parsed

ACES = {word: read_card(word) for word in ("ah", "as", "ad", "ac")}

_LEAVE = re.compile(
    r"\A(?:(?:ok|okay|so|well|hmm|um|i'll|i will|ill|(?:i'm|im|i am) (?:going to|gonna)|i'd like to|i want to|i would like to|let me|i|we|please|pls|just|my)\b[\s,]*)+|"
    r"[\s,]*\b(?:please|pls|plz|thanks|thank you|thx|this time|then|tricks?|now|for me)\b[\s.!]*\Z|[\s.!,]+\Z",
    re.IGNORECASE,
)
_RANK = r"(?:10|[2-9]|[tjqka]|ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two)"
_SUIT = r"(?:[shdc♠♥♦♣]|spades?|hearts?|diamonds?|clubs?)"
_UNTIL = r"(?:-|\.{2,3}|\b(?:up to|to|through|thru|threw|thro|until|till|til)\b)"
_RANGE = re.compile(rf"\b({_RANK})\s*{_UNTIL}\s*({_RANK})\s*(?:of\s+)?({_SUIT})(?![a-z0-9])", re.IGNORECASE)
_FROM_TO = re.compile(
    rf"\b({_RANK})\s*(?:of\s+)?({_SUIT})\s*{_UNTIL}\s*({_RANK})\s*(?:of\s+)?({_SUIT})(?![a-z0-9])", re.IGNORECASE
)
_OF_ONE_SUIT = re.compile(
    rf"((?:\b{_RANK}[\s,]+(?:and\s+|&\s*)?){{1,13}})({_RANK})\s*(?:of\s+)({_SUIT})\b", re.IGNORECASE
)
_IN_LETTERS = re.compile(rf"((?:\b{_RANK}[\s,]+(?:and\s+)?){{2,13}})({_RANK})({_SUIT})\b", re.IGNORECASE)
_AND_UP = re.compile(
    r"(?<=[\w♠♥♦♣])\s*(?:,|and|&|\+)?\s*\b(?:(?:everything|all|all the cards|cards|what's|the rest)(?: (?:that is|that's|is))?\s+(?:above|over|on top)(?: of)?(?: it| that)?"
    r"|(?:and|&|\+)\s*(?:up|above|over|the rest|everything|all)|up)(?=[\s.,!]*(?:\b(?:and|then|n)\s+)*\Z)",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\b(?:take|pick ?up|pick|grab|get|scoop)\b", re.IGNORECASE)
_DOWN_TO = re.compile(
    r"\b(?:(?:all |everything )?(?:the way )?down to|all the way to|up to|back to|to and including|through|everything (?:from|down to|above))\s+(?=\S)",
    re.IGNORECASE,
)
_MELD = re.compile(
    r"\b(?:meld|set|run|number|#)\s*(?:number\s*|no\.?\s*|#\s*)?(\d{1,2})\b(?!\s*(?:of|[shdc]\b))", re.IGNORECASE
)
_SWAP = re.compile(
    r"\b(?:swap|trade|switch|exchange|replace)\b\s+(\S+)\s+(?:for|with)\s+(?:the\s+)?(\S+)\s+(?:in|on|from|of|at)\s+(m\d+)",
    re.IGNORECASE,
)
_DIAMOND = re.compile(r"(?<!\S)d(10|[2-9])(?![^\s.,!])", re.IGNORECASE)  # d3, where nothing is discarded


_TAKING = r"(?P<take>\b(?:pick(?:ing)?\s*(?:it\s+|them\s+)?up|pickup|take|taking|grab)\b"
_OLD = rf"\s+(?:(?:my|the|our|own|old|other|existing|sets?|of)\s+)*(?:sets?|ones?|others|mine|{_RANK}(?:e?s|'s)?)"
_ON = rf"(?:\s+(?:to|with|onto|on|into){_OLD})"
_STOPS = r"(?=\s*(?:[,.;!\n]|\Z|(?:and|then)\b))"
_TO_THE_OLD = re.compile(  # `pick up and add them to my jacks`: the new set joins the one that is down
    _TAKING
    + r"[^.;\n]*?)[\s,]+(?:(?:and|&|then)\s+)*(?:join(?:ing)?(?:\s+(?:them|it|those|these|all))?(?:\s+(?:up|together))?"
    rf"(?:{_ON}|{_OLD})?|(?:add|put|combine|merge)(?:ing)?(?:\s+(?:them|it|those|these))?{_ON}){_STOPS}",
    re.IGNORECASE,
)
_APART = re.compile(
    r"[\s,]+(?:(?:and|but|&|then)\s+)*(?:(?:keep|leave)(?:ing)?(?:\s+(?:them|it|these|those))?\s+)?"
    rf"(?:apart|separate(?:ly)?|as a (?:new|separate|second) set|on their own){_STOPS}",
    re.IGNORECASE,
)
_LONE = re.compile(
    _TAKING
    + r")\s+(?:the\s+|that\s+)?(?:lone|free|single|only|loose|face[ -]?up|open)\s+(?:card|one)(?:\s+(?:in|on|from|of)\s+the\s+pile)?(?!\w)",
    re.IGNORECASE,
)


def wild_rank(game: Game | None) -> Rank:
    """The rank of the cards that stand for others in a game of sets: the 2s of Queen of Spades, else the unsuited wild."""
    return TWO if game is not None and game.name == "queen-of-spades" else WILD_RANK


def spelled(body: str, game: Game) -> str:
    """The text with runs and numbers of melds written out: `lay 7-9s` as `lay 7s 8s 9s`, `meld 1` as `m1`."""
    if "cut" in game.verbs:
        body = _LONE.sub(r"\g<take> it", _APART.sub("", _TO_THE_OLD.sub(r"\g<take> join", body)))
    if "pickup" in game.verbs:
        return re.sub(
            r"[\s,]+(?:(?:and|&)\s+)?(?:join|joining)(?= *(?:[,.;!\n]|\Z)| (?:them|it|the|my|with|to|and|then)\b)",
            " join",
            body,
            flags=re.IGNORECASE,
        )
    if "play" in game.verbs:
        return _DIAMOND.sub(r"\1D", body)
    if "swap" not in game.verbs:
        return body
    if _TAKES.search(body):
        taken, laid = _up_to_a_lay(body)
        body = _DOWN_TO.sub("", _AND_UP.sub("", taken)) + _FROM_TO.sub(_of_one_suit, laid)
    else:
        body = _FROM_TO.sub(_of_one_suit, body)
    body = re.sub(r"\b(to|on|onto|in|into|with)\s+(?:the\s+)?" + _MELD.pattern, r"\1 m\2", body, flags=re.IGNORECASE)
    body = _RANGE.sub(_range, suit_runs.written_out(body))
    for pattern in (_OF_ONE_SUIT, _IN_LETTERS):
        body = pattern.sub(_suited, body)
    return body


_LAYS = re.compile(r"\b(?:lay|laying|meld|put|add|play)\b", re.IGNORECASE)


def _up_to_a_lay(body: str) -> tuple[str, str]:
    """What takes, and what is laid behind it."""
    found = _LAYS.search(body)
    return (body[: found.start()], body[found.start() :]) if found is not None else (body, "")


def _rank(word: str) -> int:
    known = WORDS.get(word.lower())
    if known is not None and known[0] == "R":
        return int(known[1][0])
    return read_rank(str(NUMBERS.get(word.lower(), word)))


def _suit(word: str) -> str:
    return {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}.get(word, word[0].lower())


def _of_one_suit(match: re.Match[str]) -> str:
    """`5h-7h` as `5-7h`."""
    return f"{match[1]}-{match[3]}{match[4]}" if _suit(match[2]) == _suit(match[4]) else match[0]


def _range(match: re.Match[str]) -> str:
    first, last, suit = _rank(match[1]), _rank(match[2]), _suit(match[3])
    first = -1 if first == 12 and last != 12 else first
    if not 1 <= last - first <= 12:
        return match[0]
    return " ".join(f"{'23456789TJQKA'[rank]}{suit.upper()}" for rank in range(first, last + 1))


def _suited(match: re.Match[str]) -> str:
    ranks = [*re.findall(rf"\b{_RANK}\b", match[1], re.IGNORECASE), match[2]]
    if len({_rank(rank) for rank in ranks}) < len(ranks):
        return match[0]  # K K and 6 of diamonds
    return " ".join(f"{'23456789TJQKA'[_rank(rank)]}{_suit(match[3]).upper()}" for rank in ranks)


_JOIN = re.compile(
    r"\s+join(?: (?:them|it|with)?(?: ?(?:to|with)? ?(?:the|my) (?:set|others?|old one|old set))?)?[\s.!]*\Z",
    re.IGNORECASE,
)


def without_join(clause: Clause, words: str) -> Clause | None:
    """The clause without its last word, where that is `join`: the new set goes to the one that is down."""
    found = _JOIN.search(words)
    if found is None:
        return None
    end = clause.start + found.start()
    return clause._replace(items=tuple(item for item in clause.items if item.start < end), end=end)


def joined(meant: Sequence[Reading]) -> list[Reading]:
    """The same takes and lays, to join the set that is down."""
    return [
        each._replace(
            moves=tuple(
                move._replace(to="join") if move.verb in ("pickup", "take", "meld") else move for move in each.moves
            )
        )
        for each in meant
    ]


def strict(words: str, game: Game) -> Loose | None:
    """A clause that is written as records write it, in any letter case, or as we print it."""
    said = " ".join(words.split()).strip(" .!")
    first = said.split(" ", 1)[0].lower()
    if first == "lay" and "meld" in game.verbs:
        said = "meld" + said[3:]
    if first == "join" or " ".join(said.split()[:1]).lower() not in (*game.verbs, "lay", "meld"):
        return None
    try:
        move = read_move(said)
    except ValueError:
        return None
    if move.verb == "meld" and re.fullmatch(r"M\d+", move.to):
        move = move._replace(verb="add")  # cards that are laid to a meld
    placed = not move.to or move.to == "join" or re.fullmatch(r"M?\d+|[2-9TJQKA]|JK", move.to)
    return move if move.verb in game.verbs and placed else None


_SUITS_SAID = str.maketrans({"♠": "spade", "♦": "diamond", "♣": "club"})
_HEART_SAID = re.compile(r"(?<=\ba )♥|(?<=\bany )♥|(?<=\bof )♥|(?<=\bmy )♥|(?<=\bthe )♥")  # `low ❤️` is as much a kiss


_TRICK_BEFORE = re.compile(
    r"\W*(?:(?:the|show|see|me)\s+)*(?:last|previous|current|this) tricks?(?: again| please)?\W*", re.IGNORECASE
)


def word_moves(body: str, game: Game, legal: Sequence[Move], view: Any = None) -> list[Reading] | None:
    """A whole text that is a move by a word or a number: `deal`, `cut 27`, `nil`, `4`, `none`, `low`, `spades`."""
    said = _HEART_SAID.sub("heart", body.casefold().translate(_SUITS_SAID))
    while (short := _LEAVE.sub("", said)) != said and short:
        said = short
    said = " ".join(said.split())
    verbs = {move.verb for move in legal}
    if _TRICK_BEFORE.fullmatch(body):
        return None
    if "deal" in verbs and re.fullmatch(
        r"deal(?: (?:the )?cards| (?:them|em|it|us|away))*|(?:just |do )?(?:no|don't|dont|skip the|without) cut(?:ting)?",
        said,
    ):
        return [Reading((Loose("deal"),))]
    cut = re.fullmatch(r"(?:cut|lift|cut at|cut to|cut the deck at)(?: about| off)? (\d{1,3})(?: cards)?", said)
    cut = cut or (re.fullmatch(r"(\d{1,3})(?: cards)?", said) if "cut" in verbs else None)
    if cut and "cut" in game.verbs:
        return [Reading((Loose("cut", value=cut[1]),))]
    if "bid" in verbs:
        value = _bid(said)
        if value and said not in _NO_BID:
            return [Reading((Loose("bid", value=value),))]
    if "expose" in verbs and re.fullmatch(r"(?:expose |show )?(?:none|nothing|no cards?|nope|no|0|zero)", said):
        return [Reading((Loose("expose", value="none"),))]
    if "moon" in verbs and (choice := moon.chosen(said)):
        return [Reading((Loose("moon", value=choice),))]
    if "pick" in verbs and (word := re.fullmatch(r"(?:pick|take|choose|the)? ?(\d{1,2})(?: cards)?", said)):
        return [Reading((Loose("pick", value=word[1]),))]
    if "look" in game.verbs and re.fullmatch(
        r"look|look at (?:my )?(?:hand|cards)|i (?:want to )?look|let me look", said
    ):
        return [Reading((Loose("look"),))]
    if "rummy" in game.verbs and re.fullmatch(r"(?:call )?rummy|rummy on (?:it|that)|i call rummy", said):
        return [Reading((Loose("rummy"),))]
    if "play" in game.verbs and view is not None:
        plays = [move for move in legal if move.verb == "play"]
        ace = ACES.get(said) if plays else None
        if ace is not None and ace in view.hand:  # an ace that is held, though it reads as a word
            return [Reading((Loose("play", (Spec(ace >> 2, ace),)),))]
        return described(said, view, plays) if view.phase == PLAY else None
    return None


_NO_BID = frozenset(("fore", "won", "tree", "sicks", "tin"))  # alone they are words


def _bid(said: str) -> str:
    match = re.fullmatch(
        r"(?:bid(?:ding)?(?: is)?|bids|call|say|make it|take|put me down for|go)?(?: for\b)? ?(\w+(?: nil| nill)?)",
        said,
    )
    word = match[1] if match else ""
    word = {
        "zero": "nil",
        "0": "nil",
        "nill": "nil",
        "nothing": "nil",
        "blind nil": "blind",
        "blind nill": "blind",
    }.get(word, word)
    word = str(
        NUMBERS.get(
            word,
            {
                "one": 1,
                "eleven": 11,
                "twelve": 12,
                "thirteen": 13,
                "for": 4,
                "fore": 4,
                "to": 2,
                "too": 2,
                "ate": 8,
                "won": 1,
                "tree": 3,
                "sicks": 6,
                "tin": 10,
            }.get(word, word),
        )
    )
    return word if word in ("nil", "blind") or (word.isdigit() and len(word) < 3) else ""


def readings(parsed: Parsed, words: str, game: Game, legal: Sequence[Move]) -> list[Reading] | None:
    """What a clause means in a game of runs or of tricks; None where it is for the common reader, or not understood."""
    swap = _SWAP.search(words)
    if swap and "swap" in game.verbs:
        if not _nothing(words[: swap.start()]) or not _nothing(words[swap.end() :]):
            return None
        exact = strict(f"swap {swap[1]} for {swap[2]} in {swap[3]}", game)
        return [Reading((exact,))] if exact is not None else None
    exact = strict(words, game)
    if (
        exact is not None
        and (exact.specs or exact.value)
        and not _a_whole_rank(exact)
        and exact.to[:1] in ("", "M", "j")
    ):
        return [Reading((exact,)), *_apart(exact, parsed)]
    if parsed.flag:
        return None
    if "play" in game.verbs:
        return _tricks(parsed, words, game, legal) if not set(parsed.junk) - _SHOWS and parsed.target is None else None
    return _runs(parsed, legal) if not parsed.junk else None


def _nothing(words: str) -> bool:
    """Whether these words beside a move say nothing: no `Bea wants to`."""
    return all(item.kind in _SILENT for item in read_items(words))


_SILENT = frozenset(("NOISE", "CHAT", "MARK", "THEN", "SEP", "END", "AND", "DOTS"))


def _apart(exact: Loose, parsed: Parsed) -> list[Reading]:
    """The same cards as several melds, `789s kkk`, or each added by itself, `add 9h 4h`: second to all at once."""
    if exact.verb == "add" and len(exact.specs) > 1 and not exact.to and not any(spec.stands for spec in exact.specs):
        return [Reading(tuple(Loose("add", (spec,)) for spec in exact.specs))]
    in_a_row = (
        suit_runs.melds(parsed.units) if exact.verb == "meld" and not any(spec.stands for spec in exact.specs) else ()
    )
    return [Reading(in_a_row)] if in_a_row else []


_SHOWS = frozenset(("show", "showing", "reveal", "give", "giving"))


def _a_whole_rank(move: Loose) -> bool:
    """`meld 7s` are sevens: one card is no meld."""
    return move.verb == "meld" and len(move.specs) == 1


def _specs(parsed: Parsed) -> tuple[tuple[Spec, ...], tuple[int, ...]]:
    specs = tuple(Spec(unit.rank, unit.card) for unit in parsed.units if not unit.whole for _ in range(unit.n))
    return specs, tuple(unit.rank for unit in parsed.units if unit.whole)


def _tricks(parsed: Parsed, words: str, game: Game, legal: Sequence[Move]) -> list[Reading] | None:
    specs, whole = _specs(parsed)
    if not specs and not whole:
        return None
    verbs = {move.verb for move in legal} or set(game.verbs)
    shows = re.search(r"\b(?:show|showing|expose|exposing|reveal)\b", words, re.IGNORECASE)
    said = parsed.verb
    if parsed.junk and not shows and not ({"pass", "exchange"} & verbs and {"give", "giving"} & set(parsed.junk)):
        return None
    if (
        "bid" in verbs
        and not said
        and not parsed.junk
        and len(specs) == 1
        and specs[0].card is None
        and specs[0].rank <= TEN
    ):
        return [Reading((Loose("bid", value=str(specs[0].rank + 2)),), sure=False)]  # fuor
    if "expose" in verbs and (said in ("expose", "") or shows):
        return [Reading((Loose("expose", specs, whole_rank=whole),))]
    for verb in ("pass", "exchange"):
        if verb in verbs and (
            said in (verb, "pass")
            or (not said and len(specs) > 1)
            or (said in ("put", "discard") and "play" not in verbs)
        ):
            return [Reading((Loose(verb, specs, whole_rank=whole),))]
    if said in ("", "play", "put", "discard", "meld", "add") and len(specs) == 1 and not whole and "play" in game.verbs:
        sure = bool(said) or "play" in verbs
        return [Reading((Loose("play", specs),), sure)]
    if said in _TAKING_CARDS and len(specs) == 1 and not whole and "play" in verbs:  # a trick is taken, and no card
        return [Reading((Loose("play", specs),), sure=False)]
    return None


TEN: Rank = 8
_TAKING_CARDS = frozenset(("take", "pick", "pickup", "draw"))


def _runs(parsed: Parsed, legal: Sequence[Move]) -> list[Reading] | None:
    specs, whole = _specs(parsed)
    to = parsed.number
    verb = parsed.verb
    if verb in ("take", "pick", "pickup", "put", "play", "meld", "add", "rummy") and not specs and not whole:
        if verb in ("meld", "rummy") and not parsed.noted:
            return [Reading((Loose(verb),))]
        takes = [move for move in legal if move.verb == "take"]
        if parsed.noted & {"TOP"} and not parsed.noted & {"DECK"}:
            return [Reading((Loose("take"),))]
        if parsed.word in ("take", "take it", "take that") and not parsed.noted - {"IT"} and not parsed.one:
            return [Reading((Loose("take"),))]
        if verb in ("take", "pickup") and not parsed.noted & {"DECK", "CARD", "ANOTHER"} and not parsed.one:
            ways = [Reading((read_move(write_move(move)),), sure=len(takes) == 1) for move in takes]
            return ways or [Reading((Loose("take"),))]
        return None
    if not specs and not whole:
        return None
    if verb in ("take", "pick", "pickup"):
        return [Reading((Loose("take", specs, whole_rank=whole),))] if not to and parsed.target is None else None
    if verb == "rummy":
        return [Reading((Loose("rummy", specs, to, whole_rank=whole),))]
    if verb == "add" and len(specs) > 1 and not to and not whole:
        each = tuple(Loose("add", (spec,)) for spec in specs)
        return [Reading((Loose("add", specs),)), Reading(each)]
    if verb == "add" or to or parsed.target is not None:
        return [Reading((Loose("add", specs, to, whole_rank=whole),))] if verb != "discard" else None
    several = len(specs) > 1 or bool(whole)
    if verb == "meld" or (verb in ("play", "put", "") and (several or "DOWN" in parsed.noted)):
        if len(specs) == 1 and not whole:
            whole = (specs[0].rank,)
            specs = ()
        by_rank = whole if whole else ()
        apart = [group for group in parsed.groups if group]
        if len(apart) > 1 and all(any(u.whole for u in group) or sum(u.n for u in group) > 2 for group in apart):
            each = tuple(
                Loose("meld", tuple(Spec(u.rank, u.card) for u in group if not u.whole for _ in range(u.n)),
                      whole_rank=tuple(u.rank for u in group if u.whole))
                for group in apart
            )  # fmt: skip
            return [Reading((Loose("meld", specs, whole_rank=by_rank),)), Reading(each)]
        one = Reading(
            (Loose("meld", specs, whole_rank=by_rank),),
            sure=bool(verb or parsed.noted & {"DOWN", "SET"} or len(specs) > 2),
        )
        in_a_row = suit_runs.melds(parsed.units) if several else ()
        return [one, Reading(in_a_row)] if in_a_row else [one]
    if verb == "discard" and not several:
        return [Reading((Loose("discard", specs),))]
    return None
