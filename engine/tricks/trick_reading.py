"""Which move a text means in a trick game."""

from collections import Counter
from itertools import combinations
from typing import Any

from engine.cards import Card, Rank, card_name
from engine.game import Loose, Move, Refusal, Seat, describe_rank
from engine.tricks.table import MOST_ASKED, PLAYS


class TrickReading:
    """What is meant by the moves that are written; see `engine.game.Game`."""

    title: str
    verbs: tuple[str, ...]  # of its moves

    def legal(self, state: Any, seat: Seat) -> list[Move]:
        """What this seat may do."""
        raise NotImplementedError

    def _demand_turn(self, state: Any, seat: Seat) -> None:
        """Refuses unless this seat is to play a card."""
        raise NotImplementedError

    def resolve(self, state: Any, seat: Seat, loose: Loose) -> Move:
        """The one move that is meant; see `engine.game.Game`."""
        verb = loose.verb
        if verb not in self.verbs:
            raise ValueError(f"{self.title} has no {verb!r}; its moves are {', '.join(self.verbs)}")
        if loose.to:
            raise ValueError(f"{verb} names cards and nothing else")
        if verb == "play":
            return self._resolve_play(state, seat, loose)
        if verb in ("pass", "exchange"):
            return Move(verb, self._choose(state, seat, loose, self._to_choose(state, seat)))
        return self._resolve_word(state, seat, loose)

    def _resolve_word(self, state: Any, seat: Seat, loose: Loose) -> Move:
        """A move that is no play and no pass."""
        raise NotImplementedError

    def _resolve_play(self, state: Any, seat: Seat, loose: Loose) -> Move:
        if len(loose.specs) == 1 and loose.specs[0].card is not None and not loose.whole_rank:
            return Move("play", (loose.specs[0].card,))
        self._demand_turn(state, seat)
        legal: list[Move] = self.legal(state, seat)
        ranks = [spec.rank for spec in loose.specs] + list(loose.whole_rank)
        if not ranks:
            if len(legal) != 1:
                many = len(legal) > MOST_ASKED
                hint = f"Which card do you play? Name one, such as {card_name(legal[0].cards[0])}." if many else ""
                raise Refusal("AMBIG", hint or "Which card do you play?", () if many else legal)
            return legal[0]
        if len(ranks) > 1:
            raise Refusal("COUNT", "One card is played to a trick.")
        held: list[Move] = [PLAYS[card] for card in dict.fromkeys(state.hands[seat]) if card >> 2 == ranks[0]]
        if not held:
            raise Refusal("NOTHELD", f"You hold no {describe_rank(ranks[0])}.")
        can = [move for move in held if move in legal]
        if len(can) > 1:
            raise Refusal("AMBIG", f"Which {describe_rank(ranks[0], many=False)} do you play?", can)
        return (can or held)[0]

    def _to_choose(self, state: Any, seat: Seat) -> int:
        """How many cards this seat passes or exchanges now; refused, before its hand is looked at, where that is none."""
        raise NotImplementedError

    def _choose(self, state: Any, seat: Seat, loose: Loose, count: int) -> tuple[Card, ...]:
        """The cards that are to be passed: a rank alone means the one card of it, or all when as many are named."""
        hand = list(state.hands[seat])
        chosen = [spec.card for spec in loose.specs if spec.card is not None]
        held = not Counter(chosen) - Counter(hand)
        for card in chosen:
            if card in hand:
                hand.remove(card)
        for rank in loose.whole_rank:
            chosen += [card for card in hand if card >> 2 == rank]
            hand = [card for card in hand if card >> 2 != rank]
        wanted: dict[Rank, int] = {}
        for spec in loose.specs:
            if spec.card is None:
                wanted[spec.rank] = wanted.get(spec.rank, 0) + 1
        ways: list[tuple[Card, ...]] = [tuple(chosen)]
        for rank, many in wanted.items():
            those = [card for card in hand if card >> 2 == rank]
            if len(those) < many:
                what = describe_rank(rank)
                raise Refusal(
                    "NOTHELD", f"You hold only {len(those)} of the {what}." if those else f"You hold no {what}."
                )
            ways = [way + cards for way in ways for cards in dict.fromkeys(combinations(those, many))]
        if len(ways) > 1 and held and len(ways[0]) == count:  # else none of them can be played, and that is the answer
            raise Refusal("AMBIG", "Which of them?", [Move(loose.verb, way) for way in ways])
        return ways[0]

    # Play
