"""`companion update` knows how it came here, asks who can be asked there, and says so where nobody can be."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import __version__
from companion.commands import companion, origin
from companion.commands.origin import Origin, Unasked

NOBODY = "Nobody can say here whether there is a newer release."


def told() -> tuple[int, list[str]]:
    """Run it; gives its exit status, and its lines."""
    done = CliRunner().invoke(companion, ["update"])
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, done.stdout.splitlines()


def git(folder: Path, *words: str) -> None:
    about = ["-c", "user.name=Anna", "-c", "user.email=anna@localhost", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *about, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Clone a tree in which releases have been tagged."""

    def make(*tags: str) -> Path:
        first, own = tmp_path / "first", tmp_path / "own"
        (first / "bin").mkdir(parents=True)
        (first / "bin" / "companion").write_text("#!/bin/sh\n")
        git(first, "init")
        git(first, "add", ".")
        git(first, "commit", "-m", "Begin")
        for tag in tags:
            git(first, "tag", tag)
        git(tmp_path, "clone", str(first), str(own))
        monkeypatch.setattr(origin, "HERE", own / "companion")
        return own

    return make


def test_a_clone_asks_where_it_was_cloned_from(clone: Callable[..., Path]) -> None:
    """By their numbers, and not by the alphabet; what is no release counts for nothing."""
    own = clone("v0.1.0", "v0.9.0", "v0.10.0", "vendor", "v9.9")
    status, lines = told()
    assert status == 1
    assert lines[:2] == [f"companion {__version__}: a clone, in {own}.", "0.10.0 is newer."]
    assert f"  git -C {own} pull" in lines


