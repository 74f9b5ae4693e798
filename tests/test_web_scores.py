"""The score sheet, the games of the same people, and finished hands played again."""

import html
import json
import re

import pytest
from sqlalchemy import delete

from commands.main import main
from engine.cards import card_name
from engine.record import parse, replay
from service import hands, results, rounds, stored
from service.models import RoundResult, table_of
from service.rounds import Line
from service.web import links
from service.web.chart import Series, chart
from tests.pages import at, caught, finished
from tests.test_results import played

RESULT = table_of(RoundResult)


def watching(people, code):
    """The path of the spectators' address."""
    with people.services.db.begin() as conn:
        table = at(conn, code)
        return links.of_spectators(conn, people.services.settings, table.id, False).partition("8000")[2]


def own(people, code, name="Ann"):
    """The path of a player's address."""
    with people.services.db.begin() as conn:
        table = at(conn, code)
        seat = next(s for s in table.sitters if s.name == name)
        assert seat.player_id is not None
        return links.of_seat(conn, people.services.settings, table.id, seat.number, seat.player_id, False).partition(
            "8000"
        )[2]


def figures(page):
    """The figures of the table of rounds, the latest first."""
    part = page.partition('<table class="rounds">')[2].partition("</table>")[0]
    return [
        [int(n.replace("−", "-")) for n in re.findall(r"<strong>([−\d]+)</strong>", row)]
        for row in part.split("<tr")
        if "<strong>" in row
    ]


def test_the_sheet_has_every_round_with_its_scores(people, browser):
    code = played(people, "spades", "new spades 200")
    page = browser.get(watching(people, code) + "/score").text
    rows = people.rows(RESULT)
    assert figures(page) == [json.loads(row.totals)[:2] for row in reversed(rows)]
    assert "Ann and Bot2" in html.unescape(page)
    assert re.search(r"(Ann and Bot2|Bot1 and Bot3) won", page)
    assert page.count('role="img"') == 2  # for a large and for a small screen
    last = json.loads(rows[-1].totals)
    assert f"At the end: Ann+Bot2 {last[0]}; Bot1+Bot3 {last[1]}." in page


def test_before_the_first_round_is_over_there_is_nothing(people, browser):
    code = people.dealt("Bea")
    page = browser.get(watching(people, code) + "/score")
    assert page.status_code == 200
    assert "No round is over yet" in page.text
    assert browser.get(watching(people, code) + "/hand/1").status_code == 404
    assert browser.get(watching(people, code) + "/hand/1.hand").status_code == 404


def test_a_table_that_is_not_dealt_has_a_sheet_too(people, browser):
    code = people.opened("Bea")
    assert browser.get(watching(people, code) + "/score").status_code == 200


def test_a_table_from_before_gets_its_rows_when_somebody_looks(people, browser):
    code = played(people, "hearts", "new hearts target=60")
    before = browser.get(watching(people, code) + "/score").text
    with people.services.db.begin() as conn:
        conn.execute(delete(RESULT))
    assert browser.get(watching(people, code) + "/score").text == before


def test_the_games_of_the_same_people_run_on(people, browser):
    first = played(people, "rummy500", "new 500 target=200")
    second = played(people, "rummy500", "new 500 target=200")
    other = people.dealt("Bea")  # with somebody else it is another round of people
    page = browser.get(watching(people, second) + "/score?all=1").text
    ends = [json.loads(rows[-1].totals)[0] for rows in results_of(people, first, second)]
    assert f">{ends[0]}<" in page.replace("−", "-")
    assert f">{sum(ends)}<" in page.replace("−", "-")  # the sum so far
    assert other not in page
    assert f">{first}<" not in page, "who watches one table is not told the codes of others"
    assert f">{first}<" in browser.get(own(people, second) + "/score?all=1").text
    assert "All games of these players" in page
    assert (
        "All" not in browser.get(watching(people, other) + "/score").text.partition("<main")[2].partition("</main>")[0]
    )


def results_of(people, *codes):
    with people.services.db.begin() as conn:
        found = [at(conn, code).id for code in codes]
        rows = results.of_tables(conn, found)
    return [rows[i] for i in found]


@pytest.mark.parametrize("path", ["/table/nonsense/score", "/table/nonsense/hand/1", "/table/nonsense/hand/1.hand"])
def test_an_address_that_is_none(people, browser, path):
    assert browser.get(path).status_code == 404


def test_an_address_that_was_renewed_shows_nothing_any_more(people, browser):
    code = played(people, "hearts", "new hearts target=60")
    old = watching(people, code)
    with people.services.db.begin() as conn:
        links.of_spectators(conn, people.services.settings, at(conn, code).id, True)
    for page in ("/score", "/hand/1", "/hand/1.hand"):
        assert browser.get(old + page).status_code == 404


# Hands


def test_a_finished_hand_is_played_card_by_card(people, browser):
    code = played(people, "damn-the-queens", "new damn target=500")
    path = watching(people, code)
    table = people.table(code)
    with people.services.db.begin() as conn:
        one = finished(conn, table, 1)
    for move, state in enumerate(rounds.positions(table.game, one)):
        if move % 7:
            continue
        page = browser.get(f"{path}/hand/1?move={move}").text
        shown = page.partition('class="hands"')[2].partition("</section>")[0].split('class="open-hand')[1:]
        for cards, part in zip(state.hands, shown, strict=True):
            assert sorted(re.findall(r'data-card="(\w+)"', part)) == sorted(map(card_name, cards))
        assert ("The deal" if move == 0 else f"Move {move} of {len(one.steps)}") in page
    first, last = browser.get(f"{path}/hand/1").text, browser.get(f"{path}/hand/1?move=99999").text
    assert 'aria-label="Next move"' in first
    assert 'aria-label="One move back"' not in first
    assert 'aria-label="Next move"' not in last
    assert browser.get(f"{path}/hand/1?move=x").status_code == 200


