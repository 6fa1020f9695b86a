"""The catalogues of `companion/translations/`: gathered from code, pages and sheets, read, renewed and compiled.

`bin/words` runs this; `tests/test_languages.py` holds the catalogues to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.words import LANGUAGES, TRANSLATIONS, kept_together

ROOT = Path(__file__).parent.parent
FOLDERS = {"companion": ("**.py", "python"), "templates": ("**.html", "jinja2"), "printables": ("**.html", "jinja2")}
KEYWORDS = {**DEFAULT_KEYWORDS, "Plural": (1, 2), "Told": None}
OPTIONS = {"**.html": {"newstyle_gettext": "true", "silent": "false"}}
HEAD = "# Renewed by bin/words."
OTHERS = [language for language in LANGUAGES if language != "en"]


class Words(Catalog):
    """A catalogue without dates, names and versions in its head: two people who renew it change nothing twice."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def gathered() -> Catalog:
    """Gather every sentence that is marked, with the files it stands in."""
    template = Catalog()
    for folder, (pattern, method) in FOLDERS.items():
        found = extract_from_dir(ROOT / folder, [(pattern, method)], OPTIONS, KEYWORDS)
        for name, _line, message, comments, context in found:
            template.add(message, None, [(f"{folder}/{name}", None)], auto_comments=comments, context=context)
    return template


def po_file(language: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """Read a catalogue as it was written; an empty one if there is none yet."""
    file = po_file(language)
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def renewed(language: str, template: Catalog) -> Words:
    """Take the translations over to the sentences that there are now; those of others are dropped."""
    old, new = read(language), Words(locale=language, header_comment=HEAD, fuzzy=False)
    for message in template:
        if message.id:
            known = old.get(message.id, message.context)
            # A sentence that has become a plural, or is none any more, is translated anew.
            same = known is not None and type(known.id) is type(message.id)
            files = sorted({file for file, _line in message.locations})
            new.add(
                message.id,
                known.string if same else None,
                [(file, None) for file in files],
                flags=known.flags if same else (),
                user_comments=known.user_comments if same else (),
                context=message.context,
            )
    return new


def is_whole(message: Message) -> bool:
    """Say whether a sentence is translated, in all its forms."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return not message.fuzzy and all(forms)


def missing(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id and not is_whole(message))


def compiled(catalogue: Catalog) -> bytes:
    """Compile what is translated, bound where no line may end; for the rest the English stays."""
    whole = Words(locale=catalogue.locale, header_comment="", fuzzy=False)
    for message in catalogue:
        if message.id and is_whole(message):
            whole.add(message.id, _bound(message.string, str(catalogue.locale)), context=message.context)
    stream = BytesIO()
    write_mo(stream, whole)
    return stream.getvalue()


def _bound(said: str | tuple[str, ...], language: str) -> str | tuple[str, ...]:
    if isinstance(said, str):
        return kept_together(said, language)
    return tuple(kept_together(form, language) for form in said)


def renew(language: str, template: Catalog) -> Words:
    """Write a language's catalogue and compile it."""
    catalogue, file = renewed(language, template), po_file(language)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        write_po(stream, catalogue, width=120, sort_output=True, include_lineno=False)
    file.with_suffix(".mo").write_bytes(compiled(catalogue))
    return catalogue


def main(languages: list[str]) -> None:
    """Renew every catalogue; name the sentences that these languages still lack."""
    template = gathered()
    for language in OTHERS:
        lacking = list(missing(renew(language, template)))
        print(f"{LANGUAGES[language]}: {len(template) - len(lacking)} of {len(template)} sentences")
        for message in lacking if language in languages else ():
            print(f"  {', '.join(file for file, _line in message.locations)}: {message.id}")


if __name__ == "__main__":
    main(sys.argv[1:])
