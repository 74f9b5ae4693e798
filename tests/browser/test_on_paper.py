"""Printed, also by who likes dark pages: dark words on white, nothing for tapping, and nothing cut off."""

import pytest
from playwright.sync_api import Page, expect

# Words too faint without the colours behind them, which are not printed; what is to be tapped; what is cut off.
UNFIT = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((n) => (n /= 255) <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const wrong = [], words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = words.nextNode());) {
    const each = text.parentElement;
    if (!text.data.trim() || !each.checkVisibility() || each.closest(".vh")) continue;
    const { color, fill } = getComputedStyle(each);
    if (1.05 / (light(each.closest("svg") ? fill : color) + 0.05) < 4.5) wrong.push(`faint: ${text.data.trim()}`);
  }
  for (const each of document.querySelectorAll("main *, header, footer, nav")) {
    if (!each.checkVisibility() || each.closest(".vh, .card, svg")) continue;
    if (each.matches("button, input, select, nav, header, footer")) wrong.push(`for tapping: ${each.outerHTML.slice(0, 80)}`);
    const over = each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2;
    if (over && getComputedStyle(each).overflow !== "visible") wrong.push(`cut off: ${each.outerHTML.slice(0, 80)}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`${scrollWidth - clientWidth} px are beyond the edge of the paper`);
  return wrong;
}"""
A4 = {"width": 680, "height": 960}


@pytest.fixture
def paper(window, people):
    """paper(path): the page as it is printed."""
    page: Page = window(viewport=A4, color_scheme="dark")
    page.context.add_cookies([{"name": "look", "value": "two-dark", "url": people.url}])

    def printed(path: str) -> Page:
        page.emulate_media(media="screen")
        page.goto(path)
        page.emulate_media(media="print")
        assert page.evaluate(UNFIT) == []
        return page

    return printed


def test_a_table_on_paper(people, paper):
    code = people.dealt("Bea", "Cy", "Dot", words="new damn")
    people.play_on(code, steps=40)  # more news than a screen shows at once
    address = people.link("Ann", code)
    page = paper(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()  # the cover
    page.context.add_cookies([people.cookie(address)])
    page = paper(address)
    assert page.locator("#news li").count() > 12
    expect(page.locator("[data-hand] .card")).to_have_count(len(people.hand(code, "Ann")))


def test_an_invitation_on_paper_has_its_code_to_point_a_camera_at(people, paper):
    code = people.opened("Bea")
    page = paper(f"/join/{code}")
    expect(page.get_by_role("img", name=f"JOIN {code}")).to_be_visible()
    expect(page.locator(".seats")).to_contain_text("Bea")


def test_a_score_sheet_and_a_hand_on_paper(people, paper):
    code = people.dealt("Bea", words="new hearts target=60")
    people.play_on(code, rounds=2)
    page = paper(people.link("", code) + "/score")
    expect(page.locator("svg.chart.large")).to_be_visible()
    expect(page.locator("table.rounds strong").first).to_be_visible()
    page = paper(people.link("", code) + "/hand/1?move=20")
    expect(page.locator(".open-hand")).to_have_count(4)


LONG_NAMES = """\
game: queen-of-spades
options: target=none
seats: Alexandriana Wilhelminaaa Maximilianus Bartholomaeu Christophera Konstantinos \
Featherstone Montgomeryyy Penelopeanna Quintilianus Rosencrantzz Guildenstern
score Alexandriana: 12455
score Maximilianus: -10520
turn: Alexandriana
phase: meld
hand Alexandriana: 4H
hand Wilhelminaaa: AS 3D 7C
hand Maximilianus: 5C 8D
hand Bartholomaeu: AH QS
hand Christophera: 6C
hand Konstantinos: 6D
hand Featherstone: 6H
hand Montgomeryyy: 6S
hand Penelopeanna: 8C
hand Quintilianus: 8H
hand Rosencrantzz: TD
hand Guildenstern: TS
pile: KS
stock: 7S 3C JD
"""


def test_a_score_sheet_of_many_with_long_names_fits_on_paper(people, paper):
    people.seated(LONG_NAMES)
    people("Alexandriana", "discard 4h")
    page = paper(people.link("", "KF7") + "/score")
    expect(page.locator("table.rounds thead th")).to_have_count(13)
    expect(page.locator("table.rounds strong")).to_have_count(12)
    drawn = "(each) => { const { stroke, strokeDasharray } = getComputedStyle(each); return stroke + strokeDasharray }"
    for lines in (page.locator(".chart.large polyline").all(), page.locator(".swatch polyline").all()):
        assert len({line.evaluate(drawn) for line in lines}) == 12, "each line is told from the others"
