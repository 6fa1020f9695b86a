"""Build the site of these documents by MkDocs: `bin/site` runs it, and mkdocs.yml names it as its hook.

The pages are taken as they lie in the tree, from the README on, so that their links are the same in both. What they
link of the code is not on the site: there the link is its words, and where to look in the tree.
"""

from __future__ import annotations

import logging
import posixpath
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
CONFIGURATION = ROOT / "docs" / "mkdocs.yml"
SHELF = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "benchmarks/README.md")
"""What belongs to the site beside the folder of the documents."""
ICON = "companion/static/icons/icon-192.png"
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(([^)\s]+)\)")
CODE_IN_ROW = re.compile(r"`[^`\n]*`")
LANGUAGE = re.compile(r"\.([a-z]{2})\.md$")


def main() -> None:
    """Build it into the folder that is named, which must not be there, or anew into dist/site."""
    folder = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else ROOT / "dist" / "site"
    if len(sys.argv) > 1 and folder.exists():
        sys.exit(f"{folder} is there already: name a new folder")
    build(folder)
    print(f"The site is in {folder}; to read it, open {folder / 'index.html'}")


def build(folder: Path) -> None:
    """Build the site; whatever it warns of is a fault.

    Raises:
        SystemExit: a link leads nowhere, a page is not in the navigation, or else something is wrong.
    """
    logging.basicConfig(format="%(message)s")
    from mkdocs.commands.build import build as bound  # noqa: PLC0415 (the tests read this file without MkDocs)
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.exceptions import Abort  # noqa: PLC0415

    with shelved() as shelf:
        configuration = load_config(str(CONFIGURATION), docs_dir=str(shelf), site_dir=str(folder), strict=True)
        try:
            bound(configuration)
        except Abort as fault:
            sys.exit(f"The site is not whole: {fault}")


@contextmanager
def shelved() -> Iterator[Path]:
    """Lay out what belongs to the site, and nothing else, as it lies in the tree; MkDocs would read all of that."""
    with TemporaryDirectory() as name:
        shelf = Path(name)
        for part in (*SHELF, *(str(one.relative_to(ROOT)) for one in sorted((ROOT / "docs").iterdir()))):
            (shelf / part).parent.mkdir(exist_ok=True)
            (shelf / part).symlink_to(ROOT / part)
        (shelf / "docs" / "icon.png").symlink_to(ROOT / ICON)
        yield shelf


def on_config(config: MkDocsConfig) -> None:
    """Name headings as the tree's readers do, so that one link leads to the same place on both."""
    from pymdownx.slugs import slugify  # noqa: PLC0415 (the tests read this file without MkDocs)

    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leave of a link to what is not on the site its words; a bar in a table's code is not escaped here."""
    shown = {file.src_uri for file in files if file.inclusion.is_included()}
    rows = (unescaped(line) if line.startswith("|") else line for line in markdown.split("\n"))
    return unlinked("\n".join(rows), page.file.src_uri, shown)


def unescaped(row: str) -> str:
    """Leave out what keeps a bar in the code of a table's row from parting it: MkDocs would show that."""
    return CODE_IN_ROW.sub(lambda code: code[0].replace("\\|", "|"), row)


def unlinked(markdown: str, page: str, shown: set[str]) -> str:
    """Replace links into the tree that lead to nothing on the site; those that lead nowhere are left to MkDocs."""

    def told(link: re.Match[str]) -> str:
        words, target = link.groups()
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
        if target.startswith("#") or place in shown or not (ROOT / place).exists():
            return link[0]
        return f'<span title="{place}">{words}</span>'

    return LINK.sub(told, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let pictures wait until they are come to: the galleries have hundreds."""
    return html.replace("<img ", '<img loading="lazy" ')


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Say in which language a page is, for who has it read out."""
    found = LANGUAGE.search(page.file.src_uri)
    return output.replace('<html lang="en"', f'<html lang="{found[1]}"', 1) if found else output


if __name__ == "__main__":
    main()
