"""The documents for who comes next: the picture is what the imports are, and every link leads somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from docs.architecture import PICTURE, ROOT, drawn, floors, known, reached, steps, without_detours

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
SCRIPTS = [
    file
    for file in sorted((ROOT / "docs").glob("*.py"))
    if re.search(rf"(?<!PYTHONPATH=\. )\.venv/bin/python docs/{file.name}", file.read_text())
]
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@cache
def everything() -> dict[str, set[str]]:
    """Read all imports, once, and not where only the names of the tests are asked for."""
    return known()


def test_the_picture_is_what_the_imports_are() -> None:
    assert PICTURE.read_text() == drawn(), "draw it anew: .venv/bin/python docs/architecture.py"


def test_every_arrow_goes_down_and_the_ones_left_out_are_implied() -> None:
    shown = without_detours(everything())
    floor_of = {room: number for number, row in enumerate(floors()) for room in row}
    assert floor_of.keys() == everything().keys()
    for room in everything():
        assert reached(shown, room) == reached(everything(), room)
    for arrow in steps(shown, floor_of):
        assert all(lower[0] == upper[0] + 1 for upper, lower in pairwise(arrow))


def test_an_arrow_upwards_is_not_drawn_but_named() -> None:
    with pytest.raises(SystemExit, match="log knows web"):
        list(steps({"log": {"web"}}, {"web": 0, "log": 1}))


def test_every_room_has_its_word() -> None:
    told = (ROOT / "docs" / "architecture.md").read_text()
    assert [room for room in everything() if f"`{room}`" not in told] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_finds_all_of_ours_when_it_is_started_as_it_says(script: Path, tmp_path: Path) -> None:
    """Python looks beside the script for what it imports, and in the project only if it is told to."""
    load = "import runpy, sys; sys.path[0] = sys.argv[1]; runpy.run_path(sys.argv[2], run_name='loaded')"
    nothing_told = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [sys.executable, "-c", load, str(script.parent), str(script)]
    done = subprocess.run(words, cwd=tmp_path, env=nothing_told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in (one or other for one, other in LINK.findall(document.read_text())):
        if "://" in link:
            continue
        path, _, part = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not part or part in anchors(target), link


def anchors(document: Path) -> set[str]:
    """Name the places that a link can lead to: headings, as they are shown, and anchors."""
    text = document.read_text()
    headings = {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in HEADING.findall(text)}
    return headings | set(re.findall(r'<a id="([^"]+)"', text))
