"""The pages of a table: who sees what, what a tap sends, and what an address is worth."""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from html import unescape

import pytest

from engine import bots
from engine.cards import card_name, read_card
from engine.game import write_move
from engine.registry import GAMES, named
from service.app import create_app
from service.stored import INBOUND, OUTBOUND
from service.web import live, moves
from service.web.cards import spoken
from tests.people import PICKUP

ADDRESS = re.compile(r"http://localhost:8000(/table/[\w.-]+)")
WORDS = {spoken(card): card for card in (*range(52), 52, 56)}
BY_NAME = re.compile(r"(?<!\bas )(?<!\bto )\b(" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")\b(?! cards)")
BY_CODE = re.compile(r"(?<![\w.=-])((?:10|[2-9TJQKA])[CDHS])(?![\w.-])")


@lru_cache(maxsize=1)
def application(people):
    """One for all browsers of a test."""
    return create_app(people.services)


class Browser:
    """A browser, and an address in it."""

    def __init__(self, people, address):
        self.client = application(people).test_client()
        self.path = address
        self.html = ""

    def get(self, **query):
        response = self.client.get(self.path, query_string=query)
        self.html = response.text
        return response

    def open(self):
        """The tap on the cover."""
        self.get()
        assert self.client.post(f"{self.path}/open", data={"form": self.form}).status_code == 303
        return self.get()

    @property
    def form(self):
        return re.findall(r'name="form" value="([^"]+)"', self.html)[0]

    def send(self, **fields):
        """What a form of the page sends; the page that follows."""
        response = self.client.post(self.path, data={"form": self.form, **fields})
        assert response.status_code == 303, response.status_code
        where = response.headers["Location"]
        assert where.startswith(self.path)
        shown = self.client.get(where)
        self.html = shown.text
        return shown

    @property
    def answer(self):
        found = re.search(r'<p class="answer">(.*?)</p>', self.html, re.DOTALL)
        return unescape(re.sub(r"<[^>]+>", "", found[1])) if found else ""

    @property
    def note(self):
        found = re.search(r'id="note"[^>]*>(.*?)</p>', self.html)
        return unescape(found[1]) if found else ""

    @property
    def hand(self):
        """The cards of the hand, by the codes of their faces."""
        part = self.html.partition("data-hand")[2].partition("</ul>")[0]
        return sorted(re.findall(r'data-card="(\w+)"', part))


def address(people, name, words="link"):
    found = ADDRESS.search(people(name, words))
    assert found is not None
    return found[1]


def browser(people, name):
    it = Browser(people, address(people, name))
    it.open()
    return it


def cards_in(html, *secrets):
    """Every card that a page names, drawn, in words or by its code; what is signed may hold any letters.

    Not what a wild stands for (`as nine of spades`, `KD=9S`) nor the end of a run (`seven to nine of spades`).
    """
    for secret in secrets:
        html = html.replace(secret, "")
    html = re.sub(r'name="form" value="[^"]+"', "", html)
    named = {read_card(code) for code in re.findall(r'data-card="(\w+)"', html)}
    text = unescape(re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL))
    named |= {WORDS[words] for words in BY_NAME.findall(text)}
    return named | {read_card(code) for code in BY_CODE.findall(text)}


# The cover, the cookie, the address


def test_a_preview_of_a_personal_address_sees_no_card(people):
    people.seated()
    page = Browser(people, address(people, "Ann"))
    for method in (page.client.get, page.client.head):
        response = method(page.path)
        assert response.status_code == 200
        assert cards_in(response.text, page.path) == set()
        assert "data-hand" not in response.text
        assert response.headers["Cache-Control"] == "no-store"
        assert "noindex" in response.headers["X-Robots-Tag"]
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert "Set-Cookie" not in response.headers
    assert page.client.get(f"{page.path}/events").status_code == 404


def test_the_tap_opens_the_hand(people):
    people.seated()
    page = browser(people, "Ann")
    assert page.hand == sorted(["9S", "9C", "KD", "KH", "4H", "3S", "QH", "W"])
    cookie = page.client.get_cookie("hand", path=page.path)
    assert cookie is not None
    assert (cookie.http_only, cookie.same_site, cookie.secure, cookie.path) == (True, "Lax", False, page.path)
    page.client.post(f"{page.path}/close")
    assert page.get().text.count("data-card") == 0


