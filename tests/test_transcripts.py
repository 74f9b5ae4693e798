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


@pytest.mark.parametrize(
    "lines",
    [
        "seed 7\nat 2026-03-07 22:50 America/New_York\nset OPT_OUT_MODE=self\n" + SIT + "Ann> hand\n<Ann 9\n",
        SIT + "phone Ann +12125550150 America/Chicago\nset OPT_OUT_MODE=self\n"
        "at 2026-03-07 22:50 America/New_York\nseed 7\nAnn> hand\n<Ann 9\n",
    ],
    ids=["the-seed-first", "the-table-first"],
)
def test_setting_up_stands_in_any_order(run, lines):
    assert run(lines) == (0, "1 file, 1 check, all hold")


def test_a_phone_named_after_the_table_has_the_number_said(run):
    text = f'{SIT}phone Ann +12125550150\nraw {{"From": "+12125550150", "Body": "hand"}}\n<Ann 9S\n'
    assert run(text) == (0, "1 file, 1 check, all hold")


def test_of_a_phone_number_or_zone_may_be_left_out(run):
    lines = "phone Ann\nphone Bea Asia/Tokyo\nphone Cy +12125550101\nat 2026-03-03 12:00 America/Chicago\n" + SIT
    asked = "Ann> zone\n<Ann Central\nBea> zone\n<Bea Wed 3am\nCy> hand\n<Cy 5C\n"
    assert run(lines + asked) == (0, "1 file, 3 checks, all hold")


def test_names_are_words_of_any_language(run):
    assert run("phone Éva +12125550150 Europe/Paris\nÉva> hi\n<Éva NEW\n<Éva\n")[0] == 1
    assert run("Éva> hi\n<Éva\n!<Éva\n") == (0, "1 file, 2 checks, all hold")


def test_the_text_that_does_not_hold_may_be_asked_what_it_holds(run):
    assert run(f"{SIT}Ann> hand\n<Ann! jack\n<Ann! zero, jack\n<Ann 9\n!<Ann\n") == (0, "1 file, 4 checks, all hold")
    assert run(f"{SIT}Ann> hand\n<Ann! jack\n<Ann zero\n")[0] == 1
    assert run(f"{SIT}Ann> hand\n<Ann! jack\n~Ann 9S\n<Ann 9S\n")[1].startswith("5: expected a text to Ann")


def test_a_line_about_the_table_is_a_check_that_same_may_go_by(run):
    moved = f"{SIT}= same KF7\nAnn> draw\n= table KF7 turn Ann\nAnn> hello\n= same KF7\n"
    assert run(moved) == (0, "1 file, 3 checks, all hold")
    code, said = run(f"{moved}Ann> discard 4h\n= same KF7\n")
    assert (code, "expected table KF7 as it was (version 1), got version" in said) == (1, True)


def test_a_game_is_over_or_not(run):
    assert run(f"{SIT}= table KF7 not over\n= table KF7 over no\n")[0] == 0
    assert run(f"{SIT}= table KF7 over\n")[0] == 1
    assert run(f"{SIT}= table KF7 over yes\n")[0] == 1


def test_a_line_about_a_table_may_say_several_things(run):
    line = "= table kf7 turn Ann, phase draw players 4 not over"
    assert run(f"{SIT}{line}\n") == (0, "1 file, 4 checks, all hold")
    assert run(f"{SIT}{line} version 3\n")[1] == "2: expected version 3, got 0"


def test_any_text_will_do_where_nothing_is_asked_of_it(run):
    assert run(f"{SIT}Ann> hand\n~Ann\n!<Ann\n") == (0, "1 file, 2 checks, all hold")
    assert run(f"{SIT}~Ann\n")[1] == "2: expected an unread text to Ann with '', got none"


def test_a_regular_expression_may_ask_for_any_case(run):
    assert run(f"{SIT}Ann> hand\n<Ann /HAND: .*9s/i\n")[0] == 0
    assert run(f"{SIT}Ann> hand\n<Ann /HAND: .*9s/\n")[0] == 1


