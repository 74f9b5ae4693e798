"""How a browser's owner likes the pages: two or four colours of suits, light or dark. Kept in a cookie of that browser."""

from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, redirect, request

from service.services import Services

COOKIE = "look"
YEAR = 365 * 86400
SUITS = ("two", "four")
THEMES = ("auto", "light", "dark")


class Look(NamedTuple):
    """How a browser wants its pages: suits in two colours or four, and the theme."""

    suits: str = "two"
    theme: str = "auto"


def read() -> Look:
    """What this browser's cookie says; what cannot be is left at what everybody gets."""
    suits, _, theme = request.cookies.get(COOKIE, "").partition("-")
    return Look(suits if suits in SUITS else "two", theme if theme in THEMES else "auto")


def set_up(app: Flask, services: Services) -> None:
    """`POST /look` keeps a choice and goes back to the page where it was made; templates have `look`."""
    looks = Blueprint("looks", __name__)
    secure = services.settings.public_url.startswith("https:")

    @looks.post("/look")
    def choose() -> Any:
        suits, theme = request.form.get("suits", ""), request.form.get("theme", "")
        before = read()
        chosen = Look(suits if suits in SUITS else before.suits, theme if theme in THEMES else before.theme)
        response: Response = redirect(local(request.form.get("back", "")), 303)  # type: ignore[assignment]
        response.set_cookie(COOKIE, "-".join(chosen), max_age=YEAR, httponly=True, samesite="Lax", secure=secure)
        return response

    @app.context_processor
    def context() -> dict[str, Any]:
        return {"look": read()}

    app.register_blueprint(looks)


def local(path: str) -> str:
    """The path, if it is one of this site; else the home page."""
    ok = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if ok else "/"
