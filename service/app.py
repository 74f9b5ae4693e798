"""The web application."""

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from service.logs import fault
from service.services import Services
from service.twilio import inbound
from service.twilio.inbound import LARGEST, Receive, log
from service.web import (
    assets,
    cards,
    headers,
    health,
    history,
    invite,
    look,
    opening,
    pages,
    rules,
    scores,
    table,
    visitors,
)


def create_app(services: Services, receive: Receive | None = None) -> Flask:
    """The application. `receive` answers a text; without one it is the game's (`service.play.receive`)."""
    if receive is None:
        from service.play import receive as play

        receive = play
    app = Flask(__name__, static_folder=None)
    # Before any route: a form is read under these limits, and an address with // or without / must not be answered by a
    # redirect, which the carrier would not follow and whose page it would text to the player.
    app.config.update(MAX_CONTENT_LENGTH=LARGEST, MAX_FORM_MEMORY_SIZE=LARGEST)
    app.url_map.merge_slashes = False

    headers.set_up(app, services)
    assets.set_up(app)
    cards.set_up(app)
    look.set_up(app, services)
    visitors.set_up(app, services)

    app.register_blueprint(inbound.blueprint(services, receive))
    app.register_blueprint(health.blueprint(services))
    app.register_blueprint(pages.blueprint(services))
    app.register_blueprint(rules.blueprint())
    app.register_blueprint(invite.blueprint(services))
    app.register_blueprint(opening.blueprint(services))
    app.register_blueprint(table.blueprint(services, receive))
    app.register_blueprint(scores.blueprint(services))
    app.register_blueprint(history.blueprint(services))

    # Last: these catch what no route answers, so the address decides who is asking.
    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        return answer(error.code or 500)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        log.error("web.failed", path=request.path if for_carrier() else "page", **fault(error))
        return answer(500)

    return app


def for_carrier() -> bool:
    """Whether the request under way is one of the carrier's: it must never be answered by a page."""
    return request.path.lstrip("/").split("/")[0] == "sms"


def answer(status: int) -> Response:
    """An error, without a word about why: to the carrier as XML of nothing, to a browser as a page."""
    if for_carrier():
        return Response("", status, content_type="text/xml; charset=utf-8")
    title = {404: "There is no such page", 405: "That is not how this page is asked for"}.get(status, "Sorry")
    text = SORRY if status >= 500 else "Please check the address, or begin at the first page."
    return Response(render_template("message.html", title=title, text=text, here="/"), status)


SORRY = "Something went wrong here, and it has been noted. Nothing was lost: please try again in a moment."
