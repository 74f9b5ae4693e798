"""How the carrier's stand-in runs: as a server on loopback, or in process for the SDK."""

import base64
import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import requests
from twilio.http import HttpClient
from twilio.http.response import Response as SdkResponse
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.test import Client as WsgiClient

App = Callable[..., Iterable[bytes]]  # a WSGI application


class Cut(Exception):
    """No answer: the connection is cut."""


class Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None: ...

    def connection_dropped(self, error: BaseException, environ: dict[str, Any] | None = None) -> None:
        self.close_connection = True  # also where the client would like to keep it


class Server:
    """Runs the carrier, or an application around it, on loopback until the `with` block ends."""

    def __init__(self, carrier: App, host: str, port: int, app: App | None = None) -> None:
        wsgi = cutting(app or carrier)
        self._server: BaseWSGIServer = make_server(host, port, wsgi, threaded=True, request_handler=Quiet)
        self.url = f"http://{host}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def cutting(carrier: App) -> App:
    """The application, for werkzeug's server: which answers nothing at all after a ConnectionError."""

    def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            return carrier(environ, start_response)
        except Cut:
            raise ConnectionAbortedError from None

    return app


class InProcess(HttpClient):  # type: ignore[misc]  # the SDK is untyped
    def __init__(self, carrier: App) -> None:
        self.timeout = None
        self.is_async = False
        self._client = WsgiClient(carrier)

    def request(
        self,
        method: str,
        url: str,
        params: dict[str, object] | None = None,
        data: dict[str, object] | None = None,
        headers: dict[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        timeout: float | None = None,
        allow_redirects: bool = False,
    ) -> SdkResponse:
        from service.twilio.outbound import checked

        token = base64.b64encode(":".join(auth or ("", "")).encode()).decode()
        try:
            answered = self._client.open(
                urlsplit(url).path,
                method=method,
                query_string=urlsplit(url).query or {name: str(value) for name, value in (params or {}).items()},
                data={name: str(value) for name, value in (data or {}).items()},
                headers={**(headers or {}), "Authorization": f"Basic {token}"},
            )
        except Cut:
            raise requests.ReadTimeout from None
        return checked(SdkResponse(answered.status_code, answered.get_data(as_text=True), answered.headers))
