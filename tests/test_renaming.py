"""Whoever is renamed or forgotten by a command is called so on pages that are open, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.api.wire import KINDS, PageWire, house_of
from tests.house import House, companion


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    yield from house_of(request, tmp_path)


def test_an_open_page_is_told_of_another_name_at_once(house: House) -> None:
    """Found by hand: it came with the next move, since the server did not know what the command had done."""
    server = house.server(workers=2 if house.redis else 1)
    code = house.open(phones={0: "anna"})
    other = house.open(["Anna", "Bo", "Cy"])
    around = {name: value for name, value in server.environment.items() if name.startswith("COMPANION_")}
    try:
        server.start()
        page = PageWire(server.port, code, "anna", "0")
        with closing(page.socket):
            assert page.read()["number"] == 1
            for words, name in ((["rename", "Anna", "Hana"], "Hana"), (["forget", "Hana"], "Seat A")):
                assert companion(house.folder, *words, **around).returncode == 0
                assert page.read()["all"]["names.0"] == name
    finally:
        server.kill()
    assert house.rows("SELECT name FROM seatings WHERE name IN ('Anna', 'Hana')") == []
    assert [(kind, seat) for _number, kind, seat, *_ in house.entries(other)] == [("seat", 0)] * 2
