"""Every page of the gallery: nothing for axe to find, nothing wider than the screen, nothing too small to be tapped."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.gallery import Picture, hang
from tests.browser.house import House

GRAVE = ("serious", "critical")
AXE = "options => axe.run({ resultTypes: ['violations'], ...options }).then(found => found.violations)"
COLOURS = {"runOnly": ["color-contrast"]}
EVERY = bool(os.environ.get("QUEENLINE_EVERY_PAGE"))  # `make prove`: each page wholly, not one of each kind
NARROW, WIDE, LARGEST = 320, 1280, 2560
LARGE_LETTERS = (
    180  # what 320 px are with letters twice as large: all is measured by letters, and 18 px are the usual ones
)

# What can be tapped and is smaller than 44 px in either direction (but links within a sentence), and a page that is too wide.
UNFIT = """() => {
  const wrong = [];
  for (const each of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, textarea")) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".trap, .skip")) continue;
    const target = each.matches("[type=checkbox], [type=radio]") ? each.closest("label") : each;
    const { width, height } = target.getBoundingClientRect();
    if (width >= 43.5 && height >= 43.5) continue;
    const alone = each.parentElement.textContent.trim() === each.textContent.trim();
    if (each.matches("a") && getComputedStyle(each).display === "inline" && !alone) continue;
    wrong.push(`small: ${each.tagName} ${(each.textContent || each.name).trim().slice(0, 30)} ${width.toFixed()}x${height.toFixed()}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`${scrollWidth - clientWidth} px too wide`);
  for (const each of document.querySelectorAll(".bar, .player-bar")) {
    const over = getComputedStyle(each).position === "sticky" ? each.getBoundingClientRect().height / innerHeight : 0;
    if (over > 0.45) wrong.push(`${(100 * over).toFixed()}% of the screen are under what sticks to its edge`);
  }
  return wrong;
}"""


@pytest.fixture
def page(window) -> Page:
    page: Page = window(viewport={"width": NARROW, "height": 640})
    page.context.add_init_script(Axe().axe_script)
    return page


def found(page: Page, options: dict) -> list[str]:
    """The serious faults that axe finds, and where."""
    violations = page.evaluate(AXE, options)
    return [f"{v['id']}: {node['html'][:160]}" for v in violations if v["impact"] in GRAVE for node in v["nodes"][:3]]


def faults_of(picture: Picture, page: Page, wholly: bool) -> list[str]:
    """Whatever does not fit the narrowest screen, with the largest letters, too; `wholly`: what axe finds, also in the dark, and wider screens.

    Whatever can be opened is open.
    """
    page.set_viewport_size({"width": NARROW, "height": 640})
    page.emulate_media(color_scheme="light")
    picture.visit(page)
    page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    faults = [f"{NARROW}: {fault}" for fault in page.evaluate(UNFIT)]
    page.set_viewport_size({"width": LARGE_LETTERS, "height": 320})
    faults += [f"large letters: {fault}" for fault in page.evaluate(UNFIT) if not fault.startswith("small")]
    page.set_viewport_size({"width": NARROW, "height": 640})
    if wholly:
        faults += [f"light: {fault}" for fault in found(page, {})]
        page.emulate_media(color_scheme="dark")
        faults += [f"dark: {fault}" for fault in found(page, COLOURS)]
        page.set_viewport_size({"width": WIDE, "height": 900})
        faults += [f"{WIDE}: {fault}" for fault in page.evaluate(UNFIT)]
        page.set_viewport_size({"width": LARGEST, "height": 1440})
        faults += [f"{LARGEST}: {fault}" for fault in page.evaluate(UNFIT)]
    page.goto(
        "/static/queenline.css"
    )  # its table may go now; a page from elsewhere would be a new process of the browser
    return faults


@pytest.mark.slow
def test_nothing_is_wrong_with_any_page(people: House, page):
    faults, kinds = {}, set()
    for picture in hang(people):
        kind = picture.name.partition("-")[0]  # pages of a kind have one template, and tables are many things
        faults[picture.name] = faults_of(picture, page, EVERY or kind not in kinds or kind == "table")
        kinds.add(kind)
    assert len(faults) > 60
    wrong = [f"{name}: {fault}" for name, found in faults.items() for fault in found]
    assert wrong == [], "\n".join(wrong)


THOUSANDS = """\
game: queen-of-spades
options: target=none
seats: Ann Bea Cy Dot
score Ann: 2455
score Bea: 1520
score Cy: 1450
score Dot: -1910
turn: Ann
phase: meld
hand Ann: 4H
hand Bea: AS 3D 7C
hand Cy: 5C 8D
hand Dot: AH QS
pile: KS
stock: 7S 3C JD
"""


def test_the_scores_of_four_fit_a_narrow_screen(people: House, page):
    people.seated(THOUSANDS)
    people("Ann", "discard 4h")
    page.goto(people.link("", "KF7") + "/score")
    assert page.locator("table.rounds").inner_text().count("2555") == 1
    assert page.evaluate("[...document.querySelectorAll('.scroll')].map((e) => e.scrollWidth - e.clientWidth)") == [
        0,
        0,
    ]
