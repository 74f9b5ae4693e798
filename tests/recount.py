"""The score of Damn the Queens counted again: from the deals and the moves, by the page of rules, without the engine."""

from engine.cards import card_name
from engine.game import write_move

COUNTS = {f"{rank}{suit}": 5 for rank in "3456789" for suit in "SHDC"}
COUNTS |= {f"{rank}{suit}": 10 for rank in "TJQK" for suit in "SHDC"}
COUNTS |= {f"A{suit}": 20 for suit in "SHDC"} | {"QS": 100, "JK": 50, "W": 10}


def rank(name):
    return name if name in ("JK", "W") else name[0]


class Recount:
    """A table of its own, cards by their codes. Only the deals and the order of a stock made anew are the engine's."""

    def __init__(self, rules):
        self.rules = rules
        self.scores = [0, 0]
        self.down: list[dict[str, list[str]]] = [{}, {}]  # by side and rank

    @classmethod
    def of(cls, played):
        """The scores after all rounds of a whole game."""
        game, state = played.game, played.game.deal(played.options, played.seats, played.seed)
        recount = cls(played.options)
        recount.deal(game.dump(state))
        for seat, move in played.moves:
            if state.over:
                game.next_round(state)
                recount.deal(game.dump(state))
            game.play(state, seat, move)
            recount.play(seat, write_move(move), [card_name(card) for card in state.stock])
            assert recount.over == state.over
        return recount

    def deal(self, dealt):
        self.hands = [[card_name(card) for card in hand] for hand in dealt["hands"]]
        self.stock = [card_name(card) for card in dealt["stock"]]
        self.pile = [card_name(card) for card in dealt["pile"]]
        self.down = [{}, {}]
        self.over = False
        self.idle = 0  # discards onto an empty stock since a card was laid

    def play(self, seat, text, stock_after):
        assert not self.over, "a move after the round's end"
        text, _, to = text.partition(" to ")
        verb, *cards = text.split()
        hand = self.hands[seat]
        for card in cards:
            hand.remove(card)
        if verb == "draw":
            hand.append(self.draw(stock_after))
        elif verb == "pickup":
            self.lay(seat, [*cards, self.pile.pop()])
            hand += self.pile
            self.pile = []
        elif verb in ("meld", "add"):
            self.lay(seat, cards, to)
        elif verb == "discard":
            self.pile += cards
        if verb == "pass":
            self.finish(None)
        elif not hand:
            self.finish(seat)
        elif verb == "discard" and not self.stock:
            self.idle += 1
            if self.idle == 8 or not (self.may_draw() or self.may_take((seat + 1) % 4)):
                self.finish(None)

    def draw(self, stock_after):
        if not self.stock:
            assert self.may_draw()
            *under, top = self.pile
            (drawn,) = minus(under, stock_after)
            self.stock, self.pile = [*stock_after, drawn], [top]
        return self.stock.pop()

    def lay(self, seat, cards, to=""):
        self.idle = 0
        (r,) = {to} if to else {rank(card) for card in cards} - {"W"}
        self.down[seat % 2].setdefault(r, []).extend(cards)

    def may_draw(self):
        return bool(self.stock) or (self.rules.stock_out == "reshuffle" and len(self.pile) > 1)

    def may_take(self, seat):
        hand, top = self.hands[seat], rank(self.pile[-1])
        for r in {rank(card) for card in hand} - {"W"} if top == "W" else {top}:
            own = self.down[seat % 2].get(r, [])
            naturals = sum(rank(card) == r for card in hand)
            wild_fits = "W" not in own and (r != "JK" or self.rules.joker_set_wild == "on")
            pair = naturals >= 2 and (top != "W" or wild_fits)
            with_wild = naturals >= 1 and top != "W" and "W" in hand and wild_fits
            if (pair or with_wild) and not (own and self.rules.team_rank_pile_ban == "on"):
                return True
        return False

    def finish(self, out):
        self.over = True
        for side in (0, 1):
            held = sum(COUNTS[card] for seat in (side, side + 2) for card in self.hands[seat])
            went_out = out is not None and out % 2 == side
            self.scores[side] += sum(COUNTS[card] for cards in self.down[side].values() for card in cards)
            if went_out:
                self.scores[side] += self.rules.out_bonus
            if not went_out or self.rules.out_team_subtracts_partner == "on":
                self.scores[side] -= held


def minus(cards, taken):
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left
