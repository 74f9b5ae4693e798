"""From a clause to the moves it may mean: loose moves, for the game to resolve. Nothing is applied here.

A clause gives one reading or several. What it says beside the move must be on the list of noise; a clause with anything
else in it gives none.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.cards import JOKER, JOKER_RANK, QUEEN_OF_SPADES, WILD, WILD_RANK, Card, Rank, rank_name
from engine.game import Loose, Spec
from service.text.lexicon import SHORT_VERBS, words
from service.text.parse import ACE, Parsed, Unit


class Reading(NamedTuple):
    """One thing a clause may mean: moves in order.

    `sure` is False where it may be done only after asking; `first` where it is what is meant if it is legal.
    """

    moves: tuple[Loose, ...]
    sure: bool = True
    first: bool = False


class Sight(NamedTuple):
    """What the reader of a clause may look at: what the texting player can see, fetched when it is needed."""

    hand: Callable[[], Sequence[Card]]
    top: Callable[[], Card | None]
    verbs: frozenset[str]
    wild: Rank = WILD_RANK  # the rank that stands for others besides the wild: the 2 of Queen of Spades


def _specs(units: Sequence[Unit]) -> tuple[tuple[Spec, ...], tuple[Rank, ...]]:
    specs: list[Spec] = []
    whole: list[Rank] = []
    for unit in units:
        if unit.whole:
            if unit.rank not in whole:
                whole.append(unit.rank)
        else:
            card = WILD if unit.rank == WILD_RANK else JOKER if unit.rank == JOKER_RANK else unit.card
            specs += [Spec(unit.rank, card)] * unit.n
    return tuple(specs), tuple(whole)


def _loose(verb: str, units: Sequence[Unit], to: Rank | None = None) -> Loose:
    specs, whole = _specs(units)
    return Loose(verb, specs, "" if to is None else rank_name(to), "", whole)


def _plain(unit: Unit) -> Unit:
    return unit._replace(card=None, s="")


def _settle(units: Sequence[Unit], sight: Sight) -> list[Unit]:
    """`9s` beside other cards: the nine of spades where it is held; a nine where all are written so and it is not."""
    if not any(unit.s for unit in units):
        return list(units)
    hand = sight.hand()
    written = [unit for unit in units if unit.rank != WILD_RANK]
    named = [unit.card for unit in units if unit.s]
    if all(unit.s == "s" or unit.card is None for unit in written) and any(
        hand.count(card) < named.count(card) for card in named
    ):
        return [_plain(unit) if unit.s else unit for unit in units]
    return list(units)


def _sets(groups: Sequence[Sequence[Unit]]) -> tuple[list[list[Unit]], list[Unit], bool]:
    """Cards by rank in the order named; the wilds that stand by themselves; whether the ranks were kept apart in writing."""
    sets: list[list[Unit]] = []
    floating: list[Unit] = []
    apart = True
    for group in groups:
        waiting: list[Unit] = []
        count = len(sets)
        for unit in group:
            if unit.rank == WILD_RANK:
                if len(sets) > count:
                    sets[-1].append(unit)
                else:
                    waiting.append(unit)
                continue
            same = next((known for known in sets if known[0].rank == unit.rank), None)
            if same is not None and (same is sets[-1] or len(sets) > count):
                same.append(unit)
                if same is not sets[-1]:
                    sets.remove(same)
                    sets.append(same)
                count = min(count, len(sets) - 1)
            else:
                if len(sets) > count:
                    apart = False
                sets.append([unit])
            if waiting:
                sets[-1] += waiting
                waiting = []
        floating += waiting
    return sets, floating, apart


def _big(units: Sequence[Unit]) -> bool:
    return any(unit.whole for unit in units) or sum(unit.n for unit in units) >= 2


def _melds(parsed: Parsed, sight: Sight, verb: str) -> Iterator[Reading]:
    units = parsed.units
    if not units:
        yield Reading((Loose(verb),))
        return
    sets, floating, _apart = _sets(parsed.groups)
    exact = len(parsed.groups) == 1 and any(
        unit.card is not None and not unit.s for unit in units if unit.rank < JOKER_RANK
    )
    sets = [_settle(cards, sight) if exact else _whole_if_alone(cards, sight) for cards in sets]
    if sight.wild != WILD_RANK and len(sets) > 1:
        beside = _beside(sets, sight)
        if beside is not None:
            sets, floating = beside
    if len(sets) > 1 and not any(_big(cards) for cards in sets):
        explicit = all(unit.card is not None for unit in units)
        if explicit or len(parsed.groups) == 1:
            yield Reading((_loose(verb, units),))
            return
    if len(sets) > 1 and len(parsed.groups) == 1 and not all(_big(cards) for cards in sets):
        yield Reading((_loose(verb, units),))
        return
    if not sets:
        yield Reading((_loose(verb, units),))
        return
    if len(sets) == 1 or not floating:
        yield Reading(tuple(_loose(verb, cards + (floating if len(sets) == 1 else [])) for cards in sets))
        return
    if len(floating) > 3 or len(sets) > 5:
        return
    wilds = [wild._replace(n=1) for wild in floating for _ in range(wild.n)][:3]
    for homes in product(range(len(sets)), repeat=len(wilds)):
        if list(homes) != sorted(homes):
            continue
        yield Reading(
            tuple(
                _loose(verb, cards + [wild for wild, home in zip(wilds, homes, strict=True) if home == i])
                for i, cards in enumerate(sets)
            )
        )


def _beside(sets: Sequence[list[Unit]], sight: Sight) -> tuple[list[list[Unit]], list[Unit]] | None:
    """The sets without the wild cards of a rank, `nines and a 2`, and those; None where they are enough for a set of their own."""
    wilds = [unit for cards in sets if cards[0].rank == sight.wild for unit in cards]
    held = sum(card // 4 == sight.wild for card in sight.hand())
    count = held if any(unit.whole for unit in wilds) else sum(unit.n for unit in wilds)
    if not wilds or not count or count >= 3:
        return None
    named = [unit for unit in wilds if not unit.whole] or [Unit(sight.wild, n=count)]
    return [cards for cards in sets if cards[0].rank != sight.wild], named


def _whole_if_alone(cards: Sequence[Unit], sight: Sight) -> list[Unit]:
    naturals = [unit for unit in cards if unit.rank != WILD_RANK]
    if len(naturals) == 1 and naturals[0].s:
        return [_plain(unit)._replace(whole=True) if unit.s else unit for unit in cards]
    if (
        len(naturals) == 1
        and naturals[0].card is None
        and naturals[0].n == 1
        and not naturals[0].whole
        and len(cards) == 1
    ):
        return list(cards)
    return _settle(cards, sight)


def _pickups(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    units = parsed.units
    if (units and "WITH" not in parsed.noted) or len(units) > 1:
        top = sight.top()
        if top is not None:
            for i, unit in enumerate(units):
                if unit.card == top and top not in sight.hand() and not unit.s:
                    units = units[:i] + units[i + 1 :]
                    break
            rest = units[1:]
            if (
                "WITH" in parsed.noted
                and top < JOKER
                and units[:1] == [Unit(top >> 2)]
                and all(unit.rank == top >> 2 and not unit.whole for unit in rest)
                and sum(unit.n for unit in rest) == 2
            ):
                units = rest  # pick up the 9 with my two nines
    naturals = [unit for unit in units if unit.rank != WILD_RANK]
    if len(units) > 1 and units[0].rank == WILD_RANK and sum(2 if u.whole else u.n for u in naturals) == 2:
        units = naturals  # `take the pile w 9 9`: with
    wilds = len(units) - len(naturals)
    if len(naturals) == 1 and (naturals[0].whole or naturals[0].s == "s"):
        if naturals[0].s and wilds:
            units = _settle(units, sight)
        else:
            units = [
                _plain(unit)._replace(whole=False, n=1 if wilds else 2) if unit is naturals[0] else unit
                for unit in units
            ]
    else:
        units = _settle(units, sight)
    yield Reading((_loose("pickup", units),))


def _adds(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    units = parsed.units
    if not units:
        if parsed.noted & {"EVERY", "ALL", "FITS"} and parsed.target is None and "auto" in sight.verbs:
            yield Reading((Loose("auto"),))
        elif parsed.target is None:
            yield Reading((Loose("add"),))
        return
    if parsed.target is not None:
        if parsed.many and len(units) == 1 and units[0].s == "s" and units[0].rank == parsed.target:
            units = [_plain(units[0])._replace(whole=True)]  # 9s to 9s
        for chosen in _add_units(units, sight):
            yield Reading((_loose("add", chosen, parsed.target),))
        return
    sets, floating, _apart = _sets(parsed.groups)
    if not sets:
        yield Reading((_loose("add", units),))
        return
    if floating and len(sets) == 1 and len(parsed.groups) == 2:  # `add 9 and a wild`: to the nines, or to another set
        yield Reading((_loose("add", sets[0] + floating),))
        yield Reading((_loose("add", sets[0]), _loose("add", floating)))
        return
    if parsed.an_ace:
        others = [unit for unit in units if unit.rank != ACE]
        yield Reading((_loose("add", others),))
        yield Reading((_loose("add", [Unit(ACE)]), _loose("add", others)), first=parsed.an_ace == "A")
        return
    choices = [[_loose("add", chosen) for chosen in _add_units(cards, sight)] for cards in sets]
    tail = (_loose("add", floating),) if floating else ()
    for combination in list(product(*choices))[:4]:
        yield Reading((*combination, *tail))


def _add_units(units: Sequence[Unit], sight: Sight) -> list[list[Unit]]:
    if len(units) == 1 and units[0].s:
        unit, hand = units[0], sight.hand()
        held = [card for card in hand if card >> 2 == unit.rank]
        if unit.s == "S" or held == [unit.card] or (unit.card == QUEEN_OF_SPADES and unit.card in held):
            return [[unit]]
        every = [_plain(unit)._replace(whole=True)]
        return [[unit], every] if unit.card in held else [every]
    return [_settle(units, sight)]


def _discards(parsed: Parsed) -> Iterator[Reading]:
    units = parsed.units
    if (units and "IT" in parsed.noted) or (not units and "UP" in parsed.noted):  # throw up
        return
    if parsed.word.startswith("end") and any(unit.whole for unit in units):  # end my turn with kings
        return
    sure = not (len(units) == 1 and units[0].weak and units[0].rank == 12 and units[0].card is None)
    yield Reading((_loose("discard", units),), sure)


def _takes(parsed: Parsed, sight: Sight) -> Iterator[Reading]:
    """`take`, `grab`, `pick`, `pickup` and whether it is the pile or a card of the stock."""
    noted = parsed.noted
    draw = Reading((Loose("draw"),))
    units = parsed.units
    if "DECK" in noted:
        if not units and "PILE" not in noted:
            yield draw
        return
    if "take" in sight.verbs and "WITH" not in noted and len(units) == 1 and units[0].n == 1 and not units[0].whole:
        yield Reading((_loose("take", [_plain(units[0]) if units[0].s else units[0]]),))  # the lone card of the pile
        return
    if units or "WITH" in noted:
        yield from _pickups(parsed, sight)
        return
    pile = "PILE" in noted or ("ALL" in noted and parsed.word != "get")
    if "FROM" in noted and pile:
        yield Reading((Loose("draw"),), False)
        yield Reading((Loose("pickup"),), False)
        return
    if pile or ("IT" in noted and not parsed.one):
        yield Reading((Loose("pickup"),))
        return
    if "TOP" in noted:
        yield Reading((Loose("draw"),), False)
        yield Reading((Loose("pickup"),), False)
        return
    if parsed.one or "CARD" in noted or "ANOTHER" in noted:
        if "CARDS" in noted:
            yield Reading((Loose("pickup"),))
            return
        yield draw if parsed.word not in ("pickup", "pick up") or parsed.one else draw._replace(sure=False)
        if parsed.verb == "pickup" and not parsed.one:
            yield Reading((Loose("pickup"),), False)
        return
    if parsed.verb == "pickup" or "UP" in noted:
        yield Reading((Loose("pickup"),))
        return
    if "take" in sight.verbs and parsed.word == "take":
        yield Reading((Loose("take"),))
        return
    yield Reading((Loose("draw"),), False)
    yield Reading((Loose("pickup"),), False)


_ALLOWED: dict[str, frozenset[str]] = {
    "draw": frozenset(("DECK", "CARD", "FROM", "IT", "UP", "TOP", "ANOTHER")),
    "pass": frozenset(("IT",)),
    "auto": frozenset(("EVERY", "FITS", "CARD", "CARDS", "ALL", "IT")),
    "pickup": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER SET EVERY TOP
    """
    ),
    "take": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER TOP EVERY SET
    """
    ),
    "pick": words(
        """
    PILE IT UP ALL CARD CARDS WITH DECK FROM ANOTHER TOP EVERY SET
    """
    ),
    "meld": frozenset(("DOWN", "SET", "EVERY", "ALL", "CARD", "CARDS", "WITH", "IT", "FITS", "UP")),
    "add": frozenset(("SET", "CARD", "CARDS", "EVERY", "FITS", "ALL", "OFF", "DOWN", "IT", "WITH")),
    "discard": frozenset(("CARD", "PILE", "TOPILE", "IT", "OFF", "UP")),
    "put": frozenset(("DOWN", "SET", "CARD", "CARDS", "TOPILE", "WITH", "UP", "ALL")),
    "play": frozenset(("DOWN", "SET", "CARD", "CARDS", "TOPILE", "WITH", "ALL")),
    "": frozenset(("FITS", "ANOTHER", "TOP", "FROM", "DECK", "DOWN", "SET", "CARD", "CARDS", "WITH", "PILE", "TOPILE")),
}


def _plainly(parsed: Parsed) -> bool:
    """A verb of one letter must stand first and alone, or before cards that make sense of it."""
    if not parsed.led or parsed.noted - {"WITH"} or parsed.target is not None or parsed.one:
        return False
    units = parsed.units
    if parsed.word in ("m", "l"):
        return sum(unit.n for unit in units) > 1 or any(unit.whole for unit in units)
    if parsed.word == "x":
        return len(units) == 1 and units[0].n == 1 and not units[0].whole
    if not units and not parsed.alone:
        return False
    return parsed.word == "p" or len(units) <= 1


def readings(parsed: Parsed, sight: Sight) -> list[Reading] | None:
    """What a clause with a verb (or cards) may mean; None where it is not understood. A bare card is `bare`'s."""
    verb = parsed.verb
    units = parsed.units
    if parsed.flag or parsed.junk or len(units) > 40:
        return None
    if not verb and "FITS" in parsed.noted and len(units) != 1:
        return None
    if not verb and any(unit.weak for unit in units):
        return None
    if parsed.word in SHORT_VERBS and not _plainly(parsed):
        return None
    if verb == "draw" and units and parsed.word in ("d", "dr"):
        verb = "discard"
    if verb == "auto" and units and parsed.word.startswith(("add", "lay")):  # `add all my nines`
        verb = "add"
        parsed.groups = [
            [_plain(unit)._replace(whole=True) if unit.n == 1 else unit for unit in group] for group in parsed.groups
        ]
    if (
        verb in sight.verbs
        and (verb == "play" or (verb == "take" and "pickup" not in sight.verbs))
        and not parsed.noted
    ):
        onto = parsed.target is not None and verb == "take"  # nothing is taken onto a set
        return None if onto else [Reading((_loose(verb, units, parsed.target),))]
    if parsed.noted - _ALLOWED.get(verb, frozenset()) or ("CARDS" in parsed.noted and verb == "draw"):
        if verb == "draw" and parsed.noted <= {"PILE", "FROM", "TOP", "CARD"} and not units:
            return [Reading((Loose("draw"),), False), Reading((Loose("pickup"),), False)]
        return None
    found: Iterator[Reading]
    if verb == "meld" and parsed.target is not None:
        verb = "add"
    if verb in ("put", "play", ""):
        if parsed.target is not None:
            verb = "add"
        elif "TOPILE" in parsed.noted:
            verb = "discard"
        elif (
            verb != "play"
            and "DOWN" in parsed.noted
            and (sum(unit.n for unit in units) > 1 or any(unit.whole for unit in units))
        ) or (not verb and "SET" in parsed.noted and units):
            verb = "meld"
        elif not verb and not units and parsed.noted - {"FROM"} == {"DECK"}:
            return [Reading((Loose("draw"),))]
        elif not verb and not units and parsed.noted <= {"CARD", "ANOTHER", "DECK", "FROM", "TOP"}:
            return [Reading((Loose("draw"),))] if "CARD" in parsed.noted or "DECK" in parsed.noted else None
        elif not verb and not units and parsed.noted == {"PILE"}:
            return [Reading((Loose("pickup"),))]
        elif (
            not verb and "WITH" in parsed.noted and (len(units) > 1 or any(unit.whole or unit.n > 1 for unit in units))
        ):
            wilds = {unit.rank == WILD_RANK for unit in units}
            if len(wilds) == 2 and "PILE" not in parsed.noted and {"pickup", "meld"} <= sight.verbs:
                return [*_pickups(parsed, sight), *_melds(parsed, sight, "meld")]  # kings with the wild
            verb = "pickup"
        else:
            return bare(parsed, sight, parsed.okay)
    if verb in ("draw", "pass", "auto"):
        if units or parsed.target is not None:
            if verb == "pass" and "exchange" not in sight.verbs and "pass" in sight.verbs and "draw" not in sight.verbs:
                return [Reading((_loose("pass", units),))]
            return None
        if verb != "draw" and parsed.one:
            return None
        found = iter((Reading((Loose(verb),)),))
    elif verb in ("pickup", "take", "pick"):
        if parsed.target is not None:
            return None
        found = _takes(parsed, sight)
    elif verb == "meld":
        if parsed.one:
            return None
        found = _melds(parsed, sight, "meld")
    elif verb == "add":
        if "WITH" in parsed.noted and parsed.verb:
            return None
        found = _adds(parsed, sight)
    elif verb == "discard":
        if parsed.target is not None:
            if units and len(units) == 1:  # `throw my 9 on the nines`
                found = (reading._replace(sure=False) for reading in _adds(parsed, sight))
            else:
                return None
        else:
            found = _discards(parsed)
    elif verb in ("bid", "cut", "moon"):
        value = " ".join(parsed.values)
        value = "blind" if value in ("blind nil", "nil blind") else value  # a blind bid of 6 there is none
        return [Reading((Loose(verb, (), "", value),))] if value and not units else None
    else:
        found = iter((Reading((_loose(verb, units, parsed.target),)),))
    return list(found)[:12]


