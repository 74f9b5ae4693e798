"""Lines that come through a pipe or a terminal's line discipline."""

import io
import sys
from collections.abc import Iterator


def lines() -> Iterator[str]:
    """Each line of standard input, without its end. Bytes that are no text become U+FFFD: they cost their own place only."""
    for stream in (sys.stdin, sys.stdout):  # what is read is shown again
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    for line in sys.stdin:
        yield line.rstrip("\n")
