"""Plays as text: each move, the ruling, and what it changed on whose screen."""

from pathlib import Path

import pytest

from companion.testing.transcripts import check

FOUND = sorted((Path(__file__).parent / "games").glob("*/transcripts/*.txt"))
ALL = [path for path in FOUND if path.read_text("utf-8").startswith("game: ")]
"""A game may have transcripts in a form of its own, and a test for them."""


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_play_reads_as_its_transcript(path: Path, is_regenerating: bool) -> None:
    check(path, is_regenerating)
