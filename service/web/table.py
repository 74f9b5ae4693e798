"""The pages of a table: a player's own, and one for those who only watch.

A GET of a player's address shows no card: link previews and prefetchers get a cover. The tap on it is a POST, which
gives this browser a cookie for this address alone, and with it the hand. What is played there goes as a text of that
player through `service.play.receive`, under an id that the form was made with, so that a form sent twice is one text.
"""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from sqlalchemy import and_, bindparam, select

from engine.cards import card_name, read_card
from service import opting
from service.db import reading
from service.desk import Sms
from service.services import Services
from service.stored import INBOUND, OVER, PLAYER, PLAYING, Table
from service.twilio.inbound import LONGEST_BODY, Receive, clean
from service.web import links, live, moves, scene
from service.web.headers import private
from service.web.links import Link

VISIT_SECONDS = 600  # a page that is looked at again after that is another visit
COOKIE, SEEN, SORT = "hand", "seen", "sort"
DAY = 86400


def blueprint(services: Services, receive: Receive) -> Blueprint:
    """The pages; `receive` answers what is sent from them, as it does texts."""
    pages = Blueprint("table", __name__, template_folder="templates")
    settings = services.settings
    secure = settings.public_url.startswith("https:")
    feed = live.Live(services)

    def found(token: str) -> Link | None:
        link = links.read(settings, token)
        if link is None:
            return None
        with reading(services.db) as conn:
            return link if links.good(conn, link, services.clock()) else None

    def opened(link: Link) -> bool:
        return links.cookie_opens(settings, request.cookies.get(COOKIE, ""), link)

    def keep(response: Response, token: str, name: str, value: str, days: int = links.COOKIE_DAYS) -> None:
        path = url_for("table.show", token=token)
        response.set_cookie(name, value, max_age=days * DAY, path=path, httponly=True, samesite="Lax", secure=secure)

    def back_to(token: str, **query: Any) -> Response:
        response: Response = redirect(url_for("table.show", token=token, **query), 303)  # type: ignore[assignment]
        return private(response)

    def dead() -> Response:
        return private(Response(render_template("gone.html", here=request.path.removesuffix("/open")), 404))

    @pages.get("/table/<token>")
    def show(token: str) -> Response:
        link = found(token)
        if link is None:
            return dead()
        if link.seat is not None and not opened(link):
            return private(Response(cover(token, link)))
        if "opened" in request.args:  # the cookie was kept; the back button shall not say otherwise once it is gone
            return back_to(token)
        return private(page(token, link))

    def cover(token: str, link: Link) -> str:
        with reading(services.db) as conn:
            table = scene.look_up(conn, link.table)
        assert table is not None
        sitter = next(s for s in table.sitters if s.number == link.seat)
        form = links.write_form(settings, f"open {token}")
        return render_template(
            "cover.html", token=token, table=table, name=sitter.name, form=form, look_again="again" in request.args,
            not_kept="opened" in request.args,
        )  # fmt: skip

    def page(token: str, link: Link) -> Response:
        since, cookie = _visit(request.cookies.get(SEEN, ""), services.clock().timestamp())
        with reading(services.db) as conn:
            table = scene.look_up(conn, link.table)
            assert table is not None
            mark = live.marks(conn, [table.id])[table.id]
            player = None if link.player is None else conn.execute(_PLAYER, {"id": link.player}).one()
            said = None
            if player is not None and "said" in request.args:
                said = conn.execute(_SAID, {"sid": request.args["said"], "player": player.id}).first()
        first_new = table.news_end if since is None else since
        shown = scene.made(table, link.seat, mark, services.clock(), request.cookies.get(SORT, ""), first_new)
        form = ""
        if player is not None:
            shown.asked = scene.questions(player.pending, table.code)
            form = links.write_form(settings, whom(token))
        response = Response(
            render_template(
                "table.html", token=token, scene=shown, table=table, form=form, said=said, out=_is_out(player),
                note=NOTES.get(request.args.get("note", ""), ""), PLAYING=PLAYING, OVER=OVER,
            )
        )  # fmt: skip
        keep(response, token, SEEN, cookie(table.news_end))
        return response

    def whom(token: str) -> str:
        """For whom a form is made: this address in this browser."""
        return f"{token} {request.cookies.get(COOKIE, '')}"

    @pages.post("/table/<token>/open")
    def open_hand(token: str) -> Response:
        link = found(token)
        if link is None or link.seat is None:
            return dead()
        if links.read_form(settings, request.form.get("form", ""), f"open {token}") is None:
            return back_to(token, again="1")
        response = back_to(token, opened="1")
        if not opened(link):  # else what stands open in other windows of this browser would be of no use
            keep(response, token, COOKIE, links.write_cookie(settings, link))
        return response

    @pages.post("/table/<token>/close")
    def close_hand(token: str) -> Response:
        response = back_to(token)
        for name in (COOKIE, SEEN):
            response.delete_cookie(name, path=url_for("table.show", token=token))
        return response

    @pages.post("/table/<token>/sort")
    def sort(token: str) -> Response:
        response = back_to(token)
        if request.form.get("by") in scene.SORTS:
            keep(response, token, SORT, request.form["by"])
        return response

    @pages.post("/table/<token>")
    def say(token: str) -> Response:
        link = found(token)
        if link is None or link.seat is None:
            return dead()
        if not opened(link):
            return back_to(token, again="1")
        form = links.read_form(settings, request.form.get("form", ""), whom(token))
        if form is None:
            return back_to(token, note="old")
        words = _words()
        if not words:
            return back_to(token, note="empty")
        if opting.keyword(words) is not None:
            return back_to(token, note="carrier")
        with reading(services.db) as conn:
            player = conn.execute(_PLAYER, {"id": link.player}).one()
            table = scene.look_up(conn, link.table)
            assert table is not None
            body = _led(words, table)
            before = conn.execute(_SAID, {"sid": form.sid, "player": player.id}).first()
        if before is not None and before.body != body:  # sent with the back button from a page that has been used
            return back_to(token, note="used")
        ours = player.sender or next(iter(settings.twilio_numbers), settings.twilio_messaging_service_sid)
        receive(services, Sms(form.sid, player.channel, player.address, ours, body, on_page=True))
        return back_to(token, said=form.sid)

    @pages.get("/table/<token>/events")
    def events(token: str) -> Response:
        link = found(token)
        if link is None or (link.seat is not None and not opened(link)):
            return private(Response("", 404))
        if request.method == "HEAD":
            return private(Response("", content_type="text/event-stream"))
        return feed.stream(link.table, token, request.headers.get("Last-Event-ID") or request.args.get("mark", ""))

    return pages


