"""What every page tells the browser to do and not to do; nothing is loaded from anywhere but here."""

from flask import Flask, Response, request

from service.services import Services

# No inline script and no inline style: what a player's name might smuggle into a page is never run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # an address may hold the token of a table
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SECURE = {"Strict-Transport-Security": "max-age=31536000"}
# What the carrier and machines ask; they are no browsers.
NO_PAGES = frozenset(("sms", "healthz", "readyz", "metrics"))


def set_up(app: Flask, services: Services) -> None:
    """Puts the headers on each page; one that a page has set itself stays."""
    headers = HEADERS | (SECURE if services.settings.public_url.startswith("https:") else {})

    @app.after_request
    def add(response: Response) -> Response:
        if request.path.lstrip("/").split("/")[0] not in NO_PAGES:
            for name, value in headers.items():
                response.headers.setdefault(name, value)
            response.headers.setdefault("Cache-Control", "no-cache")
        return response


def private(response: Response) -> Response:
    """Marks a page that is for one person only: kept by no cache, listed by no search engine."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive, nosnippet"
    return response
