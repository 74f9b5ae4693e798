"""What the processes of one command count for Prometheus: all together, and shown at an address where one is wanted."""

import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def counted_together() -> Iterator[None]:
    """Gives this process, and those that it starts, a folder in which each has a file of its figures.

    Enter it before the first import of prometheus_client, which looks for the folder then.
    """
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # somebody else's, who also takes it away
        yield
        return
    folder = tempfile.mkdtemp(prefix="queenline-")
    owner = os.getpid()
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(held, fcntl.LOCK_SH)  # so long systemd-tmpfiles leaves it alone, however old its files are
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    try:
        yield
    finally:
        # A fork that ends comes by here too, and the others go on counting.
        if os.getpid() == owner:
            del os.environ["PROMETHEUS_MULTIPROC_DIR"]
            os.close(held)
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shown(at: str) -> Iterator[None]:
    """Shows these figures at `at` (address:port; empty: nowhere). Ends the process with a sentence where that is taken."""
    if not at:
        yield
        return
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    host, _, port = at.rpartition(":")
    try:
        server, thread = start_http_server(int(port), host.strip("[]") or "0.0.0.0", registry)  # noqa: S104  # as it was asked for
    except OSError as error:
        sys.exit(f"WORKER_METRICS: nothing can listen on {at}: {error.strerror}.")
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