@pytest.mark.on("sqlite")
def test_the_cookie_goes_over_https_only(people):
    people.seated()
    path, there = address(people, "Ann"), "https://cards.example.com"
    settings = people.services.settings.model_copy(update={"public_url": there})
    client = create_app(replace(people.services, settings=settings)).test_client()
    form = re.findall(r'name="form" value="([^"]+)"', client.get(path, base_url=there).text)[0]
    response = client.post(f"{path}/open", data={"form": form}, base_url=there)
    assert "Secure; HttpOnly" in response.headers["Set-Cookie"]
    assert "max-age" in response.headers["Strict-Transport-Security"]


@pytest.mark.on("sqlite")
def test_the_tap_needs_the_page_that_it_is_on(people):
    people.seated()
    page = Browser(people, address(people, "Ann"))
    other = Browser(people, address(people, "Bea"))
    other.get()
    for form in ("", "x", other.form):
        response = page.client.post(f"{page.path}/open", data={"form": form})
        assert response.status_code == 303
        assert "Set-Cookie" not in response.headers
        assert page.get().text.count("data-card") == 0


def test_one_players_cookie_opens_nobody_elses_hand(people):
    people.seated()
    ann = browser(people, "Ann")
    cookie = ann.client.get_cookie("hand", path=ann.path).value
    bea = Browser(people, address(people, "Bea"))
    bea.client.set_cookie("hand", cookie, path=bea.path, domain="localhost")
    assert bea.get().text.count("data-card") == 0
    assert bea.client.post(bea.path, data={"form": ann.form, "text": "hand"}).headers["Location"].endswith("again=1")
    forged = Browser(people, ann.path[:-2] + ("AA" if ann.path[-2:] != "AA" else "BB"))
    assert forged.get().status_code == 404


def test_a_renewed_address_is_the_only_good_one(people):
    people.seated()
    old = browser(people, "Ann")
    assert address(people, "Ann") == old.path, "asked for again it is the same"
    new = browser(people, "Ann") if (path := address(people, "Ann", "link new")) == old.path else Browser(people, path)
    assert new.path != old.path
    assert old.get().status_code == 404
    assert "data-card" not in old.html
    assert old.client.get(f"{old.path}/events").status_code == 404
    new.client.set_cookie("hand", old.client.get_cookie("hand", path=old.path).value, path=new.path, domain="localhost")
    assert "data-card" not in new.get().text
    new.open()
    assert new.hand


def test_an_address_dies_with_the_seat_and_the_table(people):
    people.seated()
    bea, watching = browser(people, "Bea"), Browser(people, address(people, "Ann", "watch"))
    assert watching.get().status_code == 200
    people("Bea", "leave")
    assert bea.get().status_code == 404
    for name in ("Ann", "Cy", "Dot"):
        people(name, "leave")
    assert watching.get().status_code == 404


def test_a_spectator_sees_what_is_public(people):
    people.seated()
    page = Browser(people, address(people, "Bea", "watch"))
    page.get()
    assert cards_in(page.html, page.path) == {read_card("9H")}
    assert "data-hand" not in page.html
    assert 'name="form"' not in page.html
    again = address(people, "Cy", "watch new")
    assert again != page.path
    assert page.get().status_code == 404
    assert page.client.post(again, data={"text": "draw"}).status_code == 404


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("token", ["x", "W10.x", "..", "%00", "a" * 3000])
def test_what_is_no_address(people, token):
    client = application(people).test_client()
    assert client.get(f"/table/{token}").status_code == 404
    assert client.post(f"/table/{token}").status_code == 404
    assert client.get(f"/table/{token}/events").status_code == 404


# What is sent


