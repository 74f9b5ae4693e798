"""Ports of this machine."""

import socket


def free_port() -> int:
    """One that the system gives away: of two who ask at once each gets another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
