"""`companion book`: the evenings of everybody or of a group on paper, and what they tell together."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands import book
from companion.commands.app import ready
from companion.games import GAMES
from companion.log import groups
from companion.printing import Printer
from companion.tables.noting import Notes
from companion.tables.opening import open_table
from tests.house import FOUR, a_record
from tests.test_commands import EXAMPLE, FINISHED, data, imported, run, text_of

__all__ = ["data"]
pytestmark = pytest.mark.usefixtures("data", "warm")
DATES = {"opened": "2026-10-03T18:00:00.000Z"}


@pytest.fixture
def warm(printer: Printer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command print by the render process that is there, and leave it running."""
    monkeypatch.setattr(printer, "close", lambda: None)
    monkeypatch.setattr(book, "Printer", lambda *_about, **_more: printer)


def test_the_evenings_of_everybody_are_bound_in_the_language_that_is_named() -> None:
    """Of each import another phone is the host."""
    imported({**FINISHED, **DATES})
    imported(a_record([], ["Žofie", "Dora", "Emil"], **DATES))
    imported(a_record([], ["Gita", "Hugo", "Ida"]))
    result = run("book", "--lang", "cs", "--paper", "letter", "--until", "2026-10-31")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("evenings.pdf: ")
    said = text_of("evenings.pdf")
    assert all(name in said for name in ("Kniha večerů", "Žofie", *FOUR))
    assert "Gita" not in said


def test_the_statistics_tell_of_a_player_beside_another() -> None:
    imported(FINISHED)
    words = ("book", "--statistics", "--player", "Anna", "--with", "Bohdan", "--game", "rage", "-o")
    result = run(*words, "anna.pdf")
    assert result.exit_code == 0, result.output
    assert "Anna and Bohdan" in text_of("anna.pdf")
    result = run(*words, "nowhere/anna.pdf")
    assert (result.exit_code, "nowhere/anna.pdf cannot be written" in result.stderr) == (1, True)


def test_a_group_has_its_own_book() -> None:
    imported(EXAMPLE)
    with ready().app_context():
        group = groups.found("Thursday", "a phone")
        open_table(GAMES["rage"], {}, ["Žofie", "Dora", "Emil"], "a phone", notes=Notes(group=group.id))
        key = group.key
    assert run("book", "--group", f"{key[:4]} {key[4:]}".lower(), "-o", "thursday.pdf").exit_code == 0
    said = text_of("thursday.pdf")
    assert "Thursday" in said
    assert "Žofie" in said
    assert "Anna" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--player", "Nobody"), "No evening is like that."),
        (("--since", "yesterday"), "since: Not a date (YYYY-MM-DD)."),
        (("--group", "ABCD"), "There is no group with this evening key."),
        (("--with", "Bohdan", "--statistics"), "--with NAME is for --statistics --player NAME."),
        (("--with", "Bohdan", "--player", "Anna"), "--with NAME is for --statistics --player NAME."),
        (("--game", "chess"), "chess"),
    ],
)
def test_what_cannot_be_bound_is_said(arguments: tuple[str, ...], said: str) -> None:
    result = run("book", *arguments)
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert list(Path().iterdir()) == []
