"""Every score sheet of ours is a game here."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.reading import read

SHEETS = {
    file.stem: game_of(read(file.stem, file.read_text(), file.name))
    for file in sorted((Path(__file__).parents[3] / "docs" / "score-sheets").glob("*.toml"))
}


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, game in SHEETS.items():
        monkeypatch.setitem(GAMES, key, game)  # type: ignore[arg-type]
