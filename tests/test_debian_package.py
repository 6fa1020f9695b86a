"""The Debian package: its files fit the rest, and (--long) it is built, plays in a bare Debian, and leaves the evenings behind."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.commands.serve import serve
from companion.testing.pages import Program
from tests.house import a_round, free_port
from tests.roots import Root, bare_root, wait_for
from tests.test_images import ROOT, SETTINGS

FILES = ROOT / "docs" / "deploying" / "debian"
UNITS = ("companion.service", "companion-backup.service", "companion-backup.timer")
DATA = "/var/lib/companion"


def lines(unit: str, name: str) -> list[str]:
    """List what a unit says under a name."""
    return re.findall(rf"^{name}=(.*)$", (FILES / unit).read_text(), re.MULTILINE)


def test_the_units_run_as_the_user_that_is_made_and_keep_the_data_where_it_stays() -> None:
    made = (FILES / "postinst").read_text()
    for unit in UNITS[:2]:
        (user,) = lines(unit, "User")
        assert f"--quiet {user}\n" in made
        assert f"COMPANION_DATA={DATA}" in lines(unit, "Environment")
        assert f"--mode=700 {DATA}\n" in made


def test_what_may_be_set_is_known() -> None:
    text = (FILES / "companion.env").read_text()
    assert set(re.findall(r"^#?(COMPANION_\w+)=", text, re.MULTILINE)) <= SETTINGS
    known = {name for option in serve.params for name in option.opts}
    assert set(re.findall(r"--[a-z-]+", re.findall(r"^OPTIONS=(.*)$", text, re.MULTILINE)[0])) <= known


def test_the_page_that_its_settings_speak_of_is_in_it() -> None:
    """Found by hand: they sent whoever installed the package to a file of the tree."""
    (named,) = re.findall(r"(?:\S*/)?(\w+\.md) says", (FILES / "companion.env").read_text())
    copied = re.findall(
        r"^cp (.+) \"\$tree/usr/share/doc/companion/\"$", (ROOT / "bin" / "deb").read_text(), re.MULTILINE
    )
    assert f"/usr/share/doc/companion/{named}" in (FILES / "companion.env").read_text()
    assert any(f"/docs/{named}" in files for files in copied)


def test_it_asks_for_what_the_tree_installs() -> None:
    (listed,) = re.findall(r'^run_packages="(.+)"$', (ROOT / "bin" / "setup.sh").read_text(), re.MULTILINE)
    (needed,) = re.findall(r"^Depends: (.*)$", (FILES / "control").read_text(), re.MULTILINE)
    assert set(listed.split()) - {"python3-venv"} <= {one.split()[0] for one in needed.split(",")}


@pytest.mark.long
def test_the_package_is_built_plays_is_upgraded_and_leaves_the_evenings_behind(tmp_path: Path) -> None:
    """What its units would start is run as their user: no systemd runs in a folder."""
    built = subprocess.run([ROOT / "bin" / "deb", tmp_path], stdout=subprocess.PIPE, text=True, check=True).stdout
    with bare_root(tmp_path) as root:
        check_in(root, Path(built.strip()), tmp_path)


def check_in(root: Root, package: Path, folder: Path) -> None:
    """Install it, play, make a copy, upgrade in the middle of an evening, remove it."""
    install(root, package, "systemd")
    root.run("systemd-analyze", "verify", "--man=no", *(f"/usr/lib/systemd/system/{unit}" for unit in UNITS))
    files = {path for path in root.run("dpkg", "-L", "companion").split() if not (root.folder / path[1:]).is_dir()}
    moves = list(a_round(1, 3))
    with served(root, folder) as program:
        opened = program.asks("POST", "/tables", {"game": "rage", "players": ["Anna", "Bohdan", "Cyril"]})
        path = f"/tables/{opened['table']['code']}"
        program.asks("POST", f"{path}/moves", moves[0])
        as_user(root, "mkdir", "-p", f"{DATA}/copies")
        (copy,) = lines(UNITS[1], "ExecStart")
        as_user(root, *shlex.split(copy.replace("$$", "$").replace("%%", "%")))
    said = as_user(root, "sh", "-c", "companion update || [ $? = 2 ]")
    assert ": the Debian package companion.\nNobody can say" in said
    assert "\n  apt install ./companion_NEW_*.deb\n" in said
    assert re.fullmatch(r"[1-7]\.copy\n", root.run("ls", f"{DATA}/copies"))
    install(root, newer(package, folder))
    with served(root, folder) as again:
        again.token = program.token
        for move in moves[1:]:
            again.asks("POST", f"{path}/moves", move)
        assert [place["score"] for place in again.asks("GET", f"{path}/standing")["standing"]] == [10, 10, 5]
        as_user(root, "companion", "print", "rage", "--blank", "-o", "/tmp/rage.pdf")
    root.run("dpkg", "--purge", "companion")
    assert [path for path in files if (root.folder / path[1:]).exists()] == []
    assert not (root.folder / "usr/lib/companion").exists()
    assert {"companion.sqlite", "secret_key", "copies"} <= set(root.run("ls", DATA).split())


def install(root: Root, package: Path, *more: str) -> None:
    (root.folder / "root" / "companion.deb").write_bytes(package.read_bytes())
    root.run("apt-get", "-qq", "update")
    root.run("apt-get", "-qq", "install", "--yes", "--no-install-recommends", "/root/companion.deb", *more)


def newer(package: Path, folder: Path) -> Path:
    """Give the same as a release that comes later."""
    subprocess.run(["dpkg-deb", "-R", package, folder / "newer"], check=True)
    control = folder / "newer" / "DEBIAN" / "control"
    control.write_text(re.sub(r"^Version: .*$", r"\g<0>+later", control.read_text(), flags=re.MULTILINE))
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder / "newer", folder / "newer.deb"],
        check=True,
    )
    return folder / "newer.deb"


def as_user(root: Root, *command: str) -> str:
    return root.run(*surroundings(), *command)


def surroundings() -> list[str]:
    """Begin a command as the units' user, with the data where theirs is."""
    return ["runuser", "--user", "companion", "--", "env", f"COMPANION_DATA={DATA}", "HOME=/nowhere"]


@contextmanager
def served(root: Root, folder: Path) -> Iterator[Program]:
    """Serve as the unit does; gives a program there."""
    port = free_port()
    (begun,) = lines(UNITS[0], "ExecStart")
    command = begun.replace("$OPTIONS", f"--host 127.0.0.1 --port {port}").split()
    with root.begun([*surroundings(), *command], folder / "log") as said:
        wait_for(port, said)
        yield Program(f"http://127.0.0.1:{port}")
