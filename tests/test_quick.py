"""What `bin/test --quick` chooses: what a change can break, the nearest first; and what it does not reach, it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.quick import ALWAYS, ROOT, chosen, imports, reach

FILES = {
    "companion/__init__.py": "def create_app(): from companion import web",
    "companion/web.py": "from companion.rules import judge",
    "companion/rules.py": "def judge(): pass",
    "tests/conftest.py": "import pytest",
    "tests/test_promises.py": "from companion import rules",
    "tests/test_rules.py": "from companion.rules import judge",
    "tests/test_alone.py": "import json",
    "tests/web/conftest.py": "from companion import create_app",
    "tests/web/test_pages.py": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> dict[str, set[str]]:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return imports(tmp_path)


def test_the_nearest_come_first_and_what_knows_nothing_of_it_is_left_out(tree: dict[str, set[str]]) -> None:
    assert chosen(["companion/rules.py"], tree) == [ALWAYS, "tests/test_rules.py", "tests/web/test_pages.py"]
    assert reach(["companion/rules.py"], tree)["tests/web/test_pages.py"] == 4


def test_what_is_no_module_breaks_those_who_read_its_folder(tree: dict[str, set[str]], tmp_path: Path) -> None:
    assert chosen(["templates/seat.html"], tree, tmp_path) == [ALWAYS, "tests/web/test_pages.py"]


def test_a_rule_of_rage_is_tried_by_its_own_examples_before_anything_else() -> None:
    first, second, *_others = chosen(["companion/games/rage/scoring.py"], imports())
    assert (first, Path(second).parent) == (ALWAYS, Path("tests/games/rage"))


def test_what_is_not_reached_is_counted_and_is_not_called_passed() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:benchmark", "-q", "tests/kernel/test_frozen.py", "--hurry"]
    late, in_time = (
        subprocess.run([*command, seconds], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for seconds in ("0", "60")
    )
    assert "not reached" in late
    assert "passed" not in late
    assert "not reached" not in in_time
    assert "passed" in in_time
