"""The documentation does not lag behind: what is made from the code is fresh, and what it shows works."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import play, replay, rules, transcript
from engine import record
from engine.record.parts import FACTS_BY_KEY, HEADER_BY_KEY
from engine.registry import GAMES
from service import replies
from service.config import load
from service.play import CHANGE_THE_GAME
from service.text.understand import Context, understand
from tools import docs

ROOT = Path(__file__).resolve().parent.parent
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
TEXTING = (ROOT / "docs" / "texting.md").read_text(encoding="utf-8")


def blocks(text, language):
    """The fenced blocks of a language, by the file name that stands behind it."""
    return dict(re.findall(rf"^```{language} (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


# What is made from the code


@pytest.mark.parametrize("path", docs.made(), ids=lambda path: path.name)
def test_what_is_made_from_the_code_is_fresh(path):
    assert path.read_text(encoding="utf-8") == docs.made()[path], "python -m tools.docs --write"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_a_page_which_the_command_prints(game):
    done = CliRunner().invoke(rules.command, [game.aliases[0]])
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"# {game.title}\n")
    assert "| House rule |" in done.output


def test_a_game_that_we_do_not_have_is_answered_with_those_we_have():
    done = CliRunner().invoke(rules.command, ["bridge"])
    assert done.exit_code == 2
    assert "there is no game 'bridge'; there are: damn-the-queens" in done.output


def test_the_example_of_settings_starts_once_its_secrets_are_filled_in(monkeypatch):
    for line in docs.ENV.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            name, _, value = line.removeprefix("#").partition("=")
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("SECRET_KEY", "0123456789abcdef" * 2)
    monkeypatch.setenv("TWILIO_ACCOUNT_SID", "AC" + "1" * 32)
    monkeypatch.setenv("TWILIO_AUTH_TOKEN", "a-token-of-the-tests")
    assert load().public_url == "https://cards.example.com"


# The two formats


@pytest.mark.parametrize("name", blocks(NOTATION, "hand"))
def test_the_records_of_the_notation_hold(name, tmp_path):
    (tmp_path / name).write_text(blocks(NOTATION, "hand")[name], encoding="utf-8")
    done = CliRunner().invoke(replay.command, [str(tmp_path / name)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", blocks(NOTATION, "texts"))
def test_the_transcripts_of_the_notation_hold(name, tmp_path):
    for file, text in (blocks(NOTATION, "hand") | blocks(NOTATION, "texts")).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert not transcript.run_file(tmp_path / name).failures


def test_the_notation_tells_of_every_line_of_a_record():
    prose = re.sub(r"^```.*?^```$", "", NOTATION, flags=re.DOTALL | re.MULTILINE)
    lines = re.findall(r"`([^`]+)`", prose)
    assert [key for key in HEADER_BY_KEY if not any(re.match(rf"{key}\b", line) for line in lines)] == []
    assert [key for key in FACTS_BY_KEY if not any(re.match(rf"= {key}\b", line) for line in lines)] == []


# What a player may text

POSITIONS = {name: record.begin(record.parse(text)) for name, text in blocks(TEXTING, "hand").items()}


def sections():
    """(the part of the page, the word, its examples) for each word; examples are what list items show as code."""
    part = ""
    for heading in re.split(r"^(?=##)", TEXTING, flags=re.MULTILINE)[1:]:
        title, _, rest = heading.partition("\n")
        if title.startswith("## "):
            part = title[3:]
        items = re.findall(r"^- .*?(?=^\S|\Z)", rest, re.DOTALL | re.MULTILINE)
        yield (
            part,
            title.lstrip("# "),
            [" ".join(text.split()) for item in items for text in re.findall(r"`([^`]+)`", item)],
        )


def read(text, position="your-turn.hand", stage="playing"):
    """How Ann's text would be read at a table of the page's examples."""
    if stage == "none":
        return understand(text, Context())
    board = POSITIONS[position]
    state = None if stage == "open" else board.state
    return understand(
        text,
        Context(board.game, state, 0, board.seated.names, "KF7", ("KF7", "RB4"), stage, ("Ann, your turn at KF7",)),
    )


EXAMPLES = [(part, word, text) for part, word, texts in sections() for text in texts]
POSITION_OF = {"draw": "your-turn.hand", "pickup": "your-turn.hand", "pass": "no-stock.hand"}
STAGE_OF = {"new": "none", "join": "none", "bots": "open", "deal": "open", "rematch": "over"}


@pytest.mark.parametrize(("part", "word", "text"), EXAMPLES, ids=[text for _, _, text in EXAMPLES])
def test_the_examples_are_understood(part, word, text):
    verb = word.split()[0].lower()
    if part == "Moves":
        verb = {"lay": "meld"}.get(verb, verb)
        reading = read(text, POSITION_OF.get(verb, "drawn.hand"))
        assert reading.kind == "moves"
        assert reading.moves[0].verb == verb
    elif part == "Several at once":
        reading = read(text)
        assert reading.kind in ("moves", "command")
        assert len(reading.moves) > 1 or reading.command is not None
    elif part == "Games of tricks":
        reading = read(text, "trick.hand")
        assert reading.kind == "moves"
        assert reading.moves[0].verb == "play"
    elif part == "What is left alone":
        assert read(text).kind == "ignored"
    elif part == "Which table":
        assert read(text).table == "KF7"
    else:
        reading = read(text, stage=STAGE_OF.get(verb, "playing"))
        assert reading.kind == "command"
        assert reading.command.name == verb


def is_understood(word):
    readings = [read(word, stage=stage) for stage in ("none", "open", "playing", "over")]
    return any(reading.command is not None and reading.command.name == word for reading in readings)


def test_every_word_has_its_examples():
    shown = {word.split()[0].lower() for _, word, texts in sections() if texts}
    ours = {*replies.COMMANDS, *CHANGE_THE_GAME} - {"help"}  # that word is the carrier's
    assert {word for word in ours if is_understood(word)} - shown == set()
    assert {"draw", "pickup", "lay", "add", "auto", "discard", "pass"} <= shown


# The first page


def test_the_first_page_has_two_commands_to_set_up_and_one_to_test():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    setup = re.findall(r"^```sh\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)[0].splitlines()
    assert len(setup) == 2
    assert setup[0].startswith("git clone ")
    assert setup[1] == "make play"
    assert "make test" in readme
    assert play.command.params  # `--as`, which the page tells of


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("deploy/*.md")], ids=lambda p: p.name
)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
