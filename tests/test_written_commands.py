"""Commands as the pages write them: each is there, with its options and files; and what can run does (--long)."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.commands import COMMANDS
from companion.commands import companion as command
from companion.games import GAMES
from tests.house import EXAMPLE
from tests.test_site import PAGES, ROOT

BLOCK = re.compile(r"^ *```(sh|console)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
SETTING = re.compile(r"[A-Z_]+=\S*$")
OURS = re.compile(r"(?:bin/)?companion$")
IN_TREE = re.compile(r"(?:bin|benchmarks|docs|tests)/[\w./-]*\w$")
BY_OTHERS = {
    "apt": "tests/test_debian_package.py",
    "curl": "tests/api",
    "mkdir": "by hand, once for a language",
    "pip": "tests/test_packaging.py",
    "pipx": "tests/test_packaging.py",
    "podman": "tests/test_images.py, by buildah",
    "pytest": "tests/test_packaging.py",
    "python3": "the system's, with what it brings",
    "sudo": "tests/databases.py makes such a database",
    "systemd-run": "nowhere: systemd is not started where the tests run",
    "uv": "by hand, whenever the pins are renewed",
}
"""Programs that are not ours -> where that is tried."""
NOT_HERE = {
    "serve": "hundreds of trials start it",
    "demo": "tests/test_demo.py",
    "new-game": "tests/test_adding_a_game.py",
    "words": "tests/test_adding_a_game.py",
}
"""Commands that are tried elsewhere."""
PLACES = {"TABLE-CODE": "K7QX2M", "NAME": "Anna", "NEW": "Hana", "DIR": "sheets"}
FILES = {"replay": "evening.json", "import": "evening.json", "print": "sheet.pdf"}
"""Which file a command is given; the others the copy."""


def told(text: str) -> Iterator[str]:
    """List what a page would have somebody type: blocks line by line, and commands at the head of a table's row."""
    for kind, block in BLOCK.findall(text):
        rows = block.replace("\\\n", " ").splitlines()
        yield from (row.strip().removeprefix("$ ") for row in rows if kind == "sh" or row.startswith(("$", "COMP")))
    for row in FENCED.sub("", text).splitlines():
        head = row.split(" | ")[0] if row.startswith("| `companion ") else ""
        for span in SPAN.findall(head):
            yield f"companion {span}" if span.split()[0] in COMMANDS else span


def mentioned(text: str) -> Iterator[str]:
    """List the commands that a page names between its words, whole or by their names alone."""
    for span in SPAN.findall(FENCED.sub("", text)):
        if re.match(r"(?:bin/)?companion [a-z]|bin/\w+", span):
            yield " ".join(span.split())


def typed(line: str) -> list[str]:
    """Split a line into words, without what may be left out, settings before it, and what the shell does around it."""
    words = shlex.split(re.sub(r"[\[\]…]|\\", "", line), comments=True)
    while words and (SETTING.match(words[0]) or words[0] in {"for", "do", "done"}):
        words = words[1:] if words[0] != "for" else []
    return words


TEXTS = {page: (ROOT / page).read_text() for page in PAGES}
RUN = [
    (page, words[1:])
    for page, text in TEXTS.items()
    for line in told(text)
    if page not in {"docs/adding-a-game.md", "docs/score-sheets.md"}
    and OURS.match((words := typed(line) or [""])[0])
    and words[1] not in NOT_HERE
]
"""The pages that are left out have trials of their own, with the games that they speak of."""


def parsed(words: list[str]) -> None:
    """Read a command's words as the command would, but for what they mean; games of a page are not installed here."""
    # As the command itself makes it: a part keeps the names of its help from whoever asks it first.
    context = click.Context(command, **command.context_settings)
    part = command.get_command(context, words[0])
    if isinstance(part, click.Group):
        part, words = part.get_command(context, words[1]) if {*words[1:2]} & GAMES.keys() else None, words[1:]
    elif "--help" not in words:
        assert part, words
    if part and "--help" not in words:
        assert part.make_parser(click.Context(part, parent=context)).parse_args(words[1:])[1] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_there_as_it_is_written(page: str) -> None:
    for program, *words in filter(None, map(typed, (*told(TEXTS[page]), *mentioned(TEXTS[page])))):
        if OURS.match(program):
            assert not words or words == ["--help"] or parsed(words) is None
        elif program == ".venv/bin/python":
            assert find_spec(words[1]) if words[0] == "-m" else (ROOT / words[0]).exists(), words
        else:
            assert program in BY_OTHERS or (ROOT / program).exists(), program
        assert [word for word in words if IN_TREE.match(word) and not (ROOT / word).exists()] == []


SCRIPTS = sorted(
    file.name for file in (ROOT / "bin").iterdir() if os.access(file, os.X_OK) and file.name != "companion"
)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_that_is_asked_what_it_does_says_so_and_does_nothing(script: str, tmp_path: Path) -> None:
    """Found by hand: `bin/tidy --help` laid everything out, and `bin/deb --help` built a package."""
    (tmp_path / "bin").mkdir()
    for name in (script, "setup.sh"):
        shutil.copy(ROOT / "bin" / name, tmp_path / "bin")
    done = subprocess.run([tmp_path / "bin" / script, "--help"], capture_output=True, text=True, check=False)
    head = (ROOT / "bin" / script).read_text().partition("\nset -eu")[0].splitlines()[1:]
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [line.removeprefix("#").removeprefix(" ") for line in head]
    assert [file.name for file in tmp_path.iterdir()] == ["bin"]


def test_pages_have_commands_that_can_run() -> None:
    assert {words[0] for _page, words in RUN} == COMMANDS.keys() - NOT_HERE.keys()


def test_what_is_not_there_is_found() -> None:
    with pytest.raises(click.UsageError):
        parsed(["print", "rage", "--blnk"])
    with pytest.raises(AssertionError):
        parsed(["prnt", "rage"])
    with pytest.raises(AssertionError):
        parsed(["forget", "Anna", "Bohdan"])


def filled(words: list[str]) -> list[str]:
    """Put something in the place of what a page only names."""
    places = {**PLACES, "FILE": FILES.get(words[0], "evenings.copy")}
    return [places.get(word, word) for word in words]


@pytest.mark.long
@pytest.mark.parametrize(("page", "words"), RUN, ids=[f"{page}: {' '.join(words)}" for page, words in RUN])
def test_a_command_runs_as_it_is_written(
    page: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On an evening of its own, with a copy of it; `print --all` is that of `tests/test_every_sheet.py`."""
    if words[0] == "print" and "--all" in words:
        return
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    for name in ("COMPANION_ADDRESS", "COMPANION_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    Path("evening.json").write_text(json.dumps(EXAMPLE))
    for before in (["import", "evening.json"], ["backup", "evenings.copy"]):
        assert CliRunner().invoke(command, before).exit_code == 0
    if words[0] == "backup":
        Path("evenings.copy").unlink()
    done = CliRunner().invoke(command, filled(words), input="y\n")
    # A clone of what has no release yet can ask nobody what is newer: that is all there is to say.
    assert done.exit_code == 0 or (words == ["update"] and "Nobody can say here" in done.output), done.output
