"""Plays a record and collects what does not hold."""

from dataclasses import dataclass, field, replace

from engine.game import Loose, Position, Refusal, write_move
from engine.record.facts import Board, Tried, check
from engine.record.parts import Attempt, Deal, Fact, Record, Statement, whole


@dataclass(frozen=True)
class Failure:
    """A line that does not hold."""

    line: int
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.line}: expected {self.expected}, got {self.got}"


@dataclass
class Report:
    """What came of a record: how many lines were checked, which failed, and how the game stands after the last.

    `body` is the record's with the cards of every move named, as they were resolved when it came to be played.
    """

    board: Board
    checks: int = 0
    failures: list[Failure] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)


def begin(record: Record) -> Board:
    """The game as it stands at the record's header."""
    state = record.game.place(record.options, len(record.names), record.start)
    return Board(record.game, record.seated, state)


def replay(record: Record) -> Report:
    """Plays the moves in order and checks every line; a line that fails does not stop the rest."""
    report = Report(begin(record))
    for statement in record.body:
        match statement:
            case Attempt():
                report.checks += 1
                _attempt(report, statement)
            case Fact():
                report.checks += 1
                expected, got = check(report.board, statement)
                if expected != got:
                    report.failures.append(Failure(statement.line, expected, got))
                report.body.append(_whole_fact(report.board, statement))
            case Deal():
                _deal(report, statement, record.start.seed)
                report.body.append(statement)
    return report


def _attempt(report: Report, attempt: Attempt) -> None:
    board = report.board
    if attempt.mark == "" and _has_passed(board, attempt):
        report.body.append(attempt)
        return
    if attempt.mark == "" and board.over and not board.view().ended:
        try:
            board.game.next_round(board.state)  # a move after a round's end is of the next round
        except ValueError as error:
            report.failures.append(Failure(attempt.line, "accepted", str(error)))
    tried = board.try_move(attempt.who, attempt.move)
    report.body.append(attempt if tried.move is None else replace(attempt, move=whole(tried.move)))
    if attempt.mark == "" and tried.refusal is None:
        board.state = tried.state
        return
    expected, got = _expected(attempt), _got(tried)
    if tried.changed or not _holds(attempt, tried.refusal):
        report.failures.append(Failure(attempt.line, expected, got))


def _has_passed(board: Board, attempt: Attempt) -> bool:
    """Whether it is the `pass` that would end the round, where the empty stock has ended it: nobody need say it then."""
    if attempt.move != Loose("pass") or not board.over:
        return False
    view = board.view()
    nobody_out = getattr(view, "out", 0) is None  # only the rummy games have that, and a stock
    return nobody_out and view.stock_count == 0 and attempt.who == view.turn


def _holds(attempt: Attempt, refusal: Refusal | None) -> bool:
    """Whether the refusal is the one that the line demands. One without a code is of a move that makes no sense here."""
    if refusal is None or not refusal.code:
        return False
    if attempt.mark == "?":
        return refusal.code == "AMBIG" and len(set(refusal.choices)) >= 2
    return attempt.mark == "!" and attempt.code in ("", refusal.code)


def _expected(attempt: Attempt) -> str:
    if attempt.mark == "!":
        return f"refused with {attempt.code}" if attempt.code else "refused"
    return "a question with two readings or more" if attempt.mark else "accepted"


def _got(tried: Tried) -> str:
    refusal = tried.refusal
    if refusal is None:
        return "accepted" if tried.move is None else f"accepted: {write_move(tried.move)}"
    said = f"{refusal.code}: {refusal.hint}" if refusal.code else refusal.hint
    return f"{said} (but it changed the game)" if tried.changed else said


def _deal(report: Report, deal: Deal, seed: str | None) -> None:
    """The next round: scores run on and the dealer moves on; the rest is as the block gives it, or from the seed."""
    board, game, given = report.board, report.board.game, deal.position
    view = board.view()
    if not board.over or view.ended:
        got = "the game has ended" if view.ended else f"turn {board.seated.names[view.turn]}, phase {view.phase}"
        report.failures.append(Failure(deal.line, "a round that is over, to deal the next", got))
        return
    following = game.copy(board.state)
    try:
        game.next_round(following)
    except ValueError as error:
        report.failures.append(Failure(deal.line, "a round that is over, to deal the next", str(error)))
        return
    if given == Position(round=given.round) and given.round == game.view(following, None).round:
        board.state = following
        return
    after = game.view(following, None)
    for side, score in given.scores.items():
        if score != after.scores[side]:
            who = board.seated.of_side(side)
            report.failures.append(Failure(deal.line, f"score {who}: {score}", f"score {who}: {after.scores[side]}"))
    position = replace(
        given,
        dealer=after.dealer if given.dealer is None else given.dealer,
        seed=seed if given.seed is None else given.seed,
        scores=dict(enumerate(after.scores)),
    )
    board.state = game.place(following.options, len(board.seated.names), position)
    carry = getattr(game, "carry", None)  # what some games carry from round to round besides the scores
    if carry is not None:
        carry(following, board.state, given)


def _whole_fact(board: Board, fact: Fact) -> Fact:
    if not fact.moves or fact.seat is None:
        return fact
    moves = [board.try_move(fact.seat, loose).move for loose in fact.moves]
    return replace(fact, moves=tuple(b if a is None else whole(a) for a, b in zip(moves, fact.moves, strict=True)))
