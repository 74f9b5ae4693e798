"""What the pages say about who runs this service, and about texts: from the settings, the same words everywhere."""

from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlsplit

import segno
from markupsafe import Markup

from service.config import Settings
from service.numbers import countries, spaced
from service.services import Services


def facts(services: Services) -> dict[str, Any]:
    """For the templates: `operator` (a name), `contact` and `contact_link`, `number`, `shown_number`, `countries`."""
    settings = services.settings
    number = next(iter(settings.twilio_numbers), "")
    return {
        "operator": operator(settings),
        "named": bool(settings.operator_name),
        "contact": settings.operator_contact,
        "contact_link": contact_link(settings.operator_contact),
        "number": number,
        "shown_number": spaced(number).replace(" ", "\N{NO-BREAK SPACE}") if number else "",
        "countries": countries(settings.allowed_regions),
        "forms": settings.form_texts_a_day > 0,
        "consent": consent(settings),
        "sms": sms,
    }


def operator(settings: Settings) -> str:
    """Who runs this service; where nobody has said, whoever has its address."""
    return settings.operator_name or f"the operator of {urlsplit(settings.public_url).hostname}"


def contact_link(contact: str) -> str:
    """What a tap on the contact opens; empty where it is neither a mail address nor a web address nor a number."""
    if contact.startswith(("https://", "http://", "mailto:")):
        return contact
    if "@" in contact and " " not in contact:
        return f"mailto:{contact}"
    return f"tel:{contact}" if contact.startswith("+") and contact[1:].isdigit() else ""


def consent(settings: Settings) -> str:
    """What somebody agrees to who gives us a number in a form. Kept with the form, word for word."""
    return (
        f"I agree to get text messages from Queenline, run by {operator(settings)}, at this number about the card games "
        "that I sit down to: about one for each of my turns, and reminders while others wait for me. Message frequency "
        "varies with the games. Message and data rates may apply. I can reply STOP at any time to stop them, and HELP "
        "for help. My agreement is not a condition of buying anything."
    )


def sms(number: str, words: str) -> str:
    """An address that opens a phone's messages with these words filled in. With `?&` iPhones and Androids both read it."""
    return f"sms:{number}?&body={quote(words)}"


@lru_cache(maxsize=512)
def qr(address: str, title: str) -> Markup:
    """The address as a QR code, drawn in the page; `title` is what a screen reader says."""
    drawn = segno.make(address, error="m").svg_inline(scale=1, border=3, omitsize=True, dark="#000", light="#fff")
    return Markup('<span class="qr" role="img" aria-label="{}">{}</span>').format(title, Markup(drawn))  # noqa: S704
