"""The catalogues of `companion/translations/`: gathered from code, pages and sheets, read, renewed and compiled.

`bin/words` runs this; `tests/test_languages.py` holds the catalogues to it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog

from companion.commands import catalogues
from companion.commands.catalogues import CODE, PAGES, Words, compiled, is_whole, keep, missing
from companion.words import LANGUAGES, TRANSLATIONS, languages

__all__ = ["OTHERS", "ROOT", "compiled", "gathered", "is_whole", "missing", "po_file", "read", "renew", "renewed"]

ROOT = Path(__file__).parent.parent
FOLDERS = {"companion": CODE, "templates": PAGES, "printables": PAGES}
HEAD = "# Renewed by bin/words."
OTHERS = LANGUAGES[1:]


def gathered() -> Catalog:
    """Gather every sentence that is marked, with the files it stands in."""
    return catalogues.gathered((ROOT / folder, folder, how) for folder, how in FOLDERS.items())


def po_file(language: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """Read a catalogue as it was written; an empty one if there is none yet."""
    return catalogues.read(po_file(language), language)


def renewed(language: str, template: Catalog) -> Words:
    """Take the translations over to the sentences that there are now; those of others are dropped."""
    return catalogues.renewed(read(language), template, HEAD)


def renew(language: str, template: Catalog) -> Words:
    """Write a language's catalogue and compile it."""
    catalogue = renewed(language, template)
    keep(catalogue, po_file(language))
    return catalogue


def main(asked: list[str]) -> None:
    """Renew every catalogue; name the sentences that these languages still lack."""
    template = gathered()
    for language in OTHERS:
        lacking = list(missing(renew(language, template)))
        print(f"{languages()[language]}: {len(template) - len(lacking)} of {len(template)} sentences")
        for message in lacking if language in asked else ():
            print(f"  {', '.join(file for file, _line in message.locations)}: {message.id}")


if __name__ == "__main__":
    main(sys.argv[1:])
