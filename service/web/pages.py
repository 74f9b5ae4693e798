"""The pages that people and the carrier's reviewers read. What they say about texts is what the service does."""

from flask import Blueprint, render_template

from engine.registry import GAMES
from service.services import Services
from service.text import asking, render
from service.web import operator
from service.web.invite import Filled


def blueprint(services: Services) -> Blueprint:
    """Home, privacy, terms, contact, and how people agree to texts."""
    pages = Blueprint("pages", __name__, template_folder="templates")
    facts = operator.facts(services)

    @pages.get("/")
    def home() -> str:
        return render_template("home.html", **facts)

    @pages.get("/privacy")
    def privacy() -> str:
        return render_template("privacy.html", **facts)

    @pages.get("/terms")
    def terms() -> str:
        return render_template("terms.html", **facts)

    @pages.get("/contact")
    def contact() -> str:
        return render_template("contact.html", **facts)

    @pages.get("/opt-in")
    def opt_in() -> str:
        return render_template(
            "opt_in.html",
            **facts,
            shown=Filled("Bea", "(212) 555-0123"),
            welcome=render.joined("KF7", GAMES[0].title, ["Ann"], 2, "Bea", "Ann"),
            confirmation=asking.to_join("KF7", GAMES[0].title),
            help=render.help_text(services.settings.public_url)
            if services.settings.opt_out_mode == "self"
            else "",  # else the carrier's words
        )

    return pages
