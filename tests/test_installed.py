"""Games of other packages: one that is wrong is turned away by name, and everything else starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from companion.fields import shape
from companion.game import Label
from companion.games import GAMES, OWN
from companion.games.installed import NotWhole, whole
from tests.databases import PATIENCE_S
from tests.phones import ROOT, free_port
from tests.test_fifth_game import Guest, page

AGAIN_S = 10
"""So long a file that was saved is given to be noticed: longer than a worker takes to start."""
PACKAGES = {
    "broken": ("GAME", "raise RuntimeError('no stones left')"),
    "leaving": ("GAME", "import sys\nsys.exit(3)"),
    "misspelt": ("GAEM", "from cairn import GAME"),
    "number": ("GAME", "GAME = 5"),
    "halved": (
        "GAME",
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='h', view=None)",
    ),
    "usurper": (
        "GAME",
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='rage', folder=None)",
    ),
    "twin": (
        "GAME",
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='two', folder=None, sheets={})",
    ),
    "other_twin": (
        "GAME",
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='two', folder=None, sheets={})",
    ),
}
WHY = {
    "broken": "RuntimeError: no stones left",
    "leaving": "SystemExit: 3",
    "misspelt": "AttributeError: module 'misspelt' has no attribute 'GAEM'",
    "number": "It is no Game, but int.",
    "halved": "Its view cannot be None.",
    "usurper": "Another game has its key, rage: the companion",
    "twin": "Another game has its key, two: The game other_twin (other_twin:GAME of other_twin 1.0)",
    "other_twin": "Another game has its key, two: The game twin (twin:GAME of twin 1.0)",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay packages beside the companion as pip does, one of them whole."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "cairn").symlink_to(ROOT / "tests" / "fifth_game" / "cairn")
    for name, (attribute, code) in {**PACKAGES, "cairn": ("GAME", "")}.items():
        if name != "cairn":
            (folder / f"{name}.py").write_text(code)
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[companion.games]\n{name} = {name}:{attribute}\n")
    return folder


@pytest.fixture(scope="module")
def server(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    server = Guest(tmp_path_factory.mktemp("data"), free_port())
    server.site = site
    server.start()
    yield server
    server.stop()


@pytest.mark.promise(25)
def test_the_companion_starts_with_every_game_that_is_whole_and_names_the_others(server: Guest) -> None:
    lobby = page(server, "/").decode()
    assert all(f"/open/{key}" in lobby for key in (*GAMES, "cairn"))
    assert not any(f'/open/{key}"' in lobby for key in ("h", "two"))
    assert json.loads(page(server, "/api/games"))["games"][-1]["key"] == "cairn"
    logged = (server.data / "server.log").read_text()
    for name, reason in WHY.items():
        source = f"The game {name} ({name}:{PACKAGES[name][0]} of {name} 1.0) is left out. {reason}"
        assert source in logged, name


@pytest.mark.promise(25)
def test_the_check_names_them_too_and_no_other_command_minds(site: Path, tmp_path: Path) -> None:
    own = {"COMPANION_DATA": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", "companion", *command)
        return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)

    checked = run("check")
    assert checked.returncode == 1
    assert all(any(name in line and why in line for line in checked.stdout.splitlines()) for name, why in WHY.items())
    assert f"Games: {', '.join(GAMES)}, cairn. 0 tables, {len(WHY)} problems." in checked.stderr
    assert run("judge", "rage", "--trump", "R", "Y8", "R4").returncode == 0
    assert run("export", "--all", "-o", str(tmp_path / "all.zip")).returncode == 0


OWN_CAIRN = """
from dataclasses import replace
from pathlib import Path
from cairn import GAME as own
folder = Path(__file__).parent / "files"
GAME = replace(own, folder=folder, sheets={"score_sheet": own.sheets["score_sheet"], "pad": lambda *about: {}},
               question=replace(own.question, example="what?"))
