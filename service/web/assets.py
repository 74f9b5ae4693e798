"""Style sheet, script and pictures. Their addresses hold a digest of what is in them, so that browsers may keep them."""

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from flask import Blueprint, Flask, Response, abort, url_for

YEAR = 365 * 86400
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


class Asset(NamedTuple):
    body: bytes
    digest: str


@lru_cache(maxsize=64)
def asset(name: str) -> Asset | None:
    """The file `static/NAME`, if there is one of a kind that is served."""
    if name.rpartition(".")[2] not in TYPES or "/" in name or name.startswith("."):
        return None
    file = files("service.web").joinpath("static", name)
    if not file.is_file():
        return None
    body = file.read_bytes()
    return Asset(body, hashlib.sha256(body).hexdigest()[:12])


def address(name: str) -> str:
    """Where a page finds that file; a name that is none is a mistake in the page."""
    found = asset(name)
    assert found is not None, f"there is no static/{name}"
    return url_for("assets.static", name=name, v=found.digest)


def set_up(app: Flask) -> None:
    """Serves the files, and gives templates `asset(name)`."""
    assets = Blueprint("assets", __name__)

    @assets.get("/static/<name>")
    def static(name: str) -> Response:
        found = asset(name)
        if found is None:
            abort(404)
        response = Response(found.body, content_type=TYPES[name.rpartition(".")[2]])
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        return response

    app.register_blueprint(assets)
    app.jinja_env.globals["asset"] = address
