"""What tests of the pages look for in them."""

import re

from sqlalchemy import Connection

from service import results, stored
from service.rounds import Round
from service.stored import Table


def caught(pattern: str, text: str) -> str:
    """The first group of a pattern that stands somewhere in the text."""
    match = re.search(pattern, text, re.DOTALL)
    assert match is not None, f"{pattern} is not in {text[:2000]}"
    return str(match[1])


def at(conn: Connection, code: str) -> Table:
    """The table of that code, locked."""
    found = stored.by_code(conn, code)
    assert found is not None
    return found


def finished(conn: Connection, table: Table, n: int) -> Round:
    """Its round of that number, which is over."""
    found = results.of_round(conn, table, n)
    assert found is not None
    return found
