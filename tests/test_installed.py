"""Games of other packages: one that is wrong is turned away by name, and everything else starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES, OWN
from companion.games.installed import NotWhole, whole
from tests.phones import ROOT, free_port
from tests.test_fifth_game import Guest, page

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
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='rage')",
    ),
    "twin": ("GAME", "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='two')"),
    "other_twin": (
        "GAME",
        "from dataclasses import replace\nfrom cairn import GAME as own\nGAME = replace(own, key='two')",
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
        command = (sys.executable, "-m", "companion.commands", *command)
        return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)

    checked = run("check")
    assert checked.returncode == 1
    assert all(any(name in line and why in line for line in checked.stdout.splitlines()) for name, why in WHY.items())
    assert f"{len(WHY)} problems." in checked.stderr
    assert run("judge", "rage", "--trump", "R", "Y8", "R4").returncode == 0
    assert run("export", "--all", "-o", str(tmp_path / "all.zip")).returncode == 0


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.key)
def test_our_own_games_are_whole(game: Any) -> None:
    assert whole(game) is game


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
    ],
)
def test_a_game_that_is_not_whole_is_refused_with_the_field(name: str, value: Any) -> None:
    with pytest.raises(NotWhole, match=f"^Its {name} "):
        whole(replace(OWN[2], **{name: value}))


@pytest.mark.promise(25)
@pytest.mark.parametrize("value", [None, 5, GAMES, whole])
def test_what_is_no_game_is_refused(value: Any) -> None:
    with pytest.raises(NotWhole, match=r"^It is no Game, but \w+\.$"):
        whole(value)
