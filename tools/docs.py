"""The parts of the documentation that are made from the code. python -m tools.docs [--write]

The table of house rules on the page of each game (from the registry), docs/settings.md and deploy/env.example (from the
settings' own descriptions). Without --write it says which of them are stale, and exits with 1.
"""

import sys
import textwrap
from pathlib import Path

from pydantic.fields import FieldInfo

from engine.registry import GAMES
from service.config import Settings
from service.rulebook import DOCS, filled, page, table

ROOT = DOCS.parent
ENV = ROOT / "deploy" / "env.example"

# What an example file may say. Secrets are left empty; a service started with one empty says what belongs there.
EXAMPLES = {
    "database_url": "sqlite:////var/lib/queenline/queenline.db",
    "redis_url": "redis://localhost:6379/0",
    "public_url": "https://cards.example.com",
    "secret_key": "",
    "twilio_account_sid": "",
    "twilio_auth_token": "",
    "twilio_numbers": "+12125550100",
}

ENV_HEAD = """\
# The settings of Queenline, for `EnvironmentFile=` of the systemd units or as `.env` beside the Procfile. Copy this file,
# fill in what is empty, and let nobody but the service read the copy: it holds secrets. docs/settings.md has the same as a table.
"""


def made() -> dict[Path, str]:
    """Every file that is made from the code, as it should be."""
    files = {DOCS / f"{game.name}.md": page(game) for game in GAMES if (DOCS / f"{game.name}.md").exists()}
    settings = DOCS / "settings.md"
    files[settings] = filled(settings.read_text(encoding="utf-8"), "settings", settings_table())
    files[ENV] = env_example()
    return files


def settings_table() -> str:
    """The settings as a table."""
    rows = [(f"`{name.upper()}`", said(field), default(field)) for name, field in Settings.model_fields.items()]
    return table(("Setting", "What it is", "Left out"), rows)


def said(field: FieldInfo) -> str:
    """A setting's description, as a sentence of its own."""
    text = field.description or ""
    return text[:1].upper() + text[1:]


def default(field: FieldInfo) -> str:
    """What a setting is where nobody sets it."""
    if field.is_required():
        return "the start is refused"
    value = field.default
    word = ",".join(value) if isinstance(value, tuple) else str(value)
    return f"`{word}`" if word else "nothing"


def env_example() -> str:
    """Every setting with its description; what has a default, or may be left out, as a comment."""
    lines = [ENV_HEAD]
    for name, field in Settings.model_fields.items():
        lines += textwrap.wrap(
            said(field) + ".", 118, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
        )
        if name in EXAMPLES:
            lines.append(f"{name.upper()}={EXAMPLES[name]}")
        else:
            lines.append(f"#{name.upper()}={default(field).strip('`').removeprefix('nothing')}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main(write: bool) -> int:
    """Writes what is stale, or names it; the exit code."""
    stale = []
    for path, text in made().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if write:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {'written' if write else 'stale, run python -m tools.docs --write'}")
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:]))