def test_what_is_to_be_typed_can_be_in_a_folder_with_a_space(
    clone: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = clone("v9.0.0")
    own = own.rename(own.with_name("Hry a kostky"))
    monkeypatch.setattr(origin, "HERE", own / "companion")
    _status, lines = told()
    assert lines[-4:-2] == [f"  git -C '{own}' pull", f"  '{own}/bin/companion' serve"]


def test_a_clone_that_has_the_newest_says_so_and_no_more(clone: Callable[..., Path]) -> None:
    clone("v0.0.1", "v0.1.0")
    status, lines = told()
    assert (status, lines[1:]) == (0, ["No release is newer."])


def test_what_is_not_released_yet_is_older_than_its_release(
    clone: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    clone("v0.7.0")
    for own, status in (("0.7.0.dev0", 1), ("0.7.0", 0), ("0.7.1.dev0", 0)):
        monkeypatch.setattr("companion.commands.update.__version__", own)
        assert told()[0] == status


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda own: git(own, "remote", "remove", "origin"), "No remote configured"),
        (lambda own: shutil.rmtree(own.parent / "first"), "does not appear to be a git repository"),
        (lambda own: shutil.rmtree(own / ".git"), "A copy of the tree does not know where it came from."),
        (lambda own: None, "Where it was cloned from, no release has a tag."),
    ],
    ids=["no remote", "nobody answers", "no clone", "no tag"],
)
def test_a_clone_that_can_ask_nobody_says_why_and_how_all_the_same(
    clone: Callable[..., Path], spoil: Callable[[Path], None], why: str
) -> None:
    own = clone()
    spoil(own)
    status, lines = told()
    assert status == 2
    assert lines[1].startswith(NOBODY)
    assert why in lines[1]
    assert f"  {own / 'bin' / 'companion'} serve" in lines


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an environment that an index has filled; gives what pip leaves beside the code."""
    packages = tmp_path / "site-packages"
    about = packages / f"companion-{__version__}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: companion\nVersion: {__version__}\n")
    (about / "INSTALLER").write_text("pip\n")
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setattr(origin, "HERE", packages / "companion")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    (tmp_path / "index").mkdir()
    return about


def test_what_an_index_gave_asks_that_index_by_pip(installed: Path, tmp_path: Path) -> None:
    for number in ("0.1.0", "8.10.0", "8.9.0", "9.0.0rc1"):
        (tmp_path / "index" / f"companion-{number}-py3-none-any.whl").touch()
    status, lines = told()
    assert status == 1
    assert lines[:2] == [f"companion {__version__}: installed by pip, in {tmp_path}.", "8.10.0 is newer."]
    assert f"  {sys.executable} -m pip install --upgrade companion" in lines


def test_where_no_pip_is_nobody_can_be_asked(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (installed / "INSTALLER").write_text("uv\n")
    monkeypatch.setattr(origin, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", "")
    status, lines = told()
    assert (status, lines[1].startswith(f"{NOBODY} There is no pip here to ask by; uv pip install")) == (2, True)


def test_an_index_that_does_not_know_it_is_nobody(installed: Path) -> None:
    status, lines = told()
    assert (status, lines[1]) == (2, f"{NOBODY} No matching distribution found for companion.")


def test_what_a_file_gave_asks_no_index_which_may_have_a_stranger_of_that_name(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "index" / "companion-9.0.0-py3-none-any.whl").touch()
    given = {"url": "https://anna:hush@club.example/companion-0.2.0-py3-none-any.whl", "archive_info": {}}
    (installed / "direct_url.json").write_text(json.dumps(given))
    status, lines = told()
    assert status == 2
    assert lines[0].endswith(", from companion-0.2.0-py3-none-any.whl.")
    assert "hush" not in "".join(lines)
    assert f"  {sys.executable} -m pip install --upgrade ./companion-NEW-py3-none-any.whl" in lines


@pytest.mark.parametrize(
    ("note", "by", "index", "file"),
    [
        ("pipx_metadata.json", "pip", "pipx upgrade companion", "pipx install --force ./companion-NEW"),
        ("uv-receipt.toml", "uv", "uv tool upgrade companion", "uv tool install --force ./companion-NEW"),
        ("", "uv", f"uv pip install --python {sys.executable} --upgrade companion", "uv pip install --python"),
    ],
    ids=["pipx", "uv tool", "uv"],
)
def test_each_tool_is_known_by_what_it_leaves(  # noqa: PLR0913, PLR0917 (what each leaves, and says)
    installed: Path, tmp_path: Path, note: str, by: str, index: str, file: str
) -> None:
    (installed / "INSTALLER").write_text(f"{by}\n")
    if note:
        (tmp_path / note).touch()
    assert origin.origin().steps == (index,)
    (installed / "direct_url.json").write_text('{"url": "file:///companion.whl"}')
    (step,) = origin.origin().steps
    assert step.startswith(file)


def test_the_code_alone_is_an_image_that_knows_nobody(installed: Path) -> None:
    shutil.rmtree(installed)
    status, lines = told()
    assert status == 2
    assert lines[0] == f"companion {__version__}: an image, or its code alone."


def test_what_dpkg_has_unpacked_is_known_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a package that every Debian has: ours is tried where it is installed (`test_debian_package.py`)."""
    monkeypatch.setattr(origin, "HERE", Path("/usr/share/base-passwd"))
    monkeypatch.setattr(origin, "INSIDE", "passwd.master")
    found = origin.origin()
    assert found.told == "the Debian package base-passwd"
    assert found.by_hand == ("apt install ./base-passwd_NEW_*.deb",)


def test_what_apt_says_names_releases_of_this_package_alone() -> None:
    """The lines of `apt-cache madison`."""
    said = """\
 companion |    0.3.0-1 | http://club.example stable/main amd64 Packages
 companion |      0.2.0 | http://club.example stable/main amd64 Packages
 companionway | 9.9.9 | http://club.example stable/main amd64 Packages
"""
    pattern = origin._debian("companion").release
    assert re.findall(pattern, said, re.MULTILINE) == ["0.3.0", "0.2.0"]


def test_who_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origin, "PATIENCE_S", 0.1)
    for command, why in (("sleep", "no answer within"), ("no-such-program", "cannot be run")):
        with pytest.raises(Unasked, match=why):
            Origin("", (), ask=(command, "60")).releases()
