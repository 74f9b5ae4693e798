"""Reads the record files that a command is given."""

from pathlib import Path

from engine.record import Broken, Record, parse_bytes


def read_file(path: Path) -> Record:
    """The record in a file. `Broken` for one that cannot be read, too, with line 1."""
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise Broken(1, "this is a folder; name the *.hand files in it") from None
    except OSError as error:
        raise Broken(1, f"the file cannot be read: {error.strerror or error}") from None
    return parse_bytes(data)
