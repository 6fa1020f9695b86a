"""What a phone at a simulated evening draws, held to what the server draws, and to what a page would show that is loaded now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from companion import log
from companion.games import GAMES
from companion.tables import seating
from companion.tables.seating import Asker
from companion.testing.moments import reader
from companion.web import parts
from companion.web.renderings import part_of, rendering
from tests.house import House


class Modules:
    """The templates of the games as phones have them, in files; compiled when they are asked for first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def there(self, house: House, game: str, seat: int | None, language: str) -> tuple[str, str]:
        """Name the file with the templates of a part, and the template."""
        file = self._folder / f"{game}.{part_of(seat)}.{language}.mjs"
        with reader(house.app, language):
            draws = rendering(GAMES[game])
            if not file.exists():
                module = draws.module(part_of(seat), language)
                assert module
                file.write_bytes(module.code)
            return str(file), draws.template(seat)


def by_server(house: House, code: str, language: str, seat: int | None, view: dict[str, Any]) -> str:
    """Draw what a phone was told."""
    with reader(house.app, language):
        table = seating.find_table(code)
        return str(parts.drawn(table, parts.template(table, seat), view))


def told_now(house: House, code: str, phone: str, language: str, seat: int | None) -> dict[str, Any]:
    """Give what a page of a phone would be told that is loaded now."""
    with reader(house.app, language):
        table = seating.find_table(code)
        told = parts.told(Asker(table, phone), seat, log.read(table))
        return dict(orjson.loads(orjson.dumps(told)))
