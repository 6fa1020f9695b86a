"""Score sheets are read: a TOML file says how a game is counted (`docs/score-sheets.md`)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from companion.games.tally.counting import EVERYWHERE, MOST_ROUNDS, POINTS, TOTAL, At, Column, Counting, known
from companion.games.tally.expressions import Call, Name, Part
from companion.games.tally.parser import FUNCTIONS, LISTS
from companion.games.tally.source import Entries, SheetFault, Source

MOST_BYTES, MOST_COLUMNS, MOST_SEATS, MOST_TIES = 50_000, 12, 8, 5
VERSIONS = 9_999
SHEET = (
    *("name", "about", "players", "wins", "rounds", "ends", "at_once", "check", "ties", "shared", "lost"),
    *("points", "columns"),
)
"""What a sheet may say."""
COLUMN = ("name", "least", "most", "waits", "worth")
"""What a column may say."""
_KEY = re.compile(r"[a-z][a-z0-9_]{0,19}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_TAKEN = {*EVERYWHERE, *FUNCTIONS, *LISTS, POINTS, TOTAL, "and", "or", "not"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet: a game that only counts."""

    key: str
    name: str
    version: int
    """A number that changes with what counts: a table whose sheet was changed is not counted otherwise in silence."""
    counting: Counting
    names: Mapping[str, str]
    """The columns' names in English, by key."""
    about: str
    """What the lobby says of it, in English."""
    words: Mapping[str, Mapping[str, str]]
    """Language -> English -> in that language."""


def read(key: str, text: str, file: str) -> Sheet:
    """Read a score sheet.

    Args:
        key: of the game.
        text: of the file.
        file: its name.

    Raises:
        SheetFault: the place and what would do.
    """
    source = Source(file, text)
    if len(text.encode()) > MOST_BYTES:
        raise SheetFault(f"{file}: a score sheet has {MOST_BYTES} bytes at most.")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SheetFault(f"{file}: {error}") from None
    return _Reader(Entries(source, data, names=SHEET)).sheet(key)


