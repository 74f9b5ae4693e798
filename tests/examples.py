"""How many examples a property is tried with: a quarter in an ordinary run, all of them in `make prove`.

Whether the rules take a move is tried with all of them each time: a quarter has missed a suit that was not followed.
"""

import os

SHARE = 1 if os.environ.get("QUEENLINE_EXAMPLES") == "all" else 4
LEAST = 15


def examples(whole: int) -> int:
    return max(whole // SHARE, min(whole, LEAST))