def test_the_hand_that_is_being_played_is_never_shown(people, browser):
    code = played(people, "hearts", "new hearts target=500", stop_after=1)
    path = watching(people, code)
    assert browser.get(f"{path}/hand/1").status_code == 200
    for n in (0, 2, 3, 99999, 10**12):
        for page in (f"{path}/hand/{n}", f"{path}/hand/{n}.hand"):
            assert browser.get(page).status_code == 404, page


def test_a_players_address_shows_no_card_before_the_tap(people, browser):
    code = played(people, "hearts", "new hearts target=60")
    path = own(people, code)
    assert browser.get(f"{path}/score").status_code == 200
    for page in (f"{path}/hand/1", f"{path}/hand/1?move=9", f"{path}/hand/1.hand"):
        answer = browser.get(page)
        assert answer.status_code == 303, page
        assert "data-card" not in answer.text
    form = caught(r'name="form" value="([^"]+)"', browser.get(path).text)
    browser.post(f"{path}/open", data={"form": form})
    assert "data-card" in browser.get(f"{path}/hand/1").text
    assert browser.get(f"{path}/hand/1.hand").status_code == 200


WORDS = {
    "damn-the-queens": "new damn target=500", "queen-of-spades": "new queen of spades target=200",
    "rummy5000": "new 5000 target=1000", "george": "new george target=500", "rummy500": "new 500 target=200",
    "hearts": "new hearts target=60", "gong-zhu": "new gong zhu target=-500", "spades": "new spades 200",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.on("sqlite")
@pytest.mark.parametrize("game", WORDS)
def test_every_finished_hand_can_be_had_as_a_record_that_holds(people, browser, game, tmp_path):
    every_hand_holds(people, browser, game, tmp_path)


@pytest.mark.on("postgresql")
@pytest.mark.parametrize("game", ["damn-the-queens", "spades"])
def test_on_postgresql_as_well(people, browser, game, tmp_path):
    every_hand_holds(people, browser, game, tmp_path)


def every_hand_holds(people, browser, game, tmp_path):
    code = played(people, game, WORDS[game])
    table = people.table(code)
    for row in people.rows(RESULT):
        answer = browser.get(f"{watching(people, code)}/hand/{row.n}.hand")
        assert answer.status_code == 200
        assert f'filename="{code}-{row.n}.hand"' in answer.headers["Content-Disposition"]
        report = replay(parse(answer.text))
        assert report.failures == []
        assert report.checks > 10
        totals = json.loads(row.totals)
        assert list(report.board.view().scores) == [totals[side[0]] for side in table.game.sides(table.options, 4)]
    file = tmp_path / "x.hand"
    file.write_text(answer.text)
    with pytest.raises(SystemExit) as done:
        main(["replay", str(file)])
    assert done.value.code in (0, None)


def test_while_a_game_goes_on_no_record_holds_its_seed(people, browser):
    code = played(people, "hearts", "new hearts target=500", stop_after=2)
    table = people.table(code)
    text = browser.get(f"{watching(people, code)}/hand/1.hand").text
    assert "seed:" not in text
    assert replay(parse(text)).failures == []
    assert not table.state.ended


def test_a_record_that_would_not_hold_is_not_given_out(people):
    """Such as of a hand that was shuffled on the way: only the seed gives that again, and it tells the deals to come."""
    code = played(people, "damn-the-queens", "new damn target=500, stock_out=reshuffle")
    table = people.table(code)
    with people.services.db.begin() as conn:
        raw = [Line(i, seat, text) for i, (seat, text) in enumerate(stored.lines_of(conn, table), 1)]
        one = finished(conn, table, 1)
    lines = rounds.standing(raw)
    one.steps = [
        step._replace(line=step.line._replace(text="discard 2C")) for step in one.steps
    ]  # as if it did not fit
    table.state.ended = False
    assert hands.record(table, 1, one, lines) is None


# The drawing


@pytest.mark.parametrize("values", [[0], [5], [-5, -1000], [0] * 9, list(range(5000)), [10**7, -(10**7)]])
def test_a_chart_of_any_scores_stays_within_its_frame(values):
    drawn = chart([Series("Ann", values), Series("<b>", [v // 2 for v in values])], "The scores", "Round", 500)
    assert "<b>" not in drawn
    for size in re.findall(r'<svg class="chart (\w+)" viewBox="0 0 (\d+) (\d+)".*?</svg>', drawn, re.DOTALL):
        assert size
    for svg in drawn.split("</svg>")[:-1]:
        width, height = map(int, caught(r'viewBox="0 0 (\d+ \d+)"', svg).split())
        points = re.findall(r"([-\d.]+),([-\d.]+)", " ".join(re.findall(r'points="([^"]*)"', svg)))
        assert 4 <= len(points) <= 2 * 302
        assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in points)