def bare(parsed: Parsed, sight: Sight, okay: bool = False) -> list[Reading] | None:
    """Cards without a verb: whatever moves they could be; `okay` is the bare `kk`, which is also an okay.

    One card alone is settled by what is legal with it.
    """
    units = parsed.units
    if not units or any(unit.weak for unit in units):
        return None
    if len(units) == 1 and units[0].n == 1 and not units[0].whole:
        return []  # see `understand`: the legal moves with this card decide
    if any(unit.card is not None and unit.card == sight.top() and unit.card not in sight.hand() for unit in units):
        return None
    sets, _floating, _apart = _sets(parsed.groups)
    if len(sets) > 1 and not all(
        any(unit.whole for unit in cards) or sum(unit.n for unit in cards) > 2 for cards in sets
    ):
        return None
    found = [
        reading
        for verb in ("pickup", "meld", "add")
        if verb in sight.verbs
        for reading in (
            _pickups(parsed, sight)
            if verb == "pickup"
            else _melds(parsed, sight, "meld")
            if verb == "meld"
            else _adds(parsed, sight)
        )
    ]
    several = any(unit.whole or unit.n > 2 for unit in units)
    sure = (parsed.verb != "put" or several) and not okay and any(unit.rank != WILD_RANK for unit in units)
    return [reading._replace(sure=reading.sure and sure) for reading in found]
