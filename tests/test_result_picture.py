"""The picture of a result: drawn by the real printer, and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from itertools import cycle
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from companion.desk.passing import evening_of
from companion.desk.result import shown
from companion.games import GAMES
from companion.printing import Printer
from companion.printing.result import HEIGHT_PX, WIDTH_PX, result_html
from companion.record import read_data, replay
from companion.settings import PRINTABLES
from companion.tables import opening
from companion.words import LANGUAGES
from tests.house import House
from tests.pages.places import Setting, record_of
from tests.proofs import text

ROOT = Path(__file__).parents[1]
LONG = ("W" * 24, "Žofie Ďurková", "Łukasz Żółć", "Ñuño Gutiérrez", "<b>W</b>&amp;", "Bo", "Maximilian the Great", "Di")
LONGEST = "W" * 40
"""What a host may call a game."""
DRAWN = [
    (game, seats, language)
    for (game, seats), language in zip(
        ((game, GAMES[game].players[end]) for game in GAMES for end in (0, -1)), cycle(LANGUAGES), strict=False
    )
]
"""Each game for the fewest and for the most, the languages in turn."""
ROOM = 200
"""Letters of reasons that leave the course its place, for any number of players."""
GOLD = (0xFB, 0xE9, 0xBD)
"""The ground of the first place."""


@pytest.fixture(scope="module")
def printer() -> Iterator[Printer]:
    with closing(Printer(PRINTABLES, patience_s=60)) as printer:
        yield printer


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("results"))


@pytest.mark.parametrize(("game", "seats", "language"), DRAWN)
def test_the_picture_shows_the_result(house: House, printer: Printer, game: str, seats: int, language: str) -> None:
    written = {**record_of(Setting(game, seats, (1,)), 1), "players": list(LONG[:seats])}
    if named_by := GAMES[game].named_by:
        written["options"] = {**written["options"], named_by: LONGEST}
    with house.app.test_request_context("/", headers={"Accept-Language": language}):
        table = opening.open_from(replay(read_data(written)), "host")
        table.location, table.title = "U Anny v Dlouhé ulici", "Friday"
        evening = evening_of(table)
        assert evening
        what = shown(table, evening)
    html = result_html(GAMES[game], what, language)
    picture = Image.open(BytesIO(printer.painting(html))).convert("RGB")
    assert picture.size == (WIDTH_PX, HEIGHT_PX)
    seen = picture.getcolors(WIDTH_PX * HEIGHT_PX)
    assert len(seen) > 50
    near = sum(count for count, tint in seen if max(abs(a - b) for a, b in zip(tint, GOLD, strict=True)) < 4)
    assert (near > WIDTH_PX * 30) == (not GAMES[game].is_shared)
    pdf = printer.pdf(html)
    assert len(PdfReader(BytesIO(pdf)).pages) == 1, "something did not fit"
    said = re.sub(r"\s", "", text(pdf))
    assert what["game_name"] == (LONGEST if named_by else GAMES[game].name)
    for known in (what["game_name"], what["title"], *what["about"], what["headline"], *what["reasons"]):
        assert re.sub(r"\s", "", known) in said
    for place in what["places"]:
        assert re.sub(r"\s", "", place["head"]["name"]) in said
        assert place["score"] in said
    if what["chart"] is None:
        assert len(" ".join(what["reasons"])) > ROOM, "there is room for the course"
        return
    assert html.count("<polyline") == len(what["chart"].lines) == (1 if GAMES[game].is_shared else seats)


def test_seats_have_the_same_colours_in_pictures_as_on_pages() -> None:
    style = (ROOT / "companion" / "static" / "companion.css").read_text()
    tints = re.findall(r"\.tint-\d \{\s+--tint: (#\w+);\s+--tint-edge: (#\w+);", style)
    assert tints == re.findall(r'\("(#\w+)", "(#\w+)"\)', (ROOT / "printables" / "shapes.html").read_text())
    assert len(tints) == 8


def test_lines_are_dashed_in_pictures_as_on_pages() -> None:
    """Who cannot tell their colours apart can tell their dashes."""
    style = (ROOT / "companion" / "static" / "companion.css").read_text()
    dashes = re.findall(r"\.dash-\d \{\s+stroke-dasharray: ([\d ]+);", style)
    drawn = (ROOT / "printables" / "painted.html").read_text()
    assert f"DASHES = {['none', *dashes]}".replace("'", '"') in drawn
    assert "DASHES[loop.index0]" in drawn