def test_spaces_are_as_wide_as_one_likes(run):
    text = "at   2026-03-03   12:00   America/New_York\nsit  pickup.hand   as  KF7\nAnn>   hand\n<Ann   9s ,  qh\n"
    assert run(f"{text}@ + 1d 6h\n@   2026-03-05   08:00\n") == (0, "1 file, 1 check, all hold")


@pytest.mark.parametrize(
    "then", ["", "<Ann drew 7S\n", "= texts Ann 1\n", "= texts Ann 2\n!<Ann\n", "Ann> score\n<Ann Bea+Dot\n"]
)
def test_an_answer_that_comes_again_need_not_be_read(run, then):
    twice = f"{SIT}Ann> draw\n<Ann drew\ndup Ann>\n{then}"
    assert run(twice)[0] == 0
    assert run(f"{twice}!<Ann\n= texts Ann 7\n")[0] == 1


def test_a_hash_in_the_fields_of_a_raw_line_is_no_comment(run):
    text = f'{SIT}raw Ann> {{"Body": "say we are #1 # today"}}   # a comment\n~Bea /we are .1 . today/\n'
    assert run(text) == (0, "1 file, 1 check, all hold")


def test_an_answer_can_come_back_undelivered(run):
    assert run(f"{SIT}Ann> hand\n<Ann 9\nstatus Ann 30003\n= same KF7\n") == (0, "1 file, 2 checks, all hold")


@pytest.mark.parametrize(
    "setting", ["PUBLIC_URL=https://cards.example.com/below", "OPT_OUT_MODE=advanced", "chat = off"]
)
def test_a_setting_needs_no_other_here(run, setting):
    assert run(f"set {setting}\n{SIT}Ann> draw, discard 4h\n<Ann drew\n<Bea your turn\n") == (
        0,
        "1 file, 2 checks, all hold",
    )


def test_a_number_of_ours_that_is_set_is_the_one_that_is_texted(run):
    assert run(f"set TWILIO_NUMBERS=+12125550188\n{SIT}Ann> hand\n<Ann 9\n") == (0, "1 file, 1 check, all hold")


def test_every_text_is_judged_also_to_a_number_that_no_line_names(run, monkeypatch):
    monkeypatch.setattr("commands.stage.Stage.over_budget", lambda *_: "a text that is not GSM-7")
    code, output = run('raw {"From": "+12125550177", "Body": "hi"}\n')
    assert code == 1
    assert "a text that is not GSM-7 to +12125550177" in output


def test_a_webhook_that_breaks_is_told_of(run, monkeypatch):
    def broken(*_):
        raise RuntimeError("this is a test")

    monkeypatch.setattr("service.twilio.inbound.count", broken)
    code, output = run(f"{SIT}Ann> hand\n")
    assert code == 1
    assert "2: expected the webhook to answer, got HTTP 500" in output


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
        ('raw Ann> {"body": "draw"}\n', "1: 'body' is no field of a webhook; it is 'Body'"),
        (f"{SIT}{SIT}", "2: there is a table KF7 already"),
        (f"{SIT}Ann> hi\nsit pickup.hand as kf7\n", "3: there is a table KF7 already"),
        ("status Ann 30003\n", "1: no text has been sent to Ann"),
        (f"{SIT}= table KF7 mood good\n", "2: a line about a table says one of turn, over, phase, players, version"),
        (f"{SIT}= table KF7 turn\n", "2: a line about a table says one of turn"),
        (f"{SIT}= table KF7 over perhaps\n", "2: 'perhaps': a round is 'over' or 'not over'"),
        ("= table QQ9 turn Ann\n", "1: there is no table QQ9"),
        ("Ann> hi\n<Ann /(/\n", "2: /(/ is no regular expression"),
        ("@ 2020-01-01 00:00\n", "1: the clock does not run back"),
        ("set OPT_OUT_MODE=perhaps\nAnn> hi\n", "1: OPT_OUT_MODE"),
        ("set OPT_OUT_MODE=perhaps\n", "OPT_OUT_MODE"),
        ("set OPT_OUT=self\nAnn> hi\n", "1: there is no setting OPT_OUT"),
        ("Ann> hi\nphone Ann +12125550150\n", "2: Ann has another number already"),
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