_PLAYER = select(
    PLAYER.c.id, PLAYER.c.channel, PLAYER.c.address, PLAYER.c.sender, PLAYER.c.pending, PLAYER.c.opted_out_at
).where(PLAYER.c.id == bindparam("id"))
_SAID = select(INBOUND.c.body, INBOUND.c.answer, INBOUND.c.kind).where(
    and_(INBOUND.c.message_sid == bindparam("sid"), INBOUND.c.player_id == bindparam("player"))
)

NOTES = {
    "old": "That page was too old, or came from another browser. Nothing was sent; here is the table as it is now.",
    "used": "That page had been used already. Nothing was sent; here is the table as it is now.",
    "empty": "Nothing was chosen: tap a button, tap cards and then a button, or type your move.",
    "carrier": "STOP, START and HELP work by text from your phone only. Nothing was sent.",
}


def _is_out(player: Any) -> bool:
    return player is not None and player.opted_out_at is not None


def _words() -> str:
    """The text that the form says: as typed, of a button, or of the cards and the verb that were tapped."""
    form = request.form
    if form.get("text"):
        return clean(form["text"]).strip()[:LONGEST_BODY]
    verb = form.get("do", "")
    if verb:
        cards = [card_name(read_card(code)) for code in form.getlist("card") if _is_card(code)]
        said = moves.text_of(verb, cards, form.get("to", ""), form.get("number", "").strip())
        return clean(said)[:LONGEST_BODY]
    return clean(form.get("typed", "")).strip()[:LONGEST_BODY]


def _is_card(code: str) -> bool:
    try:
        read_card(code)
    except ValueError:
        return False
    return True


def _led(words: str, table: Table) -> str:
    """The text with the table's code before it, so that it is for no other."""
    return words if words.upper().startswith(table.code) else f"{table.code} {words}"


def _visit(kept: str, now: float) -> tuple[int | None, Callable[[int], str]]:
    """Up to which event this browser had seen when its last visit ended (None: it was never here); and what it keeps.

    The cookie holds that number, the number that it has seen by now, and when that was.
    """
    try:
        before, until, at = (int(part) for part in kept.split("."))
    except ValueError:
        return None, lambda end: f"{end}.{end}.{int(now)}"
    if now - at > VISIT_SECONDS:
        before = until
    return before, lambda end: f"{before}.{end}.{int(now)}"
