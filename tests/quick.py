"""What a change in the working tree can break, tried in under a minute: `bin/test --quick`.

First the promises of all games, then the trials that import what was changed, the nearest first. It is said which files are
left out for being too far away, and when the time is over, how many trials were not reached: they are not tried.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_S = 40
"""Seconds after which no other trial begins."""
MOST_FILES = 50
"""So many files of trials are gathered, the nearest: to gather all takes half of the time that is there to try them."""
LATE = "not reached"
ALWAYS = "tests/test_promises.py"
READERS = {
    "templates": "companion.web",
    "companion/static": "companion.web",
    "printables": "companion.printing.items",
    "companion/translations": "companion.words",
    "companion/migrations": "companion.log.migrating",
    "companion/new_game": "companion.commands.new_game",
}
"""Folder -> the module that reads what is no module there."""


def changed() -> list[str]:
    """List the files that differ from the last commit; where none does, those that it has changed."""
    told = _git("status", "--porcelain", "--untracked-files=all", "--no-renames")
    return [line[3:] for line in told] or _git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD")


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Read who imports whom: file -> the files that it imports, with the `conftest.py` of its own and outer folders."""
    files = {str(file.relative_to(root)) for top in ("companion", "tests") for file in (root / top).rglob("*.py")}
    return {file: set(_imported(root / file, files)) | _beside(file, files) for file in files}


def reach(files: Iterable[str], imported: Mapping[str, set[str]]) -> dict[str, int]:
    """Tell how many imports away each file is from the nearest of some; those that reach none are left out."""
    importers = defaultdict(set)
    for file, others in imported.items():
        for other in others:
            importers[other].add(file)
    found, edge, distance = {}, set(files), 0
    while edge:
        found |= dict.fromkeys(edge, distance)
        edge, distance = {one for file in edge for one in importers[file]} - found.keys(), distance + 1
    return found


def chosen(files: Sequence[str], imported: Mapping[str, set[str]], root: Path = ROOT) -> list[str]:
    """List the files of trials that changed files can break, the nearest first, after those that always run."""
    reached = reach({one for file in files for one in _readers(file, imported, root)}, imported)
    own = {part for file in files for part in Path(file).with_suffix("").parts[1:]}

    def far(trial: str) -> tuple[int, int, bool]:
        """Count imports; then prefer what is called like the change, and what needs no browser."""
        words = {*Path(trial).parts, Path(trial).stem.removeprefix("test_")}
        return reached[trial], -len(own & words), trial.startswith("tests/pages")

    trials = [file for file in reached if Path(file).name.startswith("test_") and file != ALWAYS]
    return [ALWAYS, *sorted(sorted(trials), key=far)]


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def _imported(file: Path, files: set[str]) -> Iterator[str]:
    for part in ast.walk(ast.parse(file.read_text())):
        names = [one.name for one in part.names] if isinstance(part, ast.Import | ast.ImportFrom) else []
        place = f"{part.module}." if isinstance(part, ast.ImportFrom) and part.module else ""
        for name in names:
            yield from _first(f"{place}{name}", files)


def _first(name: str, files: set[str]) -> Iterator[str]:
    """Find the file of a module, or of the one that has this name in it."""
    path = name.replace(".", "/")
    while path:
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if file in files:
                yield file
                return
        path = path.rpartition("/")[0]


def _beside(file: str, files: set[str]) -> set[str]:
    return {str(folder / "conftest.py") for folder in Path(file).parents} & files - {file}


def _readers(file: str, imported: Mapping[str, set[str]], root: Path) -> Iterator[str]:
    """Name the modules that a change of a file changes: itself, those that read its folder, or that name it."""
    if file in imported:
        yield file
        return
    yield from (
        part for folder, name in READERS.items() if file.startswith(folder) for part in _first(name, {*imported})
    )
    yield from (one for one in imported if Path(file).name in (root / one).read_text())
    yield from (one for one in imported if Path(one).parent in Path(file).parents and one.startswith("tests/games/"))


class Hurry:
    """Begins no other trial when the time is over, and says how many were left."""

    def __init__(self, seconds: float) -> None:
        """Let the time begin."""
        self._end = time.monotonic() + seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Leave a trial out that would come too late."""
        if time.monotonic() < self._end:
            return None
        late = pytest.TestReport(item.nodeid, item.location, {}, "skipped", (str(item.path), 0, LATE), "setup")
        item.ihook.pytest_runtest_logreport(report=late)
        return True

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count it apart from those that were tried."""
        is_late = isinstance(report.longrepr, tuple) and report.longrepr[2] == LATE
        return (LATE, "", "") if is_late else None


def main() -> int:
    """Run the trials that a change can break."""
    files = changed()
    trials = chosen(files, imports())
    print(f"-- {len(trials)} files of trials know of what was changed: {', '.join(files[:8])}{' …' * (len(files) > 8)}")
    if len(trials) > MOST_FILES:
        print(f"-- the nearest {MOST_FILES} of them are tried, as far as the time goes; bin/test tries all")
    words = [
        "-p",
        "no:benchmark",
        "-q",
        "--hurry",
        str(MOST_S),
        "--numprocesses",
        "2",
        "--dist",
        "load",
        "--maxschedchunk",
        "1",
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *words, *trials[:MOST_FILES]], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
