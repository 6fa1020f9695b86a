"""What a sheet costs, beside Chromium printing the same page, and what printing costs the others.

Run: .venv/bin/python -m benchmarks.printing (a quarter of an hour; listens at 127.0.0.1 only)
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from itertools import count, cycle, product
from pathlib import Path

from playwright.sync_api import Page, Playwright, sync_playwright

from benchmarks.asking import Asking
from companion.games import GAMES
from companion.printing import JOINING, Printer, Sheet, forms, items
from companion.printing.around import AROUND
from companion.printing.sheet import font_css
from companion.settings import PRINTABLES
from companion.words import LANGUAGES
from tests.phones import Server, chromium, free_port

ABOUT = {
    "code": "K7QX2M",
    "link": "http://192.168.178.20:8000/t/K7QX2M",
    "date": "2026-11-20",
    "title": "Friday",
    "place": "Brno",
}
WARM, COLD = 5, 3
"""Renderings of a sheet, warm, and cold in its usual form; the median counts."""
QUIET_S, BUSY_S = 8.0, 20.0
CLIENTS = 2
CLOCK = "/clock"


def main() -> None:
    """Print both tables as Markdown."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, chromium(playwright) as browser:
        pages = _dressed(Path(folder))
        print(
            "| sheet | warm ms | Chromium ms | ratio | cold ms | Chromium ms | ratio |\n|---|---|---|---|---|---|---|"
        )
        printer, warm = Printer(PRINTABLES, patience_s=60), []
        for sheet, html in written():
            times = _each(lambda number, html=html: printer.pdf(f"{html}<!-- {number} -->"), WARM)
            warm += times
            theirs = _each(lambda _, html=html: _chromium(browser.new_page(), pages, html), WARM)
            is_usual = sheet.form == forms(sheet.game, sheet.item)[0]
            cold = _row(_cold(html), _cold_chromium(playwright, pages, html)) if is_usual else " | | "
            print(f"| {sheet.game.key} {sheet.item} {sheet.form} | {_row(times, theirs)} | {cold} |")
            sys.stdout.flush()
        printer.close()
        print(f"\nAll sheets warm: median {_ms(warm, 50)} ms, 95th percentile {_ms(warm, 95)} ms.")
        _beside_printing(Path(folder))


def written() -> list[tuple[Sheet, str]]:
    """Write every item of every game in every form, in English on A4; what is drawn alike for all games, of one alone.

    A page that two sheets share is measured once: the second would come from the printer's memory.
    """
    found: dict[str, Sheet] = {}
    for game in GAMES.values():
        for item in items(game):
            if item not in {*JOINING, *AROUND} or game is next(iter(GAMES.values())):
                for form in forms(game, item):
                    sheet = Sheet(game, item, form=form)
                    found.setdefault(sheet.html(about=ABOUT, players=["Anna"] * game.players[-1]), sheet)
    return [(sheet, html) for html, sheet in found.items()]


def _each(do: Callable[[int], object], times: int) -> list[float]:
    """Do it once to warm up, then measure each of several times, in ms."""
    do(-1)
    found = []
    for number in range(times):
        started = time.perf_counter()
        do(number)
        found.append(1000 * (time.perf_counter() - started))
    return found


def _cold(html: str) -> list[float]:
    """Start a render process for one sheet."""
    found = []
    for _ in range(COLD):
        started = time.perf_counter()
        printer = Printer(PRINTABLES, patience_s=60)
        printer.pdf(html)
        found.append(1000 * (time.perf_counter() - started))
        printer.close()
    return found


def _cold_chromium(playwright: Playwright, pages: Path, html: str) -> list[float]:
    """Start a browser for one sheet."""
    found = []
    for _ in range(COLD):
        started = time.perf_counter()
        with chromium(playwright) as browser:
            _chromium(browser.new_page(), pages, html)
            found.append(1000 * (time.perf_counter() - started))
    return found


def _dressed(folder: Path) -> Path:
    """Copy what a sheet may read, with the style sheet of all of them."""
    pages = folder / "printables"
    shutil.copytree(PRINTABLES, pages)
    style = font_css() + (pages / "print.css").read_text()
    (pages / "print.css").write_text(style)
    return pages


def _chromium(page: Page, pages: Path, html: str) -> bytes:
    file = pages / "sheet.html"
    file.write_text(html.replace("<head>", '<head><link rel="stylesheet" href="print.css">'))
    page.goto(file.as_uri())
    pdf = page.pdf(prefer_css_page_size=True, tagged=True)
    page.close()
    return pdf


def beside(folder: Path, quiet_s: float, busy_s: float) -> tuple[int, list[float], list[float]]:
    """Ask for another page, quietly and while clients print in a loop: the sheets, and the ms of both.

    Never is the same sheet printed twice in a row.
    """
    server = Server(folder, free_port())
    stop, lock, printed, ways = threading.Event(), threading.Lock(), count(), _ways(server.port)

    def prints() -> None:
        while not stop.is_set():
            with lock:
                way = next(ways)
            urllib.request.urlopen(way).read()
            next(printed)

    server.start()
    try:
        Asking(server.port, 1, CLOCK).times()
        quiet = Asking(server.port, quiet_s, CLOCK).times()
        clients = [threading.Thread(target=prints) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        Asking(server.port, 2, CLOCK).times()
        busy = Asking(server.port, busy_s, CLOCK).times()
        stop.set()
        for client in clients:
            client.join()
    finally:
        stop.set()
        server.stop()
    return next(printed), quiet, busy


def _ways(port: int) -> Iterator[str]:
    """Lead to sheets that differ."""
    return cycle(
        f"http://127.0.0.1:{port}/print/rage.pdf?players={players}&language={language}&rules=own&bidding={bidding}"
        f"&edition={edition}&tie={tie}"
        for players, language, bidding, edition, tie in product(
            range(3, 9),
            LANGUAGES,
            ("open", "hidden", "secret"),
            ("amigo_2000", "amigo_1985", "us"),
            ("shared", "most_exact_bids"),
        )
    )


def _beside_printing(folder: Path) -> None:
    sheets, quiet, busy = beside(folder, QUIET_S, BUSY_S)
    print(f"\n{CLIENTS} clients printing in a loop ({sheets} sheets), another page beside them:\n")
    print("| | p50 ms | p99 ms |\n|---|---|---|")
    print(f"| quiet | {_ms(quiet, 50)} | {_ms(quiet, 99)} |\n| printing | {_ms(busy, 50)} | {_ms(busy, 99)} |")


def _row(ours: list[float], theirs: list[float]) -> str:
    mine, other = statistics.median(ours), statistics.median(theirs)
    return f"{mine:.0f} | {other:.0f} | {mine / other:.2f}"


def _ms(times: list[float], percent: int) -> str:
    return f"{statistics.quantiles(times, n=100)[percent - 1]:.1f}"


if __name__ == "__main__":
    main()
