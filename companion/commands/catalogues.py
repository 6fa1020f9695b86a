"""Catalogues of translations: gathered from code, pages and sheets, read, renewed and compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.words import kept_together

CODE, PAGES = ("**.py", "python"), ("**.html", "jinja2")
"""Which files of a folder are read, and how."""
KEYWORDS = {**DEFAULT_KEYWORDS, "Plural": (1, 2), "Told": None}
OPTIONS = {"**.html": {"newstyle_gettext": "true", "silent": "false"}}


class Words(Catalog):
    """A catalogue without dates, names and versions in its head: two people who renew it change nothing twice."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """Say what readers of the file need to know."""
        return [
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def gathered(folders: Iterable[tuple[Path, str, tuple[str, str]]]) -> Catalog:
    """Gather every sentence that is marked, with the files it stands in: in folders, each by its name, and how."""
    template = Catalog()
    for folder, called, how in folders:
        for name, _line, message, comments, context in extract_from_dir(folder, [how], OPTIONS, KEYWORDS):
            template.add(message, None, [(f"{called}/{name}", 0)], auto_comments=comments, context=context)
    return template


def read(file: Path, language: str) -> Catalog:
    """Read a catalogue as it was written; an empty one if there is none yet."""
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def renewed(old: Catalog, template: Catalog, head: str) -> Words:
    """Take the translations over to the sentences that there are now; those of others are dropped."""
    new = Words(locale=old.locale, header_comment=head, fuzzy=False)
    for message in template:
        if message.id:
            known = old.get(message.id, message.context)
            # A sentence that has become a plural, or is none any more, is translated anew.
            same = known is not None and type(known.id) is type(message.id)
            files = sorted({file for file, _line in message.locations})
            new.add(
                message.id,
                known.string if known and same else None,
                [(file, 0) for file in files],
                flags=known.flags if known and same else (),
                user_comments=known.user_comments if known and same else (),
                context=message.context,
            )
    return new


def is_whole(message: Message) -> bool:
    """Say whether a sentence is translated, in all its forms."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return not message.fuzzy and all(forms)


def missing(catalogue: Catalog) -> Iterator[Message]:
    """Yield the sentences that are not translated."""
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


def _bound(said: str | Sequence[str] | None, language: str) -> str | tuple[str, ...]:
    if isinstance(said, str):
        return kept_together(said, language)
    return tuple(kept_together(form, language) for form in said or ())


def keep(catalogue: Catalog, file: Path) -> None:
    """Write a catalogue, for people and compiled."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        write_po(stream, catalogue, width=120, sort_output=True, include_lineno=False)
    file.with_suffix(".mo").write_bytes(compiled(catalogue))
