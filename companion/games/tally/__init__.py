"""Tally: any other game, of which only the points are counted; and the score sheets that are written without code.

A sheet is a TOML file: who can play, what everybody tells in a round, what that is worth, who wins, and when it is
over (`docs/score-sheets.md`). Each becomes a game as any other. Without a file, a host says on a page how the game is
called, whether the most or the fewest points win, and when it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from companion.game import N_, Game
from companion.games.tally import any_other, moves, pads, rules, schemas, sheets, words
from companion.games.tally.counting import Counting
from companion.games.tally.ending import course, figures, on_paper, statistics
from companion.games.tally.question import question
from companion.games.tally.reading import Sheet, read
from companion.games.tally.rule_card import rule_card
from companion.games.tally.rules import Position
from companion.games.tally.source import SheetFault
from companion.games.tally.view import View, own, view

KEY = "tally"

_SAME: dict[str, Any] = {
    "rules": moves.Rule,
    "judge": rules.judge,
    "legal": rules.legal,
    "may_move": rules.may_move,
    "view": view,
    "own": own,
    "standing": rules.standing,
    "summary": rules.summary,
    "still_means": rules.still_means,
    "is_lost": lambda summary: summary.get("is_lost") is True,
    "on_paper": on_paper,
    "course": course,
    "figures": figures,
}
"""What all sheets have in common."""


def _sheets(name: str, counting: Counting | None, names: Mapping[str, str]) -> dict[str, Any]:
    """Give what lays out the sheets of a game; where all have one score, a pad has nothing to write for each."""
    pad = {} if counting and counting.is_shared else {"score_pad": pads.pad_of(name, counting)}
    return {"score_sheet": sheets.sheet_of(name, counting, names), **pad}


_USUAL = any_other.counting_of(any_other.Options())

GAME: Game[any_other.Options, Position, moves.Move, View] = Game(
    **_SAME,
    key=KEY,
    name="Tally",
    about=N_("Any other game: it only counts the points."),
    players=any_other.PLAYERS,
    options=schemas.OPTIONS,
    moves=schemas.moves_of(any_other.Cell),
    words=words.WORDS,
    start=any_other.start,
    question=question(_USUAL),
    rule_card=lambda options, is_whole: rule_card(any_other.counting_of(options), any_other.Cell, is_whole),
    statistics=statistics(_USUAL, ()),
    asked_first="wins",
    named_by="called",
    won_by_fewest={"wins": any_other.Wins.LOW.value},
    sheets=_sheets("Tally", None, {"number": "Points"}),
)


def game_of(sheet: Sheet) -> Game[Any, Position, moves.Move, View]:
    """Make a game of a score sheet."""
    counting = sheet.counting
    enum: Any = Enum
    columns = enum("Column", {key.upper(): key for key in sheet.names})
    fewest, most = counting.players
    return Game(
        **_SAME,
        key=sheet.key,
        name=sheet.name,
        about=sheet.about,
        drawn_as=KEY,
        version=sheet.version,
        players=range(fewest, most + 1),
        options=schemas.NO_OPTIONS,
        moves=schemas.moves_of(columns),
        words=words.words_of({columns(key): name for key, name in sheet.names.items()}, sheet.words),
        start=lambda options, seats: rules.start(counting, columns, seats),
        question=question(counting),
        rule_card=lambda options, is_whole: rule_card(counting, columns, is_whole),
        statistics=statistics(counting, list(sheet.names.values())),
        is_shared=counting.is_shared,
        won_by_fewest={} if counting.is_low else None,
        sheets=_sheets(sheet.name, counting, sheet.names),
    )


def written(folder: str) -> Iterator[tuple[str, Game[Any, Position, moves.Move, View] | str]]:
    """Read the score sheets of a folder, "" for none.

    Yields:
        What names each file; and its game, or why it cannot be read.
    """
    if folder and not Path(folder).is_dir():
        yield f"COMPANION_GAMES={folder}", "There is no such folder."
    for file in sorted(Path(folder).glob("*.toml")) if folder else ():
        try:
            yield f"The score sheet {file.name}", game_of(read(file.stem, file.read_text("utf-8-sig"), file.name))
        except (SheetFault, OSError, UnicodeDecodeError) as error:
            yield f"The score sheet {file.name}", str(error)
