"""The site of the documents: every page has its place, is written as MkDocs reads it, and names keys as they are called."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, expect, sync_playwright

from companion.games import GAMES
from companion.words import LANGUAGES
from docs.build import CONFIGURATION, ROOT, shelved, unescaped, unlinked
from tests.catalogues import read
from tests.phones import chromium

SITE = yaml.safe_load(CONFIGURATION.read_text())
KEY = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
FENCED = re.compile(r"^( *)```.*?^ *```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r'<img src="([^"]+)"|!\[[^\]]*\]\(([^)]+)\)')
ITEM = re.compile(r" *([*-]|\d+\.) ")
ASKED = re.compile(r'<(?:script|img|iframe|source|link)\b[^>]*?(?:src|href)="?((?:https?:)?//[^\s">]+)')
EVENING = {
    language: ROOT / "docs" / f"first-evening{'' if language == LANGUAGES[0] else f'.{language}'}.md"
    for language in LANGUAGES
}


def placed(part: Any) -> Iterator[str]:
    """List the pages of the navigation, in its order."""
    if isinstance(part, str):
        yield part
    for each in part if isinstance(part, list) else part.values() if isinstance(part, dict) else ():
        yield from placed(each)


PAGES = [*placed(SITE["nav"])]
catalogue = cache(read)


def keys(page: Path) -> list[str]:
    """List what stands in bold on a page: the words on keys, and heads of pages."""
    return [" ".join(key.split()) for key in KEY.findall(FENCED.sub("", page.read_text()))]


def test_every_page_stands_in_the_navigation_once() -> None:
    with shelved() as shelf:
        walked = os.walk(shelf, followlinks=True)
        there = {str(Path(folder, name).relative_to(shelf)) for folder, _, names in walked for name in names}
    assert sorted(PAGES) == sorted(name for name in there if name.endswith(".md"))


@pytest.mark.parametrize("page", PAGES)
def test_lists_and_blocks_are_written_so_that_mkdocs_sees_them(page: str) -> None:
    """A list needs an empty line before it, and what lies in a list an indentation of four."""
    text = (ROOT / page).read_text()
    assert {len(spaces) % 4 for spaces in FENCED.findall(text)} <= {0}
    before = ""
    for line in FENCED.sub("", text).splitlines():
        assert not ITEM.match(line) or not before or ITEM.match(before) or before.startswith(" "), line
        before = line.rstrip()


def test_a_link_to_what_is_not_on_the_site_leaves_its_words() -> None:
    shown = {"docs/api.md", "docs/deploying.md"}
    told = partial(unlinked, page="docs/api.md", shown=shown)
    kept = "[A](deploying.md#watching), [b](#webhooks), [c](https://club.example), [d](nowhere.md), ![e](pictures/seat.png)"
    assert told(kept) == kept
    assert told("[`game.py`](../companion/game.py)") == '<span title="companion/game.py">`game.py`</span>'
    assert told("[Cairn [1]](../tests/fifth_game)") == '<span title="tests/fifth_game">Cairn [1]</span>'


def test_a_bar_in_the_code_of_a_row_is_shown_as_it_is_meant() -> None:
    assert unescaped(r"| `a4\|letter` | one \| two |") == r"| `a4|letter` | one \| two |"


@pytest.mark.parametrize("page", [EVENING["en"], ROOT / "docs" / "games.md", ROOT / "docs" / "printing.md"])
def test_keys_are_called_what_they_are_called(page: Path) -> None:
    games = {game.name for game in GAMES.values()}
    assert [key for key in keys(page) if key not in catalogue(LANGUAGES[1]) and key not in games] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_first_evening_says_the_same_in_every_language(language: str) -> None:
    english, other = EVENING["en"].read_text(), EVENING[language].read_text()
    assert sorted(keys(EVENING[language])) == sorted(
        str(catalogue(language)[key].string) for key in keys(EVENING["en"])
    )
    assert [block[0] for block in FENCED.finditer(other)] == [block[0] for block in FENCED.finditer(english)]
    assert PICTURE.findall(other) == PICTURE.findall(english)
    assert other.count("\n#") == english.count("\n#")
    assert other.count("\n|") == english.count("\n|")


def test_every_language_of_the_first_evening_leads_to_the_others() -> None:
    for page in EVENING.values():
        assert {link for link in EVENING.values() if f"({link.name})" in page.read_text()} == {*EVENING.values()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "site"
    subprocess.run([ROOT / "bin" / "site", folder], check=True)
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Give the site to browsers."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.long
def test_the_site_is_built_whole_and_asks_nobody(site: Path) -> None:
    """MkDocs is strict: a link that leads nowhere ends it."""
    made = {str(page.relative_to(site).with_suffix(".md")) for page in site.rglob("*.html")}
    assert {re.sub(r"\bREADME\.md$", "index.md", page) for page in PAGES} <= made
    for page in site.rglob("*.html"):
        assert ASKED.findall(page.read_text()) == [], page
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text()), style


def test_what_a_page_would_ask_for_is_found() -> None:
    assert ASKED.findall('<link rel="stylesheet" href="https://a.example/b.css"><script src=//c.example/d.js>') == [
        "https://a.example/b.css",
        "//c.example/d.js",
    ]
    assert ASKED.findall('<a href="https://a.example">a</a> <img src="docs/a.png">') == []


def draws_its_pictures(page: Page) -> None:
    page.evaluate("document.querySelectorAll('img').forEach(image => { image.loading = 'eager' })")
    page.wait_for_function("[...document.images].every(image => image.complete)")
    assert page.evaluate("[...document.images].filter(image => !image.naturalWidth).map(image => image.src)") == []


@pytest.mark.long
def test_a_reader_finds_and_sees_what_is_there_without_any_other_server(address: str) -> None:
    asked: set[str] = set()
    with sync_playwright() as playwright, chromium(playwright) as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.add("/".join(request.url.split("/")[:3])))
        for place in ("index.html", "docs/games.html", "docs/architecture.html", "docs/gallery/paper/index.html"):
            page.goto(f"{address}/{place}")
            draws_its_pictures(page)
        page.goto(f"{address}/docs/first-evening.cs.html")
        assert page.locator("html").get_attribute("lang") == "cs"
        page.get_by_role("textbox", name="Search").fill("webhook")
        found = page.locator(".md-search-result__link").first
        expect(found).to_contain_text("What programs may rely on")
        found.click()
        expect(page).to_have_url(re.compile(r"/docs/api\.html"))
    assert asked - {"data:"} == {address}


@pytest.mark.long
def test_a_site_that_is_opened_from_a_disk_is_searched(site: Path) -> None:
    asked: set[str] = set()
    with sync_playwright() as playwright, chromium(playwright) as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.add(request.url.partition(":")[0]))
        for place in ("index.html", "docs/gallery/paper/index.html"):
            page.goto((site / place).as_uri())
            page.get_by_role("textbox", name="Search").fill("webhook")
            found = page.locator(".md-search-result__link").first
            expect(found).to_contain_text("What programs may rely on")
            found.click()
            expect(page).to_have_url(re.compile(r"^file:.*/docs/api\.html"))
    assert asked - {"data"} == {"file"}
