"""Every transcript in tests/texts holds, and `queenline transcript` says rightly what does not."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from commands.transcript import command, run_file

TEXTS = Path(__file__).parent / "texts"
FILES = sorted(TEXTS.glob("*.texts"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_holds(path):
    report = run_file(path)
    assert [str(failure) for failure in report.failures] == []
    assert report.checks > 0


def test_there_are_many():
    assert len(FILES) > 20
    for path in FILES:
        assert path.read_text(encoding="utf-8").startswith("# "), f"{path.name} says first what it shows"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "pickup.hand").write_text((TEXTS / "pickup.hand").read_text())

    def run(text, *more):
        path = tmp_path / "x.texts"
        path.write_text(text, encoding="utf-8")
        result = CliRunner().invoke(command, [str(path), *more])
        return result.exit_code, result.output.replace(f"{path}:", "").strip()

    return run


SIT = "sit pickup.hand as KF7\n"


def test_what_holds_is_counted(run):
    assert run(f"{SIT}Ann> hand\n<Ann 9\n!<Bea\n= table KF7 turn Ann\n") == (0, "1 file, 3 checks, all hold")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{SIT}Ann> hand\n<Ann jack\n", "3: expected a text to Ann with 'jack', got 'KF7: your turn."),
        (f"{SIT}Ann> hand\n<Ann! 9\n", "3: expected a text to Ann without '9', got 'KF7: your turn."),
        (f"{SIT}<Ann hand\n", "2: expected a text to Ann with 'hand', got none"),
        (f"{SIT}Ann> hand\n!<Ann\n", "3: expected no text to Ann, got 'KF7"),
        (f"{SIT}~Ann nine\n", "2: expected an unread text to Ann with 'nine', got none"),
        (f"{SIT}= table KF7 turn Bea\n", "2: expected turn Bea, got Ann"),
        (f"{SIT}= table KF7 phase meld\n", "2: expected phase meld, got draw"),
        (f"{SIT}= table KF7 over\n", "2: expected over, got not over"),
        (f"{SIT}= table KF7 players 3\n", "2: expected players 3, got 4"),
        (f"{SIT}= table KF7 version 1\n", "2: expected version 1, got 0"),
        (f"{SIT}= same KF7\nAnn> draw\n= same KF7\n", "4: expected table KF7 as it was (version 0), got version 1"),
        (f"{SIT}= texts Ann 1\n", "2: expected 1 texts to Ann, got 0"),
        (f"{SIT}Ann> hand\n= segments Ann 2\n", "3: expected 2 segments to Ann, got 1"),
    ],
)
def test_what_does_not_hold_is_told_with_its_line(run, text, line):
    code, output = run(text)
    assert code == 1
    assert output.startswith(line), output


def test_all_failures_are_told(run):
    code, output = run(f"{SIT}<Ann a\n<Bea b\n= table KF7 turn Cy\n")
    assert code == 1
    assert [line.partition(":")[0] for line in output.splitlines()] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense\n", "1: 'nonsense' is no line of a transcript"),
        ("Ann> hi\nat 2026-03-03 12:00 America/New_York\n", "2: the 'at' line stands before everything"),
        ("Ann> hi\nset OPT_OUT_MODE=self\n", "2: a 'set' line stands before everything"),
        ("at yesterday\n", "1: 'yesterday' is no time with its zone"),
        ("at 2026-03-03 12:00 Mars/Olympus\n", "is no time with its zone"),
        ("phone Ann +12125550101 Mars/Olympus\n", "1: 'Mars/Olympus' is no time zone"),
        ("sit nowhere.hand as KF7\n", "1: nowhere.hand:1: the file cannot be read"),
        ("Ann> join {code}\n", "1: no line before this has caught {code}"),
        ("dup Ann>\n", "1: Ann has not sent a text yet"),
        ("raw Ann> {nonsense}\n", "1: a raw line has its fields as JSON"),
        ("status Ann 30003\n", "1: no text has been sent to Ann"),
        ("= table QQ9 turn Ann\n", "1: there is no table QQ9"),
        ("Ann> hi\n<Ann /(/\n", "2: /(/ is no regular expression"),
        ("@ 2020-01-01 00:00\n", "1: the clock does not run back"),
        ("set OPT_OUT_MODE=perhaps\nAnn> hi\n", "OPT_OUT_MODE"),
    ],
)
def test_a_file_that_cannot_be_read(run, text, says):
    code, output = run(text)
    assert code == 2
    assert says in output, output


def test_the_worst_decides(run, tmp_path):
    good = tmp_path / "good.texts"
    good.write_text("Ann> hi\n<Ann NEW\n")
    assert run("nonsense\n", str(good))[0] == 2
    assert run("Ann> hi\n<Ann zzz\n", str(good))[0] == 1
    assert CliRunner().invoke(command, [str(good)]).exit_code == 0
    assert CliRunner().invoke(command, [str(tmp_path / "none.texts")]).exit_code == 2


def test_a_named_group_becomes_a_word(run):
    assert (
        run("Ann> new damn\n<Ann /table (?P<code>\\w+)/\nBea> join {code}\n<Bea {code}\n= table {code} players 2\n")[0]
        == 0
    )


def test_comments_and_blank_lines_mean_nothing(run):
    assert run(f"# a comment\n\n{SIT}   # another\nAnn> hand   # and one behind\n<Ann 9 # so\n") == (
        0,
        "1 file, 1 check, all hold",
    )


def test_a_line_break_inside_a_text(run):
    assert run(f"{SIT}Ann> draw\\ndiscard 4h\n<Ann drew, discarded\n")[0] == 0


def test_the_clock_runs(run):
    text = f"at 2026-03-03 12:00 America/New_York\n{SIT}Ann> draw, discard 4h\n<Ann Bea\n@ +11m\nAnn> draw, discard 4h\n<Ann Bea's turn\n"
    assert run(text)[0] == 0
    assert run(text.replace("<Ann Bea's turn", "<Ann did that already"))[0] == 1
