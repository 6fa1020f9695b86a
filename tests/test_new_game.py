"""`companion new-game` and `companion words`: what an author begins with is clean, plays, and is translated."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest
from click import ClickException
from pypdf import PdfReader

from companion.commands.new_game import BLANK, key_of, steps, write
from companion.testing import pages
from tests.phones import ROOT

PROGRAMS = Path(sys.executable).parent
NAME, KEY = "Łeb’s Dice: 20 & more", "eb_s_dice_20_more"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a package, and lay beside it what an installation that can be edited leaves."""
    folder = tmp_path_factory.mktemp("author") / KEY
    write(folder, KEY, NAME)
    about = folder / f"{KEY}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {KEY}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[companion.games]\n{KEY} = {KEY}:GAME\n")
    return folder


@pytest.fixture
def surroundings(folder: Path, tmp_path: Path) -> Mapping[str, str]:
    own = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]), "COMPANION_DATA": str(tmp_path / "data")}
    return {**os.environ, **own}


def run(where: Path, surroundings: Mapping[str, str], *command: object) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=where, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_place_is_left_open_and_no_name_is_lost(folder: Path) -> None:
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".mo"]
    assert len(files) >= len([*BLANK.rglob("*-tpl")])
    assert all("«" not in file.read_text("utf-8") and "_key_" not in str(file.relative_to(folder)) for file in files)
    assert f'name="{NAME}"' in (folder / KEY / "__init__.py").read_text("utf-8")


def test_what_is_written_is_as_clean_as_the_house(folder: Path, surroundings: Mapping[str, str]) -> None:
    """Laid out, without a fault that our linter knows, typed against the companion as authors type theirs."""
    law = ["--config", ROOT / "pyproject.toml"]
    run(folder, surroundings, PROGRAMS / "ruff", "check", *law, "--config", f"src=['{folder}']", KEY)
    run(folder, surroundings, PROGRAMS / "ruff", "format", "--check", *law, ".")
    run(folder, surroundings, sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / ".mypy", KEY)
    pages = [folder / KEY / "templates", folder / KEY / "printables"]
    run(ROOT, surroundings, PROGRAMS / "djangofmt", "--quiet", "--check", *pages)


def test_a_phone_has_its_page_and_its_keys(folder: Path, surroundings: Mapping[str, str]) -> None:
    """By the trials that it brings itself, of those that need Node and Chromium."""
    told = run(folder, surroundings, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "phone")
    assert "3 passed" in told
    assert "skipped" not in told


def test_its_sentences_are_gathered_translated_and_compiled(folder: Path, surroundings: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "companion"]
    assert "15 of 15 sentences" in run(folder, surroundings, *command, "words", KEY)
    told = run(folder, surroundings, *command, "words", KEY, "es")
    assert "0 of 15 sentences" in told
    assert f"{KEY}/words: %(seat)s notes %(die)s." in told
    file = folder / KEY / "translations" / "es" / "LC_MESSAGES" / "messages.po"
    empty = 'msgid "Die"\nmsgstr ""'
    file.write_text(file.read_text().replace(empty, empty.removesuffix('""') + '"Dado"'))
    assert "1 of 15 sentences" in run(folder, surroundings, *command, "words", KEY, "es")
    run(folder, surroundings, *command, "print", KEY, "--item", "rule_card", "--lang", "cs", "-o", folder / "rules.pdf")
    done = subprocess.run(
        [*command, "judge", KEY, "--lang", "cs"],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Řekni, co je na kostce: 6." in done.stderr
    assert "hoď kostkou" in PdfReader(folder / "rules.pdf").pages[0].extract_text()


CZECH = """
import sys
from pathlib import Path
from unittest.mock import patch
from companion.testing.room import Room, secret
room = Room(Path(sys.argv[2]))
code = room.open(["Anna", "Bohdan"], {0: "host"}, sys.argv[1])
client = room.app.test_client()
client.set_cookie("phone", secret("host"))
print(client.get(f"/t/{code}/0", headers={"Accept-Language": "cs"}).text)
"""


def test_its_page_speaks_the_language_of_its_reader(
    folder: Path, surroundings: Mapping[str, str], tmp_path: Path
) -> None:
    page = run(folder, surroundings, sys.executable, "-c", CZECH, KEY, tmp_path / "room")
    assert "Házíš" in page
    assert "Co je na kostce?" in page
    assert "Zatím se nehrálo." in page


def test_trials_of_a_game_that_was_left_out_say_why(folder: Path, surroundings: Mapping[str, str]) -> None:
    file = folder / KEY / "words.py"
    whole = file.read_text("utf-8")
    file.write_text(whole.replace("notes %(die)s", "notes %(dice)s"), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    file.write_text(whole, "utf-8")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"There is no game called {KEY} here." in done.stderr
    assert "Its words cannot hold: The sentence of Noted names dice, which it has not." in done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Rage", "There is a game with the key rage already."),
        ("Any", "There is a game with the key any already."),
        ("JSON", "There is a package json already"),
        ("Pass", "Pass makes no key"),
        ("20 Dice", "20 Dice makes no key"),
        ("骰子", "骰子 makes no key"),
        ("x" * 41, "makes no key"),
        ("100% Dice", "A name has letters, digits, spaces"),
        ('Dice "2"', "A name has letters, digits, spaces"),
        ("Dice */", "A name has letters, digits, spaces"),
        ("Dice\n2", "A name has letters, digits, spaces"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(ClickException) as told:
        key_of(name)
    assert why in told.value.message


def test_letters_with_a_sign_keep_their_place_in_the_key() -> None:
    assert key_of("Žluťoučký kůň") == "zlutoucky_kun"
    assert key_of("Mäxchen & Söhne") == "maxchen_sohne"


def test_what_comes_next_can_be_done(tmp_path: Path) -> None:
    """From the tree, as here; installed into a folder, without what a package that can be edited has to fetch."""
    folder = tmp_path / "my dice"
    write(folder, "dice_alone", "Dice Alone")
    pip, serve, tests = steps(folder)
    site = tmp_path / "site"
    pip = pip.replace(" -e ", f" --quiet --no-build-isolation --no-index --target '{site}' ")
    subprocess.run(pip, shell=True, cwd=tmp_path, check=True)
    assert serve == f"{ROOT / 'bin' / 'companion'} serve --reload"
    tests = tests.replace("PYTHONPATH=", f"PYTHONPATH={site}:'{folder}':")
    done = subprocess.run(
        f"{tests} --collect-only -q", shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "test_the_highest_total_wins_after_the_last_round" in done.stdout, done.stdout + done.stderr


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    (tmp_path / "mine").mkdir()
    command = [sys.executable, "-m", "companion", "new-game", "Twenty Dice", "--folder", "mine"]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Error: mine cannot be written: File exists.\n")
    assert [*(tmp_path / "mine").iterdir()] == []


def test_the_server_of_the_trials_keeps_out_of_the_database_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COMPANION_DATABASE", "COMPANION_GAMES"):
        monkeypatch.setenv(name, f"{name} of the author")
    with (
        patch("companion.testing.pages.subprocess.Popen") as started,
        patch("companion.testing.pages._await"),
        pages.serving(tmp_path),
    ):
        surroundings = started.call_args.kwargs["env"]
    set_here = {name: value for name, value in surroundings.items() if name.startswith("COMPANION_")}
    assert set_here == {
        "COMPANION_DATA": str(tmp_path / "data"),
        "COMPANION_GAMES": "COMPANION_GAMES of the author",
    }
