"""`companion new-game`: a package that plays, prints and passes its own tests, to begin a game with."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from shlex import join, quote
from unicodedata import combining, normalize

import click

from companion.commands.catalogues import keep, read
from companion.games import GAMES

BLANK = Path(__file__).parents[1] / "new_game"
"""The package, with places for the game's names; nothing takes its files for code, by their ending."""
ENDING = "-tpl"
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NAME = re.compile(r"[\w '’!?.,:&()–-]+")
"""What may stand in code, in templates and in sentences as it is."""


@click.command()
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the package is written.  [default: by its name]")
def new_game(name: str, folder: Path | None) -> None:
    """Write a package for the game NAME: it plays, prints and passes its own tests.

    \b
    Example:
      companion new-game "Twenty Dice"
    """
    key = key_of(name)
    folder = folder or Path(key)
    try:
        write(folder, key, name)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}.") from None
    click.echo(f"{name} is in {folder}. Next:\n")
    for line in steps(folder.absolute()):
        click.echo(f"  {line}")
    click.echo(f"\nIts rules are in {folder / key / 'rules.py'}.")


def steps(folder: Path) -> list[str]:
    """List the commands that come next: beside an installed companion, or one that is run from its tree."""
    try:
        version("companion")
    except PackageNotFoundError:
        python, root = sys.executable, BLANK.parents[1]
        return [
            join([python, "-m", "pip", "install", "--no-deps", "-e", str(folder)]),
            join([str(root / "bin" / "companion"), "serve", "--reload"]),
            f"PYTHONPATH={quote(str(root))} {join([python, '-m', 'pytest', str(folder)])}",
        ]
    return [
        join(["pip", "install", "-e", f"{folder}[test]"]),
        "companion serve --reload",
        join(["pytest", str(folder)]),
    ]


def key_of(name: str) -> str:
    """Make the game's key of its name. Raises: ClickException, where there can be none, or another has it."""
    if not _NAME.fullmatch(name):
        raise click.ClickException("A name has letters, digits, spaces and no signs but '’!?.,:&()–- here.")
    bare = "".join(letter for letter in normalize("NFKD", name.lower()) if not combining(letter))
    key = re.sub(r"[^a-z0-9]+", "_", bare).strip("_")
    if not _KEY.fullmatch(key) or keyword.iskeyword(key):
        raise click.ClickException(f"{name} makes no key: begin with a letter from a to z, and use 40 at most.")
    if key in GAMES or key == "any":
        raise click.ClickException(f"There is a game with the key {key} already.")
    if find_spec(key):
        raise click.ClickException(f"There is a package {key} already, and Python would not find yours.")
    return key


def write(folder: Path, key: str, name: str) -> None:
    """Write the package. Raises: OSError."""
    folder.mkdir(parents=True)
    places = {"«key»": key, "«project»": key.replace("_", "-"), "«name»": name}
    for file in sorted(path for path in BLANK.rglob(f"*{ENDING}") if path.is_file()):
        target = folder / file.relative_to(BLANK).as_posix().removesuffix(ENDING).replace("_key_", key)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8")
        for place, said in places.items():
            text = text.replace(place, said)
        target.write_text(text, "utf-8")
    for file in (folder / key / "translations").glob("*/LC_MESSAGES/messages.po"):
        keep(read(file, file.parts[-3]), file)
