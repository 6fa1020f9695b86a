"""What the rulebooks leave open: `docs/decisions.md` has every ruling that is cited, once, as the code has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.fields import Choice, Switch
from companion.games import GAMES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "decisions.md").read_text()
ROW = re.compile(r'^\| <a id="(?P<anchor>[^"]+)"></a>(?P<id>\S+) \| (?P<cells>.+) \|$', re.MULTILINE)
ROWS = {row["id"]: row["cells"].split(" | ") for row in ROW.finditer(PAGE)}
BOOK, RULING, EVIDENCE = r"[A-Z]-[a-z]{2}\b", r"\b[HIRU]\d{1,2}b?\b", r"\bE\d{1,2}\b"
RANGE = re.compile(r"([HIRU])(\d+)–\1(\d+)")
SOURCE = re.compile(r'(?<!`)Source:(.+?)(?:\n\s*\n|"""|#\}|-->|\*/)', re.DOTALL)
"""A citation goes on to the end of its paragraph, or of the comment that it stands in."""
every_game = pytest.mark.parametrize(
    ("letter", "key"), [("H", "hanabi"), ("R", "rage"), ("I", "ikebana"), ("U", "ubongo")]
)
OPTION = re.compile(r"`(\w+)`(?:: ([\w*, ]+))?")


def sources() -> Iterator[str]:
    """Yield every text that says where something comes from."""
    for folder in ("companion", "templates", "printables"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in {".py", ".html", ".css", ".js", ".svg"}:
                yield from SOURCE.findall(file.read_text())
    for game in GAMES.values():
        yield from (rule.source for rule in game.rules)
        yield from examples(game.key)


def examples(key: str) -> Iterator[str]:
    """Yield where the examples of a game come from."""
    for file in (ROOT / "tests" / "games" / key / "examples").glob("*.json"):
        yield from (row["source"] for row in json.loads(file.read_text()))


SOURCES = tuple(sources())


def named(pattern: str) -> set[str]:
    """Gather what the sources name, one by one."""
    return {name for source in SOURCES for name in re.findall(pattern, RANGE.sub("", source))}


def ranged() -> set[str]:
    """Gather the rulings that a source names by the first and the last."""
    ranges = [found for source in SOURCES for found in RANGE.findall(source)]
    return {f"{game}{number}" for game, first, last in ranges for number in range(int(first), int(last) + 1)}


def test_every_id_that_is_cited_stands_there() -> None:
    for pattern in (BOOK, RULING, EVIDENCE):
        cited = named(pattern)
        assert cited
        assert sorted(cited - ROWS.keys()) == []
    assert sorted(ranged() - ROWS.keys()) == []


def test_every_id_stands_there_once_with_its_anchor() -> None:
    found = [(row["anchor"], row["id"]) for row in ROW.finditer(PAGE)]
    assert all(anchor == name for anchor, name in found)
    assert len(found) == len(ROWS) == PAGE.count("<a id=")
    for game in "HIRU":
        numbers = sorted(int(name[1:]) for name in ROWS if re.fullmatch(rf"{game}\d+", name))
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_row_says_all_that_it_should() -> None:
    for name, cells in ROWS.items():
        assert len(cells) == (4 if re.fullmatch(RULING, name) else 1), name
        assert all(cells), name


def test_every_id_that_the_page_names_stands_there() -> None:
    told = " ".join(cell for cells in ROWS.values() for cell in cells)
    assert set(re.findall(f"{BOOK}|{RULING}|{EVIDENCE}", told)) <= ROWS.keys()
    assert {name for name in ROWS if re.fullmatch(EVIDENCE, name)} <= set(re.findall(EVIDENCE, told))


WAITING = {name for name, cells in ROWS.items() if "**Not ruled so yet**" in cells[min(1, len(cells) - 1)]}
WITHOUT_EXAMPLE = {"I2": "nothing depends on it while the referee counts points"}


@every_game
def test_every_ruling_is_met_by_an_example_or_said_to_wait(letter: str, key: str) -> None:
    met = set(re.findall(RULING, " ".join(examples(key))))
    decided = {name for name in ROWS if re.fullmatch(rf"{letter}\d+b?", name)}
    assert decided
    assert sorted(decided - met - WAITING) == sorted(decided & WITHOUT_EXAMPLE.keys())


def test_what_is_cited_does_not_wait() -> None:
    assert ROWS.keys() >= WAITING
    assert sorted(WAITING & named(RULING)) == []


def test_every_source_can_be_looked_up() -> None:
    """No source names a page, or a place in one, that is not here."""
    for source in SOURCES:
        assert "§" not in source
        for page in re.findall(r"[\w/]+\.md", source):
            assert (ROOT / "docs" / page).exists() or (ROOT / page).exists(), source


@every_game
def test_every_option_is_named_with_its_values_and_its_default(letter: str, key: str) -> None:
    schema = GAMES[key].options
    usual = schema.dump(schema.load({}))
    for name, cells in ROWS.items():
        if not re.fullmatch(rf"{letter}\d+b?", name):
            continue
        assert cells[3] == "–" or OPTION.search(cells[3]), name
        for option, values in OPTION.findall(cells[3].partition(" (")[0]):
            told = [value.strip() for value in values.split(",") if value.strip()]
            assert sorted(value.strip("*") for value in told) == sorted(values_of(schema.fields[option])), name
            assert [value.strip("*") for value in told if "*" in value] == ([in_words(usual[option])] if told else [])


def values_of(field: Any) -> list[str]:
    """List what can be chosen for an option; nothing where it is a number."""
    if isinstance(field, Choice):
        return [in_words(member.value) for member in field.enum]
    return ["false", "true"] if isinstance(field, Switch) else []


def in_words(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
