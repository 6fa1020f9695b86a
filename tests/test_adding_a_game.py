"""docs/adding-a-game.md is true: its code stands in packages that the tests play, and its commands run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from companion.game import Game
from tests.phones import ROOT

PAGE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((\.\./[^)]+)\)")
TEXT = PAGE.read_text()
EXAMPLES = [match for match in BLOCK.finditer(TEXT) if match[1] not in {"", "sh"}]
COMMANDS = [line for match in BLOCK.finditer(TEXT) if match[1] == "sh" for line in match[2].splitlines()]
BY_OTHERS = ("pip install", "companion serve", "pytest")
"""What `tests/test_packaging.py` and `tests/test_installed.py` run."""


def named_before(place: int) -> Path:
    """Give the file that was named last before a place of the page."""
    return PAGE.parent / LINK.findall(TEXT[:place])[-1]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda match: f"{match[1]} at {match.start()}")
def test_an_example_stands_in_the_file_that_is_named_before_it(example: re.Match[str]) -> None:
    files = [named_before(example.start())]
    files += sorted(files[0].parent.rglob("*.css-tpl")) if example[1] == "css" else []
    texts = [file.read_text().replace("«key»", "twenty_dice").replace("«name»", "Twenty Dice") for file in files]
    assert any(example[2] in text for text in texts), files


def test_every_command_runs_in_the_order_of_the_page(tmp_path: Path) -> None:
    folder = tmp_path / "twenty_dice"
    paths = [str(ROOT), str(folder)]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COMPANION_DATA": str(tmp_path / "data")}
    assert len(COMMANDS) >= 9
    for line in COMMANDS:
        if line.startswith(BY_OTHERS):
            continue
        program, *words = shlex.split(line)
        assert program == "companion"
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        if words[0] == "new-game":
            lay_beside(folder)
    assert {"sheet.pdf", "rules.pdf"} <= {file.name for file in tmp_path.iterdir()}
    assert (folder / "twenty_dice/translations/es/LC_MESSAGES/messages.po").is_file()


def lay_beside(folder: Path) -> None:
    """Leave what an installation that can be edited leaves."""
    about = folder / "twenty_dice-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: twenty-dice\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[companion.games]\ntwenty_dice = twenty_dice:GAME\n")


def test_every_field_of_a_game_is_told_of() -> None:
    obvious = {"key", "name", "players", "rules", "options", "words", "folder", "question"}
    assert [part.name for part in fields(Game) if part.name not in obvious and f"`{part.name}" not in TEXT] == []
