"""The walls between the parts that a list of forbidden imports cannot say. `make check` runs it: python -m tools.walls

The import contracts in pyproject.toml say which part may import which. This reads the source and says besides:

- engine: nothing but the standard library and itself, and of the standard library no clock, no network, no files, no
  processes and no shared random numbers (a `random.Random` made from a seed is fine);
- service/text: of ours only itself and the engine; no files, no network, no clock (a time comes in as an argument) and no random numbers;
- Twilio's REST client: only service/twilio/outbound.py imports it, and nothing else in service or workers reaches out
  by HTTP;
- what changes a game (a game's `deal`, `place`, `next_round`, `play`): called only in service/play/, by service/tables.py
  and service/stored.py, and by the few that work on a state of their own (`ON_THEIR_OWN`).
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PARTS = ("engine", "service", "workers", "commands")

# Of the standard library, what reaches out of the process or tells the time.
NO_CLOCK = {"time", "sched"}
NO_IO = {
    "asyncio", "concurrent", "dbm", "fcntl", "ftplib", "glob", "http", "imaplib", "io", "mmap", "multiprocessing", "os", "pathlib",
    "pty", "sched", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket", "socketserver", "sqlite3", "ssl",
    "subprocess", "tempfile", "threading", "urllib", "xmlrpc", "_thread", "ctypes",
}  # fmt: skip
NO_CHANCE = {"secrets", "uuid"}
BANNED = {
    "engine": NO_CLOCK | NO_IO | NO_CHANCE | {"datetime", "zoneinfo", "calendar", "locale", "logging", "warnings"},
    "service/text": NO_CLOCK | NO_IO | NO_CHANCE | {"random"},
}
BUILTIN_IO = {"open", "input", "print", "exec", "eval", "breakpoint"}
READS_THE_CLOCK = {"now", "utcnow", "today"}

CARRIER = "service/twilio/outbound.py"
# These take the carrier's place on this machine: they call our webhook and answer the REST client.
STAND_IN = ("service/carrier.py", "service/carrier_server.py")
HTTP_CLIENTS = (
    "twilio.rest",
    "twilio.http",
    "requests",
    "httpx",
    "aiohttp",
    "urllib3",
    "urllib.request",
    "http.client",
)

CHANGES_A_GAME = {"deal", "place", "next_round", "play"}
CHANGERS = ("service/play/", "service/tables.py", "service/stored.py")  # beginnings of paths
ON_THEIR_OWN = {
    "service/rounds.py",  # plays what has been played once more, on a copy
    "service/text/trial.py",  # tries a reading on a copy
    "service/audit.py",  # plays every log again, beside what is stored
    "commands/simulate_texts.py",
}


def breaches(root: Path) -> list[str]:
    """Every place under `root` that goes through a wall, as `file:line: what is wrong`; empty when all stand."""
    found: list[str] = []
    for part in PARTS:
        for path in sorted((root / part).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            found += breaches_in(name, path.read_text(encoding="utf-8"))
    return found


def breaches_in(name: str, source: str) -> list[str]:
    """The same for one file: its path from the root of the checkout, and its text."""
    tree = ast.parse(source, name)
    found: list[tuple[int, str]] = []
    for pure, banned in BANNED.items():
        if name.startswith(pure + "/"):
            found += impure(tree, pure, banned)
    if name.startswith("service/text/"):
        found += beyond_text(tree)
    if name.startswith("engine/"):
        found += foreign(tree)
        found += shared_chance(tree)
    elif name not in (CARRIER, *STAND_IN):
        found += calls_out(tree, everywhere=name.startswith("commands/"))
    if not name.startswith(("engine/", *CHANGERS)) and name not in ON_THEIR_OWN:
        found += changes(tree)
    return [f"{name}:{line}: {what}" for line, what in sorted(found)]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of all that is imported anywhere in the file; `from a import b` is `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def foreign(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, name in imports(tree):
        top = name.split(".")[0]
        if top != "engine" and top not in sys.stdlib_module_names:
            yield line, f"the engine imports {name}: it may import the standard library and itself"


def beyond_text(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, name in imports(tree):
        if name.split(".")[0] in PARTS and not (name + ".").startswith(("engine.", "service.text.")):
            yield line, f"service/text imports {name}: of ours it may import the engine and itself"


def impure(tree: ast.AST, part: str, banned: set[str]) -> Iterator[tuple[int, str]]:
    for line, name in imports(tree):
        if name.split(".")[0] in banned:
            yield line, f"{part} imports {name}: no clock, no input or output and no chance here"
    times = bound_to(tree, "datetime")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in BUILTIN_IO:
            yield node.lineno, f"{part} calls {node.func.id}(): no input or output here"
        elif isinstance(node.func, ast.Attribute) and node.func.attr in READS_THE_CLOCK and root(node.func) in times:
            yield node.lineno, f"{part} calls .{node.func.attr}(): a time comes in as an argument"


def bound_to(tree: ast.AST, module: str) -> set[str]:
    """The names under which a module, or anything from it, is known in the file."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name == module}
        elif isinstance(node, ast.ImportFrom) and node.module == module:
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def root(node: ast.Attribute) -> str:
    """The name that an attribute hangs on in the end; empty where it is no name."""
    base = node.value
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


def shared_chance(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Uses of `random` other than a `random.Random` that is given its seed."""
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    }
    for line, name in imports(tree):
        if name.startswith("random.") and name != "random.Random":
            yield line, f"the engine imports {name}: only random.Random, made from a seed"
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in modules
            and node.attr != "Random"
        ):
            yield node.lineno, f"the engine uses random.{node.attr}: only random.Random, made from a seed"
        elif isinstance(node, ast.Call) and not node.args and ast.unparse(node.func) in ("Random", "random.Random"):
            yield node.lineno, "random.Random() without a seed: the same deal must give the same game"


def calls_out(tree: ast.AST, everywhere: bool) -> Iterator[tuple[int, str]]:
    """Imports of HTTP clients. The commands may use one (`everywhere`: they type on phones), but never Twilio's."""
    for line, name in imports(tree):
        for client in HTTP_CLIENTS:
            if (name + ".").startswith(client + ".") and not (everywhere and not client.startswith("twilio")):
                yield line, f"imports {name}: only {CARRIER} reaches out, to the carrier"


def changes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Calls of what changes a game. `play.play(...)` and `tables.deal(...)` of the service itself are not among them."""
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("service", "workers", "commands")
        for alias in node.names
    }
    where = "only service/play/, service/tables.py and service/stored.py change a game"
    for line, name in imports(tree):
        if name.startswith("engine.") and name.rsplit(".", 1)[1] in CHANGES_A_GAME:
            yield line, f"imports {name}: {where}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CHANGES_A_GAME and root(node) not in ours | {"service"}:
            yield node.lineno, f"uses .{node.attr}: {where}"


def main() -> int:
    found = breaches(Path(__file__).resolve().parent.parent)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
