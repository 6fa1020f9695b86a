"""An album: a folder of pictures, with a page that lists them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def empty(folder: Path) -> None:
    """Make the folder, or take out the pictures that are in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()


def list_up(folder: Path, head: str, names: Sequence[str], shown: str = "") -> None:
    """Write the page under its head, each picture under its name; `shown` says what one sees of it."""
    pictures = [f"## {name}\n\n![{name}{shown}]({name}.webp)\n" for name in names]
    (folder / "README.md").write_text(f"{head}\n\n" + "\n".join(pictures))
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{len(names)} pictures, {size / 1e6:.1f} MB")
