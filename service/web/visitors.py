"""Who looks at a page without being known: where they come from, that a form was sent from our own page, and no robot."""

import secrets

from flask import Flask, after_this_request, request
from flask import Response as FlaskResponse
from werkzeug.middleware.proxy_fix import ProxyFix

from service import tally
from service.config import Settings
from service.db import reading
from service.services import Services
from service.web import links

COOKIE = "visitor"
DAYS = 1
TRAP = "website"  # a field that nobody sees; only a robot fills it in
NOT_OURS = (
    "This page has been open for long, or this browser keeps no cookies. Please look it over and send it again; "
    "where that does not help, use the way by text."
)
MISSES_A_DAY = 40  # codes that are no table's, from one address of the network


def set_up(app: Flask, services: Services) -> None:
    """Believes as many proxies as there are: with none, what a visitor writes into X-Forwarded-For is nothing."""
    proxies = services.settings.trusted_proxies
    if proxies:
        # The carrier's signature is checked against PUBLIC_URL, so the scheme and host stay what they are.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=0, x_host=0)  # type: ignore[method-assign]


def origin() -> str:
    """The address of the network that the request comes from; empty over a socket of this machine."""
    return request.remote_addr or ""


def form_field(settings: Settings) -> str:
    """The hidden field of a form on this page; the browser gets the cookie that goes with it, and no cache keeps either."""
    nonce = request.cookies.get(COOKIE, "")
    if len(nonce) != 32:
        nonce = secrets.token_hex(16)

    @after_this_request
    def keep(response: FlaskResponse) -> FlaskResponse:
        response.set_cookie(
            COOKIE, nonce, max_age=DAYS * 86400, httponly=True, samesite="Lax",
            secure=settings.public_url.startswith("https:"),
        )  # fmt: skip
        # What was filled in comes back with the answer to a form, a number among it; the back button needs the empty one.
        response.headers["Cache-Control"] = "no-store" if request.method == "POST" else "private, no-cache"
        return response

    return links.write_form(settings, f"visitor {nonce}")


def from_our_page(settings: Settings) -> bool:
    """Whether the form that was sent stood on a page that this very browser got from us."""
    nonce = request.cookies.get(COOKIE, "")
    return bool(nonce) and links.read_form(settings, request.form.get("form", ""), f"visitor {nonce}") is not None


def is_robot() -> bool:
    """Whether the field that nobody sees has been filled in."""
    return bool(request.form.get(TRAP))


def guesses(services: Services) -> bool:
    """Whether somebody there has tried too many codes today that are no table's."""
    with reading(services.db) as conn:
        return tally.so_far(conn, tally.day_of(services.clock()), "code-miss", _scope(services)) >= MISSES_A_DAY


def missed(services: Services) -> None:
    """Counts a code that is no table's."""
    with services.db.begin() as conn:
        tally.count(conn, tally.day_of(services.clock()), "code-miss", _scope(services))


def _scope(services: Services) -> str:
    return tally.origin(services.settings.secret_key, origin())
