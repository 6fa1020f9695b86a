"""The house keeps its own laws: small modules, small functions, imports in one direction, pinned packages."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = [
    path for path in sorted((ROOT / "companion").rglob("*.py")) if "migrations" not in path.relative_to(ROOT).parts
]
MODULE_LINES = 350
FUNCTION_LINES = 40
LAW = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["companion"]["rules"]
DOORS = {"__init__", *LAW["at_the_edge"]}
"""What of a game's folder may know the rest of the house."""
RULES = [path for path in MODULES if path.match("companion/games/*/*.py") and path.stem not in DOORS]
NEIGHBOURS = [ROOT / f"{name.replace('.', '/')}.py" for name in LAW["may_import"]]
FIFTH = ROOT / "tests/fifth_game/cairn/rules.py"


def imported(source: str, folder: str) -> Iterator[str]:
    """Name the modules that a module imports, wherever in it; `from` a package its modules, not the package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = ["", folder][node.level] if node.level < 2 else "." * node.level
            module = ".".join(filter(None, [above, node.module]))
            is_package = (ROOT / module.replace(".", "/")).is_dir()
            yield from (f"{module}.{alias.name}" if is_package else module for alias in node.names)


def foreign(source: str, folder: str = "") -> list[str]:
    """List what rules may not import; `folder` is the package of the game, "" for what all games stand on."""

    def may(name: str) -> bool:
        is_own = bool(folder) and (ROOT / folder.replace(".", "/") / f"{name.removeprefix(f'{folder}.')}.py").is_file()
        return (
            name.partition(".")[0] in sys.stdlib_module_names
            or name in LAW["may_import"]
            or (is_own and name.rpartition(".")[2] not in DOORS)
        )

    return [name for name in imported(source, folder) if not may(name)]


def pins(name: str) -> set[str]:
    """Read the `package==version` of a pinned list."""
    return set(re.findall(r"^\S+==\S+", (ROOT / name).read_text(), re.MULTILINE))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_are_small(path: Path) -> None:
    source = path.read_text()
    assert len(source.splitlines()) <= MODULE_LINES
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < FUNCTION_LINES, f"{node.name}, line {node.lineno}"


def test_imports_go_in_one_direction() -> None:
    """In a process of its own: the linter silences every logger of the one that it runs in."""
    lint = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = subprocess.run([sys.executable, "-c", lint], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_import_only_what_the_list_allows(path: Path) -> None:
    assert foreign(path.read_text(), f"companion.games.{path.parent.name}") == []


@pytest.mark.parametrize("path", [*NEIGHBOURS, FIFTH], ids=lambda path: path.stem)
def test_what_rules_rest_on_imports_nothing_else_either(path: Path) -> None:
    assert foreign(path.read_text()) == []


@pytest.mark.parametrize(
    "line",
    [
        "import numpy",
        "from flask import request",
        "from companion import log",
        "from companion.words import Voice",
        "import companion.drawing.paper",
        "from companion.games import GAMES",
        "from companion.games.ubongo.gems import Gem",
        "from companion.games.rage import words",
        "from companion.games.rage.schemas import MOVES",
        "from companion.games.rage import RAGE",
        "from . import sheets",
        "from .words import WORDS",
        "from ..ubongo import gems",
        "def late():\n    import orjson",
    ],
)
def test_an_import_beyond_the_list_is_found(line: str) -> None:
    assert len(foreign(line, "companion.games.rage")) == 1


def test_the_pinned_lists_agree() -> None:
    assert pins("requirements.txt")
    assert pins("requirements.txt") <= pins("requirements-test.txt")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt", "requirements-docs.txt"])
def test_the_pinned_lists_name_no_address(name: str) -> None:
    assert not re.search(r"://|^-", (ROOT / name).read_text(), re.MULTILINE)