def test_tapped_cards_go_the_way_of_a_text(people):
    people.seated()
    page = browser(people, "Ann")
    page.send(do="pickup", card=["9S", "9C"])
    table = people.table("KF7")
    assert (table.state.phase, table.state.turn) == ("meld", 0)
    assert people.lines("KF7") == [(0, "pickup 9S 9C")]
    row = people.rows(INBOUND)[-1]
    assert (row.body, row.kind, row.message_sid[:3]) == ("KF7 pickup 9S 9C", "moves", "WEB")
    assert page.answer == row.answer
    assert row.segments == 0, "what is shown on a page is no text"
    page.send(do="discard", card=["4H"])
    assert people.turn("KF7") == "Bea"
    people.stage.settle()
    assert any("your turn" in text.lower() for text in people.told("Bea")), "others get their texts as ever"


def test_a_refusal_says_why_and_nothing_changes(people):
    people.seated()
    page = browser(people, "Ann")
    before = people.whole()
    page.send(do="pickup", card=["KD", "KH"])
    assert "9" in page.answer
    assert page.answer == people.rows(INBOUND)[-1].answer
    assert people.whole() == before
    page.send(do="pickup", card=["AS", "<b>"])
    assert people.whole() == before


def test_a_form_sent_twice_is_one_text(people):
    people.seated()
    page = browser(people, "Ann")
    form = page.form
    first = page.send(text="draw")
    version, count = people.table("KF7").version, len(people.rows(INBOUND))
    again = page.client.post(page.path, data={"form": form, "text": "draw"})
    assert (
        page.client.get(again.headers["Location"]).text.partition('id="said"')[2][:300]
        == first.text.partition('id="said"')[2][:300]
    )
    assert (people.table("KF7").version, len(people.rows(INBOUND))) == (version, count)
    page.client.post(page.path, data={"form": form, "text": "discard 4h"})
    assert people.table("KF7").version == version, "another text under the same form is not sent"
    other = page.client.post(page.path, data={"form": form, "text": "discard 4h"}).headers["Location"]
    assert "note=used" in other


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("form", ["", "x", "bea"])
def test_a_move_needs_a_form_of_this_browser(people, form):
    people.seated()
    page = browser(people, "Ann")
    if form == "bea":
        form = browser(people, "Bea").form
    before = people.whole()
    response = page.client.post(page.path, data={"form": form, "text": "draw"})
    assert "note=old" in response.headers["Location"]
    assert people.whole() == before


@pytest.mark.on("sqlite")
def test_the_words_of_the_carrier_stay_with_the_phone(people):
    people.seated()
    page = browser(people, "Ann")
    for words in ("STOP", "start", "Help"):
        page.get()
        page.send(typed=words)
        assert "phone" in page.note
    page.get()
    page.send(typed="  ")
    assert "Nothing was chosen" in page.note
    assert [row.body for row in people.rows(INBOUND)] == ["link"]


@pytest.mark.on("sqlite")
def test_what_is_typed_is_read_as_a_text_to_this_table(people):
    people.seated()
    people.seated(code="XY2")
    page = Browser(people, address(people, "Ann", "kf7 link"))
    page.open()
    page.send(typed="Draw, please")
    assert people.lines("KF7") == [(0, "draw")]
    assert people.lines("XY2") == []


@pytest.mark.on("sqlite")
def test_a_question_is_asked_with_its_answers_as_buttons(people):
    people.seated(PICKUP.replace("9S 9C KD", "9S 9C 9D W KD").replace("5S TD 9H", "5S TD 9H"))
    page = browser(people, "Ann")
    page.send(typed="pickup")
    buttons = re.findall(r'name="text" value="(\d)">', page.html)
    if buttons:
        page.send(text=buttons[0])
        assert people.lines("KF7")[0][1].startswith("pickup")
    else:
        assert people.lines("KF7"), page.answer


def test_a_turn_played_on_the_page_calls_off_the_text_about_it(people):
    people.seated()
    page = browser(people, "Ann")
    page.send(text="draw")
    page.send(do="discard", card=["4H"])
    bea = Browser(people, address(people, "Bea"))
    bea.open()
    with people.services.db.begin() as conn:  # the text about Bea's turn waits, as it does in her quiet hours
        conn.execute(OUTBOUND.update().where(OUTBOUND.c.kind == "turn").values(status="pending"))
    bea.send(text="draw")
    bea.send(do="discard", card=["3D"])
    people.stage.settle()
    assert {row.status for row in people.rows(OUTBOUND) if row.kind == "turn" and row.seat == 1} == {"canceled"}


