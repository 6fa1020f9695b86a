"""A release: every licence is named and may be shipped, versions agree, and (--long) one is made in a copy of the tree."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

import companion
from docs.licences import PAGE, licence, shipped, written
from tests.releases import POSTGRESQL, RECORDS, SQLITE
from tests.test_packaging import ROOT

FREE = re.compile(r"MIT|BSD|Apache|MPL|Mozilla|PSF|LGPL|Zope|Python Software")
VERSION = r'^version = "(.+)"$'


def test_the_page_of_licences_is_what_the_packages_say() -> None:
    assert PAGE.read_text() == written(), "write it anew: .venv/bin/python docs/licences.py"


def test_everything_may_be_shipped() -> None:
    assert [name for name in shipped() if not FREE.search(licence(name))] == []


def test_the_version_is_one() -> None:
    assert re.findall(VERSION, (ROOT / "pyproject.toml").read_text(), re.MULTILINE) == [companion.__version__]


@pytest.mark.parametrize(
    ("words", "told"),
    [((), "say which version"), (("1.0",), "say which version"), (("v1.0.0",), "say which version")],
    ids=["none", "two numbers", "a letter"],
)
def test_a_release_without_a_version_is_refused(words: tuple[str, ...], told: str) -> None:
    done = subprocess.run([ROOT / "bin" / "release", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert told in done.stderr


@pytest.mark.long
def test_a_release_is_made_whole_in_a_copy_of_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    subprocess.run(["git", "clone", "--quiet", ROOT, tree], check=True)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    (version,) = re.findall(r"^## (\S+) – unreleased$", (tree / "CHANGELOG.md").read_text(), re.MULTILINE)
    for name, value in {"user.name": "Anna", "user.email": "anna@localhost"}.items():
        subprocess.run(["git", "config", name, value], cwd=tree, check=True)
    subprocess.run([tree / "bin" / "release", version], check=True)
    made = {path.name: path for path in (tree / "dist" / version).iterdir()}
    assert {path.suffix for path in made.values()} == {".whl", ".deb", ".json", ""}
    sums = dict(reversed(line.split()) for line in made.pop("SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in made.items()}
    listed = json.loads(made[f"companion-{version}.cdx.json"].read_bytes())
    assert {one["name"].lower() for one in listed["components"]} == set(shipped())
    kept = subprocess.run(
        ["git", "ls-files", f"tests/releases/{version}"], cwd=tree, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    assert {Path(file).name for file in kept} == {SQLITE, POSTGRESQL, RECORDS}
    said = subprocess.run(["git", "describe"], cwd=tree, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said == f"v{version}\n"
