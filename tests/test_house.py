"""The house keeps its own laws: small modules, small functions, imports in one direction, pinned packages."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_imports_go_in_one_direction() -> None:
    """In a process of its own: the linter silences every logger of the one that it runs in."""
    lint = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = subprocess.run([sys.executable, "-c", lint], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pinned_lists_agree() -> None:
    assert pins("requirements.txt")
    assert pins("requirements.txt") <= pins("requirements-test.txt")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_the_pinned_lists_name_no_address(name: str) -> None:
    assert not re.search(r"://|^-", (ROOT / name).read_text(), re.MULTILINE)
