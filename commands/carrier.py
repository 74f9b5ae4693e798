"""`queenline carrier`: a stand-in for Twilio, to run the real service against."""

import secrets
import shlex
import threading
from collections.abc import Callable, Iterable
from typing import Any

import click
import requests
from werkzeug.wrappers import Request, Response

from commands import piped
from service.carrier import Carrier, Manner, Text, answer, failure
from service.carrier_server import Server

OURS = "+12125550199"


class Switchboard:
    """The carrier's own addresses beside its REST API: phones text by them, and they tell what has come.

    POST /phones with From, Body and perhaps To: a phone texts; GET /phones/NUMBER: what came to it; GET
    /carrier/facts: figures of all texts. With the account and its token as the name and the password.
    """

    def __init__(self, carrier: Carrier, ours: str, show: Callable[[str], None]) -> None:
        self.carrier, self.ours, self._show = carrier, ours, show

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        if not request.path.startswith(("/phones", "/carrier/")):
            return self.carrier(environ, start_response)
        return self._answer(request)(environ, start_response)

    def _answer(self, request: Request) -> Response:
        auth = request.authorization
        if auth is None or (auth.username, auth.password) != (self.carrier.account_sid, self.carrier.auth_token):
            return failure(401, 20003, "Authenticate")
        if request.path == "/phones" and request.method == "POST":
            return self._text(request)
        if request.path == "/carrier/facts":
            return answer(200, facts(self.carrier.texts))
        number = request.path.removeprefix("/phones/")
        return answer(200, {"texts": [text.body for text in self.carrier.texts_to(number)]})

    def _text(self, request: Request) -> Response:
        sender, body = request.form.get("From", ""), request.form.get("Body", "")
        if not sender:
            return failure(400, 21603, "From is missing: the number of the phone that texts")
        try:
            came = self.text(sender, body, request.form.get("To", ""))
        except requests.RequestException as error:
            return failure(502, 11200, f"The webhook cannot be reached: {type(error).__name__}")
        return answer(200, {"sid": came[0], "status": came[1], "texts": came[2]})

    def text(self, sender: str, body: str, to: str = "") -> tuple[str, int, list[str]]:
        """A phone texts: the message's sid, the webhook's HTTP status, and the texts of its answer."""
        came = self.carrier.deliver(sender, to or self.ours, body)
        self._show(f"{sender}> {body}")
        for text in came.texts:
            self._show(f"{sender}< {text}")
        if came.status != 200:
            self._show(f"  the webhook answered {came.status}")
        return came.sid, came.status, came.texts


def facts(texts: list[Text]) -> dict[str, Any]:
    """How many texts came, to how many numbers, and in how many seconds; `half_seconds` is for the second half of them."""
    first, middle, last = (texts[0], texts[len(texts) // 2], texts[-1]) if texts else (None, None, None)
    return {
        "texts": len(texts),
        "numbers": len({text.to for text in texts}),
        "seconds": (last.created - first.created).total_seconds() if first and last else 0.0,
        "half_seconds": (last.created - middle.created).total_seconds() if middle and last else 0.0,
    }


class Showing(Carrier):
    """Shows each text that it accepts."""

    show: Callable[[str], None] = staticmethod(lambda _: None)

    def _accept(self, form: Any) -> Text:
        text = super()._accept(form)
        self.show(f"{text.to}< {text.body}")
        return text


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8010,
    show_default=True,
    help="Where it listens, on this machine only.",
)
@click.option(
    "--service", default="http://127.0.0.1:8000", show_default=True, help="Where the service is: its PUBLIC_URL."
)
@click.option("--number", default=OURS, show_default=True, help="The service's number.")
@click.option("--account", default="AC" + "0" * 32, help="The account's SID.")
@click.option("--token", default="", help="The account's auth token; a new one if it is left out.")
@click.option(
    "--fail", type=int, metavar="CODE", help="Report every text as undelivered with this code, such as 30003."
)
@click.option("--slow", type=float, default=0.0, metavar="SECONDS", help="Wait before each answer and each report.")
@click.option("--timeouts", type=click.FloatRange(0, 1), default=0.0, metavar="SHARE",
              help="Leave this share of requests unanswered; half of them are accepted.")  # fmt: skip
@click.option("--reorder", is_flag=True, help="Report in any order, and before the request is answered.")
@click.option("--quiet", is_flag=True, help="Show no texts and report nothing.")
def command(
    port: int, service: str, number: str, account: str, token: str, fail: int | None, slow: float, timeouts: float,
    reorder: bool, quiet: bool,
) -> None:  # fmt: skip
    """Answer the REST API that the service sends texts by, report what became of them by signed callbacks, and call the
    service's webhook for phones. On loopback only; nothing is sent anywhere.

    A phone texts by a line `+12125550101> draw` on standard input, or by
    `curl -u ACCOUNT:TOKEN http://127.0.0.1:8010/phones -d From=+12125550101 -d Body=draw` (+ written as %2B).
    """
    say: Callable[[str], None] = (lambda _: None) if quiet else click.echo
    carrier = Showing(account, token or secrets.token_hex(16), service.rstrip("/"))
    carrier.show = say
    carrier.reports = not quiet
    carrier.manner = Manner(fail, slow, timeouts, reorder, early=reorder)
    switchboard = Switchboard(carrier, number, say)
    with Server(carrier, "127.0.0.1", port, switchboard) as server:
        if not quiet:
            for name, value in environment(carrier, server.url, number).items():
                click.echo(f"export {name}={shlex.quote(value)}")
        listen(switchboard)


def environment(carrier: Carrier, url: str, number: str) -> dict[str, str]:
    """The settings with which the service takes this for Twilio."""
    return {
        "TWILIO_API_URL": url,
        "TWILIO_ACCOUNT_SID": carrier.account_sid,
        "TWILIO_AUTH_TOKEN": carrier.auth_token,
        "TWILIO_NUMBERS": number,
        "PUBLIC_URL": carrier.public_url,
        "OPT_OUT_MODE": "self",  # this one does not answer STOP, START and HELP
    }


def listen(switchboard: Switchboard) -> None:
    """Until the process is ended; the phones' lines come on standard input."""
    for line in piped.lines():
        sender, arrow, body = line.partition(">")
        if not line.strip():
            continue
        if not arrow or not sender.strip().startswith("+"):
            click.echo("A phone's text is a line such as: +12125550101> draw", err=True)
            continue
        try:
            switchboard.text(sender.strip(), body.strip())
        except requests.RequestException as error:
            click.echo(f"The webhook cannot be reached: {type(error).__name__}", err=True)
    threading.Event().wait()  # standard input has ended, or is none
