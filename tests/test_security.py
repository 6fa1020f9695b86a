"""The page that goes through ASVS names every requirement once, in one of three states, and nothing that is not there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "security.md"
MET, NOT_MET, NOT_HERE = STATES = ("met", "**not met**", "not here")
ID = re.compile(r"v5\.0\.0-(\d+\.\d+\.\d+)")
TRIAL = re.compile(r"\[([\w/]+\.py)(?:::(test_\w+))?\]\(\.\./(tests/[\w/]+\.py)\)")
FILE = re.compile(r"`((?:companion|bin|docs|tests)/[\w/.-]+)`")

LEVEL_1 = """
1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8 6.3.1-2 6.4.1-2
7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1
"""
LEVEL_2 = """
1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4
5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1
9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3
12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3
16.5.1-3 17.1.1 17.2.1-4 17.3.1-2
"""
"""The ids of ASVS 5.0.0, as its published list has them; those of level 3 are left out."""


def ids(text: str) -> Iterator[str]:
    """List the ids of a text in which the last number may be a span."""
    for word in text.split():
        section, _, numbers = word.rpartition(".")
        begins, _, ends = numbers.partition("-")
        yield from (f"{section}.{number}" for number in range(int(begins), int(ends or begins) + 1))


LEVELS = {**dict.fromkeys(ids(LEVEL_1), 1), **dict.fromkeys(ids(LEVEL_2), 2)}


def rows() -> list[list[str]]:
    """Read the lines of the requirements, cell by cell."""
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in PAGE.read_text().splitlines()
        if line.startswith("| v5")
    ]


def test_the_list_has_as_many_as_the_standard() -> None:
    assert Counter(LEVELS.values()) == {1: 70, 2: 183}


def test_every_requirement_of_two_levels_has_one_line_and_its_level() -> None:
    named = [(name, row[1]) for row in rows() for name in ID.findall(row[0])]
    assert sorted(name for name, _level in named) == sorted(LEVELS)
    for name, told in named:
        assert str(LEVELS[name]) in told.split(", "), name


def test_every_line_says_what_it_is_about_how_it_stands_and_why() -> None:
    for row in rows():
        requirement, _level, about, state, why, trials = row
        assert state in STATES, requirement
        assert about, requirement
        assert why, requirement
        assert trials == "–" or TRIAL.search(trials), requirement


def test_the_page_counts_itself_right() -> None:
    counted: Counter[str] = Counter()
    for row in rows():
        counted[row[3]] += len(ID.findall(row[0]))
    told = f"{sum(counted.values())} requirements, of which {counted[MET]} are met, {counted[NOT_MET]} are not, and "
    assert f"{told}{counted[NOT_HERE]} have nothing here" in PAGE.read_text().replace("\n", " ")


def test_every_trial_and_file_that_is_named_is_there() -> None:
    text = PAGE.read_text()
    assert len(TRIAL.findall(text)) > 100
    for shown, name, path in TRIAL.findall(text):
        assert path == f"tests/{shown}"
        assert not name or re.search(rf"^(?:    )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE), name
    assert [file for file in FILE.findall(text) if not (ROOT / file).exists()] == []


@pytest.mark.parametrize("about", ["test_security.py", "docs/security.md"])
def test_what_is_promised_leads_to_the_page(about: str) -> None:
    assert about in (PAGE if about.endswith(".py") else ROOT / "SECURITY.md").read_text()