# What happened, and how the hand lies


def test_it_shows_what_happened_since_the_last_visit(people):
    people.seated()
    page = browser(people, "Ann")
    assert 'class="new"' not in page.html
    people("Ann", "draw")
    people("Ann", "discard 4h")
    people("Bea", "draw, discard 3d")
    people.stage.clock.now = people.stage.clock.now.replace(hour=23)
    page.get()
    new = re.findall(r'<li class="new">(.*?)</li>', page.html)
    assert len(new) == 2
    assert "Bea" in new[0]
    assert "three of diamonds" in new[0]
    assert "You" in new[1]


@pytest.mark.on("sqlite")
def test_the_hand_lies_as_its_owner_likes(people):
    people.seated()
    page = browser(people, "Ann")

    def order():
        return re.findall(r'data-card="(\w+)"', page.html.partition("data-hand")[2].partition("</ul>")[0])

    assert order() == ["KH", "KD", "QH", "9S", "9C", "4H", "3S", "W"]
    page.client.post(f"{page.path}/sort", data={"by": "suit"})
    page.get()
    assert order() == ["9S", "3S", "KH", "QH", "4H", "9C", "KD", "W"]
    page.client.post(f"{page.path}/sort", data={"by": "<b>"})
    page.get()
    assert order()[0] == "9S", "it is remembered"


@pytest.mark.on("sqlite")
def test_names_cannot_smuggle_anything_in(people):
    code = people.opened("Bea")
    page = browser(people, "Ann")
    assert f"JOIN {code}" in page.html
    page.send(typed="say <script>alert(1)</script>")
    assert "<script>alert" not in page.html
    policy = page.get().headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<[^>]+\s(?:on\w+|style)=", page.html)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page.html)


# Events


def test_an_open_page_hears_of_a_change_and_of_nothing_else(people):
    people.seated()
    page = browser(people, "Ann")
    mark = re.findall(r'data-mark="([^"]+)"', page.html)[0]
    stream = page.client.get(f"{page.path}/events", query_string={"mark": mark}, buffered=False)
    assert stream.content_type == "text/event-stream"
    said = iter(stream.response)
    assert next(said).startswith(b"retry:")
    people("Ann", "draw")
    told = next(said).decode()
    assert re.fullmatch(r"id: [\w-]+\nevent: changed\ndata: 1\n\n", told)
    stream.close()
    page.get()
    assert f'data-mark="{told.split()[1]}"' in page.html, "the page shows what the event told of"


def test_a_mark_changes_with_whatever_a_page_shows(people):
    code = people.opened("Bea")

    def mark():
        table = people.table(code)
        with people.services.db.begin() as conn:
            return live.marks(conn, [table.id])[table.id]

    marks = [mark()]
    for name, words in (("Cy", f"join {code}"), ("Ann", "bots"), ("Ann", "deal"), ("Ann", "link"), ("Ann", "link new")):
        people(name, words)
        marks.append(mark())
    assert len(set(marks)) == len(marks)


# Whole games


