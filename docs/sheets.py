"""Draw every printed page: `PYTHONPATH=. .venv/bin/python docs/sheets.py` fills docs/gallery/paper/."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import album  # noqa: E402
from PIL import Image  # noqa: E402

from companion.game import AnyGame  # noqa: E402
from companion.games import GAMES  # noqa: E402
from companion.printing import ITEMS, NOWHERE, PAPERS, Printer, Sheet, forms, items  # noqa: E402
from companion.printing.around import Won  # noqa: E402
from companion.printing.items import filling  # noqa: E402
from companion.record import read_data, replay  # noqa: E402
from companion.settings import PRINTABLES  # noqa: E402
from companion.words import LANGUAGES  # noqa: E402
from tests.pages.places import NAMES, SETTINGS, Setting, record_of  # noqa: E402

GALLERY = ROOT / "docs" / "gallery" / "paper"
ABOUT = {
    "code": "K7QX2M",
    "link": "http://192.168.1.20:8000/t/K7QX2M",
    "date": "2026-11-20",
    "title": "Friday",
    "place": "Brno",
}
OPEN = {**NOWHERE, "link": "http://192.168.1.20:8000"}
"""What leads to no table yet leads to the companion."""
OF_EACH = ("rule_card", "reference_cards")
"""What is drawn of each game, in the usual form."""
EDGE = 8


def main() -> None:
    """Draw every item in every form, games, languages and papers taking turns, and each game's score sheets."""
    album.empty(GALLERY)
    printer, names = Printer(PRINTABLES, patience_s=60), []
    for name, sheet, filled in _sheets():
        _keep(name, printer.pictures(sheet.html(**filled)))
        names.append(name)
    printer.close()
    head = "# Everything on paper\n\nMade by `docs/sheets.py`, each picture from the very PDF."
    album.list_up(GALLERY, head, names)


def _sheets() -> Iterator[tuple[str, Sheet, dict[str, Any]]]:
    """Yield a name, the sheet and what stands on it."""
    ways = cycle((language, paper) for paper in PAPERS for language in LANGUAGES)
    for setting in (*SETTINGS, Setting("rage", 8, (1,)), Setting("rage", 6, (1,)), Setting("ubongo", 2, (1,))):
        if setting.far[-1] == 1:
            language, paper = next(ways)
            name = f"{setting.game}-score_sheet-{setting.seats}-filled-{language}-{paper}"
            yield name, Sheet(GAMES[setting.game], "score_sheet", language, paper), _played(setting)
    for game in GAMES.values():
        for seats in sorted({game.players[0], game.players[-1]}):
            language, paper = next(ways)
            blank = {"players": [""] * seats}
            yield (
                f"{game.key}-score_sheet-{seats}-{language}-{paper}",
                Sheet(game, "score_sheet", language, paper),
                blank,
            )
    for game, item, form in _kinds():
        sheet = Sheet(game, item, *next(ways), form)
        yield f"{game.key}-{sheet.name}", sheet, {"players": [""] * 4, "about": OPEN}
    yield "table-join_tent", Sheet(GAMES["rage"], "join_tent"), {"about": ABOUT}
    yield "table-certificate", Sheet(GAMES["rage"], "certificate", "es"), _played(Setting("rage", 4, (1,)))
    yield (
        "table-rule_card",
        Sheet(GAMES["rage"], "rule_card"),
        {"about": ABOUT, "options": {"edition": "us", "durch": True}},
    )


def _kinds() -> Iterator[tuple[AnyGame, str, str]]:
    """Yield what else there is: what each game fills in its own way of every game, the rest of one that has it."""
    for item in ITEMS:
        having = [game for game in GAMES.values() if item in items(game)]
        for number, form in enumerate(forms(having[0], item) if item != "score_sheet" else ()):
            turn = (ITEMS.index(item) + number) % len(having)
            some = having if item in OF_EACH and not number else having[turn : turn + 1]
            yield from ((game, item, form) for game in some)


def _played(setting: Setting) -> dict[str, Any]:
    """Play a random evening to its end."""
    play = replay(read_data(record_of(setting, 1))).play
    return {
        "about": ABOUT,
        "options": dict(setting.options),
        "players": list(NAMES[: setting.seats]),
        "facts": filling(play.game, play.positions()),
        "standing": [
            Won(rank=place.rank, seat=place.seat, score=place.score)
            for place in play.game.standing(play.position).places
        ],
    }


def _keep(name: str, pages: list[bytes]) -> None:
    """Put the pages of a sheet side by side on grey."""
    pictures = [Image.open(BytesIO(page)).convert("L") for page in pages]
    width = sum(picture.width + EDGE for picture in pictures) + EDGE
    both = Image.new("L", (width, max(picture.height for picture in pictures) + 2 * EDGE), 160)
    left = EDGE
    for picture in pictures:
        both.paste(picture, (left, EDGE))
        left += picture.width + EDGE
    both.save(GALLERY / f"{name}.webp", quality=60, method=6)


if __name__ == "__main__":
    main()
