"""What the page of a table shows: one table as one seat, or a spectator, sees it, put in order for the template.

Cards come from `Game.view` of that seat and from events that everybody has seen, and from nowhere else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select

from engine.cards import JOKER, WILD, Card
from engine.game import Seat, write_options
from service import manners, stored
from service.stored import NUDGE, OVER, PLAYING, Sitter, Table
from service.text import speech
from service.text.tricks import TOGETHER, Tricks
from service.text.words import listed, number_of
from service.web import moves
from service.web.cards import spoken_rank
from service.web.happenings import Stretch, told
from service.web.moves import Choices

SORTS = ("rank", "suit")
PAUSED = "The table is paused."
_DEADLINES = select(NUDGE.c.seat, NUDGE.c.deadline_at).where(
    NUDGE.c.table_id == bindparam("table"), NUDGE.c.deadline_at.is_not(None)
)


@dataclass(frozen=True)
class Person:
    """One seat in the row of players."""

    seat: Seat
    name: str
    count: int | None  # cards in the hand; None: nothing is dealt
    turn: bool
    dealer: bool
    bot: bool
    me: bool
    partner: bool
    notes: tuple[str, ...] = ()  # bids, tricks taken and the like


@dataclass(frozen=True)
class Heap:
    """Sets or melds of one side, or the cards that somebody has shown or taken."""

    title: str
    mine: bool
    groups: tuple[tuple[str, tuple[Card, ...], tuple[Card, ...]], ...]  # a label, cards, what they stand for
    worth: str = ""


@dataclass
class Scene:
    """All that the template needs."""

    table: Table
    seat: Seat | None
    view: Any
    mark: str
    names: tuple[str, ...] = ()
    people: list[Person] = field(default_factory=list)
    headline: str = ""  # whose turn it is
    my_turn: bool = False
    until: str = ""  # a local time
    until_iso: str = ""
    hand: list[Card] = field(default_factory=list)
    hand_hidden: bool = False  # Spades before a blind bid
    sort: str = "rank"
    choices: Choices = field(default_factory=Choices)
    heaps: list[Heap] = field(default_factory=list)
    pile: tuple[Card, ...] = ()
    wild: str = ""
    scores: list[tuple[str, int, str, bool]] = field(default_factory=list)  # side, score, this round, own
    happened: list[Stretch] = field(default_factory=list)
    result: str = ""
    asked: tuple[str, ...] = ()  # the readings of an open question
    options: str = ""
    round: int = 0
    host: str = ""  # who deals and fills with bots, before the first deal
    is_host: bool = False

    @property
    def tricks(self) -> bool:
        """Whether the game is one of tricks."""
        return hasattr(self.view, "trick")


def look_up(conn: Connection, table_id: int) -> Table | None:
    """The table with the clocks of the turns that run now; only to be read."""
    table = stored.look(conn, table_id)
    if table is not None and table.status == PLAYING:
        due = table.due
        rows = conn.execute(_DEADLINES, {"table": table_id})
        table.deadlines = {row.seat: row.deadline_at for row in rows if row.seat in due}
    return table


def made(table: Table, seat: Seat | None, mark: str, now: datetime, sort: str, first_new: int) -> Scene:
    """The scene of a seat, or of a spectator (None)."""
    if table.state is None:
        return _not_dealt(table, seat, mark)
    game, names = table.game, table.names
    view = game.view(table.state, seat)
    scene = Scene(table, seat, view, mark, names, round=view.round)
    scene.options = _house_rules(table)
    goes_on = table.status == PLAYING and table.paused is None
    waiting = table.due if goes_on else ()
    scene.my_turn = seat is not None and seat in waiting
    scene.headline = _headline(table, view, seat, waiting)
    _clock(scene, table, seat, waiting, now)
    acts = seat is not None and goes_on and seat in game.waiting(table.state)
    if seat is not None:
        scene.sort = sort if sort in SORTS else default_sort(view.game)
        scene.hand = moves.sorted_hand(view.hand, scene.sort)
        scene.hand_hidden = not view.hand and view.counts[seat] > 0 and table.status == PLAYING
        if acts:
            scene.choices = moves.choices(view, game.legal(table.state, seat), names)
    scene.people = [_person(table, view, other, seat, waiting) for other in moves.seats_in_order(view)]
    scene.heaps = _tricks_on_show(view, names) if scene.tricks else _laid(view, names)
    scene.pile = tuple(getattr(view, "pile", ())) or (() if scene.tricks or view.top is None else (view.top,))
    scene.wild = _wild(view)
    scene.scores = _scores(view, names)
    scene.happened = told(table.news, max(0, first_new - table.news_from))
    if view.over or table.status == OVER:
        scene.result = _result(view, names)
    return scene


def default_sort(game: str) -> str:
    """Rummy of sets is sorted by rank, all else by suit."""
    return "rank" if game in ("damn-the-queens", "queen-of-spades") else "suit"


def _not_dealt(table: Table, seat: Seat | None, mark: str) -> Scene:
    by_seat = {sitter.number: sitter for sitter in table.sitters}
    scene = Scene(table, seat, None, mark, options=_house_rules(table))
    host = next((sitter for sitter in table.sitters if sitter.player_id == table.host_id), None)
    scene.host, scene.is_host = ("", False) if host is None else (host.name, host.number == seat)
    for number in range(table.seat_count):
        sitter = by_seat.get(number)
        name = "free" if sitter is None else sitter.name
        bot = sitter is not None and sitter.bot
        scene.people.append(Person(number, name, None, False, False, bot, number == seat, False))
    free = table.free
    if table.paused is not None:
        scene.headline = PAUSED
    elif free:
        scene.headline = f"{free} seat{'s are' if free > 1 else ' is'} still free."
    else:
        scene.headline = "All seats are taken. Ready to deal."
    return scene


def _house_rules(table: Table) -> str:
    return ", ".join(word.replace("_", " ").replace("=", " ") for word in write_options(table.options).split())


def _headline(table: Table, view: Any, seat: Seat | None, waiting: Sequence[Seat]) -> str:
    """Whose turn it is, and for what."""
    if table.status == OVER:
        return "The game is over."
    if table.paused is not None:
        return PAUSED
    if not waiting:
        return "The round is over." if view.over else "Wait a moment."
    if seat in waiting:
        return f"Your turn: {_to_do(view)}."
    names = listed([table.names[other] for other in waiting])
    return f"{names} {'is' if len(waiting) == 1 else 'are'} to {_to_do(view, own=False)}."


def _to_do(view: Any, own: bool = True) -> str:
    """What the phase asks for."""
    if view.phase == "draw":
        return "draw a card, or take from the pile" if own else "draw"
    if view.phase == "meld":
        return "lay down, add, or discard" if own else "lay down or discard"
    if view.phase == "pass" and hasattr(view, "passes"):
        return f"choose {view.passes} cards to pass" if own else "choose cards to pass"
    said = {
        "expose": "show cards, or none", "bid": "bid", "exchange": f"give your partner {getattr(view, 'passes', 0)} cards",
        "moon": "say what shooting the moon shall do", "cut": "cut or deal", "play": "play a card", "pick": "choose a hand",
    }  # fmt: skip
    return said.get(view.phase, "play") if own or view.phase != "exchange" else "exchange cards"


def _clock(scene: Scene, table: Table, seat: Seat | None, waiting: Sequence[Seat], now: datetime) -> None:
    """Until when whose turn it is, as the reader's own clock shows it (a spectator's is told in UTC)."""
    whose = seat if seat is not None and seat in waiting else next(iter(waiting), None)
    end = None if whose is None else table.deadlines.get(whose)
    if end is None:
        return
    reader: Sitter | None = None if seat is None else table.sitters[seat]
    scene.until_iso = end.isoformat()
    scene.until = (
        manners.wall(end, reader.zone, reader.address, now)
        if reader is not None and reader.address
        else f"{end:%a %d %b %H:%M} UTC"
    )


def _person(table: Table, view: Any, seat: Seat, me: Seat | None, waiting: Sequence[Seat]) -> Person:
    sitter = table.sitters[seat]
    partner = me is not None and seat != me and any(me in side and seat in side for side in view.sides)
    notes = []
    if hasattr(view, "trick"):
        if view.bids and view.bids[seat] is not None:
            notes.append(f"bid {_bid(view.bids[seat])}")
        if view.phase in TOGETHER and view.chosen:
            notes.append("ready" if view.chosen[seat] else "choosing")
        elif view.tricks[seat]:
            notes.append(f"{view.tricks[seat]} trick{'s' if view.tricks[seat] != 1 else ''}")
    if sitter.lent:
        notes.append("a bot plays")
    bot = sitter.bot and not sitter.lent
    dealer = view.dealer == seat
    return Person(seat, sitter.name, view.counts[seat], seat in waiting, dealer, bot, seat == me, partner, tuple(notes))


def _bid(bid: int) -> str:
    return str(bid) if bid >= 0 else "nil" if bid == -1 else "blind nil"


def _laid(view: Any, names: Sequence[str]) -> list[Heap]:
    """What lies before each side: sets by rank, or melds with their numbers."""
    melds = getattr(view, "melds", None)
    heaps = []
    for side, seats in enumerate(view.sides):
        title, mine = speech.side_name(view, names, side).replace("+", " and "), view.seat in seats
        if melds is not None:
            own = [(f"M{m.number}", tuple(m.cards), tuple(m.stands)) for m in melds if m.owner in seats]
        else:
            own = [("", tuple(down.cards), ()) for down in view.down if down.side == side]
        if own:
            heaps.append(Heap(title, mine, tuple(own), f"worth {view.laid[side]}" if view.laid else ""))
    return sorted(heaps, key=lambda heap: not heap.mine)


def _tricks_on_show(view: Any, names: Sequence[str]) -> list[Heap]:
    """Cards that lie open beside the trick: shown by a player, or taken and counting."""
    heaps = [
        Heap(f"{names[seat]} shows", seat == view.seat, (("", tuple(cards), ()),))
        for seat, cards in enumerate(view.exposed)
        if cards
    ]
    heaps += [
        Heap(f"{names[seat]} has taken", seat == view.seat, (("", tuple(cards), ()),))
        for seat, cards in enumerate(view.taken)
        if cards
    ]
    if view.carried:
        heaps.append(Heap("For who takes the next trick", False, (("", tuple(view.carried), ()),)))
    return heaps


def _wild(view: Any) -> str:
    """What is wild this round, where that changes."""
    rank = getattr(view, "wild", None)
    if rank is None or rank in (JOKER >> 2, WILD >> 2):
        return ""
    return f"{spoken_rank(rank).capitalize()} are wild"


def _scores(view: Any, names: Sequence[str]) -> list[tuple[str, int, str, bool]]:
    """Side, score of the game, what the round has brought, whether it is the reader's own."""
    rows = []
    points = view.points if view.points is not None else getattr(view, "laid", None)
    for side, seats in enumerate(view.sides):
        parts = [] if points is None else [str(points[side])]
        if getattr(view, "bags", ()):
            parts.append(number_of(view.bags[side], "bag"))
        name = speech.side_name(view, names, side).replace("+", " and ")
        rows.append((name, view.scores[side], ", ".join(parts), view.seat in seats))
    return rows


def _result(view: Any, names: Sequence[str]) -> str:
    """How it ended, in the words of a text."""
    words = speech.of(view.game)
    if isinstance(words, Tricks):
        words = words.called(names)
    if not view.ended:
        return words.went_out(view, names)
    won = listed([speech.side_name(view, names, side).replace("+", " and ") for side in view.winners])
    return f"{won} won." if won else ""


def questions(pending: Mapping[str, Any] | None, code: str) -> tuple[str, ...]:
    """The readings that an open question of ours to this player offers at that table."""
    if not pending or pending.get("table") != code:
        return ()
    return tuple(str(choice) for choice in pending.get("choices", ()))
