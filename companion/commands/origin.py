"""How this companion came here: so who can be asked for a newer release, and what brings it.

No address stands here. A clone asks where it was cloned from, apt and pip ask where they are set to look; who was given
a file asks whoever gave it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import join

import companion

HERE, INSIDE = Path(companion.__file__).parent, "__init__.py"
NAME = "companion"
NEW = "NEW"
"""Stands for the number of a release that nobody has named."""
PATIENCE_S = 30
"""After so long whoever was asked is not waited for."""
ALONE = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes", "LC_ALL": "C"}
"""Nobody sits there to type a password; and the answer is read in English."""
RELEASE = r"(\d+\.\d+\.\d+)"


class Unasked(Exception):
    """Nobody could say which releases there are; the message says why."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How the companion came here."""

    told: str
    """For people: a clone in a folder, a Debian package."""
    steps: tuple[str, ...]
    """What brings another release, a command each; NEW stands for its number."""
    ask: tuple[str, ...] = ()
    """The command that tells of releases; () where nobody can be asked."""
    release: str = RELEASE
    """How its answer names one."""
    silence: str = ""
    """Why nobody can be asked, or what it means where the answer names none."""
    by_hand: tuple[str, ...] = ()
    """The steps where nobody could say, if those are others."""

    def releases(self) -> list[str]:
        """Ask which releases there are. Raises: Unasked."""
        found = re.findall(self.release, _said(self.ask), re.MULTILINE) if self.ask else []
        if not found:
            raise Unasked(self.silence)
        return found


def origin() -> Origin:
    """Find out how the companion came here."""
    if (HERE.parent / "bin" / NAME).is_file():
        return _tree(HERE.parent)
    if package := _package():
        return _debian(package)
    try:
        return _installed(distribution(NAME))
    except PackageNotFoundError:
        return Origin(
            "an image, or its code alone",
            ("podman build --file docs/deploying/Containerfile --format docker --tag companion .",),
            silence="An image does not know where it came from: whoever built it has the tree.",
        )


def _tree(folder: Path) -> Origin:
    begin = (join([str(folder / "bin" / NAME), "serve"]),)
    if not (folder / ".git").exists() or not shutil.which("git"):
        return Origin(
            f"a copy of the tree, in {folder}",
            (f"(put the new tree in the place of {folder})", *begin),
            silence="A copy of the tree does not know where it came from.",
        )
    git = ("git", "-C", str(folder))
    return Origin(
        f"a clone, in {folder}",
        (join([*git, "pull"]), *begin),
        (*git, "ls-remote", "--tags", "--refs"),
        rf"refs/tags/v{RELEASE}$",
        "Where it was cloned from, no release has a tag.",
    )


def _package() -> str:
    """Name the Debian package that the code is of; "" for none."""
    if not shutil.which("dpkg-query"):
        return ""
    found = subprocess.run(["dpkg-query", "--search", str(HERE / INSIDE)], capture_output=True, text=True, check=False)
    return found.stdout.partition(":")[0] if found.returncode == 0 else ""


def _debian(package: str) -> Origin:
    """Ask apt, which knows what it saw at its last update: not what dpkg has installed, but what a source offers."""
    return Origin(
        f"the Debian package {package}",
        ("apt update", f"apt install {package}"),
        ("apt-cache", "madison", package),
        rf"^ *{re.escape(package)} \| +{RELEASE}",
        "No source of apt has it: who gave you the package may have a newer one.",
        (f"apt install ./{package}_{NEW}_*.deb",),
    )


def _installed(found: Distribution) -> Origin:
    tool, where = _tool(found), f"in {sys.prefix}"
    file = f"./{NAME}-{NEW}-py3-none-any.whl"
    if given := found.read_text("direct_url.json"):
        return Origin(
            f"installed by {tool}, {where}, from {_place(given)}",
            (_line(tool, file),),
            silence="It was installed from a file: who gave it to you may have a newer one.",
        )
    return Origin(
        f"installed by {tool}, {where}",
        (_line(tool, ""),),
        tuple(_pip()),
        rf"(?<=[ ,]){RELEASE}(?=,|$)",
        f"There is no pip here to ask by; {_line(tool, '')} looks by itself.",
    )


def _tool(found: Distribution) -> str:
    """Name what installed the companion: each leaves a note in the environment that it made, or beside the code."""
    notes = {"pipx_metadata.json": "pipx", "uv-receipt.toml": "uv tool"}
    by = (found.read_text("INSTALLER") or "pip").strip()
    return next((tool for note, tool in notes.items() if Path(sys.prefix, note).is_file()), by)


def _line(tool: str, file: str) -> str:
    """Write what installs a file, or with "" what an index has."""
    match tool:
        case "pipx":
            return f"pipx install --force {file}" if file else f"pipx upgrade {NAME}"
        case "uv tool":
            return f"uv tool install --force {file}" if file else f"uv tool upgrade {NAME}"
        case "uv":
            return join(["uv", "pip", "install", "--python", sys.executable, "--upgrade", file or NAME])
        case _:
            return join([sys.executable, "-m", "pip", "install", "--upgrade", file or NAME])


def _place(given: str) -> str:
    """Read where a file came from (PEP 610): its name is enough, an address may hold a password."""
    return str(json.loads(given).get("url", "")).rstrip("/").rpartition("/")[2] or "a file"


def _pip() -> Iterator[str]:
    """Write the command by which pip asks the index that it is set to; nothing where there is no pip."""
    own = [sys.executable, "-m", "pip"] if find_spec("pip") else [shutil.which("pip3") or shutil.which("pip") or ""]
    if own[0]:
        habits = ("--disable-pip-version-check", "--no-input", "--no-color", "--timeout=5", "--retries=0")
        yield from (*own, *habits, "index", "versions", NAME)


def _said(command: Sequence[str]) -> str:
    """Run what asks. Raises: Unasked."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **ALONE},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        raise Unasked(f"{command[0]} had no answer within {PATIENCE_S} s.") from None
    except OSError as error:
        raise Unasked(f"{command[0]} cannot be run: {error.strerror}.") from None
    if done.returncode:
        raise Unasked(_complaint(done.stderr) or f"{command[0]} failed.")
    return done.stdout


def _complaint(said: str) -> str:
    """Find the line that says what is wrong.

    >>> _complaint("WARNING: pip is old\\nERROR: No matching distribution found for companion\\n")
    'No matching distribution found for companion.'
    >>> _complaint("fatal: No remote configured to list refs from.\\n\\nPlease make sure\\n")
    'No remote configured to list refs from.'
    """
    lines = [line for line in said.splitlines() if line.strip()]
    signs = ("fatal: ", "ERROR: ", "E: ")
    found = next((line for line in lines if line.startswith(signs)), lines[-1] if lines else "")
    for sign in signs:
        found = found.removeprefix(sign)
    return f"{found.rstrip('.')}." if found else ""
