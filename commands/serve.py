"""`queenline serve`: the web service, on gunicorn."""

import resource
from typing import Any

import click

from commands.metrics import counted_together


@click.command()
def command() -> None:
    """Answer texts and pages, until SIGTERM. Settings come from the environment (docs/settings.md)."""
    with counted_together():
        run()


def run() -> None:
    from gunicorn.app.base import BaseApplication
    from prometheus_client import multiprocess

    from commands.start import prepared
    from service.app import create_app
    from service.web.server_log import ServerLog

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each open page is a socket
    services = prepared()
    settings = services.settings
    app = create_app(services)

    class Server(BaseApplication):  # type: ignore[misc]  # gunicorn is untyped
        def load_config(self) -> None:
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            return app

    options = {
        "bind": settings.bind,
        "workers": settings.web_concurrency,
        "worker_class": "service.web.worker.Worker",  # threads, and a socket without one for each open page
        "threads": settings.web_threads,
        # The carrier waits for 15 s. Whoever hangs for 10 is better started anew.
        "timeout": 10,
        "graceful_timeout": 10,
        "keepalive": 30,  # the proxy keeps its connections
        "max_requests": 1_000_000,  # should memory ever leak; seldom, as a process that begins again is away for half a second
        "max_requests_jitter": 100_000,
        "limit_request_line": 4094,
        "preload_app": True,  # imported once; what must not be shared across the fork is made on first use
        "control_socket_disable": True,  # it would leave a folder in HOME
        "logger_class": ServerLog,
        "accesslog": None,  # an address may hold the token of a table
        "proc_name": "queenline",
        "child_exit": lambda _server, worker: multiprocess.mark_process_dead(worker.pid),  # type: ignore[no-untyped-call]
    }
    services.database.close()  # the check of the schema has connected; the forks shall inherit nothing
    Server().run()
