"""Without a pointer, and without eyes: keys alone make a move, the focus is seen, turns are said, and the order is right."""

import re
from html.parser import HTMLParser

from playwright.sync_api import Page, Route, expect

from tests.browser.gallery import MANY_CARDS
from tests.browser.house import House
from tests.browser.test_an_evening import turn

OUTLINE = "getComputedStyle(document.activeElement).outlineStyle + ' ' + getComputedStyle(document.activeElement).outlineWidth"
CARD_OUTLINE = OUTLINE.replace("document.activeElement", "document.activeElement.nextElementSibling")


# A promise that is kept once the page has taken notice of a change.
HEARD = """
const Feed = EventSource;
window.heard = new Promise((done) => {
  window.EventSource = class extends Feed {
    addEventListener(kind, act) {
      super.addEventListener(kind, (event) => { act(event); if (kind === "changed") done(); });
    }
  };
});
"""


def tab_to(page: Page, what: str, most: int = 60) -> None:
    """Tab until that element has the focus; at each stop on the way it can be seen where the focus is."""
    for _ in range(most):
        page.keyboard.press("Tab")
        outline = page.evaluate(CARD_OUTLINE if page.evaluate("document.activeElement.name") == "card" else OUTLINE)
        assert re.fullmatch(r"(solid|auto) [1-9]\S*px", outline), (
            page.evaluate("document.activeElement.outerHTML"),
            outline,
        )
        if page.evaluate("what => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"{what} is not reached")


def test_a_turn_by_keys_alone(people, seat):
    people.seated()
    ann = seat("Ann")
    tab_to(ann, "a.skip")
    ann.keyboard.press("Enter")
    tab_to(ann, "[name=card][value='9S']")
    ann.keyboard.press("Space")
    tab_to(ann, "[name=card][value='9C']")
    ann.keyboard.press("Space")
    expect(ann.locator("[data-preview]")).to_contain_text("9S 9C")
    tab_to(ann, "button[value=pickup]")
    ann.keyboard.press("Enter")
    expect(ann.locator("#announce")).to_contain_text("lay down, add, or discard")
    assert people.lines("KF7") == [(0, "pickup 9S 9C")]
    tab_to(ann, "[name=card][value='4H']")
    ann.keyboard.press("Space")
    tab_to(ann, "button[value=discard]")
    ann.keyboard.press("Space")
    expect(ann.locator("#announce")).to_contain_text("Bea is to draw")
    assert people.turn("KF7") == "Bea"


def test_the_answer_to_a_move_stays_said_when_its_change_is_heard_of_first(people, seat):
    people.seated()
    ann = seat("Ann")
    ann.add_init_script(HEARD)
    ann.reload()
    here = ann.evaluate("document.getElementById('table').dataset.here")
    again: list[str] = []

    def sent(route: Route) -> None:
        if route.request.method == "POST":
            answer = route.fetch()
            ann.evaluate("() => window.heard.then(() => null)")
            route.fulfill(response=answer)
        else:
            again.append(route.request.url)
            route.continue_()

    ann.route(lambda address: here in address and not address.endswith("events"), sent)
    for card in ("9S", "9C"):
        ann.locator(f"[name=card][value='{card}']").press("Space")
    ann.locator("button[value=pickup]").press("Enter")
    expect(ann.locator("#announce")).to_contain_text("you took 9H")
    assert (
        ann.evaluate("fetch('/healthz').then((answer) => answer.status)") == 200
    )  # whatever was asked before is under way
    assert again == []
    expect(ann.locator("#announce")).to_contain_text("you took 9H")


def test_the_turn_is_said_to_who_waits(people, seat):
    people.seated()
    bea = seat("Bea")
    said = bea.locator("#announce")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(said).to_be_empty()
    with bea.expect_event(
        "requestfinished",
        lambda asked: asked.url.endswith(bea.evaluate("document.getElementById('table').dataset.here")),
    ):
        people("Ann", "draw, discard 4h")
    expect(said).to_contain_text("four of hearts")
    expect(said).to_contain_text("Your turn")
    assert bea.title().startswith("●")


def test_what_is_chosen_stays_chosen_when_others_move(people, seat):
    people.seated()
    bea = seat("Bea")
    bea.locator("[name=typed]").fill("say hel")
    bea.locator("[name=typed]").focus()
    people("Ann", "draw, discard 4h")
    expect(turn(bea)).to_contain_text("Your turn")
    expect(bea.locator("[name=typed]")).to_have_value("say hel")
    expect(bea.locator("[name=typed]")).to_be_focused()


def test_the_focus_stays_on_the_table(people, seat):
    """After a move on whose turn it is; when others move, where it was."""
    people.seated()
    ann, bea = seat("Ann"), seat("Bea")
    tab_to(ann, "button[name=text][value=draw]")
    ann.keyboard.press("Enter")
    expect(turn(ann)).to_contain_text("lay down, add, or discard")
    expect(turn(ann)).to_be_focused()
    tab_to(ann, "[name=card][value='4H']")
    ann.keyboard.press("Space")
    for text, place in (
        ("lay kk w", "button[value=suit]"), ("discard 4h", "button[value=hint]"), ("undo", "#news-list"),
        ("discard 4h", "#typed"),
    ):  # fmt: skip
        before = bea.locator("#table").get_attribute("data-mark")
        bea.locator(place).focus()
        people("Ann", text)
        expect(bea.locator("#table")).not_to_have_attribute("data-mark", str(before))
        expect(bea.locator(place)).to_be_focused()
    expect(turn(ann)).to_contain_text("Bea is to draw")
    expect(turn(ann)).to_be_focused()  # the card that was is gone


def test_a_slow_answer_is_waited_for_and_asked_for_once(people, seat):
    people.seated()
    ann = seat("Ann")
    held: list[Route] = []
    ann.route(lambda address: address == people.link("Ann"), lambda route: held.append(route))
    button = ann.get_by_role("button", name="Draw a card")
    button.click()
    expect(ann.locator("#announce")).to_have_text("Sending.")
    expect(ann.locator("#table")).to_have_attribute("aria-busy", "true")
    button.click()
    assert [route.request.method for route in held] == ["POST"]
    held[0].continue_()
    expect(turn(ann)).to_contain_text("lay down, add, or discard")
    expect(ann.locator("#table")).not_to_have_attribute("aria-busy", "true")
    assert people.lines("KF7") == [(0, "draw")]


# Whether something lies over what has the focus: its upper or its lower edge, or its middle.
COVERED = """() => {
  const held = document.activeElement, each = held.name === "card" ? held.nextElementSibling : held;
  if (held === document.body) return null;
  const { left, width, top, height } = each.getBoundingClientRect();
  const covered = [top + 3, top + height / 2, top + height - 3].some((y) => {
    const above = document.elementFromPoint(left + width / 2, y);
    return !above || !(each.contains(above) || above.contains(each));
  });
  return covered ? held.outerHTML.slice(0, 100) : null;
}"""


def test_what_has_the_focus_is_never_under_what_sticks_to_an_edge(people, seat, window):
    people.seated(MANY_CARDS, "MNY")
    code = people.dealt("Bea", words="new hearts target=60")
    people.play_on(code, rounds=1)
    replay = window()
    replay.goto(people.link("", code) + "/hand/1?move=20#played")
    replay.locator("details summary").last.click()
    for page in (seat("Ann", "MNY"), replay):
        for key in ("Tab", "Shift+Tab"):
            for _ in range(45):
                page.keyboard.press(key)
                assert page.evaluate(COVERED) is None


def test_in_the_readers_own_colours_what_is_chosen_is_told_apart(people, seat):
    people.seated()
    ann = seat("Ann", forced_colors="active")
    ann.locator("[name=card][value='9S']").press("Space")
    told_apart = (
        ("button[value=rank]", "button[value=suit]"), ("li.player.turn", "li.player:not(.turn)"),
        ("[name=card]:checked + .card", "[name=card]:not(:checked) + .card"),
    )  # fmt: skip
    outline = "(each) => { const { outlineStyle, outlineWidth } = getComputedStyle(each); return outlineStyle + outlineWidth }"
    for chosen, other in told_apart:
        one, another = (ann.locator(what).first.evaluate(outline) for what in (chosen, other))
        assert one.startswith("solid"), chosen
        assert one != another, chosen


class Lines(HTMLParser):
    """A page as a text browser shows it: its words in the order of the document, a line for each block."""

    BLOCKS = frozenset(
        [
            "p",
            "li",
            "h1",
            "h2",
            "h3",
            "tr",
            "section",
            "form",
            "fieldset",
            "div",
            "ol",
            "ul",
            "option",
            "legend",
            "summary",
            "header",
            "footer",
            "nav",
            "main",
            "button",
            "label",
        ]
    )
    VOID = frozenset(["meta", "link", "input", "br", "hr"])
    UNSEEN = frozenset(["script", "style", "svg", "head", "select"])

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines, self._unseen = [""], 0
        self.feed(page)
        self.text = "\n".join(line for raw in self.lines if (line := " ".join(raw.split())))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if self._unseen or tag in self.UNSEEN or "hidden" in given or given.get("aria-hidden") == "true":
            self._unseen += tag not in self.VOID
        elif tag in self.BLOCKS:
            self.lines.append("")
        if tag == "input" and given.get("type") == "checkbox" and not self._unseen:
            self.lines[-1] += "[ ] "

    def handle_endtag(self, tag):
        if self._unseen:
            self._unseen -= tag not in self.VOID
        elif tag in self.BLOCKS:
            self.lines.append("")

    def handle_data(self, data):
        if not self._unseen:
            self.lines[-1] += data


def test_a_text_browser_shows_turn_hand_and_moves_in_this_order(people: House):
    people.seated()
    address = people.link("Ann")
    client = people.stage.client
    client.set_cookie("hand", people.cookie(address)["value"], path=address.partition(people.url)[2])
    text = Lines(client.get(address.partition(people.url)[2]).text).text
    order = [
        "Damn the Queens KF7", "Your turn: draw a card, or take from the pile", "Stock", "Pile", "nine of hearts", "Your hand 8 cards",
        "[ ] king of hearts", "[ ] nine of spades", "[ ] four of hearts", "[ ] wild", "Take the pile with these", "Draw a card",
        "Take the pile (3) with nine of", "Or type it, as by text", "Send", "Score",
    ]  # fmt: skip
    at = 0
    for words in order:
        assert words in text[at:], f"{words!r} does not come after {text[:at][-80:]!r} in\n{text}"
        at = text.index(words, at) + len(words)
    assert "seven of clubs" not in text, "Bea's"
