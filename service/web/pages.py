"""The pages that people and the carrier's reviewers read."""

from flask import Blueprint, render_template

from service.services import Services


def blueprint(services: Services) -> Blueprint:
    pages = Blueprint("pages", __name__, template_folder="templates")
    number = next(iter(services.settings.twilio_numbers), "")

    @pages.get("/")
    def home() -> str:
        return render_template("home.html", number=number)

    @pages.get("/privacy")
    def privacy() -> str:
        return render_template("privacy.html", number=number)

    @pages.get("/terms")
    def terms() -> str:
        return render_template("terms.html", number=number)

    return pages