class _Reader:
    """Reads one sheet; names are gathered on the way."""

    def __init__(self, sheet: Entries) -> None:
        self.all = sheet
        self.words: dict[str, dict[str, str]] = {}

    def sheet(self, key: str) -> Sheet:
        names = self._columns_names()
        return Sheet(
            key=key,
            name=self.all.text("name") or key.replace("_", " ").capitalize(),
            version=_version(self.all.data),
            counting=self._counting(tuple(names)),
            names=names,
            about=self._said(self.all, "about", ""),
            words=self.words,
        )

    def _columns_names(self) -> dict[str, str]:
        columns = self.all.data.get("columns")
        if not isinstance(columns, dict) or not 0 < len(columns) <= MOST_COLUMNS:
            self.all.fault("columns", f"A sheet has 1 to {MOST_COLUMNS} columns: [columns.bid]")
        for key, column in columns.items():
            if _KEY.fullmatch(key) is None or key in _TAKEN:
                self._wrong_column(key, f"A column cannot be called {key!r}: small letters, no word with a meaning.")
            if not isinstance(column, dict):
                self._wrong_column(key, f"{key} must be a table: [columns.{key}]")
        return {key: self._said(self._column(key), "name", key.replace("_", " ").capitalize()) for key in columns}

    def _wrong_column(self, key: str, message: str) -> None:
        self.all.source.fault(message, ("columns", key))

    def _column(self, key: str) -> Entries:
        return Entries(self.all.source, self.all.data["columns"][key], ("columns", key), COLUMN)

    def _said(self, entries: Entries, name: str, otherwise: str) -> str:
        """Read words: a text, or one for each language, of which English is asked for."""
        if not isinstance(entries.data.get(name), dict):
            return entries.text(name) or otherwise
        said = Entries(entries.source, entries.data[name], (*entries.place, name))
        english = said.text("en") or otherwise
        for language in said.data:
            if _LANGUAGE.fullmatch(language) is None:
                said.fault(language, f"{language!r} is no language: en, cs, es, pl …")
            self.words.setdefault(language, {})[english] = said.text(language) or english
        return english

    def _counting(self, keys: tuple[str, ...]) -> Counting:
        is_shared, every = self.all.flag("shared"), (*keys, POINTS)
        columns = tuple([self._read_column(key, keys[:place]) for place, key in enumerate(keys)])
        if all(column.worth for column in columns):
            self.all.fault("columns", "Nobody tells anything: every column has a worth.")
        of_round = known(every, At.ROUND, is_shared)
        counting = Counting(
            columns=columns,
            points=self.all.expression("points", known(keys, At.ROW)) or _sum(columns),
            formula=str(self.all.data.get("points", "")),
            players=self._players(),
            is_low=self._wins() == "low",
            rounds=self.all.whole("rounds", range(1, MOST_ROUNDS + 1), 0),
            ends=self.all.expression("ends", of_round),
            target=str(self.all.data.get("ends", "")),
            is_at_once=self.all.flag("at_once"),
            check=self.all.expression("check", of_round),
            ties=self._ties(every),
            tiebreaks=tuple([str(tie) for tie in self.all.data.get("ties", [])]),
            is_shared=is_shared,
            lost=self.all.expression("lost", known(every, At.END)),
        )
        for name, needed in (("at_once", "ends"), ("lost", "shared")):
            if name in self.all.data and needed not in self.all.data:
                self.all.fault(name, f"{name} means nothing without {needed}.")
        return counting

    def _read_column(self, key: str, before: tuple[str, ...]) -> Column:
        column = self._column(key)
        for name in ("least", "most", "waits"):
            if "worth" in column.data and name in column.data:
                column.fault(name, f"{name} means nothing where a column has a worth.")
        names = known(before, At.ROW)
        return Column(
            key,
            least=column.expression("least", names),
            most=column.expression("most", names),
            waits=column.flag("waits"),
            worth=column.expression("worth", names),
            formula=str(column.data.get("worth", "")),
        )

    def _players(self) -> tuple[int, int]:
        players = self.all.data.get("players", [2, MOST_SEATS])
        if type(players) is int:
            players = [players, players]
        is_pair = isinstance(players, list) and len(players) == len("ab") and all(type(each) is int for each in players)
        if not is_pair or not 1 <= players[0] <= players[1] <= MOST_SEATS:
            self.all.fault("players", f"players must be the fewest and the most, of 1 to {MOST_SEATS}: [3, 6]")
        return players[0], players[1]

    def _wins(self) -> str:
        if self.all.data.get("wins", "high") not in ("high", "low"):
            self.all.fault("wins", 'wins must be "high" or "low".')
        return str(self.all.data.get("wins", "high"))

    def _ties(self, keys: tuple[str, ...]) -> tuple[Part, ...]:
        ties = self.all.data.get("ties", [])
        if not isinstance(ties, list) or len(ties) > MOST_TIES:
            self.all.fault("ties", f"ties must be a list of expressions, {MOST_TIES} at most.")
        return tuple([self.all.parsed("ties", tie, known(keys, At.END)) for tie in ties])


def _version(data: Mapping[str, Any]) -> int:
    """Number what counts of a sheet, without its words."""
    columns = [(key, _without(of, ("name",))) for key, of in data["columns"].items()]
    counted = json.dumps([columns, _without(data, ("name", "about", "columns"))], default=str)
    return crc32(counted.encode()) % VERSIONS + 1


def _without(data: Mapping[str, Any], words: tuple[str, ...]) -> list[tuple[str, Any]]:
    return sorted((name, part) for name, part in data.items() if name not in words)


def _sum(columns: tuple[Column, ...]) -> Part:
    """Add up what is told: the points of a sheet that says nothing else."""
    return Call("sum", tuple([Name(column.key) for column in columns if column.worth is None]))