class Round:
    """A table of people at their browsers, and one who watches."""

    def __init__(self, people, game, seats):
        self.people, self.game = people, named(game)
        names = [f"P{n}" for n in range(1, seats + 1)]
        code = people.opened(*names[1:], host=names[0], words=f"new {game} {seats} players")
        for name in names:
            people(name, f"{code} auto off")
        people(names[0], f"{code} deal")
        self.code, self.pages = code, [browser(people, name) for name in names]
        self.watching = Browser(people, address(people, names[0], "watch"))
        self.secrets = [page.path for page in (*self.pages, self.watching)]
        self.known: list[set[int]] = [set() for _ in range(seats + 1)]  # by seat, the last is who watches
        self.unknown = 0

    def look(self):
        """Everybody looks; nobody finds a card that they may not have seen."""
        table = self.people.table(self.code)
        state, game = table.state, table.game
        everything = set().union(*map(set, state.hands), getattr(state, "stock", ()) or ())
        public = {card for event in table.news for card in event.cards}
        for seat, page in enumerate((*self.pages, self.watching)):
            view = game.view(state, seat if page is not self.watching else None)
            self.known[seat] |= view.cards() | public
            page.get()
            shown = cards_in(page.html, *self.secrets)
            assert shown <= self.known[seat], (self.game.name, seat, [card_name(c) for c in shown - self.known[seat]])
            self.unknown += len(everything - self.known[seat])
            if page is self.watching:
                assert "data-hand" not in page.html
            else:
                assert page.hand == sorted(map(card_name, view.hand))
            stream = page.client.get(f"{page.path}/events", query_string={"mark": ""}, buffered=False)
            told = [next(iter(stream.response)), next(iter(stream.response))]
            stream.close()
            assert re.fullmatch(rb"retry: \d+\n\nid: [\w-]+\nevent: changed\ndata: \d+\n\n", b"".join(told))
        return state

    def play(self, seat, state):
        """A move of that seat, by a button that offers it or by tapping its cards."""
        move = bots.choose(self.game.view(state, seat), self.game.legal(state, seat))
        text, page = write_move(move), self.pages[seat]
        offered = [unescape(t) for t in re.findall(r'name="text" value="([^"]+)"', page.html)]
        verbs = re.findall(r'name="do" value="(\w+)"', page.html)
        if text in offered:
            page.send(text=text)
        elif move.verb == "cut":
            assert "cut" in verbs
            page.send(do="cut", number=move.value)
        elif move.stands and move.stands != move.cards:  # what a wild stands for has to be typed, or is asked
            page.send(typed=text)
        else:
            assert move.verb in verbs, (text, offered, verbs)
            page.send(do=move.verb, card=list(map(card_name, move.cards)), to=move.to)
        after = self.people.table(self.code)
        assert self.game.dump(after.state) != self.game.dump(state), (text, page.answer)
        assert cards_in(page.html, *self.secrets) <= self.known[seat] | self._learned(after, seat)

    def _learned(self, table, seat):
        return table.game.view(table.state, seat).cards() | {card for event in table.news for card in event.cards}


def nobody_sees_too_much(people, game):
    """A round played on the pages, with everybody looking at theirs all the time."""
    table = Round(people, game, 4 if game in FOURSOMES else 3)
    chance = random.Random(3)
    people.judge = False
    for step in range(120):
        state = table.look() if step % 10 == 0 or step < 4 else people.table(table.code).state
        if state.round > 1:
            break
        seat = chance.choice([seat for seat in table.game.waiting(state) if table.game.legal(state, seat)])
        table.pages[seat].get()
        table.known[seat] |= table.game.view(state, seat).cards()
        table.play(seat, state)
    table.look()
    assert table.unknown > 50, "there was something to hide"


FOURSOMES = ("spades", "hearts", "gong-zhu", "damn-the-queens")


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_over_a_whole_round_nobody_is_shown_what_they_may_not_see(people, game):
    nobody_sees_too_much(people, game)


@pytest.mark.on("postgresql")
@pytest.mark.parametrize("game", ["damn-the-queens", "hearts"])
def test_nor_on_postgresql(people, game):
    nobody_sees_too_much(people, game)


def test_offers_are_only_what_is_legal():
    for game in GAMES:
        seats = 4 if 4 in game.seats else game.seats[0]
        state = game.deal(game.Options(), seats, "11")
        for _ in range(60):
            if state.over:
                break
            seat = next(s for s in game.waiting(state) if game.legal(state, s))
            legal = game.legal(state, seat)
            choices = moves.choices(game.view(state, seat), legal, [f"P{n}" for n in range(seats)])
            texts = Counter(offer.text for offer in (*choices.offers, *choices.more, *choices.bids))
            assert set(texts) <= set(map(write_move, legal))
            assert set(texts.values()) <= {1}
            assert texts or choices.verbs or choices.number, "nobody is left without a button"
            for other in range(seats):
                if other not in game.waiting(state):
                    assert moves.choices(game.view(state, other), [], []) == moves.Choices()
            game.play(state, seat, bots.choose(game.view(state, seat), legal))


def test_a_mark_is_plain():
    assert json.dumps(live.event("3-pl-1-2-0").decode()) == '"id: 3-pl-1-2-0\\nevent: changed\\ndata: 3\\n\\n"'
