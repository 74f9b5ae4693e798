"""tools/walls.py: every kind of breach is found with its line, and good code is let through. `make check` runs it on ours."""

from pathlib import Path

import pytest

from tools.walls import CHANGERS, ON_THEIR_OWN, STAND_IN, breaches, breaches_in

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("file", "source", "says"),
    [
        # engine: the standard library and itself
        ("engine/x.py", "import sqlalchemy", "the engine imports sqlalchemy"),
        ("engine/x.py", "from service.text import render", "the engine imports service.text.render"),
        ("engine/rummy/x.py", "def f():\n    import flask", "the engine imports flask"),
        ("engine/x.py", "if 1:\n    from workers import jobs", "the engine imports workers.jobs"),
        ("engine/x.py", "from . import y", "the engine imports"),
        # ... without a clock, files, a network or processes
        ("engine/x.py", "import time", "no clock"),
        ("engine/x.py", "from datetime import datetime", "no clock"),
        ("engine/x.py", "import os.path", "engine imports os.path"),
        ("engine/x.py", "import urllib.request", "engine imports urllib.request"),
        ("engine/x.py", "from pathlib import Path", "engine imports pathlib.Path"),
        ("engine/x.py", "import threading, json", "engine imports threading"),
        ("engine/x.py", "import logging", "engine imports logging"),
        ("engine/x.py", "x = open('a')", "engine calls open()"),
        ("engine/x.py", "print('a')", "engine calls print()"),
        ("engine/x.py", "eval('1')", "engine calls eval()"),
        # ... and without chance, but from a seed
        ("engine/x.py", "import secrets", "engine imports secrets"),
        ("engine/x.py", "import random\nrandom.shuffle([])", "the engine uses random.shuffle"),
        ("engine/x.py", "import random as r\nr.random()", "the engine uses random.random"),
        ("engine/x.py", "from random import choice", "the engine imports random.choice"),
        ("engine/x.py", "from random import Random\nRandom()", "without a seed"),
        ("engine/x.py", "import random\nrandom.Random()", "without a seed"),
        ("engine/x.py", "from random import SystemRandom", "the engine imports random.SystemRandom"),
        # service/text
        ("service/text/x.py", "from service import play", "service/text imports service.play"),
        ("service/text/x.py", "from service.db import reading", "service/text imports service.db"),
        ("service/text/x.py", "import workers", "service/text imports workers"),
        ("service/text/x.py", "import random", "service/text imports random"),
        ("service/text/x.py", "import time", "service/text imports time"),
        ("service/text/x.py", "from datetime import datetime\ndatetime.now()", "calls .now()"),
        ("service/text/x.py", "import datetime as d\nd.date.today()", "calls .today()"),
        ("service/text/x.py", "from datetime import datetime as dt\nx = [dt.utcnow()]", "calls .utcnow()"),
        ("service/text/x.py", "def f():\n    return open('a').read()", "service/text calls open()"),
        # the carrier's REST API
        ("service/play/door.py", "from twilio.rest import Client", "reaches out"),
        ("service/twilio/inbound.py", "import twilio.rest", "reaches out"),
        ("workers/x.py", "import requests", "reaches out"),
        ("workers/x.py", "from urllib.request import urlopen", "reaches out"),
        ("service/x.py", "import http.client", "reaches out"),
        ("service/x.py", "from urllib3 import PoolManager", "reaches out"),
        ("commands/x.py", "from twilio.rest import Client", "reaches out"),
        # what changes a game
        ("service/replies.py", "def f(t):\n    t.game.play(t.state, 0, None)", "uses .play: only service/play/"),
        ("service/playing.py", "def f(game):\n    game.play(1)", "uses .play"),
        ("service/replies.py", "def f(game):\n    game.deal(None, 4, '')", "uses .deal"),
        ("workers/x.py", "def f(game, state):\n    game.next_round(state)", "uses .next_round"),
        ("service/web/x.py", "def f(game):\n    return game.place", "uses .place"),
        ("commands/x.py", "from engine.rummy.table import place", "imports engine.rummy.table.place"),
        ("service/desk.py", "class A:\n    def f(self):\n        self.table.game.play(1)", "uses .play"),
    ],
)
def test_a_breach_is_found(file, source, says):
    found = breaches_in(file, source)
    assert len(found) >= 1
    assert any(says in line for line in found), found
    assert all(line.startswith(f"{file}:") for line in found)


def test_a_breach_is_named_with_its_line():
    assert breaches_in("engine/x.py", "import json\n\nimport time\n") == [
        "engine/x.py:3: engine imports time: no clock, no input or output and no chance here"
    ]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "engine/x.py",
            "import json\nfrom random import Random\nfrom engine.cards import Card\nRandom('7/1').shuffle([])",
        ),
        ("engine/x.py", "import random\nrandom.Random(7)"),
        ("engine/x.py", "class Game:\n    def play(self): ...\n\ndef f(game):\n    game.play()"),
        ("engine/x.py", "def read(text): ...\nread('print')"),
        (
            "service/text/x.py",
            "from engine.game import Move\nfrom service.text.gsm7 import fold\nfrom rapidfuzz import fuzz",
        ),
        ("service/text/x.py", "from datetime import datetime\n\ndef f(now: datetime):\n    return now.hour"),
        ("service/text/x.py", "def f(speech, view):\n    return speech.now(view)"),
        ("service/twilio/outbound.py", "from twilio.rest import Client"),
        ("service/carrier.py", "import requests\nfrom twilio.http import HttpClient"),
        ("service/twilio/signature.py", "from twilio.request_validator import RequestValidator"),
        ("commands/phones.py", "import requests"),
        ("service/play/course.py", "def f(game):\n    game.play(1)\n    game.next_round(2)"),
        ("service/tables.py", "def f(game):\n    return game.deal(1)"),
        ("service/x.py", "from service import play, tables\nplay.play\ntables.deal(1)"),
        ("commands/simulate_texts.py", "def f(game):\n    game.play(1)"),
        ("service/x.py", "import time\ntime.sleep(1)"),
    ],
)
def test_good_code_is_let_through(file, source):
    assert breaches_in(file, source) == []


@pytest.mark.parametrize("let_through", sorted([*ON_THEIR_OWN, *STAND_IN]))
def test_nothing_is_let_through_that_needs_it_not(let_through):
    source = (ROOT / let_through).read_text(encoding="utf-8")
    assert not any(let_through.startswith(beginning) for beginning in CHANGERS)
    assert breaches_in("service/another.py", source)


def test_it_reads_a_whole_checkout(tmp_path):
    for name, source in (
        ("engine/a.py", "import time"),
        ("workers/b/c.py", "import requests"),
        ("tools/d.py", "import time"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    assert [line.partition(": ")[0] for line in breaches(tmp_path)] == ["engine/a.py:1", "workers/b/c.py:1"]
