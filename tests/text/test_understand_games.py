"""The other games: their moves as we print them, and as people write them, read against what is legal."""

import pytest

from engine.bots import choose
from engine.game import read_move, write_move
from engine.record import begin, parse_bytes
from engine.registry import GAMES
from service.text import render
from service.text.understand import Context, understand

POSITIONS = {
    "hearts, passing": """game: hearts
seats: Ann Bea Cy Dot
dealer: Dot
phase: pass
hand Ann: QS KH AH 2C 3C 4C 5D 6D 7D 8S 9S TS JH
""",
    "hearts": """game: hearts
seats: Ann Bea Cy Dot
dealer: Dot
phase: play
turn: Ann
trick: Dot 4C
hand Ann: 2C KC QS 5D 6D QD 3H
hand Bea: 3C 5C 6C 7C 8C 9C TC
hand Cy: 2D 3D 4D 7D 8D 9D TD
hand Dot: 2S 3S 4S 5S 6S 7S
""",
    "spades": """game: spades
options: blind_nil=off
seats: Ann Bea Cy Dot
dealer: Dot
phase: bid
seed: 3
""",
    "gong zhu": """game: gong-zhu
seats: Ann Bea Cy Dot
dealer: Dot
phase: expose
hand Ann: QS JD 2C 3C 4C 5D 6D 7D 8S 9S TS 4H 3H
""",
    "500": """game: rummy500
seats: Ann Bea Cy
dealer: Cy
turn: Ann
phase: meld
meld M1 Bea: 7H 8H 9H
meld M2 Ann: KS KH KD
hand Ann: 7S 8S 9S TH 5C 5D 5H QD KC 3C AC
hand Bea: 2C 3D
hand Cy: 4C 6D
pile: 5S JD
stock: 2H 2D 2S
""",
    "500, drawing": """game: rummy500
seats: Ann Bea Cy
dealer: Cy
turn: Ann
phase: draw
hand Ann: 7S 8S 9S TH 5C 5H QD KC 3C
hand Bea: 2C 3D
hand Cy: 4C 6D
pile: 5S 5D JD 8C
stock: 2H 2D 2S
""",
    "queen of spades": """game: queen-of-spades
seats: Ann Bea Cy
dealer: Cy
turn: Ann
hand Ann: 7S 7C 8S 9S TH 5C 5H QD KC 3C
hand Bea: 2C 3D
hand Cy: 4C 6D
pile: 7D
stock: 2H 2D 2S
""",
    "queen of spades, sevens down": """game: queen-of-spades
seats: Ann Bea Cy
dealer: Cy
turn: Ann
hand Ann: 7S 7C 8S 9S TH 5C 5H 5S QD KC 3C
down Ann: 7H 7D 7C
hand Bea: 2C 3D
hand Cy: 4C 6D
pile: 4S 7D
stock: 2H 2D 2S
""",
    "queen of spades, cutting": """game: queen-of-spades
seats: Ann Bea Cy
dealer: Ann
phase: cut
turn: Ann
seed: 4
""",
}

TEXTS = """
hearts, passing
    pass qs kh ah = pass QS KH AH
    Pass QS, KH and AH = pass QS KH AH
    pass the queen of spades, king of hearts, ace of hearts = pass QS KH AH
    qs kh ah = pass QS KH AH
    pass q k a = pass QS KH AH
    give qs kh ah = pass QS KH AH
    I'll pass qs kh ah please = pass QS KH AH
    pass = ! COUNT
hearts
    play 2c = play 2C
    kc = play KC
    K = play KC
    the two of clubs = play 2C
    throw the king = play KC
    lead 2c = play 2C
    I play the king of clubs = play KC
    low = play 2C
    play low = play 2C
    high = play KC
    my lowest club = play 2C
    clubs = ? play 2C | play KC
    q = ! SUIT
    qs = ! SUIT
    hand = command hand
    not the king = unclear
spades
    bid 4 = bid 4
    i bid four = bid 4
    4 = bid 4
    four = bid 4
    bid for = bid 4
    my bid is 5 = bid 5
    3 tricks = bid 3
    nil = bid nil
    Nil. = bid nil
    zero = bid nil
    bid 14 = ! BID
    should i bid 4 = command hint bid
gong zhu
    expose qs = expose QS
    show qs = expose QS
    expose the queen of spades = expose QS
    expose qs and jd = expose QS JD
    expose none = expose none
    none = expose none
    nothing = expose none
500
    lay 7-9s = meld 7S 8S 9S
    lay 7 8 9 of spades = meld 7S 8S 9S
    lay seven eight nine of spades = meld 7S 8S 9S
    lay 7 through 9 of spades = meld 7S 8S 9S
    LAY 7S 8S 9S = meld 7S 8S 9S
    lay 5s = meld 5C 5D 5H
    lay three fives = meld 5C 5D 5H
    add 10h to m1 = add TH to M1
    add 10 to m1 = add TH to M1
    add ten of hearts to meld 1 = add TH to M1
    lay off 10h = add TH to M1
    add king to the kings = add KC to M2
    put kc on m2 = add KC to M2
    add kc, 10h = add KC to M2, add TH to M1
    discard 3 = discard 3C
    discard 5 = ? discard 5C | discard 5D | discard 5H
    lay 5s, add kc, lay 7-9s, discard qd = meld 5C 5D 5H, add KC to M2, meld 7S 8S 9S, discard QD
    swap 9s for 6d in m1 = ! MIXED
500, drawing
    draw = draw
    take = take 8C
    take it = take 8C
    take the top card = take 8C
    take 5d = take 5D
    take 5d and up = take 5D
    take 5d and everything above = take 5D
    take down to 5d = take 5D
    pick up the 5d and up = take 5D
    take the pile = ? take 8C | take 5D | take 5S
    take jd = ! MUSTUSE
    take 8c, lay 7s 8s 9s = take 8C, meld 7S 8S 9S
queen of spades
    take = take 7D
    take it = take 7D
    take 7d = take 7D
    pickup = take 7D
    draw = draw
    take, lay 777 = take 7D, meld 7S 7C 7D
queen of spades, sevens down
    pickup 7 7 = pickup 7S 7C
    pickup 7 7 join = pickup 7S 7C join
    pickup sevens and join = pickup 7S 7C join
    draw, lay fives = draw, meld 5C 5H 5S
queen of spades, cutting
    cut 27 = cut 27
    I'll cut at 39 = cut 39
    27 = cut 27
    deal = deal
    Deal the cards = deal
    hand = command hand
"""