"""


def test_the_check_draws_what_another_game_shows_and_prints(tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(ROOT / "tests" / "fifth_game" / "cairn", site / "cairn")
    shutil.copytree(
        site / "cairn", site / "files", ignore=shutil.ignore_patterns("*.py", "__pycache__", "translations")
    )
    (site / "files" / "printables" / "cairn" / "pad.html").write_text("<p>\n{{ nothing }}</p>")
    (site / "files" / "templates" / "games" / "cairn" / "seat.html").write_text("<p>\n{{ view|tojson }}</p>")
    (site / "files" / "templates" / "games" / "cairn" / "box.html").write_text("{{ view.piles }}")
    (site / "shown.py").write_text(OWN_CAIRN)
    (site / "shown-1.0.dist-info").mkdir()
    (site / "shown-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: shown\nVersion: 1.0\n")
    (site / "shown-1.0.dist-info" / "entry_points.txt").write_text("[companion.games]\ncairn = shown:GAME\n")
    own = {**os.environ, "COMPANION_DATA": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    command = [sys.executable, "-m", "companion", "check"]
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "The sheet pad of cairn cannot be drawn: UndefinedError: 'nothing' is undefined" in done.stdout
    assert "The example of cairn's question cannot be asked: what?: " in done.stdout
    assert "The picture of cairn in the lobby cannot be drawn: UndefinedError: 'view' is undefined" in done.stdout
    assert len(done.stdout.splitlines()) == 3
    assert "Cairn: phones are sent HTML. games/cairn/seat.html:2: " in done.stderr
    assert f"Games: {', '.join(GAMES)}, cairn. 0 tables, 3 problems." in done.stderr


@pytest.mark.parametrize("line", ['{% include "nowhere.html" %}', "{{ view.piles|stacked }}"])
def test_the_check_goes_on_where_a_page_of_another_game_cannot_be_drawn_at_all(tmp_path: Path, line: str) -> None:
    site = tmp_path / "site"
    shutil.copytree(ROOT / "tests" / "fifth_game", site, ignore=shutil.ignore_patterns("__pycache__"))
    templates = site / "cairn" / "templates" / "games" / "cairn"
    (templates / "seat.html").write_text(line)
    (templates / "box.html").write_text('<img src="{{ static(\'games/cairn/stone.svg\') }}" alt="">')
    about = site / "cairn-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cairn\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[companion.games]\ncairn = cairn:GAME\n")
    own = {**os.environ, "COMPANION_DATA": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    command = [sys.executable, "-m", "companion", "check"]
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("The page of cairn cannot be drawn: Template"), done.stderr
    assert f"Games: {', '.join(GAMES)}, cairn. 0 tables, 1 problems." in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.key)
def test_our_own_games_are_whole(game: Any) -> None:
    assert whole(game) is game


@dataclass(frozen=True)
class Stranger:
    """A move, an option and an event that nobody has written down."""

    pile: int = 0


def fails(*_about: object) -> Any:
    raise KeyError("stone")


@pytest.mark.promise(25)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("key", "Rage"),
        ("key", None),
        ("key", "../rage"),
        ("key", "r" * 41),
        ("name", " "),
        ("players", (2, 3)),
        ("players", range(0)),
        ("players", range(2, 8, 2)),
        ("players", range(2, 10)),
        ("rules", str),
        ("version", 0),
        ("version", "2"),
        ("older", [1]),
        ("older", (0,)),
        ("older", (9,)),
        ("by_rules", 1),
        ("words", {}),
        ("words", replace(OWN[2].words, sentences={})),
        ("words", replace(OWN[2].words, options={})),
        ("options", None),
        ("moves", lambda seats: None),
        ("moves", {}),
        ("start", fails),
        ("standing", fails),
        ("summary", lambda position: None),
        ("view", fails),
        ("legal", lambda position, seat: None),
        ("may_move", None),
        ("may_move", lambda position, seat: seat == 1),
        ("judge", None),
        ("recorded", None),
        ("course", 5),
        ("begins", lambda position: 9),
        ("question", "how?"),
        ("statistics", None),
        ("sheets", {"score_sheet": None}),
        ("folder", "cairn"),
        ("on_paper", 5),
        ("rule_card", fails),
        ("key", "any"),
        ("legal", lambda position, seat: iter([Stranger()])),
        ("view", lambda position, seat: {"seat": seat}),
        ("options", shape(Stranger)),
        ("words", replace(OWN[2].words, fields={})),
        ("words", replace(OWN[2].words, sentences={**OWN[2].words.sentences, Stranger: "%(stone)s falls."})),
        ("asked_first", "bids"),
        ("named_by", "bids"),
        ("words", replace(OWN[2].words, options={**OWN[2].words.options, "durch": Label("Durch", "", {"bids": (1,)})})),
        ("won_by_fewest", {"bids": "open"}),
        ("suggested", {"bids": "open"}),
        ("catalogue", Path("nowhere")),
        ("catalogue", fails),
        ("catalogue", {"cs": {}}.__getitem__),
        ("folder", {"templates/lobby.html": ""}),
        ("folder", {"templates/games/rage/seat.html": "{% if %}"}),
        ("folder", {"static/games/rages.css": ""}),
        ("folder", {"static/companion.css": ""}),
        ("folder", {"printables/print.css": ""}),
        ("folder", {"templates/games/rage/seat.html": ""}),
    ],
)
def test_a_game_that_is_not_whole_is_refused_with_the_field(name: str, value: Any, tmp_path: Path) -> None:
    game = OWN[2]
    if name == "catalogue":
        game = replace(game, words=replace(game.words, catalogue=value))
    elif isinstance(value, dict) and name == "folder":
        game = replace(game, folder=laid_out(tmp_path, value))
    else:
        game = replace(game, **{name: value})
    with pytest.raises(NotWhole, match=f"^Its {name} "):
        whole(game)


def laid_out(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return folder


FAULTS = {
    "templates/lobby.html": ("", "templates/lobby.html stands outside of templates/games/cairn/."),
    "templates/games/cairn/seat.html": (
        "<p>\n{% if %}",
        "templates/games/cairn/seat.html:2: Expected an expression, got 'end of statement block'.",
    ),
    "static/cairn.css": ("", "static/cairn.css stands outside of static/games/cairn."),
    "printables/cairn.html": ("", "printables/cairn.html stands outside of printables/cairn/."),
}


@pytest.mark.promise(25)
def test_every_fault_of_its_files_is_said_by_name(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, {name: text for name, (text, _why) in FAULTS.items()})
    with pytest.raises(NotWhole) as told:
        whole(replace(OWN[2], key="cairn", folder=folder))
    assert all(why in str(told.value) for _text, why in FAULTS.values())
    assert "The sheet score_sheet has no template printables/cairn/score_sheet.html." in str(told.value)
    assert "What is asked by keys has no template templates/games/cairn/question.html." in str(told.value)
    assert "The rule card has no drawing printables/cairn/table.svg." in str(told.value)


def test_a_catalogue_that_was_not_compiled_is_named(tmp_path: Path) -> None:
    laid_out(tmp_path, {"cs/LC_MESSAGES/messages.po": ""})
    with pytest.raises(NotWhole, match=r"cs is not compiled: `companion words rage` does it\."):
        whole(replace(OWN[2], words=replace(OWN[2].words, catalogue=tmp_path)))


@pytest.mark.promise(25)
@pytest.mark.parametrize("value", [None, 5, GAMES, whole])
def test_what_is_no_game_is_refused(value: Any) -> None:
    with pytest.raises(NotWhole, match=r"^It is no Game, but \w+\.$"):
        whole(value)


def wait_for(server: Guest, file: Path, shown: bytes, gone: bytes) -> None:
    """Wait until the lobby shows one thing and not the other; while the worker is replaced, nobody answers.

    A worker answers before it has looked at its files for the first time, and what it has not seen before has not
    changed: so the file is saved again where nothing has come of it.
    """
    start = saved = time.monotonic()
    while True:
        with suppress(OSError):
            lobby = page(server, "/")
            if shown in lobby and gone not in lobby:
                return
        now = time.monotonic()
        assert now < start + PATIENCE_S, f"{shown!r} is not shown, or {gone!r} still is"
        if now > saved + AGAIN_S:
            file.touch()
            saved = now
        time.sleep(0.1)


def test_a_server_that_reloads_starts_anew_when_a_game_is_changed(tmp_path: Path) -> None:
    """Its author breaks it, sees that it is gone, and mends it, without touching the server."""
    site = tmp_path / "site"
    shutil.copytree(ROOT / "tests" / "fifth_game", site, ignore=shutil.ignore_patterns("__pycache__"))
    about = site / "cairn-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cairn\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[companion.games]\ncairn = cairn:GAME\n")
    server = Guest(tmp_path / "data", free_port())
    server.data.mkdir()
    server.site = site
    server.options = ("--reload",)
    server.start()
    try:
        file = site / "cairn" / "__init__.py"
        whole_text = file.read_text()
        for text, is_there in (("raise RuntimeError", False), (whole_text.replace('"Cairn"', '"Stones"'), True)):
            file.write_text(text)
            wait_for(server, file, shown=b"Stones" if is_there else b"", gone=b"Cairn")
    finally:
        server.stop()
