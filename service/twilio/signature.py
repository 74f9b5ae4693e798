"""Is this request from the carrier? Everything the signature needs is taken from the settings and from the raw request;
no header names the host or the scheme, because anybody can send a header.
"""

import hmac
from collections.abc import Callable
from urllib.parse import quote, urlparse, urlsplit

from flask import Request
from twilio.request_validator import RequestValidator, add_port, remove_port

from service.config import Settings

# Another signing scheme of Twilio's, with keys we have none of. Falling back to the old one would let the sender choose.
SHARED_KEY_HEADER = "X-Twilio-Webhooks-Signature-Settings"
HEADER = "X-Twilio-Signature"


def checker(settings: Settings) -> Callable[[Request], str]:
    """A function that says why a request is not to be trusted; "" when it is. It reads the form, unchanged."""
    validators = [RequestValidator(token) for token in settings.twilio_auth_token]  # several while a token is rotated

    def check(request: Request) -> str:
        if SHARED_KEY_HEADER in request.headers:
            return "shared-key"
        signature = request.headers.get(HEADER, "")
        if not signature:
            return "unsigned"
        given = signature.encode("utf-8", "replace")
        try:
            ours = signed_url(settings.public_url, request)
            url = urlparse(ours)
            # The carrier signs the address with a port that goes without saying, or without it. The SDK's own
            # `validate` always works out both; nearly always the one it was given is right.
            for address in dict.fromkeys((ours, remove_port(url), add_port(url))):
                for validator in validators:
                    # The form itself: a dict of it would lose the second of two equal names.
                    right = validator.compute_signature(address, request.form)
                    if hmac.compare_digest(right.encode(), given):
                        return ""
        except ValueError:  # an address or a character that no real request has
            return "malformed"
        return "signature"

    return check


def signed_url(public_url: str, request: Request) -> str:
    """The address that the carrier was given: ours, and path and query as they stand in the request, not decoded."""
    environ = request.environ
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if raw:
        if not raw.startswith("/"):  # a whole address, which proxies may send
            parts = urlsplit(raw)
            raw = parts.path + (f"?{parts.query}" if parts.query else "")
        return public_url + raw.partition("#")[0]
    query = request.query_string.decode("latin-1")
    return public_url + quote(request.path) + (f"?{query}" if query else "")
