"""`queenline play` as a process: the whole service behind one command, typed at through a pipe."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from commands.phones import Line
from commands.play import FOLDER, _typed, command

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60.0


class Playing:
    """A `queenline play` with a pipe as its keyboard."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        process: Any = subprocess.Popen(
            [sys.executable, "-m", "commands", "play", "--data", str(folder), *arguments],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
            env={key: value for key, value in os.environ.items() if key != "DATABASE_URL"} | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.process = process
        self.said = ""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.process.stdout, selectors.EVENT_READ)

    def type(self, words: str) -> None:
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def read_until(self, pattern: str) -> re.Match:
        """Reads on until the screen shows this."""
        end = time.monotonic() + SECONDS
        while (match := re.search(pattern, self.said)) is None:
            assert self._selector.select(end - time.monotonic()), f"no {pattern!r} in {self.said!r}"
            more = os.read(self.process.stdout.fileno(), 65536).decode()
            assert more, f"ended without {pattern!r}: {self.said!r} {self.process.stderr.read()!r}"
            self.said += more
        return match

    def end(self) -> int:
        """The end of the input; what came after it is on the screen, too."""
        rest, errors = self.process.communicate(timeout=SECONDS)
        self.said += rest
        assert errors == ""
        return int(self.process.returncode)


@pytest.fixture
def playing(tmp_path):
    started = []

    def start(*arguments):
        started.append(Playing(tmp_path / "kept", *arguments))
        return started[-1]

    yield start
    for play in started:
        if play.process.poll() is None:
            play.process.send_signal(signal.SIGINT)
            play.process.communicate(timeout=SECONDS)


def blocks(said):
    """What was typed, and what came of it."""
    found = {}
    for block in re.split(r"(?m)^\w+> ", said)[1:]:
        typed, _, rest = block.partition("\n")
        found[typed] = [line.removeprefix("  < ") for line in rest.splitlines()]
    return found


def test_a_newcomer_is_dealt_a_hand(playing, tmp_path):
    play = playing()
    play.process.stdin.write("new damn 500\nbots\n\ndeal\nhand\ndraw\n")
    assert play.end() == 0
    came = blocks(play.said)
    assert list(came) == ["new damn 500", "bots", "deal", "hand", "draw"]
    assert all(len(answers) == 1 for answers in came.values()), play.said
    (hand,) = came["hand"]
    assert "Hand: " in hand, play.said
    cards = re.findall(r"Hand: ([^.]*)\.", hand)[0].split()
    assert len(cards) == 13
    assert re.search(r"you drew \w+\.", came["draw"][0]) or "'s turn" in came["draw"][0]
    assert list((tmp_path / "kept").iterdir()) == []  # a piped play leaves nothing behind


@pytest.mark.slow
def test_a_second_phone_on_the_running_service(playing, tmp_path):
    ann = playing()
    ann.type("new damn 500")
    code = ann.read_until(r"table (\w{3,5}):")[1]
    bea = playing("--as", "bea")
    bea.type(f"join {code}")
    bea.read_until("hello Bea!")
    ann.type("who")
    ann.read_until(r"Bea joined")  # came through the outbox while nothing was typed
    ann.type("bots")
    ann.read_until("2 bots sit down")
    bea.type("deal")
    bea.read_until(r"is dealt[^\n]* Hand: ")
    ann.type("hand")
    ann.read_until(r"dealt")
    assert bea.end() == 0
    assert "Bea> deal" in bea.said
    assert json.loads((tmp_path / "kept" / "running.json").read_text())["pid"] == ann.process.pid
    ann.type("hand")
    assert ann.end() == 0  # and it does not need the second phone
    assert not (tmp_path / "kept" / "running.json").exists()


@pytest.mark.slow
def test_the_note_of_a_service_that_was_killed_does_no_harm(playing, tmp_path):
    (tmp_path / "kept").mkdir()
    note = {"phones": "http://127.0.0.1:1/phones/x", "pid": os.getpid()}
    (tmp_path / "kept" / "running.json").write_text(json.dumps(note))
    play = playing("--as", "Bea")
    play.process.stdin.write("hi\n")
    assert play.end() == 0
    assert "Bea> hi\n  < Queenline: card games by text." in play.said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--as", "stop"], "That can't be a name here."),
        (["--zone", "Mars"], "--zone Mars: no time zone is called that. Try "),
        (["--data", "{}/file/kept"], "/file/kept: no folder to keep games in (Not a directory)."),
        (["--data", "/proc/x"], "--data /proc/x: no folder to keep games in (No such file or directory)."),
    ],
)
def test_an_option_that_cannot_be(tmp_path, arguments, sentence):
    (tmp_path / "file").touch()
    given = [word.format(tmp_path) for word in arguments]
    wrong = CliRunner().invoke(command, ["--data", str(tmp_path), *given])
    assert wrong.exit_code == 2
    assert isinstance(wrong.exception, SystemExit)
    assert sentence in wrong.output


def test_bytes_that_are_no_text_and_the_words_of_the_phone_company(playing):
    play = playing("--zone", "chicago")
    play.process.stdin.flush()
    os.write(play.process.stdin.fileno(), b"hi \xff\xfe\nhelp\nstop\nhand\nstart\n")
    assert play.end() == 0
    came = blocks(play.said)
    assert list(came) == ["hi \ufffd\ufffd", "help", "stop", "hand", "start"]
    assert "STOP" in came["help"][0]
    assert "START" in came["stop"][0]
    assert came["hand"] == []
    assert len(came["start"]) == 1


@pytest.mark.parametrize(("folder", "more"), [(FOLDER, "--as Bea"), (Path("elsewhere"), "--as Bea --data elsewhere")])
def test_a_terminal_is_told_how_to_open_another_phone(folder, more, monkeypatch, capsys):
    class PutAway:
        def __init__(self, prompt: str) -> None:
            assert prompt == "Ann> "

        def prompt(self):
            raise EOFError

    monkeypatch.setattr("prompt_toolkit.PromptSession", PutAway)
    _typed(Line("http://127.0.0.1:1/phones/x", "Ann"), folder)
    assert f"A second terminal: make play ARGS='{more}'\n" in capsys.readouterr().out
