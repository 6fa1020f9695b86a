"""The first hour of CONTRIBUTING.md, walked: its changes fit the code of today, and the remark is made and said."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.house import environment

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
CHANGE = re.compile(r"^```diff\n--- (\S+)\n(.+?)^```$", re.MULTILINE | re.DOTALL)
CHANGES = CHANGE.findall(PAGE)
RECORD = re.compile(r"^```json\n(.+?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^\| (\w\w) \| (.+) \|$", re.MULTILINE)


def changed(text: str, change: str) -> str:
    """Change a text as a diff says, unless whoever walks the page has done so; what is to be changed stands there once."""
    lines = change.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
    if new in text:
        return text
    assert text.count(old) == 1, f"CONTRIBUTING.md has to say otherwise what is to be changed:\n{change}"
    return text.replace(old, new)


def test_the_changes_of_the_first_hour_make_the_remark(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(
        ROOT / "tests" / "games", tmp_path / "tests" / "games", ignore=shutil.ignore_patterns("__pycache__")
    )
    assert len(CHANGES) == 6
    for name, change in CHANGES:
        file = tmp_path / name
        file.write_text(changed(file.read_text(), change))
    rows = json.loads((tmp_path / "tests/games/rage/examples/ways.json").read_text())
    [row] = [row for row in rows if [remark["rule"] for remark in row.get("remarks", [])] == ["rage.only_fives"]]
    [record] = map(json.loads, RECORD.findall(PAGE))
    assert record["moves"] == row["moves"]
    done = subprocess.run(
        [sys.executable, "-m", "companion", "replay", "--json", "-"],
        cwd=tmp_path,
        env={**environment(tmp_path), "PYTHONPATH": str(tmp_path)},
        input=json.dumps({**record, "players": [f"Player {seat}" for seat in range(row["players"])]}).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["remarks"] == row["remarks"]


def test_its_sentence_is_said_in_the_other_languages_with_the_same_places() -> None:
    said = dict(MARK.findall(PAGE))
    assert list(said) == ["cs", "de", "es", "pl"]
    assert {tuple(re.findall(r"%\(\w+\)s", text)) for text in said.values()} == {("%(seat)s",)}


def test_every_file_that_it_names_is_there() -> None:
    names = set(re.findall(r"`((?:bin|companion|docs|tests)/[\w./]+)", PAGE))
    assert len(names) > 10
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []
