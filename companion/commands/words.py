"""`companion words`: the catalogue of a game of another package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from babel.messages.catalog import Catalog

from companion.commands.catalogues import CODE, PAGES, gathered, keep, missing, read, renewed
from companion.game import Agreeing, AnyGame, Plural
from companion.games import unseen
from companion.words import LANGUAGES, TRANSLATIONS, languages, whole_card

HEAD = "# Renewed by companion words."


@click.command()
@click.argument("game")
@click.argument("languages", nargs=-1, type=click.Choice([language for language in LANGUAGES if language != "en"]))
def words(game: str, languages: tuple[str, ...]) -> None:
    """Gather the sentences of GAME for the translators, keep what they have written, and compile it.

    Where no language is named, those that have a catalogue already; the sentences that each still lacks are named.

    \b
    Example:
      companion words cairn cs
    """
    try:
        brought = unseen(game)
    except LookupError:
        raise click.ClickException(f"No other package brings a game called {game}.") from None
    catalogue = brought.words.catalogue
    if not isinstance(catalogue, Path) or brought.folder is None:
        raise click.ClickException(f"{brought.name} names no folder for a catalogue: Words(…, catalogue=…).")
    template = sentences(brought)
    for language in languages or sorted(file.parts[-3] for file in catalogue.glob("*/LC_MESSAGES/messages.po")):
        _renew(catalogue, language, template)


def sentences(game: AnyGame) -> Catalog:
    """Gather what a game says: its words, its rules to read, and what is marked in its code, pages and sheets."""
    home = game.folder or Path()
    folders = ((home, "", CODE), (home / "templates", "templates", PAGES), (home / "printables", "printables", PAGES))
    template = gathered((folder, called or home.name, how) for folder, called, how in folders if folder.is_dir())
    for text in _said(game):
        template.add(text, None, [(f"{home.name}/words", 0)] if template.get(text) is None else [])
    return template


def _said(game: AnyGame) -> Iterator[str | tuple[str, str]]:
    """Yield the sentences of the words, and of the rules to read."""
    own = game.words
    sections = whole_card(game, "en")
    paragraphs = [paragraph for section in sections for paragraph in section.paragraphs if paragraph]
    for sentence in (*own.sentences.values(), *(paragraph.sentence for paragraph in paragraphs)):
        if isinstance(sentence, Agreeing):
            yield from sentence.each.values()
        else:
            yield (sentence.one, sentence.many) if isinstance(sentence, Plural) else sentence
    yield from (*own.names.values(), *own.fields.values(), *(section.title for section in sections))
    for label in own.options.values():
        yield from filter(None, (label.name, label.help))
    cells = (cell for paragraph in paragraphs for row in paragraph.table for cell in row)
    yield from (cell for cell in cells if isinstance(cell, str))


def _renew(catalogue: Path, language: str, template: Catalog) -> None:
    """Renew the catalogue of a language; what the companion says there already needs no other words."""
    file = catalogue / language / "LC_MESSAGES" / "messages.po"
    ours = read(TRANSLATIONS / language / "LC_MESSAGES" / "messages.po", language)
    old, own = read(file, language), Catalog()
    for message in template:
        if message.id and (ours.get(message.id) is None or old.get(message.id) is not None):
            own.add(message.id, None, message.locations, context=message.context)
    made = renewed(old, own, HEAD)
    keep(made, file)
    lacking = list(missing(made))
    click.echo(f"{languages()[language]}: {len(made) - len(lacking)} of {len(made)} sentences, in {file}")
    for message in lacking:
        click.echo(f"  {', '.join(place for place, _line in message.locations)}: {message.id}")
