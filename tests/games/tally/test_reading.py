"""Score sheets are read, or refused with the line and the column."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.games.tally import game_of, written
from companion.games.tally.reading import read
from companion.games.tally.source import SheetFault
from companion.words import LANGUAGES, Voice

ROOT = Path(__file__).parents[3]
SHEETS = sorted((ROOT / "docs" / "score-sheets").glob("*.toml"))
LEAST = '[columns.number]\n'  # fmt: skip


def fault(text: str) -> str:
    with pytest.raises(SheetFault) as found:
        read("sheet", text, "sheet.toml")
    return str(found.value).removeprefix("sheet.toml, ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("players = 3", "line 1, column 1: A sheet has 1 to 12 columns: [columns.bid]"),
        ('name = "A"\nbonus = 1\n' + LEAST, "line 2, column 9: 'bonus' means nothing here. Known: name, about, "),
        ("players = [4, 3]\n" + LEAST, "line 1, column 11: players must be the fewest and the most, of 1 to 8: [3, 6]"),
        ("players = [2, 9]\n" + LEAST, "line 1, column 11: players must be"),
        ('players = [true, 2]\n' + LEAST, "line 1, column 11: players must be"),
        ('wins = "last"\n' + LEAST, 'line 1, column 9: wins must be "high" or "low".'),
        ("rounds = 0\n" + LEAST, "line 1, column 10: rounds must be a whole number from 1 to 100."),
        ("rounds = true\n" + LEAST, "line 1, column 10: rounds must be a whole number from 1 to 100."),
        ("shared = 1\n" + LEAST, "line 1, column 10: shared must be true or false."),
        ('name = ["A"]\n' + LEAST, "line 1, column 8: name must be a text of 60 letters at most."),
        ('at_once = true\n' + LEAST, "line 1, column 11: at_once means nothing without ends."),
        ('lost = "1"\n' + LEAST, "line 1, column 9: lost means nothing without shared."),
        ('ties = "1"\n' + LEAST, "line 1, column 9: ties must be a list of expressions, 5 at most."),
        ('ties = ["total", "totl"]\n' + LEAST, "line 1, column 19: There is no 'totl' here."),
        ('ends = "max(al.total) > 1"\n' + LEAST, "line 1, column 13: There is no 'al' here."),
        ('ends = "total > 1"\n' + LEAST, "line 1, column 9: There is no 'total' here. Known: players, round, rounds."),
        ("points = 1.5\n" + LEAST, "line 1, column 10: points must be an expression: a text, or a whole number."),
        ('points = """\n  number +\n  nought"""\n' + LEAST, "line 3, column 3: There is no 'nought' here."),
        ('[columns.number]\nmost = "later"\n[columns.later]\n', "line 2, column 9: There is no 'later' here."),
        ("[columns.number]\nworth = 3\n", "line 1, column 1: Nobody tells anything: every column has a worth."),
        ('[columns.a]\n[columns.b]\nworth = "a"\nmost = 3', "line 4, column 8: most means nothing where a column has a worth."),
        ("[columns.total]\n", "line 1, column 16: A column cannot be called 'total'"),
        ("[columns.Bid]\n", "line 1, column 14: A column cannot be called 'Bid'"),
        ("[columns]\nbid = 3\n", "line 2, column 7: bid must be a table: [columns.bid]"),
        ("[columns.bid]\nname = { english = 'Bid' }\n", "line 2, column 21: 'english' is no language: en, cs, es, pl …"),
        ("[columns]\nbid = { most = 'rund' }\n", "line 2, column 17: There is no 'rund' here."),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_line_and_column(text: str, said: str) -> None:
    assert fault(text).startswith(said)


def test_what_is_no_toml_is_said_with_the_line() -> None:
    assert re.search(r"line 2, column \d", fault("[columns.a]\nmost = = 3"))


def test_a_sheet_that_says_nothing_adds_up_what_is_told() -> None:
    sheet = read("darts", LEAST, "darts.toml")
    assert (sheet.name, sheet.counting.players, sheet.counting.is_low, sheet.counting.rounds) == (
        "Darts",
        (2, 8),
        False,
        0,
    )
    assert sheet.counting.is_plain


def test_a_sheet_of_another_content_has_another_version_and_words_make_none() -> None:
    text = (ROOT / "docs/score-sheets/hearts.toml").read_text()
    version = read("hearts", text, "").version
    for other in (text.replace("100", "101"), text.replace('"low"', '"high"'), text.replace("most = 26", "most = 25")):
        assert read("hearts", other, "").version != version
    for same in (
        text.replace("Hearts", "Cœurs"),
        text.replace("Penalty cards", "Hearts"),
        text.replace("= [3, 6]", "=[3,6]"),
    ):
        assert read("hearts", same, "").version == version


def test_hearts_is_short() -> None:
    assert len((ROOT / "docs/score-sheets/hearts.toml").read_text().splitlines()) <= 25


@pytest.mark.parametrize("file", SHEETS, ids=lambda file: file.stem)
def test_every_sheet_of_ours_speaks_every_language(file: Path) -> None:
    game = game_of(read(file.stem, file.read_text(), file.name))
    assert {*LANGUAGES[1:]} <= set(read(file.stem, file.read_text(), "").words)
    columns = [*game.words.names]
    said = {language: Voice(game.words, (), language).say(tuple(columns)) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES), said
    assert tomllib.loads(file.read_text())["about"].keys() == {*LANGUAGES}


def test_a_folder_gives_its_sheets_and_names_the_faults(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(LEAST)
    (tmp_path / "bad.toml").write_text("rounds = -1\n" + LEAST)
    (tmp_path / "odd.toml").write_bytes(b"name = '\xff'")
    (tmp_path / "notes.txt").write_text("no sheet")
    found = dict(written(str(tmp_path)))
    assert list(found) == [f"The score sheet {name}.toml" for name in ("bad", "good", "odd")]
    assert (
        found["The score sheet bad.toml"] == "bad.toml, line 1, column 10: rounds must be a whole number from 1 to 100."
    )
    assert getattr(found["The score sheet good.toml"], "key", None) == "good"
    assert "utf-8" in str(found["The score sheet odd.toml"])


def test_a_folder_that_is_not_there_is_named() -> None:
    assert list(written("/nowhere/sheets")) == [("COMPANION_GAMES=/nowhere/sheets", "There is no such folder.")]
    assert list(written("")) == []


def test_a_sheet_is_read_as_some_editors_save_it(tmp_path: Path) -> None:
    """With a mark at the beginning that nobody sees, and a carriage return at the end of every line."""
    (tmp_path / "darts.toml").write_bytes(b"\xef\xbb\xbf" + b'name = "Darts"\r\n[columns.thrown]\r\n')
    ((_source, game),) = written(str(tmp_path))
    assert not isinstance(game, str), game
    assert game.name == "Darts"
