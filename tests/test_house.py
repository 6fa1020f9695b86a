"""The house keeps its own laws: small modules, small functions, imports in one direction, pinned packages."""

import ast
import re
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
MODULES = [
    path for path in sorted((ROOT / "companion").rglob("*.py")) if "migrations" not in path.relative_to(ROOT).parts
]
MODULE_LINES = 350
FUNCTION_LINES = 40


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


def test_imports_go_in_one_direction(capsys: pytest.CaptureFixture[str]) -> None:
    broken = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True)
    assert not broken, capsys.readouterr().out


def test_the_pinned_lists_agree() -> None:
    assert pins("requirements.txt")
    assert pins("requirements.txt") <= pins("requirements-test.txt")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_the_pinned_lists_name_no_address(name: str) -> None:
    assert not re.search(r"://|^-", (ROOT / name).read_text(), re.MULTILINE)