def cases():
    position = ""
    for line in TEXTS.strip().split("\n"):
        if not line.startswith(" "):
            position = line
        else:
            yield position, *line.strip().split(" = ")


def said(reading):
    moves = ", ".join(map(write_move, reading.moves))
    more = {
        "ask": f"? {' | '.join(reading.choices)}",
        "refused": f"! {reading.code}",
        "command": f"command {reading.command}",
    }
    return moves if reading.kind == "moves" else f"{moves} {more.get(reading.kind, reading.kind)}".strip()


@pytest.mark.parametrize(("position", "text", "meant"), list(cases()))
def test_a_move_of_another_game(position, text, meant):
    board = begin(parse_bytes(POSITIONS[position].encode()))
    names = tuple(board.seated.names)
    waiting = board.game.waiting(board.state)
    seat = 0 if 0 in waiting else waiting[0]
    context = Context(board.game, board.state, seat, names, "KF7", ("KF7",), "playing")
    assert said(understand(text, context)) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("toss it back", "discard 7D"),
        ("I'll throw it right back please", "discard 7D"),
        ("put it back on the pile", "discard 7D"),
        ("discard the card I just took", "discard 7D"),
        ("lay it", "meld 7C 7D 7S"),
        ("don't toss it back", "unclear"),
    ],
)
def test_the_lone_card_just_taken_goes_back(text, meant):
    record = parse_bytes(POSITIONS["queen of spades"].encode())
    board = begin(record)
    context = Context(record.game, board.state, 0, tuple(record.names), "KF7", ("KF7",), "playing")
    assert said(understand("toss it back", context)) == "unclear"
    taken = understand("take 7d", context)
    for move in taken.moves:
        record.game.play(board.state, 0, move)
    assert said(understand(text, context)) == meant


CALLED = """game: rummy5000
options: rummy_call=pile
seats: Ann Bea Cy
wild: K
turn: Ann
phase: meld
meld M1 Cy: 7S 8S 9S
hand Ann: 4C 3C 8D
hand Bea: 4D 6D
hand Cy: 7H QC
pile: TS 5H 6H 3D
stock: 2D 2H
"""


@pytest.mark.parametrize("text", ["rummy 5h 6h 7h", "rummy 5h-7h", "Rummy 5H - 7H please", "rummy 5-7h", "rummy 5♥-7♥"])
def test_a_run_that_rummy_is_called_on(text):
    record = parse_bytes(CALLED.encode())
    board = begin(record)
    record.game.play(board.state, 0, record.game.resolve(board.state, 0, read_move("discard 4C")))
    context = Context(record.game, board.state, 2, tuple(record.names), "KF7", ("KF7",), "playing")
    assert said(understand(text, context)) == "rummy 5H 6H 7H"
    assert said(understand("rummy 5h-7d", context)) != "rummy 5H 6H 7H"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seed", ["a", "b"])
def test_every_legal_move_is_understood_as_it_is_written(game, seed):
    seats = 4 if 4 in game.seats else game.seats[0]
    state = game.deal(game.Options(), seats, seed)
    names = ("Ann", "Bea", "Cy", "Dot", "Eve", "Flo")[:seats]
    for step in range(100):
        if state.over:
            if state.ended:
                return
            game.next_round(state)
            continue
        seat = game.waiting(state)[0]
        legal = game.legal(state, seat)
        context = Context(game, state, seat, names, "KF7", ("KF7",), "playing")
        for move in legal[:30] if step % 3 == 0 else ():
            written = write_move(move)
            for text in (render.choice_words(written), written, written.lower()):
                reading = understand(text, context)
                moves = [write_move(each) for each in reading.moves]
                assert moves == [written] or (reading.kind == "ask" and written in reading.choices), (text, reading)
        game.play(state, seat, choose(game.view(state, seat), legal))
